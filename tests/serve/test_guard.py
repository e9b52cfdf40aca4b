"""Who may ask, and what they are told."""

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from ludus.serve import app
from ludus.serve.guard import Pace, cookie_of
from ludus.serve.limits import Limits
from tests.serve.conftest import HERE, OPEN, SOCKET

TOKEN = "abc123"


@pytest.fixture(scope="module")
def abroad():
    """A server that others than this machine can reach."""
    guarded = app(host="0.0.0.0", token=TOKEN, limits=OPEN)
    with TestClient(guarded, base_url=HERE, follow_redirects=False) as found:
        yield found


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "localhost:8001",
        "localhost",
        "127.0.0.1.evil.example:8000",
        "localhost:8000@evil",
        "x@localhost:8000",
        "localhost:8000/x",
        "localhost:80000",
        "[::1",
        "",
        "10.0.0.7:8000",
    ],
)
def test_other_hosts_are_not_served(client, host):
    for path in ("/", "/api/games"):
        response = client.get(path, headers={"host": host})
        assert response.status_code == 421
        assert "this server is not" in response.json()["error"]


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_this_machine_has_several_names(client, host):
    assert client.get("/api/openapi.json", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:8001", "http://localhost:8000", ""]
)
def test_other_origins_are_not_answered(client, origin):
    message = {"line": {"game": "connect4"}}
    response = client.post("/api/position", json=message, headers={"origin": origin})
    assert response.status_code == 403
    with (
        pytest.raises(WebSocketDenialResponse) as refused,
        client.websocket_connect(SOCKET, headers={"origin": origin}),
    ):
        pass
    assert refused.value.status_code == 403
    assert "not answered" in refused.value.json()["error"]


def test_our_own_page_is_answered(client):
    headers = {"origin": HERE, "sec-fetch-site": "same-origin"}
    message = {"line": {"game": "connect4"}}
    assert client.post("/api/position", json=message, headers=headers).status_code == 200
    with client.websocket_connect(SOCKET, headers={"origin": HERE}) as socket:
        socket.send_json({"op": "stop", "id": 1})
        assert socket.receive_json()["stopped"]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_requests_that_another_site_caused_are_not_answered(client, site):
    assert client.get("/api/games", headers={"sec-fetch-site": site}).status_code == 403
    assert client.get("/", headers={"sec-fetch-site": site}).status_code == 200  # a link to us


def test_a_form_of_another_site_says_nothing(client):
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        response = client.post(
            "/api/position", content=b'{"line":{}}', headers={"content-type": kind}
        )
        assert response.status_code == 415


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_other_methods_are_not_taken(client, method):
    response = client.request(method, "/api/position")
    assert response.status_code == 405
    assert response.json()["error"]


def test_every_answer_keeps_the_browser_here(client):
    found = [client.get(path) for path in ("/", "/api/games", "/nothing", "/api/rules/x")]
    found.append(client.get("/", headers={"host": "evil"}))
    found.append(client.post("/api/position", json={}))
    for response in found:
        policy = response.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fpyproject.toml",
        "/page/../__init__.py",
        "/__init__.py",
        "/../serve/__init__.py",
        "//etc/passwd",
        "/etc/passwd",
        "/api/rules/..%2f..%2fx",
        "/api/reports/..%2f..%2fx",
        "/api/runs/..%2f..%2fx/metrics",
        "/index.html%00.js",
        "/C:%5Cwindows",
    ],
)
def test_paths_lead_nowhere(client, path):
    response = client.get(path)
    assert response.status_code in (400, 404)
    assert response.json()["error"]


def test_scripts_in_names_stay_text(client):
    bad = "<script>alert(1)</script>"
    for message in (
        {"line": {"game": bad}},
        {"line": {"game": "connect4", "start": bad}},
        {"line": {"game": f"connect4:{bad}=1"}},
        {"line": {"game": "connect4", "tokens": [bad]}},
        {bad: 1},
    ):
        response = client.post("/api/position", json=message)
        assert response.status_code == 400
        assert response.headers["content-type"] == "application/json"
    line = {"game": "tictactoe", "tokens": [0, 3, 1, 4, 2]}
    told = client.post("/api/record", json={"line": line, "players": [bad, "b"]}).json()
    again = client.post("/api/parse", json={"record": told["record"]}).json()
    assert again["line"]["tokens"] == line["tokens"]


