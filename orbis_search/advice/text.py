"""An Advice as text for people: ranked table, where the points come from, line, why, next refill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from math import hypot
from textwrap import wrap
from typing import TYPE_CHECKING

from ..base import figures
from ..base.figures import DASH, WIDTH, filled, hanging, interval, percent, signed
from ..base.language import N_, _, ngettext, numeral
from ..base.options import MOST_SHOWN, boolean, expect, or_null, whole
from ..base.quoting import place_of
from ..drawing.canvas import fit, text_width
from ..drawing.labels import letter, player_name, tile_label, worshiper_letters
from ..drawing.sentences import idea_words, move_words
from ..drawing.terminal import render_marked_centre, render_universes
from ..game.kinds import expect_kind
from ..game.tiles import DEFAULT_TILE_SET
from ..game.vocabulary import CELLS, Worshipers
from ..notation.move_text import format_move
from ..tileset.descriptions import tell
from .data import Advice
from .rows import Row, labels, rows, way_letter

if TYPE_CHECKING:
    from ..game.position import Position
    from .data import Candidate, Comparison, Side

SHOWN_DRAWS = 3  # best and worst of the next refill
WELL_KNOWN = 0.03  # half an interval: two chances known less well than this cannot be called close


def advice_text(
    advice: Advice,
    top: int = 8,
    *,
    all_ways: bool | None = None,
    board: bool = True,
    colour: bool = False,
    lines: int | None = None,
) -> str:
    """A row for each of the `top` ideas. `all_ways`: whether to list every way to play them; None does not, and does
    not mention the option either. `lines`: of a terminal; if it has too few for everything, the centre and the best
    move come last, where they can be seen.

        >>> advice = orbis.advise(position, simulations=100, seed=1)
        >>> print(advice_text(advice, top=3, board=False))
        player 1 to move, turn 13 of 30: 100 simulations in ...
    """
    expect_kind(advice, Advice, "advice")
    top = expect("top", top, whole(0, MOST_SHOWN))
    expect("all_ways", all_ways, or_null(boolean))
    expect("board", board, boolean)
    expect("colour", colour, boolean)
    expect("lines", lines, or_null(whole(1, MOST_SHOWN)))
    centre = universes = ""
    if board:
        centre = render_marked_centre(advice.position, advice.best.move, colour=colour).rstrip("\n")
        universes = render_universes(advice.position, advice.best.move, colour=colour).rstrip("\n")
    listed = rows(advice, top, bool(all_ways))
    table = _table(advice, listed, bool(all_ways))
    if all_ways is False:
        number = sum(len(row.idea.candidates) for row in listed)
        table += "\n" + filled(
            ngettext(
                "--all-ways lists {n:,} way to play these, in move notation.",
                "--all-ways lists {n:,} ways to play these, in move notation.",
                number,
            )
        )
    details = [_sources(advice), _line(advice)]
    if advice.why is not None:
        details.append(_why(advice, advice.why))
    details.append(_refill(advice))
    if advice.memory_full:
        details.append(_("The tree filled its memory and stopped growing; --memory gives it more."))
    if advice.evaluation_problem is not None:
        details.append(_("Evaluated by playouts: {problem}.", problem=advice.evaluation_problem))
    details.append(tile_set_note(advice.position))
    best = _best_words(advice)
    text = _joined([centre, universes, _headline(advice), best, table, *details])
    if not board or lines is None or text.count("\n") < lines:
        return text
    return _joined([universes, *details, _headline(advice), table, centre, best])


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


def hint_text(advice: Advice, top: int = 3) -> str:
    """The best move in words, and the few best ideas with their chances."""
    return f"{_best_words(advice)}\n\n{_table(advice, rows(advice, top))}\n"


def why_text(advice: Advice, *, you: bool = True) -> str:
    """The two moves compared, the reasons for each, and what is expected to follow the best. `you`: whether it is for
    the player to move; for others it speaks of that player by name."""
    if advice.why is None:
        return hint_text(advice)
    who = None if you else player_name(advice.position, advice.why.mover)
    told = _best_words(advice) if you else ""  # which tells somebody what to do
    parts = [told, _table(advice, rows(advice, 1)), _why(advice, advice.why, who), _line(advice)]
    return "\n\n".join(part for part in parts if part) + "\n"


def tile_set_note(position: Position) -> str:
    """What to know about advice on our own tiles, or on a set that is still learning; empty for any other."""
    if learned := sum(1 for _earlier in position.tiles.earlier()):
        return filled(
            ngettext(
                "{n} tile of {file} has been seen in the box; the others are guesses.",
                "{n} tiles of {file} have been seen in the box; the others are guesses.",
                learned,
                file=place_of(position.tiles.name),
            )
        )
    if position.tiles.name != DEFAULT_TILE_SET:
        return ""
    return filled(
        _(
            "These tiles are our reconstruction; those in the box differ. To describe yours: orbis tiles "
            "template, docs/tiles.md"
        )
    )


def _best_words(advice: Advice) -> str:
    """In words, and in the notation below."""
    move = advice.best.move
    notation = wrap(format_move(advice.position, move), WIDTH - 1, initial_indent="  ", subsequent_indent="    ")
    return "\n".join([filled(move_words(advice.position, move)), *notation])


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
        advice.stopped, N_("{player} to move, turn {turn} of {turns}: {simulations:,} simulations in {seconds:.1f} s")
    )
    head = _(
        form,
        player=player_name(position, position.to_move or 0),
        turn=turn,
        turns=last,
        simulations=advice.simulations,
        seconds=advice.seconds,
    )
    if advice.proof is not None and advice.proof.finished:
        nodes = advice.proof.nodes
        head += "\n" + ngettext(
            "No move is better than the first: proved, {n:,} position solved",
            "No move is better than the first: proved, {n:,} positions solved",
            nodes,
        )
    return head


def _table(advice: Advice, listed: Sequence[Row], all_ways: bool = False) -> str:
    """A row for each idea, in words; below it the ways that are listed, in notation."""
    position = advice.position
    lines: list[tuple[str, Candidate, str]] = []
    called = labels(advice)
    for rank, idea, variants in listed:
        lines.append((str(rank), idea.best, idea_words(position, idea.best.move)))
        if all_ways:
            lines.append((f"{rank}{way_letter(0)}", idea.best, format_move(position, idea.best.move)))
        lines += [(called[each.move], each, format_move(position, each.move)) for each in variants]
    named, *points = _point_columns(advice, [each for _label, each, _words in lines])
    table = [
        figures.Row(label, chance(each), its, _source(each), words) for (label, each, words), its in zip(lines, points)
    ]
    text = figures.ranked_table(table, named, text_width)
    if len(listed) > 1:
        sampled = any(each.known and not each.proved for _label, each, _words in lines)
        form = (
            N_("Move 1 is recommended; the rest rank by chance to win. ± is a 95 % interval.")
            if sampled
            else N_("Move 1 is recommended; the rest rank by chance to win.")
        )
        text += ["", filled(_(form))]
    return "\n".join(text)


def chance(candidate: Candidate) -> str:
    """The chance to win in per cent, as well as it is known; empty if it is not: `62.5`, `52.3 ± 1.2`, `0 to 4.1`."""
    if candidate.proved:
        return percent(candidate.at_least)
    if candidate.known:
        return interval(candidate.win, candidate.low, candidate.high)
    return _("at most {percent}", percent=percent(candidate.at_most)) if candidate.at_most < 1 else ""


def _point_columns(advice: Advice, candidates: Sequence[Candidate]) -> list[str]:
    """The names of the players, the mover first, and below them the points of each candidate."""
    order, two = _from(advice), len(advice.position.players) == 2
    between, room = (" : ", 8) if two else (" ", 5)  # so that most rows of three players are one line
    heads = []
    for i in order:
        name = advice.position.players[i].name
        # Translators: a player without a name, as short as can be.
        heads.append(fit(name, room) if name else _("P{number}", number=i + 1))
    rows = [
        [numeral(each.points[i], ".1f") for i in order] if each.measured and each.known else [] for each in candidates
    ]
    widths = [max(text_width(text) for text in column) for column in zip(heads, *filter(None, rows))]

    def line(row: Sequence[str]) -> str:
        return between.join(" " * (width - text_width(text)) + text for text, width in zip(row, widths))

    return list(map(line, [heads, *rows]))


def _source(candidate: Candidate) -> str:
    """Where its chance comes from."""
    bounded = not candidate.measured and candidate.at_most < 1
    return _("proved") if candidate.proved or bounded else _("sampled")


def caption(advice: Advice) -> str:
    """One line under a picture: the best move and its chance to win."""
    move, win = format_move(advice.position, advice.best.move), chance(advice.best)
    if not win:
        return _("{move}: barely looked at", move=move)
    return _("{move}: {win} % to win ({value})", move=move, win=win, value=_source(advice.best))


def _from(advice: Advice) -> list[int]:
    """The mover first, then the others in turn order."""
    players = len(advice.position.players)
    return [((advice.position.to_move or 0) + i) % players for i in range(players)]


def _sources(advice: Advice) -> str:
    """Where the points of the best move's games come from, by player."""
    order = _from(advice)
    best = advice.best
    if not best.measured:
        return ""
    names = [player_name(advice.position, i) for i in order]
    widths = [max(len(name), 6) for name in names]
    heading, together = _("Expected points with move 1"), _("total")
    label_width = max(30, len(heading) - 2, *(len(_(words)) for words in SOURCE_WORDS.values()))
    lines = [heading.ljust(label_width + 2) + "  ".join(n.rjust(w) for n, w in zip(names, widths))]
    for field in fields(best.sources[0]):
        values = [getattr(best.sources[i], field.name) for i in order]
        if field.name == "worshipers" or all(abs(value) < 0.05 for value in values):
            continue
        cells = "  ".join(numeral(value, ".1f").rjust(width) for value, width in zip(values, widths))
        lines.append(f"  {_(SOURCE_WORDS[field.name]):<{label_width}}{cells}")
    totals = "  ".join(numeral(best.points[i], ".1f").rjust(width) for i, width in zip(order, widths))
    lines.append(f"  {together:<{label_width}}{totals}")
    return "\n".join(lines)


