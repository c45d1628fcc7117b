"""The page of `orbis web` in a real browser: what people tap, and what becomes of it.

Needs the system's chromium; skipped without one. For the long runs:

    ORBIS_WEB_ALL=1 ORBIS_WEB_TURNS=60 ORBIS_WEB_CHANGES=200 ORBIS_KILLS=50 pytest tests/test_web_page.py -s
    ORBIS_WEB_PICTURES=folder pytest tests/test_web_page.py -k views      keeps a picture of every view
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from web_server import LANGUAGES, Server, serving

from games import game
from orbis_search.entry.keystrokes import keys_of_move
from orbis_search.entry.move_dialog import MoveEntry
from orbis_search.game.vocabulary import CELLS
from orbis_search.notation import read_position, write_oneline, write_toml
from orbis_search.notation.examples import example_text
from orbis_search.record.file import load_record
from orbis_search.record.game import Misfit, Record, Stage
from orbis_search.record.text import write_record
from program import installed

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")

ROOT = Path(__file__).parents[1]
TURNS = int(os.environ.get("ORBIS_WEB_TURNS", "6"))
CHANGES = int(os.environ.get("ORBIS_WEB_CHANGES", "25"))
KILLS = int(os.environ.get("ORBIS_KILLS", "3"))
PICTURES = os.environ.get("ORBIS_WEB_PICTURES")
ALL = PICTURES is not None or "ORBIS_WEB_ALL" in os.environ
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
VIEWS = ("analyse", "edit", "games", "review")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("games")
    with serving(folder) as running:
        yield running


class Tab:
    """A page somebody looks at. `taps` counts what they do; nothing may go wrong in its console."""

    def __init__(self, browser: Any, address: str, size: dict[str, int] = DESK, **options: Any) -> None:
        self.context = browser.new_context(viewport=size, **options)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.asked: set[str] = set()
        self.taps = 0
        self.page.on(
            "console",
            lambda message: self.faults.append(message.text) if message.type in ("error", "warning") else None,
        )
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.asked.add(request.url))
        self.address = address
        self.page.goto(address)

    def tap(self, what: str, **more: Any) -> None:
        self.taps += 1
        try:
            self.page.click(what, timeout=20_000, **more)
        except playwright.Error as error:
            raise AssertionError(f"expected {what}, found {self.page.inner_text('.entry')!r}") from error

    def view(self, name: str) -> None:
        self.page.click(f"header nav button >> nth={VIEWS.index(name)}")

    def group(self, name: str) -> str:
        return f'.board [data-name="{name}"]'

    def kept(self, key: str) -> Any:
        return self.page.evaluate("(key) => JSON.parse(localStorage.getItem('orbis'))[key]", key)

    def until(self, what: str, **more: Any) -> None:
        self.page.wait_for_selector(what, timeout=30_000, **more)

    def settled(self, condition: str, argument: Any = None) -> None:
        """Until a function or an expression is true. Asked from here: the page's policy forbids it to watch for that."""
        for _ in range(1500):
            if self.page.evaluate(condition, argument):
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"expected {condition}, with {argument}")

    def close(self) -> None:
        self.context.close()
        assert [
            fault for fault in self.faults if "WebSocket" not in fault and "ERR_CONNECTION_REFUSED" not in fault
        ] == []


@pytest.fixture
def opened(browser: Any, server: Server) -> Iterator[Callable[..., Tab]]:
    tabs: list[Tab] = []

    def opened(size: dict[str, int] = DESK, address: str | None = None, **options: Any) -> Tab:
        tabs.append(Tab(browser, address or server.address, size, **options))
        return tabs[-1]

    yield opened
    for tab in tabs:
        tab.close()


# --- analyse


def test_the_page_shows_advice_and_loads_nothing_from_elsewhere(server: Server, opened: Callable[..., Tab]) -> None:
    tab = opened()
    tab.until(".ideas li")
    assert all(each.startswith((server.address, server.address.replace("http", "ws"))) for each in tab.asked)
    assert tab.page.inner_text(".ideas li:first-child .worth").endswith("%")
    assert tab.page.query_selector_all(".board .badge")
    line = write_oneline(read_position(example_text())).strip()
    assert tab.page.url == f"{server.address}#{line}"
    assert tab.page.get_attribute(".board-place", "data-position") == line


