"""The autoencoder on a fixed set of games: whole games, some held out, epochs, exact resumption."""

import dataclasses
import re

import numpy as np
import pytest

import ludus
from ludus.cli import main
from ludus.learn import vae
from ludus.learn.collecting import dataset
from ludus.learn.collecting.dataset import Dataset, pick_share
from ludus.learn.collecting.stream import Players
from ludus.learn.store import checkpoint, selection
from tests.learn.small import everything, same, small


def fixed(**changes):
    return small(
        "vae",
        **{
            "dataset_games": 20,
            "validation_fraction": 0.2,
            "batch_size": 32,
            "n_epochs": 1,
            **changes,
        },
    )


def made(game="tictactoe", agent="", *, games=20, held_out=0.2, seed=1, **changes):
    players = Players(agent, 0.5, 0.0, 3)
    options = {"rows": 6, "planes": "full", "seed": seed, **changes}
    one = Dataset(ludus.game(game), players, games=games, held_out=held_out, **options)
    one.take(np.random.default_rng(0))
    return one


def last_of(game, config, seed=1, saved=None, upto=None):
    for step in vae.train(ludus.game(game), config, seed=seed, saved=saved):
        if step.number == upto:
            break
    return step


@pytest.mark.parametrize("rows", [1, 6, 50])
def test_a_data_set_is_of_so_many_whole_games(rows):
    one = made(games=20, held_out=0.0, rows=rows)
    empty = (one.training[:, :2] == 0).all((1, 2, 3))
    assert empty.sum() == 20  # each game's first position, once
    assert len(one.held_out) == 0
    stones = one.training[:, :2].sum((1, 2, 3))
    assert {*range(5)} <= {*stones.astype(int).tolist()} <= {*range(9)}


def test_games_are_held_out_whole():
    one = made(games=20, held_out=0.3)
    starts = [(part[:, :2] == 0).all((1, 2, 3)).sum() for part in (one.training, one.held_out)]
    assert starts == [14, 6]
    whole = made(games=20, held_out=0.0)
    assert len(one.training) + len(one.held_out) == len(whole.training)
    assert (one.actions == whole.actions).all()  # what is held out changes no game


def test_half_of_the_games_are_the_agents(monkeypatch):
    asked = []
    monkeypatch.setattr(dataset.Players, "actions", noted(Players.actions, asked))
    made(agent="uct:simulations=2", games=20)
    assert any(row.any() for row in asked)
    assert pick_share(20, 0.5).sum() == 10
    assert pick_share(7, 0.5).sum() == 3
    assert pick_share(10, 1.0).all()
    assert not pick_share(10, 0.0).any()


def noted(actions, asked):
    def noting(players, table, by_agent, rng):
        asked.append(by_agent.copy())
        return actions(players, table, by_agent, rng)

    return noting


def test_an_agent_plays_other_games_than_random_players_do():
    plain, other = made(), made(agent="greedy")
    assert plain.actions.shape != other.actions.shape or (plain.actions != other.actions).any()


def test_a_seed_makes_one_data_set():
    one, twin, other = made(), made(), made(seed=2)
    assert (one.training == twin.training).all()
    assert (one.held_out == twin.held_out).all()
    assert one.training.shape != other.training.shape or (one.training != other.training).any()


@pytest.mark.parametrize(
    ("spelled", "agent"),
    [
        ("tictactoe", ""),
        ("tictactoe", "uct:simulations=2"),
        ("tictactoe:success=0.5,stray_to=open", ""),
        ("cathedral:size=8,fair_start=true", ""),
        ("examples/breakthrough.py:size=4", ""),
    ],
)
def test_it_resumes_exactly_and_plays_nothing_again(spelled, agent, tmp_path, monkeypatch):
    config = fixed(data_agent=agent, dataset_games=8, steps=3)
    unbroken = everything(last_of(spelled, config).snapshot())
    early = last_of(spelled, config, upto=1)
    checkpoint.write(tmp_path, early.snapshot(), strength=None)
    stored = selection.newest(tmp_path)[0].load()
    monkeypatch.setattr(dataset.Players, "actions", None)
    resumed = last_of(spelled, config, saved=stored)
    same(unbroken, everything(resumed.snapshot()))


