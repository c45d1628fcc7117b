"""`--json` of every command against docs/json.md: what is written has the fields documented there, each of its type."""

from __future__ import annotations

import json
import re
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from test_bench import QUICK_PARTS, quick_growth
from test_docs import COMMANDS
from test_peers import quick_peers

from builders import random_game
from orbis_search.record.text import write_record
from program import GOLDEN, Run

DOCUMENT = Path(__file__).parents[1] / "docs" / "json.md"
ANSWERS = "Anna Ben\ntiles.toml\nno such tile\nquit\n"
GAME = """\
orbis-game 1
players: Anna, Bo
centre: y1c, g1a, y1a / r1a, g1b, r1b / b1b, b1a, w1b
gods: love, fire, death
1. love gain rgbyw
2. a2 1 | y1b
    2. fire
3. b2 pay y | w1a
4. c2 1R gain w | ?
"""
# What is run in the folder of the golden positions, by format; together they write every field.
SAMPLES = """
orbis-advice        advise middle-2.toml --sims 300 --threads 1 --seed 1 --top 3
orbis-advice        advise opening-3.toml --sims 100 --threads 1 --seed 1 --top 1
orbis-advice        advise late-2.toml --sims 500 --threads 1 --seed 1
orbis-advice        advise middle-2.toml --sims 300 --threads 1 --seed 1 --all-ways
orbis-solution      solve --threads 1 --top 2
orbis-solution      solve --threads 1 --top 2 --move "a2 w2c 4.2 pay b2yw" --objective margin
orbis-solution      solve late-3.toml --threads 1 --top 2 --move MOVE
orbis-solution      solve --batch batch --threads 1
orbis-review        review game.orbis --sims 400 --threads 1
orbis-review        review --batch games --sims 20 --threads 1 -o lines.jsonl
orbis-review-summary review --batch games --sims 20 --threads 1 --json
orbis-position      show middle-2.toml
orbis-position      show odd-2.toml
orbis-position      new --seed 1
orbis-position      apply opening-2.toml b2 wild 1L --seed 1
orbis-check         check middle-2.toml
orbis-check         check ending-2.toml
orbis-check         check tiles.toml
orbis-moves         moves middle-2.toml
orbis-moves         moves --limit 1
orbis-edit          edit new.toml
orbis-levels        play --levels
orbis-play          play --level 1 --seed 1
orbis-play          play beginner beginner --seed 1
orbis-track         track new.orbis
orbis-game          record show game.orbis
orbis-game-check    record check game.orbis
orbis-game-check    record check tiles.toml
orbis-position      record position game.orbis 3
orbis-game-files    record arena games.jsonl folder
orbis-tiles         tiles show
orbis-tiles         tiles random --seed 7
orbis-tiles-check   tiles check reconstruction
orbis-tiles-check   tiles check middle-2.toml
orbis-text          tiles template
orbis-text          new --template
orbis-text          completion bash
orbis-text          completion zsh
orbis-text          completion fish
orbis-perft         perft opening-2.toml 1 --divide
orbis-perft         perft opening-2.toml 1 --seed 3 --reference
orbis-verify        verify --decisions 1 --singles 1 --threads 1
orbis-verify        verify --endings 2 --bounds 1 --turns 4 --limit 10ms --threads 1
orbis-verify        verify --advice 1 --sims 20 --threads 1
orbis-verify        verify --threads-agree --positions 1 --searches 30 --sims 300
orbis-bench         bench --rounds 1 --threads 2 --compare run.json --plot growth.svg
orbis-bench         bench rules --seconds 0.05
orbis-bench         bench search --seconds 0.05 --threads 1
orbis-bench         bench endgame --turns 4 --positions 1
orbis-bench         bench peers --games 2 --sims 4 --time 2ms
orbis-bench         bench regret --set fit --turns 4 --positions 2 --sims 20 --threads 1
orbis-arena-result  arena greedy random --games 2 --threads 1 --sprt 0 10
orbis-arena-result  arena --replay games.jsonl
""".strip().splitlines()
FORMATS = [line.split(maxsplit=1) for line in SAMPLES]


class Field(NamedTuple):
    type: str
    optional: bool


def tables() -> dict[str, dict[str, Field]]:
    """Every object of the document by the heading above its table: field by field."""
    found: dict[str, dict[str, Field]] = {}
    for part in re.split(r"(?m)^##+ ", DOCUMENT.read_text("utf-8"))[1:]:
        fields = found.setdefault(part.split("\n", 1)[0], {})
        for row in re.findall(r"(?m)^\|( `.*)\|$", part):
            names, types, _, when = (cell.strip() for cell in row.split("|"))
            each = [name.strip(" `") for name in names.split(",")]
            kinds = types.split(", ") if ", " in types and not types.endswith(", or null") else [types]
            kinds = kinds * len(each) if len(kinds) == 1 else kinds
            assert len(kinds) == len(each), f"{names}: expected one type, or one for each, found {types}"
            for name, kind in zip(each, kinds):
                assert name not in fields, f"{name} is there twice"
                fields[name] = Field(kind.replace(", or null", " or null"), bool(when))
    return found


