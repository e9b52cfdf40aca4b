"""All bounds of the server, in one record."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one server, one client and one question may cost."""

    body_bytes: int = 256 << 10  # of a request
    frame_bytes: int = 256 << 10  # of a WebSocket message from a client
    spelling: int = 200  # characters of a game or an agent
    position: int = 2_000  # characters of a position's text
    record: int = 200_000  # characters of a record or of a list of moves
    tokens: int = 2_000  # plies of a line
    lines_kept: int = 512  # replayed lines in the cache
    games_kept: int = 64  # games with their parameters chosen
    oracles_kept: int = 6  # oracles with their tables
    connections: int = 512  # open sockets, HTTP and WebSocket together
    sockets_of_client: int = 256  # WebSockets from one address
    searches: int = 512  # asked and not ended, over all clients
    searches_of_socket: int = 4
    think_seconds: float = 30.0  # of one thought: work, not waiting
    wait_seconds: float = 60.0  # from the question to the last answer
    simulations: int = 1_000_000
    truth_seconds: float = 3.0
    puzzle_seconds: float = 10.0
    slice_seconds: float = 0.03  # of one search, before the next has its turn
    every_seconds: float = 0.1  # between two thoughts that are sent
    request_rate: float = 100.0  # requests and messages a second from one address
    request_burst: int = 400
    body_seconds: float = 10.0  # in which a request's body has to arrive
    header_seconds: float = 10.0  # in which a connection has to say what it wants
    send_seconds: float = 20.0  # in which a client takes what it is sent
    workers: int = max(1, os.cpu_count() or 1)  # threads that search


LIMITS = Limits()
