"""Every tensor goes where the setting says; a device that is not there is one sentence."""

import copy
import dataclasses

import numpy as np
import onnxruntime
import pytest
import torch

import ludus
from ludus import device
from ludus.cli import main
from ludus.learn import alphazero
from ludus.learn.collecting.window import Batch
from ludus.learn.networks import network as networks
from ludus.learn.networks import onnx
from ludus.learn.networks.onnx import in_onnx
from ludus.learn.networks.optimise import polyak_update
from ludus.learn.networks.player import in_torch
from ludus.learn.selfplay.export import Export
from ludus.learn.training.student import Student

from .small import small

NO_GPU = pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")


def batch(rows=4):
    rng = np.random.default_rng(1)
    masks = np.ones((rows, 7), np.bool_)
    policies = np.full((rows, 7), 1 / 7, np.float32)
    values = rng.random(rows).astype(np.float32)
    return Batch(rng.random((rows, 2, 6, 7)).astype(np.float32), masks, policies, values)


def student(name="zero", precision="float32"):
    config = small("alphazero", network="zero", precision=precision)
    return Student(networks.network(name, (2, 6, 7), 7, seed=1, width=8, blocks=1), config)


@pytest.mark.parametrize("where", ["cpu", "meta"])
@pytest.mark.parametrize("name", ["zero", "thesis", "residual", "attention", "c4net", "mlp"])
def test_all_tensors_of_a_lesson_are_there(where, name):
    """Torch refuses to mix them: what was made elsewhere would raise."""
    with device.on_device(where):
        made = student(name)
        found = made.losses(batch())
        torch.autograd.backward(found.loss)
        made.optimizer.step() if where == "cpu" else None
    assert all(one.device.type == where for one in found[:-1])
    assert {one.device.type for one in made.network.state_dict().values()} == {where}
    assert {p.grad.device.type for p in made.network.parameters()} == {where}
    average = copy.deepcopy(made.network)
    polyak_update(average, made.network, 0.5)
    assert {one.device.type for one in average.state_dict().values()} == {where}


def test_what_the_processor_learns_is_what_it_learned():
    """On the processor nothing has changed: the same memory, the same numbers."""
    made = student()
    found = made.update(batch())
    assert found["policy_loss"] == pytest.approx(np.log(7), abs=0.5)
    assert np.shares_memory(
        made.network.arrays["trunk.0.weight"], made.network.state_dict()["trunk.0.weight"].numpy()
    )


@NO_GPU
def test_a_gpu_that_is_not_there_is_one_sentence(capsys, tmp_path):
    words = ["train", "alphazero", "tictactoe", "--run", str(tmp_path / "x"), "--device", "cuda"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "--device cuda needs a GPU" in said
    assert said.count("\n") == 1
    assert not (tmp_path / "x").exists()
    words = ["match", "tictactoe", "zoo/tictactoe", "random", "--games", "2", "--device", "cuda"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "--device cuda needs onnxruntime-gpu" in said
    assert said.count("\n") == 1


def test_a_method_that_knows_the_processor_only(capsys):
    assert main(["train", "ppo", "tictactoe", "--device", "auto"]) == 2
    assert "ppo learns on the processor: --device is of alphazero, supervised" in (
        capsys.readouterr().err
    )


@NO_GPU
def test_auto_is_the_processor_where_there_is_no_gpu():
    with device.on_device("auto"):
        assert device.torch_device() == "cpu"
        assert onnx.providers(onnxruntime) == ["CPUExecutionProvider"]
        assert not onnx.plays_on_gpu()
    assert device.asked() == "cpu"


def test_where_there_is_a_gpu_it_is_asked_first(monkeypatch):
    class Runtime:
        @staticmethod
        def get_available_providers():
            return ["CUDAExecutionProvider", "CPUExecutionProvider"]

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    for name in ("auto", "cuda"):
        with device.on_device(name):
            assert device.torch_device() == "cuda"
            assert onnx.providers(Runtime)[0] == "CUDAExecutionProvider"
    assert onnx.providers(Runtime) == ["CPUExecutionProvider"]


@pytest.mark.parametrize("name", ["zero", "residual", "mlp"])
def test_half_floats_are_close(name):
    network = networks.network(name, (2, 6, 7), 7, seed=1, width=8, blocks=1).eval()
    seen = batch(16).features
    logits, values = in_torch(network)(seen)
    half = in_onnx(onnx.graph_of(network, half=True))(seen)
    assert half[0].dtype == np.float32
    assert 0 < np.abs(half[0] - logits).max() < 0.02
    assert np.abs(half[1] - values).max() < 0.01


def test_self_play_on_a_gpu_is_exported_in_half_floats(monkeypatch):
    """Stood in for: the processor computes what a GPU would be given."""
    config = small("alphazero", network="zero", positions_per_step=1200, window=2000, steps=1)
    config = dataclasses.replace(config, simulations=2, n_envs=32)
    *_, step = alphazero.train(ludus.game("connect4"), config, seed=1)
    made, window = Export(step.network, "auto"), step.parts["window"]
    plain, half = (onnx.graph_of(step.network, half=one) for one in (False, True))
    monkeypatch.setattr("ludus.learn.selfplay.export.plays_on_gpu", lambda: True)
    made.prepare(window, (1, 2))
    assert made.take() == half
    monkeypatch.setattr("ludus.learn.selfplay.export.POLICY_ERROR", -1.0)
    made.prepare(window, (1, 2))
    assert made.take() == plain
