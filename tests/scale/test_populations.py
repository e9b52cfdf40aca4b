"""Populations: the same trajectory, bit by bit, whoever judges them."""

import pytest

import ludus
from ludus.learn import algorithm

from ..learn.small import everything, same, small

SETTINGS = {
    "cem": {"population_size": 7, "fitness_games": 3},
    "saes": {"fitness_games": 5},
}
CASES = [
    ("cem", "tictactoe", {}),
    ("cem", "connect4", {"network": "zero", "opponent": "uct:simulations=3"}),
    ("cem", "supertictactoe", {"opponent": "random", "sampled": True}),
    ("saes", "connect4", {"network": "residual", "population_size": 2}),
    ("saes", "tictactoe", {"opponent": "zoo/tictactoe"}),
]


def trajectory(method, spelling, config, **more):
    module = algorithm(method)
    last, metrics = None, []
    for last in module.train(ludus.game(spelling), config, seed=3, **more):
        metrics.append(dict(last.metrics))
    return everything(last.snapshot()), metrics


@pytest.mark.parametrize(("method", "spelling", "changes"), CASES)
def test_a_trajectory_does_not_depend_on_who_judges(workers, method, spelling, changes):
    config = small(method, **{**SETTINGS[method], **changes}, steps=2)
    here, metrics = trajectory(method, spelling, config)
    there, others = trajectory(method, spelling, config, workers=workers)
    same(here, there)
    assert metrics == others


def test_a_training_goes_on_elsewhere(workers):
    module = algorithm("cem")
    config = small("cem", **SETTINGS["cem"], steps=4)
    game = ludus.game("tictactoe")
    whole, _ = trajectory("cem", "tictactoe", config)
    for step in module.train(game, config, seed=3, workers=workers):
        if step.number == 2:
            saved = step.snapshot()
            break
    *_, last = module.train(game, config, seed=3, saved=saved)
    same(whole, everything(last.snapshot()))


def test_on_an_encoder(workers, tmp_path, monkeypatch):
    from ludus.learn.runs.run import Run

    monkeypatch.chdir(tmp_path)
    Run("runs/v", "tictactoe", "vae", small("vae", steps=1)).train()
    config = small("cem", **SETTINGS["cem"], steps=1, encoder="runs/v@last")
    here, _ = trajectory("cem", "tictactoe", config)
    there, _ = trajectory("cem", "tictactoe", config, workers=workers)
    same(here, there)
