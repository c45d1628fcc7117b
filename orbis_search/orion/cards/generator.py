"""Random card sets: valid, playable, and free of everything we merely guess about the real box.

Colours, costs and effects are not tied to each other, and every op comes up somewhere. Whatever works on these works on
any box.
"""

from __future__ import annotations

from collections.abc import Callable

from ...base.dice import Dice
from ...base.options import SEED, expect
from ..game import cards as printed
from ..game.cards import (
    COUNTS,
    FREE,
    PLAIN_EXPLOIT,
    PLAIN_LEVELS,
    PLAIN_TRADE,
    RANDOM_PREFIX,
    Advisor,
    CardSet,
    Condition,
    Effect,
    Exploit,
    LevelLine,
    Op,
    Options,
    Price,
    Race,
    Structure,
)
from ..game.vocabulary import HUMANS, NOTHING, Cell, Colour, Resources, When
from .files import BOX

_COST_SIZES = {1: 2.0, 2: 4.0, 3: 4.0, 4: 3.0, 5: 2.0, 6: 1.0}
_ALIENS = 6
_WHO = ("chosen", "each")


def random_card_set(seed: int) -> CardSet:
    """A valid card set that depends on nothing but the seed.

    >>> random_card_set(7) == random_card_set(7), random_card_set(7) == random_card_set(8)
    (True, False)
    """
    dice = Dice(expect("seed", seed, SEED))
    # 1. Every op somewhere: each is due once before any comes up by chance.
    due = dice.shuffled([*_ACTIVE, *_PASSIVE])
    structures = []
    for colour in Colour:
        left, number = BOX[colour.word], 0
        while left:
            copies = min(left, dice.weighted({1: 1.0, 2: 5.0, 3: 1.0}))
            number, left = number + 1, left - copies
            structures.append(_structure(dice, f"{colour.word}-{number}", colour, copies, due))
    advisors = tuple(_advisor(dice, n, due) for n in range(BOX["advisors"]))
    races = (_race(dice, HUMANS, 9, plain=True), *(_race(dice, f"race-{n + 1}", 6) for n in range(_ALIENS)))
    options = Options(dice.weighted({"on_demand": 3.0, "at_once": 1.0}), dice.weighted({"four": 3.0, "literal": 1.0}))
    name = f"{RANDOM_PREFIX}{seed}"
    return CardSet(name, "random", tuple(structures), advisors, races, options)


# --- cards and boards


def _structure(dice: Dice, card_id: str, colour: Colour, copies: int, due: list[_Maker]) -> Structure:
    cost = _resources(dice, dice.weighted(_COST_SIZES))
    income = _resources(dice, dice.weighted({0: 4.0, 1: 4.0, 2: 1.0}))
    effects = tuple(_effect(dice, due) for _ in range(dice.weighted({0: 1.0, 1: 6.0, 2: 1.5})))
    effects = _with_one_activation(effects)
    vp: int | None = max(0, round(_worth(cost) / 5 * dice.factor(1.6)) - income.total)
    if dice.chance(0.12):
        effects, vp = (*effects[:2], _scoring(dice)), None
    return Structure(card_id, (), effects, (), colour, copies, cost, income, vp, dice.chance(0.15))


def _advisor(dice: Dice, number: int, due: list[_Maker]) -> Advisor:
    founds = number == 0
    effects = _with_one_activation((_effect(dice, due), *([_effect(dice, due)] if dice.chance(0.3) else [])))
    coloured, priced = dice.chance(0.1), dice.chance(0.1)
    colour = dice.one_of(tuple(Colour)) if coloured else None
    return Advisor(
        f"advisor-{number + 1}", (), effects, (), founds, founds, founds and dice.chance(0.7), colour, 2 * priced
    )


