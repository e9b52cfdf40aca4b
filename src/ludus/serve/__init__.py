"""The web server and its page: play, watch, analyse, see what is true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludus.serve.guard import Guard
    from ludus.serve.limits import Limits

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def app(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    runs: str | Path | None = None,
    agents: Sequence[str] = (),
    token: str | None = None,
    limits: Limits | None = None,
) -> Guard:
    """The server as an ASGI application, its guard included."""
    try:
        from ludus.serve.api import application
        from ludus.serve.guard import HERE, Guard
        from ludus.serve.limits import LIMITS
    except ImportError as error:
        raise ValueError(f"the server needs `pip install ludus[serve]` ({error})") from None
    bounds = limits or LIMITS
    folder = None if runs is None else Path(runs)
    hosts = frozenset({*HERE, host} - {"0.0.0.0", "::"})
    return Guard(application(folder, agents, bounds), hosts, port, token, bounds)


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    runs: str | Path | None = None,
    agents: Sequence[str] = (),
    token: str | None = None,
    limits: Limits | None = None,
    ready: Callable[[str], Any] = lambda address: None,
) -> None:
    """Serve until Ctrl-C; `ready` is told the address once it can be opened.

    Where others than this machine can ask, they need the token; one is made if none is given.
    """
    from ludus.serve.running import run

    run(host, port, runs, agents, token, limits, ready)
