"""Matches: the same for any number of workers, sides exchanged, numbers that add up."""

import dataclasses
import json
import signal
import textwrap
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import ludus
from ludus.agent import spelling_of
from ludus.arena import processes, step, workers
from ludus.arena.interval import over_pairs, wilson
from ludus.arena.match import prepare_match
from ludus.arena.opening import read_openings
from ludus.arena.running import RunningGame
from ludus.cli import main
from ludus.written import class_in


@dataclass
class Taker:
    """Wins if it can in one ply, else plays the action that its seed likes best."""

    seed: int = 0
    native = True

    def think(self, state):
        policy = np.zeros(state.num_actions)
        likes = np.random.default_rng(self.seed).random(state.num_actions)
        wins = [a for a in state.legal() if state.play(a).winner == state.player]
        policy[wins or max(state.legal(), key=lambda a: likes[a])] = 1
        return ludus.Thought(policy / policy.sum())


@dataclass
class Lowest:
    """Always plays the first legal action."""

    def think(self, state):
        policy = np.zeros(state.num_actions)
        policy[state.legal()[0]] = 1
        return ludus.Thought(policy)


class Together:
    """Thinks of many games at once, and remembers how many there were each time."""

    def __init__(self):
        self.calls = []

    def think(self, state):
        return self.think_many([state])[0]

    def think_many(self, states):
        self.calls.append(len(states))
        return [Lowest().think(state) for state in states]


def course(score):
    """Everything that a seed decides."""
    return [dataclasses.replace(game, seconds=()) for game in score.played]


def test_a_mirror_match_is_even_within_its_interval(game):
    """An interval of 95 % may miss; four misses in ten matches happen once in a thousand times."""
    held = 0
    for seed in range(10):
        score = ludus.match(game, "random", "random", games=20, seed=seed)
        low, high = score.interval
        held += low <= 0.5 <= high
        assert score.games == score.wins + score.draws + score.losses == 20
    assert held >= 7


def test_games_come_in_pairs_that_share_an_opening(game):
    score = ludus.match(game, "random", "random:epsilon=0.5", games=8, seed=3)
    assert [one.index for one in score.played] == list(range(8))
    for even, odd in zip(score.played[::2], score.played[1::2], strict=True):
        assert even.moves[:2] == odd.moves[:2]
        assert even.position == odd.position
        assert even.opening == odd.opening == 2
        assert even.first == odd.first
        assert even.agents == odd.agents[::-1]
        assert even.agents[even.first] == "random"
    assert len({one.moves[:2] for one in score.played}) > 1


@pytest.mark.parametrize("spelling", ["connect4", "supertictactoe", "cathedral:fair_start=true"])
def test_the_number_of_workers_changes_nothing(spelling):
    one, three = (
        ludus.match(spelling, "random", "random:epsilon=0.1", games=13, seed=5, workers=n)
        for n in (1, 3)
    )
    assert course(one) == course(three)
    assert course(one) != course(ludus.match(spelling, "random", "random", games=13, seed=6))


AGENT = """
from dataclasses import dataclass
import numpy as np
from ludus.agent import Thought

@dataclass
class Slow:
    seed: int = 0
    nth: int = 0

    def think(self, state):
        legal = state.legal()
        policy = np.zeros(state.num_actions)
        policy[legal[min(self.nth, len(legal) - 1)]] = 1
        return Thought(policy)
"""


def test_an_agent_of_ones_own_plays_in_other_processes(tmp_path):
    file = tmp_path / "slow.py"
    file.write_text(AGENT)
    made = ludus.agent(f"{file}:nth=2")
    assert spelling_of(made) == f"{file}:nth=2"
    one, two = (
        ludus.match("connect4", made, f"{file}:epsilon=0.3", games=6, seed=2, workers=n)
        for n in (1, 2)
    )
    assert course(one) == course(two)


def test_a_game_written_in_python_is_played_in_other_processes():
    one, two = (
        ludus.match(
            "examples/breakthrough.py:size=5", "random", "random", games=4, seed=2, workers=n
        )
        for n in (1, 2)
    )
    assert course(one) == course(two)


def test_what_cannot_cross_to_a_process_is_refused():
    with pytest.raises(ValueError, match=r"Lowest thinks in Python.*workers=1 plays them here"):
        ludus.match("connect4", Lowest(), "random", games=2, workers=2)
    with pytest.raises(ValueError, match="a person plays one game at a time"):
        ludus.match("connect4", "human", "random", games=2, workers=2)
    breakthrough = class_in(Path(__file__).parents[1] / "examples" / "breakthrough.py")
    with pytest.raises(ValueError, match="was given as a class"):
        ludus.match(ludus.game(breakthrough), "random", "random", games=2, workers=2)


