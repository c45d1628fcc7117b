"""Orbis as a game of OpenSpiel: `pip install 'orbis-search[openspiel]'`.

Importing this module registers the game `python_orbis` with pyspiel:

    import pyspiel
    import orbis_search.openspiel

    game = pyspiel.load_game("python_orbis(players=3,seed=1)")

    players      2 to 4
    tiles        a tile set: a built-in name, random:SEED or a file; the default set if it is empty
    seed         of the layout; -1, the default, lets chance nodes deal tiles and gods
    start        a position to start from, as `start_of` writes it; then the four above are not looked at
    moves        all: every legal move; search: without those that a search need not look at
    information  perfect, or imperfect for algorithms that take no other game

A turn is a sequence of decisions by one player: the tile and how it lies, the place, what a volcano removes, the realm
left over; `_core/orbis/steps.pxd` has their numbers. A refill is a chance node. Nobody has a hidden hand, and what the
piles hold is known to everybody; as their order is decided when a tile is drawn, this is a game of perfect information
with chance. The winner gets the number of players less one, the others -1; a shared victory is shared.

`load_core` compiles a C++ twin of this game, `orbis`, that runs on the core alone; it takes the same parameters, but
deals by a seed only.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, unquote

import numpy
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from .core.packing import Packing
from .core.states import ALL, NOTHING, SEARCH, PackedState
from .core.steps import ACTION_COUNT, StepState, action_text
from .game.position import Placed, Player, Position
from .game.rules import new_game
from .game.tiles import DEFAULT_TILE_SET
from .game.vocabulary import CELLS, REGION_TURNS, SET_UP, TURNS, Face, God
from .notation import read_position, write_oneline
from .tileset.library import load_tile_set

NAME, CORE_NAME = "python_orbis", "orbis"
WHOLE = 12  # a victory
STEPS_PER_TURN = 13  # at most: tile, place, ten removals, realm
MOVES = {"all": ALL, "search": SEARCH}
INFORMATION = {
    "perfect": pyspiel.GameType.Information.PERFECT_INFORMATION,
    "imperfect": pyspiel.GameType.Information.IMPERFECT_INFORMATION,
}
PARAMETERS: dict[str, Any] = {
    "players": 2,
    "tiles": "",
    "seed": -1,
    "start": "",
    "moves": "all",
    "information": "perfect",
}


def start_of(position: Position) -> str:
    """A position as the parameter `start`; game strings give commas and brackets a meaning of their own."""
    return quote(write_oneline(position), safe="")


def _game_type(information: str) -> Any:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Orbis",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=INFORMATION[information],
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class Setting:
    """What the parameters of a game say, read once."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        given = PARAMETERS | dict(parameters)
        self.moves, self.information = given["moves"], given["information"]
        for name, choice in (("moves", MOVES), ("information", INFORMATION)):
            if given[name] not in choice:
                raise ValueError(f"{name}: expected one of {', '.join(choice)}, found {given[name]!r}")
        if given["start"]:
            position = read_position(unquote(given["start"]), "start")
        elif given["players"] not in SET_UP:
            raise ValueError(f"players: expected 2 to 4, found {given['players']}")
        else:
            rng = Random(max(0, given["seed"]))
            position = new_game(load_tile_set(given["tiles"] or DEFAULT_TILE_SET), given["players"], rng)
        self.players = len(position.players)
        self.packing = Packing(position)
        self.beginning: Dealing | StepState = self.steps()
        if not given["start"] and given["seed"] < 0:
            self.beginning = Dealing()
            self.packing.pile_numbers = list(range(len(self.packing.tiles)))  # any of them may come to lie in a pile

    def steps(self, state: PackedState | None = None) -> StepState:
        return StepState(state or self.packing.state, MOVES[self.moves])


class Dealing:
    """The set-up by chance: nine tiles of level 1, one cell after the other, then the gods."""

    def __init__(self, tiles: tuple[int, ...] = (), gods: tuple[int, ...] = ()) -> None:
        self.tiles, self.gods = tiles, gods

    def __deepcopy__(self, memo: object) -> Dealing:
        return self  # never changed

    @property
    def is_of_tiles(self) -> bool:
        return len(self.tiles) < len(CELLS)

    def outcomes(self, packing: Packing) -> list[int]:
        if self.is_of_tiles:
            lowest = [number for number, tile in enumerate(packing.tiles) if tile.level == 1]
            return [number for number in lowest if number not in self.tiles]
        return [god for god in God if god not in self.gods]

    def after(self, outcome: int, setting: Setting) -> Dealing | StepState:
        tiles = (*self.tiles, outcome) if self.is_of_tiles else self.tiles
        gods = self.gods if self.is_of_tiles else (*self.gods, outcome)
        if len(gods) < SET_UP[setting.players].gods:
            return Dealing(tiles, gods)
        template = setting.packing.state
        _, worshipers, players, _, left, _ = template.fields()
        unseen = [number for number in range(len(setting.packing.tiles)) if number not in tiles]
        face_up = sum(1 << god for god in gods)
        return setting.steps(PackedState(template.table, tiles, worshipers, players, face_up, left, unseen))


