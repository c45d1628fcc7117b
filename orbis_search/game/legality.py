"""What the rules forbid, and why: every reason that holds by itself, with what was expected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..base.errors import InputError, Problem
from ..base.language import N_, _, ngettext
from ..base.quoting import listed, shown
from .economy import (
    PLACE,
    Economy,
    Spending,
    Way,
    can_be_played,
    economy,
    find_way,
    mover,
    outcomes,
    splits,
    swap_words,
    tile_on,
)
from .effort import bounded
from .fitting import MoveDescription, by_colour, fits, open_gain_fits, slot_agrees
from .kinds import expect_move
from .position import Move, Player, Position, Slot
from .problems import expect_position, why_unplayable
from .rules import Removal, colour_fits, lies_over, open_slots, volcano_stock
from .tiles import Tile
from .vocabulary import (
    CANCELLABLE,
    CELLS,
    EXCHANGE_RATE,
    MAX_ON_CELL,
    REALM_LIMIT,
    REGION_TURNS,
    ROW_LENGTHS,
    Colour,
    Effect,
    God,
    Worshipers,
)

MOST_TOGETHER = 2 * MAX_ON_CELL  # worshipers on a cell: those of the start, and one from each region turn
MOST_COUNTED = 99  # worshipers of a colour that anybody speaks of


def expect_turn(position: Position) -> None:
    """InputError unless somebody is to move."""
    expect_countable(position)
    mover(position)
    if position.hole is not None:
        raise InputError.one(PLACE, _("expected a refill of {cell} first, found a move", cell=CELLS[position.hole]))


def expect_countable(position: Position) -> None:
    """InputError for more worshipers than play can bring together, or fewer than none: it would be impossible to work
    out what they can pay for."""
    expect_position(position)
    crowds = [cell.worshipers for cell in position.centre] + [player.realm for player in position.players]
    if any(min(crowd) < 0 or crowd.total > MOST_TOGETHER for crowd in crowds):
        raise why_unplayable(position)


@bounded
def expect_legal(position: Position, move: Move) -> None:
    """InputError with the reasons if the move is not legal."""
    expect_turn(position)
    expect_whole(move)
    description = MoveDescription(
        cell=move.cell,
        god=move.god,
        row=move.slot.row if move.slot else None,
        column=move.slot.column + 1 if move.slot else None,
        wild=move.wild if move.slot or move.wild else None,
        validated=move.validated if move.validated or not move.wild else None,
        removed=move.removed if move.slot or move.removed else None,
        realm=move.realm,
    )
    if not any(fit.has(move) for fit in fits(position, description)):
        raise InputError(why_not(position, description) or [nothing_fits(str(move))])


def expect_whole(move: Move) -> None:
    """InputError unless the parts of the move go together, whatever the position; TypeError if it is not a move."""
    expect_move(move)
    if (move.cell is None) == (move.god is None):
        raise InputError.one(
            PLACE,
            _("expected either a region or a god to be taken, found neither")
            if move.god is None
            else _("expected either a region or a god to be taken, found both"),
        )
    if move.cell is not None and not 0 <= move.cell < len(CELLS):
        raise InputError.one(
            PLACE, _("expected a cell from 0 to {last}, found {found}", last=len(CELLS) - 1, found=move.cell)
        )
    if (move.cell is None) != (move.slot is None):
        raise InputError.one(PLACE, _("expected a cell and a slot, or a god, found another combination"))
    cells_there = all(0 <= cell < len(CELLS) and number > 0 for cell, _colour, number in move.removed)
    if not cells_there or move.removed != merge_removals(move.removed):
        message = _("expected removals sorted, each cell and colour once and at least 1, found others")
        raise InputError.one(PLACE, message)
    if min(move.realm) < 0:
        raise InputError.one(
            PLACE, _("expected no negative number of worshipers, found {found}", found=tuple(move.realm))
        )


def way_of(position: Position, move: Move) -> Way:
    """How the worshipers of the turn were spent. InputError unless somebody is to move, and the realm can be left."""
    expect_countable(position)
    mover(position)
    expect_whole(move)
    way = find_way(economy(position, move.cell, move.god, move.wild, move.validated), move.realm)
    if way is None:
        raise InputError.one(PLACE, _("expected a realm the turn can leave, found {found}", found=move.realm))
    return way


def merge_removals(taken: Iterable[tuple[int, Colour, int]]) -> Removal:
    """Removals as a move has them: sorted, each cell and colour once."""
    counts: dict[tuple[int, Colour], int] = {}
    for cell, colour, number in taken:
        if number:
            counts[cell, colour] = counts.get((cell, colour), 0) + number
    return tuple((cell, colour, number) for (cell, colour), number in sorted(counts.items()))


@bounded
def why_not(position: Position, description: MoveDescription) -> list[Problem]:
    """The rules that forbid what a description says, as far as each applies by itself."""
    player = mover(position)
    if description.god is not None:
        messages = list(_why_no_god(position, player, description, description.god))
        if not messages:
            turn = economy(position, None, description.god, False, description.validated is not False)
            messages = list(_why_not_realm(turn, description, description.god.label))
    else:
        messages = list(_why_no_region(position, player, description))
    return [Problem(PLACE, message) for message in messages]


def _why_no_god(position: Position, player: Player, description: MoveDescription, god: God) -> Iterator[str]:
    if description.cell is not None:
        yield _("expected a region or a god, found both, {cell} and {god}", cell=CELLS[description.cell], god=god.label)
    elif description.row is not None or description.wild is not None or description.removed is not None:
        yield _("expected no slot, wilderness or removal in a god's turn, found one")
    if player.god is not None:
        yield _(
            "expected a region, because this player already has a god, {god}; found {found}",
            god=player.god.label,
            found=god.label,
        )
    if god not in position.gods:
        names = ", ".join(each.label for each in position.gods) or _("none is left")
        if any(other.god is god for other in position.players):
            yield _("expected a god that lies face up ({gods}), found {god}, which is taken", gods=names, god=god.label)
        else:
            yield _(
                "expected a god that lies face up ({gods}), found {god}, which is not in this game",
                gods=names,
                god=god.label,
            )
    if description.validated is False and god is not God.DEATH:
        yield _(
            "expected no verdict, because Death is the only god that can be cancelled; found {found} cancelled",
            found=god.label,
        )


_NOT_WILD = {
    "pay": N_("expected no pay, because a wilderness costs nothing and has no effect; found {found}"),
    "gain": N_("expected no gain, because a wilderness costs nothing and has no effect; found {found}"),
    "give": N_("expected no give, because a wilderness costs nothing and has no effect; found {found}"),
}


def _why_no_region(position: Position, player: Player, description: MoveDescription) -> Iterator[str]:
    if player.regions == REGION_TURNS:
        yield (
            _(
                "expected a god, because the pyramid is full with {count} regions; found a region to place",
                count=REGION_TURNS,
            )
            if player.god is None
            else _("expected no region, because the pyramid is full with {count}; found one", count=REGION_TURNS)
        )
        return
    tile = None if description.cell is None else tile_on(position, description.cell)
    slot_problem = _why_not_slot(player, description, None if description.wild else tile)
    if slot_problem:
        yield slot_problem
    if description.wild:
        if description.validated is not None or description.removed or description.removed_colours is not None:
            yield _("expected no verdict and no removal, because a wilderness has no effect; found one")
        for name in ("pay", "gain", "give"):
            value = getattr(description, name)
            if (value is not None and value.total) or (name == "gain" and description.gain_open is not None):
                found = description.gain_text if name == "gain" else value
                yield _(_NOT_WILD[name], found=found)
        if description.cell is not None:
            turn = economy(position, description.cell, None, True, False)
            without = replace(description, pay=None, gain=None, gain_open=None, give=None)
            yield from _why_not_realm(turn, without, _("the wilderness"))
        return
    if tile is None or description.cell is None:
        if not slot_problem:
            yield _("expected a cell, tile or god and parts that fit it, found none that does")
        return
    if description.validated is False and tile.effect not in CANCELLABLE:
        yield (
            _(
                "expected a village, volcano or irrigation, because only these can be cancelled; found {found}, "
                "{effect}",
                found=tile.called,
                effect=tile.effect.label,
            )
        )
    if tile.effect is Effect.IRRIGATION and description.validated is not None and not slot_problem:
        yield from _why_not_irrigation(player, description, tile)
    yield from _why_not_volcano(position, description, description.cell, tile)
    village = tile.effect is Effect.VILLAGE
    gives = description.give is not None and description.give.total > 0
    validated = description.validated if description.validated is not None else gives or not village
    yield from _why_not_realm(economy(position, description.cell, None, False, validated), description, tile.called)


def _why_not_slot(player: Player, description: MoveDescription, tile: Tile | None) -> str | None:
    """What is wrong with the slot; `tile` None if its colour does not matter."""
    row, column = description.row, description.column
    length = len(player.rows[0])
    if row is None:
        slots = open_slots(player)
        if tile is not None and not any(colour_fits(player, slot, tile.colour) for slot in slots):
            return _(
                "expected a slot over a {colour} tile or a wilderness for {tile}, found none open: it can only "
                "be wilderness",
                colour=tile.colour.label,
                tile=tile.called,
            )
        return None
    if not 1 <= row <= len(ROW_LENGTHS):
        return _("expected a row from 1 to {last}, found {found}", last=len(ROW_LENGTHS), found=row)
    if row == 1:
        if length == ROW_LENGTHS[0]:
            return _(
                "expected a slot above row 1, because row 1 is full with {length} tiles; found row 1", length=length
            )
        ends = {1, length + 1}
        if column is not None and column not in ends:
            return _(
                "expected an end of row 1 (1L or 1R, that is {left} or {right}), found {found}",
                left=f"1.{min(ends)}",
                right=f"1.{max(ends)}",
                found=f"1.{column}",
            )
        return None
    if column is not None and not 1 <= column <= ROW_LENGTHS[row - 1]:
        return _(
            "expected a column from 1 to {last} in row {row}, found {found}",
            last=ROW_LENGTHS[row - 1],
            row=row,
            found=column,
        )
    if column is None:
        slots = [slot for slot in open_slots(player) if slot.row == row]
        if not slots:
            return _("expected a slot with two tiles under it, found none open in row {row}", row=row)
        if tile is not None and not any(colour_fits(player, slot, tile.colour) for slot in slots):
            return _(
                "expected a slot over a {colour} tile or a wilderness for {tile}, found none in row {row}",
                colour=tile.colour.label,
                tile=tile.called,
                row=row,
            )
        return None
    name = f"{row}.{column}"
    there = player.at(row, column - 1)
    if there is not None:
        holder = _("a tile") if there.tile is None else there.tile.called
        return _("expected an empty slot, found {found}, where {tile} lies", found=name, tile=holder)
    under = [player.at(row - 1, column - 1), player.at(row - 1, column)]
    missing = [f"{row - 1}.{column + i}" for i, placed in enumerate(under) if placed is None]
    if missing:
        return _("expected two tiles under {slot}, found none at {missing}", slot=name, missing=listed(missing))
    if tile is not None and not colour_fits(player, Slot(row, column - 1), tile.colour):
        colours = listed([placed.tile.colour.label for placed in under if placed and placed.tile])
        return _(
            "expected a {colour} tile or a wilderness under {slot} for {tile}, found {found}: there it can only"
            " be wilderness",
            colour=tile.colour.label,
            slot=name,
            tile=tile.called,
            found=colours,
        )
    return None


def _why_not_irrigation(player: Player, description: MoveDescription, tile: Tile) -> Iterator[str]:
    slots = [
        slot
        for slot in open_slots(player)
        if colour_fits(player, slot, tile.colour) and slot_agrees(player, slot, description)
    ]
    verdicts = {lies_over(player, slot, tile.colours[0]) for slot in slots}
    if slots and description.validated not in verdicts:
        colour = tile.colours[0].label
        if description.validated:
            yield _(
                "expected cancelled, because an irrigation is valid only if a {colour} tile or a wilderness "
                "lies right under it; found valid",
                colour=colour,
            )
        else:
            yield _(
                "expected valid, because an irrigation is valid if a {colour} tile or a wilderness lies right "
                "under it; found cancelled",
                colour=colour,
            )


def _why_not_volcano(position: Position, description: MoveDescription, cell: int, tile: Tile) -> Iterator[str]:
    asked = description.removed
    total = description.removed_colours if asked is None else by_colour(asked)
    if tile.effect is not Effect.VOLCANO:
        if total is not None and total.total:
            yield _(
                "expected no removal, because {tile} is not a volcano; found {found} removed",
                tile=tile.called,
                found=total,
            )
        return
    if description.validated is False:
        if total is not None and total.total:
            yield _("expected no removal by a cancelled volcano, found {found} removed", found=total)
        return
    if description.validated is None and total is None:
        return
    stock = volcano_stock(position.centre, cell, tile)
    colours = "".join(colour.letter for colour in tile.colours)
    there = sum(number for _, _, number in stock)
    if there < tile.number:
        yield (
            ngettext(
                "expected at least {n} worshiper of {colours} on the other cells for the volcano, "
                "found {found}: it can only be cancelled",
                "expected at least {n} worshipers of {colours} on the other cells for the volcano, "
                "found {found}: it can only be cancelled",
                tile.number,
                colours=colours,
                found=there,
            )
        )
        return
    if total is None:
        return
    if total.total != tile.number:
        yield ngettext(
            "expected exactly {n} worshiper removed by {tile}, found {found}",
            "expected exactly {n} worshipers removed by {tile}, found {found}",
            tile.number,
            tile=tile.called,
            found=total.total,
        )
    for colour in Colour:
        if total[colour] and colour not in tile.colours:
            yield _("expected removals of {colours} only, found {found}", colours=colours, found=colour.label)
    if asked is None:
        for colour in tile.colours:
            here = sum(number for _, other, number in stock if other == colour)
            if total[colour] > here:
                yield _(
                    "expected at most {most} {colour} to remove, found {found}",
                    most=here,
                    colour=colour.label,
                    found=total[colour],
                )
        return
    held = {(where, colour): number for where, colour, number in stock}
    for where, colour, number in asked:
        if where == cell:
            yield _(
                "expected removals from the other eight cells, found {found}, the volcano's own", found=CELLS[where]
            )
        elif colour in tile.colours and number > held.get((where, colour), 0):
            yield (
                _(
                    "expected at most {most} {colour} to remove from {cell}, found {found}",
                    most=held.get((where, colour), 0),
                    colour=colour.label,
                    cell=CELLS[where],
                    found=number,
                )
            )


def _why_not_realm(turn: Economy, description: MoveDescription, what: str) -> Iterator[str]:
    """Paying, exchanging, gaining, giving and the limit: the first of the steps that fails says why."""
    for name in ("pay", "gain", "give", "discard", "realm"):
        value = getattr(description, name)
        if value is not None and value.total > MOST_COUNTED:
            yield _("expected a number of worshipers a player can hold, found {found}", found=value)
            return
    has = turn.start
    cost = _cost_text(turn)
    if turn.cost.total + turn.any_cost and not can_be_played(replace(turn, given=0)):
        yield _(
            "cannot pay for {what}: expected {cost}, found {found} at hand, even with exchanges",
            what=what,
            cost=cost,
            found=has,
        )
        return
    if turn.given and not can_be_played(turn):
        if turn.cost.total + turn.any_cost:
            yield ngettext(
                "cannot give for {what}: expected {n} worshiper after paying {cost}, found {found} at hand",
                "cannot give for {what}: expected {n} worshipers after paying {cost}, found {found} at hand",
                turn.given,
                what=what,
                cost=cost,
                found=has,
            )
        else:
            yield ngettext(
                "cannot give for {what}: expected {n} worshiper, found {found} at hand",
                "cannot give for {what}: expected {n} worshipers, found {found} at hand",
                turn.given,
                what=what,
                found=has,
            )
        return
    problems = list(_why_not_parts(turn, description, what, cost))
    yield from problems
    if problems or can_be_played(turn, description.spending):
        return
    # Each part is possible by itself, so they do not go together. The realm is what people get wrong.
    without = replace(description.spending, realm=None, discard=None)
    possible = outcomes(turn, without, most=2)
    if description.swap is not None and not possible:
        if not description.swap:
            yield _(
                "cannot play {what} without an exchange: expected {cost}, found {found} at hand",
                what=what,
                cost=cost,
                found=has,
            )
            return
        if not can_be_played(turn, Spending(swaps=description.spending.swaps)):
            words = " ".join(swap_words(description.swap))
            message = N_("cannot exchange {swaps} and still play {what}: found {found} at hand")
            yield _(message, swaps=words, what=what, found=has)
            return
    if possible and description.realm is not None:
        if len(possible) > 1:
            yield _(
                "expected a realm that the turn can leave, for instance {realm}, found {found} ({held} at hand)",
                realm=possible[0],
                found=description.realm,
                held=has,
            )
        else:
            yield _(
                "expected a realm that the turn can leave, {realm}, found {found} ({held} at hand)",
                realm=possible[0],
                found=description.realm,
                held=has,
            )
        return
    spending = [
        f"{name} {value}"
        for name in ("pay", "gain", "give", "discard")
        if (value := getattr(description, name)) is not None
    ]
    if description.swap:
        spending.insert(0, "swap " + " ".join(swap_words(description.swap)))
    found = ", ".join(spending) or _("none")
    yield _("expected parts that go together, found {found} with {held} at hand", found=found, held=has)


def _cost_text(turn: Economy) -> str:
    if not turn.any_cost:
        return str(turn.cost) if turn.cost.total else _("nothing")
    if not turn.cost.total:
        return ngettext("{n} of any colour", "{n} of any colour", turn.any_cost)
    return ngettext("{cost} and {n} of any colour", "{cost} and {n} of any colour", turn.any_cost, cost=turn.cost)


def _why_not_parts(turn: Economy, description: MoveDescription, what: str, cost: str) -> Iterator[str]:
    if description.pay is not None:
        rest = description.pay.minus(turn.cost)
        if min(rest) < 0 or rest.total != turn.any_cost:
            yield _("expected {cost} to be paid for {what}, found pay {pay}", cost=cost, what=what, pay=description.pay)
    if message := _why_not_open_gain(turn, description, what):
        yield message
    elif description.gain is not None and description.gain_open is None:
        if turn.gain_any and description.gain.total != turn.gain_any:
            yield _wrong_gain(turn.gain_any, what, str(description.gain))
        elif not turn.gain_any and description.gain != turn.gain:
            yield _other_gain(turn, what, str(description.gain))
    if description.give is not None and description.give.total != turn.given:
        if turn.given:
            yield ngettext(
                "expected {n} worshiper to be given for {what}, found {found}",
                "expected {n} worshipers to be given for {what}, found {found}",
                turn.given,
                what=what,
                found=description.give.total,
            )
        else:
            yield (
                _(
                    "expected nothing to be given for {what} (at the limit, say discard or keep), found give {give}",
                    what=what,
                    give=description.give,
                )
            )
    if description.swap:
        most = turn.start.total + turn.gain.total + turn.gain_any
        if len(description.swap) * (EXCHANGE_RATE - 1) >= most:
            yield ngettext(
                "expected exchanges that {n} worshiper allows, found {found}",
                "expected exchanges that {n} worshipers allow, found {found}",
                most,
                found=len(description.swap),
            )
    before_limit = turn.total_without_exchanges - (EXCHANGE_RATE - 1) * len(description.swap or ())
    if description.realm is not None:
        found = description.realm.total
        if found > REALM_LIMIT:
            yield _(
                "expected at most {most} worshipers left, found {found} ({realm})",
                most=REALM_LIMIT,
                found=found,
                realm=description.realm,
            )
        elif (
            (description.swap is not None and before_limit >= 0 and found != min(before_limit, REALM_LIMIT))
            or (found < min(before_limit, REALM_LIMIT) and not _exchangeable(turn, found))
            or found > max(0, before_limit)
        ):
            yield _wrong_number(before_limit, description.realm)
    if description.discard is not None:
        over = max(0, before_limit - REALM_LIMIT)
        # Each exchange that may have been made without being mentioned leaves two fewer to give back.
        spare = over - description.discard.total
        if spare < 0 or (spare and (description.swap is not None or spare % (EXCHANGE_RATE - 1))):
            yield (
                _(
                    "expected {number} given back, just what is over {most}; found {found} ({worshipers})",
                    number=over,
                    most=REALM_LIMIT,
                    found=description.discard.total,
                    worshipers=description.discard,
                )
            )


def _why_not_open_gain(turn: Economy, description: MoveDescription, what: str) -> str | None:
    """What is wrong with a gain whose colours are partly or wholly open."""
    if open_gain_fits(turn, description):
        return None
    if not turn.gain_any:
        return _other_gain(turn, what, description.gain_text)
    return _wrong_gain(turn.gain_any, what, description.gain_text)


def _wrong_gain(number: int, what: str, found: str) -> str:
    return ngettext(
        "expected {n} worshiper to be gained by {what}, found {found}",
        "expected {n} worshipers to be gained by {what}, found {found}",
        number,
        what=what,
        found=found,
    )


def _other_gain(turn: Economy, what: str, found: str) -> str:
    if turn.gain.total:
        return _("expected gain {gain} by {what}, found gain {found}", gain=turn.gain, what=what, found=found)
    return _("expected no gain by {what}, found gain {found}", what=what, found=found)


def _wrong_number(before_limit: int, realm: Worshipers) -> str:
    if before_limit > REALM_LIMIT:
        return _(
            "expected {most} worshipers left of {before}, because exactly that many are kept; found {found} ({realm})",
            most=REALM_LIMIT,
            before=before_limit,
            found=realm.total,
            realm=realm,
        )
    return ngettext(
        "expected {n} worshiper left, found {found} ({realm})",
        "expected {n} worshipers left, found {found} ({realm})",
        before_limit,
        found=realm.total,
        realm=realm,
    )


def _exchangeable(turn: Economy, left: int) -> bool:
    """Whether some number of exchanges brings the realm to so many."""
    _exchanges, odd = divmod(turn.total_without_exchanges - left, EXCHANGE_RATE - 1)
    return not odd and any(find_way(turn, Worshipers(*realm)) for realm in splits(left, (left,) * len(Colour)))


def nothing_fits(text: str) -> Problem:
    return Problem(
        PLACE,
        _(
            "expected parts that go together, found {found}: no way of exchanging, paying and giving back agrees "
            "with all of it",
            found=shown(text),
        ),
    )
