import ast
import dataclasses
import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.cli import main
from ludus.game import canonical_image
from ludus.lab import certificate as certificates
from ludus.lab import frozen as frozen_module
from ludus.lab import walk as walk_module
from ludus.lab.answers import ReplyStore
from ludus.lab.certificate import Checker, Refuted, read_certificate, write_certificate
from ludus.lab.cycles import Moves
from ludus.lab.frozen import freeze
from ludus.lab.positions import name_of, names_array
from ludus.lab.prove import BEATEN, DRAWN, UNBEATEN, WINS, Proof
from ludus.lab.prove_folder import certificate, proof_folder
from ludus.truth.oracle import oracle as oracle_for
from tests.conftest import playout
from tests.reference.enumerated import by_lines, by_positions

TTT, SMALL = "tictactoe", "connect4:rows=3,columns=4,line=3"
TINY = "connect4:rows=3,columns=3,line=3"
CC31, CC33 = "chinesecheckers:size=3,pieces=1", "chinesecheckers:size=3,pieces=3"
CC43 = "chinesecheckers:size=4,pieces=3"
AGENTS = ["perfect", "random", "greedy", "uct:simulations=30", "alphabeta:depth=2"]


def proof(game, agent, side, aim=UNBEATEN, **more):
    return Proof(freeze(agent, ludus.game(game)), side, aim, **more)


def reply_of(frozen):
    """The same agent, asked position by position."""
    known = {}

    def reply(state):
        if str(state) not in known:
            known[str(state)] = frozen.replies([state])[0]
        return known[str(state)]

    return reply


def check_line(made, found, side):
    """The line is one of the rules, the agent's moves in it are its replies, and it ends so."""
    state, reply = made.game.start(), reply_of(made.frozen)
    for action in found.line:
        assert state.player != side or action == reply(state)
        state = state.play(action)
    assert state.winner == (1 - side if found.verdict == BEATEN else None)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("named", [TTT, TINY, SMALL])
def test_a_verdict_is_that_of_all_lines(named, agent, side):
    made = proof(named, agent, side)
    found = made.run()
    verdict, shortest = by_lines(made.game, side, reply_of(made.frozen))
    assert found.verdict == verdict
    if shortest is not None:
        assert len(found.line) == shortest
    if found.line:
        check_line(made, found, side)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("named", [CC31, CC33, CC31 + ",forward_only=true"])
def test_a_verdict_is_that_of_all_positions_where_games_can_go_round(named, agent, side):
    made = proof(named, agent, side)
    found = made.run()
    verdict, shortest = by_positions(made.game, side, reply_of(made.frozen))
    assert found.verdict == verdict
    if shortest is not None:
        assert len(found.line) == shortest
    if found.line:
        check_line(made, found, side)


def test_positions_and_lines_agree_where_both_can_be_enumerated():
    game = ludus.game(CC31, repetition=2)
    verdicts = set()
    for agent in ("perfect", "perfect:fastest=false"):
        reply = reply_of(freeze(agent, game))
        assert by_positions(game, 0, reply) == by_lines(game, 0, reply)
        verdicts.add(by_lines(game, 0, reply)[0])
    assert len(verdicts) > 1


@pytest.mark.slow
def test_the_first_player_wins_chinesecheckers_4_3_by_perfect_play():
    found = (made := proof(CC43, "perfect", 0, WINS)).run()
    assert (found.verdict, found.plies) == (WINS, 21)
    assert by_positions(made.game, 0, reply_of(made.frozen)) == (WINS, None)


def test_ply_caps_are_part_of_what_is_proven():
    assert proof(CC31, "perfect", 0, WINS).run().verdict == WINS
    assert proof(CC31 + ",max_plies=9", "perfect", 0, WINS).run().plies == 9
    capped = proof(CC31 + ",max_plies=8", "perfect", 0, WINS).run()
    assert (capped.verdict, len(capped.line)) == (DRAWN, 8)
    beaten = proof(CC31, "random", 0).run()
    short = len(beaten.line) - 1
    safe = proof(f"{CC31},max_plies={short}", "random", 0).run()
    assert beaten.verdict == BEATEN
    assert (safe.verdict, safe.complete) == (UNBEATEN, False)


@pytest.mark.parametrize("spelled", [CC31, CC31 + ",max_plies=17", "tictactoe"])
def test_the_ply_cap_is_that_of_the_rules(spelled):
    game = ludus.game(spelled, **({"repetition": 0} if "chinese" in spelled else {}))
    state, plies = game.start(), 0
    if "chinese" not in spelled:
        assert game.max_plies == 1000
        return
    there = {}
    while state.outcome is None:  # a piece goes to and fro as long as nobody wins
        quiet = [a for a in state.legal() if state.play(a).winner is None]
        action = next((a for a in quiet if str(state.play(a)) in there), quiet[0])
        there[str(state)] = plies
        state, plies = state.play(action), plies + 1
    assert plies == game.max_plies


