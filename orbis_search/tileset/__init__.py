"""Tile sets: read, written, found by name, made up; single tiles described and recognised."""
