"""`orbis web`: the board in a browser."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from ...base.errors import InputError
from ...base.language import _
from ..options import (
    Whole,
    duration_type,
    json_option,
    load_position,
    optional_position_argument,
    place_of,
    write,
    write_json,
)

if TYPE_CHECKING:
    from ...web.server import Beginning, Opened


@click.command()
@optional_position_argument
@click.option("--folder", metavar="DIR", help="Where games are kept.  [default: here, or where POSITION lies]")
@click.option("--port", type=Whole(0, 65535), metavar="N", help="Port to listen on.  [default: 8420 if it is free]")
@click.option("--phone", is_flag=True, help="Let phones in the local network connect; shows a code to scan.")
@click.option("--open/--no-open", "opening", default=True, help="Open the page in the browser.  [default: yes]")
@click.option("--for", "seconds", type=duration_type, metavar="TIME", help="Stop after TIME.  [default: at Ctrl-C]")
@json_option
def web(
    position: str | None,
    folder: str | None,
    port: int | None,
    phone: bool,
    opening: bool,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Open the board in a browser: analyse, edit, track, play, review.

    The page shows POSITION or, if that is a game, its last turn; without one it
    shows an example. It is for this computer alone, needs no network, and ends
    with Ctrl-C. Games are kept in DIR as orbis track and orbis play keep them, and
    nothing outside DIR is read or written.

    With --phone, other devices in the local network can open it too, if they know
    its address, which has a secret in it and is shown as a code to scan.
    """
    from ...web.server import open_server, qr_code, serve, staying_in, web_to_json

    beginning, home = _beginning(position, folder)
    if not os.path.isdir(home) or not os.access(home, os.R_OK | os.W_OK | os.X_OK):
        raise InputError.one("--folder", _("expected a folder that can be written to, found none"))
    opened = open_server(beginning, port, phone)
    if as_json:
        write_json(web_to_json(opened, home))
    else:
        write(_told(opened, home) + ("" if opened.phone is None else qr_code(opened.phone)))
    sys.stdout.flush()  # whoever started it waits for the address
    if opening:
        import webbrowser

        webbrowser.open(opened.address)
    with staying_in(home):
        serve(opened, seconds)


def _beginning(position: str | None, folder: str | None) -> tuple[Beginning, str]:
    """What to show first, and the folder to stay in."""
    from ...notation import write_oneline
    from ...record.file import ENDING
    from ...web.server import Beginning

    if position is None:
        return Beginning(), folder or "."
    beside = os.path.dirname(position) or "." if os.path.isfile(position) else "."
    home = folder or beside
    loaded = load_position(position)
    in_home = os.path.realpath(home) == os.path.realpath(beside)
    if position.endswith(ENDING) and os.path.isfile(position) and in_home:
        return Beginning(game=os.path.basename(position)), home
    return Beginning(position=write_oneline(loaded).strip()), home


def _told(opened: Opened, home: str) -> str:
    lines = [_("The board: {address} (Ctrl-C stops it)", address=opened.address)]
    lines.append(_("Games are kept in {folder}; nothing else is read or written.", folder=place_of(home)))
    if opened.phone is None:
        lines.append(_("Only this computer can connect."))
    else:
        lines.append(_("On a phone: {address}", address=opened.phone))
        lines.append(
            _(
                "Everybody in this local network who knows that address can connect, play and change games. It is not "
                "encrypted, and changes with each start."
            )
        )
    return "\n".join(lines) + "\n"
