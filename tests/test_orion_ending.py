"""The last decisions of Master of Orion, solved: against every world listed by the plain rules, and by the search."""

from __future__ import annotations

import signal
from collections import Counter
from dataclasses import replace
from random import Random

import orion_ending_by_hand as by_hand
import pytest

from orbis_search.orion.advice.data import advise
from orbis_search.orion.advice.json import advice_to_json
from orbis_search.orion.advice.text import advice_text
from orbis_search.orion.core.packing import Packing
from orbis_search.orion.game import rules
from orbis_search.orion.game.knowledge import seen_by
from orbis_search.orion.game.position import Position
from orbis_search.orion.game.vocabulary import ROUNDS
from orbis_search.orion.measure.verify_rules import start_for
from orbis_search.orion.notation import read_position
from orbis_search.orion.search.ending import is_near_end, solve_ending
from orbis_search.orion.search.tree import search_moves


def last_round(seed: int) -> Position | None:
    """Somewhere in the last round of a game."""
    rng = Random(seed)
    packing = Packing(start_for(3 * seed))
    state = packing.state
    while not state.is_over:
        if state.to_move is None:
            state.draw_at_random(rng.getrandbits(60))
            continue
        if state.round == ROUNDS and state.at_actions and rng.random() < 0.4:
            return packing.position(state)
        state.apply(state.choose("sensible" if seed % 4 else "random", rng.getrandbits(60)))
    return None


def small_ending(seed: int, hand: int, deck: int) -> Position | None:
    """Two players with about as many points, one action each and few cards, in a box that has no others: so few that
    all worlds can be listed."""
    position = last_round(seed)
    if position is None:
        return None
    rng, order = Random(seed), position.cards.order
    players = []
    for player in position.players:
        free = player.available + player.reserve
        kept = tuple(sorted(rng.sample(player.hand, min(hand, len(player.hand))), key=order.__getitem__))
        actions = min(1, free)
        players.append(player._replace(known=(), old=(), fresh=kept, available=actions, reserve=free - actions))
    drawn = tuple(sorted(rng.sample(position.deck, min(deck, len(position.deck))), key=order.__getitem__))
    used = Counter(drawn)
    for player in players:
        used.update(player.fresh)
        for system in player.systems:
            used.update(system.cards)
    cards = replace(
        position.cards,
        structures=tuple(replace(each, copies=used[each.id]) for each in position.cards.structures if used[each.id]),
    )
    position = position._replace(cards=cards, players=tuple(players), deck=drawn, pile=())
    points = [sum(each) for each in rules.standings(position)]
    level = [p._replace(vp=p.vp + max(points) - its + rng.randrange(3)) for p, its in zip(position.players, points)]
    return position._replace(players=tuple(level))


# Contested and decided ones for which the plain rules take a second or less.
@pytest.mark.parametrize("seed", [100, 101, 104, 105, 110, 111, 114, 117, 127, 136])
def test_a_solved_ending_is_worth_what_every_world_listed_says(seed: int) -> None:
    position = small_ending(seed, 1, 3)
    assert position is not None and position.to_move is not None
    solved = solve_ending(position)
    assert solved is not None
    listed = by_hand.values(position)
    assert {each.move for each in solved.values} == set(listed)
    for value in solved.values:
        assert value.shares == pytest.approx([float(share) for share in listed[value.move][:2]], abs=1e-9)
        assert value.proved and value.low == value.high == value.shares[position.to_move]


def contested_ending() -> Position:
    """Both players have one action left, and the second one's hand decides."""
    for seed in range(3, 60, 3):
        rng = Random(seed)
        packing = Packing(start_for(seed))
        state = packing.state
        while not state.is_over:
            if state.to_move is None:
                state.draw_at_random(rng.getrandbits(60))
                continue
            if state.round == ROUNDS and state.at_actions:
                position = packing.position(state)
                solved = solve_ending(position) if is_near_end(position) else None
                if solved is not None and 0.1 < solved.values[0].low < 0.99 and solved.values[-1].low < 0.89:
                    return position
            state.apply(state.choose("sensible", rng.getrandbits(60)))
    raise AssertionError("expected a contested ending")


