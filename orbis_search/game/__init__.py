"""Orbis as plain data: its vocabulary, tiles, positions, the rules, and what is wrong with a position."""
