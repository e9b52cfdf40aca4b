"""The peers, each doing what it does best; imported late, so that one can be missing."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from harness import Work

OPENSPIEL = {"connect4": "connect_four", "tictactoe": "tic_tac_toe", "checkers": "checkers"}


def openspiel_playouts(name: str) -> Work:
    """OpenSpiel's random rollouts inside C++: one simulation that evaluates by n rollouts."""
    import pyspiel

    rollouts = 200 if name == "checkers" else 5000
    game = pyspiel.load_game(OPENSPIEL[name])
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, 1, False)

    def work() -> float:
        bot.mcts_search(game.new_initial_state())
        return rollouts

    return work


def openspiel_uct(name: str, simulations: int) -> Work:
    """OpenSpiel's C++ search with one random rollout a simulation, proofs off."""
    import pyspiel

    game = pyspiel.load_game(OPENSPIEL[name])
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, False, 1, False)

    def work() -> float:
        bot.mcts_search(game.new_initial_state())
        return float(simulations)

    return work


def openspiel_player(name: str, simulations: int, seed: int) -> Callable[[list[int]], int]:
    """OpenSpiel's C++ search as a player: the move after these, by numbers that we share."""
    import pyspiel

    game = pyspiel.load_game(OPENSPIEL[name])
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, True, seed, False)

    def think(actions: list[int]) -> int:
        state = game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        return int(bot.step(state))

    return think


def openspiel_loop(name: str) -> Work:
    """OpenSpiel driven from Python, move by move."""
    import pyspiel

    game = pyspiel.load_game(OPENSPIEL[name])
    choice = random.Random(1).choice

    def work() -> float:
        plies = 0
        for _ in range(20):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(choice(state.legal_actions()))
                plies += 1
        return plies

    return work


def cathedral_rl() -> Work:
    """cathedral-rl's own environment, random legal actions."""
    import numpy as np
    from cathedral_rl import cathedral_v0

    env = cathedral_v0.raw_env()  # its wrappers are of an older PettingZoo, and only slow it
    rng = np.random.default_rng(1)

    def work() -> float:
        env.reset()
        while not any(env.terminations.values()):  # its own end of a game does not always come
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            if not legal.size:
                break
            env.step(int(rng.choice(legal)))
        return 1.0

    return work


def mctx_selfplay(batch: int, simulations: int, width: int, blocks: int) -> Work:
    """Mctx over pgx's Connect Four: Gumbel search of a batch of games, a ply of each, jitted.

    The network is ours in size and folded for inference, in floats, as JAX runs it on a CPU.
    """
    import jax
    import mctx
    import numpy as np
    import pgx
    from jax import numpy as jnp

    env: Any = pgx.make("connect_four")
    rng = np.random.default_rng(1)

    def weights(*shape: int) -> Any:
        return jnp.asarray(rng.normal(0, 0.05, shape), jnp.float32)

    trunk = [weights(3, 3, 2 if i == 0 else width, width) for i in range(1 + 2 * blocks)]
    heads = [weights(1, 1, width, 8), weights(8 * 42, 7), weights(8 * 42, 1)]

    def convolved(x: Any, kernel: Any) -> Any:
        return jax.lax.conv_general_dilated(
            x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    def looked(states: Any) -> tuple[Any, Any]:
        x = jax.nn.relu(convolved(states.observation.astype(jnp.float32), trunk[0]))
        for block in range(blocks):
            inner = jax.nn.relu(convolved(x, trunk[1 + 2 * block]))
            x = jax.nn.relu(x + convolved(inner, trunk[2 + 2 * block]))
        flat = jax.nn.relu(convolved(x, heads[0])).reshape(len(x), -1)
        return flat @ heads[1], jnp.tanh(flat @ heads[2])[:, 0]

    def recurrent(params: Any, key: Any, action: Any, states: Any) -> Any:
        movers = states.current_player
        states = jax.vmap(env.step)(states, action)
        logits, values = looked(states)
        over = states.terminated
        out = mctx.RecurrentFnOutput(
            reward=states.rewards[jnp.arange(batch), movers],
            discount=jnp.where(over, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(over, 0.0, values),
        )
        return out, states

    @jax.jit
    def ply(states: Any, key: Any) -> Any:
        logits, values = looked(states)
        found = mctx.gumbel_muzero_policy(
            None,
            key,
            mctx.RootFnOutput(prior_logits=logits, value=values, embedding=states),
            recurrent,
            num_simulations=simulations,
            invalid_actions=~states.legal_action_mask,
        )
        return jax.vmap(env.step)(states, found.action)

    begin = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), batch))

    def work() -> float:
        jax.block_until_ready(ply(begin, jax.random.PRNGKey(2)))
        return float(batch * simulations)

    return work


