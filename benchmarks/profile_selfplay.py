"""Where AlphaZero's time goes, by game: search, inference, learning, exporting, waiting.

Each game trains for some seconds with the settings that `--minutes` would choose, from random
weights; the first step, in which the first games are begun, does not count. Shares are of the
processor time of all threads; what is left of their wall time is waiting, so the machine has to be
quiet.
"""

from __future__ import annotations

import dataclasses
import time

from harness import Report, parse, parser

import ludus
from ludus.learn import alphazero

GAMES = (
    "connect4",
    "supertictactoe",
    "checkers",
    "kingcourtesan",
    "chinesecheckers:size=5,pieces=6",
    "cathedral:size=8,rules=seed",
    "cathedral",
)
PARTS = ("search", "inference", "learning", "exporting", "waiting")


def profile(spelling: str, minutes: float, seconds: float) -> dict[str, float]:
    """Shares of each part, and positions a second, once learning has begun."""
    game = ludus.game(spelling)
    config = alphazero.autotune(game, alphazero.Config(), minutes, ())
    config = dataclasses.replace(config, steps=10**6)
    training = alphazero.train(game, config, seed=1)
    before = dict(next(training).metrics)
    started, steps = time.perf_counter(), 0
    while steps < 2 or time.perf_counter() - started < seconds:
        last, steps = dict(next(training).metrics), steps + 1
    lasted = time.perf_counter() - started
    training.close()
    spent = {name: last[f"seconds_{name}"] - before[f"seconds_{name}"] for name in PARTS}
    total = sum(spent.values())
    return {
        **{name: one / total for name, one in spent.items()},
        "positions_per_second": (last["positions"] - before["positions"]) / lasted,
        "cached": last["cached"],
        "seconds_a_step": lasted / steps,
    }


def main() -> None:
    """A row a game."""
    options = parser(__doc__)
    options.add_argument("--games", default=";".join(GAMES), help="joined by semicolons")
    options.add_argument("--minutes", type=float, default=60, help="that settings are fitted to")
    options.add_argument("--seconds", type=float, default=60, help="that each game is watched for")
    args = parse(options, games="tictactoe", minutes=0.05, seconds=1)
    head = "".join(f"{name:>11}" for name in (*PARTS, "cached"))
    with Report(args, f"{'game':34}{head}{'positions/s':>13}{'s a step':>10}") as report:
        for spelling in args.games.split(";"):
            found = profile(spelling, args.minutes, args.seconds)
            shares = "".join(f"{100 * found[name]:>9.1f} %" for name in (*PARTS, "cached"))
            report.add(
                f"{spelling:34}{shares}{found['positions_per_second']:>13,.0f}"
                f"{found['seconds_a_step']:>10.2f}",
                game=spelling,
                **found,
            )


if __name__ == "__main__":
    main()
