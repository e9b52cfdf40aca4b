"""How fast the page answers: click to move while another game thinks, and the first thought."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from statistics import quantiles
from typing import Any

from harness import EFFORT, Row, main
from websockets.sync.client import connect

START = """
from ludus.serve import serve
from ludus.serve.limits import Limits
limits = Limits(requests=1e9, requests_at_once=10**9)
serve(port=0, limits=limits, ready=lambda address: print(address, flush=True))
"""
CLICKS = 40  # in a round
LINE = {"game": "cathedral", "start": None, "tokens": []}  # what the other game thinks about


@contextmanager
def server() -> Iterator[str]:
    """A server in a process of its own: its host and port."""
    command = [sys.executable, "-c", START]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().split("/")[2]
    finally:
        process.kill()
        process.wait()


class Browser:
    """One connection that stays open, as a browser's does."""

    def __init__(self, place: str) -> None:
        self.http = HTTPConnection(place, timeout=60)

    def post(self, path: str, message: dict[str, Any]) -> dict[str, Any]:
        """An answer."""
        headers = {"content-type": "application/json"}
        self.http.request("POST", f"/api/{path}", json.dumps(message), headers)
        found: dict[str, Any] = json.loads(self.http.getresponse().read())
        return found


@contextmanager
def thinking(place: str) -> Iterator[None]:
    """Another game is thought about all the time."""
    over = threading.Event()

    def think() -> None:
        with connect(f"ws://{place}/api/socket", max_size=None) as socket:
            while not over.is_set():
                asked = {"op": "think", "id": 1, "line": LINE, "agent": "uct", "seconds": 2}
                socket.send(json.dumps(asked))
                while not json.loads(socket.recv())["thought"]["final"] and not over.is_set():
                    pass

    thread = threading.Thread(target=think)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def clicks(place: str, name: str) -> list[float]:
    """Seconds from a click to the scene after it."""
    rng, spent, tokens, browser = random.Random(1), [], [], Browser(place)
    scene = browser.post("position", {"line": {"game": name, "tokens": []}})
    while len(spent) < CLICKS * EFFORT.rounds:
        if scene["over"]:
            tokens = []
            scene = browser.post("position", {"line": {"game": name, "tokens": []}})
        action = rng.choice(scene["legal"])["action"]
        line = {"game": name, "tokens": tokens}
        started = time.perf_counter()
        answer = browser.post("play", {"line": line, "action": action})
        spent.append(time.perf_counter() - started)
        tokens, scene = [*tokens, answer["token"]], answer["scene"]
    return spent


def first_thoughts(place: str, name: str) -> list[float]:
    """Seconds from a question to its first numbers."""
    spent = []
    line = {"game": name, "tokens": []}
    with connect(f"ws://{place}/api/socket", max_size=None) as socket:
        for number in range(5 * EFFORT.rounds):
            started = time.perf_counter()
            asked = {"op": "think", "id": number, "line": line, "agent": "uct", "seconds": 5}
            socket.send(json.dumps(asked))
            json.loads(socket.recv())
            spent.append(time.perf_counter() - started)
            socket.send(json.dumps({"op": "stop", "id": number}))
            while "stopped" not in json.loads(socket.recv()):
                pass
    return spent


def p95(seconds: list[float]) -> float:
    """In milliseconds, what 95 of 100 take at most."""
    return 1000 * quantiles(seconds, n=20)[-1]


def measured(name: str) -> list[Row]:
    """Both, while another game thinks."""
    with server() as place, thinking(place):
        Browser(place).post("position", {"line": {"game": name, "tokens": []}})
        return [
            Row(name, p95(clicks(place, name)), "ms click p95"),
            Row(name, p95(first_thoughts(place, name)), "ms thought p95"),
        ]


if __name__ == "__main__":
    main(
        __doc__,
        {
            name: lambda name=name: measured(name)
            for name in ("cathedral", "checkers", "chinesecheckers", "connect4", "supertictactoe")
        },
    )