def _race(dice: Dice, race_id: str, size: int, *, plain: bool = False) -> Race:
    start = _resources(dice, size)
    if plain:
        return Race(race_id, start=start)
    effects: tuple[Effect, ...] = ()
    low, medium, high = PLAIN_LEVELS
    exploit = list(PLAIN_EXPLOIT)
    research, trade = 2, PLAIN_TRADE
    match dice.below(6):
        case 0:
            high = LevelLine(dice.between(4, 6), -dice.below(3), dice.below(2))
        case 1:
            low = LevelLine(dice.between(3, 4), 1, dice.below(3))
        case 2:
            exploit[dice.below(4)] = Exploit(_resources(dice, dice.between(1, 3)), dice.below(2))
        case 3:
            research = 3
        case 4:
            trade = Resources(dice.between(2, 3), 2, 1)
        case _:
            may = dice.chance(0.5)
            do = (dice.one_of(_ACTIVE)(dice, When.START_OF_ROUND),)
            effects = (Effect(When.START_OF_ROUND, _away_from_place(do), may=may, pay=_price(dice) if may else FREE),)
    blue, red, yellow, grey = exploit
    return Race(race_id, (), effects, (), start, research, (low, medium, high), (blue, red, yellow, grey), trade)


def _away_from_place(ops: tuple[Op, ...]) -> tuple[Op, ...]:
    """A board is in no system and has no cells."""
    wrong = (printed.GainCovered, printed.FillR)
    plain = printed.Gain(Resources(food=1))
    ops = tuple(plain if isinstance(op, wrong) else op for op in ops)
    return tuple(plain if isinstance(op, printed.Build) and op.this_system else op for op in ops)


def _resources(dice: Dice, total: int) -> Resources:
    amounts = [0, 0, 0]
    for _ in range(total):
        amounts[dice.weighted({0: 3.0, 1: 2.0, 2: 1.0})] += 1
    return Resources(*(min(9, amount) for amount in amounts))


def _worth(resources: Resources) -> int:
    """In sixths of a production, by the trade rate."""
    return 2 * resources.food + 3 * resources.fleet + 6 * resources.production


# --- effects

_Maker = Callable[[Dice, When], Op]
_TIMES = {
    When.ACTIVATION: 4.0,
    When.AFTER_BUILDING: 4.0,
    When.AFTER_ATTACK: 2.0,
    When.AFTER_ATTACKED: 1.0,
    When.START_OF_ROUND: 2.0,
}


def _effect(dice: Dice, due: list[_Maker]) -> Effect:
    maker = due.pop() if due else dice.one_of((*_ACTIVE, *_PASSIVE))
    if maker in _PASSIVE:
        return Effect(When.ALWAYS, (maker(dice, When.ALWAYS),), condition=_condition(dice, 0.1))
    when = dice.weighted(_TIMES)
    ops = [maker(dice, when)]
    if dice.chance(0.15):
        ops.append(dice.one_of(_ACTIVE)(dice, when))
    may = dice.chance(0.3)
    return Effect(
        when,
        tuple(ops),
        Cell.A if when is When.ACTIVATION else Cell.R if dice.chance(0.2) else Cell.NONE,
        dice.chance(0.1),
        may,
        _price(dice) if dice.chance(0.5 if may else 0.1) else FREE,
        _condition(dice, 0.15),
    )


