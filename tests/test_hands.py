"""Private hands behind the seam: the tree search on a toy whose exact values plain Python finds (`duel_by_hand`).

What is hidden must stay hidden on both sides. So there are two twins of the toy that cheat: one whose guesses leave the
other's card as it is, and one in which everybody knows the searcher's. Both have to fail what the toy passes.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import sqrt

import pytest

import duel_by_hand as by_hand
from duel_by_hand import Duel, without
from orbis_search._core.game import GameState
from orbis_search._core.search.endgame import Solver
from orbis_search._core.search.exhaustive import Walker
from orbis_search._core.search.ismcts import Tree
from orbis_search._core.toy.draft import draft_game
from orbis_search._core.toy.duel import duel_cards, duel_game
from orbis_search.core.packing import Packing
from orbis_search.game import rules
from orbis_search.search.settings import SearchSettings
from orbis_search.search.trees import TreeSearch
from orbis_search.tileset.library import load_tile_set

VICTORY = SearchSettings(win_part=1.0)
STAND, EXCHANGE = (0, 0), (1, 0)

# ---- the rules, twice -----------------------------------------------------------------------------------


def random_game(rng: random.Random) -> Iterator[tuple[Duel, GameState]]:
    """Both implementations step by step."""
    turns = rng.randint(1, 3)
    deck = tuple(rng.randint(1, 7) for _ in range(2 + 2 * turns + rng.randint(0, 3)))
    plain, packed = Duel(deck[:2], deck[2:], turns), duel_game(deck[:2], deck[2:], turns)
    yield plain, packed
    while plain.stage != by_hand.END:
        if plain.stage == by_hand.DRAW:
            card = rng.choice(plain.stock)
            plain, packed = by_hand.draw(plain, card), packed.after_draw(card)
        else:
            move = rng.choice(by_hand.moves(plain))
            plain, packed = by_hand.apply(plain, move), packed.after((move, 0))
        yield plain, packed


def test_the_toy_is_played_as_plain_python_plays_it():
    views: dict[tuple, set[int]] = defaultdict(set)
    stages = Counter()
    for seed in range(300):
        for plain, packed in random_game(random.Random(seed)):
            stages[plain.stage] += 1
            waits = plain.stage == by_hand.DRAW
            assert packed.to_move == by_hand.to_move(plain)
            assert packed.draws() == (sorted(Counter(plain.stock).items()) if waits else [])
            legal = [] if waits or plain.stage == by_hand.END else [(move, 0) for move in by_hand.moves(plain)]
            assert packed.moves() == legal
            assert duel_cards(packed) == (plain.hands, plain.drawn, tuple(sorted(plain.stock)))
            assert packed.shares()[0] == by_hand.share(plain)
            for player in (0, 1):
                views[(*by_hand.view(plain, player), plain.turns, plain.who)].add(packed.view(player))
    assert min(stages.values()) > 100 and len(stages) == 5
    # One number for what looks the same, another one for what does not.
    assert all(len(numbers) == 1 for numbers in views.values())
    assert len({number for numbers in views.values() for number in numbers}) >= len(views) - 300


@pytest.mark.parametrize("deck, turns", [((1, 1, 2, 2, 3, 3), 1), ((1, 2, 3, 4, 5, 6), 2)])
def test_random_playouts_come_near_the_exact_mean(deck, turns):
    games = 20_000
    for card in sorted(set(deck)):
        rest = without(deck, card)
        sums = Walker(duel_game((card, rest[0]), rest[1:], turns)).playouts(games, 3)
        assert sum(sums) == 12 * games
        # The spread of a mean of 20,000 shares is at most 0.0036. Allow five times that.
        assert abs(sums[0] / (12 * games) - by_hand.at_random(deck, turns, card)) < 0.018


# ---- guesses at what is hidden -----------------------------------------------------------------------------


def guesses(plain: Duel, observer: int | None) -> dict[tuple, Fraction]:
    """(hands, drawn) of all worlds that fit what the observer knows, and how likely each is."""
    known = {who: plain.hands[who] for who in (0, 1) if who == observer or took_in_sight(plain, who)}
    hidden_draws = plain.drawn if plain.who != observer else ()
    unseen = [plain.hands[who] for who in (0, 1) if who not in known] + [*hidden_draws, *plain.stock]
    places = 2 - len(known) + len(hidden_draws)
    found: dict[tuple, Fraction] = Counter()
    each = list(permutations(unseen, places))
    for dealt in each:
        cards = list(dealt)
        hands = tuple(known[who] if who in known else cards.pop(0) for who in (0, 1))
        found[hands, tuple(cards) if hidden_draws else plain.drawn] += Fraction(1, len(each))
    return found


def took_in_sight(plain: Duel, who: int) -> bool:
    """Whether the last thing that happened to the player's card was that it was taken from the table."""
    known = [False, False]
    story, turn = list(plain.story), 0
    while story:
        if story[0] != by_hand.STOOD:
            known[turn % 2] = False
            if len(story) > 2:
                known[1 - turn % 2] |= story[2] != by_hand.REFUSED
        story = story[1 if story[0] == by_hand.STOOD else 3 :]
        turn += 1
    return known[who]


