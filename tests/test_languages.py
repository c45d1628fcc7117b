"""English, German, Polish and Russian: the catalogs, what is chosen, what is shown, and what is understood."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import string
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import orbis_search
from orbis_search import (
    InputError,
    load_tile_set,
    parse_move,
    problems,
    read_position,
    resolve_tile,
    set_language,
    speaking,
)
from orbis_search.base.errors import place_words
from orbis_search.base.language import LANGUAGES, _, chosen_language, language, ngettext, numeral
from orbis_search.base.quoting import fold
from orbis_search.base.synonyms import COMMANDS as TYPED
from orbis_search.base.synonyms import PARTS, WORDS, canonical, command_word, part_words, shown_command
from orbis_search.drawing.canvas import text_width
from orbis_search.drawing.labels import effect_words, god_words, player_facts
from orbis_search.drawing.terminal import BRICK_WIDTH, CELL_WIDTH, render_position
from orbis_search.drawing.tile_table import render_tile_set
from orbis_search.game.vocabulary import Colour, Effect, God, Star
from orbis_search.notation.examples import example_text
from orbis_search.review.html import SCRIPT, STYLE
from orbis_search.tileset.descriptions import tell
from orbis_search.tileset.matching import best_matching
from orbis_search.tileset.syntax import COLOUR_OF, EFFECT_WORDS, KEYWORD_OF, KEYWORDS, STAR_OF, STAR_STEMS

ROOT = Path(__file__).parents[1]
TRANSLATED = LANGUAGES[1:]


def catalog_tool():
    spec = importlib.util.spec_from_file_location("messages", ROOT / "tests" / "catalogs" / "regenerate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = catalog_tool()


@pytest.fixture(params=TRANSLATED)
def lang(request) -> Iterator[str]:
    with speaking(request.param):
        yield request.param


# ---- the catalogs ----------------------------------------------------------------------------------


def test_the_catalogs_hold_what_the_code_says():
    """If this fails: python tests/catalogs/regenerate.py"""
    collected = tool.keys(tool.collected())
    assert len(collected) > 1000
    assert tool.keys(tool.load(tool.TEMPLATE)) == collected
    for name in TRANSLATED:
        assert tool.keys(tool.load(tool.catalog_path(name), name)) == collected, name


@pytest.mark.parametrize("name", TRANSLATED)
def test_every_message_is_translated(name):
    assert tool.untranslated(tool.load(tool.catalog_path(name), name)) == []


def placeholders(text: str) -> set[tuple[str, str, str]]:
    parts = string.Formatter().parse(text)
    return {(field, spec or "", conversion or "") for _, field, spec, conversion in parts if field is not None}


@pytest.mark.parametrize("name", TRANSLATED)
def test_placeholders_are_the_same(name):
    """In a form for one thing the number itself may be left out, as in English."""
    for message in tool.load(tool.catalog_path(name), name):
        if not message.id:
            continue
        forms = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
        allowed = [placeholders(form) for form in forms]
        for text in tool._texts(message.string):
            if "{" in "".join(forms):
                found = placeholders(text)
                assert found in allowed, f"{name}: {message.id!r}: {text!r}"


@pytest.mark.parametrize("name", TRANSLATED)
def test_edges_are_the_same(name):
    """Line ends and blanks at the ends of a message belong to the layout."""
    for message in tool.load(tool.catalog_path(name), name):
        for text in tool._texts(message.string) if message.id else ():
            source = message.id if isinstance(message.id, str) else message.id[-1]
            assert re.findall(r"\A\s*|\s*\Z", text) == re.findall(r"\A\s*|\s*\Z", source), repr(source)
            assert text.count("\b") == source.count("\b"), repr(source)


def test_the_installed_package_has_the_compiled_catalogs():
    folder = Path(orbis_search.__file__).parent / "locale"
    for name in TRANSLATED:
        assert (folder / name / "LC_MESSAGES" / "orbis.mo").stat().st_size > 50_000


def test_clicks_own_words_are_in_the_catalogs():
    """A new click may have new words: those that our commands can show belong into cli/click_words.py."""
    import click
    from babel.messages.extract import extract_from_dir

    never_shown = re.compile(
        r"editor|Windows|deprecated|Deprecation|defined twice|Boolean option|Could not determine|No options defined"
        r"|dynamic|exactly one parameter|continue|Confirm|confirmation|prog|version|open file|unknown error"
        r"|start character|Bash|entered values|invalid input|color|any key|Choose from|Choice\(|format|boolean"
        r"|UUID|^file$|^directory$|^path$|filename|len_type|standard stream|param_type|iterable|^d$",
        re.IGNORECASE,
    )
    ours = {each for key, context in tool.keys(tool.collected()) for each in ((key,) if isinstance(key, str) else key)}
    folder = Path(click.__file__).parent
    for file, line, message, _comments, _context in extract_from_dir(folder):
        for text in (message,) if isinstance(message, str) else message:
            assert text in ours or never_shown.search(text), f"{file}:{line}: {text!r}"


# What a translation must not say, and what it says instead.
SETTLED = {
    "de": {
        r"\bReihen? (?:\d|\{)|\} Reihen": "Ebene, as in the rulebook",
        r"\bBewässerung\b|\bBewässerungen\b": "Bewässerungsanlage",
        r"aufgehoben|[Aa]ufheben|\bhebt\b": "gespeichert: aufgehoben is also what was cancelled",
        r"wenn (?:niemand|keiner) mehr": "reads: nobody any longer",
        r"\bman\b|\bSie [a-z]": "du",
        r"in \{colour\}|kein \{colour\}": "der Farbe {colour}",
    },
    "pl": {
        r"[Ss]zans\w+ wygranej": "szansa na wygraną",
        r"\bprób": "symulacja",
        r"\blegaln": "dozwolony",
        r"\bwyszuki|\bszukani": "przeszukiwanie",
        r"jeszcze brak": "bóg jeszcze niewzięty",
        r"kolor(?:u|em|ze) \{colour\}": "the nominative",
        r"gracz[aeo]w?i? \{player\}": "the nominative: a player without a name is „gracz 1”",
        r", \{god\} jest|, już wzięty|, już odkryty": "gods are of both genders",
    },
    "ru": {
        r"\b(?:[Вв]озьми|[Пп]оложи|[Зз]аплати|[Вв]ерни|[Уу]бери|[Оо]бменяй|[Пп]олучи|[Вв]веди|[Нн]азови)\b": "вы",
        r"\bты\b|\bтво[йяеи]": "вы",
        r"ни у кого нет (?:больше|меньше)\b": "reads: nobody any longer",
        r"пока нет$": "бог ещё не взят",
        r"цвет(?:а|ом|у) \{colour\}": "the nominative",
        r"игрок[аоу]м? \{player\}": "the nominative: a player without a name is «игрок 1»",
        r"\bкруг(?:е|ах)? \{|\} круг": "раунд: круг is the realm",
        r", \{god\} уже|уже взятый|уже открытый": "gods are of both genders",
        r"себя сама": "подробнее о команде",
    },
}


@pytest.mark.parametrize("name", TRANSLATED)
def test_one_word_for_each_thing_and_sentences_that_hold_when_filled_in(name):
    found = [
        f"{text!r}: {instead}"
        for message in tool.load(tool.catalog_path(name), name)
        if message.id
        for text in tool._texts(message.string)
        for pattern, instead in SETTLED[name].items()
        if re.search(pattern, text)
    ]
    assert found == []


@pytest.mark.parametrize(
    "name, nobody, cancelled",
    [
        ("de", "Gottheit noch keine", "Gottheit Tod, nicht erfüllt"),
        ("pl", "bóg jeszcze niewzięty", "bóg Śmierć, nieaktywna"),
        ("ru", "бог ещё не взят", "бог Смерть, отменена"),
    ],
)
def test_what_is_said_of_a_god_agrees_with_it(name, nobody, cancelled):
    player = read_position(example_text("middle")).players[0]
    with speaking(name):
        assert " ".join(player_facts(player._replace(god=None))[0]) == nobody
        assert " ".join(player_facts(player._replace(god=God.DEATH, god_validated=False))[0]) == cancelled


@pytest.mark.parametrize(
    "name, words",
    [
        ("de", "Nimm r2a von b3 (rot, Vulkan: 2 aus G/B), lege sie als Wildnis auf Ebene 3, Platz 2."),
        ("pl", "Weź r2a z b3 (czerwony, wulkan: 2 z G/B), połóż go jako pustkowie w rzędzie 3, miejsce 2."),
        ("ru", "Возьмите r2a с b3 (красный, вулкан: 2 из G/B), положите его как пустошь в ряд 3, место 2."),
    ],
)
def test_a_move_is_told_in_one_form_of_address(name, words):
    position = read_position(example_text("middle"))
    with speaking(name):
        assert orbis_search.move_words(position, parse_move("b3 wild 3.2", position)) == words


# ---- what is marked --------------------------------------------------------------------------------

# What a programmer reads, as docs/languages.md says: how `orbis verify` shows a difference.
UNMARKED_MODULES = {
    "orbis_search/measure/verify_rules.py", "orbis_search/measure/verify_solver.py", "orbis_search/measure/verify_advice.py",
    "orbis_search/measure/verify_threads.py", "orbis_search/game/inputs.py", "orbis_search/orion/measure/verify_rules.py",
}  # fmt: skip
MARKS = {"_", "N_", "ngettext", "pgettext", "NN_", "NP_"}
# Errors that are a programmer's, and calls whose texts are seeds, documentation, or collected without a mark.
QUIET = {
    "AssertionError", "AttributeError", "RuntimeError", "ValueError", "wrong_kind", "Random", "_setting", "option",
}  # fmt: skip
PROSE = re.compile(r"[a-z]{2,}[,;:.]? +(?:[a-z]{2,}|\{)|^(?:expected|cannot) ")
TAG = re.compile(r"<[^<>]*>")
# The few that may stand, each in its module alone.
MAY_STAND = {
    # Names of files, places and ways to run, translated where they are shown.
    "cli/commands/bench.py": {"bench run"},
    "cli/commands/engine.py": {"standard input", "standard output"},
    "cli/commands/orion_advise.py": {"--why, {}"},
    "cli/game_session.py": {"player {}"},
    "cli/match_running.py": {"{}, round {}, game {}"},
    "cli/files.py": {"bench run", "card set", "standard output", "the built-in example", "tile set"},
    "cli/orion.py": {"card set"},
    "orbis_search/base/names.py": {"player {}", "player {} ({})"},
    "orbis_search/base/quoting.py": {"standard input", "at line ([0-9]+)"},
    "orbis_search/engine/server.py": {"standard input"},
    "orbis_search/entry/position_dialog.py": {"cancelled {}", "{}, row {}"},
    "orbis_search/entry/position_steps.py": {"pile {}", "player {}", "player {} row {}", "player {} rows", "player {} {}"},
    "orbis_search/game/problems.py": {"{}, row {}", "{}, row {}, column {}"},
    "orbis_search/measure/fixed_work.py": {"model name", "positions.txt, {}"},
    "orbis_search/measure/speed.py": {"all ideas", "turns-{}.txt, position {}", "without {}"},
    "orbis_search/notation/common.py": {"player {}, name", "{}, column {}"},
    "orbis_search/notation/json.py": {"{}, column {}", "{}, row {}"},
    "orbis_search/notation/oneline.py": {"{}, row {}"},
    "orbis_search/matches/data.py": {"player {}"},
    "orbis_search/matches/files.py": {"{}, line {}"},
    "orbis_search/matches/playing.py": {"round {}, game {}"},
    "orbis_search/players/arena.py": {"{}, turn {}"},
    "orbis_search/orion/players/arena.py": {"{}, turn {}"},
    "orbis_search/orion/record/text.py": {"date: {}", "start: {}", "{}, line {}"},
    "orbis_search/orion/cards/files.py": {
        "set, expect", "set, expect, {}", "set, options", "set, options, full_systems", "set, options, reshuffle", "set, status",
    },
    "orbis_search/orion/cards/reading.py": {
        "advisor {}", "race {}", "structure {}", "{}, effect {}", "{}, exploit, {}", "{}, if, count", "{}, known, {}",
        "{}, name, {}", "{}, option {}",
    },
    "orbis_search/orion/core/printing.py": {"advisor {} ({})"},
    "orbis_search/orion/search/tree.py": {"only move"},
    "orbis_search/orion/game/problems.py": {
        "pending {}, player", "pending {}, {}", "{}, system {}", "{}, systems, advisor",
    },
    "orbis_search/orion/notation/document.py": {"pending {}", "{}, system {}"},
    "orbis_search/orion/notation/oneline.py": {"player {}"},
    "orbis_search/players/saved_games.py": {"round {}, game {}", "{}, turn {}"},
    "orbis_search/record/positions.py": {"turn {}"},
    "orbis_search/review/analysis.py": {"unknown draw"},
    "orbis_search/review/text.py": {"unknown draw"},
    "orbis_search/solver/batch.py": {"{}, line {}"},
    "orbis_search/tileset/files.py": {"level {}", "tile {}", "tile {} ({})"},
    # What is written into files that travel, and moves and tiles in their notation.
    "cli/commands/apply.py": {"# After: {}\n{}", "; {} came to {}"},
    "cli/commands/new.py": {
        "# Made by: {}{}\n{}", "; see it with: orbis show {}", "orbis new --players {} --seed {}", " --tiles {}",
        " --turns {} --style {}",
    },
    "orbis_search/entry/draft.py": {
        "# An Orbis position, not finished: orbis edit goes on with it. What is missing is ?", "# Left at: {}",
        "^# Left at: (.*)$", "{}, row {}",
    },
    "orbis_search/entry/table_edit.py": {
        "a3 ... c1, a3 worshipers, 1 name, 1 realm, 1 god, 1 1L, 1 2.3, gods, players, tiles",
        "cancelled {}",
    },
    "orbis_search/entry/move_dialog.py": {"god {}", "{} valid remove {}"},
    "orbis_search/notation/move_words.py": {"face up"},
    "orbis_search/notation/toml.py": {
        "# An Orbis position. Worshipers: r g b y w with a number after, - for none.",
        "a god's \"most\" needs at least one", "began the game", "counted from the one who began", "face up, not taken",
        "the game is over", "the tile set", "tile | worshipers; a3 is the top left cell, c1 the bottom right",
        "what each can hold, first drawn first", "{}, row {}",
    },
    "orbis_search/orion/notation/moves.py": {"trade food|fleet|production food|fleet|production"},
    "orbis_search/orion/notation/toml.py": {
        "# A position of Master of Orion.", "cards or their number; ? is a card nobody else has seen",
        "cubes in the reserve; those on boards are the rest", "discards, the top card last",
        "how many cards, or which, first drawn first", "in hand too: cards held since the last reshuffle",
        "in hand too: cards that everybody saw being taken", "on the table", "setup, start, actions, end or over",
        "the card set", "the lowest card first, then | and the cubes on the top card",
        "what is still to be decided, the next one last", "what the unknown old cards of all hands are",
        "who has the first player's token, counted from 1", "whose action is next",
    },
    "orbis_search/openspiel.py": {"draw {}", "god {}", "player {}: {}"},
    "orbis_search/record/game.py": {"turn {}", "{} swap none"},
    "orbis_search/record/text.py": {
        ", column {}", "date: {}", "digest: {}", "line {}", "most: positive", "player {}", "tiles: {}",
    },
    "orbis_search/tileset/descriptions.py": {"mystic {}"},
    "orbis_search/tileset/generator.py": {"Made from seed {}.", "Random tiles {}"},
    # Words that are understood, in any language.
    "orbis_search/tileset/syntax.py": {"bez efektu", "no effect", "sacred stone", "święty kamień"},
    # Keys of tables of words.
    "orbis_search/orion/drawing/effect_words.py": {"full systems"},
    "orbis_search/orion/game/cards.py": {"full systems", "working {}"},
    "orbis_search/orion/game/counting.py": {"full systems"},
    "orbis_search/drawing/legend.py": {"colour and level", "colour {}"},
    "orbis_search/drawing/picture.py": {
        "god cancelled", "god {}", "no god", "on turn", "to be refilled", "to move", "wins by worshipers",
    },
    "orbis_search/drawing/picture_words.py": {
        "colour and level", "colour {}", "does {}", "effect {}", "farm of", "front unknown", "god cancelled", "god {}",
        "left of", "letter {}", "no effect", "no god", "on turn", "over colour", "taken by", "temple tokens", "to be refilled",
        "to move", "wins by worshipers",
    },
    "orbis_search/drawing/supply.py": {"god {}", "left of", "taken by", "temple tokens"},
    "orbis_search/drawing/tile_art.py": {"effect {}", "farm of", "front unknown", "over colour"},
    # The program's name and version, what stands beside errors, and differences for programmers.
    "cli/group.py": {"orbis {}"},
    "cli/main.py": {"orbis {}", "orbis: {}", "orbis: {}: {}", "tqdm:disabling monitor support"},
    "cli/commands/verify.py": {"core and reference differ", "solver and brute force differ"},
    "orbis_search/measure/peers.py": {"orbis bench peers"},
    "orbis_search/measure/text.py": {"{}, {}, orbis {}"},
    # For other programs: a line editor, a plotter, a browser.
    "cli/asking.py": {"set show-all-if-ambiguous on", "tab: complete"},
    "orbis_search/measure/growth_plot.py": {"log log"},
    "orbis_search/review/html.py": {STYLE, SCRIPT, "wide of"},
    "orbis_search/web/server.py": {"text/html; charset=utf-8", "text/javascript; charset=utf-8", "text/css; charset=utf-8"},
}  # fmt: skip


def flat(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


class Said(NamedTuple):
    """A text of the sources that reads like prose."""

    line: int
    text: str
    excuse: str | None  # the call that needs no mark, "" if it is marked or no value, None if there is none


def said(path: Path) -> Iterator[Said]:
    tree = ast.parse(path.read_text("utf-8"))
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        text = flat(node)
        if text is None or not PROSE.search(TAG.sub("", text)):
            continue
        above, excuse = node, None
        while above in parents and excuse is None:
            child, above = above, parents[above]
            name = ""
            if isinstance(above, ast.Call):
                function = above.func
                name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if name in QUIET:
                excuse = name
            elif (
                name in MARKS
                or isinstance(above, (ast.JoinedStr, ast.Assert))
                or (isinstance(above, ast.Expr) and child is node)
                or (isinstance(above, ast.FunctionDef) and child not in above.body)
                or (isinstance(above, ast.AnnAssign) and child is above.annotation)
                or (isinstance(above, ast.Subscript) and child is above.slice)
                or isinstance(above, ast.Compare)
            ):
                excuse = ""
        yield Said(node.lineno, text, excuse)


@cache
def said_anywhere() -> dict[str, list[Said]]:
    return {path.relative_to(ROOT).as_posix(): list(said(path)) for path in tool.sources()}


def test_nothing_that_people_read_is_unmarked():
    found = [
        f"{name}:{each.line}: {each.text!r}"
        for name, texts in said_anywhere().items()
        if name not in UNMARKED_MODULES
        for each in texts
        if each.excuse is None and each.text not in MAY_STAND.get(name, ())
    ]
    assert found == []


def test_every_exception_is_needed():
    """One that is left over would let the next text of its kind pass."""
    bare = {name: {each.text for each in texts if each.excuse is None} for name, texts in said_anywhere().items()}
    assert {name for name in UNMARKED_MODULES if not bare.get(name)} == set()
    assert {name: left for name, texts in MAY_STAND.items() if (left := texts - bare.get(name, set()))} == {}
    assert {each.excuse for texts in said_anywhere().values() for each in texts if each.excuse} == QUIET


def test_that_test_can_fail(tmp_path):
    source = tmp_path / "new.py"
    source.write_text(
        '"""No prose."""\ndef f(n):\n    raise InputError.one("", f"expected {n} tiles")\n    return _("fine words")\n'
        '    return "<p class=\\"a note\\">{}</p>" + "<p>two words</p>"\n'
    )
    found = [(each.line, each.text) for each in said(source) if each.excuse is None]
    assert found == [(3, "expected {} tiles"), (5, "<p>two words</p>")]


def test_no_translation_hides_a_throwaway_name():
    """`for _ in` in a function that says something would take the function's `_` away."""
    for path in tool.sources():
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            own = list(own_nodes(function))
            stored = any(isinstance(n, ast.Name) and n.id == "_" and isinstance(n.ctx, ast.Store) for n in own)
            called = any(isinstance(n, ast.Call) and getattr(n.func, "id", "") == "_" for n in own)
            assert not (stored and called), f"{path.name}: {function.name}"


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """What is in a function's own scope."""
    scopes = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.ClassDef)
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, scopes):
            yield child
            yield from own_nodes(child)


