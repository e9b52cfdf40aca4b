"""Games in other processes: a plan crosses as spellings, and is made anew over there."""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ludus.agent import Agent, agent, respellable, spelling_of
from ludus.arena.interrupts import defer_interrupt
from ludus.arena.opening import Openings
from ludus.arena.running import MatchPlan, PlayedGame, RunningGame
from ludus.files import Notice
from ludus.game import Game, game
from ludus.play import is_native

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future, ProcessPoolExecutor


@dataclass(frozen=True)
class PlanSpelling:
    """A plan without objects."""

    game: str
    agents: tuple[str, str]
    seed: int
    openings: Openings
    key: tuple[int, ...]
    names: tuple[str, str]
    reward: str | None


def check(game: Game, agents: list[Agent]) -> None:
    """Refuse what another process could not make again."""
    for one in agents:
        if not respellable(one):
            raise ValueError(
                f"{type(one).__name__} thinks in Python, so its games go to other processes, which "
                "need it spelled; workers=1 plays them here"
            )
    if not game.kind.source and not is_native(game):
        raise ValueError(
            f"{game.name} was given as a class, which other processes cannot find; "
            "give its file, or workers=1"
        )


@contextmanager
def pool(workers: int) -> Iterator[tuple[ProcessPoolExecutor, Any]]:
    """Processes, and the flag that stops them."""
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import get_context

    context = get_context("spawn")  # a forked child would inherit locks that threads hold
    stop = context.Event()
    with ProcessPoolExecutor(workers, context, initializer=enter, initargs=(stop,)) as executor:
        try:
            yield executor, stop
        except BrokenProcessPool:
            raise ValueError("a process that played games has died; see its last words") from None


def spell_plan(plan: MatchPlan) -> PlanSpelling:
    """A plan as it crosses."""
    a, b = (spelling_of(one) for one in plan.agents)
    return PlanSpelling(
        plan.game.spelling,
        (a, b),
        plan.seed,
        plan.openings,
        plan.key,
        plan.spellings,
        plan.reward,
    )


def submit(executor: Executor, job: tuple[MatchPlan, int]) -> Future[PlayedGame | None]:
    """Send a game away."""
    plan, index = job
    spelled = spell_plan(plan)
    with block_interrupt():
        return executor.submit(play, spelled, index)


@contextmanager
def block_interrupt() -> Iterator[None]:
    """Ctrl-C is for the parent, when this is over: children started in here never hear it.

    It is held back, which children inherit, and not ignored: then it would be lost.
    """
    with defer_interrupt():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


STOP: list[Any] = []  # in a child: the flag its parent raises


def enter(stop: Any) -> None:
    """What a child does first."""
    STOP[:] = [stop]
    warnings.simplefilter("ignore", Notice)  # the parent has told it
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """A parent that is killed tells nobody: its children would wait for their next game."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@cache
def read_plan(spelled: PlanSpelling) -> MatchPlan:
    """The plan again, in a child."""
    a, b = (agent(one) for one in spelled.agents)
    return MatchPlan(
        game(spelled.game),
        (a, b),
        spelled.seed,
        spelled.openings,
        spelled.key,
        spelled.names,
        spelled.reward,
    )


def play(spelled: PlanSpelling, index: int) -> PlayedGame | None:
    """A game in a child."""
    running = RunningGame(read_plan(spelled), index)
    while not running.over:
        if STOP[0].is_set():
            return None
        running.think()
    return running.result()
