"""The plan of the house: rooms, lowest first. A room knows only rooms below it, and no two modules import each other.

Python files are read where the package is installed, the core's Cython sources in the source tree. docs/architecture.md
shows the plan as this list draws it.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path

import pytest

import orbis_search

PACKAGE = Path(orbis_search.__file__).parent
ROOT = Path(__file__).parents[1]
CORE_SOURCES = ROOT / "src_ext" / "orbis_search" / "_core"

# Lowest first: the whole architecture.
ROOMS = (
    "base",
    "matches",
    "game",
    "tileset",
    "notation",
    "check",
    "_core",
    "core",
    "drawing",
    "moves",
    "search",
    "orion",
    "orion.game",
    "orion.cards",
    "orion.notation",
    "orion.check",
    "orion.drawing",
    "orion.moves",
    "orion.core",
    "orion.search",
    "orion.advice",
    "orion.record",
    "orion.players",
    "orion.measure",
    "solver",
    "advice",
    "record",
    "entry",
    "players",
    "review",
    "openspiel",
    "engine",
    "web",
    "measure",
    "training",
    "cli",
    "cli.commands",
)
DOORS = ("core", "orion.core")  # the only rooms that import the compiled core, one for each game
GAMES = ("orbis", "orion", "toy")  # folders of the core that have rules
# What names no game and serves all: these modules know only each other and the rooms below.
SHARED = {"search.settings", "search.trees"}
COMMON = {"base", "matches"}  # rooms that know no game
BELOW_SHARED = {"base", "core.searches"}
SECOND = "orion"  # the second game, whose rooms know of the first no more than what serves all
LONGEST = 700  # lines of a Python module
LONGEST_CORE = 900  # lines of a Cython source
LONGEST_C = 10  # lines of C inside one
# Why a file is longer.
LONGER: dict[str, str] = {}


def room_of(module: str) -> str:
    """`cli.commands.advise` is in cli.commands, `cli.main` in cli, `advice.json` in advice."""
    return max((room for room in ROOMS if f"{module}.".startswith(f"{room}.")), key=len)


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


NAMES = {name for name, _ in modules()}


def imports(name: str, path: Path) -> tuple[set[str], set[str]]:
    """What a module imports anywhere in it: modules of this package, and other top-level packages."""
    inside, outside = set(), set()
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            targets = [[*node.module.split("."), alias.name] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            up = package[: len(package) - node.level + 1]
            base = ["orbis_search", *up, *(node.module.split(".") if node.module else [])]
            targets = [[*base, alias.name] for alias in node.names]
        else:
            continue
        for target in targets:
            if target[0] != "orbis_search":
                outside.add(target[0])
            else:
                inside.add(module_of(target[1:]))
    return inside - {"", name}, outside


def module_of(target: list[str]) -> str:
    """The module that `from a.b import c` reads: a.b.c if that is one, else a.b. The compiled ones count as `_core`."""
    if target[:1] == ["_core"]:
        return "_core"
    whole = ".".join(target)
    return whole if whole in NAMES else ".".join(target[:-1])


def test_every_module_has_a_room():
    assert {room_of(name) for name in NAMES} == set(ROOMS)
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} <= set(ROOMS)


def test_every_kind_of_import_is_seen(tmp_path):
    source = tmp_path / "moves.py"
    source.write_text(
        "import click.core\nfrom os import path\nfrom .. import core\nfrom . import common\n"
        "def late():\n    from ..game.tiles import Tile\n    from orbis_search._core import game\n"
    )
    assert imports("notation.moves", source) == ({"core", "notation.common", "game.tiles", "_core"}, {"click", "os"})


@pytest.mark.parametrize("name, path", modules(), ids=[name for name, _ in modules()])
def test_imports_point_down(name, path):
    room = ROOMS.index(room_of(name))
    for target in imports(name, path)[0]:
        assert ROOMS.index(room_of(target)) <= room, f"{name} imports {target}, which is above it"


def test_nothing_imports_itself_by_way_of_others():
    """Neither when it is loaded nor later, when a function runs."""
    below = {name: imports(name, path)[0] for name, path in modules()}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join((*way[way.index(name) :], name))
        if name not in done:
            for target in below.get(name, ()):
                visit(target, (*way, name))
            done.add(name)

    for name in below:
        visit(name, ())


def test_the_compiled_core_has_one_door():
    for name, path in modules():
        if "_core" in imports(name, path)[0] and room_of(name) != "_core":
            assert room_of(name) in DOORS, name


def test_what_serves_all_games_knows_none():
    for name, path in modules():
        if name in SHARED:
            for target in imports(name, path)[0] - SHARED:
                assert target in BELOW_SHARED or room_of(target) in BELOW_SHARED, f"{name} imports {target}"
    assert SHARED <= NAMES


def test_neither_game_knows_the_other():
    for name, path in modules():
        ours = name.startswith(f"{SECOND}.")
        for target in imports(name, path)[0]:
            if ours:
                known = target in SHARED or room_of(target) in COMMON or target.startswith(SECOND)
                known |= target == "_core" and room_of(name) in DOORS
                assert known, f"{name} imports {target}"
            elif room_of(name) in COMMON:
                assert room_of(target) in COMMON, f"{name} imports {target}"
            elif target.startswith(SECOND):
                assert name.startswith("cli"), f"{name} imports {target}"


@pytest.mark.parametrize("game", ["", "orion."])
def test_the_rules_stand_on_plain_data_alone(game):
    path = PACKAGE.joinpath(*f"{game}game".split("."), "rules.py")
    inside, _ = imports(f"{game}game.rules", path)
    assert {room_of(target) for target in inside} == {"base", f"{game}game"}


def test_only_commands_know_the_command_line():
    third_party = {"click", "tqdm", "numpy", "prompt_toolkit"}
    # What is imported late, when a picture or a game of OpenSpiel is asked for.
    extras = {
        "drawing.scene": {"PIL"},
        "web.server": {"starlette", "uvicorn", "segno"},
        "measure.growth_plot": {"matplotlib"},
        "openspiel": {"pyspiel", "open_spiel", "numpy"},
        "measure.peers": {"pyspiel"},
        "training.fitting": {"numpy", "jax"},
        "training.plot": {"matplotlib"},
        "base.ray_driver": {"ray"},
        **{key: {"numpy"} for key in ("training.rounding", "training.run", "training.selfplay")},
    }
    for name, path in modules():
        outside = imports(name, path)[1] - extras.get(name, set())
        if not name.startswith("cli"):
            assert not outside & third_party, name
        assert outside <= {*sys.stdlib_module_names, *third_party}, name


# What each room answers: all are data, with a JSON and a text made of it.
ANSWERS = {
    "tileset": {"tile_set_check"},
    "check": {"check"},
    "moves": {"moves"},
    "orion.cards": {"card_set_check"},
    "orion.check": {"check"},
    "orion.moves": {"moves"},
    "orion.advice": {"advice"},
    "orion.record": {"record"},
    "orion.players": {"result", "levels", "play"},
    "solver": {"solution"},
    "advice": {"advice"},
    "record": {"record", "record_check", "files"},
    "entry": {"edit", "track"},
    "players": {"result", "levels", "play"},
    "review": {"review", "standings"},
    "training": {"outcome"},
    "measure": {"run", "comparison", "figures", "endgame", "peers", "regret", "perft", "verification"},
}


@pytest.mark.parametrize("room, answers", ANSWERS.items(), ids=list(ANSWERS))
def test_every_answer_has_its_json_and_its_text_under_the_same_names(room, answers):
    for answer in answers:
        for module, function in (("json", f"{answer}_to_json"), ("text", f"{answer}_text")):
            assert callable(getattr(import_module(f"orbis_search.{room}.{module}"), function))


def test_files_are_short_enough_to_read():
    for name, path in modules():
        assert name in LONGER or lines(path) <= LONGEST, name
    for path in core_files():
        name = str(path.relative_to(CORE_SOURCES))
        assert name in LONGER or lines(path) <= LONGEST_CORE, name


def test_c_has_headers_of_its_own():
    """But for a table or a macro."""
    seen = 0
    for path in core_files():
        for match in C_INSIDE.finditer(path.read_text(encoding="utf-8")):
            seen += 1
            assert match["c"].count("\n") <= LONGEST_C, path.name
    assert seen


C_INSIDE = re.compile(r'^cdef extern from \*:\n +"""\n(?P<c>.*?)"""', re.MULTILINE | re.DOTALL)


def lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


# ------------------------------------------------------------------------------ the picture


def plan() -> str:
    """The rooms, highest first, each with what its `__init__` says it is for."""
    width = max(map(len, ROOMS))
    drawn = []
    for room in reversed(ROOMS):
        if room != "_core":
            drawn.append(f"{room:<{width}}  {purpose(room)}")
        else:
            drawn.append(f"{room:<{width}}  The compiled core: states, moves, playouts, searches.")
    return "\n".join(drawn)


def purpose(room: str) -> str:
    path = PACKAGE / Path(*room.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))).split("\n")[0]


def test_the_plan_is_drawn_from_the_list():
    page = ROOT / "docs" / "architecture.md"
    if not page.is_file():
        pytest.skip("the documents are only in the source tree")
    assert f"```text\n{plan()}\n```" in page.read_text(encoding="utf-8")


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
    "network": {"common"},
    "search": {"common", "game"},
    **{game: {"common", "game", "network"} for game in GAMES},
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
        "import orbis_search.notation.move_text, orbis_search.game.problems, orbis_search.game.rules",
        "import orbis_search.drawing.picture",
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
    assert "orbis_search.game.problems" in loaded
    assert [module for module in (*DEAR, *HEAVY) if module in loaded] == []
    assert not loaded & {
        "orbis_search.tileset.syntax",
        "orbis_search.tileset.descriptions",
        "orbis_search.tileset.files",
    }


def test_what_the_build_made_of_the_data_is_what_the_files_say():
    import tomllib

    from orbis_search.notation.examples import example_names, example_text
    from orbis_search.tileset.built_in import POSITIONS, TILE_SETS
    from orbis_search.tileset.library import built_in_tile_sets, read_built_in

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
