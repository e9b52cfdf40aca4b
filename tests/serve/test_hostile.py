"""Hostile clients on real sockets are refused in a sentence, while another client plays on."""

import contextlib
import json
import random
import socket
import struct
import threading
import time

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.serve.conftest import server


@pytest.fixture(scope="module")
def port():
    limits = {"header_seconds": 1.0, "body_seconds": 1.0, "send_seconds": 2.0, "silent": 32}
    limits |= {"requests": 25.0, "requests_at_once": 100}  # a slow machine is soon asked too much
    with server(limits=limits) as (process, port):
        yield port
        assert process.poll() is None, "the server has died"


@pytest.fixture(autouse=True)
def honest(port):
    """Another client plays games of Connect Four all the time, and gets what it should."""
    over, errors, games = threading.Event(), [], []

    def play():
        rng = random.Random(5)
        try:
            with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
                while not over.is_set() or not games:
                    tokens, ended = [], False
                    while not ended:
                        time.sleep(0.1)  # a person's pace, or nearly so
                        line = {"game": "connect4:rows=4,columns=4", "tokens": tokens}
                        scene = client.post("/api/position", json={"line": line}).json()
                        ended = scene["over"]
                        if not ended:
                            action = rng.choice(scene["legal"])["action"]
                            message = {"line": line, "action": action}
                            told = client.post("/api/play", json=message).json()
                            assert told["token"] == action
                            tokens = [*tokens, action]
                            assert told["scene"]["line"]["tokens"] == tokens
                    games.append(tokens)
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=play)
    thread.start()
    yield
    over.set()
    thread.join(120)
    assert not errors
    assert games


