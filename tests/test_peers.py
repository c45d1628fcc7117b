"""`orbis bench peers` as a command; what it measures, with OpenSpiel's bots, is in test_openspiel.py."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator

import pytest

from orbis_search.measure import peers
from orbis_search.players.arena import Tally
from orbis_search.players.by_name import Simple, random_move
from program import Run

QUICK = ("bench", "peers", "--games", "2", "--sims", "4", "--time", "2ms")


def quick_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without OpenSpiel: somebody who plays at random sits in for each bot, and nothing is measured."""
    figure = peers.Figure("one.start", "one", 10.0, "/s", 12.0)
    monkeypatch.setattr(peers, "expect_openspiel", lambda: None)
    monkeypatch.setattr(peers, "prepare", lambda directory: None)
    monkeypatch.setattr(peers, "SpielPlayer", lambda peer: Simple(random_move))
    for measured in ("speeds", "scale"):
        monkeypatch.setattr(peers, measured, lambda seconds, seed, has_core: iter([figure]))


def test_matches_and_figures(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_peers(monkeypatch)
    done = run(*QUICK)
    assert done.code == 0
    lines = done.out.splitlines()
    assert [line.split("  ")[0] for line in lines[1:6]] == [
        "advisor:sims=4 against MCTSBot/core:sims=4",
        "advisor:time=0.002s against MCTSBot/core:time=0.002s",
        "advisor:sims=4 against ISMCTSBot/core:sims=4",
        "advisor:time=0.002s against ISMCTSBot/core:time=0.002s",
        "advisor:time=0.002s against MCTSBot/python:time=0.002s",
    ]
    assert lines[1].split()[3:] == ["2", "2", "0", "0", "100.0", "%", "34.2", "..", "100.0"]
    assert lines[6] == "" and lines[7].split() == lines[8].split() == ["one", "10", "/s", "best", "12"]
    told = json.loads(run(*QUICK, "--json").out)
    assert (told["kind"], told["core"], told["interrupted"], len(told["matches"])) == ("peers", True, False, 5)
    assert (told["matches"][0]["peer"], told["matches"][0]["won"]) == ("MCTSBot/core:sims=4", 2)


def test_without_a_compiler_the_python_game_is_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_peers(monkeypatch)
    monkeypatch.setattr(peers, "prepare", lambda directory: "no compiler today")
    done = run(*QUICK)
    assert done.code == 0 and "no compiler today" in done.err
    assert "MCTSBot/python:sims=4" in done.out and "/core" not in done.out


def test_a_match_without_a_whole_pair_says_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_peers(monkeypatch)
    whole = peers.play_match

    def stopped(peer: peers.Peer, rounds: int, seed: int) -> Iterator[Tally]:
        for tally in whole(peer, rounds, seed):
            yield tally
            if peer.seconds is not None:
                raise KeyboardInterrupt

    monkeypatch.setattr(peers, "play_match", stopped)
    done = run(*QUICK)
    assert done.code == 130 and [line.split()[0] for line in done.out.splitlines()[1:]] == ["advisor:sims=4"]


@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupted_run_gives_what_there_is(run: Run, monkeypatch: pytest.MonkeyPatch, as_json: bool) -> None:
    quick_peers(monkeypatch)
    whole = peers.play_match

    def stopped(peer: peers.Peer, rounds: int, seed: int) -> Iterator[Tally]:
        yield from whole(peer, 1 if peer.bot == "ISMCTSBot" else rounds, seed)
        if peer.bot == "ISMCTSBot":
            raise KeyboardInterrupt

    monkeypatch.setattr(peers, "play_match", stopped)
    done = run("bench", "peers", "--games", "4", "--sims", "4", "--time", "2ms", *(["--json"] if as_json else []))
    assert done.code == 130 and "interrupted" in done.err
    if as_json:
        told = json.loads(done.out)
        assert told["interrupted"] and [each["games"] for each in told["matches"]] == [4, 4, 2]
    else:
        assert [line.split()[3] for line in done.out.splitlines()[1:]] == ["4", "4", "2"]


def test_without_openspiel_it_names_the_extra(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    done = run("bench", "peers")
    assert done.code == 2 and done.out == "" and "[openspiel]" in done.err and len(done.err.splitlines()) == 1
