"""Learning from what was just played: by the policy that played it, and by all that it paid."""

import numpy as np
import pytest
import torch

import ludus
from ludus.learn import dqn, ppo, reinforce
from ludus.learn.collecting.rollout import before_end, collect_rollout
from ludus.learn.networks.network import NETWORKS, network
from ludus.learn.networks.onnx import graph_of, in_onnx
from ludus.learn.networks.optimise import update_batch_norm
from ludus.learn.networks.player import in_torch
from tests.learn.small import small

BOARD = "connect4:rows=4,columns=5"
NORMALISED = ["zero", "c4net", "draughts"]


@pytest.mark.parametrize("name", NETWORKS)
def test_ratios_begin_at_one(name):
    """In a second step too, by averages that have moved; any ratio beyond 0.1 % would be told."""
    settings = {"network": name, "n_epochs": 1, "learning_rate": 1e-12, "clip_range": 0.001}
    learner = ppo.Learner(ludus.game(BOARD), small("ppo", **settings), seed=1)
    for number in (1, 2):
        found = learner.step(number)
        assert found["ratio"] == pytest.approx(1, abs=1e-4)
        assert found["clip_fraction"] == 0


@pytest.mark.parametrize("module", [ppo, reinforce])
@pytest.mark.parametrize("name", NORMALISED)
def test_averages_follow_what_was_played(module, name):
    method = module.__name__.split(".")[-1]
    settings = {"network": name, "learning_rate": 1e-12, "max_rollout_plies": 64}
    learner = module.Learner(ludus.game(BOARD), small(method, **settings), seed=1)
    online = learner.collector.network
    layers = [part for part in online.modules() if isinstance(part, torch.nn.BatchNorm2d)]
    before = [layer.running_mean.clone() for layer in layers]
    learner.step(1)
    assert len(layers) > 3
    for layer, mean in zip(layers, before, strict=True):
        assert not torch.equal(layer.running_mean, mean)
    assert not online.training


def test_averages_come_to_be_those_of_the_positions():
    """Openings before ends, as they are played: every part of them has some of both."""
    net = network("c4net", (2, 6, 7), 7, seed=1, width=4)
    opening, end = torch.zeros(64, 2, 6, 7), torch.ones(64, 2, 6, 7)
    positions = torch.cat([opening, end])
    for _ in range(60):
        update_batch_norm(net, positions, 16)
    seen = net.trunk[0](positions)
    assert torch.allclose(net.trunk[1].running_mean, seen.mean((0, 2, 3)), atol=1e-4)
    update_batch_norm(net, positions[:0], 16)
    assert not net.training


@pytest.mark.parametrize("bounded", [True, False])
def test_a_value_fits_returns_beyond_one_unless_it_is_bounded(bounded):
    config = small("ppo", network="cathedral-ppo", bounded_value=bounded, learning_rate=0.001)
    learner = ppo.Learner(ludus.game(BOARD), config, seed=1)
    features, masks, _ = (torch.from_numpy(array) for array in learner.collector.games.seen)
    rows = len(features)
    actions, goal = torch.zeros(rows, dtype=torch.int64), torch.full((rows,), 10.0)
    for _ in range(60):
        learner.update_batch(features, masks, actions, torch.zeros(rows), torch.zeros(rows), goal)
    for look in (in_torch(learner.online), in_onnx(graph_of(learner.online))):
        value = look(features.numpy())[1]
        assert value == pytest.approx(1.0 if bounded else 10.0, abs=0.5)


def test_the_reward_of_a_game_hears_of_losses():
    """Sparse outcomes against somebody who never loses: 2 * points - 1, and below 0."""
    config = small("ppo", opponent="perfect", n_envs=16, n_steps=24)
    found = ppo.Learner(ludus.game("tictactoe"), config, seed=1).step(1)
    assert found["game_reward"] == pytest.approx(2 * found["training_score"] - 1)
    assert found["game_reward"] < 0


