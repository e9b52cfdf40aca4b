"""`human`: a person at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from io import TextIOWrapper

from ludus.agent import Resigned, Thought
from ludus.game import Game, State, game_of

FEW = 12  # legal moves that are shown unasked
MANY = 40  # from which their notation is explained unasked
LONGEST = 200  # characters of a line that are looked at


class Left(KeyboardInterrupt):
    """The person has gone, by quit, Ctrl-D or Ctrl-C."""

    def __init__(self, interrupted: bool = False) -> None:
        self.interrupted = interrupted  # by Ctrl-C


def read_line(prompt: str) -> str:
    """A line that a person typed, whatever it holds."""
    if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.errors != "replace":
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are only a bad move
    try:
        return input(prompt).strip()[:LONGEST]
    except (EOFError, KeyboardInterrupt) as gone:
        print()
        raise Left(isinstance(gone, KeyboardInterrupt)) from None


def in_columns(moves: Sequence[str], width: int = 78) -> str:
    """Many moves, readable."""
    cell = max(map(len, moves)) + 2
    across = max(1, width // cell)
    rows = [moves[i : i + across] for i in range(0, len(moves), across)]
    return "\n".join("".join(f"{move:{cell}}" for move in row).rstrip() for row in rows)


def ask(game: Game, state: State, words: Sequence[str]) -> int | str:
    """An action, or one of these words; whatever else is typed is answered and asked again."""
    moves = [game.move(state, action) for action in state.legal()]
    more = f", ... ({len(moves)} in all: `moves`)" if len(moves) > FEW else ""
    print(f"moves: {', '.join(moves[:FEW])}{more}")
    if len(moves) > MANY and game.kind.notation:
        print(game.kind.notation)
    while True:
        typed = read_line("> ")
        word = typed.lower()
        listed = [move for move in moves if word.removeprefix("moves").strip() in move.lower()]
        if word.startswith("moves") and word not in moves:
            print(in_columns(listed) if listed else f"no move here has {typed[5:].strip()!r} in it")
        elif word in words and typed not in moves:
            return word
        elif word == "help" or not word:
            print(f"type a move as it is listed, or one of: moves, {', '.join(words)}, help")
            if game.kind.notation:
                print(game.kind.notation)
        else:
            same = [move for move in moves if move.lower() == word]
            try:
                return game.action(state, same[0] if len(same) == 1 else typed)
            except ValueError as error:
                print(error)


@dataclass
class HumanAgent:
    """Shows the board and asks."""

    seed: int = 0
    sits_alone = True  # one terminal, one game at a time

    def think(self, state: State) -> Thought:
        import numpy as np

        game = game_of(state)
        print(f"\n{game.text(state)}")
        said = ask(game, state, ("resign", "quit"))
        if isinstance(said, str):
            raise Resigned if said == "resign" else Left
        policy = np.zeros(state.num_actions)
        policy[said] = 1
        return Thought(policy)


AGENT = HumanAgent
