"""The compiled core; everything else about the package is in pyproject.toml.

Without any of these it is built for the CPU at hand, at the level that pays there (docs/performance.md, "Any CPU"):

ORBIS_LEVELS      names the levels to build, of which the best is chosen when it is loaded: "v1 v3" for a wheel, or all
ORBIS_NATIVE=1    builds with all instructions of the CPU at hand, also those that no level has: for this machine alone
ORBIS_CHECKED=1   builds slowly and carefully: bounds checks, state invariants after each move
ORBIS_SANITIZE=1  adds the address and undefined-behaviour sanitizers (preload their runtime to import it)
ORBIS_TSAN=1      adds the thread sanitizer, which reports what two threads touch without order (preload its runtime)
ORBIS_PROFILE=1   keeps Cython's line numbers and builds for v3, as callgrind cannot follow AVX-512
"""

import os
import shlex
import subprocess
import sys
import sysconfig
from copy import copy
from enum import Enum
from pathlib import Path
from tempfile import TemporaryDirectory

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = "src_ext/"
CORE = "orbis_search/_core"


def wanted(variable):
    return os.environ.get(variable, "") not in ("", "0")


native, checked = wanted("ORBIS_NATIVE"), wanted("ORBIS_CHECKED")
sanitize, profile = wanted("ORBIS_SANITIZE"), wanted("ORBIS_PROFILE")
races = wanted("ORBIS_TSAN")
if sanitize and races:
    sys.exit("expected ORBIS_SANITIZE or ORBIS_TSAN, found both: no program can have the two runtimes at once")
# Each kind of build keeps its own objects, so that changing the kind never mixes them.
kind = "-".join(
    ["build"]
    + [
        name
        for name, on in (
            ("native", native),
            ("checked", checked),
            ("sanitize", sanitize),
            ("tsan", races),
            ("profile", profile),
        )
        if on
    ]
)

# ---- levels of CPU

# Those of x86-64 as its ABI has them, each with the instructions of the one below; common/cpu.h tells which a CPU has.
# They are spelled out, for compilers that do not know the levels by name yet. v2 and v4 can be had, but are no faster
# than the level below.
LEVELS = {"v1": []}
if sysconfig.get_platform().endswith("x86_64"):
    LEVELS["v1"] = ["-march=x86-64"]
    LEVELS["v2"] = [*LEVELS["v1"], "-mcx16", "-msahf", "-mpopcnt", "-msse4.2"]
    LEVELS["v3"] = [*LEVELS["v2"], "-mavx2", "-mbmi", "-mbmi2", "-mf16c", "-mfma", "-mlzcnt", "-mmovbe", "-mxsave"]
    LEVELS["v4"] = [*LEVELS["v3"], "-mavx512f", "-mavx512bw", "-mavx512cd", "-mavx512dq", "-mavx512vl"]
PAYING = [level for level in LEVELS if level in ("v1", "v3")]


def level_at_hand():
    """That of this CPU, as it says itself; the lowest where it cannot be asked."""
    if len(LEVELS) == 1:
        return "v1"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    with TemporaryDirectory() as folder:
        source, program = Path(folder, "level.c"), Path(folder, "level")
        source.write_text('#include "common/cpu.h"\nint main(void) { return orbis_cpu_level(); }\n', encoding="utf-8")
        try:
            command = [*compiler, "-I", ROOT + CORE, str(source), "-o", str(program)]
            subprocess.run(command, check=True, capture_output=True)
            return f"v{subprocess.run([program]).returncode}"
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"warning: this CPU cannot be asked for its level ({error}): building for any", file=sys.stderr)
            return "v1"


