"""Pictures: all of the position is in them, nothing overlaps or leaves its place, a move is marked where it goes."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import random
import re
import struct
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from golden.regenerate import PICTURES

from orbis_search.base.errors import InputError
from orbis_search.cli.main import main
from orbis_search.core import fast_rules
from orbis_search.drawing import fontwidths, scene
from orbis_search.drawing.glyphs import BETTER, MARK, PAINT, SMALLEST, fitted, wrapped
from orbis_search.drawing.picture import NARROW, WIDE, draw_position
from orbis_search.drawing.picture_words import WORDS
from orbis_search.drawing.scene import Box, Circle, Group, Point, Polygon, Scene, Text, to_png, to_svg
from orbis_search.drawing.supply import Sheet
from orbis_search.game import rules
from orbis_search.game.position import Cell, Move, Position, Slot
from orbis_search.game.tiles import Tile
from orbis_search.game.vocabulary import CELLS, MAX_COST, MAX_ON_CELL, NEIGHBOURS, Colour, Effect, Face, God, Worshipers
from orbis_search.notation import parse_move, read_position
from orbis_search.notation.examples import example_text
from orbis_search.tileset.descriptions import describe
from orbis_search.tileset.generator import random_tile_set

ROOT = Path(__file__).parent.parent
GOLDEN = Path(__file__).parent / "golden"
POSITIONS = sorted(path.stem for path in GOLDEN.glob("*.toml") if path.name != "tiles.toml")
SVG = "{http://www.w3.org/2000/svg}"


def load(name: str) -> Position:
    if name == "example":
        return read_position(example_text())
    return read_position((GOLDEN / f"{name}.toml").read_bytes(), name, GOLDEN)


@pytest.fixture(params=POSITIONS)
def position(request: pytest.FixtureRequest) -> Position:
    return load(request.param)


def some_moves(position: Position, seed: int = 1, number: int = 6) -> list[Move]:
    """Of each kind one: a god, wilderness and face up, in row 1 and above, cancelled, a volcano that removes."""
    crowded = fast_rules.count_moves(position) > 10_000
    legal = sorted(fast_rules.legal_moves(position, search=crowded), key=repr)
    random.Random(seed).shuffle(legal)
    kinds = {}
    for move in legal:
        where = move.slot and (move.slot.row > 1, move.slot.column == 0)
        kinds[move.god is None, move.wild, move.validated, where, bool(move.removed)] = move
    return list(kinds.values())[:number]


def group(picture: Scene, name: str) -> Group:
    (found,) = [each for each in picture.groups if each.name == name]
    return found


def words_of(picture: Scene, name: str) -> list[str]:
    return [text.text for text in group(picture, name).texts]


# --- nothing overlaps or leaves its place


def is_inside(point: Point, outline: tuple[Point, ...], slack: float = 0.5) -> bool:
    """Whether a convex outline, its corners clockwise on the sheet, has the point in it."""
    for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1]):
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        if ((x2 - x1) * (point[1] - y1) - (y2 - y1) * (point[0] - x1)) / length < -slack:
            return False
    return True


def corners(box: Box) -> list[Point]:
    left, top, right, bottom = box
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def overlap(one: Box, other: Box, slack: float = 0.5) -> bool:
    return (
        one[0] < other[2] - slack
        and other[0] < one[2] - slack
        and one[1] < other[3] - slack
        and other[1] < one[3] - slack
    )


def printed(text: Text) -> Box:
    """Where ink is: most texts have nothing below the line, or little."""
    left, _, right, bottom = text.box
    top = text.y - 0.73 * text.size
    return left, top, right, bottom if re.search(r"[gjpqy,;()|{}ąęĄĘцщдруф]", text.text) else text.y


def check_layout(picture: Scene, smallest: float = 7.0) -> None:
    texts = [(each.name, text) for each in picture.groups for text in each.texts]
    assert len({each.name for each in picture.groups}) == len(picture.groups)
    for each in picture.groups:
        for text in each.texts:
            assert text.size >= smallest, f"{each.name}: {text}"
            for corner in corners(printed(text)):
                assert is_inside(corner, each.outline), f"{each.name}: {text} leaves its place"
                assert 0 <= corner[0] <= picture.width and 0 <= corner[1] <= picture.height, text
        for shape in each.shapes:
            left, top, right, bottom = shape.box
            assert left >= 0 and top >= 0 and right <= picture.width and bottom <= picture.height, shape
    boxes = [(printed(text), text.box, f"{name}: {text}") for name, text in texts]
    for (one, _, one_name), (other, _, other_name) in neighbours(boxes):
        assert not overlap(one, other), f"{one_name} is on {other_name}"
    circles = [shape for each in picture.groups for shape in each.shapes if isinstance(shape, Circle)]
    discs = [(disc.box, None, str(disc)) for disc in circles if disc.radius > 4]
    for (one, text, one_name), (other, _, disc) in neighbours(boxes + discs):
        if text is not None and disc.startswith("Circle"):
            x, y = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
            own_letter = text[0] <= x <= text[2] and text[1] <= y <= text[3]
            assert own_letter or not overlap(one, other, 1.2), f"{one_name} is on {disc}"


Boxed = tuple[Box, Box | None, str]


def neighbours(boxes: Sequence[Boxed]) -> Iterator[tuple[Boxed, Boxed]]:
    """Every two, both ways round, of which neither lies wholly above the other."""
    ordered = sorted(boxes, key=lambda each: each[0][1])
    for number, upper in enumerate(ordered):
        for lower in ordered[number + 1 :]:
            if lower[0][1] >= upper[0][3]:
                break
            yield upper, lower
            yield lower, upper


def test_the_checks_above_can_fail() -> None:
    square = scene.rectangle(0, 0, 100, 100)
    fine = Text(10, 50, "fine", 12, "#000000")
    check_layout(Scene(100, 100, "", "", "", (Group("a", "", square, (fine,)),)))
    for wrong in (
        [Text(80, 50, "too long", 12, "#000000")],
        [fine, Text(20, 45, "over it", 12, "#000000")],
        [Text(10, 50, "tiny", 3, "#000000")],
        [fine, Circle(40, 45, 10)],
    ):
        with pytest.raises(AssertionError):
            check_layout(Scene(100, 100, "", "", "", (Group("a", "", square, tuple(wrong)),)))


def test_nothing_overlaps(position: Position) -> None:
    check_layout(draw_position(position))


@pytest.mark.parametrize("name", [name for name in POSITIONS if not name.startswith(("ending", "odd"))])
def test_nothing_overlaps_with_a_move(name: str) -> None:
    position = load(name)
    moves = some_moves(position)
    assert len(moves) > 1
    for move in moves:
        check_layout(draw_position(position, move))


def played(players: int, turns: int, seed: int) -> Position:
    rng = random.Random(seed)
    position = rules.new_game(random_tile_set(seed), players, rng)
    for _ in range(turns):
        move = rng.choice(sorted(rules.legal_moves(position), key=repr))
        position = rules.apply(position, move)
        if position.hole is not None:
            position = rules.refill(position, rules.draws(position)[0])
    return position


@pytest.mark.parametrize(("players", "turns", "seed"), [(2, 0, 1), (2, 9, 2), (3, 20, 3), (4, 33, 4), (2, 30, 5)])
def test_random_tile_sets_fit_too(players: int, turns: int, seed: int) -> None:
    check_layout(draw_position(played(players, turns, seed)))


LONG = {
    "wilderness": "unerschlossene Wildnis",
    "effect irrigation": "Bewässerungsanlage",
    "effect sacred stone": "священный камень",
    "effect proselytism": "прозелитизм",
    "effect temple": "Kultstätte",
    "cancelled": "„Nicht erfüllt“",
    "CP": "{cp} ОС",
    "CP now": "{cp} Очков Созидания сейчас",
    "on turn": "ist jetzt an der Reihe",
    "winner": "победитель партии",
    "farm of": "бесплатно",
    "free": "бесплатно",
    "give": "{count} zurückgeben",
    "over colour": "unmittelbar über",
    "of": "{count} szt. z",
    "realm": "persönlicher Vorrat",
    "after": "nach dem Zug übrig",
    "farms": "kostenlos durch Bauernhöfe",
    "temples": "świątynie",
    "legend": "Как читать тайл Земли",
    "colour and level": "Farbe und Stufe der Landschaft",
    "left of": "{left} z tych oto",
    "taken by": "взял игрок {name}",
    "lacking": "(3): ein Wald, dem bisher noch Nachbarn fehlen",
    "temple tokens": "Жетоны храмов, по числу храмов",
    "most": "„больше“ считается с одного, а не с нуля",
    "god equilibrium": "Gleichgewichtsgottheit",
    "letter white": "Щ",
    **dict.fromkeys(
        [f"does {god.word}" for god in God],
        "3 ОС, если ни у кого нет большего числа активированных вулканов и деревень",
    ),
}
NAMES = ("Święta Zażółć Gęślą Jaźń ", "Щёдрый Вождь Широкошумных Дубрав ", "WWWWWWWWWWWWWWWWWWW ", "m" * 25)


@pytest.mark.parametrize("name", ["middle-2", "middle-3", "middle-4", "ending-4", "odd-2"])
def test_longer_words_and_names_fit(name: str) -> None:
    position = load(name)
    for index, player in enumerate(position.players):
        position = position.with_player(index, player._replace(name=(NAMES[index] * 3)[:60].strip()))
    check_layout(draw_position(position, words=LONG), smallest=5)
    move = None if position.is_over else some_moves(position)[0]
    check_layout(draw_position(position, move, "Ł " * 200, words=LONG), smallest=5)


def test_extreme_tiles_and_crowds_fit() -> None:
    position = load("opening-2")
    price, four = Worshipers(*[MAX_COST] * 5), tuple(Colour)[:4]
    dear = Tile("x" * 40, 3, Colour.WHITE, price, MAX_COST, Effect.FOREST, 6, four, 20, 99)
    crowd = Worshipers(*[MAX_ON_CELL] * 5)
    position = position._replace(centre=(Cell(dear, crowd), *position.centre[1:]))
    picture = draw_position(position)
    check_layout(picture, smallest=5)
    assert {f"×{MAX_ON_CELL}", "W"} <= set(words_of(picture, "worshipers-a3"))
    assert "R9 G9 B9 Y9 W9 ?9" in words_of(picture, "centre-a3")


def test_a_text_is_made_smaller_and_then_cut() -> None:
    assert fitted("short", 100, 12) == ("short", 12)
    text, size = fitted("a text somewhat longer", 120, 12)
    assert text == "a text somewhat longer" and SMALLEST < size < 12
    assert fontwidths.text_width(text, size) <= 120 + 1e-6
    text, size = fitted("a text somewhat longer " * 3, 120, 12)
    assert text.endswith("…") and size == SMALLEST and fontwidths.text_width(text, size) <= 120
    lines, size = wrapped("one two three four five six seven", 60, 12, 2)
    assert len(lines) == 2 and all(fontwidths.text_width(line, size) <= 60 for line in lines)


# --- everything of the position is there


def disc_letters(picture: Scene, name: str) -> Counter[str]:
    return Counter(text for text in words_of(picture, name) if text in set("RGBYW"))


def letters(worshipers: Worshipers) -> Counter[str]:
    return +Counter({colour.letter.upper(): count for colour, count in zip(Colour, worshipers)})


def test_every_tile_of_the_centre_says_what_it_is(position: Position) -> None:
    picture = draw_position(position)
    for name, cell in zip(CELLS, position.centre):
        assert cell.tile is not None
        check_tile(picture, f"centre-{name}", cell.tile)
        assert f"{cell.tile.cp} CP" in words_of(picture, f"centre-{name}")
        if cell.worshipers.total <= 7:
            assert disc_letters(picture, f"worshipers-{name}") == letters(cell.worshipers)
        else:
            assert [f"×{count}" for count in cell.worshipers if count] == [
                text for text in words_of(picture, f"worshipers-{name}") if text.startswith("×")
            ]


def check_tile(picture: Scene, name: str, tile: Tile) -> None:
    words = words_of(picture, name)
    level = "I" * tile.level
    assert describe(tile) in group(picture, name).title
    assert f"{tile.colour.letter.upper()} {level}" in words
    assert ("*" if tile.described else tile.id) in words
    assert WORDS[f"effect {tile.effect.word}"] in words
    assert tile.mystic is None or str(tile.mystic) in words
    # Its cost is the last row of discs.
    if tile.cost.total + tile.any_cost == 0:
        assert "free" in words
    else:
        cost = "".join(colour.letter.upper() * count for colour, count in zip(Colour, tile.cost)) + "?" * tile.any_cost
        assert cost in "".join(words)
    heads = [shape for shape in group(picture, name).shapes if isinstance(shape, Polygon)]
    assert PAINT[tile.colour].head in {head.fill for head in heads}


def test_every_tile_of_a_universe_is_there(position: Position) -> None:
    picture = draw_position(position)
    for index, player in enumerate(position.players, 1):
        for slot, each in player.placed():
            name = f"player-{index}-{slot.row}.{slot.column + 1}"
            words = words_of(picture, name)
            if each.face is Face.WILD:
                assert "wilderness" in words
                assert ("0 CP" if player.god is God.IDLENESS else "−1 CP") in words
                assert each.tile is None or any(each.tile.id in word for word in words)
                continue
            assert each.tile is not None
            check_tile(picture, name, each.tile)
            assert ("cancelled" in words) == (each.face is Face.CANCELLED)
            lacking = each.face is Face.UP and not rules.is_validated(player, slot, each)
            assert (f"({each.tile.cp})" if lacking else f"{each.tile.cp} CP") in words


def test_realms_gods_points_and_piles_are_there(position: Position) -> None:
    picture = draw_position(position)
    for index, (player, score) in enumerate(zip(position.players, rules.score(position))):
        words = words_of(picture, f"player-{index + 1}")
        farms = {tile.colours[0] for tile in rules.validated_tiles(player, Effect.FARM)}
        shown = letters(player.realm) + Counter(colour.letter.upper() for colour in farms)
        assert disc_letters(picture, f"player-{index + 1}") == shown
        total = str(score.total).replace("-", "−")
        assert f"{total} CP{'' if position.is_over else ' now'}" in words
        if player.god is not None:
            assert any(word.startswith(player.god.word.capitalize()) for word in words)
            assert any(word.startswith("taken by") for word in words_of(picture, f"god-{player.god.word}"))
        assert ("to move" in words) == (position.to_move == index)
    for god in position.gods:
        assert not any(word.startswith("taken by") for word in words_of(picture, f"god-{god.word}"))
    piles = words_of(picture, "piles")
    for pile in position.piles:
        if pile.left:
            assert f"{pile.left} {'left' if pile.left == len(pile.tiles) else 'of these'}" in piles
    for slot_names, index in ((rules.open_slots(player), i) for i, player in enumerate(position.players)):
        names = {position.players[index].slot_name(slot) for slot in slot_names}
        found = {each.name for each in picture.groups if each.name.startswith(f"player-{index + 1}-free-")}
        assert found == ({f"player-{index + 1}-free-{name}" for name in names} if not position.is_over else set())


def test_the_head_says_whose_turn_it_is_or_who_won() -> None:
    assert "round 8 of 15 · turn 31 of 60" in words_of(draw_position(load("middle-4")), "header")
    assert "Chloé to move" in words_of(draw_position(load("middle-4")), "header")
    ending = draw_position(load("ending-4"))
    assert "Дмитрий wins, 28 : 21 : 19 : 18" in words_of(ending, "header")
    assert "winner" in words_of(ending, "player-4") and "winner" not in words_of(ending, "player-1")


def test_the_order_of_a_pile_is_not_given_away() -> None:
    position = load("middle-3")
    rng = random.Random(1)
    first, second, third = (
        pile._replace(tiles=tuple(rng.sample(pile.tiles, len(pile.tiles)))) for pile in position.piles
    )
    shuffled = position._replace(piles=(first, second, third))
    assert shuffled != position
    assert to_svg(draw_position(shuffled)) == to_svg(draw_position(position))


def test_a_hole_is_drawn_while_it_waits_for_its_refill() -> None:
    position = load("opening-2")
    picture = draw_position(position._replace(centre=(Cell(None), *position.centre[1:])))
    assert words_of(picture, "centre-a3") == ["to be refilled"]
    check_layout(picture)


def test_every_word_comes_from_the_table() -> None:
    """With each word of the table replaced, only names, ids and cells are left in Latin letters."""
    foreign = {key: "Ж" + "".join(re.findall(r"\{\w+\}", text)) for key, text in WORDS.items()}
    for name in ("middle-2", "ending-4", "odd-2"):
        position = load(name)
        position = position._replace(tiles=position.tiles._replace(name="3"))
        for index, player in enumerate(position.players):
            position = position.with_player(index, player._replace(name=""))
        move = None if position.is_over else some_moves(position)[0]
        picture = draw_position(position, move, "3", words=foreign)
        for each in picture.groups:
            for text in each.texts:
                latin = re.findall(r"[A-Za-z]+", text.text)
                assert all(re.fullmatch(r"[a-z]|[LR]|I{1,3}", part) for part in latin), text


def test_what_a_translation_lacks_stays_english() -> None:
    picture = draw_position(load("middle-2"), words={"gods": "Bogowie"})
    assert "Bogowie" in words_of(picture, "gods") and "Temple tokens" in words_of(picture, "gods")


# --- the move


def is_marked(shapes: tuple[object, ...], sign: str) -> bool:
    """Whether there is a plus or a minus before a disc with the move's ring."""
    strokes = [each for each in shapes if isinstance(each, Polygon) and each.stroke == MARK]
    lines = [each.points for each in strokes if len(each.points) == 2]
    upright = [points for points in lines if points[0][0] == points[1][0]]
    return len(upright) > 0 if sign == "+" else len(lines) > 2 * len(upright)


