"""The text of a record: a header, then a line for each decision.

    orbis-orion-game 1
    date: 2026-11-18
    start: m1:reconstruction:1.1.1.setup:...
    x-seat-1: me

    1. 1: discard titan
    2. 1: done | frigate
    # a remark behind the last decision

A line has its number, the player who decided, the move, and behind a bar the cards drawn after it. Header lines that
begin with `x-` belong to whoever wrote them.
"""

from __future__ import annotations

import re

from ...base.errors import InputError
from ...base.language import _
from ...base.position_text import decoded
from ...base.quoting import shown
from ..game.position import Position
from ..notation.document import Folder
from ..notation.moves import parse_move
from ..notation.oneline import read_oneline, write_oneline
from .game import Record

HEAD = "orbis-orion-game 1"
MOST_TURNS = 5000
_LINE = re.compile(r"(\d{1,6})\. ([1-4]): ([^|]*?)(?: \| (.*))?")


def record_text(record: Record) -> str:
    """What `read_record` reads."""
    header = [HEAD, *([f"date: {record.date}"] if record.date else []), f"start: {write_oneline(record.start)}"]
    header += [f"{key}: {value}" for key, value in record.extra]
    lines = []
    for number, turn in enumerate(record.turns, 1):
        drawn = f" | {' '.join(turn.drawn)}" if turn.drawn else ""
        lines.append(f"{number}. {turn.player + 1}: {turn.text}{drawn}")
    return "\n".join([*header, "", *lines, *(f"# {remark}" for remark in record.end)]) + "\n"


def read_record(text: str | bytes, place: str = "", base_dir: Folder = None) -> Record:
    """The record in a text, every move checked by the rules; InputError names the line of the first problem."""
    lines = decoded(text, place).split("\n")
    if lines[0].rstrip() != HEAD:
        raise _wrong(place, 1, _("a game that begins with {head}", head=HEAD), lines[0])
    fields: dict[str, str] = {}
    body = next((number for number, line in enumerate(lines) if number and not line.strip()), len(lines))
    for number, line in enumerate(lines[1:body], 2):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or not (key in ("date", "start") or key.startswith("x-")):
            raise _wrong(place, number, _("date, start or a line that begins with x-"), line)
        if key in fields:
            raise InputError.one(f"{place}, line {number}", _("expected {name} once, found it twice", name=key))
        fields[key] = value
    if "start" not in fields:
        raise InputError.one(place, _("expected a value for {key}, found none", key="start"))
    start = read_oneline(fields["start"], f"{place}, start", base_dir)
    if not start.is_complete:
        raise InputError.one(f"{place}, start", _("expected every card to be known, found one that is not"))
    extra = tuple((key, value) for key, value in fields.items() if key not in ("date", "start"))
    record = Record((start,), date=fields.get("date", ""), extra=extra)
    remarks = []
    for number, line in enumerate(lines[body + 1 :], body + 2):
        if line.startswith("#"):
            remarks.append(line[1:].strip())
        elif line.strip():
            if remarks:
                raise _wrong(place, number, _("nothing behind the remarks"), line)
            record = _read_turn(record, line.rstrip(), f"{place}, line {number}")
    return Record(record.positions, record.turns, record.date, record.extra, tuple(remarks))


def _wrong(place: str, number: int, what: str, found: str) -> InputError:
    return InputError.one(f"{place}, line {number}", _("expected {what}, found {found}", what=what, found=shown(found)))


def _read_turn(record: Record, line: str, place: str) -> Record:
    found = _LINE.fullmatch(line)
    due = len(record.turns) + 1
    if found is None or due > MOST_TURNS:
        what = _("NUMBER. PLAYER: MOVE | CARDS DRAWN")
        raise InputError.one(place, _("expected {what}, found {found}", what=what, found=shown(line)))
    number, player, text, drawn = found.groups()
    if int(number) != due:
        raise InputError.one(place, _("expected {what}, found {found}", what=due, found=number))
    mover = record.position.to_move
    if mover is not None and int(player) != mover + 1:
        what = _("player {number}", number=mover + 1)
        raise InputError.one(place, _("expected {what}, found {found}", what=what, found=player))
    try:
        move = parse_move(text, record.position)
    except InputError as error:
        raise InputError.one(place, error.problems[0].message) from None
    cards = (drawn or "").split()
    taken = 0

    def chance(position: Position, _number: int) -> str:
        nonlocal taken
        card = cards[taken] if taken < len(cards) else ""
        if card not in position.deck:
            message = _("expected a card of the deck to be drawn, found {found}", found=shown(card))
            raise InputError.one(place, message)
        taken += 1
        return card

    played = record.played(move, chance)
    if taken < len(cards):
        raise InputError.one(place, _("expected {what}, found {found}", what=taken, found=len(cards)))
    return played
