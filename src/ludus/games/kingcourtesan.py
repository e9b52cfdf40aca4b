"""King and Courtesan."""

from ludus._core import kingcourtesan
from ludus.game import Kind, State, from_to


def move(state: State, action: int) -> str:
    """`a1-b2` steps, `a1xb2` captures, `a1/b2` exchanges the king with a courtesan."""
    rows = str(state).split(" ")[0].split("/")[::-1]
    size = len(rows)
    (from_row, from_column), (to_row, to_column) = (
        divmod(cell, size) for cell in divmod(action, size * size)
    )
    target = rows[to_row][to_column].lower()
    how = {".": "-", "rb"[state.player]: "/"}.get(target, "x")
    letters = "abcdefgh"
    return f"{letters[from_column]}{from_row + 1}{how}{letters[to_column]}{to_row + 1}"


def places(state: State) -> list[tuple[int, int]]:
    """The nine directions, from the cell that a piece leaves."""
    _, size, _ = state.shape()
    return from_to(range(size * size), size, reach=1)


KIND = Kind(
    name="kingcourtesan",
    title="King and Courtesan",
    about=(
        "Red and Blue start in opposite corners, each with a king on the corner, its home, and "
        "courtesans around it. Forward is towards the enemy's home: along a row, along a column "
        "or diagonally. In turn a piece steps forward to an empty cell, or captures an enemy next "
        "to it in any of the eight directions, or the king changes places with a courtesan "
        "forward of it. Whoever captures the enemy's king or brings their own king to the enemy's "
        "home wins; there are no draws. By Mark Steere, 2022."
    ),
    states=kingcourtesan,
    parameters={"size": "side of the board, 3 to 8"},
    notation=(
        "a move is the square that it leaves and the one it goes to, as in a2-a3; x "
        "captures, and / exchanges the king and a courtesan"
    ),
    move=move,
    places=places,
    truth=(
        "on a board of size 3 the second player wins in 14 plies (computed); "
        "`ludus solve` makes the tables of boards of size 3 and 4"
    ),
    perft={
        "": (22, 488, 11354, 267721, 6557506),
        "size=3": (9, 77, 516, 3118, 16508, 80040, 349472, 1397378),
        "size=4": (14, 195, 2626, 34821, 446868),
    },
    variants=({"size": 3}, {"size": 4}, {"size": 7}, {"size": 8}),
)
