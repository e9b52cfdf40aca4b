"""How long a step takes: a few of them where they are small, else its parts, a bounded amount."""

from __future__ import annotations

import copy
import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from ludus.learn.networks.encoder import Vae
from ludus.learn.networks.onnx import graph_of, in_onnx
from ludus.learn.networks.optimizers import make_optimizer
from ludus.learn.settings.config import Common
from ludus.learn.settings.footprint import Work

if TYPE_CHECKING:
    from ludus.game import Game

MOST = 4e9  # multiplications of one try, of each kind: a second or less
MOST_LOOKED = 5_000  # positions of a step that is tried whole
BACK = 3  # times that learning from a position costs what seeing it does
SECONDS, TIMES = 1.0, 5  # of tries of each kind, at most
LONG = 10**9  # steps: a try does not come to its end
PATIENCE = 5.0  # seconds, until a training that is tried has begun to learn
WHOLE = "measured over the first steps"
IN_PARTS = "estimated: the network's part, measured on some positions"


@dataclass(frozen=True)
class Trial:
    """How much is tried at a time: whole steps, or so many positions seen and learned from."""

    whole: bool
    rows: int
    batch: int

    def positions(self, work: Work) -> float:
        """That the network sees in one try, those that it learns from as often as that costs."""
        if self.whole:
            return work.looked + BACK * work.learned
        return self.rows + BACK * self.batch


def plan_trial(config: Common, work: Work, each: float) -> Trial:
    """What can be tried, where seeing a position takes so many multiplications."""
    step = work.looked + BACK * work.learned
    whole = step * each <= MOST and work.looked <= MOST_LOOKED
    room = int(MOST / each)
    rows = min(room, getattr(config, "n_envs", 64) * getattr(config, "population_size", 1))
    return Trial(whole, max(1, rows), max(1, min(room // BACK, getattr(config, "batch_size", 64))))


def multiplications(network: nn.Module, game: Game) -> float:
    """Of seeing one position: kernels of convolutions meet every cell."""
    _, rows, columns = game.start().shape()
    weights = network.parameters()
    return float(sum(p.numel() * (rows * columns if p.dim() == 4 else 1) for p in weights))


def measure_step(
    game: Game, module: Any, config: Common, seed: int, learner: Any, work: Work, each: float
) -> tuple[float, str]:
    """Seconds of a step, and how they were found."""
    amount = plan_trial(config, work, each)
    if amount.whole:
        del learner
        return time_steps(game, module, config, seed), WHOLE
    network, shape = learner.parts["network"], game.start().shape(config.planes)
    seconds = 0.0
    if work.looked:
        look = in_onnx(graph_of(network.eval()))
        rows = torch.rand(amount.rows, *shape).numpy()
        seconds += work.looked / amount.rows * median_seconds(lambda: look(rows))
    if work.learned:
        drawn = torch.rand(amount.batch, *shape)
        seconds += work.learned / amount.batch * median_seconds(update(network, drawn))
    return seconds, IN_PARTS


def update(network: nn.Module, seen: Tensor) -> Callable[[], None]:
    """A step of a copy down some gradient: which one does not change how long it takes."""
    copied = copy.deepcopy(network).requires_grad_(True).train()
    optimizer = make_optimizer(copied.parameters(), lr=1e-6)
    latent = network.mean.out_features if isinstance(network, Vae) else 0

    def update() -> None:
        found = copied(seen, torch.rand(len(seen), latent)) if latent else copied(seen)
        loss = torch.stack([part.square().mean() for part in found if part is not None]).sum()
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()

    return update


def median_seconds(work: Callable[[], Any]) -> float:
    """The median of some times after a first, which is another kind."""
    work()
    spent: list[float] = []
    while len(spent) < TIMES and sum(spent) < SECONDS:
        started = time.perf_counter()
        work()
        spent.append(time.perf_counter() - started)
    return median(spent)


def time_steps(game: Game, module: Any, config: Common, seed: int) -> float:
    """The seconds of a step that learns, or of any if none did in time."""
    spent: list[float] = []
    learns = False
    begun = started = time.perf_counter()
    for step in module.train(game, shorten(config), seed=seed):
        now = time.perf_counter()
        if has_begun(step.parts) and not learns:
            learns, spent = True, []  # the steps before were another kind
        spent.append(now - started)
        enough = sum(spent) > SECONDS or len(spent) >= TIMES
        if (enough and learns) or now - begun > PATIENCE:
            break
        started = time.perf_counter()
    return median(spent)


def has_begun(parts: Any) -> bool:
    """Whether it has begun: an optimizer, where there is one, has moments to remember."""
    return "optimizer" not in parts or bool(parts["optimizer"].state)


def shorten(config: Common) -> Common:
    """The same settings, but that learning begins at once and goes on for long enough."""
    starts = "learning_starts"  # which not every method has
    sooner = {}
    if hasattr(config, starts):
        sooner[starts] = min(getattr(config, starts), getattr(config, "batch_size", 64))
    return dataclasses.replace(config, steps=LONG, total_games=0, **sooner)