# ---- which language ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "environment, expected",
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "pl_PL"}, "pl"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "pl_PL", "LC_ALL": "ru_RU.KOI8-R"}, "ru"),
        ({"LC_ALL": "C", "LANG": "de_DE"}, "en"),
        ({"LC_ALL": "C.UTF-8", "LANGUAGE": "de"}, "en"),
        ({"LANGUAGE": "fr:pl:de", "LANG": "de_DE"}, "pl"),
        ({"LANGUAGE": "de"}, "de"),
        ({"LANG": "deutsch"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE", "ORBIS_LANG": "ru"}, "ru"),
        ({"LANG": "de_DE", "ORBIS_LANG": "fr"}, "de"),
    ],
)
def test_what_the_environment_asks_for(environment, expected):
    assert chosen_language(environment) == expected


def test_english_unless_asked():
    assert language() == "en"
    with pytest.raises(InputError, match='language: expected one of en, de, pl, ru, found "fr"'):
        set_language("fr")


def test_a_thread_keeps_its_own():
    found = {}

    def work(name: str, ready: threading.Barrier) -> None:
        with speaking(name):
            ready.wait()
            found[name] = Colour.RED.label

    ready = threading.Barrier(len(LANGUAGES))
    threads = [threading.Thread(target=work, args=(name, ready)) for name in LANGUAGES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"en": "red", "de": "rot", "pl": "czerwony", "ru": "красный"}
    assert Colour.RED.label == "red"


