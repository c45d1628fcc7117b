"""`--json` of every command against docs/json.md and the schema made from it: the fields are those documented, each of its
type."""

from __future__ import annotations

import json
import re
import shlex
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from golden.sessions import KEPT
from json_schema import SCALARS, made_schema, strict, tables
from jsonschema import Draft202012Validator
from test_bench import QUICK_PARTS, quick_growth
from test_docs import COMMANDS
from test_peers import quick_peers

from builders import random_game
from orbis_search import json_schema
from orbis_search.record.text import write_record
from program import GOLDEN, Run

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
REORDERING = """\
pending = [{ task = "reorder", player = 1, systems = [0], every = false }]
[[player]]
race = "humans"
systems = ["titan, frigate"]
[[player]]
race = "humans"
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
orbis-verify        verify --decisions 1 --singles 0 --threads 1 --seed 12
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
orbis-training-result train run --players 2 --generations 1 --games 2 --sims 4 --epochs 1 --match-games 2 --match-sims 4 --threads 1
orbis-orion-position orion new --seed 3 --decisions 50 --names Anna,Ben
orbis-orion-position orion new --seed 4 --decisions 50
orbis-orion-position orion new --players 4 --seed 7 --decisions 170 --style random --seen-by 1
orbis-orion-position orion new --players 3 --seed 3 --decisions 30 --style random
orbis-orion-position orion show
orbis-orion-position orion apply orion.toml done --seed 1
orbis-orion-check   orion check
orbis-orion-check   orion check tiles.toml
orbis-orion-moves   orion moves
orbis-orion-moves   orion moves reorder.toml
orbis-orion-moves   orion moves attack.toml
orbis-orion-advice  orion advise attack.toml --sims 12 --seed 1
orbis-orion-advice  orion advise --sims 30 --seed 1 --top 3
orbis-orion-play    orion play me regular --seed 1
orbis-orion-play    orion play beginner random --seed 1
orbis-orion-levels  orion play --levels
orbis-orion-arena-result orion arena sensible random --games 2 --threads 1 --sprt 0 10
orbis-orion-arena-result orion arena --replay orion.jsonl
orbis-verify        orion verify --decisions 1 --singles 1 --threads 1 --seed 3
orbis-perft         orion perft orion.toml 1 --divide
orbis-bench         orion bench --seconds 0.05
orbis-orion-cards   orion cards show
orbis-orion-cards   orion cards random --seed 7
orbis-orion-cards-check orion cards check reconstruction
orbis-orion-cards-check orion cards check tiles.toml
orbis-text          orion cards template
orbis-web           web --for 50ms --no-open --port 0
""".strip().splitlines()
FORMATS = [line.split(maxsplit=1) for line in SAMPLES]


class Checker:
    """Holds documents against the schema, and remembers which fields it has seen.

    Programs have to expect fields that they do not know; here one that is not in the schema is a slip.
    """

    def __init__(self) -> None:
        self.seen: set[tuple[str, str]] = set()
        self.schema = strict(json_schema())
        self.validator = Draft202012Validator(self.schema)

    def check(self, document: Any) -> None:
        problems = [f"{error.json_path}: {error.message}" for error in self.validator.iter_errors(document)]
        assert problems == []
        document = document if "format" in document else document.get("result")  # of the engine
        if isinstance(document, dict) and "format" in document:
            self.note(document, {"$ref": f"#/$defs/{document['format']}"})

    def note(self, value: Any, schema: dict[str, Any]) -> None:
        if "$ref" in schema:
            schema = self.schema["$defs"][schema["$ref"].removeprefix("#/$defs/")]
            self.seen |= {(schema["title"], field) for field in value}
        if "anyOf" in schema and value is not None:
            self.note(value, schema["anyOf"][0])
        elif isinstance(value, list):
            for each in value:
                self.note(each, schema["items"])
        elif isinstance(value, dict) and "properties" in schema:
            for field, each in value.items():
                self.note(each, schema["properties"][field])


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
    if "orion.toml" in line:
        run("orion", "new", "--seed", 1, "-o", "orion.toml")
    if "orion.jsonl" in line:
        run("orion", "arena", "random", "random", "--games", "2", "--threads", "1", "--save", "orion.jsonl")
    if "attack.toml" in line:
        run("orion", "new", "--players", 3, "--seed", 4, "--decisions", 40, "--style", "random", "-o", "attack.toml")
    if "reorder.toml" in line:
        (folder / "reorder.toml").write_text(REORDERING, "utf-8")
    as_json = [] if "batch" in line else ["--json"]
    done = run(*shlex.split(line), *as_json, stdin=ANSWERS.encode())
    assert done.code == (2 if '"ok": false' in done.out else 0), done.err
    out = (folder / "lines.jsonl").read_text("utf-8") if "lines.jsonl" in line else done.out
    for value in lines_of(out):
        assert value["format"] == form
        checker.check(value)


