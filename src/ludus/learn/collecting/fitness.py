"""How good many networks are: each plays the same games, all of them at once.

Common random numbers: the games of every network begin alike, meet the same chance and the same
random opponents, so that networks differ and luck does not. So a part of the population has the
same fitness wherever it is judged (`spread_fitness.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.func import functional_call, vmap

from ludus.agent import agent
from ludus.game import Game
from ludus.learn.collecting.batched_opponents import choose_actions, pick
from ludus.learn.collecting.vector_games import VectorGames
from ludus.learn.networks.masked import head_metrics, log_policy, softmax
from ludus.learn.settings.population import PopulationConfig

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.learn.networks.network import Network

SELF, RANDOM = "self", "random"
PARTS, MOST_IN_PART = 16, 8  # parts of a population at least, if it has so many, and their size


def part_size(population: int) -> int:
    """How many networks are asked in one product: of its shape depends how sums are rounded."""
    return max(1, min(MOST_IN_PART, population // PARTS))


def search_parameters(network: Network) -> dict[str, Tensor]:
    """The weights to search among, by name; those of a frozen encoder stay as they are."""
    return {name: one for name, one in network.named_parameters() if one.requires_grad}


def flatten_weights(network: Network) -> Tensor:
    """All of them in one row."""
    return torch.cat(
        [parameter.detach().reshape(-1) for parameter in search_parameters(network).values()]
    )


def load_flat(network: Network, weights: Tensor) -> None:
    """Put a row of weights back."""
    start = 0
    with torch.no_grad():
        for parameter in search_parameters(network).values():
            count = parameter.numel()
            parameter.copy_(weights[start : start + count].view_as(parameter))
            start += count


def unflatten_weights(network: Network, rows: Tensor) -> dict[str, Tensor]:
    """Rows of weights by their names: [networks, ...] each."""
    found, start = {}, 0
    for name, parameter in search_parameters(network).items():
        count = parameter.numel()
        found[name] = rows[:, start : start + count].reshape(len(rows), *parameter.shape)
        start += count
    return found


@torch.no_grad()
def metrics_of(
    network: Network, features: NDArray[np.float32], masks: NDArray[np.bool_]
) -> dict[str, float]:
    """Whether the policy still tells actions apart in some positions."""
    if not len(features):
        return {}
    return head_metrics(log_policy(network(torch.from_numpy(features))[0], torch.from_numpy(masks)))


class FitnessGames:
    """The games that a population is judged by: row p * games + i is game i of network p."""

    def __init__(self, game: Game, config: PopulationConfig, population: int, seed: int) -> None:
        self.population, self.games, self.opponent = (
            population,
            config.fitness_games,
            config.opponent,
        )
        self.part = part_size(config.networks)
        self.longest, self.opening, self.sampled = (
            config.max_plies,
            config.random_opening_plies,
            config.sampled,
        )
        self.table = VectorGames(game, population * self.games, seed, planes=config.planes)
        self.turns = np.tile(np.arange(self.games) % 2, population).astype(np.int8)
        known = self.opponent in (SELF, RANDOM)
        self.agent: Any = None if known else agent(self.opponent, seed=seed)
        self.met: list[tuple[NDArray[np.float32], NDArray[np.bool_]]] = []  # by the first network

    def fitness(self, network: Network, rows: Tensor, seed: int) -> NDArray[np.float64]:
        """Points a game of each row of weights; `network` as it is sits opposite in `self`."""
        table, rng = self.table, np.random.default_rng(seed)
        alike = rng.integers(2**63, size=self.games, dtype=np.uint64)
        table.batch.put_randoms(np.tile(alike, self.population))
        table.begin()
        first = table.players.copy()
        turns = self.turns ^ self.side_of_first(rng)
        sides = np.where(first == 0, turns, 1 - turns)  # first in every other game
        points = np.full(len(table), 0.5)
        playing = np.ones(len(table), np.bool_)
        weights = unflatten_weights(network, rows)
        network.eval()
        self.met.clear()
        for ply in range(self.longest):
            draws = np.tile(rng.random(self.games), self.population)
            mine = sides == table.players
            seen = np.flatnonzero((mine & playing)[: self.games])
            self.met.append((table.features[seen], table.masks[seen]))
            if ply < self.opening:
                actions = pick(table.masks.astype(np.float64), draws)
            else:
                ours = self.choose(self.learner_logits(network, weights), draws)
                actions = np.where(mine, ours, self.opponent_actions(network, draws, mine, rng))
            _, ended = table.step(actions.astype(np.int32))
            result = (1 + np.nan_to_num(table.outcomes, nan=0.0)) / 2
            over = playing & ended
            points[over] = np.where(mine, result, 1 - result)[over]
            playing &= ~ended
            if not playing.any():
                break
        return np.asarray(points.reshape(self.population, self.games).mean(1))

    def side_of_first(self, rng: np.random.Generator) -> int:
        """Of the first game: drawn where the games are odd, or one side would be judged more."""
        return int(rng.integers(2)) if self.games % 2 else 0

    def positions_met(self) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Where the first network has just been to move, and what was legal there."""
        features, masks = (np.concatenate(column) for column in zip(*self.met, strict=True))
        return features, masks

    def head_metrics(self, network: Network) -> dict[str, float]:
        """Whether the policy still tells actions apart, in positions that were just met."""
        return metrics_of(network, *self.positions_met()) if self.met else {}

    def learner_logits(self, network: Network, weights: dict[str, Tensor]) -> NDArray[np.float32]:
        """Logits of every row by its own network, all in one go."""
        seen = torch.from_numpy(self.table.features)
        seen = seen.view(self.population, self.games, *seen.shape[1:])
        buffers = dict(network.named_buffers())

        def look(own: dict[str, Tensor], x: Tensor) -> Tensor:
            logits: Tensor = functional_call(network, (own, buffers), (x,))[0]
            return logits

        with torch.no_grad():
            logits = [
                vmap(look)({name: one[part] for name, one in weights.items()}, seen[part])
                for part in self.parts()
            ]
        return np.asarray(torch.cat(logits).reshape(len(self.table), -1).numpy())

    def parts(self) -> list[slice]:
        """The networks that are asked together."""
        starts = range(0, self.population, self.part)
        return [slice(start, min(start + self.part, self.population)) for start in starts]

    def opponent_actions(
        self,
        network: Network,
        draws: NDArray[np.float64],
        mine: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """What sits opposite chooses."""
        table = self.table
        if self.opponent == RANDOM:
            return pick(table.masks.astype(np.float64), draws)
        if self.opponent == SELF:
            seen = torch.from_numpy(table.features).view(self.population, self.games, *table.shape)
            with torch.no_grad():
                logits = [network(seen[part].flatten(0, 1))[0] for part in self.parts()]
            return self.choose(torch.cat(logits).numpy(), draws)
        actions = np.zeros(len(table), np.int64)
        rows = np.flatnonzero(~mine)
        seeds = np.tile(rng.integers(2**31, size=self.games), self.population)
        if len(rows):
            actions[rows] = choose_actions(self.agent, table, rows, seeds[rows], draws[rows])
        return actions

    def choose(self, logits: NDArray[np.float32], draws: NDArray[np.float64]) -> NDArray[np.int64]:
        """The likeliest legal action, or one drawn by these numbers."""
        masks = self.table.masks
        if self.sampled:
            return pick(softmax(logits, masks), draws)
        return np.asarray(np.where(masks, logits, -np.inf).argmax(1))
