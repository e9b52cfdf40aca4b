"""Every agent: a policy over legal actions only, the same for the same seed; spellings."""

import copy

import numpy as np
import pytest

import ludus
from ludus.agent import (
    EpsilonGreedy,
    Tempered,
    agent_names,
    fresh,
    likeliest_action,
    move,
    spelling_of,
)


class Fixed:
    """An agent that always thinks the same of Connect Four's start."""

    def think(self, state):
        return ludus.Thought(np.array([0.1, 0.2, 0.4, 0.3, 0, 0, 0]))


def test_epsilon_mixes_the_best_move_with_all():
    state = ludus.game("connect4").start()
    policy = EpsilonGreedy(Fixed(), 0.7).think(state).policy
    assert policy == pytest.approx([0.1, 0.1, 0.4, 0.1, 0.1, 0.1, 0.1])


def test_temperature_sharpens_and_flattens():
    state = ludus.game("connect4").start()
    assert Tempered(Fixed(), 1).think(state).policy == pytest.approx(Fixed().think(state).policy)
    assert Tempered(Fixed(), 0).think(state).policy == pytest.approx([0, 0, 1, 0, 0, 0, 0])
    flat = Tempered(Fixed(), 1000).think(state).policy
    assert flat[:4] == pytest.approx([0.25] * 4, abs=1e-3)
    assert flat[4:].sum() == 0


def test_ties_are_broken_by_the_seed():
    policy = np.array([0.5, 0, 0.5])
    drawn = [likeliest_action(policy, ludus.rng(seed)) for seed in range(40)]
    assert set(drawn) == {0, 2}
    assert drawn == [likeliest_action(policy, ludus.rng(seed)) for seed in range(40)]


def test_a_sampling_agent_draws_its_move():
    state = ludus.game("connect4").start()
    tempered = Tempered(Fixed(), 1)
    drawn = {move(tempered, state, ludus.rng(seed))[0] for seed in range(60)}
    assert drawn == {0, 1, 2, 3}
    assert {move(Fixed(), state, ludus.rng(seed))[0] for seed in range(20)} == {2}


@pytest.mark.parametrize("spelling", ["random", "random:epsilon=0.5", "random:temperature=2.0"])
def test_spellings_read_back(spelling):
    made = ludus.agent(spelling, seed=3)
    assert spelling_of(made) == spelling
    assert spelling_of(fresh(made, 9)) == spelling


@pytest.mark.parametrize(
    ("spelling", "sentence"),
    [
        ("stockfish", "no agent 'stockfish'; there are .*random"),
        ("random:depth=3", "random has no option 'depth'; there are epsilon, temperature"),
        ("random:epsilonn=3", "has no option 'epsilonn'"),
        ("adversary:draws=1", "'draws'; there are epsilon, mistakes, truth, temperature"),
        ("random:epsilon=3", "epsilon is between 0 and 1, not 3"),
        ("random:epsilon=x", "epsilon is between 0 and 1, not 'x'"),
        ("random:temperature=-1", "temperature is between 0 and 1000"),
        ("../random", "there is no run in ../random"),
        ("", "no agent ''"),
    ],
)
def test_bad_spellings_are_one_sentence(spelling, sentence):
    with pytest.raises(ValueError, match=sentence) as error:
        ludus.agent(spelling)
    assert "\n" not in str(error.value)


def test_every_agent_has_a_name():
    assert "random" in agent_names()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize("name", [name for name in agent_names() if name != "human"])
def test_a_copy_of_an_agent_that_has_thought_begins_afresh(name, copied):
    state = ludus.game("tictactoe").start()
    agent = ludus.agent(name, seed=3)
    first = agent.think(state).policy
    other = copied(agent)
    assert other == agent
    assert np.array_equal(other.think(state).policy, first)
