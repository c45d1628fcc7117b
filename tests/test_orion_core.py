"""The compiled core of Master of Orion against its plain rules, and what the search may and may not know.

ORBIS_ORION_DECISIONS and ORBIS_ORION_SINGLES say how much is compared: by default little, by `orbis orion verify` as
much as one likes.
"""

from __future__ import annotations

import os
import random
import sys
import tomllib
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import mean

import pytest

from orbis_search.base.comparing import Mismatch
from orbis_search.base.dice import Dice
from orbis_search.base.errors import InputError
from orbis_search.orion.cards.library import load_card_set
from orbis_search.orion.core import fast_rules
from orbis_search.orion.core.packing import Packing
from orbis_search.orion.game import cards as printed
from orbis_search.orion.game import position as tasks
from orbis_search.orion.game import rules
from orbis_search.orion.game.cards import CardSet
from orbis_search.orion.game.knowledge import complete, seen_by
from orbis_search.orion.game.position import DEEPEST, Position
from orbis_search.orion.game.vocabulary import Resources
from orbis_search.orion.measure import verify_rules
from orbis_search.orion.measure.perft import count_sequences
from orbis_search.orion.measure.speed import signatures
from orbis_search.orion.notation import read_position
from orbis_search.orion.notation.examples import example_text
from orbis_search.orion.notation.oneline import read_oneline
from orbis_search.orion.players.searching import CorePlayer
from orbis_search.orion.search.policies import worth_of_moves
from orbis_search.orion.search.tree import search_moves
from orion_builders import card, card_set, effect, side, system, table

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import orion_peeking

DECISIONS = int(os.environ.get("ORBIS_ORION_DECISIONS", 2_000))
SINGLES = int(os.environ.get("ORBIS_ORION_SINGLES", 8_000))
FOLDER = Path(__file__).parent / "orion_perft"
TABLES = tomllib.loads((FOLDER / "tables.toml").read_text(encoding="utf-8"))["position"]


def played(seed: int, decisions: int, style: str = "sensible") -> Position:
    """A position of a game from a seed, with nothing to draw."""
    return fast_rules.play_on(verify_rules.start_for(seed), decisions, seed, style)


def some_positions(number: int, seed: int = 0) -> list[Position]:
    rng = random.Random(seed)
    found = [played(seed, rng.randrange(110), rng.choice(("random", "sensible"))) for seed in range(number)]
    return [position for position in found if not position.is_over]


# ---- the rules, twice -----------------------------------------------------------------------------------


def test_the_core_plays_as_the_plain_rules_do():
    tally = None
    for tally in verify_rules.verify(DECISIONS, SINGLES):
        pass
    assert tally is not None
    assert tally.decisions >= DECISIONS and tally.singles >= SINGLES
    assert tally.refused > SINGLES // 20


def test_a_difference_would_be_seen(monkeypatch):
    """A rule changed in one of them only."""
    monkeypatch.setattr(rules, "PROPAGANDA_GAIN", 2)
    with pytest.raises(Mismatch, match=r"loyalty"):
        for seed in range(6):
            verify_rules.verify_game(seed, False)


@pytest.mark.parametrize("entry", TABLES, ids=[entry["name"] for entry in TABLES])
def test_perft_tables(entry):
    position = read_oneline(entry["line"], entry["name"], FOLDER)
    for depth, count in enumerate(entry["fixed_order"], start=1):
        assert fast_rules.perft(position, depth) == count
    for depth, count in enumerate(entry.get("all_draws", ()), start=1):
        assert fast_rules.perft(position, depth, draws=True) == count


def test_perft_divides_alike_in_both_rules():
    position = played(6, 30)
    core, plain = (count_sequences(position, 2, divide=True, slow=slow) for slow in (False, True))
    assert core == plain
    assert core[0] == count_sequences(position, 2)[0]


def test_packing_loses_nothing():
    for position in some_positions(40):
        packing = Packing(position)
        assert packing.position(packing.state) == verify_rules.in_order(position)


def test_the_sensible_player_is_the_same_in_both():
    for position in some_positions(25, seed=5):
        packing = Packing(position)
        values = dict(worth_of_moves(position, rules.legal_moves(position)))
        for move, worth in values.items():
            after = packing.state.copy()
            after.apply(packing.pack_move(move))
            assert after.lead(position.to_move) == pytest.approx(worth)
        chosen = packing.unpack_move(packing.state.choose("sensible", 3))
        assert values[chosen] == pytest.approx(max(values.values()))


def endless() -> CardSet:
    """Cards that activate each other again and again, by taking turns on top of their system."""
    loop = (printed.Reorder(), printed.Activate(3, other=False), printed.Build((None, None), False, 9))
    names = [f"loop-{n}" for n in range(6)]
    cards = [card(name, "blue", effect("activation", *loop), copies=3, income=Resources(1)) for name in names]
    return card_set(*cards)


