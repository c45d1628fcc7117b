"""The chance to win through a reviewed game, as a picture.

    to_svg(draw_plot(review))

Each player has a line, by colour, by dashes and by the name at its end; of two players one line says all. Between two
turns it bends twice: where the move was made, and where the tile came. Errors are crosses, lucky draws triangles.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from ..base.language import _
from ..drawing.fontwidths import text_width
from ..drawing.glyphs import GREY, INK, LINE, PANEL, PAPER, fitted
from ..drawing.scene import Circle, Group, Point, Polygon, Rect, Scene, Shape, Text, rectangle
from .data import JudgedTurn, Review
from .text import CLASS_WORDS, names, percent, stopped_words, swing_words, title

WIDTH, NARROW, HEIGHT = 1000.0, 380.0, 460.0  # narrow enough for a phone to show it in its own size
LEFT, TOP, BOTTOM = 56.0, 66.0, 84.0  # margins of the field
NAMES = {WIDTH: 180.0, NARROW: 106.0}  # ... and on the right
ERRORS = ("mistake", "blunder")
REACH = 7.0  # of a mark, from its middle
APART = 18.0  # names at the ends of lines


class Palette(NamedTuple):
    """Colours as SVG takes them."""

    paper: str = PAPER
    field: str = PANEL
    ink: str = INK
    grey: str = GREY
    line: str = LINE
    error: str = "#C0262D"
    luck: str = "#1E7F46"
    players: tuple[str, ...] = ("#1D559E", "#B35A00", "#2F7D5B", "#8A3FA0")


DASHES = (0.0, 6.0, 3.0, 10.0)


class Plot:
    """Where everything is; x by turns done, y by the part of the victory."""

    def __init__(self, review: Review, palette: Palette = Palette(), width: float = WIDTH) -> None:
        self.review = review
        self.palette = palette
        self.width = width
        self.numbered_at = 0.0  # x of the last number that stands above its mark
        self.count = max(1, len(review.turns))
        self.step = (width - LEFT - NAMES[width]) / self.count

    def x(self, done: float) -> float:
        """`done`: turns of the review that are over; a half for one in which the tile has not come yet."""
        return LEFT + done * self.step

    def y(self, share: Fraction | float) -> float:
        return TOP + (1 - float(share)) * (HEIGHT - TOP - BOTTOM)

    @property
    def lines(self) -> range:
        """The players whose line is drawn."""
        return range(1 if self.review.players == 2 else self.review.players)

    def points(self, player: int) -> tuple[Point, ...]:
        found = [(self.x(0), self.y(self.review.start.shares[player]))]
        for done, turn in enumerate(self.review.turns):
            found.append((self.x(done + 0.5), self.y(turn.mine.shares[player])))
            found.append((self.x(done + 1), self.y(turn.then.shares[player])))
        return tuple(found)

    def axis_words(self) -> str:
        """Whose chance it is."""
        if self.review.players == 2:
            return _("chance of {player} to win", player=names(self.review)[0])
        return _("chance to win")

    # ---- drawing --------------------------------------------------------------------------------------

    def scene(self) -> Scene:
        groups = [self._frame(), self._turns(), *self._lines(), *self._marks(), self._legend()]
        words = [title(self.review), stopped_words(self.review)]
        words += [f"{swing.turn.number}. {swing_words(swing)}" for swing in self.review.turning_points]
        return Scene(
            self.width,
            HEIGHT,
            title(self.review),
            "\n".join(word for word in words if word),
            self.palette.paper,
            tuple(groups),
        )

    def _frame(self) -> Group:
        p = self.palette
        right = self.x(self.count)
        text, size = fitted(title(self.review), self.width - 2 * 20, 20, True)
        shapes: list[Shape] = [Text(20, 34, text, size, p.ink, True)]
        shapes.append(Rect(LEFT, TOP, right - LEFT, HEIGHT - TOP - BOTTOM, 0, p.field, p.line, 1))
        for part in range(0, 101, 25):
            y = self.y(part / 100)
            shapes.append(Polygon(((LEFT, y), (right, y)), stroke=p.grey if part == 50 else p.line, closed=False))
            shapes.append(Text(LEFT - 8, y + 4.5, f"{part} %", 12, p.grey, anchor="end"))
        said, size = fitted(self.axis_words(), self.width - LEFT - 20, 13)
        shapes.append(Text(LEFT, TOP - 9, said, size, p.grey))
        return Group("frame", "", rectangle(0, 0, self.width, HEIGHT), tuple(shapes))

    def _turns(self) -> Group:
        """The axis: some turns' numbers under their beginnings."""
        p = self.palette
        shapes: list[Shape] = []
        for done, turn in enumerate(self.review.turns):
            if (turn.number - 1) % (5 if self.width == WIDTH else 10) == 0:
                x = self.x(done)
                shapes.append(Polygon(((x, self.y(0)), (x, self.y(0) + 5)), stroke=p.grey, closed=False))
                shapes.append(Text(x, self.y(0) + 19, str(turn.number), 12, p.grey, anchor="middle"))
        shapes.append(Text(LEFT - 10, self.y(0) + 19, _("turn"), 12, p.grey, anchor="end"))
        return Group("turns", "", rectangle(0, self.y(0), self.width, 24), tuple(shapes))

    def _lines(self) -> Iterator[Group]:
        p, right = self.palette, self.x(self.count)
        players = names(self.review)
        room = self.width - right - 20
        for player, y in zip(self.lines, self._label_heights()):
            points = self.points(player)
            shapes: list[Shape] = []
            shapes.append(Polygon(points, stroke=p.players[player], width=2.4, dash=DASHES[player], closed=False))
            shapes.append(Circle(*points[-1], 3.5, p.players[player]))
            if self.review.players > 2:
                last = self.review.last.shares[player]
                share = f" {percent(last)} %" if self.width == WIDTH else ""
                name, size = fitted(players[player], room - text_width(share, 13, True), 13, True, 13)
                shapes.append(Text(right + 10, y + 5, name + share, size, p.players[player], True))
            outline = rectangle(LEFT, TOP, self.width - LEFT, HEIGHT)
            yield Group(f"line-{player + 1}", players[player], outline, tuple(shapes))
        if self.review.players == 2:
            ends: list[Shape] = []
            for name, y, way in ((players[0], self.y(1) + 16, 1), (players[1], self.y(0) - 8, -1)):
                x = right + 18
                ends.append(Polygon(((x - 6, y - 5 + 4 * way), (x + 6, y - 5 + 4 * way), (x, y - 5 - 6 * way)), p.grey))
                ends.append(Text(x + 12, y, *fitted(name, room - 24, 14, True, 14), p.ink, True))
            yield Group("names", "", rectangle(right, TOP, self.width - right, HEIGHT), tuple(ends))

    def _label_heights(self) -> list[float]:
        """Where the lines end, moved apart as far as needed."""
        wanted = [self.y(self.review.last.shares[player]) for player in self.lines]
        order = sorted(self.lines, key=lambda player: wanted[player])
        placed = dict.fromkeys(order, 0.0)
        last = TOP - APART
        for player in order:
            last = placed[player] = max(wanted[player], last + APART)
        over = max(0.0, last - self.y(0))
        floor = self.y(0)
        for player in reversed(order) if over else ():
            placed[player] = min(placed[player], floor)
            floor = placed[player] - APART
        return [placed[player] for player in self.lines]

    def _marks(self) -> Iterator[Group]:
        numbered = {(swing.turn.number, swing.by_luck) for swing in self.review.turning_points}
        for done, turn in enumerate(self.review.turns):
            if turn.verdict in ERRORS:
                shown = turn.player if turn.player in self.lines else 0
                at = self.x(done + 0.5), self.y(turn.mine.shares[shown])
                words = f"{turn.number}. {_(CLASS_WORDS[turn.verdict])}"
                shapes = [*cross(*at, self.palette.error)]
                yield self._mark(f"error-{turn.number}", words, turn, at, shapes, (turn.number, False) in numbered)
            if (luckiest := turn.luckiest) is not None:
                shown = luckiest if luckiest in self.lines else 0
                up = turn.luck[shown] > 0
                at = self.x(done + 1), self.y(turn.then.shares[shown])
                lucky = _("lucky draw")
                words = f"{turn.number}. {lucky}"
                shapes = [triangle(*at, self.palette.luck, up)]
                yield self._mark(f"luck-{turn.number}", words, turn, at, shapes, (turn.number, True) in numbered)

    def _mark(self, name: str, words: str, turn: JudgedTurn, at: Point, shapes: list[Shape], numbered: bool) -> Group:
        x, y = at
        if numbered:
            # Above its mark, unless that is out of the field or on the number before it.
            above = y - REACH - 5 > TOP + 12 and x - self.numbered_at > APART
            y = y - REACH - 5 if above else y + REACH + 15
            self.numbered_at = x if above else self.numbered_at
            shapes = [*shapes, Text(x, y, str(turn.number), 12, self.palette.ink, True, "middle")]
        return Group(name, words, rectangle(at[0] - 20, at[1] - 30, 40, 60), tuple(shapes))

    def _legend(self) -> Group:
        """Of the marks that this game has."""
        p, y = self.palette, HEIGHT - 24
        shapes: list[Shape] = []
        x = LEFT
        if any(turn.verdict in ERRORS for turn in self.review.turns):
            words = _("mistake or blunder")
            shapes += [*cross(x + REACH, y - 4.5, p.error), Text(x + 2 * REACH + 8, y, words, 13, p.ink)]
            x += 2 * REACH + 8 + text_width(words, 13) + 24
        if any(turn.luckiest is not None for turn in self.review.turns):
            words = _("lucky draw")
            shapes += [triangle(x + REACH, y - 4.5, p.luck, True), Text(x + 2 * REACH + 8, y, words, 13, p.ink)]
            x += 2 * REACH + 8 + text_width(words, 13) + 24
        note = stopped_words(self.review)
        if note and self.width == WIDTH:
            shapes.append(Text(x, y, *fitted(note, WIDTH - 20 - x, 13), p.grey))
        return Group("legend", "", rectangle(0, HEIGHT - 50, self.width, 50), tuple(shapes))


def draw_plot(review: Review, palette: Palette = Palette()) -> Scene:
    return Plot(review, palette).scene()


def cross(x: float, y: float, colour: str) -> Iterator[Shape]:
    reach = REACH - 2
    for slope in (1, -1):
        line = ((x - reach, y - slope * reach), (x + reach, y + slope * reach))
        yield Polygon(line, stroke=colour, width=3.2, closed=False)


def triangle(x: float, y: float, colour: str, up: bool) -> Shape:
    way = 1 if up else -1
    reach = REACH + 1
    base = y + way * reach * 0.7
    return Polygon(((x, y - way * reach), (x + reach, base), (x - reach, base)), colour)
