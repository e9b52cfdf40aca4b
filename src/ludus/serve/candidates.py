"""Where puzzles are looked for: positions of a game, by counting from a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludus.game import Game, State
from ludus.serve.lines import Line, begin
from ludus.serve.scenes.chinesecheckers import coordinates
from ludus.truth.oracle import NoTruth

if TYPE_CHECKING:
    from numpy.random import Generator

EMPTY = (4, 25)  # cells of Connect Four: so late that the solver answers at once
BEFORE_END = {"tictactoe": 8, "chinesecheckers": 20, "kingcourtesan": 25}  # plies, at most
LONGEST = 80  # plies of a random game that is looked at
FORWARD = 0.9  # how often a piece of Chinese Checkers comes nearer to its goal


def check_game(game: Game) -> None:
    """Refuse games that have no puzzles, each with its reason."""
    if game.name not in FOUND:
        there = ", ".join(sorted(FOUND))
        raise NoTruth(f"there are no puzzles of {game.kind.title}; there are of {there}")
    if game.start().chancy:
        raise NoTruth("there are no puzzles of games of chance")


def candidate(game: Game, rng: Generator) -> Line | None:
    """A position that may be a puzzle; None if this draw came to the end of a game."""
    line: Line | None = FOUND[game.name](game, rng)
    return line


def play_before_the_end(game: Game, rng: Generator) -> Line | None:
    """A random game, some plies before it ended; None if it did not end soon."""
    line = begin(game)
    while line.state.outcome is None:
        if len(line.actions) == LONGEST:
            return None
        line = line.play(random_action(line.state, game, rng))
    most = min(BEFORE_END[game.name], len(line.actions))
    left = len(line.actions) - int(rng.integers(1, most + 1))
    return Line(game, None, line.states[: left + 1], line.actions[:left], line.results[:left])


def random_action(state: State, game: Game, rng: Generator) -> int:
    """Any action; in Chinese Checkers mostly one that comes nearer, or no game would end."""
    actions = state.legal()
    if game.name == "chinesecheckers" and rng.random() < FORWARD:
        size = game.parameters["size"]
        row = [sum(cell) * (1 - 2 * state.player) for cell in coordinates(size)]
        ends = ((action, divmod(action, size * size)) for action in actions)
        actions = [action for action, (a, b) in ends if row[b] > row[a]] or actions
    return int(rng.choice(actions))


def careful_play(game: Game, rng: Generator) -> Line | None:
    """Random plies of two who neither win nor let the other win at once, while they can."""
    cells = game.parameters["rows"] * game.parameters["columns"]
    low, high = EMPTY
    plies = cells - int(rng.integers(min(low, cells), min(high, cells) + 1))
    line = begin(game)
    for _ in range(plies):
        here = line.state
        if here.outcome is not None:
            return None
        quiet = [a for a in here.legal() if here.play(a).outcome is None]
        safe = [a for a in quiet if not wins_at_once(here.play(a))]
        choices = safe or quiet
        if not choices:
            return None
        line = line.play(int(rng.choice(choices)))
    return None if line.state.outcome is not None else line


def wins_at_once(state: State) -> bool:
    """Whether the player to move can end the game with a win."""
    return any(state.play(action).outcome == -1 for action in state.legal())


def endgame(game: Game, rng: Generator) -> Line | None:
    """Two or three pieces of draughts on the board, mostly kings."""
    counts = [(1, 1), (2, 1), (1, 2)][int(rng.integers(3))]
    squares = [int(square) for square in rng.permutation(32)[: sum(counts)] + 1]
    sides = []
    for side, count in zip("BW", counts, strict=True):
        own, squares = squares[:count], squares[count:]
        far = range(29, 33) if side == "B" else range(1, 5)  # where a man would be crowned
        kings = [square in far or rng.random() < 2 / 3 for square in own]
        sides.append(",".join("K" * king + str(at) for king, at in zip(kings, own, strict=True)))
    black, white = sides
    text = f"{'BW'[int(rng.integers(2))]}:W{white}:B{black}"
    try:
        line = begin(game, str(game.state(text)))
    except ValueError:
        return None
    return None if line.state.outcome is not None else line


FOUND: dict[str, Any] = {
    "tictactoe": play_before_the_end,
    "chinesecheckers": play_before_the_end,
    "kingcourtesan": play_before_the_end,
    "connect4": careful_play,
    "checkers": endgame,
}
