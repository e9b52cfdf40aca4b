"""The Connect Four solver: published positions, plain minimax, and that nothing else matters."""

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import _core
from ludus.truth import openings, solving, table, table_cache
from ludus.truth.oracle import oracle

SHARED = Path(__file__).parents[3] / "shared" / "data"
GAME = ludus.game("connect4")
BOARDS = [(4, 4, 4), (4, 4, 3), (4, 5, 4), (5, 4, 4), (4, 5, 3), (3, 5, 3), (5, 3, 3), (3, 3, 2)]
# What Pons' solver needs on each set on average, its table cleared for each position.
NODES = {"Test_L3_R1": 51, "Test_L2_R1": 449, "Test_L1_R1": 3296}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    return tmp_path


@cache
def positions(name):
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not beside the repository")
    lines = [line.split() for line in path.read_text().splitlines()]
    return [GAME.replay(moves) for moves, _ in lines], [int(score) for _, score in lines]


def solved(solver, states, moves=False, seconds=0.1):
    solver.ask(states, moves)
    while not solver.work(seconds):
        pass
    return solver.answers()


def stones(state):
    return sum(mark in "xo" for mark in str(state))


def played(game, rng, plies):
    """A random state of at most so many plies."""
    state = game.start()
    for _ in range(plies):
        if state.outcome is not None:
            break
        state = state.play(rng.choice(state.legal()))
    return state


def quiet(game, rng, plies):
    """A random state of exactly so many plies in which nobody has won."""
    while True:
        state = played(game, rng, plies)
        if state.outcome is None and stones(state) == plies:
            return state


