"""AlphaZero: play against oneself with a search that the network guides; learn what it found.

Each step plays with the network of the step before while the network learns from all earlier
games: both go on at once, one step apart, and nothing depends on which of them is faster.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch

from ludus.arena.seeds import generator, numbers
from ludus.game import Game
from ludus.learn.collecting.opponents import mixed
from ludus.learn.collecting.window import Window, window_bytes
from ludus.learn.networks.build import Seen, built
from ludus.learn.networks.network import Network
from ludus.learn.networks.player import POLICY
from ludus.learn.networks.precision import PRECISIONS
from ludus.learn.networks.symmetries import Symmetries
from ludus.learn.selfplay.autotune import REMEMBERED
from ludus.learn.selfplay.autotune import fitted as fitted
from ludus.learn.selfplay.export import Export
from ludus.learn.selfplay.gate import OPEN, Gate
from ludus.learn.selfplay.pools import Pools, options_of
from ludus.learn.settings import presets
from ludus.learn.settings.config import Common, below_one, natural, one_of, positive, share
from ludus.learn.settings.footprint import Footprint, Sizes, Work, check_footprint
from ludus.learn.settings.needs import Need, Needs, among, below, beside, instead_of, without
from ludus.learn.store.components import Saved
from ludus.learn.store.forms import Number, Whole
from ludus.learn.training.loop import steps
from ludus.learn.training.step import Step
from ludus.learn.training.student import OPTIMIZERS, Student

LEAST_REPLACED = 0.01  # of new positions, or a step plays for ever until enough came in
MOST_ROUNDS = 1_000  # of that, whatever was stored
ROUNDED = ("zero", "draughts", "thesis")  # networks that have a form in whole numbers
EVALUATION_BYTES, NODE_BYTES = 24, 24  # of an entry of the cache, and of a node of a tree


def searches_by_c(config: Config) -> bool:
    """Whether any search goes by `c`: that of self-play, or that of the gate's games."""
    return config.search != "gumbel" or config.gate != OPEN


def can_be_rounded(config: Config) -> bool:
    """Whether self-play can be asked for whole numbers: by towers with batch normalisation."""
    return config.int8 == "off" or (config.network in ROUNDED and not config.encoder)


GATED = Need("gate", lambda config: config.gate != OPEN, "0.55")


