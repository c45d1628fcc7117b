"""What is printed on the cards of one game, as the numbers of the core's table (see _core/orion/cards.pxd)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...base.errors import InputError
from ...base.language import _
from ..game import cards as printed
from ..game.cards import COUNTS, WHO, Advisor, CardSet, Effect, Op, Race, Structure
from ..game.position import Position
from ..game.vocabulary import ATTACKS, SYSTEMS, Cell, Colour, When
from ..game.vocabulary import NOTHING as NO_RESOURCES
from .states import ADVISORS_FROM, MOST_ADVISORS, MOST_CARDS, MOST_NAMES, RACES_FROM, Table

NO_COLOUR = len(Colour)
NO_COUNT = 255
MOST_COPIES = 3
WHENS = tuple(When)
CELLS = tuple(Cell)
KINDS: tuple[type, ...] = (
    printed.Gain,
    printed.Choose,
    printed.Draw,
    printed.Discard,
    printed.Exchange,
    printed.TakeDiscard,
    printed.Build,
    printed.Activate,
    printed.GainCovered,
    printed.Reorder,
    printed.Discount,
    printed.AttackBonus,
    printed.DefenceBonus,
    printed.AttackCost,
    printed.KeepCube,
    printed.FillR,
    printed.Opponents,
    printed.Bury,
    printed.FillCell,
    printed.DismissAdvisor,
    printed.Score,
)
Ops = tuple[Op, ...]
Options = tuple[Ops, ...]


class Printing:
    """Numbers for the cards, effects and ops of one game. What is pending in its position has numbers too, wherever it
    comes from."""

    def __init__(self, position: Position) -> None:
        cards = position.cards
        self.copies = _copies(position)
        _expect_fitting(cards, self.copies)
        out = [*position.advisors, *(player.advisor for player in position.players if player.advisor)]
        self.cards = cards
        self.structures = [card.id for card in cards.structures]
        self.advisors = sorted(out)
        self.races = [player.race for player in position.players]
        self.numbers = {card_id: number for number, card_id in enumerate(self.structures)}
        self.numbers |= {card_id: ADVISORS_FROM + number for number, card_id in enumerate(self.advisors)}
        self.ops: list[Op] = []
        self.lists: list[Ops] = []
        self._ops_at: dict[Ops, int] = {}
        self._lists_at: dict[Options, int] = {}
        self._fields: list[tuple[Any, ...]] = []
        self._list_fields: list[tuple[int, int]] = []
        self._effects: list[tuple[Any, ...]] = []
        self._printed: dict[int, tuple[Any, ...]] = {}
        for card in cards.structures:
            self._print(self.numbers[card.id], card)
        for advisor in self.advisors:
            self._print(self.numbers[advisor], cards.advisor[advisor])
        for seat, race in enumerate(self.races):
            self._print(RACES_FROM + seat, cards.race[race])

    def table(self, players: int, *, peeks: bool = False, course: int | None = None) -> Table:
        boards = {RACES_FROM + seat: _board(self.cards.race[race]) for seat, race in enumerate(self.races)}
        options = self.cards.options
        return Table(
            self._printed,
            boards,
            self._effects,
            self._fields,
            self._list_fields,
            players,
            len(self.structures),
            len(self.advisors),
            most_attacks=ATTACKS[players],
            least_systems=SYSTEMS if options.full_systems == "four" else 1,
            at_once=options.reshuffle == "at_once",
            peeks=peeks,
            course=course,
        )

    def number(self, card: str, owner: int) -> int:
        """Of a structure or an advisor, or of the owner's board."""
        return self.numbers[card] if card in self.numbers else RACES_FROM + owner

    def card(self, number: int) -> str:
        if number < ADVISORS_FROM:
            return self.structures[number]
        return self.advisors[number - ADVISORS_FROM] if number < RACES_FROM else self.races[number - RACES_FROM]

    # --- ops

    def ops_at(self, ops: Ops) -> int:
        """The number of the first of these ops; they follow each other."""
        if ops not in self._ops_at:
            first = len(self.ops)
            for start in range(len(ops)):
                self._ops_at.setdefault(ops[start:], first + start)
            self.ops += ops
            self._fields += [()] * len(ops)
            for number, op in enumerate(ops, start=first):
                self._fields[number] = self._op(op)
        return self._ops_at[ops]

    def lists_at(self, options: Options) -> int:
        """The number of the first of these lists; they follow each other."""
        if options not in self._lists_at:
            found = [(self.ops_at(ops), len(ops)) for ops in options]
            self._lists_at[options] = len(self.lists)
            self.lists += options
            self._list_fields += found
        return self._lists_at[options]

    def _op(self, op: Op) -> tuple[Any, ...]:
        fields = _fields_of(op)
        options: Options = ()
        if isinstance(op, printed.Choose):
            options = op.options
        elif isinstance(op, printed.Opponents):
            options = op.either or (op.do,)
        return (
            KINDS.index(type(op)),
            WHO.index(getattr(op, "who", WHO[0])),
            int(fields.get("flag", False)),
            NO_COUNT if not fields.get("per") else COUNTS.index(fields["per"]),
            fields.get("every", 1),
            fields.get("n", 0),
            fields.get("m", 0),
            tuple(_colour(colour) for colour in fields.get("colours", ())),
            tuple(fields.get("gain", NO_RESOURCES)),
            tuple(fields.get("right", NO_RESOURCES)),
            fields.get("vp", 0),
            fields.get("loyalty", 0),
            fields.get("cubes", 0),
            tuple(tuple(row) for row in fields.get("covered", (NO_RESOURCES,) * len(Colour))),
            self.lists_at(options) if options else 0,
            len(options),
        )

    # --- cards

    def _print(self, number: int, card: Structure | Advisor | Race) -> None:
        first = len(self._effects)
        self._effects += [self._effect(effect) for effect in card.effects]
        structure = card if isinstance(card, Structure) else None
        advisor = card if isinstance(card, Advisor) else None
        self._printed[number] = (
            _colour(getattr(card, "colour", None)),
            self.copies[structure.id] if structure else 0,
            tuple(structure.cost if structure else NO_RESOURCES),
            tuple(structure.income if structure else NO_RESOURCES),
            getattr(card, "vp", 0) or 0,
            bool(structure and structure.loyalty_sign),
            bool(advisor and advisor.founds_system),
            bool(advisor and advisor.permanent),
            bool(advisor and advisor.works_covered),
            card.has_a,
            card.has_r,
            first,
            len(card.effects),
        )

    def _effect(self, effect: Effect) -> tuple[Any, ...]:
        pay, condition = effect.pay, effect.condition
        return (
            WHENS.index(effect.when),
            CELLS.index(effect.cell),
            effect.loyalty_sign,
            effect.may,
            effect.only_builds,
            tuple(pay.resources),
            pay.vp,
            pay.cubes,
            pay.cards,
            NO_COUNT if condition is None else COUNTS.index(condition.count),
            0 if condition is None else condition.least,
            self.ops_at(effect.do),
            len(effect.do),
        )


