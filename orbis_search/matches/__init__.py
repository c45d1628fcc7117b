"""Matches of whatever game: rounds, results, how certain they are, and the files that keep the games."""
