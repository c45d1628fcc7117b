"""How each part of a position is asked for, and the help on it."""

from __future__ import annotations

from typing import NamedTuple

from ..base.language import N_, NP_, _, pgettext
from ..base.synonyms import shown_command
from ..game.tiles import DEFAULT_TILE_SET
from ..game.vocabulary import CELLS
from .draft import Sheet
from .position_steps import Step, answer_text, gods_left, grows, row_of

WORDS = {
    "?": N_("explain the question"),
    "back": N_("go back one step"),
    "skip": N_("leave this for later"),
    "go": N_("go to a part and come back, as in: go b2"),
    "show": N_("draw everything so far"),
    "menu": N_("choose any part"),
    "keep": N_("keep a refused answer, because another one is wrong"),
    "quit": N_("leave; your answers are kept"),
}
_KEEPS = N_("take what is in brackets")

_TILE_HELP = N_("""\
A tile is its id, or a few words of what is printed on it, in any order and as
short as you like:
  blue irrigation g    b irr g    b gba (its cost: green, blue, any colour)
  white temple m7      r 3cp      red volcano 2 gb
If several tiles fit, they are listed; choose one by its number. Describe a tile
that is not in the set in full: red L2 cost rwa volcano 2 gb 3cp""")
HELP = {
    "players": N_("""\
The names in turn order, starting player first, separated by spaces, or by
commas if names have spaces; or just the number of players: 2, 3 or 4."""),
    "tiles": N_("""\
Which tiles are in the box. reconstruction is the program's own set; a file is
one you transcribed (orbis tiles template); random:7 is an invented one."""),
    "cell": N_("""\
The tile on this cell, a bar, and the worshipers on it; no bar means no
worshipers:
  b2a | rrg    blue irrigation g | r2 g    b gba
Several cells on one line, in reading order, separated by commas:
  w2b, r2a | y, g2b"""),
    "row": N_("""\
The row's tiles from the left, separated by commas; or one tile per line, and
Enter after the last.
  wild            a wilderness; wild b2a (or ~b2a) if its front is known
  cancelled y2c   a cancellation token lies on it; !y2c is the same
  .               an empty slot; slot 1 of row 2 lies over 1 and 2 of row 1
An irrigation needs no mark: what lies under it decides."""),
    "realm": N_("The player's worshipers: rrg, r2g and 2 red, 1 green are the same.\nEnter for none."),
    "god": N_("""\
The god this player has taken, or Enter; the first letters are enough. If Death
was not paid for: death cancelled."""),
    "gods": N_("The gods nobody has taken, on one line; the first letters are enough: lov fi."),
    "pile": N_("""\
What is left in a pile follows from the table: the tiles of its level that
nobody has seen. If you know that it can hold other tiles, list them; - goes
back to what follows from the table."""),
    "most": N_("""\
Whether a god's "most" is met at zero. The rulebooks leave it open; yes is how
we play."""),
    "menu": N_("""\
What to change: a3 to c1, centre, a player's name (or player 1), a player and
row 2, realm or god, gods, players, tiles, piles, most. Enter writes the
position if it has no problem, and otherwise asks for what is missing."""),
}
# Shown once, at the first question of its kind.
HINTS = {
    "cell": N_("""\
A tile is a few words of what is printed on it: blue irrigation g, or b gba for
its cost. Worshipers on it go after a bar: b gba | rrg. For more, type ?."""),
    "row": N_("""\
Separate tiles with commas: y farm r, wild, b gba. Or one tile per line, and
Enter after the last."""),
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
    current: str  # what Enter keeps, as one would type it; "" if there is nothing


def question_of(sheet: Sheet, step: Step) -> Question:
    current = answer_text(sheet, step)
    name = _name(sheet, step.index) if step.kind in ("row", "realm", "god") else ""
    cell = CELLS[step.index] if step.kind == "cell" else ""
    text = _(_QUESTIONS[step.kind], cell=cell, name=name, row=step.row, level=step.index)
    if step.kind == "row" and grows(sheet, step):
        slot = len(row_of(sheet, step)) + 1
        question = _("{name}, row {row}, slot {slot} (Enter: no more): ", name=name, row=step.row, slot=slot)
        return Question(question, "")
    if step.kind == "gods" and (left := gods_left(sheet)) is not None:
        text += f" ({left})"
    default = current or {
        "players": "2",
        "tiles": DEFAULT_TILE_SET,
        "row": pgettext("tiles", "none"),
        "realm": _("nobody"),
        "god": pgettext("god", "none"),
        "pile": _("from the table"),
    }.get(step.kind, "")
    return Question(f"{text} [{default}]: " if default else f"{text}: ", current)


def _name(sheet: Sheet, index: int) -> str:
    return sheet.players[index].name or _("Player {number}", number=index + 1)


def help_on(step: Step) -> str:
    parts = [_(HELP[step.kind])]
    if step.kind in ("cell", "row"):
        parts.append(_(_TILE_HELP))
    parts.append(_("At any question:"))
    keys = {"Enter": _KEEPS} | {shown_command(word): meaning for word, meaning in WORDS.items()}
    width = max(map(len, keys)) + 1
    parts += [f"  {word:<{width}} {_(meaning)}" for word, meaning in keys.items()]
    return "\n".join(parts)