def chosen_levels():
    named = os.environ.get("ORBIS_LEVELS", "").replace(",", " ").split()
    if named and native:
        sys.exit("expected ORBIS_LEVELS or ORBIS_NATIVE, found both")
    if named == ["all"]:
        return list(LEVELS)
    if strange := [name for name in named if name not in LEVELS]:
        sys.exit(f"ORBIS_LEVELS: expected all, or some of {' '.join(LEVELS)}, found {' '.join(strange)}")
    if named:
        return sorted(set(named))
    if profile:
        return PAYING[-1:]  # instructions are counted for one and the same CPU wherever there is such a thing
    at_hand = level_at_hand()
    return [at_hand if native else max(level for level in PAYING if level <= at_hand)]


levels = chosen_levels()

# ---- extensions

if sys.platform == "win32":
    compile_args, link_args = ["/O2"], []
else:
    compile_args = ["-O1", "-g"] if checked or sanitize or races else ["-O3", "-g0"]
    # Without contraction a sum of products is the same number on every CPU, and so is the search.
    compile_args += ["-fno-strict-aliasing", "-ffp-contract=off", "-fno-math-errno", "-Wno-unused-function"]
    # Python's own flags give signed numbers that overflow a meaning, and every index a price. Ours do not overflow,
    # which the sanitized build checks, for it has this too.
    compile_args.append("-fno-wrapv")
    link_args = []
    if profile:
        compile_args.append("-g")
    if sanitize:
        flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
        compile_args += flags
        link_args += flags
    if races:
        compile_args += ["-fsanitize=thread", "-fno-omit-frame-pointer"]
        link_args.append("-fsanitize=thread")

macros = [("ORBIS_CHECKED", "1")] if checked else []
if sys.platform != "win32" and not (checked or sanitize or races):
    # What is declared inline is written to be so: a turn is a dozen small functions that share their registers. Left to
    # itself the compiler thinks them too large.
    macros.append(("CYTHON_INLINE", "__inline__ __attribute__((always_inline))"))

rooms = sorted(str(found.parent).replace(os.sep, ".") for found in Path("orbis_search").glob("*/**/__init__.py"))
packages = [found.parent.relative_to(ROOT).as_posix() for found in sorted(Path(ROOT, CORE).rglob("__init__.py"))]
DOTTED = CORE.replace("/", ".")
CPU = f"{DOTTED}.common.cpu"  # asked which level to load, so it has none itself
modules = [
    Extension(
        str(source.relative_to(ROOT).with_suffix("")).replace(os.sep, "."),
        [str(source)],
        include_dirs=[ROOT + CORE],
        # Other flags or headers, other objects.
        depends=["setup.py", *map(str, sorted(Path(ROOT).rglob("*.h")))],
        define_macros=macros,
        extra_link_args=link_args,
    )
    for source in sorted(Path(ROOT).rglob("*.pyx"))
]


def flags_of(level):
    if not native:
        return LEVELS[level]
    # All instructions of the CPU at hand, but not the compiler's picture of what they cost there: see
    # docs/performance.md.
    return ["-march=native", "-mtune=generic"] if len(LEVELS) > 1 else ["-march=native"]


def at_levels(module):
    """What Cython made of a module, for each level in a folder of its own. Python knows it by its name without one."""
    if module.name == CPU:
        module.extra_compile_args = compile_args + LEVELS["v1"]
        yield module
        return
    for level in levels:
        leveled = copy(module)
        leveled.name = module.name.replace(DOTTED, f"{DOTTED}.{level}")
        leveled.extra_compile_args = compile_args + flags_of(level)
        yield leveled


class BuildLevels(build_ext):
    """Compiles as many modules at a time as there are processors, and leaves nothing there of an earlier build."""

    def finalize_options(self):
        super().finalize_options()
        if self.parallel is None:
            self.parallel = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()

    def run(self):
        folders = [self.build_lib]
        if self.inplace or self.editable_mode:
            # Kept, so that only what has changed is compiled the next time.
            self.build_lib = f"build/{kind}/in-place-{sys.implementation.cache_tag}"
            self.build_temp = f"{self.build_lib}-objects"
            folders = [self.build_lib, ROOT]
        super().run()
        built = {os.path.abspath(path) for path in (*self.get_outputs(), *self.get_output_mapping().values())}
        for folder in folders:
            for path in Path(folder).rglob("*" + sysconfig.get_config_var("EXT_SUFFIX")):
                if os.path.abspath(path) not in built:
                    path.unlink()

    def build_extension(self, ext):
        # The levels of a module come from one and the same file: their objects have to be kept apart.
        apart = copy(self)
        apart.build_temp = os.path.join(self.build_temp, *ext.name.split(".")[:-1])
        super(BuildLevels, apart).build_extension(ext)

    def copy_extensions_to_source(self):
        build_py = self.get_finalized_command("build_py")
        for extension in self.extensions:
            Path(self._get_inplace_equivalent(build_py, extension)[0]).parent.mkdir(parents=True, exist_ok=True)
        super().copy_extensions_to_source()


