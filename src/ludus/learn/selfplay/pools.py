"""Self-play in pools: each a thread with its own games and its own copy of the network.

A pool plays a fixed number of positions a step, and nothing passes between pools, so what they
play does not depend on how many threads there are, or which of them is faster.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus import _core
from ludus.game import Game, State
from ludus.learn.collecting.seen import RECORDED
from ludus.learn.networks.onnx import in_onnx
from ludus.learn.networks.player import Evaluator
from ludus.learn.selfplay.settings import Config, chance_of
from ludus.learn.store.forms import MANY, Array, Perhaps, check_lengths, form_like
from ludus.learn.store.games import pack_states, states_form, unpack_states

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

BACK = 5  # steps in the order in which the system lets threads work
ROW = (
    *("features", "counts", "actions", "weights", "values", "chosen", "outcomes"),
    *("players", "full", "surprises"),
)
LONG = ("actions", "weights")  # which have an entry a legal action, not a ply
EACH = ("plies", "lengths")  # of what is recorded, an entry a ply
KEPT = {name: f"recorded_{name}" for name in RECORDED}  # in what is stored
GREATEST_HALF = float(np.finfo(np.float16).max)  # the window keeps features as half floats

# Of the settings, those that the search and its games are told.
SEARCH = (
    "simulations",
    "c_puct",
    "fpu_reduction",
    "dirichlet_alpha",
    "dirichlet_fraction",
    "max_num_considered_actions",
    "prior_temperature",
    "maxvisit_init",
    "value_scale",
    "fast_simulations",
    "full_search_prob",
    "temperature",
    "temperature_plies",
    "gumbel_noise_plies",
    "random_opening_plies",
    "random_move_prob",
    "one_sided_prob",
    "start_positions_prob",
    "resign_threshold",
    "resign_playthrough_prob",
    "td_lambda",
    "deblunder",
    "symmetric_cache",
    "cache_size",
    "plain",
)


def options_of(config: Config) -> dict[str, Any]:
    """What a native pool is told of the settings."""
    return {
        "gumbel": config.search == "gumbel",
        "root_only": config.search == "root",
        "fused": config.search == "root",
        "unvisited_zero": config.fpu_strategy == "zero",
        "chance": chance_of(config),
        "record_positions": config.record_states > 0,
        **{name: getattr(config, name) for name in SEARCH},
    }


@dataclass
class Spent:
    """Processor seconds of a pool."""

    search: float = 0.0
    inference: float = 0.0


@dataclass
class Pool:
    """Games in step, and where the network writes."""

    native: Any
    batched: bool = True  # one call of the network for all leaves, else one for each
    records: bool = False  # positions beside what is learned from them
    spent: Spent = field(default_factory=Spent)

    def __post_init__(self) -> None:
        self.features = np.zeros((len(self.native), *self.native.shape), np.float32)

    @classmethod
    def begin(
        cls,
        game: Game,
        games: int,
        seed: int,
        planes: str,
        batched: bool,
        options: dict[str, Any],
        starts: Sequence[State] = (),
    ) -> Pool:
        """Games as they begin: from the start, or some of them from given positions."""
        start: Any = game.start()
        from_there = {"starts": list(starts)} if starts else {}
        native = _core.selfplay(start, games, seed=seed, planes=planes, **from_there, **options)
        return cls(native, batched, bool(options.get("record_positions")))

    def play(self, evaluate: Evaluator, positions: int, games: int | None = None) -> Arrays:
        """Play until so many positions of ended games are there; then searches are dropped.

        Or exactly so many games, from their beginning to their end.
        """
        native, clock = self.native, time.thread_time
        moment = clock()
        if games is not None:
            native.begin_games(games)
        while native.running if games is not None else native.finished < positions:
            rows = native.gather(self.features)
            self.spent.search -= moment - (moment := clock())
            if not rows:
                continue
            logits, values = self.evaluate(evaluate, self.features[:rows])
            self.spent.inference -= moment - (moment := clock())
            native.scatter(logits, values)
        native.pause()
        self.spent.search += clock() - moment
        taken: Arrays = native.take()
        return taken

    def evaluate(self, evaluate: Evaluator, features: NDArray[np.float32]) -> Any:
        """The network's opinion of some positions."""
        if self.batched:
            return evaluate(features)
        found = [evaluate(features[row : row + 1]) for row in range(len(features))]
        return tuple(np.concatenate(part) for part in zip(*found, strict=True))

    def state(self) -> dict[str, Any]:
        """Every game as it stands between two moves."""
        rows = [self.native.row(row) for row in range(len(self.native))]
        names = {**{name: name for name in ROW}, **(KEPT if self.records else {})}
        return {
            **pack_states([state for state, _, _, _ in rows]),
            "randoms": np.array([random for _, random, _, _ in rows], np.uint64),
            "flags": np.array([flags for _, _, flags, _ in rows], np.int64),
            "plies": np.array([len(record["counts"]) for _, _, _, record in rows], np.int64),
            **{
                kept: np.concatenate([record[name] for _, _, _, record in rows])
                for name, kept in names.items()
            },
        }

    def form(self) -> dict[str, Any]:
        """As it is now, with any number of plies."""
        rows, now = len(self.native), self.state()
        own = {name: replace(form_like(now[name]), finite=False) for name in ROW}
        recorded = {name: form_like(now[name]) for name in KEPT.values() if self.records}
        return {
            **own,
            **recorded,
            "features": form_like(now["features"], -GREATEST_HALF, GREATEST_HALF),
            "actions": form_like(now["actions"], 0, self.native.num_actions - 1),
            "players": form_like(now["players"], 0, 1),
            "chosen": Perhaps(own["chosen"]),
            "surprises": Perhaps(own["surprises"]),
            **states_form(rows),
            "randoms": Array("uint64", (rows,)),
            "flags": Array("int64", (rows,), 0, 2**31 - 1),
            "plies": Array("int64", (rows,), 0, MANY),
        }

    def restore(self, game: Game, state: dict[str, Any]) -> None:
        values = state["values"]
        young = {"chosen": values, "surprises": np.zeros_like(values)}
        state = {**young, **state}  # as runs had it that did not keep these yet
        each = [name for name in ROW if name not in LONG]
        plies, actions = sum(state["plies"].tolist()), sum(state["counts"].tolist())
        check_lengths("pools", plies=plies, **{name: len(state[name]) for name in each})
        check_lengths("pools", counts=actions, **{name: len(state[name]) for name in LONG})
        if self.records:
            check_lengths("pools", plies=plies, **{KEPT[n]: len(state[KEPT[n]]) for n in EACH})
            letters = int(state[KEPT["lengths"]].sum(dtype=np.int64))
            check_lengths("pools", lengths=letters, letters=len(state[KEPT["letters"]]))
        ply = action = letter = 0
        for row, at in enumerate(unpack_states(game, state, "pools")):
            plies = int(state["plies"][row])
            actions = int(state["counts"][ply : ply + plies].sum())
            record = {
                name: np.ascontiguousarray(
                    state[name][action : action + actions]
                    if name in LONG
                    else state[name][ply : ply + plies]
                )
                for name in ROW
            }
            if self.records:
                record |= {name: state[KEPT[name]][ply : ply + plies].copy() for name in EACH}
                letters = int(record["lengths"].sum(dtype=np.int64))
                record["letters"] = state[KEPT["letters"]][letter : letter + letters].copy()
                letter += letters
            random, flags = int(state["randoms"][row]), int(state["flags"][row])
            self.native.put(row, at, random, flags, record)
            ply, action = ply + plies, action + actions


