"""A Review as one page that opens in a browser without a network: plot, tables, and the table at each turn.

One file with everything in it. What boards share is in the page once, and referred to. Without scripts all turns are
listed one below the other; with scripts one is shown at a time, and the arrow keys step through them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ..base.language import _, language, ngettext
from ..core.fast_rules import score
from ..drawing.labels import marks_of
from ..drawing.legend import draw_legend
from ..drawing.picture import NARROW, WIDE, draw_position
from ..drawing.scene import FONTS, Scene, group_elements, shape_elements, title_elements
from ..drawing.sentences import drawn_tile_words, idea_words, move_words
from ..drawing.supply import GAP, Sheet
from ..game.position import Move, Position
from .data import VERDICTS, JudgedTurn, Review
from .plot import HEIGHT as PLOT_HEIGHT
from .plot import NARROW as NARROW_PLOT
from .plot import TOP as PLOT_TOP
from .plot import WIDTH as WIDE_PLOT
from .plot import Palette, Plot
from .text import (
    ACCOUNT_WORDS,
    CLASS_WORDS,
    account_cells,
    account_note,
    chance_cells,
    chance_heads,
    effort_words,
    grade_rows,
    loss_cell,
    loss_words,
    luck_cell,
    lucky_cell,
    move_and_draw,
    names,
    percent,
    reason_words,
    stopped_words,
    swing_words,
    title,
    turns_note,
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
LEFT_OUT = ("header", "footer")  # of a board: the page says it in words
BESIDE = WIDE._replace(legend=False)  # the page has it once, for all boards
LARGE = 2.7  # times its width on a phone: no text on a board is below 11 pixels then

STYLE = """
:root { color-scheme: light dark; --paper: #f3efe6; --panel: #fff; --ink: #22262f; --grey: #6a6558; --line: #dcd5c6;
  --error: #c0262d; --luck: #1e7f46; --link: #1d559e; --played: #a3128f; --better: #00626e;
  --one: #1d559e; --two: #b35a00; --three: #2f7d5b; --four: #8a3fa0; }
@media (prefers-color-scheme: dark) { :root { --paper: #191b20; --panel: #23262d; --ink: #ece8df; --grey: #a8a294;
  --line: #3a3e48; --error: #ff7b78; --luck: #5fcf8f; --link: #8fbcff; --played: #f08ae0; --better: #6cd5e2;
  --one: #8fbcff; --two: #ffb566; --three: #7fd3ad; --four: #d9a1ea; } .boards { filter: brightness(.88); } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--paper); color: var(--ink);
  overflow-wrap: break-word;
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .2rem 0; text-wrap: balance; }
h2 { font-size: 1.2rem; margin: 1.6rem 0 .4rem; }
p { margin: .35rem 0; } a { color: var(--link); } .note { color: var(--grey); }
code { font: .92em/1.4 ui-monospace, 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; } svg.narrow { display: none; }
svg.sign { display: inline-block; width: 2.6rem; height: .8rem; vertical-align: middle; margin-right: .5rem; }
.hit { fill: transparent; } a:hover .hit, a:focus .hit { fill: var(--link); fill-opacity: .15; }
.tables { display: flex; flex-wrap: wrap; gap: 0 3rem; align-items: flex-start; } .tables > div { min-width: 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:first-child, td:first-child { padding-left: 0; } td.n, th.n { text-align: right; white-space: nowrap; }
.name, .of { max-width: 12rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.scroll { overflow-x: auto; }
tr.total td { font-weight: bold; } .turns tr:hover { background: var(--panel); }
.blunder, .mistake { color: var(--error); font-weight: bold; } .inaccuracy { color: var(--two); }
.best { color: var(--luck); }
.played { border-left: 4px solid var(--played); padding-left: .7rem; }
.better { border-left: 4px dashed var(--better); padding-left: .7rem; }
.errors a { display: inline-block; padding: .3rem .7rem; margin: .15rem .3rem .15rem 0; border: 1px solid currentColor;
  border-radius: 1rem; text-decoration: none; }
.swing a { font-weight: bold; } .swing { margin: .8rem 0; } .part, .verdict { white-space: nowrap; }
.turns tr { position: relative; } .turns td a::after { content: ""; position: absolute; inset: 0; }
.legend { max-width: 24rem; } .legend > svg { background: #f3efe6; border-radius: .6rem; }
dd { margin: 0 0 .5rem 1rem; }
summary { cursor: pointer; padding: .3rem 0; }
nav { display: flex; gap: .6rem; margin: .5rem 0; }
nav a { flex: 0 1 9rem; text-align: center; padding: .45rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--panel); text-decoration: none; }
section.turn { border-top: 2px solid var(--line); padding-top: .2rem; margin-top: 1.5rem; }
.js section.turn { display: none; } .js section.turn.current { display: block; min-height: 100vh; }
.boards { background: #f3efe6; border-radius: .6rem; overflow: auto; margin: .6rem 0; cursor: zoom-in; }
.large:checked ~ .boards { cursor: zoom-out; } .large:checked ~ .boards svg { width: 180%; }
@media (max-width: 760px) { body { padding: .7rem; } .boards { margin: .6rem -.7rem; border-radius: 0; }
  .large:checked ~ .boards svg { width: LARGE%; } nav a { flex: 1 1 0; }
  svg.wide { display: none; } svg.narrow { display: block; } th, td { padding: .15rem .3rem; }
  table { font-size: .85rem; } .turns .wide { display: none; } .turns .name { max-width: 4.5rem; }
  .turns th.n, td.pair, .by-player td.n { white-space: normal; } th.of { max-width: 4.5rem; }
  .by-player td.n .part, .many td.pair .part { display: block; } .many { font-size: .8rem; }
  .many .verdict { white-space: normal; } .many th { hyphens: auto; overflow-wrap: anywhere; }
  .many th.pair { min-width: 3.4rem; }
  .many th, .many td { padding: .15rem .2rem; } .many .name { max-width: 3.6rem; } .many th.of { max-width: 3.2rem; }
  .turns.many th.of { max-width: 3rem; white-space: nowrap; } }
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
  // A tap on a board shows it large, with the place that was tapped where it was.
  addEventListener('click', function (event) {
    var board = event.target.closest && event.target.closest('.boards');
    if (!board) return;
    var frame = board.getBoundingClientRect();
    var right = (event.clientX - frame.left + board.scrollLeft) / board.scrollWidth;
    var down = (event.clientY - frame.top) / frame.height;
    var box = board.parentNode.querySelector('.large');
    box.checked = !box.checked;
    board.scrollLeft = right * board.scrollWidth - (event.clientX - frame.left);
    scrollBy(0, down * (board.getBoundingClientRect().height - frame.height));
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
        self.many = " many" if review.players > 2 else ""  # columns: a phone needs narrow ones
        self.shared: dict[str, str] = {}  # what boards are made of: the elements, and the name they have

    def text(self) -> str:
        review = self.review
        turns = [*map(self._turn, review.turns), *self._final()]
        heading = escape(title(review))
        keys = _("The arrow keys step through the turns. A tap on a picture shows it large.")
        body = [
            f'<h1 id="top">{heading}</h1>',
            f'<p class="note">{escape(effort_words(review))}</p>',
            f"<p><strong>{escape(stopped_words(review))}</strong></p>" if stopped_words(review) else "",
            self._plot(WIDE_PLOT, "wide"),
            self._plot(NARROW_PLOT, "narrow"),
            self._errors(),
            self._swings(),
            self._summary(),
            self._list(),
            self._legend() if turns else "",
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
                f"<style>{STYLE.replace('LARGE', f'{100 * LARGE:.0f}')}</style></head>",
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
            f'<a href="#turn-{turn.number}"><title>{turn.number}. '
            f"{escape(idea_words(turn.position, turn.move))}</title>"
            f'<rect class="hit" x="{plot.x(done):.1f}" y="{PLOT_TOP:.0f}" width="{plot.step:.1f}"'
            f' height="{plot.y(0) - PLOT_TOP:.0f}"/></a>'
            for done, turn in enumerate(self.review.turns)
        ]
        top = PLOT_TOP - 24
        box = f"0 {top:.0f} {width:.0f} {PLOT_HEIGHT - top:.0f}"
        return "\n".join([_svg(box, scene.description, kind), *frame, *shapes, *links, "</svg>"])

    def _summary(self) -> str:
        head = [("", False), *((name, True) for name in self.players)]
        grades = [[words, *cells] for words, cells in grade_rows(self.review)]
        columns = list(zip(*map(account_cells, self.review.accounts)))
        account = [[_(words), *cells] for (words, _key), cells in zip(ACCOUNT_WORDS, columns)]
        played, came = _("How they played"), _("How the result came about, % of the victory")
        return (
            f'<div class="tables"><div><h2>{escape(played)}</h2>{self._table(head, grades)}</div>'
            f"<div><h2>{escape(came)}</h2>"
            f"{self._table(head, account, total=len(account) - 1)}"
            f'<p class="note">{escape(account_note())}</p></div></div>'
            f"{self._meanings()}"
        )

    def _meanings(self) -> str:
        """The words of the tables, folded away."""
        least = {name: f"{float(100 * loss):g}" for name, loss in VERDICTS}
        entries = [
            (
                _("accuracy"),
                _("100 for the best move, half as much for each 5 % given away; the mean of all moves with a choice."),
            ),
            (
                _("given away"),
                _("How much smaller the chance to win was than with the best move. A sure victory is 100 %."),
            ),
            (
                ", ".join(_(CLASS_WORDS[name]) for name, _loss in reversed(VERDICTS)),
                _(
                    "At least {inaccuracy} %, {mistake} % or {blunder} % given away, and more than the estimate may be"
                    " wrong by.",
                    **least,
                ),
            ),
            (_("luck"), _("What the drawn tile changed, compared with the mean of all tiles that could have come.")),
            (_("setup"), _("What the start was worth above a fair share.")),
        ]
        listed = "".join(f"<dt>{escape(word)}</dt><dd>{escape(meaning)}</dd>" for word, meaning in entries)
        heading = _("What the words mean")
        return f"<details><summary>{escape(heading)}</summary><dl>{listed}</dl></details>"

    def _errors(self) -> str:
        """Each error a link, by player."""
        rows = []
        for player, name in enumerate(self.players):
            links = [
                f'<a class="{turn.verdict}" href="#turn-{turn.number}">{escape(_error_words(turn))}</a>'
                for turn in self.review.turns
                if turn.player == player and turn.verdict in dict(VERDICTS)
            ]
            if links:
                rows.append(f'<p class="errors">{escape(name)}: {"".join(links)}</p>')
        heading = _("Errors")
        return f"<h2>{escape(heading)}</h2>" + "\n".join(rows) if rows else ""

    def _legend(self) -> str:
        """How to read a board, once for all of them."""
        described = any(marks_of(turn.position).described for turn in self.review.turns)
        scene = draw_legend(described)
        shapes = "".join(element for group in scene.groups for element in group_elements(group))
        box = f"0 0 {scene.width:g} {scene.height:g}"
        heading = _("How to read the pictures")
        lines = [
            _sign("played") + escape(_("the move that was played")),
            _sign("better") + escape(_("the better move")),
        ]
        return (
            f'<details class="legend"><summary>{escape(heading)}</summary><p>{"<br>".join(lines)}</p>'
            f"{_svg(box, scene.title)}{shapes}</svg></details>"
        )

    def _swings(self) -> str:
        if not self.review.turning_points:
            return ""
        items = []
        for swing in self.review.turning_points:
            turn = swing.turn
            words = f"{turn.number}. {swing_words(swing)}"
            items.append(f'<div class="swing"><a href="#turn-{turn.number}">{escape(words)}</a>')
            if not swing.by_luck:
                items += [self._played(turn), self._better(turn)]
            items.append("</div>")
        heading = _("Turning points")
        return f"<h2>{escape(heading)}</h2>" + "\n".join(items)

    def _played(self, turn: JudgedTurn) -> str:
        words = _("Played: {move}", move=move_words(turn.position, turn.move))
        return f'<p class="played">{escape(words)}</p>'

    def _better(self, turn: JudgedTurn) -> str:
        words = _("Better: {move}", move=move_words(turn.position, turn.best))
        reason = reason_words(turn)
        why = f'<br><span class="note">{escape(reason)}</span>' if reason else ""
        return f'<p class="better">{escape(words)}{why}</p>'

    def _list(self) -> str:
        if not self.review.turns:
            return ""
        two = self.review.players == 2
        luck = _("luck for {player}", player=self.players[0]) if two else _("luck")
        columns = [("", "n"), ("", "name"), *((head, "n of") for head in chance_heads(self.review))]
        columns += [(_("given away"), "n pair"), (luck, "n" if two else "wide of"), (_("verdict"), "verdict")]
        columns += [(_("move | draw"), "wide")]
        heads = "".join(f'<th class="{kind}">{escape(head)}</th>' for head, kind in columns)
        rows = [f"<tr>{heads}</tr>"]
        for turn in self.review.turns:
            cells = [
                f'<a href="#turn-{turn.number}">{turn.number}</a>',
                escape(self.players[turn.player]),
                *chance_cells(turn),
                _parts(loss_cell(turn)),
                escape(luck_cell(turn) if two else lucky_cell(turn)),
                f'<span class="{turn.verdict}">{escape(_(CLASS_WORDS[turn.verdict]))}</span>',
                f"<code>{escape(move_and_draw(turn))}</code>",
            ]
            rows.append(
                "<tr>"
                + "".join(f'<td class="{kind}">{cell}</td>' for (_head, kind), cell in zip(columns, cells))
                + "</tr>"
            )
        every = _("Every turn")
        return (
            f"<h2>{escape(every)}</h2>"
            f'<div class="scroll"><table class="turns{self.many}">{"".join(rows)}</table></div>'
            f'<p class="note">{escape(turns_note(self.review))}</p>'
        )

    # ---- the turns --------------------------------------------------------------------------------------

    def _turn(self, turn: JudgedTurn) -> str:
        verdict = _(CLASS_WORDS[turn.verdict])
        name = self.players[turn.player]
        lines = [
            f'<h2>{turn.number}. {escape(name)}: <span class="{turn.verdict}">{escape(verdict)}</span></h2>',
            self._played(turn),
            f"<p>{escape(self._judgement(turn))}</p>",
        ]
        better = None if turn.best == turn.move else turn.best
        if better is not None:
            lines.append(self._better(turn))
        lines += [self._draw(turn), self._board(turn.number, turn.position, turn.move, better)]
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
        if len(turn.draws) < 2 and not any(turn.luck):
            words = _("{tile} is drawn, the only tile that could come.", tile=drawn_tile_words(turn.drawn))
            return f"<p>{escape(words)}</p>"
        luck = ", ".join(f"{name} {percent(by, signed=True)} %" for name, by in zip(self.players, turn.luck))
        words = _("{tile} is drawn: luck {luck}.", tile=drawn_tile_words(turn.drawn), luck=luck)
        order = sorted(turn.draws, key=lambda draw: -draw.value.shares[turn.player])
        rows = [
            [drawn_tile_words(draw.tile), *(percent(share) for share in draw.value.shares)]
            for draw in order
            if draw.tile is not None
        ]
        head = [("", False), *((name, True) for name in self.players)]
        other = ngettext("{n} tile could be drawn", "{n} tiles could be drawn", len(rows))
        return f"<p>{escape(words)}</p><details><summary>{escape(other)}</summary>{self._table(head, rows)}</details>"

    def _final(self) -> Iterator[str]:
        """The table at the end of the game."""
        if self.review.stopped == "over" and self.review.turns:
            number = self.review.turns[-1].number + 1
            board = self._board(number, self.review.record.position())
            yield self._section(number, [f"<h2>{escape(title(self.review))}</h2>", board])

    def _section(self, number: int, lines: Iterable[str]) -> str:
        first = self.review.turns[0].number
        last = self.review.turns[-1].number + (self.review.stopped == "over")
        links = []
        if number > first:
            links.append(f'<a href="#turn-{number - 1}">◀ {number - 1}</a>')
        up = _("Overview")
        links.append(f'<a href="#top">▲ {escape(up)}</a>')
        if number < last:
            links.append(f'<a href="#turn-{number + 1}">{number + 1} ▶</a>')
        inside = "\n".join(line for line in lines if line)
        return f'<section class="turn" id="turn-{number}">\n<nav>{"".join(links)}</nav>\n{inside}\n</section>'

    def _board(self, number: int, position: Position, move: Move | None = None, better: Move | None = None) -> str:
        """Two columns, and one for phones; of the two the page shows the one that fits."""
        label = _("Show large")
        points = score(position)
        pictures = [
            self._picture(draw_position(position, move, "", scores=points, better=better, sheet=sheet), sheet)
            for sheet in (BESIDE, NARROW)
        ]
        return (
            f'<div><input type="checkbox" class="large" id="large-{number}">'
            f'<label for="large-{number}"> {escape(label)}</label>'
            f'<div class="boards">{"".join(pictures)}</div></div>'
        )

    def _picture(self, scene: Scene, sheet: Sheet) -> str:
        edges = {group.name: [y for _x, y in group.outline] for group in scene.groups if group.name in LEFT_OUT}
        top = max(edges["header"]) - GAP / 2 if "header" in edges else 0.0
        bottom = min(edges["footer"]) + GAP / 2 if "footer" in edges else scene.height
        box = f"0 {top:g} {scene.width:g} {bottom - top:g}"
        return _svg(box, scene.title, "narrow" if sheet is NARROW else "wide") + self._uses(scene) + "</svg>"

    def _uses(self, scene: Scene) -> str:
        found = []
        for group in scene.groups:
            if group.name in LEFT_OUT:
                continue
            x, y = group.outline[0]
            elements = "".join(shape_elements(group, (x, y)))
            name = self.shared.setdefault(elements, f"b{len(self.shared)}")
            found.append(f'<use href="#{name}" x="{x:.6g}" y="{y:.6g}">{"".join(title_elements(group))}</use>')
        return "".join(found)

    def _table(self, head: Sequence[tuple[str, bool]], rows: Sequence[Sequence[str]], total: int | None = None) -> str:
        """The first column has words, the others a player's numbers; one row may be their sum."""
        kinds = {True: ' class="n of"', False: ""}
        titles = "".join(f"<th{kinds[number]}>{escape(text)}</th>" for text, number in head)
        lines = [f"<tr>{titles}</tr>"]
        for at, (words, *cells) in enumerate(rows):
            kind = ' class="total"' if at == total else ""
            numbers = "".join(f'<td class="n">{_parts(cell)}</td>' for cell in cells)
            lines.append(f"<tr{kind}><td>{escape(words)}</td>{numbers}</tr>")
        return f'<div class="scroll"><table class="by-player{self.many}">{"".join(lines)}</table></div>'


def _error_words(turn: JudgedTurn) -> str:
    """Not the number alone: in some languages that would be how many."""
    return _("turn {number}: {verdict}", number=turn.number, verdict=_(CLASS_WORDS[turn.verdict]))


def _sign(kind: str) -> str:
    """The line that a move has on the boards."""
    dash = ' stroke-dasharray="10 6"' if kind == "better" else ""
    return (
        f'<svg class="sign" viewBox="0 0 42 12" aria-hidden="true"><path d="M2 6H40" fill="none" stroke-width="5"'
        f' stroke="var(--{kind})"{dash}/></svg>'
    )


def _parts(text: str) -> str:
    """A figure and its error, which may go below it."""
    return " ".join(f'<span class="part">{escape(part)}</span>' for part in text.replace(" ±", "\n±").split("\n"))


def _svg(box: str, label: str, kind: str = "") -> str:
    spoken = f' role="img" aria-label="{escape(label)}"' if label else ' aria-hidden="true"'
    named = f' class="{kind}"' if kind else ""
    return f'<svg{named} viewBox="{box}"{spoken} font-family="{FONTS}" stroke-linejoin="round" stroke-linecap="round">'
