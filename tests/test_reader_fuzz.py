"""Whatever is read, and wherever from: an answer, or a problem that says what is wrong. Never anything else.

    ORBIS_READER_CASES=100000 ORBIS_READER_LINES=100000 pytest -s tests/test_reader_fuzz.py

Inputs are numbered (ORBIS_READER_FIRST, ORBIS_READER_LINE), and number n is the same one every time. What took longest
and what took most memory are printed, with their numbers; nothing depends on how fast the machine is.
"""

from __future__ import annotations

import io
import json
import os
import resource
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import asdict, fields
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import pytest
from strange_inputs import Strange, json_of, nested, toml_of

import games
import orbis_search as orbis
from orbis_search.base import options
from orbis_search.base.errors import InputError
from orbis_search.base.quoting import unsafe_character
from orbis_search.cli.group import COMMANDS
from orbis_search.cli.main import main
from orbis_search.cli.settings import language_setting, read_settings
from orbis_search.core.searches import HIDDEN, Network
from orbis_search.core.states import LARGEST_INPUT, NETWORK_SIZES
from orbis_search.engine.server import Engine
from orbis_search.entry.draft import read_draft
from orbis_search.entry.move_dialog import MoveEntry
from orbis_search.entry.position_dialog import Editor
from orbis_search.entry.setup_dialog import SetUpEntry
from orbis_search.entry.tile_dialog import fitting_tiles
from orbis_search.notation import read_position
from orbis_search.players import arena
from orbis_search.players.by_name import parse_player
from orbis_search.players.saved_games import record_of
from orbis_search.players.session import parse_seat
from orbis_search.record.file import record_from_bytes
from orbis_search.record.game import Record, Stage
from orbis_search.search import networks
from orbis_search.solver.batch import Results, tasks_in
from orbis_search.tileset.descriptions import describe, parse_description
from orbis_search.tileset.files import parse_tile_set, template_text
from orbis_search.tileset.library import load_tile_set
from orbis_search.training import run as training
from orbis_search.training.text import outcome_text

FIRST = int(os.environ.get("ORBIS_READER_FIRST", "0"))
CASES = int(os.environ.get("ORBIS_READER_CASES", "1500"))
FIRST_LINE = int(os.environ.get("ORBIS_READER_LINE", "0"))
LINES = int(os.environ.get("ORBIS_READER_LINES", "1500"))
TILES = Path(orbis.__file__).parent / "data" / "tiles" / "reconstruction.toml"
MOST_SHOWN = 200


# ---- what sound inputs look like -------------------------------------------------------------------


class Sound(NamedTuple):
    """Sound inputs of every kind, for strange ones to be made of."""

    positions: list[Any]
    moves: list[list[str]]  # of each position
    records: list[Record]
    match: list[dict[str, Any]]  # lines of an arena's file
    ending: Any  # one of the positions
    solution: dict[str, Any]  # a line of a batch's file


@pytest.fixture(scope="module")
def sound() -> Sound:
    positions = [games.start(players, players) for players in (2, 3, 4)]
    positions += [orbis.play_on(position, turns, seed=1) for position in positions for turns in (5, 17, 28)]
    moves = [
        [orbis.format_move(position, move) for move in orbis.legal_moves(position)[::9][:40]] for position in positions
    ]
    match = arena.make_match(["random", "greedy"], seed=3)
    played = list(arena.play(match, 1))
    records = [record_of(match, game) for game in played]
    head = {"format": arena.FORMAT, "version": arena.VERSION, "entries": list(match.entries)}
    head |= {"players": match.players, "tiles": match.tiles, "seed": match.seed}
    lines = [{each.name: getattr(game, each.name) for each in fields(game)} for game in played]
    ending = next(position for position in positions if len(position.players) == 2 and position.turns_played == 28)
    solution = {"name": "a.toml", "digest": "0" * 16, "position": orbis.write_oneline(ending).strip()}
    solution |= orbis.solution_to_json(orbis.solve(ending, nodes=50))
    return Sound(positions, moves, records, json.loads(json.dumps([head, *lines])), ending, solution)


