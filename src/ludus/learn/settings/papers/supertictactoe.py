"""Super tic-tac-toe: PPO on the cross of 80 cells, and AlphaZero on 3x3."""

from __future__ import annotations

from typing import Any

from ludus.learn.settings.preset import Preset

PAPER = "Dong and Zheng, Training RL Agents in Super Tic-Tac-Toe"
GAME = "supertictactoe:success=1"

# Training 10, with a plane for each side, weighting and designed rewards. Trainings 3 to 5 have one
# signed plane and no weighting; 3 and 4 have the original rewards, and 3 meets a random player.
TEN: dict[str, Any] = {
    "network": "supertictactoe",
    "planes": "paper",
    "separate_networks": True,
    "proximity_weighting": True,
    "shaping": "designed",
    "opponent": "self",
    "batch_size": 128,
    "learning_rate": 0.0003,
    "weight_decay": 0.0001,
    "gamma": 0.99,
    "gae_lambda": 0.95,
    "clip_range": 0.2,
    "ent_coef": 0.02,
    "vf_coef": 0.2,
    "vf_smooth_l1": True,
    "steps": 50,
    "eval_freq": 2,
    "checkpoint_seconds": 600.0,
    "credit": "own",
    "bounded_value": True,
    "lr_decay_steps": 50,
    "n_envs": 16,
    "n_steps": 64,
    "n_epochs": 4,
    "normalize_advantage": True,
    "max_grad_norm": 0.5,
    "ema_decay": 0.0,
}
FILLED = {
    "game": "a success rate is in the paper's environment, its number is not printed: 1",
    "opponent": "it samples from the policy as it is; the paper's learner begins every game, here "
    "both sides are learned from",
    "credit": "a step of the paper's environment is a move and its reply",
    "bounded_value": "the value is bounded, though rewards add up beyond 1; the printed bounds "
    "of 0 and 1 cannot tell a loss, so -1 and 1",
    "lr_decay_steps": "that the learning rate is updated is printed, how is not",
    "n_envs": "frames of a batch are not printed: 1,024, in 16 games",
    "n_steps": "frames of a batch are not printed: 1,024, in 16 games",
    "n_epochs": "passes over a batch are not printed",
    "normalize_advantage": "not printed",
    "max_grad_norm": "not printed",
    "proximity_weighting": "w(a, s) is given in words only: nearness to marks and open lines",
}
WHERE = f"{PAPER}, sections 1.2 to 1.6 and 2.1; table 1"
ONE_PLANE = {"planes": "signed", "proximity_weighting": False}
PLAIN_FILLED = {name: why for name, why in FILLED.items() if name != "proximity_weighting"}

PPO = (
    Preset("supertictactoe", GAME, f"{WHERE}, training 10", TEN, FILLED),
    Preset(
        "supertictactoe-3",
        GAME,
        f"{WHERE}, training 3",
        {**TEN, **ONE_PLANE, "shaping": "original", "opponent": "random"},
        {**PLAIN_FILLED, "opponent": "the paper's learner begins every game, here every other"},
    ),
    Preset(
        "supertictactoe-4",
        GAME,
        f"{WHERE}, training 4",
        {**TEN, **ONE_PLANE, "shaping": "original"},
        PLAIN_FILLED,
    ),
    Preset("supertictactoe-5", GAME, f"{WHERE}, training 5", {**TEN, **ONE_PLANE}, PLAIN_FILLED),
)

# Only the root's moves are searched, and a leaf counts half what the network says of it, half how
# the game ends if the network's favourites are played. The buffer is emptied each iteration.
ALPHAZERO = (
    Preset(
        "fusion",
        "tictactoe",
        f"{PAPER}, sections 3.1 to 3.4, algorithms 4 and 5",
        {
            "network": "zero",
            "activation": "relu",
            "planes": "paper",
            "search": "root",
            "plain": True,
            "fpu_strategy": "zero",
            "prior_temperature": 1.0,
            "clear_window": True,
            "overlap": False,
            "random_opening_plies": 0,
            "q_ratio": 0.0,
            "ema_decay": 0.0,
            "augmentation": False,
            "symmetric_cache": False,
            "int8": "off",
            "gate": "none",
            "recent_fraction": 1.0,
            "width": 64,
            "blocks": 4,
            "simulations": 50,
            "c_puct": 1.25,
            "dirichlet_alpha": 1.0,
            "dirichlet_fraction": 0.25,
            "temperature": 1.0,
            "temperature_plies": 9,
            "games_per_step": 100,
            "n_envs": 100,
            "n_pools": 1,
            "threads": 1,
            "window": 1_000,
            "batch_size": 64,
            "samples_per_step": 640,
            "optimizer": "adam",
            "learning_rate": 0.001,
            "weight_decay": 0.0,
            "steps": 100,
            "eval_freq": 5,
        },
        {
            "game": "a success rate is in the paper's environment, its number is not printed: 1",
            "width": "sizes of the network are not printed",
            "blocks": "sizes of the network are not printed",
            "simulations": "not printed",
            "c_puct": "not printed",
            "dirichlet_alpha": "Dirichlet noise is 'if enabled', without numbers",
            "dirichlet_fraction": "Dirichlet noise is 'if enabled', without numbers",
            "temperature": "not printed",
            "temperature_plies": "moves are sampled; for how many is not printed: all",
            "games_per_step": "games an iteration are not printed",
            "n_envs": "all at once, which changes nothing in them",
            "window": "more than an iteration plays",
            "batch_size": "not printed",
            "samples_per_step": "a minibatch an epoch; how many epochs is not printed: 10",
            "optimizer": "gradient descent of no printed kind",
            "learning_rate": "not printed",
            "weight_decay": "not printed",
            "steps": "iterations are not printed",
        },
    ),
)
