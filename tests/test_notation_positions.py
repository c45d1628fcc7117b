"""Positions as text: three forms, each read back without loss, and what people may write instead."""

from __future__ import annotations

import json
import random
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import builders
from orbis_search.base.errors import InputError
from orbis_search.core import fast_rules
from orbis_search.drawing.terminal import render_position
from orbis_search.game import rules
from orbis_search.game.position import Cell, Options, Pile, Placed, Position
from orbis_search.game.problems import default_piles, problems, tiles_left
from orbis_search.game.vocabulary import CELLS, NOBODY, SET_UP, TURNS, Face, God, Worshipers
from orbis_search.notation import (
    parse_worshipers,
    position_to_json,
    read_position,
    write_json,
    write_oneline,
    write_toml,
)
from orbis_search.notation.common import split_row
from orbis_search.notation.move_text import format_move, parse_move
from orbis_search.tileset.library import load_tile_set
from orbis_search.tileset.resolving import resolve_tile

DATA = Path(__file__).parent / "malformed"
WRITERS = {"toml": write_toml, "line": write_oneline, "json": write_json}
SHELL_SAFE = re.compile(r"[A-Za-z0-9.,:/@+=_-]+")
BASE = read_position((DATA / "base.toml").read_bytes(), "base.toml", DATA)


def played(position: Position, turns: int, rng: random.Random) -> Position:
    """Played on at random, mostly without wilderness, so that universes and realms fill up."""
    for _ in range(turns):
        families = rules.families(position)
        face_up = [family for family in families if not family.wild]
        family = rng.choice(face_up if face_up and rng.random() < 0.8 else families)
        removed = next(rules.removals(family.stock, family.to_remove))
        move = rules.Move(
            family.cell,
            family.god,
            rng.choice(family.slots),
            family.wild,
            family.validated,
            removed,
            rng.choice(sorted(family.realms)),
        )
        position = rules.apply(position, move)
        if position.hole is not None:
            position = rules.refill(position, rng.choice(rules.draws(position)))
    return position


def with_usual_piles(position: Position) -> Position:
    return position._replace(piles=default_piles(position.tiles, position.players, position.centre))


def assert_lossless(position: Position, base_dir: Path | None = None, look_up_set: bool = False) -> None:
    """Each form reads back equal; the tile set is looked up by its name as well when asked, which is slow."""
    assert problems(position) == []
    for form, write in WRITERS.items():
        text = write(position)
        back = read_position(text, form, base_dir, None if look_up_set else position.tiles)
        assert back == position, form
        assert write(back) == text, form
    line = write_oneline(position)
    assert SHELL_SAFE.fullmatch(line)
    assert shlex.split(line) == [line]


# Round trips.


