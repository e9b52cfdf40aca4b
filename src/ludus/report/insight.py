"""What a network thinks, on boards: its first moves, and the worst move of its last games."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ludus.agent import Agent
from ludus.arena.record import Record
from ludus.game import Game, State
from ludus.learn.runs.evaluate import oracle_of, truth_of
from ludus.report.page import escape
from ludus.truth.oracle import SAME

FIRST = 4  # positions of its own line that are shown
SHOWN = 5  # moves that are listed of each
SECONDS = 4.0  # for asking the oracle


def first_moves(game: Game, agent: Agent) -> str:
    """What it would play at first, and against itself next, with the truth where it is quick."""
    oracle, state, last = oracle_of(game), game.start(), None
    cards: list[str] = []
    line: list[str] = []
    started = time.monotonic()
    while state.outcome is None and len(cards) < FIRST:
        thought = agent.think(state)
        legal = sorted(state.legal(), key=lambda one: -thought.policy[one])
        truth = truth_of(oracle, state) if oracle and time.monotonic() - started < SECONDS else None
        marks = {action: float(thought.policy[action]) for action in legal}
        board = game.draw(state, last=last, marks=marks, theme="page").svg
        rows = "".join(
            f"<tr><th><code>{escape(game.move(state, action))}</code></th>"
            f"<td class=n>{100 * thought.policy[action]:.1f} %</td>"
            f"{verdict(truth is not None and action in truth.best) if truth else ''}</tr>"
            for action in legal[:SHOWN]
        )
        worth = "" if thought.value is None else f", worth {thought.value:+.2f} to the mover"
        known = "" if truth is None else f"; in truth {truth.value:+g}"
        cards.append(
            f"<div class=card><h3>{escape('after ' + ' '.join(line) if line else 'the start')}"
            f"</h3><p class=dim>player {state.player + 1} to move{worth}{known}</p>"
            f"<div class=board>{board}</div><table>{rows}</table></div>"
        )
        last = legal[0]
        line.append(game.move(state, last))
        if state.chancy:
            break
        state = state.play(last)
    return f"<div class=grid>{''.join(cards)}</div>"


def verdict(keeps: bool) -> str:
    """Whether a move keeps the exact value."""
    return "<td>keeps the value</td>" if keeps else "<td class=dim>gives it away</td>"


@dataclass(frozen=True)
class Blunder:
    """A move that gave away more than any other."""

    record: Record
    number: int  # of the game
    ply: int
    state: State
    action: int
    before: float
    after: float
    best: Sequence[int]


def worst_blunder(game: Game, records: Iterable[Record], agent: str) -> Blunder | None:
    """The move of this agent that gave away the most, and of these the earliest in its game."""
    oracle, started = oracle_of(game), time.monotonic()
    worst: Blunder | None = None
    if oracle is None:
        return None
    for number, record in enumerate(records, 1):
        played = record.played
        plies = list(enumerate(pairwise(record.states)))[played.opening :]
        for ply, (state, _) in reversed(plies):  # the later, the sooner a search has its answer
            if played.agents[state.player] != agent:
                continue
            if time.monotonic() - started > SECONDS:
                return worst
            truth = truth_of(oracle, state)
            if truth is None or not truth.matters:
                continue
            action = game.action(state, played.moves[ply])
            worth = oracle.values(state)[action]
            lost = truth.value - worth
            if lost <= SAME:
                continue
            most = (worst.before - worst.after, -worst.ply) if worst else (0.0, 0)
            if (lost, -ply) > most:
                worst = Blunder(
                    record, number, ply, state, action, truth.value, worth, sorted(truth.best)
                )
    return worst


def blunder_card(game: Game, found: Blunder) -> str:
    """The position, what was played, and what would have kept the value."""
    state, names = found.state, found.record.played.agents
    marks = dict.fromkeys(found.best, 1.0)
    board = game.draw(state, last=found.action, marks=marks, theme="page").svg
    better = ", ".join(game.move(state, action) for action in found.best[:SHOWN])
    return (
        f"<div class=grid><div class=card><div class=board>{board}</div></div><div>"
        f"<p>At ply {found.ply + 1} {escape(names[state.player])} played "
        f"<code>{escape(game.move(state, found.action))}</code> (framed) against "
        f"{escape(names[1 - state.player])}, in a position worth {found.before:+g} to the mover; "
        f"after it that is {found.after:+g}.</p><p>These keep the value (green): "
        f"<code>{escape(better)}</code></p></div></div>"
    )
