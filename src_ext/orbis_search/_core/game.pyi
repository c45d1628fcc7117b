"""What Python sees of the seam. The stubs say what mypy cannot read from the compiled modules."""

class GameState:
    """A game and a state of it, as a search takes them; made by the game."""
