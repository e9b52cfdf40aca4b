"""The laws every game obeys, checked on random play: for our tests and for `ludus check-game`."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ludus.game import Game, State

LONGEST = 20_000  # plies after which a random game is taken not to end
ACTIONS = 12  # actions tried in a state where trying all would be slow


class BrokenError(Exception):
    """A law does not hold, and how."""


@dataclass(frozen=True)
class Line:
    """A random game: its states, and the actions between them."""

    states: list[State]
    actions: list[int]


def hold(condition: object, sentence: str) -> None:
    """Break the law unless the condition is true."""
    if not condition:
        raise BrokenError(sentence)


def played(game: Game, rng: random.Random) -> Line:
    """Play one random game to its end."""
    states, actions = [game.start(rng)], list[int]()
    while states[-1].outcome is None and len(actions) < LONGEST:
        actions.append(rng.choice(states[-1].legal()))
        states.append(states[-1].play(actions[-1], rng))
    return Line(states, actions)


def some(line: Line, rng: random.Random, most: int = 6) -> list[State]:
    """The first state, the last, and a few between."""
    inner = line.states[1:-1]
    return [line.states[0], *rng.sample(inner, min(most, len(inner))), line.states[-1]]


def few_actions(state: State, rng: random.Random) -> list[int]:
    """Legal actions, all or a sample."""
    legal = state.legal()
    return rng.sample(legal, min(ACTIONS, len(legal)))


def legality(game: Game, line: Line, rng: random.Random) -> None:
    """Legal actions exist exactly while the game goes on, and no others can be played."""
    for state in line.states:
        legal = state.legal()
        over = state.outcome is not None
        hold(over != bool(legal), f"{state} has outcome {state.outcome} and {len(legal)} actions")
        hold(len(set(legal)) == len(legal), f"{state} lists an action twice")
        hold(all(0 <= a < game.num_actions for a in legal), f"{state} has an action out of range")
    for state in some(line, rng):
        allowed = set(state.legal())
        tried = [-1, game.num_actions, 2**31, 10**30, *range(game.num_actions)]
        if len(tried) > 300:
            tried = tried[:4] + rng.sample(tried[4:], 296)
        before = str(state)
        for action in tried:
            if action not in allowed:
                hold(refuses(state, action), f"{before} lets the illegal action {action} happen")
        hold(str(state) == before, f"{before} was changed by an illegal action")


def refuses(state: State, action: int) -> bool:
    """Whether an illegal action gets a ValueError."""
    try:
        state.play(action)
    except ValueError:
        return True
    return False


def ends(game: Game, line: Line, rng: random.Random) -> None:
    """Every playout ends, with a result for the opponent of the last mover."""
    last = line.states[-1]
    outcome = last.outcome
    if outcome is None:
        raise BrokenError(f"a random game was not over after {LONGEST} plies")
    hold(outcome in (-1, 0, 1), f"{last} has outcome {outcome}")
    if line.actions:
        mover = line.states[-2].player
        hold(last.player == 1 - mover, f"{last} is over, and the last mover is to move")
    hold(last.plies == len(line.actions), f"{last} counts {last.plies} plies")
    expected = (outcome, -outcome) if last.player == 0 else (-outcome, outcome)
    hold(last.returns == expected, f"{last} has returns {last.returns}, not {expected}")
    winner = None if outcome == 0 else expected.index(1)
    hold(last.winner == winner, f"{last} has winner {last.winner}, not {winner}")
    for state in line.states[:-1]:
        hold(state.player in (0, 1), f"{state} has player {state.player}")
        hold(state.winner is None and state.returns is None, f"{state} has a result too early")


def values(game: Game, line: Line, rng: random.Random) -> None:
    """States are values: playing changes no old state; equal states have equal hashes."""
    for state in some(line, rng):
        before = str(state), state.player, state.outcome, hash(state), state.plies
        for action in few_actions(state, rng):
            child = state.play(action, rng)
            hold(child.plies == state.plies + 1, f"{state} does not count the ply")
        after = str(state), state.player, state.outcome, hash(state), state.plies
        hold(before == after, f"{before[0]} was changed by playing on from it")
        twin = game.state(str(state))
        hold(twin == state and hash(twin) == hash(state), f"{state} is not equal to its twin")
        hold(twin.key == state.key, f"{state} has another key than its twin")
        stranger: object = "something else"
        hold(state != stranger, f"{state} equals a string")


def text(game: Game, line: Line, rng: random.Random) -> None:
    """The text of a position and its bytes read back to the same, and nothing else is accepted."""
    for state in some(line, rng):
        written = str(state)
        hold(str(game.state(written)) == written, f"{written!r} reads back as something else")
        for wrong in (written + " ", " " + written, written + written, written[:-1], ""):
            hold(rejects(game, wrong), f"{wrong!r} is not canonical and was accepted")
        data = bytes(state)  # type: ignore[call-overload]
        restored = game.state(data)
        hold(restored == state and bytes(restored) == data, f"{written!r} changes as bytes")  # type: ignore[call-overload]
        same = restored.plies == state.plies and restored.outcome == state.outcome
        hold(same, f"{written!r} loses its history as bytes")
        hold(rejects(game, data[:-1]), f"the bytes of {written!r} are accepted without the last")


def rejects(game: Game, form: str | bytes) -> bool:
    """Whether a form is refused; one that reads back to itself is canonical after all."""
    try:
        state = game.state(form)
    except ValueError:
        return True
    return isinstance(form, str) and str(state) == form


def notation(game: Game, line: Line, rng: random.Random) -> None:
    """Each legal action has a move of its own, which reads back to it."""
    for state in some(line, rng, 3):
        legal = state.legal()
        moves = [game.move(state, action) for action in legal]
        hold(len(set(moves)) == len(moves), f"two actions of {state} are written alike")
        hold(all(game.kind.split(move) == [move] for move in moves), "a move is not one word")
        for action in few_actions(state, rng):
            read = game.action(state, game.move(state, action))
            hold(read == action, f"{game.move(state, action)} reads back as action {read}")


def features(game: Game, line: Line, rng: random.Random) -> None:
    """Feature planes have their shape and finite numbers, the same for equal states."""
    import numpy as np

    for state in some(line, rng):
        for planes in game.kind.planes:
            array = state.features(planes)
            hold(array.shape == tuple(state.shape(planes)), f"{planes} features change their shape")
            hold(array.dtype == np.float32, f"{planes} features are {array.dtype}, not float32")
            hold(np.isfinite(array).all(), f"{planes} features of {state} are not finite")
            twin = game.state(str(state)).features(planes)
            hold(np.array_equal(array, twin), f"equal states {state} have unequal features")


def frame(game: Game, line: Line, rng: random.Random) -> None:
    """The mover's frame: `seen` is its own inverse, and the mask is the legal actions in it."""
    import numpy as np

    for state in some(line, rng, 3):
        seen = [state.seen(action) for action in range(game.num_actions)]
        back = [state.seen(action) for action in seen]
        hold(back == list(range(game.num_actions)), f"seen twice is not the same in {state}")
        marked = np.flatnonzero(state.mask()).tolist()
        hold(marked == sorted(seen[a] for a in state.legal()), f"the mask of {state} is wrong")


