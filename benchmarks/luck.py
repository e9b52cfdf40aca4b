"""Value targets of self-play in noisy tic-tac-toe, held against the exact values.

The evaluator is that of `chance.py`: the exact value plus noise of N(0, 0.3). For several lambdas,
with and without deblundering, the squared error of the targets; beside it that of the outcomes and
of the search alone. What chance did to a move is not held against its position when deblundering.
"""

from __future__ import annotations

import argparse

import numpy as np
from chance import NOISE, SPELLING, Truth
from harness import Report, parse, parser

import ludus
from ludus import _core

ROWS = 64  # games in step
LAMBDAS = (0.0, 0.5, 0.85, 0.95, 0.98, 1.0)


def play(truth: Truth, positions: int, **options: object) -> dict[str, np.ndarray]:
    """Plies of self-play, as training would get them."""
    pool = _core.selfplay(
        ludus.game(SPELLING).start(), ROWS, seed=1, gumbel=True, symmetric_cache=False, **options
    )
    features = np.zeros((ROWS, *pool.shape), np.float32)
    while pool.finished < positions:
        rows = pool.gather(features)
        values = np.array([truth.value(seen) for seen in features[:rows]], np.float32)
        pool.scatter(np.zeros((rows, pool.num_actions), np.float32), values)
    taken = pool.take()
    taken["features"] = taken["features"].reshape(-1, *pool.shape)
    return taken


def main() -> None:
    """A row for each lambda and target."""
    options = parser(__doc__)
    options.add_argument("--positions", type=int, default=20_000)
    options.add_argument("--simulations", type=int, default=32)
    args = parse(options, positions=200, simulations=8)
    with Report(args) as report:
        measure(args, report)


def measure(args: argparse.Namespace, report: Report) -> None:
    """Mean squared errors of targets."""
    exact, noisy = Truth(), Truth(NOISE)
    for td_lambda in LAMBDAS:
        for deblunder in (False, True)[: 2 if td_lambda else 1]:
            taken = play(
                noisy,
                args.positions,
                simulations=args.simulations,
                td_lambda=td_lambda,
                deblunder=deblunder,
            )
            truth = np.array([exact.value(seen) for seen in taken["features"]])
            errors = [float(np.mean((taken[name] - truth) ** 2)) for name in ("values", "outcomes")]
            name = f"td_lambda {td_lambda}{', deblunder' if deblunder else ''}"
            report.add(
                f"{name:26} squared error {errors[0]:.4f}   (outcomes {errors[1]:.4f})",
                td_lambda=td_lambda,
                deblunder=deblunder,
                squared_error=errors[0],
                of_outcomes=errors[1],
            )


if __name__ == "__main__":
    main()
