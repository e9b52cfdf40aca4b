"""A moment of training: what it measured, all that it remembers, and what plays now."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludus.agent import Agent
from ludus.learn.store.components import Saved, saved

if TYPE_CHECKING:
    from ludus.learn.networks.network import Network
    from ludus.learn.networks.values import Seen


class Diverged(ValueError):  # noqa: N818  (an event that stops a training)
    """A number that is none has turned up; it is named."""


@dataclass(frozen=True)
class Step:
    """What `train` yields. Its agent is a copy: training goes on without it."""

    number: int
    metrics: Mapping[str, float]
    parts: Mapping[str, Any]  # all that goes on living
    network: Network | None = None  # what plays
    planes: str = "full"
    values: str = "policy"  # what the network's numbers are: policy (logits) or actions (values)
    simulations: int = 0  # of a search in which its strength is measured
    returns: Seen | None = None  # so far, where a training counts them
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the training

    @property
    def games(self) -> int:
        return int(self.metrics.get("games", 0))

    @property
    def agent(self) -> Agent:
        from ludus.learn.networks.player import NetworkAgent, Scale, in_torch
        from ludus.learn.networks.values import scale_of

        if self.network is None:
            raise ValueError("this training makes no agent")
        evaluator = in_torch(copy.deepcopy(self.network))
        scale = scale_of(self.settings, self.values, self.returns) or Scale()
        return NetworkAgent(evaluator, self.values, self.planes, self.simulations, scale=scale)

    def saved(self) -> Saved:
        """All of it, to be stored before the next step."""
        return saved(self.number, self.parts)
