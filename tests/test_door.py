"""Safe at the door: what comes in from Python is checked before it reaches memory. `test_door_fuzz.py` tries at random."""

from __future__ import annotations

import math
import random

import pytest

import orbis_search as orbis
from builders import player, position, tile
from orbis_search import Colour, Effect, InputError, Move, Slot, Worshipers
from orbis_search.base.options import Unfit, duration, number_of, size, typed, whole
from orbis_search.core import fast_rules
from orbis_search.core.packing import Packing
from orbis_search.core.states import PackedState, Table
from orbis_search.game import rules
from orbis_search.game.problems import expect_position, problems
from orbis_search.game.tile_limits import limit_problems
from orbis_search.game.vocabulary import MAX_EFFECT_NUMBER, MAX_ON_CELL, MAX_TILES
from orbis_search.notation.examples import example_text
from orbis_search.search.settings import SETTINGS, SearchSettings, read_settings
from orbis_search.tileset.files import tile_problems

BASE = orbis.read_position(example_text())
ENDING = orbis.read_position(example_text("ending"))
REGION = orbis.parse_move("b3 wild 1L", BASE)
WAITING = orbis.apply(BASE, REGION)


def refused(place: str, words: str, function, *arguments, **options) -> None:
    with pytest.raises(InputError) as caught:
        function(*arguments, **options)
    problem = caught.value.problems[0]
    assert problem.place == place
    assert words in problem.message


# ---- moves ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"realm": Worshipers(10, 0, 0, 0, 0)}, "expected 6 worshipers left, found 10"),
        ({"realm": Worshipers(-1, 0, 0, 0, 0)}, "no negative number of worshipers"),
        ({"realm": Worshipers(10**9, 0, 0, 0, 0)}, "a player can hold"),
        ({"slot": Slot(4, 0)}, "expected two tiles under 4.1"),
        ({"slot": Slot(0, 0)}, "a row from 1 to 4"),
        ({"slot": Slot(5, 0)}, "a row from 1 to 4"),
        ({"slot": Slot(1, 3)}, "an end of row 1"),
        ({"cell": 9}, "expected a cell from 0 to 8, found 9"),
        ({"cell": -1}, "expected a cell from 0 to 8, found -1"),
        ({"cell": 2**20}, "expected a cell from 0 to 8"),
        ({"cell": None}, "either a region or a god"),
        ({"slot": None}, "a cell and a slot"),
        ({"removed": ((0, Colour.RED, 1),)}, "no verdict and no removal"),
        ({"removed": ((12, Colour.RED, 1),)}, "removals sorted"),
        ({"removed": ((0, Colour.RED, -1),)}, "removals sorted"),
        ({"validated": True}, "expected no verdict"),
    ],
)
def test_a_move_that_is_not_legal_is_not_played(change: dict[str, object], words: str) -> None:
    refused("move", words, orbis.apply, BASE, REGION._replace(**change))


def test_a_legal_move_is_played_by_both():
    for move in orbis.legal_moves(BASE):
        after = orbis.apply(BASE, move)
        assert after == fast_rules.apply_unchecked(BASE, move) == rules.apply(BASE, move)


@pytest.mark.parametrize("packed", [(9, 0), (15, 0), (15 << 7, 0), (1 << 31, 0), (1 << 4 | 10, 0), (0, 46), (0, 63)])
def test_the_core_refuses_what_no_packed_move_is(packed: tuple[int, int]) -> None:
    state = Packing(BASE).state
    with pytest.raises(ValueError, match="packed move"):
        state.apply(packed)


def test_nobody_moves_before_the_refill():
    refused("move", "a refill of b3 first", orbis.apply, WAITING, REGION)
    for function, *more in ((orbis.legal_moves,), (orbis.count_moves,), (orbis.perft, 1), (orbis.perft_divide, 2)):
        refused("centre.b3", "a refill before the next move", function, WAITING, *more)
    for function in (orbis.advise, orbis.solve):
        refused("position", "a refill before the next move", function, WAITING)
    refused("centre.b3", "empty cell", orbis.play_on, WAITING, 3, 1)


# ---- positions -------------------------------------------------------------------------------------------


def with_rows(*rows: object) -> orbis.Position:
    return BASE.with_player(0, BASE.players[0]._replace(rows=rows))


def with_cell(cell: orbis.Cell) -> orbis.Position:
    return BASE._replace(centre=(cell, *BASE.centre[1:]))


