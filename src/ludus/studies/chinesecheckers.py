"""Chinese Checkers (Karki): AlphaZero on boards that are solved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ludus.studies.engine.games import Games
from ludus.studies.engine.lab_parts import RECORD, SeenAccuracy, Visited, lab_is_there
from ludus.studies.engine.part import Part
from ludus.studies.engine.players import Learned, PlayerGiven
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
from ludus.studies.engine.truth import Agreement, Solved

CLOCKS = "forward_only=true,repetition=8,max_plies=100"
SMALL = f"chinesecheckers:size=4,pieces=3,{CLOCKS}"
LARGE = f"chinesecheckers:size=5,pieces=6,{CLOCKS}"
HUGE = f"chinesecheckers:size=6,pieces=6,{CLOCKS}"
PERFECT, ADVERSARY = "perfect:truth=full", "adversary:truth=full,epsilon=0.1"
NO_LAB = (
    "it asks which states were seen in training, which of these are neighbours and which neither; "
    "that is the lab's work (ludus.lab), which this version does not have."
)
TINY: dict[str, Any] = {
    "width": 4,
    "blocks": 1,
    "simulations": 4,
    "steps": 2,
    "eval_freq": 1,
    "n_eval_games": 2,
    "n_envs": 2,
    "window": 200,
    "positions_per_step": 20,
    "samples_per_step": 32,
    "eval_truth_states": 10,
}


TINY_TEACHER: dict[str, Any] = {
    "steps": 2,
    "width": 4,
    "blocks": 1,
    "n_envs": 4,
    "positions_per_step": 32,
    "n_eval_games": 2,
}
CLASSES = ("seen", "neighbouring", "random")
MEANT = {"value": "values", "policy": "moves"}
LAB = lab_is_there()


class ThesisTrainings:
    """The trainings of the thesis at one scale."""

    def __init__(self, extent: Extent) -> None:
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
        self.single_five = self.naive(self.large_board, 1, 60)
        self.solved: dict[str, Part] = {
            SMALL: Solved("chinesecheckers:size=4,pieces=3"),
            LARGE: Solved("chinesecheckers:size=5,pieces=6"),
        }

    def zero(self, preset: str, game: str = "", **settings: Any) -> Training:
        """AlphaZero by the thesis; networks and simulations are not reduced but in smoke tests."""
        seen = {RECORD: self.extent.of(1_000, 200_000, 1_000_000)} if LAB else {}
        tiny: dict[str, Any] = self.extent.of(TINY, {}, {})
        return train("alphazero", preset=preset, game=game, **{**settings, **seen, **tiny})

    def naive(self, game: str, steps: int, games: int) -> Training:
        """One game at a time, with no replay buffer."""
        tiny = {name: one for name, one in TINY.items() if name != "positions_per_step"}
        tiny = {**tiny, "games_per_step": 2, "n_envs": 1}
        tiny.pop("samples_per_step")
        met = f"random;uct:plain=true,simulations={self.extent.of(10, 100, 100)}"
        return train(
            "alphazero",
            preset="thesis-single",
            game=game,
            eval_opponents=met,
            **self.extent.settings(
                {**tiny, "window": 500},
                {"steps": steps, "games_per_step": games, "n_eval_games": 50},
            ),
        )

    def meet(self, a: PlayerGiven, b: PlayerGiven, on: str, games: int = 0) -> Games:
        """Games from the start; half of them as the first player."""
        solved = (self.solved[on],) if isinstance(b, str) and "truth" in b else ()
        return Games(on, a, b, games or self.games, after=solved)

    def at(self, training: Training, step: int, simulations: int = 0) -> Learned:
        """A checkpoint that searches."""
        return training.agent(f"simulations={simulations or self.search}", f"step={step}")

    def against_adversary(self) -> tuple[list[int], dict[tuple[str, int], Games]]:
        """Samples, and the games of tables 4.9 and 4.13."""
        counts = self.extent.of([32], [32, 128, 256], [32, 64, 128, 256, 512, 1_024, 2_048])
        taught = train(
            "supervised",
            game=self.large_board,
            network="thesis",
            planes="paper",
            teacher=PERFECT,
            **self.extent.of(
                {**TINY_TEACHER, "steps": 1},
                {"steps": 20, "width": 64, "blocks": 4},
                {"steps": 100, "width": 64, "blocks": 4},
            ),
        )
        cured = self.five.but(init=taught.agent())
        games = self.extent.of(2, 30, 200)
        return counts, {
            (name, n): self.meet(
                one.agent(f"simulations={self.extent.of(4, n, n)}"),
                ADVERSARY,
                self.large_board,
                games,
            )
            for name, one in (("4.9", self.five), ("4.13", cured))
            for n in counts
        }

    def uct(self, simulations: int, judged: bool = False) -> str:
        """The thesis' tree search, with rollouts or with the distance."""
        count = self.extent.of(10, simulations, simulations)
        return f"uct:plain=true,simulations={count}" + (",judge=distance" if judged else "")


