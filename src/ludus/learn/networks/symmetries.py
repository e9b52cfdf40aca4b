"""The symmetries of a game, as permutations of what a network sees and of what it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.arena.seeds import generator
from ludus.game import Game, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.learn.networks.plan import Shape
    from ludus.learn.networks.player import Evaluator, Floats

PATIENCE = 64  # games in which both players have surely been to move


class Symmetries:
    """For each player and symmetry: where cells come from, and where actions go."""

    def __init__(self, game: Game, planes: str) -> None:
        movers = midgame_states(game)
        self.shape: Shape = movers[0].shape(planes)
        self.count = movers[0].num_symmetries
        cells, actions = self.shape[1] * self.shape[2], movers[0].num_actions
        self.sources = np.tile(np.arange(cells), (2, self.count, 1))
        self.images = np.tile(np.arange(actions), (2, self.count, 1))
        self.frames = np.tile(np.arange(actions), (2, 1))  # actions as each player sees them
        for player, state in movers.items():
            frame = self.frames[player] = np.array([state.seen(a) for a in range(actions)])
            for symmetry in range(1, self.count):
                to = [state.transformed_cell(symmetry, cell) for cell in range(cells)]
                self.sources[player, symmetry, to] = np.arange(cells)
                moved = [state.transformed_action(symmetry, a) for a in range(actions)]
                self.images[player, symmetry, frame] = frame[moved]
            self.check(state, player, planes)

    def check(self, state: State, player: int, planes: str) -> None:
        """A symmetry that is none would teach nonsense without a word."""
        one = np.array([player])
        features = state.features(planes)[None]
        for symmetry in range(self.count):
            image = self.transform(features, one, np.array([symmetry]))[0]
            if not np.array_equal(image, state.transformed(symmetry).features(planes)):
                self.count = 1
                return

    def transform(
        self, features: NDArray[Any], players: NDArray[Any], which: NDArray[Any]
    ) -> NDArray[Any]:
        """The features of the images of positions."""
        flat = features.reshape(len(features), self.shape[0], -1)
        sources = self.sources[players, which][:, None, :]
        return np.take_along_axis(flat, sources, 2).reshape(features.shape)


def midgame_states(game: Game) -> dict[int, State]:
    """A position in the middle of a game for each player to move."""
    rng = generator(0, 0)
    found: dict[int, State] = {}
    for _ in range(PATIENCE):
        state = game.start(rng)
        for ply in range(12):
            if state.outcome is not None:
                break
            if ply >= 3 or state.player not in found:
                found[state.player] = state
            legal = state.legal()
            state = state.play(legal[rng.integers(len(legal))], rng)
        if len(found) == 2:
            break
    return found


def over_images(evaluate: Evaluator, symmetries: Symmetries) -> Evaluator:
    """What the network says of a position and of all its images, turned back and averaged."""
    if not (np.array_equal(*symmetries.sources) and np.array_equal(*symmetries.images)):
        raise ValueError("the symmetries of this game are other ones for either player")
    images = symmetries.images[0]

    def average(features: Floats) -> tuple[Floats, Floats | None]:
        rows, count = len(features), symmetries.count
        players, which = np.zeros(rows, np.int64), np.repeat(np.arange(count), rows)
        seen = symmetries.transform(
            np.tile(features, (count, 1, 1, 1)), np.tile(players, count), which
        )
        actions, values = evaluate(np.ascontiguousarray(seen, np.float32))
        turned = [
            part[:, images[symmetry]] for symmetry, part in enumerate(np.split(actions, count))
        ]
        mean = None if values is None else values.reshape(count, rows).mean(0)
        return np.mean(turned, 0), mean

    return average
