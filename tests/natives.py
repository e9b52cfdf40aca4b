"""Every class of the native module: how one of each is made, and which of them are only values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import ludus
from ludus import _core

BUSY = "at work in another thread or call"
PLACES = "kingcourtesan:size=3", "checkers", "chinesecheckers:size=3,pieces=3"

# Nothing of them can change once they are made, so any number of threads may read them.
VALUES = {*_core.games, "Endgames", "RowTable"}
# What is told when an object is made, and stays.
CONSTANTS = {"__len__", "chancy", "max_rows", "num_actions", "shape", "size"}


def start(spelling: str) -> Any:
    return ludus.game(spelling).start()


def batch(spelling: str) -> Any:
    return _core.batch(start(spelling), 4, 0, "full", True)


def versus() -> Any:
    return _core.versus(start("tictactoe"), 4, 0, "full", (False, True, 0.0), opponent="random")


def endgames() -> tuple[Any, Any]:
    """Those of a board small enough to be solved at once, and room for their table."""
    made = _core.endgames(start(PLACES[0]))
    return made, np.zeros(made.size, np.uint8)


def endgame_solver() -> Any:
    made, table = endgames()
    return made.solver(table)


def endgame_oracle() -> Any:
    made, table = endgames()
    made.solver(table).work(60.0, 1)
    return made.oracle(table)


def reachable(state: Any) -> Any:
    made = _core.reachable(state, 100_000)
    made.work(60.0)
    return made


def row_table() -> Any:
    solver = _core.row_solver(start(PLACES[2]))
    solver.work(60.0)
    return _core.row_table(start(PLACES[2]), solver.buffers()["values"])


def cathedral_endgame() -> Any:
    return _core.cathedral_endgame(start("cathedral"), table_bytes=1 << 20)


MAKERS: dict[str, Callable[[], Any]] = {
    "Mcts": lambda: _core.mcts(start("connect4"), threads=2),
    "Forest": lambda: _core.forest(start("connect4"), 3, threads=2),
    "SelfPlay": lambda: _core.selfplay(start("connect4"), 3, simulations=8),
    "VersusGames": versus,
    "Connect4Solver": lambda: _core.connect4_solver(start("connect4"), table_bits=12),
    "CathedralEndgame": cathedral_endgame,
    "EndgameSolver": endgame_solver,
    "Truth": endgame_oracle,
    "Reachable": lambda: reachable(start("tictactoe")),
    "RowSolver": lambda: _core.row_solver(start(PLACES[2])),
    "connect4_batch": lambda: batch("connect4:rows=5"),
    "connect4_fast_batch": lambda: batch("connect4"),
    "chinesecheckers_batch": lambda: batch("chinesecheckers:size=9,pieces=10"),
    "chinesecheckers_fast_batch": lambda: batch("chinesecheckers"),
    "connect4_alphabeta": lambda: _core.alphabeta(start("connect4:rows=5")),
    "connect4_fast_alphabeta": lambda: _core.alphabeta(start("connect4")),
    "chinesecheckers_alphabeta": lambda: _core.alphabeta(start("chinesecheckers:size=9,pieces=10")),
    "chinesecheckers_fast_alphabeta": lambda: _core.alphabeta(start("chinesecheckers")),
}
for _game in _core.games:
    MAKERS.setdefault(f"{_game}_batch", lambda name=_game: batch(name))
    MAKERS.setdefault(f"{_game}_alphabeta", lambda name=_game: _core.alphabeta(start(name)))


def classes() -> list[str]:
    """The names of all bound classes."""
    return [name for name in dir(_core) if isinstance(getattr(_core, name), type)]


def members(cls: type) -> Iterator[tuple[str, str]]:
    """The name and the signature of whatever Python can ask an object of the class."""
    for name in dir(cls):
        member = getattr(cls, name)
        asked = getattr(member, "fget", member)
        for signature, *_ in getattr(asked, "__nb_signature__", ()):
            if not name.startswith("__") or name == "__len__":
                yield name, signature


def plausible_arguments(signature: str) -> list[Any]:
    """Arguments that a method takes, as far as their types go."""
    inner = signature[signature.index("(") + 1 : signature.rindex(") ->")]
    given: list[Any] = []
    for part in re.split(r", (?=\w+:)", inner)[1:]:
        kind = part.split(":", 1)[1].split(" = ")[0].strip()
        if "| None" in kind:
            given.append(None)
        elif kind.startswith("ndarray"):
            given.append(np.zeros(1, re.findall(r"dtype=(\w+)", kind)[0]))
        else:
            plain = {"int": 0, "float": 0.0, "bool": False, "dict": {}, "list": []}
            given.append([] if kind.endswith("Sequence") else plain.get(kind, 0))
    return given


def ask(made: Any, name: str, signature: str) -> Any:
    """Call a method, or read a property."""
    if name == "__len__":
        return len(made)
    found = getattr(made, name)
    return found(*plausible_arguments(signature)) if callable(found) else found
