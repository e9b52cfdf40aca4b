"""Settings of methods that learn from their own games: how many, against whom, paid by what."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from ludus.learn.settings.config import Common, check_agent
from ludus.learn.settings.footprint import Footprint, Sizes
from ludus.learn.settings.needs import Need, Needs
from ludus.options import option

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


def read_curriculum(spelled: str) -> list[Stage]:
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
            if not int(counted[1]):
                raise ValueError(f"a stage lasts a step or a game at least, unlike {part!r:.60}")
            behind += int(counted[1])
            units.add(counted[2])
            found.append(Stage(counted[3], behind, counted[2] is not None))
        check_opponent(found[-1].opponent)
    if len(units) > 1:
        raise ValueError(f"opponents take turns by steps or by games, not by both: {spelled!r}")
    return found


def check_opponent(opponent: str) -> None:
    """Refuse who cannot be met."""
    if opponent not in (SELF, LEGALITY, LAGGED, POOL, RANDOM):
        check_agent(opponent)


def needs_opponent(opponent: str) -> Need:
    """That some stage of the curriculum is against this opponent."""
    return Need("opponent", lambda config: opponent in opponents_of(config.opponent), opponent)


def opponents_of(curriculum: str) -> list[str]:
    """Who is met in the stages of a curriculum."""
    return [stage.opponent for stage in read_curriculum(curriculum)]


@dataclass(frozen=True)
class CopiesConfig:
    """How copies of the learner follow it."""

    opponent_soft_interval: int = option(
        10,
        "games between two soft updates of the lagged opponent",
        group="self-play",
        low=1,
    )
    opponent_tau: float = option(
        0.3,
        "how far a soft update moves the lagged opponent to the learner",
        group="self-play",
        low=0,
        high=1,
        symbol="tau",
    )
    opponent_full_interval: int = option(
        100, "games after which the lagged opponent becomes the learner", group="self-play", low=1
    )
    pool_interval: int = option(
        20, "steps between two copies of the learner that join the pool", group="self-play", low=1
    )
    pool_size: int = option(
        8, "past copies of the learner in the pool", group="self-play", low=1, high=MOST_PAST
    )
    pool_prob: float = option(
        0.5,
        "share of games against the pool; the others are against itself",
        group="self-play",
        low=0,
        high=1,
    )

    NEEDS: ClassVar[Needs] = {
        **dict.fromkeys(
            ("opponent_soft_interval", "opponent_tau", "opponent_full_interval"),
            (needs_opponent(LAGGED),),
        ),
        **dict.fromkeys(("pool_interval", "pool_size", "pool_prob"), (needs_opponent(POOL),)),
    }


@dataclass(frozen=True)
class PlayingConfig(CopiesConfig, Common):
    """What a method that learns from its own games has to be told."""

    n_envs: int = option(64, "games played at the same time", group="self-play", low=1)
    gamma: float = option(0.99, "discount factor", group="targets", low=0, high=1, symbol="gamma")
    opponent: str = option(
        "self",
        "who plays the other side: self, lagged, pool, random, legality, an agent, or a curriculum "
        "such as 200*random;self",
        group="self-play",
    )
    shaping: str = option(
        "", "reward signal of the game instead of its outcome, such as dense", group="targets"
    )
    reward_scale: float = option(
        1.0,
        "factor of all rewards, of the outcome too; what is illegal pays illegal_reward",
        group="targets",
    )
    illegal_reward: float = option(
        -2.0,
        "reward of an illegal move, unscaled, against the opponent legality",
        group="targets",
    )
    backend: str = option(
        "auto",
        "runtime of the network in self-play; auto is onnx where a step is large enough",
        group="self-play",
        choices=("auto", "torch", "onnx"),
    )

    NEEDS: ClassVar[Needs] = {"illegal_reward": (needs_opponent(LEGALITY),)}

    def footprint(self, sizes: Sizes) -> Footprint:
        # Two views of every game: what is seen now, and what was seen before.
        return {
            **super().footprint(sizes),
            ("n_envs",): self.n_envs * (sizes.state + 2 * sizes.seen),
        }


@dataclass(frozen=True)
class BootstrappedConfig(PlayingConfig):
    """What a method has to be told that learns from the values of later states."""

    credit: str = option(
        "auto",
        "whose value the next state's is; auto is adversarial in self-play for the outcome, else "
        "own",
        group="targets",
        choices=("auto", *CREDITS),
    )