ROWS = BASE.players[0].rows
SHORT = [
    (BASE._replace(players=BASE.players[:1]), "players", "2, 3 or 4 players, found 1"),
    (BASE._replace(players=()), "players", "found 0"),
    (BASE._replace(players=BASE.players * 3), "players", "found 6"),
    (BASE._replace(centre=BASE.centre[:8]), "centre", "9 cells, found 8"),
    (BASE._replace(centre=BASE.centre * 2), "centre", "9 cells, found 18"),
    (BASE._replace(piles=BASE.piles[:2]), "piles", "3 piles, found 2"),
    (BASE._replace(piles=()), "piles", "3 piles, found 0"),
    (with_rows(*ROWS[:3]), "player 1", "4 rows, found 3"),
    (with_rows(*ROWS, ()), "player 1", "4 rows, found 5"),
    (with_rows(), "player 1", "4 rows, found 0"),
]
DOORS = [
    orbis.problems,
    orbis.legal_moves,
    orbis.count_moves,
    orbis.draws,
    orbis.score,
    orbis.winners,
    orbis.advise,
    orbis.solve,
    orbis.write_toml,
    orbis.write_oneline,
    orbis.write_json,
    orbis.draw_position,
    orbis.Record,
    lambda where: orbis.apply(where, REGION),
    lambda where: orbis.refill(where, BASE.centre[0].tile),
    lambda where: orbis.perft(where, 1),
    lambda where: orbis.perft_divide(where, 1),
    lambda where: orbis.play_on(where, 1, 1),
    lambda where: orbis.format_move(where, REGION),
    lambda where: orbis.parse_move("b3 wild 1L", where),
    lambda where: orbis.move_words(where, REGION),
]


@pytest.mark.parametrize(("where", "place", "words"), SHORT)
def test_a_position_with_too_few_or_too_many_of_something(where, place: str, words: str) -> None:
    assert [(problem.place, words in problem.message) for problem in problems(where)] == [(place, True)]
    for door in DOORS[1:]:
        refused(place, words, door, where)


@pytest.mark.parametrize(
    ("where", "place"),
    [
        (None, "position"),
        ("o1:2:", "position"),
        (BASE._replace(players=list(BASE.players)), "position.players"),
        (BASE._replace(players=(*BASE.players[:1], None)), "position.players[1]"),
        (BASE.with_player(0, BASE.players[0]._replace(realm=(1, 2, 3))), "position.players[0].realm"),
        (BASE.with_player(0, BASE.players[0]._replace(realm=Worshipers(1.5))), "position.players[0].realm"),
        (
            BASE.with_player(0, BASE.players[0]._replace(realm=tuple.__new__(Worshipers, (1, 2)))),
            "position.players[0].realm",
        ),
        (with_cell(BASE.centre[0]._replace(tile="r1a")), "position.centre[0].tile"),
        (with_cell(BASE.centre[0]._replace(tile=BASE.centre[0].tile._replace(cp="3"))), "position.centre[0].tile.cp"),
        (BASE._replace(gods=(9,)), "position.gods"),
        (BASE._replace(options=True), "position.options"),
    ],
)
def test_another_kind_of_thing_is_named_with_its_place(where, place: str) -> None:
    for door in DOORS:
        with pytest.raises(TypeError) as caught:
            door(where)
        assert str(caught.value).startswith(f"{place}: expected ")


def with_centre_tile(**features: object) -> orbis.Position:
    """A described tile in place of the one on a3, which leaves all the rest as it is."""
    there = BASE.centre[0]
    return with_cell(there._replace(tile=there.tile._replace(id="odd", described=True, **features)))


