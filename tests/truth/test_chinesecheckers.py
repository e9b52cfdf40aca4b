"""Chinese Checkers solved backwards: every known number, and every state against the rules."""

import json
from functools import cache
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import ludus
from ludus import _core

SAMPLE = Path(__file__).parents[1] / "data" / "cc_4x4_3_sample.txt"

# size, pieces: states, wins, losses, draws, illegal, distance of the start, longest win and loss
SOLVED = {
    (3, 1): (144, 76, 52, 0, 16, 9, 9, 8),
    (3, 3): (3360, 1440, 1160, 0, 760, 7, 7, 6),
    (4, 1): (480, 260, 190, 0, 30, 13, 13, 12),
    (4, 3): (320320, 193750, 115702, 0, 10868, 21, 21, 22),
    (5, 1): (1200, 650, 502, 0, 48, 17, 17, 16),
}
# size, pieces: states, positions won by the first player, draws, illegal (Sturtevant 2019)
PUBLISHED = {
    (7, 1): (4704, 2304, 0, 96),
    (7, 2): (2542512, 1265851, 0, 10810),
}
LARGE = {(7, 3): (559352640, 279297470, 180860, 576840)}


def solver_of(game):
    distances = np.zeros(_core.row_sizes(game.start())["distances"], np.uint8)
    return _core.row_solver(game.start(), distances), distances


@cache
def solved(size, pieces, forward_only=False, threads=2):
    game = ludus.game("chinesecheckers", size=size, pieces=pieces, forward_only=forward_only)
    solver, distances = solver_of(game)
    while not solver.done:
        solver.work(1, threads)
    words = {name: words.copy() for name, words in solver.buffers().items()}
    table = _core.row_table(game.start(), words["values"], distances)
    return SimpleNamespace(
        game=game, counts=solver.counts(), table=table, words=words, distances=distances
    )


def texts(size, pieces):
    """Every arrangement of the pieces with either player to move, legal or not."""
    cells = range(size * size)
    for first in combinations(cells, pieces):
        for second in combinations([cell for cell in cells if cell not in first], pieces):
            yield from written(size, first, second)


def written(size, first, second):
    marks = ["."] * (size * size)
    for mark, stones in (("1", first), ("2", second)):
        for cell in stones:
            marks[cell] = mark
    board = "".join(marks)
    return board + " 1", board + " 2"


def legal_state(game, text):
    try:
        return game.state(text)
    except ValueError:
        return None


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


def plain(game, every):
    """Values and distances by going over all states again and again."""
    states = {text: state for text in every if (state := legal_state(game, text))}
    after = {
        text: [str(state.play(action)) for action in state.legal()]
        for text, state in states.items()
    }
    known = {text: (-1, 0) for text, state in states.items() if state.outcome is not None}
    for distance in range(1, len(states)):
        found = {}
        for text in states.keys() - known.keys():
            values = [known.get(successor) for successor in after[text]]
            if any(value and value[0] == -1 for value in values):
                found[text] = (1, distance)
            elif all(value and value[0] == 1 for value in values):
                found[text] = (-1, distance)
        if not found:
            break
        known |= found
    return states, {text: known.get(text, (0, None)) for text in states}


@pytest.mark.parametrize(("size", "pieces"), SOLVED)
def test_known_counts(size, pieces):
    states, wins, losses, draws, illegal, start, longest_win, longest_loss = SOLVED[size, pieces]
    counts = solved(size, pieces).counts
    by_distance = counts["by_distance"]
    assert counts == {
        "states": states,
        "wins": wins,
        "losses": losses,
        "draws": draws,
        "illegal": illegal,
        "start": start,
        "by_distance": by_distance,
    }
    assert sum(by_distance[1::2]) == wins
    assert sum(by_distance[::2]) == losses
    assert max(range(1, len(by_distance), 2)) == longest_win
    assert max(range(0, len(by_distance), 2)) == longest_loss


def test_four_by_four_by_distance():
    wins = [29736, 15350, 28966, 33902, 31012, 24750, 16370, 9086, 3510, 932, 136]
    losses = [10830, 3584, 10814, 18620, 20158, 19130, 15784, 9626, 4896, 1836, 396, 28]
    by_distance = solved(4, 3).counts["by_distance"]
    assert by_distance[1::2] == wins
    assert by_distance[::2] == losses


def test_four_by_four_opening_moves():
    game, table = solved(4, 3).game, solved(4, 3).table
    start = game.start()
    assert (table.value(start), table.distance(start)) == (1, 21)
    moves = {game.move(start, action): rest for action, *rest in table.moves(start)}
    assert moves == {
        "0-3": [1, 20],
        "0-5": [1, 20],
        "1-4": [1, 20],
        "2-4": [1, 20],
        "1-3": [-1, 21],
        "2-5": [-1, 21],
    }


def test_every_line_of_the_sample():
    game, table = solved(4, 3).game, solved(4, 3).table
    lines = SAMPLE.read_text().splitlines()
    assert len(lines) == 2000
    for line in lines:
        board, player, verdict, distance = line.split()
        state = legal_state(game, f"{board} {player}")
        if verdict == "I":
            assert state is None, line
            continue
        assert table.value(state) == {"W": 1, "L": -1}[verdict], line
        assert table.distance(state) == int(distance), line


def check_published(expected, counts):
    states, won_by_first, draws, illegal = expected
    assert counts["states"] == states
    assert counts["wins"] + counts["losses"] == 2 * won_by_first  # each player wins as many
    assert (counts["draws"], counts["illegal"]) == (draws, illegal)
    assert counts["start"] % 2 == 1


@pytest.mark.parametrize(("size", "pieces"), PUBLISHED)
def test_published_counts(size, pieces):
    check_published(PUBLISHED[size, pieces], solved(size, pieces).counts)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "pieces"), LARGE)
def test_published_counts_of_a_large_board(size, pieces):
    check_published(LARGE[size, pieces], solved(size, pieces).counts)


@pytest.mark.parametrize("forward_only", [False, True])
@pytest.mark.parametrize(("size", "pieces"), [(3, 1), (3, 2), (3, 3), (4, 1), (4, 2)])
def test_equals_a_plain_solver(size, pieces, forward_only):
    truth = solved(size, pieces, forward_only)
    states, expected = plain(truth.game, texts(size, pieces))
    found = {
        text: (truth.table.value(state), truth.table.distance(state))
        for text, state in states.items()
    }
    assert found == expected


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


def test_without_a_move_is_lost():
    """Two positions of the forward game have none."""
    counts, all_moves = solved(4, 3, True).counts, solved(4, 3).counts
    assert counts["by_distance"][0] == all_moves["by_distance"][0] + 2
    assert counts["illegal"] == all_moves["illegal"]


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
    inside_a_pass = 0
    while not solver.done:
        solver.work(0.002, 2)
        kept = {name: words.tobytes() for name, words in solver.buffers().items()}
        progress = json.loads(json.dumps(solver.progress))
        inside_a_pass += 0 < progress["row"] < progress["rows"]
        solver.work(0.001, 2)  # is lost; what it wrote into the distances is written again
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
