"""Super tic-tac-toe."""

from ludus._core import supertictactoe
from ludus.game import Kind, State, stray_description

BLOCKS = ((0, 4), (4, 0), (4, 4), (4, 8), (8, 4))  # row and column of each block's first cell


def move(state: State, action: int) -> str:
    """Squares as in chess: columns from a on the left, rows from 1 at the bottom."""
    block, cell = divmod(action, 16)
    row, column = BLOCKS[block][0] + cell // 4, BLOCKS[block][1] + cell % 4
    return f"{'abcdefghijkl'[column]}{12 - row}"


def places(state: State) -> list[tuple[int, int]]:
    """Every action is the cell that it marks."""
    return [
        (0, (top + cell // 4) * 12 + left + cell % 4) for top, left in BLOCKS for cell in range(16)
    ]


KIND = Kind(
    name="supertictactoe",
    title="Super tic-tac-toe",
    about=(
        "Two players mark empty cells in turn on a cross of five 4 x 4 blocks. Four of one's own "
        "in a row or column, or five on a diagonal, win; a full board is a draw. A mark lands on "
        "the chosen cell with probability `success` (1/2), else on one of the eight cells around "
        "it; outside the cross or on a mark it is lost and the turn passes. With `stray_to=open` "
        "it goes to an open one of them and is lost only if there is none; with `strays=first` or "
        "`second` the other player's marks never stray."
    ),
    states=supertictactoe,
    parameters={
        "success": "probability that a mark lands where it should, above 0 and at most 1",
        "max_plies": "after so many plies the game is a draw",
        "strays": "whose marks may stray: both players', or those of the first or the second",
        "stray_to": "any of the eight cells around, or open: the open ones, if there are any",
    },
    clocks=("max_plies",),
    notation=("a move is a column and a row, as in f6; chance may take the mark elsewhere"),
    move=move,
    places=places,
    chance=stray_description(move),
    truth="not known",
    perft={"success=1": (80, 6320, 492960)},
    variants=(
        {"success": 1.0},
        {"success": 0.1, "max_plies": 60},
        {"stray_to": "open"},
        {"strays": "first"},
        {"success": 0.1, "strays": "second", "stray_to": "open", "max_plies": 90},
    ),
    planes=("full", "paper", "signed"),
)
