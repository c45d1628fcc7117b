"""The parts of a position that are asked for one by one: in which order, what has been answered, and their names."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.errors import InputError
from ..base.language import _
from ..base.quoting import nearest, shown
from ..base.synonyms import part_words
from ..game.position import Row
from ..game.vocabulary import CELLS, LEVELS, ROW_LENGTHS, SET_UP
from ..notation.toml import slot_text
from .draft import Sheet, cell_text, god_text, position_so_far


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to be asked. The menu is the step that comes when there is no other."""

    kind: str  # players, tiles, cell, row, realm, god, gods, pile, most, menu
    index: int = 0  # of the cell, the player or the level
    row: int = 0


MENU = Step("menu")


def all_steps(sheet: Sheet) -> tuple[Step, ...]:
    """Everything that is asked of a new position, in order."""
    steps = [Step("players"), Step("tiles")]
    if sheet.players:
        steps += [Step("cell", index) for index in range(len(CELLS))]
        for index in range(len(sheet.players)):
            steps += [Step("row", index, row) for row in range(1, len(ROW_LENGTHS) + 1)]
            steps += [Step("realm", index), Step("god", index)]
        steps.append(Step("gods"))
    return tuple(steps)


def missing_steps(sheet: Sheet) -> tuple[Step, ...]:
    return tuple(step for step in all_steps(sheet) if not is_answered(sheet, step))


def is_answered(sheet: Sheet, step: Step) -> bool:
    if step.kind == "players":
        return bool(sheet.players)
    if step.kind == "tiles":
        return sheet.tiles is not None
    if step.kind == "cell":
        return sheet.cells[step.index] is not None
    if step.kind == "row":
        return sheet.players[step.index].rows[step.row - 1] is not None and not grows(sheet, step)
    if step.kind == "realm":
        return sheet.players[step.index].realm is not None
    if step.kind == "god":
        return sheet.players[step.index].god_choice is not None
    if step.kind == "gods":
        return sheet.gods is not None
    if step.kind == "pile":
        return sheet.piles[step.index - 1] is not None
    return True


def grows(sheet: Sheet, step: Step) -> bool:
    return sheet.growing == (step.index, step.row)


def row_of(sheet: Sheet, step: Step) -> Row:
    return sheet.players[step.index].rows[step.row - 1] or ()


def room(sheet: Sheet, step: Step) -> int:
    """How many slots of a row, counted from the left, can hold anything."""
    if step.row == 1:
        return ROW_LENGTHS[0]
    below = sheet.players[step.index].rows[step.row - 2] or ()
    pairs = [column for column in range(len(below) - 1) if below[column] and below[column + 1]]
    return min(pairs[-1] + 1, ROW_LENGTHS[step.row - 1]) if pairs else 0


def gods_left(sheet: Sheet) -> int | None:
    """How many have to be face up; None as long as somebody's god is missing."""
    choices = [player.god_choice for player in sheet.players]
    if None in choices:
        return None
    return max(0, SET_UP[len(choices)].gods - sum(each is not None and each.god is not None for each in choices))


def answer_text(sheet: Sheet, step: Step) -> str:
    """The answer to a step so far, as it could be typed."""
    if step.kind == "most":
        return "yes" if sheet.most_at_zero else "no"
    if step.kind == "menu" or not is_answered(sheet, step):
        return ""
    if step.kind == "players":
        names = [player.name for player in sheet.players]
        mark = "; " if any("," in name for name in names) else ", "
        return mark.join(names) if all(names) else str(len(names))
    if step.kind == "tiles":
        return sheet.tile_set.name
    if step.kind == "cell":
        return cell_text(sheet.cells[step.index])
    if step.kind == "row":
        return ", ".join(map(slot_text, row_of(sheet, step))) or "none"
    if step.kind == "realm":
        return str(sheet.players[step.index].realm)
    if step.kind == "god":
        return god_text(sheet.players[step.index].god_choice)
    if step.kind == "gods":
        return " ".join(god.word for god in sheet.gods or ()) or "none"
    return ", ".join(tile.id for tile in sheet.piles[step.index - 1] or ())


def name_of(step: Step) -> str:
    """A part as `go` and drafts name it."""
    if step.kind == "cell":
        return CELLS[step.index]
    if step.kind == "row":
        return f"player {step.index + 1} row {step.row}"
    if step.kind in ("realm", "god"):
        return f"player {step.index + 1} {step.kind}"
    return f"pile {step.index}" if step.kind == "pile" else step.kind


def steps_of(sheet: Sheet, text: str) -> tuple[Step, ...]:
    """The steps of a part that somebody names; InputError if there is no such part."""
    wanted = " ".join(text.replace(",", " ").split()).casefold()
    parts = parts_of(sheet)
    for name in (wanted, part_words(wanted)):
        if name in parts:
            return parts[name]
    hint = nearest(wanted, list(parts))
    message = _("expected a part such as b2, centre, player 1 row 2 or gods, found {found}", found=shown(text))
    raise InputError.one("", message + hint)


def parts_of(sheet: Sheet) -> dict[str, tuple[Step, ...]]:
    cells = tuple(Step("cell", index) for index in range(len(CELLS)))
    left = [pile.left for pile in position_so_far(sheet)[0].piles] if sheet.players else LEVELS
    piles = tuple(Step("pile", level) for level, number in zip(LEVELS, left) if number)
    parts: dict[str, tuple[Step, ...]] = {"centre": cells, "piles": piles}
    parts |= {name_of(step): (step,) for step in (*cells, *piles)}
    parts |= {kind: (Step(kind),) for kind in ("players", "tiles", "gods", "most")}
    for index, player in enumerate(sheet.players):
        rows = [Step("row", index, row) for row in range(1, len(ROW_LENGTHS) + 1)]
        steps = (*rows, Step("realm", index), Step("god", index))
        own = {f"player {index + 1}": steps, f"player {index + 1} rows": tuple(rows)}
        own |= {name_of(step): (step,) for step in steps}
        for name, its in own.items():
            parts[name] = its
            parts.setdefault(name.removeprefix("player "), its)
            if player.name:
                parts.setdefault(name.replace(f"player {index + 1}", player.name.casefold()), its)
    return parts
