"""The model of a large cluster keeps the laws of queues, and what is measured with few workers."""

import random
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
    got = model.simulate(costs, workers, 4000)
    task = costs.task(workers)
    per_task = costs.task_overhead + task * costs.position_overhead
    most = min(
        workers * costs.positions_per_second,
        costs.learn_rate,
        task / per_task,
        costs.bandwidth / costs.sample_bytes,
    )
    assert 0.9 * most <= got.positions_per_second <= 1.05 * most
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


@pytest.mark.parametrize("load", [0.3, 0.6, 0.8])
@pytest.mark.parametrize("exponential", [True, False])
def test_who_comes_at_random_waits_as_the_theory_of_queues_says(model, load, exponential):
    """M/M/1 waits load / (1 - load) services on average, M/D/1 half of that."""
    rng, server, now, waited = random.Random(7), model.Server(), 0.0, 0.0
    count = 300_000
    for _ in range(count):
        now += rng.expovariate(load)
        service = rng.expovariate(1.0) if exponential else 1.0
        waited += server.serve(now, service) - now - service
    expected = load / (1 - load) * (1.0 if exponential else 0.5)
    assert waited / count == pytest.approx(expected, rel=0.06)
    assert server.busy / now == pytest.approx(load, rel=0.02)


EXACT = {"spread": 0.0, "step": 512, "least_task": 1, "weight_bytes": 0.0, "pools_per_worker": 1}


@pytest.mark.parametrize("learn_per_second", [300.0, 1000.0, 5000.0])
@pytest.mark.parametrize("max_staleness", [0, 1, 3])
def test_one_worker_with_one_pool_takes_turns_with_the_learner(
    model, learn_per_second, max_staleness
):
    """Without staleness one after the other; else whoever is slower decides."""
    costs = replace(
        model.Costs(), **EXACT, learn_per_second=learn_per_second, max_staleness=max_staleness
    )
    per_task = costs.task_overhead + 512 * costs.position_overhead
    playing = 512 / 400 + 512 * costs.sample_bytes / costs.bandwidth + per_task
    learning = 512 / costs.learn_rate
    cycle = max(playing, learning) if max_staleness else playing + learning
    got = model.simulate(costs, 1, 4000)
    assert got.positions_per_second == pytest.approx(512 / cycle, rel=0.005)
    assert got.staleness_max <= max_staleness


@pytest.mark.parametrize("workers", [1, 4, 20, 50])
def test_workers_that_share_a_driver_are_the_repairmans_machines(model, workers):
    """Without chance: each a cycle of its own until the driver is full."""
    costs = replace(model.Costs(), spread=0.0, learn_per_second=1e9, task_overhead=0.05, step=256)
    per_task = costs.task_overhead + 256 * costs.position_overhead
    cycle = 256 / 400 + 256 * costs.sample_bytes / costs.bandwidth + per_task
    got = model.simulate(costs, workers, 600)
    assert costs.task(workers) == 256
    assert got.played_per_second == pytest.approx(
        256 * min(workers / cycle, 1 / per_task), rel=0.02
    )


@pytest.mark.parametrize("workers", [1, 2, 7, 64, 500])
@pytest.mark.parametrize("max_staleness", [0, 1, 4])
def test_nothing_is_staler_than_allowed(model, workers, max_staleness):
    costs = replace(model.Costs(), max_staleness=max_staleness, spread=0.5)
    got = model.simulate(costs, workers, 600)
    assert got.positions_per_second > 0
    assert got.staleness <= got.staleness_max <= max_staleness


def test_it_repeats_with_its_seed(model):
    one, two, three = (model.simulate(model.Costs(), 7, 100, seed) for seed in (1, 1, 2))
    assert one == two
    assert one != three
