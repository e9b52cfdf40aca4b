"""Whether a frozen agent always wins, cannot be beaten, or which shortest line beats it.

Lines of play are those of positions: what the rules make of a past is added here. Repetition and
ply caps only end lines as draws. A line that comes to a loss in the fewest plies meets no position
twice, so repetition does not save the agent. An agent that wins every line that ends always wins if
no line can go round in a circle, and the longest is not ended by a ply cap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ludus.game import Game, State
from ludus.lab.answers import ReplyStore
from ludus.lab.cycles import Moves
from ludus.lab.frozen import Frozen
from ludus.lab.positions import line_from, name_of, names_array, places_among, position_of
from ludus.lab.walk import End, Walk

if TYPE_CHECKING:
    from ludus.truth.oracle import Oracle

WINS, UNBEATEN, BEATEN, DRAWN, OPEN = "always wins", "cannot be beaten", "beaten", "drawn", "open"
SIDES = ("first", "second")
Report = Callable[[float, str], None]
AROUND = 1000  # plies of a line that goes round in a circle, where no rule ends it


@dataclass(frozen=True)
class Verdict:
    """What all lines of play came to, with the line that shows what is not so."""

    verdict: str
    walk: Walk
    line: tuple[int, ...] = ()
    why: str = ""  # how that line ends
    plies: int | None = None  # of the longest line, where there is one
    complete: bool = True  # all lines were followed to their ends

    @property
    def proven(self) -> bool:
        return self.verdict in (WINS, UNBEATEN)


@dataclass
class Proof:
    """All lines of play against an agent; with the answers so far it goes on where it was."""

    frozen: Frozen
    side: int
    aim: str = UNBEATEN  # end at the first loss; with `always wins` at the first draw too
    answers: ReplyStore = field(default_factory=ReplyStore)
    judge: Oracle | None = None
    wanted: int = 1
    progress: Report | None = None
    most: int | None = None  # positions after which it is given up
    walk: Walk = field(init=False)

    def __post_init__(self) -> None:
        check_game(self.frozen.game)
        self.walk = self.new_walk()

    @property
    def game(self) -> Game:
        return self.frozen.game

    def new_walk(self) -> Walk:
        made = Walk(self.frozen, self.side, self.answers, self.judge, self.wanted)
        made.progress = self.progress
        return made

    def run(self) -> Verdict:
        """Follow all lines to their ends, or until one of them decides."""
        stop = {-1, 0} if self.aim == WINS else {-1}
        if self.judge is not None:
            stop = set()
        for _ in self.walk.plies(lambda walk: self.is_over(stop)):
            pass
        found = self.verdict()
        return found if not self.given_up else replace(found, complete=False)

    @property
    def given_up(self) -> bool:
        """Whether there were too many positions."""
        return self.most is not None and len(self.walk.seen) > self.most

    def is_over(self, stop: set[int]) -> bool:
        """Whether a line has decided, or there are too many."""
        return self.given_up or any(result in self.walk.first for result in stop)

    def verdict(self) -> Verdict:
        """What the lines that were followed come to."""
        walk = self.walk
        if end := walk.first.get(-1):
            return self._lost(end)
        if walk.mistakes:
            mistake = walk.mistakes[0]
            why = "the agent gives away what it had"
            return Verdict(OPEN, walk, tuple(walk.line(mistake)), why)
        if self.given_up:
            return Verdict(OPEN, walk, why="there are more positions than were asked for")
        if end := walk.first.get(0):
            verdict = DRAWN if self.aim == WINS else UNBEATEN
            followed = self.aim == UNBEATEN or self.judge is not None
            line = tuple(walk.line(end))
            return Verdict(verdict, walk, line, "the game is drawn", complete=followed)
        if not walk.returns:
            return self._longest(tuple(walk.line_to(len(walk.levels) - 1, 0)), len(walk.levels))
        return self._without_draws()

    def _lost(self, end: End) -> Verdict:
        line = tuple(self.walk.line(end))
        state = self.game.start()
        for ply, action in enumerate(line):
            if state.outcome is not None:
                why = f"the game is drawn after {ply} plies, before any line is lost"
                return Verdict(UNBEATEN, self.walk, line[:ply], why, complete=False)
            state = state.play(action)
        return Verdict(BEATEN, self.walk, line, "the agent has lost")

    def _without_draws(self) -> Verdict:
        """Every line that ends is won. Does every line end?"""
        moves = Moves(self.walk.seen)
        for _ in self.new_walk().plies(edges=moves.add):
            pass
        heights = moves.heights()
        if (heights < 0).any():
            state = self._follow(heights, endless=True)
            ends = "is drawn by repetition" if state[0].outcome is not None else "never ends"
            verdict = DRAWN if self.aim == WINS else UNBEATEN
            return Verdict(verdict, self.walk, tuple(state[1]), f"the game {ends}")
        _, line = self._follow(heights, endless=False)
        return self._longest(tuple(line), int(heights.max()) + 1)

    def _longest(self, line: tuple[int, ...], plies: int) -> Verdict:
        """Won, unless a ply cap ends the longest line before its last move."""
        state = self.game.start()
        for ply, action in enumerate(line):
            if state.outcome is not None:
                why = f"the rules end the game as drawn after {ply} plies"
                verdict = DRAWN if self.aim == WINS else UNBEATEN
                return Verdict(verdict, self.walk, line[:ply], why)
            state = state.play(action)
        if state.outcome is not None:
            why = f"the rules end the game as drawn after {len(line)} plies"
            return Verdict(DRAWN if self.aim == WINS else UNBEATEN, self.walk, line, why)
        return Verdict(WINS, self.walk, plies=plies)

    def _follow(self, heights: np.ndarray, endless: bool) -> tuple[State, list[int]]:
        """A line through positions that never end, or the longest, up to its last position."""
        names, replies = self.walk.table()
        canonical = self.frozen.canonical
        state = self.game.start()
        line: list[int] = []
        left = int(heights.max())
        while state.outcome is None and len(line) < AROUND and (endless or left):
            image = position_of(state, canonical)
            moves = image.legal()
            if image.player == self.side:
                at, _ = places_among(names_array([name_of(image)]), names)
                moves = [int(replies[at[0]])]
            left -= 1
            for action in moves:
                after = position_of(image.play(action), canonical)
                if after.outcome is not None:
                    continue
                at, _ = places_among(names_array([name_of(after)]), self.walk.seen)
                if heights[at[0]] == (-1 if endless else left):
                    break
            else:
                raise AssertionError("a height comes from a higher one")
            line += line_from(state, [action], canonical)
            state = state.play(line[-1])
        return state, line


def check_game(game: Game) -> None:
    """Refuse rules whose ends depend on more of the past than a proof can follow."""
    if game.parameters.get("no_progress"):
        raise ValueError(
            f"{game.spelling} ends games without progress as drawn, which depends on the whole "
            "past: prove it with no_progress=0"
        )
