"""King and Courtesan: DQN, REINFORCE, and two methods without gradients."""

from __future__ import annotations

from typing import Any

from ludus.learn.settings.preset import Preset

PAPER = "Comparing Tree Search and Reinforcement Learning Approaches for King and Courtesan Game"
GAME = "kingcourtesan:size=6"

# The target that equation 1 prints, r + gamma * max Q(s', a'), takes what is best for the opponent
# for the actor's own. The twin has the same settings and the right sign.
DEEP_Q: dict[str, Any] = {
    "network": "kingcourtesan-dqn",
    "planes": "paper",
    "credit": "max",
    "double_q": False,
    "n_step": 1,
    "per_alpha": 0.0,
    "batch_size": 32,
    "buffer_size": 100_000,
    "target_update_interval": 1_000,
    "exploration_strategy": "epsilon",
    "exploration_initial": 1.0,
    "exploration_final": 0.1,
    "huber_loss": False,
    "n_envs": 1,
    "train_freq": 1,
    "gradient_steps": 1,
    "gamma": 0.99,
    "learning_rate": 0.0001,
    "learning_starts": 1_000,
    "exploration_decay_games": 500.0,
    "max_grad_norm": 10.0,
    "steps": 0,
    "total_games": 2_500,
    "eval_freq_games": 100,
    "checkpoint_seconds": 600.0,
}
DEEP_Q_FILLED = {
    "n_envs": "one at a time: not printed",
    "train_freq": "an update a move: not printed",
    "gradient_steps": "an update a move: not printed",
    "gamma": "not printed",
    "learning_rate": "not printed",
    "learning_starts": "not printed",
    "exploration_decay_games": "that it falls from 1 to 0.1 is printed; how fast is not",
    "max_grad_norm": "not printed",
    "total_games": "not printed: about 100,000 moves, as many as the memory holds",
}
WHERE = f"{PAPER}, sections II.C.1, III.B, III.D and III.G"

DQN = (
    Preset("kingcourtesan", GAME, f"{WHERE}; equation 1 as printed", DEEP_Q, DEEP_Q_FILLED),
    Preset(
        "kingcourtesan-correct",
        GAME,
        f"{WHERE}; equation 1 with the sign for two players",
        {**DEEP_Q, "credit": "adversarial"},
        {**DEEP_Q_FILLED, "credit": "r - gamma * max Q(s', a'), in place of what is printed"},
    ),
)

REINFORCE = (
    Preset(
        "kingcourtesan",
        GAME,
        f"{PAPER}, sections II.C.2, III.E and III.G",
        {
            "network": "kingcourtesan-reinforce",
            "planes": "paper",
            "baseline": "none",
            "ent_coef": 0.0,
            "n_envs": 1,
            "gamma": 0.99,
            "learning_rate": 0.0001,
            "max_grad_norm": 1.0,
            "batch_size": 2_048,
            "steps": 0,
            "total_games": 10_000,
            "eval_freq_games": 250,
        },
        {
            "n_envs": "one at a time: not printed",
            "gamma": "not printed",
            "learning_rate": "not printed",
            "max_grad_norm": "not printed",
            "batch_size": "all moves of a game in one update: not printed",
            "total_games": "not printed",
        },
    ),
)

# Which network the paper optimises without gradients is not said ("both network architectures").
WITHOUT_GRADIENTS: dict[str, Any] = {
    "network": "kingcourtesan-dqn",
    "width": 0,
    "blocks": 0,
    "planes": "paper",
    "opponent": "self",
    "fitness_games": 16,
    "random_opening_plies": 2,
}
WITHOUT_FILLED = {
    "network": "one of its two: which is not said",
    "fitness_games": "games that a network is judged by: not printed",
    "random_opening_plies": "random plies before them, so that they differ: not printed",
    "steps": "not printed",
}

CEM = (
    Preset(
        "kingcourtesan",
        GAME,
        f"{PAPER}, section III.F.1",
        {
            **WITHOUT_GRADIENTS,
            "population_size": 100,
            "elite_frac": 0.2,
            "min_variance": 0.01,
            "sigma": 0.5,
            "steps": 200,
            "eval_freq": 5,
        },
        {**WITHOUT_FILLED, "sigma": "the first distribution is not printed"},
    ),
)

SAES = (
    Preset(
        "kingcourtesan",
        GAME,
        f"{PAPER}, section III.F.2",
        {
            **WITHOUT_GRADIENTS,
            "sigma": 0.1,
            "mutation": "old",
            "sigma_learning_rate": 0.0,
            "steps": 2_000,
            "eval_freq": 40,
        },
        {**WITHOUT_FILLED, "sigma_learning_rate": "not printed: 1 / sqrt(2n) of n weights"},
    ),
)
