"""Many games in step, seen from the player to move, that can be stored and taken up again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.game import Game
from ludus.learn.collecting.written import WrittenBatch
from ludus.learn.store.forms import Array, Perhaps, Whole
from ludus.learn.store.games import pack_states, states_form, unpack_states
from ludus.play import batch, is_native

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Observation = tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int8]]


class VectorGames:
    """A row is a game; what is to be seen stands in arrays of which there are two sets.

    A step writes into the other set, so what was seen before it stays until the step after. Who
    keeps what was seen lends room for it before each step, and nothing has to be copied.
    """

    def __init__(
        self,
        game: Game,
        rows: int,
        seed: int,
        *,
        planes: str = "full",
        shaping: str = "",
        scale: float = 1.0,
    ) -> None:
        self.game, self.shaping, self.scale = game, shaping, np.float32(scale)
        self.native = is_native(game)
        make = batch if self.native else WrittenBatch
        self.batch: Any = make(game, rows, seed=seed, planes=planes, shaping=shaping)
        self.features, self.masks, self.players = self.seen = self.empty(rows)
        self.unseen = self.empty(rows)
        self.own = self.seen, self.unseen
        self.outcomes = np.zeros(rows, np.float32)
        self.signals = np.zeros((rows, 2), np.float32)
        self.plies = np.zeros(rows, np.int32)  # of the games that go on
        self.games = 0  # that are over
        self.all_plies = 0  # of those
        self.every = np.arange(rows)
        # What player 0 and 1 were paid in the games that go on, and in those that just ended.
        self.earned = np.zeros((rows, 2))
        self.total = np.zeros((rows, 2))
        self.look()

    def empty(self, *rows: int) -> Observation:
        return (
            np.zeros((*rows, *self.batch.shape), np.float32),
            np.zeros((*rows, self.batch.num_actions), np.bool_),
            np.zeros(rows, np.int8),
        )

    def lend(self, room: Observation) -> None:
        """The next step writes here."""
        self.unseen = room

    def settle(self) -> None:
        """What is to be seen stands in the table's own arrays again; lent room is let go."""
        features, masks, players = self.own[0]
        features[:], masks[:], players[:] = self.seen
        self.seen, self.unseen = self.own
        self.features, self.masks, self.players = self.seen

    def __len__(self) -> int:
        return len(self.players)

    @property
    def num_actions(self) -> int:
        return int(self.masks.shape[1])

    @property
    def shape(self) -> tuple[int, int, int]:
        planes, rows, columns = self.features.shape[1:]
        return planes, rows, columns

    def look(self) -> None:
        """Write what is to be seen."""
        self.batch.look(self.features, self.masks, self.players)

    def begin(self) -> None:
        """Give all games up, and begin anew."""
        self.batch.restart(np.ones(len(self), np.bool_))
        self.plies[:] = 0
        self.earned[:] = 0
        self.look()

    def step(
        self,
        actions: NDArray[np.int32],
        forbidden: NDArray[np.bool_] | None = None,
        penalty: float = 0.0,
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Play an action a row: what each pays its actor and the other, and which games ended.

        The outcome pays, or in its place the game's shaping, whose signals tell the end too. Games
        of `forbidden` rows are given up, whatever the action, and pay the actor a penalty.
        """
        movers = self.players
        self.seen, self.unseen = self.unseen, self.seen
        self.features, self.masks, self.players = self.seen
        self.batch.step(actions, *self.seen, self.outcomes, self.signals)
        ended = np.isfinite(self.outcomes)
        if self.shaping:
            paid = self.signals * self.scale
        else:
            paid = np.zeros((len(self), 2), np.float32)
            if len(over := np.flatnonzero(ended)):
                paid[over, 0] = self.outcomes[over] * self.scale
                paid[over, 1] = -paid[over, 0]
        if forbidden is not None and forbidden.any():
            self.batch.restart(forbidden & ~ended)
            self.look()
            paid[forbidden] = penalty, 0
            ended = ended | forbidden
        self.plies += 1
        over = np.flatnonzero(ended)
        self.games += len(over)
        self.all_plies += int(self.plies[over].sum())
        self.plies[over] = 0
        rows = self.every if self.shaping else over  # the outcome is paid where games end
        if len(rows):
            self.earned[rows, movers[rows]] += paid[rows, 0]
            self.earned[rows, 1 - movers[rows]] += paid[rows, 1]
        if len(over):
            self.total[over], self.earned[over] = self.earned[over], 0
        return paid, ended

    def state(self) -> dict[str, Any]:
        """Every game that goes on, with its history and its generator."""
        randoms = np.zeros(len(self), np.uint64)
        self.batch.randoms(randoms)
        return {
            **pack_states([self.batch.state(row) for row in range(len(self))]),
            "randoms": randoms,
            "plies": self.plies,
            "earned": self.earned,
            "games": self.games,
            "all_plies": self.all_plies,
        }

    def form(self) -> dict[str, Any]:
        return {
            **states_form(len(self)),
            "randoms": Array("uint64", (len(self),)),
            "plies": Array("int32", (len(self),), least=0),
            "earned": Perhaps(Array("float64", (len(self), 2))),  # the first had none
            "games": Whole(),
            "all_plies": Whole(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        for row, one in enumerate(unpack_states(self.game, state, "table")):
            self.batch.put(row, one)
        self.batch.put_randoms(state["randoms"].copy())
        self.plies = state["plies"].copy()
        self.earned = state.get("earned", np.zeros_like(self.earned)).copy()
        self.games, self.all_plies = state["games"], state["all_plies"]
        self.look()
