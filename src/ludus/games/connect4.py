"""Connect Four."""

from ludus._core import connect4
from ludus.game import Kind, State


def move(state: State, action: int) -> str:
    """Columns count from 1; from the tenth on they are letters."""
    return "123456789abcdefghijklmnopqrstuvw"[action]


def places(state: State) -> list[tuple[int, int]]:
    """Every action is a column, played at its lowest cell."""
    _, rows, columns = state.shape()
    return [(0, (rows - 1) * columns + column) for column in range(columns)]


KIND = Kind(
    name="connect4",
    title="Connect Four",
    about=(
        "Two players drop stones in turn into the columns of an upright board; a stone falls to "
        "the lowest empty cell. Whoever first has four in a line (across, up or diagonal) wins; "
        "a full board is a draw."
    ),
    states=connect4,
    parameters={
        "rows": "height of the board",
        "columns": "width of the board; (rows + 1) * columns is at most 64",
        "line": "how many in a line win",
    },
    notation=("a move is the number of a column"),
    move=move,
    places=places,
    # The first moves decide it: they are varied, and what comes after is played as well as it can.
    selfplay={"random_move_prob": 0.5, "gumbel_noise_plies": 16},
    split=lambda line: [column for column in line if not column.isspace()],
    truth="the first player wins by starting in the middle (published, and solved here)",
    perft={"": (7, 49, 343, 2401, 16807, 117649, 823536, 5673234)},
    variants=(
        {"rows": 4, "columns": 5},
        {"rows": 3, "columns": 3, "line": 3},
        {"rows": 7, "columns": 8, "line": 5},
        {"rows": 31, "columns": 2, "line": 3},
        {"rows": 1, "columns": 32, "line": 4},
    ),
    planes=("full", "paper", "signed"),
)
