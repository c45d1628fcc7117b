"""An Advice as text for people: ranked table, where the points come from, why, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot

from ...base.figures import DASH, Row, filled, hanging, interval, percent, ranked_table
from ...base.language import N_, _, numeral
from ..drawing.sentences import explain_move
from ..drawing.terminal import player_name, render_position, status_note
from ..game.vocabulary import ROUNDS
from ..notation.moves import format_move
from ..search.data import MoveValue
from ..search.ending import SAME
from .data import Advice, Comparison, Idea, is_known, label_of

SHOWN = 8
WELL_KNOWN = 0.03  # half an interval: two chances known less well than this cannot be called close


def advice_text(advice: Advice, top: int = SHOWN, *, board: bool = True, colour: bool = False) -> str:
    """A row for each of the `top` ideas and of those compared; above it the position, if `board` says so."""
    drawn = render_position(advice.position, colour=colour, noted=False).rstrip("\n") if board else ""
    parts = [drawn, _headline(advice), _best_words(advice), _table(advice, _listed(advice, top))]
    parts += [_sources(advice)]
    if advice.why is not None:
        parts.append(_why(advice, advice.why))
    parts.append(worth_note(advice))
    return "\n\n".join(part for part in parts if part) + "\n"


def hint_text(advice: Advice, top: int = 3) -> str:
    """The best move in words, and the few best ideas with their chances."""
    return f"{_best_words(advice)}\n\n{_table(advice, advice.ideas[:top])}\n"


def why_text(advice: Advice) -> str:
    """The two moves compared."""
    if advice.why is None:
        return hint_text(advice)
    parts = [_best_words(advice), _table(advice, advice.ideas[:1]), _why(advice, advice.why)]
    return "\n\n".join(part for part in parts if part) + "\n"


def worth_note(advice: Advice) -> str:
    """What the figures stand on: which cards."""
    notes = []
    status = advice.position.cards.status
    if status != "transcribed":
        notes.append(status_note(status))
        if status != "random":
            notes.append(
                _("So this is advice for these cards. To write down those of your box: orbis orion cards template")
            )
    return "\n".join(filled(note) for note in notes)


def chance(value: MoveValue, mover: int) -> str:
    """The chance to win in per cent; empty if it is not known."""
    if value.proved:
        return percent(value.shares[mover])
    return interval(value.shares[mover], value.low, value.high) if is_known(value) else ""


def _listed(advice: Advice, top: int) -> list[Idea]:
    compared = () if advice.why is None else (advice.why.first, advice.why.second)
    return [
        idea
        for rank, idea in enumerate(advice.ideas, 1)
        if rank <= top or any(value in idea.ways for value in compared)
    ]


def _best_words(advice: Advice) -> str:
    move = advice.best.move
    notation = hanging("  ", format_move(advice.position, move))
    return "\n".join([filled(explain_move(advice.position, move)), *notation])


def _headline(advice: Advice) -> str:
    forms = {
        "interrupted": N_(
            "{player} decides, round {round} of {rounds}: {simulations:,} simulations in {seconds:.1f} s; interrupted"
        ),
        "solved": N_("{player} decides, round {round} of {rounds}: solved in {seconds:.1f} s"),
    }
    usual = N_("{player} decides, round {round} of {rounds}: {simulations:,} simulations in {seconds:.1f} s")
    return _(
        forms.get(advice.result.stopped, usual),
        player=player_name(advice.position, advice.mover),
        round=advice.position.round,
        rounds=ROUNDS,
        simulations=advice.result.simulations,
        seconds=advice.result.seconds,
    )


def _table(advice: Advice, ideas: Sequence[Idea]) -> str:
    rows = []
    for idea in ideas:
        value = idea.best
        points = _joined(advice, [numeral(each.total, ".1f") for each in value.sources]) if is_known(value) else ""
        words = format_move(advice.position, value.move)
        source = _("proved") if value.proved else _("sampled")
        rows.append(Row(label_of(advice, value), chance(value, advice.mover), points, source, words))
    lines = ranked_table(rows, _joined(advice, [_short(advice, seat) for seat in range(len(advice.best.shares))]))
    if len(rows) > 1:
        form = (
            N_("Move 1 is recommended; the rest rank by chance to win.")
            if all(idea.best.proved for idea in ideas)
            else N_("Move 1 is recommended; the rest rank by chance to win. ± is a 95 % interval.")
        )
        lines += ["", filled(_(form))]
    return "\n".join(lines)


def _joined(advice: Advice, words: Sequence[str]) -> str:
    return (" : " if len(words) == 2 else " ").join(words[seat] for seat in _order(advice))


def _short(advice: Advice, seat: int) -> str:
    name = advice.position.players[seat].name
    # Translators: a player without a name, as short as can be.
    return name[:8] if name else _("P{number}", number=seat + 1)


def _order(advice: Advice) -> list[int]:
    """The mover first, then the others in turn order."""
    players = len(advice.position.players)
    return [(advice.mover + each) % players for each in range(players)]


# What the fields of `Sources` are called.
SOURCE_WORDS = {
    "track": N_("VP track"),
    "loyalty": N_("loyalty"),
    "structures": N_("structures"),
    "effects": N_("effects at the end"),
}


def _sources(advice: Advice) -> str:
    """Where the points of the best move's games come from, by player."""
    if not is_known(advice.best):
        return ""
    order = _order(advice)
    names = [player_name(advice.position, seat) for seat in order]
    widths = [max(len(name), 6) for name in names]
    heading, together = _("Expected points with move 1"), _("total")
    label_width = max(30, len(heading) - 2, *(len(_(words)) for words in SOURCE_WORDS.values()))
    lines = [heading.ljust(label_width + 2) + "  ".join(name.rjust(width) for name, width in zip(names, widths))]
    for field, words in SOURCE_WORDS.items():
        cells = [numeral(getattr(advice.best.sources[seat], field), ".1f") for seat in order]
        lines.append(f"  {_(words):<{label_width}}" + "  ".join(c.rjust(w) for c, w in zip(cells, widths)))
    totals = [numeral(advice.best.sources[seat].total, ".1f") for seat in order]
    lines.append(f"  {together:<{label_width}}" + "  ".join(c.rjust(w) for c, w in zip(totals, widths)))
    return "\n".join(lines)


