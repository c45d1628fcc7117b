"""An Advice as text for people: ranked table, where the points come from, line, why, next refill."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING

from .descriptions import describe
from .notation.moves import format_move
from .render import letter, player_name, render_move, tile_label
from .vocabulary import CELLS, Colour, Worshipers

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
        parts.append("The tree filled its memory and stopped growing; --memory gives it more.")
    return "\n\n".join(part for part in parts if part) + "\n"


def _headline(advice: Advice) -> str:
    position = advice.position
    turn = position.turns_played + 1
    last = 15 * len(position.players)
    how = {"interrupted": "; interrupted", "confidence": "; sure enough"}.get(advice.stopped, "")
    if advice.proof is not None and advice.proof.finished:
        how += f"\nNo move is better than the first: proved, {advice.proof.nodes:,} positions solved"
    return (
        f"{player_name(position, position.to_move or 0)} to move, turn {turn} of {last}: "
        f"{advice.simulations:,} simulations in {advice.seconds:.1f} s{how}"
    )


def _table(advice: Advice, top: int) -> str:
    position = advice.position
    order = _from(advice)
    shown = [
        (rank, candidate)
        for rank, candidate in enumerate(advice.candidates, 1)
        if rank <= top or candidate.kept
    ]
    points_width = max(7 * len(order) - 3, 8)
    values = [_value(candidate) for _, candidate in shown]
    win_width = max(11, *(len(win) for win, _ in values))
    lines = [f"{'':>3}  {'win %':>{win_width}}  {'points':>{points_width}}  {'value':<7}  move"]
    indent = len(lines[0]) - len("move")
    for (rank, candidate), (win, value) in zip(shown, values):
        points = " : ".join(f"{candidate.points[i]:.1f}" for i in order)
        first, *rest = wrap(format_move(position, candidate.move), WIDTH - indent) or [""]
        lines.append(f"{rank:>3}  {win:>{win_width}}  {points:>{points_width}}  {value:<7}  {first}")
        lines += [" " * indent + more for more in rest]
    return "\n".join(lines)


def _value(candidate: Candidate) -> tuple[str, str]:
    """What to say of the chance to win, and where that comes from."""
    if candidate.proved:
        return percent(candidate.at_least), "proved"
    if candidate.at_most < 1 and candidate.win + candidate.error >= candidate.at_most:
        return "at most " + percent(candidate.at_most), "proved"
    return f"{100 * candidate.win:.1f} ± {100 * candidate.error:.1f}", "sampled"


def caption(advice: Advice) -> str:
    """One line under a picture: the best move and its chance to win."""
    win, value = _value(advice.best)
    return f"{format_move(advice.position, advice.best.move)}: {win} % ({value})"


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
    lines = ["Expected points with move 1" + " " * 5 + "  ".join(n.rjust(w) for n, w in zip(names, widths))]
    for field in fields(best.sources[0]):
        values = [getattr(best.sources[i], field.name) for i in order]
        if field.name == "worshipers" or all(abs(value) < 0.05 for value in values):
            continue
        cells = "  ".join(f"{value:.1f}".rjust(width) for value, width in zip(values, widths))
        lines.append(f"  {SOURCE_WORDS[field.name]:<30}{cells}")
    totals = "  ".join(f"{best.points[i]:.1f}".rjust(width) for i, width in zip(order, widths))
    lines.append(f"  {'together':<30}{totals}")
    return "\n".join(lines)


SOURCE_WORDS = {
    "none": "plain tiles", "farm": "farms", "village": "villages", "forest": "forests", "volcano": "volcanoes",
    "irrigation": "irrigations", "temple": "temple tiles", "proselytism": "proselytisms",
    "sacred_stone": "sacred stones", "wilderness": "wilderness", "god": "god", "temple_token": "temple token",
    "worshipers": "worshipers left",
}  # fmt: skip


def _line(advice: Advice) -> str:
    if not advice.best.line:
        return ""
    lines = ["Expected after move 1"]
    for number, step in enumerate(advice.best.line, 1):
        note = f"  ({100 * step.frequency:.0f} %" + (", if drawn)" if step.drawn else ")")
        text = f"{player_name(advice.position, step.player)}: {step.text}{note}"
        lines += _hanging(f"  {number}. ", text)
    return "\n".join(lines)


def _hanging(head: str, text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


# ---- why --------------------------------------------------------------------------------------------------


def _why(advice: Advice, why: Comparison) -> str:
    ranks = [1 + advice.candidates.index(side.candidate) for side in (why.first, why.second)]
    others = "their" if len(advice.position.players) == 2 else "the others'"
    sides = (why.first, why.second)
    rows: list[tuple[str, list[str]]] = [
        ("chance to win", [f"{100 * side.candidate.win:.1f} %" for side in sides]),
        ("your points", [f"{side.candidate.points[why.mover]:.1f}" for side in sides]),
        (f"{others} points", [f"{_others(side.candidate.points, why.mover):.1f}" for side in sides]),
    ]
    if why.seeded is not None:
        rows.append(("  thanks to what it seeds", [_signed(_others(s.seed_points or (), why.mover)) for s in sides]))
    rows += [
        ("seeds", [_seed_words(side) for side in sides]),
        ("realm left over", [f"{_worshiper_words(side.realm)} ({side.realm.total})" for side in sides]),
        ("level on points", [f"{100 * side.candidate.level:.1f} %" for side in sides]),
        ("  victory then", [f"{100 * side.candidate.level_win:.0f} %" for side in sides]),
    ]
    width = max(len(cell) for _, cells in rows for cell in cells) + 2
    width = max(10, min(width, 25))
    lines = [f"Why {ranks[0]} and not {ranks[1]}?".ljust(28) + "".join(f"move {rank}".rjust(width) for rank in ranks)]
    lines += [f"  {name:<26}" + "".join(cell.rjust(width) for cell in cells) for name, cells in rows]
    return "\n".join(lines) + "\n\n" + "\n".join(wrap(" ".join(_sentences(why, ranks, others)), WIDTH))


def _others(values: Iterable[float], mover: int) -> float:
    return sum(value for player, value in enumerate(values) if player != mover)


def _signed(value: float) -> str:
    return f"{value:+.1f}" if abs(value) >= 0.05 else "0.0"


def _seed_words(side: Side) -> str:
    """`R on b3 c2`, the tile that is taken next most often first."""
    if not side.seeds:
        return "nothing"
    by_taken = sorted(side.seeds, key=lambda seed: -seed.taken)
    return f"{letter(by_taken[0].colour)} on " + " ".join(CELLS[seed.cell] for seed in by_taken)


def _worshiper_words(worshipers: Worshipers) -> str:
    return "".join(letter(colour) * worshipers[colour] for colour in Colour) or "–"


def _sentences(why: Comparison, ranks: list[int], others: str) -> Iterable[str]:
    first, second = why.first.candidate, why.second.candidate
    if abs(why.win) <= max(first.error, second.error):
        yield f"Moves {ranks[0]} and {ranks[1]} are too close to tell apart."
    else:
        verb = "more" if why.win > 0 else "less"
        yield f"Move {ranks[0]} wins {100 * abs(why.win):.1f} % {verb} often."
    if abs(why.own_gain) >= 0.05:
        verb = "gains" if why.own_gain > 0 else "costs"
        yield f"It {verb} you {abs(why.own_gain):.1f} points{_main_sources(why)}."
    if why.denied is not None and why.seeded is not None:
        if abs(why.denied) >= 0.05:
            verb = "denies" if why.denied > 0 else "leaves"
            yield f"It {verb} {_them(others)} {abs(why.denied):.1f} points."
        if abs(why.seeded) >= max(0.05, why.first.seed_error, why.second.seed_error):
            verb = "more" if why.seeded > 0 else "fewer"
            yield f"What it seeds brings {_them(others)} {abs(why.seeded):.1f} points {verb}."
    elif abs(why.others_loss) >= 0.05:
        verb = "lower" if why.others_loss > 0 else "higher"
        yield f"{_they(others)} end {abs(why.others_loss):.1f} points {verb}."
    busiest = max(why.first.seeds, key=lambda seed: seed.taken, default=None)
    if busiest is not None and busiest.taken >= 0.2:
        yield (
            f"The next player takes {CELLS[busiest.cell]}, which it feeds, in {100 * busiest.taken:.0f} % of the games."
        )
    if abs(why.tie_break) >= 0.005:
        verb = "helps" if why.tie_break > 0 else "hurts"
        yield f"Games level on points: it {verb} by {100 * abs(why.tie_break):.1f} %."


def _them(others: str) -> str:
    return "them" if others == "their" else "the others"


def _they(others: str) -> str:
    return "They" if others == "their" else "The others"


def _main_sources(why: Comparison) -> str:
    """The two sources that differ most for the mover."""
    a, b = (side.candidate.sources[why.mover] for side in (why.first, why.second))
    gains = [(getattr(a, name) - getattr(b, name), words) for name, words in SOURCE_WORDS.items()]
    gains = [(gain, words) for gain, words in gains[:-1] if abs(gain) >= 0.1 and (gain > 0) == (why.own_gain > 0)]
    gains.sort(key=lambda pair: -abs(pair[0]))
    return " (" + ", ".join(f"{name} {gain:+.1f}" for gain, name in gains[:2]) + ")" if gains else ""


# ---- the next refill ------------------------------------------------------------------------------------------


def _refill(advice: Advice) -> str:
    draws = advice.best.draws
    if not draws:
        return ""
    lines = ["What the next refill makes of move 1 (win %)"]
    if len(draws) <= 2 * SHOWN_DRAWS:
        lines += [_draw(value) for value in draws]
    else:
        lines += [_draw(value) for value in draws[:SHOWN_DRAWS]]
        lines.append(f"  … {len(draws) - 2 * SHOWN_DRAWS} more between …")
        lines += [_draw(value) for value in draws[-SHOWN_DRAWS:]]
    return "\n".join(lines)


def _draw(value: DrawValue) -> str:
    win = f"{100 * value.win:.1f} ± {100 * value.error:.1f}"
    label = "" if value.tile.described else f"{tile_label(value.tile)}: "
    return f"  {win:>11}  {label}{describe(value.tile)}"