def region_moves() -> Iterator[tuple[str, Move]]:
    for name in ("opening-2", "opening-4", "middle-2", "middle-3", "middle-4", "example"):
        for move in some_moves(load(name), number=12):
            if move.cell is not None:
                yield name, move


@pytest.mark.parametrize(("name", "move"), list(region_moves()))
def test_a_region_move_is_marked_where_it_is(name: str, move: Move) -> None:
    position = load(name)
    index = position.to_move
    assert index is not None and move.cell is not None and move.slot is not None
    player = position.players[index]
    picture = draw_position(position, move)
    plain = draw_position(position)
    # 1. The tile, and no other.
    marked = {each.name for each in picture.groups if each.marked}
    centre = {f"centre-{cell}" for cell in CELLS}
    assert marked & centre == {f"centre-{CELLS[move.cell]}"}
    assert not any(each.marked for each in plain.groups)
    # 2. Who comes and who goes.
    removed = {where for where, _, _ in move.removed}
    for cell, cell_name in enumerate(CELLS):
        shapes = group(picture, f"worshipers-{cell_name}").shapes
        assert is_marked(shapes, "+") == (cell in NEIGHBOURS[move.cell])
        assert is_marked(shapes, "-") == (cell in removed)
    # 3. The slot, and on it the tile as it will lie.
    slot_name = player.slot_name(move.slot)
    target = group(picture, f"player-{index + 1}-to-{slot_name}")
    assert target.marked
    assert {each for each in marked if re.fullmatch(r"player-\d-.*", each)} == {target.name}
    texts = [text.text for text in target.texts]
    tile = position.centre[move.cell].tile
    assert tile is not None
    assert ("wilderness" in texts) == move.wild
    assert ("cancelled" in texts) == (not move.wild and not move.validated)
    # 4. It is where it will lie: as far from its neighbours as in a picture of the position after the move.
    after = rules.apply(position, move)
    after = rules.refill(after, rules.draws(after)[0])
    later = draw_position(after)
    lies = group(later, f"player-{index + 1}-{move.slot.row}.{move.slot.column + 1}").outline[0]
    shift = 1 if move.slot == Slot(1, 0) and player.rows[0] else 0
    for slot, _ in player.placed():
        before = group(picture, f"player-{index + 1}-{slot.row}.{slot.column + 1}").outline[0]
        now = group(later, f"player-{index + 1}-{slot.row}.{slot.column + shift + 1}").outline[0]
        assert target.outline[0][0] - before[0] == pytest.approx(lies[0] - now[0])
        assert target.outline[0][1] - before[1] == pytest.approx(lies[1] - now[1])
    # 5. The realm it leaves.
    panel = f"player-{index + 1}"
    assert disc_letters(picture, panel) - disc_letters(plain, panel) == letters(move.realm)


