"""What Ray costs here: tasks a second, bytes a position, sending a network, self-play kept.

Self-play by local threads and by as many workers of Ray in turn, so that what else the machine does
disturbs both alike: the median of the ratios of neighbouring turns, and the middle half of them.
Positions of a second of the processor (of all processes) are kept more steadily than those of a
second of the clock. `--json` has what `scale_simulation.py --costs` takes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median, quantiles, stdev
from typing import Any

import psutil
from harness import parse, parser
from scale_simulation import Costs

import ludus
from ludus.arena.tasks import Workers, results
from ludus.learn import alphazero
from ludus.learn.networks.onnx import graph_of
from ludus.scale import connect

ECHO = "ludus.scale.member:echo"
SIZES = (100_000, 1_000_000, 10_000_000)


def seconds(work: Callable[[], Any]) -> float:
    """That it takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def processor_seconds(workers: Workers | None) -> float:
    """Of this process, and of all that it started if they play."""
    if workers is None:
        return time.process_time()
    me = psutil.Process()
    found = 0.0
    for one in (me, *me.children(recursive=True)):
        try:
            times = one.cpu_times()
        except psutil.NoSuchProcess:
            continue
        found += times.user + times.system
    return found


def echoes(workers: Workers, count: int) -> tuple[float, float]:
    """Empty tasks a second, handed out and taken back; processor seconds of the driver for each."""
    own = time.process_time()
    spent = seconds(lambda: list(results(workers, ECHO, [{}] * count)))
    return count / spent, (time.process_time() - own) / count


def broadcast(workers: Workers, size: int) -> float:
    """Seconds until every worker has so many bytes."""
    data = bytes(size)

    def send() -> None:
        shared = workers.share(data)
        list(results(workers, ECHO, [{"data": shared}] * workers.count))

    return median(seconds(send) for _ in range(5))


@dataclass
class SelfPlay:
    """Pools in a place, which play a step at a time."""

    name: str
    config: alphazero.Config
    workers: Workers | None = None
    rates: list[float] = field(default_factory=list)  # positions a second
    yields: list[float] = field(default_factory=list)  # positions a second of the processor
    driver: list[float] = field(default_factory=list)  # its processor seconds a position
    bytes: float = 0.0  # a position, both ways

    def __post_init__(self) -> None:
        self.learner = alphazero.Learner(ludus.game("connect4"), self.config, 1, self.workers)
        self.graph = graph_of(self.learner.network.eval())
        self.play()  # who works is there, and games are in their middle
        self.learner.pools.counts()

    def play(self) -> Any:
        return self.learner.pools.play(
            self.graph, self.config.positions_per_step, self.config.threads
        )

    def turn(self) -> None:
        """A step."""
        started, spent, own = (
            time.perf_counter(),
            processor_seconds(self.workers),
            time.process_time(),
        )
        played = self.play()
        lasted, own = time.perf_counter() - started, time.process_time() - own
        spent = processor_seconds(self.workers) - spent
        plies = self.learner.pools.counts()["plies"]
        self.rates.append(plies / lasted)
        self.yields.append(plies / spent)
        self.driver.append(own / plies)
        games = sum(one.nbytes for pool in self.learner.pools.state() for one in pool.values())
        self.bytes = (2 * games + sum(one.nbytes for one in played.values())) / plies


def middle(values: list[float]) -> tuple[float, float, float]:
    """The median, and the ends of the middle half."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, half, high = quantiles(values, n=4, method="inclusive")
    return half, low, high


def ratios(a: list[float], b: list[float]) -> list[float]:
    """Of neighbouring turns."""
    return [one / other for one, other in zip(a, b, strict=True)]


def learn_rate(made: alphazero.Learner, played: Any, batches: int) -> float:
    """Samples a second that the learner learns from."""
    made.add(played, 1)
    made.owed = float(batches)
    spent = seconds(lambda: made.fit(1))
    return batches * made.config.batch_size / spent


def measure(workers_count: int, rounds: int, positions: int, quick: bool) -> dict[str, Any]:
    """All of it."""
    config = alphazero.Config(
        n_pools=workers_count,
        threads=workers_count,
        positions_per_step=positions,
        n_envs=16 if quick else alphazero.Config.n_envs,
    )
    with connect("ray", workers_count) as workers:
        here, there = SelfPlay("local", config), SelfPlay("ray", config, workers)
        echoes(workers, 10)
        rate, overhead = echoes(workers, 50 if quick else 2000)
        sent = {size: broadcast(workers, size) for size in SIZES}
        for number in range(rounds):
            for one in (here, there) if number % 2 else (there, here):
                one.turn()
        learning = learn_rate(here.learner, here.play(), 2 if quick else 20)
    kept, thrift = ratios(there.rates, here.rates), ratios(there.yields, here.yields)
    one_worker = median(there.rates) / workers_count
    costs = {
        "positions_per_second": one_worker,
        "spread": stdev(there.rates) / median(there.rates) if rounds > 1 else Costs.spread,
        "sample_bytes": there.bytes,
        "task_overhead": overhead,
        "position_overhead": max(
            0.0, median(there.driver) - overhead * workers_count / config.positions_per_step
        ),
        "learn_per_second": learning,
        "samples_per_position": config.samples_per_position,
        "weight_bytes": float(len(there.graph)),
        "step": config.positions_per_step,
    }
    rows = {
        "tasks a second": (rate,),
        "driver's processor seconds a task": (overhead,),
        **{f"seconds to send {size:,} bytes to all": (spent,) for size, spent in sent.items()},
        "bytes of the network": (float(len(there.graph)),),
        "bytes a position, both ways": (there.bytes,),
        "positions/s, local threads": middle(here.rates),
        "positions/s, Ray": middle(there.rates),
        "share kept, by the clock": middle(kept),
        "share kept, by processor seconds": middle(thrift),
        "driver's processor seconds a position": middle(there.driver),
        "samples/s of the learner": (learning,),
    }
    return {"workers": workers_count, "rounds": rounds, "rows": rows, "costs": costs}


def main() -> None:
    """A table, or JSON."""
    options = parser(__doc__)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--rounds", type=int, default=12)
    options.add_argument("--positions", type=int, default=2048, help="of a turn (2048)")
    args = parse(options, rounds=2, positions=64)
    found = measure(args.workers, args.rounds, args.positions, args.quick)
    if args.json:
        print(json.dumps(found))
        return
    print(f"{found['workers']} workers, {found['rounds']} rounds of each in turn")
    for name, values in found["rows"].items():
        spread = f"  ({values[1]:,.4g} to {values[2]:,.4g})" if len(values) > 1 else ""
        print(f"{name:42}{values[0]:>12,.4g}{spread}")


if __name__ == "__main__":
    main()
