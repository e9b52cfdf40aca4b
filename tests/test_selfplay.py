"""Self-play pools: what they record, that nothing but seeds decides it, and what they refuse."""

import numpy as np
import pytest

import ludus
from ludus import _core
from ludus.learn.collecting.window import Window
from ludus.learn.networks.symmetries import Symmetries
from ludus.truth.oracle import oracle

GAMES = [
    "connect4",
    "tictactoe",
    "tictactoe:success=0.5",
    "supertictactoe",
    "checkers",
    "kingcourtesan:size=5",
    "chinesecheckers:size=4,pieces=3",
    "cathedral:size=8,rules=seed",
]


def hashed(features, actions):
    """Logits and values that are arbitrary but always the same for the same position."""
    flat = features.reshape(len(features), -1)
    mixed = np.modf(np.sin(flat @ np.arange(1, flat.shape[1] + 1, dtype=np.float32)) * 43758.5)[0]
    places = np.arange(actions, dtype=np.float32)
    logits = np.sin(mixed[:, None] * 97 + places * 1.7).astype(np.float32)
    return np.ascontiguousarray(logits), (mixed * 0.9).astype(np.float32)


def played(pool, positions, ask=hashed):
    """Play so many positions; the records of ended games."""
    features = np.zeros((len(pool), *pool.shape), np.float32)
    while pool.finished < positions:
        rows = pool.gather(features)
        if rows:
            pool.scatter(*ask(features[:rows], pool.num_actions))
    return pool.take()


def pool_of(game, games=4, seed=1, **options):
    chosen = {"simulations": 6, "gumbel": True, "max_num_considered_actions": 4, **options}
    return _core.selfplay(ludus.game(game).start(), games, seed=seed, **chosen)


@pytest.mark.parametrize("spelling", GAMES)
@pytest.mark.parametrize("gumbel", [False, True])
def test_records_are_games_seen_by_their_movers(spelling, gumbel):
    options = {"gumbel": gumbel, "dirichlet_fraction": 0.25, "temperature_plies": 6}
    found = played(pool_of(spelling, **options), 60)
    plies = len(found["counts"])
    assert plies >= 60
    assert found["features"].shape[0] == len(found["players"]) == len(found["values"]) == plies
    ends = np.cumsum(found["counts"], dtype=np.int64)
    assert ends[-1] == len(found["actions"]) == len(found["weights"])
    sums = np.add.reduceat(found["weights"], ends - found["counts"])
    np.testing.assert_allclose(sums, 1, atol=1e-4)
    assert (np.abs(found["values"]) <= 1).all()
    assert set(np.unique(found["outcomes"])) <= {-1.0, 0.0, 1.0}
    for part in np.split(found["actions"], ends[:-1]):
        assert len(set(part.tolist())) == len(part)


@pytest.mark.parametrize("spelling", ["connect4", "checkers", "tictactoe:success=0.5"])
def test_outcomes_are_of_the_game_that_was_played(spelling):
    """What one player got the other paid, in every ply of a game."""
    found = played(pool_of(spelling, games=1), 1)
    first = np.where(found["players"] == 0, found["outcomes"], -found["outcomes"])
    assert len(set(first.tolist())) == 1
    assert len(set(found["players"].tolist())) == 2


def test_wins_are_found_and_paid_for():
    """With proofs a win in one is always played, whatever the network says."""
    state = ludus.game("tictactoe").state("xx./oo./... x")
    pool = _core.selfplay(state, 2, seed=1, simulations=20, gumbel=False)
    found = played(pool, 2)
    assert (found["outcomes"] == 1).all()
    assert (found["counts"] == 5).all()
    winning = found["weights"].reshape(-1, 5)
    assert (winning.max(1) == 1).all()
    assert (found["values"] == 1).all()


@pytest.mark.parametrize(
    ("position", "won"),
    [
        ("xx./oo./... x", {"first_wins": 2, "second_wins": 0}),
        ("xx./oo./x.. o", {"first_wins": 0, "second_wins": 2}),
        ("xox/xoo/ox. x", {"first_wins": 0, "second_wins": 0}),
    ],
)
def test_wins_are_counted_by_player(position, won):
    state = ludus.game("tictactoe").state(position)
    pool = _core.selfplay(state, 2, seed=1, simulations=20, gumbel=False)
    played(pool, 2)
    assert {name: pool.counts[name] for name in won} == won
    assert pool.counts["games"] == 2


