"""The window: the last positions of self-play, a ring, drawn from at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.learn.networks.symmetries import Symmetries
from ludus.learn.settings.footprint import Sizes
from ludus.learn.store.forms import Array, Perhaps, Whole, check_lengths, form_like

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

LEGAL = 8  # actions that have a place at first
COLUMNS = ("features", "players", "counts", "actions", "weights", "values", "outcomes")
YOUNGER = ("surprises", "replies")  # columns that older runs do not have


@dataclass(frozen=True)
class Batch:
    """Positions to learn from: what is seen, what the search made of it, how it ended."""

    features: NDArray[np.float32]
    masks: NDArray[np.bool_]
    policies: NDArray[np.float32]
    values: NDArray[np.float32]
    replies: NDArray[np.float32] | None = None  # policies of the opponent; nothing where unknown


def window_bytes(sizes: Sizes) -> int:
    """Of one position: features in half floats, and a weight for each legal action."""
    return 2 * sizes.features + 6 * max(LEGAL, sizes.legal) + 25


def reply_distances(played: Arrays) -> NDArray[np.int32]:
    """For each full ply how many full ones later the opponent replies; 0 where that is unknown.

    A reply is the first ply of the opponent's next turn. It is unknown after the last turn of a
    game, and where the reply's own search was not a full one.
    """
    players, full = played["players"], played["full"].astype(np.bool_)
    plies = len(players)
    game = np.repeat(np.arange(len(played["games"])), played["games"].astype(np.int64))
    check_lengths("played", plies=plies, games=len(game))
    turns = np.ones(plies, np.bool_)
    turns[1:] = (players[1:] != players[:-1]) | (game[1:] != game[:-1])
    begins = np.append(np.flatnonzero(turns), plies)
    reply = begins[np.cumsum(turns)]  # where the next turn begins
    known = reply < plies
    known[known] = (game[reply[known]] == game[known]) & full[reply[known]]
    place = np.cumsum(full) - 1  # among full plies
    found = np.zeros(plies, np.int32)
    found[known] = place[reply[known]] - place[known]
    return found[full]


def ages(written: int, capacity: int) -> NDArray[np.int64]:
    """How many positions are later than the one in each place of a ring."""
    return (written - 1 - np.arange(capacity)) % capacity


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
        self.surprises = np.zeros(capacity, np.float32)
        self.replies = np.zeros(capacity, np.int32)  # how much later the opponent's is; 0: unknown
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
        if "games" in played:
            order = np.zeros(len(played["full"]), np.int64)
            order[np.flatnonzero(played["full"])] = reply_distances(played)
            known = order if replace == 1 else np.zeros_like(order)  # in one order with its reply
            self.replies[at] = known[rows[::-1][first]]
            self.surprises[at] = played["surprises"][rows[::-1][first]]
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

    def chances(self, last: int, share: float) -> NDArray[np.float64]:
        """Sums of how often each of the last positions is drawn, the latest first.

        This share of it goes by how much the search found out there (policy surprise weighting),
        the rest is the same for all.
        """
        among = min(len(self), last) if last else len(self)
        found = self.surprises[(self.written - 1 - np.arange(among)) % self.capacity]
        mean = found.mean(dtype=np.float64) if among else 0.0
        weights = (1 - share) + share * (found / mean if mean > 0 else np.ones(among))
        return np.cumsum(weights, dtype=np.float64)

    def draw(
        self,
        count: int,
        rng: np.random.Generator,
        mix: float,
        last: int = 0,
        *,
        turned: bool = True,
        chances: NDArray[np.float64] | None = None,
        replies: bool = False,
    ) -> Batch:
        """So many positions, of the last ones or of all, each turned by one of its symmetries.

        Their values are `mix` of what the search thought, the rest of how the game ended. With
        `chances` they are drawn by these.
        """
        if chances is None:
            among = min(len(self), last) if last else len(self)
            ages = rng.integers(among, size=count)
        else:
            drawn = rng.random(count) * chances[-1]
            ages = np.minimum(np.searchsorted(chances, drawn, side="right"), len(chances) - 1)
        rows = (self.written - 1 - ages) % self.capacity
        which = rng.integers(self.symmetries.count if turned else 1, size=count)
        players = self.players[rows].astype(np.int64)
        features = self.features[rows].astype(np.float32)
        if self.symmetries.count > 1:
            features = self.symmetries.transform(features, players, which)
        masks, policies = self.policies(rows, players, which)
        values = mix * self.values[rows] + (1 - mix) * self.outcomes[rows]
        found = self.replies_to(rows, players, which) if replies else None
        return Batch(features, masks, policies, values.astype(np.float32), found)

    def policies(
        self, rows: NDArray[Any], players: NDArray[Any], which: NDArray[Any]
    ) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """Which actions are legal in these rows, and their policies, in a frame and symmetry."""
        there = np.arange(self.actions.shape[1]) < self.counts[rows][:, None]
        row, place = np.nonzero(there)
        own = self.players[rows].astype(np.int64)[row]
        action = self.actions[rows[row], place].astype(np.int64)
        frames, theirs = self.symmetries.frames, players[row]
        action = np.where(own == theirs, action, frames[theirs, frames[own, action]])
        action = self.symmetries.images[theirs, which[row], action]
        masks = np.zeros((len(rows), self.num_actions), np.bool_)
        policies = np.zeros((len(rows), self.num_actions), np.float32)
        masks[row, action] = True
        policies[row, action] = self.weights[rows[row], place]
        return masks, policies

    def replies_to(
        self, rows: NDArray[Any], players: NDArray[Any], which: NDArray[Any]
    ) -> NDArray[np.float32]:
        """The opponent's policies after these positions, as their movers see the actions."""
        distance = self.replies[rows]
        _, policies = self.policies((rows + distance) % self.capacity, players, which)
        policies[distance == 0] = 0
        return policies

    def state(self) -> dict[str, Any]:
        kept, names = len(self), (*COLUMNS, *YOUNGER)
        return {**{name: getattr(self, name)[:kept] for name in names}, "written": self.written}

    def form(self) -> dict[str, Any]:
        return {
            **{name: form_like(getattr(self, name)) for name in COLUMNS},
            "players": form_like(self.players, 0, 1),
            "counts": form_like(self.counts, 0, self.num_actions),
            "actions": Array("uint16", (None, None), 0, self.num_actions - 1),
            "weights": Array("float32", (None, None), 0),
            "surprises": Perhaps(form_like(self.surprises, 0)),
            "replies": Perhaps(form_like(self.replies, 0, self.capacity - 1)),
            "written": Whole(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        kept = min(state["written"], self.capacity)
        younger = {name: np.zeros(kept, getattr(self, name).dtype) for name in YOUNGER}
        state = {**younger, **state}
        names = (*COLUMNS, *YOUNGER)
        check_lengths("window", kept=kept, **{name: len(state[name]) for name in names})
        wide, least = state["actions"].shape[1], self.actions.shape[1]
        check_lengths("window", actions=wide, weights=state["weights"].shape[1])
        if not least <= wide <= max(least, self.num_actions):
            raise ValueError(f"window/actions is {wide} wide")
        if (state["counts"] > wide).any():
            raise ValueError("window/counts is more than there are in window/actions")
        self.widen(state["actions"].shape[1])
        if (state["replies"] > ages(state["written"], self.capacity)[:kept]).any():
            raise ValueError("window/replies are of positions that are not there")
        for name in names:
            getattr(self, name)[: len(state[name])] = state[name]
        self.written = state["written"]
