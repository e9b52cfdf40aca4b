"""The same work on many machines: `with connect("ray", workers=4) as workers: ...`.

Callers hand out functions of ludus and plain data (`ludus.arena.tasks`); nothing else here is
public. Ray is imported only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludus.arena.tasks import Workers
from ludus.checks import check_whole
from ludus.device import CPU
from ludus.scale.place import LOCAL, read_place


@contextmanager
def connect(on: str, workers: int | None = None, *, device: str = CPU) -> Iterator[Workers]:
    """Workers in a place: `local` (threads of this process), `ray`, or `ray:ADDRESS`.

    Without a number there are as many as processors. Leaving ends them, and a cluster that was
    started here.
    """
    place = read_place(on)
    if workers is not None:
        check_whole("workers", workers, 1, 1024)  # before a cluster is started
    if place.kind == LOCAL:
        from ludus.scale.threads import ThreadWorkers

        with ThreadWorkers(workers) as threads:
            yield threads
    else:
        from ludus.scale.cluster import cluster  # late: only who asks for Ray needs it
        from ludus.scale.ray_workers import RayWorkers

        with cluster(place.address, workers) as ray, RayWorkers(ray, workers, device) as there:
            yield there
