"""Cathedral: DQN, PPO and a variational autoencoder."""

from __future__ import annotations

from typing import Any

from ludus.learn.settings.preset import Preset

PAPER = "Defradas et al., Learning to play a 2-player adversarial game: Cathedral"
# 8x8, the adapted environment, and a coin for who places the Cathedral (section III.A).
GAME = "cathedral:size=8,rules=seed,fair_start=true"

# Its other trainings begin with 1,500 games against a random player, or with illegal choices that
# end a game and are highly penalised (random games pay down to -36).
DEEP_Q: dict[str, Any] = {
    "network": "cathedral-dqn",
    "planes": "paper",
    "shaping": "dense",
    "credit": "adversarial",
    "double": True,
    "n_step": 1,
    "batch": 64,
    "learning_rate": 0.001,
    "gamma": 0.95,
    "target_every": 30,
    "memory": 40_000,
    "alpha": 0.6,
    "exploration": "boltzmann",
    "explore_decay": 500.0,
    "steps": 0,
    "total_games": 4_000,
    "evaluate_every_games": 100,
    "checkpoint_seconds": 600.0,
    "games": 1,
    "plies": 1,
    "updates": 1,
    "huber": False,
    "warmup": 64,
    "beta": 0.4,
    "beta_steps": 72_000,
    "explore_start": 1.0,
    "explore_end": 0.05,
    "clip": 10.0,
}
DEEP_Q_FILLED = {
    "games": "one at a time: the paper counts episodes",
    "plies": "an update a move: how many is not printed",
    "updates": "an update a move: how many is not printed",
    "target_every": "30 is printed without a unit: updates",
    "huber": "squared errors: the loss is not printed",
    "warmup": "a batch: not printed",
    "beta": "the usual correction of prioritised replay: not printed",
    "beta_steps": "the whole training, 4,000 games of 18 moves: not printed",
    "explore_start": "of the printed fall from start to end only the decay of 500 is given",
    "explore_end": "of the printed fall from start to end only the decay of 500 is given",
    "clip": "not printed",
    "credit": "equation 1 has the minus sign, equation 5 (double) does not: the first",
}
WHERE = f"{PAPER}, sections III.A, III.B and IV.A, appendix A"

DQN = (
    Preset("cathedral", GAME, WHERE, DEEP_Q, DEEP_Q_FILLED),
    Preset(
        "cathedral-vs-illegal",
        GAME,
        f"{WHERE} (4, Ideas, VS Illegal)",
        {**DEEP_Q, "opponent": "1500 games*legality;self", "illegal": -50.0},
        {**DEEP_Q_FILLED, "illegal": "high, as it says: below all that a random game pays"},
    ),
    Preset(
        "cathedral-vs-random",
        GAME,
        f"{WHERE} (4, Ideas, VS Random)",
        {**DEEP_Q, "opponent": "1500 games*random;self", "watch": True},
        {
            **DEEP_Q_FILLED,
            "opponent": "1,500 games as in VS Illegal ('similarly')",
            "watch": "the printed target looks at states in which the opponent moves: they are "
            "learned too",
        },
    ),
)

PROXIMAL: dict[str, Any] = {
    "planes": "paper",
    "shaping": "dense",
    "opponent": "lagged",
    "soft_every": 10,
    "soft_share": 0.3,
    "full_every": 100,
    "episodes": 5,
    "epochs": 20,
    "learning_rate": 0.0005,
    "critic_rate": 0.0002,
    "gamma": 0.97,
    "trace": 0.95,
    "clip": 0.2,
    "entropy": 0.01,
    "steps": 0,
    "total_games": 10_000,
    "evaluate_every_games": 250,
    "checkpoint_seconds": 600.0,
    "games": 1,
    "credit": "own",
    "bounded": False,
    "batch": 4_096,
    "value_weight": 0.5,
    "normalise": True,
    "gradient_clip": 0.5,
    "average": 0.0,
}
PROXIMAL_FILLED = {
    "shaping": "the paper has two rewards; that PPO learned by the dense one is not said",
    "games": "one at a time: the paper counts episodes",
    "credit": "equation 3 is of one player's own states",
    "bounded": "dense rewards add up to more than 30",
    "batch": "all that was played at once: minibatches are not printed",
    "value_weight": "not printed",
    "normalise": "not printed",
    "gradient_clip": "not printed",
}
LEARNED = f"{PAPER}, sections III.A, III.C and IV.B"
TRUNK = "three convolutions to 64 channels are printed; 16 and 32 before them"

PPO = (
    Preset(
        "cathedral",
        GAME,
        LEARNED,
        {**PROXIMAL, "network": "cathedral-ppo"},
        {**PROXIMAL_FILLED, "network": TRUNK},
    ),
    Preset(
        "cathedral-vae",
        GAME,
        f"{PAPER}, sections III.A, III.C and III.D; the encoder of a run of vae: --encoder RUN",
        {
            **PROXIMAL,
            "activation": "relu",
            "frozen": True,
            "head_width": 512,
            "head_layers": 2,
        },
        {**PROXIMAL_FILLED, "head_layers": "as many as PPO's own heads have"},
    ),
)

VAE = (
    Preset(
        "cathedral",
        GAME,
        f"{PAPER}, sections II.D and III.D; half of the games by a trained agent: --agent RUN",
        {
            "planes": "paper",
            "latent": 32,
            "dataset_games": 4_000,
            "agent_share": 0.5,
            "held_out": 0.1,
            "steps": 300,
            "divergence": 1.0,
        },
        {"held_out": "how much is held out is not printed"},
    ),
)
