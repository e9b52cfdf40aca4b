"""What self-play saw is recorded, survives kills, and tells states apart in three classes."""

import dataclasses
import random
import shutil

import numpy as np
import pytest

import ludus
from ludus.lab.seen import NEIGHBOURING, OTHER, SEEN, SeenStates
from ludus.learn import alphazero
from ludus.learn.runs.run import Run
from ludus.learn.store import checkpoint, seen, selection
from tests.learn.small import everything, same, small

BOARD = "chinesecheckers:size=4,pieces=3"
BOARD_SPELLED = ludus.game(BOARD).spelling
GAMES = [BOARD, "connect4:rows=4,columns=5", "tictactoe:success=0.5", "checkers"]


def config(**changes):
    return small("alphazero", record_states=100_000, **{"window": 5000, **changes})


def equal(one, other):
    """Whether two records say the same, however they were written."""
    assert one.missed == other.missed
    for name, array in one.arrays.items():
        assert array.tobytes() == other.arrays[name].tobytes(), name


@pytest.mark.parametrize("spelling", GAMES)
def test_the_record_is_what_was_learned_from(spelling, tmp_path):
    """Another account of the same training: the window's rows, and the positions behind them."""
    game = ludus.game(spelling)
    run = Run(tmp_path / "run", spelling, "alphazero", config(), seed=3)
    windows = []
    for step in run.steps():
        window = step.parts["window"]
        windows.append((window.written, window.features.copy(), window.outcomes.copy()))
    record = seen.read(run.path, game.spelling)
    states = [game.state(text) for text in record.texts()]
    assert len({str(state) for state in states}) == record.count
    samples = len(record.arrays["states"])
    assert samples == windows[-1][0]  # the window is large enough to forget nothing
    features = np.stack([state.features() for state in states]).astype(np.float16)
    rows = record.arrays["states"]
    np.testing.assert_array_equal(windows[-1][1][:samples], features[rows])
    np.testing.assert_array_equal(windows[-1][2][:samples], record.arrays["outcomes"])
    ends = [written for written, _, _ in windows]
    steps = np.searchsorted(ends, np.arange(samples), side="right") + 1
    np.testing.assert_array_equal(record.sample_steps, steps)
    first = {}
    for row, step in zip(rows.tolist(), steps.tolist(), strict=True):
        first.setdefault(row, step)
    assert [first[row] for row in range(record.count)] == record.first_steps.tolist()
    assert list(first) == sorted(first)


def test_a_kill_between_any_two_steps_changes_nothing(tmp_path):
    """What a kill leaves behind is what the folder holds at that moment."""
    asked = config(steps=6, checkpoint_seconds=3600.0)
    whole = Run(tmp_path / "whole", BOARD, "alphazero", asked, seed=2).train()
    record = seen.read(whole.path, BOARD_SPELLED)
    assert len(seen.written(whole.path)) == 1
    often = dataclasses.replace(asked, checkpoint_seconds=0.0)
    run, crashes = Run(tmp_path / "run", BOARD, "alphazero", often, seed=2), []
    for step in run.steps():
        crashes.append(tmp_path / f"crash{step.number}")
        shutil.copytree(run.path, crashes[-1])
    equal(record, seen.read(run.path, BOARD_SPELLED))
    rng = random.Random(1)
    for path in crashes:
        newest = selection.newest(path / "checkpoints")[0]
        if rng.random() < 0.5 and len(selection.checkpoints(path / "checkpoints")) > 1:
            (newest.path / "state.json").write_text("{}")  # back to the one before
        elif rng.random() < 0.5:
            checkpoint.drop(newest.path)  # killed between the record and the checkpoint
        (path / "seen" / ".000000000099.rows.writing").write_bytes(b"half")
        equal(record, seen.read(Run(path).train().path, BOARD_SPELLED))


@pytest.mark.parametrize("spelling", GAMES)
def test_it_resumes_bit_by_bit_with_rows_that_were_not_written(spelling, tmp_path):
    game = ludus.game(spelling)
    unbroken = list(alphazero.train(game, config(), seed=1))[-1]
    for step in alphazero.train(game, config(), seed=1):
        if step.number == 2:
            break
    checkpoint.write(tmp_path, step.snapshot(), strength=None)
    stored = selection.newest(tmp_path)[0].load()
    again = list(alphazero.train(game, config(), seed=1, saved=stored))[-1]
    same(everything(unbroken.snapshot()), everything(again.snapshot()))


def test_recording_changes_nothing_that_is_learned():
    game = ludus.game(BOARD)
    with_it, without = (
        everything(list(alphazero.train(game, one, seed=1))[-1].snapshot())
        for one in (config(), small("alphazero", window=5000))
    )
    for name, array in without[0].items():
        assert array.tobytes() == with_it[0][name].tobytes(), name


def test_a_full_record_takes_in_no_more_and_says_so(tmp_path):
    asked = dataclasses.replace(config(), record_states=20)
    run = Run(tmp_path / "run", BOARD, "alphazero", asked, seed=3).train()
    whole = Run(tmp_path / "whole", BOARD, "alphazero", config(), seed=3).train()
    few, all_ = (seen.read(one.path, BOARD_SPELLED) for one in (run, whole))
    assert few.count == 20 < all_.count
    assert [*few.texts()] == [*all_.texts()][:20]
    assert few.missed == int((all_.arrays["states"] >= 20).sum()) > 0
    assert SeenStates.load(run.path).full
    assert not SeenStates.load(whole.path).full


@pytest.mark.parametrize("mirrored", [False, True])
def test_classes_are_those_of_a_search_by_hand(mirrored):
    """Sets of texts, by nothing but the rules."""
    game, rng = ludus.game(BOARD), random.Random(4)
    line = [game.start()]
    for _ in range(30):
        line.append(line[-1].play(rng.choice(line[-1].legal())))

    def images(state):
        return {str(state.transformed(i)) for i in range(2 if mirrored else 1)}

    texts = set().union(*map(images, line))
    near = {
        text
        for one in texts
        for action in game.state(one).legal()
        for text in images(game.state(one).play(action))
    } - texts
    known = SeenStates.of(game, line, mirrored=mirrored)
    walk = [state for one in line[:8] for state in walks(one, 2)]
    expected = [
        SEEN if str(one) in texts else NEIGHBOURING if str(one) in near else OTHER for one in walk
    ]
    assert known.classify_all(walk) == expected
    assert set(expected) == {SEEN, NEIGHBOURING, OTHER}
    if not mirrored:
        assert {str(known.neighbour(n)) for n in range(len(known.neighbours))} == near


def walks(state, depth):
    """All states up to so many actions away."""
    yield state
    if depth:
        for action in state.legal():
            yield from walks(state.play(action), depth - 1)


def test_what_is_not_whole_is_refused_in_a_sentence(tmp_path):
    run = Run(tmp_path / "run", BOARD, "alphazero", config(checkpoint_seconds=0.0), seed=3).train()
    with pytest.raises(ValueError, match="no record"):
        seen.read(tmp_path, BOARD_SPELLED)
    files = seen.written(run.path)
    data = files[1].read_bytes()
    files[1].unlink()
    with pytest.raises(ValueError, match="a part of it is missing"):
        SeenStates.load(run.path)
    files[1].write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(ValueError, match="damaged"):
        SeenStates.load(run.path)
    with pytest.raises(ValueError, match=r"with game"):
        seen.read(run.path, "connect4")
