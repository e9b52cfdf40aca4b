"""A learner at its table: the network that learns, the games it plays, and who sits opposite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ludus.arena.seeds import generator, numbers
from ludus.learn.collecting.collector import Collector
from ludus.learn.collecting.opponents import LEGALITY, PLAYS_ITSELF, Choice, Habits, Opponents
from ludus.learn.collecting.returns import Returns
from ludus.learn.collecting.targets import CREDITS
from ludus.learn.collecting.vector_games import Table
from ludus.learn.networks.build import built
from ludus.learn.networks.masked import sampled
from ludus.learn.networks.onnx import graph_of
from ludus.learn.networks.player import Evaluator, in_onnx, in_torch
from ludus.learn.settings.config import Common, at_most, one_of, positive, share
from ludus.learn.settings.footprint import Footprint, Sizes
from ludus.learn.settings.needs import Needs, naming

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ludus.game import Game
    from ludus.learn.networks.network import Network

MOST_PAST = 10_000  # networks in the pool, each one whole, in memory and in every checkpoint
WORTH_A_GRAPH = 1024  # positions in a step, from which ONNX Runtime saves more than its graph costs


@dataclass(frozen=True)
class AtTable(Habits, Common):
    """What a method that learns from its own games has to be told."""

    games: int = 64  # at the same time
    gamma: float = 0.99
    opponent: str = "self"  # or lagged, pool, random, legality, an agent, or 200*random;self
    shaping: str = ""  # a signal of the game, in place of the outcome
    reward_scale: float = 1.0
    illegal: float = -2.0  # what an illegal choice pays, unscaled, where nothing stops it: legality
    backend: str = "auto"  # the network plays in torch or onnx; auto is onnx where that pays

    NEEDS: ClassVar[Needs] = {"illegal": (naming("opponent", LEGALITY),)}

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "games", "soft_every", "full_every", "pool_every", "pool_size")
        at_most(MOST_PAST, self, "pool_size")
        share(self, "gamma", "soft_share", "pool_share")
        one_of(self, "backend", ("auto", "torch", "onnx"))

    def footprint(self, sizes: Sizes) -> Footprint:
        # Two views of every game: what is seen now, and what was seen before.
        return {
            **super().footprint(sizes),
            ("games",): self.games * (sizes.state + 2 * sizes.seen),
        }


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


def own_credit(opponent: str) -> str:
    """How credit is given where nothing else is said."""
    return "own"


class Playing:
    """What the methods that learn from their own games begin with, and all that it remembers."""

    def __init__(
        self,
        game: Game,
        config: AtTable,
        seed: int,
        *,
        value: bool,
        separate: bool = False,
        choice: Choice | None = None,
    ) -> None:
        self.config = config
        weights, rows, other = numbers(3, seed, 0)
        self.rng = generator(seed, 1)
        self.table = Table(
            game,
            config.games,
            rows,
            planes=config.planes,
            shaping=config.shaping,
            scale=config.reward_scale,
        )
        self.network = built(game, config, self.table, weights, value=value, separate=separate)
        self.opponents = Opponents(
            config.opponent,
            config,
            self.network,
            choice or self.sampled,
            self.rng,
            config.games,
            other,
            config.threads,
            self.steady,
        )
        self.returns = Returns(config.games, of_actions=not value)
        self.collector = Collector(
            self.table,
            self.opponents,
            self.rng,
            config.illegal,
            self.returns,
            getattr(config, "credit_against", own_credit),
        )

    @property
    def parts(self) -> dict[str, Any]:
        return {
            "network": self.network,
            "table": self.table,
            "opponents": self.opponents,
            "returns": self.returns,
            "rng": self.rng,
        }

    def look(self, plies: int) -> Evaluator:
        """The network as it is now, for so many plies of every game.

        ONNX Runtime is the faster, but a graph has to be made for it. What decides is counted, not
        timed, so that a training repeats.
        """
        backend, threads = self.config.backend, self.config.threads
        if backend == "onnx" or (backend == "auto" and plies * len(self.table) >= WORTH_A_GRAPH):
            return in_onnx(graph_of(self.network.eval()), threads)
        return in_torch(self.network)

    def steady(self, network: Network) -> Evaluator:
        """A network that stays as it is for many steps: a graph always pays."""
        if self.config.backend == "torch":
            return in_torch(network)
        return in_onnx(graph_of(network.eval()), self.config.threads)

    def learned(self) -> dict[str, float]:
        """A step is over: tell the opponents, and what the games came to."""
        self.opponents.learned()
        return self.collector.counted()

    def sampled(self, logits: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int32]:
        """How copies of a learner choose whose network is a policy."""
        return sampled(logits, masks, self.rng)[0]
