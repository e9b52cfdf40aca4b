"""Many trees in step: evaluators are asked in rows, and threads change nothing."""

import random

import numpy as np
import pytest

import ludus
from ludus import _core
from tests.conftest import playout


def arrays(forest):
    return (
        np.zeros((forest.max_rows, *forest.shape), np.float32),
        np.zeros((forest.max_rows, forest.num_actions), np.bool_),
    )


def uniform(features, masks):
    return masks / masks.sum(axis=1, keepdims=True), np.zeros(len(masks))


def think(forest, evaluate=uniform):
    """Ask the evaluator until no tree wants more; returns how many rows it saw."""
    features, masks = arrays(forest)
    asked = 0
    while rows := forest.gather(features, masks):
        priors, values = evaluate(features[:rows], masks[:rows])
        forest.scatter(priors.astype(np.float32), values.astype(np.float32))
        asked += rows
    return asked


def visits(forest, row):
    return {action: count for action, count, _, _ in forest.result(row)}


def hashed(features, masks):
    """An evaluator with opinions, the same for the same position."""
    flat = features.reshape(len(features), -1)
    weights = np.sin(1 + np.arange(flat.shape[1]))
    priors = masks * (1.1 + np.sin(flat @ weights[:, None] + np.arange(masks.shape[1])))
    return priors, np.tanh(np.sin(7 * flat @ weights))


@pytest.mark.parametrize("gumbel", [False, True])
def test_threads_change_nothing(game, gumbel):
    found = []
    for threads in (1, 3):
        options = {
            "simulations": 24,
            "gumbel": gumbel,
            "dirichlet_fraction": 0.25,
            "max_num_considered_actions": 3,
        }
        forest = _core.forest(game.start(), 5, seed=9, threads=threads, **options)
        think(forest, hashed)
        found.append([(forest.result(row), forest.policy(row)) for row in range(5)])
        for row in range(5):
            assert sum(visits(forest, row).values()) == 24
            forest.advance(row, forest.action(row))
        think(forest, hashed)
        found[-1].append([forest.policy(row) for row in range(5)])
    assert found[0] == found[1]
    if len(game.start().legal()) > 3:
        assert any(one != found[0][0] for one in found[0][1:5])  # each tree has its own noise


def certain(features, masks):
    """An evaluator that knows one move."""
    priors = np.where(np.arange(masks.shape[1]) == 3, 0.9, 0.1 / (masks.shape[1] - 1)) * masks
    return priors, np.zeros(len(features))


def test_a_root_that_is_sought_again_has_its_noise_but_once():
    start = ludus.game("connect4").start()
    options = {"simulations": 2000, "dirichlet_fraction": 0.25, "dirichlet_alpha": 1.0}
    forest = _core.forest(start, 1, seed=1, **options)
    think(forest, certain)
    before = visits(forest, 0)[3]
    for _ in range(100):
        assert forest.seek(0, start)
    think(forest, certain)
    assert visits(forest, 0)[3] - before > 0.6 * 2000


def test_leaves_are_shown_in_the_frame_of_their_mover(game):
    """The first rows are roots: what is written is what a single state says."""
    rng = random.Random(6)
    states = []
    for _ in range(12):
        state = game.start(rng)
        for _ in range(rng.randrange(8)):
            if state.outcome is None:
                state = state.play(rng.choice(state.legal()), rng)
        if state.outcome is None:
            states.append(state)
    forest = _core.forest(states[0], len(states))
    for row, state in enumerate(states):
        forest.seek(row, state)
    features, masks = arrays(forest)
    assert forest.gather(features, masks) == len(states)
    for row, state in enumerate(states):
        assert np.array_equal(features[row], state.features())
        assert np.array_equal(masks[row], state.mask())


@pytest.mark.parametrize("spelling", ["kingcourtesan:size=4", "checkers"])
def test_priors_are_in_the_frame_of_the_mover(spelling):
    game = ludus.game(spelling)
    for state in (game.start(), game.start().play(game.start().legal()[0])):
        wanted = state.legal()[-1]
        forest = _core.forest(state, 1, simulations=1, plain=True)

        priors = np.zeros(game.num_actions)
        priors[state.seen(wanted)] = 1
        think(forest, lambda _, masks, p=priors: (masks * p, np.zeros(len(masks))))
        assert visits(forest, 0) == {a: int(a == wanted) for a in state.legal()}


def positions(features):
    """The tic-tac-toe states that rows of features show."""
    game, marks = ludus.game("tictactoe"), {(1, 0): "x", (0, 1): "o", (0, 0): "."}
    for row in features:
        first = row[2, 0, 0] > 0
        planes = (row[0], row[1]) if first else (row[1], row[0])
        cells = [marks[int(a), int(b)] for a, b in zip(*(p.flat for p in planes), strict=True)]
        board = "/".join("".join(cells[i : i + 3]) for i in (0, 3, 6))
        yield game.state(board + (" x" if first else " o"))