class BuildWithMade(build_py):
    """Adds to the package what is made from its sources: the data as a module, the translations compiled."""

    def run(self):
        super().run()
        # An editable package is read where it stands: it has the catalogs there, and reads its data from the files.
        target = Path() if self.editable_mode else Path(self.build_lib)
        if not self.editable_mode:
            (target / "orbis_search/tileset/built_in.py").write_text(built_in_module(), encoding="utf-8")
        for source in sorted(Path("orbis_search/locale").rglob("*.po")):
            compiled = target / source.with_suffix(".mo")
            compiled.parent.mkdir(parents=True, exist_ok=True)
            with source.open("rb") as file:
                catalog = read_po(file, locale=source.parts[-3])
            with compiled.open("wb") as file:
                write_mo(file, catalog)


def built_in_module():
    """The tile sets and example positions as source code. The TOML files are what to edit, and what tests compare."""
    sys.path.insert(0, str(Path(__file__).parent))
    import tomllib

    from orbis_search.notation.examples import example_names, example_text
    from orbis_search.tileset.library import built_in_tile_sets, read_built_in

    sets = {name: read_built_in(name) for name in built_in_tile_sets()}
    positions = {name: tomllib.loads(example_text(name)) for name in example_names()}
    return f'''"""What the files in data/ say. Made by setup.py; do not edit."""

from __future__ import annotations

from ..game.tiles import Tile, TileSet
from ..game.vocabulary import Colour, Effect, Star, Worshipers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TILE_SETS: dict[str, TileSet] = {source_of(sets)}
POSITIONS: dict[str, dict[str, Any]] = {source_of(positions)}
'''


def source_of(value):
    """An expression that makes the value."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {source_of(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(source_of, value)) + "]"
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, tuple):
        name = type(value).__name__ if hasattr(value, "_fields") else ""
        return f"{name}(" + "".join(f"{source_of(each)}, " for each in value) + ")"
    return repr(value)


made = cythonize(
    modules,
    include_path=[ROOT],
    build_dir=f"build/{kind}/cython",
    emit_linenums=profile,
    compiler_directives={
        "language_level": "3",
        "boundscheck": checked,
        "wraparound": False,
        "initializedcheck": checked,
        "cdivision": True,
        "embedsignature": True,
    },
)
options = {"build": {"build_base": f"build/{kind}"}}
if levels[0] != "v1":
    # A wheel that not every CPU can run says so in its name: orbis_search-0.1.0-1v3-cp311-...
    options["bdist_wheel"] = {"build_number": f"1{levels[0]}"}

setup(
    cmdclass={"build_py": BuildWithMade, "build_ext": BuildLevels},
    packages=["orbis_search", *rooms, "orbis_search.cli", "orbis_search.cli.commands"]
    + [p.replace("/", ".") for p in packages],
    package_dir={
        "orbis_search": "orbis_search",
        "orbis_search.cli": "cli",
        "orbis_search.cli.commands": "cli/commands",
        **{p.replace("/", "."): ROOT + p for p in packages},
    },
    package_data={"orbis_search": ["data/*/*", "web/page/*", "py.typed"], "": ["*.pyi"]},
    include_package_data=False,
    options=options,
    ext_modules=[each for module in made for each in at_levels(module)],
)
