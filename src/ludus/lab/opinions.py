"""What an agent says of many states: a value and a move each, whoever works at it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Agent, Thought, agent, choose, spelling_of, unwrap
from ludus.arena import shards
from ludus.arena.seeds import generator
from ludus.arena.tasks import Message, Result, Workers, are_elsewhere, in_order
from ludus.game import Game, game, game_of
from ludus.learn.collecting.batched_opponents import thoughts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORK = "ludus.lab.opinions:ask_there"
CHUNK = 256  # states that are asked about at once, whoever asks: batches are the same for all

Chunk = tuple[list[float], list[int]]  # values and moves


@dataclass(frozen=True)
class Opinions:
    """Of each state its value to the mover, not a number where none is said, and the move."""

    values: NDArray[np.float64]
    chosen: NDArray[np.int64]

    @property
    def valued(self) -> bool:
        """Whether it says what states are worth; a policy alone says 0 of everything."""
        return bool(not np.isnan(self.values).any() and self.values.any())

    def take(self, rows: NDArray[Any]) -> Opinions:
        """Of these states."""
        return Opinions(self.values[rows], self.chosen[rows])


def ask(
    agent: Agent,
    states: Sequence[Any],
    *,
    seed: int = 0,
    workers: int | Workers = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Opinions:
    """What it says of each; a state is thought about without a past."""
    found: list[Chunk] = []
    asking = ask_elsewhere if are_elsewhere(workers) else ask_in_threads
    with closing(asking(agent, states, seed, workers)) as coming:
        for part in coming:
            found.append(part)
            progress(min(len(states), CHUNK * len(found)))
    values = np.array([value for part, _ in found for value in part], np.float64)
    chosen = np.array([action for _, part in found for action in part], np.int64)
    return Opinions(values, chosen)


def ask_in_threads(
    agent: Agent, states: Sequence[Any], seed: int, workers: Any
) -> Generator[Chunk, None, None]:
    """Chunk after chunk, by threads of this process."""

    def one(at: int) -> Chunk:
        return ask_chunk(agent, states[at : at + CHUNK], seed, at // CHUNK)

    with ThreadPoolExecutor(workers) as pool:
        try:
            yield from pool.map(one, range(0, len(states), CHUNK))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def ask_elsewhere(
    agent: Agent, states: Sequence[Any], seed: int, workers: Any
) -> Generator[Chunk, None, None]:
    """Chunk after chunk, by workers, who make the agent again from its spelling."""
    if not len(states):
        return
    on = game_of(states[0])
    shards.check(on, [agent])
    tasks = chunk_tasks(agent, on, states, seed)
    with closing(in_order(workers, WORK, tasks)) as coming:
        for result in coming:
            yield result["values"].tolist(), result["chosen"].tolist()


def chunk_tasks(one: Agent, on: Game, states: Sequence[Any], seed: int) -> Iterator[Message]:
    """What workers are sent: spellings, and states as bytes."""
    marks = [shards.made_of_game(on), shards.made_of(unwrap(one))]
    for at in range(0, len(states), CHUNK):
        yield {
            "game": on.spelling,
            "agent": spelling_of(one),
            "marks": marks,
            "states": [bytes(state) for state in states[at : at + CHUNK]],
            "seed": seed,
            "place": at // CHUNK,
        }


def ask_there(task: Message) -> Result:
    """A chunk, where it was sent."""
    on, one = prepared(task["game"], task["agent"], tuple(task["marks"]))
    states = [on.state(state) for state in task["states"]]
    values, chosen = ask_chunk(one, states, task["seed"], task["place"])
    return {"values": np.array(values, np.float64), "chosen": np.array(chosen, np.int64)}


@lru_cache(maxsize=4)
def prepared(spelled: str, agent_spelled: str, marks: tuple[str, str]) -> tuple[Game, Agent]:
    """The game and the agent again, of the same files as where they come from."""
    on, one = game(spelled), agent(agent_spelled)
    shards.check_file(spelled, shards.made_of_game(on), marks[0])
    shards.check_file(agent_spelled, shards.made_of(unwrap(one)), marks[1])
    return on, one


def ask_chunk(agent: Agent, states: Sequence[Any], seed: int, place: int) -> Chunk:
    """The values and moves of a few, by a generator of their own."""
    rng = generator(seed, place)
    thoughts: Sequence[Thought] = thoughts_of(agent, states, rng.integers(2**31, size=len(states)))
    values = [np.nan if one.value is None else float(one.value) for one in thoughts]
    return values, [choose(agent, one, rng) for one in thoughts]
