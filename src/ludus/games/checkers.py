"""English draughts."""

from itertools import pairwise

from ludus._core import checkers
from ludus.game import Kind, State, words


def ends(action: int) -> tuple[int, int]:
    """The squares, numbered from 1, that an action goes from and to."""
    square, way = divmod(action, 8)
    row, column = place(square + 1)
    distance = 1 + way % 2
    row += distance if way >= 4 else -distance
    column += distance if way // 2 % 2 else -distance
    return square + 1, row * 4 + column // 2 + 1


def place(square: int) -> tuple[int, int]:
    """Row and column of a square, counted from 0; squares 1 to 4 are the top row."""
    row, rank = divmod(square - 1, 4)
    return row, 2 * rank + 1 - row % 2


def move(state: State, action: int) -> str:
    """`11-15` for a step, `9x18` for a jump."""
    start, end = ends(action)
    return f"{start}{'x' if action % 2 else '-'}{end}"


def split(line: str) -> list[str]:
    """Moves between spaces or commas; `9x18x25` is the two jumps `9x18` and `18x25`."""
    moves = []
    for word in words(line):
        squares = word.split("x")
        moves += [f"{a}x{b}" for a, b in pairwise(squares)] or [word]
    return moves


def places(state: State) -> list[tuple[int, int]]:
    """Steps and jumps in four directions, from the square that a piece leaves."""
    found = []
    for action in range(state.num_actions):
        row, column = place(action // 8 + 1)
        found.append((action % 8, row * 8 + column))
    return found


KIND = Kind(
    name="checkers",
    title="English draughts",
    about=(
        "Two players, Black to begin, move on the dark squares of an 8x8 board. Men step "
        "diagonally forward; on the far row they become kings, which step backward too. An "
        "adjacent piece of the opponent is captured by jumping to the empty square behind it. "
        "Who can capture must, though freely chosen, and goes on with the same piece while it "
        "can; a man that is crowned stops there. Who cannot move loses. A position that comes "
        "back too often, or too many turns without a capture or a man's move, is a draw."
    ),
    states=checkers,
    parameters={
        "no_progress": "turns without a capture or a man's move that make a draw; 0 for never",
        "repetition": "occurrences of a position that make a draw; 0 for never",
    },
    clocks=("no_progress", "repetition"),
    notation=(
        "a move is from-to, as in 11-15, and a jump fromxto, as in 9x18, by the numbers "
        "on the board"
    ),
    move=move,
    places=places,
    split=split,
    turns=True,
    perft={"": (7, 49, 302, 1469, 7361, 36768, 179255, 838248)},
    truth=(
        "perfect play is a draw (published, 2007); endgames are solved here: "
        "`ludus solve checkers:pieces=4`"
    ),
    largest={"paper": 3.0},  # a king
    variants=(
        {"no_progress": 50},
        {"no_progress": 0, "repetition": 2},
        {"no_progress": 6, "repetition": 0},
    ),
)
