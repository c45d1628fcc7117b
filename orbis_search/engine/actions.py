"""What can be asked of the engine: what each action answers, and its fields.

`ACTIONS` at the end is the one table; an action added there is known to the engine, and docs/engine.md must describe
it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import Any, TypeVar

from ..base.errors import InputError
from ..base.language import N_, _
from ..base.options import (
    CONFIDENCE,
    MAX_MEMORY,
    MAX_SECONDS,
    NODES,
    SIMULATIONS,
    THREADS,
    boolean,
    choice,
    or_null,
    real,
    text,
    whole,
)
from ..base.stopping import expect_wanted
from ..game.position import Position
from .amend_actions import AMEND_ACTIONS
from .board_actions import BOARD_ACTIONS
from .game_actions import GAME_ACTIONS
from .requests import MOST_MOVES, ON_A_POSITION, Action, Field, Task, a_move, seed_reader, some_moves

SOLVE_SECONDS = 60.0  # without a limit of its own
MOST_KEPT = 32  # moves of `keep`; the core has room for these and those of `why`

Interim = TypeVar("Interim")


# ---- the actions -----------------------------------------------------------------------------------


def _reporting(task: Task, written: Callable[[Interim], Any]) -> Callable[[Interim], None] | None:
    """Sends what is known so far: the first time at once, then no more often than requested."""
    every, due = task.values["report_every"], -inf

    def report(known: Interim) -> None:
        nonlocal due
        # The search has its own clock for this: without some slack, a report that is a moment early would be left out.
        if (now := perf_counter()) >= due - every / 4:
            due = max(due, now - every / 4) + every
            task.report(written(known))

    return None if every is None else report


def _advise(task: Task) -> dict[str, Any]:
    from ..advice.advisor import SHOWN, WAYS, advise
    from ..advice.data import Advice
    from ..advice.json import advice_to_json

    values = task.values

    def written(advice: Advice) -> dict[str, Any]:
        return advice_to_json(advice, values["top"], values["all_ways"])

    assert task.position is not None
    advice = advise(
        task.position,
        simulations=values["simulations"],
        seconds=values["seconds"],
        confidence=values["confidence"],
        threads=values["threads"],
        seed=values["seed"],
        memory=values["memory"],
        rows=values["measure"] or max(values["top"] or SHOWN, SHOWN),
        ways=WAYS if values["all_ways"] else 0,
        keep=values["keep"],
        why=values["why"],
        prove=values["prove"],
        progress=_reporting(task, written),
        stop=task.stop,
    )
    expect_wanted(task.stop)
    return written(advice)


def _solve(task: Task) -> dict[str, Any]:
    from ..core import fast_rules
    from ..solver.data import Progress
    from ..solver.endgame import solve
    from ..solver.json import solution_to_json
    from ..solver.ties import ranked_by_points

    values, position = task.values, task.position
    assert position is not None
    moves, every, top = values["moves"], values["every"], values["top"]
    if moves is not None and every:
        raise InputError.one("every", _("expected moves or every, found both"))
    if moves is None and top is None:
        fast_rules.count_to_list(position, not every, MOST_MOVES, "top")
    seconds, nodes = values["seconds"], values["nodes"]

    def written(progress: Progress) -> dict[str, Any]:
        return solution_to_json(progress.so_far(), top)

    solution = solve(
        position,
        objective=values["objective"],
        goal=values["goal"],
        moves=moves,
        every=every,
        draws_of=values["draws_of"],
        seconds=SOLVE_SECONDS if seconds is None and nodes is None else seconds,
        nodes=nodes,
        memory=values["memory"],
        threads=values["threads"],
        progress=_reporting(task, written),
        stop=task.stop,
    )
    expect_wanted(task.stop)
    if not task.stop.is_set():
        limits = {name: values[name] for name in ("nodes", "memory", "threads")}
        limits["seconds"] = SOLVE_SECONDS if seconds is None and nodes is None else seconds
        solution = ranked_by_points(solution, stop=task.stop, **limits)
    return solution_to_json(solution, top)


def _moves(task: Task) -> dict[str, Any]:
    from ..core import fast_rules
    from ..moves.data import list_moves
    from ..moves.json import moves_to_json

    assert task.position is not None
    every = task.values["kind"] == "all"
    fast_rules.count_to_list(task.position, not every, MOST_MOVES, "kind")
    return moves_to_json(list_moves(task.position, search=not every), task.values["limit"] or None)


def _apply(task: Task) -> Any:
    from ..core.turn import take_turn

    assert task.position is not None
    draw, seed = task.values["draw"], task.values["seed"]
    if draw is not None and seed is not None:
        raise InputError.one("draw", _("expected draw or seed, found both"))
    turn = take_turn(task.position, task.values["move"], draw=draw, seed=seed)
    return _in_form(turn.after, task.values["form"])


def _show(task: Task) -> Any:
    assert task.position is not None
    return _in_form(task.position, task.values["form"])


def _in_form(position: Position, form: str) -> Any:
    from .. import notation

    if form == "json":
        return notation.position_to_json(position)
    if form == "oneline":
        return notation.write_oneline(position).strip()
    if form == "toml":
        return notation.write_toml(position)
    from ..drawing.terminal import render_position

    return render_position(position)


def _check(task: Task) -> dict[str, Any]:
    from ..check.data import Check
    from ..check.json import check_to_json

    return check_to_json(Check(task.position, tuple(task.problems)))


form_field = Field(choice("json", "oneline", "toml", "text"), "json")
# For both searches.
seconds_field = Field(or_null(real(0.001, MAX_SECONDS, N_("seconds from 0.001 to ten million"))), None)
threads_field = Field(THREADS, 1)
memory_field = Field(or_null(whole(1, MAX_MEMORY)), None)
top_reader = or_null(whole(1, 10**9))
report_field = Field(or_null(real(0.2, MAX_SECONDS, N_("at least 0.2 seconds"))), None)

ACTIONS: dict[str, Action] = {
    "advise": Action(
        _advise,
        ON_A_POSITION
        | {
            "simulations": Field(SIMULATIONS, None),
            "seconds": seconds_field,
            "confidence": Field(CONFIDENCE, None),
            "threads": threads_field,
            "seed": Field(seed_reader, 0),
            "memory": memory_field,
            "keep": Field(some_moves(MOST_KEPT), ()),
            "why": Field(or_null(some_moves(2)), ()),
            "prove": Field(boolean, True),
            "top": Field(top_reader, 8),
            "measure": Field(or_null(whole(1, 1000)), None),
            "all_ways": Field(boolean, False),
            "report_every": report_field,
        },
        searches=True,
    ),
    "solve": Action(
        _solve,
        ON_A_POSITION
        | {
            "objective": Field(choice("win", "margin"), "win"),
            "goal": Field(choice("best", "all"), "all"),
            "moves": Field(or_null(some_moves(MOST_MOVES)), None),
            "every": Field(boolean, False),
            "draws_of": Field(or_null(a_move), None),
            "seconds": seconds_field,
            "nodes": Field(NODES, None),
            "threads": threads_field,
            "memory": memory_field,
            "top": Field(top_reader, None),
            "report_every": report_field,
        },
        searches=True,
    ),
    "moves": Action(
        _moves, ON_A_POSITION | {"kind": Field(choice("search", "all"), "search"), "limit": Field(whole(0, 10**9), 0)}
    ),
    "apply": Action(
        _apply,
        ON_A_POSITION
        | {
            "move": Field(a_move),
            "draw": Field(or_null(text(N_("the id or description of a tile"))), None),
            "seed": Field(or_null(seed_reader), None),
            "form": form_field,
        },
    ),
    "show": Action(_show, ON_A_POSITION | {"form": form_field}),
    "check": Action(_check, ON_A_POSITION, judges=True),
    **BOARD_ACTIONS,
    **GAME_ACTIONS,
    **AMEND_ACTIONS,
}
