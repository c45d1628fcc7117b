"""Positions, set-ups and moves asked for step by step."""
