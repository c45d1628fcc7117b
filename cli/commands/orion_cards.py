"""`orbis orion cards`: checks, lists, starts and makes up card sets."""

from __future__ import annotations

import click

from ...base.language import N_
from ..answers import tell, tell_check
from ..group import PlainGroup
from ..options import color_option, json_option, output_option, place_of, seed_option, wants_colour
from ..orion import load_cards


@click.group(cls=PlainGroup)
def cards() -> None:
    """Check, list and write card sets.

    A card set is a file, a built-in name, or random:SEED. No public source lists
    the cards of the box; the built-in set is a reconstruction. If you have the box,
    you can write its cards down, starting from `orbis orion cards template`.
    """


@cards.command()
@click.argument("card_set", metavar="FILE")
@json_option
def check(card_set: str, as_json: bool) -> None:
    """List everything wrong with the card set in FILE.

    Exit code 2 if there is a problem.
    """
    from ...orion.cards.json import card_set_check_to_json
    from ...orion.cards.text import card_set_check_text

    code = tell_check(
        lambda: load_cards(card_set),
        lambda found, problems: card_set_check_to_json(problems),
        lambda found: card_set_check_text(found, place_of(card_set)),
        as_json,
    )
    raise click.exceptions.Exit(code)


@cards.command(short_help=N_("List the cards and races of a set."))
@click.argument("card_set", metavar="[FILE]", required=False)
@color_option
@json_option
def show(card_set: str | None, color: str, as_json: bool) -> None:
    """List the cards and races of a set; the built-in one without FILE."""
    from ...orion.cards.json import card_set_to_json
    from ...orion.drawing.card_table import render_card_set
    from ...orion.game.cards import DEFAULT_CARD_SET

    loaded = load_cards(card_set or DEFAULT_CARD_SET)
    tell(as_json, lambda: card_set_to_json(loaded), lambda: render_card_set(loaded, colour=wants_colour(color)))


@cards.command()
@json_option
@output_option
def template(as_json: bool, output: str | None) -> None:
    """Write a commented file to fill in from the box."""
    from ...base.json import text_to_json
    from ...orion.cards.files import template_text
    from ...orion.cards.library import load_card_set

    text = template_text(load_card_set())
    tell(as_json, lambda: text_to_json("cards-template", text), lambda: text, output)


@cards.command("random")
@seed_option
@json_option
@output_option
def random_set(seed: int | None, as_json: bool, output: str | None) -> None:
    """Write a random valid card set, for tests and for fun."""
    import random

    from ...orion.cards.files import dump_card_set
    from ...orion.cards.generator import random_card_set
    from ...orion.cards.json import card_set_to_json

    made = random_card_set(random.SystemRandom().randrange(2**32) if seed is None else seed)
    tell(as_json, lambda: card_set_to_json(made), lambda: dump_card_set(made), output)
