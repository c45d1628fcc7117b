"""What the player to move sees on a terminal too narrow for `render_turn`, such as a phone's: lines instead of a
drawing.

The nine tiles are a list, each after its key on the number pad; universes are drawn small, with a tile's id on each
slot, `~` for wilderness, `x` after a cancelled one, and brackets where the next tile can go.
"""

from __future__ import annotations

from ..base.language import N_, _
from ..drawing.canvas import BOLD, DIM, GROUND, Canvas, fit, text_width
from ..drawing.labels import player_facts, player_name, tile_label
from ..game import rules
from ..game.position import Player, Position
from ..game.vocabulary import CELLS, TURNS, Face
from ..record.game import UNKNOWN
from ..tileset.descriptions import tell
from .questions import KEYS

PITCH = 6  # of a universe's slots
INDENT = "   "
LONGEST_NAME = 24  # columns


def render_narrow(position: Position, width: int, *, colour: bool = False) -> str:
    """What `render_turn` shows, except what gods do, in this many columns; 37 are enough for any universe."""
    scores = rules.score(position)
    blocks = [_headline(position), _centre(position), _gods(position)]
    lines = [line for block in blocks for line in _wrapped(block, width)]
    order = [index for index in range(len(position.players)) if index != position.to_move]
    for index in order if position.to_move is None else [*order, position.to_move]:
        player = position.players[index]
        mark = "▶ " if index == position.to_move else ""
        form = N_("{points} CP") if position.is_over else N_("{points} CP now")
        held = [f"{mark}{_name(position, index)}", _(form, points=scores[index].total)]
        held += [f"{label} {text}" for label, text in ((_("realm"), player.realm), *player_facts(player))]
        lines += ["", *_wrapped([" · ".join(held)], width), *_universe(player).lines(colour)]
    return "\n".join(lines) + "\n"


def _wrapped(lines: list[str], width: int) -> list[str]:
    """By columns, which textwrap does not count: some characters are two wide."""
    found = []
    for line in lines:
        begun, *words = line.split(" ")
        for word in words:
            if text_width(f"{begun} {word}") > width:
                found.append(begun)
                begun = INDENT + word
            else:
                begun += f" {word}"
        found.append(begun)
    return found


def _name(position: Position, index: int) -> str:
    return fit(player_name(position, index), LONGEST_NAME)


def _headline(position: Position) -> list[str]:
    if position.to_move is None:
        return [_("the game is over"), ""]
    turn = _("turn {turn} of {turns}", turn=position.turns_played + 1, turns=TURNS * len(position.players))
    first = _("{player} to move", player=_name(position, position.to_move))
    return [f"{turn} · {first}", ""]


def _centre(position: Position) -> list[str]:
    lines = []
    on_it = _("on it")
    for key, name, cell in zip(KEYS, CELLS, position.centre):
        tile = UNKNOWN if cell.tile is None else f"{tile_label(cell.tile)} {tell(cell.tile)}"
        lines.append(f"{key} {name} {tile}" + (f" · {on_it} {cell.worshipers}" if cell.worshipers.total else ""))
    return lines


def _gods(position: Position) -> list[str]:
    return ["", _("Gods") + ": " + ", ".join(god.label for god in position.gods)] if position.gods else []


def _universe(player: Player) -> Canvas:
    canvas = Canvas()
    slots = rules.open_slots(player)
    placed = player.placed()
    top = max((slot.row for slot in (*slots, *(slot for slot, _placed in placed))), default=1)

    def put(row: int, column: int, text: str, style: str) -> None:
        # Row 1 has a slot more at its left end than the columns that tiles have.
        canvas.put(top - row, PITCH * (column + 1) + (row - 1) * PITCH // 2, text, style)

    for slot, each in placed:
        if each.face is Face.WILD or each.tile is None:
            put(slot.row, slot.column, " ~", DIM)
        else:
            mark = "x" if each.face is Face.CANCELLED else ""
            put(slot.row, slot.column, fit(tile_label(each.tile), PITCH - 2) + mark, GROUND[each.tile.colour])
    for slot in slots:
        is_left_end = slot.row == 1 and slot.column == 0 and bool(placed)
        put(slot.row, -1 if is_left_end else slot.column, f"[{player.slot_name(slot)}]", BOLD if not placed else DIM)
    return canvas
