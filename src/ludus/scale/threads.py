"""Workers in this process: threads, which do the same tasks as workers elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from typing import Any, Self

from ludus.arena.tasks import Message, Result, perform
from ludus.checks import check_whole


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

    def take(self, wait: bool = True) -> tuple[int, Result] | None:
        if not self.futures:
            return None
        for future in wait_for(self.futures, None if wait else 0, FIRST_COMPLETED).done:
            return self.futures.pop(future), future.result()
        return None

    def forget(self) -> None:
        for future in self.futures:
            future.cancel()
        self.futures.clear()

    def summary(self) -> str:
        return ""