@pytest.mark.parametrize("spelling", GAMES)
def test_counted_wins_are_those_of_the_records(spelling):
    pool = pool_of(spelling, games=1)
    won = {1.0: 0, -1.0: 0, 0.0: 0}
    for _ in range(6):
        found = played(pool, 1)
        won[float(found["outcomes"][0] * (1 - 2 * found["players"][0]))] += 1
    counts = pool.counts
    assert (counts["first_wins"], counts["second_wins"]) == (won[1.0], won[-1.0])
    assert counts["games"] == 6


def test_values_look_ahead_along_the_game():
    """Each is told by the next, whose mover may be the other, and the last by how it ended."""
    spelling, trace = "checkers", 0.75  # where a player may move twice
    bare, traced = (played(pool_of(spelling, games=1, td_lambda=part), 1) for part in (0.0, trace))
    for name in set(bare) - {"values"}:
        np.testing.assert_array_equal(bare[name], traced[name], err_msg=name)
    later, mover, expected = bare["outcomes"][-1], bare["players"][-1], []
    for own, player in zip(bare["values"][::-1], bare["players"][::-1], strict=True):
        later = later if player == mover else -later
        later, mover = (1 - trace) * own + trace * later, player
        expected.append(later)
    np.testing.assert_allclose(traced["values"], expected[::-1], atol=1e-6)
    assert len(set(bare["players"][1:] == bare["players"][:-1])) == 2
    ended = played(pool_of(spelling, games=1, td_lambda=1.0), 1)
    np.testing.assert_array_equal(ended["values"], ended["outcomes"])


def test_what_a_search_dropped_does_not_lower_its_value():
    """Seven moves are tried of which one wins: it is worth that, not the mean over all tried."""

    def ask(features, actions):
        """Who has the middle of the lowest row wins, says this network."""
        values = 0.9 * (features[:, 0, 5, 3] - features[:, 1, 5, 3])
        return np.zeros((len(features), actions), np.float32), values.astype(np.float32)

    start = ludus.game("connect4").start()
    options = {
        "simulations": 14,
        "gumbel": True,
        "max_num_considered_actions": 7,
        "symmetric_cache": False,
    }
    record = played(_core.selfplay(start, 1, seed=1, plain=True, **options), 1, ask)
    weights, value = record["weights"][:7], record["values"][0]
    assert weights[3] > 0.99
    assert value == pytest.approx(0.9, abs=0.02)


def test_the_cache_changes_nothing_but_the_number_of_questions():
    """An evaluation that is remembered is the one that would have been made."""
    plain, cached = (
        pool_of("connect4", games=1, cache_size=size, symmetric_cache=False)
        for size in (0, 1 << 16)
    )
    one, other = (played(pool, 300) for pool in (plain, cached))
    for name in one:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)
    assert plain.counts["hits"] == 0 < cached.counts["hits"]
    assert cached.counts["evaluations"] < plain.counts["evaluations"]


def test_symmetric_positions_share_an_evaluation():
    asked = []

    def ask(features, actions):
        asked.extend(feature.tobytes() for feature in features)
        return hashed(features, actions)

    played(pool_of("tictactoe", games=8, symmetric_cache=True), 200, ask)
    shared = len(set(asked))
    asked.clear()
    played(pool_of("tictactoe", games=8, symmetric_cache=False), 200, ask)
    assert shared < 0.5 * len(set(asked))


@pytest.mark.parametrize("spelling", ["connect4", "tictactoe:success=0.5", "checkers"])
def test_a_pool_goes_on_from_its_rows(spelling):
    """What is stored of a pool between two steps is all there is."""
    options = {
        "resign_threshold": 0.9,
        "full_search_prob": 0.5,
        "random_opening_plies": 9,
        "one_sided_prob": 0.7,
    }
    pool, chosen = pool_of(spelling, **options), ludus.game(spelling)
    played(pool, 50)
    pool.pause()
    others = [pool_of(spelling, seed=seed, **options) for seed in (5, 6)]
    for other in others:
        for row in range(len(pool)):
            state, random, flags, record = pool.row(row)
            other.put(row, chosen.state(bytes(state)), random, flags, record)
    first, *rest = (played(one, 120) for one in (pool, *others))
    for name, array in first.items():
        for again in rest:
            np.testing.assert_array_equal(array, again[name], err_msg=name)


