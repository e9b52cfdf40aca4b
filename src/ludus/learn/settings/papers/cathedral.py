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
    "double_q": True,
    "n_step": 1,
    "batch_size": 64,
    "learning_rate": 0.001,
    "gamma": 0.95,
    "target_update_interval": 30,
    "buffer_size": 40_000,
    "per_alpha": 0.6,
    "exploration_strategy": "boltzmann",
    "exploration_decay_games": 500.0,
    "steps": 0,
    "total_games": 4_000,
    "eval_freq_games": 100,
    "checkpoint_seconds": 600.0,
    "n_envs": 1,
    "train_freq": 1,
    "gradient_steps": 1,
    "huber_loss": False,
    "learning_starts": 64,
    "per_beta": 0.4,
    "per_beta_steps": 72_000,
    "exploration_initial": 1.0,
    "exploration_final": 0.05,
    "max_grad_norm": 10.0,
}
DEEP_Q_FILLED = {
    "n_envs": "one at a time: the paper counts episodes",
    "train_freq": "an update a move: how many is not printed",
    "gradient_steps": "an update a move: how many is not printed",
    "target_update_interval": "30 is printed without a unit: updates",
    "huber_loss": "squared errors: the loss is not printed",
    "learning_starts": "a batch: not printed",
    "per_beta": "the usual correction of prioritised replay: not printed",
    "per_beta_steps": "the whole training, 4,000 games of 18 moves: not printed",
    "exploration_initial": "of the printed fall from start to end only the decay of 500 is given",
    "exploration_final": "of the printed fall from start to end only the decay of 500 is given",
    "max_grad_norm": "not printed",
    "credit": "equation 1 has the minus sign, equation 5 (double) does not: the first",
}
WHERE = f"{PAPER}, sections III.A, III.B and IV.A, appendix A"

DQN = (
    Preset("cathedral", GAME, WHERE, DEEP_Q, DEEP_Q_FILLED),
    Preset(
        "cathedral-vs-illegal",
        GAME,
        f"{WHERE} (4, Ideas, VS Illegal)",
        {**DEEP_Q, "opponent": "1500 games*legality;self", "illegal_reward": -50.0},
        {**DEEP_Q_FILLED, "illegal_reward": "high, as it says: below all that a random game pays"},
    ),
    Preset(
        "cathedral-vs-random",
        GAME,
        f"{WHERE} (4, Ideas, VS Random)",
        {**DEEP_Q, "opponent": "1500 games*random;self", "learn_from_opponent": True},
        {
            **DEEP_Q_FILLED,
            "opponent": "1,500 games as in VS Illegal ('similarly')",
            "learn_from_opponent": "the printed target looks at states in which the opponent "
            "moves: they are learned too",
        },
    ),
)

PROXIMAL: dict[str, Any] = {
    "planes": "paper",
    "shaping": "dense",
    "opponent": "lagged",
    "opponent_soft_interval": 10,
    "opponent_tau": 0.3,
    "opponent_full_interval": 100,
    "n_episodes": 5,
    "n_epochs": 20,
    "learning_rate": 0.0005,
    "critic_learning_rate": 0.0002,
    "gamma": 0.97,
    "gae_lambda": 0.95,
    "clip_range": 0.2,
    "ent_coef": 0.01,
    "steps": 0,
    "total_games": 10_000,
    "eval_freq_games": 250,
    "checkpoint_seconds": 600.0,
    "n_envs": 1,
    "credit": "own",
    "bounded_value": False,
    "batch_size": 4_096,
    "vf_coef": 0.5,
    "normalize_advantage": True,
    "max_grad_norm": 0.5,
    "ema_decay": 0.0,
}
PROXIMAL_FILLED = {
    "shaping": "the paper has two rewards; that PPO learned by the dense one is not said",
    "n_envs": "one at a time: the paper counts episodes",
    "credit": "equation 3 is of one player's own states",
    "bounded_value": "dense rewards add up to more than 30",
    "batch_size": "all that was played at once: minibatches are not printed",
    "vf_coef": "not printed",
    "normalize_advantage": "not printed",
    "max_grad_norm": "not printed",
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
        f"{PAPER}, sections III.A, III.C, III.D, IV.C; the encoder of a run of vae: --encoder RUN",
        {
            **PROXIMAL,
            "opponent_full_interval": 1,
            "activation": "relu",
            "freeze_encoder": True,
            "head_width": 512,
            "head_layers": 2,
        },
        {
            **PROXIMAL_FILLED,
            "opponent_full_interval": "'updates every step' of figures 12 and 13: after each game",
            "head_layers": "as many as PPO's own heads have",
        },
    ),
)

VAE = (
    Preset(
        "cathedral",
        GAME,
        f"{PAPER}, sections II.D and III.D; half of the games by a trained agent: --data-agent RUN",
        {
            "planes": "paper",
            "latent_dim": 32,
            "dataset_games": 4_000,
            "data_agent_fraction": 0.5,
            "validation_fraction": 0.1,
            "steps": 300,
            "kl_coef": 1.0,
        },
        {"validation_fraction": "how much is held out is not printed"},
    ),
)
