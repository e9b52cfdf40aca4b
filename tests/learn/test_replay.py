"""The replay memory and its sum-tree, against plain lists."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus.learn.collecting.replay import ReplayBuffer
from ludus.learn.collecting.sumtree import SumTree
from ludus.learn.collecting.vector_games import VectorGames
from tests.conftest import examples


@examples(60)
@given(st.integers(1, 40), st.lists(st.tuples(st.integers(0, 39), st.floats(0, 9)), max_size=30))
def test_the_tree_sums_what_was_put(size, puts):
    tree, plain = SumTree(size), np.zeros(size)
    for leaf, weight in puts:
        tree.put(np.array([leaf % size]), weight)
        plain[leaf % size] = weight
    assert tree.total == pytest.approx(plain.sum())
    assert tree.weights(np.arange(size)).tolist() == plain.tolist()
    again = SumTree(size)
    again.restore(tree.state())
    assert np.array_equal(again.nodes, tree.nodes)
    if plain.sum() > 0:
        drawn = tree.draw(64, np.random.default_rng(1))
        assert (plain[drawn] > 0).all()


def test_the_last_of_two_weights_for_one_leaf_counts():
    tree = SumTree(4)
    tree.put(np.array([1, 1, 2]), np.array([5.0, 7.0, 1.0]))
    assert tree.total == 8


def test_draws_are_in_proportion():
    tree = SumTree(5)
    tree.put(np.arange(5), np.array([1.0, 0.0, 3.0, 4.0, 2.0]))
    shares = np.bincount(tree.draw(100_000, np.random.default_rng(2)), minlength=5) / 100_000
    assert shares == pytest.approx([0.1, 0, 0.3, 0.4, 0.2], abs=0.001)


def filled(plies, capacity=60, alpha=0.0, ahead=2, rows=4, useful=True):
    """A memory of random games, and the plies that went in."""
    table = VectorGames(ludus.game("tictactoe"), rows, seed=1)
    memory, history = ReplayBuffer(table, capacity, ahead, alpha), []
    for _ in range(plies):
        seen = (table.features.copy(), table.masks.copy(), table.players.copy())
        actions = np.zeros(rows, np.int32)
        table.batch.sample(actions)
        paid, ended = table.step(actions)
        memory.add(seen, actions, paid, ended, np.full(rows, useful))
        if ended.any():
            memory.store_returns(ended, 0.5)
        memory.close(ended)
        history.append((*seen, actions, paid, ended))
    return memory, history


@pytest.mark.parametrize("alpha", [0.0, 0.6])
@pytest.mark.parametrize("plies", [5, 14, 40, 101])
def test_what_is_drawn_is_what_went_in(plies, alpha):
    memory, history = filled(plies, alpha=alpha)
    drawn = memory.sample(200, np.random.default_rng(3), 0.4)
    later, legal = memory.successors(drawn.slots, np.full(200, 2))
    length = memory.length
    for i, slot in enumerate(drawn.slots):
        at, row = divmod(int(slot), memory.rows)
        time = max(t for t in range(plies) if t % length == at)
        assert plies - length <= time < plies - memory.ahead
        features, masks, _, actions, _, _ = history[time]
        assert np.array_equal(drawn.features[i], features[row])
        assert np.array_equal(drawn.masks[i], masks[row])
        assert drawn.actions[i] == actions[row]
        assert drawn.players[i].tolist() == [history[time + k][2][row] for k in range(3)]
        assert np.array_equal(drawn.rewards[i], [history[time + k][4][row] for k in range(2)])
        assert drawn.dones[i].tolist() == [history[time + k][5][row] for k in range(2)]
        assert np.array_equal(later[i], history[time + 2][0][row])
        assert np.array_equal(legal[i], history[time + 2][1][row])


def test_nothing_is_drawn_before_its_successors_are_known():
    memory, _ = filled(2)
    assert memory.sample(4, np.random.default_rng(0), 1.0) is None
    memory, _ = filled(20, useful=False)
    assert memory.sample(4, np.random.default_rng(0), 1.0) is None


def test_ends_are_spread_backward_with_the_sign_of_the_actor():
    memory, history = filled(40, capacity=400)
    checked = 0
    for row in range(memory.rows):
        for time in range(40):
            end = next((t for t in range(time, 40) if history[t][5][row]), None)
            if end is None:
                continue
            same = history[end][2][row] == history[time][2][row]
            pays = history[end][4][row][0 if same else 1]
            assert memory.returns[time, row] == pytest.approx(pays * 0.5 ** (end - time))
            checked += 1
    assert checked > 80


def test_a_forgotten_game_keeps_only_its_last_ply():
    memory, _ = filled(23, capacity=400)
    begun = memory.begun.copy()
    memory.forget(np.array([True, False, False, True]))
    for row in range(memory.rows):
        for time in range(23):
            gone = row in (0, 3) and begun[row] <= time < 22
            assert memory.useful[time, row] == (not gone)
    drawn = memory.sample(300, np.random.default_rng(5), 1.0)
    times, rows = np.divmod(drawn.slots, memory.rows)
    assert memory.useful[times, rows].all()


def test_surprise_is_drawn_more_often():
    memory, _ = filled(30, alpha=1.0)
    rng = np.random.default_rng(4)
    some = memory.sample(40, rng, 1.0).slots
    memory.update_priorities(np.unique(some), np.zeros(len(np.unique(some)), np.float32))
    memory.update_priorities(some[:1], np.array([50.0], np.float32))
    drawn = memory.sample(1000, rng, 1.0)
    hit = drawn.slots == some[0]
    assert hit.mean() > 0.3
    assert drawn.weights[hit].max() < drawn.weights[~hit].min()


def test_a_memory_too_small_is_told():
    table = VectorGames(ludus.game("tictactoe"), 10, seed=1)
    with pytest.raises(ValueError, match="a replay memory of 30 is too small for 10 games"):
        ReplayBuffer(table, 30, 2, 0.0)


def test_monte_carlo_returns_count_what_is_paid_on_the_way():
    """Cathedral pays for territory as it is claimed; a slow sum over each game says the same."""
    table = VectorGames(ludus.game("cathedral:size=8"), 3, seed=1, shaping="dense")
    memory, games = ReplayBuffer(table, 3 * 400, 1, 0.0), [[] for _ in range(3)]
    checked, gamma = 0, 0.9
    for time in range(120):
        seen = (table.features.copy(), table.masks.copy(), table.players.copy())
        actions = np.zeros(3, np.int32)
        table.batch.sample(actions)
        paid, ended = table.step(actions)
        memory.add(seen, actions, paid, ended, np.ones(3, np.bool_))
        if ended.any():
            memory.store_returns(ended, gamma)
        for row in range(3):
            games[row].append((time, int(seen[2][row]), paid[row].copy()))
            if not ended[row]:
                continue
            for begun, (at, actor, _) in enumerate(games[row]):
                expected = sum(
                    gamma**later * float(pays[0] if mover == actor else pays[1])
                    for later, (_, mover, pays) in enumerate(games[row][begun:])
                )
                assert memory.returns[at, row] == pytest.approx(expected, abs=1e-4)
                checked += 1
            games[row] = []
        memory.close(ended)
    assert checked > 50


@pytest.mark.parametrize("opponent", ["random", "lagged", "uct:simulations=2", "pool"])
@pytest.mark.parametrize("games", [1, 3])
@pytest.mark.parametrize("prob", [1.0, 0.6])
def test_the_learner_takes_both_sides_in_turn(opponent, games, prob):
    from ludus.learn import ppo
    from tests.learn.small import small

    config = small("ppo", opponent=opponent, n_envs=games, n_steps=16, pool_prob=prob)
    learner = ppo.Learner(ludus.game("tictactoe"), config, 1)
    opponents = learner.collector.opponents
    seen = [[] for _ in range(games)]
    over = opponents.finish_games

    def watched(ended, points):
        for row in np.flatnonzero(ended & (opponents.learner_sides >= 0)):
            seen[row].append(int(opponents.learner_sides[row]))
        over(ended, points)

    opponents.finish_games = watched
    for step in range(1, 13):
        learner.step(step)
    assert sum(map(len, seen)) > 8
    for sides in seen:  # whatever was played against itself between them
        assert all(one != two for one, two in itertools.pairwise(sides))
