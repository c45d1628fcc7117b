#!/usr/bin/env bash
# The other ways to build: source archive to wheel for all levels of CPU, editable, checked (bounds checks, state invariants after
# each move), and with the address and undefined-behaviour sanitizers; the core's tests run on the last two. Then with the
# thread sanitizer, on which the tests with threads run.
# Needs an active environment with the test extra.
set -euo pipefail
cd "$(dirname "$0")/.."
export PYTHONSAFEPATH=1  # the installed package, not the source folder
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
core_tests=(tests/test_core.py tests/test_search.py tests/test_endgame_core.py tests/test_perft.py tests/test_seam.py tests/test_hands.py
    tests/test_steps.py tests/test_inputs.py tests/test_networks.py tests/test_evaluation.py
    tests/test_properties.py tests/test_orion_core.py tests/test_orion_sentences.py
    tests/test_rules_*.py)

echo "== source archive, wheel from it, installed alone"
pip install --quiet build
ORBIS_LEVELS=all python -m build --outdir "$work/dist" . > "$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
python -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet "$work"/dist/*.whl
(cd "$work" && venv/bin/orbis --version && venv/bin/orbis check && venv/bin/orbis perft "$(venv/bin/orbis new --seed 1 --oneline)" 2)
# It finds the same at each level that this CPU has.
levels=$("$work/venv/bin/python" -c 'import orbis_search._core as c; from orbis_search._core.common.cpu import cpu_level
print(*(level for level in c.compiled_levels(c.__path__[-1]) if level <= cpu_level()))')
installed=$("$work/venv/bin/python" -c 'import os, orbis_search; print(os.path.dirname(os.path.dirname(orbis_search.__file__)))')
for level in $levels; do
    echo "level $level"
    ORBIS_CPU_LEVEL=$level "$work/venv/bin/orbis" bench --signature | diff tests/signature.txt -
    ORBIS_CPU_LEVEL=$level PYTHONPATH="$installed" python -m pytest -q tests/test_networks.py tests/test_evaluation.py
done
top=$("$work/venv/bin/python" - <<'PY'
from importlib.metadata import files
print(*sorted({f.parts[0] for f in files("orbis-search") if not f.parts[0].endswith(".dist-info") and f.parts[0] != ".."}))
PY
)
[ "$top" = "orbis_search" ] || { echo "installed at the top level: $top" >&2; exit 1; }

echo "== editable, run in its source folder and elsewhere"
mkdir "$work/source"
tar --extract --gzip --file "$work"/dist/*.tar.gz --directory "$work/source" --strip-components 1
"$work/venv/bin/pip" install --quiet --editable "$work/source"
(cd "$work/source" && env -u PYTHONSAFEPATH "$work/venv/bin/python" - <<'PY'
import os
import orbis_search as orbis
from orbis_search.notation.examples import example_text
assert orbis.__file__ == os.path.abspath("orbis_search/__init__.py"), orbis.__file__
position = orbis.read_position(example_text())
print(orbis.format_move(position, orbis.advise(position, simulations=200, seed=1).ideas[0].best.move))
PY
)
(cd "$work" && venv/bin/orbis --lang de check | grep "in Ordnung" && venv/bin/orbis bench --signature) > "$work/editable"
tail -n +2 "$work/editable" | diff tests/signature.txt -

echo "== checked build"
ORBIS_CHECKED=1 pip install --quiet --no-deps --target "$work/checked" .
PYTHONPATH="$work/checked" python -c 'from orbis_search._core.orbis.core import IS_CHECKED_BUILD as c; assert c'
PYTHONPATH="$work/checked" python -m pytest -q "${core_tests[@]}"

echo "== sanitized build"
ORBIS_CHECKED=1 ORBIS_SANITIZE=1 pip install --quiet --no-deps --target "$work/sanitized" .
runtime="$(${CC:-cc} -print-file-name=libasan.so):$(${CC:-cc} -print-file-name=libubsan.so)"
# Leaks are not looked for: the interpreter itself leaves memory behind at exit.
LD_PRELOAD="$runtime" ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc PYTHONPATH="$work/sanitized" \
    python -m pytest -q "${core_tests[@]}"

echo "== thread sanitizer"
ORBIS_TSAN=1 pip install --quiet --no-deps --target "$work/threads" .
# The interpreter is not built with it, but its locks are the C library's, which are watched: what threads hand each other
# by way of Python is in order. Nothing is suppressed, and a report ends the program. Reports go to files, since pytest
# would keep them to itself. The many long searches of test_threads.py are left to the ordinary build: here they take long.
status=0
LD_PRELOAD="$(${CC:-cc} -print-file-name=libtsan.so)" TSAN_OPTIONS="halt_on_error=1 log_path=$work/race" \
    PYTHONPATH="$work/threads" python -m pytest -q -p no:cacheprovider -k "(thread or shared_pool or lost) and not say_what" \
    tests/test_threads.py tests/test_hands.py tests/test_search.py tests/test_evaluation.py tests/test_endgame.py \
    tests/test_endgame_core.py || status=$?
for report in "$work"/race.*; do
    [ -e "$report" ] || continue
    cat "$report"
    status=1
done
[ "$status" = 0 ] || { echo "expected no race and no failure, found one" >&2; exit 1; }
