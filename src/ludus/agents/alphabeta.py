"""`alphabeta`: the best line of play to a depth, deepened while the budget lasts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludus import _core
from ludus.agent import ForgetsOnCopy, Judge, Thought, find_judge, game_key
from ludus.game import State, read_value
from ludus.locks import TurnLock
from ludus.options import check, option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_DEPTH = 128
SECONDS = 0.1  # when no budget is given
SLICE_SECONDS = 0.05  # how long native work may keep Ctrl-C waiting
SHOWN_SECONDS = 0.03  # a slice of a search that is watched


@dataclass
class AlphaBeta(ForgetsOnCopy):
    """Iterative deepening alpha-beta with the game's judge, or a network, at the horizon.

    The budget is a depth in plies, a number of nodes, seconds, or several: the first to be reached
    ends the thought. `lines` is a depth for games of uneven breadth: as deep as that many lines of
    play would reach if every position had as many moves as this one, so that Cathedral is searched
    to one ply when it opens and to several when it fills up.
    """

    depth: int | None = option(None, "plies to search", low=0, high=MAX_DEPTH)
    nodes: int | None = option(None, "positions a move", low=0, high=2**63)
    seconds: float | None = option(
        None, f"seconds a move; {SECONDS} if no budget is given", low=0, high=10**9
    )
    lines: int | None = option(
        None, "as deep as a full tree of so many leaves reaches", low=0, high=2**63
    )
    table: int = option(32, "megabytes of transposition table; 0 for none", low=0, high=2**20 - 1)
    reuse: bool = option(True, "keep the table between the moves of a game")
    judge: str = option(
        "", "evaluation at the horizon: runs/NAME or zoo/NAME; none for the game's own"
    )
    quiescence: bool = option(True, "play out forced captures before evaluating")
    multi: bool = option(False, "value every move; equally good ones share the policy")
    weights: str = option("", "of the evaluation's terms: material:2+mobility:0")
    seed: int = option(0, "seed of all its random numbers", low=0, high=2**64 - 1)
    _judge: Judge | None = field(default=None, init=False, repr=False, compare=False)
    _last: Any = field(default=None, init=False, repr=False, compare=False)  # the last search
    _place: tuple[str, int] = field(default=("", 0), init=False, repr=False, compare=False)
    _alone: TurnLock = field(default_factory=TurnLock, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check what a person may have spelled."""
        check(self)
        if read_weights(self.weights) and self.judge:
            raise ValueError(f"weights are those of the game's own judge, not of {self.judge}")
        self._judge = find_judge(self.judge) if self.judge else None

    @property
    def native(self) -> bool:
        """Whether thinking leaves the interpreter free."""
        return self._judge is None

    @property
    def kept_bytes(self) -> int:
        """The memory that it may hold between two moves."""
        return self.table << 20 if self.reuse else 0

    def think(self, state: State, evaluate: Callable[[State], float] | None = None) -> Thought:
        """Search; `evaluate` judges positions at the horizon, and nothing is kept of that."""
        started = time.perf_counter()
        if evaluate is not None or not self.reuse:
            return self._think(self._search(state, evaluate), state, started)
        with self._alone:  # what it remembers is of one game at a time
            if self._alone.abandoned:  # the process forked in the middle of a search
                self._last, self._alone.abandoned = None, False
            place = game_key(state), getattr(state, "plies", 0)
            follows = self._place[0] == place[0] and self._place[1] <= place[1]
            earlier = self._last if follows else None
            self._last = None  # if anything fails, nothing is remembered
            search = self._search(state, None, earlier)
            thought = self._think(search, state, started)
            self._last, self._place = search, place
            return thought

    def _think(self, search: Any, state: State, started: float) -> Thought:
        for _ in self._slices(search, started, len(state.legal()), SLICE_SECONDS):
            pass
        return thought_of(search, state, started)

    def thinking(self, state: State) -> Iterator[Thought | None]:
        """The same search in slices; its table is its own, and not kept between moves."""
        started = time.perf_counter()
        search = self._search(state, None)
        for _ in self._slices(search, started, len(state.legal()), SHOWN_SECONDS):
            yield thought_of(search, state, started) if search.line else None

    def _search(
        self, state: State, evaluate: Callable[[State], float] | None, after: Any = None
    ) -> Any:
        many = self._judge.evaluate if self._judge is not None and evaluate is None else None
        return _core.alphabeta(
            state,
            weights=read_weights(self.weights),
            table_bytes=self.table << 20,
            quiescence=self.quiescence,
            multi=self.multi,
            evaluate=evaluate,
            evaluate_many=many,
            after=after,
        )

    def _slices(self, search: Any, started: float, moves: int, slice_: float) -> Iterator[None]:
        depth = MAX_DEPTH if self.depth is None else self.depth
        if self.lines is not None:
            depth = min(depth, depth_of(self.lines, moves))
        seconds = self.seconds
        if seconds is None:
            unlimited = self.nodes is None and self.depth is None and self.lines is None
            seconds = SECONDS if unlimited else math.inf
        nodes = 2**63 if self.nodes is None else self.nodes
        while True:
            left = started + seconds - time.perf_counter()
            allowed = nodes - search.nodes
            ended = search.run(depth, max(0, allowed), min(max(0, left), slice_))
            yield
            if ended or search.nodes >= nodes or time.perf_counter() - started >= seconds:
                return


def thought_of(search: Any, state: State, started: float) -> Thought:
    """What a search has come to."""
    return Thought(
        policy(search, state),
        search.value,
        tuple(search.line),
        search.nodes,
        time.perf_counter() - started,
        search.proven,
        values={
            action: max(-1.0, min(1.0, score)) for action, score, exact in search.scores() if exact
        },
    )


def depth_of(lines: int, moves: int) -> int:
    """The greatest depth whose full tree of so many moves has at most `lines` leaves, from 1 on."""
    depth, leaves = 1, moves**2
    while leaves <= lines and depth < MAX_DEPTH and moves > 1:
        depth, leaves = depth + 1, leaves * moves
    return depth if moves > 1 else MAX_DEPTH


def policy(search: Any, state: State) -> NDArray[np.float64]:
    """All on the best move, or shared by those that are exactly as good."""
    import numpy as np

    best = [search.line[0]]
    equal = [action for action, score, exact in search.scores() if exact and score == search.score]
    if best[0] in equal:
        best = equal
    result = np.zeros(state.num_actions)
    result[best] = 1 / len(best)
    return result


def read_weights(spelled: str) -> dict[str, float]:
    """Read `name:number+name:number`."""
    weights: dict[str, float] = {}
    for part in filter(None, str(spelled).split("+")):
        name, colon, number = part.partition(":")
        value = read_value(number)
        if not colon or name in weights or not isinstance(value, int | float):
            raise ValueError(f"weights are written name:number+name:number, unlike {spelled!r}")
        weights[name] = value
    return weights


AGENT = AlphaBeta
