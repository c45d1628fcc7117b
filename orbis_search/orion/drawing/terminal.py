"""A position for a terminal of 80 columns: the table, and each player's side of it."""

from __future__ import annotations

from collections import Counter

from ...base.language import _, ngettext
from ..game.counting import standings, winners
from ..game.knowledge import unseen
from ..game.position import Player, Position, System
from ..game.rules import end_reasons
from ..game.vocabulary import RESOURCE_WORDS, ROUNDS, UNKNOWN, resource_label
from .effect_words import signed
from .paint import filled, finished, marked

_TOP = 5  # cards of the pile that are shown


def player_name(position: Position, seat: int) -> str:
    return position.players[seat].name or _("player {number}", number=seat + 1)


def render_position(position: Position, *, colour: bool = False, noted: bool = True) -> str:
    """`noted`: with a line on what the cards are worth."""
    lines = [*filled(_title(position), ""), *_table_lines(position)]
    for seat in range(len(position.players)):
        lines += ["", *_player_lines(position, seat)]
    if noted and position.cards.status != "transcribed":
        lines += ["", *filled(status_note(position.cards.status), "")]
    return finished(lines, colour)


def status_note(status: str) -> str:
    """What an answer is worth that stands on these cards."""
    if status == "random":
        return _("The cards are made up at random.")
    return _("The cards are a reconstruction: most of what is printed on them is invented.")


def _title(position: Position) -> str:
    if position.is_over:
        names = ", ".join(player_name(position, seat) for seat in winners(position))
        return _("Master of Orion, the game is over. Winner: {names} ({reason})", names=names, reason=_reason(position))
    rounds = {"round": position.round, "rounds": ROUNDS}
    if not position.stack:
        name = player_name(position, position.turn)
        return _("Master of Orion, round {round} of {rounds}: {player} acts", player=name, **rounds)
    name = player_name(position, position.stack[-1].player)
    if position.draw_due:
        return _("Master of Orion, round {round} of {rounds}: {player} draws", player=name, **rounds)
    return _("Master of Orion, round {round} of {rounds}: {player} decides", player=name, **rounds)


def _reason(position: Position) -> str:
    words = {"rounds": _("the last round"), "loyalty": _("loyalty 0 or less"), "systems": _("all systems full")}
    return ", ".join(words[reason] for reason in end_reasons(position)) or "-"


def _table_lines(position: Position) -> list[str]:
    cards = position.cards
    advisors = ", ".join(cards.advisor[advisor].label for advisor in position.advisors) or _("none")
    top = ", ".join(marked(cards.structure[card]) for card in reversed(position.pile[-_TOP:]))
    pile = ngettext("pile: {n} card", "pile: {n} cards", len(position.pile))
    if top:
        pile += ", " + _("from the top: {cards}", cards=top)
        if len(position.pile) > _TOP:
            pile += " ..."
    deck = ngettext("deck: {n} card", "deck: {n} cards", len(position.deck))
    lines = [
        *filled(_("advisors on the table: {advisors}", advisors=advisors), "  "),
        *filled(f"{deck}; {pile}", "  ", "    "),
    ]
    if position.in_hands:
        held = ", ".join(marked(cards.structure[card]) for card in position.in_hands)
        lines += filled(_("in hands since the last reshuffle: {cards}", cards=held), "  ", "    ")
    elif UNKNOWN in position.deck and len(rest := unseen(position)) <= _TOP:
        held = ", ".join(marked(cards.structure[card]) for card in rest)
        lines += filled(_("not seen yet: {cards}", cards=held), "  ", "    ")
    return lines


def _player_lines(position: Position, seat: int) -> list[str]:
    player, cards = position.players[seat], position.cards
    first = ", " + _("first player") if seat == position.first else ""
    score = standings(position)[seat].total
    head = f"{player_name(position, seat)} ({cards.race[player.race].label}{first})"
    worth = ngettext("{n} point", "{n} points", score)
    tracks = [f"{resource_label(word)} {amount}" for word, amount in zip(RESOURCE_WORDS, player.resources)]
    tracks += [_("loyalty {number}", number=player.loyalty), _("VP {number}", number=player.vp)]
    lines = [*filled(f"{head}: {worth}", ""), *filled("   ".join([*tracks, _income(position, player)]), "  ")]
    lines += filled(_cube_words(position, player), "  ")
    if player.advisor:
        cubes = _cube_marks(cards.advisor[player.advisor], player.advisor_a, player.advisor_r)
        advisor = cards.advisor[player.advisor].label
        lines += filled(" ".join([_("advisor: {name}", name=advisor), *cubes]), "  ")
    for number, system in enumerate(player.systems, start=1):
        lines += filled(_system_words(position, player, system), f"  {number}. ", "     ")
    return [*lines, *filled(_hand_words(position, player), "  ", "    ")]


def _income(position: Position, player: Player) -> str:
    total = Counter[str]()
    for system in player.systems:
        for card in system.cards:
            total.update(position.cards.structure[card].income._asdict())
    gains = [signed(total[word], resource_label(word)) for word in RESOURCE_WORDS if total[word]]
    return _("income: {gains}", gains=", ".join(gains) or "-")


def _cube_words(position: Position, player: Player) -> str:
    parts = [
        _("cubes: {available} available, {reserve} in reserve", available=player.available, reserve=player.reserve)
    ]
    if player.propaganda:
        parts.append(_("propaganda used"))
    for seat, number in enumerate(player.attacks):
        if number:
            name = player_name(position, seat)
            parts.append(ngettext("{n} attack on {player}", "{n} attacks on {player}", number, player=name))
    return "; ".join(parts)


def _cube_marks(card: object, a: bool, r: bool) -> list[str]:
    """The cells of a working card: `A*` holds a cube, `A-` is empty."""
    cells = (("A", getattr(card, "has_a", False), a), ("R", getattr(card, "has_r", False), r))
    return [f"({name}{'*' if full else '-'})" for name, has, full in cells if has]


def _system_words(position: Position, player: Player, system: System) -> str:
    cards = position.cards
    names = [marked(cards.structure[card]) for card in system.cards]
    if system.advisor:
        names.insert(0, cards.advisor[player.advisor].label)
    if not system.cards:
        return names[0]
    return " ".join([" > ".join(names), *_cube_marks(cards.structure[system.cards[-1]], system.a, system.r)])


def _hand_words(position: Position, player: Player) -> str:
    cards = position.cards
    order = cards.order
    known = sorted((card for card in player.hand if card != UNKNOWN), key=lambda card: order[card])
    names = [marked(cards.structure[card]) for card in known]
    if hidden := len(player.hand) - len(known):
        names.append(ngettext("{n} unknown", "{n} unknown", hidden))
    return _("hand: {cards}", cards=", ".join(names) or _("none"))
