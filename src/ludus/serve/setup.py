"""Setting up a position by hand: the pieces and cells of a game whose text has a mark a cell."""

from __future__ import annotations

from typing import Any

from ludus.draw.checkers import pieces as pieces_on
from ludus.game import Game, State, is_registered

# The marks of each game's text: what it is called, and whose it is.
PIECES = {
    "tictactoe": {"x": ("cross", 0), "o": ("ring", 1)},
    "supertictactoe": {"x": ("cross", 0), "o": ("ring", 1)},
    "connect4": {"x": ("red stone", 0), "o": ("blue stone", 1)},
    "chinesecheckers": {"1": ("red piece", 0), "2": ("blue piece", 1)},
    "kingcourtesan": {
        "R": ("red king", 0),
        "r": ("red courtesan", 0),
        "B": ("blue king", 1),
        "b": ("blue courtesan", 1),
    },
    "checkers": {
        "b": ("red man", 0),
        "B": ("red king", 0),
        "w": ("blue man", 1),
        "W": ("blue king", 1),
    },
}
MOVERS = {
    "tictactoe": (" x", " o"),
    "supertictactoe": (" x", " o"),
    "connect4": ("", ""),  # the number of stones tells
    "chinesecheckers": (" 1", " 2"),
    "kingcourtesan": (" r", " b"),
}
EMPTY = "."


def setup(game: Game, state: State, board: Any) -> dict[str, Any] | str:
    """What a person sets up with, and what stands now; or a sentence why not."""
    if game.name == "cathedral":
        return "a city is not set up by hand: what is claimed depends on how it was built"
    if not is_registered(game.kind) or game.name not in PIECES:
        return f"{game.kind.title} has no position set up by hand"
    return {
        "pieces": [
            {"char": char, "label": label, "player": player}
            for char, (label, player) in PIECES[game.name].items()
        ],
        "cells": [{"index": i, "x": x, "y": y} for i, (x, y) in enumerate(board.cells)],
        "empty": EMPTY,
        "board": board_text(game, state),
        "player": state.player,
        "mover_counted": game.name == "connect4",
    }


def board_text(game: Game, state: State) -> str:
    """One mark a cell, in the order of the cells."""
    if game.name == "checkers":
        standing = pieces_on(state)
        return "".join(standing.get(square, EMPTY) for square in range(1, 33))
    return str(state).split(" ")[0].replace("/", "")


def position_text(game: Game, board: str, player: int) -> str:
    """The text of the position that was set up; ValueError says what is wrong with it."""
    now = setup_marks(game)
    length = len(board_text(game, game.start()))
    if len(board) != length or set(board) - {EMPTY, *now}:
        raise ValueError(f"a board is {length} marks out of {EMPTY}{''.join(now)}")
    if player not in (0, 1):
        raise ValueError(f"a player is 0 or 1, not {player!r:.20}")
    if game.name == "checkers":
        text = f"{'BW'[player]}:W{squares_of(board, 'w')}:B{squares_of(board, 'b')}"
    else:
        rows, at = [], 0
        for row in str(game.start()).split(" ")[0].split("/"):
            rows.append(board[at : at + len(row)])
            at += len(row)
        text = "/".join(rows) + MOVERS[game.name][player]
    return str(game.state(text))


def setup_marks(game: Game) -> dict[str, tuple[str, int]]:
    """The marks of the game's pieces."""
    if not is_registered(game.kind) or game.name not in PIECES:
        raise ValueError(f"{game.kind.title} has no position set up by hand")
    return PIECES[game.name]


def squares_of(board: str, man: str) -> str:
    """The squares of one side's pieces, kings with a K."""
    squares = ((square, mark) for square, mark in enumerate(board, 1) if mark.lower() == man)
    return ",".join(f"{'K' * mark.isupper()}{square}" for square, mark in squares)
