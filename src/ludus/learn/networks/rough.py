"""A stored network as it plays in int8, its agreement with float32 checked before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludus.arena.seeds import generator
from ludus.extras import install
from ludus.game import Game
from ludus.learn.networks.onnx import StoredNetwork, graph_of, in_onnx
from ludus.learn.networks.player import Evaluator

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Masks = NDArray[np.bool_]

POSITIONS = (
    512  # of random games, that ranges are fitted to; and others that errors are measured on
)
MOST_OFF = 0.03  # of probabilities and of values, on average: what self-play allows too


def in_int8(network: StoredNetwork, on: Game, planes: str) -> Evaluator:
    """The network in int8; refused where that changes what it says too much."""
    try:
        import torch

        from ludus.learn.networks import int8
    except ModuleNotFoundError:
        raise ValueError(f"int8=true needs torch, which fits it: {install('learn')}") from None
    if not int8.can_quantise(network):
        raise ValueError(
            "int8=true is for towers of convolutions with batch normalisation, which this is not"
        )
    features, masks = random_positions(on, planes, 2 * POSITIONS)
    fitted = torch.from_numpy(features[:POSITIONS])
    exact, rough = in_onnx(graph_of(network)), in_onnx(int8.graph_of(network, fitted))
    policy, value = errors(exact, rough, features[POSITIONS:], masks[POSITIONS:])
    if not max(policy, value) <= MOST_OFF:
        raise ValueError(
            f"int8=true is off by {policy:.3f} in probabilities and {value:.3f} in values here, "
            f"and {MOST_OFF} is the most that is allowed"
        )
    return rough


def random_positions(on: Game, planes: str, count: int) -> tuple[Floats, Masks]:
    """What a network sees of positions of random games, always of the same."""
    rng = generator(0)
    features: list[Floats] = []
    masks: list[Masks] = []
    while len(features) < count:
        state = on.start(rng)
        while state.outcome is None:
            features.append(state.features(planes))
            masks.append(state.mask())
            state = state.play(int(rng.choice(state.legal())), rng)
    order = rng.permutation(len(features))[:count]
    return np.stack(features)[order], np.stack(masks)[order]


def errors(
    exact: Evaluator, rough: Evaluator, features: Floats, masks: Masks
) -> tuple[float, float]:
    """By how much probabilities (half the sum of differences) and values are off on average."""
    said, values = exact(features)
    other, theirs = rough(features)
    apart = np.abs(probabilities(said, masks) - probabilities(other, masks)).sum(1) / 2
    if values is None or theirs is None:
        return float(apart.mean()), 0.0
    return float(apart.mean()), float(np.abs(values - theirs).mean())


def probabilities(numbers: Floats, masks: Masks) -> NDArray[np.float64]:
    """The policy over legal actions."""
    legal = np.where(masks, numbers.astype(np.float64), -np.inf)
    shares = np.exp(legal - legal.max(1, keepdims=True))
    return np.asarray(shares / shares.sum(1, keepdims=True))
