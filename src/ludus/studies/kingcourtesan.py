"""King and Courtesan: alpha-beta, two gradient methods and two without gradients."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from ludus.studies.engine import asking as ask
from ludus.studies.engine.branching import Branching
from ludus.studies.engine.games import Games
from ludus.studies.engine.players import Learned, PlayerGiven, Unmasked, Woven
from ludus.studies.engine.reached import Reached
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
# What table I calls them: its rows are the first three, its columns all of them, in two halves.
ROWS = {"IDAB": "idab", "DQN": "dqn", "REINFORCE": "reinforce"}
EVOLVED = {"CEM": "cem", "(1+1)-SA-ES": "saes"}


def printed(row: str, name: str) -> str:
    """The number of table I; methods without gradients have columns alone."""
    if row not in ROWS:
        return ""
    half = (
        f"{ROWS[row]} evolved.{EVOLVED[name]}" if name in EVOLVED else f"{ROWS[row]}.{ROWS[name]}"
    )
    return f"table-1/{half}"


class KingCourtesanTrainings:
    """The learners at one scale."""

    def __init__(self, extent: ask.Extent) -> None:
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
        self.players: dict[str, PlayerGiven] = {"IDAB": WEAK}
        self.players |= {name: one.agent() for name, one in self.learners.items()}
        self.met = {
            (a, b): self.meet(self.players[a], self.players[b])
            for a, b in combinations(self.players, 2)
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


def table_1(of: KingCourtesanTrainings) -> ask.StudyQuestion:
    """Every agent against every other, with the weak alpha-beta in the place of the paper's."""
    met = of.met
    return ask.StudyQuestion(
        "table-1",
        "Head to head (table I)",
        "100 games of each two; the share of the row against the column. The paper's alpha-beta "
        "loses to all learners; its depth, time and weights are not printed. Here IDAB is a named "
        f"weak one, {WEAK}; the next question has stronger ones.",
        grids=[ask.square("Points of the row against the column", list(of.players), met, printed)],
        claims=[
            *(
                ask.Claim(f"IDAB loses to {name}", ask.Pick(met["IDAB", name], "points B"), 0.5)
                for name in of.learners
            ),
            ask.beats("DQN beats REINFORCE", met["DQN", "REINFORCE"]),
            *(
                ask.Claim(
                    f"{name} beats {other}", ask.Pick(met[other, name], "points B"), 0.5, "gradient"
                )
                for other in ("DQN", "REINFORCE")
                for name in EVOLVED
            ),
        ],
        boards=[met["IDAB", "DQN"]],
    )


def why_weak(of: KingCourtesanTrainings) -> ask.StudyQuestion:
    """Which alpha-beta the learners beat."""
    met = {
        (a, b): of.meet(one.agent(), other)
        for a, one in of.learners.items()
        for b, other in LADDER.items()
    }
    weak, *_, deep = LADDER
    return ask.StudyQuestion(
        "weak-alphabeta",
        "Why the paper's learners beat its alpha-beta",
        "The paper's DQN and REINFORCE take 70 and 65 % from its alpha-beta, which takes 25 % from "
        "CEM and 35 % from SA-ES. Here all four meet alpha-betas from the weakest form of what it "
        "describes to three plies with our weights.",
        grids=[
            ask.cross(
                "Points against alpha-beta",
                of.learners,
                LADDER,
                lambda a, b: met[a, b],
                printed=lambda a, b: printed(a, "IDAB") if b == weak and a in ROWS else "",
            )
        ],
        claims=[
            ask.is_more(
                f"{a} takes more from the weak one than from three plies",
                met[a, weak],
                met[a, deep],
            )
            for a in of.learners
        ],
        boards=[met["DQN", deep]],
    )


