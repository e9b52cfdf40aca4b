"""The web server and its page: play, watch, analyse, see what is true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.extras import install

if TYPE_CHECKING:
    from ludus.serve.guard import Guard
    from ludus.serve.limits import Limits

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def check_installed(*names: str) -> None:
    """Say what is missing, and how to get it."""
    for name in names:
        try:
            import_module(name)
        except ImportError:
            raise ValueError(f"the server needs {name}: {install('serve')}") from None


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
    check_installed("starlette")
    from ludus.serve.api import application
    from ludus.serve.guard import HERE, Guard
    from ludus.serve.limits import LIMITS

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
    check_installed("starlette", "uvicorn", "websockets")
    from ludus.serve.running import run

    run(host, port, runs, agents, token, limits, ready)
