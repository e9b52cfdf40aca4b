"""Where a part is worked at: its folder, the parts that it needs, and who is told how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ludus.agent import Agent, respellable
from ludus.agent import agent as make_agent
from ludus.arena.tasks import Workers, are_elsewhere
from ludus.studies.engine.part import Part
from ludus.studies.engine.players import Learned, PlayerGiven, Woven
from ludus.studies.engine.store import Store

if TYPE_CHECKING:
    from ludus.studies.engine.training import Training

RUN = "run"  # the run in the folder of a training


class Tell(Protocol):
    """Who is told the share that is done, and what is being done."""

    def __call__(self, share: float, found: str = "", /) -> None: ...


def nobody(share: float, found: str = "", /) -> None:
    """Nobody is told."""


@dataclass(frozen=True)
class Bench:
    """What a part works with."""

    store: Store
    part: Part
    workers: int | Workers = 1
    tell: Tell = nobody

    @property
    def folder(self) -> Path:
        """The part's own."""
        return self.store.place(self.part)

    @property
    def threads(self) -> int:
        """For what is worked at in this process alone."""
        return self.workers if isinstance(self.workers, int) else 1

    def workers_for(self, *agents: Agent) -> int | Workers:
        """Who plays games of these: what cannot be made again elsewhere plays here."""
        far = are_elsewhere(self.workers)
        return 1 if far and not all(respellable(one) for one in agents) else self.workers

    def run_of(self, training: Training) -> Path:
        """The run of a training that is finished."""
        return self.store.place(training) / RUN

    def spelled(self, one: PlayerGiven) -> str:
        """An agent's spelling, here and now."""
        return one if isinstance(one, str) else one.spelled(self)

    def agent(self, one: PlayerGiven) -> Agent:
        """An agent, here and now."""
        if hasattr(one, "made"):
            made: Agent = one.made(self)
            return made
        return make_agent(self.spelled(one))

    def setting(self, value: Any) -> Any:
        """A setting, where agents and runs of the study became their spellings."""
        if isinstance(value, Learned | Woven):
            return value.spelled(self)
        return str(self.run_of(value)) if isinstance(value, Part) else value  # type: ignore[arg-type]
