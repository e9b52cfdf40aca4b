"""Train an agent: ALGORITHM, GAME, options; `ludus train dqn --help` and `--list-presets` tell."""

from __future__ import annotations

import argparse
import dataclasses
import shlex
import sys
from collections.abc import Set
from pathlib import Path
from typing import Any

from ludus.cli._common import GAME_HELP, add_json, say
from ludus_start import importing

LIST_HELP = "which presets there are, what each sets and from which paper"


def options(parser: argparse.ArgumentParser) -> None:
    """Which algorithm; the rest is its own."""
    parser.add_argument("--list-presets", action="store_true", help=LIST_HELP)
    add_json(parser)
    parser.add_argument("algorithm", nargs="?", metavar="ALGORITHM", help="such as dqn or ppo")
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="[GAME] ...",
        help="the game, unless a --preset brings one, and options: `ludus train dqn --help`",
    )


def run(args: argparse.Namespace) -> int:
    """Train in a new folder."""
    if args.list_presets and args.algorithm is None:
        from ludus.cli._presets import listed
        from ludus.learn.settings.presets import TABLES

        return listed(TABLES, args.json)
    from ludus.learn import algorithms

    if args.algorithm is None:
        raise ValueError(f"which algorithm? there are {', '.join(algorithms())}")
    with importing():
        from ludus.cli._common import check_minutes
        from ludus.cli._training import given, trained
        from ludus.learn import algorithm
        from ludus.learn.runs.run import Run
        from ludus.learn.settings import config
        from ludus.learn.settings.needs import check_effects
        from ludus.learn.settings.preset import find, played_game

        module = algorithm(args.algorithm)
    own = own_options(args.algorithm, module).parse_intermixed_args(args.words)
    own.json = own.json or args.json
    if args.list_presets or own.list_presets:
        from ludus.cli._presets import listed

        return listed({args.algorithm: module.PRESETS}, own.json)
    preset = find(own.preset, module.PRESETS) if own.preset is not None else None
    chosen, differs = played_game(preset, own.game)
    check_minutes(own.minutes)
    words = given(own, module.Config)
    settings = config.read(module.Config, words, preset)
    settings, asked = alike(settings, words.keys() | (preset.settings.keys() if preset else set()))
    check_effects(chosen, settings, words)
    if preset is None and hasattr(module, "fitted"):  # a paper's settings are what they are
        settings = module.fitted(chosen, settings, own.minutes, asked)
    if differs:
        say(f"ludus: {differs}", file=sys.stderr)
    if own.dry_run:
        return costed(chosen, module, settings, own)
    path = own.run or free_path(f"runs/{args.algorithm}-{chosen.name}")
    command = shlex.join(["ludus", "train", args.algorithm, *args.words])
    made = Run(path, chosen, module, settings, seed=own.seed, command=command)
    return trained(made, own.minutes, own.json)


def alike(settings: Any, asked: Set[str]) -> tuple[Any, Set[str]]:
    """With the network of the run that it begins from, where no other was asked for."""
    if not settings.init:
        return settings, asked
    from ludus.learn.agents._trained import network_of

    theirs = network_of(settings.init)
    free = {name: value for name, value in theirs.items() if name not in asked}
    return dataclasses.replace(settings, **free), asked | theirs.keys()


def own_options(name: str, module: Any) -> argparse.ArgumentParser:
    """The options of one algorithm; the game may stand before, between or after them."""
    from ludus.cli._training import Options, add_fields

    parser = Options(prog=f"ludus train {name}", description=module.__doc__, allow_abbrev=False)
    parser.add_argument("game", nargs="?", metavar="GAME", help=f"{GAME_HELP}; a preset brings one")
    there = ", ".join(module.PRESETS) or "none"
    parser.add_argument("--preset", metavar="NAME", help=f"a paper's settings and game: {there}")
    parser.add_argument("--list-presets", action="store_true", help=LIST_HELP)
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
    from ludus.cli._common import answer
    from ludus.cli._progress import clock
    from ludus.learn.runs.cost import cost

    found = cost(game, module, config, own.seed)
    if own.json:
        answer(found)
        return 0
    say(f"{found['weights']:,} weights, {found['bytes'] / 1e6:,.0f} MB of state in memory")
    say(
        f"{found['disk'] / 1e6:,.0f} MB on disk in the end; on the way {found['checkpoints']:,} "
        f"checkpoints, {found['written'] / 1e6:,.0f} MB written"
    )
    told = f"{found['steps']:,} steps, {found['games']:,} games"
    say(f"{told}, {found['evaluations']:,} measurements of strength")
    say(
        f"about {clock(found['seconds'])} here, {found['seconds_a_step']:.2g} s a step without "
        f"measuring strength ({found['how']})"
    )
    return 0
