"""Card sets as plain data, in the keys and words of their files: what both TOML and JSON are written from."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...base.toml import toml_string
from ..game import cards as printed
from ..game.cards import (
    FREE,
    PLAIN_EXPLOIT,
    PLAIN_LEVELS,
    PLAIN_RESEARCH,
    PLAIN_TRADE,
    Advisor,
    CardSet,
    Effect,
    Op,
    Race,
    Structure,
)
from ..game.vocabulary import LOYALTY_SIGN, RESOURCE_WORDS, Cell, Colour, Level, Resources
from .reading import op_name

Data = dict[str, Any]


def toml_value(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_value(each)}" for key, each in value.items()) + " }" if value else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return toml_string(value) if isinstance(value, str) else str(value)


def amounts(resources: Resources) -> Data:
    return {word: amount for word, amount in zip(RESOURCE_WORDS, resources) if amount}


# --- cards and boards


def card_set_data(cards: CardSet) -> Data:
    counts: Counter[str] = Counter()
    for card in cards.structures:
        counts[card.colour.word] += card.copies
    return {
        "set": {
            "name": cards.name,
            "status": cards.status,
            "expect": {colour.word: counts[colour.word] for colour in Colour} | {"advisors": len(cards.advisors)},
            "options": {"reshuffle": cards.options.reshuffle, "full_systems": cards.options.full_systems},
        },
        "structure": [structure_data(card) for card in cards.structures],
        "advisor": [advisor_data(card) for card in cards.advisors],
        "race": [race_data(race) for race in cards.races],
    }


def _head(card: Structure | Advisor | Race) -> Data:
    return {"id": card.id} | ({"name": dict(card.names)} if card.names else {})


def _tail(card: Structure | Advisor | Race) -> Data:
    known = {"known": dict(card.known)} if card.known else {}
    return known | ({"effect": [effect_data(effect) for effect in card.effects]} if card.effects else {})


def structure_data(card: Structure) -> Data:
    return (
        _head(card)
        | {
            "colour": card.colour.word,
            "copies": card.copies,
            "cost": amounts(card.cost),
            "income": amounts(card.income),
            "vp": "?" if card.vp is None else card.vp,
        }
        | ({"build_loyalty": LOYALTY_SIGN} if card.loyalty_sign else {})
        | _tail(card)
    )


def advisor_data(card: Advisor) -> Data:
    flags = {key: True for key in ("founds_system", "permanent", "works_covered") if getattr(card, key)}
    colour = {} if card.colour is None else {"colour": card.colour.word}
    return _head(card) | flags | colour | ({"vp": card.vp} if card.vp else {}) | _tail(card)


def race_data(race: Race) -> Data:
    """Without what equals the plain board."""
    data = _head(race) | {"start": amounts(race.start)}
    if race.research != PLAIN_RESEARCH:
        data["research"] = race.research
    for level in reversed(Level):
        line = race.at(level)
        if line != PLAIN_LEVELS[level]:
            data[level.word] = {"cubes": line.cubes, "loyalty": line.loyalty, "draw": line.draw}
    changed = {}
    for colour in Colour:
        rate = race.exploit[colour]
        if rate != PLAIN_EXPLOIT[colour]:
            extra = {"draw": rate.draw, "discard": rate.discard}
            changed[colour.word] = amounts(rate.resources) | {key: n for key, n in extra.items() if n}
    if changed:
        data["exploit"] = changed
    if race.trade != PLAIN_TRADE:
        data["trade"] = amounts(race.trade)
    return data | _tail(race)


# --- effects


def effect_data(effect: Effect) -> Data:
    data: Data = {"when": effect.when.value}
    if effect.cell is Cell.R:
        data["cell"] = effect.cell.value
    if effect.loyalty_sign:
        data["loyalty"] = LOYALTY_SIGN
    if effect.may:
        data["may"] = True
    if effect.pay != FREE:
        price = effect.pay
        extra = {"vp": price.vp, "cube": price.cubes, "card": price.cards}
        data["pay"] = amounts(price.resources) | {key: number for key, number in extra.items() if number}
    if effect.condition is not None:
        data["if"] = {"count": effect.condition.count, "least": effect.condition.least}
    data["do"] = ops_data(effect.do)
    return data


def ops_data(ops: tuple[Op, ...]) -> list[Data]:
    return [{"op": op_name(op), **_fields(op)} for op in ops]


def options_data(options: tuple[tuple[Op, ...], ...]) -> list[list[Data]]:
    return [ops_data(ops) for ops in options]


def _fields(op: Op) -> Data:
    """Without what equals the default."""
    match op:
        case printed.Gain():
            numbers = {"vp": op.vp, "loyalty": op.loyalty, "cubes": op.cubes}
            times = {"times": op.times} if op.times else {}
            return amounts(op.resources) | {key: n for key, n in numbers.items() if n} | times | _every(op.every)
        case printed.Choose():
            return {"options": options_data(op.options)}
        case printed.Draw():
            return {"n": op.n} | ({"discard": op.discard} if op.discard else {})
        case printed.Exchange():
            return {"left": amounts(op.left), "right": amounts(op.right)}
        case printed.TakeDiscard():
            return {"top": op.top, "keep": op.keep}
        case printed.Build():
            filters = ["any" if colour is None else colour.word for colour in op.filters]
            return {"filters": filters} | _where(op.this_system) | ({"discount": op.discount} if op.discount else {})
        case printed.Activate():
            return {"n": op.n} | ({} if op.other else {"other": False})
        case printed.GainCovered():
            return {colour.word: amounts(op.table[colour]) for colour in Colour if op.table[colour].total}
        case printed.Reorder():
            return {"systems": "all" if op.every else 1}
        case printed.Discount():
            colour = {} if op.colour is None else {"colour": op.colour.word}
            return {"n": op.n} | _where(op.this_system) | colour
        case printed.AttackCost():
            return {"n": op.n, "whose": "on_me" if op.on_me else "mine"}
        case printed.Opponents():
            return {"who": op.who} | ({"either": options_data(op.either)} if op.either else {"do": ops_data(op.do)})
        case printed.FillCell():
            return {"who": op.who} | ({"chooser": "them"} if op.theirs else {})
        case printed.Bury() | printed.DismissAdvisor():
            return {"who": op.who}
        case printed.Score():
            return {"n": op.n, "per": op.per} | _every(op.every)
        case printed.KeepCube() | printed.FillR():
            return {}
    return {"n": op.n}


def _where(here: bool) -> Data:
    return {"where": "this_system"} if here else {}


def _every(every: int) -> Data:
    return {"every": every} if every > 1 else {}
