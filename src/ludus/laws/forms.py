"""Laws of form: text, bytes, notation, features, the mover's frame, symmetry."""

from __future__ import annotations

import random

from ludus.game import Game, State
from ludus.laws.line import RandomGame, few_actions, hold, some_states


def text(game: Game, line: RandomGame, rng: random.Random) -> None:
    """The text of a position and its bytes read back to the same, and nothing else is accepted."""
    for state in some_states(line, rng):
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


def notation(game: Game, line: RandomGame, rng: random.Random) -> None:
    """Each legal action has a move of its own, which reads back to it."""
    for state in some_states(line, rng, 3):
        legal = state.legal()
        moves = [game.move(state, action) for action in legal]
        hold(len(set(moves)) == len(moves), f"two actions of {state} are written alike")
        hold(all(game.kind.split(move) == [move] for move in moves), "a move is not one word")
        for action in few_actions(state, rng):
            read = game.action(state, game.move(state, action))
            hold(read == action, f"{game.move(state, action)} reads back as action {read}")


def features(game: Game, line: RandomGame, rng: random.Random) -> None:
    """Feature planes have their shape and finite numbers, the same for equal states."""
    import numpy as np

    for state in some_states(line, rng):
        for planes in game.kind.planes:
            array = state.features(planes)
            hold(array.shape == tuple(state.shape(planes)), f"{planes} features change their shape")
            hold(array.dtype == np.float32, f"{planes} features are {array.dtype}, not float32")
            hold(np.isfinite(array).all(), f"{planes} features of {state} are not finite")
            twin = game.state(str(state)).features(planes)
            hold(np.array_equal(array, twin), f"equal states {state} have unequal features")


def frame(game: Game, line: RandomGame, rng: random.Random) -> None:
    """The mover's frame: `seen` is its own inverse, and the mask is the legal actions in it."""
    import numpy as np

    for state in some_states(line, rng, 3):
        seen = [state.seen(action) for action in range(game.num_actions)]
        back = [state.seen(action) for action in seen]
        hold(back == list(range(game.num_actions)), f"seen twice is not the same in {state}")
        marked = np.flatnonzero(state.mask()).tolist()
        hold(marked == sorted(seen[a] for a in state.legal()), f"the mask of {state} is wrong")


def symmetry(game: Game, line: RandomGame, rng: random.Random) -> None:
    """Symmetries form a group and commute with play, legal actions, result and features."""
    for state in some_states(line, rng, 2):
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
    same = (image.player, positional_outcome(image)) == (state.player, positional_outcome(state))
    hold(same, f"symmetry {s} changes who moves or the result of {state}")
    if positional_outcome(state) is None and state.outcome is None:
        legal = sorted(state.transformed_action(s, action) for action in state.legal())
        hold(sorted(image.legal()) == legal, f"symmetry {s} changes the legal actions of {state}")


def positional_outcome(state: State) -> int | None:
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
