"""The advisor beside OpenSpiel's own bots: `orbis bench peers`.

OpenSpiel's MCTSBot and ISMCTSBot are C++. Here they play Orbis on our core, as the C++ game that `openspiel.load_core`
compiles, so that no Python runs during a search; MCTSBot also plays the Python game. They see the moves that our own
search looks at (`moves=search`), and roll out with random decisions, as they do by default.

Budgets are equal in this sense: a bot has as many simulations, or as much time, for each decision of a turn as the
advisor has for the whole turn. A turn has two decisions on average. Nothing is kept from one search to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError
from ..base.language import N_, _
from ..base.timing import Figure, measure
from ..core.fast_rules import play_turns
from ..game.rules import new_game
from ..game.tiles import DEFAULT_TILE_SET
from ..players.arena import Match, Tally, play_game
from ..players.by_name import Player, Readable, parse_player
from ..search.driver import Search
from ..tileset.library import load_tile_set

if TYPE_CHECKING:
    from ..core.packing import PackedMove
    from ..core.states import PackedState
    from ..game.position import Position

EXTRA = N_("the openspiel extra (pip install 'orbis-search[openspiel]', in a clone '.[openspiel]')")
BOTS = ("MCTSBot", "ISMCTSBot")
CORE, PYTHON = "core", "python"
EXPLORATION = 1.0  # of the bots' UCT, for rewards from -1 to 1; see docs/openspiel.md
MEGABYTES = 1000
FOREVER = 10**9  # simulations, where the clock decides
SCALE = ("connect_four", "pig", "backgammon")
LENGTH_GAMES = 200  # to measure how long a random game is


def expect_openspiel() -> None:
    from importlib.util import find_spec

    if find_spec("pyspiel") is None:
        message = _("expected {extra}, found no {project}", extra=_(EXTRA), project="pyspiel")
        raise InputError.one("orbis bench peers", message)


def prepare(directory: str | Path) -> str | None:
    """Compiles the C++ game; returns None, or why that cannot be done here."""
    from subprocess import CalledProcessError

    from ..openspiel import load_core

    try:
        load_core(directory)
    except CalledProcessError as error:
        said: list[str] = error.stderr.strip().splitlines()
        return said[0] if said else str(error)
    except OSError as error:
        return str(error)
    return None


# ---- the bots at our table -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Peer:
    """A bot of OpenSpiel, the game it plays, and what it has for each decision: simulations or seconds."""

    bot: str
    game: str
    sims: int | None = None
    seconds: float | None = None

    @property
    def budget(self) -> str:
        return f"sims={self.sims}" if self.seconds is None else f"time={self.seconds:g}s"

    def __str__(self) -> str:
        return f"{self.bot}/{self.game}:{self.budget}"


class SpielPlayer:
    """A bot as a player of the arena: decision by decision until the turn's move is known."""

    def __init__(self, peer: Peer, exploration: float = EXPLORATION) -> None:
        self.peer, self.exploration = peer, exploration

    def choose(self, state: PackedState, seed: int, readable: Readable) -> PackedMove:
        from ..core.states import SEARCH
        from ..core.steps import StepState

        there = spiel_game(self.peer, readable(state)).new_initial_state()
        here = StepState(state, SEARCH)
        while True:
            action = decide(self.peer, there, seed, self.exploration)
            move = here.move(action)
            if move is not None:
                return move
            here.apply(action)
            there.apply_action(action)

    def close(self) -> None:
        pass


def spiel_game(peer: Peer, position: Position) -> Any:
    import pyspiel

    from ..openspiel import CORE_NAME, NAME, start_of

    information = "imperfect" if peer.bot == "ISMCTSBot" else "perfect"
    parameters = {"start": start_of(position), "moves": "search", "information": information}
    return pyspiel.load_game(CORE_NAME if peer.game == CORE else NAME, parameters)


def make_bot(peer: Peer, game: Any, seed: int, exploration: float = EXPLORATION) -> Any:
    import pyspiel

    seed %= 2**31
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    sims, seconds = peer.sims or FOREVER, peer.seconds or -1.0
    if peer.bot == "MCTSBot":
        return pyspiel.MCTSBot(
            game, evaluator, exploration, sims, MEGABYTES, True, seed, False, max_wall_clock_time=seconds
        )
    # The visible table is all there is to know, so ways that lead to the same table share a node.
    most_visited = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    return pyspiel.ISMCTSBot(seed, evaluator, exploration, sims, -1, most_visited, True, False, seconds)


def decide(peer: Peer, state: Any, seed: int, exploration: float = EXPLORATION) -> int:
    """The bot's choice. A bot without time for two simulations knows nothing, and gets two."""
    import pyspiel

    bot = make_bot(peer, state.get_game(), seed, exploration)
    chosen: int
    if peer.bot == "MCTSBot":
        # Not by `step`: that lets go of the interpreter, which a game in Python needs.
        root = bot.mcts_search(state)
        if root.explore_count > 1:
            chosen = root.best_child().action
            return chosen
    else:
        try:
            chosen = bot.step(state)
            return chosen
        except pyspiel.SpielError:
            if peer.seconds is None:
                raise
    return decide(Peer(peer.bot, peer.game, 2), state, seed, exploration)


