import json

import pytest

import ludus
from ludus.cli import main
from ludus.lab.harden import replay, start_lines
from ludus.learn import algorithm
from ludus.learn.runs.run import Run
from ludus.learn.selfplay.starts import StartPositions

TTT = "tictactoe"
SMALL = {"network": "mlp", "width": 8, "blocks": 1, "simulations": 4, "n_envs": 4, "n_pools": 1}
SMALL |= {"positions_per_step": 32, "batch_size": 16, "eval_freq": 0, "window": 512, "int8": "off"}
SMALL |= {"overlap": False, "threads": 1}


def config(**more):
    return algorithm("alphazero").Config(**{**SMALL, "steps": 3, **more})


def test_starts_are_mistakes_what_led_there_and_what_lies_beside():
    game = ludus.game(TTT)
    line = tuple(
        game.action(game.replay(before), move)
        for before, move in (("", "b2"), ("b2", "a1"), ("b2 a1", "a2"))
    )
    found = start_lines(game, [line])
    states = {str(game.replay(one)) if "." not in one else one for one in found}
    wanted = {str(replay(game, line[:n])) for n in range(4)}
    wanted |= {str(replay(game, line).play(a)) for a in replay(game, line).legal()}
    assert states == wanted


def played_from(path, file, **more):
    run = Run(path, TTT, "alphazero", config(start_positions=str(file), record_states=5000, **more))
    run.train()
    return run


@pytest.fixture
def lines(tmp_path):
    file = tmp_path / "lines.txt"
    file.write_text("b2 a1 c3\n\nx.o/.x./... o\n")
    return file


def test_games_begin_where_the_file_says(tmp_path, lines):
    game = ludus.game(TTT)
    run = played_from(tmp_path / "run", lines, start_positions_prob=1.0)
    from ludus.lab.seen import SeenStates

    seen = {str(state) for state in SeenStates.load(run.path).states()}
    after = set()
    rows = StartPositions(game, str(lines)).states
    while rows:
        state = rows.pop()
        after.add(str(state))
        rows += [state.play(action) for action in state.legal()]
    assert seen
    assert seen <= after
    half = played_from(tmp_path / "half", lines, random_opening_plies=0)
    seen = {str(state) for state in SeenStates.load(half.path).states()}
    assert str(game.start()) in seen
    assert seen & after


def test_such_a_training_resumes_exactly_and_only_with_its_lines(tmp_path, lines):
    whole = played_from(tmp_path / "whole", lines, steps=4)
    played_from(tmp_path / "part", lines, steps=2)
    part = Run(tmp_path / "part").with_config(steps=4)
    part.train()
    weights = [(one.path / "checkpoints").rglob("*.safetensors") for one in (whole, part)]
    first, second = (
        {str(p.relative_to(one.path)): p.read_bytes() for p in found if "step" in str(p)}
        for one, found in zip((whole, part), weights, strict=True)
    )
    last = max(first)
    assert first[last] == second[last]
    lines.write_text("b2 a1 c2\n")
    with pytest.raises(ValueError, match="other lines"):
        Run(tmp_path / "part").with_config(steps=5).train()


@pytest.mark.parametrize(
    ("text", "why"),
    [("b2 b2\n", "line 1"), ("\n\n", "no openings"), ("a1 a2 b1 b2 c1\n", "over")],
)
def test_wrong_lines_are_refused_in_a_sentence(tmp_path, text, why):
    file = tmp_path / "a.txt"
    file.write_text(text)
    with pytest.raises(ValueError, match=why):
        StartPositions(ludus.game(TTT), str(file))
    with pytest.raises(ValueError, match="there is no"):
        StartPositions(ludus.game(TTT), str(tmp_path / "none.txt"))


def test_hardening_keeps_its_rounds_and_goes_on(tmp_path, capsys):
    Run(tmp_path / "run", TTT, "alphazero", config(steps=1)).train()
    into = tmp_path / "into"
    asked = ["harden", str(tmp_path / "run"), "--minutes", "0.02", "--rounds", "1", "--games", "4"]
    asked += ["--into", str(into), "--positions", "300", "--side", "both", "--json"]
    code = main(asked)
    told = json.loads(capsys.readouterr().out)
    assert code == (0 if all(one["proven"] for one in told["rounds"][-1]["sides"]) else 1)
    assert not told["exact_values_in_training"]
    assert len(told["rounds"]) == 2
    game = ludus.game(TTT)
    starts = (into / "round-0" / "starts.txt").read_text().splitlines()
    assert len(starts) == told["rounds"][0]["starts"] > 0
    for line in starts:
        assert (game.state(line) if "/" in line else game.replay(line)).outcome is None
    trained = Run(into / "round-1" / "run")
    assert trained.asked.config.start_positions == str(into / "round-0" / "starts.txt")
    assert trained.asked.config.init.startswith(str(tmp_path / "run"))
    main(asked)
    assert json.loads(capsys.readouterr().out) == told
    assert main([*asked, "--games", "5"]) == 2
    assert "another games" in capsys.readouterr().err


def test_an_oracle_teaches_only_where_it_is_asked_to_and_that_is_told(tmp_path, capsys):
    Run(tmp_path / "run", TTT, "alphazero", config(steps=1)).train()
    asked = ["harden", str(tmp_path / "run"), "--minutes", "0.02", "--rounds", "1", "--games", "4"]
    into = tmp_path / "into"
    main([*asked, "--into", str(into), "--positions", "100", "--oracle-start", "--json"])
    assert json.loads(capsys.readouterr().out)["exact_values_in_training"]
    first = Run(into / "round-1" / "oracle-start")
    assert first.asked.algorithm == "supervised"
    assert first.asked.config.teacher == "perfect"
    assert Run(into / "round-1" / "run").asked.config.init.startswith(str(first.path))


def test_a_cure_may_begin_anew_as_the_thesis_does(tmp_path, capsys):
    game = ludus.game("chinesecheckers:size=4,pieces=3,forward_only=true,max_plies=30")
    Run(tmp_path / "run", game, "alphazero", config(steps=1)).train()
    (tmp_path / "seen.txt").write_text(f"{game.start()}\n")
    into = tmp_path / "into"
    asked = ["harden", str(tmp_path / "run"), "--minutes", "0.02", "--rounds", "1", "--games", "2"]
    asked += ["--into", str(into), "--positions", "100", "--truth", "full"]
    asked += ["--oracle-start", "--seen", str(tmp_path / "seen.txt"), "--json"]
    main([*asked, "--anew"])
    taught, trained = (
        Run(into / "round-1" / name).asked.config for name in ("oracle-start", "run")
    )
    assert taught.init == ""
    assert taught.teacher == "perfect:truth=full"
    assert trained.init == f"{into}/round-1/oracle-start@last"
    assert trained.start_positions == ""
    capsys.readouterr()
    assert main(asked) == 2
    assert "another anew" in capsys.readouterr().err
    plan = json.loads((into / "harden.json").read_text())
    assert plan.pop("anew")
    (into / "harden.json").write_text(json.dumps(plan))  # as before there was this option
    assert main(asked) != 2


@pytest.mark.parametrize(
    "more",
    [
        ["--minutes", "0"],
        ["--rounds", "0"],
        ["--settings", "nothing=1"],
        ["--seen", "x"],
        ["--anew"],
    ],
)
def test_bad_input_is_a_sentence(tmp_path, capsys, more):
    Run(tmp_path / "run", TTT, "alphazero", config(steps=1)).train()
    given = ["harden", str(tmp_path / "run"), "--minutes", "1", *more]
    assert main(given) == 2
    assert "Traceback" not in capsys.readouterr().err
