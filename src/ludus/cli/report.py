"""Compare runs in one picture: every metric over games, positions or minutes."""

from __future__ import annotations

import argparse

from ludus.cli._common import add_json, answer, say, write_page
from ludus_start import importing

FILE = "runs.html"


def options(parser: argparse.ArgumentParser) -> None:
    """Which runs, and where the page goes."""
    parser.add_argument("runs", metavar="RUN", nargs="+", help="a run's folder, such as runs/x")
    parser.add_argument("--out", metavar="FILE", default=FILE, help=f"the page ({FILE})")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Write one page over all runs."""
    with importing():
        from ludus.report.comparison import HEAD, comparison_page, read_runs
    found = read_runs(args.runs)
    if args.json:
        answer(
            {
                "runs": [
                    {**dict(zip(HEAD, one.row, strict=True)), "course": list(one.course)}
                    for one in found
                ]
            }
        )
        return 0
    for one in found:
        say("  ".join(one.row))
    write_page(args.out, comparison_page(found))
    return 0
