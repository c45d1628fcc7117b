"""Players by name, for the arena: from one that plays at random to the advisor itself.

    random                          any legal move
    greedy                          the move that is worth most at once
    flat:sims=2000                  flat Monte Carlo: sensible games to the end behind each candidate move,
                                    the better half of the candidates kept again and again
    uct:sims=2000                   a plain tree search with random games to the end
    advisor:sims=2000               the advisor
    advisor:time=0.2s,threads=1     ... by the clock
    advisor:sims=2000,win_part=0.7  ... with any setting of the search by its name
    beginner ... full               the levels, weakest first; level:1 is another word for the first (see `levels`)
    full:time=2s                    ... the last one with a time or a number of simulations of its own
    @settings.toml                  settings from a file: player = "advisor" and one line for each setting;
                                    more settings may stand behind a comma
    cmd:program argument ...        another program. For each of its turns it reads one line, the position in
                                    its one-line form, and answers with one line, a move in move notation

A player sees a packed state, which holds what lies on the table and which tiles are still to come, but not their order.
It gets a seed for each move, so that a player limited by simulations plays the same game again.
"""

from __future__ import annotations

import math
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from ..base.errors import InputError, Problem, reason
from ..base.language import _
from ..base.options import MAX_SIMULATIONS, THREADS, Reader, Unfit, duration, named_settings, number_of, typed, whole
from ..matches.seats import level_named
from ..search.settings import DEFAULTS, PLAYOUT, SearchSettings, setting_problems
from .levels import LEVELS, NAMES, Level

if TYPE_CHECKING:
    from ..core.packing import PackedMove
    from ..core.states import PackedState
    from ..game.position import Position

Value = bool | int | float | str
Readable = Callable[["PackedState"], "Position"]

DEFAULT_SIMS = 2000
LIMITS: dict[str, Reader] = {"sims": typed(whole(1, MAX_SIMULATIONS)), "time": duration, "threads": typed(THREADS)}
KINDS = ("random", "greedy", "flat", "uct", "advisor", "cmd", "level", *NAMES)
# What makes the search a plain one: no knowledge in tree or playouts, and victory alone counts.
PLAIN = SearchSettings(plain=True, playout_style=0, win_part=1.0, expand_after=1)
# Players that take the search's own settings, besides sims, time and threads.
SEARCHERS = ("uct", "advisor")
FULL = NAMES[-1]
# ... and these: each thread with a tree of its own; the solver asked first near the end of the game.
OWN_SETTINGS = ("apart", "prove")
TEXTS = ("evaluation", "network")  # settings that are words
FLAT_SETTINGS = ("win_part", "margin_scale")


@dataclass(frozen=True, slots=True)
class Spec:
    """A player as its text describes it. `str()` gives the text back, with the settings of a file written out."""

    kind: str
    sims: int | None = None
    seconds: float | None = None
    threads: int = 1
    settings: tuple[tuple[str, Value], ...] = ()  # as they were written; see `search`, `apart` and `prove`
    command: str = ""

    def __str__(self) -> str:
        if self.kind == "cmd":
            return f"cmd:{self.command}"
        parts = []
        if self.sims is not None:
            parts.append(f"sims={self.sims}")
        if self.seconds is not None:
            parts.append(f"time={self.seconds:g}s")
        if self.threads != 1:
            parts.append(f"threads={self.threads}")
        parts += [f"{name}={_text(value)}" for name, value in self.settings]
        return f"{self.kind}:{','.join(parts)}" if parts else self.kind

    @property
    def search(self) -> SearchSettings:
        """Those of its settings that are the search's."""
        given: dict[str, Any] = {name: value for name, value in self.settings if name not in OWN_SETTINGS}
        found = SearchSettings(**given)
        return found.over(PLAIN) if self.kind == "uct" else found

    @property
    def apart(self) -> bool:
        return bool(dict(self.settings).get("apart", False))

    @property
    def prove(self) -> bool:
        return bool(dict(self.settings).get("prove", self.kind == "advisor"))

    def player(self) -> Player:
        """A player of this kind. Close it after its last game."""
        if self.kind in ("random", "greedy"):
            return Simple(random_move if self.kind == "random" else greedy_move)
        if self.kind == "flat":
            return Flat(self)
        if self.kind == "cmd":
            return Program(self.command)
        if self.kind in NAMES and self.advisor is None:
            return Simple(_level(self.kind).choose)
        return Searcher(self.advisor or self)

    @property
    def advisor(self) -> Spec | None:
        """The advisor it plays as, with its limits; None if it is another kind of player."""
        if self.kind == FULL:
            return replace(self, kind="advisor")
        if self.kind in NAMES and (level := _level(self.kind)).is_the_advisor:
            return Spec("advisor", level.sims, settings=(("evaluation", PLAYOUT),))
        return self if self.kind == "advisor" else None


