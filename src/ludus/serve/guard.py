"""Who may ask: the right host and origin, the token, so many requests of such a size."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ludus.serve.limits import LIMITS, Limits
from ludus.serve.protocol import Refused

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "ludus-token"
HERE = ("localhost", "127.0.0.1", "::1")
METHODS = ("GET", "HEAD", "POST")
POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
KEPT = 4096  # connections whose pace is remembered


@dataclass
class Pace:
    """So many a second, and some that were saved up."""

    rate: float
    most: float
    left: float = field(default=0.0)
    at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.left = self.most

    def allows(self) -> bool:
        """Whether one more may pass now."""
        now = time.monotonic()
        self.left = min(self.most, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass
class Guard:
    """An application that lets through to another what may pass."""

    app: App
    hosts: frozenset[str]  # names that a request may be addressed to
    port: int
    token: str | None = None
    limits: Limits = LIMITS
    paces: OrderedDict[Any, Pace] = field(default_factory=OrderedDict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): v.decode("latin-1") for name, v in scope["headers"]}
        try:
            self.check(scope, headers)
            if scope["type"] == "websocket":
                await self.app(scope, receive, send)
                return
            if self.token is not None and self.token_in_address(scope) is not None:
                await keep_token(scope, send, self.token)
                return
            body = await self.body(scope, headers, receive)
        except Refused as why:
            await refuse(scope, receive, send, why)
            return
        await self.app(scope, body, self.with_headers(send))

    def check(self, scope: Scope, headers: dict[str, str]) -> None:
        """Refuse what is not meant for us, or is too much."""
        host = headers.get("host", "")
        if sum(name == b"host" for name, _ in scope["headers"]) != 1 or not self.is_ours(host):
            raise Refused(f"this server is not {host!r:.80}", 421)
        origin = headers.get("origin")
        if origin is not None and not same_origin(origin, host):
            raise Refused(f"requests from {origin!r:.80} are not answered", 403)
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and (
            scope["type"] == "websocket" or scope["path"].startswith("/api/")
        ):
            raise Refused("requests from other sites are not answered", 403)
        if (
            sum(len(name) + len(value) for name, value in scope["headers"])
            > self.limits.header_bytes
        ):
            raise Refused(f"the headers have at most {self.limits.header_bytes:,} bytes", 431)
        if not self.pace(scope).allows():
            raise Refused("too many requests: more than this server answers a second", 429)
        if not self.is_known(scope, headers):
            raise Refused("this server wants its token: open the address that it printed", 401)
        if scope["type"] == "http" and scope["method"] not in METHODS:
            raise Refused(f"{scope['method']!r:.20} is none of {', '.join(METHODS)}", 405)

    def is_ours(self, host: str) -> bool:
        """Whether a Host header names this server."""
        try:
            at = urlsplit(f"//{host}")
            name, port = at.hostname or "", at.port
        except ValueError:
            return False
        if at.path or at.query or at.fragment or at.username is not None:
            return False
        known = name in self.hosts or (self.token is not None and is_address(name))
        return known and (port if port is not None else 80) == self.port

    def is_known(self, scope: Scope, headers: dict[str, str]) -> bool:
        """Whether the client has the token, where one is needed."""
        if self.token is None:
            return True
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        given = [bearer if kind.lower() == "bearer" else "", cookie_of(headers.get("cookie", ""))]
        given.append(self.token_in_address(scope) or "")
        return any(hmac.compare_digest(one.encode(), self.token.encode()) for one in given)

    def token_in_address(self, scope: Scope) -> str | None:
        """The token in an address that a person opens: /?token=..."""
        if scope["type"] != "http" or scope["path"] != "/":
            return None
        found = parse_qs(scope["query_string"].decode("latin-1")[:1000]).get("token")
        return found[0] if found else None

    def pace(self, scope: Scope) -> Pace:
        """How fast this connection may ask."""
        client = tuple(scope.get("client") or ())
        pace = self.paces.setdefault(
            client, Pace(self.limits.requests, self.limits.requests_at_once)
        )
        self.paces.move_to_end(client)
        while len(self.paces) > KEPT:
            self.paces.popitem(last=False)
        return pace

    async def body(self, scope: Scope, headers: dict[str, str], receive: Receive) -> Receive:
        """The whole body of a request, if it is small and comes in time."""
        most, whole = self.limits.body_bytes, b""
        if scope["method"] == "POST":
            if not headers.get("content-type", "").startswith("application/json"):
                raise Refused("a message is sent as application/json", 415)
            length = headers.get("content-length", "0")
            if length.isdecimal() and int(length[:20]) > most:
                raise Refused(f"a message has at most {most:,} bytes", 413)
            try:
                whole = await asyncio.wait_for(read(receive, most), self.limits.body_seconds)
            except TimeoutError:
                raise Refused("the message did not arrive in time", 408) from None
        given = False

        async def once() -> MutableMapping[str, Any]:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": whole, "more_body": False}

        return once

    def with_headers(self, send: Send) -> Send:
        """Send with headers that keep a browser to this server, and not for ever."""

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                named = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((n, v) for n, v in encode(HEADERS) if n not in named),
                ]
            await asyncio.wait_for(send(message), self.limits.send_seconds)

        return send_with_headers


async def read(receive: Receive, most: int) -> bytes:
    """A body that is not larger than this."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refused("the message was cut off")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise Refused(f"a message has at most {most:,} bytes", 413)
        if not message.get("more_body"):
            return b"".join(parts)


def encode(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    """Headers as ASGI has them."""
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def same_origin(origin: str, host: str) -> bool:
    """Whether a page is one of ours."""
    return origin in (f"http://{host}", f"https://{host}")


def is_address(name: str) -> bool:
    """Whether this is a number, which nobody else can make to mean us."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def cookie_of(header: str) -> str:
    """The token in a Cookie header."""
    try:
        found = SimpleCookie(header[:4000]).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


async def keep_token(scope: Scope, send: Send, token: str) -> None:
    """Keep the token as a cookie, and take it out of the address."""
    cookie = f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/"
    headers = {"location": "/", "set-cookie": cookie, "content-length": "0", **HEADERS}
    await send({"type": "http.response.start", "status": 303, "headers": encode(headers)})
    await send({"type": "http.response.body", "body": b""})


async def refuse(scope: Scope, receive: Receive, send: Send, why: Refused) -> None:
    """Say so in a sentence; a connection that asks too much is closed."""
    body = json.dumps({"error": str(why)}).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body)), **HEADERS}
    if why.status in (408, 413, 429, 431):
        headers["connection"] = "close"
    start = {"status": why.status, "headers": encode(headers)}
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.http.response.start", **start})
        await send({"type": "websocket.http.response.body", "body": body})
        return
    await send({"type": "http.response.start", **start})
    await send({"type": "http.response.body", "body": body if scope["method"] != "HEAD" else b""})
