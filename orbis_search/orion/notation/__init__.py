"""Positions and moves of Master of Orion as text."""
