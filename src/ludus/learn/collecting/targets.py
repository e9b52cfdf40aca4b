"""What an action was worth, for two players: n-step returns and advantages over plies.

Nothing here assumes that turns alternate. Rewards come in pairs, for who acted and for the other;
an end pays both, and what follows it belongs to another game. Three ways to give credit:

- `adversarial`: the next state's value belongs to whoever moves there, and counts against the actor
  unless that is the actor again. Only what an actor's own plies pay is counted, as the game is
  taken to be zero-sum.
- `own`: a player looks ahead to its own next turn, and everything it is paid until then is its own.
  Where what was played ends before that turn, nothing is known of the action: the other player's
  value says nothing of this one's unless the rewards are zero-sum. `complete_plies` tells which are
  known.
- `max`: the next state's value counts for the actor, whoever moves there. Wrong for two players,
  and here to show it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludus.learn.settings.playing import PLAYS_ITSELF, BootstrappedConfig, PlayingConfig

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Bools = NDArray[np.bool_]
    Players = NDArray[np.int8]

PATIENCE = 8  # plies that a player waits for its own next turn; later ones are not learned from


def credit_against(config: PlayingConfig, opponent: str) -> str:
    """How credit is given: a signal of the game may pay both sides, and then it is one's own."""
    if not isinstance(config, BootstrappedConfig):
        return "own"
    if config.credit != "auto":
        return config.credit
    zero_sum = not config.shaping
    return "adversarial" if opponent in PLAYS_ITSELF and zero_sum else "own"


def window(credit: str, steps: int) -> int:
    """How many plies ahead a return may look."""
    return steps * PATIENCE if credit == "own" else steps


def n_step_returns(
    players: Players, rewards: Floats, dones: Bools, steps: int, gamma: float, credit: str
) -> tuple[Floats, NDArray[np.int64], Floats]:
    """What is paid over some steps, and what the state then is worth to the actor.

    `players` is [rows, window + 1], `rewards` [rows, window, 2] and `dones` [rows, window], from
    the actor's ply on. Gives the returns, how many plies ahead to look on, and the factor, sign and
    discount, of the value there: 0 if the game ended before, NaN if the actor's own next turn does
    not come within the window, so that its return is not known.
    """
    rows, plies = dones.shape
    actor = players[:, 0]
    total = np.zeros(rows, np.float32)
    ahead = np.zeros(rows, np.int64)
    factor = np.zeros(rows, np.float32)
    going = np.ones(rows, np.bool_)  # neither ended nor arrived
    turns = np.zeros(rows, np.int64)  # of the actor's own, or plies, that are behind
    for ply in range(plies):
        mover_is_actor = players[:, ply] == actor
        discount = np.power(np.float32(gamma), turns, dtype=np.float32)
        total += np.where(
            going, discount * actor_reward(rewards[:, ply], mover_is_actor, credit), 0
        )
        going &= ~dones[:, ply]
        next_is_actor = players[:, ply + 1] == actor
        counts = next_is_actor if credit == "own" else np.ones(rows, np.bool_)
        turns += counts
        here = going & ((counts & (turns == steps)) | (ply == plies - 1))
        sign = 1.0 if credit == "max" else np.where(next_is_actor, 1.0, others_sign(credit))
        reached = np.power(np.float32(gamma), np.maximum(turns, 1), dtype=np.float32)
        factor = np.where(here, sign * reached, factor).astype(np.float32)
        ahead = np.where(here, ply + 1, ahead)
        going &= ~here
    return total, ahead, factor


def others_sign(credit: str) -> float:
    """Of the value where the other player moves, for the actor; NaN if it says nothing."""
    return np.nan if credit == "own" else -1.0


def actor_reward(rewards: Floats, mover_is_actor: Bools, credit: str) -> Floats:
    """What a ply pays the actor, by the way that credit is given."""
    mine, others = rewards[:, 0], rewards[:, 1]
    if credit == "own":
        return np.where(mover_is_actor, mine, others)
    if credit == "max":
        return mine
    return np.where(mover_is_actor, mine, -mine)


def advantages(
    players: Players,
    rewards: Floats,
    dones: Bools,
    values: Floats,
    gamma: float,
    gae_lambda: float,
    credit: str,
) -> Floats:
    """Generalised advantages of [plies, rows] actions, each for its actor.

    `players` and `values` have one ply more than the rest: the states where the plies end, whose
    values are for who moves there.
    """
    if credit == "own":
        return own_advantages(players, rewards, dones, values, gamma, gae_lambda)
    plies, rows = dones.shape
    found = np.zeros((plies, rows), np.float32)
    after = np.zeros(rows, np.float32)
    for ply in range(plies - 1, -1, -1):
        same = players[ply + 1] == players[ply]
        sign = np.where(same | (credit == "max"), 1.0, -1.0).astype(np.float32)
        alive = np.where(dones[ply], 0.0, sign).astype(np.float32)
        error = rewards[ply, :, 0] + gamma * alive * values[ply + 1] - values[ply]
        after = error + gamma * gae_lambda * alive * after
        found[ply] = after
    return found


def own_advantages(
    players: Players, rewards: Floats, dones: Bools, values: Floats, gamma: float, gae_lambda: float
) -> Floats:
    """Each player looks ahead to its own next turn; what comes between is paid to it meanwhile.

    Where the plies end before a player's next turn, nothing is known of its last action: that has
    advantage 0, and those before it look as far as the state in which it was taken.
    """
    plies, rows = dones.shape
    found = np.zeros((plies, rows), np.float32)
    known = complete_plies(players, dones)
    every = np.arange(rows)
    next_value = np.zeros((rows, 2), np.float32)
    next_value[every, players[plies].astype(np.int64)] = values[plies]
    next_found = np.zeros((rows, 2), np.float32)
    pending = np.zeros((rows, 2), np.float32)
    for ply in range(plies - 1, -1, -1):
        over = dones[ply]
        next_value[over], next_found[over], pending[over] = 0, 0, 0
        mover = players[ply].astype(np.int64)
        pending[every, mover] += rewards[ply, :, 0]
        pending[every, 1 - mover] += rewards[ply, :, 1]
        error = pending[every, mover] + gamma * next_value[every, mover] - values[ply]
        found[ply] = np.where(known[ply], error + gamma * gae_lambda * next_found[every, mover], 0)
        next_value[every, mover] = values[ply]
        next_found[every, mover] = found[ply]
        pending[every, mover] = 0
    return found


def complete_plies(players: Players, dones: Bools) -> Bools:
    """Which of [plies, rows] actions have the actor's own next turn, or the end, after them."""
    plies, rows = dones.shape
    found = np.zeros((plies, rows), np.bool_)
    every = np.arange(rows)
    known = np.zeros((rows, 2), np.bool_)
    known[every, players[plies].astype(np.int64)] = True
    for ply in range(plies - 1, -1, -1):
        mover = players[ply].astype(np.int64)
        known[dones[ply]] = True
        found[ply] = known[every, mover]
        known[every, mover] = True
    return found