def test_the_reward_of_a_game_against_itself_is_the_mean_of_both_seats():
    found = ppo.Learner(ludus.game("tictactoe"), small("ppo", n_steps=24), seed=1).step(1)
    assert found["games"] > 0
    assert found["game_reward"] == 0  # what one wins the other loses


def test_the_reward_of_a_game_is_all_that_is_paid_to_a_seat_in_games_that_ended():
    game = ludus.game("cathedral:size=8,rules=seed")
    config = small("ppo", opponent="random", shaping="dense", n_envs=8, n_steps=60)
    learner = ppo.Learner(game, config, seed=1)
    played = collect_rollout(learner.collector, learner.collector.evaluator(60), 60)
    own = np.where(played.useful, played.rewards[..., 0], played.rewards[..., 1])
    found, over = learner.collector.finish_step(), before_end(played.dones)
    assert not over.all()  # some games go on, and what they have paid so far counts for none
    assert found["game_reward"] == pytest.approx(own[over].sum() / found["games"], rel=1e-4)


@pytest.mark.parametrize("opponent", ["random", "lagged", "pool"])
@pytest.mark.parametrize("credit", ["adversarial", "max", "own"])
def test_what_a_credit_asks_for_is_judged(credit, opponent, monkeypatch):
    config = small("ppo", opponent=opponent, credit=credit, n_envs=8)
    learner = ppo.Learner(ludus.game("tictactoe"), config, seed=1)
    kept = []
    monkeypatch.setattr(learner, "update", lambda played, _: kept.append(played) or {})
    for number in (1, 2, 3):  # who has a past meets it when a game ends
        learner.step(number)
    played = kept[-1]
    seen = played.features.reshape(-1, *played.features.shape[2:])
    judged = in_torch(learner.online)(seen)[1].reshape(played.dones.shape)
    assert not played.useful.all()
    expected = np.where(played.useful, judged, 0) if credit == "own" else judged
    assert played.values[:-1] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("illegal", [-2.0, -40.0])
def test_what_an_illegal_choice_pays_is_a_setting(illegal):
    game = ludus.game("cathedral:size=8,rules=seed")
    config = small("dqn", opponent="legality", shaping="dense", illegal_reward=illegal)
    learner = dqn.Learner(game, config, seed=1)
    turn = learner.collector.turn()
    ply = learner.collector.play(turn, turn.masks.argmin(1).astype(np.int32))
    assert ply.illegal.all()
    assert (ply.rewards == [illegal, 0]).all()
    assert dqn.Config().illegal_reward == -2


def test_a_rollout_too_short_for_an_own_turn_teaches_nothing():
    config = small("ppo", opponent="random", credit="own", n_envs=2, n_steps=1)
    learner = ppo.Learner(ludus.game("cathedral:size=8"), config, seed=1)
    before = learner.online.state_dict()["trunk.1.weight"].clone()
    learner.step(1)
    assert (learner.online.state_dict()["trunk.1.weight"] == before).all()


def test_an_average_of_the_weights_plays():
    """w(1) = w(2) = the weights themselves, then w(t) = 0.9 w(t - 1) + 0.1 of the weights."""
    config = small("ppo", ema_decay=0.9)
    learner = ppo.Learner(ludus.game("tictactoe"), config, seed=1)
    expected = None
    for number in range(1, 6):
        learner.step(number)
        now = {name: value.clone() for name, value in learner.online.state_dict().items()}
        if number <= 2:
            expected = now
        else:
            expected = {name: 0.9 * old + 0.1 * now[name] for name, old in expected.items()}
    played = learner.network.state_dict()
    assert all(torch.allclose(played[name], expected[name], atol=1e-6) for name in expected)
    assert not torch.equal(played["trunk.1.weight"], now["trunk.1.weight"])
    assert ppo.Learner(ludus.game("tictactoe"), small("ppo", ema_decay=0.0), seed=1).average is None
