"""Makes every ending of this folder anew: `python tests/endgames/regenerate.py [NAME ...]`.

Each recipe says what makes its ending hard, as a condition on the exact values; games are tried by seed until one has
it. Values are those of the searches that look at everything: plain Python on the reference rules with one turn left
("plain"), the core's expectimax over all legal moves ("all legal moves") or, where these are too many, over those a
search looks at ("search moves"). Only what is out of reach for all three is valued by the solver itself ("solver").
Names of files or endings make only these. Takes some minutes; read the difference before keeping it: values change only
when the rules do, or a recipe below. `tiles.toml` is a frozen copy of our set.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from pathlib import Path
from random import Random

from orbis_search._core.orbis.core import ALL, SEARCH
from orbis_search._core.search.endgame import Solver
from orbis_search._core.search.exhaustive import Walker
from orbis_search.core.fast_rules import legal_moves
from orbis_search.core.packing import Packing, unpack_move
from orbis_search.game import rules
from orbis_search.game.position import Move, Options, Placed, Position
from orbis_search.game.problems import default_piles, problems
from orbis_search.game.vocabulary import REALM_LIMIT, TURNS, Effect, Face, God, Worshipers
from orbis_search.measure.verify_solver import everybodys, plain_values, play_one, preference, size, thin_out
from orbis_search.notation import format_move, read_oneline, write_oneline
from orbis_search.tileset.library import load_tile_set
from orbis_search.tileset.resolving import resolve_tile

FOLDER = Path(__file__).parent
OURS = "tiles.toml"
PLAIN_MOST = 300  # moves that plain Python has the patience for
SHOWN = 6  # moves whose value is written out; a sum stands for all of them
PLAIN, LEGAL, SEARCHED, SOLVER = "plain", "all legal moves", "search moves", "solver"
Values = tuple[Fraction, ...]


@dataclass(frozen=True)
class Recipe:
    name: str
    why: str
    needs: Callable[[Ending], bool]
    turns_left: int = 2
    players: int = 2
    tiles: str = OURS
    checked: str = LEGAL
    objective: str = "win"
    change: str = ""  # see CHANGES
    most: float = 150_000  # sequences to the end
    worshipers: tuple[int, int] = (2, 5)  # at most on a cell and in a realm
    late_gods: bool = False  # gods are left for the end ...
    late_mover: bool = False  # ... by the player who will be to move
    most_at_zero: bool = True

    @property
    def moves(self) -> str:
        return "search" if self.checked in (SEARCHED, SOLVER) else "legal"


class Ending:
    """A position with its values, which are only worked out when somebody asks."""

    def __init__(self, recipe: Recipe, position: Position) -> None:
        self.recipe, self.position = recipe, position
        self.who = position.to_move or 0

    @property
    def mover(self):
        return self.position.players[self.who]

    def with_options(self, **changes: bool) -> Ending:
        return Ending(self.recipe, self.position._replace(options=Options(**changes)))

    def of(self, objective: str) -> dict[Move, Values]:
        """Everybody's value of each move, by the solver: it is quick, and `brute_force` has the last word."""
        state = Packing(self.position).state
        moves = state.moves(SEARCH if self.recipe.moves == "search" else ALL)
        solver = Solver(state.game_state(), objective=objective, goal="all", moves=moves, memory=1 << 24)
        assert solver.run()
        found = {}
        for what, detail, low, high in solver.rows():
            assert low == high
            values = low
            if len(self.position.players) == 2:
                other = 1 - low if objective == "win" else -low
                values = (low, other) if self.who == 0 else (other, low)
            found[unpack_move((what, detail))] = values
        return found

    def brute_force(self) -> dict[Move, Values]:
        """The same by the search that looks at everything."""
        recipe = self.recipe
        if recipe.checked == PLAIN:
            found = plain_values(self.position, recipe.objective)
        elif recipe.checked == SOLVER:
            return self.values
        else:
            prune = SEARCH if recipe.moves == "search" else ALL
            walker = Walker(Packing(self.position).state.game_state(), prune, recipe.objective == "margin")
            found = {move: everybodys(value, recipe.objective) for move, value in walker.values()}
        return {unpack_move(move): values for move, values in found.items()}

    @cached_property
    def values(self) -> dict[Move, Values]:
        return self.of(self.recipe.objective)

    @cached_property
    def other_values(self) -> dict[Move, Values]:
        return self.of("margin" if self.recipe.objective == "win" else "win")

    def rank(self, move: Move) -> Values:
        return preference(self.values[move], self.who)

    @cached_property
    def best(self) -> set[Move]:
        top = max(map(self.rank, self.values))
        return {move for move in self.values if self.rank(move) == top}

    @property
    def value(self) -> Fraction:
        """The mover's, by best play."""
        return max(values[self.who] for values in self.values.values())

    @property
    def is_open(self) -> bool:
        """Moves differ, and nobody has won already."""
        own = {values[self.who] for values in self.values.values()}
        return len(own) > 1

    def tile(self, move: Move):
        return None if move.cell is None else self.position.centre[move.cell].tile

    def choices(self) -> dict[tuple, dict[Move, Fraction]]:
        """Moves by tile, slot, face and validation."""
        found: dict[tuple, dict[Move, Fraction]] = {}
        for move, values in self.values.items():
            key = move.cell, move.god, move.slot, move.wild, move.validated
            found.setdefault(key, {})[move] = values[self.who]
        return found

    def takes(self, effect: Effect, **how: bool) -> bool:
        """Every best move takes a tile of this effect, so played."""
        return all(
            move.cell is not None
            and self.tile(move).effect is effect
            and all(getattr(move, name) == value for name, value in how.items())
            for move in self.best
        )


