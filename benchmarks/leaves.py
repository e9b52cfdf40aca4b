"""Simulations a second of one tree of `zoo/connect4`, by leaves that the network sees at once.

Rates are medians of interleaved rounds; `x` is the ratio to one leaf at a time and one thread in
float32. Trees start anew for each search. `rows` is how many positions a call has on average. In
int8 the agreement is the share of positions with the same best move as in float32, by the raw
policy. Where others use the machine, `--processor` counts processor time in place of the clock's:
that of the search's own thread, and what a helper's part of a call took longer than its own part;
waking a helper costs nothing then.
"""

from __future__ import annotations

import os
import random
import threading
import time
from dataclasses import replace
from statistics import median

import numpy as np
from harness import EFFORT, Report, parse, parser

import ludus
from ludus.game import Game, State
from ludus.learn.networks import player, split
from ludus.learn.networks.onnx import StoredNetwork, graph_of, in_onnx
from ludus.learn.networks.player import Evaluator, NetworkAgent
from ludus.learn.networks.stored import plan_of
from ludus.learn.store import zoo

LEAVES = (1, 4, 8, 16, 32, 64)


def states(game: Game, count: int) -> list[State]:
    """Positions of random games that go on."""
    rng, found = random.Random(1), list[State]()
    while len(found) < count:
        state = game.start()
        for _ in range(rng.randrange(20)):
            if state.outcome is None:
                state = state.play(rng.choice(state.legal()))
        if state.outcome is None:
            found.append(state)
    return found


def evaluators(game: Game, name: str) -> dict[str, Evaluator]:
    """The network in float32, and in int8 where torch is there to write it."""
    card, arrays = zoo.card(name), zoo.weights(name)
    plan = plan_of(game, card, card["planes"], arrays)
    network = StoredNetwork(plan, arrays)
    found = {"float32": in_onnx(graph_of(network))}
    try:
        import torch

        from ludus.learn.networks import int8
    except ModuleNotFoundError:
        return found
    if int8.can_quantise(network):
        sample = np.stack([state.features(card["planes"]) for state in states(game, 512)])
        found["int8"] = in_onnx(int8.graph_of(network, torch.from_numpy(sample)))
    return found


class Counted:
    """An evaluator that counts its calls and rows."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.calls, self.rows = evaluator, 0, 0

    def __call__(self, features: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        self.calls += 1
        self.rows += len(features)
        return self.evaluator(features)


class LongestPath:
    """A clock of processor time that runs as if each thread had a core for itself."""

    def __init__(self) -> None:
        self.waited = 0.0

    def __call__(self) -> float:
        return time.thread_time() + self.waited

    def evaluate_rows(
        self, evaluator: Evaluator, features: np.ndarray, threads: int
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """What `split.evaluate_rows` does, with an eye on what each thread spends."""
        spent: dict[int, float] = {}

        def timed(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
            started, me = time.thread_time(), threading.get_ident()
            said = evaluator(rows)
            spent[me] = spent.get(me, 0.0) + time.thread_time() - started
            return said

        said = split.evaluate_rows(timed, features, threads)
        own = spent.pop(threading.get_ident())
        self.waited += max(0.0, max(spent.values(), default=0.0) - own)
        return said


def agreement(one: NetworkAgent, two: NetworkAgent, asked: list[State]) -> float:
    """The share of positions where both raw policies prefer the same action."""
    pairs = zip(one.think_many(asked), two.think_many(asked), strict=True)
    return float(np.mean([a.policy.argmax() == b.policy.argmax() for a, b in pairs]))


def main() -> None:
    """A row a kind of number, leaves and threads."""
    options = parser(__doc__)
    options.add_argument("--simulations", type=int, default=800)
    options.add_argument("--processor", action="store_true", help="count processor time")
    args = parse(options, simulations=100)
    path = LongestPath()
    if args.processor:
        vars(player)["evaluate_rows"] = path.evaluate_rows
    clock = path if args.processor else time.perf_counter
    game, cores = ludus.game("connect4"), os.cpu_count() or 1
    asked, known = states(game, 8), evaluators(game, "connect4")
    card = zoo.card("connect4")
    agents, counts = {}, {}
    for kind, evaluator in known.items():
        for leaves in LEAVES:
            for threads in sorted({1, cores}) if leaves > 1 else [1]:
                counts[kind, leaves, threads] = Counted(evaluator)
                agents[kind, leaves, threads] = NetworkAgent(
                    evaluator,
                    card["values"],
                    card["planes"],
                    args.simulations,
                    leaves=leaves,
                    threads=threads,
                )
                replace(
                    agents[kind, leaves, threads],
                    evaluator=counts[kind, leaves, threads],
                    threads=1,
                ).think(asked[0])
    rates: dict[tuple[str, int, int], list[float]] = {key: [] for key in agents}
    for number in range(max(EFFORT.rounds, 1)):
        for key, agent in agents.items():
            started, done = clock(), 0
            while clock() - started < EFFORT.seconds:
                thought = agent.think(asked[(number + done) % len(asked)])
                done += 1
            spent = clock() - started
            rates[key].append(done * thought.nodes / spent)
    base = rates["float32", 1, 1]
    with Report(
        args, f"{'kind':>8} {'leaves':>6} {'threads':>7} {'rows':>5} {'sims/s':>8} x"
    ) as report:
        for (kind, leaves, threads), found in rates.items():
            ratio = median(ours / one for ours, one in zip(found, base, strict=True))
            rows = counts[kind, leaves, threads].rows / counts[kind, leaves, threads].calls
            report.add(
                f"{kind:>8} {leaves:6} {threads:7} {rows:5.1f} {median(found):8.0f} {ratio:.2f}",
                kind=kind,
                leaves=leaves,
                threads=threads,
                rows=rows,
                rate=median(found),
                ratio=ratio,
            )
        if "int8" in known:
            raw = [replace(agents[kind, 1, 1], simulations=0) for kind in ("float32", "int8")]
            share = agreement(*raw, states(game, 2000))
            report.add(f"int8 prefers the move of float32 in {share:.1%}", agreement=share)


if __name__ == "__main__":
    main()
