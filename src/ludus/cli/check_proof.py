"""Check a certificate of `ludus prove` against the rules of the game alone."""

from __future__ import annotations

import argparse
from pathlib import Path

from ludus.cli._common import add_json, answer, say, wrap
from ludus.cli._progress import Progress
from ludus.plain import plain


def options(parser: argparse.ArgumentParser) -> None:
    """Which certificate."""
    parser.add_argument("file", metavar="FILE", help="what `ludus prove --certificate FILE` wrote")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Answer with 0 if it shows what it claims, 1 if it is refuted."""
    from ludus.lab.certificate import Checker, Refuted, read_certificate

    with Progress("checking") as progress:
        try:
            made = read_certificate(Path(args.file))
            found = Checker(made, lambda share: progress(share)).check()
        except Refuted as why:
            progress.close()
            answer({"holds": False, "why": str(why)}) if args.json else say(f"refuted: {why}")
            return 1
    if args.json:
        answer({"holds": True, **found})
        return 0
    side = ("first", "second")[found["side"]]
    lines = [f"{found['game']}: by this table the {side} player {found['claim']}"]
    longest = f"; the longest line takes {found['plies']} plies" if found["plies"] else ""
    images = "; images of a position are one" if found["canonical"] else ""
    lines.append(f"{found['answers']:,} positions, {found['moves']:,} moves{longest}{images}")
    say("\n".join(wrap(map(plain, lines))))
    return 0