def test_there_are_moves_of_every_kind_to_mark() -> None:
    moves = [move for _, move in region_moves()]
    assert any(move.removed for move in moves) and any(move.wild for move in moves)
    assert any(not move.wild and not move.validated for move in moves)
    assert {1, 2} <= {move.slot.row for move in moves if move.slot}


# ---------------------------------------------------------------------- one column, and the better move


@pytest.mark.parametrize("name", POSITIONS)
def test_a_narrow_picture_has_its_player_below_the_centre_and_the_others_next(name: str) -> None:
    position = load(name)
    picture = draw_position(position, sheet=NARROW)
    check_layout(picture, smallest=4.0)
    tops = {each.name: each.outline[0][1] for each in picture.groups}
    first, count = position.to_move or 0, len(position.players)
    players = [f"player-{(first + step) % count + 1}" for step in range(count)]
    order = ["centre", *players, "gods", "piles"]
    assert sorted(order, key=lambda part: tops[part]) == order
    assert "legend" not in tops


def dashed(each: Group) -> bool:
    return any(isinstance(shape, Polygon) and shape.dash and shape.stroke == BETTER for shape in each.shapes)


def pairs() -> Iterator[tuple[str, Move, Move]]:
    """Moves beside each other: same tile, same slot, both ends of row 1, a god and a tile, and whatever else."""
    for name in ("opening-2", "opening-4", "middle-2", "middle-3", "middle-4", "example"):
        moves = some_moves(load(name), number=12)
        yield from ((name, move, better) for move in moves[:4] for better in moves if better != move)