@pytest.mark.parametrize("spec", ["reconstruction", "random:7", "random:2024"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_round_trip_through_a_whole_game(spec: str, players: int) -> None:
    rng = random.Random(f"{spec} {players}")
    position = rules.new_game(load_tile_set(spec), players, rng)
    names = ["Anna", "", "Müller, Zoë: 50 %", 'o\'Neil "x" \\ / | =']
    position = position._replace(players=tuple(p._replace(name=n) for p, n in zip(position.players, names)))
    assert_lossless(position, look_up_set=True)
    while not position.is_over:
        position = played(position, min(rng.randrange(1, 9), TURNS * players - position.turns_played), rng)
        assert_lossless(position)
        assert_lossless(with_usual_piles(position))
        assert_lossless(position._replace(options=Options(most_at_zero=False)))
    assert position.to_move is None
    assert_lossless(position, look_up_set=True)
    assert 'to_move = "nobody"' in write_toml(position)
    assert json.loads(write_json(position))["to_move"] is None


@pytest.mark.parametrize("seed", range(6))
def test_round_trip_with_forgotten_wilderness(seed: int) -> None:
    """Fronts nobody remembers: the piles may then hold more tiles than are left."""
    rng = random.Random(seed)
    position = rules.new_game(load_tile_set("reconstruction"), 2, rng)
    position = played(position, 18 + seed, rng)
    for index, player in enumerate(position.players):
        rows = tuple(
            tuple(
                placed._replace(tile=None)
                if placed is not None and placed.face is Face.WILD and rng.random() < 0.7
                else placed
                for placed in row
            )
            for row in player.rows
        )
        position = position.with_player(index, player._replace(rows=rows))
    assert_lossless(with_usual_piles(position))


def test_a_forgotten_tile_may_still_be_in_its_pile() -> None:
    rng = random.Random(1)
    position = rules.new_game(load_tile_set("reconstruction"), 2, rng)
    wild = next(family for family in rules.families(position) if family.wild)
    position = rules.apply(position, next(wild.moves()))
    position = with_usual_piles(rules.refill(position, rules.draws(position)[0]))
    first = position.players[0]
    front = first.rows[0][0].tile
    line = write_oneline(position)
    forgotten = read_position(line.replace(f"w.{front.id}", "w"), "")
    assert position.piles[0].left == forgotten.piles[0].left == 1
    assert set(forgotten.piles[0].tiles) == {*position.piles[0].tiles, front}
    assert_lossless(forgotten)
    # With level 1 used up, the tile cannot be drawn any more, wherever it is.
    text = (DATA / "base.toml").read_text().replace('"wild y1b"', '"wild"')
    assert read_position(text, "", DATA).piles[:2] == (Pile(0, ()), Pile(0, ()))


def test_round_trip_of_described_tiles() -> None:
    described = {
        "c1": "red L3 cost r2ga volcano 4 yw 5cp",
        "b1": "white L2 free temple 2 1cp mystic 20",
        "a1": "yellow L2 cost a3 none 0cp",
        "a2": "blue L1 free gain 1 a 0cp",
    }
    tiles = {cell: resolve_tile(text, BASE.tiles, 2) for cell, text in described.items()}
    # The last fits a tile of the set and is that tile; the others are new.
    assert [tile.described for tile in tiles.values()] == [True, True, True, False]
    del tiles["a2"]
    centre = tuple(Cell(tiles.get(name, cell.tile), cell.worshipers) for name, cell in zip(CELLS, BASE.centre))
    position = with_usual_piles(BASE._replace(centre=centre))
    assert len(position.piles[2].tiles) == position.piles[2].left + 1  # r3a may be anywhere now
    assert_lossless(position, DATA)
    player = BASE.players[0]
    front = resolve_tile("green L2 cost w forest 1 w 1cp", BASE.tiles, 2)
    cancelled = resolve_tile("red L2 free village 1 1cp", BASE.tiles, 2)
    rows = (
        (*player.rows[0][:2], Placed(front, Face.WILD), player.rows[0][3]),
        (Placed(cancelled, Face.CANCELLED), *player.rows[1][1:]),
        *player.rows[2:],
    )
    # y1b, a level 1 tile, was replaced by one of level 2: one too many of those are out.
    broken = with_usual_piles(BASE.with_player(0, player._replace(rows=rows)))
    assert [problem.place for problem in problems(broken)] == ["levels"]
    front = resolve_tile("green L1 cost w forest 1 w 1cp", BASE.tiles, 2)
    rows = ((*rows[0][:2], Placed(front, Face.WILD), rows[0][3]), *rows[1:])
    assert_lossless(with_usual_piles(BASE.with_player(0, player._replace(rows=rows))), DATA)


def with_cells(**texts: str) -> Position:
    """The base with other tiles in the centre, read as a file that says so."""
    text = (DATA / "base.toml").read_text()
    for cell, tile in texts.items():
        text, times = re.subn(rf'(?m)^{cell} = "\S+ ', f'{cell} = "{tile} ', text)
        assert times == 1
    return read_position(text, "", DATA)


def ids(pile: Pile) -> list[str]:
    return [tile.id for tile in pile.tiles]


def test_a_described_tile_takes_the_place_of_the_unseen_one_with_its_mystic_value() -> None:
    """Somebody describes the tiles of a box while the piles come from a set that has other ones."""
    position = with_cells(c1="white L3 free temple 1 3cp mystic 10")  # as has w3c, unseen
    assert len(position.piles[2].tiles) == position.piles[2].left == 14
    assert "w3c" not in ids(position.piles[2]) and "r3a" in ids(position.piles[2])
    assert_lossless(position, DATA)
    # Without one to spare the unseen tile stays: a value that merely follows from the set does not count.
    other = with_cells(b1="white L2 free temple 1 3cp mystic 10")
    assert "w3c" in ids(other.piles[2]) and other.piles[2].left == 14
    assert_lossless(other, DATA)
    # One to spare for two values: the one of the same level goes.
    both = with_cells(b1="white L2 free temple 1 3cp mystic 12", c1="white L3 free temple 1 3cp mystic 10")
    assert {"w3a", "w3c"} & set(ids(both.piles[2])) == {"w3a"}
    assert_lossless(both, DATA)


def test_piles_that_follow_go_on_following_while_tiles_are_drawn() -> None:
    rng = random.Random(5)
    position = with_cells(b1="white L2 free temple 1 3cp mystic 12", c1="white L3 free temple 1 3cp mystic 10")
    while not position.is_over:
        position = fast_rules.apply(position, rng.choice(fast_rules.legal_moves(position, search=True)))
        if position.hole is not None:
            position = fast_rules.refill(
                position, next(tile for tile in fast_rules.draws(position) if tile.id != "w3a")
            )
        if position.piles[2].left > 1:  # in the end w3a has to come
            assert_lossless(position, DATA)
            assert position == with_usual_piles(position)
        else:
            break


@builders.on_every_implementation
def test_equal_mystic_values_do_no_harm_if_both_are_owned(rules) -> None:
    """Only a search gets there, when it draws the unseen tile that a described one stands for."""
    temples = [builders.tile("w", "temple 1", mystic=12) for _ in range(2)]
    position = builders.position(*(builders.player([temple]) for temple in temples))
    tokens = [score.temple_token for score in rules.score(position)]
    assert max(tokens) == 7 and min(tokens) > 0
    assert rules.winners(position)


def test_tiles_described_alike_are_two_tiles_on_the_table() -> None:
    """A description may lack what tells two tiles apart."""
    twin = "red L2 cost g2 none 3cp"
    text = (DATA / "base.toml").read_text().replace('"wild g2b"', f'"wild {twin}"')
    for old in ('b2 = "r2b', 'c2 = "g2a'):
        text = text.replace(old, f'{old[:5]} "{twin}'.replace("  ", " "))
    position = read_position(text, "", DATA)
    tiles = [position.centre[CELLS.index(cell)].tile for cell in ("b2", "c2")]
    tiles.append(position.players[1].rows[0][3].tile)
    assert tiles[0] == tiles[1] == tiles[2] and tiles[0].described
    assert_lossless(position, DATA)
    assert render_position(position)
    moves = fast_rules.legal_moves(position)
    assert set(moves) == rules.legal_moves(position)
    for move in moves[::50]:
        assert parse_move(format_move(position, move), position) == move
        after = fast_rules.apply(position, move)
        assert after == rules.apply(position, move)
        if after.hole is not None:
            tile = fast_rules.draws(after)[0]
            assert fast_rules.refill(after, tile) == rules.refill(after, tile)
            assert_lossless(fast_rules.refill(after, tile), DATA)
    with pytest.raises(InputError, match="red_L2_cost_g2_none_3cp"):
        parse_move("red_L2_cost_g2_none_3cp wild 1L", position)  # which of the two?


def test_round_trip_of_given_piles() -> None:
    usual = BASE.piles[2]
    backwards = BASE._replace(piles=(*BASE.piles[:2], Pile(usual.left, usual.tiles[::-1])))
    assert backwards != BASE
    assert_lossless(backwards, DATA)
    unknown = resolve_tile("green L3 cost w2 forest 1 w 1cp", BASE.tiles, 2)
    more = BASE._replace(piles=(*BASE.piles[:2], Pile(usual.left, (unknown, *usual.tiles))))
    assert_lossless(more, DATA)


def test_usual_piles_are_not_written() -> None:
    assert "piles" not in tomllib.loads(write_toml(BASE))
    assert "pile" not in write_oneline(BASE)
    given = BASE._replace(piles=(*BASE.piles[:2], Pile(14, BASE.piles[2].tiles[::-1])))
    assert list(tomllib.loads(write_toml(given))["piles"]) == ["level3"]


# Names: anything that can be seen, and nothing that a terminal acts on.
PRINTABLE = st.text(st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp")), max_size=60)


@settings(max_examples=150, deadline=None)
@given(PRINTABLE, PRINTABLE)
def test_round_trip_of_any_printable_name(first: str, second: str) -> None:
    players = tuple(p._replace(name=name) for p, name in zip(BASE.players, (first, second)))
    assert_lossless(BASE._replace(players=players), DATA)


def test_joined_symbols_are_names() -> None:
    names = ("👩\u200d🚀", "क\u200dष")
    players = tuple(p._replace(name=name) for p, name in zip(BASE.players, names))
    assert_lossless(BASE._replace(players=players), DATA)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 11), min_size=9, max_size=9), st.permutations(range(5)))
