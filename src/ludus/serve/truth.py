"""What is so: oracles, made when they are first asked for, and their answers in slices."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ludus.game import Game, State
from ludus.serve.limits import LIMITS, Limits
from ludus.serve.protocol import Refused
from ludus.truth.oracle import SAME, NoTruth, Oracle, module_of, oracle
from ludus.truth.solving import AT_ONCE

MAKING = 16  # oracles that wait to be made


class Oracles:
    """Oracles by game, the last few; one at a time is made, by a thread of its own."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._kept: OrderedDict[str, Future[Oracle]] = OrderedDict()
        self._alone = threading.Lock()
        self._maker = ThreadPoolExecutor(1, thread_name_prefix="oracle")

    def close(self) -> None:
        """Make no more."""
        self._maker.shutdown(wait=False, cancel_futures=True)

    def wait(self, game: Game) -> Generator[Any, None, Oracle]:
        """The oracle of a game; whoever waits for it lets others work."""
        made = self._future(game)
        while not made.done():
            yield None
        return made.result()

    def _future(self, game: Game) -> Future[Oracle]:
        with self._alone:
            kept = self._kept.get(game.spelling)
            if kept is None or has_failed(kept):  # its table may have been made meanwhile
                if sum(not one.done() for one in self._kept.values()) >= MAKING:
                    raise Refused("the server is busy with other tables; try again soon", 503)
                kept = self._kept[game.spelling] = self._maker.submit(oracle, game)
            self._kept.move_to_end(game.spelling)
            done = [name for name, one in self._kept.items() if one.done()]
            for name in done[: max(0, len(self._kept) - self._limits.oracles_kept)]:
                del self._kept[name]
            return kept


def has_failed(made: Future[Oracle]) -> bool:
    """Whether there was no oracle to make."""
    return made.done() and (made.cancelled() or made.exception() is not None)


def answers_here(game: Game) -> bool:
    """Whether an oracle answers without hours of solving; of some positions it may know nothing."""
    try:
        job = module_of(game).job(game)
    except ValueError:
        return False
    return job is None or job.states <= AT_ONCE or job.file.exists()


def truth(oracles: Oracles, game: Game, state: State) -> Iterator[Any]:
    """What is so, in slices: at last the answer, also where nobody knows."""
    try:
        known = yield from oracles.wait(game)
        yield from exact_answers(known, state)
    except NoTruth as why:
        yield unknown_answer(why)


def exact_answers(known: Oracle, state: State) -> Iterator[dict[str, Any] | None]:
    """An oracle's whole answer."""
    if state.outcome is not None:
        yield answer(float(state.outcome), 0, None, {})
        return
    said = False
    for _ in known.solving(state):
        values = None if said else known.values_so_far(state)
        said = said or values is not None
        yield None if values is None else with_moves(values, {}, {})
    yield with_moves(known.values(state), known.distances(state), known.scores(state))


def with_moves(
    values: dict[int, float], distances: dict[int, int | None], scores: dict[int, int]
) -> dict[str, Any]:
    """The truth of a state from that of its actions."""
    moves = {
        str(action): {
            "value": value,
            "distance": distances.get(action),
            "score": scores.get(action),
        }
        for action, value in values.items()
    }
    most = max(values.values())
    best = [action for action, value in values.items() if value >= most - SAME]
    score = max(scores.values()) if scores else None
    distance = distance_of(most, [distances.get(action) for action in best])
    return answer(most, distance, score, moves)


def distance_of(value: float, distances: list[int | None]) -> int | None:
    """Plies to the end: the winner hurries, the loser resists."""
    known = [plies for plies in distances if plies is not None]
    if not known or abs(value) < 1 - SAME:
        return None
    return min(known) if value > 0 else max(known)


def answer(
    value: float, distance: int | None, score: int | None, moves: dict[str, Any]
) -> dict[str, Any]:
    """The truth as JSON."""
    return {
        "known": True,
        "why": "",
        "value": value,
        "distance": distance,
        "score": score,
        "moves": moves,
    }


def unknown_answer(why: object) -> dict[str, Any]:
    """The same where it is not known."""
    return {
        "known": False,
        "why": str(why),
        "value": None,
        "distance": None,
        "score": None,
        "moves": {},
    }


def too_long_answer(seconds: float) -> dict[str, Any]:
    """The same where it takes too long."""
    return unknown_answer(f"an exact answer takes longer than {seconds:g} s here")
