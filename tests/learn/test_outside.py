"""What learning computes, against TorchRL and Stable-Baselines3, where there is one player only."""

import warnings

import numpy as np
import pytest
import torch
from torch import nn

import ludus
from ludus.learn import dqn, ppo, reinforce
from ludus.learn.collecting.replay import ReplaySamples
from ludus.learn.collecting.targets import advantages
from tests.learn.small import small

ROWS, ACTIONS = 24, 7
GAME = "connect4"


pytestmark = pytest.mark.filterwarnings("ignore")  # theirs, of their own past


@pytest.fixture(scope="module")
def torchrl():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reason = "losses are compared with TorchRL's"
        return pytest.importorskip("torchrl.objectives", reason=reason)


def played_alone(plies=40, rows=5):
    """What one player met, over and over, with some ends."""
    rng = np.random.default_rng(3)
    values = rng.standard_normal((plies + 1, rows)).astype(np.float32)
    pays = rng.standard_normal((plies, rows)).astype(np.float32)
    ended = rng.random((plies, rows)) < 0.15
    return values, pays, ended


def ours(values, pays, ended, gamma, trace):
    players = np.zeros(values.shape, np.int8)
    paid = np.stack([pays, -pays], 2)
    return {
        credit: advantages(players, paid, ended, values, gamma, trace, credit)
        for credit in ("adversarial", "own", "max")
    }


@pytest.mark.parametrize(("gamma", "trace"), [(0.99, 0.95), (0.9, 0.0), (1.0, 1.0)])
def test_advantages_are_those_of_stable_baselines(gamma, trace):
    buffers = pytest.importorskip(
        "stable_baselines3.common.buffers", reason="advantages are compared with SB3's"
    )
    spaces = pytest.importorskip("gymnasium.spaces")
    values, pays, ended = played_alone()
    plies, rows = ended.shape
    buffer = buffers.RolloutBuffer(
        plies, spaces.Box(-1, 1), spaces.Discrete(2), "cpu", trace, gamma, rows
    )
    begins = np.vstack([np.zeros((1, rows)), ended[:-1]])  # theirs tell where games begin
    for ply in range(plies):
        buffer.add(
            np.zeros((rows, 1)),
            np.zeros((rows, 1)),
            pays[ply],
            begins[ply],
            torch.from_numpy(values[ply]),
            torch.zeros(rows),
        )
    buffer.compute_returns_and_advantage(torch.from_numpy(values[-1]), ended[-1])
    for found in ours(values, pays, ended, gamma, trace).values():
        assert found == pytest.approx(buffer.advantages, abs=1e-5)


@pytest.mark.parametrize(("gamma", "trace"), [(0.99, 0.95), (0.9, 0.0), (1.0, 1.0)])
def test_advantages_are_those_of_torchrl(torchrl, gamma, trace):
    from torchrl.objectives.value.functional import generalized_advantage_estimate

    values, pays, ended = played_alone()

    def column(array):
        return torch.from_numpy(np.ascontiguousarray(array.T))[:, :, None]

    theirs, _ = generalized_advantage_estimate(
        gamma,
        trace,
        column(values[:-1]),
        column(values[1:]),
        column(pays),
        column(ended),
        column(ended),
    )
    for found in ours(values, pays, ended, gamma, trace).values():
        assert found == pytest.approx(theirs[:, :, 0].numpy().T, abs=1e-5)


class Logits(nn.Module):
    """The actor of a network, alone."""

    def __init__(self, network):
        super().__init__()
        self.trunk, self.actions = network.trunk, network.actions

    def forward(self, x):
        return self.actions(self.trunk(x))


class Value(nn.Module):
    """The critic of a network that shares no trunk."""

    def __init__(self, network):
        super().__init__()
        self.critic, self.value = network.critic, network.value

    def forward(self, x):
        return self.value(self.critic(x))


def actor_and_critic(network):
    from tensordict.nn import TensorDictModule
    from torch.distributions import Categorical
    from torchrl.modules import ProbabilisticActor, ValueOperator

    actor = ProbabilisticActor(
        TensorDictModule(Logits(network), ["observation"], ["logits"]),
        in_keys=["logits"],
        distribution_class=Categorical,
        return_log_prob=True,
    )
    return actor, ValueOperator(Value(network), in_keys=["observation"])


def batch():
    """Plies with every action legal, as theirs know no masks."""
    rng = torch.Generator().manual_seed(5)
    return (
        torch.rand(ROWS, 2, 6, 7, generator=rng),
        torch.ones(ROWS, ACTIONS, dtype=torch.bool),
        torch.randint(ACTIONS, (ROWS,), generator=rng),
        -1.2 - 1.5 * torch.rand(ROWS, generator=rng),
        torch.randn(ROWS, generator=rng),
        torch.randn(ROWS, generator=rng),
    )


def gradients(network, total):
    network.zero_grad()
    torch.autograd.backward(total)
    return {name: p.grad.clone() for name, p in network.named_parameters() if p.grad is not None}


def same_gradients(network, theirs):
    found = {name: p.grad for name, p in network.named_parameters() if p.grad is not None}
    assert found.keys() == theirs.keys()
    for name, grad in found.items():
        assert torch.allclose(grad, theirs[name], atol=1e-6), name
        assert grad.abs().max() > 0, name


