"""The engine's actions for boards that people touch, and for games in files. Every answer is what the schema says."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from json_schema import strict
from jsonschema import Draft202012Validator

from games import game
from orbis_search import draw_position, json_schema, legal_moves, load_tile_set, parse_move, to_svg
from orbis_search.engine.server import Engine
from orbis_search.entry.keystrokes import keys_of_move
from orbis_search.notation import read_position, write_oneline, write_toml
from orbis_search.notation.examples import example_text
from orbis_search.record.file import load_record
from orbis_search.record.game import Misfit, Record
from orbis_search.record.text import read_record, write_record
from orbis_search.tileset.files import dump_tile_set

POSITION = read_position(example_text())
LINE = write_oneline(POSITION).strip()
OWN = "red L2 cost rg volcano 2 rb 2cp"  # in no set
VALIDATOR = Draft202012Validator(strict(json_schema()))


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def ask(action: str, **fields: Any) -> Any:
    """The result, or the whole answer if it is an error."""
    sink = BytesIO()
    request = {"id": 1, "action": action, **fields}
    assert Engine(BytesIO(json.dumps(request).encode()), sink, workers=1).run()
    answers = [json.loads(line) for line in sink.getvalue().splitlines()]
    for each in answers:
        assert [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(each)] == []
    return answers[-1].get("result", answers[-1])


# --- pictures


def test_a_picture_has_the_shapes_of_the_svg() -> None:
    move = "b3 1R pay w valid remove b2:g a1:g"
    drawn = ask("draw", position=LINE, move=move)
    svg = ask("draw", position=LINE, move=move, form="svg")
    assert svg == to_svg(draw_position(POSITION, parse_move(move, POSITION), caption=""))
    shapes = sum(len(group["shapes"]) for group in drawn["groups"])
    assert (
        shapes
        == svg.count("<text") + svg.count("<circle") + svg.count("<poly") + svg.count("<path") + svg.count("<rect") - 1
    )
    assert any(group["name"] == "player-1-to-1R" and group["marked"] for group in drawn["groups"])


def test_a_tile_that_nobody_saw_leaves_its_cell_empty() -> None:
    record = game(2, 2, turns=3, unknown=1.0)
    assert record.stage().unseen
    assert ask("draw", position=write_record(record))["title"]
    assert "error" in ask("advise", position=write_record(record))
    assert ask("draws", position=write_record(record))["tiles"]


# --- a move, step by step


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_move_of_a_game_is_entered_as_track_asks_for_it(players: int) -> None:
    record = game(players, players)
    for stage, turn in list(record.replay())[::7]:
        answers = [line.rstrip("\n") for line in keys_of_move(stage, turn.move)]
        line = write_oneline(stage.position).strip()
        found = ask(
            "enter",
            position=line,
            answers=answers[:-1] if ask("enter", position=line, answers=answers[:-1]).get("move") else answers,
        )
        assert found["question"] is None and found["move"]["text"] == stage.format(turn.move)
        assert found["words"].endswith(".")


def test_only_what_can_be_is_offered_and_a_wrong_answer_told() -> None:
    question = ask("enter", position=LINE, answers=["b3"])["question"]
    assert question["kind"] == "slot" and [each["label"] for each in question["options"]] == ["1L", "1R", "wilderness"]
    refused = ask("enter", position=LINE, answers=["b3", "2.1"])
    assert refused["field"] == "answers" and "2: expected" in refused["error"]
    assert ask("enter", position=write_oneline(game(1, 2).position()).strip())["field"] == "position"


def test_tiles_that_can_come_are_filtered_by_their_words() -> None:
    tiles = ask("draws", position=LINE, move="b3 wild 1L")["tiles"]
    assert [each["tile"] for each in tiles] == ["b2a", "w2b"]
    assert [each["tile"] for each in ask("draws", position=LINE, move="b3 wild 1L", words="temple")["tiles"]] == ["w2b"]


# --- a table laid piece by piece


def test_a_table_is_laid_in_any_order() -> None:
    """Taken apart, and put together again backwards."""
    position = game(4, 3, turns=12).position()
    changes = [["players", ", ".join(player.name for player in position.players)]]
    for seat, player in enumerate(position.players, 1):
        for slot, placed in player.placed():
            name = {1: "1R"}.get(slot.row, f"{slot.row}.{slot.column + 1}")
            mark = {"UP": "", "WILD": "wild ", "CANCELLED": "cancelled "}[placed.face.name]
            changes.append([f"{seat} {name}", f"{mark}{placed.tile.id}"])  # type: ignore[union-attr]
        god = "none" if player.god is None else player.god.word + ("" if player.god_validated else " cancelled")
        changes += [[f"{seat} realm", str(player.realm)], [f"{seat} god", god]]
    changes.append(["gods", " ".join(god.word for god in position.gods) or "none"])
    cells = list(zip(("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"), position.centre))
    for name, cell in reversed(cells):
        changes += [[name, cell.tile.id], [f"{name} worshipers", str(cell.worshipers)]]  # type: ignore[union-attr]
    draft = None
    for change in changes:
        found = ask("edit", draft=draft, changes=[change])
        draft = found["draft"]
    assert found["problems"] == [] and found["draft"] == write_toml(position)
    assert found["position"] == write_oneline(position).strip()
    taken = ask("edit", draft=draft, changes=[["a3", "-"]])
    assert taken["position"] is None and taken["missing"] == ["a3"] and taken["draft"].count('"? | ?"') == 1


@pytest.mark.parametrize(
    "part, text, place",
    [("z9", "y1a", "changes"), ("5 realm", "r", "changes"), ("a3", "no tile", "centre.a3"),
     ("b2 worshipers", "q", "centre.b2"), ("1 realm", "rr2", "player 1, realm"), ("1 god", "thor", "player 1, god"),
     ("gods", "love thor", "gods"), ("players", "7", "players"), ("1 1.9", "y1a", "changes"), ("tiles", "nowhere.toml", "tiles")],
)  # fmt: skip
def test_a_change_that_cannot_be_is_told_by_its_place(part: str, text: str, place: str) -> None:
    refused = ask("edit", draft=LINE, changes=[[part, text]])
    assert "error" in refused and place in (refused["place"], refused["field"]), refused


def test_a_draft_says_what_does_not_fit_together() -> None:
    assert ask("edit", changes=[["a3", "yellow"]])["place"] == "centre.a3"  # which one?
    found = ask("edit", changes=[["a3", "y1a"], ["b3", "y1a"]])
    assert "error" not in found and any("y1a" in each["message"] for each in found["problems"])


# --- games in files


def test_a_tracked_game_is_kept_turn_by_turn() -> None:
    record = game(6, 2)
    begun = ask("begin", start=write_oneline(record.start).strip(), me=2)
    assert begun["file"] == "game.orbis" and begun["me"] == 2 and begun["next"] == 1
    for stage, turn in record.replay():
        drawn = None if turn.drawn is None else turn.drawn.id
        found = ask("turn", file="game.orbis", number=stage.number, said=stage.format(turn.move), drawn=drawn)
    assert found["winners"] and load_record("game.orbis").record.turns == record.turns
    assert ask("turn", file="game.orbis", number=31, said="a1")["field"] == "file"
    again = ask("turn", file="game.orbis", number=30, said="a1")
    assert again["field"] == "number"
    assert len(ask("back", file="game.orbis", number=7)["turns"]) == 6
    assert [each["file"] for each in ask("games")["games"]] == ["game.orbis"]


def test_a_tile_is_named_late() -> None:
    record = next(each for seed in range(9) if (each := game(seed, 2, turns=1)).turn(1).move.cell is not None)
    ask("begin", start=write_oneline(record.start).strip())
    open_ = ask("turn", file="game.orbis", number=1, said=record.stage(1).format(record.turn(1).move))
    assert open_["unseen"] == [1] and open_["position"] is None
    named = ask("see", file="game.orbis", number=1, drawn=record.turn(1).drawn.id)  # type: ignore[union-attr]
    assert named["unseen"] == [] and load_record("game.orbis").record.turns == record.turns


def test_a_dealt_game_is_that_of_play() -> None:
    from orbis_search.players.session import new_game, parse_seat

    found = ask("begin", seats=["me", "novice"], seed=3)
    expected = new_game([parse_seat("me"), parse_seat("novice")], load_tile_set(), 3)
    assert load_record("game.orbis").record.start == expected.record.start
    while not found["winners"]:
        if found["thinking"]:
            found = ask("think", file="game.orbis", number=found["next"])
            expected.play(expected.think())
        else:
            move = parse_move_of(expected.record)
            found = ask("turn", file="game.orbis", number=found["next"], said=move)
            expected.play(expected.record.stage().parse(move))
    assert load_record("game.orbis").record.turns == expected.record.turns
    assert ask("think", file="game.orbis", number=1)["field"] == "number"
    review = ask("review", file="game.orbis", simulations=16)
    assert review["stopped"] == "over" and len(review["turns"]) == 30


def parse_move_of(record: Record) -> str:
    from orbis_search import legal_moves

    position = record.position()
    return record.stage().format(legal_moves(position, search=True)[0])


@pytest.mark.parametrize(
    "file",
    [
        "../game.orbis",
        "/tmp/game.orbis",
        "game.toml",
        ".game.orbis",
        "a\0.orbis",
        "",
        "x" * 90 + ".orbis",
        "folder.orbis",
    ],
)
def test_a_file_is_a_plain_name(file: str) -> None:
    Path("folder.orbis").mkdir()
    more: dict[str, dict[str, Any]] = {
        "game": {},
        "review": {},
        "begin": {"start": LINE},
        "turn": {"number": 1, "said": "a1"},
        "see": {"number": 1, "drawn": "y1a"},
        "back": {"number": 1},
        "think": {"number": 1},
        "resign": {"number": 1},
        "note": {"number": 1, "comment": "x"},
        "fix": {"turns": [{"number": 1, "said": "a1", "drawn": None}]},
        "learn": {"tile": OWN},
    }
    for action, fields in more.items():
        assert ask(action, file=file, **fields)["field"] == "file"
    assert [path.name for path in Path().iterdir()] == ["folder.orbis"]


@pytest.mark.parametrize("seat", ["@secret.toml", "cmd:touch x", "full:evaluation=/etc/passwd", "Eva=@x"])
def test_a_seat_names_no_file(seat: str) -> None:
    assert ask("begin", seats=["me", seat])["field"] == "seats"
    text = write_record(Record(game(1, 2, turns=0).start, extra=(("x-seat-1", "@/etc/passwd"), ("x-seed", "1"))))
    Path("from-somebody.orbis").write_text(text, "utf-8")
    assert ask("think", file="from-somebody.orbis", number=1)["field"] == "file"


# --- amended


def kept(record: Record, name: str = "game.orbis") -> None:
    Path(name).write_text(write_record(record), "utf-8")


def test_a_tile_that_came_is_corrected_and_later_turns_are_checked() -> None:
    record = game(3, 2, turns=6)
    kept(record)
    stage, turn = next((stage, turn) for stage, turn in record.replay() if turn.move.cell is not None)
    number, said = stage.number, stage.format(turn.move)
    # Every tile that can come instead: kept whole, or refused at the turn that `corrected` refuses.
    outcomes = set()
    for tile in stage.draws(turn.move):
        kept(record)
        found = ask("fix", file="game.orbis", turns=[{"number": number, "said": said, "drawn": tile.id}])
        try:
            expected = record.corrected(number, turn.move, tile)
        except Misfit as misfit:
            assert found["game"] is None and found["misfit"]["number"] == misfit.number
            assert load_record("game.orbis").record.turns == record.turns
            cut = ask("fix", file="game.orbis", turns=[{"number": number, "said": said, "drawn": tile.id}], cut=True)
            assert len(cut["game"]["turns"]) == misfit.number - 1
            outcomes.add("misfit")
        else:
            assert found["misfit"] is None and load_record("game.orbis").record.turns == expected.turns
            outcomes.add("fits")
    assert outcomes == {"misfit", "fits"}


def test_a_turn_that_no_longer_fits_is_entered_again() -> None:
    """As long as it takes: each answer names the next turn that does not fit, and the record before it."""
    record = game(3, 2, turns=8)
    kept(record)
    other = next(
        move
        for move in legal_moves(record.position(2), search=True)
        if move.cell is not None and move.cell != record.turn(2).move.cell
    )
    turns = [{"number": 2, "said": record.stage(2).format(other), "drawn": None}]
    while True:
        found = ask("fix", file="game.orbis", turns=turns)
        if found["game"] is not None:
            break
        begun = read_record(found["misfit"]["text"])
        assert (
            begun.last == found["misfit"]["number"] - 1 and begun.position().to_move == found["misfit"]["to_move"] - 1
        )
        known = [each.cell for each in begun.stage().unseen]
        move = next(each for each in legal_moves(begun.stage().standing, search=True) if each.cell not in known)
        turns.append({"number": found["misfit"]["number"], "said": begun.stage().format(move), "drawn": None})
    assert len(turns) > 1 and len(found["game"]["turns"]) == 8
    again = load_record("game.orbis").record
    assert again.turns[0] == record.turns[0] and again.turn(2).move == other


@pytest.mark.parametrize(
    "turns",
    [
        [],
        [{"number": 1}],
        [{"number": True, "said": "a1", "drawn": None}],
        [{"number": 9, "said": "a1", "drawn": None}],
        [{"number": 1, "said": "nowhere", "drawn": None}],
        [{"number": 1, "said": "a1", "drawn": None, "more": 1}],
    ],
)
def test_a_wrong_correction_is_refused(turns: list[Any]) -> None:
    record = game(3, 2, turns=4)
    kept(record)
    assert ask("fix", file="game.orbis", turns=turns)["field"] == "turns"
    assert load_record("game.orbis").record.turns == record.turns


def test_a_dealt_game_is_not_corrected() -> None:
    ask("begin", seats=["me", "novice"], seed=3)
    assert ask("fix", file="game.orbis", turns=[{"number": 1, "said": "a1", "drawn": None}])["field"] == "file"


def test_a_comment_is_written_beside_a_turn() -> None:
    record = game(3, 2, turns=4)
    kept(record)
    found = ask("note", file="game.orbis", number=2, comment=" was this # wise? ")
    assert found["turns"][1]["comment"] == load_record("game.orbis").record.turn(2).comment == "was this # wise?"
    assert ask("note", file="game.orbis", number=2, comment="two\nlines")["field"] == "comment"
    assert ask("note", file="game.orbis", number=5, comment="no such turn")["field"] == "number"
    assert ask("note", file="game.orbis", number=2, comment="")["turns"][1]["comment"] == ""
    assert load_record("game.orbis").record.turns == record.turns


def test_a_person_gives_up() -> None:
    found = ask("begin", seats=["me", "novice"], seed=3)
    found = ask("resign", file="game.orbis", number=found["next"])
    assert found["resigned"] and not found["thinking"]
    assert load_record("game.orbis").record.end == ("me resigned.",)
    assert ask("resign", file="game.orbis", number=found["next"])["field"] == "number"
    kept(game(1, 2, turns=2), "real.orbis")
    assert ask("resign", file="real.orbis", number=3)["field"] == "number"


def test_a_described_tile_is_kept_in_ones_own_set() -> None:
    laid = ask("edit", draft=example_text(), changes=[["b3", OWN]])
    assert [each["words"] for each in laid["described"]] == [OWN]
    found = ask("learn", draft=laid["draft"], tile=laid["described"][0]["tile"])
    assert "my-tiles.toml" in found["told"] and "volcano 2 rb" in Path("my-tiles.toml").read_text("utf-8")
    again = ask("edit", draft=found["draft"])
    assert again["described"] == [] and again["table"]["tiles"] == "my-tiles.toml" and again["position"]
    assert ask("learn", draft=found["draft"], tile=OWN)["field"] == "tile"


def test_a_tile_that_came_is_kept_in_ones_own_set() -> None:
    record = game(3, 2, turns=0)
    kept(record)
    move = next(each for each in legal_moves(record.start, search=True) if each.cell is not None)
    level = record.stage().draws(move)[0].level
    said = OWN.replace("L2", f"L{level}")
    came = ask("turn", file="game.orbis", number=1, said=record.stage().format(move), drawn=said)
    assert len(came["described"]) == 1
    found = ask("learn", file="game.orbis", tile=came["described"][0]["tile"])
    assert found["game"]["described"] == [] and len(load_record("game.orbis").record.turns) == 1
    assert ask("learn", tile=OWN)["field"] == "draft"


def test_no_tile_is_learned_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("elsewhere") / "theirs.toml"
    other.write_text(dump_tile_set(load_tile_set(), guesses=True), "utf-8")
    before = other.read_bytes()
    laid = ask("edit", draft=example_text(), changes=[["tiles", str(other)], ["b3", OWN]])
    assert ask("learn", draft=laid["draft"], tile=laid["described"][0]["tile"])["field"] == "tile"
    assert other.read_bytes() == before and not list(Path().iterdir())
