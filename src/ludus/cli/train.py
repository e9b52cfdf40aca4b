"""Train an agent: METHOD, GAME, options; `ludus train dqn --help` and `--list-presets` tell."""

from __future__ import annotations

import argparse
import dataclasses
import shlex
import sys
import textwrap
from collections.abc import Sequence, Set
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from ludus.cli._common import GAME_HELP, add_json, add_place, answer, check_place_options, say
from ludus_start import importing

MISSING_METHOD = 2  # the exit code of bad input
LIST_HELP = "which presets there are, what each sets and from which paper"


def options(parser: argparse.ArgumentParser) -> None:
    """Which algorithm; the rest is its own."""
    parser.add_argument("--list-presets", action="store_true", help=LIST_HELP)
    add_json(parser)
    parser.add_argument("algorithm", nargs="?", metavar="METHOD", help="such as dqn or ppo")
    parser.add_argument(
        "words",
        nargs=argparse.REMAINDER,
        metavar="[GAME] ...",
        help="the game, unless a --preset brings one, and options: `ludus train dqn --help`",
    )


def run(args: argparse.Namespace) -> int:
    """Train in a new folder."""
    if args.list_presets and args.algorithm is None:
        from ludus.cli._presets import list_presets
        from ludus.learn.settings.presets import TABLES

        return list_presets(TABLES, args.json)
    if args.algorithm is None:
        return methods(args.json)
    with importing():
        from ludus.cli._common import check_minutes
        from ludus.cli._options import typed_settings
        from ludus.cli._training import train_somewhere
        from ludus.learn import algorithm
        from ludus.learn.networks.effects import check_effects
        from ludus.learn.runs.run import Run
        from ludus.learn.settings import config
        from ludus.learn.settings.preset import find, training_game
        from ludus.learn.settings.schema import run_schema

        module = algorithm(args.algorithm)
    own = own_options(args.algorithm, module).parse_intermixed_args(args.words)
    own.json = own.json or args.json
    if args.list_presets or own.list_presets:
        from ludus.cli._presets import list_presets

        return list_presets({args.algorithm: module.PRESETS}, own.json)
    if own.schema:
        answer(run_schema(args.algorithm, module.Config))
        return 0
    preset = find(own.preset, module.PRESETS) if own.preset is not None else None
    chosen, differs = training_game(preset, own.game)
    check_minutes(own.minutes)
    check_place_options(own)
    words = typed_settings(own, module.Config)
    settings = config.read_config(module.Config, words, preset)
    settings, asked = adopt_network(
        settings, words.keys() | (preset.settings.keys() if preset else set())
    )
    check_effects(chosen, settings, words)
    if fits := preset is None and own.minutes is not None and hasattr(module, "autotune"):
        with telling("fitting settings to this machine", own.json):
            settings = module.autotune(chosen, settings, own.minutes, asked)
    if differs:
        say(f"ludus: {differs}", file=sys.stderr)
    if fits and not own.json:
        for line in fitted_text(
            settings, (*module.FITTED, *chosen.kind.selfplay), asked, own.minutes
        ):
            say(line, flush=True)
    if own.dry_run:
        return print_cost(chosen, module, settings, own)
    path = own.run or free_path(f"runs/{args.algorithm}-{chosen.name}")
    command = shlex.join(["ludus", "train", args.algorithm, *args.words])
    made = Run(path, chosen, module, settings, seed=own.seed, command=command)
    return train_somewhere(made, own)


def telling(what: str, json: bool) -> AbstractContextManager[Any]:
    """Tell how long this takes already, unless a program listens."""
    from ludus.cli._progress import Progress

    return nullcontext() if json else Progress(what)


def fitted_text(settings: Any, fitted: Sequence[str], asked: Set[str], minutes: float) -> list[str]:
    """What was chosen for this game, machine and time, as options that choose it again."""
    from ludus.cli._progress import pack
    from ludus.cli._training import LINE

    names = [name for name in fitted if name not in asked]
    words = [f"--{name.replace('_', '-')} {getattr(settings, name)}" for name in names]
    return pack([f"fitted to {minutes:g} minutes here:", *words], LINE, " ") if words else []


def methods(json: bool) -> int:
    """What can be chosen, where no method was."""
    from ludus.learn import about, algorithms

    said = {name: about(name) for name in algorithms()}
    if json:
        answer({"methods": said})
        return MISSING_METHOD
    say("ludus train METHOD GAME trains an agent by one of these methods:")
    for name, sentence in said.items():
        for line in textwrap.wrap(f"{name:13}{sentence}", 78, subsequent_indent=" " * 13):
            say(f"  {line}")
    say("`ludus train METHOD --help` explains one and lists its options.")
    return MISSING_METHOD


def adopt_network(settings: Any, asked: Set[str]) -> tuple[Any, Set[str]]:
    """With the network of the run that it begins from, where no other was asked for."""
    if not settings.init:
        return settings, asked
    from ludus.learn.store.zoo import network_of

    theirs = network_of(settings.init)
    free = {name: value for name, value in theirs.items() if name not in asked}
    return dataclasses.replace(settings, **free), asked | theirs.keys()


def own_options(name: str, module: Any) -> argparse.ArgumentParser:
    """The options of one algorithm; the game may stand before, between or after them."""
    from ludus.cli._options import Options, add_fields

    parser = Options(prog=f"ludus train {name}", description=module.__doc__, allow_abbrev=False)
    parser.add_argument("game", nargs="?", metavar="GAME", help=f"{GAME_HELP}; a preset brings one")
    there = ", ".join(module.PRESETS) or "none"
    parser.add_argument("--preset", metavar="NAME", help=f"a paper's settings and game: {there}")
    parser.add_argument("--list-presets", action="store_true", help=LIST_HELP)
    parser.add_argument("--minutes", type=float, metavar="N", help="stop, saved, after so long")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of all random numbers (0)"
    )
    parser.add_argument("--run", metavar="DIR", help=f"where to keep it (runs/{name}-GAME)")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what it would cost, and do nothing"
    )
    parser.add_argument("--schema", action="store_true", help="print a JSON schema of config.json")
    add_place(parser)
    add_json(parser)
    add_fields(parser, module.Config)
    return parser


def free_path(wish: str) -> str:
    """A folder that nobody uses."""
    number, path = 1, wish
    while Path(path).exists():
        number += 1
        path = f"{wish}-{number}"
    return path


def print_cost(game: Any, module: Any, config: Any, own: argparse.Namespace) -> int:
    """What it would cost: memory, disk, and time as measured over a few steps."""
    from ludus.cli._progress import clock
    from ludus.learn.runs.cost import cost

    with telling("measuring some steps", own.json):
        found = cost(game, module, config, own.seed, own.minutes)
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