def test_a_guess_keeps_what_is_known_and_is_as_likely_as_the_rules_make_it():
    samples, seen = 3_000, Counter()
    for seed in range(40):
        for plain, packed in list(random_game(random.Random(seed)))[::3]:
            for observer in (0, 1, None):
                exact = guesses(plain, observer)
                seen[len(exact) > 1] += 1
                found = Counter()
                for number in range(samples if len(exact) < 60 else 0):
                    world = packed.determinized(observer, number)
                    hands, drawn, stock = duel_cards(world)
                    found[hands, drawn] += 1
                    if number < 5:
                        assert sorted((*hands, *drawn, *stock)) == sorted((*plain.hands, *plain.drawn, *plain.stock))
                        assert observer is None or world.view(observer) == packed.view(observer)
                        if world.to_move == observer:
                            assert world.moves() == packed.moves()
                if found:
                    assert found.keys() <= exact.keys()
                    expect_frequencies(found, exact, samples)
    assert seen[True] > 200 and seen[False] > 10


def test_the_order_of_the_stock_is_any_order():
    game = duel_game((1, 2), (3, 4, 5, 5), 2).after(EXCHANGE)
    exact: dict[tuple, Fraction] = Counter()
    for order in permutations((2, 3, 4, 5, 5), 2):  # the first player does not know the second one's card
        exact[order] += Fraction(1, 20)
    found = Counter()
    for seed in range(20_000):
        world = game.determinized(0, seed)
        first = world.next_draw()
        found[first, world.after_draw(first).next_draw()] += 1
    expect_frequencies(found, exact, 20_000)


def expect_frequencies(found: Counter, exact: dict, samples: int) -> None:
    """By chi-square, with a bound that right frequencies pass but once in a million times (Wilson and Hilferty)."""
    statistic = sum((found[key] - samples * part) ** 2 / (samples * part) for key, part in exact.items())
    freedom = len(exact) - 1
    if freedom == 0:
        assert statistic == 0
        return
    bound = freedom * (1 - 2 / (9 * freedom) + 4.76 * sqrt(2 / (9 * freedom))) ** 3
    assert statistic < bound, (found, exact)


def orbis_state() -> GameState:
    return Packing(rules.new_game(load_tile_set("reconstruction"), 3, random.Random(1))).state.game_state()


@pytest.mark.parametrize(
    "start",
    [lambda: draft_game((1, 2), (3, 3, 4, 5)), lambda: duel_game((1, 2), (1, 3, 3, 4, 5, 6), 3), orbis_state],
    ids=["draft", "duel", "orbis"],
)
def test_what_every_game_has_to_keep(start: Callable[[], GameState]):
    """Random games: a guess changes nothing for the player it is made for, and can be played to the end."""
    rng = random.Random(2)
    for game in range(3):
        state = start()
        while state.to_move is not None:
            for observer in range(state.players):
                world = state.determinized(observer, rng.getrandbits(32))
                assert world.view(observer) == state.view(observer)
                assert world.to_move == state.to_move
                if observer == state.to_move:
                    assert world.moves() == state.moves()
            if draws := state.draws():
                assert all(weight > 0 for _, weight in draws)
                state = state.after_draw(rng.choice(draws)[0])
            else:
                moves = state.moves()
                assert all(what < 1 << 32 for what, _ in moves)
                state = state.after(rng.choice(moves))
        assert sum(state.shares()) == pytest.approx(1) and state.moves() == []


