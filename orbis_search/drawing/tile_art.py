"""Tiles and worshipers of a picture: a hexagon with what is printed on it, discs for worshipers and costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ..base.language import pgettext
from ..game import rules
from ..game.position import Placed, Player, Slot
from ..game.tiles import Tile
from ..game.vocabulary import Colour, Effect, Face, Worshipers
from .glyphs import (
    ANY,
    BETTER,
    FAINT,
    GREY,
    INK,
    MARK,
    PAINT,
    WILD,
    WILD_EDGE,
    Cross,
    Disc,
    Gap,
    Icon,
    Mystic,
    Token,
    Word,
    fitted,
    row,
    row_width,
)
from .labels import tile_label
from .picture_words import Words
from .scene import Polygon, Shape, Text, hexagon

LEVEL = {1: "I", 2: "II", 3: "III"}
LEAST_SCALE = 0.72  # of an effect's name: smaller cannot be read on a phone
SIDE, CENTRE_SIDE = 62.0, 70.0  # of a tile in a universe, and in the centre
HALF = math.sqrt(3) / 2  # of a hexagon's width, for side 1


class TileArt:
    def __init__(self, words: Words) -> None:
        self.words = words
        self.say = words.say

    # ------------------------------------------------------------------------------------- tokens

    def disc(self, colour: Colour | None, radius: float = 7.0, mark: str = "") -> Disc:
        if colour is None:
            return Disc("?", ANY, radius, mark)
        return Disc(self.words.letter(colour), PAINT[colour], radius, mark)

    def discs(self, worshipers: Worshipers, radius: float, at_most: int) -> list[Token]:
        """One disc for each, or one per colour with its number when there are too many."""
        tokens: list[Token] = []
        for colour, count in zip(Colour, worshipers):
            if worshipers.total <= at_most:
                tokens += [self.disc(colour, radius)] * count
            elif count:
                tokens += [self.disc(colour, radius), Word(f"×{count}", 1.7 * radius, bold=True), Gap(1)]
        return tokens

    def colours(self, colours: Sequence[Colour]) -> list[Token]:
        if len(colours) in (0, len(Colour)):
            return [self.disc(None)]
        return [self.disc(colour) for colour in colours]

    def cost(self, tile: Tile) -> list[Token]:
        if tile.cost.total + tile.any_cost == 0:
            return [Word(self.say("free"), 11, fill=GREY)]
        if tile.cost.total + tile.any_cost <= 7:
            return [*self.discs(tile.cost, 7, 7), *[self.disc(None)] * tile.any_cost]
        counts: list[tuple[Colour | None, int]] = [*zip(Colour, tile.cost), (None, tile.any_cost)]
        asked = [(self.disc(colour), count) for colour, count in counts if count]
        if len(asked) <= 3:
            return [token for disc, count in asked for token in (disc, Word(f"×{count}", 12, bold=True))]
        # More expensive than any real tile: discs would be too small to read.
        return [Word(" ".join(f"{disc.letter}{count}" for disc, count in asked), 11, bold=True)]

    def details(self, tile: Tile, placed: tuple[Player, Slot] | None) -> list[Token]:
        """The details of the effect: numbers and colours; for a forest in a universe, what it has so far."""
        tokens: list[Token] = []
        match tile.effect:
            case Effect.FARM:
                tokens = [*self.colours(tile.colours), Gap(1), Word(self.say("farm of"))]
            case Effect.VILLAGE:
                tokens = [Word(self.say("give", count=tile.number))]
            case Effect.FOREST | Effect.VOLCANO:
                count = str(tile.number)
                if placed and tile.effect is Effect.FOREST:
                    count = f"{rules.forest_neighbours(*placed, tile)}/{count}"
                tokens = [Word(self.say("of", count=count)), Gap(1), *self.colours(tile.colours)]
            case Effect.IRRIGATION:
                tokens = [Word(self.say("over colour")), Gap(1), *self.colours(tile.colours)]
            case Effect.TEMPLE if tile.number > 1:
                tokens = [Word(f"×{tile.number}", bold=True)]
            case Effect.PROSELYTISM:
                tokens = [Word("+", bold=True), *self.colours(tile.colours) * tile.number]
        return tokens

    # -------------------------------------------------------------------------------------- tiles

    def tile(self, x: float, y: float, side: float, tile: Tile, worth: Word, details: list[Token]) -> list[Shape]:
        """A face-up tile: a head with letter, level and name; effect, its details and cost; points."""
        u = side / 64
        paint = PAINT[tile.colour]
        corners = hexagon(x, y, side)
        half = side * HALF
        head = ((x, y - side), corners[1], (x + half, y - 19 * u), (x - half, y - 19 * u), corners[5])
        shapes: list[Shape] = [
            Polygon(corners, paint.body),
            Polygon(head, paint.head),
            Polygon(((x - half, y - 19 * u), (x + half, y - 19 * u)), stroke=paint.edge, width=1, closed=False),
            Polygon(((x - 43 * u, y + 17 * u), (x + 43 * u, y + 17 * u)), stroke=FAINT, width=0.8, closed=False),
            Polygon(corners, stroke=paint.edge, width=2),
        ]
        letter = f"{self.words.letter(tile.colour)} {LEVEL[tile.level]}"
        shapes.append(Text(x, y - 35 * u, *fitted(letter, 62 * u, 15 * u, True), paint.ink, True, "middle"))
        label, size = fitted(tile_label(tile), 96 * u, 10.5 * u)
        shapes.append(Text(x, y - 23.5 * u, label, size, paint.ink, anchor="middle"))
        effect = self.effect(tile.effect, paint.edge, u)
        if tile.mystic is not None:
            details = [*details, Gap(3), Mystic(), Word(str(tile.mystic), 12, bold=True)][0 if details else 1 :]
        # An effect that needs no more words goes in the middle.
        shapes += row(effect, x - 48 * u, y - (8.5 if details else 1) * u, 96 * u, 0.5, space=4 * u)
        shapes += self.scaled(details, x, y + 7.5 * u, 98 * u, u)
        shapes += self.scaled(self.cost(tile), x, y + 26 * u, 96 * u, u)
        shapes += row([replace(worth, size=worth.size * u)], x - 24 * u, y + 43 * u, 48 * u, 0.5)
        return shapes

    def effect(self, effect: Effect, ink: str, u: float) -> list[Token]:
        """Its sign and its name; a short one if the whole name would have to be drawn too small."""
        key = f"effect {effect.word}"
        tokens: list[Token] = [Icon(effect, ink, 15 * u), Word(self.say(key), 12 * u, bold=True)]
        if (
            LEAST_SCALE * row_width(tokens, 4 * u) > 96 * u
            and effect is not Effect.NONE
            and not self.words.table.get(key)
        ):
            tokens[1] = Word(pgettext("brick", effect.word), 12 * u, bold=True)
        return tokens

    def scaled(self, tokens: list[Token], x: float, y: float, room: float, u: float) -> list[Shape]:
        """A row centred on x, drawn u times as large as its tokens."""
        width = row_width(tokens)
        scale = min(u, room / width) if width else u
        left = x - width * scale / 2
        drawn: list[Shape] = []
        for token in tokens:
            drawn += token.shapes(left, y, scale)
            left += (token.width + 2.0) * scale
        return drawn

    def placed(self, x: float, y: float, player: Player, slot: Slot, each: Placed) -> list[Shape]:
        tile = each.tile
        if each.face is Face.WILD or tile is None:
            return self.wilderness(x, y, player, tile)
        worth = Word(self.words.points("CP", tile.cp), 13, bold=True)
        details = self.details(tile, (player, slot))
        if each.face is Face.CANCELLED:
            worth = replace(worth, fill=GREY, struck=True)
            details = [Cross(), Word(self.say("cancelled"), 11, bold=True)]
        elif not rules.is_validated(player, slot, each):
            worth = Word(f"({tile.cp})", 13, bold=True, fill=GREY)
        return self.tile(x, y, SIDE, tile, worth, details)

    def wilderness(self, x: float, y: float, player: Player, tile: Tile | None) -> list[Shape]:
        shapes: list[Shape] = [
            Polygon(hexagon(x, y, SIDE), WILD, WILD_EDGE, 2),
            Polygon(hexagon(x, y, SIDE - 7), stroke=WILD_EDGE, width=1, dash=4),
        ]
        for foot in (-12.0, 3.0):  # two tufts of grass
            for lean in (-6.0, -2.5, 1.0, 5.0):
                blade = ((x + foot + 4 + 0.3 * lean, y - 18), (x + foot + 4 + lean, y - 32 + 0.5 * abs(lean)))
                shapes.append(Polygon(blade, stroke=WILD_EDGE, width=1.5, closed=False))
        text, size = fitted(self.say("wilderness"), 86, 13, True)
        shapes.append(Text(x, y + 1, text, size, INK, True, "middle"))
        if tile is None:
            front = self.say("front unknown")
        else:
            front = f"{tile_label(tile)} · {self.words.letter(tile.colour)} {LEVEL[tile.level]}"
        text, size = fitted(front, 86, 10.5)
        shapes.append(Text(x, y + 17, text, size, "#4A463D", anchor="middle"))
        worth = self.words.points("CP", rules.wilderness_points(player))
        shapes += row([Word(worth, 13, bold=True)], x - 24, y + 36, 48, 0.5)
        return shapes

    @staticmethod
    def ring(x: float, y: float, side: float) -> list[Shape]:
        """Marks a tile of the move: the same around where it lies and where it goes."""
        corners = hexagon(x, y, side)
        return [Polygon(corners, stroke="#FFFFFF", width=8), Polygon(corners, stroke=MARK, width=5)]

    @staticmethod
    def dashed_ring(x: float, y: float, side: float, ringed: bool) -> list[Shape]:
        """Marks a tile of the better move; around the ring of the move played where both take or lay here."""
        corners = hexagon(x, y, side + 7 if ringed else side)
        return [Polygon(corners, stroke="#FFFFFF", width=6), Polygon(corners, stroke=BETTER, width=5, dash=12)]
