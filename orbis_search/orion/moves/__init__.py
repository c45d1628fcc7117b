"""The legal moves of a position of Master of Orion: the list, its JSON and its text."""
