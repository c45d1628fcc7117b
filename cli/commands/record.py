"""`orbis record`: shows, checks and converts games, and takes positions out of them."""

from __future__ import annotations

import os
from dataclasses import replace

import click

from ...base.errors import InputError, place_words
from ...base.language import N_, _
from ..group import PlainGroup
from ..options import (
    Whole,
    json_option,
    load_game,
    oneline_option,
    output_option,
    place_of,
    position_folder,
    read_bytes,
    rebased,
    tiles_option,
    write,
    write_json,
)

game_argument = click.argument("game", metavar="GAME")
game_tiles_option = tiles_option(N_("Tile set to use instead of the one the game names."))


@click.group(cls=PlainGroup)
def record() -> None:
    """Show, check and convert games.

    GAME is a file that orbis track or orbis play keeps, one written by hand, its
    JSON form, or - for standard input.
    """


@record.command()
@game_argument
@click.option("--text", "as_text", is_flag=True, help="Rewrite the game, every move in full.")
@game_tiles_option
@json_option
@output_option
def show(game: str, as_text: bool, tiles: str | None, as_json: bool, output: str | None) -> None:
    """List the turns of GAME with everybody's points, or convert it.

    --text writes it as a game file, --json as JSON; both read back as the same
    game, comments and variations included.
    """
    if as_text and as_json:
        raise click.UsageError(_("--text and --json cannot be combined."))
    loaded, cut = load_game(game, tiles)
    if not (as_text or as_json):
        from ...record.text import cut_text, record_text

        write(record_text(loaded) + cut_text(cut), output)
        return
    moved = replace(loaded, start=rebased(loaded.start, position_folder(game, tiles), output))
    if as_json:
        from ...record.json import record_to_json

        write_json(record_to_json(moved), output)
    else:
        from ...record.text import write_record

        write(write_record(moved), output)


@record.command()
@game_argument
@game_tiles_option
@json_option
def check(game: str, tiles: str | None, as_json: bool) -> None:
    """Check every move of GAME, and every tile drawn.

    If there is a mistake, names the first with its line, because the rest of the
    game depends on it, and exits with code 2. A sound game gets one line.
    """
    try:
        loaded, cut = load_game(game, tiles)
    except InputError as error:
        if not as_json:
            raise
        from ...record.json import record_check_to_json

        write_json(record_check_to_json(None, error.problems))
        raise click.exceptions.Exit(2) from None
    if as_json:
        from ...record.json import record_check_to_json

        write_json(record_check_to_json(loaded, cut=cut))
    else:
        from ...record.text import cut_text, record_check_text

        write(f"{place_words(place_of(game))}: {record_check_text(loaded)}{cut_text(cut)}")


@record.command()
@game_argument
@click.argument("turn", type=Whole(0), required=False)
@click.option("--toml", "as_toml", is_flag=True, help="Write a position file.  [default]")
@oneline_option
@game_tiles_option
@json_option
@output_option
def position(
    game: str, turn: int | None, as_toml: bool, oneline: bool, tiles: str | None, as_json: bool, output: str | None
) -> None:
    """Write the position of GAME before TURN, or the latest."""
    from ... import notation
    from ...record.positions import position_of

    if as_toml + oneline + as_json > 1:
        raise click.UsageError(_("--toml, --oneline and --json cannot be combined."))
    loaded, _cut = load_game(game, tiles)
    where = rebased(position_of(loaded, place_of(game), turn), position_folder(game, tiles), output)
    writer = notation.write_json if as_json else notation.write_oneline if oneline else notation.write_toml
    write(writer(where).rstrip("\n") + "\n", output)


@record.command()
@click.argument("games", metavar="FILE")
@click.argument("folder")
@json_option
def arena(games: str, folder: str, as_json: bool) -> None:
    """Write the games that orbis arena --save kept in FILE to FOLDER.

    One file for each game, named by round and game.
    """
    from ...players.arena import games_of
    from ...players.saved_games import records_of
    from ...record.text import write_record

    match, saved, _cut = games_of(read_bytes(games, "game"), place_of(games))
    written = [(f"{name}.orbis", write_record(each)) for name, each in records_of(match, saved)]
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        from ...base.errors import reason

        message = _("expected a folder, found: {reason}", reason=reason(error))
        raise InputError.one(place_of(folder), message) from None
    for name, text in written:
        write(text, os.path.join(folder, name))
    if as_json:
        from ...record.json import files_to_json

        write_json(files_to_json([os.path.join(folder, name) for name, _text in written]))
    else:
        from ...record.text import files_text

        write(files_text(len(written), folder))
