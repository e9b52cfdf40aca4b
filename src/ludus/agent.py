"""Agents think: a state in, a policy over actions out; the arena chooses the move."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol

from ludus.game import State, read_parameters
from ludus.markup import html_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Policy = NDArray[np.float64]

SHOWN = 8  # actions of a thought that a notebook lists
# Each layer keeps the agents it can make; a spelling is looked up in these, in this order.
HOMES = ("ludus.agents", "ludus.truth.agents", "ludus.learn.agents")


@dataclass(frozen=True, repr=False)
class Thought:
    """What an agent thinks of a state, and what it cost."""

    policy: NDArray[np.float64]  # [num_actions], as `legal()` numbers them; sums to one
    value: float | None = None  # for the player to move, in [-1, 1]
    line: tuple[int, ...] = ()  # the principal variation, its first action included
    nodes: int = 0  # positions looked at
    seconds: float = 0.0
    proven: bool = False  # the value is exact, by search to the end
    # By action, as far as the agent knows: visits of a tree, priors of a network, values for the
    # player to move. Two thoughts are compared without them.
    visits: NDArray[np.int64] | None = field(default=None, compare=False)
    prior: NDArray[np.float64] | None = field(default=None, compare=False)
    values: Mapping[int, float] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        best = int(self.policy.argmax())
        value = "" if self.value is None else f", value {self.value:+.3f}"
        exact = " (exact)" if self.proven else ""
        share = float(self.policy[best])
        return f"<Thought: action {best} with {share:.1%}{value}{exact}, {self.nodes:,} nodes>"

    def _repr_html_(self) -> str:
        import numpy as np

        head = ["action", "policy"]
        known = {"prior": self.prior, "value": self.values, "visits": self.visits}
        head += [name for name, by_action in known.items() if by_action is not None]
        rows = []
        for action in np.argsort(-self.policy, kind="stable")[:SHOWN]:
            if self.policy[action] <= 0:
                break
            row = [action, f"{self.policy[action]:.1%}"]
            if self.prior is not None:
                row.append(f"{self.prior[action]:.1%}")
            if self.values is not None:
                worth = self.values.get(int(action))
                row.append("" if worth is None else f"{worth:+.3f}")
            if self.visits is not None:
                row.append(f"{self.visits[action]:,}")
            rows.append(row)
        return html_table(head, rows, repr(self).strip("<>"))


class Agent(Protocol):
    """What thinks. Agents made from a spelling are dataclasses whose fields are their options.

    By choice an agent says more of itself: `native = True` if thinking leaves the interpreter free,
    so that threads help; `samples = True` if its move is drawn from its policy; `named_by = "run"`
    if its name in spellings is in that field; `think_many(states)` if it thinks best of many
    games at once and remembers none of them (`batched = False` if it does not with these options);
    `counted = True` if it has to know beforehand how many simulations there will be; and
    `evaluate(states)` if it is a `Judge` too.
    """

    def think(self, state: State) -> Thought: ...


class Judge(Protocol):
    """An agent that says what states are worth without a search."""

    def evaluate(self, states: Sequence[State]) -> Sequence[float]:
        """For the player to move, in [-1, 1]; no game may be over."""
        ...


class ForgetsOnCopy:
    """A dataclass of an agent that remembers; a copy has its options and remembers nothing."""

    def __getstate__(self) -> dict[str, Any]:
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        return {field.name: getattr(self, field.name) for field in fields if field.init}

    def __setstate__(self, options: dict[str, Any]) -> None:
        self.__init__(**options)  # type: ignore[misc]


class Resigned(Exception):  # noqa: N818  (an event, not an error)
    """Raised by an agent that gives up the game it is asked about."""


def agent(spelling: str, *, seed: int = 0) -> Agent:
    """Make an agent: `agent("uct:simulations=1000", seed=1)`.

    Every agent also takes `epsilon` (now and then a random move) and `temperature` (the policy
    flattened, and the move drawn from it).
    """
    if not isinstance(spelling, str):
        raise ValueError(f"an agent is given by its spelling, not {spelling!r:.60}")
    name, _, rest = spelling.partition(":")
    options = read_parameters(rest)
    cls = agent_class(name)
    own = cls.__dataclass_fields__  # an agent may have its own idea of an option
    wrappers = {key: options.pop(key) for key in list(options) if key in WRAPPERS.keys() - own}
    made = agent_from_options(cls, name, options, seed)
    for key, value in wrappers.items():
        made = WRAPPERS[key](made, value)
    return made


def check_thinks(one: object) -> None:
    """Refuse what is no agent."""
    if isinstance(one, type) or not callable(getattr(one, "think", None)):
        raise TypeError(
            "an agent is its spelling, such as 'random', or an object with think(state), "
            f"not {one!r:.60}"
        )


def check_thought(thought: object, actions: int, name: str) -> None:
    """Refuse what an agent of somebody's own has returned, if it is no thought."""
    import numpy as np

    if not isinstance(thought, Thought):
        raise TypeError(
            f"{name} returned {thought!r:.60} from think(state), which returns a ludus.Thought: "
            "a policy over all actions, and perhaps a value"
        )
    policy = thought.policy
    if not isinstance(policy, np.ndarray) or policy.shape != (actions,) or policy.dtype.kind == "O":
        raise TypeError(
            f"the policy of {name} is an array of {actions} numbers, one for each action, "
            f"not {policy!r:.60}"
        )
    if not np.isfinite(policy).all():
        raise ValueError(f"the policy of {name} holds what is not finite: {policy!r:.60}")


