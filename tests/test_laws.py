"""The laws of the contract, for every registered game and parameter set."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.laws import LAWS
from ludus.laws.line import random_game
from tests.conftest import examples

SEEDS = st.integers(0, 2**32)


def obeys(game, law, seed):
    rng = random.Random(seed)
    law(game, random_game(game, rng), rng)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@examples(8)
@given(seed=SEEDS)
def test_law(game, law, seed):
    obeys(game, law, seed)


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@examples(100)
@given(seed=SEEDS)
def test_law_at_length(game, law, seed):
    obeys(game, law, seed)
