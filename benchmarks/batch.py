"""Many games in step: random legal actions, features, masks and outcomes written every step."""

import numpy as np
import peers
from harness import Row, Work, compare, main

import ludus

GAMES = 1024


def step_work(name: str) -> Work:
    """Everything a learner asks for, on one thread."""
    batch = ludus.batch(ludus.game(name), GAMES, seed=1)
    features = np.empty((GAMES, *batch.shape), np.float32)
    masks = np.empty((GAMES, batch.num_actions), np.bool_)
    players, outcomes = np.empty(GAMES, np.int8), np.empty(GAMES, np.float32)
    actions = np.empty(GAMES, np.int32)

    def work() -> float:
        for _ in range(10):
            batch.sample(actions)
            batch.step(actions, features, masks, players, outcomes)
        return 10.0 * GAMES

    return work


def measure(name: str) -> list[Row]:
    """Steps a second beside those who have the game."""
    if name not in ("connect4", "tictactoe"):
        return [compare(name, "steps/s", step_work(name))]
    return [
        compare(name, "steps/s", step_work(name), "pgx", peers.pgx_steps(name, GAMES)),
        compare(name, "steps/s", step_work(name), "envpool", peers.envpool_steps(name, GAMES)),
    ]


if __name__ == "__main__":
    main(__doc__, {name: lambda name=name: measure(name) for name in ludus.game_names()})
