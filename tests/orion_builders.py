"""Small card sets and positions of Master of Orion, for tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import orion_by_core
import pytest

from orbis_search.orion.cards.library import load_card_set
from orbis_search.orion.game import rules as plain_rules
from orbis_search.orion.game.cards import Advisor, CardSet, Effect, Op, Options, Price, Race, Structure
from orbis_search.orion.game.position import Move, Phase, Player, Position, System
from orbis_search.orion.game.vocabulary import NOTHING, Cell, Colour, Resources, When

# Cards of their own: balancing the built-in set must not change what the tests of the rules say.
CARDS = load_card_set(str(Path(__file__).with_name("orion_cards.toml")))

# Every implementation of the rules. Each offers new_game, legal_moves, play, draws, draw, standings,
# winners and end_reasons, all about readable positions.
IMPLEMENTATIONS = [pytest.param(plain_rules, id="reference"), pytest.param(orion_by_core, id="core")]
chosen: Any = plain_rules


def use(implementation: Any) -> None:
    """From now on, in this module's functions."""
    global chosen
    chosen = implementation


on_every_implementation = [
    pytest.mark.usefixtures("orion"),
    pytest.mark.parametrize("orion", IMPLEMENTATIONS, indirect=True),
]
FULL = Resources(9, 9, 9)


def food(n: int) -> Resources:
    return Resources(food=n)


def fleet(n: int) -> Resources:
    return Resources(fleet=n)


def production(n: int) -> Resources:
    return Resources(production=n)


def card(card_id: str, colour: str = "blue", *effects: Effect, cost: Resources = NOTHING, **more: Any) -> Structure:
    return Structure(card_id, effects=effects, colour=Colour[colour.upper()], cost=cost, **more)


def effect(when: str, *do: Op, **more: Any) -> Effect:
    moment = When(when)
    if "pay" in more:
        more["pay"] = Price(**more["pay"])
    return Effect(moment, do, more.pop("cell", Cell.A if moment is When.ACTIVATION else Cell.NONE), **more)


def card_set(
    *structures: Structure, advisors: tuple[Advisor, ...] = (), races: tuple[Race, ...] = (), **options: str
) -> CardSet:
    """These cards beside those of the reconstruction, which they replace where they have the same id."""
    new = {each.id: each for each in (*structures, *advisors, *races)}

    def merged(old: tuple[Any, ...], kind: type) -> tuple[Any, ...]:
        kept = tuple(each for each in old if each.id not in new)
        return kept + tuple(each for each in new.values() if isinstance(each, kind))

    return CardSet(
        "test",
        "mixed",
        merged(CARDS.structures, Structure),
        merged(CARDS.advisors, Advisor),
        merged(CARDS.races, Race),
        replace(CARDS.options, **options) if options else Options(),
    )


def system(*cards: str, **more: Any) -> System:
    return System(cards, **more)


def side(*systems: System, hand: str = "", race: str = "humans", **more: Any) -> Player:
    """A player with these systems; cubes that are nowhere else are in the reserve."""
    player = Player(race, systems=systems, fresh=tuple(hand.split()), **{"resources": FULL, "available": 2, **more})
    if "reserve" not in more:
        player = player._replace(reserve=10 - player.available - player.on_cards)
    return player


def table(*players: Player, cards: CardSet = CARDS, deck: str = "", pile: str = "", **more: Any) -> Position:
    """A position in the action phase, the first player to act."""
    count = len(players)
    seated = tuple(p if p.attacks else p._replace(attacks=(0,) * count) for p in players)
    fields = {"phase": Phase.ACTIONS, "round": 3, "advisors": (), **more}
    return Position(cards, seated, tuple(deck.split()), tuple(pile.split()), **fields)


def kinds(position: Position) -> set[str]:
    return {move.kind for move in chosen.legal_moves(position)}


def moves(position: Position, kind: str) -> list[Move]:
    return [move for move in chosen.legal_moves(position) if move.kind == kind]


def only(position: Position, kind: str, **fields: Any) -> Move:
    """The one legal move of this kind with these fields."""
    found = [m for m in moves(position, kind) if all(getattr(m, key) == value for key, value in fields.items())]
    assert len(found) == 1, f"{kind} {fields}: {found} of {chosen.legal_moves(position)}"
    return found[0]


def after(position: Position, *steps: str | Move, **fields: Any) -> Position:
    """The position after these moves, each the only one of its kind and card (`build frigate`), draws in deck order."""
    for step in steps:
        if isinstance(step, Move):
            move = step
        else:
            kind, _, name = step.partition(" ")
            move = only(position, kind, **({"card": name} if name else {}), **fields)
        position = drawn(chosen.play(position, move))
    return position


def scored(player: Player, cards: CardSet = CARDS) -> Any:
    """A player's points by source, if the game ended now."""
    return chosen.standings(table(player, side(), cards=cards))[0]


def drawn(position: Position) -> Position:
    while position.draw_due:
        position = chosen.draw(position, position.deck[0])
    return position