# ------------------------------------------------------------------------------ what makes it hard


def the_god(god: God) -> Callable[[Ending], bool]:
    return lambda ending: ending.is_open and all(move.god is god for move in ending.best)


def not_yet_the_god(ending: Ending) -> bool:
    """A god could be taken now, and every best move leaves it for later."""
    gods = [move for move in ending.values if move.god is not None]
    regions = [move for move in ending.values if move.god is None]
    return bool(gods and regions) and ending.is_open and all(move.god is None for move in ending.best)


def a_god_not_a_region(ending: Ending) -> bool:
    regions = [move for move in ending.values if move.god is None]
    return bool(regions) and ending.is_open and all(move.god is not None for move in ending.best)


def tie_broken(ending: Ending) -> bool:
    """By best play the points are even, and worshipers decide."""
    margins = {ending.other_values[move][ending.who] for move in ending.best}
    return ending.is_open and ending.value in (0, 1) and margins == {0}


def tie_broken_by_keeping(ending: Ending) -> bool:
    """The same tile, slot and face wins or not by the worshipers that are left."""
    return any(
        len(set(of.values())) > 1 and max(of.values()) == ending.value
        for (cell, _, _, _, _), of in ending.choices().items()
        if cell is not None and ending.position.centre[cell].tile.effect is not Effect.VOLCANO
    ) and tie_broken(ending)


def shared(ending: Ending) -> bool:
    """Best play is a victory shared for sure."""
    return ending.is_open and ending.value == Fraction(1, len(ending.position.players))


def most_matters(ending: Ending) -> bool:
    """The other reading of "most" gives another value."""
    other = ending.with_options(most_at_zero=not ending.position.options.most_at_zero)
    return ending.is_open and other.value != ending.value


def objectives_differ(ending: Ending) -> bool:
    """No move is best for both objectives."""
    other = Ending(replace(ending.recipe, objective="margin"), ending.position)
    return ending.is_open and not ending.best & other.best


def village_cancelled(ending: Ending) -> bool:
    """A village that could be validated is better cancelled."""
    for (cell, god, slot, wild, validated), of in ending.choices().items():
        if cell is None or wild or validated or ending.position.centre[cell].tile.effect is not Effect.VILLAGE:
            continue
        paid = ending.choices().get((cell, god, slot, wild, True))
        if paid and max(of.values()) > max(paid.values()) and max(of.values()) == ending.value:
            return True
    return False


def volcano_choice(ending: Ending) -> bool:
    """The best move is a volcano, and with other worshipers removed it is worse."""
    for (cell, _, _, _, validated), of in ending.choices().items():
        if cell is None or not validated or ending.position.centre[cell].tile.effect is not Effect.VOLCANO:
            continue
        by_removal: dict[tuple, Fraction] = {}
        for move, value in of.items():
            by_removal[move.removed] = max(value, by_removal.get(move.removed, value))
        if len(set(by_removal.values())) > 1 and max(of.values()) == ending.value:
            return ending.takes(Effect.VOLCANO)
    return False


