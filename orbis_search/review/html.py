"""A Review as one page that opens in a browser without a network: plot, tables, and the table at each turn.

One file with everything in it. What boards share is in the page once, and referred to. Without scripts all turns are
listed one below the other; with scripts one is shown at a time, and the arrow keys step through them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ..base.language import _, language, ngettext
from ..drawing.picture import COLUMN, GAP, MARGIN, WIDTH, draw_position
from ..drawing.scene import FONTS, Scene, group_elements
from ..drawing.sentences import move_words
from ..game.position import Move, Position
from ..notation.common import tile_text
from ..notation.move_text import format_move
from ..tileset.descriptions import tell
from .data import JudgedTurn, Review
from .plot import HEIGHT as PLOT_HEIGHT
from .plot import NARROW as NARROW_PLOT
from .plot import TOP as PLOT_TOP
from .plot import WIDTH as WIDE_PLOT
from .plot import Palette, Plot
from .text import (
    ACCOUNT_WORDS,
    CLASS_WORDS,
    account_cells,
    effort_words,
    grade_rows,
    loss_cell,
    loss_words,
    luck_words,
    move_and_draw,
    names,
    percent,
    reason_words,
    stopped_words,
    swing_words,
    title,
)

# The plot takes the page's colours, light or dark.
PLOT_PALETTE = Palette(
    "var(--paper)",
    "var(--panel)",
    "var(--ink)",
    "var(--grey)",
    "var(--line)",
    "var(--error)",
    "var(--luck)",
    ("var(--one)", "var(--two)", "var(--three)", "var(--four)"),
)
MIDDLE = MARGIN + COLUMN + GAP / 2  # between the two columns of a board
LEFT_OUT = ("header", "caption", "footer")  # of a board: the page says it in words

STYLE = """
:root { color-scheme: light dark; --paper: #f3efe6; --panel: #fff; --ink: #22262f; --grey: #6a6558; --line: #dcd5c6;
  --error: #c0262d; --luck: #1e7f46; --link: #1d559e;
  --one: #1d559e; --two: #b35a00; --three: #2f7d5b; --four: #8a3fa0; }
@media (prefers-color-scheme: dark) { :root { --paper: #191b20; --panel: #23262d; --ink: #ece8df; --grey: #a8a294;
  --line: #3a3e48; --error: #ff7b78; --luck: #5fcf8f; --link: #8fbcff;
  --one: #8fbcff; --two: #ffb566; --three: #7fd3ad; --four: #d9a1ea; } .boards { filter: brightness(.88); } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--paper); color: var(--ink);
  overflow-wrap: break-word;
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .2rem 0; } h2 { font-size: 1.2rem; margin: 1.6rem 0 .4rem; }
p { margin: .35rem 0; } a { color: var(--link); } .note { color: var(--grey); }
code { font: .92em/1.4 ui-monospace, 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; } svg.narrow { display: none; }
.hit { fill: transparent; } a:hover .hit, a:focus .hit { fill: var(--link); fill-opacity: .15; }
.tables { display: flex; flex-wrap: wrap; gap: 0 3rem; align-items: flex-start; } .tables > div { min-width: 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:first-child, td:first-child { padding-left: 0; } td.n, th.n { text-align: right; white-space: nowrap; }
.name, .by-player th.n { max-width: 12rem; overflow: hidden; text-overflow: ellipsis; } .scroll { overflow-x: auto; }
tr.total td { font-weight: bold; } .turns tr:hover { background: var(--panel); }
.blunder, .mistake { color: var(--error); font-weight: bold; } .inaccuracy { color: var(--two); }
.best { color: var(--luck); } .better { border-left: 4px solid var(--luck); padding-left: .7rem; }
nav { display: flex; gap: .6rem; margin: .5rem 0; }
nav a { flex: 0 1 9rem; text-align: center; padding: .45rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--panel); text-decoration: none; }
section.turn { border-top: 2px solid var(--line); padding-top: .2rem; margin-top: 1.5rem; }
.js section.turn { display: none; } .js section.turn.current { display: block; min-height: 100vh; }
.boards { display: grid; grid-template-columns: 1fr 1fr; background: #f3efe6; border-radius: .6rem; overflow: hidden;
  margin: .6rem 0; }
@media (max-width: 760px) { body { padding: .7rem; } .boards { grid-template-columns: 1fr; } nav a { flex: 1 1 0; }
  svg.wide { display: none; } svg.narrow { display: block; } th, td { padding: .15rem .3rem; }
  .turns { font-size: .85rem; } .turns .move { display: none; } .turns .name { max-width: 5.5rem; }
  .by-player th.n { max-width: 4.2rem; } }
@media print { .js section.turn { display: block; } nav { display: none; } }
"""

# Shows the turn that the address names; without this script the addresses are places in a long page.
SCRIPT = """
(function () {
  var turns = Array.prototype.slice.call(document.querySelectorAll('section.turn'));
  if (!turns.length) return;
  document.documentElement.classList.add('js');
  function named() { return turns.findIndex(function (turn) { return '#' + turn.id === location.hash; }); }
  function show() {
    var at = Math.max(0, named());
    turns.forEach(function (turn, index) { turn.classList.toggle('current', index === at); });
    if (named() >= 0) turns[at].scrollIntoView();
  }
  addEventListener('hashchange', show);
  addEventListener('keydown', function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    var at = Math.max(0, named()), last = turns.length - 1;
    var to = { ArrowLeft: at - 1, ArrowRight: named() < 0 ? 0 : at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    location.hash = turns[Math.min(last, Math.max(0, to))].id;
  });
  show();
})();
"""
# Nothing may be fetched from anywhere, even if a name in the game asked for it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def review_to_html(review: Review) -> str:
    """The whole page."""
    return _Page(review).text()


class _Page:
    def __init__(self, review: Review) -> None:
        self.review = review
        self.players = names(review)
        self.shared: dict[str, str] = {}  # what boards are made of: the elements, and the name they have

    def text(self) -> str:
        review = self.review
        turns = [*map(self._turn, review.turns), *self._final()]
        heading = escape(title(review))
        keys = _("The arrow keys step through the turns.")
        body = [
            f"<h1>{heading}</h1>",
            f'<p class="note">{escape(effort_words(review))}</p>',
            f"<p><strong>{escape(stopped_words(review))}</strong></p>" if stopped_words(review) else "",
            self._plot(WIDE_PLOT, "wide"),
            self._plot(NARROW_PLOT, "narrow"),
            self._summary(),
            self._swings(),
            self._list(),
            f'<p class="note">{escape(keys)}</p>' if turns else "",
            *turns,
        ]
        defs = "".join(f'<g id="{name}">{elements}</g>\n' for elements, name in self.shared.items())
        store = f'<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>\n{defs}</defs></svg>'
        return "\n".join(
            [
                "<!DOCTYPE html>",
                f'<html lang="{language()}">',
                '<head><meta charset="utf-8">',
                f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f"<title>{heading}</title>",
                f"<style>{STYLE}</style></head>",
                "<body>",
                store,
                *(part for part in body if part),
                f"<script>{SCRIPT}</script>",
                "</body></html>",
                "",
            ]
        )

    # ---- above the turns ------------------------------------------------------------------------------

    def _plot(self, width: float, kind: str) -> str:
        """The picture, with each turn a link to it."""
        plot = Plot(self.review, PLOT_PALETTE, width)
        scene = plot.scene()
        shapes = [element for group in scene.groups[1:] for element in group_elements(group)]
        frame = group_elements(scene.groups[0])[1:]  # the page has its title above
        links = [
            f'<a href="#turn-{turn.number}"><title>{turn.number}. {escape(move_and_draw(turn))}</title>'
            f'<rect class="hit" x="{plot.x(done):.1f}" y="{PLOT_TOP:.0f}" width="{plot.step:.1f}"'
            f' height="{plot.y(0) - PLOT_TOP:.0f}"/></a>'
            for done, turn in enumerate(self.review.turns)
        ]
        top = PLOT_TOP - 12
        box = f"0 {top:.0f} {width:.0f} {PLOT_HEIGHT - top:.0f}"
        return "\n".join([_svg(box, scene.description, kind), *frame, *shapes, *links, "</svg>"])

    def _summary(self) -> str:
        head = [("", False), *((name, True) for name in self.players)]
        grades = [[words, *cells] for words, cells in grade_rows(self.review)]
        columns = list(zip(*map(account_cells, self.review.accounts)))
        account = [[_(words), *cells] for (words, _key), cells in zip(ACCOUNT_WORDS, columns)]
        played, came = _("How they played"), _("How the result came about, % of the victory")
        return (
            f'<div class="tables"><div><h2>{escape(played)}</h2>{_table(head, grades)}</div>'
            f"<div><h2>{escape(came)}</h2>"
            f"{_table(head, account, total=len(account) - 1)}</div></div>"
        )

    def _swings(self) -> str:
        if not self.review.turning_points:
            return ""
        items = [
            f'<p><a href="#turn-{swing.turn.number}">{swing.turn.number}.</a> {escape(swing_words(swing))}'
            + ("" if swing.by_luck else f"<br>{self._better(swing.turn)}")
            + "</p>"
            for swing in self.review.turning_points
        ]
        heading = _("Turning points")
        return f"<h2>{escape(heading)}</h2>" + "\n".join(items)

    def _better(self, turn: JudgedTurn) -> str:
        words = _("better: {move}", move=format_move(turn.position, turn.best))
        return f'<code>{escape(words)}</code> <span class="note">{escape(reason_words(turn))}</span>'

    def _list(self) -> str:
        if not self.review.turns:
            return ""
        heads = ("", "", _("win %"), _("given away"), _("luck"), _("verdict"))
        last = _("move | draw")
        rows = [
            "<tr>"
            + "".join(f"<th{' class=n' if 2 <= at <= 4 else ''}>{escape(head)}</th>" for at, head in enumerate(heads))
            + f'<th class="move">{escape(last)}</th></tr>'
        ]
        for turn in self.review.turns:
            rows.append(
                f'<tr><td class="n"><a href="#turn-{turn.number}">{turn.number}</a></td>'
                f'<td class="name">{escape(self.players[turn.player])}</td>'
                f'<td class="n">{percent(turn.before[turn.player])}</td>'
                f'<td class="n">{escape(loss_cell(turn))}</td><td class="n">{luck_words(turn)}</td>'
                f'<td class="{turn.verdict}">{escape(_(CLASS_WORDS[turn.verdict]))}</td>'
                f'<td class="move"><code>{escape(move_and_draw(turn))}</code></td></tr>'
            )
        every = _("Every turn")
        note = _("win %: before the turn. ±: half the width of the 95 % interval. =: proved.")
        return (
            f"<h2>{escape(every)}</h2>"
            f'<div class="scroll"><table class="turns">{"".join(rows)}</table></div><p class="note">{escape(note)}</p>'
        )

    # ---- the turns --------------------------------------------------------------------------------------

    def _turn(self, turn: JudgedTurn) -> str:
        verdict = _(CLASS_WORDS[turn.verdict])
        name = self.players[turn.player]
        lines = [
            f'<h2>{turn.number}. {escape(name)}: <span class="{turn.verdict}">{escape(verdict)}</span></h2>',
            f"<p><code>{escape(format_move(turn.position, turn.move))}</code><br>"
            f"{escape(move_words(turn.position, turn.move))}</p>",
            f"<p>{escape(self._judgement(turn))}</p>",
        ]
        if turn.best != turn.move:
            lines.append(
                f'<p class="better">{self._better(turn)}<br>{escape(move_words(turn.position, turn.best))}</p>'
            )
        lines += [self._draw(turn), self._board(turn.position, turn.move)]
        return self._section(turn.number, lines)

    def _judgement(self, turn: JudgedTurn) -> str:
        shares = ", ".join(f"{name} {percent(share)} %" for name, share in zip(self.players, turn.before))
        words = _("Chance to win before the turn: {shares}.", shares=shares)
        if turn.loss:
            words += " " + _("The move gave away {loss}.", loss=loss_words(turn))
        return words

    def _draw(self, turn: JudgedTurn) -> str:
        """What was drawn, and what else could have been, best for the mover first."""
        if turn.drawn is None:
            return ""
        luck = ", ".join(f"{name} {percent(by, signed=True)} %" for name, by in zip(self.players, turn.luck))
        words = _(
            "{tile} is drawn ({description}): luck {luck}.",
            tile=tile_text(turn.drawn),
            description=tell(turn.drawn),
            luck=luck,
        )
        if len(turn.draws) < 2:
            return f"<p>{escape(words)}</p>"
        order = sorted(turn.draws, key=lambda draw: -draw.value.shares[turn.player])
        rows = [
            [tile_text(draw.tile), *(percent(share) for share in draw.value.shares)]
            for draw in order
            if draw.tile is not None
        ]
        head = [("", False), *((name, True) for name in self.players)]
        other = ngettext("{n} tile could be drawn", "{n} tiles could be drawn", len(rows))
        return f"<p>{escape(words)}</p><details><summary>{escape(other)}</summary>{_table(head, rows)}</details>"

    def _final(self) -> Iterator[str]:
        """The table at the end of the game."""
        if self.review.stopped == "over" and self.review.turns:
            board = self._board(self.review.record.position())
            yield self._section(self.review.turns[-1].number + 1, [f"<h2>{escape(title(self.review))}</h2>", board])

    def _section(self, number: int, lines: Iterable[str]) -> str:
        first = self.review.turns[0].number
        last = self.review.turns[-1].number + (self.review.stopped == "over")
        links = []
        if number > first:
            links.append(f'<a href="#turn-{number - 1}">◀ {number - 1}</a>')
        if number < last:
            links.append(f'<a href="#turn-{number + 1}">{number + 1} ▶</a>')
        inside = "\n".join(line for line in lines if line)
        return f'<section class="turn" id="turn-{number}">\n<nav>{"".join(links)}</nav>\n{inside}\n</section>'

    def _board(self, position: Position, move: Move | None = None) -> str:
        """Two pictures side by side, one below the other on a phone: the columns of the drawn table."""
        scene = draw_position(position, move, "")
        header = next(group for group in scene.groups if group.name == "header")
        footer = next(group for group in scene.groups if group.name == "footer")
        top = max(y for _x, y in header.outline) - GAP / 2
        bottom = min(y for _x, y in footer.outline) + GAP / 2
        halves = []
        for left, right in ((0.0, MIDDLE), (MIDDLE, WIDTH)):
            uses = self._uses(scene, left, right)
            box = f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
            halves.append(_svg(box, scene.title if left == 0 else "") + uses + "</svg>")
        return f'<div class="boards">{"".join(halves)}</div>'

    def _uses(self, scene: Scene, left: float, right: float) -> str:
        found = []
        for group in scene.groups:
            xs = [x for x, _y in group.outline]
            if group.name in LEFT_OUT or max(xs) <= left or min(xs) >= right:
                continue
            elements = "".join(group_elements(group))
            name = self.shared.setdefault(elements, f"b{len(self.shared)}")
            found.append(f'<use href="#{name}"/>')
        return "".join(found)


def _svg(box: str, label: str, kind: str = "") -> str:
    spoken = f' role="img" aria-label="{escape(label)}"' if label else ' aria-hidden="true"'
    named = f' class="{kind}"' if kind else ""
    return f'<svg{named} viewBox="{box}"{spoken} font-family="{FONTS}" stroke-linejoin="round" stroke-linecap="round">'


def _table(head: Sequence[tuple[str, bool]], rows: Sequence[Sequence[str]], total: int | None = None) -> str:
    """The first column has words, the others a player's numbers; one row may be their sum."""
    titles = "".join(f"<th{' class=n' if number else ''}>{escape(text)}</th>" for text, number in head)
    lines = [f"<tr>{titles}</tr>"]
    for at, (words, *cells) in enumerate(rows):
        kind = ' class="total"' if at == total else ""
        numbers = "".join(f'<td class="n">{escape(cell)}</td>' for cell in cells)
        lines.append(f"<tr{kind}><td>{escape(words)}</td>{numbers}</tr>")
    return f'<div class="scroll"><table class="by-player">{"".join(lines)}</table></div>'
