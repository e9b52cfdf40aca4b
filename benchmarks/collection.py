"""Positions collected for learning, beside what the network alone can look at."""

import resource

import torch
from harness import Row, Work, compare, main

import ludus
from ludus.learn import ppo
from ludus.learn.collecting.rollout import rolled

GAMES, PLIES = 1024, 32
NETWORKS = {"mlp": {}, "conv": {}, "residual": {"width": 64, "blocks": 5}}


def learner(name: str, network: str) -> ppo.Learner:
    """A table and a network, before any learning."""
    torch.set_num_threads(1)
    config = ppo.Config(games=GAMES, plies=PLIES, network=network, **NETWORKS[network])
    return ppo.Learner(ludus.game(name), config, seed=1)


def collecting(name: str, network: str) -> Work:
    """Everything between two updates: looking, drawing, playing, keeping."""
    made = learner(name, network)
    playing = made.playing

    def work() -> float:
        rolled(playing.collector, playing.look(PLIES), PLIES, made.room)
        return float(GAMES * PLIES)

    return work


def looking(name: str, network: str) -> Work:
    """The network alone, at the same batch size."""
    playing = learner(name, network).playing
    look, features = playing.look(PLIES), playing.table.features

    def work() -> float:
        look(features)
        return float(GAMES)

    return work


def measured(name: str) -> list[Row]:
    """A row a network."""
    rows = [
        compare(
            f"{name}, {network}",
            "positions/s",
            collecting(name, network),
            "network alone",
            looking(name, network),
        )
        for network in NETWORKS
    ]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [*rows, Row(name, peak, "MB at peak")]


if __name__ == "__main__":
    main(__doc__, {name: lambda name=name: measured(name) for name in ludus.game_names()})