def capacity(of: ThesisTrainings) -> StudyQuestion:
    """Whether the network can learn the truth when it is told."""
    on = SMALL
    taught = train(
        "supervised",
        game=on,
        network="thesis",
        planes="paper",
        teacher=PERFECT,
        **of.extent.of(
            {
                "steps": 2,
                "width": 4,
                "blocks": 1,
                "n_envs": 4,
                "positions_per_step": 32,
                "n_eval_games": 2,
            },
            {"steps": 60, "width": 64, "blocks": 4, "eval_freq": 10},
            {"steps": 3_667, "width": 64, "blocks": 4, "positions_per_step": 10_000},
        ),
    )
    told = Agreement(on, taught.agent(), of.extent.of(20, 1_000, 10_000))
    return StudyQuestion(
        "capacity",
        "Has the network the capacity to learn? (section 4.3)",
        "Supervised learning of exact values. The thesis: 94 % of outcomes in states of AlphaZero "
        "on 5x5; here the states are of random games on 4x4.",
        grids=[
            Grid(
                "In states of random games",
                ["values right", "moves that keep the value"],
                [
                    (
                        "taught by perfect play",
                        [
                            Cell(Pick(told, "values"), "capacity.accuracy"),
                            Cell(Pick(told, "moves")),
                        ],
                    )
                ],
                unit="states",
            )
        ],
        figures=[
            Figure(
                "Accuracy over training",
                [
                    Along("values", taught, "value_accuracy"),
                    Along("moves", taught, "optimal_move_rate"),
                ],
                "step",
                "states",
                share=True,
                levels=[("5x5", "capacity.accuracy")],
            )
        ],
        notes=[
            "States of the thesis were seen by AlphaZero, and those with a clear winner left "
            "out; these are all that random games come to, so both numbers are of other tasks."
        ],
    )


def single(of: ThesisTrainings) -> StudyQuestion:
    """One game at a time (figures 4.1 and 4.2)."""
    last = {
        name: of.meet(of.single.agent(f"simulations={of.search}"), one, SMALL)
        for name, one in (("random", "random"), ("uct", of.uct(100)))
    }
    uct = of.uct(100)
    return StudyQuestion(
        "figures-4.1-4.2",
        "One game at a time, without a buffer (figures 4.1 and 4.2)",
        "300 games an iteration, 10 iterations in the thesis.",
        grids=[
            Grid(
                "Games won after the last iteration",
                ["as first", "as second"],
                [
                    (
                        name,
                        [
                            Cell(Pick(x, "wins as first"), f"fig-4.1/last.{name}"),
                            Cell(Pick(x, "wins as second"), f"fig-4.2/last.{name}"),
                        ],
                    )
                    for name, x in last.items()
                ],
            )
        ],
        figures=[
            Figure(
                f"Figure {number}: games won as {side}",
                [
                    Along("against random", of.single, f"win_rate_{side} random"),
                    Along("against uct", of.single, f"win_rate_{side} {uct}"),
                ],
                "step",
                "games won",
                share=True,
            )
            for number, side in (("4.1", "first"), ("4.2", "second"))
        ],
        claims=[
            Claim(
                "After the last iteration it beats uct as first",
                Pick(last["uct"], "wins as first"),
                0.5,
                "fig-4.1/last",
            )
        ],
    )


