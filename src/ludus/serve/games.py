"""The catalogue: the games with their parameters, truth and levels, and who may play them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from ludus import _core
from ludus.agent import agent, spelling_of, unwrap
from ludus.game import Game, game_names, make_game, read_parameters
from ludus.game import game as read_game
from ludus.game import kind as kind_of
from ludus.options import describe
from ludus.serve.levels import levels, networks_play
from ludus.serve.limits import LIMITS, Limits
from ludus.serve.protocol import Refused
from ludus.serve.scene import players
from ludus.serve.truth import answers_here

Kept = TypeVar("Kept")
BUILT_IN = ("random", "greedy", "uct", "alphabeta", "perfect")
BUDGETS = ("simulations", "seconds")
TYPES = {bool: "bool", int: "int", float: "float", str: "text", type(None): "none"}


class Catalogue:
    """The registered games and no others; those asked for lately are kept."""

    def __init__(self, agents: Sequence[str] = (), limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._more = [(spelling, game_of_agent(spelling)) for spelling in agents]
        self._kept: OrderedDict[str, Game] = OrderedDict()
        self._entries: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._alone = threading.Lock()

    def game(self, spelling: Any) -> Game:
        """A game by its spelling; only the name of a registered one is looked at any further."""
        if not isinstance(spelling, str) or len(spelling) > self._limits.spelling:
            raise Refused(f"a game is text of at most {self._limits.spelling} characters")
        name, _, rest = spelling.partition(":")
        if name not in game_names():
            raise Refused(f"no game {name!r:.60}; there are {', '.join(game_names())}")
        with self._alone:
            if (known := self._kept.get(spelling)) is not None:
                self._kept.move_to_end(spelling)
                return known
        try:
            found = make_game(kind_of(name), **read_parameters(rest))
        except (ValueError, TypeError) as error:
            raise Refused(str(error).split("\n")[0]) from None
        return self._keep(self._kept, spelling, found)

    def _keep(self, where: OrderedDict[str, Kept], name: str, found: Kept) -> Kept:
        with self._alone:
            where[name] = found
            while len(where) > self._limits.games_kept:
                where.popitem(last=False)
        return found

    def all(self) -> list[dict[str, Any]]:
        """Every game with its usual parameters."""
        return [self.entry(self.game(name)) for name in game_names()]

    def entry(self, game: Game) -> dict[str, Any]:
        """What there is to say of a game with these parameters."""
        oracle = answers_here(game)  # asked anew: a table may be made while the server runs
        key = f"{game.spelling} {oracle}"
        with self._alone:
            known = self._entries.get(key)
        return known or self._keep(self._entries, key, self._describe(game, oracle))

    def _describe(self, game: Game, oracle: bool) -> dict[str, Any]:
        kind = game.kind
        return {
            "name": kind.name,
            "spelling": game.spelling,
            "title": kind.title,
            "about": kind.about,
            "parameters": {
                name: {
                    "value": game.parameters[name],
                    "meaning": meaning,
                    "type": TYPES[type(game.parameters[name])],
                }
                for name, meaning in kind.parameters.items()
            },
            "chance": bool(game.start().chancy),
            "turns": kind.turns,
            "truth": kind.truth,
            "oracle": oracle,
            "variants": [spelling_with(kind.name, chosen) for chosen in kind.variants],
            "levels": [
                one for one in levels(game) if oracle or not one["agent"].startswith("perfect")
            ],
            "agents": [describe_agent(one) for one in self._agents(game, oracle)],
            "players": players(game),
        }

    def _agents(self, game: Game, oracle: bool) -> list[str]:
        judged = _core.judge(game.start(), {}) is not None
        here = {"greedy": judged, "perfect": oracle}
        found = [name for name in BUILT_IN if here.get(name, True)]
        found += [f"zoo/{name}" for name, plays in zoo() if plays == game.spelling]
        return found + [one for one, plays in self._more if plays in (None, game.spelling)]

    def check_agent(self, game: Game, spelling: str) -> str:
        """The spelling of an agent, if it is one of those that are listed for this game."""
        entry = self.entry(game)
        listed = [one["spelling"] for one in entry["agents"]]
        if spelling in listed or spelling in [one["agent"] for one in entry["levels"]]:
            return spelling
        raise Refused(f"no agent {spelling!r:.60} here; there are {', '.join(listed)}, and levels")


def spelling_with(name: str, parameters: Any) -> str:
    """A game's spelling with these parameters."""
    chosen = ",".join(f"{key}={value}" for key, value in parameters.items())
    return f"{name}:{chosen}" if chosen else name


@cache
def zoo() -> tuple[tuple[str, str], ...]:
    """Who lives in the zoo, with the game; nobody where what they play with is not installed."""
    if not networks_play():
        return ()
    from ludus.learn.store import zoo as known

    return tuple((name, read_game(known.card(name)["game"]).spelling) for name in known.names())


def game_of_agent(spelling: str) -> str | None:
    """The game of an agent that has learned one, None for others; refuses who is nobody."""
    learned = getattr(unwrap(agent(spelling)), "_learned", None)
    return None if learned is None else str(learned.spelling)


@cache
def describe_agent(spelling: str) -> dict[str, Any]:
    """What there is to say of an agent."""
    one = unwrap(agent(spelling))
    cls: Any = type(one)
    help_, _, _ = (cls.__doc__ or "").partition("\n")
    options = {option.name for option in describe(cls)}
    budgets = BUDGETS[:1] if getattr(one, "counted", False) else BUDGETS
    return {
        "spelling": spelling,
        "title": spelling_of(one),
        "help": help_,
        # Seconds are counted by who lets it work, so that simulations suffice for both.
        "budgets": [name for name in budgets if {name, "simulations"} & options],
    }