def test_round_trip_of_worshipers_in_the_centre(counts: list[int], order: list[int]) -> None:
    centre = []
    for cell, count in zip(BASE.centre, counts):
        numbers = [count, count // 2, 1, 0, count]
        centre.append(cell._replace(worshipers=Worshipers(*(numbers[colour] for colour in order))))
    assert_lossless(BASE._replace(centre=tuple(centre)), DATA)


def test_set_names_are_kept(tmp_path: Path) -> None:
    """A path stands as given, relative to the file that names it, whatever characters it has."""
    folder = tmp_path / "my tiles, 100 %"
    folder.mkdir()
    (folder / "box=1_ü@.toml").write_text((DATA / "box.toml").read_text())
    name = "my tiles, 100 %/box=1_ü@.toml"
    position = BASE._replace(tiles=load_tile_set(name, tmp_path))
    assert position.tiles.name == name
    assert_lossless(position, tmp_path, look_up_set=True)
    with pytest.raises(InputError, match="tiles"):
        read_position(write_toml(position), "", tmp_path / "elsewhere")


def test_the_written_forms_are_pinned() -> None:
    """The forms are a format: other people's files depend on them."""
    assert write_oneline(BASE) + "\n" == (DATA / "base.line").read_text()
    assert write_json(BASE) == (DATA / "base.json").read_text()
    assert position_to_json(BASE) == json.loads((DATA / "base.json").read_text())
    assert write_toml(BASE) == (DATA / "base-written.toml").read_text()


# What cannot be written.


def test_a_hole_is_a_problem_and_is_not_written() -> None:
    rng = random.Random(3)
    position = played(rules.new_game(load_tile_set("reconstruction"), 2, rng), 4, rng)
    move = next(move for move in sorted(rules.legal_moves(position), key=repr) if move.cell is not None)
    open_cell = rules.apply(position, move)
    found = problems(open_cell)
    assert [problem.place for problem in found] == [f"centre.{CELLS[move.cell]}"]
    assert "refill" in found[0].message
    for write in WRITERS.values():
        with pytest.raises(InputError, match="refill it before writing"):
            write(open_cell)


def test_names_that_cannot_be_printed_are_not_written() -> None:
    for name in ("a\nb", "a\x1b[2J", "\ud800", "\u202e"):
        position = BASE.with_player(1, BASE.players[1]._replace(name=name))
        assert [problem.place for problem in problems(position)] == ["player 2, name"]
        for write in WRITERS.values():
            with pytest.raises(InputError, match="player 2, name: expected printable"):
                write(position)


# What people write.


@pytest.mark.parametrize(
    "text",
    ["r2gb3", "rrgbbb", "r2 g b3", "2r 1g 3b", "2 red, 1 green, 3 blue", "red2 green blue 3", "bRbGbr", "b3r2g1"],
)
def test_worshipers_in_many_ways(text: str) -> None:
    assert parse_worshipers(text) == Worshipers(2, 1, 3)


@pytest.mark.parametrize("text", ["", "-", " ", "none", "r0", "0r"])
def test_no_worshipers(text: str) -> None:
    assert parse_worshipers(text) == NOBODY


@given(st.tuples(*[st.integers(0, 999)] * 5))
def test_round_trip_of_worshipers(counts: tuple[int, ...]) -> None:
    worshipers = Worshipers(*counts)
    assert parse_worshipers(str(worshipers)) == worshipers


def test_a_file_written_at_the_table() -> None:
    """Short words, no list brackets, descriptions: the same position as the base."""
    text = """
    to_move = "bo"
    tiles = "box.toml"
    gods = ["Fire", "LOVE"]
    centre.a3 = "red stone | r2b"
    centre.b3 = "G1A"
    centre.c3 = "y1c | 1 yellow 1 white"
    centre.a2 = "w1b | green"
    centre.b2 = "red L2 cost ya volcano 3 rgy 2cp | rrgbbb"
    centre.c2 = "g2a|"
    centre.a1 = "yellow farm white | b"
    centre.b1 = "w2c | yy"
    centre.c1 = "r3a | w"
    [[player]]
    name = "Anna"
    realm = "2 red, green, blue"
    god = "x.death"
    row1 = "r1a, b1a, wild y1b, y1a"
    row2 = "!r2a b2a y2a"
    [[player]]
    name = "Bo"
    realm = { white = 3, yellow = 2 }
    row1 = "w1a g1b b1b ~g2b"
    row2 = ["w2a", "b2b cancelled", ".", "."]
    row3 = "w2b"
    """
    assert read_position(text, "", DATA) == BASE
    for ours, theirs in (
        ('["Fire", "LOVE"]', '"the god of love and fire"'),
        ('"x.death"', '"God of Death cancelled"'),
        ("realm = {", 'god = "no"\n    realm = {'),
    ):
        assert read_position(text.replace(ours, theirs), "", DATA) == BASE
    commas = text.replace('row3 = "w2b"', 'row3 = ". red village 3 . blue stone"')
    with pytest.raises(InputError, match="row 3: expected commas between the slots"):
        read_position(commas, "", DATA)


def test_empty_slots_before_a_described_tile_need_no_commas() -> None:
    assert split_row(". . red volcano 2 gb") == [".", ".", "red volcano 2 gb"]
    assert split_row("red volcano 2 gb") == ["red volcano 2 gb"]
    assert split_row(". . r2a") == [".", ".", "r2a"]
    assert split_row(".") == ["."]
    assert split_row(". red stone . blue stone") is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('["w2b"]', '"w2b"'),
        ('["w2a", "cancelled b2b"]', '"w2a, cancelled b2b"'),
        ('["w2a", "cancelled b2b"]', '"w2a, b2b cancelled"'),
        ('["w2a", "cancelled b2b"]', '"w2a !b2b"'),
        ('["w2a", "cancelled b2b"]', '"w2a x.b2b . ."'),
        ('["w2b"]', '"white L2 cost gya 2 temples"'),
        ('["w2b"]', '"white L2 temple 2"'),
        ('["w1a", "g1b", "b1b", "wild g2b"]', '"w1a,g1b,b1b,wild g2b"'),
        ('["w1a", "g1b", "b1b", "wild g2b"]', '"w1a g1b b1b w.g2b"'),
        ('"love fire"', '"Love and Fire"'),
        ('"r1b | r2b"', '"r1b red level 1, free, sacred stone, 1 CP | r2b"'),
    ],
)
def test_rows_and_cells_as_text(old: str, new: str) -> None:
    text = (DATA / "base.toml").read_text()
    assert text.count(old) == 1
    assert read_position(text.replace(old, new), "", DATA) == BASE


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("", []),
        ("-", []),
        ("none", []),
        ("wild", ["wild"]),
        ("wild wild", ["wild", "wild"]),
        ("wild . wild", ["wild", ".", "wild"]),
        ("~ wild", ["~", "wild"]),
        ("w g2b", ["w", "g2b"]),
        ("cancelled g2b", ["cancelled g2b"]),
        ("g2b canceled", ["g2b canceled"]),
        ("wild g2b", None),
        ("g2b wild", None),
        ("g2b wild .", None),
        (". wild g2b", None),
        ("r2a cancelled g2b", None),
        ("cancelled r2a g2b", None),
        ("cancelled cancelled", None),
        ("wild green L1 stone", ["wild green L1 stone"]),
        ("r2a, wild g2b", ["r2a", "wild g2b"]),
        ("red_L1_free_stone g2b", ["red_L1_free_stone", "g2b"]),
    ],
)
def test_a_row_as_text_is_taken_apart_in_one_way_or_not_at_all(text: str, slots: list[str] | None) -> None:
    assert split_row(text) == slots


