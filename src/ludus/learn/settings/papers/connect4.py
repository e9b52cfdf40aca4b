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
    "batch_size": 64,
    "optimizer": "adam",
    "gate": "0.55",
    "gate_discards": True,
    "q_ratio": 0.0,
    "vf_coef": 1.0,
    "random_opening_plies": 0,
    "ema_decay": 0.0,
    "augmentation": False,
    "symmetric_cache": False,
    "int8": "off",
    "plain": True,
    "fpu_strategy": "zero",
    "c_puct": 1.25,
    "dirichlet_alpha": 1.0,
    "dirichlet_fraction": 0.25,
    "learning_rate": 0.001,
    "weight_decay": 0.0,
    "window": 30_000,
    "recent_fraction": 1.0,
    "gate_games": 40,
    "n_envs": 100,
    "n_pools": 1,
    "threads": 1,
    "steps": 100,
    "eval_freq": 4,
    "checkpoint_seconds": 600.0,
}
CYCLE_FILLED = {
    "samples_per_step": "30,000 data points: drawn from the window, not 30,000 new ones",
    "plain": "proofs are not mentioned; that a tree is kept is not printed",
    "fpu_strategy": "not printed: 0 for what was not visited, as in AlphaZero",
    "c_puct": "not printed",
    "dirichlet_alpha": "not printed",
    "dirichlet_fraction": "not printed",
    "learning_rate": "not printed",
    "weight_decay": "not printed",
    "window": "not printed: as many as a cycle learns from",
    "gate_games": "'a relatively small number'; draws count half, random:4 openings",
    "gate_discards": "the optimizer begins anew with the weights that it goes on from",
    "n_envs": "all at once, which changes nothing in them",
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

BOTH: dict[str, Any] = {"planes": "paper", "credit": "own", "batch_size": 64, "gamma": 0.99}

DEEP_Q: dict[str, Any] = {
    **BOTH,
    "n_step": 1,
    "double_q": False,
    "per_alpha": 0.0,
    "huber_loss": False,
    "exploration_strategy": "epsilon",
    "n_envs": 64,
    "train_freq": 16,
    "gradient_steps": 16,
    "learning_rate": 0.0005,
    "target_update_interval": 200,
    "buffer_size": 100_000,
    "learning_starts": 2_000,
    "exploration_initial": 1.0,
    "exploration_final": 0.05,
    "exploration_decay_games": 2_000.0,
    "max_grad_norm": 10.0,
    "steps": 12_500,
    "eval_freq": 250,
    "checkpoint_seconds": 600.0,
}
DEEP_Q_FILLED = {
    "gamma": "not printed",
    "n_envs": "not printed",
    "train_freq": "moves between updates are not printed: 64 new ones an update",
    "gradient_steps": "moves between updates are not printed: 64 new ones an update",
    "learning_rate": "not printed",
    "target_update_interval": "C is not printed",
    "buffer_size": "not printed",
    "learning_starts": "not printed",
    "exploration_initial": "epsilon is not printed",
    "exploration_final": "epsilon is not printed",
    "exploration_decay_games": "epsilon is not printed",
    "max_grad_norm": "not printed",
    "steps": "200,000 updates, after which the paper says draughts were learned",
}
LEARNED = f"{PAPER}, sections 3.4, 3.5.2 and 4.2.2"
# Nothing stops an illegal choice; it ends the game at -2, and only it is learned from.
UNFILTERED = {"opponent": "legality", "illegal_reward": -2.0}

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
    "gae_lambda": 1.0,
    "n_envs": 128,
    "n_steps": 64,
    "n_epochs": 4,
    "clip_range": 0.2,
    "learning_rate": 0.001,
    "vf_coef": 0.5,
    "ent_coef": 0.01,
    "normalize_advantage": True,
    "max_grad_norm": 0.5,
    "ema_decay": 0.0,
    "steps": 1_000,
    "eval_freq": 25,
    "checkpoint_seconds": 600.0,
}
ON_POLICY_FILLED = {
    "batch_size": "64 is printed for its other methods",
    "gamma": "not printed",
    "gae_lambda": "advantages are computed once a step, from the values it was played with; the "
    "paper computes them anew with each estimate",
    "n_envs": "not printed",
    "n_steps": "not printed",
    "n_epochs": "not printed",
    "clip_range": "epsilon is not printed",
    "learning_rate": "not printed",
    "vf_coef": "not printed",
    "ent_coef": "not printed",
    "normalize_advantage": "not printed",
    "max_grad_norm": "not printed",
    "steps": "not printed",
}
PROXIMAL = f"{PAPER}, sections 2.4, 3.4, 3.5.3 and 4.3"

PPO = (
    Preset(
        "connect4",
        CONNECT4,
        PROXIMAL,
        {**ON_POLICY, **UNFILTERED, **SEEN, "bounded_value": False},
        {**FILTERS, "bounded_value": "an illegal choice is worth -2", **ON_POLICY_FILLED},
    ),
    Preset(
        "checkers",
        CHECKERS,
        PROXIMAL,
        {"network": "draughts", "width": 256, "blocks": 4, "opponent": "self", **ON_POLICY},
        {"game": MOVES, **ON_POLICY_FILLED},
    ),
)