# ---- the values of the search -------------------------------------------------------------------------------

SOON = 40_000, 0.04  # simulations, and how far the value may be off: luck is below 0.005, the rest is exploring
LATE = 400_000, 0.03
DECKS = {  # the second player only answers / has a turn too
    1: ((1, 1, 2, 2, 3, 3), (1, 1, 2, 3, 4, 4), (1, 2, 2, 3, 3, 4), (1, 2, 3, 4, 5, 6), (1, 1, 2, 3, 5, 5, 6)),
    2: ((1, 1, 2, 2, 3, 3), (1, 1, 2, 3, 4, 4)),
}


@cache
def exact_values(deck: tuple[int, ...], turns: int) -> dict[int, dict[int, Fraction]]:
    return by_hand.solve(deck, turns)


def all_deals(turns: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """(deck, first hand, second hand): every pair for the short game, one of each own card for the long one."""
    rng = random.Random(turns)
    for deck in DECKS[turns]:
        for own in sorted(set(deck)):
            others = sorted(set(without(deck, own)))
            for other in others if turns == 1 else [rng.choice(others)]:
                yield deck, own, other


def deal(deck: tuple[int, ...], own: int, other: int, turns: int, **twin: bool) -> GameState:
    return duel_game((own, other), without(without(deck, own), other), turns, **twin)


def later_values(tree: Tree, simulations: int) -> dict[int, float]:
    """What each move brought in the later half of the simulations, when the tree knew something."""
    tree.run(simulations // 2)
    before = {row.what: row for row in tree.moves()}
    tree.run(simulations - simulations // 2)
    return {
        row.what: (row.reward - before[row.what].reward) / (row.visits - before[row.what].visits)
        for row in tree.moves()
        if row.visits > before[row.what].visits
    }


def misses(turns: int, **twin: bool) -> list[tuple]:
    """Deals where the search is off: its value by more than is allowed, or its move by more than a fiftieth."""
    simulations, tolerance = SOON if turns == 1 else LATE
    found = []
    for deck, own, other in all_deals(turns):
        exact = exact_values(deck, turns)[own]
        tree = Tree(deal(deck, own, other, turns, **twin), VICTORY.complete(), seed=other)
        values = later_values(tree, simulations)
        best = tree.best()[0]
        if abs(values[best] - max(exact.values())) > tolerance or max(exact.values()) - exact[best] > Fraction(1, 50):
            found.append((deck, own, other, values, exact))
    return found


@pytest.mark.parametrize("turns", [1, 2])
def test_the_search_finds_the_exact_values(turns):
    assert misses(turns) == []
    assert sum(1 for _ in all_deals(turns)) >= (70 if turns == 1 else 7)


@pytest.mark.parametrize("turns", [1, 2])
def test_a_search_that_peeks_does_not(turns):
    deals = list(all_deals(turns))
    assert len(misses(turns, peeks=True)) > len(deals) // 2


def test_the_values_are_neither_trivial_nor_decided():
    """Both moves are best with some card, and knowing the other's card would change many a move."""
    for turns, decks in DECKS.items():
        for deck in decks:
            best = {max(worth, key=worth.__getitem__) for worth in exact_values(deck, turns).values()}
            assert best == {0, 1}, (turns, deck)


BLUFF_DECK = (1, 2, 2, 2, 3, 3, 3)


def bluff(**twin: bool) -> float:
    """What standing with the lowest card is worth, played again and again."""
    tree = Tree(deal(BLUFF_DECK, 1, 2, 2, **twin), VICTORY.complete(), seed=1)
    tree.run(200_000)
    tree.ask([STAND])
    return later_values(tree, 200_000)[0]


def test_others_do_not_see_the_searchers_card():
    """Whoever stands seems to hold a 3, so the second player takes a chance now and then and loses with a 2. Not one who
    knows better."""
    exact = exact_values(BLUFF_DECK, 2)[1][0]
    assert abs(bluff() - exact) < 0.05
    assert bluff(shows=True) < exact - Fraction(1, 20)


# ---- nothing hidden is seen ----------------------------------------------------------------------------------


def test_the_others_card_changes_nothing():
    """Number for number, whatever the real card is; the twin that peeks gives itself away."""

    def answers(**twin: bool) -> set:
        trees = [Tree(deal((1, 2, 3, 4, 5, 6), 3, other, 2, **twin), VICTORY.complete(), seed=7) for other in (1, 4, 6)]
        for tree in trees:
            tree.run(5_000)
        return {tuple((row.what, row.visits, row.reward) for row in tree.moves()) for tree in trees}

    assert len(answers()) == 1
    assert len(answers(peeks=True)) == 3


def test_half_of_the_simulations_are_the_roots_own():
    tree = Tree(deal((1, 1, 2, 2, 3, 3), 2, 1, 2), VICTORY.complete(), seed=1)
    tree.run(1_001)
    assert tree.simulations == 1_001 and sum(row.visits for row in tree.moves()) == 501


def test_moves_asked_for_are_played_in_turns():
    tree = Tree(deal((1, 1, 2, 2, 3, 3), 2, 1, 2), VICTORY.complete(), seed=1)
    tree.ask([STAND, EXCHANGE])
    tree.run(1_000)
    assert sorted(row.visits for row in tree.moves()) in ([249, 251], [250, 250], [250, 251])


def test_threads_find_what_one_finds():
    deck, own = (1, 1, 2, 2, 3, 3), 3
    search = TreeSearch(deal(deck, own, 1, 2), VICTORY, seed=1, threads=4)
    search.finish(200_000)
    best = search.moves()[0]
    exact = exact_values(deck, 2)[own]
    assert exact[best.what] == max(exact.values())
    assert abs(best.mean_reward - max(exact.values())) < 0.05
    assert abs(sum(row.visits for row in search.moves()) - 100_000) <= 8


def test_a_full_pool_is_said_and_the_search_goes_on():
    tree = Tree(deal((1, 2, 3, 4, 5, 6), 3, 4, 2), VICTORY.complete(), seed=1, pool_bytes=1 << 14)
    tree.run(20_000)
    assert tree.full and tree.simulations == 20_000
    assert tree.bytes_used <= 1 << 14


def test_a_root_in_the_middle_of_a_move():
    """Out of turn, with the own draws in hand: the sure thing is found."""
    keeps = duel_game((1, 2), (3, 4, 1, 2), 1).after(EXCHANGE).after_draw(3).after_draw(4)
    tree = Tree(keeps, VICTORY.complete(), seed=1)
    tree.run(2_000)
    assert tree.to_move == 0 and tree.best()[0] == 4
    answers = keeps.after((1, 0))  # lays 4 and 3 open
    tree = Tree(answers, VICTORY.complete(), seed=1)
    tree.run(2_000)
    assert tree.to_move == 1 and tree.best()[0] == 1 and tree.moves()[0].mean_reward > 0.9


# ---- what is refused ---------------------------------------------------------------------------------------------


def test_exact_searches_refuse_hands():
    game = deal((1, 1, 2, 2, 3, 3), 2, 1, 2)
    words = "expected a game without hidden hands and several draws between two decisions"
    with pytest.raises(ValueError, match=f"exact search: {words} and draws that depend on how it is played"):
        Solver(game)
    with pytest.raises(ValueError, match=f"exhaustive search: {words}$"):
        Walker(game).values()
    with pytest.raises(ValueError, match=f"perft: {words}$"):
        Walker(game).perft(2, True)


def test_what_the_toy_and_the_search_refuse():
    with pytest.raises(ValueError, match="each 1 to 7"):
        duel_game((1, 8), (1, 2))
    with pytest.raises(ValueError, match="two cards in the stock for each"):
        duel_game((1, 2), (1, 2, 3), 2)
    game = duel_game((1, 2), (1, 2), 1)
    with pytest.raises(ValueError, match="a legal move"):
        game.after((2, 0))
    with pytest.raises(ValueError, match="a draw that is due"):
        Tree(game.after(EXCHANGE), VICTORY.complete())
    with pytest.raises(ValueError, match="what can be drawn"):
        game.after(EXCHANGE).after_draw(3)
    with pytest.raises(ValueError, match="below 1 << 32"):
        Tree(game, VICTORY.complete()).ask([(1 << 32, 0)])
    with pytest.raises(ValueError, match="another game"):
        duel_cards(draft_game((1, 2), ()))