def test_resignations_are_checked():
    """A moody network gives up often, and the games that are played on say who was wrong."""
    pool = pool_of(
        "connect4", games=8, resign_threshold=0.3, resign_playthrough_prob=0.5, plain=True
    )
    played(pool, 1500)
    counts = pool.counts
    assert counts["resigned"] > 0
    assert 0 < counts["wrong"] < counts["checked"]


def test_fast_searches_are_marked():
    pool = pool_of("connect4", games=8, simulations=12, fast_simulations=2, full_search_prob=0.25)
    found = played(pool, 400)
    assert 0.15 < found["full"].mean() < 0.35


def test_random_openings_differ():
    pool = pool_of("connect4", games=16, random_opening_plies=6)
    found = played(pool, 300)
    stones = found["features"].reshape(len(found["counts"]), -1).sum(1)
    begins = np.flatnonzero(np.diff(stones, prepend=99) < 0)
    assert len(set(stones[begins].tolist())) > 3


def first_positions(found):
    """The positions with which games of Connect Four begin to be learned from, side by side."""
    boards = found["features"].reshape(-1, 2, 6, 7)
    stones = boards.sum((1, 2, 3))
    return boards[np.diff(stones, prepend=99) < 0]


def likes_the_middle(features, actions):
    """A network that would play nowhere else."""
    logits = np.zeros((len(features), actions), np.float32)
    logits[:, 3] = 60
    return logits, np.zeros(len(features), np.float32)


@pytest.mark.parametrize("one_sided_prob", [0.0, 1.0])
def test_in_one_sided_openings_the_other_player_thinks(one_sided_prob):
    """Who thinks has played nothing but the middle, which is all that this network likes."""
    options = {
        "random_opening_plies": 6,
        "one_sided_prob": one_sided_prob,
        "symmetric_cache": False,
    }
    pool = pool_of("connect4", games=16, plain=True, **options)
    begun = first_positions(played(pool, 900, likes_the_middle))
    aside = begun.sum(2)[:, :, [0, 1, 2, 4, 5, 6]].sum(2)  # stones of each player off the middle
    assert len(set(begun.sum((1, 2, 3)).tolist())) > 3
    assert (aside.max(1) > 0).any()
    assert (aside.min(1) == 0).all() == bool(one_sided_prob)
    if one_sided_prob:
        movers = begun[aside[:, 1] > 0].sum((1, 2, 3)) % 2
        assert set(movers.tolist()) == {0.0, 1.0}  # either of them may be the careless one


@pytest.mark.parametrize("random_move_prob", [0.0, 0.25, 1.0])
def test_moves_of_an_opening_stray_as_often_as_asked_for(random_move_prob):
    """Six of seven random moves leave the middle; what is thought over stays there."""
    options = {
        "random_opening_plies": 4,
        "random_move_prob": random_move_prob,
        "symmetric_cache": False,
    }
    pool = pool_of("connect4", games=64, plain=True, **options)
    begun = first_positions(played(pool, 9000, likes_the_middle))
    aside = begun.sum((1, 2))[:, [0, 1, 2, 4, 5, 6]].sum(1)
    if random_move_prob == 0:
        assert not begun.any()  # nothing random, so all of every game is learned from
    # Two plies of an opening may be random on average, and 6/7 of those that are show.
    assert aside.mean() == pytest.approx(2 * random_move_prob * 6 / 7, abs=0.2)


def test_what_came_of_a_random_move_is_no_lesson_for_plies_before_it():
    """Records begin after the last random move, and go on without a gap."""
    options = {"random_opening_plies": 6, "one_sided_prob": 1.0}
    found = played(pool_of("connect4", games=16, **options), 900)
    stones = found["features"].reshape(len(found["counts"]), -1).sum(1)
    steps = np.diff(stones)
    assert set(steps[steps > 0].tolist()) == {1.0}
    assert stones[np.diff(stones, prepend=99) < 0].max() <= 6


