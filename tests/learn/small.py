"""Every learning method in its smallest size, for tests that only ask whether it works."""

import dataclasses

import numpy as np

import ludus
from ludus.learn import algorithm, algorithms
from ludus.learn.settings.needs import BUILT_BY, builds, lacking

SMALL = {
    "games": 6,
    "plies": 5,
    "batch": 16,
    "updates": 2,
    "epochs": 2,
    "memory": 600,
    "warmup": 12,
    "n_step": 2,
    "network": "mlp",
    "width": 8,
    "blocks": 1,
    "population": 4,
    "matches": 2,
    "positions": 32,
    "passes": 1,
    "latent": 4,
    "longest": 12,
    "simulations": 4,
    "window": 400,
    "cache": 1024,
    "reuse": 1.0,
    "teacher": "uct:simulations=4",
    "target_every": 3,
    "pool_every": 1,
    "pool_size": 2,
    "steps": 4,
    "evaluate_every": 0,
    "ladder": "random",
    "evaluate_games": 2,
    "truth_states": 0,
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
        if lacking(made, k) or (k in BUILT_BY and not builds(GAME, made, k))
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
