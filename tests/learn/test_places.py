"""Where actions lie on the board: told by what playing them changes, and by symmetries."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

import ludus
from ludus.game import Game
from ludus.learn.networks import int8, onnx
from ludus.learn.networks.network import network
from ludus.learn.networks.places import places_of
from tests.conftest import playout

LYING = (
    "connect4",
    *("cathedral:size=8", "cathedral:rules=seed", "checkers", "kingcourtesan:size=5"),
    *("chinesecheckers:size=4,pieces=3", "supertictactoe", "tictactoe"),
)


@pytest.fixture(params=LYING)
def lying(request: pytest.FixtureRequest) -> Game:
    return ludus.game(request.param)


def random_states(game: Game, games: int) -> list:
    """States in which the game goes on."""
    rng = random.Random(7)
    found = [state for _ in range(games) for state in playout(game, rng)]
    return [state for state in found if state.outcome is None]


def cells_and_ways(game: Game) -> tuple[np.ndarray, np.ndarray]:
    _, rows, columns = game.start().shape()
    ways, cells = np.divmod(np.array(places_of(game)), rows * columns)
    return cells, ways


def test_every_action_has_a_place_of_its_own_among_legal_ones(lying: Game) -> None:
    places = np.array(places_of(lying))
    assert len(places) == lying.num_actions
    doubled = lying.name == "cathedral" and lying.parameters["rules"] == "seed"
    for state in random_states(lying, 3):
        legal = places[[state.seen(action) for action in state.legal()]]
        assert doubled or len(set(legal)) == len(legal)  # equal buildings share their places there


def test_playing_changes_the_place_of_the_action(lying: Game) -> None:
    cells, _ = cells_and_ways(lying)
    drops = lying.name == "connect4"  # at its lowest cell an action plays only at first
    for state in [lying.start()] if drops else random_states(lying, 3):
        before = state.features().reshape(state.shape()[0], -1)
        for action in state.legal()[:6]:
            cell = cells[state.seen(action)]
            after = state.play(action, chance=action if state.chancy else None)
            same = after.player == state.player
            now = after.features(player=state.player) if not same else after.features()
            changed = (before != now.reshape(before.shape)).any(0)
            if lying.name == "cathedral":  # the middle of the bounding box may be beside it
                row, column = np.divmod(np.flatnonzero(changed), lying.start().shape()[2])
                at = divmod(int(cell), lying.start().shape()[2])
                assert (np.maximum(abs(row - at[0]), abs(column - at[1])) <= 1).any()
            else:
                assert changed[cell]


def test_symmetries_move_places_as_they_move_cells(lying: Game) -> None:
    cells, ways = cells_and_ways(lying)
    start, columns = lying.start(), lying.start().shape()[2]
    for symmetry in range(start.num_symmetries):
        met: dict[int, int] = {}
        for state in random_states(lying, 2):
            for action in state.legal():
                turned = state.transformed(symmetry)
                own = state.seen(action)
                image = turned.seen(state.transformed_action(symmetry, action))
                wanted = divmod(state.transformed_cell(symmetry, int(cells[own])), columns)
                found = divmod(int(cells[image]), columns)
                slack = int(lying.name == "cathedral")
                assert max(abs(a - b) for a, b in zip(wanted, found, strict=True)) <= slack
                assert met.setdefault(int(ways[own]), int(ways[image])) == ways[image]


def test_a_convolutional_policy_is_the_same_in_torch_onnx_and_nearly_in_int8(lying: Game) -> None:
    start = lying.start()
    of = network(
        "zero-conv",
        start.shape(),
        start.num_actions,
        seed=1,
        width=8,
        blocks=1,
        places=places_of(lying),
    ).eval()
    x = torch.from_numpy(np.stack([state.features() for state in random_states(lying, 1)]))
    logits, values = of(x)
    assert logits.shape == (len(x), lying.num_actions)
    played, judged = onnx.in_onnx(onnx.graph_of(of))(x.numpy())
    assert np.allclose(played, logits.detach(), atol=1e-5)
    assert np.allclose(judged, values.detach(), atol=1e-5)
    assert int8.can_quantise(of)
    rough, _ = onnx.in_onnx(int8.graph_of(of, x))(x.numpy())
    assert np.abs(rough - played).max() < 0.1 * np.abs(played).max()


def test_a_game_that_does_not_tell_is_refused() -> None:
    own = ludus.game("examples/breakthrough.py")
    shape, actions = own.start().shape(), own.num_actions
    with pytest.raises(ValueError, match="tells where its actions lie"):
        network("zero-conv", shape, actions, seed=0, places=places_of(own))
