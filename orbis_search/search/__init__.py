"""The tree search at work, and what its samples say a move is worth."""