@pytest.mark.parametrize("said", ["2", '"Bo"', '"bo "', '"2"'])
def test_the_player_to_move_by_number_or_name(said: str) -> None:
    text = (DATA / "base.toml").read_text().replace("to_move = 2", f"to_move = {said}")
    assert read_position(text, "", DATA) == BASE


def test_what_may_be_left_out() -> None:
    text = (DATA / "base.toml").read_text()
    for line in ("players = 2\n", "to_move = 2\n", 'god = "none"\n'):
        text = text.replace(line, "")
    assert read_position(text, "", DATA) == BASE


@pytest.mark.parametrize("form", ["base.toml", "base.json", "base.line"])
def test_forms_are_told_apart_however_they_are_saved(form: str) -> None:
    text = (DATA / form).read_text()
    for variant in (
        text.encode(),
        b"\xef\xbb\xbf" + text.encode(),
        text.replace("\n", "\r\n").encode(),
        "\n\n  " + text,
        "\ufeff" + text,
    ):
        assert read_position(variant, "", DATA) == BASE


def test_a_line_wrapped_by_a_chat() -> None:
    line = (DATA / "base.line").read_text()
    wrapped = "\n  ".join(line[start : start + 40] for start in range(0, len(line), 40))
    assert read_position(wrapped, "", DATA) == BASE