@lru_cache(maxsize=64)
def setting_of(items: tuple[tuple[str, Any], ...]) -> Setting:
    """Parameters as sorted pairs."""
    return Setting(dict(items))


class OrbisGame(pyspiel.Game):
    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        setting = setting_of(tuple(sorted((params or {}).items())))
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTION_COUNT,
            max_chance_outcomes=max(len(setting.packing.tiles), len(God)),
            num_players=setting.players,
            min_utility=-1.0,
            max_utility=setting.players - 1.0,
            utility_sum=0.0,
            max_game_length=TURNS * STEPS_PER_TURN * setting.players,
        )
        super().__init__(_game_type(setting.information), info, params or {})

    @property
    def setting(self) -> Setting:
        """Not kept as an attribute of its own: of a game out of a pickle pyspiel keeps the parameters alone."""
        found: Setting | None = self.__dict__.get("_setting")
        if found is None:
            found = self._setting = setting_of(tuple(sorted(self.get_parameters().items())))
        return found

    def new_initial_state(self) -> OrbisState:
        return OrbisState(self, self.setting.beginning)

    def max_chance_nodes_in_history(self) -> int:
        players = self.setting.players
        return len(CELLS) + SET_UP[players].gods + REGION_TURNS * players

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if params:
            raise ValueError(f"expected no parameters of an observer, found {params}")
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return IIGObserverForPublicInfoGame(iig_obs_type, params)
        return TableObserver(self.setting)


class OrbisState(pyspiel.State):
    """What pyspiel copies, pickles and compares is the one attribute `at`: the core's state, or the dealing."""

    def __init__(self, game: OrbisGame, at: Dealing | StepState) -> None:
        super().__init__(game)
        self.at = at if isinstance(at, Dealing) else at.copy()

    @property
    def setting(self) -> Setting:
        setting: Setting = self.get_game().setting
        return setting

    def current_player(self) -> int:
        decider = -2 if isinstance(self.at, Dealing) else self.at.decider
        if decider >= 0:
            return decider
        who: int = pyspiel.PlayerId.CHANCE if decider == -2 else pyspiel.PlayerId.TERMINAL
        return who

    def is_terminal(self) -> bool:
        return isinstance(self.at, StepState) and self.at.decider == -1

    def _legal_actions(self, player: int) -> list[int]:
        assert isinstance(self.at, StepState)
        return self.at.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        at = self.at
        outcomes = at.outcomes(self.setting.packing) if isinstance(at, Dealing) else at.legal()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        if isinstance(self.at, Dealing):
            self.at = self.at.after(action, self.setting)
        else:
            self.at.apply(action)

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.num_players()
        assert isinstance(self.at, StepState)
        shares = self.at.shares()
        return [len(shares) * share / WHOLE - 1 for share in shares]

    def resample_from_infostate(self, player_id: int, rng: Any = None) -> OrbisState:
        """Nothing is hidden: the order of the piles is decided when a tile is drawn."""
        twin: OrbisState = self.clone()
        return twin

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return action_text(action)
        if isinstance(self.at, Dealing) and not self.at.is_of_tiles:
            return f"god {God(action).word}"
        return f"draw {self.setting.packing.tiles[action].id}"

    def __str__(self) -> str:
        packing = self.setting.packing
        if isinstance(self.at, Dealing):
            dealt = [packing.tiles[number].id for number in self.at.tiles]
            return " ".join(["dealt", *dealt, *(God(god).word for god in self.at.gods)])
        lines = list(_table_lines(packing.position(self.at.packed())))
        lines += [" ".join(["steps", *map(action_text, self.at.taken())])]
        return "\n".join(lines)


def _table_lines(position: Position) -> list[str]:
    """The whole table. The one-line form of a position would not do: it cannot be without a tile."""
    cells = (f"{cell.tile.id if cell.tile else '.'}+{cell.worshipers}" for cell in position.centre)
    piles = (" ".join([str(pile.left), *(tile.id for tile in pile.tiles)]) for pile in position.piles)
    gods = (god.word for god in position.gods)
    lines = [" ".join(["centre", *cells]), " ".join(["gods", *gods]), "piles " + " / ".join(piles)]
    return lines + [f"player {i}: {_player_words(player)}" for i, player in enumerate(position.players)]


def _player_words(player: Player) -> str:
    god = "-" if player.god is None else player.god.word + ("" if player.god_validated else "!")
    rows = (" ".join(map(_placed_word, row)) for row in player.rows)
    return f"{player.realm} {god} " + " / ".join(rows)


