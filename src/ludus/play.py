"""Many actions at native speed: perft, random playouts, batches of games in step."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludus import _core
from ludus.checks import check_whole
from ludus.game import Game, State, as_game, check_planes, game_of
from ludus.resources import check_memory
from ludus.written import Written

if TYPE_CHECKING:
    import numpy as np

MAX_DEPTH = 64
SLICE_SECONDS = 0.1  # how long native work may keep Ctrl-C waiting


def rng(seed: int) -> np.random.Generator:
    """A generator that repeats with its seed."""
    import numpy as np

    return np.random.default_rng(seed)


def first_state(game: Game | State | str) -> State:
    """A game, or its spelling, stands for its start."""
    if isinstance(game, Game | str):
        return as_game(game).start()
    if isinstance(game, type) or not hasattr(game, "num_actions"):
        raise ValueError(f"this takes a game, its spelling or a state, not {game!r:.60}")
    return game


def is_native(game: Game | State | str) -> bool:
    """Whether native code plays it by itself, many games at once; it asks games in Python."""
    return not isinstance(first_state(game), Written)


def perft(
    game: Game | State | str,
    depth: int,
    *,
    turns: bool = False,
    progress: Callable[[float], None] | None = None,
) -> list[int]:
    """Count the lines of play of 1 to `depth` actions, or of whole turns."""
    total = [0] * check_whole("depth", depth, 1, MAX_DEPTH)
    state = first_state(game)
    share = 1 / max(1, len(state.legal()))
    for done, (_, nodes) in enumerate(perft_split(state, depth, turns=turns), 1):
        total = [a + b for a, b in zip(total, nodes, strict=True)]
        if progress:
            progress(done * share)
    return total


def perft_split(
    game: Game | State | str, depth: int, *, turns: bool = False
) -> Iterator[tuple[int, list[int]]]:
    """The same for each first action: yields the action and its counts."""
    check_whole("depth", depth, 1, MAX_DEPTH)
    state = first_state(game)
    if state.chancy:
        raise ValueError("perft counts lines of play, and this game has chance")
    count: Callable[[Any, int], list[int]] = _core.perft_turns if turns else _core.perft
    for action in state.legal():
        child = state.play(action)
        if turns and child.player == state.player:
            yield action, count(child, depth)
        else:
            yield action, [1, *(count(child, depth - 1) if depth > 1 else [])]


@dataclass(frozen=True)
class Playouts:
    """What a number of random games came to."""

    games: int
    wins: tuple[int, int]  # of the first and the second player
    draws: int
    plies: int
    seconds: float

    @property
    def rate(self) -> float:
        """Games per second."""
        return self.games / max(self.seconds, 1e-9)


def playouts(
    game: Game | State | str,
    games: int,
    *,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> Playouts:
    """Play random games to their end; the same for a seed whatever the number of threads."""
    check_whole("games", games, 1, 10**15)
    check_whole("seed", seed, 0, 2**64 - 1)
    check_whole("threads", threads, 1, 1024)
    state: Any = first_state(game)
    totals, done, size = [0, 0, 0, 0], 0, 16 * threads
    started = time.perf_counter()
    while done < games:
        size = min(size, games - done)
        before = time.perf_counter()
        counts = _core.playouts(state, seed, done, size, threads)
        totals = [a + b for a, b in zip(totals, counts, strict=True)]
        done += size
        if time.perf_counter() - before < SLICE_SECONDS:
            size *= 4
        if progress:
            progress(done / games)
    seconds = time.perf_counter() - started
    return Playouts(games, (totals[0], totals[1]), totals[2], totals[3], seconds)


def batch(
    game: Game | State | str,
    games: int,
    *,
    seed: int = 0,
    planes: str = "full",
    frame: str = "mover",
    shaping: str = "",
) -> Any:
    """Many games in step, each row anew when it ends.

    `look(features, masks, players)` writes what is to be seen, `step(actions, features, masks,
    players, outcomes, signals)` plays one action a row, writes the same and returns how many games
    ended, `sample(actions)` draws random legal actions. Arrays are the caller's: float32 features
    [games, planes, rows, columns], bool masks [games, num_actions], int8 players [games], float32
    outcomes [games], for who just acted, NaN while the game goes on; float32 signals [games, 2] of
    the game's `shaping`, for who just acted and for the other; int32 actions [games]. Actions and
    masks are in the mover's frame, or with `frame="absolute"` as `legal()` says them.

    `state(row)` and `put(row, state)` take a game out and put one in, `randoms(out)` and
    `put_randoms(states)` do it with the rows' generators (uint64 [games]), and `restart(rows)`
    gives games up (bool [games]).
    """
    check_whole("games", games, 1, 10**8)
    check_whole("seed", seed, 0, 2**64 - 1)
    if frame not in ("mover", "absolute"):
        raise ValueError(f"no frame {frame!r}; there are mover, absolute")
    state: Any = first_state(game)
    if not is_native(state):
        raise ValueError("a batch needs a native game, and this one is written in Python")
    check_planes(game_of(state), planes)
    check_memory(games * len(bytes(state)), f"a batch of {games:,} games")
    return _core.batch(state, games, seed, planes, frame == "mover", shaping)
