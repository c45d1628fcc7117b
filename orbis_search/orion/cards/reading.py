"""Cards, races and effects out of the tables of a file, with every problem noted and its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ...base.language import LANGUAGES, _
from ...base.quoting import nearest, shown
from ...base.reading import Reading
from ..game import cards as printed
from ..game.cards import (
    COUNTS,
    FREE,
    INNER,
    PASSIVE,
    PLAIN_EXPLOIT,
    PLAIN_LEVELS,
    PLAIN_RESEARCH,
    PLAIN_TRADE,
    WHO,
    Advisor,
    Condition,
    Effect,
    Exploit,
    LevelLine,
    Names,
    Op,
    Price,
    Race,
    Sources,
    Structure,
)
from ..game.position import MOVES
from ..game.vocabulary import LOYALTY_SIGN, MOST_RESOURCE, NOTHING, RESOURCE_WORDS, Cell, Colour, Level, Resources, When

# Limits that keep every number in the packed core inside its field.
MOST_COPIES = 3
MOST_VP = 20
MOST_N = 9
MOST_EFFECTS = 3  # of a card
MOST_OPS = 4  # of an effect
MOST_OPTIONS = 4
MOST_INNER = 3  # of an option
MOST_CUBES = 6

ID_WORDS = frozenset((*MOVES, "any", "none", "new", "all", "pile", "top", *RESOURCE_WORDS))
_ID = re.compile(r"[a-z][a-z0-9-]{0,39}")

STRUCTURE_KEYS = ("id", "name", "colour", "copies", "cost", "income", "vp", "build_loyalty", "known", "effect")
ADVISOR_KEYS = ("id", "name", "founds_system", "permanent", "works_covered", "colour", "vp", "known", "effect")
RACE_KEYS = ("id", "name", "start", "research", "high", "medium", "low", "exploit", "trade", "known", "effect")
EFFECT_KEYS = ("when", "cell", "loyalty", "may", "pay", "if", "do")
PRICE_KEYS = (*RESOURCE_WORDS, "vp", "cube", "card")
OP_KEYS: dict[str, tuple[str, ...]] = {
    "gain": (*RESOURCE_WORDS, "vp", "loyalty", "cubes", "times", "every"),
    "choose": ("options",),
    "draw": ("n", "discard"),
    "discard": ("n",),
    "exchange": ("left", "right"),
    "take_discard": ("top", "keep"),
    "build": ("filters", "where", "discount"),
    "activate": ("n", "other"),
    "gain_covered": tuple(colour.word for colour in Colour),
    "reorder": ("systems",),
    "discount": ("n", "where", "colour"),
    "attack_bonus": ("n",),
    "defence_bonus": ("n",),
    "attack_cost": ("n", "whose"),
    "keep_cube": (),
    "fill_r": (),
    "opponents": ("who", "do", "either"),
    "bury": ("who",),
    "fill_cell": ("who", "chooser"),
    "dismiss_advisor": ("who",),
    "score": ("n", "per", "every"),
}
# When a race's ability can apply: a board has no cells and is never built.
RACE_WHENS = (When.START_OF_ROUND, When.AFTER_ATTACK, When.AFTER_ATTACKED, When.ALWAYS, When.END_OF_GAME)
ATTACK_WHENS = (When.AFTER_ATTACK, When.AFTER_ATTACKED)


class CardReading(Reading):
    """Whatever a card set can hold. What cannot be read is noted and replaced by something harmless."""

    # --- small things

    def one_of(self, value: object, place: str, words: Sequence[str], otherwise: str) -> str:
        if not isinstance(value, str) or value not in words:
            message = _("expected one of {choice}, found {found}", choice=", ".join(words), found=shown(value))
            self.report(place, message + (nearest(value, words) if isinstance(value, str) else ""))
            return otherwise
        return value

    def whole(self, table: dict[str, Any], key: str, place: str, low: int, high: int, otherwise: int = 0) -> int:
        number = self.number(table.get(key, otherwise), f"{place}, {key}", low, high)
        return otherwise if number is None else number

    def needed(self, table: dict[str, Any], key: str, place: str, low: int, high: int) -> int:
        if key not in table:
            self.report(place, _("expected a value for {key}, found none", key=key))
            return low
        return self.whole(table, key, place, low, high, low)

    def resources(self, value: object, place: str, low: int = 0) -> Resources:
        table = self.table(value, place, RESOURCE_WORDS)
        return Resources(*(self.whole(table, word, place, low, MOST_RESOURCE) for word in RESOURCE_WORDS))

    def sign(self, table: dict[str, Any], key: str, place: str) -> bool:
        """0, or the loyalty that the sign asks for."""
        value = table.get(key, 0)
        if isinstance(value, bool) or value not in (0, LOYALTY_SIGN):
            self.expected(f"{place}, {key}", _("0 or {sign}", sign=LOYALTY_SIGN), value)
            return False
        return bool(value == LOYALTY_SIGN)

    def colour(self, value: object, place: str) -> Colour:
        words = [colour.word for colour in Colour]
        return Colour(words.index(self.one_of(value, place, words, words[0])))

    def colour_or_any(self, value: object, place: str) -> Colour | None:
        words = [*(colour.word for colour in Colour), "any"]
        index = words.index(self.one_of(value, place, words, "any"))
        return Colour(index) if index < len(Colour) else None

    def listed(self, value: object, place: str, what: str, least: int, most: int) -> list[Any]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            self.expected(place, what, value if not isinstance(value, list) else len(value))
            return []
        return value

    def name(self, value: object, place: str) -> str | None:
        text = self.text(value, place, _("a name"))
        return None if text is None or self.unfilled(text, place, _("a name")) else text

    # --- what cards, advisors and races share

    def head(self, value: object, place: str, keys: Sequence[str]) -> tuple[dict[str, Any], str, str, Names, Sources]:
        """The known part of the table, its place and id, and the names and sources in it."""
        table = self.table(value, place, keys)
        given = table.get("id")
        if isinstance(given, str) and _ID.fullmatch(given) and given not in ID_WORDS:
            place = f"{place} ({given})"
        elif "id" not in table:
            self.report(place, _("expected a value for {key}, found none", key="id"))
        else:
            what = _("an id of small letters, digits and - that means nothing else, such as star-fortress")
            self.expected(f"{place}, id", what, given)
        names = self.table(table.get("name", {}), f"{place}, name", LANGUAGES)
        texts = [
            (language, self.name(names[language], f"{place}, name, {language}"))
            for language in LANGUAGES
            if language in names
        ]
        known = self.table(table.get("known", {}), f"{place}, known", [key for key in keys if key != "known"])
        sources = [
            (key, self.text(source, f"{place}, known, {key}", _("where it is known from")))
            for key, source in known.items()
        ]
        return (
            table,
            place,
            given if isinstance(given, str) else "",
            tuple((language, text) for language, text in texts if text is not None),
            tuple((key, text) for key, text in sources if text is not None),
        )

    def structure(self, value: object, number: int) -> Structure:
        table, place, card_id, names, known = self.head(value, f"structure {number}", STRUCTURE_KEYS)
        colour = Colour.BLUE
        if "colour" in table:
            colour = self.colour(table["colour"], f"{place}, colour")
        else:
            self.report(place, _("expected a value for {key}, found none", key="colour"))
        effects = self.effects(table, place)
        vp: int | None = None
        if "vp" not in table:
            self.report(place, _("expected a value for {key}, found none", key="vp"))
        elif table["vp"] == "?":
            if not any(effect.when is When.END_OF_GAME for effect in effects):
                what = _("an end_of_game effect on a card whose vp is ?")
                self.report(place, _("expected {what}, found none", what=what))
        else:
            vp = self.whole(table, "vp", place, 0, MOST_VP)
        for key in ("cost", "income"):
            if key not in table:
                self.report(place, _("expected a value for {key}, found none", key=key))
        return Structure(
            card_id,
            names,
            effects,
            known,
            colour,
            self.whole(table, "copies", place, 1, MOST_COPIES, 2),
            self.resources(table.get("cost", {}), f"{place}, cost"),
            self.resources(table.get("income", {}), f"{place}, income"),
            vp,
            self.sign(table, "build_loyalty", place),
        )

    def advisor(self, value: object, number: int) -> Advisor:
        table, place, card_id, names, known = self.head(value, f"advisor {number}", ADVISOR_KEYS)
        founds, permanent, covered = (
            self.boolean(table.get(key, False), f"{place}, {key}", False) for key in ADVISOR_KEYS[2:5]
        )
        return Advisor(
            card_id,
            names,
            self.effects(table, place),
            known,
            founds,
            permanent,
            covered,
            self.colour(table["colour"], f"{place}, colour") if "colour" in table else None,
            self.whole(table, "vp", place, 0, MOST_VP),
        )

    def race(self, value: object, number: int) -> Race:
        table, place, race_id, names, known = self.head(value, f"race {number}", RACE_KEYS)
        if "start" not in table:
            self.report(place, _("expected a value for {key}, found none", key="start"))
        low, medium, high = (
            self.level(table[level.word], f"{place}, {level.word}") if level.word in table else PLAIN_LEVELS[level]
            for level in Level
        )
        rates = self.table(table.get("exploit", {}), f"{place}, exploit", [colour.word for colour in Colour])
        blue, red, yellow, grey = (
            self.exploit(rates[colour.word], f"{place}, exploit, {colour.word}")
            if colour.word in rates
            else PLAIN_EXPLOIT[colour]
            for colour in Colour
        )
        trade = self.resources(table["trade"], f"{place}, trade") if "trade" in table else PLAIN_TRADE
        if min(trade) < 1:
            self.expected(f"{place}, trade", _("at least 1 of each resource"), str(trade))
        return Race(
            race_id,
            names,
            self.effects(table, place, RACE_WHENS),
            known,
            self.resources(table.get("start", {}), f"{place}, start"),
            self.whole(table, "research", place, 1, MOST_N, PLAIN_RESEARCH),
            (low, medium, high),
            (blue, red, yellow, grey),
            trade,
        )

    def level(self, value: object, place: str) -> LevelLine:
        table = self.table(value, place, ("cubes", "loyalty", "draw"))
        return LevelLine(
            self.needed(table, "cubes", place, 1, MOST_CUBES),
            self.whole(table, "loyalty", place, -3, 3),
            self.whole(table, "draw", place, 0, MOST_N),
        )

    def exploit(self, value: object, place: str) -> Exploit:
        table = self.table(value, place, (*RESOURCE_WORDS, "draw", "discard"))
        draw = self.whole(table, "draw", place, 0, MOST_N)
        return Exploit(
            self.resources({key: table[key] for key in RESOURCE_WORDS if key in table}, place),
            draw,
            self.whole(table, "discard", place, 0, draw),
        )

    # --- effects

    def effects(self, table: dict[str, Any], place: str, whens: Sequence[When] = tuple(When)) -> tuple[Effect, ...]:
        tables = self.listed(
            table.get("effect", []), f"{place}, effect", _("at most {most} effects", most=MOST_EFFECTS), 0, MOST_EFFECTS
        )
        effects = tuple(self.effect(each, f"{place}, effect {n}", whens) for n, each in enumerate(tables, start=1))
        if sum(effect.when is When.ACTIVATION for effect in effects) > 1:
            self.report(place, _("expected at most one activation, found more"))
        return effects

    def effect(self, value: object, place: str, whens: Sequence[When]) -> Effect:
        table = self.table(value, place, EFFECT_KEYS)
        if "when" not in table:
            self.report(place, _("expected a value for {key}, found none", key="when"))
        words = [when.value for when in whens]
        when = When(self.one_of(table.get("when", words[0]), f"{place}, when", words, words[0]))
        usual = Cell.A if when is When.ACTIVATION else Cell.NONE
        # A cube in the A cell means an activation; boards have no cells.
        allowed = [Cell.A] if when is When.ACTIVATION else [Cell.NONE]
        if when not in (When.ACTIVATION, When.ALWAYS, When.END_OF_GAME) and len(whens) == len(When):
            allowed.append(Cell.R)
        cells = [cell.value for cell in allowed]
        cell = Cell(self.one_of(table.get("cell", usual.value), f"{place}, cell", cells, usual.value))
        passive = when in (When.ALWAYS, When.END_OF_GAME)
        may = self.boolean(table.get("may", False), f"{place}, may", False)
        pay = self.price(table["pay"], f"{place}, pay") if "pay" in table else FREE
        for key, given in (("may", may), ("pay", pay != FREE)):
            if given and passive:
                self.expected(f"{place}, {key}", _("no {key} on what happens by itself", key=key), table[key])
        condition = None
        if "if" in table:
            guard = self.table(table["if"], f"{place}, if", ("count", "least"))
            count = self.one_of(guard.get("count"), f"{place}, if, count", COUNTS, COUNTS[0])
            condition = Condition(count, self.whole(guard, "least", f"{place}, if", 1, 20, 1))
        ops = self.ops(table.get("do"), f"{place}, do", MOST_OPS, lambda op: self._fits(op, when, f"{place}, do"))
        return Effect(when, ops, cell, self.sign(table, "loyalty", place), may, pay, condition)

    def _fits(self, op: Op, when: When, place: str) -> None:
        """Whether an op can stand in an effect of this time."""
        passive, scores = isinstance(op, PASSIVE), isinstance(op, printed.Score)
        name = op_name(op)
        if passive != (when is When.ALWAYS) or scores != (when is When.END_OF_GAME):
            self.report(place, _("expected what fits {when}, found {found}", when=when.value, found=shown(name)))
        if getattr(op, "who", "") == "target" and when not in ATTACK_WHENS:
            self.report(
                place, _("expected who = chosen or each outside of attacks, found {found}", found=shown("target"))
            )

    def price(self, value: object, place: str) -> Price:
        table = self.table(value, place, PRICE_KEYS)
        price = Price(
            self.resources({key: table[key] for key in RESOURCE_WORDS if key in table}, place),
            self.whole(table, "vp", place, 0, MOST_VP),
            self.whole(table, "cube", place, 0, 3),
            self.whole(table, "card", place, 0, 5),
        )
        if price == FREE and isinstance(value, dict):
            self.report(place, _("expected something to pay, found nothing"))
        return price

    def ops(
        self, value: object, place: str, most: int, look: Callable[[Op], None], inner: bool = False
    ) -> tuple[Op, ...]:
        what = _("a list of 1 to {most} tables with an op each", most=most)
        found = []
        for number, each in enumerate(self.listed(value, place, what, 1, most), start=1):
            op = self.op(each, f"{place} {number}", inner)
            if op is not None:
                look(op)
                found.append(op)
        return tuple(found)

    def options(self, value: object, place: str) -> tuple[tuple[Op, ...], ...]:
        what = _("a list of 2 to {most} lists of ops", most=MOST_OPTIONS)
        lists = self.listed(value, place, what, 2, MOST_OPTIONS)
        return tuple(
            self.ops(each, f"{place}, option {number}", MOST_INNER, lambda op: None, inner=True)
            for number, each in enumerate(lists, start=1)
        )

    def op(self, value: object, place: str, inner: bool) -> Op | None:
        """One thing to do; inside another only what the core can do there."""
        if not isinstance(value, dict):
            self.expected(place, _("a table"), value)
            return None
        names = [OP_NAMES[kind] for kind in INNER] if inner else list(OP_KEYS)
        if "op" not in value:
            self.report(place, _("expected a value for {key}, found none", key="op"))
            return None
        name = self.one_of(value["op"], f"{place}, op", names, "")
        if not name:
            return None
        table = self.table({key: each for key, each in value.items() if key != "op"}, place, OP_KEYS[name])
        return self._op(name, table, place, inner)

    def _op(self, name: str, table: dict[str, Any], place: str, inner: bool) -> Op:
        def who() -> str:
            return self.one_of(table.get("who"), f"{place}, who", WHO, WHO[0])

        def n(low: int = 1) -> int:
            return self.needed(table, "n", place, low, MOST_N)

        def here() -> bool:
            words = ("any", "this_system")
            return self.one_of(table.get("where", "any"), f"{place}, where", words, "any") == "this_system"

        match name:
            case "gain":
                return self._gain(table, place, -MOST_RESOURCE if inner else 0)
            case "choose":
                return printed.Choose(self.options(table.get("options"), f"{place}, options"))
            case "draw":
                number = n()
                return printed.Draw(number, self.whole(table, "discard", place, 0, number))
            case "discard":
                return printed.Discard(n())
            case "exchange":
                sides = [self.resources(table.get(key, {}), f"{place}, {key}") for key in ("left", "right")]
                if NOTHING in sides:
                    self.report(place, _("expected resources on both sides of the exchange, found none on one"))
                return printed.Exchange(sides[0], sides[1])
            case "take_discard":
                return printed.TakeDiscard(
                    self.whole(table, "top", place, 0, MOST_N), self.whole(table, "keep", place, 1, 3, 1)
                )
            case "build":
                what = _("a list of 1 to 3 colours, or any")
                filters = self.listed(table.get("filters"), f"{place}, filters", what, 1, 3)
                colours = tuple(self.colour_or_any(each, f"{place}, filters") for each in filters)
                return printed.Build(colours, here(), self.whole(table, "discount", place, 0, MOST_N))
            case "activate":
                other = self.boolean(table.get("other", True), f"{place}, other", True)
                return printed.Activate(n(0), other)
            case "gain_covered":
                blue, red, yellow, grey = (
                    self.resources(table.get(colour.word, {}), f"{place}, {colour.word}") for colour in Colour
                )
                return printed.GainCovered((blue, red, yellow, grey))
            case "reorder":
                systems = table.get("systems", 1)
                if systems not in (1, "all"):
                    self.expected(f"{place}, systems", _("1 or all"), systems)
                return printed.Reorder(systems == "all")
            case "discount":
                colour = self.colour_or_any(table.get("colour", "any"), f"{place}, colour")
                return printed.Discount(n(), here(), colour)
            case "attack_bonus":
                return printed.AttackBonus(n())
            case "defence_bonus":
                return printed.DefenceBonus(n())
            case "attack_cost":
                whose = self.one_of(table.get("whose"), f"{place}, whose", ("mine", "on_me"), "mine")
                return printed.AttackCost(n(-2), whose == "on_me")
            case "keep_cube":
                return printed.KeepCube()
            case "fill_r":
                return printed.FillR()
            case "opponents":
                return self._opponents(table, place, who())
            case "bury":
                return printed.Bury(who())
            case "fill_cell":
                chooser = self.one_of(table.get("chooser", "me"), f"{place}, chooser", ("me", "them"), "me")
                return printed.FillCell(who(), chooser == "them")
            case "dismiss_advisor":
                return printed.DismissAdvisor(who())
        per = self.one_of(table.get("per"), f"{place}, per", COUNTS, COUNTS[0])
        return printed.Score(n(), per, self.whole(table, "every", place, 1, MOST_N, 1))

    def _gain(self, table: dict[str, Any], place: str, low: int) -> Op:
        """Only opponents lose resources and VP by an effect; own ones are a price."""
        times = ""
        if "times" in table:
            times = self.one_of(table["times"], f"{place}, times", COUNTS, "")
        gain = printed.Gain(
            self.resources({key: table[key] for key in RESOURCE_WORDS if key in table}, place, low),
            self.whole(table, "vp", place, low, MOST_VP),
            self.whole(table, "loyalty", place, -MOST_N, MOST_N),
            self.whole(table, "cubes", place, 0, 3),
            times,
            self.whole(table, "every", place, 1, MOST_N, 1),
        )
        if gain.resources == NOTHING and not (gain.vp or gain.loyalty or gain.cubes):
            self.report(place, _("expected something to gain, found nothing"))
        return gain

    def _opponents(self, table: dict[str, Any], place: str, who: str) -> Op:
        if ("do" in table) == ("either" in table):
            self.report(place, _("expected either do or either, found both or none"))
            return printed.Opponents(who)
        if "either" in table:
            return printed.Opponents(who, either=self.options(table["either"], f"{place}, either"))
        return printed.Opponents(who, self.ops(table["do"], f"{place}, do", MOST_INNER, lambda op: None, inner=True))


OP_NAMES: dict[type, str] = {
    printed.Gain: "gain",
    printed.Choose: "choose",
    printed.Draw: "draw",
    printed.Discard: "discard",
    printed.Exchange: "exchange",
    printed.TakeDiscard: "take_discard",
    printed.Build: "build",
    printed.Activate: "activate",
    printed.GainCovered: "gain_covered",
    printed.Reorder: "reorder",
    printed.Discount: "discount",
    printed.AttackBonus: "attack_bonus",
    printed.DefenceBonus: "defence_bonus",
    printed.AttackCost: "attack_cost",
    printed.KeepCube: "keep_cube",
    printed.FillR: "fill_r",
    printed.Opponents: "opponents",
    printed.Bury: "bury",
    printed.FillCell: "fill_cell",
    printed.DismissAdvisor: "dismiss_advisor",
    printed.Score: "score",
}


def op_name(op: Op) -> str:
    return OP_NAMES[type(op)]
