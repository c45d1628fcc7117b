"""Fits a network to samples, with JAX: pip install 'orbis-search[train]'.

What it learns, for each player: the share of the victory, which is part what came of good play and part what the search
said; where the points come from; and what ending level is worth. What came of good play is the result or, if somebody
played another move than the best before that, what the search said then. Searches are not sure enough of themselves,
and not fair to every seat; so what they say is first put right by what came of it. After each epoch everything is put
down, and a fit that was ended goes on from there, as if nothing had happened.
"""

from __future__ import annotations

import itertools
import os
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from ..base.errors import InputError
from ..base.held_files import write_whole
from ..base.language import _
from ..core.searches import Network
from ..search.networks import layer_sizes
from .rounding import CEILING, from_network, to_network
from .selfplay import FACTS, POINTS, SAMPLES

OUTPUTS = 16  # a player
LEAST_BATCH, MOST_BATCH = 32, 1024
LEAST_STEPS = 50  # of an epoch, so that few samples make smaller batches
RATE, LEAST_RATE = 2e-3, 1e-5  # of learning
WARM_UP, WARM_UP_PART = 500, 0.1  # steps before it is reached, but no more than this part of all
DECAY = 1e-6
AT_A_TIME = 1 << 16  # samples
LEAST_SPREAD = 4.0  # an input that hardly ever changes is not blown up
LATE_ROUNDS = 2  # in which two players' searches see to the end of the game ...
LATE_TRUST = 0.8  # ... and are believed rather than the one result
STAGE_ROUNDS = 3  # of a game that are looked at together where searches are put right
LEAST_SHARE = 1e-3
PRIOR = 20.0  # samples that speak for a search as it is
NEWTON_STEPS = 8
ONE_ORDER = "--xla_cpu_multi_thread_eigen=false"
SOURCES_PART, POINTS_PART, LEVEL_PART = 0.02, 0.002, 0.1  # of the loss


@dataclass(frozen=True, slots=True)
class FitJob:
    players: int
    samples: tuple[str, ...]  # files to learn from ...
    held_out: tuple[str, ...]  # ... and to measure by
    epochs: int
    trust: float  # in what the search said; the rest is for the result
    seed: int
    checkpoint: str  # a file
    start: Network | None = None  # to go on from


@dataclass(frozen=True, slots=True)
class Epoch:
    """How far a fit has come."""

    number: int
    losses: tuple[float, ...]  # log-loss of the results of held-out games, after each epoch so far
    search_loss: float  # the same of what the search said of them
    points_error: float  # root of the mean square
    network: Network


