"""Supervised learning: imitate the moves and values of another agent.

The teacher is any agent; `perfect` knows the truth. What is learned is a policy and a value, from
which any other method may go on (`--init RUN`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludus.agent import Thought, agent
from ludus.arena.seeds import generator, numbers
from ludus.game import Game
from ludus.learn.collecting.batched_opponents import thoughts_of
from ludus.learn.collecting.window import Window, check_window, window_bytes
from ludus.learn.networks.build import Heads, build
from ludus.learn.networks.player import in_torch
from ludus.learn.networks.precision import PRECISIONS, check_precision
from ludus.learn.networks.symmetries import Symmetries
from ludus.learn.selfplay.starts import StartPositions
from ludus.learn.settings import presets
from ludus.learn.settings.config import Common, check_agent
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.needs import Needs, needs_choice
from ludus.learn.store.components import Saved
from ludus.learn.store.games import pack_states, states_form, unpack_states
from ludus.learn.store.record import POLICY
from ludus.learn.training.loop import Step, train_steps
from ludus.learn.training.student import Student
from ludus.options import option
from ludus.truth.oracle import SAME
from ludus.truth.sampling import numbering

if TYPE_CHECKING:
    from numpy.typing import NDArray

GAMES, UNIFORM, FILE = "games", "uniform", "file"


@dataclass(frozen=True)
class Config(Common):
    """Who teaches, on which positions, and how often each is learned from."""

    network: str = "zero"
    teacher: str = option("perfect", "agent that is imitated", group="data")
    states: str = option(
        "games",
        "positions that are learned from: of games, uniform over the game's numbered states, or "
        "those of a file",
        group="data",
        choices=(GAMES, UNIFORM, FILE),
    )
    state_file: str = option(
        "", "file with a position or a line of moves each that is learned from", group="data"
    )
    n_envs: int = option(
        256, "games played at the same time, or states asked about at once", group="data", low=1
    )
    random_move_prob: float = option(
        0.5,
        "probability of a random move, so that many positions are met",
        group="data",
        low=0,
        high=1,
    )
    positions_per_step: int = option(1_024, "new positions of a step", group="data", low=1)
    window: int = option(200_000, "positions in the replay window", group="data", low=1)
    samples_per_position: float = option(
        4.0, "how often a position is learned from, on average", group="optimisation", above=0
    )
    batch_size: int = option(256, "positions of an update", group="optimisation", low=1)
    learning_rate: float = option(0.002, "learning rate of AdamW", group="optimisation", above=0)
    lr_decay_steps: int = option(
        0,
        "steps over which the learning rate falls to a twentieth; 0 for a constant rate",
        group="optimisation",
        low=0,
    )
    weight_decay: float = option(0.0001, "weight decay of AdamW", group="optimisation", low=0)
    precision: str = option(
        "float32",
        "precision of learning; bfloat16 autocast is faster where the processor has it",
        group="optimisation",
        choices=PRECISIONS,
    )
    vf_coef: float = option(1.0, "coefficient of the value loss", group="optimisation", low=0)
    max_grad_norm: float = option(
        5.0, "norm to which gradients are clipped", group="optimisation", above=0
    )

    NEEDS: ClassVar[Needs] = {
        "random_move_prob": (needs_choice("states", GAMES),),
        "state_file": (needs_choice("states", FILE),),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("total_games", "eval_freq_games"):
            if getattr(self, name):
                raise ValueError(f"{name} is 0 here: supervised learning counts positions")
        if self.states == FILE and not self.state_file:
            raise ValueError("states=file learns from the positions of a file: give state_file")

    def check_new(self) -> None:
        check_agent(self.teacher)
        check_window(self.positions_per_step, self.window)

    def work(self, plies: float) -> Work:
        return Work(0, self.samples_per_position * self.positions_per_step)

    def footprint(self, sizes: Sizes) -> Footprint:
        return {
            **super().footprint(sizes),
            ("n_envs",): self.n_envs * (sizes.state + 2 * sizes.seen + 8 * sizes.actions),
            ("window",): self.window * window_bytes(sizes),
            ("batch_size",): self.batch_size * sizes.seen,
        }


PRESETS = presets.SUPERVISED


class Learner:
    """All that the training remembers, and what it does in a step."""

    values = POLICY
    eval_simulations = 0

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        self.game, self.config = game, config
        weights, of_teacher = numbers(2, seed, 0)
        self.rng = generator(seed, 1)
        self.teacher = agent(config.teacher, seed=of_teacher % 2**31)
        start = game.start()
        self.window = Window(Symmetries(game, config.planes), start.num_actions, config.window)
        shape, actions = start.shape(config.planes), start.num_actions
        self.network = build(game, config, shape, actions, weights, Heads())
        self.student = Student(self.network, config)
        self.states: list[Any] = [game.start(self.rng) for _ in range(config.n_envs)]
        self.numbers = numbering(game) if config.states == UNIFORM else None
        self.file = StartPositions(game, config.state_file if config.states == FILE else "")
        if config.states == UNIFORM and self.numbers is None:
            raise ValueError(
                f"the states of {game.spelling} are not numbered; states={GAMES} plays games"
            )

    @property
    def parts(self) -> dict[str, Any]:
        return {
            "network": self.network,
            "optimizer": self.student.optimizer,
            "window": self.window,
            "rng": self.rng,
            "learner": self,
            **({"starts": self.file} if self.file.states else {}),
        }

    def state(self) -> dict[str, Any]:
        return pack_states(self.states)

    def form(self) -> dict[str, Any]:
        return states_form(len(self.states))

    def restore(self, state: dict[str, Any]) -> None:
        self.states = list(unpack_states(self.game, state, "learner"))

    def draw_states(self) -> None:
        """Fresh states, each number, or each line of the file, as likely as any other."""
        if known := self.file.states:
            self.states = [
                known[row] for row in self.rng.integers(len(known), size=len(self.states))
            ]
            return
        if self.numbers is None:
            return
        self.states = []
        while len(self.states) < self.config.n_envs:
            state = self.numbers.numbered(int(self.rng.integers(self.numbers.size)))
            if state is not None and state.outcome is None:
                self.states.append(state)

    def ask_teacher(self) -> dict[str, Any]:
        """What the teacher says of all states; then each game goes on by a move."""
        self.draw_states()
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
            "good": np.concatenate([*map(good_moves, thoughts, legal)]),
        }
        if self.numbers is not None or self.file.states:
            return told
        for row, (state, actions, policy) in enumerate(
            zip(self.states, legal, policies, strict=True)
        ):
            at_random = self.rng.random() < self.config.random_move_prob
            action = self.rng.choice(actions, p=None if at_random else policy)
            after = state.play(int(action), self.rng)
            self.states[row] = after if after.outcome is None else self.game.start(self.rng)
        return told

    def test(self, told: dict[str, Any]) -> tuple[int, int, int]:
        """Of these states: how many, values of the right sign, moves that are as good as any."""
        learning = self.network.training
        evaluate = in_torch(self.network)
        numbers, values = evaluate(np.ascontiguousarray(told["features"], np.float32))
        self.network.train(learning)
        row = np.repeat(np.arange(len(told["counts"])), told["counts"])
        logits = numbers[row, told["actions"]]
        first = np.cumsum(told["counts"], dtype=np.int64) - told["counts"]
        highest = np.maximum.reduceat(logits, first)
        chosen = np.flatnonzero(logits == highest[row])
        chosen = chosen[np.unique(row[chosen], return_index=True)[1]]  # the first of equals
        signs = np.sign(np.zeros(len(first)) if values is None else values)
        right = int((signs == np.sign(told["values"])).sum())
        return len(first), right, int(told["good"][chosen].sum())

    def games_played(self, number: int) -> int:
        return 0

    def step(self, number: int) -> dict[str, float]:
        """Ask the teacher, then learn."""
        config, added, tests = self.config, 0, []
        while added < config.positions_per_step:
            told = self.ask_teacher()
            tests.append(self.test(told))  # before it has learned from them
            added += self.window.add(told, self.rng, 1.0)
        self.student.anneal(number)
        times = max(1, round(added * config.samples_per_position / config.batch_size))
        found = self.student.fit(
            self.window.draw(config.batch_size, self.rng, 0.0) for _ in range(times)
        )
        return {"positions": float(self.window.written), **found, **accuracy_of(tests)}


def good_moves(thought: Thought, legal: list[int]) -> NDArray[np.bool_]:
    """Of the legal moves those that keep the value; those that are played, if that is not told."""
    if thought.values is None or thought.values.keys() < {*legal}:
        return np.asarray(thought.policy[legal] > 0)
    worth = np.array([thought.values[action] for action in legal])
    return np.asarray(worth >= worth.max() - SAME)


def accuracy_of(tests: Sequence[tuple[int, int, int]]) -> dict[str, float]:
    """Shares over the states that came in this step, asked about before they were learned from."""
    count, values, moves = (sum(part) for part in zip(*tests, strict=True))
    return {"fresh_value_accuracy": values / count, "fresh_move_accuracy": moves / count}


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Ask and learn, step by step; goes on from `saved` as if it had never stopped."""
    check_precision(config.precision)
    return train_steps(Learner, game, config, seed, saved)
