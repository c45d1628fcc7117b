"""`orbis completion`: what a shell needs to complete commands, options, tile sets and moves."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from ..options import json_option, write, write_json

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@json_option
def completion(shell: str, as_json: bool) -> None:
    """Write a completion script for a shell, to save where the shell looks for it:

    \b
    bash  to ~/.local/share/bash-completion/completions/orbis
    zsh   to a file _orbis in a folder of your $fpath
    fish  to ~/.config/fish/completions/orbis.fish
    """
    from ..group import orbis

    kind = get_completion_class(shell)
    assert kind is not None
    # The base class's: bash's own starts a bash first, to ask for its version.
    script = ShellComplete.source(kind(orbis, {}, "orbis", "_ORBIS_COMPLETE")) + "\n"
    if as_json:
        from ...base.json import text_to_json

        write_json(text_to_json(f"{shell}-completion", script))
    else:
        write(script)
