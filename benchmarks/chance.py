"""Regret of guided search in noisy tic-tac-toe, with evaluators that know the truth, or nearly.

The evaluator says the exact value of a position, alone or plus noise of N(0, 0.3) that is the same
whenever it is asked, and even priors. Regret is the exact value of the best action less that of the
one chosen, over 500 positions where actions differ. `full` is the whole search; `root` looks only
at what the root's actions lead to; `sample` draws the results of chance, as the papers' players do.
`full - root` is their mean difference over the same positions: within its interval neither is known
to be better.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from harness import Report, parse, parser

import ludus
from ludus import _core
from ludus.game import State

SPELLING = "tictactoe:success=0.5"
NOISE = 0.3
MODES = {"full": {}, "root": {"root_only": True}, "sample": {"chance": "sample"}}


@dataclass
class Truth:
    """Exact values of positions, by what a network sees of them."""

    noise: float = 0.0
    seed: int = 0
    known: dict[bytes, float] = field(default_factory=dict)

    @cached_property
    def oracle(self) -> ludus.Oracle:
        return ludus.oracle(SPELLING)

    def value(self, seen: np.ndarray) -> float:
        key = seen.tobytes()
        if key not in self.known:
            value = self.oracle.value(state_of(seen))
            rng = np.random.default_rng([self.seed, *seen.ravel().astype(np.int64) + 1])
            self.known[key] = float(np.clip(value + self.noise * rng.standard_normal(), -1, 1))
        return self.known[key]


def state_of(seen: np.ndarray) -> State:
    """The position with these features."""
    mine, theirs, player = seen.reshape(3, 9)
    marks = "xo" if player[0] > 0 else "ox"
    cells = [marks[0] if m else marks[1] if t else "." for m, t in zip(mine, theirs, strict=True)]
    rows = ["".join(cells[row : row + 3]) for row in (0, 3, 6)]
    return ludus.game(SPELLING).state(f"{'/'.join(rows)} {marks[0]}")


def positions(count: int, oracle: ludus.Oracle) -> list[tuple[State, dict[int, float]]]:
    """Different positions of random games where actions differ, with the actions' values."""
    rng, found = ludus.rng(5), dict[str, tuple[State, dict[int, float]]]()
    while len(found) < count:
        state = ludus.game(SPELLING).start()
        while state.outcome is None and len(found) < count:
            values = oracle.values(state)
            if max(values.values()) - min(values.values()) > 1e-6:
                found.setdefault(str(state), (state, values))
            state = state.play(int(rng.choice(state.legal())), rng)
    return list(found.values())


def regrets(
    asked: list[tuple[State, dict[int, float]]], truth: Truth, simulations: int, **options: object
) -> np.ndarray:
    """What the choices of a search cost, one tree a position."""
    forest = _core.forest(asked[0][0], len(asked), seed=1, simulations=simulations, **options)
    for row, (state, _) in enumerate(asked):
        forest.seek(row, state)
    features = np.zeros((forest.max_rows, *forest.shape), np.float32)
    masks = np.zeros((forest.max_rows, forest.num_actions), np.bool_)
    while rows := forest.gather(features, masks):
        values = [truth.value(seen) for seen in features[:rows]]
        forest.scatter(masks[:rows].astype(np.float32), np.array(values, np.float32))
    chosen = [max(forest.policy(row), key=lambda pair: pair[1])[0] for row in range(len(asked))]
    pairs = zip(asked, chosen, strict=True)
    return np.array([max(values.values()) - values[action] for (_, values), action in pairs])


def interval(numbers: np.ndarray) -> float:
    """Half of the 95 % interval of a mean."""
    return float(1.96 * numbers.std() / np.sqrt(len(numbers)))


def main() -> None:
    """A row a kind of evaluator, search and number of simulations."""
    options = parser(__doc__)
    options.add_argument("--positions", type=int, default=500)
    args = parse(options, positions=20)
    asked = positions(args.positions, Truth().oracle)
    head = (
        f"{'noise':>5} {'search':>7} {'simulations':>11}  {'full':>17} {'root':>17} {'sample':>17} "
        f"{'full - root':>18}"
    )
    with Report(args, head) as report:
        for noise in (0.0, NOISE):
            for name, search in (("puct", {}), ("gumbel", {"gumbel": True, "gumbel_noise": False})):
                truth = Truth(noise)
                for simulations in (25, 100, 400):
                    found = {
                        mode: regrets(asked, truth, simulations, **search, **given)
                        for mode, given in MODES.items()
                    }
                    text = " ".join(f"{f.mean():.5f} ± {interval(f):.5f}" for f in found.values())
                    apart = found["full"] - found["root"]
                    report.add(
                        f"{noise:5} {name:>7} {simulations:11}  {text} "
                        f"{apart.mean():+.5f} ± {interval(apart):.5f}",
                        noise=noise,
                        search=name,
                        simulations=simulations,
                        apart=[apart.mean(), interval(apart)],
                        **{mode: [f.mean(), interval(f)] for mode, f in found.items()},
                    )


if __name__ == "__main__":
    main()
