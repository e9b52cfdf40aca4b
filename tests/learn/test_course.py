"""The course of a run: measured before it learns, then at each tenth, and on the clock."""

import json

import pytest

from ludus.cli import main
from ludus.learn.runs import run as run_module
from ludus.learn.runs.run import Run
from ludus.learn.settings.presets import TABLES
from tests.learn.small import small


def run_in(path, method="ppo", **changes):
    config = small(method, **{"eval_freq": None, "steps": 20, **changes})
    return Run(path, "tictactoe", method, config, seed=1)


def measured(run):
    return [line["step"] for line in run.folder.course() if "score random" in line]


@pytest.mark.parametrize("method", ["ppo", "dqn", "alphazero", "cem"])
def test_a_run_is_measured_at_the_start_and_at_each_tenth(tmp_path, method):
    run = run_in(tmp_path / "x", method).train()
    assert measured(run) == list(range(0, 21, 2))
    assert (run.path / "games" / "step-0.jsonl").exists()


def test_what_is_measured_first_has_not_learned(tmp_path):
    """A learner that is made anew and never steps plays the games of step 0."""
    from ludus.learn import ppo
    from ludus.learn.runs.evaluate import play_opponents
    from ludus.learn.training.loop import untrained_step

    run = run_in(tmp_path / "x", n_eval_games=12).train()
    spec = run.asked
    step = untrained_step(ppo.Learner, spec.game, spec.config, spec.seed)
    (score,) = play_opponents(spec.game, step.agent, spec.config, spec.seed)
    assert run.folder.course()[0]["score random"] == score.points


def test_measuring_first_changes_nothing_that_is_learned(tmp_path):
    one = run_in(tmp_path / "one", steps=4).train()
    two = run_in(tmp_path / "two", steps=4, eval_freq=0).train()
    told = ("policy_loss", "entropy", "games", "positions")
    for a, b in zip(one.folder.course()[1:], two.folder.course(), strict=True):
        assert {name: a[name] for name in told} == {name: b[name] for name in told}


def test_a_resumed_run_is_measured_once_at_the_start(tmp_path):
    run_in(tmp_path / "x", steps=10).train()
    run = Run(tmp_path / "x").with_config(steps=20).train()
    assert measured(run).count(0) == 1
    assert not run.folder.flaws()
    assert [line["step"] for line in run.folder.course()] == list(range(21))
    times = [line["time_elapsed"] for line in run.folder.course()]
    assert times == sorted(times)
    assert times[0] == 0 < times[10] < times[11]


def test_a_lost_line_is_noticed_beside_step_0(tmp_path):
    run = run_in(tmp_path / "x", steps=6).train()
    file = run.folder.metrics
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:3] + lines[4:]))
    assert run.folder.flaws() == [f"{file} lacks 1 of 6 steps"]


def test_a_run_by_the_clock_is_measured_with_few_games_that_decide_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(run_module, "SHARE", 0.0)
    run = run_in(tmp_path / "x", n_eval_games=30).train(minutes=60)
    lines = {
        step: len((run.path / "games" / f"step-{step}.jsonl").read_text().splitlines())
        for step in (0, 2, 20)
    }
    assert lines == {0: 20, 2: 20, 20: 30}
    states = [json.loads(file.read_text()) for file in run.path.glob("checkpoints/*/state.json")]
    strengths = {state["step"]: state.get("strength") for state in states}
    assert strengths[20] is not None
    assert {strengths[step] for step in strengths if step != 20} <= {None}


def test_a_run_by_the_clock_is_measured_whole_where_that_is_cheap(tmp_path, monkeypatch):
    monkeypatch.setattr(run_module, "SHARE", 1e9)
    run = run_in(tmp_path / "x", n_eval_games=30).train(minutes=60)
    assert len((run.path / "games" / "step-4.jsonl").read_text().splitlines()) == 30


def test_presets_say_when_they_are_measured():
    for method, table in TABLES.items():
        for preset in table.values():
            named = preset.settings.keys() & {"eval_freq", "eval_freq_games"}
            assert named or method == "vae", preset.name  # which plays no games


def test_a_dry_run_honours_minutes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["train", "ppo", "tictactoe", "--n-envs", "4", "--width", "8", "--dry-run", "--json"]
    assert main(words) == 0
    whole = json.loads(capsys.readouterr().out)
    assert main([*words, "--minutes", "0.001"]) == 0
    part = json.loads(capsys.readouterr().out)
    assert part["steps"] < whole["steps"] == 1000
    assert part["games"] < whole["games"]
    assert part["seconds"] < 0.06 + 2 * part["seconds_a_step"]
