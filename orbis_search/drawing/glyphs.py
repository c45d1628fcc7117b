"""What pictures are composed of: their colours, texts made to fit, discs, icons, and rows of such things.

Each glyph knows its width and draws itself from a point on, at any scale; a row puts them side by side and shrinks them
all when its space is too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..game.vocabulary import Colour, Effect
from .fontwidths import text_width
from .scene import Circle, Point, Polygon, Shape, Text


class Paint(NamedTuple):
    strong: str  # of worshipers
    ink: str  # legible on it and on the head
    head: str  # of a tile
    body: str
    edge: str


INK, GREY, FAINT = "#22262F", "#6A6558", "#B9B1A0"
PAPER, PANEL, LINE, TRAY = "#F3EFE6", "#FFFFFF", "#DCD5C6", "#F1ECE1"
# The move's own colour: no tile has it, and it always comes as a thick outline, never alone as a tint.
MARK, MARK_PALE = "#A3128F", "#F0C9EA"
BETTER = "#00626E"  # of a second move, which always comes with dashes
WILD, WILD_EDGE = "#CFC7B6", "#857C69"
ANY = Paint("#8A8577", "#FFFFFF", "#8A8577", "#F4F2ED", "#56524A")
# Brightness as well as hue tells the five apart, for colour-blind people.
PAINT = {
    Colour.RED: Paint("#B92B20", "#FFFFFF", "#B92B20", "#FBE3DE", "#7D1A12"),
    Colour.GREEN: Paint("#53B06E", "#10240F", "#53B06E", "#E1F3E5", "#256B3B"),
    Colour.BLUE: Paint("#1D559E", "#FFFFFF", "#1D559E", "#DEE9F7", "#123A70"),
    Colour.YELLOW: Paint("#F6C728", "#33280A", "#F6C728", "#FDF4D2", "#8F6F08"),
    Colour.WHITE: Paint("#FFFFFF", "#22262F", "#E9E5DB", "#FFFFFF", "#6F6A60"),
}


# ------------------------------------------------------------------------------------------ texts

SMALLEST = 8.0  # font size; a text that would have to be smaller is cut


def fitted(text: str, room: float, size: float, bold: bool = False, smallest: float = SMALLEST) -> tuple[str, float]:
    """The text and its size: smaller if it is too wide for its space, cut if that is not enough."""
    width = text_width(text, size, bold)
    if width <= room:
        return text, size
    size = max(size * room / width, min(smallest, size))
    if text_width(text, size, bold) <= room + 1e-6:
        return text, size
    while text and text_width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…", size


def wrapped(text: str, room: float, size: float, lines: int) -> tuple[list[str], float]:
    """The text in at most this many lines, and its size."""
    while True:
        found = [""]
        for word in text.split():
            longer = f"{found[-1]} {word}".strip()
            if found[-1] and text_width(longer, size) > room:
                found.append(word)
            else:
                found[-1] = longer
        if len(found) <= lines and all(text_width(line, size) <= room for line in found):
            return found, size
        if size <= SMALLEST:
            kept = [*found[: lines - 1], " ".join(found[lines - 1 :])]
            return [fitted(line, room, size)[0] for line in kept], size
        size = max(size - 0.5, SMALLEST)


# ---------------------------------------------------------------- what stands side by side in a row


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    size: float = 12.0
    bold: bool = False
    fill: str = INK
    struck: bool = False

    @property
    def width(self) -> float:
        return text_width(self.text, self.size, self.bold)

    def shapes(self, x: float, y: float, scale: float) -> list[Shape]:
        """From x on, with its capitals' middle at y."""
        size = self.size * scale
        drawn: list[Shape] = [Text(x, y + 0.365 * size, self.text, size, self.fill, self.bold)]
        if self.struck:
            line = ((x - 2, y), (x + self.width * scale + 2, y))
            drawn.append(Polygon(line, stroke=self.fill, width=1.6, closed=False))
        return drawn


