"""A server of this process for questions and answers, and servers of their own on real sockets."""

import contextlib
import subprocess
import sys

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")
pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")
pytest.importorskip("httpx2", reason="the extra `test` is not installed")

from starlette.testclient import TestClient

from ludus.serve import app
from ludus.serve.limits import Limits

HERE = "http://127.0.0.1:8000"
SOCKET = "ws://127.0.0.1:8000/api/socket"
OPEN = Limits(requests=1e9, requests_at_once=10**9)  # a test asks faster than a person
START = """
import json, sys
from ludus.serve import serve
from ludus.serve.limits import Limits
given = json.loads(sys.argv[1])
limits = Limits(**given.pop("limits", {}))
serve(limits=limits, ready=lambda address: print(address, flush=True), **given)
"""


@pytest.fixture(scope="module")
def client():
    """Asks a server of this process."""
    with TestClient(app(limits=OPEN), base_url=HERE) as found:
        yield found


@pytest.fixture
def ask(client):
    """The answer to a message; it has to be one."""

    def asked(path, **message):
        response = client.post(f"/api/{path}", json=message)
        assert response.status_code == 200, response.text
        return response.json()

    return asked


@pytest.fixture
def refusal(client):
    """The sentence with which a message is refused."""

    def asked(path, **message):
        response = client.post(f"/api/{path}", json=message)
        assert 400 <= response.status_code < 500, response.text
        return response.json()["error"]

    return asked


@contextlib.contextmanager
def server(**given):
    """A server in a process of its own: the process, and its port."""
    import json

    given.setdefault("port", 0)
    process = subprocess.Popen(
        [sys.executable, "-c", START, json.dumps(given)], stdout=subprocess.PIPE, text=True
    )
    try:
        address = process.stdout.readline()
        assert address.startswith("http://"), "the server did not start"
        yield process, int(address.split(":")[2].split("/")[0])
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
