"""Super tic-tac-toe (Dong and Zheng): PPO by TorchRL and by ours, and AlphaZero on 3x3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from ludus.extras import install
from ludus.studies.engine.games import Games
from ludus.studies.engine.players import PlayerGiven
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
from ludus.studies.engine.torchrl_part import ByTorchRl, TorchRlTraining
from ludus.studies.engine.training import Training, train

GAME = "supertictactoe:success=1"
TORCHRL = find_spec("torchrl") is not None
NO_TORCHRL = "" if TORCHRL else f"TorchRL is not installed: {install('torchrl')}"
# The trainings of table 1: what our preset and TorchRL's environment call them.
TRAININGS: dict[str, dict[str, Any]] = {
    "3": {"planes": "signed", "reward": "original", "opponent": "random", "weighting": False},
    "4": {"planes": "signed", "reward": "original", "opponent": "self", "weighting": False},
    "5": {"planes": "signed", "reward": "designed", "opponent": "self", "weighting": False},
    "10": {"planes": "paper", "reward": "designed", "opponent": "self", "weighting": True},
}
ROWS = {"Training 3": "3", "Training 4": "4", "Training 5": "5"}
LATE = {"Training 10 (10 epochs)": 10, "Training 10 (20 epochs)": 20, "Training 10 (50 epochs)": 50}


class SuperTrainings:
    """The trainings at one scale."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self.games = extent.of(4, 200, 1_000)
        self.epochs = extent.of(2, 50, 50)
        # Epochs of the last three rows: 10, 20 and 50, in a smoke test 1, 1 and 2.
        self.at = {
            epochs: extent.of(max(1, epochs // 25), epochs, epochs) for epochs in LATE.values()
        }
        self.size = extent.settings({"width": 2, "blocks": 1}, {"width": 32, "blocks": 2})
        self.ours = {name: self.ppo(name) for name in TRAININGS}
        self.theirs = {name: self.torchrl(name) for name in TRAININGS}
        self.outcome = self.ppo("10", shaping="")

    def ppo(self, name: str, **settings: Any) -> Training:
        """Our PPO by a preset."""
        preset = "supertictactoe" if name == "10" else f"supertictactoe-{name}"
        tiny = {"steps": 2, "n_envs": 2, "n_steps": 8, "batch_size": 8, "n_eval_games": 2}
        asked = {**self.size, **self.extent.settings(tiny, {"eval_freq": 10}), **settings}
        return train("ppo", preset=preset, keep_every=min(self.at.values()), **asked)

    def torchrl(self, name: str) -> TorchRlTraining:
        """The same by TorchRL."""
        tiny: dict[str, Any] = {"n_envs": 2, "frames": 16, "minibatch": 8, "passes": 1}
        measured = tuple(sorted({*self.at.values()})) if name == "10" else ()
        return TorchRlTraining(
            GAME,
            self.epochs,
            measured=measured,
            games=self.games // 2,
            **self.size,
            **self.extent.of(tiny, {}, {}),
            **TRAININGS[name],
        )

    def by_torchrl(self, name: str, epoch: int, quote: str) -> Cell:
        """Games won as first after an epoch, where TorchRL is installed."""
        there = Pick(self.theirs[name], f"wins as first at {epoch}") if TORCHRL else None
        return Cell(there, quote)

    def versus_random(self, one: PlayerGiven, on: str = GAME) -> Games:
        """Games against random, as first and as second."""
        return Games(on, one, "random", self.games)


def table_1(of: SuperTrainings) -> StudyQuestion:
    """The six configurations."""
    ours = {name: of.versus_random(one.agent()) for name, one in of.ours.items()}
    stages = {
        epochs: of.versus_random(of.ours["10"].agent(which=f"step={at}"))
        for epochs, at in of.at.items()
    }
    rows = [
        (
            label,
            [
                of.by_torchrl(name, of.epochs, f"table-1/{name}.wins"),
                Cell(Pick(ours[name], "wins as first"), f"table-1/{name}.wins"),
                Cell(Pick(ours[name], "wins as second")),
            ],
        )
        for label, name in ROWS.items()
    ]
    rows += [
        (
            label,
            [
                of.by_torchrl("10", of.at[epochs], f"table-1/10 at {epochs}.wins"),
                Cell(Pick(stages[epochs], "wins as first"), f"table-1/10 at {epochs}.wins"),
                Cell(Pick(stages[epochs], "wins as second")),
            ],
        )
        for label, epochs in LATE.items()
    ]
    plain = of.versus_random(of.outcome.agent())
    last = of.versus_random(of.ours["10"].agent())
    return StudyQuestion(
        "table-1",
        "Six configurations: success against random (table 1)",
        "The share of games won by the learner, which begins in the paper. TorchRL: its own "
        "collector, GAE, replay buffer, scheduler and clipped loss on our environment; beside it "
        "our PPO, which learns both sides.",
        grids=[
            Grid(
                "Games won against random",
                ["by TorchRL, as first", "by our PPO, as first", "by our PPO, as second"],
                rows,
            ),
            Grid(
                "The reward",
                ["won as first", "won as second"],
                [
                    (
                        "training 10 with the outcome alone",
                        [Cell(Pick(plain, "wins as first")), Cell(Pick(plain, "wins as second"))],
                    ),
                    (
                        "training 10",
                        [Cell(Pick(last, "wins as first")), Cell(Pick(last, "wins as second"))],
                    ),
                ],
            ),
        ],
        figures=[
            Figure(
                "Games won against random",
                [
                    Along(f"training {name}, our PPO", one, "win_rate random")
                    for name, one in of.ours.items()
                ],
                "step",
                "games won",
                share=True,
            )
        ],
        claims=[
            Claim(
                "Against itself it learns more than against random (4 and 3)",
                Pick(ours["4"], "wins as first"),
                Pick(ours["3"], "wins as first"),
            ),
            Claim(
                "The designed reward is better than the original (5 and 4)",
                Pick(ours["5"], "wins as first"),
                Pick(ours["4"], "wins as first"),
            ),
            Claim(
                "Two planes and weighting are better (10 and 5)",
                Pick(ours["10"], "wins as first"),
                Pick(ours["5"], "wins as first"),
            ),
            Claim(
                "The designed reward is better than the outcome alone (10)",
                Pick(last, "wins as first"),
                Pick(plain, "wins as first"),
            ),
        ],
        boards=[ours["10"]],
        notes=[NO_TORCHRL] if NO_TORCHRL else [],
    )


def losses(of: SuperTrainings) -> StudyQuestion:
    """What is minimised."""
    parts = ("policy_loss", "value_loss", "entropy_loss")
    return StudyQuestion(
        "figures-1-2",
        "Losses of training 10 (figures 1 and 2)",
        "The paper's total falls from 0.67 to 0.28 in 50 epochs.",
        figures=[
            Figure(
                "Figure 1: total loss, by TorchRL",
                [Along("total", of.theirs["10"], "loss")],
                "step",
                "loss",
                levels=[("begin", "fig-1.begin"), ("end", "fig-1.end")],
            ),
            Figure(
                "Figure 2: parts of the loss, by TorchRL",
                [Along(name, of.theirs["10"], name) for name in parts],
                "step",
                "loss",
            ),
            Figure(
                "Parts of the loss, by our PPO",
                [
                    Along(name, of.ours["10"], name)
                    for name in ("policy_loss", "value_loss", "entropy")
                ],
                "step",
                "loss",
            ),
        ],
        missing=NO_TORCHRL,
    )


def meeting(of: SuperTrainings) -> StudyQuestion:
    """TorchRL's and ours against each other."""
    met = {
        name: Games(
            GAME, ByTorchRl(of.theirs[name]), of.ours[name].agent(), of.games, openings="random:4"
        )
        for name in TRAININGS
    }
    return StudyQuestion(
        "torchrl-and-ours",
        "TorchRL's PPO against ours",
        "The same network, rewards and number of frames; moves are the likeliest.",
        grids=[
            Grid(
                "Points of TorchRL's",
                ["points"],
                [(f"Training {name}", [Cell(Pick(x, "points"))]) for name, x in met.items()],
            )
        ],
        claims=[
            Claim(f"Both learn alike (training {name})", Pick(x, "points"), 0.5, alike=True)
            for name, x in met.items()
        ],
        missing=NO_TORCHRL,
    )


def strays(of: SuperTrainings) -> StudyQuestion:
    """Marks that land elsewhere, and who begins."""
    games = {
        "success 1": GAME,
        "success 0.5, any cell around": "supertictactoe:success=0.5",
        "success 0.5, an open cell around": "supertictactoe:success=0.5,stray_to=open",
        "success 0.5, only the first player's": "supertictactoe:success=0.5,strays=first",
    }
    agent = of.outcome.agent()
    met = {name: of.versus_random(agent, on) for name, on in games.items()}
    tiny = {"steps": 2, "n_envs": 2, "n_steps": 8, "batch_size": 8, "n_eval_games": 2}
    anew = {
        name: of.versus_random(
            train(
                "ppo",
                preset="supertictactoe",
                game=on,
                shaping="",
                **{**of.size, **of.extent.settings(tiny, {"eval_freq": 10})},
            ).agent(),
            on,
        )
        for name, on in list(games.items())[1:3]
    }
    return StudyQuestion(
        "strays",
        "Both stray rules, and the opponent that begins",
        "The paper's environment lets a mark land beside its cell and has `opponent_first`, and "
        "prints no number for either. Here training 10 with the outcome alone, learned without "
        "strays and with them.",
        grids=[
            Grid(
                "Learned without strays: games won against random",
                ["it begins", "the opponent begins"],
                [
                    (name, [Cell(Pick(x, "wins as first")), Cell(Pick(x, "wins as second"))])
                    for name, x in met.items()
                ],
            ),
            Grid(
                "Learned with these strays",
                ["it begins", "the opponent begins"],
                [
                    (name, [Cell(Pick(x, "wins as first")), Cell(Pick(x, "wins as second"))])
                    for name, x in anew.items()
                ],
            ),
        ],
        claims=[
            Claim(
                "Strays cost games",
                Pick(met["success 1"], "wins"),
                Pick(met["success 0.5, any cell around"], "wins"),
            )
        ],
    )


def small_board(of: SuperTrainings) -> StudyQuestion:
    """AlphaZero on 3x3, tested."""
    tiny = {
        "steps": 1,
        "width": 4,
        "blocks": 1,
        "simulations": 4,
        "games_per_step": 4,
        "n_envs": 4,
        "samples_per_step": 64,
        "eval_freq": 1,
        "n_eval_games": 2,
        "eval_truth_states": 20,
    }
    small = of.extent.settings(tiny, {"steps": 40, "eval_freq": 5})
    trained = {
        "the paper's search": train("alphazero", preset="fusion", **small),
        "full search": train("alphazero", preset="fusion", **{**small, "search": "puct"}),
    }
    counts = of.extent.of("simulations=4", "simulations=50", "simulations=50")
    forms = {"alone": "", "the paper's search": f"search=root,{counts}", "full search": counts}
    against = {
        "random": "random",
        "perfect": "perfect",
        "uct": f"uct:simulations={of.extent.of(10, 100, 100)}",
    }
    met = {
        (a, form, b): Games("tictactoe", one.agent(spelled), other, of.games)
        for a, one in trained.items()
        for form, spelled in forms.items()
        for b, other in against.items()
    }
    return StudyQuestion(
        "alphazero-3x3",
        "AlphaZero on 3x3, with the tests that the paper left out",
        "Trained with the paper's search, which looks at the moves of the root and plays them out "
        "by the network's favourites, and with the full one; each tested alone and with both.",
        grids=[
            Grid(
                f"Points, trained with {a}",
                list(against),
                [
                    (
                        f"played with {form}" if spelled else "played alone",
                        [Cell(Pick(met[a, form, b], "points")) for b in against],
                    )
                    for form, spelled in forms.items()
                ],
            )
            for a in trained
        ],
        figures=[
            Figure(
                title,
                [Along(f"trained with {a}", one, metric) for a, one in trained.items()],
                "games",
                "share",
                share=True,
            )
            for title, metric in (
                ("Games won against random", "win_rate random"),
                ("Moves that keep the exact value", "optimal_move_rate"),
                ("Values that tell the result", "value_accuracy"),
            )
        ],
        claims=[
            Claim(
                "Full search in training leaves fewer losses to perfect play",
                Pick(met["full search", "alone", "perfect"], "points"),
                Pick(met["the paper's search", "alone", "perfect"], "points"),
            )
        ],
        boards=[met["full search", "alone", "perfect"]],
    )


def asked(of: SuperTrainings) -> Iterator[StudyQuestion]:
    """In the order of the paper."""
    yield table_1(of)
    yield losses(of)
    yield meeting(of)
    yield strays(of)
    yield small_board(of)


def questions(extent: Extent) -> Sequence[StudyQuestion]:
    """All of the paper's tables and figures, and the tests it left out."""
    return list(asked(SuperTrainings(extent)))


STUDY = Study("supertictactoe", "Super tic-tac-toe: PPO twice, and AlphaZero", questions)
