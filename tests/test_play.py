"""Perft, playouts and batches: right, repeatable, and the same for any number of threads."""

import random
import threading

import numpy as np
import pytest

import ludus
from ludus import _core
from ludus.play import perft_split
from tests.test_written import Nim


def test_playouts_do_not_depend_on_threads_or_slices(game):
    one = ludus.playouts(game, 200, seed=5, threads=1)
    many = ludus.playouts(game, 200, seed=5, threads=3)
    assert (one.wins, one.draws, one.plies) == (many.wins, many.draws, many.plies)
    assert sum(one.wins) + one.draws == one.games == 200
    other = ludus.playouts(game, 200, seed=6)
    differs = (one.wins, one.draws, one.plies) != (other.wins, other.draws, other.plies)
    assert differs or one.draws == 200  # a low ply cap makes all games alike


def test_playouts_agree_with_python_play(game):
    """Win rates of native and Python-driven random play agree within four standard errors."""
    native = ludus.playouts(game, 2000, seed=1)
    rng, wins, games = random.Random(9), 0, 150
    for _ in range(games):
        state = game.start(rng)
        while state.outcome is None:
            state = state.play(rng.choice(state.legal()), rng)
        wins += state.winner == 0
    share = native.wins[0] / native.games
    error = 4 * (max(share * (1 - share), 0.01) * (1 / games + 1 / 2000)) ** 0.5
    assert abs(wins / games - share) < error


def test_perft_adds_up_over_first_moves(game):
    if game.start().chancy:
        with pytest.raises(ValueError, match="perft counts lines of play"):
            ludus.perft(game, 2)
        return
    counts = ludus.perft(game, 2)
    split = list(perft_split(game, 2))
    assert counts == [len(split), sum(nodes[-1] for _, nodes in split)]
    state = game.start()
    by_hand = sum(len(state.play(a).legal()) for a in state.legal())
    assert counts[1] == by_hand


def successor(state, action, features, outcome):
    """Where an action led: with chance, the result that fits what the batch wrote."""
    if not state.chancy:
        return state.play(action)
    for result, _ in state.chances(action):
        after = state.play(action, chance=result)
        if after.outcome is not None and after.returns[state.player] == outcome:
            return after
        if after.outcome is None and np.array_equal(after.features(), features):
            return after
    raise AssertionError(f"nothing that may follow {state} is in the batch")


@pytest.mark.parametrize("frame", ["mover", "absolute"])
def test_a_batch_plays_as_single_states_do(game, frame):
    rows = 5
    batch = ludus.batch(game, rows, seed=3, frame=frame)
    features = np.empty((rows, *batch.shape), np.float32)
    masks = np.empty((rows, batch.num_actions), np.bool_)
    players, outcomes = np.empty(rows, np.int8), np.empty(rows, np.float32)
    actions = np.empty(rows, np.int32)
    batch.look(features, masks, players)
    starts = {game.start().player: game.start(), game.start(Coin()).player: game.start(Coin())}
    states = [starts[player] for player in players.tolist()]
    endings = 0
    for _ in range(300):
        batch.sample(actions)
        before = list(states)
        ended = batch.step(actions, features, masks, players, outcomes)
        endings += ended
        assert ended == np.isfinite(outcomes).sum()
        for row, state in enumerate(before):
            action = int(actions[row])
            action = state.seen(action) if frame == "mover" else action
            after = successor(state, action, features[row], outcomes[row])
            if np.isnan(outcomes[row]):
                assert after.outcome is None
            else:
                assert outcomes[row] == after.returns[state.player]
                after = starts[int(players[row])]
            states[row] = after
            assert players[row] == after.player
            assert np.array_equal(features[row], after.features())
            legal = np.isin(range(game.num_actions), after.legal())
            assert np.array_equal(masks[row], after.mask() if frame == "mover" else legal)
    assert endings or game.name in ("chinesecheckers", "checkers")


class Coin:
    """A generator whose coin always falls on the other side."""

    def random(self):
        return 0.999


def test_a_batch_refuses_an_illegal_row_and_changes_nothing(game):
    batch = ludus.batch(game, 3, seed=1)
    legal = game.start().legal()
    seen = {game.start().seen(a) for a in legal}
    illegal = next((a for a in range(game.num_actions) if a not in seen), game.num_actions)
    masks = np.zeros((3, game.num_actions), np.bool_)
    batch.look(masks=masks)
    before = masks.copy()
    good = min(seen)
    for wrong in (illegal, -1, 2**31 - 1):
        with pytest.raises(ValueError, match=f"in row 2 of the batch action {wrong} is not legal"):
            batch.step(np.array([good, good, wrong], np.int32))
    batch.look(masks=masks)
    assert np.array_equal(masks, before)


def test_a_batch_refuses_wrong_arrays():
    batch = ludus.batch(ludus.game("connect4"), 4)
    actions = np.zeros(4, np.int32)
    with pytest.raises(ValueError, match="actions has 4 items, not 3"):
        batch.step(actions[:3])
    with pytest.raises(ValueError, match="features has 336 items, not 4"):
        batch.step(actions, features=np.zeros(4, np.float32))
    with pytest.raises(TypeError, match="features is a C-contiguous, writable array of float32"):
        batch.step(actions, features=np.zeros((4, 2, 6, 7), np.float64))
    with pytest.raises(TypeError, match="writable array of bool"):
        batch.step(actions, masks=np.zeros((4, 14), np.bool_)[:, ::2])
    with pytest.raises(TypeError, match="actions is an array of int32"):
        batch.step(None)
    with pytest.raises(ValueError, match="no frame 'upside'"):
        ludus.batch(ludus.game("connect4"), 4, frame="upside")


@pytest.mark.parametrize("count", [0, -5, 1.5, "many", 10**30])
def test_counts_are_checked(count):
    game = ludus.game("connect4")
    for call in (
        lambda: ludus.playouts(game, count),
        lambda: ludus.playouts(game, 1, threads=count),
        lambda: ludus.perft(game, count),
        lambda: ludus.batch(game, count),
    ):
        with pytest.raises(ValueError, match="is a whole number from"):
            call()


@pytest.mark.parametrize("given", [None, 7, Nim])
@pytest.mark.parametrize("use", [ludus.batch, ludus.perft, ludus.playouts])
def test_what_is_no_game_is_told(use, given):
    with pytest.raises(ValueError, match="this takes a game, its spelling or a state"):
        use(given, 2)


def test_native_work_leaves_the_interpreter_free():
    state = ludus.game("connect4").start()
    worker = threading.Thread(target=_core.playouts, args=(state, 1, 0, 300_000, 1))
    worker.start()
    ticks = 0
    while worker.is_alive():
        ticks += 1
    assert ticks > 1000


def test_the_same_seed_gives_the_same_batch():
    def run(seed):
        batch = ludus.batch(ludus.game("connect4"), 8, seed=seed)
        actions, drawn = np.empty(8, np.int32), []
        for _ in range(30):
            batch.sample(actions)
            drawn.append(actions.tolist())
            batch.step(actions)
        return drawn

    assert run(1) == run(1)
    assert run(1) != run(2)


@pytest.mark.parametrize("given", [3, None, type(ludus.game("connect4").start())])
def test_what_is_neither_a_game_nor_a_state_is_refused(given):
    for use in (ludus.batch, ludus.playouts, ludus.perft):
        with pytest.raises(ValueError, match="this takes a game, its spelling or a state, not "):
            use(given, 3)