@pytest.mark.parametrize("count", [1, 3])
def test_an_agent_that_thinks_of_many_is_asked_for_all_at_once(count, monkeypatch):
    monkeypatch.setattr(step, "AT_ONCE", 8)
    together = Together()
    score = ludus.match("connect4", together, "random", games=20, seed=4, workers=count)
    assert course(score) == [
        dataclasses.replace(one, agents=tuple(a.replace("Lowest", "Together") for a in one.agents))
        for one in course(ludus.match("connect4", Lowest(), "random", games=20, seed=4))
    ]
    assert max(together.calls) > 2
    assert max(together.calls) <= 8
    moves = sum(one.players[one.opening :].count(one.a) for one in score.played)
    assert sum(together.calls) == moves


def test_a_wrapped_agent_still_thinks_of_many():
    together = Together()
    wrapped = ludus.EpsilonGreedy(together, 0.5)
    one = ludus.match("connect4", wrapped, together, games=12, seed=4)
    other = ludus.match("connect4", ludus.EpsilonGreedy(Lowest(), 0.5), Lowest(), games=12, seed=4)
    assert [game.moves for game in one.played] == [game.moves for game in other.played]
    assert max(together.calls) > 2


def test_each_game_has_an_agent_of_its_own():
    plan = prepare_match("connect4", Taker(), Taker(), games=4, seed=1).plan
    seeds = {agent.seed for index in range(4) for agent in RunningGame(plan, index).agents}
    assert len(seeds) == 8
    again = {agent.seed for index in range(4) for agent in RunningGame(plan, index).agents}
    assert seeds == again


def test_the_stronger_wins_from_both_sides():
    score = ludus.match("connect4", Taker(), "random", games=100, seed=1)
    assert score.interval[0] > 0.5
    assert score.as_first.points > 0.5
    assert score.as_second.points > 0.5
    assert score.as_first.games == score.as_second.games == 50
    mirrored = ludus.match("connect4", "random", Taker(), games=100, seed=1)
    assert mirrored.interval[1] < 0.5


def test_the_two_games_that_deterministic_agents_play_are_found_out(capsys):
    score = ludus.match("connect4", Lowest(), Lowest(), games=20, openings="none")
    assert score.distinct == 1
    assert score.few_differ
    various = ludus.match("connect4", Lowest(), Lowest(), games=20, openings="random:4")
    assert various.distinct == 10  # the same agent on both sides plays each opening once
    assert not various.few_differ
    assert main(["match", "connect4:rows=1,columns=4,line=4", "random", "random"]) == 0
    out = capsys.readouterr().out
    assert "distinct   24 of 100 games\nwarning: most of these games are the same" in out


def test_a_score_adds_up_and_prints():
    score = ludus.match("tictactoe", "random", "random", games=51, seed=9)
    record = json.loads(json.dumps(score.as_dict()))
    for key in ("games", "wins", "draws", "losses"):
        assert record[key] == record["as_first"][key] + record["as_second"][key]
    assert record["points"] == (record["wins"] + record["draws"] / 2) / 51
    assert record["interval"][0] <= record["points"] <= record["interval"][1]
    assert record["wins_interval"] == list(wilson(score.wins, 51))
    moves = sum(len(game.seconds) for game in score.played)
    assert record["seconds"]["a"]["moves"] + record["seconds"]["b"]["moves"] == moves
    assert record["seconds"]["a"]["p50"] <= record["seconds"]["a"]["p95"]
    parts = record["seconds"]["a"]["by_ply"]
    assert sum(part["moves"] for part in parts) == record["seconds"]["a"]["moves"]
    assert all(a["to"] + 1 == b["from"] for a, b in pairwise(parts))
    assert record["plies"]["least"] <= record["plies"]["mean"] <= record["plies"]["most"]
    assert f"{score.wins} wins, {score.draws} draws, {score.losses} losses; " in str(score)


def test_a_generator_can_take_the_place_of_a_seed():
    drawn = [
        course(ludus.match("tictactoe", "random", "random", games=4, rng=ludus.rng(seed)))
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_wilson_is_the_published_interval():
    assert wilson(10, 20) == pytest.approx((0.2993, 0.7007), abs=1e-4)  # Newcombe 1998, method 3
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=1e-4)
    assert wilson(0, 0) == (0, 1)


