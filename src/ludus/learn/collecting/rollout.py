"""Some plies of many games, just played: what learning on policy learns from, once."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.learn.collecting.collector import Collector
from ludus.learn.collecting.targets import advantages, complete
from ludus.learn.networks.masked import sampled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.learn.collecting.vector_games import Seen
    from ludus.learn.networks.player import Evaluator


CHUNK = 8  # plies that whole games are played in


@dataclass(frozen=True)
class Rollout:
    """Arrays of [plies, rows]; `players` and `values` have one ply more, where the plies end."""

    features: NDArray[np.float32]
    masks: NDArray[np.bool_]  # what the learner could choose from
    actions: NDArray[np.int32]
    logs: NDArray[np.float32]  # of the probabilities they were chosen with
    values: NDArray[np.float32]
    players: NDArray[np.int8]
    paid: NDArray[np.float32]
    ended: NDArray[np.bool_]
    useful: NDArray[np.bool_]  # where the learner acted, and what followed tells of it

    def advantages(self, gamma: float, trace: float, credit: str) -> NDArray[np.float32]:
        return advantages(self.players, self.paid, self.ended, self.values, gamma, trace, credit)

    def learnable(self, credit: str) -> Rollout:
        """The same, useful only where the credit of an action is known."""
        if credit != "own":
            return self
        return replace(self, useful=self.useful & complete(self.players, self.ended))

    def chosen(self, array: NDArray[Any]) -> NDArray[Any]:
        """The entries of useful plies, in one row."""
        return array[: len(self.useful)][self.useful]


def rolled(
    collector: Collector,
    look: Evaluator,
    plies: int,
    room: Seen | None = None,
    *,
    everywhere: bool = False,
) -> Rollout:
    """Play so many plies of every game, drawing actions from the policy.

    Room for one ply more, `table.empty(plies + 1, rows)`, saves asking for memory each time: what
    was rolled into it before is gone then. States are judged where the learner acts, or everywhere.
    """
    table, rows = collector.table, len(collector.table)
    free = collector.opponents.legality
    features, masks, players = table.empty(plies + 1, rows) if room is None else room
    features[0], masks[0], players[0] = table.seen
    actions = np.empty((plies, rows), np.int32)
    logs, values = np.zeros((plies, rows), np.float32), np.zeros((plies + 1, rows), np.float32)
    paid = np.empty((plies, rows, 2), np.float32)
    ended, useful = np.empty((plies, rows), np.bool_), np.empty((plies, rows), np.bool_)
    illegal = np.zeros((plies, rows), np.bool_)
    for ply in range(plies):

        def choose(
            at: NDArray[np.int64] | slice,
            seen: NDArray[np.float32],
            legal: NDArray[np.bool_],
            ply: int = ply,
        ) -> NDArray[np.int32]:
            logits, judged = look(seen)
            taken, logs[ply, at] = sampled(
                logits, np.ones_like(legal) if free else legal, collector.rng
            )
            if judged is not None:
                values[ply, at] = judged
            return taken

        table.lend((features[ply + 1], masks[ply + 1], players[ply + 1]))
        done = collector.ply(choose)
        actions[ply], paid[ply], ended[ply] = done.actions, done.paid, done.ended
        useful[ply] = done.mine
        if done.illegal is not None:
            illegal[ply] = done.illegal
        if everywhere and not done.mine.all():
            judged = look(done.features[~done.mine])[1]
            values[ply, ~done.mine] = 0 if judged is None else judged
    table.settle()
    last = look(table.features)[1]
    if last is not None:
        values[plies] = last
    if illegal.any():
        useful &= ~spoiled(ended, illegal)
    allowed = np.ones_like(masks) if free else masks
    return Rollout(features[:-1], allowed[:-1], actions, logs, values, players, paid, ended, useful)


def episodes(
    collector: Collector, look: Evaluator, most: int, each: int = 1, *, everywhere: bool = False
) -> Rollout:
    """Begin all games anew, and play until each row has ended so many, or so many plies.

    Only plies of games that ended are useful. One game at a time stops at its end, so that exactly
    as many are played as were asked for; games in step may end more.
    """
    collector.table.begin()
    parts: list[Rollout] = []
    over = np.zeros(len(collector.table), np.int64)
    chunk = CHUNK if len(over) > 1 else 1
    while (over < each).any() and sum(len(part.ended) for part in parts) < most:
        parts.append(rolled(collector, look, chunk, everywhere=everywhere))
        over += np.count_nonzero(parts[-1].ended, axis=0)
    joined = {
        field.name: np.concatenate([getattr(part, field.name)[: len(part.ended)] for part in parts])
        for field in fields(Rollout)
    }
    for name in ("players", "values"):
        joined[name] = np.concatenate([joined[name], getattr(parts[-1], name)[-1:]])
    joined["useful"] &= finished(joined["ended"])
    return Rollout(**joined)


def finished(ended: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The plies after which an end comes."""
    return np.asarray(np.logical_or.accumulate(ended[::-1], axis=0)[::-1])


def spoiled(ended: NDArray[np.bool_], illegal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The plies before an illegal end: it tells nothing of them, of either side."""
    found = np.zeros_like(ended)
    ends_badly = np.zeros(ended.shape[1], np.bool_)
    for ply in range(len(ended) - 1, -1, -1):
        ends_badly = np.where(ended[ply], illegal[ply], ends_badly)
        found[ply] = ends_badly & ~ended[ply]
    return found
