"""Old names of settings, metrics and states: runs made before the names of today stay readable.

What is stored is mapped when it is read; nobody writes an old name any more. An old option on the
command line is refused with its new name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

COMMON = {
    "ladder": "eval_opponents",
    "evaluate_every": "eval_freq",
    "evaluate_every_games": "eval_freq_games",
    "evaluate_games": "n_eval_games",
    "openings": "eval_openings",
    "truth_states": "eval_truth_states",
    "frozen": "freeze_encoder",
}
LEARNING = {
    "batch": "batch_size",
    "anneal": "lr_decay_steps",
    "gradient_clip": "max_grad_norm",
    "value_weight": "vf_coef",
}
OWN_GAMES = COMMON | {
    "games": "n_envs",
    "illegal": "illegal_reward",
    "soft_every": "opponent_soft_interval",
    "soft_share": "opponent_tau",
    "full_every": "opponent_full_interval",
    "pool_every": "pool_interval",
    "pool_share": "pool_prob",
}
POPULATION = COMMON | {
    "matches": "fitness_games",
    "longest": "max_plies",
    "opening": "random_opening_plies",
}
SETTINGS: dict[str, dict[str, str]] = {
    "ppo": OWN_GAMES
    | LEARNING
    | {
        "plies": "n_steps",
        "episodes": "n_episodes",
        "longest": "max_rollout_plies",
        "epochs": "n_epochs",
        "critic_rate": "critic_learning_rate",
        "calming": "anneal_ent_coef",
        "trace": "gae_lambda",
        "clip": "clip_range",
        "entropy": "ent_coef",
        "smooth": "vf_smooth_l1",
        "normalise": "normalize_advantage",
        "separate": "separate_networks",
        "bounded": "bounded_value",
        "weighting": "proximity_weighting",
        "average": "ema_decay",
    },
    "dqn": OWN_GAMES
    | {
        "batch": "batch_size",
        "anneal": "lr_decay_steps",
        "plies": "train_freq",
        "updates": "gradient_steps",
        "double": "double_q",
        "spread": "monte_carlo_returns",
        "target_every": "target_update_interval",
        "target_share": "tau",
        "huber": "huber_loss",
        "clip": "max_grad_norm",
        "memory": "buffer_size",
        "warmup": "learning_starts",
        "alpha": "per_alpha",
        "beta": "per_beta",
        "beta_steps": "per_beta_steps",
        "exploration": "exploration_strategy",
        "explore_start": "exploration_initial",
        "explore_end": "exploration_final",
        "explore_decay": "exploration_decay_games",
        "watch": "learn_from_opponent",
    },
    "reinforce": OWN_GAMES
    | {
        "longest": "max_rollout_plies",
        "batch": "batch_size",
        "value_weight": "vf_coef",
        "bounded": "bounded_value",
        "entropy": "ent_coef",
        "gradient_clip": "max_grad_norm",
    },
    "cem": POPULATION
    | {"population": "population_size", "elite": "elite_frac", "least_variance": "min_variance"},
    "saes": POPULATION | {"tau": "sigma_learning_rate"},
    "vae": COMMON
    | {
        "games": "n_envs",
        "batch": "batch_size",
        "latent": "latent_dim",
        "positions": "positions_per_step",
        "held_out": "validation_fraction",
        "passes": "n_epochs",
        "divergence": "kl_coef",
        "agent": "data_agent",
        "agent_share": "data_agent_fraction",
    },
    "supervised": COMMON
    | LEARNING
    | {
        "games": "n_envs",
        "astray": "random_move_prob",
        "positions": "positions_per_step",
        "reuse": "samples_per_position",
    },
    "alphazero": COMMON
    | LEARNING
    | {
        "considered": "max_num_considered_actions",
        "visit_offset": "maxvisit_init",
        "c": "c_puct",
        "urgency": "fpu_reduction",
        "noise_alpha": "dirichlet_alpha",
        "noise_fraction": "dirichlet_fraction",
        "full_share": "full_search_prob",
        "noisy_plies": "gumbel_noise_plies",
        "random_plies": "random_opening_plies",
        "straying": "random_move_prob",
        "one_sided": "one_sided_prob",
        "resign": "resign_threshold",
        "resign_check": "resign_playthrough_prob",
        "symmetric": "symmetric_cache",
        "cache": "cache_size",
        "pools": "n_pools",
        "games": "n_envs",
        "batched": "batched_inference",
        "positions": "positions_per_step",
        "fresh": "recent_fraction",
        "replace": "replace_prob",
        "emptied": "clear_window",
        "reuse": "samples_per_position",
        "value_mix": "q_ratio",
        "trace": "td_lambda",
        "forgiving": "deblunder",
        "average": "ema_decay",
        "evaluate_simulations": "eval_simulations",
    },
}
ELSEWHERE = {  # what other libraries call our settings
    "lr": "learning_rate",
    "num_envs": "n_envs",
    "num_steps": "n_steps",
    "nsteps": "n_steps",
    "rollout_length": "n_steps",
    "epochs": "n_epochs",
    "update_epochs": "n_epochs",
    "total_timesteps": "steps",
    "num_iterations": "steps",
    "iterations": "steps",
    "clip_coef": "clip_range",
    "entropy_coef": "ent_coef",
    "value_coef": "vf_coef",
    "discount": "gamma",
    "replay_size": "buffer_size",
    "num_simulations": "simulations",
    "n_simulations": "simulations",
    "hidden_size": "width",
    "num_blocks": "blocks",
    "channels": "width",
    "num_threads": "threads",
    "eval_every": "eval_freq",
    "eval_episodes": "n_eval_games",
    "n_eval_episodes": "n_eval_games",
}
DEVICE = "--device says what networks compute on, and --threads how many threads it may use"
NOWHERE = {  # what other libraries have, and there is nothing of here
    "device": DEVICE,
    "gpu": DEVICE,
    "gpus": DEVICE,
    "cuda": DEVICE,
    "verbose": "progress is told where there is a terminal, and --json tells only the result",
    "wandb": "metrics.jsonl has all metrics, and --tensorboard true writes them for TensorBoard",
    "track": "metrics.jsonl has all metrics, and --tensorboard true writes them for TensorBoard",
}
AGENTS = {"c": "c_puct"}  # options of agents that are networks
METRICS = {
    "policy loss": "policy_loss",
    "value loss": "value_loss",
    "reconstruction loss": "reconstruction_loss",
    "divergence": "kl",
    "surprise": "kl",
    "clipped": "clip_fraction",
    "gradient": "grad_norm",
    "value": "value_mean",
    "value spread": "value_std",
    "prior entropy": "prior_entropy",
    "plies a game": "game_length",
    "reward a game": "game_reward",
    "illegal ends": "illegal_rate",
    "points in training": "training_score",
    "elo low": "elo_low",
    "elo high": "elo_high",
    "truth kept": "optimal_move_rate",
    "values right": "value_accuracy",
    "fitness of the best": "fitness_best",
    "wrong resignations": "wrong_resignation_rate",
    "positions/s": "positions_per_second",
    "simulations/s": "simulations_per_second",
    "cells right": "cell_accuracy",
    "held-out reconstruction loss": "validation_reconstruction_loss",
    "held-out divergence": "validation_kl",
    "held-out cells right": "validation_cell_accuracy",
    "int8 policy error": "int8_policy_error",
    "int8 value error": "int8_value_error",
}
HEADS = {  # of metrics that end with an agent, a kind of work or a number
    "points ": "score ",
    "wins ": "win_rate ",
    "won as first ": "win_rate_first ",
    "won as second ": "win_rate_second ",
    "reward a game ": "game_reward ",
    "reward a move ": "move_reward ",
    "seconds of ": "seconds_",
    "cells right, plane ": "cell_accuracy_plane_",
}
STATES = {"opponents": {"seats": "learner_sides"}}  # of the parts of a training
SPELLED = ("opponent", "eval_opponents", "data_agent", "teacher")  # settings that spell agents
OLD_C = re.compile(r"([/@][^;:]*:(?:[^;]*,)?)c=")


def old_settings(kind: type) -> Mapping[str, str]:
    """The old names of a method's settings, by its Config."""
    method = getattr(kind, "METHOD", kind.__module__.rpartition(".")[2])
    return SETTINGS.get(method, {})


def new_settings(method: Any, config: Mapping[str, Any]) -> dict[str, Any]:
    """Stored settings by their names of today."""
    table = SETTINGS.get(method, {}) if isinstance(method, str) else {}
    found = rename(config, table)
    for name in SPELLED:
        if isinstance(found.get(name), str):
            found[name] = OLD_C.sub(r"\1c_puct=", found[name])
    return found


def new_states(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The stored states of a training's parts by their names of today."""
    return {
        part: rename(state, STATES.get(part, {})) if isinstance(state, dict) else state
        for part, state in plain.items()
    }


def rename(stored: Mapping[str, Any], table: Mapping[str, str]) -> dict[str, Any]:
    """The same by its new names, except where the new one is there already."""
    return {
        name if table.get(name, name) in stored else table.get(name, name): value
        for name, value in stored.items()
    }


def new_metric(name: str) -> str:
    """The name of a metric today."""
    if name in METRICS:
        return METRICS[name]
    head = next((head for head in HEADS if name.startswith(head)), "")
    return HEADS.get(head, "") + name.removeprefix(head)
