"""King and Courtesan on a dict of cells."""

FORWARD = {"red": [(1, 0), (0, 1), (1, 1)], "blue": [(-1, 0), (0, -1), (-1, -1)]}
AROUND = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]
LETTERS = {
    ("red", "king"): "R",
    ("red", "courtesan"): "r",
    ("blue", "king"): "B",
    ("blue", "courtesan"): "b",
}


class Reference:
    def __init__(self, size=6):
        self.size = size
        self.num_actions = size**4
        self.player = 0
        self.winner = None
        self.homes = {"red": (0, 0), "blue": (size - 1, size - 1)}
        self.board = {}
        for row in range(size):
            for column in range(size):
                if row + column <= size - 2:
                    self.board[row, column] = ("red", "courtesan")
                if (size - 1 - row) + (size - 1 - column) <= size - 2:
                    self.board[row, column] = ("blue", "courtesan")
        for side, home in self.homes.items():
            self.board[home] = (side, "king")

    def sides(self):
        return ("red", "blue") if self.player == 0 else ("blue", "red")

    def number(self, start, end):
        (r1, c1), (r2, c2) = start, end
        return (r1 * self.size + c1) * self.size**2 + r2 * self.size + c2

    def moves(self):
        """Each legal action: its number, where it starts, where it ends."""
        if self.winner is not None:
            return {}
        me, foe = self.sides()
        found = []
        for (row, column), (side, rank) in self.board.items():
            if side != me:
                continue
            for dr, dc in AROUND:
                end = (row + dr, column + dc)
                if not (0 <= end[0] < self.size and 0 <= end[1] < self.size):
                    continue
                there = self.board.get(end)
                forward = (dr, dc) in FORWARD[me]
                step = there is None and forward
                capture = there is not None and there[0] == foe
                exchange = there == (me, "courtesan") and rank == "king" and forward
                if step or capture or exchange:
                    found.append(((row, column), end))
        return {self.number(*move): move for move in found}

    def legal(self):
        return list(self.moves())

    def play(self, action):
        start, end = self.moves()[action]
        me, foe = self.sides()
        piece, there = self.board.pop(start), self.board.get(end)
        self.board[end] = piece
        if there == (me, "courtesan"):
            self.board[start] = there
        if there == (foe, "king") or self.board.get(self.homes[foe]) == (me, "king"):
            self.winner = self.player
        self.player = 1 - self.player

    def outcome(self):
        """For the player to move, as the native game says it."""
        if self.winner is None:
            return None
        return 1 if self.winner == self.player else -1

    def text(self):
        rows = [
            "".join(
                LETTERS[self.board[row, column]] if (row, column) in self.board else "."
                for column in range(self.size)
            )
            for row in reversed(range(self.size))
        ]
        return "/".join(rows) + " " + "rb"[self.player]