def altered(made, oracle):
    """The first position in which a move gives away what the agent has, and that move."""
    for level in made.walk.levels:
        for at, name in enumerate(level.names):
            if not level.own[at]:
                continue
            state = state_named(made, name)
            worth = oracle.values(state)
            best = max(worth.values())
            bad = [action for action, value in worth.items() if value < 0 <= best]
            if bad:
                return state, bad[0]
    raise AssertionError("no move matters")


def state_named(made, wanted):
    rows = [made.game.start()]
    while rows:
        state = rows.pop()
        if names_array([name_of(state)])[0] == wanted:
            return state
        if state.outcome is None:
            rows += [state.play(a) for a in state.legal()]
    raise AssertionError("no such position")


@pytest.fixture
def won(tmp_path):
    """A proof on a tiny board, and its certificate."""
    made = proof(TINY, "perfect", 0)
    found = made.run()
    file = tmp_path / "a.proof"
    write_certificate(file, certificate(made, found))
    return made, file


def test_a_certificate_shows_what_it_claims(won):
    made, file = won
    said = Checker(read_certificate(file)).check()
    assert said["answers"] == len(made.walk.table()[0])
    assert said["claim"] == made.verdict().verdict


@pytest.mark.parametrize("named", [TTT, CC31, CC33])
@pytest.mark.parametrize("agent", ["perfect", "uct:simulations=200"])
@pytest.mark.parametrize("side", [0, 1])
def test_the_checker_agrees_with_the_proof(tmp_path, named, agent, side):
    made = proof(named, agent, side)
    found = made.run()
    if not found.proven:
        assert found.verdict == BEATEN
        claim = dataclasses.replace(found, verdict=UNBEATEN)
        write_certificate(tmp_path / "a", certificate(made, claim))
        with pytest.raises(Refuted):
            Checker(read_certificate(tmp_path / "a")).check()
        return
    made_of = certificate(made, found)
    write_certificate(tmp_path / "a", made_of)
    said = Checker(read_certificate(tmp_path / "a")).check()
    assert (said["claim"], said["plies"]) == (found.verdict, found.plies)
    if found.verdict == UNBEATEN:  # it does not claim less than it could
        head = dataclasses.replace(made_of.head, claim=WINS, plies=1)
        with pytest.raises(Refuted):
            Checker(dataclasses.replace(made_of, head=head)).check()


def test_one_altered_reply_is_refuted(won):
    made, file = won
    oracle = oracle_for(made.game)
    state, action = altered(made, oracle)
    names, _ = made.walk.table()
    place = int(np.searchsorted(names, names_array([name_of(state)]))[0])
    good = read_certificate(file)
    actions = bytearray(good.actions)
    actions[2 * place : 2 * place + 2] = action.to_bytes(2, "little")
    with pytest.raises(Refuted):
        Checker(dataclasses.replace(good, actions=bytes(actions))).check()
    answers = ReplyStore()
    answers.add(
        names_array([name_of(state)]), np.array([action], np.uint16), np.full(1, 2, np.int8)
    )
    answers.merge()
    other = Proof(made.frozen, 0, UNBEATEN, answers)
    spoiled = other.run()
    before = made.verdict().verdict
    reply = reply_of(made.frozen)
    lied = by_lines(made.game, 0, lambda at: action if str(at) == str(state) else reply(at))
    assert spoiled.verdict == lied[0]
    assert spoiled.verdict != before


def test_an_altered_byte_is_refused_wherever_it_is(won):
    _, file = won
    written = file.read_bytes()
    for at in range(len(written)):
        changed = bytearray(written)
        changed[at] ^= 1 << at % 8
        with pytest.raises(Refuted):
            certificates.parse_certificate("a.proof", bytes(changed))
    for size in (0, 10, 31, 32, 33, len(written) - 1):
        with pytest.raises(Refuted):
            certificates.parse_certificate("a.proof", written[:size])
    assert certificates.parse_certificate("a.proof", written) == read_certificate(file)


def test_a_position_too_many_or_too_few_is_refused(won):
    good = read_certificate(won[1])
    for names, actions, count in (
        (good.names + b"\xff" * 16, good.actions + b"\0\0", good.head.answers + 1),
        (good.names[16:], good.actions[2:], good.head.answers - 1),
    ):
        head = dataclasses.replace(good.head, answers=count)
        with pytest.raises(Refuted):
            Checker(certificates.Certificate(head, names, actions)).check()


def test_a_checker_of_a_cycle_refuses_that_every_line_ends(tmp_path):
    found = (made := proof(CC31, "perfect:fastest=false", 0)).run()
    assert found.verdict == UNBEATEN
    assert found.why == "the game is drawn by repetition"
    claim = certificate(made, found)
    head = dataclasses.replace(claim.head, claim=WINS, plies=9)
    with pytest.raises(Refuted, match="round in a circle"):
        Checker(dataclasses.replace(claim, head=head)).check()


