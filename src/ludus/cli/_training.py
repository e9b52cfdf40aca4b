"""What `train` and `resume` share: a training, and the line that shows how it goes."""

from __future__ import annotations

import shlex
import sys
import time
from typing import TYPE_CHECKING, Any

from ludus.cli._common import answer, say
from ludus.cli._progress import LIVE_SECONDS, PLAIN_SECONDS, Bar, clock
from ludus.learn.runs.metrics import bounds
from ludus.learn.runs.run import Run

if TYPE_CHECKING:
    from ludus.learn.training.loop import Step

STOPPED = 130
SHOWN = ("loss", "policy_loss", "value_loss", "entropy", "exploration", "fitness")
RATES = {"simulations_per_second": "simulations/s"}  # that a training measures itself
TRUE = ("optimal_move_rate", "value_accuracy")  # shares of states
WORK = "seconds_"  # what a training calls the parts of its time


class TrainingProgress:
    """How the training goes: rates, losses, strength so far, time left."""

    def __init__(self, run: Run, minutes: float | None, quiet: bool) -> None:
        self.config, self.minutes, self.quiet = run.asked.config, minutes, quiet
        self.started = self.shown = time.monotonic()
        self.bar = Bar() if sys.stderr.isatty() and not quiet else None
        self.first: Step | None = None
        self.games = run.asked.config.n_eval_games
        self.strength = strength_of((run.folder.course() or [{}])[-1], self.games)

    def __call__(self, step: Step) -> None:
        if self.first is None:
            self.first, self.started = step, time.monotonic()
        measured = strength_of(step.metrics, self.games)
        self.strength = measured or self.strength
        now = time.monotonic()
        between = LIVE_SECONDS if self.bar else PLAIN_SECONDS
        if self.quiet or (now - self.shown < between and not measured):
            return
        self.shown, spent = now, now - self.started
        at, found = self.place(step), self.facts(step, spent)
        ends = [
            self.seconds_left(step, spent),
            None if self.minutes is None else 60 * self.minutes - spent,
        ]
        known = [one for one in ends if one is not None]
        left = [f"{clock(min(known))} left"] if known else []
        if self.bar:
            said, below = " · ".join([at, *left]), " · ".join(found)
            self.bar.draw("training", self.share(step, spent), said, below)
        else:
            say(" · ".join([at, *found, *left]), file=sys.stderr, flush=True)

    def share(self, step: Step, spent: float) -> float:
        """How much is done, of the games, steps or minutes, whichever ends first."""
        ends = [
            (step.games, self.config.total_games),
            (step.number, self.config.steps),
            (spent, 60 * (self.minutes or 0)),
        ]
        return min(1.0, max(done / total for done, total in ends if total))

    def facts(self, step: Step, spent: float) -> list[str]:
        """Rates, losses and strength."""
        parts = []
        begun = self.first.metrics if self.first else {}
        for name in ("positions", "games"):
            done = step.metrics.get(name, 0) - begun.get(name, 0)
            if done > 0 and spent > 0:
                parts.append(f"{done / spent:.3g} {name}/s")
        parts += [
            f"{step.metrics[name]:.3g} {said}"
            for name, said in RATES.items()
            if name in step.metrics
        ]
        parts += [f"{name} {step.metrics[name]:.3g}" for name in SHOWN if name in step.metrics]
        return [*parts, *filter(None, [self.strength])]

    def place(self, step: Step) -> str:
        """How far it has come, in the unit that ends it."""
        games, steps = self.config.total_games, self.config.steps
        if games:
            return f"game {step.games:,} of {games:,}"
        return f"step {step.number} of {steps}"

    def seconds_left(self, step: Step, spent: float) -> float | None:
        """Seconds, if it goes on as it did; nobody knows before something is behind."""
        first = self.first or step
        done, total, begun = step.number, self.config.steps, first.number
        if self.config.total_games:
            done, total, begun = step.games, self.config.total_games, first.games
        return (total - done) * spent / (done - begun) if done > begun else None

    def close(self) -> None:
        if self.bar:
            self.bar.clear()


def strength_of(metrics: Any, games: int) -> str:
    """Points against the ladder, a rating and agreement with truth, as far as measured."""
    games = int(metrics.get("n_eval_games", games))  # which may have been fewer
    points = [
        f"{name.removeprefix('score ')} {100 * value:.0f} % {within(metrics, name, 100)}"
        for name, value in metrics.items()
        if name.startswith("score ") and bounds(name)[0] in metrics
    ]
    found = [f"score of {games} games: {', '.join(points)}"] if points else []
    if "elo" in metrics:
        found.append(f"Elo {metrics['elo']:+.0f} {within(metrics, 'elo', 1)}")
    found += [
        f"{name.replace('_', ' ')} {100 * metrics[name]:.0f} %" for name in TRUE if name in metrics
    ]
    return ", ".join(found)


def within(metrics: Any, name: str, scale: float) -> str:
    """The interval of a metric."""
    low, high = (scale * metrics[end] for end in bounds(name))
    return f"({low:.0f} to {high:.0f})" if low < 0 else f"({low:.0f}-{high:.0f})"


def train_run(run: Run, minutes: float | None, json: bool, *, quiet_end: bool = False) -> int:
    """Train, show how it goes, and say where it ended."""
    from ludus.learn.networks.precision import slow_precision

    line = TrainingProgress(run, minutes, json)
    code, last = 0, None
    if slow := slow_precision(getattr(run.asked.config, "precision", "float32")):
        say(f"ludus: {slow}", file=sys.stderr)
    if not json and not quiet_end:
        say(f"watch it: ludus serve --runs {shlex.quote(str(run.path.parent))}", flush=True)
    try:
        for step in run.steps(minutes):
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
    write_report(run)
    number = last.number if last else (run.folder.course() or [{"step": 0}])[-1]["step"]
    if quiet_end:
        return code
    if json:
        metrics = dict(last.metrics) if last else {}
        answer({"run": str(run.path), "step": number, "metrics": metrics, "stopped": code != 0})
    else:
        how = "stopped and saved" if code else "done"
        use = f"{run.spelled}@best plays"
        if run.asked.algorithm == "vae":
            use = f"`--encoder {run.spelled}` builds on it"
        say(f"{how} at step {number}: {use}, {run.path}/report.html shows how")
        if split := split_of(last.metrics if last else {}):
            say(split)
        if code:
            say(f"`ludus resume {run.path}` goes on")
    return code


def split_of(metrics: Any) -> str:
    """Where the time of all threads went."""
    spent = {
        name.removeprefix(WORK): value for name, value in metrics.items() if name.startswith(WORK)
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
