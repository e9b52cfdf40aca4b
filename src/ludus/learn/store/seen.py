"""The record of the states that self-play saw, in the run folder: a file for each checkpoint.

A file holds the rows of the steps since the one before it, so that nothing is written twice. What
lies beyond the checkpoint that a run goes on from is dropped, and made again by the same steps.

    letters, lengths   text of each new state, in the order in which they were first seen
    states, plies      of each sample that was learned from: which state, and how far the game was
    outcomes, targets  of each sample: how its game ended for the mover, and the value to be learned
    steps              of each step: its number, states and samples so far
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus import files
from ludus.truth import table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[Any]]

FOLDER, ENDING = "seen", ".rows"
KINDS = {
    "letters": "u1",
    "lengths": "u2",
    "states": "u4",
    "plies": "u4",
    "outcomes": "i1",
    "targets": "f4",
    "steps": "u8",
}


@dataclass(frozen=True)
class SeenRecord:
    """All that a run has recorded."""

    path: Path
    arrays: dict[str, NDArray[Any]]
    missed: int  # samples of states that came when the record was full
    limit: int

    @property
    def count(self) -> int:
        return len(self.arrays["lengths"])

    @property
    def last_step(self) -> int:
        steps = self.arrays["steps"]
        return int(steps[-1, 0]) if len(steps) else 0

    @property
    def first_steps(self) -> NDArray[np.int64]:
        """The step in which each state was seen first."""
        return self._steps_of(self.count, 1)

    @property
    def sample_steps(self) -> NDArray[np.int64]:
        """The step of each sample."""
        return self._steps_of(len(self.arrays["states"]), 2)

    def _steps_of(self, count: int, column: int) -> NDArray[np.int64]:
        import numpy as np

        steps = self.arrays["steps"].astype(np.int64)
        at = np.searchsorted(steps[:, column], np.arange(count), side="right")
        return np.asarray(steps[at, 0])

    def texts(self) -> Iterator[str]:
        """Of each state, one after the other."""
        letters, end = self.arrays["letters"].tobytes(), 0
        for length in self.arrays["lengths"].tolist():
            end += length
            try:
                yield letters[end - length : end].decode()
            except UnicodeDecodeError:
                raise ValueError(f"{self.path} is damaged: it holds what is no text") from None


def write(run: Path, about: Mapping[str, Any], arrays: Arrays) -> None:
    """Write the rows of the steps up to `about["to"]`."""
    import numpy as np  # late: the command line has to answer quickly

    folder = run / FOLDER
    files.refuse_link(folder)
    kinds = {name: np.ascontiguousarray(arrays[name], kind) for name, kind in KINDS.items()}
    table.write(folder / f"{about['to']:012}{ENDING}", {"what": FOLDER, **about}, kinds)


def written(run: Path) -> list[Path]:
    """The files, in the order of their steps."""
    folder = run / FOLDER
    if folder.is_symlink() or not folder.is_dir():
        return []
    named = rf"\d{{12,}}{re.escape(ENDING)}"
    return sorted(one for one in folder.iterdir() if re.fullmatch(named, one.name))


def cut(run: Path, step: int) -> None:
    """Drop the rows of the steps after this one, which come again."""
    for one in written(run):
        files.sweep(one.parent, one.name)
        if int(one.name.removesuffix(ENDING)) > step and one.is_file() and not one.is_symlink():
            one.unlink()


def read(run: Path, game: str) -> SeenRecord:
    """The whole record of a run; a flaw is a sentence."""
    import numpy as np  # late: the command line has to answer quickly

    paths = written(run)
    if not paths:
        raise ValueError(
            f"{run} has no record of the states that its self-play saw; "
            "`ludus train alphazero ... --record-states N` keeps one"
        )
    parts = [table.read(one, {"what": FOLDER, "game": game}) for one in paths]
    found = [check_part(one) for one in parts]
    numbers = [
        {name: whole(part, name) for name in ("from", "to", "states", "samples", "missed", "limit")}
        for part in parts
    ]
    at = {"from": 0, "states": 0, "samples": 0}
    for part, told, arrays in zip(parts, numbers, found, strict=True):
        if any(told[name] != known for name, known in at.items()):
            raise ValueError(
                f"{part.path} does not go on where the record of {run} before it ends: "
                "a part of it is missing"
            )
        at = {
            "from": told["to"],
            "states": at["states"] + len(arrays["lengths"]),
            "samples": at["samples"] + len(arrays["states"]),
        }
    joined = {name: np.concatenate([one[name] for one in found]) for name in KINDS}
    if len(joined["states"]) and int(joined["states"].max()) >= at["states"]:
        raise ValueError(f"the record of {run} is damaged: it has samples of states it lacks")
    steps = joined["steps"]
    ends = (at["states"], at["samples"])
    orderly = all((a <= b).all() and a[0] < b[0] for a, b in pairwise(steps.astype(np.int64)))
    if not orderly or (len(steps) and tuple(map(int, steps[-1, 1:])) != ends):
        raise ValueError(f"the record of {run} is damaged: its steps do not fit its rows")
    return SeenRecord(run / FOLDER, joined, numbers[-1]["missed"], numbers[-1]["limit"])


def whole(part: table.SolvedTable, name: str) -> int:
    """A number of the header."""
    value = part.header.get(name)
    if type(value) is not int or value < 0:
        raise ValueError(f"{part.path} is damaged: its header has no number {name}")
    return value


def check_part(part: table.SolvedTable) -> dict[str, NDArray[Any]]:
    """The arrays of a file, which fit each other."""
    import numpy as np  # late: the command line has to answer quickly

    arrays = {name: part.array(name, kind) for name, kind in KINDS.items()}
    samples = {len(arrays[name]) for name in ("states", "plies", "outcomes", "targets")}
    letters = int(arrays["lengths"].sum(dtype=np.int64))
    if len(samples) > 1 or letters != len(arrays["letters"]) or len(arrays["steps"]) % 3:
        raise ValueError(f"{part.path} is damaged: its arrays do not fit together")
    if not np.isfinite(arrays["targets"]).all() or (np.abs(arrays["outcomes"]) > 1).any():
        raise ValueError(f"{part.path} is damaged: it has outcomes that cannot be")
    return {**arrays, "steps": arrays["steps"].reshape(-1, 3)}
