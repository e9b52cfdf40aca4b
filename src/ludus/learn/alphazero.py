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
from ludus.learn.collecting.window import Window, window_bytes
from ludus.learn.networks.build import Heads, build
from ludus.learn.networks.network import Network
from ludus.learn.networks.optimise import polyak_update
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
from ludus.learn.store.record import POLICY
from ludus.learn.training.loop import Step, steps
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
    max_num_considered_actions: int = 16  # actions that gumbel tries at first
    maxvisit_init: float = 50.0  # how much gumbel trusts few visits
    value_scale: float = 0.25  # how sharply it prefers better values
    prior_temperature: float = 1.3  # above 1 the search trusts the network's favourites less
    c_puct: float = 1.25  # how curious puct is
    fpu_reduction: float = 0.25  # how much worse it thinks of what it has not tried
    fpu_strategy: str = "reduction"  # what puct has not tried: the parent's less urgency, or zero
    plain: bool = False  # nothing is proven, and no tree is kept between moves
    dirichlet_alpha: float = 1.0  # of the Dirichlet noise at puct's root
    dirichlet_fraction: float = 0.25
    full_search_prob: float = 1.0  # of moves with a full search; only these are learned from
    fast_simulations: int = 8  # of the others
    temperature: float = 1.0  # of moves at the beginning of a game
    temperature_plies: int = 0  # how many these are
    gumbel_noise_plies: int = 1_000_000  # as long gumbel's noise has a say in what is played
    random_opening_plies: int = 6  # games begin with up to so many random moves
    random_move_prob: float = (
        1.0  # how probably one of these is random; the others are thought over
    )
    one_sided_prob: float = 0.0  # of games in which only one player's are random; the other thinks
    resign_threshold: float = 0.0  # a player gives up below minus this value; 0 for never
    resign_playthrough_prob: float = (
        0.1  # of games are played to the end, to see who gave up wrongly
    )
    symmetric_cache: bool = True  # symmetric positions share what the network says
    cache_size: int = 262_144  # positions whose evaluation is remembered, in each pool
    n_pools: int = 2  # of games; each plays for itself
    n_envs: int = 128  # in a pool, at the same time
    batched_inference: bool = True  # one question to the network for all games of a pool
    int8: str = "auto"  # whole numbers in self-play: auto where the error is small, or on, off
    positions_per_step: int = 2_048  # new ones a step
    games_per_step: int = 0  # whole games a step, in place of positions; 0 for positions
    overlap: bool = True  # play while learning, a step apart; else play, then learn from it
    window: int = 200_000  # positions kept
    recent_fraction: float = 0.5  # of all positions so far, the last are drawn from
    replace_prob: float = 1.0  # once the window is full, how probably a new position enters
    clear_window: bool = False  # the window, each step
    samples_per_position: float = 2.5  # times that a position is learned from, about
    samples_per_step: int = 0  # positions learned from in a step, in place of reuse; 0 for reuse
    augmentation: bool = True  # each in one of its symmetries, drawn at random
    batch_size: int = 256
    learning_rate: float = 0.002
    lr_decay_steps: int = 0  # steps over which it falls to a twentieth; 0 for never
    weight_decay: float = 0.0001
    optimizer: str = "adamw"  # or adam, whose decay is part of the gradient, or sgd
    momentum: float = 0.9  # of the gradient: sgd's, and Adam's first decay rate
    precision: str = "float32"  # of learning; bfloat16 is faster where the processor has it
    vf_coef: float = 1.0
    q_ratio: float = 1.0  # of the search's value in the target; the rest is the outcome
    td_lambda: float = (
        0.98  # how much of that value is what the search thought a ply later, and so on
    )
    # What a move was known to cost is not held against its position.
    deblunder: bool = field(default=True, metadata={"before": False})
    ema_decay: float = 0.75  # what plays is an average: so much of it is kept each step
    max_grad_norm: float = 5.0
    gate: str = "none"  # who plays next must beat who plays: by 0.55, or by sprt
    gate_games: int = 100
    gate_discards: bool = False  # who fails there is forgotten: learning goes on from who plays
    eval_simulations: int = 0  # of the search in measuring strength; 0 for none
    threads: int = 2  # pools at work at the same time; the result does not depend on it

    NEEDS: ClassVar[Needs] = {
        "max_num_considered_actions": (among("search", "gumbel"),),
        "maxvisit_init": (among("search", "gumbel"),),
        "value_scale": (among("search", "gumbel"),),
        "gumbel_noise_plies": (among("search", "gumbel"),),
        "c_puct": (Need("search", searches_by_c, "puct"),),
        "fpu_reduction": (among("search", "puct", "root"), among("fpu_strategy", "reduction")),
        "fpu_strategy": (among("search", "puct", "root"),),
        "positions_per_step": (instead_of("games_per_step"),),
        "samples_per_position": (instead_of("samples_per_step"),),
        "dirichlet_alpha": (among("search", "puct", "root"), beside("dirichlet_fraction", "0.25")),
        "dirichlet_fraction": (among("search", "puct", "root"),),
        "fast_simulations": (below("full_search_prob", 1),),
        "temperature": (beside("temperature_plies", "PLIES"),),
        "random_move_prob": (beside("random_opening_plies", "PLIES"),),
        "one_sided_prob": (beside("random_opening_plies", "PLIES"),),
        "int8": (Need("network", can_be_rounded, "zero"),),
        "resign_playthrough_prob": (beside("resign_threshold", "0.9"),),
        "recent_fraction": (without("clear_window"),),
        "replace_prob": (without("clear_window"),),
        "td_lambda": (beside("q_ratio", "1"),),
        "deblunder": (beside("q_ratio", "1"), beside("td_lambda", "0.98")),
        **dict.fromkeys(("gate_games", "gate_discards"), (GATED,)),
        "eval_simulations": (beside("eval_freq", "50"),),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(
            self,
            "simulations",
            "n_envs",
            "n_pools",
            "positions_per_step",
            "window",
            "samples_per_position",
            "batch_size",
        )
        positive(
            self,
            "max_num_considered_actions",
            "learning_rate",
            "max_grad_norm",
            "gate_games",
            "prior_temperature",
        )
        natural(self, "lr_decay_steps", "weight_decay", "vf_coef", "eval_simulations")
        natural(
            self, "gumbel_noise_plies", "random_opening_plies", "games_per_step", "samples_per_step"
        )
        share(
            self,
            "full_search_prob",
            "recent_fraction",
            "replace_prob",
            "q_ratio",
            "td_lambda",
            "ema_decay",
            "resign_threshold",
        )
        share(self, "random_move_prob", "one_sided_prob")
        below_one(self, "momentum")
        one_of(self, "search", ("gumbel", "puct", "root"))
        one_of(self, "fpu_strategy", ("reduction", "zero"))
        one_of(self, "optimizer", OPTIMIZERS)
        one_of(self, "int8", ("auto", "on", "off"))
        one_of(self, "precision", PRECISIONS)

    def work(self, plies: float) -> Work:
        games = self.games_per_step or self.positions_per_step / plies
        asked = (1 - REMEMBERED if self.cache_size else 1) * self.simulations
        gated = 0 if self.gate == OPEN else self.gate_games
        learned = self.samples_per_step or self.samples_per_position * games * plies
        return Work((games / max(self.replace_prob, 0.01) + gated) * plies * asked, learned, games)

    def footprint(self, sizes: Sizes) -> Footprint:
        return {
            **super().footprint(sizes),
            ("window",): self.window * window_bytes(sizes),
            ("positions_per_step",): self.positions_per_step * window_bytes(sizes),
            ("batch_size",): self.batch_size * sizes.seen,
            ("n_pools", "cache_size"): self.n_pools * self.cache_size * EVALUATION_BYTES,
            ("n_pools", "n_envs"): self.n_pools * self.n_envs * (sizes.state + sizes.seen),
            ("n_pools", "n_envs", "simulations"): (
                self.n_pools * self.n_envs * self.simulations * NODE_BYTES
            ),
        }


PRESETS = presets.ALPHAZERO


class Learner:
    """All that the training remembers, and what it does in a step."""

    values = POLICY

    def __init__(self, game: Game, config: Config, seed: int) -> None:
        torch.set_num_threads(1)  # threads are for pools: what one thread learns repeats
        self.config, self.seed = config, seed
        weights, *seeds = numbers(1 + config.n_pools, seed, 0)
        self.rng = generator(seed, 1)
        start = game.start()
        symmetries = Symmetries(game, config.planes)
        self.window = Window(symmetries, start.num_actions, config.window)
        shape, actions = start.shape(config.planes), start.num_actions
        network = build(game, config, shape, actions, weights, Heads())
        self.student = Student(network, config)
        self.average = copy.deepcopy(self.student.network).requires_grad_(False)
        self.pools = Pools(
            game,
            pools=config.n_pools,
            games=config.n_envs,
            seeds=seeds,
            planes=config.planes,
            batched=config.batched_inference,
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
        samples = (
            self.config.samples_per_step or self.config.window * self.config.samples_per_position
        )
        most = 1 + samples / self.config.batch_size  # of one step
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
        last = max(int(config.recent_fraction * self.window.written), config.positions_per_step)
        times = int(self.owed)
        self.owed -= times
        self.student.anneal(number)
        found = self.student.taught(
            self.window.draw(
                config.batch_size, self.rng, config.q_ratio, last, turned=config.augmentation
            )
            for _ in range(times)
        )
        polyak_update(
            self.average, self.student.network, 1 - config.ema_decay if number > 2 else 1.0
        )
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
        if config.clear_window:
            self.window.clear()
        added = self.window.add(played, self.rng, config.replace_prob)
        rounds = 0 if config.replace_prob == 1 or config.games_per_step else MOST_ROUNDS
        while added < config.positions_per_step and rounds:
            more = self.play(graph, config.positions_per_step - added)
            added += self.window.add(more, self.rng, config.replace_prob)
            rounds -= 1
        self.positions += added
        self.owed += (
            config.samples_per_step or added * config.samples_per_position
        ) / config.batch_size

    def step(self, number: int) -> dict[str, float]:
        """Play and learn, at the same time or in turn; then see who plays next."""
        config, started = self.config, time.perf_counter()
        graph = self.export.of(self.gate.player, self.window, (self.seed, number - 1))
        if config.overlap:
            with ThreadPoolExecutor(1) as executor:
                playing = executor.submit(self.play, graph, config.positions_per_step)
                learned = self.learn(number)
                played = playing.result()
            self.keep(graph, played)
        else:
            self.keep(graph, self.play(graph, config.positions_per_step))
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
            **{f"seconds_{name}": spent for name, spent in self.split().items()},
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
            "positions_per_second": counts["plies"] / lasted,
            "simulations_per_second": counts["simulations"] / lasted,
            "cached": counts["hits"] / max(1, counts["simulations"]),
        }
        if counts["games"]:  # plies of games that go on belong to none of these
            found["game_length"] = counts["ended_plies"] / counts["games"]
        if counts["checked"]:
            found["wrong_resignation_rate"] = counts["wrong"] / counts["checked"]
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
    if config.replace_prob < LEAST_REPLACED:
        raise ValueError(
            f"replace_prob is {LEAST_REPLACED} or more, not {config.replace_prob!r:.60}"
        )
    if config.positions_per_step > config.window and not config.games_per_step:
        raise ValueError(
            f"a window of {config.window} forgets most of the {config.positions_per_step} "
            "positions that a step plays: make positions_per_step less, or the window larger"
        )
