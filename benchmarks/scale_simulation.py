"""Throughput of AlphaZero with up to 1,000 workers: a discrete-event model with measured costs.

Pools of games wait for a worker, are played a task's positions further, pass the learner's network
card and the driver's thread, and wait for the learner, who takes a step of positions at a time;
then they may be played again. With every step the new network goes to each machine. What
saturates is what the table says is busiest.

`--costs FILE` takes what `scale_overhead.py --json` has measured; `scale_check.py` compares the
model with what one and two workers really show.
"""

from __future__ import annotations

import heapq
import json
import random
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from harness import parse, parser

WORKERS = (1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000)
SHOWN = ("network", "driver", "learner")
FULL = 0.95  # a server that is busy for so much of the time is what the others wait for


@dataclass(frozen=True)
class Costs:
    """What everything costs; seconds, bytes, and positions."""

    positions_per_second: float = 400.0  # that one worker plays
    spread: float = 0.15  # of how long tasks take, as a share (standard deviation)
    least_task: int = 256  # positions of a task: with more workers the steps are longer
    sample_bytes: float = 800.0  # a position, with the running games that go along, both ways
    task_overhead: float = 0.004  # of the driver, for each task
    position_overhead: float = 2e-6  # of the driver, for each position of it
    bandwidth: float = 1.25e8  # bytes a second of the learner's network card (1 Gbit/s)
    learn_per_second: float = 6_000.0  # samples that the learner learns from
    samples_per_position: float = 2.5
    weight_bytes: float = 4e5  # of the network that is sent
    step: int = 2048  # positions of a step: then a new network is sent
    cores_per_node: int = 16  # workers of a machine, which share one copy
    pools_per_worker: int = 2
    max_staleness: int = 3  # steps

    @property
    def learn_rate(self) -> float:
        """Positions a second that the learner can take in."""
        return self.learn_per_second / self.samples_per_position

    def task(self, workers: int) -> int:
        """Positions of a task: those of half of the pools are a step."""
        return max(self.least_task, -(-self.step // workers))


@dataclass
class Server:
    """One thing at a time, in the order of asking."""

    free: float = 0.0
    busy: float = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """When it is done."""
        begin = max(now, self.free)
        self.free = begin + seconds
        self.busy += seconds
        return self.free


@dataclass(order=True)
class Event:
    """A pool that has come to its next station, or a step of the learner that is over."""

    moment: float
    number: int
    station: str = field(compare=False)
    pool: int = field(compare=False)


@dataclass(frozen=True)
class Outcome:
    """What so many workers come to."""

    workers: int
    positions_per_second: float  # learned from
    played_per_second: float
    kept: float  # share of what they would play if nobody made them wait
    staleness: float  # steps, on average
    staleness_max: int
    network: float  # shares of the time in which each was busy
    driver: float
    learner: float
    bottleneck: str


class Simulation:
    """Some workers and their learner."""

    def __init__(self, costs: Costs, workers: int, seed: int = 0) -> None:
        self.costs, self.workers, self.rng = costs, workers, random.Random(seed)
        self.task = costs.task(workers)
        self.step = max(costs.step, self.task * min(workers, workers * costs.pools_per_worker))
        self.servers = {name: Server() for name in SHOWN}
        self.events: list[Event] = []
        self.count = self.free_workers = workers
        self.pools = workers * costs.pools_per_worker
        self.waiting = deque(range(self.pools))  # for a worker
        self.ready: deque[int] = deque()  # for the learner
        self.versions: dict[int, int] = {}  # of the network that plays or has played, by pool
        self.under_way: Counter[int] = Counter()  # pools that are played, by version
        self.version = 0
        self.learning = False
        self.played = self.learned = 0
        self.ages: Counter[int] = Counter()

    def run(self, seconds: float) -> Outcome:
        """So long; the first tenth is warming up and does not count."""
        before = dict.fromkeys(SHOWN, 0.0)
        warm = False
        self.hand_out(0.0)
        for event in self.until(seconds):
            if not warm and event.moment >= seconds / 10:
                warm, self.played, self.learned = True, 0, 0
                before = {name: one.busy for name, one in self.servers.items()}
                self.ages.clear()
            getattr(self, event.station)(event.moment, event.pool)
        return self.outcome(before, seconds - seconds / 10)

    def until(self, end: float) -> Iterator[Event]:
        """The events in their order, as far as they are before the end."""
        while self.events and self.events[0].moment < end:
            yield heapq.heappop(self.events)

    def push(self, moment: float, station: str, pool: int) -> None:
        self.count += 1
        heapq.heappush(self.events, Event(moment, self.count, station, pool))

    # Stations, in their order.

    def hand_out(self, now: float) -> None:
        """Pools that wait, to workers that are free, if the learner is not far behind."""
        costs = self.costs
        most = self.step * max(1, costs.max_staleness)
        if self.learning and not costs.max_staleness:
            return
        while self.free_workers and self.waiting and len(self.ready) * self.task < most:
            pool = self.waiting.popleft()
            self.free_workers -= 1
            self.versions[pool] = self.version
            self.under_way[self.version] += 1
            usual = self.task / costs.positions_per_second
            lasts = usual * max(0.1, self.rng.gauss(1.0, costs.spread))
            self.push(now + lasts, "come", pool)

    def come(self, now: float, pool: int) -> None:
        """Through the network card."""
        size = self.task * self.costs.sample_bytes
        done = self.servers["network"].serve(now, size / self.costs.bandwidth)
        self.push(done, "read", pool)

    def read(self, now: float, pool: int) -> None:
        """By the driver, who then has something for the worker to do."""
        spent = self.costs.task_overhead + self.task * self.costs.position_overhead
        self.push(self.servers["driver"].serve(now, spent), "take", pool)

    def take(self, now: float, pool: int) -> None:
        """The pool is ready, and its worker free."""
        self.free_workers += 1
        self.played += self.task
        self.under_way.subtract([self.versions[pool]])
        self.under_way = +self.under_way
        self.ready.append(pool)
        self.learn(now)
        self.hand_out(now)

    def learn(self, now: float) -> None:
        """A step, if there is enough for one and nothing would become too old."""
        enough = len(self.ready) * self.task >= self.step or len(self.ready) == self.pools
        too_old = self.version - self.costs.max_staleness  # in the next step
        if self.learning or not enough or any(one <= too_old for one in self.under_way):
            return
        taken: list[int] = []
        left: deque[int] = deque()
        for pool in self.ready:
            needed = len(taken) * self.task < self.step or self.versions[pool] <= too_old
            (taken if needed else left).append(pool)
        self.ready = left
        self.ages.update(self.version - self.versions[pool] for pool in taken)
        self.waiting.extend(taken)
        self.learning = True
        spent = len(taken) * self.task / self.costs.learn_rate
        self.push(self.servers["learner"].serve(now, spent), "learned_from", len(taken))

    def learned_from(self, now: float, taken: int) -> None:
        """The step is over: the new network goes to each machine."""
        self.learning = False
        self.version += 1
        self.learned += taken * self.task
        nodes = -(-self.workers // self.costs.cores_per_node)
        self.servers["network"].serve(now, nodes * self.costs.weight_bytes / self.costs.bandwidth)
        self.learn(now)
        self.hand_out(now)

    def outcome(self, before: dict[str, float], counted: float) -> Outcome:
        """What it came to."""
        spent = {name: one.busy - before[name] for name, one in self.servers.items()}
        shares = {name: min(1.0, one / counted) for name, one in spent.items()}
        busiest = max(shares, key=shares.__getitem__)
        ideal = self.workers * self.costs.positions_per_second
        return Outcome(
            self.workers,
            self.learned / counted,
            self.played / counted,
            self.played / counted / ideal,
            sum(age * n for age, n in self.ages.items()) / max(1, self.ages.total()),
            max(self.ages, default=0),
            **shares,
            bottleneck=busiest if shares[busiest] > FULL else "workers",
        )


def simulate(costs: Costs, workers: int, seconds: float = 600.0, seed: int = 0) -> Outcome:
    """Run it for so long."""
    return Simulation(costs, workers, seed).run(seconds)


def main() -> None:
    """A table for the costs that are asked for."""
    options = parser(__doc__)
    options.add_argument("--costs", type=Path, help="what scale_overhead.py --json has printed")
    for name, value in asdict(Costs()).items():
        options.add_argument(f"--{name.replace('_', '-')}", type=type(value))
    options.add_argument("--seconds", type=float, default=300.0, help="simulated (300)")
    options.add_argument("--seed", type=int, default=0)
    args = parse(options, seconds=60.0)
    measured = json.loads(args.costs.read_text())["costs"] if args.costs else {}
    asked = {name: getattr(args, name) for name in asdict(Costs())}
    given = {name: value for name, value in asked.items() if value is not None}
    costs = replace(Costs(), **{**measured, **given})
    outcomes = [simulate(costs, count, args.seconds, args.seed) for count in WORKERS]
    if args.json:
        print(json.dumps({"costs": asdict(costs), "rows": [asdict(one) for one in outcomes]}))
        return
    print(f"{'workers':>8}{'learned/s':>12}{'played/s':>12}{'kept':>7}{'stale':>7}", end="")
    print("".join(f"{name:>9}" for name in SHOWN), " waits for")
    for one in outcomes:
        shares = "".join(f"{getattr(one, name):>9.0%}" for name in SHOWN)
        head = f"{one.workers:>8}{one.positions_per_second:>12,.0f}{one.played_per_second:>12,.0f}"
        print(f"{head}{one.kept:>7.0%}{one.staleness:>7.2f}{shares}  {one.bottleneck}")


if __name__ == "__main__":
    main()
