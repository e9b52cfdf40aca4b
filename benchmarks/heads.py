"""What the heads of networks tell: one whose values are all alike, or its priors even, is dead.

`python benchmarks/heads.py` looks at the zoo, `python benchmarks/heads.py runs/x@best` at a run.
Positions are those of random games and of games that the network plays against itself, drawing its
moves from its raw policy. For each:

- `value`: least, greatest and standard deviation of the values of the raw network;
- `entropy`: of its priors, as a share of that of an even policy, over positions with a choice;
- `result`: correlation of the value with how the game ended, for the player to move;
- `truth`: correlation of the value with the exact one, and the share of moves that keep it, over
  positions where moves differ, where an oracle exists: of up to 500 positions as many as it has in
  half a minute, the latest first, without those that it would have to search for long.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from harness import Report, parse, parser

import ludus
from ludus.agent import Agent, Thought, think_many
from ludus.game import Game, State
from ludus.learn.runs.evaluate import Truth, oracle_of, truth_of
from ludus.learn.store import zoo
from ludus.learn.store.selection import checkpoint_of

GAMES, AT_ONCE = 200, 500  # games of each kind; positions thought about at once
ASKED, SECONDS = 500, 30.0  # of the oracle


@dataclass
class Positions:
    """Positions with what the network thinks of them, and how their games ended for the mover."""

    states: list[State]
    thoughts: list[Thought]
    results: list[float]


def play(on: Game, agent: Agent, games: int, rng: np.random.Generator, *, alone: bool) -> Positions:
    """Games in step: of random moves, or of the network against itself."""
    going: list[list[State]] = [[on.start(rng)] for _ in range(games)]
    met, thoughts = Positions([], [], []), {}
    while rows := [line for line in going if line[-1].outcome is None]:
        found = think(agent, [line[-1] for line in rows])
        for line, thought in zip(rows, found, strict=True):
            state = line[-1]
            thoughts[id(state)] = thought
            legal = state.legal()
            share = thought.policy[legal] / thought.policy[legal].sum() if alone else None
            line.append(state.play(int(rng.choice(legal, p=share)), rng))
    for line in going:
        score, last = line[-1].outcome or 0, line[-1].player
        for state in line[:-1]:
            met.states.append(state)
            met.thoughts.append(thoughts[id(state)])
            met.results.append(float(score if state.player == last else -score))
    return met


def think(agent: Agent, states: Sequence[State]) -> list[Thought]:
    """What the network thinks, some hundred positions at a time."""
    parts = (states[at : at + AT_ONCE] for at in range(0, len(states), AT_ONCE))
    return [thought for part in parts for thought in think_many(agent, part)]


def evenness(thought: Thought, state: State) -> float:
    """The entropy of a policy as a share of the greatest."""
    share = thought.policy[state.legal()]
    share = share[share > 0]
    return float(-(share * np.log(share)).sum() / np.log(len(state.legal())))


def correlation(one: Sequence[float], other: Sequence[float]) -> str:
    """Pearson's; nothing where either never changes."""
    if len(one) < 2 or np.std(one) < 1e-6 or np.std(other) < 1e-6:
        return "none"
    return f"{np.corrcoef(one, other)[0, 1]:.2f}"


def row(met: Positions, truths: Sequence[tuple[Thought, Truth]]) -> list[str]:
    """What there is to tell of some positions."""
    values = [thought.value or 0.0 for thought in met.thoughts]
    pairs = zip(met.thoughts, met.states, strict=True)
    even = [evenness(thought, state) for thought, state in pairs if len(state.legal()) > 1]
    cells = [
        f"{len(values):,}",
        f"{min(values):.3f} to {max(values):.3f}, {np.std(values):.3f}",
        f"{100 * np.mean(even):.1f} %",
        correlation(values, met.results),
    ]
    if not truths:
        return [*cells, "-", "-"]
    said, exact = zip(*((thought.value or 0.0, truth.value) for thought, truth in truths))  # noqa: B905
    kept = [int(one.policy.argmax()) in truth.best for one, truth in truths if truth.matters]
    return [*cells, correlation(said, exact), f"{100 * np.mean(kept):.1f} % of {len(kept)}"]


def find_truths(on: Game, met: Positions, rng: np.random.Generator) -> list[tuple[Thought, Truth]]:
    """Some of the positions with the truth of them, where it is known."""
    oracle = oracle_of(on)
    if oracle is None:
        return []
    until, found = time.monotonic() + SECONDS, []
    some = rng.permutation(len(met.states))[:ASKED]
    for at in sorted(some, key=lambda at: -met.states[at].plies):
        if time.monotonic() > until:
            break
        if (truth := truth_of(oracle, met.states[at])) is not None:
            found.append((met.thoughts[at], truth))
    return found


def game_of_run(spelling: str) -> Game:
    """The game that a network has learned."""
    if spelling.startswith(zoo.HEAD):
        return ludus.game(zoo.card(spelling.removeprefix(zoo.HEAD))["game"])
    return ludus.game(checkpoint_of(spelling).record["game"])


def main() -> None:
    """A table with two rows for each network."""
    options = parser(__doc__)
    options.add_argument("runs", nargs="*", metavar="RUN", help="the whole zoo if none is named")
    options.add_argument("--games", type=int, default=GAMES)
    args = parse(options, games=2)
    heads = ("network", "games", "positions", "value: range, deviation", "entropy of priors")
    heads = (*heads, "value and result", "value and truth", "moves that keep the truth")
    runs = args.runs or [zoo.HEAD + name for name in zoo.names()]
    title = "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)
    with Report(args, *title) as report:
        for spelling, alone in product(runs[:1] if args.quick else runs, (False, True)):
            on, agent = game_of_run(spelling), ludus.agent(spelling)
            rng = np.random.default_rng(1)
            met = play(on, agent, args.games, rng, alone=alone)
            cells = [f"`{spelling}`", "of its own" if alone else "random"]
            cells += row(met, find_truths(on, met, rng))
            report.add("| " + " | ".join(cells) + " |", **dict(zip(heads, cells, strict=True)))


if __name__ == "__main__":
    main()
