"""What everything else builds on: values, messages and errors, the current language, jobs and who does them."""
