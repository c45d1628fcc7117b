"""`orbis orion`: the commands of Master of Orion, each like its twin for Orbis."""

from __future__ import annotations

import click

from ...base.errors import InputError
from ...base.language import N_, _
from ..answers import tell, tell_check
from ..group import PlainGroup
from ..options import (
    Whole,
    color_option,
    json_option,
    oneline_option,
    optional_position_argument,
    output_option,
    players_option,
    seed_option,
    wants_colour,
    write,
)
from ..orion import cards_option, example_hint, load_cards, load_position, position_name, read_races, view_option
from .orion_advise import advise
from .orion_arena import arena
from .orion_cards import cards as cards_group
from .orion_measure import bench, perft, verify
from .orion_play import play as play_game


@click.group(cls=PlainGroup)
def orion() -> None:
    """Master of Orion: The Board Game, with the same engine.

    Positions are files, - for standard input, or one line. No public source
    lists the cards of the box: the built-in set is a reconstruction, and most
    of what is printed on its cards is invented.
    """


orion.add_command(cards_group)
for _measuring in (verify, perft, bench):
    orion.add_command(_measuring)
orion.add_command(advise)
orion.add_command(play_game, "play")
orion.add_command(arena)


@orion.command(short_help=N_("Write a new game, or one played on for some decisions."))
@players_option
@click.option("--races", metavar="LIST", help="A race for each player, with commas between.  [default: humans]")
@click.option("--names", metavar="LIST", help="A name for each player, with commas between.")
@click.option("--first", type=Whole(1, 4), metavar="N", help="Who begins.  [default: by the seed]")
@click.option("--training", is_flag=True, help="The training game: without advisors.")
@seed_option
@click.option(
    "--decisions",
    type=Whole(0, 10_000),
    metavar="N",
    default=0,
    show_default=True,
    help="Play on for N decisions, counting every player's, or to the end.",
)
@click.option(
    "--style",
    type=click.Choice(["random", "sensible"]),
    default="sensible",
    show_default=True,
    help="How those are played.",
)
@click.option("--cards", metavar="FILE", help="Card set: a file, a built-in name, or random:SEED.")
@view_option
@click.option("--keep-order", is_flag=True, help="Write the deck too, in the order it will be drawn.")
@oneline_option
@json_option
@output_option
def new(
    players: int,
    races: str | None,
    names: str | None,
    first: int | None,
    training: bool,
    seed: int | None,
    decisions: int,
    style: str,
    cards: str | None,
    observer: int | None,
    keep_order: bool,
    oneline: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Write a position: a new game, or one played on for N decisions.

    The same seed makes the same game. All hands are written, unless --seen-by
    asks for what one player sees; the order of the deck is not, since nobody
    at the table would know it.
    """
    import random

    from ...base.dice import Dice
    from ...orion.game.cards import DEFAULT_CARD_SET
    from ...orion.game.knowledge import seen_by
    from ...orion.game.problems import expect_position
    from ...orion.game.rules import by_dice, new_game, play_out
    from ...orion.game.vocabulary import HUMANS, UNKNOWN
    from ...orion.notation.json import write_json as json_form
    from ...orion.notation.oneline import write_oneline
    from ...orion.notation.toml import write_toml
    from ...orion.players.by_name import PLAYERS, play_on

    if oneline and as_json:
        raise click.UsageError(_("--oneline and --json cannot be combined."))
    if cards == "-":
        raise click.UsageError(_("--cards: a position has to name its card set, so it cannot come from -."))
    for option, seat in (("--first", first), ("--seen-by", observer)):
        if seat is not None and seat > players:
            what = _("an integer from {low} to {high}", low=1, high=players)
            raise InputError.one(option, _("expected {what}, found {found}", what=what, found=seat))
    card_set = load_cards(cards or DEFAULT_CARD_SET)
    chosen = read_races(races, players, card_set) if races else (HUMANS,) * players
    called = [name.strip() for name in names.split(",")] if names else [""] * players
    if len(called) != players:
        message = _("expected {count} names separated by commas, found {found}", count=players, found=len(called))
        raise InputError.one("--names", message)
    if seed is None:
        seed = random.SystemRandom().randrange(2**32)
    dice = Dice(seed)
    start = None if first is None else first - 1
    position = new_game(card_set, chosen, dice, first=start, names=called, training=training)
    expect_position(position)
    position = play_out(position, by_dice(dice))
    if decisions:
        position = play_on(position, PLAYERS[style], dice, decisions)
    if observer is not None:
        position = seen_by(position, observer - 1)
    elif not keep_order:
        position = position._replace(deck=(UNKNOWN,) * len(position.deck))
    if as_json:
        text = json_form(position)
    elif oneline:
        text = write_oneline(position)
    else:
        text = write_toml(position)
    write(text.rstrip("\n") + "\n", output)


@orion.command(short_help=N_("Draw a position, or write it in another form."))
@optional_position_argument
@cards_option
@view_option
@color_option
@click.option("--toml", "as_toml", is_flag=True, help="Write a position file.")
@oneline_option
@json_option
@output_option
def show(
    position: str | None,
    cards: str | None,
    observer: int | None,
    color: str,
    as_toml: bool,
    oneline: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Draw POSITION, or convert it to another form.

    The drawing has the advisors on the table, deck and pile, and for each player
    the tracks, cubes, systems and what is known of the hand. Points are those if
    the game ended now. The letters b r y g stand for the colours; A and R are
    cells, * a cube in one.
    """
    if as_toml + oneline + as_json > 1:
        raise click.UsageError(_("--toml, --oneline and --json cannot be combined."))
    loaded = load_position(position, cards, observer)
    if as_toml or oneline or as_json:
        from ...orion.notation.json import write_json as json_form
        from ...orion.notation.oneline import write_oneline
        from ...orion.notation.toml import write_toml

        writer = write_toml if as_toml else write_oneline if oneline else json_form
        write(writer(loaded).rstrip("\n") + "\n", output)
        return
    from ...orion.drawing.terminal import render_position

    to_file = output is not None and output != "-"
    colour = color == "always" if to_file else wants_colour(color)
    write(render_position(loaded, colour=colour) + ("" if position else "\n" + example_hint("show")), output)


@orion.command(short_help=N_("List everything wrong with a position."))
@optional_position_argument
@cards_option
@json_option
def check(position: str | None, cards: str | None, as_json: bool) -> None:
    """List everything wrong with POSITION, each problem with its place.

    Exit code 2 if there is a problem. A sound position gets one line.
    """
    from ...orion.check.data import Check
    from ...orion.check.json import check_to_json
    from ...orion.check.text import check_text

    code = tell_check(
        lambda: load_position(position, cards),
        lambda found, problems: check_to_json(Check(found, tuple(problems))),
        lambda found: check_text(Check(found)),
        as_json,
        position_name(position),
    )
    raise click.exceptions.Exit(code)


@orion.command(short_help=N_("List the legal moves."))
@optional_position_argument
@click.option("--explain", is_flag=True, help="Say what each move does.")
@click.option(
    "--limit",
    type=Whole(0),
    metavar="N",
    help="List at most N moves of each kind, 0 for all.  [default: 10; with --json: all]",
)
@cards_option
@json_option
def moves(position: str | None, explain: bool, limit: int | None, cards: str | None, as_json: bool) -> None:
    """List the legal moves of POSITION in move notation.

    A move is one decision. What an effect asks for is asked separately, sometimes
    of another player.
    """
    from ...orion.moves.data import list_moves
    from ...orion.moves.json import moves_to_json
    from ...orion.moves.text import SHOWN, moves_text

    listing = list_moves(load_position(position, cards))
    tell(
        as_json,
        lambda: moves_to_json(listing, limit or None),
        lambda: moves_text(listing, SHOWN if limit is None else limit or None, explain=explain),
    )


@orion.command("apply", short_help=N_("Write the position after a move."))
@click.argument("position", metavar="POSITION")
@click.argument("move", metavar="MOVE", nargs=-1, required=True)
@seed_option
@cards_option
@oneline_option
@json_option
@output_option
def apply_move(
    position: str,
    move: tuple[str, ...],
    seed: int | None,
    cards: str | None,
    oneline: bool,
    as_json: bool,
    output: str | None,
) -> None:
    """Write the position after MOVE, in move notation.

    What is not known, such as the deck and hidden hands, is filled in at random
    first; cards that the move draws come from there. The same seed does the same.
    """
    import random

    from ...base.dice import Dice
    from ...orion.game.knowledge import complete
    from ...orion.game.rules import by_dice, play, play_out
    from ...orion.notation.json import write_json as json_form
    from ...orion.notation.moves import parse_move
    from ...orion.notation.oneline import write_oneline
    from ...orion.notation.toml import write_toml

    if oneline and as_json:
        raise click.UsageError(_("--oneline and --json cannot be combined."))
    loaded = load_position(position, cards)
    chosen = parse_move(" ".join(move), loaded)
    dice = Dice(random.SystemRandom().randrange(2**32) if seed is None else seed)
    after = play_out(play(complete(loaded, dice), chosen), by_dice(dice))
    writer = json_form if as_json else write_oneline if oneline else write_toml
    write(writer(after).rstrip("\n") + "\n", output)
