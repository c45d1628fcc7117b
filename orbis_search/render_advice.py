"""An Advice as text for people: ranked table, where the points come from, line, why, next refill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING

from .descriptions import tell
from .language import N_, _, ngettext
from .notation.moves import format_move
from .render import letter, player_name, render_move, tile_label, worshiper_letters
from .vocabulary import CELLS, Worshipers
from .wording import move_words

if TYPE_CHECKING:
    from .advisor import Advice, Candidate, Comparison, DrawValue, Side

WIDTH = 80
SHOWN_DRAWS = 3  # best and worst of the next refill


def render_advice(advice: Advice, top: int = 8, *, board: bool = True, colour: bool = False) -> str:
    drawn = render_move(advice.position, advice.best.move, colour=colour).rstrip("\n") if board else ""
    parts = [drawn, _headline(advice), _table(advice, top), _sources(advice), _line(advice)]
    if advice.why is not None:
        parts.append(_why(advice, advice.why))
    parts.append(_refill(advice))
    if advice.memory_full:
        parts.append(_("The tree filled its memory and stopped growing; --memory gives it more."))
    return "\n\n".join(part for part in parts if part) + "\n"


def render_hint(advice: Advice, top: int = 3) -> str:
    """The best move in words, and the few best with their chances."""
    return f"{_best_words(advice)}\n\n{_table(advice, top)}\n"


def render_why(advice: Advice) -> str:
    """The two moves under comparison, what speaks for which, and what is expected to follow the best."""
    if advice.why is None:
        return render_hint(advice)
    ranks = [advice.candidates.index(side.candidate) + 1 for side in (advice.why.first, advice.why.second)]
    parts = [_best_words(advice), _table(advice, 1, ranks), _why(advice, advice.why), _line(advice)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _best_words(advice: Advice) -> str:
    return "\n".join(wrap(move_words(advice.position, advice.best.move), WIDTH - 1))


def _headline(advice: Advice) -> str:
    position = advice.position
    turn = position.turns_played + 1
    last = 15 * len(position.players)
    form = {
        "interrupted": N_(
            "{player} to move, turn {turn} of {turns}: {simulations:,} simulations in {seconds:.1f} s; interrupted"
        ),
        "confidence": N_(
            "{player} to move, turn {turn} of {turns}: {simulations:,} simulations in {seconds:.1f} s; sure enough"
        ),
    }.get(
        advice.stopped,
        N_("{player} to move, turn {turn} of {turns}: {simulations:,} simulations in {seconds:.1f} s"),
    )
    head = _(
        form, player=player_name(position, position.to_move or 0), turn=turn, turns=last,
        simulations=advice.simulations, seconds=advice.seconds,
    )  # fmt: skip
    if advice.proof is not None and advice.proof.finished:
        nodes = advice.proof.nodes
        head += "\n" + ngettext(
            "No move is better than the first: proved, {n:,} position solved",
            "No move is better than the first: proved, {n:,} positions solved",
            nodes,
        )
    return head + "\n\n" + _best_words(advice)


def _table(advice: Advice, top: int, also: Sequence[int] = ()) -> str:
    """The moves up to the rank `top`, those that were asked for, and those of the ranks `also`."""
    position = advice.position
    order = _from(advice)
    shown = [
        (rank, candidate)
        for rank, candidate in enumerate(advice.candidates, 1)
        if rank <= top or rank in also or candidate.kept
    ]
    values = [_value(candidate) for rank, candidate in shown]
    win_head, points_head, value_head, move_head = _("win %"), _("points"), _("value"), _("move")
    points_width = max(7 * len(order) - 3, 8, len(points_head))
    win_width = max(11, len(win_head), *(len(win) for win, value in values))
    value_width = max(7, len(value_head), *(len(value) for win, value in values))
    lines = [
        f"{'':>3}  {win_head:>{win_width}}  {points_head:>{points_width}}  {value_head:<{value_width}}  {move_head}"
    ]
    indent = len(lines[0]) - len(move_head)
    for (rank, candidate), (win, value) in zip(shown, values):
        points = " : ".join(f"{candidate.points[i]:.1f}" for i in order)
        first, *rest = wrap(format_move(position, candidate.move), WIDTH - indent) or [""]
        lines.append(f"{rank:>3}  {win:>{win_width}}  {points:>{points_width}}  {value:<{value_width}}  {first}")
        lines += [" " * indent + more for more in rest]
    return "\n".join(lines)


def _value(candidate: Candidate) -> tuple[str, str]:
    """What to say of the chance to win, and where that comes from."""
    if candidate.proved:
        return percent(candidate.at_least), _("proved")
    if candidate.at_most < 1 and candidate.win + candidate.error >= candidate.at_most:
        return _("at most {percent}", percent=percent(candidate.at_most)), _("proved")
    return f"{100 * candidate.win:.1f} ± {100 * candidate.error:.1f}", _("sampled")


def caption(advice: Advice) -> str:
    """One line under a picture: the best move and its chance to win."""
    win, value = _value(advice.best)
    move = format_move(advice.position, advice.best.move)
    return _("{move}: {win} % to win ({value})", move=move, win=win, value=value)


def percent(value: Fraction) -> str:
    """`62.5`, or `0` and `100` for what is certain."""
    return f"{100 * float(value):.1f}" if 0 < value < 1 else str(int(100 * value))


def _from(advice: Advice) -> list[int]:
    """The mover first, then the others in turn order."""
    players = len(advice.position.players)
    return [((advice.position.to_move or 0) + i) % players for i in range(players)]


def _sources(advice: Advice) -> str:
    """Where the points of the best move's games come from, by player."""
    order = _from(advice)
    best = advice.best
    names = [player_name(advice.position, i) for i in order]
    widths = [max(len(name), 6) for name in names]
    heading, together = _("Expected points with move 1"), _("together")
    label_width = max(30, len(heading) - 2, *(len(_(words)) for words in SOURCE_WORDS.values()))
    lines = [heading.ljust(label_width + 2) + "  ".join(n.rjust(w) for n, w in zip(names, widths))]
    for field in fields(best.sources[0]):
        values = [getattr(best.sources[i], field.name) for i in order]
        if field.name == "worshipers" or all(abs(value) < 0.05 for value in values):
            continue
        cells = "  ".join(f"{value:.1f}".rjust(width) for value, width in zip(values, widths))
        lines.append(f"  {_(SOURCE_WORDS[field.name]):<{label_width}}{cells}")
    totals = "  ".join(f"{best.points[i]:.1f}".rjust(width) for i, width in zip(order, widths))
    lines.append(f"  {together:<{label_width}}{totals}")
    return "\n".join(lines)


