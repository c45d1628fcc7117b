"""A set that is only partly known learns the tiles that players describe."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from orbis_search.base.errors import InputError
from orbis_search.base.held_files import HeldFile
from orbis_search.game.tiles import Tile, TileSet
from orbis_search.game.vocabulary import Star
from orbis_search.notation import read_position
from orbis_search.record.file import load_record
from orbis_search.record.game import digest
from orbis_search.tileset.descriptions import describe
from orbis_search.tileset.files import dump_tile_set, parse_tile_set, tile_set_problems
from orbis_search.tileset.learning import keep_learned
from orbis_search.tileset.library import load_tile_set
from orbis_search.tileset.resolving import resolve_tile
from program import Run

OURS = load_tile_set()
NEW = "red L1 cost g gain 2 y 1cp"
OTHER = "blue L1 cost y gain 2 g 1cp"
SET_UP = ("Anna, Bo", f"{NEW}, r1a, g1a, b1a, b1b, y1a, y1b, w1a, w1b", "134")


def track(run: Run, folder: Path, *lines: str, options: tuple[str, ...] = (), name: str = "game.orbis") -> str:
    told = run("track", folder / name, *options, stdin="".join(f"{line}\n" for line in lines).encode())
    assert told.code == 0, told.err
    return told.out


def lacking(text: str, tiles: TileSet = OURS) -> Tile:
    tile = resolve_tile(text, tiles, 2)
    assert tile.described
    return tile


def test_one_answer_keeps_a_described_tile_in_a_file_of_the_players_own(run: Run, tmp_path: Path) -> None:
    told = track(run, tmp_path, *SET_UP, "", "q")
    assert "A new tile. Keep red proselytism 2 in " in told and "--tiles " in told
    learned = load_tile_set("my-tiles.toml", tmp_path)
    assert tile_set_problems(learned) == []
    own = learned.named("r1-gain")
    assert own is not None and describe(own) == NEW
    record = load_record(str(tmp_path / "game.orbis")).record
    assert record.start.tiles == learned and record.start.centre[0].tile == own, "the game names the file"


def test_the_next_game_on_that_file_finds_the_tile_by_its_words(run: Run, tmp_path: Path) -> None:
    track(run, tmp_path, *SET_UP, "yes", "q")
    options = ("--tiles", str(tmp_path / "my-tiles.toml"))
    words = "red gain 2 y, r1a, g1a, b1a, b1b, y1a, y1b, w1a, w1b"
    told = track(run, tmp_path, "2", words, "134", "q", options=options, name="next.orbis")
    assert "A new tile" not in told
    tile = load_record(str(tmp_path / "next.orbis")).record.start.centre[0].tile
    assert tile is not None and tile.id == "r1-gain"


@pytest.mark.parametrize("no", ["0", "no", "n", "nein", "нет"])
def test_a_tile_that_was_refused_stays_described_and_is_not_asked_about_again(
    run: Run, tmp_path: Path, no: str
) -> None:
    told = track(run, tmp_path, *SET_UP, no, "7", "1", "?", "u", "q")
    assert told.count("A new tile") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["game.orbis"]
    tile = load_record(str(tmp_path / "game.orbis")).record.start.centre[0].tile
    assert tile is not None and tile.described


def test_a_tile_drawn_in_the_game_is_learned_and_the_game_goes_on_with_it(run: Run, tmp_path: Path) -> None:
    track(run, tmp_path, *SET_UP, "1", "8", "1", OTHER, "1", "q")
    record = load_record(str(tmp_path / "game.orbis")).record
    drawn = record.turns[0].drawn
    assert drawn is not None and drawn.id == "b1-gain"
    assert record.start.tiles == load_tile_set("my-tiles.toml", tmp_path)


def test_a_position_that_is_described_learns_too(run: Run, tmp_path: Path) -> None:
    script = f"2\n\n{NEW} | r\nyes\ngreen gain | b\nquit\n"
    told = run("edit", tmp_path / "table.toml", stdin=script.encode())
    assert told.code == 0 and "is r1-gain in" in told.out
    draft = (tmp_path / "table.toml.draft").read_text(encoding="utf-8")
    assert 'tiles = "my-tiles.toml"' in draft and "r1-gain | r" in draft
    report = json.loads(run("edit", tmp_path / "other.toml", "--json", stdin=script.encode()).out)
    assert "yes" in [each["answer"] for each in report["exchange"]]


def test_what_does_not_fit_the_set_is_one_sentence_and_the_tile_stays_described(run: Run, tmp_path: Path) -> None:
    box = tmp_path / "box.toml"
    box.write_text(dump_tile_set(OURS), encoding="utf-8")
    before = box.read_bytes()
    told = track(run, tmp_path, *SET_UP, "1", "q", options=("--tiles", str(box)))
    assert "expected a set with guesses = true" in told
    tile = load_record(str(tmp_path / "game.orbis")).record.start.centre[0].tile
    assert tile is not None and tile.described and box.read_bytes() == before


def test_levels_stars_and_mystic_values_are_checked_as_for_any_set(tmp_path: Path) -> None:
    starless = [tile for tile in OURS.tiles if tile.level == 1 and tile.star is Star.NONE]
    with pytest.raises(InputError, match="a guess of level 1 without a star"):
        keep_learned(str(tmp_path), OURS, lacking(NEW), starless)
    taken = next(tile.mystic for tile in OURS.tiles if tile.mystic and tile.level == 3)
    with pytest.raises(InputError, match="expected a mystic value of its own"):
        keep_learned(str(tmp_path), OURS, lacking(f"white L1 free gain 2 y 1cp mystic {taken}"), ())
    assert list(tmp_path.iterdir()) == []
    purple = resolve_tile(f"{NEW} purple-star", OURS, 3)
    learned, own = keep_learned(str(tmp_path), OURS, purple, ())
    assert own.star is Star.PURPLE and tile_set_problems(learned) == []


def test_a_set_learns_until_no_guess_is_left(tmp_path: Path) -> None:
    tiles, seen = OURS, []
    for cp in range(11):
        tiles, own = keep_learned(str(tmp_path), tiles, lacking(f"red L1 cost g4 none {cp}cp", tiles), seen)
        assert tiles == load_tile_set("my-tiles.toml", tmp_path)
        seen.append(own)
    assert len({tile.id for tile in seen}) == 11
    assert parse_tile_set(dump_tile_set(tiles), tiles.name) == tiles
    with pytest.raises(InputError, match="found none left"):
        keep_learned(str(tmp_path), tiles, lacking(NEW, tiles), seen)


def test_what_was_learned_already_is_not_learned_twice(tmp_path: Path) -> None:
    first = keep_learned(str(tmp_path), OURS, lacking(NEW), ())
    before = (tmp_path / "my-tiles.toml").read_bytes()
    assert keep_learned(str(tmp_path), OURS, lacking(NEW), ()) == first
    assert (tmp_path / "my-tiles.toml").read_bytes() == before


def test_games_and_positions_that_name_a_guess_are_read_after_it_gave_way(run: Run, tmp_path: Path) -> None:
    tiles, _own = keep_learned(str(tmp_path), OURS, lacking(NEW), ())
    options = ("--tiles", str(tmp_path / "my-tiles.toml"))
    run("new", "--players", "4", "--seed", "1", *options, "-o", tmp_path / "table.toml")
    track(run, tmp_path, "q", options=("--from", str(tmp_path / "table.toml")), name="old.orbis")
    played = load_record(str(tmp_path / "old.orbis")).record
    named = next(cell.tile for cell in played.start.centre if cell.tile and cell.tile.star is not Star.NONE)
    words = describe(named).replace("cost", "").split()[:2]
    new = f"{' '.join(words)} cost g5 none 3cp {named.star.word}-star"
    later, _own = keep_learned(str(tmp_path), tiles, resolve_tile(new, tiles, 4), set(tiles.tiles) - {named})
    assert named not in later.tiles
    assert load_record(str(tmp_path / "old.orbis")).record == played, "with the set as it was"
    assert digest(played.start.tiles) != digest(later)
    assert run("record", "show", tmp_path / "old.orbis").code == 0
    table = read_position((tmp_path / "table.toml").read_bytes(), base_dir=tmp_path)
    assert named.features in [cell.tile.features for cell in table.centre if cell.tile]


def test_a_file_that_another_program_holds_is_left_alone(tmp_path: Path) -> None:
    keep_learned(str(tmp_path), OURS, lacking(NEW), ())
    path = tmp_path / "my-tiles.toml"
    before = path.read_bytes()
    held = HeldFile(str(path))
    try:
        with pytest.raises(InputError, match="no other program is using"):
            keep_learned(str(tmp_path), OURS, lacking(OTHER), ())
    finally:
        held.close()
    assert path.read_bytes() == before


def test_what_the_player_wrote_in_the_file_stays(tmp_path: Path) -> None:
    text = "# our box\n" + dump_tile_set(OURS, guesses=True)
    (tmp_path / "box.toml").write_text(text, encoding="utf-8")
    keep_learned(str(tmp_path), load_tile_set("box.toml", tmp_path), lacking(NEW), ())
    assert (tmp_path / "box.toml").read_text(encoding="utf-8").startswith(text)


def test_two_games_that_teach_one_file_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each either says that the file is in use, or has its tile in it."""
    kept: list[Tile] = []

    def teach(letter: str) -> None:
        for cp in range(5):
            try:
                tile = lacking(f"red L1 cost {letter}4 none {cp}cp")
                kept.append(keep_learned(str(tmp_path), OURS, tile, ())[1])
            except InputError as error:
                assert "no other program is using" in str(error)

    threads = [threading.Thread(target=teach, args=(letter,)) for letter in "rg"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    learned = load_tile_set("my-tiles.toml", tmp_path)
    assert kept and all(tile in learned.tiles for tile in kept)


@pytest.mark.parametrize(
    "more, message",
    [
        ('[[learned]]\nid = "x1"\nlevel = 1\ncolour = "red"\n', "expected the id of a tile that is still a guess"),
        ('[[learned]]\nid = "x1"\nlevel = 2\ncolour = "red"\ninstead = "r1a"\n', "expected 20 tiles, found"),
        ('[[learned]]\nid = "x1"\nlevel = 1\ninstead = "r1a"\n', "expected a value for colour"),
        ("[learned]\n", r"expected \[\[learned\]\] tables"),
    ],
)
def test_what_is_wrong_with_a_learned_tile_is_told_with_its_place(more: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        parse_tile_set(dump_tile_set(OURS) + more, "box.toml", "box.toml")
    assert all(problem.place.startswith("box.toml") for problem in caught.value.problems)
