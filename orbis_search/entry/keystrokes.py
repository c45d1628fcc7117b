"""The keys that enter a known turn on a terminal: the way back from `move_dialog` and `tile_dialog`.

keys_of_move(stage, move)             one text for each question; Enter is in it where it has to be pressed
keys_of_draw(stage, move, tile)
"""

from __future__ import annotations

from ..game.economy import Way, economy, find_way
from ..game.position import Move
from ..game.tiles import Tile
from ..record.game import Stage
from .move_dialog import MoveEntry
from .questions import CERTAIN, KEYS, OTHER, Question, is_whole
from .tile_dialog import DrawEntry

ENTER = "\r"
EXCHANGE = "x"  # somebody wants to exchange who need not


def keys_of_move(stage: Stage, move: Move) -> list[str]:
    """Digits alone, but for an exchange that nobody needs."""
    way = find_way(economy(stage.position, move.cell, move.god, move.wild, move.validated), move.realm)
    if way is None:
        raise ValueError(f"expected a legal move, found {move}")
    for wanted in (False, True):
        entry = MoveEntry(stage)
        keys = []
        if wanted:
            entry.want_exchange()
            keys.append(EXCHANGE + ENTER)
        while (question := entry.question) is not None:
            answer = _answer(stage, question, move, way)
            if answer is None:
                break
            keys.append(_pressed(answer, question))
            entry.answer(answer)
        if entry.move == move:
            return [*keys, CERTAIN] if entry.is_doubtful else keys
    raise AssertionError(f"expected a way to enter {stage.format(move)}")


def keys_of_draw(stage: Stage, move: Move, tile: Tile | None) -> list[str]:
    """None is a tile that nobody has seen."""
    entry = DrawEntry(stage, move)
    keys = []
    while (question := entry.question) is not None:
        wanted = tile.colour if tile is not None and question.kind == "colour" else tile
        answer = next(option.key for option in question.options if option.value == wanted)
        keys.append(_pressed(answer, question))
        entry.answer(answer)
    return keys


def _pressed(answer: str, question: Question) -> str:
    return answer if is_whole(answer, question) else answer + ENTER


def _answer(stage: Stage, question: Question, move: Move, way: Way) -> str | None:
    """None if the move cannot be the one that is asked for."""
    swaps = sorted((*way.before, *way.after))
    if question.kind == "cell":
        return OTHER if move.cell is None else KEYS[move.cell]
    if question.kind == "gain":
        return "".join(str(colour + 1) * number for colour, number in enumerate(way.gained))
    if question.kind == "swaps":
        return " ".join(f"{giver + 1}{taker + 1}" for giver, taker in swaps)
    if question.kind == "goes":
        goes = way.paid.minus(economy(stage.position, move.cell, move.god, move.wild, move.validated).cost)
        goes = goes.plus(way.given).plus(way.discarded)
        ways = [option.value for option in question.options]
        return "".join(str(colour + 1) * number for colour, number in enumerate(goes)) if goes in ways else None
    if question.kind == "removed" and not question.options:
        return "".join(f"{KEYS[cell]}{colour + 1}" * number for cell, colour, number in move.removed)
    wanted = {
        "god": move.god,
        "slot": None if move.wild else move.slot,
        "wild": move.slot,
        "verdict": move.validated,
        "removed": move.removed,
        "swap": tuple(swaps),
    }[question.kind]
    return next((option.key for option in question.options if option.value == wanted), None)