def farm_used(ending: Ending) -> bool:
    farms = {c for tile in rules.validated_tiles(ending.mover, Effect.FARM) for c in tile.colours}
    return ending.is_open and all(
        move.cell is not None and not move.wild and any(ending.tile(move).cost[c] for c in farms)
        for move in ending.best
    )


def exchange_needed(ending: Ending) -> bool:
    return ending.is_open and all("swap" in format_move(ending.position, move) for move in ending.best)


def wilderness_best(ending: Ending) -> bool:
    """Every best move is a wilderness, though tiles could lie face up."""
    up = [move for move in ending.values if move.cell is not None and not move.wild]
    return bool(up) and ending.is_open and all(move.wild for move in ending.best)


def temples_even(ending: Ending) -> bool:
    """Both have as many temples: the mystic values decide, and a white tile is in play."""
    temples = {rules.temple_count(player) for player in ending.position.players}
    white = all(move.cell is not None and ending.tile(move).mystic for move in ending.best)
    return len(temples) == 1 and temples != {0} and ending.is_open and white


def temple_best(ending: Ending) -> bool:
    return ending.is_open and ending.takes(Effect.TEMPLE, wild=False)


def mystic_only(ending: Ending) -> bool:
    """A best move takes a white tile without a temple, face up, and the same slot with another tile is worse."""
    return ending.is_open and all(
        move.cell is not None
        and not move.wild
        and ending.tile(move).mystic
        and ending.tile(move).effect is not Effect.TEMPLE
        for move in ending.best
    )


def forest_at_the_end(ending: Ending) -> bool:
    """A forest that lies already is decided by what is built beside it."""
    forests = [p for _, p in ending.mover.placed() if p.face is Face.UP and p.tile and p.tile.effect is Effect.FOREST]
    held = len(rules.validated_tiles(ending.mover, Effect.FOREST))
    return (
        ending.is_open
        and len(forests) > held
        and not any(move.cell is None or ending.tile(move).effect is Effect.FOREST for move in ending.best)
    )


def irrigation_judged(ending: Ending) -> bool:
    """A best move validates an irrigation that in another slot would be cancelled."""
    found: dict[int, set[bool]] = {}
    for move in legal_moves(ending.position, search=True):
        if move.cell is not None and not move.wild and ending.tile(move).effect is Effect.IRRIGATION:
            found.setdefault(move.cell, set()).add(move.validated)
    both = {cell for cell, judged in found.items() if len(judged) == 2}
    return bool(both) and ending.is_open and any(move.cell in both and move.validated for move in ending.best)


def gain_matters(ending: Ending) -> bool:
    """A best move gains worshipers, which only a later turn can use."""
    worth = [move for move in ending.best if move.cell is not None and not move.wild]
    return ending.is_open and any(ending.tile(move).effect is Effect.PROSELYTISM for move in worth)


def chance(ending: Ending) -> bool:
    """What is drawn decides: a value that is no simple fraction."""
    return (
        ending.is_open and ending.value.denominator >= 4 and ending.value.denominator % 2 == 0
    ) or ending.value.denominator > 6


def tie_rule(ending: Ending) -> bool:
    """Several moves are equal for the mover and not for the others: the tie rule chooses."""
    own = ending.value
    vectors = {values for values in ending.values.values() if values[ending.who] == own}
    return len(vectors) > 1


def kingmaker(ending: Ending) -> bool:
    """The mover cannot win any more and decides who does."""
    return ending.value == 0 and len(set(ending.values.values())) > 1


def limit_matters(ending: Ending) -> bool:
    """More than ten are in hand, and which go makes a difference."""
    return ending.is_open and any(
        len(set(of.values())) > 1 and all(move.realm.total == REALM_LIMIT for move in of)
        for of in ending.choices().values()
    )


def open_ended(ending: Ending) -> bool:
    return ending.is_open and 0 < ending.value < 1


def many_points(ending: Ending) -> bool:
    return ending.is_open and ending.value.denominator > 1


# ------------------------------------------------------------------------------ changes


