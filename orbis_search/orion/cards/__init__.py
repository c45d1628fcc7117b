"""Card sets: read, written, found by name, made up."""
