"""Agreement with truth: the share of an agent's moves that keep the exact value of the position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ludus.arena.interval import wilson
from ludus.arena.running import PlayedGame
from ludus.game import Game, State
from ludus.truth.oracle import SAME, Oracle

CHUNK = 256  # states valued between two looks at the clock


@dataclass(frozen=True)
class OptimalMoves:
    """How many of so many moves gave nothing away."""

    moves: int = 0
    optimal: int = 0

    @property
    def share(self) -> float:
        return self.optimal / self.moves if self.moves else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 %, by Wilson, as if moves were independent."""
        return wilson(self.optimal, self.moves)

    def __add__(self, other: OptimalMoves) -> OptimalMoves:
        return OptimalMoves(self.moves + other.moves, self.optimal + other.optimal)


@dataclass(frozen=True)
class Decision:
    """A move that somebody thought about."""

    agent: str
    state: State
    action: int
    after: State


def decisions_of(game: Game, played: PlayedGame) -> list[Decision]:
    """The moves of a game after its opening."""
    state = game.start() if played.position is None else game.state(played.position)
    moves = []
    for ply, move in enumerate(played.moves):
        action = game.action(state, move)
        chance = played.chances[ply] if played.chances else None
        after = state.play(action, chance=chance) if state.chancy else state.play(action)
        if ply >= played.opening:
            moves.append(Decision(played.agents[state.player], state, action, after))
        state = after
    return moves


def optimal_moves(
    oracle: Oracle,
    games: Iterable[PlayedGame],
    *,
    progress: Callable[[float], None] | None = None,
) -> dict[str, OptimalMoves]:
    """How many of each agent's moves in these games were optimal."""
    moves = [move for played in games for move in decisions_of(oracle.game, played)]
    found: dict[str, OptimalMoves] = {}
    for at in range(0, len(moves), CHUNK):
        chunk = moves[at : at + CHUNK]
        for move, good in zip(chunk, are_optimal(oracle, chunk), strict=True):
            found[move.agent] = found.get(move.agent, OptimalMoves()) + OptimalMoves(1, int(good))
        if progress:
            progress((at + len(chunk)) / len(moves))
    return found


def are_optimal(oracle: Oracle, moves: Sequence[Decision]) -> list[bool]:
    """Whether each move keeps the value; chance after it is not the mover's doing."""
    if moves[0].state.chancy:
        return [move.action in oracle.best(move.state) for move in moves]
    before = oracle.values_of([move.state for move in moves])
    after = oracle.values_of([move.after for move in moves])
    signs = [1 if move.after.player == move.state.player else -1 for move in moves]
    return [sign * new >= old - SAME for sign, old, new in zip(signs, before, after, strict=True)]
