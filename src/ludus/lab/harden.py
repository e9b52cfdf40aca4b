"""A cure: exploit, train from what was found, prove, and again; before and after side by side.

Each round is kept in its folder as soon as it is whole, so the same command goes on where it was.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus import reading
from ludus.agent import agent
from ludus.files import write
from ludus.game import Game, State
from ludus.lab.exploit import count_mistakes, judge_visits, play_games
from ludus.lab.exploit_opponents import opponent_of
from ludus.lab.exploit_search import BestFirst
from ludus.lab.frozen import Frozen, freeze
from ludus.lab.positions import line_text
from ludus.lab.prove import UNBEATEN, WINS, Proof, Verdict
from ludus.learn.runs.run import Run
from ludus.learn.settings.config import Common
from ludus.truth.oracle import Oracle

SIDES = ("first", "second")
PLAN, MEASURED, STARTS, TRAINED = "harden.json", "measured.json", "starts.txt", "run"
ORACLE_START, ORACLE_SHARE = (
    "oracle-start",
    0.25,
)  # of a round's minutes, where an oracle teaches first
MOST_STARTS = 20_000
BACK = 3  # plies before a mistake from which games begin too
ENDLESS = 10**9
Tell = Callable[[float, str], None]


@dataclass(frozen=True)
class Harden:
    """What is asked."""

    game: Game
    agent: str  # whose weights it begins with
    options: str  # of the agent that plays: simulations, canonical
    method: str
    config: Common
    folder: Path
    sides: Sequence[int]
    aim: str
    minutes: float  # of each round's training
    rounds: int
    games: int
    positions: int
    oracle: Oracle
    truth: str
    oracle_start: bool  # exact values of found and seen positions enter training
    seen: str  # a file of seen positions, for that
    seed: int
    threads: int
    anew: bool = False  # training begins with new weights and from the start: the thesis' cure
    start_steps: int = ENDLESS  # of the supervised start, where it is not counted in minutes

    def spelling(self, weights: str) -> str:
        """The agent that plays with these weights."""
        joiner = "," if ":" in weights else ":"
        return weights + (joiner + self.options if self.options else "")

    def run(self, tell: Tell, training: Callable[[Run, float], None]) -> list[dict[str, Any]]:
        """All rounds; what was measured before the first and after each."""
        weights, rows = self.agent, []
        for number in range(self.rounds + 1):
            place = self.folder / f"round-{number}"
            place.mkdir(exist_ok=True)
            if number:
                weights = self.train(place, self.folder / f"round-{number - 1}", weights, training)
            rows.append(self.measure(place, weights, tell))
            if all(one["proven"] for one in rows[-1]["sides"]):
                break
        return rows

    def train(
        self, place: Path, before: Path, weights: str, training: Callable[[Run, float], None]
    ) -> str:
        """A round's training; gives the weights that it ends with."""
        minutes = self.minutes
        weights = "" if self.anew else weights
        if self.oracle_start:
            config = self.teaching(before / STARTS, weights)
            weights = train_for(
                place / ORACLE_START, self, "supervised", config, ORACLE_SHARE * minutes, training
            )
            minutes *= 1 - ORACLE_SHARE
        config = dataclasses.replace(self.config, init=weights, **self.changes(before))
        return train_for(place / TRAINED, self, self.method, config, minutes, training)

    def changes(self, before: Path) -> dict[str, Any]:
        """How the found mistakes enter a training, by its method; by the start alone, if anew."""
        if self.anew:
            return {}
        if hasattr(self.config, "start_positions"):
            return {"start_positions": str(before / STARTS)} if (before / STARTS).exists() else {}
        return {"opponent": "adversary:epsilon=0.1"}

    def teaching(self, found: Path, weights: str) -> Any:
        """Settings of the supervised start: exact values of found and seen positions."""
        from ludus.learn.supervised import Config

        texts = found.read_text() if found.exists() else ""
        if self.seen:
            texts += reading.text(self.seen)
        file = found.with_name("oracle-start.txt")
        write(file, texts.encode())
        same = {name: getattr(self.config, name) for name in ("network", "width", "blocks")}
        same |= {"planes": self.config.planes, "activation": self.config.activation}
        judged = "" if self.truth == "own" else f":truth={self.truth}"
        same |= {"steps": self.start_steps, "teacher": f"perfect{judged}"}
        return Config(states="file", state_file=str(file), init=weights, eval_freq=0, **same)

    def measure(self, place: Path, weights: str, tell: Tell) -> dict[str, Any]:
        """Exploit and prove; the lines to begin from are written for the next round."""
        file = place / MEASURED
        if file.exists():
            return read_measured(file)
        spelling = self.spelling(weights)
        sides, starts = [], []
        for side in self.sides:
            frozen = freeze(agent(spelling), self.game, seed=self.seed, threads=self.threads)
            told, lines = self.measure_side(frozen, side, tell)
            sides.append(told)
            starts += lines
        texts = start_lines(self.game, starts)
        if texts:
            write(place / STARTS, "".join(line + "\n" for line in texts).encode())
        found = {"agent": spelling, "sides": sides, "starts": len(texts)}
        write(file, (json.dumps(found, indent=1) + "\n").encode())
        return found

    def measure_side(
        self, frozen: Frozen, side: int, tell: Tell
    ) -> tuple[dict[str, Any], list[tuple[int, ...]]]:
        """What was found of one side, and the lines of its mistakes."""
        opponent = opponent_of("adversary:epsilon=0.1", self.oracle, self.truth)
        results, moved = play_games(frozen, side, opponent, self.games, self.seed, tell)
        visits = judge_visits(moved, self.oracle)
        lines = [visit.line for visit in visits if visit.mistaken]
        wanted = 1 if self.aim == WINS else 0
        walked = Proof(
            frozen,
            side,
            self.aim,
            judge=self.oracle,
            wanted=wanted,
            progress=tell,
            most=self.positions,
        )
        verdict = walked.run()
        lines += [tuple(walked.walk.line(one)[:-1]) for one in walked.walk.mistakes]
        if not verdict.complete:
            search = BestFirst(frozen, side, self.oracle)
            found = search.run(self.positions // 4, tell)
            lines += [visit.line for visit in found if visit.mistaken]
        facts = facts_of(walked, verdict, self.aim)
        if verdict.line and not facts["proven"]:  # also one that goes round in a circle
            lines.append(tuple(verdict.line[:-1]))
        return {
            "side": SIDES[side],
            "games": len(results),
            "wins": results.count(1),
            "draws": results.count(0),
            "losses": results.count(-1),
            "mistakes_in_games": count_mistakes(visits)["total"],
            **facts,
        }, lines


def read_measured(file: Path) -> dict[str, Any]:
    """What a round was measured to be, as it was written."""
    found = reading.load(file)
    sides = found.get("sides") if isinstance(found, dict) else None
    if not isinstance(sides, list) or not all(
        isinstance(one, dict) and "proven" in one for one in sides
    ):
        raise ValueError(f"{file} is damaged: remove it, and its round is measured again")
    return dict(found)


def facts_of(walked: Proof, verdict: Verdict, aim: str) -> dict[str, Any]:
    """What following all lines came to."""
    walk = walked.walk
    return {
        "verdict": verdict.verdict,
        "proven": verdict.verdict == WINS or (aim == UNBEATEN and verdict.verdict == UNBEATEN),
        "complete": verdict.complete,
        "positions": len(walk.seen),
        "replies": walk.asked,
        "plies": len(walk.levels),
        "mistakes": len(walk.mistakes),
    }


def train_for(
    folder: Path,
    asked: Harden,
    method: str,
    config: Any,
    minutes: float,
    training: Callable[[Run, float], None],
) -> str:
    """Train in this folder, or go on there, until so many minutes are spent."""
    if (folder / "config.json").exists():
        run = Run(folder)
    else:
        run = Run(folder, asked.game, method, config, seed=asked.seed)
    spent = (run.folder.course() or [{}])[-1].get("time_elapsed", 0.0) / 60
    if spent < minutes:
        training(run, minutes - spent)
    return f"{run.spelled}@last"


def start_lines(game: Game, lines: Sequence[tuple[int, ...]]) -> list[str]:
    """Where games of the next training begin: at mistakes, a few plies before, and beside them."""
    found: dict[str, None] = {}
    for line in dict.fromkeys(lines):
        for back in range(min(BACK, len(line)) + 1):
            found[line_text(game, line[: len(line) - back])] = None
        state = replay(game, line)
        for action in state.legal():
            if state.play(action).outcome is None:
                found[line_text(game, (*line, action))] = None
        if len(found) >= MOST_STARTS:
            break
    return list(found)[:MOST_STARTS]


def replay(game: Game, line: Sequence[int]) -> State:
    """The state after a line."""
    state = game.start()
    for action in line:
        state = state.play(action)
    return state
