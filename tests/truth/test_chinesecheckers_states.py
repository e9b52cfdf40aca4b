"""The table of Chinese Checkers against the rules, state by state."""

import pytest

from tests.truth.diamonds import legal_state, solved, texts, written


def check(table, state):
    """The table's answer for a state follows from its answers for the successors."""
    value, distance = table.value(state), table.distance(state)
    moves = table.moves(state)
    assert [action for action, _, _ in moves] == state.legal()
    if state.outcome is not None:
        assert (value, distance) == (-1, 0)
        return value, distance
    if wins := [plies for _, worth, plies in moves if worth == 1]:
        expected = (1, 1 + min(wins))
    elif any(worth == 0 for _, worth, _ in moves):
        expected = (0, None)
    else:
        expected = (-1, 1 + max(plies for _, _, plies in moves))
    assert (value, distance) == expected, str(state)
    return value, distance


def check_every_state(size, pieces, forward_only):
    truth = solved(size, pieces, forward_only)
    counts = {1: 0, 0: 0, -1: 0}
    by_distance = [0] * len(truth.counts["by_distance"])
    illegal = 0
    for text in texts(size, pieces):
        state = legal_state(truth.game, text)
        if state is None:
            illegal += 1
            continue
        value, distance = check(truth.table, state)
        counts[value] += 1
        if distance is not None:
            by_distance[distance] += 1
    assert illegal == truth.counts["illegal"]
    names = {"wins": 1, "draws": 0, "losses": -1}
    assert all(counts[value] == truth.counts[name] for name, value in names.items())
    assert by_distance == truth.counts["by_distance"]


@pytest.mark.parametrize("forward_only", [False, True])
@pytest.mark.parametrize(
    ("size", "pieces"), [(3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (5, 1), (7, 1)]
)
def test_every_state_follows_from_its_successors(size, pieces, forward_only):
    check_every_state(size, pieces, forward_only)


@pytest.mark.slow
@pytest.mark.parametrize("forward_only", [False, True])
@pytest.mark.parametrize(("size", "pieces"), [(4, 3), (4, 6)])
def test_every_state_of_larger_tables_follows_from_its_successors(size, pieces, forward_only):
    check_every_state(size, pieces, forward_only)


def check_random_states(truth, size, pieces, rng, count):
    seen = set()
    for _ in range(count):
        cells = rng.sample(range(size * size), 2 * pieces)
        for text in written(size, cells[:pieces], cells[pieces:]):
            state = legal_state(truth.game, text)
            if state is not None:
                value, distance = check(truth.table, state)
                for symmetry in range(1, state.num_symmetries):
                    image = state.transformed(symmetry)
                    assert truth.table.value(image) == value
                    assert truth.table.distance(image) == distance
                seen.add(value)
    return seen


@pytest.mark.parametrize("forward_only", [False, True])
@pytest.mark.parametrize(("size", "pieces"), [(4, 4), (4, 6), (5, 3), (6, 2)])
def test_random_states_follow_from_their_successors(size, pieces, forward_only, rng):
    truth = solved(size, pieces, forward_only)
    seen = check_random_states(truth, size, pieces, rng, 1000)
    assert seen >= {1, -1}


@pytest.mark.slow
@pytest.mark.parametrize("forward_only", [False, True])
@pytest.mark.parametrize(("size", "pieces"), [(5, 3), (5, 4), (6, 3)])
def test_a_million_random_states_follow_from_their_successors(size, pieces, forward_only, rng):
    truth = solved(size, pieces, forward_only)
    assert check_random_states(truth, size, pieces, rng, 500_000) == {1, 0, -1}
