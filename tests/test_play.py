"""orbis play: whole games on a terminal and through pipes, going back, leaving, being killed, and going on."""

from __future__ import annotations

import json
import signal

import pytest

from orbis_search.base.errors import InputError
from orbis_search.drawing.labels import result_points
from orbis_search.game import rules
from orbis_search.players.session import Game, Seat, new_game, parse_seat, take_up
from orbis_search.record.file import load_record
from orbis_search.record.text import read_record, write_record
from orbis_search.tileset.library import load_tile_set
from program import CTRL_C, Terminal, installed, start

SEATS = (Seat("me"), Seat("beginner", "beginner"))


def game(seats: tuple[Seat, ...] = SEATS, seed: int = 5) -> Game:
    return new_game(seats, load_tile_set(), seed)


def played(one: Game, turns: int = 60) -> list[str]:
    """Goes on with the game, people by what a casual player would do; the moves of people as they type them."""
    from orbis_search.players.by_name import parse_player

    typed = []
    for _ in range(turns):
        if one.is_over:
            break
        move = one.think(parse_player("casual") if one.seat.is_person else None)
        if one.seat.is_person:
            typed.append(one.record.stage().format(move))
        one.play(move)
    return typed


def moves(one: Game) -> list[object]:
    return [(turn.move, turn.drawn) for turn in one.record.turns]


# ---- the game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seed_fixes_the_whole_game(players):
    seats = tuple(Seat(name, name) for name in ("beginner", "novice", "casual", "regular")[:players])
    first, second = game(seats), game(seats)
    played(first), played(second)
    assert first.is_over and first.record == second.record
    other = game(seats, 6)
    assert other.record.start != first.record.start


def test_a_game_goes_on_from_its_record_as_it_would_have_gone_on():
    whole, part = game(), game()
    played(whole)
    played(part, 11)
    again = take_up(read_record(write_record(part.record)))
    assert again.seats == SEATS and again.seed == 5
    played(again)
    assert moves(again) == moves(whole)


def test_undo_goes_back_to_a_persons_turn_and_the_piles_stay():
    one = game()
    played(one, 9)  # the engine player is to move
    before = moves(one)
    assert one.undo() == 1 and one.seat.is_person
    assert one.undo() == 2 and one.seat.is_person
    assert moves(one) == before[:6]
    played(one, 3)
    assert moves(one) == before
    watched = game(tuple(Seat(f"{n}", "beginner") for n in "ab"))
    played(watched, 4)
    assert watched.undo() == 0 and len(watched.record.turns) == 4


def test_engine_players_do_not_see_the_order_of_the_piles():
    """Two games alike but for what will come: the same move."""
    one, other = game(), game()
    for each in (one, other):
        each.play(each.record.stage().parse("god oceans"))
    other._rank = {tile: -rank for tile, rank in one._rank.items()}
    assert one.think() == other.think()
    assert one.turn_seed == other.turn_seed


# ---- who plays


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("me", Seat("me")),
        ("Anna", Seat("Anna")),
        ("casual", Seat("casual", "casual")),
        ("level:2", Seat("novice", "novice")),
        ("Bo=level:2", Seat("Bo", "novice")),
        ("Max=me", Seat("Max")),
        ("full", Seat("full", "full:sims=20000")),
        ("Full", Seat("full", "full:sims=20000")),
        ("2", Seat("novice", "novice")),
        ("Bo=2", Seat("Bo", "novice")),
        ("full:time=2s", Seat("full", "full:time=2s")),
        ("Eva=full:sims=9,threads=2", Seat("Eva", "full:sims=9,threads=2")),
        ("random", Seat("random", "random")),
    ],
)
def test_a_seat(text, seat):
    assert parse_seat(text) == seat


@pytest.mark.parametrize("text", ["casul", "11", "0", "Bo=Eva", "=me", "cmd:ls", "Bo=", "", "level:12", "flat:sims=x"])
def test_no_seat(text):
    with pytest.raises(InputError):
        parse_seat(text)


def test_a_record_without_seats_is_a_game_among_people():
    from orbis_search.record.game import Record

    record = Record(game().record.start)
    assert [seat.is_person for seat in take_up(record).seats] == [True, True]


def test_a_record_cannot_name_a_program_to_run():
    record = read_record(write_record(game().record).replace("x-seat-2: beginner", "x-seat-2: cmd:touch it"))
    with pytest.raises(InputError, match="x-seat-2"):
        take_up(record)


# ---- the command


