"""What everything stands on: values, messages and errors, the current language, processes."""