@pytest.mark.parametrize("gumbel_noise_plies", [0, 10])
def test_without_noise_the_policys_favourite_is_played(gumbel_noise_plies):
    found = played(
        pool_of("connect4", games=8, plain=True, gumbel_noise_plies=gumbel_noise_plies), 400
    )
    boards = found["features"].reshape(-1, 2, 6, 7)
    ends = np.cumsum(found["counts"], dtype=np.int64)
    actions, weights = (np.split(found[name], ends[:-1]) for name in ("actions", "weights"))
    favourite = [one[each.argmax()] for one, each in zip(actions, weights, strict=True)]
    follows = np.flatnonzero(np.diff(boards.sum((1, 2, 3))) == 1)
    columns = boards.sum(1).sum(1)
    played_in = (columns[follows + 1] - columns[follows]).argmax(1)
    same = played_in == np.array(favourite)[follows]
    quiet = boards[follows].sum((1, 2, 3)) >= gumbel_noise_plies
    assert same[quiet].all()
    assert gumbel_noise_plies == 0 or not same[~quiet].all()


def truth_of(feature):
    """What a position of tic-tac-toe is worth to its mover, from the planes that a network sees."""
    mine, theirs = feature[0].ravel(), feature[1].ravel()
    crosses = mine.sum() == theirs.sum()
    signs = "xo" if crosses else "ox"
    marks = [signs[0] if m else signs[1] if t else "." for m, t in zip(mine, theirs, strict=True)]
    board = "/".join("".join(marks[i : i + 3]) for i in (0, 3, 6))
    game = ludus.game("tictactoe")
    return oracle(game).value(game.state(f"{board} {signs[0]}"))


def knowing(sign=1):
    """The truth, or its opposite, for a network; it has no favourites."""
    known = {}

    def ask(features, actions):
        for feature in features:
            if feature.tobytes() not in known:
                known[feature.tobytes()] = truth_of(feature)
        values = [sign * known[feature.tobytes()] for feature in features]
        return np.zeros((len(features), actions), np.float32), np.array(values, np.float32)

    return ask


@pytest.mark.parametrize("sign", [1, -1])
def test_a_sign_error_would_be_noticed(sign):
    """With the truth for a network the search plays perfectly; with its opposite it does not."""
    options = {"plain": True, "gumbel": False, "symmetric_cache": False, "cache_size": 0}
    pool = pool_of("tictactoe", games=16, simulations=20, c_puct=0.5, **options)
    found = played(pool, 300, knowing(sign))
    drawn = (found["outcomes"] == 0).mean()
    assert drawn > 0.95 if sign == 1 else drawn < 0.5


@pytest.mark.parametrize("deblunder", [False, True])
def test_a_move_known_to_be_bad_is_not_held_against_its_position(deblunder):
    """Moves are drawn by lot and the game's end is all that is told, yet values are the truth."""
    options = {"plain": True, "root_only": True, "simulations": 9, "max_num_considered_actions": 9}
    lots = {"temperature": 100.0, "temperature_plies": 9, "value_scale": 2.0}
    pool = pool_of("tictactoe", games=8, td_lambda=1.0, deblunder=deblunder, **options, **lots)
    found = played(pool, 600, knowing())
    truth = [truth_of(row.reshape(pool.shape)) for row in found["features"]]
    right = np.abs(found["values"] - truth) < 0.01
    assert right.all() if deblunder else right.mean() < 0.9


def test_luck_is_not_held_against_a_position():
    """What comes after a move is held against what the search thought of what chance made of it."""
    everything = {"simulations": 300, "max_num_considered_actions": 9, "root_only": True}
    asked = {"plain": True, "symmetric_cache": False, "deblunder": True}
    pool = pool_of("tictactoe:success=0.5", games=4, **everything, **asked)
    found = played(pool, 60)
    rows = found["features"].reshape(-1, *pool.shape)
    _, values = hashed(rows, pool.num_actions)
    own = np.where(found["players"][1:] == found["players"][:-1], 1, -1)
    expected = np.append(own * values[1:], 0)
    ends = np.cumsum(found["games"]) - 1
    expected[ends] = found["outcomes"][ends]
    np.testing.assert_allclose(found["chosen"], expected, atol=1e-6)


