"""Actions that amend what a game or a table already says: a turn corrected, a comment, a game given up, a tile learned.

As with the other actions on games, a file is named without a folder; a tile set that learns lies in the same folder.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from ..base.errors import InputError
from ..base.language import N_, _
from ..base.options import Unfit, boolean, or_null, text
from ..base.quoting import shown
from ..game.position import Move
from ..game.tiles import Tile, TileSet
from ..record.game import Misfit, Record
from ..tileset.library import load_tile_set
from .board_actions import a_draft, draft_sheet
from .game_actions import (
    LAST_TURN,
    a_file,
    as_field,
    engine_to_move,
    expect_next,
    file_field,
    game_to_json,
    has_ended_early,
    held,
    is_dealt,
    named_tiles,
    number_field,
    taken_up,
)
from .requests import Action, Field, Task

MOST_FIXES = 60  # in one request


class Fix(NamedTuple):
    """Another turn in the place of one."""

    number: int
    said: str
    drawn: str | None


def some_fixes(value: Any) -> list[Fix]:
    keys = {"number", "said", "drawn"}
    if isinstance(value, list) and 0 < len(value) <= MOST_FIXES:
        fixes = [Fix(each["number"], each["said"], each["drawn"]) for each in value if _is_fix(each, keys)]
        if len(fixes) == len(value):
            return fixes
    raise Unfit(_("a list of 1 to {most} turns with number, said and drawn", most=MOST_FIXES))


def _is_fix(value: Any, keys: set[str]) -> bool:
    if not isinstance(value, dict) or set(value) != keys:
        return False
    number, said, drawn = value["number"], value["said"], value["drawn"]
    is_number = isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= LAST_TURN
    return is_number and isinstance(said, str) and (drawn is None or isinstance(drawn, str))


# ---- a turn corrected ------------------------------------------------------------------------------


def _fix(task: Task) -> dict[str, Any]:
    """The first turn is corrected; each later one of the list is what to play where that leaves one that no longer
    fits. Nothing is kept while one is left."""
    with held(task) as file:
        record = file.record
        if is_dealt(record):
            raise InputError.one("file", _("expected a game at a real table, found one that was dealt"))
        misfit: Misfit | None = None
        fixed: Record | None = None
        for fix in task.values["turns"]:
            if fixed is not None or (misfit is not None and misfit.number != fix.number):
                message = _("expected the first turn that no longer fits, found turn {found}", found=fix.number)
                raise InputError.one("turns", message)
            begun = as_field("turns", lambda: record.before(fix.number)) if misfit is None else misfit.record
            move, tile, begun = _meant(record, begun, fix)
            misfit = None
            try:
                fixed = record.remade(begun, fix.number, move, tile)
            except Misfit as found:
                misfit = found
            except InputError as error:
                raise InputError.one("turns", error.problems[0].message) from None
        if misfit is not None and task.values["cut"]:
            fixed = misfit.record
        if fixed is None:
            assert misfit is not None
            return {"game": None, "misfit": _misfit_to_json(misfit)}
        file.keep(fixed)
        return {"game": game_to_json(file.path, fixed), "misfit": None}


def _meant(record: Record, begun: Record, fix: Fix) -> tuple[Move, Tile | None, Record]:
    """The move, the tile that came (the same as before unless another is named), and the record before both, which
    may know a tile more."""
    old = as_field("turns", lambda: record.turn(fix.number))
    if (named := begun.stage().named(fix.said)) is not None:
        begun = begun.seen(*named)
    stage = begun.stage()
    move: Move = as_field("turns", lambda: stage.parse(fix.said))
    if move.cell is None:
        return move, None, begun
    if fix.drawn is not None:
        said = fix.drawn
        return move, as_field("turns", lambda: stage.drawn(move, said)), begun
    return move, old.drawn if old.drawn in stage.draws(move) else None, begun


def _misfit_to_json(misfit: Misfit) -> dict[str, Any]:
    from ..record.text import write_record

    return {
        "number": misfit.number,
        "move": misfit.text,
        "why": misfit.why,
        "text": write_record(misfit.record),
        "to_move": (misfit.record.position().to_move or 0) + 1,
    }


# ---- comments, and giving up -----------------------------------------------------------------------


def _note(task: Task) -> dict[str, Any]:
    from ..base.names import name_problem

    number, comment = task.values["number"], task.values["comment"].strip()
    if trouble := name_problem(comment):
        raise InputError.one("comment", trouble)
    with held(task) as file:
        record = file.record
        turn = as_field("number", lambda: record.turn(number))
        file.keep(record.with_turn(number, turn._replace(comment=comment)))
        return game_to_json(file.path, file.record)


def _resign(task: Task) -> dict[str, Any]:
    with held(task) as file:
        record = file.record
        stage = expect_next(record, task.values["number"])
        person = is_dealt(record) and not engine_to_move(record, stage.position)
        if not person or stage.position.is_over or has_ended_early(record):
            message = _("expected a person's turn in a game that was dealt, found none")
            raise InputError.one("number", message)
        game = taken_up(record)
        game.resign()
        file.keep(game.record)
        return game_to_json(file.path, file.record)


# ---- a tile learned --------------------------------------------------------------------------------


def _learn(task: Task) -> dict[str, Any]:
    """A described tile goes into the player's own set, which the table or the game names from then on."""
    from ..entry import table_edit
    from ..entry.draft import write_draft
    from ..entry.position_tiles import tiles_on
    from ..record.text import read_record, write_record

    draft, name = task.values["draft"], task.values["file"]
    if (draft is None) == (name is None):
        raise InputError.one("draft", _("expected either draft or file, found both or neither"))
    if draft is not None:
        sheet = draft_sheet(draft)[0]
        tiles, told = _kept(task.values["tile"], list(tiles_on(sheet)), sheet.tile_set)
        learned = table_edit.changed(sheet, "tiles", tiles.name, load_tile_set).sheet
        return {"told": told, "draft": write_draft(learned), "game": None}
    with held(task) as file:
        record = file.record
        tiles, told = _kept(task.values["tile"], named_tiles(record), record.start.tiles)
        file.keep(read_record(write_record(record), tiles=tiles))
        return {"told": told, "draft": None, "game": game_to_json(file.path, file.record)}


def _kept(said: str, seen: list[Tile], tile_set: TileSet) -> tuple[TileSet, str]:
    """The set with the tile in it, and what to say about that."""
    from ..entry.learning import Learning
    from ..notation.common import tile_text
    from ..tileset.learning import own_name

    tile = next((tile for tile in seen if tile.described and tile_text(tile) == said), None)
    if tile is None:
        message = _("expected a tile on the table that the set lacks, found {found}", found=shown(said))
        raise InputError.one("tile", message)
    name = own_name(tile_set, "")
    if os.path.basename(name) != name or os.path.islink(name):
        raise InputError.one("tile", _("expected a tile set in this folder, found {found}", found=shown(name)))
    return as_field("tile", lambda: Learning("").keep(tile, tile_set, seen))


AMEND_ACTIONS: dict[str, Action] = {
    "fix": Action(_fix, {"file": file_field, "turns": Field(some_fixes), "cut": Field(boolean, False)}),
    "note": Action(_note, {"file": file_field, "number": number_field, "comment": Field(text(N_("a comment")))}),
    "resign": Action(_resign, {"file": file_field, "number": number_field}),
    "learn": Action(
        _learn,
        {
            "draft": Field(or_null(a_draft), None),
            "file": Field(or_null(a_file), None),
            "tile": Field(text(N_("the description of a tile"))),
        },
    ),
}
