"""How a line that is being typed could go on."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..drawing.labels import god_words
from ..game.tiles import DEFAULT_TILE_SET
from ..game.vocabulary import God
from ..tileset.descriptions import tell
from ..tileset.matching import matching
from .draft import Sheet
from .position_steps import Step, grows, parts_of, row_of
from .position_tiles import tiles_in_use, tiles_on, tiles_to_offer


class Completion(NamedTuple):
    start: int  # where in the line it replaces what was typed
    text: str
    meaning: str


def complete_answer(sheet: Sheet, step: Step, line: str) -> list[Completion]:
    """An answer to a step of a position, best first."""
    if line.lower().startswith("go ") or step.kind == "menu":
        start = 3 if line.lower().startswith("go ") else 0
        wanted = line[start:].casefold()
        names = [name for name in parts_of(sheet) if name.startswith(wanted) and not name[0].isdigit()]
        return [Completion(start, name, "") for name in names]
    if step.kind in ("cell", "row", "pile"):
        return _tiles(sheet, step, line)
    if step.kind in ("god", "gods"):
        return _gods(sheet, line)
    if step.kind == "tiles" and DEFAULT_TILE_SET.startswith(line):
        return [Completion(0, DEFAULT_TILE_SET, "")]
    return []


def _gods(sheet: Sheet, line: str) -> list[Completion]:
    start = len(line) - len(re.split(r"[\s,+]", line)[-1])
    taken = {player.god_choice.god for player in sheet.players if player.god_choice}
    free = [god for god in God if god not in taken and not re.search(rf"\b{god.word}\b", line[:start])]
    return [Completion(start, god.word, god_words(god)) for god in free if god.word.startswith(line[start:])]


def _tiles(sheet: Sheet, step: Step, line: str) -> list[Completion]:
    start = line.rfind(",") + 1
    part = line[start:]
    if "|" in part and step.kind == "cell":
        return []
    start += len(part) - len(part.lstrip())
    part = part.lstrip()
    wild = False
    if step.kind == "row" and (
        mark := re.match(r"(wild(?:erness)?|cancell?ed)\s+|[~!]\s*|[xw]\.\s*", part, re.IGNORECASE)
    ):
        start, part, wild = start + mark.end(), part[mark.end() :], mark[0][0].lower() in "w~"
    if not part.strip():
        return []
    if step.kind == "pile":
        seen = set(tiles_on(sheet))
        pool = [tile for tile in tiles_in_use(sheet) if tile not in seen and tile.level == step.index]
    else:
        pool = tiles_to_offer(sheet, step.index if step.kind == "row" else None)
    if step.kind == "row" and step.row > 1 and not wild:
        column = line.count(",") + (len(row_of(sheet, step)) if grows(sheet, step) else 0)
        player = sheet.players[step.index].player
        under = [player.at(step.row - 1, column), player.at(step.row - 1, column + 1)]
        if all(under):
            pool = [tile for tile in pool if any(placed and placed.has_colour(tile.colour) for placed in under)]
    return [Completion(start, tile.id, tell(tile)) for tile in matching(part, pool)]
