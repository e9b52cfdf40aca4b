"""Who plays the games: this thread, threads, processes, workers elsewhere, or all in step.

Whoever it is, a game's course depends on its plan and its index alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from typing import Protocol

from ludus.agent import Agent, is_batched, native, unwrap
from ludus.arena import processes, shards
from ludus.arena.running import MatchPlan, PlayedGame, RunningGame
from ludus.arena.step import play_in_step
from ludus.arena.tasks import Workers, are_elsewhere
from ludus.arena.timing import ALONE, BATCHED, check_timing
from ludus.checks import check_whole
from ludus.game import Game
from ludus.play import is_native

Job = tuple[MatchPlan, int]  # a plan, and which of its games
Done = tuple[Job, PlayedGame]


class StopFlag(Protocol):
    """An event, of threads or of processes."""

    def is_set(self) -> bool: ...
    def set(self) -> None: ...


def play_all(
    jobs: Iterable[Job],
    game: Game,
    agents: list[Agent],
    workers: int | Workers,
    timing: str = BATCHED,
) -> Generator[Done, None, None]:
    """Play the games and yield each as it ends."""
    if are_elsewhere(workers):
        check_timing(timing, workers.count)
        shards.check(game, agents)
        return shards.in_shards(jobs, workers)
    return play_here(jobs, game, agents, check_whole("workers", workers, 1, 1024), timing)


def play_here(
    jobs: Iterable[Job], game: Game, agents: list[Agent], workers: int, timing: str
) -> Generator[Done, None, None]:
    """Play them on this machine."""
    if check_timing(timing, workers) == ALONE:
        return play_in_turn(jobs)
    if workers > 1 and any(getattr(unwrap(one), "sits_alone", False) for one in agents):
        raise ValueError(f"a person plays one game at a time: workers is 1, not {workers}")
    if any(is_batched(one) for one in agents):
        return play_in_step(jobs, workers)
    if workers == 1:
        return play_in_turn(jobs)
    if all(native(one) for one in agents) and is_native(game):
        return play_in_threads(jobs, workers)
    processes.check(game, agents)
    return play_in_processes(jobs, workers)


def play_in_turn(jobs: Iterable[Job]) -> Generator[Done, None, None]:
    """One game after the other."""
    for job in jobs:
        running = RunningGame(*job)
        while not running.over:
            running.think()
        yield job, running.result()


def play_until_stopped(job: Job, stop: StopFlag) -> PlayedGame | None:
    """One game, given up between two plies when told to."""
    running = RunningGame(*job)
    while not running.over:
        if stop.is_set():
            return None
        running.think()
    return running.result()


def play_in_threads(jobs: Iterable[Job], workers: int) -> Generator[Done, None, None]:
    """For native thinking, which leaves the interpreter to others."""
    stop = threading.Event()
    with ThreadPoolExecutor(workers) as pool:
        yield from run_in_pool(
            pool, stop, jobs, workers, lambda job: pool.submit(play_until_stopped, job, stop)
        )


def play_in_processes(jobs: Iterable[Job], workers: int) -> Generator[Done, None, None]:
    """For thinking in Python; what crosses is spelled, and a game's course comes back."""
    with processes.pool(workers) as (pool, stop):
        yield from run_in_pool(pool, stop, jobs, workers, lambda job: processes.submit(pool, job))


def run_in_pool(
    pool: Executor,
    stop: StopFlag,
    jobs: Iterable[Job],
    workers: int,
    submit: Callable[[Job], Future[PlayedGame | None]],
) -> Iterator[Done]:
    """Keep a pool busy a little ahead; on Ctrl-C yield what is done before passing it on."""
    under_way: dict[Future[PlayedGame | None], Job] = {}

    def drain(enough: int) -> Iterator[Done]:
        while len(under_way) > enough:
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                job, result = under_way.pop(future), future.result()
                if result is not None:
                    yield job, result

    try:
        for job in jobs:
            yield from drain(2 * workers - 1)
            under_way[submit(job)] = job
        yield from drain(0)
    except KeyboardInterrupt:
        stop.set()
        for future in [future for future in under_way if future.cancel()]:
            del under_way[future]
        yield from drain(0)
        raise
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
