"""The server at work: its socket, its connections, and the token where one is needed."""

from __future__ import annotations

import asyncio
import errno
import secrets
import socket
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ludus.serve import LOOPBACK, app
from ludus.serve.limits import LIMITS, Limits

BACKLOG = 256


def run(
    host: str,
    port: int,
    runs: str | Path | None,
    agents: Sequence[str],
    token: str | None,
    limits: Limits | None,
    ready: Callable[[str], Any],
) -> None:
    """Serve until Ctrl-C."""
    bounds = limits or LIMITS
    if token is None and host not in LOOPBACK:
        token = secrets.token_urlsafe(24)
    listening = listen(host, port)
    with listening:
        port = listening.getsockname()[1]
        guard = app(host=host, port=port, runs=runs, agents=agents, token=token, limits=bounds)
        server = server_of(guard, bounds)
        server.on_ready = lambda: ready(address(host, port, token))
        server.run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """A socket that nobody else has."""
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, OverflowError, UnicodeError):
        raise ValueError(f"there is no host {host!r:.80}") from None
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind(place)
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            raise ValueError(f"port {port} is in use; --port names another") from None
        raise ValueError(f"{host}:{port}: {error.strerror}") from None
    found.listen(BACKLOG)
    return found


def address(host: str, port: int, token: str | None) -> str:
    """What a person opens."""
    name = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    place = f"[{name}]" if ":" in name else name
    return f"http://{place}:{port}/" + (f"?token={token}" if token else "")


def server_of(guard: Any, limits: Limits) -> Any:
    """A uvicorn server whose connections are watched."""
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    silent: OrderedDict[Any, asyncio.TimerHandle] = OrderedDict()

    class Watched(H11Protocol):
        """Connections that ask nothing are closed, the oldest first where there are many."""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            loop = asyncio.get_running_loop()
            silent[self] = loop.call_later(limits.header_seconds, self.give_up)
            if len(silent) > limits.silent:
                next(iter(silent)).give_up()

        def give_up(self) -> None:
            self.spoke()
            self.transport.abort()

        def spoke(self) -> None:
            if (timer := silent.pop(self, None)) is not None:
                timer.cancel()

        def handle_events(self) -> None:
            super().handle_events()
            if self.scope is not None:  # a whole request has come
                self.spoke()

        def connection_lost(self, exc: Exception | None) -> None:
            self.spoke()
            super().connection_lost(exc)

    class Server(uvicorn.Server):
        on_ready: Callable[[], Any]

        async def startup(self, *given: Any, **named: Any) -> None:
            await super().startup(*given, **named)
            if self.started:
                self.on_ready()

    config = uvicorn.Config(
        guard,
        http=Watched,
        ws="websockets-sansio",
        ws_max_size=limits.frame_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        limit_concurrency=limits.connections,
        backlog=BACKLOG,
        timeout_keep_alive=int(limits.idle_seconds),
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=limits.header_bytes,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
    )
    return Server(config)