@pytest.mark.parametrize("sheet", [WIDE, NARROW])
def test_the_better_move_is_drawn_beside_the_one_played_with_dashes(sheet: Sheet) -> None:
    seen = Counter[str]()
    for name, move, better in pairs():
        position = load(name)
        picture = draw_position(position, move, "", better=better, sheet=sheet)
        check_layout(picture, smallest=3.5)
        marked = {each.name: each for each in picture.groups if each.marked}
        arrows = {arrow for arrow in ("move", "better") if f"{arrow}-line" in marked and f"{arrow}-head" in marked}
        assert arrows == {arrow for arrow, each in (("move", move), ("better", better)) if each.cell is not None}
        if better.god is not None:
            assert dashed(group(picture, f"god-{better.god.word}"))
            seen["god"] += 1
            continue
        assert better.cell is not None and better.slot is not None and position.to_move is not None
        player = position.players[position.to_move]
        assert dashed(marked["better-line"])
        assert [each for each, shown in marked.items() if each.startswith("centre-") and dashed(shown)] == [
            f"centre-{CELLS[better.cell]}"
        ]
        slot = player.slot_name(better.slot)
        place = "to" if better.slot == move.slot else "better"
        assert dashed(group(picture, f"player-{position.to_move + 1}-{place}-{slot}"))
        seen["same tile"] += better.cell == move.cell
        seen["same slot"] += better.slot == move.slot
        seen["ends"] += {slot, move.slot and player.slot_name(move.slot)} == {"1L", "1R"}
    assert min(seen[kind] for kind in ("god", "same tile", "same slot", "ends")) > 0, seen


