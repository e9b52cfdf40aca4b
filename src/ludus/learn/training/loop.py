"""The loop of every training: a learner, put back where it was, and step after step of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import nn

from ludus.game import check_planes
from ludus.learn.networks.build import sizes_of
from ludus.learn.networks.optimise import ill
from ludus.learn.networks.precision import check_precision
from ludus.learn.settings.config import Common
from ludus.learn.settings.footprint import check_footprint
from ludus.learn.store.components import Saved, restore
from ludus.learn.training.step import Diverged, Step

if TYPE_CHECKING:
    from ludus.game import Game
    from ludus.learn.networks.network import Network


class Learner(Protocol):
    """All that a training remembers, and what it does in a step."""

    values: str  # what the network's numbers are: policy (logits) or actions (values)

    @property
    def network(self) -> Network | None: ...  # what plays, if anything does

    @property
    def parts(self) -> Mapping[str, Any]: ...

    def step(self, number: int) -> dict[str, float]: ...

    def played(self, number: int) -> int: ...  # games that are over after this step


def steps(
    make: Callable[[Game, Any, int], Learner],
    game: Game,
    config: Common,
    seed: int,
    saved: Saved | None,
) -> Iterator[Step]:
    """Learn, step by step; goes on from `saved` as if it had never stopped."""
    torch.set_num_threads(config.threads)
    check_precision(getattr(config, "precision", "float32"))
    check_footprint(game, config)
    if saved is None:
        check_planes(game, config.planes)
        learner = make(game, config, seed)
    else:
        learner = make(game, settled(game, config, saved), seed)
        restore(learner.parts, saved)
    number = saved.step if saved else 0
    while not config.over(number, learner.played(number)):
        number += 1
        metrics = stepped(learner, number)
        returns = learner.parts.get("returns")
        yield Step(
            number,
            metrics,
            learner.parts,
            learner.network,
            config.planes,
            learner.values,
            getattr(config, "evaluate_simulations", 0),
            None if returns is None else returns.seen,
            dataclasses.asdict(config),
        )


def stepped(learner: Learner, number: int) -> dict[str, float]:
    """One step; where numbers go bad the weights that did are told with it."""
    try:
        metrics = learner.step(number)
    except Diverged as error:
        cause = diverged(learner.parts)
        known = not cause or cause in str(error)
        raise Diverged(str(error) if known else f"{error}: {cause}") from None
    if cause := diverged(learner.parts):
        raise Diverged(cause)
    return metrics


def diverged(parts: Mapping[str, Any]) -> str:
    """What is wrong with the weights of any network that is remembered, if anything."""
    networks = [part for part in parts.values() if isinstance(part, nn.Module)]
    return next(filter(None, map(ill, networks)), "")


def settled(game: Game, config: Common, saved: Saved) -> Common:
    """The same settings for weights that are known: no other run is asked for its own."""
    encoder = ""
    if config.encoder:
        try:
            encoder = sizes_of(saved.arrays, game.start().shape(config.planes))
        except ValueError as wrong:
            raise ValueError(f"{saved.origin} is damaged: {wrong}") from None
    return dataclasses.replace(config, init="", encoder=encoder)
