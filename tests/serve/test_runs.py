"""Runs are listed by the server, and only what is listed is shown."""

import json
import random

import pytest
from starlette.testclient import TestClient

import ludus
from ludus import lines
from ludus.arena.tournament import tournament
from ludus.serve import app
from tests.serve.conftest import HERE, OPEN


def run_folder(path, game="tictactoe", steps=3):
    """What a training leaves behind, as far as it is shown."""
    path.mkdir(parents=True)
    about = {"format": 1, "ludus": "0", "rules": 1, "algorithm": "dqn", "game": game, "seed": 1}
    about |= {"config": {"steps": 10}, "command": "ludus train dqn tictactoe"}
    (path / "config.json").write_text(json.dumps(about))
    rows = [lines.dump({"step": n, "loss": 1 / n, "games": 5 * n}) for n in range(1, steps + 1)]
    (path / "metrics.jsonl").write_text("".join(rows))
    return path


@pytest.fixture
def folder(tmp_path):
    run_folder(tmp_path / "runs" / "first")
    run_folder(tmp_path / "runs" / "deep" / "<b>second", steps=1)
    return tmp_path / "runs"


@pytest.fixture
def asked(folder):
    with TestClient(app(runs=folder, limits=OPEN), base_url=HERE) as client:
        yield client


def test_runs_are_listed_with_their_curves(asked):
    listed = asked.get("/api/runs").json()
    assert [one["name"] for one in listed["runs"]] == ["deep/<b>second", "first"]
    first = listed["runs"][1]
    assert (first["game"], first["algorithm"], first["steps"]) == ("tictactoe", "dqn", 3)
    assert first["live"]
    assert {"loss", "step", "games"} <= set(first["metrics"])
    rows = asked.get(f"/api/runs/{first['id']}/metrics").json()["rows"]
    assert [row["step"] for row in rows] == [1, 2, 3]
    after = asked.get(f"/api/runs/{first['id']}/metrics?after=2").json()
    assert ([row["step"] for row in after["rows"]], after["more"]) == ([3], False)
    assert asked.get(f"/api/runs/{first['id']}/metrics?after=x").status_code == 400


def test_curves_grow_while_a_run_trains(asked, folder):
    first = asked.get("/api/runs").json()["runs"][1]["id"]
    with (folder / "first" / "metrics.jsonl").open("a") as file:
        file.write(lines.dump({"step": 4, "loss": float("nan")}))
    rows = asked.get(f"/api/runs/{first}/metrics?after=3").json()["rows"]
    assert [(row["step"], row["loss"]) for row in rows] == [(4, None)]


def test_only_listed_ids_are_found(asked):
    for name in ("first", "%2e%2e%2ffirst", "0" * 16, "runs", "deep"):
        for path in (f"runs/{name}/metrics", f"runs/{name}/games", f"reports/{name}"):
            assert asked.get(f"/api/{path}").status_code == 404
    listed = asked.get("/api/runs").json()
    assert asked.get(f"/api/reports/{listed['runs'][0]['id']}").status_code == 404


def test_a_new_run_is_found(asked, folder):
    before = asked.get("/api/runs").json()["runs"]
    run_folder(folder / "third")
    after = asked.get("/api/runs").json()["runs"]
    assert len(after) == len(before) + 1
    assert {one["id"] for one in before} < {one["id"] for one in after}


def test_damage_is_told(asked, folder):
    (folder / "first" / "config.json").write_text("{")
    listed = asked.get("/api/runs").json()["runs"]
    assert "damaged" in next(one for one in listed if one["name"] == "first")["damage"]


def test_links_lead_nowhere(asked, folder, tmp_path):
    outside = run_folder(tmp_path / "outside")
    (outside / "report.html").write_text("secret")
    (folder / "linked").symlink_to(outside)
    (folder / "report.html").symlink_to(outside / "report.html")
    listed = asked.get("/api/runs").json()
    assert all("linked" not in one["name"] for one in listed["runs"])
    assert listed["reports"] == []


def test_reports_are_shown_without_their_scripts(asked, folder):
    (folder / "first" / "report.html").write_text("<script>alert(1)</script>")
    report = asked.get("/api/runs").json()["reports"][0]
    response = asked.get(f"/api/reports/{report['id']}")
    assert response.text == "<script>alert(1)</script>"
    policy = response.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "allow-scripts" not in policy


def test_tournaments_and_their_games(tmp_path):
    folder = tmp_path / "runs"
    table = tournament(
        "tictactoe", ["random", "greedy"], games=4, seed=1, run=folder / "cup", openings="none"
    )
    with TestClient(app(runs=folder, limits=OPEN), base_url=HERE) as client:
        cup = client.get("/api/runs").json()["tournaments"][0]
        assert (cup["game"], cup["agents"]) == ("tictactoe", ["random", "greedy"])
        told = client.get(f"/api/tournaments/{cup['id']}").json()
        own = json.loads(json.dumps(table.as_dict()))
        for name in ("agents", "games", "ratings", "first_mover", "draws", "asked"):
            assert told[name] == own[name]
        assert [one["points"] for one in told["matches"]] == [
            one["points"] for one in own["matches"]
        ]
        games = client.get(f"/api/runs/{cup['id']}/games").json()["games"]
        assert len(games) == 4
        line = client.post("/api/parse", json={"record": games[0]["record"]}).json()["line"]
        state = ludus.game("tictactoe").start()
        for action in line["tokens"]:
            state = state.play(action)
        assert state.winner == games[0]["winner"]


def test_games_of_a_run(asked, folder):
    cup = folder.parent / "cup"
    tournament("tictactoe", ["random", "greedy"], games=2, seed=1, run=cup, openings="none")
    games = folder / "first" / "games"
    games.mkdir()
    for step in (2, 10):
        (games / f"step-{step}.jsonl").write_bytes((cup / "games.jsonl").read_bytes())
    with (games / "step-10.jsonl").open("a") as file:
        file.write('{"cut off')
    (games / "other.jsonl").write_text("secret")
    first = asked.get("/api/runs").json()["runs"][1]["id"]
    told = asked.get(f"/api/runs/{first}/games").json()["games"]
    assert [one["step"] for one in told] == [10, 10, 2, 2]


def test_a_tournament_of_a_python_file_runs_nothing(asked, folder, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    (folder / "cup").mkdir()
    about = {"game": str(mine), "agents": ["a", "b"], "seed": 1, "openings": "none", "games": 2}
    (folder / "cup" / "tournament.json").write_text(json.dumps(about))
    cup = asked.get("/api/runs").json()["tournaments"][0]
    assert "not run" in cup["damage"]
    assert asked.get(f"/api/tournaments/{cup['id']}").status_code in (400, 404)
    assert not (tmp_path / "ran").exists()


def test_nonsense_in_a_folder_is_no_error(asked, folder):
    rng = random.Random(2)
    listed = asked.get("/api/runs").json()["runs"]
    for _ in range(30):
        for name in ("config.json", "metrics.jsonl"):
            file = folder / "first" / name
            data = bytearray(file.read_bytes())
            for _ in range(rng.randrange(1, 4)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            file.write_bytes(bytes(data))
        assert asked.get("/api/runs").status_code == 200
        for one in listed:
            assert asked.get(f"/api/runs/{one['id']}/metrics").status_code < 500