def test_both_ends_of_a_row_of_four_are_drawn() -> None:
    """Six tiles side by side are wider than any panel."""
    position = next(
        position
        for position in (played(2, turns, seed) for turns in range(8, 22) for seed in range(20))
        if position.to_move is not None and len(position.players[position.to_move].rows[0]) == 4
    )
    by_slot = {move.slot: move for move in fast_rules.legal_moves(position, search=True) if move.slot}
    for sheet in (WIDE, NARROW):
        picture = draw_position(position, by_slot[Slot(1, 0)], "", better=by_slot[Slot(1, 4)], sheet=sheet)
        check_layout(picture, smallest=3.0)
        assert dashed(group(picture, f"player-{(position.to_move or 0) + 1}-better-1R"))


def test_a_god_is_marked() -> None:
    position = load("middle-4")
    (move,) = {m for m in rules.legal_moves(replace_god(position)) if m.god is God.EQUILIBRIUM}
    picture = draw_position(replace_god(position), move)
    check_layout(picture)
    assert [each.name for each in picture.groups if each.marked] == ["caption", "god-equilibrium"]
    assert "Equilibrium" in words_of(picture, "player-4")


def replace_god(position: Position) -> Position:
    """The turn of a player with few worshipers who has no god yet."""
    moves = [move for move in rules.legal_moves(position) if move.cell is not None and move.wild]
    after = rules.apply(position, min(moves, key=repr))
    after = rules.refill(after, rules.draws(after)[0])
    assert after.to_move is not None
    return after.with_player(after.to_move, after.players[after.to_move]._replace(realm=Worshipers(red=1)))


