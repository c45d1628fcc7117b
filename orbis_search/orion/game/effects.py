"""Effects at work: what each does to the table, and which decisions it asks for.

An effect is a list of things to do. What needs no decision is done at once; the rest waits on the table's stack, the
next task last. A build inside an effect pushes its own effects on top, so it is finished before the outer effect goes
on (section 4.4). `advance` does a task that needs nobody; `task_moves` and `decide` are about those that do.
"""

from __future__ import annotations

from itertools import permutations

from . import cards as printed
from .cards import Effect, Op, Price
from .counting import count, discount, holds, payments, source_at, working
from .position import (
    ADVISOR,
    ANYWHERE,
    RACE,
    Apply,
    Drawing,
    Drop,
    Hire,
    Move,
    PickActivation,
    PickBuild,
    PickDirection,
    PickDiscard,
    PickOption,
    PickOrder,
    PickVictim,
    Player,
    Ref,
    Run,
    Swap,
    System,
    Task,
    Trigger,
)
from .table import Table
from .vocabulary import LOYALTY_SIGN, Cell, Colour, When

CELLS = "ar"  # the numbers of a card's cells in moves

# --- whether an effect can be used


def effect_of(table: Table, ref: Ref) -> Effect | None:
    """The effect if its card still works."""
    source = source_at(table.cards, table.players[ref.owner], ref.place)
    return source.effects[ref.effect] if source is not None and source.id == ref.card else None


def can_pay(player: Player, price: Price) -> bool:
    return (
        player.resources.covers(price.resources)
        and player.vp >= price.vp
        and player.available >= price.cubes
        and len(player.hand) >= price.cards
    )


def is_usable(table: Table, ref: Ref) -> bool:
    effect = effect_of(table, ref)
    if effect is None:
        return False
    player = table.players[ref.owner]
    if effect.cell is Cell.R and (table.is_filled(ref.owner, ref.place, "r") or not player.reserve):
        return False
    return holds(table.cards, player, effect) and can_pay(player, effect.pay)


def activatable(table: Table, seat: int, *, by_effect: bool = False) -> list[tuple[int, str]]:
    """Places and ids of the cards that can be activated: by an action, with its cube already spent, or by an effect,
    with a cube from the reserve (R10)."""
    player = table.players[seat]
    if by_effect and not player.reserve:
        return []
    found = []
    for place, source in working(table.cards, player):
        effect = source.activation
        if effect is None or table.is_filled(seat, place, "a"):
            continue
        if holds(table.cards, player, effect) and can_pay(player, effect.pay):
            found.append((place, source.id))
    return found


# --- using one


def begin(table: Table, ref: Ref, target: int) -> None:
    """A price in front of an effect is paid first."""
    effect = effect_of(table, ref)
    assert effect is not None
    owner, price = ref.owner, effect.pay
    if effect.cell is Cell.R:
        table.fill_from_reserve(owner, ref.place, "r")
    table.pay(owner, price.resources)
    table.change_vp(owner, -price.vp)
    table.discard_cubes(owner, price.cubes)
    tasks: list[Task] = [Drop(owner, price.cards)] if price.cards else []
    table.push([*tasks, Run(owner, ref, effect.do, target)])


def activate(table: Table, seat: int, place: int, card: str) -> None:
    """The cube is in the cell already."""
    source = source_at(table.cards, table.players[seat], place)
    assert source is not None
    index = next(index for index, _ in source.with_when(When.ACTIVATION))
    begin(table, Ref(seat, place, card, index), -1)


def build(table: Table, seat: int, move: Move) -> None:
    """Pay, place, then the card's own effects."""
    table.pay(seat, move.resources)
    table.leave_hand(seat, move.card)
    table.place_card(seat, move.card, move.system)
    table.push([Trigger(seat, seat, When.AFTER_BUILDING, move.system)])


def builds(
    table: Table, seat: int, colour: Colour | None = None, system: int = ANYWHERE, extra_discount: int = 0
) -> list[Move]:
    """Every card of the hand that can be paid and placed, in every place, with every division of the discount."""
    player = table.players[seat]
    found = []
    for card_id in table.sorted(set(player.hand)):
        card = table.cards.structure[card_id]
        if colour not in (None, card.colour) or (card.loyalty_sign and player.loyalty < LOYALTY_SIGN):
            continue
        for place in building_places(player):
            if system in (ANYWHERE, place):
                saved = extra_discount + discount(table.cards, player, card, place)
                for paid in payments(card.cost, saved):
                    if player.resources.covers(paid):
                        found.append(Move("build", card_id, place, resources=paid))
    return found