def figure_1(of: KingCourtesanTrainings) -> ask.StudyQuestion:
    """All methods on one axis of games."""
    every = {**of.learners, "DQN as printed": of.printed}
    gradient = {"DQN": of.dqn, "REINFORCE": of.reinforce}
    early = {
        name: Reached(one, ask.RANDOM_WINS, of.extent.of(1, 150, 500))
        for name, one in gradient.items()
    }
    curves = [
        *(ask.Along(name, one, "game_reward") for name, one in gradient.items()),
        *(ask.Along(name, of.learners[name], "fitness") for name in EVOLVED),
    ]
    return ask.StudyQuestion(
        "figure-1",
        "Training of all methods on one axis of games (figure 1)",
        "The paper draws expected returns over episodes; here games won against random, and what "
        "a game pays in training. Methods without gradients count every game of every network. "
        "DQN as printed has the target of equation 1.",
        figures=[
            ask.wins_over("Games won against random", every),
            ask.wins_over("The same over minutes", of.learners, x="minutes"),
            ask.Figure("Return in training", curves, "games", "a game pays, or fitness"),
            ask.Figure(
                "Loss of the gradient methods",
                [
                    ask.Along("DQN", of.dqn, "loss"),
                    ask.Along("DQN as printed", of.printed, "loss"),
                    ask.Along("REINFORCE", of.reinforce, "policy_loss"),
                ],
                "games",
                "loss",
            ),
        ],
        claims=[
            ask.is_more(
                "DQN is better than REINFORCE early in training, after as many games",
                early["DQN"],
                early["REINFORCE"],
                "value",
                "early",
            )
        ],
    )


def figure_2(of: KingCourtesanTrainings) -> ask.StudyQuestion:
    """How long a decision takes."""
    games = of.extent.of(2, 20, 100)
    depth = of.extent.of(2, 5, 6)
    strong = f"alphabeta:depth={depth}"
    alone = {
        name: of.meet(one.agent(), strong, games, timing="alone")
        for name, one in of.learners.items()
    }
    searching = of.meet(strong, of.dqn.agent(), games, timing="alone")
    shown = {**alone, f"alpha-beta, {depth} plies": searching}
    return ask.StudyQuestion(
        "figure-2",
        "Time of a decision by position (figure 2)",
        "One decision at a time. The paper's alpha-beta takes longer in the middle of the game, "
        "its networks nearly the same everywhere.",
        grids=[
            ask.table("Milliseconds a decision", shown, {"mean": "milliseconds A"}, share=False)
        ],
        figures=[
            ask.Figure(
                "Decision time",
                [ask.Series(name, one, "milliseconds A") for name, one in shown.items()],
                "ply",
                "milliseconds",
            )
        ],
        notes=["Times are of this machine and do not repeat."],
    )


def branching(of: KingCourtesanTrainings) -> ask.StudyQuestion:
    """How many moves there are."""
    games = of.extent.of(4, 400, 1_000)
    seen = {
        "random games": Branching(Games(GAME, "random", "random", games)),
        "alpha-beta of two plies": Branching(
            of.meet("alphabeta:depth=2", "alphabeta:depth=2,weights=mobility:0", games)
        ),
    }
    columns = {name: name for name in ("mean", "lower quarter", "upper quarter", "most")}
    quotes = {"lower quarter": "low", "upper quarter": "high", "most": "most"}
    return ask.StudyQuestion(
        "branching",
        "The branching factor",
        "The paper: 22 to 27 moves typically, about 120 at most.",
        grids=[
            ask.table(
                "Legal moves",
                seen,
                columns,
                lambda _, name: f"branching.{quotes[name]}" if name in quotes else "",
                share=False,
            )
        ],
        figures=[
            ask.Figure(
                "Legal moves by ply",
                [ask.Series(n, x, "by ply") for n, x in seen.items()],
                "ply",
                "legal moves",
            )
        ],
        notes=["Quartiles have no interval; the paper's 22 to 27 are held beside them."],
    )


def masks(of: KingCourtesanTrainings) -> ask.StudyQuestion:
    """Trained and played with and without the action mask."""
    masked = {"DQN": of.dqn, "REINFORCE": of.reinforce}
    free = {name: one.but(opponent="legality", illegal_reward=-1.0) for name, one in masked.items()}
    rows: dict[str, PlayerGiven] = {}
    for name in free:
        rows[f"{name}, trained and played with"] = masked[name].agent()
        rows[f"{name}, trained with, played without"] = Unmasked(masked[name].agent())
        rows[f"{name}, trained without, played with"] = free[name].agent()
        rows[f"{name}, trained and played without"] = Unmasked(free[name].agent())
    met = {name: of.meet(one, "random") for name, one in rows.items()}
    columns = {"points": "points", "games ended by an illegal choice": "resigned"}
    return ask.StudyQuestion(
        "ablation-mask",
        "Without the action mask",
        "The paper: without masking DQN and REINFORCE did not learn effectively. In training "
        "without it an illegal choice ends the game and pays -1; in play it loses the game.",
        grids=[ask.table("Against random", met, columns)],
        figures=[
            ask.course(
                "Illegal choices in training",
                free,
                "illegal_rate",
                y="games ended by one",
                share=True,
            )
        ],
        claims=[
            ask.is_more(
                f"{name} is worse when trained and played without a mask",
                met[f"{name}, trained and played with"],
                met[f"{name}, trained and played without"],
                quote="mask",
            )
            for name in free
        ],
    )