def _copies(position: Position) -> Counter[str]:
    """Of each structure, as many as are in the position: all that the set has, in every game that was played."""
    found = Counter((*position.deck, *position.pile))
    for player in position.players:
        found.update(player.hand)
        for system in player.systems:
            found.update(system.cards)
    return found


def _expect_fitting(cards: CardSet, copies: Counter[str]) -> None:
    """InputError for a set that has no room in the core's tables."""
    if len(cards.structures) > MOST_NAMES or len(cards.deck) > MOST_CARDS:
        what = _("at most {names} structures and {cards} cards", names=MOST_NAMES, cards=MOST_CARDS)
        raise InputError.one("structure", _("expected {what}, found {found}", what=what, found=len(cards.structures)))
    if max(copies.values(), default=0) > MOST_COPIES:
        found = max(copies.values())
        raise InputError.one(
            "structure",
            _(
                "expected {what}, found {found}",
                what=_("at most {most} copies of a card", most=MOST_COPIES),
                found=found,
            ),
        )
    for number, advisor in enumerate(cards.advisors, start=1):
        if advisor.founds_system and not advisor.permanent:
            what = _("permanent = true for an advisor who founds a system")
            place = f"advisor {number} ({advisor.id})"
            raise InputError.one(place, _("expected {what}, found {found}", what=what, found="false"))
    assert MOST_ADVISORS >= 5


def _colour(colour: Colour | None) -> int:
    return NO_COLOUR if colour is None else int(colour)


def _board(race: Race) -> tuple[Any, ...]:
    return (
        race.research,
        tuple((line.cubes, line.loyalty, line.draw) for line in race.levels),
        tuple((tuple(each.resources), each.draw, each.discard) for each in race.exploit),
        tuple(race.trade),
    )


def _fields_of(op: Op) -> dict[str, Any]:
    """What an op has besides its kind and whom it is about."""
    match op:
        case printed.Gain():
            fields = {"per": op.times, "every": op.every, "gain": op.resources}
            return fields | {"vp": op.vp, "loyalty": op.loyalty, "cubes": op.cubes}
        case printed.Draw():
            return {"n": op.n, "m": op.discard}
        case printed.Discard() | printed.AttackBonus() | printed.DefenceBonus():
            return {"n": op.n}
        case printed.Exchange():
            return {"gain": op.left, "right": op.right}
        case printed.TakeDiscard():
            return {"n": op.top, "m": op.keep}
        case printed.Build():
            return {"flag": op.this_system, "n": op.discount, "colours": op.filters}
        case printed.Activate():
            return {"n": op.n, "flag": op.other}
        case printed.GainCovered():
            return {"covered": op.table}
        case printed.Reorder():
            return {"flag": op.every}
        case printed.Discount():
            return {"n": op.n, "flag": op.this_system, "colours": (op.colour,)}
        case printed.AttackCost():
            return {"n": op.n, "flag": op.on_me}
        case printed.Opponents():
            return {"flag": bool(op.either)}
        case printed.FillCell():
            return {"flag": op.theirs}
        case printed.Score():
            return {"n": op.n, "per": op.per, "every": op.every}
    return {}
