"""Asks for a tile: one of several, or the one drawn after a move."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..base.errors import InputError
from ..base.language import _, ngettext
from ..base.quoting import shown
from ..drawing.labels import tile_label
from ..game.position import Move
from ..game.tiles import Tile, TileSet
from ..game.vocabulary import CELLS, Colour
from ..record.game import UNKNOWN, Stage
from ..tileset.descriptions import tell, tell_apart
from ..tileset.matching import best_matching
from ..tileset.resolving import but_for_one
from .questions import (
    MOST_LISTED,
    OTHER,
    Option,
    Question,
    answer_in_turn,
    expect_option,
    find_option,
    option_lines,
    question_among,
    too_much,
)


class TileChoice:
    """One of several tiles, asked for like a move.

    `question` is None once the tile is known; then `tile` has it. With many tiles the colour is asked first; words that
    fit several lead to a choice among these. `lacking` makes a tile from a text that fits none, or says what is wrong
    with it.
    """

    _others: tuple[Option, ...] = ()  # what else may be chosen

    def __init__(
        self, text: str, tiles: Sequence[Tile], tile_set: TileSet, lacking: Callable[[str], Tile | None]
    ) -> None:
        self.tile: Tile | None = None
        self.question: Question | None = None
        self.notes: tuple[str, ...] = ()
        self._text, self._tiles, self._set, self._lacking = text, tuple(tiles), tile_set, lacking
        self._left = self._tiles  # those that fit the answers so far
        self._history: list[tuple[Tile, ...]] = []
        self._ask()

    def _ask(self) -> None:
        if len(self._left) <= MOST_LISTED:
            tiles = (*tile_options(self._left), *self._others)
            self.question = Question("tile", f"{self._text}: ", tiles, above=option_lines(tiles))
            return
        colours = [colour for colour in Colour if any(tile.colour is colour for tile in self._left)]
        options = [Option(str(colour + 1), colour.label, colour, (colour.letter,)) for colour in colours]
        question = question_among("colour", self._text, (*options, *self._others))
        self.question = question._replace(more=tile_options(self._left))

    def back(self) -> bool:
        """Takes back the last answer; False if there is none."""
        if not self._history:
            return False
        self._left = self._history.pop()
        self._ask()
        return True

    def answer(self, text: str) -> None:
        """InputError if it is none of the tiles, and nothing changes."""
        before = self._left, len(self._history)
        try:
            answer_in_turn(self, text.split(), questions_differ=False)
        except InputError:
            self._left = before[0]
            del self._history[before[1] :]
            self._ask()
            raise

    def answer_one(self, text: str) -> None:
        """Takes one answer, for one question."""
        question = self.question
        if question is None:
            raise too_much(text)
        option = expect_option(text, question) if text.isdecimal() else find_option(text, question)
        if option is not None and question.kind == "colour":
            fitting = [tile for tile in self._left if tile.colour is option.value]
        else:
            fitting = [option.value] if option is not None else fitting_tiles(text, self._tiles, self._set)
        if not fitting and (tile := self._lacking(text)) is not None:
            fitting = [tile]
        if len(fitting) == 1:
            self.tile, self.question = fitting[0], None
        else:
            self._history.append(self._left)
            self._left = tuple(fitting)
            self._ask()


def not_among(tiles: Sequence[Tile]) -> Callable[[str], Tile | None]:
    """`lacking` for a choice that allows no other tile."""

    def refuse(text: str) -> Tile | None:
        message = _("expected one of {choice}, found {found}", choice=tell_apart(tiles), found=shown(text))
        raise InputError.one("", message + but_for_one(text, tiles))

    return refuse


class DrawEntry(TileChoice):
    """The tile drawn after a move. There is nothing to ask if a god was taken, or only one tile is possible. 0 and
    `?` mean that nobody has seen it yet: then `tile` stays None."""

    def __init__(self, stage: Stage, move: Move) -> None:
        possible = stage.draws(move)
        text = _("Tile drawn for {cell}", cell=CELLS[move.cell or 0])
        self._others = (Option(OTHER, _("not seen"), None, (UNKNOWN,)),)
        # Described in full, it may be a tile of the box that the set lacks.
        super().__init__(text, possible, stage.position.tiles, lambda text: stage.drawn(move, text))
        if move.cell is None or len(possible) == 1:
            self.question, self.tile = None, next(iter(possible), None)

    def answer_one(self, text: str) -> None:
        if self.question is not None and text in (OTHER, UNKNOWN):
            self.question = None
        else:
            super().answer_one(text)


def tile_options(tiles: Sequence[Tile]) -> tuple[Option, ...]:
    """Tiles to choose from, by number; by colour, as people sort them at a glance."""
    ordered = sorted(tiles, key=lambda tile: (tile.colour, tile.id))
    return tuple(
        Option(str(at), f"{tile_label(tile)}  {tell(tile)}", tile, (tile.id,)) for at, tile in enumerate(ordered, 1)
    )


def fitting_tiles(text: str, tiles: Sequence[Tile], tile_set: TileSet) -> list[Tile]:
    """Tiles that fit an id, its beginning, or a few words of what is printed on them; none for the id of another tile
    of the set, though its letters may be words that fit."""
    if (named := tile_set.named(text)) is not None and named not in tiles:
        return []
    starting = [tile for tile in tiles if len(text) > 1 and tile.id.lower().startswith(text.lower())]
    return starting or (best_matching(text, tiles) if text else [])


def several_tiles(text: str, tiles: Sequence[Tile]) -> str:
    return ngettext(
        "expected one tile, found {found}, which fits {n}: {tiles}",
        "expected one tile, found {found}, which fits {n}: {tiles}",
        len(tiles),
        found=shown(text),
        tiles=tell_apart(tiles, MOST_LISTED),
    )
