"""A few threads for many searches: each runs in short slices, in turn, and stops at once."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from ludus.serve.limits import LIMITS, Limits
from ludus.serve.protocol import Refused

PAUSE_SECONDS = 0.003  # for work that had nothing to do, as it waits for others
NOTHING_SECONDS = 0.0002  # shorter slices without an answer have done nothing
NICE = 5  # the threads that search give way to those that answer


class Search:
    """Work that was asked for, and the best answer so far."""

    def __init__(
        self, work: Iterator[Any], seconds: float, wait: float, changed: Callable[[], None]
    ) -> None:
        self.work, self.seconds = work, seconds
        self.until = time.monotonic() + wait
        self.changed = changed  # is called by any thread
        self.latest: Any = None
        self.worked = 0.0  # seconds
        self.ended = self.stopped = self.cut = False
        self.error: Exception | None = None

    def stop(self) -> None:
        """End after the slice that is at work, if any."""
        self.stopped = True

    def step(self) -> bool:
        """One slice; whether there is more to do."""
        if self.stopped:
            return False
        begun = time.perf_counter()
        try:
            item = next(self.work)
        except StopIteration:
            return False
        except Exception as error:  # of whatever kind: it is told to who asked
            self.error = error
            return False
        spent = time.perf_counter() - begun
        self.worked += spent
        if item is not None and not self.stopped:
            self.latest = item
            self.changed()
        elif spent < NOTHING_SECONDS:
            time.sleep(PAUSE_SECONDS)
        self.cut = self.worked >= self.seconds or time.monotonic() >= self.until
        return not self.cut

    def end(self) -> None:
        """Free what it holds, and tell."""
        if hasattr(self.work, "close"):
            self.work.close()
        self.work = iter(())
        self.ended = True
        self.changed()


class SearchPool:
    """Runs what is asked, round robin."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._new: deque[Search] = deque()
        self._turn: deque[Search] = deque()  # begun, and waiting for their next slice
        self._begun = 0  # those at work included
        self._open = 0
        self._new_next = True
        self._closed = False
        self._change = threading.Condition()
        self._threads = [
            threading.Thread(target=self._run, name=f"search-{n}", daemon=True)
            for n in range(limits.workers)
        ]
        for thread in self._threads:
            thread.start()

    def ask(
        self,
        work: Iterator[Any],
        *,
        seconds: float,
        changed: Callable[[], None] = lambda: None,
    ) -> Search:
        """Begin a search as soon as a thread has time for it."""
        search = Search(work, seconds, self._limits.wait_seconds, changed)
        with self._change:
            if self._closed or self._open >= self._limits.searches:
                raise Refused("the server is busy: too many searches; try again soon", 503)
            self._open += 1
            self._new.append(search)
            self._change.notify()
        return search

    @property
    def open(self) -> int:
        """How many searches are asked for and not ended."""
        return self._open

    def close(self) -> None:
        """Stop everything."""
        with self._change:
            self._closed = True
            for search in (*self._new, *self._turn):
                search.stop()
            self._change.notify_all()
        for thread in self._threads:
            thread.join(5)

    def _run(self) -> None:
        give_way()
        while (search := self._take()) is not None:
            more = search.step()
            if not more:
                search.end()
            with self._change:
                if more:
                    self._turn.append(search)
                else:
                    self._begun -= 1
                    self._open -= 1
                self._change.notify()

    def _take(self) -> Search | None:
        """The next to have a slice: a new one and one at work by turns, so that neither waits."""
        with self._change:
            while True:
                new = self._new and self._begun < self._limits.searches_at_work
                if new and (self._new_next or not self._turn):
                    self._begun += 1
                    self._new_next = False
                    return self._new.popleft()
                if self._turn:
                    self._new_next = True
                    return self._turn.popleft()
                if self._closed and not self._new:
                    return None
                self._change.wait()


def give_way() -> None:
    """Let this thread be the one that waits, where the system knows priorities of threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
