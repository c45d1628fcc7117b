"""Lines typed as answers: on a terminal with completion menus, on a plain one with Tab, or from a script."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from io import TextIOWrapper
from shutil import get_terminal_size
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..base.language import ngettext
from ..base.quoting import safe
from .options import write

if TYPE_CHECKING:
    from ..entry.completions import Completion

Complete = Callable[[str], "list[Completion]"]
IsWhole = Callable[[str], bool]
_SHOWN = 12  # completions listed under a line
_HABIT = 0.3  # seconds: an Enter that comes so soon after a line was taken without it is a habit, not an answer


def asker(complete: Complete, is_whole: IsWhole | None = None) -> Callable[[str, str], str]:
    """A function that asks a question and returns the line; EOFError when there are no more.

    Its second argument is the current answer: the up arrow brings it back for editing. On a terminal with menus, a line
    that `is_whole` says is an answer is taken without Enter.
    """
    if isinstance(sys.stdin, TextIOWrapper):
        # Bytes that are no text become printable ones, which the reader of the answer then refuses.
        sys.stdin.reconfigure(errors="backslashreplace")
    on_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    if not on_terminal:
        return _ask_script
    if os.environ.get("TERM", "dumb") != "dumb":
        try:
            return _with_menus(complete, is_whole)
        except ImportError:
            pass  # not installed: Tab completes
    return _with_tab(complete)


def _ask_script(question: str, current: str) -> str:
    """Echoes the answer, so that the output reads like a session on a terminal."""
    write(question)
    try:
        line = read_answer()
    except EOFError:
        write("\n")
        raise
    write(safe(line.rstrip("\r\n")) + "\n")
    return line


def read_answer() -> str:
    """The next line of a script; EOFError when there are no more."""
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EOFError
    return line


def _with_menus(complete: Complete, is_whole: IsWhole | None) -> Callable[[str, str], str]:
    """The tiles that fit are listed below the line while it is typed."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.completion import Completion as Shown
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.history import InMemoryHistory

    class _LineCompleter(Completer):
        def get_completions(self, document: Any, complete_event: Any) -> Iterable[Shown]:
            line = document.text_before_cursor
            for each in complete(line):
                yield Shown(each.text, each.start - len(line), display_meta=each.meaning)

    history = InMemoryHistory()
    # Lines are reserved for the menu only once something is typed: on a small screen they would push what the
    # question is about out of sight.
    typing = Condition(lambda: session.default_buffer.text != "")
    session: PromptSession[str] = PromptSession(
        history=history,
        completer=_LineCompleter(),
        complete_while_typing=typing,
        reserve_space_for_menu=min(_SHOWN, get_terminal_size().lines // 3),
        key_bindings=None if is_whole is None else _keys_without_enter(is_whole),
    )

    def ask(question: str, current: str) -> str:
        if current:
            history.append_string(current)
        return session.prompt(question)

    return ask


def _keys_without_enter(is_whole: IsWhole) -> Any:
    """Takes the line as soon as it is whole."""
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.key_binding.key_processor import KeyPressEvent

    bindings = KeyBindings()
    taken = -_HABIT  # when a line was last taken without Enter

    def typed(event: KeyPressEvent) -> None:
        nonlocal taken
        buffer = event.current_buffer
        buffer.insert_text(event.data)
        if is_whole(buffer.text.strip()):
            taken = monotonic()
            buffer.validate_and_handle()

    for key in "123456789-+":
        bindings.add(key)(typed)

    @bindings.add("enter", filter=Condition(lambda: monotonic() < taken + _HABIT))
    def _habit(event: KeyPressEvent) -> None:
        nonlocal taken
        taken = -_HABIT
        if event.current_buffer.text:
            event.current_buffer.validate_and_handle()

    return bindings


def _with_tab(complete: Complete) -> Callable[[str, str], str]:
    try:
        import readline
    except ImportError:  # a Python without it: no completion
        return lambda question, current: input(question)

    found: list[str] = []
    meanings: dict[str, str] = {}
    asked = line = ""

    def completer(typed: str, number: int) -> str | None:
        nonlocal line
        if number == 0:
            line = readline.get_line_buffer()[: readline.get_endidx()]
            each = complete(line)
            meanings.clear()
            if len(each) == 1:
                found[:] = [line[: each[0].start] + each[0].text]
            else:
                # readline replaces the line by what all candidates have in common. So each is everything typed plus a
                # sign of its own: nothing is lost, nothing is added, and they are listed in this order.
                found[:] = [f"{line.rstrip()} {chr(ord('0') + at)}" for at in range(len(each))]
            meanings.update(zip(found, (f"{one.text:<6} {one.meaning}" for one in each)))
        return found[number] if number < len(found) else None

    def show(typed: str, matches: Sequence[str], longest: int) -> None:
        lines = [meanings.get(match, match) for match in matches[:_SHOWN]]
        if len(matches) > _SHOWN:
            lines.append(ngettext("... and {n} more", "... and {n} more", len(matches) - _SHOWN))
        # Restore the line: readline itself adds what it has completed.
        write("\n" + "".join(f"  {each}\n" for each in lines) + asked + line)
        sys.stdout.flush()

    readline.set_completer(completer)
    readline.set_completer_delims("")
    readline.set_completion_display_matches_hook(show)
    readline.parse_and_bind("tab: complete")
    readline.parse_and_bind("set show-all-if-ambiguous on")
    readline.set_auto_history(False)

    def ask(question: str, current: str) -> str:
        nonlocal asked
        asked = question
        readline.clear_history()
        if current:
            readline.add_history(current)
        try:
            return input(question)
        except EOFError:
            write("\n")  # as the other ways of asking do
            raise

    return ask
