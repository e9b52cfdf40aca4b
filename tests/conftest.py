import random
from importlib import import_module

import pytest
from hypothesis import HealthCheck, settings

import ludus


def examples(count):
    """Hypothesis with this many examples, the same ones every time."""
    return settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def every_game():
    """Each registered game with its default parameters and its variants."""
    return [
        ludus.game(name, **variant)
        for name in ludus.game_names()
        for variant in ({}, *import_module(f"ludus.games.{name}").KIND.variants)
    ]


def pytest_generate_tests(metafunc):
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", every_game(), ids=lambda game: game.spelling)


def playout(game, rng):
    """The states of a random game, from the first to the last."""
    state = game.start(rng)
    yield state
    while state.outcome is None:
        state = state.play(rng.choice(state.legal()), rng)
        yield state


@pytest.fixture
def rng():
    return random.Random(20261115)


@pytest.fixture(autouse=True)
def still(monkeypatch):
    """What takes long on a busy machine says so nowhere but where a test lets it."""
    monkeypatch.setattr("ludus.cli._progress.TICK_SECONDS", 3600)