def test_a_whole_game_on_a_terminal_with_a_kill_in_the_middle(tmp_path):
    mirror = game()
    typed = played(mirror)
    terminal = Terminal("play", "me", "beginner", "--seed", 5, cwd=tmp_path, term="dumb", columns=80)
    terminal.type("", "Tile (")
    for text in typed[:5]:
        terminal.type(f"{text}\r", "Tile (")
    assert "taken back" in terminal.type("undo\r", "Tile (")
    terminal.type(f"{typed[4]}\r", "Tile (")
    assert "win %" in terminal.type("hint\r", "Tile (")
    assert "chance to win" in terminal.type("why\r", "Tile (")
    terminal.process.send_signal(signal.SIGKILL)
    terminal.ends()
    assert len(load_record(str(tmp_path / "game.orbis")).record.turns) == 10

    terminal = Terminal("play", "game.orbis", cwd=tmp_path, term="dumb", columns=80)
    assert "turn 11" in terminal.type("", "Tile (")
    for text in typed[5:-1]:
        terminal.type(f"{text}\r", "Tile (")
    end = terminal.type(f"{typed[-1]}\r", "orbis review game.orbis")
    assert terminal.ends() == 0
    points = result_points(rules.score(mirror.position))
    assert f"wins, {points}" in end and "temple token" in end
    # A long line that is typed is drawn anew from its beginning, each time as wide as the screen at most.
    drawn = terminal.seen.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert max(map(len, Terminal.plain(drawn).splitlines())) <= 80
    kept = take_up(load_record(str(tmp_path / "game.orbis")).record)
    assert moves(kept) == moves(mirror)


def test_a_move_on_a_terminal_with_menus(tmp_path):
    pytest.importorskip("prompt_toolkit")
    terminal = Terminal("play", "--level", 1, "--seed", 5, cwd=tmp_path, term="xterm", columns=80)
    terminal.type("", "Tile (")
    terminal.type("8\r", "Slot (")
    terminal.type("1\r", "2. beginner:")
    terminal.type("q\r", "orbis play game.orbis")
    assert terminal.ends() == 0
    record = load_record(str(tmp_path / "game.orbis")).record
    assert record.stage(1).format(record.turn(1).move) == "b3 g1a 1 gain r"


def test_a_tile_set_is_found_from_the_file(tmp_path):
    from orbis_search.tileset.files import dump_tile_set

    (tmp_path / "box.toml").write_text(dump_tile_set(load_tile_set("random:3")), "utf-8")
    (tmp_path / "games").mkdir()
    chosen = ("--seed", 3, "--tiles", "box.toml", "--record", "games/one.orbis")
    first = installed("play", "beginner", "novice", *chosen, cwd=tmp_path)
    assert first.code == 0, first.err
    again = installed("play", "one.orbis", cwd=tmp_path / "games")
    assert again.code == 0 and "wins" in again.out


@pytest.mark.parametrize("keys", [CTRL_C, "\x04", "quit\r"])
def test_leaving_loses_nothing(tmp_path, keys):
    mirror = game()
    typed = played(mirror, 2)
    terminal = Terminal("play", "--level", 1, "--seed", 5, "--record", "mine.orbis", cwd=tmp_path, term="dumb")
    terminal.type("", "Tile (")
    terminal.type(f"{typed[0]}\r", "Tile (")
    terminal.type(keys, "orbis play mine.orbis")
    assert terminal.ends() == (0 if "quit" in keys else 130)
    assert moves(take_up(load_record(str(tmp_path / "mine.orbis")).record)) == moves(mirror)


def test_an_interrupt_makes_an_engine_player_move(tmp_path):
    terminal = Terminal("play", "full:time=600s", "me", "--seed", 5, cwd=tmp_path, term="dumb", columns=80)
    terminal.type("", "sims")
    terminal.type(CTRL_C, "Tile (")
    terminal.type("quit\r", "orbis play game.orbis")
    assert terminal.ends() == 0
    assert len(load_record(str(tmp_path / "game.orbis")).record.turns) == 1


def test_a_script_plays_and_the_same_seed_prints_the_same(tmp_path):
    typed = played(game(), 6)
    script = "hint\n" + "\n".join(typed) + "\nwhy\nquit\n"
    first = installed("play", "--level", "beginner", "--seed", 5, "--record", "a.orbis", stdin=script, cwd=tmp_path)
    second = installed("play", "--level", "beginner", "--seed", 5, "--record", "b.orbis", stdin=script, cwd=tmp_path)
    assert first.code == 0 and first.err == ""
    assert first.out.replace("a.orbis", "b.orbis") == second.out
    assert "\x1b" not in first.out and max(map(len, first.out.splitlines())) <= 80
    assert (tmp_path / "a.orbis").read_text() == (tmp_path / "b.orbis").read_text()


