"""Chinese Checkers (Karki): AlphaZero on boards that are solved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ludus.studies.engine import asking as ask
from ludus.studies.engine.games import Games
from ludus.studies.engine.hardened import Hardened
from ludus.studies.engine.lab_parts import Exploited, SeenAccuracy
from ludus.studies.engine.part import Part
from ludus.studies.engine.players import Learned, PlayerGiven
from ludus.studies.engine.reached import Reached
from ludus.studies.engine.training import Training, train
from ludus.studies.engine.truth import Solved

CLOCKS = "forward_only=true,repetition=8,max_plies=100"
SMALL = f"chinesecheckers:size=4,pieces=3,{CLOCKS}"
LARGE = f"chinesecheckers:size=5,pieces=6,{CLOCKS}"
HUGE = f"chinesecheckers:size=6,pieces=6,{CLOCKS}"
PERFECT, ADVERSARY = "perfect:truth=full", "adversary:truth=full,epsilon=0.1"
UCT = (100, 200, 1_000, 2_000)
TINY: dict[str, Any] = {
    **ask.SEARCHED,
    "steps": 2,
    "n_envs": 2,
    "window": 200,
    "positions_per_step": 20,
    "samples_per_step": 32,
    "eval_truth_states": 10,
}
CLASSES = ("seen", "neighbouring", "random")
MET = ("total", "seen", "neighbouring", "other")
BOTH = {"as first": "wins as first", "as second": "wins as second"}


class ThesisTrainings:
    """The trainings of the thesis at one scale."""

    def __init__(self, extent: ask.Extent) -> None:
        self.extent = extent
        self.large_board = extent.of(SMALL, LARGE, LARGE)
        self.rows = extent.of([1, 2], [5, 50], [1, *range(5, 51, 5)])
        self.late = extent.of([1, 2], [4, 10], [18, 35, 53, 70, 88, 105, 123])
        self.games = extent.of(2, 40, 200)
        self.search = extent.of(4, 128, 128)
        every = extent.of(1, 5, 1)
        self.four = self.zero("thesis-4x4", keep_every=every, eval_freq=every)
        self.replay = self.zero("thesis-replay", **extent.of({}, {"steps": 25}, {}))
        self.single = self.naive(SMALL, 5, 60)
        self.five = self.zero(
            "thesis-5x5",
            game=self.large_board,
            **extent.of(
                {"keep_every": 1}, {"steps": 10, "keep_every": 2, "eval_freq": 2}, {"keep_every": 1}
            ),
        )
        self.again = replace(self.five, seed=2)  # the second run of figure A.4
        self.single_five = self.naive(self.large_board, 1, 60)
        self.solved: dict[str, Part] = {
            SMALL: Solved("chinesecheckers:size=4,pieces=3"),
            LARGE: Solved("chinesecheckers:size=5,pieces=6"),
        }
        self.boards = {"4x4": (self.four, self.rows), "5x5": (self.five, self.late)}
        # Figures 4.13 to 4.17 go on to the 300th iteration.
        self.looked = {
            "4x4": self.rows,
            "5x5": self.late + extent.of([], [], [140, 160, 200, 250, 300]),
        }
        self.counts = extent.of([32], [32, 128, 256], [32, 64, 128, 256, 512, 1_024, 2_048])

    def zero(self, preset: str, game: str = "", **settings: Any) -> Training:
        """AlphaZero by the thesis; networks and simulations are not reduced but in smoke tests."""
        seen = {"record_states": self.extent.of(1_000, 200_000, 1_000_000)}
        tiny: dict[str, Any] = self.extent.of(TINY, {}, {})
        return train("alphazero", preset=preset, game=game, **{**settings, **seen, **tiny})

    def naive(self, game: str, steps: int, games: int) -> Training:
        """One game at a time, with no replay buffer."""
        left = ("positions_per_step", "samples_per_step")
        tiny = {name: one for name, one in TINY.items() if name not in left}
        return train(
            "alphazero",
            preset="thesis-single",
            game=game,
            eval_opponents=f"random;{self.uct(100)}",
            **self.extent.settings(
                {**tiny, "games_per_step": 2, "n_envs": 1, "window": 500},
                {"steps": steps, "games_per_step": games, "n_eval_games": 50},
            ),
        )

    def taught(self) -> Training:
        """A network that is told the exact values of fresh uniform states."""
        tiny = {"steps": 2, "width": 4, "blocks": 1, "n_envs": 4, "positions_per_step": 32}
        whole = {"width": 64, "blocks": 4}
        return train(
            "supervised",
            game=self.large_board,
            network="thesis",
            planes="paper",
            states="uniform",
            teacher=PERFECT,
            **self.extent.of(
                {**tiny, "n_eval_games": 2},
                {**whole, "steps": 60, "eval_freq": 10},
                {**whole, "steps": 3_667, "positions_per_step": 10_000},
            ),
        )

    def hardened(self, anew: bool) -> Hardened:
        """A round of `ludus harden`: the thesis' cure, or self-play that begins at mistakes."""
        start, games, positions = self.extent.of((1, 2, 50), (20, 40, 2_000), (100, 100, 50_000))
        steps = self.late[-1]
        if not anew:
            steps = max(1, steps // 2)  # of weights that have learned as many before
        options = f"simulations={self.extent.of(4, 32, 128)}"
        needed, which = self.needs(self.large_board), f"step={self.late[-1]}"
        return Hardened(needed, self.five, anew, steps, start, games, positions, options, which)

    def needs(self, game: str) -> tuple[Part, ...]:
        """The solved board that judges a game."""
        return (self.solved[game],)

    def meet(self, a: PlayerGiven, b: PlayerGiven, on: str, games: int = 0) -> Games:
        """Games from the start; half of them as the first player."""
        solved = self.needs(on) if isinstance(b, str) and "truth" in b else ()
        return Games(on, a, b, games or self.games, after=solved)

    def exploited(self, agent: PlayerGiven, opponent: str) -> Exploited:
        """Games as player 1 alone, as the thesis has them."""
        needed = self.needs(self.large_board)
        games = self.extent.of(2, 40, 100)
        return Exploited(needed, self.large_board, agent, opponent, games, self.five)

    def at(self, training: Training, step: int, simulations: int = 0) -> Learned:
        """A checkpoint that searches."""
        return training.agent(f"simulations={simulations or self.search}", f"step={step}")

    def samples(self, count: int) -> str:
        """So many simulations of an agent."""
        return f"simulations={self.extent.of(4, count, count)}"

    def uct(self, simulations: int, judged: bool = False) -> str:
        """The thesis' tree search, with rollouts or with the distance."""
        count = self.extent.of(10, simulations, simulations)
        return f"uct:plain=true,simulations={count}" + (",judge=distance" if judged else "")

    def steered(self) -> dict[str, Exploited]:
        """Table 4.9 by samples."""
        return {str(count): self.exploited(self.best(count), ADVERSARY) for count in self.counts}

    def best(self, count: int) -> Learned:
        """The thesis' agent of hour 70, its 123rd iteration, with so many samples."""
        return self.five.agent(self.samples(count), f"step={self.late[-1]}")

    def accuracy(self, board: str) -> SeenAccuracy:
        """Every checkpoint of a board in states of all three classes."""
        training, steps = self.boards[board][0], self.looked[board]
        more = (32, 64, 128, 256, 512) if board == "4x4" else (32, 64, 128, 256, 512, 1_024)
        all_seen = 0 if board == "4x4" else 10_000
        return SeenAccuracy(
            self.needs(training.game),
            training,
            tuple((str(step), training.agent(which=f"step={step}")) for step in steps),
            self.extent.of((2,), (32, 128), more),
            *self.extent.of((20, 20, 5), (2_000, 2_000, 200), (all_seen, 10_000, 1_000)),
        )


def capacity(of: ThesisTrainings) -> ask.StudyQuestion:
    """Whether the network can learn the truth when it is told."""
    taught, on = of.taught(), of.large_board
    sizes = of.extent.of((20, 20), (2_000, 2_000), (0, 10_000))
    seen, others = sizes
    told = SeenAccuracy(of.needs(on), of.five, (("end", taught.agent()),), (), seen, others, 0)
    names = {"seen by AlphaZero": "seen", "neighbouring": "neighbouring", "random": "random"}

    def row(name: str, kind: str) -> tuple[str, list[ask.Cell]]:
        quote = "capacity.accuracy" if kind == "seen" else ""
        numbers = {
            f"value_unfiltered {kind} both 0 at end": quote,
            f"value {kind} both 0 at end": quote,
            f"policy {kind} both 0 at end": "",
        }
        return name, [ask.Cell(ask.Pick(told, number), one) for number, one in numbers.items()]

    return ask.StudyQuestion(
        "capacity",
        "Has the network the capacity to learn? (section 4.3)",
        "Supervised learning of the exact values of fresh uniform states. The thesis: 94 % of "
        "outcomes in states that AlphaZero saw on 5x5, after 3,667 iterations of 10,000 states.",
        grids=[
            ask.Grid(
                "Taught by perfect play",
                ["values right", "values right, states that count", "moves that keep the value"],
                [row(name, kind) for name, kind in names.items()],
                unit="states",
            )
        ],
        figures=[
            ask.Figure(
                "Accuracy over training, in states that it has not seen",
                [
                    ask.Along("values", taught, "fresh_value_accuracy"),
                    ask.Along("moves", taught, "fresh_move_accuracy"),
                ],
                "step",
                "states",
                share=True,
                levels=[("states of AlphaZero", "capacity.accuracy")],
            )
        ],
        notes=[
            "The thesis does not say whether states with no choice were left out; both are here. "
            "Those that count have moves of different values, so nearly all are won for the mover."
        ],
    )


def interest(of: ThesisTrainings) -> ask.StudyQuestion:
    """How large the boards are, and how many moves are good."""
    found = {board: of.accuracy(board) for board in of.boards}
    moves = ("legal", "winning", "losing", "drawing")
    solved = (
        {"4x4": of.solved[SMALL]}
        if of.extent.name == "smoke"
        else dict(zip(of.boards, of.solved.values(), strict=True))
    )
    return ask.StudyQuestion(
        "section-2.5",
        "The boards: positions, and how many moves are good (section 2.5)",
        "Ways to put the pieces, and the moves in the states that self-play saw; the thesis counts "
        "moves on 5x5.",
        grids=[
            ask.table(
                "Positions",
                solved,
                {"all": "positions", "value of the start": "value of the start"},
                lambda row, name: f"boards.total_{row}" if name == "all" else "",
                share=False,
            ),
            ask.table(
                "States of self-play",
                found,
                {"seen": "all seen", "neighbouring": "all neighbouring"},
                lambda row, name: f"states {row} {name}.total",
                share=False,
            ),
            ask.table(
                "Moves of a seen state",
                found,
                {name: f"moves {name}" for name in moves},
                lambda row, name: f"moves.total_{name}" if row == "5x5" else "",
                share=False,
            ),
        ],
        notes=["The value of the start is 1: the player who begins wins."],
    )


def single(of: ThesisTrainings) -> ask.StudyQuestion:
    """One game at a time (figures 4.1 and 4.2)."""
    uct = of.uct(100)
    others = {"random": "random", "uct": uct}
    last = {
        name: of.meet(of.single.agent(f"simulations={of.search}"), one, SMALL)
        for name, one in others.items()
    }
    figures = {"first": "4.1", "second": "4.2"}

    def printed(when: str, name: str, side: str) -> str:
        return f"fig-{figures[side.removeprefix('as ')]}/{when}.{name}"

    def measured(name: str, side: str) -> Part:
        metric = f"win_rate_{side.removeprefix('as ')} {others[name]}"
        return Reached(of.single, metric, 1, "step")

    return ask.StudyQuestion(
        "figures-4.1-4.2",
        "One game at a time, without a buffer (figures 4.1 and 4.2)",
        "300 games an iteration, 10 iterations in the thesis.",
        grids=[
            ask.cross(
                "Games won after the first iteration",
                others,
                BOTH,
                measured,
                "value",
                lambda name, side: printed("first", name, side),
            ),
            ask.table(
                "Games won after the last iteration",
                last,
                BOTH,
                lambda name, side: printed("last", name, side),
            ),
        ],
        figures=[
            ask.Figure(
                f"Figure {number}: games won as {side}",
                [
                    ask.Along("against random", of.single, f"win_rate_{side} random"),
                    ask.Along("against uct", of.single, f"win_rate_{side} {uct}"),
                ],
                "step",
                "games won",
                share=True,
            )
            for side, number in figures.items()
        ],
        claims=[
            ask.Claim(
                "After the last iteration it beats uct as first",
                ask.Pick(last["uct"], "wins as first"),
                0.5,
                "fig-4.1/last",
            )
        ],
    )


def parallel(of: ThesisTrainings) -> ask.StudyQuestion:
    """Many games at a time beside one (figures 4.3 to 4.6 and 4.12, appendix A)."""
    metrics = {
        "seconds_per_game": "seconds a game",
        "games_per_step": "games an iteration",
        "game_length": "states a game",
    }
    boards = {
        "4x4": {"6 at a time": of.four, "one at a time": of.replay},
        "5x5": {"29 at a time": of.five, "one at a time": of.single_five},
    }
    results = {
        "player 1": "first_player_wins",
        "player 2": "second_player_wins",
        "draws": "draws",
    }
    spent = {"iterations": "step", "games": "games", "seconds": "time_elapsed"}
    return ask.StudyQuestion(
        "figures-4.3-4.6",
        "Games in parallel (figures 4.3 to 4.6 and 4.12, figures A.1 to A.3)",
        "Time, games and states by iteration, and who wins in self-play. The thesis' parallel "
        "games came to 301 iterations of 5x5 in a week on 28 cores while single ones came to 10. "
        "Here parallel games share evaluations of the network on the same processor.",
        grids=[
            ask.table(
                "All of a training",
                {
                    f"{board}, {name}": x
                    for board, of_it in boards.items()
                    for name, x in of_it.items()
                },
                spent,
                share=False,
            )
        ],
        figures=[
            *(
                ask.course(f"{board}: {y}", both, metric, "step", y)
                for board, both in boards.items()
                for metric, y in metrics.items()
            ),
            *(
                ask.Figure(
                    f"{board}: results of self-play",
                    [ask.Along(name, one, metric) for name, metric in results.items()],
                    "step",
                    "games",
                    share=True,
                )
                for board, (one, _) in of.boards.items()
            ),
        ],
        notes=["Times are of this machine."],
    )


def checkpoint_grids(
    of: ThesisTrainings,
    board: str,
    first_table: int,
    rivals: Mapping[str, PlayerGiven],
    labels: Mapping[int, int],
) -> Iterator[ask.Grid]:
    """Checkpoints by opponents: against uct, then distance and perfect play, first and second."""
    training, steps = of.boards[board]
    counts = of.extent.of([128], [128], [128, 512, 2_048])
    rollouts: dict[str, tuple[PlayerGiven, int]] = {
        **{name: (one, 0) for name, one in rivals.items()},
        **{f"uct_{n}": (of.uct(n), 0) for n in UCT},
    }
    judged: dict[str, tuple[PlayerGiven, int]] = {
        f"d_{n}": (of.uct(n, judged=True), 0) for n in (1_000, 2_000)
    }
    as_first = {f"pp_{n}": (PERFECT, of.extent.of(4, n, n)) for n in counts}
    as_second = {"pp_128": (PERFECT, of.search)}
    columns = [
        ("first", "against uct", rollouts),
        ("first", "against distance and perfect play", {**judged, **as_first}),
        ("second", "against uct", rollouts),
        ("second", "against distance and perfect play", {**judged, **as_second}),
    ]
    rows = {f"step {step}": step for step in steps}
    for number, (side, against, opponents) in enumerate(columns, first_table):

        def met(row: str, key: str, of_them: Any = opponents) -> Part:
            other, simulations = of_them[key]
            return of.meet(of.at(training, rows[row], simulations), other, training.game)

        def printed(row: str, key: str, name: str = f"table-4.{number}") -> str:
            return f"{name}/{labels[rows[row]]}.{key}" if rows[row] in labels else ""

        yield ask.cross(
            f"Table 4.{number}: as player {1 if side == 'first' else 2} {against}",
            rows,
            opponents,
            met,
            f"wins as {side}",
            printed,
        )


def tables_4x4(of: ThesisTrainings) -> ask.StudyQuestion:
    """Tables 4.1 to 4.4."""
    labels = {n: n for n in of.rows if n in {1, *range(5, 51, 5)}}
    last = of.at(of.four, of.rows[-1])
    perfectly = of.meet(last, PERFECT, SMALL)
    strong = of.meet(last, of.uct(2_000), SMALL)
    return ask.StudyQuestion(
        "tables-4.1-4.4",
        "4x4: checkpoints against fixed opponents (tables 4.1 to 4.4)",
        "Games won of 100 on each side in the thesis. The 4x4 board is a win for the first "
        "player, so nobody can win as second against perfect play. PP_N has N samples of "
        "AlphaZero; all other columns 128.",
        grids=list(checkpoint_grids(of, "4x4", 1, {}, labels)),
        claims=[
            ask.Claim(
                "The last checkpoint beats uct with 2,000 samples as first",
                ask.Pick(strong, "wins as first"),
                0.5,
            ),
            ask.Claim(
                "Perfect play wins as first against the last checkpoint",
                ask.Pick(perfectly, "points as second"),
                0.0,
                alike=True,
            ),
        ],
        boards=[perfectly],
    )


def tables_5x5(of: ThesisTrainings) -> ask.StudyQuestion:
    """Tables 4.5 to 4.8."""
    whole = of.extent.name == "paper"
    hours = dict(zip(of.late, range(10, 71, 10), strict=False)) if whole else {}
    alone = of.single_five.agent(f"simulations={of.search}")

    def with_theirs(number: int, made: ask.Grid) -> ask.Grid:
        cells = [ask.Cell(None, f"table-4.{number}/70.{key}") for key in made.columns]
        return replace(made, rows=[*made.rows, ("the thesis after 70 hours", cells)])

    grids = enumerate(checkpoint_grids(of, "5x5", 5, {"single": alone}, hours), 5)
    met = of.meet(of.at(of.five, of.late[-1]), alone, of.large_board)
    return ask.StudyQuestion(
        "tables-4.5-4.8",
        "5x5: checkpoints against fixed opponents (tables 4.5 to 4.8)",
        "The thesis counts hours of its machine; here steps are counted, and its numbers after 70 "
        "hours (its 123rd iteration) stand below. Single is the training that plays one game at a "
        "time.",
        grids=[with_theirs(number, made) for number, made in grids],
        claims=[ask.beats("Parallel games beat single ones", met)],
        boards=[met],
    )


def seen(of: ThesisTrainings) -> ask.StudyQuestion:
    """Seen, neighbouring and random states."""
    found = {board: of.accuracy(board) for board in of.boards}
    runs = of.extent.of((), (), (of.again,))
    again = {
        f"5x5, run {one.seed}": SeenAccuracy(
            of.needs(one.game),
            one,
            tuple((str(step), one.agent(which=f"step={step}")) for step in of.looked["5x5"]),
            (),
            10_000,
            10_000,
            0,
        )
        for one in runs
    }
    steps = {**of.looked, **dict.fromkeys(again, of.looked["5x5"])}
    last = {board: rows[-1] for board, rows in steps.items()}
    counts = {board: one.simulations for board, one in found.items()}
    sides = ("first", "second")

    def along(one: SeenAccuracy, board: str, number: str) -> list[tuple[float, ask.Pick]]:
        return [(float(at), ask.Pick(one, f"{number} at {at}")) for at in steps[board]]

    def values(board: str, one: SeenAccuracy, side: str) -> ask.Figure:
        curves = [ask.Through(k, along(one, board, f"value {k} {side} 0")) for k in CLASSES]
        return ask.Figure(
            f"{board}: values, {side} player",
            [*curves, ask.Series("outcomes in training so far", one, "training data")],
            "step",
            "states",
            share=True,
            levels=[("training data", f"training-data {board[:3]}.accuracy")],
        )

    def moves(board: str, kind: str, side: str) -> ask.Figure:
        curves = [
            ask.Through(
                f"{n} simulations" if n else "no search",
                along(found[board], board, f"policy {kind} {side} {n}"),
            )
            for n in (0, *counts[board])
        ]
        title = f"{board}: moves in {kind} states, {side} player"
        return ask.Figure(title, curves, "step", "states", share=True)

    def at_end(board: str, what: str) -> list[ask.Cell]:
        one = found[board]
        picks = [ask.Cell(ask.Pick(one, f"{what} {k} both 0 at {last[board]}")) for k in CLASSES]
        told = ask.Cell(ask.Pick(one, "outcomes in training"), f"training-data {board}.accuracy")
        return [*picks, told if what == "value" else ask.Cell()]

    shown = {
        "values": "value",
        "values, unfiltered": "value_unfiltered",
        "moves": "policy",
    }

    def claims(board: str, one: SeenAccuracy) -> Iterator[ask.Claim]:
        end, most = last[board], max(counts[board])
        for name, what in (("values", "value"), ("moves", "policy")):
            for a, b in (("seen", "neighbouring"), ("neighbouring", "random")):
                yield ask.Claim(
                    f"{board}: {name} are right more often in {a} than in {b} states",
                    ask.Pick(one, f"{what} {a} both 0 at {end}"),
                    ask.Pick(one, f"{what} {b} both 0 at {end}"),
                )
        for kind in CLASSES:
            yield ask.Claim(
                f"{board}: {most} simulations find more right moves in {kind} states than none",
                ask.Pick(one, f"policy {kind} both {most} at {end}"),
                ask.Pick(one, f"policy {kind} both 0 at {end}"),
                "search",
            )
        yield ask.Claim(
            f"{board}: values in seen states are right more often than outcomes in training",
            ask.Pick(one, f"value seen both 0 at {end}"),
            ask.Pick(one, "outcomes in training"),
        )

    return ask.StudyQuestion(
        "figures-4.7-4.17",
        "Accuracy in seen, neighbouring and random states (figures 4.7 to 4.11, figures 4.13 to "
        "4.17, figure A.4)",
        "How often values and moves are right where the training has been, beside it, and "
        "elsewhere; and how accurate the training's own outcomes are (78 and 74 %).",
        grids=[
            ask.Grid(
                "At the last checkpoint, both players",
                [*CLASSES, "outcomes in training"],
                [
                    (f"{board}: {name}", at_end(board, what))
                    for board in found
                    for name, what in shown.items()
                ],
                unit="states",
            )
        ],
        figures=[
            *(
                values(board, one, side)
                for board, one in {**found, **again}.items()
                for side in sides
            ),
            *(moves(board, kind, side) for board in found for kind in CLASSES for side in sides),
        ],
        claims=[claim for board, one in found.items() for claim in claims(board, one)],
        notes=[
            "States that count have moves of different values. Where nothing is drawn such a state "
            "is won for its mover, so whoever calls every state won is right in all of them; "
            "unfiltered, on the states as they are, this is not so. Moves are not touched by it.",
            "The second run of figure A.4 is of the scale paper; a laptop has no time for it.",
        ],
    )


def adversary(of: ThesisTrainings) -> ask.StudyQuestion:
    """An opponent that steers into mistakes, and the cure (tables 4.9 and 4.13)."""
    cure = of.hardened(anew=True)
    met = {
        "4.9": of.steered(),
        "4.13": {
            str(count): of.exploited(cure.agent(of.samples(count)), ADVERSARY)
            for count in of.counts
        },
    }
    few, many = str(of.counts[0]), str(of.counts[-1])
    names = {"won": "wins", "lost": "losses", "drawn": "draws"}
    told = [*names.values(), "mistakes"]

    def grid(number: str, title: str) -> ask.Grid:
        return ask.table(
            f"Table {number}: {title}",
            {f"{count} samples": one for count, one in met[number].items()},
            names,
            lambda row, name: f"table-{number}/{row.split()[0]}.{names[name]}",
        )

    return ask.StudyQuestion(
        "tables-4.9-4.13",
        "An adversary that plays for mistakes, and a cure (tables 4.9 and 4.13)",
        "AlphaZero is player 1, which is won; the adversary plays where most answers lose. The "
        "cure is that of the thesis by `ludus harden`: new weights are taught the exact values of "
        "the states that the training saw, and self-play begins with them.",
        grids=[
            grid("4.9", "AlphaZero against the adversary"),
            grid("4.13", "the same, taught first"),
            ask.Grid(
                f"The round of `ludus harden`, {cure.options}",
                [*names, "mistakes found"],
                [
                    (when, [ask.Cell(ask.Pick(cure, f"{name} {when}")) for name in told])
                    for when in ("before", "after")
                ],
                share=False,
                shares=list(names),
            ),
        ],
        claims=[
            ask.is_more(
                "More search wins more games from the adversary",
                met["4.9"][many],
                met["4.9"][few],
                "wins",
            ),
            ask.is_more(
                "Taught first, it wins more with few samples",
                met["4.13"][few],
                met["4.9"][few],
                "wins",
                "cure",
            ),
            ask.Claim(
                "Taught first, it wins as many with many samples",
                ask.Pick(met["4.13"][many], "wins"),
                ask.Pick(met["4.9"][many], "wins"),
                "cure",
                alike=True,
            ),
        ],
        boards=[of.meet(of.best(of.counts[0]), ADVERSARY, of.large_board, 2)],
        notes=["Agents are frozen: their reply depends on the position alone."],
    )


def mistakes(of: ThesisTrainings) -> ask.StudyQuestion:
    """In which states it goes wrong."""
    steered = {f"{count} samples": one for count, one in of.steered().items()}
    uct = of.exploited(of.best(of.search), of.uct(2_048))
    plain = {name: name for name in MET}
    visited = {name: f"visited {name}" for name in MET}
    unique = {f"{name}, different": f"different mistakes {name}" for name in MET}
    wrong = {**{name: f"mistakes {name}" for name in MET}, **unique}
    quotes = {**plain, **{f"{name}, different": f"{name}_unique" for name in MET[1:]}}
    quotes |= {"total, different": "unique", "other, can lose": "nw", "other, cannot lose": "safe"}

    def quoted(number: str) -> Any:
        return lambda row, name: f"table-{number}/{row.split()[0]}.{quotes[name]}"

    return ask.StudyQuestion(
        "tables-4.10-4.12",
        "Where the mistakes are made (tables 4.10 to 4.12, figures A.5 and A.6)",
        "Positions that AlphaZero meets as player 1, and its mistakes there, by whether its "
        "training had seen them. NW are other states in which it can lose, 1-NW those in which it "
        "cannot. Mistakes are sums over all games, of which ours may be fewer.",
        grids=[
            ask.table(
                "Table 4.10: positions a game",
                steered,
                {**visited, "other, can lose": "visited other can lose"},
                quoted("4.10"),
                share=False,
            ),
            ask.table(
                "Table 4.11: mistakes in all games", steered, wrong, quoted("4.11"), share=False
            ),
            ask.table(
                "Table 4.12: positions a game against uct",
                {"visited against uct": uct},
                {**visited, "other, cannot lose": "visited other cannot lose"},
                quoted("4.12"),
                share=False,
            ),
            ask.table(
                "Table 4.12: mistakes against uct",
                {"mistakes against uct": uct},
                wrong,
                quoted("4.12"),
                share=False,
            ),
        ],
        claims=[
            ask.Claim(
                "Uct with 2,048 samples wins nothing",
                ask.Pick(uct, "losses"),
                0.0,
                "uct",
                alike=True,
            )
        ],
        boards=[of.meet(of.best(of.counts[0]), ADVERSARY, of.large_board, 2)],
    )


def future(of: ThesisTrainings) -> ask.StudyQuestion:
    """Transfer from a smaller board, larger ones, and another cure."""
    steps = of.extent.of(1, 6, 123)
    warm = of.five.but(init=of.four.agent(), steps=steps)
    cold = of.five.agent(which=f"step={steps}")  # as long
    larger = of.extent.of(SMALL, HUGE, "chinesecheckers:size=7,pieces=6," + CLOCKS)
    games = of.extent.of(2, 40, 200)
    more = of.extent.of({}, {"steps": 2, "eval_freq": 1}, {})
    huge = of.zero("thesis-5x5", game=larger, **more)
    lent = huge.but(init=of.five.agent())
    met = {
        "4x4 to 5x5": of.meet(warm.agent(), cold, of.large_board, games),
        "5x5 to a larger board": of.meet(lent.agent(), huge.agent(), larger, games),
    }
    few = of.counts[0]
    cured = {
        "as it was trained": of.steered()[str(few)],
        "from its mistakes": of.exploited(
            of.hardened(anew=False).agent(of.samples(few)), ADVERSARY
        ),
    }
    before, after = cured.values()
    return ask.StudyQuestion(
        "future-work",
        "Transfer, larger boards, and another cure (future work)",
        "The convolutions of a smaller board's network begin the training of a larger one; heads "
        "begin anew. The thesis asks for other approaches to mitigate what the adversary exploits: "
        "here a round of `ludus harden` in which self-play begins at the mistakes that were found, "
        "and no exact value is learned.",
        grids=[
            ask.column("With weights of the smaller board, against without", met),
            ask.table(
                f"Against the adversary, {few} samples",
                cured,
                {"won": "wins", "lost": "losses", "drawn": "draws"},
            ),
        ],
        figures=[
            ask.wins_over(
                "Games won against random",
                {
                    "4x4 to 5x5": warm,
                    "5x5 anew": of.five,
                    "5x5 to larger": lent,
                    "larger anew": huge,
                },
                x="step",
            )
        ],
        claims=[
            *(ask.beats(f"Transfer helps, {name}", x) for name, x in met.items()),
            ask.is_more("Self-play from its mistakes wins more games", after, before, "wins"),
        ],
    )


STUDY = ask.Study(
    "chinesecheckers",
    "Chinese Checkers: AlphaZero beside the truth",
    ask.asking(
        ThesisTrainings,
        capacity,
        interest,
        single,
        parallel,
        tables_4x4,
        tables_5x5,
        seen,
        adversary,
        mistakes,
        future,
    ),
    left_out=[
        ask.LeftOut(
            "figure 4.12: 301 iterations in a week, and 10",
            "a week on 32 cores; our seconds and iterations stand with figures 4.3 to 4.6.",
            "fig-4.12",
        ),
        ask.LeftOut(
            "section 5.1: other implementations of AlphaZero",
            "another library would have to be installed; none is part of ludus.",
        ),
    ],
)
