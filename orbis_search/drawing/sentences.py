"""A move as you would say it to the person across the table, in the current language.

`format_move` writes a move to be read back; this is for reading only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..base.language import N_, _
from ..game.economy import Exchange, Way
from ..game.legality import way_of
from ..game.position import Move, Player, Position, Slot
from ..game.rules import Removal
from ..game.tiles import Tile
from ..game.vocabulary import CANCELLABLE, CELLS, EXCHANGE_RATE, NOBODY, Colour, Effect, God, Worshipers
from .labels import effect_words, letter, tile_name, tile_words, worshiper_letters


def move_words(position: Position, move: Move) -> str:
    """One sentence: what to take, where to lay it, and what becomes of the worshipers.

    >>> from orbis_search import parse_move
    >>> move_words(position, parse_move("b3 wild 1L", position))
    'Take r2a from b3 (red, volcano: 2 of G/B), lay it as wilderness at the left end of row 1.'
    """
    way = way_of(position, move)
    clauses = [*_choice_clauses(position, move), *_outcome_clauses(position, move, way)]
    sentence = ", ".join(clauses)
    return f"{sentence[0].upper()}{sentence[1:]}."


def idea_words(position: Position, move: Move) -> str:
    """What a move takes, its place and its face, short enough for a table.

    >>> from orbis_search import parse_move
    >>> idea_words(position, parse_move("b3 wild 1L", position))
    'r2a from b3, wilderness, row 1, left end'
    """
    if move.god is not None:
        god = move.god.label
        return _("god {god}", god=god) if move.validated else _("god {god}, cancelled", god=god)
    assert move.cell is not None and move.slot is not None and position.to_move is not None
    tile = position.centre[move.cell].tile
    assert tile is not None
    form = (
        N_("{tile} from {cell}, wilderness, {place}")
        if move.wild
        else N_("{tile} from {cell}, {place}")
        if move.validated
        else N_("{tile} from {cell}, cancelled, {place}")
    )
    place = _short_place(position.players[position.to_move], move.slot)
    return _(form, tile=tile_words(tile), cell=CELLS[move.cell], place=place)


def drawn_tile_words(tile: Tile) -> str:
    """A tile that is drawn.

    >>> drawn_tile_words(position.centre[1].tile)
    'r2a (red level 2, volcano: 2 of G/B)'
    """
    kind = f"{tile_name(tile)}, {effect_words(tile)}"
    return kind if tile.described else f"{tile.id} ({kind})"


def _short_place(player: Player, slot: Slot) -> str:
    if slot.row > 1:
        return _("row {row}, place {place}", row=slot.row, place=slot.column + 1)
    if not player.rows[0]:
        return _("first tile")
    return _("row 1, left end") if slot.column == 0 else _("row 1, right end")


def _choice_clauses(position: Position, move: Move) -> Iterator[str]:
    if move.god is not None:
        yield _("take the god {god}", god=move.god.label)
    elif move.cell is not None and move.slot is not None and position.to_move is not None:
        tile = position.centre[move.cell].tile
        assert tile is not None
        yield _(
            "take {tile} from {cell} ({colour}, {effect})",
            tile=tile_words(tile),
            cell=CELLS[move.cell],
            colour=tile.colour.label,
            effect=effect_words(tile),
        )
        player = position.players[position.to_move]
        yield _wild_place(player, move.slot) if move.wild else _face_up_place(player, move.slot)


def _face_up_place(player: Player, slot: Slot) -> str:
    if slot.row > 1:
        return _("lay it face up in row {row}, place {place}", row=slot.row, place=slot.column + 1)
    if not player.rows[0]:
        return _("lay it face up as your first tile")
    return (
        _("lay it face up at the left end of row 1")
        if slot.column == 0
        else _("lay it face up at the right end of row 1")
    )


def _wild_place(player: Player, slot: Slot) -> str:
    if slot.row > 1:
        return _("lay it as wilderness in row {row}, place {place}", row=slot.row, place=slot.column + 1)
    if not player.rows[0]:
        return _("lay it as your first tile, as wilderness")
    return (
        _("lay it as wilderness at the left end of row 1")
        if slot.column == 0
        else _("lay it as wilderness at the right end of row 1")
    )


def _outcome_clauses(position: Position, move: Move, way: Way) -> Iterator[str]:
    """What becomes of worshipers and validation, in the order of a turn."""
    tile = position.centre[move.cell].tile if move.cell is not None else None
    judged = move.god is God.DEATH or (tile is not None and tile.effect in CANCELLABLE and not move.wild)
    yield from _exchange_clauses(way.before)
    if way.paid.total:
        yield _("pay {worshipers}", worshipers=worshiper_letters(way.paid))
    if way.gained.total:
        yield _("gain {worshipers}", worshipers=worshiper_letters(way.gained))
    yield from _exchange_clauses(way.after)
    if way.given.total:
        yield _("give back {worshipers} to validate it", worshipers=worshiper_letters(way.given))
    elif judged and not move.validated:
        yield _("it is cancelled")
    elif judged and tile is not None and tile.effect is Effect.IRRIGATION:
        yield _("it is validated")
    if move.removed:
        yield _("remove {worshipers}", worshipers=" + ".join(_removal_parts(move.removed)))
    if way.discarded.total:
        yield _("give back {worshipers} at the limit", worshipers=worshiper_letters(way.discarded))


def _exchange_clauses(swaps: Iterable[Exchange]) -> Iterator[str]:
    for giver, taker in swaps:
        given = worshiper_letters(NOBODY.changed(giver, EXCHANGE_RATE))
        yield _("exchange {given} for {taken}", given=given, taken=letter(Colour(taker)))


def _removal_parts(removed: Removal) -> Iterator[str]:
    cells: dict[int, Worshipers] = {}
    for cell, colour, number in removed:
        cells[cell] = cells.get(cell, NOBODY).changed(colour, number)
    for cell, taken in cells.items():
        yield _("{worshipers} from {cell}", worshipers=worshiper_letters(taken), cell=CELLS[cell])