def symmetry(game: Game, line: Line, rng: random.Random) -> None:
    """Symmetries form a group and commute with play, legal actions, result and features."""
    for state in some(line, rng, 2):
        group = range(state.num_symmetries)
        hold(state.transformed(0) == state, f"symmetry 0 moves {state}")
        images = [state.transformed(s) for s in group]
        for s in group:
            inverses = [t for t in group if images[s].transformed(t) == state]
            hold(inverses, f"symmetry {s} has no inverse in {state}")
            for t in group:
                hold(images[s].transformed(t) in images, f"symmetries {s}, {t} leave the group")
            keeps(game, state, images[s], s)
            for action in few_actions(state, rng):
                commutes(state, images[s], s, action)
            for planes in game.kind.planes:
                same_planes(state, images[s], s, planes)


def keeps(game: Game, state: State, image: State, s: int) -> None:
    """The image has the same mover, result and, transformed, the same legal actions."""
    same = (image.player, positional(image)) == (state.player, positional(state))
    hold(same, f"symmetry {s} changes who moves or the result of {state}")
    if positional(state) is None and state.outcome is None:
        legal = sorted(state.transformed_action(s, action) for action in state.legal())
        hold(sorted(image.legal()) == legal, f"symmetry {s} changes the legal actions of {state}")