def test_another_tile_set_may_stand_in() -> None:
    """As `--tiles` does: the set that the text names is not even looked for."""
    text = (DATA / "base.toml").read_text().replace('"box.toml"', '"lost.toml"')
    assert read_position(text, "", None, BASE.tiles) == BASE
    assert read_position(text, "", None, str(DATA / "box.toml")).centre == BASE.centre
    with pytest.raises(InputError, match="lost.toml"):
        read_position(text, "", DATA)


def test_a_finished_game() -> None:
    """All turns taken, piles empty; as somebody would copy it from the table to have it counted."""
    rng = random.Random(11)
    position = rules.new_game(load_tile_set("reconstruction"), 3, rng)
    position = played(position, TURNS * 3, rng)
    assert position.is_over
    assert [pile.left for pile in position.piles] == [0, 0, 0]
    text = write_toml(position)
    assert read_position(text, "") == position
    assert read_position(text.replace('"nobody"', '"Nobody"'), "") == position
    with pytest.raises(InputError, match="to_move: expected nobody"):
        read_position(text.replace('"nobody"', "1"), "")
    # A name may be the very word.
    called_so = position.with_player(2, position.players[2]._replace(name="nobody"))
    assert read_position(write_toml(called_so), "") == called_so


# Piles (section 2).


