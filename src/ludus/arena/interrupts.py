"""What Ctrl-C may not cut in two."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def defer_interrupt() -> Iterator[None]:
    """Ctrl-C is heard when this is over, so that what is counted and what is written agree.

    Only the main thread ever hears it, and only there anything has to be done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[FrameType | None] = []
    before = signal.signal(signal.SIGINT, lambda _, frame: heard.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if heard and callable(before):
            before(signal.SIGINT, heard[0])
