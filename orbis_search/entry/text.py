"""What is said in a conversation, and what became of it, as text for people."""

from __future__ import annotations

from ..base.language import _, ngettext
from ..base.quoting import place_of
from ..tileset.descriptions import tell
from .data import EditReport, TrackReport
from .position_dialog import Editor, Reply
from .position_steps import MENU
from .position_tiles import MAX_OPTIONS


def edit_text(report: EditReport) -> str:
    """Where the position is now, and how to go on."""
    file = place_of(report.file)
    if report.status == "kept":
        return _("Saved in {draft}; continue with: orbis edit {file}\n", draft=place_of(report.draft), file=file)
    if report.status == "written":
        then = "show" if report.is_over else "advise"
        return _("{file} has been written. Next: orbis {then} {file}\n", file=file, then=then)
    return _("Nothing was changed.") + "\n"


def track_text(report: TrackReport) -> str:
    """Where the game is kept, and how to go on."""
    file = place_of(report.file)
    if report.record is None:
        return _("Nothing was saved.") + "\n"
    if report.record.position().is_over:
        return _("Saved in {file}. How well was it played? orbis review {file}", file=file) + "\n"
    return _("Saved in {file}; continue with: orbis track {file}", file=file) + "\n"


def reply_text(reply: Reply) -> str:
    """What an editor has to say to an answer: problems, notes, and tiles to choose from by number."""
    lines = [f"  {problem}" for problem in reply.problems]
    lines += [f"  {note}" if reply.part or reply.problems else note for note in reply.notes]
    width = max((len(tile.id) for tile in reply.options), default=0)
    for number, tile in enumerate(reply.options[:MAX_OPTIONS], 1):
        lines.append(f"  {number:2}  {tile.id:<{width}}  {tell(tile)}")
    if len(reply.options) > MAX_OPTIONS:
        lines.append("  " + ngettext("... and {n} more", "... and {n} more", len(reply.options) - MAX_OPTIONS))
    return "".join(f"{line}\n" for line in lines)


def summary_text(editor: Editor, file: str, *, colour: bool = False) -> str:
    """The whole table, what is wrong with it, and what can be done now."""
    drawn = editor.draw(MENU, colour) + "\n"
    if problems := editor.problems():
        hint = _("Name a part to correct it; Enter asks for what is missing; quit saves it for later.")
        return drawn + "".join(f"  {problem}\n" for problem in problems) + f"{hint}\n"
    return drawn + _(
        "No problems: {news}.\nEnter writes {file}; or name a part to change it.\n",
        news=editor.good_news(),
        file=place_of(file),
    )
