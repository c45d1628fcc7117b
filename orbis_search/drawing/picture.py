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
from ..game.position import Cell, Move, Placed, Player, Position, Slot
from ..game.problems import expect_position
from ..game.tiles import Tile
from ..game.vocabulary import CELLS, NEIGHBOURS, NOBODY, TURNS, Colour, Face, Worshipers
from ..notation import format_move
from ..tileset.descriptions import tell
from .fontwidths import text_width
from .glyphs import (
    BETTER,
    FAINT,
    GREY,
    INK,
    LINE,
    MARK,
    MARK_PALE,
    PANEL,
    PAPER,
    TRAY,
    Arrow,
    Disc,
    Gap,
    Mystic,
    Token,
    Word,
    fitted,
    row,
    row_width,
)
from .labels import marks_of, result_points
from .picture_words import Words
from .scene import Circle, Curve, Group, Point, Polygon, Rect, Scene, Shape, Text, hexagon, rectangle
from .supply import GAP, PAD, Sheet, Supply
from .tile_art import CENTRE_SIDE, HALF, LEVEL, SIDE

WIDE, NARROW = Sheet(1200.0, 20.0, 2), Sheet(390.0, 1.0, 1, legend=False)
CELL_HEIGHT = 2 * CENTRE_SIDE + 42
MARGIN = 10.0  # between an arrow and the edge
LONGEST = 5  # row 1 of a universe that is full


def draw_position(
    position: Position,
    move: Move | None = None,
    caption: str | None = None,
    *,
    words: Mapping[str, str] = {},
    scores: Sequence[rules.Score] | None = None,
    better: Move | None = None,
    sheet: Sheet = WIDE,
) -> Scene:
    """The whole table. A legal `move` is marked on it, and without a caption its notation is the caption.

    A `better` move is marked too, with dashes where the other has lines. The points are as if the game ended here; a
    caller that has counted them already may pass them in. On the sheet `NARROW` everything is in one column, with the
    universe of the player to move right below the centre.

        >>> scene = draw_position(position, caption="Whose turn is it?")
        >>> scene.width > scene.height > 0
        True
    """
    expect_position(position)
    if caption is not None:
        expect_text(caption, "caption")
    for each in (move, better):
        if each is not None:
            expect_whole(each)
            _check_place(position, each)
    if move is not None and caption is None:
        caption = format_move(position, move)
    scores = scores or rules.score(position)
    return _Picture(position, move, better, caption or "", Words(words), scores, sheet).scene()


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


