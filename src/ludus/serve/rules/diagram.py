"""A diagram of the rules: a position, moves that led to it, moves that are shown as arrows."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from ludus.draw import Picture
from ludus.draw.picture import arrows, board_of, show_last
from ludus.draw.svg import THEMES
from ludus.game import Game, State, game
from ludus.serve.scenes import find_own

WIDTH = 0.07  # of the arrow along a chain of hops, in cells


def diagram(name: str, wanted: Mapping[str, str]) -> Picture:
    """Drawn in the colours of the page; what is not legal is refused."""
    if extra := set(wanted) - {"board", "game", "after", "show"}:
        raise ValueError(f"a diagram has no {min(extra)!r}")
    shown = game(wanted.get("game", name))
    state = shown.start() if wanted["board"] == "start" else shown.state(wanted["board"])
    last = None
    for move in shown.kind.split(wanted.get("after", "")):
        last, state = play_move(shown, state, move)
    board = board_of(shown, state, THEMES["page"])
    if last is not None:
        show_last(board, last)
    more = find_own(shown, "action_facts")
    for move in shown.kind.split(wanted.get("show", "")):
        action = shown.action(state, move)
        via = more(shown, state, board, action, move).get("via") if more else None
        if not via:
            arrows(board, {action: 1.0})
            continue
        stops = [board.place(action)[0], *via, board.place(action)[1]]
        for start, end in pairwise(stops):
            board.canvas.arrow(start, end, board.cell * WIDTH, fill=board.canvas.theme.mark)
    return Picture(board.canvas.svg())


def play_move(shown: Game, state: State, move: str) -> tuple[int, State]:
    """A move; `b2~c3` is a mark that was meant for b2 and landed on c3."""
    meant, _, came = move.partition("~")
    action = shown.action(state, meant)
    landed = shown.action(state, came) if came else None
    return action, state.play(action, chance=landed)
