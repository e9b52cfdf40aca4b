"""Agents think: a state in, a policy over actions out; the arena chooses the move."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol

from ludus.game import State, read_parameters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Each layer keeps the agents it can make; a spelling is looked up in these, in this order.
HOMES = ("ludus.agents", "ludus.truth.agents", "ludus.learn.agents")


@dataclass(frozen=True)
class Thought:
    """What an agent thinks of a state, and what it cost."""

    policy: NDArray[np.float64]  # [num_actions], as `legal()` numbers them; sums to one
    value: float | None = None  # for the player to move, in [-1, 1]
    line: tuple[int, ...] = ()  # the principal variation, its first action included
    nodes: int = 0  # positions looked at
    seconds: float = 0.0
    proven: bool = False  # the value is exact, by search to the end


class Agent(Protocol):
    """What thinks. Agents made from a spelling are dataclasses whose fields are their options."""

    def think(self, state: State) -> Thought: ...


def agent(spelling: str, *, seed: int = 0) -> Agent:
    """Make an agent: `agent("uct:simulations=1000", seed=1)`.

    Every agent also takes `epsilon` (now and then a random move) and `temperature` (the policy
    flattened, and the move drawn from it).
    """
    name, _, rest = spelling.partition(":")
    options = read_parameters(rest)
    wrappers = {key: options.pop(key) for key in list(options) if key in WRAPPERS}
    made = options_checked(agent_class(name), name, options, seed)
    for key, value in wrappers.items():
        made = WRAPPERS[key](made, value)
    return made


def agent_names() -> list[str]:
    """The names that a spelling can begin with."""
    homes = [home for home in HOMES if find_home(home)]
    return sorted(
        found.name
        for home in homes
        for found in iter_modules(import_module(home).__path__)
        if not found.name.startswith("_")
    )


def find_home(home: str) -> bool:
    """Whether this layer is installed."""
    parent, _, _ = home.rpartition(".")
    return (parent == "ludus" or find_home(parent)) and find_spec(home) is not None


def agent_class(name: str) -> Any:
    """The dataclass that makes agents of this name."""
    for home in HOMES:
        if find_home(home) and name.isidentifier() and find_spec(f"{home}.{name}"):
            return import_module(f"{home}.{name}").AGENT
    raise ValueError(f"no agent {name!r}; there are {', '.join(agent_names())}")


def options_checked(cls: Any, name: str, options: Mapping[str, Any], seed: int) -> Agent:
    """Make the agent; a wrong option is named beside those there are."""
    known = [field.name for field in dataclasses.fields(cls) if field.init and field.name != "seed"]
    for option in options:
        if option not in known:
            near = get_close_matches(option, known, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            there = ", ".join([*known, *WRAPPERS])
            raise ValueError(f"{name} has no option {option!r}; {hint}there are {there}")
    made: Agent = cls(**options, seed=seed)
    return made


def fresh(one: Agent, seed: int) -> Agent:
    """The same agent with nothing remembered and a seed of its own."""
    if not dataclasses.is_dataclass(one) or isinstance(one, type):
        return one  # somebody's own agent: it keeps what it likes
    inner = getattr(one, "agent", None)
    if inner is not None:
        return dataclasses.replace(one, agent=fresh(inner, seed))
    return dataclasses.replace(one, seed=seed)


def spelling_of(one: Agent) -> str:
    """How an agent is written: its name and the options that are not the defaults."""
    if isinstance(one, EpsilonGreedy | Tempered):
        inner, key = spelling_of(one.agent), one.option
        return f"{inner}{',' if ':' in inner else ':'}{key}={getattr(one, key)}"
    module = type(one).__module__
    if not dataclasses.is_dataclass(one) or not module.startswith(HOMES):
        return type(one).__name__
    changed = [
        f"{field.name}={getattr(one, field.name)}"
        for field in dataclasses.fields(one)
        if field.init and field.name != "seed" and getattr(one, field.name) != field.default
    ]
    return module.rpartition(".")[2] + (":" + ",".join(changed) if changed else "")


def uniform(state: State) -> NDArray[np.float64]:
    """Every legal action alike."""
    import numpy as np

    policy = np.zeros(state.num_actions)
    legal = state.legal()
    if not legal:
        raise ValueError("the game is over: there is nothing to think about")
    policy[legal] = 1 / len(legal)
    return policy


def chosen(policy: NDArray[np.float64], rng: np.random.Generator) -> int:
    """The most likely action; ties are broken by the generator."""
    import numpy as np

    best = np.flatnonzero(policy == policy.max())
    return int(best[rng.integers(len(best))])


@dataclass(frozen=True)
class EpsilonGreedy:
    """Another agent, now and then distracted."""

    agent: Agent
    epsilon: float
    samples = True  # its move is drawn from its policy
    option = "epsilon"

    def __post_init__(self) -> None:
        if not isinstance(self.epsilon, int | float) or not 0 <= self.epsilon <= 1:
            raise ValueError(f"epsilon is between 0 and 1, not {self.epsilon!r}")

    def think(self, state: State) -> Thought:
        import numpy as np

        thought = self.agent.think(state)
        greedy = thought.policy
        if not getattr(self.agent, "samples", False):
            greedy = (greedy == greedy.max()).astype(np.float64)
            greedy /= greedy.sum()
        policy = (1 - self.epsilon) * greedy + self.epsilon * uniform(state)
        return dataclasses.replace(thought, policy=policy)


@dataclass(frozen=True)
class Tempered:
    """Another agent whose move is drawn from its policy, sharpened or flattened."""

    agent: Agent
    temperature: float
    samples = True
    option = "temperature"

    def __post_init__(self) -> None:
        if not isinstance(self.temperature, int | float) or not 0 <= self.temperature <= 1000:
            raise ValueError(f"temperature is between 0 and 1000, not {self.temperature!r}")

    def think(self, state: State) -> Thought:
        import numpy as np

        thought = self.agent.think(state)
        policy = thought.policy
        if self.temperature == 0:
            policy = (policy == policy.max()).astype(np.float64)
        else:
            with np.errstate(divide="ignore"):
                logits = np.log(policy) / self.temperature
            policy = np.exp(logits - logits.max())
        return dataclasses.replace(thought, policy=policy / policy.sum())


WRAPPERS: dict[str, Any] = {"epsilon": EpsilonGreedy, "temperature": Tempered}


def move(one: Agent, state: State, rng: np.random.Generator) -> tuple[int, Thought]:
    """Let an agent think, and choose its action: the likeliest, or drawn if it samples."""
    thought = one.think(state)
    if getattr(one, "samples", False):
        return int(rng.choice(len(thought.policy), p=thought.policy)), thought
    return chosen(thought.policy, rng), thought
