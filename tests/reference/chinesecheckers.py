"""Chinese Checkers with sets of coordinates."""

from collections import Counter

DIRECTIONS = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, -1), (-1, 1)]


class Reference:
    def __init__(self, size=5, pieces=6, forward_only=False, repetition=3, max_plies=None):
        cells = [(i, j) for i in range(size) for j in range(size)]
        self.cells = sorted(cells, key=lambda cell: (sum(cell), -cell[0]))  # by id
        self.id = {cell: number for number, cell in enumerate(self.cells)}
        first = [0, 1, 2, 4] if pieces == 4 else range(pieces)
        self.homes = (
            {self.cells[number] for number in first},
            {self.cells[len(cells) - 1 - number] for number in first},
        )
        self.large = pieces >= 6
        self.forward_only = forward_only
        self.repetition = repetition
        self.max_plies = 100 * size if max_plies is None else max_plies
        self.num_actions = len(cells) ** 2
        self.stones = (set(self.homes[0]), set(self.homes[1]))
        self.player = 0
        self.plies = 0
        self.seen = Counter([self.text()])
        self.open = self.moves()

    def wins(self, stones, player):
        """The player's goal is full, and holds a piece of the player."""
        goal = self.homes[1 - player]
        return goal <= stones[0] | stones[1] and bool(goal & stones[player])

    def illegal(self, stones, to_move):
        if self.wins(stones, to_move):
            return True
        if not self.large:
            return False
        occupied = stones[0] | stones[1]
        for goal_of in (0, 1):
            # Counted from the tip of the goal.
            near = self.cells[::-1] if goal_of == 0 else self.cells
            edge = {near[1], near[2], near[3], near[5]}
            if near[0] not in occupied and edge <= stones[1 - goal_of]:
                return True
        return False

    def destinations(self, start):
        occupied = (self.stones[0] | self.stones[1]) - {start}

        def empty(cell):
            return cell in self.id and cell not in occupied

        found = set()
        todo = [start]
        while todo:
            i, j = todo.pop()
            for di, dj in DIRECTIONS:
                behind = (i + 2 * di, j + 2 * dj)
                if (i + di, j + dj) in occupied and empty(behind) and behind not in found:
                    found.add(behind)
                    todo.append(behind)
        i, j = start
        found |= {(i + di, j + dj) for di, dj in DIRECTIONS if empty((i + di, j + dj))}
        return found - {start}

    def after(self, start, end):
        moved = self.stones[self.player] - {start} | {end}
        return (moved, self.stones[1]) if self.player == 0 else (self.stones[0], moved)

    def moves(self):
        """Legal as far as the position goes."""
        if self.wins(self.stones, 1 - self.player):
            return []
        found = []
        for start in self.stones[self.player]:
            for end in self.destinations(start):
                gain = sum(end) - sum(start)
                if self.forward_only and (gain < 0 if self.player == 0 else gain > 0):
                    continue
                if not self.illegal(self.after(start, end), 1 - self.player):
                    found.append(self.id[start] * len(self.cells) + self.id[end])
        return found

    def legal(self):
        return self.open if self.outcome() is None else []

    def play(self, action):
        start, end = (self.cells[number] for number in divmod(action, len(self.cells)))
        self.stones = self.after(start, end)
        self.player = 1 - self.player
        self.plies += 1
        self.seen[self.text()] += 1
        self.open = self.moves()

    def outcome(self):
        if not self.open:
            return -1
        repeated = self.repetition and self.seen[self.text()] >= self.repetition
        return 0 if repeated or self.plies >= self.max_plies else None

    def text(self):
        marks = (
            "1" if cell in self.stones[0] else "2" if cell in self.stones[1] else "."
            for cell in self.cells
        )
        return "".join(marks) + f" {self.player + 1}"
