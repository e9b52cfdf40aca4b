"""The papers' settings by name, a table a method: `ludus train dqn cathedral --preset cathedral`.

The papers count episodes; a step here is `games * plies` plies. Where a paper leaves a size open
the preset follows the nearest thing that it says. A paper's other trainings go by the name of the
game and what the paper calls them.
"""

from __future__ import annotations

from typing import Any

Presets = dict[str, dict[str, Any]]

# 4000 episodes of some 18 plies. Two trainings begin with 1500 of them otherwise: against a random
# player, or with illegal choices that end a game, highly penalised (random games pay down to -36).
CATHEDRAL: dict[str, Any] = {
    "network": "cathedral-dqn",
    "planes": "paper",
    "games": 1,
    "plies": 1,
    "updates": 1,
    "batch": 64,
    "learning_rate": 0.001,
    "gamma": 0.95,
    "n_step": 1,
    "double": True,
    "target_every": 30,
    "memory": 40_000,
    "warmup": 64,
    "alpha": 0.6,
    "beta_steps": 72_000,
    "exploration": "boltzmann",
    "explore_start": 1.0,
    "explore_end": 0.05,
    "explore_decay": 500.0,
    "shaping": "dense",
    "huber": False,
    "steps": 72_000,
}

DQN: Presets = {
    "cathedral": CATHEDRAL,
    "cathedral-vs-illegal": {**CATHEDRAL, "opponent": "27000*legality;self", "illegal": -50.0},
    "cathedral-vs-random": {**CATHEDRAL, "opponent": "27000*random;self"},
    "kingcourtesan": {
        "network": "kingcourtesan-dqn",
        "planes": "paper",
        "games": 1,
        "plies": 1,
        "updates": 1,
        "batch": 32,
        "gamma": 0.99,
        "n_step": 1,
        "credit": "max",
        "double": False,
        "target_every": 1000,
        "memory": 100_000,
        "alpha": 0.0,
        "explore_end": 0.1,
        "huber": False,
        "steps": 100_000,
    },
    "connect4": {
        "network": "c4net",
        "planes": "signed",  # one plane of 1 and -1
        "batch": 64,
        "n_step": 1,
        "credit": "own",
        "double": False,
        "alpha": 0.0,
        "huber": False,
        "opponent": "2000*legality;self",
        "steps": 20_000,
    },
    "checkers": {
        "network": "draughts",
        "planes": "paper",
        "batch": 64,
        "n_step": 1,
        "credit": "own",
        "double": False,
        "alpha": 0.0,
        "huber": False,
        "steps": 20_000,
    },
}

# Training 10, with a plane for each side, weighting and designed rewards. Trainings 3 to 5 have one
# signed plane and no weighting; 3 and 4 have the original rewards, and 3 meets a random player. The
# value is bounded, though rewards add up beyond 1, as it is in the paper.
SUPER: dict[str, Any] = {
    "network": "supertictactoe",
    "planes": "paper",
    "batch": 128,
    "learning_rate": 0.0003,
    "weight_decay": 0.0001,
    "anneal": 50,
    "gamma": 0.99,
    "entropy": 0.02,
    "value_weight": 0.2,
    "smooth": True,
    "separate": True,
    "weighting": True,
    "credit": "own",
    "shaping": "designed",
    "steps": 50,
    "average": 0.0,
}
ONE_PLANE = {"planes": "signed", "weighting": False}

CATHEDRAL_PPO: dict[str, Any] = {
    "planes": "paper",
    "bounded": False,  # dense signals add up to more than 30
    "games": 5,
    "plies": 20,
    "epochs": 20,
    "batch": 100,
    "learning_rate": 0.0005,
    "critic_rate": 0.0002,
    "gamma": 0.97,
    "trace": 0.95,
    "entropy": 0.01,
    "opponent": "lagged",
    "shaping": "dense",
    "steps": 2_000,
    "average": 0.0,
}

PPO: Presets = {
    "cathedral": {**CATHEDRAL_PPO, "network": "cathedral-ppo"},
    # The same heads on the frozen encoder of an autoencoder, which is named with `--encoder RUN`.
    "cathedral-vae": {
        **CATHEDRAL_PPO,
        "activation": "relu",
        "frozen": True,
        "head_width": 512,
        "head_layers": 2,
    },
    "supertictactoe": SUPER,
    "supertictactoe-3": {**SUPER, **ONE_PLANE, "shaping": "original", "opponent": "random"},
    "supertictactoe-4": {**SUPER, **ONE_PLANE, "shaping": "original"},
    "supertictactoe-5": {**SUPER, **ONE_PLANE},
    "connect4": {
        "network": "c4net",
        "planes": "signed",
        "bounded": False,  # an illegal choice is worth -2
        "batch": 64,
        "trace": 1.0,
        "credit": "own",
        "opponent": "2000*legality;self",
        "steps": 10_000,
        "average": 0.0,
    },
    "checkers": {
        "network": "draughts",
        "planes": "paper",
        "batch": 64,
        "trace": 1.0,
        "credit": "own",
        "steps": 10_000,
        "average": 0.0,
    },
}

REINFORCE: Presets = {
    "kingcourtesan": {
        "network": "kingcourtesan-reinforce",
        "planes": "paper",
        "games": 1,
        "baseline": "none",
        "entropy": 0.0,
        "learning_rate": 0.0001,
        "steps": 10_000,
    },
}

CEM: Presets = {
    "kingcourtesan": {
        "network": "kingcourtesan-dqn",
        "width": 0,
        "blocks": 0,
        "planes": "paper",
        "population": 100,
        "elite": 0.2,
        "least_variance": 0.01,
    },
}

SAES: Presets = {
    "kingcourtesan": {
        "network": "kingcourtesan-dqn",
        "width": 0,
        "blocks": 0,
        "planes": "paper",
        "sigma": 0.1,
        "mutation": "old",
    },
}

# 4000 games, half of them by random players and half by a trained agent (`--agent RUN`), and 300
# epochs over them. How much is held out is not printed.
VAE: Presets = {
    "cathedral": {
        "planes": "paper",
        "latent": 32,
        "dataset_games": 4_000,
        "agent_share": 0.5,
        "held_out": 0.1,
        "steps": 300,
        "divergence": 1.0,
    },
}
