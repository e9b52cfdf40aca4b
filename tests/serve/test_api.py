"""What the API says is what the library says."""

import random

import pytest

import ludus
from ludus.agent import agent
from ludus.arena.record import parse
from ludus.truth.oracle import oracle


def played(ask, game, plies, seed=0):
    """A random line over the API: the tokens, and the last scene."""
    rng = random.Random(seed)
    line = {"game": game, "start": None, "tokens": []}
    scene = ask("position", line=line)
    for ply in range(plies):
        if scene["over"]:
            break
        action = rng.choice(scene["legal"])["action"]
        answer = ask("play", line=line, action=action, seed=seed + ply)
        line = {**line, "tokens": [*line["tokens"], answer["token"]]}
        scene = answer["scene"]
        assert scene["line"] == {**line, "game": scene["line"]["game"]}
    return line, scene


def replayed(line):
    """The same line by the library."""
    state = ludus.game(line["game"]).start()
    for token in line["tokens"]:
        action, _, result = str(token).partition("~")
        state = state.play(int(action), chance=int(result) if result else None)
    return state


@pytest.mark.parametrize("name", ludus.game_names())
def test_lines_are_what_the_library_plays(ask, name):
    game = ludus.game(name)
    for seed in range(2):
        line, scene = played(ask, name, 12, seed)
        state = replayed(line)
        assert scene["text"] == str(state)
        assert [one["action"] for one in scene["legal"]] == state.legal()
        assert [one["move"] for one in scene["legal"]] == [
            game.move(state, action) for action in state.legal()
        ]
        assert scene["over"] == (state.outcome is not None)
        assert (scene["player"], scene["plies"]) == (state.player, state.plies)
        assert ask("position", line=line) == scene


@pytest.mark.parametrize("name", ["tictactoe", "connect4:rows=4,columns=4", "supertictactoe"])
def test_whole_games_end_as_they_do(ask, name):
    line, scene = played(ask, name, 2000)
    state = replayed(line)
    assert scene["over"]
    assert scene["winner"] == state.winner
    assert scene["legal"] == []


def test_the_catalogue_is_that_of_the_library(client, ask):
    told = client.get("/api/games").json()
    assert [one["name"] for one in told["games"]] == ludus.game_names()
    for one in told["games"]:
        assert one["parameters"].keys() == dict(ludus.game(one["name"]).parameters).keys()
        assert all(ludus.game(variant).name == one["name"] for variant in one["variants"])
        assert ask("game", game=one["name"]) == one
        for playing in one["agents"]:
            assert agent(playing["spelling"])
    connect4 = next(one for one in told["games"] if one["name"] == "connect4")
    assert {"random", "uct", "perfect"} <= {one["spelling"] for one in connect4["agents"]}
    assert ask("game", game="connect4:rows=5")["parameters"]["rows"]["value"] == 5


@pytest.mark.parametrize(
    ("spelling", "moves"),
    [("tictactoe", []), ("tictactoe:success=0.5", []), ("kingcourtesan:size=3", [])],
)
def test_truth_is_that_of_the_oracle(ask, spelling, moves):
    game = ludus.game(spelling)
    known, rng = oracle(game), random.Random(4)
    state, tokens = game.start(), []
    while state.outcome is None:
        told = ask("truth", line={"game": spelling, "tokens": tokens})
        assert told["known"]
        assert told["value"] == pytest.approx(known.value(state))
        values, distances = known.values(state), known.distances(state)
        assert told["moves"].keys() == {str(action) for action in values}
        for action, value in values.items():
            assert told["moves"][str(action)]["value"] == pytest.approx(value)
            assert told["moves"][str(action)]["distance"] == distances[action]
        if not state.chancy and abs(told["value"]) == 1:
            assert told["distance"] == known.distance(state)
        action = rng.choice(state.legal())
        answer = ask("play", line={"game": spelling, "tokens": tokens}, action=action, seed=1)
        tokens.append(answer["token"])
        state = replayed({"game": spelling, "tokens": tokens})
    told = ask("truth", line={"game": spelling, "tokens": tokens})
    assert (told["value"], told["distance"], told["moves"]) == (state.outcome, 0, {})