@dataclass(frozen=True, slots=True)
class Disc:
    """A worshiper, or a symbol for one: a disc with its colour's letter."""

    letter: str
    paint: Paint
    radius: float = 7.0
    mark: str = ""  # seeded, removed

    @property
    def width(self) -> float:
        return 2 * self.radius + (self.radius * 1.3 if self.mark else 0)

    def shapes(self, x: float, y: float, scale: float) -> list[Shape]:
        r = self.radius * scale
        drawn: list[Shape] = []
        if self.mark:  # a plus or a minus before it
            arm, middle = 0.42 * r, x + 0.5 * r
            drawn.append(Polygon(((middle - arm, y), (middle + arm, y)), stroke=MARK, width=0.28 * r, closed=False))
            if self.mark == "seeded":
                drawn.append(Polygon(((middle, y - arm), (middle, y + arm)), stroke=MARK, width=0.28 * r, closed=False))
            x += 1.3 * r
        edge = (MARK, 2.4 * scale) if self.mark else (self.paint.edge, 1.1 * scale)
        drawn.append(Circle(x + r, y, r - 0.6 * scale, self.paint.strong, *edge))
        size = min(1.3 * r, 1.35 * r / max(text_width(self.letter, 1, True), 0.1))
        drawn.append(Text(x + r, y + 0.365 * size, self.letter, size, self.paint.ink, True, "middle"))
        return drawn


@dataclass(frozen=True, slots=True)
class Mystic:
    """The sign before a mystic value: a four-pointed star."""

    size: float = 12.0

    @property
    def width(self) -> float:
        return self.size

    def shapes(self, x: float, y: float, scale: float) -> list[Shape]:
        r = self.size * scale / 2
        corners = [(r if step % 2 == 0 else 0.36 * r, step * math.pi / 4) for step in range(8)]
        points = tuple((x + r + far * math.sin(turn), y - far * math.cos(turn)) for far, turn in corners)
        return [Polygon(points, "#6B4FA0")]


@dataclass(frozen=True, slots=True)
class Cross:
    """A cancellation token."""

    radius: float = 7.0

    @property
    def width(self) -> float:
        return 2 * self.radius

    def shapes(self, x: float, y: float, scale: float) -> list[Shape]:
        r = self.radius * scale
        drawn: list[Shape] = [Circle(x + r, y, r, INK)]
        for sign in (-1, 1):
            line = ((x + 0.58 * r, y - sign * 0.42 * r), (x + 1.42 * r, y + sign * 0.42 * r))
            drawn.append(Polygon(line, stroke="#FFFFFF", width=0.28 * r, closed=False))
        return drawn


@dataclass(frozen=True, slots=True)
class Arrow:
    size: float = 14.0
    fill: str = MARK

    @property
    def width(self) -> float:
        return self.size

    def shapes(self, x: float, y: float, scale: float) -> list[Shape]:
        u = self.size * scale
        return [
            Polygon(((x + 0.1 * u, y), (x + 0.6 * u, y)), stroke=self.fill, width=0.15 * u, closed=False),
            Polygon(((x + 0.5 * u, y - 0.32 * u), (x + u, y), (x + 0.5 * u, y + 0.32 * u)), self.fill),
        ]


