"""What the rules forbid, and why: every reason that holds by itself, with what was expected."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.language import _, ngettext
from ...base.names import player_place
from ...base.quoting import listed
from .cards import Structure
from .counting import attack_price, attack_strength, defence_strength, discount, payments, source_at, working
from .effects import building_places, can_pay
from .position import ADVISOR, TRADES, Move, Player, Position, Swap
from .rules import legal_moves
from .table import Table
from .vocabulary import ATTACKS, DEAL_COST, LOYALTY_SIGN, Resources

ACTIONS = ("build", "exploit", "research", "activate", "attack", "trade", "propaganda", "deal")


def why_not(position: Position, move: Move) -> list[str]:
    """Why a move is illegal, in every way that it is; nothing if it is legal."""
    moves = legal_moves(position)
    if move in moves:
        return []
    if position.to_move is None:
        return [
            _("expected no move, because the game is over")
            if position.is_over
            else _("expected a card to be drawn first")
        ]
    kinds = sorted({each.kind for each in moves})
    table, player = Table(position), position.players[position.to_move]
    if not position.stack and move.kind in ACTIONS:
        return list(_why_no_action(table, position.to_move, move)) or [_expected_kinds(kinds, move)]
    if move.kind not in kinds:
        return [_expected_kinds(kinds, move)]
    if move.kind == "discard" and not isinstance(position.stack[-1], Swap) and move.card not in player.hand:
        return list(_why_not_in_hand(player, move.card))
    choice = list(dict.fromkeys(_named(each) for each in moves if each.kind == move.kind))
    return [_("expected one of {choice}, found {found}", choice=", ".join(choice), found=_named(move))]


def _named(move: Move) -> str:
    return move.card or str(move.number + 1 if move.kind in ("option", "exchange") else move.player + 1)


def _expected_kinds(kinds: list[str], move: Move) -> str:
    return _("expected one of {choice}, found {found}", choice=", ".join(kinds), found=move.kind)


def _why_no_action(table: Table, seat: int, move: Move) -> Iterator[str]:
    player = table.players[seat]
    match move.kind:
        case "build":
            yield from _why_not_in_hand(player, move.card)
            if move.card in table.cards.structure:
                yield from _why_no_build(table, player, table.cards.structure[move.card], move)
        case "exploit":
            yield from _why_not_in_hand(player, move.card)
        case "activate":
            yield from _why_no_activation(table, seat, move)
        case "attack":
            yield from _why_no_attack(table, seat, move.player)
        case "trade":
            rate = table.cards.race[player.race].trade
            give = TRADES[move.number][0]
            cost = Resources(*(amount if kind == give else 0 for kind, amount in enumerate(rate)))
            yield from _why_not_payable(player, cost)
        case "propaganda" if player.propaganda:
            yield _("expected propaganda once a round, found a second one")
        case "deal":
            yield from _why_no_deal(table, player, move.card)


def _why_not_in_hand(player: Player, card: str) -> Iterator[str]:
    if card not in player.hand:
        yield _("expected a card of the hand, found {found}", found=card)


def _why_not_payable(player: Player, cost: Resources) -> Iterator[str]:
    if not player.resources.covers(cost):
        yield _("expected {cost} to pay with, found {found}", cost=cost, found=player.resources)


def _why_below_sign(player: Player, card: str) -> str:
    return _(
        "expected loyalty {least} or more for {card}, found {found}",
        least=LOYALTY_SIGN,
        card=card,
        found=player.loyalty,
    )


def _why_no_build(table: Table, player: Player, card: Structure, move: Move) -> Iterator[str]:
    if card.loyalty_sign and player.loyalty < LOYALTY_SIGN:
        yield _why_below_sign(player, card.id)
    places = building_places(player)
    if move.system not in places:
        choice = ", ".join(str(place + 1) for place in places) or _("none")
        yield _("expected a system with room ({choice}), found {found}", choice=choice, found=move.system + 1)
        return
    ways = payments(card.cost, discount(table.cards, player, card, move.system))
    payable = [way for way in ways if player.resources.covers(way)]
    if not payable:
        yield _("expected {cost} to pay with, found {found}", cost=_or(ways), found=player.resources)
    elif move.resources not in payable:
        yield _(
            "expected {cost} to be paid for {card}, found {found}",
            cost=_or(payable),
            card=card.id,
            found=move.resources,
        )


def _or(ways: list[Resources]) -> str:
    return " / ".join(map(str, ways))


def _why_no_activation(table: Table, seat: int, move: Move) -> Iterator[str]:
    player = table.players[seat]
    source = source_at(table.cards, player, move.system)
    if source is None or source.id != move.card or source.activation is None:
        names = [each.id for place, each in working(table.cards, player) if each.activation and place >= ADVISOR]
        yield _(
            "expected a working card with an activation ({choice}), found {found}",
            choice=listed(names) or _("none"),
            found=move.card,
        )
        return
    effect = source.activation
    if table.is_filled(seat, move.system, "a"):
        yield _("expected an empty A cell on {card}, found a cube in it", card=move.card)
    if effect.loyalty_sign and player.loyalty < LOYALTY_SIGN:
        yield _why_below_sign(player, move.card)
    yield from _why_not_payable(player, effect.pay.resources)
    table.spend_cube(seat)
    if player.resources.covers(effect.pay.resources) and not can_pay(table.players[seat], effect.pay):
        yield _("expected the price of {card} to be payable, found too little", card=move.card)


def _why_no_attack(table: Table, seat: int, other: int) -> Iterator[str]:
    if other == seat or not 0 <= other < len(table.players):
        yield _("expected another player, found {found}", found=other + 1)
        return
    attacker, target = table.players[seat], table.players[other]
    name = player_place(other, target.name)
    most = ATTACKS[len(table.players)]
    if attacker.attacks[other] >= most:
        yield ngettext(
            "expected at most {n} attack on {player} in a round, found one more",
            "expected at most {n} attacks on {player} in a round, found one more",
            most,
            player=name,
        )
    mine, theirs = attack_strength(table.cards, attacker), defence_strength(table.cards, target)
    if mine < theirs:
        yield _(
            "expected a fleet of {least} or more against {player}, found {found}", least=theirs, player=name, found=mine
        )
    yield from _why_not_payable(attacker, Resources(fleet=attack_price(table.cards, attacker, target)))


def _why_no_deal(table: Table, player: Player, advisor: str) -> Iterator[str]:
    if len(player.hand) < DEAL_COST:
        yield ngettext(
            "expected {n} card in hand for a deal, found {found}",
            "expected {n} cards in hand for a deal, found {found}",
            DEAL_COST,
            found=len(player.hand),
        )
    if player.advisor and table.cards.advisor[player.advisor].permanent:
        yield _("expected no deal, because {advisor} cannot be replaced", advisor=player.advisor)
    if advisor not in table.advisors:
        choice = ", ".join(table.advisors) or _("none")
        yield _("expected an advisor on the table ({choice}), found {found}", choice=choice, found=advisor)
