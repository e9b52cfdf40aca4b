"""Whatever is sent is answered, or refused in a sentence; never an error of ours."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus.serve.openapi import GETS, POSTS
from ludus.serve.protocol import messages
from tests.conftest import examples
from tests.serve.conftest import SOCKET

FIELDS = messages()
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
SPELLINGS = st.sampled_from(
    [
        *ludus.game_names(),
        "connect4:rows=4,columns=4",
        "connect4:rows=0",
        "tictactoe:success=0.5",
        "cathedral:rules=x",
        "checkers:max_plies=-1",
        "kingcourtesan:size=3",
        "chinesecheckers:size=2,pieces=1",
        "../connect4",
        "breakthrough.py",
        "connect4:",
        ":",
    ]
) | st.text(max_size=20)
TOKENS = st.integers(-2, 90) | st.from_regex(r"\A\d{1,3}~\d{1,3}\Z") | LEAVES
LINES = st.fixed_dictionaries(
    {"game": SPELLINGS},
    optional={
        "start": st.none() | st.text(max_size=40),
        "tokens": st.lists(TOKENS, max_size=5),
    },
)
AGENTS = st.sampled_from(["random", "greedy", "uct", "zoo/connect4", "human", "../x.py"])
SOUND = {
    "line": LINES,
    "game": SPELLINGS,
    "agent": AGENTS,
    "action": st.integers(-3, 100),
    "simulations": st.integers(-1, 20),
    "seconds": st.floats(-1, 0.02),
    "seed": st.integers(-1, 5),
    "grade": st.integers(-1, 10),
    "moves": st.text(alphabet="1234567a-x ", max_size=12),
    "record": st.text(max_size=40),
    "players": st.lists(st.text(max_size=9), max_size=3),
}


@st.composite
def asked(draw, path):
    """A message that is sound, or nearly so."""
    message = {}
    for name in FIELDS[path]:
        if draw(st.integers(0, 9)):
            message[name] = draw(SOUND.get(name, JSON) if draw(st.integers(0, 5)) else JSON)
    if not draw(st.integers(0, 9)):
        message[draw(st.text(max_size=5))] = draw(JSON)
    return message


def sound(response):
    """An answer, or a sentence that says why there is none."""
    assert response.status_code < 500 or response.status_code == 503, response.text
    told = response.json()
    if response.status_code != 200:
        assert set(told) == {"error"}
        assert 0 < len(told["error"]) <= 400
        assert "\n" not in told["error"]


@pytest.mark.parametrize("path", POSTS)
def test_every_message_is_answered_or_refused(client, path):
    @examples(60)
    @given(message=asked(path))
    def check(message):
        sound(client.post(path, json=message))

    check()


@pytest.mark.parametrize("path", POSTS)
def test_every_body_is_answered_or_refused(client, path):
    @examples(25)
    @given(body=st.binary(max_size=60) | JSON.map(lambda one: json.dumps(one).encode()))
    def check(body):
        sound(client.post(path, content=body, headers={"content-type": "application/json"}))

    check()


@examples(150)
@given(
    path=st.sampled_from([*GETS, "/api/runs/{id}/metrics?after={id}", "/{id}"]),
    name=st.text(max_size=30) | st.sampled_from(["..", "../..", "%2e%2e%2fetc%2fpasswd", "."]),
    query=st.text(max_size=10),
)
def test_every_address_is_answered_or_refused(path, name, query):
    from urllib.parse import quote

    from starlette.testclient import TestClient

    from ludus.serve import app
    from tests.serve.conftest import HERE, OPEN

    known = test_every_address_is_answered_or_refused.__dict__
    client = known.setdefault("client", TestClient(app(limits=OPEN), base_url=HERE))
    at = path.replace("{id}", quote(name, safe="")).replace("{game}", quote(name, safe=""))
    response = client.get(f"{at}{'&' if '?' in at else '?'}x={quote(query)}")
    assert response.status_code < 500
    if response.headers["content-type"] == "application/json":
        sound(response) if response.status_code != 200 else response.json()


def test_every_message_of_the_socket_is_answered_or_refused(client):
    with client.websocket_connect(SOCKET) as socket:

        @examples(120)
        @given(
            op=st.sampled_from(["think", "stop", "truth", "", "x"]),
            message=st.one_of(asked("think"), asked("stop"), asked("truth")),
            number=st.integers(-2, 10**17) | LEAVES,
        )
        def check(op, message, number):
            socket.send_json({**message, "op": op, "id": number})
            told = socket.receive_json()
            assert ("error" in told) or told.keys() & {"thought", "truth", "stopped"}
            while "thought" in told and not told["thought"]["final"]:
                told = socket.receive_json()

        check()


@pytest.mark.parametrize(
    "text", ["", "[]", "nul", '{"op":', "9" * 400, '{"a":NaN}', "[" * 5000, '{"op":1,"op":2}']
)
def test_what_is_no_message_is_refused(client, text):
    with client.websocket_connect(SOCKET) as socket:
        socket.send_text(text)
        assert socket.receive_json()["error"]
        socket.send_json({"op": "stop", "id": 1})
        assert socket.receive_json() == {"id": 1, "stopped": True}


def test_bytes_are_no_message(client):
    with client.websocket_connect(SOCKET) as socket:
        socket.send_bytes(b"\x00\xff")
        assert "text" in socket.receive_json()["error"]
