"""`orbis track`: whole games at a terminal and from scripts, mistakes and their correction, and what is said."""

from __future__ import annotations

import os
import random
import re
import time
from contextlib import suppress

import pytest

from games import EXCHANGE, game, keys
from orbis_search.errors import InputError
from orbis_search.move_entry import DrawEntry, MoveEntry
from orbis_search.packing import Packing, unpack_move
from orbis_search.position import Move
from orbis_search.record import Misfit, Record, Stage
from orbis_search.record_file import load_record
from orbis_search.tiles import Tile
from program import Result, Run, Terminal, installed, start as started

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


@pytest.mark.parametrize("players, term, mistake", [
    (2, "xterm", wrongly_drawn), (3, "dumb", wrongly_moved), (4, "dumb", wrongly_drawn),
])  # fmt: skip
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
            fits = f"{LATER} later turns were checked again and fit."
            if mistake is wrongly_drawn:
                again = [("2", "What came to"), *draw_script(stage, turn.move, turn.drawn, fits)]
            else:
                again = [("1", FIRST), *move_script(stage, turn.move, fits)]
            typed(terminal, [("00", "Number: "), ("3", "Which turn ("), (str(number), "What was wrong"), *again])
            assert load_record(str(tmp_path / "game.orbis")).record.turns == record.before(at + 1).turns
    terminal.type("\r", "orbis review game.orbis")
    assert terminal.process.wait(20) == 0
    kept = load_record(str(tmp_path / "game.orbis")).record
    assert (kept.start, kept.turns) == (record.start, record.turns)
    assert strokes / record.last < 14, "a few keys a turn"


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
            while process.poll() is None and len(MOVE_TOLD.findall(shown.read_text())) < moves:
                time.sleep(0.001)
            time.sleep(wait)
            process.kill()
            process.wait()
            with suppress(BrokenPipeError):
                process.stdin.close()
        text = shown.read_text()
        told = max(map(int, MOVE_TOLD.findall(text)), default=0)
        board = max(map(int, re.findall(r"turn ([0-9]+) of", text)), default=0)
        if not path.exists():
            assert not told and not board
            continue
        after, cut = load_record(str(path))
        assert not cut
        assert after.last >= told and after.last >= board - 1, "every move that was confirmed"
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