def test_for_all_threads():
    found = []
    set_language("pl")
    try:
        thread = threading.Thread(target=lambda: found.append(Colour.RED.label))
        thread.start()
        thread.join()
    finally:
        set_language("en")
    assert found == ["czerwony"]


@pytest.mark.parametrize("number, polish, russian", [
    (1, "1 kafel", "1 тайл"), (2, "2 kafle", "2 тайла"), (5, "5 kafli", "5 тайлов"), (12, "12 kafli", "12 тайлов"),
    (21, "21 kafli", "21 тайл"), (22, "22 kafle", "22 тайла"), (0, "0 kafli", "0 тайлов"),
])  # fmt: skip
def test_plurals(number, polish, russian):
    with speaking("pl"):
        assert ngettext("{n} tile", "{n} tiles", number) == polish
    with speaking("ru"):
        assert ngettext("{n} tile", "{n} tiles", number) == russian


# ---- numbers -------------------------------------------------------------------------------------------

# Where a number is put in form by hand, and who reads it.
NO_NUMERAL = {
    "orbis_search/drawing/scene.py",  # coordinates of a picture
    "orbis_search/review/html.py",  # coordinates of a picture
    "orbis_search/measure/verify_advice.py",  # a developer's diagnosis, in English
    "orbis_search/measure/verify_solver.py",  # the same
    "orbis_search/measure/verify_threads.py",  # the same
    "orbis_search/measure/peers.py",  # a player's name, as one types it
    "orbis_search/players/by_name.py",  # the same
    "orbis_search/orion/players/by_name.py",  # the same
}
FIGURES = re.compile(r"[,_]|\.\d|\.\{|[%eg]$")  # thousands, decimals, per cent