def test_an_address_that_cannot_be_read_is_none(opened: Callable[..., Tab], server: Server) -> None:
    tab = opened(address=f"{server.address}#%")
    tab.until(".ideas li")
    tab.page.evaluate("location.hash = 'o1:2:nothing'")
    tab.until(".problem:not([hidden])")
    tab.settled("!document.querySelector('.ideas, .board .press')")


def test_a_move_is_tapped_judged_played_and_taken_back(opened: Callable[..., Tab]) -> None:
    tab = opened()
    tab.until(".ideas li")
    tab.tap(tab.group("centre-b3"))
    tab.until(".lit")
    tab.tap(tab.group("player-1-free-1R"))
    tab.until('[data-key="verdict 1"]')
    tab.tap('[data-key="verdict 0"]')  # cancelled
    tab.until("[data-key=play]")
    tab.until(".verdict")
    assert "%" in tab.page.inner_text(".verdict")
    before = tab.page.url
    tab.tap("[data-key=play]")
    tab.until(".tiles button")
    tab.page.fill("[data-key=words]", "white temple")
    tab.settled("document.querySelectorAll('.tiles button').length === 1")
    tab.tap(".tiles button")
    tab.settled("(before) => location.href !== before", before)
    tab.until(".ideas li")
    assert ":w2b" in tab.page.url or ",w2b" in tab.page.url
    tab.page.click("[aria-label=Undo]")
    tab.settled("(before) => location.href === before", before)
    tab.page.click("[aria-label=Redo]")
    tab.settled("(before) => location.href !== before", before)
    tab.page.reload()  # every way that was tried is still there
    tab.until(".line li:nth-child(2) button[aria-current=step]")


def test_advice_waits_for_a_move_of_ones_own(opened: Callable[..., Tab]) -> None:
    tab = opened()
    tab.until(".ideas li")
    tab.page.check(".check input")
    tab.settled("!document.querySelector('.ideas, .badge')")
    tab.page.click(tab.group("centre-b3"))
    tab.until(".lit")
    tab.page.click(tab.group("player-1-free-1L"))
    tab.until("[data-key='verdict 0']")
    tab.page.click("[data-key='verdict 0']")
    tab.until(".ideas li")


def test_an_ending_is_proved(opened: Callable[..., Tab], server: Server) -> None:
    ending = write_oneline(read_position(example_text("ending"))).strip()
    tab = opened(address=f"{server.address}#{ending}")
    tab.until(".ideas li")
    tab.page.click("text=Prove it")
    tab.until(".proof ol li")
    tab.settled("document.querySelector('.proof h2').textContent === 'Proved'")
    assert "7/12" in tab.page.inner_text(".proof")


def test_everything_works_with_keys(opened: Callable[..., Tab]) -> None:
    tab = opened()
    tab.until(".ideas li")
    tab.page.focus(tab.group("centre-b3"))
    tab.page.keyboard.press("Enter")
    tab.until(".lit")
    tab.page.focus(tab.group("player-1-free-1R"))
    tab.page.keyboard.press(" ")
    tab.until("[data-key='verdict 0']")
    tab.page.focus("[data-key='verdict 0']")
    tab.page.keyboard.press("Enter")
    tab.until("[data-key=play]")