SOURCE_WORDS = {
    "none": N_("plain tiles"),
    "farm": N_("farms"),
    "village": N_("villages"),
    "forest": N_("forests"),
    "volcano": N_("volcanoes"),
    "irrigation": N_("irrigations"),
    "temple": N_("temple tiles"),
    "proselytism": N_("proselytisms"),
    "sacred_stone": N_("sacred stones"),
    "wilderness": N_("wilderness"),
    "god": N_("god"),
    "temple_token": N_("temple token"),
    "worshipers": N_("worshipers left"),
}


def _line(advice: Advice) -> str:
    if not advice.best.line:
        return ""
    lines = [_("Expected after move 1")]
    for number, step in enumerate(advice.best.line, 1):
        form = N_("({percent:.0f} %, if drawn)") if step.drawn else "({percent:.0f} %)"
        note = _(form, percent=100 * step.frequency)
        text = f"{player_name(advice.position, step.player)}: {step.text}  {note}"
        lines += hanging(f"  {number}. ", text)
    return "\n".join(lines)


# ---- why --------------------------------------------------------------------------------------------------


def _why(advice: Advice, why: Comparison, who: str | None = None) -> str:
    """`who` is the mover's name if it is not for the mover to read."""
    called = labels(advice)
    names = [called[side.candidate.move] for side in (why.first, why.second)]
    single = len(advice.position.players) == 2  # one opponent
    sides = (why.first, why.second)
    facts: list[tuple[str, list[str]]] = [
        (_("chance to win"), [f"{win} %" if (win := chance(side.candidate)) else DASH for side in sides]),
        (
            _("your points") if who is None else _("{player}'s points", player=who),
            [_figure(side, side.candidate.points[why.mover]) for side in sides],
        ),
        (
            _("their points") if single and who is None else _("the others' points"),
            [_figure(side, _others(side.candidate.points, why.mover)) for side in sides],
        ),
    ]
    if why.seeded is not None:
        seeded = [signed(_others(side.seed_points or (), why.mover)) for side in sides]
        facts.append(("  " + _("thanks to what it seeds"), seeded))
    facts += [
        (_("seeds"), [_seed_words(side) for side in sides]),
        (_("realm left over"), [f"{_worshiper_words(side.realm)} ({side.realm.total})" for side in sides]),
        (_("level on points"), [_figure(side, 100 * side.candidate.level, " %") for side in sides]),
        ("  " + _("won in those"), [_figure(side, 100 * side.candidate.level_win, " %", 0) for side in sides]),
    ]
    heading = _("Why {first} and not {second}?", first=names[0], second=names[1])
    label_width = max(26, len(heading) - 1, *(len(name) for name, cells in facts))
    width = max(len(cell) for name, cells in facts for cell in cells) + 2
    width = max(10, min(width, 25, (WIDTH - 2 - label_width) // 2))
    titles = [_("move {number}", number=name) for name in names]
    lines = [heading.ljust(label_width + 2) + "".join(title.rjust(width) for title in titles)]
    lines += [f"  {name:<{label_width}}" + "".join(cell.rjust(width) for cell in cells) for name, cells in facts]
    return "\n".join(lines) + "\n\n" + "\n".join(wrap(" ".join(_sentences(why, names, who)), WIDTH))


def _figure(side: Side, value: float, unit: str = "", digits: int = 1) -> str:
    return numeral(value, f".{digits}f") + unit if side.candidate.measured else DASH


def _others(values: Iterable[float], mover: int) -> float:
    return sum(value for player, value in enumerate(values) if player != mover)


def _seed_words(side: Side) -> str:
    """`R on b3 c2`, starting with the tile that is most often taken next."""
    if not side.seeds:
        return _("nothing")
    by_taken = sorted(side.seeds, key=lambda seed: -seed.taken)
    cells = " ".join(CELLS[seed.cell] for seed in by_taken)
    return _("{colour} on {cells}", colour=letter(by_taken[0].colour), cells=cells)


def _worshiper_words(worshipers: Worshipers) -> str:
    return worshiper_letters(worshipers) or "–"


def _sentences(why: Comparison, names: list[str], who: str | None) -> Iterable[str]:
    """The comparison in words."""
    a, b = why.first.candidate, why.second.candidate
    first, second = names
    if a.proved and b.proved and a.at_least == b.at_least:
        yield _("Move {first} wins as often as move {second}: proved.", first=first, second=second)
    elif a.known and b.known and abs(why.win) >= hypot(a.error, b.error):
        form = (
            N_("Move {first} wins {points:.1f} percentage points more often than move {second}.")
            if why.win > 0
            else N_("Move {first} wins {points:.1f} percentage points less often than move {second}.")
        )
        yield _(form, first=first, second=second, points=100 * abs(why.win))
    elif a.known and b.known and max(a.error, b.error) <= WELL_KNOWN:
        yield _("Move {first} is too close to move {second} to tell which is better.", first=first, second=second)
    else:
        form = N_("Move {first} may be better or worse than move {second}: too little is known yet.")
        yield _(form, first=first, second=second)
    yield from reasons(why, who)


def reasons(why: Comparison, who: str | None = None) -> Iterable[str]:
    """What the first move does better or worse than the second, for the player who makes it; nothing if one of them was
    barely looked at. Told to that player, or to others who know them as `who`."""
    if not (why.first.candidate.measured and why.second.candidate.measured):
        return
    single = who is None and len(why.first.candidate.points) == 2  # one opponent
    if abs(why.own_gain) >= 0.05:
        yield _own_words(why, who)
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
            cell=CELLS[busiest.cell],
            percent=100 * busiest.taken,
        )
    if abs(why.tie_break) >= 0.005:
        form = (
            N_("Games level on points: it helps by {points:.1f} percentage points.")
            if why.tie_break > 0
            else N_("Games level on points: it hurts by {points:.1f} percentage points.")
        )
        yield _(form, points=100 * abs(why.tie_break))


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


def _own_words(why: Comparison, who: str | None) -> str:
    sources, points = _main_sources(why), abs(why.own_gain)
    if who is not None:
        form = _OWN[why.own_gain > 0, bool(sources)]
        return _(form, player=who, points=points, sources=sources)
    if why.own_gain > 0:
        if sources:
            return _("It gains you {points:.1f} points ({sources}).", points=points, sources=sources)
        return _("It gains you {points:.1f} points.", points=points)
    if sources:
        return _("It costs you {points:.1f} points ({sources}).", points=points, sources=sources)
    return _("It costs you {points:.1f} points.", points=points)


# Of somebody else, by whether it gains and whether its sources are known.
_OWN = {
    (True, True): N_("It gains {player} {points:.1f} points ({sources})."),
    (True, False): N_("It gains {player} {points:.1f} points."),
    (False, True): N_("It costs {player} {points:.1f} points ({sources})."),
    (False, False): N_("It costs {player} {points:.1f} points."),
}


def _main_sources(why: Comparison) -> str:
    """The two sources that differ most for the mover."""
    a, b = (side.candidate.sources[why.mover] for side in (why.first, why.second))
    gains = [(getattr(a, name) - getattr(b, name), words) for name, words in SOURCE_WORDS.items()]
    gains = [(gain, words) for gain, words in gains[:-1] if abs(gain) >= 0.1 and (gain > 0) == (why.own_gain > 0)]
    gains.sort(key=lambda pair: -abs(pair[0]))
    named = [f"{_(words)} {numeral(gain, '+.1f')}" for gain, words in gains[:2]]
    return _("{first}, {second}", first=named[0], second=named[1]) if len(named) == 2 else "".join(named)


# ---- the next refill ------------------------------------------------------------------------------------------


def _refill(advice: Advice) -> str:
    draws = advice.best.draws
    decided = advice.best.proved and advice.best.at_least in (0, 1)
    if not draws or decided:
        return ""
    lines = [_("How the next refill changes move 1 (win %)")]
    few = len(draws) <= 2 * SHOWN_DRAWS
    shown = draws if few else (*draws[:SHOWN_DRAWS], *draws[-SHOWN_DRAWS:])
    wins = [interval(each.win, max(0.0, each.win - each.error), min(1.0, each.win + each.error)) for each in shown]
    width = max(map(len, wins))
    for number, (value, win) in enumerate(zip(shown, wins)):
        if number == SHOWN_DRAWS and not few:
            between = ngettext("{n} more in between", "{n} more in between", len(draws) - 2 * SHOWN_DRAWS)
            lines.append(f"  … {between} …")
        label = "" if value.tile.described else f"{tile_label(value.tile)}: "
        lines += hanging(f"  {win:>{width}}  ", label + tell(value.tile))
    return "\n".join(lines)
