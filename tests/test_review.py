"""Reviews: what is given away is what the solver says, luck is fair by construction, and everything adds up exactly."""

from __future__ import annotations

import json
import re
import signal
from dataclasses import replace
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from math import hypot, sqrt
from pathlib import Path
from threading import Event, Timer
from typing import Any
from xml.etree import ElementTree

import pytest
from jobs_for_tests import ends_at_b

from builders import random_game
from orbis_search import InputError, advise, solve, speaking
from orbis_search.core import fast_rules
from orbis_search.drawing.canvas import text_width
from orbis_search.drawing.glyphs import BETTER
from orbis_search.drawing.legend import draw_legend
from orbis_search.drawing.picture import NARROW, draw_position
from orbis_search.drawing.scene import to_svg
from orbis_search.drawing.sentences import drawn_tile_words, move_words
from orbis_search.game.position import Move, Position
from orbis_search.game.tiles import Tile
from orbis_search.notation import read_position
from orbis_search.notation.examples import example_text
from orbis_search.notation.move_text import format_move
from orbis_search.record.game import Record
from orbis_search.record.text import write_record
from orbis_search.review import analysis as reviewing
from orbis_search.review.analysis import _on_equal_terms, _shares, _verdict, review_game
from orbis_search.review.data import CLASSES, SWING, Review, Value
from orbis_search.review.html import LARGE, review_to_html
from orbis_search.review.plot import NARROW as NARROW_PLOT
from orbis_search.review.plot import Plot, draw_plot
from orbis_search.review.standings import standings
from orbis_search.review.text import percent, review_text, rounded
from orbis_search.solver.endgame import PROVE_MOVES
from program import Run, start

ENDING = read_position(example_text("ending"))
NAMES = ("Anna", "Bo", "Cy", "Di")


def adds_up(found: Review) -> None:
    before = found.start.shares
    for turn in found.turns:
        assert turn.before == before
        terms = zip(turn.before, turn.revision, turn.skill, turn.luck)
        assert tuple(map(sum, terms)) == turn.then.shares
        assert sum(turn.then.shares) == 1
        assert turn.loss == -turn.skill[turn.player] >= 0
        before = turn.then.shares
    for player, account in enumerate(found.accounts):
        assert account.luck_error == pytest.approx(sqrt(sum(turn.luck_errors[player] ** 2 for turn in found.turns)))
    for account, share in zip(found.accounts, before):
        parts = (account.fair, account.setup, account.luck, account.own, account.others, account.revision)
        assert sum(parts) == account.result == share
        assert sum(account.counts.values()) == sum(turn.player == found.accounts.index(account) for turn in found.turns)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_luck_and_skill_add_up_to_the_result(players: int) -> None:
    record = random_game(players, before=10 * players, seed=players)
    found = review_game(record, simulations=300)
    adds_up(found)
    assert found.stopped == "over" and len(found.turns) == 5 * players
    winners = fast_rules.winners(record.position())
    assert [account.result for account in found.accounts] == [
        Fraction(player in winners, len(winners)) for player in range(players)
    ]


def test_neither_threads_nor_another_run_change_a_word() -> None:
    record = random_game(before=20)
    first, second = (review_game(record, simulations=400, seed=3, threads=threads) for threads in (1, 3))
    assert first.turns == second.turns and first.start == second.start
    assert review_game(record, simulations=400, seed=4).turns != first.turns


def after(position: Position, move: Move, tile: Tile | None = None) -> Record:
    return Record(position).play(move, tile)


def test_where_all_is_proved_a_move_gave_away_what_the_solver_says() -> None:
    solution = solve(ENDING)
    best, worst = solution.best, solution.moves[-1]
    assert best is not None and worst.low < best.low
    possible = fast_rules.draws(fast_rules.apply(ENDING, worst.move))
    found = review_game(after(ENDING, worst.move, possible[0]), simulations=50_000)
    (turn,) = found.turns
    assert turn.proved and turn.loss == best.low - worst.low and turn.loss_error == 0
    assert turn.verdict == "blunder" and turn.best != turn.move
    assert found.stopped == "unfinished" and found.last.proved
    assert turn.why is not None and "better" in review_text(found)
    assert f"blunder, {percent(turn.loss)} % = {turn.loss} given away" in review_text(found)
    assert f"The move gave away {percent(turn.loss)} % = {turn.loss}." in review_to_html(found)
    adds_up(found)

    tile = fast_rules.draws(fast_rules.apply(ENDING, best.move))[0]
    (good,) = review_game(after(ENDING, best.move, tile), simulations=50_000).turns
    assert (good.proved, good.loss, good.verdict, good.best) == (True, 0, "best", best.move)


