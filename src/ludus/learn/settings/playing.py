"""Settings of methods that learn from their own games: how many, against whom, paid by what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from ludus.agent import agent
from ludus.learn.settings.config import Common, at_most, one_of, positive, share
from ludus.learn.settings.footprint import Footprint, Sizes
from ludus.learn.settings.needs import Needs, naming

SELF, LEGALITY, LAGGED, POOL, RANDOM = "self", "legality", "lagged", "pool", "random"
PLAYS_ITSELF = (SELF, LEGALITY)
CREDITS = ("adversarial", "own", "max")  # as collecting/targets.py gives them
MOST_PAST = 10_000  # networks in the pool, each one whole, in memory and in every checkpoint


@dataclass(frozen=True)
class Stage:
    """An opponent, and until which step, or after which game."""

    opponent: str
    until: int | None
    by_games: bool = False


def stages(spelled: str) -> list[Stage]:
    """Read a curriculum."""
    found: list[Stage] = []
    behind, units = 0, set()
    parts = [part.strip() for part in spelled.split(";")]
    for place, part in enumerate(parts):
        counted = re.fullmatch(r"(\d+)( games)?\*(.+)", part)
        if (counted is None) != (place == len(parts) - 1) or not part:
            raise ValueError(
                f"an opponent is written like self, or 200*random;self with steps (or 200 games*) "
                f"for all but the last, unlike {spelled!r}"
            )
        if counted is None:
            found.append(Stage(part, None))
        else:
            behind += int(counted[1])
            units.add(counted[2])
            found.append(Stage(counted[3], behind, counted[2] is not None))
        checked(found[-1].opponent)
    if len(units) > 1:
        raise ValueError(f"opponents take turns by steps or by games, not by both: {spelled!r}")
    return found


def checked(opponent: str) -> None:
    """An agent that cannot be made is told now, not in the middle of the training."""
    if opponent not in (SELF, LEGALITY, LAGGED, POOL, RANDOM):
        agent(opponent)


@dataclass(frozen=True)
class Habits:
    """How copies of the learner follow it."""

    opponent_soft_interval: int = (
        10  # games after which the lagged copy moves a share towards the learner
    )
    opponent_tau: float = 0.3
    opponent_full_interval: int = 100  # games after which it becomes the learner
    pool_interval: int = 20  # steps after which the learner joins its past
    pool_size: int = 8
    pool_prob: float = 0.5  # of the games that are against the past, the rest against itself

    NEEDS: ClassVar[Needs] = {
        **dict.fromkeys(
            ("opponent_soft_interval", "opponent_tau", "opponent_full_interval"),
            (naming("opponent", LAGGED),),
        ),
        **dict.fromkeys(("pool_interval", "pool_size", "pool_prob"), (naming("opponent", POOL),)),
    }


@dataclass(frozen=True)
class AtTable(Habits, Common):
    """What a method that learns from its own games has to be told."""

    n_envs: int = 64  # at the same time
    gamma: float = 0.99
    opponent: str = "self"  # or lagged, pool, random, legality, an agent, or 200*random;self
    shaping: str = ""  # a signal of the game, in place of the outcome
    reward_scale: float = 1.0
    illegal_reward: float = (
        -2.0
    )  # what an illegal choice pays, unscaled, where nothing stops it: legality
    backend: str = "auto"  # the network plays in torch or onnx; auto is onnx where that pays

    NEEDS: ClassVar[Needs] = {"illegal_reward": (naming("opponent", LEGALITY),)}

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(
            self,
            "n_envs",
            "opponent_soft_interval",
            "opponent_full_interval",
            "pool_interval",
            "pool_size",
        )
        at_most(MOST_PAST, self, "pool_size")
        share(self, "gamma", "opponent_tau", "pool_prob")
        one_of(self, "backend", ("auto", "torch", "onnx"))

    def footprint(self, sizes: Sizes) -> Footprint:
        # Two views of every game: what is seen now, and what was seen before.
        return {
            **super().footprint(sizes),
            ("n_envs",): self.n_envs * (sizes.state + 2 * sizes.seen),
        }

    def credit_against(self, opponent: str) -> str:
        """How credit is given where nothing else is said."""
        return "own"


@dataclass(frozen=True)
class Bootstrapped(AtTable):
    """What a method has to be told that learns from the values of later states."""

    # Whose value the next state's is: adversarial (minus the other's) in self-play for the outcome,
    # own (at a player's own next turn) otherwise; or one of these always, or max.
    credit: str = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "credit", ("auto", *CREDITS))

    def credit_against(self, opponent: str) -> str:
        """A signal of the game may pay both sides, so that only one's own value tells of it."""
        if self.credit != "auto":
            return self.credit
        zero_sum = not self.shaping
        return "adversarial" if opponent in PLAYS_ITSELF and zero_sum else "own"
