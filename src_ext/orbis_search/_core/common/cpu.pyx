"""The CPU at hand. Compiled for any of its kind, as it is asked before the rest of the core is loaded."""

cdef extern from "common/cpu.h":
    int orbis_cpu_level() noexcept


def cpu_level():
    """`v1` to `v4`, a level of x86-64; `v1` on every other kind of CPU."""
    return f"v{orbis_cpu_level()}"
