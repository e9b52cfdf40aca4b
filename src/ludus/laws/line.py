"""A random game, and how a law says that it is broken."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ludus.game import Game, State

LONGEST = 20_000  # plies after which a random game is taken not to end
ACTIONS = 12  # actions tried in a state where trying all would be slow


class BrokenError(Exception):
    """A law does not hold, and how."""


@dataclass(frozen=True)
class RandomGame:
    """A random game: its states, and the actions between them."""

    states: list[State]
    actions: list[int]


def hold(condition: object, sentence: str) -> None:
    """Break the law unless the condition is true."""
    if not condition:
        raise BrokenError(sentence)


def random_game(game: Game, rng: random.Random) -> RandomGame:
    """Play one random game to its end."""
    line = RandomGame([game.start(rng)], [])
    play_on(line, rng)
    return line


def play_on(line: RandomGame, rng: random.Random) -> None:
    """Play to the end; a game that raises leaves how far it came."""
    states, actions = line.states, line.actions
    while states[-1].outcome is None and len(actions) < LONGEST:
        action = rng.choice(states[-1].legal())
        actions.append(action)
        states.append(states[-1].play(action, rng))


def some_states(line: RandomGame, rng: random.Random, most: int = 6) -> list[State]:
    """The first state, the last, and a few between."""
    inner = line.states[1:-1]
    return [line.states[0], *rng.sample(inner, min(most, len(inner))), line.states[-1]]


def few_actions(state: State, rng: random.Random) -> list[int]:
    """Legal actions, all or a sample."""
    legal = state.legal()
    return rng.sample(legal, min(ACTIONS, len(legal)))
