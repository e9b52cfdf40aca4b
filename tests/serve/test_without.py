"""What is not installed is missing from the lists, and nothing else is."""

import json
import subprocess
import sys

import pytest

SCRIPT = """
import json, sys
for name in json.loads(sys.argv[1]):
    sys.modules[name] = None
from starlette.testclient import TestClient
from ludus.serve import app
with TestClient(app(), base_url="http://127.0.0.1:8000") as client:
    told = client.get("/api/games").json()
    line = {"game": "connect4", "tokens": [3]}
    asked = {"line": line, "agent": "uct", "simulations": 50}
    thought = client.post("/api/think", json=asked).json()
    print(json.dumps({
        "agents": {one["name"]: [a["spelling"] for a in one["agents"]] for one in told["games"]},
        "levels": [level["agent"] for one in told["games"] for level in one["levels"]],
        "simulations": thought["simulations"],
        "runs": client.get("/api/runs").status_code,
        "known": client.post("/api/truth", json={"line": line}).json()["known"],
        "torch": sys.modules.get("torch") is not None,
    }))
"""


def told_without(*names):
    """What a server says where these are not installed."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(names)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_without_torch_the_zoo_plays():
    pytest.importorskip("onnxruntime")
    told = told_without("torch")
    assert "zoo/connect4" in told["agents"]["connect4"]
    assert (told["simulations"], told["runs"], told["known"]) == (50, 200, True)


def test_torch_is_not_even_looked_at():
    assert not told_without()["torch"]


@pytest.mark.parametrize("missing", ["onnxruntime", "safetensors", "onnx"])
def test_without_the_extra_play_the_zoo_is_away(missing):
    told = told_without("torch", missing)
    assert all(not one.startswith("zoo/") for one in told["agents"]["connect4"])
    assert all(not one.startswith("zoo/") for one in told["levels"])
    assert "uct" in told["agents"]["connect4"]
    assert (told["simulations"], told["runs"], told["known"]) == (50, 200, True)


@pytest.mark.parametrize("missing", ["starlette", "uvicorn", "websockets"])
def test_without_the_extra_serve_a_sentence_says_so(missing):
    script = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from ludus.cli import main\nsys.exit(main(['serve', '--port', '0']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, timeout=120
    )
    assert done.returncode == 2
    assert "pip install '.[serve]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "70000"], "a port is a number"),
        (["--host", "no.such.host.invalid"], "there is no host"),
        (["--agents", "nobody"], "no agent 'nobody'"),
        (["--token", "a b"], "a token is of letters and digits"),
    ],
)
def test_what_cannot_be_served_is_refused(options, said, capsys):
    from ludus.cli import main

    assert main(["serve", "--port", "0", *options]) == 2
    assert said in capsys.readouterr().err


def test_a_port_in_use_is_told(capsys):
    import socket

    from ludus.cli import main

    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 2
    assert "is in use" in capsys.readouterr().err
