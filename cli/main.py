"""The entry point: runs a command and turns whatever ends it into one exit code and a line or two.

Exit codes: 0 fine, 1 a machine that lacks memory, threads or processes, 2 bad input, an output that cannot be written
or a core that cannot be loaded, 130 interrupted. This module imports only `sys` at the top, because `orbis --version`
must start in little more time than Python itself.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing takes time
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..base.errors import InputError

FINE, MACHINE_AT_FAULT, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(arguments: list[str] | None = None) -> int:
    if arguments is None:
        arguments = sys.argv[1:]
    if arguments == ["--version"]:  # the same in every language
        return _safely(_print_version, arguments)

    from .language import in_language_for

    with in_language_for(arguments):
        return _safely(_run, arguments)


def _safely(run: Callable[[list[str]], int], arguments: list[str]) -> int:
    try:
        code = run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has seen enough, as `head` does: not an error.
        _forget_output()
        return FINE
    except KeyboardInterrupt:
        from ..base.language import _

        _complain(_("orbis: interrupted"))
        return INTERRUPTED
    except OSError as error:
        from ..base.errors import reason
        from ..base.language import _

        _forget_output()
        if isinstance(error.filename, str):
            from ..base.quoting import place_of

            _complain(f"orbis: {place_of(error.filename)}: {reason(error)}")
        else:
            _complain(_("orbis: standard output: {reason}", reason=reason(error)))
        return BAD_INPUT
    return code


def _print_version(_: list[str]) -> int:
    from orbis_search import __version__

    print(f"orbis {__version__}")
    return FINE


def _run(arguments: list[str]) -> int:
    from ..base.errors import CoreError, InputError

    try:
        return _run_command(arguments)
    except CoreError as error:
        _complain(f"orbis: {error}")
        return BAD_INPUT
    except MemoryError:
        from ..base.machine import out_of_memory

        return _tell(out_of_memory())
    except InputError as error:
        return _tell(error)


def _complain(line: str) -> None:
    """On standard error, if that is open and takes it: there is nobody else to tell."""
    if sys.stderr is not None:
        try:
            print(line, file=sys.stderr, flush=True)
        except OSError:
            pass


def _tell(error: InputError) -> int:
    """Prints the problems; returns the exit code."""
    from ..base.machine import MachineError

    for problem in error.problems:
        _complain(f"orbis: {problem}")
    return MACHINE_AT_FAULT if isinstance(error, MachineError) else BAD_INPUT


def _run_command(arguments: list[str]) -> int:
    import os
    import warnings

    completing = "_ORBIS_COMPLETE" in os.environ
    if arguments[:1] == ["check"] and not completing:
        from .quick_start import run_simple

        code = run_simple(arguments)
        if code is not None:
            return code

    import click

    from .group import orbis as in_english
    from .translation import teach_click, translated

    teach_click()
    # A progress bar without its thread still shows progress, and the warning is not ours.
    warnings.filterwarnings("ignore", "tqdm:disabling monitor support")
    orbis = translated(in_english)
    if completing:
        orbis.main(arguments, prog_name="orbis")
    try:
        with orbis.make_context("orbis", list(arguments)) as context:
            orbis.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        from ..base.quoting import safe

        error.message = safe(error.message)  # type: ignore[misc]  # it quotes what was typed
        if isinstance(error, click.UsageError):
            error.show()
        else:
            _complain(f"orbis: {error.format_message()}")
        return BAD_INPUT
    return FINE


def _forget_output() -> None:
    """Lets the interpreter's own flush at exit succeed: what is left in the buffer goes nowhere."""
    import os

    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
