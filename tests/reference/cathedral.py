"""Cathedral on sets of squares."""

from functools import cache

# As Light has them. The square `o` is the one that the numbering of placements goes by.
PICTURES = (
    "o",  # Tavern
    "X/o",  # Stable
    "X./oX",  # Inn
    "X/o/X",  # Bridge
    "XX/oX",  # Square
    ".X./XoX",  # Manor
    ".XX/Xo.",  # Abbey
    "..X/XoX/.X.",  # Academy
    ".X./XoX/.X.",  # Infirmary
    "X.X/XoX",  # Castle
    "XX./.oX/..X",  # Tower
    ".X./XXX/.o./.X.",  # Cathedral
)
ABBEY, ACADEMY, CATHEDRAL = 6, 7, 11
KINDS = [0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]  # of the 15 buildings
LIGHT, DARK = 0, 1


def offsets(picture, mirrored):
    """Steps to the right and up from `o` to each square of the building."""
    rows = picture.split("/")[::-1]
    squares = [(x, y) for y, row in enumerate(rows) for x, c in enumerate(row) if c != "."]
    ((ox, oy),) = [(x, y) for x, y in squares if rows[y][x] == "o"]
    return [((ox - x) if mirrored else (x - ox), y - oy) for x, y in squares]


def placements(picture, mirrored, size):
    """All sets of squares on which the building can stand, numbered as cathedral-rl does."""
    found = []
    known = set()
    for x in range(size):
        for y in range(size):
            steps = offsets(picture, mirrored)
            for _ in range(4):
                squares = frozenset((x + dx, y + dy) for dx, dy in steps)
                inside = all(0 <= c < size for square in squares for c in square)
                if inside and squares not in known:
                    known.add(squares)
                    found.append(squares)
                steps = [(dy, -dx) for dx, dy in steps]
    return found


