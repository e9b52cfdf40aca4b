"""Connect Four and English draughts: AlphaZero, DQN and PPO, each on both games."""

from __future__ import annotations

from typing import Any

from ludus.learn.settings.preset import Preset

PAPER = "Deep reinforcement learning in Connect Four and Checkers (extended abstract of a thesis)"
CONNECT4 = "connect4"
# Three times the same position, or fifty moves without progress: of each side, as in chess.
CHECKERS = "checkers:no_progress=100,repetition=3"
MOVES = "'50 moves' without progress are taken as in chess: of each side"

CYCLE: dict[str, Any] = {
    "search": "puct",
    "planes": "paper",
    "prior_temperature": 1.0,
    "temperature": 1.0,
    "temperature_plies": 1_000,
    "games_per_step": 100,
    "samples_per_step": 30_000,
    "overlap": False,
    "batch": 64,
    "optimizer": "adam",
    "gate": "0.55",
    "gate_discards": True,
    "value_mix": 0.0,
    "value_weight": 1.0,
    "random_plies": 0,
    "average": 0.0,
    "augmentation": False,
    "symmetric": False,
    "int8": "off",
    "plain": True,
    "fpu_strategy": "zero",
    "c": 1.25,
    "noise_alpha": 1.0,
    "noise_fraction": 0.25,
    "learning_rate": 0.001,
    "weight_decay": 0.0,
    "window": 30_000,
    "fresh": 1.0,
    "gate_games": 40,
    "games": 100,
    "pools": 1,
    "threads": 1,
    "steps": 100,
    "evaluate_every": 4,
    "checkpoint_seconds": 600.0,
}
CYCLE_FILLED = {
    "samples_per_step": "30,000 data points: drawn from the window, not 30,000 new ones",
    "plain": "proofs are not mentioned; that a tree is kept is not printed",
    "fpu_strategy": "not printed: 0 for what was not visited, as in AlphaZero",
    "c": "not printed",
    "noise_alpha": "not printed",
    "noise_fraction": "not printed",
    "learning_rate": "not printed",
    "weight_decay": "not printed",
    "window": "not printed: as many as a cycle learns from",
    "gate_games": "'a relatively small number'; draws count half, random:4 openings",
    "gate_discards": "the optimizer begins anew with the weights that it goes on from",
    "games": "all at once, which changes nothing in them",
    "steps": "cycles are not printed",
}
FILTERS = {"width": "filters of C4Net are not printed"}
# One plane, 1 for a disc of the player to move and -1 for the other's.
SEEN: dict[str, Any] = {"network": "c4net", "width": 64, "planes": "signed"}
SEARCHED = f"{PAPER}, sections 3.3 to 3.5.1 and 4.2.1"


def connect4(name: str, simulations: int) -> Preset:
    """The trainings of table 1 differ in their simulations."""
    settings = {**CYCLE, **SEEN, "simulations": simulations}
    filled = {**FILTERS, **CYCLE_FILLED}
    return Preset(name, CONNECT4, f"{SEARCHED}, table 1", settings, filled)


ALPHAZERO = (
    connect4("connect4", 75),
    connect4("connect4-50", 50),
    connect4("connect4-25", 25),
    Preset(
        "checkers",
        CHECKERS,
        f"{SEARCHED}, table 3 (--blocks 2 and 4 are its others)",
        {"network": "draughts", "simulations": 25, "width": 256, "blocks": 8, **CYCLE},
        {"game": MOVES, **CYCLE_FILLED},
    ),
)

BOTH: dict[str, Any] = {"planes": "paper", "credit": "own", "batch": 64, "gamma": 0.99}

DEEP_Q: dict[str, Any] = {
    **BOTH,
    "n_step": 1,
    "double": False,
    "alpha": 0.0,
    "huber": False,
    "exploration": "epsilon",
    "games": 64,
    "plies": 16,
    "updates": 16,
    "learning_rate": 0.0005,
    "target_every": 200,
    "memory": 100_000,
    "warmup": 2_000,
    "explore_start": 1.0,
    "explore_end": 0.05,
    "explore_decay": 2_000.0,
    "clip": 10.0,
    "steps": 12_500,
    "evaluate_every": 250,
    "checkpoint_seconds": 600.0,
}
DEEP_Q_FILLED = {
    "gamma": "not printed",
    "games": "not printed",
    "plies": "moves between updates are not printed: 64 new ones an update",
    "updates": "moves between updates are not printed: 64 new ones an update",
    "learning_rate": "not printed",
    "target_every": "C is not printed",
    "memory": "not printed",
    "warmup": "not printed",
    "explore_start": "epsilon is not printed",
    "explore_end": "epsilon is not printed",
    "explore_decay": "epsilon is not printed",
    "clip": "not printed",
    "steps": "200,000 updates, after which the paper says draughts were learned",
}
LEARNED = f"{PAPER}, sections 3.4, 3.5.2 and 4.2.2"
# Nothing stops an illegal choice; it ends the game at -2, and only it is learned from.
UNFILTERED = {"opponent": "legality", "illegal": -2.0}

DQN = (
    Preset(
        "connect4",
        CONNECT4,
        LEARNED,
        {**DEEP_Q, **UNFILTERED, **SEEN},
        {**FILTERS, **DEEP_Q_FILLED},
    ),
    Preset(
        "checkers",
        CHECKERS,
        LEARNED,
        {"network": "draughts", "width": 256, "blocks": 4, "opponent": "self", **DEEP_Q},
        {"game": MOVES, **DEEP_Q_FILLED},
    ),
)

ON_POLICY: dict[str, Any] = {
    **BOTH,
    "trace": 1.0,
    "games": 128,
    "plies": 64,
    "epochs": 4,
    "clip": 0.2,
    "learning_rate": 0.001,
    "value_weight": 0.5,
    "entropy": 0.01,
    "normalise": True,
    "gradient_clip": 0.5,
    "average": 0.0,
    "steps": 1_000,
    "evaluate_every": 25,
    "checkpoint_seconds": 600.0,
}
ON_POLICY_FILLED = {
    "batch": "64 is printed for its other methods",
    "gamma": "not printed",
    "games": "not printed",
    "plies": "not printed",
    "epochs": "not printed",
    "clip": "epsilon is not printed",
    "learning_rate": "not printed",
    "value_weight": "not printed",
    "entropy": "not printed",
    "normalise": "not printed",
    "gradient_clip": "not printed",
    "steps": "not printed",
}
PROXIMAL = f"{PAPER}, sections 2.4, 3.4, 3.5.3 and 4.3"

PPO = (
    Preset(
        "connect4",
        CONNECT4,
        PROXIMAL,
        {**ON_POLICY, **UNFILTERED, **SEEN, "bounded": False},
        {**FILTERS, "bounded": "an illegal choice is worth -2", **ON_POLICY_FILLED},
    ),
    Preset(
        "checkers",
        CHECKERS,
        PROXIMAL,
        {"network": "draughts", "width": 256, "blocks": 4, "opponent": "self", **ON_POLICY},
        {"game": MOVES, **ON_POLICY_FILLED},
    ),
)
