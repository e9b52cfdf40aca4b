"""Tic-tac-toe on a dict of cells; marks may go astray."""


class Reference:
    SIDE = 3
    STEPS = ((0, 1, 3), (1, 0, 3), (1, 1, 3), (1, -1, 3))  # down, across, how many win

    def __init__(self, success=1.0, max_plies=1000):
        self.success = success
        self.max_plies = max_plies
        self.cells = self.numbered_cells()  # action -> (row, column)
        board = set(self.cells)
        self.lines = [
            line
            for row, column in self.cells
            for down, across, length in self.STEPS
            for line in [[(row + i * down, column + i * across) for i in range(length)]]
            if board.issuperset(line)
        ]
        self.marks = {}  # (row, column) -> player
        self.player = 0
        self.plies = 0
        self.num_actions = len(self.cells)

    def numbered_cells(self):
        return [(row, column) for row in range(3) for column in range(3)]

    def legal(self):
        if self.outcome() is not None:
            return []
        return [action for action, cell in enumerate(self.cells) if cell not in self.marks]

    def chances(self, action):
        row, column = self.cells[action]
        result = {action: self.success}
        for r in (row - 1, row, row + 1):
            for c in (column - 1, column, column + 1):
                if (r, c) == (row, column):
                    continue
                there = self.num_actions  # forfeited
                if (r, c) in self.cells and (r, c) not in self.marks:
                    there = self.cells.index((r, c))
                result[there] = result.get(there, 0) + (1 - self.success) / 8
        return {there: chance for there, chance in result.items() if chance}

    def play(self, action, result=None):
        landed = action if result is None else result
        if landed != self.num_actions:
            self.marks[self.cells[landed]] = self.player
        self.player = 1 - self.player
        self.plies += 1

    def has_line(self, player):
        return any(all(self.marks.get(cell) == player for cell in line) for line in self.lines)

    def outcome(self):
        """For the player to move, as the native game says it."""
        for player in (0, 1):
            if self.has_line(player):
                return 1 if player == self.player else -1
        if len(self.marks) == len(self.cells) or self.plies >= self.max_plies:
            return 0
        return None

    def text(self):
        rows = []
        for row in range(self.SIDE):
            cells = [(row, column) for column in range(self.SIDE) if (row, column) in self.cells]
            rows.append("".join({0: "x", 1: "o"}.get(self.marks.get(cell), ".") for cell in cells))
        return "/".join(rows) + " " + "xo"[self.player]