@pytest.mark.parametrize("played", [12, 24])
def test_luck_is_zero_on_the_average_whatever_the_estimates_are_worth(played: int) -> None:
    position = fast_rules.play_on(random_game().start, played, 5, "sensible")
    move = next(move for move in fast_rules.legal_moves(position, search=True) if move.god is None)
    tiles = fast_rules.draws(fast_rules.apply(Record(position).start, move))
    assert len(tiles) > 1
    lucks = [review_game(after(position, move, tile), simulations=200).turns[0].luck for tile in tiles]
    assert len(set(lucks)) > 1
    assert [sum(each) for each in zip(*lucks)] == [0, 0]


@pytest.mark.parametrize(("players", "seed"), [(3, 31), (4, 52)])
def test_a_last_turn_is_proved_however_many_ways_there_are_to_pay(players: int, seed: int) -> None:
    start = fast_rules.play_on(random_game(players).start, 15 * players - 1, seed, "random")
    moves = fast_rules.legal_moves(start)
    assert len(moves) > PROVE_MOVES
    tiles = fast_rules.draws(fast_rules.apply(start, moves[0]))
    (turn,) = review_game(after(start, moves[0], tiles[0]), simulations=200).turns
    assert turn.proved and turn.then.proved


@pytest.mark.parametrize(("players", "seed"), [(3, 8), (4, 3)])
def test_each_player_has_an_error_of_the_own(reviews: dict[int, Review], players: int, seed: int) -> None:
    """What is known of the next player's chance says little of the mover's where three or four play."""
    position = fast_rules.play_on(random_game(players).start, 10 * players, seed, "random")
    start = review_game(Record(position), simulations=4000).start
    likely = sorted(range(players), key=lambda player: abs(start.shares[player] - Fraction(1, 2)))
    assert start.shares[likely[0]] > Fraction(1, 5) and start.shares[likely[-1]] < Fraction(1, 20)
    assert start.errors[likely[0]] > 1.5 * start.errors[likely[-1]]
    unsure = [turn for turn in reviews[players].turns if turn.loss and not (turn.mine.proved and turn.value.proved)]
    assert len(unsure) > 5
    for turn in unsure:
        assert turn.loss_error == hypot(turn.mine.errors[turn.player], turn.value.errors[turn.player])


def test_who_decides_between_others_gave_nothing_away() -> None:
    """Player 2 cannot win any more, and gives player 3 what the tie rule would have left to player 1."""
    found = review_game(random_game(3, before=41, seed=5), simulations=1500)
    turn = next(turn for turn in found.turns if turn.number == 44)
    assert (turn.player, turn.proved, turn.verdict, turn.loss, turn.best) == (1, True, "best", 0, turn.move)
    assert turn.skill == (-1, 0, 1) and not any(turn.revision)
    adds_up(found)


def test_an_error_made_on_purpose_is_called_one() -> None:
    """A whole set of these is in benchmarks/review.py."""
    position = fast_rules.play_on(random_game().start, 21, 9, "sensible")
    advice = advise(
        position, simulations=20_000, seed=9, why=None, keep=fast_rules.legal_moves(position, search=True)[:30]
    )
    bad = min((each for each in advice.candidates if each.measured), key=lambda each: each.win)
    assert advice.best.win - bad.win > 0.4
    caught = 0
    for seed in range(3):
        (turn,) = review_game(after(position, bad.move), simulations=8_000, seed=seed).turns
        caught += turn.verdict in ("mistake", "blunder")
    assert caught == 3


@pytest.mark.parametrize(
    ("loss", "error", "verdict"),
    [
        ("0", 0.0, "best"),
        ("0.01", 0.0, "good"),
        ("0.02", 0.01, "inaccuracy"),
        ("0.05", 0.01, "mistake"),
        ("0.1", 0.01, "blunder"),
        ("0.3", 0.31, "good"),
        ("0.3", 0.3, "blunder"),
        ("0.0199", 0.0, "good"),
    ],
)
def test_verdicts(loss: str, error: float, verdict: str) -> None:
    assert _verdict(Fraction(loss), error) == verdict and verdict in CLASSES


