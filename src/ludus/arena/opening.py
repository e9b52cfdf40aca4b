"""Openings: where the two games of a pair begin, so that games really differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ludus import reading
from ludus.arena.seeds import generator
from ludus.checks import check_whole
from ludus.game import Game, State

if TYPE_CHECKING:
    import numpy as np

ATTEMPTS = 1000  # random openings tried until one leaves the game unfinished


@dataclass(frozen=True)
class Opening:
    """How a game began before anyone thought."""

    state: State
    first: int  # the player who moved first
    position: str | None = None  # where the moves begin, unless at the game's one start
    actions: tuple[int, ...] = ()
    players: tuple[int, ...] = ()
    moves: tuple[str, ...] = ()
    chances: tuple[int, ...] = ()  # what the board did after each, in a game of chance

    def after(self, game: Game, action: int, rng: np.random.Generator) -> Opening:
        """One ply later."""
        state, result = play_with_chance(self.state, action, rng)
        return Opening(
            state,
            self.first,
            self.position,
            (*self.actions, action),
            (*self.players, self.state.player),
            (*self.moves, game.move(self.state, action)),
            (*self.chances, *(() if result is None else (result,))),
        )


def play_with_chance(
    state: State, action: int, rng: np.random.Generator
) -> tuple[State, int | None]:
    """Play an action and let chance act: the next state, and what chance brought."""
    if not state.chancy:
        return state.play(action), None
    results, shares = zip(*state.chances(action), strict=True)
    result = int(rng.choice(results, p=shares))
    return state.play(action, chance=result), result


def game_start(game: Game, rng: np.random.Generator) -> Opening:
    """The start; the coin is tossed where the rules ask for one."""
    start = game.start(rng)
    same = start == game.start() and start.player == game.start().player
    return Opening(start, start.player, None if same else str(start))


def who_began(game: Game, state: State) -> int:
    """The player who moved first in the game that came to this position."""
    first = game.kind.first
    return game.start().player if first is None else first(state)


@dataclass(frozen=True)
class Openings:
    """The openings of a match, one a pair, by counting.

    `text` is how they are written: `none`, `random:PLIES`, or a file with a line an opening.
    """

    text: str
    plies: int = 0
    lines: tuple[str, ...] = field(default=(), repr=False)

    def opening(self, game: Game, pair: int, seed: int, key: tuple[int, ...] = ()) -> Opening:
        """The opening that both games of a pair share."""
        rng = generator(seed, *key, pair, 0)
        if self.lines:
            return read_line(game, self.lines[pair % len(self.lines)], rng)
        for _ in range(ATTEMPTS):
            opening = game_start(game, rng)
            while opening.state.outcome is None and len(opening.actions) < self.plies:
                legal = opening.state.legal()
                opening = opening.after(game, legal[rng.integers(len(legal))], rng)
            if opening.state.outcome is None:
                return opening
        raise ValueError(
            f"{self.plies} random plies end {game.spelling} nearly always; open with fewer"
        )


def read_openings(text: str | Openings, game: Game) -> Openings:
    """Read how a match opens; a file's every line is checked."""
    if isinstance(text, Openings):
        return text
    if not isinstance(text, str):
        raise TypeError(f"openings are none, random:PLIES or a file, not {text!r:.60}")
    if text == "none":
        return Openings("none")
    kind, colon, plies = text.partition(":")
    if kind == "random":
        if not colon or not plies.isdecimal() or len(plies) > 6:
            raise ValueError(f"random openings are written random:PLIES, unlike {text!r}")
        return Openings(text, check_whole("the plies of a random opening", int(plies), 0, 10_000))
    if not Path(text).is_file():
        raise ValueError(f"openings are none, random:PLIES or a file, and there is no {text!r}")
    return Openings(text, lines=read_file(game, Path(text)))


def read_file(game: Game, path: Path) -> tuple[str, ...]:
    """The lines of an openings file; empty ones are skipped."""
    lines = []
    for number, line in enumerate(reading.text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            opening = read_line(game, line.strip(), generator(0))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        if opening.state.outcome is not None:
            raise ValueError(f"{path}, line {number}: the game is over there")
        lines.append(line.strip())
    if not lines:
        raise ValueError(f"{path} has no openings")
    return tuple(lines)


def read_line(game: Game, line: str, rng: np.random.Generator) -> Opening:
    """One opening: a position's text, or moves from the start."""
    try:
        state = game.state(line)
    except ValueError as unread:
        if game.start().chancy:
            raise ValueError(f"in a game of chance an opening is a position: {unread}") from None
        opening = game_start(game, rng)
        for move in game.kind.split(line):
            opening = opening.after(game, game.action(opening.state, move), rng)
        return opening
    return Opening(state, who_began(game, state), line)
