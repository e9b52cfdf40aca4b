"""Connect Four and draughts: AlphaZero, DQN and PPO, against pure tree search and perfect play."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from ludus.studies.engine import asking as ask
from ludus.studies.engine.games import Games
from ludus.studies.engine.players import PlayerGiven, Unmasked, Woven
from ludus.studies.engine.training import OTHER, Training, train

FOUR = "connect4"
DRAUGHTS = "checkers:no_progress=100,repetition=3"
COUNTS = ("500", "1000", "2000")  # simulations of the pure tree search
TINY_CYCLE: dict[str, Any] = {
    **{name: one for name, one in ask.SEARCHED.items() if name not in ("blocks", "batch_size")},
    "simulations": 2,
    "games_per_step": 2,
    "n_envs": 2,
    "samples_per_step": 64,
    "gate_games": 2,
}
SMALL_CYCLE: dict[str, Any] = {
    "width": 16,
    "games_per_step": 8,
    "n_envs": 8,
    "samples_per_step": 4_096,
    "gate_games": 4,
    "window": 4_000,
    "steps": 40,
    "eval_freq": 10,
}


class FourAndDraughtsTrainings:
    """The trainings of the paper at one scale."""

    def __init__(self, extent: ask.Extent) -> None:
        self.extent = extent
        self.games = extent.of(2, 100, 400)
        self.few = extent.of(2, 60, 400)  # where pure search makes them long
        self.helped = extent.of("simulations=2", "simulations=500", "simulations=500")
        self.helped_draughts = extent.of("simulations=2", "simulations=100", "simulations=500")
        self.pure_draughts = f"uct:plain=true,simulations={extent.of(10, 500, 500)}"
        self.zero = {str(count): self.alphazero(count) for count in (25, 50, 75)}
        self.draughts = {str(blocks): self.residual(blocks) for blocks in (2, 4, 8)}
        self.first = {FOUR: self.zero["75"], DRAUGHTS: self.draughts["4"]}
        filtered: dict[str, Any] = {"opponent": "self", "illegal_reward": -2.0}
        self.dqn = self.four("dqn")
        self.dqn_filtered = self.four("dqn", **filtered)
        self.ppo = self.four("ppo")
        self.warm = self.four("ppo", init=self.first[FOUR].agent())
        self.dqn_draughts = self.checkers("dqn")
        self.unfiltered = self.checkers("dqn", opponent="legality", illegal_reward=-2.0)
        self.ppo_draughts = self.checkers("ppo")
        self.warm_draughts = self.checkers("ppo", init=self.first[DRAUGHTS].agent())

    def alphazero(self, simulations: int) -> Training:
        """AlphaZero on Connect Four."""
        name = "connect4" if simulations == 75 else f"connect4-{simulations}"
        small = self.extent.settings(TINY_CYCLE, {"steps": 20, "eval_freq": 4})
        return train("alphazero", preset=name, eval_truth_states=0, **small)

    def residual(self, blocks: int) -> Training:
        """AlphaZero on draughts."""
        small = self.extent.settings(TINY_CYCLE, SMALL_CYCLE)
        return train("alphazero", preset="checkers", blocks=blocks, eval_truth_states=0, **small)

    def four(self, method: str, **settings: Any) -> Training:
        """DQN or PPO on Connect Four."""
        steps = {"dqn": 200, "ppo": 60}[method]
        small = {"steps": steps, "eval_freq": steps // 10}
        return self.measured(FOUR, method, {"width": 4}, small, settings)

    def checkers(self, method: str, **settings: Any) -> Training:
        """DQN or PPO on draughts."""
        steps = {"dqn": 500, "ppo": 120}[method]
        small: dict[str, Any] = {"steps": steps, "eval_freq": steps // 10, "n_envs": 16}
        small |= {"width": 16, "blocks": 4}
        if method == "ppo":
            small |= {"n_steps": 32}
        else:
            small |= {"buffer_size": 50_000, "learning_starts": 500}
            small |= {"exploration_decay_games": 300.0}
        return self.measured(DRAUGHTS, method, {"width": 4, "blocks": 4}, small, settings)

    def measured(
        self, game: str, method: str, tiny: dict[str, Any], small: dict[str, Any], more: Any
    ) -> Training:
        """By its preset, measured against random and the first solution, which draws its moves."""
        tiny |= {**ask.TRAINED, "steps": 2, "n_envs": 2}
        own = {"n_steps": 4} if method == "ppo" else {"learning_starts": 8, "batch_size": 8}
        return train(
            method,
            preset="connect4" if game == FOUR else "checkers",
            eval_opponents=Woven("random;{}", self.first[game].agent("temperature=1")),
            eval_truth_states=0,
            **{**self.extent.settings({**tiny, **own}, small), **more},
        )

    def meet(self, a: PlayerGiven, b: PlayerGiven, game: str = FOUR, games: int = 0) -> Games:
        """Games from openings of two random plies."""
        return Games(game, a, b, games or self.games, openings="random:2")

    def pure(self, simulations: str) -> str:
        """The paper's tree search without a network."""
        return f"uct:plain=true,simulations={self.extent.of('10', simulations, simulations)}"

    def versus_search(self, rows: Mapping[str, tuple[PlayerGiven, str]]) -> ask.Grid:
        """Points on Connect Four against pure tree search; rows with the names of their quotes."""
        return ask.cross(
            "Points against pure tree search of so many simulations",
            rows,
            COUNTS,
            lambda row, count: self.meet(rows[row][0], self.pure(count)),
            printed=lambda row, count: f"{rows[row][1]}.at_{count}" if rows[row][1] else "",
        )


