"""Shell completion while a command is typed: files, tile sets, moves."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem


def complete_files(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


def complete_tiles(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from ..game.tiles import RANDOM_PREFIX
    from ..tileset.library import built_in_tile_sets

    names = [name for name in (*built_in_tile_sets(), RANDOM_PREFIX) if name.startswith(incomplete)]
    return [*map(CompletionItem, names), *complete_files(ctx, parameter, incomplete)]


def complete_move(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The next word of the moves that begin with the words typed so far, among those that a search looks at."""
    from ..base.errors import InputError
    from ..core.fast_rules import legal_moves
    from ..notation import format_move
    from .files import load_position

    typed = [*(ctx.params.get(parameter.name or "") or ())]
    try:
        position = load_position(ctx.params.get("position"), ctx.params.get("tiles"), turn=ctx.params.get("turn"))
        texts = [format_move(position, move).split() for move in legal_moves(position, search=True)]
    except InputError:
        return []  # the command reports it when it runs
    at = len(typed)
    words = {words[at]: None for words in texts if words[:at] == typed and len(words) > at}
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]
