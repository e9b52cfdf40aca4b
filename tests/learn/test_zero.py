"""AlphaZero: what it exports is what it learned, settings fit the machine, the zoo is true."""

import copy
import dataclasses
import json

import numpy as np
import pytest
import torch

import ludus
from ludus.agent import think_many
from ludus.arena.match import match
from ludus.cli import main
from ludus.learn import alphazero
from ludus.learn.agents._trained import zoo_evaluator
from ludus.learn.collecting.window import Window
from ludus.learn.networks import int8, onnx, precision
from ludus.learn.networks import network as networks
from ludus.learn.networks.effects import check_effects
from ludus.learn.networks.onnx import in_onnx
from ludus.learn.networks.player import in_torch
from ludus.learn.networks.symmetries import Symmetries
from ludus.learn.runs.run import Run
from ludus.learn.selfplay import export
from ludus.learn.selfplay import probe as fit
from ludus.learn.selfplay.autotune import choose_network, choose_simulations
from ludus.learn.selfplay.probe import Rates
from ludus.learn.settings.config import restore_config
from ludus.learn.store import zoo
from ludus.learn.store.forms import check
from ludus.learn.store.selection import checkpoint_of
from ludus.truth.oracle import oracle

from ..test_selfplay import played, pool_of
from .small import everything, same, small


@pytest.fixture(scope="module")
def window():
    """Positions of Connect Four, thought over by a network that knows nothing."""
    made = Window(Symmetries(ludus.game("connect4"), "full"), 7, 2000)
    made.add(played(pool_of("connect4", games=16), 1500), np.random.default_rng(1), 1.0)
    return made


def settled(window, **sizes):
    """A network whose normalisation has seen positions."""
    made = networks.network("zero", (2, 6, 7), 7, seed=3, **sizes)
    made.train()
    for _ in range(20):
        made(torch.from_numpy(window.draw(128, np.random.default_rng(2), 0.0).features))
    return made.eval()


@pytest.mark.parametrize("sizes", [{"width": 16, "blocks": 1}, {"width": 32, "blocks": 3}])
def test_int8_is_close_to_floats(window, sizes):
    network = settled(window, **sizes)
    assert int8.can_quantise(network)
    lesson = window.draw(400, np.random.default_rng(5), 0.0)
    logits, values = in_torch(network)(lesson.features)
    exact = in_onnx(onnx.graph_of(network))(lesson.features)
    np.testing.assert_allclose(exact[0], logits, atol=1e-4)
    np.testing.assert_allclose(exact[1], values, atol=1e-4)
    sample = torch.from_numpy(window.draw(200, np.random.default_rng(6), 0.0).features)
    rough = in_onnx(int8.graph_of(network, sample))(lesson.features)
    assert 0 < np.abs(rough[0] - logits).mean() < 0.05 * np.abs(logits).max()
    assert np.abs(rough[1] - values).mean() < 0.02


def test_folding_changes_nothing(window):
    network = settled(window, width=8, blocks=1)
    conv, norm = network.trunk[0], network.trunk[1]
    x = torch.from_numpy(window.draw(8, np.random.default_rng(1), 0.0).features)
    weight, bias = int8.fold(network.arrays, network.plan.trunk.layers[0], "trunk.0", "trunk.1")
    both = torch.nn.functional.conv2d(x, weight, bias, padding=1)
    torch.testing.assert_close(both, norm(conv(x)), atol=1e-5, rtol=1e-4)


def test_networks_that_cannot_be_quantised_play_in_floats(window):
    network = networks.network("residual", (2, 6, 7), 7, seed=1)
    assert not int8.can_quantise(network)
    made = export.Export(network, "on")
    made.prepare(window, (1, 2))
    assert "int8" not in made.errors


def test_what_is_too_rough_is_not_used(window, monkeypatch):
    network = settled(window, width=16, blocks=1)
    made = export.Export(network, "auto")
    made.prepare(window, (1, 2))
    assert made.errors["int8"] == 1
    assert made.take() != onnx.graph_of(network)
    monkeypatch.setattr(export, "VALUE_ERROR", 0.0)
    made.prepare(window, (1, 2))
    assert made.errors["int8"] == 0
    assert made.take() == onnx.graph_of(network)
    monkeypatch.setattr(export, "FLOAT_ERROR", -1.0)
    with pytest.raises(ValueError, match="differs from torch's"):
        made.prepare(window, (1, 2))


