"""Which move of Master of Orion is best and why: the advice, its JSON and its text."""
