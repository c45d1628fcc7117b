"""Checks the compiled core against the plain rules, on any number of positions.

Games are played at random and sensibly, by 2 to 4 players, on our card set and on random ones, some of them training
games. At each decision either the whole set of legal moves is compared, or some single moves: that both call them legal
and lead to the same position; and that both refuse moves that are a little wrong. Every draw is compared, and the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from random import Random

from ...base.comparing import Mismatch, Tally, tallies
from ...base.dice import Dice
from ...base.jobs import Workers
from ..cards.library import load_card_set
from ..core.packing import PackedMove, Packing
from ..core.states import PackedState
from ..game import rules
from ..game.cards import CardSet
from ..game.legality import why_not
from ..game.position import MOVES, Drawing, Drop, Move, Position, Task
from ..game.vocabulary import HUMANS, Resources

STYLES = ("random", "sensible", "mixed")


def verify_game(seed: int, whole_sets: bool, per_decision: int = 12) -> Tally:
    """One game from a seed: whole move sets at each decision, or up to `per_decision` single moves."""
    rng = Random(seed)
    style = STYLES[seed // 3 % 3]
    position = start_for(seed)
    packing = Packing(position)
    state, tally = packing.state, Tally(games=1)
    while not position.is_over:
        if position.draw_due:
            position = _draw(packing, position, state, rng)
            continue
        _expect(position, "to move", state.to_move, position.to_move)
        legal = {packing.pack_move(move): move for move in rules.legal_moves(position)}
        if whole_sets:
            _compare_sets(packing, position, state, legal, tally)
        else:
            _compare_singles(packing, position, state, legal, rng, per_decision, tally)
        chosen = state.choose(rng.choice(STYLES[:2]) if style == "mixed" else style, rng.getrandbits(64))
        if chosen not in legal:
            _differ(packing, position, "a move chosen by the core that is not legal", {chosen}, set())
        position = rules.play(position, legal[chosen])
        state.apply(chosen)
        _expect_position(packing, position, state, f"after {legal[chosen]}")
    _expect(position, "final points", state.points(), [tuple(points) for points in rules.standings(position)])
    won = rules.winners(position)
    shares = [1 / len(won) if seat in won else 0 for seat in range(len(position.players))]
    _expect(position, "shares", state.shares(), shares)
    return tally


def start_for(seed: int) -> Position:
    """Our own set for every other game, a random one for the rest; each seventh is a training game."""
    dice = Dice(seed)
    cards = card_set_for(seed)
    players, training = 2 + seed % 3, seed % 7 == 0
    aliens = dice.shuffled([race.id for race in cards.races if race.id != HUMANS])
    races = [HUMANS] * players if training else [HUMANS if dice.chance(0.2) else race for race in aliens[:players]]
    return rules.new_game(cards, races, dice, training=training)


def card_set_for(seed: int) -> CardSet:
    return load_card_set("reconstruction" if seed % 2 == 0 else f"random:{seed}")


def _draw(packing: Packing, position: Position, state: PackedState, rng: Random) -> Position:
    numbers = packing.printing.numbers
    possible = rules.draws(position)
    _expect(position, "draws", state.draws(), [(numbers[card], number) for card, number in possible])
    card = rng.choices([card for card, _ in possible], [number for _, number in possible])[0]
    position = rules.draw(position, card)
    state.draw(numbers[card])
    _expect_position(packing, position, state, f"after drawing {card}")
    return position


def _compare_sets(
    packing: Packing, position: Position, state: PackedState, legal: dict[PackedMove, Move], tally: Tally
) -> None:
    found = state.moves()
    _expect(position, "distinct moves", len(set(found)), len(found))
    if set(found) != legal.keys():
        _differ(
            packing, position, "legal moves only in one of them", set(found) - legal.keys(), legal.keys() - set(found)
        )
    for packed, move in legal.items():
        _expect(position, "a move unpacked", packing.unpack_move(packed), move)
    tally.decisions += 1
    tally.moves += len(found)
    tally.largest = max(tally.largest, len(found))


def _compare_singles(
    packing: Packing,
    position: Position,
    state: PackedState,
    legal: dict[PackedMove, Move],
    rng: Random,
    number: int,
    tally: Tally,
) -> None:
    found = set(state.moves())
    moves = list(legal)
    for packed in rng.sample(moves, min(number, len(moves))):
        if packed not in found:
            _differ(packing, position, "legal moves only in one of them", set(), {packed})
        after = state.copy()
        after.apply(packed)
        _expect_position(packing, rules.play(position, legal[packed]), after, f"after {legal[packed]}")
        tally.singles += 1
    wrong = _a_little_wrong(packing, legal[rng.choice(moves)], rng)
    packed = packing.pack_move(wrong)
    if packed not in legal:
        if packed in found or not why_not(position, wrong):
            _differ(packing, position, "a wrong move that is not refused", {packed} & found, set())
        tally.refused += 1


def _a_little_wrong(packing: Packing, move: Move, rng: Random) -> Move:
    """A move like this one, but for one thing."""
    structures = packing.printing.structures
    changes: dict[str, Callable[[], Move]] = {
        "card": lambda: move._replace(card=rng.choice(structures)),
        "system": lambda: move._replace(system=rng.randrange(5)),
        "player": lambda: move._replace(player=rng.randrange(len(packing.origin.players))),
        "number": lambda: move._replace(number=rng.randrange(6)),
        "resources": lambda: move._replace(resources=Resources(*(rng.randrange(4) for _ in range(3)))),
        "order": lambda: move._replace(order=tuple(rng.sample(move.order, len(move.order)))),
    }
    if not MOVES[move.kind]:
        return Move(rng.choice([kind for kind, fields in MOVES.items() if not fields]))
    return changes[rng.choice(MOVES[move.kind])]()


# --- what is told of a difference


def in_order(position: Position) -> Position:
    """Cards just drawn in the order of the set: the core does not keep the order in which they came."""
    order = position.cards.order

    def sorted_(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(cards, key=lambda card: order[card]))

    def tidy(task: Task) -> Task:
        if isinstance(task, Drawing) and task.drawn:
            return replace(task, drawn=sorted_(task.drawn))
        if isinstance(task, Drop) and task.among is not None:
            return replace(task, among=sorted_(task.among))
        return task

    return position._replace(stack=tuple(map(tidy, position.stack)))


def _expect(position: Position, what: str, found: object, expected: object) -> None:
    if found != expected:
        raise Mismatch(f"{_name(position)}\n{what}\ncore:      {found}\nreference: {expected}")


def _expect_position(packing: Packing, expected: Position, state: PackedState, what: str) -> None:
    """Names the parts that differ: two positions in full would fill pages."""
    found, expected = packing.position(state), in_order(expected)
    if found == expected:
        return
    parts = [
        f"{field}\ncore:      {getattr(found, field)}\nreference: {getattr(expected, field)}"
        for field in Position._fields[1:]
        if getattr(found, field) != getattr(expected, field)
    ]
    raise Mismatch("\n".join([_name(expected), what, *parts]))


def _differ(
    packing: Packing, position: Position, what: str, core_only: set[PackedMove], reference_only: set[PackedMove]
) -> None:
    def some(moves: set[PackedMove]) -> str:
        return "\n  ".join(str(packing.unpack_move(move)) for move in sorted(moves)[:5])

    raise Mismatch(
        f"{_name(position)}\n{what}\ncore ({len(core_only)}):\n  {some(core_only)}\n"
        f"reference ({len(reference_only)}):\n  {some(reference_only)}"
    )


def _name(position: Position) -> str:
    from ..notation.oneline import write_oneline

    return write_oneline(position)


def _job(job: tuple[int, bool]) -> Tally:
    return verify_game(*job)


def verify(decisions: int, singles: int, seed: int = 0, workers: Workers | int = 1) -> Iterator[Tally]:
    """Plays games until both numbers are reached, the first ones with whole sets of moves; yields the running tally
    after each game. Games that are under way when a number is reached do not count, so the workers make no
    difference."""
    tally, games = Tally(), 0
    for whole in (True, False):
        with closing(tallies(_job, ((seed + game, whole) for game in count(games)), workers)) as found:
            while tally.decisions < decisions if whole else tally.singles < singles:
                tally.add(next(found))
                games += 1
                yield tally
