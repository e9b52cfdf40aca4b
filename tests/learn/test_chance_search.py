"""A search that meets chance thinks of a state what it thinks of it anywhere."""

import dataclasses

import pytest

import ludus
from ludus.arena import step

AGENT = "zoo/supertictactoe:simulations=6"


def course(score):
    """Everything that a seed decides."""
    return [dataclasses.replace(game, seconds=()) for game in score.played]


def test_a_thought_does_not_depend_on_the_states_beside_it():
    pytest.importorskip("onnxruntime")
    rng, state = ludus.rng(1), ludus.game("supertictactoe").start()
    states = [state := state.play(state.legal()[0], rng) for _ in range(6)]
    agent = ludus.agent(AGENT)
    for state, thought in zip(states, agent.think_many(states), strict=True):
        assert (agent.think(state).policy == thought.policy).all()


def test_a_game_of_chance_does_not_depend_on_the_games_beside_it(monkeypatch):
    pytest.importorskip("onnxruntime")
    options = {"games": 6, "seed": 2, "openings": "random:4"}
    all_at_once = ludus.match("supertictactoe", AGENT, "random", **options)
    monkeypatch.setattr(step, "AT_ONCE", 2)
    two_by_two = ludus.match("supertictactoe", AGENT, "random", **options)
    assert course(all_at_once) == course(two_by_two)
