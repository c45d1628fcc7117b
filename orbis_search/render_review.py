"""A Review as text for people: who played how, how the result came about, the turning points, every turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from textwrap import wrap

from .language import N_, _, ngettext
from .notation.common import tile_text
from .notation.moves import format_move
from .render import player_name
from .render_advice import reasons
from .review import CLASSES, Account, Judged, Review, Swing
from .rules import score

WIDTH = 80
NAME = 10  # letters of a name in a table

CLASS_WORDS = {
    "best": N_("best"), "good": N_("good"), "inaccuracy": N_("inaccuracy"), "mistake": N_("mistake"),
    "blunder": N_("blunder"), "forced": N_("only move"),
}  # fmt: skip
_STOPPED = {
    "unfinished": N_("The game is not over: its last value stands for the result."),
    "unknown draw": N_("The tile drawn in turn {turn} is not known: the value before it stands for the result."),
    "interrupted": N_("Interrupted: its last value so far stands for the result."),
}
ERROR = "  ±"  # of the line above
# The lines of the account: the words, and the part of it.
ACCOUNT_WORDS = (
    (N_("fair share"), "fair"), (N_("setup"), "setup"), (N_("luck of the draws"), "luck"), (ERROR, "luck_error"),
    (N_("own moves"), "own"), (ERROR, "own_error"), (N_("the others' moves"), "others"),
    (N_("revision of the estimates"), "revision"), (N_("result"), "result"),
)  # fmt: skip


def render_review(review: Review) -> str:
    parts = [_head(review), _table(_grades(review), review), _table(_accounts(review), review), _points(review)]
    parts.append(_turns(review))
    return "\n\n".join(part for part in parts if part) + "\n"


# ---- words that other reports use as well -------------------------------------------------------------


def names(review: Review) -> list[str]:
    return [player_name(review.record.start, player) for player in range(review.players)]


def title(review: Review) -> str:
    """Who played, and how it ended if it did."""
    players = names(review)
    if review.stopped != "over":
        return " – ".join(players)
    final = review.record.position()
    points = " : ".join(str(each.total) for each in score(final))
    winners = [name for name, share in zip(players, review.last.shares) if share]
    if len(winners) > 1:
        return _("{players}: {winners} share the victory, {points}", players=" – ".join(players),
                 winners=", ".join(winners), points=points)  # fmt: skip
    return _("{players}: {winner} wins, {points}", players=" – ".join(players), winner=winners[0], points=points)


def stopped_words(review: Review) -> str:
    """Why the review ends before the game does; empty if it does not."""
    form = _STOPPED.get(review.stopped)
    if form is None:
        return ""
    return _(form, turn=review.turns[-1].number if review.turns else 1)


def effort_words(review: Review) -> str:
    """Simulations if they were counted: then the report is the same every time."""
    if review.simulations is not None:
        return ngettext("{n} turn judged, {simulations:,} simulations a turn",
                        "{n} turns judged, {simulations:,} simulations a turn",
                        len(review.turns), simulations=review.simulations)  # fmt: skip
    return ngettext("{n} turn judged in {seconds:.0f} s", "{n} turns judged in {seconds:.0f} s", len(review.turns),
                    seconds=review.seconds)  # fmt: skip


def rounded(value: float, signed: bool = False) -> str:
    """To a tenth; nothing has no sign."""
    text = f"{value:{'+' if signed else ''}.1f}"
    return "0.0" if text in ("-0.0", "+0.0") else text


def percent(value: Fraction | float, signed: bool = False) -> str:
    return rounded(100 * float(value), signed)


def loss_cell(turn: Judged) -> str:
    """Per cent in a table: `7.7 ± 1.3`; `7.7 =` where it is proved."""
    if turn.proved:
        return f"{percent(turn.loss)} ="
    return percent(turn.loss) if turn.loss == 0 else f"{percent(turn.loss)} ± {percent(turn.loss_error)}"


def loss_words(turn: Judged) -> str:
    """In a sentence: `7.7 ± 1.3 %`; `8.3 % = 1/12` where it is proved."""
    return f"{percent(turn.loss)} % = {turn.loss}" if turn.proved else f"{loss_cell(turn)} %"


def luck_words(turn: Judged) -> str:
    """What the draw changed for the player who moved; empty where nothing could be different."""
    return percent(turn.luck[turn.player], signed=True) if len(turn.draws) > 1 else ""


def move_and_draw(turn: Judged) -> str:
    """As in a record."""
    text = format_move(turn.position, turn.move)
    return text if turn.drawn is None else f"{text} | {tile_text(turn.drawn)}"


def account_cells(account: Account) -> list[str]:
    """By the lines of ACCOUNT_WORDS."""
    plain = ("fair", "luck_error", "own_error", "result")
    return [percent(getattr(account, key), signed=key not in plain) for _words, key in ACCOUNT_WORDS]


def grade_rows(review: Review) -> list[tuple[str, list[str]]]:
    accounts = review.accounts
    rows = [
        (_("accuracy"), ["–" if each.accuracy is None else f"{each.accuracy:.1f}" for each in accounts]),
        (_("given away, % to win"), [percent(each.given) for each in accounts]),
        (_("given away, points of the lead"), [rounded(each.lead_loss) for each in accounts]),
    ]
    return rows + [
        (_(CLASS_WORDS[name]), [str(each.counts[name]) for each in accounts])
        for name in CLASSES
        if any(each.counts[name] for each in accounts)
    ]


def swing_words(swing: Swing) -> str:
    """What happened at a turning point."""
    turn = swing.turn
    if swing.by_luck:
        assert turn.drawn is not None
        return _("{tile} comes: luck, {percent} % for {player}", tile=tile_text(turn.drawn),
                 percent=percent(swing.size, signed=True), player=player_name(turn.position, swing.player))  # fmt: skip
    return _("{player}: {verdict}, {loss} given away", player=player_name(turn.position, turn.player),
             verdict=_(CLASS_WORDS[turn.verdict]), loss=loss_words(turn))  # fmt: skip


def reason_words(turn: Judged) -> str:
    return "" if turn.why is None else " ".join(reasons(turn.why))


# ---- the text ---------------------------------------------------------------------------------------


def _head(review: Review) -> str:
    lines = [title(review), effort_words(review), stopped_words(review)]
    return "\n".join(line for text in lines for line in wrap(text, WIDTH))


def _grades(review: Review) -> list[tuple[str, list[str]]]:
    return [("", [_short(name) for name in names(review)]), *grade_rows(review)]


def _accounts(review: Review) -> list[tuple[str, list[str]]]:
    cells = zip(*map(account_cells, review.accounts))
    heading = _("How the result came about, % of the victory")
    return [(heading, []), *((_(words), list(row)) for (words, _key), row in zip(ACCOUNT_WORDS, cells))]


def _table(rows: Sequence[tuple[str, Sequence[str]]], review: Review) -> str:
    width = max(8, *(len(_short(name)) + 2 for name in names(review)))
    room = WIDTH - width * review.players
    label = min(room, max(32, *(len(words) + 2 for words, cells in rows if cells)))
    lines = (words.ljust(label) + "".join(each.rjust(width) for each in cells) for words, cells in rows)
    return "\n".join(line.rstrip() for line in lines)


def _short(name: str) -> str:
    return name if len(name) <= NAME else name[: NAME - 1] + "…"


def _points(review: Review) -> str:
    if not review.turning_points:
        return ""
    lines = [_("Turning points")]
    for swing in review.turning_points:
        lines += _hanging(f"{swing.turn.number:>4}. ", swing_words(swing))
        if not swing.by_luck:
            turn = swing.turn
            lines += _labelled((
                (_("played"), format_move(turn.position, turn.move)),
                (_("better"), format_move(turn.position, turn.best)),
                ("", reason_words(turn)),
            ))  # fmt: skip
    return "\n".join(lines)


def _labelled(rows: Iterable[tuple[str, str]]) -> list[str]:
    rows = list(rows)
    width = max(len(label) for label, text in rows)
    return [line for label, text in rows if text for line in _hanging(f"      {label:<{width}}  ", text)]


def _hanging(head: str, text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


def _turns(review: Review) -> str:
    if not review.turns:
        return ""
    players = [_short(name) for name in names(review)]
    heads = ("", "", _("win %"), _("given away"), _("luck"), _("verdict"), _("move | draw"))
    rows = [
        (
            f"{turn.number}.", players[turn.player], percent(turn.before[turn.player]), loss_cell(turn),
            luck_words(turn), _(CLASS_WORDS[turn.verdict]), move_and_draw(turn),
        )
        for turn in review.turns
    ]  # fmt: skip
    widths = [max(len(row[column]) for row in [heads, *rows]) for column in range(6)]
    left = (1, 5)  # columns of words
    lines = []
    for row in [heads, *rows]:
        cells = [
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ]
        lines += _hanging("  ".join(cells) + "  ", row[-1])
    lines += wrap(_("win %: before the turn. ±: half the width of the 95 % interval. =: proved."), WIDTH)
    return "\n".join(lines)
