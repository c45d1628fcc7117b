"""`orbis track`: whole games at a terminal and from scripts, mistakes and their correction, and what is said."""

from __future__ import annotations

import json
import os
import random
import re
import time
from contextlib import suppress
from pathlib import Path

import pytest

from games import game, keys
from orbis_search.base.errors import InputError
from orbis_search.core.packing import Packing, unpack_move
from orbis_search.entry.keystrokes import EXCHANGE
from orbis_search.entry.move_dialog import MoveEntry
from orbis_search.entry.questions import KEYS
from orbis_search.entry.tile_dialog import DrawEntry
from orbis_search.game.position import Move
from orbis_search.game.tiles import Tile
from orbis_search.game.vocabulary import CELLS
from orbis_search.notation import read_position
from orbis_search.record.file import RecordFile, load_record
from orbis_search.record.game import Misfit, Record, Stage
from program import CTRL_C, MIDDLE, Result, Run, Terminal
from program import start as started

FIRST = "Tile (7 8 9"
LATER = 10  # turns after which a mistake is noticed


def set_up(record: Record) -> list[str]:
    start = record.start
    return [
        ", ".join(player.name for player in start.players),
        ", ".join(cell.tile.id for cell in start.centre),
        "".join(str(god.value) for god in start.gods),
    ]


Script = list[tuple[str, str]]  # lines, and the question that comes then


def move_script(stage: Stage, move: Move, then: str) -> Script:
    """What enters a move."""
    entry = MoveEntry(stage)
    script = []
    for line in keys(stage, move):
        if entry.is_doubtful:
            script[-1] = (script[-1][0], "So it becomes wilderness")
        else:
            entry.want_exchange() if line == EXCHANGE else entry.answer(line)
        script.append((line, entry.question.text if entry.question is not None else then))
    return script


def draw_script(stage: Stage, move: Move, tile: Tile | None, then: str) -> Script:
    """What says which tile came."""
    entry = DrawEntry(stage, move)
    script = []
    while (question := entry.question) is not None:
        wanted = tile.colour if question.kind == "colour" else tile
        script.append(next(option.key for option in question.options if option.value == wanted))
        entry.answer(script[-1])
        script[-1] = (script[-1], entry.question.text if entry.question is not None else then)
    return script


def turn_script(record: Record, number: int, then: str) -> Script:
    turn, stage = record.turn(number), record.stage(number)
    draw = draw_script(stage, turn.move, turn.drawn, then)
    asked = DrawEntry(stage, turn.move).question
    return move_script(stage, turn.move, then if asked is None else asked.text) + draw


def wrongly_drawn(record: Record) -> tuple[int, Record]:
    """A turn, and the game up to ten turns later with another tile drawn in it that nobody notices until then."""
    for number in range(record.first, record.last - LATER):
        turn, stage = record.turn(number), record.stage(number)
        for tile in stage.draws(turn.move) if turn.drawn else ():
            try:
                wrong = record.before(number + LATER + 1).corrected(number, turn.move, tile)
            except (Misfit, InputError):
                continue
            if tile != turn.drawn and record.before(number + LATER + 1).turns[-1] == wrong.turns[-1]:
                return number, wrong
    raise AssertionError("no turn like that")


def wrongly_moved(record: Record) -> tuple[int, Record]:
    """The same with another move."""
    for number in range(record.first + 6, record.last - LATER):
        turn, stage = record.turn(number), record.stage(number)
        state = Packing(stage.position).state
        for seed in range(30):
            move = unpack_move(state.choose("random", seed))
            if move == turn.move or move.cell != turn.move.cell or keys(stage, move)[0] == EXCHANGE:
                continue
            try:
                wrong = record.before(number + LATER + 1).corrected(number, move, turn.drawn)
                if wrong.corrected(number, turn.move, turn.drawn) == record.before(number + LATER + 1):
                    return number, wrong
            except InputError:
                continue
    raise AssertionError("no turn like that")


