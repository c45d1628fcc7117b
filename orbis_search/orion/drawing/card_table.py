"""A card set as a list for a terminal of 80 columns."""

from __future__ import annotations

from ...base.language import _, ngettext, numeral, pgettext
from ..game.cards import PLAIN_EXPLOIT, PLAIN_LEVELS, PLAIN_RESEARCH, PLAIN_TRADE, Advisor, CardSet, Race, Structure
from ..game.vocabulary import Colour, Level
from .effect_words import effect_words, resources_words, signed
from .paint import filled, finished, letter
from .terminal import status_note


def render_card_set(cards: CardSet, *, colour: bool = False) -> str:
    lines = [*filled(_("{name}: {status}", name=cards.name, status=status_note(cards.status)), "")]
    for each in Colour:
        group = [card for card in cards.structures if card.colour is each]
        number = ngettext("{n} card", "{n} cards", sum(card.copies for card in group))
        lines += ["", f"{each.label}, {number}"]
        for card in group:
            lines += _structure_lines(card)
    lines += ["", _("advisors")]
    for advisor in cards.advisors:
        lines += _advisor_lines(advisor)
    lines += ["", _("races")]
    for race in cards.races:
        lines += _race_lines(race)
    return finished(lines, colour)


def _structure_lines(card: Structure) -> list[str]:
    parts = [_("cost {cost}", cost=resources_words(card.cost))]
    if card.income.total:
        parts.append(_("income {income}", income=resources_words(card.income)))
    parts.append(_("? VP") if card.vp is None else _("{number} VP", number=card.vp))
    if card.loyalty_sign:
        parts.append(_("loyalty 6 or more"))
    copies = "" if card.copies == 2 else f" ×{numeral(card.copies, 'd')}"
    lines = filled(f"{letter(card.colour)} {card.label}{copies} ({card.id}): {', '.join(parts)}", "  ", "      ")
    return lines + _effects(card)


def _effects(card: Structure | Advisor | Race) -> list[str]:
    return [line for effect in card.effects for line in filled(effect_words(effect), "      ", "        ")]


def _advisor_lines(card: Advisor) -> list[str]:
    flags = [
        words
        for has, words in (
            (card.founds_system, _("founds a system")),
            (card.permanent, _("stays for good")),
            (card.works_covered, _("works while covered")),
        )
        if has
    ]
    more = f": {', '.join(flags)}" if flags else ""
    return filled(f"{card.label} ({card.id}){more}", "  ", "      ") + _effects(card)


def _race_lines(race: Race) -> list[str]:
    parts = [_("starts with {resources}", resources=resources_words(race.start))]
    if race.research != PLAIN_RESEARCH:
        parts.append(ngettext("research draws {n} card", "research draws {n} cards", race.research))
    for level in Level:
        line = race.at(level)
        if line != PLAIN_LEVELS[level]:
            words = [ngettext("{n} cube", "{n} cubes", line.cubes), signed(line.loyalty, pgettext("track", "loyalty"))]
            words.append(ngettext("draw {n} card", "draw {n} cards", line.draw))
            parts.append(_("{level} mobilization: {what}", level=level.label, what=", ".join(words)))
    for colour in Colour:
        rate = race.exploit[colour]
        if rate != PLAIN_EXPLOIT[colour]:
            words = [resources_words(rate.resources)] if rate.resources.total else []
            words += [ngettext("draw {n} card", "draw {n} cards", rate.draw)] if rate.draw else []
            parts.append(_("exploit {colour}: {what}", colour=colour.label, what=", ".join(words)))
    if race.trade != PLAIN_TRADE:
        parts.append(_("trades {rate}", rate=" = ".join(resources_words(race.trade).split(", "))))
    return filled(f"{race.label} ({race.id}): {', '.join(parts)}", "  ", "      ") + _effects(race)
