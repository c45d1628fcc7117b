"""The start of a game entered with a few keys: who plays, the nine tiles, the gods.

As in `move_dialog`, digits are enough except for names; tiles are also ids or a few words of what is printed on them,
several on a line separated by commas, or ids by spaces.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import InputError
from ..base.language import _
from ..game.position import Cell, Player, Position
from ..game.problems import cell_place, default_piles, problems
from ..game.tiles import Tile, TileSet
from ..game.vocabulary import CELLS, LEVELS, SET_UP, God
from ..tileset.resolving import resolve_tile
from .names import god_of, names_of
from .questions import Option, Question
from .tile_dialog import TileChoice


class SetUpEntry:
    """What lies on the table before the first turn. `position` has it when there is nothing more to ask."""

    def __init__(self, tiles: TileSet, names: Sequence[str] = ()) -> None:
        self._tiles = tiles
        self.names = tuple(names)
        self.cells: tuple[Tile, ...] = ()
        self._gods: tuple[God, ...] = ()
        self.position: Position | None = None
        self.notes: tuple[str, ...] = ()
        self._history: list[tuple[tuple[str, ...], tuple[Tile, ...]]] = []
        self._choice: TileChoice | None = None
        self.question: Question | None = None
        self._ask()

    def _ask(self) -> None:
        self._choice = None
        if not self.names:
            self.question = Question("players", _("Players in turn order (names, or how many)") + " [2]: ")
        elif len(self.cells) < len(CELLS):
            in_use = self._tiles.in_use(len(self.names))
            first = [tile for tile in in_use if tile.level == LEVELS[0] and tile not in self.cells]
            text = _("The tile on {cell}", cell=CELLS[len(self.cells)])
            self._choice = TileChoice(text, first, self._tiles, self._lacking)
            self.question = self._choice.question
        elif not self._gods:
            options = tuple(Option(str(god.value), god.label, god, (god.word,)) for god in God)
            number = SET_UP[len(self.names)].gods
            lines = tuple(f"{option.key}  {option.label}" for option in options)
            text = _("Gods face up")
            self.question = Question("gods", f"{text} ({number}): ", options, above=lines, digits=number)
        else:
            self.question = None

    def _lacking(self, text: str) -> Tile:
        """A tile of the box that the set lacks, or why it can be none of those that may lie here."""
        tile = resolve_tile(text, self._tiles, len(self.names))
        if tile in self.cells:
            place = CELLS[self.cells.index(tile)]
            message = _(
                "expected each tile once, found {found}, already seen at {place}", found=tile.called, place=place
            )
            raise InputError.one("", message)
        if tile.level != LEVELS[0]:
            message = _(
                "expected a level {level} tile, found {tile} of level {other}",
                level=LEVELS[0],
                tile=tile.called,
                other=tile.level,
            )
            raise InputError.one("", message)
        return tile

    def back(self) -> bool:
        """Takes back the last answer; False if there is none."""
        if self._choice is not None and self._choice.back():
            self.question = self._choice.question
            return True
        if not self._history:
            return False
        self.names, self.cells = self._history.pop()
        self._gods, self.position = (), None
        self._ask()
        return True

    def answer(self, text: str) -> None:
        """Takes an answer. InputError if something is wrong with it, and nothing changes."""
        assert self.question is not None
        text = " ".join(text.split())
        if self._choice is not None:
            self._take_tiles(text)
            return
        before = self.names, self.cells
        if self.question.kind == "players":
            names = tuple(names_of(text))
            wrong = [
                each
                for each in problems(self._table(names, (Cell(None),) * len(CELLS), ()))
                if each.place.endswith("name")
            ]
            if wrong:
                raise InputError(wrong)
            self.names = names
        else:
            self._take_gods(text)
        self._history.append(before)
        self._ask()

    def _table(self, names: Sequence[str], centre: tuple[Cell, ...], gods: Sequence[God]) -> Position:
        players = tuple(map(Player, names))
        return Position(self._tiles, players, centre, tuple(sorted(gods)), default_piles(self._tiles, players, centre))

    def _take_tiles(self, text: str) -> None:
        """One tile, or as many as are still needed."""
        words = text.split()
        known = all(self._tiles.named(word) is not None for word in words)
        parts = text.split(",") if "," in text else words if len(words) > 1 and known else [text]
        cells, history = self.cells, list(self._history)
        try:
            for part in parts:
                if self._choice is None:
                    raise InputError.one(
                        "", _("expected {count} cells, found {found}", count=len(CELLS) - len(cells), found=len(parts))
                    )
                self._choice.answer(part.strip())
                self.question = self._choice.question
                if self._choice.tile is not None:
                    self._history.append((self.names, self.cells))
                    self.cells = (*self.cells, self._choice.tile)
                    self._expect_fine(len(self.cells) - 1)
                    self._ask()
        except InputError:
            self.cells, self._history = cells, history
            self._ask()
            raise

    def _expect_fine(self, index: int) -> None:
        """InputError if a tile of the set cannot lie here, for example with this number of players."""
        centre = tuple(map(Cell, self.cells)) + (Cell(None),) * (len(CELLS) - len(self.cells))
        found = [each for each in problems(self._table(self.names, centre, ())) if each.place == cell_place(index)]
        if found:
            raise InputError(found)

    def _take_gods(self, text: str) -> None:
        digits = text.replace(" ", "")
        if digits.isdecimal():
            gods = [God(int(digit)) for digit in digits]
        else:
            gods = [
                god_of(word, "gods") for word in text.replace(",", " ").split() if word.lower() not in ("and", "god")
            ]
        position = self._table(self.names, tuple(map(Cell, self.cells)), gods)
        if found := problems(position):
            raise InputError(found)
        self._gods, self.position = position.gods, position