def test_every_documented_field_was_written(checker: Checker) -> None:
    """Runs behind the commands above, which together write every field."""
    if not checker.seen:
        pytest.skip("nothing was written: run the whole file")
    documented = {(name, field) for name, fields in tables().items() for field in fields}
    assert documented - checker.seen == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_json_and_is_sampled(name: str) -> None:
    if name == "orbis engine":
        return  # it speaks nothing else: docs/engine.md
    command = name.removeprefix("orbis ")
    assert any(line.startswith(f"{command} ") or line == command for _, line in FORMATS), name
    assert any("--json" in parameter.opts for parameter in COMMANDS[name].params), name


# ------------------------------------------------------------------------------ the schema


def test_the_schema_is_made_from_the_tables() -> None:
    """If this fails: python tests/json_schema.py"""
    assert json_schema() == made_schema()


def test_the_schema_is_sound_and_names_what_it_has() -> None:
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    named = set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(schema)))
    assert named == set(schema["$defs"])  # and nothing is there that no document has
    assert set(schema["then"]["properties"]["format"]["enum"]) == {form for form, _ in FORMATS}


def kept_documents(path: Path) -> list[Any]:
    """All JSON in a session: a document whose lines are between braces of their own, or what the engine reads or writes."""
    text = re.sub(r'": T\b', '": 0', path.read_text("utf-8"))  # seconds are masked
    found = re.findall(r"(?m)^\{\n(?s:.*?)^\}$|^\{.*\}$", text)
    return [json.loads(each) for each in found]


@pytest.mark.parametrize("path", [path for path in sorted(KEPT.glob("*.txt")) if '"format"' in path.read_text("utf-8")])
def test_every_document_in_a_session_is_valid(checker: Checker, path: Path) -> None:
    found = kept_documents(path)
    assert json.dumps(found).count('"format":') == path.read_text("utf-8").count('"format":')  # none is left out
    for document in found:
        checker.check(document)


CHECKED = {
    "format": "orbis-tiles-check",
    "version": 1,
    "ok": False,
    "problems": [{"place": "tile 3", "message": "no"}],
    "warnings": [],
}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"format": "orbis-nothing"}, "$.format"),
        ({"version": 99}, "$.version"),
        ({"ok": None}, "$.ok"),
        ({"problems": None}, "$.problems"),
        ({"problems": [{"place": "tile 3"}]}, "$.problems[0]"),
        ({"problems": [{"place": "tile 3", "message": 1}]}, "$.problems[0].message"),
    ],
)
def test_a_wrong_document_is_refused_by_its_place(change: dict[str, Any], place: str) -> None:
    validator = Draft202012Validator(json_schema())
    assert validator.is_valid(CHECKED)
    assert [error.json_path for error in validator.iter_errors(CHECKED | change)] == [place]


def test_a_missing_field_is_found_and_an_added_one_is_no_fault() -> None:
    validator = Draft202012Validator(json_schema())
    for field in CHECKED:
        assert not validator.is_valid({name: value for name, value in CHECKED.items() if name != field}), field
    more = deepcopy(CHECKED) | {"more": 1}
    assert validator.is_valid(more)
    assert not Draft202012Validator(strict(json_schema())).is_valid(more)


@pytest.mark.parametrize(
    ("text", "right"), [("7/12", True), ("-5/12", True), ("0", True), ("1/0", False), ("0.5", False)]
)
def test_a_fraction_is_a_text(text: str, right: bool) -> None:
    assert Draft202012Validator(SCALARS["fraction"]).is_valid(text) is right