@pytest.mark.parametrize(
    "features",
    [
        {"effect": Effect.PROSELYTISM, "number": 20, "colours": ()},
        {"effect": Effect.PROSELYTISM, "number": 3, "colours": (Colour.RED,)},
        {"effect": Effect.VOLCANO, "number": 60, "colours": (Colour.RED,)},
        {"effect": Effect.VOLCANO, "number": -1, "colours": (Colour.RED,)},
        {"effect": Effect.VOLCANO, "number": 2, "colours": (Colour.RED, Colour.RED)},
        {"effect": Effect.FARM, "number": 0, "colours": ()},
        {"effect": Effect.TEMPLE, "number": 200, "colours": ()},
        {"cost": Worshipers(300)},
        {"any_cost": -1},
        {"cp": 1000},
        {"level": 4},
        {"mystic": 1000},
    ],
)
def test_a_tile_beyond_the_limits_goes_nowhere(features: dict[str, object]) -> None:
    where = with_centre_tile(**features)
    odd = where.centre[0].tile
    expected = limit_problems(odd, "centre.a3")
    assert expected == problems(where)
    assert set(limit_problems(odd)) <= set(tile_problems(odd))  # of a set it is refused for the same reasons
    for door in DOORS[1:]:
        with pytest.raises(InputError) as caught:
            door(where)
        assert list(caught.value.problems) == expected
    with pytest.raises(InputError):
        Packing(where)
    with pytest.raises(InputError):
        orbis.describe(odd)


def test_the_limits_are_what_the_core_has_room_for():
    """The core has its own figures; a tile at every limit is packed, one beyond is not."""
    rich = tile("r", "volcano 10 rgbyw", cp=20)
    assert MAX_EFFECT_NUMBER[Effect.VOLCANO] == max(MAX_EFFECT_NUMBER.values()) == rich.number
    fields = ((9,) * 5, 9, 0, 0, int(Effect.VOLCANO), rich.number, 31, 99, 20)
    assert Table([fields] * MAX_TILES, 2, True, (7, 2)).players == 2
    for wrong in (
        [fields] * (MAX_TILES + 1),
        [(*fields[:5], rich.number + 1, *fields[6:])],
        [(*fields[:4], 9, *fields[5:])],
        [((9,) * 4, *fields[1:])],
        [(*fields[:3], 3, *fields[4:])],
    ):
        with pytest.raises(ValueError, match="a table takes|has no such"):
            Table(wrong, 2, True, (7, 2))


@pytest.mark.parametrize("at", range(6))
def test_short_sequences_are_not_read_past_their_end(at: int) -> None:
    state = Packing(BASE).state
    fields = list(state.fields())
    for wrong in (fields[at][:-1] if at != 3 else 1 << 20, () if at != 3 else -1):
        broken = [*fields[:at], wrong, *fields[at + 1 :]]
        with pytest.raises(ValueError, match="a state has|by five|there are ten|not a state of Orbis"):
            PackedState(state.table, *broken)
    for part in (0, 3):
        seats = [list(seat) for seat in fields[2]]
        seats[0][part] = seats[0][part][:-1]
        with pytest.raises(ValueError, match="fourteen slots"):
            PackedState(state.table, *fields[:2], seats, *fields[3:])


def placed(row: int, column: int) -> orbis.Position:
    """The first player's first tile once more, somewhere else."""
    one = ROWS[0][0]
    rows = [list(each) for each in ROWS]
    rows[row] += [None] * (column + 1 - len(rows[row]))
    rows[row][column] = one
    return with_rows(*map(tuple, rows))


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (BASE.with_player(0, BASE.players[0]._replace(realm=Worshipers(11))), "at most 10 worshipers, found 11"),
        (BASE.with_player(0, BASE.players[0]._replace(realm=Worshipers(-1))), "no negative number"),
        (
            with_cell(BASE.centre[0]._replace(worshipers=Worshipers(300))),
            f"at most {MAX_ON_CELL} worshipers, found 300",
        ),
        (with_cell(BASE.centre[0]._replace(worshipers=Worshipers(100, 100))), "found 200"),
        (placed(0, 7), "at most 5 slots"),
        (placed(3, 1), "a tile under each half"),
        (with_rows(ROWS[0][:-1], *ROWS[1:]), "turns played"),
        (BASE._replace(piles=(BASE.piles[0], BASE.piles[1], BASE.piles[2]._replace(left=3))), "tiles left after"),
        (
            BASE._replace(piles=(*BASE.piles[:2], BASE.piles[2]._replace(tiles=BASE.piles[2].tiles[:2]))),
            "do not add up",
        ),
        (BASE._replace(piles=(*BASE.piles[:2], BASE.piles[2]._replace(tiles=BASE.piles[1].tiles * 9))), "level 3 tile"),
    ],
)
def test_what_no_state_of_the_core_can_be_says_why(where, words: str) -> None:
    """These were `ValueError: invariant 8 is broken`, or worse."""
    for function in (Packing, orbis.legal_moves, orbis.score, orbis.winners, orbis.advise, orbis.solve):
        with pytest.raises(InputError, match=words) as caught:
            function(where)
        assert all(problem.place for problem in caught.value.problems)