class _Picture(Supply):
    def __init__(
        self,
        position: Position,
        move: Move | None,
        better: Move | None,
        caption: str,
        words: Words,
        scores: Sequence[rules.Score],
        sheet: Sheet,
    ) -> None:
        super().__init__(position, move, better, words, sheet)
        self.caption = caption
        self.scores = scores
        self.sources: dict[int, Point] = {}  # where an arrow may start: the tiles of the centre
        self.targets: dict[Slot, tuple[Point, Point]] = {}  # ... where it ends, and the direction it comes in

    # ---------------------------------------------------------------------------------- the sheet

    def scene(self) -> Scene:
        """Two columns, with the centre at the top left. With three players, the first one goes beside it."""
        y = self.one_column() if self.narrow else self.two_columns()
        y = self.footer(y)
        self.groups[:0] = [Group("panels", "", rectangle(0, 0, self.sheet.width, y), tuple(self.panels))]
        for name, move in (("better", self.better), ("move", self.move)):
            if move is not None and move.cell is not None and move.slot is not None:
                self.arrow(name, self.sources[move.cell], *self.targets[move.slot])
        return Scene(self.sheet.width, y, self.headline(), self.description(), PAPER, tuple(self.groups))

    def two_columns(self) -> float:
        count = len(self.position.players)
        left, right = self.sheet.margin, self.sheet.margin + self.column + GAP
        universe = max(self.universe_height(index) for index in range(count))
        centre = PAD + 24 + 3 * CELL_HEIGHT + 4
        y = self.header()
        if count == 3:
            centre = max(centre, universe)
        self.centre(left, y, centre)
        if count == 3:
            self.player(0, right, y, centre)
        else:
            gods = self.gods_height() if self.sheet.legend else centre - GAP - self.piles_height()
            self.gods(right, y, gods)
            self.piles(right, y + gods + GAP, centre - gods - GAP)
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
        return y

    def one_column(self) -> float:
        """The centre, below it whoever is to move, then the others in turn order, gods and piles."""
        count = len(self.position.players)
        x, y = self.sheet.margin, self.header()
        centre = PAD + 24 + 3 * CELL_HEIGHT + 4
        self.centre(x, y, centre)
        y += centre + GAP
        first = self.position.to_move or 0
        for index in ((first + step) % count for step in range(count)):
            height = self.universe_height(index)
            self.player(index, x, y, height)
            y += height + GAP
        for panel, height in ((self.gods, self.gods_height()), (self.piles, self.piles_height())):
            panel(x, y, height)
            y += height + GAP
        return y

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
        width, margin = self.sheet.width, self.sheet.margin
        if self.narrow:
            return margin
        title, _dot, rest = self.headline().partition(" · ")
        shapes: list[Shape] = [Text(margin, 46, *fitted(title, 200, 32, True), INK, True)]
        start = margin + text_width(title, 32, True) + 22
        before, _, who = rest.rpartition(" · ")
        tokens: list[Token] = [Word(before, 17, fill=GREY), Gap(10), Word(who, 17, bold=True)]
        room = width - margin - start
        if row_width(tokens) > room:  # a long name: what is left of it keeps its size
            space = room - row_width(tokens[:2]) - 4
            tokens[2] = Word(*fitted(who, space, 17, True, 11), bold=True)
        shapes += row(tokens, start, 40, room)
        bottom = 64.0
        self.add("header", "", rectangle(0, 0, width, bottom), shapes)
        if self.caption:
            text, size = fitted(self.caption, width - 2 * margin - 68, 19, True, 11)
            bar: list[Shape] = [Rect(margin, bottom, width - 2 * margin, 40, 10, MARK)]
            bar += Arrow(24, "#FFFFFF").shapes(margin + 16, bottom + 20, 1)
            bar.append(Text(margin + 52, bottom + 20 + 0.365 * size, text, size, "#FFFFFF", True))
            self.add("caption", self.caption, rectangle(margin, bottom, width - 2 * margin, 40), bar, marked=True)
            bottom += 40 + GAP
        return bottom

    def footer(self, y: float) -> float:
        width, margin = self.sheet.width, self.sheet.margin
        if self.narrow:
            return y - GAP + margin
        notes = self.notes()
        x, room = margin, width - 2 * margin
        text, size = fitted(self.say("tiles", name=self.position.tiles.name), 0.35 * room, 12)
        shapes: list[Shape] = [Text(width - margin, y + 12, text, size, GREY, anchor="end")]
        room -= text_width(text, size) + 24
        if notes:
            shapes += row(notes, x, y + 12 - 0.365 * 12, room, space=4)
        self.add("footer", "", rectangle(0, y - GAP / 2, width, 34), shapes)
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

    def arrow(self, name: str, start: Point, end: Point, direction: Point) -> None:
        """Behind the tiles, entering its slot where nothing lies. That of the better move is dashed and hollow."""
        reach = min(130.0, 0.45 * math.dist(start, end))
        tip = (end[0] - 3 * direction[0], end[1] - 3 * direction[1])
        back = (tip[0] - 16 * direction[0], tip[1] - 16 * direction[1])
        # A curve stays between its four points, so the arrow stays inside the picture.
        across = min(max(back[0] - reach * direction[0], MARGIN), self.sheet.width - MARGIN)
        coming = (across, back[1] - reach * direction[1])
        lowered = (start[0] + 0.3 * (end[0] - start[0]), start[1] + 0.3 * (end[1] - start[1]))
        curve = Curve(start, lowered, coming, back, MARK_PALE, 7)
        aside = (-direction[1] * 10, direction[0] * 10)
        corners = (tip, (back[0] + aside[0], back[1] + aside[1]), (back[0] - aside[0], back[1] - aside[1]))
        line: Shape = curve
        head = Polygon(corners, MARK, "#FFFFFF", 1.5)
        if name == "better":
            line = Polygon(curve.points, stroke=BETTER, width=3, dash=10, closed=False)
            head = Polygon(corners, "#FFFFFF", BETTER, 3)
        everything = rectangle(0, 0, self.sheet.width, 10_000)
        self.groups.insert(1, Group(f"{name}-line", "", everything, (line,), marked=True))
        self.groups.append(Group(f"{name}-head", "", everything, (head,), marked=True))

    # ------------------------------------------------------------------------------------- centre

    def centre(self, x: float, y: float, height: float) -> None:
        self.panel(x, y, height)
        heading = self.heading(self.say("centre"), x + PAD, y + PAD - 2, self.inner)
        self.add("centre", "", rectangle(x, y, self.column, 36), [heading])
        pitch = self.inner / 3
        top = y + PAD + 24 + (height - (PAD + 28 + 3 * CELL_HEIGHT)) / 2
        drawn = len(self.groups)
        for index, cell in enumerate(self.position.centre):
            self.cell(index, cell, x + PAD + index % 3 * pitch, top + index // 3 * CELL_HEIGHT, pitch)
        if self.narrow:  # the tiles touch: a ring must not lie below the tile beside it
            self.groups[drawn:] = sorted(self.groups[drawn:], key=lambda group: group.marked)

    def cell(self, index: int, cell: Cell, x: float, y: float, w: float) -> None:
        name, move = CELLS[index], self.move
        mx, my = x + w / 2, y + CENTRE_SIDE
        chosen = move is not None and move.cell == index
        # 1. Its name, in the corner that the hexagon leaves free.
        across, down, large = (1, 13, 15) if self.narrow else (8, 20, 17)
        label = Text(x + across, y + down, name, large, MARK if chosen else GREY, True)
        self.add(f"name-{name}", "", rectangle(x, y, 40, 30), [label])
        # 2. The tile.
        if cell.tile is None:
            shapes: list[Shape] = [Polygon(hexagon(mx, my, CENTRE_SIDE), stroke=FAINT, width=1.5, dash=6)]
            if self.sheet.laid:
                text, size = fitted(self.say("to be refilled"), 1.5 * CENTRE_SIDE, 13)
                shapes.append(Text(mx, my + 5, text, size, GREY, anchor="middle"))
            else:
                shapes.append(Text(mx, my + 10, "+", 30, GREY, anchor="middle"))
        else:
            worth = Word(self.words.points("CP", cell.tile.cp), 13, bold=True)
            shapes = self.art.tile(mx, my, CENTRE_SIDE, cell.tile, worth, self.art.details(cell.tile, None))
        if chosen:
            shapes = [*shapes, *self.art.ring(mx, my, CENTRE_SIDE)]
        wanted = self.better is not None and self.better.cell == index
        if wanted:
            shapes = [*shapes, *self.art.dashed_ring(mx, my, CENTRE_SIDE, ringed=chosen)]
        self.sources[index] = (mx, my)
        title = f"{name}: {_cell_title(cell)}"
        self.add(f"centre-{name}", title, hexagon(mx, my, CENTRE_SIDE), shapes, chosen or wanted)
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

    # ------------------------------------------------------------------------------------ players

    def is_mover(self, index: int) -> bool:
        return self.move is not None and self.position.to_move == index

    def god_name(self, player: Player) -> str:
        assert player.god is not None
        name = self.say(f"god {player.god.word}")
        return name if player.god_validated else self.say("god cancelled", god=name)

    def universe_height(self, index: int) -> float:
        tiles = (2 + 1.5 * (self.rows_shown(index) - 1)) * SIDE
        return self.facts_height(index) + self.universe_scale(index) * tiles + PAD

    def facts_height(self, index: int) -> float:
        """Of what is written above a universe; a narrow panel has a line of its own for the realm after the move."""
        return 125 if self.narrow and self.is_mover(index) else 100

    def universe_scale(self, index: int) -> float:
        """Below 1 where row 1 and its free ends are wider than the panel."""
        columns = self.columns(index)
        ends = 0 if self.position.is_over else 2 if self.whole_ends(columns) else 1
        if columns == LONGEST and self.aims(index, self.better) in (None, self.aims(index, self.move)):
            ends = 0
        return min(1.0, self.inner / ((columns + ends) * 2 * HALF * SIDE))

    def aims(self, index: int, move: Move | None) -> Slot | None:
        """Where in row 1 of a universe a move puts its tile."""
        slot = move.slot if move is not None and self.position.to_move == index else None
        return slot if slot is not None and slot.row == 1 else None

    def columns(self, index: int) -> int:
        """Of row 1, with the tile of the move."""
        return max(1, len(self.position.players[index].rows[0]) + (self.aims(index, self.move) is not None))

    def whole_ends(self, columns: int) -> bool:
        """Whether the free ends of row 1 are drawn as whole tiles: beside a long row there is room for halves only."""
        return columns <= (1 if self.narrow else 3)

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
        self.panel(x, y, height, mark=first)
        left, inner = x + PAD, self.inner
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
            if self.narrow:
                shapes += row(tokens, left, line, inner)
                line, tokens = line + 25, []
            tokens += [Gap(6), Arrow(16), Gap(4), *self.realm(self.move.realm), Gap(3)]
            tokens.append(Word(self.say("after"), 12, fill=MARK))
        shapes += row(tokens, left, line, inner)
        # 3. God, farms, temples.
        line += 25
        shapes += row(self.facts(index), left, line, inner)
        self.add(
            f"player-{index + 1}", self.name(index), rectangle(x, y, self.column, self.facts_height(index)), shapes
        )
        # 4. The universe.
        drawn, scale = len(self.groups), self.universe_scale(index)
        foot = (x + self.column / 2, y + height - PAD)
        self.universe(index, foot[0], foot[1] - SIDE)
        if scale < 1:
            self.groups[drawn:] = [group.scaled(scale, foot) for group in self.groups[drawn:]]
            if self.position.to_move == index:
                self.targets = {
                    slot: ((foot[0] + scale * (at[0] - foot[0]), foot[1] + scale * (at[1] - foot[1])), direction)
                    for slot, (at, direction) in self.targets.items()
                }

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
        shift = 1 if target == Slot(1, 0) and bottom_row else 0
        columns = self.columns(index)
        better = self.better if self.position.to_move == index else None
        width = 2 * HALF * SIDE

        def centre(row: int, column: int) -> Point:
            across = column + (row - 1) / 2 - (columns - 1) / 2
            return middle + across * width, bottom - (row - 1) * 1.5 * SIDE

        prefix = f"player-{index + 1}"
        free: dict[Slot, Point] = {}
        if not self.position.is_over:
            for slot in rules.open_slots(player):
                if slot != target:
                    # The left end of row 1 is beside what is column 0 now.
                    end = slot == Slot(1, 0) and bottom_row > 0
                    free[slot] = centre(slot.row, slot.column + shift - end)
        for slot, at in free.items():
            if better is None or slot != better.slot:
                self.free_slot(f"{prefix}-free", player, slot, at, columns)
        for slot, each in player.placed():
            x, y = centre(slot.row, slot.column + shift)
            title = f"{slot.row}.{slot.column + 1}: {_placed_title(each)}"
            shapes = self.art.placed(x, y, player, slot, each)
            self.add(f"{prefix}-{slot.row}.{slot.column + 1}", title, hexagon(x, y, SIDE), shapes)
        if better is not None and better.slot in free:
            self.better_slot(f"{prefix}-better", player, better, free[better.slot], columns)
        if move is not None and target is not None and move.cell is not None:
            x, y = centre(*target)
            tile = self.position.centre[move.cell].tile
            face = Face.WILD if move.wild else Face.UP if move.validated else Face.CANCELLED
            new = Placed(tile, face)
            shapes = self.art.placed(x, y, rules.place(player, target, new), target, new) + self.art.ring(x, y, SIDE)
            if better is not None and better.slot == target:
                shapes += self.art.dashed_ring(x, y, SIDE, ringed=True)
            name = player.slot_name(target)
            self.add(f"{prefix}-to-{name}", f"{name}: {_placed_title(new)}", hexagon(x, y, SIDE), shapes, marked=True)
            self.aim(x, y, target, bottom_row)

    def aim(self, x: float, y: float, target: Slot, bottom_row: int) -> None:
        """The arrow comes in at the top or, at an end of row 1, from the outer side, past whatever lies over it."""
        if target.row > 1 or bottom_row < 2:
            self.targets[target] = ((x, y - SIDE), (0.0, 1.0))
            return
        sign = 1 if target.column == 0 else -1
        edge = (x - sign * SIDE * HALF / 2, y - 0.75 * SIDE)
        self.targets[target] = (edge, (sign * 0.5, HALF))

    def free_slot(self, prefix: str, player: Player, slot: Slot, at: Point, columns: int) -> None:
        """An outline with the slot's name."""
        if slot.row == 1 and columns == LONGEST:
            return  # the move fills the row from its other end
        outline, closed, middle = self.slot_outline(slot, at, columns)
        name = player.slot_name(slot)
        shapes: list[Shape] = [Polygon(outline, stroke=FAINT, width=1.5, dash=6, closed=closed)]
        shapes.append(Text(middle, at[1] + 5, name, 14, GREY, anchor="middle"))
        self.add(f"{prefix}-{name}", name, outline, shapes)

    def slot_outline(self, slot: Slot, at: Point, columns: int) -> tuple[tuple[Point, ...], bool, float]:
        """Its points, whether it is closed, and where its middle is. The ends of a long row 1 are drawn as halves: six
        whole tiles are too wide."""
        x, y = at
        corners = hexagon(x, y, SIDE - 3)
        if slot.row > 1 or self.whole_ends(columns):
            return corners, True, x
        points = corners[:4] if slot.column == 0 else (corners[3], corners[4], corners[5], corners[0])
        return points, False, x + (SIDE * HALF / 2 if slot.column == 0 else -SIDE * HALF / 2)

    def better_slot(self, prefix: str, player: Player, move: Move, at: Point, columns: int) -> None:
        """Where the better move lays its tile: a dashed outline with what would lie there."""
        assert move.cell is not None and move.slot is not None
        slot, (x, y) = move.slot, at
        outline, closed, middle = self.slot_outline(slot, at, columns)
        tile = self.position.centre[move.cell].tile
        assert tile is not None
        room = 1.5 * SIDE if closed else 0.72 * SIDE
        lines = [self.say("better"), f"{self.words.letter(tile.colour)} {LEVEL[tile.level]}"]
        lines += [self.say("wilderness")] if move.wild and closed else []
        shapes: list[Shape] = [Polygon(outline, PANEL if closed else "", BETTER, 5, 12, closed)]
        for number, line in enumerate(lines):
            text, size = fitted(line, room, 15, number == 0)
            up = (number - (len(lines) - 1) / 2) * 19 + 5
            shapes.append(Text(middle, y + up, text, size, BETTER, number == 0, "middle"))
        name = player.slot_name(slot)
        face = Face.WILD if move.wild else Face.UP if move.validated else Face.CANCELLED
        title = f"{self.say('better')}: {name}, {_placed_title(Placed(tile, face))}"
        self.add(f"{prefix}-{name}", title, outline, shapes, marked=True)
        if closed:
            self.aim(x, y, slot, len(player.rows[0]))
        else:  # straight from above: outside the half that is drawn there may be no room
            sign = 1 if slot.column == 0 else -1
            self.targets[slot] = ((x + sign * 8, y - SIDE + 2), (0.0, 1.0))


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