def minimax(state, cells, seen):
    """The score by the definition alone."""
    key = str(state)
    if key not in seen:
        if state.outcome is not None:
            seen[key] = state.outcome * ((cells + 2 - stones(state)) // 2)
        else:
            after = (state.play(action) for action in state.legal())
            seen[key] = max(-minimax(child, cells, seen) for child in after)
    return seen[key]


@pytest.mark.parametrize("name", NODES)
def test_every_given_position_has_its_score_in_few_nodes(name):
    states, scores = positions(name)
    solver = _core.connect4_solver(GAME.start(), fresh=True)
    assert solved(solver, states).tolist() == scores
    assert solver.nodes / len(states) < NODES[name] / 2


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_scores_are_those_of_minimax(board, rng):
    rows, columns, line = board
    game = ludus.game("connect4", rows=rows, columns=columns, line=line)
    cells, seen = rows * columns, {}
    states = [played(game, rng, rng.randint(cells // 2, cells)) for _ in range(300)]
    expected = [minimax(state, cells, seen) for state in states]
    assert solved(_core.connect4_solver(game.start()), states).tolist() == expected
    assert {-1, 1} <= set(np.sign(expected))


@pytest.mark.parametrize("board", [(7, 8, 5), (31, 2, 3), (1, 32, 4), (15, 4, 5)], ids=str)
def test_large_boards_too(board, rng):
    rows, columns, line = board
    game = ludus.game("connect4", rows=rows, columns=columns, line=line)
    cells, seen = rows * columns, {}
    states = [played(game, rng, cells - rng.randint(1, 9)) for _ in range(300)]
    states = [state for state in states if state.outcome is not None or cells - stones(state) < 10]
    expected = [minimax(state, cells, seen) for state in states]
    assert solved(_core.connect4_solver(game.start()), states).tolist() == expected


def test_scores_of_moves_are_those_of_the_positions_after_them(rng):
    solver = _core.connect4_solver(GAME.start())
    states = [played(GAME, rng, rng.randint(24, 42)) for _ in range(200)]
    rows = solved(solver, states, moves=True)
    alone = solved(solver, states)
    for state, row, score in zip(states, rows, alone, strict=True):
        legal = state.legal()
        assert [column for column in range(7) if row[column] != -128] == legal
        if legal:
            after = solved(solver, [state.play(action) for action in legal])
            assert row[legal].tolist() == (-after).tolist()
            assert row[legal].max() == score


def test_mirror_images_have_the_same_score(rng):
    states = [quiet(GAME, rng, 20) for _ in range(30)]
    solver = _core.connect4_solver(GAME.start(), fresh=True)
    mirrored = solved(solver, [state.transformed(1) for state in states])
    assert solved(solver, states).tolist() == mirrored.tolist()


def test_threads_tables_and_pauses_change_nothing(rng):
    states = [quiet(GAME, rng, 18) for _ in range(60)]
    expected = solved(_core.connect4_solver(GAME.start()), states, moves=True)
    for options in ({"threads": 3}, {"table_bits": 10}, {"threads": 2, "fresh": True}):
        solver = _core.connect4_solver(GAME.start(), **options)
        np.testing.assert_array_equal(solved(solver, states, moves=True), expected)


def test_a_paused_search_visits_the_nodes_of_an_unbroken_one(rng):
    states = [quiet(GAME, rng, 15) for _ in range(6)]
    nodes = []
    for seconds in (0, 1000):
        solver = _core.connect4_solver(GAME.start(), fresh=True)
        solver.ask(states)
        pauses = 0
        while not solver.work(seconds):
            pauses += 1
        assert (pauses > 3) == (seconds == 0)
        nodes.append(solver.nodes)
    assert nodes[0] == nodes[1]


def test_a_solver_answers_what_it_was_asked_last(rng):
    first, second = quiet(GAME, rng, 12), quiet(GAME, rng, 30)
    solver = _core.connect4_solver(GAME.start())
    solver.ask([first])
    solver.work(0)
    assert solved(solver, [second]) == solved(_core.connect4_solver(GAME.start()), [second])


def test_states_of_other_games_are_refused():
    solver = _core.connect4_solver(GAME.start())
    with pytest.raises(ValueError, match="other parameters"):
        solver.ask([ludus.game("connect4", rows=5).start()])
    with pytest.raises(ValueError, match="of another game"):
        solver.ask([ludus.game("tictactoe").start()])
    with pytest.raises(ValueError, match="no position has the key 127"):
        solver.ask_keys(np.array([127], np.uint64))
    with pytest.raises(ValueError, match="table_bits is between"):
        _core.connect4_solver(GAME.start(), table_bits=99)


SMALL = ludus.game("connect4", rows=4, columns=4)


def test_the_oracle_keeps_the_laws(rng):
    truth = oracle(SMALL)
    for _ in range(60):
        state = played(SMALL, rng, rng.randint(0, 16))
        value, distance = truth.value(state), truth.distance(state)
        assert value == np.sign(truth.score(state))
        if state.outcome is not None:
            assert (value, distance) == (state.outcome, 0 if state.outcome else None)
            with pytest.raises(ValueError, match="the game is over"):
                truth.values(state)
            continue
        after = {action: state.play(action) for action in state.legal()}
        values = {action: -truth.value(child) for action, child in after.items()}
        assert truth.values(state) == values
        assert max(values.values()) == value
        assert truth.best(state) == [action for action in after if values[action] == value]
        left = [truth.distance(after[action]) for action in truth.best(state)]
        if value:
            assert distance == 1 + (min(left) if value > 0 else max(left))
            assert truth.distances(state)[truth.best(state)[0]] == 1 + left[0]
        else:
            assert distance is None


def test_distances_are_real_plies(rng):
    truth = oracle(GAME)
    for _ in range(20):
        state = quiet(GAME, rng, rng.choice([22, 23, 27]))
        plies, distance = 0, truth.distance(state)
        if distance is None:
            continue
        while state.outcome is None:
            scores = truth.scores(state)
            state = state.play(max(scores, key=scores.__getitem__))
            plies += 1
        assert plies == distance


def test_batches_equal_single_questions(rng):
    truth = oracle(GAME)
    states = [played(GAME, rng, 26) for _ in range(40)]
    assert truth.values_of(states).tolist() == [truth.value(state) for state in states]
    assert truth.scores_of(states).tolist() == [truth.score(state) for state in states]
    assert truth.values_of([]).tolist() == []


@cache
def opening_scores(ply):
    job = openings.opening_job(SMALL, ply, 1, 16)
    solver = job.solver()
    while not solver.done:
        solver.work(1)
    return solver.scores


def test_an_opening_table_is_exact_for_all_plies_up_to_its_own(home):
    job = openings.opening_job(SMALL, 5, 1, 16)
    made = solving.solve(job)
    known = made.header["result"]["known"]
    assert job.states == len(opening_scores(5)) < known
    plain = _core.connect4_solver(SMALL.start())
    looked_up = oracle(SMALL)
    layer = [SMALL.start()]
    for _ in range(6):
        looked_up._native.ask(layer)
        expected = solved(plain, layer).tolist()
        assert solved(looked_up._native, layer).tolist() == expected
        after = [state.play(a) for state in layer for a in state.legal()]
        layer = list({str(state): state for state in after}.values())
    looked_up._native.ask([SMALL.start()], True)
    assert looked_up._native.total == 0  # all looked up
    looked_up._native.ask(layer)
    assert looked_up._native.total > 0


def test_making_an_opening_table_goes_on_after_a_kill(home):
    job = openings.opening_job(SMALL, 4, 1, 16)
    first = job.solver()
    first.work(0)
    facts, arrays = first.checkpoint()
    assert not first.done
    scores = arrays["scores"].copy()
    scores[::2] = opening_scores(4)[::2]
    second = job.solver()
    second.checkpoint()[1]["scores"][:] = scores
    second.resume(facts)
    assert 0.4 < second.progress < 1
    assert second.native.total < job.states
    while not second.done:
        second.work(1)
    np.testing.assert_array_equal(second.scores, opening_scores(4))


def test_a_damaged_opening_table_is_refused_by_name(home):
    job = openings.opening_job(SMALL, 3, 1, 16)
    solving.solve(job)
    assert openings.deepest_table(SMALL)[0] == 3
    path = table_cache.table_file(job.spelling)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(ValueError, match=path.name):
        oracle(SMALL)
    path.write_bytes(whole[:-2])
    with pytest.raises(ValueError, match=path.name):
        oracle(SMALL)
    table.write(path, {**job.header("table"), "rules": 99}, {"scores": opening_scores(3)})
    with pytest.raises(ValueError, match="rules 99"):
        oracle(SMALL)
    table.write(path, job.header("table"), {"scores": opening_scores(3)[1:]})
    with pytest.raises(ValueError, match="ply 3 has"):
        oracle(SMALL)


def test_first_moves_and_early_positions_are_known_at_once(rng):
    shipped = openings.deepest_table(GAME)
    assert shipped is not None
    truth = oracle(GAME)
    assert list(truth.values(GAME.start()).values()) == [-1, -1, 0, 1, 0, -1, -1]
    assert (
        truth.distance(GAME.start()) == 41
    )  # published: the win comes with the last but one stone
    early = [played(GAME, rng, ply) for ply in range(shipped[0]) for _ in range(20)]
    truth._native.ask(early, True)
    assert truth._native.total == 0


@pytest.mark.slow
def test_the_shipped_table_is_what_the_solver_says():
    ply, scores = openings.deepest_table(GAME)
    solver = _core.connect4_solver(GAME.start(), threads=2, table_bits=28)
    keys = solver.opening_keys(ply)
    chosen = np.sort(random.Random(5).sample(range(len(keys)), 3))
    solver.ask_keys(keys[chosen])
    while not solver.work(1):
        pass
    np.testing.assert_array_equal(solver.answers(), scores[chosen])
