"""Networks: their arithmetic against plain Python, their files whole and damaged, and what a search does without one."""

from __future__ import annotations

import copy
import json
import pickle
import random
import struct
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from orbis_search import InputError, advise, load_tile_set, read_position
from orbis_search.advice.json import advice_to_json
from orbis_search.advice.text import advice_text
from orbis_search.core.packing import Packing
from orbis_search.core.searches import CUT_OFF, HIDDEN, Network
from orbis_search.core.states import LARGEST_INPUT, NETWORK_SIZES
from orbis_search.game.rules import new_game
from orbis_search.notation.examples import example_text
from orbis_search.search import networks
from orbis_search.search.driver import Search
from orbis_search.search.networks import (
    MAGIC,
    MOST_BYTES,
    evaluation_for,
    layer_sizes,
    networks_to_bytes,
    parse_networks,
    read_networks,
    write_networks,
)
from orbis_search.search.settings import LEARNED, PLAYOUT, SearchSettings
from program import Run

POSITION = read_position(example_text())


class Plain(NamedTuple):
    """A network as lists of whole numbers: weights[layer][input][output]."""

    shifts: list[int]
    weights: list[list[list[int]]]
    biases: list[list[int]]

    def run(self, inputs: list[int]) -> list[int]:
        values = inputs
        for layer, (shift, weights, biases) in enumerate(zip(self.shifts, self.weights, self.biases)):
            sums = list(biases)
            for value, row in zip(values, weights):
                sums = [sum_ + value * weight for sum_, weight in zip(sums, row)]
            assert all(-(2**31) <= sum_ < 2**31 for sum_ in sums)
            values = [sum_ >> shift for sum_ in sums]
            if layer < 2:
                values = [min(max(value, 0), CUT_OFF) for value in values]
        return values

    def packed(self, most: int = LARGEST_INPUT) -> Network:
        weights = []
        for rows in self.weights:
            pairs = [(one, two) for first, second in zip(rows[::2], rows[1::2]) for one, two in zip(first, second)]
            weights.append(struct.pack(f"={2 * len(pairs)}h", *(number for pair in pairs for number in pair)))
        biases = [struct.pack(f"={len(each)}i", *each) for each in self.biases]
        return Network(len(self.weights[0]), len(self.biases[2]), most, self.shifts, weights, biases)


