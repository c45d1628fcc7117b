"""A training run, in a folder: generations of games, fits and matches.

    run.json                    what the run is to do; one that is taken up again does the same
    start.network               the networks it goes on from, if any
    1/2p-00003.npz              generation 1: samples of games with two players, the fourth part of them
    1/2p-held-out-00400.npz     ... on tile sets that nothing is fitted to
    1/2p-player.network         the network that plays them, if not playouts
    1/2p.fit                    how far the fit has come
    1/2p-candidate.network      the network it made
    1/2p-ours.jsonl             the match of that network against the best so far, on our tiles; -random on others
    1/2p.json                   what came of it
    best.network                the best of each number of players

Every file is written as a whole or line by line, and what is in one is not done again: a run that was ended at any
moment goes on from there and makes the same networks, with one seed and on one machine. The first generation is played
by playouts, and its network has to beat them; each one after that is played by the best network so far. A fit has the
games of the last WINDOW generations.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from ..base.errors import InputError, reason
from ..base.held_files import open_locked, unwritable, write_whole
from ..base.jobs import Carrying, Workers, all_answered, do_jobs
from ..base.json import NotJson, json_value
from ..base.language import _
from ..base.processes import in_own_process
from ..core.searches import Network
from ..players import arena
from ..search.networks import network_file, networks_to_bytes, read_networks, write_networks
from ..search.settings import LEARNED, PLAYOUT, SearchSettings
from ..tileset.library import load_tile_set, tile_set_file
from .fitting import Epoch, FitJob, count_samples, expect_jax, fit
from .selfplay import GamesJob, play_games

FORMAT, VERSION = "orbis-training", 1
WINDOW = 4  # generations
GAMES_A_JOB = 50
HELD_OUT_PART = 20  # one job in so many is for measuring
HELD_OUT_FILES = "held-out-"
FIRST_TRUST, TRUST = 0.2, 0.5  # in the values of a search by playouts, and by a network
GAMES, FIT, MATCH = "games", "fit", "match"
OURS, RANDOM, OWN = "ours", "random", "own"  # tiles
RUN, START, BEST = "run.json", "start.network", "best.network"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is to do."""

    players: tuple[int, ...] = (2, 3, 4)
    generations: int = 4
    games: int = 20_000  # of each generation and number of players
    sims: int = 300  # a move
    epochs: int = 20
    match_games: int = 200  # on our tiles, and as many on random ones
    match_sims: int = 1_000
    tiles: str | None = None  # a set for all games, and for the match
    start: str | None = None  # a file of networks to go on from
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was done, and how much of its kind there is."""

    generation: int
    players: int
    kind: str  # GAMES, FIT or MATCH
    done: int
    total: int
    epoch: Epoch | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a generation."""

    generation: int
    players: int
    positions: int  # fitted to ...
    played: int  # ... and those of this generation among them
    losses: tuple[float, ...]  # of held-out games, after each epoch
    search_loss: float  # that of the search that played them
    scores: dict[str, float] = field(default_factory=dict)  # against the best so far, by tiles
    kept: bool = False


# The fields of an outcome in its file.
OUTCOME: dict[str, type] = {
    "generation": int,
    "players": int,
    "positions": int,
    "played": int,
    "losses": list,
    "search_loss": float,
    "scores": dict,
    "kept": bool,
}
Progress = Callable[[Step], None]


@contextmanager
def open_run(folder: str, plan: Plan) -> Iterator[None]:
    """Makes the folder, or takes it up again, and holds it; InputError if it cannot be, is for another plan, or another
    program is at it."""
    expect_jax()
    if plan.tiles is not None:
        load_tile_set(plan.tiles)
    if "," in os.path.abspath(folder):  # a player's specification could not name a network there
        raise InputError.one(folder, _("expected a folder without a comma in its name"))
    path = os.path.join(folder, RUN)
    wanted = json.loads(json.dumps({"format": FORMAT, "version": VERSION, **asdict(plan)}))
    if not os.path.exists(path):
        start = None if plan.start is None else read_networks(plan.start)
        _make_folder(folder)
        if start is not None:
            write_networks(os.path.join(folder, START), start.name, start.networks, start.about)
        write_whole(path, json.dumps(wanted, indent=1).encode())
    try:
        descriptor = open_locked(path)
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        _expect_same(path, wanted)
        yield
    finally:
        os.close(descriptor)


def _expect_same(path: str, wanted: dict[str, Any]) -> None:
    known = _read_json(path)
    # More generations may be asked for than at first.
    different = [name for name in wanted if name != "generations" and known.get(name) != wanted[name]]
    if different:
        message = _("expected the same {names} as when the run began", names=", ".join(different))
        raise InputError.one(path, message)


