"""Tic-tac-toe on a dict of cells; marks may go astray."""


class Reference:
    SIDE = 3
    STEPS = ((0, 1, 3), (1, 0, 3), (1, 1, 3), (1, -1, 3))  # down, across, how many win

    def __init__(self, success=1.0, max_plies=1000, strays="both", stray_to="around"):
        self.success = success
        self.strays, self.stray_to = strays, stray_to
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
        if self.success == 1 or self.strays == ("second", "first")[self.player]:
            return {action: 1.0}
        row, column = self.cells[action]
        around = [(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        free = [cell for cell in around if cell in self.cells and cell not in self.marks]
        drawn = free if self.stray_to == "open" and free else around
        result = {action: self.success}
        for cell in drawn:
            there = self.cells.index(cell) if cell in free else self.num_actions  # forfeited
            result[there] = result.get(there, 0) + (1 - self.success) / len(drawn)
        return result

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
