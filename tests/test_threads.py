"""Work over threads: all of it is done, however many threads there are to be had."""

import ludus
from ludus import _core
from tests.starved import starved

PLAYOUTS = """
import ludus
from ludus import _core
start = ludus.game("checkers").start()
starve(12 << 20)
print([_core.playouts(start, 3, 0, 500, threads) for threads in (64, 1024)])
"""


def test_playouts_are_all_played_where_threads_cannot_start():
    alone = _core.playouts(ludus.game("checkers").start(), 3, 0, 500, 1)
    assert starved(PLAYOUTS) == [str([alone, alone])]


SEARCHES = """
import ludus
from ludus import _core
start = ludus.game("connect4").start()
search = _core.mcts(start, seed=1, threads=16)
starve(12 << 20)
search.run(1600)
print(search.result())
"""


def test_trees_are_all_searched_where_threads_cannot_start():
    search = _core.mcts(ludus.game("connect4").start(), seed=1, threads=16)
    search.run(1600)
    assert starved(SEARCHES) == [str(search.result())]


def test_playouts_are_numbered_round_the_last_number():
    start = ludus.game("connect4").start()
    whole = _core.playouts(start, 3, 2**64 - 5, 10, 1)
    assert _core.playouts(start, 3, 2**64 - 5, 10, 3) == whole
    assert sum(whole[:3]) == 10
