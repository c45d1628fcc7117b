"""Endings solved exactly, one or many: the solution, its JSON and its text."""