def over_training(title: str, trained: Mapping[str, Training]) -> list[ask.Figure]:
    """Games won against random and against AlphaZero's network, several runs in one picture."""
    return [
        ask.wins_over(f"{title}: games won against {name}", trained, metric)
        for name, metric in (("random", "random"), ("AlphaZero's network", OTHER))
    ]


def illegal_choices(trained: Mapping[str, Training]) -> ask.Figure:
    """How soon it is learned what is illegal."""
    title = "Illegal choices in training"
    return ask.course(title, trained, "illegal_rate", y="games ended by one", share=True)


def table_1(of: FourAndDraughtsTrainings) -> ask.StudyQuestion:
    """More simulations in training."""
    met = {
        (b, a): of.meet(of.zero[b].agent(of.helped), of.zero[a].agent(of.helped))
        for a, b in combinations(of.zero, 2)
    }
    runs = {f"{n} simulations": one for n, one in of.zero.items()}
    return ask.StudyQuestion(
        "table-1",
        "AlphaZero trained with 25, 50 and 75 simulations (table 1)",
        "Connect Four; in the games each searches 500 simulations. Two and three times as many "
        "simulations are said to take twice and three times as long.",
        grids=[
            ask.square(
                "Points of the row against the column",
                list(of.zero),
                met,
                lambda a, b: f"table-1/{a}.against_{b}",
            ),
            ask.table("Games of self-play", runs, {"seconds": "seconds_per_game"}, share=False),
        ],
        figures=[
            ask.wins_over("Games won against random", runs),
            ask.wins_over("The same over minutes", runs, x="minutes"),
        ],
        claims=[ask.beats(f"{b} simulations in training beat {a}", x) for (b, a), x in met.items()],
        boards=[met["75", "25"]],
        notes=["Seconds a game have no interval, and are of this machine."],
    )


def table_2(of: FourAndDraughtsTrainings) -> ask.StudyQuestion:
    """The network alone and with search."""
    alone, helped = of.first[FOUR].agent(), of.first[FOUR].agent(of.helped)
    grid = of.versus_search(
        {
            "network alone": (alone, "table-2/pure"),
            "network, 500 simulations": (helped, "table-2/searching"),
            "zoo/connect4 alone": ("zoo/connect4", ""),
        }
    )
    return ask.StudyQuestion(
        "table-2",
        "AlphaZero's network alone and with search (table 2)",
        "Against tree search with random rollouts. The network of the zoo was trained longer.",
        grids=[grid],
        claims=[
            ask.is_more(
                f"Search adds to the network against {count} simulations",
                of.meet(helped, of.pure(count)),
                of.meet(alone, of.pure(count)),
            )
            for count in COUNTS
        ],
    )


def table_3(of: FourAndDraughtsTrainings) -> ask.StudyQuestion:
    """More residual blocks in draughts."""
    games = of.extent.of(2, 40, 400)
    players = {blocks: one.agent(of.helped_draughts) for blocks, one in of.draughts.items()}
    met = {
        (b, a): of.meet(players[b], players[a], DRAUGHTS, games)
        for a, b in combinations(players, 2)
    }
    equal = (
        f"uct:plain=true,{of.extent.of('simulations=10', of.helped_draughts, of.helped_draughts)}"
    )
    pure = of.meet(players["8"], equal, DRAUGHTS, games)
    runs = {f"{n} blocks": one for n, one in of.draughts.items()}
    return ask.StudyQuestion(
        "table-3",
        "AlphaZero on draughts with 2, 4 and 8 residual blocks (table 3)",
        f"Each searches as much in the games, here {of.helped_draughts}; the paper 500, also its "
        "opponent. A game of self-play with 8 blocks took it about 40 seconds.",
        grids=[
            ask.square(
                "Points of the row against the column",
                list(players),
                met,
                lambda a, b: f"table-3/{a}.against_{b}",
            ),
            ask.column(
                "8 blocks against pure search with as many simulations",
                {of.helped_draughts: pure},
                printed=lambda *_: "table-3/search.wins",
            ),
            ask.table(
                "Games of self-play",
                runs,
                {"seconds": "seconds_per_game"},
                lambda row, _: "table-3/time.seconds" if row == "8 blocks" else "",
                share=False,
            ),
        ],
        figures=[ask.wins_over("Games won against random", runs)],
        claims=[
            *(ask.beats(f"{b} blocks beat {a}", x) for (b, a), x in met.items()),
            ask.beats("8 blocks beat pure search with as many simulations", pure, "table-3/search"),
        ],
        boards=[met["8", "2"]],
        notes=["Seconds a game have no interval, and are of this machine."],
    )