@pytest.mark.parametrize("smooth", [False, True])
def test_the_loss_of_ppo_is_torchrls(torchrl, smooth):
    from tensordict import TensorDict

    config = small(
        "ppo",
        separate_networks=True,
        vf_smooth_l1=smooth,
        max_grad_norm=1e9,
        ent_coef=0.03,
        vf_coef=0.7,
    )
    learner = ppo.Learner(ludus.game(GAME), config, seed=1)
    features, masks, actions, logs, better, returns = batch()
    actor, critic = actor_and_critic(learner.online)
    loss = torchrl.ClipPPOLoss(
        actor,
        critic,
        clip_epsilon=config.clip_range,
        entropy_coeff=config.ent_coef,
        critic_coeff=config.vf_coef,
        loss_critic_type="smooth_l1" if smooth else "l2",
        normalize_advantage=False,
    )
    loss.set_keys(sample_log_prob="old")
    known = {
        "observation": features,
        "action": actions,
        "old": logs,
        "advantage": better[:, None],
        "value_target": returns[:, None],
    }
    found = loss(TensorDict(known, [ROWS]))
    total = found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]
    theirs = gradients(learner.online, total)
    learner.optimizer.step = lambda: None
    told = learner.update_batch(features, masks, actions, logs, better, returns)
    assert told["policy_loss"] == pytest.approx(found["loss_objective"].item(), abs=1e-6)
    assert config.vf_coef * told["value_loss"] == pytest.approx(found["loss_critic"].item())
    assert told["entropy"] == pytest.approx(found["entropy"].item())
    assert told["clip_fraction"] == pytest.approx(found["clip_fraction"].item())
    assert 0.2 < told["clip_fraction"] < 1
    same_gradients(learner.online, theirs)


def test_the_loss_of_reinforce_is_torchrls(torchrl):
    from tensordict import TensorDict

    config = small("reinforce", ent_coef=0.0, max_grad_norm=1e9, vf_coef=1.0)
    learner = reinforce.Learner(ludus.game(GAME), config, seed=1)
    twin = ppo.Learner(ludus.game(GAME), small("ppo", separate_networks=True), seed=1).online
    learner.network = twin  # with a critic of its own, as theirs wants it
    learner.optimizer = torch.optim.SGD(twin.parameters(), lr=0.0)
    features, masks, actions, _, _, returns = batch()
    actor, critic = actor_and_critic(twin)
    loss = torchrl.ReinforceLoss(actor, critic, loss_critic_type="l2")
    with torch.no_grad():
        better = returns - twin(features)[1]
    known = {
        "observation": features,
        "action": actions,
        "advantage": better[:, None],
        "value_target": returns[:, None],
    }
    found = loss(TensorDict(known, [ROWS]))
    theirs = gradients(twin, found["loss_actor"] + found["loss_value"])
    told = learner.update(features, masks, actions, returns)
    assert told["policy_loss"] == pytest.approx(found["loss_actor"].item(), abs=1e-6)
    assert told["value_loss"] == pytest.approx(found["loss_value"].item())
    same_gradients(twin, theirs)


def drawn_alone(rows, features, actions, pays, ended):
    """Drawn plies of one player who always moves again."""
    return ReplaySamples(
        slots=np.arange(rows),
        features=features,
        masks=np.ones((rows, ACTIONS), np.bool_),
        actions=actions,
        players=np.zeros((rows, 2), np.int8),
        rewards=np.stack([pays, -pays], 1)[:, None],
        dones=ended[:, None],
        returns=np.zeros(rows, np.float32),
        finished=np.ones(rows, np.bool_),
        weights=np.ones(rows, np.float32),
    )


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("huber", [False, True])
def test_the_loss_of_dqn_is_torchrls(torchrl, double, huber, monkeypatch):
    from tensordict import TensorDict
    from torchrl.modules import QValueActor
    from torchrl.objectives import ValueEstimators

    config = small(
        "dqn",
        double_q=double,
        huber_loss=huber,
        n_step=1,
        gamma=0.9,
        max_grad_norm=1e9,
        per_alpha=0.0,
    )
    learner = dqn.Learner(ludus.game(GAME), config, seed=1)
    rng = np.random.default_rng(7)
    features, later = rng.random((2, ROWS, 2, 6, 7)).astype(np.float32)
    actions, pays = rng.integers(ACTIONS, size=ROWS), rng.standard_normal(ROWS).astype(np.float32)
    ended = rng.random(ROWS) < 0.3
    values = QValueActor(
        Logits(learner.network), in_keys=["observation"], spec=None, action_space="categorical"
    )
    loss = torchrl.DQNLoss(
        values,
        loss_function="smooth_l1" if huber else "l2",
        double_dqn=double,
        delay_value=True,
        action_space="categorical",
    )
    loss.make_value_estimator(ValueEstimators.TD0, gamma=config.gamma)
    # Their target is a copy from when the loss was made: now the network becomes another.
    other = dqn.Learner(ludus.game(GAME), config, seed=2).network
    learner.network.load_state_dict(other.state_dict())
    known = {
        "observation": torch.from_numpy(features),
        "action": torch.from_numpy(actions),
        "next": {
            "observation": torch.from_numpy(later),
            "reward": torch.from_numpy(pays)[:, None],
            "done": torch.from_numpy(ended)[:, None],
            "terminated": torch.from_numpy(ended)[:, None],
        },
    }
    found = loss(TensorDict(known, [ROWS]))["loss"]
    theirs = gradients(learner.network, found)
    drawn = drawn_alone(ROWS, features, actions, pays, ended)
    monkeypatch.setattr(learner.replay, "sample", lambda *_: drawn)
    everything = np.ones((ROWS, ACTIONS), np.bool_)
    monkeypatch.setattr(learner.replay, "successors", lambda *_: (later, everything))
    learner.optimizer.step = lambda: None
    told = learner.learn(1.0)
    assert told["loss"] == pytest.approx(found.item(), rel=1e-5)
    same_gradients(learner.network, theirs)
