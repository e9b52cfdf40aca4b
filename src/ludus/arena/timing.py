"""How decisions are timed: many games in step, several at the same time, or each one alone.

An agent that thinks of many games at once is asked for all of them at once, and its time is
divided by their number. That is how fast games are played, not how long a decision takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludus.agent import Agent, is_batched, native
from ludus.arena import step
from ludus.arena.tasks import Workers, are_elsewhere
from ludus.checks import check_whole

BATCHED, ALONE = "batched", "alone"
TIMINGS = (BATCHED, ALONE)


def check_timing(timing: str, workers: Any) -> str:
    """One of the ways there are; decisions that share a machine are not timed alone."""
    check_whole("workers", workers, 1, 1024)
    if timing not in TIMINGS:
        raise ValueError(f"no timing {timing!r:.60}; there are {', '.join(TIMINGS)}")
    if timing == ALONE and workers > 1:
        raise ValueError(f"timing alone plays one game at a time: workers is 1, not {workers}")
    return timing


def describe_timing(
    agents: Sequence[Agent], games: int, workers: int | Workers, timing: str
) -> list[str]:
    """How each agent is timed, where so many games are played."""
    if are_elsewhere(workers):
        check_timing(timing, workers.count)
        return [f"on {workers.count} workers elsewhere"] * len(agents)
    check_timing(timing, workers)
    alone = workers == 1
    one_by_one, together = "one decision at a time", f"with {workers} games at the same time"
    if timing == ALONE:
        return [one_by_one] * len(agents)
    if not any(is_batched(one) for one in agents):
        return [one_by_one if alone else together] * len(agents)
    at_once = min(step.AT_ONCE, games)
    return [
        f"in step with {at_once} game{'s' if at_once > 1 else ''}"
        if is_batched(one)
        else together
        if native(one) and not alone
        else one_by_one
        for one in agents
    ]
