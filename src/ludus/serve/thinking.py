"""Agents think for a client: with its budget, in slices; and what they think, as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from ludus.agent import Agent, EpsilonGreedy, Tempered, Thought, agent, choose, thinking, unwrap
from ludus.agents.alphabeta import SECONDS, AlphaBeta
from ludus.agents.uct import UctAgent
from ludus.draw.picture import board_of
from ludus.draw.svg import THEMES
from ludus.game import State
from ludus.options import describe
from ludus.serve.limits import LIMITS, Limits
from ludus.serve.lines import Line
from ludus.serve.protocol import Refused
from ludus.serve.truth import Oracles
from ludus.truth.agents.perfect import Perfect

ENDLESS = 10**6  # seconds: whoever lets it work ends it
MOST_MOVES = 100  # that are told of one thought
MOST_LINE = 8  # plies of the principal variation that are told


@dataclasses.dataclass(frozen=True)
class Question:
    """A line, who thinks about it, and how much."""

    line: Line
    agent: str
    simulations: int | None = None
    seconds: float | None = None
    seed: int = 0


def prepare(question: Question, limits: Limits = LIMITS) -> tuple[Agent, float]:
    """The agent with its budget, and the seconds of work after which it is cut off.

    Seconds are those of work: a search that has its turn among others is not cheated of its time.
    """
    if question.line.state.outcome is not None:
        raise Refused("the game is over: there is nothing to think about")
    one = agent(question.agent, seed=question.seed)
    inner: Any = unwrap(one)
    seconds = limits.think_seconds if question.seconds is None else question.seconds
    kind: Any = type(inner)
    options = {option.name for option in describe(kind)}
    if question.simulations is not None:
        if "simulations" not in options:
            raise Refused(f"{question.agent} counts no simulations")
        inner = with_options(inner, simulations=question.simulations, seconds=None)
    elif question.seconds is not None:
        if not options & {"simulations", "seconds"} or getattr(inner, "counted", False):
            raise Refused(f"{question.agent} takes no time that could be bounded")
        inner = without_budget(inner, limits)
    elif (own := own_seconds(inner)) is not None:
        seconds, inner = min(own, seconds), without_budget(inner, limits)
    if isinstance(inner, UctAgent):
        inner = with_options(inner, max_nodes=min(inner.max_nodes, limits.tree_nodes))
    return rewrap(one, inner), seconds


def own_seconds(one: Any) -> float | None:
    """The seconds that an agent gives itself."""
    if isinstance(one, AlphaBeta) and (one.depth, one.nodes, one.lines) == (None, None, None):
        return SECONDS if one.seconds is None else one.seconds
    seconds: float | None = getattr(one, "seconds", None)
    return seconds


def without_budget(one: Any, limits: Limits) -> Any:
    """The same agent, thinking until it is cut off."""
    if isinstance(one, AlphaBeta):
        return with_options(one, seconds=ENDLESS)
    return with_options(one, simulations=max(limits.simulations, 10**8), seconds=None)


def with_options(one: Any, **options: Any) -> Any:
    """The same agent with other options, as far as it has them."""
    own = {field.name for field in dataclasses.fields(one) if field.init}
    return dataclasses.replace(one, **{k: v for k, v in options.items() if k in own})


def rewrap(one: Agent, inner: Agent) -> Agent:
    """Another agent in the same wrappers."""
    if isinstance(one, EpsilonGreedy | Tempered):
        return dataclasses.replace(one, agent=rewrap(one.agent, inner))
    return inner


def thoughts(oracles: Oracles, question: Question, one: Agent) -> Iterator[Any]:
    """What it thinks, in slices; the last thought says which action it takes."""
    inner = unwrap(one)
    if isinstance(inner, Perfect):
        known = yield from oracles.wait(question.line.game)
        one = rewrap(one, inner.with_oracle(known))
    yield from thinking(one, question.line.state)


def final_action(one: Agent, thought: Thought, seed: int) -> int:
    """The action that an agent takes after a thought."""
    return choose(one, thought, np.random.default_rng(seed))


def thought_json(question: Question, thought: Thought, action: int | None = None) -> dict[str, Any]:
    """A thought as JSON; with an action it is the last one."""
    line = question.line
    state = line.state
    legal = state.legal()
    visits, prior, values = thought.visits, thought.prior, thought.values or {}
    rank = sorted(legal, key=lambda a: (-thought.policy[a], 0 if visits is None else -visits[a]))
    place = action_points(line, state)
    move = line.game.move
    return {
        "agent": question.agent,
        "value": thought.value,
        "proven": thought.proven,
        "nodes": thought.nodes,
        "seconds": thought.seconds,
        "simulations": None if visits is None else int(visits.sum()),
        "line": variation(line, thought.line),
        "moves": [
            {
                "action": a,
                "move": move(state, a),
                "points": place(a),
                "policy": float(thought.policy[a]),
                "visits": None if visits is None else int(visits[a]),
                "prior": None if prior is None else float(prior[a]),
                "value": values.get(a),
            }
            for a in rank[:MOST_MOVES]
        ],
        "more": max(0, len(legal) - MOST_MOVES),
        "final": action is not None,
        "action": action,
        "move": None if action is None else move(state, action),
    }


def variation(line: Line, actions: tuple[int, ...]) -> list[dict[str, Any]]:
    """The principal variation, as far as chance does not come between."""
    states: list[State] = [line.state]
    for action in actions[:MOST_LINE]:
        if states[-1].chancy or states[-1].outcome is not None:
            break
        states.append(states[-1].play(action))
    found = [
        {
            "action": action,
            "move": line.game.move(before, action),
            "player": before.player,
            "points": action_points(line, before)(action),
        }
        for (before, _), action in zip(pairwise(states), actions, strict=False)
    ]
    if not found and actions:
        first = actions[0]
        points = action_points(line, line.state)(first)
        said = line.game.move(line.state, first)
        found = [{"action": first, "move": said, "player": line.state.player, "points": points}]
    return found


def action_points(line: Line, state: State) -> Any:
    """Where on the board an action happens: its points."""
    board = board_of(line.game, state, THEMES["light"])
    return lambda action: [[x, y] for x, y in board.place(action)]