def check_state(state: object) -> None:
    """Refuse what no agent can think of."""
    if not hasattr(state, "legal"):
        raise TypeError(
            f"an agent thinks of a state, such as ludus.game(...).start(), not {state!r:.60}"
        )


def is_foreign(one: Agent) -> bool:
    """Whether it is an agent of somebody's own."""
    return not type(unwrap(one)).__module__.startswith("ludus.")


def find_judge(spelling: str) -> Judge:
    """Make an agent that evaluates states. No Python file runs for that."""
    name, _, _ = spelling.partition(":")
    if name.endswith(".py") or not hasattr(agent_class(name), "evaluate"):
        raise ValueError(
            f"{spelling!r:.60} evaluates no positions; a judge is a learned network, such as "
            "runs/x@best or zoo/connect4"
        )
    judge: Any = agent(spelling)
    return judge  # type: ignore[no-any-return]


def agent_names() -> list[str]:
    """The names that a spelling can begin with."""
    return sorted(homes())


def homes() -> dict[str, str]:
    """Which layer keeps the agents of a name; the first that has it."""
    found: dict[str, str] = {}
    for home in filter(find_home, HOMES):
        for module in iter_modules(import_module(home).__path__):
            if not module.name.startswith("_"):
                found.setdefault(module.name, home)
    return found


def find_home(home: str) -> bool:
    """Whether this layer is installed."""
    parent, _, _ = home.rpartition(".")
    return (parent == "ludus" or find_home(parent)) and find_spec(home) is not None


def agent_class(name: str) -> Any:
    """The dataclass that makes agents of this name, or the one in a Python file of your own."""
    if name.endswith(".py"):
        from ludus.written import class_in

        cls = class_in(name, "think")
        if not dataclasses.is_dataclass(cls) or "seed" not in cls.__dataclass_fields__:
            raise ValueError(f"{cls.__name__} in {name} is not a dataclass with a field seed")
        return cls
    if home := homes().get(name):
        return import_module(f"{home}.{name}").AGENT
    for home in filter(find_home, HOMES):
        find = getattr(import_module(home), "find_agent", None)
        found = find(name) if find else None
        if found is not None:
            return found
    raise ValueError(f"no agent {name!r}; there are {', '.join(agent_names())}")


def agent_from_options(cls: Any, name: str, options: Mapping[str, Any], seed: int) -> Agent:
    """Make the agent; a wrong option is named beside those there are."""
    own = {"seed", getattr(cls, "named_by", "seed")}
    known = [
        field.name for field in dataclasses.fields(cls) if field.init and field.name not in own
    ]
    for option in options:
        if option not in known:
            near = get_close_matches(option, known, 1)
            hint = f"did you mean {near[0]}? " if near else ""
            there = ", ".join(dict.fromkeys([*known, *WRAPPERS]))
            raise ValueError(f"{name} has no option {option!r}; {hint}there are {there}")
    made: Agent = cls(**{getattr(cls, "named_by", "seed"): name, **options, "seed": seed})
    return made


def fresh(one: Agent, seed: int) -> Agent:
    """The same agent with nothing remembered and a seed of its own."""
    if not dataclasses.is_dataclass(one) or isinstance(one, type):
        return one  # somebody's own agent: it keeps what it likes
    if isinstance(one, EpsilonGreedy | Tempered):
        return dataclasses.replace(one, agent=fresh(one.agent, seed))
    seeded = any(field.init and field.name == "seed" for field in dataclasses.fields(one))
    anew: Agent = dataclasses.replace(one, **({"seed": seed} if seeded else {}))
    return anew


def spelling_of(one: Agent) -> str:
    """How an agent is written: its name and the options that are not the defaults."""
    if isinstance(one, EpsilonGreedy | Tempered):
        inner, key = spelling_of(one.agent), one.option
        return f"{inner}{',' if ':' in inner else ':'}{key}={getattr(one, key)}"
    name = name_of(one)
    if not dataclasses.is_dataclass(one) or name is None:
        return type(one).__name__
    changed = [
        f"{field.name}={getattr(one, field.name)}"
        for field in dataclasses.fields(one)
        if field.init
        and field.name not in ("seed", getattr(one, "named_by", "seed"))
        and getattr(one, field.name) != field.default
    ]
    return name + (":" + ",".join(changed) if changed else "")


def name_of(one: Agent) -> str | None:
    """The name, or the file, that an agent of this class is made from; None if it has neither."""
    from ludus.written import source_of

    if hasattr(one, "named_by"):
        return str(getattr(one, one.named_by))
    module = type(one).__module__
    return module.rpartition(".")[2] if module.startswith(HOMES) else source_of(type(one))


