"""Imports point down only: cli, API, packing, core; and in the core rules and searches meet at the seam.

Python files are read where the package is installed, the core's Cython sources in the source tree.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import orbis_search

PACKAGE = Path(orbis_search.__file__).parent
CORE_SOURCES = Path(__file__).parents[1] / "src_ext" / "orbis_search" / "_core"

# Lowest first. A module not named here is part of the API, above packing.
LAYERS = (
    {"values", "language"},
    {"vocabulary", "errors", "texts"},
    {"tiles"},
    {"phrases", "tilegen", "words", "built_in"},
    {"tilefiles"},
    {"tilesets", "descriptions", "position"},
    {"checking", "reference"},
    {"notation"},
    {"_core"},
    {"packing"},
)
API, CLI = len(LAYERS), len(LAYERS) + 1
# What reads and writes the game must do so without the compiled core.
WITHOUT_CORE = sorted(set().union(*LAYERS) - {"_core", "packing"})


def layer(part: str) -> int:
    if part == "cli":
        return CLI
    return next((height for height, parts in enumerate(LAYERS) if part in parts), API)


def modules() -> list[tuple[str, Path]]:
    """Every Python module of the package as (dotted name below it, file); its own __init__ is left out."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = list(path.relative_to(PACKAGE).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        if parts:
            found.append((".".join(parts), path))
    return found


