"""In which contexts options matter, which never do, and why: tables for `test_options.py`."""

from pathlib import Path

from ludus.learn.settings.config import FREE

DATA = Path(__file__).parents[1] / "data"
LINES, OTHER_LINES = (str(DATA / f"tictactoe_{name}.txt") for name in ("lines", "other_lines"))

# Fields that change nothing that is learned, and why; some but for rounding, as sums have an order.
SAME = {
    "threads": "how many threads work changes no result",
    "batched_inference": "one question for all games or one for each: the same answers, slower",
}
ROUNDED = {
    "threads": "torch adds up in another order; one thread repeats bit by bit",
    "backend": "torch and ONNX Runtime say the same",
}
# Fields that are in vain beside some other, and still move what is drawn or kept there.
STIRRING = {
    "one_sided_prob": "draws a number for each game",
    "replace_prob": "draws a number for each position",
    "credit": "says how far replay has to look ahead before it draws a ply",
    "n_step": "says how far replay has to look ahead before it draws a ply",
}
# Fields whose effect is on the folder of a run: what is measured, and what is kept.
OF_RUNS = (FREE - {"steps"}) | {"eval_simulations"}
STORED = ("init", "encoder", "freeze_encoder")  # which read another run

LAGGED = {
    "opponent": "lagged",
    "opponent_soft_interval": 2,
    "opponent_full_interval": 50,
    "steps": 8,
}
LAGGED |= {"learning_rate": 0.05}
POOL = {"opponent": "pool"}
ZERO = {
    "network": "zero",
    "positions_per_step": 700,
    "window": 2_000,
    "simulations": 2,
    "int8": "on",
}
CONTEXTS = {
    **dict.fromkeys(("opponent_soft_interval", "opponent_tau", "opponent_full_interval"), LAGGED),
    **dict.fromkeys(("pool_interval", "pool_size", "pool_prob"), POOL),
    "planes": {"game": "supertictactoe"},
    "shaping": {"game": "supertictactoe"},
    "illegal_reward": {"opponent": "legality"},
    "learn_from_opponent": {"opponent": "random"},
    "anneal_ent_coef": {"lr_decay_steps": 4},
    "double_q": {"gradient_steps": 12, "learning_rate": 0.05},
    "buffer_size": {"buffer_size": 60},
    "clip_range": {"learning_rate": 0.05},
    "max_rollout_plies": {"max_rollout_plies": 12, "n_episodes": 1},
    "head_width": {"encoder": "latent=4,width=2"},
    "head_layers": {"encoder": "latent=4,width=2"},
    "validation_fraction": {"dataset_games": 8},
    "fpu_strategy": {"search": "puct"},
    "gate_discards": {"gate": "0.99", "gate_games": 2},
    "momentum": {"optimizer": "sgd"},
    "fpu_reduction": {"search": "puct"},
    "c_puct": {"search": "puct"},
    "dirichlet_alpha": {"search": "puct"},
    "dirichlet_fraction": {"search": "puct"},
    "fast_simulations": {"full_search_prob": 0.5},
    "temperature": {"temperature_plies": 3},
    "resign_playthrough_prob": {"resign_threshold": 0.01},
    "window": {"window": 60},
    "replace_prob": {"window": 60},
    "gate": {"gate_games": 2},
    "gate_games": {
        "gate": "0.5",
        "gate_games": 2,
        "learning_rate": 0.1,
        "game": "connect4:rows=4,columns=5",
    },
    "int8": ZERO,
    "start_positions_prob": {"start_positions": LINES},
    "state_file": {"states": "file", "state_file": LINES},
    "data_agent_fraction": {"data_agent": "greedy"},
    "epsilon": {"data_agent": "greedy"},
}
OF_METHOD = {("cem", "activation"): {"sampled": True, "fitness_games": 8, "steps": 6}}
VALUES = {
    "network": "conv",
    "head_width": 8,
    "fpu_strategy": "zero",
    "optimizer": "sgd",
    "validation_fraction": 0.25,
    "activation": "relu",
    "planes": "paper",
    "opponent": "random",
    "shaping": "original",
    "credit": "own",
    "exploration_strategy": "boltzmann",
    "backend": "onnx",
    "precision": "bfloat16",
    "baseline": "mean",
    "mutation": "old",
    "search": "puct",
    "int8": "off",
    "gate": "0.5",
    "gate_games": 10,
    "opponent_tau": 0.9,
    "opponent_full_interval": 5,
    "teacher": "uct:simulations=9",
    "data_agent": "greedy",
    "threads": 3,
    "positions_per_step": 64,
    "buffer_size": 40,
    "learning_starts": 60,
    "clip_range": 0.0001,
    "max_grad_norm": 0.0001,
    "elite_frac": 0.75,
    "max_rollout_plies": 4,
    "max_plies": 4,
    "max_num_considered_actions": 2,
    "gumbel_noise_plies": 0,
    "resign_playthrough_prob": 1.0,
    "window": 40,
    "illegal_reward": -7.0,
    "start_positions": LINES,
    "states": "uniform",
    "state_file": OTHER_LINES,
}
# Fields that a method shares and whose Config refuses them itself.
REFUSED = {("supervised", "total_games"), ("supervised", "eval_freq_games")}
IN_VAIN = {  # what is asked for where it does nothing
    "positions_per_step": {"games_per_step": 4, "dataset_games": 8},
    "samples_per_position": {"samples_per_step": 64},
    "n_steps": {"n_episodes": 1},
    "per_beta": {"per_alpha": 0.0},
    "per_beta_steps": {"per_alpha": 0.0},
    "credit": {"monte_carlo_returns": True},
    "n_step": {"monte_carlo_returns": True},
    "double_q": {"monte_carlo_returns": True},
    "target_update_interval": {"monte_carlo_returns": True},
    "tau": {"monte_carlo_returns": True},
    "learn_from_opponent": {},
    "vf_coef": {"baseline": "none"},
    "bounded_value": {"baseline": "none"},
    "max_num_considered_actions": {"search": "puct"},
    "opponent_policy_coef": {"replace_prob": 0.5},
    "maxvisit_init": {"search": "puct"},
    "value_scale": {"search": "puct"},
    "gumbel_noise_plies": {"search": "puct"},
    "random_move_prob": {"random_opening_plies": 0, "states": "uniform"},
    "one_sided_prob": {"random_opening_plies": 0},
    "td_lambda": {"q_ratio": 0.0},
    "deblunder": {"q_ratio": 0.0},
    "recent_fraction": {"clear_window": True},
    "replace_prob": {"clear_window": True},
    "vf_smooth_l1": {"vf_coef": 0.0},
    "data_agent": {"data_agent_fraction": 0.0},
}
