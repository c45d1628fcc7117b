"""The documents against the program: what they show is run, what they name exists, every command is named.

A fenced block is run if its info string says what it is:

    toml position [FILE]   reads as a position without a problem (also json, and text for the one-line form);
                           with FILE it is kept for the blocks behind it
    text tiles-part        lines of a tile set: each tile is sound, though there are fewer than 65
    toml file FILE         only kept (also text), for a console example that shows what is wrong with it
    console                each `$ orbis ...` is run; what is shown below it is its whole output, or its
                           beginning if the last line shown is `...`
    python                 run; as a doctest if it has prompts

The blocks of one document share a directory and the names that Python blocks define. Blocks marked `text`
or `sh` alone, or not at all, are only read by people; any other mark is a slip.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

import orbis_search
from orbis_search.base.errors import InputError
from orbis_search.cli.group import orbis
from orbis_search.cli.main import main
from orbis_search.cli.translation import translated
from orbis_search.notation import read_position
from orbis_search.tileset.files import parse_tile_set

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCUMENTS = [*sorted((ROOT / "docs").glob("*.md")), README]
GUIDES = [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]  # for reading; nothing in them is run
UNTESTED = ("", "text", "sh", "{toctree}", "{eval-rst}")


class Block(NamedTuple):
    place: str  # file:line of the fence
    info: str
    text: str

    @property
    def is_tested(self) -> bool:
        return self.info not in UNTESTED


def blocks_of(document: Path) -> list[Block]:
    found: list[Block] = []
    start, info, lines = 0, None, []
    for number, line in enumerate(document.read_text("utf-8").splitlines(), start=1):
        fence = re.fullmatch(r" *```(.*)", line)
        if fence is None:
            lines.append(line)
        elif info is None:
            start, info, lines = number, fence[1].strip(), []
        else:
            text = textwrap.dedent("".join(f"{each}\n" for each in lines))
            found.append(Block(f"{document.name}:{start}", info, text))
            info = None
    assert info is None, f"{document.name}:{start}: the block does not end"
    return found


def prose_of(document: Path) -> str:
    return re.sub(r"(?ms)^ *```.*?^ *```$", "", document.read_text("utf-8"))


# --- running the blocks


class Session:
    """One document's blocks, run in order in a directory of their own."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def run(self, block: Block) -> None:
        if kept := re.fullmatch(r"(?:toml|text) file (\S+)", block.info):
            Path(kept[1]).write_text(block.text, "utf-8")
        elif position := re.fullmatch(r"(?:toml|json|text) position(?: (\S+))?", block.info):
            self.position(block, position[1])
        elif block.info == "text tiles-part":
            self.tiles(block)
        elif block.info == "console":
            self.console(block)
        elif block.info == "python":
            self.python(block)
        else:
            pytest.fail(f"{block.place}: {block.info!r} does not say how to test the block")

    def position(self, block: Block, file: str | None) -> None:
        try:
            read_position(block.text, block.place)
        except InputError as error:
            pytest.fail(str(error))
        if file:
            Path(file).write_text(block.text, "utf-8")

    def tiles(self, block: Block) -> None:
        with pytest.raises(InputError) as caught:
            parse_tile_set(f"tiles = [\n{block.text}]\n", "part", "part")
        counts = re.compile(r"part, (tiles|level [123])$")
        assert [problem for problem in caught.value.problems if not counts.match(problem.place)] == []

    def console(self, block: Block) -> None:
        shown = re.split(r"(?m)^\$ (.*)\n", block.text)
        assert shown[0] == "" and len(shown) > 1, f"{block.place}: expected `$ orbis ...` in the first line"
        for command, expected in zip(shown[1::2], shown[2::2]):
            found = self.command(command, block.place)
            if expected.endswith("...\n"):
                expected = expected.removesuffix("...\n")
                assert len(found) > len(expected), f"{block.place}: nothing follows where `...` stands"
                found = found[: len(expected)]
            assert found == expected, f"{block.place}: {command}"

    def command(self, line: str, place: str) -> str:
        """What a terminal would show: stages joined by `|`, with `< FILE`, the last perhaps with `> FILE`."""
        output, problems = b"", ""
        for stage, target in stages(line):
            if "<" in stage:
                at = stage.index("<")
                output, stage = Path(stage[at + 1]).read_bytes(), stage[:at]
            assert stage[0] == "orbis", f"{place}: only orbis is run here, not {stage[0]}"
            code, output, problems = self.call(stage[1:], output)
            assert code == (2 if problems else 0), f"{place}: {line} ended with {code}\n{problems}"
            if target is not None:
                Path(target).write_bytes(output)
                output = b""
        return output.decode("utf-8") + problems

    def call(self, arguments: list[str], given: bytes) -> tuple[int, bytes, str]:
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n", write_through=True)
        problems = io.StringIO()
        with self.patch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", problems)
            code = main(arguments)
        return code, out.buffer.getvalue(), problems.getvalue()

    def python(self, block: Block) -> None:
        if ">>>" not in block.text:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block.text, block.place, "exec"), self.names)
            return
        test = doctest.DocTestParser().get_doctest(block.text, self.names, block.place, block.place, 0)
        report: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(test, out=report.append, clear_globs=False)
        self.names.update(test.globs)
        assert runner.failures == 0, "".join(report)


