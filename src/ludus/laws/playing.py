"""Laws of play: legality, ends, values, chance."""

from __future__ import annotations

import math
import random

from ludus.game import Game, State
from ludus.laws.line import LONGEST, BrokenError, RandomGame, few_actions, hold, some_states


def legality(game: Game, line: RandomGame, rng: random.Random) -> None:
    """Legal actions exist exactly while the game goes on, and no others can be played."""
    for state in line.states:
        legal = state.legal()
        over = state.outcome is not None
        hold(over != bool(legal), f"{state} has outcome {state.outcome} and {len(legal)} actions")
        hold(len(set(legal)) == len(legal), f"{state} lists an action twice")
        hold(all(0 <= a < game.num_actions for a in legal), f"{state} has an action out of range")
    for state in some_states(line, rng):
        allowed = set(state.legal())
        tried = [-1, game.num_actions, 2**31, 10**30, *range(game.num_actions)]
        if len(tried) > 300:
            tried = tried[:4] + rng.sample(tried[4:], 296)
        before = str(state)
        for action in tried:
            if action not in allowed:
                hold(refuses(state, action), f"{before} lets the illegal action {action} happen")
        hold(str(state) == before, f"{before} was changed by an illegal action")


def refuses(state: State, action: int) -> bool:
    """Whether an illegal action gets a ValueError."""
    try:
        state.play(action)
    except ValueError:
        return True
    return False


def ends(game: Game, line: RandomGame, rng: random.Random) -> None:
    """Every playout ends, with a result for the opponent of the last mover."""
    last = line.states[-1]
    outcome = last.outcome
    if outcome is None:
        raise BrokenError(f"a random game was not over after {LONGEST} plies")
    hold(outcome in (-1, 0, 1), f"{last} has outcome {outcome}")
    if line.actions:
        mover = line.states[-2].player
        hold(last.player == 1 - mover, f"{last} is over, and the last mover is to move")
    hold(last.plies == len(line.actions), f"{last} counts {last.plies} plies")
    expected = (outcome, -outcome) if last.player == 0 else (-outcome, outcome)
    hold(last.returns == expected, f"{last} has returns {last.returns}, not {expected}")
    winner = None if outcome == 0 else expected.index(1)
    hold(last.winner == winner, f"{last} has winner {last.winner}, not {winner}")
    for state in line.states[:-1]:
        hold(state.player in (0, 1), f"{state} has player {state.player}")
        hold(state.winner is None and state.returns is None, f"{state} has a result too early")


def values(game: Game, line: RandomGame, rng: random.Random) -> None:
    """States are values: playing changes no old state; equal states have equal hashes."""
    for state in some_states(line, rng):
        before = str(state), state.player, state.outcome, hash(state), state.plies
        for action in few_actions(state, rng):
            child = state.play(action, rng)
            hold(child.plies == state.plies + 1, f"{state} does not count the ply")
        after = str(state), state.player, state.outcome, hash(state), state.plies
        hold(before == after, f"{before[0]} was changed by playing on from it")
        twin = game.state(str(state))
        hold(twin == state and hash(twin) == hash(state), f"{state} is not equal to its twin")
        hold(twin.key == state.key, f"{state} has another key than its twin")
        stranger: object = "something else"
        hold(state != stranger, f"{state} equals a string")


def chance(game: Game, line: RandomGame, rng: random.Random) -> None:
    """What chance may bring is listed once each, with probabilities that sum to one."""
    for state in some_states(line, rng):
        for action in few_actions(state, rng):
            outcomes = state.chances(action)
            results = [result for result, _ in outcomes]
            hold(len(set(results)) == len(results), f"a result of chance is listed twice: {state}")
            total = math.fsum(p for _, p in outcomes)
            hold(all(p > 0 for _, p in outcomes), f"a result without probability: {state}")
            hold(abs(total - 1) < 1e-9, f"probabilities of {state} sum to {total}")
            if state.chancy:
                reached = {state.play(action, None, result) for result in results}
                hold(state.play(action, rng) in reached, f"an unlisted result of chance: {state}")
                hold(refuses(state, action), f"{state} plays chance without a generator")