@pytest.mark.parametrize("deblunder", [False, True])
def test_targets_without_luck_are_nearer_to_the_truth(deblunder):
    """With exact values in the search, an outcome told by way of chance is the value again."""
    spelling = "tictactoe:success=0.5"
    truth, shape = oracle(spelling), (3, 3, 3)

    def value(seen):
        mine, theirs, player = seen.reshape(3, 9)
        marks = "xo" if player[0] > 0 else "ox"
        cells = np.where(mine > 0, marks[0], np.where(theirs > 0, marks[1], "."))
        text = "/".join("".join(row) for row in cells.reshape(3, 3))
        return truth.value(ludus.game(spelling).state(f"{text} {marks[0]}"))

    def knowing(features, actions):
        values = [value(row) for row in features]
        return np.zeros((len(features), actions), np.float32), np.array(values, np.float32)

    pool = pool_of(spelling, simulations=300, max_num_considered_actions=9, td_lambda=1.0,
                   deblunder=deblunder)  # fmt: skip
    found = played(pool, 400, knowing)
    exact = [value(row) for row in found["features"].reshape(-1, *shape)]
    error = np.mean((found["values"] - exact) ** 2)
    assert error < 0.02 if deblunder else error > 0.3


@pytest.mark.parametrize("spelling", ["connect4", "checkers", "tictactoe:success=0.5"])
def test_values_are_told_by_what_differs_from_what_was_thought(spelling):
    """By hand: each move's own value is compared with what came; what is proven stays."""
    trace = 0.75
    bare, traced = (
        played(pool_of(spelling, games=1, td_lambda=part, deblunder=True), 1)
        for part in (0.0, trace)
    )
    np.testing.assert_array_equal(bare["chosen"], traced["chosen"])
    later, mover, expected = bare["outcomes"][-1], bare["players"][-1], []
    columns = (bare[name][::-1].tolist() for name in ("values", "chosen", "players"))
    for own, chosen, player in zip(*columns, strict=True):
        later, mover = later if player == mover else -later, player
        later = own if np.isnan(chosen) else np.clip(own + trace * (later - chosen), -1, 1)
        expected.append(later)
    np.testing.assert_allclose(traced["values"], expected[::-1], atol=1e-5)
    assert np.isnan(bare["chosen"]).any() == (spelling != "tictactoe:success=0.5")


@pytest.mark.parametrize("spelling", GAMES)
def test_symmetries_turn_what_is_seen_and_what_is_done(spelling):
    """The image of a state is seen as the image of what is seen, and its legal actions too."""
    chosen, rng = ludus.game(spelling), np.random.default_rng(3)
    symmetries = Symmetries(chosen, "full")
    assert symmetries.count == chosen.start().num_symmetries
    for _ in range(6):
        state = chosen.start(rng)
        for _ in range(10):
            if state.outcome is not None:
                break
            for which in range(symmetries.count):
                image = state.transformed(which)
                turned = symmetries.transform(
                    state.features("full")[None], np.array([state.player]), np.array([which])
                )
                np.testing.assert_array_equal(turned[0], image.features("full"))
                actions = [state.seen(action) for action in state.legal()]
                moved = symmetries.images[state.player, which][actions]
                assert sorted(moved) == sorted(image.seen(action) for action in image.legal())
            legal = state.legal()
            state = state.play(legal[rng.integers(len(legal))], rng)


def test_a_window_keeps_the_last_positions():
    symmetries = Symmetries(ludus.game("connect4"), "full")
    window, rng = Window(symmetries, 7, 64), np.random.default_rng(1)
    found = played(pool_of("connect4", games=4), 200)
    assert window.add(found, rng, 1.0) == 64
    assert len(window) == 64
    assert window.written == len(found["counts"])  # all of them had their turn
    lesson = window.draw(500, rng, 0.5)
    np.testing.assert_allclose(lesson.policies.sum(1), 1, atol=1e-3)
    assert not (lesson.policies[~lesson.masks] > 0).any()
    last = found["features"][-64:].reshape(64, *symmetries.shape)
    either = {one.tobytes() for one in np.concatenate([last, last[..., ::-1]]).astype(np.float32)}
    assert all(one.tobytes() in either for one in lesson.features)
    window.clear()
    assert len(window) == 0