def test_a_second_hole_is_refused_and_one_is_not():
    second = WAITING.centre[0]._replace(tile=None)
    assert orbis.score(WAITING)
    with pytest.raises(InputError):
        orbis.score(WAITING._replace(centre=(second, *WAITING.centre[1:])))
    fresh = orbis.new_game(BASE.tiles, 4, random.Random(1))
    with pytest.raises(
        InputError
    ):  # an empty cell and nobody who emptied it: one refill more than the core has room for
        orbis.draws(fresh._replace(centre=(fresh.centre[0]._replace(tile=None), *fresh.centre[1:])))


def test_searches_ask_for_a_sound_position():
    """The rules can be asked about a position that no game reaches; a search cannot end without gods to take."""
    where = position(player("r r r r r", "r r r r", "r r r", "r r"), None, gods=())
    assert orbis.legal_moves(where) == []
    for function, *more in ((orbis.advise,), (orbis.solve,), (orbis.play_on, 1, 1)):
        with pytest.raises(InputError, match="gods"):
            function(where, *more)


def test_a_position_is_looked_at_once():
    where = BASE._replace(options=orbis.Options(most_at_zero=False))
    expect_position(where)
    calls = 0

    class Counting(type(where.tiles)):
        @property
        def tiles(self):
            nonlocal calls
            calls += 1
            return super().tiles

    counted = where._replace(tiles=Counting(*where.tiles))
    expect_position(counted)
    assert calls
    before = calls
    expect_position(counted)
    assert calls == before


# ---- options ---------------------------------------------------------------------------------------------

NAN, ENDLESS = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("function", "name", "values"),
    [
        (orbis.advise, "threads", (0, -1, 257, 10**6, 1.5, "2", None, True)),
        (orbis.advise, "seconds", (0, -1, NAN, ENDLESS, 1e9, "5s")),
        (orbis.advise, "simulations", (0, -1, 10**20, 0.5, "100")),
        (orbis.advise, "confidence", (0, 1, 1.5, NAN, "95")),
        (orbis.advise, "memory", (0, -1, 1000, 1 << 50, None)),
        (orbis.advise, "seed", (2**64, 0.5, None)),
        (orbis.advise, "rows", (0, -1, 2**70)),
        (orbis.advise, "ways", (-1, None)),
        (orbis.advise, "prove", (1, None)),
        (orbis.advise, "settings", ([], {"no_such": 1}, {"threads": 3}, {"win_part": NAN}, {"playout_style": 10**9})),
        (orbis.solve, "threads", (0, 257, 10**6, None)),
        (orbis.solve, "seconds", (0, -1, NAN)),
        (orbis.solve, "nodes", (0, -1, NAN)),
        (orbis.solve, "memory", (0, 1 << 60)),
        (orbis.solve, "objective", ("points", None)),
        (orbis.solve, "goal", ("some", 1)),
        (orbis.solve, "every", (1, None)),
        (orbis.solve, "ideas", (-1, 1 << 40)),
    ],
)
def test_an_option_out_of_its_range_is_named(function, name: str, values: tuple[object, ...]) -> None:
    for value in values:
        refused(name, "expected", function, ENDING, **{name: value})


@pytest.mark.parametrize(
    ("name", "values"), [("threads", (0, 10**6)), ("seconds", (NAN, 0)), ("simulations", (0,)), ("seed", (None,))]
)
def test_a_review_has_the_same_ranges(name: str, values: tuple[object, ...]) -> None:
    for value in values:
        refused(name, "expected", orbis.review_game, orbis.Record(BASE), **{name: value})


def test_depths_turns_and_players():
    for depth in (-1, 61, 2**40, 1.0, None, True):
        refused("depth", "an integer from", orbis.perft, BASE, depth)
    for depth in (-1, 0, 61):
        refused("depth", "an integer from 1", orbis.perft_divide, BASE, depth)
    assert orbis.perft(BASE, 0) == 1
    refused("turns", "an integer from 0", orbis.play_on, BASE, -1, 1)
    refused("style", "one of random", orbis.play_on, BASE, 1, 1, "clever")
    for players in (0, 1, 5, None, "2"):
        refused("players", "an integer from 2 to 4", orbis.new_game, BASE.tiles, players, random.Random(1))
    refused("seed", "an integer", orbis.random_tile_set, "7")
    refused("workers", "an integer from 1", orbis.Engine, None, None, workers=0)
    with pytest.raises(TypeError, match="source: expected"):
        orbis.Engine(None, None)
    few = orbis.TileSet("few", "", "", BASE.tiles.tiles[:20])
    refused("tiles", "expected 11 tiles of level", orbis.new_game, few, 2, random.Random(1))


