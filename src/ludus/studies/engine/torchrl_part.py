"""PPO by TorchRL's own parts on our environment, as the super tic-tac-toe paper has it.

Its collector plays, GAE gives the advantages, a ReplayBuffer hands out minibatches, ClipPPOLoss is
minimised, and a scheduler lowers the learning rate.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Agent
from ludus.arena.match import match
from ludus.files import write
from ludus.game import game as make_game
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.games import numbers_of

if TYPE_CHECKING:
    from ludus.learn.networks.network import Network

WEIGHTS = "weights.safetensors"
CLIP, VALUE, ENTROPY, LAMBDA, NORM = 0.2, 0.2, 0.02, 0.95, 0.5
SMOOTH = "smooth_l1"


@dataclass(frozen=True)
class TorchRlTraining:
    """So many epochs, each a batch of frames that is learned from several times."""

    game: str
    epochs: int
    reward: str = "designed"
    opponent: str = "self"
    planes: str = "paper"
    weighting: bool = True
    opponent_first: float = 0.0
    width: int = 128
    blocks: int = 4
    n_envs: int = 16
    frames: int = 1_024  # of an epoch
    passes: int = 4
    minibatch: int = 128
    learning_rate: float = 3e-4
    weight_decay: float = 1e-4
    gamma: float = 0.99
    measured: tuple[int, ...] = ()  # epochs after which it plays
    games: int = 100  # of such a measurement
    seed: int = 1

    @property
    def title(self) -> str:
        return f"PPO by TorchRL on {self.game}, {self.epochs} epochs against {self.opponent}"

    def guess(self) -> float:
        work = self.epochs * self.frames * (2 + 3 * self.passes) * self.blocks
        return 1.6e-6 * work * math.sqrt(self.width) * self.width

    def network(self, seed: int) -> Network:
        """An actor, or a critic: the paper's network has one for each."""
        from ludus.learn.networks.network import network
        from ludus.learn.networks.weighting import Weighting, cells_of

        game = make_game(self.game)
        shape, actions = game.start().shape(self.planes), game.num_actions
        made = network(
            "supertictactoe",
            shape,
            actions,
            seed=seed,
            width=self.width,
            blocks=self.blocks,
            bounded=True,
        )
        if self.weighting:
            made.weighting = Weighting(shape, cells_of(game, self.planes))
        return made

    def work(self, bench: Bench) -> dict[str, Any]:
        import torch

        from ludus.studies.engine.torchrl_loop import learn

        torch.manual_seed(self.seed)
        torch.set_num_threads(1)
        actor, critic = self.network(self.seed), self.network(self.seed + 1)
        course: list[dict[str, float]] = []
        numbers: dict[str, dict[str, float]] = {}
        for line in learn(self, actor, critic):
            epoch = int(line["step"])
            if epoch in self.measured or epoch == self.epochs:
                found = self.measure(actor)
                numbers |= {f"{name} at {epoch}": one for name, one in found.items()}
                line |= {"win_rate random": found["wins as first"]["value"]}
            course.append(line)
            bench.tell(epoch / self.epochs, f"epoch {epoch}")
        bench.folder.mkdir(parents=True, exist_ok=True)
        write(bench.folder / WEIGHTS, weights_bytes(actor))
        return {"numbers": numbers, "course": course}

    def measure(self, actor: Network) -> Mapping[str, dict[str, float]]:
        """Games against random; half of them as the first, as the paper counts."""
        import copy

        score = match(
            self.game,
            agent_of(copy.deepcopy(actor), self.planes),
            "random",
            games=2 * self.games,
            seed=self.seed,
            openings="none",
        )
        return numbers_of(score)


@dataclass(frozen=True)
class ByTorchRl:
    """What TorchRL has trained, as an agent."""

    training: TorchRlTraining

    @property
    def title(self) -> str:
        return self.training.title

    def spelled(self, bench: Bench) -> str:
        return str(bench.store.place(self.training))

    def made(self, bench: Bench) -> Agent:
        import safetensors.numpy
        import torch

        from ludus import reading

        network = self.training.network(self.training.seed)
        data = reading.data(bench.store.place(self.training) / WEIGHTS, most=1 << 30)
        arrays = safetensors.numpy.load(data)
        network.load_state_dict({name: torch.from_numpy(one) for name, one in arrays.items()})
        return agent_of(network, self.training.planes)


def agent_of(network: Network, planes: str) -> Agent:
    """It plays its likeliest move."""
    from ludus.learn.networks.player import NetworkAgent, in_torch

    return NetworkAgent(in_torch(network), planes=planes)


def weights_bytes(network: Network) -> bytes:
    """Its weights as a file."""
    import safetensors.numpy

    arrays = {name: np.ascontiguousarray(one) for name, one in network.arrays.items()}
    data: bytes = safetensors.numpy.save(arrays)
    return data
