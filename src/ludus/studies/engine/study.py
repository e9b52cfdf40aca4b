"""What a study asks: questions, each with the parts that answer it and how that is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ludus.studies.engine.measured import Measured
from ludus.studies.engine.part import Part, found_in
from ludus.studies.engine.store import Store

SCALES = ("smoke", "laptop", "paper")


@dataclass(frozen=True)
class Extent:
    """How much of a paper's work is done: a smoke test, an hour of a laptop, or all of it."""

    name: str

    def of(self, smoke: Any, laptop: Any, paper: Any) -> Any:
        """What belongs to this scale."""
        return {"smoke": smoke, "laptop": laptop, "paper": paper}[self.name]

    def settings(self, smoke: dict[str, Any], laptop: dict[str, Any]) -> dict[str, Any]:
        """Settings over a preset, which at the paper's own scale has none."""
        found: dict[str, Any] = self.of(smoke, laptop, {})
        return found


@dataclass(frozen=True)
class Pick:
    """A number of a part."""

    part: Part
    number: str

    def read(self, store: Store) -> Measured | None:
        """The number, if the part is finished and has it."""
        told = store.result(self.part).get("numbers", {}).get(self.number)
        return None if told is None else Measured.read(told)


@dataclass(frozen=True)
class Cell:
    """Ours, and the name of theirs in the paper."""

    ours: Pick | None = None
    theirs: str = ""


@dataclass(frozen=True)
class Grid:
    """A table of cells; shares are written in percent, in all columns or the named ones."""

    title: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]
    share: bool = True
    shares: Sequence[str] = ()  # columns that are, where others are not
    unit: str = "games"  # that intervals are over

    def is_share(self, column: int) -> bool:
        """Whether a column is written in percent."""
        return self.share or self.columns[column] in self.shares


@dataclass(frozen=True)
class Along:
    """The course of a training's metric over games, positions, minutes, steps or epochs."""

    name: str
    training: Part  # whose result has a course
    metric: str


@dataclass(frozen=True)
class Through:
    """Numbers of several parts, each at its place on the axis."""

    name: str
    points: Sequence[tuple[float, Pick]]


@dataclass(frozen=True)
class Series:
    """Points that a part keeps."""

    name: str
    part: Part
    series: str


@dataclass(frozen=True)
class Figure:
    """A picture of several curves; numbers of the paper are drawn as level lines."""

    title: str
    curves: Sequence[Along | Through | Series]
    x: str
    y: str
    share: bool = False
    levels: Sequence[tuple[str, str]] = ()  # what it is, and its name in the paper


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper, that one number is above another, or that they are alike."""

    says: str
    more: Pick
    than: Pick | float
    quote: str = ""  # where the paper says so
    alike: bool = False


@dataclass(frozen=True)
class StudyQuestion:
    """One table or figure of the paper, or several that belong together."""

    name: str  # for --only
    title: str
    asks: str
    grids: Sequence[Grid] = ()
    figures: Sequence[Figure] = ()
    claims: Sequence[Claim] = ()
    boards: Sequence[Part] = ()  # games to look at
    notes: Sequence[str] = ()
    missing: str = ""  # why it cannot be answered here, if it cannot

    def parts(self) -> Iterator[Part]:
        """What has to be done for it, but for what that needs itself."""
        yield from found_in([self.grids, self.figures, self.claims, self.boards])


@dataclass(frozen=True)
class LeftOut:
    """What a paper prints and a study does not ask, and why."""

    what: str  # and where it stands
    why: str
    quote: str = ""  # its name, if it is quoted


@dataclass(frozen=True)
class Study:
    """A paper, asked again."""

    name: str
    title: str
    questions: Callable[[Extent], Sequence[StudyQuestion]]
    left_out: Sequence[LeftOut] = ()

    def ask(self, scale: str, only: Sequence[str] = ()) -> list[StudyQuestion]:
        """Its questions at a scale, all or those that are named."""
        if scale not in SCALES:
            raise ValueError(f"no scale {scale!r:.60}; there are {', '.join(SCALES)}")
        asked = list(self.questions(Extent(scale)))
        names = [one.name for one in asked]
        for name in only:
            if name not in names:
                raise ValueError(f"{self.name} has no {name!r:.60}; it has {', '.join(names)}")
        return [one for one in asked if not only or one.name in only]
