"""`orbis completion`: what a shell needs to complete commands, options, tile sets and moves."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from .options import json_option, write, write_json

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@json_option
def completion(shell: str, as_json: bool) -> None:
    """Write the completion script for a shell, to be kept where it looks:

    \b
    bash  to ~/.local/share/bash-completion/completions/orbis
    zsh   to a file _orbis in a folder of your $fpath
    fish  to ~/.config/fish/completions/orbis.fish
    """
    from .group import orbis

    kind = get_completion_class(shell)
    assert kind is not None
    # The base class's: bash's own starts a bash first, to ask for its version.
    script = ShellComplete.source(kind(orbis, {}, "orbis", "_ORBIS_COMPLETE")) + "\n"
    if as_json:
        from ..answers import text_to_json

        write_json(text_to_json(f"{shell}-completion", script))
    else:
        write(script)


def complete_files(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


def complete_tiles(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from ..tiles import RANDOM_PREFIX
    from ..tilesets import built_in_tile_sets

    names = [name for name in (*built_in_tile_sets(), RANDOM_PREFIX) if name.startswith(incomplete)]
    return [*map(CompletionItem, names), *complete_files(ctx, parameter, incomplete)]


def complete_move(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The next word of the moves that begin with the words typed so far, of those that a search looks at."""
    from ..errors import InputError
    from ..notation import format_move
    from ..rules import legal_moves
    from .options import load_position

    typed = [*(ctx.params.get(parameter.name or "") or ())]
    try:
        position = load_position(ctx.params.get("position"), ctx.params.get("tiles"))
        texts = [format_move(position, move).split() for move in legal_moves(position, search=True)]
    except InputError:
        return []  # what is wrong is said when the command runs
    at = len(typed)
    words = {words[at]: None for words in texts if words[:at] == typed and len(words) > at}
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]
