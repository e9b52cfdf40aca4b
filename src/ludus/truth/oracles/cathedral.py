"""Cathedral: endgames by exact search within a budget of nodes; for a table it is too large."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from ludus import _core
from ludus.checks import check_whole
from ludus.game import Game, State
from ludus.play import SLICE_SECONDS
from ludus.truth.oracle import NoTruth, Oracle, require_actions
from ludus.truth.solving import Job

OPTIONS = ("nodes",)
FAR = (
    "nobody can play Cathedral perfectly from its start: exact search knows only its last moves; "
    "let `uct` or `alphabeta` play, or begin a match near the end, with --openings FILE"
)
NODES = 20_000_000  # some ten seconds
SOLVED = 64  # positions that are remembered after they were searched in slices
SHOWN_SECONDS = 0.03  # a slice


class CathedralOracle(Oracle):
    """Searches each position to the end of the game, or says that it is too far."""

    def __init__(self, game: Game, nodes: int) -> None:
        super().__init__(game)
        self.nodes = nodes
        self._solved: OrderedDict[int, Any] = OrderedDict()  # what is known of actions, by key

    def solving(self, state: Any) -> Iterator[None]:
        """Search every action of a state to the end of the game."""
        if state.outcome is not None or state.key in self._solved:
            return
        search = _core.cathedral_endgame(state, every_action=True)
        while not search.run(self.nodes - search.nodes, SHOWN_SECONDS):
            self._check(search)
            yield
        self._solved[state.key] = search.values()
        while len(self._solved) > SOLVED:
            self._solved.popitem(last=False)

    def _check(self, search: Any) -> None:
        """Refuse to go farther than the budget."""
        if search.nodes >= self.nodes:
            raise NoTruth(
                f"the end of this game is farther than {self.nodes:,} nodes of exact search; "
                "`cathedral:nodes=...` allows more in `ludus solve`, and `uct` plays without truth"
            )

    def value(self, state: State) -> float:
        if state.outcome is not None:
            return float(state.outcome)
        return float(self._search(state, every_action=False).value)

    def values(self, state: State) -> dict[int, float]:
        require_actions(state)
        known = self._solved.get(state.key)
        found = known or self._search(state, every_action=True).values()
        return {action: float(value) for action, value in found}

    def _search(self, state: Any, every_action: bool) -> Any:
        search = _core.cathedral_endgame(state, every_action=every_action)
        while not search.run(self.nodes - search.nodes, SLICE_SECONDS):
            self._check(search)
        return search


def job(game: Game, *, threads: int = 1, nodes: int = NODES) -> Job | None:
    """Nothing is kept."""
    return None


def oracle(game: Game, *, nodes: int = NODES) -> Oracle:
    """The oracle, which knows endgames."""
    return CathedralOracle(game, check_whole("nodes", nodes, 1, 10**15))
