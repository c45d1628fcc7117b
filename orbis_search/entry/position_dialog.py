"""A position asked for step by step: what to ask next, what an answer means, and what is wrong with it.

There is no terminal here. `Editor.question` is what to ask, `Editor.answer` takes a line and says what came of
it, `Editor.complete` says how a line that is being typed could go on. Whoever has a terminal shows that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..base.errors import InputError, Problem
from ..base.language import N_, NP_, _, ngettext, pgettext
from ..base.quoting import fold, nearest, shown
from ..base.synonyms import WORDS as WORDS_OF
from ..drawing.labels import god_words, player_name
from ..drawing.terminal import render_centre, render_gods, render_position, render_universe
from ..game.position import Cell, Placed, Position, Row
from ..game.problems import MAX_NAME, cell_place, find_problems, pile_place, player_place, slot_place
from ..game.tiles import DEFAULT_TILE_SET, Tile
from ..game.vocabulary import CELLS, LEVELS, ROW_LENGTHS, SET_UP, TURNS, Effect, Face, God
from ..notation import read_position
from ..notation.common import GOD_TITLE, NONE, Reading, leading_empty, parse_worshipers, plain_word, split_mark
from ..notation.toml import slot_text
from ..tileset.descriptions import resolve_tile, tell
from ..tileset.library import load_tile_set
from ..tileset.matching import EXACTLY, best_matching, graded, matching
from .draft import (
    Load,
    PlayerSheet,
    Sheet,
    Taken,
    cell_text,
    god_text,
    position_so_far,
    read_draft,
    sheet_of,
    write_draft,
)

MAX_OPTIONS = 20
_EMPTY = (".", "empty")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to be asked. The menu is the step that comes when there is no other."""

    kind: str  # players, tiles, cell, row, realm, god, gods, pile, most, menu
    index: int = 0  # of the cell, the player or the level
    row: int = 0


MENU = Step("menu")

WORDS = {
    "?": N_("explain the question"),
    "back": N_("one step back"),
    "skip": N_("leave this for later"),
    "go": N_("go to a part and come back, as in: go b2"),
    "show": N_("draw all that has been said"),
    "menu": N_("choose any part"),
    "keep": N_("keep an answer that was refused, because another one is wrong"),
    "quit": N_("leave; what has been said is kept"),
}
_KEEPS = N_("take what stands in brackets")

_TILE_HELP = N_("""\
A tile is its id, or a few words of what is printed on it, in any order and
cut short as you like:
  blue irrigation g    b irr g    b gba (its cost: green, blue, any colour)
  white temple m7      r 3cp      red volcano 2 gb
If several tiles fit, they are listed and a number chooses. For a tile that the
set does not have say everything: red L2 cost rwa volcano 2 gb 3cp""")
HELP = {
    "players": N_("""\
The names in turn order, the one who began first, with blanks between, or with
commas if names have blanks; or only how many play: 2, 3 or 4."""),
    "tiles": N_("""\
Which tiles the box has. reconstruction is the program's own set; a file is
one you transcribed (orbis tiles template); random:7 is an invented one."""),
    "cell": N_("""\
The tile on this cell, a bar, and the worshipers on it; without a bar nobody
stands there:
  b2a | rrg    blue irrigation g | r2 g    b gba
Several cells in a line, in reading order, with commas between:
  w2b, r2a | y, g2b"""),
    "row": N_("""\
The row's tiles from the left with commas between; or one tile a line, and
Enter after the last.
  wild            a wilderness; wild b2a (or ~b2a) if its front is known
  cancelled y2c   a cancellation token lies on it; !y2c is the same
  .               an empty slot; slot 1 of row 2 lies over 1 and 2 of row 1
An irrigation needs no mark: what lies under it decides."""),
    "realm": N_("The player's worshipers: rrg, r2g and 2 red, 1 green are the same.\nEnter is nobody."),
    "god": N_("""\
The god this player has taken, or Enter; the first letters are enough. A Death
that was not paid for: death cancelled."""),
    "gods": N_("The gods nobody has taken, all in a line; the first letters are enough: lov fi."),
    "pile": N_("""\
What is left in a pile follows from the table: the tiles of its level that are
not seen. If you know that it can hold other tiles, list them; - goes back to
what follows."""),
    "most": N_("""\
Whether a god's "most" is met at zero. The rulebooks leave it open; yes is how
we play."""),
    "menu": N_("""\
What to change: a3 to c1, centre, a player's name (or player 1), a player and
row 2, realm or god, gods, players, tiles, piles, most. Enter writes the
position if it has no problem, and otherwise asks for what is missing."""),
}
# Said once, when the first of its kind is asked.
HINTS = {
    "cell": N_("""\
A tile is a few words of what is printed on it: blue irrigation g, or b gba for
its cost. Behind a bar stand the worshipers on it: b gba | rrg. ? tells more."""),
    "row": N_("""\
With commas between: y farm r, wild, b gba. Or one tile a line, and Enter after
the last."""),
}


