"""Checks and figures: the core against the plain rules, move sequences, speed."""
