"""A Review as text for people: how each played, how the result came about, the turning points, every turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from textwrap import wrap

from ..advice.text import reasons
from ..base.language import N_, _, ngettext, numeral
from ..base.options import expect, whole
from ..core.fast_rules import score
from ..drawing.canvas import fit, text_width
from ..drawing.labels import player_name, result_points
from ..drawing.sentences import drawn_tile_words, move_words
from ..game.kinds import expect_kind
from ..notation.common import tile_text
from ..notation.move_text import format_move
from .data import CLASSES, Account, JudgedTurn, Review, Swing
from .standings import Mean, Standing

WIDTH, LEAST_WIDTH, MOST_WIDTH = 80, 40, 1000
NAME = 10  # columns of a name in a table ...
CHANCE = 4  # ... and above the chances of three or four players
LEAST_TEXT = 24  # columns for a text beside something

CLASS_WORDS = {
    "best": N_("best"),
    "good": N_("good"),
    "inaccuracy": N_("inaccuracy"),
    "mistake": N_("mistake"),
    "blunder": N_("blunder"),
    "forced": N_("only move"),
}
_STOPPED = {
    "unfinished": N_("The game is not over: its last value serves as the result."),
    "unknown draw": N_("The tile drawn in turn {turn} is not known: the value before it serves as the result."),
    "interrupted": N_("Interrupted: the last value so far serves as the result."),
}
# The lines of the account: words, and field.
ACCOUNT_WORDS = (
    (N_("fair share"), "fair"),
    (N_("setup"), "setup"),
    (N_("luck of the draw"), "luck"),
    (N_("own moves"), "own"),
    (N_("the others' moves"), "others"),
    (N_("misjudged by the review"), "revision"),
    (N_("result"), "result"),
)


def review_text(review: Review, width: int = WIDTH) -> str:
    """In this many columns; 40 are enough.

    >>> review = orbis.review_game(orbis.Record(position), simulations=100)
    >>> print(review_text(review))
    player 1 – player 2...
    """
    expect_kind(review, Review, "review")
    width = expect("width", width, whole(LEAST_WIDTH, MOST_WIDTH))
    text = _Text(review, width)
    parts = [text.head(), text.grades(), text.accounts(), text.points(), text.turns()]
    return "\n\n".join(part for part in parts if part) + "\n"


# ---- words that other reports use too ----------------------------------------------------------------


def names(review: Review) -> list[str]:
    return [player_name(review.record.start, player) for player in range(review.players)]


def title(review: Review) -> str:
    """Who played, and how it ended if it is over."""
    players = names(review)
    if review.stopped != "over":
        return " – ".join(players)
    final = review.record.position()
    points = result_points(score(final))
    winners = [name for name, share in zip(players, review.last.shares) if share]
    if len(winners) > 1:
        return _(
            "{players}: {winners} share the victory, {points}",
            players=" – ".join(players),
            winners=", ".join(winners),
            points=points,
        )
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
        return ngettext(
            "{n} turn judged, {simulations:,} simulations per turn",
            "{n} turns judged, {simulations:,} simulations per turn",
            len(review.turns),
            simulations=review.simulations,
        )
    return ngettext(
        "{n} turn judged in {seconds:.0f} s",
        "{n} turns judged in {seconds:.0f} s",
        len(review.turns),
        seconds=review.seconds,
    )


def rounded(value: float, signed: bool = False) -> str:
    """To a tenth; zero has no sign."""
    nothing = abs(value) < 0.05
    return numeral(0.0 if nothing else value, "+.1f" if signed and not nothing else ".1f")


def percent(value: Fraction | float, signed: bool = False) -> str:
    return rounded(100 * float(value), signed)


def loss_cell(turn: JudgedTurn) -> str:
    """Per cent in a table: `7.7 ± 1.3`; `7.7 =` where it is proved."""
    if turn.proved:
        return f"{percent(turn.loss)} ="
    return percent(turn.loss) if turn.loss == 0 else f"{percent(turn.loss)} ± {percent(turn.loss_error)}"


def loss_words(turn: JudgedTurn) -> str:
    """In a sentence: `7.7 ± 1.3 %`; `8.3 % = 1/12` where it is proved."""
    return f"{percent(turn.loss)} % = {turn.loss}" if turn.proved else f"{loss_cell(turn)} %"


def luck_cell(turn: JudgedTurn) -> str:
    """What the draw changed for player 1; empty where nothing could be different."""
    return percent(turn.luck[0], signed=True) if len(turn.draws) > 1 else ""


def lucky_cell(turn: JudgedTurn) -> str:
    """Who gained most by the draw and how much, if it is a lucky one."""
    if (player := turn.luckiest) is None:
        return ""
    return f"{player_name(turn.position, player)} {percent(turn.luck[player], signed=True)}"


def chance_heads(review: Review) -> list[str]:
    """The columns of a table with chances to win: of two players the first says all."""
    players = names(review)
    return [f"{players[0]} %"] if review.players == 2 else players


def chance_cells(turn: JudgedTurn) -> list[str]:
    """Before the turn, by the columns of `chance_heads`: always the same players, whoever moves."""
    if len(turn.before) == 2:
        return [percent(turn.before[0])]
    return [numeral(100 * float(share), ".0f") for share in turn.before]


def turns_note(review: Review) -> str:
    """What the columns of the turns are, and the signs in them."""
    signs = _("±: 95 times out of 100 the true value is no farther off than that. What has a = is proved.")
    if review.players > 2:
        chances = _("Below each name: that player's chance to win before the turn, in %.")
    else:
        chances = _(
            "{player} %: the chance of {player} to win before the turn. Luck: what the draw changed for {player}.",
            player=names(review)[0],
        )
    return f"{chances} {signs}"


def account_note() -> str:
    return _(
        "Misjudged by the review: what it saw only when it looked at the next turn. That is neither luck nor skill;"
        " with more time it gets smaller."
    )


def move_and_draw(turn: JudgedTurn) -> str:
    """As in a record."""
    text = format_move(turn.position, turn.move)
    return text if turn.drawn is None else f"{text} | {tile_text(turn.drawn)}"


def account_cells(account: Account) -> list[str]:
    """By the lines of ACCOUNT_WORDS."""
    errors = {"luck": account.luck_error, "own": account.own_error}

    def cell(key: str) -> str:
        value = percent(getattr(account, key), signed=key not in ("fair", "result"))
        return f"{value} ± {percent(errors[key])}" if errors.get(key) else value

    return [cell(key) for _words, key in ACCOUNT_WORDS]


def grade_rows(review: Review) -> list[tuple[str, list[str]]]:
    accounts = review.accounts
    rows = [
        (_("accuracy"), ["–" if each.accuracy is None else numeral(each.accuracy, ".1f") for each in accounts]),
        (_("given away, % to win"), [percent(each.given) for each in accounts]),
        (_("given away, points of lead"), [rounded(each.lead_loss) for each in accounts]),
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
        return _(
            "{tile} is drawn: luck, {percent} % for {player}",
            tile=drawn_tile_words(turn.drawn),
            percent=percent(swing.size, signed=True),
            player=player_name(turn.position, swing.player),
        )
    return _(
        "{player}: {verdict}, {loss} given away",
        player=player_name(turn.position, turn.player),
        verdict=_(CLASS_WORDS[turn.verdict]),
        loss=loss_words(turn),
    )


def reason_words(turn: JudgedTurn) -> str:
    return "" if turn.why is None else " ".join(reasons(turn.why, player_name(turn.position, turn.player)))


def pad(text: str, width: int) -> str:
    """Padded to this many columns of a terminal; on the left if the width is negative."""
    space = " " * (abs(width) - text_width(text))
    return text + space if width > 0 else space + text


# ---- the text ---------------------------------------------------------------------------------------


class _Text:
    """The report in this many columns. Where a table does not fit, its columns go below each other."""

    def __init__(self, review: Review, width: int) -> None:
        self.review = review
        self.width = width
        self.players = [fit(name, min(NAME, width // review.players - 1)) for name in names(review)]

    def head(self) -> str:
        lines = [title(self.review), effort_words(self.review), stopped_words(self.review)]
        return "\n".join(line for text in lines for line in wrap(text, self.width))

    def grades(self) -> str:
        return self._table([("", self.players), *grade_rows(self.review)])

    def accounts(self) -> str:
        cells = zip(*map(account_cells, self.review.accounts))
        rows = [(_(words), row) for (words, _key), row in zip(ACCOUNT_WORDS, cells)]
        heading = _("How the result came about, % of the victory")
        note = account_note()
        return "\n".join(
            [*wrap(heading, self.width), self._table([("", self.players), *rows]), *wrap(note, self.width)]
        )

    def _table(self, rows: Sequence[tuple[str, Sequence[str]]]) -> str:
        number = self.review.players
        longest = max(text_width(words) for words, _cells in rows)
        column = _column(rows)
        if self.width - number * column < longest:
            rows = [row for words, cells in rows for row in _without_errors(words, cells)]
            column = _column(rows)
        room = self.width - number * column
        label = min(room, max(32, longest + 2))
        if room < longest:
            column = min(column, self.width // number)
            label = self.width - number * column
            rows = [row for words, cells in rows for row in ((words, ()), ("", cells)) if any(row)]
        lines = (
            (pad(words, label) if cells else words) + "".join(pad(each, -column) for each in cells)
            for words, cells in rows
        )
        return "\n".join(line.rstrip() for line in lines)

    def points(self) -> str:
        if not self.review.turning_points:
            return ""
        lines = [_("Turning points")]
        for swing in self.review.turning_points:
            lines += self._hanging(f"{swing.turn.number:>4}. ", swing_words(swing))
            if not swing.by_luck:
                turn = swing.turn
                lines += self._with_labels(
                    (_("played"), move_words(turn.position, turn.move)),
                    (_("better"), move_words(turn.position, turn.best)),
                    ("", reason_words(turn)),
                )
        return "\n".join(lines)

    def _with_labels(self, *rows: tuple[str, str]) -> list[str]:
        width = max(len(label) for label, _text in rows)
        return [line for label, text in rows if text for line in self._hanging(f"      {label:<{width}}  ", text)]

    def _hanging(self, head: str, text: str) -> list[str]:
        """A text after its head, or below it if that leaves too little room."""
        indent = text_width(head)
        if self.width - indent >= LEAST_TEXT:
            further = wrap(text, self.width - indent)
            return [head + further[0], *(" " * indent + line for line in further[1:])] if further else [head.rstrip()]
        return [*wrap(head, self.width), *wrap(text, self.width, initial_indent="      ", subsequent_indent="      ")]

    def turns(self) -> str:
        if not self.review.turns:
            return ""
        two = self.review.players == 2
        chances = chance_heads(self.review) if two else [fit(name, CHANCE) for name in self.players]
        heads = ["", "", *chances, _("given away"), *([_("luck")] if two else []), _("verdict"), _("move | draw")]
        rows = [
            [
                f"{turn.number}.",
                self.players[turn.player],
                *chance_cells(turn),
                loss_cell(turn),
                *([luck_cell(turn)] if two else []),
                _(CLASS_WORDS[turn.verdict]),
                move_and_draw(turn) if two else self._move_and_luck(turn),
            ]
            for turn in self.review.turns
        ]
        verdict = len(heads) - 2
        widths = [max(text_width(row[column]) for row in [heads, *rows]) for column in range(verdict + 1)]
        left = (1, verdict)  # columns of words
        if self.width - sum(widths) - 2 * len(widths) < LEAST_TEXT:
            widths = widths[:verdict]  # the verdict goes below, with the move
        lines = []
        for row in [heads, *rows]:
            cells = [pad(cell, width if at in left else -width) for at, (cell, width) in enumerate(zip(row, widths))]
            lines += self._hanging("  ".join(cells) + "  ", ": ".join(row[len(widths) :]))
        return "\n".join([*lines, *wrap(turns_note(self.review), self.width)])

    def _move_and_luck(self, turn: JudgedTurn) -> str:
        """Three or four columns of luck would be too many: a lucky draw is named."""
        luck = lucky_cell(turn)
        return _("{move}, luck: {luck}", move=move_and_draw(turn), luck=luck) if luck else move_and_draw(turn)


def _column(rows: Sequence[tuple[str, Sequence[str]]]) -> int:
    """How wide the columns of a table are, with the space before them."""
    return max(8, *(text_width(cell) + 2 for _words, cells in rows for cell in cells))


def _without_errors(words: str, cells: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """A row of a table, with the errors below the figures if they have any."""
    figures, _sign, errors = zip(*(cell.partition(" ± ") for cell in cells))
    yield words, list(figures)
    if any(errors):
        yield "", [f"± {error}" if error else "" for error in errors]


# ---- over all games --------------------------------------------------------------------------------


def standings_text(rows: Iterable[Standing]) -> str:
    """A table; parts of the victory in per cent."""
    heads = [_("player"), _("games"), _("result"), _("accuracy"), _("luck"), _("skill"), _("given away")]

    def cell(value: Mean | None, scale: float = 100.0, signed: bool = False) -> str:
        if value is None:
            return "–"
        mean = numeral(scale * value.value, "+.1f" if signed else ".1f")
        return mean if value.error is None else f"{mean} ± {numeral(scale * value.error, '.1f')}"

    table = [heads] + [
        [
            fit(row.name, 12),
            str(row.games),
            cell(row.result),
            cell(row.accuracy, 1.0),
            cell(row.luck, signed=True),
            cell(row.skill, signed=True),
            cell(row.given),
        ]
        for row in rows
    ]
    first, *others = (max(text_width(line[column]) for line in table) for column in range(len(heads)))
    widths = [first, *(-width for width in others)]
    return "".join("  ".join(map(pad, line, widths)).rstrip() + "\n" for line in table)