def typed(terminal: Terminal, script: Script) -> str:
    """What is shown after the last line. Each is typed once the question before it has been asked."""
    shown = ""
    for line, then in script:
        shown = terminal.type(line + "\r", then[:24].strip())
    return shown


def first_question(record: Record, number: int) -> str:
    """Of the turn with this number, or what is asked when there is none."""
    stage = record.stage(number)
    return "The game is over" if stage.position.is_over else MoveEntry(stage).question.text


@pytest.mark.parametrize(
    "players, term, mistake", [(2, "xterm", wrongly_drawn), (3, "dumb", wrongly_moved), (4, "dumb", wrongly_drawn)]
)
def test_a_whole_game_at_the_terminal(tmp_path, players, term, mistake):
    record = game(players, players)
    number, wrong = mistake(record)
    terminal = Terminal("track", "game.orbis", cwd=tmp_path, term=term)
    names, tiles, gods = set_up(record)
    terminal.type("", "Players in turn order")
    typed(terminal, [(names, "The tile on a3"), (tiles, "Gods face up"), (gods, first_question(record, 1))])
    strokes = 0
    for at in range(1, record.last + 1):
        script = turn_script(wrong if number <= at <= number + LATER else record, at, first_question(record, at + 1))
        shown = typed(terminal, script)
        strokes += sum(len(line) + 1 for line, _ in script)
        assert at == record.last or f"turn {at + 1} of {15 * players}" in shown
        if at == number + LATER:
            stage, turn = record.stage(number), record.turn(number)
            fits = f"{LATER} later turns were checked again and still fit."
            if mistake is wrongly_drawn:
                again = [("2", "Tile drawn for"), *draw_script(stage, turn.move, turn.drawn, fits)]
            else:
                again = [("1", FIRST), *move_script(stage, turn.move, fits)]
            typed(terminal, [("00", "Number: "), ("3", "Which turn ("), (str(number), "What was wrong"), *again])
            assert load_record(str(tmp_path / "game.orbis")).record.turns == record.before(at + 1).turns
    terminal.type("\r", "orbis review game.orbis")
    assert terminal.process.wait(20) == 0
    kept = load_record(str(tmp_path / "game.orbis")).record
    assert (kept.start, kept.turns) == (record.start, record.turns)
    assert strokes / record.last < 14, "a few keys a turn"


def test_ctrl_c_ends_thinking_with_what_is_known_and_then_the_program(tmp_path):
    terminal = Terminal("track", "game.orbis", "--from", MIDDLE, "--time", "10m", cwd=tmp_path, term="dumb")
    terminal.type("", FIRST)
    terminal.type("a\r", " s left")
    shown = terminal.type(CTRL_C, FIRST)
    assert "win %" in shown
    terminal.type(CTRL_C, "Saved in game.orbis")
    assert terminal.process.wait(20) == 130


def test_on_a_small_screen_the_table_is_not_pushed_away_by_an_empty_menu(tmp_path):
    terminal = Terminal("track", "game.orbis", "--from", MIDDLE, cwd=tmp_path)
    shown = terminal.type("", FIRST)
    assert not shown.partition(FIRST)[2].count("\n"), "nothing is set aside before a key is typed"
    assert "\n" in terminal.type("b", "b2")
    terminal.process.kill()
    terminal.process.wait()


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_a_phone_is_wide_enough(tmp_path, term):
    terminal = Terminal("track", "game.orbis", "--from", MIDDLE, cwd=tmp_path, term=term, columns=40)
    shown = terminal.type("", "as on the table")
    shown += terminal.type("9 4.1\r", "under")
    shown += terminal.type("?\r", "without it")
    terminal.type("q\r", "Saved in game.orbis")
    assert terminal.ends() == 0
    assert all(f"\n{key} {name} " in shown for key, name in zip(KEYS, CELLS))
    lines = [line for line in shown.splitlines() if "as on the table" not in line]  # which is drawn again as one types
    assert max(map(len, lines)) <= 40


