"""The compiled core; everything else about the package is in pyproject.toml.

ORBIS_PORTABLE=1  builds for any CPU of this kind instead of the one at hand
ORBIS_CHECKED=1   builds slowly and carefully: bounds checks, state invariants after each move
ORBIS_SANITIZE=1  adds the address and undefined-behaviour sanitizers (preload their runtime to import it)
ORBIS_TSAN=1      adds the thread sanitizer, which reports what two threads touch without order (preload its runtime)
ORBIS_PROFILE=1   keeps Cython's line numbers and builds for a fixed CPU without AVX-512, which callgrind cannot follow
"""

import os
import platform
import sys
from enum import Enum
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

ROOT = "src_ext/"
CORE = "orbis_search/_core"


def wanted(variable):
    return os.environ.get(variable, "") not in ("", "0")


portable, checked = wanted("ORBIS_PORTABLE"), wanted("ORBIS_CHECKED")
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
            ("portable", portable),
            ("checked", checked),
            ("sanitize", sanitize),
            ("tsan", races),
            ("profile", profile),
        )
        if on
    ]
)

if sys.platform == "win32":
    compile_args, link_args = ["/O2"], []
else:
    compile_args = ["-O1", "-g"] if checked or sanitize or races else ["-O3"]
    # Without contraction a sum of products is the same number on every CPU, and so is the search.
    compile_args += ["-fno-strict-aliasing", "-ffp-contract=off", "-fno-math-errno", "-Wno-unused-function"]
    # Python's own flags give signed numbers that overflow a meaning, and every index a price. Ours do not overflow,
    # which the sanitized build checks, for it has this too.
    compile_args.append("-fno-wrapv")
    link_args = []
    # Instructions are counted for one and the same CPU wherever there is such a thing.
    fixed = profile and platform.machine() == "x86_64"
    if not portable:
        compile_args.append("-march=x86-64-v3" if fixed else "-march=native")
        if platform.machine() == "x86_64":
            # All instructions of the CPU at hand, but not the compiler's picture of what they cost there: see
            # docs/performance.md.
            compile_args.append("-mtune=generic")
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

rooms = sorted(str(found.parent).replace(os.sep, ".") for found in Path("orbis_search").glob("*/__init__.py"))
packages = [CORE] + [f"{CORE}/{name}" for name in ("common", "orbis", "search", "toy")]
extensions = [
    Extension(
        str(source.relative_to(ROOT).with_suffix("")).replace(os.sep, "."),
        [str(source)],
        depends=["setup.py"],  # other flags, other objects
        define_macros=macros,
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )
    for source in sorted(Path(ROOT).rglob("*.pyx"))
]


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


setup(
    cmdclass={"build_py": BuildWithMade},
    packages=["orbis_search", *rooms, "orbis_search.cli", "orbis_search.cli.commands"]
    + [p.replace("/", ".") for p in packages],
    package_dir={
        "orbis_search": "orbis_search",
        "orbis_search.cli": "cli",
        "orbis_search.cli.commands": "cli/commands",
        **{p.replace("/", "."): ROOT + p for p in packages},
    },
    package_data={"orbis_search": ["data/*/*", "py.typed"], "": ["*.pyi"]},
    include_package_data=False,
    options={"build": {"build_base": f"build/{kind}"}},
    ext_modules=cythonize(
        extensions,
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
    ),
)
