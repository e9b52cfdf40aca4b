"""All bounds of the server, in one record."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one server, one client and one question may cost."""

    body_bytes: int = 256 << 10  # of a request
    frame_bytes: int = 256 << 10  # of a WebSocket message from a client
    header_bytes: int = 16 << 10  # of a request's first line and headers
    spelling: int = 200  # characters of a game or an agent
    position: int = 2_000  # characters of a position's text
    record: int = 200_000  # characters of a record or of a list of moves
    tokens: int = 2_000  # plies of a line
    states_kept: int = 50_000  # in the cache of replayed lines
    games_kept: int = 64  # games with their parameters chosen
    oracles_kept: int = 6  # oracles with their tables
    connections: int = 1_024  # open at the same time
    silent: int = 512  # connections that have not asked anything yet
    searches: int = 1_024  # asked for and not ended, over all clients
    searches_at_work: int = 48  # begun and not ended: each has memory of its own
    searches_of_socket: int = 4  # at the same time
    tree_nodes: int = 1_000_000  # of one search: 40 megabytes
    think_seconds: float = 30.0  # of work, not of waiting, for one thought
    wait_seconds: float = 90.0  # from the question to the last answer
    simulations: int = 1_000_000  # of one thought
    truth_seconds: float = 3.0  # of work for an exact answer by HTTP
    truth_socket_seconds: float = 20.0  # the same by WebSocket, where it can be stopped
    puzzle_seconds: float = 10.0  # of work to find a puzzle
    every_seconds: float = 0.1  # between two thoughts that are sent, unless asked otherwise
    requests: float = 100.0  # and messages, a second over one connection
    requests_at_once: int = 200  # that a connection may have saved up
    requests_waiting: int = 256  # for the threads that answer them
    body_seconds: float = 10.0  # in which a request's body has to arrive
    header_seconds: float = 10.0  # in which a connection has to ask something
    idle_seconds: float = 30.0  # after which a connection without requests is closed
    send_seconds: float = 20.0  # in which a client takes what it is sent
    workers: int = max(1, os.cpu_count() or 1)  # threads that search


LIMITS = Limits()
