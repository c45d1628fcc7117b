"""Which move is best and why: the advice, its JSON and its text."""