def positional(state: State) -> int | None:
    """The outcome as far as the position alone decides it."""
    return state.transformed(0).outcome


def commutes(state: State, image: State, s: int, action: int) -> None:
    """Playing then transforming is transforming then playing."""
    turned = state.transformed_action(s, action)
    if state.chancy:
        first = {(state.play(action, None, r).transformed(s), p) for r, p in state.chances(action)}
        second = {(image.play(turned, None, r), p) for r, p in image.chances(turned)}
        hold(
            {key for key, _ in first} == {key for key, _ in second},
            f"symmetry {s} does not commute with chance after action {action} of {state}",
        )
    else:
        same = state.play(action).transformed(s) == image.play(turned)
        hold(same, f"symmetry {s} does not commute with action {action} of {state}")


def same_planes(state: State, image: State, s: int, planes: str) -> None:
    """The image's planes are the planes with their cells moved."""
    import numpy as np

    before = state.features(planes)
    flat = before.reshape(before.shape[0], -1)
    moved = np.empty_like(flat)
    moved[:, [state.transformed_cell(s, cell) for cell in range(flat.shape[1])]] = flat
    same = np.array_equal(moved.reshape(before.shape), image.features(planes))
    hold(same, f"symmetry {s} does not commute with the {planes} features of {state}")


def chance(game: Game, line: Line, rng: random.Random) -> None:
    """What chance may bring is listed once each, with probabilities that sum to one."""
    for state in some(line, rng):
        for action in few_actions(state, rng):
            outcomes = state.chances(action)
            results = [result for result, _ in outcomes]
            hold(len(set(results)) == len(results), f"a result of chance is listed twice: {state}")
            total = math.fsum(p for _, p in outcomes)
            hold(all(p > 0 for _, p in outcomes), f"a result without probability: {state}")
            hold(abs(total - 1) < 1e-9, f"probabilities of {state} sum to {total}")
            if state.chancy:
                reached = {state.play(action, None, result) for result in results}
                hold(state.play(action, rng) in reached, f"an unlisted result of chance: {state}")
                hold(needs_rng(state, action), f"{state} plays chance without a generator")


def needs_rng(state: State, action: int) -> bool:
    """Whether chance without a generator gets a ValueError."""
    try:
        state.play(action)
    except ValueError:
        return True
    return False


Check = Callable[[Game, Line, random.Random], None]
LAWS: dict[str, Check] = {
    law.__name__: law
    for law in (legality, ends, values, text, notation, features, frame, symmetry, chance)
}


def check(game: Game, seed: int, games: int) -> Iterator[tuple[str, str, str | None]]:
    """Check every law on random games: yields its name, its sentence and how it broke, or None."""
    for name, law in LAWS.items():
        broken: str | None = None
        try:
            for index in range(games):
                rng = random.Random(f"{seed}:{index}")
                law(game, played(game, rng), rng)
        except BrokenError as error:
            broken = str(error)
        except Exception as error:  # a game written elsewhere may fail in any way
            broken = f"{type(error).__name__}: {error}"
        yield name, summary(law), broken


def summary(law: Any) -> str:
    """The first sentence of what a law says of itself."""
    return str(law.__doc__).split("\n")[0]
