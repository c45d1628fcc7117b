"""What moves of Master of Orion are worth: simple ways to play, and games played on from each move."""