def raw(port, data, most=65536):
    """What is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
        one.sendall(data)
        answer = b""
        with contextlib.suppress(OSError):
            while part := one.recv(most):
                answer += part
                if b"\r\n\r\n" in answer and b"}" in answer:
                    break
        return answer


def request(port, target="/api/games", host=None, more=""):
    """A request as bytes."""
    return f"GET {target} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{port}'}\r\n{more}\r\n".encode()


def talk(port, **more):
    return connect(f"ws://127.0.0.1:{port}/api/socket", **more)


def test_huge_frames(port):
    for size in (262_145, 5_000_000):
        with talk(port, max_size=None) as one:
            with contextlib.suppress(ConnectionClosed):
                one.send("x" * size)
            with pytest.raises(ConnectionClosed) as closed:
                one.recv()
            if size < 1_000_000:  # of a larger one nobody waits for the end
                assert closed.value.rcvd.code == 1009
                assert "limit" in closed.value.rcvd.reason


def test_a_huge_frame_that_is_only_announced(port):
    key = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    key += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
        one.sendall(request(port, "/api/socket", more=key))
        assert b"101" in one.recv(4096)
        one.sendall(struct.pack("!BBQ", 0x81, 0xFF, 1 << 40) + b"mask")
        answer = one.recv(4096)
    assert struct.pack("!H", 1009) in answer


def test_fragments_add_up(port):
    with talk(port, max_size=None) as one:
        with contextlib.suppress(ConnectionClosed):
            one.send("x" * 50_000 for _ in range(6))  # the last one goes beyond the limit
        with pytest.raises(ConnectionClosed) as closed:
            one.recv()
        assert closed.value.rcvd.code == 1009


def test_half_open_connections(port):
    with contextlib.ExitStack() as stack:
        held = []
        for n in range(200):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            with contextlib.suppress(OSError):
                one.sendall(
                    [b"", b"GET", request(port)[:-2], b"POST /api/play HTTP/1.1\r\n"][n % 4]
                )
            held.append(one)
        for one in held:  # each is closed, without an answer to a question that never came
            with contextlib.suppress(OSError):
                assert b"200" not in one.recv(4096)


def test_a_body_that_never_comes(port):
    more = "Content-Type: application/json\r\nContent-Length: 100\r\n"
    data = request(port, "/api/play", more=more).replace(b"GET", b"POST")
    answer = raw(port, data + b'{"line"')
    assert b" 408 " in answer
    assert b"did not arrive in time" in answer


def test_endless_headers(port):
    assert b" 400 " in raw(port, request(port, more="X-A: " + "a" * 200_000 + "\r\n"))
    assert b" 400 " in raw(port, b"G" * 40_000)


def test_no_http_at_all(port):
    rng = random.Random(1)
    for _ in range(20):
        answer = raw(port, rng.randbytes(rng.randrange(1, 500)) + b"\r\n\r\n")
        assert answer == b"" or b" 400 " in answer


@pytest.mark.parametrize("target", ["/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//x/y"])
def test_raw_paths(port, target):
    answer = raw(port, request(port, target))
    assert b" 404 " in answer
    assert b"root:" not in answer


def test_wrong_hosts_and_origins(port):
    assert b" 421 " in raw(port, request(port, host="evil.example"))
    assert b" 403 " in raw(port, request(port, more="Origin: http://evil.example\r\n"))
    two = f"Host: 127.0.0.1:{port}\r\n"
    assert b" 4" in raw(port, request(port, more=two))[:16]
    for headers in ({"origin": "http://evil.example"}, {"additional_headers": {"Host": "evil"}}):
        with pytest.raises((InvalidStatus, ConnectionClosed)) as refused, talk(port, **headers):
            pass
        assert refused.value.response.status_code in (400, 403, 421)


def test_a_flood_of_requests(port):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
        with contextlib.suppress(OSError):
            one.sendall(request(port, "/api/openapi.json") * 2000)
        answer = b""
        with contextlib.suppress(OSError):
            while part := one.recv(1 << 20):
                answer += part
    assert b" 429 " in answer
    assert b"too many requests" in answer


def test_a_flood_of_messages(port):
    with talk(port) as one:
        with contextlib.suppress(ConnectionClosed):
            for number in range(2000):
                one.send(json.dumps({"op": "stop", "id": number}))
        told = []
        with contextlib.suppress(ConnectionClosed):
            told.extend(json.loads(text) for text in one)
        assert one.close_code == 1008
    assert "too many" in told[-1]["error"]


def test_a_flood_of_connections(port):
    with contextlib.ExitStack() as stack:
        for _ in range(100):
            stack.enter_context(talk(port))
        asked = {"op": "think", "id": 1, "line": {"game": "cathedral"}, "agent": "uct"}
        with talk(port) as one:
            one.send(json.dumps({**asked, "simulations": 20}))
            while not json.loads(one.recv())["thought"]["final"]:
                pass


def test_whoever_reads_nothing_keeps_nobody_waiting(port):
    asked = {"op": "think", "id": 1, "line": {"game": "cathedral"}, "agent": "uct"}
    with talk(port, max_queue=1) as slow:
        slow.send(json.dumps({**asked, "seconds": 20, "every": 20}))
        started = time.monotonic()
        with talk(port) as one:
            one.send(json.dumps({**asked, "simulations": 200}))
            while not json.loads(one.recv())["thought"]["final"]:
                pass
        assert time.monotonic() - started < 60


def test_sockets_that_are_torn_away(port):
    asked = {"op": "think", "id": 1, "line": {"game": "checkers"}, "agent": "uct", "seconds": 25}
    linger = struct.pack("ii", 1, 0)
    for _ in range(30):
        with contextlib.suppress(OSError, ConnectionClosed), talk(port, close_timeout=0.1) as one:
            one.send(json.dumps(asked))
            one.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            one.socket.shutdown(socket.SHUT_RDWR)
    with talk(port) as one:  # none of those is thought for any longer
        one.send(json.dumps({**asked, "seconds": 0.2}))
        while not json.loads(one.recv())["thought"]["final"]:
            pass
