"""The window: the last positions of self-play, a ring, drawn from at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.learn.networks.symmetries import Symmetries
from ludus.learn.settings.footprint import Sizes
from ludus.learn.store.forms import Array, Whole, check_lengths, form_like

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

LEGAL = 8  # actions that have a place at first
COLUMNS = ("features", "players", "counts", "actions", "weights", "values", "outcomes")


@dataclass(frozen=True)
class Batch:
    """Positions to learn from: what is seen, what the search made of it, how it ended."""

    features: NDArray[np.float32]
    masks: NDArray[np.bool_]
    policies: NDArray[np.float32]
    values: NDArray[np.float32]


def window_bytes(sizes: Sizes) -> int:
    """Of one position: features in half floats, and a weight for each legal action."""
    return 2 * sizes.features + 6 * max(LEGAL, sizes.legal) + 17


def check_window(positions: int, window: int) -> None:
    """Refuse a window that forgets what a step has played."""
    if positions > window:
        raise ValueError(
            f"a window of {window} forgets most of the {positions} positions that a step plays: "
            "make positions_per_step less, or the window larger"
        )


class Window:
    """Keeps so many positions; policies are kept over legal actions only."""

    def __init__(self, symmetries: Symmetries, num_actions: int, capacity: int) -> None:
        self.symmetries, self.num_actions, self.capacity = symmetries, num_actions, capacity
        self.features = np.zeros((capacity, *symmetries.shape), np.float16)
        self.players = np.zeros(capacity, np.int8)
        self.counts = np.zeros(capacity, np.int32)
        self.actions = np.zeros((capacity, LEGAL), np.uint16)
        self.weights = np.zeros((capacity, LEGAL), np.float32)
        self.values = np.zeros(capacity, np.float32)
        self.outcomes = np.zeros(capacity, np.float32)
        self.written = 0  # positions so far

    def __len__(self) -> int:
        return min(self.written, self.capacity)

    def widen(self, most: int) -> None:
        """Room for positions with more legal actions than any before."""
        more = most - self.actions.shape[1]
        if more > 0:
            self.actions = np.pad(self.actions, ((0, 0), (0, more)))
            self.weights = np.pad(self.weights, ((0, 0), (0, more)))

    def add(self, played: Arrays, rng: np.random.Generator, replace: float) -> int:
        """Take in positions whose search was full; once full, each comes to one that is there.

        With `replace` below 1 a new position takes that place with this probability, else the old
        one stays for another round, as one thesis does it. Tells how many are new there.
        """
        rows = np.flatnonzero(played["full"])
        number = self.written + np.arange(len(rows))
        self.written += len(rows)
        if replace < 1:
            taken = (rng.random(len(rows)) < replace) | (number < self.capacity)
            rows, number = rows[taken], number[taken]
        at, first = np.unique(number[::-1] % self.capacity, return_index=True)
        self.put(at, rows[::-1][first], played)  # of several for a place the last one has it
        return len(at)

    def put(self, at: NDArray[np.int64], rows: NDArray[np.int64], played: Arrays) -> None:
        """These rows of what was played, into these places."""
        counts = played["counts"][rows].astype(np.int32)
        self.widen(int(counts.max(initial=0)))
        self.features[at] = played["features"][rows].reshape(-1, *self.symmetries.shape)
        self.players[at], self.counts[at] = played["players"][rows], counts
        self.values[at], self.outcomes[at] = played["values"][rows], played["outcomes"][rows]
        first = np.cumsum(played["counts"], dtype=np.int64)[rows] - counts
        place = np.arange(self.actions.shape[1])
        there = place < counts[:, None]
        source = np.where(there, first[:, None] + place, 0)
        self.actions[at] = np.where(there, played["actions"][source], 0)
        self.weights[at] = np.where(there, played["weights"][source], 0)

    def clear(self) -> None:
        """Forget everything: each iteration learns from its own games only."""
        self.written = 0

    def draw(
        self,
        count: int,
        rng: np.random.Generator,
        mix: float,
        last: int = 0,
        *,
        turned: bool = True,
    ) -> Batch:
        """So many positions, of the last ones or of all, each turned by one of its symmetries.

        Their values are `mix` of what the search thought, the rest of how the game ended.
        """
        among = min(len(self), last) if last else len(self)
        rows = (self.written - 1 - rng.integers(among, size=count)) % self.capacity
        which = rng.integers(self.symmetries.count if turned else 1, size=count)
        players = self.players[rows].astype(np.int64)
        features = self.features[rows].astype(np.float32)
        if self.symmetries.count > 1:
            features = self.symmetries.transform(features, players, which)
        there = np.arange(self.actions.shape[1]) < self.counts[rows][:, None]
        row, place = np.nonzero(there)
        action = self.symmetries.images[
            players[row], which[row], self.actions[rows[row], place].astype(np.int64)
        ]
        masks = np.zeros((count, self.num_actions), np.bool_)
        policies = np.zeros((count, self.num_actions), np.float32)
        masks[row, action] = True
        policies[row, action] = self.weights[rows[row], place]
        values = mix * self.values[rows] + (1 - mix) * self.outcomes[rows]
        return Batch(features, masks, policies, values.astype(np.float32))

    def state(self) -> dict[str, Any]:
        kept = len(self)
        return {**{name: getattr(self, name)[:kept] for name in COLUMNS}, "written": self.written}

    def form(self) -> dict[str, Any]:
        return {
            **{name: form_like(getattr(self, name)) for name in COLUMNS},
            "players": form_like(self.players, 0, 1),
            "counts": form_like(self.counts, 0, self.num_actions),
            "actions": Array("uint16", (None, None), 0, self.num_actions - 1),
            "weights": Array("float32", (None, None), 0),
            "written": Whole(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        kept = min(state["written"], self.capacity)
        check_lengths("window", kept=kept, **{name: len(state[name]) for name in COLUMNS})
        wide, least = state["actions"].shape[1], self.actions.shape[1]
        check_lengths("window", actions=wide, weights=state["weights"].shape[1])
        if not least <= wide <= max(least, self.num_actions):
            raise ValueError(f"window/actions is {wide} wide")
        if (state["counts"] > wide).any():
            raise ValueError("window/counts is more than there are in window/actions")
        self.widen(state["actions"].shape[1])
        for name in COLUMNS:
            getattr(self, name)[: len(state[name])] = state[name]
        self.written = state["written"]
