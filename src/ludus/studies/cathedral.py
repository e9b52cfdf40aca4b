"""Cathedral (Defradas et al.): DQN, PPO and an autoencoder on the 8x8 board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ludus.studies.engine import asking as ask
from ludus.studies.engine.branching import Branching
from ludus.studies.engine.building import Building
from ludus.studies.engine.games import Games
from ludus.studies.engine.reached import Reached
from ludus.studies.engine.reconstruction import Reconstruction
from ludus.studies.engine.training import Training, train

FAIR = "cathedral:size=8,rules=seed,fair_start=true"
UNFAIR = "cathedral:size=8,rules=seed"
RANDOM_REWARD = "game_reward random"
REWARD, WON = "average reward a game", "games won"
SMALL: dict[str, Any] = {"network": "mlp", "width": 8, "blocks": 1, "n_eval_games": 2}
VERSUS = {REWARD: "reward a game A", "average reward a move": "reward a move A", WON: "wins"}


class CathedralTrainings:
    """The trainings of the paper at one scale, and the games they play."""

    def __init__(self, extent: ask.Extent) -> None:
        self.extent = extent
        self.episodes = extent.of(4, 1_000, 4_000)
        self.games = extent.of(4, 400, 10_000)
        self.small = extent.settings(
            {**SMALL, "eval_freq_games": 2}, {"network": "conv", "eval_freq_games": 100}
        )
        self.long = self.dqn(total_games=extent.of(4, 2_000, 10_000))
        self.boltzmann = self.dqn()
        self.epsilon = self.dqn(exploration_strategy="epsilon")
        self.classic = self.dqn(per_alpha=0.0)
        self.sparse = self.dqn(shaping="")
        stage = self.episodes * 3 // 8
        self.illegal = self.dqn("-vs-illegal", opponent=f"{stage} games*legality;self")
        self.random = self.dqn("-vs-random", opponent=f"{stage} games*random;self")
        self.baseline = self.dqn(total_games=self.episodes * 5 // 8)
        self.soft = self.ppo()
        self.full = self.ppo(opponent_full_interval=10)
        self.vae = train(
            "vae",
            preset="cathedral",
            data_agent=self.soft.agent(),
            **extent.settings(
                {"dataset_games": 20, "steps": 2, "width": 2, "latent_dim": 4},
                {"dataset_games": 1_000, "steps": 60},
            ),
        )
        heads = extent.settings({"head_width": 8, "head_layers": 1}, {"head_width": 128})
        self.ppo_on_vae = self.ppo("-vae", network="", encoder=self.vae, **heads)
        self.dqn_on_vae = self.dqn(network="", encoder=self.vae, **heads)
        searched = {"positions_per_step": 32, "window": 200, "simulations": 2, "width": 8}
        self.zero = train(
            "alphazero",
            game=FAIR,
            eval_truth_states=0,
            **extent.of(
                {**ask.SEARCHED, **searched},
                {
                    "width": 32,
                    "blocks": 3,
                    "simulations": 32,
                    "positions_per_step": 1_024,
                    "eval_freq": 8,
                    "steps": 24,
                },
                {"width": 64, "blocks": 5, "simulations": 64, "steps": 300},
            ),
        )

    def dqn(self, variant: str = "", **settings: Any) -> Training:
        """DQN by the paper."""
        asked = {"total_games": self.episodes, **self.small, **settings}
        return train("dqn", preset=f"cathedral{variant}", **asked)

    def ppo(self, variant: str = "", **settings: Any) -> Training:
        """PPO by the paper."""
        asked = {"total_games": self.extent.of(5, 2_000, 10_000), **self.small, **settings}
        if variant:
            asked = {name: one for name, one in asked.items() if name not in ("width", "blocks")}
        return train("ppo", preset=f"cathedral{variant}", **asked)

    def against(
        self, a: Training, b: Training | str = "random", games: int = 0, **options: Any
    ) -> Games:
        """Games of what was trained, paid as in the paper."""
        other = b if isinstance(b, str) else b.agent()
        return Games(FAIR, a.agent(), other, games or self.games, reward="dense", **options)


def versus_random(rows: Mapping[str, Games], quotes: str = "", title: str = "") -> ask.Grid:
    """Average reward and games won against a random player; quotes by the name of a row."""
    own = {REWARD: "reward", WON: "wins"}

    def printed(row: str, name: str) -> str:
        return f"{quotes.format(row)}.{own[name]}" if quotes and name in own else ""

    return ask.table(
        title or "Against a random player", rows, VERSUS, printed, share=False, shares=[WON]
    )


def head_to_head(
    a: str, b: str, met: Games, quotes: str = "", title: str = "Against each other"
) -> ask.Grid:
    """Average reward and games won of both sides."""

    def row(name: str, side: str, won: str) -> tuple[str, list[ask.Cell]]:
        quote = quotes.format(name)
        return name, [
            ask.Cell(ask.Pick(met, f"reward a game {side}"), f"{quote}.reward" if quote else ""),
            ask.Cell(ask.Pick(met, won), f"{quote}.wins" if quote else ""),
        ]

    rows = [row(a, "A", "wins"), row(b, "B", "losses")]
    return ask.Grid(title, [REWARD, WON], rows, share=False, shares=[WON])


def first_placer(of: CathedralTrainings) -> ask.StudyQuestion:
    """Whether who begins has less, and what a coin does to it."""
    games = of.extent.of(20, 4_000, 10_000)
    greedy = {"games": games // 10, "openings": "random:2"}
    plain = Games(UNFAIR, "random", "random", games)
    coin = Games(FAIR, "random", "random", games, seed=2)
    played = {
        "two random players, the first places": plain,
        "two random players, a coin": coin,
        "two greedy players, the first places": Games(UNFAIR, "greedy", "greedy", **greedy),
        "two greedy players, a coin": Games(FAIR, "greedy", "greedy", **greedy, seed=2),
    }
    columns = {
        "by who began": "who began won",
        "points of who began": "points of who began",
        "by player 0": "player 0 won",
    }
    theirs = {"by who began": "bias.wins", "points of who began": "bias.wins"}
    first = next(iter(played))
    return ask.StudyQuestion(
        "first-placer",
        "Who places the Cathedral",
        "The paper says that the first player wins only 37.5 % between random players, since it "
        "places the Cathedral, and draws who that is. With the coin player 0 loses its handicap; "
        "who begins keeps it.",
        grids=[
            ask.table(
                "Games won",
                played,
                columns,
                lambda row, name: theirs.get(name, "") if row == first else "",
            ),
            ask.Grid(
                "The game, between random players",
                ["moves a game", "legal moves"],
                [
                    (
                        "a coin",
                        [
                            ask.Cell(ask.Pick(coin, "plies"), "moves.total"),
                            ask.Cell(ask.Pick(Branching(coin), "mean")),
                        ],
                    )
                ],
                share=False,
            ),
        ],
        claims=[
            ask.is_more(
                "Player 0 wins more often with the coin than without",
                coin,
                plain,
                "player 0 won",
                "bias",
            ),
            ask.Claim(
                "The coin changes nothing for who begins",
                ask.Pick(coin, "who began won"),
                ask.Pick(plain, "who began won"),
                alike=True,
            ),
        ],
        boards=[plain],
    )


def convergence(of: CathedralTrainings) -> ask.StudyQuestion:
    """How many episodes DQN needs."""
    played = of.against(of.long)
    dqn = {"DQN": of.long}
    early, settled = (Reached(of.long, ask.RANDOM_WINS, games) for games in (1_000, 4_000))
    return ask.StudyQuestion(
        "figures-3-4-6",
        "DQN: episodes until it converges (figures 3, 4 and 6)",
        "Average reward is said to settle between 2,000 and 4,000 episodes, and games won against "
        "a random player to reach 95 to 98 % after about 1,000.",
        grids=[
            versus_random({"DQN at the end": played}, "convergence"),
            ask.column(
                "After about 1,000 episodes", {"DQN": early}, "value", lambda *_: "fig-4/early.low"
            ),
        ],
        figures=[
            ask.course("Figure 3: reward in training", dqn, "game_reward", y="reward a game"),
            ask.course(
                "Figure 4a: reward against random",
                dqn,
                RANDOM_REWARD,
                y="reward a game",
                levels=[("at the end", "convergence.reward")],
            ),
            ask.wins_over(
                "Figures 4b and 6c: games won against random",
                dqn,
                levels=[("early, from", "fig-4/early.low"), ("to", "fig-4/early.high")],
            ),
            ask.course("Figure 6a: loss", dqn, "loss"),
            ask.course("Figure 6b: exploration", dqn, "exploration", y="share of moves at random"),
            ask.course("Figure 6d: plies an episode", dqn, "game_length", y="plies"),
        ],
        claims=[
            ask.Claim(
                "DQN beats a random player in 95 % of games or more after about 1,000 episodes",
                ask.Pick(early, "value"),
                0.95,
                "fig-4/early",
            ),
            ask.Claim(
                "DQN beats a random player in 95 % of games or more at the end",
                ask.Pick(played, "wins"),
                0.95,
                "fig-4/early",
            ),
            ask.Claim(
                "Nothing is gained after 4,000 episodes",
                ask.Pick(played, "wins"),
                ask.Pick(settled, "value"),
                "fig-3/stable",
                alike=True,
            ),
        ],
    )


def sparse_rewards(of: CathedralTrainings) -> ask.StudyQuestion:
    """The outcome alone as reward."""
    trained = {"moves and outcome": of.boltzmann, "outcome alone": of.sparse}
    played = {name: of.against(one) for name, one in trained.items()}
    return ask.StudyQuestion(
        "sparse-reward",
        "DQN by the outcome alone (section III.B)",
        "The paper tested +1 for a win and -1 for a loss without much success, and went on with "
        "rewards of moves.",
        grids=[versus_random(played)],
        figures=[ask.wins_over("Games won against random", trained)],
        claims=[
            ask.is_more(
                "Rewards of moves win more games against random",
                played["moves and outcome"],
                played["outcome alone"],
                "wins",
                "sparse",
            )
        ],
    )


def comparison(
    name: str,
    title: str,
    asks: str,
    of: CathedralTrainings,
    worse: tuple[str, Training],
    better: tuple[str, Training],
) -> ask.StudyQuestion:
    """Two ways to train DQN, against a random player and each other."""
    (a, one), (b, two) = worse, better
    meeting = of.against(two, one, openings="random:2")
    alone = {a: of.against(one), b: of.against(two)}
    return ask.StudyQuestion(
        name,
        title,
        asks,
        grids=[
            versus_random(alone, f"{name}/random {{}}"),
            head_to_head(b, a, meeting, f"{name}/against {{}}"),
        ],
        figures=[ask.wins_over("Games won against random", {a: one, b: two})],
        claims=[
            ask.is_more(f"{b} wins more games against random than {a}", alone[b], alone[a], "wins"),
            ask.beats(f"{b} beats {a}", meeting),
        ],
    )


def exploration(of: CathedralTrainings) -> ask.StudyQuestion:
    """Epsilon-greedy or Boltzmann."""
    return comparison(
        "table-1",
        "DQN: epsilon-greedy against Boltzmann exploration (table I)",
        "Both explore with a decay of 500 episodes.",
        of,
        ("epsilon", of.epsilon),
        ("boltzmann", of.boltzmann),
    )


def replay(of: CathedralTrainings) -> ask.StudyQuestion:
    """Plies drawn alike, or by their error."""
    return comparison(
        "table-3",
        "DQN: classic against prioritised replay (table III)",
        "Plies drawn alike, or by their error.",
        of,
        ("classic", of.classic),
        ("prioritised", of.boltzmann),
    )


def setups(of: CathedralTrainings) -> ask.StudyQuestion:
    """Legality first, a random opponent first, or self-play from the start."""
    trained = {"illegal": of.illegal, "random": of.random, "baseline": of.baseline}
    alone = {name: of.against(one) for name, one in trained.items()}
    met = {
        name: of.against(trained[name], of.baseline, openings="random:2")
        for name in ("illegal", "random")
    }

    def rewards(title: str, one: Training) -> ask.Figure:
        curves = [
            ask.Along("training", one, "game_reward"),
            ask.Along("against random", one, RANDOM_REWARD),
        ]
        return ask.Figure(title, curves, "games", "reward a game")

    return ask.StudyQuestion(
        "table-4",
        "DQN: legality first, random first, or self-play (table IV, figures 7 and 8)",
        "1,500 games that teach legal moves, or against a random player, then 2,500 of self-play; "
        "the baseline has the self-play alone. Stages are counted in games. Over 90 % of the first "
        "actions are said to be illegal.",
        grids=[
            versus_random(alone, "table-4/random {}"),
            versus_random(met, "table-4/against {}", "Against the baseline"),
        ],
        figures=[
            rewards("Figure 7: reward, random first", of.random),
            rewards("Figure 8: reward, legality first", of.illegal),
            ask.course(
                "Games ended by an illegal choice",
                {"legality first": of.illegal},
                "illegal_rate",
                y="games ended by one",
                share=True,
                levels=[("first actions that are illegal, at least", "illegal.rate")],
            ),
        ],
        claims=[
            ask.Claim(f"{name} first loses to the baseline", ask.Pick(x, "points B"), 0.5)
            for name, x in met.items()
        ],
    )


def self_play(of: CathedralTrainings) -> ask.StudyQuestion:
    """PPO against a copy that follows softly, or that is replaced."""
    both = {"soft updates": of.soft, "full updates": of.full}
    played = {name: of.against(one) for name, one in both.items()}
    early = {name: Reached(one, ask.RANDOM_WINS, 900) for name, one in both.items()}
    dqn = of.against(of.boltzmann)
    pictures = {
        "game_reward": "reward a game",
        "value_mean": "mean value",
        "value_loss": "value loss",
        "ratio": "ratio",
        "policy_loss": "policy loss",
        "clip_fraction": "share of moves clipped",
    }

    def printed(row: str, name: str) -> str:
        return "ppo.wins" if row == "soft updates" else ""

    return ask.StudyQuestion(
        "figures-5-9-10",
        "PPO: self-play with soft and with full updates (figures 5, 9 and 10)",
        "The opponent moves to the learner by 30 % every 10 episodes and becomes it every 100 "
        "(figures 5 and 10), or becomes it every 10 (figure 9). Games won against random are said "
        "to reach 98 % after about 900 episodes, and rewards to settle after about 3,000.",
        grids=[
            ask.column("Against a random player: games won", played, "wins", printed),
            ask.column("After about 900 episodes: games won", early, "value", printed),
        ],
        figures=[
            *(ask.course(y.capitalize(), both, metric, y=y) for metric, y in pictures.items()),
            ask.wins_over("Games won against random", both, levels=[("plateau", "ppo.wins")]),
        ],
        claims=[
            ask.is_more(
                "Soft updates win more games against random than full ones",
                played["soft updates"],
                played["full updates"],
                "wins",
                "soft",
            ),
            ask.Claim(
                "PPO with soft updates wins as many games against random as DQN",
                ask.Pick(played["soft updates"], "wins"),
                ask.Pick(dqn, "wins"),
                "similar",
                alike=True,
            ),
        ],
    )


def autoencoder(of: CathedralTrainings) -> ask.StudyQuestion:
    """What the autoencoder rebuilds."""
    games = of.extent.of(4, 200, 1_000)
    seen = {
        "random games": Games(FAIR, "random", "random", games, seed=9),
        "games of PPO": Games(FAIR, of.soft.agent(), "random", games, seed=9),
    }
    rebuilt = {name: Reconstruction(of.vae, one) for name, one in seen.items()}
    columns = {"rebuilt": "cells", "all empty": "empty", "occupied cells rebuilt": "occupied"}

    def both_sets(title: str, metric: str, y: str, **form: Any) -> ask.Figure:
        curves = [
            ask.Along("learned from", of.vae, metric),
            ask.Along("held out", of.vae, f"validation_{metric}"),
        ]
        return ask.Figure(title, curves, "step", y, **form)

    return ask.StudyQuestion(
        "figure-11",
        "The autoencoder: loss and cells rebuilt (figure 11)",
        "4,000 games, half of them by a PPO agent; the paper prints 94.3 % reconstruction. Most "
        "cells of most planes are empty, so saying 'empty' everywhere is the baseline, and the "
        "occupied cells are what there is to learn. A step is an epoch.",
        grids=[
            ask.table(
                "Cells",
                rebuilt,
                columns,
                lambda _, name: "vae.cells" if name == "rebuilt" else "",
            )
        ],
        figures=[
            both_sets("Figure 11: reconstruction loss", "reconstruction_loss", "loss"),
            both_sets(
                "Cells rebuilt",
                "cell_accuracy",
                "cells",
                levels=[("reconstruction", "vae.cells")],
            ),
        ],
        claims=[
            ask.Claim(
                f"More cells are rebuilt than by saying 'empty' ({name})",
                ask.Pick(x, "cells"),
                ask.Pick(x, "empty"),
            )
            for name, x in rebuilt.items()
        ],
        notes=["The losses and shares of the curves have no interval: one training."],
    )


def on_the_trunk(of: CathedralTrainings) -> ask.StudyQuestion:
    """PPO and DQN that see positions through the autoencoder."""
    trained = {
        "PPO": of.soft,
        "PPO on the VAE": of.ppo_on_vae,
        "DQN": of.boltzmann,
        "DQN on the VAE": of.dqn_on_vae,
    }
    played = {name: of.against(one) for name, one in trained.items()}
    of_ppo = {name: trained[name] for name in ("PPO", "PPO on the VAE")}
    pictures = {
        "game_reward": "reward a game",
        "value_loss": "value loss",
        "policy_loss": "policy loss",
        "value_mean": "mean value",
    }
    return ask.StudyQuestion(
        "figures-12-13",
        "PPO and DQN on the frozen autoencoder (figures 12 and 13)",
        "The encoder in the place of the convolutions, frozen, with its opponent updated at every "
        "step: after each game. The paper saw learning begin alike and then become unstable.",
        grids=[versus_random(played)],
        figures=[
            *(ask.course(y.capitalize(), of_ppo, metric, y=y) for metric, y in pictures.items()),
            ask.wins_over("Games won against random", trained),
        ],
        claims=[
            ask.is_more(
                f"{name} wins more games against random than {name} on the VAE",
                played[name],
                played[f"{name} on the VAE"],
                "wins",
            )
            for name in ("PPO", "DQN")
        ],
    )


def best_two(of: CathedralTrainings) -> ask.StudyQuestion:
    """DQN against PPO with the moves drawn."""
    games = of.extent.of(4, 1_000, 1_000)
    dqn, ppo, drawn = of.boltzmann, of.soft, "temperature=1"
    met = Games(FAIR, dqn.agent(drawn), ppo.agent(drawn), games, reward="dense")
    greedy = of.against(dqn, ppo, games, openings="random:2")
    return ask.StudyQuestion(
        "table-2",
        "DQN against PPO (table II)",
        "1,000 games at temperature 1: moves are drawn from the softmax of action values, or from "
        "the policy. Beside it games in which both play their best move.",
        grids=[
            head_to_head("DQN", "PPO", met, "table-2/{}"),
            ask.column(
                "Games drawn",
                {"temperature 1": met, "best moves": greedy},
                "draws",
                lambda row, _: "table-2/draw.draws" if row == "temperature 1" else "",
            ),
            head_to_head("DQN, best moves", "PPO, best moves", greedy, title="Best moves"),
        ],
        claims=[
            ask.beats("DQN beats PPO at temperature 1", met, "table-2/DQN"),
            ask.beats("DQN beats PPO with best moves", greedy),
        ],
        boards=[greedy],
    )


def habits(of: CathedralTrainings) -> ask.StudyQuestion:
    """What is built first, and how much ground is claimed."""
    seen = {"DQN": Building(of.against(of.boltzmann)), "PPO": Building(of.against(of.soft))}
    told = [(name, one, "A") for name, one in seen.items()]
    told.append(("random", seen["DQN"], "B"))
    shown = {"size": "Size of what is built", "territory": "Own territory"}
    return ask.StudyQuestion(
        "habits",
        "What learned agents do: large buildings first, and territory",
        "The paper looked at games and saw that 'the larger pieces are put down first and "
        "territory is conquered'.",
        grids=[
            ask.Grid(
                f"Squares, in games against random ({what})",
                ["first three buildings", "later ones"],
                [
                    (
                        name,
                        [
                            ask.Cell(ask.Pick(one, f"{what} {when} {side}"))
                            for when in ("early", "later")
                        ],
                    )
                    for name, one, side in told
                ],
                share=False,
            )
            for what in shown
        ],
        figures=[
            ask.Figure(
                title,
                [ask.Series(name, one, f"{what} {side}") for name, one, side in told],
                "turn",
                "squares",
            )
            for what, title in shown.items()
        ],
        claims=[
            ask.Claim(
                f"{name} {does} than random does",
                ask.Pick(one, f"{number} A"),
                ask.Pick(seen["DQN"], f"{number} B"),
                "habits",
            )
            for name, one in seen.items()
            for does, number in (
                ("builds larger buildings first", "size early"),
                ("holds more territory", "territory later"),
            )
        ],
    )


def searches(of: CathedralTrainings) -> ask.StudyQuestion:
    """Alpha-beta, and the AlphaZero that the paper could not train."""
    games = of.extent.of(2, 100, 400)
    zero = of.zero.agent(of.extent.of("simulations=2", "simulations=32", "simulations=64"))
    alphabeta = of.extent.of("alphabeta:depth=1", "alphabeta:lines=10000", "alphabeta:lines=10000")
    pairs = {
        "alpha-beta against random": Games(FAIR, alphabeta, "random", games, seed=3),
        "AlphaZero against random": Games(FAIR, zero, "random", games, seed=3),
        "AlphaZero against DQN": Games(
            FAIR, zero, of.boltzmann.agent(), games, openings="random:2"
        ),
        "AlphaZero against alpha-beta": Games(FAIR, zero, alphabeta, games, openings="random:2"),
    }
    columns = {"points of the first": "points", "its milliseconds a move": "milliseconds A"}
    return ask.StudyQuestion(
        "tree-search",
        "Alpha-beta, and AlphaZero, which could not be trained there",
        "The paper's alpha-beta 'consistently won against a player making random moves' in about a "
        "dozen games, its depth set by the number of legal moves. Its AlphaZero 'struggled to "
        "complete a single full simulation within an hour'; here it is trained and meets the "
        "others.",
        grids=[ask.table("Games", pairs, columns, share=False, shares=["points of the first"])],
        figures=[
            ask.wins_over(
                "AlphaZero: games won against random", {"AlphaZero": of.zero}, x="minutes"
            )
        ],
        claims=[
            ask.beats("Alpha-beta beats random", pairs["alpha-beta against random"], "alphabeta"),
            ask.beats("AlphaZero beats DQN", pairs["AlphaZero against DQN"]),
        ],
        boards=[pairs["AlphaZero against DQN"]],
    )


STUDY = ask.Study(
    "cathedral",
    "Cathedral: what DQN, PPO and an autoencoder learn",
    ask.asking(
        CathedralTrainings,
        first_placer,
        convergence,
        sparse_rewards,
        exploration,
        replay,
        setups,
        self_play,
        autoencoder,
        on_the_trunk,
        best_two,
        habits,
        searches,
    ),
    left_out=[
        ask.LeftOut(
            "section IV.C: learner and target diverge",
            "it is said without a number or a measure.",
            "diverge",
        ),
        ask.LeftOut(
            "section IV.A: training took 15 minutes to 3 hours",
            "minutes on other machines; ours stand below each question.",
            "minutes",
        ),
    ],
)
