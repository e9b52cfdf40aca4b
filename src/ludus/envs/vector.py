"""Many games in step for Gymnasium: native code writes into the very arrays that are returned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Agent
from ludus.arena.reward import OUTCOME
from ludus.checks import check_whole
from ludus.envs.bouts import Arrays, Bouts
from ludus.envs.given import Given, bound, checked_planes, chosen, missing, signal_of
from ludus.envs.seats import BOTH, made, seating
from ludus.envs.show import MODES, checked_mode, shown

try:
    from gymnasium.spaces import Box, Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError:
    raise missing("gymnasium", "Gymnasium") from None

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
        game: Given,
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
        self.game = chosen(game, parameters)
        self.num_envs = check_whole("num_envs", num_envs, 1, 10**8)
        self.render_mode = checked_mode(render_mode)
        signal = signal_of(self.game, reward, shaping)
        self.reward, self.shaping = reward, shaping
        self._alone = opponent == "self"
        self.autoreset_mode = checked_autoreset(autoreset_mode)
        self.metadata = {"render_modes": list(MODES), "autoreset_mode": self.autoreset_mode}
        self._made: dict[str, Any] = {
            "seating": BOTH if opponent == "self" else seating(side),
            "opponent": None if opponent == "self" else made(opponent),
            "planes": checked_planes(self.game, planes),
            "shaping": signal,
            "threads": threads,
        }
        self._bouts = self._new(0)
        most = bound(self.game, planes)
        board = Box(-most, most, self.game.start().shape(planes), np.float32)
        self.single_observation_space, self.single_action_space = (
            board,
            Discrete(self.game.num_actions),
        )
        self.observation_space = batch_space(board, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._out, self._spare = self._bouts.arrays(), self._bouts.arrays()
        self._always = np.ones(num_envs, np.bool_)
        self._never = np.zeros(num_envs, np.bool_)
        self._begun = False

    def _new(self, seed: int) -> Bouts:
        return Bouts(self.game, self.num_envs, seed=seed, **self._made)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        mask = self._checked_mask((options or {}).get("reset_mask"))
        if seed is not None and mask is not None:
            raise ValueError("a seed begins every row anew; a reset_mask only some: give one")
        out = self._room()
        if seed is not None or not self._begun:
            self._bouts = self._new(int(self.np_random.integers(2**63)))
            self._bouts.look(out)
            self._begun = True
        else:
            self._bouts.restart(mask, out)
        self._show(out)
        return out.features, self._info(out)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        self._need_games()
        waiting = self.autoreset_mode is AutoresetMode.DISABLED and self._out.ended.any()
        if waiting:
            raise ValueError("some games are over: call reset(options={'reset_mask': mask})")
        out = self._room()
        self._bouts.step(actions, out)
        self._show(out)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and out.ended.any():
            return self._restarted(out)
        return out.features, self._paid(out), out.ended, self._never, self._info(out)

    def _paid(self, out: Arrays) -> NDArray[np.float32]:
        return out.rewards if self.reward == OUTCOME else out.shaping

    def _need_games(self) -> None:
        if not self._begun:
            raise ValueError("there are no games yet: call reset()")

    def _checked_mask(self, given: Any) -> NDArray[np.bool_] | None:
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

    def _restarted(self, out: Arrays) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Show new games where some ended, and how those looked in `info`."""
        ended, told = out.ended.copy(), (out.rewards, out.shaping, out.others)
        paid = [array.copy() for array in told]
        last = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(ended):
            last[row] = out.features[row].copy()
        final = {key: value.copy() for key, value in self._info(out).items()}
        self._bouts.restart(ended, out)
        out.ended[:] = ended
        for array, kept in zip(told, paid, strict=True):
            array[:] = kept
        info = {"final_obs": last, "_final_obs": ended, "final_info": final, "_final_info": ended}
        return out.features, self._paid(out), out.ended, self._never, self._info(out) | info

    def _room(self) -> Arrays:
        return self._bouts.arrays() if self._copy else self._spare

    def _show(self, out: Arrays) -> None:
        """From now on this is what was returned last."""
        self._out, self._spare = out, self._out

    def _info(self, out: Arrays) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": out.masks, "_action_mask": self._always}
        info |= {"player": out.players, "_player": self._always}
        told: dict[str, NDArray[np.float32]] = {}
        if self.shaping:
            told |= {"shaping": out.shaping} | (
                {"other_shaping": out.others} if self._alone else {}
            )
        if self.reward != OUTCOME:
            told |= {"outcome": out.rewards} | ({"other_reward": out.others} if self._alone else {})
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
        self._bouts.sample(actions)
        return actions

    def state(self, row: int) -> Any:
        """The state of one game: an immutable value."""
        return self._bouts.state(row)

    def render(self) -> Any:
        frames = (self._bouts.state(row) for row in range(self.num_envs))
        return tuple(shown(self.game, state, None, self.render_mode) for state in frames)


def checked_autoreset(mode: str | AutoresetMode) -> AutoresetMode:
    """One of Gymnasium's ways to begin a new game where one ended."""
    there = [known.value for known in AutoresetMode]
    if mode not in there and mode not in list(AutoresetMode):
        raise ValueError(f"no autoreset mode {mode!r}; there are {', '.join(there)}")
    return AutoresetMode(mode)
