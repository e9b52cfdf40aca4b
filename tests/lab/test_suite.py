"""The suite's numbers are those of a count by hand, whoever works at it and whatever kills it."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import ludus
from ludus.agent import agent
from ludus.cli import main
from ludus.lab.accuracy import calibration, results_of
from ludus.lab.judged import judge
from ludus.lab.opinions import Opinions
from ludus.lab.pictures import page
from ludus.lab.plan import SuitePlan, build_datasets
from ludus.lab.reference import Reference
from ludus.lab.seen import OTHER, SeenStates
from ludus.lab.suite import Suite
from ludus.lab.targets import target_accuracy
from ludus.learn.runs.run import Run
from ludus.truth.oracle import oracle
from tests.learn.small import small

BOARD, CROSSES = "chinesecheckers:size=4,pieces=3", "tictactoe"
FORWARD = f"{BOARD},forward_only=true"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A short training of each game, whose states are recorded."""
    found = {}
    for name in (BOARD, CROSSES, FORWARD):
        config = small("alphazero", record_states=10_000, window=5000, keep_every=2)
        path = tmp_path_factory.mktemp("runs") / "run"
        found[name] = Run(path, name, "alphazero", config, seed=1).train()
    return found


def plan_of(run, **changes):
    game = run.asked.game.spelling
    return replace(SuitePlan(game, "own", True, (), 0, 60, 60, 20, seed=5), **changes)


@cache
def negamax(text):
    """The value of tic-tac-toe to its mover, by nothing but the rules."""
    state = ludus.game(CROSSES).state(text)
    if state.outcome is not None:
        return state.outcome
    return max(-negamax(str(state.play(action))) for action in state.legal())


def value_by_hand(name):
    if name == CROSSES:
        return lambda state: negamax(str(state))
    known = oracle(name)
    return known.value


def count_by_hand(name, states, who):
    """Right values and right moves, of how many, by player: one state at a time."""
    worth, found = value_by_hand(name), {}
    for state in states:
        thought = who.think(state)
        of = found.setdefault(state.player, [0, 0, 0])
        children = {a: -worth(state.play(a)) for a in state.legal()}
        sign = (thought.value > 0) - (thought.value < 0)
        of[0] += 1
        of[1] += sign == worth(state)
        of[2] += children[int(thought.policy.argmax())] == max(children.values())
    return found


def is_contested(name, state):
    worth = value_by_hand(name)
    return len({worth(state.play(action)) for action in state.legal()}) > 1


@pytest.mark.parametrize("name", [BOARD, CROSSES])
def test_accuracies_are_those_of_a_count_by_hand(name, runs):
    run, game = runs[name], ludus.game(name)
    seen, plan = SeenStates.load(run.path), plan_of(runs[name])
    datasets = build_datasets(plan, oracle(name), seen)
    who = f"{run.spelled}@last"
    suite = Suite(plan, datasets, [who])
    suite.run()
    everywhere = {one["class"]: one for one in suite.result()["agents"][0]["results"]}

    expected = {
        text for text in seen.texts if is_contested(name, game.state(text))
    }  # all seen states that count
    assert {str(one) for one in datasets["seen"].counted.states} == expected
    assert int(datasets["seen"].plain.sum()) == len(seen.texts)
    for kind, dataset in datasets.items():
        told, states = everywhere[kind], dataset.counted.states
        assert len(states) == told["states"] > 0
        by_hand = count_by_hand(name, states, agent(who))
        for side, player in (("first", 0), ("second", 1)):
            of, values, moves = by_hand.get(player, [0, 0, 0])
            assert (told["policy"][side]["right"], told["policy"][side]["of"]) == (moves, of)
            assert (told["value"][side]["right"], told["value"][side]["of"]) == (values, of)
        plain = dataset.judged.take(dataset.plain).states
        rows = count_by_hand(name, plain, agent(who)).values()
        assert told["value_unfiltered"]["both"]["right"] == sum(row[1] for row in rows)
        assert told["value_unfiltered"]["both"]["of"] == len(plain)


