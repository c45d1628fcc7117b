"""The arena: its statistics by hand, its pairs, what players may know, its file, and the command."""

from __future__ import annotations

import json
import math
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from orbis_search.base.errors import InputError
from orbis_search.cli.main import main
from orbis_search.game.position import Position
from orbis_search.players import arena
from orbis_search.players.arena import Game, Match, Save, Sprt, Tally, make_match, play, play_game, read_games, replay
from orbis_search.players.by_name import Player, Simple, greedy_move, parse_player

PROGRAM = [sys.executable, "-m", "orbis_search.cli.main", "arena"]


def played(match: Match, rounds: int = 1, workers: int = 1) -> list[Game]:
    return list(play(match, rounds, workers))


# --- statistics


@pytest.mark.parametrize(
    ("score", "fair", "difference"),
    [
        (0.5, 0.5, 0),
        (0.75, 0.5, 400 * math.log10(3)),
        (10 / 11, 0.5, 400),
        (1 / 11, 0.5, -400),
        (1 / 4, 1 / 4, 0),  # four at the table, one of them ours: as strong as the others
        (10 / 13, 1 / 4, 400),  # ten times as strong as each of three
        (1.0, 0.5, math.inf),
        (0.0, 0.5, -math.inf),
    ],
)
def test_elo(score: float, fair: float, difference: float) -> None:
    assert arena.elo(score, fair) == pytest.approx(difference)
    if math.isfinite(difference):
        assert arena.score_at(difference, fair) == pytest.approx(score)


def test_interval_by_hand() -> None:
    # Ten pairs, half of them won and half lost in full. Squares 10/4, and 1/8 for the pair added; so
    # 1/4 * 100 / 2.625 = 9.5238 games' worth, of which Wilson's interval around 1/2 is this.
    low, high = arena.interval([1.0, 0.0] * 5)
    assert (low, high) == pytest.approx((0.23194, 0.76806), abs=1e-5)


def test_interval_of_nothing_but_victories() -> None:
    # Wilson for 200 of 200: n / (n + z * z).
    assert arena.interval([1.0] * 100) == pytest.approx((200 / 203.8415, 1.0), abs=1e-6)
    assert arena.interval([0.0] * 100) == pytest.approx((0.0, 3.8415 / 203.8415), abs=1e-6)
    assert arena.interval([]) == (0.0, 1.0)


def test_pairs_that_share_their_luck_are_surer_than_single_games() -> None:
    # Each pair has one victory for either side: the seat decided, and the players are equal.
    paired = arena.interval([0.5] * 50)
    single = arena.interval([1.0, 0.0] * 50, games=1)
    assert 0.45 < paired[0] < 0.5 < paired[1] < 0.55
    assert single[0] < 0.42 and single[1] > 0.58


def test_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = random.Random(5)
    held = 0
    for _ in range(1000):
        # Pairs with a common luck that helps one side in both games.
        scores = []
        for _ in range(40):
            chance = rng.choice((0.4, 0.95))
            scores.append(((rng.random() < chance) + (rng.random() < chance)) / 2)
        low, high = arena.interval(scores)
        held += low <= 0.675 <= high
    assert 930 <= held <= 975


def test_likelihood_ratio_of_whole_victories_is_the_binomial_one() -> None:
    scores = [1.0] * 30 + [0.0] * 20
    expected = 30 * math.log(0.6 / 0.5) + 20 * math.log(0.4 / 0.5)
    assert arena.log_likelihood_ratio(scores, 0.5, 0.6) == pytest.approx(expected, abs=1e-9)
    assert arena.log_likelihood_ratio(scores, 0.6, 0.5) == pytest.approx(-expected, abs=1e-9)
    assert arena.log_likelihood_ratio([], 0.5, 0.6) == 0


def test_likelihood_ratio_of_pairs_is_nearly_normal_for_small_differences() -> None:
    scores = [0.0] * 60 + [0.25] * 20 + [0.5] * 200 + [0.75] * 30 + [1.0] * 90
    mean = sum(scores) / len(scores)
    variance = sum((score - mean) ** 2 for score in scores) / len(scores)
    score0, score1 = 0.50, 0.51
    normal = len(scores) * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    assert arena.log_likelihood_ratio(scores, score0, score1) == pytest.approx(normal, rel=0.05)


