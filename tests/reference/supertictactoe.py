"""Super tic-tac-toe: the same play on a cross, with longer lines."""

from tests.reference import tictactoe


class Reference(tictactoe.Reference):
    SIDE = 12
    STEPS = ((0, 1, 4), (1, 0, 4), (1, 1, 5), (1, -1, 5))

    def __init__(self, success=0.5, **others):
        super().__init__(success, **others)

    def numbered_cells(self):
        blocks = [(0, 4), (4, 0), (4, 4), (4, 8), (8, 4)]
        return [(top + r, left + c) for top, left in blocks for r in range(4) for c in range(4)]
