"""Small things that were once accepted in silence: each is refused, or said, in a sentence."""

import json
import shutil

import pytest

import ludus
from ludus.cli import main
from ludus.files import Notice
from ludus.learn.runs.run import Run
from tests.learn.small import small


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "x"
    Run(path, "tictactoe", "ppo", small("ppo", steps=3), seed=1).train()
    return path


def refused(capsys, *words):
    assert main(list(map(str, words))) == 2
    return capsys.readouterr().err


def test_resume_below_what_is_done(trained, capsys):
    said = refused(capsys, "resume", trained, "--steps", 2)
    assert "has 3 steps behind it, and --steps 2 is below that" in said
    said = refused(capsys, "resume", trained, "--total-games", 1)
    assert "--total-games 1 is below that" in said


def test_no_threads(capsys):
    said = refused(capsys, "solve", "tictactoe", "--threads", 0)
    assert "threads is a whole number from 1 to 1024, not 0" in said


def test_an_empty_record_file(tmp_path, capsys):
    (tmp_path / "games.jsonl").write_text("")
    assert "is empty: it has no games" in refused(capsys, "replay", tmp_path / "games.jsonl")


def test_checkpoints_that_are_gone(trained, tmp_path, capsys):
    path = tmp_path / "run"
    shutil.copytree(trained, path)
    shutil.rmtree(path / "checkpoints")
    before = (path / "metrics.jsonl").read_bytes()
    said = refused(capsys, "resume", path, "--steps", 5)
    assert "checkpoints is gone, and with it what was learned" in said
    assert (path / "metrics.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("method", "option", "said"),
    [
        ("ppo", "--lr", "did you mean --learning-rate?"),
        ("ppo", "--num-envs", "did you mean --n-envs?"),
        ("ppo", "--gpu", "there is none like it: --device says what networks compute on"),
        ("ppo", "--clip", "did you mean --clip-range?"),
        ("alphazero", "--num-simulations", "did you mean --simulations?"),
    ],
)
def test_names_of_elsewhere(capsys, method, option, said):
    told = refused(capsys, "train", method, "tictactoe", option, "1")
    assert f"no option {option}; {said}" in told


def test_names_of_elsewhere_in_python():
    from ludus.learn import ppo
    from ludus.learn.settings.config import make_config

    with pytest.raises(ValueError, match="did you mean learning_rate"):
        make_config(ppo.Config, {"lr": 0.1})
    with pytest.raises(ValueError, match="there is none like it"):
        make_config(ppo.Config, {"gpu": "0"})


def test_the_doctor_lists_optional_libraries(monkeypatch, capsys):
    from ludus.cli import doctor

    monkeypatch.setattr(doctor, "game_names", list)
    monkeypatch.setitem(doctor.OPTIONAL, "no-such-library", "nothing")
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "no-such-library  missing        for nothing" in out
    assert main(["doctor", "--json"]) == 0
    libraries = json.loads(capsys.readouterr().out)["libraries"]
    assert libraries["no-such-library"] is None
    assert libraries["torch"]


def test_best_of_a_run_that_was_never_measured(trained):
    with pytest.warns(Notice, match="was never measured; @best is its newest checkpoint, step 3"):
        ludus.agent(f"{trained}@best")


@pytest.mark.parametrize(
    "words",
    [
        ["match", "cathedral", "random", "perfect"],
        ["tournament", "cathedral", "random", "adversary"],
        ["match", "checkers", "perfect", "random"],
        ["match", "kingcourtesan", "random", "perfect"],
    ],
)
def test_a_truth_that_cannot_be_had_is_told_before_anything_is_played(words, capsys, monkeypatch):
    from ludus.arena import running

    monkeypatch.setattr(running.RunningGame, "think", lambda _: pytest.fail("a game was played"))
    said = refused(capsys, *words)
    assert "oracle(" not in said
    assert "alphabeta" in said or "uct" in said