def pgx_steps(name: str, batch: int) -> Work:
    """pgx, jitted and vmapped: random legal actions with automatic reset, in one scan."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env: Any = pgx.make({"connect4": "connect_four", "tictactoe": "tic_tac_toe"}[name])
    step = auto_reset(env.step, env.init)
    length = 100

    def one(carry: Any, _: None) -> tuple[Any, None]:
        state, key = carry
        key, sub, reset = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(sub, logits, axis=-1)
        return (jax.vmap(step)(state, action, jax.random.split(reset, batch)), key), None

    run = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length)[0])
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    key = jax.random.PRNGKey(1)
    held = list(run(state, key))

    def work() -> float:
        held[:] = jax.block_until_ready(run(*held))
        return float(batch * length)

    return work


def envpool_steps(name: str, batch: int) -> Work:
    """Envpool on one thread: the first legal action in every game."""
    import envpool
    import numpy as np

    task = {"connect4": "ConnectFour-v1", "tictactoe": "TicTacToe-v1"}[name]
    env = envpool.make(task, env_type="gymnasium", num_envs=batch, batch_size=batch, num_threads=1)
    rows = np.arange(batch, dtype=np.int32)
    held = [env.reset()[1]]

    def work() -> float:
        actions = np.argmax(held[0]["legal_action_mask"], axis=1).astype(np.int32)
        step = {"env_id": rows, "players.env_id": rows, "action": actions}
        held[0] = env.step(step)[4]
        return float(batch)

    return work


class BitBully:
    """BitBully's exact scores of positions written as columns from 1, one after the other."""

    def __init__(self, lines: list[str]) -> None:
        from bitbully import bitbully_core

        self.solver = bitbully_core.BitBullyCore()
        self.solver.resetNodeCounter()
        self.boards: list[Any] = []
        self.at = 0
        for line in lines:
            board = bitbully_core.BoardCore()
            if not board.setBoard([int(column) - 1 for column in line]):
                raise ValueError(f"BitBully does not know the position {line}")
            self.boards.append(board)

    def solve(self, count: int) -> float:
        """The next positions."""
        for board in self.boards[self.at : self.at + count]:
            self.solver.mtdf(board, 0)
        self.at += count
        return count

    @property
    def nodes(self) -> float:
        """The mean of those solved so far."""
        return float(self.solver.getNodeCounter() / self.at)


def pettingzoo_classic(name: str) -> Any:
    """PettingZoo's own environment of the game, as `env()` wraps it."""
    from importlib import import_module

    theirs = {"connect4": "connect_four", "tictactoe": "tictactoe"}[name]
    return import_module(f"pettingzoo.classic.{theirs}.{theirs}").env()


def torchrl_pettingzoo(name: str) -> Any:
    """TorchRL's wrapper around PettingZoo's environment."""
    from torchrl.envs import PettingZooWrapper

    return PettingZooWrapper(pettingzoo_classic(name), use_mask=True, categorical_actions=True)


def torchrl_openspiel(name: str) -> Any:
    """TorchRL's wrapper around OpenSpiel's state."""
    import pyspiel
    from torchrl.envs import OpenSpielWrapper

    return OpenSpielWrapper(pyspiel.load_game(OPENSPIEL[name]).new_initial_state())


def maskable_ppo_collect(name: str, width: int, layers: int, steps: int) -> Work:
    """PettingZoo's own tutorial: its AEC environment as one of Gymnasium's, under MaskablePPO.

    Only the collecting is done; actor and critic have these layers each, and share none.
    """
    import gymnasium
    import torch
    from pettingzoo.utils import BaseWrapper
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import Logger

    class OneSeat(BaseWrapper, gymnasium.Env):
        """Whoever is to move is the learner."""

        def __init__(self, env: Any) -> None:
            super().__init__(env)
            env.reset()
            first = env.possible_agents[0]
            self.observation_space = env.observation_space(first)["observation"]
            self.action_space = env.action_space(first)

        def reset(self, seed: int | None = None, options: Any = None) -> Any:
            super().reset(seed, options)
            return self.observe(self.agent_selection), {}

        def step(self, action: int) -> Any:
            super().step(action)
            return super().last()

        def observe(self, agent: str) -> Any:
            return super().observe(agent)["observation"]

        def action_masks(self) -> Any:
            return super().observe(self.agent_selection)["action_mask"]

    torch.set_num_threads(1)
    arch = [width] * layers
    policy = {"net_arch": {"pi": arch, "vf": arch}, "activation_fn": torch.nn.ReLU}
    env = OneSeat(pettingzoo_classic(name))
    model = MaskablePPO("MlpPolicy", env, n_steps=steps, policy_kwargs=policy, seed=1, device="cpu")
    model.set_logger(Logger(None, []))
    _, callback = model._setup_learn(10**9)

    def work() -> float:
        model.collect_rollouts(model.env, callback, model.rollout_buffer, steps)
        return float(steps)

    return work
