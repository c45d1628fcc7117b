"""The positions that come with the package."""

from __future__ import annotations

from importlib.resources import files


def example_names() -> list[str]:
    folder = files(__package__) / "data" / "positions"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def example_text(name: str = "middle") -> str:
    """A built-in position file; `middle` is the one shown when no position is given."""
    return (files(__package__) / "data" / "positions" / f"{name}.toml").read_text("utf-8")
