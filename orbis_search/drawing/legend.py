"""How to read a picture: a tile with what its parts mean, the colours, and the marks."""

from __future__ import annotations

from ..game.tiles import Tile
from ..game.vocabulary import Colour, Effect, Worshipers
from .glyphs import FAINT, GREY, INK, LINE, PAPER, Gap, Mystic, Token, Word, fitted, row
from .picture_words import Words
from .scene import Group, Polygon, Scene, Shape, Text, rectangle
from .tile_art import CENTRE_SIDE, HALF, TileArt

SAMPLE = Tile("b3c", 3, Colour.BLUE, Worshipers(green=1, blue=1), 1, Effect.IRRIGATION, 0, (Colour.RED,), 4, None)
# Parts of a tile: what each is called, on which side of it that is written, how high, and where its line ends.
PARTS = (
    ("colour and level", -1, -40, -20),
    ("effect", -1, -1, 48),
    ("points", -1, 43, 24),
    ("id", 1, -26, 24),
    ("cost", 1, 26, 32),
)
WIDTH, LINE_HEIGHT = 366.0, 27.0  # of the legend by itself ...
LARGE_SIDE = 84.0  # ... and of the tile in it


def tile_legend(art: TileArt, x: float, y: float, w: float, height: float) -> list[Shape]:
    """A sample tile with lines to what its parts mean, and beside it the letters of the colours."""
    heading, size = fitted(art.say("legend"), 0.36 * w - 20, 13, True)
    shapes: list[Shape] = [
        Polygon(((x, y), (x + w, y)), stroke=LINE, width=1.2, closed=False),
        Text(x, y + 20, heading, size, INK, True),
    ]
    y, height = y + 16, height - 16
    side = min(CENTRE_SIDE, height / 2 - 2)
    mx, my = x + 0.36 * w, y + height / 2
    shapes += sample(art, mx, my, side, mx - x, 0.17 * w + side * HALF + 14, 12)
    left = x + 0.72 * w
    pitch = min(21.0, height / 7)
    for number, tokens in enumerate(colours(art, x + w - left, 12)):
        shapes += row(tokens, left, my + (number - 3) * pitch, x + w - left)
    return shapes


def sample(art: TileArt, mx: float, my: float, side: float, left: float, right: float, size: float) -> list[Shape]:
    """A tile around a point, and its parts' names within so much to the left and to the right of it."""
    u = side / 64
    shapes: list[Shape] = []
    for key, to, at, inset in PARTS:
        edge = mx + to * (side * HALF + 14)
        line = ((edge, my + at * u), (mx + to * inset * u, my + at * u))
        shapes.append(Polygon(line, stroke=FAINT, width=1.2, closed=False))
        room = (left if to < 0 else right) - side * HALF - 14 - (4 if to < 0 else 0)
        text, fits = fitted(art.say(key), room, size)
        shapes.append(Text(edge + to * 4, my + at * u + 4.3, text, fits, GREY, anchor="end" if to < 0 else "start"))
    worth = Word(art.words.points("CP", SAMPLE.cp), 13, bold=True)
    return shapes + art.tile(mx, my, side, SAMPLE, worth, art.details(SAMPLE, None))


def colours(art: TileArt, room: float, size: float) -> list[list[Token]]:
    """The letters of the colours and the star, each with its words."""
    shown: list[Colour | None] = [*Colour, None]
    found: list[list[Token]] = []
    for colour in shown:
        word = art.say("any") if colour is None else art.say(f"colour {colour.word}")
        disc = art.disc(colour, 0.625 * size)
        found.append([disc, Gap(3), Word(*fitted(word, room - 24, size), fill=GREY)])
    return [*found, [Mystic(1.25 * size), Gap(3), Word(*fitted(art.say("mystic"), room - 24, size), fill=GREY)]]


def draw_legend(described: bool) -> Scene:
    """By itself, narrow enough for a phone, for a page with many pictures.

    `described`: whether there are tiles that are not in the set.
    """
    art = TileArt(Words({}))
    middle = WIDTH / 2
    shapes = sample(art, middle, LARGE_SIDE + 4, LARGE_SIDE, middle, middle, 13)
    top = 2 * LARGE_SIDE + 34
    listed = colours(art, middle, 15)
    for number, tokens in enumerate(listed):
        down, across = number % 4, number // 4
        shapes += row(tokens, 4 + across * middle, top + down * LINE_HEIGHT, middle - 8)
    y = top + 4 * LINE_HEIGHT + 6
    marks: list[list[Token]] = [
        [art.disc(Colour.RED, 9, "seeded"), Gap(3), Word(art.say("seeded"), 14, fill=GREY)],
        [art.disc(Colour.RED, 9, "removed"), Gap(3), Word(art.say("removed"), 14, fill=GREY)],
        [Word(art.say("lacking"), 14, fill=GREY)],
    ]
    if described:
        marks.append([Word(art.say("described"), 14, fill=GREY)])
    for tokens in marks:
        shapes += row(tokens, 4, y, WIDTH - 8)
        y += LINE_HEIGHT
    height = y - LINE_HEIGHT / 2 + 4
    group = Group("legend", art.say("legend"), rectangle(0, 0, WIDTH, height), tuple(shapes))
    return Scene(WIDTH, height, art.say("legend"), "", PAPER, (group,))
