"""What a tree has found so far, for Python: its root moves, what is played after one, the expected line.

Threads may go on growing the tree meanwhile.
"""

from typing import NamedTuple

from libc.string cimport memset

from ..common.atomics cimport get, peek, peek_double
from ..common.ints cimport u32, u64
from ..game cimport MAX_DRAWS
from .growth cimport GrowingTree
from .layout cimport BORROWED, NOWHERE, Drawn, Place, Segment, Split, Stats, Way, entries_of, groups_of, visits_of


class RootMove(NamedTuple):
    """What one tree knows of a root move. Sums are over its visits, so that those of several trees add up."""

    what: int
    detail: int
    visits: int
    weight: float
    reward: float  # what the search maximises
    reward_squared: float
    shares: tuple[float, ...]  # of the victory, by player
    share_squared: float  # of the player to move
    points: tuple[float, ...]  # by player
    details: tuple[tuple[float, ...], ...]  # by player, the game's own
    level: float  # simulations that end with the mover level on points with the best of the others, as far as known
    level_share: float  # the mover's share in those
    draws: list[tuple[int, int, float, float]]  # what came next: draw, visits, mover's share, its squares

    @property
    def mean_reward(self):
        return self.reward / self.visits if self.visits else 0.0


def root_moves(GrowingTree tree):
    """A RootMove for each root move, most visits first."""
    cdef u32 i, block
    rows = []
    for group, first in entries(tree, tree.first):
        block = first
        while block != NOWHERE:
            for i in range(tree.head(block).children):
                rows.append(root_move(tree, block, i))
            block = get(&tree.head(block).more)
    rows.sort(key=lambda row: (-row.visits, row.what, row.detail))
    return rows


cdef root_move(GrowingTree tree, u32 block, u32 i):
    """The sums of all threads together."""
    cdef int players = tree.game.players, details = tree.game.details, k
    cdef u32 thread, n, draws
    cdef const Way* way = &tree.ways(block)[i]
    cdef const Stats* one
    cdef const Drawn* each
    cdef Stats stats
    cdef Drawn drawn[MAX_DRAWS]
    memset(&stats, 0, sizeof(stats))
    memset(drawn, 0, sizeof(drawn))
    for thread in range(tree.threads):
        one = tree.stats(block, i, thread)
        stats.visits += peek(&one.visits)
        stats.share_squared += peek_double(&one.share_squared)
        stats.reward += peek_double(&one.reward)
        stats.reward_squared += peek_double(&one.reward_squared)
        stats.level_share += peek_double(&one.level_share)
        stats.level += peek_double(&one.level)
        for k in range(players * (2 + details)):
            stats.sums[k] += peek_double(&one.sums[k])
        draws = get(&one.draws)
        if draws:  # the same draws in the same order for every thread
            stats.draw_count = peek(&one.draw_count)
            for n in range(stats.draw_count):
                each = &tree.drawn(draws)[n]
                drawn[n].what = each.what
                drawn[n].visits += peek(&each.visits)
                drawn[n].share += peek_double(&each.share)
                drawn[n].share_squared += peek_double(&each.share_squared)
    return RootMove(
        way.what, way.detail, stats.visits, tree.weights(block)[i], stats.reward, stats.reward_squared,
        tuple([stats.sums[k] for k in range(players)]), stats.share_squared,
        tuple([stats.sums[players + k] for k in range(players)]),
        tuple([
            tuple([stats.sums[2 * players + details * who + k] for k in range(details)]) for who in range(players)
        ]),
        stats.level, stats.level_share,
        [(drawn[k].what, drawn[k].visits, drawn[k].share, drawn[k].share_squared)
         for k in range(<int>stats.draw_count)],
    )


def replies(GrowingTree tree, what, detail):
    """What was played next after a root move: {group: visits}."""
    cdef u32 block
    found = {}
    for node in nodes_after(tree, what, detail):
        for group, block in entries(tree, node):
            found[group] = found.get(group, 0) + peek(&tree.head(block).visits)
    return found


def expected_line(GrowingTree tree, first, int longest):
    """The expected line, behind a root move or from the root: from each decision the move visited most, whatever
    was drawn before it, as long as it was visited 20 times; each as (what, detail, group, visits, those of all moves).

    Groups that are rarely there (a tile that happened to be drawn) count by how often they were.
    """
    cdef u32 i, block, visits, node
    nodes = [tree.first] if first is None else nodes_after(tree, first[0], first[1])
    moves = []
    while nodes and len(moves) < longest:
        found = {}
        for at in nodes:
            for group, block in entries(tree, at):
                while block != NOWHERE:
                    for i in range(get(&tree.head(block).tried)):
                        visits = visits_of(tree.child_tally(block, i))
                        node = get(&tree.ways(block)[i].node)
                        key = (tree.ways(block)[i].what, tree.ways(block)[i].detail, group)
                        known = found.setdefault(key, [0, set()])
                        known[0] += visits
                        if node:
                            known[1].add(node & ~<u32>BORROWED)
                    block = get(&tree.head(block).more)
        if not found:
            break
        (what, detail, group), (times, behind) = max(found.items(), key=lambda item: (item[1][0], item[0]))
        if times < 20:
            break
        moves.append((what, detail, group, times, sum(known[0] for known in found.values())))
        nodes = [node for shared in sorted(behind) for node in drawn_nodes(tree, shared)]
    return moves


cdef list entries(GrowingTree tree, u32 node):
    """(group, first block) of each of a node's groups that was played."""
    cdef u32 i, at = get(&tree.node(node).index)
    cdef Segment* segment
    found = []
    while at != NOWHERE:
        segment = tree.segment(at)
        for i in range(get(&segment.entries)):
            if get(&entries_of(segment)[i].block):
                found.append((groups_of(segment)[i], get(&entries_of(segment)[i].block)))
        at = get(&segment.more)
    return found


cdef list nodes_after(GrowingTree tree, u64 what, u64 detail):
    """The nodes behind a root move: the shared one, and those of its draws."""
    cdef Place place = tree.root_place(what, detail)
    cdef u32 node = get(&tree.ways(place.block)[place.child].node) if place.block != NOWHERE else <u32>NOWHERE
    return drawn_nodes(tree, node) if node else []


cdef list drawn_nodes(GrowingTree tree, u32 node):
    """A node behind a move, and those of its draws."""
    cdef Split* split
    cdef u32 at
    found = [node]
    if get(&tree.node(node).splits):
        split = tree.splits(get(&tree.node(node).splits))
        while peek(&split.what):
            at = get(&split.node)
            if at:
                found.append(at)
            split += 1
    return found
