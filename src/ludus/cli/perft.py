"""Count the lines of play of each length from a position."""

from __future__ import annotations

import argparse
import time

from ludus.checks import check_whole
from ludus.cli._common import add_game, add_json, add_position, answer, position, say
from ludus.cli._progress import Progress
from ludus.play import MAX_DEPTH, perft, perft_split


def options(parser: argparse.ArgumentParser) -> None:
    """From where, how deep, and whether each first move is counted by itself."""
    add_game(parser)
    parser.add_argument("depth", metavar="DEPTH", type=int, help="actions to look ahead")
    add_position(parser)
    parser.add_argument("--split", action="store_true", help="count below each first move")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print a line a depth, as soon as it is known."""
    game, state, _ = position(args)
    depth = check_whole("depth", args.depth, 1, MAX_DEPTH)
    record: dict[str, object] = {"game": game.spelling}
    if args.split:
        split = {game.move(state, a): nodes[-1] for a, nodes in perft_split(state, depth)}
        record["split"] = split
    with Progress(f"perft {depth}") as progress:
        started = time.perf_counter()
        nodes = record["nodes"] = perft(state, depth, progress=progress)
        seconds = time.perf_counter() - started
        if game.kind.turns:
            record["turns"] = perft(state, depth, turns=True, progress=progress)
    if args.json:
        answer(record)
        return 0
    for move, count in split.items() if args.split else ():
        say(f"{move:12}{count:>20,}")
    for ply, count in enumerate(nodes, 1):
        turns = f"{record['turns'][ply - 1]:>20,} turns" if game.kind.turns else ""  # type: ignore[index]
        say(f"{ply:3}{count:>20,}{turns}")
    say(f"{nodes[-1] / max(seconds, 1e-9) / 1e6:.1f} million leaves a second")
    return 0