@pytest.mark.parametrize("players", [2, 3, 4])
def test_piles_hold_as_many_tiles_as_region_turns_are_left(players: int) -> None:
    for drawn in range(9, sum(SET_UP[players].regions) + 1):
        left, sizes = tiles_left(players, drawn), SET_UP[players].regions
        assert sum(left) == 9 + 14 * players - drawn
        assert all(left[level] == 0 or left[level + 1] == sizes[level + 1] for level in (0, 1))


def test_usual_piles_follow_the_game() -> None:
    """Dealing from a pile and taking what is seen out of the set are the same."""
    rng = random.Random(9)
    position = rules.new_game(load_tile_set("random:5"), 4, rng)
    for _ in range(TURNS * 4):
        position = played(position, 1, rng)
        usual = default_piles(position.tiles, position.players, position.centre)
        for pile, other in zip(position.piles, usual):
            assert (pile.left, set(pile.tiles)) == (other.left, set(other.tiles))


# Problems of positions that no file can hold.


def test_problems_of_positions_made_in_memory() -> None:
    def places(position: Position) -> list[str]:
        return [problem.place for problem in problems(position)]

    assert places(BASE) == []
    assert places(BASE._replace(players=BASE.players[:1])) == ["players"]
    assert places(BASE._replace(centre=BASE.centre[:8])) == ["centre"]
    assert places(BASE._replace(piles=BASE.piles[:2])) == ["piles"]
    _anna, bo = BASE.players
    assert places(BASE.with_player(1, bo._replace(realm=Worshipers(-1, 2)))) == ["player 2 (Bo), realm"]
    negative = Cell(BASE.centre[0].tile, Worshipers(0, 0, -1))
    assert places(BASE._replace(centre=(negative, *BASE.centre[1:]))) == ["centre.a3"]
    faceless = (*bo.rows[:2], (Placed(None, Face.UP),), ())
    unknown = places(with_usual_piles(BASE.with_player(1, bo._replace(rows=faceless))))
    assert unknown == ["player 2 (Bo), row 3, column 1"]
    stranger = BASE.centre[0].tile._replace(id="r1z")
    foreign = BASE._replace(centre=(Cell(stranger), *BASE.centre[1:]))
    assert places(foreign) == ["centre.a3"]
    assert places(BASE._replace(piles=(Pile(1, ()), *BASE.piles[1:]))) == ["piles.level1"]
    assert places(BASE.with_player(1, bo._replace(god=God.DEATH))) == ["player 2 (Bo), god", "gods"]


# The house.


def test_reading_positions_imports_nothing_heavy() -> None:
    heavy = (
        "numpy",
        "click",
        "orbis_search._core",
        "orbis_search.game.rules",
        "json",
        "difflib",
        "random",
        "importlib.resources",
        "pathlib",
    )
    code = (
        "import sys, orbis_search.notation;"
        f"orbis_search.notation.read_position(open({str(DATA / 'base.toml')!r}).read(), '', {str(DATA)!r});"
        f"print(*[m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