def exact(features, masks):
    """The truth of each row, and no opinion on actions."""
    values = [solve(state) for state in positions(features)]
    return uniform(features, masks)[0], np.array(values)


def wise(features, masks):
    """The truth of each row, and a prior that favours the best actions."""
    priors = 0.1 * masks
    for row, state in enumerate(positions(features)):
        priors[row, best_actions(state)] = 1
    return priors, exact(features, masks)[1]


KNOWN = {}


def solve(state):
    if state.outcome is not None:
        return state.outcome
    if str(state) not in KNOWN:
        KNOWN[str(state)] = max(-solve(state.play(action)) for action in state.legal())
    return KNOWN[str(state)]


def best_actions(state):
    return [a for a in state.legal() if -solve(state.play(a)) == solve(state)]


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(
    ("gumbel", "evaluate", "most_wrong", "least_mean"),
    [(False, exact, 0, 0.9), (False, wise, 0, 0.9), (True, exact, 7, 0.9), (True, wise, 0, 0.99)],
)
def test_with_the_truth_the_best_action_is_found(plain, gumbel, evaluate, most_wrong, least_mean):
    rng, game = random.Random(4), ludus.game("tictactoe")
    states = []
    while len(states) < 150:
        plies = rng.randrange(7)
        states += [s for s in list(playout(game, rng))[plies : plies + 1] if s.outcome is None]
    forest = _core.forest(game.start(), len(states), simulations=60, gumbel=gumbel, plain=plain)
    for row, state in enumerate(states):
        forest.seek(row, state)
    think(forest, evaluate)
    wrong, mass = 0, []
    for row, state in enumerate(states):
        best = best_actions(state)
        wrong += forest.action(row) not in best
        mass.append(sum(share for action, share in forest.policy(row) if action in best))
        for action, _, _, proof in forest.result(row):
            assert proof in (None, -solve(state.play(action)))
    assert wrong <= most_wrong
    assert np.mean(mass) > least_mean


def test_gumbel_halves_what_it_considers():
    state = ludus.game("connect4").start()
    forest = _core.forest(
        state, 20, simulations=16, gumbel=True, max_num_considered_actions=4, plain=True
    )
    think(forest)
    for row in range(20):
        assert sorted(visits(forest, row).values()) == [0, 0, 0, 2, 2, 6, 6]
        policy = dict(forest.policy(row))
        assert sum(policy.values()) == pytest.approx(1)
        assert visits(forest, row)[forest.action(row)] == 6
    assert len({forest.action(row) for row in range(20)}) > 2
    calm = _core.forest(state, 2, simulations=16, gumbel=True, gumbel_noise=False)
    think(calm, hashed)
    assert calm.result(0) == calm.result(1)


def test_gumbel_improves_a_policy():
    """The improved policy moves from the prior towards what is worth more."""
    state = ludus.game("tictactoe").state("xx./oo./... x")
    forest = _core.forest(
        state, 30, simulations=8, gumbel=True, plain=True, max_num_considered_actions=8
    )
    think(forest, exact)
    for row in range(30):
        policy = dict(forest.policy(row))
        if visits(forest, row)[2]:
            assert policy[2] > 0.9


def test_a_tree_moves_on_with_what_it_knows():
    state = ludus.game("connect4").start()
    forest = _core.forest(state, 2, simulations=200, plain=False)
    think(forest, hashed)
    before = visits(forest, 0)
    action = forest.action(0)
    assert before[action] == max(before.values())
    assert forest.advance(0, action) is None
    assert sum(visits(forest, 0).values()) == before[action] - 1
    assert visits(forest, 1) == before
    assert think(forest, hashed) > 0
    assert sum(visits(forest, 0).values()) == before[action] - 1 + 200
    assert visits(forest, 1) == before  # that tree was done


def test_games_are_played_to_their_end(game):
    forest = _core.forest(game.start(), 2, seed=3, simulations=4, max_nodes=3000)
    outcome = None
    for _ in range(60):
        think(forest)
        outcome = forest.advance(0, forest.action(0))
        if outcome is not None:
            break
    if outcome is not None:
        assert forest.result(0) == []
        assert think(forest) >= 0
        with pytest.raises(ValueError, match="the game is over"):
            forest.action(0)
        with pytest.raises(ValueError, match="is not legal: the game is over"):
            forest.advance(0, 0)
        assert not forest.seek(0, game.start())
        think(forest)
        assert sum(visits(forest, 0).values()) == 4


def test_each_tree_has_its_own_budget():
    forest = _core.forest(ludus.game("connect4").start(), 3, simulations=10)
    forest.allow(1, 25)
    forest.allow(2, 0)
    think(forest)
    assert [sum(visits(forest, row).values()) for row in range(3)] == [10, 25, 0]
    assert sum(share for _, share in forest.policy(2)) == pytest.approx(1)
    assert forest.action(2) in range(7)


