"""Thoughts come while they are thought, and end when they should."""

import time

import ludus
from ludus.agent import agent
from ludus.truth.oracle import oracle
from tests.serve.conftest import SOCKET

LINE = {"game": "connect4", "start": None, "tokens": [3, 3, 2]}


def until_final(socket, number):
    """All thoughts of a question."""
    found = []
    while not found or not found[-1]["final"]:
        told = socket.receive_json()
        assert told["id"] == number, told
        found.append(told["thought"])
    return found


def test_thoughts_stream_to_the_same_end(client):
    state = ludus.game("connect4").start().play(3).play(3).play(2)
    whole = agent("uct:simulations=200000", seed=4).think(state)
    with client.websocket_connect(SOCKET) as socket:
        asked = {"op": "think", "id": 7, "line": LINE, "agent": "uct", "seed": 4}
        socket.send_json({**asked, "simulations": 200_000, "every": 20})
        thoughts = until_final(socket, 7)
    last = thoughts[-1]
    assert len(thoughts) > 1
    assert [one["simulations"] for one in thoughts] == sorted(
        one["simulations"] for one in thoughts
    )
    assert last["value"] == whole.value
    assert {one["action"]: one["visits"] for one in last["moves"]} == dict(enumerate(whole.visits))
    assert [one["action"] for one in last["line"]] == list(whole.line[: len(last["line"])])
    assert all(one["action"] is None for one in thoughts[:-1])


def test_a_stopped_question_is_silent(client):
    with client.websocket_connect(SOCKET) as socket:
        asked = {"op": "think", "line": {"game": "checkers"}, "agent": "uct", "seconds": 30}
        socket.send_json({"id": 1, **asked})
        assert not socket.receive_json()["thought"]["final"]
        socket.send_json({"op": "stop", "id": 1})
        while "stopped" not in (told := socket.receive_json()):
            assert told["id"] == 1
        socket.send_json({"id": 1, **asked, "seconds": 0.01})  # the number is free again
        until_final(socket, 1)


def test_questions_do_not_mix(client):
    with client.websocket_connect(SOCKET) as socket:
        for number, seed in enumerate((3, 4, 5)):
            asked = {"op": "think", "line": LINE, "agent": "uct", "seed": seed}
            socket.send_json({**asked, "id": number, "simulations": 20_000})
        last = {}
        while len(last) < 3:
            told = socket.receive_json()
            if told["thought"]["final"]:
                last[told["id"]] = told["thought"]
    state = ludus.game("connect4").start().play(3).play(3).play(2)
    for number, seed in enumerate((3, 4, 5)):
        assert last[number]["value"] == agent("uct:simulations=20000", seed=seed).think(state).value


def test_truth_by_socket(client):
    with client.websocket_connect(SOCKET) as socket:
        socket.send_json({"op": "truth", "id": 3, "line": LINE})
        told = socket.receive_json()
    known = oracle("connect4")
    state = ludus.game("connect4").start().play(3).play(3).play(2)
    assert told["id"] == 3
    assert told["truth"]["score"] == known.score(state)


def test_only_so_many_questions_at_a_time(client):
    with client.websocket_connect(SOCKET) as socket:
        for number in range(5):
            asked = {"op": "think", "line": {"game": "cathedral"}, "agent": "uct"}
            socket.send_json({**asked, "id": number, "seconds": 20, "every": 10_000})
        while "error" not in (told := socket.receive_json()):
            pass
        assert told["id"] == 4
        assert "at most 4" in told["error"]
        socket.send_json({"op": "think", "line": LINE, "agent": "uct", "id": 1})
        while "error" not in (told := socket.receive_json()):
            pass
        assert "not answered yet" in told["error"]


def test_who_leaves_is_thought_for_no_longer(client):
    desk = client.app.app.state.desk
    with client.websocket_connect(SOCKET) as socket:
        asked = {"op": "think", "line": {"game": "cathedral"}, "agent": "uct", "seconds": 30}
        socket.send_json({**asked, "id": 1})
        socket.receive_json()
        assert desk.pool.open
    for _ in range(6000):
        if not desk.pool.open:
            break
        time.sleep(0.01)
    assert desk.pool.open == 0
