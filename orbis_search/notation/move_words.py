"""The words of a move's text, and every way to read them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from ..base.errors import InputError, Problem
from ..base.language import N_, _
from ..base.quoting import fold, nearest, shown
from ..base.synonyms import canonical
from ..game.economy import PLACE, Exchange
from ..game.fitting import MoveDescription
from ..game.legality import merge_removals
from ..game.position import Position
from ..game.vocabulary import CELLS, COLOUR_LETTERS, EXCHANGE_RATE, NOBODY, Colour, God, Worshipers
from .common import parse_worshipers

_MAX_READINGS = 200

_CLAUSES = {
    "swap": ("swap", "swaps", "swapped", "exchange", "exchanges", "exchanged", "trade", "trades"),
    "pay": ("pay", "pays", "paid", "paying", "cost", "costs"),
    "gain": ("gain", "gains", "gained", "get", "gets"),
    "give": ("give", "gives", "given", "gave", "sacrifice"),
    "discard": ("discard", "discards", "discarded", "drop", "drops", "return", "returns", "back"),
    "realm": ("keep", "keeps", "kept", "left", "leave", "leaves", "leaving", "realm"),
    "remove": ("remove", "removes", "removed", "removing"),
}
_CLAUSE_OF = {word: clause for clause, words in _CLAUSES.items() for word in words}
_FLAGS: dict[str, tuple[str, bool]] = {
    **dict.fromkeys(("wild", "wilderness", "w", "facedown", "face-down"), ("wild", True)),
    **dict.fromkeys(("faceup", "face-up", "up"), ("wild", False)),
    **dict.fromkeys(("valid", "validated", "validate", "validates", "v"), ("validated", True)),
    **dict.fromkeys(("cancelled", "canceled", "cancel", "cancels", "invalid"), ("validated", False)),
}
_SIDES = {"l": "L", "left": "L", "r": "R", "right": "R"}
_FILLERS = frozenset(
    [
        "take",
        "takes",
        "play",
        "plays",
        "place",
        "places",
        "put",
        "puts",
        "at",
        "on",
        "in",
        "to",
        "as",
        "the",
        "and",
        "then",
        "with",
        "cell",
        "slot",
        "end",
        "tile",
        "region",
    ]
)
_NOTHING = frozenset(("-", "none", "nothing", "free", "0"))
COLOURS = {colour.word: colour for colour in Colour}
_SLOT = re.compile(r"(?:row)?([0-9])[./:-]?(?:([0-9])|([lr]|left|right))|r([0-9])c([0-9])")
_ROW = re.compile(r"row([0-9])")
_REMOVAL = re.compile(r"([abc][123])[:=]?(.+)")
_EXAMPLE = "r2gb"
GODS = {god.word: god for god in God}
_ONE_WORSHIPER = frozenset((*COLOUR_LETTERS, *COLOURS))


def _worshipers(word: str) -> Worshipers | None:
    """How many of each colour a word says; None if it says nothing of the kind."""
    if word in _NOTHING:
        return NOBODY
    try:
        return parse_worshipers(word)
    except InputError:
        return None


@dataclass(frozen=True, slots=True)
class MoveReading(MoveDescription):
    """One reading of a text: what it says, and what is wrong with that."""

    problems: tuple[Problem, ...] = ()

    def with_problem(self, message: str) -> MoveReading:
        return replace(self, problems=(*self.problems, Problem(PLACE, message)))

    def saying(self, **parts: Any) -> MoveReading:
        """This and that together; saying two different things about one part is a problem."""
        said = self
        for name, value in parts.items():
            before = getattr(said, name)
            if before is not None and name in ("pay", "gain", "give", "discard", "removed_colours"):
                value = before.plus(value)
            elif before is not None and name == "swap":
                value = before + value
            elif before is not None and name == "removed":
                value = merge_removals(before + value)
            elif before is not None and before != value:
                message = _(_TWICE[name], found=_shown(name, before), other=_shown(name, value))
                said = said.with_problem(message)
                continue
            said = replace(said, **{name: value})
        return said


# What may be said once, and was said twice.
_TWICE = {
    "cell": N_("expected one cell, found {found} and {other}"),
    "god": N_("expected one god, found {found} and {other}"),
    "row": N_("expected one row, found {found} and {other}"),
    "column": N_("expected one column, found {found} and {other}"),
    "side": N_("expected one end of row 1, found {found} and {other}"),
    "wild": N_("expected one side up, found {found} and {other}"),
    "validated": N_("expected one verdict, found {found} and {other}"),
    "realm": N_("expected one realm left over, found {found} and {other}"),
    "gain_open": N_("expected one number gained in any colour, found {found} and {other}"),
}


def _shown(name: str, value: Any) -> str:
    if name == "cell":
        return CELLS[value]
    if isinstance(value, God):
        return value.word
    if name == "validated":
        return "valid" if value else "cancelled"
    if name == "wild":
        return "wild" if value else "face up"
    return str(value)


def _words(text: str) -> list[str]:
    text = re.sub(r"\s*(?:->|=>|\N{RIGHTWARDS ARROW}|>)\s*", ">", text.strip().rstrip(".!"))
    text = re.sub(r"\s*:\s*", ":", text)
    text = re.sub(r"(?i)\b(gives?|gave|given) back\b", r"\1", text)
    text = re.sub(rf"(?i)\b({'|'.join(_CLAUSE_OF)})[:=]", r"\1 ", text)
    words: list[str] = []
    removing = False
    for word in re.sub(r"[,;+&()\[\]]", " ", text).split():
        # A colon means something in `2:3` and, after remove, in `a3:rb`; elsewhere it is a blank.
        removing = _CLAUSE_OF.get(word.lower(), "remove" if removing else "") == "remove"
        if _SLOT.fullmatch(word.lower()) or (removing and re.match(r"[A-Za-z][0-9]:", word)):
            words.append(word)
        else:
            words += word.replace(":", " ").split()
    return words


def _plain(word: str) -> str:
    """A word in lower case; colours, gods and words of moves in other languages are translated into English."""
    plain = canonical(word)
    if len(plain) > 2 and plain.isalpha() and plain not in COLOURS:
        from ..tileset.syntax import COLOUR_OF

        colour = COLOUR_OF.get(fold(plain))
        return plain if colour is None else colour.word
    return plain


class MoveReader:
    """Finds every way to read a text's words; most texts have one."""

    def __init__(self, position: Position, text: str) -> None:
        self.position = position
        self.words = _words(text)
        self.lower = [_plain(word) for word in self.words]
        self.cell_of: dict[str, int] = {}  # tile id to cell; ids in other case where that is no clash
        ids = [(index, cell.tile.id) for index, cell in enumerate(position.centre) if cell.tile is not None]
        for index, name in ids:
            if [other.lower() for _, other in ids].count(name.lower()) == 1:
                self.cell_of[name.lower()] = index
        for index, name in ids:
            if [other for _, other in ids].count(name) == 1:  # tiles described alike go by their cells
                self.cell_of[name] = index

    def readings(self) -> list[MoveReading]:
        """The readings with the fewest problems, preferring those that name a tile or god."""
        start = 0
        said = MoveReading()
        if len(self.words) > 1 and self.lower[0] in CELLS:
            # A tile set may call a tile anything, even `b3` or `1`: after its cell it is the tile.
            cell = CELLS.index(self.lower[0])
            if self._tile_cell(self.words[1]) == cell:
                start, said = 2, MoveReading(cell=cell)
        found = list(islice(self._read(start, said), _MAX_READINGS + 1))
        if len(found) > _MAX_READINGS:
            raise InputError.one(PLACE, _("expected text with one meaning, found too many ways to read it"))

        def rank(said: MoveReading) -> tuple[int, bool]:
            return len(said.problems), said.cell is None and said.god is None

        best = min(map(rank, found))
        return list(dict.fromkeys(said for said in found if rank(said) == best))

    def _read(self, at: int, said: MoveReading) -> Iterator[MoveReading]:
        if at == len(self.words):
            yield said
            return
        known = False
        for after, next_said in self._meanings(at, said):
            known = True
            yield from self._read(after, next_said)
        if not known:
            yield from self._read(at + 1, said.with_problem(self._unknown(at)))

    def _meanings(self, at: int, said: MoveReading) -> Iterator[tuple[int, MoveReading]]:
        word = self.lower[at]
        following = self.lower[at + 1] if at + 1 < len(self.lower) else ""
        if word == "god":
            if following in GODS:
                yield at + 2, said.saying(god=GODS[following])
            else:
                yield (
                    at + 2 if following else at + 1,
                    said.with_problem(
                        _("expected a god's name after god, found {found}", found=shown(following or None))
                        + nearest(following, GODS)
                    ),
                )
            return
        if word in GODS:
            yield at + 1, said.saying(god=GODS[word])
        if word in CELLS:
            yield at + 1, said.saying(cell=CELLS.index(word))
        tile_cell = self._tile_cell(self.words[at])
        if tile_cell is not None and said.cell is not None and tile_cell != said.cell:
            here = self.position.centre[said.cell].tile
            yield (
                at + 1,
                said.with_problem(
                    _(
                        "expected the tile on {cell} ({tile}), found {found}, which lies on {other}",
                        cell=CELLS[said.cell],
                        tile=here.id if here else _("none"),
                        found=self.words[at],
                        other=CELLS[tile_cell],
                    )
                ),
            )
        elif tile_cell is not None:
            yield at + 1, said.saying(cell=tile_cell)
        if word in _FLAGS:
            name, value = _FLAGS[word]
            yield at + 1, said.saying(**{name: value})
        elif word in _FILLERS or (word == "face" and following in ("up", "down")):
            if word == "face":
                yield at + 2, said.saying(wild=following == "down")
            else:
                yield at + 1, said
        yield from self._slots(at, said)
        if word in _CLAUSE_OF:
            yield from self._clause(at, _CLAUSE_OF[word], said)

    def _tile_cell(self, word: str) -> int | None:
        return self.cell_of.get(word, self.cell_of.get(word.lower()))

    def _slots(self, at: int, said: MoveReading) -> Iterator[tuple[int, MoveReading]]:
        word = self.lower[at]
        if word in _SIDES:
            yield at + 1, said.saying(row=1, side=_SIDES[word])
            return
        match = _SLOT.fullmatch(word)
        if match:
            row, column, side, other_row, other_column = match.groups()
            if side:
                yield at + 1, self._in_row(said, int(row), side)
            else:
                yield at + 1, said.saying(row=int(row or other_row), column=int(column or other_column))
            return
        if word == "row" and at + 1 < len(self.lower):
            at += 1
            word = f"row{self.lower[at]}"
            match = _SLOT.fullmatch(word)
            if match and match[1] and match[2]:
                yield at + 1, said.saying(row=int(match[1]), column=int(match[2]))
                return
        match = _ROW.fullmatch(word) or re.fullmatch(r"([0-9])", word)
        if not match:
            return
        row_number = int(match[1])
        at += 1
        behind = at
        while behind < len(self.lower) and self.lower[behind] in ("col", "column", "slot", "place"):
            behind += 1
        following = self.lower[behind] if behind < len(self.lower) else ""
        if re.fullmatch(r"[0-9]", following):
            yield behind + 1, said.saying(row=row_number, column=int(following))
        else:
            if following in _SIDES:
                yield behind + 1, self._in_row(said, row_number, following)
            yield at, said.saying(row=row_number)

    def _in_row(self, said: MoveReading, row: int, side: str) -> MoveReading:
        if row != 1:
            return said.with_problem(
                _(
                    "expected a column in row {row}, because left and right are the ends of row 1; found {found}",
                    row=row,
                    found=side,
                )
            )
        return said.saying(row=1, side=_SIDES[side])

    def _clause(self, at: int, clause: str, said: MoveReading) -> Iterator[tuple[int, MoveReading]]:
        if clause == "swap":
            yield self._swap(at, said)
            return
        if clause == "remove":
            yield from self._remove(at, said)
            return
        ends = list(self._values(at + 1))
        for end, value in ends:
            yield end, said.saying(**{clause: value})
        if clause == "gain":
            opened = [(end, said.saying(gain=value)) for end, value in ends] or [(at + 1, said)]
            for end, partly in opened:
                if found := self._any_colour(end):
                    ends.append((found[0], NOBODY))
                    yield found[0], partly.saying(gain_open=found[1])
        if not ends and self.lower[at] != "left":  # `left` alone is an end of row 1
            yield at + 1, said.with_problem(self._no_worshipers(at))

    def _any_colour(self, at: int) -> tuple[int, int] | None:
        """`any`, `2 any` or `2 of any colour`: where it ends, and how many; 0 if it does not say."""
        number = 0
        if re.fullmatch(r"[0-9]{1,3}", self._word(at)):
            number, at = int(self.lower[at]), at + 1
        if self._word(at) == "of":
            at += 1
        if self._word(at) not in ("any", "a"):
            return None
        at += 1
        while self._word(at) in ("colour", "colours", "color", "colors"):
            at += 1
        return at, number

    def _word(self, at: int) -> str:
        return self.lower[at] if at < len(self.lower) else ""

    def _no_worshipers(self, at: int) -> str:
        found = shown(self.words[at + 1] if at + 1 < len(self.words) else None)
        return _(
            "expected worshipers such as {example} after {word}, found {found}",
            example=_EXAMPLE,
            word=self.words[at],
            found=found,
        )

    def _values(self, at: int) -> Iterator[tuple[int, Worshipers]]:
        """Worshipers from here on, with every end at which the next word may mean something else."""
        total = NOBODY
        first = at
        while at < len(self.lower):
            value, used = self._amount(at)
            if value is None or (at > first and used == 1 and self.lower[at] == "0"):
                break
            if at > first and self._has_other_meaning(at):
                yield at, total
            total = total.plus(value)
            at += used
        if at > first:
            yield at, total

    def _amount(self, at: int) -> tuple[Worshipers | None, int]:
        """The worshipers in a word, or in a number and a colour; and how many words that took."""
        if re.fullmatch(r"[0-9]{1,3}", self._word(at)) and self._word(at + 1) in _ONE_WORSHIPER:
            return _worshipers(self.lower[at] + self.lower[at + 1]), 2
        return _worshipers(self._word(at)) if at < len(self.lower) else None, 1

    def _has_other_meaning(self, at: int) -> bool:
        return any(True for _ in self._meanings(at, MoveReading()))

    def _swap(self, at: int, said: MoveReading) -> tuple[int, MoveReading]:
        verb = at
        at += 1
        pairs: list[Exchange] = []
        problems: list[str] = []
        while at < len(self.lower):
            word = self.lower[at]
            if word in _NOTHING and at == verb + 1:
                return at + 1, said.saying(swap=())
            used = 1
            following = self.lower[at + 1 : at + 3]
            if ">" not in word and len(following) == 2 and following[0] in ("for", "to", "into"):
                word = f"{word}>{following[1]}"
                used = 3
            if ">" not in word:
                break
            made, problem = _read_exchange(word)
            pairs += made
            if problem:
                problems.append(problem)
            at += used
        if at == verb + 1:
            found = shown(self.words[at] if at < len(self.words) else None)
            problems.append(
                _("expected an exchange such as r3>b after {word}, found {found}", word=self.words[verb], found=found)
            )
        said = said.saying(swap=tuple(pairs))
        for problem in problems:
            said = said.with_problem(problem)
        return min(at, len(self.words)), said

    def _remove(self, at: int, said: MoveReading) -> Iterator[tuple[int, MoveReading]]:
        verb = at
        at += 1
        taken: list[tuple[int, Worshipers]] = []
        while at < len(self.lower):
            match = _REMOVAL.fullmatch(self.lower[at])
            value = _worshipers(match[2]) if match else None
            if match and value is not None:
                taken.append((CELLS.index(match[1]), value))
                at += 1
                continue
            value, used = self._amount(at + 1)
            if self.lower[at] in CELLS and value is not None:
                taken.append((CELLS.index(self.lower[at]), value))
                at += 1 + used
                continue
            if ":" in self.lower[at]:
                message = _(
                    "expected a cell and worshipers such as a1:r2 after {word}, found {found}",
                    word=self.words[verb],
                    found=shown(self.words[at]),
                )
                said = said.with_problem(message)
                taken.append((0, NOBODY))
                at += 1
                continue
            break
        if taken:
            removed = ((cell, colour, value[colour]) for cell, value in taken for colour in Colour)
            yield at, said.saying(removed=merge_removals(removed))
            return
        ends = list(self._values(verb + 1))
        for end, value in ends:
            yield end, said.saying(removed_colours=value)
        if not ends:
            found = shown(self.words[at] if at < len(self.words) else None)
            yield (
                verb + 1,
                said.with_problem(
                    _(
                        "expected a cell and worshipers such as a1:r2 after {word}, found {found}",
                        word=self.words[verb],
                        found=found,
                    )
                ),
            )

    def _unknown(self, at: int) -> str:
        word = self.words[at]
        lower = self.lower[at]
        for tile in self.position.tiles.tiles:
            if tile.id.lower() == lower:
                return _("expected a tile that lies in the centre, found {found}, which does not", found=tile.called)
        if re.fullmatch(r"[a-z][0-9]", lower) and lower[0] not in COLOUR_LETTERS:
            return _("expected a cell from a1 to c3, found {found}", found=shown(word))
        if _worshipers(lower) is not None:
            if re.fullmatch("[a-z][0-9]", lower):
                return _(
                    "expected a cell from a1 to c3, or pay, gain, give, discard, keep, left or remove "
                    "before worshipers, found {found}",
                    found=shown(word),
                )
            return _(
                "expected pay, gain, give, discard, keep, left or remove before worshipers, found {found}",
                found=shown(word),
            )
        if ">" in word:
            return _("expected swap before an exchange, found {found}", found=shown(word))
        known = (*_CLAUSE_OF, *_FLAGS, *GODS, *self.cell_of, *CELLS)
        hint = nearest(lower, known)
        return _("expected a cell, tile, god, slot or word of a move, found {found}", found=shown(word)) + hint


def _read_exchange(word: str) -> tuple[list[Exchange], str | None]:
    """`rrr>b`, `r6>gb`, or `r>b` for short."""
    left, _arrow, right = word.partition(">")
    given, taken = _worshipers(left), _worshipers(right)
    if not given or not taken or not given.total or not taken.total:
        return [], _("expected an exchange such as r3>b, found {found}", found=shown(word))
    colours = [colour for colour in Colour if given[colour]]
    if len(colours) > 1:
        return [], _(
            "expected worshipers of one colour to be exchanged, found {found} in {word}", found=given, word=shown(word)
        )
    giver = colours[0]
    if taken[giver]:
        return [], _("expected an exchange for another colour, found {found}", found=shown(word))
    asked = EXCHANGE_RATE * taken.total
    if given.total != asked and left not in (giver.letter, giver.word):
        return [], _(
            "expected {number} {colour} to be exchanged for {taken}, found {found}",
            number=asked,
            colour=giver.label,
            taken=taken,
            found=given.total,
        )
    return [(int(giver), int(colour)) for colour in Colour for _ in range(taken[colour])], None