def test_nothing_has_no_sign() -> None:
    assert [rounded(-0.04), rounded(0.04, signed=True), rounded(-0.06), percent(Fraction(-1, 9999))] == [
        "0.0",
        "0.0",
        "-0.1",
        "0.0",
    ]


def test_sampled_shares_are_millionths_that_add_up_to_one() -> None:
    assert _shares([1 / 3, 1 / 3, 1 / 3]) == (Fraction(333334, 10**6), Fraction(333333, 10**6), Fraction(333333, 10**6))
    assert sum(_shares([0.1234567, 0.2345678, 0.6419755])) == 1


def test_a_proved_move_is_not_held_against_a_sample() -> None:
    """A search may be far off near the end: what it says of both moves is compared, not proof with guess."""
    half, zero = (Fraction(1, 2), Fraction(1, 2)), (Fraction(0), Fraction(1))
    proved = Value(zero, (0.0, 0.0), half, (0.01, 0.01))
    sampled = Value(half, (0.0, 0.0), half, (0.01, 0.01), proved=False)
    assert _on_equal_terms(proved, sampled).shares == zero
    better = sampled._replace(sampled=(Fraction(3, 4), Fraction(1, 4)))
    assert _on_equal_terms(proved, better).shares == (Fraction(1, 4), Fraction(3, 4))
    sure = Value((Fraction(1), Fraction(0)), (0.0, 0.0), half, (0.01, 0.01))
    assert _on_equal_terms(sure, better).shares == sure.shares


# ---- games that are not whole ----------------------------------------------------------------------


def test_an_unknown_draw_ends_the_review_with_the_mean_of_all_draws() -> None:
    record = random_game(before=18)
    known = next(index for index, turn in enumerate(record.turns) if index >= 2 and turn.move.cell is not None)
    turns = [*record.turns[:known], record.turns[known]._replace(drawn=None)]
    unknown = Record(record.start, tuple(turns))
    found = review_game(unknown, simulations=200)
    assert found.stopped == "unknown draw" and len(found.turns) == known + 1
    assert found.turns[-1].luck == (0, 0) and found.last == found.turns[-1].mine
    adds_up(found)
    assert f"drawn in turn {record.first + known} is not known" in " ".join(review_text(found).split())


def test_a_record_without_turns_has_its_start() -> None:
    found = review_game(Record(random_game().start), simulations=100)
    assert found.turns == () and found.stopped == "unfinished" and found.last == found.start
    adds_up(found)
    review_text(found), review_to_html(found), to_svg(draw_plot(found))


def test_whoever_stops_it_gets_the_turns_judged_by_then() -> None:
    stop = Event()

    def enough(done: int, number: int) -> None:
        assert number == 30
        if done >= 3:
            stop.set()

    found = review_game(random_game(), simulations=3000, stop=stop, progress=enough)
    assert found.stopped == "interrupted" and 0 < len(found.turns) < 30
    adds_up(found)


def test_a_tile_that_the_set_lacks_is_looked_at_by_itself() -> None:
    start = random_game(before=20).start
    move = next(move for move in fast_rules.legal_moves(start, search=True) if move.god is None)
    tile = Record(start).stage().drawn(move, "level 3 red cost r village 4 9cp")
    assert tile is not None and tile.described
    (turn,) = review_game(after(start, move, tile), simulations=200).turns
    assert turn.drawn == tile and tile not in [draw.tile for draw in turn.draws]
    assert turn.then not in [draw.value for draw in turn.draws]
    assert all(luck > then for luck, then in zip(turn.luck_errors, turn.then.errors))