def _with_one_activation(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    active = [effect for effect in effects if effect.when is When.ACTIVATION]
    return tuple(effect for effect in effects if effect.when is not When.ACTIVATION or effect is active[0])


def _condition(dice: Dice, chance: float) -> Condition | None:
    return Condition(dice.one_of(COUNTS), dice.between(1, 2)) if dice.chance(chance) else None


def _price(dice: Dice) -> Price:
    match dice.below(5):
        case 0:
            return Price(vp=1)
        case 1:
            return Price(cubes=1)
        case 2:
            return Price(cards=dice.between(1, 2))
    return Price(_resources(dice, dice.between(1, 2)))


def _scoring(dice: Dice) -> Effect:
    return Effect(When.END_OF_GAME, (printed.Score(dice.between(1, 2), dice.one_of(COUNTS), dice.between(1, 3)),))


def _who(dice: Dice, when: When) -> str:
    in_attack = when in (When.AFTER_ATTACK, When.AFTER_ATTACKED)
    return "target" if in_attack and dice.chance(0.6) else dice.one_of(_WHO)


def _small_gain(dice: Dice) -> printed.Gain:
    match dice.below(6):
        case 0:
            return printed.Gain(vp=1)
        case 1:
            return printed.Gain(loyalty=dice.between(1, 2))
        case 2:
            return printed.Gain(cubes=1)
    return printed.Gain(_resources(dice, dice.between(1, 3)))


def _gain(dice: Dice, when: When) -> Op:
    if dice.chance(0.3):
        return printed.Gain(_resources(dice, 1), times=dice.one_of(COUNTS), every=dice.between(1, 2))
    return _small_gain(dice)


def _inner(dice: Dice) -> tuple[Op, ...]:
    ops: list[Op] = [printed.Draw(1), printed.Discard(1), _small_gain(dice), _small_gain(dice)]
    return (dice.one_of(ops),)


def _loss(dice: Dice) -> tuple[Op, ...]:
    match dice.below(4):
        case 0:
            return (printed.Gain(loyalty=-1),)
        case 1:
            return (printed.Gain(NOTHING.minus(_resources(dice, 1))),)
        case 2:
            return (printed.Gain(vp=-1),)
    return (printed.Discard(dice.between(1, 2)),)


def _opponents(dice: Dice, when: When) -> Op:
    who = _who(dice, when)
    if dice.chance(0.5):
        return printed.Opponents(who, either=(_loss(dice), (printed.Gain(loyalty=-1),)))
    return printed.Opponents(who, _loss(dice))


def _build(dice: Dice, when: When) -> Op:
    filters = tuple(dice.one_of((None, *Colour)) for _ in range(dice.between(1, 2)))
    return printed.Build(filters, dice.chance(0.3), dice.below(3))


def _gain_covered(dice: Dice, when: When) -> Op:
    blue, red, yellow, grey = (_resources(dice, dice.below(3)) for _ in Colour)
    return printed.GainCovered((blue, red, yellow, grey))


_ACTIVE: tuple[_Maker, ...] = (
    _gain,
    lambda dice, when: printed.Choose(tuple(_inner(dice) for _ in range(dice.between(2, 3)))),
    lambda dice, when: printed.Draw(number := dice.between(1, 4), min(number - 1, dice.below(2))),
    lambda dice, when: printed.Discard(1),
    lambda dice, when: printed.Exchange(_resources(dice, dice.between(1, 3)), _resources(dice, dice.between(1, 3))),
    lambda dice, when: printed.TakeDiscard(dice.below(5), dice.between(1, 2)),
    _build,
    lambda dice, when: printed.Activate(dice.below(3), dice.chance(0.7)),
    _gain_covered,
    lambda dice, when: printed.Reorder(dice.chance(0.3)),
    lambda dice, when: printed.FillR(),
    _opponents,
    lambda dice, when: printed.Bury(_who(dice, when)),
    lambda dice, when: printed.FillCell(_who(dice, when), dice.chance(0.4)),
    lambda dice, when: printed.DismissAdvisor(_who(dice, when)),
)
_PASSIVE: tuple[_Maker, ...] = (
    lambda dice, when: printed.Discount(dice.between(1, 2), dice.chance(0.4), dice.one_of((None, None, *Colour))),
    lambda dice, when: printed.AttackBonus(dice.between(1, 2)),
    lambda dice, when: printed.DefenceBonus(dice.between(1, 2)),
    lambda dice, when: printed.AttackCost(dice.one_of((-1, 1)), dice.chance(0.6)),
    lambda dice, when: printed.KeepCube(),
)
