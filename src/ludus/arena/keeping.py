"""Agreement with truth: the share of an agent's moves that keep the exact value of the position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ludus.arena.interval import wilson
from ludus.arena.running import Played
from ludus.game import Game, State
from ludus.truth.oracle import SAME, Oracle

CHUNK = 256  # states valued between two looks at the clock


@dataclass(frozen=True)
class Kept:
    """How many of so many moves gave nothing away."""

    moves: int = 0
    kept: int = 0

    @property
    def share(self) -> float:
        return self.kept / self.moves if self.moves else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 %, by Wilson, as if moves were independent."""
        return wilson(self.kept, self.moves)

    def __add__(self, other: Kept) -> Kept:
        return Kept(self.moves + other.moves, self.kept + other.kept)


@dataclass(frozen=True)
class Move:
    """A move that somebody thought about."""

    agent: str
    state: State
    action: int
    after: State


def thought_about(game: Game, played: Played) -> list[Move]:
    """The moves of a game after its opening."""
    state = game.start() if played.position is None else game.state(played.position)
    moves = []
    for ply, move in enumerate(played.moves):
        action = game.action(state, move)
        chance = played.chances[ply] if played.chances else None
        after = state.play(action, chance=chance) if state.chancy else state.play(action)
        if ply >= played.opening:
            moves.append(Move(played.agents[state.player], state, action, after))
        state = after
    return moves


def keeping(
    oracle: Oracle,
    games: Iterable[Played],
    *,
    progress: Callable[[float], None] | None = None,
) -> dict[str, Kept]:
    """What each agent kept, over all its moves in these games."""
    moves = [move for played in games for move in thought_about(oracle.game, played)]
    found: dict[str, Kept] = {}
    for at in range(0, len(moves), CHUNK):
        chunk = moves[at : at + CHUNK]
        for move, good in zip(chunk, judged(oracle, chunk), strict=True):
            found[move.agent] = found.get(move.agent, Kept()) + Kept(1, int(good))
        if progress:
            progress((at + len(chunk)) / len(moves))
    return found


def judged(oracle: Oracle, moves: Sequence[Move]) -> list[bool]:
    """Whether each move keeps the value; chance after it is not the mover's doing."""
    if moves[0].state.chancy:
        return [move.action in oracle.best(move.state) for move in moves]
    before = oracle.values_of([move.state for move in moves])
    after = oracle.values_of([move.after for move in moves])
    signs = [1 if move.after.player == move.state.player else -1 for move in moves]
    return [sign * new >= old - SAME for sign, old, new in zip(signs, before, after, strict=True)]
