"""Every preset for a few minutes: does it learn? A table for the docs, a line as each is done."""

from __future__ import annotations

import argparse
import dataclasses
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ludus.agent import Agent
from ludus.arena.match import match
from ludus.game import Game, game
from ludus.learn import algorithm
from ludus.learn.net.player import NetworkAgent, in_torch
from ludus.learn.run.cost import cost
from ludus.learn.run.preset import Preset
from ludus.learn.run.presets import TABLES
from ludus.learn.run.run import Run

GAMES = 200  # against a random player, before and after
SEED = 1
LONG = 2  # times the minutes: a step that takes longer is not begun
HEAD = "| preset | minutes | steps | games | against random before | after |\n" + 6 * "|---" + "|"


def points(on: Game, agent: Agent) -> str:
    """Points a game, with their interval."""
    score = match(on, agent, "random", games=GAMES, seed=7, openings="none")
    low, high = score.interval
    return f"{100 * score.points:.1f} % ({100 * low:.0f}-{100 * high:.0f})"


def untrained(module: Any, on: Game, config: Any) -> Agent:
    """What the training begins with."""
    learner = module.Learner(on, config, SEED)
    return NetworkAgent(in_torch(learner.network), learner.values, config.planes)


def line(method: str, preset: Preset, minutes: float, folder: Path) -> str:
    """Train, and compare with what it began with."""
    module, on = algorithm(method), game(preset.game)
    config = unmeasured(module, preset)
    if getattr(config, "head_width", 0):  # heads on an encoder, which is learned first
        config = dataclasses.replace(config, encoder=encoder(on, minutes, folder))
    name = f"| `{method} --preset {preset.name}` |"
    each = cost(on, module, config, SEED)["seconds_a_step"]
    if each > LONG * 60 * minutes:
        return f"{name} | | | a step takes about {each / 60:.0f} minutes here: not tried | |"
    run = Run(folder / f"{method}-{preset.name}", on, module, config, seed=SEED)
    steps = list(measured(run, minutes))
    first, last = steps[0], steps[-1]
    done = f"{minutes:g} | {last['step']:,} | {last.get('games', 0):,.0f}"
    if method == "vae":
        before, after = (f"{100 * one['cells right']:.1f} % of cells" for one in (first, last))
    else:
        before, after = points(on, untrained(module, on, config)), points(on, run.last(SEED))
    return f"{name} {done} | {before} | {after} |"


def unmeasured(module: Any, preset: Preset) -> Any:
    """Its settings, but strength is measured here."""
    whole = module.Config(**preset.settings)
    return dataclasses.replace(whole, evaluate_every=0, evaluate_every_games=0)


def encoder(on: Game, minutes: float, folder: Path) -> str:
    """A run of the autoencoder's preset for this game."""
    module = algorithm("vae")
    config = unmeasured(module, TABLES["vae"][on.name])
    run = Run(folder / f"encoder-{on.name}", on, module, config, seed=SEED)
    list(run.steps(minutes))
    return str(run.folder.path)


def measured(run: Run, minutes: float) -> Iterator[dict[str, Any]]:
    """The metrics of each step."""
    for step in run.steps(minutes):
        yield dict(step.metrics)


def main() -> None:
    """One line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="of each (1)")
    parser.add_argument("--only", default="", help="such as ppo-cathedral,dqn-cathedral")
    args = parser.parse_args()
    print(HEAD, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for method, table in TABLES.items():
            for preset in table.values():
                if not args.only or f"{method}-{preset.name}" in args.only.split(","):
                    print(line(method, preset, args.minutes, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