def building_places(player: Player) -> list[int]:
    """Numbers of systems with room, and the next number for a new one."""
    places = [number for number, system in enumerate(player.systems) if not system.is_full]
    return [*places, len(player.systems)] if player.can_found else places


def hire(table: Table, seat: int, advisor: str) -> None:
    """A former advisor goes back to the table, its cubes to the reserve (R17)."""
    dismiss(table, seat)
    table.advisors.remove(advisor)
    table.change(seat, advisor=advisor)
    if table.cards.advisor[advisor].founds_system:
        table.change(seat, systems=(*table.players[seat].systems, System(advisor=True)))


def dismiss(table: Table, seat: int) -> None:
    if table.players[seat].advisor:
        table.empty_cells(seat, ADVISOR)
        table.advisors = sorted([*table.advisors, table.players[seat].advisor])
        table.change(seat, advisor="")


def is_dismissable(table: Table, seat: int) -> bool:
    advisor = table.players[seat].advisor
    return bool(advisor) and not table.cards.advisor[advisor].permanent


# --- tasks that need nobody


def advance(table: Table) -> bool:
    """Does the topmost task if it needs no decision and no draw; whether it did."""
    task = table.stack[-1]
    match task:
        case Trigger():
            table.stack.pop()
            table.stack.append(Apply(task.player, _due(table, task), task.target))
            return True
        case Apply():
            usable = [ref for ref in task.refs if is_usable(table, ref)]
            first = effect_of(table, usable[0]) if usable else None
            if len(usable) == 1 and first is not None:
                others = usable[0].owner != task.player
                if others or not first.may or first.only_builds:
                    _use(table, table.stack.pop(), usable[0])
                    return True
            if usable:
                return False
        case Run():
            table.stack.pop()
            if len(task.ops) > 1:
                table.stack.append(Run(task.player, task.ref, task.ops[1:], task.target))
            _do(table, task, task.ops[0])
            return True
        case Drawing():
            if task.n and table.refill_deck():
                return False
            table.stack.pop()
            if task.discard and task.drawn:
                table.stack.append(Drop(task.player, min(task.discard, len(task.drawn)), task.drawn))
            return True
        case Hire():
            table.stack.pop()
            hire(table, task.player, task.advisor)
            return True
        case Drop():
            if task.n and table.players[task.player].hand:
                return False
        case PickBuild():
            if task_moves(table, task) not in ([], [DONE]):
                return False
        case PickActivation():
            if task_moves(table, task) != [DONE]:
                return False
        case Swap():
            return False
        case _:
            if task_moves(table, task):
                return False
    table.stack.pop()  # nothing is left to decide
    return True


DONE = Move("done")


def _use(table: Table, task: Task, ref: Ref) -> None:
    """One of the effects that are due; the others wait. Whether to use what may be used, its owner says, whoever
    chooses the order."""
    assert isinstance(task, Apply)
    rest = tuple(each for each in task.refs if each != ref)
    table.stack.append(Apply(task.player, rest, task.target))
    if ref.owner != task.player:
        table.stack.append(Apply(ref.owner, (ref,), task.target))
    else:
        begin(table, ref, task.target)


def _due(table: Table, task: Trigger) -> tuple[Ref, ...]:
    return tuple(
        Ref(task.owner, place, source.id, index)
        for place, source in working(table.cards, table.players[task.owner])
        if task.place in (ANYWHERE, place)
        for index, _ in source.with_when(task.when)
    )


