"""`orbis new`: a fresh game, or one played on for some turns, as a position."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ...base.language import N_, _
from ..options import (
    Whole,
    json_option,
    load_tiles,
    oneline_option,
    output_option,
    players_option,
    rebased,
    rebased_tiles,
    seed_option,
    tiles_option,
    write,
    write_json,
)

if TYPE_CHECKING:
    from ...game.tiles import TileSet


@click.command()
@players_option
@seed_option
@click.option(
    "--turns",
    type=Whole(0),
    metavar="N",
    default=0,
    show_default=True,
    help="Play on for N turns, counting every player's.",
)
@click.option(
    "--style",
    type=click.Choice(["random", "sensible"]),
    default="sensible",
    show_default=True,
    help="How those turns are played.",
)
@tiles_option(N_("Tile set: a file, a built-in name, or random:SEED."))
@click.option("--template", is_flag=True, help="Write a commented file to fill in instead of a game.")
@click.option("--keep-order", is_flag=True, help="Write the piles too, in the order they will be drawn.")
@oneline_option
@json_option
@output_option
def new(
    players: int,
    seed: int | None,
    turns: int,
    style: str,
    tiles: str | None,
    template: bool,
    keep_order: bool,
    oneline: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Write a position: a new game, or one played on for N turns.

    The same seed makes the same game. Without one, a seed is drawn and noted in
    the file. The contents of the piles follow from the table and are not written;
    nor is their order, which nobody at the table would know.

    With --template, a position file with every key explained and a ? wherever
    something is to be filled in; orbis check lists those still left. (To be asked
    instead: orbis edit.)
    """
    from ...game.vocabulary import TURNS

    most = TURNS * players
    if turns > most:
        raise click.UsageError(
            _(
                "--turns: a game of {players} players has {most} turns, not {found}.",
                players=players,
                most=most,
                found=turns,
            )
        )
    if oneline and as_json:
        raise click.UsageError(_("--oneline and --json cannot be combined."))
    if template:
        if turns or seed is not None or keep_order or oneline:
            raise click.UsageError(_("--template takes only --players, --tiles, --json and -o."))
        _write_template(players, tiles, as_json, output)
        return

    import random

    from ... import notation
    from ...game import rules
    from ...game.problems import with_plain_piles

    if seed is None:
        seed = random.SystemRandom().randrange(2**32)
    tile_set = _named_tiles(tiles)
    position = rules.new_game(tile_set, players, random.Random(seed))
    if turns:
        from ...core import fast_rules

        position = fast_rules.play_on(position, turns, seed, style)
    if not keep_order:
        position = with_plain_piles(position)
    position = rebased(position, ".", output)
    if as_json:
        text = notation.write_json(position)
    elif oneline:
        text = notation.write_oneline(position)
    else:
        command = f"orbis new --players {players} --seed {seed}"
        if turns:
            command += f" --turns {turns} --style {style}"
        if tiles and tiles.isprintable():
            import shlex

            command += f" --tiles {shlex.quote(tiles)}"
        look = "" if output in (None, "-") else f"; see it with: orbis show {os.path.basename(output or '')}"
        text = f"# Made by: {command}{look if look.isprintable() else ''}\n{notation.write_toml(position)}"
    write(text.rstrip("\n") + "\n", output)


def _write_template(players: int, tiles: str | None, as_json: bool, output: str | None) -> None:
    from ...notation import write_template

    text = write_template(players, rebased_tiles(_named_tiles(tiles), ".", output))
    if as_json:
        from ...base.json import text_to_json

        write_json(text_to_json("position-template", text), output)
    else:
        write(text, output)


def _named_tiles(tiles: str | None) -> TileSet:
    from ...game.tiles import DEFAULT_TILE_SET

    if tiles == "-":
        raise click.UsageError(_("--tiles: a position has to name its tile set, so it cannot come from -."))
    return load_tiles(tiles or DEFAULT_TILE_SET)