def respellable(one: Agent) -> bool:
    """Whether its spelling makes the same agent again, in another process say."""
    if isinstance(one, EpsilonGreedy | Tempered):
        return respellable(one.agent)
    return name_of(one) is not None


def game_key(state: Any) -> str:
    """What tells states of one game from those of another; a Python class does not spell itself."""
    check_state(state)
    if hasattr(state, "spelling"):
        return str(state.spelling)
    return f"{type(getattr(state, 'inner', state)).__qualname__} {state.num_actions}"


def uniform(state: State) -> NDArray[np.float64]:
    """Every legal action alike."""
    import numpy as np

    check_state(state)
    policy = np.zeros(state.num_actions)
    legal = state.legal()
    if not legal:
        raise ValueError("the game is over: there is nothing to think about")
    policy[legal] = 1 / len(legal)
    return policy


def likeliest_action(policy: NDArray[np.float64], rng: np.random.Generator) -> int:
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
        check_thinks(self.agent)
        if not isinstance(self.epsilon, int | float) or not 0 <= self.epsilon <= 1:
            raise ValueError(f"epsilon is between 0 and 1, not {self.epsilon!r}")

    def think(self, state: State) -> Thought:
        return self.adjust(self.agent.think(state), state)

    def adjust(self, thought: Thought, state: State) -> Thought:
        policy = self.mix_policy(thought.policy, uniform(state))
        return dataclasses.replace(thought, policy=policy)

    def mix_policy(self, policy: Policy, even: Policy) -> Policy:
        """The policy once distracted, or a row of it for each state; `even` is all moves alike."""
        greedy = policy
        if not getattr(self.agent, "samples", False):
            greedy = (policy == policy.max(-1, keepdims=True)).astype(policy.dtype)
            greedy /= greedy.sum(-1, keepdims=True)
        return (1 - self.epsilon) * greedy + self.epsilon * even


@dataclass(frozen=True)
class Tempered:
    """Another agent whose move is drawn from its policy, sharpened or flattened."""

    agent: Agent
    temperature: float
    samples = True
    option = "temperature"

    def __post_init__(self) -> None:
        check_thinks(self.agent)
        if not isinstance(self.temperature, int | float) or not 0 <= self.temperature <= 1000:
            raise ValueError(f"temperature is between 0 and 1000, not {self.temperature!r}")

    def think(self, state: State) -> Thought:
        return self.adjust(self.agent.think(state), state)

    def adjust(self, thought: Thought, state: State) -> Thought:
        return dataclasses.replace(thought, policy=self.mix_policy(thought.policy, thought.policy))

    def mix_policy(self, policy: Policy, even: Policy) -> Policy:
        """The policy at this temperature, or a row of it for each state."""
        import numpy as np

        if self.temperature == 0:
            policy = (policy == policy.max(-1, keepdims=True)).astype(np.float64)
        else:
            with np.errstate(divide="ignore"):
                logits = np.log(policy) / self.temperature
            policy = np.exp(logits - logits.max(-1, keepdims=True))
        return np.asarray(policy / policy.sum(-1, keepdims=True))


WRAPPERS: dict[str, Any] = {"epsilon": EpsilonGreedy, "temperature": Tempered}


def unwrap(one: Agent) -> Agent:
    """The agent that thinks, inside its wrappers."""
    return unwrap(one.agent) if isinstance(one, EpsilonGreedy | Tempered) else one


def native(one: Agent) -> bool:
    """Whether thinking leaves the interpreter free."""
    return bool(getattr(unwrap(one), "native", False))


def is_batched(one: Agent) -> bool:
    """Whether it thinks best of many games at once."""
    inner = unwrap(one)
    return hasattr(inner, "think_many") and bool(getattr(inner, "batched", True))


def think_many(one: Agent, states: Sequence[State]) -> list[Thought]:
    """A thought for each state, all at once where the agent can."""
    if isinstance(one, EpsilonGreedy | Tempered):
        thoughts = think_many(one.agent, states)
        return [one.adjust(thought, at) for thought, at in zip(thoughts, states, strict=True)]
    if not is_batched(one):
        return [one.think(state) for state in states]
    many: list[Thought] = one.think_many(states)  # type: ignore[attr-defined]
    return many


def thinking(one: Agent, state: State) -> Iterator[Thought | None]:
    """Think in slices: better and better thoughts, None where there is none yet."""
    if isinstance(one, EpsilonGreedy | Tempered):
        for thought in thinking(one.agent, state):
            yield None if thought is None else one.adjust(thought, state)
    elif hasattr(one, "thinking"):
        yield from one.thinking(state)
    else:
        yield one.think(state)


def choose(one: Agent, thought: Thought, rng: np.random.Generator) -> int:
    """The action an agent takes after this thought: the likeliest, or drawn if it samples."""
    if getattr(one, "samples", False):
        return int(rng.choice(len(thought.policy), p=thought.policy))
    return likeliest_action(thought.policy, rng)


def move(one: Agent, state: State, rng: np.random.Generator) -> tuple[int, Thought]:
    """Let an agent think, and choose its action."""
    thought = one.think(state)
    return choose(one, thought, rng), thought