def test_engine_players_are_watched(tmp_path):
    answer = installed("play", "beginner", "novice", "novice", "--seed", 2, "--json", stdin="", cwd=tmp_path)
    report = json.loads(answer.out)
    assert (answer.code, report["status"], report["turns"], report["file"]) == (0, "over", 45, "game.orbis")
    assert [seat["name"] for seat in report["seats"]] == ["beginner", "novice", "novice 2"]
    record = read_record(report["record"])
    assert report["points"] == [score.total for score in rules.score(record.position())]
    assert report["winners"] == [index + 1 for index in rules.winners(record.position())]


def test_a_line_that_was_cut_short_is_told(tmp_path):
    installed("play", "Anna", "Bo", "--seed", 5, stdin="god death\n", cwd=tmp_path)
    path = tmp_path / "game.orbis"
    path.write_text(path.read_text() + "2. Bo: god oc")
    answer = installed("play", "game.orbis", stdin="q\n", cwd=tmp_path)
    assert answer.out.startswith("The last line was incomplete and is left out: 2. Bo: god oc\n")


def test_two_people_and_a_save_and_a_resignation(tmp_path):
    script = "god death\nundo\ngod oceans\nsave\ncopy.orbis\nsave\ncopy.orbis\nnonsense\nresign\n"
    answer = installed("play", "Anna", "Bo", "--seed", 5, stdin=script, cwd=tmp_path)
    assert answer.code == 0
    assert "File: copy.orbis" in answer.out and "Bo resigned." in answer.out
    assert "expected a name that no file has" in answer.out
    assert len(load_record(str(tmp_path / "copy.orbis")).record.turns) == 1
    assert load_record(str(tmp_path / "game.orbis")).record.end == ("Bo resigned.",)


def test_what_would_become_wilderness_at_one_key_is_asked_again(tmp_path):
    answer = installed("play", "--level", 1, "--seed", 5, stdin="1\n-\n1\nno\n1\n\nq\n", cwd=tmp_path)
    assert answer.out.count("cannot pay for y1a") == answer.out.count("becomes wilderness") == 3
    record = load_record(str(tmp_path / "game.orbis")).record
    assert record.stage(1).format(record.turn(1).move) == "a1 y1a wild 1"


def test_who_only_looks_leaves_no_file(tmp_path):
    answer = installed("play", "--seed", 5, stdin="show\nhelp\n?\nwhy\nundo\nquit\n", cwd=tmp_path)
    assert answer.code == 0 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.orbis"], "nothing.orbis: expected a game file, found no such file"),
        (["./nothing"], "./nothing: expected a game file, found no such file"),
        (["./"], "./: expected a game file, found a directory"),
        (["casul"], "(nearest: casual)"),
        (["me"] * 5, "expected 2 to 4, found 5"),
        (["--level", "11"], "--level: expected a level from 1 to 10"),
        (["me", "casual", "--level", "3"], "--level: all players are named already."),
        (["a", "b", "c", "--players", "2"], "--players: more than 2 players are named."),
        (["--tiles", "none.toml"], "none.toml"),
        (["broken.orbis"], "broken.orbis, line 1"),
        (["--record", "broken.orbis"], "expected a name that no file has"),
        (["--record", "nowhere/game.orbis"], "nowhere/game.orbis: expected a folder that can be written"),
        (["broken.orbis", "--seed", "1"], "A saved game has its own"),
    ],
)
def test_bad_input(tmp_path, arguments, message):
    broken = tmp_path / "broken.orbis"
    broken.write_text("orbis-position 1\n")
    answer = installed("play", *arguments, stdin="", cwd=tmp_path)
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err and "Traceback" not in answer.err
    assert list(tmp_path.iterdir()) == [broken] and broken.read_text() == "orbis-position 1\n"


def test_the_file_is_kept_turn_by_turn(tmp_path):
    """Whatever was shown to have been played is in the file."""
    with start("play", "--level", 1, "--seed", 5, cwd=tmp_path, stdin=-1) as process:
        for count, text in enumerate(played(game(), 8), 1):
            process.stdin.write(text + "\n")
            process.stdin.flush()
            while f"{2 * count}. beginner:" not in process.stdout.readline():
                pass
            assert len(load_record(str(tmp_path / "game.orbis")).record.turns) >= 2 * count
        process.kill()
