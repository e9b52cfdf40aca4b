"""The settings of AlphaZero: how it searches, plays and learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ludus.learn.collecting.seen import STATE_BYTES
from ludus.learn.collecting.window import check_window, window_bytes
from ludus.learn.networks.optimizers import OPTIMIZERS
from ludus.learn.networks.precision import PRECISIONS
from ludus.learn.settings.config import EVALUATED, Common
from ludus.learn.settings.footprint import Footprint, Sizes, Work
from ludus.learn.settings.needs import (
    Need,
    Needs,
    needs_below,
    needs_choice,
    needs_off,
    needs_set,
    needs_zero,
)
from ludus.options import option

OPEN = "none"  # no gate
REMEMBERED = 0.4  # of questions that the cache answers, as it turned out in most games
REMEMBERED_BY_CHANCE = 0.1  # the same where chance decides which positions come up
INT8_NETWORKS = ("zero", "zero-conv", "draughts", "thesis")  # that can be quantised
LEAST_REPLACED = 0.01  # of new positions, or a step plays for ever until enough came in
EVALUATION_BYTES, NODE_BYTES = 24, 24  # of an entry of the cache, and of a node of a tree
GUMBEL, KATAGO = "Danihelka 2022", "Wu 2019"
ZERO = "Silver 2017"


def searches_by_puct(config: Config) -> bool:
    """Whether any search goes by `c_puct`: that of self-play, or that of the gate's games."""
    return config.search != "gumbel" or config.gate != OPEN


def can_be_quantised(config: Config) -> bool:
    """Whether self-play can ask a quantised network: towers with batch normalisation."""
    return config.int8 == "off" or (config.network in INT8_NETWORKS and not config.encoder)


def keeps_order(config: Config) -> bool:
    """Whether positions lie in the window as they were played, each before its reply."""
    return config.replace_prob == 1


def chance_of(config: Config) -> str:
    """How its searches treat chance: as the papers do, if all of them is as in the papers."""
    return "sample" if config.plain else "expectation"


GATED = Need("gate", lambda config: config.gate != OPEN, "0.55")


