"""`orbis engine`: questions and answers as lines of JSON, for programs."""

from __future__ import annotations

import io
import os
import sys
from typing import IO, Any, BinaryIO, cast

import click

from ...base.errors import InputError
from ...base.language import _
from ..options import size_type, threads_type

INTERRUPTED = 130


@click.command()
@click.option("--workers", type=threads_type, metavar="N", help="How many searches at a time.  [default: one per core]")
@click.option(
    "--memory",
    type=size_type,
    default="256M",
    show_default=True,
    metavar="SIZE",
    help="Memory for each request, and the most it may ask for.",
)
def engine(workers: int | None, memory: int) -> None:
    """Answer requests on standard input, each a line of JSON.

    For programs: advise, solve, moves, apply, show and check, many at once, with
    ids, priorities, interim reports and cancel. docs/engine.md describes every
    field. When the input ends, every request is still answered; Ctrl-C stops the
    searches and answers with the best so far.
    """
    from ...engine.server import Engine

    source = _without_buffer(sys.stdin, "standard input", "rb")
    sink = _without_buffer(sys.stdout, "standard output", "wb")
    if not Engine(source, sink, workers=workers, memory=memory).run():
        raise click.exceptions.Exit(INTERRUPTED)


def _without_buffer(stream: IO[Any] | None, name: str, mode: str) -> BinaryIO:
    """The stream's file without Python's buffer, whose lock a waiting thread would still hold when the interpreter
    exits."""
    if stream is None:
        raise InputError.one(name, _("expected an open stream, found a closed one"))
    try:
        number = stream.fileno()
    except io.UnsupportedOperation:
        return cast(BinaryIO, stream.buffer)  # type: ignore[attr-defined]
    stream.flush()
    os.set_blocking(number, True)  # another user of the pipe may have changed it
    return cast(BinaryIO, open(number, mode, buffering=0, closefd=False))
