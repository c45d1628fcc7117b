"""Positions drawn for a terminal of 80 columns: text in, text out, nothing printed.

Colour is an extra, never the message: every colour also shows as its letter (R G B Y W), so the plain
drawing and the coloured one say the same to everybody.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from ..base.language import N_, _, ngettext, pgettext
from ..base.quoting import listed
from ..game import rules
from ..game.position import Cell, Move, Pile, Placed, Player, Position, Slot
from ..game.tiles import TileSet
from ..game.vocabulary import CELLS, LEVELS, NEIGHBOURS, SET_UP, TURNS, Colour, Effect, Face, God
from .canvas import BOLD, DIM, GROUND, MARKED, PLAIN, WIDTH, Canvas, Span, first_that_fits, fit, spans_width, text_width
from .labels import (
    SOURCES,
    effect_words,
    god_words,
    letter,
    marks_of,
    placed_words,
    player_facts,
    player_name,
    result_points,
    short_effect,
    tile_label,
    tile_name,
    tile_words,
)
from .spans import cost_spans, worshiper_spans

EMPTY_CELL = N_("empty: to be refilled")

# ------------------------------------------------------------------------------------------ a position


def render_position(position: Position, *, colour: bool = False, scores: Sequence[rules.Score] | None = None) -> str:
    """The whole table: turn, centre, gods, every universe with its realm and points, piles.

    The points are as if the game ended here; a caller that has counted them already may pass them in.
    """
    if scores is None:
        scores = rules.score(position)
    blocks = [_headline(position, scores), _centre(position), _gods(position)]
    blocks += [_player(position, index, score) for index, score in enumerate(scores)]
    blocks += [_piles(position), _legend(position)]
    drawn = ["\n".join(block.lines(colour)) for block in blocks]
    return "\n\n".join(text for text in drawn if text) + "\n"


def render_turn(position: Position, *, colour: bool = False, lines: int | None = None) -> str:
    """What the player to move looks at: centre, gods, universes. With several opponents, what they hold instead of
    their universes. If a terminal of so many lines has too few for all, the centre comes last, where it can be seen."""
    scores = rules.score(position)
    short = len(position.players) > 2
    table = [_centre(position), _gods(position)]
    universes = [_player(position, index, scores[index], pyramid=not short) for index in _others(position)]
    if position.to_move is not None:
        universes.append(_player(position, position.to_move, scores[position.to_move]))
    head, drawn, below = (
        ["\n".join(block.lines(colour)) for block in blocks]
        for blocks in ([_headline(position, scores)], table, universes)
    )
    text = "\n\n".join([*head, *drawn, *below]) + "\n"
    if lines is None or text.count("\n") < lines:
        return text
    return "\n\n".join([*head, *below, *reversed(drawn)]) + "\n"


def render_scores(position: Position, *, colour: bool = False) -> str:
    """Who has won, and everybody's points by source."""
    scores = rules.score(position)
    names = [fit(player_name(position, index), 14) for index in range(len(scores))]
    rows = [(_(words), [getattr(score, source) for score in scores]) for source, words in SOURCES.items()]
    rows = [(words, values) for words, values in rows if any(values)]
    rows += [
        (_("together"), [score.total for score in scores]),
        (_("worshipers left"), [score.worshipers for score in scores]),
    ]
    canvas = Canvas()
    canvas.put(0, 1, fit(_winner_words(position, scores), WIDTH - 2), BOLD)
    first = max(text_width(words) for words, values in rows) + 4
    ends = [first]
    for name in names:
        ends.append(ends[-1] + max(text_width(name), 4) + 2)
        canvas.put(2, ends[-1] - text_width(name), name, BOLD)
    for row, (words, values) in enumerate(rows, 3):
        canvas.put(row, 2, words)
        for end, value in zip(ends[1:], values):
            canvas.put(row, end - len(str(value)), str(value))
    return "\n".join(canvas.lines(colour)) + "\n"


def render_centre(position: Position, *, colour: bool = False, empty: str = EMPTY_CELL) -> str:
    """The nine cells alone, with a text for one without a tile."""
    return "\n".join(_centre(position, empty).lines(colour)) + "\n"


def render_marked_centre(position: Position, move: Move, *, colour: bool = False) -> str:
    """The nine cells with the tile that the move takes and what it seeds marked."""
    return "\n".join(_centre(position, move=move).lines(colour)) + "\n"


