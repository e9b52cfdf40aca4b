"""Positions collected for learning, beside what the network alone can look at."""

import resource

import torch
from harness import EFFORT, Row, Work, compare, main

import ludus
from ludus.learn import ppo
from ludus.learn.collecting.rollout import collect_rollout

GAMES, PLIES = 1024, 32
FEW = 32  # games, for a look at whether it runs
NETWORKS = {"mlp": {}, "conv": {}, "residual": {"width": 64, "blocks": 5}}


def games() -> int:
    """How many in step."""
    return FEW if EFFORT.quick else GAMES


def learner(name: str, network: str) -> ppo.Learner:
    """A table and a network, before any learning."""
    torch.set_num_threads(1)
    config = ppo.Config(n_envs=games(), n_steps=PLIES, network=network, **NETWORKS[network])
    return ppo.Learner(ludus.game(name), config, seed=1)


def collect_work(name: str, network: str) -> Work:
    """Everything between two updates: looking, drawing, playing, keeping."""
    made = learner(name, network)
    collector = made.collector

    def work() -> float:
        collect_rollout(collector, collector.evaluator(PLIES), PLIES, made.buffer)
        return float(games() * PLIES)

    return work


def network_work(name: str, network: str) -> Work:
    """The network alone, at the same batch size."""
    collector = learner(name, network).collector
    evaluate, features = collector.evaluator(PLIES), collector.games.features

    def work() -> float:
        evaluate(features)
        return float(games())

    return work


def measure(name: str) -> list[Row]:
    """A row a network."""
    rows = [
        compare(
            f"{name}, {network}",
            "positions/s",
            collect_work(name, network),
            "network alone",
            network_work(name, network),
        )
        for network in NETWORKS
    ]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [*rows, Row(name, peak, "MB at peak")]


if __name__ == "__main__":
    main(__doc__, {name: lambda name=name: measure(name) for name in ludus.game_names()})