def test_scores_of_connect_four(ask):
    game = ludus.game("connect4")
    state = game.replay("44444222226666113")
    tokens = [3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 5, 5, 5, 5, 0, 0, 2]
    told, known = ask("truth", line={"game": "connect4", "tokens": tokens}), oracle(game)
    assert told["score"] == known.score(state)
    assert told["distance"] == known.distance(state)
    assert {int(a): one["score"] for a, one in told["moves"].items()} == known.scores(state)


def test_what_nobody_knows_has_a_reason(ask):
    told = ask("truth", line={"game": "supertictactoe"})
    assert not told["known"]
    assert "nobody has solved" in told["why"]
    assert told["value"] is None


@pytest.mark.parametrize(
    ("name", "spelling", "budget"),
    [
        ("connect4", "uct", {"simulations": 400}),
        ("cathedral", "uct", {"simulations": 50}),
        ("checkers", "greedy", {}),
        ("supertictactoe", "uct", {"simulations": 200}),
        ("tictactoe", "perfect", {}),
        ("connect4", "random", {}),
    ],
)
def test_thoughts_are_those_of_the_agent(ask, name, spelling, budget):
    line, scene = played(ask, name, 3)
    state = replayed(line)
    options = ",".join(f"{key}={value}" for key, value in budget.items())
    whole = agent(f"{spelling}:{options}" if options else spelling, seed=9).think(state)
    told = ask("think", line=line, agent=spelling, seed=9, **budget)
    assert told["final"]
    assert told["value"] == whole.value
    policy = {one["action"]: one["policy"] for one in told["moves"]}
    assert all(policy[action] == whole.policy[action] for action in policy)
    assert len(policy) + told["more"] == len(scene["legal"])
    if whole.visits is not None:
        assert {a: v for a, v in enumerate(whole.visits) if v and a in policy} == {
            one["action"]: one["visits"] for one in told["moves"] if one["visits"]
        }
    assert told["action"] in state.legal()
    assert whole.policy[told["action"]] > 0
    assert told["move"] == ludus.game(name).move(state, told["action"])


def test_seconds_end_a_thought(ask):
    told = ask("think", line={"game": "checkers"}, agent="alphabeta", seconds=0.05)
    assert told["final"]
    assert told["nodes"] > 0


def test_positions_moves_and_records_come_in_and_go_out(ask, refusal):
    line = ask("parse", game="connect4", moves="4453")["line"]
    assert line == {"game": "connect4", "start": None, "tokens": [3, 3, 4, 2]}
    assert ask("record", line=line)["text"] == "4453"
    assert ask("record", line=line)["record"] is None
    text = ask("position", line=line)["text"]
    placed = ask("parse", game="connect4", position=text, moves="4")["line"]
    assert placed == {"game": "connect4", "start": text, "tokens": [3]}
    for name in ("connect4:rows=4,columns=4", "tictactoe:success=0.5", "checkers"):
        ended, _ = played(ask, name, 2000, 3)
        record = ask("record", line=ended, players=["a", "b"])["record"]
        assert parse(record).states[-1] == replayed(ended)
        assert ask("parse", record=record)["line"]["tokens"] == ended["tokens"]
    given_up = ask("record", line=line, resigned=1)["record"]
    assert parse(given_up).played.winner == 0
    assert "ply 7" in refusal("parse", game="connect4", moves="4444444")
    assert "record" in refusal("parse", game="supertictactoe", moves="a5")


