"""What a training would cost is told in seconds: what is tried for it is counted before."""

import json

import pytest

import ludus
from ludus.cli import main
from ludus.learn import algorithm, alphazero, dqn
from ludus.learn.runs.cost import cost, disk, expected_steps, stored_bytes
from ludus.learn.runs.trial import BACK, MOST, MOST_LOOKED, multiplications, plan_trial
from ludus.learn.settings.footprint import Work
from ludus.learn.settings.presets import TABLES
from ludus.play import playouts
from tests.learn.small import METHODS, small

EVERY = [(method, one) for method, table in TABLES.items() for one in table.values()]


@pytest.mark.parametrize(
    ("method", "preset"), EVERY, ids=[f"{method}-{one.name}" for method, one in EVERY]
)
def test_no_preset_is_tried_for_long(method, preset):
    """Multiplications of one try are bounded, or it is a single position."""
    module, game = algorithm(method), ludus.game(preset.game)
    encoder = {"encoder": "latent=32,width=8"} if "head_width" in preset.settings else {}
    config = module.Config(**{**preset.settings, **encoder})
    work = config.work(playouts(game, 4).plies / 4)
    learner = module.Learner(game, config, 1)
    each = multiplications(learner.parts["network"], game)
    amount = plan_trial(config, work, each)
    assert amount.positions(work) * each <= 2 * max(MOST, (1 + BACK) * each)
    assert not amount.whole or work.looked <= MOST_LOOKED
    assert (work.looked, work.learned) != (0, 0)
    assert expected_steps(config, work) > 0


@pytest.mark.parametrize("name", METHODS)
def test_what_a_step_does_is_counted(name):
    """The count is of the games that a step plays, on average."""
    config, game = small(name, steps=12, random_opening_plies=0), ludus.game("tictactoe")
    if name == "supervised":
        assert config.work(7.0).learned == config.samples_per_position * config.positions_per_step
        return
    *_, last = algorithm(name).train(game, config, seed=1)
    counted = 12 * config.work(7.0).games
    assert 0.5 * counted <= last.games <= 2 * counted


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("most", [0.0, MOST])
def test_whole_or_in_parts_the_time_is_told(name, most, monkeypatch):
    monkeypatch.setattr("ludus.learn.runs.trial.MOST", most or 1e3)
    monkeypatch.setattr("ludus.learn.runs.trial.SECONDS", 0.01)
    found = cost(ludus.game("tictactoe"), algorithm(name), small(name), 1)
    assert found["seconds"] > 0
    assert found["how"].startswith("measured" if most else "estimated")


def test_the_end_is_by_steps_or_games():
    work = Work(games=2.0)
    assert expected_steps(dqn.Config(steps=10), work) == 10
    assert expected_steps(dqn.Config(steps=0, total_games=9), work) == 5
    assert expected_steps(dqn.Config(steps=3, total_games=9), work) == 3


def test_the_disk_is_told_honestly():
    """Few checkpoints are kept; all of those that are written on the way are counted."""
    config = dqn.Config(steps=1000, eval_freq=10, n_eval_games=1, eval_opponents="random")
    found = disk(config, Work(games=1.0), 1000, 0.0, 10**6)
    assert (found["evaluations"], found["checkpoints"]) == (100, 100)
    assert 3e6 < found["disk"] < 4e6
    assert 100e6 < found["written"] < 101e6
    config = dqn.Config(steps=1000, eval_freq=0, keep_every=100, checkpoint_seconds=50.0)
    found = disk(config, Work(games=1.0), 1000, 1000.0, 10**6)
    assert found["checkpoints"] == 20
    assert 13e6 < found["disk"] < 14e6


def test_memory_counts_what_an_optimizer_will_remember():
    game = ludus.game("tictactoe")
    held_by = {
        optimizer: stored_bytes(
            alphazero.Learner(game, small("alphazero", optimizer=optimizer), 1).parts
        )
        for optimizer in ("adam", "sgd")
    }
    weights = cost(game, alphazero, small("alphazero"), 1)["weights"]
    assert held_by["adam"] - held_by["sgd"] == 4 * weights


@pytest.mark.parametrize("words", ["dqn --preset cathedral", "alphazero --preset checkers"])
def test_a_dry_run_of_a_preset_makes_nothing(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", *words.split(), "--dry-run", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["seconds"] > 0
    assert not list(tmp_path.iterdir())
