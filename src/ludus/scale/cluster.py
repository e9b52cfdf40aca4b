"""A connection to a Ray cluster, or a cluster on this machine that ends with it.

Ray sends Python objects by pickle between machines that trust each other. Nothing that a file or
a page's client says comes here but as plain data.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from ludus.arena.interrupts import defer_interrupt
from ludus.extras import install
from ludus.scale.place import AUTO

MISSING = "--on ray needs Ray, which is not installed: " + install("ray")
NOBODY = "no Ray cluster answers at {address}: `ray start --head` starts one"
NO_RAY = "what listens at {address} is no Ray cluster, whose port is that of `ray start --head`"
PATIENCE = 5.0  # seconds, for an address that nobody may listen at
# How a client of HTTP/2, which Ray speaks, begins; an empty frame of settings is the answer's type.
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
FRAME, KIND, SETTINGS_FRAME = 9, 3, 4
STORE = 512 * 2**20  # bytes of the object store of a cluster of our own
CLUSTERS = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"  # without it Ray takes the loopback address
# No statistics are sent, no warning of them is shown, and a worker sees the GPUs that there are.
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_USAGE_STATS_PROMPT_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_worker_niceness": "5",  # 15 of Ray's own starve beside anything else
}


def import_ray(*, alone: bool) -> Any:
    """Ray, if it is installed; alone on this machine it listens nowhere but there."""
    os.environ.update(SETTINGS)
    os.environ[CLUSTERS] = str(int(not alone))
    try:
        import ray
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise ValueError(MISSING) from None
    ray._private.ray_constants.ENABLE_RAY_CLUSTER = not alone  # if it was imported before
    return ray


def check_answers(address: str) -> None:
    """Refuse at once what Ray would try for minutes."""
    if address == AUTO:
        return
    host, _, port = address.rpartition(":")
    try:
        connection = socket.create_connection((host.strip("[]"), int(port)), PATIENCE)
    except (OSError, OverflowError) as error:
        raise ValueError(f"{NOBODY.format(address=address)} ({error})") from None
    with connection:
        if os.environ.get("RAY_USE_TLS", "0") == "0" and not speaks_http2(connection):
            raise ValueError(NO_RAY.format(address=address))


def speaks_http2(connection: socket.socket) -> bool:
    """Whether the other side greets as Ray does."""
    head = b""
    with suppress(OSError):
        connection.sendall(PREFACE)
        while len(head) < FRAME and (more := connection.recv(FRAME - len(head))):
            head += more
    return len(head) == FRAME and head[KIND] == SETTINGS_FRAME


@contextmanager
def cluster(address: str | None, workers: int | None) -> Iterator[Any]:
    """Ray, connected: to the cluster at an address, or to one of as many workers on this machine.

    A program that is connected already goes on with its connection, and keeps it.
    """
    ray = import_ray(alone=address is None)
    if ray.is_initialized():
        yield ray
        return
    if address is None:
        options = {
            "address": "local",
            "num_cpus": max(workers or 0, os.cpu_count() or 1),
            "object_store_memory": STORE,
            "include_dashboard": False,
        }
    else:
        check_answers(address)
        options = {"address": address}
    try:
        with defer_interrupt():  # Python ends with a fault after half a beginning
            begin(ray, address, options)
        yield ray
    finally:
        with defer_interrupt():
            ray.shutdown()


def begin(ray: Any, address: str | None, options: Mapping[str, Any]) -> None:
    """Connect, or say in a sentence why not."""
    try:
        ray.init(log_to_driver=False, logging_level="ERROR", **options)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        said = " ".join(str(error).split())
        if address is None:
            raise ValueError(f"Ray does not start on this machine: {said:.200}") from None
        if isinstance(error, ConnectionError):
            raise ValueError(f"{NOBODY.format(address=address)} ({said:.200})") from None
        raise ValueError(f"the Ray cluster at {address} cannot be used: {said:.300}") from None