def test_noise_changes_where_visits_go():
    state = ludus.game("connect4").start()
    calm, noisy = (_core.forest(state, 1, dirichlet_fraction=x, simulations=50) for x in (0.0, 0.9))
    think(calm), think(noisy)
    assert calm.result(0) != noisy.result(0)


def test_a_forced_win_is_proven():
    forest = _core.forest(ludus.game("connect4").replay("3344"), 1, simulations=2000)
    asked = think(forest)
    assert max(proof for *_, proof in forest.result(0) if proof is not None) == 1
    assert forest.action(0) in (1, 4)
    assert asked < 1500


def test_memory_is_told_and_bounded():
    forest = _core.forest(ludus.game("connect4").start(), 2, simulations=300, max_nodes=50)
    think(forest)
    assert forest.nodes <= 100
    assert forest.bytes >= forest.nodes * 32
    assert sum(visits(forest, 0).values()) == 300


def test_games_written_in_python():
    forest = _core.forest(ludus.game("examples/breakthrough.py:size=4").start(), 2, simulations=8)
    think(forest, hashed)
    assert sum(visits(forest, 0).values()) == 8
    assert forest.advance(1, forest.action(1)) is None


def test_mistakes_are_one_sentence():
    state = ludus.game("connect4").start()
    forest = _core.forest(state, 2)
    features, masks = arrays(forest)
    with pytest.raises(ValueError, match="features has 168 items, not 84"):
        forest.gather(features[:1], masks)
    with pytest.raises(ValueError, match="not into None"):
        forest.gather(features, None)
    assert forest.gather(features, masks) == 2
    with pytest.raises(ValueError, match="still wait for their scatter"):
        forest.gather(features, masks)
    with pytest.raises(ValueError, match="leaves wait"):
        forest.advance(0, 3)
    priors, values = np.ones((2, 7), np.float32), np.zeros(2, np.float32)
    for wrong_priors, wrong_values in (
        (priors * np.nan, values),
        (-priors, values),
        (priors, values + 2),
        (priors, values * np.nan),
    ):
        with pytest.raises(ValueError, match="in row 0 the value is not"):
            forest.scatter(wrong_priors, wrong_values)
    with pytest.raises(ValueError, match="priors has 14 items, not 7"):
        forest.scatter(priors[:1], values)
    with pytest.raises(TypeError, match="values is a C-contiguous array of float32"):
        forest.scatter(priors, np.zeros(2))
    forest.scatter(priors, values)
    with pytest.raises(ValueError, match="a row is between 0 and 1, not 2"):
        forest.result(2)
    with pytest.raises(ValueError, match="action 9 is not legal"):
        forest.advance(0, 9)
    for options, sentence in (
        ({"max_num_considered_actions": 0}, "max_num_considered_actions is between"),
        ({"dirichlet_fraction": 2}, "dirichlet_fraction is between 0.0 and 1.0, not 2.0"),
        ({"depth": 2}, "no parameter 'depth'"),
        ({"planes": "many"}, "no planes 'many'"),
    ):
        with pytest.raises(ValueError, match=sentence):
            _core.forest(state, 2, **options)
    with pytest.raises(ValueError, match="trees is between"):
        _core.forest(state, 0)


def test_without_an_opinion_it_converges_to_what_uct_finds():
    """Equal priors and values of nothing: only ends of games count, as in UCT in the long run."""
    rng, game, states = random.Random(9), ludus.game("tictactoe"), []
    while len(states) < 12:
        states += [s for s in list(playout(game, rng))[4:5] if s.outcome is None]
    forest = _core.forest(game.start(), len(states), simulations=4000, plain=True)
    for row, state in enumerate(states):
        forest.seek(row, state)
    think(forest)
    for row, state in enumerate(states):
        search = _core.mcts(state, seed=1, plain=True)
        search.run(40_000)
        ours, theirs = (
            max(rows, key=lambda one: one[1]) for rows in (forest.result(row), search.result())
        )
        assert abs(ours[2] - theirs[2]) < 0.1
        assert abs(ours[2] - solve(state)) < 0.1


def test_what_was_not_visited_may_count_as_zero():
    """Where every move looks bad, zero is hope: each is tried once before any is tried again."""

    def bad(features, masks):
        stones = features.sum((1, 2, 3))
        return uniform(features, masks)[0], np.where(stones % 2, 0.9, -0.9)  # the first loses

    def tried(**options):
        start = ludus.game("connect4").start()
        forest = _core.forest(start, 1, simulations=7, c_puct=0.01, **options)
        think(forest, bad)
        return sorted(visits(forest, 0).values())

    assert tried(unvisited_zero=True) == [1] * 7
    assert tried() != [1] * 7
