"""The core as it is loaded: the level for this CPU, all of it from one folder, and what is said where there is none."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import orbis_search
from orbis_search import _core
from orbis_search._core.common.cpu import cpu_level
from orbis_search.base.errors import CoreError, OrbisError
from program import environment, installed

ROOT = Path(__file__).parent.parent
FOLDER = Path(_core.__file__).parent
COMPILED = _core.compiled_levels(str(FOLDER))
FITTING = [level for level in COMPILED if level <= cpu_level()]
MODULES = sorted(
    ".".join(path.relative_to(FOLDER / _core.LEVEL).with_suffix("").with_suffix("").parts)
    for path in (FOLDER / _core.LEVEL).rglob("*.so")
)


# ------------------------------------------------------------------------------ which level


# What /proc/cpuinfo calls that which a level asks for beside the level below it.
FLAGS = {
    "v2": "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3",
    "v3": "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave",
    "v4": "avx512f avx512bw avx512cd avx512dq avx512vl",
}


def test_the_cpu_is_what_the_system_says_it_is():
    flags = set()
    if platform.machine() == "x86_64":
        found = re.search(r"(?m)^flags\s*: (.*)$", Path("/proc/cpuinfo").read_text("utf-8"))
        if found is None:
            pytest.skip("this system does not say what its CPU has")
        flags = set(found[1].split())
    expected = "v1"
    for level, needed in FLAGS.items():
        if not set(needed.split()) <= flags:
            break
        expected = level
    assert cpu_level() == expected


@pytest.mark.parametrize(
    "compiled, cpu, wanted, level",
    [
        (["v1"], "v1", "", "v1"),
        (["v1", "v3"], "v2", "", "v1"),  # none of its own
        (["v1", "v3"], "v3", "", "v3"),
        (["v1", "v3"], "v4", "", "v3"),
        (["v1", "v2", "v3", "v4"], "v4", "", "v4"),
        (["v1", "v3"], "v4", "v1", "v1"),
    ],
)
def test_the_highest_level_of_the_cpu_is_taken(compiled, cpu, wanted, level):
    assert _core.choose(compiled, cpu, wanted) == level


@pytest.mark.parametrize(
    "compiled, cpu, wanted, message",
    [
        (["v3"], "v2", "", "built for x86-64-v3 processors, but this one is x86-64-v2"),
        (["v3", "v4"], "v1", "v4", "built for x86-64-v3 processors, but this one is x86-64-v1"),
        (["v1", "v3", "v4"], "v3", "v4", 'ORBIS_CPU_LEVEL: expected one of v1, v3, found "v4"'),
        (["v3"], "v3", "v1", 'ORBIS_CPU_LEVEL: expected one of v3, found "v1"'),
        (["v3"], "v3", "fast", 'ORBIS_CPU_LEVEL: expected one of v3, found "fast"'),
    ],
)
def test_a_level_that_would_not_run_is_refused(compiled, cpu, wanted, message):
    with pytest.raises(CoreError, match=re.escape(message)):
        _core.choose(compiled, cpu, wanted)


def test_all_compiled_modules_come_from_one_level():
    assert {"game", "orbis.core", "search.endgame", "search.ismcts"} <= set(MODULES)
    for name in MODULES:
        module = import_module(f"orbis_search._core.{name}")
        assert Path(module.__file__).is_relative_to(FOLDER / _core.LEVEL)
        assert module.__name__ == f"orbis_search._core.{name}"
    strays = [path for path in FOLDER.rglob("*.so") if path.relative_to(FOLDER).parts[0] not in COMPILED]
    assert [path.name.partition(".")[0] for path in strays] == ["cpu"]


def in_python(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"import sys\nsys.path[:] = {sys.path!r}\n{program}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment(**variables))


@pytest.mark.parametrize("level", FITTING)
def test_a_level_can_be_asked_for(level):
    """A build for several levels has several here; tests/builds.sh holds the signature of each against the stored one."""
    program = "from orbis_search.core import LEVEL; from orbis_search import count_moves; print(LEVEL)"
    assert in_python(program, ORBIS_CPU_LEVEL=level).stdout.split() == [level]


@pytest.mark.parametrize("command", ["moves", "arena random greedy --games 2 --threads 2"])
def test_the_program_says_what_is_wrong_with_the_level(command):
    done = installed(*command.split(), env={"ORBIS_CPU_LEVEL": "v9"})
    assert (done.code, done.out) == (2, "")
    assert done.err == f'orbis: ORBIS_CPU_LEVEL: expected one of {", ".join(FITTING)}, found "v9"\n'


def test_what_needs_no_core_loads_none():
    assert installed("check", env={"ORBIS_CPU_LEVEL": "v9"}).code == 0


@pytest.mark.skipif("v1" in COMPILED, reason="this build runs on any CPU")
def test_a_core_for_better_cpus_is_refused_before_it_is_run():
    """As on a CPU of the lowest level, which this one plays."""
    program = (
        "from types import ModuleType\n"
        "cpu = sys.modules['orbis_search._core.common.cpu'] = ModuleType('cpu')\n"
        "cpu.cpu_level = lambda: 'v1'\n"
        "from orbis_search.cli.main import main\n"
        "code = main(['advise'])\n"
        "print(code, [name for name in sys.modules if name.startswith('orbis_search._core.orbis')])\n"
    )
    done = in_python(program)
    assert done.stdout == "2 []\n"
    assert done.stderr.startswith(f"orbis: orbis-search was built for x86-64-{COMPILED[0]} processors")
    assert done.stderr.count("\n") == 1


# ------------------------------------------------------------------------------ none there


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source tree as it is before anything is compiled."""
    if not (ROOT / "src_ext").is_dir():
        pytest.skip("the sources are only in the source tree")
    folder = tmp_path_factory.mktemp("clone")
    ignore = shutil.ignore_patterns("*.so", "__pycache__", "built_in.py")
    for name in ("orbis_search", "src_ext", "cli"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignore)
    return folder