def test_a_volcano_may_remove_who_has_just_come() -> None:
    position = load("middle-2")
    centre = tuple(cell._replace(worshipers=Worshipers()) for cell in position.centre)
    volcano = Tile("v", 2, Colour.RED, effect=Effect.VOLCANO, number=1, colours=(Colour.RED,), cp=2)
    position = position._replace(centre=(*centre[:4], Cell(volcano), *centre[5:]))
    move = parse_move("b2 2.2 valid remove b3:r", position)
    shapes = group(draw_position(position, move), "worshipers-b3").shapes
    assert is_marked(shapes, "+") and is_marked(shapes, "-")


def test_a_move_of_another_position_is_refused() -> None:
    position = load("middle-2")
    move = parse_move("a2 2.1 pay ry", position)
    hole = position._replace(centre=(Cell(None), *position.centre[1:]))
    death = move._replace(cell=None, god=God.DEATH, slot=None)
    for where, wrong in (
        (position, move._replace(slot=Slot(2, 2))),
        (position, move._replace(cell=9)),
        (position, death),
        (load("ending-2"), move),
        (hole, move),
    ):
        with pytest.raises(
            InputError, match="expected (a legal move of the position drawn, found another|a cell from 0 to 8, found 9)"
        ):
            draw_position(where, wrong)


def test_the_caption_is_the_move_unless_another_is_given() -> None:
    position = load("middle-2")
    move = parse_move("a2 2.1 pay ry", position)
    assert words_of(draw_position(position, move), "caption") == ["a2 y2b 2.1 pay ry"]
    assert words_of(draw_position(position, move, "best: 63.2 % ± 0.4"), "caption") == ["best: 63.2 % ± 0.4"]
    assert words_of(draw_position(position, None, "a puzzle"), "caption") == ["a puzzle"]
    assert not any(each.name == "caption" for each in draw_position(position, move, "").groups)