def test_random_states_are_all_there_are_that_pass(runs):
    """Where more are asked for than there are, they are exactly those of an enumeration."""
    seen, plan = SeenStates.load(runs[CROSSES].path), plan_of(runs[CROSSES], random=100_000)
    found = build_datasets(plan, oracle(CROSSES), seen)["random"]
    todo, every = [ludus.game(CROSSES).start()], {}
    while todo:
        state = todo.pop()
        if str(state) not in every and state.outcome is None:
            every[str(state)] = state
            todo += [state.play(action) for action in state.legal()]
    expected = set()
    for text, state in every.items():
        worth = {-negamax(str(state.play(action))) for action in state.legal()}
        if worth >= {1, -1} and seen.classify(state) == OTHER:
            expected.add(text)
    assert {str(one) for one in found.counted.states} == expected
    moves = [
        -negamax(str(state.play(action)))
        for state in found.counted.states
        for action in state.legal()
    ]
    told = found.about()["moves"]["counted"]
    for name, value in (("winning", 1), ("losing", -1), ("drawing", 0)):
        assert told[name] == pytest.approx(moves.count(value) / len(expected))


@pytest.mark.parametrize("name", [BOARD, CROSSES])
@pytest.mark.parametrize("mirrored", [False, True])
def test_no_state_is_in_two_classes(name, mirrored, runs):
    seen = SeenStates.load(runs[name].path, mirrored=mirrored)
    plan = plan_of(runs[name], mirrored=mirrored, neighbouring=0)
    datasets = build_datasets(plan, oracle(name), seen)
    images = {
        kind: {
            str(state.transformed(image))
            for state in one.judged.states
            for image in range(state.num_symmetries if mirrored else 1)
        }
        for kind, one in datasets.items()
    }
    assert not images["seen"] & images["neighbouring"]
    assert not (images["seen"] | images["neighbouring"]) & images["random"]
    for kind, one in datasets.items():
        names = {"random": OTHER}
        assert set(seen.classify_all(one.judged.states)) == {names.get(kind, kind)}
        assert len({seen.key(state) for state in one.judged.states}) == len(one.judged)


def test_numbers_are_the_same_for_any_number_of_workers(runs):
    run = runs[BOARD]
    plan = plan_of(run, simulations=(4, 8), neighbouring=300)
    datasets = build_datasets(plan, oracle(BOARD), SeenStates.load(run.path))
    who = [f"{run.spelled}@step={step}" for step in (2, 4)]
    one, three = (Suite(plan, datasets, who, workers) for workers in (1, 3))
    one.run()
    three.run()
    assert one.result() == three.result()
    again = build_datasets(plan, oracle(BOARD), SeenStates.load(run.path))
    assert [str(a) for a in again["random"].judged.states] == [
        str(b) for b in datasets["random"].judged.states
    ]
    other = build_datasets(replace(plan, seed=6), oracle(BOARD), SeenStates.load(run.path))
    assert {*map(str, other["random"].judged.states)} != {*map(str, again["random"].judged.states)}


def test_a_killed_suite_goes_on(runs, tmp_path):
    run, record = runs[CROSSES], tmp_path / "record"
    plan = plan_of(run, simulations=(4,))
    datasets = build_datasets(plan, oracle(CROSSES), SeenStates.load(run.path))
    whole = Suite(plan, datasets, [f"{run.spelled}@last"], record=record)
    whole.run()
    lines = record.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 6
    for kept in range(len(lines)):
        record.write_bytes(b"".join(lines[:kept]) + lines[kept][:30])
        again = Suite(plan, datasets, [f"{run.spelled}@last"], record=record)
        assert len(again.answers) == max(0, kept - 1)
        again.run()
        assert again.result() == whole.result()
        assert record.read_bytes() == b"".join(lines)
    with pytest.raises(ValueError, match="another evaluation"):
        Suite(replace(plan, seed=9), datasets, [f"{run.spelled}@last"], record=record)
    record.write_bytes(lines[0] + lines[1].replace(b"seen", b"zeen") + lines[2])
    with pytest.raises(ValueError, match="line 2"):
        Suite(plan, datasets, [f"{run.spelled}@last"], record=record)


@pytest.mark.parametrize("band", [0.0, 0.4])
def test_targets_are_compared_one_by_one(band, runs):
    seen = SeenStates.load(runs[CROSSES].path)
    found = target_accuracy(oracle(CROSSES), seen, band)
    arrays, steps = seen.record.arrays, seen.record.sample_steps
    rows, first = [], {}
    for at, row in enumerate(arrays["states"].tolist()):
        true, target = negamax(seen.texts[row]), float(arrays["targets"][at])
        sign = 0 if abs(target) <= band else 1 if target > 0 else -1
        good = int(arrays["outcomes"][at]) == true
        rows.append((int(steps[at]), int(arrays["plies"][at]), good, sign == true))
        first.setdefault(row, (int(steps[at]), good))
    assert found["samples"] == len(rows)
    assert found["right_outcome"] == sum(row[2] for row in rows)
    assert found["right_target"] == sum(row[3] for row in rows)
    assert (found["states"], found["right_first_outcome"]) == (
        len(first),
        sum(good for _, good in first.values()),
    )
    for place, name in enumerate(("step", "ply")):
        for told in found[f"by_{name}"]:
            own = [row for row in rows if row[place] == told[name]]
            assert told["samples"] == len(own)
            assert told["right_outcome"] == sum(row[2] for row in own)
            assert told["right_target"] == sum(row[3] for row in own)
    for told in found["so_far"]:
        own = [good for step, good in first.values() if step <= told["step"]]
        assert (told["states"], told["right_outcome"]) == (len(own), sum(own))


