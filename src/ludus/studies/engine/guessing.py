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
from ludus.studies.engine.hardened import Cured, Hardened
from ludus.studies.engine.lab_parts import Exploited, SeenAccuracy
from ludus.studies.engine.part import Part
from ludus.studies.engine.players import HERE, Learned, PlayerGiven, Unmasked, Woven
from ludus.studies.engine.store import Store
from ludus.studies.engine.training import Training
from ludus.truth.sampling import numbering

LOOKED = 8  # random games that tell how long games are
ROWS = 64  # positions that a network looks at in a try
ROLLOUT, NODE = 1e-5, 1e-6  # seconds of a simulation with a rollout, and of a node
DEEPER = 6.0  # times the nodes that a ply more of alpha-beta takes
JUDGED = 0.1  # of a decision of alpha-beta that asks a network
ASKED = 0.4  # share of the simulations of a network that ask it; others come to known positions
UNKNOWN = 1e-4  # of a look by a network that nobody tried
TABLE, ORACLE = 1e-3, 0.05  # of a decision that asks for the truth, in a table or by a search
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
                found[at] = seconds_of(store, part, look)
            case Games():
                found[at] = seconds_of_games(part.game, part.games, part.a, part.b, look)
            case Hardened():
                found[at] = part.guess() + seconds_of(store, part.trained, look)
            case Exploited():
                found[at] = seconds_of_games(part.game, part.games, part.agent, part.opponent, look)
            case SeenAccuracy():
                found[at] = sum(
                    part.looks * thinking(one, look, part.training.game) for _, one in part.agents
                )
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


def seconds_of(store: Store, training: Training, look: Look) -> float:
    """A training, by its first steps, and the games that measure it."""
    from ludus.learn.runs.cost import cost

    config = without_parts(training).config(Bench(store, training))
    told = cost(game(training.game), algorithm(training.method), config, training.seed)
    opponents = training.asked.get("eval_opponents", config.eval_opponents)
    measured = decisions(training.game, told["evaluations"] * config.n_eval_games)
    own = UNKNOWN if not measured else look(training)
    met = sum(own + thinking(one, look, training.game) for one in rungs(opponents))
    return float(told["seconds"] + measured * met)


def rungs(opponents: PlayerGiven) -> list[PlayerGiven]:
    """Who is met when a training is measured; one of them may be of the study."""
    if isinstance(opponents, Woven):
        fixed = [one for one in opponents.spelling.split(";") if HERE not in one]
        return [*fixed, opponents.learned]
    spelled = opponents if isinstance(opponents, str) else ""
    return [one.strip() for one in spelled.split(";") if one.strip()]


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


def decisions(on: str, games: float) -> float:
    """Of one side, by how long random games are."""
    return games * float(playouts(game(on), LOOKED, seed=0).plies) / LOOKED / 2


def seconds_of_games(
    on: str, games: int, one: PlayerGiven, other: PlayerGiven, look: Look
) -> float:
    """Games, by what decisions take."""
    return decisions(on, games) * (thinking(one, look, on) + thinking(other, look, on))


def thinking(one: PlayerGiven, look: Look, on: str) -> float:
    """About how many seconds a decision takes."""
    if isinstance(one, Woven):
        return JUDGED
    if isinstance(one, Unmasked):
        return look(one.learned.training)
    spelled = one if isinstance(one, str) else getattr(one, "options", "")
    asked = dict(pair.partition("=")[::2] for pair in spelled.rpartition(":")[2].split(","))
    if "seconds" in asked:
        return float(asked["seconds"])
    simulations = float(asked.get("simulations") or 0)
    if isinstance(one, Learned | Cured):
        training = one.training if isinstance(one, Learned) else one.hardened.training
        return look(training) * max(1.0, ASKED * simulations)
    if spelled.startswith("zoo/") or not spelled:
        return UNKNOWN * max(1.0, simulations)
    if spelled.startswith(("perfect", "adversary")):
        return ORACLE if numbering(game(on)) is None else TABLE
    depth = float(asked.get("depth") or 0)
    nodes = float(asked.get("nodes") or 0) + math.pow(DEEPER, depth)
    return ROLLOUT * max(1.0, simulations) + NODE * nodes