def step_back() -> None:
    """Let who learns go first: that is one thread's work, and games fill what it leaves free."""
    if sys.platform == "linux":  # where threads have priorities of their own
        own = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), min(own + BACK, 19))


class Pools:
    """All of them."""

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
        starts: Sequence[State] = (),
    ) -> None:
        self.game = game
        self.pools = [
            Pool.begin(game, games, seeds[number], planes, batched, options, starts)
            for number in range(pools)
        ]
        self.counted: dict[str, int] = {}
        self.learner_waited = 0.0  # for games, in the last step

    def play(self, graph: bytes, positions: int, threads: int, games: int = 0) -> Arrays:
        """So many positions, or games if any, joined in the order of the pools."""
        evaluators = [in_onnx(graph) for _ in self.pools]
        count = len(self.pools)
        share = -(-positions // count)
        begun = [(games + place) // count for place in range(count)] if games else [None] * count
        asked = zip(self.pools, evaluators, begun, strict=True)
        with ThreadPoolExecutor(min(threads, len(self.pools)), initializer=step_back) as executor:
            jobs = [
                executor.submit(pool.play, evaluate, share, own) for pool, evaluate, own in asked
            ]
            parts = [job.result() for job in jobs]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def counts(self) -> dict[str, int]:
        """What was done since this was asked last."""
        total: dict[str, int] = {}
        for pool in self.pools:
            for name, count in pool.native.counts.items():
                total[name] = total.get(name, 0) + count
        fresh = {name: count - self.counted.get(name, 0) for name, count in total.items()}
        self.counted = total
        return fresh

    def seconds(self) -> dict[str, float]:
        """Of each kind of work, over all threads."""
        spent = [pool.spent for pool in self.pools]
        return {
            "search": sum(one.search for one in spent),
            "inference": sum(one.inference for one in spent),
        }

    def metrics(self) -> dict[str, float]:
        """Nothing that is not known of every training."""
        return {}

    def stop(self) -> None:
        """Games that are played here end with their step."""

    def close(self) -> None:
        """Nothing goes on by itself."""

    def state(self) -> list[dict[str, Any]]:
        return [pool.state() for pool in self.pools]

    def form(self) -> list[dict[str, Any]]:
        return [pool.form() for pool in self.pools]

    def restore(self, state: list[dict[str, Any]]) -> None:
        for pool, kept in zip(self.pools, state, strict=True):
            pool.restore(self.game, kept)