def parallel(of: ThesisTrainings) -> StudyQuestion:
    """Many games at a time beside one (figures 4.3 to 4.6 and 4.12, appendix A)."""
    metrics = (
        ("seconds_per_game", "seconds a game"),
        ("games_per_step", "games an iteration"),
        ("game_length", "states a game"),
    )
    boards = {
        "4x4": {"6 at a time": of.four, "one at a time": of.replay},
        "5x5": {"29 at a time": of.five, "one at a time": of.single_five},
    }
    results = (
        ("player 1", "first_player_wins"),
        ("player 2", "second_player_wins"),
        ("draws", "draws"),
    )
    return StudyQuestion(
        "figures-4.3-4.6",
        "Games in parallel (figures 4.3 to 4.6 and 4.12, A.1 to A.3)",
        "Time, games and states by iteration, and who wins in self-play. The "
        "thesis' parallel games came to 301 iterations of 5x5 while single ones came to 10. Here "
        "parallel games share evaluations of the network on the same processor.",
        figures=[
            *(
                Figure(
                    f"{board}: {y}",
                    [Along(name, one, metric) for name, one in both.items()],
                    "step",
                    y,
                )
                for board, both in boards.items()
                for metric, y in metrics
            ),
            *(
                Figure(
                    f"{board}: results of self-play",
                    [Along(name, one, metric) for name, metric in results],
                    "step",
                    "games",
                    share=True,
                )
                for board, one in (("4x4", of.four), ("5x5", of.five))
            ),
        ],
        notes=["Times are of this machine."],
    )


def grid_of(
    of: ThesisTrainings,
    title: str,
    side: str,
    training: Training,
    on: str,
    rows: Sequence[int],
    opponents: dict[str, tuple[str, int]],
    table: str,
    labels: dict[int, int],
) -> Grid:
    """Checkpoints by opponents, games won as one of the sides."""

    def cell(step: int, key: str) -> Cell:
        other, search = opponents[key]
        pick = Pick(of.meet(of.at(training, step, search), other, on), f"wins as {side}")
        return Cell(pick, f"{table}/{labels[step]}.{key}" if step in labels else "")

    return Grid(
        title,
        list(opponents),
        [(f"step {step}", [cell(step, key) for key in opponents]) for step in rows],
    )


def tables_4x4(of: ThesisTrainings) -> StudyQuestion:
    """Tables 4.1 to 4.4."""
    rollouts = {f"uct_{n}": (of.uct(n), 0) for n in (100, 200, 1_000, 2_000)}
    judged = {f"d_{n}": (of.uct(n, judged=True), 0) for n in (1_000, 2_000)}
    more = of.extent.of([4], [128], [128, 512, 2_048])
    perfect = {f"pp_{n}": (PERFECT, n) for n in more}
    if of.extent.name == "smoke":
        perfect = {"pp_128": (PERFECT, 4)}
    labels = {n: n for n in of.rows if n in {1, *range(5, 51, 5)}}

    def make(title: str, side: str, opponents: dict[str, tuple[str, int]], table: str) -> Grid:
        return grid_of(of, title, side, of.four, SMALL, of.rows, opponents, table, labels)

    grids = [
        make("Table 4.1: as player 1 against uct", "first", rollouts, "table-4.1"),
        make(
            "Table 4.2: as player 1 against distance and perfect play",
            "first",
            {**judged, **perfect},
            "table-4.2",
        ),
        make("Table 4.3: as player 2 against uct", "second", rollouts, "table-4.3"),
        make(
            "Table 4.4: as player 2 against distance and perfect play",
            "second",
            {**judged, "pp_128": (PERFECT, of.search)},
            "table-4.4",
        ),
    ]
    last = of.at(of.four, of.rows[-1])
    perfectly = of.meet(last, PERFECT, SMALL)
    return StudyQuestion(
        "tables-4.1-4.4",
        "4x4: checkpoints against fixed opponents (tables 4.1 to 4.4)",
        "Games won of 100 on each side in the thesis. The 4x4 board is a win for the first "
        "player, so nobody can win as second against perfect play.",
        grids=grids,
        claims=[
            Claim(
                "The last checkpoint beats uct with 2,000 samples as first",
                Pick(of.meet(last, of.uct(2_000), SMALL), "wins as first"),
                0.5,
            ),
            Claim(
                "Perfect play wins as first against the last checkpoint",
                Pick(perfectly, "points as second"),
                0.0,
                alike=True,
            ),
        ],
        boards=[perfectly],
    )


