"""Workers of a Ray cluster: actors that do tasks, and are replaced when they are lost.

A task whose worker or node is lost is done again; one that takes much longer than the others is
also given to a worker that has nothing to do, and the first result counts. Tasks depend on their
messages alone, so neither changes a result, and each task is taken back exactly once.
"""

from __future__ import annotations

import math
import time
import warnings
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Self

from ludus.arena.tasks import Message, Result, check_message
from ludus.checks import check_whole
from ludus.device import CPU
from ludus.files import Notice
from ludus.scale.facts import difference, facts
from ludus.scale.member import Member

LOOK = 0.5  # seconds between two looks at who was lost
LATE, LEAST_LATE = 4.0, 10.0  # times the usual seconds, and seconds, after which a task is late
HOPELESS = 10.0  # times that, after which a worker is given up whose task another has done
USUAL = 32  # tasks that tell how long one usually takes
MOST_LOST = 12  # workers that one task may lose before it is taken for the cause
MOST_FAILED = 5  # workers in a row that do not come up, while no other does
BARREN = 60.0  # seconds, at least, for which none does: machines may come and go
JOINING, READY, WORKING = "joining", "ready", "working"


@dataclass
class Task:
    """What was handed out."""

    number: int
    work: str
    message: dict[str, Any]
    shared: dict[str, list[Any]]
    lost: int = 0  # workers that were lost over it
    doing: int = 0  # workers that do it now
    started: float = 0.0


@dataclass
class Worker:
    """An actor, as it is known here."""

    actor: Any
    reference: Any  # of what it was asked last
    state: str = JOINING
    node: str = ""
    pid: int = 0
    home: Any = None  # of the task it did last: what it remembers of it may be of use
    task: Task | None = None
    done: int = 0
    seconds: float = 0.0  # at work
    since: float = field(default_factory=time.monotonic)


