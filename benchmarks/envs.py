"""The environment adapters beside their peers: the same loop around both, random legal play."""

import random
import warnings
from typing import Any

import numpy as np
import peers
from harness import Row, Work, compare, main

from ludus.envs import pettingzoo
from ludus.envs.gymnasium import LudusVectorEnv

GAMES = 1024
BATCH = 256  # rows of the TorchRL adapter


def aec_loop(env: Any, games: int) -> Work:
    """PettingZoo's own way to play: `agent_iter`, `last`, `step`."""
    pick = random.Random(1).randrange
    env.reset(seed=1)

    def work() -> float:
        plies = 0
        for _ in range(games):
            env.reset()
            for _agent in env.agent_iter():
                observation, _, over, cut, _ = env.last()
                if over or cut:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[pick(len(legal))]))
                plies += 1
        return plies

    return work


def vector_steps(name: str, opponent: str) -> Work:
    """The first legal action in every row, as the peer's loop has it."""
    envs = LudusVectorEnv(name, GAMES, opponent=opponent)
    held = [envs.reset(seed=1)[1]["action_mask"]]

    def work() -> float:
        actions = np.argmax(held[0], axis=1).astype(np.int32)
        held[0] = envs.step(actions)[4]["action_mask"]
        return float(GAMES)

    return work


def collect_work(env: Any, frames: int) -> Work:
    """Frames through TorchRL's collector with the environment's own random legal policy."""
    import torch
    from torchrl.collectors import Collector

    torch.set_num_threads(1)
    batches = iter(Collector(env, env.rand_action, frames_per_batch=frames, total_frames=-1))

    def work() -> float:
        return float(next(batches).numel())

    return work


def measure_aec(name: str) -> list[Row]:
    """Steps a second through PettingZoo."""
    theirs = aec_loop(peers.pettingzoo_classic(name), 3)
    return [compare(name, "AEC steps/s", aec_loop(pettingzoo.env(name), 30), "pettingzoo", theirs)]


def measure_vector(name: str) -> list[Row]:
    """Steps a second through the vector environment, self-play as the peer has it."""
    peer = peers.envpool_steps(name, GAMES)
    return [
        compare(name, "vector steps/s", vector_steps(name, "self"), "envpool", peer),
        compare(name, "vector, random foe", vector_steps(name, "random"), "envpool", peer),
    ]


def measure_torchrl(name: str) -> list[Row]:
    """Frames a second through TorchRL; a frame of ours is a ply and its answer."""
    from ludus.envs.torchrl import LudusEnv

    many = collect_work(LudusEnv(name, batch_size=BATCH), 10 * BATCH)
    one = collect_work(LudusEnv(name, batch_size=1), 50)
    spiel = collect_work(peers.torchrl_openspiel(name), 50)
    zoo = collect_work(peers.torchrl_pettingzoo(name), 20)
    return [
        compare(name, f"frames/s, batch {BATCH}", many, "torchrl spiel", spiel),
        compare(name, f"frames/s, batch {BATCH}", many, "torchrl zoo", zoo),
        compare(name, "frames/s, batch 1", one, "torchrl spiel", spiel),
        compare(name, "frames/s, batch 1", one, "torchrl zoo", zoo),
    ]


def measure(name: str) -> list[Row]:
    """All adapters of one game."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the peers' own
        return [*measure_aec(name), *measure_vector(name), *measure_torchrl(name)]


if __name__ == "__main__":
    main(__doc__, {name: lambda name=name: measure(name) for name in ("connect4", "tictactoe")})
