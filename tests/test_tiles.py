"""Tile sets: the reconstruction against section 8, reading and checking, descriptions, random sets."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from orbis_search.base.errors import InputError
from orbis_search.drawing.labels import effect_words
from orbis_search.drawing.spans import cost_spans
from orbis_search.game.tiles import Tile, TileSet
from orbis_search.game.vocabulary import (
    LEVEL_SIZES,
    LEVELS,
    NOBODY,
    SET_UP,
    STAR_COUNTS,
    Colour,
    Effect,
    Star,
    Worshipers,
)
from orbis_search.tileset.descriptions import describe, parse_description, resolve_tile
from orbis_search.tileset.files import (
    dump_tile_set,
    parse_tile_set,
    template_text,
    tile_problems,
    tile_set_problems,
    tile_set_warnings,
)
from orbis_search.tileset.generator import random_tile_set
from orbis_search.tileset.library import built_in_tile_sets, load_tile_set
from orbis_search.tileset.syntax import (
    COLOUR_STEMS,
    EFFECT_WORDS,
    EffectText,
    Misread,
    cost_text,
    effect_text,
    parse_colour,
    parse_cost,
    parse_effect,
    parse_star,
)

OURS = load_tile_set("reconstruction")
SEEDS = range(200)
EFFECT_COLOURS = {
    Effect.FARM: Colour.YELLOW,
    Effect.VILLAGE: Colour.YELLOW,
    Effect.FOREST: Colour.GREEN,
    Effect.VOLCANO: Colour.RED,
    Effect.IRRIGATION: Colour.BLUE,
    Effect.TEMPLE: Colour.WHITE,
}


@pytest.fixture(scope="module")
def random_sets() -> list[TileSet]:
    return [random_tile_set(seed) for seed in SEEDS]


def price(tile: Tile) -> int:
    return tile.cost.total + tile.any_cost


def level(number: int) -> list[Tile]:
    return [tile for tile in OURS.tiles if tile.level == number]


def mean(values: list[int]) -> float:
    return sum(values) / len(values)


# --- section 8, what is known of the box ------------------------------------------------------------


def test_ours_says_that_it_is_a_reconstruction() -> None:
    assert "reconstruction" in OURS.title.lower()
    assert "Not the tiles of the box" in OURS.description


def test_ours_has_no_problem_and_no_warning() -> None:
    assert tile_set_problems(OURS) == []
    assert tile_set_warnings(OURS) == []


def test_twenty_twenty_twentyfive_by_level() -> None:
    assert [len(level(n)) for n in LEVELS] == [20, 20, 25]


@pytest.mark.parametrize(("star", "counts"), [(Star.WHITE, [5, 5, 4]), (Star.PURPLE, [4, 4, 6])])
def test_star_counts(star: Star, counts: list[int]) -> None:
    assert [sum(tile.star is star for tile in level(n)) for n in LEVELS] == counts


def test_most_but_not_all_level_1_tiles_are_free() -> None:
    free = sum(price(tile) == 0 for tile in level(1))
    assert 10 < free < 20


def test_costs_and_points_rise_with_the_level() -> None:
    for players in SET_UP:
        tiles = OURS.in_use(players)
        costs = [mean([price(tile) for tile in tiles if tile.level == n]) for n in LEVELS]
        points = [mean([tile.cp for tile in tiles if tile.level == n]) for n in LEVELS]
        assert costs == sorted(costs) and len(set(costs)) == 3
        assert points == sorted(points) and len(set(points)) == 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_five_farms_one_for_each_colour_on_yellow_in_every_game(players: int) -> None:
    farms = [tile for tile in OURS.in_use(players) if tile.effect is Effect.FARM]
    assert sorted(tile.colours for tile in farms) == [(colour,) for colour in Colour]


def test_a_white_tile_with_two_temples() -> None:
    assert any(tile.effect is Effect.TEMPLE and tile.number == 2 for tile in OURS.in_use(2))


def test_a_green_level_2_tile_costs_green_blue_white() -> None:
    cost = Worshipers(green=1, blue=1, white=1)
    assert [t.id for t in level(2) if t.colour is Colour.GREEN and (t.cost, t.any_cost) == (cost, 0)]


def test_a_blue_tile_gains_one_blue() -> None:
    gains = [t for t in OURS.tiles if t.colour is Colour.BLUE and t.effect is Effect.PROSELYTISM]
    assert any((t.number, t.colours) == (1, (Colour.BLUE,)) for t in gains)


def test_a_tile_costs_blue_green_any() -> None:
    assert any((t.cost, t.any_cost) == (Worshipers(green=1, blue=1), 1) for t in OURS.tiles)


def test_proselytism_tiles_are_free_and_worth_nothing() -> None:
    gains = [tile for tile in OURS.tiles if tile.effect is Effect.PROSELYTISM]
    assert gains
    assert all(price(tile) == 0 and tile.cp == 0 for tile in gains)


def test_colour_specific_effects_mostly_start_at_level_2() -> None:
    special = [sum(tile.effect in EFFECT_COLOURS for tile in level(n)) / len(level(n)) for n in LEVELS]
    assert special[0] < 0.5 < special[1] <= special[2]


def test_all_65_tiles_differ() -> None:
    assert len({tile.features for tile in OURS.tiles}) == 65


def test_thirteen_of_each_colour_as_4_4_5() -> None:
    counts = Counter((tile.colour, tile.level) for tile in OURS.tiles)
    assert counts == {(colour, n): size for colour in Colour for n, size in zip(LEVELS, (4, 4, 5))}


def test_thirteen_mystic_values_on_the_white_tiles() -> None:
    white = [tile.mystic for tile in OURS.tiles if tile.colour is Colour.WHITE]
    assert len(white) == len(set(white)) == 13 and None not in white
    assert all(tile.mystic is None for tile in OURS.tiles if tile.colour is not Colour.WHITE)


def test_effects_on_the_colours_of_section_5() -> None:
    assert [t.id for t in OURS.tiles if EFFECT_COLOURS.get(t.effect, t.colour) is not t.colour] == []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_game_size_keeps_colours_effects_and_costs_in_balance(players: int) -> None:
    tiles = OURS.in_use(players)
    colours = Counter(tile.colour for tile in tiles)
    assert max(colours.values()) - min(colours.values()) <= 1
    assert {tile.effect for tile in tiles} == set(Effect) - {Effect.NONE}
    demand = [sum(tile.cost[colour] for tile in tiles) for colour in Colour]
    assert max(demand) <= 1.35 * min(demand), "one farm would be worth far more than another"
    for n in LEVELS:
        assert {tile.colour for tile in tiles if tile.level == n} == set(Colour)


# --- sets: use, loading, writing --------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tiles_in_use_by_number_of_players(players: int, random_sets: list[TileSet]) -> None:
    for tile_set in [OURS, *random_sets[:20]]:
        used = tile_set.in_use(players)
        assert tuple(sum(tile.level == n for tile in used) for n in LEVELS) == SET_UP[players].regions
        assert list(used) == [tile for tile in tile_set.tiles if tile in used]


def test_by_id() -> None:
    assert OURS.by_id("r1a").colour is Colour.RED
    with pytest.raises(KeyError):
        OURS.by_id("r9z")


def test_ours_survives_writing_and_reading() -> None:
    assert parse_tile_set(dump_tile_set(OURS), "reconstruction") == OURS


def test_awkward_titles_survive_writing_and_reading() -> None:
    odd = OURS._replace(title='a "quoted" \\ tab\there \x7f', description='one\n\n""" two \\\r\n "three"')
    assert parse_tile_set(dump_tile_set(odd), odd.name) == odd


