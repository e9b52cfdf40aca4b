"""Super tic-tac-toe (Dong and Zheng): PPO by TorchRL and by ours, and AlphaZero on 3x3."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from ludus.extras import install
from ludus.studies.engine import asking as ask
from ludus.studies.engine.games import Games
from ludus.studies.engine.players import PlayerGiven
from ludus.studies.engine.reached import Reached
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
EARLY = ("3", "4", "5")  # the last row of each is after all of its epochs
LATE = (10, 20, 50)  # epochs of training 10
FIRST, SECOND = "wins as first", "wins as second"
SIDES = {"it begins": FIRST, "the opponent begins": SECOND}
BETTER = {  # what the paper says of its rows: the better training and the worse
    "Against itself it learns more than against random (4 and 3)": ("4", "3"),
    "The designed reward is better than the original (5 and 4)": ("5", "4"),
    "Two planes and weighting are better (10 and 5)": ("10", "5"),
}


class SuperTrainings:
    """The trainings at one scale."""

    def __init__(self, extent: ask.Extent) -> None:
        self.extent = extent
        self.games = extent.of(4, 200, 1_000)
        self.epochs = extent.of(2, 50, 50)
        # Epochs of the last three rows, in a smoke test 1, 1 and 2.
        self.at = {epochs: extent.of(max(1, epochs // 25), epochs, epochs) for epochs in LATE}
        self.size = extent.settings({"width": 2, "blocks": 1}, {"width": 32, "blocks": 2})
        self.ours = {name: self.ppo(name) for name in TRAININGS}
        self.theirs = {name: self.torchrl(name) for name in TRAININGS}
        self.either = replace(self.theirs["10"], epochs=self.at[20], opponent_first=0.5)
        self.outcome = self.ppo("10", shaping="")
        self.unweighted = self.ppo("10", proximity_weighting=False)

    def ppo(self, name: str, **settings: Any) -> Training:
        """Our PPO by a preset."""
        preset = "supertictactoe" if name == "10" else f"supertictactoe-{name}"
        tiny = {"steps": 2, "n_envs": 2, "n_steps": 8, "batch_size": 8, "n_eval_games": 2}
        asked = {**self.size, **self.extent.settings(tiny, {"eval_freq": 10}), **settings}
        return train("ppo", preset=preset, keep_every=min(self.at.values()), **asked)

    def torchrl(self, name: str) -> TorchRlTraining:
        """The same by TorchRL."""
        tiny: dict[str, Any] = {"n_envs": 2, "frames": 16, "minibatch": 8, "passes": 1}
        return TorchRlTraining(
            GAME,
            self.epochs,
            measured=tuple(sorted({*self.at.values()})) if name == "10" else (),
            games=self.games // 2,
            **self.size,
            **self.extent.of(tiny, {}, {}),
            **TRAININGS[name],
        )

    def versus_random(self, one: PlayerGiven, on: str = GAME) -> Games:
        """Games against random, as first and as second."""
        return Games(on, one, "random", self.games)


def table_1(of: SuperTrainings) -> ask.StudyQuestion:
    """The six configurations."""
    ours = {name: of.versus_random(one.agent()) for name, one in of.ours.items()}

    def row(name: str, played: Games, epoch: int, quote: str) -> list[ask.Cell]:
        there = ask.Pick(of.theirs[name], f"{FIRST} at {epoch}") if TORCHRL else None
        own = [ask.Cell(ask.Pick(played, FIRST), quote), ask.Cell(ask.Pick(played, SECOND))]
        return [ask.Cell(there, quote), *own]

    rows = [
        (f"Training {name}", row(name, ours[name], of.epochs, f"table-1/{name}.wins"))
        for name in EARLY
    ]
    for epochs, at in of.at.items():
        stage = of.versus_random(of.ours["10"].agent(which=f"step={at}"))
        quote = f"table-1/10 at {epochs}.wins"
        rows.append((f"Training 10 ({epochs} epochs)", row("10", stage, at, quote)))
    parts = {
        "training 10": ours["10"],
        "with the outcome alone": of.versus_random(of.outcome.agent()),
        "with two planes and no weighting": of.versus_random(of.unweighted.agent()),
    }
    ten, outcome, unweighted = parts.values()
    zoo = of.versus_random("zoo/supertictactoe", "supertictactoe")
    at_end = f"{FIRST} at {of.epochs}"
    return ask.StudyQuestion(
        "table-1",
        "Six configurations: success against random (table 1)",
        "The share of games won by the learner, which begins in the paper. TorchRL: its own "
        "collector, GAE, replay buffer, scheduler and clipped loss on our environment; beside it "
        "our PPO, which learns both sides.",
        grids=[
            ask.Grid(
                "Games won against random",
                ["by TorchRL, as first", "by our PPO, as first", "by our PPO, as second"],
                rows,
            ),
            ask.table("Training 10 and what it is made of", parts, SIDES),
            ask.table(
                "AlphaZero of the zoo, without search, where marks may stray",
                {"zoo/supertictactoe": zoo},
                SIDES,
            ),
        ],
        figures=[
            ask.wins_over(
                "Games won against random",
                {f"training {name}, our PPO": one for name, one in of.ours.items()},
                x="step",
            )
        ],
        claims=[
            *(ask.is_more(says, ours[a], ours[b], FIRST) for says, (a, b) in BETTER.items()),
            *(
                ask.is_more(f"{says}, by TorchRL", of.theirs[a], of.theirs[b], at_end)
                for says, (a, b) in BETTER.items()
                if TORCHRL
            ),
            ask.is_more(
                "The designed reward is better than the outcome alone", ten, outcome, FIRST
            ),
            ask.is_more("Two planes are better than one (5)", unweighted, ours["5"], FIRST),
            ask.is_more("Weighting adds to two planes", ten, unweighted, FIRST),
        ],
        boards=[ours["10"]],
        notes=[NO_TORCHRL] if NO_TORCHRL else [],
    )


def losses(of: SuperTrainings) -> ask.StudyQuestion:
    """What is minimised."""

    def parts(title: str, one: Any, *metrics: str) -> ask.Figure:
        return ask.Figure(title, [ask.Along(name, one, name) for name in metrics], "step", "loss")

    def after(epoch: int, quote: str) -> ask.Cell:
        there = (
            ask.Pick(Reached(of.theirs["10"], "loss", epoch, "step"), "value") if TORCHRL else None
        )
        return ask.Cell(there, quote)

    total = ask.course(
        "Figure 1: total loss, by TorchRL",
        {"total": of.theirs["10"]},
        "loss",
        "step",
        "loss",
        levels=[("begin", "fig-1.begin"), ("end", "fig-1.end")],
    )
    split = parts(
        "Figure 2: parts of the loss, by TorchRL",
        of.theirs["10"],
        "policy_loss",
        "value_loss",
        "entropy_loss",
    )
    return ask.StudyQuestion(
        "figures-1-2",
        "Losses of training 10 (figures 1 and 2)",
        "The paper's total falls from 0.67 to 0.28 in 50 epochs. The printed scale depends on how "
        "advantages, values and rewards are scaled, which is not printed.",
        grids=[
            ask.Grid(
                "Total loss, by TorchRL",
                ["first epoch", "last epoch"],
                [("training 10", [after(1, "fig-1.begin"), after(of.epochs, "fig-1.end")])],
                share=False,
            )
        ],
        figures=[
            *([total, split] if TORCHRL else []),
            parts(
                "Parts of the loss, by our PPO",
                of.ours["10"],
                "policy_loss",
                "value_loss",
                "entropy",
            ),
        ],
        notes=[NO_TORCHRL] if NO_TORCHRL else [],
    )


def meeting(of: SuperTrainings) -> ask.StudyQuestion:
    """TorchRL's and ours against each other."""
    met = {
        f"Training {name}": Games(
            GAME, ByTorchRl(of.theirs[name]), of.ours[name].agent(), of.games, openings="random:4"
        )
        for name in TRAININGS
    }
    return ask.StudyQuestion(
        "torchrl-and-ours",
        "TorchRL's PPO against ours",
        "The same network, rewards and number of frames; moves are the likeliest.",
        grids=[ask.column("Points of TorchRL's", met)],
        claims=[
            ask.Claim(f"Both learn alike ({name})", ask.Pick(x, "points"), 0.5, alike=True)
            for name, x in met.items()
        ],
        missing=NO_TORCHRL,
    )


