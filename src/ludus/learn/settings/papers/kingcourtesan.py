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
    "double": False,
    "n_step": 1,
    "alpha": 0.0,
    "batch": 32,
    "memory": 100_000,
    "target_every": 1_000,
    "exploration": "epsilon",
    "explore_start": 1.0,
    "explore_end": 0.1,
    "huber": False,
    "games": 1,
    "plies": 1,
    "updates": 1,
    "gamma": 0.99,
    "learning_rate": 0.0001,
    "warmup": 1_000,
    "explore_decay": 500.0,
    "clip": 10.0,
    "steps": 0,
    "total_games": 2_500,
    "evaluate_every_games": 100,
    "checkpoint_seconds": 600.0,
}
DEEP_Q_FILLED = {
    "games": "one at a time: not printed",
    "plies": "an update a move: not printed",
    "updates": "an update a move: not printed",
    "gamma": "not printed",
    "learning_rate": "not printed",
    "warmup": "not printed",
    "explore_decay": "that it falls from 1 to 0.1 is printed; how fast is not",
    "clip": "not printed",
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
            "entropy": 0.0,
            "games": 1,
            "gamma": 0.99,
            "learning_rate": 0.0001,
            "gradient_clip": 1.0,
            "batch": 2_048,
            "steps": 0,
            "total_games": 10_000,
            "evaluate_every_games": 250,
        },
        {
            "games": "one at a time: not printed",
            "gamma": "not printed",
            "learning_rate": "not printed",
            "gradient_clip": "not printed",
            "batch": "all moves of a game in one update: not printed",
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
    "matches": 16,
    "opening": 2,
}
WITHOUT_FILLED = {
    "network": "one of its two: which is not said",
    "matches": "games that a network is judged by: not printed",
    "opening": "random plies before them, so that they differ: not printed",
    "steps": "not printed",
}

CEM = (
    Preset(
        "kingcourtesan",
        GAME,
        f"{PAPER}, section III.F.1",
        {
            **WITHOUT_GRADIENTS,
            "population": 100,
            "elite": 0.2,
            "least_variance": 0.01,
            "sigma": 0.5,
            "steps": 200,
            "evaluate_every": 5,
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
            "tau": 0.0,
            "steps": 2_000,
            "evaluate_every": 40,
        },
        {**WITHOUT_FILLED, "tau": "not printed: 1 / sqrt(2n) of n weights"},
    ),
)