def test_table_blocks_read_like_inline_tables() -> None:
    blocks = []
    for line in dump_tile_set(OURS).splitlines():
        if line.startswith("  {"):
            blocks.append("[[tiles]]\n" + line.strip(" {},").replace(", ", "\n"))
    text = "title = 'x'\n" + "\n".join(blocks)
    assert parse_tile_set(text, "x").tiles == OURS.tiles


def test_built_in_sets_load_under_their_names() -> None:
    assert "reconstruction" in built_in_tile_sets()
    assert all(load_tile_set(name).name == name for name in built_in_tile_sets())


def test_load_random_by_seed() -> None:
    assert load_tile_set("random:7") == random_tile_set(7)


def test_sets_that_cannot_change_are_read_once(tmp_path) -> None:
    assert load_tile_set("reconstruction") is OURS
    assert load_tile_set("random:7") is load_tile_set("random:7")
    path = tmp_path / "box.toml"
    path.write_text(dump_tile_set(random_tile_set(1)), encoding="utf-8")
    assert load_tile_set("box.toml", tmp_path).tiles == random_tile_set(1).tiles
    path.write_text(dump_tile_set(random_tile_set(2)), encoding="utf-8-sig")  # as Windows saves it
    assert load_tile_set("box.toml", tmp_path).tiles == random_tile_set(2).tiles


def test_load_a_file_relative_to_a_folder(tmp_path) -> None:
    (tmp_path / "box.toml").write_text(dump_tile_set(OURS), encoding="utf-8")
    loaded = load_tile_set("box.toml", tmp_path)
    assert loaded.name == "box.toml"
    assert loaded.tiles == OURS.tiles


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("reconstuction", "(nearest: reconstruction)"),
        ("nowhere/box.toml", 'random:SEED or a file, found "nowhere/box.toml"'),
        ("", "random:SEED or a file"),
        (".", "random:SEED or a file"),
        ("random:", "expected a seed"),
        ("random:seven", 'found "seven"'),
        ("random:-1", 'found "-1"'),
        ("random:" + "9" * 5000, "expected a seed"),
        ("a\0b", "random:SEED or a file"),
        ("n" * 5000, "expected a"),
    ],
)
def test_a_set_that_cannot_be_loaded(spec: str, message: str, tmp_path) -> None:
    with pytest.raises(InputError) as error:
        load_tile_set(spec, tmp_path)
    assert [problem.place for problem in error.value.problems] == ["tiles"]
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00", "UTF-8"),
        (b"title = ", "TOML"),
        (b"#" * 1_000_001, "at most 1000000 characters"),
        (b"tiles = [" * 5000, "TOML"),
        (b"x = " + b"9" * 5000, "TOML"),
    ],
    ids=["bytes", "syntax", "huge", "nested", "long number"],
)
def test_a_file_that_is_no_tile_set(content: bytes, message: str, tmp_path) -> None:
    (tmp_path / "box.toml").write_bytes(content)
    with pytest.raises(InputError) as error:
        load_tile_set("box.toml", tmp_path)
    assert error.value.problems[0].place == "box.toml"
    assert message in str(error.value)


# --- malformed sets ---------------------------------------------------------------------------------

GOOD = dump_tile_set(OURS)
NUMBER_OF = {tile.id: index + 1 for index, tile in enumerate(OURS.tiles)}


def with_line(tile_id: str, line: str) -> str:
    """Our set with the line of one tile replaced (or dropped, by an empty line)."""
    lines = GOOD.splitlines()
    index = next(i for i, text in enumerate(lines) if f'id = "{tile_id}"' in text)
    lines[index] = line
    return "\n".join(lines)


def problems_of(text: str) -> list[tuple[str, str]]:
    with pytest.raises(InputError) as error:
        parse_tile_set(text, "box", "box.toml")
    return [tuple(problem) for problem in error.value.problems]


