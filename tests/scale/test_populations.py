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


def test_a_run_is_the_same_files_in_either_place(ray_workers, tmp_path, monkeypatch):
    """By the command line: trained elsewhere and resumed here, and the other way round."""
    from ludus.cli import main
    from ludus.learn.store.selection import checkpoint_of

    monkeypatch.chdir(tmp_path)
    sizes = {"population-size": 4, "fitness-games": 2, "width": 8, "eval-freq": 0, "seed": 3}
    small_run = [word for name, size in sizes.items() for word in (f"--{name}", str(size))]
    there = ["--on", "ray", "--workers", "1"]
    for name, first, then in (("a", [], there), ("b", there, [])):
        words = ["train", "cem", "tictactoe", *small_run, "--steps", "2", "--run", f"runs/{name}"]
        assert main([*words, *first]) == 0
        assert main(["resume", f"runs/{name}", "--steps", "3", *then]) == 0
    one, other = (checkpoint_of(f"runs/{name}@last").load() for name in "ab")
    assert one.step == other.step == 3
    same(everything(one), everything(other))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("train ppo tictactoe --on ray", "ppo has no --on: it is of alphazero, cem, saes"),
        ("train cem tictactoe --on ray --max-staleness 2", "cem has no --max-staleness: it is of"),
        ("train cem tictactoe --workers 2", "--workers has no effect here; choose --on ray"),
        (
            "train alphazero tictactoe --on ray --max-staleness -1",
            "max_staleness is a whole number",
        ),
        ("train cem tictactoe --max-staleness 2", "--max-staleness has no effect here"),
    ],
)
def test_what_a_training_is_asked_in_vain(words, said, capsys, tmp_path, monkeypatch):
    from ludus.cli import main

    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
