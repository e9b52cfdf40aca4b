"""Every learning method in its smallest size, for tests that only ask whether it works."""

import dataclasses

import numpy as np

import ludus
from ludus.learn import algorithm, algorithms
from ludus.learn.networks.effects import BUILT_BY, builds
from ludus.learn.settings.needs import missing_need

SMALL = {
    "n_envs": 6,
    "n_steps": 5,
    "train_freq": 5,
    "batch_size": 16,
    "gradient_steps": 2,
    "n_epochs": 2,
    "buffer_size": 600,
    "learning_starts": 12,
    "n_step": 2,
    "network": "mlp",
    "width": 8,
    "blocks": 1,
    "population_size": 4,
    "fitness_games": 2,
    "positions_per_step": 32,
    "latent_dim": 4,
    "max_rollout_plies": 12,
    "max_plies": 12,
    "simulations": 4,
    "window": 400,
    "cache_size": 1024,
    "samples_per_position": 1.0,
    "teacher": "uct:simulations=4",
    "target_update_interval": 3,
    "pool_interval": 1,
    "pool_size": 2,
    "steps": 4,
    "eval_freq": 0,
    "eval_opponents": "random",
    "n_eval_games": 2,
    "eval_truth_states": 0,
}
METHODS = algorithms()
GAME = ludus.game("connect4")  # for which networks are planned, to see what they are built by


def small(name, **changes):
    """The smallest config of a method."""
    kind = algorithm(name).Config
    known = {field.name: field.default for field in dataclasses.fields(kind)}
    made = kind(**{k: v for k, v in {**SMALL, **changes}.items() if k in known})
    own = (SMALL.keys() & known.keys()) - changes.keys()
    idle = {
        k: known[k]
        for k in own
        if missing_need(made, k) or (k in BUILT_BY and not builds(GAME, made, k))
    }
    return dataclasses.replace(made, **idle)


def everything(saved):
    """All that a training remembers, comparable."""
    return {name: np.array(array) for name, array in saved.arrays.items()}, saved.plain


def same(one, other):
    """Whether two states are the same, bit by bit."""
    arrays, plain = one
    arrays_too, plain_too = other
    assert arrays.keys() == arrays_too.keys()
    for name, array in arrays.items():
        assert array.dtype == arrays_too[name].dtype, name
        assert array.tobytes() == arrays_too[name].tobytes(), name
    assert plain == plain_too
