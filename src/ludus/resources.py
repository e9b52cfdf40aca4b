"""What this machine has: a request that its memory cannot hold is refused before it begins."""

from __future__ import annotations

import resource
from pathlib import Path

# Where a container's limit on memory stands, which psutil does not ask: control groups, second
# and first version.
LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def available_memory() -> int:
    """Bytes that can be had without swapping, within the limits of this process."""
    import psutil

    here = psutil.Process().memory_info()
    limits = [(limit, here.rss) for limit in map(container_limit, LIMITS) if limit is not None]
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        limit, _ = resource.getrlimit(kind)
        if limit != resource.RLIM_INFINITY:
            limits.append((limit, here.vms if kind == resource.RLIMIT_AS else here.rss))
    free = [limit - int(used) for limit, used in limits]
    return max(0, min([int(psutil.virtual_memory().available), *free]))


def total_memory() -> int:
    """Bytes of memory that this machine has."""
    import psutil

    return int(psutil.virtual_memory().total)


def container_limit(file: Path) -> int | None:
    """The limit in this file; None where there is no such file, or no limit in it."""
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return None


def check_memory(needed: int, what: str) -> None:
    """Refuse what does not fit: `what` is the subject of the sentence, as in "10,000 games"."""
    there = available_memory()
    if needed > there:
        raise ValueError(f"{what} would take {amount(needed)} of memory; {amount(there)} are free")


def amount(count: int) -> str:
    """A number of bytes for a person."""
    size = float(count)
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} GB"
