"""A run: a training in a folder, that survives whatever happens to its process."""

from __future__ import annotations

import dataclasses
import math
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.agent import Agent, agent
from ludus.checks import check_whole
from ludus.files import FULL, Notice
from ludus.game import Game, as_game
from ludus.learn import algorithm, algorithms
from ludus.learn.networks.plan import Diverged
from ludus.learn.runs.evaluate import (
    TENTHS,
    check_opponents,
    measure_strength,
    play_opponents,
    with_few_games,
)
from ludus.learn.runs.folder import RunFolder, RunSpec, check_same
from ludus.learn.runs.metrics import Metrics, games_of
from ludus.learn.settings.config import Common, restore_config
from ludus.learn.store import checkpoint, selection
from ludus.learn.store.components import Saved
from ludus.stored import Files

if TYPE_CHECKING:
    from ludus.arena.score import Score
    from ludus.arena.tasks import Workers
    from ludus.learn.training.loop import Step


ON_GPU = ("alphazero", "supervised")  # methods that learn where `ludus.device` says
SHARE = 0.01  # of the minutes, which a measurement of the course may take


class Run:
    """`Run("runs/x", game, dqn, config).train(minutes=30)`; `Run("runs/x")` is one that exists.

    A game written in Python that it has learned is brought again, and files of agents that it meets
    are named again: `Run("runs/x", "breakthrough.py", files=["mine.py"])`.
    """

    def __init__(
        self,
        path: str | Path,
        on: Game | str | None = None,
        method: Any = None,
        config: Common | None = None,
        *,
        seed: int = 0,
        command: str = "",
        files: Files = (),
    ) -> None:
        self.folder = RunFolder(Path(path))
        self.notices: list[str] = []
        self.place: dict[str, Any] = {}  # who works, where that is not this process alone
        if method is None:
            self.asked = self.folder.read_spec(on, files)
            self.command = str(self.folder.record()["command"])
            return
        if on is None:
            raise ValueError("a new run needs a game")
        module = algorithm(method) if isinstance(method, str) else method
        self.asked = RunSpec(
            module.__name__.rpartition(".")[2],
            as_game(on),
            module.Config() if config is None else config,
            check_whole("seed", seed, 0, 2**63 - 1),
        )
        self.command = command
        if not command:  # which looks at its own words only
            from ludus.learn.networks.effects import check_effects  # late: it needs numpy

            check_effects(self.asked.game, self.asked.config)
        if self.folder.exists:
            raise ValueError(f"{path} holds a run; `ludus resume {path}` goes on with it")
        if {"@", ":"} & {*str(path)}:
            raise ValueError(f"{path} has an @ or : in it, and agents are spelled with those")
        self.folder.check_free()

    @property
    def path(self) -> Path:
        return self.folder.path

    def with_config(self, **changes: Any) -> Run:
        """The same run with settings that do not touch what is learned, such as `steps`."""
        config = dataclasses.replace(self.asked.config, **changes)
        check_same(dataclasses.asdict(self.asked.config), dataclasses.asdict(config), self.path)
        self.asked = dataclasses.replace(self.asked, config=config)
        return self

    def on_workers(self, workers: Workers, max_staleness: int | None = None) -> Run:
        """The same run with its games played by workers (`ludus.scale.connect`).

        Its checkpoints are those of a run here: it goes on in either place.
        """
        place = {"workers": workers, "max_staleness": max_staleness}
        self.place = {name: one for name, one in place.items() if one is not None}
        check_place(self.asked.algorithm, self.place)
        return self

    def train(self, minutes: float | None = None) -> Run:
        """Train to the end of its steps, or of its time."""
        for _ in self.steps(minutes):
            pass
        return self

    def steps(
        self, minutes: float | None = None, stopping: Callable[[], None] = lambda: None
    ) -> Iterator[Step]:
        """Train, step by step; whoever stops listening stops the training, and it is saved.

        `stopping` is called as soon as Ctrl-C is heard, while the step goes on to its end.
        """
        config = self.asked.config
        end = math.inf if minutes is None else time.monotonic() + 60 * minutes
        check_opponents(self.asked.game, config)
        with self.folder.lock(), defer_signals(stopping) as told:
            before = self.load_newest()
            since = before.step if before else 0
            checkpointer = Checkpointer(self, since or None, minutes)
            module = algorithm(self.asked.algorithm)
            if before is None:
                checkpointer.measure_untrained(module)
            training = module.train(
                self.asked.game, config, seed=self.asked.seed, saved=before, **self.place
            )
            try:
                for step in training:
                    if step.number == since + 1:
                        self.begin(since)  # now that going on is known to work
                    over = step.is_last(config) or time.monotonic() >= end
                    step = checkpointer.keep(step, over and not told)
                    try:
                        yield step
                    except GeneratorExit:
                        checkpointer.save(step)
                        raise
                    if over or told:
                        checkpointer.save(step)
                        break
                else:
                    if before:
                        self.begin(since)  # nothing is left to learn
            except Diverged as error:
                raise Diverged(f"{error}; {checkpointer.last_good()}") from None
            except OSError as error:
                if error.errno not in FULL:
                    raise
                raise ValueError(
                    f"no room left in {self.path}; {checkpointer.last_good()}"
                ) from None
            finally:
                training.close()
                checkpointer.close()
        if told:
            raise KeyboardInterrupt

    def begin(self, step: int) -> None:
        """Forget what was measured after this step; write down what a run is asked from now on."""
        self.notices += self.folder.cut(step)
        if self.folder.exists:
            self.folder.write(self.asked, self.command)

    def load_newest(self) -> Saved | None:
        """What the newest whole checkpoint holds."""
        newest, damages = selection.newest(self.folder.checkpoints)
        self.notices += damages
        if newest is None and damages:
            raise ValueError(f"{damages[0]}; no whole checkpoint is left in {self.path}")
        if newest is None:
            self.folder.check_whole()
            if self.folder.exists and not self.folder.checkpoints.is_dir():
                raise ValueError(
                    f"{self.folder.checkpoints} is gone, and with it what was learned: train anew "
                    "in another folder"
                )
            return None
        if damages:
            self.notices.append(f"going on from step {newest.step}, the newest whole checkpoint")
        config = self.asked.config
        if "config" not in newest.record:
            raise ValueError(f"{newest.path} is damaged: its state.json has no config")
        then = restore_config(
            type(config), newest.record["config"]
        )  # what it did not know is as it was
        check_same(dataclasses.asdict(then), dataclasses.asdict(config), self.path)
        self.folder.check_whole()
        return newest.load()

    def best(self, seed: int = 0) -> Agent:
        """The agent that was strongest."""
        return agent(f"{self.spelled}@best", seed=seed)

    def last(self, seed: int = 0) -> Agent:
        """The agent as it is now."""
        return agent(f"{self.spelled}@last", seed=seed)

    @property
    def spelled(self) -> str:
        path = str(self.path)
        return path if "/" in path and not path.startswith("zoo/") else f"./{path}"


