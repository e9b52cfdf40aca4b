"""English draughts on a dictionary of squares."""


def place(number):
    row = (number - 1) // 4
    return row, 2 * ((number - 1) % 4) + (1 if row % 2 == 0 else 0)


PLACES = {number: place(number) for number in range(1, 33)}
NUMBERS = {at: number for number, at in PLACES.items()}
DIRECTIONS = [(-1, -1), (-1, 1), (1, -1), (1, 1)]  # up and down the page, Black at the top
START = dict.fromkeys(range(1, 13), "b") | dict.fromkeys(range(21, 33), "w")


class Reference:
    num_actions = 256

    def __init__(self, no_progress=100, repetition=3):
        self.no_progress = no_progress
        self.repetition = repetition
        self.board = dict(START)  # b and w for men, B and W for kings
        self.player = 0
        self.capturing = None  # the square of a piece that must jump on
        self.quiet_turns = 0
        self.positions = [self.text()]

    def own(self, piece):
        return piece.lower() == "bw"[self.player]

    def moves_of(self, number, jump):
        """The actions of the piece there, as {action: (over, to)}."""
        piece = self.board[number]
        row, column = PLACES[number]
        found = {}
        for direction, (down, right) in enumerate(DIRECTIONS):
            if (piece == "b" and down < 0) or (piece == "w" and down > 0):
                continue
            near = NUMBERS.get((row + down, column + right))
            far = NUMBERS.get((row + 2 * down, column + 2 * right))
            action = (number - 1) * 8 + direction * 2 + jump
            if not jump and near and near not in self.board:
                found[action] = (None, near)
            enemy = near in self.board and not self.own(self.board[near])
            if jump and enemy and far and far not in self.board:
                found[action] = (near, far)
        return found

    def moves(self):
        mine = [number for number, piece in self.board.items() if self.own(piece)]
        if self.capturing:
            mine = [self.capturing]
        jumps = {}
        steps = {}
        for number in mine:
            jumps.update(self.moves_of(number, jump=1))
            steps.update(self.moves_of(number, jump=0))
        return jumps or steps

    def legal(self):
        return [] if self.outcome() is not None else list(self.moves())

    def play(self, action):
        over, to = self.moves()[action]
        piece = self.board.pop(action // 8 + 1)
        crowned = (piece == "b" and to >= 29) or (piece == "w" and to <= 4)
        self.board[to] = piece.upper() if crowned else piece
        if over:
            del self.board[over]
            if not crowned and self.moves_of(to, jump=1):
                self.capturing = to
                return
        self.capturing = None
        self.player = 1 - self.player
        self.quiet_turns = 0 if over or piece in "bw" else self.quiet_turns + 1
        self.positions.append(self.text())

    def outcome(self):
        """For the player to move, as the native game says it."""
        if not self.moves():
            return -1
        if self.capturing:
            return None
        repeated = self.positions.count(self.text())
        if self.repetition and repeated >= self.repetition:
            return 0
        if self.no_progress and self.quiet_turns >= self.no_progress:
            return 0
        return None

    def text(self):
        sides = []
        for side in "WB":
            pieces = sorted(n for n, piece in self.board.items() if piece.upper() == side)
            names = [f"K{n}" if self.board[n].isupper() else str(n) for n in pieces]
            sides.append(side + ",".join(names))
        text = ":".join(["BW"[self.player], *sides])
        return f"{text} {self.capturing}x" if self.capturing else text
