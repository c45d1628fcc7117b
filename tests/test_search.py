"""The tree search: right on games with known values, blind to what is hidden, the same every time."""

from __future__ import annotations

import json
import random
from dataclasses import fields
from fractions import Fraction
from functools import cache

import pytest

from orbis_search._core.orbis.core import PRUNING_RULES, SEARCH
from orbis_search._core.search.exhaustive import Walker
from orbis_search._core.search.ismcts import Tree
from orbis_search._core.toy.draft import draft_game
from orbis_search.advice.advisor import MEASURE_PART, SHOWN, advise
from orbis_search.advice.json import advice_to_json
from orbis_search.advice.text import advice_text
from orbis_search.base.errors import InputError
from orbis_search.core.fast_rules import legal_moves, play_turns
from orbis_search.core.packing import Packing
from orbis_search.game import rules
from orbis_search.game.vocabulary import Worshipers
from orbis_search.measure.speed import endgame_positions
from orbis_search.notation import parse_move, read_position
from orbis_search.notation.examples import example_text
from orbis_search.search.driver import Search
from orbis_search.search.estimates import LEAST_SAMPLE
from orbis_search.search.settings import DEFAULTS, LEARNED, PLAYOUT, SearchSettings
from orbis_search.tileset.library import load_tile_set


def ending(seed: int, turns_left: int, players: int = 2):
    """A packed position near the end of a sensible game, on our set or a random one."""
    tiles = load_tile_set("reconstruction" if seed % 2 else f"random:{seed}")
    packing = Packing(rules.new_game(tiles, players, random.Random(seed)))
    for _ in play_turns(packing.state, 15 * players - turns_left, random.Random(seed), "sensible"):
        pass
    return packing


# ---- a toy game with known values --------------------------------------------------------------------


