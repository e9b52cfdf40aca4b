"""A game line: a game, where it starts, and what was played; replayed and checked."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from ludus.game import Game, State
from ludus.serve.limits import LIMITS, Limits
from ludus.serve.protocol import Refused

Token = int | str  # an action, or in games of chance `action~result`
TOKEN = re.compile(r"(\d{1,9})~(\d{1,9})")
FIELDS = {"game", "start", "tokens"}
BACK = 8  # plies by which a kept line may be shorter than one that is asked for


@dataclass(frozen=True)
class Line:
    """A game as it was played: one state more than there are plies."""

    game: Game
    start: str | None  # the text of the position it starts from; None for the game's own start
    states: tuple[State, ...]
    actions: tuple[int, ...] = ()
    results: tuple[int | None, ...] = ()  # what chance did after each action

    @property
    def state(self) -> State:
        """Where it stands."""
        return self.states[-1]

    @property
    def tokens(self) -> list[Token]:
        """What was played, as a client holds it."""
        return [
            action if result is None else f"{action}~{result}"
            for action, result in zip(self.actions, self.results, strict=True)
        ]

    def record(self) -> dict[str, Any]:
        """The line as JSON."""
        return {"game": self.game.spelling, "start": self.start, "tokens": self.tokens}

    def play(self, action: int, chance: int | None = None) -> Line:
        """One ply more; the action, and the result in a game of chance, must be possible."""
        after = self.state.play(action, chance=chance)
        return Line(
            self.game,
            self.start,
            (*self.states, after),
            (*self.actions, action),
            (*self.results, chance),
        )

    def play_tokens(self, tokens: list[Token]) -> Line:
        """Many plies more."""
        states, actions = list(self.states), list(self.actions)
        results = list(self.results)
        for ply, token in enumerate(tokens, len(actions) + 1):
            action, result = read_token(token, ply)
            try:
                states.append(states[-1].play(action, chance=result))
            except (ValueError, TypeError) as error:
                raise Refused(f"at ply {ply}, {error}") from None
            actions.append(action)
            results.append(result)
        return Line(self.game, self.start, tuple(states), tuple(actions), tuple(results))


def read_token(token: Any, ply: int) -> tuple[int, int | None]:
    """An action, and what chance did if it acted."""
    if type(token) is int:
        return token, None
    if isinstance(token, str) and (both := TOKEN.fullmatch(token)):
        return int(both[1]), int(both[2])
    raise Refused(f"token {ply} is an action, or action~result in a game of chance")


def begin(game: Game, start: str | None = None) -> Line:
    """A line without plies."""
    if start is None:
        return Line(game, None, (game.start(),))
    try:
        return Line(game, start, (game.state(start),))
    except (ValueError, TypeError) as error:
        raise Refused(error) from None


class Lines:
    """Reads lines of clients, and keeps those that were asked for lately."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._kept: OrderedDict[tuple[Any, ...], Line] = OrderedDict()
        self._states = 0  # in all that is kept
        self._alone = threading.Lock()

    def read(self, game: Game, message: dict[str, Any]) -> Line:
        """The line that a client holds, its game already made."""
        if not message.keys() <= FIELDS:
            raise Refused(f"a line has {', '.join(sorted(FIELDS))}, and nothing else")
        start, tokens = message.get("start"), message.get("tokens", [])
        if start is not None and (not isinstance(start, str) or len(start) > self._limits.position):
            raise Refused(f"start is null or text of at most {self._limits.position:,} characters")
        if not isinstance(tokens, list) or len(tokens) > self._limits.tokens:
            raise Refused(f"tokens is a list of at most {self._limits.tokens:,} plies")
        if not all(type(token) in (int, str) for token in tokens):
            raise Refused("a token is an action, or action~result in a game of chance")
        return self._replay(game, start, tokens)

    def _replay(self, game: Game, start: str | None, tokens: list[Token]) -> Line:
        spelling = game.spelling
        for back in range(min(BACK, len(tokens)) + 1):
            there = len(tokens) - back
            known = self._look((spelling, start, tuple(tokens[:there])))
            if known is not None:
                return known if not back else self.keep(known.play_tokens(tokens[there:]))
        return self.keep(begin(game, start).play_tokens(tokens))

    def _look(self, key: tuple[Any, ...]) -> Line | None:
        with self._alone:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
            return known

    def keep(self, line: Line) -> Line:
        """Remember a line; the one that nobody asked for the longest time is forgotten."""
        key = (line.game.spelling, line.start, tuple(line.tokens))
        with self._alone:
            if key not in self._kept:
                self._kept[key] = line
                self._states += len(line.states)
            while self._states > self._limits.states_kept and len(self._kept) > 1:
                _, forgotten = self._kept.popitem(last=False)
                self._states -= len(forgotten.states)
        return line
