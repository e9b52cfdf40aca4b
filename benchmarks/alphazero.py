"""Self-play with a network: simulations, beside what the network alone can look at, and peers."""

import numpy as np
import torch
from harness import EFFORT, Row, Work, compare, main
from peers import mctx_selfplay

import ludus
from ludus.learn import alphazero
from ludus.learn.networks import int8
from ludus.learn.networks.onnx import in_onnx

SIMULATIONS = 50


def learner(name: str, width: int, blocks: int, **changes: object) -> alphazero.Learner:
    """Pools and a network, before any learning."""
    games = 16 if EFFORT.quick else 128
    sizes = {"width": width, "blocks": blocks, "simulations": SIMULATIONS, "n_envs": games}
    config = alphazero.Config(**{**sizes, "search": "puct", **changes})
    return alphazero.Learner(ludus.game(name), config, seed=1)


def graph(made: alphazero.Learner) -> bytes:
    """The network in int8; ranges do not matter for its speed."""
    sample = torch.from_numpy(
        (np.random.default_rng(1).random((256, *made.window.symmetries.shape)) < 0.3).astype("f4")
    )
    return int8.graph_of(made.network.eval(), sample)


def selfplay_work(made: alphazero.Learner, count: str, positions: int = 512) -> Work:
    """Self-play on two threads."""
    written = graph(made)
    if EFFORT.quick:
        positions = 16

    def work() -> float:
        made.pools.play(written, positions, 2)
        return float(made.pools.counts()[count])

    return work


def network_work(made: alphazero.Learner) -> Work:
    """The network alone, two threads with a session each, at the batch size of self-play."""
    from concurrent.futures import ThreadPoolExecutor

    sessions = [in_onnx(graph(made)) for _ in range(2)]
    features = np.zeros((128, *made.window.symmetries.shape), np.float32)
    executor = ThreadPoolExecutor(2)

    def work() -> float:
        list(executor.map(lambda look: [look(features) for _ in range(20)], sessions))
        return 2.0 * 20 * 128

    return work


def one_by_one(made: alphazero.Learner) -> Work:
    """OpenSpiel's search in Python with the same network, asked for one position at a time."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    network, game = made.network.eval(), pyspiel.load_game("connect_four")

    class Evaluator(mcts.Evaluator):
        def __init__(self):
            self.asked, self.told = None, None

        def look(self, state):
            """Once for each leaf: its prior is asked for right before its value."""
            if self.asked != state.history():
                seen = np.array(state.observation_tensor(), np.float32).reshape(3, 6, 7)[:2]
                with torch.inference_mode():
                    self.asked, self.told = state.history(), network(torch.from_numpy(seen)[None])
            return self.told

        def evaluate(self, state):
            value = float(self.look(state)[1])
            return np.array([value, -value])

        def prior(self, state):
            legal = state.legal_actions()
            policy = torch.softmax(self.look(state)[0][0][legal], 0).tolist()
            return list(zip(legal, policy, strict=True))

    bot = mcts.MCTSBot(
        game, 2.0, SIMULATIONS, Evaluator(), child_selection_fn=mcts.SearchNode.puct_value
    )

    def work() -> float:
        bot.mcts_search(game.new_initial_state())
        return float(SIMULATIONS)

    return work


def connect4() -> list[Row]:
    """Two sizes of network."""
    torch.set_num_threads(1)
    small, plain = learner("connect4", 64, 2), {"cache_size": 0, "symmetric_cache": False}
    bare = learner("connect4", 64, 5, **plain)
    return [
        compare(
            "connect4, 64x2",
            "simulations/s",
            selfplay_work(small, "simulations"),
            "OpenSpiel, Python",
            one_by_one(small),
        ),
        compare(
            "connect4, 64x5",
            "simulations/s",
            selfplay_work(learner("connect4", 64, 5, search="gumbel"), "simulations"),
            "mctx + pgx",
            mctx_selfplay(128, SIMULATIONS, 64, 5),
        ),
        compare(
            "connect4, 64x5",
            "evaluations/s",
            selfplay_work(bare, "evaluations", 256),
            "network alone",
            network_work(bare),
        ),
    ]


def cathedral() -> list[Row]:
    """The game on which one simulation took an hour."""
    torch.set_num_threads(1)
    made = learner("cathedral:size=8,rules=seed", 32, 4)
    return [compare("cathedral 8x8", "simulations/s", selfplay_work(made, "simulations", 128))]


if __name__ == "__main__":
    main(__doc__, {"connect4": connect4, "cathedral": cathedral})
