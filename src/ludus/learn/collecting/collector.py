"""A learner's games: the network that plays them, against whom, and what came of every ply.

A ply has two halves. `turn` tells what the learner sees where it is to move; `play` takes its
actions, lets the others choose theirs, and tells what all of them were paid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.arena.seeds import generator, numbers
from ludus.learn.collecting.opponents import BOTH, Choice, Opponents
from ludus.learn.collecting.statistics import EpisodeStatistics, ReturnStatistics
from ludus.learn.collecting.targets import credit_against
from ludus.learn.collecting.vector_games import VectorGames
from ludus.learn.networks.build import Heads, build
from ludus.learn.networks.masked import sample, uniform_actions
from ludus.learn.networks.onnx import graph_of, in_onnx
from ludus.learn.networks.player import Evaluator, in_torch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.game import Game
    from ludus.learn.networks.network import Network
    from ludus.learn.settings.playing import PlayingConfig

    Rewards = NDArray[np.float32]  # [rows, 2] of who acted, of the other
    Dones = NDArray[np.bool_]

EVERY = slice(None)
WORTH_A_GRAPH = 1024  # positions in a step, from which ONNX Runtime saves more than its graph costs


@dataclass(frozen=True)
class Turn:
    """What is to be seen before a ply, and where the learner is to move."""

    features: NDArray[np.float32]  # of every row, as all below
    masks: NDArray[np.bool_]
    players: NDArray[np.int8]
    mine: NDArray[np.bool_]
    rows: NDArray[np.int64] | slice  # the learner's

    @property
    def any(self) -> bool:
        """Whether the learner moves anywhere."""
        return isinstance(self.rows, slice) or len(self.rows) > 0


@dataclass(frozen=True)
class Ply:
    """What was seen, done and paid in every row."""

    features: NDArray[np.float32]
    masks: NDArray[np.bool_]
    players: NDArray[np.int8]
    actions: NDArray[np.int32]
    rewards: Rewards
    dones: Dones
    mine: NDArray[np.bool_]  # where the learner acted
    illegal: NDArray[np.bool_] | None  # where its choice ended the game, if anything lets it


class Collector:
    """What the methods that learn from their own games begin with, and all that it remembers."""

    def __init__(
        self,
        game: Game,
        config: PlayingConfig,
        seed: int,
        heads: Heads,
        choice: Choice | None = None,
    ) -> None:
        self.config = config
        weights, rows, other = numbers(3, seed, 0)
        self.rng = generator(seed, 1)
        self.games = VectorGames(
            game,
            config.n_envs,
            rows,
            planes=config.planes,
            shaping=config.shaping,
            scale=config.reward_scale,
        )
        self.network = build(game, config, self.games.shape, self.games.num_actions, weights, heads)
        self.opponents = Opponents(
            config.opponent,
            config,
            self.network,
            choice or self.sample,
            self.rng,
            config.n_envs,
            other,
            config.threads,
            self.lasting_evaluator,
        )
        self.returns = ReturnStatistics(config.n_envs, of_actions=not heads.value)
        self.episodes = EpisodeStatistics()

    @property
    def parts(self) -> dict[str, Any]:
        return {
            "network": self.network,
            "table": self.games,
            "opponents": self.opponents,
            "returns": self.returns,
            "rng": self.rng,
        }

    @property
    def credit(self) -> str:
        """How credit is given in this stage of the curriculum."""
        return credit_against(self.config, self.opponents.current)

    def evaluator(self, plies: int) -> Evaluator:
        """The network as it is now, for so many plies of every game.

        ONNX Runtime is the faster, but a graph has to be made for it. What decides is counted, not
        timed, so that a training repeats.
        """
        backend, threads = self.config.backend, self.config.threads
        if backend == "onnx" or (backend == "auto" and plies * len(self.games) >= WORTH_A_GRAPH):
            return in_onnx(graph_of(self.network.eval()), threads)
        return in_torch(self.network)

    def lasting_evaluator(self, network: Network) -> Evaluator:
        """A network that stays as it is for many steps: a graph always pays."""
        if self.config.backend == "torch":
            return in_torch(network)
        return in_onnx(graph_of(network.eval()), self.config.threads)

    def sample(self, logits: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int32]:
        """How copies of a learner choose whose network is a policy."""
        return sample(logits, masks, self.rng)[0]

    def turn(self) -> Turn:
        """What is to be seen now; it stays as it is until the ply after the next."""
        mine = self.opponents.learner_mask(self.games)
        rows = EVERY if self.opponents.alone else np.flatnonzero(mine)
        return Turn(*self.games.seen, mine, rows)

    def play(self, turn: Turn, own: NDArray[np.int32] | Sequence[int]) -> Ply:
        """Everybody plays once: the learner these actions in its rows, the others theirs."""
        games, others = self.games, self.opponents
        actions = np.zeros(len(games), np.int32)
        actions[turn.rows] = own
        if not others.alone:
            others.act(games, actions, ~turn.mine)
        over, plies = games.games, games.all_plies
        illegal = None
        if others.legality:  # nobody else chooses what is illegal
            illegal = ~turn.masks[np.arange(len(games)), actions]
            rewards, dones = self.play_freely(actions, turn.masks, illegal)
        else:
            rewards, dones = games.step(actions)
        self.episodes.games += games.games - over
        self.episodes.plies += games.all_plies - plies
        self.episodes.paid += self.own_rewards(dones)
        self.returns.add(turn.players, rewards, dones, self.credit, illegal)
        others.finish_games(dones, None if others.alone else self.points(dones, turn.mine))
        return Ply(
            turn.features, turn.masks, turn.players, actions, rewards, dones, turn.mine, illegal
        )

    def play_freely(
        self, actions: NDArray[np.int32], masks: NDArray[np.bool_], illegal: NDArray[np.bool_]
    ) -> tuple[Rewards, Dones]:
        """A ply in which illegal choices end their games."""
        legal = (
            np.where(illegal, uniform_actions(masks, self.rng), actions)
            if illegal.any()
            else actions
        )
        self.episodes.illegal += int(np.count_nonzero(illegal))
        return self.games.step(legal, illegal, self.config.illegal_reward)

    def own_rewards(self, dones: Dones) -> float:
        """What games that ended paid the learner's side; of both, where it has them, the mean."""
        rows = np.flatnonzero(dones)
        total, sides = self.games.total[rows], self.opponents.learner_sides[rows]
        own = total[np.arange(len(rows)), np.maximum(sides, 0)]
        return float(np.where(sides == BOTH, total.mean(1), own).sum())

    def points(self, dones: Dones, mine: NDArray[np.bool_]) -> NDArray[np.float32]:
        """The learner's, 1, 0.5 or 0, where a game ended; those against others are counted."""
        actors = np.where(dones, self.games.outcomes, 0) / np.float32(2) + np.float32(0.5)
        points = np.where(mine, actors, 1 - actors).astype(np.float32)
        away = dones & (self.opponents.learner_sides >= 0)
        self.episodes.away += int(np.count_nonzero(away))
        self.episodes.points += float(points[away].sum())
        return points

    def finish_step(self) -> dict[str, float]:
        """A step is over: tell the opponents, and what the games that ended in it came to."""
        self.opponents.finish_step()
        found, self.episodes = self.episodes.metrics(), EpisodeStatistics()
        return {"games": float(self.games.games), **found}
