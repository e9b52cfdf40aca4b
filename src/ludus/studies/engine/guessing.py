"""How long the parts of a study will take: a little of each is tried."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Mapping
from functools import cache

from ludus.game import game
from ludus.learn import algorithm
from ludus.play import playouts
from ludus.studies.engine.bench import Bench, Tell, nobody
from ludus.studies.engine.games import Games
from ludus.studies.engine.part import Part
from ludus.studies.engine.players import Learned, PlayerGiven, Woven
from ludus.studies.engine.store import Store
from ludus.studies.engine.training import Training

LOOKED = 8  # random games that tell how long games are
ROWS = 64  # positions that a network looks at in a try
ROLLOUT, NODE = 1e-5, 1e-6  # seconds of a simulation with a rollout, and of a node
DEEPER = 6.0  # times the nodes that a ply more of alpha-beta takes
JUDGED = 0.1  # of a decision of alpha-beta that asks a network
ASKED = 0.4  # share of the simulations of a network that ask it; others come to known positions
UNKNOWN = 1e-4  # of a look by a network that nobody tried
ORACLE = 0.05  # of a decision that asks for the truth
Look = Callable[[Training], float]  # seconds that its network takes for a position


def guesses(
    store: Store, parts: Mapping[str, Part], *, trying: bool, tell: Tell = nobody
) -> dict[str, float]:
    """Seconds by address; without `trying` all count alike."""
    found = {}

    @cache
    def look(training: Training) -> float:
        return seconds_a_look(store, training)

    for number, (at, part) in enumerate(parts.items()):
        tell(number / len(parts), part.title)
        match part:
            case _ if not trying:
                found[at] = 1.0
            case Training():
                found[at] = seconds_of(store, part)
            case Games():
                found[at] = seconds_of_games(part, look)
            case _:
                found[at] = part.guess()
    return found


def without_parts(training: Training) -> Training:
    """With settings that wait for other parts left out, and what only goes with them."""
    known = {
        name: value
        for name, value in training.settings
        if isinstance(value, str | int | float | bool | None)
        and not (name.startswith("head_") and "encoder" in training.asked)
    }
    return dataclasses.replace(training, settings=tuple(known.items()))


def seconds_of(store: Store, training: Training) -> float:
    """A training, by its first steps."""
    from ludus.learn.runs.cost import cost

    config = without_parts(training).config(Bench(store, training))
    told = cost(game(training.game), algorithm(training.method), config, training.seed)
    return float(told["seconds"])


def seconds_a_look(store: Store, training: Training) -> float:
    """What its network takes for a position among many, before it has learned anything."""
    import torch

    from ludus.learn.networks.onnx import graph_of, in_onnx

    config = without_parts(training).config(Bench(store, training))
    played = game(training.game)
    network = algorithm(training.method).Learner(played, config, training.seed).network
    if network is None:
        return UNKNOWN
    ask = in_onnx(graph_of(network.eval()))
    rows = torch.rand(ROWS, *played.start().shape(config.planes)).numpy()
    ask(rows)
    started = time.perf_counter()
    ask(rows)
    return (time.perf_counter() - started) / ROWS


def seconds_of_games(part: Games, look: Look) -> float:
    """Games, by how long random ones are and what decisions take."""
    plies = float(playouts(game(part.game), LOOKED, seed=0).plies) / LOOKED
    decisions = part.games * plies / 2
    return decisions * (thinking(part.a, look) + thinking(part.b, look))


def thinking(one: PlayerGiven, look: Look) -> float:
    """About how many seconds a decision takes."""
    if isinstance(one, Woven):
        return JUDGED
    spelled = one.options if isinstance(one, Learned) else one if isinstance(one, str) else ""
    asked = dict(pair.partition("=")[::2] for pair in spelled.rpartition(":")[2].split(","))
    if "seconds" in asked:
        return float(asked["seconds"])
    simulations = float(asked.get("simulations") or 0)
    if isinstance(one, Learned):
        return look(one.training) * max(1.0, ASKED * simulations)
    if spelled.startswith("zoo/") or not spelled:
        return UNKNOWN * max(1.0, simulations)
    if spelled.startswith(("perfect", "adversary")):
        return ORACLE
    depth = float(asked.get("depth") or 0)
    nodes = float(asked.get("nodes") or 0) + math.pow(DEEPER, depth)
    return ROLLOUT * max(1.0, simulations) + NODE * nodes