def red(rest: str, head: str = 'id = "r1a", level = 1') -> str:
    """A line for r1a, a red level-1 tile without star."""
    return f'{{ {head}, colour = "red"{rest} }},'


def white(rest: str) -> str:
    """A line for w1a, a white level-1 tile without star."""
    return f'{{ id = "w1a", level = 1, colour = "white"{rest} }},'


# tile, its new line, where the one problem is (@ is that tile), part of what it says
ONE_PROBLEM = {
    "no id": ("r1a", '{ level = 1, colour = "red", cp = 2 },', "tile 1", "a value for id, found none"),
    "no level": ("r1a", '{ id = "r1a", colour = "red" },', "@", "a value for level"),
    "no colour": ("r1a", '{ id = "r1a", level = 1 },', "@", "a value for colour"),
    "id too long": ("r1a", red("", 'id = "abcdefghijklmnopq", level = 1'), "tile 1 (abcdefghijklmnopq), id", "1 to 16"),
    "id with blanks": ("r1a", red("", 'id = "my id", level = 1'), "tile 1 (my id), id", 'found "my id"'),
    "id empty": ("r1a", red("", 'id = "", level = 1'), "tile 1, id", 'found ""'),
    "id a number": ("r1a", red("", "id = 7, level = 1"), "tile 1, id", "text in quotes, found 7"),
    "id only digits": ("r1a", red("", 'id = "17", level = 1'), "tile 1 (17), id", "at least one letter"),
    "id a cell": ("r1a", red("", 'id = "B2", level = 1'), "tile 1 (B2), id", "means nothing else"),
    "id a colour": ("r1a", red("", 'id = "rot", level = 1'), "tile 1 (rot), id", "means nothing else"),
    "id an effect": ("r1a", red("", 'id = "Farm", level = 1'), "tile 1 (Farm), id", "means nothing else"),
    "id a god": ("r1a", red("", 'id = "love", level = 1'), "tile 1 (love), id", "means nothing else"),
    "id wild": ("r1a", red("", 'id = "wild", level = 1'), "tile 1 (wild), id", "means nothing else"),
    "id a slot": ("r1a", red("", 'id = "1L", level = 1'), "tile 1 (1L), id", "means nothing else"),
    "id a level": ("r1a", red("", 'id = "L3", level = 1'), "tile 1 (L3), id", "means nothing else"),
    "id points": ("r1a", red("", 'id = "4cp", level = 1'), "tile 1 (4cp), id", "means nothing else"),
    "id taken": ("r1b", red(", cp = 9", 'id = "r1a", level = 1'), "tile 2 (r1a), id", "as on tile 1 (r1a)"),
    "level text": ("r1a", red("", 'id = "r1a", level = "one"'), "@, level", 'whole number, found "one"'),
    "level a fraction": ("r1a", red("", 'id = "r1a", level = 1.0'), "@, level", "whole number, found 1.0"),
    "level true": ("r1a", red("", 'id = "r1a", level = true'), "@, level", "found true"),
    "level 4": ("r1a", red("", 'id = "r1a", level = 4'), "@, level", "from 1 to 3, found 4"),
    "colour unknown": ("r1a", '{ id = "r1a", level = 1, colour = "pink" },', "@, colour", 'found "pink"'),
    "colour any": ("r1a", '{ id = "r1a", level = 1, colour = "any" },', "@, colour", "expected a colour"),
    "colour a number": ("r1a", '{ id = "r1a", level = 1, colour = 2 },', "@, colour", "text in quotes"),
    "unknown key": ("r1a", red(", color = 3"), "@", 'found "color" (nearest: colour'),
    "unlike any key": ("r1a", red(", zzzzzz = 3"), "@", 'found "zzzzzz"'),
    "cost letters": ("r1a", red(', cost = "rq"'), "@, cost", "such as gba"),
    "cost rest": ("r1a", red(', cost = "r 3 cows"'), "@, cost", '"3 cows" after it'),
    "cost a number": ("r1a", red(", cost = 3"), "@, cost", "text in quotes, found 3"),
    "cost in two ways": ("r1a", red(', cost = "ww3a"'), "@, cost", 'not both, found "ww3a"'),
    "gain in two ways": ("r1a", red(', effect = "gain rr2"'), "@, effect", 'not both, found "rr2"'),
    "cost too high": ("r1a", red(', cost = "r10"'), "@, cost", "from 0 to 9, found 10"),
    "any cost too high": ("r1a", red(', cost = "a11"'), "@, cost", "any worshipers from 0 to 9"),
    "cost endless": ("r1a", red(', cost = "r' + "9" * 90 + '"'), "@, cost", "..."),
    "effect unknown": ("r1a", red(', effect = "vilage 3"'), "@, effect", "(nearest: village"),
    "effect rest": ("r1a", red(', effect = "village 3 rg"'), "@, effect", '"rg" after it'),
    "effect a list": ("r1a", red(', effect = ["farm"]'), "@, effect", "text in quotes"),
    "two effects": ("r1a", red(', effect = "stone farm r"'), "@, effect", '"farm r" after it'),
    "farm of nothing": ("r1a", red(', effect = "farm"'), "@, effect", "the colour of the farm"),
    "farm of two": ("r1a", red(', effect = "farm rg"'), "@, effect", "one colour for the farm"),
    "farm of any": ("r1a", red(', effect = "farm any"'), "@, effect", "one colour for the farm"),
    "irrigation of two": ("r1a", red(', effect = "irrigation rb"'), "@, effect", "one colour"),
    "village of nothing": ("r1a", red(', effect = "village"'), "@, effect", "the number of the village"),
    "village 0": ("r1a", red(', effect = "village 0"'), "@, effect", "from 1 to 10, found 0"),
    "village 11": ("r1a", red(', effect = "village 11"'), "@, effect", "from 1 to 10, found 11"),
    "forest 7": ("r1a", red(', effect = "forest 7 rg"'), "@, effect", "from 1 to 6, found 7"),
    "forest 0": ("r1a", red(', effect = "forest 0 rg"'), "@, effect", "from 1 to 6, found 0"),
    "forest of no colour": ("r1a", red(', effect = "forest 3"'), "@, effect", "the colours of the forest"),
    "forest bare": ("r1a", red(', effect = "forest"'), "@, effect", "the number of the forest and the"),
    "volcano 11": ("r1a", red(', effect = "volcano 11 r"'), "@, effect", "from 1 to 10, found 11"),
    "volcano colourless": ("r1a", red(', effect = "volcano 2"'), "@, effect", "colours of the volcano"),
    "gain 3": ("r1a", red(', effect = "gain 3 r"'), "@, effect", "from 1 to 2, found 3"),
    "gain 0": ("r1a", red(', effect = "gain r0"'), "@, effect", "from 1 to 2, found 0"),
    "gain 2 of any": ("r1a", red(', effect = "gain 2 any"'), "@, effect", "gain of any colour from 1 to 1"),
    "gain of two colours": ("r1a", red(', effect = "gain rb"'), "@, effect", "gain of one colour"),
    "gain of nothing": ("r1a", red(', effect = "gain"'), "@, effect", "the colour of the gain"),
    "stone worth 2": ("r1a", red(', effect = "stone", cp = 2'), "@, cp", "1 CP on a sacred stone"),
    "stone worth 0": ("r1a", red(', effect = "stone", cp = 0'), "@, cp", "1 CP on a sacred stone"),
    "cp negative": ("r1a", red(", cp = -1"), "@, cp", "from 0 to 20, found -1"),
    "cp too high": ("r1a", red(", cp = 21"), "@, cp", "from 0 to 20, found 21"),
    "cp a fraction": ("r1a", red(", cp = 1.5"), "@, cp", "whole number, found 1.5"),
    "cp text": ("r1a", red(', cp = "lots"'), "@, cp", 'whole number, found "lots"'),
    "mystic on red": ("r1a", red(", mystic = 50"), "@, mystic", "white tiles only, found 50 on red"),
    "temple on red": ("r1a", red(', effect = "temple"'), "@, mystic", "only a white tile can have one"),
    "temple without mystic": ("w1a", white(', effect = "temple"'), "@, mystic", "on a tile with a temple"),
    "no temples": ("w1a", white(', effect = "temple 0", mystic = 3'), "@, effect", "1 to 3, found 0"),
    "four temples": ("w1a", white(', effect = "temple x4", mystic = 3'), "@, effect", "1 to 3, found 4"),
    "mystic 0": ("w1a", white(", mystic = 0"), "@, mystic", "from 1 to 99, found 0"),
    "mystic 100": ("w1a", white(", mystic = 100"), "@, mystic", "from 1 to 99, found 100"),
    "mystic taken": (
        "w1b",
        '{ id = "w1b", level = 1, colour = "white", mystic = 3 },',
        "tile 18 (w1b), mystic",
        "found 3 as on tile 17 (w1a)",
    ),
    "star unknown": ("r1a", red(', star = "black"'), "@, star", "(white, purple or none)"),
    "star a number": ("r1a", red(", star = 1"), "@, star", "text in quotes"),
    "a star too many": ("r1a", red(', star = "white"'), "level 1", "5 tiles with a white star, found 6"),
    "a star too few": (
        "r1c",
        '{ id = "r1c", level = 1, colour = "red" },',
        "level 1",
        "4 tiles with a purple star, found 3",
    ),
    "not a table": ("r1a", '"red L1 free",', "tile 1", "expected a table"),
    "half a template line": (
        "r1a",
        red(', cost = "?", effect = "?", cp = 2'),
        "@",
        'a value for cost, effect, found "?"',
    ),
}