def test_old_positions_may_stay_for_another_round():
    """With probability 1 - p the new one is dropped and the old one waits for the next round."""
    symmetries = Symmetries(ludus.game("connect4"), "full")
    window, rng = Window(symmetries, 7, 100), np.random.default_rng(1)
    found = played(pool_of("connect4", games=4), 200)
    first = {name: array[:100] for name, array in found.items() if name not in PLY_BY_PLY}
    first |= {name: found[name][: found["counts"][:100].sum()] for name in PLY_BY_PLY}
    first["values"] = np.arange(100, dtype=np.float32)
    first["games"] = np.array([100], np.uint32)  # as if they were one
    assert window.add(first, rng, 0.5) == 100  # there is room: nothing is dropped
    assert window.add(first, rng, 0.0) == 0
    np.testing.assert_array_equal(window.values, first["values"])
    first["values"] = first["values"] + 1000
    taken = window.add(first, rng, 0.5)
    fresh = window.values >= 1000
    assert 30 < taken == fresh.sum() < 70
    np.testing.assert_array_equal(window.values % 1000, np.arange(100))  # each in its own place


PLY_BY_PLY = ("actions", "weights")  # of each ply as many as it has legal actions


def test_mistakes_are_one_sentence():
    start = ludus.game("connect4").start()
    pool = pool_of("connect4")
    features = np.zeros((4, *pool.shape), np.float32)
    with pytest.raises(ValueError, match="features has"):
        pool.gather(features[:2])
    with pytest.raises(ValueError, match="not into None"):
        pool.gather(None)
    rows = pool.gather(features)
    with pytest.raises(ValueError, match="still wait"):
        pool.gather(features)
    bad = np.full((rows, 7), np.nan, np.float32)
    with pytest.raises(ValueError, match="not finite"):
        pool.scatter(bad, np.zeros(rows, np.float32))
    with pytest.raises(ValueError, match="items"):
        pool.scatter(np.zeros((rows, 6), np.float32), np.zeros(rows, np.float32))
    with pytest.raises(ValueError, match="several pools"):
        _core.selfplay(start, 2, threads=2)
    won = ludus.game("connect4").replay("1122334")
    with pytest.raises(ValueError, match="over"):
        _core.selfplay(won, 2)
    for name in ("temperature", "prior_temperature"):
        with pytest.raises(ValueError, match=name):
            pool_of("connect4", **{name: 0})
    for name in ("random_move_prob", "one_sided_prob", "gumbel_noise_plies"):
        with pytest.raises(ValueError, match=name):
            pool_of("connect4", **{name: -1})
    pool = pool_of("connect4")
    state, random, flags, record = pool.row(0)
    with pytest.raises(ValueError, match="record"):
        pool.put(0, state, random, flags, {**record, "counts": np.ones(3, np.uint32)})
    for nonsense in (-1, 1 << 31, 0b1100, 0b110000):
        with pytest.raises(ValueError, match="flags"):
            pool.put(0, state, random, nonsense, record)
    with pytest.raises(ValueError, match="another game"):
        pool.put(0, ludus.game("tictactoe").start(), random, 1, record)


def test_fused_leaves_are_half_a_greedy_playout():
    """By hand: three cells are left, and the network always likes the last of them best."""
    state = ludus.game("tictactoe").state("xox/oxo/... x")

    def ask(features, actions):
        logits = np.tile(np.arange(actions, dtype=np.float32), (len(features), 1))
        return logits, np.full(len(features), 0.5, np.float32)

    options = {"root_only": True, "fused": True, "plain": True, "gumbel": False, "cache_size": 0}
    pool = _core.selfplay(state, 1, seed=1, simulations=30, symmetric_cache=False, **options)
    found = played(pool, 1, ask)
    # Cells 6 and 8 win at once. After 7 the other player answers 8, then x wins by 6: the leaf is
    # worth 0.5 by the network and -1 by the playout to the one to move there, so 0.25 to x.
    assert found["outcomes"][0] == 1
    weights = dict(zip(found["actions"][:3].tolist(), found["weights"][:3].tolist(), strict=True))
    assert weights[7] < weights[6]
    assert weights[7] < weights[8]
    assert 0.25 < found["values"][0] <= 1