def who_begins(of: SuperTrainings) -> ask.StudyQuestion:
    """TorchRL's environment with an opponent that sometimes begins."""
    trained = {"the learner always begins": of.theirs["10"], "the opponent, every other": of.either}
    ends = {name: f"{number} at {of.at[20]}" for name, number in SIDES.items()}
    return ask.StudyQuestion(
        "opponent-first",
        "An opponent that begins (`opponent_first`)",
        "The paper's reset lets the opponent begin with a probability that it set to 0. Training "
        "10 by TorchRL with 0 and with 0.5, after 20 epochs, against random.",
        grids=[ask.table("Games won against random", trained, ends)],
        claims=[
            ask.is_more(
                "Learning both sides helps where the opponent begins",
                of.either,
                of.theirs["10"],
                f"{SECOND} at {of.at[20]}",
            )
        ],
        missing=NO_TORCHRL,
    )


def strays(of: SuperTrainings) -> ask.StudyQuestion:
    """Marks that land elsewhere, and who begins."""
    any_cell, open_cell = "success 0.5, any cell around", "success 0.5, an open cell around"
    games = {
        "success 1": GAME,
        any_cell: "supertictactoe:success=0.5",
        open_cell: "supertictactoe:success=0.5,stray_to=open",
        "success 0.5, only the first player's": "supertictactoe:success=0.5,strays=first",
    }
    agent = of.outcome.agent()
    met = {name: of.versus_random(agent, on) for name, on in games.items()}
    anew = {
        name: of.versus_random(of.ppo("10", shaping="").on(games[name]).agent(), games[name])
        for name in (any_cell, open_cell)
    }
    return ask.StudyQuestion(
        "strays",
        "Both stray rules, and the opponent that begins",
        "The paper's environment lets a mark land beside its cell and has `opponent_first`, and "
        "prints no number for either. Here training 10 with the outcome alone, learned without "
        "strays and with them.",
        grids=[
            ask.table("Learned without strays: games won against random", met, SIDES),
            ask.table("Learned with these strays", anew, SIDES),
        ],
        claims=[
            ask.is_more("Strays cost games", met["success 1"], met[any_cell], "wins"),
            *(
                ask.is_more(f"Learning with strays helps ({name})", anew[name], met[name], "wins")
                for name in anew
            ),
        ],
    )


