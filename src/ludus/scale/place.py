"""Where work is done, as it is spelled: `local`, `ray`, `ray:auto` or `ray:HOST:PORT`."""

from __future__ import annotations

import re
from dataclasses import dataclass

LOCAL, RAY = "local", "ray"
AUTO = "auto"  # the cluster that runs on this machine
ADDRESS = re.compile(r"[\w.\-]+:\d{1,5}|\[[0-9a-fA-F:]+\]:\d{1,5}")
PORTS = 2**16
KNOWN = "local, ray (a cluster of its own), ray:auto and ray:HOST:PORT"


@dataclass(frozen=True)
class Place:
    """Where work is done."""

    kind: str
    address: str | None = None  # of a cluster that runs already


def read_place(text: str) -> Place:
    """Read where work is to be done."""
    kind, colon, address = text.partition(":")
    if kind not in (LOCAL, RAY) or (kind == LOCAL and colon):
        raise ValueError(f"no place {text!r:.60} to work on; there are {KNOWN}")
    if not colon:
        return Place(kind)
    if address != AUTO and not ADDRESS.fullmatch(address):
        raise ValueError(
            f"the address of a cluster is HOST:PORT or auto, not {address!r:.60}; there are {KNOWN}"
        )
    if address != AUTO and not 0 < int(address.rpartition(":")[2]) < PORTS:
        raise ValueError(f"a port is from 1 to {PORTS - 1}, not as in {address!r:.60}")
    return Place(kind, address)
