"""The loop of every training: a learner, put back where it was, and step after step of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import torch

from ludus.learn.run.config import Common
from ludus.learn.run.parts import Saved, restore
from ludus.learn.run.step import Step

if TYPE_CHECKING:
    from ludus.game import Game
    from ludus.learn.net.networks import Network


class Learner(Protocol):
    """All that a training remembers, and what it does in a step."""

    values: str  # what the network's numbers are: policy (logits) or actions (values)

    @property
    def network(self) -> Network | None: ...  # what plays, if anything does

    @property
    def parts(self) -> Mapping[str, Any]: ...

    def step(self, number: int) -> dict[str, float]: ...


def steps(
    make: Callable[[Game, Any, int], Learner],
    game: Game,
    config: Common,
    seed: int,
    saved: Saved | None,
) -> Iterator[Step]:
    """Learn, step by step; goes on from `saved` as if it had never stopped."""
    torch.set_num_threads(config.threads)
    learner = make(game, config, seed)
    if saved is not None:
        restore(learner.parts, saved)
    for number in range((saved.step if saved else 0) + 1, config.steps + 1):
        metrics = learner.step(number)
        yield Step(
            number,
            metrics,
            learner.parts,
            learner.network,
            config.planes,
            learner.values,
            getattr(config, "evaluate_simulations", 0),
        )
