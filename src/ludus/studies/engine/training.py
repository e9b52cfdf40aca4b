"""A training as a part: a run in the part's folder, which goes on where it was stopped."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ludus.arena.tasks import are_elsewhere
from ludus.game import game as make_game
from ludus.learn import algorithm
from ludus.learn.settings import presets
from ludus.learn.settings.config import make_config
from ludus.learn.settings.preset import Preset, find
from ludus.studies.engine.bench import RUN, Bench
from ludus.studies.engine.course import last_numbers, thinned_course, with_counts
from ludus.studies.engine.players import Learned, Woven

if TYPE_CHECKING:
    from ludus.learn.settings.config import Common

OTHER = "other"  # in metrics: an opponent that the study has trained
SECONDS = 60.0  # of a training, before anybody has looked


@dataclass(frozen=True)
class Training:
    """A training by all of its settings; those that name a training or its agent hold it."""

    method: str
    game: str
    settings: tuple[tuple[str, Any], ...]
    seed: int = 1
    preset: str = ""

    @property
    def title(self) -> str:
        return f"train {self.method} on {self.game}" + (f", {self.preset}" if self.preset else "")

    def guess(self) -> float:
        return SECONDS

    @property
    def asked(self) -> dict[str, Any]:
        return dict(self.settings)

    def agent(self, options: str = "", which: str = "last") -> Learned:
        """What it has learned."""
        return Learned(self, options, which)

    def but(self, **changes: Any) -> Training:
        """The same with other settings."""
        return replace(self, settings=ordered({**self.asked, **changes}))

    def on(self, game: str) -> Training:
        """The same on another board, or by other rules."""
        return replace(self, game=game)

    def config(self, bench: Bench) -> Common:
        """Its settings, with the runs and agents of this study in their places."""
        kind = algorithm(self.method).Config
        made: Common = make_config(
            kind, {name: bench.setting(value) for name, value in self.settings}
        )
        return made

    def work(self, bench: Bench) -> dict[str, Any]:
        from ludus.learn.runs.run import Run, can_go

        place = bench.folder / RUN
        if (place / "config.json").exists():
            run = Run(place)
        else:
            config, command = self.config(bench), self.command(bench)
            run = Run(
                place,
                make_game(self.game),
                self.method,
                config,
                seed=self.seed,
                command=command,
            )
        if are_elsewhere(bench.workers) and can_go("workers", self.method):
            run.on_workers(bench.workers)
        config = run.asked.config
        for step in run.steps():
            done = [step.number / config.steps] if config.steps else []
            done += [step.games / config.total_games] if config.total_games else []
            bench.tell(min(1.0, max(done)), f"step {step.number}, {step.games:,} games")
        course = with_counts([self.told(line, bench) for line in run.folder.course()])
        return {
            "numbers": last_numbers(course),
            "course": thinned_course(course),
            "steps": course[-1]["step"],
            "games": course[-1].get("games", 0),
            "minutes": course[-1].get("time_elapsed", 0.0) / 60,
            "command": run.command,
        }

    def told(self, line: Mapping[str, Any], bench: Bench) -> dict[str, Any]:
        """A line of metrics, the opponent that the study trained under a name that stays."""
        met = self.asked.get("eval_opponents")
        if not isinstance(met, Woven):
            return dict(line)
        place = met.learned.spelled(bench)
        return {name.replace(place, OTHER): value for name, value in line.items()}

    def command(self, bench: Bench) -> str:
        """The command that does the same."""
        words = ["ludus", "train", self.method, self.game]
        printed = printed_settings(self)
        words += ["--preset", self.preset] if self.preset else []
        for name, value in self.settings:
            if name in printed and printed[name] == value:
                continue
            said = bench.setting(value)
            said = str(said).lower() if isinstance(said, bool) else str(said)
            words += [f"--{name.replace('_', '-')}", said]
        return shlex.join([*words, "--seed", str(self.seed)])


def printed_settings(training: Training) -> Mapping[str, Any]:
    """What its paper's preset says."""
    preset = preset_of(training)
    return preset.settings if preset else {}


def preset_of(training: Training) -> Preset | None:
    """The preset that it is a smaller form of, if any."""
    if not training.preset:
        return None
    return find(training.preset, presets.TABLES[training.method])


def train(
    method: str, *, preset: str = "", game: str = "", seed: int = 1, **settings: Any
) -> Training:
    """A training by a paper's preset, with settings over it; or by settings alone."""
    if not preset:
        return Training(method, game, ordered(settings), seed)
    found = find(preset, presets.TABLES[method])
    settings = {**found.settings, **settings}
    return Training(method, game or found.game, ordered(settings), seed, preset)


def ordered(settings: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Settings by name."""
    return tuple(sorted(settings.items()))
