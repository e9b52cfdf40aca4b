"""`adversary`: wins what is won, and sets the most traps where it is lost."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from ludus.agent import ForgetsOnCopy, Thought
from ludus.game import Game, State
from ludus.options import check, option
from ludus.truth.agents.perfect import OWN, TRUTHS, best_actions
from ludus.truth.oracle import SAME, Oracle, check_start, results
from ludus.truth.oracles import oracle_of

LOSSES, DRAWS, SHARE = MISTAKES = ("losses", "draws", "share")


@dataclass
class Adversary(ForgetsOnCopy):
    """The thesis' adversary, for any game that has an oracle.

    Where it is not lost it plays as `perfect` does. Where it is, it looks two plies ahead: it
    avoids what loses at once and takes the move after which most of the opponent's answers would
    lose; with `mistakes=draws` those that draw count too, and with `mistakes=share` it is the share
    of the answers that lose, not their number. `epsilon` is the share of its moves that
    are drawn at random where it is lost, and only there, among those that do not lose at once.
    """

    epsilon: float = option(0.0, "share of random moves where it is lost", low=0, high=1)
    mistakes: str = option(LOSSES, "which answers count as mistakes", choices=MISTAKES)
    truth: str = option(OWN, "table that judges; full: the full game's", choices=TRUTHS)
    seed: int = option(0, "seed of all its random numbers", low=0, high=2**64 - 1)
    native = True
    samples = True  # its move is drawn from its policy
    _oracle: Oracle | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check(self)

    def check_game(self, game: Game) -> None:
        """Refuse a game whose start nobody can judge, before anything is played."""
        check_start(game)

    def think(self, state: State) -> Thought:
        started = time.perf_counter()
        # Another thread may change its own.
        oracle = self._oracle = oracle_of(state, self._oracle, self.truth)
        worth = oracle.values(state)
        value = max(worth.values())
        policy = np.zeros(state.num_actions)
        if value > SAME - 1:
            best = best_actions(oracle, state, worth)
        else:
            best, safe = trap_actions(oracle, state, self.mistakes)
            policy[safe] = self.epsilon / len(safe)
        policy[best] += (1 - policy.sum()) / len(best)
        return Thought(policy, value, (best[0],), len(worth), time.perf_counter() - started, True)


def trap_actions(oracle: Oracle, state: State, mistakes: str) -> tuple[list[int], list[int]]:
    """The moves that leave the most answers which are mistakes; and all that may be drawn."""
    worst = 1 - SAME if mistakes == DRAWS else SAME - 1  # an answer that is worth less is one
    traps: dict[int, tuple[bool, float]] = {}
    for action in state.legal():
        safe, count = True, 0.0
        for child, share in results(state, action):
            if child.outcome is not None:
                safe = False
                continue
            if child.player == state.player:
                continue  # the move is not over; nobody can err yet
            answers = oracle.values(child)
            bad = sum(value < worst for value in answers.values())
            count += share * (bad / len(answers) if mistakes == SHARE else bad)
            safe &= not any(wins_at_once(child, answer) for answer in answers)
        traps[action] = (safe, count)
    most = max(traps.values())
    best = [action for action, trap in traps.items() if trap == most]
    return best, [action for action, (safe, _) in traps.items() if safe] or list(traps)


def wins_at_once(state: State, action: int) -> bool:
    """Whether the player to move can win with this at once."""
    return any(
        child.outcome is not None and child.winner == state.player
        for child, _ in results(state, action)
    )


AGENT = Adversary
