"""The server of the board: the page's files, its words in each language, and a socket to the engine.

`orbis web` starts it. It stays in the folder that it is given: games are read and written there by plain names, and no
tile set is read from elsewhere, whatever a message says.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from threading import Semaphore, Timer
from time import monotonic
from typing import Any, NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..base.errors import InputError, reason
from ..base.language import LANGUAGES, _, language
from ..base.speech import speaking
from ..engine.server import MAX_LINE
from ..game.vocabulary import God
from ..notation import read_position, write_oneline
from ..notation.examples import example_text
from ..players.levels import NAMES
from ..tileset.library import stay_in
from .bridge import Bridge
from .guard import App, Guard
from .words import page_words

LOOPBACK = "127.0.0.1"
USUAL_PORT = 8420
MOST_TABS = 64
RATE, BURST = 500.0, 200.0  # messages of a tab, a second and at once
SEARCHES_PER_CORE = 8
SWITCH = 0.0005  # seconds after which a thread that computes lets another one have its turn: a message passes four
TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}


class Beginning(NamedTuple):
    """What the page shows first."""

    position: str | None = None  # in one line
    game: str | None = None  # a file in the folder


class Board:
    """The application: everything that is asked of the server, by its address."""

    def __init__(self, beginning: Beginning) -> None:
        self.beginning = beginning
        self.gate = Semaphore(SEARCHES_PER_CORE * (os.cpu_count() or 1))
        self.tabs = 0
        self.example = write_oneline(read_position(example_text())).strip()
        self.files = {
            file.name: (file.read_bytes(), TYPES[file.name.rpartition(".")[2]])
            for file in (files(__package__) / "page").iterdir()
            if file.name.rpartition(".")[2] in TYPES
        }

    def application(self, hosts: list[str], secret: str) -> App:
        routes = [
            Route("/", self.index),
            Route("/start.json", self.start),
            Route("/words/{lang}.json", self.words),
            WebSocketRoute("/engine", self.talk),
            Route("/{name}", self.file),
        ]
        return Guard(Starlette(routes=[Mount(f"/{secret}", routes=routes)] if secret else routes), hosts)

    async def index(self, request: Request) -> Response:
        return self._file("index.html")

    async def file(self, request: Request) -> Response:
        return self._file(request.path_params["name"])

    def _file(self, name: str) -> Response:
        if name not in self.files:
            return Response("404\n", 404, media_type="text/plain")
        content, kind = self.files[name]
        return Response(content, headers={"content-type": kind})

    async def start(self, request: Request) -> Response:
        first = self.beginning
        return JSONResponse(
            {
                "position": first.position,
                "game": first.game,
                "example": self.example,
                "language": language(),
                "gods": [god.word for god in God],
                "levels": list(NAMES),
            }
        )

    async def words(self, request: Request) -> Response:
        name = request.path_params["lang"]
        if name not in LANGUAGES:
            return Response("404\n", 404, media_type="text/plain")
        with speaking(name):
            return JSONResponse(page_words())

    async def talk(self, tab: WebSocket) -> None:
        """One tab, until it closes."""
        if self.tabs >= MOST_TABS:
            await tab.close(1013)
            return
        self.tabs += 1
        try:
            await tab.accept()
            await self._converse(tab)
        finally:
            self.tabs -= 1

    async def _converse(self, tab: WebSocket) -> None:
        bridge = Bridge(self.gate)
        answering = asyncio.create_task(bridge.answer(tab.send_text))
        allowance, before = BURST, monotonic()
        try:
            while True:
                message = await tab.receive()
                if message["type"] != "websocket.receive":
                    return
                now = monotonic()
                allowance, before = min(BURST, allowance + RATE * (now - before)) - 1, now
                if allowance < 0:
                    await asyncio.sleep(-allowance / RATE)
                text, data = message.get("text"), message.get("bytes")
                await bridge.ask(data or b"" if text is None else text.encode("utf-8", "surrogatepass"))
        except (WebSocketDisconnect, RuntimeError):  # the latter is what Starlette raises once the tab is gone
            return
        finally:
            bridge.hang_up()
            answering.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await answering


@contextmanager
def staying_in(folder: str) -> Iterator[None]:
    """While this lasts, nothing outside the folder is read or written at a message's request."""
    before = os.getcwd()
    os.chdir(folder)
    stay_in(".")
    try:
        yield
    finally:
        stay_in(None)
        os.chdir(before)


class Opened(NamedTuple):
    """A server that is about to serve."""

    address: str  # to open in a browser on this computer
    phone: str | None  # the address for others on the network
    sockets: list[socket.socket]
    app: App


def open_server(beginning: Beginning, port: int | None = None, phone: bool = False) -> Opened:
    """Takes a port of this computer alone or, for a phone, of the local network too. InputError if there is none."""
    hosts = [LOOPBACK] + ([network_address()] if phone else [])
    sockets: list[socket.socket] = []
    try:
        for host in hosts:
            sockets.append(_listening(host, sockets[0].getsockname()[1] if sockets else port))
    except OSError as error:
        for each in sockets:
            each.close()
        message = _("expected a port that is free, found: {reason}", reason=reason(error))
        raise InputError.one("--port", message) from None
    taken = sockets[0].getsockname()[1]
    secret = secrets.token_urlsafe(16) if phone else ""
    path = f"{secret}/" if secret else ""
    names = [f"{host}:{taken}" for host in (*hosts, "localhost")]
    app = Board(beginning).application(names, secret)
    addresses = [f"http://{host}:{taken}/{path}" for host in hosts]
    return Opened(addresses[0], addresses[1] if phone else None, sockets, app)


def _listening(host: str, port: int | None) -> socket.socket:
    """The port asked for; the usual one, or any, if none is."""
    for number in (port,) if port is not None else (USUAL_PORT, 0):
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, number))
        except OSError:
            found.close()
            if port is not None or number == 0:
                raise
            continue
        found.listen(128)
        return found
    raise AssertionError("the last port is any")


def network_address() -> str:
    """This computer's address in the local network. InputError if it has none, or one that the whole world can see."""
    from ipaddress import ip_address

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))  # sends nothing: it only asks which way a packet would go
            found = str(probe.getsockname()[0])
        except OSError:
            found = ""
    if not found or ip_address(found).is_loopback or found == "0.0.0.0":
        raise InputError.one("--phone", _("expected a local network, found none"))
    if not ip_address(found).is_private:
        message = _("expected an address of a local network, found {found}, which anybody can reach", found=found)
        raise InputError.one("--phone", message)
    return found


def serve(opened: Opened, seconds: float | None = None) -> None:
    """Until Ctrl-C, or for so long."""
    config = uvicorn.Config(
        opened.app,
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="off",
        ws="websockets-sansio",
        ws_max_size=MAX_LINE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    if seconds is not None:
        timer = Timer(seconds, lambda: setattr(server, "should_exit", True))
        timer.daemon = True
        timer.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        with suppress(KeyboardInterrupt):
            server.run(sockets=opened.sockets)
    finally:
        sys.setswitchinterval(before)


def web_to_json(opened: Opened, folder: str) -> dict[str, Any]:
    return {"format": "orbis-web", "version": 1, "address": opened.address, "phone": opened.phone, "folder": folder}


def qr_code(address: str) -> str:
    """For a terminal, in half blocks."""
    import io

    import segno

    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(drawn, compact=True)
    return drawn.getvalue()
