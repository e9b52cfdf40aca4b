"""The model of `scale_simulation.py` beside what one and two workers of Ray really show.

Pools are played out of step, as in a training with `--max-staleness`; the learner is a clock that
sleeps as long as learning would take, so that two processors are enough. How long a task takes is
measured in the same seconds, in the workers themselves, so that a busy machine disturbs both alike:
what is checked is the waiting, not the speed of the machine.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, replace
from typing import Any

from harness import parse, parser
from scale_simulation import Costs, simulate

import ludus
from ludus.learn import alphazero
from ludus.learn.networks.onnx import graph_of
from ludus.scale import connect

WARM, STALENESS = 3, 3  # steps
LEARNERS = (0.0, 0.7, 1.5)  # what learning takes, as a share of what playing does


def show(workers: Any, steps: int, learning: float) -> dict[str, float]:
    """What workers do for a learner who needs so many seconds a position."""
    config = alphazero.Config(
        n_pools=2 * workers.count, n_envs=32, positions_per_step=192, simulations=16
    )
    made = alphazero.Learner(ludus.game("connect4"), config, 1, workers, STALENESS)
    graph = graph_of(made.network.eval())
    plies, ages = 0.0, 0.0
    started = at_work = 0.0
    try:
        for number in range(-WARM, steps):
            if number == 0:  # the steps before have filled the pipe
                started, at_work, plies, ages = time.perf_counter(), seconds_of(workers), 0, 0
            taken = len(
                made.pools.play(bytes(bytearray(graph)), config.positions_per_step, 1)["full"]
            )
            plies += taken
            ages += made.pools.metrics()["staleness"]
            time.sleep(taken * learning)
        lasted = time.perf_counter() - started
        at_work = seconds_of(workers) - at_work
    finally:
        made.close()
    return {
        "positions_per_second": plies / lasted,
        "while_at_work": plies / at_work,  # of one worker
        "staleness": ages / steps,
        "step": plies / steps,
    }


def seconds_of(workers: Any) -> float:
    """That all workers were at work, with what is under way."""
    now = time.monotonic()
    there = list(workers.workers)
    return float(sum(one.seconds + (now - one.since) * (one.task is not None) for one in there))


def predict(shown: dict[str, float], workers: int, learning: float) -> Any:
    """The same in the model."""
    costs = replace(
        Costs(),
        positions_per_second=shown["while_at_work"],
        step=round(shown["step"]),
        task_overhead=0.0,  # they are in the time of a task
        position_overhead=0.0,
        learn_per_second=1 / learning if learning else 1e9,
        samples_per_position=1.0,
        max_staleness=STALENESS,
        least_task=1,
    )
    return simulate(costs, workers, 3000)


def main() -> None:
    """A row for each number of workers and learner."""
    options = parser(__doc__)
    options.add_argument("--steps", type=int, default=12, help="of each row (12)")
    args = parse(options, steps=3)
    rows = []
    if not args.json:
        print(
            f"{'workers':>8}{'learner':>9}{'shown/s':>10}{'model/s':>10}{'shown : model':>15}",
            end="",
        )
        print(f"{'staleness shown':>17}{'model':>7}", flush=True)
    for count in (1, 2):
        with connect("ray", count) as workers:
            pace = show(workers, 2, 0.0)["positions_per_second"]
            for share in LEARNERS:
                learning = share / pace
                shown = show(workers, args.steps, learning)
                model = predict(shown, count, learning)
                rows.append({"workers": count, "learner": share, **shown, "model": asdict(model)})
                if args.json:
                    continue
                rate, other = shown["positions_per_second"], model.positions_per_second
                print(
                    f"{count:>8}{share:>9.0%}{rate:>10.1f}{other:>10.1f}{rate / other:>15.2f}",
                    end="",
                )
                print(f"{shown['staleness']:>17.2f}{model.staleness:>7.2f}", flush=True)
    if args.json:
        print(json.dumps({"rows": rows}))


if __name__ == "__main__":
    main()
