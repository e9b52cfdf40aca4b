"""Serve the page: play, watch and analyse in the browser."""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path

from ludus.cli._common import say


def options(parser: argparse.ArgumentParser) -> None:
    """Where, and what it may show."""
    parser.add_argument("--port", type=int, default=8000, help="0 finds a free one (8000)")
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen at; others than this machine need the token (127.0.0.1)",
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument(
        "--runs", default="runs", metavar="DIR", help="folder whose runs are shown (runs)"
    )
    parser.add_argument(
        "--agents", default="", metavar="A;B", help="agents that may play, beside those of ludus"
    )
    parser.add_argument("--token", help="what others must know (made, where it is needed)")


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from ludus.serve import serve

    if not 0 <= args.port < 65536:
        raise ValueError(f"a port is a number from 0 to 65535, not {args.port}")
    if args.token is not None and not (args.token.isascii() and args.token.isalnum()):
        raise ValueError("a token is of letters and digits")

    def ready(address: str) -> None:
        say(f"ludus is at {address} (Ctrl-C ends it)", flush=True)
        if args.open:
            webbrowser.open(address)

    agents = [one.strip() for one in args.agents.split(";") if one.strip()]
    serve(
        host=args.host,
        port=args.port,
        runs=Path(args.runs),
        agents=agents,
        token=args.token,
        ready=ready,
    )
    return 0