def _do(table: Table, task: Run, op: Op) -> None:
    seat, ref, target = task.player, task.ref, task.target
    player = table.players[seat]
    match op:
        case printed.Gain():
            times = count(table.cards, player, op.times) // op.every if op.times else 1
            table.gain(seat, op.resources.times(times))
            table.change_vp(seat, op.vp * times)
            table.change_loyalty(seat, op.loyalty * times)
            table.make_available(seat, op.cubes * times)
        case printed.Choose():
            table.push([PickOption(seat, ref, op.options, target)])
        case printed.Draw():
            table.push([Drawing(seat, op.n, op.discard)])
        case printed.Discard():
            table.push([Drop(seat, min(op.n, len(player.hand)))])
        case printed.Exchange():
            table.push([PickDirection(seat, op.left, op.right)])
        case printed.TakeDiscard():
            table.push([PickDiscard(seat, op.top or len(table.pile), op.keep)])
        case printed.Build():
            effect = player_effect(table, ref)
            system = ref.place if op.this_system else ANYWHERE
            table.push(
                PickBuild(seat, -1 if colour is None else colour, system, op.discount, effect.may)
                for colour in op.filters
            )
        case printed.Activate():
            number = op.n or len(player.systems) + 1
            table.push([PickActivation(seat, number, ref if op.other else None)])
        case printed.GainCovered():
            below = player.systems[ref.place].cards[-2:-1] if ref.place >= 0 else ()
            if below:
                table.gain(seat, op.table[table.cards.structure[below[0]].colour])
        case printed.Reorder():
            systems = tuple(number for number, system in enumerate(player.systems) if len(system.cards) > 1)
            table.push([PickOrder(seat, systems, op.every)])
        case printed.FillR():
            works = source_at(table.cards, player, ref.place)
            if works is not None and works.id == ref.card and player.reserve:
                if not table.is_filled(seat, ref.place, "r"):
                    table.fill_from_reserve(seat, ref.place, "r")
        case printed.Opponents() | printed.Bury() | printed.FillCell() | printed.DismissAdvisor():
            _turn_to_opponents(table, task, op)
        case _:
            raise AssertionError(op)  # the reader lets nothing else be done


def player_effect(table: Table, ref: Ref) -> Effect:
    """The effect as printed, whether or not its card still works."""
    player = table.players[ref.owner]
    if ref.place == RACE:
        return table.cards.race[player.race].effects[ref.effect]
    if ref.place == ADVISOR:
        return table.cards.advisor[ref.card].effects[ref.effect]
    return table.cards.structure[ref.card].effects[ref.effect]


Hostile = printed.Opponents | printed.Bury | printed.FillCell | printed.DismissAdvisor


def _turn_to_opponents(table: Table, task: Run, op: Hostile) -> None:
    """Each opponent in turn order from the player's left, or the one the attack was on, or one to be chosen."""
    seat = task.player
    opponents = table.in_turn_order(seat)[1:]
    if op.who == "chosen":
        table.push([PickVictim(seat, task.ref, op, tuple(opponents))])
        return
    for victim in reversed([task.target] if op.who == "target" else opponents):
        _turn_to(table, seat, task.ref, op, victim)


def _turn_to(table: Table, seat: int, ref: Ref, op: Hostile, victim: int) -> None:
    """What happens to one opponent, once it is clear which."""
    match op:
        case printed.Opponents():
            if op.either:
                table.push([PickOption(victim, ref, op.either, seat)])
            else:
                table.push([Run(victim, ref, op.do, seat)])
        case printed.DismissAdvisor():
            if is_dismissable(table, victim):
                dismiss(table, victim)
        case printed.FillCell():
            table.push([PickVictim(victim if op.theirs else seat, ref, op, (victim,))])
        case printed.Bury():
            table.push([PickVictim(seat, ref, op, (victim,))])


# --- tasks that need a decision


def task_moves(table: Table, task: Task) -> list[Move]:
    """What the task's player can decide."""
    player = table.players[task.player]
    match task:
        case Swap():
            return [*_discards(table, player.hand), DONE]
        case Apply():
            usable = [ref for ref in task.refs if is_usable(table, ref)]
            moves = [Move("use", ref.card, ref.place, ref.owner, number=ref.effect) for ref in usable]
            optional = all(player_effect(table, ref).may and ref.owner == task.player for ref in usable)
            return [*moves, DONE] if optional else moves
        case PickOption():
            fitting = [n for n, ops in enumerate(task.options) if _can_do_all(player, ops)]
            return [Move("option", number=n) for n in fitting or range(len(task.options))]
        case PickDirection():
            ways = [player.resources.covers(given) for given in (task.left, task.right)]
            return [Move("exchange", number=n) for n, way in enumerate(ways) if way]
        case Drop():
            return _discards(table, player.hand if task.among is None else task.among)
        case PickDiscard():
            top = min(task.top, len(table.pile)) if task.keep else 0
            return [Move("take", table.pile[-depth], number=depth) for depth in range(1, top + 1)]
        case PickBuild():
            colour = None if task.colour < 0 else Colour(task.colour)
            moves = builds(table, task.player, colour, task.system, task.discount)
            return [*moves, DONE] if task.optional else moves
        case PickActivation():
            found = activatable(table, task.player, by_effect=True) if task.n else []
            own = None if task.ref is None else (task.ref.place, task.ref.card)
            return [*(Move("activate", card, place) for place, card in found if (place, card) != own), DONE]
        case PickOrder():
            return _orders(player, task)
        case PickVictim():
            return _victims(table, task)
    raise AssertionError(task)


