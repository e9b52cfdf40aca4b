"""Who is asked: every kept checkpoint of a run, or one agent; and whose states count as seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ludus.agent import agent
from ludus.game import Game, game
from ludus.learn.agents._trained import find_network
from ludus.learn.runs.run import Run
from ludus.learn.store import selection
from ludus.learn.store.zoo import in_zoo


@dataclass(frozen=True)
class Subjects:
    """Agents in the order in which they are asked, and the training they come from, if any."""

    agents: Sequence[str]
    steps: Sequence[int | None]
    game: Game
    run: Run | None


def is_run(name: str) -> bool:
    """Whether this is the folder of a run, and nothing more."""
    return (Path(name) / "config.json").is_file()


def subjects_of(name: str, on: str | None = None, chosen: str = "all") -> Subjects:
    """A run stands for all its kept checkpoints, or those chosen; an agent for itself."""
    if is_run(name):
        run = Run(name, on if on and ".py" in on else None)  # its own rules are brought again
        steps = chosen_steps(run, chosen)
        spelled = [f"{run.spelled}@step={step}" for step in steps]
        return Subjects(spelled, steps, run.asked.game if on is None else game(on), run)
    if chosen != "all":
        raise ValueError(f"{name} is an agent and no run: it has no checkpoints to choose from")
    agent(name)  # that there is no such agent is told first
    path, _, _ = name.partition(":")
    folder = path.partition("@")[0]
    run_of = Run(folder) if is_run(folder) else None
    if on is None:
        on = game_of_agent(path) if run_of or in_zoo(path) else ""
    if not on:
        raise ValueError(f"{name} plays more than one game: name one with --game")
    return Subjects([name], [None], game(on), run_of)


def game_of_agent(path: str) -> str:
    """The game that a network has learned."""
    return str(find_network(path)[0]["game"])


def chosen_steps(run: Run, chosen: str) -> list[int]:
    """Those of whole checkpoints: all, best, last, or steps with commas between them."""
    folder = run.folder.checkpoints
    there = [one.step for one in selection.checkpoints(folder) if selection.is_intact(one)]
    if not there:
        raise ValueError(f"the run in {run.path} has no whole checkpoint yet")
    if chosen == "all":
        return there
    if chosen in ("best", "last"):
        one, _ = selection.find_checkpoint(folder, chosen)
        return [] if one is None else [one.step]
    wanted = [int(word) for word in chosen.split(",") if word.strip().isdecimal()]
    if len(wanted) != len(chosen.split(",")) or not {*wanted} <= {*there}:
        kept = ", ".join(map(str, there))
        raise ValueError(f"checkpoints are all, best, last or some of {kept}, not {chosen!r:.60}")
    return wanted
