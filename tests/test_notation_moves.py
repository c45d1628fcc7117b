"""Moves as text and JSON: every move's text reads back, short forms mean what a person means by them,
and everything else is refused with the rule that forbids it or with the moves it could be."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from pathlib import Path

import pytest

from builders import anybody, player, position, some, tile
from orbis_search import notation
from orbis_search.base.errors import InputError
from orbis_search.game import rules
from orbis_search.game.economy import Economy, economy, find_way
from orbis_search.game.legality import expect_legal
from orbis_search.game.position import Cell, Move, Position, Slot
from orbis_search.game.tiles import Tile
from orbis_search.game.vocabulary import CELLS, NOBODY, REALM_LIMIT, Colour, God, Worshipers
from orbis_search.notation.move_json import move_from_json, move_to_json
from orbis_search.notation.move_text import MAX_LISTED, AmbiguousMove, format_move, parse_move
from orbis_search.tileset.library import load_tile_set

MALFORMED = tomllib.loads((Path(__file__).parent / "malformed_moves.toml").read_text(encoding="utf-8"))


COLOURS = tuple(Colour)


def named(name: str, *args, **more) -> Tile:
    return tile(*args, **more)._replace(id=name)


@cache
def positions() -> dict[str, Position]:
    """The positions that the written cases speak of."""
    # Two tiles in row 1 and almost nobody in the realm.
    early = position(
        player("r g", realm="gw"),
        player("g w", realm="r3g2"),
        centre={
            "a3": named("barn", "y", "farm r", "ba"),
            "b3": (named("pro", "r", "gain 2 b"), "gw"),
            "c3": named("dear", "y", "farm g", "rba"),
            "a2": (named("Ask", "b", "gain 1 a"), "g"),
            "b2": (named("g2b", "g", "stone", "", 1), "r"),
            "c2": named("rich", "g", "none", "rg", 3),
        },
        gods=[God.LOVE, God.APPRENTICE, God.DEATH],
    )
    # Row 1 is full, 2.3 lies over white and yellow, 2.4 over yellow and a wilderness; blue is free.
    farm = tile("y", "farm b")
    middle = position(
        player(["r", "g", "w", farm, "*"], "r g", "r", realm="r3g2w"),
        player("w g y y b", "w . y", god=God.TECHNOLOGY),
        centre={
            "a3": (named("vill", "y", "village 3", "ya"), "y3"),
            "b3": (named("volc", "r", "volcano 4 rgw", "bya"), "y"),
            "c3": named("irri", "b", "irrigation g", "gba"),
            "a2": (named("pro", "r", "gain 2 b"), "r2"),
            "b2": (named("Ask", "b", "gain 1 a"), "g5w2"),
            "c2": named("temp", "w", "temple 2", "gya", mystic=3),
            "a1": (named("barn", "y", "farm r", "ba"), "b2"),
            "b1": named("soon", "r", "volcano 9 b", "r"),
            "c1": named("plain", "y", "none", "b", 1),
        },
        gods=[God.LOVE, God.DEATH],
    )
    # Fourteen regions and no god: only that is left.
    full = position(
        player("r g b y w", "r g b y", "r g b", "r g", realm="g2yw"),
        anybody(14),
        centre={"a3": (named("late", "r"), "g")},
        gods=[God.NATURE, God.HARVESTS, God.FIRE],
    )
    over = position(anybody(15), anybody(15)._replace(god=God.FIRE), gods=[God.NATURE])
    empty = position(player(realm=""), player(), gods=[God.LOVE, God.FIRE, God.DEATH])
    hole = list(early.centre)
    hole[CELLS.index("c1")] = Cell(None)
    return {
        "early": early,
        "middle": middle,
        "full": full,
        "over": over,
        "first": empty,
        "hole": early._replace(centre=tuple(hole)),
    }


def refusal(text: str, where: Position, **more) -> InputError:
    with pytest.raises(InputError) as caught:
        parse_move(text, where, **more)
    return caught.value


# ------------------------------------------------------------------------------------------ written cases


@pytest.mark.parametrize(
    ("name", "text", "canonical"),
    [
        # Tile or cell, in any order and case.
        ("early", "b3 pro 1L gain b2", "b3 pro 1L gain b2"),
        ("early", "b3 1L", "b3 pro 1L gain b2"),
        ("early", "B3 L", "b3 pro 1L gain b2"),
        ("early", "left b3", "b3 pro 1L gain b2"),
        ("early", "1r, b3.", "b3 pro 1R gain b2"),
        ("early", "b3 2.1", "b3 pro 2.1 gain b2"),
        ("early", "b3 row 2 1", "b3 pro 2.1 gain b2"),
        ("early", "b3 row 2, column 1", "b3 pro 2.1 gain b2"),
        ("early", "row2 1 b3", "b3 pro 2.1 gain b2"),
        ("early", "b3 2 1", "b3 pro 2.1 gain b2"),
        ("early", "b3 2/1", "b3 pro 2.1 gain b2"),
        ("early", "b3 r2c1", "b3 pro 2.1 gain b2"),
        ("early", "b3 1.1", "b3 pro 1L gain b2"),
        ("early", "b3 row 1 right", "b3 pro 1R gain b2"),
        ("early", "ask 1R gain blue", "a2 Ask 1R gain b"),
        ("early", "ASK r gain: b", "a2 Ask 1R gain b"),
        ("early", "g2b 1L", "b2 g2b 1L"),
        ("early", "w 2.1 dear", "c3 dear wild 2.1"),
        ("early", "Wilderness dear 2.1", "c3 dear wild 2.1"),
        ("early", "dear face down 2.1", "c3 dear wild 2.1"),
        # Gods.
        ("early", "god apprentice", "god apprentice"),
        ("early", "Apprentice", "god apprentice"),
        ("early", "love gain rrgbb", "god love gain r2gb2"),
        ("early", "god love gain 2red green b2", "god love gain r2gb2"),
        ("early", "love left r2g2b2w", "god love gain r2gb2"),
        ("early", "death", "god death cancelled"),  # nothing to validate it with
        ("middle", "death valid", "god death valid give r3g2w"),
        ("middle", "death give r3g2w", "god death valid give r3g2w"),
        ("middle", "love gain r5 keep r8g2", "god love gain r5 keep r8g2"),
        ("middle", "love gain r5 discard w", "god love gain r5 keep r8g2"),
        # Paying, exchanging, giving.
        ("middle", "c1 2.3", "c1 plain 2.3"),
        ("middle", "c1 2.3 pay free", "c1 plain 2.3"),
        ("middle", "vill 2.3 pay y2 cancelled", "a3 vill 2.3 pay y2 cancelled"),
        ("middle", "vill 2.3 cancelled left r3g2yw", "a3 vill 2.3 pay y2 cancelled"),
        ("middle", "vill 2.3 pay yw give y r g", "a3 vill 2.3 pay ry valid give gyw"),
        ("middle", "vill 2.3 valid pay y y, give back r3", "a3 vill 2.3 pay ry valid give r2y"),
        ("middle", "temp 2.3 pay g2y", "c2 temp 2.3 swap r3>y pay g2y"),
        ("middle", "temp 2.3 swap rrr>y pay ggy", "c2 temp 2.3 swap r3>y pay g2y"),
        ("middle", "temp 2.3 exchange rrr for y, pay g y w", "c2 temp 2.3 swap r3>y pay gyw"),
        ("middle", "temp 2.3 swap r -> y left g", "c2 temp 2.3 swap r3>y pay gyw"),
        ("middle", "vill 2.4 wild swap r3>b y>b", "a3 vill wild 2.4 swap r3>b y3>b"),
        ("middle", "vill wild 2.4 left g2b2w", "a3 vill wild 2.4 swap r3>b y3>b"),
        # A number before its colour, as positions allow it.
        ("middle", "vill 2.3 pay 2 yellow cancelled", "a3 vill 2.3 pay y2 cancelled"),
        ("middle", "vill 2.3 pay 1 yellow 1 white give 1 y 2 red", "a3 vill 2.3 pay ry valid give ryw"),
        ("middle", "vill 2.3 pay y 1 w cancelled", "a3 vill 2.3 pay yw cancelled"),
        ("middle", "vill 2.3 cancelled left 3 red 2 green y 1 white", "a3 vill 2.3 pay y2 cancelled"),
        ("early", "love gain 2 red 1 green 2 blue", "god love gain r2gb2"),
        ("middle", "volc 2.4 pay yw remove a2 2 red b2 2 g", "b3 volc 2.4 pay yw valid remove a2:r2 b2:g2"),
        # Colours of a gain left open, where something else settles them.
        ("early", "love gain any left r2g2b2w", "god love gain r2gb2"),
        ("early", "love gain r2 3 any left r2g2b2w", "god love gain r2gb2"),
        ("early", "ask 1R gain 1 any left gbgw", "a2 Ask 1R gain b"),
        ("middle", "irri 2.4 swap none pay gw", "c3 irri 2.4 pay gw valid"),
        # Colons where they mean nothing else.
        ("early", "b3: pro: 2.1", "b3 pro 2.1 gain b2"),
        ("early", "2:1 pro", "b3 pro 2.1 gain b2"),
        ("early", "b2:g2b 1L", "b2 g2b 1L"),
        ("middle", "b3:volc 2.4 pay: yw remove: a2:r2 b2:g2", "b3 volc 2.4 pay yw valid remove a2:r2 b2:g2"),
        ("middle", "remove a2:r2 b2:g2, volc: 2.4, pay yw", "b3 volc 2.4 pay yw valid remove a2:r2 b2:g2"),
        # A word that is a colour or a cell means what leaves the text whole.
        ("middle", "pay y g b3 2.4 cancelled", "b3 volc 2.4 pay gy cancelled"),
        ("middle", "pay g w irri 2.4", "c3 irri 2.4 pay gw valid"),
        # Volcano, irrigation.
        ("middle", "volc 2.4 pay yw remove a2:r2 b2:gr", "b3 volc 2.4 pay yw valid remove a2:r2 b2:rg"),
        ("middle", "volc 2.4 pay yw remove a2 r2 b2 g2", "b3 volc 2.4 pay yw valid remove a2:r2 b2:g2"),
        ("middle", "volc pay yw remove a2r2 remove b2=gw 2.4", "b3 volc 2.4 pay yw valid remove a2:r2 b2:gw"),
        ("middle", "irri 2.4 pay gr", "c3 irri 2.4 pay rg valid"),
        # The limit.
        ("middle", "b2 2.4 gain b keep r3g3bw3", "b2 Ask 2.4 gain b keep r3g3bw3"),
        ("middle", "b2 2.4 gain b discard g4", "b2 Ask 2.4 gain b keep r3g3bw3"),
        ("middle", "b2 2.4 wild keep r3g4w3", "b2 Ask wild 2.4 keep r3g4w3"),
        ("full", "nature", "god nature"),
    ],
)
def test_what_a_person_writes(name: str, text: str, canonical: str) -> None:
    where = positions()[name]
    assert format_move(where, parse_move(text, where)) == canonical


def test_the_first_tile_has_one_slot() -> None:
    where = positions()["first"]
    texts = [f"a1 {slot}" for slot in ("1", "1L", "1R", "left", "1.1", "row 1")]
    assert {parse_move(text, where).slot for text in texts} == {Slot(1, 0)}
    assert format_move(where, parse_move("a1 1", where)).endswith(" 1")


def cases() -> list:
    return [pytest.param(case, id=f"{case['in']}: {case['text']}"[:60]) for case in MALFORMED["cases"]]


@pytest.mark.parametrize("case", cases())
def test_malformed_moves(case: dict) -> None:
    error = refusal(case["text"], positions()[case["in"]])
    assert case["says"] in str(error), str(error)
    assert isinstance(error, AmbiguousMove) == case.get("ambiguous", False)
    assert all(problem.place and "Traceback" not in problem.message for problem in error.problems)


def test_no_wild_means_face_up_even_if_only_a_wilderness_could_lie_there() -> None:
    where = positions()["early"]
    assert parse_move("dear wild 2.1", where).wild
    assert "it can only be wilderness" in str(refusal("dear 2.1", where))


def test_unmentioned_exchanges_are_as_few_as_can_be() -> None:
    where = positions()["middle"]
    # Exchanging r3>g first and paying with it would be legal too, and has to be said.
    assert parse_move("irri 2.4 pay gw", where).realm == some("r3g")
    assert parse_move("irri 2.4 swap r3>g pay gw", where).realm == some("g2")
    # Without an exchange the temple cannot be paid; nothing says which of two ways was meant.
    error = refusal("temp 2.3", where)
    assert isinstance(error, AmbiguousMove)
    assert {format_move(where, move) for move in error.examples} == {
        "c2 temp 2.3 swap r3>y pay gyw",
        "c2 temp 2.3 swap r3>y pay g2y",
    }


def test_a_village_is_never_cancelled_because_validating_would_take_an_exchange() -> None:
    village = named("vv", "y", "village 2")
    where = position(player("y", realm="r3"), centre={"a3": village})
    texts = {format_move(where, move) for move in _ambiguous("vv 1L", where).examples}
    assert texts == {"a3 vv 1L cancelled", "a3 vv 1L valid give r2"}


def test_an_ambiguous_text_lists_eight_moves_and_their_number() -> None:
    where = positions()["middle"]
    error = _ambiguous("volc 2.4 pay yw valid", where)
    fitting = [
        move
        for move in rules.legal_moves(where)
        if move.cell == CELLS.index("b3") and move.slot == Slot(2, 3) and move.validated and move.realm == some("r3g2")
    ]
    assert error.count == len(fitting) > MAX_LISTED
    assert len(error.examples) == MAX_LISTED and set(error.examples) <= set(fitting)
    assert str(error.count) in str(error) and f"and {error.count - MAX_LISTED} more" in str(error)
    for move in error.examples:
        assert format_move(where, move) in str(error)


def _ambiguous(text: str, where: Position) -> AmbiguousMove:
    error = refusal(text, where)
    assert isinstance(error, AmbiguousMove), error
    return error


def test_legal_narrows_the_choice() -> None:
    where = positions()["early"]
    legal = {move for move in rules.legal_moves(where) if move.slot != Slot(1, 2)}
    assert parse_move("b3 1", where, legal=legal).slot == Slot(1, 0)
    assert "not among them" in str(refusal("b3 1R", where, legal=legal))
    assert isinstance(refusal("b3 1", where), AmbiguousMove)


def test_a_text_with_two_meanings_is_refused_with_both() -> None:
    """`r` is a red worshiper or the right end of row 1."""
    any_gain = named("two", "y", "gain 2 r", "aa")
    where = position(player("y", realm="g2r2"), centre={"a3": any_gain})
    assert parse_move("two pay g r 1L", where).realm == some("gr3")
    texts = {format_move(where, move) for move in _ambiguous("two pay g r", where).examples}
    assert texts == {"a3 two 1L pay rg gain r2", "a3 two 1R pay rg gain r2"}
    free = named("ask", "y", "gain 1 a")
    where = position(player("y", realm="g"), centre={"a3": free})
    assert format_move(where, parse_move("ask gain g r", where)) == "a3 ask 1R gain g"


def test_a_tile_described_in_place_is_named_by_its_cell() -> None:
    described = tile("y", "none")._replace(id="yellow_L1_free_none_0cp", described=True)
    where = position(player("y"), centre={"a3": described})
    move = parse_move("yellow_L1_free_none_0cp 1L", where)
    assert format_move(where, move) == "a3 1L"
    assert parse_move("a3 1L", where) == move


def test_a_tile_behind_its_cell_is_a_tile_whatever_it_is_called() -> None:
    """Tile sets refuse such ids, but a position can be made without one."""
    where = position(player("y"), centre={"a3": named("b3", "y"), "b3": named("a3", "y"), "c3": named("1", "y")})
    for move in rules.legal_moves(where):
        assert parse_move(format_move(where, move), where) == move


# ------------------------------------------------------------------------------------------ every move


def some_realm(rng: random.Random) -> Worshipers:
    realm = NOBODY
    for _ in range(rng.randrange(REALM_LIMIT + 1)):
        realm = realm.changed(rng.choice(COLOURS), +1)
    return realm


def richer(where: Position, rng: random.Random) -> Position:
    """The same, with a fuller centre and realm: random play alone hardly ever reaches the limit."""
    turn = where.to_move
    assert turn is not None
    favourite = rng.choice(COLOURS)  # many of one colour make exchanges
    centre = [
        Cell(cell.tile, some_realm(rng).changed(favourite, rng.randrange(4))) if rng.random() < 0.5 else cell
        for cell in where.centre
    ]
    full = where.players[turn]._replace(realm=some_realm(rng))
    return where.with_player(turn, full)._replace(centre=tuple(centre))


def random_game(spec: str, players: int, rng: random.Random) -> Iterator[Position]:
    where = rules.new_game(load_tile_set(spec), players, rng)
    while not where.is_over:
        yield where
        family = rng.choice(rules.families(where))
        move = rng.choice(list(islice(family.moves(), 300)))
        where = rules.apply(where, move)
        if where.hole is not None:
            where = rules.refill(where, rules.draws(where)[0])


def some_moves(where: Position, rng: random.Random, number: int) -> list[Move]:
    """All moves of a small position, else some of every family."""
    families = rules.families(where)
    if sum(family.count for family in families) <= number:
        return [move for family in families for move in family.moves()]
    chosen = []
    for family in rng.sample(families, min(len(families), number // 4)):
        removals = list(islice(rules.removals(family.stock, family.to_remove), 200))
        realms = sorted(family.realms)
        for _ in range(4):
            slot, removed = rng.choice(family.slots), rng.choice(removals)
            chosen.append(
                Move(family.cell, family.god, slot, family.wild, family.validated, removed, rng.choice(realms))
            )
    return chosen


GAMES = [
    pytest.param(spec, players, seed, id=f"{spec}, {players} players")
    for seed, (spec, players) in enumerate(
        [("reconstruction", 2), ("reconstruction", 3), ("reconstruction", 4)]
        + [(f"random:{seed}", 2 + seed % 3) for seed in range(6)]
    )
]


@pytest.mark.parametrize(("spec", "players", "seed"), GAMES)
def test_every_text_reads_back_as_its_move(spec: str, players: int, seed: int) -> None:
    rng = random.Random(seed)
    words = set()
    for where in random_game(spec, players, rng):
        if rng.random() < 0.3:
            where = richer(where, rng)
        for move in some_moves(where, rng, 20):
            text = format_move(where, move)
            assert parse_move(text, where) == move, text
            words |= set(text.split())
    assert {"wild", "swap", "keep", "pay"} <= words  # the games have been rich enough to say something


@pytest.mark.parametrize(("spec", "players", "seed"), GAMES[:2] + GAMES[3:5])
def test_texts_are_all_different_and_read_back_among_the_legal_moves(spec: str, players: int, seed: int) -> None:
    rng = random.Random(1000 + seed)
    for where in random_game(spec, players, rng):
        if rng.random() < 0.2 and rules.count_moves(where) < 1500:
            legal = rules.legal_moves(where)
            texts = {format_move(where, move): move for move in legal}
            assert len(texts) == len(legal)
            for text in rng.sample(sorted(texts), min(10, len(texts))):
                assert parse_move(text, where, legal=legal) == texts[text]


@pytest.mark.parametrize("effect", ["village 3", "volcano 3 rgw", "gain 2 r", "gain 1 a", "irrigation y", "none"])
@pytest.mark.parametrize("cost", ["", "ga", "rrya"])
def test_full_realms_with_every_effect(effect: str, cost: str) -> None:
    rng = random.Random(f"{effect} {cost}")
    where = position(
        player("y y *", "y", realm="r4g3y3"),
        player("y y y y"),
        centre={"b2": (named("it1", "y", effect, cost), "r2w3"), "a2": (tile("r"), "rgw")},
        gods=[God.LOVE, God.DEATH],
    )
    for family in rules.families(where):
        if family.cell in (None, CELLS.index("b2")):
            moves = list(islice(family.moves(), 4000))
            for move in rng.sample(moves, min(12, len(moves))):
                assert parse_move(format_move(where, move), where) == move


# ------------------------------------------------------------------------------------------- worshipers


@pytest.mark.parametrize("seed", range(4))
def test_ways_reach_exactly_the_realms_of_the_rules(seed: int) -> None:
    """Whatever the rules allow has a way of playing it, and nothing else has."""
    rng = random.Random(seed)
    every_realm = [
        Worshipers(*counts)
        for counts in product(range(REALM_LIMIT + 1), repeat=len(Colour))
        if sum(counts) <= REALM_LIMIT
    ]
    assert len(every_realm) == 3003
    checked = 0
    for where in random_game(f"random:{seed}", 2, rng):
        if rng.random() < 0.4:
            where = richer(where, rng)
            family = rng.choice(rules.families(where))
            turn = economy(where, family.cell, family.god, family.wild, family.validated)
            if turn.start.total <= 14:
                reached = {realm for realm in every_realm if find_way(turn, realm) is not None}
                assert reached == family.realms
                checked += 1
    assert checked


def replayed(turn: Economy, realm: Worshipers) -> int:
    """Plays a way step by step, as the rules have the steps; the number of exchanges."""
    way = find_way(turn, realm)
    assert way is not None
    held = turn.start
    for step, exchanges in ((0, way.before), (1, way.after)):
        if step:
            held = held.minus(way.paid).plus(way.gained)
            assert min(held) >= 0
        for giver, taker in exchanges:
            assert giver != taker
            held = held.changed(giver, -3)
            assert min(held) >= 0
            held = held.changed(taker, +1)
    assert way.paid.covers(turn.cost) and way.paid.total == turn.cost.total + turn.any_cost
    assert way.given.total == turn.given
    assert way.gained.total == turn.gain.total + turn.gain_any and way.gained.covers(turn.gain)
    held = held.minus(way.given)
    assert min(held) >= 0
    assert way.discarded.total == max(0, held.total - REALM_LIMIT)
    assert held.minus(way.discarded) == realm
    return len(way.before) + len(way.after)


def fewest_exchanges(turn: Economy, realm: Worshipers) -> int:
    """By trying: realms after each number of exchanges, before and after the payment."""

    def step(realms: frozenset[Worshipers]) -> frozenset[Worshipers]:
        return frozenset(after for each in realms for after in rules.one_exchange(each))

    before = frozenset({turn.start})
    best: int | None = None
    for early in range(8):
        held = rules.after_paying(before, turn.cost, turn.any_cost)
        if turn.gain.total:
            held = frozenset(each.plus(turn.gain) for each in held)
        if turn.gain_any:
            held = rules.after_gaining(held, turn.gain_any, ())
        for late in range(8 - early):
            if realm in rules.within_limit(rules.after_giving_back(held, turn.given)):
                best = early + late if best is None else min(best, early + late)
                break
            held = step(held)
        before = step(before)
    assert best is not None, (turn, realm)
    return best


@pytest.mark.parametrize("seed", range(8))
def test_a_way_can_be_played_and_no_other_takes_fewer_exchanges(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(12):
        start = some_realm(rng).plus(some_realm(rng))
        kind = rng.randrange(4)
        cost = NOBODY.changed(rng.choice(COLOURS), rng.randrange(3))
        cost = cost.changed(rng.choice(COLOURS), rng.randrange(2))
        turn = Economy(
            start,
            cost,
            rng.randrange(3),
            given=rng.randrange(1, 5) if kind == 1 else 0,
            gain=NOBODY.changed(rng.choice(COLOURS), 2) if kind == 2 else NOBODY,
            gain_any=1 if kind == 3 else 0,
        )
        realms = set(_few_exchanges(turn))
        for realm in rng.sample(sorted(realms), min(4, len(realms))):
            assert replayed(turn, realm) == fewest_exchanges(turn, realm)


def _few_exchanges(turn: Economy) -> Iterator[Worshipers]:
    """Realms that at most three exchanges leave."""
    realms = frozenset({turn.start})
    for _ in range(4):
        held = rules.after_paying(realms, turn.cost, turn.any_cost)
        held = rules.after_gaining(held, turn.gain_any, ()) if turn.gain_any else held
        held = frozenset(each.plus(turn.gain) for each in held)
        yield from rules.within_limit(rules.after_giving_back(held, turn.given))
        realms = frozenset(after for each in realms for after in rules.one_exchange(each))


def test_two_worshipers_each_cannot_be_exchanged_in_a_circle() -> None:
    """The sums would come out (2 - 3 + 1 = 0 of both), but neither exchange can begin."""
    assert find_way(Economy(some("r2g2")), NOBODY) is None
    # With three of another colour to start it, the same circle can be played.
    way = find_way(Economy(some("r2g2b3")), some("y"))
    assert way is not None and way.before == ((2, 0), (0, 1), (1, 3))


def test_an_exchange_of_what_was_gained_comes_after_the_gain() -> None:
    where = position(player("r", realm="r"), centre={"a3": named("gn2", "r", "gain 2 r")})
    move = parse_move("gn2 1L swap r3>b", where)
    assert move.realm == some("b")
    assert format_move(where, move) == "a3 gn2 1L gain r2 swap r3>b"


def test_what_is_gained_cannot_pay() -> None:
    where = position(player("r", realm="g2"), centre={"a3": named("gn2", "r", "gain 2 r", "r")})
    assert "cannot pay" in str(refusal("gn2 1L", where))


# ------------------------------------------------------------------------------------------------- JSON


@pytest.mark.parametrize(("spec", "players", "seed"), GAMES[2:5])
def test_json_reads_back(spec: str, players: int, seed: int) -> None:
    rng = random.Random(seed)
    for where in random_game(spec, players, rng):
        if rng.random() < 0.3:
            where = richer(where, rng)
            for move in some_moves(where, rng, 12):
                data = move_to_json(where, move)
                assert move_from_json(data, where) == move
                assert move_from_json(data, where, legal={move}) == move
                assert parse_move(data["text"], where) == move


def test_json_of_a_described_tile_names_it_as_positions_do() -> None:
    described = tile("y", "none")._replace(id="yellow_L1_free_none_0cp", described=True)
    where = position(player("y"), centre={"a3": described})
    move = parse_move("a3 1L", where)
    data = move_to_json(where, move)
    assert data["tile"] == "yellow L1 free none 0cp"
    assert move_from_json(data, where) == move
    assert move_from_json(data | {"tile": described.id}, where) == move


def test_the_package_offers_moves_as_json() -> None:
    assert notation.move_to_json is move_to_json
    assert notation.move_from_json is move_from_json


def test_json_form() -> None:
    where = positions()["middle"]
    move = parse_move("volc 2.4 pay yw remove a2:r2 b2:g2", where)
    assert move_to_json(where, move) == {
        "text": "b3 volc 2.4 pay yw valid remove a2:r2 b2:g2",
        "cell": "b3",
        "tile": "volc",
        "slot": {"row": 2, "column": 4},
        "wild": False,
        "validated": True,
        "removed": [{"cell": "a2", "colour": "red", "number": 2}, {"cell": "b2", "colour": "green", "number": 2}],
        "realm": {"red": 3, "green": 2, "blue": 0, "yellow": 0, "white": 0},
    }
    assert move_to_json(where, parse_move("death cancelled", where)) == {
        "text": "god death cancelled",
        "god": "death",
        "validated": False,
        "realm": {"red": 3, "green": 2, "blue": 0, "yellow": 0, "white": 1},
    }


@pytest.mark.parametrize(
    ("change", "place", "says"),
    [
        ([], "move", "expected a table"),
        ({"cell": "d4"}, "move, cell", '"d4"'),
        ({"cell": None}, "move, cell", "nothing"),
        ({"god": "love"}, "move", "both"),
        ({"tile": "vill"}, "move, tile", '"volc"'),
        ({"slot": {"row": 5, "column": 1}}, "move, slot, row", "from 1 to 4"),
        ({"slot": {"row": 4, "column": 3}}, "move, slot, column", "from 1 to 2"),
        ({"slot": [2, 4]}, "move, slot", "expected a table"),
        ({"slot": {"row": 2, "column": 3}}, "move", "expected a red tile"),
        ({"wild": 1}, "move, wild", "true or false"),
        ({"wild": True}, "move", "wilderness has no effect"),
        ({"validated": "yes"}, "move, validated", "true or false"),
        ({"validated": False}, "move", "cancelled volcano"),
        ({"removed": {}}, "move, removed", "expected a list"),
        ({"removed": []}, "move", "expected exactly 4 worshipers removed"),
        ({"removed": [{"cell": "a2", "colour": "mauve", "number": 4}]}, "move, removed[1], colour", "mauve"),
        ({"removed": [{"cell": "a2", "colour": "red", "number": 0}]}, "move, removed[1], number", "from 1"),
        ({"removed": [{"cell": "a2", "colour": "red", "number": 4}]}, "move", "at most 2 red"),
        ({"realm": {"red": -1}}, "move, realm, red", "-1"),
        ({"realm": {"rouge": 1}}, "move, realm", "rouge"),
        ({"realm": 7}, "move, realm", "expected worshipers"),
        ({"realm": {"red": 4, "green": 1}}, "move", "expected a realm"),
        ({"cel": "b3"}, "move", "nearest: cell"),
    ],
)
def test_malformed_json(change: object, place: str, says: str) -> None:
    where = positions()["middle"]
    good = move_to_json(where, parse_move("volc 2.4 pay yw remove a2:r2 b2:g2", where))
    with pytest.raises(InputError) as caught:
        move_from_json({**good, **change} if isinstance(change, dict) else change, where)
    problems = caught.value.problems
    assert any(problem.place == place and says in problem.message for problem in problems), problems


def test_json_lists_all_problems_at_once() -> None:
    with pytest.raises(InputError) as caught:
        move_from_json({"cell": "z9", "slot": 3, "wild": "no", "realm": {"red": "x"}}, positions()["middle"])
    assert len(caught.value.problems) == 4


# ------------------------------------------------------------------------------------------ any text at all

WORDS = [
    "a3",
    "b2",
    "c1",
    "d4",
    "b3",
    "vill",
    "volc",
    "irri",
    "temp",
    "pro",
    "ask",
    "plain",
    "love",
    "death",
    "god",
    "wild",
    "w",
    "valid",
    "cancelled",
    "pay",
    "gain",
    "give",
    "keep",
    "left",
    "right",
    "l",
    "r",
    "1L",
    "1R",
    "1",
    "2",
    "3",
    "2.3",
    "2.4",
    "4.2",
    "9.9",
    "row",
    "col",
    "swap",
    "r3>b",
    "g3>y",
    "y>g",
    ">",
    ":",
    "r",
    "r2",
    "gby",
    "w2",
    "-",
    "none",
    "free",
    "discard",
    "remove",
    "a2:r2",
    "b2:g2",
    "a2:r99",
    "r999",
    "r9999",
    "up",
    "face",
    "down",
    ",",
    "=",
    "2/4",
    "exchange",
    "for",
    "rrr",
    "²",
    "٣",
    "\x00",
    "\u200b",
]


@pytest.mark.parametrize("seed", range(4))
def test_any_words_are_a_move_or_a_problem(seed: int) -> None:
    rng = random.Random(seed)
    names = ("early", "middle", "full", "first")
    read = 0
    for _ in range(150):
        where = positions()[rng.choice(names)]
        words = [rng.choice(WORDS) for _ in range(rng.randrange(6))]
        if rng.random() < 0.5:
            words += [rng.choice(CELLS), rng.choice(("2.3", "2.4", "1L", "1R", "wild 2.4", "wild 1L"))]
            rng.shuffle(words)
        text = rng.choice((" ", " ", ", ")).join(words)
        try:
            move = parse_move(text, where)
        except InputError as error:
            assert error.problems and all(problem.message for problem in error.problems)
        else:
            expect_legal(where, move)
            read += 1
    assert read


@pytest.mark.parametrize("seed", range(4))
def test_damaged_texts_are_a_move_or_a_problem(seed: int) -> None:
    rng = random.Random(seed)
    where = richer(positions()["middle"], rng)
    for move in some_moves(where, rng, 40):
        text = list(format_move(where, move))
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(text))
            text[at : at + rng.randrange(2)] = rng.choice("rgbyw123456789.:> LRxa-")
        try:
            expect_legal(where, parse_move("".join(text), where))
        except InputError as error:
            assert error.problems


def test_texts_made_to_take_long_are_refused() -> None:
    """Each of them would keep a reader that tries everything busy for longer than anybody waits."""
    where = positions()["middle"]
    hard = [
        "left r " * 50,
        "pay" + " r" * 180,
        "b2 b3 " * 60,
        "swap " + "r3>b " * 60,
        "swap r999>b333",
        "x" * 5000,
        "b2 2.4 swap r3>b g3>b w3>b b3>y gain y keep y10",
    ]
    for text in hard:
        assert refusal(text, where).problems


@pytest.mark.parametrize("crowd", ["r56", "r28g28", "y50w6"])
def test_crowded_cells(crowd: str) -> None:
    """A cell may hold 56: exchanging nearly all of them away is legal, and still has a text."""
    where = position(player("y y", realm="r5g5"), centre={"b2": (named("big", "y", "gain 2 w", "ywa"), crowd)})
    turn = economy(where, 4, None, False, True)
    for realm in ("w10", "r2g2b2y2w2"):
        assert replayed(turn, some(realm)) >= 0
        move = Move(4, None, Slot(1, 0), False, True, (), some(realm))
        assert parse_move(format_move(where, move), where) == move


def test_a_move_that_cannot_be_has_no_text() -> None:
    where = positions()["early"]
    good = parse_move("b3 1L", where)
    for bad in (
        good._replace(realm=some("r9")),
        good._replace(god=God.LOVE),
        good._replace(cell=None),
        good._replace(cell=9),
        good._replace(slot=None),
    ):
        with pytest.raises(InputError):
            format_move(where, bad)
