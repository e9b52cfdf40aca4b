"""Find the move: positions in which exactly one move keeps the exact value.

A puzzle's grade says how hard it is by what can be counted: how many plies one has to see until the
answer is proven, whether a shallow search sees it, and among how many moves it is. A won position
is proven when it is won; a drawn one when every other move has lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ludus.agent import agent
from ludus.arena.seeds import generator
from ludus.game import Game, State
from ludus.game import game as read_game
from ludus.serve.candidates import candidate, check_game
from ludus.serve.lines import Line
from ludus.serve.truth import answers_here, exact_answers
from ludus.truth.oracle import SAME, NoTruth, Oracle

# What the page offers, where a table is there or is made in seconds.
OFFERED = (
    "connect4",
    "chinesecheckers:size=4,pieces=3",
    "kingcourtesan:size=4",
    "kingcourtesan:size=3",
    "checkers",
    "tictactoe",
)
GRADES = range(1, 6)
SEEN = (1, 3, 5, 9)  # plies to see, at most, in grades 1 to 4 before the rest is looked at
SHALLOW = "alphabeta:depth=2"
FEW_MOVES = 2  # a guess is right every second time
TRIES = 400  # positions looked at before the nearest grade will do
MOST_TRIES = 4000  # before it is given up
PURPOSE = 19  # of these random numbers, so that none else draws them


@dataclass(frozen=True)
class Puzzle:
    """A position with one right move."""

    line: Line
    right: int
    value: float  # 1 for a win, 0 for a draw
    grade: int

    def describe(self) -> dict[str, Any]:
        """What is told of it before it is solved."""
        return {
            "line": self.line.record(),
            "grade": self.grade,
            "to_keep": "win" if self.value > 0 else "draw",
        }


def games_with_puzzles() -> list[str]:
    """The games whose puzzles can be judged here, without hours of solving."""
    return [spelling for spelling in OFFERED if answers_here(read_game(spelling))]


def puzzles(game: Game, oracle: Oracle, seed: int, grade: int) -> Iterator[dict[str, Any] | None]:
    """Look for a puzzle in slices: None while looking, at last {line, grade, to_keep}.

    If none of this grade turns up in time, it is the one of the nearest grade, and says so.
    """
    check_game(game)
    if grade not in GRADES:
        raise ValueError(f"a grade is {GRADES[0]} to {GRADES[-1]}, not {grade!r:.20}")
    nearest: Puzzle | None = None
    for attempt in range(MOST_TRIES):
        if nearest is not None and (nearest.grade == grade or attempt >= TRIES):
            break
        yield None
        line = candidate(game, generator(seed, PURPOSE, grade, attempt))
        if line is None:
            continue
        for _ in oracle.solving(line.state):
            yield None
        found = puzzle(line, oracle)
        if found and (nearest is None or abs(found.grade - grade) < abs(nearest.grade - grade)):
            nearest = found
    if nearest is None:
        raise NoTruth(f"no puzzle of {game.spelling} was found from seed {seed}")
    yield nearest.describe()


def answer(line: Line, oracle: Oracle, action: int) -> Iterator[dict[str, Any] | None]:
    """Judge an answer in slices: None meanwhile, at last {right, best, moves}."""
    if action not in line.state.legal():
        raise ValueError(f"action {action!r:.20} is not legal here")
    for said in exact_answers(oracle, line.state):
        if said is None:
            yield None
            continue
        moves = said["moves"]
        best = [int(one) for one, true in moves.items() if true["value"] >= said["value"] - SAME]
        yield {"right": action in best, "best": best, "moves": moves}


def puzzle(line: Line, oracle: Oracle) -> Puzzle | None:
    """This position as a puzzle, if one move alone keeps a win or a draw."""
    state = line.state
    if len(state.legal()) < 2:
        return None
    try:
        values = oracle.values(state)
    except NoTruth:
        return None
    most = max(values.values())
    best = [action for action, value in values.items() if value >= most - SAME]
    if most < 0 or len(best) > 1:
        return None
    seen = plies_to_see(values, oracle.distances(state), best[0])
    return Puzzle(line, best[0], most, grade_of(state, best[0], seen))


def plies_to_see(
    values: Mapping[int, float], distances: Mapping[int, int | None], right: int
) -> int | None:
    """How far one has to look until the answer is proven; None where no distance is known."""
    if values[right] > 0:
        return distances[right]
    others = [plies for action, plies in distances.items() if action != right]
    known = [plies for plies in others if plies is not None]
    return max(known) if len(known) == len(others) else None


def grade_of(state: State, right: int, seen: int | None) -> int:
    """From 1, seen at once, to 5."""
    grade = len(SEEN) + 1 if seen is None else 1 + sum(seen > plies for plies in SEEN)
    if len(state.legal()) <= FEW_MOVES:
        grade -= 1
    if grade > 1 and not is_found_by_search(state, right):
        grade += 1
    return min(max(grade, GRADES[0]), GRADES[-1])


def is_found_by_search(state: State, right: int) -> bool:
    """Whether a search of a few plies plays this move and no other."""
    policy = agent(SHALLOW).think(state).policy
    return bool(policy[right] > 0.5)
