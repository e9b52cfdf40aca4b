"""Ideas for AlphaZero, one at a time: the same minutes with and without, and both meet.

    python benchmarks/ideas.py                  King and Courtesan, 15 minutes, 3 seeds
    python benchmarks/ideas.py --game checkers --only "surprise;reply"
    python benchmarks/ideas.py --only "" --idea "wide=--width 64 --blocks 4"

The settings are fitted once, for the game and the minutes, and all trainings have them; an idea
changes what its words say. Networks of one seed meet, by the raw policy and in a search, from
openings that all differ; the points are of all seeds together, and pairs of games are the unit of
their interval. How far seeds differ is told beside it. Minutes are measured: alone on the machine.
Trainings are kept in `--folder`; what was interrupted goes on for the minutes that are left.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from pathlib import Path
from statistics import mean

from harness import Report, parse, parser

import ludus
from ludus.arena.interval import over_pairs
from ludus.arena.score import Score
from ludus.learn import alphazero
from ludus.learn.runs.run import Run

ROOT = Path(__file__).parent.parent
BASE, MATCH_SEED, OPENINGS = "base", 7, "random:4"
ENOUGH = 0.02  # minutes that need not be made up for
IDEAS = {
    "surprise": "--policy-surprise-weight 0.5",
    "reply": "--opponent-policy-coef 0.15",
    "caps": "--full-search-prob 0.25 --fast-simulations 8",
    "dense": "--network zero",
    "onesided": "--one-sided-prob 0.5",
}


def fitted_words(game: str, minutes: float) -> list[str]:
    """What every training is told: what `--minutes` alone would choose."""
    on = ludus.game(game)
    config = alphazero.autotune(on, alphazero.Config(), minutes, ())
    names = (*alphazero.FITTED, *on.kind.selfplay)
    pairs = ((f"--{name.replace('_', '-')}", getattr(config, name)) for name in names)
    return [str(word) for pair in pairs for word in pair]


def train(args: argparse.Namespace, words: list[str], name: str, seed: int) -> Path:
    """The run of one training, for its minutes over all sittings."""
    run = args.folder / f"{name}-{seed}"
    here = [sys.executable, "-m", "ludus"]
    left = args.minutes
    if (run / "config.json").exists():
        spent = max((line["time_elapsed"] for line in Run(run).folder.course()), default=0.0)
        left -= spent / 60
        command = [*here, "resume", str(run)]
    else:
        command = [*here, "train", "alphazero", args.game, *words]
        command += ["--seed", str(seed), "--run", str(run), "--eval-freq", "0"]
    if left > ENOUGH:
        subprocess.run([*command, "--minutes", f"{left:g}"], check=True, stdout=sys.stderr)
    return run


def meet(args: argparse.Namespace, one: Path, two: Path, seed: int, search: str) -> Score:
    """What two trainings have become."""
    agents = (f"{run}@last{search}" for run in (one, two))
    return ludus.match(
        args.game, *agents, games=args.games, seed=MATCH_SEED + seed, openings=OPENINGS
    )


def pooled(scores: list[Score]) -> tuple[float, float, float]:
    """Points of all games, and their interval over pairs."""
    pairs = [pair for score in scores for pair in score.pairs]
    low, high = over_pairs([mean(pair) for pair in pairs], [len(pair) / 2 for pair in pairs])
    return mean(mean(pair) for pair in pairs), low, high


def chosen(args: argparse.Namespace) -> dict[str, list[str]]:
    """The ideas by name, with their words."""
    names = list(IDEAS) if args.only is None else [name for name in args.only.split(";") if name]
    if strange := [name for name in names if name not in IDEAS]:
        raise SystemExit(f"no idea {strange[0]!r} here; there are {', '.join(IDEAS)}")
    found = {name: IDEAS[name] for name in names}
    found |= dict(one.partition("=")[::2] for one in args.idea)
    if BASE in found:
        raise SystemExit(f"{BASE} is what the ideas are compared with")
    return {name: shlex.split(words) for name, words in found.items()}


def main() -> None:
    """Two rows an idea."""
    options = parser(__doc__)
    options.add_argument("--game", default="kingcourtesan")
    options.add_argument("--minutes", type=float, default=15)
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--games", type=int, default=200, help="for each seed and search")
    options.add_argument("--simulations", type=int, default=100, help="of the search")
    options.add_argument("--only", metavar="A;B", help=f"of {', '.join(IDEAS)} (all)")
    options.add_argument("--idea", action="append", default=[], metavar="NAME=WORDS")
    options.add_argument("--folder", type=Path, help="where trainings are kept")
    args = parse(options, minutes=0.03, seeds=1, games=2, simulations=2)
    game = args.game.replace(":", "-").replace(",", "-")
    args.folder = args.folder or ROOT / "build" / "ideas" / f"{game}-{args.minutes:g}min"
    args.folder.mkdir(parents=True, exist_ok=True)
    ideas = chosen(args)
    told = args.folder / "fitted.txt"
    if not told.exists():
        told.write_text(shlex.join(fitted_words(args.game, args.minutes)))
    fitted = shlex.split(told.read_text())
    seeds = range(1, args.seeds + 1)
    with Report(args, f"{args.game}, {args.minutes:g} minutes: {shlex.join(fitted)}") as report:
        base = {seed: train(args, fitted, BASE, seed) for seed in seeds}
        for name, words in ideas.items():
            own = {seed: train(args, [*fitted, *words], name, seed) for seed in seeds}
            for search in ("", f":simulations={args.simulations}"):
                scores = [meet(args, own[seed], base[seed], seed, search) for seed in seeds]
                points, low, high = pooled(scores)
                each = ", ".join(f"{100 * score.points:.1f}" for score in scores)
                how = search.removeprefix(":") or "raw policy"
                report.add(
                    f"{name:12}{how:18}{100 * points:5.1f} % ({100 * low:.1f}-{100 * high:.1f}) "
                    f"against {BASE}; by seed {each}; {shlex.join(words)}",
                    idea=name,
                    words=shlex.join(words),
                    search=how,
                    points=points,
                    low=low,
                    high=high,
                    seeds=[score.points for score in scores],
                    games=args.games,
                )


if __name__ == "__main__":
    main()
