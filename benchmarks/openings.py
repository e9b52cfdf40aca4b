"""How long an agent keeps a first player's win in Connect Four, whatever the second player does.

`python benchmarks/openings.py zoo/connect4:simulations=500 --moves 4`. The agent makes its first
moves against every sequence of replies, each as likely as the others, as `perfect` replies where it
is lost. No game is drawn by lot: the share that keeps the win is exact as far as it goes.
"""

from collections.abc import Sequence

from harness import Report, parse, parser

import ludus
from ludus.agent import Agent, think_many
from ludus.game import State

CHUNK = 256  # positions thought about at once


def choose_moves(agent: Agent, states: Sequence[State]) -> list[int]:
    """The agent's moves."""
    return [
        int(thought.policy.argmax())
        for at in range(0, len(states), CHUNK)
        for thought in think_many(agent, states[at : at + CHUNK])
    ]


def report_slips(spelling: str, moves: int, report: Report) -> None:
    """What is left of the win after each move, and where it went."""
    game, oracle = ludus.game("connect4"), ludus.oracle("connect4")
    agent = ludus.agent(spelling, seed=1)
    open_lines: dict[str, float] = {"": 1.0}  # moves so far, and how likely they are
    kept = 1.0
    for number in range(1, moves + 1):
        states = [game.replay(line) for line in open_lines]
        following: dict[str, float] = {}
        slips = []
        for (line, weight), state, action in zip(
            open_lines.items(), states, choose_moves(agent, states), strict=True
        ):
            line += game.move(state, action)
            after = state.play(action)
            if after.outcome is not None:
                continue
            if oracle.value(after) > -1:
                kept -= weight
                slips.append((weight, line))
                continue
            for reply in after.legal():
                answered = after.play(reply)
                if answered.outcome is None:
                    following[line + game.move(after, reply)] = weight / len(after.legal())
        open_lines = following
        where = ", ".join(f"{line} ({100 * weight:.1f})" for weight, line in sorted(slips)[::-1])
        report.add(
            f"{spelling}: {100 * kept:.2f} % won after move {number}; lost in {where or 'none'}",
            agent=spelling,
            move=number,
            won=kept,
        )


def main() -> None:
    """A line for each agent and move."""
    options = parser(__doc__)
    options.add_argument("agents", nargs="+", metavar="AGENT")
    options.add_argument("--moves", type=int, default=4)
    args = parse(options, moves=2)
    with Report(args) as report:
        for spelling in args.agents:
            report_slips(spelling, args.moves, report)


if __name__ == "__main__":
    main()
