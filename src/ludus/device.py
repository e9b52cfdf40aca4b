"""Where torch learns and ONNX Runtime plays: the processor, or a GPU if it is asked for.

It is of a process, not of a training: how numbers are rounded depends on it, and nothing else. On a
cluster each worker is told what was asked, and looks what it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CPU, CUDA, AUTO = DEVICES = ("cpu", "cuda", "auto")
PROVIDERS = {CPU: "CPUExecutionProvider", CUDA: "CUDAExecutionProvider"}

_asked = [CPU]


def choose(device: str) -> None:
    """From now on, in this process."""
    _asked[0] = device


@contextmanager
def on_device(device: str) -> Iterator[None]:
    """For a while."""
    before = _asked[0]
    choose(device)
    try:
        yield
    finally:
        choose(before)


def asked() -> str:
    """What was asked for."""
    return _asked[0]


def torch_device() -> str:
    """Torch's name of the device that learns."""
    import torch

    if _asked[0] not in (AUTO, CUDA):
        return _asked[0]
    there = torch.cuda.is_available()
    if _asked[0] == CUDA and not there:
        raise ValueError(
            "--device cuda needs a GPU and a build of torch that knows it, and torch finds none "
            "here; --device cpu learns on the processor"
        )
    return CUDA if there else CPU


def providers(runtime: Any) -> list[str]:
    """Who computes for ONNX Runtime, the first that can."""
    if _asked[0] not in (AUTO, CUDA):
        return [PROVIDERS[CPU]]
    there = PROVIDERS[CUDA] in runtime.get_available_providers()
    if _asked[0] == CUDA and not there:
        raise ValueError(
            "--device cuda needs onnxruntime-gpu for networks that play, and this build of ONNX "
            "Runtime has no CUDA provider; --device cpu plays on the processor"
        )
    return [PROVIDERS[CUDA], PROVIDERS[CPU]] if there else [PROVIDERS[CPU]]


def plays_on_gpu() -> bool:
    """Whether networks play on a GPU here."""
    if _asked[0] not in (AUTO, CUDA):
        return False
    import onnxruntime

    return PROVIDERS[CUDA] in providers(onnxruntime)
