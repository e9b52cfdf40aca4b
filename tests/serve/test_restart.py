"""A server that is killed takes no game with it."""

import signal

import httpx2

from tests.serve.conftest import server


def test_a_line_goes_on_after_a_kill():
    tokens = []
    line = {"game": "supertictactoe", "start": None, "tokens": tokens}

    def play(client, action):
        told = client.post("/api/play", json={"line": line, "action": action}).json()
        tokens.append(told["token"])
        return told["scene"]

    with server() as (process, port):
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            for action in (3, 40, 12):
                before = play(client, action)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with (
        server(port=port) as (_, again),
        httpx2.Client(base_url=f"http://127.0.0.1:{again}", timeout=60) as client,
    ):
        assert again == port
        after = client.post("/api/position", json={"line": line}).json()
        assert after == before
        assert play(client, after["legal"][0]["action"])["plies"] == before["plies"] + 1


def test_ctrl_c_ends_it_at_once():
    with server() as (process, port):
        httpx2.get(f"http://127.0.0.1:{port}/api/openapi.json")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) in (0, 130, -signal.SIGINT, 1)