def imports(name: str, path: Path) -> tuple[set[str], set[str]]:
    """What a module imports anywhere in it: parts of this package, and other top-level packages."""
    inside, outside = set(), set()
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            targets = [node.module.split(".") + [alias.name] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            up = package[: len(package) - node.level + 1]
            base = ["orbis_search", *up, *(node.module.split(".") if node.module else [])]
            targets = [[*base, alias.name] for alias in node.names]
        else:
            continue
        for target in targets:
            if target[0] != "orbis_search":
                outside.add(target[0])
            elif len(target) > 1:
                inside.add(target[1])
    return inside, outside


def test_the_package_is_found():
    names = {name for name, _ in modules()}
    assert {"vocabulary", "tiles", "reference", "notation.moves", "packing", "rules", "cli.main"} <= names
    inside, _ = imports("packing", PACKAGE / "packing.py")
    assert {"_core", "position", "tiles", "vocabulary"} <= inside


def test_every_kind_of_import_is_seen(tmp_path):
    source = tmp_path / "moves.py"
    source.write_text(
        "import click.core\nfrom os import path\nfrom .. import rules\nfrom . import common\n"
        "def late():\n    from ..tiles import Tile\n    from orbis_search._core import game\n"
    )
    assert imports("notation.moves", source) == ({"rules", "notation", "tiles", "_core"}, {"click", "os"})


@pytest.mark.parametrize("name, path", modules(), ids=[name for name, _ in modules()])
def test_imports_point_down(name, path):
    part = name.split(".")[0]
    inside, _ = imports(name, path)
    for target in inside - {part, "__version__"}:
        same_layer = part != "cli" and layer(target) == layer(part) in (API, 0)
        assert layer(target) < layer(part) or same_layer, f"{name} imports {target}, which is not below it"


def test_the_api_imports_nothing_in_a_circle():
    """Modules of one layer may use each other, but not both ways."""
    below: dict[str, set[str]] = {}
    for name, path in modules():
        part = name.split(".")[0]
        below.setdefault(part, set()).update(imports(name, path)[0] - {part})

    def reach(part: str, seen: frozenset[str]) -> None:
        assert part not in seen, f"{part} imports itself by way of {sorted(seen)}"
        for target in below.get(part, ()):
            reach(target, seen | {part})

    for part in below:
        reach(part, frozenset())


def test_the_reference_stands_on_plain_data_alone():
    inside, _ = imports("reference", PACKAGE / "reference.py")
    assert inside == {"errors", "language", "position", "tiles", "vocabulary"}


@pytest.mark.parametrize("part", WITHOUT_CORE)
def test_text_is_read_without_the_core(part):
    for name, path in modules():
        if name.split(".")[0] == part:
            assert not imports(name, path)[0] & {"_core", "packing", "rules"}, name


def test_only_commands_know_the_command_line():
    third_party = {"click", "tqdm", "numpy", "prompt_toolkit"}
    # What is imported late, when a picture or a game of OpenSpiel is asked for.
    extras = {
        "scene": {"PIL"}, "bench_plot": {"matplotlib"}, "openspiel": {"pyspiel", "open_spiel", "numpy"},
        "peers": {"pyspiel"},
    }  # fmt: skip
    for name, path in modules():
        outside = imports(name, path)[1] - extras.get(name, set())
        if not name.startswith("cli"):
            assert not outside & third_party, name
        assert outside <= {*sys.stdlib_module_names, *third_party}, name


def test_commands_reach_the_core_through_the_api():
    for name, path in modules():
        if name.startswith("cli"):
            assert "_core" not in imports(name, path)[0], name


# ------------------------------------------------------------------------------ inside the core


def core_files() -> list[Path]:
    if not CORE_SOURCES.is_dir():
        pytest.skip("the core's sources are only in the source tree")
    return sorted(path for path in CORE_SOURCES.rglob("*") if path.suffix in (".pyx", ".pxd"))


IMPORT = re.compile(
    r"""^\s*(?:from\s+(?P<dots>\.+)(?P<relative>[\w.]*)\s+c?import\b
           |from\s+(?P<absolute>\w[\w.]*)\s+c?import\b
           |c?import\s+(?P<plain>\w[\w.]*))""",
    re.MULTILINE | re.VERBOSE,
)


def core_imports(path: Path) -> set[str]:
    """Parts of the core (folders, or `game`) that a source imports or cimports; `?` for what is above it."""
    folder = ["orbis_search", "_core", *path.relative_to(CORE_SOURCES).parts[:-1]]
    found = set()
    for match in IMPORT.finditer(path.read_text(encoding="utf-8")):
        if match["dots"]:
            target = folder[: len(folder) - len(match["dots"]) + 1] + match["relative"].split(".")
        else:
            target = (match["absolute"] or match["plain"]).split(".")
        if target[0] == "orbis_search":
            found.add(target[2] if target[1:2] == ["_core"] and len(target) > 2 else "?")
    return found - {""}


# What each part of the core may know, beside itself.
CORE_MAY_KNOW = {
    "common": set(),
    "game": {"common"},
    "orbis": {"common", "game"},
    "search": {"common", "game"},
    "toy": {"common", "game"},
}


def test_rules_and_searches_meet_at_the_seam_alone():
    looked = set()
    for path in core_files():
        relative = path.relative_to(CORE_SOURCES)
        part = relative.parts[0] if len(relative.parts) > 1 else relative.stem
        if part == "__init__":
            continue
        looked.add(part)
        strange = core_imports(path) - {part} - CORE_MAY_KNOW[part]
        assert not strange, f"{relative} imports {sorted(strange)}"
    assert looked == set(CORE_MAY_KNOW)


def test_the_seam_is_really_imported():
    """Else the test above would look at nothing."""
    assert core_files()
    assert {"common", "game"} <= core_imports(CORE_SOURCES / "search" / "exhaustive.pyx")
    assert {"common", "game", "orbis"} <= core_imports(CORE_SOURCES / "orbis" / "core.pyx")


# ------------------------------------------------------------------------------ at run time


def loaded_by(statement: str) -> set[str]:
    """The modules that are loaded after a statement in a fresh interpreter."""
    program = f"import sys\nsys.path[:] = {sys.path!r}\n{statement}\nprint(*sys.modules)"
    command = [sys.executable, "-c", program]
    return set(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split())


HEAVY = ("numpy", "click", "tqdm", "PIL", "prompt_toolkit", "orbis_search._core")


def is_heavy(module: str) -> bool:
    return any(module == heavy or module.startswith(heavy + ".") for heavy in HEAVY)


@pytest.mark.parametrize(
    "statement",
    [
        "import orbis_search",
        "from orbis_search import read_position, write_toml, load_tile_set, Position",
        "import orbis_search.notation.moves, orbis_search.checking, orbis_search.reference",
        "import orbis_search.picture",
        "import orbis_search.cli.main",
    ],
)
def test_importing_costs_nothing_heavy(statement):
    loaded = loaded_by(statement)
    assert "orbis_search" in loaded
    assert [module for module in loaded if is_heavy(module)] == []


# Each takes a good part of what Python itself needs to start, and `orbis check` is to start at once.
DEAR = ("dataclasses", "inspect", "typing", "tomllib", "json", "unicodedata", "datetime")


def test_checking_a_position_that_names_its_tiles_loads_nothing_dear():
    statement = "from orbis_search.cli.main import main; assert main(['check']) == 0"
    loaded = loaded_by(statement)
    assert "orbis_search.checking" in loaded
    assert [module for module in (*DEAR, *HEAVY) if module in loaded] == []
    assert not loaded & {"orbis_search.phrases", "orbis_search.descriptions", "orbis_search.tilefiles"}


def test_what_the_build_made_of_the_data_is_what_the_files_say():
    import tomllib

    from orbis_search.built_in import POSITIONS, TILE_SETS
    from orbis_search.positions import example_names, example_text
    from orbis_search.tilesets import built_in_tile_sets, read_built_in

    assert {name: read_built_in(name) for name in built_in_tile_sets()} == TILE_SETS
    assert {name: tomllib.loads(example_text(name)) for name in example_names()} == POSITIONS


def test_the_core_is_loaded_when_it_is_needed():
    assert "orbis_search._core.orbis.core" in loaded_by("from orbis_search import legal_moves")


def test_the_package_alone_loads_none_of_its_modules():
    ours = {module for module in loaded_by("import orbis_search") if module.startswith("orbis_search")}
    assert ours == {"orbis_search"}


def test_every_public_name_is_there():
    assert len(orbis_search.__all__) == len(set(orbis_search.__all__)) > 20
    for name in orbis_search.__all__:
        assert getattr(orbis_search, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        orbis_search.no_such_name  # noqa: B018


def test_one_top_level_package_is_installed():
    try:
        installed = metadata.distribution("orbis-search")
    except metadata.PackageNotFoundError:
        pytest.skip("orbis-search is run from a build folder, not installed")
    if installed.read_text("RECORD") is None or "editable" in (installed.read_text("direct_url.json") or ""):
        pytest.skip("orbis-search is run from its source tree, not installed")
    tops = {file.parts[0] for file in installed.files if file.parts[0] != ".."}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"orbis_search"}
    scripts = installed.entry_points.select(group="console_scripts")
    assert {entry.name: entry.value for entry in scripts} == {"orbis": "orbis_search.cli.main:main"}
