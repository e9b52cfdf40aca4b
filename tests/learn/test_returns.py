"""Returns beyond [-1, 1]: a training counts their range, and values are divided by it."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

import ludus
from ludus.learn import dqn, ppo
from ludus.learn.collecting.statistics import ReturnStatistics
from ludus.learn.collecting.targets import advantages
from ludus.learn.networks import int8, onnx, values
from ludus.learn.networks.onnx import in_onnx
from ludus.learn.networks.player import NetworkAgent, Scale, in_torch
from ludus.learn.runs.run import Run
from ludus.learn.store.record import ReturnRange
from tests.learn.forger import Copy
from tests.learn.small import everything, same, small

DENSE = ludus.game("cathedral:size=8")
SMALL = {
    "shaping": "dense",
    "planes": "paper",
    "n_envs": 12,
    "network": "zero",
    "width": 8,
    "learning_starts": 40,
    "batch_size": 64,
    "n_steps": 12,
    "train_freq": 12,
    "gradient_steps": 8,
    "learning_rate": 0.005,
    "bounded_value": False,
}
TRAININGS = {"ppo": small("ppo", **SMALL, ema_decay=0.0), "dqn": small("dqn", **SMALL)}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Trainings from Cathedral's dense rewards, and their last steps."""
    home = tmp_path_factory.mktemp("runs")
    return {
        name: (home / name, [*Run(home / name, DENSE, name, config, seed=1).steps()][-1])
        for name, config in TRAININGS.items()
    }


