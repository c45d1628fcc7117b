"""Where the time of the core goes, by instructions.

    python benchmarks/profiling.py [ITEM] [--amount N] [--top 25] [--cache] [--no-build]

ITEM is one of the fixed pieces of work (default search.2-middle; a wrong one gets the list). A search is shown by
phase: what is spent in the steps of a simulation, and in the rules that they ask. Then every function of the core by
what it spends itself, also those that the compiler has put into others; where it has not, the share with all they call
stands behind. --cache adds what goes to memory, by callgrind's model of this machine's caches. Needs valgrind.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # also where Python is told to be careful
import callgrind
from callgrind import Account, Source
from fixed_work import ITEMS

# The phases of a simulation: by step of Tree.simulate, by the search's other functions, and by what the rules are
# asked. What is none of these belongs to choosing.
STEPS = {
    "1": "determinize",
    "2": "select",
    "2a": "select",
    "2b": "select",
    "2c": "expand",
    "2d": "play the move",
    "3": "playout",
    "4": "back up",
}
SEARCHING = {
    "expand": "add_groups has_group find make_block take_block take_node take_from take enter entered grow growing_at "
    "first_block drop_known candidate_weights vary behind copy_node copy_blocks tally_scaled sort_by_weight by_weight "
    "by_move lock_to_grow candidate_list_grow",
    "back up": "back_up add_results add_to add_to_child one_visit rate note write_down add",
    "play the move": "chance first_chance locate",
    "playout": "solve_end",
}
ASKED = {
    "determinize": "orbis_determinize",
    "select": "orbis_groups",
    "expand": "orbis_candidates",
    "play the move": "orbis_apply orbis_draw orbis_draws orbis_next_draw orbis_to_move",
    "playout": "orbis_playout",
    "score": "orbis_outcome orbis_detail",
}
PHASE_OF = {name: phase for table in (SEARCHING, ASKED) for phase, names in table.items() for name in names.split()}
ORDER = ("determinize", "select", "expand", "play the move", "playout", "score", "back up")


def is_of_the_search(compiled: str) -> bool:
    """Of the tree search; the solver has no such phases."""
    return "_6search_6ismcts_" in compiled or "_6search_6growth_" in compiled


def phases(account: Account, source: Source) -> Counter[str]:
    """What the search's own code spends, by its step or function, and what it asks of others, by what that is."""
    found: Counter[str] = Counter()

    def phase_at(compiled: str, file: str, line: int) -> str:
        step = source.step(file, line)
        if step in STEPS:
            return STEPS[step]
        return PHASE_OF.get(source.function(file, line) or "", PHASE_OF.get(source.plain(compiled), "select"))

    for (compiled, file, line), cost in account.own.items():
        if is_of_the_search(compiled):
            found[phase_at(compiled, file, line)] += cost
    for (compiled, file, line, called), cost in account.calls.items():
        if is_of_the_search(compiled) and not is_of_the_search(called):
            found[PHASE_OF.get(source.plain(called)) or phase_at(compiled, file, line)] += cost
    return found


def own_costs(account: Account, source: Source) -> Counter[str]:
    """By function of the source. Vector instructions come from the compiler's headers, and no line says for which
    function: they count for the compiled one, as does the little that has no line at all."""
    found: Counter[str] = Counter()
    for (compiled, file, line), cost in account.own.items():
        name = source.function(file, line)
        if name is not None:
            found[f"{file.partition('.')[0]}.{name}"] += cost
        elif file.endswith("intrin.h"):
            found[f"{source.plain(compiled)}: vectors"] += cost
        else:
            found[f"{source.plain(compiled)}: rest"] += cost
    return found


def report(account: Account, source: Source, units: int, unit: str, top: int) -> str:
    total = sum(account.own.values())
    lines = []
    by_phase = phases(account, source)
    if by_phase:
        lines.append(f"{'phase':<40} {'share':>8} {f'a {unit}':>12}")
        for name in ORDER:
            cost = by_phase[name]
            lines.append(f"{name:<40} {100 * cost / total:>6.1f} % {cost / units:>12,.1f}")
        lines.append("")
    inclusive: Counter[str] = Counter()
    for compiled, cost in account.inclusive().items():
        inclusive[source.plain(compiled)] += cost
    lines.append(f"{'function':<40} {'own':>8} {f'a {unit}':>12} {'with calls':>11}")
    for title, cost in own_costs(account, source).most_common(top):
        name = title.rpartition(".")[2]
        whole = f"{100 * min(1, inclusive[name] / total):>9.1f} %" if name in inclusive else ""
        lines.append(f"{title:<40} {100 * cost / total:>6.1f} % {cost / units:>12,.1f} {whole}".rstrip())
    return "\n".join(lines)


CACHE = {
    "Dr": "reads",
    "Dw": "writes",
    "D1mr": "reads that miss the first cache",
    "D1mw": "writes that miss it",
    "DLmr": "reads that miss the last cache",
    "DLmw": "writes that miss it",
    "I1mr": "instructions that miss their cache",
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Where the instructions of the core go")
    parser.add_argument("item", nargs="?", default="search.2-middle", metavar="ITEM")
    parser.add_argument("--amount", type=int, help="how much of it  [default: that of instructions.py]")
    parser.add_argument("--top", type=int, default=25, help="functions to list")
    parser.add_argument("--cache", action="store_true", help="simulate the caches too")
    parser.add_argument("--no-build", action="store_true", help="count what was built last")
    options = parser.parse_args()
    if options.item not in ITEMS:
        return callgrind.fail(f"expected one of {', '.join(ITEMS)}, found {options.item}")
    if name := callgrind.missing():
        return callgrind.fail(f"expected {name} to be installed, found none")
    if not options.no_build:
        callgrind.build()
    item, source = ITEMS[options.item], callgrind.read_source()
    more = ["--cache-sim=yes"] if options.cache else []
    ((units, text),) = callgrind.count([(options.item, options.amount or item.long)], *more)
    events = callgrind.totals(text)
    print(f"{options.item}: {units:,} times a {item.unit}, {events['Ir'] / units:,.1f} instructions each\n")
    print(report(callgrind.read_account(text), source, units, item.unit, options.top))
    if options.cache:
        print()
        for event, title in CACHE.items():
            print(f"{title:<40} {'':>8} {events.get(event, 0) / units:>12,.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