# ---- the reports -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reviews() -> dict[int, Review]:
    """Games played by chance from the middle on: full of errors."""
    found = {players: review_game(random_game(players, before=8 * players), simulations=400) for players in (2, 3, 4)}
    assert all(any(turn.verdict in ("mistake", "blunder") for turn in each.turns) for each in found.values())
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_text_fits_a_terminal(reviews: dict[int, Review], players: int) -> None:
    text = review_text(reviews[players])
    assert max(map(len, text.splitlines())) <= 80
    for account in reviews[players].accounts:
        assert percent(account.given) in text
    long = tuple(each._replace(name=30 * "x") for each in reviews[players].record.start.players)
    named = replace(reviews[players].record, start=reviews[players].record.start._replace(players=long))
    assert max(map(len, review_text(replace(reviews[players], record=named)).splitlines()[2:])) <= 80
    for width in (40, 60):
        narrow = review_text(reviews[players], width)
        assert max(map(len, narrow.splitlines())) <= width
        assert sorted(narrow.replace(":", "").split()) == sorted(text.replace(":", "").split())


def test_wide_letters_stand_in_their_columns() -> None:
    text = review_text(review_game(random_game(before=26, names=("日本語の名前の人", "Bo")), simulations=20))
    names, accuracy = text.splitlines()[3:5]
    assert text_width(names) == text_width(accuracy) and text_width(names.split()[0]) <= 10


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_plot_has_every_line_and_mark_inside(reviews: dict[int, Review], players: int) -> None:
    found = reviews[players]
    scene = draw_plot(found)
    ElementTree.fromstring(to_svg(scene))
    names = [group.name for group in scene.groups]
    assert len(names) == len(set(names))
    assert sum(name.startswith("line-") for name in names) == (1 if players == 2 else players)
    for shape in (shape for group in scene.groups for shape in group.shapes):
        left, top, right, bottom = shape.box
        assert left >= -0.5 and right <= scene.width + 0.5 and top >= -0.5 and bottom <= scene.height + 0.5
    errors = {turn.number for turn in found.turns if turn.verdict in ("mistake", "blunder")}
    assert {int(name.split("-")[1]) for name in names if name.startswith("error-")} == errors
    lucky = {turn.number for turn in found.turns if max(turn.luck) >= SWING and turn.luckiest is not None}
    assert {int(name.split("-")[1]) for name in names if name.startswith("luck-")} == lucky
    plot = Plot(found)
    assert plot.points(0)[-1][1] == plot.y(found.last.shares[0])


class Page(HTMLParser):
    """What a page is made of: ids, what is referred to, and whether every element is closed."""

    VOID = {"meta", "br", "input", "link", "img", "rect", "circle", "polygon", "polyline", "path"}

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.turns = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        assert not {"src", "srcset", "action", "data"} & values.keys()
        if "id" in values:
            self.ids.append(str(values["id"]))
        if "href" in values:
            self.links.append(str(values["href"]))
        self.turns += tag == "section"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_page_stands_alone(reviews: dict[int, Review], players: int) -> None:
    text = review_to_html(reviews[players])
    page = Page(text)
    assert page.open == [] and len(page.ids) == len(set(page.ids))
    assert {link for link in page.links if not link.startswith("#")} == set()
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert not re.search(r"(?i)https?:|//[a-z]|@import|url\(", re.sub(r"<script>.*</script>", "", text, flags=re.S))
    assert "fetch" not in text and "XMLHttp" not in text and "default-src 'none'" in text
    assert page.turns == len(reviews[players].turns) + 1  # and the end
    assert len(text) < 60_000 * (page.turns + 5)  # a board of its own for each turn would be twice that