@dataclass(frozen=True)
class Config(Common):
    """How to search, how to play, and how to learn from it."""

    network: str = "zero"
    search: str = "gumbel"  # or puct, or root: puct over the moves at hand, leaves played out
    simulations: int = 32  # a move
    considered: int = 16  # actions that gumbel tries at first
    visit_offset: float = 50.0  # how much gumbel trusts few visits
    value_scale: float = 0.25  # how sharply it prefers better values
    prior_temperature: float = 1.3  # above 1 the search trusts the network's favourites less
    c: float = 1.25  # how curious puct is
    urgency: float = 0.25  # how much worse it thinks of what it has not tried
    fpu_strategy: str = "reduction"  # what puct has not tried: the parent's less urgency, or zero
    plain: bool = False  # nothing is proven, and no tree is kept between moves
    noise_alpha: float = 1.0  # of the Dirichlet noise at puct's root
    noise_fraction: float = 0.25
    full_share: float = 1.0  # of moves with a full search; only these are learned from
    fast_simulations: int = 8  # of the others
    temperature: float = 1.0  # of moves at the beginning of a game
    temperature_plies: int = 0  # how many these are
    noisy_plies: int = 1_000_000  # as long gumbel's noise has a say in what is played
    random_plies: int = 6  # games begin with up to so many random moves
    straying: float = 1.0  # how probably one of these is random; the others are thought over
    one_sided: float = 0.0  # of games in which only one player's are random; the other thinks
    resign: float = 0.0  # a player gives up below minus this value; 0 for never
    resign_check: float = 0.1  # of games are played to the end, to see who gave up wrongly
    symmetric: bool = True  # symmetric positions share what the network says
    cache: int = 262_144  # positions whose evaluation is remembered, in each pool
    pools: int = 2  # of games; each plays for itself
    games: int = 128  # in a pool, at the same time
    batched: bool = True  # one question to the network for all games of a pool
    int8: str = "auto"  # whole numbers in self-play: auto where the error is small, or on, off
    positions: int = 2_048  # new ones a step
    games_per_step: int = 0  # whole games a step, in place of positions; 0 for positions
    overlap: bool = True  # play while learning, a step apart; else play, then learn from it
    window: int = 200_000  # positions kept
    fresh: float = 0.5  # of all positions so far, the last are drawn from
    replace: float = 1.0  # once the window is full, how probably a new position enters
    emptied: bool = False  # the window, each step
    reuse: float = 2.5  # times that a position is learned from, about
    samples_per_step: int = 0  # positions learned from in a step, in place of reuse; 0 for reuse
    augmentation: bool = True  # each in one of its symmetries, drawn at random
    batch: int = 256
    learning_rate: float = 0.002
    anneal: int = 0  # steps over which it falls to a twentieth; 0 for never
    weight_decay: float = 0.0001
    optimizer: str = "adamw"  # or adam, whose decay is part of the gradient, or sgd
    momentum: float = 0.9  # of the gradient: sgd's, and Adam's first decay rate
    precision: str = "float32"  # of learning; bfloat16 is faster where the processor has it
    value_weight: float = 1.0
    value_mix: float = 1.0  # of the search's value in the target; the rest is the outcome
    trace: float = 0.98  # how much of that value is what the search thought a ply later, and so on
    # What a move was known to cost is not held against its position.
    forgiving: bool = field(default=True, metadata={"before": False})
    average: float = 0.75  # what plays is an average: so much of it is kept each step
    gradient_clip: float = 5.0
    gate: str = "none"  # who plays next must beat who plays: by 0.55, or by sprt
    gate_games: int = 100
    gate_discards: bool = False  # who fails there is forgotten: learning goes on from who plays
    evaluate_simulations: int = 0  # of the search in measuring strength; 0 for none
    threads: int = 2  # pools at work at the same time; the result does not depend on it

    NEEDS: ClassVar[Needs] = {
        "considered": (among("search", "gumbel"),),
        "visit_offset": (among("search", "gumbel"),),
        "value_scale": (among("search", "gumbel"),),
        "noisy_plies": (among("search", "gumbel"),),
        "c": (Need("search", searches_by_c, "puct"),),
        "urgency": (among("search", "puct", "root"), among("fpu_strategy", "reduction")),
        "fpu_strategy": (among("search", "puct", "root"),),
        "positions": (instead_of("games_per_step"),),
        "reuse": (instead_of("samples_per_step"),),
        "noise_alpha": (among("search", "puct", "root"), beside("noise_fraction", "0.25")),
        "noise_fraction": (among("search", "puct", "root"),),
        "fast_simulations": (below("full_share", 1),),
        "temperature": (beside("temperature_plies", "PLIES"),),
        "straying": (beside("random_plies", "PLIES"),),
        "one_sided": (beside("random_plies", "PLIES"),),
        "int8": (Need("network", can_be_rounded, "zero"),),
        "resign_check": (beside("resign", "0.9"),),
        "fresh": (without("emptied"),),
        "replace": (without("emptied"),),
        "trace": (beside("value_mix", "1"),),
        "forgiving": (beside("value_mix", "1"), beside("trace", "0.98")),
        **dict.fromkeys(("gate_games", "gate_discards"), (GATED,)),
        "evaluate_simulations": (beside("evaluate_every", "50"),),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "simulations", "games", "pools", "positions", "window", "reuse", "batch")
        positive(self, "learning_rate", "gradient_clip", "gate_games", "prior_temperature")
        natural(self, "anneal", "weight_decay", "value_weight", "evaluate_simulations")
        natural(self, "noisy_plies", "random_plies", "games_per_step", "samples_per_step")
        share(self, "full_share", "fresh", "replace", "value_mix", "trace", "average", "resign")
        share(self, "straying", "one_sided")
        below_one(self, "momentum")
        one_of(self, "search", ("gumbel", "puct", "root"))
        one_of(self, "fpu_strategy", ("reduction", "zero"))
        one_of(self, "optimizer", OPTIMIZERS)
        one_of(self, "int8", ("auto", "on", "off"))
        one_of(self, "precision", PRECISIONS)

    def work(self, plies: float) -> Work:
        games = self.games_per_step or self.positions / plies
        asked = (1 - REMEMBERED if self.cache else 1) * self.simulations
        gated = 0 if self.gate == OPEN else self.gate_games
        learned = self.samples_per_step or self.reuse * games * plies
        return Work((games / max(self.replace, 0.01) + gated) * plies * asked, learned, games)

    def footprint(self, sizes: Sizes) -> Footprint:
        return {
            **super().footprint(sizes),
            ("window",): self.window * window_bytes(sizes),
            ("positions",): self.positions * window_bytes(sizes),
            ("batch",): self.batch * sizes.seen,
            ("pools", "cache"): self.pools * self.cache * EVALUATION_BYTES,
            ("pools", "games"): self.pools * self.games * (sizes.state + sizes.seen),
            ("pools", "games", "simulations"): (
                self.pools * self.games * self.simulations * NODE_BYTES
            ),
        }


