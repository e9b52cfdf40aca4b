"""What has been learned plays: as a spelling, everywhere an agent is spelled."""

import io
import sys

import numpy as np
import pytest

import ludus
from ludus.agent import is_batched, spelling_of, think_many
from ludus.cli import main
from ludus.learn.runs.run import Run
from tests.learn.small import small

GAME = "connect4:rows=4,columns=5"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run of each kind."""
    home = tmp_path_factory.mktemp("runs")
    for name in ("dqn", "ppo"):
        config = small(name, steps=6, eval_freq=2, keep_every=2)
        Run(home / name, GAME, name, config, seed=1).train()
    Run(home / "vae", GAME, "vae", small("vae", steps=1), seed=1).train()
    return home


@pytest.mark.parametrize("which", ["", "@best", "@last", "@step=2", "@step=4:temperature=1"])
@pytest.mark.parametrize("name", ["dqn", "ppo"])
def test_spellings(folder, name, which):
    spelling = f"{folder}/{name}{which}"
    one = ludus.agent(spelling, seed=3)
    assert spelling_of(one) == spelling
    state = ludus.game(GAME).replay("1234")
    thought = one.think(state)
    assert thought.policy.sum() == pytest.approx(1)
    assert set(np.flatnonzero(thought.policy)) <= set(state.legal())
    assert -1 <= thought.value <= 1


def test_the_stored_agent_is_the_trained_one(folder, tmp_path):
    run = Run(tmp_path / "run", GAME, "ppo", small("ppo", steps=3, checkpoint_seconds=0.0), seed=7)
    *_, step = run.steps()
    game = ludus.game(GAME)
    states = [game.replay(line) for line in ("", "1", "12", "4423")]
    for one, other in zip(
        think_many(step.agent, states), think_many(run.last(), states), strict=True
    ):
        assert one.policy == pytest.approx(other.policy, abs=1e-5)
        assert one.value == pytest.approx(other.value, abs=1e-5)


def test_many_states_at_once_are_thought_of_alike(folder):
    one = ludus.agent(f"{folder}/ppo")
    game = ludus.game(GAME)
    states = [game.replay(line) for line in ("", "11", "1122", "35")]
    assert is_batched(one)
    for thought, state in zip(think_many(one, states), states, strict=True):
        assert thought.policy == pytest.approx(one.think(state).policy, abs=1e-6)


@pytest.mark.parametrize("name", ["dqn", "ppo"])
def test_inside_a_tree_search(folder, name):
    """The search sees a win in one, whatever the network thinks."""
    one = ludus.agent(f"{folder}/{name}:simulations=60", seed=1)
    game = ludus.game(GAME)
    state = game.replay("112233")
    assert game.move(state, int(one.think(state).policy.argmax())) == "4"
    assert spelling_of(one).endswith(":simulations=60")


@pytest.mark.parametrize("simulations", [0, 40])
def test_symmetric_positions_are_thought_of_alike_if_asked_for(folder, simulations):
    """The mean of a position's and its image's opinions, turned back, is the image's too."""
    game = ludus.game(GAME)
    state = game.replay("1124")
    image = state.transformed(1)
    bare, asked = (
        ludus.agent(f"{folder}/ppo:simulations={simulations}{more}", seed=1)
        for more in ("", ",symmetric=true")
    )
    here, there = asked.think(state), asked.think(image)
    assert here.policy == pytest.approx(there.policy[::-1], abs=1e-5)
    assert here.value == pytest.approx(there.value, abs=1e-5)
    apart = [bare.think(one) for one in (state, image)]
    assert apart[0].value != pytest.approx(apart[1].value, abs=1e-5)
    if not simulations:
        logs = (np.log(apart[0].policy) + np.log(apart[1].policy[::-1])) / 2
        expected = np.exp(logs) / np.exp(logs).sum()
        assert here.policy == pytest.approx(expected, abs=1e-5)
        assert here.value == pytest.approx((apart[0].value + apart[1].value) / 2, abs=1e-5)


def test_frames_of_turned_games_are_turned_back(tmp_path):
    """In draughts the second player sees the board turned; its policy names absolute actions."""
    game = ludus.game("checkers")
    run = Run(tmp_path / "run", game, "ppo", small("ppo", steps=1), seed=1).train()
    state = game.start().play(game.start().legal()[0])
    thought = run.last().think(state)
    assert state.player == 1
    assert set(np.flatnonzero(thought.policy)) == set(state.legal())


