"""A match: two agents, many games in pairs that share an opening with the sides exchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from typing import TYPE_CHECKING

from ludus.agent import Agent, agent, check_thinks, unwrap
from ludus.arena.interrupts import defer_interrupt
from ludus.arena.opening import Openings, read_openings
from ludus.arena.reward import check_reward
from ludus.arena.running import MatchPlan, PlayedGame
from ludus.arena.score import Score
from ludus.arena.sprt import VALUES, Sprt, Standing
from ludus.arena.tasks import Workers, said
from ludus.arena.timing import BATCHED, describe_timing
from ludus.arena.workers import play_all
from ludus.checks import check_whole
from ludus.game import Game, as_game
from ludus.play import playouts
from ludus.resources import check_memory

if TYPE_CHECKING:
    import numpy as np

OPENINGS = "random:2"
MOST_GAMES = 10**9
GAME_BYTES, PLY_BYTES = 600, 100  # of memory, for a game that was played and each ply of it
MANY = 10_000  # games, which any memory holds
SAMPLE = 4  # random games that tell how long they are


def as_agent(one: str | Agent) -> Agent:
    """An agent, from its spelling if need be."""
    if isinstance(one, str):
        return agent(one)
    check_thinks(one)
    return one


def check_playable(on: Game, agents: Iterable[Agent], openings: Openings) -> None:
    """Refuse who cannot play from the start, unless the games begin elsewhere."""
    for one in agents:
        check = getattr(unwrap(one), "check_game", None)
        if check and not openings.lines:
            check(on)


def read_seed(seed: int | None, rng: np.random.Generator | None) -> int:
    """The seed, given or drawn; 0 if neither."""
    if seed is not None and rng is not None:
        raise ValueError("a seed or a generator decides the games, not both")
    if rng is not None:
        return int(rng.integers(2**63))
    return check_whole("seed", seed or 0, 0, 2**64 - 1)


def check_games(on: Game, count: int) -> None:
    """Refuse more games than memory holds: a score looks at all of them."""
    plies = playouts(on, SAMPLE, seed=0).plies / SAMPLE if count > MANY else 0
    check_memory(int(count * (GAME_BYTES + PLY_BYTES * plies)), f"{count:,} games")


class Match:
    """A match that goes on: play it, and ask for its score whenever you like."""

    def __init__(
        self,
        game: Game,
        one: Agent,
        two: Agent,
        *,
        games: int,
        seed: int,
        openings: Openings,
        sprt: Sprt | None = None,
        reward: str | None = None,
    ) -> None:
        self.games = check_whole("games", games, 1, MOST_GAMES)
        check_games(game, self.games)
        chosen = None if reward is None else check_reward(game, reward)
        self.plan = MatchPlan(game, (one, two), seed, openings, reward=chosen)
        self.timing: tuple[str, str] | None = None  # nothing was played yet
        self.sprt = sprt
        self.counts = [0] * len(VALUES)
        self.standing: Standing | None = sprt.standing(self.counts) if sprt else None
        self.done: list[PlayedGame] = []  # by index, without gaps
        self.points = 0.0  # A's, in these
        self.early: dict[int, PlayedGame] = {}  # ended before games of a lower index
        self.stopped = False

    @property
    def decided(self) -> bool:
        return self.standing is not None and self.standing.accepted is not None

    def play(
        self,
        workers: int | Workers = 1,
        *,
        timing: str = BATCHED,
        keep: Callable[[PlayedGame], None] | None = None,
        progress: Callable[[float, str], None] | None = None,
    ) -> Score:
        """Play; `keep` gets each game by index. Ctrl-C leaves what is done, and is passed on."""
        plan = self.plan
        jobs = ((plan, index) for index in range(self.games))
        agents = list(plan.agents)
        a, b = describe_timing(agents, self.games, workers, timing)
        with closing(play_all(jobs, plan.game, agents, workers, timing)) as playing:
            self.timing = a, b
            try:
                for _, ended in playing:
                    self.early[ended.index] = ended
                    while not self.decided and len(self.done) in self.early:
                        with defer_interrupt():
                            self.add(self.early.pop(len(self.done)), keep)
                    if progress:
                        progress(len(self.done) / self.games, said(self.points_text(), workers))
                    if self.decided:
                        break
            except KeyboardInterrupt:
                self.stopped = True
                for index in sorted(self.early):  # what a game of a lower index kept waiting
                    with defer_interrupt():
                        self.add(self.early.pop(index), keep)
                raise
        return self.score()

    def add(self, ended: PlayedGame, keep: Callable[[PlayedGame], None] | None) -> None:
        """Count a game, and look at the test after each pair."""
        self.done.append(ended)
        self.points += ended.points
        if keep:
            keep(ended)
        if self.sprt and not self.stopped and ended.index % 2 == 1:
            points = self.done[-2].points + ended.points
            self.counts[VALUES.index(points / 2)] += 1
            self.standing = self.sprt.standing(self.counts)

    def points_text(self) -> str:
        """A's points, for a progress line."""
        return f"{self.points:g} of {len(self.done)} points"

    def score(self) -> Score:
        a, b = self.plan.spellings
        return Score(
            game=self.plan.game.spelling,
            a=a,
            b=b,
            seed=self.plan.seed,
            openings=self.plan.openings.text,
            played=tuple(self.done),
            standing=self.standing,
            asked=self.games,
            stopped=self.stopped,
            reward=self.plan.reward,
            timing=self.timing,
        )


def match(
    game: Game | str,
    one: str | Agent,
    two: str | Agent,
    *,
    games: int,
    seed: int | None = None,
    rng: np.random.Generator | None = None,
    openings: str | Openings = OPENINGS,
    workers: int | Workers = 1,
    sprt: Sprt | None = None,
    reward: str | None = None,
    timing: str = BATCHED,
) -> Score:
    """Let two agents meet: `print(match("connect4", "uct", "random", games=100, seed=1))`.

    Games come in pairs that share an opening, the sides exchanged. Everything is decided by the
    seed and the index of a game, so the score is the same for any number of workers, unless an
    agent's budget is in seconds. `reward` names what plies pay, for averages per game and per move:
    the outcome, or a shaping signal of the game. `timing="alone"` asks for one decision at a time.
    Workers may be elsewhere (`ludus.scale.connect`).
    """
    return prepare_match(
        game,
        one,
        two,
        games=games,
        seed=read_seed(seed, rng),
        openings=openings,
        sprt=sprt,
        reward=reward,
    ).play(workers, timing=timing)


def prepare_match(
    on: Game | str,
    one: str | Agent,
    two: str | Agent,
    *,
    games: int,
    seed: int,
    openings: str | Openings = OPENINGS,
    sprt: Sprt | None = None,
    reward: str | None = None,
) -> Match:
    """A match that has not begun, everything checked."""
    chosen = as_game(on)
    opening = read_openings(openings, chosen)
    agents = as_agent(one), as_agent(two)
    check_playable(chosen, agents, opening)
    return Match(
        chosen,
        *agents,
        games=games,
        seed=read_seed(seed, None),
        openings=opening,
        sprt=sprt,
        reward=reward,
    )
