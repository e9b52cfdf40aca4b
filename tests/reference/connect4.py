"""Connect Four on a list of lists."""


class Reference:
    def __init__(self, rows=6, columns=7, line=4):
        self.line = line
        self.grid = [["." for _ in range(columns)] for _ in range(rows)]  # row 0 is the top
        self.player = 0
        self.winner = None
        self.num_actions = columns

    def legal(self):
        if self.outcome() is not None:
            return []
        return [c for c in range(len(self.grid[0])) if self.grid[0][c] == "."]

    def play(self, column):
        row = max(r for r in range(len(self.grid)) if self.grid[r][column] == ".")
        mark = "xo"[self.player]
        self.grid[row][column] = mark
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if self.run(row, column, dr, dc, mark) >= self.line:
                self.winner = self.player
        self.player = 1 - self.player

    def run(self, row, column, dr, dc, mark):
        length = 1
        for sign in (1, -1):
            r, c = row + sign * dr, column + sign * dc
            while (
                0 <= r < len(self.grid) and 0 <= c < len(self.grid[0]) and self.grid[r][c] == mark
            ):
                length, r, c = length + 1, r + sign * dr, c + sign * dc
        return length

    def outcome(self):
        """For the player to move, as the native game says it."""
        if self.winner is not None:
            return 1 if self.winner == self.player else -1
        return 0 if all(cell != "." for cell in self.grid[0]) else None

    def text(self):
        return "/".join("".join(row) for row in self.grid)
