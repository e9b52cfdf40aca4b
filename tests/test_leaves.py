"""Several leaves of one tree at once: each is handed out once, and visits add up."""

import random

import numpy as np
import pytest

import ludus
from ludus import _core
from ludus.learn.networks.player import default_leaves
from ludus.learn.networks.split import evaluate_rows
from tests.conftest import playout
from tests.test_forest import hashed, think, visits

PUCT = {"dirichlet_fraction": 0.25}
GUMBEL = {"gumbel": True, "max_num_considered_actions": 4}


class Path:
    """Three actions at each ply, five plies; a state is all of its past, so none is met twice."""

    num_actions = 3
    max_plies = 5
    shape = (1, 1, 5)

    def __init__(self, past=()):
        self.past, self.player = past, len(past) % 2

    @classmethod
    def start(cls):
        return cls()

    @classmethod
    def parse(cls, text):
        return cls(tuple(int(digit) for digit in text.strip("-")))

    @property
    def outcome(self):
        return None if len(self.past) < 5 else (sum(self.past) % 3) - 1

    def legal(self):
        return [0, 1, 2] if len(self.past) < 5 else []

    def play(self, action):
        return Path((*self.past, action))

    def features(self):
        return np.array([[[*self.past, *[-1] * (5 - len(self.past))]]], np.float32)

    def __str__(self):
        return "-" + "".join(map(str, self.past))

    def __eq__(self, other):
        return isinstance(other, Path) and self.past == other.past

    def __hash__(self):
        return hash(self.past)


@pytest.mark.parametrize("options", [PUCT, GUMBEL], ids=["puct", "gumbel"])
def test_visits_add_up_whatever_the_threads(game, options):
    found = []
    for threads in (1, 2):
        forest = _core.forest(
            game.start(), 3, seed=9, threads=threads, simulations=40, leaves=8, **options
        )
        think(forest, hashed)
        found.append([(forest.result(row), forest.policy(row)) for row in range(3)])
        for row in range(3):
            assert sum(visits(forest, row).values()) == 40
            forest.advance(row, forest.action(row))
        think(forest, hashed)
        found[-1].append([forest.policy(row) for row in range(3)])
    assert found[0] == found[1]


@pytest.mark.parametrize("options", [{}, GUMBEL], ids=["puct", "gumbel"])
@pytest.mark.parametrize("leaves", [1, 5, 16])
def test_no_leaf_is_handed_out_twice(options, leaves):
    forest = _core.forest(ludus.game(Path).start(), 1, simulations=60, leaves=leaves, **options)
    seen = []

    def evaluate(features, masks):
        assert len(features) <= leaves
        seen.extend(features.reshape(len(features), -1).tolist())
        return hashed(features, masks)

    think(forest, evaluate)
    assert len(set(map(tuple, seen))) == len(seen) > 20


def test_as_many_leaves_are_found_as_are_worth_a_visit():
    """The root alone at first, then more and more; nearly as many as may be in a large tree."""
    forest = _core.forest(ludus.game("connect4").start(), 1, simulations=2000, leaves=16)
    sizes = []

    def evaluate(features, masks):
        sizes.append(len(features))
        return hashed(features, masks)

    think(forest, evaluate)
    assert sizes[0] == 1
    assert sum(sizes) <= 2001
    assert np.mean(sizes[-50:]) > 10


def test_what_is_proven_is_proven_with_many_leaves():
    """Wins and losses near the end, as one leaf at a time finds them."""
    rng, proven = random.Random(4), 0
    for _ in range(20):
        state = list(playout(ludus.game("connect4"), rng))[-4]
        proofs = []
        for leaves in (1, 8):
            forest = _core.forest(state, 1, simulations=600, leaves=leaves)
            think(forest, hashed)
            looks = forest.result(0)
            proofs.append({action: proof for action, _, _, proof in looks if proof is not None})
        for action in set(proofs[0]) & set(proofs[1]):
            assert proofs[0][action] == proofs[1][action]
        assert (1 in proofs[0].values()) == (1 in proofs[1].values())
        proven += bool(proofs[1])
    assert proven > 10


def test_a_leaf_that_was_dropped_is_found_again():
    """A scatter that is refused changes nothing; the same rows are taken afterwards."""
    forest = _core.forest(ludus.game("connect4").start(), 1, simulations=100, leaves=8)
    features = np.zeros((forest.max_rows, *forest.shape), np.float32)
    masks = np.zeros((forest.max_rows, forest.num_actions), np.bool_)
    assert forest.max_rows == 8
    while rows := forest.gather(features, masks):
        priors, values = hashed(features[:rows], masks[:rows])
        bad = values.astype(np.float32)
        bad[-1] = 7
        with pytest.raises(ValueError, match=rf"in row {rows - 1} the value is not in"):
            forest.scatter(priors.astype(np.float32), bad)
        forest.scatter(priors.astype(np.float32), values.astype(np.float32))
    assert sum(visits(forest, 0).values()) == 100
    with pytest.raises(ValueError, match="leaves is between 1"):
        _core.forest(ludus.game("connect4").start(), 1, leaves=0)
    with pytest.raises(ValueError, match="one leaf at a time"):
        _core.selfplay(ludus.game("connect4").start(), 1, leaves=2)


def test_small_searches_look_at_one_leaf_at_a_time():
    assert [default_leaves(n) for n in (1, 63, 64, 400, 10**9)] == [1, 1, 2, 12, 32]


@pytest.mark.parametrize("rows", [1, 7, 8, 33])
def test_rows_that_threads_share_come_back_in_their_order(rows):
    features = np.arange(rows, dtype=np.float32)[:, None]
    said, values = evaluate_rows(lambda part: (part * 2, part[:, 0]), features, threads=3)
    assert np.array_equal(said, features * 2)
    assert np.array_equal(values, features[:, 0])
    said, values = evaluate_rows(lambda part: (part * 2, None), features, threads=3)
    assert len(said) == rows
    assert values is None


def test_an_agent_thinks_the_same_in_slices_and_again():
    pytest.importorskip("onnxruntime")
    state = ludus.game("connect4").replay("41")
    agent = ludus.agent("zoo/connect4:simulations=300")
    whole = agent.think(state)
    *_, last = agent.thinking(state)
    assert np.array_equal(whole.policy, last.policy)
    assert whole.nodes == last.nodes == 300
    again = ludus.agent("zoo/connect4:simulations=300").think_many([state, state])
    assert all(np.array_equal(whole.policy, one.policy) for one in again)
    single = ludus.agent("zoo/connect4:simulations=300,leaves=1").think(state)
    assert whole.value != single.value
    assert single.visits.sum() == whole.visits.sum() == 300