def render_universes(position: Position, move: Move, *, colour: bool = False) -> str:
    """Everybody's, the mover's last and with the move's slot marked. With several opponents, what they hold instead of
    their universes."""
    mover = position.to_move or 0
    blocks = [_player(position, index, None, pyramid=len(position.players) == 2) for index in _others(position)]
    blocks.append(_player(position, mover, None, move))
    return "\n\n".join("\n".join(block.lines(colour)) for block in blocks) + "\n"


def _others(position: Position) -> list[int]:
    """Everybody but the player to move, in turn order from the next."""
    count, mover = len(position.players), position.to_move
    if mover is None:
        return list(range(count))
    return [(mover + step) % count for step in range(1, count)]


def render_gods(position: Position, *, colour: bool = False) -> str:
    """The gods face up and the temple tokens."""
    return "\n".join(_gods(position).lines(colour)) + "\n"


def render_universe(position: Position, index: int, *, colour: bool = False) -> str:
    """One player's realm, god and universe, without points: for a position that is not complete yet."""
    return "\n".join(_player(position, index, None).lines(colour)) + "\n"


def _headline(position: Position, scores: Sequence[rules.Score]) -> Canvas:
    canvas = Canvas()
    count = len(position.players)
    canvas.put(0, 0, " Orbis", BOLD)
    players = ngettext("{n} player", "{n} players", count)
    if position.to_move is None:
        over = _("the game is over")
        text, first = f" · {players} · {over}", ""
    else:
        turn = _("turn {turn} of {turns}", turn=position.turns_played + 1, turns=TURNS * count)
        text = f" · {players} · {turn} · "
        first = _("{player} to move", player=fit(player_name(position, position.to_move), 24))
    x = canvas.put(0, 6, text)
    x = canvas.put(0, x, first, BOLD)
    tiles = _("tiles: {name}", name=fit(position.tiles.name, 40))
    # The set's name goes to the right end if there is room, else to a line of its own.
    end = WIDTH - 1 - text_width(tiles)
    line = 1
    if end > x + 1:
        canvas.put(0, end, tiles, DIM)
    else:
        canvas.put(line, 1, tiles, DIM)
        line += 1
    if not position.options.most_at_zero:
        reading = _('a god\'s "most" needs at least one')
        canvas.put(1, WIDTH - 1 - len(reading), reading, DIM)
        line = 2
    if position.to_move is None:
        canvas.put(line, 1, fit(_winner_words(position, scores), WIDTH - 2), BOLD)
    return canvas


def _winner_words(position: Position, scores: Sequence[rules.Score]) -> str:
    winners = rules.leaders(scores)
    names = [fit(player_name(position, index), 24 if len(winners) < 3 else 10) for index in winners]
    points = result_points(scores)
    if len(names) > 1:
        return _("{players} share the victory, {points}", players=listed(names), points=points)
    if sum(score.total == scores[winners[0]].total for score in scores) > 1:
        return _("{player} wins, {points}, by worshipers", player=names[0], points=points)
    return _("{player} wins, {points}", player=names[0], points=points)


CELL_WIDTH = 25  # between the lines of the centre's grid


def _centre(position: Position, empty: str = EMPTY_CELL, move: Move | None = None) -> Canvas:
    canvas = Canvas()
    taken = move.cell if move is not None else None
    seeded = () if taken is None else NEIGHBOURS[taken]
    top = 0
    for first in range(0, len(CELLS), 3):
        texts = [_cell_lines(cell, empty) for cell in position.centre[first : first + 3]]
        height = max(map(len, texts))
        for column, lines in enumerate(texts):
            left = column * (CELL_WIDTH + 1)
            canvas.box(top, left, height + 2, CELL_WIDTH + 2)
            tile = position.centre[first + column].tile
            marked = first + column == taken
            name = CELLS[first + column]
            x = canvas.put(top, left + 2, f" ▶ {name} ◀ " if marked else f" {name} ", MARKED if marked else BOLD)
            if tile is not None:
                canvas.put(top, x + 1, f" {tile_label(tile)} ")
                # The first line is the tile's head: a band of its colour from line to line.
                canvas.put(top + 1, left + 1, " " * CELL_WIDTH, GROUND[tile.colour])
            if first + column in seeded:
                seed = position.centre[taken or 0].tile
                assert seed is not None
                words = f" +{letter(seed.colour)} "
                canvas.put(top, left + CELL_WIDTH - 1 - len(words), words, BOLD)
            for row, spans in enumerate(lines, top + 1):
                canvas.put_all(row, left + 2, spans)
        top += height + 1
    return canvas