def test_stored_are_actions_and_not_positions():
    step = last_of("connect4", fixed(steps=1))
    arrays = {name: array for name, array in step.snapshot().arrays.items() if "dataset" in name}
    assert list(arrays) == ["dataset/actions"]
    assert sum(array.nbytes for array in arrays.values()) < 20 * 42 * 4 * 2


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [
        (lambda actions: actions[:-1], "dataset/actions end before the games do"),
        (lambda actions: np.concatenate([actions, actions[:1]]), "go on after the games are over"),
        (lambda actions: np.repeat(actions[:1], len(actions), 0), "dataset/actions are not legal"),
        (lambda actions: actions + 9, "dataset/actions goes beyond 8"),
        (lambda actions: actions[:, 1:], r"not int32 \[any, 6\]"),
        (lambda actions: actions.astype(np.int64), r"not int32 \[any, 6\]"),
    ],
)
def test_forged_actions_are_refused(forge, sentence):
    config = fixed(steps=2)
    saved = last_of("tictactoe", config, upto=1).snapshot()
    arrays = {**saved.arrays, "dataset/actions": forge(saved.arrays["dataset/actions"])}
    forged = dataclasses.replace(saved, arrays=arrays)
    with pytest.raises(ValueError, match=sentence) as refused:
        last_of("tictactoe", config, saved=forged)
    assert "the checkpoint is damaged" in str(refused.value)


def test_held_out_losses_are_reported_after_each_epoch():
    config = fixed(dataset_games=60, steps=12, latent_dim=16, width=8, learning_rate=0.003)
    every = list(vae.train(ludus.game("tictactoe"), config, seed=1))
    names = ("validation_reconstruction_loss", "validation_kl", "validation_cell_accuracy")
    assert all(name in step.metrics for step in every for name in names)
    first, last = every[0].metrics, every[-1].metrics
    assert last["validation_reconstruction_loss"] < 0.8 * first["validation_reconstruction_loss"]
    assert last["validation_cell_accuracy"] > first["validation_cell_accuracy"]
    assert (first["epochs"], last["epochs"]) == (1, 12)
    assert last["positions"] == first["positions"]
    assert last["games"] == 60


def test_what_is_held_out_is_not_learned():
    """A few positions can be learned by heart; others are then read worse than those."""
    config = fixed(
        dataset_games=6, validation_fraction=0.5, n_epochs=60, steps=4, latent_dim=16, width=16
    )
    config = dataclasses.replace(config, learning_rate=0.003, kl_coef=0.0)
    last = last_of("connect4", config).metrics
    assert last["validation_reconstruction_loss"] > 2 * last["reconstruction_loss"]


def test_measuring_what_is_held_out_changes_nothing_that_is_learned(monkeypatch):
    plain = everything(last_of("tictactoe", fixed()).snapshot())
    monkeypatch.setattr(vae.Learner, "validate", lambda _: {})
    same(plain, everything(last_of("tictactoe", fixed()).snapshot()))


@pytest.mark.parametrize(
    "change", [{"dataset_games": 21}, {"validation_fraction": 0.4}, {"n_envs": 5}, {"n_epochs": 2}]
)
def test_each_option_changes_what_is_learned(change):
    one = last_of("tictactoe", fixed(steps=2)).metrics
    other = last_of("tictactoe", fixed(steps=2, **change)).metrics
    assert one["reconstruction_loss"] != other["reconstruction_loss"]


def test_without_a_data_set_nothing_is_held_out():
    metrics = last_of("tictactoe", small("vae", steps=2)).metrics
    assert not any(name.startswith("validation_") or name == "epochs" for name in metrics)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"dataset_games": -1, "validation_fraction": 0.0},
            "dataset_games is a whole number of at least 0, not -1",
        ),
        ({"validation_fraction": -0.1}, "validation_fraction is a number from 0 to 1, not -0.1"),
        (
            {"validation_fraction": float("nan")},
            "validation_fraction is a number up to 1e+30, not nan",
        ),
        (
            {"validation_fraction": 1.0},
            "validation_fraction 1 of 20 games is 20: some have to be held out, and some",
        ),
        (
            {"validation_fraction": 0.01},
            "validation_fraction 0.01 of 20 games is 0: some have to be held out",
        ),
        (
            {"dataset_games": 0},
            "validation_fraction is a share of dataset_games, of which there are none",
        ),
    ],
)
def test_other_values_get_one_sentence(options, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        fixed(**options)


def test_the_command_line_refuses_them_and_writes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", "vae", "tictactoe", "--validation-fraction", "0.1"]) == 2
    said = capsys.readouterr().err
    assert "validation_fraction is a share of dataset_games" in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_memory_is_looked_at_while_games_are_played(monkeypatch):
    """How long games are nobody knows before: what grows beyond memory stops with a sentence."""
    monkeypatch.setattr(dataset, "FIRST_LOOK", 64)
    monkeypatch.setattr("ludus.resources.available_memory", lambda: 500_000)
    with pytest.raises(ValueError, match=r"dataset_games 500: as many again as the .* of memory"):
        made("connect4", games=500)


def test_the_paper_s_preset_is_epochs_over_4000_games():
    config = vae.Config(**vae.PRESETS["cathedral"].settings)
    assert (config.dataset_games, config.data_agent_fraction, config.steps, config.latent_dim) == (
        4000,
        0.5,
        300,
        32,
    )
    assert 0 < config.validation_fraction < 0.5