def test_advice_is_never_shown_beside_another_position(opened: Callable[..., Tab], server: Server) -> None:
    """A look at every change of the page: whatever advice is there is for the position that is drawn. And no search goes
    on that nobody waits for."""
    lines = [write_oneline(game(seed, 2, turns=turns).position()).strip() for seed in range(4) for turns in (4, 9, 15)]
    tab = opened()
    searching: dict[int, int] = {}  # the searches that run, and how often they have told

    def sent(frame: str) -> None:
        if (request := json.loads(frame))["action"] == "advise":
            searching[request["id"]] = 0

    def received(frame: str) -> None:
        answer = json.loads(frame)
        if answer["final"]:
            searching.pop(answer["id"], None)
        elif answer["id"] in searching:
            searching[answer["id"]] += 1

    def heard(socket: Any) -> None:
        socket.on("framesent", sent)
        socket.on("framereceived", received)

    tab.page.on("websocket", heard)
    tab.page.reload()
    tab.until(".ideas li")
    tab.page.evaluate("""() => {
      window.wrong = []; window.right = 0; window.first = []; window.changed = null;
      new MutationObserver(() => {
        const advice = document.querySelector('.advice'), board = document.querySelector('.board-place');
        if (!advice || !board || !advice.querySelector('.ideas li')) return;
        const kept = JSON.parse(localStorage.getItem('orbis')), now = kept.nodes[kept.at].position;
        if (advice.dataset.position !== board.dataset.position || advice.dataset.position !== now) {
          window.wrong.push([advice.dataset.position, board.dataset.position, now]);
        } else {
          window.right += 1;
          if (window.changed !== null) { window.first.push(performance.now() - window.changed); window.changed = null; }
        }
      }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    }""")
    rng = random.Random(1)
    for _ in range(CHANGES):
        other = rng.choice([line for line in lines if f"#{line}" not in tab.page.url])
        tab.page.evaluate("(line) => { window.changed = performance.now(); location.hash = line; }", other)
        tab.page.wait_for_timeout(rng.choice((5, 30, 120, 400, 900)))
    tab.page.wait_for_timeout(1500)
    assert len(searching) == 1
    (search,) = searching
    before = searching[search]
    tab.page.wait_for_timeout(4000)
    told = (searching[search] - before) / 4
    assert tab.page.evaluate("window.wrong") == []
    assert tab.page.evaluate("window.right") > 0
    waits = sorted(tab.page.evaluate("window.first"))
    print(
        f"{CHANGES} changes; first row after {waits[len(waits) // 2]:.0f} ms in the middle case, {waits[-1]:.0f} at most; "
        f"{told:.1f} updates a second"
    )


# --- edit


