"""All lines of play against a frozen agent, ply by ply: every move of the opponent, one of its own.

Positions that can be reached in several ways are met once, at the ply where they come first. The
order is fixed (by name within a ply), so a walk that begins again with the answers so far comes to
the same end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ludus.game import State
from ludus.lab.answers import UNJUDGED, ReplyStore
from ludus.lab.frozen import BATCH, Frozen
from ludus.lab.positions import (
    NAMES,
    line_from,
    name_of,
    names_array,
    places_among,
    position_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.lab.positions import Names
    from ludus.truth.oracle import Oracle

SHARE = 8 * BATCH  # positions of a ply that are expanded at once
# Names of positions, and those of what they lead to.
Edges = Callable[["Names", "Names"], None]


@dataclass(frozen=True)
class End:
    """A line of play that ends: where it left the walk, and what it came to for the agent."""

    ply: int  # at which the last position was met
    row: int  # among those of its ply
    action: int
    result: int  # 1 won, 0 drawn, -1 lost


@dataclass(frozen=True)
class Mistake:
    """A reply that gives the exact value away: the line was not followed beyond it."""

    ply: int
    row: int
    action: int
    worth: int  # what is left of it: 0 or -1


@dataclass
class Level:
    """The positions that come first at one ply, by name."""

    names: Names
    parents: NDArray[np.int32]  # rows of the level before
    actions: NDArray[np.uint16]
    own: NDArray[np.bool_]  # the agent is to move
    replies: NDArray[np.uint16]  # of its own positions, in their order


@dataclass
class Walk:
    """What was met so far, and what it came to."""

    frozen: Frozen
    side: int
    answers: ReplyStore
    judge: Oracle | None = None  # lines end where the agent gives away what it says
    wanted: int = 1  # the least value that the agent may leave itself: 1 a win, 0 a draw
    levels: list[Level] = field(default_factory=list)
    seen: Names = field(default_factory=lambda: np.empty(0, NAMES))
    ends: dict[int, int] = field(default_factory=lambda: {-1: 0, 0: 0, 1: 0})
    first: dict[int, End] = field(default_factory=dict)  # the first end of each kind
    mistakes: list[Mistake] = field(default_factory=list)
    returns: int = 0  # moves that lead to a position which came before: lines may be cyclic
    progress: Callable[[float, str], None] | None = None
    asked: int = 0  # positions that the agent itself was asked about
    judged: int = 0

    def plies(
        self,
        stop: Callable[[Walk], bool] = lambda walk: False,
        edges: Edges | None = None,
    ) -> Iterator[int]:
        """Go on, ply by ply, until no line is open or `stop` says so; gives how many are open."""
        start = position_of(self.frozen.game.start(), self.frozen.canonical)
        frontier = Frontier([start], [name_of(start)], [0], [0])
        while frontier.states:
            states = self._enter(frontier)
            frontier = Frontier()
            for low in range(0, len(states), SHARE):
                self._expand(states, low, frontier, edges)
                if stop(self):
                    return
            self.answers.merge()
            yield len(frontier.states)

    @property
    def told(self) -> str:
        lost = f", {len(self.mistakes):,} mistakes" if self.judge else ""
        return f"ply {len(self.levels) - 1}, {len(self.seen):,} positions{lost}"

    def _enter(self, frontier: Frontier) -> list[State]:
        """The next ply, in order."""
        names = names_array(frontier.names)
        order = np.argsort(names, kind="stable")
        states = [frontier.states[row] for row in order]
        own = np.array([state.player == self.side for state in states], np.bool_)
        parents = np.array(frontier.parents, np.int32)[order]
        actions = np.array(frontier.actions, np.uint16)[order]
        replies = np.zeros(int(own.sum()), np.uint16)
        self.levels.append(Level(names[order], parents, actions, own, replies))
        self.seen = np.sort(np.concatenate([self.seen, names]), kind="stable")
        return states

    def _expand(
        self, states: Sequence[State], low: int, frontier: Frontier, edges: Edges | None
    ) -> None:
        """All that some positions of the newest ply lead to."""
        level, ply = self.levels[-1], len(self.levels) - 1
        share = states[low : low + SHARE]
        mine = [row for row, state in enumerate(share, low) if level.own[row]]
        worths = dict(zip(mine, self._reply(states, mine), strict=True))
        found = Frontier()
        own = int(level.own[:low].sum())
        for row, state in enumerate(share, low):
            if level.own[row]:
                moves = [int(level.replies[own])]
                own += 1
                if worths[row] != UNJUDGED and worths[row] < self.wanted:
                    self.mistakes.append(Mistake(ply, row, moves[0], int(worths[row])))
                    continue
            else:
                moves = state.legal()
            for action in moves:
                after = position_of(state.play(action), self.frozen.canonical)
                if after.outcome is None:
                    found.add(after, name_of(after), row, action)
                    continue
                winner = after.winner
                result = 0 if winner is None else 1 if winner == self.side else -1
                self.ends[result] += 1
                self.first.setdefault(result, End(ply, row, action, result))
        if found.names:
            names = names_array(found.names)
            old = places_among(names, self.seen)[1]
            self.returns += int(old.sum())
            frontier.add_new(found, old)
            if edges:
                edges(level.names[found.parents], names)

    def _reply(self, states: Sequence[State], mine: list[int]) -> list[int]:
        """Let the agent answer in these rows, or look its answers up; what each is worth to it."""
        level = self.levels[-1]
        first = int(level.own[: mine[0]].sum()) if mine else 0
        worths: list[int] = []
        for at in range(0, len(mine), BATCH):
            rows = mine[at : at + BATCH]
            names = level.names[rows]
            known, actions, found = self.answers.look_up(names)
            open_rows = np.flatnonzero(~known)
            if len(open_rows):
                asked = [states[rows[row]] for row in open_rows]
                actions, found = actions.copy(), found.copy()
                actions[open_rows] = self.frozen.replies(asked)
                found[open_rows] = UNJUDGED
                self.asked += len(open_rows)
            bare = np.flatnonzero(found == UNJUDGED) if self.judge else np.empty(0, np.int64)
            if len(bare):
                found = found.copy()
                chosen = [(states[rows[row]], int(actions[row])) for row in bare]
                found[bare] = self._judge(chosen)
            changed = np.union1d(open_rows, bare)
            if len(changed):
                self.answers.add(names[changed], actions[changed], found[changed].astype(np.int8))
            level.replies[first + at : first + at + len(rows)] = actions
            worths += found.tolist()
            if self.progress:
                self.progress((rows[-1] + 1) / len(states), self.told)
        return worths

    def _judge(self, chosen: list[tuple[State, int]]) -> list[int]:
        """What the agent's replies leave it."""
        assert self.judge is not None
        self.judged += len(chosen)
        after = [position_of(state.play(action), False) for state, action in chosen]
        values = self.judge.values_of(after)
        signs = [1 if one.player == self.side else -1 for one in after]
        return [round(sign * float(value)) for sign, value in zip(signs, values, strict=True)]

    def line(self, end: End | Mistake) -> list[int]:
        """The actions from the start to this end, the last one included."""
        images = [end.action]
        row = end.row
        for level in reversed(self.levels[1 : end.ply + 1]):
            images.append(int(level.actions[row]))
            row = int(level.parents[row])
        return line_from(self.frozen.game.start(), images[::-1], self.frozen.canonical)

    def line_to(self, ply: int, row: int) -> list[int]:
        """The actions from the start to a position."""
        if ply == 0:
            return []
        level = self.levels[ply]
        return self.line(End(ply - 1, int(level.parents[row]), int(level.actions[row]), 0))

    def table(self) -> tuple[Names, NDArray[np.uint16]]:
        """The agent's reply in each of its own positions, by name."""
        names = np.concatenate([level.names[level.own] for level in self.levels])
        replies = np.concatenate([level.replies for level in self.levels])
        order = np.argsort(names, kind="stable")
        return names[order], replies[order]


@dataclass
class Frontier:
    """Positions that were just met, with the row and action that led there."""

    states: list[State] = field(default_factory=list)
    names: list[bytes] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    known: set[bytes] = field(default_factory=set)

    def add(self, state: State, name: bytes, parent: int, action: int) -> None:
        self.states.append(state)
        self.names.append(name)
        self.parents.append(parent)
        self.actions.append(action)

    def add_new(self, found: Frontier, old: NDArray[np.bool_]) -> None:
        """Those that nobody has met, each once."""
        for at in np.flatnonzero(~old).tolist():
            name = found.names[at]
            if name not in self.known:
                self.known.add(name)
                self.add(found.states[at], name, found.parents[at], found.actions[at])
