"""The heads of every network of the zoo tell something, or its card says that they do not."""

import numpy as np
import pytest

import ludus
from ludus.agent import think_many
from ludus.learn.store import zoo

DEAD = "value head is dead"
LEAST_SPREAD = 0.05  # of values over positions of random games


def met(on, games=6):
    """Positions of random games."""
    rng, found = np.random.default_rng(1), []
    for _ in range(games):
        state = on.start(rng)
        while state.outcome is None and state.plies < 60:
            found.append(state)
            state = state.play(int(rng.choice(state.legal())), rng)
    return found


@pytest.mark.parametrize("name", zoo.names())
def test_a_value_head_of_the_zoo_is_alive_or_its_card_says_that_it_is_dead(name):
    card = zoo.card(name)
    states = met(ludus.game(card["game"]))
    values = [thought.value for thought in think_many(ludus.agent(f"zoo/{name}"), states)]
    assert (np.std(values) < LEAST_SPREAD) == any(DEAD in line for line in card["measured"])
