"""Agents in run folders and of the zoo: `runs/x@best`, `zoo/connect4:simulations=200`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, ClassVar

from ludus.agent import ForgetsOnCopy, Thought, check_state
from ludus.device import CPU, asked
from ludus.game import Game, State, game_of
from ludus.learn.networks.canonical import Canonical
from ludus.learn.networks.onnx import StoredNetwork
from ludus.learn.networks.player import (
    GUMBEL,
    PUCT,
    ROOT,
    SEARCHES,
    Evaluator,
    NetworkAgent,
    Scale,
)
from ludus.learn.networks.stored import (
    GameKey,
    check_arrays,
    evaluator_of,
    make_evaluator,
    plan_of,
)
from ludus.learn.networks.symmetries import Symmetries, over_images
from ludus.learn.networks.values import stored_scale
from ludus.learn.settings.needs import Need, Needs, missing_need, needs_choice
from ludus.learn.store import zoo
from ludus.learn.store.checkpoint import PLAIN, Checkpoint
from ludus.learn.store.learned import learned_game
from ludus.learn.store.selection import player_of
from ludus.learn.store.zoo import in_zoo
from ludus.options import check, option

MOST_PLANNED = 10**6  # simulations whose rounds Gumbel search plans
SEARCHING = Need(
    "", lambda one: bool(one.simulations) or one.seconds is not None, "a search: give simulations"
)


@dataclass
class Trained(ForgetsOnCopy):
    """What a run has learned: its strongest checkpoint, or the one that is named.

    Without simulations or seconds it plays the raw policy. `search=gumbel` is Gumbel's search
    without noise; `root` evaluates what an action leads to and searches no deeper.
    """

    run: str  # a path, and perhaps @best, @last or @step=N
    simulations: int = option(
        0, "simulations of a search guided by it; 0 plays the raw policy", low=0, high=10**9
    )
    seconds: float | None = option(
        None, "seconds a move; with simulations the first to be reached", low=0, high=10**9
    )
    search: str = option(PUCT, "which search", choices=SEARCHES, paper="Danihelka 2022")
    c_puct: float = option(1.25, "exploration constant of PUCT", low=0, high=1000)
    max_num_considered_actions: int = option(
        16, "actions that Gumbel search tries at the root", low=1, high=65536
    )
    proofs: bool = option(True, "pass up what is certain: proven wins, draws and losses")
    reuse: bool = option(False, "keep the tree between the moves of a game")
    leaves: int | None = option(
        None,
        "leaves of a tree that the network is asked about at once; by default one for each 32 "
        "simulations, up to 32",
        low=1,
        high=1024,
    )
    chance: str = option(
        "expectation",
        "values of chance nodes: expectations, or means over sampled results as in the papers",
        choices=("expectation", "sample"),
    )
    symmetric: bool = option(False, "average over all symmetric positions")
    canonical: bool = option(
        False, "think of the symmetric position whose text is least, so that images get one reply"
    )
    int8: bool = option(
        False,
        "evaluate in int8, faster and a little rough: needs torch, and a tower of convolutions; "
        "refused where it says other things than float32",
    )
    seed: int = option(0, "seed of all its random numbers", low=0, high=2**64 - 1)
    named_by = "run"  # its name in spellings
    NEEDS: ClassVar[Needs] = {
        "search": (SEARCHING,),
        "c_puct": (SEARCHING, needs_choice("search", PUCT, ROOT)),
        "max_num_considered_actions": (SEARCHING, needs_choice("search", GUMBEL)),
        "leaves": (SEARCHING,),
        "chance": (SEARCHING,),
        "proofs": (SEARCHING,),
        "reuse": (
            SEARCHING,
            needs_choice("search", PUCT),
            Need("proofs", lambda one: one.proofs, "true"),
        ),
    }
    _thinker: Any = field(default=None, init=False, repr=False, compare=False)
    _found: Any = field(default=None, init=False, repr=False, compare=False)
    _learned: Any = field(default=None, init=False, repr=False, compare=False)
    _met: str = field(default="", init=False, repr=False, compare=False)  # a game that it can play

    def __post_init__(self) -> None:
        check(self)
        for name in self.NEEDS:
            if need := missing_need(self, name):
                raise ValueError(explain_no_effect(self, name, need))
        if self.canonical and self.reuse:
            raise ValueError("canonical=true keeps no tree between moves; leave reuse out")
        if self.search == GUMBEL and not 0 < self.simulations <= MOST_PLANNED:
            raise ValueError(
                f"search=gumbel plans its rounds by simulations: give it 1 to {MOST_PLANNED:,}"
            )
        self._found = find_network(self.run)
        self._learned = learned_game(self._found[0], self.run)
        if self.simulations or self.seconds is not None:
            self._check_values()
        if self._learned.game is not None:
            self._prepare(self._learned.game)
            self._met = self._learned.spelling

    def _prepare(self, on: Game) -> None:
        """Make the network for its game; one written in Python is met with its states."""
        record, load = self._found
        graph = load(GameKey(on.spelling, on), self.int8)
        if self.symmetric:
            graph = over_images(graph, Symmetries(on, record["planes"]))
        agent = NetworkAgent(
            graph,
            record["values"],
            record["planes"],
            self.simulations,
            self.c_puct,
            self.seed,
            stored_scale(record) or Scale(),
            chance=self.chance,
            leaves=self.leaves,
            threads=os.cpu_count() or 1,
            plain=not self.proofs,
            search=self.search,
            seconds=self.seconds,
            reuse=self.reuse,
            max_num_considered_actions=self.max_num_considered_actions,
        )
        self._thinker = Canonical(agent) if self.canonical else agent

    def _check_values(self) -> None:
        """Refuse a search by values whose size nobody knows."""
        if stored_scale(self._found[0]) is None:
            raise ValueError(
                f"{self.run} learned from other rewards than outcomes, and was stored before their "
                "size was: no search can go by its values; it plays without simulations"
            )

    @property
    def game(self) -> Game | None:
        """The game that it learned; None for one written in Python."""
        learned: Game | None = self._learned.game
        return learned

    @property
    def batched(self) -> bool:
        """Whether it thinks of many games at once: with a clock or a memory it thinks of one."""
        return self.seconds is None and not self.reuse

    @property
    def made_of(self) -> str:
        """What tells its weights from others: workers elsewhere read files of their own."""
        known = self._found[0]
        return str(known.get("files") or known.get("checksum", ""))

    @property
    def counted(self) -> bool:
        """Whether no clock can end its search: Gumbel's rounds are planned by simulations."""
        return self.search == GUMBEL

    def evaluate(self, states: Sequence[State]) -> list[float]:
        """What states are worth to the player to move, without a search."""
        self._check_values()
        self._meet(states[0])
        values: list[float] = self._thinker.evaluate_states(states)
        return values

    def think(self, state: State) -> Thought:
        return self.think_many([state])[0]

    def think_many(self, states: Sequence[State]) -> list[Thought]:
        self._meet(states[0])
        thoughts: list[Thought] = self._thinker.think_many(states)
        return thoughts

    def thinking(self, state: State) -> Iterator[Thought]:
        """The same in slices."""
        self._meet(state)
        yield from self._thinker.thinking(state)

    def _meet(self, state: State) -> None:
        """Be ready for states of this game."""
        check_state(state)
        spelled = getattr(state, "spelling", "")
        if not spelled or spelled != self._met:
            self._learned.check(state)
            if self._thinker is None or spelled != self._met:
                self._prepare(game_of(state))  # a variant may have other symmetries
            self._met = spelled


