"""Measure ourselves and a peer in one run, interleaved, and report medians and ratios."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Self


@dataclass
class Effort:
    """How long to measure."""

    rounds: int = 5
    seconds: float = 0.35  # of each side in a round
    quick: bool = False  # whatever a script makes or repeats by itself, little of it


EFFORT = Effort()
Work = Callable[[], float]  # does some work, returns how many units


@dataclass(frozen=True)
class Row:
    """A rate of ours, and perhaps a peer's."""

    game: str
    rate: float
    unit: str
    peer: str | None = None
    peer_rate: float | None = None
    ratio: float | None = None


def rate(work: Work, seconds: float) -> float:
    """Units per second, over at least this long."""
    started, done = time.perf_counter(), 0.0
    while (spent := time.perf_counter() - started) < seconds:
        done += work()
    return done / spent


def compare(
    game: str, unit: str, ours: Work, peer: str | None = None, theirs: Work | None = None
) -> Row:
    """Rates in turn, so that a noisy machine disturbs both alike; the median of all rounds."""
    rounds, seconds = range(EFFORT.rounds), EFFORT.seconds
    ours()
    if theirs is None:
        return Row(game, median(rate(ours, seconds) for _ in rounds), unit)
    theirs()
    pairs = [(rate(ours, seconds), rate(theirs, seconds)) for _ in rounds]
    mine, other = (median(side) for side in zip(*pairs, strict=True))
    return Row(game, mine, unit, peer, other, median(a / b for a, b in pairs))


def table(rows: Sequence[Row]) -> str:
    """The rows for a person."""
    lines = [f"{'game':17}{'ours':>14} {'unit':20}{'peer':14}{'peer rate':>14}{'ratio':>10}"]
    for row in rows:
        peer = (
            f"{row.peer:14}{row.peer_rate:>14,.1f}{row.ratio:>9.1f}x"
            if row.peer and row.peer_rate is not None and row.ratio is not None
            else ""
        )
        lines.append(f"{row.game:17}{row.rate:>14,.0f} {row.unit:20}{peer}".rstrip())
    return "\n".join(lines)


def parser(title: str | None) -> argparse.ArgumentParser:
    """What every benchmark understands."""
    options = argparse.ArgumentParser(
        description=title, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--json", action="store_true", help="one line: {'rows': [...]}")
    options.add_argument("--quick", action="store_true", help="a look at whether it runs")
    return options


def parse(options: argparse.ArgumentParser, **quick: Any) -> argparse.Namespace:
    """The options; with `--quick` those named here are as small as this."""
    args = options.parse_args()
    if args.quick:
        EFFORT.rounds, EFFORT.seconds, EFFORT.quick = 1, 0.1, True
        vars(args).update(quick)
    return args


class Report:
    """Rows as they are known: each in a line for a person, or all of them as JSON at the end."""

    def __init__(self, args: argparse.Namespace, *heads: str) -> None:
        self.json, self.rows = args.json, list[dict[str, Any]]()
        for head in () if self.json else heads:
            print(head, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        if self.json and error is None:
            print(json.dumps({"rows": self.rows}))

    def add(self, text: str, **fields: Any) -> None:
        """A row: how a person reads it, and what a program does."""
        self.rows.append(fields)
        if not self.json:
            print(text, flush=True)


def main(title: str | None, games: dict[str, Callable[[], list[Row]]]) -> None:
    """Run a script's measurements as its options ask."""
    options = parser(title)
    options.add_argument("--games", default="", help="which, joined by semicolons (all)")
    args = parse(options)
    chosen = [name for name in args.games.split(";") if name] or list(games)
    for name in chosen:
        if name not in games:
            options.error(f"no game {name!r} here; there are {', '.join(games)}")
    try:
        rows = [row for name in chosen for row in games[name]()]
    except ModuleNotFoundError as error:
        sys.exit(f"there is no {error.name} here; `make bench` installs what is compared with")
    print(json.dumps({"rows": [asdict(row) for row in rows]}) if args.json else table(rows))