def _level(name: str) -> Level:
    return LEVELS[NAMES.index(name)]


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---- reading a specification -----------------------------------------------------------------------


def parse_player(text: str, place: str = "player") -> Spec:
    """The player that the text names; InputError with everything wrong with it, at `place`."""
    from ..base.quoting import nearest, shown

    text = text.strip()
    kind, colon, rest = text.partition(":")
    if kind == "cmd":
        return Spec("cmd", command=_checked_command(rest, place))
    if text.startswith("@"):
        path, _comma, rest = text[1:].partition(",")
        kind, given = _read_file(path, place)
        place = f"{place}, {path}"
    else:
        given = {}
        if colon and not rest:
            raise InputError.one(place, _("expected settings after the colon, found nothing: {text}", text=shown(text)))
        if kind == "level":
            word, _comma, rest = rest.partition(",")
            kind = level_name(word, place)
    if kind not in KINDS or kind in ("cmd", "level"):
        message = _("expected a player ({kinds} or @FILE), found {found}", kinds=", ".join(KINDS), found=shown(kind))
        raise InputError.one(place, message + nearest(kind, KINDS))

    given |= named_settings(rest, place)
    return _spec(kind, given, place)


def level_name(text: str, place: str = "level") -> str:
    """The name of a level, given its name or its number from 1."""
    return level_named(text, NAMES, place)


def _checked_command(command: str, place: str) -> str:
    from ..base.quoting import shown

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError.one(
            place, _("expected a command line, found {found}: {error}", found=shown(command), error=error)
        ) from None
    if not words:
        raise InputError.one(place, _("expected a program after cmd:, found nothing"))
    return command.strip()


def _read_file(path: str, place: str) -> tuple[str, dict[str, Any]]:
    from ..base.quoting import shown
    from ..base.toml import settings_in

    place = f"{place}, {path}"
    given = settings_in(path, place)
    kind = given.pop("player", "advisor")
    if not isinstance(kind, str):
        raise InputError.one(place, _("expected the name of a player, found {found}", found=shown(kind)))
    return kind, given


