"""Random tile sets: valid, playable, and free of everything we merely guess about the real box.

Colours and effects are not tied to each other, a colour may be rare, there may be many farms or none.
Whatever works on these works on any box.
"""

from __future__ import annotations

import string
from collections import Counter

from ..base.dice import Dice
from ..base.options import SEED, expect
from ..game.tiles import RANDOM_PREFIX, Tile, TileSet
from ..game.vocabulary import LEVEL_SIZES, LEVELS, NOBODY, STAR_COUNTS, Colour, Effect, Star, Worshipers

# How often an effect comes up, by level: gains and stones early, conditions later.
_EFFECT_WEIGHTS: dict[Effect, tuple[float, float, float]] = {
    Effect.NONE: (1, 1, 1),
    Effect.FARM: (1.5, 1, 0.3),
    Effect.VILLAGE: (0.7, 2, 3),
    Effect.FOREST: (0.7, 2, 3),
    Effect.VOLCANO: (0.7, 2, 3),
    Effect.IRRIGATION: (0.7, 2, 3),
    Effect.TEMPLE: (0.5, 1.2, 1.8),
    Effect.PROSELYTISM: (6, 1, 0.3),
    Effect.SACRED_STONE: (3, 1, 0.3),
}
_TYPICAL_COST = (0.5, 2.5, 4.0)


def _number_and_colours(dice: Dice, effect: Effect, level: int) -> tuple[int, tuple[Colour, ...]]:
    some = tuple(sorted(dice.shuffled(tuple(Colour))[: dice.weighted({1: 3, 2: 5, 3: 2, 4: 1, 5: 1})]))
    large = dice.chance(0.1)
    match effect:
        case Effect.FARM | Effect.IRRIGATION:
            return 0, (dice.one_of(tuple(Colour)),)
        case Effect.VILLAGE:
            return (dice.between(6, 10) if large else dice.between(1, 1 + level)), ()
        case Effect.FOREST:
            return (dice.between(4, 6) if large else dice.between(1, 1 + level)), some
        case Effect.VOLCANO:
            return (dice.between(5, 10) if large else dice.between(1, 1 + level)), some
        case Effect.TEMPLE:
            return dice.weighted({1: 6, 2: 2, 3: 1}), ()
        case Effect.PROSELYTISM if dice.chance(0.35):
            return 1, ()
        case Effect.PROSELYTISM:
            return dice.between(1, 2), (dice.one_of(tuple(Colour)),)
        case _:
            return 0, ()


def _cost(dice: Dice, level: int, effect: Effect, dearness: float) -> tuple[Worshipers, int]:
    early_gain = level == 1 and effect in (Effect.PROSELYTISM, Effect.SACRED_STONE)
    if (early_gain and dice.chance(0.85)) or dice.chance((0.5, 0.1, 0.05)[level - 1]):
        return NOBODY, 0
    size = max(1, round(_TYPICAL_COST[level - 1] * dearness * dice.factor(1.8)))
    cost, any_cost = NOBODY, 0
    favoured = dice.one_of(tuple(Colour))  # makes costs like r3 as common as rgb
    for _ in range(min(size, 9)):
        kind = dice.weighted({"any": 0.3, "favoured": 0.3, "other": 0.4})
        if kind == "any":
            any_cost += 1
        else:
            cost = cost.changed(favoured if kind == "favoured" else dice.one_of(tuple(Colour)), 1)
    return cost, any_cost


def _features(dice: Dice, level: int, effect: Effect, colour_weights: dict[Colour, float], dearness: float) -> Tile:
    """A tile without id, star and mystic value."""
    # A temple needs a mystic value, and only white tiles have one.
    colour = Colour.WHITE if effect is Effect.TEMPLE else dice.weighted(colour_weights)
    number, colours = _number_and_colours(dice, effect, level)
    cost, any_cost = _cost(dice, level, effect, dearness)
    if effect is Effect.SACRED_STONE:
        cp = 1
    elif effect is Effect.PROSELYTISM and dice.chance(0.7):
        cp = 0
    else:
        cp = max(0, round((cost.total + any_cost) * 0.7 * dice.factor(1.5) + dice.between(0, level) - 0.5))
    return Tile("", level, colour, cost, any_cost, effect, number, colours, cp)


def random_tile_set(seed: int) -> TileSet:
    """A valid tile set that depends on nothing but the seed. No two of its tiles are alike.

    >>> random_tile_set(7) == random_tile_set(7), random_tile_set(7) == random_tile_set(8)
    (True, False)
    """
    dice = Dice(expect("seed", seed, SEED))
    # 1. The set's character: how common each effect and colour is, how expensive tiles are.
    leaning = {effect: dice.factor(3) for effect in Effect}
    if dice.chance(0.15):
        leaning[Effect.FARM] = 0
    colour_weights: dict[Colour, float] = {colour: dice.factor(1.6) for colour in Colour}
    colour_weights[Colour.WHITE] *= 0.7  # the temples make up for it
    dearness = dice.factor(1.4)
    # 2. The tiles' features, level by level, all different. Every effect that is not ruled out is there.
    sure = {effect: dice.one_of(LEVELS) for effect in Effect if leaning[effect]}
    drafts: list[Tile] = []
    seen: set[object] = set()
    for level, size in zip(LEVELS, LEVEL_SIZES):
        weights = {effect: _EFFECT_WEIGHTS[effect][level - 1] * leaning[effect] for effect in Effect}
        due = [effect for effect, at in sure.items() if at == level]
        wanted = len(drafts) + size
        while len(drafts) < wanted:
            effect = due[-1] if due else dice.weighted(weights)
            draft = _features(dice, level, effect, colour_weights, dearness)
            if draft.features not in seen:
                seen.add(draft.features)
                drafts.append(draft)
                del due[-1:]
    # 3. Mystic values: on every temple, and on most other white tiles, none twice.
    mystics = iter(dice.shuffled(range(1, 100)))
    # 4. Stars, as many on each level as section 2 of the rules says; ids by colour and level.
    tiles: list[Tile] = []
    counts: Counter[str] = Counter()
    for level, size in zip(LEVELS, LEVEL_SIZES):
        marks = [star for star, by_level in STAR_COUNTS.items() for _ in range(by_level[level - 1])]
        stars = iter(dice.shuffled(marks + [Star.NONE] * (size - len(marks))))
        for draft in drafts:
            if draft.level != level:
                continue
            stem = f"{draft.colour.letter}{level}"
            white = draft.colour is Colour.WHITE
            mystic = next(mystics) if white and (draft.effect is Effect.TEMPLE or dice.chance(0.85)) else None
            tiles.append(
                Tile(
                    stem + string.ascii_lowercase[counts[stem]],
                    level,
                    draft.colour,
                    draft.cost,
                    draft.any_cost,
                    draft.effect,
                    draft.number,
                    draft.colours,
                    draft.cp,
                    mystic,
                    next(stars),
                )
            )
            counts[stem] += 1
    title = f"Random tiles {seed}"
    return TileSet(f"{RANDOM_PREFIX}{seed}", title, f"Made from seed {seed}.", tuple(tiles))
