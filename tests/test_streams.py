"""Random numbers of one seed serve one purpose and one piece of work each."""

from itertools import pairwise

import numpy as np

import ludus
from ludus import _core

STEP = 0x9E3779B97F4A7C15  # between two states of a generator
PLACES = pow(STEP, -1, 2**64)


def places(states):
    """Where generators stand on the one circle of 2**64 numbers that they all walk."""
    return sorted(int(state) * PLACES % 2**64 for state in states)


def batch_states(seed, rows):
    out = np.zeros(rows, np.uint64)
    start = ludus.game("tictactoe").start()
    _core.batch(start, rows, seed=seed, planes="full", turned=True).randoms(out)
    return out


def pool_states(seed, rows):
    pool = _core.selfplay(ludus.game("tictactoe").start(), rows, seed)
    return [pool.row(row)[1] for row in range(rows)]


def test_no_two_streams_come_near_each_other():
    states = [state for seed in (*range(100), 2**63, 2**64 - 1) for state in batch_states(seed, 99)]
    states += [state for seed in range(100) for state in pool_states(seed, 9)]
    found = places(states)
    assert min(b - a for a, b in pairwise(found)) > 10**6
    assert min(b - a for a, b in pairwise(found)) < 10**14  # nor do they avoid each other


def test_the_streams_of_neighbouring_seeds_are_unrelated():
    """Of 64 bits about half differ: between seeds, rows, and rows of the next seed."""
    for first, second in [((1, 0), (2, 0)), ((1, 0), (1, 1)), ((1, 1), (2, 0)), ((5, 7), (7, 5))]:
        differing = []
        for k in range(300):
            a = batch_states(first[0] + 10 * k, 9)[first[1]]
            b = batch_states(second[0] + 10 * k, 9)[second[1]]
            differing.append(int(a ^ b).bit_count())
        assert abs(np.mean(differing) - 32) < 5 * 4 / 300**0.5
