"""Whatever is read of Master of Orion, and wherever from: an answer, or a problem that says what is wrong. Never anything
else.

    ORBIS_READER_CASES=100000 pytest -s tests/test_orion_fuzz.py

Inputs are numbered (ORBIS_READER_FIRST), and number n is the same one every time. What is printed, and how a case is
watched, is as in test_reader_fuzz.py.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import fields
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from strange_inputs import Strange, json_of, toml_of
from test_reader_fuzz import CASES, FIRST, Worst, _short

from orbis_search.base.dice import Dice
from orbis_search.cli.main import main
from orbis_search.matches.files import head_of
from orbis_search.orion.cards.files import dump_card_set, parse_card_set, template_text
from orbis_search.orion.cards.library import load_card_set
from orbis_search.orion.game.counting import standings
from orbis_search.orion.game.knowledge import complete, seen_by
from orbis_search.orion.game.problems import problems
from orbis_search.orion.game.rules import by_dice, draw, legal_moves, new_game, play
from orbis_search.orion.notation import read_position
from orbis_search.orion.notation.json import write_json
from orbis_search.orion.notation.moves import format_move, parse_move
from orbis_search.orion.notation.oneline import write_oneline
from orbis_search.orion.notation.toml import write_toml
from orbis_search.orion.players import arena
from orbis_search.orion.players.by_name import parse_player
from orbis_search.orion.players.session import new_game as new_table
from orbis_search.orion.players.session import parse_seat, take_up
from orbis_search.orion.record.text import read_record, record_text

MAIN_CASES = max(20, CASES // 50)  # whole commands


def sound_positions() -> list[Any]:
    """From games on our cards and on random ones: decisions, draws, pending effects, the end; as the table and as one
    player sees them."""
    found = []
    for seed in range(4):
        cards = load_card_set() if seed % 2 else load_card_set(f"random:{seed}")
        races = [race.id for race in cards.races][: 2 + seed % 3]
        dice = Dice(seed)
        position = new_game(cards, races, dice, names=["Anna", "", "Bö ?:/", "=+@"][: len(races)])
        while not position.is_over:
            if dice.chance(0.02) or (position.stack and dice.chance(0.03)):
                found += [position, seen_by(position, 0)]
            if position.draw_due:
                position = draw(position, by_dice(dice)(position))
            else:
                position = play(position, dice.one_of(legal_moves(position)))
        found.append(position)
    return found


class Readers:
    """For each kind of input: how a strange one is made, and what reads it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.positions = sound_positions()
        self.deciding = [each for each in self.positions if each.to_move is not None and each.is_complete]
        self.toml = [write_toml(each) for each in self.positions]
        self.lines = [write_oneline(each) for each in self.positions]
        self.trees = [json.loads(write_json(each)) for each in self.positions]
        self.cards = [dump_card_set(load_card_set(spec)) for spec in ("reconstruction", "random:3")]
        self.cards.append(template_text(load_card_set()))
        self.records = [self._record(seed) for seed in range(2)]
        match = arena.make_match(["random", "random"], seed=3)
        played = [{each.name: getattr(game, each.name) for each in fields(game)} for game in arena.play_match(match, 1)]
        self.match = json.loads(json.dumps([head_of(match), *played]))
        self.specs = ["random", "sensible", "flat:sims=20", "flat:time=0.2s", "advisor:sims=3,threads=2", "level:3"]
        self.specs += ["beginner", "full:time=1s", "Anna=casual", "me", "Bo"]
        self.commands = [
            ["orion", "check", "FILE"],
            ["orion", "check", "FILE", "--json"],
            ["orion", "show", "FILE", "--oneline", "--seen-by", "1"],
            ["orion", "moves", "FILE", "--limit", "2"],
            ["orion", "apply", "FILE", "research", "--seed", "1"],
            ["orion", "cards", "check", "FILE"],
            ["orion", "advise", "FILE", "--sims", "1", "--seed", "1"],
            ["orion", "new", "--seed", "3", "--races", "humans,psilons", "--first", "2"],
            ["orion", "arena", "random", "random", "--games", "1", "--cards", "FILE", "--threads", "1"],
            ["orion", "arena", "--replay", "FILE"],
            ["orion", "play", "random", "random", "--seed", "1", "--record", "g.orion", "--cards", "FILE"],
        ]
        self.kinds: dict[str, Callable[[Strange], tuple[Any, Callable[[], object]]]] = {
            "position in TOML": self.position_toml,
            "position in JSON": self.position_json,
            "position in one line": self.position_line,
            "move": self.move,
            "card set": self.card_set,
            "record": self.record,
            "arena file": self.arena_file,
            "player": self.player,
        }

    @staticmethod
    def _record(seed: int) -> str:
        game = new_table([parse_seat("me"), parse_seat("Bo")], load_card_set(), seed)
        dice = Dice(seed)
        while not game.is_over and len(game.record.turns) < 40:
            game.play(dice.one_of(legal_moves(game.position)))
        return record_text(game.record)

    def case(self, number: int) -> tuple[str, Any, Callable[[], object]]:
        kind = list(self.kinds)[number % len(self.kinds)]
        return kind, *self.kinds[kind](Strange(number))

    def _used(self, data: str | bytes, name: str) -> None:
        """What was accepted is sound: it can be written, looked at and played on."""
        position = read_position(data, name, self.folder)
        assert problems(position) == []
        assert read_position(write_oneline(position), base_dir=self.folder) == position
        standings(position)
        guess = complete(position, Dice(1))
        assert guess.is_complete
        if guess.to_move is not None:
            play(guess, legal_moves(guess)[0])
        elif guess.draw_due and guess.deck:
            draw(guess, guess.deck[0])

    def position_toml(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        text = strange.of(self.toml)
        if strange.chance.random() < 0.5:
            data = strange.encoded(strange.text(text))
        else:
            data = strange.encoded(toml_of(strange.tree(tomllib.loads(text))))
        return data, lambda: self._used(data, "p.toml")

    def position_json(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        text = json_of(strange.tree(strange.of(self.trees)))
        text = text if strange.chance.random() < 0.7 else strange.text(text)
        return text, lambda: self._used(text, "p.json")

    def position_line(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        text = strange.text(strange.of(self.lines))
        return text, lambda: self._used(text, "position")

    def move(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        position = strange.of(self.deciding)
        moves = legal_moves(position)
        text = strange.text(format_move(position, strange.of(moves)))

        def read() -> None:
            assert parse_move(text, position) in moves

        return text, read

    def card_set(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        text = strange.of(self.cards)
        if strange.chance.random() < 0.5:
            changed = strange.text(text)
        else:
            try:
                changed = toml_of(strange.tree(tomllib.loads(text)))
            except tomllib.TOMLDecodeError:  # a template has gaps
                changed = strange.text(text)

        def read() -> None:
            cards = parse_card_set(changed, "c.toml", "c.toml")
            assert parse_card_set(dump_card_set(cards), "c.toml") == cards

        return changed, read

    def record(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        data = strange.encoded(strange.text(strange.of(self.records)))
        return data, lambda: take_up(read_record(data, "g.orion", self.folder), "g.orion")

    def arena_file(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        lines = list(self.match)
        at = strange.chance.randrange(len(lines))
        lines[at] = strange.tree(lines[at])
        data = strange.encoded("".join(json_of(line) + "\n" for line in lines))

        def read() -> None:
            _match, played, _end = arena.games_of(data, "match.jsonl")
            for game in played[:1]:
                arena.replay(game)

        return data, read

    def player(self, strange: Strange) -> tuple[Any, Callable[[], object]]:
        text = strange.text(strange.of(self.specs))
        return text, lambda: (parse_player if len(text) % 2 else parse_seat)(text)


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Readers:
    return Readers(tmp_path_factory.mktemp("orion"))


def test_every_reader_answers_or_says_what_is_wrong(readers: Readers) -> None:
    worst = Worst()
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


def test_every_command_line_ends_well(readers: Readers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 0, or 2 with what is wrong on standard error; nothing else is written then."""
    monkeypatch.chdir(tmp_path)
    refused = 0
    for number in range(FIRST, FIRST + MAIN_CASES):
        strange = Strange(-1 - number)
        words = list(strange.of(readers.commands))
        text = strange.text(strange.of((*readers.toml, *readers.lines, *readers.cards)))
        (tmp_path / "FILE").write_bytes(strange.encoded(text))
        if strange.chance.random() < 0.4:
            at = strange.chance.randrange(1, len(words))
            # What a shell can pass on: no null, and no half of a character.
            words[at] = strange.text(words[at]).replace("\0", "").encode("utf-8", "replace").decode()
        out, err = StringIO(), StringIO()
        (tmp_path / "g.orion").unlink(missing_ok=True)
        with redirect_stdout(out), redirect_stderr(err):
            code = main(words)
        assert code in (0, 2), f"line {number}: {words} gave {code}: {err.getvalue()}"
        assert "Traceback" not in err.getvalue()
        if code == 2:
            refused += 1
            assert err.getvalue().startswith(("orbis: ", "Usage: ")) or "--json" in words, f"line {number}: {words}"
    assert refused > MAIN_CASES // 4
