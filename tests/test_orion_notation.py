"""Positions, moves and cards of Master of Orion as text: what is written is read again, and what is malformed is refused
with its place."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from orbis_search.base.dice import Dice
from orbis_search.base.errors import InputError
from orbis_search.base.speech import speaking
from orbis_search.orion.cards.data import card_set_data
from orbis_search.orion.cards.files import dump_card_set, parse_card_set, template_text
from orbis_search.orion.cards.generator import random_card_set
from orbis_search.orion.cards.library import load_card_set
from orbis_search.orion.drawing.card_table import render_card_set
from orbis_search.orion.drawing.sentences import explain_move
from orbis_search.orion.drawing.terminal import render_position
from orbis_search.orion.game.counting import end_reasons, winners
from orbis_search.orion.game.knowledge import seen_by
from orbis_search.orion.game.legality import why_not
from orbis_search.orion.game.position import MOVES, Move
from orbis_search.orion.game.problems import problems
from orbis_search.orion.game.rules import by_dice, draw, legal_moves, new_game, play, play_out
from orbis_search.orion.notation import read_position
from orbis_search.orion.notation.examples import example_text
from orbis_search.orion.notation.json import write_json
from orbis_search.orion.notation.moves import format_move, parse_move
from orbis_search.orion.notation.oneline import write_oneline
from orbis_search.orion.notation.toml import write_toml
from orbis_search.orion.players.by_name import PLAYERS, play_on
from orion_builders import CARDS, only, side, system, table
from program import Run

DATA = Path(__file__).parent / "malformed"
BASE = (DATA / "orion.toml").read_text("utf-8")
CASES = tomllib.loads((DATA / "orion_positions.toml").read_text("utf-8"))["case"]
WRITERS = [write_toml, write_json, write_oneline]


def games(number, spec="random"):
    """Positions of random games on random card sets, or on one."""
    for seed in range(number):
        cards = load_card_set(f"random:{seed}" if spec == "random" else spec)
        dice = Dice(seed)
        races = [race.id for race in cards.races][: 2 + seed % 3]
        position = new_game(cards, races, dice, names=["Anna", "", "Bö ?:/", "=+@"][: len(races)])
        while not position.is_over:
            yield position, dice
            if position.draw_due:
                position = draw(position, by_dice(dice)(position))
            else:
                position = play(position, dice.one_of(legal_moves(position)))
        yield position, dice


# --- positions


@pytest.mark.parametrize("spec", ["random", "reconstruction"])
def test_what_is_written_is_read_again(spec):
    """Hidden hands, pending decisions and the end of the game included, in all three forms."""
    for position, dice in games(6, spec):
        if position.is_over or dice.chance(0.06):
            for seen in (position, seen_by(position, 0)):
                assert problems(seen) == []
                for write in WRITERS:
                    assert read_position(write(seen)) == seen


def test_names_in_any_language_will_do():
    text = BASE.replace('"biosphere"', '"Биосфера"').replace('"psilons"', '"Псилоны"').replace('"moldred"', '"Молдред"')
    assert read_position(text) == read_position(BASE)


def test_what_is_left_out_follows_from_the_rest():
    position = read_position('[[player]]\nrace = "humans"\navailable = 3\n[[player]]\nrace = "psilons"\n')
    assert position.players[0].resources == position.cards.race["humans"].start
    assert (position.players[0].reserve, position.players[1].reserve, len(position.deck)) == (7, 10, 90)


def malformed(case):
    text = case.get("text", BASE)
    for old, new in case.get("change", ()):
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_exactly_these_problems(case):
    text = malformed(case)
    with pytest.raises(InputError) as caught:
        read_position(text)
    found = list(caught.value.problems)
    report = "\n".join(map(str, found))
    for place, fragment in case["expect"]:
        fitting = [problem for problem in found if problem.place == place and fragment in problem.message]
        assert fitting, f"no problem at {place!r} with {fragment!r} in:\n{report}"
        found.remove(fitting[0])
    assert not found, f"not foreseen: {found}"
    for language in ("de", "pl", "ru"):
        with speaking(language), pytest.raises(InputError):
            read_position(text)


def expect_refusal(result, places):
    """Exit code 2 and nothing on standard output; one line for each of (place, part of the message), in any order."""
    assert (result.code, result.out) == (2, "")
    lines = result.err.splitlines()
    assert len(lines) == len(places), result.err
    for place, why in places:
        assert any(line.startswith(f"orbis: {place}: ") and why in line for line in lines), (place, why, result.err)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_command_refuses_the_position(case, run: Run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("table.txt").write_text(malformed(case), "utf-8")
    places = [(f"table.txt: {place}" if place else "table.txt", why) for place, why in case["expect"]]
    expect_refusal(run("orion", "check", "table.txt"), places)


def test_there_are_enough_cases_and_each_says_why():
    assert len(CASES) >= 90 and len({case["name"] for case in CASES}) == len(CASES)


def test_bytes_that_are_no_text():
    with pytest.raises(InputError, match="UTF-8"):
        read_position(b"\xff\xfe")


# --- moves


@pytest.mark.parametrize("spec", ["random", "reconstruction"])
def test_every_legal_move_is_read_as_it_is_written(spec):
    kinds = set()
    for position, dice in games(6, spec):
        moves = legal_moves(position)
        if len(moves) > 200 or not dice.chance(0.3):
            continue
        texts = [format_move(position, move) for move in moves]
        assert len(set(texts)) == len(texts)
        for move, text in zip(moves, texts):
            assert parse_move(text, position) == move
            assert explain_move(position, move).endswith(".")
            assert why_not(position, move) == []
            kinds.add(move.kind)
    assert len(kinds) >= (16 if spec == "random" else 12), set(MOVES) - kinds


@pytest.mark.parametrize(
    "text, meant",
    [
        ("Research", "research"),
        ("исследование", "research"),
        ("build Biosphere new pay 6f", "build biosphere new pay 6f"),
        ("построить Биосфера новая", "build biosphere new pay 6f"),
        ("baue biosphere 1", "build biosphere 1 pay 6f"),
        ("trade Nahrung Flotte", "trade food fleet"),
        ("activate Fleet Academy", "activate fleet-academy 2"),
        ("attack 2", "attack 2"),
        ("deal Вейл Шепчущая", "deal vale"),
    ],
)
def test_moves_as_people_write_them(text, meant):
    me = side(system("titan"), system("fleet-academy"), hand="biosphere frigate frigate")
    where = table(me, side(), advisors=("vale",))
    assert format_move(where, parse_move(text, where)) == meant


MOVE_CASES = [
    ("", "begins with one of"),
    ("fly", "begins with one of"),
    ("bild titan", "nearest: build"),
    ("build", "it could be"),
    ("build klingon", "expected a card"),
    ("build titan", "a card of the hand, found titan"),
    ("build government-palace new", "3p to pay with, found 9f1l"),
    ("build biosphere", "loyalty 6 or more for biosphere, found 5"),
    ("build frigate 7", "a system with room (1, 2, 3), found 7"),
    ("build frigate 1 pay 2l", "1l to be paid for frigate, found 2l"),
    ("build frigate 1 pay much", "expected build CARD"),
    ("build frigate here", "expected build CARD"),
    ("exploit titan", "a card of the hand"),
    ("exploit frigate 2", "expected exploit CARD"),
    ("activate titan", "a working card with an activation"),
    ("activate fleet-academy", "an empty A cell on fleet-academy"),
    ("attack", "another player, found 1"),
    ("attack 1", "another player, found 1"),
    ("attack 9", "another player, found 9"),
    ("attack 2", "a fleet of 3 or more"),
    ("attack Ben", "expected attack PLAYER"),
    ("trade fleet food", "2l to pay with"),
    ("trade food", "expected trade"),
    ("trade food food", "expected trade"),
    ("trade gold food", "expected trade"),
    ("propaganda", "propaganda once a round"),
    ("propaganda 2", "expected propaganda"),
    ("deal harrava", "an advisor on the table (vale), found harrava"),
    ("deal", "3 cards in hand for a deal, found 2"),
    ("research 2", "expected research"),
    ("discard frigate", "expected one of build, exploit"),
    ("take titan", "expected one of build, exploit"),
    ("option 1", "expected one of build, exploit"),
    ("use titan", "expected one of build, exploit"),
    ("done", "expected one of build, exploit"),
    ("reorder titan", "expected reorder SYSTEM"),
    ("reorder 1", "expected reorder SYSTEM"),
    ("bury titan 1 of 2", "expected one of build, exploit"),
    ("fill titan 1 of 2 X", "expected fill CARD"),
    ("target me", "expected target PLAYER"),
    ("exchange 3q", "expected exchange"),
]


def refused_at(text):
    """The position in which a move of MOVE_CASES is tried."""
    me = side(
        system("titan"), system("fleet-academy", a=True), hand="frigate biosphere", loyalty=5, propaganda=True, reserve=6,
        resources=side().resources._replace(fleet=1, production=0),
    )  # fmt: skip
    if "government" in text:
        me = me._replace(fresh=("frigate", "government-palace"), loyalty=6)
    return table(me, side(resources=side().resources._replace(fleet=3)), advisors=("vale",))


@pytest.mark.parametrize("text, why", MOVE_CASES)
def test_why_a_move_is_refused(text, why):
    where = refused_at(text)
    with pytest.raises(InputError) as caught:
        parse_move(text, where)
    assert all(problem.place == "move" for problem in caught.value.problems)
    assert why in str(caught.value), str(caught.value)
    for language in ("de", "pl", "ru"):
        with speaking(language), pytest.raises(InputError):
            parse_move(text, where)


@pytest.mark.parametrize("text, why", MOVE_CASES)
def test_the_command_refuses_the_move(text, why, run: Run, tmp_path):
    where = refused_at(text)
    used = [card for player in where.players for card in player.hand]
    used += [card for player in where.players for each in player.systems for card in each.cards]
    where = where._replace(deck=tuple((Counter(CARDS.deck) - Counter(used)).elements()))
    (tmp_path / "table.toml").write_text(write_toml(where), "utf-8")
    (tmp_path / "cards.toml").write_text(dump_card_set(CARDS), "utf-8")
    result = run("orion", "apply", tmp_path / "table.toml", text, "--cards", tmp_path / "cards.toml")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("orbis: move: ") and why in result.err


def test_a_hidden_hand_cannot_move():
    where = seen_by(table(side(hand="frigate"), side()), 1)
    with pytest.raises(InputError, match="whole hand of player 1"):
        parse_move("research", where)


def test_no_move_after_the_end():
    over = play_on(new_game(CARDS, ("humans", "humans"), Dice(1)), PLAYERS["random"], Dice(1))
    with pytest.raises(InputError, match="the game is over"):
        parse_move("research", over)


def test_alluvia_makes_no_deal_and_says_why():
    where = table(
        side(system(advisor=True), advisor="alluvia", hand="frigate frigate titan"), side(), advisors=("vale",)
    )
    with pytest.raises(InputError, match="alluvia cannot be replaced"):
        parse_move("deal vale", where)


def test_what_is_decided_in_an_effect_is_explained():
    where = play(table(side(advisor="victoria"), side()), Move("activate", "victoria", -1))
    assert explain_move(where, only(where, "option", number=2)) == "Choose: +2 production."
    with pytest.raises(InputError, match="expected one of 1, 2, 3, found 7"):
        parse_move("option 7", where)


# --- cards


@pytest.mark.parametrize("seed", range(12))
def test_a_random_set_is_sound_and_reads_back(seed):
    made = random_card_set(seed)
    assert parse_card_set(dump_card_set(made), made.name) == made


def test_random_sets_use_every_op():
    def ops(data):
        if isinstance(data, dict):
            return ([data["op"]] if "op" in data else []) + [each for value in data.values() for each in ops(value)]
        return [each for value in data for each in ops(value)] if isinstance(data, list) else []

    for seed in range(5):
        data = card_set_data(random_card_set(seed))
        assert len(set(ops(data))) == 21


def test_the_reconstruction_says_what_is_known():
    """Two copies of 45 names; the one cost, and the effects, that the book tells."""
    assert Counter(card.copies for card in CARDS.structures) == {2: 45}
    assert str(CARDS.structure["planetary-stock-exchange"].cost) == "4f1p"
    assert dict(CARDS.structure["planetary-stock-exchange"].known)["cost"] == "book"
    assert sum("name" in dict(card.known) for card in CARDS.structures) == 27
    assert parse_card_set(dump_card_set(CARDS), CARDS.name) == CARDS


def test_the_template_lists_what_is_left_to_fill_in():
    with pytest.raises(InputError) as caught:
        parse_card_set(template_text(CARDS), "box", "box")
    assert all("found" in problem.message or "more problem" in problem.message for problem in caught.value.problems)


FROM = 'id = "tax-office"'
CARD_CASES = [
    ('status = "reconstructed"', 'status = "guessed"', "set, status", "one of transcribed"),
    ('status = "reconstructed"', "", "set, status", "one of transcribed"),
    ("blue = 26", "blue = 27", "set, expect, blue", "27 cards, found 26"),
    ("blue = 26", "blue = true", "set, expect, blue", "a whole number"),
    ("advisors = 8", "advisors = 9", "set, expect, advisors", "9 cards, found 8"),
    ('reshuffle = "on_demand"', 'reshuffle = "never"', "set, options, reshuffle", "on_demand, at_once"),
    ('full_systems = "four"', "full_systems = 4", "set, options, full_systems", "four, literal"),
    ('name = "reconstruction"', 'nome = "x"', "set", "nearest: name"),
    (FROM, 'id = "Tax Office"', "structure 27, id", "an id of small letters"),
    (FROM, 'id = "build"', "structure 27, id", "means nothing else"),
    (FROM, 'id = "titan"', "structure 27 (titan), id", "an id of its own"),
    (FROM, 'id = "vale"', "advisor 2 (vale), id", "an id of its own"),
    (FROM, "id = 7", "structure 27, id", "an id of small letters"),
    (f"{FROM}\n", "", "structure 27", "a value for id"),
    (f"{FROM}\n", f"{FROM}\ncolor = 1\n", "structure 27", "nearest: colour"),
    (f"{FROM}\n", f"{FROM}\nbuild_loyalty = 5\n", "structure 27 (tax-office), build_loyalty", "0 or 6"),
]
ONE_CARD = """
[set]
status = "mixed"
expect = {{ blue = 2, red = 0, yellow = 0, grey = 0, advisors = 5 }}
[[structure]]
id = "x"
colour = "blue"
cost = {{ food = 1 }}
income = {{}}
vp = 1
{more}
[[advisor]]
id = "a"
[[advisor]]
id = "b"
[[advisor]]
id = "c"
[[advisor]]
id = "d"
[[advisor]]
id = "e"
[[race]]
id = "humans"
start = {{ food = 3 }}
{race}
"""
SMALL_CASES = [
    ("copies = 4", "", "structure 1 (x), copies", "from 1 to 3"),
    ('name = "X"', "", "structure 1 (x), name", "a table"),
    ("name = { fr = 'X' }", "", "structure 1 (x), name", "found \"fr\""),
    ("name = { en = '?' }", "", "structure 1 (x), name, en", "still to be filled in"),
    ("known = { colour = 7 }", "", "structure 1 (x), known, colour", "where it is known from"),
    ("effect = 7", "", "structure 1 (x), effect", "at most 3 effects"),
    ("effect = [7]", "", "structure 1 (x), effect 1", "a table"),
    ("effect = [{ do = [{ op = 'discard', n = 1 }] }]", "", "structure 1 (x), effect 1", "a value for when"),
    ("effect = [{ when = 'never', do = [{ op = 'discard', n = 1 }] }]", "", "structure 1 (x), effect 1, when", "found \"never\""),
    ("effect = [{ when = 'activation' }]", "", "structure 1 (x), effect 1, do", "a list of 1 to 4"),
    ("effect = [{ when = 'activation', do = [] }]", "", "structure 1 (x), effect 1, do", "a list of 1 to 4"),
    ("effect = [{ when = 'activation', do = [{}] }]", "", "structure 1 (x), effect 1, do 1", "a value for op"),
    ("effect = [{ when = 'activation', do = [{ op = 'win' }] }]", "", "structure 1 (x), effect 1, do 1, op", "found \"win\""),
    ("effect = [{ when = 'activation', do = [{ op = 'gain' }] }]", "", "structure 1 (x), effect 1, do 1", "something to gain"),
    ("effect = [{ when = 'activation', do = [{ op = 'gain', gold = 1 }] }]", "", "structure 1 (x), effect 1, do 1", "found \"gold\""),
    ("effect = [{ when = 'activation', do = [{ op = 'gain', food = -1 }] }]", "", "structure 1 (x), effect 1, do 1, food", "from 0 to 9"),
    ("effect = [{ when = 'activation', do = [{ op = 'gain', food = 1, times = 'money' }] }]", "", "structure 1 (x), effect 1, do 1, times", "found \"money\""),
    ("effect = [{ when = 'activation', do = [{ op = 'draw' }] }]", "", "structure 1 (x), effect 1, do 1", "a value for n"),
    ("effect = [{ when = 'activation', do = [{ op = 'draw', n = 2, discard = 3 }] }]", "", "structure 1 (x), effect 1, do 1, discard", "from 0 to 2"),
    ("effect = [{ when = 'activation', do = [{ op = 'exchange', left = { food = 1 } }] }]", "", "structure 1 (x), effect 1, do 1", "both sides"),
    ("effect = [{ when = 'activation', do = [{ op = 'build', filters = ['pink'] }] }]", "", "structure 1 (x), effect 1, do 1, filters", "found \"pink\""),
    ("effect = [{ when = 'activation', do = [{ op = 'build', filters = ['any'], where = 'there' }] }]", "", "structure 1 (x), effect 1, do 1, where", "found \"there\""),
    ("effect = [{ when = 'activation', do = [{ op = 'reorder', systems = 2 }] }]", "", "structure 1 (x), effect 1, do 1, systems", "1 or all"),
    ("effect = [{ when = 'activation', do = [{ op = 'bury', who = 'target' }] }]", "", "structure 1 (x), effect 1, do", "outside of attacks"),
    ("effect = [{ when = 'activation', do = [{ op = 'bury', who = 'me' }] }]", "", "structure 1 (x), effect 1, do 1, who", "found \"me\""),
    ("effect = [{ when = 'activation', do = [{ op = 'opponents', who = 'each' }] }]", "", "structure 1 (x), effect 1, do 1", "either do or either"),
    ("effect = [{ when = 'activation', do = [{ op = 'opponents', who = 'each', do = [{ op = 'build', filters = ['any'] }] }] }]", "", "structure 1 (x), effect 1, do 1, do 1, op", "found \"build\""),
    ("effect = [{ when = 'activation', do = [{ op = 'choose', options = [[{ op = 'draw', n = 1 }]] }] }]", "", "structure 1 (x), effect 1, do 1, options", "a list of 2 to 4"),
    ("effect = [{ when = 'activation', do = [{ op = 'discount', n = 1 }] }]", "", "structure 1 (x), effect 1, do", "what fits activation"),
    ("effect = [{ when = 'always', do = [{ op = 'draw', n = 1 }] }]", "", "structure 1 (x), effect 1, do", "what fits always"),
    ("effect = [{ when = 'always', may = true, do = [{ op = 'discount', n = 1 }] }]", "", "structure 1 (x), effect 1, may", "by itself"),
    ("effect = [{ when = 'always', cell = 'R', do = [{ op = 'discount', n = 1 }] }]", "", "structure 1 (x), effect 1, cell", "found \"R\""),
    ("effect = [{ when = 'after_attack', loyalty = 5, do = [{ op = 'draw', n = 1 }] }]", "", "structure 1 (x), effect 1, loyalty", "0 or 6"),
    ("effect = [{ when = 'after_attack', pay = {}, do = [{ op = 'draw', n = 1 }] }]", "", "structure 1 (x), effect 1, pay", "something to pay"),
    ("effect = [{ when = 'after_attack', pay = { vp = 99 }, do = [{ op = 'draw', n = 1 }] }]", "", "structure 1 (x), effect 1, pay, vp", "from 0 to 20"),
    ("effect = [{ when = 'after_attack', if = { count = 'x' }, do = [{ op = 'draw', n = 1 }] }]", "", "structure 1 (x), effect 1, if, count", "found \"x\""),
    ("effect = [{ when = 'end_of_game', do = [{ op = 'score', n = 1 }] }]", "", "structure 1 (x), effect 1, do 1, per", "found nothing"),
    ("", "research = 0", "race 1 (humans), research", "from 1 to 9"),
    ("", "high = { loyalty = 1 }", "race 1 (humans), high", "a value for cubes"),
    ("", "exploit = { pink = {} }", "race 1 (humans), exploit", "found \"pink\""),
    ("", "exploit = { blue = { draw = 1, discard = 2 } }", "race 1 (humans), exploit, blue, discard", "from 0 to 1"),
    ("", "trade = { food = 3 }", "race 1 (humans), trade", "at least 1 of each"),
    ("", "effect = [{ when = 'activation', do = [{ op = 'draw', n = 1 }] }]", "race 1 (humans), effect 1, when", "found \"activation\""),
]  # fmt: skip


@pytest.mark.parametrize("old, new, place, why", CARD_CASES)
def test_a_malformed_card_set_is_refused(old, new, place, why, run: Run, tmp_path):
    text = dump_card_set(replace(CARDS, name="reconstruction"))
    assert text.count(old) == 1
    check_refused(text.replace(old, new), place, why, run, tmp_path)


@pytest.mark.parametrize("more, race, place, why", SMALL_CASES)
def test_a_malformed_card_is_refused(more, race, place, why, run: Run, tmp_path):
    check_refused(ONE_CARD.format(more=more, race=race), place, why, run, tmp_path)


def check_refused(text, place, why, run, tmp_path):
    """By the reader, and by the command with exit code 2, both with the place."""
    file = tmp_path / "box.toml"
    file.write_text(text, "utf-8")
    result = run("orion", "cards", "check", file)
    assert (result.code, result.out) == (2, "")
    assert any(line.startswith(f"orbis: {file}: {place}: ") and why in line for line in result.err.splitlines())
    with pytest.raises(InputError) as caught:
        parse_card_set(text, "box", "box")
    fitting = [p for p in caught.value.problems if p.place == f"box: {place}" and why in p.message]
    assert len(fitting) == 1, str(caught.value)


def test_the_small_set_is_sound():
    cards = parse_card_set(ONE_CARD.format(more="", race=""), "box")
    assert len(cards.deck) == 2 and cards.race["humans"].research == 2


@pytest.mark.parametrize(
    "text, place, why",
    [
        ("", "box: structure", "a [[structure]] table"),
        ("set = 1", "box: set", "a table"),
        ("[[structure]]", "box: structure 1", "a value for id"),
        ("x = = 1", "box", "syntax error"),
        ('[[race]]\nid = "orcs"', "box: race", "the id humans"),
    ],
)
def test_what_is_no_card_set(text, place, why, run: Run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("box").write_text(text, "utf-8")
    result = run("orion", "cards", "check", "box")
    assert (result.code, result.out) == (2, "")
    assert any(line.startswith(f"orbis: {place}: ") and why in line for line in result.err.splitlines())
    with pytest.raises(InputError) as caught:
        parse_card_set(text, "box", "box")
    assert any(p.place == place and why in p.message for p in caught.value.problems), str(caught.value)


# --- drawing and playing


@pytest.mark.parametrize("language", ["en", "de", "pl", "ru"])
def test_drawings_fit_eighty_columns(language):
    with speaking(language):
        drawn = render_position(read_position(example_text())) + render_card_set(CARDS)
        for position, dice in games(2):
            if dice.chance(0.05):
                drawn += render_position(position)
        assert max(map(len, drawn.splitlines())) < 80
        assert "\x1b" not in drawn and "\x1b" in render_card_set(CARDS, colour=True)


@pytest.mark.parametrize("style", PLAYERS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games(style, players):
    """Played to the end, with no cube and no card lost, on our set and on a random one."""
    for spec in ("reconstruction", "random:5"):
        cards = load_card_set(spec)
        dice = Dice(players)
        over = play_on(new_game(cards, [race.id for race in cards.races][:players], dice), PLAYERS[style], dice)
        assert over.is_over and end_reasons(over) and winners(over) and problems(over) == []


def test_the_same_seed_plays_the_same_game():
    def played(seed):
        dice = Dice(seed)
        return play_on(new_game(CARDS, ("humans", "humans"), dice), PLAYERS["random"], dice)

    assert played(3) == played(3) != played(4)


def test_sensible_beats_random():
    """Nine games of ten at the least; here all of six, seats in turns."""
    won = 0
    for seed in range(6):
        dice = Dice(seed)
        position = play_out(new_game(CARDS, ("humans", "humans"), dice), by_dice(dice))
        while not position.is_over:
            style = "sensible" if position.to_move == seed % 2 else "random"
            position = play_out(play(position, PLAYERS[style](position, dice)), by_dice(dice))
        won += winners(position) == [seed % 2]
    assert won == 6


def test_a_game_by_commands(run: Run, tmp_path, monkeypatch):
    """As a new user would: a new game, a look at it, its moves, a move, and so on."""
    monkeypatch.chdir(tmp_path)
    assert run("orion", "new", "--seed", 1, "--races", "humans,Псилоны", "-o", "a.toml").code == 0
    assert run("orion", "apply", "a.toml", "done", "--seed", 2, "-o", "b.toml").code == 0
    assert "Psilons" in run("orion", "show", "b.toml").out
    assert run("orion", "check", "b.toml").out.startswith("b.toml: fine")
    hidden = run("orion", "show", "b.toml", "--seen-by", 1, "--oneline").out.strip()
    assert run("orion", "check", hidden).code == 0
    refused = run("orion", "apply", "b.toml", "build", "nothing")
    assert refused.code == 2 and refused.err.startswith("orbis: move: expected a card")