def _cell_lines(cell: Cell, empty: str) -> list[list[Span]]:
    """Four lines for a tile; a mystic value is squeezed in where there is room, or takes a fifth."""
    width = CELL_WIDTH - 2
    on_it = first_that_fits(
        width,
        [(_("on it") + " ", DIM), *(worshiper_spans(cell.worshipers) or [("–", DIM)])],
        worshiper_spans(cell.worshipers, gap=""),
    )
    if cell.tile is None:
        words = _(empty) if empty == EMPTY_CELL else empty
        return [[(words, DIM)], [], [], on_it if cell.worshipers.total or empty == EMPTY_CELL else []]
    tile = cell.tile
    name, worth = tile_name(tile), _("{points} CP", points=tile.cp)
    ground = GROUND[tile.colour]
    head = [(name + worth.rjust(width - len(name)), ground)]
    cost_word = _("cost") + " "
    cost = cost_spans(tile, width - len(cost_word))
    if tile.cost.total or tile.any_cost:
        cost = [(cost_word, DIM), *cost]
    lines = [head, cost, [(effect_words(tile), PLAIN)], on_it]
    if tile.mystic is not None:
        mystic = _("mystic {value}", value=tile.mystic)
        for line in lines[2:0:-1]:
            room = width - spans_width(line)
            if room > len(mystic):
                line.append((mystic.rjust(room), PLAIN))
                return lines
        lines.insert(3, [(mystic, PLAIN)])
    return lines


def _gods(position: Position) -> Canvas:
    canvas = Canvas()
    heading, token_heading = _("Gods"), _("Temple tokens")
    names = max(8, len(heading) + 3)
    words = max(names + max(len(god.label) for god in God), len(token_heading) + 1) + 2
    tokens = " ".join(map(str, SET_UP[len(position.players)].temple_tokens))
    gods = () if position.is_over else position.gods
    if gods:
        canvas.put(0, 1, heading, BOLD)
    for row, god in enumerate(gods):
        canvas.put(row, names, god.label)
        canvas.put(row, words, god_words(god), DIM)
    row = len(gods)
    canvas.put(row, 1, token_heading, BOLD)
    canvas.put(row, words, tokens)
    return canvas


# --------------------------------------------------------------------------------- a player's universe

BRICK_WIDTH = 13  # between the lines
PITCH = BRICK_WIDTH + 1
BRICK_HEIGHT = 3  # with the line above
MARGIN = 5  # for the name of row 1's left end


def _player(
    position: Position, index: int, score: rules.Score | None, move: Move | None = None, pyramid: bool = True
) -> Canvas:
    player = position.players[index]
    canvas = Canvas()
    # 1. A rule with the name and the points.
    canvas.rule(0, 0, WIDTH)
    to_move = position.to_move == index and score is not None
    name = f" {'▶ ' if to_move else ''}{fit(player_name(position, index), 40)} "
    canvas.put(0, 2, name, BOLD)
    if score is not None:
        form = N_("{points} CP") if position.is_over else N_("{points} CP now")
        total = f" {_(form, points=score.total)} "
        canvas.put(0, WIDTH - 2 - len(total), total, BOLD)
    # 2. What the player holds besides the universe.
    x = canvas.put(1, 1, _("realm") + " ", DIM)
    x = canvas.put_all(1, x, worshiper_spans(player.realm) or [("–", PLAIN)])
    if player.realm.total:
        x = canvas.put(1, x, f" ({player.realm.total})", DIM)
    row = 1
    for label, text in player_facts(player):
        if x + 3 + text_width(f"{label} {text}") > WIDTH:
            row, x = row + 1, -2
        x = canvas.put(row, x + 3, f"{label} ", DIM)
        x = canvas.put(row, x, text)
    # 3. Where the points come from.
    row += 1
    split = [f"{_(words)} {value}" for source, words in SOURCES.items() if (value := getattr(score, source, 0))]
    if split:
        indent = canvas.put(row, 1, _("points"), DIM) + 1
        for line in _wrap_list(split, WIDTH - indent):
            canvas.put(row, indent, line)
            row += 1
    # 4. The universe, with the names of the slots where it can grow.
    if pyramid and (not position.is_over or player.regions):
        _pyramid(canvas, row, player, move)
    elif not pyramid and player.regions:
        x = canvas.put(row, 1, _("universe") + " ", DIM)
        canvas.put_all(row, x, _rows_in_a_line(player))
    return canvas


