"""Many games at once: none is lost, and none is mixed with another."""

import asyncio
import json
import random
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from websockets.asyncio.client import connect

import ludus
from tests.serve.conftest import server

GAMES = ["connect4:rows=5,columns=5", "tictactoe", "supertictactoe", "kingcourtesan:size=3"]


async def game(port, number, plies):
    """Two agents play a game to its end, thinking over a socket; what they played is checked."""
    rng = random.Random(number)
    spelling = GAMES[number % len(GAMES)]
    agents = ("uct", "random") if number % 2 else ("uct", "uct")
    line = {"game": spelling, "start": None, "tokens": []}
    state = ludus.game(spelling).start()
    base = f"http://127.0.0.1:{port}"
    async with (
        httpx2.AsyncClient(base_url=base, timeout=600) as client,
        connect(f"ws://127.0.0.1:{port}/api/socket", open_timeout=600, ping_timeout=600) as socket,
    ):
        while state.outcome is None and len(line["tokens"]) < plies:
            one, ask = agents[state.player], rng.randrange(10**6)
            message = {"op": "think", "id": ask, "line": line, "agent": one}
            if one == "uct":
                message["simulations"] = 300
            await socket.send(json.dumps(message))
            while True:
                told = json.loads(await socket.recv())
                assert told["id"] == ask, told
                if told["thought"]["final"]:
                    break
            action = told["thought"]["action"]
            assert action in state.legal()
            answer = (await client.post("/api/play", json={"line": line, "action": action})).json()
            played, _, result = str(answer["token"]).partition("~")
            assert int(played) == action
            state = state.play(action, chance=int(result) if result else None)
            line = {**line, "tokens": [*line["tokens"], answer["token"]]}
            scene = answer["scene"]
            assert scene["line"]["tokens"] == line["tokens"]
            assert scene["text"] == str(state)
            assert scene["over"] == (state.outcome is not None)
    return len(line["tokens"])


async def all_games(port, count, plies):
    return await asyncio.gather(*(game(port, number, plies) for number in range(count)))


@pytest.mark.parametrize(
    ("count", "plies"),
    [(12, 10), pytest.param(200, 30, marks=pytest.mark.slow)],
)
def test_simultaneous_games(count, plies):
    # All at once from one process on a machine that has other work: patience is not what is tested.
    patient = {"header_seconds": 600.0, "wait_seconds": 600.0, "send_seconds": 600.0}
    with server(limits={"requests": 1e9, "requests_at_once": 10**9, **patient}) as (process, port):
        # In a thread of its own: tests of the browser may have left this one an event loop.
        with ThreadPoolExecutor(1) as thread:
            played = thread.submit(lambda: asyncio.run(all_games(port, count, plies))).result()
        assert process.poll() is None
    assert len(played) == count
    assert min(played) >= 3