def met(seed=1):
    """Positions of random games."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(4):
        state = DENSE.start()
        while state.outcome is None:
            found.append(state)
            state = state.play(int(rng.choice(state.legal())))
    return found


def said(agent, states):
    return np.array([thought.value for thought in agent.think_many(states)])


@pytest.mark.parametrize("name", TRAININGS)
def test_values_of_dense_rewards_keep_their_order_and_do_not_saturate(runs, name):
    path, step = runs[name]
    low, high, size = step.returns
    assert low < -3
    states = met()
    found = said(ludus.agent(f"{path}@last"), states)
    far = NetworkAgent(step.agent.evaluator, step.values, "paper", scale=Scale(1e4))
    raw = said(far, states) * 1e4
    assert np.abs(raw).max() > 1  # what would have been clipped
    assert np.abs(found).max() < 1
    assert found.std() > 0.01
    assert found == pytest.approx(np.tanh(raw / max(size, max(-low, high) / 4)), abs=1e-3)
    assert (np.argsort(found) == np.argsort(raw)).mean() > 0.9  # equal but for rounding


@pytest.mark.parametrize("name", TRAININGS)
def test_torch_and_onnx_and_int8_are_divided_alike(runs, name):
    _, step = runs[name]
    states = met()
    sample = np.stack([state.features("paper") for state in states])
    network, scale = step.network.eval(), step.agent.scale
    graphs = [(onnx.graph_of(network), 1e-4)]
    if int8.can_quantise(network):  # it has a policy and a value
        graphs.append((int8.graph_of(network, torch.from_numpy(sample)), 0.1))
    exact = said(NetworkAgent(in_torch(network), step.values, "paper", scale=scale), states)
    for graph, error in graphs:
        found = said(NetworkAgent(in_onnx(graph), step.values, "paper", scale=scale), states)
        assert found == pytest.approx(exact, abs=error)
    assert len(graphs) == (2 if name == "ppo" else 1)


@pytest.mark.parametrize("name", TRAININGS)
def test_a_search_goes_by_divided_values(runs, name):
    path, step = runs[name]
    state = met()[5]
    thought = ludus.agent(f"{path}@last:simulations=20").think(state)
    assert thought.policy.sum() == pytest.approx(1)
    assert -1 < thought.value < 1
    assert ludus.agent(f"{path}@last").think(state).value == pytest.approx(
        step.agent.think(state).value, abs=1e-4
    )


def older(path, to):
    """The same run as it was stored before ranges were counted."""
    copy = Copy(path, to)
    copy.record.pop("returns")
    copy.record["plain"].pop("returns")
    arrays = {name: array for name, array in copy.arrays.items() if not name.startswith("returns/")}
    copy.data = save(arrays)
    copy.seal()
    return to


@pytest.mark.parametrize("name", TRAININGS)
def test_an_older_run_with_an_unknown_range_refuses_to_search_and_plays(runs, name, tmp_path):
    path = older(runs[name][0], tmp_path / "r")
    with pytest.raises(ValueError, match="stored before their size was: no search can go by"):
        ludus.agent(f"{path}@last:simulations=4")
    assert -1 <= ludus.agent(f"{path}@last").think(DENSE.start()).value <= 1


@pytest.mark.parametrize("name", TRAININGS)
def test_an_older_run_of_outcomes_knows_its_range(name, tmp_path):
    Run(tmp_path / "r", "tictactoe", name, small(name, steps=2, reward_scale=0.25), seed=1).train()
    path = older(tmp_path / "r", tmp_path / "old")
    start = ludus.game("tictactoe").start()
    new, old = (ludus.agent(f"{one}@last:simulations=4") for one in (tmp_path / "r", path))
    assert new.think(start).value == pytest.approx(old.think(start).value, abs=1e-5)


@pytest.mark.parametrize("name", TRAININGS)
def test_an_older_run_goes_on_and_counts_from_now_on(runs, name, tmp_path):
    path = older(runs[name][0], tmp_path / "r")
    Run(path, DENSE).with_config(steps=6).train()
    ludus.agent(f"{path}@last:simulations=4").think(DENSE.start())


@pytest.mark.parametrize("name", TRAININGS)
def test_the_range_goes_on_exactly_where_it_stopped(name, tmp_path):
    module, config = {"ppo": ppo, "dqn": dqn}[name], TRAININGS[name]
    steps = [*module.train(DENSE, config, seed=3)]
    training = module.train(DENSE, config, seed=3)
    next(training), next(training)
    halfway = next(training).snapshot()
    *_, again = module.train(DENSE, config, seed=3, saved=halfway)
    assert again.returns == steps[-1].returns
    same(everything(again.snapshot()), everything(steps[-1].snapshot()))


@pytest.mark.parametrize(
    "returns",
    [
        *([1, 2, 1], [-1], "x", [None, 1, 1], [-1, float("nan"), 1], [-1e300, 0, 1], {"a": 1}),
        *([-1, 1, -1], [False, 1, 1], [-1, 1]),
    ],
)
def test_a_forged_range_is_refused(runs, returns, tmp_path):
    copy = Copy(runs["ppo"][0], tmp_path / "r")
    copy.record["returns"] = returns
    copy.seal()
    with pytest.raises(ValueError, match="is damaged"):
        ludus.agent(f"{tmp_path}/r@last")


def test_what_a_value_is_scaled_by():
    scale, seen = values.scale_of, ReturnRange(-30.0, 4.0, 9.0)
    dense = {"shaping": "dense", "bounded_value": False}
    assert scale({}, "policy", None) == Scale(1)  # what learns outcomes
    assert scale({"reward_scale": 0.1}, "policy", seen) == Scale(0.1)
    assert scale({"reward_scale": 5.0}, "actions", None) == Scale(5)
    assert scale({"reward_scale": 5.0}, "policy", None) == Scale(1)  # bounded
    assert scale({"reward_scale": 0.0}, "policy", None) == Scale(1)
    assert scale(dense, "policy", seen) == Scale(9, beyond=True)
    assert scale(dense, "policy", ReturnRange(-0.5, 1.0, 0.3)) == Scale(1)
    assert scale(dense, "policy", ReturnRange(-80.0, 4.0, 0.0)) == Scale(20, beyond=True)
    assert scale(dense, "policy", None) is None
    assert scale({**dense, "bounded_value": True}, "policy", seen) == Scale(1)
    feared = {"opponent": "9*legality;self", "bounded_value": False}
    assert scale(feared, "policy", None) is None
    assert scale(feared, "actions", None) == Scale(1)


def test_no_value_that_was_seen_saturates():
    scale = values.scale_of({"shaping": "dense"}, "actions", ReturnRange(-80.0, 80.0, 0.0))
    found = scale(np.array([-80, -79.9, 0, 79.9, 80], np.float32))
    assert (np.diff(found) > 0).all()
    assert (np.abs(found) < 1).all()


def test_illegal_ends_count_for_values_of_states_and_not_of_actions():
    paid = np.array([[-50, 0], [1, -1]], np.float32)
    players, ended = np.zeros(2, np.int8), np.ones(2, np.bool_)
    for of_actions, low in ((True, -1), (False, -50)):
        found = ReturnStatistics(2, of_actions=of_actions)
        found.add(players, paid, ended, "own", np.array([True, False]))
        assert found.seen[:2] == (low, 1)


def test_a_bounded_value_that_cannot_follow_is_told(tmp_path):
    config = small("ppo", **{**SMALL, "bounded_value": True, "network": "mlp"}, ema_decay=0.0)
    run = Run(tmp_path / "r", DENSE, "ppo", config, seed=1).train()
    assert len(run.notices) == 1
    assert "a bounded value cannot follow them beyond -1 and 1" in run.notices[0]
    assert not Run(tmp_path / "t", "tictactoe", "ppo", small("ppo"), seed=1).train().notices


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["own", "adversarial", "max"]))
def test_the_range_bounds_every_return_whatever_the_discount(seed, credit):
    rng = np.random.default_rng(seed)
    plies, rows = 12, 3
    players = rng.integers(2, size=(plies + 1, rows)).astype(np.int8)
    paid = (10 * rng.standard_normal((plies, rows, 2))).astype(np.float32)
    ended = rng.random((plies, rows)) < 0.2
    ended[-1] = True
    found = ReturnStatistics(rows, of_actions=False)
    for ply in range(plies):
        found.add(players[ply], paid[ply], ended[ply], credit)
    low, high, size = found.seen
    assert 0 <= size <= max(-low, high) + 1e-9
    nothing = np.zeros((plies + 1, rows), np.float32)
    gamma = float(rng.random())
    for discount in (1.0, gamma):
        returns = advantages(players, paid, ended, nothing, discount, 1.0, credit)
        assert low - 1e-3 <= returns.min()
        assert returns.max() <= high + 1e-3