def another_on_top(position: Position, move: tasks.Move) -> bool:
    return position.players[position.to_move].systems[move.system].cards[-1] != move.order[-1]


@pytest.mark.parametrize("seed", range(6))
def test_effects_that_go_on_for_ever_end(seed):
    dice = Dice(seed)
    names = [f"loop-{n}" for n in range(6)]
    systems = [system(*dice.shuffled(names)[:size]) for size in (5, 4, 3)]
    position = table(side(*systems, hand="frigate"), side(hand="frigate"), cards=endless(), deck="frigate", round=8)
    packing = Packing(position, trusted=True)
    state, deepest = packing.state, 0
    for _ in range(1_500):
        if position.is_over:
            break
        if position.draw_due:
            drawn = dice.one_of(position.deck)
            position = rules.draw(position, drawn)
            state.draw(packing.printing.numbers[drawn])
            continue
        moves = rules.legal_moves(position)
        assert {packing.pack_move(move) for move in moves} == set(state.moves())
        # As deep as it goes: whatever activates or builds.
        eager = [move for move in moves if move.kind == "activate"]
        eager = eager or [move for move in moves if move.kind == "reorder" and another_on_top(position, move)] or moves
        move = dice.one_of(eager)
        position = rules.play(position, move)
        state.apply(packing.pack_move(move))
        assert packing.position(state) == verify_rules.in_order(position)
        deepest = max(deepest, len(position.stack))
    assert DEEPEST < deepest <= DEEPEST + 10


# ---- what is refused -----------------------------------------------------------------------------------


def test_unknown_cards_are_refused():
    position = played(6, 20)
    with pytest.raises(InputError, match="expected every card to be known"):
        fast_rules.legal_moves(seen_by(position, 0))


def test_an_advisor_who_founds_a_system_and_can_leave_is_refused():
    cards = load_card_set()
    loose = replace(cards.advisors[0], founds_system=True, permanent=False)
    position = rules.new_game(replace(cards, advisors=(loose, *cards.advisors[1:])), dice=Dice(1))
    with pytest.raises(InputError, match=rf"advisor 1 \({loose.id}\): expected permanent = true"):
        Packing(position)


def test_pending_decisions_that_no_game_comes_to_are_refused():
    position = played(6, 40)
    other = tasks.PickVictim(0, tasks.Ref(0, tasks.RACE, position.players[0].race, 0), printed.Bury("each"), (1,) * 9)
    with pytest.raises(InputError, match="pending"):
        Packing(position._replace(stack=(other, tasks.Swap(0))))


def test_an_illegal_move_is_refused_with_its_reasons():
    position = next(p for p in some_positions(30) if not p.stack)
    with pytest.raises(InputError, match="move: expected"):
        fast_rules.play(position, tasks.Move("attack", player=position.to_move))


# ---- guesses at what is hidden -----------------------------------------------------------------------------


def after_a_reshuffle(number: int) -> list[Position]:
    """Decisions of three and four players when everybody knows which cards are old."""
    found, seed = [], 0
    while len(found) < number:
        seed += 1
        if seed % 3 == 0:
            continue
        packing = Packing(verify_rules.start_for(seed))
        state, rng = packing.state, random.Random(seed)
        while not state.is_over:
            state.draw_at_random(rng.getrandbits(64))
            if state.is_over:
                break
            if any(fields[1] for fields in state.fields()[0]):
                found.append(packing.position(state))
                break
            state.apply(state.choose("random", rng.getrandbits(64)))
    return found


def test_a_guess_fits_all_that_the_observer_has_seen():
    looked = Counter()
    for position in [*some_positions(40, seed=1), *after_a_reshuffle(20)]:
        packing = Packing(position)
        for observer in range(len(position.players)):
            seen = seen_by(verify_rules.in_order(position), observer)
            for seed in range(3):
                guess = packing.state.guess(observer, seed)
                world = packing.position(guess)
                assert seen_by(world, observer) == seen
                assert guess.view(observer) == packing.state.view(observer)
                fast_rules.legal_moves(world)  # a sound position
                if world.to_move == observer:
                    assert set(guess.moves()) == set(packing.state.moves())
                looked["other hands"] += any(
                    a.fresh != b.fresh for a, b in zip(world.players, position.players, strict=True)
                )
                looked["old"] += any(player.old for player in position.players)
                looked["all"] += 1
    assert looked["other hands"] > looked["all"] / 2
    assert looked["old"]


