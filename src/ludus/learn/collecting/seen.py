"""States that self-play saw, told apart by their texts: what is new of each step, and its samples.

Rows wait here until they are written, which a run does with each checkpoint. How many there can be
is bounded: what comes when it is full is counted, and not recorded.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.learn.store.forms import MANY, Array, Whole, check_lengths, form_like

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

SAMPLES = 16  # that are kept for each state that may be, on average
STATE_BYTES = 24  # of a state that is known, in memory
RECORDED = ("plies", "lengths", "letters")  # of what a pool gives, where positions are recorded
EMPTY: dict[str, Any] = {
    "letters": np.zeros(0, np.uint8),
    "lengths": np.zeros(0, np.uint16),
    "states": np.zeros(0, np.uint32),
    "plies": np.zeros(0, np.uint32),
    "outcomes": np.zeros(0, np.int8),
    "targets": np.zeros(0, np.float32),
    "steps": np.zeros((0, 3), np.uint64),
}


class StateRecorder:
    """Which states were seen so far, and the rows that are not written yet."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.digests = np.zeros(0, np.uint64)  # of the texts, in the order of the states
        self.samples = self.missed = 0
        self.written = {"to": 0, "states": 0, "samples": 0}
        self.rows: dict[str, list[NDArray[Any]]] = {name: [one] for name, one in EMPTY.items()}
        self._sort()

    def _sort(self) -> None:
        self._order = np.argsort(self.digests, kind="stable")
        self._sorted = self.digests[self._order]

    def __len__(self) -> int:
        return len(self.digests)

    def add(self, played: Arrays, step: int, q_ratio: float) -> None:
        """The positions of ended games that are learned from."""
        ends = np.cumsum(played["lengths"], dtype=np.int64)
        rows = np.flatnonzero(played["full"])
        letters = played["letters"].tobytes()
        texts = [letters[ends[row] - played["lengths"][row] : ends[row]] for row in rows]
        which = self._states_of(texts)
        there = np.flatnonzero(which >= 0)[: max(0, SAMPLES * self.limit - self.samples)]
        self.missed += len(rows) - len(there)
        self.samples += len(there)
        kept = rows[there]
        outcomes = played["outcomes"][kept]
        targets = q_ratio * played["values"][kept] + (1 - q_ratio) * outcomes
        for name, array in (
            ("states", which[there].astype(np.uint32)),
            ("plies", played["plies"][kept]),
            ("outcomes", outcomes.astype(np.int8)),
            ("targets", targets.astype(np.float32)),
            ("steps", np.array([[step, len(self), self.samples]], np.uint64)),
        ):
            self.rows[name].append(array)

    def _states_of(self, texts: list[bytes]) -> NDArray[np.int64]:
        """The number of each; those that are new get one while there is room, else -1."""
        digests = np.array(
            [int.from_bytes(blake2b(text, digest_size=8).digest(), "little") for text in texts],
            np.uint64,
        )
        each, first, back = np.unique(digests, return_index=True, return_inverse=True)
        found = np.full(len(each), -1, np.int64)
        if len(self):
            at = np.minimum(np.searchsorted(self._sorted, each), len(self) - 1)
            known = self._sorted[at] == each
            found[known] = self._order[at[known]]
        fresh = np.flatnonzero(found < 0)
        fresh = fresh[np.argsort(first[fresh])][: self.limit - len(self)]
        found[fresh] = len(self) + np.arange(len(fresh))
        new = [texts[one] for one in first[fresh]]
        self.rows["letters"].append(np.frombuffer(b"".join(new), np.uint8))
        self.rows["lengths"].append(np.array([len(text) for text in new], np.uint16))
        self.digests = np.concatenate([self.digests, each[fresh]])
        self._sort_in(each[fresh], found[fresh])
        return found[back]

    def _sort_in(self, digests: NDArray[np.uint64], states: NDArray[np.int64]) -> None:
        order = np.argsort(digests, kind="stable")
        at = np.searchsorted(self._sorted, digests[order])
        self._sorted = np.insert(self._sorted, at, digests[order])
        self._order = np.insert(self._order, at, states[order])

    def waiting(self, step: int) -> tuple[dict[str, int], Arrays]:
        """What is to be written after this step: where it belongs, and its rows."""
        about = {
            "from": self.written["to"],
            "to": step,
            "states": self.written["states"],
            "samples": self.written["samples"],
            "missed": self.missed,
            "limit": self.limit,
        }
        return about, self._joined()

    def was_written(self, step: int) -> None:
        """Forget the rows that are on disk now."""
        self.written = {"to": step, "states": len(self), "samples": self.samples}
        self.rows = {name: [one] for name, one in EMPTY.items()}

    def _joined(self) -> Arrays:
        return {name: np.concatenate(parts) for name, parts in self.rows.items()}

    def state(self) -> dict[str, Any]:
        counts = {"samples": self.samples, "missed": self.missed}
        return {"digests": self.digests, **counts, "written": self.written, "rows": self._joined()}

    def form(self) -> dict[str, Any]:
        rows = {name: form_like(one) for name, one in EMPTY.items()}
        return {
            "digests": Array("uint64", (None,)),
            "samples": Whole(),
            "missed": Whole(),
            "written": {name: Whole() for name in ("to", "states", "samples")},
            "rows": {
                **rows,
                "outcomes": form_like(EMPTY["outcomes"], -1, 1),
                "steps": Array("uint64", (None, 3), 0, MANY),
            },
        }

    def restore(self, state: dict[str, Any]) -> None:
        rows = state["rows"]
        waiting = {name: len(rows[name]) for name in ("lengths", "states", "steps", "letters")}
        check_lengths("seen", letters=waiting["letters"], lengths=int(rows["lengths"].sum()))
        check_lengths(
            "seen", **{name: len(rows[name]) for name in ("states", "plies", "outcomes", "targets")}
        )
        fits = (
            state["written"]["states"] + waiting["lengths"] == len(state["digests"]) <= self.limit
            and state["written"]["samples"] + waiting["states"] == state["samples"]
            and (rows["states"] < len(state["digests"])).all()
        )
        if not fits:
            raise ValueError("seen does not fit together: it has other states than it says")
        self.digests, self.written = state["digests"], dict(state["written"])
        self.samples, self.missed = state["samples"], state["missed"]
        self.rows = {name: [rows[name]] for name in EMPTY}
        self._sort()
