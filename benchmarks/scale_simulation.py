"""Throughput of AlphaZero with up to 1,000 workers: a discrete-event model with measured costs.

Workers play; their samples and games pass the learner's network card, then the driver's thread,
then the learner. With every step the new network goes to each machine. All of these are servers
with a queue. What saturates first is what the table says is busiest.

The defaults are round numbers; `benchmarks/scale_overhead.py` measures those of a machine.
"""

from __future__ import annotations

import heapq
import json
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace

from harness import parse, parser

WORKERS = (1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000)
SHOWN = ("network", "driver", "learner")
STALE = 4  # steps that self-play may be ahead of the learner
FULL = 0.95  # a server that is busy for so much of the time is what the others wait for


@dataclass(frozen=True)
class Costs:
    """What everything costs; seconds, bytes, and positions."""

    positions_per_second: float = 400.0  # that one worker plays
    spread: float = 0.15  # of how long tasks take, as a share (standard deviation)
    task: int = 256  # positions of a task
    sample_bytes: float = 800.0  # a position, with the running games that go along, both ways
    task_overhead: float = 0.004  # of the driver, for each task
    position_overhead: float = 2e-6  # of the driver, for each position of it
    bandwidth: float = 1.25e8  # bytes a second of the learner's network card (1 Gbit/s)
    learn_per_second: float = 6_000.0  # samples that the learner learns from
    samples_per_position: float = 2.5
    weight_bytes: float = 4e5  # of the network that is sent
    step: int = 2048  # positions of a step: then a new network is sent
    cores_per_node: int = 16  # workers of a machine, which share one copy


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
    """A task that has come to its next station."""

    moment: float
    number: int
    station: str = field(compare=False)
    worker: int = field(compare=False)


@dataclass(frozen=True)
class Outcome:
    """What so many workers come to."""

    workers: int
    positions_per_second: float  # learned from
    played_per_second: float
    kept: float  # share of what they would play if nobody made them wait
    network: float  # shares of the time in which each was busy
    driver: float
    learner: float
    bottleneck: str


def simulate(costs: Costs, workers: int, seconds: float = 600.0, seed: int = 0) -> Outcome:
    """Run it for so long; the first tenth is warming up and does not count."""
    rng = random.Random(seed)
    servers = {name: Server() for name in SHOWN}
    counter = iter(range(10**12))
    warm = seconds / 10
    events: list[Event] = []

    def push(moment: float, station: str, worker: int) -> None:
        heapq.heappush(events, Event(moment, next(counter), station, worker))

    def lasts() -> float:
        usual = costs.task / costs.positions_per_second
        return usual * max(0.1, rng.gauss(1.0, costs.spread))

    for worker in range(workers):
        push(rng.random() * lasts(), "played", worker)
    played = learned = since_step = 0
    before: dict[str, float] | None = None
    waiting: deque[int] = deque()  # workers, for the learner
    nodes = -(-workers // costs.cores_per_node)
    for event in until(events, seconds):
        now = event.moment
        if before is None and now >= warm:
            before = {name: one.busy for name, one in servers.items()}
            played = learned = 0
        if event.station == "played":
            size = costs.task * costs.sample_bytes
            push(servers["network"].serve(now, size / costs.bandwidth), "arrived", event.worker)
        elif event.station == "arrived":
            spent = costs.task_overhead + costs.task * costs.position_overhead
            push(servers["driver"].serve(now, spent), "taken", event.worker)
        elif event.station == "taken":
            played += costs.task
            spent = costs.task * costs.samples_per_position / costs.learn_per_second
            push(servers["learner"].serve(now, spent), "learned", event.worker)
            since_step += costs.task
            if since_step >= costs.step:
                since_step -= costs.step
                sent = nodes * costs.weight_bytes / costs.bandwidth
                servers["network"].serve(now, sent)
            if servers["learner"].free - now < STALE * costs.step / learn_rate(costs):
                push(now + lasts(), "played", event.worker)
            else:  # the learner is too far behind
                waiting.append(event.worker)
        else:
            learned += costs.task
            if waiting:
                push(now + lasts(), "played", waiting.popleft())
    counted = seconds - warm
    first = before or dict.fromkeys(servers, 0.0)
    shares = {n: min(1.0, (one.busy - first[n]) / counted) for n, one in servers.items()}
    ideal = workers * costs.positions_per_second
    busiest = max(shares, key=shares.__getitem__)
    return Outcome(
        workers,
        learned / counted,
        played / counted,
        played / counted / ideal,
        **shares,
        bottleneck=busiest if shares[busiest] > FULL else "workers",
    )


def learn_rate(costs: Costs) -> float:
    """Positions a second that the learner can take in."""
    return costs.learn_per_second / costs.samples_per_position


def until(events: list[Event], end: float) -> Iterator[Event]:
    """The events in their order, as far as they are before the end."""
    while events and events[0].moment < end:
        yield heapq.heappop(events)


def main() -> None:
    """A table for the costs that are asked for."""
    options = parser(__doc__)
    for name, value in asdict(Costs()).items():
        options.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    options.add_argument("--seconds", type=float, default=300.0, help="simulated (300)")
    options.add_argument("--seed", type=int, default=0)
    args = parse(options, seconds=20.0)
    costs = replace(Costs(), **{name: getattr(args, name) for name in asdict(Costs())})
    outcomes = [simulate(costs, count, args.seconds, args.seed) for count in WORKERS]
    if args.json:
        print(json.dumps({"costs": asdict(costs), "rows": [asdict(one) for one in outcomes]}))
        return
    print(f"{'workers':>8}{'learned/s':>12}{'played/s':>12}{'kept':>7}", end="")
    print("".join(f"{name:>9}" for name in SHOWN), " waits for")
    for one in outcomes:
        shares = "".join(f"{getattr(one, name):>9.0%}" for name in SHOWN)
        head = f"{one.workers:>8}{one.positions_per_second:>12,.0f}{one.played_per_second:>12,.0f}"
        print(f"{head}{one.kept:>7.0%}{shares}  {one.bottleneck}")


if __name__ == "__main__":
    main()
