"""The model of a large cluster keeps the laws of queues, and what is measured with few workers."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def model():
    folder = str(Path(__file__).parents[2] / "benchmarks")
    sys.path.insert(0, folder)
    import scale_simulation

    yield scale_simulation
    sys.path.remove(folder)
    sys.modules.pop("scale_simulation")


def test_few_workers_are_as_many_times_one(model):
    costs = replace(model.Costs(), learn_per_second=1e9)
    one = model.simulate(costs, 1, 400)
    four = model.simulate(costs, 4, 400)
    assert one.positions_per_second == pytest.approx(costs.positions_per_second, rel=0.05)
    assert four.positions_per_second == pytest.approx(4 * one.positions_per_second, rel=0.05)
    assert four.bottleneck == "workers"


@pytest.mark.parametrize("workers", [3, 40, 300])
def test_nothing_is_faster_than_its_slowest_part(model, workers):
    costs = model.Costs()
    got = model.simulate(costs, workers, 200)
    per_task = costs.task_overhead + costs.task * costs.position_overhead
    most = min(
        workers * costs.positions_per_second,
        model.learn_rate(costs),
        costs.task / per_task,
        costs.bandwidth / costs.sample_bytes,
    )
    assert got.positions_per_second <= 1.05 * most
    assert all(0 <= share <= 1 for share in (got.network, got.driver, got.learner))


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "learner"),
        ({"learn_per_second": 1e9, "task_overhead": 0.1}, "driver"),
        ({"learn_per_second": 1e9, "bandwidth": 1e6}, "network"),
    ],
)
def test_what_saturates_is_named(model, changes, name):
    got = model.simulate(replace(model.Costs(), **changes), 100, 100)
    assert got.bottleneck == name
    assert getattr(got, name) > 0.95


def test_a_server_serves_in_turn(model):
    server = model.Server()
    assert server.serve(0, 2) == 2
    assert server.serve(1, 2) == 4
    assert server.serve(10, 1) == 11
    assert server.busy == 5


def test_it_repeats_with_its_seed(model):
    one, two, three = (model.simulate(model.Costs(), 7, 100, seed) for seed in (1, 1, 2))
    assert one == two
    assert one != three
