"""Check that a game keeps the laws: legality, ends, values, text, features, symmetry, chance."""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import asdict

from ludus.cli._common import add_json, answer, say
from ludus.game import Game, game
from ludus.laws import check, random_games
from ludus.laws.line import random_game
from ludus.laws.winners import winners

RESULTS = 20  # random games whose winners are shown
TURNED = (
    "whoever makes the last move never wins: is that so by the rules? If not, outcome has its sign "
    "turned around: it is for the player to move, and so -1 once the other player has won"
)


def options(parser: argparse.ArgumentParser) -> None:
    """The game's file, and how much random play to check."""
    parser.add_argument(
        "file", metavar="FILE", help="a Python file with one game, or a game's name"
    )
    parser.add_argument("--games", type=int, default=20, help="random games a law (20)")
    parser.add_argument("--seed", type=int, default=0, help="of the random games (0)")
    add_json(parser)


def speed(chosen: Game, seed: int, seconds: float = 0.5) -> float:
    """Random plies per second, driven from Python."""
    rng, plies, started = random.Random(seed), 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        plies += len(random_game(chosen, rng).actions)
    return plies / spent


def run(args: argparse.Namespace) -> int:
    """Report each law in words; 1 if one is broken."""
    chosen = game(args.file)
    if args.games < 1:
        raise ValueError(f"games is at least 1, not {args.games}")
    laws = {}
    for name, sentence, broken in check(chosen, args.seed, args.games):
        laws[name] = {"law": sentence, "holds": broken is None, "broken": broken}
        if not args.json:
            say(f"{'ok    ' if broken is None else 'BROKEN'}  {name:10} {sentence}")
            if broken:
                say(f"        {'':10} {broken}")
    kept = all(law["holds"] for law in laws.values())
    rate, won = None, None
    if kept:
        rate = speed(chosen, args.seed)
        won = winners([line for line, _ in random_games(chosen, args.seed, RESULTS)])
    if args.json:
        record = {"game": chosen.spelling, "kept": kept, "laws": laws, "plies_per_second": rate}
        answer(record | {"winners": None if won is None else asdict(won)})
    elif won is not None:
        say(f"look    winners    of {RESULTS} random games: {won}")
        if won.suspicious:
            say(f"        {'':10} {TURNED}")
        say(f"ok      speed      {rate:,.0f} random plies a second from Python")
        say(f"{chosen.kind.title} keeps every law, in {args.games} random games each.")
    else:
        say(f"{chosen.kind.title} breaks a law.")
    return 0 if kept else 1
