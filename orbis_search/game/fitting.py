"""Which legal moves fit a description, which may say anything from nothing to everything about a move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

from .economy import Economy, Exchange, Spending, economy, mover, outcomes, tile_on
from .position import Move, Player, Position, Slot
from .rules import Removal, colour_fits, count_removals, lies_over, open_slots, removals, volcano_stock
from .vocabulary import CELLS, NOBODY, REGION_TURNS, Colour, Effect, God, Worshipers


@dataclass(frozen=True, slots=True)
class MoveDescription:
    """What is known about a move; None where nothing is. A move itself is the description that says everything."""

    cell: int | None = None
    god: God | None = None
    row: int | None = None  # from 1
    column: int | None = None  # from 1
    side: str | None = None
    wild: bool | None = None
    validated: bool | None = None
    removed: Removal | None = None
    removed_colours: Worshipers | None = None
    swap: tuple[Exchange, ...] | None = None
    pay: Worshipers | None = None
    gain: Worshipers | None = None
    gain_open: int | None = None  # this many more of any colour; 0 if it does not say how many
    give: Worshipers | None = None
    discard: Worshipers | None = None
    realm: Worshipers | None = None

    @property
    def spending(self) -> Spending:
        swaps = None if self.swap is None else tuple(sorted(self.swap))
        is_open = self.gain_open is not None
        return Spending(swaps, self.pay, self.gain, is_open, self.give, self.discard, self.realm)

    @property
    def gain_text(self) -> str:
        parts = [str(self.gain)] if self.gain is not None else []
        parts += [f"{self.gain_open or ''} any".strip()] if self.gain_open is not None else []
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Choice:
    """Moves alike in tile or god, face and verdict."""

    cell: int | None
    god: God | None
    slots: tuple[Slot | None, ...]
    wild: bool
    validated: bool
    stock: Removal = ()  # what a volcano may remove ...
    to_remove: int = 0  # ... and how many it must


@dataclass(frozen=True)
class Fit:
    """The moves of a choice that a description allows: a product of three lists."""

    choice: Choice
    slots: tuple[Slot | None, ...]
    realms: tuple[Worshipers, ...]
    removed: Callable[[], Iterable[Removal]]
    removed_count: int
    accepts: Callable[[Removal], bool] = field(repr=False)

    @property
    def count(self) -> int:
        return len(self.slots) * len(self.realms) * self.removed_count

    def moves(self) -> Iterator[Move]:
        choice = self.choice
        for slot in self.slots:
            for removed in self.removed():
                for realm in self.realms:
                    yield Move(choice.cell, choice.god, slot, choice.wild, choice.validated, removed, realm)

    def has(self, move: Move) -> bool:
        choice = self.choice
        return (
            (move.cell, move.god, move.wild) == (choice.cell, choice.god, choice.wild)
            and move.validated == choice.validated
            and move.slot in self.slots
            and move.realm in self.realms
            and self.accepts(move.removed)
        )


def fits(position: Position, description: MoveDescription) -> list[Fit]:
    player = mover(position)
    found = []
    for choice in choices(position, description):
        slots = tuple(slot for slot in choice.slots if slot_agrees(player, slot, description))
        if not slots:
            continue
        removed, number, accepts = _removals_that_agree(choice, description)
        if not number:
            continue
        turn = economy(position, choice.cell, choice.god, choice.wild, choice.validated)
        if not open_gain_fits(turn, description):
            continue
        realms = tuple(outcomes(turn, description.spending))
        if realms:
            found.append(Fit(choice, slots, realms, removed, number, accepts))
    return found


def choices(position: Position, description: MoveDescription) -> Iterator[Choice]:
    """What can be taken and how it can turn out, as far as the description allows."""
    player = mover(position)

    def allows(validated: bool) -> bool:
        return description.validated is None or description.validated == validated

    region_said = (
        description.cell,
        description.row,
        description.wild,
        description.removed,
        description.removed_colours,
    )
    if description.god is not None or all(part is None for part in region_said):
        if player.god is None and (description.god is None or all(part is None for part in region_said)):
            for god in position.gods:
                if description.god in (None, god):
                    if allows(True):
                        yield Choice(None, god, (None,), wild=False, validated=True)
                    if god is God.DEATH and allows(False):
                        yield Choice(None, god, (None,), wild=False, validated=False)
    if description.god is not None or player.regions == REGION_TURNS:
        return
    slots = open_slots(player)
    for cell in range(len(CELLS)) if description.cell is None else (description.cell,):
        tile = tile_on(position, cell)
        if description.wild:
            if description.validated is None:
                yield Choice(cell, None, tuple(slots), wild=True, validated=False)
            continue
        fitting = tuple(slot for slot in slots if colour_fits(player, slot, tile.colour))
        if tile.effect is Effect.IRRIGATION:
            for validated in (True, False):
                judged = [s for s in fitting if lies_over(player, s, tile.colours[0]) == validated]
                if allows(validated):
                    yield Choice(cell, None, tuple(judged), wild=False, validated=validated)
            continue
        if allows(True):
            stock: Removal = ()
            number = 0
            if tile.effect is Effect.VOLCANO:
                stock, number = volcano_stock(position.centre, cell, tile), tile.number
            yield Choice(cell, None, fitting, False, True, stock, number)
        if tile.effect in (Effect.VILLAGE, Effect.VOLCANO) and allows(False):
            yield Choice(cell, None, fitting, wild=False, validated=False)


def slot_agrees(player: Player, slot: Slot | None, description: MoveDescription) -> bool:
    if slot is None:
        return True
    if description.row is not None and slot.row != description.row:
        return False
    if description.column is not None and slot.column != description.column - 1:
        return False
    if description.side is not None:
        return slot.column == (0 if description.side == "L" else len(player.rows[0]))
    return True


def _removals_that_agree(
    choice: Choice, description: MoveDescription
) -> tuple[Callable[[], Iterable[Removal]], int, Callable[[Removal], bool]]:
    """Removals of the choice that the description allows: how to go through them, how many, and a test."""
    exact, colours = description.removed, description.removed_colours
    stock = {(cell, colour): there for cell, colour, there in choice.stock}

    def agrees(removed: Removal) -> bool:
        if exact is not None and removed != exact:
            return False
        if sum(number for _, _, number in removed) != choice.to_remove:
            return False
        if any(number > stock.get((cell, colour), 0) for cell, colour, number in removed):
            return False
        return colours is None or by_colour(removed) == colours

    def all_of_them() -> Iterable[Removal]:
        return removals(choice.stock, choice.to_remove)

    if exact is not None:
        return (lambda: (exact,)), int(agrees(exact)), agrees
    if colours is not None:
        if colours.total != choice.to_remove:
            return (lambda: ()), 0, agrees
        # Each colour by itself, so that only removals in the colours described are tried.
        by_colour = [
            list(removals(tuple(s for s in choice.stock if s[1] == colour), colours[colour])) for colour in Colour
        ]
        number = 1
        for parts in by_colour:
            number *= len(parts)

        def with_colours() -> Iterable[Removal]:
            for parts in product(*by_colour):
                yield tuple(sorted(taken for part in parts for taken in part))

        return with_colours, number, agrees
    return all_of_them, count_removals(choice.stock, choice.to_remove), agrees


def by_colour(removed: Removal) -> Worshipers:
    counts = NOBODY
    for _cell, colour, number in removed:
        counts = counts.changed(colour, number)
    return counts


def open_gain_fits(turn: Economy, description: MoveDescription) -> bool:
    """Whether a gain whose colours are partly or wholly open has as many as the turn brings."""
    if description.gain_open is None:
        return True
    named = 0 if description.gain is None else description.gain.total
    if not turn.gain_any or named + description.gain_open > turn.gain_any:
        return False
    return not description.gain_open or named + description.gain_open == turn.gain_any
