"""Who sits opposite the learner: itself, a lagged copy, its past, random moves, or any agent.

A curriculum chains them: `200*legality;300*random;self` is 200 steps of the first, 300 of the
second, then the last; `1500 games*random;self` counts games that are over. `legality` is play
against itself in which nothing stops an illegal choice.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import agent
from ludus.learn.collecting.batched_opponents import choose_actions
from ludus.learn.collecting.vector_games import VectorGames
from ludus.learn.networks.masked import uniform_actions
from ludus.learn.networks.optimise import polyak_update
from ludus.learn.networks.player import Evaluator, in_torch
from ludus.learn.settings.playing import (
    LAGGED,
    LEGALITY,
    PLAYS_ITSELF,
    POOL,
    RANDOM,
    SELF,
    CopiesConfig,
    read_curriculum,
)
from ludus.learn.store.components import module_form, tensors
from ludus.learn.store.forms import MANY, Array, Many, Perhaps, Whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.learn.networks.network import Network

    Rows = NDArray[np.int64]

BOTH = -1  # the learner's side where it plays itself

# Numbers of actions and masks in, an action for each row out.
Choice = Callable[["NDArray[np.float32]", "NDArray[np.bool_]"], "NDArray[np.int32]"]


class Opponents:
    """Chooses for the other side, where it is not the learner itself."""

    def __init__(
        self,
        curriculum: str,
        habits: CopiesConfig,
        network: Network,
        choice: Choice,
        rng: np.random.Generator,
        rows: int,
        seed: int,
        threads: int = 1,
        look: Callable[[Network], Evaluator] = in_torch,
    ) -> None:
        self.stages, self.habits, self.rng = read_curriculum(curriculum), habits, rng
        self.network, self.choice, self.seed = network, choice, seed
        self.rows, self.threads = rows, threads
        self.look = look
        self.looks: dict[int, Evaluator] = {}  # of the past, which stays as it is for long
        self.stage = 0
        self.steps = 0
        self.games = 0
        self.lagged = copy.deepcopy(network)
        self.past: list[Network] = []
        self.met = np.zeros((habits.pool_size, 2))  # games against each of the past, points lost
        self.sides = (np.arange(rows) % 2).astype(np.int8)  # which is the learner's against others
        self.learner_sides = np.full(rows, BOTH, np.int8)  # or both
        self.alone = True  # nobody else sits at the table
        self.who = np.zeros(rows, np.int64)  # which of the past, in each row
        self.agent: Any = None
        self.assign_sides()

    @property
    def current(self) -> str:
        return self.stages[self.stage].opponent

    @property
    def legality(self) -> bool:
        return self.current == LEGALITY

    @property
    def plays_itself(self) -> bool:
        return self.current in PLAYS_ITSELF

    def assign_sides(self, rows: NDArray[np.bool_] | None = None) -> None:
        """Give the learner its side, in all rows or where a game ended."""
        which = np.ones(self.rows, np.bool_) if rows is None else rows
        if self.plays_itself or (self.current == POOL and not self.past):
            self.learner_sides[which] = BOTH
        elif self.current != POOL:
            self.learner_sides[which] = self.sides[which]
        else:
            away = self.rng.random(self.rows) < self.habits.pool_prob
            drawn = self.rng.choice(len(self.past), self.rows, p=self.hardness())
            self.learner_sides[which] = np.where(away, self.sides, BOTH)[which]
            self.who[which] = drawn[which]
        self.alone = bool((self.learner_sides == BOTH).all())
        if self.agent is None and self.current not in (SELF, LEGALITY, LAGGED, POOL, RANDOM):
            self.agent = agent(self.current, seed=self.seed)

    def hardness(self) -> NDArray[np.float64]:
        """Who takes more points from the learner is met more often."""
        games, lost = self.met[: len(self.past)].T
        weights = ((lost + 1) / (games + 2)) ** 2
        return np.asarray(weights / weights.sum())

    def learner_mask(self, table: VectorGames) -> NDArray[np.bool_]:
        """Where the learner is to move."""
        if self.alone:
            return np.ones(self.rows, np.bool_)
        return np.asarray((self.learner_sides == BOTH) | (self.learner_sides == table.players))

    def act(
        self, table: VectorGames, actions: NDArray[np.int32], theirs: NDArray[np.bool_]
    ) -> None:
        """Choose in the rows that are not the learner's."""
        rows = np.flatnonzero(theirs)
        if not len(rows):
            return
        if self.current == RANDOM:
            actions[rows] = uniform_actions(table.masks[rows], self.rng)
        elif self.current == LAGGED:
            self.ask(in_torch(self.lagged), table, actions, rows)
        elif self.current == POOL:
            for member in np.unique(self.who[rows]).tolist():
                if member not in self.looks:
                    self.looks[member] = self.look(self.past[member])
                self.ask(self.looks[member], table, actions, rows[self.who[rows] == member])
        else:
            self.ask_agent(table, actions, rows)

    def ask(
        self, look: Evaluator, table: VectorGames, actions: NDArray[np.int32], rows: Rows
    ) -> None:
        numbers, _ = look(table.features[rows])
        actions[rows] = self.choice(numbers, table.masks[rows])

    def ask_agent(self, table: VectorGames, actions: NDArray[np.int32], rows: Rows) -> None:
        seeds = self.rng.integers(2**31, size=len(rows))
        draws = self.rng.random(len(rows))
        actions[rows] = choose_actions(self.agent, table, rows, seeds, draws, self.threads)

    def finish_games(self, ended: NDArray[np.bool_], points: NDArray[np.float32] | None) -> None:
        """Games ended; `points` are 1, 0.5 or 0 where the learner won, drew or lost to others."""
        count = int(np.count_nonzero(ended))
        if not count:
            return
        if self.current == POOL and points is not None:
            away = ended & (self.learner_sides != BOTH)
            np.add.at(self.met, (self.who[away], 0), 1)
            np.add.at(self.met, (self.who[away], 1), 1 - points[away])
        before, self.games = self.games, self.games + count
        if self.current == LAGGED:
            self.follow(before)
        # In turn, however few games there are.
        self.sides[ended & (self.learner_sides != BOTH)] ^= 1
        if not self.plays_itself:
            self.assign_sides(ended)

    def follow(self, before: int) -> None:
        """The lagged copy, after so many games more."""
        habits = self.habits
        full = self.games // habits.opponent_full_interval > before // habits.opponent_full_interval
        soft = self.games // habits.opponent_soft_interval - before // habits.opponent_soft_interval
        share = 1.0 if full else 1 - (1 - habits.opponent_tau) ** soft
        if share > 0:
            polyak_update(self.lagged, self.network, share)

    def finish_step(self) -> None:
        """A step is over."""
        self.steps += 1
        if self.steps % self.habits.pool_interval == 0 and any(
            stage.opponent == POOL for stage in self.stages
        ):
            self.join()
        stage = self.stages[self.stage]
        done = self.games if stage.by_games else self.steps
        if stage.until is not None and done >= stage.until:
            self.stage, self.agent = self.stage + 1, None
            self.assign_sides()

    def join(self) -> None:
        """The learner as it is joins its past; the one that is beaten most easily makes room."""
        if len(self.past) < self.habits.pool_size:
            self.past.append(copy.deepcopy(self.network))
            self.met[len(self.past) - 1] = 0
            return
        easiest = int(self.hardness().argmin())
        self.past[easiest] = copy.deepcopy(self.network)
        self.looks.pop(easiest, None)
        self.met[easiest] = 0

    def state(self) -> dict[str, Any]:
        return {
            "stage": self.stage,
            "steps": self.steps,
            "games": self.games,
            "lagged": self.lagged.state_dict(),
            "past": [network.state_dict() for network in self.past],
            "met": self.met,
            "sides": self.sides,
            "learner_sides": self.learner_sides,
            "who": self.who,
        }

    def form(self) -> dict[str, Any]:
        copied = module_form(self.lagged)
        return {
            "stage": Whole(0, len(self.stages) - 1),
            "steps": Whole(),
            "games": Whole(),
            "lagged": copied,
            "past": Many(copied, self.habits.pool_size),
            "met": Array("float64", (self.habits.pool_size, 2), 0, MANY),
            "sides": Perhaps(Array("int8", (self.rows,), 0, 1)),  # since sides take turns
            "learner_sides": Array("int8", (self.rows,), BOTH, 1),
            "who": Array("int64", (self.rows,), 0, self.habits.pool_size - 1),
        }

    def restore(self, state: dict[str, Any]) -> None:
        away = state["learner_sides"] != BOTH
        opponent = self.stages[state["stage"]].opponent
        if opponent in PLAYS_ITSELF and away.any():
            raise ValueError("opponents/learner_sides has others where there are none")
        if opponent == POOL and (state["who"][away] >= len(state["past"])).any():
            raise ValueError("opponents/who names more than there are in opponents/past")

        self.stage, self.steps, self.games = state["stage"], state["steps"], state["games"]
        self.lagged.load_state_dict(tensors(state["lagged"]))
        self.past = [copy.deepcopy(self.lagged) for _ in state["past"]]
        for network, weights in zip(self.past, state["past"], strict=True):
            network.load_state_dict(tensors(weights))
        self.looks.clear()
        self.met, self.learner_sides = state["met"].copy(), state["learner_sides"].copy()
        self.sides = state.get("sides", self.sides).copy()  # runs from before sides took turns
        self.who = state["who"].copy()
        self.alone = bool((self.learner_sides == BOTH).all())
        self.agent = None
        if self.current not in (SELF, LEGALITY, LAGGED, POOL, RANDOM):
            self.agent = agent(self.current, seed=self.seed)