def explain_no_effect(one: Trained, name: str, need: Need) -> str:
    """Why an option does nothing."""
    if not need.setting:
        return f"{name} has no effect without {need.choose}, or leave {name} out"
    held = str(getattr(one, need.setting)).lower()
    return f"{name} has no effect with {need.setting}={held}; choose {need.setting}={need.choose}"


def find_network(run: str) -> tuple[dict[str, Any], Callable[..., Evaluator]]:
    """What is said of an agent of a run or of the zoo, and its network for the game it learned.

    The network is asked for by a game, and perhaps in int8.
    """
    if in_zoo(run):
        name = run.removeprefix(zoo.HEAD)
        return zoo.card(name), partial(zoo_evaluator, name, device=asked())
    at = player_of(run)
    missing = [name for name in ("game", "config", "planes", "values") if name not in at.record]
    if missing:
        raise at.fault(PLAIN, f"has no {missing[0]}")
    return at.record, partial(checkpoint_evaluator, at.path, at.stamp, device=asked())


@lru_cache(maxsize=64)
def checkpoint_evaluator(
    path: Path, stamp: tuple[int, ...], played: GameKey, int8: bool = False, device: str = CPU
) -> Evaluator:
    """The network of a checkpoint; read once a device while its files stay the same."""
    return evaluator_of(Checkpoint(path), played.game, int8)


@lru_cache(maxsize=64)
def zoo_evaluator(name: str, played: GameKey, int8: bool = False, device: str = CPU) -> Evaluator:
    """The network of one of the zoo, ready to play."""
    known, arrays = zoo.card(name), zoo.weights(name)
    try:
        plan = plan_of(played.game, known, known["planes"], arrays)
        check_arrays(plan, arrays)
    except ValueError as wrong:
        raise ValueError(f"zoo/{name} is damaged: {wrong}") from None
    return make_evaluator(StoredNetwork(plan, arrays), played.game, known["planes"], int8)
