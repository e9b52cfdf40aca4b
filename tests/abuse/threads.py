"""Threads hammer one native object, or one agent: each call is answered rightly or refused."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ludus
from tests import natives
from tests.abuse._child import survived
from tests.abuse._work import GAMES, Work, anything, walked

THREADS, SECONDS = 3, 0.25
# What another thread's work makes of a call that would be right alone.
MEANWHILE = (
    natives.BUSY,
    "not legal",
    "wait for their scatter",
    "rows",
    "items",
    "the game is over",
)


def attack(rng: random.Random, folder: Path) -> str:
    """One object in a child process."""
    return survived("threads", rng.randrange(10**9))


def hammer(seed: int) -> str:
    """Use one object from several threads, then alone."""
    rng = random.Random(seed)
    if rng.random() < 0.2:
        return shared_agent(rng)
    name, work = anything(rng)
    until = time.monotonic() + SECONDS
    with ThreadPoolExecutor(THREADS) as pool:
        jobs = [pool.submit(asked, work, rng.randrange(10**9), until) for _ in range(THREADS)]
        counts = [job.result() for job in jobs]
    alone(work, rng)
    return f"{name}: {sum(right for right, _ in counts)} answers, {sum(r for _, r in counts)} waits"


def asked(work: Work, seed: int, until: float) -> tuple[int, int]:
    """How many calls were answered, and how many were told that another is at work."""
    rng, answered, refused = random.Random(seed), 0, 0
    while time.monotonic() < until:
        try:
            work.ask(rng)
            answered += 1
        except ValueError as error:
            if not any(words in str(error) for words in MEANWHILE):
                raise
            refused += 1
    return answered, refused


def alone(work: Work, rng: random.Random) -> None:
    """Whatever the threads left behind, one of them works on."""
    answered = 0
    for _ in range(20):
        try:
            work.ask(rng)
            answered += 1
        except ValueError as error:
            # A leaf that was gathered and then forgotten by its thread still waits.
            if "wait for their scatter" not in str(error):
                raise
            return
    assert answered == 20


def shared_agent(rng: random.Random) -> str:
    """One agent that thinks for all threads."""
    spelling, game = rng.choice(("uct:simulations=30", "alphabeta:nodes=50")), rng.choice(GAMES)
    agent, until = ludus.agent(spelling), time.monotonic() + SECONDS

    def think(seed: int) -> int:
        own, thoughts = random.Random(seed), 0
        while time.monotonic() < until:
            state = walked(game, own)
            policy = agent.think(state).policy
            assert abs(policy.sum() - 1) < 1e-9
            assert set(policy.nonzero()[0]) <= set(state.legal())
            thoughts += 1
        return thoughts

    with ThreadPoolExecutor(THREADS) as pool:
        thoughts = sum(pool.map(think, [rng.randrange(10**9) for _ in range(THREADS)]))
    return f"{spelling} at {game}: {thoughts} thoughts"
