"""Honest work with every native object, and whether what it says is so."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from ludus import _core
from tests import natives

SMALL, CHANCY = "kingcourtesan:size=4", "supertictactoe"
GAMES = (SMALL, CHANCY, "connect4", "checkers", "cathedral:size=8", "chinesecheckers")
THREADS = (1, 1, 2)  # of an object's own, to choose from
SECONDS: float | None = 0.02  # of one search; None where only counts may decide


class Work:
    """One object, what may be asked of it, and how its answers are checked."""

    def __init__(self, made: Any, ask: Callable[[Any, Random], None]) -> None:
        self.made, self._ask = made, ask

    def ask(self, rng: Random) -> None:
        """Something of it, with answers that are legal whatever others do at the same time."""
        self._ask(self.made, rng)


def walked(spelling: str, rng: Random) -> Any:
    """A state some plies into a random game, which goes on."""
    state = natives.start(spelling)
    for _ in range(rng.randrange(6)):
        after = state.play(rng.choice(state.legal()), rng)
        state = state if after.outcome is not None else after
    return state


def shares(found: list[tuple[int, float]], actions: int) -> None:
    assert abs(sum(share for _, share in found) - 1) < 1e-6, found
    assert all(0 <= action < actions for action, _ in found), found


def mcts(spelling: str, rng: Random) -> Work:
    start = natives.start(spelling)
    threads, rave = rng.choice(THREADS), rng.choice((0.0, 100.0))
    made = _core.mcts(start, seed=rng.randrange(99), threads=threads, rave=rave)

    def ask(search: Any, rng: Random) -> None:
        kind = rng.randrange(4)
        if kind == 0:
            search.seek(walked(spelling, rng))
        elif kind == 1:
            shares(search.policy(), start.num_actions)
        elif kind == 2:
            assert all(0 <= a < start.num_actions for a in search.line)
            assert search.nodes >= 1
        else:
            search.run(rng.choice((1, 50, 50_000)), SECONDS)

    return Work(made, ask)


def forest(spelling: str, rng: Random) -> Work:
    start = natives.start(spelling)
    trees, gumbel = rng.choice((1, 3, 20)), rng.random() < 0.5
    made = _core.forest(start, trees, gumbel=gumbel, simulations=30, threads=rng.choice(THREADS))

    left: list[Any] = []  # evaluations that were not taken yet

    def ask(forest: Any, rng: Random) -> None:
        kind, row = rng.randrange(5), rng.randrange(trees)
        if left:
            take(forest, left)
        elif kind == 0:
            forest.seek(row, walked(spelling, rng))
        elif kind == 1:
            shares(forest.policy(row), start.num_actions)
            assert 0 <= forest.action(row) < start.num_actions
        else:
            features = np.zeros((trees, *forest.shape), np.float32)
            masks = np.zeros((trees, start.num_actions), np.bool_)
            priors, values = numbers(masks.shape, rng), np.zeros(trees, np.float32)
            rows = forest.gather(features, masks)
            left[:] = [priors[:rows], values[:rows]]
            take(forest, left)

    return Work(made, ask)


def numbers(shape: tuple[int, ...], rng: Random) -> Any:
    """Random ones, made without importing anything."""
    return np.resize(np.array([rng.random() for _ in range(7)], np.float32), shape)


def take(made: Any, left: list[Any]) -> None:
    """Scatter; what fails is scattered again another time."""
    if given := list(left):  # or another thread was faster
        made.scatter(*given)
    left.clear()


def selfplay(spelling: str, rng: Random) -> Work:
    start = natives.start(spelling)
    games = rng.choice((1, 3, 10))
    made = _core.selfplay(start, games, simulations=8, symmetric_cache=rng.random() < 0.5)

    left: list[Any] = []  # evaluations that were not taken yet

    def ask(pool: Any, rng: Random) -> None:
        kind, row = rng.randrange(8), rng.randrange(games)
        if left:
            take(pool, left)
        elif kind == 0:
            records = pool.take()
            assert len(records["values"]) == len(records["counts"])
            assert records["counts"].sum() == len(records["actions"])
            assert (records["actions"] < start.num_actions).all()
        elif kind == 1:
            pool.put(row, *pool.row(row))
        elif kind == 2:
            pool.pause()
        else:
            features = np.zeros((games, *pool.shape), np.float32)
            logits, values = numbers((games, start.num_actions), rng), np.zeros(games, np.float32)
            rows = pool.gather(features)
            left[:] = [logits[:rows], values[:rows]]
            take(pool, left)

    return Work(made, ask)


def batch(spelling: str, rng: Random) -> Work:
    games = rng.choice((1, 8, 100))
    made = _core.batch(natives.start(spelling), games, 0, "full", True)

    def ask(batch: Any, rng: Random) -> None:
        kind, row = rng.randrange(6), rng.randrange(games)
        if kind == 0:
            assert batch.state(row).legal()
        elif kind == 1:
            batch.put(row, walked(spelling, rng))
        elif kind == 2:
            places, policies = np.array([row]), np.zeros((1, batch.num_actions))
            _core.think_uct(batch, places, np.zeros(1, np.uint64), policies, 1, 20, "")
            assert abs(policies.sum() - 1) < 1e-6
        else:
            actions = np.zeros(games, np.int32)
            masks = np.zeros((games, batch.num_actions), np.bool_)
            batch.sample(actions)
            batch.step(actions, masks=masks)
            assert masks.any(1).all()

    return Work(made, ask)


def versus(spelling: str, rng: Random) -> Work:
    games, opponent = rng.choice((1, 8)), rng.choice(("random", "uct", ""))
    made = _core.versus(
        natives.start(spelling),
        games,
        0,
        "full",
        (False, True, 0.0),
        opponent=opponent,
        simulations=10,
    )

    def ask(versus: Any, rng: Random) -> None:
        actions = np.zeros(games, np.int32)
        masks = np.zeros((games, versus.num_actions), np.bool_)
        versus.sample(actions)
        versus.step(actions, masks=masks)
        assert versus.state(rng.randrange(games)).num_actions == versus.num_actions

    return Work(made, ask)


def alphabeta(spelling: str, rng: Random) -> Work:
    start = natives.start(spelling)
    made = _core.alphabeta(start, table_bytes=rng.choice((0, 1 << 20, 1 << 28)))

    def ask(search: Any, rng: Random) -> None:
        search.run(rng.randrange(20), rng.choice((1, 100, 20_000)), SECONDS)
        line = search.line
        assert not line or line[0] in start.legal()
        assert {action for action, *_ in search.scores()} <= set(start.legal())

    return Work(made, ask)


def connect4_solver(spelling: str, rng: Random) -> Work:
    made = _core.connect4_solver(
        natives.start("connect4:rows=4"), threads=rng.choice(THREADS), table_bits=14
    )

    def ask(solver: Any, rng: Random) -> None:
        moves = rng.random() < 0.5
        solver.ask([walked("connect4:rows=4", rng) for _ in range(rng.randrange(30))], moves)
        solver.work(0.01)
        answers = solver.answers()
        assert answers.size in (solver.total, answers.size)

    return Work(made, ask)


def reachable(spelling: str, rng: Random) -> Work:
    start = natives.start("tictactoe")
    made = _core.reachable(start, 100_000)

    def ask(space: Any, rng: Random) -> None:
        space.work(0.002)
        if space.done:
            assert space.look(start) == (0.0, None)

    return Work(made, ask)


def tables(spelling: str, rng: Random) -> Work:
    table, start = natives.endgame_oracle(), natives.start(natives.PLACES[0])
    value = table.look(start)

    def ask(oracle: Any, rng: Random) -> None:
        values = np.zeros(3)
        oracle.values([start] * 3, values)
        assert oracle.look(start) == value
        assert (values == value[0]).all()

    return Work(table, ask)


KINDS = {
    "mcts": mcts,
    "forest": forest,
    "selfplay": selfplay,
    "batch": batch,
    "versus": versus,
    "alphabeta": alphabeta,
    "connect4_solver": connect4_solver,
    "reachable": reachable,
    "tables": tables,
}


def anything(rng: Random) -> tuple[str, Work]:
    """Work of a random kind at a random game."""
    kind, spelling = rng.choice(sorted(KINDS)), rng.choice(GAMES)
    return f"{kind} {spelling}", KINDS[kind](spelling, rng)
