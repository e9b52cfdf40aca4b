"""Chinese Checkers: AlphaZero in four architectures, on boards that are solved."""

from __future__ import annotations

from typing import Any

from ludus.learn.settings.preset import Preset

PAPER = "Karki, Evaluating AlphaZero in a Strongly Solved Game (thesis, Alberta 2024)"
# Forward moves only (page 26). Six repetitions are permitted (page 24): the eighth occurrence is
# a draw in what the author published, with at most 100 plies.
CLOCKS = "forward_only=true,repetition=8,max_plies=100"
SMALL = f"chinesecheckers:size=4,pieces=3,{CLOCKS}"
LARGE = f"chinesecheckers:size=5,pieces=6,{CLOCKS}"

THESIS: dict[str, Any] = {
    "network": "thesis",
    "planes": "paper",
    "search": "puct",
    "simulations": 128,
    "fpu_strategy": "zero",
    "plain": True,
    "prior_temperature": 1.0,
    "temperature": 1.0,
    "optimizer": "adam",
    "momentum": 0.9,
    "learning_rate": 0.00001,
    "weight_decay": 0.0001,
    "q_ratio": 0.0,
    "vf_coef": 1.0,
    "random_opening_plies": 0,
    "ema_decay": 0.0,
    "augmentation": False,
    "symmetric_cache": False,
    "cache_size": 0,
    "int8": "off",
    "gate": "none",
    "recent_fraction": 1.0,
    "n_pools": 1,
    "threads": 1,
    "width": 64,
    "blocks": 4,
    "c_puct": 1.25,
    "dirichlet_alpha": 1.0,
    "dirichlet_fraction": 0.25,
    "temperature_plies": 10,
    "max_grad_norm": 5.0,
}
FILLED = {
    "game": "repetitions and the longest game as in what the author published",
    "plain": "proofs are not mentioned; that a tree is kept is not printed",
    "optimizer": "page 36 says Adam, table A.1 a momentum rate of 0.9: Adam's first decay rate; "
    "--optimizer sgd is the other reading",
    "width": "filters are not printed",
    "blocks": "'multiple' residual blocks, after 'a few' convolutions, which are two here",
    "c_puct": "C_puct is not printed",
    "dirichlet_alpha": "alpha is not printed",
    "dirichlet_fraction": "not printed",
    "temperature_plies": "'the first n moves': n is not printed",
    "max_grad_norm": "not printed",
}
BUFFER_FILLED = {
    "replace_prob": "p is not printed; 's in %' of table A.1, which nothing explains, is taken "
    "for it",
    "positions_per_step": "x, the new positions after which it learns, is not printed",
    "samples_per_step": "not printed: 's in %' of the buffer, its other reading",
    "overlap": "it learns beside the games, so these are played a step behind",
}
OF_PARALLEL = "table A.1 is of the parallel games"
STEPS_OF_PARALLEL = "not printed for this one: as many as of thesis-4x4"
# Page 44: 50 iterations; table A.1, 4x4 board.
BUFFER: dict[str, Any] = {
    "batch_size": 64,
    "window": 1_000,
    "replace_prob": 1.0,
    "positions_per_step": 250,
    "samples_per_step": 1_000,
    "overlap": True,
    "steps": 50,
    "eval_freq": 2,
}

ALPHAZERO = (
    Preset(
        "thesis-4x4",
        SMALL,
        f"{PAPER}, sections 3.1 to 3.4, pages 26-39; 4.5.1, page 44; table A.1, page 77",
        {**THESIS, **BUFFER, "n_envs": 6},
        {
            **FILLED,
            **BUFFER_FILLED,
            "steps": "50 iterations of page 44, not the 5 hours of table A.1",
        },
    ),
    Preset(
        "thesis-5x5",
        LARGE,
        f"{PAPER}, sections 3.1 to 3.4, pages 26-39; 4.6, page 55; table A.1, page 77",
        {
            **THESIS,
            **BUFFER,
            "n_envs": 29,
            "batch_size": 128,
            "window": 10_000,
            "replace_prob": 0.5,
            "positions_per_step": 1_000,
            "samples_per_step": 5_000,
            "steps": 300,
            "eval_freq": 5,
        },
        {
            **FILLED,
            **BUFFER_FILLED,
            "n_envs": "29 in table A.1; page 55 says 28",
            "steps": "300 iterations took a week; the 72 hours of table A.1 end near the 123rd",
        },
    ),
    Preset(
        "thesis-single",
        SMALL,
        f"{PAPER}, section 3.2.1, page 30; 4.4, page 43",
        {
            **THESIS,
            "n_envs": 1,
            "batched_inference": False,
            "clear_window": True,
            "overlap": False,
            "games_per_step": 300,
            "samples_per_position": 1.0,
            "window": 30_000,
            "batch_size": 64,
            "steps": 10,
            "eval_freq": 1,
        },
        {
            **FILLED,
            "simulations": OF_PARALLEL,
            "learning_rate": OF_PARALLEL,
            "momentum": OF_PARALLEL,
            "weight_decay": OF_PARALLEL,
            "samples_per_position": "passes over an iteration's positions are not printed: one",
            "window": "more than 300 games can have",
            "batch_size": OF_PARALLEL,
        },
    ),
    Preset(
        "thesis-replay",
        SMALL,
        f"{PAPER}, section 3.2.2, pages 30-32; table A.1, page 77",
        {**THESIS, **BUFFER, "n_envs": 1, "batched_inference": False, "overlap": False},
        {
            **FILLED,
            **BUFFER_FILLED,
            "overlap": "one game after the other: it waits for learning",
            "steps": STEPS_OF_PARALLEL,
        },
    ),
    Preset(
        "thesis-parallel",
        SMALL,
        f"{PAPER}, section 3.2.3, page 32; table A.1, page 77",
        {**THESIS, **BUFFER, "n_envs": 6, "batched_inference": False},
        {**FILLED, **BUFFER_FILLED, "steps": STEPS_OF_PARALLEL},
    ),
)
