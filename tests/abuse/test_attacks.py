"""A few rounds of every attack; `make abuse MINUTES=60` goes on for longer."""

import pytest

from tests.abuse.attacks import names, played


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", names())
def test_the_border_holds(name, seed):
    assert played(name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 20))
@pytest.mark.parametrize("name", names())
def test_the_border_holds_for_longer(name, seed):
    assert played(name, seed)
