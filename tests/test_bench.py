"""`orbis bench`: the signature of this build, two runs side by side, and what is refused. No time is asserted."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from math import comb, log
from pathlib import Path

import instructions
import intervals
import profiling
import pytest

import callgrind
import fixed_work
from orbis_search.base.errors import InputError
from orbis_search.cli.files import expect_writable
from orbis_search.measure import fixed_work as bench_set
from orbis_search.measure import growth as bench_growth
from orbis_search.measure import growth_plot as bench_plot
from orbis_search.measure.contested_endings import shipped_set
from orbis_search.measure.fixed_work import PARTS, Part, digest, do, one_round, run_rounds, signatures
from orbis_search.measure.json import run_from_json, run_to_json
from orbis_search.measure.ratios import paired_ratio, rank_sum_counts, signed_rank_counts, unpaired_ratio
from orbis_search.measure.runs import compare_runs
from orbis_search.search.estimates import ErrorModel, Evidence
from orbis_search.search.settings import SearchSettings, read_settings
from program import Run, installed

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
STORED = Path(__file__).parent / "signature.txt"
RENEW = "If the change is meant, say so in its message, and: orbis bench --signature > tests/signature.txt"
# One of each kind, a moment each.
QUICK_PARTS = (
    Part("perft", "2-middle", 1),
    Part("playouts", "3-late", 50),
    Part("search", "2-late", 100),
    Part("playout-search", "2-late", 100),
    Part("solve", "2-four"),
)


def quick_growth(patch: pytest.MonkeyPatch) -> None:
    """As few of everything as can be drawn."""
    for name, value in {
        "REPEATS": 1,
        "SIMULATIONS": 20,
        "PLAYOUTS": 20,
        "MEMORY_AT": (50, 100),
        "ENDINGS": 1,
        "MOST_LEFT": {2: 4, 3: 2, 4: 1},
        "MEMORY_ROOM": 1 << 22,
    }.items():
        patch.setattr(bench_growth, name, value)
    patch.setattr(bench_growth, "THREADS_WORK", {part.kind: part for part in QUICK_PARTS})


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_set, "PARTS", QUICK_PARTS)


# --- the signature


def test_the_signature_is_the_stored_one():
    stored = dict(line.split(maxsplit=1) for line in STORED.read_text("utf-8").splitlines())
    found = signatures()
    changed = [name for name in found if stored.get(name) != found[name] and name != "signature"]
    assert found == stored, (
        f"This build does not find what it used to: signature {found['signature']}, stored {stored.get('signature')}, "
        f"the results differ in {', '.join(changed)}. {RENEW}"
    )


def test_it_is_the_same_in_another_process(quick: None):
    """Whatever Python hashes by, and however long a slice is."""
    here = [digest(do(part).found) for part in QUICK_PARTS]
    program = f"""if True:
        from orbis_search.measure.fixed_work import *
        from orbis_search.search import trees
        trees.FIRST_SLICE = 3
        print(*(digest(do(Part(*each)).found) for each in {[tuple(part) for part in QUICK_PARTS]}))"""
    for hash_seed in ("1", "2"):
        command = [sys.executable, "-c", program]
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, timeout=120)
        assert done.stdout.split() == here


@pytest.mark.parametrize("kind", ["search", "playout-search"])
@pytest.mark.parametrize("settings", [{"exploration": 0.501}, {"expand_after": 4}, {"margin_scale": 11}])
def test_another_search_has_another_signature(kind: str, settings: dict[str, float]):
    part = Part(kind, "2-middle", 2000)
    assert digest(do(part, settings=read_settings(settings)).found) != digest(do(part).found)


def test_another_rule_has_another_signature(monkeypatch: pytest.MonkeyPatch):
    """The best temple token worth five points more, and each kind of work that is played to the end finds something
    else."""
    from orbis_search.core import packing
    from orbis_search.game.vocabulary import SET_UP

    parts = [Part("playouts", "2-late", 500), Part("search", "2-late", 500), Part("solve", "2-five-a")]
    before = [digest(do(part).found) for part in parts]
    changed = {
        players: each._replace(temple_tokens=(each.temple_tokens[0] + 5, *each.temple_tokens[1:]))
        for players, each in SET_UP.items()
    }
    monkeypatch.setattr(packing, "SET_UP", changed)
    bench_set.packing_of.cache_clear()
    try:
        after = [digest(do(part).found) for part in parts]
    finally:
        bench_set.packing_of.cache_clear()
    assert all(a != b for a, b in zip(before, after))


def test_every_kind_of_work_and_every_number_of_players_is_there():
    assert {part.kind for part in PARTS} == set(bench_set.UNITS)
    for kind in ("playouts", "search", "solve"):
        assert {part.position[0] for part in PARTS if part.kind == kind} == {"2", "3", "4"}
    assert {part.position for part in PARTS} == set(bench_set.position_lines())
    assert len({part.name for part in PARTS}) == len(PARTS)


# --- ratios


def test_ratios_in_turns_by_brute_force():
    """The counts behind the intervals are those of all ways there are."""
    for n in (1, 4, 7):
        sums = [sum(itertools.compress(range(1, n + 1), signs)) for signs in itertools.product((0, 1), repeat=n)]
        assert signed_rank_counts(n) == [sums.count(total) for total in range(n * (n + 1) // 2 + 1)]
    for a, b in ((1, 3), (3, 4), (5, 2)):
        found = [0] * (a * b + 1)
        for ours in itertools.combinations(range(a + b), a):
            found[sum(each > other for each in ours for other in range(a + b) if other not in ours)] += 1
        assert rank_sum_counts(a, b) == found and sum(found) == comb(a + b, a)


def test_a_ratio_and_its_interval():
    base = [100.0, 104.0, 97.0, 101.0, 99.0, 103.0]
    same = paired_ratio(base, base)
    assert (same.value, same.low, same.high, same.sure, same.differs) == (1.0, 1.0, 1.0, True, False)
    twice = paired_ratio([2 * each for each in base], base)
    assert (round(twice.value, 9), twice.differs) == (2.0, True)
    # One disturbed round of six moves the estimate little, but widens the interval.
    disturbed = paired_ratio([*base[:5], base[5] / 3], base)
    assert abs(log(disturbed.value)) < 0.01 and disturbed.low < 0.7 and not disturbed.differs
    assert not paired_ratio(base[:5], base[:5]).sure  # of five rounds no interval is that sure
    apart = unpaired_ratio([2 * each for each in base], base)
    assert 1.9 < apart.low < apart.value < apart.high < 2.2 and apart.differs
    assert not unpaired_ratio(base[:3], base[:3]).sure


# --- runs


@pytest.mark.usefixtures("quick")
def test_a_run_reads_back():
    *_, run = run_rounds(2, 2)
    assert run.rounds == 2
    again = run_from_json(json.loads(json.dumps(run_to_json(run))), "run")
    assert again == run and again.rates() == run.rates()
    assert {name for name in run.rates() if "threads" not in name} == {
        *bench_set.UNITS,
        *(part.name for part in QUICK_PARTS),
    }
    assert not any("perft" in name for name in run.rates() if "threads" in name)
    same = compare_runs(run, again, "again", in_turns=True)
    assert all(row.ratio.value == 1 for row in same.ratios) and same.changed == ()
    again.parts[2].signature = "00000000"
    other = compare_runs(run, again, "again", in_turns=True)
    assert other.changed == ("search.2-late",) and again.signature != run.signature


@pytest.mark.usefixtures("quick")
def test_what_is_no_run_is_refused():
    good = run_to_json(one_round(1))

    def refused(**changes: object) -> str:
        with pytest.raises(InputError) as caught:
            run_from_json(good | changes, "file")
        return str(caught.value)

    assert "version 1" in refused(version=2)
    assert "orbis bench --json" in refused(kind="rules")
    assert "orbis bench --json" in refused(machine=3)
    assert "another set" in refused(parts=good["parts"][1:])
    for wrong in ({"seconds": [0]}, {"seconds": []}, {"units": "x"}, {"seconds": [1, 2]}, {"seconds": [float("nan")]}):
        assert "orbis bench --json" in refused(parts=[good["parts"][0] | wrong, *good["parts"][1:]])


@pytest.mark.usefixtures("quick")
def test_the_text(run: Run):
    done = run("bench", "--rounds", 2, "--threads", 2)
    assert done.code == 0 and done.err == ""
    signature = bench_set.signature_of(digest(do(part).found) for part in QUICK_PARTS)
    assert done.out.endswith(f"signature {signature}, network {bench_set.network_name()}\n")
    for part in QUICK_PARTS:
        assert f"\n{part.name} " in done.out
    assert "simulations a second" in done.out and "2 rounds in " in done.out
    assert f"signature                {signature}" in run("bench", "--signature").out.splitlines()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("after", [0, 1])
def test_an_interrupt_leaves_the_rounds_that_were_done(run: Run, monkeypatch: pytest.MonkeyPatch, after: int):
    def interrupted(threads: int, rounds: int) -> Iterator[bench_set.Run]:
        yield from run_rounds(threads, after)
        raise KeyboardInterrupt

    monkeypatch.setattr(bench_set, "run_rounds", interrupted)
    done = run("bench", "--threads", 1, "--json")
    assert done.code == 130 and "interrupted" in done.err
    assert not done.out if after == 0 else json.loads(done.out)["interrupted"] and json.loads(done.out)["rounds"] == 1


@pytest.mark.usefixtures("quick")
def test_compared_with_a_file(run: Run, tmp_path: Path):
    saved = tmp_path / "run.json"
    saved.write_text(run("bench", "--rounds", 2, "--threads", 1, "--json").out, "utf-8")
    done = run("bench", "--rounds", 2, "--threads", 1, "--compare", saved)
    assert done.code == 0 and "Same signature" in done.out and "Not measured in turns" in done.out
    text = saved.read_text("utf-8")
    saved.write_text(text.replace(json.loads(text)["parts"][3]["signature"], "00000000"), "utf-8")
    done = run("bench", "--rounds", 1, "--threads", 1, "--compare", saved)
    assert done.code == 0 and "THE SIGNATURES DIFFER" in done.out and "solve.2-four" in done.out


def test_against_another_build(tmp_path: Path):
    """The other program is this one, with another signature."""
    program = tmp_path / "orbis"
    program.write_text(
        f"#!{sys.executable}\n"
        "import sys\nfrom orbis_search.measure import fixed_work\nfrom orbis_search.cli.main import main\n"
        "fixed_work.PARTS = tuple(part._replace(amount=part.amount // 8 + 1) for part in fixed_work.PARTS)\n"
        "sys.exit(main())\n",
        "utf-8",
    )
    program.chmod(0o755)
    done = installed("bench", "--against", str(program), "--rounds", 1, "--threads", 1, "--json")
    assert (done.code, done.err) == (0, "")
    compared = json.loads(done.out)["compared"]
    assert compared["in_turns"] and "search.2-start" in compared["changed"]
    assert {"search", "perft.2-start"} <= {row["name"] for row in compared["ratios"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--compare", "missing.json"], "missing.json: expected a run of orbis bench, found no such file"),
        (["--compare", "text.txt"], "text.txt: expected what orbis bench --json writes"),
        (["--against", "./missing"], "./missing: expected a program that can be run"),
        (["--against", sys.executable], "expected what orbis bench --json writes"),
        (["--compare", "a", "--against", "b"], "--compare or --against, not both"),
        (["--signature", "--json"], "--signature cannot be combined with other options"),
        (["--json", "rules"], "--json cannot be used with a command"),
        (["--plot", "growth.gif"], "--plot: expected a file name ending in .svg or .png, found growth.gif"),
        (["--plot", "no/such/growth.svg"], "no/such/growth.svg: expected a writable file"),
        (["--rounds", "0"], "--rounds"),
    ],
)
@pytest.mark.usefixtures("quick")
def test_bad_input(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str):
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("[1]", "utf-8")
    done = run("bench", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err and "Traceback" not in done.err


# --- how cost grows


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("form", ["svg", "png"])
def test_the_plot(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str):
    pytest.importorskip("matplotlib", reason="the png extra is not installed")
    quick_growth(monkeypatch)
    drawn = tmp_path / f"growth.{form}"
    done = run("bench", "--rounds", 1, "--threads", 2, "--plot", drawn, "--json")
    assert (done.code, done.err) == (0, "")
    assert drawn.read_bytes().startswith({"svg": b"<?xml", "png": b"\x89PNG"}[form])
    growth = json.loads(done.out)["growth"]
    assert len(growth) == bench_growth.SERIES
    assert {each["picture"] for each in growth} == set(bench_plot.PICTURES)
    assert all(len(each["x"]) == len(each["y"]) and min(each["y"]) > 0 for each in growth)


def test_the_same_figures_are_drawn_alike():
    pytest.importorskip("matplotlib", reason="the png extra is not installed")
    growth = [bench_growth.Series(picture, 2, "", (1, 2), (1.0, 2.0)) for picture in bench_plot.PICTURES]
    assert bench_plot.draw_growth(growth, "a.svg", "one") == bench_plot.draw_growth(growth, "b.svg", "one")


def test_without_matplotlib_it_says_how_to_get_it(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bench_plot, "find_spec", lambda name: None)
    done = run("bench", "--plot", "growth.svg")
    assert done.code == 2 and "pip install" in done.err and "found no matplotlib" in done.err


def test_a_file_to_write_is_tried_without_a_trace(tmp_path: Path):
    expect_writable(str(tmp_path / "new.svg"))
    assert list(tmp_path.iterdir()) == []
    there = tmp_path / "there.svg"
    there.write_text("as it was")
    expect_writable(str(there))
    assert there.read_text() == "as it was"


# --- benchmarks/


def test_the_speed_suites_run():
    """Each piece once, without a stopwatch."""
    command = [sys.executable, "-m", "pytest", "-q", "--benchmark-disable", str(BENCHMARKS / "test_speed.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=BENCHMARKS.parent, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(fixed_work.ITEMS)} passed" in done.stdout


@pytest.mark.parametrize("name", fixed_work.ITEMS)
def test_a_longer_run_does_more_of_the_same(name: str):
    """So that the difference of two lengths is work."""
    item = fixed_work.ITEMS[name]
    assert item.run(1) <= item.run(item.short) < item.run(item.long)


def test_intervals_are_held_against_exact_values():
    cases = intervals.ask(("ending", SearchSettings(), 2, 4, 0, 300))
    ending = shipped_set("fit", 2, 4).endings[0]
    assert [case.best for case in cases] == [True] + [False] * (len(cases) - 1) and len(cases) > 1
    assert all(0 <= case.truth <= ending.best and case.evidence.players == 2 for case in cases)
    case = replace(cases[0], win=0.5, truth=0.7)
    assert case.score(0.3) == pytest.approx(0.6) and case.score(0.1) == pytest.approx(0.2 + intervals.OUTSIDE * 0.1)
    assert case.holds(0.2) and not case.holds(0.19)


def test_the_error_model_is_fitted_to_answers_that_were_kept(tmp_path: Path):
    """Answers whose error is all luck, twice as much as the sample says."""
    rng = random.Random(1)
    cases = []
    for number in range(600):
        deviation = rng.uniform(0.01, 0.05)
        truth = rng.uniform(0.4, 0.6)
        evidence = Evidence(2 + number % 2, 4.0, 10**9, deviation, 0.0, learned=True)
        cases.append(
            intervals.Case(f"made {number}", number % 3 == 0, rng.gauss(truth, 2 * deviation), truth, evidence)
        )
    start = ErrorModel(1.0, 0.0, -3.0, 0.3, 0.0)
    fitted = intervals.fit(cases, start)
    assert intervals.mean_score(fitted, cases) < intervals.mean_score(start, cases)
    held = sum(case.holds(fitted.half_width(case.evidence)) for case in cases) / len(cases)
    assert 0.9 <= held <= 0.99 and sum(case.holds(start.half_width(case.evidence)) for case in cases) / len(cases) < 0.8
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps([asdict(case) for case in cases]))
    command = [sys.executable, str(BENCHMARKS / "intervals.py"), "--load", str(answers)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=BENCHMARKS.parent, timeout=300)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    models = [line.split(":")[0] for line in lines if "ErrorModel(" in line]
    assert models == ["learned, 2 players", "learned, 3 players and more"]
    assert sum("held" in line for line in lines) == 8  # both, fitted to and others, best and others


def test_growth_needs_a_note():
    name, other = list(fixed_work.ITEMS)[:2]
    before = {"compiler": "cc 1", "instructions": {name: 100.0, other: 100.0}, "notes": []}
    assert "GROWN" in instructions.table({name: 103.1}, before["instructions"])
    assert "GROWN" not in instructions.table({name: 102.9}, before["instructions"])
    after = instructions.accepted(before, {name: 110.0, other: 90.0}, "cc 1", "it now sees volcanoes")
    assert after["notes"] == [{"item": name, "before": 100.0, "now": 110.0, "why": "it now sees volcanoes"}]
    assert after["instructions"] == {name: 110.0, other: 90.0}
    later = instructions.accepted(after, {name: 110.0, other: 91.0}, "cc 2", "another compiler")
    assert [note["item"] for note in later["notes"]] == [name, other]


def test_the_stored_baseline_is_of_these_items():
    stored = json.loads(instructions.BASELINE.read_text("utf-8"))
    assert list(stored["instructions"]) == list(fixed_work.ITEMS)
    assert all(note["item"] in fixed_work.ITEMS and note["why"] for note in stored["notes"])


def test_counting_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(sys, "argv", ["instructions.py", "--accept", " "])
    monkeypatch.setattr(callgrind, "missing", lambda: None)
    assert instructions.main() == 2 and "expected a reason" in capsys.readouterr().err
    monkeypatch.setattr(callgrind, "missing", lambda: "valgrind")
    assert instructions.main() == 2 and "expected valgrind to be installed" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["profiling.py", "search.nothing"])
    assert profiling.main() == 2 and "expected one of copy.2" in capsys.readouterr().err


ACCOUNT = """\
events: Ir
summary: 170

