"""Where a game raised while it was checked: the file, the line, and the moves that led there."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from ludus.game import Game, State
from ludus.laws.line import RandomGame

MOST_MOVES = 40  # of a line of moves that a sentence holds


def failure(game: Game, error: Exception, line: RandomGame) -> str:
    """What was raised, at which line of the game's file, and after which moves."""
    frames = list(frames_of(error))
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{what}{innermost_line(game, frames)}{moves_to(game, frames, line)}"


def frames_of(error: Exception) -> Iterator[tuple[FrameType, int]]:
    """Each frame that an error passed, outermost first, with its line."""
    trace = error.__traceback__
    while trace:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def innermost_line(game: Game, frames: list[tuple[FrameType, int]]) -> str:
    """The innermost line of the game's own file."""
    own = file_of(game)
    lines = [number for frame, number in frames if frame.f_code.co_filename == own]
    return f" at {Path(own).name}:{lines[-1]}" if own and lines else ""


def file_of(game: Game) -> str:
    """The file of a class that a game is written as; "" for others."""
    cls = type(getattr(game.start(), "inner", None))
    try:
        return "" if cls is type(None) else inspect.getfile(cls)
    except (TypeError, OSError):
        return ""


def moves_to(game: Game, frames: list[tuple[FrameType, int]], line: RandomGame) -> str:
    """The moves to the state that a law looked at; where it looked at none, those of the game."""
    looked = [frame.f_locals.get("state") for frame, _ in frames]
    at = len(line.actions)
    for index, state in enumerate(line.states):
        if any(state is one for one in looked):
            at = index
    written = [move(game, *step) for step in zip(line.states, line.actions[:at], strict=False)]
    if not written:
        return " in the first state"
    shown = written if len(written) <= MOST_MOVES else ["...", *written[-MOST_MOVES:]]
    return f" after {' '.join(shown)}"


def move(game: Game, state: State, action: int) -> str:
    """The notation of an action, or its number where the notation is what raises."""
    try:
        return game.move(state, action)
    except Exception:  # somebody's code, which may fail in any way
        return str(action)