@pytest.mark.parametrize(
    "shares",
    [(1, 0, 0, 0, 1), (0, 0, 1, 0, 0), (1, 1, 2, 1, 1), (0, 0, 1, 0, 19), (1, 0, 18, 0, 1)],
)
def test_the_interval_over_pairs_covers(shares):
    rng = np.random.default_rng(1)
    values, p = np.linspace(0, 1, 5), np.array(shares) / sum(shares)
    truth, held = values @ p, 0
    for _ in range(400):
        low, high = over_pairs(list(rng.choice(values, 40, p=p)), [1.0] * 40)
        held += low <= truth <= high
        assert high > low
    assert held / 400 > 0.92


def test_the_interval_over_pairs_is_agresti_and_coulls_for_pairs_won_or_lost():
    z = norm.ppf(0.975)
    share = (7 + z * z / 2) / (10 + z * z)
    reach = z * (share * (1 - share) / (10 + z * z)) ** 0.5
    assert over_pairs([1.0] * 7 + [0.0] * 3, [1.0] * 10) == pytest.approx(
        (share - reach, min(1, share + reach))
    )


def test_openings_are_unfinished_and_as_long_as_asked(game):
    text = "random:4"
    for pair in range(20):
        opening = read_openings(text, game).opening(game, pair, 7)
        assert opening.state.outcome is None
        assert len(opening.moves) == 4
        assert opening.state.plies == 4


def test_openings_that_would_end_the_game_are_drawn_again():
    game = ludus.game("tictactoe")
    for pair in range(30):
        assert read_openings("random:8", game).opening(game, pair, 0).state.outcome is None
    with pytest.raises(ValueError, match="9 random plies end tictactoe nearly always"):
        ludus.match(game, "random", "random", games=1, openings="random:9")


def test_openings_from_a_file(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("44\n\n......./......./......./......./...o.../...x..x\n")
    score = ludus.match("connect4", "random", "random", games=6, openings=str(file))
    assert [one.moves[:2] for one in score.played[:2]] == [("4", "4")] * 2
    assert [one.opening for one in score.played] == [2, 2, 0, 0, 2, 2]
    assert score.played[2].position.endswith("x..x")
    assert score.played[2].players[0] == 1
    assert [one.first for one in score.played] == [0] * 6


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("44\n49\n", "line 2: no move '9' here"),
        ("", "has no openings"),
        ("1212121\n", "line 1: the game is over there"),
        ("\n\nnonsense\n", "line 3: no move"),
    ],
)
def test_bad_openings_are_one_sentence(tmp_path, text, sentence):
    file = tmp_path / "openings.txt"
    file.write_text(text)
    with pytest.raises(ValueError, match=sentence) as error:
        ludus.match("connect4", "random", "random", games=2, openings=str(file))
    assert "\n" not in str(error.value)


def test_an_opening_of_a_game_of_chance_is_a_position(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("a1 b2\n")
    with pytest.raises(ValueError, match="in a game of chance an opening is a position"):
        ludus.match("tictactoe:success=0.5", "random", "random", games=2, openings=str(file))
    file.write_text(str(ludus.game("tictactoe").replay("a1 b2")))
    assert ludus.match(
        "tictactoe:success=0.5", "random", "random", games=2, openings=str(file)
    ).games


def test_an_illegal_choice_names_the_agent():
    class Cheat:
        def think(self, state):
            return ludus.Thought(np.eye(9)[0])

    with pytest.raises(ValueError, match="Cheat chose action 0, which is not legal"):
        ludus.match("tictactoe", Cheat(), "random", games=9)


def test_ctrl_c_keeps_what_is_done():
    """A match that is interrupted after its fifth game reports five games."""

    @dataclass
    class Tired:
        seed: int = 0
        native = True

        def think(self, state):
            if state.plies == 0:
                started.append(self.seed)
            if len(started) > 5:
                raise KeyboardInterrupt
            return Lowest().think(state)

    started = []
    match = prepare_match("connect4", Tired(), Tired(), games=50, seed=0, openings="none")
    kept = []
    with pytest.raises(KeyboardInterrupt):
        match.play(keep=kept.append)
    score = match.score()
    assert score.stopped
    assert score.games == len(kept) == 5
    assert score.asked == 50


def test_ctrl_c_stops_the_threads_and_keeps_what_they_had_done(monkeypatch):
    """Of four games under way two are over when it comes: they are yielded, then it goes on."""
    finished, threads = {0, 2}, threading.Event()

    def submit(job):
        future = Future()
        if job[1] in finished:
            future.set_result(f"game {job[1]}")
        return future

    def interrupted(*_, **__):
        monkeypatch.setattr(workers, "wait", wait)
        raise KeyboardInterrupt

    wait = workers.wait
    monkeypatch.setattr(workers, "wait", interrupted)
    jobs = [("plan", index) for index in range(9)]
    with ThreadPoolExecutor(1) as pool:
        playing = workers.run_in_pool(pool, threads, jobs, 2, submit)
        assert {next(playing)[1], next(playing)[1]} == {"game 0", "game 2"}
        with pytest.raises(KeyboardInterrupt):
            next(playing)
    assert threads.is_set()


def test_children_never_hear_ctrl_c():
    before = signal.getsignal(signal.SIGINT)
    with processes.pool(1) as (pool, _):
        with processes.block_interrupt():
            held_back = pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ())
        assert signal.SIGINT in held_back.result()
    assert signal.getsignal(signal.SIGINT) == before