@pytest.fixture(scope="module")
def contested() -> Position:
    return contested_ending()


def test_the_search_agrees(contested: Position) -> None:
    mover = contested.to_move or 0
    solved = solve_ending(contested)
    assert solved is not None
    exact = {each.move: each.low for each in solved.values}
    found = search_moves(contested, simulations=20_000, seed=1)
    assert exact[found.values[0].move] == pytest.approx(solved.values[0].low, abs=0.01)
    assert found.values[0].shares[mover] == pytest.approx(exact[found.values[0].move], abs=0.05)


# Player 4 has an action left too, and wins with many a hand. What can be done with a card is seldom there in a guess.
HAND_DECIDES = (
    "m1:random=329:8.1.3.actions:-:blue-2,blue-11,red-2,grey-2,red-4,grey-3:grey-9,blue-3,red-10,blue-3,blue-8,red-2,"
    "grey-8,grey-3,red-3,grey-2,yellow-10,grey-3:humans/8f1l3p/9/22/0.5/-/p0011/blue-3,red-4,yellow-3/blue-6,red-9/"
    "red-10,yellow-4,grey-6,yellow-5,yellow-2/grey-4,yellow-7,grey-6,blue-10/blue-9:humans/1f/8/18/0.5/-/p1011/"
    "red-7,yellow-9=blue-11,blue-12,red-3,red-3,red-11,yellow-9,grey-5,grey-8/blue-6/grey-4,red-8,blue-9,yellow-10,"
    "blue-2/red-12,blue-1,yellow-2,yellow-6,yellow-6/red-5,grey-7,grey-5,grey-9,yellow-8:humans/9f3p/8/25/1.5/-/p1101/"
    "red-1,red-6/yellow-3,grey-9/blue-5,red-6,red-5,blue-12/yellow-11,yellow-1,yellow-4/blue-1,blue-14:humans/8f7p/5/"
    "22/1.5/-/p0010/yellow-9=blue-8,red-9,grey-2/blue-15,yellow-8,grey-1/blue-7,red-1,red-12/blue-13,yellow-7,grey-1,"
    "yellow-1/blue-14,blue-7,blue-4,yellow-5+A"
)


def test_the_search_expects_others_to_use_the_cards_they_may_hold() -> None:
    """Were each move of theirs played as often as it was so far, 95 % would be expected instead of 72."""
    position = read_position(HAND_DECIDES)
    mover = position.to_move or 0
    solved = solve_ending(position)
    assert solved is not None
    exact = {each.move: each.low for each in solved.values}
    found = search_moves(position, simulations=20_000, seed=1).values[0]
    assert 0.6 < solved.values[0].low < 0.8
    assert found.shares[mover] == pytest.approx(exact[found.move], abs=0.05)


def test_nothing_hidden_makes_a_difference(contested: Position) -> None:
    mover = contested.to_move or 0
    asked = [solve_ending(position) for position in (contested, seen_by(contested, mover))]
    assert asked[0] is not None and asked[1] is not None
    first, second = ({value.move: value.low for value in each.values} for each in asked)
    assert first == pytest.approx(second, abs=1e-9)


def test_advice_on_the_last_decisions_is_proved(contested: Position) -> None:
    advice = advise(contested, simulations=100)
    text = advice_text(advice, board=False)
    assert "solved in" in text and "proved" in text and "±" not in text and "sampled" not in text
    written = advice_to_json(advice)
    assert written["stopped"] == "solved"
    assert all(idea["best"]["proved"] and idea["best"]["measured"] for idea in written["ideas"])


def test_an_early_position_is_not_tried() -> None:
    assert solve_ending(start_for(0)) is None


def test_too_much_to_count_through_is_left_to_the_search(contested: Position) -> None:
    assert solve_ending(contested, most=50) is None


def test_an_interrupt_still_gives_an_answer(contested: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_position: Position) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("orbis_search.orion.advice.data.solve_ending", interrupted)
    advice = advise(contested)
    assert advice.result.stopped == "interrupted"
    assert advice.best.move in rules.legal_moves(contested)
