"""Levels: the same move from the same seed, legal ones alone, slips within bounds, and names that are understood."""

from __future__ import annotations

from random import Random

import pytest

from orbis_search.base.errors import InputError
from orbis_search.core.fast_rules import play_on
from orbis_search.core.packing import PackedState, Packing
from orbis_search.game.rules import new_game
from orbis_search.players.arena import make_match, play, replay
from orbis_search.players.by_name import parse_player
from orbis_search.players.levels import LEVELS, NAMES, OBVIOUS, Level
from orbis_search.tileset.library import load_tile_set

SLIPPING = [level for level in LEVELS if not level.is_the_advisor]
AT_A_GLANCE = [level for level in LEVELS if not level.sims]


def states(number: int, players: int = 2) -> list[PackedState]:
    """From all parts of a game, on our tiles and on others."""
    rng = Random(7)
    found = []
    for index in range(number):
        tiles = load_tile_set(f"random:{index}" if index % 2 else "reconstruction")
        position = play_on(new_game(tiles, players, rng), rng.randrange(15 * players), index, "sensible")
        found.append(Packing(position).state)
    return found


def gains(state: PackedState) -> dict[tuple[int, int], int]:
    """Points that each move brings at once."""
    who = state.to_move
    found = {}
    for move in state.moves():
        after = state.copy()
        after.apply(move)
        found[move] = after.points()[who] - state.points()[who]
    return found


# ---- how they play


@pytest.mark.parametrize("level", SLIPPING, ids=lambda level: level.name)
def test_a_seed_fixes_the_move(level):
    for state in states(6):
        moves = {level.choose(state.copy(), 5) for _ in range(2)}
        assert len(moves) == 1


@pytest.mark.parametrize("level", SLIPPING, ids=lambda level: level.name)
def test_who_slips_does_not_always_play_the_same(level):
    """Else it would be no slip, and a person would know the answer to it after a game or two."""
    assert any(len({level.choose(state, seed) for seed in range(20)}) > 1 for state in states(6))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_move_of_every_level_is_legal(players):
    for names in (NAMES[:players], NAMES[4 : 4 + players]):
        match = make_match(names, players, "random:*", seed=players)
        for game in play(match, rounds=1):
            replay(game)  # by the plain rules


@pytest.mark.parametrize("level", AT_A_GLANCE, ids=lambda level: level.name)
def test_nobody_throws_away_what_everybody_sees(level):
    slips = 0
    for number, state in enumerate(states(24)):
        gained = gains(state)
        best = max(gained.values())
        for seed in range(8):
            lost = best - gained[level.choose(state, 100 * number + seed)]
            assert lost < OBVIOUS
            slips += lost > 0
    assert slips  # there is something to bound


def test_points_alone_count_without_judgement_and_without_slips():
    level = Level("x", "", judgement=0.0)
    for state in states(20):
        gained = gains(state)
        assert gained[level.choose(state, 1)] == max(gained.values())


def test_a_move_looked_at_seldom_is_not_played():
    """With much drift any move that was looked at could come; those that were hardly looked at do not."""
    from orbis_search.players.levels import SELDOM
    from orbis_search.search.driver import Search
    from orbis_search.search.settings import PLAYOUT, SearchSettings

    level = Level("x", "", sims=200, drift=50.0)
    for number, state in enumerate(states(8)):
        search = Search(state, seed=number, memory=4 << 20, settings=SearchSettings(evaluation=PLAYOUT))
        search.finish(level.sims)
        visits = {(row.what, row.detail): row.visits for row in search.moves()}
        assert visits[level.choose(state, number)] >= SELDOM * max(visits.values())


@pytest.mark.parametrize(("upper", "lower"), [("beginner", "random"), ("casual", "beginner"), ("skilled", "casual")])
def test_two_levels_up_is_clearly_stronger(upper, lower):
    games = list(play(make_match((upper, lower)), rounds=6))
    assert sum(game.share_of(0) for game in games) / len(games) > 0.6


# ---- their names


def test_a_level_has_a_number_and_a_name():
    assert len(set(NAMES)) == len(NAMES)
    for number, name in enumerate(NAMES, 1):
        assert parse_player(f"level:{number}") == parse_player(f"level:{name}") == parse_player(name)
        assert parse_player(str(parse_player(name))) == parse_player(name)


def test_full_takes_the_time_it_is_given():
    assert parse_player("full:time=2s").seconds == 2
    assert parse_player("level:full,sims=9,threads=2").advisor == parse_player("advisor:sims=9,threads=2")
    assert parse_player("full").sims == LEVELS[-1].sims
    assert parse_player("beginner").advisor is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("level:0", 'expected a level from 1 to 10 or its name, found "0"'),
        ("level:11", "expected a level from 1 to 10"),
        ("level:begginer", "(nearest: beginner)"),
        ("level", "expected a level from 1 to 10 or its name, found nothing"),
        ("novise", "(nearest: novice"),
        ("casual:sims=5", 'expected no settings for casual, found "sims"'),
        ("full:win_part=0.5", "expected one of sims, time, threads for full"),
    ],
)
def test_what_is_no_level(text, message):
    with pytest.raises(InputError) as caught:
        parse_player(text)
    assert message in str(caught.value)


def test_levels_are_listed_from_weak_to_strong(run):
    lines = run("play", "--levels").out.splitlines()
    listed = [line.split()[:2] for line in lines if line[:2].strip()]
    assert listed == [[str(number), name] for number, name in enumerate(NAMES, 1)]
    assert max(map(len, lines)) <= 80
    assert [level.elo for level in LEVELS] == sorted({level.elo for level in LEVELS})
