"""Searches have their turns, end when they should, and never take others along."""

import threading
import time

import pytest

from ludus.serve.limits import Limits
from ludus.serve.pool import SearchPool
from ludus.serve.protocol import Refused


@pytest.fixture
def pool():
    one = SearchPool(Limits(workers=1, searches=6, searches_at_work=3, wait_seconds=60))
    yield one
    one.close()


def until(ready):
    """Wait for other threads."""
    for _ in range(2000):
        if ready():
            return
        time.sleep(0.005)
    raise AssertionError("it never came to that")


def counting(number, order, slices):
    for step in range(slices):
        order.append(number)
        yield step


def test_searches_take_turns(pool):
    order, gate = [], threading.Event()

    def first():
        gate.wait(10)
        yield from counting(0, order, 20)

    asked = [pool.ask(first(), seconds=60)]
    asked += [pool.ask(counting(n, order, 20), seconds=60) for n in (1, 2)]
    gate.set()
    until(lambda: all(one.ended for one in asked))
    assert [one.latest for one in asked] == [19, 19, 19]
    for n in range(3):  # each has had half its turns before any has had all
        half = [at for at, who in enumerate(order) if who == n][10]
        assert half < min(
            max(at for at, who in enumerate(order) if who == other) for other in range(3)
        )


def test_only_so_many_are_begun(pool):
    begun, go = [], threading.Event()

    def work(number):
        begun.append(number)
        while not go.is_set():
            yield None
        yield number

    asked = [pool.ask(work(n), seconds=60) for n in range(6)]
    until(lambda: len(begun) == 3)
    with pytest.raises(Refused, match="busy"):
        pool.ask(work(6), seconds=60)
    time.sleep(0.05)
    assert sorted(begun) == [0, 1, 2]
    go.set()
    until(lambda: all(one.ended for one in asked))
    assert [one.latest for one in asked] == list(range(6))
    assert pool.open == 0


def test_an_error_is_told_to_who_asked_alone(pool):
    def broken():
        yield 1
        raise ValueError("so it is")

    one, two = pool.ask(broken(), seconds=60), pool.ask(iter([5]), seconds=60)
    until(lambda: one.ended and two.ended)
    assert str(one.error) == "so it is"
    assert (two.error, two.latest) == (None, 5)


def test_work_is_cut_off_and_stopped(pool):
    closed = []

    def endless():
        try:
            while True:
                time.sleep(0.002)
                yield 1
        finally:
            closed.append(True)

    cut = pool.ask(endless(), seconds=0.02)
    until(lambda: cut.ended)
    assert (cut.cut, cut.latest) == (True, 1)
    stopped = pool.ask(endless(), seconds=60)
    until(lambda: stopped.latest)
    stopped.stop()
    until(lambda: stopped.ended)
    assert not stopped.cut
    assert closed == [True, True]


def test_waiting_is_bounded_too():
    pool = SearchPool(Limits(workers=1, wait_seconds=0.05))

    def waiting():
        while True:
            yield None

    asked = pool.ask(waiting(), seconds=60)
    until(lambda: asked.ended)
    assert (asked.cut, asked.latest) == (True, None)
    pool.close()


def test_a_closed_pool_takes_nothing():
    pool = SearchPool(Limits(workers=2))

    def endless():
        while True:
            yield None

    asked = [pool.ask(endless(), seconds=60) for _ in range(5)]
    pool.close()
    assert all(one.ended for one in asked)
    with pytest.raises(Refused):
        pool.ask(endless(), seconds=60)