def table_4(of: FourAndDraughtsTrainings) -> ask.StudyQuestion:
    """DQN on Connect Four."""
    both = {"DQN, without a filter": of.dqn, "DQN, with a filter": of.dqn_filtered}
    plain, filtered = both.values()
    met = of.meet(plain.agent(), of.first[FOUR].agent())
    filters = of.meet(filtered.agent(), plain.agent())
    return ask.StudyQuestion(
        "table-4",
        "DQN on Connect Four (table 4, figure 2)",
        "The paper's has no filter: an illegal choice in training ends the game. Beside it one "
        "with a filter; DQN of the zoo had that too, and searches of rising strength to play with. "
        "In figure 2 AlphaZero's network draws its moves, DQN plays its best.",
        grids=[
            of.versus_search(
                {
                    "AlphaZero's network": (of.first[FOUR].agent(), "table-4/c4net"),
                    "DQN, without a filter": (plain.agent(), "table-4/dqn"),
                    "DQN, with a filter": (filtered.agent(), ""),
                    "zoo/connect4-dqn": ("zoo/connect4-dqn", "table-4/dqn"),
                }
            )
        ],
        figures=[
            *over_training("Figure 2", both),
            illegal_choices({"DQN, without a filter": plain}),
        ],
        claims=[
            ask.beats("DQN beats AlphaZero's network, both without search", met),
            ask.Claim(
                "DQN learns Connect Four as well without a filter",
                ask.Pick(filters, "points"),
                0.5,
                "fig-2/illegal",
                alike=True,
            ),
        ],
        boards=[met],
    )


def figure_3(of: FourAndDraughtsTrainings) -> ask.StudyQuestion:
    """DQN on draughts, with and without a filter."""
    first, pure = of.first[DRAUGHTS], of.pure_draughts
    players = {
        "with the filter": of.dqn_draughts.agent(),
        "without": of.unfiltered.agent(),
        "AlphaZero's network": first.agent(),
    }
    others: dict[str, tuple[PlayerGiven, int]] = {
        "random": ("random", of.games),
        "AlphaZero's network": (first.agent("temperature=1"), of.games),
        "pure search": (pure, of.few),
    }
    quotes = {
        ("with the filter", "AlphaZero's network"): "fig-3/beats.wins",
        ("with the filter", "pure search"): "draughts/mcts.dqn",
        ("AlphaZero's network", "pure search"): "draughts/mcts.alphazero",
    }

    met = {
        (row, name): of.meet(players[row], other, DRAUGHTS, games)
        for row in players
        for name, (other, games) in others.items()
        if row in ("with the filter", "without") or name == "pure search"
    }
    unmasked = of.meet(Unmasked(of.unfiltered.agent()), "random", DRAUGHTS, of.few)
    return ask.StudyQuestion(
        "figure-3",
        "DQN on draughts, with and without the legality filter (figure 3)",
        "The paper: without the filter it does not learn draughts; with it, it wins over 90 % "
        "against AlphaZero's network, which draws its moves, and about 40 % against pure search, "
        f"against which AlphaZero's network wins 3 %. Pure search is {pure}.",
        grids=[
            ask.cross(
                "Games won",
                players,
                others,
                lambda row, name: met.get((row, name)),
                "wins",
                lambda row, name: quotes.get((row, name), ""),
            ),
            ask.table(
                "Played without the filter too",
                {"against random": unmasked},
                {"games ended by an illegal choice": "resigned"},
            ),
        ],
        figures=[
            *over_training(
                "Figure 3", {"with the filter": of.dqn_draughts, "without": of.unfiltered}
            ),
            illegal_choices({"without the filter": of.unfiltered}),
        ],
        claims=[
            ask.is_more(
                "The filter helps against random",
                met["with the filter", "random"],
                met["without", "random"],
            ),
            ask.is_more(
                "DQN wins more than AlphaZero's network from pure search",
                met["with the filter", "pure search"],
                met["AlphaZero's network", "pure search"],
                "wins",
            ),
        ],
    )


