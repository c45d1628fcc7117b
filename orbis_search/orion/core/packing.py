"""The one bridge between the readable Position and the packed state of the core.

`Packing` checks a position before it packs it, so that nothing reaches the core's memory that does not belong there.
From then on everything is trusted: a packed state plays whatever packed moves it is given, so the caller must know that
they are legal (`orion.game.legality` checks a readable one).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...base.errors import InputError
from ...base.language import _
from ..game import position as tasks
from ..game.cards import Exchange
from ..game.position import ADVISOR, ANYWHERE, MOVES, RACE, Move, Phase, Player, Position, Ref, System, Task
from ..game.problems import expect_position
from ..game.vocabulary import Resources
from .printing import NO_COLOUR, WHENS, Printing
from .states import ADVISORS_FROM, NOTHING, RACES_FROM, PackedState

PackedMove = tuple[int, int]
Fields = tuple[Any, ...]

# Places as the core numbers them; ANYWHERE is one more.
_PLACES = {ADVISOR: 5, RACE: 6, ANYWHERE: 7}
_PLACE_OF = {number: place for place, number in _PLACES.items()}
_NO_PLACE = 255
_PHASES = tuple(Phase)
_TASKS: tuple[type[Task], ...] = (
    tasks.Swap,
    tasks.Trigger,
    tasks.Apply,
    tasks.Run,
    tasks.PickOption,
    tasks.PickDirection,
    tasks.Drop,
    tasks.Drawing,
    tasks.PickDiscard,
    tasks.PickBuild,
    tasks.PickActivation,
    tasks.PickOrder,
    tasks.PickVictim,
    tasks.Hire,
)
_EFFECTS = 3  # of a card, at most
_KINDS = {kind: number for number, kind in enumerate(MOVES)}
_KIND_OF = tuple(MOVES)
# The packed move; the same fields are drawn in _core/orion/movegen.pxd.
_CARD_SHIFT, _PLACE_SHIFT, _PLAYER_SHIFT, _NUMBER_SHIFT = 5, 12, 15, 17


class Packing:
    """Numbers for all that one game is played with, and the conversion to and from its packed states.

    InputError for a position that the core cannot play on from; one that is `trusted` may lack cards, as none that was
    played does. `peeks` makes a game whose guesses leave all hands as they are, and `course`, the seed that cards will
    be drawn by, one whose guesses foresee them too: for tests, which have to catch whoever searches it.
    """

    def __init__(
        self, position: Position, *, trusted: bool = False, peeks: bool = False, course: int | None = None
    ) -> None:
        if not trusted:
            expect_position(position)
        if not position.is_complete:
            raise InputError.one("position", _("expected every card to be known, found some that are not"))
        self.origin = position
        self.printing = Printing(position)
        fields = self.fields(position)
        table = self.printing.table(len(position.players), peeks=peeks, course=course)
        try:
            self.state = PackedState(table, fields)
        except (ValueError, OverflowError):
            raise _unplayable() from None
        if self.fields(self.position(self.state)) != fields:
            raise _unplayable()

    # --- to the core

    def fields(self, position: Position) -> Fields:
        """All of a position of this game, in numbers."""
        numbers = self.printing.numbers
        try:
            return (
                tuple(self._player(seat, player) for seat, player in enumerate(position.players)),
                tuple(numbers[card] for card in position.deck),
                tuple(numbers[card] for card in position.pile),
                sum(1 << (numbers[card] - ADVISORS_FROM) for card in position.advisors),
                position.first,
                position.round,
                _PHASES.index(position.phase),
                position.turn,
                tuple(self._task(task) for task in position.stack),
            )
        except (KeyError, IndexError):
            raise _unplayable() from None

    def _player(self, seat: int, player: Player) -> Fields:
        numbers = self.printing.numbers

        def places(cell: str) -> int:
            filled = sum(getattr(system, cell) << place for place, system in enumerate(player.systems))
            return int(filled | getattr(player, f"advisor_{cell}") << _PLACES[ADVISOR])

        founded = [number for number, system in enumerate(player.systems) if system.advisor]
        return (
            *(tuple(sorted(numbers[card] for card in part)) for part in (player.known, player.old, player.fresh)),
            player.loyalty,
            player.vp,
            tuple(player.resources),
            player.available,
            player.reserve,
            tuple(tuple(numbers[card] for card in system.cards) for system in player.systems),
            founded[0] if founded else _NO_PLACE,
            numbers[player.advisor] if player.advisor else NOTHING,
            RACES_FROM + seat,
            places("a"),
            places("r"),
            player.propaganda,
            player.attacks,
        )

    def _task(self, task: Task) -> Fields:
        """kind player owner place card effect target n m discount colour flag op count one two"""
        printing = self.printing
        ref: Ref | None = getattr(task, "ref", None)
        owner, place, card, effect = (0, 0, 0, 0) if ref is None else self._ref(ref)
        target = getattr(task, "target", -1)
        n = m = discount = colour = op = count = one = two = 0
        flag = False
        match task:
            case tasks.Swap():
                m = task.dropped
            case tasks.Trigger():
                owner, m, place = task.owner, WHENS.index(task.when), _PLACES.get(task.place, task.place)
            case tasks.Apply():
                owner = task.refs[0].owner if task.refs else task.player
                for each in map(self._ref, task.refs):
                    one |= each[2] << 8 * each[1]
                    two |= 1 << (_EFFECTS * each[1] + each[3])
            case tasks.Run():
                op, count = printing.ops_at(task.ops), len(task.ops)
            case tasks.PickOption():
                op, count = printing.lists_at(task.options), len(task.options)
            case tasks.PickDirection():
                op = printing.ops_at((Exchange(task.left, task.right),))
            case tasks.Drop():
                n, flag = task.n, task.among is not None
                one, two = self._bag(task.among or ())
            case tasks.Drawing():
                n, m = task.n, task.discard
                one, two = self._bag(task.drawn)
            case tasks.PickDiscard():
                n, m = task.top, task.keep
            case tasks.PickBuild():
                colour = NO_COLOUR if task.colour < 0 else task.colour
                place = _PLACES.get(task.system, task.system)
                discount, flag = task.discount, task.optional
            case tasks.PickActivation():
                n, flag = task.n, task.ref is not None
            case tasks.PickOrder():
                n, one, flag = len(task.systems), _bytes(task.systems), task.every
            case tasks.PickVictim():
                n, one, op = len(task.victims), _bytes(task.victims), printing.ops_at((task.op,))
            case tasks.Hire():
                card = printing.numbers[task.advisor]
        kind = _TASKS.index(type(task))
        fields = (kind, task.player, owner, place, card, effect, target, n, m, discount, colour, int(flag))
        return (*fields, op, count, one, two)

    def _ref(self, ref: Ref) -> tuple[int, int, int, int]:
        return ref.owner, _PLACES.get(ref.place, ref.place), self.printing.number(ref.card, ref.owner), ref.effect

    def _bag(self, cards: Iterable[str]) -> tuple[int, int]:
        one = two = 0
        for card in cards:
            bit = 1 << self.printing.numbers[card]
            two, one = two | (one & bit), one ^ bit
        return one, two

    # --- from the core

    def position(self, state: PackedState) -> Position:
        """The readable twin of a state that was reached from this packing's position."""
        players, deck, pile, advisors, first, number, phase, turn, stack = state.fields()
        cards = self.printing.structures
        return Position(
            self.origin.cards,
            tuple(self._side(seat, fields) for seat, fields in enumerate(players)),
            tuple(cards[card] for card in deck),
            tuple(cards[card] for card in pile),
            tuple(card for at, card in enumerate(self.printing.advisors) if advisors >> at & 1),
            first,
            number,
            _PHASES[phase],
            turn,
            tuple(self._pending(fields, players) for fields in stack),
        )

    def _side(self, seat: int, fields: Fields) -> Player:
        cards, origin = self.printing.structures, self.origin.players[seat]
        known, old, fresh, loyalty, vp, resources, available, reserve, systems = fields[:9]
        founded, advisor, _race, a, r, propaganda, attacks = fields[9:]
        return Player(
            origin.race,
            origin.name,
            Resources(*resources),
            loyalty,
            vp,
            available,
            reserve,
            tuple(
                System(
                    tuple(cards[card] for card in system), bool(a >> place & 1), bool(r >> place & 1), founded == place
                )
                for place, system in enumerate(systems)
            ),
            "" if advisor == NOTHING else self.printing.card(advisor),
            bool(a >> _PLACES[ADVISOR] & 1),
            bool(r >> _PLACES[ADVISOR] & 1),
            propaganda,
            tuple(attacks),
            *(tuple(cards[card] for card in part) for part in (known, old, fresh)),
        )

    def _pending(self, fields: Fields, players: Sequence[Fields]) -> Task:
        kind, player, owner, place, card, effect, target, n, m, discount, colour, flag, op, count, one, two = fields
        kind = _TASKS[kind]
        where = _readable_place(place)
        ops = self.printing.ops
        if kind is tasks.Swap:
            return tasks.Swap(player, m)
        if kind is tasks.Trigger:
            return tasks.Trigger(player, owner, WHENS[m], where, target)
        if kind is tasks.Apply:
            refs = [
                Ref(owner, _readable_place(at), self.printing.card(one >> 8 * at & 255), which)
                for at in range(7)
                for which in range(_EFFECTS)
                if two >> (_EFFECTS * at + which) & 1
            ]
            return tasks.Apply(player, tuple(refs), target)
        if kind is tasks.Drop:
            return tasks.Drop(player, n, self._cards(one, two) if flag else None)
        if kind is tasks.Drawing:
            return tasks.Drawing(player, n, m, self._cards(one, two))
        if kind is tasks.PickDirection:
            exchange = ops[op]
            assert isinstance(exchange, Exchange)
            return tasks.PickDirection(player, exchange.left, exchange.right)
        if kind is tasks.PickDiscard:
            return tasks.PickDiscard(player, n, m)
        if kind is tasks.PickBuild:
            return tasks.PickBuild(player, -1 if colour == NO_COLOUR else colour, where, discount, bool(flag))
        if kind is tasks.PickOrder:
            return tasks.PickOrder(player, _numbers(one, n), bool(flag))
        if kind is tasks.Hire:
            return tasks.Hire(player, self.printing.card(card))
        ref = Ref(owner, where, self.printing.card(card), effect)
        if kind is tasks.PickActivation:
            return tasks.PickActivation(player, n, ref if flag else None)
        if kind is tasks.PickVictim:
            return tasks.PickVictim(player, ref, ops[op], _numbers(one, n))
        if kind is tasks.Run:
            return tasks.Run(player, ref, tuple(ops[op : op + count]), target)
        return tasks.PickOption(player, ref, tuple(self.printing.lists[op : op + count]), target)

    def _cards(self, one: int, two: int) -> tuple[str, ...]:
        cards = self.printing.structures
        return tuple(
            card for number, card in enumerate(cards) for _copy in range((one >> number & 1) + 2 * (two >> number & 1))
        )

    # --- moves

    def pack_move(self, move: Move) -> PackedMove:
        fields = MOVES[move.kind]
        number = move.number
        if move.kind == "build":
            number = sum(amount << 4 * n for n, amount in enumerate(move.resources))
        what = _KINDS[move.kind] | number << _NUMBER_SHIFT
        if "card" in fields:
            what |= self.printing.number(move.card, move.player) << _CARD_SHIFT
        if "system" in fields:
            what |= _PLACES.get(move.system, move.system) << _PLACE_SHIFT
        if "player" in fields:
            what |= move.player << _PLAYER_SHIFT
        return what, _bytes(self.printing.numbers[card] + 1 for card in move.order)

    def unpack_move(self, packed: PackedMove) -> Move:
        what, detail = packed
        kind = _KIND_OF[what & 31]
        fields = MOVES[kind]
        place, number = what >> _PLACE_SHIFT & 7, what >> _NUMBER_SHIFT & 0xFFF
        paid = Resources(*(number >> 4 * n & 15 for n in range(3))) if kind == "build" else Resources()
        order = []
        while detail:
            order.append(self.printing.structures[(detail & 255) - 1])
            detail >>= 8
        return Move(
            kind,
            self.printing.card(what >> _CARD_SHIFT & 127) if "card" in fields else "",
            _readable_place(place) if "system" in fields else 0,
            what >> _PLAYER_SHIFT & 3 if "player" in fields else 0,
            paid,
            0 if kind == "build" else number,
            tuple(order),
        )


def _unplayable() -> InputError:
    what = _("what a game can come to")
    return InputError.one("pending", _("expected {what}, found {found}", what=what, found=_("something else")))


def _readable_place(number: int) -> int:
    return _PLACE_OF.get(number, number)


def _bytes(numbers: Iterable[int]) -> int:
    return sum(number << 8 * at for at, number in enumerate(numbers))


def _numbers(packed: int, n: int) -> tuple[int, ...]:
    return tuple(packed >> 8 * at & 255 for at in range(n))
