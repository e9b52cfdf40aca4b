"""Each native game, move by move beside a slow one written only from the rules."""

import os
import random
from importlib import import_module

import pytest


def compare(game, games, seed):
    """Random games: same legal sets, boards, players, chances, outcome at every ply."""
    module = import_module(f"tests.reference.{game.name}")
    rng = random.Random(seed)
    for _ in range(games):
        native = game.start(rng if game.parameters.get("fair_start") else None)
        slow = module.Reference(**game.parameters)
        if hasattr(slow, "align"):  # what the rules left to a coin
            slow.align(native)
        while True:
            assert str(native) == slow.text()
            assert native.player == slow.player
            assert native.outcome == slow.outcome()
            assert native.num_actions == slow.num_actions
            legal = native.legal()
            assert len(legal) == len(set(legal))
            assert set(legal) == set(slow.legal())
            if native.outcome is not None:
                break
            action = rng.choice(legal)
            if native.chancy:
                chances = native.chances(action)
                expected = slow.chances(action)
                assert {result for result, _ in chances} == set(expected)
                assert all(abs(chance - expected[result]) < 1e-12 for result, chance in chances)
                results, weights = zip(*chances, strict=True)
                result = rng.choices(results, weights)[0]
                native = native.play(action, chance=result)
                slow.play(action, result)
            else:
                native = native.play(action)
                slow.play(action)


def test_the_native_game_equals_the_reference(game):
    compare(game, games=int(os.environ.get("LUDUS_REFERENCE_GAMES", "60")), seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_the_native_game_equals_the_reference_in_thousands_of_games(game, part):
    compare(game, games=400, seed=100 + part)