def tables_5x5(of: ThesisTrainings) -> StudyQuestion:
    """Tables 4.5 to 4.8."""
    rollouts = {f"uct_{n}": (of.uct(n), 0) for n in (100, 200, 1_000, 2_000)}
    judged = {f"d_{n}": (of.uct(n, judged=True), 0) for n in (1_000, 2_000)}
    perfect = {f"pp_{n}": (PERFECT, n) for n in of.extent.of([128], [128], [128, 512, 2_048])}
    if of.extent.name == "smoke":
        perfect = {"pp_128": (PERFECT, 4)}
    hours = dict(zip(of.late, range(10, 71, 10), strict=False)) if of.extent.name == "paper" else {}

    def make(title: str, side: str, opponents: dict[str, tuple[str, int]], table: str) -> Grid:
        made = grid_of(of, title, side, of.five, of.large_board, of.late, opponents, table, hours)
        theirs = (
            "the thesis after 70 hours",
            [Cell(None, f"{table}/70.{key}") for key in opponents],
        )
        return Grid(made.title, made.columns, [*made.rows, theirs])

    single = of.meet(
        of.at(of.five, of.late[-1]),
        of.single_five.agent(f"simulations={of.search}"),
        of.large_board,
    )
    return StudyQuestion(
        "tables-4.5-4.8",
        "5x5: checkpoints against fixed opponents (tables 4.5 to 4.8)",
        "The thesis counts hours of its machine; here steps are counted, and its numbers after 70 "
        "hours (its 123rd iteration) stand below.",
        grids=[
            make("Table 4.5: as player 1 against uct", "first", rollouts, "table-4.5"),
            make(
                "Table 4.6: as player 1 against distance and perfect play",
                "first",
                {**judged, **perfect},
                "table-4.6",
            ),
            make("Table 4.7: as player 2 against uct", "second", rollouts, "table-4.7"),
            make(
                "Table 4.8: as player 2 against distance and perfect play",
                "second",
                {**judged, "pp_128": (PERFECT, of.search)},
                "table-4.8",
            ),
            Grid(
                "Against the training that plays one game at a time",
                ["as first", "as second"],
                [
                    (
                        "games in parallel",
                        [
                            Cell(Pick(single, "wins as first"), "table-4.5/70.single"),
                            Cell(Pick(single, "wins as second"), "table-4.7/70.single"),
                        ],
                    )
                ],
            ),
        ],
        claims=[Claim("Parallel games beat single ones", Pick(single, "points"), 0.5)],
        boards=[single],
    )


def accuracy(of: ThesisTrainings) -> StudyQuestion:
    """What can be said of random states without the lab."""
    return StudyQuestion(
        "figures-4.7-4.17-random",
        "Accuracy in random states (the green lines of figures 4.7, 4.11, 4.13 and 4.17)",
        "Values that tell the result, and moves that keep it, in states of random games.",
        figures=[
            Figure(
                "4x4",
                [
                    Along("values", of.four, "value_accuracy"),
                    Along("moves, no search", of.four, "optimal_move_rate"),
                ],
                "step",
                "states",
                share=True,
            ),
            Figure(
                "4x4: moves with and without search",
                [
                    Through(
                        f"{n} simulations" if n else "no search",
                        [
                            (
                                float(step),
                                Pick(
                                    Agreement(
                                        SMALL,
                                        of.four.agent(
                                            f"simulations={n}" if n else "", f"step={step}"
                                        ),
                                        of.extent.of(10, 500, 1_000),
                                    ),
                                    "moves",
                                ),
                            )
                            for step in of.rows
                        ],
                    )
                    for n in of.extent.of([0, 4], [0, 32, 128], [0, 32, 64, 128, 256, 512])
                ],
                "step",
                "states",
                share=True,
            ),
        ],
        notes=[
            "States are of random games; the thesis drew them from all positions and kept "
            "those that are won and can be lost by a move."
        ],
    )


