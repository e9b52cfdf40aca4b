"""Positions collected for PPO, beside PettingZoo's tutorial with MaskablePPO at equal network."""

import warnings

import peers
import torch
from harness import Row, Work, compare, main

import ludus
from ludus.learn import ppo
from ludus.learn.collecting.rollout import collect_rollout

GAMES, PLIES = 256, 32
WIDTH, LAYERS = 128, 2  # of actor and critic each, which share nothing
TUTORIAL_STEPS = 64  # of theirs at a time; a rollout of theirs is 2048 as it comes


def collect_work(name: str) -> Work:
    """A step of PPO without its learning: the graph made, then looking, drawing, playing."""
    torch.set_num_threads(1)
    config = ppo.Config(
        n_envs=GAMES,
        n_steps=PLIES,
        network="mlp",
        width=WIDTH,
        blocks=LAYERS,
        separate_networks=True,
    )
    collector = ppo.Learner(ludus.game(name), config, seed=1).collector

    def work() -> float:
        collect_rollout(collector, collector.evaluator(PLIES), PLIES)
        return float(GAMES * PLIES)

    return work


def measure(name: str) -> list[Row]:
    """One row."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peers' own
        theirs = peers.maskable_ppo_collect(name, WIDTH, LAYERS, TUTORIAL_STEPS)
        return [compare(name, "PPO positions/s", collect_work(name), "MaskablePPO", theirs)]


if __name__ == "__main__":
    main(__doc__, {name: lambda name=name: measure(name) for name in ("connect4", "tictactoe")})
