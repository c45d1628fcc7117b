"""Cards and their effects in words, in the current language."""

from __future__ import annotations

from ...base.language import N_, _, ngettext, pgettext
from ..game import cards as printed
from ..game.cards import FREE, Effect, Op, Price
from ..game.vocabulary import RESOURCE_WORDS, Cell, Colour, Resources, resource_label


def resources_words(resources: Resources) -> str:
    """`3 food, 1 production`, in the current language."""
    parts = [
        _("{number} {what}", number=amount, what=resource_label(word))
        for word, amount in zip(RESOURCE_WORDS, resources)
        if amount
    ]
    return ", ".join(parts) or _("nothing")


def signed(number: int, what: str) -> str:
    """`+2 loyalty`, `-1 VP`."""
    return _("{number:+d} {what}", number=number, what=what)


# What effects count, as in "for each ...".
_COUNTED = {
    "working": N_("working card"),
    "systems": N_("system"),
    "full systems": N_("full system"),
    "hand": N_("card in hand"),
    "attacks": N_("attack in this round"),
    "loyalty": N_("point of loyalty"),
    "pairs": N_("pair of one colour"),
    "sets": N_("set of all colours"),
}
_WHO = {"target": N_("the opponent in the attack"), "each": N_("each opponent"), "chosen": N_("a chosen opponent")}


def counted_words(what: str) -> str:
    if what in _COUNTED:
        return _(_COUNTED[what])
    if what in RESOURCE_WORDS:
        return resource_label(what)
    colour = Colour[what.rpartition(" ")[2].upper()].label
    if what.startswith("working"):
        return _("working card ({colour})", colour=colour)
    return _("card ({colour})", colour=colour)


def _for_each(what: str, every: int) -> str:
    if every > 1:
        return _("for every {number}: {what}", number=every, what=counted_words(what))
    return _("for each: {what}", what=counted_words(what))


def price_words(price: Price) -> str:
    parts = [resources_words(price.resources)] if price.resources.total else []
    if price.vp:
        parts.append(_("{number} VP", number=price.vp))
    if price.cubes:
        parts.append(ngettext("{n} available cube", "{n} available cubes", price.cubes))
    if price.cards:
        parts.append(ngettext("{n} card", "{n} cards", price.cards))
    return ", ".join(parts)


def effect_words(effect: Effect) -> str:
    """`after building: may, for 1 available cube: +2 loyalty`."""
    parts = [effect.when.label]
    if effect.cell is Cell.R:
        parts.append(_("with a cube in the R cell"))
    if effect.loyalty_sign:
        parts.append(_("loyalty 6 or more"))
    if effect.condition is not None:
        least, what = effect.condition.least, counted_words(effect.condition.count)
        parts.append(_("if at least {number}: {what}", number=least, what=what))
    if effect.may:
        parts.append(_("you may"))
    if effect.pay != FREE:
        parts.append(_("for {cost}", cost=price_words(effect.pay)))
    return f"{', '.join(parts)}: {'; '.join(map(op_words, effect.do))}"


def ops_words(ops: tuple[Op, ...]) -> str:
    return ", ".join(map(op_words, ops))


def _or(options: tuple[tuple[Op, ...], ...]) -> str:
    return " / ".join(map(ops_words, options))


def op_words(op: Op) -> str:
    """What one op does."""
    match op:
        case printed.Gain():
            return _gain_words(op)
        case printed.Choose():
            return _or(op.options)
        case printed.Draw():
            drawn = ngettext("draw {n} card", "draw {n} cards", op.n)
            return f"{drawn}, {_discarded(op.discard)}" if op.discard else drawn
        case printed.Discard():
            return _discarded(op.n)
        case printed.Exchange():
            return f"{resources_words(op.left)} <-> {resources_words(op.right)}"
        case printed.TakeDiscard():
            if op.top:
                return _("take {number} of the top {top} discards", number=op.keep, top=op.top)
            return ngettext("take {n} card from the discard pile", "take {n} cards from the discard pile", op.keep)
        case printed.Build():
            return _build_words(op)
        case printed.Activate():
            if not op.n:
                return _("activate any number of cards")
            return ngettext("activate {n} card", "activate up to {n} cards", op.n)
        case printed.GainCovered():
            rows = [
                f"{colour.label} {resources_words(op.table[colour])}" for colour in Colour if op.table[colour].total
            ]
            return _("by the card below: {gains}", gains=", ".join(rows))
        case printed.Reorder():
            return _("reorder all systems") if op.every else _("reorder a system")
        case printed.Discount():
            return _discount_words(op)
        case printed.AttackBonus():
            return signed(op.n, _("fleet in attack"))
        case printed.DefenceBonus():
            return signed(op.n, _("fleet in defence"))
        case printed.AttackCost():
            return signed(op.n, _("cost of attacks on you") if op.on_me else _("cost of your attacks"))
        case printed.KeepCube():
            return _("the cube in the R cell is an action in the next round")
        case printed.FillR():
            return _("a cube from the reserve into the R cell")
        case printed.Opponents():
            return _to(op.who, _or(op.either) if op.either else ops_words(op.do))
        case printed.Bury():
            return _to(op.who, _("a working card goes to the bottom of its system"))
        case printed.FillCell():
            return _to(op.who, _("a cube from the reserve into an empty cell"))
        case printed.DismissAdvisor():
            return _to(op.who, _("the advisor leaves"))
        case printed.Score():
            return " ".join([_("{number} VP", number=op.n), _for_each(op.per, op.every)])


def _to(who: str, deed: str) -> str:
    return ": ".join([_(_WHO[who]), deed])


def _discarded(number: int) -> str:
    return ngettext("discard {n} card", "discard {n} cards", number)


def _gain_words(op: printed.Gain) -> str:
    parts = [signed(amount, resource_label(word)) for word, amount in zip(RESOURCE_WORDS, op.resources) if amount]
    for number, what in ((op.vp, _("VP")), (op.loyalty, pgettext("track", "loyalty")), (op.cubes, _("actions"))):
        if number:
            parts.append(signed(number, what))
    gained = ", ".join(parts)
    return f"{gained} {_for_each(op.times, op.every)}" if op.times else gained


def _build_words(op: printed.Build) -> str:
    filters = " + ".join(pgettext("card", "any") if colour is None else colour.label for colour in op.filters)
    words = _("build here: {cards}", cards=filters) if op.this_system else _("build: {cards}", cards=filters)
    return ", ".join([words, signed(-op.discount, _("cost"))]) if op.discount else words


def _discount_words(op: printed.Discount) -> str:
    words = signed(-op.n, _("cost of building here") if op.this_system else _("cost of building"))
    return words if op.colour is None else f"{words} ({op.colour.label})"