def in_clone(clone: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Python started in the clone finds the package there, whatever is installed."""
    variables = {name: value for name, value in environment().items() if name != "PYTHONSAFEPATH"}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=clone, env=variables)


def test_a_clone_says_what_to_do_for_a_name_that_needs_the_core(clone):
    done = in_clone(clone, "import orbis_search as orbis\nfrom orbis_search import read_position\norbis.advise")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"orbis_search.base.errors.CoreError: {clone}/orbis_search has no compiled core for this Python: run `pip install "
        f"-e .` in {clone}, or start Python in another folder if orbis-search is already installed"
    )
    assert issubclass(CoreError, OrbisError) and issubclass(CoreError, ImportError)


def test_every_public_name_of_a_clone_is_there_or_says_so(clone):
    program = (
        "import orbis_search as orbis\n"
        "for name in orbis.__all__:\n"
        "    try:\n"
        "        getattr(orbis, name)\n"
        "    except ImportError as error:\n"
        "        assert 'run `pip install -e .` in' in str(error), error\n"
        "        print(name)\n"
    )
    done = in_clone(clone, program)
    assert done.returncode == 0, done.stderr
    need_the_core = set(done.stdout.split())
    assert {"advise", "solve", "legal_moves", "apply"} <= need_the_core
    assert need_the_core.isdisjoint(
        {"Position", "read_position", "load_tile_set", "problems", "parse_move", "OrbisError"}
    )
    assert need_the_core < set(orbis_search.__all__)


def test_a_core_for_another_python_is_none(clone):
    """As in an editable installation that another Python looks at."""
    folder = clone / "src_ext" / "orbis_search" / "_core"
    (folder / "v1").mkdir()
    (folder / "v1" / "game.cpython-39-x86_64-linux-gnu.so").touch()
    program = f"import orbis_search\norbis_search.__path__.append({str(folder.parent)!r})\norbis_search.count_moves"
    done = in_clone(clone, program)
    assert done.stderr.splitlines()[-1].startswith(
        f"orbis_search.base.errors.CoreError: {folder} has no compiled core for this Python: run `pip install -e .` in {clone}, "
    )