PRESETS = presets.ALPHAZERO


class Learner:
    """All that the training remembers, and what it does in a step."""

    values = POLICY

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        torch.set_num_threads(1)  # threads are for pools: what one thread learns repeats
        self.config, self.seed = config, seed
        weights, *seeds = numbers(1 + config.pools, seed, 0)
        self.rng = generator(seed, 1)
        start = game.start()
        symmetries = Symmetries(game, config.planes)
        self.window = Window(symmetries, start.num_actions, config.window)
        seen = Seen(start.shape(config.planes), start.num_actions)
        self.student = Student(built(game, config, seen, weights, value=True), config)
        self.average = copy.deepcopy(self.student.network).requires_grad_(False)
        self.pools = Pools(
            game,
            pools=config.pools,
            games=config.games,
            seeds=seeds,
            planes=config.planes,
            batched=config.batched,
            options=options_of(config),
        )
        self.gate = Gate(game, config, self.average)
        self.export = Export(config.int8)
        self.owed = 0.0  # lessons that what was played is worth and that were not given yet
        self.learning = 0.0  # seconds
        self.games = self.positions = 0

    @property
    def network(self) -> Network:
        """What plays: the average, or the last that came through the gate."""
        return self.gate.player

    @property
    def parts(self) -> dict[str, Any]:
        return {
            "network": self.student.network,
            "averaged": self.average,
            "optimizer": self.student.optimizer,
            "window": self.window,
            "pools": self.pools,
            "gate": self.gate,
            "rng": self.rng,
            "learner": self,
        }

    def state(self) -> dict[str, Any]:
        return {"owed": self.owed, "games": self.games, "positions": self.positions}

    def form(self) -> dict[str, Any]:
        samples = self.config.samples_per_step or self.config.window * self.config.reuse
        most = 1 + samples / self.config.batch  # of one step
        return {"owed": Number(0, most), "games": Whole(), "positions": Whole()}

    def restore(self, state: dict[str, Any]) -> None:
        if state["owed"] >= 1 and not len(self.window):
            raise ValueError("learner/owed are lessons of an empty window")
        self.owed, self.games, self.positions = (
            state[name] for name in ("owed", "games", "positions")
        )

    def learn(self, number: int) -> dict[str, float]:
        """From the games of all steps before this one."""
        config, started = self.config, time.perf_counter()
        last = max(int(config.fresh * self.window.written), config.positions)
        times = int(self.owed)
        self.owed -= times
        self.student.anneal(number)
        found = self.student.taught(
            self.window.draw(
                config.batch, self.rng, config.value_mix, last, turned=config.augmentation
            )
            for _ in range(times)
        )
        mixed(self.average, self.student.network, 1 - config.average if number > 2 else 1.0)
        self.learning += time.perf_counter() - started
        return found

    def played(self, number: int) -> int:
        return self.games

    def play(self, graph: bytes, positions: int) -> Any:
        config = self.config
        return self.pools.play(graph, positions, config.threads, config.games_per_step)

    def keep(self, graph: bytes, played: Any) -> None:
        """Into the window; where some positions are left out there, until enough came in."""
        config = self.config
        if config.emptied:
            self.window.clear()
        added = self.window.add(played, self.rng, config.replace)
        rounds = 0 if config.replace == 1 or config.games_per_step else MOST_ROUNDS
        while added < config.positions and rounds:
            more = self.play(graph, config.positions - added)
            added += self.window.add(more, self.rng, config.replace)
            rounds -= 1
        self.positions += added
        self.owed += (config.samples_per_step or added * config.reuse) / config.batch

    def step(self, number: int) -> dict[str, float]:
        """Play and learn, at the same time or in turn; then see who plays next."""
        config, started = self.config, time.perf_counter()
        graph = self.export.of(self.gate.player, self.window, (self.seed, number - 1))
        if config.overlap:
            with ThreadPoolExecutor(1) as executor:
                playing = executor.submit(self.play, graph, config.positions)
                learned = self.learn(number)
                played = playing.result()
            self.keep(graph, played)
        else:
            self.keep(graph, self.play(graph, config.positions))
            learned = self.learn(number)
        gated = self.gate.passed(self.average, (self.seed, number))
        if config.gate_discards and gated.get("passed") == 0:
            self.discard()
        lasted = time.perf_counter() - started
        return {
            **self.counted(lasted),
            **learned,
            **self.export.errors,
            **gated,
            **{f"seconds of {name}": spent for name, spent in self.split().items()},
        }

    def discard(self) -> None:
        """Go on from who plays; what the optimizer remembers is of weights that are no more."""
        weights = self.gate.player.state_dict()
        self.student.network.load_state_dict(weights)
        self.average.load_state_dict(weights)
        self.student.optimizer.state.clear()

    def counted(self, lasted: float) -> dict[str, float]:
        """What was played, and how fast."""
        counts = self.pools.counts()
        self.games += counts["games"]
        found = {
            "games": float(self.games),
            "positions": float(self.positions),
            "positions/s": counts["plies"] / lasted,
            "simulations/s": counts["simulations"] / lasted,
            "cached": counts["hits"] / max(1, counts["simulations"]),
        }
        if counts["games"]:  # plies of games that go on belong to none of these
            found["plies a game"] = counts["ended_plies"] / counts["games"]
        if counts["checked"]:
            found["wrong resignations"] = counts["wrong"] / counts["checked"]
        return found

    def split(self) -> dict[str, float]:
        """Seconds of each kind of work, over all threads, since the process began."""
        spent = [pool.spent for pool in self.pools.pools]
        return {
            "search": sum(one.search for one in spent),
            "inference": sum(one.inference for one in spent),
            "learning": self.learning,
            "waiting": self.pools.waited,
        }


def train(
    game: Game, config: Config, *, seed: int = 0, saved: Saved | None = None
) -> Iterator[Step]:
    """Play and learn, step by step; goes on from `saved` as if it had never stopped."""
    if saved is None:
        check_footprint(game, config)  # first: what is far too much is told as that
        check_window(config)
    return steps(Learner, game, config, seed, saved)


def check_window(config: Config) -> None:
    """Refuse a window that forgets what a step has played, or never takes it in."""
    if config.replace < LEAST_REPLACED:
        raise ValueError(f"replace is {LEAST_REPLACED} or more, not {config.replace!r:.60}")
    if config.positions > config.window and not config.games_per_step:
        raise ValueError(
            f"a window of {config.window} forgets most of the {config.positions} positions that a "
            "step plays: make positions fewer, or the window larger"
        )
