"""The perft tables of tests/perft, produced by the reference, are met by the core.

On a mismatch the failure prints the divide: each first move whose number of sequences differs.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from orbis_search.core import fast_rules
from orbis_search.game import rules
from orbis_search.game.position import Position
from orbis_search.notation import read_oneline
from orbis_search.notation.move_text import format_move

FOLDER = Path(__file__).parent / "perft"
MODES = {"fixed_order": False, "all_draws": True}


def tables() -> list[tuple[str, dict]]:
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        found += [(path.stem, entry) for entry in content.get("position", ())]
    return found


TABLES = tables()


def read(entry: dict) -> Position:
    return read_oneline(entry["line"], entry["name"], FOLDER)


def reference_divide(where: Position, depth: int, draws: bool) -> dict:
    """perft by first move, by the reference alone."""
    divided = {}
    for move in rules.legal_moves(where):
        after = rules.apply(where, move)
        drawn = rules.draws(after) if draws else rules.draws(after)[:1]
        followed = [rules.refill(after, tile) for tile in drawn] or [after]
        divided[move] = sum(rules.perft(each, depth - 1, draws) for each in followed)
    return divided


def difference(where: Position, depth: int, draws: bool, most: int = 20) -> str:
    """The first moves on which core and reference differ, a line each."""
    core, plain = fast_rules.perft_divide(where, depth, draws), reference_divide(where, depth, draws)
    lines = []
    for move in sorted(core.keys() | plain.keys(), key=str):
        if core.get(move) != plain.get(move):
            text = format_move(where, move) if move in plain else f"not legal: {move}"
            lines.append(f"  {text}: core {core.get(move, 'none')}, reference {plain.get(move, 'none')}")
    if not lines:
        return "core and reference agree on every first move: the table is out of date"
    more = [f"  and {len(lines) - most} more"] if len(lines) > most else []
    return "\n".join(["moves that differ:", *lines[:most], *more])


def test_the_tables_cover_what_they_should():
    assert {file for file, _ in TABLES} == {"opening", "middle", "ending"}
    names = [entry["name"] for _, entry in TABLES]
    assert len(names) == len(set(names)) >= 30
    assert all(entry["why"] for _, entry in TABLES)
    for file in ("opening", "middle", "ending"):
        of_file = [read(entry) for name, entry in TABLES if name == file]
        assert {len(where.players) for where in of_file} == {2, 3, 4}
        assert {where.tiles.name.partition(":")[0] for where in of_file} == {"tiles.toml", "random"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("entry", [entry for _, entry in TABLES], ids=[entry["name"] for _, entry in TABLES])
def test_the_core_meets_the_table(entry, mode):
    where = read(entry)
    for depth, expected in enumerate(entry[mode], start=1):
        found = fast_rules.perft(where, depth, MODES[mode])
        if found != expected:
            how = "with all draws" if MODES[mode] else "in listed order"
            pytest.fail(
                f"{entry['name']} ({entry['why']})\n{entry['line']}\n"
                f"perft({depth}) {how}: expected {expected}, found {found}\n" + difference(where, depth, MODES[mode])
            )


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["start-random-3", "bare", "last-three"])
def test_the_divide_adds_up_and_is_the_references(name, mode):
    (where,) = [read(entry) for _, entry in TABLES if entry["name"] == name]
    (expected,) = [entry[mode][1] for _, entry in TABLES if entry["name"] == name]
    divided = fast_rules.perft_divide(where, 2, MODES[mode])
    assert sum(divided.values()) == expected
    if expected < 5_000:
        assert divided == reference_divide(where, 2, MODES[mode])


def test_a_mismatch_names_the_moves(monkeypatch):
    (where,) = [read(entry) for _, entry in TABLES if entry["name"] == "last-three"]
    assert "out of date" in difference(where, 2, draws=False)
    perft_divide = fast_rules.perft_divide

    def short_of_one(*arguments):
        divided = perft_divide(*arguments)
        lost = min(divided, key=str)
        return {move: number for move, number in divided.items() if move != lost}

    monkeypatch.setattr(fast_rules, "perft_divide", short_of_one)
    lines = difference(where, 2, draws=False).splitlines()
    assert len(lines) == 2
    assert format_move(where, min(rules.legal_moves(where), key=str)) in lines[1]
    assert "core none" in lines[1]
