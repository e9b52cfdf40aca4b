"""Many games in step for Gymnasium: native code writes into the very arrays that are returned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Agent
from ludus.arena.reward import OUTCOME
from ludus.checks import check_whole
from ludus.envs.arguments import (
    GameLike,
    as_game,
    choose_planes,
    feature_bound,
    missing_library,
    signal_of,
)
from ludus.envs.show import MODES, check_mode, render
from ludus.envs.sides import BOTH, as_opponent, learner_side
from ludus.envs.versus import StepArrays, VersusGames

try:
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError:
    raise missing_library("gymnasium", "Gymnasium") from None

if TYPE_CHECKING:
    from numpy.typing import NDArray


class LudusVectorEnv(VectorEnv):  # type: ignore[type-arg,unused-ignore]
    """A game in many rows, against an opponent inside or, with `opponent="self"`, by self-play.

    In self-play every ply is asked for: observations are those of who moves, `info["player"]` says
    who that is, and a reward is for who just acted. `reward` is "outcome" or the name of one of the
    game's extra signals; then `info["outcome"]` tells the outcome, and in self-play
    `info["other_reward"]` what the ply paid who waits, as not every signal is zero-sum. Arrays are
    written in place and used again at the second step after; `copy=True` returns new ones. In a row
    that has ended any action will do, so its mask allows all. `autoreset_mode` is one of
    Gymnasium's three; where it is Disabled, `reset(options={"reset_mask": mask})` begins anew in
    some rows.
    """

    def __init__(
        self,
        game: GameLike,
        num_envs: int = 1,
        *,
        opponent: str | Agent = "random",
        side: str = "first",
        planes: str = "full",
        reward: str = OUTCOME,
        shaping: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = False,
        threads: int = 1,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        self.game = as_game(game, parameters)
        self.num_envs = check_whole("num_envs", num_envs, 1, 10**8)
        self.render_mode = check_mode(render_mode)
        signal = signal_of(self.game, reward, shaping)
        self.reward, self.shaping = reward, shaping
        self._alone = opponent == "self"
        self.autoreset_mode = check_autoreset(autoreset_mode)
        self.metadata = {"render_modes": list(MODES), "autoreset_mode": self.autoreset_mode}
        self._settings: dict[str, Any] = {
            "learner_side": BOTH if opponent == "self" else learner_side(side),
            "opponent": None if opponent == "self" else as_opponent(opponent),
            "planes": choose_planes(self.game, planes),
            "shaping": signal,
            "threads": threads,
        }
        self._games = self._new(0)
        most = feature_bound(self.game, planes)
        board = Box(-most, most, self.game.start().shape(planes), np.float32)
        self.single_observation_space, self.single_action_space = (
            board,
            Discrete(self.game.num_actions),
        )
        self.observation_space = batch_space(board, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._out, self._spare = self._games.arrays(), self._games.arrays()
        self._always = np.ones(num_envs, np.bool_)
        self._never = np.zeros(num_envs, np.bool_)
        self._has_games = False

    def _new(self, seed: int) -> VersusGames:
        return VersusGames(self.game, self.num_envs, seed=seed, **self._settings)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        mask = self._check_mask((options or {}).get("reset_mask"))
        if seed is not None and mask is not None:
            raise ValueError("a seed begins every row anew; a reset_mask only some: give one")
        out = self._new_arrays()
        if seed is not None or not self._has_games:
            self._games = self._new(int(self.np_random.integers(2**63)))
            self._games.look(out)
            self._has_games = True
        else:
            self._games.restart(mask, out)
        self._show(out)
        return out.features, self._info(out)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        self._need_games()
        waiting = self.autoreset_mode is AutoresetMode.DISABLED and self._out.dones.any()
        if waiting:
            raise ValueError("some games are over: call reset(options={'reset_mask': mask})")
        out = self._new_arrays()
        self._games.step(actions, out)
        self._show(out)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and out.dones.any():
            return self._restart(out)
        return out.features, self._rewards(out), out.dones, self._never, self._info(out)

    def _rewards(self, out: StepArrays) -> NDArray[np.float32]:
        return out.rewards if self.reward == OUTCOME else out.shaping

    def _need_games(self) -> None:
        if not self._has_games:
            raise ValueError("there are no games yet: call reset()")

    def _check_mask(self, given: Any) -> NDArray[np.bool_] | None:
        """Which rows begin anew, or None for all."""
        if given is None:
            return None
        mask = np.ascontiguousarray(given)
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(
                f"reset_mask is true or false for each of {self.num_envs} rows, "
                f"not {mask.dtype} in the shape {mask.shape}"
            )
        return mask

    def _restart(self, out: StepArrays) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Show new games where some ended, and how those looked in `info`."""
        ended, told = out.dones.copy(), (out.rewards, out.shaping, out.opponent_shaping)
        paid = [array.copy() for array in told]
        last = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(ended):
            last[row] = out.features[row].copy()
        final = {key: value.copy() for key, value in self._info(out).items()}
        self._games.restart(ended, out)
        out.dones[:] = ended
        for array, kept in zip(told, paid, strict=True):
            array[:] = kept
        info = {"final_obs": last, "_final_obs": ended, "final_info": final, "_final_info": ended}
        return out.features, self._rewards(out), out.dones, self._never, self._info(out) | info

    def _new_arrays(self) -> StepArrays:
        return self._games.arrays() if self._copy else self._spare

    def _show(self, out: StepArrays) -> None:
        """From now on this is what was returned last."""
        self._out, self._spare = out, self._out

    def _info(self, out: StepArrays) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": out.masks, "_action_mask": self._always}
        info |= {"player": out.players, "_player": self._always}
        told: dict[str, NDArray[np.float32]] = {}
        if self.shaping:
            told |= {"shaping": out.shaping} | (
                {"other_shaping": out.opponent_shaping} if self._alone else {}
            )
        if self.reward != OUTCOME:
            told |= {"outcome": out.rewards} | (
                {"other_reward": out.opponent_shaping} if self._alone else {}
            )
        for name, array in told.items():
            info |= {name: array, f"_{name}": self._always}
        return info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of every row."""
        self._need_games()
        return self._out.masks

    def sample(self) -> NDArray[np.int32]:
        """A random legal action for every row, drawn natively."""
        self._need_games()
        actions = np.empty(self.num_envs, np.int32)
        self._games.sample(actions)
        return actions

    def state(self, row: int) -> Any:
        """The state of one game: an immutable value."""
        return self._games.state(row)

    def render(self) -> Any:
        frames = (self._games.state(row) for row in range(self.num_envs))
        return tuple(render(self.game, state, None, self.render_mode) for state in frames)


def check_autoreset(mode: str | AutoresetMode) -> AutoresetMode:
    """One of Gymnasium's ways to begin a new game where one ended."""
    there = [known.value for known in AutoresetMode]
    if mode not in there and mode not in list(AutoresetMode):
        raise ValueError(f"no autoreset mode {mode!r}; there are {', '.join(there)}")
    return AutoresetMode(mode)
