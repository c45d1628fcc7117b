"""Networks in files: what the learned evaluation knows of Orbis.

A file holds one network for each number of players:

    orbis-network 1
    {"name": "...", "networks": [{"players": 2, "inputs": 170, "outputs": 32, "shifts": [9, 15, 12]}, ...], ...}
    the numbers of each: three layers, the weights of a layer as the core has them, then its biases

The second line is JSON; it also has the number of bytes that follow, the SHA-256 of everything else, and what the file
says of its own making. The numbers are little-endian. docs/evaluation.md says what goes in and what comes out.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any

from ..base.carried_files import carried
from ..base.errors import InputError, reason
from ..base.held_files import write_whole
from ..base.language import _
from ..core.searches import HIDDEN, Network
from ..core.states import LARGEST_INPUT, NETWORK_SIZES
from .settings import PLAYOUT, SearchSettings

MAGIC = b"orbis-network 1\n"
MOST_BYTES = 1 << 20
BUILT_IN = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "networks", "orbis.network")


@dataclass(frozen=True, slots=True)
class NetworkFile:
    name: str
    checksum: str
    networks: Mapping[int, Network]  # by players
    about: Mapping[str, Any] = field(default_factory=dict)  # how it was made, as the file tells it

    def __str__(self) -> str:
        return f"{self.name} {self.checksum[:8]}"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How the new nodes of a search are evaluated."""

    network: Network | None = None  # None: by playouts
    name: str = PLAYOUT
    problem: str | None = None  # why it is not the built-in network


def evaluation_for(settings: SearchSettings, players: int) -> Evaluation:
    """What the settings ask for. A file that they name has to be there; if the built-in one is missing or damaged,
    playouts do, and the problem is told."""
    settings = settings.complete()
    if settings.evaluation == PLAYOUT or settings.plain:
        return Evaluation()
    try:
        file = built_in() if settings.network is None else read_networks(settings.network)
    except InputError as error:
        if settings.network is not None:
            raise
        return Evaluation(problem=str(error))
    if players not in file.networks:
        if settings.network is None:
            return Evaluation()
        raise InputError.one(
            settings.network, _("expected a network for {players} players, found none", players=players)
        )
    return Evaluation(file.networks[players], str(file))


def built_in() -> NetworkFile:
    return read_networks(BUILT_IN)


def read_networks(path: str) -> NetworkFile:
    """The networks of a file; InputError if it is not there, not a file of networks, or damaged."""
    if (data := carried(path)) is not None:
        return _read_carried(data, path)
    try:
        status = os.stat(path)
    except OSError as error:
        raise InputError.one(path, _("expected a file of networks: {error}", error=reason(error))) from None
    except ValueError as error:  # a name that no file can have
        raise InputError.one(path, _("expected a file of networks: {error}", error=error)) from None
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _read(path: str, changed: int, size: int) -> NetworkFile:
    if size > MOST_BYTES:
        raise InputError.one(path, _("expected at most {most:,} bytes, found more", most=MOST_BYTES))
    return parse_networks(_bytes_of(path), path)


@lru_cache(maxsize=8)
def _read_carried(data: bytes, path: str) -> NetworkFile:
    return parse_networks(data, path)


def network_file(settings: SearchSettings) -> dict[str, bytes]:
    """The file that they name, for a job to carry; nothing if that is the built-in one."""
    return {} if settings.network is None else {settings.network: _bytes_of(settings.network)}


def _bytes_of(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # a name that no file can have
        why = reason(error) if isinstance(error, OSError) else error
        raise InputError.one(path, _("expected a file of networks: {error}", error=why)) from None


def parse_networks(data: bytes, place: str) -> NetworkFile:
    head, _newline, numbers = data.removeprefix(MAGIC).partition(b"\n")
    damaged = InputError.one(place, _("expected an undamaged file of networks, found another one"))
    if not data.startswith(MAGIC):
        raise damaged
    try:
        told = json.loads(head)
        wanted = [(each["players"], each["shifts"]) for each in told["networks"]]
        name, length, checksum = str(told["name"]), told["bytes"], told["sha256"]
        right = _checksum(told, numbers)
        if not all(type(number) is int for players, shifts in wanted for number in (players, *shifts)):
            raise damaged
    except (ValueError, TypeError, KeyError, RecursionError):
        raise damaged from None
    if length != len(numbers) or checksum != right:
        raise damaged
    networks = {}
    at = 0
    try:
        for players, shifts in wanted:
            inputs, outputs = NETWORK_SIZES[players]
            sizes = layer_sizes(players)
            weights, biases = [], []
            for this, following in itertools.pairwise(sizes):
                weights.append(_native("h", numbers[at : at + 2 * this * following]))
                at += 2 * this * following
                biases.append(_native("i", numbers[at : at + 4 * following]))
                at += 4 * following
            networks[players] = Network(inputs, outputs, LARGEST_INPUT, shifts, weights, biases)
    except (ValueError, TypeError, LookupError, OverflowError):
        raise damaged from None
    if at != len(numbers) or len(networks) != len(wanted):
        raise damaged
    about = {key: value for key, value in told.items() if key not in ("name", "networks", "bytes", "sha256")}
    return NetworkFile(name, checksum, networks, about)


def layer_sizes(players: int) -> tuple[int, ...]:
    """Inputs, the two hidden layers, outputs."""
    inputs, outputs = NETWORK_SIZES[players]
    return inputs, *HIDDEN, outputs


def networks_to_bytes(name: str, networks: Mapping[int, Network], about: Mapping[str, Any]) -> bytes:
    """What `parse_networks` reads."""
    numbers = bytearray()
    for network in networks.values():
        _inputs, _outputs, _most, _shifts, weights, biases = network.made_of
        for layer in range(3):
            numbers += _little("h", weights[layer]) + _little("i", biases[layer])
    told: dict[str, Any] = {
        "name": name,
        "networks": [
            {
                "players": players,
                "inputs": network.made_of[0],
                "outputs": network.made_of[1],
                "shifts": network.made_of[3],
            }
            for players, network in networks.items()
        ],
        **about,
        "bytes": len(numbers),
    }
    told["sha256"] = _checksum(told, numbers)
    return MAGIC + json.dumps(told).encode() + b"\n" + bytes(numbers)


def _checksum(told: Mapping[str, Any], numbers: bytes | bytearray) -> str:
    """Of all that a file says."""
    rest = {key: value for key, value in told.items() if key != "sha256"}
    return sha256(json.dumps(rest, sort_keys=True).encode() + numbers).hexdigest()


def write_networks(path: str, name: str, networks: Mapping[int, Network], about: Mapping[str, Any]) -> None:
    write_whole(path, networks_to_bytes(name, networks, about))


def _native(kind: str, numbers: bytes) -> bytes:
    """Little-endian numbers in the machine's order."""
    if sys.byteorder == "little":
        return numbers
    turned = array(kind, numbers)
    turned.byteswap()
    return turned.tobytes()


_little = _native  # and back
