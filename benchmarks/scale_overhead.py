"""What Ray costs here: tasks a second, bytes a position, sending a network, self-play kept.

Run it alone on the machine: every number is a time. `--json` is what `scale_simulation.py` takes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from harness import parse, parser

import ludus
from ludus.arena.tasks import Workers, results
from ludus.learn import alphazero
from ludus.learn.networks.onnx import graph_of
from ludus.scale import connect

ECHO = "ludus.scale.member:echo"


def seconds(work: Callable[[], Any]) -> float:
    """That it takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def tasks_per_second(workers: Workers, count: int) -> float:
    """Empty tasks, handed out and taken back."""
    return count / seconds(lambda: list(results(workers, ECHO, [{}] * count)))


def broadcast(workers: Workers, size: int) -> float:
    """Seconds until every worker has so many bytes."""
    data = bytes(size)

    def send() -> None:
        shared = workers.share(data)
        list(results(workers, ECHO, [{"data": shared}] * workers.count))

    return median(seconds(send) for _ in range(5))


def selfplay(workers: Workers | None, steps: int, config: alphazero.Config) -> tuple[float, float]:
    """Positions a second of self-play alone, and bytes a position that cross."""
    made = alphazero.Learner(ludus.game("connect4"), config, 1, workers)
    graph = graph_of(made.network.eval())
    made.pools.play(graph, config.positions_per_step, config.threads)  # who works is there
    made.pools.counts()
    rates, size = [], 0.0
    for _ in range(steps):
        spent = seconds(lambda: made.pools.play(graph, config.positions_per_step, config.threads))
        rates.append(made.pools.counts()["plies"] / spent)
    if workers is not None:  # games go along to and fro, what was played comes back
        played = made.pools.play(graph, config.positions_per_step, config.threads)
        own = sum(one.nbytes for pool in made.pools.state() for one in pool.values())
        size = (2 * own + sum(one.nbytes for one in played.values())) / len(played["full"])
    return median(rates), size


def main() -> None:
    """Measure, in turn so that a noisy machine disturbs all alike."""
    options = parser(__doc__)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--rounds", type=int, default=5)
    args = parse(options, rounds=1)
    rounds = args.rounds
    config = alphazero.Config(
        network="zero",
        width=32,
        blocks=4,
        n_pools=args.workers,
        threads=args.workers,
        positions_per_step=64 if args.quick else 4096,
        n_envs=16 if args.quick else 128,
    )
    local, there, bytes_ = [], [], 0.0
    with connect("ray", args.workers) as workers:
        rate = tasks_per_second(workers, 20 if args.quick else 2000)
        sent = {size: broadcast(workers, size) for size in (100_000, 1_000_000, 10_000_000)}
        for _ in range(rounds):
            local.append(selfplay(None, 1, config)[0])
            found, bytes_ = selfplay(workers, 1, config)
            there.append(found)
    with connect("ray", 1) as workers:
        one = [selfplay(workers, 1, config)[0] for _ in range(rounds)]
    rows = {
        "tasks_per_second": rate,
        **{f"broadcast_seconds_{size}": spent for size, spent in sent.items()},
        "bytes_per_position": bytes_,
        "local_positions_per_second": median(local),
        f"ray_{args.workers}_positions_per_second": median(there),
        "ray_1_positions_per_second": median(one),
        "kept": median(a / b for a, b in zip(there, local, strict=True)),
    }
    if args.json:
        print(json.dumps(rows))
        return
    for name, value in rows.items():
        print(f"{name:36}{value:>14,.4g}")


if __name__ == "__main__":
    main()
