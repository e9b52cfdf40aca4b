"""One oracle a game, found by the game's name."""

from __future__ import annotations

from functools import cache
from typing import Any

from ludus.agent import check_state
from ludus.game import State, game_of
from ludus.truth.oracle import Oracle, module_of, oracle


@cache
def cached_oracle(spelling: str) -> Oracle:
    """Oracles are shared: what one agent looked up, all know."""
    return oracle(spelling)


def oracle_of(state: State, known: Oracle | None, truth: str = "own") -> Oracle:
    """The oracle of the game that a state belongs to; the known one, if it is that.

    `truth=full` is the full game's, where the state is of a part of it.
    """
    check_state(state)
    spelling: Any = getattr(state, "spelling", None)
    if known is not None and (spelling is None or known.game.spelling == spelling):
        return known
    if spelling is None:
        raise ValueError("a game written in Python has no oracle of its own")
    if truth != "own" and "truth" not in module_of(on := game_of(state)).OPTIONS:
        raise ValueError(f"truth={truth} has no effect in {on.name}: it has only one truth")
    more = "" if truth == "own" else f"{',' if ':' in spelling else ':'}truth={truth}"
    return cached_oracle(spelling + more)
