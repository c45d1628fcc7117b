"""Moves as sentences for people."""

from __future__ import annotations

from ...base.language import _, ngettext
from ...base.names import player_place
from ..game.cards import Draw
from ..game.position import TRADES, Move, PickOption, Position
from ..game.vocabulary import Resources
from ..notation.moves import given_side
from .effect_words import ops_words, resources_words


def explain_move(position: Position, move: Move) -> str:
    """What a move does, as a sentence for people."""
    cards = position.cards
    things = cards.structure | cards.advisor | cards.race
    card = things[move.card].label if move.card in things else move.card
    name = player_place(move.player, position.players[move.player].name)
    race = cards.race[position.players[position.to_move or 0].race]
    match move.kind:
        case "build":
            cost = resources_words(move.resources)
            if move.system == len(position.players[position.to_move or 0].systems):
                return _("Build {card} as a new system, for {cost}.", card=card, cost=cost)
            return _("Build {card} on system {number}, for {cost}.", card=card, number=move.system + 1, cost=cost)
        case "exploit":
            gained = race.exploit[cards.structure[move.card].colour]
            if gained.draw:
                what = ops_words((Draw(gained.draw, gained.discard),))
                return _("Exploit {card}: {what}.", card=card, what=what)
            return _("Exploit {card}: gain {gain}.", card=card, gain=resources_words(gained.resources))
        case "research":
            return ngettext("Research: draw {n} card.", "Research: draw {n} cards.", race.research)
        case "activate":
            return _("Activate {card}.", card=card)
        case "attack":
            return _("Attack {player}.", player=name)
        case "trade":
            give, get = (
                Resources(*(amount if kind == side else 0 for kind, amount in enumerate(race.trade)))
                for side in TRADES[move.number]
            )
            return _("Trade {given} for {gained}.", given=resources_words(give), gained=resources_words(get))
        case "propaganda":
            return _("Propaganda: loyalty rises by 3.")
        case "deal":
            return _("Deal: discard 3 cards and hire {advisor}.", advisor=card)
        case "discard":
            return _("Discard {card}.", card=card)
        case "take":
            return _("Take {card} from the discard pile.", card=card)
        case "option":
            return _option_sentence(position, move)
        case "exchange":
            return _("Give {given} in exchange.", given=resources_words(given_side(position, move)))
        case "use":
            return _("Apply the effect of {card}.", card=card)
        case "reorder":
            order = ", ".join(things[each].label for each in move.order)
            return _(
                "Put system {number} into this order, the lowest first: {cards}.", number=move.system + 1, cards=order
            )
        case "bury":
            return _("Put {card} of {player} under its system.", card=card, player=name)
        case "fill":
            return _(
                "Fill the {cell} cell of {card}, which belongs to {player}.",
                cell="AR"[move.number],
                card=card,
                player=name,
            )
        case "target":
            return _("Choose {player}.", player=name)
    return _("That is all.")


def _option_sentence(position: Position, move: Move) -> str:
    task = position.stack[-1]
    assert isinstance(task, PickOption)
    return _("Choose: {what}.", what=ops_words(task.options[move.number]))
