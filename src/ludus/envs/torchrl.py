"""TorchRL: a batch of games against an opponent, as an `EnvBase`.

    from ludus.envs.torchrl import LudusEnv
    env = LudusEnv("supertictactoe", batch_size=64, opponent="random", planes="paper")

A step is a ply of the learner and the answer of the opponent. Observations are planes in the
learner's frame, `action_mask` is for MaskedCategorical, `step_count` counts the learner's plies. An
action that is not legal loses the game and leaves the board as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Agent
from ludus.checks import check_whole
from ludus.envs.arguments import (
    GameLike,
    as_game,
    choose_planes,
    feature_bound,
    missing_library,
    signal_of,
)
from ludus.envs.sides import probability
from ludus.envs.versus import StepArrays, VersusGames

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
    from torchrl.envs.utils import ExplorationType, set_exploration_type
except ModuleNotFoundError:
    raise missing_library("torchrl", "TorchRL") from None

if TYPE_CHECKING:
    from numpy.typing import NDArray

WITHIN_ONE = (None, "designed", "original")  # the rewards that never leave [-1, 1]

# Reads "observation" and "action_mask" of some rows, writes "action": the learner's own, say.
Module = Callable[[TensorDictBase], TensorDictBase]


class LudusEnv(EnvBase):  # type: ignore[misc,unused-ignore]
    """Games of a learner against an agent, against a given policy, or against the learner itself.

    `opponent` is an agent or its spelling; or a module that turns tensordicts with `observation`
    and `action_mask` into ones with `action`, and sees the board with the sides exchanged; or
    "self", the module that `set_policy` is given, which until then moves at random.
    `opponent_first` is the probability that the opponent moves first. `reward` is "outcome" or the
    name of one of the game's extra signals; then `outcome` is told beside it.
    """

    def __init__(
        self,
        game: GameLike,
        *,
        batch_size: int = 1,
        opponent: str | Agent | Module = "random",
        opponent_first: float = 0.0,
        reward: str = "outcome",
        planes: str = "full",
        seed: int = 0,
        threads: int = 1,
        device: Any = None,
        **parameters: Any,
    ) -> None:
        self.game = as_game(game, parameters)
        games = check_whole("batch_size", batch_size, 1, 10**8)
        super().__init__(device=device, batch_size=[games])
        self._shaping = signal_of(self.game, reward)
        policy = not isinstance(opponent, str) and not hasattr(opponent, "think")
        if policy and not callable(opponent):
            raise ValueError(
                f'an opponent is an agent, its spelling, a module or "self", not {opponent!r}'
            )
        # In a list, or the policy's weights would count as the environment's own.
        self._policy: list[Any] = [opponent if policy else None]
        self._settings: dict[str, Any] = {
            "learner_side": (False, False, probability("opponent_first", opponent_first)),
            "opponent": self._ask if policy or opponent == "self" else opponent,
            "planes": choose_planes(self.game, planes),
            "shaping": self._shaping,
            "threads": threads,
        }
        self._set_seed(seed)
        self._make_specs(games, self.game.num_actions)

    def _make_specs(self, games: int, actions: int) -> None:
        each = (games, 1)
        most = feature_bound(self.game, self._settings["planes"])
        shape = (games, *self._games.shape)
        told = {
            "observation": Bounded(-most, most, shape, dtype=torch.float32),
            "action_mask": Binary(shape=(games, actions), dtype=torch.bool),
            "step_count": Unbounded(shape=each, dtype=torch.int64),
        }
        if self._shaping:
            told["outcome"] = Bounded(-1.0, 1.0, each, dtype=torch.float32)
        self.observation_spec = Composite(told, shape=(games,))
        self.action_spec = Categorical(actions, shape=(games,), dtype=torch.int64)
        unit = Bounded(-1.0, 1.0, each, dtype=torch.float32)
        beyond = Unbounded(shape=each, dtype=torch.float32)
        self.reward_spec = unit if self._shaping in WITHIN_ONE else beyond
        flag = {name: Binary(shape=each, dtype=torch.bool) for name in ("done", "terminated")}
        self.done_spec = Composite(flag, shape=(games,))

    def set_policy(self, policy: Module) -> None:
        """Let this module play the opponent from now on."""
        if self._settings["opponent"] != self._ask:
            raise ValueError('the opponent is an agent; make the environment with opponent="self"')
        self._policy = [policy]

    def _set_seed(self, seed: int | None) -> None:
        chosen_seed = check_whole("seed", seed or 0, 0, 2**63 - 1)
        self._random = np.random.default_rng(chosen_seed)
        games = self.batch_size.numel()
        self._games = VersusGames(self.game, games, seed=chosen_seed, **self._settings)
        self._spare = self._games.arrays()  # for what no tensordict holds
        self._count = torch.zeros((games, 1), dtype=torch.int64)

    def _new_arrays(self) -> StepArrays:
        """New arrays for what goes out: whoever collects keeps it."""
        anew = self._games.arrays()
        return replace(anew, players=self._spare.players, sides=self._spare.sides)

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        out = self._new_arrays()
        chosen_rows = None if tensordict is None else tensordict.get("_reset", None)
        if chosen_rows is None:
            self._games.restart(None, out)
            self._count = torch.zeros_like(self._count)
        else:
            rows = chosen_rows.reshape(self.batch_size).cpu()
            self._games.restart(np.ascontiguousarray(rows.numpy()), out)
            self._count = self._count.masked_fill(rows.unsqueeze(-1), 0)
        told = self._tensors(out)
        done = torch.zeros_like(self._count, dtype=torch.bool)
        return TensorDict(
            {**told, "done": done, "terminated": done.clone()}, self.batch_size, device=self.device
        )

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        out = self._new_arrays()
        actions = tensordict.get("action").reshape(self.batch_size)
        self._games.step(actions.cpu().numpy(), out)
        self._count = self._count + 1
        told = self._tensors(out)
        reward = torch.from_numpy(out.shaping if self._shaping else out.rewards).unsqueeze(-1)
        done = torch.from_numpy(out.dones).unsqueeze(-1)
        told |= {"reward": reward, "done": done, "terminated": done.clone()}
        return TensorDict(told, self.batch_size, device=self.device)

    def _tensors(self, out: StepArrays) -> dict[str, torch.Tensor]:
        told = {
            "observation": torch.from_numpy(out.features),
            "action_mask": torch.from_numpy(out.masks),
            "step_count": self._count,
        }
        if self._shaping:
            told["outcome"] = torch.from_numpy(out.rewards).unsqueeze(-1)
        return told

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """Random legal actions."""
        actions = np.empty(self.batch_size.numel(), np.int32)
        self._games.sample(actions)
        if tensordict is None:
            tensordict = TensorDict({}, self.batch_size, device=self.device)
        return tensordict.set("action", torch.from_numpy(actions).long())

    def state(self, row: int) -> Any:
        """The state of one game: an immutable value."""
        return self._games.state(row)

    @property
    def sides(self) -> NDArray[np.int8]:
        """Which player the learner is, a row a game."""
        return self._spare.sides

    def _ask(
        self, rows: NDArray[np.int64], features: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[Any]:
        """The policy's answer where the opponent is to move, drawn as in training."""
        policy = self._policy[0]
        if policy is None:
            drawn = self._random.random(masks.shape)
            any_legal: NDArray[np.int32] = np.argmax(np.where(masks, drawn, -1), 1).astype(np.int32)
            return any_legal
        seen = {
            "observation": torch.from_numpy(features),
            "action_mask": torch.from_numpy(masks),
        }
        asked = TensorDict(seen, [len(rows)], device=self.device)
        training = getattr(policy, "training", False)
        if training:
            policy.eval()
        with torch.no_grad(), set_exploration_type(ExplorationType.RANDOM):
            answered = policy(asked)
        if training:
            policy.train()
        if not isinstance(answered, TensorDictBase) or "action" not in answered:
            raise ValueError('the opponent\'s module returned no tensordict with "action" in it')
        actions: NDArray[Any] = answered.get("action").cpu().numpy()
        return actions
