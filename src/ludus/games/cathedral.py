"""Cathedral."""

from bisect import bisect_right
from functools import cache
from itertools import accumulate

from ludus._core import cathedral
from ludus.game import Kind

# In the order of their actions: name, copies, ways to turn it, height and width.
BUILDINGS = (
    ("Tavern", 2, 1, 1, 1),
    ("Stable", 2, 2, 2, 1),
    ("Inn", 2, 4, 2, 2),
    ("Bridge", 1, 2, 3, 1),
    ("Square", 1, 1, 2, 2),
    ("Manor", 1, 4, 2, 3),
    ("Abbey", 1, 2, 2, 3),
    ("Academy", 1, 4, 3, 3),
    ("Infirmary", 1, 1, 3, 3),
    ("Castle", 1, 4, 2, 3),
    ("Tower", 1, 4, 3, 3),
    ("Cathedral", 1, 4, 4, 3),
)
# Where a footprint's second cell lies from its first, in degrees clockwise from up, when the
# building is not turned; up for all others.
HEADINGS = {"Academy": 180, "Castle": 270}


@cache
def runs(size: int) -> tuple[list[int], list[tuple[str, int, int]]]:
    """Where the actions of each building end; its name, which copy it is, its ways to turn."""
    counts, buildings = [], []
    for name, copies, turns, height, width in BUILDINGS:
        for copy in range(copies):
            counts.append(turns * (size - height + 1) * (size - width + 1))
            buildings.append((name, copy, turns))
    return list(accumulate(counts)), buildings


def square(cell: int, size: int) -> str:
    """Columns are letters, rows count from the bottom."""
    return "abcdefghij"[cell % size] + str(size - cell // size)


def move(state: cathedral, action: int) -> str:
    """Building, square and clockwise turn: "Castle@c4+90"; under seed rules "Inn2" is the other."""
    size, rules = state.parameters["size"], state.parameters["rules"]
    ends, buildings = runs(size)
    name, copy, turns = buildings[bisect_right(ends, action)]
    named, *others = state.footprint(action)
    turn = 0
    if turns > 1:
        down, right = (others[0] // size - named // size, others[0] % size - named % size)
        heading = 180 * (down > 0) if down else 180 - 90 * right
        turn = (heading - HEADINGS.get(name, 0)) % 360
    mark = "2" if copy and rules == "seed" else ""
    return f"{name}{mark}@{square(named, size)}+{turn}"


def light_player(state: cathedral) -> int:
    """The player who is Light, and began: a position's text ends with who moves, this, claims."""
    return int(str(state).split(" ")[-2])


def places(state: cathedral) -> list[tuple[int, int]]:
    """A way for each outline of a building, played at the middle of its bounding box."""
    size = state.parameters["size"]
    ways: dict[tuple[str, tuple[int, ...]], int] = {}
    ends, buildings = runs(size)
    found = []
    for action in range(state.num_actions):
        cells = [divmod(cell, size) for cell in state.footprint(action)]
        rows, columns = [row for row, _ in cells], [column for _, column in cells]
        top, left = min(rows), min(columns)
        outline = tuple(sorted((row - top) * size + column - left for row, column in cells))
        name = buildings[bisect_right(ends, action)][0]
        way = ways.setdefault((name, outline), len(ways))
        found.append((way, (top + max(rows)) // 2 * size + (left + max(columns)) // 2))
    return found


KIND = Kind(
    name="cathedral",
    title="Cathedral",
    about=(
        "Light puts the neutral Cathedral anywhere, then Dark and Light build in turn: each has 14 "
        "buildings, turned as they like, for empty squares outside the other's ground. What your "
        "buildings and the city wall enclose side to side becomes your ground, unless it holds "
        "two or more foreign buildings; a single one goes back to its owner (the Cathedral out of "
        "the game). Nobody claims with his first building. Who has no room is skipped; when "
        "nobody has, the fewest unplaced squares win. Seed rules: claims from the first building "
        "on, none above 4 * size cells, the same Abbey and Academy for both sides, and equal "
        "buildings are told apart."
    ),
    states=cathedral,
    parameters={
        "size": "side of the board, 10 or 8",
        "rules": "official, or seed as in the paper that used cathedral-rl",
        "fair_start": "whether start(rng) draws which player is Light",
        "claim_limit": "most cells a claim can have; none means any, under seed rules 4 * size",
    },
    clocks=("fair_start",),
    notation=(
        "a move is building@square+turn: Castle@c4+90 puts the Castle's first square on "
        "c4, turned by 90 degrees clockwise; `moves c4` lists those on c4"
    ),
    move=move,
    places=places,
    first=light_player,
    truth="perfect play is not known; random play favours Dark, who builds first",
    fpu=1.0,
    perft={"size=8": (120, 110412), "size=8,rules=seed": (120, 146908)},
    variants=(
        {"size": 8},
        {"size": 8, "rules": "seed"},
        {"rules": "seed"},
        {"size": 8, "fair_start": True},
        {"size": 8, "claim_limit": 6},
    ),
)