def seen(of: ThesisTrainings) -> StudyQuestion:
    """Seen, neighbouring and random states."""
    boards = {"4x4": (of.four, of.rows), "5x5": (of.five, of.late)}
    counts = of.extent.of((2,), (32, 128), (32, 64, 128, 256, 512))
    found = {
        board: SeenAccuracy(
            one, tuple(rows), counts, *of.extent.of((20, 5), (2_000, 200), (0, 1_000))
        )
        for board, (one, rows) in boards.items()
    }

    def along(board: str, number: str) -> list[tuple[float, Pick]]:
        steps = boards[board][1]
        return [(float(at), Pick(found[board], f"{number} at {at}")) for at in steps]

    def values(board: str, side: str) -> Figure:
        return Figure(
            f"{board}: values, {side} player",
            [
                *(Through(name, along(board, f"value {name} {side} 0")) for name in CLASSES),
                Series("outcomes in training so far", found[board], "training data"),
            ],
            "step",
            "states",
            share=True,
            levels=[("training data", f"training-data {board}.accuracy")],
        )

    def moves(board: str, name: str, side: str) -> Figure:
        return Figure(
            f"{board}: moves in {name} states, {side} player",
            [
                Through(
                    f"{n} simulations" if n else "no search",
                    along(board, f"policy {name} {side} {n}"),
                )
                for n in (0, *counts)
            ],
            "step",
            "states",
            share=True,
        )

    last = {board: rows[-1] for board, (_, rows) in boards.items()}
    grid = Grid(
        "At the last checkpoint, both players",
        [*CLASSES, "outcomes in training"],
        [
            (
                f"{board}: {MEANT[what]}",
                [
                    *(
                        Cell(Pick(one, f"{what} {name} both 0 at {last[board]}"))
                        for name in CLASSES
                    ),
                    Cell(Pick(one, "outcomes in training"), f"training-data {board}.accuracy")
                    if what == "value"
                    else Cell(),
                ],
            )
            for board, one in found.items()
            for what in ("value", "policy")
        ],
        unit="states",
    )
    claims = [
        Claim(
            f"{board}: {MEANT[what]} are right more often in {a} than in {b} states",
            Pick(one, f"{what} {a} both 0 at {last[board]}"),
            Pick(one, f"{what} {b} both 0 at {last[board]}"),
        )
        for board, one in found.items()
        for what in ("value", "policy")
        for a, b in (("seen", "neighbouring"), ("neighbouring", "random"))
    ]
    return StudyQuestion(
        "figures-4.7-4.17",
        "Accuracy in seen, neighbouring and random states (figures 4.7 to 4.11, 4.13 to 4.17, A.4)",
        "How often values and moves are right where the training has been, beside it, and "
        "elsewhere; and how accurate the training's own outcomes are (78 and 74 %).",
        grids=[grid] if LAB else [],
        figures=[
            *(values(board, side) for board in boards for side in ("first", "second")),
            *(
                moves(board, name, side)
                for board in boards
                for name in CLASSES
                for side in ("first", "second")
            ),
        ]
        if LAB
        else [],
        claims=claims if LAB else [],
        missing="" if LAB else NO_LAB,
    )


def adversary(of: ThesisTrainings) -> StudyQuestion:
    """An opponent that steers into mistakes (tables 4.9 and 4.13)."""
    counts, met = of.against_adversary()

    def rows(table: str) -> list[tuple[str, list[Cell]]]:
        return [
            (
                f"{n} samples",
                [
                    Cell(Pick(met[table, n], "wins as first"), f"table-{table}/{n}.wins"),
                    Cell(Pick(met[table, n], "points as first")),
                ],
            )
            for n in counts
        ]

    many, few = counts[-1], counts[0]
    return StudyQuestion(
        "tables-4.9-4.13",
        "An adversary that plays for mistakes, and a cure (tables 4.9 and 4.13)",
        "AlphaZero is player 1, which is won; the adversary plays where most answers lose. The "
        "cure begins with weights that perfect play has taught: in the thesis on the states seen "
        "in training, here on states of random play, since seen states are the lab's.",
        grids=[
            Grid("Table 4.9: AlphaZero against the adversary", ["won", "points"], rows("4.9")),
            Grid("Table 4.13: the same, taught first", ["won", "points"], rows("4.13")),
        ],
        claims=[
            Claim(
                "More search loses fewer games to the adversary",
                Pick(met["4.9", many], "wins as first"),
                Pick(met["4.9", few], "wins as first"),
            ),
            Claim(
                "Taught first, it wins more with few samples",
                Pick(met["4.13", few], "wins as first"),
                Pick(met["4.9", few], "wins as first"),
            ),
        ],
        boards=[met["4.9", few]],
    )


