"""Actions for a board that people touch: pictures, moves entered step by step, tiles to choose from, tables laid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..base.errors import InputError, Problem, place_words
from ..base.json import problems_to_json
from ..base.language import N_, _
from ..base.options import Unfit, boolean, choice, or_null, text
from ..game.tiles import Tile
from ..notation import move_to_json, write_oneline, write_toml
from ..notation.common import tile_text
from .requests import ON_A_POSITION, Action, Field, Task, a_move

if TYPE_CHECKING:
    from ..entry.draft import Sheet

MOST_ANSWERS, MOST_CHANGES = 64, 200  # in one request
LONGEST_ANSWER = 1000  # characters


def some_texts(most: int) -> Any:
    def read(value: Any) -> list[str]:
        fits = isinstance(value, list) and len(value) <= most
        if not fits or not all(isinstance(each, str) and len(each) <= LONGEST_ANSWER for each in value):
            raise Unfit(_("a list of at most {most} texts", most=most))
        texts: list[str] = value
        return texts

    return read


def some_changes(value: Any) -> list[tuple[str, str]]:
    fits = isinstance(value, list) and len(value) <= MOST_CHANGES
    if not fits or not all(
        isinstance(each, list) and len(each) == 2 and all(isinstance(part, str) for part in each) for each in value
    ):
        raise Unfit(_("a list of at most {most} pairs of a part and its text", most=MOST_CHANGES))
    return [(part, said) for part, said in value]


# ---- pictures --------------------------------------------------------------------------------------


def _draw(task: Task) -> Any:
    from ..drawing.json import scene_to_json
    from ..drawing.picture import NARROW, WIDE, draw_position
    from ..drawing.scene import to_svg

    assert task.position is not None
    values = task.values
    sheet = {"wide": WIDE, "beside": WIDE._replace(legend=False), "narrow": NARROW}[values["sheet"]]
    caption = "" if values["caption"] is None else values["caption"]
    scene = draw_position(task.position, values["move"], caption, better=values["better"], sheet=sheet)
    return to_svg(scene) if values["form"] == "svg" else scene_to_json(scene)


# ---- a move, step by step --------------------------------------------------------------------------


def _enter(task: Task) -> dict[str, Any]:
    from ..drawing.sentences import move_words
    from ..entry.move_dialog import MoveEntry

    stage = task.stage
    assert stage is not None
    if stage.position.is_over:
        raise InputError.one("position", _("expected a game that is not over, found one that is"))
    entry = MoveEntry(stage)
    for number, answer in enumerate(task.values["answers"], start=1):
        try:
            entry.answer(answer)
        except InputError as error:
            raise InputError(Problem("answers", f"{number}: {each.message}") for each in error.problems) from None
    if task.values["exchange"]:
        entry.want_exchange()
    question, move, known = entry.question, entry.move, entry.stage.position
    asked = None
    if question is not None:
        asked = {
            "kind": question.kind,
            "text": question.text.rstrip(": "),
            "options": [{"key": each.key, "label": each.label, "names": list(each.names)} for each in question.options],
            "default": question.default,
            "number": question.digits,
            "above": [] if question.options else list(question.above),
            "stock": [each.label for each in question.more] if question.kind == "removed" else [],
        }
    return {
        "question": asked,
        "move": None if move is None else move_to_json(known, move),
        "words": "" if move is None else move_words(known, move),
        "notes": list(entry.notes),
        "doubtful": entry.is_doubtful,
        "seen": None if entry.seen is None else tile_text(entry.seen[1]),
    }


def tile_entries(tiles: Sequence[Tile]) -> list[dict[str, Any]]:
    """Tiles to choose from, by colour, as people sort them at a glance."""
    from ..drawing.labels import effect_words
    from ..tileset.descriptions import tell
    from ..tileset.syntax import cost_text

    ordered = sorted(tiles, key=lambda tile: (tile.colour, tile.level, tile.id))
    return [
        {
            "tile": tile_text(tile),
            "words": tell(tile),
            "colour": tile.colour.word,
            "level": tile.level,
            "effect": effect_words(tile),
            "cost": cost_text(tile),
            "points": tile.cp,
            "mystic": tile.mystic,
        }
        for tile in ordered
    ]


def described_tiles(tiles: Iterable[Tile]) -> list[dict[str, Any]]:
    """Those that the set lacks, each once."""
    return tile_entries(list(dict.fromkeys(tile for tile in tiles if tile.described)))


def _draws(task: Task) -> dict[str, Any]:
    from ..entry.tile_dialog import fitting_tiles

    assert task.stage is not None and task.position is not None
    stage, words = task.stage, task.values["words"].strip()
    if task.values["move"] is not None:
        tiles: Sequence[Tile] = stage.draws(task.values["move"])
    else:
        tiles = [tile for each in stage.unseen for tile in each.tiles]
    if words:
        tiles = fitting_tiles(words, tiles, task.position.tiles)
    return {"tiles": tile_entries(tiles)}


# ---- a table laid piece by piece -------------------------------------------------------------------


def _edit(task: Task) -> dict[str, Any]:
    from ..entry import table_edit
    from ..tileset.library import load_tile_set

    values = task.values
    # 1. The table as it was.
    sheet, problems = draft_sheet(values["draft"])
    notes = []
    # 2. What is changed. The first change that cannot be is told, and nothing is changed.
    for part, said in values["changes"]:
        changed = table_edit.changed(sheet, part, said, load_tile_set)
        sheet, problems = changed.sheet, []
        notes += [changed.note] if changed.note else []
    # 3. The table as it is.
    offered = [] if values["part"] is None else table_edit.tiles_for(sheet, values["words"])
    return edited(sheet, problems, notes, values["sheet"]) | {"tiles": tile_entries(offered)}


def draft_sheet(given: str | None) -> tuple[Sheet, list[Problem]]:
    """The table that a draft describes, and what could not be read of it."""
    from ..entry import table_edit
    from ..entry.draft import read_draft, sheet_of
    from ..record.form import is_game
    from ..record.positions import latest_position

    if given is None:
        return table_edit.empty_table(["", ""]), []
    if is_game(given) or not _is_toml(given):
        return sheet_of(latest_position(given)), []
    contents = read_draft(given, "")
    return table_edit.with_nothing_missing(contents.sheet), list(contents.problems)


def edited(sheet: Sheet, problems: Sequence[Problem], notes: Sequence[str], form: str) -> dict[str, Any]:
    """A table as the page shows it."""
    from ..drawing.json import scene_to_json
    from ..drawing.picture import NARROW, WIDE, draw_position
    from ..entry import table_edit
    from ..entry.draft import position_so_far, write_draft
    from ..entry.position_tiles import tiles_on

    found = [*problems, *table_edit.table_problems(sheet)]
    position = None if problems else table_edit.finished(sheet)
    drawn = {"beside": WIDE._replace(legend=False), "narrow": NARROW}[form]._replace(laid=False)
    return {
        "draft": write_draft(sheet) if position is None else write_toml(position),
        "position": None if position is None else write_oneline(position).strip(),
        "table": _table(sheet),
        "missing": table_edit.missing_cells(sheet),
        "problems": [told | {"where": place_words(told["place"])} for told in problems_to_json(found)],
        "notes": list(notes),
        "picture": scene_to_json(draw_position(position_so_far(sheet)[0], sheet=drawn)),
        "tiles": [],
        "described": described_tiles(tiles_on(sheet)),
    }


def _is_toml(given: str) -> bool:
    begin = given.lstrip("\ufeff \t\r\n")[:3].lower()
    return not begin.startswith("{") and not (begin[:1] == "o" and begin[1:2].isdigit())


def _table(sheet: Sheet) -> dict[str, Any]:
    """What the page has to know of the table besides its picture."""
    from ..entry.draft import god_text

    return {
        "players": [
            {"name": each.name, "realm": str(each.realm), "god": god_text(each.god_choice)} for each in sheet.players
        ],
        "gods": [god.word for god in sheet.gods or ()],
        "worshipers": ["" if cell is None else str(cell.worshipers) for cell in sheet.cells],
        "tiles": sheet.tile_set.name,
    }


move_or_null = Field(or_null(a_move), None)
a_draft = text(N_("a position, finished or not, or a game"))
words_field = Field(text(N_("words of what is printed on a tile")), "")

BOARD_ACTIONS: dict[str, Action] = {
    "draw": Action(
        _draw,
        ON_A_POSITION
        | {
            "move": move_or_null,
            "better": move_or_null,
            "caption": Field(or_null(text(N_("a line of text"))), None),
            "sheet": Field(choice("wide", "beside", "narrow"), "wide"),
            "form": Field(choice("json", "svg"), "json"),
        },
        looks=True,
    ),
    "enter": Action(
        _enter,
        ON_A_POSITION | {"answers": Field(some_texts(MOST_ANSWERS), ()), "exchange": Field(boolean, False)},
        looks=True,
    ),
    "draws": Action(_draws, ON_A_POSITION | {"move": move_or_null, "words": words_field}, looks=True),
    "edit": Action(
        _edit,
        {
            "draft": Field(or_null(a_draft), None),
            "changes": Field(some_changes, ()),
            "part": Field(or_null(text(N_("a part of the table"))), None),
            "words": words_field,
            "sheet": Field(choice("beside", "narrow"), "beside"),
        },
    ),
}
