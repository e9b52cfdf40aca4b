"""What alpha-beta saves by the table that it keeps between the moves of a game, on one thread.

Games begin with two random plies and go on by a search that is two plies shallower. On each of its
turns the first player searches to the same depth with the table of its last move and without;
positions are counted, so other work on the machine changes nothing. `time` is the processor time
with the table as a share of that without: a kept table is larger than the processor's cache.
"""

from __future__ import annotations

import time
from statistics import median

import numpy as np
from harness import Report, parse, parser

import ludus
from ludus.agent import fresh
from ludus.game import State

DEPTHS = {"connect4": 12, "checkers": 9, "kingcourtesan": 6, "chinesecheckers": 4, "cathedral": 2}


def line(name: str, number: int, depth: int) -> list[State]:
    """The states of a game that the first player is to move in."""
    rng, found = ludus.rng(number), list[State]()
    shallow = fresh(ludus.agent(f"alphabeta:depth={max(1, depth - 2)}"), number)
    state = ludus.game(name).start()
    while state.outcome is None and len(found) < 30:
        if state.plies >= 2 and state.player == 0:
            found.append(state)
        shown = rng.choice(state.legal()) if state.plies < 2 else shallow.think(state).line[0]
        state = state.play(int(shown))
    return found


def cost(depth: int, states: list[State], reuse: bool) -> tuple[list[int], float]:
    """The positions that each of these states took, and the processor time of all."""
    agent = ludus.agent(f"alphabeta:depth={depth},reuse={str(reuse).lower()}")
    started = time.process_time()
    counts = [agent.think(state).nodes for state in states]
    return counts, time.process_time() - started


def main() -> None:
    """A row a game: positions a move, then shares from the second move of a game on."""
    options = parser(__doc__)
    options.add_argument("--number", type=int, default=20, help="how many games of each")
    options.add_argument("--games", default=";".join(DEPTHS), help="which, joined by semicolons")
    options.add_argument("--deeper", type=int, default=0, help="so many plies more")
    args = parse(options, number=1)
    head = f"{'game':16} {'depth':>5} {'moves':>5} {'kept':>9} {'without':>9} {'share':>16} time"
    with Report(args, head) as report:
        for name in args.games.split(";"):
            depth = DEPTHS[name] + args.deeper
            kept, without, times, shares = list[int](), list[int](), list[float](), list[float]()
            for number in range(args.number):
                states = line(name, number, depth)
                ours, spent = cost(depth, states, True)
                theirs, spent_without = cost(depth, states, False)
                kept += ours[1:]
                without += theirs[1:]
                shares.append(sum(ours[1:]) / max(1, sum(theirs[1:])))
                times.append(spent / spent_without)
            share = sum(kept) / sum(without)
            error = 1.96 * float(np.std(shares)) / np.sqrt(len(shares))
            report.add(
                f"{name:16} {depth:5} {len(kept):5} {np.mean(kept):9.0f} {np.mean(without):9.0f} "
                f"{share:8.3f} ± {error:.3f} {median(times):6.2f}",
                game=name,
                depth=depth,
                kept=float(np.mean(kept)),
                without=float(np.mean(without)),
                share=share,
                error=error,
                time=median(times),
            )


if __name__ == "__main__":
    main()
