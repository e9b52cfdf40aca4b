"""How much memory and work settings ask for, from counts alone: what is too much never begins.

A `Config` says it in `footprint`: bytes by the settings whose product they are. These are least
amounts. What is close to the limit may still fail later; what is beyond it is refused here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, Protocol

from ludus.resources import amount, available_memory

if TYPE_CHECKING:
    from ludus.game import Game

# Settings whose product is a number of positions that one step looks at.
WORK = (
    ("n_steps", "n_envs", "n_epochs"),
    ("train_freq", "n_envs"),
    ("n_envs", "n_episodes", "n_epochs"),
    ("n_envs", "max_rollout_plies"),
    ("population_size", "fitness_games", "max_plies"),
    ("fitness_games", "max_plies"),
    ("positions_per_step", "simulations"),
    ("games_per_step", "simulations"),
    ("samples_per_step",),
    ("positions_per_step", "samples_per_position"),
    ("positions_per_step", "n_epochs"),
    ("dataset_games", "n_epochs"),
    ("gradient_steps", "batch_size"),
    ("gate_games", "simulations"),
    ("n_eval_games", "eval_simulations"),
    ("eval_truth_states",),
)
MOST_WORK = 10**10  # positions: hours on a large machine, and Ctrl-C waits for a step to end

Footprint = dict[tuple[str, ...], int]  # bytes, by the names of settings


@dataclass(frozen=True)
class Work:
    """What a step does, on average: positions that the network sees, and games that end."""

    looked: float = 0.0  # to play
    learned: float = 0.0  # forward and backward
    games: float = 0.0


@dataclass(frozen=True)
class Sizes:
    """What a position of a game takes."""

    features: int  # numbers in its planes
    actions: int
    legal: int  # actions at the start
    state: int  # bytes

    @property
    def seen(self) -> int:
        """Bytes of features and mask, as networks read them."""
        return 4 * self.features + self.actions


def sizes_of(game: Game, planes: str) -> Sizes:
    """Of the first state, which stands for all."""
    start: Any = game.start()
    features = prod(start.shape(planes))
    return Sizes(features, start.num_actions, len(start.legal()), len(bytes(start)))


class Settings(Protocol):
    """Settings that ask for memory."""

    @property
    def planes(self) -> str: ...
    def footprint(self, sizes: Sizes) -> Footprint: ...


def check_work(config: object) -> None:
    """Refuse a step that nobody sees the end of."""
    for names in WORK:
        if not all(hasattr(config, name) for name in names):
            continue
        positions = prod(max(1, getattr(config, name)) for name in names)
        if positions > MOST_WORK:
            told = " and ".join(f"{name} {getattr(config, name)}" for name in names)
            raise ValueError(
                f"{told} ask for {positions:.2g} positions in a step; {MOST_WORK:.0g} is the most"
            )


def check_footprint(game: Game, config: Settings) -> None:
    """Refuse settings that need more memory than there is; the sentence names the largest."""
    asked: Footprint = config.footprint(sizes_of(game, config.planes))
    needed, there = sum(asked.values()), available_memory()
    if needed <= there:
        return check_work(config)
    names = max(asked, key=lambda each: asked[each])
    told = " and ".join(f"{name} {getattr(config, name)}" for name in names)
    raise ValueError(
        f"{told} would take {amount(asked[names])} of memory; {amount(there)} are free"
    )