@cache
def neighbours(square):
    x, y = square
    return {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {square}


def around(squares):
    return set().union(*map(neighbours, squares))


def parts(squares):
    """Split into groups that hang together, also over corners."""
    left = set(squares)
    while left:
        part = set()
        border = {left.pop()}
        while border:
            part |= border
            border = around(border) & left
            left -= border
        yield part


class Reference:
    tables = {}  # noqa: RUF012 - the same for all games of a size

    def __init__(self, size=10, rules="official", fair_start=False, claim_limit=None):
        self.size = size
        self.official = rules == "official"
        self.limit = claim_limit
        if claim_limit is None and not self.official:
            self.limit = 4 * size
        self.squares = {(x, y) for x in range(size) for y in range(size)}
        if (size, rules) not in self.tables:
            self.tables[size, rules] = [
                [
                    placements(
                        PICTURES[kind],
                        self.official and side == DARK and kind in (ABBEY, ACADEMY),
                        size,
                    )
                    for kind in range(12)
                ]
                for side in (LIGHT, DARK)
            ]
        self.places = self.tables[size, rules]
        # Each action as (building, place within its kind).
        self.actions = [
            (building, place)
            for building, kind in enumerate(KINDS)
            for place in range(len(self.places[LIGHT][kind]))
        ]
        self.num_actions = len(self.actions)
        self.light = 0
        self.side = LIGHT
        self.over = False
        self.cathedral = None  # its squares while it stands
        self.standing = [{}, {}]  # building -> place
        self.ground = [set(), set()]
        self.ever_built = [0, 0]

    def align(self, native):
        self.light = native.player

    @property
    def player(self):
        return self.light if self.side == LIGHT else 1 - self.light

    def cells(self, side, building, place):
        return self.places[side][KINDS[building]][place]

    def covered(self, side):
        return {s for b, p in self.standing[side].items() for s in self.cells(side, b, p)}

    def opening(self):
        return self.cathedral is None and not any(self.ever_built)

    def offered(self, side):
        if self.opening():
            return {14}
        free = [b for b in range(14) if b not in self.standing[side]]
        if self.official:  # one of each kind
            free = [b for b in free if b == min(c for c in free if KINDS[c] == KINDS[b])]
        return set(free)

    def moves(self, side):
        room = self.squares - self.covered(LIGHT) - self.covered(DARK) - self.ground[1 - side]
        room -= self.cathedral or set()
        offered = self.offered(side)
        for action, (building, place) in enumerate(self.actions):
            if building in offered and self.cells(side, building, place) <= room:
                yield action

    def legal(self):
        return [] if self.over else list(self.moves(self.side))

    def play(self, action):
        building, place = self.actions[action]
        if building == 14:
            self.cathedral = self.cells(self.side, building, place)
        else:
            self.standing[self.side][building] = place
            self.ever_built[self.side] += 1
            if self.official:
                self.claim_officially()
            else:
                self.claim_like_the_seed()
        other = 1 - self.side
        if any(True for _ in self.moves(other)):
            self.side = other
        elif not any(True for _ in self.moves(self.side)):
            self.over = True
            self.side = other

    def foreign(self, side, part):
        """The buildings of others that stand in the part."""
        other = 1 - side
        found = [b for b, p in self.standing[other].items() if self.cells(other, b, p) & part]
        if self.cathedral is not None and self.cathedral & part:
            found.append(14)
        return found

    def remove(self, side, building):
        if building == 14:
            self.cathedral = None
        else:
            del self.standing[side][building]
            if self.official:
                self.relabel(side)

    def relabel(self, side):
        """Equal buildings are the same: number those that stand from the first, by place."""
        places = sorted((KINDS[b], p) for b, p in self.standing[side].items())
        self.standing[side] = {}
        for kind, place in places:
            free = [b for b in range(14) if KINDS[b] == kind and b not in self.standing[side]]
            self.standing[side][free[0]] = place

    def claim_officially(self):
        mover, other = self.side, 1 - self.side
        self.relabel(mover)
        self.ground[mover] -= self.covered(mover)
        if self.ever_built[mover] < 2:
            return
        split = list(parts(self.squares - self.covered(mover)))
        captured = False
        for part in split if len(split) >= 2 else []:
            foreign = self.foreign(mover, part)
            if len(foreign) > 1 or (self.limit is not None and len(part) > self.limit):
                continue
            for building in foreign:
                self.remove(other, building)
                captured = True
            self.ground[mover] |= part
        if captured:  # the opponent may have lost a wall
            for part in parts(self.squares - self.covered(other)):
                if self.foreign(other, part):
                    self.ground[other] -= part
        assert not self.ground[mover] & self.ground[other]

    def claim_like_the_seed(self):
        mover, other = self.side, 1 - self.side
        buildings = [*sorted(self.standing[other]), *([14] if self.cathedral else [])]
        for building in buildings:
            cells = (
                self.cathedral
                if building == 14
                else self.cells(other, building, self.standing[other][building])
            )
            regions = self.regions(without=cells)
            if any(owner == mover and cells & region for owner, region in regions):
                self.remove(other, building)
        self.ground = [set(), set()]
        for owner, region in self.regions(without=set()):
            if owner is not None:
                self.ground[owner] |= region

    def regions(self, without):
        """The empty regions if these squares were empty too, each with its owner or None."""
        light, dark = self.covered(LIGHT) - without, self.covered(DARK) - without
        cathedral = set(self.cathedral or ()) - without
        result = []
        for region in parts(self.squares - light - dark - cathedral):
            border = around(region) - region
            touched = [bool(border & light), bool(border & dark), bool(border & cathedral)]
            owner = None
            if len(region) <= self.limit and touched in (
                [True, False, False],
                [False, True, False],
            ):
                owner = touched.index(True)
            result.append((owner, region))
        return result

    def unplaced(self, side):
        return 47 - len(self.covered(side))

    def outcome(self):
        if not self.over:
            return None
        difference = self.unplaced(1 - self.side) - self.unplaced(self.side)
        return (difference > 0) - (difference < 0)

    def text(self):
        symbols = dict.fromkeys(self.squares, ".")
        for side in (LIGHT, DARK):
            symbols |= dict.fromkeys(self.ground[side], "-="[side])
            for building, place in self.standing[side].items():
                letter = chr(ord("aA"[side]) + building)
                symbols |= dict.fromkeys(self.cells(side, building, place), letter)
        symbols |= dict.fromkeys(self.cathedral or (), "+")
        rows = [
            "".join(symbols[x, y] for x in range(self.size)) for y in reversed(range(self.size))
        ]
        claimers = "".join(
            "ld"[s] for s in (LIGHT, DARK) if self.ever_built[s] or not self.official
        )
        return f"{'/'.join(rows)} {'ld'[self.side]} {self.light} {claimers or '-'}"
