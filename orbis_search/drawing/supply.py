"""What the panels of a picture share, and those of the supply: gods, temple tokens, piles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..game.position import Move, Pile, Position
from ..game.vocabulary import SET_UP, Colour, God
from .fontwidths import text_width
from .glyphs import BETTER, GREY, INK, LINE, MARK, PANEL, TRAY, WILD, WILD_EDGE, Gap, Token, Word, fitted, row, wrapped
from .legend import tile_legend
from .picture_words import Words
from .scene import Group, Point, Polygon, Rect, Shape, Text, hexagon, rectangle
from .tile_art import LEVEL, TileArt

GAP, PAD = 16.0, 12.0
GOD_HEIGHT, NARROW_GOD_HEIGHT = 42.0, 66.0


class Sheet(NamedTuple):
    """How wide a picture is, and its columns."""

    width: float
    margin: float
    columns: int
    legend: bool = True  # how to read a tile
    laid: bool = True  # a cell without a tile waits for one from the pile; if not, for somebody who lays it

    @property
    def column(self) -> float:
        return (self.width - 2 * self.margin - GAP * (self.columns - 1)) / self.columns


class Supply:
    def __init__(self, position: Position, move: Move | None, better: Move | None, words: Words, sheet: Sheet) -> None:
        self.position = position
        self.move = move
        self.better = better  # a second move to mark, with dashes
        self.words = words
        self.say = words.say
        self.art = TileArt(words)
        self.sheet = sheet
        self.column = sheet.column
        self.inner = sheet.column - 2 * PAD
        self.narrow = sheet.columns == 1
        self.groups: list[Group] = []
        self.panels: list[Shape] = []

    def name(self, index: int) -> str:
        return self.position.players[index].name or self.say("player", number=index + 1)

    def add(
        self, name: str, title: str, outline: tuple[Point, ...], shapes: Sequence[Shape], marked: bool = False
    ) -> None:
        self.groups.append(Group(name, title, outline, tuple(shapes), marked))

    def panel(self, x: float, y: float, h: float, mark: bool = False) -> None:
        self.panels.append(Rect(x, y, self.column, h, 10, PANEL, INK if mark else LINE, 2.0 if mark else 1.2))

    def heading(self, text: str, x: float, y: float, room: float) -> Text:
        text, size = fitted(text, room, 16, True)
        return Text(x, y + 16, text, size, INK, True)

    def gods_height(self) -> float:
        gods = SET_UP[len(self.position.players)].gods
        return PAD + 26 + gods * (NARROW_GOD_HEIGHT if self.narrow else GOD_HEIGHT) + 36

    def gods(self, x: float, y: float, height: float) -> None:
        self.panel(x, y, height)
        inner, left = self.inner, x + PAD
        shapes: list[Shape] = [self.heading(self.say("gods"), left, y + PAD - 2, inner / 2)]
        if not self.position.options.most_at_zero:
            text, size = fitted(self.say("most"), inner / 2, 12)
            shapes.append(Text(left + inner, y + PAD + 13, text, size, GREY, anchor="end"))
        owners = {player.god: index for index, player in enumerate(self.position.players) if player.god is not None}
        listed = [*self.position.gods, *(god for god in owners if god not in self.position.gods)]
        top = y + PAD + 24
        most = NARROW_GOD_HEIGHT if self.narrow or not self.sheet.legend else 1.25 * GOD_HEIGHT
        step = min(most, (height - PAD - 62) / max(len(listed), 1))
        for god in listed:
            self.god(god, owners.get(god), left, top, inner, step - 5)
            top += step
        bottom = y + height - 20
        text, size = fitted(self.say("temple tokens"), 0.5 * inner, 13, True)
        shapes.append(Text(left, bottom + 5, text, size, INK, True))
        at = left + text_width(text, size, True) + 24
        for token in SET_UP[len(self.position.players)].temple_tokens:
            shapes.append(Polygon(hexagon(at, bottom, 15), "#EFE7FA", "#6B4FA0", 1.5))
            shapes.append(Text(at, bottom + 4.6, str(token), 12.5, INK, True, "middle"))
            at += 38
        self.add("gods", "", rectangle(x, y, self.column, height), shapes)

    def god(self, god: God, owner: int | None, x: float, y: float, w: float, h: float) -> None:
        chosen = self.move is not None and self.move.god is god
        taken = owner is not None
        fill, edge = (TRAY, LINE) if taken else ("#FFFDF6", "#B99A3C")
        shapes: list[Shape] = [Rect(x, y, w, h, 8, fill, MARK if chosen else edge, 4 if chosen else 1.2)]
        if self.better is not None and self.better.god is god:
            shapes.append(Polygon(rectangle(x, y, w, h), stroke=BETTER, width=4, dash=12))
        ink = GREY if taken else INK
        by = "" if owner is None else self.say("taken by", name=self.name(owner))
        name = self.say(f"god {god.word}")
        shapes += (
            self.god_below(god, name, by, ink, x, y, w)
            if self.narrow
            else self.god_beside(god, name, by, ink, x, y, w, h)
        )
        self.add(f"god-{god.word}", f"{god.label}: {self.words.god(god)}", rectangle(x, y, w, h), shapes, chosen)

    def god_beside(self, god: God, name: str, by: str, ink: str, x: float, y: float, w: float, h: float) -> list[Shape]:
        """Name, and owner below it, on the left; on the right what the god brings."""
        column = 0.27 * w
        larger = 1.0 if self.sheet.legend or h < GOD_HEIGHT else 1.15
        text, size = fitted(name, column - 18, 15 * larger, True)
        shapes: list[Shape] = []
        if by:
            shapes.append(Text(x + 10, y + h / 2 - 2, text, size, ink, True))
            shapes.append(Text(x + 10, y + h / 2 + 12, *fitted(by, column - 18, 10.5 * larger), ink))
        else:
            shapes.append(Text(x + 10, y + h / 2 + 0.365 * size, text, size, ink, True))
        lines, size = wrapped(self.words.god(god), w - column - 10, 12.5 * larger, 2)
        first = y + h / 2 + 0.365 * size - (len(lines) - 1) * 0.6 * size
        return shapes + [Text(x + column, first + at * 1.2 * size, line, size, ink) for at, line in enumerate(lines)]

    def god_below(self, god: God, name: str, by: str, ink: str, x: float, y: float, w: float) -> list[Shape]:
        """Name and owner in one line, and below it what the god brings."""
        text, size = fitted(name, w / 2 - 10, 15, True)
        shapes: list[Shape] = [Text(x + 10, y + 19, text, size, ink, True)]
        if by:
            shapes.append(Text(x + w - 10, y + 19, *fitted(by, w / 2 - 20, 12), ink, anchor="end"))
        lines, size = wrapped(self.words.god(god), w - 20, 13, 2)
        return shapes + [Text(x + 10, y + 37 + at * 1.25 * size, line, size, ink) for at, line in enumerate(lines)]

    def piles_height(self) -> float:
        return PAD + 24 + 3 * 29 + (8 + 160 if self.sheet.legend else 0) + PAD

    def piles(self, x: float, y: float, height: float) -> None:
        self.panel(x, y, height)
        inner, left = self.inner, x + PAD
        total = sum(pile.left for pile in self.position.piles)
        shapes: list[Shape] = [self.heading(self.say("piles"), left, y + PAD - 2, inner / 2)]
        text, size = fitted(self.say("left", left=total), inner / 2, 13)
        shapes.append(Text(left + inner, y + PAD + 13, text, size, GREY, anchor="end"))
        top = y + PAD + 24
        for level, pile in zip(LEVEL, self.position.piles):
            shapes += self.pile(level, pile, left, top + 15, inner)
            top += 29
        self.add("piles", "", rectangle(x, y, self.column, top - y), shapes)
        if self.sheet.legend:
            room = y + height - PAD - top - 8
            legend = tile_legend(self.art, left, top + 8, inner, room)
            self.add("legend", self.say("legend"), rectangle(left, top + 8, inner, room), legend)

    def pile(self, level: int, pile: Pile, x: float, y: float, w: float) -> list[Shape]:
        """How many of each colour, never in which order."""
        shapes: list[Shape] = []
        for back in range(min(pile.left, 3) or 1):
            fill, dash = (WILD, 0.0) if pile.left else ("", 3.0)
            shapes.append(Polygon(hexagon(x + 14 + 3 * back, y - 1.5 * back, 12), fill, WILD_EDGE, 1.2, dash))
        at = x + 14 + 3 * (max(min(pile.left, 3), 1) - 1)
        shapes.append(Text(at, y + 3.6 - 1.5 * (max(min(pile.left, 3), 1) - 1), LEVEL[level], 10, INK, True, "middle"))
        if not pile.left:
            text, size = fitted(self.say("empty"), 90, 13)
            return [*shapes, Text(x + 44, y + 4.7, text, size, GREY)]
        known = pile.left == len(pile.tiles)
        text, size = fitted(self.say("left" if known else "left of", left=pile.left), 96, 13, True)
        shapes.append(Text(x + 44, y + 4.7, text, size, INK, True))
        tokens: list[Token] = []
        for colour in Colour:
            count = sum(tile.colour == colour for tile in pile.tiles)
            if count:
                tokens += [self.art.disc(colour, 8.5), Word(f"×{count}", 13), Gap(8)]
        beside = 0.4 * w if self.narrow else 150
        return [*shapes, *row(tokens, x + beside, y, w - beside)]
