"""Batched opponents: what native code thinks of many rows is what each agent thinks by itself."""

import numpy as np
import pytest

import ludus
from ludus import _core
from ludus.agent import agent
from ludus.learn.collecting.batched_opponents import (
    choose_actions,
    mover_policy,
    policies_of,
    thinks_natively,
    thoughts_of,
)
from ludus.learn.collecting.vector_games import VectorGames

ROWS = 6
OPPONENTS = (
    "uct:simulations=40,plain=true",
    "uct:simulations=40",
    "uct:simulations=30,rave=50,rollouts=2,epsilon=0.25",
    "uct:simulations=30,fpu=0.7",
    "uct:simulations=30,temperature=0.5",
    "alphabeta:depth=2,table=0",
    "alphabeta:depth=2,multi=true,epsilon=0.5",
    "alphabeta:nodes=50,table=1",
)


def table_of(name: str, plies: int) -> VectorGames:
    """Some games after some random plies."""
    table = VectorGames(ludus.game(name), ROWS, 3)
    actions = np.zeros(ROWS, np.int32)
    for _ in range(plies):
        table.batch.sample(actions)
        table.step(actions)
    return table


@pytest.mark.parametrize("spelling", OPPONENTS)
@pytest.mark.parametrize("name", ludus.game_names())
def test_many_rows_are_thought_about_as_each_would_be(name, spelling):
    table, opponent = table_of(name, 5), agent(spelling, seed=1)
    assert thinks_natively(opponent if not hasattr(opponent, "agent") else opponent.agent)
    rows, seeds = np.array([4, 0, 3]), np.array([7, 8, 9])
    states = [table.batch.state(int(row)) for row in rows]
    alone = [
        mover_policy(state, thought)
        for state, thought in zip(states, thoughts_of(opponent, states, seeds), strict=True)
    ]
    for threads in (1, 3):
        together = policies_of(opponent, table, rows, seeds, threads)
        np.testing.assert_allclose(together, alone, rtol=0, atol=1e-15)


def test_answers_are_legal_and_break_ties_by_the_draws():
    table, opponent = table_of("connect4", 0), agent("alphabeta:depth=1,multi=true,table=0")
    rows, seeds = np.arange(ROWS), np.arange(ROWS)
    low = choose_actions(opponent, table, rows, seeds, np.zeros(ROWS))
    high = choose_actions(opponent, table, rows, seeds, np.full(ROWS, 0.999))
    assert table.masks[rows, low].all()
    assert table.masks[rows, high].all()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rows": np.array([0, ROWS])}, "a row is between 0 and 5, not 6"),
        ({"rows": np.array([-1])}, "a row is between 0 and 5, not -1"),
        ({"seeds": np.zeros(3, np.uint64)}, "seeds has 1 items, not 3"),
        ({"policies": np.zeros((1, 6))}, "policies has 7 items, not 6"),
        ({"threads": 0}, "threads is between 1.0 and 1024.0, not 0.0"),
        ({"c": -1.0}, "c is between 0.0 and 1000.0, not -1.0"),
    ],
)
def test_wrong_rows_are_told(change, sentence):
    given = {
        "batch": table_of("connect4", 0).batch,
        "rows": np.array([0]),
        "seeds": np.zeros(1, np.uint64),
        "policies": np.zeros((1, 7)),
        "threads": 1,
        "simulations": 5,
        "judge": "",
        **change,
    }
    with pytest.raises((ValueError, TypeError), match=sentence):
        _core.think_uct(**given)
