"""Workers in this process: threads, which do the same tasks as workers elsewhere."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Self

from ludus.arena.tasks import Message, Result, perform
from ludus.checks import check_whole

LOOK = 0.5  # seconds between two looks at whether it is over


class ThreadWorkers:
    """Some threads."""

    def __init__(
        self,
        count: int | None = None,
        perform: Callable[[str, Message], Result] = perform,
    ) -> None:
        self.count = check_whole(
            "workers", (os.cpu_count() or 1) if count is None else count, 1, 1024
        )
        self.perform = perform
        self.pool = ThreadPoolExecutor(self.count, thread_name_prefix="worker")
        self.futures: dict[Future[Result], int] = {}
        self.number = 0
        self.stopped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.forget()
        self.pool.shutdown(cancel_futures=True)

    @property
    def under_way(self) -> int:
        return len(self.futures)

    def share(self, data: bytes) -> Any:
        return data

    def submit(self, work: str, task: Message) -> int:
        self.number += 1
        self.futures[self.pool.submit(self.perform, work, task)] = self.number
        return self.number

    def take(self, seconds: float | None = None) -> tuple[int, Result] | None:
        end = math.inf if seconds is None else time.monotonic() + seconds
        while self.futures:
            if self.stopped:
                raise KeyboardInterrupt
            left = max(0.0, min(LOOK, end - time.monotonic()))
            for future in wait(self.futures, left, FIRST_COMPLETED).done:
                return self.futures.pop(future), future.result()
            if time.monotonic() >= end:
                break
        return None

    def forget(self) -> None:
        for future in self.futures:
            future.cancel()
        self.futures.clear()
        self.stopped = False

    def stop(self) -> None:
        self.stopped = True

    def summary(self) -> str:
        return ""
