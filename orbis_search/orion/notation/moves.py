"""Moves as text: written and read. docs/orion.md has a table of all forms.

A move is read against a position: whatever leaves only one legal move is enough.
"""

from __future__ import annotations

import re
from typing import Any

from ...base.errors import InputError, Problem
from ...base.language import _, ngettext
from ...base.names import player_place
from ...base.options import counted
from ...base.quoting import fold, nearest, shown
from ...base.values import NamedTuple
from ..game.legality import why_not
from ..game.position import ADVISOR, MOVES, RACE, TRADES, Apply, Move, PickDirection, Position
from ..game.rules import legal_moves
from ..game.vocabulary import RESOURCE_LETTERS, RESOURCE_WORDS, UNKNOWN, Resources
from .words import first_id

PLACE = "move"
NEW = "new"
_MOST_SHOWN = 6

# What a move may begin with in other languages, and what of its other words.
WORDS: dict[str, tuple[str, ...]] = {
    "build": ("baue", "bauen", "buduj", "zbuduj", "построить", "строительство"),
    "exploit": ("nutze", "ausbeuten", "eksploatuj", "eksploatacja", "эксплуатация", "эксплуатировать"),
    "research": ("forsche", "forschen", "badaj", "badania", "исследование", "исследовать"),
    "activate": ("aktiviere", "aktivieren", "aktywuj", "активация", "активировать"),
    "attack": ("angriff", "greife", "atakuj", "atak", "атака", "атаковать"),
    "trade": ("handel", "handle", "handluj", "торговля", "торговать"),
    "propaganda": ("пропаганда",),
    "deal": ("vertrag", "kontrakt", "сделка"),
    "discard": ("ablegen", "lege", "odrzuć", "сбросить", "сброс"),
    "take": ("nimm", "nehmen", "weź", "взять"),
    "use": ("verwende", "użyj", "применить"),
    "done": ("fertig", "koniec", "gotowe", "готово", "хватит"),
    "new": ("neu", "nowy", "новая", "новую"),
    "pay": ("zahle", "zapłać", "заплатить", "за"),
    "food": ("nahrung", "żywność", "еда", "еду", "еды", "продовольствие"),
    "fleet": ("flotte", "flota", "флот", "флота"),
    "production": ("produktion", "produkcja", "производство"),
}
_ENGLISH = {fold(word): english for english, words in WORDS.items() for word in words}


def _word(text: str) -> str:
    return _ENGLISH.get(fold(text), text.lower())


# --- writing


def format_move(position: Position, move: Move) -> str:
    """The move in the notation that `parse_move` reads."""
    place = [] if move.system < 0 else [str(move.system + 1)]
    match move.kind:
        case "build":
            player = position.players[position.to_move or 0]
            where = NEW if move.system == len(player.systems) else str(move.system + 1)
            paid = [] if not move.resources.total else ["pay", str(move.resources)]
            words = [move.card, where, *paid]
        case "activate":
            words = [move.card, *place]
        case "use":
            owner = [] if move.player == position.to_move else ["of", str(move.player + 1)]
            twin = [f"#{move.number + 1}"] if _has_twin(position, move) else []
            words = [move.card, *place, *owner, *twin]
        case "attack" | "target":
            words = [str(move.player + 1)]
        case "trade":
            words = [RESOURCE_WORDS[kind] for kind in TRADES[move.number]]
        case "take":
            words = [move.card, f"#{move.number}"]
        case "option":
            words = [str(move.number + 1)]
        case "exchange":
            words = [str(given_side(position, move))]
        case "reorder":
            words = [*place, *move.order]
        case "bury":
            words = [move.card, *place, "of", str(move.player + 1)]
        case "fill":
            words = [move.card, *place, "of", str(move.player + 1), "AR"[move.number]]
        case _:
            words = [move.card] if move.card else []
    return " ".join([move.kind, *words])