SOURCE_WORDS = {
    "none": N_("plain tiles"), "farm": N_("farms"), "village": N_("villages"), "forest": N_("forests"),
    "volcano": N_("volcanoes"), "irrigation": N_("irrigations"), "temple": N_("temple tiles"),
    "proselytism": N_("proselytisms"), "sacred_stone": N_("sacred stones"), "wilderness": N_("wilderness"),
    "god": N_("god"), "temple_token": N_("temple token"), "worshipers": N_("worshipers left"),
}  # fmt: skip


def _line(advice: Advice) -> str:
    if not advice.best.line:
        return ""
    lines = [_("Expected after move 1")]
    for number, step in enumerate(advice.best.line, 1):
        form = N_("({percent:.0f} %, if drawn)") if step.drawn else "({percent:.0f} %)"
        note = _(form, percent=100 * step.frequency)
        text = f"{player_name(advice.position, step.player)}: {step.text}  {note}"
        lines += _hanging(f"  {number}. ", text)
    return "\n".join(lines)


def _hanging(head: str, text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


# ---- why --------------------------------------------------------------------------------------------------


def _why(advice: Advice, why: Comparison) -> str:
    ranks = [1 + advice.candidates.index(side.candidate) for side in (why.first, why.second)]
    single = len(advice.position.players) == 2  # one opponent
    sides = (why.first, why.second)
    rows: list[tuple[str, list[str]]] = [
        (_("chance to win"), [f"{100 * side.candidate.win:.1f} %" for side in sides]),
        (_("your points"), [f"{side.candidate.points[why.mover]:.1f}" for side in sides]),
        (
            _("their points") if single else _("the others' points"),
            [f"{_others(side.candidate.points, why.mover):.1f}" for side in sides],
        ),
    ]
    if why.seeded is not None:
        seeded = [_signed(_others(side.seed_points or (), why.mover)) for side in sides]
        rows.append(("  " + _("thanks to what it seeds"), seeded))
    rows += [
        (_("seeds"), [_seed_words(side) for side in sides]),
        (_("realm left over"), [f"{_worshiper_words(side.realm)} ({side.realm.total})" for side in sides]),
        (_("level on points"), [f"{100 * side.candidate.level:.1f} %" for side in sides]),
        ("  " + _("victory then"), [f"{100 * side.candidate.level_win:.0f} %" for side in sides]),
    ]
    heading = _("Why {first} and not {second}?", first=ranks[0], second=ranks[1])
    label_width = max(26, len(heading) - 1, *(len(name) for name, cells in rows))
    width = max(len(cell) for name, cells in rows for cell in cells) + 2
    width = max(10, min(width, 25, (WIDTH - 2 - label_width) // 2))
    titles = [_("move {number}", number=rank) for rank in ranks]
    lines = [heading.ljust(label_width + 2) + "".join(title.rjust(width) for title in titles)]
    lines += [f"  {name:<{label_width}}" + "".join(cell.rjust(width) for cell in cells) for name, cells in rows]
    return "\n".join(lines) + "\n\n" + "\n".join(wrap(" ".join(_sentences(why, ranks)), WIDTH))


def _others(values: Iterable[float], mover: int) -> float:
    return sum(value for player, value in enumerate(values) if player != mover)


def _signed(value: float) -> str:
    return f"{value:+.1f}" if abs(value) >= 0.05 else "0.0"


def _seed_words(side: Side) -> str:
    """`R on b3 c2`, the tile that is taken next most often first."""
    if not side.seeds:
        return _("nothing")
    by_taken = sorted(side.seeds, key=lambda seed: -seed.taken)
    cells = " ".join(CELLS[seed.cell] for seed in by_taken)
    return _("{colour} on {cells}", colour=letter(by_taken[0].colour), cells=cells)


def _worshiper_words(worshipers: Worshipers) -> str:
    return worshiper_letters(worshipers) or "–"


def _sentences(why: Comparison, ranks: list[int]) -> Iterable[str]:
    """The comparison in words."""
    first, second = why.first.candidate, why.second.candidate
    if first.proved and second.proved and first.at_least == second.at_least:
        yield _("Move {first} wins as often as move {second}: proved.", first=ranks[0], second=ranks[1])
    elif abs(why.win) <= max(first.error, second.error):
        yield _("Move {first} is too close to move {second} to tell which is better.", first=ranks[0], second=ranks[1])
    else:
        form = (
            N_("Move {number} wins {percent:.1f} % more often.")
            if why.win > 0
            else N_("Move {number} wins {percent:.1f} % less often.")
        )
        yield _(form, number=ranks[0], percent=100 * abs(why.win))
    yield from reasons(why)


def reasons(why: Comparison) -> Iterable[str]:
    """What the first move does better or worse than the second, to the player who makes it."""
    single = len(why.first.candidate.points) == 2  # one opponent
    if abs(why.own_gain) >= 0.05:
        yield _own_words(why)
    if why.denied is not None and why.seeded is not None:
        if abs(why.denied) >= 0.05:
            yield _(_choose(_DENIED, single, why.denied > 0), points=abs(why.denied))
        if abs(why.seeded) >= max(0.05, why.first.seed_error, why.second.seed_error):
            yield _(_choose(_SEEDED, single, why.seeded > 0), points=abs(why.seeded))
    elif abs(why.others_loss) >= 0.05:
        yield _(_choose(_LOSS, single, why.others_loss > 0), points=abs(why.others_loss))
    busiest = max(why.first.seeds, key=lambda seed: seed.taken, default=None)
    if busiest is not None and busiest.taken >= 0.2:
        yield _(
            "The next player takes {cell}, which it feeds, in {percent:.0f} % of the games.",
            cell=CELLS[busiest.cell], percent=100 * busiest.taken,
        )  # fmt: skip
    if abs(why.tie_break) >= 0.005:
        form = (
            N_("Games level on points: it helps by {percent:.1f} %.")
            if why.tie_break > 0
            else N_("Games level on points: it hurts by {percent:.1f} %.")
        )
        yield _(form, percent=100 * abs(why.tie_break))


# Each for one opponent and for several; if the figure is above zero, and below.
_DENIED = (
    (N_("It denies them {points:.1f} points."), N_("It leaves them {points:.1f} points more.")),
    (N_("It denies the others {points:.1f} points."), N_("It leaves the others {points:.1f} points more.")),
)
_SEEDED = (
    (
        N_("What it seeds brings them {points:.1f} points more."),
        N_("What it seeds brings them {points:.1f} points fewer."),
    ),
    (
        N_("What it seeds brings the others {points:.1f} points more."),
        N_("What it seeds brings the others {points:.1f} points fewer."),
    ),
)
_LOSS = (
    (N_("They end {points:.1f} points lower."), N_("They end {points:.1f} points higher.")),
    (N_("The others end {points:.1f} points lower."), N_("The others end {points:.1f} points higher.")),
)


def _choose(forms: tuple[tuple[str, str], tuple[str, str]], single: bool, positive: bool) -> str:
    return forms[not single][not positive]


def _own_words(why: Comparison) -> str:
    sources, points = _main_sources(why), abs(why.own_gain)
    if why.own_gain > 0:
        if sources:
            return _("It gains you {points:.1f} points ({sources}).", points=points, sources=sources)
        return _("It gains you {points:.1f} points.", points=points)
    if sources:
        return _("It costs you {points:.1f} points ({sources}).", points=points, sources=sources)
    return _("It costs you {points:.1f} points.", points=points)


def _main_sources(why: Comparison) -> str:
    """The two sources that differ most for the mover."""
    a, b = (side.candidate.sources[why.mover] for side in (why.first, why.second))
    gains = [(getattr(a, name) - getattr(b, name), words) for name, words in SOURCE_WORDS.items()]
    gains = [(gain, words) for gain, words in gains[:-1] if abs(gain) >= 0.1 and (gain > 0) == (why.own_gain > 0)]
    gains.sort(key=lambda pair: -abs(pair[0]))
    return ", ".join(f"{_(words)} {gain:+.1f}" for gain, words in gains[:2])


# ---- the next refill ------------------------------------------------------------------------------------------


def _refill(advice: Advice) -> str:
    draws = advice.best.draws
    if not draws:
        return ""
    lines = [_("What the next refill makes of move 1 (win %)")]
    if len(draws) <= 2 * SHOWN_DRAWS:
        lines += [_draw(value) for value in draws]
    else:
        lines += [_draw(value) for value in draws[:SHOWN_DRAWS]]
        between = ngettext("{n} more between", "{n} more between", len(draws) - 2 * SHOWN_DRAWS)
        lines.append(f"  … {between} …")
        lines += [_draw(value) for value in draws[-SHOWN_DRAWS:]]
    return "\n".join(lines)


def _draw(value: DrawValue) -> str:
    win = f"{100 * value.win:.1f} ± {100 * value.error:.1f}"
    label = "" if value.tile.described else f"{tile_label(value.tile)}: "
    return f"  {win:>11}  {label}{tell(value.tile)}"
