"""Tests run against the installed package, never by accident against the source folder beside them."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path

import pytest

import orbis_search
from orbis_search.cli.main import main
from program import Result, Run

# For every Python that a test starts: the folder it starts in is not searched for modules.
os.environ["PYTHONSAFEPATH"] = "1"
# A shell's background job ignores Ctrl-C and so would every program that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Whoever runs the tests may have settings of their own.
os.environ["ORBIS_SETTINGS"] = ""
os.environ["ORBIS_LANG"] = "en"

if Path(orbis_search.__file__).parent == Path(__file__).parent.parent / "orbis_search":
    pytest.exit(
        "the tests found the source folder instead of the installed package: pip install . without -e, and run pytest, "
        "not python -m pytest",
        2,
    )


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """A command in this process: `run("show", path)` is its exit code and what it wrote to its two outputs."""

    def run(*arguments: object, stdin: bytes | None = None, lang: str | None = None) -> Result:
        with monkeypatch.context() as changes:
            if stdin is not None:
                changes.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            if lang is not None:
                changes.setenv("ORBIS_LANG", lang)
            capsys.readouterr()
            code = main([str(argument) for argument in arguments])
        return Result(code, *capsys.readouterr())

    return run


@pytest.fixture
def orion(request: pytest.FixtureRequest) -> object:
    """An implementation of the rules of Master of Orion, for the test and for the functions that it builds with."""
    import orion_builders

    orion_builders.use(request.param)
    return request.param