def readme_position() -> str:
    return re.search(r"```toml position game.toml\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)[1]  # type: ignore[index]


def lay(tab: Tab, part: str, words: str) -> None:
    """Opens a part by its group in the picture, types a few words and takes the tile. An end of a row that was just laid
    is open for the next one."""
    if not tab.page.query_selector(f"{tab.group(part)}.lit"):
        tab.tap(tab.group(part))
    tab.until("[data-key=words]")
    mark, _, rest = words.partition(" ")
    if mark in ("wild", "cancelled"):
        tab.tap(f'[data-key="face {mark} "]')
        words = rest
    tab.page.fill("[data-key=words]", words)
    tab.settled("(words) => document.querySelector('.tiles')?.dataset.words === words", words)
    tab.tap(".tiles button")


def add(tab: Tab, worshipers: str) -> None:
    for colour in worshipers:
        before = tab.page.inner_text(".worshipers .note")
        tab.tap(f'[data-key="more {colour}"]')
        tab.settled(
            "(before) => document.querySelector('.worshipers .note')?.textContent.replace(/\\s/g, '') !== before.replace(/\\s/g, '')",
            before,
        )


def test_readmes_position_is_clicked_together_from_an_empty_table(opened: Callable[..., Tab]) -> None:
    text = readme_position()
    wanted = tomllib.loads(text)
    tab = opened()
    tab.view("edit")
    tab.taps += 1
    tab.until(".board")
    for cell in CELLS:
        tile, _, worshipers = wanted["centre"][cell].partition("|")
        lay(tab, f"centre-{cell}", tile.strip())
        tab.until(".lies")
        add(tab, worshipers.strip())
    for seat, player in enumerate(wanted["player"], 1):
        tab.tap(tab.group(f"player-{seat}"))
        tab.page.fill("[data-key=name]", player["name"])
        tab.page.press("[data-key=name]", "Tab")
        tab.settled("(name) => document.querySelector('.entry h2')?.textContent === name", player["name"])
        if "god" in player:
            tab.page.select_option("[data-key=god]", player["god"])
            tab.taps += 2
        add(tab, player["realm"])
        for row in ("row1", "row2"):
            for column, tile in enumerate(player[row].split(", "), 1):
                if tile == ".":
                    continue
                slot = (
                    f"player-{seat}-free-{row[3]}.{column}"
                    if row != "row1"
                    else f"player-{seat}-free-{'1' if column == 1 else '1R'}"
                )
                before = tab.kept("draft")
                lay(tab, slot, tile)
                tab.settled("(before) => JSON.parse(localStorage.getItem('orbis')).draft !== before", before)
    tab.tap(tab.group("gods"), position={"x": 40, "y": 10})
    for god in wanted["gods"].split():
        tab.tap(f'[data-key="god {god}"]')
        tab.until(f'[data-key="god {god}"][aria-pressed=true]')
    tab.until("#to-analyse:not([disabled])")
    assert tab.kept("draft") == write_toml(read_position(text))
    print(f"README's position: {tab.taps} taps besides typing")
    tab.page.reload()
    tab.until("#to-analyse:not([disabled])")
    tab.page.click("#to-analyse")
    tab.until(".ideas li")


def test_mistakes_are_told_at_their_place_and_survive_a_reload(opened: Callable[..., Tab]) -> None:
    tab = opened(PHONE)
    tab.view("edit")
    tab.until(".board")
    lay(tab, "centre-a3", "w3a")
    tab.settled("!document.querySelector('.problems').textContent.includes('a3')")
    told = tab.page.inner_text(".problems")
    assert "gods" in told and "b3, c3" in told
    tab.page.reload()
    tab.until(".problems li")
    assert tab.page.inner_text(".problems") == told
    tab.page.click(".problems li button >> nth=0")
    tab.until(".entry h2")


def test_a_pasted_text_is_read_and_a_wrong_one_told(opened: Callable[..., Tab]) -> None:
    tab = opened()
    tab.view("edit")
    tab.until(".board")
    tab.page.click("text=Another table")
    tab.page.fill("textarea", "no position at all")
    tab.page.click("text=Use this text")
    tab.until(".entry .problem")
    tab.page.fill("textarea", write_record(game(1, 3, turns=7)))
    tab.page.click("text=Use this text")
    tab.until("#to-analyse:not([disabled])")
    assert tab.kept("draft") == write_toml(game(1, 3, turns=7).position())


def test_a_position_is_saved_in_every_form(opened: Callable[..., Tab]) -> None:
    position = read_position(example_text())
    tab = opened()
    tab.until(".ideas li")
    tab.page.click("summary >> text=Save as")
    found = {}
    for text, name in (
        ("Position file", "toml"),
        ("One line", "txt"),
        ("JSON", "json"),
        ("Picture (SVG)", "svg"),
        ("Picture (PNG)", "png"),
    ):
        with tab.page.expect_download() as download:
            tab.page.click(f"details button:has-text('{text}')")
        found[name] = Path(download.value.path()).read_bytes()
        assert download.value.suggested_filename == f"orbis.{name}"
    for name in ("toml", "txt", "json"):
        assert read_position(found[name]) == position
    assert found["svg"].startswith(b"<svg ") and found["png"].startswith(b"\x89PNG")


# --- games


def tap_move(tab: Tab, stage: Stage, move: Any) -> None:
    """Taps what the page asks for, as `orbis track` would be answered key by key."""
    entry = MoveEntry(stage)
    for keys in (line.rstrip("\n") for line in keys_of_move(stage, move)):
        for key in (
            keys.split() if entry.question and entry.question.kind not in ("gain", "goes", "removed") else [keys]
        ):
            question = entry.question
            if question is None:
                break  # the last key says that wilderness is meant: that is the tap on Play
            tap_answer(tab, stage, question, key)
            entry.answer(key)
    tab.until("[data-key=play]")


def tap_answer(tab: Tab, stage: Stage, question: Any, key: str) -> None:
    option = next((each for each in question.options if each.key == key), None)
    seat = (stage.position.to_move or 0) + 1
    if question.kind == "cell" and option is not None and option.value is not None:
        tab.until(".entry .hint")
        tab.tap(tab.group(f"centre-{CELLS[option.value]}"))
    elif question.kind == "cell":
        return  # a god is tapped itself
    elif question.kind == "god":
        tab.tap(tab.group(f"god-{option.value.word}"))
    elif question.kind in ("slot", "wild") and option is not None and option.value is not None:
        tab.until(".lit")
        tab.tap(tab.group(f"player-{seat}-free-{option.label}"))
    elif question.kind in ("gain", "goes") and (question.kind == "gain" or len(question.options) > 12):
        for digit in key:
            colour = "rgbyw"[int(digit) - 1]
            tab.until(f'[data-key="colour {colour}"]:not([disabled])')
            tab.tap(f'[data-key="colour {colour}"]')
    elif question.kind == "goes":
        counts = [key.count(str(digit)) for digit in range(1, 6)]
        way = next(each for each in question.options if list(each.value) == counts)
        tab.tap(f'[data-key="goes {way.label}"]')
    elif question.kind == "removed" and option is None:
        for cell, colour in zip(key[::2], key[1::2]):
            word = f"{CELLS['789456123'.index(cell)]}:{'rgbyw'[int(colour) - 1]}"
            tab.until(f'[data-key="remove {word}"]:not([disabled])')
            tab.tap(f'[data-key="remove {word}"]')
    else:
        tab.until(f'[data-key="{question.kind} {key}"]')
        tab.tap(f'[data-key="{question.kind} {key}"]')


def tap_turn(tab: Tab, record: Record, number: int, drawn: bool = True) -> None:
    stage, turn = record.stage(number), record.turn(number)
    tab.settled("(number) => document.querySelector('.status')?.textContent.endsWith(` ${number}`)", number)
    tab.until(".entry .hint")
    tap_move(tab, stage, turn.move)
    possible = stage.draws(turn.move)
    tab.tap("[data-key=play]")
    if drawn and turn.move.cell is not None and len(possible) > 1:
        assert turn.drawn is not None
        tab.until(".tiles")
        tab.tap(f".tiles button:has(.note:text-is('{turn.drawn.id}'))")


@pytest.mark.parametrize("players", [2, 4])
def test_a_game_followed_by_taps_is_what_track_writes(browser: Any, tmp_path: Path, players: int) -> None:
    from test_track import answers_from

    record = game(3, players, turns=min(TURNS, 15 * players))
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
    done = installed(
        "track",
        "game.orbis",
        "--no-advice",
        cwd=theirs,
        stdin="".join(f"{line}\n" for line in answers_from(record, None)),
    )
    assert done.code == 0, done.err
    with serving(ours) as server:
        tab = Tab(browser, f"{server.address}#{write_oneline(record.start).strip()}", PHONE, has_touch=True)
        tab.until(".ideas li")
        tab.page.click("text=Change the table")
        tab.until("#to-track:not([disabled])")
        tab.page.click("#to-track")
        tab.until(".status")
        begin = tab.taps
        for number in range(record.first, record.last + 1):
            tap_turn(tab, record, number)
        tab.settled("(number) => document.querySelectorAll('.turns li').length === number", len(record.turns))
        taps = (tab.taps - begin) / len(record.turns)
        tab.close()
    assert (ours / "game.orbis").read_bytes() == (theirs / "game.orbis").read_bytes()
    print(f"{players} players, {len(record.turns)} turns: {taps:.2f} taps a turn")
    assert taps <= 8


def tracked(opened: Callable[..., Tab], server: Server, record: Record) -> Tab:
    """A game that was followed so far, opened from the list."""
    (server.folder / "fixed.orbis").write_text(write_record(record), "utf-8")
    tab = opened()
    tab.view("games")
    tab.page.click("button:has-text('fixed.orbis')")
    tab.settled("(number) => document.querySelectorAll('.turns li').length === number", len(record.turns))
    tab.page.click("details:has(.turns) > summary")
    return tab


def test_an_earlier_turn_is_corrected_and_commented(opened: Callable[..., Tab], server: Server) -> None:
    record = game(3, 2, turns=6)
    number = next(stage.number for stage, turn in record.replay() if turn.move.cell is not None)
    stage, turn = record.stage(number), record.turn(number)
    misfits = []
    for tile in stage.draws(turn.move):
        try:
            record.corrected(number, turn.move, tile)
        except Misfit as misfit:
            misfits.append((tile, misfit))
    path = server.folder / "fixed.orbis"
    tab = tracked(opened, server, record)
    item = f".turns li[value='{number}']"
    # 1. A comment.
    tab.page.click(f"{item} summary")
    tab.page.fill(f"{item} input", "too <b>bold</b>")
    tab.page.press(f"{item} input", "Enter")
    tab.until(f"{item} summary:has-text('too <b>bold</b>')", state="attached")
    # 2. Another tile came, which a later turn does not fit: given up, nothing is changed.
    another_tile(tab, item)
    tab.tap(f".tiles button:has(.note:text-is('{misfits[0][0].id}'))")
    tab.until(".hint:has-text('no longer fits')")
    tab.page.click("text=Leave everything as it was")
    tab.until(".status:has-text('turn 7')")
    assert load_record(str(path)).record.turn(number).drawn == turn.drawn
    # 3. The same, and the game ends there.
    another_tile(tab, item)
    tab.tap(f".tiles button:has(.note:text-is('{misfits[0][0].id}'))")
    tab.page.click("text=End the game before it")
    tab.until(f".status:has-text('turn {misfits[0][1].number}')")
    assert load_record(str(path)).record.last == misfits[0][1].number - 1


def another_tile(tab: Tab, item: str) -> None:
    for summary in ("details:has(.turns)", f"{item} details"):
        if not tab.page.query_selector(f"{summary}[open]"):
            tab.page.click(f"{summary} > summary")
    tab.page.click(f"{item} >> text=Another tile came")
    tab.until(".tiles")


def test_a_review_is_of_the_game_as_it_is_now(opened: Callable[..., Tab], server: Server) -> None:
    path = server.folder / "goes-on.orbis"
    path.write_text(write_record(game(3, 2, turns=6)), "utf-8")
    tab = opened()
    tab.view("games")
    tab.page.click("button:has-text('goes-on.orbis')")
    tab.until(".status:has-text('turn 7')")
    for turns in (6, 3):
        path.write_text(write_record(game(3, 2, turns=turns)), "utf-8")
        tab.view("review")
        tab.settled("(turns) => document.querySelectorAll('.graph .visit').length === turns", turns)
        tab.until(".told h3")
        tab.page.click("[aria-label='Turn after']")
        tab.view("games")
        tab.until(".status")


def test_a_described_tile_is_laid_and_kept(opened: Callable[..., Tab], server: Server) -> None:
    tab = opened()
    tab.view("edit")
    tab.until(".board")
    tab.tap(tab.group("centre-a3"))
    tab.page.click("text=A tile that is not in the list")
    form = tab.page.locator("form.own")
    form.locator("select").nth(2).select_option("volcano")
    form.locator("[aria-label='Its colours'] button").nth(2).click()
    form.locator("button[type=submit]").click()
    tab.page.click("text=Keep it in my set")
    tab.until(".entry .note:has-text('my-tiles.toml')")
    assert 'tiles = "my-tiles.toml"' in tab.kept("draft")
    assert 'effect = "volcano 1 b"' in (server.folder / "my-tiles.toml").read_text("utf-8")


def test_giving_up_takes_two_taps(opened: Callable[..., Tab], server: Server) -> None:
    tab = opened()
    tab.view("games")
    tab.page.click("form.card button[type=submit]")
    tab.until(".status:has-text('to move')")
    tab.page.click("#resign")
    tab.page.click("#resign:has-text('Really')")
    tab.until(".status:has-text('me gave up.')")
    tab.settled("!document.querySelector('.board .press')")


def test_a_game_against_a_level_goes_on_after_kills_and_is_reviewed(browser: Any, tmp_path: Path) -> None:
    """Confirmed turns are what the page has shown. Then its review: each mistake one click away, and tried again."""
    server = Server(tmp_path)
    port = server.port
    tab = Tab(browser, server.address)
    tab.view("games")
    tab.page.select_option("#level", "beginner")
    tab.page.click("form.card button[type=submit]")
    tab.until(".status")
    rng = random.Random(2)
    kills = 0
    path = tmp_path / "game.orbis"
    most = 400
    while most and not tab.page.query_selector(".status:has-text('Won by')"):
        most -= 1
        left = 15 - len(tab.page.query_selector_all(".turns li")) // 2  # turns of one's own
        # Spread over the whole game: a turn takes some nine steps while there are kills, and what is left falls into the
        # last one.
        if kills < KILLS and rng.random() < (1 if left <= 1 else (KILLS - kills) / (8 * left)):
            kills += 1
            tab.page.wait_for_timeout(rng.randrange(0, 150))
            confirmed = len(tab.page.query_selector_all(".turns li"))
            server.kill()
            assert len(load_record(str(path)).record.turns) >= confirmed
            server = Server(tmp_path, port=port)
            tab.settled("() => !document.body.classList.contains('lost')")
            tab.until(".status")
            tab.settled("(number) => document.querySelectorAll('.turns li').length >= number", confirmed)
        step(tab, rng)
    record = load_record(str(path)).record
    assert record.position().is_over and kills == KILLS
    print(f"{kills} kills, {len(record.turns)} turns")
    # Undo, to one's own last turn.
    tab.page.click("#undo")
    tab.settled("(number) => document.querySelectorAll('.turns li').length < number", len(record.turns))
    # The review.
    tab.view("review")
    tab.until(".graph svg")
    errors = tab.page.query_selector_all(".errors button")
    assert errors
    for number in [error.get_attribute("data-turn") for error in errors[:5]]:
        tab.page.click(f'.errors button[data-turn="{number}"]')
        tab.settled("(number) => document.querySelector('.told h3')?.textContent.includes(` ${number},`)", number)
        tab.until("#try-again")
        tab.until('.board [data-name="better-head"], .board [data-name^="god-"]')
    # Tried again with the move that the review thinks best.
    better = tab.page.get_attribute(".told [data-better]", "data-better")
    tab.page.click("#try-again")
    tab.until(".told .hint")
    stage = Stage(load_record(str(path)).record.position(int(number or 0)))
    tab.settled("() => document.querySelector('.entry .hint')")
    tap_move(tab, stage, stage.parse(better))
    tab.page.click("[data-key=play]")
    tab.until("#tried.good")
    tab.close()
    assert server.interrupt() == 0


def step(tab: Tab, rng: random.Random) -> None:
    """One tap towards any move, if it is one's turn."""
    try:
        for what in ("[data-key=play]", ".entry .options button:not([disabled])", ".lit"):
            if found := tab.page.query_selector_all(what):
                rng.choice(found).click(timeout=2000)
                tab.page.wait_for_timeout(rng.randrange(0, 60))  # a kill may come while a turn is written
                return
        if tab.page.query_selector(".entry .hint"):
            rng.choice(
                tab.page.query_selector_all('.board [data-name^="centre-"].press, .board [data-name^="god-"].press')
            ).click(timeout=2000)
        tab.page.wait_for_timeout(60)
    except (playwright.Error, IndexError):
        tab.page.wait_for_timeout(
            60
        )  # it went away while it was looked for: the server was killed, or it is another's turn


# --- for everybody


def lay_out(tab: Tab, sight: str) -> None:
    """Leads to what is to be looked at, from whatever was looked at before; until all of it is there."""
    if sight == "analyse":
        tab.view("analyse")
        tab.until(".ideas li")
    elif sight == "move":
        tab.page.click(".ideas li:first-child button")
        tab.until(".entry [data-key=play]")
        tab.until(".verdict")
    elif sight == "came":
        tab.page.click("[data-key=play]")
        tab.until(".tiles button")
    elif sight == "edit":
        tab.view("edit")
        tab.until(".board")
        tab.page.click(tab.group("centre-b2"))
        tab.until(".entry input[type=search]")
    elif sight == "games":
        tab.view("games")
        tab.until(".status")
        tab.page.click("#other-game")
        tab.until("form.card")
    elif sight == "play":
        tab.page.click("form.card button[type=submit]")
        tab.until(".entry .hint")
        tab.until(".board .press")
    elif sight == "track":
        tab.page.click("#other-game")
        tab.page.click(".files button:has-text('short.orbis')")
        tab.until(".entry .hint")
        tab.until(".ideas li")
        tab.page.click("details:has(.turns) > summary")
    elif sight == "review":
        tab.view("review")
        tab.until(".graph svg")
        tab.until(".told h3")
        tab.until(".board")
        tab.until(".told li")  # the reasons
    else:
        tab.page.click("#try-again")
        tab.until(".told .hint")
        tab.until(".entry .hint")
    tab.page.wait_for_timeout(300)


SEEN = ("analyse", "move", "came", "edit", "games", "play", "track", "review", "again")
SIGHTS = [(size, scheme) for size in (PHONE, DESK) for scheme in ("light", "dark")]


@pytest.mark.parametrize(
    "size, scheme", SIGHTS if ALL else SIGHTS[1:3], ids=lambda each: each if isinstance(each, str) else each["width"]
)
def test_the_views_are_fit_for_everybody(browser: Any, tmp_path: Path, size: dict[str, int], scheme: str) -> None:
    """No violation that axe knows, nothing wider than the screen, nothing too small for a thumb; in four languages."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    (tmp_path / "short.orbis").write_text(write_record(game(5, 2, turns=7)), "utf-8")
    with serving(tmp_path, "short.orbis") as server:
        tab = Tab(browser, server.address, size, color_scheme=scheme)
        tab.until(".status")
        for lang in LANGUAGES if ALL else ("en", "ru"):
            tab.page.select_option("header select", lang)
            tab.settled("(lang) => document.documentElement.lang === lang", lang)
            for sight in SEEN:
                lay_out(tab, sight)
                where = f"{sight}, {lang}, {scheme}, {size['width']} px"
                if PICTURES:
                    Path(PICTURES).mkdir(exist_ok=True)
                    tab.page.screenshot(
                        path=Path(PICTURES) / f"{sight}-{lang}-{scheme}-{size['width']}.png", full_page=True
                    )
                assert tab.page.evaluate("document.documentElement.scrollWidth") <= size["width"], where
                small = tab.page.evaluate(
                    """() => [...document.querySelectorAll('button, select, summary, input:not([type=checkbox])')]
                    .map((each) => [each.textContent, each.getBoundingClientRect()])
                    .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 36)).map(([text]) => text)"""
                )
                assert small == [], where
                found = axe.Axe().run(tab.page)
                told = [f"{each['id']}: {each['nodes'][0]['html'][:150]}" for each in found.response["violations"]]
                assert told == [], where
        tab.close()


def test_no_connection_is_told_and_the_page_goes_on(browser: Any, tmp_path: Path) -> None:
    server = Server(tmp_path)
    tab = Tab(browser, server.address)
    tab.until(".ideas li")
    server.kill()
    tab.until("body.lost #said:has-text('No connection')")
    server = Server(tmp_path, port=server.port)
    tab.settled("() => !document.body.classList.contains('lost')")
    tab.until(".ideas li")
    tab.close()
    assert server.interrupt() == 0


def test_a_phone_scans_its_way_in(browser: Any, tmp_path: Path) -> None:
    try:
        server = Server(tmp_path, "--phone")
    except AssertionError as error:
        pytest.skip(f"no local network here: {error}")
    tab = Tab(browser, server.told["phone"], PHONE)
    tab.until(".ideas li")
    assert (
        tab.page.evaluate(
            "(address) => fetch(address).then((answer) => answer.status)", server.told["phone"].rsplit("/", 2)[0] + "/"
        )
        == 404
    )
    tab.faults.clear()  # the browser tells of that answer
    tab.close()
    assert server.interrupt() == 0