@pytest.mark.parametrize("setting", ["on", "off"])
def test_a_stored_export_makes_the_same_graph(window, setting):
    """Byte by byte, though the window has other positions by then."""
    network = settled(window, width=16, blocks=2)
    one, other = (export.Export(network, setting) for _ in range(2))
    one.prepare(window, (1, 2))
    state = one.state()
    check(other.form(), state, "export")
    other.restore(state)
    assert other.ready
    assert other.errors == one.errors
    assert len(state["ranges"]) == (int8.count_ranges(network) if setting == "on" else 0)
    assert other.take() == one.take()
    assert [one.ready, other.ready] == [False, False]


RANGES = int8.count_ranges(networks.network("zero", (2, 6, 7), 7, seed=1, width=16, blocks=2))


@pytest.mark.parametrize(
    ("ranges", "wrong"),
    [
        ([[-1.0, 1.0]], "are 1, which are not the network's"),
        ([[0.5, 1.0]] * RANGES, "from below 0 to above"),
        ([[-1.0, 0.0]] * RANGES, "from below 0 to above"),
    ],
)
def test_ranges_of_another_network_are_refused(window, ranges, wrong):
    made = export.Export(settled(window, width=16, blocks=2), "on")
    state = {"ready": True, "ranges": np.array(ranges), "errors": {}}
    with pytest.raises(ValueError, match=wrong):
        made.restore(state)
    assert not made.ready


def test_the_next_graph_is_made_before_the_games_of_a_step_are_kept():
    """So it is there when the next step begins, and a resumed step plays with the same."""
    config = small("alphazero", network="zero", positions_per_step=600, n_envs=16, window=4000)
    steps = alphazero.train(ludus.game("connect4"), config, seed=1)
    kept = [copy.deepcopy(next(steps).snapshot()) for _ in range(3)]
    assert [one.plain["export"]["ready"] for one in kept] == [True] * 3
    assert [len(one.arrays["export/ranges"]) > 0 for one in kept] == [False, False, True]
    whole = next(steps)
    again = next(alphazero.train(ludus.game("connect4"), config, seed=1, saved=kept[-1]))
    assert whole.metrics["int8"] == again.metrics["int8"] == 1
    same(everything(whole.snapshot()), everything(again.snapshot()))


def test_a_gate_sees_a_network_before_it_is_exported():
    config = small("alphazero", network="zero", gate="0.55", gate_games=4, steps=1)
    (step,) = alphazero.train(ludus.game("tictactoe"), config, seed=1)
    assert not step.snapshot().plain["export"]["ready"]


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_change_nothing(threads):
    """The same as with one thread, which is what the first call leaves behind."""
    config = small("alphazero", network="zero", threads=threads, positions_per_step=80, n_envs=4)
    last = None
    for step in alphazero.train(ludus.game("connect4"), config, seed=5):
        last = step
    found = everything(last.snapshot())
    if threads == 1:
        test_threads_change_nothing.found = found
    else:
        same(test_threads_change_nothing.found, found)


def test_weights_are_stored_whatever_their_order_in_memory(tmp_path, monkeypatch):
    """Convolutions keep their planes last; a file must not notice."""
    monkeypatch.chdir(tmp_path)
    config = small("alphazero", network="zero", steps=2)
    run = Run("runs/x", ludus.game("tictactoe"), alphazero, config)
    *_, last = run.steps()
    kept = checkpoint_of("runs/x@last").arrays("network")
    for name, tensor in last.parts["network"].state_dict().items():
        np.testing.assert_array_equal(kept[name], tensor.numpy(), err_msg=name)


@pytest.mark.parametrize("gate", ["0.55", "sprt", "1.0"])
def test_a_gate_decides_who_plays(gate):
    config = small("alphazero", network="zero", gate=gate, gate_games=8, steps=3)
    steps = list(alphazero.train(ludus.game("tictactoe"), config, seed=1))
    assert all(0 <= step.metrics["gate"] <= 1 for step in steps)
    player = steps[-1].parts["gate"].player.state_dict()
    newest = steps[-1].parts["averaged"].state_dict()
    alike = all(torch.equal(player[name], newest[name]) for name in newest)
    assert alike or not steps[-1].metrics["passed"]
    assert steps[-1].network is steps[-1].parts["gate"].player


def test_a_gate_is_a_share():
    with pytest.raises(ValueError, match="a gate is none, sprt, or a share"):
        list(alphazero.train(ludus.game("tictactoe"), small("alphazero", gate="two"), seed=1))


