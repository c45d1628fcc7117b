"""Malformed positions, as data: every case must give exactly its problems, each at its place."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from orbis_search.base.errors import InputError
from orbis_search.game.problems import problems
from orbis_search.notation import read_position

DATA = Path(__file__).parent / "malformed"
CASES = tomllib.loads((DATA / "positions.toml").read_text(encoding="utf-8"))["case"]
FORMS = {"toml": "base.toml", "json": "base.json", "line": "base.line"}
# Too long to stand in the data file.
LONG = {"@deep@": "[" * 100_000, "@digits@": "1" * 5000}


def text_of(case: dict) -> bytes:
    """The malformed file: given whole, or a sound one with changes, each of which must apply once."""
    if "hex" in case:
        return bytes.fromhex(case["hex"])
    if "text" in case:
        return case["text"].encode()
    text = (DATA / FORMS[case["form"]]).read_text(encoding="utf-8")
    for old, new in case.get("change", ()):
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    text += case.get("append", "")
    for word, long in LONG.items():
        text = text.replace(word, long)
    return text.encode()


@pytest.mark.parametrize("form", FORMS)
def test_the_base_is_sound(form: str) -> None:
    position = read_position((DATA / FORMS[form]).read_bytes(), "", DATA)
    assert problems(position) == []
    assert position == read_position((DATA / "base.toml").read_bytes(), "", DATA)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_exactly_these_problems(case: dict) -> None:
    with pytest.raises(InputError) as caught:
        read_position(text_of(case), "", DATA)
    found = list(caught.value.problems)
    report = "\n".join(map(str, found))
    for place, fragment in case["expect"]:
        fitting = [problem for problem in found if problem.place == place and fragment in problem.message]
        assert fitting, f"no problem at {place!r} with {fragment!r} in:\n{report}"
        found.remove(fitting[0])
    assert not found, f"not foreseen: {found}\nin:\n{report}"
    report.encode("utf-8")  # whatever was in the file, its report can be printed
    assert all("expected" in problem.message for problem in caught.value.problems)


def test_there_are_enough_cases_and_each_says_why() -> None:
    assert len(CASES) >= 60
    assert len({case["name"] for case in CASES}) == len(CASES)
    assert all(case["why"].endswith((".", "?")) and case["expect"] for case in CASES)


def test_the_file_is_named_before_each_place() -> None:
    case = next(case for case in CASES if case["name"] == "several things at once")
    with pytest.raises(InputError) as caught:
        read_position(text_of(case), "game.toml", DATA)
    places = [problem.place for problem in caught.value.problems]
    assert "game.toml: player 2 (Bo), realm" in places
    assert "game.toml" in places  # a key at the top level has no place of its own
    assert all(place.startswith("game.toml") for place in places)


def test_a_text_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(InputError, match="expected a position of at most"):
        read_position("# comment\n" * 100_000, "")