def test_ctrl_d_ends_on_a_line_of_its_own(tmp_path):
    terminal = Terminal("track", "game.orbis", "--from", MIDDLE, cwd=tmp_path, term="dumb")
    terminal.type("", "as on the table")
    assert "\nSaved in game.orbis" in terminal.type("\x04", "orbis track game.orbis")
    assert terminal.ends() == 0


def test_tiles_are_completed_while_they_are_typed(tmp_path):
    terminal = Terminal("track", "game.orbis", cwd=tmp_path)
    terminal.type("", "Players in turn order")
    typed(terminal, [("Anna Bo", "The tile on a3")])
    shown = terminal.type("gre sto", "stone 1cp")
    assert "g1b" in shown and "g1a" not in shown
    terminal.type("\t\r", "The tile on b3")
    terminal.process.kill()
    terminal.process.wait()


# ------------------------------------------------------------------------------------------- from scripts


SET_UP = "Anna, Bo\ny1c, g1a, y1a, r1a, g1b, r1b, b1b, b1a, w1b\nlov fi dea\n"


@pytest.fixture
def track(run: Run, tmp_path, monkeypatch):
    """Runs `orbis track game.orbis` on some lines."""
    monkeypatch.chdir(tmp_path)

    def track(*lines: str, options: tuple[object, ...] = (), begun: bool = False) -> Result:
        said = ("" if begun else SET_UP) + "".join(f"{line}\n" for line in lines)
        return run("track", "game.orbis", *options, stdin=said.encode())

    return track


def turns(path: str = "game.orbis") -> list[str]:
    """The lines of a game's turns."""
    return [line for line in Path(path).read_text().splitlines() if line[:1].isdigit()]


def test_what_is_said_of_a_turn(track):
    done = track("1", "", "3", "y1b", "god nature", "a3 1", "0 2")
    assert done.code == 0 and not done.err
    assert turns() == ["1. Anna: a1 b1b wild 1 | y1b", "2. Bo: god fire"]
    for words in (
        "cannot pay for b1b: expected 1 of any colour, found -",
        "1. Anna: a1 b1b wild 1 | ?",
        'expected one of 1 y1b, 2 w1a, 0 not seen, found "3"',
        "expected a god that lies face up (love, fire, death), found nature",
        "cannot pay for y1c",
        "Saved in game.orbis; continue with: orbis track game.orbis",
    ):
        assert words in done.out, words


def test_a_game_goes_on_where_it_was_left(track):
    track("0 1 12345", "4 1")  # left before it is said what came
    assert turns()[-1] == "2. Bo: a2 r1a 1 gain b2 | ?"
    done = track("yellow", "5 1", begun=True)
    assert "Continuing game.orbis at turn 3." in done.out and "Tile drawn for a2" in done.out
    assert turns()[1:] == ["2. Bo: a2 r1a 1 gain b2 | y1b", "3. Anna: b2 g1b 1 pay y | w1a"]
    Path("game.orbis").write_text(Path("game.orbis").read_text() + "4. Bo: fi")
    done = track("fire", begun=True)
    assert "The last line was incomplete and is left out: 4. Bo: fi" in done.out
    assert turns()[-1] == "4. Bo: god fire"


def test_what_stands_beside_a_turn_stays_when_its_tile_is_named(track):
    track("0 1 12345", "4 1")
    path = Path("game.orbis")
    path.write_text(path.read_text().replace("2. Bo", "# at last\n2. Bo") + "    2. Bo: god fire\n# the end\n")
    track("y1b", begun=True)
    assert path.read_text().endswith("# at last\n2. Bo: a2 r1a 1 gain b2 | y1b\n    2. Bo: god fire\n# the end\n")