@pytest.mark.parametrize("preset", alphazero.PRESETS)
def test_presets_train(preset):
    own = alphazero.PRESETS[preset]
    sizes = {
        "width": 8,
        "blocks": 1,
        "positions_per_step": 24,
        "batch_size": 16,
        "steps": 2,
        "gate_games": 2,
    }
    chosen = {**own.settings, **sizes, "simulations": 4, "window": 200, "samples_per_step": 32}
    for name in ("n_envs", "games_per_step"):
        chosen[name] = min(4, chosen.get(name, 0))
    *_, last = alphazero.train(ludus.game(own.game), alphazero.Config(**chosen), seed=2)
    assert np.isfinite(last.metrics["policy_loss"])
    assert last.metrics["games"] > 0


def test_a_run_that_had_no_deblunder_goes_on_without_it():
    """Neither its settings nor its running games name what is younger than they."""
    game, config = ludus.game("connect4"), small("alphazero", deblunder=False)
    words = {k: v for k, v in dataclasses.asdict(config).items() if k != "deblunder"}
    assert restore_config(alphazero.Config, words) == config
    pools = alphazero.Learner(game, config, seed=1).pools
    pools.play(onnx.graph_of(networks.network("mlp", (2, 6, 7), 7, seed=1).eval()), 32, 1)
    kept = pools.state()
    assert sum(len(part["chosen"]) for part in kept) > 0
    old = [{k: v for k, v in part.items() if k != "chosen"} for part in kept]
    again = alphazero.Learner(game, config, seed=2).pools
    again.restore(old)
    for one, other in zip(kept, again.state(), strict=True):
        for name in one:
            np.testing.assert_array_equal(one[name], other[name], err_msg=name)


def test_papers_trust_the_network_as_it_is():
    """Presets are what the papers did, whatever our own defaults become."""
    for preset in alphazero.PRESETS.values():
        config = alphazero.Config(**preset.settings)
        assert (config.prior_temperature, config.q_ratio) == (1.0, 0.0)


def test_settings_fit_the_time():
    game, config = ludus.game("connect4"), alphazero.Config()
    assert alphazero.autotune(game, config, None, ()) == config
    short = alphazero.autotune(game, config, 0.05, ())
    long = alphazero.autotune(game, config, 600.0, ())
    assert short.width <= long.width
    assert short.window < long.window
    asked = alphazero.autotune(game, dataclasses.replace(config, width=24), 600.0, {"width"})
    assert asked.width == 24


OVER_BOARD = ["checkers", "kingcourtesan", "cathedral", "chinesecheckers:size=5,pieces=6"]


@pytest.mark.parametrize(
    ("spelling", "network"),
    [("connect4", "zero"), ("tictactoe", "zero"), *((one, "zero-conv") for one in OVER_BOARD)],
)
def test_a_policy_that_would_be_most_of_the_network_lies_over_the_board(spelling, network):
    game, config = ludus.game(spelling), alphazero.Config()
    assert choose_network(game, config) == network
    assert choose_network(game, dataclasses.replace(config, network="mlp")) == "mlp"


def test_games_name_settings_that_there_are(game):
    """Each in its range, and with an effect; what was asked for comes before them."""
    own = game.kind.selfplay
    config = alphazero.Config(**own)
    check_effects(game, config, own)
    assert not set(own) & set(alphazero.FITTED)


def test_what_a_game_needs_is_followed_unless_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(fit, "per_second", lambda work: 1000.0)
    game, config = ludus.game("connect4"), alphazero.Config(gumbel_noise_plies=7)
    found = alphazero.autotune(game, config, 0.1, ("gumbel_noise_plies",))
    assert (found.random_move_prob, found.gumbel_noise_plies) == (0.5, 7)
    assert alphazero.autotune(game, config, None, ()) == config


def test_games_keep_all_threads_busy_while_one_learns():
    """By hand: with 2 samples a position that are learned at 100 a second, a position has 20 ms;
    with 600 evaluations a second, of which the cache answers 40 %, so have 20 simulations."""
    config = alphazero.Config(samples_per_position=2.0, threads=2)
    assert choose_simulations(Rates(600.0, 100.0), config) == 20
    assert choose_simulations(Rates(601.0, 100.0), config) == 24
    assert choose_simulations(Rates(1e9, 100.0), config) == 96
    assert choose_simulations(Rates(600.0, 100.0), dataclasses.replace(config, threads=1)) == 20
    for simulations in (20, 24):
        busy = 0.6 * simulations / 600 + 2 / 100
        found = Rates(600.0, 100.0).positions(config, simulations)
        assert found == pytest.approx(0.7 / (busy / 2))


