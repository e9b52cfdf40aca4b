"""Tell whether everything is in order here: machine, build, perft and speed of each game."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from typing import Any

from ludus.cli._common import add_json, answer, say
from ludus.extras import version
from ludus.game import game, game_names
from ludus.play import perft, playouts
from ludus.resources import total_memory

NODES = 3_000_000  # counts beyond this take too long for a quick look
SECONDS = 0.4  # of playouts a game


def options(parser: argparse.ArgumentParser) -> None:
    """Nothing to choose."""
    add_json(parser)


# Libraries that some commands need, and for what.
OPTIONAL = {
    "torch": "training",
    "safetensors": "networks",
    "onnxruntime": "networks that play",
    "onnx": "networks that play",
    "starlette": "the page",
    "uvicorn": "the page",
    "websockets": "the page",
    "tensorboard": "--tensorboard",
    "pettingzoo": "an adapter",
    "gymnasium": "an adapter",
    "torchrl": "an adapter",
}


def optional_libraries() -> dict[str, str | None]:
    """The version of each, None where it is missing."""
    from importlib.metadata import PackageNotFoundError, version

    found: dict[str, str | None] = {}
    for name in OPTIONAL:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def machine() -> dict[str, Any]:
    """What this runs on."""
    from importlib.metadata import version as version_of

    from ludus import _core

    return {
        "ludus": version(),
        "python": platform.python_version(),
        "numpy": version_of("numpy"),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "memory_gb": round(total_memory() / 1e9, 1),
        "build": _core.build,
    }


def examine_game(name: str) -> dict[str, Any]:
    """Perft against the known counts, then random playouts for a moment."""
    wrong = []
    for parameters, counts in game(name).kind.perft.items():
        known = [count for count in counts if count <= NODES]
        found = perft(game(f"{name}:{parameters}"), len(known))
        if found != known:
            wrong.append(f"{name}:{parameters} counts {found}, not {known}")
    games, result = 1, playouts(game(name), 1)
    while result.seconds < SECONDS:
        games *= 2 if result.seconds > SECONDS / 8 else 8
        result = playouts(game(name), games)
    return {
        "perft": "ok" if not wrong else "; ".join(wrong),
        "games_per_second": round(result.rate),
        "plies_per_second": round(result.plies / result.seconds),
    }


def run(args: argparse.Namespace) -> int:
    """Report; 1 if something is wrong."""
    facts, libraries = machine(), optional_libraries()
    if not args.json:
        for name, value in facts.items():
            say(f"{name:10} {value}")
        say()
        for name, there in libraries.items():
            say(f"{name:16} {there or 'missing':14} for {OPTIONAL[name]}")
        say()
    reports = {}
    for name in game_names():
        reports[name] = report = examine_game(name)
        if not args.json:
            say(
                f"{name:16} perft {report['perft']:4} {report['games_per_second']:>12,} games/s"
                f" {report['plies_per_second']:>14,} plies/s"
            )
            sys.stdout.flush()
    healthy = all(report["perft"] == "ok" for report in reports.values())
    if args.json:
        answer({"healthy": healthy, **facts, "libraries": libraries, "games": reports})
    else:
        say("\neverything is in order" if healthy else "\nsomething is wrong: see above")
    return 0 if healthy else 1
