"""The compiled searches: the tree, the endgame solver, and the exhaustive walk."""

from .._core.game import GameState
from .._core.network import CUT_OFF, HIDDEN, Network
from .._core.search.endgame import ALL_IDEAS, IDEAS, Solver
from .._core.search.exhaustive import Walker
from .._core.search.ismcts import Tree
from .._core.search.reading import RootMove

__all__ = ["ALL_IDEAS", "CUT_OFF", "HIDDEN", "IDEAS", "GameState", "Network", "RootMove", "Solver", "Tree", "Walker"]
