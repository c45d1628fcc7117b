"""What an advice shows: a row for each idea, in an order one can see, with figures only where something is known.

The figures are written into advices by hand, so that nothing here depends on what a search finds.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from orbis_search.advice.advisor import advise
from orbis_search.advice.data import Advice, Candidate, Comparison, Side
from orbis_search.advice.json import advice_to_json
from orbis_search.advice.rows import labels, rows, way_letter
from orbis_search.advice.text import advice_text, chance, hint_text, interval, reasons, tile_set_note, why_text
from orbis_search.advice.why import pair_to_compare
from orbis_search.base.language import LANGUAGES
from orbis_search.base.speech import speaking
from orbis_search.core.fast_rules import new_game, play_on
from orbis_search.drawing.canvas import text_width
from orbis_search.drawing.sentences import idea_words
from orbis_search.game.position import Move
from orbis_search.game.rules import legal_moves
from orbis_search.notation import parse_move, read_position
from orbis_search.notation.examples import example_text
from orbis_search.notation.move_text import format_move
from orbis_search.tileset.library import load_tile_set
from program import GOLDEN

POSITION = read_position(example_text("middle"))


@cache
def searched() -> Advice:
    """What every advice here is made of, so that it has all its parts."""
    return advise(POSITION, simulations=1, seed=1, why=None, prove=False)


def known(move: Move, win: float, error: float = 0.01, **more: object) -> Candidate:
    every = {"visits": 1000, "worth": win, "points": (17.0, 17.0), "measured": True, **more}
    return replace(searched().best, move=move, win=win, error=error, **every)  # type: ignore[arg-type]


def advice_of(*candidates: Candidate) -> Advice:
    return replace(searched(), candidates=candidates)


def face(move: Move) -> tuple[object, ...]:
    return (move.cell, move.god, move.slot, move.wild, move.validated)


def ways(text: str) -> list[Move]:
    """The legal moves that take and lay as the text says, whatever is paid or removed."""
    one = parse_move(text, POSITION)
    return [move for move in legal_moves(POSITION) if face(move) == face(one)]


VOLCANO = ways("b3 1L pay w valid remove b2:g a1:g")
OTHER = ways("c2 2.1 swap y3>b pay gbw")
NATURE = parse_move("god nature", POSITION)
WILD = parse_move("b3 wild 2.1", POSITION)


def compared(advice: Advice, first: Candidate, second: Candidate) -> Advice:
    nobody = first.move.realm
    sides = (Side(each, nobody, (), tuple(0.0 for _ in each.points), 0.0) for each in (first, second))
    return replace(advice, why=Comparison(advice.position.to_move or 0, *sides))


def table(text: str) -> list[str]:
    """The names of the rows, in their order."""
    return re.findall(r"(?m)^ *(\d+[a-z]*)  .*(?:sampled|proved)  ", text)


# ---- ideas ---------------------------------------------------------------------------------------------


def test_ways_to_pay_and_remove_are_one_idea_and_places_and_faces_are_not():
    left, right = parse_move("b3 wild 1L", POSITION), parse_move("b3 wild 1R", POSITION)
    assert len(VOLCANO) >= 3
    advice = advice_of(*(known(move, 0.5) for move in (*VOLCANO, left, right, WILD, NATURE)))
    assert [len(idea.candidates) for idea in advice.ideas] == [len(VOLCANO), 1, 1, 1, 1]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ideas_of_a_search_hold_every_candidate_once_and_no_idea_twice(players):
    position = play_on(new_game(load_tile_set(), players, Random(2)), turns=5 * players, seed=2, style="sensible")
    advice = advise(position, simulations=1500, seed=2)
    assert sorted(each.move for idea in advice.ideas for each in idea.candidates) == sorted(
        each.move for each in advice.candidates
    )
    assert len({face(idea.best.move) for idea in advice.ideas}) == len(advice.ideas)
    for idea in advice.ideas:
        assert len({face(each.move) for each in idea.candidates}) == 1
    assert advice.ideas[0].best == advice.best
    middles = [(idea.best.low + idea.best.high) / 2 for idea in advice.ideas[1:] if idea.best.known]
    assert middles == sorted(middles, reverse=True)
    assert table(advice_text(advice, 5)) == ["1", "2", "3", "4", "5"]
    assert all(idea.best.draws for idea in advice.ideas[:8] if idea.best.move.cell is not None)
    assert advice.why.second.candidate == advice.ideas[1].best


def test_as_many_ideas_and_further_ways_are_told_of_as_is_asked():
    position = read_position(example_text("middle"))
    for wanted, ways in [(3, 0), (8, 0), (8, 2), (12, 3)]:
        advice = advise(position, simulations=6_000, seed=4, why=None, rows=wanted, ways=ways)
        told = [each for each in advice.candidates if each.measured]
        # One more if what was looked at most is none of them.
        assert len({face(each.move) for each in told}) in (wanted, wanted + 1)
        assert len(told) in (wanted + ways, wanted + ways + 1)
        assert all(each.sampled for each in told) and advice.best in told
        assert [each.measured for each in advice.candidates] == sorted(
            (each.measured for each in advice.candidates), reverse=True
        )


def test_the_recommendation_comes_first_the_others_by_chance_and_the_unknown_last():
    best, better = known(VOLCANO[0], 0.50), known(VOLCANO[1], 0.53)
    middling, good = known(OTHER[0], 0.48), known(NATURE, 0.52)
    lucky = known(WILD, 0.99, 0.4, measured=False)
    advice = advice_of(best, lucky, middling, better, good)
    assert [idea.best for idea in advice.ideas] == [best, good, middling, lucky]
    assert advice.ideas[0].candidates == (best, better)
    proved = replace(lucky, at_least=Fraction(1, 2), at_most=Fraction(1, 2), win=0.5, error=0.0)
    assert [idea.best for idea in advice_of(best, proved, middling, good).ideas] == [best, good, proved, middling]


def test_what_is_cut_off_ranks_by_the_middle_that_is_shown():
    best, sure = known(VOLCANO[0], 1.0, 0.001), known(OTHER[0], 0.97, 0.02)
    won_thrice = known(NATURE, 1.0, 0.4)
    assert [idea.best for idea in advice_of(best, won_thrice, sure).ideas] == [best, sure, won_thrice]


# ---- which rows are shown, and their names ------------------------------------------------------------


def test_ways_are_folded_and_unfolded():
    few = [known(move, 0.5 - number / 100) for number, move in enumerate(VOLCANO[:3])]
    advice = advice_of(*few, known(NATURE, 0.3))
    assert table(advice_text(advice)) == ["1", "2"]
    unfolded = advice_text(advice, all_ways=True)
    assert table(unfolded) == ["1", "1a", "1b", "1c", "2", "2a"]
    plain = " ".join(unfolded.split())
    for each in few:
        assert format_move(POSITION, each.move) in plain
    assert [len(row["variants"]) for row in advice_to_json(advice)["ideas"]] == [0, 0]
    assert [len(row["variants"]) for row in advice_to_json(advice, all_ways=True)["ideas"]] == [2, 0]
    assert [row["ways"] for row in advice_to_json(advice)["ideas"]] == [3, 1]


def test_top_counts_rows():
    moves = (*VOLCANO[:3], *OTHER[:1], NATURE, WILD)
    advice = advice_of(*(known(move, 0.6 - number / 100) for number, move in enumerate(moves)))
    assert table(advice_text(advice, 3)) == ["1", "2", "3"]
    assert len(advice_to_json(advice, 3)["ideas"]) == 3 and len(advice_to_json(advice)["ideas"]) == 4


def test_kept_moves_have_a_row_whatever_their_rank():
    kept_way = known(VOLCANO[2], 0.2, kept=True)
    advice = advice_of(
        known(VOLCANO[0], 0.5), known(VOLCANO[1], 0.4), kept_way, known(OTHER[0], 0.45), known(NATURE, 0.1, kept=True)
    )
    text = advice_text(advice, 1)
    assert table(text) == ["1", "1c", "3"]
    assert format_move(POSITION, kept_way.move) in " ".join(text.split())
    data = advice_to_json(advice, 1)["ideas"]
    assert [[row["best"]["label"], *(each["label"] for each in row["variants"])] for row in data] == [
        ["1", "1c"],
        ["3"],
    ]


@pytest.mark.parametrize("asked", [(), (0,), (2,), (3,), (1, 3), (4, 2)])
def test_whatever_is_compared_has_a_row(asked):
    few = [known(VOLCANO[0], 0.5), known(VOLCANO[1], 0.4), known(OTHER[0], 0.45), known(NATURE, 0.3), known(WILD, 0.1)]
    advice = advice_of(*few)
    pair = pair_to_compare(advice, [few[number].move for number in asked])
    expected = {(): (0, 2), (0,): (0, 2), (2,): (0, 2), (3,): (0, 3), (1, 3): (1, 3), (4, 2): (4, 2)}[asked]
    assert pair == tuple(few[number] for number in expected)
    advice = compared(advice, *pair)
    for text in (advice_text(advice, 1), why_text(advice)):
        names = re.search(r"Why (\w+) and not (\w+)\?", text)
        assert names and set(names.groups()) <= set(table(text))
        assert names.groups() == tuple(labels(advice)[each.move] for each in pair)
    assert [side["label"] for side in (advice_to_json(advice)["why"][key] for key in ("first", "second"))] == [
        *names.groups()
    ]


def test_two_ways_are_compared_only_where_there_is_one_idea():
    few = [known(move, 0.5 - number / 100) for number, move in enumerate(VOLCANO[:3])]
    assert pair_to_compare(advice_of(*few), ()) == (few[0], few[1])
    assert pair_to_compare(advice_of(*few[:1]), ()) is None
    text = advice_text(compared(advice_of(*few), few[0], few[1]), 1)
    assert "Why 1 and not 1b?" in text and table(text) == ["1", "1b"]


def test_names_of_ways_never_end():
    names = [way_letter(number) for number in range(1000)]
    assert names[:3] == ["a", "b", "c"] and names[25:28] == ["z", "aa", "ab"] and len(set(names)) == 1000


# ---- figures -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "win, low, high, shown",
    [
        (0.523, 0.511, 0.535, "52.3 ± 1.2"),
        (0.012, 0.0, 0.041, "0 to 4.1"),
        (0.98, 0.93, 1.0, "93.0 to 100"),
        (0.58, 0.5, 0.6, "50.0 to 60.0"),
        (0.0, 0.0, 0.233, "0 to 23.3"),
        (1.0, 0.9998, 1.0, "100.0"),
    ],
)
def test_an_interval_is_symmetric_or_a_range(win, low, high, shown):
    assert interval(win, low, high) == shown


def test_a_chance_is_cut_off_by_what_is_certain_or_proved():
    assert chance(known(NATURE, 0.0, 0.233)) == "0 to 23.3"
    assert chance(known(NATURE, 0.59, 0.05, at_most=Fraction(3, 5))) == "54.0 to 60.0"
    assert chance(known(NATURE, 0.4, 0.05, at_most=Fraction(3, 5))) == "40.0 ± 5.0"
    assert chance(known(NATURE, 0.5, 0.0, at_least=Fraction(1, 2), at_most=Fraction(1, 2))) == "50.0"
    assert chance(known(NATURE, 0.5, 0.2, measured=False)) == ""
    assert chance(known(NATURE, 0.5, 0.2, measured=False, at_most=Fraction(3, 5))) == "at most 60.0"


def test_what_was_barely_looked_at_has_words_and_no_figures():
    unknown = known(NATURE, 0.777, 0.2, measured=False)
    unknown = replace(unknown, points=(88.8, 88.8))
    advice = advice_of(known(VOLCANO[0], 0.5), unknown)
    text = advice_text(compared(advice, advice.candidates[0], unknown))
    (row,) = [line for line in text.splitlines() if line.endswith("god nature")]
    assert "barely looked at" in row and "sampled" in row
    assert "77.7" not in text and "88.8" not in text
    assert "too little is known yet" in text and "points (" not in text
    assert list(reasons(compared(advice, advice.candidates[0], unknown).why)) == []
    assert [row["best"]["measured"] for row in advice_to_json(advice)["ideas"]] == [True, False]
    # Proved is known, however few games were played.
    proved = replace(unknown, win=0.25, error=0.0, at_least=Fraction(1, 4), at_most=Fraction(1, 4))
    (row,) = [line for line in advice_text(advice_of(advice.best, proved)).splitlines() if line.endswith("god nature")]
    assert "25.0" in row and "proved" in row and "88.8" not in row and "barely" not in row


@pytest.mark.parametrize(
    "first, second, words",
    [
        ((0.50, 0.01), (0.48, 0.01), "Move 1 wins 2.0 percentage points more often than move 2."),
        ((0.50, 0.01), (0.55, 0.03), "Move 1 wins 5.0 percentage points less often than move 2."),
        # More than either error, less than both together.
        ((0.50, 0.02), (0.475, 0.02), "Move 1 is too close to move 2 to tell which is better."),
        ((0.50, 0.01), (0.48, 0.08), "Move 1 may be better or worse than move 2: too little is known yet."),
        ((0.50, 0.08), (0.20, 0.08), "Move 1 wins 30.0 percentage points more often than move 2."),
    ],
)
def test_a_difference_is_told_as_far_as_it_is_known(first, second, words):
    a, b = known(VOLCANO[0], *first), known(NATURE, *second)
    assert words in " ".join(advice_text(compared(advice_of(a, b), a, b)).split())


def test_the_order_is_said_below_every_table():
    advice = advice_of(known(VOLCANO[0], 0.5), known(NATURE, 0.4))
    for text in (advice_text(advice), hint_text(advice)):
        assert "Move 1 is recommended; the rest rank by chance to win. ± is a 95 % interval." in text
    assert "rank by chance" not in advice_text(advice_of(known(VOLCANO[0], 0.5)))
    half = {"error": 0.0, "at_least": Fraction(1, 2), "at_most": Fraction(1, 2)}
    text = advice_text(advice_of(known(VOLCANO[0], 0.5, **half), known(NATURE, 0.5, **half)))
    assert "Move 1 is recommended; the rest rank by chance to win.\n" in text


# ---- whose tiles ---------------------------------------------------------------------------------------


def test_our_reconstruction_is_named_and_no_other_set_is():
    ours = advise(POSITION, simulations=20, seed=1, why=None)
    assert tile_set_note(POSITION) and tile_set_note(POSITION) in advice_text(ours)
    assert advice_to_json(ours)["reconstructed"] is True
    for other in (
        read_position((GOLDEN / "middle-2.toml").read_bytes(), "middle-2.toml", GOLDEN),  # on a file of its own
        new_game(load_tile_set("random:3"), 2, Random(1)),
    ):
        advice = advise(other, simulations=20, seed=1, why=None)
        assert tile_set_note(other) == "" and "reconstruction" not in advice_text(advice)
        assert advice_to_json(advice)["reconstructed"] is False


# ---- room ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize(
    "players, turns", [(2, 4), (2, 16), (2, 28), (3, 9), (3, 24), (3, 42), (4, 8), (4, 36), (4, 57)]
)
def test_everything_fits_eighty_columns(name, players, turns):
    position = play_on(new_game(load_tile_set(), players, Random(turns)), turns=turns, seed=turns, style="sensible")
    advice = advise(position, simulations=150, seed=1)
    unknown = [replace(each, measured=number % 3 == 0) for number, each in enumerate(advice.candidates)]
    for shown in (advice, replace(advice, candidates=tuple(unknown), why=None)):
        with speaking(name):
            for text in (
                advice_text(shown, all_ways=False),
                advice_text(shown, 3, all_ways=True),
                hint_text(shown),
                why_text(shown),
            ):
                assert max(map(text_width, text.splitlines())) <= 80, text


def test_rows_say_what_is_taken_where_it_goes_and_its_face():
    said = {
        "b3 wild 1L": "r2a from b3, wilderness, row 1, left end",
        "b3 1R pay w cancelled": "r2a from b3, cancelled, row 1, right end",
        "c2 2.1 swap y3>b pay gbw": "g2a from c2, row 2, place 1",
        "god nature": "god nature",
    }
    for text, words in said.items():
        assert idea_words(POSITION, parse_move(text, POSITION)) == words
    assert rows(advice_of(known(NATURE, 0.5)))[0].rank == 1