def gradients(of: KingCourtesanTrainings) -> ask.StudyQuestion:
    """With and without gradients, on both networks."""
    other = {"network": "kingcourtesan-reinforce"}
    on: dict[str, Mapping[str, Training]] = {
        "the network of DQN": {"gradient (DQN)": of.dqn, "CEM": of.cem, "(1+1)-SA-ES": of.saes},
        "the network of REINFORCE": {
            "gradient (REINFORCE)": of.reinforce,
            "CEM": of.cem.but(**other),
            "(1+1)-SA-ES": of.saes.but(**other),
        },
    }
    alone = {
        f"{name}, {net}": of.meet(one.agent(), "random")
        for net, trained in on.items()
        for name, one in trained.items()
    }
    met = {
        f"{name}, {net}": of.meet(one.agent(), next(iter(trained.values())).agent())
        for net, trained in on.items()
        for name, one in list(trained.items())[1:]
    }
    return ask.StudyQuestion(
        "ablation-gradient",
        "With gradients and without, on both networks",
        "The paper: optimisation without gradients was better on both.",
        grids=[
            ask.column("Points against random", alone),
            ask.column("Points against the gradient method", met),
        ],
        claims=[
            ask.beats(f"{name} beats the gradient method", x, "gradient") for name, x in met.items()
        ],
    )


def evaluation(of: KingCourtesanTrainings) -> ask.StudyQuestion:
    """What the weights of alpha-beta's evaluation are worth."""
    terms = ("material", "mobility", "captures", "king", "enemy_king", "pursuit", "safety")
    games = of.extent.of(2, 200, 400)
    own = "alphabeta:depth=2"
    met = {f"without {term}": of.meet(f"{own},weights={term}:0", own, games) for term in terms}
    met["with all terms alike"] = of.meet(f"{own},weights={ALIKE}", own, games)
    return ask.StudyQuestion(
        "ablation-weights",
        "The weights of the evaluation",
        "Each without one term, against our weights, both at two plies.",
        grids=[ask.column("Points against our weights", met)],
        claims=[
            ask.Claim(f"It is weaker {name}", ask.Pick(x, "points B"), 0.5, "weights")
            for name, x in met.items()
        ],
    )