def table_5(of: FourAndDraughtsTrainings) -> ask.StudyQuestion:
    """PPO on Connect Four."""
    warm = of.meet(of.warm.agent(), of.ppo.agent())
    ppo = {"PPO": of.ppo, "PPO, warm start": of.warm}
    alone, helped = of.ppo.agent(), of.ppo.agent(of.helped)
    return ask.StudyQuestion(
        "table-5",
        "PPO on Connect Four, alone, with search and warmed up (table 5, figure 4)",
        "The warm start begins with AlphaZero's weights; the paper saw the others catch up. PPO "
        "of the zoo trained against searches. In the paper's figure 4 PPO draws its moves; here "
        "all but AlphaZero's network play their best.",
        grids=[
            of.versus_search(
                {
                    "PPO alone": (alone, "table-5/pure"),
                    "PPO, 500 simulations": (helped, "table-5/searching"),
                    "zoo/connect4-ppo": ("zoo/connect4-ppo", "table-5/pure"),
                }
            ),
            ask.column("Warm start against none", {"Connect Four": warm}),
        ],
        figures=[*over_training("Figure 4", {**ppo, "DQN": of.dqn}), illegal_choices(ppo)],
        claims=[
            *(
                ask.is_more(
                    f"Search adds to PPO against {count} simulations",
                    of.meet(helped, of.pure(count)),
                    of.meet(alone, of.pure(count)),
                )
                for count in COUNTS
            ),
            no_warmth(warm),
        ],
        boards=[warm],
    )


def no_warmth(warm: Games) -> ask.Claim:
    """That a warm start is caught up with."""
    says = "The warm start makes no difference in the end"
    return ask.Claim(says, ask.Pick(warm, "points"), 0.5, "warm", alike=True)


def figure_5(of: FourAndDraughtsTrainings) -> ask.StudyQuestion:
    """PPO on draughts."""
    against = {
        "PPO alone": of.meet(of.ppo_draughts.agent(), of.pure_draughts, DRAUGHTS, of.few),
        f"PPO with {of.helped_draughts}": of.meet(
            of.ppo_draughts.agent(of.helped_draughts), of.pure_draughts, DRAUGHTS, of.few
        ),
    }
    alone, searching = against.values()
    warm = of.meet(of.warm_draughts.agent(), of.ppo_draughts.agent(), DRAUGHTS, of.few)

    def printed(row: str, name: str) -> str:
        if name == "points":
            return ""
        return "draughts/ppo.wins" if row == "PPO alone" else "draughts/ppo searching.wins"

    return ask.StudyQuestion(
        "figure-5",
        "PPO on draughts (figure 5)",
        f"Alone and with search against pure search, {of.pure_draughts}, and with and without a "
        "warm start. The paper searches 500 too. In its figure 5 PPO draws its moves; here all but "
        "AlphaZero's network play their best.",
        grids=[
            ask.table("Against pure search", against, {"won": "wins", "points": "points"}, printed),
            ask.column(
                "Warm start against none", {"draughts": warm}, printed=lambda *_: "fig-5/even.wins"
            ),
        ],
        figures=over_training(
            "Figure 5",
            {"PPO": of.ppo_draughts, "PPO, warm start": of.warm_draughts, "DQN": of.dqn_draughts},
        ),
        claims=[ask.is_more("Search adds to PPO", searching, alone), no_warmth(warm)],
    )


def perfect(of: FourAndDraughtsTrainings) -> ask.StudyQuestion:
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
    return ask.StudyQuestion(
        "perfect",
        "Against the perfect player",
        "The paper: PPO alone lost only as the second player, else it drew; with search it won "
        "as the first. Connect Four is won for the first player, so the second cannot but lose.",
        grids=[
            ask.table(
                "Points against perfect play",
                met,
                {"as first": "points as first", "as second": "points as second"},
            )
        ],
        claims=[
            ask.is_more(
                "PPO with search takes more as first than PPO alone",
                met["PPO, 500 simulations"],
                met["PPO alone"],
                "points as first",
                "perfect/search",
            ),
            ask.Claim(
                "PPO alone draws as first",
                ask.Pick(met["PPO alone"], "points as first"),
                0.5,
                "perfect/alone",
                alike=True,
            ),
        ],
        boards=[met["zoo/connect4, 500 simulations"]],
    )


STUDY = ask.Study(
    "connect4-checkers",
    "Connect Four and draughts: three ways to learn",
    ask.asking(
        FourAndDraughtsTrainings,
        table_1,
        table_2,
        table_3,
        table_4,
        figure_3,
        table_5,
        figure_5,
        perfect,
    ),
    left_out=[
        ask.LeftOut(
            "sections 4.2.1 and 4.3: games against the authors",
            "nobody plays here; the page of ludus is where a person may.",
        ),
        ask.LeftOut(
            "section 5: several days of training with 8 blocks",
            "minutes on another machine, with a GPU; ours stand below each question.",
        ),
    ],
)
