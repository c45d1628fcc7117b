"""Questions answered with a few keys, for moves, set-ups and tiles alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from ..base.errors import InputError
from ..base.language import _
from ..base.quoting import fold, shown
from ..base.synonyms import canonical

KEYS = "789456123"  # of the cells, as a number pad has them
OTHER = "0"
CERTAIN = "1"  # plays a move that looks like a slip
MOST_LISTED = 9  # options offered one by one
LINE = 76  # columns


class Option(NamedTuple):
    key: str
    label: str
    value: Any
    names: tuple[str, ...] = ()  # what else means it


class Question(NamedTuple):
    """What is asked, on one line of a terminal. The options are part of it, or to be listed above it."""

    kind: str
    text: str
    options: tuple[Option, ...] = ()
    default: str = ""  # the key that an empty answer means
    above: tuple[str, ...] = ()  # lines to be shown first
    more: tuple[Option, ...] = ()  # what else may be typed, for completion
    digits: int = 0  # as many as make a whole answer, where each is not an answer of its own


def question_among(kind: str, text: str, options: Sequence[Option], default: str = "") -> Question:
    """A question with its options in it, or above it if they are too long for a line."""
    end = f" [{default}]: " if default else ": "
    listed = ", ".join(f"{option.key} {option.label}" for option in options)
    if len(text) + len(listed) + len(end) <= LINE:
        return Question(kind, f"{text} ({listed}){end}", tuple(options), default)
    return Question(kind, text + end, tuple(options), default, above=option_lines(options))


def option_lines(options: Sequence[Option]) -> tuple[str, ...]:
    width = max((len(option.key) for option in options), default=1)
    return tuple(f"{option.key:>{width}}  {option.label}" for option in options)


def is_whole(typed: str, question: Question) -> bool:
    """Whether the digits typed so far are an answer and no longer one begins with them, so that Enter need not be
    pressed. Never after 0: that may become 00."""
    if not (typed.isascii() and typed.isdecimal()) or typed.startswith(OTHER):
        return False
    if question.digits:
        return len(typed) == question.digits
    keys = [option.key for option in question.options]
    return typed in keys and not any(key.startswith(typed) for key in keys if key != typed)


def find_option(text: str, question: Question) -> Option | None:
    """The option that a key or a name means."""
    meant = {fold(text), canonical(text)}
    for option in question.options:
        if option.key and not meant.isdisjoint((option.key, fold(option.label), *map(fold, option.names))):
            return option
    return None


def expect_option(text: str, question: Question) -> Option:
    option = find_option(text, question)
    if option is None:
        # A tile's id is enough here: its description has just been listed.
        keys = ", ".join(f"{option.key} {option.label.partition('  ')[0]}" for option in question.options)
        raise InputError.one("", _("expected one of {choice}, found {found}", choice=keys, found=shown(text or None)))
    return option


class Dialog(Protocol):
    """Something that asks until nothing is left to ask."""

    question: Question | None

    def answer_one(self, text: str) -> None: ...


def answer_in_turn(dialog: Dialog, words: Sequence[str], *, questions_differ: bool) -> None:
    """One answer of several words, or else each word an answer; numbers that choose are always several.

    If the answers before a wrong one led to another question, the error is about that question; otherwise the words of
    one tile are not answers of their own.
    """
    keys = [option.key for option in dialog.question.options] if dialog.question is not None else []
    if len(words) > 1 and all(map(str.isdecimal, words)) and words[0] in keys:
        for word in words:
            dialog.answer_one(word)
        return
    try:
        dialog.answer_one(" ".join(words))
    except InputError as error:
        if len(words) < 2:
            raise
        for at, word in enumerate(words):
            try:
                dialog.answer_one(word)
            except InputError as of_word:
                raise (of_word if at and questions_differ else error) from None


def too_much(text: str) -> InputError:
    return InputError.one("", _("expected nothing more, found {found}", found=shown(text)))
