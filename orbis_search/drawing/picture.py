"""A position as a picture to post, with a move marked on it if one is given.

    scene = draw_position(position, move, "b2 to 2.1, 63.2 % ± 0.4")
    to_svg(scene), to_png(scene)

Colour is an extra here too: every colour also shows as its letter, and every mark as a shape. Each word comes from
`picture_words` or from a table passed in, and every text is as large as its place allows, by measured widths.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ..base.errors import InputError
from ..base.language import N_, _
from ..game import rules
from ..game.kinds import expect_text
from ..game.legality import expect_whole
from ..game.position import Cell, Move, Pile, Placed, Player, Position, Slot
from ..game.problems import expect_position
from ..game.tiles import Tile
from ..game.vocabulary import CELLS, NEIGHBOURS, NOBODY, SET_UP, TURNS, Colour, Effect, Face, God, Worshipers
from ..notation import format_move
from ..tileset.descriptions import tell
from .fontwidths import text_width
from .glyphs import (
    FAINT,
    GREY,
    INK,
    LINE,
    MARK,
    MARK_PALE,
    PANEL,
    PAPER,
    TRAY,
    WILD,
    WILD_EDGE,
    Arrow,
    Disc,
    Gap,
    Mystic,
    Token,
    Word,
    fitted,
    row,
    row_width,
    wrapped,
)
from .labels import GOD_WORDS, god_figures, marks_of, result_points
from .picture_words import Words
from .scene import Circle, Curve, Group, Point, Polygon, Rect, Scene, Shape, Text, hexagon, rectangle
from .tile_art import HALF, LEVEL, SIDE, TileArt

WIDTH, MARGIN, GAP, PAD = 1200.0, 20.0, 16.0, 12.0
COLUMN = (WIDTH - 2 * MARGIN - GAP) / 2
CENTRE_SIDE = 70.0
CELL_HEIGHT = 2 * CENTRE_SIDE + 42
GOD_HEIGHT = 42.0


def draw_position(
    position: Position,
    move: Move | None = None,
    caption: str | None = None,
    *,
    words: Mapping[str, str] = {},
    scores: Sequence[rules.Score] | None = None,
) -> Scene:
    """The whole table. A legal `move` is marked on it, and without a caption its notation is the caption.

    The points are as if the game ended here; a caller that has counted them already may pass them in.

        >>> scene = draw_position(position, caption="Whose turn is it?")
        >>> scene.width > scene.height > 0
        True
    """
    expect_position(position)
    if caption is not None:
        expect_text(caption, "caption")
    if move is not None:
        expect_whole(move)
        _check_place(position, move)
        if caption is None:
            caption = format_move(position, move)
    return _Picture(position, move, caption or "", words, scores or rules.score(position)).scene()


def _check_place(position: Position, move: Move) -> None:
    """InputError for a move of another position. The payment is not checked: that may take minutes."""
    fits = False
    if position.to_move is not None and position.hole is None:
        player = position.players[position.to_move]
        if move.cell is not None:
            fits = 0 <= move.cell < len(CELLS) and move.slot in rules.open_slots(player)
        else:
            fits = player.god is None and move.god in position.gods
    if not fits:
        raise InputError.one("move", _("expected a legal move of the position drawn, found another"))


# ---------------------------------------------------------------------------------------- the picture


class _Picture:
    def __init__(
        self,
        position: Position,
        move: Move | None,
        caption: str,
        words: Mapping[str, str],
        scores: Sequence[rules.Score],
    ) -> None:
        self.position = position
        self.move = move
        self.caption = caption
        self.words = Words(words)
        self.say = self.words.say
        self.art = TileArt(self.words)
        self.scores = scores
        self.groups: list[Group] = []
        self.panels: list[Shape] = []
        self.source: Point | None = None  # where the move's arrow starts ...
        self.target: tuple[Point, Point] | None = None  # ... where it ends, and the direction it comes in

    def name(self, index: int) -> str:
        return self.position.players[index].name or self.say("player", number=index + 1)

    def add(
        self, name: str, title: str, outline: tuple[Point, ...], shapes: Sequence[Shape], marked: bool = False
    ) -> None:
        self.groups.append(Group(name, title, outline, tuple(shapes), marked))

    def panel(self, x: float, y: float, w: float, h: float, mark: bool = False) -> None:
        self.panels.append(Rect(x, y, w, h, 10, PANEL, INK if mark else LINE, 2.0 if mark else 1.2))

    def heading(self, text: str, x: float, y: float, room: float) -> Text:
        text, size = fitted(text, room, 16, True)
        return Text(x, y + 16, text, size, INK, True)

    # ---------------------------------------------------------------------------------- the sheet

    def scene(self) -> Scene:
        """Two columns, with the centre at the top left. With three players, the first one goes beside it."""
        count = len(self.position.players)
        left, right = MARGIN, MARGIN + COLUMN + GAP
        rows = max(self.rows_shown(index) for index in range(count))
        universe = 100 + (2 + 1.5 * (rows - 1)) * SIDE + PAD
        centre = PAD + 24 + 3 * CELL_HEIGHT + 4
        y = self.header()
        if count == 3:
            centre = max(centre, universe)
        self.centre(left, y, centre)
        if count == 3:
            self.player(0, right, y, centre)
        else:
            self.gods(right, y, self.gods_height())
            used = self.gods_height() + GAP
            self.piles(right, y + used, centre - used)
        y += centre + GAP
        for index in range(1 if count == 3 else 0, count):
            in_left = (index % 2 == 0) != (count == 3)
            self.player(index, left if in_left else right, y, universe)
            y += 0 if in_left else universe + GAP
        if count == 3:
            height = max(self.gods_height(), self.piles_height())
            self.gods(left, y, height)
            self.piles(right, y, height)
            y += height + GAP
        y = self.footer(y)
        self.groups[:0] = [Group("panels", "", rectangle(0, 0, WIDTH, y), tuple(self.panels))]
        if self.source and self.target:
            self.arrow(self.source, *self.target)
        return Scene(WIDTH, y, self.headline(), self.description(), PAPER, tuple(self.groups))

    def headline(self) -> str:
        position = self.position
        count = len(position.players)
        if position.to_move is None:
            return f"{self.say('title')} · {self.say('over')} · {self.result()}"
        played = position.turns_played
        parts = [
            self.say("title"),
            self.say("round", round=played // count + 1, rounds=TURNS),
            self.say("turn", turn=played + 1, turns=TURNS * count),
            self.say("to move", name=self.name(position.to_move)),
        ]
        return " · ".join(parts)

    def result(self) -> str:
        winners = rules.leaders(self.scores)
        points = result_points(self.scores)
        if len(winners) > 1:
            return self.say("shared", names=", ".join(map(self.name, winners)), points=points)
        best = self.scores[winners[0]].total
        alone = sum(score.total == best for score in self.scores) == 1
        return self.say("wins" if alone else "wins by worshipers", name=self.name(winners[0]), points=points)

    def description(self) -> str:
        """For screen readers: what lies where, in the words of a position file, translated."""
        lines = [self.headline()]
        if self.caption:
            lines.append(self.caption)
        for name, cell in zip(CELLS, self.position.centre):
            lines.append(f"{name}: {_cell_title(cell)}")
        for index, player in enumerate(self.position.players):
            tiles = "; ".join(f"{slot.row}.{slot.column + 1} {_placed_title(each)}" for slot, each in player.placed())
            god = self.say("no god") if player.god is None else self.god_name(player)
            lines.append(f"{self.name(index)}: {self.say('realm')} {player.realm}, {self.say('god')} {god}; {tiles}")
        return "\n".join(lines)

    def header(self) -> float:
        title, _dot, rest = self.headline().partition(" · ")
        shapes: list[Shape] = [Text(MARGIN, 46, *fitted(title, 200, 32, True), INK, True)]
        start = MARGIN + text_width(title, 32, True) + 22
        before, _, who = rest.rpartition(" · ")
        tokens: list[Token] = [Word(before, 17, fill=GREY), Gap(10), Word(who, 17, bold=True)]
        room = WIDTH - MARGIN - start
        if row_width(tokens) > room:  # a long name: what is left of it keeps its size
            space = room - row_width(tokens[:2]) - 4
            tokens[2] = Word(*fitted(who, space, 17, True, 11), bold=True)
        shapes += row(tokens, start, 40, room)
        bottom = 64.0
        self.add("header", "", rectangle(0, 0, WIDTH, bottom), shapes)
        if self.caption:
            text, size = fitted(self.caption, WIDTH - 2 * MARGIN - 68, 19, True, 11)
            bar: list[Shape] = [Rect(MARGIN, bottom, WIDTH - 2 * MARGIN, 40, 10, MARK)]
            bar += Arrow(24, "#FFFFFF").shapes(MARGIN + 16, bottom + 20, 1)
            bar.append(Text(MARGIN + 52, bottom + 20 + 0.365 * size, text, size, "#FFFFFF", True))
            self.add("caption", self.caption, rectangle(MARGIN, bottom, WIDTH - 2 * MARGIN, 40), bar, marked=True)
            bottom += 40 + GAP
        return bottom

    def footer(self, y: float) -> float:
        notes = self.notes()
        x, room = MARGIN, WIDTH - 2 * MARGIN
        text, size = fitted(self.say("tiles", name=self.position.tiles.name), 0.35 * room, 12)
        shapes: list[Shape] = [Text(WIDTH - MARGIN, y + 12, text, size, GREY, anchor="end")]
        room -= text_width(text, size) + 24
        if notes:
            shapes += row(notes, x, y + 12 - 0.365 * 12, room, space=4)
        self.add("footer", "", rectangle(0, y - GAP / 2, WIDTH, 34), shapes)
        return y + 28

    def notes(self) -> list[Token]:
        """What the marks mean, only those that are drawn."""
        marks = marks_of(self.position)
        notes: list[list[Token]] = []
        if marks.lacking:
            notes.append([Word(self.say("lacking"), fill=GREY)])
        if marks.described:
            notes.append([Word(self.say("described"), fill=GREY)])
        if self.move is not None and self.move.cell is not None:
            tile = self.position.centre[self.move.cell].tile
            assert tile is not None
            notes.append([self.art.disc(tile.colour, mark="seeded"), Word(self.say("seeded"), fill=GREY)])
            if self.move.removed:
                colour = self.move.removed[0][1]
                notes.append([self.art.disc(colour, mark="removed"), Word(self.say("removed"), fill=GREY)])
        return [token for note in notes for token in (*note, Gap(14))][:-1]

    def arrow(self, start: Point, end: Point, direction: Point) -> None:
        """Behind the tiles, entering its slot from a side where nothing lies."""
        reach = min(130.0, 0.45 * math.dist(start, end))
        tip = (end[0] - 3 * direction[0], end[1] - 3 * direction[1])
        back = (tip[0] - 16 * direction[0], tip[1] - 16 * direction[1])
        coming = (back[0] - reach * direction[0], back[1] - reach * direction[1])
        lowered = (start[0] + 0.3 * (end[0] - start[0]), start[1] + 0.3 * (end[1] - start[1]))
        curve = Curve(start, lowered, coming, back, MARK_PALE, 7)
        everything = rectangle(0, 0, WIDTH, 10_000)
        self.groups.insert(1, Group("move-line", "", everything, (curve,), marked=True))
        across = (-direction[1] * 10, direction[0] * 10)
        head = (tip, (back[0] + across[0], back[1] + across[1]), (back[0] - across[0], back[1] - across[1]))
        self.groups.append(Group("move-head", "", everything, (Polygon(head, MARK, "#FFFFFF", 1.5),), marked=True))

    # ------------------------------------------------------------------------------------- centre

    def centre(self, x: float, y: float, height: float) -> None:
        self.panel(x, y, COLUMN, height)
        heading = self.heading(self.say("centre"), x + PAD, y + PAD - 2, COLUMN - 2 * PAD)
        self.add("centre", "", rectangle(x, y, COLUMN, 36), [heading])
        pitch = (COLUMN - 2 * PAD) / 3
        top = y + PAD + 24 + (height - (PAD + 28 + 3 * CELL_HEIGHT)) / 2
        for index, cell in enumerate(self.position.centre):
            self.cell(index, cell, x + PAD + index % 3 * pitch, top + index // 3 * CELL_HEIGHT, pitch)

    def cell(self, index: int, cell: Cell, x: float, y: float, w: float) -> None:
        name, move = CELLS[index], self.move
        mx, my = x + w / 2, y + CENTRE_SIDE
        chosen = move is not None and move.cell == index
        # 1. Its name, in the corner that the hexagon leaves free.
        label = Text(x + 8, y + 20, name, 17, MARK if chosen else GREY, True)
        self.add(f"name-{name}", "", rectangle(x, y, 40, 30), [label])
        # 2. The tile.
        if cell.tile is None:
            text, size = fitted(self.say("to be refilled"), 1.5 * CENTRE_SIDE, 13)
            shapes: list[Shape] = [Polygon(hexagon(mx, my, CENTRE_SIDE), stroke=FAINT, width=1.5, dash=6)]
            shapes.append(Text(mx, my + 5, text, size, GREY, anchor="middle"))
        else:
            worth = Word(self.words.points("CP", cell.tile.cp), 13, bold=True)
            shapes = self.art.tile(mx, my, CENTRE_SIDE, cell.tile, worth, self.art.details(cell.tile, None))
        if chosen:
            shapes = [*shapes, *self.art.ring(mx, my, CENTRE_SIDE)]
            self.source = (mx, my)
        self.add(f"centre-{name}", f"{name}: {_cell_title(cell)}", hexagon(mx, my, CENTRE_SIDE), shapes, chosen)
        # 3. The worshipers on it, those that come and those that go.
        tray, tokens = y + 2 * CENTRE_SIDE + 3, self.on_cell(index, cell)
        drawn: list[Shape] = [Rect(x + 8, tray, w - 16, 26, 13, TRAY, MARK if chosen else LINE, 2 if chosen else 1)]
        drawn += row(tokens, x + 16, tray + 13, w - 32, 0.5)
        marked = any(isinstance(token, Disc) and token.mark for token in tokens)
        title = f"{name}: {cell.worshipers}"
        self.add(f"worshipers-{name}", title, rectangle(x + 8, tray, w - 16, 26), drawn, marked)

    def on_cell(self, index: int, cell: Cell) -> list[Token]:
        move = self.move
        removed = [0] * len(Colour)
        seeded: Colour | None = None
        if move is not None and move.cell is not None:
            tile = self.position.centre[move.cell].tile
            assert tile is not None
            seeded = tile.colour if index in NEIGHBOURS[move.cell] else None
            for where, colour, number in move.removed:
                removed[colour] += number if where == index else 0
        # A volcano may take the very worshiper that came this turn.
        came = NOBODY if seeded is None else NOBODY.changed(seeded, 1)
        gone = Worshipers(*removed)
        stays = Worshipers(*(max(a - b, 0) for a, b in zip(cell.worshipers, gone)))
        taken = cell.worshipers.minus(stays)
        tokens: list[Token] = []
        many = cell.worshipers.total > 7
        tokens += self.art.discs(stays, 8.5, 0 if many else 7)
        for colour, count in zip(Colour, taken):
            if many and count:
                tokens += [self.art.disc(colour, 8.5, "removed"), Word(f"×{count}", 14.5, bold=True, fill=MARK), Gap(1)]
            else:
                tokens += [self.art.disc(colour, 8.5, "removed")] * count
        for colour, count in zip(Colour, came):
            if count:
                if tokens:
                    tokens.append(Gap(2))
                tokens.append(self.art.disc(colour, 8.5, "seeded"))
                if gone[colour] > cell.worshipers[colour]:
                    tokens.append(self.art.disc(colour, 8.5, "removed"))
        return tokens

    # --------------------------------------------------------------------------- gods, piles, legend

    def gods_height(self) -> float:
        gods = SET_UP[len(self.position.players)].gods
        return PAD + 26 + gods * GOD_HEIGHT + 36

    def gods(self, x: float, y: float, height: float) -> None:
        self.panel(x, y, COLUMN, height)
        inner, left = COLUMN - 2 * PAD, x + PAD
        shapes: list[Shape] = [self.heading(self.say("gods"), left, y + PAD - 2, inner / 2)]
        if not self.position.options.most_at_zero:
            text, size = fitted(self.say("most"), inner / 2, 12)
            shapes.append(Text(left + inner, y + PAD + 13, text, size, GREY, anchor="end"))
        owners = {player.god: index for index, player in enumerate(self.position.players) if player.god is not None}
        listed = [*self.position.gods, *(god for god in owners if god not in self.position.gods)]
        top = y + PAD + 24
        step = min(1.25 * GOD_HEIGHT, (height - PAD - 62) / max(len(listed), 1))
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
        self.add("gods", "", rectangle(x, y, COLUMN, height), shapes)

    def god(self, god: God, owner: int | None, x: float, y: float, w: float, h: float) -> None:
        chosen = self.move is not None and self.move.god is god
        taken = owner is not None
        fill, edge = (TRAY, LINE) if taken else ("#FFFDF6", "#B99A3C")
        shapes: list[Shape] = [Rect(x, y, w, h, 8, fill, MARK if chosen else edge, 4 if chosen else 1.2)]
        column = 0.27 * w
        text, size = fitted(self.say(f"god {god.word}"), column - 18, 15, True)
        ink = GREY if taken else INK
        if owner is not None:
            shapes.append(Text(x + 10, y + h / 2 - 2, text, size, ink, True))
            by, small = fitted(self.say("taken by", name=self.name(owner)), column - 18, 10.5)
            shapes.append(Text(x + 10, y + h / 2 + 12, by, small, ink))
        else:
            shapes.append(Text(x + 10, y + h / 2 + 0.365 * size, text, size, ink, True))
        lines, size = wrapped(self.words.god(god), w - column - 10, 12.5, 2)
        first = y + h / 2 + 0.365 * size - (len(lines) - 1) * 0.6 * size
        for number, line in enumerate(lines):
            shapes.append(Text(x + column, first + number * 1.2 * size, line, size, ink))
        self.add(
            f"god-{god.word}",
            f"{god.word}: {GOD_WORDS[god].format(**god_figures(god))}",
            rectangle(x, y, w, h),
            shapes,
            chosen,
        )

    def piles_height(self) -> float:
        return PAD + 24 + 3 * 29 + 8 + 160 + PAD

    def piles(self, x: float, y: float, height: float) -> None:
        self.panel(x, y, COLUMN, height)
        inner, left = COLUMN - 2 * PAD, x + PAD
        total = sum(pile.left for pile in self.position.piles)
        shapes: list[Shape] = [self.heading(self.say("piles"), left, y + PAD - 2, inner / 2)]
        text, size = fitted(self.say("left", left=total), inner / 2, 13)
        shapes.append(Text(left + inner, y + PAD + 13, text, size, GREY, anchor="end"))
        top = y + PAD + 24
        for level, pile in zip(LEVEL, self.position.piles):
            shapes += self.pile(level, pile, left, top + 15, inner)
            top += 29
        self.add("piles", "", rectangle(x, y, COLUMN, top - y), shapes)
        self.legend(left, top + 8, inner, y + height - PAD - top - 8)

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
        return [*shapes, *row(tokens, x + 150, y, w - 150)]

    def legend(self, x: float, y: float, w: float, height: float) -> None:
        """A sample tile with lines to what its parts mean, and the letters of the colours."""
        sample = Tile(
            "b3c", 3, Colour.BLUE, Worshipers(green=1, blue=1), 1, Effect.IRRIGATION, 0, (Colour.RED,), 4, None
        )
        heading, size = fitted(self.say("legend"), 0.36 * w - 20, 13, True)
        shapes: list[Shape] = [
            Polygon(((x, y), (x + w, y)), stroke=LINE, width=1.2, closed=False),
            Text(x, y + 20, heading, size, INK, True),
        ]
        y, height = y + 16, height - 16
        side = min(CENTRE_SIDE, height / 2 - 2)
        u = side / 64
        mx, my = x + 0.36 * w, y + height / 2
        worth = Word(self.words.points("CP", sample.cp), 13, bold=True)
        labels = (
            ("colour and level", -1, -40, -20),
            ("effect", -1, -1, 48),
            ("points", -1, 43, 24),
            ("id", 1, -26, 24),
            ("cost", 1, 26, 32),
        )
        for key, to, at, inset in labels:
            edge = mx + to * (side * HALF + 14)
            line = ((edge, my + at * u), (mx + to * inset * u, my + at * u))
            shapes.append(Polygon(line, stroke=FAINT, width=1.2, closed=False))
            room = (edge - x - 4) if to < 0 else 0.17 * w
            text, size = fitted(self.say(key), room, 12)
            shapes.append(Text(edge + to * 4, my + at * u + 4.3, text, size, GREY, anchor="end" if to < 0 else "start"))
        shapes += self.art.tile(mx, my, side, sample, worth, self.art.details(sample, None))
        left = x + 0.72 * w
        pitch = min(21.0, height / 7)
        shown: list[Colour | None] = [*Colour, None]
        for number, colour in enumerate(shown):
            word = self.say("any") if colour is None else self.say(f"colour {colour.word}")
            text, size = fitted(word, x + w - left - 24, 12)
            tokens: list[Token] = [self.art.disc(colour, 7.5), Gap(3), Word(text, size, fill=GREY)]
            shapes += row(tokens, left, my + (number - 3) * pitch, x + w - left)
        text, size = fitted(self.say("mystic"), x + w - left - 24, 12)
        shapes += row([Mystic(15), Gap(3), Word(text, size, fill=GREY)], left, my + 3 * pitch, x + w - left)
        self.add("legend", self.say("legend"), rectangle(x, y - 16, w, height + 16), shapes)

    # ------------------------------------------------------------------------------------ players

    def is_mover(self, index: int) -> bool:
        return self.move is not None and self.position.to_move == index

    def god_name(self, player: Player) -> str:
        assert player.god is not None
        name = self.say(f"god {player.god.word}")
        return name if player.god_validated else self.say("god cancelled", god=name)

    def rows_shown(self, index: int) -> int:
        player = self.position.players[index]
        slots = [slot for slot, _ in player.placed()]
        if not self.position.is_over:
            slots += rules.open_slots(player)
        return max((slot.row for slot in slots), default=1)

    def player(self, index: int, x: float, y: float, height: float) -> None:
        player, score = self.position.players[index], self.scores[index]
        won = self.position.is_over and index in rules.leaders(self.scores)
        first = won or self.position.to_move == index
        self.panel(x, y, COLUMN, height, mark=first)
        left, inner = x + PAD, COLUMN - 2 * PAD
        # 1. Number, name, whether it is their turn or victory, points.
        line = y + PAD + 11
        shapes: list[Shape] = [Circle(left + 11, line, 11, INK if first else GREY)]
        shapes.append(Text(left + 11, line + 4.7, str(index + 1), 13, "#FFFFFF", True, "middle"))
        points = self.words.points("CP" if self.position.is_over else "CP now", score.total)
        points, size = fitted(points, 0.3 * inner, 18, True)
        shapes.append(Text(left + inner, line + 0.365 * size, points, size, INK, True, "end"))
        room = inner - 30 - text_width(points, size, True) - 16
        pill, pill_size = fitted(self.say("winner" if won else "on turn"), 0.25 * inner, 12, True)
        pill_width = text_width(pill, pill_size, True) + 20 if first else 0
        name, size = fitted(self.name(index), room - pill_width - 10, 18, True, 12)
        shapes.append(Text(left + 30, line + 0.365 * size, name, size, INK, True))
        if first:
            at = left + 30 + text_width(name, size, True) + 10
            shapes.append(Rect(at, line - 10, pill_width, 20, 10, INK))
            shapes.append(Text(at + 10, line + 0.365 * pill_size, pill, pill_size, "#FFFFFF", True))
        # 2. Realm, and what the move leaves of it.
        line += 29
        tokens: list[Token] = [Word(self.say("realm"), 13, fill=GREY), Gap(6), *self.realm(player.realm)]
        if self.is_mover(index) and self.move is not None:
            tokens += [Gap(6), Arrow(16), Gap(4), *self.realm(self.move.realm), Gap(3)]
            tokens.append(Word(self.say("after"), 12, fill=MARK))
        shapes += row(tokens, left, line, inner)
        # 3. God, farms, temples.
        line += 25
        shapes += row(self.facts(index), left, line, inner)
        self.add(f"player-{index + 1}", self.name(index), rectangle(x, y, COLUMN, 100), shapes)
        # 4. The universe.
        self.universe(index, x + COLUMN / 2, y + height - PAD - SIDE)

    def realm(self, realm: Worshipers) -> list[Token]:
        if realm.total == 0:
            return [Word(self.say("nobody"), 13)]
        return self.art.discs(realm, 9, 10)

    def facts(self, index: int) -> list[Token]:
        player = self.position.players[index]
        tokens: list[Token] = [Word(self.say("god"), 13, fill=GREY), Gap(4)]
        if self.is_mover(index) and self.move is not None and self.move.god is not None:
            god = self.god_name(player._replace(god=self.move.god, god_validated=self.move.validated))
            tokens += [Arrow(16), Gap(2), Word(god, 13, bold=True, fill=MARK)]
        elif player.god is None:
            tokens.append(Word(self.say("no god"), 13, fill=GREY))
        else:
            tokens.append(Word(self.god_name(player), 13, bold=True))
        farms = sorted(rules.free_colours(player))
        if farms:
            tokens += [Gap(14), Word(self.say("farms"), 13, fill=GREY), Gap(4)]
            tokens += [self.art.disc(colour, 8) for colour in farms]
        temples = rules.temple_count(player)
        if temples:
            tokens += [Gap(14), Word(self.say("temples"), 13, fill=GREY), Gap(4), Word(str(temples), 13, bold=True)]
        mystic = rules.highest_mystic(player)
        if mystic >= 0:
            tokens += [Gap(14), Mystic(13), Gap(1), Word(str(mystic), 13, bold=True)]
        return tokens

    def universe(self, index: int, middle: float, bottom: float) -> None:
        """The pyramid, with row 1 in the middle of the panel; `bottom` is the height of that row's centres."""
        player, move = self.position.players[index], self.move
        target = move.slot if move is not None and self.is_mover(index) else None
        bottom_row = len(player.rows[0])
        # A tile at the left end moves all others one column on; at either end the row grows by one.
        grows = target is not None and target.row == 1
        shift = 1 if target == Slot(1, 0) and bottom_row else 0
        columns = max(bottom_row + grows, 1)
        width = 2 * HALF * SIDE

        def centre(row: int, column: int) -> Point:
            across = column + (row - 1) / 2 - (columns - 1) / 2
            return middle + across * width, bottom - (row - 1) * 1.5 * SIDE

        prefix = f"player-{index + 1}"
        if not self.position.is_over:
            for slot in rules.open_slots(player):
                if slot != target:
                    # The left end of row 1 is beside what is column 0 now.
                    end = slot == Slot(1, 0) and bottom_row > 0
                    at = centre(slot.row, slot.column + shift - end)
                    self.free_slot(f"{prefix}-free", player, slot, at, columns)
        for slot, each in player.placed():
            x, y = centre(slot.row, slot.column + shift)
            title = f"{slot.row}.{slot.column + 1}: {_placed_title(each)}"
            shapes = self.art.placed(x, y, player, slot, each)
            self.add(f"{prefix}-{slot.row}.{slot.column + 1}", title, hexagon(x, y, SIDE), shapes)
        if move is not None and target is not None and move.cell is not None:
            x, y = centre(*target)
            tile = self.position.centre[move.cell].tile
            face = Face.WILD if move.wild else Face.UP if move.validated else Face.CANCELLED
            new = Placed(tile, face)
            shapes = self.art.placed(x, y, rules.place(player, target, new), target, new) + self.art.ring(x, y, SIDE)
            name = player.slot_name(target)
            self.add(f"{prefix}-to-{name}", f"{name}: {_placed_title(new)}", hexagon(x, y, SIDE), shapes, marked=True)
            self.aim(x, y, target, bottom_row)

    def aim(self, x: float, y: float, target: Slot, bottom_row: int) -> None:
        """The arrow comes in at the top or, at an end of row 1, from the outer side, past whatever lies over it."""
        if target.row > 1 or bottom_row < 2:
            self.target = ((x, y - SIDE), (0.0, 1.0))
            return
        sign = 1 if target.column == 0 else -1
        edge = (x - sign * SIDE * HALF / 2, y - 0.75 * SIDE)
        self.target = (edge, (sign * 0.5, HALF))

    def free_slot(self, prefix: str, player: Player, slot: Slot, at: Point, columns: int) -> None:
        """An outline with the slot's name. The ends of a long row 1 are drawn as halves: six whole tiles are too
        wide."""
        x, y = at
        name = player.slot_name(slot)
        corners = hexagon(x, y, SIDE - 3)
        shapes: list[Shape]
        if slot.row > 1 or columns <= 3:
            shapes = [Polygon(corners, stroke=FAINT, width=1.5, dash=6)]
            shapes.append(Text(x, y + 5, name, 14, GREY, anchor="middle"))
            outline = corners
        elif columns == 5:
            return  # the move fills the row from its other end
        else:
            half = SIDE * HALF
            points = corners[:4] if slot.column == 0 else (corners[3], corners[4], corners[5], corners[0])
            middle = x + (half / 2 if slot.column == 0 else -half / 2)
            shapes = [Polygon(points, stroke=FAINT, width=1.5, dash=6, closed=False)]
            shapes.append(Text(middle, y + 5, name, 14, GREY, anchor="middle"))
            outline = points
        self.add(f"{prefix}-{name}", name, outline, shapes)


def _cell_title(cell: Cell) -> str:
    return f"{'-' if cell.tile is None else _tile_title(cell.tile)} | {cell.worshipers}"


def _placed_title(placed: Placed) -> str:
    front = "" if placed.tile is None else _tile_title(placed.tile)
    if placed.face is Face.UP:
        return front
    form = N_("cancelled {tile}") if placed.face is Face.CANCELLED else N_("wild {tile}")
    return _(form, tile=front).strip()


def _tile_title(tile: Tile) -> str:
    return tell(tile) if tile.described else f"{tile.id} {tell(tile)}"