# --- SVG


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_the_golden_one(name: str) -> None:
    """After a wanted change: python tests/golden/regenerate.py, and look at the pictures."""
    position, (move, caption) = load(name), PICTURES[name]
    picture = draw_position(position, parse_move(move, position) if move else None, caption)
    assert to_svg(picture) == (GOLDEN / f"{name}.svg").read_text(encoding="utf-8")


def test_the_picture_in_the_readme_is_what_its_command_draws(tmp_path: Path) -> None:
    import shlex

    (command,) = re.findall(r"^orbis (show --svg docs/picture.svg .*)$", (ROOT / "README.md").read_text("utf-8"), re.M)
    words = shlex.split(command)
    words[words.index("docs/picture.svg")] = str(tmp_path / "picture.svg")
    assert main(words) == 0
    assert (tmp_path / "picture.svg").read_bytes() == (ROOT / "docs" / "picture.svg").read_bytes()


def test_the_svg_is_sound_xml_with_words_for_those_who_hear_it(position: Position) -> None:
    picture = draw_position(position)
    root = ET.fromstring(to_svg(picture))
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    assert root.get("viewBox") == f"0 0 {picture.width:g} {picture.height:g}"
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None and title.text == picture.title
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"  # type: ignore[union-attr]
    for cell in position.centre:
        assert cell.tile is not None and describe(cell.tile) in description.text  # type: ignore[union-attr,operator]
    assert [text.text for text in root.iter(f"{SVG}text")] == [t.text for g in picture.groups for t in g.texts]
    names = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(names) == len(set(names))


