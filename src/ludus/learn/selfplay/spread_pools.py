"""Self-play on workers: a step of a pool is a task, with which its games go and come back.

What a pool plays depends on its games, its generators and the network alone, so it does not matter
which worker does a task, or how often. All games are here between two tasks: a checkpoint has
them as if they were played here, and a lost worker costs only what it was doing.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus import reading
from ludus.arena import shards
from ludus.arena.tasks import Message, Result, Workers, results
from ludus.game import Game, game
from ludus.learn.networks.onnx import in_onnx
from ludus.learn.selfplay.pools import Pool, Spent

if TYPE_CHECKING:
    from ludus.learn.selfplay.pools import Arrays

WORK = "ludus.learn.selfplay.spread_pools:play_pool"
REMEMBERED = 2  # pools that a worker keeps as they are, should their next task come to it


class SpreadPools:
    """As `Pools`, played by workers: bit by bit the same."""

    def __init__(
        self,
        game: Game,
        *,
        pools: int,
        games: int,
        seeds: list[int],
        planes: str,
        batched: bool,
        options: dict[str, Any],
        workers: Workers,
        starts: Sequence[Any] = (),
    ) -> None:
        shards.check(game, [])
        self.game, self.seeds, self.workers = game, seeds[:pools], workers
        self.mark = shards.made_of_game(game)
        self.options = options
        self.about: dict[str, Any] = {
            "game": game.spelling,
            "mark": self.mark,
            "games": games,
            "planes": planes,
            "batched": batched,
            "options": options,
            "starts": [bytes(state).hex() for state in starts],
        }
        self.states: list[dict[str, Any] | None] = [None] * pools  # None: as it begins
        self.name = uuid.uuid4().hex
        self.versions = [0] * pools  # of their states: what a worker remembers may be older
        self.fresh: dict[str, int] = {}
        self.spent = Spent()
        self.learner_waited = 0.0  # for games, in the last step

    def play(self, graph: bytes, positions: int, threads: int, games: int = 0) -> Arrays:
        """So many positions, or games if any, joined in the order of the pools."""
        count = len(self.states)
        shared = self.workers.share(graph)
        share = -(-positions // count)
        begun = [(games + place) // count for place in range(count)] if games else [None] * count
        tasks = [self.task(place, shared, share, begun[place]) for place in range(count)]
        found: dict[int, Result] = {}
        with closing(results(self.workers, WORK, tasks)) as coming:
            found.update(coming)
        parts = [self.keep(place, found[place]) for place in range(count)]
        return joined(parts)

    def task(self, place: int, graph: Any, positions: int, games: int | None) -> Message:
        """A step of a pool, for whoever does it."""
        return {
            "about": json.dumps(self.about),
            "home": f"{self.name} {place}",
            "version": self.versions[place],
            "seed": self.seeds[place],
            "state": self.states[place],
            "graph": graph,
            "positions": positions,
            "games": games,
        }

    def keep(self, place: int, result: Result) -> Arrays:
        """Take in how a pool stands now, and what was done; the positions it has played."""
        # Copies: what comes from elsewhere may be memory of another process.
        self.states[place] = {name: np.array(one) for name, one in result["state"].items()}
        self.versions[place] += 1
        self.count(result)
        return dict(result["played"])

    def count(self, result: Result) -> None:
        """Add up what was done."""
        for name, count in result["counts"].items():
            self.fresh[name] = self.fresh.get(name, 0) + count
        self.spent.search += result["search"]
        self.spent.inference += result["inference"]

    def counts(self) -> dict[str, int]:
        """What was done since this was asked last."""
        fresh, self.fresh = self.fresh, dict.fromkeys(self.fresh, 0)
        return fresh

    def seconds(self) -> dict[str, float]:
        """Of each kind of work, over all workers."""
        return {"search": self.spent.search, "inference": self.spent.inference}

    def metrics(self) -> dict[str, float]:
        """Who works, and how long the learner waited for games in the last step."""
        found = {"workers": float(self.workers.count), "learner_wait": self.learner_waited}
        self.learner_waited = 0.0
        return found

    def state(self) -> list[dict[str, Any]]:
        return [
            self.pool(place).state() if state is None else state
            for place, state in enumerate(self.states)
        ]

    def form(self) -> list[dict[str, Any]]:
        return [self.pool(place).form() for place in range(len(self.states))]

    def restore(self, state: list[dict[str, Any]]) -> None:
        for place, kept in enumerate(state):
            pool = self.pool(place)
            pool.restore(self.game, kept)  # which looks at it, and knows older forms
            self.states[place] = pool.state()
            self.versions[place] += 1

    def pool(self, place: int) -> Pool:
        """A pool as it begins, made here."""
        return make_pool(self.game, {**self.about, "options": self.small()}, self.seeds[place])

    def small(self) -> dict[str, Any]:
        """Options of a pool that plays nothing, and so needs no cache."""
        return {**self.options, "cache_size": 0, "symmetric_cache": False}

    def stop(self) -> None:
        """Wait for no worker any more."""
        self.workers.stop()

    def close(self) -> None:
        """What is under way is given up."""
        self.workers.forget()


def joined(parts: list[Arrays]) -> Arrays:
    """What several pools have played, one after the other."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def make_pool(on: Game, about: dict[str, Any], seed: int) -> Pool:
    """A pool as it begins."""
    starts = [on.state(bytes.fromhex(one)) for one in about["starts"]]
    return Pool.begin(
        on, about["games"], seed, about["planes"], about["batched"], about["options"], starts
    )


def play_pool(task: Message) -> Result:
    """A step of a pool, where it was sent."""
    about = reading.parse(task["about"])
    pool = remembered(task, about)
    counted, spent = dict(pool.native.counts), Spent(pool.spent.search, pool.spent.inference)
    played = pool.play(in_onnx(task["graph"]), task["positions"], task["games"])
    MEMORY.keep(task["home"], task["version"] + 1, pool)
    counts = {name: count - counted.get(name, 0) for name, count in pool.native.counts.items()}
    return {
        "played": played,
        "state": pool.state(),
        "counts": counts,
        "search": pool.spent.search - spent.search,
        "inference": pool.spent.inference - spent.inference,
    }


def remembered(task: Message, about: dict[str, Any]) -> Pool:
    """The pool as this worker left it, if nobody else went on with it; else as it was sent."""
    pool = MEMORY.take(task["home"], task["version"])
    if pool is not None:
        return pool
    on = game(about["game"])
    shards.check_file(about["game"], shards.made_of_game(on), about["mark"])
    pool = make_pool(on, about, task["seed"])
    if task["state"] is not None:
        pool.restore(on, dict(task["state"]))
    return pool


class Memory:
    """The last few pools that were played here, each as it stands after some version."""

    def __init__(self) -> None:
        self.pools: dict[str, tuple[int, Pool]] = {}
        self.turn = threading.Lock()

    def take(self, home: str, version: int) -> Pool | None:
        """The pool, if it stands there; whoever takes it has it alone."""
        with self.turn:
            then, pool = self.pools.pop(home, (-1, None))
        return pool if then == version else None

    def keep(self, home: str, version: int, pool: Pool) -> None:
        """Remember it, and forget the oldest."""
        with self.turn:
            self.pools[home] = version, pool
            for old in list(self.pools)[:-REMEMBERED]:
                del self.pools[old]


MEMORY = Memory()
