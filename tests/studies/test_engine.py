"""The laws of a study's engine: parts are done once, resumed, and end alike whatever happens."""

import json
import random
import re
import signal
import subprocess
import sys
from dataclasses import dataclass

import pytest

from ludus.lab.exploit import Visit
from ludus.studies.engine import asking
from ludus.studies.engine.bench import Bench
from ludus.studies.engine.games import Games
from ludus.studies.engine.guessing import rungs
from ludus.studies.engine.lab_parts import split_games
from ludus.studies.engine.measured import Measured, compare, difference, printed_share
from ludus.studies.engine.part import address, in_order, needs
from ludus.studies.engine.players import Woven
from ludus.studies.engine.reached import Reached
from ludus.studies.engine.report import write_report
from ludus.studies.engine.store import Store
from ludus.studies.engine.study import Cell, Grid, Pick, Study, StudyQuestion
from ludus.studies.engine.training import train
from ludus.studies.engine.working import do, unfinished

DONE = []


@dataclass(frozen=True)
class Sum:
    """A part that adds the numbers of the parts that it needs."""

    name: str
    own: float
    of: tuple = ()
    fails: bool = False
    title = "a sum"

    def guess(self):
        return 1.0

    def work(self, bench):
        if self.fails:
            raise KeyboardInterrupt
        DONE.append(self.name)
        below = [bench.store.result(part)["numbers"]["sum"]["value"] for part in self.of]
        return {"numbers": {"sum": {"value": self.own + sum(below)}}}


@pytest.fixture
def store(tmp_path):
    DONE.clear()
    return Store(tmp_path / "study", "of-tests")


def make(store, *parts):
    with store.lock():
        do(store, in_order(parts), guesses={})


def test_what_a_part_needs_is_done_before_it_and_once(store):
    leaf = Sum("leaf", 1)
    left, right = Sum("left", 10, (leaf,)), Sum("right", 100, (leaf,))
    top = Sum("top", 1000, (left, right))
    make(store, top, left)
    assert DONE == ["leaf", "left", "right", "top"]
    assert Pick(top, "sum").read(store) == Measured(1112)
    make(store, top)
    assert len(DONE) == 4  # all of it was there


def test_a_change_anywhere_below_is_another_part():
    def tree(value):
        return Sum("top", 1, (Sum("left", 2, (Sum("leaf", value),)),))

    assert address(tree(3)) == address(tree(3))
    assert address(tree(3)) != address(tree(4))
    assert needs(tree(3)) == [Sum("left", 2, (Sum("leaf", 3),))]


def test_an_agent_of_a_training_brings_the_training(store):
    trained = train("dqn", game="tictactoe", steps=1)
    games = Games("tictactoe", trained.agent(), "random", 2)
    assert needs(games) == [trained]
    other = Games("tictactoe", trained.but(steps=2).agent(), "random", 2)
    assert address(games) != address(other)
    assert list(in_order([games]).values()) == [trained, games]
    spelled = Bench(store, games).spelled(games.a)
    assert spelled == f"{store.place(trained)}/run@last"


def test_what_was_done_before_an_interruption_stays(store):
    first, second = Sum("first", 1), Sum("second", 2, fails=True)
    with pytest.raises(KeyboardInterrupt):
        make(store, first, second)
    assert list(unfinished(store, in_order([first, second])).values()) == [second]