@pytest.mark.parametrize("case", ONE_PROBLEM)
def test_one_wrong_tile_is_one_problem_with_its_place(case: str) -> None:
    tile_id, line, place, message = ONE_PROBLEM[case]
    found = problems_of(with_line(tile_id, line))
    expected = place.replace("@", f"tile {NUMBER_OF[tile_id]} ({tile_id})")
    assert [where for where, _ in found] == [f"box.toml, {expected}"]
    assert message in found[0][1]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", "box.toml, tiles", "a list of 65 tiles, found none"),
        ("tiles = 3", "box.toml, tiles", "a list of 65 tiles, found 3"),
        ("tiles = {}", "box.toml, tiles", "a list of 65 tiles"),
        ("tiles = 'reconstruction'\n[centre]\n", "box.toml", "expected a tile set, found a position"),
        ("title = \u201cmine\u201d\n", "box.toml", 'write " instead of \u201c'),
        ("tiles = [\n", "box.toml", "expected a tile set in TOML"),
        (GOOD.replace("title =", "titel ="), "box.toml", 'found "titel" (nearest: title'),
        (GOOD.replace('name = "reconstruction"', "name = 5"), "box.toml, name", "text in quotes, found 5"),
        ("description = []\n" + GOOD[GOOD.index("tiles = [") :], "box.toml, description", "text in quotes"),
    ],
    ids=["empty", "number", "table", "position", "curved", "syntax", "key", "name", "description"],
)
def test_a_wrong_file_head(text: str, place: str, message: str) -> None:
    ((where, what),) = problems_of(text)
    assert where == place
    assert message in what


def test_a_tile_left_out_is_told_by_total_and_level() -> None:
    found = problems_of(with_line("r2a", ""))
    assert found == [
        ("box.toml, tiles", "expected 65 tiles, found 64"),
        ("box.toml, level 2", "expected 20 tiles, found 19"),
    ]


