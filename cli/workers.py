"""Who does the jobs of a command: processes of this machine, or a cluster."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ..base.language import _

if TYPE_CHECKING:
    from ..base.jobs import Workers


@contextmanager
def working(cluster: str | None, processes: int) -> Iterator[Workers | int]:
    """The cluster that --cluster names, until the end of the block; this many processes if it is None."""
    if cluster is None:
        yield processes
        return
    typed = click.core.ParameterSource.COMMANDLINE
    if click.get_current_context().get_parameter_source("threads") is typed:
        raise click.UsageError(_("--threads cannot be combined with --cluster, which uses every core."))

    from ..base.cluster import Cluster
    from ..measure.fixed_work import build_name

    with Cluster(cluster, build_name, _tell) as found:
        yield found


def _tell(text: str) -> None:
    from tqdm import tqdm

    tqdm.write("orbis: " + text, file=sys.stderr)