# Icons of the effects in a square from -1 to 1: filled outlines, and discs as (x, y, radius).
_DROP = tuple(
    (0.62 * math.sin(turn) * math.sin(turn / 2) ** 1.2, 0.1 - 0.9 * math.cos(turn))
    for turn in (step * math.pi / 12 for step in range(24))
)
ICONS: dict[Effect, list[tuple[Point, ...] | tuple[float, float, float]]] = {
    Effect.NONE: [((-0.7, -0.12), (0.7, -0.12), (0.7, 0.12), (-0.7, 0.12))],
    Effect.FARM: [  # an ear of wheat
        ((-0.07, -0.3), (0.07, -0.3), (0.07, 1.0), (-0.07, 1.0)),
        ((0.0, -1.0), (0.24, -0.68), (0.0, -0.36), (-0.24, -0.68)),
        *(
            ((sign * 0.1, top + 0.5), (sign * 0.12, top + 0.2), (sign * 0.62, top - 0.1), (sign * 0.55, top + 0.3))
            for sign in (-1, 1)
            for top in (-0.5, -0.05, 0.4)
        ),
    ],
    Effect.VILLAGE: [  # two houses
        ((-1.0, 0.05), (-0.5, -0.5), (0.0, 0.05), (0.0, 0.9), (-1.0, 0.9)),
        ((0.12, -0.1), (0.12, 0.9), (1.0, 0.9), (1.0, -0.25), (0.45, -0.9), (-0.1, -0.32)),
    ],
    Effect.FOREST: [  # a fir
        ((-0.12, 0.5), (0.12, 0.5), (0.12, 1.0), (-0.12, 1.0)),
        ((0.0, -1.0), (0.5, -0.3), (-0.5, -0.3)),
        ((0.0, -0.6), (0.66, 0.15), (-0.66, 0.15)),
        ((0.0, -0.15), (0.82, 0.62), (-0.82, 0.62)),
    ],
    Effect.VOLCANO: [
        ((-0.32, -0.15), (-0.1, 0.05), (0.1, -0.12), (0.32, 0.02), (0.38, -0.15), (1.0, 0.9), (-1.0, 0.9)),
        (-0.3, -0.55, 0.16),
        (0.05, -0.75, 0.2),
        (0.38, -0.5, 0.14),
    ],
    Effect.IRRIGATION: [_DROP],
    Effect.TEMPLE: [
        ((0.0, -0.95), (1.0, -0.35), (-1.0, -0.35)),
        *(((x - 0.13, -0.25), (x + 0.13, -0.25), (x + 0.13, 0.6), (x - 0.13, 0.6)) for x in (-0.62, 0.0, 0.62)),
        ((-0.95, 0.68), (0.95, 0.68), (0.95, 0.95), (-0.95, 0.95)),
    ],
    Effect.PROSELYTISM: [  # a pawn
        (0.0, -0.55, 0.38),
        ((-0.28, -0.2), (0.28, -0.2), (0.6, 0.95), (-0.6, 0.95)),
    ],
    Effect.SACRED_STONE: [  # a standing stone
        ((-0.5, 0.95), (-0.62, 0.1), (-0.25, -0.75), (0.18, -0.95), (0.55, -0.35), (0.62, 0.95)),
        ((-1.0, 0.95), (-0.9, 0.6), (-0.62, 0.55), (-0.58, 0.95)),
    ],
}


@dataclass(frozen=True, slots=True)
class Icon:
    effect: Effect
    fill: str
    size: float = 14.0

    @property
    def width(self) -> float:
        return self.size

    def shapes(self, x: float, y: float, scale: float) -> list[Shape]:
        u = self.size * scale / 2
        drawn: list[Shape] = []
        for part in ICONS[self.effect]:
            if isinstance(part[0], tuple):
                points = tuple((x + u + px * u, y + py * u) for px, py in part)
                drawn.append(Polygon(points, self.fill))
            else:
                px, py, r = part
                drawn.append(Circle(x + u + px * u, y + py * u, r * u, self.fill))
        return drawn


@dataclass(frozen=True, slots=True)
class Gap:
    width: float

    def shapes(self, x: float, y: float, scale: float) -> list[Shape]:
        return []


Token = Word | Disc | Mystic | Cross | Arrow | Icon | Gap


def row_width(tokens: Sequence[Token], space: float = 2.0) -> float:
    return sum(token.width for token in tokens) + space * max(len(tokens) - 1, 0)


def row(
    tokens: Sequence[Token], x: float, y: float, room: float, align: float = 0.0, space: float = 2.0
) -> list[Shape]:
    """The tokens side by side, centred on y, all of them smaller if they are too wide for the space.

    `align` is 0 for a row that starts at x, 0.5 for one in the middle of the space, 1 for one at its end.
    """
    width = row_width(tokens, space)
    scale = min(1.0, room / width) if width else 1.0
    x += (room - width * scale) * align
    drawn: list[Shape] = []
    for token in tokens:
        drawn += token.shapes(x, y, scale)
        x += (token.width + space) * scale
    return drawn