@dataclass(frozen=True)
class Config(Common):
    """How to search, how to play, and how to learn from it."""

    METHOD: ClassVar[str] = "alphazero"
    network: str = "zero"
    search: str = option(
        "gumbel",
        "Gumbel search, PUCT, or root: PUCT over the moves at hand, leaves played out",
        group="search",
        choices=("gumbel", "puct", "root"),
    )
    simulations: int = option(32, "simulations a move", group="search", low=1, symbol="n")
    max_num_considered_actions: int = option(
        16,
        "actions that Gumbel search considers at the root",
        group="search",
        low=1,
        high=65_536,
        symbol="m",
        paper=GUMBEL,
    )
    maxvisit_init: float = option(
        50.0,
        "offset of the visit count in Gumbel search's scale of values",
        group="search",
        low=0,
        high=10**6,
        symbol="c_visit",
        paper=GUMBEL,
    )
    value_scale: float = option(
        0.25,
        "scale of values beside log-probabilities in Gumbel search",
        group="search",
        low=0,
        high=1000,
        symbol="c_scale",
        paper=GUMBEL,
    )
    prior_temperature: float = option(
        1.3,
        "temperature of the network's priors; above 1 flattens them",
        group="search",
        above=0,
    )
    c_puct: float = option(
        1.25,
        "exploration constant of PUCT",
        group="search",
        low=0,
        high=1000,
        symbol="c_puct",
        paper=ZERO,
    )
    fpu_reduction: float = option(
        0.25,
        "how far below its parent's value PUCT takes an unvisited action",
        group="search",
        low=-2,
        high=2,
        paper=KATAGO,
    )
    fpu_strategy: str = option(
        "reduction",
        "value of an unvisited action in PUCT: its parent's less fpu_reduction, or 0",
        group="search",
        choices=("reduction", "zero"),
    )
    plain: bool = option(
        False,
        "as in the papers: no proofs, no tree kept between moves, chance sampled",
        group="search",
    )
    dirichlet_alpha: float = option(
        1.0,
        "concentration of the Dirichlet noise at PUCT's root",
        group="search",
        low=1e-3,
        high=1000,
        symbol="alpha",
        paper=ZERO,
    )
    dirichlet_fraction: float = option(
        0.25,
        "share of that noise in the priors of the root",
        group="search",
        low=0,
        high=1,
        symbol="epsilon",
        paper=ZERO,
    )
    full_search_prob: float = option(
        1.0,
        "share of moves with a full search (playout cap randomisation); only these are learned",
        group="search",
        low=0,
        high=1,
        symbol="p",
        paper=KATAGO,
    )
    fast_simulations: int = option(
        8, "simulations of the other moves", group="search", low=1, symbol="n", paper=KATAGO
    )
    temperature: float = option(
        1.0,
        "temperature of the visit counts that the first moves are sampled from",
        group="self-play",
        low=0.01,
        high=100,
        symbol="tau",
        paper=ZERO,
    )
    temperature_plies: int = option(
        0, "first plies of a game, whose moves are sampled", group="self-play", low=0
    )
    gumbel_noise_plies: int = option(
        1_000_000,
        "plies of a game in which Gumbel noise has a say in the move played",
        group="self-play",
        low=0,
    )
    random_opening_plies: int = option(
        6, "greatest number of plies of a game's random opening", group="self-play", low=0
    )
    random_move_prob: float = option(
        1.0,
        "probability that a ply of the opening is random; the others are searched",
        group="self-play",
        low=0,
        high=1,
    )
    one_sided_prob: float = option(
        0.0,
        "share of games in whose opening only one player moves at random",
        group="self-play",
        low=0,
        high=1,
    )
    start_positions: str = option(
        "",
        "positions that games begin from: a file with a line of moves or a position each; empty "
        "for the start of the game alone",
        group="self-play",
    )
    start_positions_prob: float = option(
        0.5,
        "share of games that begin from one of those, and without random moves",
        group="self-play",
        low=0,
        high=1,
    )
    resign_threshold: float = option(
        0.0,
        "a player resigns below minus this value; 0 for never",
        group="self-play",
        low=0,
        high=1,
        symbol="v_resign",
        paper=ZERO,
    )
    resign_playthrough_prob: float = option(
        0.1,
        "share of games played to the end, to count wrong resignations",
        group="self-play",
        low=0,
        high=1,
        paper=ZERO,
    )
    symmetric_cache: bool = option(
        True, "symmetric positions share an entry of the evaluation cache", group="self-play"
    )
    cache_size: int = option(
        262_144, "positions in each pool's evaluation cache; 0 for none", group="self-play", low=0
    )
    n_pools: int = option(2, "pools of games, each a thread's work", group="self-play", low=1)
    n_envs: int = option(
        128, "games of a pool that are played at the same time", group="self-play", low=1
    )
    batched_inference: bool = option(
        True, "evaluate the leaves of all games of a pool in one batch", group="self-play"
    )
    int8: str = option(
        "auto",
        "int8 quantisation of the network in self-play; auto where its error is small",
        group="self-play",
        choices=("auto", "on", "off"),
    )
    positions_per_step: int = option(2_048, "new positions of a step", group="self-play", low=1)
    games_per_step: int = option(
        0,
        "whole games of a step, instead of positions_per_step; 0 for positions",
        group="self-play",
        low=0,
    )
    overlap: bool = option(
        True, "play while learning, a step apart; else play first, then learn", group="self-play"
    )
    window: int = option(200_000, "positions in the replay window", group="self-play", low=1)
    recent_fraction: float = option(
        0.5,
        "share of all positions so far, counted from the newest, that are sampled from",
        group="self-play",
        low=0,
        high=1,
    )
    replace_prob: float = option(
        1.0,
        "probability that a new position enters a full window",
        group="self-play",
        low=0,
        high=1,
    )
    clear_window: bool = option(False, "empty the window in each step", group="self-play")
    samples_per_position: float = option(
        2.5, "how often a position is learned from, on average", group="optimisation", above=0
    )
    samples_per_step: int = option(
        0,
        "positions learned from in a step, instead of samples_per_position; 0 for those",
        group="optimisation",
        low=0,
    )
    policy_surprise_weight: float = option(
        0.0,
        "share of the samples that are drawn in proportion to KL(target, prior) of their search; "
        "the others are drawn evenly",
        group="optimisation",
        low=0,
        high=1,
        paper=KATAGO,
    )
    opponent_policy_coef: float = option(
        0.0,
        "coefficient of an auxiliary loss: a head that is not exported predicts the opponent's "
        "next policy; 0 for none",
        group="optimisation",
        low=0,
        high=1000,
        paper=KATAGO,
    )
    augmentation: bool = option(
        True, "learn each position in a random one of its symmetries", group="optimisation"
    )
    batch_size: int = option(256, "positions of an update", group="optimisation", low=1)
    learning_rate: float = option(
        0.002, "learning rate at the beginning", group="optimisation", above=0
    )
    lr_decay_steps: int = option(
        0,
        "steps over which the learning rate falls to a twentieth; 0 for a constant rate",
        group="optimisation",
        low=0,
    )
    weight_decay: float = option(
        0.0001, "weight decay of the optimizer", group="optimisation", low=0
    )
    optimizer: str = option(
        "adamw",
        "optimizer; adam has the decay in its gradient, adamw apart from it",
        group="optimisation",
        choices=OPTIMIZERS,
    )
    momentum: float = option(
        0.9,
        "momentum of SGD, or the first decay rate of Adam",
        group="optimisation",
        low=0,
        below=1,
        symbol="beta1",
        paper="Kingma 2015",
    )
    precision: str = option(
        "float32",
        "precision of learning; bfloat16 autocast is faster where the processor has it",
        group="optimisation",
        choices=PRECISIONS,
    )
    record_states: int = option(
        0,
        "distinct states of self-play that are recorded in the run folder, at most, for "
        "`ludus evaluate`; 0 for none",
        group="data",
        low=0,
        high=100_000_000,
    )
    vf_coef: float = option(1.0, "coefficient of the value loss", group="optimisation", low=0)
    q_ratio: float = option(
        1.0,
        "share of the search's value in the value target; the rest is the outcome",
        group="targets",
        low=0,
        high=1,
    )
    td_lambda: float = option(
        0.98,
        "lambda of the lambda-return of the search's values along a game",
        group="targets",
        low=0,
        high=1,
        symbol="lambda",
        paper="Sutton 1988",
    )
    deblunder: bool = option(
        True,
        "measure that return against Q(s, a) of the move played (in games of chance: the value of "
        "what chance made of it), not V(s), so that exploratory moves and luck do not tell in it",
        group="targets",
        before=False,
    )
    ema_decay: float = option(
        0.75,
        "decay a step of the averaged weights that play; 0 for no average",
        group="optimisation",
        low=0,
        below=1,
    )
    max_grad_norm: float = option(
        5.0, "norm to which gradients are clipped", group="optimisation", above=0
    )
    gate: str = option(
        "none",
        "what a new network must score against the playing one to replace it: none, sprt, or a "
        "share of points such as 0.55",
        group="evaluation",
        paper=ZERO,
    )
    gate_games: int = option(100, "games of the gate", group="evaluation", low=1)
    gate_discards: bool = option(
        False, "drop a network that fails and learn on from the playing one", group="evaluation"
    )
    eval_simulations: int = option(
        0,
        "simulations a move in measurements of strength; 0 for the raw policy",
        group="evaluation",
        low=0,
    )
    threads: int = 2

    NEEDS: ClassVar[Needs] = {
        "max_num_considered_actions": (needs_choice("search", "gumbel"),),
        "maxvisit_init": (needs_choice("search", "gumbel"),),
        "value_scale": (needs_choice("search", "gumbel"),),
        "gumbel_noise_plies": (needs_choice("search", "gumbel"),),
        "c_puct": (Need("search", searches_by_puct, "puct"),),
        "fpu_reduction": (
            Need("search", searches_by_puct, "puct"),
            needs_choice("fpu_strategy", "reduction"),
        ),
        "fpu_strategy": (Need("search", searches_by_puct, "puct"),),
        "positions_per_step": (needs_zero("games_per_step"),),
        "samples_per_position": (needs_zero("samples_per_step"),),
        "dirichlet_alpha": (
            needs_choice("search", "puct", "root"),
            needs_set("dirichlet_fraction", "0.25"),
        ),
        "dirichlet_fraction": (needs_choice("search", "puct", "root"),),
        "fast_simulations": (needs_below("full_search_prob", 1),),
        "temperature": (needs_set("temperature_plies", "PLIES"),),
        "random_move_prob": (needs_set("random_opening_plies", "PLIES"),),
        "one_sided_prob": (needs_set("random_opening_plies", "PLIES"),),
        "start_positions_prob": (needs_set("start_positions", "FILE"),),
        "int8": (Need("network", can_be_quantised, "zero"),),
        "resign_playthrough_prob": (needs_set("resign_threshold", "0.9"),),
        "recent_fraction": (needs_off("clear_window"),),
        "opponent_policy_coef": (Need("replace_prob", keeps_order, "1"),),
        "replace_prob": (needs_off("clear_window"),),
        "td_lambda": (needs_set("q_ratio", "1"),),
        "deblunder": (needs_set("q_ratio", "1"), needs_set("td_lambda", "0.98")),
        **dict.fromkeys(("gate_games", "gate_discards"), (GATED,)),
        "eval_simulations": (EVALUATED,),
    }

    def check_new(self) -> None:
        """Refuse a window that forgets what a step has played, or never takes it in."""
        if self.replace_prob < LEAST_REPLACED:
            raise ValueError(
                f"replace_prob is {LEAST_REPLACED} or more, not {self.replace_prob!r:.60}"
            )
        if not self.games_per_step:
            check_window(self.positions_per_step, self.window)

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
            ("record_states",): self.record_states * STATE_BYTES,
            ("n_pools", "cache_size"): self.n_pools * self.cache_size * EVALUATION_BYTES,
            ("n_pools", "n_envs"): self.n_pools * self.n_envs * (sizes.state + sizes.seen),
            ("n_pools", "n_envs", "simulations"): (
                self.n_pools * self.n_envs * self.simulations * NODE_BYTES
            ),
        }
