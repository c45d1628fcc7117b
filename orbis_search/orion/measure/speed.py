"""What `orbis orion bench` measures, and the signature: one number made of what a fixed piece of work found."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import blake2b

from ...base.dice import Dice
from ...base.language import _
from ...base.timing import Figure, measure
from ...search.trees import TreeSearch
from ..cards.library import load_card_set
from ..core.packing import Packing
from ..core.states import STATE_BYTES, PackedState
from ..game.cards import DEFAULT_CARD_SET, CardSet
from ..game.rules import new_game
from ..game.vocabulary import HUMANS
from ..search.standing import root_of
from ..search.tree import SETTINGS

SEARCHED = 2_000  # simulations of one search
MEMORY = 64 << 20
SIGNED_GAMES, SIGNED_SIMULATIONS, SIGNED_DEPTH = 200, 1_000, 3


def bench(cards: CardSet, seed: int = 1, seconds: float = 1.0) -> Iterator[Figure]:
    """The speed of rules and search on one core; about `seconds` for each line."""
    for players in (2, 3, 4):
        start, middle = start_of(cards, players, seed), middle_of(cards, players, seed)
        name = f"{players}p"
        title = _("{players} players: state", players=players)
        yield Figure(f"{name}.state_bytes", title, STATE_BYTES, "bytes", STATE_BYTES)
        decisions = start.playouts("random", 2_000, seed, True)[0] / 2_000
        typical, best = measure(partial(_games, start, seed), 500, seconds)
        title = _("{players} players: random playouts from the start", players=players)
        yield Figure(f"{name}.playouts", title, 1 / typical, "/s", 1 / best)
        title = _("{players} players: decisions in those playouts", players=players)
        yield Figure(f"{name}.decisions", title, decisions / typical, "/s", decisions / best)
        for state, word, title in (
            (start, "start", _("{players} players: simulations from the start, one thread", players=players)),
            (middle, "middle", _("{players} players: simulations from the middle, one thread", players=players)),
        ):
            typical, best = measure(partial(_searches, state, seed), 1, seconds)
            yield Figure(f"{name}.{word}", title, SEARCHED / typical, "/s", SEARCHED / best)


def start_of(cards: CardSet, players: int, seed: int) -> PackedState:
    aliens = [race.id for race in cards.races if race.id != HUMANS]
    races = (aliens + [HUMANS] * players)[:players]
    return Packing(new_game(cards, races, Dice(seed), first=0)).state


def middle_of(cards: CardSet, players: int, seed: int) -> PackedState:
    """Of a sensible game: the first decision of round 4."""
    state, dice = start_of(cards, players, seed), Dice(seed)
    while state.round < 4 and not state.is_over:
        state.draw_at_random(dice.below(1 << 53))
        if state.to_move is not None:
            state.apply(state.choose("sensible", dice.below(1 << 53)))
    state.draw_at_random(seed)
    return state


def _games(state: PackedState, seed: int, games: int) -> None:
    state.playouts("random", games, seed, True)


def _searches(state: PackedState, seed: int, times: int) -> None:
    for _time in range(times):
        _search(state, SEARCHED, seed)


def _search(state: PackedState, simulations: int, seed: int) -> TreeSearch:
    search = TreeSearch(root_of(state, SETTINGS), SETTINGS, seed=seed, memory=MEMORY)
    search.finish(simulations)
    return search


def signatures() -> dict[str, str]:
    """Of the rules, and of the search: the same on every machine."""
    cards = load_card_set(DEFAULT_CARD_SET)
    rules, found = blake2b(digest_size=8), blake2b(digest_size=8)
    for players in (2, 3, 4):
        middle = middle_of(cards, players, 1)
        for state in (start_of(cards, players, 1), middle):
            rules.update(repr(state.perft(SIGNED_DEPTH)).encode())
            for style in ("random", "quick"):
                rules.update(repr(state.playouts(style, SIGNED_GAMES, 1, True)).encode())
            rows = _search(state, SIGNED_SIMULATIONS, 1).moves()
            found.update(repr([(row.what, row.detail, row.visits, row.shares) for row in rows]).encode())
    return {"rules": rules.hexdigest(), "search": found.hexdigest()}
