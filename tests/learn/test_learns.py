"""Every method learns to hold tic-tac-toe against perfect play, as far as it can."""

import pytest

import ludus
from ludus.learn import algorithm

GRADIENTS = {
    "dqn": {  # explores a lot against itself: what it learns of its best play stays true
        "steps": 150,
        "train_freq": 8,
        "n_step": 1,
        "learning_rate": 0.001,
        "exploration_initial": 0.5,
        "exploration_final": 0.2,
        "batch_size": 128,
        "target_update_interval": 50,
        "buffer_size": 50_000,
    },
    "ppo": {"steps": 240, "n_steps": 16, "learning_rate": 0.003},
    "reinforce": {  # needs to see its mistakes punished
        "steps": 200,
        "n_envs": 256,
        "batch_size": 512,
        "learning_rate": 0.004,
        "ent_coef": 0.1,
        "opponent": "perfect",
    },
}


def held(agent, seed):
    """The share of games against perfect play, on both sides, that are not lost."""
    score = ludus.match("tictactoe", agent, "perfect", games=200, seed=seed, openings="none")
    return (score.wins + score.draws) / score.games


def learned(name, options, enough, every):
    """The agent of the first step at which it holds this much, or of the last."""
    module = algorithm(name)
    config = module.Config(eval_freq=0, **options)
    for step in module.train(ludus.game("tictactoe"), config, seed=1):
        if step.number % every == 0 and held(step.agent, 1) >= enough:
            break
    return step.agent


@pytest.mark.slow
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_learn_to_hold_tictactoe(name):
    agent = learned(name, {"gamma": 1.0, **GRADIENTS[name]}, 0.98, 25)
    assert held(agent, 9) >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_ppo_holds_tictactoe_by_its_defaults_and_goes_on_holding_it(seed):
    """Not the best of many looks: each of the last ones."""
    ppo = algorithm("ppo")
    config = ppo.Config(steps=150, eval_freq=0)
    for step in ppo.train(ludus.game("tictactoe"), config, seed=seed):
        if step.number in (90, 120, 150):
            assert held(step.agent, 9) >= 0.95, f"step {step.number}"


WEIGHTS = {
    "saes": {"steps": 400, "sigma": 0.3},
    "cem": {"steps": 40, "sigma": 0.7, "min_variance": 0.01},
}
REACHED = 0.55  # both were measured at 0.685


@pytest.mark.slow
@pytest.mark.parametrize("name", WEIGHTS)
def test_search_among_weights_learns_some_of_it(name):
    """They do not come to 95 % in the time that gradients take.

    (1+1)-SA-ES stayed below 71 % for 1800 mutants; CEM still rises here, a percent a generation.
    All they are told is how many games a network lost, not by which move. As second player nearly
    every reply to nine openings has to be right before fewer games are lost, and a change of all
    weights that mends one reply spoils others.
    """
    options = {
        "width": 16,
        "random_opening_plies": 0,
        "fitness_games": 64,
        "opponent": "perfect",
        **WEIGHTS[name],
    }
    before = held(learned(name, {**options, "steps": 1}, 1.0, 1), 9)
    after = held(learned(name, options, 1.0, 1000), 9)
    assert after >= REACHED
    assert after > before
