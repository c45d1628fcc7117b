"""Who may talk to the server: requests for this address, from this page, and nobody else.

A page of another site can make a browser send requests here. It cannot change the `Host` or the `Origin` that the
browser sends with them: a name that somebody else pointed at this computer is in the first, the other site in the
second. Both must be ours.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Nothing but what this server sends may run, be shown or be talked to; no other page may show this one.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-cache"),
]


class Guard:
    """Passes on what is meant for `hosts` and comes from one of them; refuses everything else."""

    def __init__(self, app: App, hosts: Collection[str]) -> None:
        self.app = app
        self.hosts = {host.encode() for host in hosts}
        self.origins = {b"http://" + host for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        if self.is_ours(scope):
            await self.app(scope, receive, send_guarded)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: the answer is 403
        else:
            plain = [(b"content-type", b"text/plain; charset=utf-8")]
            await send_guarded({"type": "http.response.start", "status": 403, "headers": plain})
            await send_guarded({"type": "http.response.body", "body": b"403\n"})

    def is_ours(self, scope: Scope) -> bool:
        said: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            said.setdefault(name, []).append(value)
        hosts, origins = said.get(b"host", []), said.get(b"origin", [])
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return False
        if said.get(b"sec-fetch-site", [b"none"])[0] == b"cross-site":
            return False
        if scope["type"] == "websocket" and len(origins) != 1:
            return False  # every browser says where a socket is opened from
        return all(origin.lower() in self.origins for origin in origins)
