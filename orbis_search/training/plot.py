"""Draws the losses of a run and its strength by generation, with matplotlib, which comes with the train extra."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from ..base.held_files import write_whole
from ..base.language import _, ngettext
from ..measure.growth_plot import COLOURS, MARKS
from ..players.arena import elo
from .run import Outcome, Plan

FILE = "run.svg"
MOST_ELO = 800.0


def draw_run(folder: str, plan: Plan, outcomes: Sequence[Outcome]) -> str | None:
    """Writes the picture into the folder; returns its path, or None where there is nothing to draw with."""
    if find_spec("matplotlib") is None:
        return None
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    # The same drawing for the same figures: no random ids, no date.
    with matplotlib.rc_context({"svg.hashsalt": "orbis", "font.family": "DejaVu Sans", "font.size": 10}):
        figure = Figure(figsize=(11, 4.6), layout="constrained")
        FigureCanvasAgg(figure)
        losses, strength = figure.subplots(1, 2)
        for players in sorted({each.players for each in outcomes}):
            own = [each for each in outcomes if each.players == players]
            style = {"color": COLOURS[players], "label": ngettext("{n} player", "{n} players", players)}
            _draw_losses(losses, own, style)
            _draw_strength(strength, own, style | {"marker": MARKS[players]})
        losses.set(title=_("Log-loss of held-out games"), xlabel=_("epochs"), ylabel=_("log-loss"))
        above = _("Elo above playouts") if plan.start is None else _("Elo above the first network")
        strength.set(title=_("Strength, generation by generation"), xlabel=_("positions, in millions"), ylabel=above)
        for axes in (losses, strength):
            axes.grid(alpha=0.3)
            axes.legend()
        out = BytesIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    path = os.path.join(folder, FILE)
    write_whole(path, out.getvalue())
    return path


def _draw_losses(axes: Any, outcomes: Sequence[Outcome], style: dict[str, Any]) -> None:
    """One after the other; the dotted line is what the search that played the games said of them."""
    at = 0
    for outcome in outcomes:
        epochs = range(at + 1, at + len(outcome.losses) + 1)
        axes.plot(epochs, outcome.losses, **style if at == 0 else style | {"label": None})
        axes.plot(epochs, [outcome.search_loss] * len(outcome.losses), color=style["color"], linestyle=":")
        at += len(outcome.losses)


def _draw_strength(axes: Any, outcomes: Sequence[Outcome], style: dict[str, Any]) -> None:
    """The matches added up: what each generation that was kept won against the best before it, by all positions played
    up to then. A generation that was not kept adds nothing. A match won by all its games says no more than MOST_ELO."""
    positions, strengths = [0.0], [0.0]
    for outcome in outcomes:
        score = sum(outcome.scores.values()) / len(outcome.scores)
        gain = min(MOST_ELO, elo(score, 1 / outcome.players)) if outcome.kept else 0.0
        positions.append(positions[-1] + outcome.played / 1e6)
        strengths.append(strengths[-1] + gain)
        axes.text(positions[-1], strengths[-1], f" {outcome.generation}", va="top")
    axes.plot(positions, strengths, **style)