def _spec(kind: str, given: dict[str, Any], place: str) -> Spec:
    """Checks each setting, so that a slip is found before a match begins and not in the middle of it."""
    from ..base.quoting import nearest, shown

    problems = []
    limits: dict[str, Any] = {}
    settings: dict[str, Value] = {}
    plays_out = kind in ("flat", FULL, *SEARCHERS)
    known: tuple[str, ...] = ("sims", "time") if plays_out else ()
    known += ("threads",) if kind in (FULL, *SEARCHERS) else FLAT_SETTINGS if kind == "flat" else ()
    for name, said in given.items():
        if name not in known and kind not in SEARCHERS:
            message = (
                _(
                    "expected one of {choice} for {player}, found {found}",
                    choice=", ".join(known),
                    player=kind,
                    found=shown(name),
                )
                if known
                else _("expected no settings for {player}, found {found}", player=kind, found=shown(name))
            )
            message += nearest(name, known)
            problems.append(Problem(place, message))
            continue
        try:
            if name in LIMITS:
                limits[name] = LIMITS[name](said)
            else:
                settings[name] = said if name in TEXTS and isinstance(said, str) else _value(said)
        except Unfit as unfit:
            message = _("expected {what} for {name}, found {found}", what=unfit, name=name, found=shown(said))
            problems.append(Problem(place, message))
    if kind in ("flat", *SEARCHERS):
        for name, value in settings.items():
            problems += _setting_problems(name, value, place)
    sims, seconds = limits.get("sims"), limits.get("time")
    if sims is not None and seconds is not None:
        problems.append(Problem(place, _("expected either sims or time, found both")))
    if problems:
        raise InputError(problems)
    if plays_out and sims is None and seconds is None:
        sims = LEVELS[-1].sims if kind == FULL else DEFAULT_SIMS
    return Spec(kind, sims, seconds, limits.get("threads", 1), tuple(settings.items()))


def _value(said: object) -> Value:
    """A setting's value, from a file or from a text."""
    if isinstance(said, str):
        said = said.lower() == "true" if said.lower() in ("true", "false") else number_of(said)
    if isinstance(said, (bool, int)) or (isinstance(said, float) and math.isfinite(said)):
        return said
    raise Unfit(_("a number, true or false"))


def _setting_problems(name: str, value: Value, place: str) -> list[Problem]:
    return [] if name in OWN_SETTINGS and isinstance(value, bool) else setting_problems(name, value, place)


# ---- the players -----------------------------------------------------------------------------------


class Player(Protocol):
    def choose(self, state: PackedState, seed: int, readable: Readable) -> PackedMove:
        """A legal move. `readable` turns the state into a position, for players that cannot read packed ones."""

    def close(self) -> None:
        """The last game is over."""


def random_move(state: PackedState, seed: int) -> PackedMove:
    move: PackedMove = state.choose("random", seed)
    return move


def greedy_move(state: PackedState, seed: int) -> PackedMove:
    move: PackedMove = state.choose("greedy", seed)
    return move


class Simple:
    """Moves by a rule that looks only at the state."""

    def __init__(self, rule: Callable[[PackedState, int], PackedMove]) -> None:
        self.rule = rule

    def choose(self, state: PackedState, seed: int, readable: Readable) -> PackedMove:
        return self.rule(state, seed)

    def close(self) -> None:
        pass


