"""Connect Four and draughts: AlphaZero, DQN and PPO, against pure tree search and perfect play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from ludus.studies.engine.games import Games
from ludus.studies.engine.players import PlayerGiven, Unmasked, Woven
from ludus.studies.engine.study import (
    Along,
    Cell,
    Claim,
    Extent,
    Figure,
    Grid,
    Pick,
    Study,
    StudyQuestion,
)
from ludus.studies.engine.training import OTHER as OPPONENT
from ludus.studies.engine.training import Training, train

FOUR = "connect4"
DRAUGHTS = "checkers:no_progress=100,repetition=3"
RANDOM_WINS = "win_rate random"
TINY_CYCLE: dict[str, Any] = {
    "width": 4,
    "simulations": 2,
    "games_per_step": 2,
    "n_envs": 2,
    "samples_per_step": 64,
    "gate_games": 2,
    "window": 500,
    "steps": 1,
    "eval_freq": 1,
    "n_eval_games": 2,
    "eval_truth_states": 0,
}


class FourAndDraughtsTrainings:
    """The trainings of the paper at one scale."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self.games = extent.of(2, 100, 400)
        self.helped = extent.of("simulations=2", "simulations=500", "simulations=500")
        self.zero = {count: self.alphazero(count) for count in (25, 50, 75)}
        self.draughts = {blocks: self.residual(blocks) for blocks in (2, 4, 8)}
        self.dqn = self.on(FOUR, "dqn", 200)
        self.ppo = self.on(FOUR, "ppo", 60)
        self.warm = self.on(FOUR, "ppo", 60, init=self.zero[75].agent())
        body = extent.settings({"width": 4, "blocks": 4}, {"width": 16, "blocks": 4})
        self.dqn_draughts = self.on(DRAUGHTS, "dqn", 500, **body)
        self.unfiltered = self.on(
            DRAUGHTS, "dqn", 500, opponent="legality", illegal_reward=-2.0, **body
        )
        self.ppo_draughts = self.on(DRAUGHTS, "ppo", 120, **body)
        self.warm_draughts = self.on(DRAUGHTS, "ppo", 120, init=self.draughts[4].agent(), **body)

    def alphazero(self, simulations: int) -> Training:
        """AlphaZero on Connect Four."""
        name = "connect4" if simulations == 75 else f"connect4-{simulations}"
        return train(
            "alphazero",
            preset=name,
            **self.extent.settings(
                TINY_CYCLE, {"steps": 20, "eval_freq": 4, "eval_truth_states": 0}
            ),
        )

    def residual(self, blocks: int) -> Training:
        """AlphaZero on draughts."""
        small = {
            "width": 16,
            "games_per_step": 8,
            "n_envs": 8,
            "samples_per_step": 4_096,
            "gate_games": 4,
            "window": 4_000,
            "steps": 40,
            "eval_freq": 10,
        }
        return train(
            "alphazero",
            preset="checkers",
            blocks=blocks,
            eval_truth_states=0,
            **{
                key: x
                for key, x in self.extent.settings(TINY_CYCLE, small).items()
                if key != "eval_truth_states"
            },
        )

    def on(self, game: str, method: str, steps: int, **settings: Any) -> Training:
        """DQN or PPO; against random and the first solution in its measurements."""
        four = game == FOUR
        first = self.zero[75] if four else self.draughts[4]
        tiny: dict[str, Any] = {"steps": 2, "eval_freq": 1, "n_eval_games": 2, "n_envs": 2}
        small: dict[str, Any] = {"steps": steps, "eval_freq": steps // 10}
        if four:
            tiny["width"] = 4
        if method == "ppo":
            tiny |= {"n_steps": 4}
            small |= {} if four else {"n_envs": 16, "n_steps": 32}
        else:
            tiny |= {"learning_starts": 8, "batch_size": 8}
            small |= (
                {}
                if four
                else {
                    "n_envs": 16,
                    "buffer_size": 50_000,
                    "learning_starts": 500,
                    "exploration_decay_games": 300.0,
                }
            )
        measured = Woven("random;{}", first.agent("temperature=1"))
        return train(
            method,
            preset="connect4" if four else "checkers",
            eval_opponents=measured,
            eval_truth_states=0,
            **{**self.extent.settings(tiny, small), **settings},
        )

    def meet(self, a: PlayerGiven, b: PlayerGiven, game: str = FOUR, games: int = 0) -> Games:
        """Games from openings of two random plies."""
        return Games(game, a, b, games or self.games, openings="random:2")

    def pure(self, simulations: int) -> str:
        """The paper's tree search without a network."""
        return f"uct:plain=true,simulations={self.extent.of(10, simulations, simulations)}"


def square(title: str, met: dict[tuple[int, int], Games], names: Sequence[int], table: str) -> Grid:
    """Everybody against everybody, the share of the row."""

    def cell(a: int, b: int) -> Cell:
        if a == b:
            return Cell()
        pick = Pick(met[a, b], "points") if (a, b) in met else Pick(met[b, a], "points B")
        return Cell(pick, f"{table}/{a}.against_{b}")

    return Grid(
        title, [str(b) for b in names], [(str(a), [cell(a, b) for b in names]) for a in names]
    )


def table_1(of: FourAndDraughtsTrainings) -> StudyQuestion:
    """More simulations in training."""
    met = {
        (b, a): of.meet(of.zero[b].agent(of.helped), of.zero[a].agent(of.helped))
        for a, b in combinations(of.zero, 2)
    }
    return StudyQuestion(
        "table-1",
        "AlphaZero trained with 25, 50 and 75 simulations (table 1)",
        "Connect Four; in the games each searches 500 simulations.",
        grids=[square("Points of the row against the column", met, list(of.zero), "table-1")],
        figures=[
            Figure(
                "Games won against random",
                [Along(f"{n} simulations", one, RANDOM_WINS) for n, one in of.zero.items()],
                "games",
                "games won",
                share=True,
            ),
            Figure(
                "The same over minutes",
                [Along(f"{n} simulations", one, RANDOM_WINS) for n, one in of.zero.items()],
                "minutes",
                "games won",
                share=True,
            ),
        ],
        claims=[
            Claim(f"{b} simulations in training beat {a}", Pick(x, "points"), 0.5)
            for (b, a), x in met.items()
        ],
        boards=[met[75, 25]],
    )


def versus_search(
    of: FourAndDraughtsTrainings, rows: dict[str, tuple[PlayerGiven, str]], title: str
) -> Grid:
    """Points against pure tree search."""
    return Grid(
        title,
        ["500", "1000", "2000"],
        [
            (
                name,
                [
                    Cell(
                        Pick(of.meet(one, of.pure(n)), "points"), f"{quote}.at_{n}" if quote else ""
                    )
                    for n in (500, 1_000, 2_000)
                ],
            )
            for name, (one, quote) in rows.items()
        ],
    )


def table_2(of: FourAndDraughtsTrainings) -> StudyQuestion:
    """The network alone and with search."""
    alone, helped = of.zero[75].agent(), of.zero[75].agent(of.helped)
    grid = versus_search(
        of,
        {
            "network alone": (alone, "table-2/pure"),
            "network, 500 simulations": (helped, "table-2/searching"),
            "zoo/connect4 alone": ("zoo/connect4", ""),
        },
        "Points against pure tree search of so many simulations",
    )
    picks = [(a.ours, b.ours) for a, b in zip(grid.rows[0][1], grid.rows[1][1], strict=True)]
    return StudyQuestion(
        "table-2",
        "AlphaZero's network alone and with search (table 2)",
        "Against tree search with random rollouts. The network of the zoo was trained longer.",
        grids=[grid],
        claims=[
            Claim(f"Search adds to the network against {n} simulations", b, a)
            for n, (a, b) in zip((500, 1_000, 2_000), picks, strict=True)
            if a and b
        ],
    )


def table_3(of: FourAndDraughtsTrainings) -> StudyQuestion:
    """More residual blocks in draughts."""
    games = of.extent.of(2, 40, 400)
    helped = of.extent.of("simulations=2", "simulations=100", "simulations=500")
    met = {
        (b, a): of.meet(of.draughts[b].agent(helped), of.draughts[a].agent(helped), DRAUGHTS, games)
        for a, b in combinations(of.draughts, 2)
    }
    search = of.extent.of(10, 100, 500)
    pure = of.meet(
        of.draughts[8].agent(helped), f"uct:plain=true,simulations={search}", DRAUGHTS, games
    )
    return StudyQuestion(
        "table-3",
        "AlphaZero on draughts with 2, 4 and 8 residual blocks (table 3)",
        "Each searches as much in the games; the paper 500 simulations, also its opponent.",
        grids=[
            square("Points of the row against the column", met, list(of.draughts), "table-3"),
            Grid(
                "8 blocks against pure search",
                ["points"],
                [
                    (
                        f"as many simulations ({search})",
                        [Cell(Pick(pure, "points"), "table-3/search.wins")],
                    )
                ],
            ),
        ],
        figures=[
            Figure(
                "Games won against random",
                [Along(f"{n} blocks", one, RANDOM_WINS) for n, one in of.draughts.items()],
                "games",
                "games won",
                share=True,
            )
        ],
        claims=[Claim(f"{b} blocks beat {a}", Pick(x, "points"), 0.5) for (b, a), x in met.items()],
        boards=[met[8, 2]],
    )


def over_training(title: str, trained: dict[str, Training], x: str = "games") -> list[Figure]:
    """Games won against random and against AlphaZero's network, several runs in one picture."""
    return [
        Figure(
            f"{title}: games won against {name}",
            [Along(one, of, f"win_rate {metric}") for one, of in trained.items()],
            x,
            "games won",
            share=True,
        )
        for name, metric in (("random", "random"), ("AlphaZero's network", OPPONENT))
    ]


def table_4(of: FourAndDraughtsTrainings) -> StudyQuestion:
    """DQN on Connect Four."""
    grid = versus_search(
        of,
        {
            "AlphaZero's network": (of.zero[75].agent(), "table-4/c4net"),
            "DQN": (of.dqn.agent(), "table-4/dqn"),
            "zoo/connect4-dqn": ("zoo/connect4-dqn", "table-4/dqn"),
        },
        "Points against pure tree search of so many simulations",
    )
    met = of.meet(of.dqn.agent(), of.zero[75].agent())
    return StudyQuestion(
        "table-4",
        "DQN on Connect Four (table 4, figure 2)",
        "Without a filter: an illegal choice in training ends the game. DQN of the zoo had a "
        "filter, and searches of rising strength for opponents.",
        grids=[grid],
        figures=over_training("Figure 2", {"DQN": of.dqn}),
        claims=[
            Claim("DQN beats AlphaZero's network, both without search", Pick(met, "points"), 0.5)
        ],
        boards=[met],
    )


def figure_3(of: FourAndDraughtsTrainings) -> StudyQuestion:
    """DQN on draughts, with and without a filter."""
    both = {"with the filter": of.dqn_draughts, "without": of.unfiltered}
    search = of.extent.of(10, 500, 500)
    pure = f"uct:plain=true,simulations={search}"
    games = of.extent.of(2, 60, 400)
    rows = {
        name: {
            "random": of.meet(one.agent(), "random", DRAUGHTS),
            "AlphaZero's network": of.meet(
                one.agent(), of.draughts[4].agent("temperature=1"), DRAUGHTS
            ),
            "pure": of.meet(one.agent(), pure, DRAUGHTS, games),
        }
        for name, one in both.items()
    }
    zero = of.meet(of.draughts[4].agent(), pure, DRAUGHTS, games)
    unmasked = of.meet(Unmasked(of.unfiltered.agent()), "random", DRAUGHTS, games)
    return StudyQuestion(
        "figure-3",
        "DQN on draughts, with and without the legality filter (figure 3)",
        "The paper: without the filter it does not learn draughts; with it, it wins over 90 % "
        "against AlphaZero's network, which draws its moves, and about 40 % against pure search.",
        grids=[
            Grid(
                "Games won",
                ["random", "AlphaZero's network", f"pure search, {search}"],
                [
                    *(
                        (
                            name,
                            [
                                Cell(Pick(row["random"], "wins")),
                                Cell(
                                    Pick(row["AlphaZero's network"], "wins"),
                                    "fig-3/beats.wins" if name == "with the filter" else "",
                                ),
                                Cell(
                                    Pick(row["pure"], "wins"),
                                    "draughts/mcts.dqn" if name == "with the filter" else "",
                                ),
                            ],
                        )
                        for name, row in rows.items()
                    ),
                    (
                        "AlphaZero's network",
                        [Cell(), Cell(), Cell(Pick(zero, "wins"), "draughts/mcts.alphazero")],
                    ),
                ],
            ),
            Grid(
                "Played without the filter too",
                ["games ended by an illegal choice"],
                [("against random", [Cell(Pick(unmasked, "resigned"))])],
            ),
        ],
        figures=[
            *over_training("Figure 3", both),
            Figure(
                "Illegal choices in training",
                [Along("without the filter", of.unfiltered, "illegal_rate")],
                "games",
                "games ended by one",
                share=True,
            ),
        ],
        claims=[
            Claim(
                "The filter helps against random",
                Pick(rows["with the filter"]["random"], "points"),
                Pick(rows["without"]["random"], "points"),
            )
        ],
    )


def table_5(of: FourAndDraughtsTrainings) -> StudyQuestion:
    """PPO on Connect Four."""
    grid = versus_search(
        of,
        {
            "PPO alone": (of.ppo.agent(), "table-5/pure"),
            "PPO, 500 simulations": (of.ppo.agent(of.helped), "table-5/searching"),
            "zoo/connect4-ppo": ("zoo/connect4-ppo", "table-5/pure"),
        },
        "Points against pure tree search of so many simulations",
    )
    warm = of.meet(of.warm.agent(), of.ppo.agent())
    return StudyQuestion(
        "table-5",
        "PPO on Connect Four, alone, with search and warmed up (table 5, figure 4)",
        "The warm start begins with AlphaZero's weights; the paper saw the others catch up. PPO "
        "of the zoo trained against searches.",
        grids=[
            grid,
            Grid(
                "Warm start against none",
                ["points"],
                [("Connect Four", [Cell(Pick(warm, "points"), "fig-5/even.wins")])],
            ),
        ],
        figures=over_training(
            "Figure 4", {"PPO": of.ppo, "PPO, warm start": of.warm, "DQN": of.dqn}
        ),
        claims=[
            Claim(
                "The warm start makes no difference in the end",
                Pick(warm, "points"),
                0.5,
                alike=True,
            )
        ],
        boards=[warm],
    )


def figure_5(of: FourAndDraughtsTrainings) -> StudyQuestion:
    """PPO on draughts."""
    search = of.extent.of(10, 500, 500)
    games = of.extent.of(2, 60, 400)
    pure = f"uct:plain=true,simulations={search}"
    helped = of.extent.of("simulations=2", "simulations=100", "simulations=500")
    alone = of.meet(of.ppo_draughts.agent(), pure, DRAUGHTS, games)
    searching = of.meet(of.ppo_draughts.agent(helped), pure, DRAUGHTS, games)
    warm = of.meet(of.warm_draughts.agent(), of.ppo_draughts.agent(), DRAUGHTS, games)
    return StudyQuestion(
        "figure-5",
        "PPO on draughts (figure 5)",
        "Alone and with search against pure search, and with and without a warm start.",
        grids=[
            Grid(
                f"Games won against pure search, {search}",
                ["won", "points"],
                [
                    (
                        "PPO alone",
                        [
                            Cell(Pick(alone, "wins"), "draughts/ppo.wins"),
                            Cell(Pick(alone, "points")),
                        ],
                    ),
                    (
                        f"PPO with {helped}",
                        [
                            Cell(Pick(searching, "wins"), "draughts/ppo searching.wins"),
                            Cell(Pick(searching, "points")),
                        ],
                    ),
                ],
            ),
            Grid(
                "Warm start against none",
                ["points"],
                [("draughts", [Cell(Pick(warm, "points"), "fig-5/even.wins")])],
            ),
        ],
        figures=over_training(
            "Figure 5",
            {"PPO": of.ppo_draughts, "PPO, warm start": of.warm_draughts, "DQN": of.dqn_draughts},
        ),
        claims=[
            Claim("Search adds to PPO", Pick(searching, "points"), Pick(alone, "points")),
            Claim(
                "The warm start makes no difference in the end",
                Pick(warm, "points"),
                0.5,
                alike=True,
            ),
        ],
    )


def perfect(of: FourAndDraughtsTrainings) -> StudyQuestion:
    """Games against the perfect player."""
    games = of.extent.of(2, 20, 100)
    openings = of.extent.of("random:24", "none", "none")
    agents: dict[str, PlayerGiven] = {
        "PPO alone": of.ppo.agent(),
        "PPO, 500 simulations": of.ppo.agent(of.helped),
        "zoo/connect4-ppo": "zoo/connect4-ppo",
        "zoo/connect4, 500 simulations": f"zoo/connect4:{of.helped}",
    }
    met = {
        name: Games(FOUR, one, "perfect", games, openings=openings) for name, one in agents.items()
    }
    return StudyQuestion(
        "perfect",
        "Against the perfect player",
        "The paper: PPO alone lost only as the second player, else it drew; with search it won "
        "as the first. Connect Four is won for the first player, so the second cannot but lose.",
        grids=[
            Grid(
                "Points against perfect play",
                ["as first", "as second"],
                [
                    (name, [Cell(Pick(x, "points as first")), Cell(Pick(x, "points as second"))])
                    for name, x in met.items()
                ],
            )
        ],
        claims=[
            Claim(
                "PPO with search takes more as first than PPO alone",
                Pick(met["PPO, 500 simulations"], "points as first"),
                Pick(met["PPO alone"], "points as first"),
            )
        ],
        boards=[met["zoo/connect4, 500 simulations"]],
    )


def asked(of: FourAndDraughtsTrainings) -> Iterator[StudyQuestion]:
    """In the order of the paper."""
    yield table_1(of)
    yield table_2(of)
    yield table_3(of)
    yield table_4(of)
    yield figure_3(of)
    yield table_5(of)
    yield figure_5(of)
    yield perfect(of)


def questions(extent: Extent) -> Sequence[StudyQuestion]:
    """All of the paper's tables and figures."""
    return list(asked(FourAndDraughtsTrainings(extent)))


STUDY = Study("connect4-checkers", "Connect Four and draughts: three ways to learn", questions)
