"""Cathedral's exact endgames beside plain search."""

import random

import pytest

import ludus
from ludus import _core

GAMES = [
    "cathedral:size=8",
    "cathedral:size=8,rules=seed",
    "cathedral",
    "cathedral:size=8,claim_limit=6",
]


class TooLongError(Exception):
    """The plain search gave up."""


def plain(state, nodes, alpha=-1, beta=1):
    """The outcome with best play; no table, no bounds, moves as they come."""
    if state.outcome is not None:
        return state.outcome
    nodes[0] -= 1
    if nodes[0] < 0:
        raise TooLongError
    for action in state.legal():
        child = state.play(action)
        if child.player == state.player:
            value = plain(child, nodes, alpha, beta)
        else:
            value = -plain(child, nodes, -beta, -alpha)
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return alpha


def endings(game, rng, plies):
    """The last states of a random game, the last of all left out."""
    line = [game.start()]
    while line[-1].outcome is None:
        line.append(line[-1].play(rng.choice(line[-1].legal())))
    return line[-1 - plies : -1]


@pytest.mark.parametrize("spelling", GAMES)
def test_endgames_equal_plain_search(spelling):
    game = ludus.game(spelling)
    rng = random.Random(spelling)
    values, compared = set(), 0
    for _ in range(25):
        for state in endings(game, rng, 4):
            search = _core.cathedral_endgame(state, every_action=True)
            if not search.run(3_000):
                continue
            found = dict(search.values())
            assert list(found) == state.legal()
            assert search.value == max(found.values())
            values.add(search.value)
            for action in rng.sample(state.legal(), min(4, len(found))):
                child = state.play(action)
                try:
                    worth = plain(child, [1_500])
                except TooLongError:
                    continue
                assert found[action] == (worth if child.player == state.player else -worth)
                compared += 1
    assert compared > 100
    assert values >= {-1, 1}


def test_nothing_is_said_before_it_is_certain():
    start = ludus.game("cathedral:size=8").start()
    search = _core.cathedral_endgame(start)
    assert not search.run(50)
    assert not search.done
    assert search.value is None
    assert search.values() == []
    assert search.nodes >= 50


def test_slices_change_nothing():
    rng = random.Random(5)
    game = ludus.game("cathedral:size=8")
    for _ in range(5):
        state = endings(game, rng, 5)[0]
        one = _core.cathedral_endgame(state, every_action=True)
        if not one.run(20_000):
            continue
        many = _core.cathedral_endgame(state, every_action=True)
        while not many.run(7):
            pass
        assert (many.value, many.values(), many.nodes) == (one.value, one.values(), one.nodes)


def test_a_tiny_table_loses_time_but_no_truth():
    rng = random.Random(6)
    game = ludus.game("cathedral:size=8")
    for _ in range(5):
        state = endings(game, rng, 4)[0]
        large, none = (_core.cathedral_endgame(state, table_bytes=size) for size in (1 << 20, 0))
        if large.run(2_000) and none.run(20_000):
            assert large.value == none.value


def test_bad_requests_are_refused():
    game = ludus.game("cathedral:size=8")
    rng = random.Random(7)
    state = endings(game, rng, 1)[0]
    over = state.play(state.legal()[0])
    while over.outcome is None:
        over = over.play(over.legal()[0])
    with pytest.raises(ValueError, match="over"):
        _core.cathedral_endgame(over)
    with pytest.raises(ValueError, match="not negative"):
        _core.cathedral_endgame(state).run(10, -1.0)
    with pytest.raises(TypeError):
        _core.cathedral_endgame(ludus.game("checkers").start())
