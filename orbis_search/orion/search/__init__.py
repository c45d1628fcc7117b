"""What moves of Master of Orion are worth: simple ways to play, and the tree search."""
