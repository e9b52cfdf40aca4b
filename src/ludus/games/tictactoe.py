"""Tic-tac-toe."""

from ludus._core import tictactoe
from ludus.game import Kind, State, stray_description


def move(state: State, action: int) -> str:
    """Squares as in chess: columns from a on the left, rows from 1 at the bottom."""
    return f"{'abc'[action % 3]}{3 - action // 3}"


def places(state: State) -> list[tuple[int, int]]:
    """Every action is the cell that it marks."""
    return [(0, cell) for cell in range(9)]


KIND = Kind(
    name="tictactoe",
    title="Tic-tac-toe",
    about=(
        "Two players mark empty cells of a 3 x 3 board in turn; three of one's own in a row, "
        "column or diagonal win, a full board is a draw. With `success` below 1 the mark lands on "
        "the chosen cell only with that probability, else on one of the eight cells around it; "
        "off the board or on a mark it is lost and the turn passes. With `stray_to=open` it goes "
        "to an open one of them and is lost only if there is none; with `strays=first` or "
        "`second` the other player's marks never stray."
    ),
    states=tictactoe,
    parameters={
        "success": "probability that a mark lands where it should, above 0 and at most 1",
        "max_plies": "after so many plies the game is a draw",
        "strays": "whose marks may stray: both players', or those of the first or the second",
        "stray_to": "any of the eight cells around, or open: the open ones, if there are any",
    },
    clocks=("max_plies",),
    notation=("a move is a column and a row, as in b2"),
    move=move,
    places=places,
    chance=stray_description(move),
    truth="a draw (well known); with success=1/2 worth 0.2326 to the first player (computed)",
    perft={"": (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)},
    variants=(
        {"success": 0.5},
        {"success": 0.25, "max_plies": 12},
        {"max_plies": 6},
        {"success": 0.5, "stray_to": "open"},
        {"success": 0.5, "strays": "first"},
        {"success": 0.25, "strays": "second", "stray_to": "open"},
    ),
)