def test_the_svg_stands_alone() -> None:
    text = to_svg(draw_position(load("middle-2")))
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<(image|script|style|use|foreignObject)\b|url\(|href", text)


def test_strange_names_do_not_break_the_svg() -> None:
    position = load("middle-2")
    name = "<b>&\"'\x07\x00\ud800Ś]]>"
    position = position.with_player(0, position.players[0]._replace(name=name))
    root = ET.fromstring(to_svg(draw_position(position)).encode("utf-8"))
    assert any("<b>&\"'" in (text.text or "") for text in root.iter(f"{SVG}text"))


# --- PNG


@pytest.fixture
def png() -> None:
    """These need the png extra, which the test extra brings along."""
    pytest.importorskip("PIL", reason="the png extra is not installed")
    pytest.importorskip("matplotlib", reason="the png extra is not installed")


def size_of(data: bytes) -> tuple[int, int]:
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR"
    return struct.unpack(">II", data[16:24])  # type: ignore[return-value]


@pytest.mark.usefixtures("png")
@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_the_png_has_its_size(scale: float) -> None:
    picture = draw_position(load("opening-2"))
    assert size_of(to_png(picture, scale)) == (round(picture.width * scale), round(picture.height * scale))


@pytest.mark.usefixtures("png")
def test_the_png_is_the_same_each_time() -> None:
    first, second = (to_png(draw_position(load("middle-3")), 0.5) for _ in range(2))
    assert hashlib.sha256(first).digest() == hashlib.sha256(second).digest()


@pytest.mark.usefixtures("png")
def test_the_png_shows_what_the_scene_says() -> None:
    """Colours where the shapes are, across the bands it is drawn in, and letters where the texts are."""
    import io

    from PIL import Image, ImageColor

    picture = draw_position(load("middle-4"), parse_move("a1 wild 2.2", load("middle-4")))
    image = Image.open(io.BytesIO(to_png(picture, 1.0)))
    assert image.text["Title"] == picture.title and "centre" not in image.text["Title"]  # type: ignore[attr-defined]
    for name, cell in zip(CELLS, load("middle-4").centre):
        outline = group(picture, f"centre-{name}").outline
        x, y = outline[0][0], outline[0][1] + 20
        assert cell.tile is not None
        assert image.getpixel((round(x), round(y))) == ImageColor.getrgb(PAINT[cell.tile.colour].head)
    corner = group(picture, "player-3-to-2.2").outline[1]
    assert image.getpixel((round(corner[0]), round(corner[1] + 20))) == ImageColor.getrgb(MARK)
    assert image.getpixel((2, 2)) == ImageColor.getrgb(picture.background)
    for each in picture.groups:
        for text in each.texts:
            left, _, right, _ = (round(value) for value in text.box)
            top, bottom = round(text.y - 0.73 * text.size), round(text.y)
            seen = image.crop((left, top, right, bottom)).getcolors(100_000)
            assert seen is not None and len(seen) > 2, text


@pytest.mark.usefixtures("png")
@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
@pytest.mark.parametrize("line", ["W" * 60, "Żółć " * 12, "щ" * 40, "e\N{COMBINING ACUTE ACCENT}" * 40, "東京" * 9])
def test_letters_in_the_png_stay_where_they_were_measured(line: str, anchor: str) -> None:
    import io

    from PIL import Image, ImageChops

    text = Text(600, 30, line, 11.3, "#000000", True, anchor)
    sheet = Scene(1500, 50, "", "", "#FFFFFF", (Group("a", "", (), (text,)),))
    image = Image.open(io.BytesIO(to_png(sheet, 1.0)))
    left, top, right, bottom = ImageChops.invert(image).getbbox() or (0, 0, 0, 0)
    assert text.box[0] - 1.5 <= left and right <= text.box[2] + 1.5
    assert right - left > 0.5 * text.length and text.box[1] - 4 <= top < bottom <= text.box[3] + 1


@pytest.mark.usefixtures("png")
def test_the_table_of_widths_is_the_font_s() -> None:
    fonts = scene.png_fonts()
    for bold, table in ((False, fontwidths.REGULAR), (True, fontwidths.BOLD)):
        font = fonts(fontwidths.UNITS, bold)
        for char, width in table.items():
            assert abs(font.getlength(char) - width) <= 2, char


@pytest.mark.parametrize("missing", ["PIL", "matplotlib"])
def test_a_missing_extra_is_named(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found = importlib.util.find_spec
    here = importlib.util.spec_from_loader("somewhere", None)
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == missing else here if name == "PIL" else found(name, *rest),
    )
    target = tmp_path / "table.png"
    assert main(["show", "--svg", str(tmp_path / "table.svg"), "--png", str(target)]) == 2
    project = {"PIL": "Pillow", "matplotlib": "matplotlib"}[missing]
    expected = "orbis: png: expected the png extra (pip install 'orbis-search[png]', in a clone '.[png]')"
    assert capsys.readouterr().err == f"{expected}, found no {project}\n"
    assert list(tmp_path.iterdir()) == []


# --- the command


def test_show_writes_pictures(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    target = tmp_path / "table.svg"
    assert main(["show", str(GOLDEN / "middle-2.toml"), "--svg", str(target), "--move", "a2 2.1 pay ry"]) == 0
    position = load("middle-2")
    assert target.read_text("utf-8") == to_svg(draw_position(position, parse_move("a2 2.1 pay ry", position)))
    assert [path.name for path in tmp_path.iterdir()] == ["table.svg"]
    assert capfdbinary.readouterr() == (b"", b"")
    assert main(["show", "--svg", "-", "--caption", "żółć"]) == 0
    example = load("example")
    assert capfdbinary.readouterr().out.decode("utf-8") == to_svg(draw_position(example, None, "żółć"))


@pytest.mark.usefixtures("png")
def test_show_writes_a_png(tmp_path: Path) -> None:
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    assert main(["show", str(GOLDEN / "opening-2.toml"), "--svg", str(svg), "--png", str(png)]) == 0
    width, height = size_of(png.read_bytes())
    assert f'viewBox="0 0 {width // 2} {height // 2}"' in svg.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--move", "b2"], "--move and --caption need --svg or --png."),
        (["--caption", "x"], "--move and --caption need --svg or --png."),
        (["--svg", "-", "--png", "-"], "--svg and --png cannot both go to standard output."),
        (["--svg", "a", "--json"], "--svg and --png cannot be combined with --toml, --oneline, --json or --output."),
        (["--png", "a", "-o", "b"], "--svg and --png cannot be combined with --toml, --oneline, --json or --output."),
        (["--svg", "a", "--move", "z9"], "z9"),
        (["--svg", "no/such/folder/a.svg"], "no/such/folder/a.svg: expected a writable file, found: "),
        (["--svg", "."], ".: expected a writable file, found: "),
    ],
)
def test_what_cannot_be_drawn_is_said(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["show", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and message in err and "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_old_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "a.svg"
    target.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert main(["show", "--svg", str(target)]) == 2
    assert capsys.readouterr().err.endswith("expected a writable file, found: No space left on device\n")
    assert target.read_text() == "old" and list(tmp_path.iterdir()) == [target]
    if Path("/dev/full").exists():
        assert main(["show", "--svg", "/dev/full"]) == 2