def _why(advice: Advice, why: Comparison) -> str:
    names = [label_of(advice, value) for value in (why.first, why.second)]
    sides = (why.first, why.second)
    mover = why.mover

    def figures(amounts: Sequence[float]) -> list[str]:
        return [numeral(amount, ".1f") if is_known(side) else DASH for side, amount in zip(sides, amounts)]

    facts = [
        (_("chance to win"), [f"{win} %" if (win := chance(side, mover)) else DASH for side in sides]),
        (_("your points"), figures([side.sources[mover].total for side in sides])),
    ]
    for field, words in SOURCE_WORDS.items():
        facts.append(("  " + _(words), figures([getattr(side.sources[mover], field) for side in sides])))
    single = len(advice.position.players) == 2
    others = [sum(each.total for seat, each in enumerate(side.sources) if seat != mover) for side in sides]
    facts.append((_("their points") if single else _("the others' points"), figures(others)))
    heading = _("Why {first} and not {second}?", first=names[0], second=names[1])
    label_width = max(26, len(heading) - 1, *(len(name) for name, _cells in facts))
    width = max(14, *(len(cell) + 2 for _name, cells in facts for cell in cells))
    titles = [_("move {number}", number=name) for name in names]
    lines = [heading.ljust(label_width + 2) + "".join(title.rjust(width) for title in titles)]
    lines += [f"  {name:<{label_width}}" + "".join(cell.rjust(width) for cell in cells) for name, cells in facts]
    return "\n".join(lines) + "\n\n" + filled(" ".join((_verdict(why, names), *reasons(why))))


def _verdict(why: Comparison, names: Sequence[str]) -> str:
    a, b = why.first, why.second
    first, second = names
    errors = [(value.high - value.low) / 2 for value in (a, b)]
    if is_known(a) and is_known(b):
        if a.proved and b.proved and abs(why.win) < SAME:
            return _("Move {first} wins as often as move {second}: proved.", first=first, second=second)
        if abs(why.win) >= hypot(*errors):
            form = (
                N_("Move {first} wins {points:.1f} percentage points more often than move {second}.")
                if why.win > 0
                else N_("Move {first} wins {points:.1f} percentage points less often than move {second}.")
            )
            return _(form, first=first, second=second, points=100 * abs(why.win))
        if max(errors) <= WELL_KNOWN:
            return _("Move {first} is too close to move {second} to tell which is better.", first=first, second=second)
    form = N_("Move {first} may be better or worse than move {second}: too little is known yet.")
    return _(form, first=first, second=second)


def reasons(why: Comparison) -> Iterable[str]:
    """What the first move does better or worse than the second; nothing if one of them was barely looked at."""
    if not (is_known(why.first) and is_known(why.second)):
        return
    if abs(why.own_gain) >= 0.05:
        form = (
            N_("It gains you {points:.1f} points ({sources}).")
            if why.own_gain > 0
            else N_("It costs you {points:.1f} points ({sources}).")
        )
        yield _(form, points=abs(why.own_gain), sources=_main_sources(why))
    if abs(why.others_loss) >= 0.05:
        forms = (
            (N_("They end {points:.1f} points lower."), N_("They end {points:.1f} points higher."))
            if len(why.first.shares) == 2
            else (N_("The others end {points:.1f} points lower."), N_("The others end {points:.1f} points higher."))
        )
        yield _(forms[why.others_loss < 0], points=abs(why.others_loss))


def _main_sources(why: Comparison) -> str:
    """The two that differ most, in the direction of the whole."""
    a, b = (value.sources[why.mover] for value in (why.first, why.second))
    gains = [(getattr(a, name) - getattr(b, name), _(words)) for name, words in SOURCE_WORDS.items()]
    gains = sorted((each for each in gains if (each[0] > 0) == (why.own_gain > 0)), key=lambda each: -abs(each[0]))
    named = [f"{words} {numeral(gain, '+.1f')}" for gain, words in gains[:2]]
    return _("{first}, {second}", first=named[0], second=named[1]) if len(named) == 2 else "".join(named)