def expect_jax() -> None:
    """InputError if something to fit with is missing. JAX is told to add up in one order, so that the number of cores
    makes no difference to a network."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    flags = os.environ.get("XLA_FLAGS", "")
    if ONE_ORDER not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} {ONE_ORDER}".strip()
    for name in ("numpy", "jax"):
        if find_spec(name) is None:
            message = _("expected numpy and JAX (pip install 'orbis-search[train]'), found no {name}", name=name)
            raise InputError.one("train", message)


def fit(job: FitJob) -> Iterator[Epoch]:
    """Every epoch that is still to do; if there is none, the last one."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    data = _Data(job.samples, job.players)
    held_out = _Data(job.held_out, job.players)
    target = data.targets(job.trust)
    middle, spread = _middle_and_spread(data.inputs)

    def outputs(parameters: Any, inputs: Any) -> Any:
        hidden = (inputs - middle) / spread
        for layer in range(2):
            hidden = jnp.clip(hidden @ parameters[f"w{layer}"] + parameters[f"b{layer}"], 0, CEILING)
        found = hidden @ parameters["w2"] + parameters["b2"]
        return found.reshape(-1, job.players, OUTPUTS)

    def loss(parameters: Any, inputs: Any, shares: Any, facts: Any) -> Any:
        found = outputs(parameters, inputs)
        victory = -(shares * jax.nn.log_softmax(found[:, :, 0], -1)).sum(-1).mean()
        sources = ((found[:, :, 1 : POINTS + 2] - facts[:, :, : POINTS + 1]) ** 2).mean()
        points = ((found[:, :, 1 : POINTS + 1].sum(-1) - facts[:, :, :POINTS].sum(-1)) ** 2).mean()
        level = ((found[:, :, POINTS + 2 :] - facts[:, :, POINTS + 1 :]) ** 2).mean()
        weights = sum((parameters[f"w{layer}"] ** 2).sum() for layer in range(3))
        return victory + SOURCES_PART * sources + POINTS_PART * points + LEVEL_PART * level + DECAY * weights

    def step(state: Any, rate: Any, inputs: Any, shares: Any, facts: Any) -> Any:
        """Of Adam."""
        parameters, first, second, count = state
        slope = jax.grad(loss)(parameters, inputs, shares, facts)
        count = count + 1
        first = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, first, slope)
        second = jax.tree.map(lambda a, b: 0.999 * a + 0.001 * b * b, second, slope)
        parameters = jax.tree.map(
            lambda p, a, b: p - rate * (a / (1 - 0.9**count)) / (jnp.sqrt(b / (1 - 0.999**count)) + 1e-8),
            parameters,
            first,
            second,
        )
        return parameters, first, second, count

    def rounded(parameters: Any) -> Network:
        weights = [np.asarray(parameters[f"w{layer}"], np.float64) for layer in range(3)]
        biases = [np.asarray(parameters[f"b{layer}"], np.float64) for layer in range(3)]
        biases[0] = biases[0] - (middle / spread) @ weights[0]
        weights[0] = weights[0] / spread[:, None]
        return to_network(weights, biases)

    def measured(losses: tuple[float, ...], parameters: Any) -> Epoch:
        """`losses` of the epochs before."""
        found = np.asarray(look(parameters, held_out.inputs.astype(np.float32)))
        points = found[:, :, 1 : POINTS + 1].sum(-1) - held_out.facts[:, :, :POINTS].sum(-1)
        said = np.asarray(jax.nn.log_softmax(found[:, :, 0], -1))
        searched = np.log(np.clip(held_out.values, LEAST_SHARE, 1))
        return Epoch(
            len(losses) + 1,
            (*losses, held_out.log_loss(said)),
            held_out.log_loss(searched),
            float(np.sqrt((points**2).mean())),
            rounded(parameters),
        )

    look, learn = jax.jit(outputs), jax.jit(step)
    parameters = _begin(job, middle, spread)
    nothing = jax.tree.map(jnp.zeros_like, parameters)
    state = (parameters, nothing, nothing, jnp.zeros(()))
    losses, state = _taken_up(job.checkpoint, state)
    size = max(LEAST_BATCH, min(MOST_BATCH, len(data.inputs) // LEAST_STEPS))
    batches = max(1, len(data.inputs) // size)
    steps = batches * job.epochs
    warm_up = max(1.0, min(WARM_UP, WARM_UP_PART * steps))
    if len(losses) == job.epochs:
        yield measured(losses[:-1], state[0])
    for number in range(len(losses), job.epochs):
        order = np.random.default_rng([abs(job.seed), job.players, number]).permutation(len(data.inputs))
        for batch in range(batches):
            part = order[batch * size : (batch + 1) * size]
            at = number * batches + batch
            rate = LEAST_RATE + RATE * min(1.0, at / warm_up) * 0.5 * (1 + np.cos(np.pi * at / steps))
            state = learn(state, rate, data.inputs[part].astype(np.float32), target[part], data.facts[part])
        epoch = measured(losses, state[0])
        losses = epoch.losses
        _put_down(job.checkpoint, losses, state)
        yield epoch


def _middle_and_spread(inputs: Any) -> tuple[Any, Any]:
    """Of each input, a part of the samples at a time: they are whole numbers, and there are many."""
    import numpy as np

    first = np.zeros(inputs.shape[1], np.int64)
    second = np.zeros(inputs.shape[1], np.int64)
    for at in range(0, len(inputs), AT_A_TIME):
        some = inputs[at : at + AT_A_TIME].astype(np.int64)
        first += some.sum(0)
        second += (some * some).sum(0)
    middle = first / len(inputs)
    spread = np.sqrt(np.maximum(second / len(inputs) - middle**2, LEAST_SPREAD**2))
    return middle.astype(np.float32), spread.astype(np.float32)


class _Data:
    """Samples of several files, read into one."""

    def __init__(self, files: Sequence[str], players: int) -> None:
        import numpy as np

        found = [_read_samples(file) for file in files]
        self.players = players
        self.inputs = np.concatenate([each["inputs"] for each in found])
        self.values = np.concatenate([each["values"] for each in found])
        self.results = np.concatenate([each["results"] for each in found])
        self.well_played = np.concatenate([each["well_played"] for each in found]).astype(np.int64)
        self.facts = np.concatenate([each["facts"] for each in found]).reshape(-1, players, FACTS)
        self.turns_left = np.concatenate([each["turns_left"] for each in found])

    def log_loss(self, logs: Any) -> float:
        """Of the results of games that were played well to the end."""
        known = self.to_the_end
        return float(-(self.results[known] * logs[known]).sum(-1).mean())

    def targets(self, trust: float) -> Any:
        import numpy as np

        said = self.put_right()
        until = np.arange(len(said)) + self.well_played * ~self.to_the_end
        turned = (
            np.arange(self.players) - self.well_played[:, None]
        ) % self.players  # that mover's order in this one's
        outcomes = np.where(self.to_the_end[:, None], self.results, np.take_along_axis(said[until], turned, 1))
        trusted = np.full((len(said), 1), trust, np.float32)
        if self.players == 2:
            trusted[self.turns_left <= LATE_ROUNDS * self.players] = LATE_TRUST
        return ((1 - trusted) * outcomes + trusted * said).astype(np.float32)

    @property
    def to_the_end(self) -> Any:
        """Whether only best moves followed."""
        return self.well_played == self.turns_left

    def put_right(self) -> Any:
        """What the search said, sharper or flatter and with a bonus for each seat and each place in the order of turns,
        as fits the results best: one factor and these for every so many rounds left."""
        import numpy as np

        stages = (self.turns_left.astype(np.int64) - 1) // (STAGE_ROUNDS * self.players)
        movers = -self.turns_left.astype(np.int64) % self.players
        seats = (movers[:, None] + np.arange(self.players)) % self.players
        said = np.clip(self.values, LEAST_SHARE, 1).astype(np.float64)
        each = np.eye(self.players)
        turns = np.broadcast_to(each, (*said.shape, self.players))
        facts = np.concatenate([np.log(said)[:, :, None], turns, each[seats]], 2)
        for stage in np.unique(stages):
            here = stages == stage
            known = here & self.to_the_end
            weights = _softmax_weights(facts[known], self.results[known])
            said[here] = _softmax(facts[here] @ weights)
        return said


def _softmax(logits: Any) -> Any:
    import numpy as np

    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _softmax_weights(facts: Any, shares: Any) -> Any:
    """Of the facts of each player, the first of which counts 1 at first, so that the log-loss is least: by Newton's
    method. With few samples they stay near the start."""
    import numpy as np

    start = np.eye(facts.shape[2])[0]
    weights = start.copy()
    for _step in range(NEWTON_STEPS):
        said = _softmax(facts @ weights)
        mean = (said[:, :, None] * facts).sum(1)
        slope = ((shares - said)[:, :, None] * facts).sum((0, 1)) - PRIOR * (weights - start)
        curve = np.einsum("np,npi,npj->ij", said, facts, facts) - mean.T @ mean + PRIOR * np.eye(len(start))
        weights += np.linalg.solve(curve, slope)
    return weights


def _read_samples(path: str, names: Sequence[str] = SAMPLES) -> dict[str, Any]:
    """As `play_games` made them."""
    import numpy as np

    try:
        with np.load(path) as kept:
            return {name: kept[name] for name in names}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError.one(path, _("expected samples of games, found {error}", error=error)) from None


def count_samples(files: Sequence[str]) -> int:
    return sum(len(_read_samples(file, ["turns_left"])["turns_left"]) for file in files)


def _begin(job: FitJob, middle: Any, spread: Any) -> dict[str, Any]:
    import jax.numpy as jnp
    import numpy as np

    if job.start is not None:
        weights, biases = from_network(job.start)
        weights[0] = weights[0] * spread[:, None]
        biases[0] = biases[0] + (middle / spread) @ weights[0]
    else:
        luck = np.random.default_rng([abs(job.seed), job.players])
        sizes = layer_sizes(job.players)
        weights = [luck.normal(size=each) / np.sqrt(each[0]) for each in itertools.pairwise(sizes)]
        weights[-1] *= 0.3
        biases = [np.full(size, 0.1) for size in sizes[1:]]
    named = [(f"w{layer}", weight) for layer, weight in enumerate(weights)]
    named += [(f"b{layer}", bias) for layer, bias in enumerate(biases)]
    return {name: jnp.asarray(value, jnp.float32) for name, value in named}


def _put_down(path: str, losses: tuple[float, ...], state: Any) -> None:
    import jax
    import numpy as np

    out = BytesIO()
    leaves: dict[str, Any] = {f"leaf{i}": np.asarray(leaf) for i, leaf in enumerate(jax.tree.leaves(state))}
    np.savez(out, losses=losses, **leaves)
    write_whole(path, out.getvalue())


def _taken_up(path: str, state: Any) -> tuple[tuple[float, ...], Any]:
    """The losses after the epochs done before, and the state."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    if not os.path.exists(path):
        return (), state
    try:
        with np.load(path) as kept:
            leaves = [jnp.asarray(kept[f"leaf{i}"]) for i in range(len(jax.tree.leaves(state)))]
            losses = tuple(map(float, kept["losses"]))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError.one(path, _("expected a fit that was begun, found {error}", error=error)) from None
    return losses, jax.tree.unflatten(jax.tree.structure(state), leaves)
