"""Playing in the terminal: moves, undo, hints, giving up, leaving, and any nonsense."""

import io
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludus
from ludus.arena.interrupts import defer_interrupt
from ludus.arena.processes import block_interrupt
from ludus.cli import main
from ludus.draw import stones
from tests.conftest import examples


def play(monkeypatch, capsys, typed, *arguments):
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    code = main(["play", *arguments])
    return code, capsys.readouterr().out


def test_two_people_play_a_game_to_its_end(monkeypatch, capsys):
    code, out = play(monkeypatch, capsys, "1\n2\n1\n2\n1\n2\n1\n", "connect4", "--vs", "human")
    assert code == 0
    assert "human (first) plays 1" in out
    assert out.endswith("human (first) won\n")


def test_a_person_plays_an_agent(monkeypatch, capsys):
    code, out = play(monkeypatch, capsys, "4\n" * 42, "connect4", "--vs", "random")
    assert code == 0
    assert "you play 4" in out
    assert "random plays" in out
    assert "you (●) to move" in out


@pytest.mark.parametrize(("first", "begins"), [("me", "you play"), ("them", "uct plays")])
def test_who_begins(monkeypatch, capsys, first, begins):
    _, out = play(monkeypatch, capsys, "4\nquit\n", "connect4", "--first", first)
    assert min(("you play", "uct plays"), key=lambda said: out.find(said) % 10**9) == begins


def test_a_coin_decides_who_begins(monkeypatch, capsys):
    begins = set()
    for seed in range(12):
        typed = play(monkeypatch, capsys, "", "connect4", "--first", "random", "--seed", str(seed))
        begins.add("uct plays" in typed[1])
    assert begins == {True, False}


def test_undo_goes_back_to_ones_own_last_turn(monkeypatch, capsys):
    _, out = play(monkeypatch, capsys, "4\nundo\nundo\nquit\n", "connect4")
    empty = ludus.game("connect4").text(ludus.game("connect4").start(), colour=False)
    assert out.count(empty) == 2
    assert "there is nothing to take back" in out
    _, out = play(monkeypatch, capsys, "4\n3\nundo\n5\n", "connect4", "--vs", "human")
    assert "│ · · · ●[○]· · │" in out


def test_undo_before_ones_first_move(monkeypatch, capsys):
    _, out = play(monkeypatch, capsys, "undo\n", "connect4", "--first", "them")
    assert "there is nothing to take back" in out


def test_hints_moves_help_and_giving_up(monkeypatch, capsys):
    code, out = play(
        monkeypatch, capsys, "hint\nmoves\nhelp\n\nresign\n", "kingcourtesan", "--vs", "random"
    )
    assert code == 0
    assert "random would play" in out
    assert "(22 in all: `moves`)" in out
    assert out.count("one of: moves, undo, hint, resign, quit, help") == 2
    assert out.endswith("you resigned; random won\n")
    _, out = play(monkeypatch, capsys, "hint\n", "connect4", "--vs", "human")
    assert "uct would play" in out


def test_two_agents_are_watched(monkeypatch, capsys):
    code, out = play(monkeypatch, capsys, "", "tictactoe", "--me", "random", "--vs", "random")
    assert code == 0
    assert "random (first) plays" in out
    assert out.endswith((" won\n", "a draw\n"))


def test_chance_is_announced(monkeypatch, capsys):
    said = ""
    for seed in range(6):
        said += play(
            monkeypatch, capsys, "", "tictactoe:success=0.4", "--me", "random", "--seed", str(seed)
        )[1]
    assert "the mark lands where it should" in said
    assert "the mark strays to " in said
    assert "the mark is lost, and the turn passes" in said


def test_every_game_can_be_watched(game, monkeypatch, capsys):
    if game.spelling.startswith(("checkers", "supertictactoe")):
        return  # long; the others show as much
    code, out = play(monkeypatch, capsys, "", game.spelling, "--me", "random")
    assert code == 0
    assert out.endswith((" won\n", "a draw\n"))


def test_a_game_written_in_python_is_played_by_a_person(monkeypatch, capsys):
    _, out = play(monkeypatch, capsys, "a2-a3\nquit\n", "examples/breakthrough.py")
    assert "you play a2-a3" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("resign\n"))
    assert main(["match", "examples/breakthrough.py", "human", "random", "--games", "1"]) == 0