def test_large_messages_are_refused(client):
    message = {"line": {"game": "x" * 300_000}}
    response = client.post("/api/position", json=message)
    assert response.status_code == 413

    def endless():
        for _ in range(300):
            yield b'{"line": ' + b" " * 1000

    headers = {"content-type": "application/json"}
    response = client.post("/api/position", content=endless(), headers=headers)
    assert response.status_code == 413
    assert "bytes" in response.json()["error"]


def test_whoever_asks_too_much_is_told():
    limits = Limits(requests=0.001, requests_at_once=3)
    with TestClient(app(limits=limits), base_url=HERE) as client:
        found = [client.get("/api/openapi.json") for _ in range(5)]
        assert [one.status_code for one in found] == [200, 200, 200, 429, 429]
        assert found[-1].headers["connection"] == "close"
        assert "too many" in found[-1].json()["error"]


def test_too_many_messages_close_the_socket():
    limits = Limits(requests=0.001, requests_at_once=3)
    with (
        TestClient(app(limits=limits), base_url=HERE) as client,
        client.websocket_connect(SOCKET) as socket,
    ):
        for number in range(4):
            socket.send_json({"op": "stop", "id": number})
        assert [socket.receive_json().get("id") for _ in range(3)] == [0, 1, 2]
        assert "too many" in socket.receive_json()["error"]
        closed = socket.receive()
        assert (closed["type"], closed["code"]) == ("websocket.close", 1008)


def test_a_pace_is_saved_up(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("ludus.serve.guard.time.monotonic", lambda: now[0])
    pace = Pace(2.0, 3, at=100.0)
    assert [pace.allows() for _ in range(4)] == [True, True, True, False]
    now[0] += 0.5
    assert [pace.allows() for _ in range(2)] == [True, False]
    now[0] += 1000
    assert [pace.allows() for _ in range(4)] == [True, True, True, False]


def test_abroad_the_token_is_wanted(abroad):
    for path in ("/", "/api/games", "/style.css", "/?token=wrong"):
        response = abroad.get(path)
        assert response.status_code == 401
        assert "token" in response.json()["error"]
    with pytest.raises(WebSocketDenialResponse), abroad.websocket_connect(SOCKET):
        pass


def test_the_address_with_the_token_opens_the_page(abroad):
    response = abroad.get(f"/?token={TOKEN}")
    assert response.status_code == 303
    assert response.headers["location"] == "/"
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    headers = {"cookie": f"ludus-token={TOKEN}"}
    abroad.cookies.clear()
    assert abroad.get("/api/openapi.json", headers=headers).status_code == 200
    with abroad.websocket_connect(SOCKET, headers=headers) as socket:
        socket.send_json({"op": "stop", "id": 1})
        assert socket.receive_json()["stopped"]
    abroad.cookies.clear()


def test_programs_send_the_token_as_a_header(abroad):
    good, bad = {"authorization": f"Bearer {TOKEN}"}, {"authorization": "Bearer abc"}
    assert abroad.get("/api/openapi.json", headers=good).status_code == 200
    assert abroad.get("/api/openapi.json", headers=bad).status_code == 401
    headers = {**good, "host": "192.168.1.5:8000"}
    assert abroad.get("/api/openapi.json", headers=headers).status_code == 200
    headers = {**good, "host": "evil.example:8000"}
    assert abroad.get("/api/openapi.json", headers=headers).status_code == 421


def test_cookies_of_others_do_no_harm():
    assert cookie_of(f"a=b; ludus-token={TOKEN}; c=d") == TOKEN
    assert cookie_of("\x00;;=;" * 100) == ""