def full_realm(where: Position, rng: Random) -> Position:
    """Nine or ten of any colours for the mover, who will have more than the limit."""
    chosen = [rng.randrange(5) for _ in range(10)]
    mover = where.players[where.to_move]._replace(realm=Worshipers(*(chosen.count(c) for c in range(5))))
    return where.with_player(where.to_move, mover)


def forgotten(where: Position, rng: Random) -> Position:
    """A wilderness in each universe whose front nobody remembers: more tiles may come than are left."""
    players = []
    for player in where.players:
        rows = [list(row) for row in player.rows]
        rows[2][0] = Placed(None, Face.WILD)
        players.append(player._replace(rows=tuple(tuple(row) for row in rows)))
    return where._replace(players=tuple(players), piles=default_piles(where.tiles, players, where.centre))


def described(where: Position, rng: Random) -> Position:
    old = where.centre[4].tile
    text = f"{old.colour.word} L{old.level} cost ra volcano 1 rgbyw 5cp"
    tile = resolve_tile(text, where.tiles, len(where.players))
    assert tile.described
    centre = list(where.centre)
    centre[4] = centre[4]._replace(tile=tile)
    where = where._replace(centre=tuple(centre))
    return where._replace(piles=default_piles(where.tiles, where.players, where.centre))


CHANGES = {"": lambda where, rng: where, "full realm": full_realm, "forgotten": forgotten, "described": described}


# ------------------------------------------------------------------------------ recipes

