"""What AlphaZero would be taught in Connect Four, held against the solver.

`python benchmarks/targets.py zoo/connect4 --simulations 32`. Plays games of self-play with an
agent's network and tells, for several lambdas and with and without deblundering, what the targets
are on average where the mover wins, and where the mover loses, and their squared error. A network
averages over positions that are alike: noise in targets costs time, but what they are on average is
what it learns.
"""

import argparse
from dataclasses import dataclass

import numpy as np
from harness import Report, parse, parser
from numpy.typing import NDArray

import ludus
from ludus import _core
from ludus.learn.agents._trained import find_network
from ludus.learn.networks.stored import GameKey
from ludus.learn.selfplay.pools import options_of

ROWS = 64  # games in step
PLIES = ((6, 9, 120), (10, 13, 300), (14, 18, 300))  # from, to, and how many positions are solved
LAMBDAS = (0.0, 0.85, 0.95, 0.98, 1.0)

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Plies:
    """Plies of ended games, as the search left them."""

    boards: NDArray[np.float32]  # [plies, planes, rows, columns], as the mover sees them
    values: Numbers  # what the search thought of the position
    chosen: Numbers  # and of the move played; no number where nothing after it teaches
    outcomes: Numbers

    @property
    def plies(self) -> NDArray[np.int64]:
        return self.boards.sum((1, 2, 3)).astype(np.int64)

    def targets(self, td_lambda: float, deblunder: bool) -> Numbers:
        """Along each game from its end, for whoever moves: turns alternate here."""
        last = np.append(np.diff(self.plies) != 1, True)
        told, later = np.empty(len(self.values)), 0.0
        for ply in range(len(told) - 1, -1, -1):
            later = self.outcomes[ply] if last[ply] else -later
            value, chosen = self.values[ply], self.chosen[ply]
            if np.isnan(chosen) and deblunder:
                later = value
            else:
                later = np.clip(
                    value + td_lambda * (later - (chosen if deblunder else value)), -1, 1
                )
            told[ply] = later
        return told

    def text(self, ply: int) -> str:
        """The position, as `game.state` reads it."""
        mine, theirs = self.boards[ply]
        own, other = "xo" if self.plies[ply] % 2 == 0 else "ox"
        marks = np.where(mine > 0, own, np.where(theirs > 0, other, "."))
        return "/".join("".join(row) for row in marks)


def play(spelling: str, positions: int, simulations: int, temperature: float) -> Plies:
    """Self-play with what an agent has learned."""
    from ludus.learn.alphazero import Config

    config = Config(
        simulations=simulations,
        prior_temperature=temperature,
        random_opening_plies=8,
        random_move_prob=0.7,
        td_lambda=0.0,
        deblunder=True,
    )
    game = ludus.game("connect4")
    look = find_network(spelling)[1](GameKey(game.spelling, game))
    pool = _core.selfplay(game.start(), ROWS, seed=1, planes="full", **options_of(config))
    features = np.zeros((ROWS, *pool.shape), np.float32)
    while pool.finished < positions:
        if rows := pool.gather(features):
            pool.scatter(*look(features[:rows]))
    taken = pool.take()
    columns = (taken[name].astype(np.float64) for name in ("values", "chosen", "outcomes"))
    return Plies(taken["features"].reshape(-1, *pool.shape), *columns)


def main() -> None:
    """A row for each stage of the game and target."""
    options = parser(__doc__)
    options.add_argument("agent", metavar="AGENT", help="a run or zoo/connect4")
    options.add_argument("--positions", type=int, default=4000)
    options.add_argument("--simulations", type=int, default=32)
    options.add_argument("--prior-temperature", type=float, default=1.0)
    args = parse(options, positions=200, simulations=8)
    with Report(args) as report:
        measure(args, report)


def measure(args: argparse.Namespace, report: Report) -> None:
    """The targets of some games, held against the solver."""
    games = play(args.agent, args.positions, args.simulations, args.prior_temperature)
    game, oracle, rng = ludus.game("connect4"), ludus.oracle("connect4"), ludus.rng(1)
    for low, high, count in PLIES:
        among = np.flatnonzero((games.plies >= low) & (games.plies <= high))
        rows = rng.permutation(among)[:count]
        truth = np.array([oracle.value(game.state(games.text(row))) for row in rows])
        for td_lambda in LAMBDAS:
            for deblunder in (False, True)[: 2 if td_lambda else 1]:
                told = games.targets(td_lambda, deblunder)[rows]
                won, lost = told[truth > 0].mean(), told[truth < 0].mean()
                error = np.mean((told - truth) ** 2)
                name = f"td_lambda {td_lambda}{', deblunder' if deblunder else ''}"
                report.add(
                    f"plies {low:2} to {high:2}, {len(rows):3} positions  {name:28}"
                    f"{won:+.2f} where won, {lost:+.2f} where lost, squared error {error:.3f}",
                    plies=(low, high),
                    positions=len(rows),
                    td_lambda=td_lambda,
                    deblunder=deblunder,
                    won=float(won),
                    lost=float(lost),
                    squared_error=float(error),
                )


if __name__ == "__main__":
    main()
