"""Solving in rows: threads, interruptions, arrays, and what is refused."""

import json

import numpy as np
import pytest

import ludus
from ludus import _core
from tests.truth.diamonds import legal_state, solved, solver_of, written


@pytest.mark.parametrize(
    ("size", "pieces", "forward_only"), [(4, 3, False), (5, 2, False), (4, 4, True)]
)
def test_threads_change_nothing(size, pieces, forward_only):
    one = solved(size, pieces, forward_only, threads=1)
    for threads in (2, 3):
        other = solved(size, pieces, forward_only, threads)
        assert other.counts == one.counts
        assert all(np.array_equal(other.words[name], one.words[name]) for name in one.words)
        assert np.array_equal(other.distances, one.distances)


@pytest.mark.parametrize(
    ("size", "pieces", "forward_only"), [(4, 3, False), (5, 2, False), (4, 4, True)]
)
def test_broken_off_and_resumed_changes_nothing(size, pieces, forward_only):
    unbroken = solved(size, pieces, forward_only)
    solver, distances = solver_of(unbroken.game)
    inside_a_pass, pause, before = 0, 1e-5, None
    while not solver.done:
        solver.work(pause, 2)
        kept = {name: words.tobytes() for name, words in solver.buffers().items()}
        progress = json.loads(json.dumps(solver.progress))
        inside = 0 < progress["row"] < progress["rows"]
        inside_a_pass += inside
        # However fast the machine is, pauses find their length: longer once they end inside a pass
        # or nothing was done, shorter else.
        pause *= 1.5 if inside or progress == before else 0.5
        before = progress
        solver.work(pause / 2, 2)  # is lost; what it wrote into the distances is written again
        solver = _core.row_solver(unbroken.game.start(), distances)
        for name, words in solver.buffers().items():
            words[:] = np.frombuffer(kept[name], np.uint64)
        solver.resume(progress)
    assert inside_a_pass
    assert solver.counts() == unbroken.counts
    words = solver.buffers()
    assert all(np.array_equal(words[name], unbroken.words[name]) for name in words)
    assert np.array_equal(distances, unbroken.distances)


def test_many_states_at_once(rng):
    truth = solved(5, 3)
    states = []
    while len(states) < 200:
        cells = rng.sample(range(25), 6)
        state = legal_state(truth.game, written(5, cells[:3], cells[3:])[rng.randrange(2)])
        states += [state] if state else []
    values, distances = truth.table.values_of(states), truth.table.distances_of(states)
    assert values.tolist() == [truth.table.value(state) for state in states]
    expected = [truth.table.distance(state) for state in states]
    assert distances.tolist() == [-1 if d is None else d for d in expected]
    assert truth.table.values_of([]).shape == (0,)


def test_values_without_distances():
    truth = solved(4, 3)
    start = truth.game.start()
    solver = _core.row_solver(start)
    solver.work(60)
    values = solver.buffers()["values"]
    values.flags.writeable = False  # as in a file that is mapped to be read
    table = _core.row_table(start, values)
    assert np.array_equal(values, truth.words["values"])
    assert table.value(start) == 1
    assert table.distance(start) is None
    assert table.distances_of([start]).tolist() == [-1]


def test_sizes():
    start = ludus.game("chinesecheckers", size=5, pieces=6).start()
    sizes = _core.row_sizes(start)
    assert sizes["states"] == 9_610_154_400
    assert sizes["distances"] == 88860 * 27132
    assert sizes["values"] == 88860 * 2 * 424
    assert sizes["solver_bytes"] < 1.3e9


@pytest.mark.parametrize(("size", "pieces"), [(8, 2), (9, 1), (6, 6), (7, 10)])
def test_too_large_is_refused(size, pieces):
    start = ludus.game("chinesecheckers", size=size, pieces=pieces).start()
    for make in (_core.row_sizes, _core.row_solver):
        with pytest.raises(ValueError, match=r"tables of all positions|is too large"):
            make(start)


def test_foreign_states_are_refused():
    table = solved(4, 3).table
    for other in ({"size": 5, "pieces": 3}, {"size": 4, "pieces": 3, "forward_only": True}):
        state = ludus.game("chinesecheckers", **other).start()
        for ask in (table.value, table.distance, table.moves, lambda s: table.values_of([s])):
            with pytest.raises(ValueError, match="other parameters"):
                ask(state)
    with pytest.raises(ValueError, match="another game"):
        table.values_of([ludus.game("connect4").start()])


def test_draw_limits_are_no_part_of_truth():
    state = ludus.game("chinesecheckers", size=4, pieces=3, repetition=0, max_plies=7).start()
    assert solved(4, 3).table.distance(state) == 21


def test_wrong_arrays_are_refused():
    truth = solved(4, 3)
    start, values = truth.game.start(), truth.words["values"]
    with pytest.raises(ValueError, match="values has 2940 items for this game, not 2939"):
        _core.row_table(start, values[:-1])
    with pytest.raises(ValueError, match="distances has 84084 items"):
        _core.row_table(start, values, truth.distances[:-1])
    with pytest.raises(TypeError, match="values is a C-contiguous array of uint64"):
        _core.row_table(start, values.astype(np.float64))
    with pytest.raises(TypeError, match="distances is a C-contiguous array"):
        _core.row_solver(start, truth.distances.astype(np.int32))
    unaligned = np.frombuffer(b"0" * 4 + values.tobytes(), np.uint8)[4:].view(np.uint64)
    if unaligned.ctypes.data % 8:
        with pytest.raises(ValueError, match="odd address"):
            _core.row_table(start, unaligned)


def test_a_table_that_calls_everything_illegal_never_answers():
    truth = solved(4, 3)
    table = _core.row_table(truth.game.start(), ~np.zeros_like(truth.words["values"]))
    with pytest.raises(ValueError, match="damaged"):
        table.value(truth.game.start())


def test_wrong_work_is_refused():
    solver, _ = solver_of(solved(4, 3).game)
    for seconds in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="seconds is between"):
            solver.work(seconds)
    with pytest.raises(ValueError, match="threads is between 1 and"):
        solver.work(1, 0)
    with pytest.raises(ValueError, match="when the solver is done"):
        solver.counts()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rows": 293}, "other rows"),
        ({"rows": 295}, "does not fit the table"),
        ({"row": 295}, "does not fit the table"),
        ({"pass": -1}, "does not fit the table"),
        ({"pass": 3}, "does not fit its pass"),
        ({"by_distance": [10**18]}, "does not fit the table"),
        ({"done": 1}, "done is True or False"),
    ],
)
def test_foreign_progress_is_refused(change, sentence):
    solver, _ = solver_of(solved(4, 3).game)
    progress = solver.progress
    with pytest.raises(ValueError, match=sentence):
        solver.resume(progress | change)
    del progress["pass"]
    with pytest.raises(ValueError, match="progress has 'pass'"):
        solver.resume(progress)


@pytest.mark.parametrize("number", [1, 2])
def test_words_of_a_forged_checkpoint_name_no_entry_that_is_not_there(number):
    """Bits behind a row's last entry once were looked up beyond the solver's memory."""
    solver = _core.row_solver(ludus.game("chinesecheckers", size=3, pieces=3).start())
    for words in solver.buffers().values():
        words[:] = 2**64 - 1
    solver.buffers()["resolved"][:] = 0
    solver.resume(solver.progress | {"pass": number, "by_distance": [0] * (number + 1)})
    while not solver.done:
        solver.work(1, 2)
    assert solver.counts()["wins"] + solver.counts()["losses"] > 0
