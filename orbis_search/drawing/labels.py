"""What tiles, gods, players and points are called in every drawing, on a terminal or in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..base.language import N_, NP_, _, ngettext, pgettext
from ..game import rules
from ..game.position import Player, Position, Slot
from ..game.tiles import Tile
from ..game.vocabulary import DEATH_COST, GOD_POINTS, LOVE_GAIN, Colour, Effect, Face, God, Worshipers

GOD_WORDS = {
    God.LOVE: N_("gain {number} worshipers of your choice; {points} CP"),
    God.APPRENTICE: N_("{points} CP"),
    God.OCEANS: N_("{points} CP if nobody has more validated irrigations"),
    God.FIRE: N_("{points} CP if nobody has more validated volcanoes"),
    God.NATURE: N_("{points} CP if nobody has more validated forests"),
    God.HARVESTS: N_("{points} CP if nobody has more validated villages"),
    God.IDLENESS: N_("{points} CP, and your wilderness costs nothing"),
    God.TECHNOLOGY: N_("{points} CP if nobody has fewer wilderness tiles"),
    God.EQUILIBRIUM: N_("{points} CP with a village, a temple and a volcano, all validated"),
    God.DEATH: N_("{points} CP if you give back {number} worshipers when you take it"),
}
_GOD_NUMBERS = {God.LOVE: LOVE_GAIN, God.DEATH: DEATH_COST}
# What `short_effect` and `placed_words` look up.
_SHORT = (
    NP_("brick", "farm"),
    NP_("brick", "village"),
    NP_("brick", "forest"),
    NP_("brick", "volcano"),
    NP_("brick", "irrigation"),
    NP_("brick", "temple"),
    NP_("brick", "proselytism"),
    NP_("brick", "sacred stone"),
    NP_("brick", "stone"),
    NP_("brick", "gain"),
)
# The sources of a score in the order they are listed, and their words.
SOURCES = {
    "none": N_("plain tiles"),
    "farm": N_("farms"),
    "village": N_("villages"),
    "forest": N_("forests"),
    "volcano": N_("volcanoes"),
    "irrigation": N_("irrigations"),
    "temple": N_("temple tiles"),
    "proselytism": N_("proselytism"),
    "sacred_stone": N_("sacred stones"),
    "temple_token": N_("temple token"),
    "god": N_("god"),
    "wilderness": N_("wilderness"),
}


def letter(colour: Colour) -> str:
    return colour.letter.upper()


def letters(colours: Sequence[Colour], separator: str = "/") -> str:
    return _("any") if len(colours) == len(Colour) else separator.join(map(letter, colours))


def worshiper_letters(worshipers: Worshipers) -> str:
    return "".join(letter(colour) * worshipers[colour] for colour in Colour)


def effect_words(tile: Tile) -> str:
    """What the tile does, for somebody who might take it."""
    match tile.effect:
        case Effect.NONE:
            return _("no effect")
        case Effect.FARM:
            return _("farm: {colour} is free", colour=letters(tile.colours))
        case Effect.VILLAGE:
            return ngettext("village: give back {n}", "village: give back {n}", tile.number)
        case Effect.FOREST:
            return _("forest: {number} of {colours}", number=tile.number, colours=letters(tile.colours))
        case Effect.VOLCANO:
            return _("volcano: {number} of {colours}", number=tile.number, colours=letters(tile.colours))
        case Effect.IRRIGATION:
            return _("irrigation over {colour}", colour=letters(tile.colours))
        case Effect.TEMPLE:
            return tile.effect.label if tile.number == 1 else _temples(tile.number)
        case Effect.PROSELYTISM:
            return _("gain {number} {colour}", number=tile.number, colour=letters(tile.colours) or _("any"))
        case Effect.SACRED_STONE:
            return tile.effect.label


def _temples(number: int) -> str:
    return ngettext("{n} temple", "{n} temples", number)


def placed_words(player: Player, slot: Slot, tile: Tile) -> str:
    """What still matters of the tile once it lies in a universe."""
    match tile.effect:
        case Effect.NONE:
            return ""
        case Effect.FARM | Effect.IRRIGATION:
            return f"{short_effect(tile.effect)} {letters(tile.colours)}"
        case Effect.FOREST:
            wanted = letters(tile.colours, "")
            text = f"{short_effect(tile.effect)} {rules.forest_neighbours(player, slot, tile)}/{tile.number}"
            return f"{text} {wanted}" if len(wanted) <= 2 else f"{text.replace(' ', '')} {wanted}"
        case Effect.TEMPLE if tile.number > 1:
            return _temples(tile.number)
        case Effect.PROSELYTISM:
            return " ".join((pgettext("brick", "gain"), str(tile.number), letters(tile.colours) or _("any")))
        case Effect.VILLAGE | Effect.VOLCANO:
            return f"{short_effect(tile.effect)} {tile.number}"
        case other:
            return short_effect(other)


def short_effect(effect: Effect) -> str:
    """Its name, short enough for the 13 columns of a brick."""
    return pgettext("brick", effect.word)


def god_words(god: God) -> str:
    """What a god brings."""
    return _(GOD_WORDS[god], **god_figures(god))


def god_figures(god: God) -> dict[str, int]:
    """The figures in its words: CP, and the worshipers gained or given back."""
    return {"points": GOD_POINTS[god], "number": _GOD_NUMBERS.get(god, 0)}


def player_name(position: Position, index: int) -> str:
    return position.players[index].name or _("player {number}", number=index + 1)


def result_points(scores: Sequence[rules.Score]) -> str:
    """The points of a game that is over, the winner's first."""
    return " : ".join(str(total) for total in sorted((score.total for score in scores), reverse=True))