def check_place(method: str, place: Iterable[str]) -> None:
    """Refuse to hand out what a method does by itself."""
    for name in place:
        if not can_go(name, method):
            able = [one for one in algorithms() if can_go(name, one)]
            how = "--on" if name == "workers" else f"--{name.replace('_', '-')}"
            raise ValueError(f"{method} has no {how}: it is of {', '.join(able)}")


def can_go(name: str, method: str) -> bool:
    """Whether a method knows workers, or another such argument."""
    return name in signature(algorithm(method).train).parameters


def check_device(method: str) -> None:
    """Refuse another device where a method knows only the processor."""
    if method not in ON_GPU:
        raise ValueError(f"{method} learns on the processor: --device is of {', '.join(ON_GPU)}")


class Checkpointer:
    """Writes down what each step came to, and the whole training from time to time."""

    def __init__(self, run: Run, since: int | None, minutes: float | None = None) -> None:
        from ludus.learn.runs.health import Collapse, bounded_value_warning  # late: torch

        self.run, self.config = run, run.asked.config
        self.bounded_value_warning = bounded_value_warning
        self.saved_step = since
        course = [one for one in run.folder.course() if one["step"] <= since] if since else []
        self.games = games_of(course[-1]) if course and course[-1]["step"] == since else 0
        self.saved_at = self.started = time.monotonic()
        self.seconds = course[-1].get("time_elapsed", 0.0) if course else 0.0  # before a pause
        self.minutes = minutes
        self.passing = False  # the last measurement was a brief one, and decides nothing
        self.pace: float | None = None  # seconds a game, against each opponent, takes to measure
        self.tenths = 0  # of the run that were over when it was measured
        self.untrained: tuple[dict[str, float], list[Score]] | None = None
        self.board: Any = None
        self.collapse = Collapse(course)
        self.last: Step | None = None
        self.metrics = Metrics(run.folder.metrics)
        self.begun = run.folder.exists
        if self.config.tensorboard:
            board_kind()  # that it is missing is told before anything is begun

    def keep(self, step: Step, over: bool) -> Step:
        """Measure if it is time or the end, write the metrics, store if it is time."""
        elapsed = self.seconds + time.monotonic() - self.started
        metrics = {"step": step.number, **step.metrics, "time_elapsed": round(elapsed, 3)}
        silent = self.collapse.notice(step.metrics)
        for sentence in silent + (self.collapse.at_the_end() if over else []):
            warnings.warn(f"step {step.number}: {sentence}", Notice, stacklevel=2)
        self.last = step
        due = self.due(step, over)
        few_games = self.measures_briefly and not over
        if due and step.network is not None:
            found, scores = self.measure(step, few_games)
            metrics |= found
            self.begin()
            self.keep_games(step.number, scores)
        self.begin()
        self.metrics.append(metrics)
        if self.board:
            for name, value in metrics.items():
                self.board.add_scalar(name, value, step.number)
        step = dataclasses.replace(step, metrics=metrics)
        forever = self.config.keep_every and step.number % self.config.keep_every == 0
        due, self.passing = due and not few_games, few_games
        if due or forever or time.monotonic() - self.saved_at >= self.config.checkpoint_seconds:
            self.save(step)
        return step

    def due(self, step: Step, over: bool) -> bool:
        """Whether strength is to be measured: by games or steps if asked, else by tenths."""
        before, self.games = self.games, step.games
        if self.config.eval_freq == 0 or over:
            return self.config.eval_freq != 0
        if every := self.config.eval_freq_games:
            return step.games // every > before // every
        if self.config.eval_freq is not None:
            return step.number % self.config.eval_freq == 0
        tenths, self.tenths = self.tenths, int(TENTHS * self.share(step))
        return self.tenths > tenths

    @property
    def measures_briefly(self) -> bool:
        """Whether the course is measured with few games, since the time is for learning."""
        if self.config.eval_freq is not None or self.minutes is None:
            return False
        whole = None if self.pace is None else self.pace * self.config.n_eval_games
        return whole is None or whole > SHARE * 60 * self.minutes

    def share(self, step: Step) -> float:
        """How much of the run is over, by steps, games or minutes, whichever ends first."""
        spent = time.monotonic() - self.started
        ends = [
            (step.number, self.config.steps),
            (step.games, self.config.total_games),
            (spent, 60 * (self.minutes or 0)),
        ]
        return max(done / total for done, total in ends if total)

    def measure_untrained(self, module: Any) -> None:
        """Measure what the training begins with; it is kept when a first step is."""
        by_tenths = self.config.eval_freq is None and not self.config.eval_freq_games
        if not by_tenths or any(line["step"] == 0 for line in self.run.folder.course()):
            return
        from ludus.learn.training.loop import untrained_step  # late: torch

        spec = self.run.asked
        step = untrained_step(module.Learner, spec.game, self.config, spec.seed)
        if step.network is not None:
            self.untrained = self.measure(step, self.measures_briefly)

    def measure(self, step: Step, few_games: bool) -> tuple[dict[str, float], list[Score]]:
        """How strong it is at a step, and the games in which that was seen."""
        spec = self.run.asked
        student = step.agent
        config = with_few_games(self.config) if few_games else self.config
        begun = time.monotonic()
        scores = play_opponents(spec.game, student, config, spec.seed)
        self.pace = (time.monotonic() - begun) / config.n_eval_games
        return measure_strength(spec.game, student, scores, config, spec.seed), scores

    def keep_games(self, step: int, scores: list[Score]) -> None:
        """Write down the games of a measurement."""
        name = f"{self.run.spelled}@step={step}"
        self.run.folder.keep_games(self.run.asked.game, step, scores, name)

    def begin(self) -> None:
        """Make the folder a run, now that there is a step to keep."""
        if not self.begun:
            self.run.folder.write(self.run.asked, self.run.command)
            self.begun = True
        if self.untrained:
            (found, scores), self.untrained = self.untrained, None
            self.metrics.append({"step": 0, "games": 0, "time_elapsed": 0.0, **found})
            self.keep_games(0, scores)
        if self.config.tensorboard and self.board is None:
            self.board = writer(self.run)

    def save(self, step: Step) -> None:
        """A checkpoint, unless this step has one."""
        if self.saved_step == step.number:
            return
        folder = self.run.folder.checkpoints
        spec = self.run.asked
        if (recorded := step.parts.get("seen")) is not None:
            self.run.folder.keep_seen(spec, step.number, recorded)
        checkpoint.write(
            folder,
            step.snapshot(),
            config=dataclasses.asdict(self.config),
            **spec.about(),
            strength=None if self.passing else step.metrics.get("strength"),
            values=step.values,
            planes=step.planes,
            **({} if step.returns is None else {"returns": [*step.returns]}),
        )
        selection.prune(folder, self.config.keep_every)
        self.saved_step, self.saved_at = step.number, time.monotonic()

    def close(self) -> None:
        """Nothing more will come."""
        if self.last and (warning := self.bounded_value_warning(self.last)):
            self.run.notices.append(warning)
        if self.board:
            self.board.close()

    def last_good(self) -> str:
        """Where to go on from."""
        if self.saved_step is None:
            return "nothing was saved yet"
        return f"the state after step {self.saved_step} is kept"


def board_kind() -> Any:
    """TensorBoard's writer, if it is installed."""
    try:
        return import_module("torch.utils.tensorboard").SummaryWriter
    except ModuleNotFoundError:
        raise ValueError("tensorboard is not installed: pip install tensorboard") from None


def writer(run: Run) -> Any:
    """One that writes into the run."""
    return board_kind()(str(run.path / "tensorboard"))


@contextmanager
def defer_signals(stopping: Callable[[], None]) -> Iterator[list[int]]:
    """Ctrl-C and kill wait until the step is over; a second Ctrl-C does not.

    A step is the unit that can be stored: within one, things are half done.
    """
    told: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield told
        return

    def hear(number: int, frame: Any) -> None:
        if told:
            raise KeyboardInterrupt
        told.append(number)
        stopping()

    before = {name: signal.signal(name, hear) for name in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield told
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
