"""A tournament: every agent meets every other."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus import lines
from ludus.agent import Agent, spelling_of
from ludus.arena.folder import TournamentFolder, open_folder
from ludus.arena.interrupts import defer_interrupt
from ludus.arena.match import (
    MOST_GAMES,
    OPENINGS,
    as_agent,
    check_games,
    check_playable,
    read_seed,
)
from ludus.arena.opening import Openings, read_openings
from ludus.arena.record import Record
from ludus.arena.reward import check_reward
from ludus.arena.running import MatchPlan, PlayedGame
from ludus.arena.table import TournamentTable
from ludus.arena.tasks import Workers, said
from ludus.arena.timing import BATCHED, check_timing, describe_timing
from ludus.arena.workers import Job, play_all
from ludus.checks import check_whole
from ludus.files import Notice
from ludus.game import Game, as_game

if TYPE_CHECKING:
    import numpy as np

AgentsGiven = Sequence[str | Agent] | Mapping[str, str | Agent]


def agents_by_name(agents: AgentsGiven) -> dict[str, Agent]:
    """The agents by name; without one, by spelling."""
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        raise TypeError(f"a tournament takes a list of agents, not {agents!r:.60}")
    if isinstance(agents, Mapping):
        found = {name: as_agent(one) for name, one in agents.items()}
    else:
        several = [as_agent(one) for one in agents]
        found = {}
        for one in several:
            if spelling_of(one) in found:
                raise ValueError(f"{spelling_of(one)} is there twice; agents differ")
            found[spelling_of(one)] = one
    for name in found:
        if not isinstance(name, str) or not name or lines.text(lines.data(name)) != name:
            raise ValueError(f"an agent cannot be named {name!r:.60}")
    if len(found) < 2:
        raise ValueError(f"a tournament has at least two agents, not {len(found)}")
    return found


class Tournament:
    """A tournament that goes on: play it, and ask for its table whenever you like."""

    def __init__(
        self,
        on: Game | str,
        agents: AgentsGiven,
        *,
        games: int,
        seed: int,
        openings: str | Openings,
        reward: str | None = None,
        timing: str = BATCHED,
    ) -> None:
        self.game = as_game(on)
        self.agents = agents_by_name(agents)
        self.names = list(self.agents)
        self.games = check_whole("games", games, 1, MOST_GAMES)
        check_games(self.game, self.games * comb(len(self.names), 2))
        self.seed = seed
        self.openings = read_openings(openings, self.game)
        check_playable(self.game, self.agents.values(), self.openings)
        self.reward = None if reward is None else check_reward(self.game, reward)
        self.timing = check_timing(timing, 1)
        self.timed: tuple[str, ...] = ()  # how each agent, in words, once games are played
        self.plans = {
            (i, j): MatchPlan(
                self.game,
                (self.agents[self.names[i]], self.agents[self.names[j]]),
                seed,
                self.openings,
                key=(i, j),
                names=(self.names[i], self.names[j]),
                reward=self.reward,
            )
            for i, j in combinations(range(len(self.names)), 2)
        }
        self.done: dict[tuple[int, int], dict[int, PlayedGame]] = {key: {} for key in self.plans}
        self.stopped = False

    def request(self) -> dict[str, Any]:
        """What is to be played, for the run folder."""
        return {
            "game": self.game.spelling,
            "rules": self.game.kind.rules,
            "agents": self.names,
            "spellings": [spelling_of(one) for one in self.agents.values()],
            "seed": self.seed,
            "openings": self.openings.text,
            "games": self.games,
            "timing": self.timing,
        }

    def restore(self, records: Iterable[Record]) -> None:
        """Count games that were played before."""
        for record in records:
            played = record.played
            a, b = played.agents
            known = a in self.names and b in self.names
            i, j = sorted((self.names.index(a), self.names.index(b))) if known else (0, 0)
            if (i, j) not in self.plans or not self.is_planned(self.plans[i, j], record):
                raise ValueError(f"game {played.index} of {a} and {b} is not of this tournament")
            if played.index in self.done[i, j]:
                raise ValueError(f"game {played.index} of {a} and {b} is there twice")
            self.done[i, j][played.index] = record.with_reward(self.reward)

    def is_planned(self, plan: MatchPlan, record: Record) -> bool:
        """Whether a game is in its place: the plan says who begins, and from where."""
        played = record.played
        if record.seed != self.seed or played.index >= self.games:
            return False
        opening = plan.openings.opening(plan.game, played.pair, plan.seed, plan.key)
        begun = played.first, played.position, played.moves[: played.opening]
        first = plan.spellings[played.index % 2]
        return (
            played.agents[played.first] == first
            and begun == (opening.first, opening.position, opening.moves)
            and played.chances[: len(opening.chances)] == opening.chances
        )

    def jobs(self) -> Iterator[Job]:
        """What is still to be played; all pairs of agents in turn, so that a part is fair."""
        for pair in range(0, self.games, 2):
            for key, plan in self.plans.items():
                for index in (pair, pair + 1):
                    if index < self.games and index not in self.done[key]:
                        yield plan, index

    @property
    def remaining(self) -> int:
        """How many games are still to be played."""
        return sum(
            self.games - sum(index < self.games for index in games) for games in self.done.values()
        )

    def play(
        self,
        workers: int | Workers = 1,
        *,
        folder: TournamentFolder | None = None,
        progress: Callable[[float, str], None] | None = None,
    ) -> TournamentTable:
        """Play; every game is in the folder before the next is counted."""
        left = self.remaining
        agents = list(self.agents.values())
        timed = describe_timing(agents, max(1, left), workers, self.timing)
        playing = play_all(self.jobs(), self.game, agents, workers, self.timing)
        self.timed = tuple(timed)
        with closing(playing):
            try:
                for count, ((plan, index), ended) in enumerate(playing, 1):
                    i, j = plan.key
                    with defer_interrupt():
                        if folder:
                            folder.append(Record(self.game, self.seed, ended))
                        self.done[i, j][index] = ended
                    if progress:
                        progress(count / left, said(f"{count} of {left} games", workers))
            except KeyboardInterrupt:
                self.stopped = True
                raise
        return self.table()

    def table(self) -> TournamentTable:
        return TournamentTable(
            game=self.game.spelling,
            agents=self.names,
            seed=self.seed,
            openings=self.openings.text,
            played={
                key: [games[index] for index in sorted(games)] for key, games in self.done.items()
            },
            asked=self.games,
            stopped=self.stopped,
            reward=self.reward,
            timing=self.timed,
        )


@contextmanager
def in_folder(prepared: Tournament, run: str | Path, resume: bool) -> Iterator[TournamentFolder]:
    """The run folder of a tournament, the games in it counted."""
    with open_folder(Path(run), prepared.request(), prepared.game, resume) as folder:
        prepared.restore(folder.records)
        yield folder


def tournament(
    game: Game | str,
    agents: AgentsGiven,
    *,
    games: int = 100,
    seed: int | None = None,
    rng: np.random.Generator | None = None,
    openings: str | Openings = OPENINGS,
    workers: int | Workers = 1,
    run: str | Path | None = None,
    resume: bool = False,
    reward: str | None = None,
    timing: str = BATCHED,
) -> TournamentTable:
    """Let every agent meet every other for `games` games: a table with ratings.

    With `run` every game is kept in that folder as soon as it is over, and `resume` goes on there.
    `reward` and `timing` are as in a match.
    """
    prepared = Tournament(
        game,
        agents,
        games=games,
        seed=read_seed(seed, rng),
        openings=openings,
        reward=reward,
        timing=timing,
    )
    with ExitStack() as stack:
        folder = stack.enter_context(in_folder(prepared, run, resume)) if run else None
        if folder and folder.notice:
            warnings.warn(folder.notice, Notice, stacklevel=2)
        return prepared.play(workers, folder=folder)
