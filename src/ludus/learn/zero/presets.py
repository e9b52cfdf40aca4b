"""Named settings: a thesis' four architectures, and what the papers print."""

from __future__ import annotations

from typing import Any

# The thesis on Chinese Checkers: 128 simulations of PUCT with Dirichlet noise; it compares one game
# at a time whose positions are learned from once, a replay buffer, games in parallel, and a queue
# that joins their questions to the network. Sizes are those printed for the 4x4 board; how probably
# a new position replaces an old one is not printed.
THESIS: dict[str, Any] = {
    "search": "puct",
    "simulations": 128,
    "prior_temperature": 1.0,
    "temperature_plies": 10,
    "random_plies": 0,
    "value_mix": 0.0,
    "average": 0.0,
    "batch": 64,
    "weight_decay": 0.0001,
    "symmetric": False,
    "cache": 0,
    "int8": "off",
    "pools": 1,
    "threads": 1,
}
REPLAY = {"emptied": False, "window": 1_000, "fresh": 1.0, "replace": 0.5}

# The tic-tac-toe paper: only the root's moves are searched, and a leaf counts half what the network
# says of it, half how the game ends if the network's favourites are played.
FUSION: dict[str, Any] = {
    "search": "root",
    "simulations": 50,
    "prior_temperature": 1.0,
    "temperature_plies": 4,
    "value_mix": 0.0,
}

PRESETS: dict[str, dict[str, Any]] = {
    "fusion": FUSION,
    "single": {**THESIS, "games": 1, "batched": False, "emptied": True, "reuse": 1.0},
    "replay": {**THESIS, **REPLAY, "games": 1, "batched": False},
    "parallel": {**THESIS, **REPLAY, "games": 64, "batched": False},
    "queue": {**THESIS, **REPLAY, "games": 64},
}
