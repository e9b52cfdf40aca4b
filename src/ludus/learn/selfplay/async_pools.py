"""Self-play that does not wait for the learner: pools go on with the newest network they are given.

How old the network was by which something was played, in steps, is its staleness. It is bounded:
the learner waits for what would become older. What is played when depends on which worker is
faster, so such a training does not repeat bit by bit; nothing is learned twice or lost, but for
what was under way when a training ends.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludus.arena.tasks import Result
from ludus.learn.selfplay.spread_pools import WORK, SpreadPools, joined

if TYPE_CHECKING:
    from ludus.learn.selfplay.pools import Arrays

LOOK = 0.2  # seconds between two looks at what the learner wants


@dataclass
class PlayedPart:
    """What a pool has played in a task, and by which network."""

    place: int
    version: int
    result: Result
    positions: int


class AsyncPools:
    """Pools on workers, who begin the next task as soon as one is done."""

    def __init__(self, pools: SpreadPools, max_staleness: int) -> None:
        self.pools, self.most = pools, max_staleness
        self.graph: tuple[bytes, Any] | None = None  # the newest network, and what stands for it
        self.version = 0
        self.share = self.wanted = 0  # positions of a task, and of a step
        self.versions: dict[int, int] = {}  # of the networks of the tasks under way, by number
        self.places: dict[int, int] = {}
        self.ready: deque[PlayedPart] = deque()
        self.order = list(range(len(pools.states)))  # who has waited longest is played first
        self.ages: list[int] = []  # staleness of all positions of the last step, part by part
        self.weights: list[int] = []
        self.waiting = self.over = False  # the learner waits; nothing more is wanted
        self.failure: BaseException | None = None
        self.news = threading.Condition()
        self.thread: threading.Thread | None = None

    # For the learner.

    def play(self, graph: bytes, positions: int, threads: int, games: int = 0) -> Arrays:
        """At least so many positions, as soon as they are there and nothing is too old."""
        with self.news:
            if self.graph is None or self.graph[0] is not graph:
                self.version += 1
                self.graph = graph, self.pools.workers.share(graph)
            self.share, self.wanted = -(-positions // self.parts), positions
            if self.thread is None:
                self.thread = threading.Thread(target=self.run, daemon=True)
                self.thread.start()
            self.waiting = True
            self.news.notify_all()
            while not self.enough(positions):
                if self.failure is not None:
                    raise self.failure
                self.news.wait()
            taken = self.choose(positions)
            self.waiting = False
            self.news.notify_all()
            parts = [self.pools.keep(part.place, part.result) for part in taken]
        self.ages += [self.version - part.version for part in taken]
        self.weights += [part.positions for part in taken]
        return joined(parts)

    @property
    def parts(self) -> int:
        """Tasks of a step: one a worker, so that other pools are played while it is taken in."""
        return min(len(self.pools.states), self.pools.workers.count)

    def enough(self, positions: int) -> bool:
        """Whether so much is there, and all that would be too old in the next step."""
        under_way = any(self.version - one >= self.most for one in self.versions.values())
        # Every pool waits for the learner, who then has to do with less.
        all_wait = len(self.ready) == len(self.pools.states)
        return not under_way and (all_wait or self.total(self.ready) >= positions)

    def choose(self, positions: int) -> list[PlayedPart]:
        """The first parts that came, until there are enough, and all that would be too old."""
        taken: list[PlayedPart] = []
        left: deque[PlayedPart] = deque()
        for part in self.ready:
            needed = self.total(taken) < positions
            chosen = needed or self.version - part.version >= self.most
            (taken if chosen else left).append(part)
        self.ready = left
        return taken

    @staticmethod
    def total(parts: Any) -> int:
        return sum(part.positions for part in parts)

    # In a thread of its own, which alone hands out and takes.

    def run(self) -> None:
        """Keep the workers busy until it is over, or fails."""
        try:
            while not self.over:
                self.hand_out()
                found = self.pools.workers.take(LOOK)
                with self.news:
                    if found is not None:
                        self.take_in(*found)
                    elif not self.versions and not self.over:
                        self.news.wait(LOOK)
        except BaseException as error:  # told to the learner, who waits
            with self.news:
                self.failure = error
                self.news.notify_all()

    def hand_out(self) -> None:
        """The next task of pools that have none, unless the learner is far behind.

        No more than there are workers: what waits for one would be played by an old network.
        """
        with self.news:
            far_behind = self.total(self.ready) >= self.wanted * max(1, self.most)
            if self.graph is None or far_behind or not (self.most or self.waiting):
                return
            busy = {part.place for part in self.ready} | set(self.places.values())
            free = self.pools.workers.count - len(self.places)
            for place in [one for one in self.order if one not in busy][: max(0, free)]:
                task = self.pools.task(place, self.graph[1], self.share, None)
                number = self.pools.workers.submit(WORK, task)
                self.places[number], self.versions[number] = place, self.version
                self.order.remove(place)
                self.order.append(place)

    def take_in(self, number: int, result: Result) -> None:
        """A task is done."""
        positions = len(result["played"]["full"])
        place, version = self.places.pop(number), self.versions.pop(number)
        self.ready.append(PlayedPart(place, version, result, positions))
        self.news.notify_all()

    # As the pools.

    def counts(self) -> dict[str, int]:
        return self.pools.counts()

    def seconds(self) -> dict[str, float]:
        return self.pools.seconds()

    @property
    def learner_waited(self) -> float:
        return self.pools.learner_waited

    @learner_waited.setter
    def learner_waited(self, seconds: float) -> None:
        self.pools.learner_waited = seconds

    def metrics(self) -> dict[str, float]:
        """Who works, what the learner waited for, and how old what it got was."""
        ages, weights = self.ages, self.weights
        self.ages, self.weights = [], []
        total = max(1, sum(weights))
        mean = sum(age * weight for age, weight in zip(ages, weights, strict=True)) / total
        found = {"staleness": mean, "staleness_max": float(max(ages, default=0))}
        return {**self.pools.metrics(), **found}

    def state(self) -> list[dict[str, Any]]:
        return self.pools.state()

    def form(self) -> list[dict[str, Any]]:
        return self.pools.form()

    def restore(self, state: list[dict[str, Any]]) -> None:
        self.pools.restore(state)

    def stop(self) -> None:
        """Wait for no worker any more."""
        self.pools.stop()

    def close(self) -> None:
        """End the thread; what is under way is given up."""
        self.over = True
        with self.news:
            self.news.notify_all()
        if self.thread is not None:
            self.thread.join()
        self.pools.close()