def _read_json(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            told = json_value(file.read())
    except OSError as error:
        raise InputError.one(path, _("expected a training run: {error}", error=reason(error))) from None
    except NotJson as error:
        raise InputError.one(path, _("expected a training run: {error}", error=error)) from None
    return told if isinstance(told, dict) else {}


def _make_folder(path: str) -> None:
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        message = _("expected a folder, found: {reason}", reason=reason(error))
        raise InputError.one(path, message) from None


def train(
    folder: str, plan: Plan, workers: Workers | int = 1, progress: Progress = lambda step: None
) -> Generator[Outcome, None, None]:
    """Every generation's outcome, those of earlier runs too."""
    with open_run(folder, plan):
        best = _Best(folder, plan)
        for generation in range(1, plan.generations + 1):
            for players in plan.players:
                outcome = _read_outcome(folder, generation, players)
                new = outcome is None
                if outcome is None:
                    best.write()  # which a run that was ended may not have come to
                    old = best.networks.get(players)
                    outcome = _Generation(folder, plan, generation, players, old, workers, progress).run()
                best.take(outcome)
                if new:
                    best.write()
                yield outcome
        best.write()


class _Best:
    """The best network of each number of players, so far."""

    def __init__(self, folder: str, plan: Plan) -> None:
        self.folder = folder
        self.plan = plan
        self.generation = 0
        start = os.path.join(folder, START)
        self.networks = {} if plan.start is None else dict(read_networks(start).networks)

    def take(self, outcome: Outcome) -> None:
        """The network that came of it, if it was kept."""
        if not outcome.kept:
            return
        file = _candidate(self.folder, outcome.generation, outcome.players)
        self.networks[outcome.players] = read_networks(file).networks[outcome.players]
        self.generation = outcome.generation

    def write(self) -> None:
        """Unless it is there."""
        if not self.generation:
            return
        name = f"{os.path.basename(os.path.abspath(self.folder))}-{self.generation}"
        networks = dict(sorted(self.networks.items()))
        data = networks_to_bytes(name, networks, {"generation": self.generation, "seed": self.plan.seed})
        path = os.path.join(self.folder, BEST)
        try:
            with open(path, "rb") as file:
                if file.read() == data:
                    return
        except OSError:
            pass  # there is none yet
        write_whole(path, data)


def _candidate(folder: str, generation: int, players: int) -> str:
    return os.path.join(folder, str(generation), f"{players}p-candidate.network")


def _outcome_file(folder: str, generation: int, players: int) -> str:
    return os.path.join(folder, str(generation), f"{players}p.json")


def _read_outcome(folder: str, generation: int, players: int) -> Outcome | None:
    path = _outcome_file(folder, generation, players)
    if not os.path.exists(path):
        return None
    told = _read_json(path)
    wrong = [name for name, kind in OUTCOME.items() if type(told.get(name)) is not kind or told[name] in ([], {})]
    if not wrong and not told["scores"].keys() <= {OURS, RANDOM, OWN}:
        wrong.append("scores")
    if not wrong and all(type(number) is float for number in (*told["losses"], *told["scores"].values())):
        return Outcome(**{name: told[name] for name in OUTCOME} | {"losses": tuple(told["losses"])})
    message = _("expected a training run: {error}", error=", ".join(wrong or ("losses", "scores")))
    raise InputError.one(path, message)


class _Generation:
    """One generation for one number of players."""

    def __init__(
        self,
        folder: str,
        plan: Plan,
        generation: int,
        players: int,
        best: Network | None,
        workers: Workers | int,
        progress: Progress,
    ) -> None:
        self.root = folder
        self.folder = os.path.join(folder, str(generation))
        self.plan = plan
        self.generation = generation
        self.players = players
        self.best = best
        self.workers = workers
        self.progress = progress
        _make_folder(self.folder)
        self.player = os.path.join(self.folder, f"{players}p-player.network")

    def run(self) -> Outcome:
        if self.best is not None and not os.path.exists(self.player):
            write_networks(self.player, "player", {self.players: self.best}, {})
        self._play()
        last = self._fit()
        candidate = _candidate(self.root, self.generation, self.players)
        write_networks(candidate, "candidate", {self.players: last.network}, {})
        scores = {name: self._match(name, tiles) for name, tiles in self._arenas().items()}
        outcome = Outcome(
            self.generation,
            self.players,
            count_samples(self._files(held_out=False)),
            count_samples(self._files(held_out=False, window=1)),
            last.losses,
            last.search_loss,
            scores,
            sum(scores.values()) / len(scores) > 1 / self.players,
        )
        path = _outcome_file(self.root, self.generation, self.players)
        write_whole(path, json.dumps(asdict(outcome), indent=1).encode())
        return outcome

    # ---- games ---------------------------------------------------------------------------------------------

    def _jobs(self) -> dict[GamesJob, str]:
        """Each with the file that its samples go into."""
        plan = self.plan
        count = -(-plan.games // GAMES_A_JOB)
        jobs = {}
        for number in range(count + max(1, count // HELD_OUT_PART)):
            held_out = number >= count
            job = GamesJob(
                plan.seed,
                self.generation,
                self.players,
                number,
                min(GAMES_A_JOB, plan.games - (0 if held_out else number * GAMES_A_JOB)),
                plan.sims,
                None if self.best is None else self.player,
                plan.tiles,
                held_out,
            )
            kind = HELD_OUT_FILES if held_out else ""
            jobs[job] = os.path.join(self.folder, f"{self.players}p-{kind}{number:05d}.npz")
        return jobs

    def _play(self) -> None:
        jobs = self._jobs()
        left = [job for job, path in jobs.items() if not os.path.exists(path)]
        total = sum(job.games for job in jobs)
        done = total - sum(job.games for job in left)
        self._tell(GAMES, done, total)
        work = Carrying(play_games, self._carried())
        with closing(do_jobs(work, left, self.workers)) as played:
            for job, samples in all_answered(played, lambda job: jobs[job]):
                write_whole(jobs[job], samples)
                done += job.games
                self._tell(GAMES, done, total)

    def _carried(self) -> dict[str, bytes]:
        """The files that a job reads."""
        files = {} if self.plan.tiles is None else tile_set_file(self.plan.tiles)
        return files if self.best is None else files | network_file(SearchSettings(network=self.player))

    def _files(self, held_out: bool, window: int = WINDOW) -> tuple[str, ...]:
        """Of this generation and the last ones."""
        found = []
        for generation in range(max(1, self.generation - window + 1), self.generation + 1):
            folder = os.path.join(self.root, str(generation))
            found += [
                os.path.join(folder, name)
                for name in sorted(os.listdir(folder))
                if name.startswith(f"{self.players}p-")
                and name.endswith(".npz")
                and (HELD_OUT_FILES in name) == held_out
            ]
        return tuple(found)

    # ---- fit and match -------------------------------------------------------------------------------------

    def _fit(self) -> Epoch:
        """The last one."""
        plan = self.plan
        first = self.best is None
        job = FitJob(
            self.players,
            self._files(held_out=False),
            self._files(held_out=True),
            plan.epochs,
            FIRST_TRUST if first else TRUST,
            plan.seed + self.generation,
            os.path.join(self.folder, f"{self.players}p.fit"),
            self.best if plan.start is not None else None,
        )
        for epoch in in_own_process(fit, job):
            self._tell(FIT, epoch.number, plan.epochs, epoch)
        return epoch

    def _arenas(self) -> dict[str, str]:
        """The tile sets of the matches, by name."""
        return {OWN: self.plan.tiles} if self.plan.tiles is not None else {OURS: "", RANDOM: arena.EVERY_ROUND}

    def _match(self, name: str, tiles: str) -> float:
        """The candidate's share of the victories against the best so far."""
        network = _candidate(self.root, self.generation, self.players)
        entries = self._entry(network), self._entry(None if self.best is None else self.player)
        match = arena.make_match(entries, self.players, tiles, self.plan.seed + self.generation)
        rounds = max(1, -(-self.plan.match_games // self.players))
        tally = arena.Tally(match)
        path = os.path.join(self.folder, f"{self.players}p-{name}.jsonl")
        with closing(arena.Save(path, match)) as file:
            for game in file.games:
                tally.add(game)
            self._tell(MATCH, len(file.games), rounds * self.players)
            with closing(arena.play(match, rounds, self.workers, tuple(file.games))) as games:
                for game in games:
                    file.add(game)
                    tally.add(game)
                    self._tell(MATCH, len(file.games), rounds * self.players)
        return tally.result().standings[0].score

    def _entry(self, network: str | None) -> str:
        """A player's specification."""
        evaluation = PLAYOUT if network is None else f"{LEARNED},network={os.path.abspath(network)}"
        return f"advisor:sims={self.plan.match_sims},prove=false,evaluation={evaluation}"

    def _tell(self, kind: str, done: int, total: int, epoch: Epoch | None = None) -> None:
        self.progress(Step(self.generation, self.players, kind, done, total, epoch))