# ---- matches ---------------------------------------------------------------------------------------


def peers(sims: int, seconds: float, has_core: bool) -> list[Peer]:
    """The advisor's opponents. At equal simulations the Python game would be the same match, only slower."""
    if not has_core:
        return [Peer("MCTSBot", PYTHON, sims), Peer("MCTSBot", PYTHON, None, seconds)]
    found = [Peer(bot, CORE, *budget) for bot in BOTS for budget in ((sims, None), (None, seconds))]
    return [*found, Peer("MCTSBot", PYTHON, None, seconds)]


def play_match(peer: Peer, rounds: int, seed: int) -> Iterator[Tally]:
    """The advisor against a bot, in pairs; the tally so far after each game."""
    advisor = f"advisor:{peer.budget}"
    match = Match((advisor, str(peer)), 2, DEFAULT_TILE_SET, seed)
    players: list[Player] = [parse_player(advisor).player(), SpielPlayer(peer)]
    tally = Tally(match)
    for number in range(rounds):
        for rotation in range(2):
            tally.add(play_game(match, number, rotation, players))
            yield tally


# ---- speed -----------------------------------------------------------------------------------------

SEARCHED = {CORE: 2000, PYTHON: 200}  # simulations of a search that is timed


def speeds(seconds: float, seed: int, has_core: bool) -> Iterator[Figure]:
    """Simulations per second of the advisor and the bots, each search from an empty tree, on one thread."""
    from ..core.packing import Packing

    packing = Packing(new_game(load_tile_set(DEFAULT_TILE_SET), 2, Random(seed)))
    middle = packing.state.copy()
    for _turn in play_turns(middle, 15, Random(seed), "sensible"):
        pass
    bots = [Peer(bot, CORE, SEARCHED[CORE]) for bot in BOTS if has_core]
    bots.append(Peer("MCTSBot", PYTHON, SEARCHED[PYTHON]))
    for state, word, title in (
        (packing.state, "start", N_("{player}: simulations from the start")),
        (middle, "middle", N_("{player}: simulations from the middle")),
    ):
        sims = SEARCHED[CORE]
        run = _searches(lambda each, state=state: Search(state, seed=seed + each).finish(sims))  # type: ignore[misc]
        yield _rate(f"advisor.{word}", _(title, player="advisor"), run, sims, seconds)
        for peer in bots:
            root = spiel_game(peer, packing.position(state)).new_initial_state()
            run = _searches(lambda each, peer=peer, root=root: decide(peer, root, seed + each))  # type: ignore[misc]
            name = f"{peer.bot}/{peer.game}"
            yield _rate(f"{name}.{word}", _(title, player=name), run, peer.sims or 1, seconds)


def _searches(search: Callable[[int], object]) -> Callable[[int], None]:
    def run(times: int) -> None:
        for each in range(times):
            search(each)

    return run


def _rate(name: str, title: str, run: Callable[[int], object], work: float, seconds: float) -> Figure:
    typical, best = measure(run, 1, seconds)
    return Figure(name, title, work / typical, "/s", work / best)


def scale(seconds: float, seed: int, has_core: bool) -> Iterator[Figure]:
    """Random games to the end: OpenSpiel's C++ games and Orbis, all in OpenSpiel's C++ loop, and ours in our own."""
    import pyspiel

    from ..core.packing import Packing

    position = new_game(load_tile_set(DEFAULT_TILE_SET), 2, Random(seed))
    games = {name: pyspiel.load_game(name) for name in SCALE}
    if has_core:
        games["orbis"] = spiel_game(Peer("MCTSBot", CORE), position)
    for name, game in games.items():
        rng = Random(seed)
        start = game.new_initial_state()
        while start.is_chance_node():
            _random_step(start, rng)
        moves = fmean(_length(start, rng) for _game in range(LENGTH_GAMES))

        # A search of one simulation evaluates its root, and nothing else.
        def run(times: int, game: Any = game, start: Any = start) -> None:
            evaluator = pyspiel.RandomRolloutEvaluator(times, seed)
            pyspiel.MCTSBot(game, evaluator, 1.0, 1, 0, False, seed, False).mcts_search(start)

        typical, best = measure(run, 100, seconds)
        title = _("{game}: random games", game=name)
        yield Figure(f"{name}.playouts", title, 1 / typical, "/s", 1 / best)
        title = _("{game}: moves and draws in those games", game=name)
        yield Figure(f"{name}.moves", title, moves / typical, "/s", moves / best)
    state = Packing(position).state
    typical, best = measure(lambda n: state.playouts(n, seed), 2_000, seconds)
    title = _("{game}: random games", game=_("orbis, our own loop"))
    yield Figure("own.playouts", title, 1 / typical, "/s", 1 / best)


def _random_step(state: Any, rng: Random) -> None:
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes())
        state.apply_action(rng.choices(outcomes, weights)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def _length(start: Any, rng: Random) -> int:
    """Moves and draws of one random game."""
    state, n = start.clone(), 0
    while not state.is_terminal():
        _random_step(state, rng)
        n += 1
    return n
