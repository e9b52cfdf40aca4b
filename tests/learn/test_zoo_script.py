"""Entries of the zoo are made from runs, measured, and made again from their cards."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.learn import alphazero
from ludus.learn.agents._trained import zoo_evaluator
from ludus.learn.runs.run import Run
from ludus.learn.store import zoo
from ludus.learn.store.selection import checkpoint_of
from tests.learn.small import small

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("zoo_script", ROOT / "scripts" / "zoo.py")
script = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(script)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A small run of tic-tac-toe, and an empty zoo."""
    monkeypatch.setattr(zoo, "FOLDER", tmp_path / "zoo")
    monkeypatch.chdir(tmp_path)
    zoo_evaluator.cache_clear()
    config = small("alphazero", network="zero", steps=3, n_envs=4)
    made = Run("runs/x", ludus.game("tictactoe"), alphazero, config, seed=5, command="as it was")
    made.train()
    yield made
    zoo_evaluator.cache_clear()


@pytest.mark.parametrize("form", zoo.FORMS)
def test_an_entry_plays_as_its_run_and_is_made_again(run, form, capsys):
    assert script.main(["add", "small", "runs/x@last", "--form", form]) == 0
    card = zoo.card("small")
    assert (card["command"], card["seed"], card["step"], card["form"]) == ("as it was", 5, 3, form)
    assert card["minutes"] >= 0
    stored = zoo.weights("small")
    for name, weights in checkpoint_of("runs/x@last").arrays("averaged").items():
        most = np.abs(weights).max() if weights.size else 0
        np.testing.assert_allclose(stored[name], weights, atol=most / 200, err_msg=name)
    state = ludus.game("tictactoe").start()
    own, theirs = (ludus.agent(one).think(state) for one in ("zoo/small", "runs/x@last"))
    np.testing.assert_allclose(own.policy, theirs.policy, atol=0.03)
    capsys.readouterr()
    assert script.main(["remake", "small"]) == 0
    assert "the same, byte by byte" in capsys.readouterr().out
    assert script.main(["remake"]) == 0  # what is there is not trained again
    assert "the same, byte by byte" in capsys.readouterr().out


def test_an_entry_that_began_with_another_training_is_made_again_with_it(run, capsys):
    """Byte by byte, though neither folder is there any more."""
    config = small("alphazero", network="zero", steps=2, n_envs=4, init="runs/x@last")
    second = Run("runs/y", ludus.game("tictactoe"), alphazero, config, seed=6, command="second")
    second.train()
    script.main(["add", "small", "runs/y@last"])
    card = zoo.card("small")
    assert (card["command"], card["init"]["command"]) == ("second", "as it was")
    assert (card["step"], card["init"]["step"], card["init"]["seed"]) == (2, 3, 5)
    Path("runs").rename("elsewhere")
    capsys.readouterr()
    assert script.main(["remake", "small"]) == 0
    assert "the same, byte by byte" in capsys.readouterr().out


def test_another_network_meets_the_one_of_the_zoo(run, capsys):
    script.main(["add", "small", "runs/x@last"])
    path = zoo.FOLDER / "small.json"
    card = json.loads(path.read_text())
    path.write_text(json.dumps({**card, "seed": 6}))
    assert script.main(["remake", "small", "--games", "4"]) in (0, 1)
    assert "of 4 games from it by its raw policy" in capsys.readouterr().out


def test_an_older_card_is_made_again_by_its_command(run, monkeypatch):
    script.main(["add", "small", "runs/x@last"])
    card = {key: value for key, value in zoo.card("small").items() if key != "settings"}
    command = "ludus train alphazero tictactoe --seed 1 --width 8 --run runs/else"
    asked = []
    monkeypatch.setattr(script, "ludus", lambda *words: asked.append(words) or 0)
    script.train_for({**card, "command": command, "minutes": 1.5}, Path("build/zoo/small"))
    (words,) = asked
    assert words[:5] == ("train", "alphazero", "tictactoe", "--seed", "1")
    options = dict(zip(words[3::2], words[4::2], strict=True))
    assert options["--run"] == "build/zoo/small"
    assert (options["--network"], options["--width"], options["--blocks"]) == ("zero", "8", "1")
    assert options["--minutes"] == "1.5"
    asked.clear()
    half = run.folder.course()[-1]["time_elapsed"]
    script.train_for({**card, "command": command, "minutes": 1 + half / 60}, run.path)
    assert asked == [("resume", "runs/x", "--minutes", "1")]


def test_its_strength_is_written_on_its_card(run, capsys):
    script.main(["add", "small", "runs/x@last"])
    words = ["measure", "small", "--against", "random", "--simulations", "8", "--games", "4"]
    assert script.main(words) == 0
    raw, searched, command = zoo.card("small")["measured"]
    assert raw.startswith("raw policy, 4 games each: ")
    assert searched.startswith("8 simulations, 4 games each: ")
    assert command.startswith("ludus match tictactoe zoo/small OPPONENT --games 4 --seed 7")


def test_what_is_too_large_is_not_taken_in(run, monkeypatch):
    monkeypatch.setattr(script, "MOST_BYTES", 100)
    with pytest.raises(SystemExit, match="bytes as fp16, more than 100"):
        script.main(["add", "small", "runs/x@last"])
    assert not zoo.FOLDER.exists()


@pytest.mark.parametrize(
    ("arrays", "wrong"),
    [
        ({"a:scale": np.ones(2, np.float32)}, "a:scale is of nothing"),
        (
            {"a": np.ones((2, 3), np.int8), "a:scale": np.ones(3, np.float32)},
            "a:scale does not fit a",
        ),
        (
            {"a": np.ones((2, 3), np.float16), "a:scale": np.ones(2, np.float32)},
            "a:scale is of nothing",
        ),
    ],
)
def test_scales_that_fit_nothing_are_refused(arrays, wrong):
    with pytest.raises(ValueError, match=wrong):
        zoo.unpack(arrays)