def test_the_command_line_gives_the_same_as_python(capsys):
    arguments = ["connect4", "random", "random:epsilon=0.5", "--games", "10", "--seed", "4"]
    assert main(["match", *arguments, "--json", "--workers", "2"]) == 0
    record = json.loads(capsys.readouterr().out)
    score = ludus.match("connect4", "random", "random:epsilon=0.5", games=10, seed=4).as_dict()
    for timed in (record, score):
        del timed["seconds"]
    assert record == json.loads(json.dumps(score))
    assert main(["match", *arguments]) == 0
    out = capsys.readouterr().out
    for word in ("as first", "as second", "in total", "a move, median", "distinct   10 of 10"):
        assert word in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("connect4 random stockfish", "no agent 'stockfish'; there are"),
        ("connect4 random random:depth=3", "random has no option 'depth'"),
        ("chess random random", "no game 'chess'; there are"),
        ("connect4 random random --games 0", "games is a whole number from 1"),
        ("connect4 random random --seed -1", "seed is a whole number from 0"),
        ("connect4 random random --workers 0", "workers is a whole number from 1"),
        ("connect4 random random --openings random", "random openings are written random:PLIES"),
        ("connect4 random random --openings random:-2", "random openings are written"),
        ("connect4 random random --openings no.txt", "there is no 'no.txt'"),
        ("connect4 random random --sprt 5", "a sequential test is written ELO0,ELO1"),
        ("connect4 random random --sprt 9,5", "with ELO0 below ELO1"),
        ("connect4 random random --sprt nan,5", "with ELO0 below ELO1"),
        ("connect4 random random --sprt 0,5 --alpha 0.7", "alpha is between 0 and 0.5"),
        ("connect4 random random --record no/such/folder/x", "No such file or directory"),
        ("connect4 random no_such_agent.py", "no file 'no_such_agent.py'"),
        ("connect4 random examples/breakthrough.py", "has one class with think(), not 0"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, arguments, sentence):
    assert main(["match", *arguments.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert captured.err.count("\n") == 1


def test_a_record_is_never_overwritten(capsys, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("precious")
    assert main(["match", "connect4", "random", "random", "--record", str(file)]) == 2
    assert "File exists" in capsys.readouterr().err
    assert file.read_text() == "precious"


def test_an_own_agent_without_a_seed_is_one_sentence(tmp_path):
    file = tmp_path / "bare.py"
    file.write_text(
        textwrap.dedent(
            """
            class Bare:
                def think(self, state): ...
            """
        )
    )
    with pytest.raises(ValueError, match=r"Bare in .* is not a dataclass with a field seed"):
        ludus.agent(str(file))


@pytest.fixture
def hears_ctrl_c():
    """Also where tests run in the background of a shell, and the signal is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_cannot_come_between_counting_a_game_and_keeping_it():
    match = prepare_match("tictactoe", "random", "random", games=10, seed=1, openings="none")
    kept = []

    def keep(played):
        signal.raise_signal(signal.SIGINT)  # at the worst of moments, every time
        kept.append(played.index)

    with pytest.raises(KeyboardInterrupt):
        match.play(keep=keep)
    assert kept == [played.index for played in match.done]
    assert len(kept) == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