def test_the_policy_that_is_learned_from_by_hand():
    """Two actions, each visited once: prior times e to the (50 + 1) / 2 times its value."""
    state = ludus.game("tictactoe").state("xox/xxo/o.. o")
    logits, worth = {7: 0.3, 8: -0.2}, {7: 0.04, 8: -0.01}  # worth to x, who moves after them

    def ask(features, actions):
        rows = np.zeros((len(features), actions), np.float32)
        values = np.zeros(len(features), np.float32)
        for row, feature in enumerate(features):
            taken = feature[0].ravel() + feature[1].ravel()
            rows[row, [7, 8]] = logits[7], logits[8]
            if taken.sum() == 8:
                values[row] = worth[7] if taken[7] else worth[8]
        return rows, values

    options = {"gumbel_noise": False, "plain": True, "symmetric_cache": False, "cache_size": 0}
    pool = _core.selfplay(
        state, 1, seed=1, simulations=2, max_num_considered_actions=2, gumbel=True, **options
    )
    found = played(pool, 1, ask)
    assert found["actions"][:2].tolist() == [7, 8]
    raw = {a: np.exp(logits[a] - (50 + 1) / 2 * worth[a]) for a in (7, 8)}
    wanted = [raw[a] / sum(raw.values()) for a in (7, 8)]
    np.testing.assert_allclose(found["weights"][:2], wanted, rtol=1e-5)
    followed = sum(share * -worth[a] for share, a in zip(wanted, (7, 8), strict=True))
    np.testing.assert_allclose(found["values"][0], followed, rtol=1e-4)


@pytest.mark.parametrize("temperature", [1.0, 1.5, 4.0])
def test_a_temperature_flattens_what_the_search_is_told(temperature):
    """By hand: where all values are alike, the improved policy is the network's, flattened."""
    logits = np.array([0.0, 1.0, 2.0, 3.0, 2.5, 0.5, -1.0], np.float32)

    def ask(features, actions):
        return np.tile(logits, (len(features), 1)), np.zeros(len(features), np.float32)

    options = {"plain": True, "symmetric_cache": False, "prior_temperature": temperature}
    pool = pool_of("connect4", games=1, simulations=14, max_num_considered_actions=7, **options)
    weights = played(pool, 1, ask)["weights"][:7]
    expected = np.exp(logits / temperature)
    assert weights == pytest.approx(expected / expected.sum(), abs=1e-5)


def test_puct_learns_from_shares_of_visits():
    """By hand: with equal values visits follow the priors, here two to one after the first."""
    state = ludus.game("tictactoe").state("xox/xxo/o.. o")

    def ask(features, actions):
        rows = np.zeros((len(features), actions), np.float32)
        rows[:, 7] = np.log(2)
        return rows, np.zeros(len(features), np.float32)

    options = {
        "plain": True,
        "symmetric_cache": False,
        "cache_size": 0,
        "fpu_reduction": 0.0,
        "root_only": True,
    }
    pool = _core.selfplay(state, 1, seed=1, simulations=300, gumbel=False, **options)
    found = played(pool, 1, ask)
    np.testing.assert_allclose(found["weights"][:2], [2 / 3, 1 / 3], atol=0.01)
    assert found["values"][0] == 0


@pytest.mark.parametrize("spelling", GAMES)
@pytest.mark.parametrize(("rows", "games"), [(1, 3), (4, 3), (4, 9)])
def test_exactly_so_many_games_are_played_from_beginning_to_end(spelling, rows, games):
    pool = pool_of(spelling, games=rows, simulations=2)
    features = np.zeros((rows, *pool.shape), np.float32)
    for round_ in (1, 2):
        pool.begin_games(games)
        assert pool.running == min(rows, games)
        while pool.running:
            if asked := pool.gather(features):
                pool.scatter(*hashed(features[:asked], pool.num_actions))
        assert pool.counts["games"] == round_ * games
        assert pool.gather(features) == 0  # nothing more is begun
        assert len(pool.take()["counts"]) > 0
    assert pool.counts["games"] == 2 * games


def test_a_number_of_games_is_one():
    pool = pool_of("tictactoe")
    for wrong in (-1, 2.5, "many", 10**12):
        with pytest.raises((ValueError, TypeError), match="games to begin"):
            pool.begin_games(wrong)
    pool.gather(np.zeros((4, *pool.shape), np.float32))
    with pytest.raises(ValueError, match="wait for their scatter"):
        pool.begin_games(1)
