"""The legal moves of a position: the list, its JSON and its text."""
