"""What the games of a step came to counts games that ended, from their first ply on."""

import json

import numpy as np
import pytest

import ludus
from ludus.learn import algorithm, alphazero, ppo
from ludus.learn.runs.run import Run
from ludus.report import training
from tests.learn.small import small

CATHEDRAL = "cathedral:size=8,rules=seed"


class Watched:
    """Counts plies and rewards of every row by itself, from what a table's steps return."""

    def __init__(self, table, opponents):
        self.table, self.opponents, self.step = table, opponents, table.step
        self.plies, self.paid = np.zeros(len(table), int), np.zeros((len(table), 2))
        self.ended = []  # plies, what both players were paid, and the learner's side
        table.step = self.stepped

    def stepped(self, *args):
        movers = self.table.players.copy()
        paid, ended = self.step(*args)
        for row, mover in enumerate(movers):
            self.plies[row] += 1
            self.paid[row, mover] += paid[row, 0]
            self.paid[row, 1 - mover] += paid[row, 1]
            if ended[row]:
                side = self.opponents.learner_sides[row]
                self.ended.append((self.plies[row], self.paid[row].copy(), side))
                self.plies[row], self.paid[row] = 0, 0
        return paid, ended

    def taken(self):
        found, self.ended = self.ended, []
        return found


def test_a_step_in_which_no_game_ends_tells_nothing_of_games():
    learner = ppo.Learner(ludus.game("tictactoe"), small("ppo", n_steps=4), seed=1)
    found = learner.step(1)  # nobody has three in a row after four plies
    assert found["games"] == 0
    assert not {"game_length", "game_reward", "illegal_rate"} & found.keys()


@pytest.mark.parametrize("method", ["ppo", "dqn"])
def test_plies_a_game_are_those_of_games_that_ended(method):
    config = small(method, n_envs=5, **{"ppo": {"n_steps": 3}, "dqn": {"train_freq": 3}}[method])
    learner = algorithm(method).Learner(ludus.game("tictactoe"), config, seed=1)
    watched = Watched(learner.collector.games, learner.collector.opponents)
    told = 0
    for number in range(1, 8):
        found, ended = learner.step(number), watched.taken()
        if not ended:
            assert "game_length" not in found
            continue
        told += 1
        assert found["game_length"] == sum(plies for plies, _, _ in ended) / len(ended)
    assert told > 1


@pytest.mark.parametrize("opponent", ["random", "self", "legality"])
def test_the_reward_of_a_game_leaves_out_games_that_go_on(opponent):
    config = small(
        "ppo", opponent=opponent, shaping="dense", n_envs=6, n_steps=9, illegal_reward=-3.0
    )
    learner = ppo.Learner(ludus.game(CATHEDRAL), config, seed=1)
    watched = Watched(learner.collector.games, learner.collector.opponents)
    told = 0
    for number in range(1, 6):
        found, ended = learner.step(number), watched.taken()
        if not ended:
            assert "game_reward" not in found
            continue
        told += 1
        own = [paid.mean() if side < 0 else paid[side] for _, paid, side in ended]
        assert found["game_reward"] == pytest.approx(sum(own) / len(own), abs=1e-4)
    assert told > 1


def test_the_rewards_of_running_games_are_stored_with_them():
    config = small("ppo", opponent="random", shaping="dense", n_envs=4, n_steps=7)
    one = ppo.Learner(ludus.game(CATHEDRAL), config, seed=1)
    one.step(1)
    table = one.collector.games
    assert table.earned.any()
    other = ppo.Learner(ludus.game(CATHEDRAL), config, seed=1).collector.games
    state = table.state()
    other.restore(state)
    assert (other.earned == table.earned).all()
    del state["earned"]  # as it was before they were kept
    other.restore(state)
    assert not other.earned.any()


def test_plies_a_game_of_self_play_are_those_of_games_that_ended():
    config = small("alphazero", n_envs=8, random_opening_plies=0, random_move_prob=0.0)
    learner = alphazero.Learner(ludus.game("connect4"), config, seed=1)
    games = 0
    for number in range(1, 6):
        before = learner.positions
        found = learner.step(number)
        ended, games = found["games"] - games, found["games"]
        # Every ply of a game that ended is a position to learn from, and of no other.
        assert found["game_length"] == (learner.positions - before) / ended
        assert 7 <= found["game_length"] <= 42


RESULTS = {1.0: "first_player_wins", -1.0: "second_player_wins", 0.0: "draws"}


def test_results_of_self_play_are_those_of_the_games_it_learns_from():
    config = small(
        "alphazero", n_envs=8, n_pools=2, random_opening_plies=0, random_move_prob=0.0, cache_size=0
    )
    learner = alphazero.Learner(ludus.game("connect4"), config, seed=1)
    play, played, games = learner.play, [], 0
    learner.play = lambda *asked: played.append(play(*asked)) or played[-1]
    for number in range(1, 6):
        found = learner.step(number)
        ended, games = found["games"] - games, found["games"]
        record = played.pop()
        begins = ~record["features"].any(1)  # nobody has a stone: player 0 opens a game
        results = record["outcomes"][begins].tolist()
        assert len(results) == ended
        assert {name: found[name] for name in RESULTS.values()} == {
            name: results.count(result) / ended for result, name in RESULTS.items()
        }
        assert found["seconds_per_game"] > 0


def test_self_play_in_which_no_game_ended_tells_nothing_of_games():
    learner = alphazero.Learner(ludus.game("connect4"), small("alphazero"), seed=1)
    counts = {
        "games": 0,
        "plies": 900,
        "ended_plies": 0,
        "simulations": 0,
        "hits": 0,
        "checked": 0,
    }
    learner.pools.counts = lambda: counts
    found = learner.play_metrics(1.0)
    assert not {"game_length", "seconds_per_game", *RESULTS.values()} & found.keys()


def test_an_evaluation_tells_rewards_and_wins_by_side(tmp_path):
    game = ludus.game(f"{CATHEDRAL},fair_start=true")
    config = small("ppo", shaping="dense", eval_freq=1, n_eval_games=6, steps=1)
    run = Run(tmp_path / "run", game, "ppo", config, seed=1)
    run.train()
    (line,) = [line for line in run.folder.course() if "strength" in line]
    for name in ("game_reward random", "move_reward random"):
        assert line[f"{name} low"] < line[name] < line[f"{name} high"]
    assert 0 <= line["win_rate_first random"] <= 1
    won = (line["win_rate_first random"] + line["win_rate_second random"]) / 2
    assert won == pytest.approx(line["win_rate random"])
    page = training.page(run)
    assert "Reward a game in measurements" in page
    assert "Reward a move in measurements" in page
    assert "Wins by side" in page
    assert f"{line['move_reward random']:.4g} (" in page
    assert json.dumps(line)