def test_plies_are_the_stones_on_the_board(runs):
    """What is recorded of tic-tac-toe says itself how far the game was."""
    record = SeenStates.load(runs[CROSSES].path).record
    stones = np.array([sum(mark in "xo" for mark in text[:-2]) for text in record.texts()])
    np.testing.assert_array_equal(stones[record.arrays["states"]], record.arrays["plies"])


def test_a_draw_band_says_draw():
    values = np.array([-0.5, -0.2, 0.0, 0.2, 0.5])
    assert results_of(values).tolist() == [-1, -1, 0, 1, 1]
    assert results_of(values, 0.2).tolist() == [-1, 0, 0, 0, 1]


def test_calibration_is_a_mean_distance():
    """Four states that are said to win 90 points of 100, and won half of them."""
    game = ludus.game(CROSSES)
    states = [game.state("xx./oo./... x")] * 4
    judged = replace(judge(oracle(CROSSES), states), values=np.array([1.0, 1.0, -1.0, -1.0]))
    said = Opinions(np.array([0.8, 0.8, 0.8, 0.8]), np.zeros(4, np.int64))
    found = calibration(judged, said)
    assert found["expected_error"] == pytest.approx(0.4)
    assert found["bins"] == [{"states": 4, "predicted": pytest.approx(0.9), "true": 0.5}]


def test_the_full_game_judges_forward_play(runs):
    run = runs[FORWARD]
    full = ludus.game(BOARD)
    known = oracle(BOARD)
    datasets = build_datasets(
        plan_of(run), oracle(FORWARD, truth="full"), SeenStates.load(run.path)
    )
    for one in datasets.values():
        for row, state in enumerate(one.judged.states):
            assert one.judged.values[row] == known.value(full.state(str(state)))
        worth = iter(one.judged.worth)
        for state in one.judged.states:
            for action in state.legal():
                after = state.play(action)
                over = after.outcome
                true = known.value(full.state(str(after))) if over is None else over
                assert next(worth) == -true


def test_a_perfect_reference_is_the_truth(runs):
    """What it says is taken for values just as an oracle's answers are."""
    plan, seen = plan_of(runs[CROSSES]), SeenStates.load(runs[CROSSES].path)
    game = ludus.game(CROSSES)
    for workers in (1, 2):
        said = Reference(game, agent("perfect"), workers=workers)
        one, other = (build_datasets(plan, judge_, seen) for judge_ in (oracle(CROSSES), said))
        for kind, dataset in one.items():
            np.testing.assert_array_equal(dataset.judged.worth, other[kind].judged.worth)
            np.testing.assert_array_equal(dataset.judged.values, other[kind].judged.values)


def test_the_command_answers_and_draws(runs, capsys, tmp_path):
    run = runs[CROSSES]
    words = ["evaluate", str(run.path), "--simulations", "4", "--searched", "5", "--random", "20"]
    assert main([*words, "--json", "--report", str(tmp_path / "page.html")]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["step"] for one in found["agents"]] == [2, 4]
    assert found["exact"]
    html = (tmp_path / "page.html").read_text()
    assert "not truth" not in html
    assert html == page(found, run.folder.course())
    assert main([*words, "--reference", "alphabeta:depth=9"]) == 0
    assert "a reference and not truth" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["random"], "name one with --game"),
        (["nowhere/run"], "no agent"),
        (["random", "--game", "supertictactoe"], "--reference"),
        (["random", "--game", "tictactoe", "--truth", "full"], "only one truth"),
        (["random", "--game", "tictactoe", "--simulations", "a,b"], "whole numbers"),
        (["random", "--game", "tictactoe", "--draw-band", "2"], "draw-band"),
        (["random", "--game", "tictactoe", "--random", "0"], "random"),
        (["random", "--game", "tictactoe", "--checkpoints", "last"], "no run"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(words, sentence, capsys):
    assert main(["evaluate", *words]) == 2
    assert sentence in capsys.readouterr().err
