"""Gymnasium: one learner against any agent, alone or as many games in step.

    import gymnasium, ludus.envs.gymnasium
    env = gymnasium.make("ludus/ConnectFour-v0", opponent="uct:simulations=100", side="random")
    envs = gymnasium.make_vec("ludus/ConnectFour-v0", num_envs=1024, opponent="random")

Observations are the feature planes in the learner's frame, actions are in that frame too, and
`info["action_mask"]` says which are legal, as `action_masks()` does for MaskablePPO. The reward
is the outcome, once, or with `reward="dense"` such a signal of the game: all that the plies of a
step pay the learner, the end included; `info["outcome"]` then tells the outcome. An action that is
not legal loses the game and leaves the board as it was; what is no action at all is refused with a
ValueError.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Agent, fresh, move
from ludus.arena.reward import OUTCOME, ply_rewards
from ludus.envs.arguments import (
    GameLike,
    as_game,
    check_action,
    choose_planes,
    feature_bound,
    missing_library,
    signal_of,
)
from ludus.envs.show import MODES, check_mode, render
from ludus.envs.sides import as_opponent, check_side, sits_second
from ludus.game import game_names, kind

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete
except ModuleNotFoundError:
    raise missing_library("gymnasium", "Gymnasium") from None

from ludus.envs.vector import LudusVectorEnv

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.game import State

__all__ = ["LudusEnv", "LudusVectorEnv", "env_id", "register"]


class LudusEnv(gymnasium.Env):  # type: ignore[type-arg,unused-ignore]
    """A game against an agent, who answers within `step`."""

    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: GameLike,
        *,
        opponent: str | Agent = "random",
        side: str = "first",
        planes: str = "full",
        reward: str = OUTCOME,
        shaping: str | None = None,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        self.game = as_game(game, parameters)
        self.side = check_side(side)
        self.planes = choose_planes(self.game, planes)
        self._signal = signal_of(self.game, reward, shaping)
        self.reward, self.shaping = reward, shaping
        self.render_mode = check_mode(render_mode)
        most = feature_bound(self.game, planes)
        self.observation_space = Box(-most, most, self.game.start().shape(planes), np.float32)
        self.action_space = Discrete(self.game.num_actions)
        self._opponent = as_opponent(opponent)
        self._episode = -1
        self._state: State | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        rng = self.np_random
        self._episode = 0 if seed is not None else self._episode + 1
        self._foe = fresh(self._opponent, int(rng.integers(2**63)))
        state = self.game.start(rng)
        second = sits_second(self.side, self._episode, rng)
        self.player = 1 - state.player if second else state.player
        self._last: int | None = None
        self._forfeited = False
        self._earned = self._outcome = 0.0
        self._state = self._opponent_reply(state)
        self._earned = 0.0  # what the opponent's first plies pay belongs to no action
        return self._observe()

    def _observe(self) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """The planes and `info`; the terminal sees the board as well, if it was asked for."""
        if self.render_mode == "human":
            self.render()
        return self.state.features(self.planes, self.player), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        state = self.state
        if self._over(state):
            raise ValueError("the game is over: call reset()")
        absolute = state.seen(check_action(action, self.game.num_actions))
        self._earned = 0.0
        if absolute not in state.legal():
            self._forfeited, self._earned, self._outcome = True, -1.0, -1.0
            planes, info = self._observe()
            return planes, -1.0, True, False, info
        self._state = state = self._opponent_reply(self._play(state, absolute))
        returns = state.returns
        self._outcome = 0.0 if returns is None else float(returns[self.player])
        planes, info = self._observe()
        paid = self._outcome if self.reward == OUTCOME else self._earned
        return planes, paid, returns is not None, False, info

    def _over(self, state: State) -> bool:
        return self._forfeited or state.outcome is not None

    def _play(self, state: Any, action: int) -> State:
        after: State = state.play(action, self.np_random)
        if self._signal:
            self._earned += ply_rewards(state, action, after, self._signal)[self.player]
        self._last = action
        return after

    def _opponent_reply(self, state: State) -> State:
        """Where the opponent leaves the game: with the learner to move, or over."""
        while state.outcome is None and state.player != self.player:
            state = self._play(state, move(self._foe, state, self.np_random)[0])
        return state

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self.action_masks().view(np.int8),
            "player": self.player,
        }
        if self.shaping:
            info["shaping"] = self._earned
        if self.reward != OUTCOME:
            info["outcome"] = self._outcome
        if self._forfeited:
            info["illegal"] = True
        return info

    @property
    def state(self) -> State:
        """The state of the game: an immutable value."""
        if self._state is None:
            raise ValueError("there is no game yet: call reset()")
        return self._state

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as sb3-contrib asks for them."""
        state = self.state
        return np.zeros(state.num_actions, np.bool_) if self._over(state) else state.mask()

    def render(self) -> Any:
        return render(self.game, self.state, self._last, self.render_mode)


def env_id(name: str) -> str:
    """The id under which a game is registered: `ludus/ConnectFour-v0`."""
    words = re.findall(r"\w+", kind(name).title.replace("-", " "))
    return f"ludus/{''.join(word[0].upper() + word[1:] for word in words)}-v0"


def register() -> None:
    """Tell Gymnasium of every game; importing this module has done it."""
    for name in game_names():
        if env_id(name) not in gymnasium.registry:
            gymnasium.register(
                env_id(name),
                entry_point="ludus.envs.gymnasium:LudusEnv",
                vector_entry_point="ludus.envs.vector:LudusVectorEnv",
                kwargs={"game": name},
            )


register()