def test_stochastic_mode_draws_its_moves_and_competitive_mode_does_not(folder):
    """The papers' two modes: `:temperature=1` draws from the policy."""
    from ludus.learn.collecting.batched_opponents import choose_actions
    from ludus.learn.collecting.vector_games import VectorGames

    table, rows = VectorGames(ludus.game(GAME), 64, seed=1), np.arange(64)
    seeds, draws = np.arange(64), np.random.default_rng(1).random(64)
    steady, drawing = (ludus.agent(f"{folder}/ppo{mode}") for mode in ("", ":temperature=1"))
    assert len(set(choose_actions(steady, table, rows, seeds, draws))) == 1
    assert len(set(choose_actions(drawing, table, rows, seeds, draws))) > 1
    start = ludus.game(GAME).start()
    assert drawing.think(start).policy == pytest.approx(steady.think(start).policy, abs=1e-6)


def test_against_a_person(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{n % 5 + 1}\n" for n in range(40))))
    assert main(["play", GAME, "--vs", f"{folder}/ppo@best:simulations=4", "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "you play 1" in said
    assert "ppo@best:simulations=4 plays" in said


@pytest.mark.parametrize("mode", ["", "@best:temperature=1", ":simulations=5"])
def test_as_an_opponent_in_an_environment(folder, mode):
    gymnasium = pytest.importorskip("ludus.envs.gymnasium", reason="the adapter needs Gymnasium")
    spelling = f"{folder}/ppo{mode}"
    env = gymnasium.LudusEnv(GAME, opponent=spelling)
    _, info = env.reset(seed=1)
    for _ in range(20):
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, reward, over, cut, info = env.step(action)
        if over or cut:
            break
    assert over
    assert reward in (-1, 0, 1)
    envs = gymnasium.LudusVectorEnv(GAME, 3, opponent=spelling)
    _, info = envs.reset(seed=1)
    ends = 0
    for _ in range(12):
        _, _, over, _, info = envs.step(info["action_mask"].argmax(1).astype(np.int32))
        ends += over.sum()
    assert ends


def test_in_matches_and_tournaments(folder):
    score = ludus.match(GAME, f"{folder}/dqn@best", f"{folder}/ppo:temperature=1", games=6, seed=1)
    assert score.games == 6
    agents = [f"{folder}/dqn@step=2", f"{folder}/dqn@last", "random"]
    assert len(ludus.tournament(GAME, agents, games=2, seed=1).ratings.ratings) == 3


@pytest.mark.parametrize(
    ("spelling", "sentence"),
    [
        ("{}/nothing", "there is no run in"),
        ("{}/dqn@step=999", "no checkpoint of step 999 is kept; there are 2, 4"),
        ("{}/dqn@worst", "a checkpoint is best, last or step=N, not 'worst'"),
        ("{}/dqn:simulation=3", "did you mean simulations"),
        ("{}/dqn:simulations=-1", "simulations is a whole number"),
        ("{}/dqn:symmetric=2", "symmetric is true or false, not 2"),
        ("{}/vae", "makes no agent"),
    ],
)
def test_wrong_spellings_are_told(folder, spelling, sentence):
    with pytest.raises(ValueError, match=sentence):
        ludus.agent(spelling.format(folder))


def test_a_search_option_without_a_search_is_refused(folder):
    with pytest.raises(ValueError, match="c_puct has no effect without a search"):
        ludus.agent(f"{folder}/ppo:c_puct=2")
    assert ludus.agent(f"{folder}/ppo:c_puct=2,simulations=4").c_puct == 2


def test_another_game_is_refused(folder):
    with pytest.raises(ValueError, match="has learned connect4:rows=4,columns=5, not connect4"):
        ludus.agent(f"{folder}/dqn").think(ludus.game("connect4").start())


def test_a_finished_game_is_refused(folder):
    over = ludus.game(GAME).replay("1122334")
    for options in ("", ":simulations=5", ":simulations=5,reuse=true", ":seconds=0.01"):
        with pytest.raises(ValueError, match="the game is over"):
            ludus.agent(f"{folder}/dqn{options}").think(over)


def test_warm_starts_and_encoders(folder):
    from ludus.learn import ppo

    game = ludus.game(GAME)
    step = next(ppo.train(game, small("ppo", init=f"{folder}/ppo@last", learning_rate=1e-12)))
    stored = ludus.agent(f"{folder}/ppo@last").think(game.start()).policy
    assert step.agent.think(game.start()).policy == pytest.approx(stored, abs=1e-4)
    step = next(ppo.train(game, small("ppo", encoder=f"{folder}/vae")))
    assert not any(p.requires_grad for p in step.network.trunk.parameters())
    with pytest.raises(ValueError, match="is a run of dqn, not of vae"):
        next(ppo.train(game, small("ppo", encoder=f"{folder}/dqn")))
    with pytest.raises(ValueError, match="has seen connect4:rows=4,columns=5, not connect4"):
        next(ppo.train(ludus.game("connect4"), small("ppo", encoder=f"{folder}/vae")))
    with pytest.raises(ValueError, match=r"the trunk of .* is another"):
        next(ppo.train(game, small("ppo", network="conv", init=f"{folder}/dqn", width=4)))
