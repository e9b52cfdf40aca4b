"""Some plies of many games, just played: what learning on policy learns from, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.learn.collecting.collector import Collector, Ply
from ludus.learn.collecting.targets import advantages, complete_plies
from ludus.learn.networks.masked import sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.learn.collecting.vector_games import Observation
    from ludus.learn.networks.player import Evaluator


CHUNK = 8  # plies that whole games are played in


@dataclass(frozen=True)
class Rollout:
    """Arrays of [plies, rows]; `players` and `values` have one ply more, where the plies end."""

    features: NDArray[np.float32]
    masks: NDArray[np.bool_]  # what the learner could choose from
    actions: NDArray[np.int32]
    log_probs: NDArray[np.float32]  # of the probabilities they were chosen with
    values: NDArray[np.float32]
    players: NDArray[np.int8]
    rewards: NDArray[np.float32]
    dones: NDArray[np.bool_]
    useful: NDArray[np.bool_]  # where the learner acted, and what followed tells of it

    def advantages(self, gamma: float, gae_lambda: float, credit: str) -> NDArray[np.float32]:
        return advantages(
            self.players, self.rewards, self.dones, self.values, gamma, gae_lambda, credit
        )

    def learnable(self, credit: str) -> Rollout:
        """The same, useful only where the credit of an action is known."""
        if credit != "own":
            return self
        return replace(self, useful=self.useful & complete_plies(self.players, self.dones))

    def select(self, array: NDArray[Any]) -> NDArray[Any]:
        """The entries of useful plies, in one row."""
        return array[: len(self.useful)][self.useful]


def collect_rollout(
    collector: Collector,
    evaluate: Evaluator,
    n_steps: int,
    buffer: Observation | None = None,
    *,
    everywhere: bool = False,
) -> Rollout:
    """Play so many plies of every game, drawing actions from the policy.

    A buffer for one ply more, `games.empty(n_steps + 1, rows)`, saves asking for memory each time:
    the rollout before is gone then. States are valued where the learner acts, or everywhere.
    """
    games, rows = collector.games, len(collector.games)
    free = collector.opponents.legality  # to choose what is illegal
    features, masks, players = games.empty(n_steps + 1, rows) if buffer is None else buffer
    features[0], masks[0], players[0] = games.seen
    log_probs = np.zeros((n_steps, rows), np.float32)
    values = np.zeros((n_steps + 1, rows), np.float32)
    plies: list[Ply] = []
    for step in range(n_steps):
        games.lend((features[step + 1], masks[step + 1], players[step + 1]))
        turn = collector.turn()
        actions = np.zeros(0, np.int32)
        if turn.any:
            logits, value = evaluate(turn.features[turn.rows])
            legal = turn.masks[turn.rows]
            allowed = np.ones_like(legal) if free else legal
            actions, log_probs[step, turn.rows] = sample(logits, allowed, collector.rng)
            values[step, turn.rows] = 0 if value is None else value
        plies.append(collector.play(turn, actions))
        if everywhere and not turn.mine.all():
            value = evaluate(turn.features[~turn.mine])[1]
            values[step, ~turn.mine] = 0 if value is None else value
    games.settle()
    last = evaluate(games.features)[1]
    values[n_steps] = 0 if last is None else last
    dones = np.stack([ply.dones for ply in plies])
    return Rollout(
        features[:-1],
        (np.ones_like(masks) if free else masks)[:-1],
        np.stack([ply.actions for ply in plies]),
        log_probs,
        values,
        players,
        np.stack([ply.rewards for ply in plies]),
        dones,
        useful_plies(plies, dones),
    )


def useful_plies(plies: Sequence[Ply], dones: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where the learner acted, and no illegal end spoils what is known of it."""
    mine = np.stack([ply.mine for ply in plies])
    if not any(ply.illegal is not None and ply.illegal.any() for ply in plies):
        return mine
    nowhere = np.zeros_like(mine[0])
    illegal = np.stack([nowhere if ply.illegal is None else ply.illegal for ply in plies])
    return mine & ~before_illegal_end(dones, illegal)


def collect_episodes(
    collector: Collector, evaluate: Evaluator, most: int, each: int = 1, *, everywhere: bool = False
) -> Rollout:
    """Begin all games anew, and play until each row has ended so many, or so many plies.

    Only plies of games that ended are useful. One game at a time stops at its end, so that exactly
    as many are played as were asked for; games in step may end more.
    """
    collector.games.begin()
    parts: list[Rollout] = []
    over = np.zeros(len(collector.games), np.int64)
    chunk = CHUNK if len(over) > 1 else 1
    while (over < each).any() and sum(len(part.dones) for part in parts) < most:
        parts.append(collect_rollout(collector, evaluate, chunk, everywhere=everywhere))
        over += np.count_nonzero(parts[-1].dones, axis=0)
    joined = {
        field.name: np.concatenate([getattr(part, field.name)[: len(part.dones)] for part in parts])
        for field in fields(Rollout)
    }
    for name in ("players", "values"):
        joined[name] = np.concatenate([joined[name], getattr(parts[-1], name)[-1:]])
    joined["useful"] &= before_end(joined["dones"])
    return Rollout(**joined)


def before_end(dones: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The plies after which an end comes."""
    return np.asarray(np.logical_or.accumulate(dones[::-1], axis=0)[::-1])


def before_illegal_end(dones: NDArray[np.bool_], illegal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The plies before an illegal end: it tells nothing of them, of either side."""
    found = np.zeros_like(dones)
    ends_badly = np.zeros(dones.shape[1], np.bool_)
    for ply in range(len(dones) - 1, -1, -1):
        ends_badly = np.where(dones[ply], illegal[ply], ends_badly)
        found[ply] = ends_badly & ~dones[ply]
    return found
