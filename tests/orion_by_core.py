"""The compiled rules of Master of Orion as tests ask for rules: on positions that may lack cards, since no test needs
all of a box, or have more of one card than a box can. The core has room for three copies of a name: further ones get a
name of their own on the way in (`frigate~2`), and the old one on the way out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from typing import Any

from orbis_search.orion.core import fast_rules
from orbis_search.orion.core.packing import Packing
from orbis_search.orion.game.counting import Points
from orbis_search.orion.game.position import Move, Player, Position, Ref, Task

COPIES = 3
new_game = fast_rules.new_game


def named_apart(position: Position) -> Position:
    seen: Counter[str] = Counter()

    def name(card: str) -> str:
        seen[card] += 1
        number = (seen[card] - 1) // COPIES
        return f"{card}~{number + 1}" if number else card

    # Working cards first: what is pending is about them.
    players = list(position.players)
    for seat, player in enumerate(players):
        tops = tuple(s._replace(cards=(*s.cards[:-1], name(s.cards[-1]))) if s.cards else s for s in player.systems)
        players[seat] = player._replace(systems=tops)
    for seat, player in enumerate(players):
        hand: dict[str, Any] = {part: tuple(map(name, getattr(player, part))) for part in ("known", "old", "fresh")}
        whole = tuple(s._replace(cards=(*map(name, s.cards[:-1]), *s.cards[-1:])) for s in player.systems)
        players[seat] = player._replace(systems=whole, **hand)
    deck, pile = tuple(map(name, position.deck)), tuple(map(name, position.pile))
    more = [
        replace(card, id=f"{card.id}~{number + 1}")
        for card in position.cards.structures
        for number in range(1, (seen[card.id] + COPIES - 1) // COPIES)
    ]
    cards = replace(position.cards, structures=(*position.cards.structures, *more))
    return position._replace(cards=cards, players=tuple(players), deck=deck, pile=pile)


def plain(card: str) -> str:
    return card.partition("~")[0]


def renamed(value: Any) -> Any:
    """A part of a position or of a move with the cards' own names."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, (Ref, Player, Move)) or (isinstance(value, tuple) and hasattr(value, "_fields")):
        return type(value)(*map(renamed, value))
    if isinstance(value, tuple):
        return tuple(map(renamed, value))
    if isinstance(value, Task):
        return replace(value, **{f.name: renamed(getattr(value, f.name)) for f in fields(value) if f.name in NAMING})
    return value


NAMING = ("ref", "refs", "among", "drawn")


def _packed(position: Position) -> Packing:
    return Packing(named_apart(position), trusted=True)


def _after(position: Position, packing: Packing) -> Position:
    found = packing.position(packing.state)
    order = position.cards.order

    def in_order(player: Player) -> Player:
        parts = {
            part: tuple(sorted(getattr(player, part), key=lambda card: order[card]))
            for part in ("known", "old", "fresh")
        }
        return player._replace(**parts)

    return found._replace(
        cards=position.cards,
        players=tuple(in_order(renamed(player)) for player in found.players),
        deck=renamed(found.deck),
        pile=renamed(found.pile),
        stack=renamed(found.stack),
    )


def legal_moves(position: Position) -> list[Move]:
    packing = _packed(position)
    return list(dict.fromkeys(renamed(packing.unpack_move(move)) for move in packing.state.moves()))


def play(position: Position, move: Move) -> Position:
    packing = _packed(position)
    packing.state.apply(next(each for each in packing.state.moves() if renamed(packing.unpack_move(each)) == move))
    return _after(position, packing)


def draws(position: Position) -> list[tuple[str, int]]:
    packing = _packed(position)
    found: Counter[str] = Counter()
    for card, number in packing.state.draws():
        found[plain(packing.printing.card(card))] += number
    return sorted(found.items(), key=lambda drawn: position.cards.order[drawn[0]])


def draw(position: Position, card: str) -> Position:
    packing = _packed(position)
    packing.state.draw(packing.printing.numbers[next(each for each in packing.origin.deck if plain(each) == card)])
    return _after(position, packing)


def standings(position: Position) -> list[Points]:
    return [Points(*sources) for sources in _packed(position).state.points()]


def winners(position: Position) -> list[int]:
    return [seat for seat, share in enumerate(_packed(position).state.shares()) if share]


def end_reasons(position: Position) -> list[str]:
    return _packed(position).state.end_reasons()
