"""Train an agent: ALGORITHM, GAME, then options; `ludus train dqn connect4 --help` lists them."""

from __future__ import annotations

import argparse
import dataclasses
import shlex
from collections.abc import Set
from pathlib import Path
from typing import Any

from ludus.cli._common import add_game, say
from ludus_start import importing


def options(parser: argparse.ArgumentParser) -> None:
    """What and where; the rest is the algorithm's own."""
    parser.add_argument("algorithm", metavar="ALGORITHM", help="such as dqn or ppo")
    add_game(parser)
    parser.add_argument(
        "options",
        nargs=argparse.REMAINDER,
        metavar="...",
        help="`ludus train ALGORITHM GAME --help` lists them",
    )


def run(args: argparse.Namespace) -> int:
    """Train in a new folder."""
    with importing():
        from ludus.cli._common import check_minutes
        from ludus.cli._training import given, trained
        from ludus.game import game
        from ludus.learn import algorithm
        from ludus.learn.run import config
        from ludus.learn.run.needs import check_effects
        from ludus.learn.run.run import Run

        module = algorithm(args.algorithm)
    chosen = game(args.game)
    parser = own_options(args.algorithm, args.game, module)
    own = parser.parse_args(args.options)
    check_minutes(own.minutes)
    words = given(own, module.Config)
    settings = config.read(module.Config, words, own.preset, module.PRESETS)
    asked = words.keys() | module.PRESETS.get(own.preset, {}).keys()
    settings, asked = alike(settings, asked)
    check_effects(chosen, settings, words)
    if hasattr(module, "fitted"):
        settings = module.fitted(chosen, settings, own.minutes, asked)
    if own.dry_run:
        return costed(chosen, module, settings, own)
    path = own.run or free_path(f"runs/{args.algorithm}-{chosen.name}")
    command = shlex.join(["ludus", "train", args.algorithm, args.game, *args.options])
    made = Run(path, chosen, module, settings, seed=own.seed, command=command)
    return trained(made, own.minutes, own.json)


def alike(settings: Any, asked: Set[str]) -> tuple[Any, Set[str]]:
    """With the network of the run that it begins from, where no other was asked for."""
    if not settings.init:
        return settings, asked
    from ludus.learn.run.trained import network_of

    theirs = network_of(settings.init)
    free = {name: value for name, value in theirs.items() if name not in asked}
    return dataclasses.replace(settings, **free), asked | theirs.keys()


def own_options(name: str, on: str, module: Any) -> argparse.ArgumentParser:
    """The options of one algorithm."""
    from ludus.cli._common import add_json
    from ludus.cli._training import Options, add_fields

    parser = Options(
        prog=f"ludus train {name} {on}", description=module.__doc__, allow_abbrev=False
    )
    there = ", ".join(module.PRESETS) or "none"
    parser.add_argument("--preset", default="", metavar="NAME", help=f"settings by name: {there}")
    parser.add_argument("--minutes", type=float, metavar="N", help="stop, saved, after so long")
    parser.add_argument("--seed", type=int, default=0, help="decides everything (0)")
    parser.add_argument("--run", metavar="DIR", help=f"where to keep it (runs/{name}-GAME)")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what it would cost, and do nothing"
    )
    add_json(parser)
    add_fields(parser, module.Config, None)
    return parser


def free_path(wish: str) -> str:
    """A folder that nobody uses."""
    number, path = 1, wish
    while Path(path).exists():
        number += 1
        path = f"{wish}-{number}"
    return path


def costed(game: Any, module: Any, config: Any, own: argparse.Namespace) -> int:
    """What it would cost: memory, disk, and time as measured over a few steps."""
    from ludus.cli._common import answer, clock
    from ludus.learn.run.cost import cost

    found = cost(game, module, config, own.seed)
    if own.json:
        answer(found)
        return 0
    say(f"{found['weights']:,} weights, {found['bytes'] / 1e6:,.0f} MB of state in memory")
    say(f"{found['disk'] / 1e6:,.0f} MB on disk for three checkpoints")
    say(
        f"{found['steps']:,} steps, about {clock(found['seconds'])} here without measuring "
        f"strength ({found['seconds_a_step']:.2g} s a step while it begins)"
    )
    return 0
