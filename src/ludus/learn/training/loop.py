"""The loop of every training: a learner, put back where it was, and step after step of it."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import nn

from ludus.agent import Agent
from ludus.game import check_planes
from ludus.learn.networks.build import encoder_spelling
from ludus.learn.networks.optimise import weight_fault
from ludus.learn.networks.plan import Diverged
from ludus.learn.networks.player import NetworkAgent, Scale, in_torch
from ludus.learn.networks.values import scale_of
from ludus.learn.settings.config import Common
from ludus.learn.settings.footprint import check_footprint
from ludus.learn.store.components import Saved, restore_parts, save_parts

if TYPE_CHECKING:
    from ludus.game import Game
    from ludus.learn.networks.network import Network
    from ludus.learn.store.record import ReturnRange


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
    returns: ReturnRange | None = None  # so far, where a training counts them
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the training

    @property
    def games(self) -> int:
        return int(self.metrics.get("games", 0))

    def is_last(self, config: Common) -> bool:
        """Whether the training is at its end."""
        return is_over(config, self.number, self.games)

    @property
    def agent(self) -> Agent:
        if self.network is None:
            raise ValueError("this training makes no agent")
        evaluator = in_torch(copy.deepcopy(self.network))
        scale = scale_of(self.settings, self.values, self.returns) or Scale()
        return NetworkAgent(evaluator, self.values, self.planes, self.simulations, scale=scale)

    def snapshot(self) -> Saved:
        """All of it, to be stored before the next step."""
        return save_parts(self.number, self.parts)


class Learner(Protocol):
    """All that a training remembers, and what it does in a step."""

    values: str  # what the network's numbers are: policy (logits) or actions (values)
    eval_simulations: int  # of the search in which its strength is measured; 0 for none

    @property
    def network(self) -> Network | None: ...  # what plays, if anything does

    @property
    def parts(self) -> Mapping[str, Any]: ...

    def step(self, number: int) -> dict[str, float]: ...

    def games_played(self, number: int) -> int: ...  # games that are over after this step


def train_steps(
    make: Callable[[Game, Any, int], Learner],
    game: Game,
    config: Common,
    seed: int,
    saved: Saved | None,
) -> Iterator[Step]:
    """Learn, step by step; goes on from `saved` as if it had never stopped."""
    torch.set_num_threads(config.threads)
    check_footprint(game, config)
    if saved is None:
        config.check_new()
        check_planes(game, config.planes)
        learner = make(game, config, seed)
    else:
        learner = make(game, without_other_runs(game, config, saved), seed)
        restore_parts(learner.parts, saved)
    try:
        yield from steps_of(learner, config, saved.step if saved else 0)
    finally:
        if close := getattr(learner, "close", None):  # of one whose games go on by themselves
            close()


def steps_of(learner: Learner, config: Common, number: int) -> Iterator[Step]:
    """Step after step, from the one after this number."""
    while not is_over(config, number, learner.games_played(number)):
        number += 1
        metrics = run_step(learner, number)
        returns = learner.parts.get("returns")
        yield Step(
            number,
            metrics,
            learner.parts,
            learner.network,
            config.planes,
            learner.values,
            learner.eval_simulations,
            None if returns is None else returns.seen,
            dataclasses.asdict(config),
        )


def untrained_step(
    make: Callable[[Game, Any, int], Learner], game: Game, config: Any, seed: int
) -> Step:
    """Step 0: what a training begins with."""
    torch.set_num_threads(config.threads)
    check_footprint(game, config)
    config.check_new()
    check_planes(game, config.planes)
    learner = make(game, config, seed)
    return Step(
        0,
        {"games": 0},
        learner.parts,
        learner.network,
        config.planes,
        learner.values,
        learner.eval_simulations,
        settings=dataclasses.asdict(config),
    )


def is_over(config: Common, step: int, games: int) -> bool:
    """Whether a training that has come so far is at its end."""
    return 0 < config.steps <= step or 0 < config.total_games <= games


def run_step(learner: Learner, number: int) -> dict[str, float]:
    """One step; where numbers go bad the weights that did are told with it."""
    try:
        metrics = learner.step(number)
    except Diverged as error:
        cause = find_divergence(learner.parts)
        known = not cause or cause in str(error)
        raise Diverged(str(error) if known else f"{error}: {cause}") from None
    if cause := find_divergence(learner.parts):
        raise Diverged(cause)
    return metrics


def find_divergence(parts: Mapping[str, Any]) -> str:
    """What is wrong with the weights of any network that is remembered, if anything."""
    networks = [part for part in parts.values() if isinstance(part, nn.Module)]
    return next(filter(None, map(weight_fault, networks)), "")


def without_other_runs(game: Game, config: Common, saved: Saved) -> Common:
    """The same settings for weights that are known: no other run is asked for its own."""
    encoder = ""
    if config.encoder:
        try:
            encoder = encoder_spelling(saved.arrays, game.start().shape(config.planes))
        except ValueError as wrong:
            raise ValueError(f"{saved.origin} is damaged: {wrong}") from None
    return dataclasses.replace(config, init="", encoder=encoder)