def test_a_tile_on_the_wrong_level_shows_on_both() -> None:
    moved = '{ id = "r1a", level = 2, colour = "red", cp = 9 },'
    assert problems_of(with_line("r1a", moved)) == [
        ("box.toml, level 1", "expected 20 tiles, found 19"),
        ("box.toml, level 2", "expected 20 tiles, found 21"),
    ]


def test_all_problems_come_at_once_and_in_the_file_s_order() -> None:
    text = with_line("r1a", red(', cost = "q", effect = "farm", cp = 99, mystik = 1'))
    text = text.replace('id = "g3a", level = 3', 'id = "g3a", level = 3, star = "blue"')
    assert [place for place, _ in problems_of(text)] == [
        "box.toml, tile 1 (r1a)",
        "box.toml, tile 1 (r1a), cost",
        "box.toml, tile 1 (r1a), effect",
        f"box.toml, tile {NUMBER_OF['g3a']} (g3a), star",
    ]


def test_a_box_spread_otherwise_than_guessed_is_accepted() -> None:
    text = with_line("r1a", '{ id = "r1a", level = 1, colour = "blue", effect = "volcano 1 r", cp = 3 },')
    assert parse_tile_set(text, "box").by_id("r1a").effect is Effect.VOLCANO


def test_tiles_made_in_code_are_checked_alike() -> None:
    broken = OURS.by_id("r1a")._replace(effect=Effect.FARM, number=3, colours=())
    tiles = (broken, *OURS.tiles[1:])
    assert [str(problem) for problem in tile_set_problems(OURS._replace(tiles=tiles), "x")] == [
        "x, tile 1 (r1a), effect: expected no number for farm, found 3",
        "x, tile 1 (r1a), effect: expected one colour for the farm, found none",
    ]


def test_alike_tiles_and_bare_white_tiles_are_warnings() -> None:
    twin = OURS.by_id("r1a")._replace(id="r1b")
    bare = OURS.by_id("w1b")._replace(mystic=None)
    changed = {"r1b": twin, "w1b": bare}
    tile_set = OURS._replace(tiles=tuple(changed.get(tile.id, tile) for tile in OURS.tiles))
    assert tile_set_problems(tile_set) == []
    assert [str(warning) for warning in tile_set_warnings(tile_set)] == [
        "tile 2 (r1b): is the same as tile 1 (r1a) in everything but its id",
        "tile 18 (w1b): is white and has no mystic value",
    ]


def test_mutated_files_are_read_or_refused_but_never_crash() -> None:
    """Pieces of a good file cut, doubled and swapped: a set comes out valid or as an InputError."""
    rng = random.Random(1)
    refused = 0
    for _ in range(300):
        text = GOOD
        for _ in range(rng.randint(1, 3)):
            start, length = rng.randrange(len(text)), rng.choice((1, 1, 2, 5, 40))
            piece = rng.choice(("", text[start : start + length] * 2, rng.choice('"{}[]=,?0-a\n\\é')))
            text = text[:start] + piece + text[start + length :]
        try:
            tile_set = parse_tile_set(text, "box", "box.toml")
        except InputError as error:
            refused += 1
            assert all(p.place.startswith("box.toml") and "expected" in p.message for p in error.problems)
        else:
            assert tile_set_problems(tile_set) == []
    assert refused > 100


# --- the template -----------------------------------------------------------------------------------


def test_the_unfilled_template_lists_each_tile_once() -> None:
    found = problems_of(template_text())
    assert len(found) == 65
    assert found[0] == ("box.toml, tile 1 (t1-01)", 'expected a value for colour, cost, effect, cp, found "?"')
    assert all(message == found[0][1] for _, message in found)


def test_a_filled_template_is_a_tile_set() -> None:
    """Our own tiles, typed into the template as a player would, everything in quotes."""
    groups = {(n, star): [t for t in level(n) if t.star is star] for n in LEVELS for star in Star}
    lines = []
    for line in template_text().splitlines():
        if line.startswith("  {"):
            star = next((star for star in STAR_COUNTS if f'"{star.word}"' in line), Star.NONE)
            tile = groups[int(line.split("level = ")[1][0]), star].pop(0)
            values = (tile.colour.letter, cost_text(tile), effect_text(tile), str(tile.cp))
            for value in values:
                line = line.replace("?", value, 1)
            line = line.replace('mystic = ""', f'mystic = "{tile.mystic or ""}"')
        lines.append(line)
    filled = parse_tile_set("\n".join(lines), "box")
    assert {(*tile.features, tile.star) for tile in filled.tiles} == {
        (*tile.features, tile.star) for tile in OURS.tiles
    }


# --- words and phrases ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cost", "any_cost"),
    [
        ("", NOBODY, 0),
        ("-", NOBODY, 0),
        ("free", NOBODY, 0),
        ("gba", Worshipers(green=1, blue=1), 1),
        ("G2 B A3", Worshipers(green=2, blue=1), 3),
        ("ggbaaa", Worshipers(green=2, blue=1), 3),
        ("2g1b3a", Worshipers(green=2, blue=1), 3),
        ("2 green, 1 blue, 3 any", Worshipers(green=2, blue=1), 3),
        ("green green blue any", Worshipers(green=2, blue=1), 1),
        ("1 grün + 1 blau + 1 beliebig", Worshipers(green=1, blue=1), 1),
        ("1 zielony i 1 niebieski i 1 dowolny", Worshipers(green=1, blue=1), 1),
        ("1 зелёная, 1 синяя и 1 любая", Worshipers(green=1, blue=1), 1),
        ("cost rw", Worshipers(red=1, white=1), 0),
        ("B W + 1 any", Worshipers(blue=1, white=1), 1),
        ("RR B + 2 any", Worshipers(red=2, blue=1), 2),
        ("g2bb", Worshipers(green=2, blue=2), 0),
    ],
)
def test_costs_as_people_write_them(text: str, cost: Worshipers, any_cost: int) -> None:
    assert parse_cost(text) == (cost, any_cost)