@pytest.mark.parametrize(
    "name, thousands, decimals, both, signed",
    [
        ("en", "1,100", "1.5", "1,234,567.9", "-0.5"),
        ("de", "1.100", "1,5", "1.234.567,9", "-0,5"),
        ("pl", "1\N{NO-BREAK SPACE}100", "1,5", "1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567,9", "-0,5"),
        ("ru", "1\N{NO-BREAK SPACE}100", "1,5", "1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567,9", "-0,5"),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(name, thousands, decimals, both, signed):
    with speaking(name):
        assert numeral(1100, ",") == thousands
        assert numeral(1.5, ".1f") == decimals
        assert numeral(1234567.89, ",.1f") == both
        assert numeral(-0.5, "+.1f") == signed
        assert numeral(1100, ">8,") == thousands.rjust(8)  # columns stay aligned


def test_a_message_writes_its_numbers_so_too(lang):
    assert numeral(2345, ",") in ngettext("{n:,} move", "{n:,} moves", 2345)
    line = _("{seconds:.3f} s, {rate:,.0f} a second", seconds=0.25, rate=1e6)
    assert line.startswith("0,250 ") and numeral(1_000_000, ",") in line
    assert "1.5" in _("expected {what}, found {found}", what="", found="1.5")  # what somebody typed stays as it is
    assert "0x0a" in _("expected text in UTF-8, found byte 0x{byte:02x} in line {line}", byte=10, line=1100)


def formatted_by_hand(path: Path) -> Iterator[str]:
    """Every place that gives a number thousands or decimals without asking the language."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        form = None
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            form = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.format_spec.values)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "format":
            form = flat(node.args[1]) if len(node.args) > 1 else None
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            text = flat(node.func.value) or ""
            form = next((spec for _, _, spec in placeholders_of(text) if FIGURES.search(spec)), None)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            form = next(iter(re.findall(r"%[-+ #0-9]*(\.\d+[feg])", flat(node.left) or "")), None)
        if form and FIGURES.search(form):
            yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno}: {form}"


def placeholders_of(text: str) -> list[tuple[str, str, str]]:
    return [(before, field or "", spec or "") for before, field, spec, _ in string.Formatter().parse(text)]


def test_no_number_is_put_in_form_by_hand():
    """A number that people read is written by `numeral`, or by the message it stands in."""
    found = [each for path in tool.sources() for each in formatted_by_hand(path)]
    assert {each.partition(":")[0] for each in found} == NO_NUMERAL, found


def test_that_test_finds_them_all(tmp_path, monkeypatch):
    source = tmp_path / "new.py"
    source.write_text(
        'a = f"{n:,}"\nb = f"{x:>{w},.0f}"\nc = f"{x:.{d}f}"\nd = format(x, ".1f")\ne = "{:.1%}".format(x)\n'
        'f = "%.2f s" % x\ng = f"{limit:g}"\nfine = f"{n} {name:<10} {n:>5} {byte:02x}"\n'
    )
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert sorted(each.split(":")[1] for each in formatted_by_hand(source)) == ["1", "2", "3", "4", "5", "6", "7"]


@pytest.mark.parametrize("name", TRANSLATED)
def test_no_translation_keeps_an_english_number(name):
    for message in tool.load(tool.catalog_path(name), name):
        for text in tool._texts(message.string) if message.id else ():
            assert not re.search(r"\d,\d{3}\b", text), text


THOUSANDS = re.compile(r"\b\d{1,3}(?:,\d{3})+\b")
TENTHS = re.compile(r"\d\.\d+(?= (?:%|±|s\b|с\b|:))")  # not 2.1, a slot


@pytest.mark.parametrize("name", TRANSLATED)
@pytest.mark.parametrize(
    "arguments",
    [
        ["advise", "--sims", "1200", "--threads", "1", "--seed", "1", "--no-board"],
        ["solve", "--threads", "1"],
        ["arena", "greedy", "random", "--games", "2", "--threads", "1"],
        ["play", "--levels"],
        ["verify", "--decisions", "1", "--singles", "1", "--threads", "1"],
    ],
    ids=" ".join,
)
def test_a_screen_has_no_english_number(name, arguments):
    english, ours = (program(*arguments, "--lang", each).stdout for each in ("en", name))
    assert THOUSANDS.search(english) or TENTHS.search(english)
    mark = "." if name == "de" else "\N{NO-BREAK SPACE}"
    for each in THOUSANDS.findall(english):
        assert each.replace(",", mark) in ours
    assert THOUSANDS.findall(ours) == [] and TENTHS.findall(ours) == []


# ---- the program ---------------------------------------------------------------------------------------


def program(*arguments: str, given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "ORBIS_LANG"))}
    env |= {"PYTHONIOENCODING": "utf-8", "COLUMNS": "80", "ORBIS_SETTINGS": ""} | environment
    command = [sys.executable, "-m", "orbis_search.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", input=given, env=env, timeout=120)


HELLO = {"de": "in Ordnung", "pl": "w porządku", "ru": "всё в порядке", "en": "fine;"}


@pytest.mark.parametrize("name", LANGUAGES)
def test_ways_to_choose(name, tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text(f'lang = "{name}"\n')
    other = "pl" if name != "pl" else "de"
    for arguments, environment in (
        (["check", "--lang", name], {"LANG": other}),
        (["--lang", name, "check"], {"ORBIS_LANG": other}),
        (["check", f"--lang={name}"], {}),
        (["check"], {"ORBIS_LANG": name, "LANG": other}),
        (["check"], {"ORBIS_SETTINGS": str(settings), "LANG": other}),
        (["check"], {"LC_ALL": f"{name}_XX.UTF-8"}),
        (["--no-settings", "check"], {"ORBIS_SETTINGS": "/nowhere", "LANG": name}),
    ):
        done = program(*arguments, **environment)
        assert done.returncode == 0, done.stderr
        assert HELLO[name] in done.stdout, (arguments, environment)


def test_a_language_that_we_do_not_have(tmp_path):
    done = program("check", "--lang", "fr")
    assert done.returncode == 2 and "'fr'" in done.stderr
    settings = tmp_path / "settings.toml"
    settings.write_text('lang = "fr"\n')
    done = program("check", ORBIS_SETTINGS=str(settings), LANG="de_DE")
    assert done.returncode == 2 and "lang" in done.stderr and "gefunden" in done.stderr


def english_left(text: str, name: str) -> list[str]:
    """Telltale English words; keywords, options and notation are no prose."""
    telltale = r"\b(the|of|with|expected|found|turn|worshipers|level|points|for|and)\b"
    plain = re.sub(r"--[\w-]+|\b[a-z]+\.toml|`[^`]*`|\"[^\"]*\"|Master\s+of\s+Orion", "", text)
    plain = re.sub(r"centre, .*?(?=[.;])|go b2|player 1|row 2|gods, players, tiles, piles, most", "", plain, flags=re.S)
    return re.findall(telltale, plain)


COMMANDS = [
    "advise", "solve", "edit", "new", "check", "tiles", "show", "moves", "apply", "arena", "train", "bench", "verify",
    "perft", "engine", "completion", "tiles check", "tiles show", "tiles template", "tiles random", "bench rules",
    "bench search", "bench endgame", "bench peers", "bench regret", "play", "track", "review", "record", "record show",
    "record check", "record position", "record arena", "web",
]  # fmt: skip


@pytest.mark.parametrize("name", TRANSLATED)
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(run, monkeypatch, command, name):
    monkeypatch.setenv("COLUMNS", "80")
    done = run(*command.split(), "--help", lang=name)
    assert done.code == 0, done.err
    assert done.out.startswith({"de": "Aufruf:", "pl": "Użycie:", "ru": "Использование:"}[name])
    assert "Usage" not in done.out and "Options" not in done.out and "Show this" not in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert english_left(done.out, name) == []


@pytest.mark.parametrize("name", TRANSLATED)
def test_usage_errors(run, name):
    for arguments, word in (
        (["shw"], {"de": "Meintest du", "pl": "chodziło", "ru": "имелось"}),
        (["show", "--bogus"], {"de": "keine Option", "pl": "Nie ma opcji", "ru": "Нет параметра"}),
        (
            ["advise", "--sims", "x"],
            {"de": "eine ganze Zahl von 1", "pl": "liczba całkowita od 1", "ru": "целое число от 1"},
        ),
        (["new", "--players", "7"], {"de": "Zahl von 2 bis 4", "pl": "całkowita od 2 do 4", "ru": "число от 2 до 4"}),
        (["show", "--toml", "--json"], {"de": "schließen", "pl": "wykluczają", "ru": "исключают"}),
        (["apply"], {"de": "Es fehlt", "pl": "Brakuje", "ru": "Не указан"}),
        (["check", "nowhere.toml"], {"de": "erwartet", "pl": "oczekiwano", "ru": "ожидался"}),
    ):
        done = run(*arguments, lang=name)
        assert done.code == 2 and done.out == ""
        assert word[name] in done.err, done.err
        assert "Error" not in done.err and "Usage" not in done.err and "Traceback" not in done.err


@pytest.mark.parametrize("name", TRANSLATED)
@pytest.mark.parametrize(
    "arguments",
    ["show", "check", "moves", "moves --all --limit 2", "tiles show", "tiles template", "new --template",
     "advise --sims 400 --threads 1 --seed 1", "solve --best --nodes 2000 --threads 1",
     "arena random greedy --games 2 --threads 1", "verify --decisions 1 --singles 0 --threads 1 --seed 12",
     "tiles check reconstruction"],
)  # fmt: skip
def test_output(run, arguments, name):
    done = run(*arguments.split(), lang=name)
    assert done.code == 0, done.err
    if arguments.startswith(("show", "advise", "tiles check")):
        assert max(map(text_width, done.out.splitlines())) <= 80
    if not arguments.startswith(("tiles", "new")):  # a set's own description is its author's
        assert english_left(re.sub(r"(?m)^ .*(?:pay|wild|remove|swap|god).*$", "", done.out), name) == []
    assert done.out != run(*arguments.split(), lang="en").out


def without_messages(text: str) -> str:
    return re.sub(r'"seconds": [0-9.]+|"words": ".*"|"reasons": \[[^]]*\]', "", text)


@pytest.mark.parametrize("name", TRANSLATED)
def test_machine_forms_are_the_same(run, name):
    for arguments in (
        "show --json", "show --oneline", "show --toml", "moves --json --limit 1", "check --json", "tiles show --json",
        "new --seed 3", "perft o1 0",
        "advise --json --sims 200 --threads 1 --seed 1",
    ):  # fmt: skip
        ours, english = (run(*arguments.split(), lang=each).out for each in (name, "en"))
        if arguments.startswith("advise"):
            # Time passes, and what the moves are in words is a message.
            ours, english = (without_messages(each) for each in (ours, english))
        assert ours == english, arguments


@pytest.mark.parametrize("name", TRANSLATED)
def test_places_are_the_same_for_programs(run, name, tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text(example_text("middle").replace("realm = ", "realm = 7 #", 1), "utf-8")
    ours = json.loads(run("check", str(file), "--json", lang=name).out)
    english = json.loads(run("check", str(file), "--json", lang="en").out)
    assert [each["place"] for each in ours["problems"]] == [each["place"] for each in english["problems"]]
    assert [each["message"] for each in ours["problems"]] != [each["message"] for each in english["problems"]]
    with speaking(name):
        assert place_words("turn 7, row 2").startswith({"de": "Zug 7,", "pl": "tura 7,", "ru": "ход 7,"}[name])
    shown = run("check", str(file), lang=name).err
    assert {"de": "Spieler 1", "pl": "gracz 1", "ru": "игрок 1"}[name] in shown


def test_english_reads_no_catalog():
    code = (
        "import sys; from orbis_search.cli.main import main; main(['check']);"
        "print(sorted({'gettext', 'locale', 'babel'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", TRANSLATED)
def test_the_engine_answers_each_in_its_language(name):
    requests = [
        {"id": 1, "action": "check", "position": "o1:2", "lang": name},
        {"id": 2, "action": "check", "position": "o1:2"},
        {"id": 3, "action": "show", "position": example_text("middle"), "form": "text", "lang": name},
        {"id": 4, "action": "shw", "lang": name},
        {"id": 5, "action": "check", "position": "o1:2", "lang": "fr"},
    ]
    done = program("engine", "--workers", "1", given="".join(json.dumps(each) + "\n" for each in requests))
    answers = {each["id"]: each for each in map(json.loads, done.stdout.splitlines())}
    word = {"de": "erwartet", "pl": "oczekiwano", "ru": "ожидал"}[name]
    assert word in json.dumps(answers[1], ensure_ascii=False) and "expected" in json.dumps(answers[2])
    assert {"de": "Stapel", "pl": "stosy", "ru": "стопки"}[name] in json.dumps(answers[3], ensure_ascii=False)
    assert word in json.dumps(answers[4], ensure_ascii=False)
    assert "expected" in json.dumps(answers[5]) and "lang" in json.dumps(answers[5])


# ---- room ----------------------------------------------------------------------------------------------


def test_words_have_room(lang):
    for tile in load_tile_set().tiles:
        assert text_width(effect_words(tile)) <= CELL_WIDTH - 2
        with speaking(lang):
            head = f"{tile.colour.label} {_('level {number}', number=3)}"
        assert text_width(head) + 5 <= CELL_WIDTH - 2
    start = max(8, len(_("Gods")) + 3) + max(len(god.label) for god in God) + 2
    for god in God:
        assert start + text_width(god_words(god)) <= 79, god
    for effect in Effect:
        if effect is not Effect.NONE:
            assert text_width(orbis_search.base.language.pgettext("brick", effect.word)) <= BRICK_WIDTH


@pytest.mark.parametrize("example", ["middle", "ending"])
def test_drawings_are_80_columns_wide(lang, example):
    drawn = render_position(read_position(example_text(example)))
    assert max(map(text_width, drawn.splitlines())) <= 80
    assert "…" not in drawn
    for name in ("reconstruction", "random:1", "random:2"):
        table = render_tile_set(load_tile_set(name))
        assert max(map(text_width, table.splitlines())) <= 80


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_explanations_of_the_editor_are_80_columns_wide(name):
    from orbis_search.entry.position_questions import _TILE_HELP, HELP

    with speaking(name):
        lines = [line for text in (*HELP.values(), _TILE_HELP) for line in _(text).splitlines()]
    assert [line for line in lines if text_width(line) > 80] == []


# ---- what is understood --------------------------------------------------------------------------------


@pytest.mark.parametrize("set_name", ["reconstruction", "random:5", "random:6"])
@pytest.mark.parametrize("name", LANGUAGES)
def test_what_is_told_is_understood_in_any_language(name, set_name):
    tiles = load_tile_set(set_name)
    for tile in tiles.tiles:
        with speaking(name):
            told = tell(tile)
        with speaking("en" if name != "en" else "de"):
            assert resolve_tile(told, tiles, 4).features == tile.features, told


@pytest.mark.parametrize(
    "text",
    ["blue L3 cost gba irrigation r 4cp", "blau L3 kosten gba bewässerung r 4cp", "blaue Stufe 3 Kosten gba Bewässerungsanlage r 4 SP",
     "niebieski poziom 3 koszt gba irygacja czerwony 4PK", "синий уровень 3 стоимость gba орошение красный 4 ОС"],
)  # fmt: skip
def test_one_tile_in_four_languages(text):
    tile = resolve_tile(text, load_tile_set(), 2)
    assert (tile.colour, tile.level, tile.effect, tile.cp) == (Colour.BLUE, 3, Effect.IRRIGATION, 4)


@pytest.mark.parametrize(
    "words, wanted",
    [("blau bew g", "b2a"), ("niebieski iry g", "b2a"), ("синий оро g", "b2a"), ("weiß Mystik 5", "w2b"),
     ("biały mistyka 5", "w2b"), ("белый мистика 5", "w2b"), ("b Stufe 2 3SP g", "b2a")],
)  # fmt: skip
def test_a_few_words_in_any_language(words, wanted):
    assert [tile.id for tile in best_matching(words, load_tile_set().in_use(2))] == [wanted]


def foreign_position(language_name: str) -> str:
    """The example with its words in another language."""
    words = {
        "de": {"nature death": "Natur und Tod", "oceans": "Meere", "none": "keine"},
        "pl": {"nature death": "Natura oraz Śmierć", "oceans": "oceany", "none": "brak"},
        "ru": {"nature death": "Природа и Смерть", "oceans": "Океаны", "none": "нет"},
    }[language_name]
    text = example_text("middle")
    for english, foreign in words.items():
        assert f'"{english}"' in text
        text = text.replace(f'"{english}"', f'"{foreign}"')
    return text


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("written", TRANSLATED)
def test_positions_are_read_in_any_language(written, spoken):
    with speaking(spoken):
        assert read_position(foreign_position(written)) == read_position(example_text("middle"))


@pytest.mark.parametrize("god", God)
def test_every_god_has_a_name_in_every_language(god):
    from orbis_search.notation.common import Reading

    for name in LANGUAGES:
        with speaking(name):
            label = god.label
        reading = Reading()
        assert reading.god(label, "god") == (god, True) and not reading.problems
        if god is God.DEATH:
            for mark in ("cancelled", "nicht erfüllt", "nieaktywny", "отменён"):
                assert reading.god(f"{label} {mark}", "god") == (god, False) and not reading.problems


@pytest.mark.parametrize(
    "text, face",
    [("Wildnis r1a", "wild"), ("pustkowie r1a", "wild"), ("Пустошь r1a", "wild"), ("r1a Wildnis", "wild"),
     ("nicht erfüllt r1a", "cancelled"), ("r1a nieaktywny", "cancelled"), ("отменён r1a", "cancelled"), ("r1a", "up")],
)  # fmt: skip
def test_marks_in_any_language(text, face):
    from orbis_search.notation.common import split_mark

    assert (split_mark(text)[0].value, split_mark(text)[1]) == (face, "r1a")


@pytest.mark.parametrize(
    "text",
    ["r2gb3", "2 rote, 1 grüner, 3 blaue", "2 czerwone, 1 zielony, 3 niebieskie", "2 красных, 1 зелёный, 3 синих",
     "rot 2 grün blau 3"],
)  # fmt: skip
def test_worshipers_in_any_language(text):
    from orbis_search.notation import parse_worshipers

    assert str(parse_worshipers(text)) == "r2gb3"
    for nobody in ("-", "niemand", "nikt", "никого", "keine", "brak"):
        assert parse_worshipers(nobody).total == 0


@pytest.mark.parametrize("text", ["b3 Wildnis 1L", "b3 pustkowie links", "b3 пустошь слева", "b3 wild 1L"])
def test_moves_in_any_language(text):
    position = read_position(example_text("middle"))
    assert parse_move(text, position) == parse_move("b3 wild 1L", position)
    assert (
        parse_move("Gottheit Natur", position)
        == parse_move("бог природа", position)
        == parse_move("god nature", position)
    )


def test_no_word_means_two_things():
    """Within positions, within tiles, and between the two where both can stand: in a row, a cell, a move."""
    meanings: dict[str, set[str]] = {}

    def add(word: str, meaning: str) -> None:
        meanings.setdefault(fold(word), set()).add(meaning)

    for english, words in WORDS.items():
        for word in (english, *words):
            add(word, english)
    for word, colour in COLOUR_OF.items():
        add(word, f"colour {colour}")
    for effect, words in EFFECT_WORDS.items():
        for word in words:
            add(word, f"effect {effect.word}")
    for key, words in KEYWORDS.items():
        for word in words:
            add(word, key)
    same = {"cancelled", "valid", "none", "and", "no", "gain", "give", "l"}  # the same in tiles as in positions
    clashes = {
        word: found for word, found in meanings.items() if len(found) > 1 and word not in allowed_clash(found, same)
    }
    assert clashes == {}


def allowed_clash(found: set[str], same: set[str]) -> set[str]:
    """`none` is no god, no effect and no star; `gain` an effect and what a move says; fillers mean nothing."""
    fine = [
        {"none", "effect none"},
        {"gain", "effect proselytism"},
        {"and", "filler"},
        {"give", "filler"},
        {"no", "keyword no"},
        {"l", "level"},
    ]
    return {
        word for word in ("none", "gain", "and", "und", "и", "give", "no", "l") if any(found == each for each in fine)
    }


def test_colours_of_all_languages_differ():
    by_word: dict[str, set[object]] = {}
    for word, colour in COLOUR_OF.items():
        by_word.setdefault(word, set()).add(colour)
    assert all(len(found) == 1 for found in by_word.values())
    assert all(len({star for each, star in STAR_OF.items() if each == word}) == 1 for word in STAR_OF)
    assert set(STAR_STEMS) == {Star.WHITE, Star.PURPLE}
    assert set(KEYWORD_OF.values()) == set(KEYWORDS)


def test_words_for_people_are_words_that_are_understood():
    for name in LANGUAGES:
        with speaking(name):
            for colour in Colour:
                assert COLOUR_OF[fold(colour.label)] is colour
            for god in God:
                assert canonical(god.label) == god.word


def test_a_command_is_shown_by_a_word_that_stands_for_it(lang):
    for command in (*TYPED, "hint"):
        shown = shown_command(command)
        assert command_word(shown) == command_word(command), shown
        assert shown != command or (command == "menu" and lang == "pl")


@pytest.mark.parametrize(
    "name, words",
    [
        ("de", ["zurück", "geh b2", "überspringen"]),
        ("pl", ["wstecz", "idź b2", "pomiń"]),
        ("ru", ["назад", "перейти b2", "пропустить"]),
    ],
)
def test_help_on_a_question_names_the_words_of_its_language(run, tmp_path, name, words):
    told = run("edit", str(tmp_path / "new.toml"), lang=name, stdin=b"?\n").out
    assert [word for word in words if word not in told] == []
    assert not re.search(r"\b(?:back|skip|quit|keep)\b", told)


@pytest.mark.parametrize(
    "name, words",
    [("de", ["Rat", "zurücknehmen", "Ende"]), ("pl", ["rada", "cofnij", "koniec"]), ("ru", ["совет", "отменить", "выход"])],
)  # fmt: skip
def test_the_list_of_commands_names_the_words_of_its_language(run, tmp_path, name, words):
    told = run("track", str(tmp_path / "new.orbis"), lang=name, stdin=b"00\n").out
    listed = [line.split()[2] for line in told.splitlines() if re.match(r" +\d+  \S  \S", line)]
    assert len(listed) > 8 and set(words) < set(listed)
    assert not set(listed) & (set(TYPED) - {"menu"})


@pytest.mark.parametrize(
    "text, part",
    [
        ("Auslage", "centre"), ("Spieler", "players"), ("Spieler 1 Ebene 2", "player 1 row 2"), ("Stapel", "piles"),
        ("Anna Vorrat", "Anna realm"), ("środek", "centre"), ("gracz 2 królestwo", "player 2 realm"),
        ("Bo bóg", "Bo god"), ("центр", "centre"), ("игрок 1 ряды", "player 1 rows"), ("боги", "gods"),
    ],
)  # fmt: skip
def test_edit_goes_to_a_part_named_in_any_language(text, part):
    from orbis_search.entry.draft import sheet_of
    from orbis_search.entry.position_steps import steps_of

    position = read_position(example_text("middle"))
    names = [player._replace(name=name) for player, name in zip(position.players, ("Anna", "Bo"))]
    sheet = sheet_of(position._replace(players=tuple(names)))
    assert steps_of(sheet, text) == steps_of(sheet, part)


def test_no_word_stands_for_two_parts():
    words = [fold(word) for part, others in PARTS.items() for word in (part, *others)]
    assert len(words) == len(set(words))
    assert part_words("anna") == "anna"


def test_problems_are_told_in_the_language(lang):
    position = read_position(example_text("middle"))
    (problem,) = problems(position._replace(gods=position.gods[:1]))
    assert problem.place == "gods"
    assert {"de": "Gottheiten", "pl": "bogów", "ru": "богов"}[lang] in problem.message
    with pytest.raises(InputError, match={"de": "erwartet", "pl": "oczekiwano", "ru": "ожидал"}[lang]):
        parse_move("d4", position)


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_picture_speaks_the_language(run, name):
    done = run("show", "--svg", "-", lang=name)
    assert done.code == 0
    words = {"de": ["Gottheiten", "Stapel", "Vorrat", "Auslage"], "pl": ["Bogowie", "Stosy", "królestwo"],
             "ru": ["Боги", "Стопки", "круг"]}[name]  # fmt: skip
    for word in words:
        assert word in done.out
    shown = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", done.out))
    assert english_left(shown, name) == []
