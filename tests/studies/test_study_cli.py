"""`ludus study` and `ludus report`: what they list, plan, refuse, and write."""

import json

import pytest

from ludus.cli import main
from ludus.learn import reinforce
from ludus.learn.runs.run import Run
from ludus.learn.store import zoo
from ludus.studies import studies


def said(capsys, *words):
    """The exit code, and what was printed where."""
    code = main([str(word) for word in words])
    found = capsys.readouterr()
    return code, found.out, found.err


def test_all_studies_are_listed_with_their_questions(capsys):
    code, out, _ = said(capsys, "study")
    assert code == 0
    for name in studies():
        assert f"ludus study {name}:" in out
    assert "--only table-1" in out
    _, out, _ = said(capsys, "study", "--json")
    assert set(json.loads(out)["studies"]) == {*studies()}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], "no study 'chess'; "),
        (["cathedral", "--scale", "huge"], "no scale 'huge'; there are smoke, laptop, paper"),
        (["cathedral", "--only", "table-9"], "cathedral has no 'table-9'; it has first-placer, "),
        (["cathedral", "--workers", "0"], "workers is a whole number from 1"),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence(capsys, tmp_path, words, sentence):
    code, _, err = said(capsys, "study", *words, "--folder", tmp_path / "x")
    assert code == 2
    assert sentence in err
    assert "Traceback" not in err
    assert not (tmp_path / "x").exists()


def test_a_folder_of_somebody_else_is_not_touched(capsys, tmp_path):
    (tmp_path / "letter").write_text("dear")
    code, _, err = said(capsys, "study", "cathedral", "--scale", "smoke", "--folder", tmp_path)
    assert code == 2
    assert "holds letter and no study.json" in err
    assert [place.name for place in tmp_path.iterdir()] == ["letter"]


def test_one_question_is_done_and_the_others_are_told_as_not_done(capsys, tmp_path):
    words = ["study", "cathedral", "--scale", "smoke", "--folder", tmp_path / "s"]
    code, out, _ = said(capsys, *words, "--only", "first-placer")
    assert code == 0
    assert "first-placer: Who places the Cathedral" in out
    assert len(list((tmp_path / "s" / "parts").iterdir())) == 5
    text = (tmp_path / "s" / "smoke" / "report.md").read_text()
    assert "paper 37.5 %" in text
    assert "not done yet; paper 2.85" in text
    code, out, _ = said(capsys, *words, "--dry-run", "--only", "first-placer")
    assert "5 of 5 parts are finished" in out


def test_a_plan_says_how_long_it_takes_and_does_nothing(capsys, tmp_path):
    words = ["study", "kingcourtesan", "--scale", "smoke", "--folder", tmp_path / "s"]
    code, out, _ = said(capsys, *words, "--dry-run", "--only", "branching", "--json")
    told = json.loads(out)
    assert code == 0
    assert len(told["parts"]) == 4
    assert told["seconds"] > 0
    assert not (tmp_path / "s").exists()


def test_networks_of_the_zoo_are_told_with_their_minutes_wherever_they_are_named(capsys, tmp_path):
    words = ["study", "kingcourtesan", "--scale", "smoke", "--folder", tmp_path / "s", "--dry-run"]
    words += ["--only", "learned-evaluation"]
    _, out, _ = said(capsys, *words)
    minutes = zoo.card("kingcourtesan")["minutes"]
    assert f"trained before: zoo/kingcourtesan ({minutes:g} minutes)" in " ".join(out.split())
    _, out, _ = said(capsys, *words, "--json")
    assert json.loads(out)["brought"] == {"zoo/kingcourtesan": minutes}


@pytest.fixture
def runs(tmp_path):
    config = reinforce.Config(
        steps=2, n_envs=4, width=4, blocks=1, n_eval_games=2, eval_freq=1, eval_truth_states=0
    )
    paths = [tmp_path / "one", tmp_path / "two<b>"]
    for seed, path in enumerate(paths):
        Run(path, "tictactoe", reinforce, config, seed=seed).train()
    return paths


def test_runs_are_compared_in_one_picture(capsys, tmp_path, runs):
    code, out, _ = said(capsys, "report", *runs, "--out", tmp_path / "both.html")
    assert code == 0
    assert str(runs[0]) in out
    page = (tmp_path / "both.html").read_text()
    for axis in ("games played", "positions seen", "minutes of wall time"):
        assert axis in page
    assert page.count("<h3>Points: score random</h3>") == 1  # both runs are in it
    assert "two<b>" not in page
    assert "two&lt;b&gt;" in page
    _, out, _ = said(capsys, "report", *runs, "--json")
    assert len(json.loads(out)["runs"]) == 2


def test_what_is_no_run_is_not_compared(capsys, tmp_path, runs):
    for words, sentence in (
        ([tmp_path / "none"], "there is no run in"),
        ([runs[0], runs[0]], "a run is there twice"),
    ):
        code, _, err = said(capsys, "report", *words, "--out", tmp_path / "x.html")
        assert code == 2
        assert sentence in err
    assert not (tmp_path / "x.html").exists()
    (runs[0] / "config.json").write_text("{")
    code, _, err = said(capsys, "report", *runs, "--out", tmp_path / "x.html")
    assert code == 2
    assert "is damaged" in err