R, G, B = (Colour.RED,), (Colour.GREEN,), (Colour.BLUE,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (Effect.NONE, 0, ())),
        ("none", (Effect.NONE, 0, ())),
        ("farm g", (Effect.FARM, 0, G)),
        ("Farm green", (Effect.FARM, 0, G)),
        ("village 3", (Effect.VILLAGE, 3, ())),
        ("forest 3 gr", (Effect.FOREST, 3, R + G)),
        ("forest 3 of green or red", (Effect.FOREST, 3, R + G)),
        ("volcano 2 any", (Effect.VOLCANO, 2, tuple(Colour))),
        ("irrigation r", (Effect.IRRIGATION, 0, R)),
        ("temple", (Effect.TEMPLE, 1, ())),
        ("temple 2", (Effect.TEMPLE, 2, ())),
        ("temple x2", (Effect.TEMPLE, 2, ())),
        ("gain 2 r", (Effect.PROSELYTISM, 2, R)),
        ("gain rr", (Effect.PROSELYTISM, 2, R)),
        ("gain r2", (Effect.PROSELYTISM, 2, R)),
        ("gain r", (Effect.PROSELYTISM, 1, R)),
        ("proselytism 1 any", (Effect.PROSELYTISM, 1, ())),
        ("2 temples", (Effect.TEMPLE, 2, ())),
        ("forest: 2 of R/G", (Effect.FOREST, 2, R + G)),
        ("volcano: 3 of red/blue", (Effect.VOLCANO, 3, R + B)),
        ("irrigation over G", (Effect.IRRIGATION, 0, G)),
        ("farm: B is free", (Effect.FARM, 0, B)),
        ("village: give back 3", (Effect.VILLAGE, 3, ())),
        ("gain 1 any", (Effect.PROSELYTISM, 1, ())),
        ("no effect", (Effect.NONE, 0, ())),
        ("stone", (Effect.SACRED_STONE, 0, ())),
        ("sacred stone", (Effect.SACRED_STONE, 0, ())),
        ("Heiliger Felsen", (Effect.SACRED_STONE, 0, ())),
        ("Bewässerungsanlage blau", (Effect.IRRIGATION, 0, B)),
        ("BEWASSERUNGSANLAGE blau", (Effect.IRRIGATION, 0, B)),
        ("Świątynia 2", (Effect.TEMPLE, 2, ())),
        ("las 3 czerwony zielony", (Effect.FOREST, 3, R + G)),
        ("вулкан 2 красный или синий", (Effect.VOLCANO, 2, R + B)),
    ],
)
def test_effects_as_people_write_them(text: str, expected: tuple) -> None:
    assert parse_effect(text) == EffectText(*expected)


def test_every_word_of_the_tables_is_understood() -> None:
    endings = {"en": "", "de": "e", "ru": "ый"}
    for colour, stems in COLOUR_STEMS.items():
        for language, stem in stems.items():
            word = stem + endings.get(language, "i" if stem.endswith("k") else "y")
            word = "синий" if word == "синый" else word
            if colour is None:
                assert parse_cost(word).any == 1
            else:
                assert parse_colour(word) is colour
    parameters = {
        Effect.FARM: "r",
        Effect.VILLAGE: "2",
        Effect.FOREST: "2 r",
        Effect.VOLCANO: "2 r",
        Effect.IRRIGATION: "r",
        Effect.PROSELYTISM: "r",
    }
    for effect, words in EFFECT_WORDS.items():
        for word in words:
            assert parse_effect(f"{word} {parameters.get(effect, '')}").effect is effect


@pytest.mark.parametrize(
    ("text", "star"),
    [
        ("white", Star.WHITE),
        ("weißer Stern", Star.WHITE),
        ("purple-star", Star.PURPLE),
        ("-", Star.NONE),
        ("фиолетовая звезда", Star.PURPLE),
        ("none", Star.NONE),
        ("no star", Star.NONE),
        ("", Star.NONE),
    ],
)
def test_stars_as_people_write_them(text: str, star: Star) -> None:
    assert parse_star(text) is star


def test_misread_colour_says_what_was_expected() -> None:
    with pytest.raises(Misread, match='expected a colour .* found "rgb"'):
        parse_colour("rgb")


# --- descriptions -----------------------------------------------------------------------------------


def test_the_canonical_description() -> None:
    tile = Tile("b3x", 3, Colour.BLUE, Worshipers(green=1, blue=1), 1, Effect.IRRIGATION, 0, R, 4)
    assert describe(tile) == "blue L3 cost gba irrigation r 4cp"
    temple = Tile("w", 2, Colour.WHITE, effect=Effect.TEMPLE, number=2, mystic=7, star=Star.PURPLE)
    assert describe(temple) == "white L2 free temple 2 0cp mystic 7 purple-star"
    assert describe(Tile("n", 1, Colour.RED, any_cost=2)) == "red L1 cost a2 none 0cp"


def test_descriptions_of_every_tile_lead_back_to_it(random_sets: list[TileSet]) -> None:
    for tile_set in [OURS, *random_sets[:40]]:
        for tile in tile_set.tiles:
            assert resolve_tile(describe(tile), tile_set, 4) == tile


def test_descriptions_of_foreign_tiles_are_whole(random_sets: list[TileSet]) -> None:
    """Described tiles keep all features, and their ids mean themselves again."""
    empty = TileSet("empty", "", "", ())
    for tile_set in [OURS, *random_sets[:20]]:
        for tile in tile_set.tiles:
            foreign = resolve_tile(describe(tile._replace(star=Star.NONE)), empty, 2)
            assert foreign.described
            assert foreign.features == tile.features
            assert resolve_tile(foreign.id, empty, 2) == foreign


