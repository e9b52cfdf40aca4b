"""Supervised learning: positions of games, and what a teacher would play and thinks of them.

The teacher is any agent; `perfect` knows the truth. What is learned is a policy and a value, from
which any other method may go on (`--init RUN`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.agent import agent
from ludus.arena.seeds import generator, numbers
from ludus.game import Game
from ludus.learn.collecting.batched_opponents import thoughts_of
from ludus.learn.collecting.window import Window, window_bytes
from ludus.learn.networks.build import Seen, built
from ludus.learn.networks.player import POLICY
from ludus.learn.networks.precision import PRECISIONS
from ludus.learn.networks.symmetries import Symmetries
from ludus.learn.settings import presets
from ludus.learn.settings.config import Common, one_of, positive, share
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.store.components import Saved
from ludus.learn.store.games import form_of_states, states_of, stored_states
from ludus.learn.training.loop import steps
from ludus.learn.training.step import Step
from ludus.learn.training.student import Student


@dataclass(frozen=True)
class Config(Common):
    """Who teaches, on which positions, and how often each is learned from."""

    network: str = "zero"
    teacher: str = "perfect"
    games: int = 256  # at the same time
    astray: float = 0.5  # of moves that are random, so that many positions are met
    positions: int = 1_024  # new ones a step
    window: int = 200_000
    reuse: float = 4.0
    batch: int = 256
    learning_rate: float = 0.002
    anneal: int = 0  # steps over which it falls to a twentieth; 0 for never
    weight_decay: float = 0.0001
    precision: str = "float32"  # of learning; bfloat16 is faster where the processor has it
    value_weight: float = 1.0
    gradient_clip: float = 5.0

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "games", "positions", "window", "reuse", "batch", "learning_rate")
        share(self, "astray")
        one_of(self, "precision", PRECISIONS)
        for name in ("total_games", "evaluate_every_games"):
            if getattr(self, name):
                raise ValueError(f"{name} is 0 here: supervised learning counts positions")

    def work(self, plies: float) -> Work:
        return Work(0, self.reuse * self.positions)

    def footprint(self, sizes: Sizes) -> Footprint:
        return {
            **super().footprint(sizes),
            ("games",): self.games * (sizes.state + 2 * sizes.seen + 8 * sizes.actions),
            ("window",): self.window * window_bytes(sizes),
            ("batch",): self.batch * sizes.seen,
        }


PRESETS = presets.SUPERVISED


class Learner:
    """All that the training remembers, and what it does in a step."""

    values = POLICY

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.game, self.config = game, config
        weights, taught = numbers(2, seed, 0)
        self.rng = generator(seed, 1)
        self.teacher = agent(config.teacher, seed=taught % 2**31)
        start = game.start()
        self.window = Window(Symmetries(game, config.planes), start.num_actions, config.window)
        seen = Seen(start.shape(config.planes), start.num_actions)
        self.network = built(game, config, seen, weights, value=True)
        self.student = Student(self.network, config)
        self.states: list[Any] = [game.start(self.rng) for _ in range(config.games)]

    @property
    def parts(self) -> dict[str, Any]:
        return {
            "network": self.network,
            "optimizer": self.student.optimizer,
            "window": self.window,
            "rng": self.rng,
            "learner": self,
        }

    def state(self) -> dict[str, Any]:
        return stored_states(self.states)

    def form(self) -> dict[str, Any]:
        return form_of_states(len(self.states))

    def restore(self, state: dict[str, Any]) -> None:
        self.states = list(states_of(self.game, state, "learner"))

    def asked(self) -> dict[str, Any]:
        """What the teacher says of all games as they stand; then each goes on by a move."""
        seeds = self.rng.integers(2**31, size=len(self.states))
        thoughts = thoughts_of(self.teacher, self.states, seeds)
        legal = [state.legal() for state in self.states]
        policies = [
            thought.policy[actions] / thought.policy[actions].sum()
            for thought, actions in zip(thoughts, legal, strict=True)
        ]
        values = np.array([thought.value or 0.0 for thought in thoughts], np.float32)
        told = {
            "features": np.stack([state.features(self.config.planes) for state in self.states]),
            "players": np.array([state.player for state in self.states], np.int8),
            "counts": np.array([len(actions) for actions in legal], np.uint32),
            "actions": np.concatenate(
                [
                    [state.seen(action) for action in actions]
                    for state, actions in zip(self.states, legal, strict=True)
                ]
            ).astype(np.uint16),
            "weights": np.concatenate(policies).astype(np.float32),
            "values": values,
            "outcomes": values,
            "full": np.ones(len(legal), np.uint8),
        }
        for row, (state, actions, policy) in enumerate(
            zip(self.states, legal, policies, strict=True)
        ):
            astray = self.rng.random() < self.config.astray
            action = self.rng.choice(actions, p=None if astray else policy)
            after = state.play(int(action), self.rng)
            self.states[row] = after if after.outcome is None else self.game.start(self.rng)
        return told

    def played(self, number: int) -> int:
        return 0

    def step(self, number: int) -> dict[str, float]:
        """Ask the teacher, then learn."""
        config, added = self.config, 0
        while added < config.positions:
            added += self.window.add(self.asked(), self.rng, 1.0)
        self.student.anneal(number)
        times = max(1, round(added * config.reuse / config.batch))
        found = self.student.taught(
            self.window.draw(config.batch, self.rng, 0.0) for _ in range(times)
        )
        return {"positions": float(self.window.written), **found}


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Ask and learn, step by step; goes on from `saved` as if it had never stopped."""
    return steps(Learner, game, config, seed, saved)
