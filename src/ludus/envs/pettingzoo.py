"""PettingZoo: every game as an AEC environment.

    from ludus.envs import pettingzoo
    env = pettingzoo.env("connect4", rows=5)

Agents are `player_0` and `player_1`. Observations, masks and actions are in the frame of the player
they belong to. Rewards are the outcome, once: 1, 0 or -1, and they add up to zero; or with
`reward="dense"` such a signal of the game, ply by ply, the end included. An action that is not
legal loses the game, as PettingZoo's classics have it, and leaves the board as it was; what is no
action at all is refused with a ValueError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.arena.reward import OUTCOME, ply_rewards
from ludus.checks import check_whole
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
from ludus.envs.snapshot import Snapshot, read
from ludus.game import State

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
except ModuleNotFoundError:
    raise missing_library("pettingzoo", "PettingZoo") from None

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLAYERS = ("player_0", "player_1")
INT8 = np.dtype(np.int8)


class LudusAEC(AECEnv):  # type: ignore[type-arg,unused-ignore]
    """A game as PettingZoo plays it: whoever `agent_selection` names is to act."""

    def __init__(
        self,
        game: GameLike,
        *,
        render_mode: str | None = None,
        planes: str = "full",
        reward: str = OUTCOME,
        shaping: str | None = None,
        masked: bool = True,
        longest: int | None = None,
        **parameters: Any,
    ) -> None:
        self.game = as_game(game, parameters)
        self.render_mode = check_mode(render_mode)
        self.planes = choose_planes(self.game, planes)
        self._signal = signal_of(self.game, reward, shaping)
        self.reward, self.shaping = reward, shaping
        self.masked = masked
        self.longest = longest
        self.metadata = {
            "name": f"{self.game.name}_v0",
            "render_modes": list(MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = list(PLAYERS)
        self.agents: list[str] = []
        size = self.game.num_actions
        first = self.game.start()
        most = feature_bound(self.game, planes)
        board = Box(-most, most, first.shape(planes), np.float32)
        seen = Dict({"observation": board, "action_mask": Box(0, 1, (size,), np.int8)})
        self.observation_spaces = dict.fromkeys(PLAYERS, seen if masked else board)
        self.action_spaces = {player: Discrete(size) for player in PLAYERS}
        self.state_space = board
        self._num_actions = size
        self._none_legal = np.zeros(size, np.int8)
        self._none_legal.flags.writeable = False
        self.agent_selection = ""  # nobody yet
        self._random: np.random.Generator | None = None
        self._state: State | None = None

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self._turn_to(self.game.start(self._random), show=True)

    def _begin(self, seed: int | None) -> None:
        if seed is not None or self._random is None:
            self._random = np.random.default_rng(seed)
        self.agents = list(PLAYERS)
        self.rewards = {"player_0": 0.0, "player_1": 0.0}
        self._cumulative_rewards = {"player_0": 0.0, "player_1": 0.0}
        self._shaped = [0.0, 0.0]
        self._set_ended(False, False)
        self._last: int | None = None
        self._plies = 0
        self._skip_agent_selection = None

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        _ = self.board  # or there is none yet, and nobody would be asked
        return super().agent_iter(max_iter)

    def _set_ended(self, over: bool, cut: bool) -> None:
        self._over, self._cut = over, cut
        self.terminations = {"player_0": over, "player_1": over}
        self.truncations = {"player_0": cut, "player_1": cut}

    def _turn_to(self, state: State, show: bool = False) -> None:
        """Turn to a state: who is asked, and what may be done."""
        self._state = state
        going_on = not (self._over or self._cut)
        mask = state.mask().view(INT8) if going_on else self._none_legal
        self.infos: dict[str, dict[str, Any]]
        if state.player:
            self.agent_selection = "player_1"
            self.infos = {
                "player_0": {"action_mask": self._none_legal},
                "player_1": {"action_mask": mask},
            }
        else:
            self.agent_selection = "player_0"
            self.infos = {
                "player_0": {"action_mask": mask},
                "player_1": {"action_mask": self._none_legal},
            }
        if self.shaping:
            for agent, signal in zip(PLAYERS, self._shaped, strict=True):
                self.infos[agent]["shaping"] = signal
        if show and self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Any:
        state = self.board
        if agent not in PLAYERS:
            raise ValueError(f"no agent {agent!r}; there are {', '.join(PLAYERS)}")
        player = 1 if agent == "player_1" else 0
        # The plain call is the faster one, and nearly always the one that is needed.
        planes = (
            state.features(self.planes)
            if player == state.player
            else state.features(self.planes, player)
        )
        if not self.masked:
            return planes
        info = self.infos.get(agent)
        mask = self._none_legal if info is None else info["action_mask"]
        return {"observation": planes, "action_mask": mask}

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise ValueError("there is no game to step in: call reset()")
        if self._over or self._cut:
            self._was_dead_step(action)
            return
        # Looking at the type is the short way; it is taken nearly always.
        if type(action) is not int or not 0 <= action < self._num_actions:
            action = check_action(action, self._num_actions)
        state = self.board
        absolute = state.seen(action)
        try:
            after = state.play(absolute, self._random)
        except ValueError:  # not legal
            returns = (-1.0, 1.0) if state.player == 0 else (1.0, -1.0)
            self._cumulative_rewards[self.agent_selection] = 0.0
            self._pay(returns)
            self._shaped = list(returns)
            self._set_ended(True, False)
            self._turn_to(state, show=True)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._last = absolute
        self._plies += 1
        if self._signal:
            self._shape(state, absolute, after)
        if after.outcome is not None:
            if self.reward == OUTCOME:
                self._pay(after.returns)
            self._set_ended(True, False)
        elif self._plies == self.longest:
            self._set_ended(False, True)
        self._turn_to(after, show=True)

    def _pay(self, returns: tuple[float, float] | None) -> None:
        assert returns is not None
        for agent, reward in zip(PLAYERS, returns, strict=True):
            self.rewards[agent] = float(reward)
            self._cumulative_rewards[agent] += float(reward)

    def _shape(self, state: Any, action: int, after: State) -> None:
        """Add to what each player earned since its own last ply; it may be the reward."""
        assert self._signal is not None
        self._shaped[state.player] = 0.0
        signals = ply_rewards(state, action, after, self._signal)
        for player, signal in enumerate(signals):
            self._shaped[player] += signal
        if self.reward != OUTCOME:
            self._pay(signals)

    def state(self) -> NDArray[np.float32]:
        return self.board.features(self.planes, 0)

    @property
    def board(self) -> State:
        """The state of the game: an immutable value."""
        if self._state is None:
            raise ValueError("there is no game yet: call reset()")
        return self._state

    def render(self) -> Any:
        return render(self.game, self.board, self._last, self.render_mode)

    def close(self) -> None:
        """Nothing is held that would have to be let go."""

    def snapshot(self) -> bytes:
        """The running game as bytes: board, history, rewards and the generator of chance."""
        if self._random is None:
            raise ValueError("there is no game to take a snapshot of: call reset()")
        snapshot = Snapshot(
            game=self.game.spelling,
            state=bytes(self.board).hex(),  # type: ignore[call-overload]
            random=dict(self._random.bit_generator.state),
            rewards=[float(self.rewards.get(agent, 0)) for agent in PLAYERS],
            owed=[float(self._cumulative_rewards.get(agent, 0)) for agent in PLAYERS],
            shaping=self._shaped,
            over=self._over,
            cut=self._cut,
            left=self.agents,
            selected=self.agent_selection,
            plies=self._plies,
            last=self._last,
        )
        return bytes(snapshot)

    def restore(self, data: bytes) -> None:
        """Go on from a snapshot, as if nothing had come between."""
        kept = read(data, self.game.spelling, PLAYERS)
        random = np.random.default_rng()
        try:
            random.bit_generator.state = kept.random
            state = self.game.state(bytes.fromhex(kept.state))
            if kept.last is not None:
                check_action(kept.last, self._num_actions)
        except (ValueError, TypeError, KeyError, OverflowError):
            raise ValueError("this snapshot of a running game is damaged") from None
        self._begin(None)
        self._random = random
        self._set_ended(kept.over, kept.cut)
        self._shaped, self._last, self._plies = kept.shaping, kept.last, kept.plies
        self._turn_to(state)
        self.agents = kept.left
        for gone in {*PLAYERS}.difference(kept.left):
            for each in (self.terminations, self.truncations, self.infos):
                del each[gone]
        self.rewards = {a: kept.rewards[PLAYERS.index(a)] for a in kept.left}
        self._cumulative_rewards = {a: kept.owed[PLAYERS.index(a)] for a in kept.left}
        self.agent_selection = kept.selected


def env(game: GameLike, *, max_cycles: int | None = None, **options: Any) -> LudusAEC:
    """A game as an AEC environment; its own parameters are among the options.

    Options: `render_mode` (human, ansi, rgb_array, svg), `planes`, `reward` (outcome, or the name
    of an extra signal), `shaping` (the name of an extra signal, told in `infos` apart),
    `masked=False` (observations are the planes alone; masks are in `infos` as ever). After
    `max_cycles` rounds of two plies it is truncated.
    """
    if max_cycles is not None:
        options["longest"] = 2 * check_whole("max_cycles", max_cycles, 1, 10**9)
    return LudusAEC(game, **options)


def parallel_env(game: GameLike, *, max_cycles: int | None = None, **options: Any) -> Any:
    """The same where all agents act at once and only the action of who is to move counts."""
    if max_cycles is not None:
        options["longest"] = check_whole("max_cycles", max_cycles, 1, 10**9)
    return turn_based_aec_to_parallel(LudusAEC(game, **options))
