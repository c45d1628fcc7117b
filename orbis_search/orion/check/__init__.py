"""Whether a position of Master of Orion is sound: the check, its JSON and its text."""