def test_likelihood_ratio_is_the_largest_over_all_distributions() -> None:
    """Against a search over every distribution on three scores with the given mean."""
    counts = {0.0: 3, 0.5: 5, 1.0: 8}
    scores = [score for score, count in counts.items() for _ in range(count)]

    def best(mean: float) -> float:
        # p(1/2) = m leaves mean - m / 2 for a victory.
        found = -math.inf
        for step in range(1, 20_000):
            middle = step / 20_000
            parts = (1 - middle / 2 - mean, middle, mean - middle / 2)
            if min(parts) > 0:
                found = max(found, sum(n * math.log(part) for n, part in zip(counts.values(), parts)))
        return found

    assert arena.log_likelihood_ratio(scores, 0.5, 0.7) == pytest.approx(best(0.7) - best(0.5), abs=1e-5)


def test_sprt_bounds_and_verdicts() -> None:
    sprt = Sprt(0, 10)
    assert sprt.bounds == pytest.approx((-math.log(19), math.log(19)))
    assert [sprt.verdict(ratio) for ratio in (-3.0, -2.9, 0.0, 2.9, 3.0)] == ["elo0", "open", "open", "open", "elo1"]
    assert Sprt(0, 10, alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


def test_sprt_errs_as_seldom_as_it_says() -> None:
    rng = random.Random(3)
    sprt = Sprt(-60, 60)
    for truth, wrong in ((-60, "elo1"), (60, "elo0")):
        chance = arena.score_at(truth)
        errors = pairs = 0
        for _ in range(150):
            scores: list[float] = []
            verdict = "open"
            while verdict == "open":
                scores.append(((rng.random() < chance) + (rng.random() < chance)) / 2)
                verdict = sprt.verdict(sprt.ratio(scores))
            errors += verdict == wrong
            pairs += len(scores)
        assert errors <= 16  # 7.5 expected
        assert pairs / 150 < 60  # a fixed match that errs as seldom needs about 90


# --- tally


def a_game(number: int, rotation: int, winner: int, seats: tuple[int, ...] = (0, 1)) -> Game:
    """`winner` is an entry; the rest does not matter here."""
    shares = tuple(12 // seats.count(winner) if entry == winner else 0 for entry in seats)
    return Game(number, rotation, seats, "", ("",) * 30, (), tuple(20 + share for share in shares), shares)


def test_rounds_count_in_their_order() -> None:
    tally = Tally(Match(("random", "greedy"), 2, "reconstruction", 0))
    tally.add(a_game(1, 0, 0))
    tally.add(a_game(1, 1, 0, (1, 0)))
    tally.add(a_game(0, 1, 1, (1, 0)))
    assert tally.result().rounds == 0  # round 0 is not whole yet
    tally.add(a_game(0, 0, 0))
    assert tally.scores(0) == [0.5, 1.0]
    first, second = tally.result().standings
    assert (first.won, first.shared, first.lost, first.score) == (3, 0, 1, 0.75)
    assert (second.won, second.lost, second.points) == (1, 3, 23)
    assert first.elo == pytest.approx(-second.elo) == pytest.approx(arena.elo(0.75))
    assert first.score_95 == pytest.approx((1 - second.score_95[1], 1 - second.score_95[0]))


def test_a_decided_test_counts_nothing_more() -> None:
    tally = Tally(Match(("random", "greedy"), 2, "reconstruction", 0), Sprt(0, 200))
    for number in range(100):
        tally.add(a_game(number, 0, 0))
        tally.add(a_game(number, 1, 0, (1, 0)))
    result = tally.result()
    assert result.verdict == "elo1"
    assert 2 < result.rounds < 20
    assert result.ratio is not None and result.ratio >= math.log(19)


# --- games


def test_a_pair_shares_its_luck_and_changes_seats() -> None:
    first, second = played(make_match(["random", "greedy"], seed=4))
    assert (first.seats, second.seats) == ((0, 1), (1, 0))
    assert first.start == second.start
    assert first.moves != second.moves
    assert first.draws == second.draws and len(first.draws) == 28
    other = played(make_match(["random", "greedy"], seed=5))[0]
    assert other.start != first.start and other.draws != first.draws


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_sit_in_every_seat(players: int) -> None:
    match = make_match(["greedy", "random"], players, seed=1)
    games = played(match)
    assert [game.seats.index(0) for game in games] == list(range(players))
    assert all(game.seats.count(1) == players - 1 for game in games)
    assert len({(game.start, game.draws) for game in games}) == 1
    assert match.fair_share(0) == pytest.approx(1 / players)
    assert sum(map(match.fair_share, range(2))) == pytest.approx(1)
    for game in games:
        replay(game)


def test_three_different_players_keep_their_neighbours() -> None:
    match = make_match(["greedy", "random", "greedy"])
    assert [match.seats(rotation) for rotation in range(3)] == [(0, 1, 2), (2, 0, 1), (1, 2, 0)]


def test_every_round_may_have_a_tile_set_of_its_own() -> None:
    games = played(make_match(["random", "greedy"], tiles="random:*", seed=7), 2)
    sets = [game.start.split(":")[2] for game in games]
    assert sets[0] == sets[1] != sets[2] == sets[3]
    assert all(name.startswith("random=") for name in sets)
    for game in games:
        replay(game)


def test_a_player_against_itself_is_exactly_even() -> None:
    match = make_match(["greedy", "greedy"], seed=2)
    tally = Tally(match)
    for game in played(match, 5):
        tally.add(game)
    assert tally.scores(0) == [0.5] * 5


def test_same_seed_same_games() -> None:
    match = make_match(["advisor:sims=40", "flat:sims=40"], seed=3)
    assert played(match) == played(match)


def test_processes_do_not_change_the_games() -> None:
    match = make_match(["random", "greedy"], seed=6)
    here = played(match, 3)
    there = played(match, 3, workers=2)
    assert sorted(there, key=lambda game: (game.round, game.rotation)) == here


def test_greedy_beats_random() -> None:
    match = make_match(["random", "greedy"])
    tally = Tally(match)
    for game in played(match, 10):
        tally.add(game)
    random_player, greedy = tally.result().standings
    assert greedy.score >= 0.85
    assert greedy.points > random_player.points + 5


# --- what players know


class Watcher(Simple):
    """Plays greedily and writes down everything it is shown."""

    def __init__(self) -> None:
        super().__init__(greedy_move)
        self.seen: list[Any] = []

    def choose(self, state: Any, seed: int, readable: Any) -> Any:
        self.seen.append((state.bytes, state.fields(), state.draws(), seed, readable(state)))
        return super().choose(state, seed, readable)


def test_the_order_of_the_piles_is_not_to_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two orders that agree in their first tiles: until they differ, players see the very same."""
    match = make_match(["greedy", "greedy"], seed=8)
    start = match.start(0)

    def with_order(agreeing: int) -> Position:
        first, *more = start.piles
        tail = first.tiles[agreeing:]
        return start._replace(
            piles=(
                first._replace(tiles=(*first.tiles[:agreeing], *tail[::-1])),
                *(pile._replace(tiles=pile.tiles[::-1]) for pile in more),
            )
        )

    seen = []
    for position in (start, with_order(4)):
        monkeypatch.setattr(Match, "start", lambda self, number, position=position: position)
        watcher = Watcher()
        play_game(match, 0, 0, [watcher, watcher])
        seen.append(watcher.seen)
    same = [one == other for one, other in zip(*seen)]
    # A god is taken without a draw, so four draws take at least four turns.
    assert all(same[:5])
    assert not all(same)


def test_a_player_cannot_touch_the_game() -> None:
    class Vandal(Simple):
        def choose(self, state: Any, seed: int, readable: Any) -> Any:
            move = super().choose(state, seed, readable)
            state.apply(move)
            return move

    match = make_match(["greedy", "greedy"])
    plain: list[Player] = [Simple(greedy_move)] * 2
    assert play_game(match, 0, 0, [Vandal(greedy_move)] * 2) == play_game(match, 0, 0, plain)


# --- replay


def test_replay_finds_what_is_wrong() -> None:
    game = played(make_match(["greedy", "random"], seed=9))[0]
    final = replay(game)
    assert final.is_over
    for wrong, place, words in (
        (replace(game, points=(game.points[0] + 1, game.points[1])), "game", "expected points"),
        (replace(game, shares=game.shares[::-1]), "game", "shares"),
        (replace(game, moves=game.moves[:-1]), "game", "played to its end"),
        (replace(game, moves=(game.moves[0], *game.moves[:-1])), "game, turn", "expected"),
        (replace(game, draws=(game.draws[-1], *game.draws[1:])), "game, turn 1", "from the pile"),
    ):
        with pytest.raises(InputError) as caught:
            replay(wrong)
        assert caught.value.problems[0].place.startswith(place)
        assert words in caught.value.problems[0].message


# --- the file


def save_all(path: Path, match: Match, rounds: int) -> list[Game]:
    """What the command does: go on where the file ends."""
    file = Save(str(path), match)
    try:
        for game in play(match, rounds, done=file.games):
            file.add(game)
        return file.games
    finally:
        file.close()


def test_saved_games_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    match = make_match(["random", "greedy"], seed=1)
    games = save_all(path, match, 2)
    found, again, end = read_games(str(path))
    assert (found, again, end) == (match, games, path.stat().st_size)
    assert [game.seconds for game in again] == [game.seconds for game in games]
    for game in again:
        replay(game)


@pytest.mark.parametrize("cut", [1, 40], ids=["without its line end", "in its middle"])
def test_a_match_goes_on_where_it_stopped(tmp_path: Path, cut: int) -> None:
    match = make_match(["random", "greedy"], seed=1)
    whole = save_all(tmp_path / "whole", match, 3)
    path = tmp_path / "cut"
    save_all(path, match, 2)
    path.write_bytes(path.read_bytes()[:-cut])
    assert len(read_games(str(path))[1]) == 3
    assert save_all(path, match, 3) == whole
    assert read_games(str(path))[1] == whole


def test_a_file_of_another_match_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    save_all(path, make_match(["random", "greedy"], seed=1), 1)
    before = path.read_bytes()
    with pytest.raises(InputError) as caught:
        Save(str(path), make_match(["greedy", "random"], tiles="random:1", seed=2))
    assert [problem.place for problem in caught.value.problems] == [
        f"{path}, players",
        f"{path}, tiles",
        f"{path}, seed",
    ]
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (1, "{}"),
        (1, "not json"),
        (1, '{"format":"orbis-arena","version":99}'),
        (2, "[]"),
        (2, '{"round":0}'),
        (3, ""),
        (3, "\ufffd"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, number: int, line: str) -> None:
    path = tmp_path / "games.jsonl"
    save_all(path, make_match(["random", "greedy"], seed=1), 2)
    lines = path.read_text("utf-8").splitlines()
    lines[number - 1] = line
    path.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(InputError) as caught:
        read_games(str(path))
    assert caught.value.problems[0].place == f"{path}, line {number}"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rotation": 1}, "seats"),
        ({"shares": [12, 12]}, "a game"),
        ({"points": [1]}, "a game"),
        ({"moves": [1, 2]}, "a game"),
        ({"extra": 1}, "a game"),
        ({"round": 0, "rotation": 1, "seats": [1, 0]}, "once"),
    ],
)
def test_a_game_that_cannot_be_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    path = tmp_path / "games.jsonl"
    save_all(path, make_match(["random", "greedy"], seed=1), 2)
    lines = path.read_text("utf-8").splitlines()
    lines[3] = json.dumps(json.loads(lines[3]) | change)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(InputError) as caught:
        read_games(str(path))
    assert caught.value.problems[0].place == f"{path}, line 4"
    assert words in caught.value.problems[0].message


# --- specifications


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("random", "random"),
        ("greedy", "greedy"),
        ("flat", "flat:sims=2000"),
        ("flat:time=200ms,win_part=1", "flat:time=0.2s,win_part=1"),
        ("uct:sims=500", "uct:sims=500"),
        ("advisor:time=1", "advisor:time=1s"),
        ("advisor:time=1.5m,threads=2", "advisor:time=90s,threads=2"),
        ("advisor: win_part=0.7 , sims=100", "advisor:sims=100,win_part=0.7"),
        ("cmd:python3 'my player.py' -x", "cmd:python3 'my player.py' -x"),
    ],
)
def test_specifications(text: str, canonical: str) -> None:
    spec = parse_player(text)
    assert str(spec) == canonical
    assert parse_player(canonical) == spec


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a player"),
        ("greddy", "nearest: greedy"),
        ("advisor:", "after the colon"),
        ("advisor:sims", "NAME=VALUE"),
        ("advisor:sims=", "NAME=VALUE"),
        ("advisor:sims=0", "an integer from 1 to 1000000000000000 for sims"),
        ("advisor:sims=1.5", "for sims, found"),
        ("advisor:sims=many", "for sims, found"),
        ("advisor:sims=10,sims=20", "twice"),
        ("advisor:sims=10,time=1s", "either sims or time"),
        ("advisor:time=0s", "a time such as"),
        ("advisor:time=.", "a time such as"),
        ("advisor:time=1d", "a time such as"),
        ("advisor:threads=0", "an integer from 1 to 256 for threads"),
        ("advisor:depth=3", 'a setting of the search, found "depth"'),
        ("advisor:exploration=much", "a number, true or false for exploration"),
        ("advisor:exploration=nan", "a number, true or false for exploration"),
        ("advisor:grow_main=-1", "an integer from 0 to 1000000 for grow_main, found -1"),
        ("flat:exploration=1", "for flat"),
        ("greedy:sims=10", "no settings for greedy"),
        ("cmd:", "a program"),
        ("cmd:'open", "a command line"),
        ("@nowhere.toml", "readable settings file"),
    ],
)
def test_bad_specifications_are_named(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_player(text, "player B")
    (problem,) = caught.value.problems
    assert problem.place.startswith("player B")
    assert words in problem.message


def test_all_problems_of_a_match_at_once() -> None:
    with pytest.raises(InputError) as caught:
        make_match(["advisor:sims=0,time=x", "nobody"], tiles="no such set")
    places = [problem.place for problem in caught.value.problems]
    assert places == ["player A", "player A", "player B", "tiles"]


def test_settings_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('player = "uct"\nsims = 50\nexploration = 1.5\n', "utf-8")
    assert str(parse_player(f"@{path}")) == "uct:sims=50,exploration=1.5"
    assert str(parse_player(f"@{path},sims=7")) == "uct:sims=7,exploration=1.5"
    path.write_text("sims = true\n", "utf-8")
    with pytest.raises(InputError) as caught:
        parse_player(f"@{path}", "player A")
    assert caught.value.problems[0].place == f"player A, {path}"
    path.write_text("sims = = 3\n", "utf-8")
    with pytest.raises(InputError, match="TOML"):
        parse_player(f"@{path}", "player A")


@pytest.mark.parametrize("text", ["flat:sims=30", "uct:sims=30", "advisor:sims=30", "advisor:sims=31,threads=2"])
def test_searching_players_play_legal_games(text: str) -> None:
    for game in played(make_match([text, "random"], seed=11)):
        replay(game)


@pytest.mark.parametrize("text", ["flat:time=20ms", "advisor:time=20ms", "advisor:time=20ms,threads=2"])
def test_players_keep_to_their_time(text: str) -> None:
    match = make_match([text, "random"], seed=12)
    tally = Tally(match)
    for game in played(match):
        tally.add(game)
    # Generous above, for a busy machine; nobody may think for much less.
    assert 0.015 < tally.result().standings[0].seconds < 0.2


# --- another program

ANY_MOVE = """
import sys
from orbis_search import format_move, read_position
from orbis_search.core.packing import Packing, unpack_move
for line in sys.stdin:
    position = read_position(line)
    move = Packing(position).state.choose("sensible", 1)
    print(format_move(position, unpack_move(move)), flush=True)
"""


def test_a_program_plays(tmp_path: Path) -> None:
    script = tmp_path / "player.py"
    script.write_text(ANY_MOVE, "utf-8")
    games = played(make_match([f"cmd:'{sys.executable}' '{script}'", "random"], seed=13))
    assert len(games) == 2
    for game in games:
        replay(game)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("no-such-program-anywhere", "a program that answers"),
        (f"'{sys.executable}' -c 'pass'", "a program that answers|end of its output"),
        (f"'{sys.executable}' -c 'input(); print(\"nonsense\")'", "asked about o1:2:"),
    ],
)
def test_a_program_that_fails_is_named(program: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        played(make_match([f"cmd:{program}", "random"]))
    assert caught.value.problems[0].place == f"cmd:{program}"


def test_problems_come_out_of_other_processes() -> None:
    with pytest.raises(InputError, match="cmd:no-such-program-anywhere"):
        played(make_match(["cmd:no-such-program-anywhere", "random"]), 2, workers=2)


def test_a_process_that_dies_is_noticed() -> None:
    kills_its_parent = "import os, signal; input(); os.kill(os.getppid(), signal.SIGKILL)"
    with pytest.raises(InputError, match="round 0, game 0: expected an answer in 3 tries, found: its process ended"):
        played(make_match([f"cmd:'{sys.executable}' -c '{kills_its_parent}'", "random"]), 2, workers=2)


def test_games_beyond_the_rounds_asked_for_do_no_harm() -> None:
    match = make_match(["random", "greedy"], seed=6)
    games = played(match, 4)
    done = [game for game in games if game.round > 0]
    for processes in (1, 2):
        assert len(list(play(match, 1, processes, done))) == 2


# --- the command


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = tmp_path / "games.jsonl"
    command = ["arena", "greedy", "random", "--seed", "3", "--threads", "1", "--save", str(save)]
    assert main([*command, "--games", "5"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("6 games in 3 pairs, 2 players, tiles reconstruction, seed 3\n")
    before = save.read_bytes()
    assert main([*command, "--games", "6"]) == 0  # all there already
    assert capsys.readouterr().out == out
    assert save.read_bytes() == before

    assert main([*command, "--games", "10", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["format"], result["games"], result["rounds"]) == ("orbis-arena-result", 10, 5)
    assert [standing["player"] for standing in result["standings"]] == ["greedy", "random"]
    assert sum(standing["score"] for standing in result["standings"]) == pytest.approx(1)
    assert save.read_bytes().startswith(before)

    assert main(["arena", "--replay", str(save)]) == 0
    assert "10 games replayed" in capsys.readouterr().out
    text = save.read_text("utf-8").replace('"points":[', '"points":[9', 1)
    save.write_text(text, "utf-8")
    assert main(["arena", "--replay", str(save)]) == 2
    assert "round 0, game 0: expected points" in capsys.readouterr().err


def test_command_stops_early(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["arena", "greedy", "random", "--games", "400", "--sprt", "0", "100", "--threads", "1"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert int(out.split()[0]) < 100
    assert "SPRT 0 against 100 Elo" in out and "accepted" in out
    assert main([*command, "--json"]) == 0
    sprt = json.loads(capsys.readouterr().out)["sprt"]
    assert sprt["verdict"] == "elo1" and sprt["llr"] >= sprt["upper"] == pytest.approx(math.log(19))


def test_command_for_four(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "greedy", "random", "--players", "4", "--games", "8", "--threads", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("8 games in 2 rounds, 4 players")
    assert "25.0 %" in out and "75.0 %" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "two to four players, not 0"),
        (["greedy"], "two to four players, not 1"),
        (["random"] * 5, "two to four players, not 5"),
        (["random"] * 3 + ["--players", "2"], "players: expected 3 to 4 players at the table, found 2"),
        (["random", "gready"], "player B: expected a player (random, greedy, flat, uct, advisor,"),
        (["random", "greedy", "--sprt", "5", "5"], "ELO0 must be less than ELO1"),
        (["random", "greedy", "--games", "0"], "--games"),
        (["random", "greedy", "--tiles", "-"], "cannot come from -"),
        (["random", "greedy", "--sprt", "0", "1e9"], "--sprt"),
        (["random", "greedy", "--save", "/nowhere/at/all"], "/nowhere/at/all: expected a writable file"),
        (["--replay", "nowhere.jsonl"], "nowhere.jsonl: expected a readable file"),
        (["random", "greedy", "--replay", "x"], "--replay plays nothing"),
    ],
)
def test_bad_command_lines(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "Traceback" not in err
    assert words in " ".join(err.split())


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent another way there")
@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_keeps_what_was_played(tmp_path: Path, threads: int) -> None:
    save = tmp_path / "games.jsonl"
    command = [*PROGRAM, "advisor:sims=300", "greedy", "--games", "5000", "--threads", str(threads)]
    pipe = subprocess.PIPE
    process = subprocess.Popen([*command, "--save", str(save)], stdout=pipe, stderr=pipe, encoding="utf-8")
    try:
        deadline = time.monotonic() + 60
        while not save.exists() or save.read_bytes().count(b"\n") < 5:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)  # 5,000 games would take far longer
    finally:
        process.kill()
    assert (process.returncode, err) == (130, "orbis: interrupted\n")
    _, games, _ = read_games(str(save))
    played = {(game.round, game.rotation) for game in games}
    whole = next(n for n in range(len(games) + 1) if not {(n, 0), (n, 1)} <= played)
    assert int(out.split()[0]) == 2 * whole  # rounds count in order, and only whole ones
    assert len(games) >= 4