fl=(1) /home/x/ismcts.pyx
fn=(1) __pyx_f_12orbis_search_5_core_6search_6ismcts_4Tree_simulate
{select} 10
+1 20
fi=(2) /home/x/placement.pxd
{placement} 5
fe=(1)
cfi=(3) core.pyx
cfn=(2) __pyx_f_12orbis_search_5_core_5orbis_4core_orbis_playout
calls=3 7
{playout} 100
* 35

fl=(3)
fn=(2)
7 100
"""


def test_an_account_is_read_and_told_by_phase():
    """Lines of inlined functions count for these; a call counts with all it does, for what is asked."""
    source = callgrind.read_source()
    at = {
        "select": step_line(source, "2b"),
        "playout": step_line(source, "3"),
        "placement": source.functions["placement.pxd"][0][0],
    }
    account = callgrind.read_account(ACCOUNT.format(**at))
    assert callgrind.totals(ACCOUNT.format(**at)) == {"Ir": 170}
    assert sum(account.own.values()) == 170 and sum(account.calls.values()) == 100
    by_phase = profiling.phases(account, source)
    assert by_phase["playout"] == 135 and by_phase["select"] == 35 and sum(by_phase.values()) == 170
    own = profiling.own_costs(account, source)
    assert own[f"placement.{source.functions['placement.pxd'][0][1]}"] == 5
    assert "select" in profiling.report(account, source, 10, "simulation", 5)


def step_line(source: callgrind.Source, step: str) -> int:
    return next(line for line, number in source.steps["ismcts.pyx"] if number == step)


def test_functions_in_c_have_their_names_too():
    source = callgrind.read_source()
    header = callgrind.ROOT / "src_ext" / "orbis_search" / "_core" / "search" / "best.h"
    text = header.read_text("utf-8").splitlines()
    line = next(number for number, line in enumerate(text, 1) if line.startswith("static inline void orbis_best_add("))
    assert source.function("best.h", line) == source.function("best.h", line + 1) == "orbis_best_add"
    assert source.function("best.h", line - 2) == "orbis_best_key"
    assert source.function("best.h", 1) is None


@pytest.mark.parametrize(
    ("compiled", "name"),
    [
        ("__pyx_pw_12orbis_search_5_core_5orbis_4core_11PackedState_39playouts", "playouts"),
        ("__pyx_f_12orbis_search_5_core_5orbis_7movegen_emit.constprop.0", "emit"),
        ("pthread_mutex_lock@@GLIBC_2.2.5", "pthread_mutex_lock"),
    ],
)
def test_compiled_functions_have_their_names_of_the_source(compiled: str, name: str):
    assert callgrind.read_source().plain(compiled) == name


def test_every_function_that_a_phase_names_is_there():
    """Else a phase would silently miss what was renamed."""
    source = callgrind.read_source()
    known = {name for functions in source.functions.values() for _, name in functions}
    assert [name for name in profiling.PHASE_OF if name not in known] == []
    assert set(profiling.STEPS) == {step for _, step in source.steps["ismcts.pyx"] if step}
