"""A replay memory: the last plies of many games, a ring of slabs in time, sampled in one go.

A ply's successors are the next slabs of its row, so nothing is stored twice, and returns over any
number of plies are made when a ply is drawn. Features are kept as half floats, in which those of
all games here are exact; masks as bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.learn.collecting.sumtree import SumTree
from ludus.learn.collecting.vector_games import VectorGames
from ludus.learn.settings.config import GREATEST
from ludus.learn.store.forms import Array, Number, Whole, check_lengths, form_like

if TYPE_CHECKING:
    from numpy.typing import NDArray

# By the names under which they are stored.
SLABS = {name: name for name in ("features", "masks", "actions", "players", "useful")}
SLABS |= {"paid": "rewards", "ended": "dones", "spread": "returns"}


@dataclass(frozen=True)
class ReplaySamples:
    """Plies to learn from, and what came after each."""

    slots: NDArray[np.int64]
    features: NDArray[np.float32]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    players: NDArray[np.int8]  # [rows, ahead + 1]
    rewards: NDArray[np.float32]  # [rows, ahead, 2]
    dones: NDArray[np.bool_]  # [rows, ahead]
    returns: NDArray[np.float32]  # what its game's end paid, discounted
    finished: NDArray[np.bool_]  # whether its game has ended
    weights: NDArray[np.float32]  # that make up for being drawn more often than others


class ReplayBuffer:
    """The memory of one table."""

    def __init__(self, table: VectorGames, capacity: int, ahead: int, alpha: float) -> None:
        rows = len(table)
        self.rows, self.length, self.ahead, self.alpha = rows, capacity // rows, ahead, alpha
        if self.length <= 2 * ahead + 1:
            raise ValueError(
                f"a replay memory of {capacity} is too small for {rows} games: "
                f"it takes {rows * (2 * ahead + 2)} at least"
            )
        self.num_actions = table.num_actions
        slab = (self.length, rows)
        self.features = np.zeros((*slab, *table.shape), np.float16)
        self.masks = np.zeros((*slab, -(-self.num_actions // 8)), np.uint8)
        self.actions = np.zeros(slab, np.int32)
        self.players = np.zeros(slab, np.int8)
        self.rewards = np.zeros((*slab, 2), np.float32)
        self.dones = np.zeros(slab, np.bool_)
        self.useful = np.zeros(slab, np.bool_)  # may be learned from, once its successors are known
        self.returns = np.zeros(slab, np.float32)
        self.begun = np.zeros(rows, np.int64)  # when each row's game began
        self.time = 0  # slabs written so far
        self.top = 1.0  # the greatest priority so far
        self.tree = SumTree(self.length * rows)

    def add(
        self,
        seen: tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int8]],
        actions: NDArray[np.int32],
        rewards: NDArray[np.float32],
        dones: NDArray[np.bool_],
        useful: NDArray[np.bool_],
    ) -> None:
        """A slab: what was seen before the actions, and what they brought."""
        at = self.time % self.length
        self.features[at], self.players[at] = seen[0], seen[2]
        self.masks[at] = np.packbits(seen[1], axis=1)
        self.actions[at], self.rewards[at], self.dones[at] = actions, rewards, dones
        self.useful[at] = useful
        self.returns[at] = 0
        self.set_priority(self.time, 0.0)
        self.time += 1
        if self.time > self.ahead:
            self.set_priority(self.time - 1 - self.ahead, self.top)

    def close(self, dones: NDArray[np.bool_]) -> None:
        """What comes next in these rows is of another game."""
        self.begun[dones] = self.time

    def set_priority(self, time: int, priority: float) -> None:
        """Give the useful plies of a slab this priority."""
        at = time % self.length
        slots = at * self.rows + np.arange(self.rows)
        self.tree.put(slots, np.where(self.useful[at], priority, 0.0))

    def game_plies(self, rows: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Times and rows of all plies, still kept, of these rows' games, oldest first."""
        chosen = np.flatnonzero(rows)
        begun = np.maximum(self.begun[chosen], self.time - self.length)
        lengths = self.time - begun
        which = np.repeat(np.arange(len(chosen)), lengths)
        offset = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return begun[which] + offset, chosen[which]

    def forget(self, rows: NDArray[np.bool_]) -> None:
        """Of the games in these rows nothing but the last ply shall be learned from."""
        times, of = self.game_plies(rows)
        earlier = times < self.time - 1
        times, of = times[earlier], of[earlier]
        self.useful[times % self.length, of] = False
        self.tree.put((times % self.length) * self.rows + of, 0.0)

    def store_returns(self, dones: NDArray[np.bool_], gamma: float) -> None:
        """Give each ply of these games its Monte-Carlo return: all that its actor is paid later.

        G(t) = r(t) + gamma * G(t + 1) for either player, over the plies that are still kept.
        """
        rows = np.flatnonzero(dones)
        begun = np.maximum(self.begun[rows], self.time - self.length)
        total = np.zeros((len(rows), 2), np.float32)  # by player
        every = np.arange(len(rows))
        for time in range(self.time - 1, int(begun.min()) - 1, -1):
            at = time % self.length
            mover = self.players[at, rows].astype(np.int64)
            rewards = self.rewards[at, rows]
            total *= np.float32(gamma)
            total[every, mover] += rewards[:, 0]
            total[every, 1 - mover] += rewards[:, 1]
            kept = time >= begun
            self.returns[at, rows[kept]] = total[every, mover][kept]

    @property
    def ready(self) -> int:
        """How many plies can be drawn."""
        complete = max(0, min(self.time, self.length) - self.ahead)
        return complete * self.rows

    def sample(self, count: int, rng: np.random.Generator, beta: float) -> ReplaySamples | None:
        """So many plies; None while there are none."""
        if self.alpha > 0:
            if self.tree.total <= 0:
                return None
            slots = self.tree.draw(count, rng)
        else:
            open_ = self.tree.weights(np.arange(self.length * self.rows)) > 0
            usable = np.flatnonzero(open_)
            if not len(usable):
                return None
            slots = usable[rng.integers(len(usable), size=count)]
        weights = np.ones(count, np.float32)
        if self.alpha > 0:
            chances = self.tree.weights(slots) / self.tree.total
            rare = (self.ready * chances) ** -beta
            weights = (rare / rare.max()).astype(np.float32)
        at, row = np.divmod(slots, self.rows)
        steps = (at[:, None] + np.arange(self.ahead + 1)) % self.length
        along = row[:, None]
        return ReplaySamples(
            slots,
            self.features[at, row].astype(np.float32),
            self.mask(at, row),
            self.actions[at, row].astype(np.int64),
            self.players[steps, along],
            self.rewards[steps[:, :-1], along],
            self.dones[steps[:, :-1], along],
            self.returns[at, row],
            self.time - 1 - (self.time - 1 - at) % self.length < self.begun[row],
            weights,
        )

    def successors(
        self, slots: NDArray[np.int64], plies: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """What was seen so many plies after each slot."""
        at, row = np.divmod(slots, self.rows)
        at = (at + plies) % self.length
        return self.features[at, row].astype(np.float32), self.mask(at, row)

    def mask(self, at: NDArray[np.int64], row: NDArray[np.int64]) -> NDArray[np.bool_]:
        bits = np.unpackbits(self.masks[at, row], axis=1, count=self.num_actions)
        return bits.astype(np.bool_)

    def update_priorities(self, slots: NDArray[np.int64], errors: NDArray[np.float32]) -> None:
        """Weigh plies by how wrong they were judged."""
        if self.alpha > 0:
            weights = (np.abs(errors.astype(np.float64)) + 1e-3) ** self.alpha
            self.top = max(self.top, float(weights.max()))
            self.tree.put(slots, weights)

    def state(self) -> dict[str, Any]:
        kept = min(self.time, self.length)
        return {
            **{name: getattr(self, own)[:kept] for name, own in SLABS.items()},
            "begun": self.begun,
            "time": self.time,
            "top": self.top,
            "tree": self.tree.state(),
        }

    def form(self) -> dict[str, Any]:
        most = {"actions": self.num_actions - 1, "players": 1}
        bounds = {name: (0, most[name]) for name in most}
        return {
            **{
                name: form_like(getattr(self, own), *bounds.get(name, ()))
                for name, own in SLABS.items()
            },
            "begun": Array("int64", (self.rows,), least=0),
            "time": Whole(),
            "top": Number(0, GREATEST),
            "tree": self.tree.form(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        kept = min(state["time"], self.length)
        check_lengths("replay", kept=kept, **{name: len(state[name]) for name in SLABS})
        if (state["begun"] > state["time"]).any():
            raise ValueError("replay/begun is after replay/time")
        self.time, self.top = state["time"], state["top"]
        self.begun = state["begun"].copy()
        for name, own in SLABS.items():
            array = getattr(self, own)
            array[: len(state[name])] = state[name]
        self.tree.restore(state["tree"])
