"""What all adapters are given: a game, actions, and the library they are for."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.arena.reward import OUTCOME, check_reward, rewards_of
from ludus.extras import install
from ludus.game import Game, game

GameLike = str | type | Game  # a spelling, a class that is a game, or a game


def as_game(given: GameLike, parameters: dict[str, Any]) -> Game:
    """The game that was asked for."""
    if not isinstance(given, Game):
        return game(given, **parameters)
    if parameters:
        raise ValueError("a game that is already made takes no more parameters")
    return given


def choose_planes(game: Game, planes: str) -> str:
    """Which feature planes, among those the game has."""
    if planes not in game.kind.planes:
        raise ValueError(f"no planes {planes!r} here; there are {', '.join(game.kind.planes)}")
    return planes


def feature_bound(game: Game, planes: str) -> float:
    """What no feature exceeds in size."""
    return game.kind.largest.get(planes, 1.0)


def check_shaping(game: Game, shaping: str | None) -> str | None:
    """The name of an extra signal, among those the game has."""
    there = [name for name in rewards_of(game) if name != OUTCOME]
    if shaping is not None and shaping not in there:
        raise ValueError(f"no shaping {shaping!r} here; there are {', '.join(there) or 'none'}")
    return shaping


def signal_of(game: Game, reward: str, shaping: str | None = None) -> str | None:
    """The one extra signal that is asked for, as the reward or told apart from it."""
    paid = None if check_reward(game, reward) == OUTCOME else reward
    told = check_shaping(game, shaping)
    if paid and told and paid != told:
        raise ValueError(f"one signal at a time: reward is {paid}, and shaping {told}")
    return paid or told


def check_action(action: Any, num_actions: int) -> int:
    """One action, whatever kind of whole number it came as."""
    try:
        number = index(action)
    except TypeError:
        number = -1
    if not 0 <= number < num_actions:
        raise ValueError(
            f"an action is a whole number between 0 and {num_actions - 1}, not {action!r}"
        )
    return number


def check_actions(
    given: Any, rows: int, num_actions: int, what: str = "an action"
) -> NDArray[np.int32]:
    """An action a row; nothing is rounded, and nothing wraps around."""
    actions = np.asarray(given)
    if actions.dtype.kind not in "iu" or actions.shape != (rows,):
        raise ValueError(
            f"{what} is a whole number for each of {rows} rows, "
            f"not {actions.dtype} in the shape {actions.shape}"
        )
    if actions.min() < 0 or actions.max() >= num_actions:
        row = int(((actions < 0) | (actions >= num_actions)).argmax())
        raise ValueError(
            f"{what} is a whole number between 0 and {num_actions - 1}, "
            f"not {actions[row]} as in row {row}"
        )
    return np.ascontiguousarray(actions, np.int32)


def missing_library(adapter: str, library: str) -> ModuleNotFoundError:
    """What to say where the adapter's library is not installed."""
    return ModuleNotFoundError(
        f"ludus.envs.{adapter} needs {library}: {install(adapter)}", name=adapter
    )
