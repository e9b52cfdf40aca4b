"""Games of matches as tasks for workers: plans cross as spellings, games come back as records."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any

from ludus.agent import Agent, respellable, unwrap
from ludus.arena.opening import Openings
from ludus.arena.processes import PlanSpelling, read_plan, spell_plan
from ludus.arena.record import Record, parse
from ludus.arena.running import MatchPlan, PlayedGame
from ludus.arena.tasks import Message, Result, Workers, results
from ludus.game import Game
from ludus.play import is_native
from ludus.written import digest_of

WORK = "ludus.arena.shards:play_shard"
LEAST, MOST = 2, 64  # games of a task
SHORT = 0.5  # seconds: tasks that are shorter grow

Job = tuple[MatchPlan, int]
Done = tuple[Job, PlayedGame]


def check(game: Game, agents: Iterable[Agent]) -> None:
    """Refuse what a worker elsewhere could not make again."""
    for one in agents:
        if not respellable(one) or getattr(unwrap(one), "sits_alone", False):
            raise ValueError(
                f"{type(unwrap(one)).__name__} cannot be made again from a spelling, which workers "
                "elsewhere need; workers=1 plays here"
            )
    if not game.kind.source and not is_native(game):
        raise ValueError(
            f"{game.name} was given as a class, which workers elsewhere cannot find; give its file"
        )


def made_of(one: Any) -> str:
    """What tells the file apart that an agent or game is made from; nothing where there is none."""
    known = getattr(one, "made_of", None)
    return str(known) if known else digest_of(type(one))


def made_of_game(game: Game) -> str:
    """The same of a game."""
    start = game.start()
    return made_of(getattr(start, "inner", start))


def check_file(name: str, here: str, there: str) -> None:
    """Refuse what a worker has made from a file of its own that is another."""
    if here != there:
        raise ValueError(
            f"{name} is made from another file on a worker than here: every machine needs the "
            "same one at the same path"
        )


def marks(plan: MatchPlan) -> list[str]:
    """Of the game and both agents: workers look into files of their own."""
    return [made_of_game(plan.game), *(made_of(unwrap(one)) for one in plan.agents)]


def in_shards(jobs: Iterable[Job], workers: Workers) -> Generator[Done, None, None]:
    """Play the games on workers, several a task, and yield each as it comes back."""
    shards = Shards(jobs)
    with closing(results(workers, WORK, shards)) as coming:
        for place, result in coming:
            yield from shards.read(place, result)


class Shards:
    """The tasks of some games: small ones first, larger ones where games are quick."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self.jobs = iter(jobs)
        self.size = LEAST
        self.sent: dict[int, list[Job]] = {}
        self.spelled: dict[int, Message] = {}  # plans, by identity
        self.count = 0

    def __iter__(self) -> Iterator[Message]:
        while shard := list(islice(self.jobs, self.size)):
            self.sent[self.count] = shard
            self.count += 1
            plans = {id(plan): plan for plan, _ in shard}
            places = {key: place for place, key in enumerate(plans)}
            yield {
                "plans": [self.spell(plan) for plan in plans.values()],
                "games": [[places[id(plan)], index] for plan, index in shard],
            }

    def spell(self, plan: MatchPlan) -> Message:
        """A plan as text and numbers."""
        if id(plan) not in self.spelled:
            spelled = spell_plan(plan)
            self.spelled[id(plan)] = {
                **vars(spelled),
                "openings": vars(spelled.openings),
                "marks": marks(plan),
            }
        return self.spelled[id(plan)]

    def read(self, place: int, result: Result) -> Iterator[Done]:
        """The games of a task; the next tasks are larger if it was short."""
        if result["seconds"] < SHORT:
            self.size = min(MOST, 2 * self.size)
        for job, line in zip(self.sent.pop(place), result["games"], strict=True):
            yield job, parse(line, job[0].game).played


def play_shard(task: Message) -> Result:
    """Play the games of a task, where it was sent."""
    import time

    from ludus.arena.workers import play_all

    started = time.perf_counter()
    plans = [plan_of(spelled) for spelled in task["plans"]]
    jobs = [(plans[place], index) for place, index in task["games"]]
    game = plans[0].game
    agents = [one for plan in plans for one in plan.agents]
    played = {
        (id(plan), ended.index): ended for (plan, _), ended in play_all(jobs, game, agents, 1)
    }
    lines = [Record(game, plan.seed, played[id(plan), index]).line() for plan, index in jobs]
    return {"games": lines, "seconds": time.perf_counter() - started}


def plan_of(spelled: Message) -> MatchPlan:
    """A plan again, of the same files as where it comes from."""
    fields = {name: one for name, one in spelled.items() if name not in ("openings", "marks")}
    for name in ("agents", "key", "names"):
        fields[name] = tuple(fields[name])
    openings = dict(spelled["openings"])
    plan = read_plan(
        PlanSpelling(**fields, openings=Openings(**{**openings, "lines": tuple(openings["lines"])}))
    )
    names = (plan.game.spelling, *spelled["agents"])
    for name, here, there in zip(names, marks(plan), spelled["marks"], strict=True):
        check_file(name, here, there)
    return plan
