"""`orbis edit`: a position asked for step by step, drawn as it grows, left and taken up again at will."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import click

from ...base.errors import InputError, Problem
from ...base.held_files import HeldFile
from ...base.language import N_, _
from ..options import (
    color_option,
    json_option,
    load_tiles,
    place_of,
    read_bytes,
    read_text,
    rebased_tiles,
    tiles_option,
    wants_colour,
    write,
    write_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...entry.data import EditReport, Exchange
    from ...entry.draft import Sheet
    from ...entry.position_dialog import Editor, Reply
    from ...game.position import Position
    from ...game.tiles import TileSet

INTERRUPTED = 130
DEFAULT_FILE = "game.toml"


@click.command()
@click.argument("file", metavar="[FILE]", required=False)
@tiles_option(N_("Tile set: a file, a built-in name, or random:SEED."))
@click.option("--fresh", is_flag=True, help="Start from FILE itself, not from its draft.")
@color_option
@json_option
def edit(file: str | None, tiles: str | None, fresh: bool, color: str, as_json: bool) -> None:
    """Describe a position step by step, or change the one in FILE.

    Asks for the players, the nine cells, every universe, realms and gods, and
    draws the table after each answer. Name a tile by a few words of what is
    printed on it (blue irrigation g, or b gba for its cost); Tab, or the list
    under the line, shows the tiles that fit and are not on the table yet.

    At any question, ? explains it, back goes back, skip leaves it for later,
    go b2 goes to a part, quit leaves. Your answers are saved in FILE.draft as you
    give them, and orbis edit FILE continues from there. Answers can also come
    from a script on standard input, one per line; with --json the only output is
    a report of what became of each.

    Without FILE, a new game.toml is made (game-2.toml if that exists). An
    existing file is rewritten, and comments in it are lost.
    """
    if file == "-":
        raise click.UsageError(_("FILE: a position is edited in a file, so it cannot be -."))
    if tiles == "-":
        raise click.UsageError(_("--tiles: a position has to name its tile set, so it cannot come from -."))
    if as_json and sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError(_("--json is for scripts: it takes the answers from a file or a pipe."))
    path = file or _free_name()
    with closing(HeldFile(_draft_of(path))) as draft:
        session = _Session(path, draft, tiles, fresh, wants_colour(color), as_json)
        code = session.run()
    if as_json:
        from ...entry.json import edit_to_json

        write_json(edit_to_json(session.report()))
    raise click.exceptions.Exit(code)


def _free_name() -> str:
    """The draft that was left last, or else a name that nothing has."""
    stem, ending = os.path.splitext(DEFAULT_FILE)
    number = 1
    while True:
        name = DEFAULT_FILE if number == 1 else f"{stem}-{number}{ending}"
        if os.path.exists(_draft_of(name)) or not os.path.exists(name):
            return name
        number += 1


def _draft_of(path: str) -> str:
    return f"{path}.draft"


class _Session:
    """One conversation: the editor's questions to the terminal and the answers back."""

    def __init__(self, path: str, draft: HeldFile, tiles: str | None, fresh: bool, colour: bool, silent: bool) -> None:
        from ...entry.learning import Learning
        from ...entry.position_dialog import Editor

        self.path, self.draft, self.draft_path, self.colour = path, draft, draft.path, colour
        self.silent = silent
        self.exchanges: list[Exchange] = []  # for a report
        self.status = "unchanged"  # then "kept" as a draft, or "written"
        self.name = place_of(path)
        self.folder = os.path.dirname(path) or "."
        self.form = "toml"
        self.notes: list[str] = []
        self.problems: list[Problem] = []
        self.given = self._named(tiles) if tiles else None
        self.takes_up = not fresh and os.path.exists(self.draft_path)
        sheet, left_at = self._begin()
        self.before = sheet
        self.editor: Editor = Editor(sheet, left_at, self._named)
        self.kept: str | None = None
        self.learning = Learning(os.path.dirname(path))
        self.learning.pass_over(self.editor.tiles())

    # Where it starts.

    def _begin(self) -> tuple[Sheet, str]:
        from ...entry.draft import Sheet, read_draft, sheet_of
        from ...notation import read_position
        from ...record.form import is_game
        from ...tileset.library import load_tile_set

        def load(name: str) -> TileSet:
            return self.given or load_tile_set(name, self.folder)

        if self.takes_up:
            found = read_draft(read_text(self.draft_path, "draft"), place_of(self.draft_path), load)
            self.notes.append(_("Continuing {file} where you left off.", file=place_of(self.draft_path)))
            if os.path.exists(self.path) and os.path.getmtime(self.path) > os.path.getmtime(self.draft_path):
                self.notes.append(_("{file} has changed since; --fresh starts from it instead.", file=self.name))
            self.problems = found.problems
            return found.sheet, found.left_at
        if not os.path.exists(self.path):
            self.notes.append(
                _("A new position: {file}. ? explains, back goes back, quit saves and leaves.", file=self.name)
            )
            return Sheet(tiles=self.given), ""
        data = read_bytes(self.path, "position")
        if is_game(data.decode("utf-8", "replace")):  # what is written over it would be a position
            message = _(
                "expected a position, found a game; orbis show {file} --toml -o FILE writes its position",
                file=self.name,
            )
            raise InputError.one(self.name, message)
        start = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
        self.form = "json" if start == b"{" else "oneline" if start in (b"o", b"O") else "toml"
        try:
            position: Position = read_position(data, self.name, self.folder, self.given)
        except InputError as error:
            try:
                if self.form != "toml":
                    raise error
                found = read_draft(read_text(self.path, "position"), self.name, load)
            except InputError:
                raise error from None
            self.notes.append(_("{file} is not complete yet:", file=self.name))
            self.problems = list(error.problems)
            return found.sheet, found.left_at
        self.notes.append(_("{file}: name a part to change it. ? explains; quit leaves.", file=self.name))
        return sheet_of(position), ""

    def _named(self, name: str) -> TileSet:
        """A tile set as somebody in this folder calls it, renamed as the position file sees it."""
        from ...tileset.library import load_tile_set

        if name != "-" and not os.path.isfile(name) and os.path.isfile(os.path.join(self.folder, name)):
            return load_tile_set(name, self.folder)
        return rebased_tiles(load_tiles(name), ".", self.path)

    # The conversation.

    def run(self) -> int:
        """The exit code, once somebody has finished or left."""
        try:
            self._talk()
        except (KeyboardInterrupt, EOFError):
            self._keep()
            if self.kept is None and not self.silent:
                raise KeyboardInterrupt from None
            if not self.silent:
                print(
                    "\n"
                    + _(
                        "orbis: saved in {draft}; continue with: orbis edit {file}",
                        draft=place_of(self.draft_path),
                        file=self.name,
                    ),
                    file=sys.stderr,
                )
            return INTERRUPTED
        return 0

    def report(self) -> EditReport:
        from ...entry.data import EditReport

        problems = tuple(self.editor.problems())
        is_over = not problems and self.editor.position().is_over
        return EditReport(self.path, self.status, self.draft_path, problems, is_over, tuple(self.exchanges))

    def _say(self, text: str) -> None:
        if not self.silent:
            write(text)

    def _talk(self) -> None:
        from ...entry.data import Exchange
        from ...entry.position_dialog import Reply
        from ...entry.position_questions import HINTS
        from ...entry.position_steps import MENU
        from ...entry.text import edit_text, summary_text
        from ..asking import asker, read_answer

        ask = (lambda *_: read_answer()) if self.silent else asker(self.editor.complete)
        self._show(Reply(tuple(self.notes), tuple(self.problems)))
        at_menu = False
        hinted = set()
        while True:
            if self.editor.step == MENU and not at_menu:
                self._say(summary_text(self.editor, self.path, colour=self.colour))
            at_menu = self.editor.step == MENU
            kind = self.editor.step.kind
            if kind in HINTS and kind not in hinted:
                hinted.add(kind)
                self._say(_(HINTS[kind]) + "\n")
            question = self.editor.question()
            answer = ask(question.text, question.current)
            reply = self.editor.answer(answer)
            self.exchanges.append(Exchange(question.text.strip(), answer.strip(), reply.problems))
            if reply.end:
                (self._leave if reply.end == "quit" else self._finish)()
                self._say(edit_text(self.report()))
                return
            self._keep()
            self._show(reply)
            self._learn(ask)

    def _learn(self, ask: Callable[[str, str], str]) -> None:
        """Offers to keep what was described in this answer, and goes on with a set that has it."""
        from ...entry.data import Exchange

        while (tile := self.learning.next(self.editor.tiles())) is not None:
            tiles = self.editor.sheet.tile_set
            question = self.learning.question(tile, tiles)
            wanted = None
            while wanted is None:
                self._say("".join(f"  {line}\n" for line in question.above))
                answer = " ".join(ask(question.text, "").split())
                problems: tuple[Problem, ...] = ()
                try:
                    wanted = self.learning.wants(answer, question)
                    if wanted:
                        learned, told = self.learning.keep(tile, tiles, self.editor.tiles())
                        self._say(f"  {told}\n")
                        self.editor.change_tiles(learned)
                        self._keep()
                except InputError as error:
                    problems = error.problems
                    self._say(f"  {problems[0].message}\n")
                self.exchanges.append(Exchange(question.text.strip(), answer, problems))

    def _show(self, reply: Reply) -> None:
        from ...entry.text import reply_text

        self._say(self.editor.draw(reply.part, self.colour) + reply_text(reply))

    # Where it ends.

    def _keep(self) -> None:
        """The draft, after each answer: whatever happens then, nothing is lost."""
        if self.editor.sheet == self.before and not self.takes_up:
            return
        draft = self.editor.draft()
        if draft is not None and draft != self.kept:
            self.draft.keep(draft.encode("utf-8"))
            self.kept, self.status = draft, "kept"

    def _leave(self) -> None:
        self._keep()
        if self.kept is not None or self.takes_up:
            self.status = "kept"

    def _finish(self) -> None:
        from ... import notation

        if self.editor.sheet == self.before and not self.takes_up:
            self.status = "unchanged"
            if self.kept is not None:
                self.draft.remove()  # of what was taken back
            return
        writer = {"toml": notation.write_toml, "json": notation.write_json, "oneline": notation.write_oneline}
        write(writer[self.form](self.editor.position()).rstrip("\n") + "\n", self.path)
        self.draft.remove()
        self.status = "written"
