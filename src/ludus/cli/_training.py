"""What `train` and `resume` share: a training, and the line that shows how it goes."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any

from ludus.arena.tasks import are_elsewhere
from ludus.cli._common import answer, program, say, workers_of
from ludus.cli._progress import (
    BETWEEN,
    Bar,
    Progress,
    Ticker,
    clock,
    number,
    pack,
    seconds_between_looks,
)
from ludus.device import CPU, torch_device
from ludus.learn.runs.metrics import bounds
from ludus.learn.runs.run import Run, check_device, check_place
from ludus.scale.place import LOCAL

if TYPE_CHECKING:
    from ludus.arena.tasks import Workers
    from ludus.learn.runs.folder import RunSpec
    from ludus.learn.settings.config import Common
    from ludus.learn.training.loop import Step

STOPPED = 130
SHOWN = ("loss", "policy_loss", "value_loss", "entropy", "exploration", "fitness")
RATES = {"simulations_per_second": "simulations/s"}  # that a training measures itself
TRUE = ("optimal_move_rate", "value_accuracy")  # shares of states
STOPPING = "stopping after this step"  # it is stored, which a second Ctrl-C does not wait for
LINE = 79  # columns of what is printed before
WORK, EACH = "seconds_", "seconds_per_"  # what a training calls parts of its time, and rates


class TrainingProgress:
    """How the training goes: rates, losses, strength so far, time left."""

    def __init__(self, run: Run, minutes: float | None, quiet: bool) -> None:
        self.config, self.minutes, self.quiet = run.asked.config, minutes, quiet
        self.workers: Workers | None = run.place.get("workers")
        self.begun = self.started = self.shown = time.monotonic()  # rates count from a step on
        self.bar = Bar() if sys.stderr.isatty() and not quiet else None
        self.first: Step | None = None
        self.games = run.asked.config.n_eval_games
        self.strength = strength_of((run.folder.course() or [{}])[-1], self.games)
        self.drawn: tuple[float, str, list[str]] = (0.0, "the first step", [])
        self.at, self.stepped = "the start", self.started  # the last step, and when it ended
        self.ticker = None if quiet else Ticker(self.tick)

    def __call__(self, step: Step) -> None:
        if self.first is None:
            self.first, self.started = step, time.monotonic()
        measured = strength_of(step.metrics, self.games)
        self.strength = measured or self.strength
        now = self.stepped = time.monotonic()
        self.at = f"step {step.number:,}"
        between = seconds_between_looks(self.bar, now - self.started)
        if self.quiet or (now - self.shown < between and not measured):
            return
        self.shown, spent = now, now - self.started
        at, found = self.progress_text(step), self.facts(step, spent)
        ends = [
            self.seconds_left(step, spent),
            None if self.minutes is None else self.begun + 60 * self.minutes - now,
        ]
        known = [one for one in ends if one is not None]
        left = [f"{clock(min(known))} left"] if known else []
        if self.bar:
            self.drawn = self.share(step, spent), BETWEEN.join([at, *left]), found
            self.draw()
        else:
            say(BETWEEN.join([at, *found, *left]), file=sys.stderr, flush=True)

    def tick(self) -> None:
        """Show that a long step, or measuring its strength, goes on."""
        now = time.monotonic()
        if now - self.shown < max(2.0, seconds_between_looks(self.bar, now - self.started)):
            return
        told = f"{clock(now - self.stepped)} since {self.at}"
        if self.workers is not None:
            told += f", {self.workers.summary()}"
        if self.bar:
            self.draw(told)
        else:
            self.shown = now
            say(told, file=sys.stderr, flush=True)

    def draw(self, waiting: str = "") -> None:
        """Show the bar as it stands."""
        if self.bar:
            share, said, found = self.drawn
            self.bar.draw("training", share, said, [*found, waiting])

    def stopping(self) -> None:
        """Say at once that Ctrl-C was heard, while the step goes on; called by its handler."""
        if self.quiet:
            return
        if self.bar is None:
            os.write(2, f"{STOPPING}\n".encode())  # a print may be under way, and cannot nest
            return
        share, _, found = self.drawn
        self.drawn = share, STOPPING, found
        with suppress(RuntimeError):  # drawing was under way: the next one says it
            self.draw()

    def share(self, step: Step, spent: float) -> float:
        """How much is done, of the games, steps or minutes, whichever ends first."""
        ends = [
            (step.games, self.config.total_games),
            (step.number, self.config.steps),
            (spent + self.started - self.begun, 60 * (self.minutes or 0)),
        ]
        return min(1.0, max(done / total for done, total in ends if total))

    def facts(self, step: Step, spent: float) -> list[str]:
        """Rates, losses and strength."""
        parts = []
        begun = self.first.metrics if self.first else {}
        for name in ("positions", "games"):
            done = step.metrics.get(name, 0) - begun.get(name, 0)
            if done > 0 and spent > 0:
                parts.append(f"{number(done / spent)} {name}/s")
        parts += [
            f"{number(step.metrics[name])} {said}"
            for name, said in RATES.items()
            if name in step.metrics
        ]
        parts += [
            f"{name.replace('_', ' ')} {number(step.metrics[name])}"
            for name in SHOWN
            if name in step.metrics
        ]
        return [*parts, *self.who_works(step), *filter(None, [self.strength])]

    def who_works(self, step: Step) -> list[str]:
        """Workers elsewhere, and what the learner waited for."""
        if self.workers is None:
            return []
        found = [self.workers.summary()]
        if "learner_wait" in step.metrics:
            found.append(f"the learner waited {number(step.metrics['learner_wait'])} s for games")
        if "staleness" in step.metrics:
            found.append(f"staleness {number(step.metrics['staleness'])} steps")
        return found

    def progress_text(self, step: Step) -> str:
        """How far it has come, in the unit that ends it."""
        games, steps = self.config.total_games, self.config.steps
        if games:
            return f"game {step.games:,} of {games:,}"
        return f"step {step.number:,} of {steps:,}"

    def seconds_left(self, step: Step, spent: float) -> float | None:
        """Seconds, if it goes on as it did; nobody knows before something is behind."""
        first = self.first or step
        done, total, begun = step.number, self.config.steps, first.number
        if self.config.total_games:
            done, total, begun = step.games, self.config.total_games, first.games
        return (total - done) * spent / (done - begun) if done > begun else None

    def close(self) -> None:
        if self.ticker:
            self.ticker.close()
        if self.bar:
            self.bar.clear()


def strength_of(metrics: Any, games: int) -> str:
    """Points against the ladder, a rating and agreement with truth, as far as measured."""
    games = int(metrics.get("n_eval_games", games))  # which may have been fewer
    points = [
        f"{name.removeprefix('score ')} {100 * value:.0f} % {metric_interval(metrics, name, 100)}"
        for name, value in metrics.items()
        if name.startswith("score ") and bounds(name)[0] in metrics
    ]
    found = [f"score of {games} games: {', '.join(points)}"] if points else []
    if "elo" in metrics:
        found.append(f"Elo {metrics['elo']:+.0f} {metric_interval(metrics, 'elo', 1)}")
    found += [
        f"{name.replace('_', ' ')} {100 * metrics[name]:.0f} %" for name in TRUE if name in metrics
    ]
    return ", ".join(found)


def metric_interval(metrics: Any, name: str, scale: float) -> str:
    """The interval of a metric."""
    low, high = (scale * metrics[end] for end in bounds(name))
    return f"({low:.0f} to {high:.0f})" if low < 0 else f"({low:.0f}-{high:.0f})"


def introduction(run: Run, minutes: float | None) -> list[str]:
    """What is trained, where, for how long, and how to watch it."""
    asked, folder = run.asked, shlex.quote(str(run.path))
    watch = f"{program()} serve --runs {shlex.quote(str(run.path.parent))}"
    what = [f"{folder}: {asked.algorithm} on {asked.game.spelling}", network_text(asked)]
    seen = [f"watch: {watch}", f"report: {folder}/report.html"]
    return [*pack([*what, budget(asked.config, minutes)], LINE), *pack(seen, LINE)]


def network_text(asked: RunSpec) -> str:
    """The network and its size."""
    from ludus.learn.networks.effects import count_weights, network_name

    if asked.algorithm == "vae":
        return "an autoencoder"
    name = network_name(asked.game, asked.config)
    weights = count_weights(asked.game, asked.config)
    return f"network {name}" + (f", {weights:,} weights" if weights else "")


def budget(config: Common, minutes: float | None) -> str:
    """When it ends, by whatever comes first."""
    ends = [f"{number(minutes)} min"] if minutes is not None else []
    if config.total_games:
        ends.append(f"{config.total_games:,} games")
    elif config.steps:
        ends.append(f"{config.steps:,} steps")
    return " or ".join(ends)


def ending(run: Run, minutes: float | None, last: Step | None, code: int) -> str:
    """Why it ended."""
    if code:
        return "stopped and saved"
    if minutes is None or last is None or last.is_last(run.asked.config):
        return "done"
    return f"time is up ({number(minutes)} min)"


def train_somewhere(run: Run, args: argparse.Namespace) -> int:
    """Train here or on workers, as the options ask."""
    if args.on != LOCAL:
        asked = ["workers", *(["max_staleness"] if args.max_staleness is not None else [])]
        check_place(run.asked.algorithm, asked)  # before a cluster is started
        if args.max_staleness is not None:
            from ludus.learn.selfplay.spread import check_staleness  # late: it is of one method

            check_staleness(args.max_staleness)
    if args.device != CPU:
        check_device(run.asked.algorithm)
    with workers_of(args) as workers:
        torch_device()  # that it is not there is told before anything is begun
        if are_elsewhere(workers):
            run = run.on_workers(workers, args.max_staleness)
        return train_run(run, args.minutes, args.json)


def train_run(run: Run, minutes: float | None, json: bool, *, quiet_end: bool = False) -> int:
    """Train, show how it goes, and say where it ended."""
    from ludus.learn.networks.precision import slow_precision

    line = TrainingProgress(run, minutes, json)
    code, last = 0, None
    try:
        if slow := slow_precision(getattr(run.asked.config, "precision", "float32")):
            say(f"ludus: {slow}", file=sys.stderr)
        if not json:
            for row in introduction(run, minutes):
                say(row, flush=True)
            line.draw()
        for step in run.steps(minutes, line.stopping):
            last = step
            line(step)
    except KeyboardInterrupt:
        code = STOPPED
    finally:
        line.close()
        for notice in run.notices:
            say(f"ludus: {notice}", file=sys.stderr)
    if not run.folder.exists:
        say("ludus: stopped before the first step: nothing is kept", file=sys.stderr)
        return code
    with nullcontext() if json else Progress("writing the report"):
        write_report(run)
    number = last.number if last else (run.folder.course() or [{"step": 0}])[-1]["step"]
    if quiet_end:
        return code
    if json:
        metrics = dict(last.metrics) if last else {}
        answer({"run": str(run.path), "step": number, "metrics": metrics, "stopped": code != 0})
    else:
        how = ending(run, minutes, last, code)
        use = f"{run.spelled}@best plays"
        if run.asked.algorithm == "vae":
            use = f"`--encoder {run.spelled}` builds on it"
        say(f"{how} at step {number}: {use}, {run.path}/report.html shows how")
        if split := split_of(last.metrics if last else {}):
            say(split)
        if code:
            say(f"`{program()} resume {run.path}` goes on")
    return code


def split_of(metrics: Any) -> str:
    """Where the time of all threads went."""
    spent = {
        name.removeprefix(WORK): value
        for name, value in metrics.items()
        if name.startswith(WORK) and not name.startswith(EACH)
    }
    total = sum(spent.values())
    if total <= 0:
        return ""
    shares = ", ".join(f"{name} {100 * value / total:.0f} %" for name, value in spent.items())
    return f"time of all threads: {shares}"


def write_report(run: Run) -> None:
    """Write report.html."""
    from ludus.report.training import write

    write(run)