def _rows_in_a_line(player: Player) -> list[Span]:
    """The colours of each row from the left, row 1 first: `RRB / Y~`, with a dot for an empty slot."""
    spans: list[Span] = []
    for row in player.rows:
        if row:
            spans += [(" / ", DIM)] if spans else []
            for placed in row:
                if placed is None or placed.face is Face.WILD or placed.tile is None:
                    spans.append(("." if placed is None else "~", DIM))
                else:
                    spans.append((letter(placed.tile.colour), GROUND[placed.tile.colour]))
    return spans


def _wrap_list(items: Sequence[str], width: int) -> list[str]:
    """Lines of items with commas, no item broken."""
    glued = ", ".join(item.replace(" ", "\N{NO-BREAK SPACE}") for item in items)
    # textwrap breaks at ASCII blanks only, which leaves the glued ones alone.
    lines = textwrap.wrap(glued, width, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _pyramid(canvas: Canvas, top: int, player: Player, move: Move | None = None) -> None:
    placed = player.placed()
    slots = rules.open_slots(player)
    highest = max((slot.row for slot, _ in placed), default=0)
    if any(slot.row > max(highest, 1) for slot in slots):
        top += 1  # one line is enough for a row of which only names are shown

    def corner(slot: Slot) -> tuple[int, int]:
        left = MARGIN + (slot.row - 1) * (PITCH // 2) + slot.column * PITCH
        return top + (highest - slot.row) * BRICK_HEIGHT, left

    for slot, each in placed:
        y, x = corner(slot)
        canvas.box(y, x, BRICK_HEIGHT + 1, PITCH + 1)
        _brick(canvas, y + 1, x + 1, player, slot, each)
    for slot in slots:
        name = player.slot_name(slot)
        y, x = corner(slot)
        marked = move is not None and slot == move.slot
        style = MARKED if marked else DIM
        if slot.row == 1 and not placed:
            canvas.put(top, MARGIN, _("{slot}: the first tile goes here", slot=name), style)
        elif slot.row == 1 and slot.column == 0:
            canvas.put(y + 2, MARGIN - 3 - marked, f"▶{name}" if marked else name, style)
        elif slot.row == 1:
            canvas.put(y + 2, x + 2, f"{name}◀" if marked else name, style)
        else:
            canvas.put(y + 2, x + PITCH // 2 - 1 - marked, f"▶{name}◀" if marked else name, style)


def _brick(canvas: Canvas, y: int, x: int, player: Player, slot: Slot, placed: Placed) -> None:
    tile = placed.tile
    if placed.face is Face.WILD or tile is None:
        canvas.put(y, x, ("~ " * BRICK_WIDTH)[:BRICK_WIDTH], DIM)
        cost = str(rules.wilderness_points(player))
        canvas.put_all(y + 1, x, [(_ends(tile_label(tile) if tile else "", cost), DIM)])
        return
    cancelled = placed.face is Face.CANCELLED
    worth = str(tile.cp)
    if cancelled:
        worth = "x"
    elif not rules.is_validated(player, slot, placed):
        worth = f"({tile.cp})"
    canvas.put(y, x, _ends(f"{letter(tile.colour)} {tile_label(tile)}", worth), GROUND[tile.colour])
    words = f"x {short_effect(tile.effect)}" if cancelled else placed_words(player, slot, tile)
    if tile.effect is Effect.SACRED_STONE and tile.mystic is not None:
        words = pgettext("brick", "stone")  # leaves room for the mystic value
    if tile.mystic is not None and len(words) + len(f" m{tile.mystic}") <= BRICK_WIDTH:
        words += f" m{tile.mystic}"
    words = fit(words, BRICK_WIDTH)
    canvas.put(y + 1, x, words if len(words) >= BRICK_WIDTH else f" {words}", DIM if cancelled else PLAIN)


def _ends(left: str, right: str) -> str:
    """Both ends of a brick's line, with a blank at either edge as long as there is room for it."""
    for edge in (" ", ""):
        room = BRICK_WIDTH - 2 * len(edge) - len(right) - 1
        if len(left) <= room:
            break
    return edge + fit(left, room).ljust(room) + " " + right + edge


# --------------------------------------------------------------------------------------------- piles


def _piles(position: Position) -> Canvas:
    canvas = Canvas()
    total = sum(pile.left for pile in position.piles)
    if position.is_over and total == 0:
        return canvas
    canvas.rule(0, 0, WIDTH)
    tiles = ngettext("{n} tile left", "{n} tiles left", total) if total else _("no tiles left")
    heading = _("piles")
    canvas.put(0, 2, f" {heading} ", BOLD)
    canvas.put(0, WIDTH - 4 - len(tiles), f" {tiles} ")
    indent = max(len(_("level {number}", number=level)) for level in LEVELS) + 3
    row = 1
    for level, pile in zip(LEVELS, position.piles) if total else ():
        canvas.put(row, 1, _("level {number}", number=level))
        if pile.left == 0:
            canvas.put(row, indent, "–", DIM)
            row += 1
            continue
        few = len(pile.tiles) == pile.left
        unsure = N_("{left:2} of these {number}: ")
        head = f"{pile.left:2}: " if few else _(unsure, left=pile.left, number=len(pile.tiles))
        x = canvas.put(row, indent, head)
        for spans in _pile_spans(position.tiles, pile):
            if x + spans_width(spans) > WIDTH:
                row, x = row + 1, indent + 4
            x = canvas.put_all(row, x, spans) + 1
        row += 1
    return canvas


def _pile_spans(tiles: TileSet, pile: Pile) -> list[list[Span]]:
    """By colour, with its letter before the first, and in the set's order: nobody may see the pile's own."""
    order = {tile: index for index, tile in enumerate(tiles.tiles)}
    shown = []
    for colour in Colour:
        its_tiles = [tile for tile in pile.tiles if tile.colour == colour]
        its_tiles.sort(key=lambda tile: (order.get(tile, len(order)), tile.id))
        shown += [[(fit(tile_words(tile), WIDTH - 20), PLAIN)] for tile in its_tiles]
        if its_tiles:
            first = len(shown) - len(its_tiles)
            shown[first] = [(letter(colour), GROUND[colour]), (" ", PLAIN), *shown[first]]
            shown[-1].append((" ", PLAIN))
    return shown


def render_choice(position: Position, cell: int, *, colour: bool = False) -> str:
    """What lies on a cell of the centre, in one line: tile, cost, effect, points and worshipers."""
    tile, worshipers = position.centre[cell]
    if tile is None:
        return _("empty")
    canvas = Canvas()
    x = canvas.put(0, 0, "" if tile.described else f"{tile.id} ", BOLD)
    x = canvas.put(0, x, tile_name(tile), GROUND[tile.colour])
    x = canvas.put(0, x, ", " + (_("cost") + " " if tile.cost.total or tile.any_cost else ""))
    x = canvas.put_all(0, x, cost_spans(tile, WIDTH))
    x = canvas.put(0, x, ", ".join(("", effect_words(tile), _("{points} CP", points=tile.cp))))
    if worshipers.total:
        x = canvas.put(0, x, ", " + _("on it") + " ")
        canvas.put_all(0, x, worshiper_spans(worshipers))
    return canvas.lines(colour)[0]


def _legend(position: Position) -> Canvas:
    """What the marks mean, only those that were drawn."""
    marks = marks_of(position)
    notes = []
    if not position.is_over:
        notes.append("1L 2.3 " + _("free slots"))
    if marks.wild:
        notes.append("~ " + _("wilderness"))
    if marks.cancelled:
        notes.append("x " + _("cancelled"))
    if marks.lacking:
        notes.append("(3) " + _("forest lacking neighbours"))
    if marks.described:
        notes.append("* " + _("not in the tile set"))
    canvas = Canvas()
    row, x = 0, 1
    for note in notes:
        if x > 1 and x + len(note) > WIDTH:
            row, x = row + 1, 1
        x = canvas.put(row, x, note, DIM) + 3
    return canvas