def small_board(of: SuperTrainings) -> ask.StudyQuestion:
    """AlphaZero on 3x3, tested."""
    tiny = {**ask.SEARCHED, "games_per_step": 4, "samples_per_step": 64, "eval_truth_states": 20}
    small = of.extent.settings(tiny, {"steps": 40, "eval_freq": 5})
    theirs, full = "the paper's search", "full search"
    trained = {
        theirs: train("alphazero", preset="fusion", **small),
        full: train("alphazero", preset="fusion", **{**small, "search": "puct"}),
    }
    counts = of.extent.of("simulations=4", "simulations=50", "simulations=50")
    forms = {"alone": "", theirs: f"search=root,{counts}", full: counts}
    against = {
        "random": "random",
        "perfect": "perfect",
        "uct": f"uct:simulations={of.extent.of(10, 100, 100)}",
    }
    players: dict[str, PlayerGiven] = {
        f"trained with {a}, played {'with ' * bool(spelled)}{form}": one.agent(spelled)
        for a, one in trained.items()
        for form, spelled in forms.items()
    }
    players["zoo/tictactoe, played alone"] = "zoo/tictactoe"
    met = {
        (a, b): Games("tictactoe", one, other, of.games)
        for a, one in players.items()
        for b, other in against.items()
    }
    lost = {name: met[f"trained with {name}, played alone", "perfect"] for name in trained}
    measured = {
        "Games won against random": ask.RANDOM_WINS,
        "Moves that keep the exact value": "optimal_move_rate",
        "Values that tell the result": "value_accuracy",
    }
    curves = {f"trained with {a}": one for a, one in trained.items()}
    return ask.StudyQuestion(
        "alphazero-3x3",
        "AlphaZero on 3x3, with the tests that the paper left out",
        "The paper 'did not implement a test code'. Trained with its search, which looks at the "
        "moves of the root and plays them out by the network's favourites, and with the full one; "
        "each tested alone and with both.",
        grids=[
            ask.cross("Points", players, against, lambda a, b: met[a, b]),
        ],
        figures=[
            ask.course(title, curves, metric, y="share", share=True)
            for title, metric in measured.items()
        ],
        claims=[
            ask.is_more(
                "Full search in training leaves fewer losses to perfect play",
                lost[full],
                lost[theirs],
            )
        ],
        boards=[lost[full]],
    )


STUDY = ask.Study(
    "supertictactoe",
    "Super tic-tac-toe: PPO twice, and AlphaZero",
    ask.asking(SuperTrainings, table_1, losses, meeting, who_begins, strays, small_board),
    left_out=[
        ask.LeftOut(
            "algorithm 2: the negated observation of the opponent",
            "a position with the sides exchanged is what our environment shows; the printed form "
            "is a misprint or a fault.",
        ),
    ],
)