def test_a_record_of_what_cannot_have_been_played():
    turn = orbis.Turn(REGION._replace(slot=Slot(4, 0)))
    made_up = orbis.Record(BASE, (turn,))
    for function in (orbis.write_record, orbis.review_game, orbis.Record.position):
        refused("turn 13", "two tiles under 4.1", function, made_up)
    with pytest.raises(TypeError, match=r"turns\[0\].move: expected Move"):
        orbis.Record(BASE, (orbis.Turn("b3 wild 1L"),))


def test_every_setting_of_the_search_has_a_range():
    from orbis_search.core.searches import Tree

    state = Packing(BASE).state
    for name, values in {
        "playout_style": (-16, 16),
        "expand_after": (1, 10**6),
        "margin_scale": (0.001, 1000),
        "exploration": (0, 1000),
        "first_play": (-1, 1),
        "plain": (True, False),
    }.items():
        for value in values:
            tree = Tree(state.game_state(), read_settings({name: value}).complete(), 1, pool_bytes=1 << 20)
            tree.run(20)
            assert tree.simulations == 20
    assert {"threads", "thread", "fork_of", "pool_bytes", "seed"}.isdisjoint(SETTINGS)
    refused("settings", "a setting of the search", read_settings, {"win_prat": 0.5})
    refused("settings", "a number from 0 to 1 for win_part", lambda: SearchSettings(win_part=2))
    with pytest.raises(InputError) as caught:
        SearchSettings(win_part=math.nan, expand_after=0, plain=True)
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0.2s", 0.2),
        ("200ms", 0.2),
        ("2m", 120.0),
        ("1h", 3600.0),
        ("5", 5.0),
        (" 1.5 S ", 1.5),
        (".5s", 0.5),
        (2, 2.0),
        (0.25, 0.25),
        ("0s", None),
        ("-1s", None),
        ("nan", None),
        (float("nan"), None),
        ("1d", None),
        (".", None),
        ("", None),
        (True, None),
        ("99999999h", None),
    ],
)
def test_times_are_read_in_one_place(text: object, seconds: float | None) -> None:
    if seconds is not None:
        assert duration(text) == pytest.approx(seconds)
        return
    with pytest.raises(Unfit, match="a time such as 5s"):
        duration(text)


def test_sizes_are_read_in_one_place():
    good = {"64M": 64 << 20, "2G": 2 << 30, "1024k": 1 << 20, "3 MiB": 3 << 20, 1 << 20: 1 << 20, "32G": 32 << 30}
    assert {text: size(text) for text in good} == good
    for text in ("", "M", "-1", "1T", "1.5G", "7", "1023k", "33G", None):
        with pytest.raises(Unfit, match="a size from 1M to 32G"):
            size(text)


def test_numbers_as_text_are_read_in_one_place():
    assert [number_of(text) for text in ("7", " -3 ", "+2", "0.5", "1e3")] == [7, -3, 2, 0.5, 1000.0]
    assert [number_of(text) for text in ("", "seven", "nan", "inf", "0x10", "1 2")] == [None] * 6
    assert typed(whole(1, 9))("7") == typed(whole(1, 9))(7) == 7
    for value in ("0", "10", "7.0", "", "seven", "9" * 30, 7.0, None, True):
        with pytest.raises(Unfit, match="an integer from 1 to 9"):
            typed(whole(1, 9))(value)


def test_a_made_up_move_is_told_apart_from_other_things():
    for move in (None, "b3", (0, None, None, False, False, (), Worshipers()), BASE):
        for function in (orbis.apply, orbis.format_move, orbis.move_words):
            with pytest.raises(TypeError, match="move: expected Move, found"):
                function(BASE, move)
    with pytest.raises(TypeError, match=r"keep\[0\]: expected Move"):
        orbis.advise(BASE, keep=["b3"])
    assert isinstance(REGION, Move)