_QUESTIONS = {
    "players": N_("Players in turn order (names, or how many)"),
    "tiles": N_("Tile set"),
    "cell": N_("{cell}, tile | worshipers"),
    "row": N_("{name}, row {row} from the left"),
    "realm": N_("{name}'s realm"),
    "god": N_("{name}'s god"),
    "gods": N_("Gods face up"),
    "pile": N_("Level {level} pile"),
    "most": N_('A god\'s "most" is met at zero (yes or no)'),
    "menu": N_("Enter, or what to change"),
}
# What `pgettext` looks up below.
_NOTHING_THERE = (NP_("tiles", "none"), NP_("god", "none"))


class Question(NamedTuple):
    text: str
    current: str  # what Enter keeps, as it could be typed; "" if nothing was said


class Completion(NamedTuple):
    start: int  # where in the line it replaces what was typed
    text: str
    meaning: str


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
    """An answer of which one part fits several tiles."""

    parts: tuple[str, ...]
    at: int
    tail: str  # behind the last part
    options: tuple[Tile, ...]


class _Several(Exception):
    """Words that do not say which of these tiles is meant."""

    def __init__(self, options: Sequence[Tile]) -> None:
        super().__init__()
        self.options = tuple(options)


class Editor:
    def __init__(self, sheet: Sheet | None = None, left_at: str = "", load: Load = load_tile_set) -> None:
        self._load = load
        self._history: list[_State] = []
        self._pick: _Pick | None = None
        self._refused: _State | None = None
        self._state = _State(sheet or Sheet(), ())
        missing = () if left_at == MENU.kind else self._missing()
        if left_at not in ("", MENU.kind) and self.sheet.players:
            try:
                (at, *_) = self.steps_of(left_at)
                order = self._sequence()
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

    def _sequence(self) -> tuple[Step, ...]:
        """Everything that is asked of a new position, in order."""
        steps = [Step("players"), Step("tiles")]
        if self.sheet.players:
            steps += [Step("cell", index) for index in range(len(CELLS))]
            for index in range(len(self.sheet.players)):
                steps += [Step("row", index, row) for row in range(1, len(ROW_LENGTHS) + 1)]
                steps += [Step("realm", index), Step("god", index)]
            steps.append(Step("gods"))
        return tuple(steps)

    def _missing(self) -> tuple[Step, ...]:
        return tuple(step for step in self._sequence() if not self._is_said(step))

    def _is_said(self, step: Step) -> bool:
        sheet = self.sheet
        if step.kind == "players":
            return bool(sheet.players)
        if step.kind == "tiles":
            return sheet.tiles is not None
        if step.kind == "cell":
            return sheet.cells[step.index] is not None
        if step.kind == "row":
            return sheet.players[step.index].rows[step.row - 1] is not None and not self._grows(step)
        if step.kind == "realm":
            return sheet.players[step.index].realm is not None
        if step.kind == "god":
            return sheet.players[step.index].taken is not None
        if step.kind == "gods":
            return sheet.gods is not None
        if step.kind == "pile":
            return sheet.piles[step.index - 1] is not None
        return True

    def _grows(self, step: Step) -> bool:
        return self.sheet.growing == (step.index, step.row)

    def _settle(self) -> None:
        """Pass over what can have one answer only: rows that nothing can lie in, gods when all are taken."""
        while self._state.agenda:
            step, sheet = self._state.agenda[0], self.sheet
            if step.kind == "row" and self._room(step) == 0 and not self._row(step):
                player = sheet.players[step.index]
                if player.rows[step.row - 2] is not None:  # else it is left for later as the row below was
                    sheet = sheet.with_player(step.index, player.with_row(step.row, ()))
            elif step.kind == "gods" and sheet.gods is None and self._gods_left() == 0:
                sheet = replace(sheet, gods=())
            else:
                return
            self._state = _State(sheet, self._state.agenda[1:])

    def _room(self, step: Step) -> int:
        """How many slots of a row, counted from the left, can hold anything."""
        if step.row == 1:
            return ROW_LENGTHS[0]
        below = self.sheet.players[step.index].rows[step.row - 2] or ()
        pairs = [column for column in range(len(below) - 1) if below[column] and below[column + 1]]
        return min(pairs[-1] + 1, ROW_LENGTHS[step.row - 1]) if pairs else 0

    def _gods_left(self) -> int | None:
        """How many have to be face up; None as long as somebody has not said."""
        taken = [player.taken for player in self.sheet.players]
        if None in taken:
            return None
        return max(0, SET_UP[len(taken)].gods - sum(each is not None and each.god is not None for each in taken))

    def _name(self, index: int) -> str:
        return self.sheet.players[index].name or _("Player {number}", number=index + 1)

    def name_of(self, step: Step) -> str:
        """A part as `go` and drafts name it."""
        if step.kind == "cell":
            return CELLS[step.index]
        if step.kind == "row":
            return f"player {step.index + 1} row {step.row}"
        if step.kind in ("realm", "god"):
            return f"player {step.index + 1} {step.kind}"
        return f"pile {step.index}" if step.kind == "pile" else step.kind

    def question(self) -> Question:
        if self._pick is not None:
            wanted = self._pick.parts[self._pick.at].partition("|")[0].strip()
            return Question(_("Which is {words}? A number, or more words: ", words=shown(wanted)), "")
        step, current = self.step, self._current()
        name = self._name(step.index) if step.kind in ("row", "realm", "god") else ""
        cell = CELLS[step.index] if step.kind == "cell" else ""
        text = _(_QUESTIONS[step.kind], cell=cell, name=name, row=step.row, level=step.index)
        if step.kind == "row" and self._grows(step):
            slot = len(self._row(step)) + 1
            question = _("{name}, row {row}, slot {slot} (Enter: no more): ", name=name, row=step.row, slot=slot)
            return Question(question, "")
        if step.kind == "gods" and (left := self._gods_left()) is not None:
            text += f" ({left})"
        default = current or {
            "players": "2",
            "tiles": DEFAULT_TILE_SET,
            "row": pgettext("tiles", "none"),
            "realm": _("nobody"),
            "god": pgettext("god", "none"),
            "pile": _("what follows"),
        }.get(step.kind, "")
        return Question(f"{text} [{default}]: " if default else f"{text}: ", current)

    def _row(self, step: Step) -> Row:
        return self.sheet.players[step.index].rows[step.row - 1] or ()

    def _current(self) -> str:
        """What has been said of this step, as it could be typed."""
        step, sheet = self.step, self.sheet
        if step.kind == "most":
            return "yes" if sheet.most_at_zero else "no"
        if step.kind == "menu" or not self._is_said(step):
            return ""
        if step.kind == "players":
            names = [player.name for player in sheet.players]
            mark = "; " if any("," in name for name in names) else ", "
            return mark.join(names) if all(names) else str(len(names))
        if step.kind == "tiles":
            return sheet.tile_set.name
        if step.kind == "cell":
            return cell_text(sheet.cells[step.index])
        if step.kind == "row":
            return ", ".join(map(slot_text, self._row(step))) or "none"
        if step.kind == "realm":
            return str(sheet.players[step.index].realm)
        if step.kind == "god":
            return god_text(sheet.players[step.index].taken)
        if step.kind == "gods":
            return " ".join(god.word for god in sheet.gods or ()) or "none"
        return ", ".join(tile.id for tile in sheet.piles[step.index - 1] or ())

    # Answers.

    def answer(self, line: str) -> Reply:
        """What came of a line: it was taken, or something is wrong, or there is a choice."""
        text = " ".join(line.split())
        pick, self._pick = self._pick, None
        refused, self._refused = self._refused, None
        word, _blank, rest = text.partition(" ")
        word = word.lower()
        if text == "?" or text.lower() == "help":
            self._pick, self._refused = pick, refused
            return Reply(notes=tuple(self.help().splitlines()))
        if word == "go" and rest:
            return self._go(rest)
        if not rest and word in ("back", "skip", "show", "menu", "quit", "exit", "keep"):
            if word == "keep" and refused is None:
                return self._wrong("", _("expected an answer before it can be kept, found none"))
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
                "exit": lambda: Reply(end="quit"),
            }
            return replies[word]()
        try:
            if pick is not None:
                return self._picked(pick, text)
            return self._take(text)
        except InputError as error:
            self._pick = pick
            return Reply(problems=error.problems)

    def help(self) -> str:
        parts = [_(HELP[self.step.kind])]
        if self.step.kind in ("cell", "row"):
            parts.append(_(_TILE_HELP))
        parts.append(_("At any question:"))
        keys = {"Enter": _KEEPS, **WORDS}
        parts += [f"  {word:<6} {_(meaning)}" for word, meaning in keys.items()]
        return "\n".join(parts)

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
            order = self._sequence()
            at = order.index(self.step) if self.step in order else len(order)
            if at == 0:
                return self._wrong("", _("expected a step before this one, found none"))
            self._state = _State(self.sheet, (order[at - 1], *self._state.agenda))
            return Reply()
        before = self._history.pop()
        # An answer stays and can be kept with Enter; of a row said tile by tile, the last tile goes.
        if self.sheet.growing is not None or before.sheet.growing is not None:
            self._state = before
        else:
            self._state = _State(self.sheet, before.agenda if before.sheet.players else self._sequence())
        return Reply()

    def _skip(self) -> Reply:
        if self.step.kind == "menu":
            return self._wrong("", _("expected a part or Enter, found nothing to skip here"))
        if self.step.kind == "players":
            return self._wrong("players", _first_players("skip"))
        sheet = self.sheet
        if self.step.kind == "row" and self._grows(self.step):
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
            steps = self.steps_of(text)
        except InputError as error:
            return Reply(problems=error.problems)
        self._history.append(self._state)
        rest = tuple(step for step in self._state.agenda if step not in steps)
        self._state = _State(replace(self.sheet, growing=None), (*steps, *rest))
        return Reply()

    def steps_of(self, text: str) -> tuple[Step, ...]:
        """The steps of a part that somebody names; InputError if there is no such part."""
        wanted = " ".join(text.replace(",", " ").split()).casefold()
        parts = self._parts()
        if wanted in parts:
            return parts[wanted]
        hint = nearest(wanted, list(parts))
        message = _("expected a part such as b2, centre, player 1 row 2 or gods, found {found}", found=shown(text))
        raise InputError.one("", message + hint)

    def _parts(self) -> dict[str, tuple[Step, ...]]:
        cells = tuple(Step("cell", index) for index in range(len(CELLS)))
        left = [pile.left for pile in position_so_far(self.sheet)[0].piles] if self.sheet.players else LEVELS
        piles = tuple(Step("pile", level) for level, number in zip(LEVELS, left) if number)
        parts: dict[str, tuple[Step, ...]] = {"centre": cells, "center": cells, "piles": piles}
        parts |= {self.name_of(step): (step,) for step in (*cells, *piles)}
        parts |= {kind: (Step(kind),) for kind in ("players", "tiles", "gods", "most")}
        parts["names"] = parts["players"]
        for index, player in enumerate(self.sheet.players):
            rows = [Step("row", index, row) for row in range(1, len(ROW_LENGTHS) + 1)]
            steps = (*rows, Step("realm", index), Step("god", index))
            own = {f"player {index + 1}": steps, f"player {index + 1} rows": tuple(rows)}
            own |= {self.name_of(step): (step,) for step in steps}
            for name, its in own.items():
                parts[name] = its
                parts.setdefault(name.removeprefix("player "), its)
                if player.name:
                    parts.setdefault(name.replace(f"player {index + 1}", player.name.casefold()), its)
        return parts

    def _take(self, text: str) -> Reply:
        step = self.step
        if step.kind == "menu":
            return self._menu(text)
        if not text and self._is_said(step) and not self._grows(step):
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

    def _picked(self, pick: _Pick, text: str) -> Reply:
        """The choice among tiles: by number, by more words, or a new answer altogether."""
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
                return self._take(text)
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

        What it makes wrong elsewhere, or as a whole, is told and has to be put right before the end.
        """
        known = set(self._problems(self.sheet))
        found = [problem for problem in self._problems(sheet) if problem not in known]
        own = [problem for problem in found if any(_within(problem.place, place) for place in places)]
        state = _State(sheet, self._state.agenda[1:] if agenda is None else agenda)
        if own:
            self._refused = state
            return Reply(problems=tuple(own), notes=(_("Correct it here, or say keep if another answer was wrong."),))
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
        if not same:  # those who came are asked for, those who left no more
            missing = self._missing()
            steps = [step for step in self._sequence() if step in rest or step in missing]
            self._state = _State(sheet, tuple(steps))
        self._settle()
        return Reply()

    def _take_tiles(self, text: str) -> Reply:
        tiles = self._load(text or DEFAULT_TILE_SET)
        sheet = replace(self.sheet, tiles=tiles)
        if not sheet.players or (self.sheet.tiles is None and not any(self.sheet.cells)):
            return self._move(_State(sheet, self._state.agenda[1:]))
        # The tiles that were named keep their names; those that the new set does not have are asked again.
        found = read_draft(write_draft(sheet), "", lambda _: tiles)
        if found.problems:
            note = _("These are not in the new tile set and have not been said any more:")
            return self._move(_State(found.sheet, self._state.agenda[1:]), [note], found.problems)
        return self._move(_State(found.sheet, self._state.agenda[1:]))

    def _take_cells(self, text: str) -> Reply:
        first = self.step.index
        place = cell_place(first)
        if not text:
            message = _("expected a tile and its worshipers such as r1a | r2b, found nothing")
            raise InputError.one(place, message)
        parts = self._cell_parts(text)
        if len(parts) > len(CELLS) - first:
            most = len(CELLS) - first
            message = ngettext(
                "expected one cell from here on, found {found}",
                "expected at most {n} cells from here on, found {found}",
                most,
                found=len(parts),
            )
            raise InputError.one(place, message)
        sheet = self.sheet
        for at in range(len(parts)):
            sheet = sheet.with_cell(first + at, None)  # what lay there does not lie there any more
        for at, part in enumerate(parts):
            index = first + at
            where = cell_place(index)
            tile_words, _bar, worshipers = part.partition("|")
            before = self.sheet.cells[index]
            try:
                if not tile_words.strip() and before is not None and before.tile is not None:
                    tile = before.tile
                else:
                    tile = self._tile(tile_words, sheet, where)
            except _Several as several:
                return self._choose(parts, at, several.options)
            sheet = sheet.with_cell(index, Cell(tile, parse_worshipers(worshipers, where)))
        answered = {Step("cell", first + at) for at in range(len(parts))}
        rest = tuple(step for step in self._state.agenda if step not in answered)
        return self._accept(sheet, [cell_place(step.index) for step in answered], rest)

    def _cell_parts(self, text: str) -> list[str]:
        """By commas; or by blanks, if every word is an id with or without a bar and worshipers."""
        if "," in text:
            return [part.strip() for part in text.strip(" ,").split(",")]
        words = re.sub(r"\s*\|\s*", "|", text).split()
        ids = {tile.id.lower() for tile in self.sheet.tile_set.tiles}
        return words if len(words) > 1 and all(word.partition("|")[0].lower() in ids for word in words) else [text]

    def _take_row(self, text: str) -> Reply:
        step = self.step
        player = self.sheet.players[step.index]
        place = f"{player_place(step.index, player.name)}, row {step.row}"
        row: list[Placed | None] = list(self._row(step)) if self._grows(step) else []
        ended = not text or (plain_word(text) in NONE and not row)
        parts, goes_on = ([], False) if ended else self._row_parts(text)
        notes = []
        sheet = self._with_row(step, row)
        for at, part in enumerate(parts):
            try:
                placed, note = self._placed(part, sheet, step, len(row))
            except _Several as several:
                return self._choose(parts, at, several.options, "," if goes_on and len(parts) > 1 else "")
            row.append(placed)
            notes += [note] if note else []
            sheet = self._with_row(step, row)
        # Of a row said tile by tile more may come, until it is full.
        if goes_on and len(row) < self._room(step):
            growing = replace(sheet, growing=(step.index, step.row))
            return self._accept(growing, [place], self._state.agenda, notes)
        while row and row[-1] is None:
            row.pop()
        return self._accept(self._with_row(step, row), [place], notes=notes)

    def _with_row(self, step: Step, row: Sequence[Placed | None]) -> Sheet:
        player = self.sheet.players[step.index].with_row(step.row, tuple(row))
        return replace(self.sheet.with_player(step.index, player), growing=None)

    def _row_parts(self, text: str) -> tuple[list[str], bool]:
        """The slots, and whether more may come: after a single one, or after a comma at the end."""
        if "," in text:
            return [part.strip() for part in text.rstrip(" ,").split(",")], text.endswith(",")
        words = text.split()
        ids = {tile.id.lower() for tile in self.sheet.tile_set.tiles}
        alone = (*_EMPTY, "~", "wild", "w")
        slots = [split_mark(word)[1].lower() in ids or plain_word(word) in alone for word in words]
        if len(words) > 1 and all(slots) and not self._is_marked(words):
            return words, False
        empty, described = leading_empty(text)
        return ["."] * empty + [described], not empty

    def _is_marked(self, words: Sequence[str]) -> bool:
        """`wild b2a` is one slot and not two."""
        return (len(words) == 2 and plain_word(words[0]) == "wild") or plain_word(words[-1]) == "wild"

    def _placed(self, part: str, sheet: Sheet, step: Step, column: int) -> tuple[Placed | None, str]:
        """One slot as said, and what was added to it."""
        player = sheet.players[step.index]
        where = slot_place(step.index, player.name, step.row, column)
        if not part or plain_word(part) in _EMPTY:
            return None, ""
        face, words = split_mark(part)
        if not words:
            if face is Face.WILD:
                return Placed(None, Face.WILD), ""
            raise InputError.one(where, _("expected a tile to be cancelled, found {found}", found=shown(part)))
        below = [player.player.at(step.row - 1, column), player.player.at(step.row - 1, column + 1)]
        under = [placed for placed in below if placed is not None]
        known = step.row > 1 and player.rows[step.row - 2] is not None and len(under) == 2

        def fits(tile: Tile) -> bool:
            return face is Face.WILD or not known or any(placed.has_colour(tile.colour) for placed in under)

        tile = self._tile(words, sheet, where, fits)
        if tile.effect is Effect.IRRIGATION and face is Face.UP and (step.row == 1 or known):
            if step.row == 1:
                note = _("{tile} is cancelled: an irrigation in row 1 never counts.", tile=tile.id)
                return Placed(tile, Face.CANCELLED), note
            if not any(placed.has_colour(tile.colours[0]) for placed in under):
                note = N_("{tile} is cancelled: no {colour} lies right under it.")
                return Placed(tile, Face.CANCELLED), _(note, tile=tile.id, colour=tile.colours[0].label)
        return Placed(tile, face), ""

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
        return self._accept(self.sheet.with_player(index, replace(player, taken=Taken(god, validated))), [place])

    def _take_gods(self, text: str) -> Reply:
        words = [] if plain_word(text) in ("", *NONE) else re.split(r"[\s,+]+", text.strip(" ,+"))
        gods = tuple(sorted(god_of(word, "gods") for word in words if plain_word(word) not in ("and", *GOD_TITLE)))
        # A god that a player has taken is told there; it is this answer all the same that made it wrong.
        takers = [f"{player_place(index, player.name)}, god" for index, player in enumerate(self.sheet.players)]
        return self._accept(replace(self.sheet, gods=gods), ["gods", *takers])

    def _take_pile(self, text: str) -> Reply:
        level = self.step.index
        if not text or plain_word(text) in NONE:
            return self._accept(self.sheet.with_pile(level, None), [pile_place(level)])
        parts = [part.strip() for part in text.strip(" ,").split(",")] if "," in text else text.split()
        seen = set(_tiles_on(self.sheet))
        pool = [tile for tile in self._in_use() if tile.level == level and tile not in seen]
        tiles: list[Tile] = []
        for at, part in enumerate(parts):
            free = [tile for tile in pool if tile not in tiles]
            try:
                tiles.append(self._tile(part, self.sheet, pile_place(level, at), pool=free))
            except _Several as several:
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
        missing = self._missing()
        if missing:
            self._history.append(self._state)
            self._state = _State(self.sheet, missing)
            self._settle()
            return Reply()
        problems = self.problems()
        return Reply(problems=tuple(problems)) if problems else Reply(end="written")

    # Tiles.

    def _in_use(self) -> tuple[Tile, ...]:
        return self.sheet.tile_set.in_use(len(self.sheet.players))

    def _tile(
        self,
        words: str,
        sheet: Sheet,
        place: str,
        fits: Callable[[Tile], bool] = lambda _: True,
        pool: Sequence[Tile] | None = None,
    ) -> Tile:
        """The tile that the words mean among those still possible; _Several if they fit more than one.

        What fits no possible tile is read as `orbis check` would read it, so that the message is the same.
        """
        if pool is None:
            seen = set(_tiles_on(sheet))
            pool = [tile for tile in self._in_use() if tile not in seen and fits(tile)]
        words = words.strip()
        if any(tile.id.lower() == words.lower() for tile in sheet.tile_set.tiles):
            return resolve_tile(words, sheet.tile_set, len(sheet.players), place)
        if not words:
            return resolve_tile(words, sheet.tile_set, len(sheet.players), place)
        # What fits a tile exactly is meant, even one that cannot be it: the checks say why not. What fits only
        # in part, as a cost of which more is printed, is offered and not taken.
        everywhere = dict(graded(words, self._in_use()))
        exact = [tile for tile, grade in everywhere.items() if grade == EXACTLY]
        found = [tile for tile in exact or everywhere if tile in pool]
        if len(found) > 1 or (found and not exact):
            raise _Several(found)
        if found:
            return found[0]
        if len(exact) > 1:
            listed = ", ".join(tile.id for tile in exact[:MAX_OPTIONS])
            message = _(
                "expected a tile not seen yet and of a colour that can lie here, "
                "found {found}, which fits {tiles} only",
                found=shown(words),
                tiles=listed,
            )
            raise InputError.one(place, message)
        return exact[0] if exact else resolve_tile(words, sheet.tile_set, len(sheet.players), place)

    def _choose(self, parts: Sequence[str], at: int, options: Sequence[Tile], tail: str = "") -> Reply:
        self._pick = _Pick(tuple(parts), at, tail, tuple(options))
        return Reply(options=tuple(options))

    # What could be typed.

    def complete(self, line: str) -> list[Completion]:
        """How the line could go on, best first. What was typed from `start` on is replaced."""
        step = self.step
        found: list[Completion] = []
        if self._pick is not None:
            found = [Completion(0, tile.id, tell(tile)) for tile in matching(line, self._pick.options)]
        elif line.lower().startswith("go ") or step.kind == "menu":
            start = 3 if line.lower().startswith("go ") else 0
            wanted = line[start:].casefold()
            found = [Completion(start, name, "") for name in self._parts() if name.startswith(wanted)]
            found = [each for each in found if not each.text[0].isdigit()]
        elif step.kind in ("cell", "row", "pile"):
            found = self._complete_tile(line)
        elif step.kind in ("god", "gods"):
            start = len(line) - len(re.split(r"[\s,+]", line)[-1])
            taken = {player.taken.god for player in self.sheet.players if player.taken}
            free = [god for god in God if god not in taken and not re.search(rf"\b{god.word}\b", line[:start])]
            found = [Completion(start, god.word, god_words(god)) for god in free if god.word.startswith(line[start:])]
        elif step.kind == "tiles":
            found = [Completion(0, DEFAULT_TILE_SET, "")] if DEFAULT_TILE_SET.startswith(line) else []
        words = [Completion(0, word, _(meaning)) for word, meaning in WORDS.items() if line and word.startswith(line)]
        return found + words

    def _complete_tile(self, line: str) -> list[Completion]:
        start = line.rfind(",") + 1
        part = line[start:]
        if "|" in part and self.step.kind == "cell":
            return []
        start += len(part) - len(part.lstrip())
        part = part.lstrip()
        wild = False
        if self.step.kind == "row" and (
            mark := re.match(r"(wild(?:erness)?|cancell?ed)\s+|[~!]\s*|[xw]\.\s*", part, re.IGNORECASE)
        ):
            start, part, wild = start + mark.end(), part[mark.end() :], mark[0][0].lower() in "w~"
        if not part.strip():
            return []
        seen = set(_tiles_on(self.sheet))
        pool = [tile for tile in self._in_use() if tile not in seen]
        if self.step.kind == "pile":
            pool = [tile for tile in pool if tile.level == self.step.index]
        if self.step.kind == "row" and self.step.row > 1 and not wild:
            column = line.count(",") + (len(self._row(self.step)) if self._grows(self.step) else 0)
            player = self.sheet.players[self.step.index].player
            under = [player.at(self.step.row - 1, column), player.at(self.step.row - 1, column + 1)]
            if all(under):
                pool = [tile for tile in pool if any(placed and placed.has_colour(tile.colour) for placed in under)]
        return [Completion(start, tile.id, tell(tile)) for tile in matching(part, pool)]

    # The whole.

    def problems(self) -> list[Problem]:
        """Everything that `orbis check` would say of what has been said."""
        try:
            self.position()
        except InputError as error:
            return list(error.problems)
        return []

    def position(self) -> Position:
        """The position, if it is whole; InputError with everything that is wrong or missing."""
        if not self.sheet.players:
            raise InputError.one("players", _("expected 2, 3 or 4 players, found none"))
        return read_position(write_draft(self.sheet), tiles=self.sheet.tile_set)

    def draft(self) -> str | None:
        """The draft to keep, None if nothing has been said yet."""
        if not self.sheet.players:
            return None
        return write_draft(self.sheet, self.name_of(self.step))

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
            if not self._missing() and not self.problems():
                return render_position(self.position(), colour=colour)
            parts = [Step("cell"), Step("gods"), *(Step("row", i) for i in range(len(position.players)))]
            return "\n".join(self.draw(each, colour) for each in parts)
        if part.kind == "cell":
            return render_centre(position, colour=colour, empty="?")
        if part.kind in ("row", "realm", "god"):
            return render_universe(position, part.index, colour=colour)
        return render_gods(position, colour=colour) if part.kind == "gods" else ""


def names_of(text: str, known: Sequence[str] = ()) -> list[str]:
    """Players by names, with blanks or commas between, or by their number, which keeps the names that are known."""
    mark = ";" if ";" in text else ","
    listed = re.split(rf"\s*{mark}\s*", text.strip(f" {mark}")) if mark in text else text.split()
    if not text:
        listed = [""] * 2
    elif re.fullmatch(r"[0-9]+", text):
        if int(text) not in SET_UP:
            raise InputError.one("players", _("expected 2, 3 or 4 players, found {found}", found=shown(text)))
        listed = list(known)[: int(text)]
        listed += [""] * (int(text) - len(listed))
    if len(listed) not in SET_UP:
        message = _("expected 2, 3 or 4 names or a number, found {found}", found=shown(text))
        raise InputError.one("players", message)
    return listed


def _first_players(word: str) -> str:
    return _("expected the players, on which the rest depends, found {found}", found=word)


def _within(place: str, whole: str) -> bool:
    return place == whole or place.startswith((f"{whole},", f"{whole}["))


def _tiles_on(sheet: Sheet) -> Iterable[Tile]:
    """Every tile that has been named."""
    for cell in sheet.cells:
        if cell is not None and cell.tile is not None:
            yield cell.tile
    for player in sheet.players:
        for _, placed in player.player.placed():
            if placed.tile is not None:
                yield placed.tile


def _gods_beginning(wanted: str) -> list[God]:
    """By the beginning of a name in another language."""
    folded = fold(wanted)
    return [god for god in God if any(fold(name).startswith(folded) for name in WORDS_OF[god.word])]


def god_of(word: str, place: str) -> God:
    """A god by its name or the beginning of it, if that is no other's."""
    wanted = " ".join(each for each in map(plain_word, word.split()) if each not in GOD_TITLE)
    found = [god for god in God if god.word.startswith(wanted)] or _gods_beginning(wanted)
    if len(found) == 1:
        return found[0]
    known = [god.word for god in God]
    message = _("expected a god ({gods}), found {found}", gods=", ".join(known), found=shown(word))
    if found:
        hint = " " + _("(which of {gods}?)", gods=", ".join(god.word for god in found))
    else:
        hint = nearest(wanted, known)
    raise InputError.one(place, message + hint)


__all__ = ["MAX_NAME", "MAX_OPTIONS", "MENU", "Completion", "Editor", "Question", "Reply", "Step", "sheet_of"]
