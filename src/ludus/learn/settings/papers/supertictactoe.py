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
    "separate": True,
    "weighting": True,
    "shaping": "designed",
    "opponent": "self",
    "batch": 128,
    "learning_rate": 0.0003,
    "weight_decay": 0.0001,
    "gamma": 0.99,
    "trace": 0.95,
    "clip": 0.2,
    "entropy": 0.02,
    "value_weight": 0.2,
    "smooth": True,
    "steps": 50,
    "evaluate_every": 2,
    "checkpoint_seconds": 600.0,
    "credit": "own",
    "bounded": True,
    "anneal": 50,
    "games": 16,
    "plies": 64,
    "epochs": 4,
    "normalise": True,
    "gradient_clip": 0.5,
    "average": 0.0,
}
FILLED = {
    "game": "a success rate is in the paper's environment, its number is not printed: 1",
    "opponent": "it samples from the policy as it is; the paper's learner begins every game, here "
    "both sides are learned from",
    "credit": "a step of the paper's environment is a move and its reply",
    "bounded": "the value is bounded, though rewards add up beyond 1; the printed bounds of 0 and "
    "1 cannot tell a loss, so -1 and 1",
    "anneal": "that the learning rate is updated is printed, how is not",
    "games": "frames of a batch are not printed: 1,024, in 16 games",
    "plies": "frames of a batch are not printed: 1,024, in 16 games",
    "epochs": "passes over a batch are not printed",
    "normalise": "not printed",
    "gradient_clip": "not printed",
    "weighting": "w(a, s) is given in words only: nearness to marks and open lines",
}
WHERE = f"{PAPER}, sections 1.2 to 1.6 and 2.1; table 1"
ONE_PLANE = {"planes": "signed", "weighting": False}
PLAIN_FILLED = {name: why for name, why in FILLED.items() if name != "weighting"}

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
            "emptied": True,
            "overlap": False,
            "random_plies": 0,
            "value_mix": 0.0,
            "average": 0.0,
            "augmentation": False,
            "symmetric": False,
            "int8": "off",
            "gate": "none",
            "fresh": 1.0,
            "width": 64,
            "blocks": 4,
            "simulations": 50,
            "c": 1.25,
            "noise_alpha": 1.0,
            "noise_fraction": 0.25,
            "temperature": 1.0,
            "temperature_plies": 9,
            "games_per_step": 100,
            "games": 100,
            "pools": 1,
            "threads": 1,
            "window": 1_000,
            "batch": 64,
            "samples_per_step": 640,
            "optimizer": "adam",
            "learning_rate": 0.001,
            "weight_decay": 0.0,
            "steps": 100,
            "evaluate_every": 5,
        },
        {
            "game": "a success rate is in the paper's environment, its number is not printed: 1",
            "width": "sizes of the network are not printed",
            "blocks": "sizes of the network are not printed",
            "simulations": "not printed",
            "c": "not printed",
            "noise_alpha": "Dirichlet noise is 'if enabled', without numbers",
            "noise_fraction": "Dirichlet noise is 'if enabled', without numbers",
            "temperature": "not printed",
            "temperature_plies": "moves are sampled; for how many is not printed: all",
            "games_per_step": "games an iteration are not printed",
            "games": "all at once, which changes nothing in them",
            "window": "more than an iteration plays",
            "batch": "not printed",
            "samples_per_step": "a minibatch an epoch; how many epochs is not printed: 10",
            "optimizer": "gradient descent of no printed kind",
            "learning_rate": "not printed",
            "weight_decay": "not printed",
            "steps": "iterations are not printed",
        },
    ),
)