# ---- the readers -----------------------------------------------------------------------------------


class Readers:
    """For each kind of input: how a strange one is made, and what reads it."""

    def __init__(self, sound: Sound, folder: Path) -> None:
        self.sound, self.folder = sound, folder
        self.tiles = load_tile_set()
        self.texts = {
            "toml": [orbis.write_toml(position) for position in sound.positions],
            "oneline": [orbis.write_oneline(position) for position in sound.positions],
            "record": [orbis.write_record(record) for record in sound.records],
            "tiles": [TILES.read_text(encoding="utf-8"), template_text()],
        }
        self.trees = {
            "json": [json.loads(orbis.write_json(position)) for position in sound.positions],
            "toml": [tomllib.loads(text) for text in self.texts["toml"]],
            "record": [json.loads(json.dumps(orbis.record_to_json(record))) for record in sound.records],
            "tiles": [tomllib.loads(self.texts["tiles"][0])],
        }
        self.settings = {
            "language": "de",
            "advise": {"sims": 100, "time": "2s", "color": "never", "json": True, "threads": 2},
            "bench": {"rules": {"seed": 1}},
            "arena": {"sprt": [0, 20], "games": 4},
        }
        inputs, outputs = NETWORK_SIZES[2]
        layers = list(pairwise((inputs, *HIDDEN, outputs)))
        network = Network(
            inputs,
            outputs,
            LARGEST_INPUT,
            (9, 9, 9),
            [bytes(2 * a * b) for a, b in layers],
            [bytes(4 * b) for _a, b in layers],
        )
        self.networks = networks.networks_to_bytes("some", {2: network}, {"generation": 3})
        self.player = {"player": "advisor", "sims": 20, "win_part": 0.7, "threads": 1}
        self.specs = ["random", "flat:sims=20", "advisor:sims=20,win_part=0.7", "level:3", "master", "cmd:cat -u"]
        self.specs += ["full:time=0.2s,threads=2", "uct:sims=5", "Anna=beginner", "me"]
        self.described = [describe(tile) for tile in self.tiles.tiles]
        self.lines = [
            ["check", "FILE"],
            ["show", "FILE", "--color", "never"],
            ["show", "FILE", "--json"],
            ["moves", "FILE", "--tiles", "random:3"],
            ["apply", "FILE", "b1 1L pay r"],
            ["record", "check", "GAME"],
            ["record", "position", "GAME", "7"],
            ["tiles", "check", "FILE"],
            ["tiles", "show", "random:4"],
            ["new", "--players", "3", "--seed", "5", "--turns", "4"],
            ["completion", "bash"],
            ["advise", "FILE", "--sims", "3", "--time", "1s", "--memory", "2M"],
            ["solve", "FILE", "--nodes", "3", "--time", "1s", "--move", "b1 1L"],
            ["arena", "random", "flat:sims=3", "--games", "0", "--alpha", "0.05"],
            ["--lang", "de", "review", "GAME", "--sims", "0"],
            ["bench", "--compare", "FILE", "--rounds", "0"],
        ]
        self.kinds: dict[str, Callable[[Strange], tuple[Any, Callable[[], object]]]] = {
            "position in TOML": self.position_toml,
            "position in JSON": self.position_json,
            "position in one line": self.position_line,
            "move": self.move,
            "record": self.record,
            "record in JSON": self.record_json,
            "tile set": self.tile_set,
            "tile description": self.description,
            "settings": self.settings_file,
            "player": self.player_spec,
            "player in a file": self.player_file,
            "batch folder": self.batch,
            "batch results": self.results,
            "arena file": self.arena_file,
            "networks": self.network_file,
            "training run": self.training_run,
            "number": self.number,
            "answer": self.answer,
            "draft": self.draft,
            "command line": self.command_line,
        }

    def case(self, number: int) -> tuple[str, Any, Callable[[], object]]:
        """The kind, the input, and what reads it."""
        kind = list(self.kinds)[number % len(self.kinds)]
        return kind, *self.kinds[kind](Strange(number))

    # Text, or the tree behind it.

    def _tables(self, strange: Strange, name: str, write: Callable[[Any], str]) -> bytes:
        texts = self.texts.get(name)
        if texts and strange.chance.random() < 0.6:
            return strange.encoded(strange.text(strange.of(texts)))
        return strange.encoded(write(strange.tree(strange.of(self.trees[name]))))

    def position_toml(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        data = self._tables(strange, "toml", toml_of)
        return data, lambda: read_position(data, "p.toml", self.folder)

    def position_json(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        tree = strange.tree(strange.of(self.trees["json"]))
        if strange.chance.random() < 0.5:
            text = json_of(tree)
            text = text if strange.chance.random() < 0.7 else strange.text(text)
            return text, lambda: read_position(text, "p.json", self.folder)
        return tree, lambda: orbis.notation.position_from_json(tree) if isinstance(tree, dict) else None

    def position_line(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        text = strange.text(strange.of(self.texts["oneline"]))
        return text, lambda: read_position(text, "position", self.folder)

    def move(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        at = strange.chance.randrange(len(self.sound.positions))
        position, moves = self.sound.positions[at], self.sound.moves[at]
        text = strange.text(strange.of(moves) if moves else "a1 1")
        return text, lambda: orbis.parse_move(text, position)

    def record(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        text = strange.of(self.texts["record"])
        if strange.chance.random() < 0.1:  # variations of variations
            lines = text.split("\n")
            turn = next(at for at, line in enumerate(lines) if line.startswith("3. "))
            depth = strange.chance.choice((3, 60, 400))
            text = "\n".join(lines[: turn + 1] + [" " * at + lines[turn] for at in range(1, depth)])
        else:
            text = strange.text("\n".join(text.split("\n")[: strange.chance.choice((12, 20, 200))]) + "\n")
        data = strange.encoded(text)
        return data, lambda: record_from_bytes(data, "g.orbis", self.folder)

    def record_json(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        tree = dict(strange.of(self.trees["record"]))
        tree["turns"] = tree["turns"][: strange.chance.choice((1, 3, 6))]
        if strange.chance.random() < 0.1:
            turn = tree["turns"][0]
            for _ in range(strange.chance.choice((2, 60, 250))):
                turn = {**turn, "variations": [[turn]]}
            tree["turns"] = [turn]
        else:
            tree = strange.tree(tree)
        data = strange.encoded(json_of(tree))
        return data, lambda: record_from_bytes(data, "g.json", self.folder)

    def tile_set(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        data = self._tables(strange, "tiles", toml_of).decode("utf-8", "replace")
        return data, lambda: parse_tile_set(data, "t.toml", "t.toml")

    def description(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        text = strange.text(strange.of(self.described))
        way = strange.of(
            (
                lambda: parse_description(text),
                lambda: orbis.resolve_tile(text, self.tiles, 2),
                lambda: fitting_tiles(text, self.tiles.tiles, self.tiles),
            )
        )
        return text, way

    def settings_file(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        data = strange.encoded(toml_of(strange.tree(self.settings)))
        path = self._file("settings.toml", data)

        def read() -> None:
            language_setting(path)
            read_settings(path, COMMANDS)

        return data, read

    def player_spec(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        text = strange.text(strange.of(self.specs))
        return text, lambda: (parse_player if len(text) % 2 else parse_seat)(text)

    def player_file(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        data = strange.encoded(toml_of(strange.tree(self.player)))
        path = self._file("player.toml", data)
        return data, lambda: parse_player(f"@{path}")

    def batch(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        name = strange.of(("a.toml", "a.json", "a.txt"))
        data = self._tables(strange, strange.of(("toml", "tiles")), toml_of)
        self._file(f"batch/{name}", data)

        def read() -> None:
            try:
                tasks, _problems = tasks_in(str(self.folder / "batch"))
                for task in tasks[:3]:
                    read_position(task.text, task.name, task.folder)
            finally:
                (self.folder / "batch" / name).unlink()

        return data, read

    def results(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        tree = strange.tree(self.sound.solution)
        data = strange.encoded(json_of(tree if strange.chance.random() < 0.9 else nested(3000)) + "\n")
        path = self._file("results.jsonl", data)
        return data, lambda: Results(path).close()

    def arena_file(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        lines = list(self.sound.match)
        at = strange.chance.randrange(len(lines))
        lines[at] = strange.tree(lines[at])
        data = strange.encoded("".join(json_of(line) + "\n" for line in lines))

        def read() -> None:
            match, played, _end = arena.games_of(data, "match.jsonl")
            for game in played[:1]:
                record_of(match, game)

        return data, read

    def network_file(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        """Mostly with the right checksum, so that the rest is looked at."""
        head, _line, numbers = self.networks.removeprefix(networks.MAGIC).partition(b"\n")
        if strange.chance.random() < 0.3:
            data = networks.MAGIC + strange.encoded(strange.text(head.decode())) + b"\n" + numbers
            return data, lambda: networks.parse_networks(data, "some.network")
        tree = strange.tree(json.loads(head))
        if isinstance(tree, dict):
            with suppress(ValueError, RecursionError, TypeError):
                tree["sha256"] = networks._checksum(tree, numbers)
        data = networks.MAGIC + strange.encoded(json_of(tree)) + b"\n" + numbers
        return data, lambda: networks.parse_networks(data, "some.network")

    def training_run(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        plan = json.loads(
            json.dumps({"format": training.FORMAT, "version": training.VERSION, **asdict(training.Plan())})
        )
        outcome = training.Outcome(1, 2, 30, 30, (0.7, 0.6), 0.5, {"ours": 0.5, "random": 0.6}, True)
        sound = strange.of((plan, json.loads(json.dumps(asdict(outcome)))))
        data = strange.encoded(json_of(strange.tree(sound)))
        (self.folder / "run" / "1").mkdir(parents=True, exist_ok=True)
        path = self._file("run/run.json" if sound is plan else "run/1/2p.json", data)

        def read() -> None:
            if sound is plan:
                training._expect_same(path, plan)
            elif (found := training._read_outcome(str(self.folder / "run"), 1, 2)) is not None:
                outcome_text(found)

        return data, read

    def number(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        typed = strange.of(("5s", "250ms", "2m", "64M", "2G", "12", "1e3", "0.95", "3.5", strange.value()))
        value = strange.text(typed) if isinstance(typed, str) else typed
        whole, real = options.whole(1, 20), options.real(0.0, 1.0, "a number from 0 to 1")
        readers = (options.duration, options.size, options.typed(whole), options.typed(real), whole, real)
        reader: Callable[[Any], object] = strange.of((*readers, options.MEMORY, options.SECONDS, options.SEED))

        def read() -> None:
            if isinstance(value, str):
                options.number_of(value)
                options.counted(value)
            options.expect("option", value, reader)

        return value, read

    def answer(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        """What is typed at the questions of `edit`, `track` and `play`."""
        words = ["2", "Anna Bo", "Anna, Bo, Cem", "1", "b1a", "blue red+any forest", "b gba", "w tem m5", "a1", "skip"]
        words += ["back", "death", "12", "yes", *self.described[:8], *self.sound.moves[3][:5]]
        texts = [strange.of(words) for _ in range(strange.chance.choice((0, 1, 3)))]
        texts.append(strange.text(strange.of(words)))
        dialog: Any = strange.of(
            (
                lambda: Editor(),
                lambda: SetUpEntry(self.tiles),
                lambda: MoveEntry(Stage(strange.of(self.sound.positions[:6]))),
            )
        )()

        def read() -> None:
            for text in texts:
                dialog.answer(text)

        return texts, read

    def draft(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        data = self._tables(strange, "toml", toml_of).decode("utf-8", "replace")
        return data, lambda: read_draft(data, "d.toml")

    def command_line(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        """Commands that end at once, whatever they are told; what they print is looked at as well."""
        self._file("FILE", self._tables(strange, "toml", toml_of))
        game = strange.encoded(strange.text(strange.of(self.texts["record"])))
        self._file("GAME", game)
        line = list(strange.of(self.lines))
        for _ in range(strange.chance.choice((1, 1, 2))):
            at = strange.chance.randrange(len(line))
            kind = strange.chance.random()
            if kind < 0.6:
                line[at] = strange.text(line[at])
            elif kind < 0.8:
                line.insert(at, strange.word())
            else:
                del line[at]
            line = line or ["check"]
        # What has no end or asks questions is for other tests; a tile set or an answer from here goes nowhere.
        slow = ("engine", "play", "track", "edit", "verify", "perft", "peers", "endgame", "regret", "rules", "search")
        line = ["check" if word in slow else word for word in line]
        if not set(line) & {"--compare"} and "bench" in line:
            line.append("--compare")
        line = [word.replace("\0", "") for word in line]  # no system passes it

        def read() -> None:
            out, err = io.StringIO(), io.StringIO()
            before = os.getcwd()
            os.chdir(self.folder)
            try:
                with redirect_stdout(out), redirect_stderr(err):
                    code = main(line)
            finally:
                os.chdir(before)
            assert code in (0, 2), f"exit code {code}"
            said = out.getvalue() + err.getvalue()
            assert "Traceback" not in said
            assert not [each for each in said.split("\n") if unsafe_character(each.replace("\t", ""))], (
                "an unsafe character was printed"
            )

        return line, read

    def _file(self, name: str, data: bytes) -> str:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        return str(path)


# ---- what took most --------------------------------------------------------------------------------


class Worst:
    """The case that took longest, and the one during which the process grew most."""

    def __init__(self) -> None:
        self.longest: tuple[float, str] = (0.0, "none")
        self.largest: tuple[int, str] = (0, "none")
        self.kinds: Counter[str] = Counter()
        self.answers = self.problems = 0

    @staticmethod
    def _peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    @staticmethod
    def _forget_peak() -> None:
        """So that each case has its own; on a system that cannot, only growth beyond all before it counts."""
        with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")

    def watch(self, name: str, case: Any, read: Callable[[], object]) -> None:
        self._forget_peak()
        before, start = self._peak(), process_time()
        try:
            read()
            self.answers += 1
        except InputError as error:
            self.problems += 1
            assert error.problems and not unsafe_character(str(error).replace("\n", "")), f"{name}: {error!r}"
        seconds, peak = process_time() - start, self._peak()
        self.kinds[name.partition(", ")[2]] += 1
        self.longest = max(self.longest, (seconds, f"{name}: {_short(case)}"))
        self.largest = max(self.largest, (peak - before, f"{name}: {_short(case)}"))

    def tell(self, what: str) -> None:
        print(f"\n{self.answers + self.problems:,} {what}: {self.answers:,} answers, {self.problems:,} refused")
        print(f"longest {self.longest[0]:.3f} s of processor time, {self.longest[1]}")
        print(f"largest {self.largest[0] / 1024:.1f} MB more, {self.largest[1]}")


def _short(case: Any) -> str:
    try:
        text = repr(case)
    except RecursionError:
        text = f"{type(case).__name__}, nested"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}... ({len(text):,} characters)"


def test_every_reader_answers_or_says_what_is_wrong(sound: Sound, tmp_path: Path) -> None:
    readers, worst = Readers(sound, tmp_path), Worst()
    for number in range(FIRST, FIRST + CASES):
        kind, case, read = readers.case(number)
        name = f"case {number}, {kind}"
        try:
            worst.watch(name, case, read)
        except Exception as error:
            raise AssertionError(f"{name}: {type(error).__name__} from {_short(case)}") from error
    assert set(worst.kinds) == set(readers.kinds)
    assert worst.answers > CASES // 50 and worst.problems > CASES // 4
    worst.tell("inputs")


# ---- the engine ------------------------------------------------------------------------------------


CROWD = 50  # lines that one engine gets at once; most get an engine for themselves, to see what each takes


def _request(strange: Strange, sound: Sound, id: object) -> bytes:
    """A line for the engine: mostly a request, with something strange in it."""
    solving = strange.chance.random() < 0.1
    at = sound.positions.index(sound.ending) if solving else strange.chance.randrange(len(sound.positions))
    position = sound.positions[at]
    text = strange.of((orbis.write_oneline, orbis.write_toml, orbis.write_json))(position)
    told: Any = orbis.position_to_json(position) if strange.chance.random() < 0.3 else text
    moves = sound.moves[at] or ["a1 1"]
    request: dict[str, Any] = strange.of(
        (
            {"action": "ping"},
            {"action": "version"},
            {"action": "cancel", "target": "a", "all": False},
            {"action": "check", "position": told},
            {"action": "show", "position": told, "form": "text"},
            {"action": "moves", "position": told, "kind": "search", "limit": 2},
            {"action": "apply", "position": told, "move": strange.of(moves), "draw": None, "seed": 1},
            {"action": "advise", "position": told, "simulations": 2, "seconds": 0.05, "prove": False, "top": 1},
        )
    )
    if solving:  # an ending: elsewhere it would only list moves
        request = {"action": "solve", "position": told, "nodes": 2, "seconds": 0.05, "moves": moves[:2], "top": 1}
    request = {"id": id, **request, "lang": strange.of(("en", "de", None)), "priority": 0}
    kind = strange.chance.random()
    if kind < 0.2:
        return json_of(request).encode()
    if kind < 0.75:
        changed = strange.tree(request)
        if isinstance(changed, dict) and changed.get("action") in ("advise", "solve"):
            changed["seconds"] = 0.05  # whatever else it asks for
        return json_of(changed).encode("utf-8", "surrogatepass").replace(b"\n", b" ")
    if kind < 0.95:
        return strange.encoded(strange.text(json_of(request))).replace(b"\n", b" ")
    return strange.encoded(strange.of((json_of(nested(2000)), "[" * 5000, strange.word() * 500))).replace(b"\n", b" ")


def _batches(sound: Sound) -> Iterator[tuple[int, list[bytes]]]:
    """Lines for one engine, and the number of the first."""
    number = FIRST_LINE
    while number < FIRST_LINE + LINES:
        size = CROWD if number % (10 * CROWD) == 0 else 1
        yield number, [_request(Strange(-1 - each), sound, each) for each in range(number, number + size)]
        number += size


def test_every_line_to_the_engine_gets_an_answer(sound: Sound, capfd: pytest.CaptureFixture[str]) -> None:
    worst = Worst()
    lines = refused = answered = 0
    for first, batch in _batches(sound):
        answers = io.BytesIO()

        def read(batch: list[bytes] = batch, answers: io.BytesIO = answers) -> None:
            assert Engine(io.BytesIO(b"\n".join(batch)), answers, workers=1, memory=8 << 20).run()

        worst.watch(f"line {first}, engine" if len(batch) == 1 else f"lines from {first}, engine", batch, read)
        final = [answer for answer in map(json.loads, answers.getvalue().splitlines()) if answer["final"]]
        asked = [line for line in batch if line.strip()]
        assert len(final) == len(asked), f"lines from {first}: {len(asked)} lines, {len(final)} answers"
        bugs = [answer for answer in final if "found a bug" in str(answer)]
        assert not bugs, f"lines from {first}: {bugs[0]}"
        lines += len(batch)
        refused += sum("error" in answer for answer in final)
        answered += sum("result" in answer for answer in final)
    assert "Traceback" not in capfd.readouterr().err
    assert answered > LINES // 50 and refused > LINES // 4
    with capfd.disabled():
        worst.tell(f"engines for {lines:,} lines")
        print(f"{answered:,} lines answered, {refused:,} refused, {lines - answered - refused:,} empty")
