"""Master of Orion at the table: players by name, levels, matches, records, a game at the terminal, advice."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from orbis_search.base.dice import Dice
from orbis_search.base.errors import InputError
from orbis_search.base.speech import speaking
from orbis_search.matches.data import Tally
from orbis_search.matches.files import Save
from orbis_search.matches.seats import Seat
from orbis_search.orion.advice.data import advice_of, advise, is_known
from orbis_search.orion.advice.json import advice_to_json
from orbis_search.orion.advice.text import advice_text, hint_text, why_text
from orbis_search.orion.cards.library import load_card_set
from orbis_search.orion.game.knowledge import complete, seen_by
from orbis_search.orion.game.position import Position
from orbis_search.orion.game.rules import by_dice, legal_moves, new_game, play, play_out
from orbis_search.orion.game.vocabulary import UNKNOWN, Resources
from orbis_search.orion.notation import read_position
from orbis_search.orion.notation.examples import example_text
from orbis_search.orion.notation.moves import parse_move
from orbis_search.orion.players import session
from orbis_search.orion.players.arena import (
    Match,
    drawn_races,
    games_of,
    make_match,
    play_game,
    play_match,
    read_games,
    replay,
)
from orbis_search.orion.players.by_name import KINDS, parse_player
from orbis_search.orion.players.levels import LEVELS, NAMES
from orbis_search.orion.players.session import parse_seat, take_up
from orbis_search.orion.players.text import last_turn_text
from orbis_search.orion.record.file import RecordFile, load_record
from orbis_search.orion.record.text import read_record, record_text
from orbis_search.orion.search.policies import PLAYERS, play_on
from orbis_search.orion.search.tree import search_moves

CARDS = load_card_set()
EXAMPLE = read_position(example_text())


def late_position(seed: int = 1, players: int = 2) -> Position:
    """In the last round, where games played on are short."""
    dice = Dice(seed)
    position = new_game(CARDS, drawn_races(CARDS, players, dice), dice)
    while position.round < 8 or position.to_move is None or len(legal_moves(position)) < 5:
        assert not position.is_over
        position = play_out(play(position, PLAYERS["sensible"](position, dice)), by_dice(dice))
    return position


def test_the_built_in_cards_keep_to_what_is_known():
    """However they are balanced: Humans start with more and have no ability, Psilons draw three, Bulrathi lose no
    loyalty at high mobilization, Alkari pay in VP, the Stock Exchange costs what the book says."""
    humans = CARDS.race["humans"]
    assert humans.effects == ()
    assert all(humans.start.total > race.start.total for race in CARDS.races if race is not humans)
    assert CARDS.race["psilons"].research == 3 and CARDS.race["bulrathi"].levels[2].loyalty == 0
    assert CARDS.race["alkari"].effects[0].pay.vp > 0
    assert CARDS.structure["planetary-stock-exchange"].cost == Resources(4, 0, 1)
    assert CARDS.structure["population-support"].effects[0].pay.resources == Resources(2)


# --- players


@pytest.mark.parametrize("kind", KINDS)
def test_every_player_decides_and_does_so_again(kind):
    """The same seed, the same move, and a legal one; in a position that shows nothing but what the seat can see."""
    position = late_position()
    seen = seen_by(position, position.to_move or 0)
    spec = parse_player(f"{kind}:sims=6" if kind in ("flat", "uct", "advisor", "full") else kind)
    for seed in (1, 2):
        player = spec.player()
        move = player.choose(seen, seed)
        assert move in legal_moves(position) and player.choose(seen, seed) == move
        player.close()


@pytest.mark.parametrize("kind", ["random", "sensible", "flat:sims=6", "beginner", "casual"])
def test_no_player_peeks(kind):
    """Whatever the others hold and however the deck lies: the same decision."""
    position = late_position(3)
    mover = position.to_move or 0
    moves = {
        parse_player(kind).player().choose(seen_by(complete(seen_by(position, mover), Dice(world)), mover), 5)
        for world in range(6)
    }
    assert len(moves) == 1


def test_a_specification_is_written_as_it_is_read():
    for text in ("random", "flat:sims=20", "advisor:time=0.2s", "advisor:sims=20,threads=2", "full:time=1s", "casual"):
        assert str(parse_player(text)) == text
    assert str(parse_player("level:2")) == "casual"
    assert str(parse_player("flat")) == "flat:sims=2000"


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "expected a player"),
        ("nobody", "expected a player"),
        ("sensble", "nearest: sensible"),
        ("cmd:cat", "expected a player"),
        ("@file", "expected a player"),
        ("flat:", "expected settings after the colon"),
        ("flat:sims", "expected NAME=VALUE"),
        ("flat:sims=", "expected NAME=VALUE"),
        ("flat:=3", "expected NAME=VALUE"),
        ("flat:sims=0", "for sims, found"),
        ("flat:sims=many", "for sims, found"),
        ("flat:sims=1,sims=2", "sims once, found it twice"),
        ("flat:time=soon", "for time, found"),
        ("flat:sims=1,time=1s", "either sims or time"),
        ("flat:games=3", "expected one of sims, time, threads for flat"),
        ("advisor:threads=0", "for threads, found"),
        ("random:sims=3", "expected no settings for random"),
        ("casual:sims=3", "expected no settings for casual"),
        ("level:9", "a level from 1 to 5"),
        ("level:", "expected settings after the colon"),
        ("level:casul", "nearest: casual"),
    ],
)
def test_a_player_that_nobody_is(text, why):
    with pytest.raises(InputError) as caught:
        parse_player(text, "player A")
    assert why in str(caught.value) and caught.value.problems[0].place == "player A"
    for language in ("de", "pl", "ru"):
        with speaking(language), pytest.raises(InputError):
            parse_player(text)


def test_levels_are_named_once_and_the_weak_do_not_search():
    assert len(set(NAMES)) == len(NAMES) == 5
    assert [bool(level.sims) for level in LEVELS] == [False, False, False, True, True]


# --- matches


def test_games_of_a_round_share_the_deal():
    """The seats change, the luck does not: the same start, and the same cards as long as the same number was drawn."""
    match = make_match(["sensible", "random"], seed=4)
    players = [parse_player(text).player() for text in match.entries]
    one, other = (play_game(match, 0, rotation, players) for rotation in (0, 1))
    assert one.start == other.start and one.seats == (0, 1) and other.seats == (1, 0)
    first_pass = 75  # cards of the deck at least, before anything is shuffled again
    shared = min(len(one.draws), len(other.draws), first_pass)
    assert shared > 10 and one.draws[:shared] == other.draws[:shared]


def test_equal_players_get_the_same_out_of_every_seat():
    match = make_match(["sensible", "sensible"], seed=2)
    tally = Tally(match)
    for game in play_match(match, 2):
        tally.add(game)
    assert [standing.score for standing in tally.result().standings] == [0.5, 0.5]


def test_the_same_seed_plays_the_same_games():
    games = [list(play_match(make_match(["sensible", "beginner"], seed=7), 1)) for _ in range(2)]
    assert games[0] == games[1] != list(play_match(make_match(["sensible", "beginner"], seed=8), 1))


def test_two_processes_play_what_one_plays():
    match = make_match(["random", "beginner"], players=3, seed=5)
    one, two = (sorted(play_match(match, 1, workers), key=lambda game: game.rotation) for workers in (1, 2))
    assert one == two


def test_a_match_is_resumed_and_replayed(tmp_path):
    path = str(tmp_path / "match.jsonl")
    match = make_match(["random", "random"], seed=1, cards="random:*")
    save = Save(path, match)
    for game in play_match(match, 1):
        save.add(game)
    save.close()
    found, games, _end = read_games(path)
    assert found == match and len(games) == 2
    for game in games:
        assert replay(game).is_over
    again = Save(path, match)
    assert list(play_match(match, 1, done=again.games)) == []
    again.close()
    with pytest.raises(InputError, match="seed"):
        Save(path, make_match(["random", "random"], seed=2, cards="random:*"))


@pytest.mark.parametrize(
    "change, why",
    [
        ({"moves": ()}, "expected one of|found 0 turns|a card of the deck"),
        ({"moves": ("fly",)}, "begins with one of"),
        ({"draws": ()}, "a card of the deck to be drawn"),
        ({"draws": ("klingon",)}, "a card of the deck to be drawn"),
        ({"points": (99, 99)}, "expected points"),
        ({"shares": (6, 6)}, "expected points"),
        ({"start": "m1:nothing"}, "expected"),
    ],
)
def test_a_saved_game_that_was_never_played(change, why):
    match = make_match(["random", "random"], seed=1)
    game = next(play_match(match, 1))
    with pytest.raises(InputError, match=why):
        replay(replace(game, **change), "game")


@pytest.mark.parametrize(
    "data, place",
    [
        (b"", "f"),
        (b"nonsense\n", "f, line 1"),
        (b'{"format":"orbis-arena","version":1}\n', "f, line 1"),
        (b'{"format":"orbis-orion-arena","version":2}\n', "f, line 1"),
    ],
)
def test_a_file_that_is_no_match(data, place):
    with pytest.raises(InputError) as caught:
        games_of(data, "f")
    assert caught.value.problems[0].place == place


def test_a_match_with_everything_wrong():
    with pytest.raises(InputError) as caught:
        make_match(["nobody", "flat:sims=0"], players=5, cards="nowhere.toml")
    assert [problem.place for problem in caught.value.problems] == ["player A", "player B", "cards", "players"]


def test_races_are_drawn_and_only_humans_twice():
    seen = set()
    for seed in range(60):
        races = drawn_races(CARDS, 4, Dice(seed))
        aliens = [race for race in races if race != "humans"]
        assert len(aliens) == len(set(aliens))
        seen |= set(races)
    assert seen == set(CARDS.race)


def test_matches_know_their_own_kind():
    assert (Match.FORMAT, Match.BOX) == ("orbis-orion-arena", "cards")


# --- records


def played_game(turns: int = 12, seats=(Seat("Anna"), Seat("casual", "casual"))) -> session.Game:
    game = session.new_game(list(seats), CARDS, 3, date="2026-11-18")
    dice = Dice(1)
    for _ in range(turns):
        game.play(dice.one_of(legal_moves(game.position)))
    return game


def test_a_record_is_read_as_it_is_written():
    game = played_game(60)
    text = record_text(game.record)
    assert read_record(text, "g") == game.record
    resumed = take_up(read_record(text), "g")
    assert (resumed.seats, resumed.seed, resumed.position) == (game.seats, game.seed, game.position)


def test_who_resumes_a_game_draws_the_same_cards():
    whole, half = played_game(40), played_game(20)
    resumed = take_up(read_record(record_text(half.record)))
    for turn in whole.record.turns[20:]:
        resumed.play(parse_move(turn.text, resumed.position))
    assert resumed.record == whole.record


def test_a_record_in_a_file(tmp_path):
    path = str(tmp_path / "g.orion")
    game = played_game(3)
    file = RecordFile.create(path, game.record)
    game.play(legal_moves(game.position)[0])
    file.keep(game.record)
    file.close()
    assert load_record(path) == game.record
    with open(path, "ab") as cut:
        cut.write(b"5. 1: bui")
    again = RecordFile.open(path)
    assert again.cut == "5. 1: bui" and again.record == game.record
    game.undo()
    again.keep(game.record)
    again.close()
    assert load_record(path) == game.record
    with pytest.raises(InputError, match="a name that no file has"):
        RecordFile.create(path, game.record)


START = record_text(played_game(0).record).split("\n")[2]
LINES = record_text(played_game(3).record).rstrip("\n").split("\n")


@pytest.mark.parametrize(
    "text, place, why",
    [
        ("", "g, line 1", "begins with orbis-orion-game 1"),
        ("orbis-game 1\n", "g, line 1", "begins with orbis-orion-game 1"),
        ("orbis-orion-game 2\n", "g, line 1", "begins with orbis-orion-game 1"),
        ("orbis-orion-game 1\n", "g", "a value for start, found none"),
        ("orbis-orion-game 1\nplayers: 2\n", "g, line 2", "date, start or a line that begins with x-"),
        ("orbis-orion-game 1\nstart\n", "g, line 2", "date, start or a line that begins with x-"),
        (f"orbis-orion-game 1\n{START}\n{START}\n", "g, line 3", "start once, found it twice"),
        ("orbis-orion-game 1\nstart: m1:nothing\n", "g, start", "fields between colons"),
        (
            "orbis-orion-game 1\nstart: m1:reconstruction:1.1.1.actions:-:-:_90:humans/-/10/0/1.9/-/-/-"
            ":humans/-/10/0/1.9/-/-/-\n",
            "g, start",
            "every card to be known",
        ),
        ("\n".join([*LINES[:-1], LINES[-1][:6] + "fly"]), f"g, line {len(LINES)}", "begins with one of"),
        ("\n".join([*LINES[:-1], "4. 1: done"]), f"g, line {len(LINES)}", "expected 3, found 4"),
        ("\n".join([*LINES[:-1], "3. 4: done"]), f"g, line {len(LINES)}", "expected player"),
        ("\n".join([*LINES[:-1], "third: done"]), f"g, line {len(LINES)}", "NUMBER. PLAYER: MOVE"),
        ("\n".join([*LINES[:-1], LINES[-1].split(" |")[0] + " | titan titan titan titan"]), None, "expected"),
        ("\n".join([*LINES, "# so far", "4. 1: done"]), f"g, line {len(LINES) + 2}", "nothing behind the remarks"),
        (b"\xff\xfe", "g", "UTF-8"),
    ],
)
def test_a_record_that_is_none(text, place, why):
    with pytest.raises(InputError) as caught:
        read_record(text, "g")
    problem = caught.value.problems[0]
    assert why in problem.message and place in (None, problem.place)
    for language in ("de", "pl", "ru"):
        with speaking(language), pytest.raises(InputError):
            read_record(text, "g")


def test_undo_goes_back_to_a_persons_decision():
    game = played_game(0)
    start = game.position
    assert game.undo() == 0
    while len(game.record.turns) < 25:
        game.play(legal_moves(game.position)[0])
    while game.undo():
        pass
    assert game.seat.is_person
    assert game.position == start or all(turn.player == 1 for turn in game.record.turns)


def test_what_was_drawn_is_told_to_who_drew_it():
    game = played_game(0)
    while not game.record.turns or not game.record.turns[-1].drawn:
        game.play(next((m for m in legal_moves(game.position) if m.kind == "research"), legal_moves(game.position)[-1]))
    drawer = game.record.turns[-1].player
    name = CARDS.structure[game.record.turns[-1].drawn[0]].label
    assert name in last_turn_text(game.record, drawer) and name in last_turn_text(game.record, None)
    assert name not in last_turn_text(game.record, 1 - drawer)


# --- the terminal


def test_a_whole_game_by_a_script(run, tmp_path, monkeypatch):
    """A person who always plays the first move of the list, to the end."""
    monkeypatch.chdir(tmp_path)
    done = run("orion", "play", "me", "beginner", "--seed", 5, stdin=b"1\n" * 400)
    assert done.code == 0, done.err
    assert "the game is over" in done.out and "game.orion" in done.out
    assert load_record("game.orion").position.is_over
    assert UNKNOWN not in done.out.replace("? lists", "")


def test_no_other_hand_is_shown(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("orion", "play", "me", "beginner", "--seed", 5, stdin=b"done\nquit\n")
    assert done.code == 0 and "5 unknown" in done.out
    hidden = load_record("game.orion").start.players[1].hand
    table = done.out.split("beginner (")[1]
    assert not any(CARDS.structure[card].label in table.split("number or move")[0] for card in hidden)


def test_hint_why_best_and_undo(run, tmp_path, monkeypatch):
    """In the last round, where a hint takes no time."""
    monkeypatch.chdir(tmp_path)
    game = session.new_game([Seat("Anna"), Seat("Bo")], CARDS, 3)
    dice = Dice(1)
    while game.position.round < 8 or len(legal_moves(game.position)) < 6:
        game.play(PLAYERS["sensible"](game.position, dice))
    RecordFile.create("late.orion", game.record).close()
    script = b"hint\nwhy\nwhy 2\nwhy 99\n+\nundo\nmoves\nshow\n?\nfly\nquit\n"
    done = run("orion", "play", "late.orion", "--time", "0.3s", stdin=script)
    assert done.code == 0, done.err
    for words in ("Move 1 is recommended", "Why 1 and not 2?", "expected a move from 1 to", "+ plays move 1"):
        assert words in done.out
    assert "1 turn taken back." in done.out and "begins with one of" in done.out
    assert load_record("late.orion") == game.record


def test_to_give_up_and_to_save_a_copy(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("orion", "play", "Anna", "Bo", "--seed", 1, stdin=b"1\nsave\ncopy.orion\nresign\n")
    assert done.code == 0 and "resigned" in done.out
    assert len(load_record("copy.orion").turns) == 1
    assert load_record("game.orion").end


@pytest.mark.parametrize(
    "line, why",
    [
        ("play --level 9", "--level: expected a level from 1 to 5"),
        ("play nowhere.orion", "expected a game file, found no such file"),
        ("play me regular --level 2", "all players are named already"),
        ("play Anna Bruno Cleo Dora Emil", "expected 2 to 4, found 5"),
        ("play me cmd:cat", "expected a built-in player"),
        ("play me flat:sims=x", "player 2: expected"),
        ("play me =casual", "player 2: expected a name before the ="),
        ("play --races humans", "--races: expected 2 races"),
        ("play --races humans,klingons", "--races: expected a race"),
        ("play --races psilons,psilons", "expected another race"),
        ("play --cards -", "--cards"),
        ("play --cards nowhere", "expected a built-in card set|random:SEED or a file"),
        ("play --time soon", "--time"),
        ("play --players 7", "--players"),
        ("play --record nofolder/g.orion", "a folder that can be written to"),
        ("arena random", "two to four players, not 1"),
        ("arena random nobody", "player B: expected a player"),
        ("arena random random --cards -", "--cards"),
        ("arena random random --sprt 3 2", "ELO0 must be less"),
        ("arena --replay nowhere.jsonl", "nowhere.jsonl: expected a readable file of games"),
        ("arena random random --replay x", "it takes neither players nor --save"),
        ("advise nowhere.toml", "nowhere.toml: expected a position file"),
        ("advise --sims 0", "--sims"),
        ("advise --why fly", "--why, move: expected a move that begins"),
        ("advise --why research --why research --why research", "--why at most twice"),
        ("advise m1:reconstruction", "position: expected at least"),
    ],
)
def test_malformed_commands_are_refused(line, why, run, tmp_path, monkeypatch):
    """Exit 2, the place named, nothing written."""
    monkeypatch.chdir(tmp_path)
    done = run("orion", *line.split(), stdin=b"")
    assert done.code == 2 and done.out == ""
    assert any(each in done.err for each in why.split("|")), done.err
    assert list(tmp_path.iterdir()) == []


# --- advice


def test_advice_ranks_every_move():
    position = late_position()
    advice = advise(position, simulations=60, seed=1)
    moves = [value.move for idea in advice.ideas for value in idea.ways]
    assert sorted(map(repr, moves)) == sorted(map(repr, legal_moves(position)))
    assert advice.best.visits == max(value.visits for value in advice.result.values)
    assert advice.result.simulations >= 60 and advice.result.stopped == "simulations"


def test_the_same_seed_gives_the_same_advice():
    def told(seed):
        data = advice_to_json(advise(late_position(), simulations=40, seed=seed))
        return {key: value for key, value in data.items() if key != "seconds"}

    assert told(1) == told(1)
    assert json.dumps(told(1)) != json.dumps(told(2))


def test_advice_does_not_peek():
    """Permuting what the mover cannot see changes nothing."""
    position = late_position(3)
    mover = position.to_move or 0
    answers = set()
    for world in range(4):
        other = complete(seen_by(position, mover), Dice(world))
        found = search_moves(other, simulations=20, seed=9)
        answers.add(tuple((value.move, value.visits, value.shares) for value in found.values))
    assert len(answers) == 1


def test_figures_add_up():
    advice = advise(late_position(2, players=3), simulations=60, seed=1)
    for value in advice.result.values:
        if value.visits:
            assert sum(value.shares) == pytest.approx(1)
            assert value.low - 1e-9 <= value.shares[advice.mover] <= value.high + 1e-9


def test_the_obvious_last_move_is_found():
    """The last decision of a game: an attack brings 2 points and the victory, nothing else does."""
    dice = random.Random(1)
    position = late_position()
    players = [player._replace(available=0, reserve=10, propaganda=False, vp=0) for player in position.players]
    sides = [
        player._replace(systems=(), advisor="", advisor_a=False, advisor_r=False, loyalty=10, attacks=(0, 0))
        for player in players
    ]
    me, other = sides[0], sides[1]
    me = me._replace(available=1, reserve=9, resources=Resources(0, 2, 0), known=(), old=(), fresh=())
    other = other._replace(resources=Resources(9, 0, 9), known=(), old=(), fresh=(), vp=1)
    deck = list(CARDS.deck)
    dice.shuffle(deck)
    last = position._replace(
        players=(me, other), deck=tuple(deck), pile=(), advisors=(), first=0, turn=0, stack=(), round=8, in_hands=()
    )
    assert advise(last, simulations=40, seed=1).best.move.kind == "attack"


def test_one_decision_is_no_choice():
    position = late_position()
    mover = position.to_move or 0
    mine = position.players[mover]
    only = mine._replace(
        known=(), old=(), fresh=(), systems=(), resources=Resources(), propaganda=True, advisor_a=True, attacks=(0, 0),
        available=1, reserve=5,
    )  # fmt: skip
    bare = position._replace(
        players=tuple(only if seat == mover else player for seat, player in enumerate(position.players)),
        deck=(*position.deck, *mine.hand, *(card for system in mine.systems for card in system.cards)),
        in_hands=(),
    )
    moves = legal_moves(bare)
    assert len(moves) == 1
    assert search_moves(bare, seed=1).stopped == "only move"


def test_advice_wants_a_decision_and_a_whole_hand():
    over = play_on(new_game(CARDS, ("humans", "humans"), Dice(1)), PLAYERS["random"], Dice(1))
    with pytest.raises(InputError, match="the game is over"):
        advise(over)
    with pytest.raises(InputError, match="whole hand"):
        advise(seen_by(EXAMPLE, 1 - (EXAMPLE.to_move or 0)))


@pytest.mark.parametrize("language", ["en", "de", "pl", "ru"])
def test_advice_in_words(language):
    with speaking(language):
        advice = advise(late_position(), simulations=150, seed=1)
        assert is_known(advice.best)
        text = advice_text(advice)
        assert all(len(line) <= 80 for line in text.split("\n")), max(text.split("\n"), key=len)
        assert hint_text(advice) and why_text(advice)
    if language == "en":
        assert "The cards are a reconstruction" in text and "cards template" in text


def test_what_is_compared_can_be_chosen():
    position = late_position()
    found = search_moves(position, simulations=60, seed=1)
    moves = legal_moves(position)
    asked = advice_of(found, moves[:2])
    assert asked.why is not None
    assert {asked.why.first.move, asked.why.second.move} == set(moves[:2])
    assert asked.why.win == pytest.approx(asked.why.first.shares[asked.mover] - asked.why.second.shares[asked.mover])


def test_seats_as_people_name_them():
    assert parse_seat("me") == Seat("me") and parse_seat("Anna") == Seat("Anna")
    assert parse_seat("Bo=casual") == Seat("Bo", "casual") and parse_seat("2") == Seat("casual", "casual")
    assert parse_seat("flat:sims=5") == Seat("flat", "flat:sims=5")