R = Recipe
RANDOM = "random"  # another set for each seed
RECIPES = {
    "last-turn": [
        R("last-exchange", "the winning tile can only be paid by an exchange", exchange_needed, 1, checked=PLAIN, worshipers=(2, 8)),
        R("last-exchange-random", "an exchange again, on a set unlike ours", exchange_needed, 1, tiles=RANDOM, checked=PLAIN, worshipers=(2, 8)),
        R("last-tie", "points are even by best play: the worshipers left decide", tie_broken, 1, checked=PLAIN),
        R("last-keep", "the same tile in the same slot wins or loses by what is paid and kept", tie_broken_by_keeping, 1, checked=PLAIN),
        R("last-shared", "no move wins alone, one shares the victory", shared, 1, checked=PLAIN),
        R("last-village-cancelled", "a village that could be validated is better cancelled: who pays loses the tie-break", village_cancelled, 1, tiles=RANDOM, checked=PLAIN),
        R("last-wilderness", "a wilderness, which is of every colour, does what no tile face up can", wilderness_best, 1, tiles=RANDOM, checked=PLAIN),
        R("last-forest", "a tile is taken for its colour only, beside a forest that waits for it", forest_at_the_end, 1, checked=PLAIN),
        R("last-irrigation", "an irrigation that the tiles under the last slot validate", lambda e: e.is_open and e.takes(Effect.IRRIGATION, validated=True), 1, checked=PLAIN),
        R("last-temples", "temples are even: the mystic value decides who takes which token", temples_even, 1, checked=PLAIN),
        R("last-death", "Death must be paid with six to win", the_god(God.DEATH), 1, checked=PLAIN, worshipers=(2, 10), late_gods=True),
        R("last-love", "only the god is left: Love's five break the tie", lambda e: the_god(God.LOVE)(e) or (tie_broken(e) and God.LOVE in e.position.gods and e.mover.god is None), 1, checked=PLAIN, late_gods=True),
        R("last-most-zero", "the god scores only where most is met at zero", lambda e: most_matters(e) and e.value > 0, 1, checked=PLAIN, late_gods=True),
        R("last-most-positive", "at zero nobody has the most: another move is best, or another result", most_matters, 1, checked=PLAIN, late_gods=True, most_at_zero=False),
        R("last-limit", "eleven or more in hand: ten are kept, and the tie-break counts them", lambda e: e.is_open and tie_broken(e), 1, checked=PLAIN, change="full realm", worshipers=(3, 10)),
        R("last-margin", "the most points ahead, wherever the victory goes", lambda e: e.is_open and len(e.best) == 1, 1, checked=PLAIN, objective="margin"),
        R("last-3", "the last of three players, the tie rule chooses who else gets something", tie_rule, 1, 3, checked=PLAIN),
        R("last-4", "the last of four cannot win and decides who does", kingmaker, 1, 4, checked=PLAIN),
        R("last-3-margin", "points ahead of the best other of two", lambda e: e.is_open, 1, 3, RANDOM, PLAIN, "margin"),
        R("last-4-shared", "a victory shared by several of four", lambda e: any(0 < v[e.who] < 1 for v in e.values.values()) and e.is_open, 1, 4, RANDOM, PLAIN),
    ],
    "two-turns": [
        R("two-objectives", "the move that wins most often is not the one that is most ahead", objectives_differ),
        R("two-objectives-random", "the two objectives part again, on a random set", objectives_differ, tiles=RANDOM),
        R("two-god-or-region", "the god first, though regions could be taken", a_god_not_a_region, 3, late_mover=True, worshipers=(1, 3)),
        R("two-god-later", "the god must wait: the region would be gone", not_yet_the_god, 3, late_mover=True, worshipers=(1, 3)),
        R("two-most-zero", "a god whose condition is met at zero", lambda e: most_matters(e), late_gods=True),
        R("two-most-positive", "the same question under the other reading", lambda e: most_matters(e), late_gods=True, most_at_zero=False),
        R("two-volcano", "which worshipers burn matters: the other needs them", volcano_choice, tiles=RANDOM, most=400_000),
        R("two-village", "a village better cancelled with a turn of the other to come", village_cancelled, tiles=RANDOM),
        R("two-tie", "points are even after both have moved: worshipers decide", tie_broken),
        R("two-farm", "the winning tile is affordable because of a farm", farm_used),
        R("two-temples", "a temple now decides the tokens", temple_best),
        R("two-mystic", "a white tile without a temple, for its mystic value", mystic_only, tiles=RANDOM),
        R("two-exchange", "an exchange is needed with the other still to move", exchange_needed, worshipers=(2, 7), most=400_000),
        R("two-limit", "which ten are kept decides", lambda e: e.is_open, change="full realm", worshipers=(3, 10), checked=SEARCHED, most=3e6),
        R("two-described", "a tile that no set lists", lambda e: e.is_open and e.value > 0, change="described"),
        R("two-forgotten", "three may come where one lies: what is gone is not known", lambda e: e.is_open, 2, tiles=OURS, change="forgotten"),
        R("two-margin", "points ahead, both moves to come", lambda e: e.is_open and len(e.best) == 1, objective="margin"),
        R("two-3", "three players, two to move: the second chooses by the tie rule", lambda e: tie_rule(e), 2, 3),
        R("two-3-margin", "three players, points ahead of the best other", lambda e: e.is_open, 2, 3, RANDOM, objective="margin"),
        R("two-4", "four players: who cannot win any more decides who does", kingmaker, 2, 4),
        R("two-4-random", "four players on a random set", lambda e: e.is_open, 2, 4, RANDOM),
    ],
    "more-turns": [
        R("three-chance", "what is drawn decides, and each draw otherwise", chance, 3, worshipers=(0, 1), most=3e6),
        R("three-chance-random", "the same on a random set", chance, 3, tiles=RANDOM, worshipers=(0, 1), most=3e6),
        R("three-irrigation", "the slot decides whether an irrigation counts", irrigation_judged, 3, worshipers=(1, 2), checked=SEARCHED, most=3e6),
        R("three-gain", "worshipers now for a tile two turns later", gain_matters, 3, tiles=RANDOM, worshipers=(1, 2), checked=SEARCHED, most=3e6),
        R("three-tie", "even on points three turns later", tie_broken, 3, worshipers=(1, 2), most=3e6),
        R("three-margin", "expected points ahead are a fraction", many_points, 3, objective="margin", worshipers=(1, 2), most=3e6),
        R("three-3", "three players, a whole round", open_ended, 3, 3, worshipers=(0, 1), most=3e6),
        R("four-search", "four turns, two rounds: over the moves a search looks at", open_ended, 4, worshipers=(0, 1), checked=SEARCHED, most=3e6),
        R("four-margin", "four turns and points", many_points, 4, objective="margin", worshipers=(0, 0), checked=SEARCHED, most=3e6),
        R("four-full", "four turns with everybody's worshipers: too many lines to look at them all", open_ended, 4, worshipers=(9, 10), checked=SOLVER, most=1e30),
        R("four-full-margin", "the same for points, with a god to take", many_points, 4, objective="margin", worshipers=(9, 10), checked=SOLVER, most=1e30, late_gods=True),
        R("five-full", "five turns, the first player to move last", open_ended, 5, worshipers=(2, 4), checked=SOLVER, most=1e30),
    ],
}  # fmt: skip


