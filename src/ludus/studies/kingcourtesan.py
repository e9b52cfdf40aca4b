"""King and Courtesan: alpha-beta, two gradient methods and two without gradients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from ludus.studies.engine.branching import Branching
from ludus.studies.engine.games import Games
from ludus.studies.engine.players import Learned, PlayerGiven, Unmasked, Woven
from ludus.studies.engine.study import (
    Along,
    Cell,
    Claim,
    Extent,
    Figure,
    Grid,
    Pick,
    Series,
    Study,
    StudyQuestion,
    Through,
)
from ludus.studies.engine.training import Training, train

GAME = "kingcourtesan:size=6"
# The paper names the terms of its evaluation and prints neither weights nor a budget. All terms
# alike, captures among the good ones, and one ply of search is the weakest form of what it says.
ALIKE = "material:1+mobility:1+captures:1+king:1+enemy_king:1+pursuit:1+safety:1"
WEAK = f"alphabeta:depth=1,quiescence=false,weights={ALIKE}"
LADDER = {
    "weak (one ply, all terms alike)": WEAK,
    "two plies, all terms alike": f"alphabeta:depth=2,quiescence=false,weights={ALIKE}",
    "one ply, our weights": "alphabeta:depth=1",
    "two plies, our weights": "alphabeta:depth=2",
    "three plies, our weights": "alphabeta:depth=3",
}
RANDOM_WINS = "win_rate random"
NAMES = {"DQN": "dqn", "REINFORCE": "reinforce", "CEM": "cem", "(1+1)-SA-ES": "saes"}


class KingCourtesanTrainings:
    """The learners at one scale."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self.games = extent.of(2, 100, 100)
        self.dqn = self.of("dqn", "kingcourtesan-correct", **self.episodes(300, 2_500))
        self.printed = self.of("dqn", "kingcourtesan", **self.episodes(300, 2_500))
        self.reinforce = self.of("reinforce", "kingcourtesan", **self.episodes(2_000, 10_000))
        self.cem = self.of("cem", "kingcourtesan", **self.generations("cem"))
        self.saes = self.of("saes", "kingcourtesan", **self.generations("saes"))
        self.learners: dict[str, Training] = {
            "DQN": self.dqn,
            "REINFORCE": self.reinforce,
            "CEM": self.cem,
            "(1+1)-SA-ES": self.saes,
        }

    def episodes(self, laptop: int, paper: int) -> dict[str, Any]:
        """How many games a gradient method learns from."""
        return {
            "total_games": self.extent.of(2, laptop, paper),
            "eval_freq_games": self.extent.of(1, laptop // 10, paper // 25),
        }

    def generations(self, method: str) -> dict[str, Any]:
        """How many populations one without gradients judges."""
        tiny = {"steps": 1, "fitness_games": 1, "eval_freq": 1}
        if method == "cem":
            return self.extent.settings(
                {**tiny, "population_size": 4}, {"steps": 12, "fitness_games": 8, "eval_freq": 2}
            )
        return self.extent.settings(tiny, {"steps": 400, "eval_freq": 40})

    def of(self, method: str, preset: str, **settings: Any) -> Training:
        """A training of the paper, in a network that this scale has time for."""
        size = self.extent.settings({"width": 4, "n_eval_games": 2}, {"width": 16})
        if method == "dqn":
            size |= self.extent.settings(
                {"learning_starts": 40}, {"learning_starts": 500, "exploration_decay_games": 60.0}
            )
        return train(method, preset=preset, eval_truth_states=0, **{**size, **settings})

    def meet(self, a: PlayerGiven, b: PlayerGiven, games: int = 0, **options: Any) -> Games:
        """Games from openings of two random plies, so that they differ."""
        return Games(GAME, a, b, games or self.games, openings="random:2", **options)


def table_1(of: KingCourtesanTrainings) -> StudyQuestion:
    """Every agent against every other, with the weak alpha-beta in the place of the paper's."""
    players: dict[str, PlayerGiven] = {"IDAB": WEAK}
    players |= {name: one.agent() for name, one in of.learners.items()}
    met = {(a, b): of.meet(players[a], players[b]) for a, b in combinations(players, 2)}
    keys = {"IDAB": "idab", **NAMES}

    def cell(a: str, b: str) -> Cell:
        if a == b:
            return Cell()
        forward = (a, b) in met
        pick = Pick(met[a, b] if forward else met[b, a], "points" if forward else "points B")
        row = {"IDAB": "idab", "DQN": "dqn", "REINFORCE": "reinforce"}.get(a, "")
        evolved = " evolved" if keys[b] in ("cem", "saes") else ""
        return Cell(pick, f"table-1/{row}{evolved}.{keys[b]}" if row else "")

    rows = [(a, [cell(a, b) for b in players]) for a in players]
    return StudyQuestion(
        "table-1",
        "Head to head (table I)",
        "100 games of each two; the share of the row against the column. The paper's alpha-beta "
        "loses to all learners; its depth, time and weights are not printed. Here IDAB is a named "
        f"weak one, {WEAK}; the next question has stronger ones.",
        grids=[Grid("Points of the row against the column", list(players), rows)],
        claims=[
            Claim("IDAB loses to DQN", Pick(met["IDAB", "DQN"], "points B"), 0.5),
            Claim("IDAB loses to REINFORCE", Pick(met["IDAB", "REINFORCE"], "points B"), 0.5),
            Claim("DQN beats REINFORCE", Pick(met["DQN", "REINFORCE"], "points"), 0.5),
            *(
                Claim(f"{name} beats {other}", Pick(met[other, name], "points B"), 0.5)
                for other in ("DQN", "REINFORCE")
                for name in ("CEM", "(1+1)-SA-ES")
            ),
        ],
        boards=[met["IDAB", "DQN"]],
    )


def why_weak(of: KingCourtesanTrainings) -> StudyQuestion:
    """Which alpha-beta the learners beat."""
    best = {"DQN": of.dqn.agent(), "REINFORCE": of.reinforce.agent()}
    met = {(a, b): of.meet(one, LADDER[b]) for a, one in best.items() for b in LADDER}
    deep = list(LADDER)
    return StudyQuestion(
        "weak-alphabeta",
        "Why the paper's learners beat its alpha-beta",
        "The paper's learners take 65 and 70 % from its alpha-beta. Here they meet alpha-betas "
        "from the weakest form of what it describes to three plies with our weights.",
        grids=[
            Grid(
                "Points against alpha-beta",
                deep,
                [
                    (
                        a,
                        [
                            Cell(
                                Pick(met[a, b], "points"),
                                f"table-1/{NAMES[a]}.idab" if b == deep[0] else "",
                            )
                            for b in deep
                        ],
                    )
                    for a in best
                ],
            )
        ],
        claims=[
            Claim(
                f"{a} takes less from three plies than from the weak one",
                Pick(met[a, deep[0]], "points"),
                Pick(met[a, deep[-1]], "points"),
            )
            for a in best
        ],
        boards=[met["DQN", deep[-1]]],
    )


def figure_1(of: KingCourtesanTrainings) -> StudyQuestion:
    """All methods on one axis of games."""
    return StudyQuestion(
        "figure-1",
        "Training of all methods on one axis of games (figure 1)",
        "The paper draws expected returns over episodes; here games won against random, and what "
        "a game pays in training. Methods without gradients count every game of every network. "
        "DQN as printed has the target of equation 1.",
        figures=[
            Figure(
                "Games won against random",
                [
                    *(Along(name, one, RANDOM_WINS) for name, one in of.learners.items()),
                    Along("DQN as printed", of.printed, RANDOM_WINS),
                ],
                "games",
                "games won",
                share=True,
            ),
            Figure(
                "The same over minutes",
                [Along(name, one, RANDOM_WINS) for name, one in of.learners.items()],
                "minutes",
                "games won",
                share=True,
            ),
            Figure(
                "Loss of the gradient methods",
                [
                    Along("DQN", of.dqn, "loss"),
                    Along("DQN as printed", of.printed, "loss"),
                    Along("REINFORCE", of.reinforce, "policy_loss"),
                ],
                "games",
                "loss",
            ),
        ],
    )


def figure_2(of: KingCourtesanTrainings) -> StudyQuestion:
    """How long a decision takes."""
    games = of.extent.of(2, 20, 100)
    depth = of.extent.of(2, 5, 6)
    strong = f"alphabeta:depth={depth}"
    alone = {
        name: of.meet(one.agent(), strong, games, timing="alone")
        for name, one in of.learners.items()
    }
    curves = [Series(name, one, "milliseconds A") for name, one in alone.items()]
    curves.append(Series(f"alpha-beta, {depth} plies", alone["DQN"], "milliseconds B"))
    return StudyQuestion(
        "figure-2",
        "Time of a decision by position (figure 2)",
        "One decision at a time. The paper's alpha-beta takes longer in the middle of the game, "
        "its networks nearly the same everywhere.",
        grids=[
            Grid(
                "Milliseconds a decision",
                ["mean"],
                [
                    *((name, [Cell(Pick(one, "milliseconds A"))]) for name, one in alone.items()),
                    (f"alpha-beta, {depth} plies", [Cell(Pick(alone["DQN"], "milliseconds B"))]),
                ],
                share=False,
            )
        ],
        figures=[Figure("Decision time", curves, "ply", "milliseconds")],
        notes=["Times are of this machine and do not repeat."],
    )


def branching(of: KingCourtesanTrainings) -> StudyQuestion:
    """How many moves there are."""
    games = of.extent.of(4, 400, 1_000)
    seen = {
        "random games": Branching(Games(GAME, "random", "random", games)),
        "alpha-beta of two plies": Branching(
            of.meet("alphabeta:depth=2", "alphabeta:depth=2,weights=mobility:0", games)
        ),
    }
    return StudyQuestion(
        "branching",
        "The branching factor",
        "The paper: 22 to 27 moves typically, about 120 at most.",
        grids=[
            Grid(
                "Legal moves",
                ["mean", "lower quarter", "upper quarter", "most"],
                [
                    (
                        name,
                        [
                            Cell(Pick(x, "mean")),
                            Cell(Pick(x, "lower quarter"), "branching.low"),
                            Cell(Pick(x, "upper quarter"), "branching.high"),
                            Cell(Pick(x, "most"), "branching.most"),
                        ],
                    )
                    for name, x in seen.items()
                ],
                share=False,
            )
        ],
        figures=[
            Figure(
                "Legal moves by ply",
                [Series(n, x, "by ply") for n, x in seen.items()],
                "ply",
                "legal moves",
            )
        ],
        notes=["Quartiles have no interval; the paper's 22 to 27 are held beside them."],
    )


def masks(of: KingCourtesanTrainings) -> StudyQuestion:
    """Trained and played with and without the action mask."""
    free = {
        "DQN": of.dqn.but(opponent="legality", illegal_reward=-1.0),
        "REINFORCE": of.reinforce.but(opponent="legality", illegal_reward=-1.0),
    }
    masked = {"DQN": of.dqn, "REINFORCE": of.reinforce}
    rows: dict[str, PlayerGiven] = {}
    for name in free:
        rows[f"{name}, trained and played with"] = masked[name].agent()
        rows[f"{name}, trained with, played without"] = Unmasked(masked[name].agent())
        rows[f"{name}, trained without, played with"] = free[name].agent()
        rows[f"{name}, trained and played without"] = Unmasked(free[name].agent())
    met = {name: of.meet(one, "random") for name, one in rows.items()}
    return StudyQuestion(
        "ablation-mask",
        "Without the action mask",
        "The paper: without masking DQN and REINFORCE did not learn effectively. In training "
        "without it an illegal choice ends the game and pays -1; in play it loses the game.",
        grids=[
            Grid(
                "Against random",
                ["points", "games ended by an illegal choice"],
                [
                    (name, [Cell(Pick(x, "points")), Cell(Pick(x, "resigned"))])
                    for name, x in met.items()
                ],
            )
        ],
        figures=[
            Figure(
                "Illegal choices in training",
                [Along(name, one, "illegal_rate") for name, one in free.items()],
                "games",
                "games ended by one",
                share=True,
            )
        ],
        claims=[
            Claim(
                f"{name} is worse when trained and played without a mask",
                Pick(met[f"{name}, trained and played with"], "points"),
                Pick(met[f"{name}, trained and played without"], "points"),
                "mask",
            )
            for name in free
        ],
    )


def gradients(of: KingCourtesanTrainings) -> StudyQuestion:
    """With and without gradients, on both networks."""
    on: dict[str, Mapping[str, Training]] = {
        "the network of DQN": {"gradient (DQN)": of.dqn, "CEM": of.cem, "(1+1)-SA-ES": of.saes},
        "the network of REINFORCE": {
            "gradient (REINFORCE)": of.reinforce,
            "CEM": of.cem.but(network="kingcourtesan-reinforce"),
            "(1+1)-SA-ES": of.saes.but(network="kingcourtesan-reinforce"),
        },
    }
    alone = {
        (net, name): of.meet(one.agent(), "random")
        for net, trained in on.items()
        for name, one in trained.items()
    }
    met = {
        (net, name): of.meet(one.agent(), next(iter(trained.values())).agent())
        for net, trained in on.items()
        for name, one in list(trained.items())[1:]
    }
    return StudyQuestion(
        "ablation-gradient",
        "With gradients and without, on both networks",
        "The paper: optimisation without gradients was better on both.",
        grids=[
            Grid(
                "Points against random",
                ["points"],
                [(f"{name}, {net}", [Cell(Pick(x, "points"))]) for (net, name), x in alone.items()],
            ),
            Grid(
                "Points against the gradient method",
                ["points"],
                [(f"{name}, {net}", [Cell(Pick(x, "points"))]) for (net, name), x in met.items()],
            ),
        ],
        claims=[
            Claim(f"{name} beats the gradient method on {net}", Pick(x, "points"), 0.5, "gradient")
            for (net, name), x in met.items()
        ],
    )


def evaluation(of: KingCourtesanTrainings) -> StudyQuestion:
    """What the weights of alpha-beta's evaluation are worth."""
    terms = ("material", "mobility", "captures", "king", "enemy_king", "pursuit", "safety")
    games = of.extent.of(2, 200, 400)
    own = "alphabeta:depth=2"
    met = {f"without {term}": of.meet(f"{own},weights={term}:0", own, games) for term in terms}
    met["all terms alike"] = of.meet(f"{own},weights={ALIKE}", own, games)
    return StudyQuestion(
        "ablation-weights",
        "The weights of the evaluation",
        "Each without one term, against our weights, both at two plies.",
        grids=[
            Grid(
                "Points against our weights",
                ["points"],
                [(name, [Cell(Pick(x, "points"))]) for name, x in met.items()],
            )
        ],
        claims=[
            Claim(f"It is weaker {name}", Pick(x, "points B"), 0.5, "weights")
            for name, x in met.items()
        ],
    )


def budget(of: KingCourtesanTrainings) -> StudyQuestion:
    """Alpha-beta with more time, counted in nodes so that it repeats."""
    games = of.extent.of(2, 100, 200)
    nodes = of.extent.of([10, 50], [100, 300, 1_000, 3_000, 10_000], [100, 1_000, 10_000, 100_000])
    other = f"alphabeta:nodes={nodes[len(nodes) // 2]}"
    met = [
        (count, of.meet(f"alphabeta:nodes={count}", other, games))
        for count in nodes
        if f"alphabeta:nodes={count}" != other
    ]
    learner = [
        (count, of.meet(f"alphabeta:nodes={count}", of.dqn.agent(), games)) for count in nodes
    ]
    return StudyQuestion(
        "ablation-budget",
        "Alpha-beta by its budget",
        f"Positions a move, against {other} and against DQN.",
        grids=[
            Grid(
                "Points",
                ["points", "milliseconds a move"],
                [
                    (f"{count:,} positions against DQN", [Cell(Pick(x, "points"))])
                    for count, x in learner
                ],
            )
        ],
        figures=[
            Figure(
                "Points by positions a move",
                [
                    Through(f"against {other}", [(c, Pick(x, "points")) for c, x in met]),
                    Through("against DQN", [(c, Pick(x, "points")) for c, x in learner]),
                ],
                "positions a move",
                "points",
                share=True,
            )
        ],
        claims=[
            Claim(
                "The largest budget takes more from the middle one than the smallest",
                Pick(met[-1][1], "points"),
                Pick(met[0][1], "points"),
                "budget",
            )
        ],
    )


def learned_evaluation(of: KingCourtesanTrainings) -> StudyQuestion:
    """Alpha-beta that asks a network."""
    games = of.extent.of(2, 20, 100)
    judged: dict[str, PlayerGiven] = {
        "two plies, DQN judges": Woven("alphabeta:depth=2,judge={}", Learned(of.dqn)),
        "two plies, zoo/kingcourtesan judges": "alphabeta:depth=2,judge=zoo/kingcourtesan",
    }
    others: dict[str, PlayerGiven] = {
        "two plies, our weights": "alphabeta:depth=2",
        "DQN alone": of.dqn.agent(),
    }
    met = {
        (a, b): of.meet(one, two, games) for a, one in judged.items() for b, two in others.items()
    }
    return StudyQuestion(
        "learned-evaluation",
        "Alpha-beta with a learned evaluation (future work)",
        "The horizon is judged by a network: its value, or the best of its action values.",
        grids=[
            Grid(
                "Points of the row against the column",
                list(others),
                [(a, [Cell(Pick(met[a, b], "points")) for b in others]) for a in judged],
            )
        ],
        claims=[Claim(f"{a} beats {b}", Pick(x, "points"), 0.5) for (a, b), x in met.items()],
    )


def first_player(of: KingCourtesanTrainings) -> StudyQuestion:
    """Whether it is better to begin."""
    games = of.extent.of(4, 400, 1_000)
    agents: dict[str, PlayerGiven] = {
        "random": "random",
        "weak alpha-beta": WEAK,
        "alpha-beta, two plies": "alphabeta:depth=2",
        "DQN": of.dqn.agent(),
        "REINFORCE": of.reinforce.agent(),
    }
    met = {name: of.meet(one, one, games, seed=5) for name, one in agents.items()}
    return StudyQuestion(
        "first-player",
        "The advantage of the first player",
        "Each agent against itself.",
        grids=[
            Grid(
                "Games won by who began",
                ["won"],
                [(name, [Cell(Pick(x, "who began won"))]) for name, x in met.items()],
            )
        ],
        claims=[
            Claim(
                f"Who begins wins more than half ({name})", Pick(x, "who began won"), 0.5, "first"
            )
            for name, x in met.items()
        ],
    )


def future(of: KingCourtesanTrainings) -> StudyQuestion:
    """Attention, and a fixed opponent."""
    variants = {
        "convolution (the paper's)": of.dqn,
        "attention": of.dqn.but(
            network="attention",
            width=of.extent.of(8, 32, 64),
            blocks=of.extent.of(1, 2, 4),
            planes="full",
        ),
        "against a fixed alpha-beta": of.dqn.but(opponent=WEAK, credit="own"),
    }
    met = {
        (name, b): of.meet(one.agent(), other)
        for name, one in variants.items()
        for b, other in (("random", "random"), ("weak alpha-beta", WEAK))
    }
    return StudyQuestion(
        "future-work",
        "Attention, and training against a fixed alpha-beta (future work)",
        "DQN with as many games in each.",
        grids=[
            Grid(
                "Points",
                ["random", "weak alpha-beta"],
                [
                    (
                        name,
                        [Cell(Pick(met[name, b], "points")) for b in ("random", "weak alpha-beta")],
                    )
                    for name in variants
                ],
            )
        ],
        figures=[
            Figure(
                "Games won against random",
                [Along(name, one, RANDOM_WINS) for name, one in variants.items()],
                "games",
                "games won",
                share=True,
            )
        ],
        claims=[
            Claim(
                "Attention takes more from random than convolution",
                Pick(met["attention", "random"], "points"),
                Pick(met["convolution (the paper's)", "random"], "points"),
            ),
            Claim(
                "Training against the weak alpha-beta takes more from it than self-play",
                Pick(met["against a fixed alpha-beta", "weak alpha-beta"], "points"),
                Pick(met["convolution (the paper's)", "weak alpha-beta"], "points"),
            ),
        ],
    )


def asked(of: KingCourtesanTrainings) -> Iterator[StudyQuestion]:
    """In the order of the paper."""
    yield table_1(of)
    yield why_weak(of)
    yield figure_1(of)
    yield figure_2(of)
    yield branching(of)
    yield masks(of)
    yield gradients(of)
    yield evaluation(of)
    yield budget(of)
    yield learned_evaluation(of)
    yield first_player(of)
    yield future(of)


def questions(extent: Extent) -> Sequence[StudyQuestion]:
    """All of the paper's tables and figures, its ablations and its future work."""
    return list(asked(KingCourtesanTrainings(extent)))


STUDY = Study("kingcourtesan", "King and Courtesan: tree search and four learners", questions)
