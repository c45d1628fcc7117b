"""What came of a generation, in lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.language import N_, _

if TYPE_CHECKING:
    from .run import Outcome

ARENAS = {
    "ours": N_("  won {percent:.1f} % against the best so far on our tiles"),
    "random": N_("  won {percent:.1f} % against the best so far on random tiles"),
    "own": N_("  won {percent:.1f} % against the best so far on its tiles"),
}


def outcome_text(outcome: Outcome) -> str:
    lines = [
        _(
            "generation {number}, {players} players: {positions:,} positions",
            number=outcome.generation,
            players=outcome.players,
            positions=outcome.positions,
        ),
        _(
            "  log-loss of held-out games {loss:.4f}; of the search that played them {search:.4f}",
            loss=outcome.losses[-1],
            search=outcome.search_loss,
        ),
    ]
    lines += [_(ARENAS[name], percent=100 * score) for name, score in outcome.scores.items()]
    lines.append(_("  kept: it is the best now") if outcome.kept else _("  not kept"))
    return "\n".join(lines) + "\n"
