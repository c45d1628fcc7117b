"""Positions and cards of Master of Orion for people to look at: terminal, tables, sentences."""