def made(rng: random.Random, inputs: int, outputs: int, large: int | None = None) -> Plain:
    """Random, and as large as a sum in 32 bits allows; `large` bounds a weight."""
    sizes = (inputs, *HIDDEN, outputs)
    shifts, weights, biases = [], [], []
    for layer, (this, following) in enumerate(pairwise(sizes)):
        most = LARGEST_INPUT if layer == 0 else CUT_OFF
        bound = min(32767, (2**31 - 1) // (2 * most * this)) if large is None else large
        kind = rng.choice(("even", "extreme", "sparse"))
        draw = {
            "even": lambda bound=bound: rng.randint(-bound, bound),
            "extreme": lambda bound=bound: rng.choice((-bound, bound)),
            "sparse": lambda bound=bound: rng.choice((0, 0, 0, -bound, bound, 1, -1)),
        }[kind]
        weights.append([[draw() for _ in range(following)] for _ in range(this)])
        biases.append([rng.randint(-(2**30) + 1, 2**30 - 1) >> rng.choice((0, 8, 20)) for _ in range(following)])
        shifts.append(rng.choice((0, 3, 9, 12, 20, 30)) if rng.random() < 0.3 else rng.randint(8, 16))
    return Plain(shifts, weights, biases)


def small(players: int = 2, seed: int = 1) -> Network:
    inputs, outputs = NETWORK_SIZES[players]
    return made(random.Random(seed), inputs, outputs, large=9).packed()


# ---- arithmetic ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_the_arithmetic_is_that_of_whole_numbers(seed: int) -> None:
    """Whatever the widths: outputs that fill the CPU's registers and such that do not."""
    rng = random.Random(seed)
    inputs, outputs = rng.choice([*NETWORK_SIZES.values(), (2, 8), (6, 24), (14, 40), (30, 72)])
    plain = made(rng, inputs, outputs)
    network = plain.packed()
    most = LARGEST_INPUT
    some = [
        [0] * inputs,
        [most] * inputs,
        [-most] * inputs,
        [rng.choice((-most, most)) for _ in range(inputs)],
        *([rng.randint(-most, most) for _ in range(inputs)] for _ in range(4)),
        *([rng.choice((0, 0, 0, rng.randint(-most, most))) for _ in range(inputs)] for _ in range(4)),
    ]
    # The worst for one output of the first layer: every term has its sign.
    some.append([most if row[0] >= 0 else -most for row in plain.weights[0]])
    some.append([-most if row[0] >= 0 else most for row in plain.weights[0]])
    for given in some:
        assert network.run(given) == plain.run(given)


def test_a_sum_at_the_very_edge_of_32_bits() -> None:
    weights = [[[0] * following for _ in range(this)] for this, following in pairwise((4, *HIDDEN, 8))]
    biases = [[0] * HIDDEN[0], [0] * HIDDEN[1], [0] * 8]
    weights[0][0][0] = weights[0][3][5] = 32767
    room = 2**31 - 1 - 32767 * LARGEST_INPUT
    biases[0][0], biases[0][5] = room, -room
    weights[1][0][0], weights[2][0][7] = 1, 1
    plain = Plain([21, 0, 0], weights, biases)
    for given in ([LARGEST_INPUT, 0, 0, 0], [-LARGEST_INPUT, 0, 0, -LARGEST_INPUT], [0, 0, 0, LARGEST_INPUT]):
        assert plain.packed().run(given) == plain.run(given)
    assert plain.packed().run([LARGEST_INPUT, 0, 0, 0])[7] == 1023
    biases[0][0] += 1
    with pytest.raises(ValueError, match="layer 1: the weights of output 0 are too large"):
        plain.packed()
    biases[0][0], biases[0][5] = 0, -room - 1
    with pytest.raises(ValueError, match="layer 1: the weights of output 5 are too large"):
        plain.packed()


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_weights_that_could_overflow_are_refused(layer: int) -> None:
    plain = made(random.Random(layer), 8, 8, large=1)
    plain.packed()
    huge = copy.deepcopy(plain)
    huge.biases[layer][3] = -(2**31)
    with pytest.raises(ValueError, match=f"layer {layer + 1}: the weights of output 3 are too large"):
        huge.packed()
    if layer:
        huge = copy.deepcopy(plain)
        for row in huge.weights[layer]:
            row[2] = 32767 if layer == 1 else -32768
            huge.biases[layer][2] = 2**31 - 1
        with pytest.raises(ValueError, match=f"layer {layer + 1}: the weights of output 2 are too large"):
            huge.packed()


def test_what_is_no_network_is_refused() -> None:
    inputs, outputs, most, shifts, weights, biases = small().made_of
    for wrong in (
        (inputs + 1, outputs, most, shifts, weights, biases),
        (0, outputs, most, shifts, weights, biases),
        (inputs, outputs + 1, most, shifts, weights, biases),
        (inputs, 0, most, shifts, weights, biases),
        (5000, outputs, most, shifts, weights, biases),
        (inputs, 512, most, shifts, weights, biases),
        (inputs + 2, outputs, most, shifts, weights, biases),
        (inputs, outputs, most, (1, 1), weights, biases),
        (inputs, outputs, most, (1, 1, 1, 1), weights, biases),
        (inputs, outputs, most, shifts, weights[:2], biases),
        (inputs, outputs, most, shifts, weights, ()),
        (inputs, outputs, most, (31, 1, 1), weights, biases),
        (inputs, outputs, most, (-1, 1, 1), weights, biases),
        (inputs, outputs, most, shifts, (weights[0][:-2], *weights[1:]), biases),
        (inputs, outputs, most, shifts, weights, (biases[0] + b"1234", *biases[1:])),
    ):
        with pytest.raises(ValueError, match="expected"):
            Network(*wrong)


def test_inputs_out_of_range_are_refused() -> None:
    network = small()
    size = NETWORK_SIZES[2][0]
    for wrong in ([0] * (size - 1), [0] * (size + 1), [LARGEST_INPUT + 1] + [0] * (size - 1), [-(10**9)] * size):
        with pytest.raises(ValueError, match=f"expected {size} inputs of at most {LARGEST_INPUT}"):
            network.run(wrong)


def test_a_network_travels_to_other_processes() -> None:
    network = small(3)
    given = [random.Random(2).randint(-LARGEST_INPUT, LARGEST_INPUT) for _ in range(NETWORK_SIZES[3][0])]
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        there = pickle.loads(pickle.dumps(network, protocol))
        assert there.made_of == network.made_of and there.run(given) == network.run(given)
    assert copy.deepcopy(network).run(given) == network.run(given)


def test_the_sizes_of_the_networks() -> None:
    """As many inputs as a state has, and sixteen outputs for each player."""
    assert set(NETWORK_SIZES) == {2, 3, 4}
    for players, (inputs, outputs) in NETWORK_SIZES.items():
        state = Packing(new_game(load_tile_set(), players, random.Random(1))).state
        assert len(state.inputs()) == 2 * inputs
        assert outputs == 16 * players
        assert layer_sizes(players) == (inputs, *HIDDEN, outputs)
        made(random.Random(players), inputs, outputs).packed()


def test_a_network_for_other_players_is_refused_by_a_state() -> None:
    state = Packing(POSITION).state
    shares, points, details, level, level_share = state.evaluate(small(2))
    assert abs(sum(shares) - 1) < 1e-9 and len(points) == len(details) == len(level) == len(level_share) == 2
    for use in (state.evaluate, lambda network: state.game_state(network=network)):
        with pytest.raises(ValueError, match="expected a network for 2 players"):
            use(small(3))


# ---- files -----------------------------------------------------------------------------------------

DAMAGED = "expected an undamaged file of networks, found another one"


@pytest.fixture(scope="module")
def whole() -> bytes:
    return networks_to_bytes("some", {2: small(2), 4: small(4)}, {"generation": 3})


def is_damaged(data: bytes) -> bool:
    try:
        parse_networks(data, "place")
    except InputError as error:
        assert str(error) == f"place: {DAMAGED}"
        return True
    return False


def test_what_is_written_is_read(tmp_path: Path, whole: bytes) -> None:
    path = str(tmp_path / "some.network")
    write_networks(path, "some", {2: small(2), 4: small(4)}, {"generation": 3})
    assert Path(path).read_bytes() == whole
    found = read_networks(path)
    assert (found.name, found.about) == ("some", {"generation": 3})
    assert {players: each.made_of for players, each in found.networks.items()} == {
        players: small(players).made_of for players in (2, 4)
    }
    assert str(found) == f"some {found.checksum[:8]}"
    assert len(list(tmp_path.iterdir())) == 1
    # Another file of that name is read anew.
    write_networks(path, "other", {3: small(3)}, {})
    assert read_networks(path).networks.keys() == {3}


def test_a_file_is_small(whole: bytes) -> None:
    every = networks_to_bytes("every", {players: small(players) for players in (2, 3, 4)}, {})
    assert len(every) < 500_000 < MOST_BYTES


def test_a_truncated_file_is_damaged(whole: bytes) -> None:
    head = whole.index(b"\n", len(MAGIC)) + 1
    ends = {*range(head + 40), *range(len(whole) - 40, len(whole)), *range(head, len(whole), 997)}
    for end in sorted(ends):
        assert is_damaged(whole[:end]), end
    assert not is_damaged(whole)


def test_a_file_with_something_more_is_damaged(whole: bytes) -> None:
    head = whole.index(b"\n", len(MAGIC))
    for data in (
        whole + b"\0",
        whole + whole,
        b" " + whole,
        b"\n" + whole,
        whole[:head] + b"\n" + whole[head:],
        b"\xef\xbb\xbf" + whole,
        whole.replace(b"\n", b"\r\n", 2),
    ):
        assert is_damaged(data)


def test_a_flipped_bit_is_found(whole: bytes) -> None:
    """In the head, each bit; what is read in spite of it has the same meaning, say a blank that became a tab."""
    expected = parse_networks(whole, "place")
    head = whole.index(b"\n", len(MAGIC)) + 1
    rng = random.Random(1)
    places = [(at, bit) for at in range(head) for bit in range(8)]
    places += [(rng.randrange(head, len(whole)), rng.randrange(8)) for _ in range(1000)]
    for at, bit in places:
        data = bytearray(whole)
        data[at] ^= 1 << bit
        if not is_damaged(bytes(data)):
            found = parse_networks(bytes(data), "place")
            assert (str(found), found.about) == (str(expected), expected.about), at
            for players, network in found.networks.items():
                assert network.made_of == expected.networks[players].made_of, at
            assert at < head and chr(whole[at]).isspace(), at


def signed(told: Any, numbers: bytes) -> bytes:
    """With the right checksum, so that the rest is looked at."""
    if isinstance(told, dict):
        told = {**told}
        told.setdefault("bytes", len(numbers))
        if "sha256" not in told:
            told["sha256"] = networks._checksum(told, numbers)
    return MAGIC + json.dumps(told).encode() + b"\n" + numbers


def body(*players: int) -> tuple[list[dict[str, Any]], bytes]:
    data = networks_to_bytes("some", {each: small(each) for each in players}, {})
    head, numbers = data.removeprefix(MAGIC).split(b"\n", 1)
    return json.loads(head)["networks"], numbers


def test_a_right_checksum_alone_is_not_enough() -> None:
    (one,), numbers = body(2)
    good: dict[str, Any] = {"name": "some", "networks": [one]}
    assert not is_damaged(signed(good, numbers))
    wrong_ones: list[Any] = [None, 7, 1.5, True, [], {}, "x", [one], {"name": "some"}, {"networks": [one]}]
    wrong_ones += [good | {"networks": value} for value in (None, 3, "two", {}, [3], [None], [[]], [{}], [one, one])]
    for key, values in {
        "players": (None, 1, 5, -2, 10**30, "2", "two", [], {}, [2], 2.5, 1e999, True),
        "shifts": (
            None,
            3,
            "123",
            {},
            [],
            [1],
            [1, 2],
            [1, 2, 31],
            [-1, 2, 3],
            [10**30, 2, 3],
            [1.5, 2, 3],
            [None] * 3,
        ),
    }.items():
        wrong_ones += [good | {"networks": [one | {key: value}]} for value in values]
        wrong_ones.append(good | {"networks": [{name: value for name, value in one.items() if name != key}]})
    wrong_ones += [good | {"bytes": value} for value in (None, 0, -1, 1e999, str(len(numbers)), 10**30)]
    wrong_ones += [good | {"sha256": value} for value in (None, "", 5, [], {}, "0" * 64)]
    for wrong in wrong_ones:
        assert is_damaged(signed(wrong, numbers)), wrong
    assert is_damaged(signed(good, numbers[:-2])) and is_damaged(signed(good, numbers + b"\0\0"))
    assert is_damaged(signed(good | {"networks": []}, numbers))
    assert not is_damaged(signed({"name": "none", "networks": []}, b""))


@pytest.mark.parametrize(
    "head",
    [b"", b"{", b"nonsense", b"[" * 100_000, b"\xff\xfe", b'{"name": ' + b"9" * 5000 + b"}", b"{}", b"NaN", b'{"a": 1e999}'],
)  # fmt: skip
def test_a_head_that_is_no_json(head: bytes) -> None:
    assert is_damaged(MAGIC + head + b"\n") and is_damaged(MAGIC + head)


def test_weights_in_a_file_that_could_overflow() -> None:
    (one,), numbers = body(2)
    weights, biases = 2 * NETWORK_SIZES[2][0] * HIDDEN[0], 4 * HIDDEN[0]
    bias = struct.pack("<i", 2**30)
    assert not is_damaged(signed({"name": "some", "networks": [one]}, bytes(len(numbers))))
    for wrong in (
        b"\xff\x7f" * (weights // 2) + bias * HIDDEN[0] + bytes(len(numbers) - weights - biases),
        bytes(weights) + struct.pack("<i", -(2**31)) * HIDDEN[0] + bytes(len(numbers) - weights - biases),
        b"\xff\x7f" * (len(numbers) // 2),
        b"\0\x80" * (len(numbers) // 2),
    ):
        assert is_damaged(signed({"name": "some", "networks": [one]}, wrong))


def test_a_file_that_is_not_there_or_not_a_file(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.network", tmp_path, Path(f"{tmp_path}/a\0b"), Path("/dev/null")):
        with pytest.raises(InputError, match="expected "):
            read_networks(str(path))
    huge = tmp_path / "huge.network"
    with huge.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(InputError, match="expected at most 1,048,576 bytes, found more"):
        read_networks(str(huge))


# ---- what a search makes of it ---------------------------------------------------------------------


def test_the_built_in_file_is_sound_and_small() -> None:
    file = networks.built_in()
    assert file.networks.keys() <= NETWORK_SIZES.keys() and 2 in file.networks
    assert Path(networks.BUILT_IN).stat().st_size < 500_000
    found = evaluation_for(SearchSettings(evaluation=LEARNED), 2)
    assert found.network is file.networks[2] and found.name == f"{file.name} {file.checksum[:8]}"


@pytest.fixture
def no_built_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "orbis.network"
    monkeypatch.setattr(networks, "BUILT_IN", str(path))
    return path


def test_playouts_need_no_file(no_built_in: Path) -> None:
    for settings in (SearchSettings(evaluation=PLAYOUT), SearchSettings(evaluation=LEARNED, plain=True)):
        found = evaluation_for(settings, 2)
        assert (found.network, found.name, found.problem) == (None, "playout", None)


@pytest.mark.parametrize("there", [None, b"", b"orbis-network 1\n{}\n"])
def test_without_the_built_in_file_it_plays_out_and_says_so(no_built_in: Path, there: bytes | None) -> None:
    if there is not None:
        no_built_in.write_bytes(there)
    options: dict[str, Any] = {"simulations": 200, "seed": 1, "threads": 1}
    found = advise(POSITION, settings=SearchSettings(evaluation=LEARNED), **options)
    assert found.evaluation == PLAYOUT
    text = " ".join(advice_text(found).split())
    problem = found.evaluation_problem
    assert problem is not None and problem.startswith(f"{no_built_in}: expected ")
    assert text.count("Evaluated by playouts: ") == 1
    plain = advise(POSITION, settings=SearchSettings(evaluation=PLAYOUT), **options)
    assert plain.evaluation_problem is None and "Evaluated by playouts" not in advice_text(plain)
    assert advice_to_json(plain)["ideas"] == advice_to_json(found)["ideas"]
    assert advice_to_json(found)["evaluation"] == advice_to_json(plain)["evaluation"] == PLAYOUT


def test_the_built_in_file_without_a_network_for_so_many(no_built_in: Path) -> None:
    write_networks(str(no_built_in), "two", {2: small(2)}, {})
    assert evaluation_for(SearchSettings(evaluation=LEARNED), 2).network is not None
    found = evaluation_for(SearchSettings(evaluation=LEARNED), 3)
    assert (found.network, found.name, found.problem) == (None, "playout", None)


def test_a_file_that_is_named_has_to_be_there(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere.network")
    with pytest.raises(InputError, match=r"nowhere\.network: expected a file of networks"):
        Search(Packing(POSITION).state, settings=SearchSettings(evaluation=LEARNED, network=nowhere))
    three = str(tmp_path / "three.network")
    write_networks(three, "three", {3: small(3)}, {})
    with pytest.raises(InputError, match=r"three\.network: expected a network for 2 players, found none"):
        Search(Packing(POSITION).state, settings=SearchSettings(evaluation=LEARNED, network=three))


def test_a_player_by_name_has_its_network(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "some.network"
    write_networks(str(path), "some", {2: small()}, {})
    learned = f"advisor:sims=20,evaluation=learned,network={path}"
    done = run("arena", learned, "greedy", "--games", 2, "--threads", 1, "--json")
    assert done.code == 0 and json.loads(done.out)["standings"][0]["player"] == learned
    path.unlink()
    done = run("arena", learned, "greedy", "--games", 2, "--threads", 1)
    assert done.code == 2 and done.err.startswith(f"orbis: {path}: expected a file of networks") and done.out == ""


def test_advice_names_the_network(tmp_path: Path) -> None:
    path = tmp_path / "some.network"
    write_networks(str(path), "some", {2: small()}, {})
    settings = SearchSettings(evaluation=LEARNED, network=str(path))
    found = advise(POSITION, simulations=200, seed=1, threads=1, settings=settings)
    assert advice_to_json(found)["evaluation"] == f"some {read_networks(str(path)).checksum[:8]}"
    again = advise(POSITION, simulations=200, seed=1, threads=1, settings=settings)
    assert advice_to_json(again)["ideas"] == advice_to_json(found)["ideas"]
