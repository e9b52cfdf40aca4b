"""PPO on a game of two plies, whose values and best actions are worked out by hand."""

import numpy as np
import pytest
import torch

import ludus
from ludus.learn import ppo
from ludus.learn.networks.masked import log_policy
from tests.learn.small import small

BEST = 3  # the cell that wins at once
OPENED = ((0,), (1,), (2,))  # cells after which the second player can still win


class Corner:
    """Two players put a stone each on one of four cells; the last cell wins, else it is even."""

    max_plies = 2
    num_actions = 4
    shape = (2, 2, 2)

    def __init__(self, cells=()):
        self.cells = tuple(cells)

    @classmethod
    def start(cls):
        return cls()

    @classmethod
    def parse(cls, text):
        return cls(int(cell) for cell in text)

    @property
    def player(self):
        return len(self.cells) % 2

    @property
    def outcome(self):
        if self.cells and self.cells[-1] == BEST:
            return -1
        return 0 if len(self.cells) == 2 else None

    def legal(self):
        return [] if self.outcome is not None else [c for c in range(4) if c not in self.cells]

    def play(self, action):
        return Corner((*self.cells, action))

    def features(self):
        planes = np.zeros((2, 4))
        for ply, cell in enumerate(self.cells):
            planes[(len(self.cells) - ply) % 2, cell] = 1
        return planes.reshape(self.shape)

    def __str__(self):
        return "".join(map(str, self.cells))

    def __eq__(self, other):
        return isinstance(other, Corner) and self.cells == other.cells

    def __hash__(self):
        return hash(self.cells)


def learner_of(seed=1, **settings):
    """The network and loss of the super tic-tac-toe paper, in small."""
    paper = {
        "network": "supertictactoe",
        "separate_networks": True,
        "vf_smooth_l1": True,
        "bounded_value": True,
        "ema_decay": 0.0,
        "n_envs": 64,
        "batch_size": 32,
        "learning_rate": 0.001,
    }
    return ppo.Learner(ludus.game(Corner), small("ppo", **{**paper, **settings}), seed=seed)


def look(learner, cells):
    """The policy and the value of a position."""
    state = ludus.game(Corner).start()
    for cell in cells:
        state = state.play(cell)
    with torch.no_grad():
        seen = torch.from_numpy(np.asarray(state.features(), np.float32)[None])
        logits, value = learner.online(seen)
        mask = torch.from_numpy(np.asarray(state.mask(), np.bool_)[None])
    return log_policy(logits, mask)[0].exp().numpy(), float(value[0])


@pytest.mark.parametrize("credit", ["own", "adversarial"])
@pytest.mark.parametrize("gae_lambda", [0.0, 0.95, 1.0])
def test_advantages_are_those_of_brute_force_under_an_even_policy(credit, gae_lambda, monkeypatch):
    """The second player wins one time in three, so any other opening is worth -1/3 or gamma times
    that, by whether a loss is paid before one's own next turn or seen in the other's value."""
    gamma = 0.9
    opening = -1 / 3 if credit == "own" else -gamma / 3
    first = (1 + 3 * opening) / 4
    learner = learner_of(credit=credit, gamma=gamma, gae_lambda=gae_lambda, n_envs=2000, n_steps=6)

    def exact(features):
        stones = features.reshape(len(features), -1).sum(1)
        values = np.where(stones == 0, first, 1 / 3).astype(np.float32)
        return np.zeros((len(features), 4), np.float32), values

    monkeypatch.setattr(learner.collector, "evaluator", lambda plies: exact)
    rollout = learner.collect().learnable(credit)
    found = rollout.select(rollout.advantages(gamma, gae_lambda, credit))
    actions = rollout.select(rollout.actions)
    begins = rollout.select(rollout.features).reshape(len(found), -1).sum(1) == 0
    assert begins.sum() > 4000
    for cell in range(4):
        wins = cell == BEST
        mean = found[begins & (actions == cell)].mean()
        assert mean == pytest.approx((1 if wins else opening) - first, abs=0.05)
        reply = found[~begins & (actions == cell)]
        assert reply == pytest.approx(np.full(len(reply), wins - 1 / 3), abs=1e-5)


@pytest.mark.parametrize("credit", ["own", "adversarial"])
@pytest.mark.parametrize("weighting", [False, True])
def test_a_step_pushes_towards_the_winning_cell(credit, weighting):
    for seed in range(3):
        learner = learner_of(seed, credit=credit, proximity_weighting=weighting, n_steps=8)
        before = [look(learner, cells)[0][BEST] for cells in ((), *OPENED)]
        learner.step(1)
        after = [look(learner, cells)[0][BEST] for cells in ((), *OPENED)]
        assert (np.array(after) > before).all()


@pytest.mark.parametrize("credit", ["own", "adversarial"])
@pytest.mark.parametrize("weighting", [False, True])
def test_it_learns_the_winning_cell_and_that_it_wins(credit, weighting):
    learner = learner_of(credit=credit, proximity_weighting=weighting, n_steps=8, ent_coef=0.02)
    for number in range(1, 41):
        learner.step(number)
    for cells in ((), *OPENED):
        policy, value = look(learner, cells)
        assert policy[BEST] > 0.9
        assert value > 0.7
