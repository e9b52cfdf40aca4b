"""A guard on learning: what fixed minutes of training come to, against opponents that never change.

Each method trains with its defaults, once a seed, alone on the machine. What it has become meets
fixed opponents; they meet each other too, so that all are on one scale of Elo whose zero is the
mean of the opponents. Trainings and matches that are finished are kept in `--folder` and not made
again; one that was interrupted begins anew, as its minutes are what is measured.
"""

from __future__ import annotations

import datetime
import json
import math
import subprocess
import sys
import zlib
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

from harness import Report, parse, parser

import ludus
from ludus.arena.score import Score
from ludus.arena.table import TournamentTable

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "results" / "guard.md"
MATCH_SEED = 7


@dataclass(frozen=True)
class Guarded:
    """A training, how its agent plays, and whom it meets."""

    method: str
    game: str
    agent: str  # what follows the path of the run
    opponents: tuple[str, ...]


GUARDED = (
    Guarded(
        "alphazero",
        "connect4",
        "@last:simulations=100",
        ("uct:simulations=300", "uct:simulations=1000", "uct:simulations=3000"),
    ),
    Guarded(
        "ppo",
        "cathedral:size=8,rules=seed",
        "@last",
        # Without first-play urgency, which came later: opponents never change.
        (
            "uct:simulations=100,fpu=10",
            "uct:simulations=300,fpu=10",
            "uct:simulations=1000,fpu=10",
        ),
    ),
)


@dataclass(frozen=True)
class Elo:
    """Elo above the mean of the opponents, with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.0f} ({self.low:+.0f} to {self.high:+.0f})"


def train(what: Guarded, seed: int, minutes: float, folder: Path) -> Path:
    """The run of one training, from earlier if it was finished."""
    name = f"{what.method}-{seed}-{minutes:g}min"
    run, done = folder / name, folder / f"{name}.done"
    if not done.exists():
        number = 1
        while run.exists():  # nothing is deleted: it may be somebody's
            number, run = number + 1, folder / f"{name}-{number}"
        command = [sys.executable, "-m", "ludus", "train", what.method, what.game]
        command += ["--minutes", f"{minutes:g}", "--seed", str(seed), "--run", str(run)]
        subprocess.run([*command, "--eval-freq", "0"], check=True, stdout=sys.stderr)
        done.write_text(run.name)
    return folder / done.read_text()


def elo(what: Guarded, agent: str, rivals: dict[tuple[int, int], Score], games: int) -> Elo:
    """The rating of one agent among the opponents."""
    agents = [agent, *what.opponents]
    meetings = enumerate(what.opponents, 1)
    scores = {(0, at): play_match(what.game, agent, other, games) for at, other in meetings}
    scores |= {(one + 1, two + 1): score for (one, two), score in rivals.items()}
    played = {pair: score.played for pair, score in scores.items()}
    first = scores[0, 1]
    own = TournamentTable(what.game, agents, MATCH_SEED, first.openings, played).ratings.ratings[0]
    # All ratings have mean 0, so the mean of the opponents is own / their number below it.
    scale = 1 + 1 / len(what.opponents)
    return Elo(scale * own.value, scale * own.low, scale * own.high)


def play_match(game: str, one: str, two: str, games: int) -> Score:
    """A match that is the same whenever it is played."""
    print(f"{one} - {two}", file=sys.stderr)
    return ludus.match(game, one, two, games=games, seed=MATCH_SEED)


def mean_elo(found: list[Elo]) -> Elo:
    """The mean over seeds; its interval is of the games alone, seeds differ beside it."""
    value = mean(one.value for one in found)
    low, high = (
        math.hypot(*(one.value - getattr(one, end) for one in found)) / len(found)
        for end in ("low", "high")
    )
    return Elo(value, value - low, value + high)


def measure(what: Guarded, seeds: int, minutes: float, games: int, folder: Path) -> dict[str, Any]:
    """All seeds of one training, and their mean."""
    pairs = combinations(range(len(what.opponents)), 2)
    rivals = {
        (one, two): play_match(what.game, what.opponents[one], what.opponents[two], games)
        for one, two in pairs
    }
    found = []
    for seed in range(1, seeds + 1):
        run = train(what, seed, minutes, folder)
        found.append(elo(what, f"{run}{what.agent}", rivals, games))
        print(f"{what.method} {what.game} seed {seed}: Elo {found[-1]}", file=sys.stderr)
    return {
        "method": what.method,
        "game": what.game,
        "minutes": minutes,
        "mean": str(mean_elo(found)),
        "seeds": [str(one) for one in found],
    }


def commit() -> str:
    """What was measured."""
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty=+"], cwd=ROOT, capture_output=True, text=True
    )
    return found.stdout.strip() or "unknown"


def folder_name() -> str:
    """The folder's name: the commit, and which uncommitted changes, as these are measured too."""
    changes = subprocess.run(["git", "diff", "HEAD"], cwd=ROOT, capture_output=True).stdout
    return commit() + (f"{zlib.crc32(changes):08x}" if changes else "")


def main() -> None:
    """A row a method, printed and put at the end of the table in the documents."""
    options = parser(__doc__)
    options.add_argument("--minutes", type=float, default=10)
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--games", type=int, default=200, help="against each opponent")
    options.add_argument("--note", default="", help="what was changed")
    options.add_argument("--folder", type=Path, help="where trainings are kept")
    options.add_argument("--keep", action="store_true", help=f"append to {DOCUMENT.name}")
    args = parse(options, minutes=0.05, seeds=1, games=2)
    folder = args.folder or ROOT / "build" / "guard" / folder_name()
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    with Report(args) as report:
        for what in GUARDED:
            row = measure(what, args.seeds, args.minutes, args.games, folder)
            seeds = ", ".join(row["seeds"])
            today = datetime.date.today().isoformat()
            lines.append(
                f"| {today} | `{commit()}` | {what.method} {what.game} | {args.minutes:g} | "
                f"{row['mean']} | {seeds} | {args.note} |"
            )
            report.add(json.dumps(row), **row)
    if args.keep:
        with DOCUMENT.open("a") as document:
            document.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