def _has_twin(position: Position, move: Move) -> bool:
    """Whether the card has another effect that is due."""
    task = position.stack[-1]
    assert isinstance(task, Apply)
    return sum((ref.card, ref.place, ref.owner) == (move.card, move.system, move.player) for ref in task.refs) > 1


def given_side(position: Position, move: Move) -> Resources:
    task = position.stack[-1]
    assert isinstance(task, PickDirection)
    return (task.left, task.right)[move.number]


# --- reading


class _Said(NamedTuple):
    """What a text says of a move; what it leaves open is None."""

    kind: str
    card: str | None = None
    system: int | None = None
    player: int | None = None
    resources: Resources | None = None
    number: int | None = None
    order: tuple[str, ...] | None = None

    def agrees(self, move: Move) -> bool:
        return all(said is None or said == meant for said, meant in zip(self, move))


def parse_move(text: str, position: Position) -> Move:
    """The legal move that a text describes; InputError that says why there is none, or which it could be."""
    said = _said(text, position)
    mover = position.to_move
    if mover is not None and UNKNOWN in position.players[mover].hand:
        raise InputError.one(PLACE, hidden_hand(position))
    legal = legal_moves(position)
    fitting = [move for move in legal if said.agrees(move)]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        given: dict[str, Any] = {field: value for field, value in zip(said._fields, said) if value is not None}
        move = _likely(said, position)._replace(**given)
        raise InputError(Problem(PLACE, reason) for reason in why_not(position, move))
    shown_moves = [format_move(position, move) for move in fitting[:_MOST_SHOWN]]
    choice = "; ".join(shown_moves + ["..."] * (len(fitting) > _MOST_SHOWN))
    raise InputError.one(
        PLACE, _("expected more than {found}: it could be {choice}", found=shown(text.strip()), choice=choice)
    )


def hidden_hand(position: Position) -> str:
    """What to say if the player who decides has cards that are not known."""
    mover = position.to_move
    assert mover is not None
    player = position.players[mover]
    hidden = sum(card == UNKNOWN for card in player.hand)
    return ngettext(
        "expected the whole hand of {player}, who decides; found {n} unknown card",
        "expected the whole hand of {player}, who decides; found {n} unknown cards",
        hidden,
        player=player_place(mover, player.name),
    )


def _likely(said: _Said, position: Position) -> Move:
    """What fills the gaps of an illegal move, so that there is something to explain."""
    player = position.players[position.to_move or 0]
    system = 0
    if said.kind == "build":
        system = len(player.systems)
    elif said.kind in ("activate", "use") and said.card:
        system = ADVISOR if said.card == player.advisor else RACE if said.card == player.race else 0
        for number, each in enumerate(player.systems):
            system = number if each.cards[-1:] == (said.card,) else system
    resources = Resources()
    if said.kind == "build" and said.card in position.cards.structure:
        resources = position.cards.structure[said.card].cost
    return Move(said.kind, said.card or "", system, resources=resources)


def _said(text: str, position: Position) -> _Said:
    words = re.sub(r"[,;]", " ", text).split()
    kind = _word(words[0]) if words else ""
    if kind not in MOVES:
        message = _(
            "expected a move that begins with one of {choice}, found {found}",
            choice=", ".join(MOVES),
            found=shown(text.strip()),
        )
        raise InputError.one(PLACE, message + nearest(kind, MOVES))
    rest = words[1:]
    said = _Said(kind)
    fields = MOVES[kind]
    if kind == "reorder":
        return _said_order(said, rest, position, text)
    if kind == "trade":
        return _said_trade(said, rest, text)
    if "card" in fields and rest:
        card, rest = first_id(rest, position.cards)
        if card is None:
            message = _("expected a card, found {found}", found=shown(" ".join(rest)))
            raise InputError.one(PLACE, message + nearest(rest[0], position.cards.order))
        said = said._replace(card=card)
    for part in _parts(rest):
        said = _with_part(said, part, position, text)
    return said


def _parts(words: list[str]) -> list[str]:
    """Words that belong together as one: `pay 2f`, `of 2`."""
    parts: list[str] = []
    for word in words:
        if parts and parts[-1] in ("pay", "of"):
            parts[-1] += f" {word}"
        else:
            parts.append(_word(word))
    return parts