@examples(60)
@given(typed=st.lists(st.text(max_size=30), max_size=12))
def test_any_nonsense_is_survived(typed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("\n".join(typed)))
        patch.setattr(sys, "stdout", io.StringIO())
        assert main(["play", "kingcourtesan:size=3"]) == 0


def test_bytes_that_are_no_text_are_survived():
    done = subprocess.run(
        [sys.executable, "-m", "ludus", "play", "connect4"],
        input=b"\xff\xfe\x00\n4\n\x1b[A\n" + b"9" * 100_000 + b"\nquit\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"you play 4" in done.stdout


def test_the_end_of_input_is_a_goodbye(monkeypatch, capsys):
    code, out = play(monkeypatch, capsys, "4\n", "connect4")
    assert code == 0
    assert out.endswith("goodbye; the game is not finished\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("chess", "no game 'chess'"),
        ("connect4 --vs nobody", "no agent 'nobody'"),
        ("connect4 --vs random:depth=4", "no option 'depth'"),
        ("connect4 --seed -1", "seed is a whole number from 0"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, arguments, sentence):
    assert main(["play", *arguments.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert captured.err.count("\n") == 1


def test_a_person_plays_a_match_and_may_leave_it(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("4\nresign\nfoo\nquit\n"))
    code = main(["match", "connect4", "human", "random", "--games", "4", "--openings", "none"])
    captured = capsys.readouterr()
    assert code == 130
    assert "no move 'foo' here" in captured.out
    assert "stopped after 1 of 4 games" in captured.out
    assert "A is human, B is random" in captured.out


SLEEPY = """
import time
from dataclasses import dataclass
from ludus.agent import Thought, uniform

@dataclass
class Sleepy:
    seed: int = 0
    {native}

    def think(self, state):
        time.sleep(0.002)
        return Thought(uniform(state))
"""


def hears_ctrl_c():
    """Tests may run in the background of a shell, where the signal is ignored and passed on so."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def heard():
    """Ctrl-C as a person's terminal sends it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("while_", [block_interrupt, defer_interrupt])
def test_ctrl_c_is_never_lost(while_):
    """It waits, and is heard."""
    after = []

    def work():
        with while_():
            os.kill(os.getpid(), signal.SIGINT)
            after.append("went on")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert after == ["went on"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.usefixtures("heard")
def test_children_do_not_hear_ctrl_c():
    script = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    with block_interrupt():
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "True\n"


@pytest.mark.parametrize(
    ("native", "workers"), [("native = True", 1), ("native = True", 2), ("native = False", 2)]
)
def test_ctrl_c_reports_what_is_done(tmp_path, native, workers):
    """By a real signal: one process, threads, and processes, whose whole group hears it."""
    agent, record = tmp_path / "sleepy.py", tmp_path / "games.jsonl"
    agent.write_text(SLEEPY.format(native=native))
    command = [sys.executable, "-m", "ludus", "match", "connect4", str(agent), "random"]
    command += ["--games", "100000", "--workers", str(workers), "--record", str(record)]
    running = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hears_ctrl_c,
    )
    try:
        patience = time.monotonic() + 60
        while not (record.exists() and record.read_text().count("\n") > 5):
            assert time.monotonic() < patience
            assert running.poll() is None
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130
    assert "Traceback" not in err
    assert "of 100000 games" in out
    games = int(out.split("stopped after ")[1].split()[0])
    assert games == record.read_text().count("\n") > 5


def test_it_is_said_whose_stones_are_whose(game, monkeypatch, capsys):
    _, out = play(monkeypatch, capsys, "quit\n", game.spelling, "--vs", "random")
    first, second = stones(game, game.start())
    assert first != second
    said = dict(re.findall(r"(you|random) \(([^)]+)\)", out.splitlines()[0]))
    assert {said["you"], said["random"]} == {first, second}
    assert f"you ({said['you']}) to move" in out
    assert re.search(r"^(you|random) \(.+\) against (you|random) \(.+\)$", out, re.MULTILINE)
    assert re.search(r"^you \(.+\) to move$", out, re.MULTILINE)


def test_the_stones_that_are_named_are_those_on_the_board(monkeypatch, capsys):
    for name in ("connect4", "tictactoe"):
        game = ludus.game(name)
        state = game.start()
        for player in (0, 1):
            state = state.play(state.legal()[0])
            assert stones(game, state)[player] in game.text(state, colour=False)


def test_the_last_move_is_marked_without_colours(game):
    """Without it the text is another, in every game and at every ply."""
    rng = ludus.rng(3)
    state = game.start(rng)
    for _ in range(12):
        if state.outcome is not None:
            break
        last = int(rng.choice(state.legal()))
        state = state.play(last, rng)
        marked = game.text(state, colour=False, last=last)
        if not state.chancy:
            assert marked != game.text(state, colour=False)


def test_notation_is_explained_where_it_is_asked_for(game, monkeypatch, capsys):
    assert game.kind.notation
    _, out = play(monkeypatch, capsys, "help\nquit\n", game.spelling, "--vs", "random")
    assert game.kind.notation in out


def test_moves_can_be_looked_for(monkeypatch, capsys):
    _, out = play(monkeypatch, capsys, "moves c7\nmoves q\nquit\n", "cathedral", "--vs", "random")
    assert "building@square+turn" in out.partition("> ")[0]
    listed = out.partition("> ")[2].partition("> ")[0].split()
    assert listed
    assert all("@c7" in move for move in listed if "@" in move)
    assert "no move here has 'q' in it" in out


def test_a_hint_gives_three_moves_with_values(monkeypatch, capsys):
    _, out = play(monkeypatch, capsys, "hint\n", "connect4", "--vs", "uct:simulations=200")
    hint = out.partition("would play\n")[2].splitlines()[:3]
    assert all(re.fullmatch(r"  [1-7] +\d+ %  worth [+-]\d\.\d\d", line) for line in hint), hint
    _, out = play(monkeypatch, capsys, "hint\n", "tictactoe", "--vs", "perfect")
    assert out.count("worth +0.00 (exact)") == 3


@pytest.mark.parametrize(("name", "agent"), [("cathedral", "greedy"), ("connect4", "random")])
def test_a_hint_tells_no_value_that_was_not_searched(monkeypatch, capsys, name, agent):
    _, out = play(monkeypatch, capsys, "hint\n", name, "--vs", agent)
    assert f"{agent} would play" in out
    assert "worth" not in out


def test_ctrl_c_ends_a_game_with_130(monkeypatch, capsys):
    def interrupted(_prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert main(["play", "connect4"]) == 130
    assert "the game is not finished" in capsys.readouterr().out
    assert play(monkeypatch, capsys, "", "connect4")[0] in (0, 130)


def test_a_hint_of_alphabeta_gives_three_moves_with_values(monkeypatch, capsys):
    _, out = play(monkeypatch, capsys, "hint\n", "connect4", "--vs", "alphabeta:depth=5")
    hint = out.partition("would play\n")[2].splitlines()[:3]
    assert all(re.fullmatch(r"  [1-7] +\d+ %  worth [+-]\d\.\d\d", line) for line in hint), hint


def test_a_hint_gives_three_moves_where_a_search_looked_at_one(monkeypatch, capsys):
    pytest.importorskip("onnxruntime")
    _, out = play(monkeypatch, capsys, "hint\n", "connect4", "--vs", "zoo/connect4:simulations=3")
    hint = out.partition("would play\n")[2].splitlines()[:3]
    assert all(re.match(r"  [1-7] +\d+ %", line) for line in hint), hint
    assert "worth" in hint[0]
    assert "worth" not in hint[2]


def test_a_hint_that_cannot_be_had_ends_no_game(monkeypatch, capsys):
    def fail(*_):
        raise ValueError("the end is too far")

    monkeypatch.setattr("ludus.agents.greedy.Greedy.think", fail)
    code, out = play(monkeypatch, capsys, "hint\nquit\n", "connect4", "--vs", "greedy")
    assert code == 0
    assert "there is no hint: the end is too far" in out
    assert "the game is not finished" in out


@pytest.mark.parametrize("seats", [["--vs", "perfect"], ["--me", "perfect"], ["--vs", "adversary"]])
def test_who_cannot_play_from_the_start_is_refused_before_it(capsys, seats):
    assert main(["play", "cathedral", *seats]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "nobody can play Cathedral perfectly from its start" in said.err
