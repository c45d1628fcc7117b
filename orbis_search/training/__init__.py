"""Training a network for the evaluation: games of the search against itself, fitting, and matches that decide."""