def test_the_checker_knows_games_alone():
    for node in ast.walk(ast.parse(Path(certificates.__file__).read_text())):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("ludus"):
            assert node.module in ("ludus", "ludus.game", "ludus.files")
            assert node.module != "ludus" or [a.name for a in node.names] == ["reading"]


def test_a_proof_begins_again_where_it_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(walk_module, "BATCH", 16)
    frozen = freeze("uct:simulations=30", ludus.game(TTT))
    whole = Proof(frozen, 1)
    expected = certificate(whole, whole.run())

    class Killed(BaseException):
        pass

    calls = 0

    def killed(self, states, real=frozen_module.Frozen.replies):
        nonlocal calls
        calls += 1
        if calls % 5 == 0:
            raise Killed
        return real(self, states)

    monkeypatch.setattr(frozen_module.Frozen, "replies", killed)
    folder, ends = tmp_path / "p", 0
    while True:
        try:
            with proof_folder(folder, frozen) as answers:
                made = Proof(frozen, 1, UNBEATEN, answers)
                assert certificate(made, made.run()) == expected
                break
        except Killed:
            ends += 1
            with (folder / "answers.bin").open("ab") as file:
                file.write(b"half a part"[: ends % 12])
    assert ends > 1
    assert made.walk.asked < whole.walk.asked


def test_a_folder_of_another_agent_is_refused(tmp_path):
    game = ludus.game(TTT)
    with proof_folder(tmp_path / "p", freeze("uct:simulations=30", game)):
        pass
    for other in (freeze("uct:simulations=31", game), freeze("uct:simulations=30", game, seed=1)):
        with pytest.raises(ValueError, match="another agent"), proof_folder(tmp_path / "p", other):
            pass


@pytest.mark.parametrize(
    "agent", ["zoo/tictactoe", "zoo/tictactoe:simulations=8", "uct:simulations=9"]
)
def test_neither_batches_nor_threads_change_a_proof(monkeypatch, agent):
    game = ludus.game(TTT)
    found = []
    for batch, share, threads in ((1024, 8192, 1), (1, 3, 1), (7, 20, 2), (64, 64, 3)):
        monkeypatch.setattr(walk_module, "BATCH", batch)
        monkeypatch.setattr(walk_module, "SHARE", share)
        made = Proof(freeze(agent, game, threads=threads), 1)
        found.append(certificate(made, made.run()))
    assert found[1:] == found[:-1]


@pytest.mark.parametrize("name", ["connect4", "chinesecheckers", "chinesecheckers-forward"])
def test_an_evaluation_is_the_same_in_every_batch_and_thread(name, rng):
    thinker = ludus.agent(f"zoo/{name}")
    game = thinker.game
    states = [s for _ in range(9) for s in playout(game, rng) if s.outcome is None][:70]
    bits = [policy_bits(thinker.think_many([state])[0]) for state in states]
    for size in (2, 3, 5, 16, 31, 64, 70):
        for at in range(0, len(states), size):
            many = thinker.think_many(states[at : at + size])
            assert [policy_bits(one) for one in many] == bits[at : at + size]
    threaded = freeze(thinker, game, threads=3).policies(states)
    assert [policy.tobytes() for policy in threaded] == [bit for bit, _ in bits]


def policy_bits(thought):
    return thought.policy.tobytes(), thought.value


@pytest.mark.parametrize(
    "spelled", ["zoo/tictactoe", "zoo/tictactoe:simulations=12", "zoo/connect4"]
)
def test_a_canonical_agent_replies_to_images_with_images(spelled, rng):
    joiner = "," if ":" in spelled else ":"
    made = ludus.agent(f"{spelled}{joiner}canonical=true")
    frozen = freeze(made, made.game)
    plain = 0
    for state in (s for _ in range(4) for s in playout(made.game, rng) if s.outcome is None):
        symmetry, image = canonical_image(state)
        for other in range(state.num_symmetries):
            turned = state.transformed(other)
            assert str(canonical_image(turned)[1]) == str(image)
            mine, its = frozen.replies([state, turned])
            after = [canonical_image(at.play(a))[1] for at, a in ((state, mine), (turned, its))]
            assert str(after[0]) == str(after[1])
        thought = made.think(state)
        assert thought.policy.sum() == pytest.approx(1)
        assert set(np.flatnonzero(thought.policy)) <= set(state.legal())
        plain += symmetry != 0
    assert plain


