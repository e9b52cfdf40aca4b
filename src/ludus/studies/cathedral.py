"""Cathedral (Defradas et al.): DQN, PPO and an autoencoder on the 8x8 board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ludus.studies.engine.building import Building
from ludus.studies.engine.games import Games
from ludus.studies.engine.reconstruction import Reconstruction
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
)
from ludus.studies.engine.training import Training, train

FAIR = "cathedral:size=8,rules=seed,fair_start=true"
UNFAIR = "cathedral:size=8,rules=seed"
RANDOM_WINS, RANDOM_REWARD = "win_rate random", "game_reward random"
SMALL: dict[str, Any] = {"network": "mlp", "width": 8, "blocks": 1, "n_eval_games": 2}


class CathedralTrainings:
    """The trainings of the paper at one scale, and the games they play."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self.episodes = extent.of(4, 1_000, 4_000)
        self.games = extent.of(4, 400, 10_000)
        self.small = extent.settings(
            {**SMALL, "eval_freq_games": 2}, {"network": "conv", "eval_freq_games": 100}
        )
        long = extent.of({}, {"total_games": 2_000}, {"total_games": 10_000})
        self.long = self.dqn(**long)
        self.boltzmann = self.dqn()
        self.epsilon = self.dqn(exploration_strategy="epsilon")
        self.classic = self.dqn(per_alpha=0.0)
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
        self.zero = train(
            "alphazero",
            game=FAIR,
            eval_truth_states=0,
            **extent.of(
                {**TINY_ZERO, "n_eval_games": 2},
                {**SMALL_ZERO, "steps": 24},
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

    def against(self, a: Training, b: Training | str = "random", **options: Any) -> Games:
        """Games of what was trained, paid as in the paper."""
        other = b if isinstance(b, str) else b.agent()
        return Games(FAIR, a.agent(), other, self.games, reward="dense", **options)


TINY_ZERO: dict[str, Any] = {
    "steps": 1,
    "width": 8,
    "blocks": 1,
    "simulations": 2,
    "positions_per_step": 32,
    "n_envs": 4,
    "window": 200,
    "batch_size": 16,
}
SMALL_ZERO: dict[str, Any] = {
    "width": 32,
    "blocks": 3,
    "simulations": 32,
    "positions_per_step": 1_024,
    "eval_freq": 8,
}


def first_placer(of: CathedralTrainings) -> StudyQuestion:
    """Whether who begins has less, and what a coin does to it."""
    games = of.extent.of(20, 4_000, 10_000)
    played = {
        "two random players, the first places": Games(UNFAIR, "random", "random", games),
        "two random players, a coin": Games(FAIR, "random", "random", games, seed=2),
        "two greedy players, the first places": Games(
            UNFAIR, "greedy", "greedy", games // 10, openings="random:2"
        ),
        "two greedy players, a coin": Games(
            FAIR, "greedy", "greedy", games // 10, openings="random:2", seed=2
        ),
    }
    rows = [
        (
            name,
            [
                Cell(Pick(one, "who began won"), "bias.wins" if not at else ""),
                Cell(Pick(one, "points of who began"), "bias.wins" if not at else ""),
                Cell(Pick(one, "player 0 won")),
            ],
        )
        for at, (name, one) in enumerate(played.items())
    ]
    plain, coin, *_ = played.values()
    return StudyQuestion(
        "first-placer",
        "Who places the Cathedral",
        "The paper says that the first player wins only 37.5 % between random players, since it "
        "places the Cathedral, and draws who that is. With the coin player 0 loses its handicap; "
        "who begins keeps it.",
        grids=[Grid("Games won", ["by who began", "points of who began", "by player 0"], rows)],
        claims=[
            Claim(
                "Player 0 wins more often with the coin than without",
                Pick(coin, "player 0 won"),
                Pick(plain, "player 0 won"),
                "bias",
            ),
            Claim(
                "The coin changes nothing for who begins",
                Pick(coin, "who began won"),
                Pick(plain, "who began won"),
                alike=True,
            ),
        ],
        boards=[plain],
    )


def convergence(of: CathedralTrainings) -> StudyQuestion:
    """How many episodes DQN needs."""
    played = of.against(of.long)
    return StudyQuestion(
        "figures-3-4-6",
        "DQN: episodes until it converges (figures 3, 4 and 6)",
        "Average reward is said to settle between 2,000 and 4,000 episodes, and games won against "
        "a random player to reach 95 to 98 % after about 1,000.",
        grids=[versus_random({"DQN at the end": (played, "convergence")})],
        figures=[
            Figure(
                "Figure 3: reward in training",
                [Along("DQN", of.long, "game_reward")],
                "games",
                "reward a game",
            ),
            Figure(
                "Figure 4a: reward against random",
                [Along("DQN", of.long, RANDOM_REWARD)],
                "games",
                "reward a game",
                levels=[("at the end", "convergence.reward")],
            ),
            Figure(
                "Figure 4b: games won against random",
                [Along("DQN", of.long, RANDOM_WINS)],
                "games",
                "games won",
                share=True,
                levels=[("early", "fig-4/early.low")],
            ),
            Figure("Figure 6a: loss", [Along("DQN", of.long, "loss")], "games", "loss"),
            Figure(
                "Figure 6b: exploration",
                [Along("DQN", of.long, "exploration")],
                "games",
                "share of moves at random",
            ),
            Figure(
                "Figure 6d: plies an episode",
                [Along("DQN", of.long, "game_length")],
                "games",
                "plies",
            ),
        ],
        claims=[
            Claim(
                "DQN beats a random player in 95 % of games or more",
                Pick(played, "wins"),
                0.95,
                "fig-4/early",
            )
        ],
    )


def versus_random(rows: dict[str, tuple[Games, str]]) -> Grid:
    """Average reward and games won against a random player."""
    return Grid(
        "Against a random player",
        ["average reward a game", "average reward a move", "games won"],
        [
            (
                name,
                [
                    Cell(Pick(one, "reward a game A"), f"{quote}.reward" if quote else ""),
                    Cell(Pick(one, "reward a move A")),
                    Cell(Pick(one, "wins"), f"{quote}.wins" if quote else ""),
                ],
            )
            for name, (one, quote) in rows.items()
        ],
        share=False,
        shares=["games won"],
    )


def head_to_head(one: Games, quotes: Sequence[tuple[str, str, str]]) -> Grid:
    """Average reward and games won of both sides: a name, A or B, and the quote of each."""
    won = {"A": "wins", "B": "losses"}
    return Grid(
        "Against each other",
        ["average reward a game", "games won"],
        [
            (
                name,
                [
                    Cell(Pick(one, f"reward a game {side}"), f"{quote}.reward" if quote else ""),
                    Cell(Pick(one, won[side]), f"{quote}.wins" if quote else ""),
                ],
            )
            for name, side, quote in quotes
        ],
        share=False,
        shares=["games won"],
    )


def comparison(
    name: str,
    title: str,
    asks: str,
    of: CathedralTrainings,
    worse: tuple[str, Training],
    better: tuple[str, Training],
    quotes: str,
) -> StudyQuestion:
    """Two ways to train DQN, against a random player and each other."""
    (a, one), (b, two) = worse, better
    meeting = of.against(two, one, openings="random:2")
    alone = {a: of.against(one), b: of.against(two)}
    return StudyQuestion(
        name,
        title,
        asks,
        grids=[
            versus_random({key: (x, f"{quotes}/random {key}") for key, x in alone.items()}),
            head_to_head(
                meeting, [(b, "A", f"{quotes}/against {b}"), (a, "B", f"{quotes}/against {a}")]
            ),
        ],
        figures=[
            Figure(
                "Games won against random",
                [Along(a, one, RANDOM_WINS), Along(b, two, RANDOM_WINS)],
                "games",
                "games won",
                share=True,
            ),
        ],
        claims=[
            Claim(
                f"{b} wins more games against random than {a}",
                Pick(alone[b], "wins"),
                Pick(alone[a], "wins"),
            ),
            Claim(f"{b} beats {a}", Pick(meeting, "points"), 0.5),
        ],
    )


def setups(of: CathedralTrainings) -> StudyQuestion:
    """Legality first, a random opponent first, or self-play from the start."""
    trained = {"illegal": of.illegal, "random": of.random, "baseline": of.baseline}
    alone = {name: of.against(one) for name, one in trained.items()}
    met = {
        name: of.against(trained[name], of.baseline, openings="random:2")
        for name in ("illegal", "random")
    }
    return StudyQuestion(
        "table-4",
        "DQN: legality first, random first, or self-play (table IV, figures 7 and 8)",
        "1,500 games that teach legal moves, or against a random player, then 2,500 of self-play; "
        "the baseline has the self-play alone. Stages are counted in games.",
        grids=[
            versus_random({name: (x, f"table-4/random {name}") for name, x in alone.items()}),
            Grid(
                "Against the baseline",
                ["average reward a game", "games won"],
                [
                    (
                        name,
                        [
                            Cell(Pick(x, "reward a game A"), f"table-4/against {name}.reward"),
                            Cell(Pick(x, "wins"), f"table-4/against {name}.wins"),
                        ],
                    )
                    for name, x in met.items()
                ],
                share=False,
                shares=["games won"],
            ),
        ],
        figures=[
            Figure(
                "Figure 7: reward, random first",
                [
                    Along("training", of.random, "game_reward"),
                    Along("against random", of.random, RANDOM_REWARD),
                ],
                "games",
                "reward a game",
            ),
            Figure(
                "Figure 8: reward, legality first",
                [
                    Along("training", of.illegal, "game_reward"),
                    Along("against random", of.illegal, RANDOM_REWARD),
                ],
                "games",
                "reward a game",
            ),
            Figure(
                "Illegal choices",
                [Along("legality first", of.illegal, "illegal_rate")],
                "games",
                "games ended by one",
                share=True,
            ),
        ],
        claims=[
            Claim(f"{name} first loses to the baseline", Pick(x, "points B"), 0.5)
            for name, x in met.items()
        ],
    )


def self_play(of: CathedralTrainings) -> StudyQuestion:
    """PPO against a copy that follows softly, or that is replaced."""
    both = {"soft updates": of.soft, "full updates": of.full}
    played = {name: of.against(one) for name, one in both.items()}
    pictures = [
        ("game_reward", "reward a game"),
        ("value_loss", "value loss"),
        ("ratio", "ratio"),
        ("policy_loss", "policy loss"),
        ("clip_fraction", "share of moves clipped"),
    ]
    return StudyQuestion(
        "figures-5-9-10",
        "PPO: self-play with soft and with full updates (figures 5, 9 and 10)",
        "The opponent moves to the learner by 30 % every 10 episodes and becomes it every 100 "
        "(figures 5 and 10), or becomes it every 10 (figure 9). Games won against random are said "
        "to reach 98 % after about 900 episodes.",
        grids=[
            Grid(
                "Against a random player",
                ["games won"],
                [
                    (
                        name,
                        [Cell(Pick(x, "wins"), "ppo.wins" if x is played["soft updates"] else "")],
                    )
                    for name, x in played.items()
                ],
            )
        ],
        figures=[
            *(
                Figure(
                    y.capitalize(), [Along(name, x, metric) for name, x in both.items()], "games", y
                )
                for metric, y in pictures
            ),
            Figure(
                "Games won against random",
                [Along(name, x, RANDOM_WINS) for name, x in both.items()],
                "games",
                "games won",
                share=True,
                levels=[("plateau", "ppo.wins")],
            ),
        ],
        claims=[
            Claim(
                "Soft updates win more games against random than full ones",
                Pick(played["soft updates"], "wins"),
                Pick(played["full updates"], "wins"),
            )
        ],
    )


def autoencoder(of: CathedralTrainings) -> StudyQuestion:
    """What the autoencoder rebuilds."""
    games = of.extent.of(4, 200, 1_000)
    seen = {
        "random games": Games(FAIR, "random", "random", games, seed=9),
        "games of PPO": Games(FAIR, of.soft.agent(), "random", games, seed=9),
    }
    rebuilt = {name: Reconstruction(of.vae, one) for name, one in seen.items()}
    return StudyQuestion(
        "figure-11",
        "The autoencoder: loss and cells rebuilt (figure 11)",
        "4,000 games, half of them by a PPO agent; the paper prints 94.3 % reconstruction. Most "
        "cells of most planes are empty, so saying 'empty' everywhere is the baseline, and the "
        "occupied cells are what there is to learn.",
        grids=[
            Grid(
                "Cells",
                ["rebuilt", "all empty", "occupied cells rebuilt"],
                [
                    (
                        name,
                        [
                            Cell(Pick(x, "cells"), "vae.cells"),
                            Cell(Pick(x, "empty")),
                            Cell(Pick(x, "occupied")),
                        ],
                    )
                    for name, x in rebuilt.items()
                ],
            )
        ],
        figures=[
            Figure(
                "Figure 11: reconstruction loss",
                [
                    Along("learned from", of.vae, "reconstruction_loss"),
                    Along("held out", of.vae, "validation_reconstruction_loss"),
                ],
                "step",
                "loss",
            ),
            Figure(
                "Cells rebuilt",
                [
                    Along("learned from", of.vae, "cell_accuracy"),
                    Along("held out", of.vae, "validation_cell_accuracy"),
                ],
                "step",
                "cells",
                levels=[("reconstruction", "vae.cells")],
            ),
        ],
        claims=[
            Claim(
                f"More cells are rebuilt than by saying 'empty' ({name})",
                Pick(x, "cells"),
                Pick(x, "empty"),
            )
            for name, x in rebuilt.items()
        ],
        notes=["The losses and shares of the curves have no interval: one training."],
    )


def on_the_trunk(of: CathedralTrainings) -> StudyQuestion:
    """PPO and DQN that see positions through the autoencoder."""
    trained = {
        "PPO": of.soft,
        "PPO on the VAE": of.ppo_on_vae,
        "DQN": of.boltzmann,
        "DQN on the VAE": of.dqn_on_vae,
    }
    played = {name: of.against(one) for name, one in trained.items()}
    return StudyQuestion(
        "figures-12-13",
        "PPO and DQN on the frozen autoencoder (figures 12 and 13)",
        "The encoder in the place of the convolutions, frozen; the paper saw learning begin alike "
        "and then become unstable.",
        grids=[versus_random({name: (x, "") for name, x in played.items()})],
        figures=[
            Figure(
                y.capitalize(),
                [Along(name, trained[name], metric) for name in ("PPO", "PPO on the VAE")],
                "games",
                y,
            )
            for metric, y in (
                ("game_reward", "reward a game"),
                ("value_loss", "value loss"),
                ("policy_loss", "policy loss"),
                ("value_mean", "mean value"),
            )
        ]
        + [
            Figure(
                "Games won against random",
                [Along(name, x, RANDOM_WINS) for name, x in trained.items()],
                "games",
                "games won",
                share=True,
            )
        ],
        claims=[
            Claim(
                f"{name} wins more games against random than {name} on the VAE",
                Pick(played[name], "wins"),
                Pick(played[f"{name} on the VAE"], "wins"),
            )
            for name in ("PPO", "DQN")
        ],
    )


def best_two(of: CathedralTrainings) -> StudyQuestion:
    """DQN against PPO with the moves drawn."""
    games = of.extent.of(4, 1_000, 1_000)
    met = Games(
        FAIR,
        of.boltzmann.agent("temperature=1"),
        of.soft.agent("temperature=1"),
        games,
        reward="dense",
    )
    greedy = Games(
        FAIR, of.boltzmann.agent(), of.soft.agent(), games, reward="dense", openings="random:2"
    )
    return StudyQuestion(
        "table-2",
        "DQN against PPO (table II)",
        "1,000 games at temperature 1: moves are drawn from the softmax of action values, or from "
        "the policy. Beside it games in which both play their best move.",
        grids=[
            head_to_head(met, [("DQN", "A", "table-2/dqn"), ("PPO", "B", "table-2/ppo")]),
            Grid(
                "Draws",
                ["games drawn"],
                [
                    ("temperature 1", [Cell(Pick(met, "draws"), "table-2/draw.draws")]),
                    ("best moves", [Cell(Pick(greedy, "draws"))]),
                ],
            ),
            head_to_head(greedy, [("DQN, best moves", "A", ""), ("PPO, best moves", "B", "")]),
        ],
        claims=[
            Claim("DQN beats PPO at temperature 1", Pick(met, "points"), 0.5),
            Claim("DQN beats PPO with best moves", Pick(greedy, "points"), 0.5),
        ],
        boards=[greedy],
    )


def habits(of: CathedralTrainings) -> StudyQuestion:
    """What is built first, and how much ground is claimed."""
    seen = {"DQN": Building(of.against(of.boltzmann)), "PPO": Building(of.against(of.soft))}
    told = [(name, one, "A") for name, one in seen.items()]
    told.append(("random", seen["DQN"], "B"))
    return StudyQuestion(
        "habits",
        "What learned agents do: large buildings first, and territory",
        "The paper looked at games and saw the larger pieces put down first and territory "
        "conquered.",
        grids=[
            Grid(
                f"Squares, in games against random ({what})",
                ["first three buildings", "later ones"],
                [
                    (
                        name,
                        [
                            Cell(Pick(one, f"{what} early {side}")),
                            Cell(Pick(one, f"{what} later {side}")),
                        ],
                    )
                    for name, one, side in told
                ],
                share=False,
            )
            for what in ("size", "territory")
        ],
        figures=[
            Figure(
                title,
                [Series(name, one, f"{what} {side}") for name, one, side in told],
                "turn",
                "squares",
            )
            for what, title in (("size", "Size of what is built"), ("territory", "Own territory"))
        ],
        claims=[
            Claim(
                f"{name} builds larger buildings first than random does",
                Pick(one, "size early A"),
                Pick(seen["DQN"], "size early B"),
            )
            for name, one in seen.items()
        ],
    )


def searches(of: CathedralTrainings) -> StudyQuestion:
    """Alpha-beta, and the AlphaZero that the paper could not train."""
    games = of.extent.of(2, 100, 400)
    searched = of.extent.of("simulations=2", "simulations=32", "simulations=64")
    alphabeta = of.extent.of("alphabeta:depth=1", "alphabeta:lines=10000", "alphabeta:lines=10000")
    pairs = {
        "alpha-beta against random": Games(FAIR, alphabeta, "random", games, seed=3),
        "AlphaZero against random": Games(FAIR, of.zero.agent(searched), "random", games, seed=3),
        "AlphaZero against DQN": Games(
            FAIR, of.zero.agent(searched), of.boltzmann.agent(), games, openings="random:2"
        ),
        "AlphaZero against alpha-beta": Games(
            FAIR, of.zero.agent(searched), alphabeta, games, openings="random:2"
        ),
    }
    return StudyQuestion(
        "tree-search",
        "Alpha-beta, and AlphaZero, which could not be trained there",
        "The paper's alpha-beta won a dozen games against random. Its AlphaZero 'struggled to "
        "complete a single full simulation within an hour'; here it is trained and meets the "
        "others.",
        grids=[
            Grid(
                "Points",
                ["of the first"],
                [(name, [Cell(Pick(one, "points"))]) for name, one in pairs.items()],
            ),
            Grid(
                "Time",
                ["milliseconds a move of the first"],
                [(name, [Cell(Pick(one, "milliseconds A"))]) for name, one in pairs.items()],
                share=False,
            ),
        ],
        figures=[
            Figure(
                "AlphaZero: games won against random",
                [Along("AlphaZero", of.zero, RANDOM_WINS)],
                "minutes",
                "games won",
                share=True,
            )
        ],
        claims=[Claim("AlphaZero beats DQN", Pick(pairs["AlphaZero against DQN"], "points"), 0.5)],
        boards=[pairs["AlphaZero against DQN"]],
    )


def questions(extent: Extent) -> Sequence[StudyQuestion]:
    """All of the paper's tables and figures."""
    return list(asked(CathedralTrainings(extent)))


def asked(of: CathedralTrainings) -> Iterator[StudyQuestion]:
    """In the order of the paper."""
    yield first_placer(of)
    yield convergence(of)
    yield comparison(
        "table-1",
        "DQN: epsilon-greedy against Boltzmann exploration (table I)",
        "Both explore with a decay of 500 episodes.",
        of,
        ("epsilon", of.epsilon),
        ("boltzmann", of.boltzmann),
        "table-1",
    )
    yield comparison(
        "table-3",
        "DQN: classic against prioritised replay (table III)",
        "Plies drawn alike, or by their error.",
        of,
        ("classic", of.classic),
        ("prioritised", of.boltzmann),
        "table-3",
    )
    yield setups(of)
    yield self_play(of)
    yield autoencoder(of)
    yield on_the_trunk(of)
    yield best_two(of)
    yield habits(of)
    yield searches(of)


STUDY = Study("cathedral", "Cathedral: what DQN, PPO and an autoencoder learn", questions)
