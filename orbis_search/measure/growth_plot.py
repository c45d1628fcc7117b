"""Draws how cost grows, with matplotlib, which comes with the png extra."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from ..base.errors import InputError
from ..base.language import N_, _, ngettext, numeral
from ..drawing.scene import EXTRA
from .growth import Series

FORMS = ("svg", "png")
# Okabe and Ito's colours, which colour-blind readers can tell apart too; and a mark each.
COLOURS = {2: "#0072b2", 3: "#d55e00", 4: "#009e73"}
MARKS = {2: "o", 3: "s", 4: "^"}
KINDS = {
    "playouts": (N_("random playouts"), COLOURS[2], "o"),
    "search": (N_("simulations"), COLOURS[3], "s"),
    "solve": (N_("solver nodes"), COLOURS[4], "^"),
}
# For each picture: title, x axis, y axis; "log" where values differ by powers of ten.
PICTURES = {
    "simulations": (N_("Simulations a second, by round"), N_("round"), N_("thousands a second"), "log"),
    "playouts": (N_("Random playouts a second, by round"), N_("round"), N_("millions a second"), "log"),
    "threads": (N_("Speed-up by threads"), N_("threads"), N_("times one thread"), ""),
    "nodes": (N_("Solver: nodes to prove a move best"), N_("turns left"), N_("nodes, median"), "log"),
    "seconds": (N_("Solver: time to prove a move best"), N_("turns left"), N_("seconds, median"), "log"),
    "memory": (N_("Memory of a search from the start"), N_("simulations"), N_("megabytes"), "log log"),
}
SCALES = {"simulations": 1e3, "playouts": 1e6, "memory": 1e6}


def expect_plotting(path: str) -> None:
    """InputError if there is nothing to draw with, or the file's name does not say how."""
    form = path.rpartition(".")[2].lower()
    if form not in FORMS:
        raise InputError.one("--plot", _("expected a file name ending in .svg or .png, found {found}", found=path))
    if find_spec("matplotlib") is None:
        raise InputError.one("--plot", _("expected {extra}, found no {project}", extra=_(EXTRA), project="matplotlib"))


def draw_growth(growth: Sequence[Series], path: str, caption: str) -> bytes:
    """The picture as a file, in the format that the path's ending names."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # The same drawing for the same figures: no random ids, no date.
    with matplotlib.rc_context({"svg.hashsalt": "orbis", "font.family": "DejaVu Sans", "font.size": 10}):
        figure = Figure(figsize=(14, 8.2), layout="constrained")
        FigureCanvasAgg(figure)
        figure.suptitle(caption, fontsize=11)
        for picture, axes in zip(PICTURES, figure.subplots(2, 3).flat):
            _draw(axes, picture, [each for each in growth if each.picture == picture])
        form = path.rpartition(".")[2].lower()
        out = BytesIO()
        figure.savefig(out, format=form, dpi=110, metadata={"Date": None} if form == "svg" else {})
    return out.getvalue()


def _draw(axes: Any, picture: str, growth: Sequence[Series]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    title, right, up, logs = PICTURES[picture]
    axes.set_title(_(title), fontsize=11, fontweight="bold")
    axes.set_xlabel(_(right))
    axes.set_ylabel(_(up))
    for each in growth:
        if each.players:
            label = ngettext("{n} player", "{n} players", each.players)
            colour, mark = COLOURS[each.players], MARKS[each.players]
        else:
            words, colour, mark = KINDS[each.label]
            label = f"{_(words)}: {numeral(each.y[-1], '.2f')}"
        axes.plot(
            each.x,
            [y / SCALES.get(picture, 1) for y in each.y],
            color=colour,
            marker=mark,
            markersize=5,
            linewidth=1.6,
            label=label,
        )
    xs = sorted({x for each in growth for x in each.x})
    if picture == "threads":
        axes.plot(xs, xs, color="#999999", linestyle="--", linewidth=1, label=_("ideal"))
    if logs:
        axes.set_yscale("log")
        if picture in SCALES:  # few powers of ten: label what lies between them too
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _at: numeral(y, "g")))
            axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_ylim(bottom=0)
    if logs == "log log":
        axes.set_xscale("log")
    else:
        axes.set_xticks(xs if len(xs) < 10 else xs[::2])
    axes.grid(True, which="major", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.legend(frameon=False, fontsize=9)
