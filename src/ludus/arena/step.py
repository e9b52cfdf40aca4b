"""Many games in step, in one thread, for agents that think of many states at once."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice

from ludus.agent import is_batched, native, think_many, unwrap
from ludus.arena.running import MatchPlan, PlayedGame, RunningGame
from ludus.resources import available_memory

AT_ONCE = 256  # games in step, if memory holds what their agents remember

Done = tuple[tuple[MatchPlan, int], PlayedGame]


def play_in_step(
    jobs: Iterable[tuple[MatchPlan, int]], workers: int
) -> Generator[Done, None, None]:
    """All running games a ply further at a time; the other agents' native thinking is shared out.

    Whoever thinks of many at once is asked once for all the games that wait for it.
    """
    coming = iter(jobs)
    games: list[RunningGame] = []
    memory = available_memory() // 2
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(workers)) if workers > 1 else None
        while True:
            while len(games) < AT_ONCE and (not games or kept_bytes(games) < memory):
                more = [RunningGame(*job) for job in islice(coming, 1)]
                if not more:
                    break
                games += more
            if not games:
                return
            waiting = [game for game in games if not game.over]
            together = [game for game in waiting if is_batched(game.thinker)]
            apart = [game for game in waiting if not is_batched(game.thinker)]
            think_together(together)
            free = [game for game in apart if pool and native(game.thinker)]
            for _ in pool.map(RunningGame.think, free) if pool else ():
                pass
            for game in apart:
                if game not in free:
                    game.think()
            yield from (((game.plan, game.index), game.result()) for game in games if game.over)
            games = [game for game in games if not game.over]


def kept_bytes(games: list[RunningGame]) -> int:
    """The memory that the agents of these games may hold between moves."""
    return sum(getattr(unwrap(one), "kept_bytes", 0) for game in games for one in game.agents)


def think_together(games: list[RunningGame]) -> None:
    """One call for each agent, with all the states that wait for it."""
    by_agent: dict[int, list[RunningGame]] = {}
    for game in games:
        by_agent.setdefault(id(game.thinker), []).append(game)
    for waiting in by_agent.values():
        started = time.perf_counter()
        thoughts = think_many(waiting[0].thinker, [game.state for game in waiting])
        seconds = (time.perf_counter() - started) / len(waiting)
        for game, thought in zip(waiting, thoughts, strict=True):
            game.play(thought, seconds)