class Searcher:
    """The tree search, which plays the move visited most."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.settings = spec.search

    def choose(self, state: PackedState, seed: int, readable: Readable) -> PackedMove:
        from ..search.driver import Search
        from ..solver.endgame import prove_best

        spec = self.spec
        start = perf_counter()
        if spec.prove and (move := prove_best(state, spec.sims, spec.seconds, spec.threads)) is not None:
            return move
        left = None if spec.seconds is None else max(0.0, spec.seconds - (perf_counter() - start))
        search = Search(state, seed=seed, threads=spec.threads, settings=self.settings, apart=spec.apart)
        search.finish(spec.sims, left)
        return search.best()

    def close(self) -> None:
        pass


class Flat:
    """Flat Monte Carlo by sequential halving.

    Every candidate gets the same number of sensible games, then the worse half is dropped, until one is left. Each
    sweep over the candidates uses the same refill and the same seed, so that luck favours none of them.
    """

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        from ..core.states import MARGIN_SCALE

        settings = spec.search.complete()
        assert settings.win_part is not None
        self.win_part = settings.win_part
        self.margin_scale = MARGIN_SCALE if settings.margin_scale is None else settings.margin_scale

    def choose(self, state: PackedState, seed: int, readable: Readable) -> PackedMove:
        start = perf_counter()
        rng = Random(seed)
        arms = [_Arm(move, state) for move in _candidates(state, rng.getrandbits(64))]
        who = state.to_move
        phases = max(1, math.ceil(math.log2(len(arms))))
        used = 0
        for phase in range(1, phases + 1):
            if len(arms) == 1:
                break
            # Each phase ends at its share of the whole, in simulations or in seconds.
            while True:
                if self.spec.seconds is None:
                    enough = (self.spec.sims or DEFAULT_SIMS) * phase // phases
                    if used >= enough:
                        break
                elif perf_counter() - start >= self.spec.seconds * phase / phases and used:
                    break
                luck, games = rng.random(), rng.getrandbits(64)
                for arm in arms:
                    arm.sum += self._reward(arm.play(luck, games), who)
                    arm.games += 1
                used += len(arms)
            arms.sort(key=lambda arm: -arm.sum / max(arm.games, 1))
            del arms[(len(arms) + 1) // 2 :]
        return arms[0].move

    def _reward(self, outcome: tuple[list[int], list[int]], who: int) -> float:
        shares, points = outcome
        own = points[who]
        margin = own - max(points[:who] + points[who + 1 :])
        squashed = 0.5 + 0.5 * margin / (self.margin_scale + abs(margin))
        return self.win_part * shares[who] / 12 + (1 - self.win_part) * squashed

    def close(self) -> None:
        pass


def _candidates(state: PackedState, seed: int) -> list[PackedMove]:
    """One way to play each choice: where the tree search starts at its root."""
    from ..core.searches import Tree

    tree = Tree(state.game_state(), DEFAULTS, seed)
    tree.run(1)
    return sorted((row[0], row[1]) for row in tree.moves())


class _Arm:
    def __init__(self, move: PackedMove, state: PackedState) -> None:
        self.move = move
        self.after = state.copy()
        self.after.apply(move)
        self.draws = self.after.draws()
        self.sum = 0.0
        self.games = 0
        self.refilled: dict[int, PackedState] = {}

    def play(self, luck: float, games: int) -> tuple[list[int], list[int]]:
        after = self.after
        if self.draws:
            tile = self.draws[int(luck * len(self.draws))]
            if tile not in self.refilled:
                self.refilled[tile] = after.copy()
                self.refilled[tile].refill(tile)
            after = self.refilled[tile]
        shares, points, _ = after.playouts(1, games, "sensible")
        return shares, points


class Program:
    """Another program, started at its first move and kept until the match is over."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.process: subprocess.Popen[str] | None = None

    def choose(self, state: PackedState, seed: int, readable: Readable) -> PackedMove:
        from ..core.packing import pack_move
        from ..notation import write_oneline
        from ..notation.move_text import parse_move

        position = readable(state)
        asked = write_oneline(position).strip()
        answer = self._ask(asked)
        try:
            move = parse_move(answer, position)
        except InputError as error:
            raise InputError.one(
                self._place, _("{problem} (asked about {asked})", problem=error.problems[0].message, asked=asked)
            ) from None
        return pack_move(position, move)

    @property
    def _place(self) -> str:
        return f"cmd:{self.command}"

    def _ask(self, line: str) -> str:
        try:
            if self.process is None:
                words, pipe = shlex.split(self.command), subprocess.PIPE
                self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, encoding="utf-8")
            assert self.process.stdin is not None and self.process.stdout is not None
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except UnicodeDecodeError:
            raise InputError.one(self._place, _("expected an answer in UTF-8, found other bytes")) from None
        except OSError as error:
            message = _("expected a program that answers, found: {reason}", reason=reason(error))
            raise InputError.one(self._place, message) from None
        if not answer.endswith("\n"):
            raise InputError.one(self._place, _("expected a move on one line, found the end of its output"))
        return answer.strip()

    def close(self) -> None:
        """The end of its input tells the program to exit; if it stays, it is ended."""
        if self.process is None:
            return
        process, self.process = self.process, None
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass  # it had already exited
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
