"""Slow oracles work in slices that others can come between."""

import random
from itertools import zip_longest

import pytest

import ludus
from ludus.truth.oracle import NoTruth, oracle


def positions(game, plies, count):
    """Positions of random play that go on."""
    rng, found = random.Random(3), []
    while len(found) < count:
        state = game.start()
        for _ in range(plies):
            if state.outcome is None:
                state = state.play(rng.choice(state.legal()))
        if state.outcome is None:
            found.append(state)
    return found


def test_connect_four_is_the_same_in_slices():
    game = ludus.game("connect4")
    known, sliced = oracle(game), oracle(game)
    states = positions(game, 24, 6)
    for _ in zip_longest(*map(sliced.solving, states)):
        pass  # all at once, by turns, with fewer solvers than positions
    for state in states:
        assert sliced.scores(state) == known.scores(state)
        assert sliced.values(state) == known.values(state)
        assert sliced.distances(state) == known.distances(state)
        assert list(sliced.solving(state)) == []  # it is known now


def test_connect_four_tells_who_wins_first():
    game = ludus.game("connect4")
    (state,) = positions(game, 18, 1)
    known = oracle(game)
    early = [known.values_so_far(state) for _ in known.solving(state)]
    values = oracle(game).values(state)
    assert early[0] is None or early[0] == values
    assert early[-1] == known.values_so_far(state) == known.values(state) == values


def test_connect_four_can_be_left_in_the_middle():
    game = ludus.game("connect4")
    known = oracle(game)
    (far,) = positions(game, 6, 1)
    left = [known.solving(far) for _ in range(2)]
    for work in left:
        next(work)
    assert next(known.solving(positions(game, 30, 1)[0])) is None  # both solvers are taken
    for work in left:
        work.close()
    (near,) = positions(game, 30, 1)
    list(known.solving(near))
    assert known.scores(near) == oracle(game).scores(near)


def test_cathedral_is_the_same_in_slices():
    game = ludus.game("cathedral")
    states = [state for state in positions(game, 23, 40) if len(state.legal()) < 30][:2]
    assert states
    for state in states:
        known, sliced = oracle(game), oracle(game)
        list(sliced.solving(state))
        assert sliced.values(state) == known.values(state)


def test_cathedral_says_where_it_ends():
    small = oracle("cathedral", nodes=1000)
    with pytest.raises(NoTruth, match="1,000 nodes"):
        list(small.solving(ludus.game("cathedral").start()))


def test_what_is_looked_up_needs_no_work():
    known = oracle("tictactoe")
    assert list(known.solving(known.game.start())) == []


def test_perfect_thinks_in_slices():
    from ludus.agent import agent, thinking

    (state,) = positions(ludus.game("connect4"), 20, 1)
    *_, last = thinking(agent("perfect"), state)
    whole = agent("perfect").think(state)
    assert (last.policy == whole.policy).all()
    assert last.values == whole.values
