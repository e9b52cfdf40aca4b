"""What a network can play is decided by board, planes and actions: clocks do not matter to it."""

import warnings

import pytest

import ludus
from ludus.files import Notice
from ludus.game import game_of
from ludus.learn import ppo
from ludus.learn.runs.run import Run
from ludus.learn.store import zoo
from ludus.learn.store.learned import same_board
from tests.learn.small import small

CLOCKS = {
    "repetition": (0, 2, 8),
    "max_plies": (30, 100),
    "no_progress": (0, 50),
    "fair_start": (False, True),
}
RULES = {
    "checkers": {},  # clocks, and nothing else to choose
    "chinesecheckers": {"forward_only": (True, False)},
    "connect4": {"line": (3, 5)},
    "supertictactoe": {"success": (1.0, 0.25)},
    "tictactoe": {"success": (0.5,)},
    "kingcourtesan": {},  # a board, and nothing else to choose
}
BOARDS = {
    "checkers": None,
    "chinesecheckers": {"size": 5, "pieces": 3},
    "connect4": {"rows": 5},
    "kingcourtesan": {"size": 5},
    "supertictactoe": None,  # has one board
    "tictactoe": None,
}


def variant(on, **changes):
    """The same game with other parameters."""
    return ludus.game(on.name, **{**on.parameters, **changes})


def middle(on):
    """A position that any variant of a game can have."""
    state = on.start()
    for _ in range(2):
        state = state.play(state.legal()[0], chance=state.legal()[0] if state.chancy else None)
    return str(state)


@pytest.mark.parametrize("name", zoo.names())
def test_a_network_of_the_zoo_plays_its_board_under_every_clock(name):
    own = ludus.game(zoo.card(name)["game"])
    one, text = ludus.agent(f"zoo/{name}"), middle(own)
    thought = one.think(own.state(text))
    for clock in own.kind.clocks:
        for value in CLOCKS[clock]:
            other = variant(own, **{clock: value})
            theirs = one.think(other.state(text))  # a warning would be an error here
            assert (theirs.policy == thought.policy).all()
            assert theirs.value == thought.value
    assert one.think(own.state(text)).value == thought.value


@pytest.mark.parametrize("name", zoo.names())
def test_a_network_of_the_zoo_plays_other_rules_on_its_board_and_says_so(name):
    own = ludus.game(zoo.card(name)["game"])
    for rule, values in RULES[own.name].items():
        for value in values:
            other = variant(own, **{rule: value})
            one = ludus.agent(f"zoo/{name}:simulations=4,symmetric=false")
            if other.spelling == own.spelling:
                continue
            with pytest.warns(Notice, match=f"zoo/{name} has learned .*, not the rules of"):
                thought = one.think(other.start())
            assert thought.policy.sum() == pytest.approx(1)
            one.think(other.start())  # said once


@pytest.mark.parametrize("name", zoo.names())
def test_a_network_of_the_zoo_refuses_other_boards_and_other_games(name):
    own = ludus.game(zoo.card(name)["game"])
    one = ludus.agent(f"zoo/{name}")
    another = "checkers" if own.name != "checkers" else "connect4"
    with pytest.raises(ValueError, match=f"zoo/{name} has learned {own.name}.*, not {another}"):
        one.think(ludus.game(another).start())
    if BOARDS[own.name]:
        other = ludus.game(own.name, **BOARDS[own.name])
        with pytest.raises(ValueError, match=f"zoo/{name} has learned"):
            one.think(other.start())
    assert one.think(own.start()).policy.sum() == pytest.approx(1)  # as if nothing had happened


def test_a_refused_state_is_refused_again():
    one = ludus.agent("zoo/connect4")
    for _ in range(2):
        with pytest.raises(ValueError, match="has learned connect4, not connect4:rows=5"):
            one.think(ludus.game("connect4:rows=5").start())


def test_every_clock_of_every_game_leaves_planes_and_actions_as_they_are():
    for name in ludus.game_names():
        own = ludus.game(name)
        assert set(own.kind.clocks) <= set(own.parameters)
        for clock in own.kind.clocks:
            other = variant(own, **{clock: CLOCKS[clock][-1]})
            assert all(same_board(own, other, planes) for planes in own.kind.planes)


def test_variants_meet_in_a_match_through_the_command_line(capsys):
    from ludus.cli import main

    clocks = "chinesecheckers:size=4,pieces=3,forward_only=true,repetition=8,max_plies=100"
    assert main(["match", clocks, "zoo/chinesecheckers-forward", "random", "--games", "4"]) == 0
    assert "ludus:" not in capsys.readouterr().err
    full = "chinesecheckers:size=4,pieces=3"
    assert main(["match", full, "zoo/chinesecheckers-forward", "random", "--games", "4"]) == 0
    assert capsys.readouterr().err.count("not the rules of") == 1


CLOCKED = "tictactoe:max_plies=7"


def test_a_run_goes_on_with_its_own_clocks_only(tmp_path):
    Run(tmp_path / "r", "tictactoe", "ppo", small("ppo", steps=1), seed=1).train()
    other = ludus.game(CLOCKED)
    with pytest.raises(ValueError, match="has learned tictactoe, not tictactoe:max_plies=7"):
        Run(tmp_path / "r", other)
    Run(tmp_path / "r", ludus.game("tictactoe")).with_config(steps=2).train()


def test_a_training_begins_with_weights_that_were_learned_under_other_clocks(tmp_path):
    Run(tmp_path / "r", "tictactoe", "ppo", small("ppo", steps=1), seed=1).train()
    config = small("ppo", init=f"{tmp_path}/r@last", learning_rate=1e-12, ema_decay=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        step = next(ppo.train(ludus.game(CLOCKED), config))
    start = ludus.game("tictactoe").start()
    stored = ludus.agent(f"{tmp_path}/r@last").think(start)
    assert step.agent.think(start).policy == pytest.approx(stored.policy, abs=1e-4)


def test_an_encoder_sees_the_same_board_under_other_clocks(tmp_path):
    Run(tmp_path / "v", "tictactoe", "vae", small("vae", steps=1), seed=1).train()
    config = small("ppo", encoder=f"{tmp_path}/v", network="", width=0, blocks=0)
    assert next(ppo.train(ludus.game(CLOCKED), config)).number == 1
    with pytest.raises(ValueError, match="has seen tictactoe, not connect4"):
        next(ppo.train(ludus.game("connect4"), config))


def test_a_state_tells_its_game_with_its_clocks():
    assert game_of(ludus.game(CLOCKED).start()).spelling == CLOCKED
