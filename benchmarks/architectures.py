"""A thesis' four architectures of AlphaZero and ours, each for the same time on its game."""

from __future__ import annotations

import tempfile
from pathlib import Path

from harness import Report, parse, parser

from ludus.arena.match import match
from ludus.game import game
from ludus.learn import alphazero
from ludus.learn.runs.evaluate import compare_with_truth
from ludus.learn.runs.run import Run

GAME = "chinesecheckers:size=4,pieces=3,forward_only=true"
# One game at a time, with a replay buffer, games in parallel, and a queue that joins their
# questions to the network; then ours.
NAMES = ("thesis-single", "thesis-replay", "thesis-parallel", "thesis-4x4", "ours")
OPPONENT = "uct:plain=true,simulations=200"
GAMES = 100
SIZES = {"width": 32, "blocks": 2, "positions_per_step": 512, "eval_freq": 0, "steps": 1_000_000}
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
        how = {"samples_per_position": 1.0 if name == "thesis-single" else 2.5, "overlap": True}
        of_thesis = alphazero.PRESETS[name].settings
        return alphazero.Config(**{**of_thesis, **SIZES, **MINUTES, **how})
    own = alphazero.Config(**SIZES)
    return alphazero.autotune(game(GAME), own, minutes, SIZES.keys())


def measure(name: str, minutes: float, folder: Path, report: Report) -> None:
    """Train, then play with the raw policy that came of it."""
    run = Run(folder / name, GAME, alphazero, settings(name, minutes), seed=1)
    last = None
    for step in run.steps(minutes):
        last = step
    assert last is not None
    rate = last.metrics["positions"] / (60 * minutes)
    score = match(GAME, f"{run.spelled}@last", OPPONENT, games=GAMES, seed=7, openings="none")
    low, high = score.interval
    truth = compare_with_truth(game(GAME), last.agent, 400, 7)
    kept = truth.get("optimal_move_rate", float("nan"))
    report.add(
        f"{name:16}{last.metrics['games']:>9,.0f}{last.metrics['positions']:>12,.0f}{rate:>12,.1f}"
        f"{100 * score.points:>9.1f} % ({100 * low:.0f}-{100 * high:.0f}){100 * kept:>9.1f} %",
        name=name,
        games=last.metrics["games"],
        positions=last.metrics["positions"],
        score=score.points,
        interval=score.interval,
        optimal_move_rate=kept,
    )


def main() -> None:
    """One line for each."""
    options = parser(__doc__)
    options.add_argument("--minutes", type=float, default=2.0, help="of each (2)")
    options.add_argument("--names", default=",".join(NAMES), help="which, joined by commas")
    args = parse(options, minutes=0.05, names="ours")
    head = (
        f"{'':16}{'games':>9}{'positions':>12}{'a second':>12}{'against uct 200':>22}{'truth':>9}"
    )
    title = f"{GAME}, {args.minutes:g} minutes each"
    with tempfile.TemporaryDirectory() as folder, Report(args, title, head) as report:
        for name in args.names.split(","):
            measure(name, args.minutes, Path(folder), report)


if __name__ == "__main__":
    main()