@cache
def toy_value(market: tuple[int, ...], deck: tuple[int, ...], held: tuple, turn: int) -> Fraction:
    """The first player's share of the victory, by plain expectimax."""
    if not any(market):
        points = [sum(hand) + 3 * sum(hand.count(card) // 2 for card in set(hand)) for hand in held]
        return Fraction((points[0] > points[1]) - (points[0] < points[1]) + 1, 2)
    values = []
    for place, card in enumerate(market):
        if card:
            values.append(toy_after(market, deck, held, turn, place))
    return max(values) if turn == 0 else min(values)


def toy_after(market, deck, held, turn, place) -> Fraction:
    hands = [list(hand) for hand in held]
    hands[turn].append(market[place])
    after = tuple(tuple(sorted(hand)) for hand in hands)
    if not deck:
        rest = tuple(0 if i == place else card for i, card in enumerate(market))
        return toy_value(rest, deck, after, 1 - turn)
    total = Fraction(0)
    for i, drawn in enumerate(deck):
        filled = tuple(drawn if k == place else card for k, card in enumerate(market))
        total += toy_value(filled, deck[:i] + deck[i + 1 :], after, 1 - turn)
    return total / len(deck)


@pytest.mark.parametrize("seed", range(6))
def test_it_converges_to_the_toy_games_exact_value_and_move(seed):
    rng = random.Random(seed)
    market = (rng.randint(1, 7), rng.randint(1, 7))
    deck = tuple(sorted(rng.randint(1, 7) for _ in range(5)))
    exact = [toy_after(market, deck, ((), ()), 0, place) for place in (0, 1)]
    tree = Tree(draft_game(market, deck), SearchSettings(win_part=1.0).complete(), seed=seed)
    tree.run(60_000)
    best = tree.best()[0]
    assert exact[best] == max(exact) or max(exact) - exact[best] < Fraction(1, 50)
    assert abs(tree.moves()[0].mean_reward - float(max(exact))) < 0.03


# ---- Orbis endings against exact values -----------------------------------------------------------------


@pytest.mark.parametrize("turns_left, number, most_moves", [(1, 40, 10_000), (2, 30, 300), (3, 6, 40)])
def test_endings_are_played_exactly(turns_left, number, most_moves):
    """20,000 simulations find a best move of every small ending, at most one in thirty missed."""
    # The tree has its own canonical realm and volcano target for a last turn.
    prune = PRUNING_RULES["exchanges"] | PRUNING_RULES["mirror"]
    found = seed = given_away = 0
    missed = []
    while found < number:
        seed += 1
        state = ending(seed, turns_left).state
        if state.count_moves(prune) > most_moves:
            continue
        found += 1
        sign = 1 if state.to_move == 0 else -1
        values = {move: sign * value for move, value in Walker(state.game_state(), prune).values()}
        tree = Tree(state.game_state(), DEFAULTS, seed=1, pool_bytes=32 << 20)
        tree.run(20_000)
        loss = max(values.values()) - values[tree.best()]
        given_away += loss
        if loss:
            missed.append((seed, float(loss)))
    assert len(missed) <= number // 30, missed
    assert given_away / number <= Fraction(1, 200), missed


# ---- nothing hidden is seen ----------------------------------------------------------------------------------


def test_the_order_of_the_piles_cannot_be_seen():
    """Whatever order the piles are listed in, the same seed gives the same search, number for number."""
    packing = ending(3, 14)
    position = packing.position(packing.state)
    answers = set()
    for shuffle in range(4):
        rng = random.Random(shuffle)
        piles = tuple(pile._replace(tiles=tuple(rng.sample(pile.tiles, len(pile.tiles)))) for pile in position.piles)
        shuffled = position._replace(piles=piles)
        advice = advise(shuffled, simulations=3_000, seed=5)
        answers.add(tuple((c.move, c.visits, c.win, c.points) for c in advice.candidates))
    assert len(answers) == 1


# ---- the same every time -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_thread_one_seed_one_answer(players):
    position = ending(2, 20, players).origin
    runs = [advise(position, simulations=2_000, seed=9) for _ in range(2)]
    assert [(c.move, c.visits, c.win) for c in runs[0].candidates] == [
        (c.move, c.visits, c.win) for c in runs[1].candidates
    ]
    assert runs[0].simulations == 2_000
    for candidate in runs[0].candidates:
        assert abs(sum(candidate.shares) - 1) < 1e-9
    slices = Tree(Packing(position).state.game_state(), DEFAULTS, seed=9)
    for n in (1, 700, 299, 1000):
        slices.run(n)
    whole = Tree(Packing(position).state.game_state(), DEFAULTS, seed=9)
    whole.run(2_000)
    assert slices.moves() == whole.moves()


def test_another_seed_is_another_search():
    position = ending(2, 20).origin
    first, second = (advise(position, simulations=2_000, seed=seed) for seed in (1, 2))
    assert [c.visits for c in first.candidates] != [c.visits for c in second.candidates]


# ---- limits ---------------------------------------------------------------------------------------------------------


def test_a_full_pool_is_said_and_the_search_goes_on():
    state = ending(4, 25).state
    tree = Tree(state.game_state(), DEFAULTS, seed=1, pool_bytes=1 << 20)
    tree.run(20_000)
    assert tree.full and tree.bytes_used <= 1 << 20
    assert tree.simulations == 20_000 and sum(row.visits for row in tree.moves()) == 20_000


def test_every_root_move_is_legal():
    for seed in range(6):
        state = ending(seed, 6 + 3 * seed, 2 + seed % 3).state
        tree = Tree(state.game_state(), SearchSettings(grow_everything=50).complete(), seed=1)
        tree.run(5_000)
        legal = set(state.moves(0))
        assert {row[:2] for row in tree.moves()} <= legal


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("players", [2, 4])
def test_several_threads_share_the_work(apart, players):
    """In one tree or each in its own; blocks grow early, so that threads meet where they do."""
    state = ending(2, 12 * players, players).state
    search = Search(state, threads=4, seed=1, apart=apart, settings=SearchSettings(grow_main=2, grow_everything=2))
    search.finish(20_001)
    rows = search.moves()
    assert search.simulations == 20_001
    assert sum(row.visits for row in rows) == 20_001
    assert {(row.what, row.detail) for row in rows} <= set(state.moves(0))
    for row in rows:
        assert sum(row.shares) == pytest.approx(row.visits, abs=1e-6)


def test_a_shared_pool_that_fills_up_holds():
    state = ending(4, 25).state
    search = Search(state, threads=4, seed=1, memory=1 << 20)
    search.finish(20_000)
    assert search.memory_full and search.trees[0].bytes_used <= 1 << 20
    assert sum(row.visits for row in search.moves()) == search.simulations == 20_000


def test_an_advice_of_two_threads():
    advice = advise(ending(2, 20).origin, simulations=4_001, threads=2, seed=1)
    assert advice.simulations == 4_001 and advice.threads == 2
    assert sum(c.visits for c in advice.candidates) == 4_001


def test_confidence_ends_the_search_early():
    """One move is far better than every other: the search sees to it that it is sure of each, and stops."""
    packing = ending(14, 4)
    position = packing.position(packing.state)
    advice = advise(position, simulations=3_000_000, confidence=0.95, prove=False, why=None, seed=1)
    assert advice.stopped == "confidence" and advice.simulations < 3_000_000
    rivals = [other for other in advice.candidates[1:] if other.measured]
    assert rivals and all(other.win < advice.best.win + 0.005 for other in rivals)


def test_a_finished_game_has_no_advice():
    packing = ending(1, 0)
    with pytest.raises(InputError, match="game over"):
        advise(packing.position(packing.state), simulations=10)


def test_a_proved_move_is_advised_though_the_search_would_not_try_it():
    """A sure win that looks poor: left to itself the search spends 2,000 simulations elsewhere."""
    position = read_position(
        "o1:2:reconstruction:g3b,y3c+w,g3c+w,r3c+rbw,y3a+ry2w,r2a+by,b3a+r,r3b,y2a+r"
        ":b2yw2/harvests/w2b,r1b,g1b,r1a,g2b/w2c,g1a,g2a,w.y2b/w3b,w.r2b,y1c"
        ":yw/-/w1b,b1a,b1b,w1a,y1a/b2b,w.y1b,w3c,w2a/y3b,r3a,w3a/w.b2a:love+equilibrium"
    )
    for simulations, threads, seed in [(2_000, 1, 2), (2_000, 1, 3), (2_000, 2, 5)]:
        advice = advise(position, simulations=simulations, threads=threads, seed=seed, why=None)
        assert advice.stopped == "proved"
        assert advice.best.proved and advice.best.win == 1
        # For its points and line it is told of as often as any other.
        assert advice.best.measured and advice.best.sampled >= simulations * MEASURE_PART // (SHOWN + 2) - threads


def test_an_ending_of_many_moves_is_proved_too():
    """The payments of 4,786 moves are nothing to the solver: it needs some 200 nodes."""
    position = endgame_positions(4)[25]
    assert len(legal_moves(position, search=True)) > 4_000
    advice = advise(position, simulations=1_000, seed=1, why=None)
    assert advice.stopped == "proved" and advice.best.proved


# ---- the advice ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[2, 3, 4])
def advice(request):
    packing = ending(5, 9 * request.param, request.param)
    return advise(packing.position(packing.state), simulations=6_000, seed=3)


def test_points_are_the_sum_of_their_sources(advice):
    for candidate in advice.candidates:
        for total, sources in zip(candidate.points, candidate.sources):
            parts = [getattr(sources, field.name) for field in fields(sources) if field.name != "worshipers"]
            assert abs(sum(parts) - total) < 1e-9


def test_draws_are_what_can_come_and_add_up_to_the_move(advice):
    best = advice.best
    after = rules.apply(advice.position, best.move)
    assert {value.tile for value in best.draws} <= set(rules.draws(after))
    if best.move.cell is not None:
        assert sum(value.visits for value in best.draws) == best.sampled <= best.visits
        mean = sum(value.visits * value.win for value in best.draws) / best.sampled
        assert abs(mean - best.win) < 1e-9
        assert [value.win for value in best.draws] == sorted((value.win for value in best.draws), reverse=True)


def test_the_expected_line_can_be_played(advice):
    """Each step is legal where it stands, once a tile that it needs has been drawn."""
    assert len(advice.best.line) >= 2
    for candidate in advice.candidates[:5]:
        position = rules.apply(advice.position, candidate.move)
        for index, step in enumerate(candidate.line):
            if position.hole is not None:
                takes = [s.tile for s in candidate.line[index:] if s.move.cell == position.hole][:1]
                needed = {s.tile for s in candidate.line}
                draws = rules.draws(position)
                tile = next((t for t in takes if t in draws), None) or next(t for t in draws if t not in needed)
                position = rules.refill(position, tile)
            assert position.to_move == step.player
            assert parse_move(step.text, position) == step.move
            position = rules.apply(position, step.move)


# With a network most visits are to few moves, so that many nodes of draws begin with what the same few visits found.
@pytest.mark.parametrize("evaluation, split_after, most", [(PLAYOUT, 0, 1.0), (PLAYOUT, 64, 1.3), (LEARNED, 0, 1.0)])
def test_a_line_counts_what_was_played_after_every_draw(evaluation, split_after, most):
    settings = SearchSettings(evaluation=evaluation, split_after=split_after)
    search = Search(Packing(read_position(example_text())).state, settings=settings)
    search.finish(20_000)
    best = search.best()
    played = next(row.visits for row in search.moves() if (row.what, row.detail) == best)
    steps = search.line(best, 3)
    assert len(steps) == 3
    for _, _, _, visits, of_all in steps:
        # A node gets its moves at its fourth visit, and the nodes of draws begin with a few visits that were not made
        # there.
        assert 0.8 * played <= of_all <= most * played
        assert visits <= of_all
        played = visits


def test_why_adds_up(advice):
    why = advice.why
    assert why.first.candidate == advice.best and why.second.candidate in advice.candidates[1:]
    assert why.second.candidate == advice.ideas[1].best
    assert why.denied - why.seeded == pytest.approx(why.others_loss)
    for side in (why.first, why.second):
        move = side.candidate.move
        before = advice.position
        after = rules.apply(before, move)
        assert side.realm == after.players[before.to_move].realm
        if move.cell is None:
            assert side.seeds == () and not any(side.seed_points)
            continue
        removed = {(cell, colour): number for cell, colour, number in move.removed}
        for seed in side.seeds:
            grown = after.centre[seed.cell].worshipers[seed.colour] + removed.get((seed.cell, seed.colour), 0)
            assert grown == before.centre[seed.cell].worshipers[seed.colour] + 1
            assert 0 <= seed.taken <= 1


def test_what_it_seeds_is_worth_something_to_the_next_player():
    """Worshipers on tiles that only the opponent can take next bring the opponent points, and with no turn to
    come they bring nothing."""
    packing = ending(7, 16)
    position = packing.position(packing.state)
    advice = advise(position, simulations=40_000, seed=2)
    worth = [side.seed_points[1 - position.to_move] for side in (advice.why.first, advice.why.second) if side.seeds]
    assert worth and max(worth) > 0
    packing = ending(7, 1)
    advice = advise(packing.position(packing.state), simulations=500, seed=2)
    assert advice.why is None or not any(advice.why.first.seed_points)


def test_kept_moves_are_told_of_as_often_as_any_other():
    """Also one that the search would never look at by itself, and with more threads than moves; each time in
    simulations of their own, after all others."""
    packing = ending(6, 15)
    position = packing.position(packing.state)
    plain = advise(position, simulations=30_000, seed=1, why=None)
    own = {c.move for c in plain.candidates}
    strange = next(move for move in rules.legal_moves(position) if move not in own)
    poor = plain.candidates[-1].move
    assert not plain.candidates[-1].measured
    for threads in (1, 4):
        advice = advise(position, simulations=30_000, seed=1, keep=[strange, poor], why=None, threads=threads)
        told = [c for c in advice.candidates if c.measured]
        each = 30_000 * MEASURE_PART / 2 // (len(told) - 2)  # since one was chosen
        assert each >= LEAST_SAMPLE and {strange, poor} < {c.move for c in told}
        for candidate in told:
            assert candidate.kept == (candidate.move in (strange, poor))
            assert abs(candidate.sampled - each) <= 2 * threads
        assert sum(c.visits for c in advice.candidates) == advice.simulations
        assert abs(advice.simulations - 30_000 - 2 * each) <= 2 * threads
        assert len({c.move for c in advice.candidates}) == len(advice.candidates)


def test_any_number_of_moves_can_be_kept_and_each_is_told_of():
    position = read_position(example_text("middle"))
    kept = random.Random(1).sample(legal_moves(position), 90)
    for threads in (1, 3):
        advice = advise(position, simulations=50, seed=1, keep=kept, why=None, threads=threads)
        assert {c.move for c in advice.candidates if c.kept} == set(kept)
        assert all(c.measured and c.sampled for c in advice.candidates if c.kept)


@pytest.mark.parametrize("seed", [*range(8), 33, 51, 95, 153])  # in the last four a kept move looks better
def test_what_is_kept_changes_nothing_of_what_is_said_of_the_others(seed):
    """So the recommendation is the same, even if a kept move turns out to be worth more."""
    players, turns = 2 + seed % 3, 5 + seed % 9
    packing = ending(seed, turns, players)
    position = packing.position(packing.state)
    options = {"simulations": 1_500, "seed": seed, "why": None, "prove": False}
    plain = advise(position, **options)
    kept = random.Random(seed).sample(legal_moves(position), 3)
    advice = advise(position, keep=kept, **options)
    assert advice.best.move == plain.best.move
    said = {c.move: c for c in advice.candidates}
    assert set(kept) <= set(said)
    for before in plain.candidates:
        after = said[before.move]
        if not after.kept:
            assert (after.visits, after.sampled, after.win, after.points) == (
                before.visits,
                before.sampled,
                before.win,
                before.points,
            )
            assert (after.error, after.measured) == (before.error, before.measured)


def test_a_move_played_out_of_turn_does_not_hide_those_before_it():
    """Of a block the heaviest are tried first. What somebody asks for may be the last; then the search decides again,
    and comes to all the others as well."""
    state = ending(6, 15).state
    own = Tree(state.game_state(), DEFAULTS, seed=1)
    own.run(2)
    last = min((row for row in own.moves() if row.visits == 0), key=lambda row: row.weight)
    own.ask([(last.what, last.detail)])
    own.run(10)
    assert {row[:2]: row.visits for row in own.moves()}[last[:2]] == 10
    own.ask()
    own.run(30_000)
    rows = own.moves()
    assert sum(row.visits for row in rows) == own.simulations == 30_012
    plain = Tree(state.game_state(), DEFAULTS, seed=1)
    plain.run(30_012)
    seen = {row[:2] for row in plain.moves() if row.visits >= 20}
    assert seen and seen <= {row[:2] for row in rows if row.visits}


@pytest.mark.parametrize("threads", [1, 3])
def test_only_what_is_asked_for_is_played_and_in_turns(threads):
    state = ending(6, 15, 3).state
    search = Search(state, seed=2, threads=threads)
    search.finish(500)
    before = {row[:2]: row.visits for row in search.moves()}
    moves = random.Random(5).sample(state.moves(0), 7)
    search.ask(moves, 0.3)
    search.finish(500 + 7 * 30 * threads)
    after = {row[:2]: row.visits for row in search.moves()}
    assert {
        move: after[move] - before.get(move, 0) for move in after if after[move] != before.get(move, 0)
    } == dict.fromkeys(moves, 30 * threads)
    search.ask()
    search.finish(search.simulations + 300)
    assert sum(row.visits for row in search.moves()) == search.simulations
    with pytest.raises(ValueError, match="at most 64 moves, got 65"):
        search.ask(state.moves(0)[:1] * 65)


def test_an_illegal_move_is_not_kept():
    position = ending(6, 15).origin
    move = advise(position, simulations=50).best.move
    with pytest.raises(InputError):
        advise(position, simulations=50, keep=[move._replace(realm=Worshipers(9, 9, 9, 9, 9))])


def test_two_moves_of_the_users_choice_are_compared():
    packing = ending(8, 15)
    position = packing.position(packing.state)
    moves = [c.move for c in advise(position, simulations=2_000).candidates[3:5]]
    why = advise(position, simulations=2_000, why=moves).why
    assert [why.first.candidate.move, why.second.candidate.move] == moves
    why = advise(position, simulations=2_000, why=moves[1:]).why
    assert why.second.candidate.move == moves[1] and why.first.candidate.move != moves[1]
    assert advise(position, simulations=200, why=None).why is None


def test_a_root_that_waits_for_chance_is_searched_over_every_draw():
    """The mean over a pending refill is the mean of the searches after each."""
    packing = ending(9, 4)
    state = packing.state.copy()
    for move in state.moves(SEARCH):
        after = state.copy()
        after.apply(move)
        if after.hole is not None:
            break
    exact = Fraction(0)
    for draw in after.draws():
        drawn = after.copy()
        drawn.refill(draw)
        values = [value for _, value in Walker(drawn.game_state(), SEARCH).values()]
        exact += (max(values) if drawn.to_move == 0 else min(values)) / len(after.draws())
    tree = Tree(after.game_state(), SearchSettings(win_part=1.0).complete(), seed=1)
    tree.run(60_000)
    share = sum(row.shares[0] for row in tree.moves()) / tree.simulations
    assert abs(share - exact) < 0.05


def test_an_advice_is_plain_data(advice):
    data = advice_to_json(advice, top=3)
    again = json.loads(json.dumps(data))
    assert again == data and len(data["ideas"]) == 3
    best = data["ideas"][0]["best"]
    assert parse_move(best["move"]["text"], advice.position) == advice.best.move
    assert data["why"]["denied"] == advice.why.denied
    assert set(best["sources"][0]) == {field.name for field in fields(advice.best.sources[0])}


def test_an_advice_fits_eighty_columns(advice):
    text = advice_text(advice)
    assert max(map(len, text.splitlines())) <= 80
    for words in ("win %", "Expected points", "Expected after", "Why 1 and not", "next refill"):
        assert words in text
