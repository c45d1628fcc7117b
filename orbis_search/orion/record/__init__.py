"""Games of Master of Orion as they were played: the record, its text, its JSON and its file."""
