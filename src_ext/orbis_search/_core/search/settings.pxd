"""The settings of the tree search: what each of them does."""

from ..common.ints cimport u32

cdef struct Settings:
    double exploration
    double breadth  # of the floor: a share of the visits for every move, more for those close to the best
    double win_part  # of the reward; the rest is the margin
    double spite_part  # of the reward too: how little the next player gets, and the one after, of those that are left
    double margin_scale
    double first_play  # taken off the node's mean for a move not tried yet
    u32 expand_after  # visits before a node gets its moves
    u32 grow_main  # visits to a block of few before it grows
    u32 grow_everything  # visits for each move of a block of everything
    u32 split_after  # times a draw came before it gets a node of its own; 0: never
    u32 inherit  # visits that what is known of a move at least counts for there
    int playout_style
    bint finish  # the last turns are solved, where the game can do it
    bint plain  # UCB1 over all main moves, without weights: the textbook search, to measure against
