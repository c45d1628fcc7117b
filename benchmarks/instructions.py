"""How many instructions the core spends on each thing, held against what it spent before.

    python benchmarks/instructions.py [--accept WHY] [--no-build]

Counted by callgrind, so the same source and compiler give the same figures to the last digit, on any machine and
however busy it is. Each figure is the difference of a long and a short run, so that what it takes to begin is not in
it. The baseline is benchmarks/instructions.json. An item that grew by more than 3 % fails, with exit code 1; if that is
meant, --accept writes the new figures down with a note that says why. Figures of another compiler are printed and not
judged. Needs valgrind; builds the core into build/profile first, unless --no-build is given.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # also where Python is told to be careful
import callgrind
from fixed_work import ITEMS

BASELINE = Path(__file__).with_name("instructions.json")
MOST_GROWTH = 0.03
SEEN = 0.0001  # what is told: the C library's own choices can make less than that


def measure() -> dict[str, float]:
    """Instructions a unit, by item."""
    work = [(name, amount) for name, item in ITEMS.items() for amount in (item.short, item.long)]
    counts = [(units, callgrind.totals(account)["Ir"]) for units, account in callgrind.count(work)]
    found = {}
    for name, (short, short_count), (long, long_count) in zip(ITEMS, counts[::2], counts[1::2]):
        found[name] = round((long_count - short_count) / (long - short), 2)
    return found


def growth(before: float | None, now: float) -> float:
    return 0.0 if before is None else now / before - 1


def table(found: dict[str, float], before: dict[str, float]) -> str:
    lines = []
    for name, now in found.items():
        line = f"{name:<26} {now:>11,.2f} instructions a {ITEMS[name].unit:<10}"
        change = growth(before.get(name), now)
        if abs(change) >= SEEN:
            line += f" {before[name]:>11,.2f} before {100 * change:>+7.2f} %" + (
                " GROWN" if change > MOST_GROWTH else ""
            )
        lines.append(line.rstrip())
    return "\n".join(lines)


def accepted(baseline: dict[str, Any], found: dict[str, float], compiler: str, why: str) -> dict[str, Any]:
    """The new baseline. What grew gets a note; so does everything when the compiler is another one."""
    before = baseline.get("instructions", {})
    other = baseline.get("compiler", compiler) != compiler
    notes = [
        {"item": name, "before": before[name], "now": now, "why": why}
        for name, now in found.items()
        if name in before and (growth(before[name], now) > MOST_GROWTH or (other and now != before[name]))
    ]
    return {"compiler": compiler, "instructions": found, "notes": [*baseline.get("notes", []), *notes]}


def main() -> int:
    parser = argparse.ArgumentParser(description="Instructions of the core, held against a baseline")
    parser.add_argument("--accept", metavar="WHY", help="write the figures down as the new baseline, for this reason")
    parser.add_argument("--no-build", action="store_true", help="count what was built last")
    options = parser.parse_args()
    if name := callgrind.missing():
        return callgrind.fail(f"expected {name} to be installed, found none")
    if options.accept is not None and not options.accept.strip():
        return callgrind.fail("--accept: expected a reason, found none")
    if not options.no_build:
        callgrind.build()
    baseline = json.loads(BASELINE.read_text("utf-8")) if BASELINE.exists() else {}
    before = baseline.get("instructions", {})
    found, compiler = measure(), callgrind.compiler()
    print(table(found, before))
    if options.accept is not None:
        text = json.dumps(accepted(baseline, found, compiler, options.accept), indent=1, ensure_ascii=False)
        BASELINE.write_text(text + "\n", "utf-8")
        print(f"written: {BASELINE.name}")
        return 0
    if baseline.get("compiler") != compiler:
        print(f"NOT JUDGED: the baseline is of {baseline.get('compiler', 'no compiler yet')}, this is {compiler}")
        return 0
    if gone := [name for name in before if name not in found]:
        print(f"No longer there: {', '.join(gone)}. If that is meant: --accept WHY")
        return 1
    grown = [name for name, now in found.items() if growth(before.get(name), now) > MOST_GROWTH]
    if grown:
        print(f"More than {MOST_GROWTH:.0%} above the baseline: {', '.join(grown)}. If that is meant: --accept WHY")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
