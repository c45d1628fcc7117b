#!/usr/bin/env bash
# The core's tests on the checked build (bounds checks, state invariants after each move) and on one with the
# address and undefined-behaviour sanitizers. Needs an active environment with the test extra.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
core_tests=(tests/test_core.py tests/test_perft.py tests/test_seam.py tests/test_properties.py tests/test_rules_*.py)

echo "== checked build"
ORBIS_CHECKED=1 pip install --quiet --no-deps --target "$work/checked" .
PYTHONPATH="$work/checked" python -c 'from orbis_search._core.orbis.core import IS_CHECKED_BUILD as c; assert c'
PYTHONPATH="$work/checked" python -m pytest -q "${core_tests[@]}"

echo "== sanitized build"
ORBIS_CHECKED=1 ORBIS_SANITIZE=1 pip install --quiet --no-deps --target "$work/sanitized" .
runtime="$(${CC:-cc} -print-file-name=libasan.so):$(${CC:-cc} -print-file-name=libubsan.so)"
# Leaks are not looked for: the interpreter itself leaves memory behind at exit.
LD_PRELOAD="$runtime" ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc PYTHONPATH="$work/sanitized" \
    ORBIS_SAMPLE=small python -m pytest -q "${core_tests[@]}"
