"""Positions, tiles and moves for people to look at: terminal, pictures, sentences."""
