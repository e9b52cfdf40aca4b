"""How well agents play the positions of Pons' sets: the share of moves that keep the exact value.

`python benchmarks/pons.py zoo/connect4 zoo/connect4:simulations=500`. Counted are positions in
which some moves are better than others; the oracle alone says which. `values` is the share of all
positions whose value, above a third, below minus a third or between, is told rightly.
"""

import sys
from collections.abc import Sequence

from connect4_solver import NAMES, SETS, lines
from harness import Report, parse, parser

import ludus
from ludus.agent import think_many
from ludus.arena.interval import wilson
from ludus.learn.runs.evaluate import Truth, outcome_of_value, truth_of

CHUNK = 250  # positions thought about at once


def find_truths(name: str, most: int) -> list[Truth]:
    """What the oracle says of each position of a set."""
    game, oracle = ludus.game("connect4"), ludus.oracle("connect4")
    told = [truth_of(oracle, game.replay(line)) for line in lines(name)[:most]]
    return [truth for truth in told if truth is not None]


def measure(spelling: str, name: str, truths: Sequence[Truth], report: Report) -> None:
    """One agent on one set."""
    agent = ludus.agent(spelling, seed=1)
    states = [truth.state for truth in truths]
    thoughts = [
        thought
        for at in range(0, len(states), CHUNK)
        for thought in think_many(agent, states[at : at + CHUNK])
    ]
    pairs = list(zip(thoughts, truths, strict=True))
    good = [int(one.policy.argmax()) in truth.best for one, truth in pairs if truth.matters]
    right = [
        outcome_of_value(one.value or 0.0) == outcome_of_value(truth.value) for one, truth in pairs
    ]
    low, high = wilson(sum(good), len(good))
    report.add(
        f"{spelling:44}{name:8}{100 * sum(good) / len(good):6.1f} % of {len(good):4} moves kept "
        f"({100 * low:.1f}-{100 * high:.1f}), values {100 * sum(right) / len(right):.1f} %",
        agent=spelling,
        set=name,
        optimal_move_rate=sum(good) / len(good),
        interval=(low, high),
        value_accuracy=sum(right) / len(right),
    )


def main() -> None:
    """A row for each agent and set."""
    options = parser(__doc__)
    options.add_argument("agents", nargs="+", metavar="AGENT")
    options.add_argument("--positions", type=int, default=10**6, help="at most, of each set (all)")
    args = parse(options, positions=20)
    if not SETS.exists():
        sys.exit(f"Pons' sets are not in {SETS}")
    with Report(args) as report:
        for name in NAMES:
            truths = find_truths(name, args.positions)
            for spelling in args.agents:
                measure(spelling, name, truths, report)


if __name__ == "__main__":
    main()