def tile_label(tile: Tile) -> str:
    """The id of a tile described in place is its description, which is too long to draw."""
    return "*" if tile.described else tile.id


def tile_words(tile: Tile) -> str:
    """What to call a tile in a sentence: its id or, if it was described in place, the words one would point at it
    with: `red volcano 2`."""
    if not tile.described:
        return tile.id
    number = str(tile.number) if tile.number > 1 else ""
    effect = short_effect(tile.effect) if tile.effect is not Effect.NONE else _("level {number}", number=tile.level)
    return " ".join(filter(None, (tile.colour.label, effect, number)))


def tile_name(tile: Tile) -> str:
    return _("{colour} level {level}", colour=tile.colour.label, level=tile.level)


def player_facts(player: Player) -> list[tuple[str, str]]:
    """What a player has besides worshipers and points, each with its name."""
    god = _("none yet") if player.god is None else player.god.label
    facts = [(_("god"), god if player.god_validated else _("{god}, cancelled", god=god))]
    farms = sorted(rules.free_colours(player))
    if farms:
        facts.append((ngettext("farm", "farms", len(farms)), " ".join(map(letter, farms))))
    temples = rules.temple_count(player)
    if temples:
        facts.append((ngettext("temple", "temples", temples), str(temples)))
        facts.append((_("mystic"), str(rules.highest_mystic(player))))
    return facts


class Marks(NamedTuple):
    """Which marks a drawing of the position has, for the legend to explain."""

    wild: bool
    cancelled: bool
    lacking: bool  # a forest that still lacks neighbours
    described: bool  # a tile that the set lacks


def marks_of(position: Position) -> Marks:
    placed = [(player, slot, each) for player in position.players for slot, each in player.placed()]
    tiles = [each.tile for _, _, each in placed] + [cell.tile for cell in position.centre]
    return Marks(
        wild=any(each.face is Face.WILD for _, _, each in placed),
        cancelled=any(each.face is Face.CANCELLED for _, _, each in placed),
        lacking=any(each.face is Face.UP and not rules.is_validated(who, slot, each) for who, slot, each in placed),
        described=any(tile is not None and tile.described for tile in tiles),
    )
