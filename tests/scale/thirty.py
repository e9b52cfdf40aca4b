"""Nodes of a cluster are killed at random moments; what comes out is what comes out undisturbed.

`python -m tests.scale.thirty --kills 30 --seed 5` plays a match, judges a population and trains
AlphaZero, in step and not, in turn on three nodes, one of which is killed every few seconds and
replaced.
"""

import argparse
import dataclasses
import time

import ludus
from ludus.learn import algorithm, alphazero
from ludus.scale import ray_workers as on_ray

from ..learn.small import everything, same, small
from .killing import killing_nodes, nodes

MATCH = ("connect4", "uct:simulations=3000", "uct:simulations=2500")
CEM = small("cem", population_size=8, fitness_games=8, steps=4)
ZERO = small("alphazero", steps=4, n_pools=4, simulations=16, n_envs=8)


def course(score):
    return [dataclasses.replace(one, seconds=()) for one in score.played]


def play(place):
    return course(ludus.match(*MATCH, games=24, seed=7, **place))


def train_out_of_step(place):
    """It does not repeat; but nothing is taken in twice, and nothing is too old."""
    if not place:
        return
    config = dataclasses.replace(ZERO, window=100_000, steps=6)
    steps = list(alphazero.train(ludus.game("connect4"), config, seed=3, max_staleness=2, **place))
    window = steps[-1].parts["window"]
    assert steps[-1].number == 6
    assert window.written == steps[-1].metrics["positions"] >= 6 * config.positions_per_step
    assert all(step.metrics["staleness_max"] <= 2 for step in steps)


def train(method, config, place):
    *_, last = algorithm(method).train(ludus.game("connect4"), config, seed=3, **place)
    return everything(last.snapshot())


WORK = {
    "match": play,
    "cem": lambda place: train("cem", CEM, place),
    "alphazero": lambda place: train("alphazero", ZERO, place),
    "out of step": train_out_of_step,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    undisturbed = {name: do({}) for name, do in WORK.items()}
    done, started = 0, time.monotonic()
    with nodes(3) as (cluster, ray), on_ray.RayWorkers(ray, 3) as workers:
        with killing_nodes(cluster, workers, args.kills, args.seed) as (killed, failed):
            while len(killed) < args.kills:
                assert not failed, failed
                for name, do in WORK.items():
                    found = do({"workers": workers})
                    if name in ("match", "out of step"):
                        assert found == undisturbed[name]
                    else:
                        same(found, undisturbed[name])
                    done += 1
                    spent = time.monotonic() - started
                    told = f"{spent:.0f} s: {done} pieces of work the same"
                    print(f"{told}, {len(killed)} nodes killed, {workers.summary()}", flush=True)
        assert workers.lost
    print(f"{len(killed)} nodes were killed, and every result was that of an undisturbed run")


if __name__ == "__main__":
    main()
