"""A position asked for step by step: what to ask next, what an answer means, and what is wrong with it.

There is no terminal here. `Editor.question` is what to ask, `Editor.answer` takes a line and reports the outcome,
`Editor.complete` says how a line being typed could go on. Showing it is up to the terminal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..base.errors import InputError, Problem
from ..base.language import N_, _, ngettext
from ..base.names import player_place
from ..base.quoting import fold, shown
from ..base.synonyms import command_word, shown_command
from ..drawing.labels import player_name
from ..drawing.terminal import render_centre, render_gods, render_position, render_universe
from ..game.position import Cell, Placed, Position
from ..game.problems import cell_place, find_problems, pile_place
from ..game.tiles import DEFAULT_TILE_SET, Tile, TileSet
from ..game.vocabulary import CELLS, TURNS, Face
from ..notation import read_position
from ..notation.common import GOD_TITLE, NONE, Reading, parse_worshipers, plain_word, split_mark
from ..tileset.descriptions import tell
from ..tileset.library import load_tile_set
from ..tileset.matching import best_matching, matching
from .completions import Completion, complete_answer
from .draft import GodChoice, Load, PlayerSheet, Sheet, position_so_far, read_draft, write_draft
from .names import god_of, names_of
from .position_questions import WORDS, Question, help_on, question_of
from .position_steps import (
    MENU,
    Step,
    all_steps,
    gods_left,
    grows,
    is_answered,
    missing_steps,
    name_of,
    room,
    row_of,
    steps_of,
)
from .position_tiles import SeveralTiles, cell_parts, find_tile, read_slot, row_parts, tiles_in_use, tiles_on


class Reply(NamedTuple):
    notes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    options: tuple[Tile, ...] = ()  # to choose from, by number
    part: Step | None = None  # what to draw: what has changed
    end: str = ""  # "written" when the position is to be written, "quit" when the draft is to be kept


@dataclass(frozen=True, slots=True)
class _State:
    sheet: Sheet
    agenda: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class _Pick:
    """An answer with a part that fits several tiles."""

    parts: tuple[str, ...]
    at: int
    tail: str  # behind the last part
    options: tuple[Tile, ...]


class Editor:
    def __init__(self, sheet: Sheet | None = None, left_at: str = "", load: Load = load_tile_set) -> None:
        self._load = load
        self._history: list[_State] = []
        self._pick: _Pick | None = None
        self._refused: _State | None = None
        self._state = _State(sheet or Sheet(), ())
        missing = () if left_at == MENU.kind else missing_steps(self.sheet)
        if left_at not in ("", MENU.kind) and self.sheet.players:
            try:
                (at, *_) = steps_of(self.sheet, left_at)
                order = all_steps(self.sheet)
                later = order[order.index(at) :] if at in order else ()
                missing = (at, *(step for step in missing if step in later and step != at))
            except InputError:
                pass  # a draft that was written by hand
        self._state = _State(self.sheet, missing)
        self._settle()

    @property
    def sheet(self) -> Sheet:
        return self._state.sheet

    @property
    def step(self) -> Step:
        return self._state.agenda[0] if self._state.agenda else MENU

    # What to ask.

    def _settle(self) -> None:
        """Skip what has only one answer: rows where nothing can lie, gods when all are taken."""
        while self._state.agenda:
            step, sheet = self._state.agenda[0], self.sheet
            if step.kind == "row" and room(self.sheet, step) == 0 and not row_of(self.sheet, step):
                player = sheet.players[step.index]
                if player.rows[step.row - 2] is not None:  # or leave it for later, like the row below
                    sheet = sheet.with_player(step.index, player.with_row(step.row, ()))
            elif step.kind == "gods" and sheet.gods is None and gods_left(self.sheet) == 0:
                sheet = replace(sheet, gods=())
            else:
                return
            self._state = _State(sheet, self._state.agenda[1:])

    def question(self) -> Question:
        if self._pick is not None:
            wanted = self._pick.parts[self._pick.at].partition("|")[0].strip()
            return Question(_("Which is {words}? A number, or more words: ", words=shown(wanted)), "")
        return question_of(self.sheet, self.step)

    # Answers.

    def answer(self, line: str) -> Reply:
        """The outcome of a line: it was taken, or something is wrong, or there is a choice."""
        text = " ".join(line.split())
        pick, self._pick = self._pick, None
        refused, self._refused = self._refused, None
        word, _blank, rest = text.partition(" ")
        word = command_word(word)
        if text == "?" or (word == "help" and not rest):
            self._pick, self._refused = pick, refused
            return Reply(notes=tuple(help_on(self.step).splitlines()))
        if word == "go" and rest:
            return self._go(rest)
        if not rest and word in ("back", "skip", "show", "menu", "quit", "keep"):
            if word == "keep" and refused is None:
                return self._wrong("", _("expected an answer to keep, found none"))
            if word == "keep" and refused is not None:
                return self._move(refused)
            if word == "back" and pick is not None:
                return Reply()
            replies: dict[str, Callable[[], Reply]] = {
                "back": self._back,
                "skip": self._skip,
                "show": lambda: Reply(part=MENU),
                "menu": self._to_menu,
                "quit": lambda: Reply(end="quit"),
            }
            return replies[word]()
        try:
            if pick is not None:
                return self._take_pick(pick, text)
            return self._take(text)
        except InputError as error:
            self._pick = pick
            return Reply(problems=error.problems)

    def _wrong(self, place: str, message: str) -> Reply:
        return Reply(problems=(Problem(place, message),))

    def _move(self, state: _State, notes: Iterable[str] = (), problems: Iterable[Problem] = ()) -> Reply:
        """On to the next question."""
        step = self.step
        self._history.append(self._state)
        self._state = state
        self._settle()
        return Reply(tuple(notes), tuple(problems), part=None if step.kind in ("tiles", "most") else step)

    def _back(self) -> Reply:
        if not self._history:
            order = all_steps(self.sheet)
            at = order.index(self.step) if self.step in order else len(order)
            if at == 0:
                return self._wrong("", _("expected a step before this one, found none"))
            self._state = _State(self.sheet, (order[at - 1], *self._state.agenda))
            return Reply()
        before = self._history.pop()
        # The answer stays and Enter keeps it; a row entered tile by tile loses its last tile.
        if self.sheet.growing is not None or before.sheet.growing is not None:
            self._state = before
        else:
            self._state = _State(self.sheet, before.agenda if before.sheet.players else all_steps(self.sheet))
        return Reply()

    def _skip(self) -> Reply:
        if self.step.kind == "menu":
            return self._wrong("", _("expected a part or Enter, found nothing to skip here"))
        if self.step.kind == "players":
            return self._wrong("players", _first_players("skip"))
        sheet = self.sheet
        if self.step.kind == "row" and grows(self.sheet, self.step):
            sheet = replace(sheet, growing=None)
        self._history.append(self._state)
        self._state = _State(sheet, self._state.agenda[1:])
        self._settle()
        return Reply()

    def _to_menu(self) -> Reply:
        if not self.sheet.players:
            return self._wrong("players", _first_players("menu"))
        self._history.append(self._state)
        self._state = _State(replace(self.sheet, growing=None), ())
        return Reply()

    def _go(self, text: str) -> Reply:
        if not self.sheet.players:
            return self._wrong("players", _first_players("go"))
        try:
            steps = steps_of(self.sheet, text)
        except InputError as error:
            return Reply(problems=error.problems)
        self._history.append(self._state)
        rest = tuple(step for step in self._state.agenda if step not in steps)
        self._state = _State(replace(self.sheet, growing=None), (*steps, *rest))
        return Reply()

    def _take(self, text: str) -> Reply:
        step = self.step
        if step.kind == "menu":
            return self._menu(text)
        if not text and is_answered(self.sheet, step) and not grows(self.sheet, step):
            return self._move(_State(self.sheet, self._state.agenda[1:]))
        takers: dict[str, Callable[[str], Reply]] = {
            "players": self._take_players,
            "tiles": self._take_tiles,
            "cell": self._take_cells,
            "row": self._take_row,
            "realm": self._take_realm,
            "god": self._take_god,
            "gods": self._take_gods,
            "pile": self._take_pile,
            "most": self._take_most,
        }
        return takers[step.kind](text)

    def _take_pick(self, pick: _Pick, text: str) -> Reply:
        """The choice among tiles: by number or by more words. A tile that contradicts the words before is neither: as a
        new answer it would drop the worshipers that were entered with them."""
        if not text:
            message = N_("expected a number from 1 to {most}, more words, or back, found nothing")
            raise InputError.one("", _(message, most=len(pick.options)))
        if re.fullmatch(r"[0-9]{1,3}", text) and not 1 <= int(text) <= len(pick.options):
            message = N_("expected a number from 1 to {most}, found {found}")
            raise InputError.one("", _(message, most=len(pick.options), found=text))
        if re.fullmatch(r"[0-9]{1,3}", text):
            tile = pick.options[int(text) - 1].id
        else:
            fitting = best_matching(text, pick.options)
            if not fitting:
                message = N_(
                    "expected a number from 1 to {most}, words that fit one of these tiles, or back to answer anew, "
                    "found {found}"
                )
                raise InputError.one("", _(message, most=len(pick.options), found=shown(text)))
            if len(fitting) > 1:
                self._pick = replace(pick, options=tuple(fitting))
                return Reply(options=tuple(fitting))
            tile = fitting[0].id
        old, bar, worshipers = pick.parts[pick.at].partition("|")
        mark = {Face.UP: "", Face.CANCELLED: "cancelled ", Face.WILD: "wild "}[split_mark(old)[0]]
        if self.step.kind == "cell":
            mark = ""
        part = f"{mark}{tile}{' | ' if bar else ''}{worshipers.strip()}"
        parts = (*pick.parts[: pick.at], part, *pick.parts[pick.at + 1 :])
        return self._take(", ".join(parts) + pick.tail)

    def _accept(
        self, sheet: Sheet, places: Sequence[str], agenda: tuple[Step, ...] | None = None, notes: Iterable[str] = ()
    ) -> Reply:
        """Take an answer unless it makes something wrong in one of its own places.

        What it makes wrong elsewhere, or overall, is shown and must be put right before the end.
        """
        known = set(self._problems(self.sheet))
        found = [problem for problem in self._problems(sheet) if problem not in known]
        own = [problem for problem in found if any(_within(problem.place, place) for place in places)]
        state = _State(sheet, self._state.agenda[1:] if agenda is None else agenda)
        if own:
            self._refused = state
            return Reply(problems=tuple(own), notes=(_("Correct it here, or type keep if another answer was wrong."),))
        return self._move(state, notes, found)

    def _problems(self, sheet: Sheet) -> list[Problem]:
        if not sheet.players:
            return []
        return find_problems(*position_so_far(sheet))

    # One for each kind of step.

    def _take_players(self, text: str) -> Reply:
        sheet = self.sheet
        listed = names_of(text, [player.name for player in sheet.players])
        players = [*sheet.players, *(PlayerSheet() for _ in listed)][: len(listed)]
        sheet = replace(sheet, players=tuple(replace(player, name=name) for player, name in zip(players, listed)))
        problems = [each for each in self._problems(sheet) if each.place.endswith(", name")]
        if problems:
            raise InputError(problems)
        self._history.append(self._state)
        rest = self._state.agenda[1:]
        same = len(listed) == len(self.sheet.players)
        self._state = _State(sheet, rest)
        if not same:  # newcomers are asked about, those who left are not
            missing = missing_steps(self.sheet)
            steps = [step for step in all_steps(self.sheet) if step in rest or step in missing]
            self._state = _State(sheet, tuple(steps))
        self._settle()
        return Reply()

    def _take_tiles(self, text: str) -> Reply:
        tiles = self._load(text or DEFAULT_TILE_SET)
        sheet = replace(self.sheet, tiles=tiles)
        if not sheet.players or (self.sheet.tiles is None and not any(self.sheet.cells)):
            return self._move(_State(sheet, self._state.agenda[1:]))
        # Tiles keep their names; those that are not in the new set are asked for again.
        found = read_draft(write_draft(sheet), "", lambda _: tiles)
        if found.problems:
            note = _("These are not in the new tile set and must be entered again:")
            return self._move(_State(found.sheet, self._state.agenda[1:]), [note], found.problems)
        return self._move(_State(found.sheet, self._state.agenda[1:]))

    def _take_cells(self, text: str) -> Reply:
        first = self.step.index
        place = cell_place(first)
        if not text:
            message = _("expected a tile and its worshipers such as r1a | r2b, found nothing")
            raise InputError.one(place, message)
        parts = cell_parts(self.sheet, text)
        if len(parts) > len(CELLS) - first:
            most = len(CELLS) - first
            message = ngettext(
                "expected one cell from here, found {found}",
                "expected at most {n} cells from here, found {found}",
                most,
                found=len(parts),
            )
            raise InputError.one(place, message)
        sheet = self.sheet
        for at in range(len(parts)):
            sheet = sheet.with_cell(first + at, None)  # what lay there is gone
        for at, part in enumerate(parts):
            index = first + at
            where = cell_place(index)
            tile_words, _bar, worshipers = part.partition("|")
            before = self.sheet.cells[index]
            try:
                if not tile_words.strip() and before is not None and before.tile is not None:
                    tile = before.tile
                else:
                    tile = find_tile(tile_words, sheet, where)
            except SeveralTiles as several:
                return self._choose(parts, at, several.options)
            sheet = sheet.with_cell(index, Cell(tile, parse_worshipers(worshipers, where)))
        answered = {Step("cell", first + at) for at in range(len(parts))}
        rest = tuple(step for step in self._state.agenda if step not in answered)
        return self._accept(sheet, [cell_place(step.index) for step in answered], rest)

    def _take_row(self, text: str) -> Reply:
        step = self.step
        player = self.sheet.players[step.index]
        place = f"{player_place(step.index, player.name)}, row {step.row}"
        row: list[Placed | None] = list(row_of(self.sheet, step)) if grows(self.sheet, step) else []
        ended = not text or (plain_word(text) in NONE and not row)
        parts, goes_on = ([], False) if ended else row_parts(self.sheet, text)
        notes = []
        sheet = self._with_row(step, row)
        for at, part in enumerate(parts):
            try:
                placed, note = read_slot(part, sheet, step, len(row))
            except SeveralTiles as several:
                return self._choose(parts, at, several.options, "," if goes_on and len(parts) > 1 else "")
            row.append(placed)
            notes += [note] if note else []
            sheet = self._with_row(step, row)
        # A row entered tile by tile may grow until it is full.
        if goes_on and len(row) < room(self.sheet, step):
            growing = replace(sheet, growing=(step.index, step.row))
            return self._accept(growing, [place], self._state.agenda, notes)
        while row and row[-1] is None:
            row.pop()
        return self._accept(self._with_row(step, row), [place], notes=notes)

    def _with_row(self, step: Step, row: Sequence[Placed | None]) -> Sheet:
        player = self.sheet.players[step.index].with_row(step.row, tuple(row))
        return replace(self.sheet.with_player(step.index, player), growing=None)

    def _take_realm(self, text: str) -> Reply:
        index = self.step.index
        player = self.sheet.players[index]
        place = f"{player_place(index, player.name)}, realm"
        realm = parse_worshipers("" if plain_word(text) == "nobody" else text, place)
        return self._accept(self.sheet.with_player(index, replace(player, realm=realm)), [place])

    def _take_god(self, text: str) -> Reply:
        index = self.step.index
        player = self.sheet.players[index]
        place = f"{player_place(index, player.name)}, god"
        face, name = split_mark(text)
        if name and plain_word(name) not in NONE:
            name = god_of(name, place).word
        reading = Reading()
        god, validated = reading.god(f"cancelled {name}" if face is Face.CANCELLED else name, place)
        reading.raise_if_any("")
        return self._accept(
            self.sheet.with_player(index, replace(player, god_choice=GodChoice(god, validated))), [place]
        )

    def _take_gods(self, text: str) -> Reply:
        words = [] if plain_word(text) in ("", *NONE) else re.split(r"[\s,+]+", text.strip(" ,+"))
        gods = tuple(sorted(god_of(word, "gods") for word in words if plain_word(word) not in ("and", *GOD_TITLE)))
        # The problem names the player who has taken the god, but this answer caused it.
        takers = [f"{player_place(index, player.name)}, god" for index, player in enumerate(self.sheet.players)]
        return self._accept(replace(self.sheet, gods=gods), ["gods", *takers])

    def _take_pile(self, text: str) -> Reply:
        level = self.step.index
        if not text or plain_word(text) in NONE:
            return self._accept(self.sheet.with_pile(level, None), [pile_place(level)])
        parts = [part.strip() for part in text.strip(" ,").split(",")] if "," in text else text.split()
        seen = set(tiles_on(self.sheet))
        pool = [tile for tile in tiles_in_use(self.sheet) if tile.level == level and tile not in seen]
        tiles: list[Tile] = []
        for at, part in enumerate(parts):
            free = [tile for tile in pool if tile not in tiles]
            try:
                tiles.append(find_tile(part, self.sheet, pile_place(level, at), pool=free))
            except SeveralTiles as several:
                return self._choose(parts, at, several.options)
        return self._accept(self.sheet.with_pile(level, tuple(tiles)), [pile_place(level)])

    def _take_most(self, text: str) -> Reply:
        # "none" is the Russian no, which is also the word for no god.
        answers = {"yes": True, "y": True, "true": True} | dict.fromkeys(("no", "n", "none", "false"), False)
        answer = answers.get(plain_word(text))
        if answer is None:
            raise InputError.one("most_at_zero", _("expected yes or no, found {found}", found=shown(text)))
        return self._move(_State(replace(self.sheet, most_at_zero=answer), self._state.agenda[1:]))

    def _menu(self, text: str) -> Reply:
        if text:
            return self._go(text)
        missing = missing_steps(self.sheet)
        if missing:
            self._history.append(self._state)
            self._state = _State(self.sheet, missing)
            self._settle()
            return Reply()
        problems = self.problems()
        return Reply(problems=tuple(problems)) if problems else Reply(end="written")

    # Tiles.

    def tiles(self) -> list[Tile]:
        """Every tile that has been named, in a pile too."""
        return [*tiles_on(self.sheet), *(tile for pile in self.sheet.piles for tile in pile or ())]

    def change_tiles(self, tiles: TileSet) -> None:
        """Goes on with another set that has every tile so far; what was described and is in it has its id then."""
        found = read_draft(write_draft(replace(self.sheet, tiles=tiles)), "", lambda _: tiles)
        if not found.problems:
            self._state = replace(self._state, sheet=found.sheet)

    def _choose(self, parts: Sequence[str], at: int, options: Sequence[Tile], tail: str = "") -> Reply:
        self._pick = _Pick(tuple(parts), at, tail, tuple(options))
        return Reply(options=tuple(options))

    # What could be typed.

    def complete(self, line: str) -> list[Completion]:
        """How the line could go on, best first. What was typed from `start` on is replaced."""
        if self._pick is not None:
            found = [Completion(0, tile.id, tell(tile)) for tile in matching(line, self._pick.options)]
        else:
            found = complete_answer(self.sheet, self.step, line)
        words = [
            Completion(0, shown_command(word), _(meaning))
            for word, meaning in WORDS.items()
            if line and any(fold(each).startswith(fold(line)) for each in (shown_command(word), word))
        ]
        return found + words

    # The whole.

    def problems(self) -> list[Problem]:
        """Everything that `orbis check` would report so far."""
        try:
            self.position()
        except InputError as error:
            return list(error.problems)
        return []

    def position(self) -> Position:
        """The position, if it is complete; InputError with everything wrong or missing."""
        if not self.sheet.players:
            raise InputError.one("players", _("expected 2, 3 or 4 players, found none"))
        return read_position(write_draft(self.sheet), tiles=self.sheet.tile_set)

    def draft(self) -> str | None:
        """The draft to keep, None if there is nothing in it yet."""
        if not self.sheet.players:
            return None
        return write_draft(self.sheet, name_of(self.step))

    def good_news(self) -> str:
        position = self.position()
        piles = " + ".join(str(pile.left) for pile in position.piles)
        if position.to_move is None:
            return _("the game is over; piles {piles}", piles=piles)
        return _(
            "turn {turn} of {turns}, {player} to move; piles {piles}",
            turn=position.turns_played + 1,
            turns=TURNS * len(position.players),
            player=player_name(position, position.to_move),
            piles=piles,
        )

    def draw(self, part: Step | None, colour: bool = False) -> str:
        """The part of the table that has changed; the menu stands for all of it."""
        if part is None or not self.sheet.players:
            return ""
        position = position_so_far(self.sheet)[0]
        if part.kind == "menu":
            if not missing_steps(self.sheet) and not self.problems():
                return render_position(self.position(), colour=colour)
            parts = [Step("cell"), Step("gods"), *(Step("row", i) for i in range(len(position.players)))]
            return "\n".join(self.draw(each, colour) for each in parts)
        if part.kind == "cell":
            return render_centre(position, colour=colour, empty="?")
        if part.kind in ("row", "realm", "god"):
            return render_universe(position, part.index, colour=colour)
        return render_gods(position, colour=colour) if part.kind == "gods" else ""


def _first_players(word: str) -> str:
    return _("expected the players first, as the rest depends on them, found {found}", found=shown_command(word))


def _within(place: str, whole: str) -> bool:
    return place == whole or place.startswith((f"{whole},", f"{whole}["))