def stages(line: str) -> Iterator[tuple[list[str], str | None]]:
    """The words of each command of a line, and the file its output goes to."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|<>&")
    lexer.whitespace_split = True
    words: list[str] = []
    for word in [*lexer, "|"]:
        if word in ("|", "&&"):
            target = None
            if ">" in words:
                at = words.index(">")
                words, target = words[:at], words[at + 1]
            yield words, target
            words = []
        else:
            words.append(word)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_examples_run(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tested = [block for block in blocks_of(document) if block.is_tested]
    assert tested, f"{document.name} shows nothing that is tested"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")  # of the help
    session = Session(monkeypatch)
    for block in tested:
        session.run(block)


# --- the commands


def commands(command: click.Command = orbis, name: str = "orbis") -> Iterator[tuple[str, click.Command]]:
    """Every command with its full name, groups left out."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for child in command.list_commands(context):
        found = command.get_command(context, child)
        assert found is not None
        yield from commands(found, f"{name} {child}")


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_in_the_documents(name: str) -> None:
    texts = [document.read_text("utf-8") for document in DOCUMENTS if document.exists()]
    assert any(re.search(rf"\b{name}\b", text) for text in texts)


def command_lines(document: Path) -> Iterator[str]:
    """Every command line a document shows: in its blocks and in the middle of a sentence."""
    for block in blocks_of(document):
        for line in block.text.splitlines():
            if match := re.match(r"(?:\$ )?((?:pip .* && )?orbis .*)", line):
                yield match[1]
    yield from re.findall(r"`(orbis [^`]+)`", prose_of(document))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_and_options_exist(document: Path) -> None:
    for line in command_lines(document):
        for words, _ in stages(line):
            if words[:1] == ["orbis"] and len(words) > 1:
                check_command_line(f"{document.name}: {line}", words[1:])


def check_command_line(place: str, words: list[str]) -> None:
    command: click.Command = translated(orbis)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        if words[0].isupper() or words[0] == "...":  # COMMAND stands for any
            return
        found = command.get_command(click.Context(command), words[0])
        assert found is not None, f"{place}: no command {words[0]}"
        command, words = found, words[1:]
    known = {
        name
        for parameter in command.get_params(click.Context(command))
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    known |= {"--help", "-h"}
    for word in words:
        if re.match(r"-{1,2}[a-z]", word):
            assert word.split("=")[0] in known, f"{place}: no option {word}"


# --- links


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose_of(document)):
        if re.match(r"https?:", target):
            continue
        file, _, anchor = target.partition("#")
        there = document.parent / file if file else document
        assert there.exists(), f"{document.name}: {target}"
        if anchor:
            assert anchor in anchors(there), f"{document.name}: {target}"


def anchors(document: Path) -> set[str]:
    """The headings as the usual renderers name them."""
    headings = re.findall(r"(?m)^#+ (.*)$", prose_of(document))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


# --- the guides, and the pages as a whole


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.name)
def test_guides_name_what_exists(guide: Path) -> None:
    test_links_lead_somewhere(guide)
    for line in command_lines(guide):
        for words, _ in stages(line):
            if words[:1] == ["orbis"] and len(words) > 1:
                check_command_line(f"{guide.name}: {line}", words[1:])
    for script in re.findall(r"python ((?:tests|benchmarks)/\S+\.py)", guide.read_text("utf-8")):
        assert (ROOT / script).exists(), script


def test_the_documents_build_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="the docs extra is not installed")
    pytest.importorskip("myst_parser", reason="the docs extra is not installed")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", str(ROOT / "docs"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    pages = {path.stem for path in tmp_path.glob("*.html")}
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} <= pages


def test_the_api_page_has_every_public_name() -> None:
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    listed = re.findall(r"(?m)^\.\. auto(?:class|function|exception):: (\w+)$", text)
    assert sorted(listed) == sorted(name for name in orbis_search.__all__ if name != "__version__")