def _with_part(said: _Said, part: str, position: Position, text: str) -> _Said:
    head, _blank, tail = part.partition(" ")
    number = counted(tail or head.removeprefix("#"))
    low = None if number is None else number - 1
    match said.kind:
        case "build" | "activate" | "use" | "bury" | "fill" if low is not None and not tail and head[:1] != "#":
            return said._replace(system=low)
        case "build" if head == NEW:
            return said._replace(system=len(position.players[position.to_move or 0].systems))
        case "build" if head == "pay" and (paid := read_resources(tail)) is not None:
            return said._replace(resources=paid)
        case "use" | "bury" | "fill" if head == "of" and low is not None:
            return said._replace(player=low)
        case "use" if head[:1] == "#" and low is not None:
            return said._replace(number=low)
        case "fill" if head in ("a", "r"):
            return said._replace(number="ar".index(head))
        case "attack" | "target" if low is not None:
            return said._replace(player=low)
        case "take" if number is not None:
            return said._replace(number=number)
        case "option" if low is not None:
            return said._replace(number=low)
        case "exchange" if (given := read_resources(head)) is not None and position.stack:
            task = position.stack[-1]
            if isinstance(task, PickDirection) and given in (task.left, task.right):
                return said._replace(number=(task.left, task.right).index(given))
    message = _("expected {form}, found {found}", form=FORMS[said.kind], found=shown(text.strip()))
    raise InputError.one(PLACE, message)


def _said_trade(said: _Said, words: list[str], text: str) -> _Said:
    """What is given, then what is gained."""
    kinds = tuple(RESOURCE_WORDS.index(word) for word in map(_word, words) if word in RESOURCE_WORDS)
    if len(kinds) != len(words) or kinds not in TRADES:
        raise InputError.one(PLACE, _("expected {form}, found {found}", form=FORMS["trade"], found=shown(text.strip())))
    return said._replace(number=TRADES.index(kinds))


def _said_order(said: _Said, words: list[str], position: Position, text: str) -> _Said:
    number = counted(words[0]) if words else None
    order: list[str] = []
    rest = words[1:]
    while rest:
        card, rest = first_id(rest, position.cards)
        if card is None:
            break
        order.append(card)
    if number is None or rest or not order:
        raise InputError.one(
            PLACE, _("expected {form}, found {found}", form=FORMS["reorder"], found=shown(text.strip()))
        )
    return said._replace(system=number - 1, order=tuple(order))


def read_resources(text: str) -> Resources | None:
    """`3f2l1p`, `-` for nothing; None if it is neither.

    >>> read_resources("3f1p"), read_resources("x")
    (Resources(food=3, fleet=0, production=1), None)
    """
    pattern = "".join(f"(?:([0-9]){letter})?" for letter in RESOURCE_LETTERS)
    found = re.fullmatch(pattern, "" if text == "-" else text.lower())
    return None if found is None or not text else Resources(*(int(amount or 0) for amount in found.groups()))


FORMS = {
    "build": "build CARD SYSTEM|new [pay 3f2l1p]",
    "exploit": "exploit CARD",
    "research": "research",
    "activate": "activate CARD [SYSTEM]",
    "attack": "attack PLAYER",
    "trade": "trade food|fleet|production food|fleet|production",
    "propaganda": "propaganda",
    "deal": "deal ADVISOR",
    "discard": "discard CARD",
    "take": "take CARD [#PLACE]",
    "option": "option NUMBER",
    "exchange": "exchange 3f3l",
    "use": "use CARD [SYSTEM] [of PLAYER] [#EFFECT]",
    "reorder": "reorder SYSTEM CARD CARD ...",
    "bury": "bury CARD [SYSTEM] [of PLAYER]",
    "fill": "fill CARD [SYSTEM] [of PLAYER] A|R",
    "target": "target PLAYER",
    "done": "done",
}
