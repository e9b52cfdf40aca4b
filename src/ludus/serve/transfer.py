"""Games from outside and for outside: positions, moves and records."""

from __future__ import annotations

import random
import secrets
from typing import Any

from ludus.arena.opening import play_with_chance, who_began
from ludus.arena.record import Record, parse
from ludus.arena.running import RESIGNED, PlayedGame, why_over
from ludus.game import Game, game_names
from ludus.serve.lines import Line, begin
from ludus.serve.protocol import Refused


def new_line(game: Game, seed: int | None) -> Line:
    """A line without plies; where the rules toss a coin, it is tossed."""
    rng = random.Random(secrets.randbits(64) if seed is None else seed)
    start = game.start(rng)
    usual = game.start()
    same = start == usual and start.player == usual.player
    return begin(game, None if same else str(start))


def play(line: Line, action: int, seed: int | None) -> Line:
    """One ply more, chance included."""
    if not line.state.chancy:
        return line.play(action)
    import numpy as np

    rng = np.random.default_rng(secrets.randbits(64) if seed is None else seed)
    return line.play(action, play_with_chance(line.state, action, rng)[1])


def import_line(game: Game | None, message: dict[str, Any], most: int) -> Line:
    """A line out of a record, or out of a position and moves."""
    if message["record"] is not None:
        if message["position"] is not None or message["moves"] is not None:
            raise Refused("a record has its own position and moves")
        return of_record(message["record"], most)
    if game is None:
        raise Refused("give the game, or a record")
    line = begin(game, message["position"])
    moves = game.kind.split(message["moves"] or "")
    if len(moves) > most:
        raise Refused(f"a line has at most {most:,} plies")
    if moves and line.state.chancy:
        raise Refused("a game of chance is read from a record, which says what chance did")
    for ply, move in enumerate(moves, 1):
        try:
            line = line.play(game.action(line.state, move))
        except ValueError as error:
            raise Refused(f"at ply {ply}, {error}") from None
    return line


def of_record(text: str, most: int) -> Line:
    """The line of a record, its play checked."""
    record = parse(text)
    if record.game.name not in game_names():
        raise Refused(f"no game {record.game.name!r:.60} here")
    if len(record.played.moves) > most:
        raise Refused(f"a line has at most {most:,} plies")
    return line_of(record)


def line_of(record: Record) -> Line:
    """A recorded game as a line."""
    states = tuple(record.states)
    actions = tuple(
        record.game.action(state, move)
        for state, move in zip(states, record.played.moves, strict=False)
    )
    chances = iter(record.played.chances)
    results = tuple(next(chances) if state.chancy else None for state in states[:-1])
    return Line(record.game, record.played.position, states, actions, results)


def export_line(line: Line, players: list[str] | None, resigned: int | None) -> dict[str, Any]:
    """The moves as text and, of a game that has ended, a record."""
    game, state = line.game, line.state
    moves = [game.move(at, a) for at, a in zip(line.states, line.actions, strict=False)]
    joiner = "" if game.kind.split("ab") == ["a", "b"] else " "
    found: dict[str, Any] = {"text": joiner.join(moves), "record": None, "why": ""}
    if resigned is not None and state.outcome is not None:
        raise Refused("the game is over: nobody can give it up")
    if resigned is None and state.outcome is None:
        return {**found, "why": "the game is not over: a record is of a game that has ended"}
    names = players or ["human", "human"]
    if len(names) != 2:
        raise Refused("there are two players")
    over = PlayedGame(
        index=0,
        agents=(names[0], names[1]),
        first=who_began(game, line.states[0]),
        position=line.start,
        opening=0,
        moves=tuple(moves),
        players=tuple(at.player for at in line.states[:-1]),
        chances=tuple(result for result in line.results if result is not None),
        winner=state.winner if resigned is None else 1 - resigned,
        reason=RESIGNED if resigned is not None else why_over(game, state),
        seconds=(0.0,) * len(moves),
    )
    return {**found, "record": Record(game, 0, over).line().rstrip("\n")}
