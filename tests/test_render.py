"""Drawings: what they say, that they fit 80 columns, and that colour adds nothing a letter does not say."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from orbis_search.drawing.canvas import GROUND, Canvas, fit, spans_width, text_width, to_ascii
from orbis_search.drawing.labels import effect_words, tile_label
from orbis_search.drawing.spans import cost_spans
from orbis_search.drawing.terminal import render_choice, render_position
from orbis_search.drawing.tile_table import render_tile_set
from orbis_search.entry.narrow_view import render_narrow
from orbis_search.entry.questions import KEYS
from orbis_search.game import rules
from orbis_search.game.position import Cell, Position
from orbis_search.game.tiles import Tile
from orbis_search.game.vocabulary import CELLS, MAX_COST, MAX_ON_CELL, Colour, Effect, Face, Worshipers
from orbis_search.notation import read_position
from orbis_search.tileset.generator import random_tile_set
from orbis_search.tileset.library import load_tile_set

GOLDEN = Path(__file__).parent / "golden"
POSITIONS = sorted(path for path in GOLDEN.glob("*.toml") if path.name != "tiles.toml")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def load(path: Path) -> Position:
    return read_position(path.read_bytes(), path.name, GOLDEN)


@pytest.fixture(params=POSITIONS, ids=lambda path: path.stem)
def position(request: pytest.FixtureRequest) -> Position:
    return load(request.param)


def played(players: int, turns: int, seed: int) -> Position:
    """A game on a random tile set, played at random."""
    rng = random.Random(seed)
    position = rules.new_game(random_tile_set(seed), players, rng)
    for _ in range(turns):
        move = rng.choice(sorted(rules.legal_moves(position), key=repr))
        position = rules.apply(position, move)
        if position.hole is not None:
            position = rules.refill(position, rules.draws(position)[0])
    return position


def test_there_are_goldens_for_every_stage_and_number_of_players() -> None:
    stages = {f"{stage}-{players}" for stage in ("opening", "middle", "ending") for players in (2, 3, 4)}
    assert stages <= {path.stem for path in POSITIONS}


@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_the_drawing_is_the_golden_one(path: Path) -> None:
    """After a wanted change: python tests/golden/regenerate.py, and read the difference."""
    assert render_position(load(path)) == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_no_line_is_wider_than_a_terminal(position: Position) -> None:
    assert max(map(text_width, render_position(position).splitlines())) < 80


@pytest.mark.parametrize(("players", "turns", "seed"), [(2, 9, 1), (3, 20, 2), (4, 33, 3), (2, 30, 4)])
def test_random_tile_sets_fit_too(players: int, turns: int, seed: int) -> None:
    position = played(players, turns, seed)
    assert max(map(text_width, render_position(position).splitlines())) < 80


@pytest.mark.parametrize("width", [37, 60])
def test_a_narrow_terminal_gets_the_table_in_its_width(position: Position, width: int) -> None:
    told = render_narrow(position, width)
    assert max(map(text_width, told.splitlines())) <= width
    for key, name, cell in zip(KEYS, CELLS, position.centre):
        assert f"\n{key} {name} {tile_label(cell.tile) if cell.tile else '?'}" in told
    for player in position.players:
        for _slot, placed in player.placed():
            assert placed.face is Face.WILD or tile_label(placed.tile)[:3] in told
    if position.to_move is not None:
        mover = position.players[position.to_move]
        assert all(f"[{mover.slot_name(slot)}]" in told for slot in rules.open_slots(mover))
    coloured = render_narrow(position, width, colour=True)
    assert [line.rstrip() for line in ESCAPE.sub("", coloured).split("\n")] == told.split("\n")


def test_colour_only_adds_escapes(position: Position) -> None:
    coloured = render_position(position, colour=True)
    stripped = "\n".join(line.rstrip() for line in ESCAPE.sub("", coloured).split("\n"))
    assert "\x1b[" in coloured
    assert stripped == render_position(position)


def test_tiles_and_worshipers_stand_on_their_colour(position: Position) -> None:
    coloured = render_position(position, colour=True)
    for cell in position.centre:
        assert cell.tile is not None
        ground = f"\x1b[0;{GROUND[cell.tile.colour]}m"
        assert f"{ground} {cell.tile.colour.word} level {cell.tile.level} " in coloured
    for player in position.players:
        for _, placed in player.placed():
            if placed.face is not Face.WILD and placed.tile is not None:
                tile = placed.tile
                assert f"\x1b[0;{GROUND[tile.colour]}m {tile.colour.letter.upper()} {tile.id} " in coloured
        for colour, count in zip(Colour, player.realm):
            if count:
                assert f"\x1b[0;{GROUND[colour]}m{colour.letter.upper() * count}\x1b[0" in coloured


def test_plain_drawing_has_no_escape_and_no_trailing_blank(position: Position) -> None:
    drawing = render_position(position)
    assert "\x1b" not in drawing
    assert all(line == line.rstrip() for line in drawing.splitlines())


def test_every_coloured_line_ends_uncoloured(position: Position) -> None:
    for line in render_position(position, colour=True).splitlines():
        escapes = ESCAPE.findall(line)
        assert not escapes or escapes[-1] == "\x1b[0m"


def test_ascii_drawing_is_as_wide() -> None:
    drawing = render_position(load(GOLDEN / "middle-2.toml"))
    plain = to_ascii(drawing)
    assert plain.isascii()
    assert [len(line) for line in plain.splitlines()] == [text_width(line) for line in drawing.splitlines()]


def test_everything_on_the_table_is_drawn(position: Position) -> None:
    drawing = render_position(position)
    for cell, name in zip(position.centre, CELLS):
        assert cell.tile is not None
        assert f" {name} ─ {'*' if cell.tile.described else cell.tile.id} " in drawing
    for player in position.players:
        for _, placed in player.placed():
            if placed.tile is not None and not placed.tile.described:
                assert f" {placed.tile.id} " in drawing
    for pile in position.piles:
        for tile in pile.tiles:
            assert re.search(rf"\b{tile.id}\b", drawing)


def test_the_points_are_those_of_the_rules(position: Position) -> None:
    drawing = render_position(position)
    for score in rules.score(position):
        assert f" {score.total} CP" in drawing


def test_open_slots_are_named_as_moves_name_them() -> None:
    position = load(GOLDEN / "odd-2.toml")
    drawing = render_position(position)
    for name in ("1L", "1R", "2.1", "2.2", "2.3"):
        assert re.search(rf"(^|[ │]){re.escape(name)}( |$)", drawing, re.MULTILINE)
    assert "2.4" not in drawing


def test_the_order_of_a_pile_is_not_given_away() -> None:
    position = load(GOLDEN / "middle-3.toml")
    rng = random.Random(1)
    first, second, third = (
        pile._replace(tiles=tuple(rng.sample(pile.tiles, len(pile.tiles)))) for pile in position.piles
    )
    shuffled = position._replace(piles=(first, second, third))
    assert shuffled != position
    assert render_position(shuffled) == render_position(position)


def test_a_hole_is_drawn_while_it_waits_for_its_refill() -> None:
    position = load(GOLDEN / "opening-2.toml")
    centre = (Cell(None), *position.centre[1:])
    assert "empty: to be refilled" in render_position(position._replace(centre=centre))
    assert render_choice(position._replace(centre=centre), 0) == "empty"


def test_worshipers_beyond_ten_are_counted_and_still_fit() -> None:
    position = load(GOLDEN / "opening-2.toml")
    crowd = Worshipers(*[MAX_ON_CELL] * 5)
    centre = (position.centre[0]._replace(worshipers=crowd), *position.centre[1:])
    drawing = render_position(position._replace(centre=centre))
    for letter in "RGBYW":
        assert f"{letter}{MAX_ON_CELL}" in drawing
    assert max(map(text_width, drawing.splitlines())) < 80


def test_the_dearest_tile_is_squeezed_into_its_column() -> None:
    tile = Tile("x", 3, Colour.RED, Worshipers(*[MAX_COST] * 5), MAX_COST)
    assert spans_width(cost_spans(tile, 13)) <= 13


@pytest.mark.parametrize(
    ("tile", "words"),
    [
        (Tile("t", 1, Colour.RED), "no effect"),
        (Tile("t", 1, Colour.RED, effect=Effect.FARM, colours=(Colour.BLUE,)), "farm: B is free"),
        (Tile("t", 1, Colour.RED, effect=Effect.VILLAGE, number=3), "village: give back 3"),
        (Tile("t", 1, Colour.RED, effect=Effect.FOREST, number=6, colours=tuple(Colour)), "forest: 6 of any"),
        (
            Tile("t", 1, Colour.RED, effect=Effect.VOLCANO, number=2, colours=(Colour.RED, Colour.WHITE)),
            "volcano: 2 of R/W",
        ),
        (Tile("t", 1, Colour.RED, effect=Effect.IRRIGATION, colours=(Colour.RED,)), "irrigation over R"),
        (Tile("t", 1, Colour.WHITE, effect=Effect.TEMPLE, number=1), "temple"),
        (Tile("t", 1, Colour.WHITE, effect=Effect.TEMPLE, number=2), "2 temples"),
        (Tile("t", 1, Colour.RED, effect=Effect.PROSELYTISM, number=1), "gain 1 any"),
        (Tile("t", 1, Colour.RED, effect=Effect.SACRED_STONE, cp=1), "sacred stone"),
    ],
)
def test_effects_in_words(tile: Tile, words: str) -> None:
    assert effect_words(tile) == words


@pytest.mark.parametrize("name", ["reconstruction", "random:5", "random:6"])
def test_a_tile_set_is_listed_whole(name: str) -> None:
    tiles = load_tile_set(name)
    listing = render_tile_set(tiles)
    assert max(map(text_width, listing.splitlines())) < 80
    for tile in tiles.tiles:
        assert re.search(rf"^ {re.escape(tile.id)} +{tile.colour.word} ", listing, re.MULTILINE)
    assert ESCAPE.sub("", render_tile_set(tiles, colour=True)) == listing


def test_boxes_that_touch_share_their_lines() -> None:
    canvas = Canvas()
    canvas.box(0, 2, 2, 5)
    canvas.box(1, 0, 2, 5)
    canvas.box(1, 4, 2, 5)
    assert canvas.lines(False) == ["  ┌───┐", "┌─┴─┬─┴─┐", "└───┴───┘"]


def test_wide_and_combining_characters_are_measured() -> None:
    assert text_width("東京") == 4
    assert text_width("e\N{COMBINING ACUTE ACCENT}") == 1
    assert fit("東京の山", 6) == "東京…"
    canvas = Canvas()
    end = canvas.put(0, 0, "東e\N{COMBINING ACUTE ACCENT}")
    canvas.put(0, end, "|")
    assert canvas.lines(False) == ["東e\N{COMBINING ACUTE ACCENT}|"]