# ------------------------------------------------------------------------------ positions


def played(recipe: Recipe, rng: Random, seed: int) -> Position:
    tiles = f"random:{seed}" if recipe.tiles == RANDOM else recipe.tiles
    start = rules.new_game(load_tile_set(tiles, FOLDER), recipe.players, rng)
    start = start._replace(options=Options(most_at_zero=recipe.most_at_zero))
    packing = Packing(start)
    for _ in range(TURNS * recipe.players - recipe.turns_left):
        mover = (TURNS * recipe.players - recipe.turns_left) % recipe.players
        play_one(packing.state, rng, recipe.late_gods or (recipe.late_mover and packing.state.to_move == mover))
    return packing.position(packing.state)


def found(recipe: Recipe) -> Ending:
    for seed in count(1):
        rng = Random(f"{recipe.name} {seed}")
        where = thin_out(played(recipe, rng, seed), *recipe.worshipers, rng)
        where = CHANGES[recipe.change](where, rng)
        if problems(where):
            continue
        most = PLAIN_MOST if recipe.checked == PLAIN else recipe.most
        prune = SEARCH if recipe.checked == SEARCHED else ALL
        if recipe.checked != SOLVER and size(where, recipe.turns_left, rng, prune=prune) > most:
            continue
        ending = Ending(recipe, where)
        if recipe.needs(ending):
            return ending
        if seed > 20_000:
            sys.exit(f"{recipe.name}: no seed up to {seed} has it")


def value_text(values: Values, who: int) -> str:
    """Of two players the mover's value says all."""
    if len(values) == 2:
        return f'"{values[who]}"'
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"


def table(ending: Ending) -> str:
    recipe, where, who = ending.recipe, ending.position, ending.who
    line = write_oneline(where).strip()
    assert read_oneline(line, recipe.name, FOLDER) == where, recipe.name
    order = sorted(ending.values, key=lambda move: (ending.rank(move), format_move(where, move)), reverse=True)
    firsts = list({ending.values[move]: move for move in reversed(order)}.values())[::-1]  # of each value
    shown = sorted({*firsts[:SHOWN], *order[: max(0, SHOWN - len(firsts))]}, key=order.index)
    if ending.brute_force() != ending.values:
        sys.exit(f"{recipe.name}: solver and brute force differ on {line}")
    total = tuple(sum(each, Fraction(0)) for each in zip(*ending.values.values()))
    lines = [
        "[[ending]]",
        f'name = "{recipe.name}"',
        f'why = "{recipe.why}"',
        f'line = "{line}"',
        f'objective = "{recipe.objective}"',
        f'checked = "{recipe.checked}"',
        f'moves = "{recipe.moves}"',
        f"count = {len(ending.values)}",
        f"sum = {value_text(total, who)}  # over all those moves",
        f"best = {value_text(ending.values[order[0]], who)}",
        "values = [",
        *(f'  ["{format_move(where, move)}", {value_text(ending.values[move], who)}],' for move in shown),
        "]",
    ]
    return "\n".join(lines) + "\n"


def kept(path: Path) -> dict[str, str]:
    """The tables that a file has already, by name."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    tables = ["[[ending]]" + part.rstrip() + "\n" for part in text.split("[[ending]]")[1:]]
    return {table.split('"')[1]: table for table in tables}


def main() -> None:
    wanted = set(sys.argv[1:])
    for name, recipes in RECIPES.items():
        path = FOLDER / f"{name}.toml"
        head = (
            f"# Endings, {name.replace('-', ' ')}, with exact values: python tests/endgames/regenerate.py\n"
            "# A value is the mover's of two players, everybody's of more; `checked` says by which search.\n"
        )
        tables = kept(path)
        for recipe in recipes:
            if wanted and not wanted & {name, recipe.name}:
                continue
            start = time.perf_counter()
            tables[recipe.name] = table(found(recipe))
            print(f"{recipe.name:24} {time.perf_counter() - start:6.1f} s", file=sys.stderr, flush=True)
            there = [tables[each.name] for each in recipes if each.name in tables]
            path.write_text("\n".join([head, *there]), encoding="utf-8")


if __name__ == "__main__":
    main()
