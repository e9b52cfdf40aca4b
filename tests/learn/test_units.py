"""Trainings count as papers do: they end after so many games, and are measured by games."""

import pytest

import ludus
from ludus.cli import main
from ludus.cli._training import TrainingProgress
from ludus.learn import algorithm
from ludus.learn.runs.run import Run
from ludus.learn.settings.playing import read_curriculum
from ludus.learn.store import checkpoint, selection
from tests.learn.small import everything, same, small

# One game at a time, or whole games a step: then a training ends with exactly the last of them.
ONE = {"n_envs": 1, "steps": 0}
EXACT = {
    "dqn": {**ONE, "train_freq": 1, "learning_starts": 4, "total_games": 7},
    "ppo": {**ONE, "n_episodes": 2, "max_rollout_plies": 500, "total_games": 6},
    "reinforce": {**ONE, "max_rollout_plies": 500, "total_games": 5},
    "cem": {"steps": 0, "total_games": 24},  # 4 networks of 2 games a step
    "saes": {"steps": 0, "total_games": 12},
    "alphazero": {"steps": 0, "games_per_step": 5, "n_pools": 2, "total_games": 15},
}


def trained(name, config, upto=None, saved=None):
    last = None
    for step in algorithm(name).train(ludus.game("tictactoe"), config, seed=3, saved=saved):
        last = step
        if step.number == upto:
            break
    return last


@pytest.mark.parametrize("name", EXACT)
def test_a_training_ends_with_its_last_game(name):
    config = small(name, **EXACT[name])
    last = trained(name, config)
    assert last.games == config.total_games
    again = trained(name, config, saved=last.snapshot())
    assert again is None  # nothing is left


@pytest.mark.parametrize("name", EXACT)
def test_it_goes_on_to_its_last_game_exactly(name, tmp_path):
    config = small(name, **EXACT[name])
    unbroken = trained(name, config)
    checkpoint.write(tmp_path, trained(name, config, upto=2).snapshot(), strength=None)
    stored = selection.newest(tmp_path)[0].load()
    same(
        everything(unbroken.snapshot()), everything(trained(name, config, saved=stored).snapshot())
    )


def test_steps_and_games_end_it_whichever_comes_first():
    config = small("dqn", **{**EXACT["dqn"], "steps": 3})
    assert trained("dqn", config).number == 3


def measured(run):
    return [line["step"] for line in run.folder.course() if "score random" in line]


def test_strength_is_measured_after_so_many_games(tmp_path):
    how = {**EXACT["dqn"], "eval_freq_games": 3, "checkpoint_seconds": 1e6}
    config = small("dqn", **how, eval_freq=1)
    run = Run(tmp_path / "x", "tictactoe", "dqn", config, seed=3).train()
    games = {line["step"]: line["games"] for line in run.folder.course()}
    assert [games[step] for step in measured(run)] == [3, 6, 7]
    assert len(list(run.folder.checkpoints.iterdir())) <= 3
    other = Run(tmp_path / "y", "tictactoe", "dqn", config, seed=3)
    for step in other.steps():
        if step.games == 4:
            break
    assert measured(Run(tmp_path / "y").train()) == measured(run)


def test_strength_is_never_measured_if_that_is_asked(tmp_path):
    config = small("dqn", **EXACT["dqn"], eval_freq=0, eval_freq_games=3)
    run = Run(tmp_path / "x", "tictactoe", "dqn", config, seed=3, command="over a preset")
    assert not measured(run.train())


def test_a_run_that_ended_by_games_goes_on_by_games(tmp_path, capsys):
    path = str(tmp_path / "x")
    words = [
        "--n-envs",
        "1",
        "--train-freq",
        "1",
        "--steps",
        "0",
        "--total-games",
        "3",
        "--learning-starts",
        "4",
    ]
    words += ["--width", "8", "--buffer-size", "600", "--eval-freq", "0", "--run", path]
    assert main(["train", "dqn", "tictactoe", *words]) == 0
    assert main(["resume", path, "--total-games", "5"]) == 0
    assert Run(path).folder.course()[-1]["games"] == 5
    capsys.readouterr()
    assert main(["runs", str(tmp_path)]) == 0
    assert "game 5 of 5" in capsys.readouterr().out
    assert main(["resume", path]) == 0  # nothing is left, and nothing is lost
    assert Run(path).folder.course()[-1]["games"] == 5


def test_the_line_counts_games(tmp_path):
    config = small("dqn", **{**EXACT["dqn"], "total_games": 4_000})
    run = Run(tmp_path / "x", "tictactoe", "dqn", config, seed=3)
    line = TrainingProgress(run, None, quiet=True)
    for step in run.steps():
        line(step)
        if step.games == 2:
            break
    assert line.progress_text(step) == "game 2 of 4,000"
    assert line.share(step, 1.0) == 2 / 4_000
    assert line.seconds_left(step, 1.0) > 1_000


def test_opponents_take_turns_by_games():
    config = small("dqn", **{**EXACT["dqn"], "opponent": "2 games*random;3 games*greedy;self"})
    met = {}
    for step in algorithm("dqn").train(ludus.game("tictactoe"), config, seed=3):
        met[step.games] = step.parts["opponents"].current
    assert [met[games] for games in range(8)] == 2 * ["random"] + 3 * ["greedy"] + 3 * ["self"]


def test_steps_and_games_are_not_mixed_in_a_curriculum():
    assert [one.until for one in read_curriculum("2 games*random;3 games*greedy;self")] == [
        2,
        5,
        None,
    ]
    with pytest.raises(ValueError, match="by steps or by games, not by both"):
        read_curriculum("2 games*random;3*greedy;self")
    with pytest.raises(ValueError, match="a stage lasts a step or a game at least"):
        read_curriculum("0*random;self")


def test_whole_games_are_learned_from_by_whom_they_were_played():
    """Every ply of every game that ended in a step, and of no other."""
    config = small("ppo", **EXACT["ppo"])
    learner = algorithm("ppo").Learner(ludus.game("tictactoe"), config, seed=1)
    played = learner.collect()
    assert played.dones.sum() == 2
    assert played.dones[-1].all()
    assert played.useful.all()