def _discards(table: Table, cards: tuple[str, ...]) -> list[Move]:
    return [Move("discard", card) for card in table.sorted(set(cards))]


def _can_do_all(player: Player, ops: tuple[Op, ...]) -> bool:
    """Whether an option can be applied in full: the cards to discard and the resources to lose are there."""
    lost = [op for op in ops if isinstance(op, printed.Gain)]
    return all(op.n <= len(player.hand) for op in ops if isinstance(op, printed.Discard)) and all(
        player.vp + op.vp >= 0 and all(has + gain >= 0 for has, gain in zip(player.resources, op.resources))
        for op in lost
    )


def _orders(player: Player, task: PickOrder) -> list[Move]:
    """Of one system after another, or of any one."""
    numbers = task.systems[:1] if task.every else task.systems
    return [
        Move("reorder", system=number, order=order)
        for number in numbers
        for order in sorted(set(permutations(player.systems[number].cards)))
    ]


def _victims(table: Table, task: PickVictim) -> list[Move]:
    match task.op:
        case printed.Bury():
            return [
                Move("bury", system.cards[-1], number, victim)
                for victim in task.victims
                for number, system in enumerate(table.players[victim].systems)
                if system.cards
            ]
        case printed.FillCell() if not (task.op.theirs and task.op.who == "chosen" and len(task.victims) > 1):
            return [
                Move("fill", source.id, place, victim, number=number)
                for victim in task.victims
                if table.players[victim].reserve
                for place, source in working(table.cards, table.players[victim])
                if place != RACE
                for number, has in enumerate((source.has_a, source.has_r))
                if has and not table.is_filled(victim, place, CELLS[number])
            ]
        case printed.DismissAdvisor():
            return [Move("target", player=victim) for victim in task.victims if is_dismissable(table, victim)]
    return [Move("target", player=victim) for victim in task.victims]


def decide(table: Table, task: Task, move: Move) -> None:
    """Carries out a decision on the topmost task, which has been taken from the stack."""
    seat = task.player
    match task:
        case Swap():
            if move.kind == "discard":
                table.discard(seat, move.card)
                table.stack.append(Swap(seat, task.dropped + 1))
            elif task.dropped:
                table.stack.append(Drawing(seat, task.dropped))
        case Apply():
            if move.kind == "use":
                _use(table, task, Ref(move.player, move.system, move.card, move.number))
        case PickOption():
            table.stack.append(Run(seat, task.ref, task.options[move.number], task.target))
        case PickDirection():
            given, gained = (task.left, task.right) if move.number == 0 else (task.right, task.left)
            table.pay(seat, given)
            table.gain(seat, gained)
        case Drop():
            table.discard(seat, move.card)
            among = None
            if task.among is not None:
                at = task.among.index(move.card)
                among = task.among[:at] + task.among[at + 1 :]
            if task.n > 1:
                table.stack.append(Drop(seat, task.n - 1, among))
        case PickDiscard():
            table.take_from_pile(seat, len(table.pile) - move.number)
            if task.keep > 1:
                table.stack.append(PickDiscard(seat, task.top - 1, task.keep - 1))
        case PickBuild():
            if move.kind == "build":
                build(table, seat, move)
        case PickActivation():
            if move.kind == "activate":
                table.stack.append(PickActivation(seat, task.n - 1, task.ref))
                table.fill_from_reserve(seat, move.system, "a")
                activate(table, seat, move.system, move.card)
        case PickOrder():
            table.rearrange(seat, move.system, move.order)
            if task.every and len(task.systems) > 1:
                table.stack.append(PickOrder(seat, task.systems[1:], True))
        case PickVictim():
            _strike(table, task, move)


def _strike(table: Table, task: PickVictim, move: Move) -> None:
    if move.kind == "bury":
        cards = table.players[move.player].systems[move.system].cards
        if len(cards) > 1:
            table.empty_cells(move.player, move.system)
            table.change_system(move.player, move.system, cards=(cards[-1], *cards[:-1]))
    elif move.kind == "fill":
        table.fill_from_reserve(move.player, move.system, CELLS[move.number])
    else:
        assert isinstance(task.op, Hostile)
        _turn_to(table, task.player, task.ref, task.op, move.player)