@pytest.mark.parametrize("side", [0, 1])
def test_merging_images_changes_no_verdict(side):
    made = ludus.agent("zoo/tictactoe:canonical=true,simulations=2")
    merged = Proof(freeze(made, made.game), side).run()
    apart = by_lines(made.game, side, reply_of(freeze(made, made.game)))
    assert merged.verdict == apart[0]
    if merged.line:
        check_line(Proof(freeze(made, made.game), side), merged, side)


@pytest.mark.parametrize(
    ("named", "agent", "why"),
    [
        ("supertictactoe", "random", "chance"),
        ("tictactoe", "adversary", "draws its moves"),
        ("tictactoe", "random:epsilon=0.1", "draws its moves"),
        ("tictactoe", "uct:seconds=1", "clock"),
        ("tictactoe", "alphabeta", "clock"),
        ("tictactoe", "zoo/tictactoe:simulations=9,reuse=true", "tree"),
        ("tictactoe", "human", "spelling"),
    ],
)
def test_what_cannot_be_frozen_is_refused_in_a_sentence(named, agent, why):
    with pytest.raises(ValueError, match=why):
        freeze(agent, ludus.game(named))


def test_clocks_that_positions_do_not_show_are_refused():
    with pytest.raises(ValueError, match="no_progress=0"):
        proof("checkers", "random", 0)


def test_lines_are_cut_where_the_oracle_sees_a_mistake():
    game = ludus.game(TTT)
    oracle = oracle_for(game)
    made = Proof(freeze("random", game), 0, UNBEATEN, judge=oracle, wanted=0)
    found = made.run()
    assert made.walk.ends[-1] == 0
    for mistake in found.walk.mistakes:
        *line, reply = found.walk.line(mistake)
        state = game.start()
        for action in line:
            assert oracle.value(state) * (1 if state.player == 0 else -1) >= 0
            state = state.play(action)
        assert oracle.value(state.play(reply)) == 1  # for the other
    assert found.walk.mistakes


def test_heights_are_the_longest_lines():
    names = names_array([bytes([65 + i]) * 16 for i in range(5)])
    moves = Moves(names)
    for a, b in ((0, 1), (1, 2), (0, 2), (3, 4), (4, 3), (3, 0)):
        moves.add(names[[a]], names[[b]])
    assert moves.heights().tolist() == [2, 1, 0, -1, -1]


def command(*options):
    """`ludus prove` in a process of its own."""
    return [sys.executable, "-m", "ludus", "prove", "uct:simulations=4000", *options]


@pytest.mark.slow
def test_a_proof_that_is_killed_goes_on_and_ends_with_the_same_certificate(tmp_path):
    asked = ["--game", "connect4:rows=4,columns=4,line=3", "--side", "first", "--threads", "1"]
    whole, folder, again = tmp_path / "whole", tmp_path / "folder", tmp_path / "again"
    subprocess.run(command(*asked, "--certificate", whole), check=True, capture_output=True)
    answers, kills, before = folder / "answers.bin", 0, 0
    while True:
        running = subprocess.Popen(
            command(*asked, "--folder", folder, "--certificate", again),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        while running.poll() is None:
            if kills < 3 and answers.exists() and answers.stat().st_size > before:
                running.kill()  # as soon as it has written a part
                running.wait()
                before, kills = answers.stat().st_size, kills + 1
        errors = running.communicate()[1]
        if running.returncode != -signal.SIGKILL:
            break
    assert running.returncode == 0, errors
    assert kills > 1
    assert again.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    "more",
    [
        ["--side", "third"], ["--side", "first", "--mistakes"],
        ["--side", "first", "--threads", "0"],
        ["--side", "first", "--game", "supertictactoe"], ["--side", "first", "--game", "checkers"],
        ["--side", "first", "--truth", "full", "--mistakes", "--folder", "here"],
    ],
)  # fmt: skip
def test_bad_input_of_the_command_is_a_sentence(capsys, more, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = more if "--game" in more else ["--game", TTT, *more]
    try:
        code = main(["prove", "random", *given])
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert "Traceback" not in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_commands_prove_and_check(capsys, tmp_path):
    file, folder = tmp_path / "a.proof", tmp_path / "folder"
    asked = ["prove", "perfect", "--game", TTT, "--side", "second", "--folder", str(folder)]
    assert main([*asked, "--certificate", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == UNBEATEN
    assert main([*asked, "--aim", "wins"]) == 1
    assert "does not always win" in capsys.readouterr().out
    assert main(["check-proof", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["holds"]
    assert main(["check-proof", str(file)]) == 0
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    capsys.readouterr()
    assert main(["check-proof", str(file)]) == 1
    assert capsys.readouterr().out.startswith("refuted")
    assert main(["check-proof", str(folder)]) == 2
    lost = ["prove", "random", "--game", TTT, "--side", "second", "--folder", str(tmp_path / "r")]
    assert main([*lost, "--mistakes", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert len((tmp_path / "r" / "mistakes.txt").read_text().splitlines()) == told["mistakes"] > 0