def drawn_words(tile: Tile) -> str:
    """The tile as `orbis show` and `orbis tiles show` put it, all on one line."""
    cost = "".join(text for text, _ in cost_spans(tile, 80))
    cost = cost if cost == "free" else f"cost {cost}"
    mystic = "" if tile.mystic is None else f" mystic {tile.mystic}"
    return f"{tile.colour.word} level {tile.level} {tile.cp} CP {cost} {effect_words(tile)}{mystic}"


def test_descriptions_may_be_copied_from_a_drawing(random_sets: list[TileSet]) -> None:
    for tile_set in [OURS, *random_sets[:40]]:
        for tile in tile_set.tiles:
            read = parse_description(drawn_words(tile)).tile()
            assert read is not None and read.features == tile.features, drawn_words(tile)
    assert drawn_words(OURS.by_id("y2a")) == "yellow level 2 1 CP cost G W + 1 any farm: Y is free"


@pytest.mark.parametrize(
    "text",
    [
        "blue L3 cost rb2a irrigation y 4cp",
        "4cp irrigation y L3 blue cost rb2a",
        "level 3, blue, costs 1 red 2 blue 1 any, irrigation yellow, 4 cp",
        "cp 4 irrigation y blue",
        "Level3 BLUE cost abbr Irrigation Y cp4",
        "blue_L3_cost_rb2a_irrigation_y_4cp",
        "blau Stufe 3 Bewässerungsanlage gelb",
        "niebieski poziom 3 irygacja żółty",
        "синий уровень 3 орошение жёлтый",
        "cost rb2a blue L3",
        "B3A",
        "b3a blue level 3, cost R BB + 1 any, irrigation over Y, 4 CP",
    ],
)
def test_ways_to_write_one_tile(text: str) -> None:
    assert resolve_tile(text, OURS, 2).id == "b3a"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("white star green", {"star": Star.WHITE, "colour": Colour.GREEN}),
        ("white white-star", {"star": Star.WHITE, "colour": Colour.WHITE}),
        ("star purple", {"star": Star.PURPLE}),
        ("no-star", {"star": Star.NONE}),
        ("village 3 cp", {"effect": EffectText(Effect.VILLAGE, None, None), "cp": 3}),
        ("village 3 cp 4", {"effect": EffectText(Effect.VILLAGE, 3, None), "cp": 4}),
        ("village 3 4cp", {"effect": EffectText(Effect.VILLAGE, 3, None), "cp": 4}),
        ("L3 cp 4", {"level": 3, "cp": 4}),
        ("forest 3 rg green", {"effect": EffectText(Effect.FOREST, 3, R + G), "colour": Colour.GREEN}),
        ("gain red blue", {"effect": EffectText(Effect.PROSELYTISM, None, R), "colour": Colour.BLUE}),
        ("gain any", {"effect": EffectText(Effect.PROSELYTISM, None, ())}),
        ("3 temples", {"effect": EffectText(Effect.TEMPLE, 3, None)}),
        ("farm: W is free", {"effect": EffectText(Effect.FARM, None, (Colour.WHITE,))}),
        ("farm: R is free, free", {"effect": EffectText(Effect.FARM, None, R), "cost": (NOBODY, 0)}),
        ("cost B W + 1 any blue", {"cost": (Worshipers(blue=1, white=1), 1), "colour": Colour.BLUE}),
        ("free mystic 7", {"cost": (NOBODY, 0), "mystic": 7}),
        ("cost 1 green 2 any 3cp", {"cost": (Worshipers(green=1), 2), "cp": 3}),
    ],
)
def test_what_a_description_says(text: str, said: dict[str, object]) -> None:
    description = parse_description(text)
    for feature in ("level", "colour", "cost", "effect", "cp", "mystic", "star"):
        assert getattr(description, feature) == said.get(feature), feature


def test_an_id_goes_before_a_description_and_may_be_out_of_use() -> None:
    assert resolve_tile(" g1d ", OURS, 2).star is Star.WHITE
    assert resolve_tile("G1D", OURS, 2).id == "g1d"


def test_ids_that_differ_by_case_need_the_right_case() -> None:
    twin = OURS.by_id("r1b")._replace(id="R1A")
    tile_set = OURS._replace(tiles=tuple(twin if tile.id == "r1b" else tile for tile in OURS.tiles))
    assert resolve_tile("R1A", tile_set, 2) is twin
    assert resolve_tile("r1a", tile_set, 2).id == "r1a"


def test_only_tiles_in_use_are_meant_by_a_description() -> None:
    assert resolve_tile("green L1 stone", OURS, 2).id == "g1b"
    assert resolve_tile("blue L1 stone", OURS, 2).id == "b1b"
    with pytest.raises(InputError, match="which fits none"):
        resolve_tile("green forest L1", OURS, 2)
    assert resolve_tile("green forest L1", OURS, 4).id == "g1d"


def test_a_described_tile() -> None:
    tile = resolve_tile("red L2 cost gg none 3cp", OURS, 2)
    assert tile == Tile("red_L2_cost_g2_none_3cp", 2, Colour.RED, Worshipers(green=2), cp=3, described=True)
    stone = resolve_tile("blue L3 cost ga stone", OURS, 2)
    assert (stone.cp, stone.id) == (1, "blue_L3_cost_ga_stone_1cp")
    temple = resolve_tile("white L3 cost y3 temple 4cp mystic 40 purple-star", OURS, 2)
    assert (temple.number, temple.mystic, temple.star) == (1, 40, Star.PURPLE)


