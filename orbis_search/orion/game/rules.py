"""The rules of Master of Orion, plain and slow: what the compiled core is tested against.

They read like RULES sections 2 to 5. A position waits for a decision (`legal_moves`, `play`), for a card to be drawn
(`draws`, `draw`), or is over. One decision is one move: whatever an effect asks is asked separately.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ...base.dice import Dice
from .cards import CardSet, KeepCube
from .counting import (
    always,
    attack_price,
    attack_strength,
    defence_strength,
    end_reasons,
    own_structures,
    points,
    standings,
    winners,
)
from .effects import activatable, activate, advance, build, builds, decide, task_moves
from .position import RACE, TRADES, Drawing, Drop, Hire, Move, Phase, Player, Position, Swap, Trigger
from .table import Table
from .vocabulary import (
    ADVISORS_OUT,
    ATTACK_VP,
    ATTACKS,
    CUBES,
    DEAL_COST,
    HAND,
    HUMANS,
    PROPAGANDA_GAIN,
    Resources,
    When,
    level_of,
)

__all__ = [
    "draw",
    "draws",
    "end_reasons",
    "first_in_deck",
    "legal_moves",
    "new_game",
    "play",
    "play_out",
    "points",
    "standings",
    "winners",
]

# ------------------------------------------------------------------------------------------------ set-up (section 2)


def new_game(
    cards: CardSet,
    races: Sequence[str] = (HUMANS, HUMANS),
    dice: Dice | None = None,
    *,
    first: int | None = None,
    names: Sequence[str] = (),
    training: bool = False,
) -> Position:
    """A game set up and dealt, one race for each seat (R1). Without dice nothing is shuffled, and the first seat
    begins. A training game has no advisors."""

    def shuffled(items: Sequence[str]) -> list[str]:
        return list(items) if dice is None else dice.shuffled(items)

    count = len(races)
    if first is None:
        first = 0 if dice is None else dice.below(count)
    out = () if training else tuple(sorted(shuffled([card.id for card in cards.advisors])[:ADVISORS_OUT]))
    players = tuple(
        Player(race, name, cards.race[race].start, attacks=(0,) * count)
        for race, name in zip(races, names or [""] * count)
    )
    table = Table(Position(cards, players, tuple(shuffled(cards.deck)), (), out, first, turn=first))
    for seat in table.in_turn_order():
        for card in table.deck[:HAND]:
            table.draw(seat, card)
    table.push(Swap(seat) for seat in table.in_turn_order())
    return _until_something_is_due(table)


# ------------------------------------------------------------------------------------------------ moves and draws


def legal_moves(position: Position) -> list[Move]:
    """Everything that can be decided, in a fixed order; none while a card is to be drawn and when the game is over."""
    if position.to_move is None:
        return []
    table = Table(position)
    return task_moves(table, table.stack[-1]) if table.stack else action_moves(table, table.turn)


def play(position: Position, move: Move) -> Position:
    """The position after a legal move, when next something has to be decided or drawn."""
    table = Table(position)
    if table.stack:
        decide(table, table.stack.pop(), move)
    else:
        _act(table, table.turn, move)
    return _until_something_is_due(table)


def draws(position: Position) -> list[tuple[str, int]]:
    """What can be drawn now, each with the number of its copies in the deck: all copies are equally likely."""
    if not position.draw_due:
        return []
    return sorted(Counter(position.deck).items(), key=lambda drawn: position.cards.order[drawn[0]])


def draw(position: Position, card: str) -> Position:
    """The position after this card has been drawn."""
    table = Table(position)
    task = table.stack.pop()
    assert isinstance(task, Drawing)
    table.draw(task.player, card)
    drawn = (*task.drawn, card) if task.discard else ()
    table.stack.append(Drawing(task.player, task.n - 1, task.discard, drawn))
    return _until_something_is_due(table)


# Who says which card is drawn.
Chance = Callable[[Position], str]


def first_in_deck(position: Position) -> str:
    """As if the deck lay there in the order of the position."""
    return position.deck[0]


def by_dice(dice: Dice) -> Chance:
    return lambda position: dice.one_of(position.deck)


def play_out(position: Position, chance: Chance) -> Position:
    """After all draws that are due."""
    while position.draw_due:
        position = draw(position, chance(position))
    return position


def _until_something_is_due(table: Table) -> Position:
    while table.phase is not Phase.OVER:
        if table.stack:
            if not advance(table):
                break
        elif table.phase is Phase.SETUP:
            _start_round(table)
        elif table.phase is Phase.START:
            table.phase, table.turn = Phase.ACTIONS, table.first
        elif table.phase is Phase.ACTIONS:
            # Who has no cube is skipped, and comes back if an effect gives one (R4).
            able = [seat for seat in table.in_turn_order(table.turn) if table.players[seat].available]
            if able:
                table.turn = able[0]
                break
            _end_round(table)
        else:
            _next_round(table)
            _start_round(table)
    return table.position()


# ------------------------------------------------------------------------------------ start of the round (section 3.1)


def _start_round(table: Table) -> None:
    table.phase = Phase.START
    # 1. Income of all own cards, covered or working; none in the first round, when nobody has any.
    for seat, player in enumerate(table.players):
        for card in own_structures(table.cards, player):
            table.gain(seat, card.income)
    # 2. Mobilization, by the largest resource. Draws are made in turn order (R3).
    drawings = []
    for seat in table.in_turn_order():
        player = table.players[seat]
        line = table.cards.race[player.race].at(level_of(player.resources))
        table.make_available(seat, line.cubes)
        table.change_loyalty(seat, line.loyalty)
        _return_kept_cube(table, seat)
        if line.draw:
            drawings.append(Drawing(seat, line.draw))
    # 3. "Start of round" effects, which come too late to change the level.
    triggers = [Trigger(seat, seat, When.START_OF_ROUND) for seat in table.in_turn_order()]
    table.push([*drawings, *triggers])


def _return_kept_cube(table: Table, seat: int) -> None:
    """A cube that stayed in an R cell is an extra action now."""
    for place in _keeping_places(table, seat):
        if table.is_filled(seat, place, "r"):
            table.fill(seat, place, "r", False)
            table.change(seat, available=table.players[seat].available + 1)


def _keeping_places(table: Table, seat: int) -> list[int]:
    """Each once, however often it says so; a board has no cells."""
    found = [place for place, op in always(table.cards, table.players[seat]) if isinstance(op, KeepCube)]
    return [place for place in dict.fromkeys(found) if place != RACE]


# ------------------------------------------------------------------------------------------------ actions (section 3.2)


def action_moves(table: Table, seat: int) -> list[Move]:
    """What the player can do with a cube. Research is always there (R5), so there is always a move."""
    player = table.players[seat]
    moves = builds(table, seat)
    moves += [Move("exploit", card) for card in table.sorted(set(player.hand))]
    moves.append(Move("research"))
    table.spend_cube(seat)  # it is spent first, so no price can be paid with it
    moves += [Move("activate", card, place) for place, card in activatable(table, seat)]
    table.change(seat, available=player.available)
    moves += [Move("attack", player=other) for other in table.in_turn_order(seat)[1:] if can_attack(table, seat, other)]
    rate = table.cards.race[player.race].trade
    moves += [Move("trade", number=n) for n, (give, _) in enumerate(TRADES) if player.resources[give] >= rate[give]]
    if not player.propaganda:
        moves.append(Move("propaganda"))
    if can_deal(table, seat):
        moves += [Move("deal", advisor) for advisor in table.advisors]
    return moves


def can_attack(table: Table, seat: int, other: int) -> bool:
    """The limit is not reached, the fleet with bonuses is at least as strong, and the real fleet can pay."""
    attacker, target = table.players[seat], table.players[other]
    return (
        attacker.attacks[other] < ATTACKS[len(table.players)]
        and attack_strength(table.cards, attacker) >= defence_strength(table.cards, target)
        and attacker.resources.fleet >= attack_price(table.cards, attacker, target)
    )


def can_deal(table: Table, seat: int) -> bool:
    player = table.players[seat]
    bound = bool(player.advisor) and table.cards.advisor[player.advisor].permanent
    return len(player.hand) >= DEAL_COST and not bound


def _act(table: Table, seat: int, move: Move) -> None:
    """A cube is spent first, then the action is carried out; the turn passes to the left."""
    player = table.players[seat]
    race = table.cards.race[player.race]
    table.spend_cube(seat)
    table.turn = (seat + 1) % len(table.players)
    match move.kind:
        case "build":
            build(table, seat, move)
        case "exploit":
            table.discard(seat, move.card)
            gained = race.exploit[table.cards.structure[move.card].colour]
            table.gain(seat, gained.resources)
            if gained.draw:
                table.push([Drawing(seat, gained.draw, gained.discard)])
        case "research":
            table.push([Drawing(seat, race.research)])
        case "activate":
            table.fill(seat, move.system, "a")
            activate(table, seat, move.system, move.card)
        case "attack":
            _attack(table, seat, move.player)
        case "trade":
            give, get = TRADES[move.number]
            table.pay(seat, _only(race.trade, give))
            table.gain(seat, _only(race.trade, get))
        case "propaganda":
            table.change(seat, propaganda=True)
            table.change_loyalty(seat, PROPAGANDA_GAIN)
        case "deal":
            table.push([Drop(seat, DEAL_COST), Hire(seat, move.card)])


def _only(resources: Resources, kind: int) -> Resources:
    return Resources(*(amount if n == kind else 0 for n, amount in enumerate(resources)))


def _attack(table: Table, seat: int, other: int) -> None:
    """In this order (R9): pay, the target's loyalty, VP, "after attack" effects, "after being attacked" effects."""
    attacker, target = table.players[seat], table.players[other]
    made = [number + (who == other) for who, number in enumerate(attacker.attacks)]
    table.change(seat, attacks=tuple(made))
    table.pay(seat, Resources(fleet=attack_price(table.cards, attacker, target)))
    table.change_loyalty(other, -1)
    table.change_vp(seat, ATTACK_VP)
    table.push(
        [Trigger(seat, seat, When.AFTER_ATTACK, target=other), Trigger(seat, other, When.AFTER_ATTACKED, target=seat)]
    )


# -------------------------------------------------------------------------------------- end of the round (section 3.3)


def _end_round(table: Table) -> None:
    # 1. If an end condition holds, the game is over.
    if end_reasons(table.position()):
        table.phase = Phase.OVER
        return
    # 2. Everybody discards down to 5 cards, in turn order (R13).
    table.phase = Phase.END
    table.push(
        Drop(seat, len(table.players[seat].hand) - HAND)
        for seat in table.in_turn_order()
        if len(table.players[seat].hand) > HAND
    )


def _next_round(table: Table) -> None:
    # 3. All cubes go back to their owners' reserves, except one that is kept.
    for seat, player in enumerate(table.players):
        keeping = _keeping_places(table, seat)
        kept = [place for place in keeping if table.is_filled(seat, place, "r")]
        table.change(
            seat,
            available=0,
            systems=tuple(system._replace(a=False, r=False) for system in player.systems),
            advisor_a=False,
            advisor_r=False,
            propaganda=False,
            attacks=(0,) * len(table.players),
            reserve=CUBES - len(kept),
        )
        for place in kept:
            table.fill(seat, place, "r")
    # 4. The first-player token passes to the left.
    table.first = table.turn = (table.first + 1) % len(table.players)
    table.round += 1