def test_the_tile_is_asked_for_again_after_a_note_or_a_correction(track):
    done = track("0 1 12345", "4 1", "n", "who laid it?", "f", "1", "love", "22344", "yellow", "m")
    assert done.out.count("Tile drawn for a2") == 3
    assert turns()[1] == "2. Bo: a2 r1a 1 gain b2 | y1b  # who laid it?"


def test_turns_and_answers_are_taken_back(track):
    track("0 1 12345", "4 1", "-", "4", "-", "7", "0", "u", "u", "u", "fire")
    assert turns() == ["1. Anna: god fire"]


def test_a_tile_that_nobody_saw(track):
    done = track("0 1 12345", "4 1", "0", "a", "00", "4", "y1b", "m")
    assert "Nobody has seen the tile on a2: one of 2 tiles." in done.out
    assert "Advice needs a game that is not over and every tile known." in done.out
    assert turns() == ["1. Anna: god love gain rgbyw", "2. Bo: a2 r1a 1 gain b2 | y1b"]
    # Or it is taken, and named then.
    done = track("u", "4 1", "0", "4", "y1b", "0", "1", begun=True)
    assert turns()[1:] == ["2. Bo: a2 r1a 1 gain b2 | y1b", "3. Anna: a2 y1b wild 1 | w1a"]


FIX = ("0 1 12345", "4 1", "y1b", "5 1", "8 1", "g2a", "4 0 1", "g2b")


def test_a_correction_that_fits(track):
    done = track(*FIX, "f", "4", "2", "b2a", "f", "1", "love", "22344")
    assert "1 later turn was checked again and still fits." in done.out
    assert "4 later turns were checked again and still fit." in done.out
    assert turns()[0] == "1. Anna: god love gain g2by2"
    assert turns()[3].endswith("| b2a")


def test_a_correction_that_does_not_fit_is_mended_or_given_up(track):
    track(*FIX)
    before = turns()
    wrong = "Turn 3, Anna: b2 g1b 1 pay y no longer fits: cannot play g1b without an exchange: expected y, found"
    for answers in (["0"], ["9", "0"], ["1", "u", "0"]):
        done = track("f", "1", "love", "11235", *answers, begun=True)
        assert wrong in done.out and "Everything is as it was." in done.out, done.out
        assert turns() == before
    done = track("f", "1", "love", "11235", "1", "5 0", begun=True)
    assert wrong in done.out
    assert turns() == ["1. Anna: god love gain r2gbw", before[1], "3. Anna: b2 g1b wild 1 | w1a", *before[3:]]
    done = track("f", "1", "love", "22222", "2", begun=True)
    assert len(turns()) == 5, "a realm of green alone does no harm now"
    assert track("f", "77", "x7", "", begun=True).code == 0


def test_a_turn_entered_anew_keeps_what_stands_beside_it(track):
    track(*FIX)
    path = Path("game.orbis")
    third = "3. Anna: b2 g1b 1 pay y | w1a\n"
    beside = "# now!\n{}    3. Anna: a1 b1b wild 1 | w1a  # or so\n"
    path.write_text(path.read_text().replace(third, beside.format(third)))
    track("f", "1", "love", "11235", "1", "5 0", begun=True)
    assert beside.format("3. Anna: b2 g1b wild 1 | w1a\n") in path.read_text()


def test_a_correction_goes_on_after_a_look_at_the_game(track):
    done = track(*FIX, "f", "m", "1", "s", "?", "love", "moves", "22344")
    assert "4 later turns were checked again and still fit." in done.out
    assert done.out.count("Everything is as it was.") == 0
    done = track("f", "1", "u", begun=True)
    assert "Everything is as it was." in done.out and len(turns()) == 5
    assert track("f", "1", "q", "never read", begun=True).out.count("Saved in game.orbis") == 1


def test_a_correction_takes_a_tile_that_nobody_had_seen(track):
    """The tile that was thought to have come later lay there already, and was what was taken."""
    track("0 1 12345", "4 1", "y1b", "5 1", "8 1", "0", "2 1R", "g2a")
    done = track("0", "f", "5", "1", "8", "g2a", "1", "g2b", "m", begun=True)
    assert (done.code, done.err) == (0, "")
    assert turns()[3:] == ["4. Bo: b3 g1a 1L gain r | g2a", "5. Anna: b3 g2a 1L pay gbw | g2b"]