def test_a_coin_is_tossed_where_the_rules_ask_for_one(ask):
    fair = "cathedral:fair_start=true"
    starts = {str(ask("new", game=fair, seed=seed)["line"]["start"]) for seed in range(12)}
    assert len(starts) == 2
    assert ask("new", game="connect4")["line"] == {"game": "connect4", "start": None, "tokens": []}


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({}, "no line"),
        ({"line": 3}, "an object"),
        ({"line": {"game": "chess"}}, "there are cathedral"),
        ({"line": {"game": "examples/breakthrough.py"}}, "no game"),
        ({"line": {"game": "connect4:rows=99999"}}, "rows"),
        ({"line": {"game": "connect4:colour=red"}}, "colour"),
        ({"line": {"game": "connect4", "tokens": [7]}}, "ply 1"),
        ({"line": {"game": "connect4", "tokens": ["3~1"]}}, "no chance"),
        ({"line": {"game": "supertictactoe", "tokens": [3]}}, "chance"),
        ({"line": {"game": "supertictactoe", "tokens": ["3~79"]}}, "cannot bring"),
        ({"line": {"game": "connect4", "tokens": ["x"]}}, "action~result"),
        ({"line": {"game": "connect4", "tokens": [1.5]}}, "action~result"),
        ({"line": {"game": "connect4", "tokens": [True]}}, "action~result"),
        ({"line": {"game": "connect4", "tokens": [0] * 2001}}, "2,000"),
        ({"line": {"game": "connect4", "start": "nonsense"}}, ""),
        ({"line": {"game": "connect4", "end": 1}}, "nothing else"),
        ({"line": {"game": "connect4"}, "more": 1}, "no field"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(refusal, message, said):
    assert said in refusal("position", **message)


def test_agents_that_nobody_allowed_do_not_think(refusal):
    for name in ("human", "uct:simulations=9", "runs/x@best", "/tmp/x.py", "zoo/nobody", "x" * 201):
        assert refusal("think", line={"game": "connect4"}, agent=name)


def test_budgets_are_bounded(refusal):
    for budget in ({"simulations": 10**7}, {"seconds": 31}, {"seconds": -1}, {"simulations": 0}):
        assert refusal("think", line={"game": "connect4"}, agent="uct", **budget)
    assert "no simulations" in refusal(
        "think", line={"game": "connect4"}, agent="alphabeta", simulations=5
    )


def test_a_game_that_is_over_is_not_thought_about(refusal):
    line = {"game": "tictactoe", "tokens": [0, 3, 1, 4, 2]}
    assert "over" in refusal("think", line=line, agent="random")


def test_agents_of_the_person_who_serves(tmp_path):
    from starlette.testclient import TestClient

    from ludus.serve import app
    from tests.serve.conftest import HERE, OPEN

    with TestClient(app(agents=["uct:simulations=77"], limits=OPEN), base_url=HERE) as client:
        asked = {"line": {"game": "tictactoe"}, "agent": "uct:simulations=77"}
        assert client.post("/api/think", json=asked).json()["simulations"] == 77
    with pytest.raises(ValueError, match="no agent"):
        app(agents=["nobody"])


def test_a_search_that_is_planned_takes_no_clock(tmp_path):
    pytest.importorskip("onnxruntime")
    from starlette.testclient import TestClient

    from ludus.serve import app
    from tests.serve.conftest import HERE, OPEN

    planned = "zoo/connect4:simulations=20,search=gumbel"
    with TestClient(app(agents=[planned], limits=OPEN), base_url=HERE) as client:
        asked = {"line": {"game": "connect4"}, "agent": planned}
        told = client.post("/api/think", json=asked).json()
        assert told["simulations"] == 20
        assert told["line"]
        assert all(move["prior"] is not None for move in told["moves"])
        refused = client.post("/api/think", json={**asked, "seconds": 1})
        assert refused.status_code == 400
        assert "takes no time that could be bounded" in refused.text
        games = client.get("/api/games").json()["games"]
        agents = next(one for one in games if one["name"] == "connect4")["agents"]
        budgets = {one["spelling"]: one["budgets"] for one in agents}
        assert budgets[planned] == ["simulations"]
        assert budgets["uct"] == ["simulations", "seconds"]


@pytest.mark.parametrize(
    "spelling", ["checkers", "connect4:rows=4,columns=4", "kingcourtesan:size=4"]
)
def test_a_position_is_set_up_and_played_on(ask, client, spelling):
    _, scene = played(ask, spelling, 5)
    setup = scene["setup"]
    told = ask("setup", game=spelling, board=setup["board"], player=setup["player"])
    assert told == {"text": scene["text"]}
    line = {"game": spelling, "start": told["text"], "tokens": []}
    assert ask("position", line=line)["legal"] == scene["legal"]
    wrong = {"game": spelling, "board": "?", "player": 0}
    refused = client.post("/api/setup", json=wrong)
    assert refused.status_code == 400
    assert "marks out of" in refused.json()["error"]


def test_a_table_made_while_the_server_runs_is_seen(monkeypatch):
    from ludus.serve import games

    there = False
    monkeypatch.setattr(games, "answers_here", lambda game: there)
    catalogue = games.Catalogue()
    before = catalogue.entry(ludus.game("tictactoe"))
    there = True
    after = catalogue.entry(ludus.game("tictactoe"))
    assert [before["oracle"], after["oracle"]] == [False, True]
    assert "perfect" not in [one["spelling"] for one in before["agents"]]
    assert "perfect" in [one["spelling"] for one in after["agents"]]