TABLES = tables()
VERSIONS = dict(re.findall(r"(?m)^\| `format`, `version` .*?`(orbis-[\w-]+)`, (\d+) ", DOCUMENT.read_text("utf-8")))


class Checker:
    """Holds values against the tables, and remembers which fields it has seen."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, str]] = set()

    def check(self, value: Any, kind: str, place: str) -> None:
        if kind.startswith("list of "):
            assert isinstance(value, list), place
            for number, each in enumerate(value):
                self.check(each, kind.removeprefix("list of "), f"{place}[{number}]")
        elif kind.endswith(" or null"):
            if value is not None:
                self.check(value, kind.removesuffix(" or null"), place)
        elif kind.startswith("table of "):
            assert isinstance(value, dict), place
            for key, each in value.items():
                self.check(each, kind.removeprefix("table of "), f"{place}[{key!r}]")
        elif named := re.fullmatch(r"\*(.*)\*", kind):
            self.check_object(value, named[1], place)
        elif kind == "fraction":
            assert isinstance(value, str) and Fraction(value) is not None, place
        else:
            types = {"text": str, "integer": int, "number": (int, float), "boolean": bool}[kind]
            assert isinstance(value, types) and (kind == "boolean" or not isinstance(value, bool)), (place, value)

    def check_object(self, value: Any, name: str, place: str) -> None:
        fields = TABLES[name]
        assert isinstance(value, dict), place
        assert value.keys() <= fields.keys(), f"{place}: not in the document: {value.keys() - fields.keys()}"
        missing = {field for field, each in fields.items() if not each.optional} - value.keys()
        assert not missing, f"{place}: not written: {missing}"
        for field, each in value.items():
            self.seen.add((name, field))
            self.check(each, fields[field].type, f"{place}.{field}")


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    for path in GOLDEN.glob("*.toml"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("orbis_search.measure.speed.SEARCHED", 500)  # figures are not looked at
    for players in (2, 3):
        run("new", "--players", players, "--turns", 15 * players - 2, "--seed", 1, "-o", f"late-{players}.toml")
    return tmp_path


def lines_of(out: str) -> list[Any]:
    """One document, or one a line."""
    try:
        return [json.loads(out)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize(("form", "line"), FORMATS, ids=[line for _, line in FORMATS])
def test_a_command_writes_what_is_documented(
    run: Run, folder: Path, checker: Checker, form: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "batch" in line:
        (folder / "batch").mkdir()
        for seed in (1, 2):
            run("new", "--turns", "29", "--seed", seed, "-o", f"batch/{seed}.toml")
    if line.startswith("review"):
        (folder / "games").mkdir()
        for path in (folder / "game.orbis", folder / "games" / "one.orbis"):
            path.write_text(write_record(random_game(before=16)), "utf-8")
    if "games.jsonl" in line:
        run("arena", "greedy", "random", "--games", "2", "--threads", "1", "--save", "games.jsonl")
    if "MOVE" in line:
        taking = [move for move in json.loads(run("moves", "late-3.toml", "--json").out)["moves"] if "cell" in move]
        line = line.replace("MOVE", f"'{taking[0]['text']}'")
    if "run.json" in line:
        monkeypatch.setattr("orbis_search.measure.fixed_work.PARTS", QUICK_PARTS)
        quick_growth(monkeypatch)
        (folder / "run.json").write_text(run("bench", "--rounds", 1, "--threads", 2, "--json").out, "utf-8")
    if "game.orbis" in line:
        (folder / "game.orbis").write_text(GAME, "utf-8")
    if "peers" in line:
        quick_peers(monkeypatch)
    as_json = [] if "batch" in line else ["--json"]
    done = run(*shlex.split(line), *as_json, stdin=ANSWERS.encode())
    assert done.code == (2 if '"ok": false' in done.out else 0), done.err
    out = (folder / "lines.jsonl").read_text("utf-8") if "lines.jsonl" in line else done.out
    for value in lines_of(out):
        assert (value["format"], str(value["version"])) == (form, VERSIONS[form])
        checker.check_object(value, form, form)


def test_every_documented_field_was_written(checker: Checker) -> None:
    """Runs behind the commands above, which together write every field."""
    if not checker.seen:
        pytest.skip("nothing was written: run the whole file")
    documented = {(name, field) for name, fields in TABLES.items() for field in fields}
    assert documented - checker.seen == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_json_and_is_sampled(name: str) -> None:
    if name == "orbis engine":
        return  # it speaks nothing else: docs/engine.md
    command = name.removeprefix("orbis ")
    assert any(line.startswith(f"{command} ") or line == command for _, line in FORMATS), name
    assert any("--json" in parameter.opts for parameter in COMMANDS[name].params), name
