"""`orbis bench`: how fast this build is, on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from .group import PlainGroup
from .options import json_option, load_tiles, seed_option, tiles_option, write, write_json

if TYPE_CHECKING:
    from ..bench import Figure


@click.group(cls=PlainGroup)
def bench() -> None:
    """Measure speed.

    Each figure is the median of several short runs; the best of them stands
    behind it. On a busy machine trust neither: compare two builds in turns.
    """


@bench.command()
@seed_option
@tiles_option("Tile set to play with")
@click.option("--seconds", type=click.FloatRange(0.05, 600), default=1.0, show_default=True, help="For each figure.")
@json_option
def rules(seed: int | None, tiles: str | None, seconds: float, as_json: bool) -> None:
    """The rules: playouts, turns, state copies, move generation, on one core."""
    from .. import bench as measures
    from ..tiles import DEFAULT_TILE_SET

    tile_set = load_tiles(tiles or DEFAULT_TILE_SET)
    _show("rules", measures.bench_rules(tile_set, 1 if seed is None else seed, seconds), as_json)


@bench.command()
@seed_option
@tiles_option("Tile set to play with")
@click.option("--seconds", type=click.FloatRange(0.05, 600), default=3.0, show_default=True, help="For each figure.")
@click.option("--threads", type=click.IntRange(1, 256), help="To compare with one.  [default: one a core]")
@json_option
def search(seed: int | None, tiles: str | None, seconds: float, threads: int | None, as_json: bool) -> None:
    """The advisor's search: simulations a second on one core, and on several."""
    from .. import bench as measures
    from ..tiles import DEFAULT_TILE_SET

    tile_set = load_tiles(tiles or DEFAULT_TILE_SET)
    threads = threads or os.cpu_count() or 1
    _show("search", measures.bench_search(tile_set, 1 if seed is None else seed, seconds, threads), as_json)


def _show(kind: str, figures: Iterator[Figure], as_json: bool) -> None:
    """A line for each figure as soon as it is there; JSON when all are."""
    if as_json:
        listed = [
            {"name": figure.name, "value": figure.value, "best": figure.best, "unit": figure.unit}
            for figure in figures
        ]
        write_json({"format": "orbis-bench", "version": 1, "kind": kind, "figures": listed})
        return
    for figure in figures:
        digits = {"ns": 1, "x": 2}.get(figure.unit, 0)
        best = "" if figure.unit == "bytes" else f"best {figure.best:,.{digits}f}"
        write(f"{figure.title:<54} {figure.value:>13,.{digits}f} {figure.unit:<5}  {best}".rstrip() + "\n")