def test_a_cache_helps_less_where_chance_decides_what_comes_up():
    """Measured: it answers some 40 % of the questions, and 8 % in super tic-tac-toe."""
    config = small("alphazero", n_envs=4, simulations=4)
    for spelling, asked in (("tictactoe", 60), ("tictactoe:success=0.5", 90)):
        rates = fit.probe(ludus.game(spelling), config, 8, 1)
        assert rates.playing(100) == pytest.approx(asked / rates.looked)


def test_the_probe_counts_its_own_time_only(monkeypatch):
    """What a thread that waits would have done counts for nothing, and the best of three counts."""
    moment = iter([0.0, 0.0, 0.06, 0.12, 1.0, 1.0, 1.04, 1.08, 1.12, 2.0, 2.0, 2.2])
    monkeypatch.setattr(fit.time, "thread_time", lambda: next(moment))
    assert fit.per_second(lambda: 8) == pytest.approx(3 * 8 / 0.12)


def test_what_was_fitted_is_told_as_options(tmp_path, monkeypatch, capsys):
    """Those that chose it again; what was asked for is not among them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(fit, "per_second", lambda work: 1000.0)
    words = ["train", "alphazero", "tictactoe", "--minutes", "0.01", "--eval-freq", "0"]
    assert main([*words, "--width", "8", "--run", "x"]) == 0
    told = capsys.readouterr().out.partition("x: alphazero")[0].split()
    assert told[:5] == ["fitted", "to", "0.01", "minutes", "here:"]
    chosen = dict(zip(told[5::2], told[6::2], strict=True))
    known = dataclasses.asdict(Run("x").asked.config)
    assert set(chosen) == {f"--{n.replace('_', '-')}" for n in alphazero.FITTED if n != "width"}
    for option, value in chosen.items():
        assert str(known[option[2:].replace("-", "_")]) == value


@pytest.mark.parametrize("name", ["connect4", "checkers", "cathedral"])
def test_what_is_probed_are_batches(name):
    """Games that all went the same way would ask one question, and a batch would be a row."""
    pool = fit.distinct_games(ludus.game(name), alphazero.Config(n_envs=32))
    features = np.zeros((32, *pool.shape), np.float32)
    rows = [pool.gather(features)]
    for _ in range(8):
        answers = np.zeros((rows[-1], ludus.game(name).num_actions), np.float32)
        pool.scatter(answers, np.zeros(rows[-1], np.float32))
        rows.append(pool.gather(features))
    assert np.mean(rows[1:]) > 16


def test_bfloat16_is_taken_where_it_is_clearly_faster(monkeypatch):
    rates = {"float32": 100.0, "bfloat16": 130.0}
    monkeypatch.setattr(fit, "trainer", lambda game, config, made: config.precision)
    monkeypatch.setattr(fit, "per_second", lambda work: rates[work])
    monkeypatch.setattr(fit, "has_bfloat16", lambda: True)
    game, config = ludus.game("tictactoe"), alphazero.Config()
    assert fit.precision(game, config, 8, 1) == "bfloat16"
    rates["bfloat16"] = 110.0
    assert fit.precision(game, config, 8, 1) == "float32"


@pytest.mark.parametrize("has", ["avx512_bf16", "amx_bf16", "avx2"])
def test_a_processor_that_only_imitates_bfloat16_is_told_of(has, monkeypatch):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {has: True})
    assert not precision.slow_precision("float32")
    assert bool(precision.slow_precision("bfloat16")) == (has == "avx2")


def test_bfloat16_that_would_end_the_process_is_not_tried(monkeypatch):
    """A machine may promise what it does not have."""
    dying = "import os, signal; os.kill(os.getpid(), signal.SIGILL)"
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"amx_tile": True})
    monkeypatch.setattr(precision, "ROUGHLY", dying)
    monkeypatch.setattr(fit, "per_second", lambda work: 1.0)
    precision.has_bfloat16.cache_clear()
    try:
        assert fit.precision(ludus.game("tictactoe"), alphazero.Config(), 8, 1) == "float32"
        with pytest.raises(ValueError, match="bfloat16 on this machine; use float32"):
            next(alphazero.train(ludus.game("tictactoe"), alphazero.Config(precision="bfloat16")))
    finally:
        precision.has_bfloat16.cache_clear()


def test_the_zoo_keeps_what_a_run_plays_with(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(zoo, "FOLDER", tmp_path / "zoo")
    monkeypatch.chdir(tmp_path)
    config = small("alphazero", network="zero", steps=2)
    Run("runs/x", ludus.game("tictactoe"), alphazero, config, seed=1, command="as it was").train()
    words = ["zoo", "small", "--add", "runs/x@last", "--minutes", "0.1", "--measured", "weak"]
    assert main(words) == 0
    card = zoo.card("small")
    assert (card["command"], card["seed"], card["measured"]) == ("as it was", 1, ["weak"])
    state = ludus.game("tictactoe").start()
    kept = ludus.agent("zoo/small").think(state)
    run = ludus.agent("runs/x@last").think(state)
    np.testing.assert_allclose(kept.policy, run.policy, atol=5e-3)
    searched = ludus.agent("zoo/small:simulations=20").think(state)
    assert searched.nodes == 20
    capsys.readouterr()
    assert main(["zoo", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["small"]["game"] == "tictactoe"
    weights = tmp_path / "zoo" / "small.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"?")
    zoo_evaluator.cache_clear()
    with pytest.raises(ValueError, match="damaged"):
        ludus.agent("zoo/small")
    with pytest.raises(ValueError, match="no 'large' in the zoo; there are small"):
        ludus.agent("zoo/large")
    assert checkpoint_of("runs/x@last").record["algorithm"] == "alphazero"


def test_weights_pass_between_methods(tmp_path, monkeypatch):
    """From a teacher to AlphaZero, from there to PPO, and back."""
    monkeypatch.chdir(tmp_path)
    game, sizes = ludus.game("tictactoe"), {"network": "zero", "width": 8, "blocks": 1, "steps": 2}
    Run("runs/taught", game, "supervised", small("supervised", **sizes)).train()
    for before, after in (("taught", "alphazero"), ("alphazero", "ppo"), ("ppo", "alphazero")):
        path = f"runs/{after}" if before != "ppo" else "runs/again"
        config = small(after, **sizes, init=f"runs/{before}@last")
        begun = next(iter(type_of(after).train(game, config, seed=4)))
        assert begun.number == 1
        Run(path, game, after, config).train()
        assert checkpoint_of(f"{path}@last").step == 2


def type_of(name):
    from ludus.learn import algorithm

    return algorithm(name)


@pytest.mark.parametrize("name", zoo.names())
def test_who_lives_in_the_zoo_can_play(name):
    card = zoo.card(name)
    assert card["measured"]
    assert (zoo.FOLDER / f"{name}.safetensors").stat().st_size < 1_000_000
    score = match(card["game"], f"zoo/{name}", "random", games=20, seed=1, openings="none")
    assert score.points > 0.8


def test_tic_tac_toe_is_played_perfectly():
    """One look of zoo/tictactoe, in every state that goes on, held against the truth."""
    game = ludus.game("tictactoe")
    truth, seen, waiting = oracle(game), {}, [game.start()]
    while waiting:
        state = waiting.pop()
        if state.outcome is None and str(state) not in seen:
            seen[str(state)] = state
            waiting += [state.play(action) for action in state.legal()]
    assert len(seen) == 4520
    states = list(seen.values())
    thoughts = think_many(ludus.agent("zoo/tictactoe"), states)
    wrong = [
        str(state)
        for state, thought in zip(states, thoughts, strict=True)
        if int(thought.policy.argmax()) not in truth.best(state)
    ]
    assert wrong == []


@pytest.mark.parametrize("replace", [0.0, 0.5])
def test_an_empty_place_is_always_taken(window, replace):
    """A batch that fills the window and goes beyond leaves no hole behind."""
    lessons = played(pool_of("connect4", games=16), 1200)
    count = int(np.count_nonzero(lessons["full"]))
    small = Window(window.symmetries, 7, count * 3 // 2)
    rng = np.random.default_rng(1)
    assert small.add(lessons, rng, replace) == count
    first = small.features.copy()
    small.add(lessons, rng, replace)
    assert len(small) == small.capacity
    assert (small.counts > 0).all()
    kept = (small.features[: count // 2] == first[: count // 2]).all((1, 2, 3)).mean()
    assert kept == 1 if replace == 0 else 0.3 < kept < 1
