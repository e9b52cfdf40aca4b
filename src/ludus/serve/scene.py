"""A state as the page needs it: picture, geometry, legal actions, notation."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ludus.draw.picture import board_of, show_last
from ludus.draw.svg import THEMES
from ludus.game import Game, State, is_registered
from ludus.serve.lines import Line
from ludus.serve.scenes import find_own
from ludus.serve.setup import setup

NAMES = {
    "tictactoe": ("X", "O"),
    "supertictactoe": ("X", "O"),
    "cathedral": ("Light", "Dark"),
}
COLOURS = ("red", "blue")  # of all other games that we draw
MARKS = ("tictactoe", "supertictactoe")  # where chance decides on which cell a mark lands


def scene(line: Line) -> dict[str, Any]:
    """What the page shows of the last state of a line."""
    state, game = line.state, line.game
    board = board_of(game, state, THEMES["page"])
    names = players(game, state)
    shown = last_action(line, board)
    if shown is not None:
        with board.canvas.group("last"):
            show_last(board, shown["action"])
    more = find_own(game, "facts")
    by_hand = setup(game, state, board)
    return {
        "line": line.record(),
        "plies": state.plies,
        "player": state.player,
        "players": names,
        "over": state.outcome is not None,
        "winner": state.winner,
        "result": result(state, names),
        "text": str(state),
        "svg": board.canvas.svg(),
        "width": board.canvas.width,
        "height": board.canvas.height,
        "cell": board.cell,
        "covers": board.covers,
        "legal": legal(game, state, board),
        "last": shown,
        "moves": moves(line),
        "setup": None if isinstance(by_hand, str) else by_hand,
        "no_setup": by_hand if isinstance(by_hand, str) else None,
        **(more(game, state, board) if more else {}),
    }


def players(game: Game, state: State | None = None) -> list[str]:
    """What the two players are called; in Cathedral a coin may decide who is Light."""
    named = find_own(game, "players")
    if named and state is not None:
        found: list[str] = named(state)
        return found
    if not is_registered(game.kind):
        return ["first player", "second player"]
    return list(NAMES.get(game.name, COLOURS))


def result(state: State, names: list[str]) -> str | None:
    """How it ended, in words."""
    if state.outcome is None:
        return None
    return "a draw" if state.winner is None else f"{names[state.winner]} wins"


def legal(game: Game, state: State, board: Any) -> list[dict[str, Any]]:
    """The legal actions: their notation, where they happen, and what only their game knows."""
    actions = state.legal()
    # Wherever a building may stand, it always stands there alike: this is said only once.
    known = fixed_facts(game.spelling, *players(game, state), state.player) if board.covers else {}
    found, there = [], set(actions)
    for action in actions:
        entry = known.get(action) or facts_of(game, state, board, action)
        if board.covers:
            known[action] = entry
        if entry.get("group", action) not in there:
            entry = {name: fact for name, fact in entry.items() if name != "group"}
        found.append(entry)
    return found


@lru_cache(maxsize=16)
def fixed_facts(*which: object) -> dict[int, dict[str, Any]]:
    """What was said of the actions of a game in which that depends on no position."""
    return {}


def facts_of(game: Game, state: State, board: Any, action: int) -> dict[str, Any]:
    """What is said of an action."""
    more, move = find_own(game, "action_facts"), game.move(state, action)
    entry: dict[str, Any] = {"action": action, "move": move, "points": board.place(action)}
    return entry | more(game, state, board, action, move) if more else entry


def last_action(line: Line, board: Any) -> dict[str, Any] | None:
    """The last action: where it happened, and what chance made of it."""
    if not line.actions:
        return None
    game, action, outcome = line.game, line.actions[-1], line.results[-1]
    before = line.states[-2]
    move = game.move(before, action)
    more = find_own(game, "action_facts")
    strays = game.name in MARKS and outcome is not None and outcome < game.num_actions
    return {
        "action": action,
        "move": move,
        "player": before.player,
        "points": board.points_of(action),
        "chance": None if outcome is None else game.kind.chance(before, action, outcome),
        "landed": board.place(outcome)[0] if strays else None,
        **(more(game, before, board, action, move) if more else {}),
    }


def moves(line: Line) -> list[dict[str, Any]]:
    """The moves played; a turn is all consecutive plies of one player, counted from 1."""
    found: list[dict[str, Any]] = []
    turn, mover = 0, None
    for ply, (state, action) in enumerate(zip(line.states, line.actions, strict=False), 1):
        turn += state.player != mover
        mover = state.player
        outcome = line.results[ply - 1]
        found.append(
            {
                "move": line.game.move(state, action),
                "player": mover,
                "ply": ply,
                "turn": turn,
                "chance": None
                if outcome is None
                else line.game.kind.chance(state, action, outcome),
            }
        )
    return found