def test_a_note_and_everything_shown(track):
    done = track("0 1 12345", "n", "a fine beginning", "s", "?", "00", "")
    assert turns() == ["1. Anna: god love gain rgbyw  # a fine beginning"]
    assert "── piles ─" in done.out and done.out.count("take back the last turn") == 2


def test_whoever_is_advised(track):
    done = track("0 1 12345", "4 1", "y1b", "e", options=("--me", "anna", "--time", "50ms"))
    assert "x-me: 1" in Path("game.orbis").read_text()
    assert done.out.count(" points  value    move\n") == 3 and done.out.count("Expected after move 1\n") == 1
    assert track("a", options=("--no-advice", "--time", "50ms"), begun=True).out.count("win %") == 1
    # Whose tiles these are is said once by the hints.
    twice = track("a", "a", options=("--no-advice", "--time", "50ms"), begun=True).out
    assert (twice.count("win %"), twice.count("our reconstruction")) == (2, 1)
    refused = track(options=("--me", "Cem"), begun=True)
    assert (refused.code, refused.err) == (2, "orbis: --me: expected one of Anna, Bo, 1, 2, found Cem\n")


def test_a_game_from_a_position(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("track", "--from", MIDDLE, stdin=b"m\nq\n")
    assert done.code == 0
    record = load_record("game.orbis").record
    assert record.start.turns_played > 0 and record.first == record.start.turns_played + 1


def test_the_conversation_as_json(track):
    done = track("1", "", "frog", "y1b", options=("--json",))
    report = json.loads(done.out)
    assert (report["file"], report["turns"], report["to_move"], report["is_over"]) == ("game.orbis", 1, 2, False)
    assert [each["answer"] for each in report["exchange"][3:]] == ["1", "", "frog", "y1b"]
    assert [len(each["problems"]) for each in report["exchange"][3:]] == [0, 0, 1, 0]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["-"], "FILE: a game is tracked in a file"),
        (["there.toml"], "there.toml, line 1, column 1: expected orbis-game 1"),
        (["new.orbis", "--tiles", "-"], "--tiles: the games have to name their tile set"),
        (["new.orbis", "--tiles", "none.toml"], "expected a built-in tile set"),
        (["there.toml", "--from", "there.toml"], "--from and --tiles are for a new game"),
        (["no/folder/new.orbis"], "expected a writable file, found: No such file"),
        (["no/folder/new.orbis", "--from", MIDDLE], "expected a writable file, found: No such file"),
    ],
)
def test_what_cannot_be_tracked(run, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    Path("there.toml").write_text("players = 2\n")
    done = run("track", *arguments, stdin=b"")
    assert done.code == 2 and message in done.err and "Traceback" not in done.err
    assert os.listdir() == ["there.toml"]


def test_a_file_that_is_kept_elsewhere(track):
    track("0 1 12345")
    with RecordFile.open("game.orbis"):
        done = track("fire", begun=True)
    assert (done.code, done.err) == (
        2,
        "orbis: game.orbis: expected a file that no other program is using, found it in use\n",
    )


# ------------------------------------------------------------------------------------------- orbis record


def test_records_are_shown_checked_and_converted(track, run):
    track(*FIX, "n", "the end")
    text = Path("game.orbis").read_text()
    assert run("record", "show", "game.orbis", "--text").out == text
    assert run("record", "show", "game.orbis", "--json", "-o", "game.json").code == 0
    assert run("record", "show", "game.json", "--text").out == text
    assert run("record", "show", "-", "--text", stdin=text.encode()).out == text
    assert run("record", "check", "game.json").out == "game.json: fine; 2 players, 5 turns, Bo to move\n"
    assert len(run("record", "show", "game.orbis").out.splitlines()) == 6
    for form in ("--toml", "--oneline", "--json"):
        position = run("record", "position", "game.orbis", 3, form).out
        assert read_position(position) == load_record("game.orbis").record.position(3)
    refused = run("record", "position", "game.orbis", 9)
    assert (refused.code, refused.err) == (2, "orbis: turn: expected a turn from 1 to 6, found 9\n")


def test_a_position_with_a_tile_not_seen_cannot_be_written(track, run):
    track("4 1", "0")
    refused = run("record", "position", "game.orbis")
    assert refused.code == 2
    assert refused.err == "orbis: game.orbis, turn 2: expected every tile to be known, found none on a2 since turn 1\n"
    assert run("record", "position", "game.orbis", 1, "--oneline").code == 0


# ------------------------------------------------------------------------------------------- killed while recording

# More of them: ORBIS_KILLS=200 python -m pytest tests/test_track.py tests/test_record.py -k killed -s
KILLS = int(os.environ.get("ORBIS_KILLS", "4"))
MOVE_TOLD = re.compile(r"(?m)^([0-9]+)\. .*: (?:.* \| \?$|god )")


def test_killed_while_recording(tmp_path):
    """SIGKILL at random moments: the file loads, and holds all that was said to be kept; the next run goes on."""
    rng = random.Random(7)
    path, shown = tmp_path / "game.orbis", tmp_path / "shown"
    seed = turns = halves = 0
    record = game(seed, 2)

    def told() -> str:
        return shown.read_text(errors="ignore")  # it is being written, so it may end in the middle of a letter

    for _ in range(KILLS):
        kept = load_record(str(path)).record if path.exists() else None
        if kept is not None and kept.position().is_over:
            path.unlink()
            seed += 1
            record, kept = game(seed, 2 + seed % 3), None
        moves, wait = rng.randrange(6), rng.random() * 0.15
        with shown.open("w") as out:
            process = started(
                "track", path.name, cwd=tmp_path, stdin=-1, stdout=out, stderr=out, env={"PYTHONUNBUFFERED": "1"}
            )
            with suppress(BrokenPipeError):
                process.stdin.write("".join(f"{line}\n" for line in answers_from(record, kept)))
                process.stdin.flush()
            while len(MOVE_TOLD.findall(text := told())) < moves and "The game is over" not in text:
                assert process.poll() is None, text
                time.sleep(0.001)
            time.sleep(wait)
            process.kill()
            process.wait()
            with suppress(BrokenPipeError):
                process.stdin.close()
        text = told()
        last_told = max(map(int, MOVE_TOLD.findall(text)), default=0)
        board = max(map(int, re.findall(r"turn ([0-9]+) of", text)), default=0)
        if not path.exists():
            assert not last_told and not board
            continue
        after, cut = load_record(str(path))
        assert not cut
        assert after.last >= last_told and after.last >= board - 1, "every move that was confirmed"
        for number in range(1, after.last + 1):
            assert after.turn(number).move == record.turn(number).move
            if after.turn(number) != record.turn(number):
                assert number == after.last >= board and after.turn(number).drawn is None, "every tile, too"
                halves += 1
        turns += after.last - (0 if kept is None else kept.last)
    print(f"{KILLS} kills, {turns} turns recorded between them, {halves} times in the middle of a turn")
    assert turns >= KILLS


def answers_from(record: Record, kept: Record | None) -> list[str]:
    """What enters the rest of the game."""
    lines = set_up(record) if kept is None else []
    first = 1 if kept is None else kept.last + 1
    if kept is not None and kept.last and kept.turn(kept.last) != record.turn(kept.last):
        turn = record.turn(kept.last)
        lines += [line for line, _ in draw_script(record.stage(kept.last), turn.move, turn.drawn, "")]
    for number in range(first, record.last + 1):
        lines += [line for line, _ in turn_script(record, number, "")]
    return lines
