"""What all routes share: games, lines, searches, oracles; and threads for short answers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any, TypeVar

from ludus.serve import thinking, truth
from ludus.serve.games import Catalogue
from ludus.serve.limits import LIMITS, Limits
from ludus.serve.lines import Line, Lines
from ludus.serve.pool import Search, SearchPool
from ludus.serve.protocol import Refused
from ludus.serve.runs import Runs

Answer = TypeVar("Answer")
ANSWERING = 2  # threads for short answers


class Desk:
    """Where questions are taken; it holds no game of anybody."""

    def __init__(
        self, runs: Path | None = None, agents: Sequence[str] = (), limits: Limits = LIMITS
    ) -> None:
        self.limits = limits
        self.games = Catalogue(agents, limits)
        self.lines = Lines(limits)
        self.pool = SearchPool(limits)
        self.oracles = truth.Oracles(limits)
        self.runs = Runs(runs)
        self._answering = ThreadPoolExecutor(ANSWERING, thread_name_prefix="answer")
        self._waiting = 0

    def close(self) -> None:
        """Stop all searches."""
        self.pool.close()
        self.oracles.close()
        self._answering.shutdown(wait=False, cancel_futures=True)

    def line(self, message: dict[str, Any]) -> Line:
        """The line of a message."""
        return self.lines.read(self.games.game(message.get("game")), message)

    async def answer_in_thread(self, answer: Callable[..., Answer], *given: Any) -> Answer:
        """A short answer, given by a thread so that nobody waits for it but who asked."""
        if self._waiting >= self.limits.requests_waiting:
            raise Refused("the server is busy: too many requests; try again soon", 503)
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._answering, answer, *given)
        finally:
            self._waiting -= 1

    async def answers(
        self, work: Iterator[Any], seconds: float, every: float = 0.0
    ) -> AsyncGenerator[Search, None]:
        """Let the pool work; comes back with each new answer, at most so often, and at the end.

        Whoever is slow to take an answer misses those in between, and keeps nobody waiting.
        """
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def tell() -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens
                loop.call_soon_threadsafe(changed.set)

        search = self.pool.ask(work, seconds=seconds, changed=tell)
        try:
            while not search.ended:
                await changed.wait()
                changed.clear()
                if not search.ended:
                    yield search
                    if every:
                        await sleep_until(search, every)
            if search.error is not None:
                raise search.error
            yield search
        finally:
            search.stop()

    async def last_answer(self, work: Iterator[Any], seconds: float) -> Search:
        """The last answer."""
        async with aclosing(self.answers(work, seconds)) as answers:
            async for search in answers:
                if search.ended:
                    return search
        raise AssertionError("answers end with the last one")

    def question(self, message: dict[str, Any]) -> thinking.Question:
        """What is to be thought about, and by whom."""
        line = self.line(message["line"])
        seed = secrets.randbelow(2**31) if message["seed"] is None else message["seed"]
        spelling = self.games.check_agent(line.game, message["agent"])
        return thinking.Question(line, spelling, message["simulations"], message["seconds"], seed)

    async def thoughts(
        self, message: dict[str, Any], every: float = 0.0
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Thoughts, each better than the one before; the last one has an action."""
        question = await self.answer_in_thread(self.question, message)
        one, seconds = await self.answer_in_thread(thinking.prepare, question, self.limits)
        work = thinking.thoughts(self.oracles, question, one)
        async with aclosing(self.answers(work, seconds, every)) as answers:
            async for at in answers:
                thought, over = at.latest, at.ended
                if thought is None and over:
                    raise Refused(f"{question.agent} needs more than {seconds:g} s here")
                if thought is not None:
                    action = thinking.final_action(one, thought, question.seed) if over else None
                    yield await self.answer_in_thread(
                        thinking.thought_json, question, thought, action
                    )

    async def truth(self, line: Line, seconds: float) -> dict[str, Any]:
        """What is so, or that nobody knows, or that it takes too long."""
        at = await self.last_answer(truth.truth(self.oracles, line.game, line.state), seconds)
        return at.latest if at.latest is not None else truth.too_long_answer(seconds)


async def sleep_until(search: Search, seconds: float) -> None:
    """Wait so long, or until the work has ended."""
    step = seconds
    while step > 0 and not search.ended:
        await asyncio.sleep(min(step, 0.02))
        step -= 0.02
