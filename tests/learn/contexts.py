"""In which contexts options matter, which never do, and why: tables for `test_options.py`."""

from ludus.learn.settings.config import FREE

# Fields that change nothing that is learned, and why; some but for rounding, as sums have an order.
SAME = {
    "threads": "how many threads work changes no result",
    "batched": "one question for all games or one for each: the same answers, slower",
}
ROUNDED = {
    "threads": "torch adds up in another order; one thread repeats bit by bit",
    "backend": "torch and ONNX Runtime say the same",
}
# Fields that are in vain beside some other, and still move what is drawn or kept there.
STIRRING = {
    "one_sided": "draws a number for each game",
    "replace": "draws a number for each position",
    "credit": "says how far replay has to look ahead before it draws a ply",
    "n_step": "says how far replay has to look ahead before it draws a ply",
}
# Fields whose effect is on the folder of a run: what is measured, and what is kept.
OF_RUNS = (FREE - {"steps"}) | {"evaluate_simulations"}
STORED = ("init", "encoder", "frozen")  # which read another run

LAGGED = {"opponent": "lagged", "soft_every": 2, "full_every": 50, "steps": 8}
LAGGED |= {"learning_rate": 0.05}
POOL = {"opponent": "pool"}
ZERO = {"network": "zero", "positions": 700, "window": 2_000, "simulations": 2, "int8": "on"}
CONTEXTS = {
    **dict.fromkeys(("soft_every", "soft_share", "full_every"), LAGGED),
    **dict.fromkeys(("pool_every", "pool_size", "pool_share"), POOL),
    "planes": {"game": "supertictactoe"},
    "shaping": {"game": "supertictactoe"},
    "illegal": {"opponent": "legality"},
    "watch": {"opponent": "random"},
    "calming": {"anneal": 4},
    "double": {"updates": 12, "learning_rate": 0.05},
    "memory": {"memory": 60},
    "clip": {"learning_rate": 0.05},
    "longest": {"longest": 12, "episodes": 1},
    "head_width": {"encoder": "latent=4,width=2"},
    "head_layers": {"encoder": "latent=4,width=2"},
    "held_out": {"dataset_games": 8},
    "fpu_strategy": {"search": "puct"},
    "gate_discards": {"gate": "0.99", "gate_games": 2},
    "momentum": {"optimizer": "sgd"},
    "urgency": {"search": "puct"},
    "c": {"search": "puct"},
    "noise_alpha": {"search": "puct"},
    "noise_fraction": {"search": "puct"},
    "fast_simulations": {"full_share": 0.5},
    "temperature": {"temperature_plies": 3},
    "resign_check": {"resign": 0.01},
    "window": {"window": 60},
    "replace": {"window": 60},
    "gate": {"gate_games": 2},
    "gate_games": {
        "gate": "0.5",
        "gate_games": 2,
        "learning_rate": 0.1,
        "game": "connect4:rows=4,columns=5",
    },
    "int8": ZERO,
    "agent_share": {"agent": "greedy"},
    "epsilon": {"agent": "greedy"},
}
OF_METHOD = {("cem", "activation"): {"sampled": True, "matches": 8, "steps": 6}}
VALUES = {
    "network": "conv",
    "head_width": 8,
    "fpu_strategy": "zero",
    "optimizer": "sgd",
    "held_out": 0.25,
    "activation": "relu",
    "planes": "paper",
    "opponent": "random",
    "shaping": "original",
    "credit": "own",
    "exploration": "boltzmann",
    "backend": "onnx",
    "precision": "bfloat16",
    "baseline": "mean",
    "mutation": "old",
    "search": "puct",
    "int8": "off",
    "gate": "0.5",
    "gate_games": 10,
    "soft_share": 0.9,
    "full_every": 5,
    "teacher": "uct:simulations=9",
    "agent": "greedy",
    "threads": 3,
    "positions": 64,
    "memory": 40,
    "warmup": 60,
    "clip": 0.0001,
    "gradient_clip": 0.0001,
    "elite": 0.75,
    "longest": 4,
    "considered": 2,
    "noisy_plies": 0,
    "resign_check": 1.0,
    "window": 40,
    "illegal": -7.0,
}
# Fields that a method shares and whose Config refuses them itself.
REFUSED = {("supervised", "total_games"), ("supervised", "evaluate_every_games")}
IN_VAIN = {  # what is asked for where it does nothing
    "positions": {"games_per_step": 4, "dataset_games": 8},
    "reuse": {"samples_per_step": 64},
    "plies": {"episodes": 1},
    "beta": {"alpha": 0.0},
    "beta_steps": {"alpha": 0.0},
    "credit": {"spread": True},
    "n_step": {"spread": True},
    "double": {"spread": True},
    "target_every": {"spread": True},
    "target_share": {"spread": True},
    "watch": {},
    "value_weight": {"baseline": "none"},
    "bounded": {"baseline": "none"},
    "considered": {"search": "puct"},
    "visit_offset": {"search": "puct"},
    "value_scale": {"search": "puct"},
    "noisy_plies": {"search": "puct"},
    "straying": {"random_plies": 0},
    "one_sided": {"random_plies": 0},
    "trace": {"value_mix": 0.0},
    "forgiving": {"value_mix": 0.0},
    "fresh": {"emptied": True},
    "replace": {"emptied": True},
}