def small(players: int, hands: int, deck: int, old: int = 0) -> Position:
    """A position with few cards that anybody does not know."""
    cards = load_card_set()
    start = rules.new_game(cards, ("humans",) * players, training=True)
    everything = list(start.cards.deck)
    # Copies next to each other: two of a name, and singles.
    hidden, rest = (
        everything[: (players - 1) * (hands + old) + deck],
        everything[(players - 1) * (hands + old) + deck :],
    )
    seated = []
    for seat, player in enumerate(start.players):
        fresh = [hidden.pop() for _ in range(hands)] if seat else [rest.pop() for _ in range(hands)]
        olds = [hidden.pop() for _ in range(old)] if seat else []
        order = cards.order
        seated.append(
            player._replace(
                fresh=tuple(sorted(fresh, key=order.get)), old=tuple(sorted(olds, key=order.get)), known=(), available=2,
                reserve=8,
            )
        )  # fmt: skip
    return start._replace(
        players=tuple(seated), deck=tuple(hidden), pile=tuple(rest), phase=tasks.Phase.ACTIONS, stack=(), round=3
    )


def exact(position: Position, observer: int) -> dict[tuple, float]:
    """Hands of the others, and how likely each is: every way to deal the single cards counts once."""
    others = [seat for seat in range(len(position.players)) if seat != observer]
    fresh = [card for seat in others for card in position.players[seat].fresh] + list(position.deck)
    old = [card for seat in others for card in position.players[seat].old]
    found: Counter[tuple] = Counter()

    def deal(seats: list[int], fresh_left: list[int], old_left: list[int], hands: tuple) -> None:
        if not seats:
            found[hands] += 1
            return
        player = position.players[seats[0]]
        for some in combinations(fresh_left, len(player.fresh)):
            for olds in combinations(old_left, len(player.old)):
                hand = (tuple(sorted(fresh[i] for i in some)), tuple(sorted(old[i] for i in olds)))
                deal(
                    seats[1:],
                    [i for i in fresh_left if i not in some],
                    [i for i in old_left if i not in olds],
                    (*hands, hand),
                )

    deal(others, list(range(len(fresh))), list(range(len(old))), ())
    total = sum(found.values())
    return {hands: number / total for hands, number in found.items()}