@pytest.mark.parametrize("damage", ["cut", "changed", "other", "link"])
def test_a_damaged_result_is_done_again(store, damage, tmp_path):
    part = Sum("part", 1)
    make(store, part)
    file = store.place(part) / "part.json"
    whole = file.read_text()
    if damage == "cut":
        file.write_text(whole[: len(whole) // 2])
    elif damage == "changed":
        file.write_text(whole.replace('"value": 1', '"value": 2'))
    elif damage == "other":
        make(store, other := Sum("other", 5))
        file.write_text((store.place(other) / "part.json").read_text())
    else:
        file.unlink()
        (tmp_path / "fine.json").write_text("{}")
        file.symlink_to(tmp_path / "fine.json")
    with pytest.warns(UserWarning, match="is damaged, and the part is done again"):
        make(store, part)
    assert DONE.count("part") == 2
    assert json.loads(file.read_text())["result"]["numbers"]["sum"]["value"] == 1
    if damage == "link":
        assert (tmp_path / "fine.json").read_text() == "{}"


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(ValueError, match=r"holds letter\.txt and no study\.json"):
        Store(tmp_path, "of-tests").check()
    with pytest.raises(ValueError, match="agents are spelled with it"):
        Store(tmp_path / "a@b", "of-tests").check()
    make(Store(tmp_path / "mine", "mine"), Sum("part", 1))
    with pytest.raises(ValueError, match="holds the study 'mine'"):
        Store(tmp_path / "mine", "yours").check()
    (tmp_path / "mine" / "study.json").write_text('{"format": 1}')
    with pytest.raises(ValueError, match="is damaged"):
        Store(tmp_path / "mine", "mine").check()


def test_nothing_is_written_through_links(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    store = Store(tmp_path / "study", "of-tests")
    make(store, Sum("part", 1))
    (store.path / "smoke").symlink_to(elsewhere)
    with pytest.raises(ValueError, match="is a link, and links are not written through"):
        write_report(Study("cathedral", "of tests", lambda extent: []), "smoke", store)
    parts = store.path / "parts"
    parts.rename(tmp_path / "moved")
    parts.symlink_to(elsewhere)
    with pytest.raises(ValueError, match="is a link, and links are not written through"):
        make(store, Sum("other", 2))
    assert not list(elsewhere.iterdir())


def test_what_a_stranger_wrote_into_a_result_is_only_text(store):
    part = Games("tictactoe", "random", "random", 2)
    make(store, part)
    kept = store.read(part)
    evil = "```\n<script>alert(1)</script>\x1b[2J|`x`"
    with store.lock():
        store.write(part, {**kept["result"], "command": evil}, 1.0)
    grid = Grid(evil, [evil], [(evil, [Cell(Pick(part, "points"))])])
    asked = [StudyQuestion("one", evil, evil, grids=[grid], boards=[part], notes=[evil])]
    study = Study("cathedral", evil, lambda extent: asked)
    with store.lock():
        page = write_report(study, "smoke", store)
    assert "<script>alert" not in page.read_text()
    text = page.with_name("report.md").read_text()
    assert "\x1b" not in text
    assert "<script>" not in re.sub(r"```sh\n.*?\n```", "", text, flags=re.DOTALL)
    assert text.count("```") % 2 == 0


def test_two_processes_do_not_work_at_one_study(store):
    with store.lock(), pytest.raises(ValueError, match="another process works"), store.lock():
        pass


def test_games_are_read_in_the_order_of_the_match_however_they_ended(store):
    part = Games("tictactoe", "random", "random", 6)
    bench = Bench(store, part)
    part.work(bench)
    (file,) = store.path.glob("**/games.jsonl")
    written = file.read_text().splitlines(keepends=True)
    file.write_text("".join(written[::-1]))
    assert [one.played.index for one in part.records(bench)] == [0, 1, 2, 3, 4, 5]
    assert [one.played.index for one in part.records(bench, 2)] == [0, 1]


def test_games_resume_where_they_were(store):
    part = Games("tictactoe", "uct:simulations=20", "random", 8, openings="random:1")
    whole = part.work(Bench(Store(store.path / "whole", "s"), part))

    class EnoughError(Exception):
        pass

    def stop(share, found="", /):
        if share >= 0.5:
            raise EnoughError

    broken = Bench(store, part, tell=stop)
    with pytest.raises(EnoughError):
        part.work(broken)
    resumed = part.work(Bench(store, part))
    assert without_times(resumed["numbers"]) == without_times(whole["numbers"])


@dataclass(frozen=True)
class Course:
    """A training that was measured after 100, 200 and 300 games; the last line has no games won."""

    title = "a training"

    def guess(self):
        return 1.0

    def work(self, bench):
        lines = [
            {"games": 100 * at, "step": at, "win_rate random": at / 10, "n_eval_games": 50}
            for at in (1, 2, 3)
        ]
        scores = {"score random": 0.5, "score random low": 0.4, "score random high": 0.6}
        return {"numbers": {}, "course": [*lines, {"games": 400, "step": 4, **scores}]}


def test_what_a_training_had_reached_is_its_first_measurement_there(store):
    wins = [Reached(Course(), "win_rate random", at) for at in (1, 150, 900)]
    score = Reached(Course(), "score random", 2, "step")
    never = Reached(Course(), "win_rate nobody", 1)
    make(store, *wins, score, never)
    assert [Pick(one, "value").read(store).value for one in wins] == [0.1, 0.2, 0.3]
    assert Pick(wins[1], "value").read(store) == printed_share(0.2, 50)  # Wilson's, of 50 games
    assert Pick(score, "value").read(store) == Measured(0.5, 0.4, 0.6)
    assert Pick(never, "value").read(store) is None


def test_tables_pick_a_number_for_each_row_and_column():
    a, b = Sum("a", 1), Sum("b", 2)
    grid = asking.table("t", {"x": a, "y": b}, {"one": "1", "two": "2"}, lambda row, of: row + of)
    assert [[cell.ours for cell in cells] for _, cells in grid.rows] == [
        [Pick(a, "1"), Pick(a, "2")],
        [Pick(b, "1"), Pick(b, "2")],
    ]
    assert grid.rows[1][1][0].theirs == "yone"
    met = {("x", "u"): a, ("y", "v"): b}
    crossed = asking.cross("t", "xy", "uv", lambda row, of: met.get((row, of)), "n")
    ours = [[cell.ours for cell in cells] for _, cells in crossed.rows]
    assert ours == [[Pick(a, "n"), None], [None, Pick(b, "n")]]
    met = asking.square("t", ["p", "q"], {("p", "q"): a})
    assert [[cell.ours for cell in cells] for _, cells in met.rows] == [
        [None, Pick(a, "points")],
        [Pick(a, "points B"), None],
    ]


def test_a_guess_counts_everybody_whom_a_training_meets_to_be_measured():
    other = train("dqn", game="tictactoe", steps=1).agent()
    assert rungs("random; uct:simulations=20") == ["random", "uct:simulations=20"]
    assert rungs(Woven("random;{}", other)) == ["random", other]
    assert rungs("") == []


def test_positions_of_games_are_told_apart_by_their_lines():
    lines = [(), (1, 2), (1, 2, 3, 4), (), (5, 6), (0,)]
    visits = [Visit(line, None, 0, 1.0, 1.0, False, False, ()) for line in lines]
    assert [len(game) for game in split_games(visits)] == [3, 2, 1]


def without_times(numbers):
    return {name: one for name, one in numbers.items() if not name.startswith("milliseconds")}


def test_intervals_of_differences_are_newcombes():
    """56 of 70 against 48 of 80: his paper has 0.0524 to 0.3339 for the method of squares."""
    a, b = printed_share(56 / 70, 70), printed_share(48 / 80, 80)
    found = difference(a, b)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)
    assert found.sign == 1
    assert difference(b, a).sign == -1
    assert difference(a, a).sign == 0


def test_nothing_is_said_without_an_interval():
    assert difference(Measured(1.0), Measured(2.0)) is None
    assert compare(Measured(1.0), Measured(0.5, 0.4, 0.6)) == "no interval"
    assert compare(Measured(0.5, 0.4, 0.6), Measured(0.55)) == "no difference seen"
    assert compare(Measured(0.5, 0.4, 0.6), Measured(0.7)) == "ours is lower"


# Runs a command, and kills it at a given one of its writes: before it, or after it and before what
# follows. So moments are hit that a clock would miss, however slow the machine is.
DYING = """
import os, signal, sys
left = [int(sys.argv[1])]
def count():
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
def dying(call):
    def counted(*given, **named):
        count()
        found = call(*given, **named)
        count()
        return found
    return counted
for name in ("fsync", "replace", "rename", "mkdir", "unlink"):
    setattr(os, name, dying(getattr(os, name)))
from ludus.cli import main
code = main(sys.argv[2:])
print(left[0])
sys.exit(code)
"""
NEVER = 10**9
KILLS = 8
KILLED = {
    "kingcourtesan": ["figure-1", "weak-alphabeta"],  # four methods, and games
    "chinesecheckers": ["capacity", "tables-4.9-4.13"],  # supervised, the lab, rounds of harden
}


@pytest.mark.slow
@pytest.mark.parametrize("name", KILLED)
def test_a_study_killed_at_random_writes_ends_with_the_same_tables(tmp_path, name):
    whole = dying(name, tmp_path / "whole", NEVER)
    assert whole.returncode == 0
    writes = NEVER - int(whole.stdout.split()[-1])
    rng, killed = random.Random(7), tmp_path / "killed"
    finished = {}
    for _ in range(KILLS):
        ended = dying(name, killed, rng.randint(1, 2 * writes // KILLS))
        if ended.returncode == 0:
            break
        assert ended.returncode == -signal.SIGKILL
        now = {file: file.read_bytes() for file in killed.glob("parts/*/part.json")}
        assert finished.items() <= now.items()  # what was finished stays as it is
        finished = now
    assert finished  # some parts were there before the last of these
    assert dying(name, killed, NEVER).returncode == 0
    assert tables(killed) == tables(tmp_path / "whole")


def dying(name, folder, write):
    """A study that is killed at one of its writes."""
    only = [word for one in KILLED[name] for word in ("--only", one)]
    words = ["study", name, "--scale", "smoke", *only, "--folder", str(folder), "--json"]
    return subprocess.run(
        [sys.executable, "-c", DYING, str(write), *words], capture_output=True, text=True
    )


def tables(folder):
    """All numbers of a study but those that are times."""
    told = json.loads((folder / "smoke" / "tables.json").read_text())
    return json.loads(json.dumps(told), object_hook=without_seconds)


def without_seconds(fields):
    """Rows of seconds and milliseconds are of a machine, and not of a study."""
    columns = fields.get("columns", ())
    timed = [at for at, name in enumerate(columns) if "second" in name]
    for row in fields.get("rows", ()):
        row["cells"] = [cell for at, cell in enumerate(row["cells"]) if at not in timed]
    return fields
