"""The typed API: mypy agrees, the stubs of the compiled modules say what is there, and docstrings run."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import orbis_search
from orbis_search.notation import read_position
from orbis_search.notation.examples import example_text

ROOT = Path(__file__).parent.parent
PACKAGE = Path(orbis_search.__file__).parent
STUBS = sorted(PACKAGE.glob("_core/**/*.pyi"))


def test_mypy_finds_nothing(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    command += ["--cache-dir", str(tmp_path / "cache"), "-p", "orbis_search"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("Success: no issues found in ")


def test_the_types_are_installed() -> None:
    assert (PACKAGE / "py.typed").exists()
    sources = sorted((ROOT / "src_ext").rglob("*.pyi"))
    assert sources
    installed = [PACKAGE.parent / source.relative_to(ROOT / "src_ext") for source in sources]
    assert installed == STUBS


def test_type_checkers_see_every_public_name(tmp_path: Path) -> None:
    """And see more than Any: a wrong use is found."""
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text("utf-8"))
    found = {
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 1
        for alias in node.names
    }
    assert found == {(home, name) for home, names in orbis_search._HOMES.items() for name in names}
    listed = next(node.value for node in tree.body if isinstance(node, ast.Assign))
    assert sorted(ast.literal_eval(listed)) == sorted(orbis_search.__all__)
    pytest.importorskip("mypy")
    source = tmp_path / "client.py"
    source.write_text("import orbis_search as orbis\nreveal_type(orbis.count_moves)\norbis.advise('o1:2:')\n")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert "-> int" in done.stdout and 'incompatible type "str"; expected "Position"' in done.stdout, done.stdout


def module_of(stub: Path) -> str:
    return ".".join(stub.relative_to(PACKAGE.parent).with_suffix("").parts)


def public(names: object) -> set[str]:
    return {name for name in names if not name.startswith("_")}  # type: ignore[attr-defined]


def names_of(nodes: list[ast.stmt]) -> set[str]:
    found = set()
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return public(found)


@pytest.mark.parametrize("stub", STUBS, ids=lambda path: path.stem)
def test_a_stub_says_what_the_compiled_module_has(stub: Path) -> None:
    module = importlib.import_module(module_of(stub))
    tree = ast.parse(stub.read_text("utf-8"))
    assert names_of(tree.body) <= public(vars(module))
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            there = getattr(module, node.name)
            inherited = set(dir(tuple)) if issubclass(there, tuple) else set()
            assert names_of(node.body) == public(vars(there)) - inherited, node.name


def test_every_compiled_module_that_python_uses_has_a_stub() -> None:
    """Those that only other compiled modules use need none."""
    used = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("_core."):
                used.add(f"orbis_search.{node.module}")
    assert used <= set(map(module_of, STUBS))
    assert "orbis_search._core.orbis.core" in used


# --- docstrings

FUNCTIONS = [name for name in orbis_search.__all__ if inspect.isfunction(getattr(orbis_search, name))]


@pytest.mark.parametrize("name", [*FUNCTIONS, "Engine"])
def test_the_example_in_its_docstring_runs(name: str) -> None:
    """Each has one. It sees the package as `orbis`, and `position`, the built-in example."""
    if name == "to_png":
        pytest.importorskip("PIL", reason="the png extra is not installed")
        pytest.importorskip("matplotlib", reason="the png extra is not installed")
    function = getattr(orbis_search, name)
    module = importlib.import_module(function.__module__)
    names = vars(module) | {"orbis": orbis_search, "position": read_position(example_text())}
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in doctest.DocTestFinder(recurse=False).find(function, name, module, names):
        runner.run(test, out=report.append)
    assert runner.tries > 0, "no example"
    assert runner.failures == 0, "".join(report)


def test_functions_are_found() -> None:
    assert {"advise", "legal_moves", "parse_move", "read_position"} <= set(FUNCTIONS)
