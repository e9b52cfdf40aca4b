"""A training that `ludus harden` goes on with as a part; its rounds are counted in steps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ludus.arena.interval import wilson
from ludus.files import write
from ludus.game import game as make_game
from ludus.lab.harden import TRAINED, Harden
from ludus.lab.prove import UNBEATEN
from ludus.lab.seen import SeenStates
from ludus.learn.runs.run import Run
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.course import thinned_course
from ludus.studies.engine.lab_parts import TRUTH, oracle_of
from ludus.studies.engine.part import Part
from ludus.studies.engine.training import Training

FOLDER, SEEN = "hardened", "seen.txt"


@dataclass(frozen=True)
class Hardened:
    """A round of `ludus harden`: exploited, trained, and exploited again, as the first player.

    `anew` is the thesis' cure: new weights are taught the exact values of the states that the
    training saw, and self-play goes on from there. Otherwise self-play of the old weights begins
    from mistakes that were found, and no exact value is learned.
    """

    after: tuple[Part, ...]  # what has to be there first, such as a solved board
    training: Training
    anew: bool
    steps: int  # of self-play
    start_steps: int  # of the start from exact values
    games: int  # against the adversary, to find mistakes
    positions: int  # that are looked at, to find more
    options: str  # of the agent that is exploited
    which: str = "last"  # checkpoint that it begins with

    @property
    def title(self) -> str:
        how = "taught anew" if self.anew else "from its mistakes"
        return f"harden, {how}: {self.training.title}"

    @property
    def trained(self) -> Training:
        """Its self-play, with the settings of the training that it goes on with."""
        return self.training.but(steps=self.steps)

    def agent(self, options: str = "") -> Cured:
        """What came of it."""
        return Cured(self, options)

    def guess(self) -> float:
        return 2 * (1e-3 * self.positions + 0.3 * self.games)  # before the round and after it

    def work(self, bench: Bench) -> dict[str, Any]:
        run, on = bench.run_of(self.training), make_game(self.training.game)
        bench.folder.mkdir(parents=True, exist_ok=True)
        texts = "".join(f"{text}\n" for text in SeenStates.load(run).texts)
        write(bench.folder / SEEN, texts.encode())
        (bench.folder / FOLDER).mkdir(exist_ok=True)
        asked = Harden(
            on,
            f"{run}@{self.which}",
            self.options,
            self.training.method,
            self.trained.config(bench),
            bench.folder / FOLDER,
            (0,),
            UNBEATEN,
            math.inf,
            1,
            self.games,
            self.positions,
            oracle_of(on.spelling),
            TRUTH,
            self.anew,
            str(bench.folder / SEEN) if self.anew else "",
            self.training.seed,
            bench.threads,
            self.anew,
            self.start_steps,
        )

        def train(run: Run, minutes: float) -> None:
            """To the end of its steps, however long that takes."""
            for step in run.steps():
                bench.tell(step.number / run.asked.config.steps, f"step {step.number}")

        rows = asked.run(lambda share, what: bench.tell(share, what), train)
        done = Run(bench.folder / FOLDER / f"round-{len(rows) - 1}" / TRAINED)
        return {
            "numbers": numbers_of_rounds(rows),
            "rounds": len(rows) - 1,  # none where nothing was left to cure
            "course": thinned_course(done.folder.course()) if len(rows) > 1 else [],
            "command": self.command(bench),
        }

    def command(self, bench: Bench) -> str:
        """The command that does as much by the clock."""
        words = ["ludus", "harden", f"{bench.run_of(self.training)}@{self.which}"]
        words += ["--rounds", "1"]
        words += ["--minutes", "N", "--agent-options", self.options, "--games", str(self.games)]
        words += ["--positions", str(self.positions), "--truth", TRUTH]
        words += ["--seed", str(self.training.seed)]
        if self.anew:
            words += ["--oracle-start", "--anew", "--seen", str(bench.folder / SEEN)]
        return " ".join(words)


@dataclass(frozen=True)
class Cured:
    """What the rounds of a hardening end with."""

    hardened: Hardened
    options: str = ""  # of the agent, such as simulations=50

    @property
    def title(self) -> str:
        return f"{self.hardened.title}, with {self.options}" if self.options else "the cured agent"

    def spelled(self, bench: Bench) -> str:
        rounds = bench.store.result(self.hardened)["rounds"]
        place = bench.store.place(self.hardened) / FOLDER / f"round-{rounds}" / TRAINED
        before = f"{bench.run_of(self.hardened.training)}@{self.hardened.which}"
        agent = f"{place}@last" if rounds else before
        return f"{agent}:{self.options}" if self.options else agent


def numbers_of_rounds(rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Before the first round and after the last: games against the adversary, and mistakes."""
    found = {}
    for when, row in (("before", rows[0]), ("after", rows[-1])):
        side = row["sides"][0]
        for name in ("wins", "draws", "losses"):
            low, high = wilson(side[name], side["games"])
            share = {"value": side[name] / max(1, side["games"]), "low": low, "high": high}
            found[f"{name} {when}"] = {**share, "of": side["games"]}
        for name in ("mistakes", "positions"):
            found[f"{name} {when}"] = {"value": side[name]}
    return found
