"""Every preset for a few minutes: does it learn? A table for the docs, a row as each is done."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness import Report, parse, parser

from ludus.agent import Agent
from ludus.arena.match import match
from ludus.game import Game, game
from ludus.learn import algorithm
from ludus.learn.networks.player import NetworkAgent, in_torch
from ludus.learn.runs.cost import cost
from ludus.learn.runs.run import Run
from ludus.learn.settings.config import read_config
from ludus.learn.settings.preset import Preset
from ludus.learn.settings.presets import TABLES

GAMES = 200  # against each opponent, before and after
SEED = 1
LONG = 2  # times the minutes: a step that takes longer is not begun
UNTRAINED = "untrained"  # the opponent that is the network as it began
COLUMNS = ("preset", "set over it", "minutes", "steps", "games", "against", "before", "after")


def row(*cells: str) -> str:
    """Of a table."""
    return f"| {' | '.join(cells)} |".replace("  ", " ")


def points(on: Game, agent: Agent, other: str | Agent, reward: str) -> str:
    """Points a game, with their interval; with a reward also what games pay, and how long they are.

    Games differ by their openings if not by the opponent.
    """
    openings = "none" if other == "random" else "random:4"
    score = match(on, agent, other, games=GAMES, seed=7, openings=openings, reward=reward or None)
    low, high = score.interval
    told = f"{100 * score.points:.1f} % ({100 * low:.0f}-{100 * high:.0f})"
    paid = score.average(of_a=True)
    if paid is None:
        return told
    plies = sum(len(game.moves) for game in score.played) / score.games
    return f"{told}, paid {paid.per_game.value:.2f} in {plies:.0f} plies"


def initial_agent(module: Any, on: Game, config: Any) -> Agent:
    """What the training begins with."""
    learner = module.Learner(on, config, SEED)
    return NetworkAgent(in_torch(learner.network), learner.values, config.planes)


def rows(
    method: str,
    preset: Preset,
    minutes: float,
    folder: Path,
    words: Mapping[str, str],
    opponents: Sequence[str],
    *,
    paid: bool = False,
) -> Iterator[Sequence[str]]:
    """Train, and compare with what it began with: a row for each opponent."""
    module, on = algorithm(method), game(preset.game)
    config = without_evaluation(module, preset, words)
    if getattr(config, "head_width", 0):  # heads on an encoder, which is learned first
        config = dataclasses.replace(config, encoder=encoder(on, minutes, folder))
    over = ", ".join(f"`{name}={word}`" for name, word in words.items())
    name = f"`{method} --preset {preset.name}`", over
    each = cost(on, module, config, SEED)["seconds_a_step"]
    if each > LONG * 60 * minutes:
        note = f"a step takes about {each / 60:.0f} minutes here: not tried"
        yield *name, "", "", "", "", note, ""
        return
    run = Run(folder / f"{method}-{preset.name}", on, module, config, seed=SEED)
    steps = list(train_metrics(run, minutes))
    first, last = steps[0], steps[-1]
    done = f"{minutes:g}", f"{last['step']:,}", f"{last.get('games', 0):,.0f}"
    if method == "vae":
        shares = (f"{100 * one['cell_accuracy']:.1f} % of cells" for one in (first, last))
        yield *name, *done, "", *shares
        return
    reward = preset.settings.get("shaping", "") if paid else ""
    begun, now = initial_agent(module, on, config), run.last(SEED)
    for opponent in opponents:
        other = begun if opponent == UNTRAINED else opponent
        told = points(on, begun, other, reward), points(on, now, other, reward)
        yield *name, *done, f"`{opponent}`", *told


def without_evaluation(module: Any, preset: Preset, words: Mapping[str, str]) -> Any:
    """Its settings and those over it, but strength is measured here."""
    whole = read_config(module.Config, words, preset)
    return dataclasses.replace(whole, eval_freq=0, eval_freq_games=0)


def encoder(on: Game, minutes: float, folder: Path) -> str:
    """A run of the autoencoder's preset for this game."""
    module = algorithm("vae")
    config = without_evaluation(module, TABLES["vae"][on.name], {})
    run = Run(folder / f"encoder-{on.name}", on, module, config, seed=SEED)
    list(run.steps(minutes))
    return str(run.folder.path)


def train_metrics(run: Run, minutes: float) -> Iterator[dict[str, Any]]:
    """The metrics of each step."""
    for step in run.steps(minutes):
        yield dict(step.metrics)


def main() -> None:
    """A row or more for each."""
    options = parser(__doc__)
    options.add_argument("--minutes", type=float, default=1.0, help="of each (1)")
    options.add_argument("--only", default="", help="such as ppo-cathedral,dqn-cathedral")
    options.add_argument(
        "--against",
        nargs="+",
        default=["random"],
        metavar="AGENT",
        help=f"opponents, a row for each; {UNTRAINED} is the network as it began (random)",
    )
    options.add_argument(
        "--set",
        nargs="+",
        default=[],
        metavar="NAME=VALUE",
        help="such as games=4, over the preset",
    )
    options.add_argument(
        "--paid",
        action="store_true",
        help="also what the preset's own reward signal pays in a game, and how long games are",
    )
    args = parse(options, minutes=0.3, only="ppo-cathedral")
    words = dict(one.split("=", 1) for one in args.set)
    heads = row(*COLUMNS), row(*("---" for _ in COLUMNS))
    with tempfile.TemporaryDirectory() as folder, Report(args, *heads) as report:
        for method, table in TABLES.items():
            for preset in table.values():
                if not args.only or f"{method}-{preset.name}" in args.only.split(","):
                    room, others = Path(folder), args.against
                    told = rows(method, preset, args.minutes, room, words, others, paid=args.paid)
                    for cells in told:
                        report.add(row(*cells), **dict(zip(COLUMNS, cells, strict=True)))


if __name__ == "__main__":
    main()