@pytest.mark.parametrize("players, hands, deck, old", [(2, 2, 4, 0), (3, 1, 3, 0), (3, 1, 2, 1), (4, 1, 2, 1)])
def test_guesses_are_as_likely_as_the_rules_make_them(players, hands, deck, old):
    position = small(players, hands, deck, old)
    packing = Packing(position)
    samples, expected = 6_000, exact(position, 0)
    plain, core, dice = Counter(), Counter(), Dice(1)
    for seed in range(samples):
        for counter, world in (
            (core, packing.position(packing.state.guess(0, seed))),
            *([(plain, complete(seen_by(position, 0), dice))] if seed < samples // 3 else []),
        ):
            counter[tuple((tuple(sorted(p.fresh)), tuple(sorted(p.old))) for p in world.players[1:])] += 1
    for counter in (core, plain):
        total = sum(counter.values())
        assert counter.keys() <= expected.keys()
        # Chi-squared: its mean is the number of cells less one, its spread the root of twice that. Allow five times it.
        chi = sum((counter[hands] - total * chance) ** 2 / (total * chance) for hands, chance in expected.items())
        cells = len(expected) - 1
        assert chi < cells + 5 * (2 * cells) ** 0.5


def test_cards_are_drawn_as_often_as_they_lie_in_the_deck():
    position = small(2, 2, 4)
    position = position._replace(stack=(tasks.Drawing(0, 1),))
    packing = Packing(position)
    found: Counter[str] = Counter()
    for seed in range(6_000):
        after = packing.state.copy()
        after.draw_at_random(seed)
        hand = Counter(packing.position(after).players[0].hand) - Counter(position.players[0].hand)
        found.update(hand)
    for name, number in Counter(position.deck).items():
        assert abs(found[name] / 6_000 - number / len(position.deck)) < 0.03


# ---- no peeking ----------------------------------------------------------------------------------------


def rows(position: Position, peeks: bool = False) -> list[tuple]:
    found = search_moves(position, simulations=300, seed=4, memory=16 << 20, peeks=peeks)
    return [(value.move, value.visits, value.shares, value.sources) for value in found.values]


def test_what_the_mover_cannot_see_changes_nothing_in_its_search():
    compared = differs = 0
    for position in some_positions(14, seed=2):
        mover = position.to_move
        assert mover is not None
        other = complete(seen_by(position, mover), Dice(compared))
        if other == position or len(rules.legal_moves(position)) < 3:
            continue
        assert rows(other) == rows(position) == rows(seen_by(position, mover))
        # The twin that peeks would be caught.
        differs += rows(other, peeks=True) != rows(position, peeks=True)
        compared += 1
    assert compared > 5 and differs > compared / 2


def test_the_same_seed_finds_the_same():
    position = played(12, 40)
    assert rows(position) == rows(position)
    assert signatures() == signatures()


def test_threads_agree_about_the_best_moves():
    position = played(12, 41)
    mover = position.to_move or 0

    def best_shares(threads: int) -> list[float]:
        found = [search_moves(position, simulations=6_000, seed=seed, threads=threads) for seed in range(8)]
        assert all(one.simulations >= 6_000 and one.threads == threads for one in found)
        return [one.values[0].shares[mover] for one in found]

    alone = best_shares(1)
    for threads in (2, 4):  # two means of eight lie 0.007 apart by luck
        assert mean(best_shares(threads)) == pytest.approx(mean(alone), abs=0.04)


@pytest.mark.parametrize("hands", [False, True])
def test_the_twin_that_peeks_plays_whole_games(hands):
    """benchmarks/orion_peeking.py; docs/orion.md has the figures."""
    first, again = (list(orion_peeking.peeking_rounds(2, 12, 5, hands)) for _ in range(2))
    assert first == again and len(first) == 2
    assert all(0 <= share <= 1 for share, _ in first)


def test_the_twin_foresees_what_is_drawn():
    """Research by who knows the course of chance: every game of its search draws the cards that will come."""
    start = played(12, 40)
    packing = Packing(start, peeks=True, course=77)
    state = packing.state
    while state.draws() == []:
        state.apply(state.choose("random", 5))
    seen = set()
    for seed in range(5):
        guess = state.guess(state.fields()[7], seed)
        seen.add(guess.fields()[1])
    assert seen == {state.fields()[1]}  # the deck as it lies


# Meklars must build on system 1 with a discount, and hold the one card for it; few of the cards not seen would do.
MUST_BUILD = (
    "m1:reconstruction:3.1.1.actions:alluvia,ostara,vale,victoria:embassy,spy-center,embassy,ground-batteries,"
    "holographic-simulator,death-spores,biosphere,population-support,titan,death-star,fleet-academy,fighter-base,"
    "robotic-plant:_69:darloks/6f1p/10/0/1.5/moldred/p/-/orbital-shipyard/monument/tax-office/planetary-supercomputer:"
    "meklars/1f8l/10/2/0.6/-/-/cybernetic-hub/planetary-stock-exchange,recyclotron/colony-ship:pending="
    "@5B@7B@22task@22=@22apply@22@2C@22player@22=2@2C@22refs@22=@5B@5D@7D@2C@7B@22task@22=@22build@22@2C@22player@22=2"
    "@2C@22colour@22=-1@2C@22system@22=1@2C@22discount@22=2@2C@22optional@22=false@7D@5D"
)


def test_a_guess_has_something_to_build_where_that_is_asked():
    position = read_position(MUST_BUILD)
    for seed in range(20):
        assert search_moves(position, simulations=200, seed=seed, memory=16 << 20).simulations == 200


# ---- the search ----------------------------------------------------------------------------------------


def test_the_search_tells_of_every_legal_move():
    position = read_position(example_text())
    found = search_moves(position, simulations=1_000, seed=1)
    assert {value.move for value in found.values} == set(rules.legal_moves(position))
    assert found.stopped == "simulations" and found.simulations == 1_000
    best = found.values[0]
    assert best.visits == max(value.visits for value in found.values)
    for value in found.values:
        assert 0 <= value.low <= value.high <= 1
        if value.visits:
            assert sum(value.shares) == pytest.approx(1)
            assert value.low <= value.shares[position.to_move] + 0.3


def match(first: CorePlayer, second: CorePlayer, pairs: int, players: int = 2) -> float:
    """The share of the victories that the first player wins against seats of the second: the same deals in every seat."""
    won = 0.0
    for seed in range(pairs):
        for seat in range(players):
            rng = random.Random(seed)
            races = ["alkari", "bulrathi", "psilons", "darloks"][:players]
            state = Packing(rules.new_game(load_card_set(), races, Dice(seed), first=0)).state
            while not state.is_over:
                state.draw_at_random(rng.getrandbits(60))
                if state.to_move is not None:
                    player = first if state.to_move == seat else second
                    state.apply(player.choose_packed(state, rng.getrandbits(60)))
            won += state.shares()[seat]
    return won / (pairs * players)


def test_the_ladder_has_its_rungs():
    """With few simulations and games; benchmarks and `docs/orion.md` have the figures."""
    sensible = CorePlayer("sensible")
    assert match(sensible, CorePlayer("random"), 40) > 0.9
    assert match(CorePlayer("advisor", sims=150), sensible, 12) > 0.6


@pytest.mark.parametrize("kind", ["random", "sensible", "flat", "uct", "advisor"])
def test_players_choose_legal_moves_from_what_they_see(kind):
    player = CorePlayer(kind, sims=30)
    for position in some_positions(8, seed=3):
        mover = position.to_move
        assert mover is not None
        move = player.choose(seen_by(position, mover), 1)
        assert move in rules.legal_moves(position)
        assert player.choose(position, 1) == move
