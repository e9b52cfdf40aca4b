"""A network agent that thinks of a position's canonical image, so that images get one answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ludus.agent import Thought
from ludus.game import State, canonical_image

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludus.learn.networks.player import NetworkAgent


@dataclass(frozen=True)
class Canonical:
    """Thinks of the image with the least text, and turns back what it has thought.

    The past of a game is no part of what it thinks of.
    """

    agent: NetworkAgent

    def think_many(self, states: Sequence[State]) -> list[Thought]:
        images = [canonical_image(state) for state in states]
        thoughts = self.agent.think_many([image for _, image in images])
        return [
            turn_back(thought, state, symmetry)
            for thought, state, (symmetry, _) in zip(thoughts, states, images, strict=True)
        ]

    def thinking(self, state: State) -> Iterator[Thought]:
        """The same in slices."""
        symmetry, image = canonical_image(state)
        for thought in self.agent.thinking(image):
            yield turn_back(thought, state, symmetry)

    def evaluate_states(self, states: Sequence[State]) -> list[float]:
        """What the network says that states are worth to the player to move."""
        return self.agent.evaluate_states([canonical_image(state)[1] for state in states])


def turn_back(thought: Thought, state: State, symmetry: int) -> Thought:
    """A thought about the image of a state, as one about the state."""
    if not symmetry:
        return thought
    images = action_images(state, symmetry)
    values = thought.values
    return replace(
        thought,
        policy=thought.policy[images],
        line=tuple(int(action) for action in np.argsort(images)[list(thought.line)]),
        visits=of_images(thought.visits, images),
        prior=of_images(thought.prior, images),
        values=None
        if values is None
        else {action: values[to] for action, to in enumerate(images.tolist()) if to in values},
    )


def action_images(state: State, symmetry: int) -> NDArray[np.int64]:
    """What each action becomes."""
    actions = range(state.num_actions)
    return np.array([state.transformed_action(symmetry, action) for action in actions], np.int64)


def of_images(numbers: Any, images: NDArray[np.int64]) -> Any:
    """What is said of the images of actions, for the actions themselves."""
    return None if numbers is None else numbers[images]
