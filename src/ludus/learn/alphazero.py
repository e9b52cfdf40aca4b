"""AlphaZero: self-play by a tree search that the network guides and learns from.

Each step plays with the network of the step before while the network learns from all earlier
games: both go on at once, one step apart, and nothing depends on which of them is faster.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch

from ludus.arena.seeds import generator, numbers
from ludus.arena.tasks import Workers
from ludus.game import Game
from ludus.learn.collecting.seen import StateRecorder
from ludus.learn.collecting.window import Window
from ludus.learn.networks.build import Heads, build
from ludus.learn.networks.network import Network
from ludus.learn.networks.optimise import polyak_update
from ludus.learn.networks.precision import check_precision
from ludus.learn.networks.symmetries import Symmetries
from ludus.learn.selfplay.autotune import FITTED as FITTED
from ludus.learn.selfplay.autotune import autotune as autotune
from ludus.learn.selfplay.export import Export
from ludus.learn.selfplay.gate import Gate
from ludus.learn.selfplay.settings import OPEN
from ludus.learn.selfplay.settings import Config as Config
from ludus.learn.selfplay.spread import AnyPools, pools_for
from ludus.learn.selfplay.starts import StartPositions
from ludus.learn.settings import presets
from ludus.learn.store.components import Saved
from ludus.learn.store.forms import Number, Whole
from ludus.learn.store.record import POLICY
from ludus.learn.training.auxiliary import opponent_policy
from ludus.learn.training.loop import Step, train_steps
from ludus.learn.training.student import Student

MOST_ROUNDS = 1_000  # of that, whatever was stored


PRESETS = presets.ALPHAZERO


class Learner:
    """All that the training remembers, and what it does in a step."""

    values = POLICY

    def __init__(
        self,
        game: Game,
        config: Config,
        seed: int,
        workers: Workers | None = None,
        max_staleness: int | None = None,
    ) -> None:
        torch.set_num_threads(1)  # threads are for pools: what one thread learns repeats
        self.config, self.seed = config, seed
        self.eval_simulations = config.eval_simulations
        weights, *seeds = numbers(1 + config.n_pools, seed, 0)
        self.rng = generator(seed, 1)
        start = game.start()
        symmetries = Symmetries(game, config.planes)
        self.window = Window(symmetries, start.num_actions, config.window)
        shape, actions = start.shape(config.planes), start.num_actions
        network = build(game, config, shape, actions, weights, Heads())
        self.auxiliary = (
            opponent_policy(network, config.opponent_policy_coef, numbers(1, seed, 3)[0])
            if config.opponent_policy_coef
            else None
        )
        self.student = Student(network, config, config.optimizer, config.momentum, self.auxiliary)
        self.average = copy.deepcopy(self.student.network).requires_grad_(False)
        self.starts = StartPositions(game, config.start_positions)
        self.pools: AnyPools = pools_for(
            game, config, seeds, self.starts.states, workers, max_staleness
        )
        self.seen = StateRecorder(config.record_states) if config.record_states else None
        self.gate = Gate(game, config, self.average)
        self.export = Export(self.gate.player, config.int8)
        self.owed = 0.0  # updates that what was played is worth and that were not made yet
        self.spent = {"learning": 0.0, "exporting": 0.0}  # processor seconds of this thread
        self.lasted = 0.0  # seconds of all steps
        self.games = self.positions = 0

    @property
    def network(self) -> Network:
        """What plays: the average, or the last that came through the gate."""
        return self.gate.player

    @property
    def parts(self) -> dict[str, Any]:
        beside = {} if self.auxiliary is None else {"auxiliary": self.auxiliary.head}
        return {
            "network": self.student.network,
            **beside,
            "averaged": self.average,
            "optimizer": self.student.optimizer,
            "window": self.window,
            "pools": self.pools,
            "gate": self.gate,
            "export": self.export,
            "rng": self.rng,
            "learner": self,
            **({"seen": self.seen} if self.seen is not None else {}),
            **({"starts": self.starts} if self.starts.states else {}),
        }

    def state(self) -> dict[str, Any]:
        return {"owed": self.owed, "games": self.games, "positions": self.positions}

    def form(self) -> dict[str, Any]:
        samples = (
            self.config.samples_per_step or self.config.window * self.config.samples_per_position
        )
        most = 1 + samples / self.config.batch_size  # of one step
        return {"owed": Number(0, most), "games": Whole(), "positions": Whole()}

    def restore(self, state: dict[str, Any]) -> None:
        if state["owed"] >= 1 and not len(self.window):
            raise ValueError("learner/owed are updates from an empty window")
        self.owed, self.games, self.positions = (
            state[name] for name in ("owed", "games", "positions")
        )

    @contextmanager
    def timed(self, work: str) -> Iterator[None]:
        """Count the processor time of this thread as that of a kind of work."""
        started = time.thread_time()
        yield
        self.spent[work] += time.thread_time() - started

    def learn(self, number: int) -> dict[str, float]:
        """From the games of all steps before this one."""
        with self.timed("learning"):
            return self.fit(number)

    def fit(self, number: int) -> dict[str, float]:
        config = self.config
        last = max(int(config.recent_fraction * self.window.written), config.positions_per_step)
        times = int(self.owed)
        self.owed -= times
        self.student.anneal(number)
        share = config.policy_surprise_weight
        chances = self.window.chances(last, share) if share and times else None
        found = self.student.fit(
            self.window.draw(
                config.batch_size,
                self.rng,
                config.q_ratio,
                last,
                turned=config.augmentation,
                chances=chances,
                replies=self.auxiliary is not None,
            )
            for _ in range(times)
        )
        polyak_update(
            self.average, self.student.network, 1 - config.ema_decay if number > 2 else 1.0
        )
        return found

    @property
    def ahead(self) -> bool:
        """Whether the next graph is made while games go on: no gate has to see them before."""
        return self.config.overlap and self.config.gate == OPEN

    def prepare(self, number: int) -> None:
        """Make the graph that the step after this one plays with."""
        with self.timed("exporting"):
            self.export.prepare(self.window, (self.seed, number))

    def games_played(self, number: int) -> int:
        return self.games

    def play(self, graph: bytes, positions: int) -> Any:
        config = self.config
        return self.pools.play(graph, positions, config.threads, config.games_per_step)

    def keep(self, graph: bytes, played: Any, number: int) -> None:
        """Into the window; where some positions are left out there, until enough came in."""
        config = self.config
        if config.clear_window:
            self.window.clear()
        added = self.add(played, number)
        rounds = 0 if config.replace_prob == 1 or config.games_per_step else MOST_ROUNDS
        while added < config.positions_per_step and rounds:
            more = self.play(graph, config.positions_per_step - added)
            added += self.add(more, number)
            rounds -= 1
        self.positions += added
        self.owed += (
            config.samples_per_step or added * config.samples_per_position
        ) / config.batch_size

    def add(self, played: Any, number: int) -> int:
        """Into the window, and into the record of what was seen."""
        if self.seen is not None:
            self.seen.add(played, number, self.config.q_ratio)
        return self.window.add(played, self.rng, self.config.replace_prob)

    def step(self, number: int) -> dict[str, float]:
        """Play and learn, at the same time or in turn; then see who plays next."""
        config, started = self.config, time.perf_counter()
        if not self.export.ready:
            self.prepare(number - 1)
        errors, graph = self.export.errors, self.export.take()
        if config.overlap:
            with ThreadPoolExecutor(1) as executor:
                playing = executor.submit(self.play, graph, config.positions_per_step)
                try:
                    learned = self.learn(number)
                    if self.ahead:
                        self.prepare(number)
                    since = time.perf_counter()
                    played = playing.result()
                except BaseException:
                    self.pools.stop()  # or this would wait for games that nobody wants
                    raise
            self.pools.learner_waited = time.perf_counter() - since
            self.keep(graph, played, number)
        else:
            self.keep(graph, self.play(graph, config.positions_per_step), number)
            learned = self.learn(number)
        gated = self.gate.try_network(self.average, (self.seed, number))
        if config.gate_discards and gated.get("passed") == 0:
            self.discard()
        lasted = time.perf_counter() - started
        self.lasted += lasted
        return {
            **self.play_metrics(lasted),
            **learned,
            **errors,
            **gated,
            **self.pools.metrics(),
            **{f"seconds_{name}": spent for name, spent in self.split().items()},
        }

    def discard(self) -> None:
        """Go on from who plays; what the optimizer remembers is of weights that are no more."""
        weights = self.gate.player.state_dict()
        self.student.network.load_state_dict(weights)
        self.average.load_state_dict(weights)
        self.student.optimizer.state.clear()

    def play_metrics(self, lasted: float) -> dict[str, float]:
        """What was played, and how fast."""
        counts = self.pools.counts()
        self.games += counts["games"]
        found = {
            "games": float(self.games),
            "positions": float(self.positions),
            "positions_per_second": counts["plies"] / lasted,
            "simulations_per_second": counts["simulations"] / lasted,
            "cached": counts["hits"] / max(1, counts["simulations"]),
        }
        if counts["games"]:  # plies of games that go on belong to none of these
            games, first, second = (counts[name] for name in ("games", "first_wins", "second_wins"))
            found["game_length"] = counts["ended_plies"] / games
            found["first_player_wins"] = first / games
            found["second_player_wins"] = second / games
            found["draws"] = (games - first - second) / games
            found["seconds_per_game"] = lasted / games
        if counts["checked"]:
            found["wrong_resignation_rate"] = counts["wrong"] / counts["checked"]
        return found

    def split(self) -> dict[str, float]:
        """Processor seconds of each kind of work, and what of all threads' time nothing used."""
        spent = {
            **self.pools.seconds(),
            **self.spent,
        }
        waiting = max(0.0, self.config.threads * self.lasted - sum(spent.values()))
        return {**spent, "waiting": waiting}

    def close(self) -> None:
        """Nothing more will be played."""
        self.pools.close()


def train(
    game: Game,
    config: Config,
    *,
    seed: int = 0,
    saved: Saved | None = None,
    workers: Workers | None = None,
    max_staleness: int | None = None,
) -> Iterator[Step]:
    """Play and learn, step by step; goes on from `saved` as if it had never stopped.

    With workers they play. With `max_staleness` they do not wait for the learner, and what is
    learned from is at most so many steps old.
    """
    check_precision(config.precision)
    make = partial(Learner, workers=workers, max_staleness=max_staleness)
    return train_steps(make, game, config, seed, saved)
