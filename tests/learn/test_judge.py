"""A learned network evaluates positions for alpha-beta, by its spelling."""

import pytest

import ludus
from ludus import _core
from ludus.agent import spelling_of

pytest.importorskip("onnxruntime")
JUDGE = "zoo/connect4"


def test_a_network_is_the_evaluation_at_the_horizon():
    game, judge = ludus.game("connect4"), ludus.agent(JUDGE)
    state = game.replay("4414")
    thought = ludus.agent(f"alphabeta:depth=3,judge={JUDGE}").think(state)
    search = _core.alphabeta(state, evaluate=lambda at: judge.evaluate([at])[0])
    search.run(3)
    assert thought.value == pytest.approx(search.value, abs=1e-5)
    assert thought.value != ludus.agent("alphabeta:depth=3").think(state).value


def test_it_says_what_the_raw_policy_thinks_of_a_state():
    game, judge = ludus.game("connect4"), ludus.agent(JUDGE)
    states = [game.replay(line) for line in ("", "1", "4433")]
    for value, state in zip(judge.evaluate(states), states, strict=True):
        assert value == pytest.approx(judge.think(state).value, abs=1e-5)


def test_where_there_is_chance_too():
    state = ludus.game("supertictactoe").start()
    judge = ludus.agent("zoo/supertictactoe")
    thought = ludus.agent("alphabeta:depth=1,judge=zoo/supertictactoe").think(state)
    action = thought.line[0]
    mean = sum(
        probability * -judge.evaluate([state.play(action, chance=result)])[0]
        for result, probability in state.chances(action)
    )
    assert thought.value == pytest.approx(mean, abs=1e-5)


def test_it_is_spelled_and_plays():
    spelling = f"alphabeta:nodes=60,judge={JUDGE}"
    assert spelling_of(ludus.agent(spelling)) == spelling
    games = [ludus.match("connect4", spelling, "random", games=4, seed=1).played for _ in range(2)]
    assert [one.moves for one in games[0]] == [one.moves for one in games[1]]


def test_it_opposes_a_learner_and_forgets():
    import numpy as np

    from ludus.learn.collecting.batched_opponents import choose_actions
    from ludus.learn.collecting.vector_games import VectorGames

    one = ludus.agent(f"alphabeta:depth=1,judge={JUDGE}")
    table, rows = VectorGames(ludus.game("connect4"), 3, seed=1), np.arange(3)
    chosen = choose_actions(one, table, rows, np.arange(3), np.full(3, 0.5))
    assert len(set(chosen)) == 1
    assert chosen[0] == one.think(ludus.game("connect4").start()).line[0]


@pytest.mark.parametrize(
    ("spelling", "sentence"),
    [
        ("alphabeta:judge=uct", "'uct' evaluates no positions; a judge is a learned network"),
        ("alphabeta:judge=examples/agent.py", "evaluates no positions"),
        ("alphabeta:judge=zoo/nobody", "zoo"),
        ("alphabeta:judge=runs/nowhere", "there is no run in"),
        (f"alphabeta:judge={JUDGE},weights=material:2", "weights are those of the game's own"),
    ],
)
def test_who_cannot_judge_is_refused(spelling, sentence):
    with pytest.raises(ValueError, match=sentence):
        ludus.agent(spelling)


def test_no_python_file_runs_to_be_a_judge(tmp_path):
    file, ran = tmp_path / "judge.py", tmp_path / "ran"
    file.write_text(f"open({str(ran)!r}, 'w')\n")
    with pytest.raises(ValueError, match="evaluates no positions"):
        ludus.agent(f"alphabeta:judge={file}")
    assert not ran.exists()


def test_a_network_of_another_game_is_refused():
    with pytest.raises(ValueError, match="has learned connect4"):
        ludus.agent(f"alphabeta:judge={JUDGE},depth=1").think(ludus.game("tictactoe").start())
