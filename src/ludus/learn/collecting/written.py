"""A batch of a game written in Python: slow by nature, with the face of a native one."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.game import Game, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array = Any


class Row:
    """A generator whose whole state is one number, as a row of a native batch has it."""

    def __init__(self, number: int) -> None:
        self.number = number

    def random(self) -> float:
        drawn = random.Random(self.number)
        self.number = drawn.getrandbits(64)
        return drawn.random()


class WrittenBatch:
    """Many games in step, each row anew when it ends."""

    def __init__(
        self, game: Game, games: int, *, seed: int = 0, planes: str = "full", shaping: str = ""
    ) -> None:
        if shaping:
            raise ValueError(f"no shaping {shaping!r} in this game")
        self.game, self.planes = game, planes
        words = np.random.SeedSequence(seed).generate_state(games, np.uint64)
        self.rows = [Row(int(word)) for word in words]
        self.states: list[State] = [game.start(row) for row in self.rows]

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.states[0].shape(self.planes)

    @property
    def num_actions(self) -> int:
        return self.game.num_actions

    def look(self, features: Array, masks: Array, players: Array) -> None:
        for row, state in enumerate(self.states):
            features[row] = state.features(self.planes)
            masks[row] = state.mask()
            players[row] = state.player

    def step(
        self,
        actions: NDArray[np.int32],
        features: Array,
        masks: Array,
        players: Array,
        outcomes: Array,
        signals: Array,
    ) -> int:
        signals[:] = 0
        for row, state in enumerate(self.states):
            after = state.play(state.seen(int(actions[row])), self.rows[row])
            outcomes[row] = np.nan
            if after.outcome is not None:
                same = after.player == state.player
                outcomes[row] = after.outcome if same else -after.outcome
                after = self.game.start(self.rows[row])
            self.states[row] = after
        self.look(features, masks, players)
        return int((~np.isnan(outcomes)).sum())

    def state(self, row: int) -> State:
        return self.states[row]

    def put(self, row: int, state: State) -> None:
        self.states[row] = state

    def restart(self, rows: NDArray[np.bool_]) -> None:
        for row in np.flatnonzero(rows):
            self.states[row] = self.game.start(self.rows[row])

    def randoms(self, out: NDArray[np.uint64]) -> None:
        out[:] = [row.number for row in self.rows]

    def put_randoms(self, numbers: NDArray[np.uint64]) -> None:
        for row, number in zip(self.rows, numbers, strict=True):
            row.number = int(number)