def rows_of(page: str, kind: str) -> list[list[str]]:
    """The cells of the first table of a class, as text."""
    table = re.search(rf'<table class="{kind}[^"]*">(.*?)</table>', page, re.S)
    assert table is not None
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", table[1])
    return [
        [unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in rows
    ]


def test_the_page_explains_the_pictures_once(reviews: dict[int, Review]) -> None:
    page = review_to_html(reviews[2])
    assert page.count("mystic value") == page.count("How to read the pictures") == 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_turn_has_a_picture_for_a_phone_and_one_for_a_desk(reviews: dict[int, Review], players: int) -> None:
    """Each is whole, so that no arrow is cut, and each shows the better move."""
    page = review_to_html(reviews[players])
    turns = page.split('<section class="turn"')[1:]
    assert len(turns) == len(reviews[players].turns) + 1
    dashed = {name for name, drawn in re.findall(r'<g id="(b\d+)">(.*?)</g>\n', page) if BETTER in drawn}
    for judged, turn in zip([*reviews[players].turns, None], turns):
        better = judged is not None and judged.best != judged.move
        assert bool(dashed & set(re.findall(r'href="#(b\d+)"', turn))) == better
        boxes = re.findall(r'<svg class="(\w+)" viewBox="0 [\d.]+ (\d+) ', turn)
        assert boxes == [("wide", "1200"), ("narrow", "390")]


@pytest.mark.parametrize("lang", ["en", "de", "pl", "ru"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_on_a_phone_no_text_is_below_11_pixels(reviews: dict[int, Review], players: int, lang: str) -> None:
    """390 pixels wide, 366 inside the margins; a board fills the width, and LARGE times that when it is shown large."""
    found = reviews[players]
    with speaking(lang):
        plot, legend = Plot(found, width=NARROW_PLOT).scene(), draw_legend(described=True)
        boards = [draw_position(turn.position, turn.move, "", better=turn.best, sheet=NARROW) for turn in found.turns]
    plot = replace(
        plot, groups=(replace(plot.groups[0], shapes=plot.groups[0].shapes[1:]), *plot.groups[1:])
    )  # no title
    for scene, width in ((plot, 366), (legend, 366), *((board, LARGE * 390) for board in boards)):
        smallest = min((text for group in scene.groups for text in group.texts), key=lambda text: text.size)
        assert smallest.size * width / scene.width >= 11, smallest


def test_no_row_is_called_by_a_sign_and_each_figure_has_its_error_beside_it(reviews: dict[int, Review]) -> None:
    found = reviews[2]
    rows = rows_of(review_to_html(found).split("How the result came about")[1], "by-player")
    assert all(re.search(r"\w", words) for words, *_cells in rows[1:])
    assert not re.search(r"(?m)^ *± |revised", review_text(found))
    luck = next(cells for words, *cells in rows if words == "luck of the draw")
    assert luck == [f"{percent(a.luck, signed=True)} ± {percent(a.luck_error)}" for a in found.accounts]
    assert "Misjudged by the review: what it saw only" in review_text(found)
    assert "Misjudged by the review: what it saw only" in review_to_html(found)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turning_points_are_told_in_sentences(reviews: dict[int, Review], players: int) -> None:
    found = reviews[players]
    text = " ".join(review_text(found).split("Turning points")[1].split("given away  ")[0].split())
    page = unescape(review_to_html(found).split("Turning points")[1].split("How they played")[0])
    assert found.turning_points
    for swing in found.turning_points:
        turn = swing.turn
        if swing.by_luck:
            assert turn.drawn is not None
            assert (
                f"{drawn_tile_words(turn.drawn)} is drawn" in text
                and f"{drawn_tile_words(turn.drawn)} is drawn" in page
            )
        else:
            for words, move in (("played", turn.move), ("better", turn.best)):
                assert f"{words} {move_words(turn.position, move)}" in text
                assert f"{words.capitalize()}: {move_words(turn.position, move)}" in page
                # The one move whose words are its notation too is to take a god.
                assert move.god is not None or format_move(turn.position, move) not in page


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_chance_is_always_of_the_player_named_above_it(reviews: dict[int, Review], players: int) -> None:
    found = reviews[players]
    page = rows_of(review_to_html(found), "turns")
    heads, *rows = page
    named = [(column, head.removesuffix(" %")) for column, head in enumerate(heads) if head.removesuffix(" %") in NAMES]
    assert [name for _column, name in named] == list(NAMES[: 1 if players == 2 else players])
    for turn, row in zip(found.turns, rows, strict=True):
        for column, name in named:
            assert float(row[column]) == pytest.approx(100 * float(turn.before[NAMES.index(name)]), abs=0.51)
        if players == 2 and len(turn.draws) > 1:
            assert row[heads.index("luck for Anna")] == percent(turn.luck[0], signed=True)
    lines = review_text(found).splitlines()
    start = next(at for at, line in enumerate(lines) if "given away  " in line and "move | draw" in line)
    assert ("Anna %" if players == 2 else "Anna") in lines[start]
    listed = [line.split() for line in lines[start:] if re.match(r" *\d+\. ", line)]
    assert [row[2] for row in listed] == [row[2] for row in rows]


def test_the_page_leads_to_every_error_at_once(reviews: dict[int, Review]) -> None:
    for found in reviews.values():
        above = review_to_html(found).split("How they played")[0]
        errors = [turn.number for turn in found.turns if turn.verdict in ("inaccuracy", "mistake", "blunder")]
        assert errors and {int(number) for number in re.findall(r'class="\w+" href="#turn-(\d+)"', above)} == set(
            errors
        )
        with speaking("de"):
            assert f">Zug {errors[0]}: " in review_to_html(found), "a number alone would say how many"


def test_the_plot_explains_only_the_marks_it_has(reviews: dict[int, Review]) -> None:
    def legend(found: Review) -> list[str]:
        (group,) = (group for group in draw_plot(found).groups if group.name == "legend")
        return [text.text for text in group.texts]

    found = reviews[2]
    plain = tuple(replace(turn, verdict="good", luck=(Fraction(0), Fraction(0))) for turn in found.turns)
    lucky = replace(plain[0], luck=(Fraction(1), Fraction(-1)), draws=())
    assert lucky.luckiest == 0
    assert legend(replace(found, turns=plain)) == []
    assert legend(replace(found, turns=(lucky, *plain[1:]))) == ["lucky draw"]
    assert legend(replace(found, turns=(replace(plain[0], verdict="blunder"), *plain[1:]))) == ["mistake or blunder"]
    both = legend(replace(found, turns=(replace(lucky, verdict="blunder"), *plain[1:])))
    assert both == ["mistake or blunder", "lucky draw"]
    assert "chance of Anna to win" in [text.text for text in draw_plot(found).groups[0].texts]


def test_the_page_writes_names_as_text() -> None:
    record = random_game(before=28, names=("<b>&", '"><script>alert(1)</script>'))
    text = review_to_html(review_game(record, simulations=50))
    assert "<script>alert" not in text and "&lt;b&gt;&amp;" in text
    assert Page(text).open == []


# ---- the command -----------------------------------------------------------------------------------


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.orbis"
    path.write_text(write_record(random_game(before=24)), "utf-8")
    return path


def test_the_command_writes_everything_it_is_asked_for(run: Run, game: Path, tmp_path: Path) -> None:
    svg, png, html = (tmp_path / f"plot.{ending}" for ending in ("svg", "png", "html"))
    done = run("review", game, "--sims", 100, "--threads", 1, "--plot", svg, "--html", html)
    assert done.code == 0 and "How the result came about" in done.out
    ElementTree.parse(svg)
    assert html.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert run("review", game, "--sims", 100, "--threads", 2).out == done.out
    pytest.importorskip("PIL")
    assert run("review", game, "--sims", 20, "--plot", png).code == 0
    assert png.read_bytes().startswith(b"\x89PNG")


def test_the_json_has_sums_that_a_program_can_check(run: Run, game: Path) -> None:
    value = json.loads(run("review", game, "--sims", 100, "--json").out)
    for number, player in enumerate(value["players"]):
        parts = [Fraction(player[key]) for key in ("fair", "setup", "luck", "own", "others", "revision")]
        assert sum(parts) == Fraction(player["result"])
        assert sum(Fraction(turn["luck"][number]) for turn in value["turns"]) == Fraction(player["luck"])


def test_a_game_comes_from_standard_input_and_as_json(run: Run, game: Path) -> None:
    from orbis_search.record.json import record_to_json

    plain = run("review", "-", "--sims", 50, stdin=game.read_bytes())
    other = run("review", "-", "--sims", 50, stdin=json.dumps(record_to_json(random_game(before=24))).encode())
    assert plain.code == other.code == 0
    assert plain.out == other.out


def test_a_line_cut_short_is_left_out(run: Run, game: Path) -> None:
    whole = game.read_bytes()
    game.write_bytes(whole[: whole.rstrip().rfind(b"\n") + 6])
    done = run("review", game, "--sims", 50)
    assert done.code == 0 and "The game is not over" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no-such-game"], "no-such-game: expected a game file"),
        (["GAME", "--plot", "plot.gif"], "--plot: expected a file name ending in .svg or .png"),
        (["GAME", "-o", "out"], "-o goes with --batch"),
        (["GAME", "--html", "GAME"], "--html: expected a file other than the game"),
        (["GAME", "--html", "no-such-folder/page.html"], "page.html: expected a writable file"),
        (["GAME", "--plot", "no-such-folder/plot.svg"], "plot.svg: expected a writable file"),
        (["GAME", "--html", "-", "--plot", "-"], "cannot share standard output"),
        (["GAME", "--html", "-", "--json"], "cannot share standard output"),
        ([], "expected a GAME"),
        (["GAME", "--batch", "."], "--batch takes no GAME"),
        (["--batch", "no-such-folder"], "no-such-folder: expected a folder of games"),
    ],
)
def test_what_is_mistyped_gets_a_clear_line(
    run: Run, game: Path, arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And at once: nothing is judged before."""
    monkeypatch.setattr("orbis_search.review.batch.review_game", None)  # imported first, so that it is put back
    monkeypatch.setattr(reviewing, "review_game", None)
    done = run("review", *[str(game) if each == "GAME" else each for each in arguments])
    assert done.code == 2 and said in done.err and done.out == ""


def test_a_folder_is_gone_on_with_and_bad_files_are_named(run: Run, tmp_path: Path) -> None:
    for seed in (1, 2):
        (tmp_path / f"{seed}.orbis").write_text(write_record(random_game(before=27, seed=seed)), "utf-8")
    (tmp_path / "bad.orbis").write_text("hello\n", "utf-8")
    lines = tmp_path / "lines.json"  # among the games, and no game
    command = ["review", "--batch", tmp_path, "--sims", 50, "--threads", 1, "-o", lines]
    first = run(*command)
    assert first.code == 2 and "bad.orbis, line 1" in first.err and "Anna" in first.out
    kept = lines.read_bytes()
    assert kept.count(b"\n") == 2
    lines.write_bytes(kept[:-20])  # as after a power cut
    again = run(*command)
    assert again.out == first.out
    assert [json.loads(line)["name"] for line in lines.read_text("utf-8").splitlines()] == ["1.orbis", "2.orbis"]
    summary = json.loads(run(*command, "--json").out)
    assert [row["games"] for row in summary["players"]] == [2, 2]
    lines.write_text('{"format": "something"}\n', "utf-8")
    assert "expected a review" in run(*command).err


def test_a_game_that_the_machine_gave_up_is_no_bad_input(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orbis_search.review.batch._review_one", ends_at_b)
    for name in ("a", "b"):
        (tmp_path / f"{name}.orbis").write_text(write_record(random_game(before=27)), "utf-8")
    done = run("review", "--batch", tmp_path, "--threads", 2)
    said = "orbis: b.orbis: expected an answer in 3 tries, found: its process ended (exit code 3)\n"
    assert (done.code, done.err) == (1, said)


def test_a_standing_is_over_all_games_of_a_name() -> None:
    def line(name: str, result: str, luck: str) -> dict[str, object]:
        parts = {"setup": "0", "own": "-1/10", "others": "0", "given": "1/10"}
        return {"players": [{"name": name, "accuracy": 90.0, "result": result, "luck": luck, **parts}]}

    anna, bo = standings([line("Anna", "1", "1/2"), line("Bo", "0", "-1/2"), line("Anna", "1/2", "0")])
    assert (anna.name, anna.games, anna.result.value, anna.luck.value) == ("Anna", 2, 0.75, 0.25)
    assert bo.result == (0.0, None) and anna.skill.value == pytest.approx(-0.1) and anna.result.error is not None


def test_an_interrupt_gives_the_report_so_far(tmp_path: Path) -> None:
    path = tmp_path / "game.orbis"
    path.write_text(write_record(random_game()), "utf-8")
    process = start("review", path, "--time", "250ms", "--threads", "1")
    Timer(2.5, process.send_signal, [signal.SIGINT]).start()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and err == "orbis: interrupted\n"
    assert "Interrupted: the last value so far" in out and "Traceback" not in out


def test_what_goes_wrong_in_a_thread_is_not_taken_for_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = reviewing._judge

    def failing(turn: reviewing.PlayedTurn, *more: Any) -> Any:
        if turn.position.turns_played == 25:
            raise InputError.one("turn", "no")
        return judged(turn, *more)

    monkeypatch.setattr(reviewing, "_judge", failing)
    with pytest.raises(InputError, match="turn: no"):
        review_game(random_game(before=22), simulations=3000, threads=2)
