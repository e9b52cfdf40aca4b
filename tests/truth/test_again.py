"""A solver that failed and is asked again: the truth or the same refusal, nothing in between."""

import pytest

import ludus
from ludus import _core
from tests.starved import starved
from tests.test_written import Nim


@pytest.mark.parametrize("limit", [1, 2, 3_000, 5_477])
def test_a_space_that_is_too_large_stays_too_large(limit):
    space = _core.reachable(ludus.game("tictactoe").start(), limit)
    for _ in range(6_000):
        with pytest.raises(ValueError, match=f"more than {limit} states"):
            space.work(10.0)
    assert not space.done
    assert space.states == limit
    with pytest.raises(ValueError, match="not solved yet"):
        space.counts()


def test_a_noisy_space_that_is_too_large_stays_too_large():
    space = _core.reachable(ludus.game("tictactoe:success=0.5").start(), 4_000)
    for _ in range(6_000):
        with pytest.raises(ValueError, match="more than 4000 states"):
            space.work(10.0)
    assert not space.done


def test_a_space_goes_on_after_its_game_raised_an_error():
    game = ludus.game(Nim)
    whole = _core.reachable(game.start(), 1_000)
    whole.work(10.0)
    space = _core.reachable(game.start(), 1_000)
    errors = 0
    with pytest.MonkeyPatch.context() as patch:
        calls, legal = iter(range(1_000_000)), Nim.legal

        def failing(self):
            if next(calls) % 4 == 3:
                raise OSError("the disk is gone")
            return legal(self)

        patch.setattr(Nim, "legal", failing)
        while not space.done and errors < 1_000:
            try:
                space.work(10.0)
            except OSError:
                errors += 1
    assert errors > 3
    assert space.counts() == whole.counts()
    states = [game.state(f"{stones} {player}") for stones in range(11) for player in (0, 1)]
    assert [space.look(state) for state in states] == [whole.look(state) for state in states]


STARVED_SPACE = """
import ludus
from ludus import _core
start = ludus.game("chinesecheckers:size=4,pieces=3").start()
space = _core.reachable(start, 10**7)
failed = 0
for more in (3, 6, 12, 20, 30, 45, 60, 80, 110, None):
    feed() if more is None else starve(more << 20)
    try:
        while not space.done:
            space.work(1.0)
    except MemoryError:
        failed += 1
print(failed, space.counts())
"""


def test_a_space_goes_on_once_there_is_memory():
    (line,) = starved(STARVED_SPACE)
    failed, counts = line.split(" ", 1)
    assert int(failed) > 0
    space = _core.reachable(ludus.game("chinesecheckers:size=4,pieces=3").start(), 10**7)
    space.work(60.0)
    assert counts == str(space.counts())


STARVED_ROWS = """
import ludus
from ludus import _core
start = ludus.game("chinesecheckers:size=4,pieces=3").start()
solver = _core.row_solver(start)
starve(20 << 20)
while not solver.done:
    solver.work(0.001, 64)
print(solver.counts())
"""


def test_rows_are_counted_once_whatever_number_of_threads_can_start():
    solver = _core.row_solver(ludus.game("chinesecheckers:size=4,pieces=3").start())
    solver.work(60.0)
    assert starved(STARVED_ROWS) == [str(solver.counts())]


STARVED_QUESTIONS = """
import ludus
from ludus import _core
game = ludus.game("connect4:rows=5,columns=5")
solver = _core.connect4_solver(game.start(), threads=4, table_bits=16)
few = [game.start().play(2), game.start().play(1)]
solver.ask(few)
solver.work(100.0)
before = solver.answers().tolist()
many = few * 2_000_000
starve(8 << 20)
try:
    solver.ask(many)
    print("there was room")
except MemoryError:
    print("refused")
feed()
assert solver.work(100.0)
print(solver.answers().tolist() == before, solver.done == solver.total)
"""


def test_questions_that_found_no_memory_leave_the_answers_before_them():
    assert starved(STARVED_QUESTIONS) == ["refused", "True True"]
