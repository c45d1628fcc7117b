"""A card set as a TOML file: checked, read, written, and a template to fill in beside the box."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...base.errors import InputError
from ...base.language import N_, _, ngettext
from ...base.quoting import shown
from ...base.toml import NotToml, toml_string, toml_tables
from ..game import cards as printed
from ..game.cards import (
    FREE,
    FULL_SYSTEMS,
    PLAIN_EXPLOIT,
    PLAIN_LEVELS,
    PLAIN_RESEARCH,
    PLAIN_TRADE,
    RESHUFFLES,
    STATUSES,
    Advisor,
    CardSet,
    Effect,
    Op,
    Options,
    Race,
    Structure,
)
from ..game.vocabulary import ADVISORS_OUT, HUMANS, LOYALTY_SIGN, RESOURCE_WORDS, Cell, Colour, Level, Resources
from .reading import CardReading, op_name

FILE_KEYS = ("set", "structure", "advisor", "race")
SET_KEYS = ("name", "status", "expect", "options")
BOX = {"blue": 26, "red": 22, "yellow": 22, "grey": 20, "advisors": 8}  # how many cards there are (section 2)
MOST_NAMES = 64
MOST_CARDS = 120

# --- reading


def parse_card_set(text: str, name: str, place: str = "") -> CardSet:
    """Read a card set's text. `name` is what positions call it, `place` what messages call it.

    Raises InputError with every problem of the file.
    """
    try:
        data = toml_tables(text)
    except NotToml as error:
        message = _("expected a card set in TOML, found a syntax error: {error}", error=error)
        raise InputError.one(place, message) from None
    reading = CardReading()
    card_set = _card_set(data, name, reading)
    if reading.problems:
        prefix = f"{place}: " if place else ""
        raise InputError(
            problem._replace(place=(prefix + problem.place).removesuffix(": ")) for problem in reading.problems
        )
    return card_set


def _card_set(data: dict[str, Any], name: str, reading: CardReading) -> CardSet:
    top = reading.table(data, "", FILE_KEYS)
    if "set" not in top:
        reading.report("", _("expected a value for {key}, found none", key="set"))
    head = reading.table(top.get("set", {}), "set", SET_KEYS)
    status = reading.one_of(head.get("status"), "set, status", STATUSES, STATUSES[0])
    options = reading.table(head.get("options", {}), "set, options", ("reshuffle", "full_systems"))
    reshuffle = reading.one_of(options.get("reshuffle", RESHUFFLES[0]), "set, options, reshuffle", RESHUFFLES, "")
    full = reading.one_of(options.get("full_systems", FULL_SYSTEMS[0]), "set, options, full_systems", FULL_SYSTEMS, "")
    entries = {}
    for key in FILE_KEYS[1:]:
        entries[key] = top.get(key, [])
        if not isinstance(entries[key], list) or not entries[key]:
            reading.expected(key, _("a [[{key}]] table for each", key=key), top.get(key))
            entries[key] = []
    structures = tuple(reading.structure(each, n) for n, each in enumerate(entries["structure"], start=1))
    advisors = tuple(reading.advisor(each, n) for n, each in enumerate(entries["advisor"], start=1))
    races = tuple(reading.race(each, n) for n, each in enumerate(entries["race"], start=1))
    expect = reading.table(head.get("expect", BOX), "set, expect", tuple(BOX))
    wanted = {key: reading.whole(expect, key, "set, expect", 0, MOST_CARDS, BOX[key]) for key in BOX}
    if all(isinstance(each, list) and each for each in entries.values()):
        _check_counts(structures, advisors, wanted, reading)
    _check_ids(structures, advisors, races, reading)
    return CardSet(name, status, structures, advisors, races, Options(reshuffle, full))


def _check_counts(
    structures: tuple[Structure, ...], advisors: tuple[Advisor, ...], wanted: dict[str, int], reading: CardReading
) -> None:
    found: Counter[str] = Counter()
    for card in structures:
        found[card.colour.word] += card.copies
    found["advisors"] = len(advisors)
    for key, number in wanted.items():
        if found[key] != number:
            message = ngettext(
                "expected {n} card, found {found}", "expected {n} cards, found {found}", number, found=found[key]
            )
            reading.report(f"set, expect, {key}", message)
    if len(advisors) < ADVISORS_OUT:
        reading.expected("advisor", _("at least {least} advisors", least=ADVISORS_OUT), len(advisors))
    if len(structures) > MOST_NAMES or sum(found[colour.word] for colour in Colour) > MOST_CARDS:
        what = _("at most {names} structures and {cards} cards", names=MOST_NAMES, cards=MOST_CARDS)
        reading.expected("structure", what, len(structures))


def _check_ids(
    structures: tuple[Structure, ...], advisors: tuple[Advisor, ...], races: tuple[Race, ...], reading: CardReading
) -> None:
    first: dict[str, str] = {}
    for key, cards in (("structure", structures), ("advisor", advisors), ("race", races)):
        for number, card in enumerate(cards, start=1):
            place = f"{key} {number} ({card.id})"
            if card.id and card.id in first:
                message = _(
                    "expected an id of its own, found {found} as on {place}", found=shown(card.id), place=first[card.id]
                )
                reading.report(f"{place}, id", message)
            first.setdefault(card.id, place)
    if races and HUMANS not in [race.id for race in races]:
        reading.report("race", _("expected a race with the id {id}, found none", id=HUMANS))


# --- writing


def dump_card_set(cards: CardSet) -> str:
    """The set as a TOML text that `parse_card_set` reads back to an equal one."""
    counts: Counter[str] = Counter()
    for card in cards.structures:
        counts[card.colour.word] += card.copies
    counts["advisors"] = len(cards.advisors)
    expect = ", ".join(f"{key} = {counts[key]}" for key in BOX)
    lines = [
        "[set]",
        f"name = {toml_string(cards.name)}",
        f"status = {toml_string(cards.status)}",
        f"expect = {{ {expect} }}",
        f'options = {{ reshuffle = "{cards.options.reshuffle}", full_systems = "{cards.options.full_systems}" }}',
    ]
    for structure in cards.structures:
        lines += ["", *_structure_lines(structure)]
    for advisor in cards.advisors:
        lines += ["", *_advisor_lines(advisor)]
    for race in cards.races:
        lines += ["", *_race_lines(race)]
    return "\n".join(lines) + "\n"


def _table(pairs: dict[str, str]) -> str:
    return "{ " + ", ".join(f"{key} = {value}" for key, value in pairs.items()) + " }" if pairs else "{}"


def _amounts(resources: Resources) -> dict[str, str]:
    return {word: str(amount) for word, amount in zip(RESOURCE_WORDS, resources) if amount}


def _head(kind: str, card: Structure | Advisor | Race) -> list[str]:
    lines = [f"[[{kind}]]", f"id = {toml_string(card.id)}"]
    if card.names:
        lines.append(f"name = {_table({key: toml_string(name) for key, name in card.names})}")
    return lines


def _tail(kind: str, card: Structure | Advisor | Race) -> list[str]:
    lines = []
    if card.known:
        lines.append(f"known = {_table({key: toml_string(source) for key, source in card.known})}")
    for effect in card.effects:
        lines += [f"[[{kind}.effect]]", *_effect_lines(effect)]
    return lines


def _structure_lines(card: Structure) -> list[str]:
    lines = _head("structure", card)
    lines += [
        f'colour = "{card.colour.word}"',
        f"copies = {card.copies}",
        f"cost = {_table(_amounts(card.cost))}",
        f"income = {_table(_amounts(card.income))}",
        'vp = "?"' if card.vp is None else f"vp = {card.vp}",
    ]
    if card.loyalty_sign:
        lines.append(f"build_loyalty = {LOYALTY_SIGN}")
    return lines + _tail("structure", card)


def _advisor_lines(card: Advisor) -> list[str]:
    lines = _head("advisor", card)
    lines += [f"{key} = true" for key in ("founds_system", "permanent", "works_covered") if getattr(card, key)]
    if card.colour is not None:
        lines.append(f'colour = "{card.colour.word}"')
    if card.vp:
        lines.append(f"vp = {card.vp}")
    return lines + _tail("advisor", card)


def _race_lines(race: Race) -> list[str]:
    lines = [*_head("race", race), f"start = {_table(_amounts(race.start))}"]
    if race.research != PLAIN_RESEARCH:
        lines.append(f"research = {race.research}")
    for level in reversed(Level):
        line = race.at(level)
        if line != PLAIN_LEVELS[level]:
            pairs = {"cubes": str(line.cubes), "loyalty": str(line.loyalty), "draw": str(line.draw)}
            lines.append(f"{level.word} = {_table(pairs)}")
    changed = {}
    for colour in Colour:
        rate = race.exploit[colour]
        if rate != PLAIN_EXPLOIT[colour]:
            extra = {key: str(getattr(rate, key)) for key in ("draw", "discard") if getattr(rate, key)}
            changed[colour.word] = _table(_amounts(rate.resources) | extra)
    if changed:
        lines.append(f"exploit = {_table(changed)}")
    if race.trade != PLAIN_TRADE:
        lines.append(f"trade = {_table(_amounts(race.trade))}")
    return lines + _tail("race", race)


def _effect_lines(effect: Effect) -> list[str]:
    lines = [f'when = "{effect.when.value}"']
    if effect.cell is Cell.R:
        lines.append('cell = "R"')
    if effect.loyalty_sign:
        lines.append(f"loyalty = {LOYALTY_SIGN}")
    if effect.may:
        lines.append("may = true")
    if effect.pay != FREE:
        price = effect.pay
        extra = {"vp": price.vp, "cube": price.cubes, "card": price.cards}
        pairs = _amounts(price.resources) | {key: str(number) for key, number in extra.items() if number}
        lines.append(f"pay = {_table(pairs)}")
    if effect.condition is not None:
        pairs = {"count": toml_string(effect.condition.count), "least": str(effect.condition.least)}
        lines.append(f"if = {_table(pairs)}")
    lines.append(f"do = {_ops(effect.do)}")
    return lines


def _ops(ops: tuple[Op, ...]) -> str:
    return "[ " + ", ".join(map(op_text, ops)) + " ]"


def op_text(op: Op) -> str:
    """An op as an inline table, without what equals the default."""
    return _table({"op": toml_string(op_name(op)), **_op_pairs(op)})


def _op_pairs(op: Op) -> dict[str, str]:
    def options(lists: tuple[tuple[Op, ...], ...]) -> str:
        return "[ " + ", ".join(map(_ops, lists)) + " ]"

    match op:
        case printed.Gain():
            numbers = {"vp": op.vp, "loyalty": op.loyalty, "cubes": op.cubes}
            pairs = _amounts(op.resources) | {key: str(number) for key, number in numbers.items() if number}
            return pairs | _counted({"times": op.times} if op.times else {}, op.every)
        case printed.Choose():
            return {"options": options(op.options)}
        case printed.Draw():
            return {"n": str(op.n)} | ({"discard": str(op.discard)} if op.discard else {})
        case printed.Exchange():
            return {"left": _table(_amounts(op.left)), "right": _table(_amounts(op.right))}
        case printed.TakeDiscard():
            return {"top": str(op.top), "keep": str(op.keep)}
        case printed.Build():
            filters = ", ".join(toml_string("any" if colour is None else colour.word) for colour in op.filters)
            pairs = {"filters": f"[{filters}]"} | _where(op.this_system)
            return pairs | ({"discount": str(op.discount)} if op.discount else {})
        case printed.Activate():
            return {"n": str(op.n)} | ({} if op.other else {"other": "false"})
        case printed.GainCovered():
            return {colour.word: _table(_amounts(op.table[colour])) for colour in Colour if op.table[colour].total}
        case printed.Reorder():
            return {"systems": '"all"' if op.every else "1"}
        case printed.Discount():
            colour = {} if op.colour is None else {"colour": toml_string(op.colour.word)}
            return {"n": str(op.n)} | _where(op.this_system) | colour
        case printed.AttackCost():
            return {"n": str(op.n), "whose": toml_string("on_me" if op.on_me else "mine")}
        case printed.Opponents():
            deeds = {"either": options(op.either)} if op.either else {"do": _ops(op.do)}
            return {"who": toml_string(op.who)} | deeds
        case printed.FillCell():
            return {"who": toml_string(op.who)} | ({"chooser": '"them"'} if op.theirs else {})
        case printed.Bury() | printed.DismissAdvisor():
            return {"who": toml_string(op.who)}
        case printed.Score():
            return {"n": str(op.n)} | _counted({"per": op.per}, op.every)
        case printed.KeepCube() | printed.FillR():
            return {}
    return {"n": str(op.n)}


def _where(here: bool) -> dict[str, str]:
    return {"where": '"this_system"'} if here else {}


def _counted(words: dict[str, str], every: int) -> dict[str, str]:
    return {key: toml_string(word) for key, word in words.items()} | ({"every": str(every)} if every > 1 else {})


_TEMPLATE_HEAD = N_("""\
# A card set for Master of Orion, to be filled in from the box.
#
# What the rulebook tells of the cards is there already; replace every "?" and fill in vp.
#   id      small letters, digits and "-"; yours to change
#   colour  blue, red, yellow or grey
#   cost    what it costs to build, such as {{ food = 4, production = 1 }}
#   income  the resources on its upper edge, such as {{ food = 1 }}; {{}} if there are none
#   vp      its victory points, or "?" as on the card, with an effect at the end of the game
#   build_loyalty = 6   if the loyalty sign is in front of its cost
# and for each effect a table [[structure.effect]]; docs/orion.md lists what can stand there.
# At any time, `orbis orion cards check FILE` says what is missing or wrong.
""")


def template_text(cards: CardSet) -> str:
    """A starting file: what is known of the cards of this set, the rest to be filled in."""
    expect = ", ".join(f"{key} = {number}" for key, number in BOX.items())
    parts = [_(_TEMPLATE_HEAD), f'[set]\nname = "my-box"\nstatus = "transcribed"\nexpect = {{ {expect} }}\n']
    for card in cards.structures:
        known = dict(card.known)
        names = {key: toml_string(name) for key, name in card.names} if "name" in known else {"en": '"?"'}
        cost = _table(_amounts(card.cost)) if "cost" in known else '"?"'
        parts.append(
            f"\n[[structure]]\nid = {toml_string(card.id)}\nname = {_table(names)}\n"
            f'colour = "{card.colour.word}"\ncopies = {card.copies}\ncost = {cost}\nincome = "?"\n# vp =\n'
        )
    for advisor in cards.advisors:
        names = (
            {key: toml_string(name) for key, name in advisor.names} if "name" in dict(advisor.known) else {"en": '"?"'}
        )
        parts.append(f"\n[[advisor]]\nid = {toml_string(advisor.id)}\nname = {_table(names)}\n")
    for race in cards.races:
        names = {key: toml_string(name) for key, name in race.names}
        parts.append(f'\n[[race]]\nid = {toml_string(race.id)}\nname = {_table(names)}\nstart = "?"\n')
    return "".join(parts)