class RayWorkers:
    """As many as there are processors in the cluster, or as many as are asked for."""

    def __init__(self, ray: Any, count: int | None, device: str = CPU) -> None:
        self.ray = ray
        cpus = int(ray.cluster_resources().get("CPU", 1))
        self.count = check_whole("workers", max(1, cpus) if count is None else count, 1, 1024)
        self.make = ray.remote(num_cpus=1, max_concurrency=1, scheduling_strategy="SPREAD")(Member)
        self.lost_errors = lost_errors(ray)
        self.workers: list[Worker] = []
        self.queue: deque[Task] = deque()
        self.tasks: dict[int, Task] = {}  # handed out, and not done yet
        self.done: deque[tuple[int, Result]] = deque()
        self.usual: deque[float] = deque(maxlen=USUAL)
        self.number = self.lost = self.failed = 0
        self.fertile = time.monotonic()  # when a worker came up last
        self.refused: list[str] = []
        self.stopped = False
        self.folder = str(Path.cwd())
        self.device = device

    def __enter__(self) -> Self:
        for _ in range(self.count):
            self.hire()
        return self

    def __exit__(self, *_: object) -> None:
        self.forget()
        for worker in self.workers:
            self.dismiss(worker)
        self.workers.clear()

    @property
    def under_way(self) -> int:
        return len(self.tasks) + len(self.done)

    def share(self, data: bytes) -> Any:
        return self.ray.put(data)

    def submit(self, work: str, task: Message) -> int:
        shared = {n: [one] for n, one in task.items() if isinstance(one, self.ray.ObjectRef)}
        message = {name: one for name, one in task.items() if name not in shared}
        check_message(message, "task")
        self.number += 1
        made = Task(self.number, work, message, shared)
        self.tasks[made.number] = made
        self.queue.append(made)
        self.hand_out()
        return made.number

    def take(self, seconds: float | None = None) -> tuple[int, Result] | None:
        end = math.inf if seconds is None else time.monotonic() + seconds
        while not self.done and self.tasks:
            if self.stopped:
                raise KeyboardInterrupt
            left = end - time.monotonic()
            self.look(max(0.0, min(LOOK, left)))
            if left <= 0:
                break
        return self.done.popleft() if self.done else None

    def forget(self) -> None:
        """What is done of it by now, and still comes, is thrown away."""
        self.queue.clear()
        self.tasks.clear()
        self.done.clear()
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True

    def summary(self) -> str:
        there = [one for one in list(self.workers) if one.state != JOINING]
        rates = sorted(one.done / one.seconds for one in there if one.done and one.seconds)
        said = [f"{len(there)} of {self.count} workers"]
        if rates:
            said.append(f"{rates[0]:.3g} to {rates[-1]:.3g} tasks/s each")
        if self.lost:
            said.append(f"{self.lost} lost and replaced")
        return ", ".join(said)

    # How it is done.

    def hire(self) -> None:
        """Ask the cluster for one more; it comes when there is room."""
        actor = self.make.remote()
        self.workers.append(Worker(actor, actor.join.remote(self.folder, self.device)))

    def dismiss(self, worker: Worker) -> None:
        """End it; what it was doing is of no use any more."""
        with suppress(Exception):  # it may be gone already, or the whole cluster
            self.ray.kill(worker.actor)

    def replace(self, worker: Worker) -> None:
        """Another in its place."""
        self.dismiss(worker)
        self.workers.remove(worker)
        self.hire()

    def hand_out(self) -> None:
        """Give what waits to who waits; then help with what is late."""
        free = [one for one in self.workers if one.state == READY]
        while free and self.queue:
            task = self.queue.popleft()
            home = task.message.get("home")
            worker = next((one for one in free if home is not None and one.home == home), free[-1])
            free.remove(worker)
            self.begin(worker, task)
        for task, worker in zip(list(self.late()) if free else (), free, strict=False):
            self.begin(worker, task)

    def late(self) -> Iterator[Task]:
        """Tasks that one worker alone has done for much longer than usual."""
        if self.queue or not self.usual:
            return
        now = time.monotonic()
        for task in self.tasks.values():
            if task.doing == 1 and now - task.started > self.patience:
                yield task

    @property
    def patience(self) -> float:
        """Seconds after which a task is late."""
        return max(LEAST_LATE, LATE * median(self.usual or [LEAST_LATE]))

    def give_up(self) -> None:
        """Replace who hangs over a task that another has done long ago."""
        now = time.monotonic()
        for worker in [one for one in self.workers if one.task is not None]:
            obsolete = worker.task is not None and worker.task.number not in self.tasks
            if obsolete and now - worker.since > HOPELESS * self.patience:
                self.lost += 1
                self.replace(worker)

    def begin(self, worker: Worker, task: Task) -> None:
        """Let a worker do a task."""
        worker.state, worker.task = WORKING, task
        worker.since, worker.home = time.monotonic(), task.message.get("home")
        task.doing += 1
        task.started = task.started or worker.since
        worker.reference = worker.actor.run.remote(task.work, task.message, task.shared)

    def look(self, seconds: float) -> None:
        """Wait a little, and see who has joined, who is done, and who was lost."""
        self.give_up()
        self.hand_out()
        waiting = {one.reference: one for one in self.workers if one.state != READY}
        if not waiting:
            self.check_anybody()
            return
        found, _ = self.ray.wait(list(waiting), num_returns=1, timeout=seconds)
        if found:
            found, _ = self.ray.wait(list(waiting), num_returns=len(waiting), timeout=0)
        for reference in found:
            worker = waiting[reference]
            try:
                answer = self.ray.get(reference)
            except self.lost_errors as error:
                self.lose(worker, error)
                continue
            if worker.state == JOINING:
                self.welcome(worker, answer)
            else:
                self.finish(worker, answer)
        self.hand_out()

    def welcome(self, worker: Worker, answer: dict[str, Any]) -> None:
        """Let a worker in if it is made of the same as this process."""
        worker.node, worker.pid = answer["node"], answer["pid"]
        apart = difference(facts(), answer["facts"])
        if not apart:
            worker.state, self.failed, self.fertile = READY, 0, time.monotonic()
            return
        sentence = f"a worker on node {worker.node} {apart}: install the same on every node"
        if sentence not in self.refused:
            self.refused.append(sentence)
            warnings.warn(f"{sentence}; it gets no work", Notice, stacklevel=2)
        self.dismiss(worker)
        self.workers.remove(worker)
        self.check_anybody()

    def check_anybody(self) -> None:
        """Refuse to wait for nobody."""
        if not self.workers:
            raise ValueError(self.refused[0] if self.refused else "there are no workers")

    def finish(self, worker: Worker, answer: dict[str, Any]) -> None:
        """Take a result, if nobody had it first."""
        task = worker.task
        assert task is not None
        worker.state, worker.task = READY, None
        task.doing -= 1
        worker.done += 1
        lasted = time.monotonic() - worker.since
        worker.seconds += lasted
        if task.number not in self.tasks:
            return
        del self.tasks[task.number]
        if "error" in answer:
            raise ValueError(answer["error"])
        self.usual.append(lasted)
        self.done.append((task.number, answer["found"]))

    def lose(self, worker: Worker, error: Exception) -> None:
        """A worker is gone: another takes its place, and what it did is done again, first."""
        task = worker.task
        if worker.state == JOINING:
            self.failed += 1
            barren = time.monotonic() - self.fertile > BARREN
            nobody = all(one.state == JOINING for one in self.workers)
            if self.failed > MOST_FAILED and barren and nobody:
                said = " ".join(str(error).split())
                raise ValueError(f"no worker comes up: {said:.300}")
        else:
            self.lost += 1
        self.replace(worker)
        if task is None or task.number not in self.tasks:
            return
        task.doing -= 1
        task.lost += not died_with_node(error)
        if task.lost > MOST_LOST:
            raise ValueError(
                f"{task.lost} workers were lost over the same task of {task.work}: it may need "
                "more memory than they have"
            )
        if not task.doing:
            task.started = 0.0
            self.queue.appendleft(task)


def died_with_node(error: Exception) -> bool:
    """Whether its whole machine is gone, which no task is the cause of."""
    return "node has died" in str(error) or type(error).__name__ == "NodeDiedError"


def lost_errors(ray: Any) -> tuple[type[Exception], ...]:
    """How Ray says that a worker, its node, or what it had to say is gone."""
    errors = ray.exceptions
    names = (
        *("RayActorError", "WorkerCrashedError", "ObjectLostError", "OutOfMemoryError"),
        *("NodeDiedError", "LocalRayletDiedError", "TaskUnschedulableError", "RaySystemError"),
        *("ActorUnschedulableError", "ObjectFetchTimedOutError", "RayTaskError"),
    )
    return tuple(getattr(errors, name) for name in names if hasattr(errors, name))
