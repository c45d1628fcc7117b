"""Fifty tabs at once on `orbis web`: how long a list of moves takes, and whether memory stays.

    python benchmarks/web_load.py                      a minute; prints the 50th, 95th and 99th percentile
    python benchmarks/web_load.py --clients 10 --seconds 5 --searching 2

Each tab asks for the moves of a position twice a second, one time in ten with something malformed; some search all the
time, and some come and go. Every message must be answered. Run it on a machine that is otherwise idle.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

from orbis_search import load_tile_set, new_game, play_on, write_oneline

EVERY = 0.5  # seconds between two questions of a tab


def positions() -> list[str]:
    start = new_game(load_tile_set(), 2, random.Random(1))
    return [
        write_oneline(play_on(start, turns=turns, seed=turns, style="sensible")).strip() for turns in range(0, 28, 3)
    ]


def resident(process: subprocess.Popen[str]) -> int:
    """Megabytes."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


async def final(tab: ClientConnection, request: dict[str, object] | str) -> dict[str, object]:
    await tab.send(request if isinstance(request, str) else json.dumps(request))
    while True:
        answer: dict[str, object] = json.loads(await tab.recv())
        if answer["final"]:
            return answer


class Load:
    """What all tabs share."""

    def __init__(self, address: str, until: float) -> None:
        self.address, self.until = address, until
        self.lines = positions()
        self.waits: list[float] = []
        self.searches = self.malformed = 0


async def client(number: int, load: Load, searching: bool) -> None:
    rng, address, until = random.Random(number), load.address, load.until
    socket = address.replace("http", "ws") + "engine"
    while perf_counter() < until:
        async with connect(socket, origin=address.rstrip("/"), max_size=None, proxy=None) as tab:  # type: ignore[arg-type]
            leaves = perf_counter() + rng.uniform(5, 30)
            while perf_counter() < min(until, leaves):
                if searching:
                    search = {"action": "advise", "seconds": 2, "report_every": 0.2}
                    await final(tab, {"id": 1, "position": rng.choice(load.lines), **search})
                    load.searches += 1
                    continue
                await asyncio.sleep(rng.uniform(0, 2 * EVERY))
                if rng.random() < 0.1:
                    answer = await final(tab, '{"id": 1, "action": "moves", "position": ')
                    assert "error" in answer
                    load.malformed += 1
                    continue
                begin = perf_counter()
                answer = await final(tab, {"id": 1, "action": "moves", "position": rng.choice(load.lines), "limit": 5})
                load.waits.append(perf_counter() - begin)
                assert "result" in answer


async def run(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-P",
            "-m",
            "orbis_search.cli.main",
            "web",
            "--no-open",
            "--port",
            "0",
            "--json",
            "--folder",
            folder,
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                told = ""
                while not told.endswith("}\n"):
                    line = process.stdout.readline()
                    assert line, "expected an address, found that the server ended"
                    told += line
                address = json.loads(told)["address"]
                assert urlsplit(address).port
                memory = []
                load = Load(address, 0.0)
                until = load.until = perf_counter() + options.seconds
                tabs = [
                    asyncio.create_task(client(number, load, number < options.searching))
                    for number in range(options.clients)
                ]
                while perf_counter() < until:
                    await asyncio.sleep(options.seconds / 8)
                    memory.append(resident(process))
                await asyncio.gather(*tabs)
            finally:
                process.terminate()
    waits = sorted(load.waits)
    at = {share: 1000 * waits[min(len(waits) - 1, int(share * len(waits)))] for share in (0.5, 0.95, 0.99)}
    print(f"{options.clients} clients for {options.seconds:g} s, {options.searching} of them searching all the time")
    print(f"{len(waits)} lists of moves, {load.malformed} malformed, {load.searches} searches: all answered")
    print("moves, ms: " + ", ".join(f"{100 * share:.0f} % within {value:.1f}" for share, value in at.items()))
    print("resident MB:", *memory)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--searching", type=int, default=0)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
