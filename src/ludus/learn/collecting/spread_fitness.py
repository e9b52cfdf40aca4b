"""The fitness of a population, parts of which workers find out, wherever they are."""

from __future__ import annotations

import dataclasses
import json
import threading
from contextlib import closing
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from ludus import reading
from ludus.agent import agent, unwrap
from ludus.arena import shards
from ludus.arena.tasks import Message, Result, Workers, results
from ludus.game import Game, game
from ludus.learn.collecting.fitness import RANDOM, SELF, FitnessGames, metrics_of, part_size
from ludus.learn.collecting.vector_games import VectorGames
from ludus.learn.networks.build import Heads, build, encoder_spelling
from ludus.learn.settings.population import PopulationConfig
from ludus.learn.store.components import tensors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.learn.networks.network import Network

WORK = "ludus.learn.collecting.spread_fitness:judge_part"


def fitness_games(
    game: Game, config: PopulationConfig, seed: int, workers: Workers | None
) -> FitnessGames | SpreadFitness:
    """The games that a population is judged by: played here, or by workers elsewhere."""
    if workers is None:
        return FitnessGames(game, config, config.networks, seed)
    return SpreadFitness(game, config, seed, workers)


class SpreadFitness:
    """As `FitnessGames`, played by workers."""

    def __init__(self, game: Game, config: PopulationConfig, seed: int, workers: Workers) -> None:
        self.game, self.config, self.seed, self.workers = game, config, seed, workers
        known = config.opponent in (SELF, RANDOM)
        opponent = None if known else agent(config.opponent, seed=seed)
        shards.check(game, [] if opponent is None else [opponent])
        self.mark = "" if opponent is None else shards.made_of(unwrap(opponent))
        self.table = VectorGames(game, 1, seed, planes=config.planes)  # for its shape
        self.met: tuple[NDArray[np.float32], NDArray[np.bool_]] | None = None

    def fitness(self, network: Network, rows: Tensor, seed: int) -> NDArray[np.float64]:
        """Points a game of each row of weights; `network` as it is sits opposite in `self`."""
        network.eval()
        found = np.zeros(len(rows))
        cuts = self.cuts()
        tasks = list(self.tasks(network, rows, seed, cuts))
        with closing(results(self.workers, WORK, tasks)) as coming:
            for place, result in coming:
                found[cuts[place]] = result["points"]
                if "features" in result:
                    self.met = result["features"], result["masks"]
        return found

    def cuts(self) -> list[slice]:
        """Whole parts for each worker."""
        networks, part = self.config.networks, part_size(self.config.networks)
        parts = -(-networks // part)
        each = part * -(-parts // self.workers.count)
        return [slice(low, min(low + each, networks)) for low in range(0, networks, each)]

    def tasks(self, network: Network, rows: Tensor, seed: int, cuts: list[slice]) -> Any:
        """What each of them is sent."""
        state = {name: one.numpy() for name, one in network.state_dict().items()}
        encoder = ""
        if self.config.encoder:
            arrays = {f"network/{name}": one for name, one in state.items()}
            encoder = encoder_spelling(arrays, self.table.shape)
        settings = dataclasses.asdict(self.config)
        names = [field.name for field in dataclasses.fields(PopulationConfig)]
        config = {**{name: settings[name] for name in names}, "init": "", "encoder": encoder}
        for cut in cuts:
            yield {
                "about": json.dumps(
                    {
                        "game": self.game.spelling,
                        "config": config,
                        "networks": self.config.networks,
                        "count": cut.stop - cut.start,
                        "seed": self.seed,
                        "mark": self.mark,
                    }
                ),
                "network": state,
                "rows": rows[cut].numpy(),
                "seed": seed,
                "first": cut.start == 0,
            }

    def head_metrics(self, network: Network) -> dict[str, float]:
        """Whether the policy still tells actions apart, in positions that were just met."""
        if self.met is None:
            return {}
        features, masks = self.met
        return metrics_of(network, np.array(features), np.array(masks))


def judge_part(task: Message) -> Result:
    """The fitness of some networks, where they were sent."""
    games, network = prepared(task["about"], threading.get_ident())
    network.load_state_dict(tensors(dict(task["network"])))
    points = games.fitness(network, torch.tensor(task["rows"]), task["seed"])
    if not task["first"]:
        return {"points": points}
    features, masks = games.positions_met()
    return {"points": points, "features": features, "masks": masks}


@lru_cache(maxsize=4)
def prepared(about: str, thread: int) -> tuple[FitnessGames, Network]:
    """Games and a network for a part of a population; each thread has its own."""
    told = reading.parse(about)
    on = game(told["game"])
    config = PopulationConfig(**told["config"])
    torch.set_num_threads(config.threads)
    games = FitnessGames(on, config, told["count"], told["seed"])
    games.part = part_size(told["networks"])
    if games.agent is not None:
        shards.check_file(config.opponent, shards.made_of(unwrap(games.agent)), told["mark"])
    table = games.table
    heads = Heads(value=False)
    return games, build(on, config, table.shape, table.num_actions, 0, heads)