def budget(of: KingCourtesanTrainings) -> ask.StudyQuestion:
    """Alpha-beta with more time, counted in nodes so that it repeats."""
    games = of.extent.of(2, 100, 200)
    nodes = of.extent.of([10, 50], [100, 300, 1_000, 3_000, 10_000], [100, 1_000, 10_000, 100_000])
    middle = nodes[len(nodes) // 2]
    other = f"alphabeta:nodes={middle}"
    met = {n: of.meet(f"alphabeta:nodes={n}", other, games) for n in nodes if n != middle}
    learner = {n: of.meet(f"alphabeta:nodes={n}", of.dqn.agent(), games) for n in nodes}
    columns = {"points": "points", "milliseconds a move": "milliseconds A"}
    few, many = min(met), max(met)
    return ask.StudyQuestion(
        "ablation-budget",
        "Alpha-beta by its budget",
        f"Positions a move, against {other} and against DQN; positions are counted, so that games "
        "repeat, and the time that they take stands beside.",
        grids=[
            ask.table(
                "Points",
                {
                    **{f"{n:,} positions against {middle:,}": x for n, x in met.items()},
                    **{f"{n:,} positions against DQN": x for n, x in learner.items()},
                },
                columns,
                share=False,
                shares=["points"],
            )
        ],
        figures=[
            ask.Figure(
                "Points by positions a move",
                [
                    ask.Through(
                        f"against {name}", [(n, ask.Pick(x, "points")) for n, x in found.items()]
                    )
                    for name, found in ((other, met), ("DQN", learner))
                ],
                "positions a move",
                "points",
                share=True,
            )
        ],
        claims=[
            ask.is_more(
                "The largest budget takes more from the middle one than the smallest",
                met[many],
                met[few],
                quote="budget",
            ),
            ask.is_more(
                "The largest budget takes more from DQN than the smallest",
                learner[max(learner)],
                learner[min(learner)],
                quote="budget",
            ),
        ],
    )


def learned_evaluation(of: KingCourtesanTrainings) -> ask.StudyQuestion:
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
    return ask.StudyQuestion(
        "learned-evaluation",
        "Alpha-beta with a learned evaluation (future work)",
        "The horizon is judged by a network: its value, or the best of its action values.",
        grids=[
            ask.cross(
                "Points of the row against the column", judged, others, lambda a, b: met[a, b]
            )
        ],
        claims=[ask.beats(f"{a} beats {b}", x) for (a, b), x in met.items()],
    )


def first_player(of: KingCourtesanTrainings) -> ask.StudyQuestion:
    """Whether it is better to begin."""
    games = of.extent.of(4, 400, 1_000)
    agents = {
        "random": "random",
        "alpha-beta, two plies": "alphabeta:depth=2",
        **of.players,
    }
    met = {name: of.meet(one, one, games, seed=5) for name, one in agents.items()}
    columns = {"won": "who began won"}
    pairs = {f"{a} and {b}": x for (a, b), x in of.met.items()}
    return ask.StudyQuestion(
        "first-player",
        "The advantage of the first player",
        "Each agent against itself, and all games of table I; the paper says that it is 'evident "
        "across all matchups'.",
        grids=[
            ask.table("Games won by who began", met, columns),
            ask.table("Games of table I won by who began", pairs, columns),
        ],
        claims=[
            ask.Claim(
                f"Who begins wins more than half ({name})",
                ask.Pick(x, "who began won"),
                0.5,
                "first",
            )
            for name, x in {**met, **pairs}.items()
        ],
    )


def future(of: KingCourtesanTrainings) -> ask.StudyQuestion:
    """Attention, and a fixed opponent."""
    own, seeing, fixed = "convolution (the paper's)", "attention", "against a fixed alpha-beta"
    size = {"width": of.extent.of(8, 32, 64), "blocks": of.extent.of(1, 2, 4)}
    variants = {
        own: of.dqn,
        seeing: of.dqn.but(network="attention", planes="full", **size),
        fixed: of.dqn.but(opponent=WEAK, credit="own"),
    }
    others = {"random": "random", "weak alpha-beta": WEAK}
    met = {
        (name, b): of.meet(one.agent(), other)
        for name, one in variants.items()
        for b, other in others.items()
    }
    return ask.StudyQuestion(
        "future-work",
        "Attention, and training against a fixed alpha-beta (future work)",
        "DQN with as many games in each.",
        grids=[ask.cross("Points", variants, others, lambda name, b: met[name, b])],
        figures=[ask.wins_over("Games won against random", variants)],
        claims=[
            ask.is_more(
                "Attention takes more from random than convolution",
                met[seeing, "random"],
                met[own, "random"],
            ),
            ask.is_more(
                "Training against the weak alpha-beta takes more from it than self-play",
                met[fixed, "weak alpha-beta"],
                met[own, "weak alpha-beta"],
            ),
        ],
    )


STUDY = ask.Study(
    "kingcourtesan",
    "King and Courtesan: tree search and four learners",
    ask.asking(
        KingCourtesanTrainings,
        table_1,
        why_weak,
        figure_1,
        figure_2,
        branching,
        masks,
        gradients,
        evaluation,
        budget,
        learned_evaluation,
        first_player,
        future,
    ),
    left_out=[
        ask.LeftOut(
            "table I: CEM against (1+1)-SA-ES",
            "the paper has no row for either; ours stand in table I beside the others.",
        ),
        ask.LeftOut(
            "section IV.B: variance of DQN and REINFORCE in training",
            "it is seen over several seeds, and each training here has one.",
            "variance",
        ),
        ask.LeftOut(
            "section V: what the Java server costs",
            "there is none here: games and agents are in one process.",
        ),
    ],
)
