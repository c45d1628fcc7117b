"""The settings of the tree search: one typed object, read and filled in the same way wherever it comes from."""

from __future__ import annotations

import pickle
from dataclasses import fields
from pathlib import Path

import pytest

import orbis_search as orbis
from orbis_search._core.search.ismcts import Tree
from orbis_search._core.toy.draft import draft_game
from orbis_search.base.errors import InputError
from orbis_search.base.options import Unfit
from orbis_search.core.packing import Packing
from orbis_search.core.states import MARGIN_SCALE
from orbis_search.notation.examples import example_text
from orbis_search.players.by_name import PLAIN, parse_player
from orbis_search.search.driver import Search, stage_settings
from orbis_search.search.settings import DEFAULTS, PLAYOUT, SETTINGS, SearchSettings, read_settings

SEARCH_PAGE = Path(__file__).parents[1] / "docs" / "search.md"
STATE = Packing(orbis.read_position(example_text())).state


def found(settings: SearchSettings, simulations: int = 300) -> list:
    search = Search(STATE, seed=1, settings=settings)
    search.finish(simulations)
    return search.moves()


def test_a_setting_is_taken_from_the_nearest_that_has_it():
    given, stage = SearchSettings(win_part=0.7), SearchSettings(win_part=0.9, expand_after=5)
    both = given.over(stage)
    assert (both.win_part, both.expand_after, both.breadth) == (0.7, 5, None)
    complete = both.complete()
    assert (complete.win_part, complete.expand_after, complete.breadth) == (0.7, 5, DEFAULTS.breadth)
    assert SearchSettings().complete() == DEFAULTS
    assert {name for name in SETTINGS if getattr(DEFAULTS, name) is None} == {
        "margin_scale",
        "playout_style",
        "network",
    }


def test_what_is_given_comes_before_the_stage_of_the_game():
    stage = stage_settings(STATE)
    assert stage.win_part is not None
    assert found(stage) == found(SearchSettings())
    assert found(SearchSettings(win_part=stage.win_part / 2)) != found(SearchSettings())


def test_orbis_says_its_own_margin_and_playouts():
    own = found(SearchSettings())
    assert found(SearchSettings(margin_scale=MARGIN_SCALE, playout_style=3)) == own
    assert found(SearchSettings(margin_scale=MARGIN_SCALE / 2)) != own
    by_playouts = SearchSettings(evaluation=PLAYOUT)
    assert found(SearchSettings(playout_style=3).over(by_playouts)) == found(by_playouts)
    assert found(SearchSettings(playout_style=0).over(by_playouts)) != found(by_playouts)


def test_another_game_says_its_own():
    def of(settings: SearchSettings) -> list:
        tree = Tree(draft_game((1, 2), (3, 4, 5, 6)), settings.complete(), seed=1)
        tree.run(300)
        return tree.moves()

    assert of(SearchSettings(margin_scale=6, playout_style=0)) == of(SearchSettings())
    assert of(SearchSettings(margin_scale=MARGIN_SCALE)) != of(SearchSettings())


def test_every_way_in_reads_the_same_settings(tmp_path):
    expected = SearchSettings(win_part=0.7, expand_after=4, finish=False)
    file = tmp_path / "player.toml"
    file.write_text("win_part = 0.7\nexpand_after = 4\nfinish = false\n")
    spec = parse_player("advisor:sims=10,win_part=0.7,expand_after=4,finish=false")
    assert spec.search == parse_player(f"@{file}").search == expected
    assert read_settings({"win_part": 0.7, "expand_after": 4, "finish": False}) == expected
    assert read_settings(expected) is expected and read_settings(None) == SearchSettings()
    assert pickle.loads(pickle.dumps(expected)) == expected
    position = orbis.read_position(example_text())
    by_name, typed = (
        orbis.advise(position, simulations=200, seed=1, why=None, settings=settings)
        for settings in ({"win_part": 0.7, "expand_after": 4, "finish": False}, expected)
    )
    assert [(c.move, c.visits, c.win) for c in by_name.candidates] == [
        (c.move, c.visits, c.win) for c in typed.candidates
    ]


def test_what_a_player_has_besides_the_search():
    spec = parse_player("advisor:sims=10,apart=true,prove=false,win_part=0.7")
    assert (spec.apart, spec.prove, spec.search) == (True, False, SearchSettings(win_part=0.7))
    assert str(spec) == "advisor:sims=10,apart=true,prove=false,win_part=0.7"
    plain = parse_player("uct:sims=10,expand_after=7")
    assert (plain.prove, plain.search) == (False, SearchSettings(expand_after=7).over(PLAIN))
    assert plain.search.plain and plain.search.expand_after == 7


@pytest.mark.parametrize(
    "text", ["flat:win_part=7", "advisor:win_part=7", "uct:expand_after=0", "advisor:plain=1", "advisor:evaluation=net"]
)
def test_a_player_with_a_setting_out_of_range_is_refused_at_once(text):
    with pytest.raises(InputError, match=f"expected .* for {text.partition(':')[2].partition('=')[0]}"):
        parse_player(text)


def test_settings_are_values():
    settings = SearchSettings(exploration=2)
    assert type(settings.exploration) is float
    with pytest.raises(AttributeError):
        settings.exploration = 3
    with pytest.raises(TypeError, match="no_such"):
        SearchSettings(no_such=1)


def in_words(name: str, value: object) -> str:
    if value is None:
        return "the built-in one" if name == "network" else "the game's own"
    return str(value).lower()


def range_of(name: str) -> str:
    try:
        SETTINGS[name](object())
    except Unfit as unfit:
        return str(unfit)
    raise AssertionError(name)


def test_the_page_lists_them_all():
    if not SEARCH_PAGE.is_file():
        pytest.skip("the documents are only in the source tree")
    rows = [
        f"| `{each.name}` | {range_of(each.name)} | {in_words(each.name, each.metadata['default'])} "
        f"| {each.metadata['meaning']} |"
        for each in fields(SearchSettings)
    ]
    assert "\n".join(["| setting | value | default | meaning |", "|---|---|---|---|", *rows]) in SEARCH_PAGE.read_text(
        "utf-8"
    )
