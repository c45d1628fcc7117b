"""Whether a position is sound: the check, its JSON and its text."""
