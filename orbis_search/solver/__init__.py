"""Endings solved exactly, one or many."""
