"""`orbis apply`: the position after a move."""

from __future__ import annotations

import click

from ...base.language import _
from ..options import (
    json_option,
    load_position,
    move_argument,
    oneline_option,
    output_option,
    position_argument,
    position_folder,
    position_tiles_option,
    rebased,
    seed_type,
    turn_option,
    write,
)


@click.command()
@position_argument
@move_argument
@click.option("--draw", metavar="TILE", help="The tile drawn for the empty cell: its id or description.")
@click.option("--seed", type=seed_type, metavar="N", help="Draw that tile at random.")
@position_tiles_option
@turn_option
@click.option("--toml", "as_toml", is_flag=True, help="Write a position file.  [default]")
@oneline_option
@json_option
@output_option
def apply(
    position: str,
    move: tuple[str, ...],
    draw: str | None,
    seed: int | None,
    tiles: str | None,
    turn: int | None,
    as_toml: bool,
    oneline: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Write the position after MOVE is played in POSITION.

    MOVE is in move notation, in as many words as it takes; a short form will do if
    it fits one legal move. Taking a region empties a cell: name the tile that fills
    it with --draw, or let --seed draw one.
    """
    if as_toml + oneline + as_json > 1:
        raise click.UsageError(_("--toml, --oneline and --json cannot be combined."))
    if draw is not None and seed is not None:
        raise click.UsageError(_("--draw and --seed cannot be combined."))
    loaded = load_position(position, tiles, turn=turn)

    from ... import notation
    from ...core.turn import take_turn
    from ...game.vocabulary import CELLS
    from ...notation.common import tile_text

    played = notation.parse_move(" ".join(move), loaded)
    text = notation.format_move(loaded, played)
    taken = take_turn(loaded, played, draw=draw, seed=seed, option="--")
    if taken.tile is not None and taken.cell is not None:
        text += f"; {tile_text(taken.tile)} came to {CELLS[taken.cell]}"
    after = rebased(taken.after, position_folder(position, tiles), output)
    if as_json:
        written = notation.write_json(after)
    elif oneline:
        written = notation.write_oneline(after)
    else:
        written = f"# After: {text}\n{notation.write_toml(after)}"
    write(written.rstrip("\n") + "\n", output)
