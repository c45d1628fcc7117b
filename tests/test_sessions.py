"""What every command writes, against what is kept in golden/sessions.

After a wanted change: python tests/golden/regenerate.py, and read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden.sessions import COMMANDS_PAGE, HELP, KEPT, SESSIONS, commands_page, session, with_positions
from test_docs import COMMANDS

# Files and JSON; and tables and lines as wide as the names, players and tiles in them.
WIDE = {
    "orion",
    "orion-moves",
    "orion-template",
    "orion-arena",
    "engine",
    "completion",
    "check-problems",
    "show-forms",
    "new",
    "new-template",
    "apply",
    "tiles-template",
    "tiles-random",
    "check",
    "moves",
    "arena",
    "record-forms",
    "bench",
    "bench-regret",
    "verify",
    "tables-de",
    "tables-pl",
    "tables-ru",
}


@pytest.mark.parametrize("name", SESSIONS)
def test_the_session_is_the_golden_one(name: str, tmp_path: Path) -> None:
    assert session(name, with_positions(tmp_path)) == (KEPT / f"{name}.txt").read_text("utf-8")


def test_every_command_has_a_session_and_its_help_is_kept() -> None:
    said = [line for lines, _ in SESSIONS.values() for line in lines]
    for name in COMMANDS:
        command = name.removeprefix("orbis ")
        assert command in HELP
        # `bench search` says the same of other figures, and takes a minute for it; `bench peers` has peers that are
        # extra.
        assert command in ("bench search", "bench peers") or any(
            line.split()[: len(command.split())] == command.split() and "--help" not in line for line in said
        )


def test_the_page_of_the_commands_is_what_they_say() -> None:
    assert COMMANDS_PAGE.read_text("utf-8") == commands_page()


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.txt")), ids=lambda path: path.stem)
def test_what_people_read_fits_in_80_columns(path: Path) -> None:
    """But for what is to be read by programs or as a file, and lines that name what somebody typed."""
    if path.stem in WIDE or path.stem.endswith("-json"):
        return
    wide = [line for line in path.read_text("utf-8").splitlines() if len(line) > 80]
    typed = ("$ ", "! ", "  centre.")
    assert [line for line in wide if not line.startswith(typed)] == []
