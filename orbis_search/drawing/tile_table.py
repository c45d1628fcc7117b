"""A tile set as a table for a terminal of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from ..base.language import N_, NP_, _, ngettext, pgettext
from ..game.tiles import Tile, TileSet
from ..game.vocabulary import LEVELS, Colour, Star
from .canvas import BOLD, DIM, GROUND, WIDTH, Canvas, fit, text_width
from .labels import effect_words
from .spans import cost_spans

STAR_PLAYERS = {Star.NONE: "2-4", Star.PURPLE: "3-4", Star.WHITE: "4"}
_HEADINGS = {
    "id": N_("id"),
    "colour": N_("colour"),
    "cost": N_("cost"),
    "effect": N_("effect"),
    "cp": N_("CP"),
    "mystic": N_("mystic"),
    "for": NP_("players", "for"),
}
_COST_WIDTH = 13


def _headings() -> dict[str, str]:
    return {key: pgettext("players", text) if key == "for" else _(text) for key, text in _HEADINGS.items()}


def _columns(tiles: Sequence[Tile]) -> dict[str, int]:
    """Where the columns of a table begin: each as wide as its contents, with the id taking what is left over."""
    least = {
        "colour": max(len(colour.label) for colour in Colour),
        "cost": _COST_WIDTH,
        "effect": max(24, *(text_width(effect_words(tile)) for tile in tiles)),
        "cp": 2,
        "mystic": 6,
        "for": max(map(len, STAR_PLAYERS.values())),
    }
    headings = _headings()
    widths = {key: max(width, len(headings[key])) for key, width in least.items()}
    widths["colour"] = max(widths["colour"], 7)
    columns = {"id": 1}
    x = WIDTH
    for key in reversed(widths):
        x -= widths[key] + (key != "for")
        columns[key] = x
    return columns


def render_tile_set(tiles: TileSet, *, colour: bool = False) -> str:
    """Every tile of a set in a table, level by level, below the set's own title and description."""
    heading = Canvas()
    heading.put(0, 1, fit(tiles.title or tiles.name, WIDTH - 1), BOLD)
    row = 1
    for paragraph in tiles.description.strip().split("\n\n"):
        for line in textwrap.wrap(paragraph, WIDTH - 2):
            heading.put(row, 1, fit(line, WIDTH - 1))
            row += 1
        row += 1
    blocks = [heading]
    columns = _columns(tiles.tiles)
    blocks += [_level_table(level, [tile for tile in tiles.tiles if tile.level == level], columns) for level in LEVELS]
    legend = Canvas()
    legend.put(0, 1, _("for: the player counts that use the tile"), DIM)
    blocks.append(legend)
    return "\n\n".join("\n".join(block.lines(colour)) for block in blocks) + "\n"


def _level_table(level: int, tiles: Sequence[Tile], columns: dict[str, int]) -> Canvas:
    canvas = Canvas()
    canvas.rule(0, 0, WIDTH)
    heading = _("level {number}", number=level)
    canvas.put(0, 2, f" {heading} ", BOLD)
    count = ngettext("{n} tile", "{n} tiles", len(tiles))
    canvas.put(0, WIDTH - 4 - len(count), f" {count} ")
    for key, text in _headings().items():
        canvas.put(1, columns[key], text, DIM)
    colour_width = columns["cost"] - columns["colour"] - 1
    for row, tile in enumerate(tiles, 2):
        canvas.put(row, columns["id"], tile.id)
        canvas.put(row, columns["colour"], tile.colour.label.ljust(colour_width), GROUND[tile.colour])
        canvas.put_all(row, columns["cost"], cost_spans(tile, _COST_WIDTH))
        canvas.put(row, columns["effect"], effect_words(tile))
        canvas.put(row, columns["cp"], f"{tile.cp:2}")
        if tile.mystic is not None:
            canvas.put(row, columns["mystic"], f"{tile.mystic:6}")
        canvas.put(row, columns["for"], STAR_PLAYERS[tile.star])
    return canvas