def test_colour_and_level_may_stand_together_as_in_ids() -> None:
    assert resolve_tile("y1 farm blue", OURS, 2) == resolve_tile("yellow L1 farm b", OURS, 2) == OURS.by_id("y1c")
    assert resolve_tile("cost y1a2 farm b", OURS, 2) == OURS.by_id("y1c")  # in a cost it counts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("red L1", 'expected one tile, found "red L1", which fits 2: r1a ('),
        ("L3", "which fits 15: r3a (red cost r2ga volcano 3 yw 4cp), r3b ("),
        ("r1x", 'unknown tile: expected an id of the set or a description, found "r1x" (nearest: r1'),
        ("qqqqqqq", 'unknown tile: expected an id of the set or a description, found "qqqqqqq"'),
        ("", "expected a tile, found nothing"),
        (" , ", "unknown tile"),
        ("blu L3", 'found "blu" (nearest: blue'),
        ("red L2 village 3 4cp", "for a tile not in the set add its cost (such as cost gba, or free)"),
        ("farm r L3", "add its colour, its cost (such as cost gba, or free), its points (such as 3cp)"),
        ("red L3 free forest 9cp", "add the number of the forest, the colours of the forest"),
        ("red L3 free 9cp", "add its effect (or none)"),
        ("red L9 free none 9cp", "expected a level from 1 to 3, found 9"),
        ("red L3 cost r10 none 9cp", "expected a cost of red worshipers from 0 to 9, found 10"),
        ("red L3 free village 99 9cp", "the number of a village from 1 to 10, found 99"),
        ("white L3 free temple 9cp", "expected a mystic value on a tile with a temple, found none"),
        ("red L3 free temple 9cp mystic 3", "mystic values on white tiles only, found 3 on red"),
        ("red L3 free stone 2cp", "expected 1 CP on a sacred stone, found 2"),
        ("red blue L3", 'expected the tile\'s colour once, found it again as "blue"'),
        ("red L3 L3", "expected the tile's level once"),
        ("red cost", "such as gba (1 green, 1 blue, 1 any) or free, found nothing"),
        ("red farm any", 'expected one colour for the farm, found "any"'),
        ("any L3", 'found "any"'),
        ("b3a red", "expected b3a alone or as it is (blue L3 "),
        ("b3a r2", 'found "r2" after it'),
        ("red 3", 'found "3"'),
        ("red L3 cost ww3 none 1cp", 'expected each letter repeated or numbered, not both, found "ww3"'),
        ("level red", 'found "level"'),
        ("red volcano rw", 'would fit but for "rw")'),
        ("white temple 3", 'would fit but for "3")'),
        ("y1 green", 'expected the tile\'s colour once, found it again as "green"'),
        ("green y1", 'expected the tile\'s colour once, found it again as "y1"'),
    ],
)
def test_a_text_that_means_no_tile(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        resolve_tile(text, OURS, 2, "centre.b2")
    ((place, what),) = error.value.problems
    assert place == "centre.b2"
    assert message in what


def test_parse_description_reports_its_place() -> None:
    with pytest.raises(InputError) as error:
        parse_description("red farn", "here")
    assert error.value.problems[0].place == "here"
    assert "(nearest: farm" in str(error.value)


# --- random sets ------------------------------------------------------------------------------------


def test_random_sets_are_valid_and_their_tiles_differ(random_sets: list[TileSet]) -> None:
    for tile_set in random_sets:
        assert tile_set_problems(tile_set, tile_set.name) == []
        assert len({tile.features[:-1] for tile in tile_set.tiles}) == 65


def test_random_sets_survive_writing_and_reading(random_sets: list[TileSet]) -> None:
    for tile_set in random_sets:
        assert parse_tile_set(dump_tile_set(tile_set), tile_set.name) == tile_set


def test_a_seed_is_a_set(random_sets: list[TileSet]) -> None:
    assert random_tile_set(5) == random_sets[5]
    assert len({tile_set.tiles for tile_set in random_sets}) == len(random_sets)


def test_random_sets_start_cheap_and_get_dearer(random_sets: list[TileSet]) -> None:
    for tile_set in random_sets:
        costs = [mean([price(t) for t in tile_set.tiles if t.level == n]) for n in LEVELS]
        assert costs[0] < 1.5 and costs[0] < costs[2]
        assert sum(price(t) <= 1 for t in tile_set.tiles if t.level == 1) >= LEVEL_SIZES[0] / 2


def test_random_sets_go_beyond_our_guesses(random_sets: list[TileSet]) -> None:
    tiles = [tile for tile_set in random_sets for tile in tile_set.tiles]
    pairs = {(tile.effect, tile.colour) for tile in tiles}
    free_effects = set(Effect) - {Effect.TEMPLE}
    assert {(effect, colour) for effect in free_effects for colour in Colour} <= pairs
    assert {colour for effect, colour in pairs if effect is Effect.TEMPLE} == {Colour.WHITE}
    numbers = {(tile.effect, tile.number) for tile in tiles}
    assert {(Effect.VILLAGE, 10), (Effect.VOLCANO, 10), (Effect.FOREST, 6), (Effect.TEMPLE, 3)} <= numbers
    assert max(tile.any_cost for tile in tiles) >= 3
    farms = [sum(tile.effect is Effect.FARM for tile in tile_set.tiles) for tile_set in random_sets]
    assert min(farms) == 0 and max(farms) > 5
    for tile_set in random_sets:
        assert {tile.effect for tile in tile_set.tiles} >= free_effects - {Effect.FARM} | {Effect.TEMPLE}


def test_described_features_are_checked_one_by_one() -> None:
    tile = Tile("t", 0, Colour.RED, Worshipers(red=-1), 0, Effect.NONE, 1, R, 30, 0)
    assert [problem.place for problem in tile_problems(tile)] == [
        "level",
        "cost",
        "cp",
        "effect",
        "effect",
        "mystic",
        "mystic",
    ]