def mistakes(of: ThesisTrainings) -> StudyQuestion:
    """In which states it goes wrong."""
    counts, met = of.against_adversary()
    games = of.extent.of(2, 40, 200)
    uct = of.meet(of.five.agent(f"simulations={of.search}"), of.uct(2_048), of.large_board, games)
    found = {f"{n}": Visited(met["4.9", n], of.five) for n in counts}
    found["against uct"] = Visited(uct, of.five)
    quotes = {"visited": "table-4.10", "mistakes": "table-4.11"}

    def cell(row: str, what: str, name: str) -> Cell:
        if row == "against uct":
            kind = "visited" if what == "visited" else "mistakes"
            quote = f"table-4.12/{kind}.{name}"
        else:
            quote = f"{quotes[what]}/{row}.{name}"
        return Cell(Pick(found[row], f"{what} {name}"), quote)

    def table(title: str, what: str) -> Grid:
        names = ("total", "seen", "neighbouring", "other")
        return Grid(
            title,
            names,
            [
                (
                    row if row == "against uct" else f"{row} samples",
                    [cell(row, what, name) for name in names],
                )
                for row in found
            ],
            share=False,
        )

    return StudyQuestion(
        "tables-4.10-4.12",
        "Where the mistakes are made (tables 4.10 to 4.12, figures A.5 and A.6)",
        "Positions that AlphaZero meets as player 1, and its mistakes there, by whether its "
        "training had seen them. Mistakes are sums over all games, of which ours are fewer.",
        grids=[
            table("Tables 4.10 and 4.12: positions a game", "visited"),
            table("Tables 4.11 and 4.12: mistakes in all games", "mistakes"),
        ]
        if LAB
        else [],
        boards=[met["4.9", counts[0]]] if LAB else [],
        missing="" if LAB else NO_LAB,
    )


def future(of: ThesisTrainings) -> StudyQuestion:
    """Transfer from a smaller board, and larger ones."""
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
    return StudyQuestion(
        "future-work",
        "Transfer, and larger boards (future work)",
        "The convolutions of a smaller board's network begin the training of a larger one; heads "
        "begin anew.",
        grids=[
            Grid(
                "With weights of the smaller board, against without",
                ["points"],
                [(name, [Cell(Pick(x, "points"))]) for name, x in met.items()],
            )
        ],
        figures=[
            Figure(
                "Games won against random",
                [
                    Along("4x4 to 5x5", warm, "win_rate random"),
                    Along("5x5 anew", of.five, "win_rate random"),
                    Along("5x5 to larger", lent, "win_rate random"),
                    Along("larger anew", huge, "win_rate random"),
                ],
                "step",
                "games won",
                share=True,
            )
        ],
        claims=[
            Claim(f"Transfer helps, {name}", Pick(x, "points"), 0.5) for name, x in met.items()
        ],
    )


def asked(of: ThesisTrainings) -> Iterator[StudyQuestion]:
    """In the order of the thesis."""
    yield capacity(of)
    yield single(of)
    yield parallel(of)
    yield tables_4x4(of)
    yield tables_5x5(of)
    yield accuracy(of)
    yield seen(of)
    yield adversary(of)
    yield mistakes(of)
    yield future(of)


def questions(extent: Extent) -> Sequence[StudyQuestion]:
    """The thesis' tables and figures, and its future work."""
    return list(asked(ThesisTrainings(extent)))


STUDY = Study("chinesecheckers", "Chinese Checkers: AlphaZero beside the truth", questions)
