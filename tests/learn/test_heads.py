"""Heads on the encoder of an autoencoder: as wide and deep as asked, stored, played."""

import dataclasses
import json
from itertools import pairwise

import numpy as np
import pytest

import ludus
from ludus.cli import main
from ludus.learn import ppo
from ludus.learn.networks.encoder import Vae, on_encoder
from ludus.learn.networks.stored import check_names, plan_of
from ludus.learn.runs.run import Run
from ludus.learn.store import selection
from tests.learn.small import everything, same, small

GAME = "connect4:rows=4,columns=5"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "vae"
    Run(path, GAME, "vae", small("vae", steps=1), seed=1).train()
    return str(path)


def shapes(network, head):
    return [tuple(p.shape) for p in getattr(network, head).parameters() if p.dim() == 2]


@pytest.mark.parametrize(
    ("options", "hidden"),
    [
        ({}, [128]),
        ({"head_width": 512}, [512]),
        ({"head_layers": 2}, [128, 128]),
        ({"head_width": 512, "head_layers": 2}, [512, 512]),
    ],
)
def test_heads_are_as_wide_and_deep_as_asked_for(encoder, options, hidden):
    config = small("ppo", encoder=encoder, **options)
    network = ppo.Learner(ludus.game(GAME), config, seed=1).network
    for head, outputs in (("actions", 5), ("value", 1)):
        sizes = [4, *hidden, outputs]
        assert shapes(network, head) == [(b, a) for a, b in pairwise(sizes)]


def test_the_papers_heads_are_two_layers_of_512_on_32_numbers():
    """Cathedral's: the encoder is frozen and takes the place of the convolutions."""
    config = ppo.Config(**ppo.PRESETS["cathedral-vae"].settings, encoder="latent=32,width=16")
    game = ludus.game("cathedral:size=8,rules=seed,fair_start=true")
    network = ppo.Learner(game, config, seed=1).online
    assert shapes(network, "actions") == [(512, 32), (512, 512), (game.num_actions, 512)]
    assert shapes(network, "value") == [(512, 32), (512, 512), (1, 512)]
    assert not any(p.requires_grad for p in network.trunk.parameters())
    assert "Leaky" not in str(network)


def test_heads_are_stored_resumed_and_played(encoder, tmp_path):
    config = small("ppo", encoder=encoder, head_width=24, head_layers=2, steps=3, eval_freq=1)
    unbroken = Run(tmp_path / "a", GAME, "ppo", config, seed=1).train()
    Run(tmp_path / "b", GAME, "ppo", dataclasses.replace(config, steps=1), seed=1).train()
    resumed = Run(tmp_path / "b").with_config(steps=3).train()
    one, two = (selection.newest(run.folder.checkpoints)[0].load() for run in (unbroken, resumed))
    same(everything(one), everything(two))
    thought = ludus.agent(f"{tmp_path}/a@last").think(ludus.game(GAME).start())
    assert thought.policy.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "value"), [("head_layers", 10**9), ("head_width", -1), ("head_width", 25)]
)
def test_a_record_of_other_heads_is_refused(encoder, tmp_path, name, value):
    config = small("ppo", encoder=encoder, head_width=24, head_layers=2, steps=1)
    Run(tmp_path / "x", GAME, "ppo", config, seed=1).train()
    newest = selection.newest(tmp_path / "x" / "checkpoints")[0]
    record = {**newest.record, "config": {**newest.record["config"], name: value}}
    part = newest.shapes("averaged")
    with pytest.raises(ValueError, match=r"no network is|is float32"):
        check_names(plan_of(ludus.game(GAME), record["config"], record["planes"], part), part)


@pytest.mark.parametrize("name", ["ppo", "dqn", "reinforce", "supervised", "cem", "alphazero"])
def test_heads_without_an_encoder_are_refused(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["train", name, "tictactoe", "--head-width", "512", "--steps", "1"]) == 2
    said = capsys.readouterr().err
    assert "head_width and head_layers are of heads on an encoder" in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"head_width": -1}, "head_width is a whole number of at least 0, not -1"),
        ({"head_layers": -1}, "head_layers is a whole number from 0 to 1000, not -1"),
        ({"head_layers": 1001}, "head_layers is a whole number from 0 to 1000, not 1001"),
    ],
)
def test_other_values_get_one_sentence(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        small("ppo", **options)


def test_heads_that_no_memory_holds_are_refused(encoder):
    config = small("ppo", encoder=encoder, head_width=10**6, head_layers=2)
    with pytest.raises(ValueError, match=r"to train a network of [\d,]+ weights would take"):
        ppo.Learner(ludus.game(GAME), config, seed=1)


def test_the_seed_of_the_default_heads_means_the_weights_it_did():
    """Runs that were begun before there was a choice are built as they were."""
    vae = Vae((2, 4, 5), 3, 4)
    kinds = {"frozen": True, "value": True, "separate": False, "seed": 7}
    one, two = (on_encoder(vae, 5, **kinds, **more) for more in ({}, {"head_width": 128}))
    assert all(np.array_equal(one.arrays[name], two.arrays[name]) for name in one.arrays)


def test_a_run_older_than_the_choice_of_heads_is_played(encoder, tmp_path):
    config = small("ppo", encoder=encoder, steps=1)
    Run(tmp_path / "x", GAME, "ppo", config, seed=1).train()
    newest = selection.newest(tmp_path / "x" / "checkpoints")[0]
    known = {k: v for k, v in newest.record["config"].items() if not k.startswith("head_")}
    assert len(known) == len(newest.record["config"]) - 2
    part = newest.shapes("averaged")
    check_names(plan_of(ludus.game(GAME), json.loads(json.dumps(known)), "full", part), part)
