"""Metrics that somebody else wrote: a run with them is listed and reported all the same."""

import json

import pytest

from ludus.cli import main
from ludus.learn.runs.run import Run
from tests.learn.small import small

LINES = {
    "no wins": {"step": 1, "strength": 0.5, "score x": 0.5, "score x low": 0.1},
    "half an elo": {"step": 1, "strength": 0.5, "elo": 5, "elo_low": 1},
    "formula": {"step": 1, "score $\\frac": 1, "loss": 0.5},
    "markup": {"step": 1, "score <script>alert(1)</script>": 1},
    "control": {"step": 1, "score \x1b[2J\u202e": 1},
    "long": {"step": 1, "score " + "a" * 100_000: 1},
    "huge": {"step": 1, "loss": 10**299, "strength": -(10**299)},
    "infinite": {"step": 1, "loss": float("inf"), "strength": float("nan")},
    "far": {"step": 2**62, "loss": 1},
    "text": {"step": 1, "loss": "x", "strength": "x"},
    "lists": {"step": 1, "loss": [], "strength": {}},
    "other": {"step": "x"},
    "list": [],
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    path = tmp_path_factory.mktemp("begun") / "run"
    Run(path, "tictactoe", "ppo", small("ppo", steps=1), seed=1).train()
    return path


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_forged_course_is_listed_and_reported(begun, line, capsys):
    from ludus.report.training import page

    (begun / "metrics.jsonl").write_text(json.dumps(line) + "\n")
    assert main(["runs", str(begun.parent)]) == 0
    assert main(["runs", str(begun.parent), "--json"]) == 0
    out = capsys.readouterr().out
    assert all(text.isprintable() for text in out.split("\n"))
    assert "<script>" not in page(Run(begun))


def test_a_run_whose_metrics_are_no_file_does_not_hide_the_others(begun, tmp_path, capsys):
    import os
    import shutil

    for name in ("one", "two"):
        shutil.copytree(begun, tmp_path / name)
    (tmp_path / "one" / "metrics.jsonl").unlink()
    os.mkfifo(tmp_path / "one" / "metrics.jsonl")
    assert main(["runs", str(tmp_path)]) == 0
    one, two = capsys.readouterr().out.splitlines()
    assert one.endswith("metrics.jsonl is not a file")
    assert "tictactoe" in two


def test_a_step_that_is_there_twice_among_many_is_found_in_one_pass(tmp_path):
    from ludus.learn.runs.metrics import Metrics

    file = tmp_path / "metrics.jsonl"
    steps = [*range(1, 200_000), 199_999]
    file.write_text("".join(f'{{"step": {step}}}\n' for step in steps))
    assert Metrics(file).flaws() == [f"{file} has step 199999 twice"]
