"""Players of Master of Orion by name, for the arena and the table:

    random                      any legal move
    sensible                    the move after which the own side of the table looks best
    flat:sims=2000              games played on from each move, the better half of the moves kept again and again
    uct:sims=2000               a plain tree search with random games to the end
    advisor:sims=2000           the advisor
    advisor:time=0.2s,threads=1 ... by the clock
    beginner ... full           the levels, weakest first; level:1 is another word for the first (see `levels`)

A player sees a position as its seat does: what it cannot know is not in it. It gets a seed for each decision, so that a
player limited by simulations plays the same game again. `KINDS` has them all: a new one is an entry there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ...base.dice import Dice
from ...base.errors import InputError, Problem
from ...base.language import _
from ...base.options import MAX_SIMULATIONS, THREADS, Reader, Unfit, duration, named_settings, typed, whole
from ...base.quoting import nearest, shown
from ...matches.seats import level_named
from ..game.position import Move, Position
from ..search.policies import PLAYERS, Chooser, play_on, play_randomly, play_sensibly
from .levels import LEVELS, NAMES, Level
from .searching import CorePlayer

__all__ = [
    "FULL",
    "KINDS",
    "NAMES",
    "PLAYERS",
    "Player",
    "Spec",
    "parse_player",
    "play_on",
    "play_randomly",
    "play_sensibly",
]

DEFAULT_SIMS = 2000
LIMITS: dict[str, Reader] = {"sims": typed(whole(1, MAX_SIMULATIONS)), "time": duration, "threads": typed(THREADS)}
FULL = NAMES[-1]


class Player(Protocol):
    def choose(self, position: Position, seed: int) -> Move:
        """A legal move in the position, which is as the player to move sees it."""

    def close(self) -> None:
        """The last game is over."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A player as its text describes it. `str()` gives the text back."""

    kind: str
    sims: int | None = None
    seconds: float | None = None
    threads: int = 1

    def __str__(self) -> str:
        parts = [] if self.sims is None else [f"sims={self.sims}"]
        parts += [] if self.seconds is None else [f"time={self.seconds:g}s"]
        parts += [] if self.threads == 1 else [f"threads={self.threads}"]
        return f"{self.kind}:{','.join(parts)}" if parts else self.kind

    def player(self) -> Player:
        """A player of this kind. Close it after its last game."""
        return KINDS[self.kind](self)

    @property
    def searches(self) -> bool:
        return self.kind in SEARCHERS


class Simple:
    """Decides by a rule that looks at nothing but the position."""

    def __init__(self, rule: Chooser) -> None:
        self.rule = rule

    def choose(self, position: Position, seed: int) -> Move:
        return self.rule(position, Dice(seed))

    def close(self) -> None:
        pass


def _simple(spec: Spec) -> Player:
    return Simple(PLAYERS[spec.kind])


def _searcher(spec: Spec) -> Player:
    return CorePlayer(spec.kind, spec.sims, spec.seconds, spec.threads)


def _level(spec: Spec) -> Player:
    level: Level = LEVELS[NAMES.index(spec.kind)]
    if level.sims:
        own = spec.sims is not None or spec.seconds is not None
        return _searcher(replace(spec, kind="advisor", sims=spec.sims if own else level.sims))
    return Simple(level.choose)


# How each kind is made. Those that search take sims, time and threads.
SEARCHERS = ("flat", "uct", "advisor", FULL)
KINDS: dict[str, Callable[[Spec], Player]] = {
    **dict.fromkeys(PLAYERS, _simple),
    **dict.fromkeys(("flat", "uct", "advisor"), _searcher),
    **dict.fromkeys(NAMES, _level),
}


def parse_player(text: str, place: str = "player") -> Spec:
    """The player that the text names; InputError with everything wrong with it, at `place`."""
    kind, colon, rest = text.strip().partition(":")
    if colon and not rest:
        raise InputError.one(place, _("expected settings after the colon, found nothing: {text}", text=shown(text)))
    if kind == "level":
        word, _comma, rest = rest.partition(",")
        kind = level_named(word, NAMES, place)
    if kind not in KINDS:
        known = (*KINDS, "level")
        message = _("expected a player ({kinds}), found {found}", kinds=", ".join(known), found=shown(kind))
        raise InputError.one(place, message + nearest(kind, known))
    return _spec(kind, named_settings(rest, place), place)


def _spec(kind: str, given: dict[str, Any], place: str) -> Spec:
    problems = []
    limits: dict[str, Any] = {}
    known = tuple(LIMITS) if kind in SEARCHERS else ()
    for name, said in given.items():
        if name not in known:
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
            problems.append(Problem(place, message + nearest(name, known)))
            continue
        try:
            limits[name] = LIMITS[name](said)
        except Unfit as unfit:
            message = _("expected {what} for {name}, found {found}", what=unfit, name=name, found=shown(said))
            problems.append(Problem(place, message))
    if "sims" in limits and "time" in limits:
        problems.append(Problem(place, _("expected either sims or time, found both")))
    if problems:
        raise InputError(problems)
    if kind in SEARCHERS and kind != FULL and not {"sims", "time"} & limits.keys():
        limits["sims"] = DEFAULT_SIMS
    return Spec(kind, limits.get("sims"), limits.get("time"), limits.get("threads", 1))