def _placed_word(placed: Placed | None) -> str:
    if placed is None:
        return "."
    name = placed.tile.id if placed.tile else "?"
    return {Face.WILD: f"({name})", Face.CANCELLED: f"{name}!", Face.UP: name}[placed.face]


class TableObserver:
    """All that lies on the table, as a text and as numbers; players from the observer on, in turn order."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        tiles, players = len(setting.packing.tiles), setting.players
        shapes = {
            "centre": (len(CELLS), tiles + 5),  # the tile, the worshipers on it by colour
            "universes": (players, 14, tiles + 3),  # the tile, whether there is one, wilderness, cancelled
            "realms": (players, 5),
            "gods": (players, len(God) + 1),  # the god, and whether it is validated
            "gods_face_up": (len(God),),
            "piles": (tiles,),
            "piles_left": (3,),
            "decider": (players,),
            "steps": (ACTION_COUNT - 3003,),  # of this turn so far, by number
        }
        sizes = {name: int(numpy.prod(shape)) for name, shape in shapes.items()}
        self.tensor = numpy.zeros(sum(sizes.values()), numpy.float32)
        self.dict: dict[str, Any] = {}
        at = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[at : at + sizes[name]].reshape(shape)
            at += sizes[name]

    def set_from(self, state: OrbisState, player: int) -> None:
        self.tensor.fill(0)
        out, count = self.dict, self._setting.players
        if isinstance(state.at, Dealing):
            for cell, number in enumerate(state.at.tiles):
                out["centre"][cell, number] = 1
            out["gods_face_up"][list(state.at.gods)] = 1
            return
        centre, worshipers, players, gods, left, unseen = state.at.packed().fields()
        out["centre"][:, -5:] = worshipers
        for cell, number in enumerate(centre):
            if number != NOTHING:
                out["centre"][cell, number] = 1
        for i in range(count):
            slots, wild, cancelled, realm, god, validated = players[(player + i) % count]
            universe = out["universes"][i]
            for slot, number in enumerate(slots):
                if number != NOTHING:
                    universe[slot, number] = 1
                universe[slot, -3:] = number != NOTHING or wild >> slot & 1, wild >> slot & 1, cancelled >> slot & 1
            out["realms"][i] = realm
            if god is not None:
                out["gods"][i, [god, -1]] = 1, validated
        out["gods_face_up"][:] = [gods >> god & 1 for god in God]
        out["piles"][unseen] = 1
        out["piles_left"][:] = left
        if state.at.decider >= 0:
            out["decider"][(state.at.decider - player) % count] = 1
        for step in state.at.taken():
            out["steps"][step] += 1

    def string_from(self, state: OrbisState, player: int) -> str:
        return str(state)


pyspiel.register_game(_game_type("perfect"), OrbisGame)


# ---- the C++ twin ------------------------------------------------------------------------------------


def core_start(**parameters: Any) -> tuple[Any, int, int, int, int, int, int]:
    """Asked by the C++ game: the start as (object to keep, its four addresses, players, pruning rules)."""
    if parameters["seed"] < 0:
        raise ValueError("seed: expected 0 or more, as this game is dealt by a seed, found a negative number")
    setting = setting_of(tuple(sorted(parameters.items())))
    steps = setting.steps()
    return steps, *steps.addresses(), setting.players, steps.prune


def load_core(directory: str | Path) -> Path:
    """Registers the C++ game `orbis`; compiled into the directory if it is not there yet.

    It is compiled against the headers that pyspiel comes with, and linked to it: the classes are the same.
    OSError or CalledProcessError if there is no compiler that can do it.
    """
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_loader
    from sysconfig import get_config_var

    library = Path(directory) / f"_orbis_openspiel{get_config_var('EXT_SUFFIX')}"
    if CORE_NAME not in pyspiel.registered_names():
        if not library.exists():
            _compile_core(library)
        loader = ExtensionFileLoader("_orbis_openspiel", str(library))
        spec = spec_from_loader(loader.name, loader)
        assert spec is not None
        loader.exec_module(module_from_spec(spec))
    return library


def _compile_core(library: Path) -> None:
    import os
    import shlex
    import subprocess
    from sysconfig import get_path

    spiel = Path(pyspiel.__file__)
    own = spiel.parent / "open_spiel"
    includes = (spiel.parent, own / "abseil-cpp", own / "json/include", get_path("include"))
    compiler = shlex.split(os.environ.get("CXX", "c++"))
    part = library.with_suffix(".part")
    with as_file(files(__package__) / "data" / "openspiel" / "orbis_game.cc") as source:
        command = [*compiler, "-std=c++20", "-O2", "-DNDEBUG", "-fPIC", "-shared", str(source), "-o", str(part)]
        command += [f"-I{include}" for include in includes] + [str(spiel)]
        subprocess.run(command, check=True, capture_output=True, text=True)
    part.replace(library)  # so that a library that is there is whole
