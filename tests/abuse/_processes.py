"""Which processes there are, as Linux tells."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def children(parent: int) -> list[int]:
    """Those that play games for another."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            above = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            if above == parent and b"spawn_main" in (place / "cmdline").read_bytes():
                found.append(int(place.name))
        except OSError:
            continue
    return found


def alive(process: int) -> bool:
    """Whether it still works; one that only waits to be counted out does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def wait_until(true: Callable[[], bool]) -> bool:
    """A bound that only a process that never ends comes up to."""
    ends = time.monotonic() + 20
    while not true() and time.monotonic() < ends:
        time.sleep(0.02)
    return true()
