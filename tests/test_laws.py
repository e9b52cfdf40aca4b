"""The laws of the contract, for every registered game and parameter set."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludus.laws import LAWS, played


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 2**32))
def test_law(game, law, seed):
    rng = random.Random(seed)
    law(game, played(game, rng), rng)


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(seed=st.integers(0, 2**32))
def test_law_at_length(game, law, seed):
    rng = random.Random(seed)
    law(game, played(game, rng), rng)
