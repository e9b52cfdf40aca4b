"""A thesis' four architectures of AlphaZero and ours, each for the same time on its game."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from ludus.arena.match import match
from ludus.game import game
from ludus.learn import alphazero
from ludus.learn.runs.evaluate import compared
from ludus.learn.runs.run import Run

GAME = "chinesecheckers:size=4,pieces=3,forward_only=true"
# One game at a time, with a replay buffer, games in parallel, and a queue that joins their
# questions to the network; then ours.
NAMES = ("thesis-single", "thesis-replay", "thesis-parallel", "thesis-4x4", "ours")
OPPONENT = "uct:plain=true,simulations=200"
GAMES = 100
SIZES = {"width": 32, "blocks": 2, "positions": 512, "evaluate_every": 0, "steps": 1_000_000}
# What the thesis trains with for hours would show nothing in minutes: the architectures are
# compared as they collect, with our network, optimizer and learning rate for all.
MINUTES = {
    "network": "zero",
    "optimizer": "adamw",
    "learning_rate": 0.002,
    "games_per_step": 0,
    "samples_per_step": 0,
}


def settings(name: str, minutes: float) -> alphazero.Config:
    """The same network for all; ours fits the rest to the time."""
    if name != "ours":
        how = {"reuse": 1.0 if name == "thesis-single" else 2.5, "overlap": True}
        of_thesis = alphazero.PRESETS[name].settings
        return alphazero.Config(**{**of_thesis, **SIZES, **MINUTES, **how})
    own = alphazero.Config(**SIZES)
    return alphazero.fitted(game(GAME), own, minutes, SIZES.keys())


def measured(name: str, minutes: float, folder: Path) -> str:
    """Train, then play one look of what came of it."""
    run = Run(folder / name, GAME, alphazero, settings(name, minutes), seed=1)
    last = None
    for step in run.steps(minutes):
        last = step
    assert last is not None
    rate = last.metrics["positions"] / (60 * minutes)
    score = match(GAME, f"{run.spelled}@last", OPPONENT, games=GAMES, seed=7, openings="none")
    low, high = score.interval
    kept = compared(game(GAME), last.agent, 400, 7).get("truth kept", float("nan"))
    return (
        f"{name:16}{last.metrics['games']:>9,.0f}{last.metrics['positions']:>12,.0f}{rate:>12,.1f}"
        f"{100 * score.points:>9.1f} % ({100 * low:.0f}-{100 * high:.0f}){100 * kept:>9.1f} %"
    )


def main() -> None:
    """One line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=2.0, help="of each (2)")
    parser.add_argument("--names", default=",".join(NAMES), help="which, joined by commas")
    args = parser.parse_args()
    head = (
        f"{'':16}{'games':>9}{'positions':>12}{'a second':>12}{'against uct 200':>22}{'truth':>9}"
    )
    print(f"{GAME}, {args.minutes:g} minutes each\n{head}")
    with tempfile.TemporaryDirectory() as folder:
        for name in args.names.split(","):
            print(measured(name, args.minutes, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
