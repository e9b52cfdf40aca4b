"""Chinese Checkers for two."""

from math import isqrt

from ludus._core import chinesecheckers
from ludus.game import Kind, State, from_to


def move(state: State, action: int) -> str:
    """The ids of the cells that the piece leaves and reaches: `0-3`."""
    start, end = divmod(action, isqrt(state.num_actions))
    return f"{start}-{end}"


def places(state: State) -> list[tuple[int, int]]:
    """A way for each distance and direction, from the cell that a piece leaves."""
    _, size, _ = state.shape()
    along = range(size)  # ids go row of the diamond by row, and from left to right within one
    ids = sorted((row + column, -row, row, column) for row in along for column in along)
    return from_to([row * size + column for _, _, row, column in ids], size, reach=size)


KIND = Kind(
    name="chinesecheckers",
    title="Chinese Checkers",
    about=(
        "Two players cross a diamond of hexagonal cells from one tip to the other. A move is a "
        "step to an empty neighbour, or any number of hops, each over one adjacent piece of either "
        "colour into the empty cell behind it; nothing is taken. Whoever fills the opponent's home "
        "wins, also with pieces the opponent left there as long as one is their own. Completing "
        "the opponent's goal, or shutting its empty tip in, is not a move. Without a legal move "
        "you lose; a position that comes back too often, or too long a game, is a draw."
    ),
    states=chinesecheckers,
    parameters={
        "size": "side of the diamond, 3 to 9",
        "pieces": "1, 2, 3, 4, 6 or 10 each; the two homes must not share a cell",
        "forward_only": "moves may not end farther from the goal (sideways is allowed)",
        "repetition": "this occurrence of a position is a draw; 0: none is",
        "max_plies": "the game is a draw after so many; none: 100 times the size",
    },
    clocks=("repetition", "max_plies"),
    max_plies=lambda chosen: chosen["max_plies"] or 100 * chosen["size"],
    notation=(
        "a move is from-to by the numbers of the cells, as in 1-6; a chain of jumps is one move"
    ),
    move=move,
    places=places,
    truth=(
        "the first player wins the small boards that are solved (Sturtevant 2019), 4 x 4 with 3 "
        "pieces in 21 plies; `ludus solve` makes the tables of small boards"
    ),
    perft={
        "": (10, 100, 1666, 28220),
        "forward_only=true": (10, 100, 1486, 22630),
        "size=4,pieces=3": (6, 36, 376, 3936, 40132),
        "size=4,pieces=3,forward_only=true": (6, 36, 316, 2794, 23706),
    },
    variants=(
        {"size": 3, "pieces": 1},
        {"size": 3, "pieces": 3, "repetition": 6},
        {"size": 4, "pieces": 3},
        {"size": 4, "pieces": 3, "forward_only": True, "repetition": 2},
        {"size": 5, "pieces": 2, "repetition": 0, "max_plies": 100},
        {"forward_only": True},
        {"pieces": 10, "max_plies": 100},
        {"size": 6, "pieces": 4, "max_plies": 80},
        {"size": 7, "pieces": 3, "max_plies": 80},
        {"size": 9, "pieces": 10, "max_plies": 40},
    ),
)
