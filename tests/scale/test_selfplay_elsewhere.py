"""AlphaZero elsewhere: in step bit by bit as here; else never staler than allowed."""

import numpy as np
import pytest

import ludus
from ludus.learn import alphazero
from ludus.learn.selfplay.spread_pools import MEMORY

from ..learn.small import everything, same, small

# What tells of time and place, and so is not the same twice.
TIMES = ("per_second", "seconds_", "workers", "learner_wait")
CASES = [
    ("tictactoe", {}),
    ("connect4", {"network": "zero", "n_pools": 3, "positions_per_step": 60, "n_envs": 4}),
    ("supertictactoe", {"games_per_step": 5, "overlap": False, "search": "puct"}),
    ("connect4", {"replace_prob": 0.5, "window": 60, "positions_per_step": 40, "n_envs": 4}),
]


def lasting(metrics):
    return {k: v for k, v in metrics.items() if not any(part in k for part in TIMES)}


def train(spelling, config, **more):
    last, metrics = None, []
    for last in alphazero.train(ludus.game(spelling), config, seed=5, **more):
        metrics.append(lasting(last.metrics))
    return everything(last.snapshot()), metrics


@pytest.mark.parametrize(("spelling", "changes"), CASES)
def test_in_step_it_is_what_it_is_here(workers, spelling, changes):
    config = small("alphazero", **{"n_envs": 6, **changes}, steps=3)
    here, metrics = train(spelling, config)
    there, others = train(spelling, config, workers=workers)
    same(here, there)
    assert metrics == others


def test_a_training_moves_from_place_to_place(workers):
    config = small("alphazero", steps=6, n_pools=3)
    game = ludus.game("connect4")
    whole, _ = train("connect4", config)
    saved = None
    for place in (None, workers, None, workers, None, workers):
        for step in alphazero.train(game, config, seed=5, saved=saved, workers=place):
            saved = step.snapshot()
            break
    same(whole, everything(saved))


def test_a_worker_that_remembers_nothing_changes_nothing(thread_workers, monkeypatch):
    config = small("alphazero", steps=3, n_pools=2)
    here, _ = train("tictactoe", config, workers=thread_workers)
    monkeypatch.setattr(MEMORY, "take", lambda home, version: None)
    there, _ = train("tictactoe", config, workers=thread_workers)
    same(here, there)


@pytest.mark.parametrize("most", [0, 1, 3])
def test_nothing_is_staler_than_allowed(workers, most):
    config = small("alphazero", steps=8, n_pools=4, positions_per_step=40)
    steps = list(
        alphazero.train(
            ludus.game("tictactoe"), config, seed=5, workers=workers, max_staleness=most
        )
    )
    ages = [step.metrics["staleness_max"] for step in steps]
    assert len(steps) == 8
    assert max(ages) <= most
    assert all(0 <= step.metrics["staleness"] <= age for step, age in zip(steps, ages, strict=True))
    assert steps[-1].metrics["positions"] >= 8 * 40 - 8 * 4


def test_no_task_waits_for_a_worker_with_an_old_network(thread_workers):
    """Tasks were once queued for all pools, each with the network of that moment."""
    waiting, homes = [], []
    submit = thread_workers.submit

    def noted(work, task):
        waiting.append(thread_workers.under_way)
        homes.append(task["home"])
        return submit(work, task)

    thread_workers.submit = noted
    config = small("alphazero", steps=6, n_pools=6, positions_per_step=40)
    list(
        alphazero.train(
            ludus.game("tictactoe"), config, seed=5, workers=thread_workers, max_staleness=2
        )
    )
    assert max(waiting) < thread_workers.count
    assert len(set(homes)) == 6  # each pool has its turn


def test_every_position_is_learned_from_once(thread_workers, monkeypatch):
    """What is taken in is what was played, part by part, whatever comes first."""
    from ludus.learn.collecting.window import Window

    config = small("alphazero", steps=6, n_pools=4, positions_per_step=40, window=4000)
    added = []
    add = Window.add
    monkeypatch.setattr(
        Window,
        "add",
        lambda self, played, rng, replace: (
            added.append(len(played["full"])),
            add(self, played, rng, replace),
        )[1],
    )
    *_, last = alphazero.train(
        ludus.game("tictactoe"), config, seed=5, workers=thread_workers, max_staleness=2
    )
    assert last.metrics["positions"] == sum(added)
    window = last.parts["window"]
    assert window.written == sum(added)
    games = last.metrics["games"]
    assert games == 0 or sum(added) / games < 12


def test_an_asynchronous_training_goes_on_anywhere(thread_workers):
    config = small("alphazero", steps=3, n_pools=2)
    game = ludus.game("tictactoe")
    *_, step = alphazero.train(game, config, seed=5, workers=thread_workers, max_staleness=2)
    saved = step.snapshot()
    config = small("alphazero", steps=5, n_pools=2)
    *_, here = alphazero.train(game, config, seed=5, saved=saved)
    *_, there = alphazero.train(game, config, seed=5, saved=saved, workers=thread_workers)
    same(everything(here.snapshot()), everything(there.snapshot()))


def test_an_error_of_a_worker_ends_the_training_in_a_sentence(thread_workers, monkeypatch):
    def fail(task):
        raise ValueError("a worker has no memory left")

    monkeypatch.setattr("ludus.learn.selfplay.spread_pools.play_pool", fail)
    for most in (None, 2):
        with pytest.raises(ValueError, match="no memory left"):
            list(
                alphazero.train(
                    ludus.game("tictactoe"),
                    small("alphazero", steps=2),
                    workers=thread_workers,
                    max_staleness=most,
                )
            )


def test_what_asks_for_the_impossible(thread_workers):
    game = ludus.game("tictactoe")
    with pytest.raises(ValueError, match="give --on ray"):
        list(alphazero.train(game, small("alphazero"), max_staleness=2))
    config = small("alphazero", games_per_step=4)
    with pytest.raises(ValueError, match="not games_per_step"):
        list(alphazero.train(game, config, workers=thread_workers, max_staleness=2))
    with pytest.raises(ValueError, match="max_staleness is a whole number from 0"):
        list(alphazero.train(game, small("alphazero"), workers=thread_workers, max_staleness=-1))


def test_what_is_sent_is_plain_data(thread_workers):
    """Samples and games cross as arrays, the network as the bytes of its graph."""
    sent = []
    submit = thread_workers.submit
    thread_workers.submit = lambda work, task: (sent.append(task), submit(work, task))[1]
    train("tictactoe", small("alphazero", steps=2), workers=thread_workers)
    assert all(isinstance(task["graph"], bytes) for task in sent)
    states = [task["state"] for task in sent if task["state"] is not None]
    assert states
    assert all(isinstance(one, np.ndarray) for state in states for one in state.values())
