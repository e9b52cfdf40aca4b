"""Where torch learns and ONNX Runtime plays: the processor, or a GPU if it is asked for.

It is of a process, not of a training: how numbers are rounded depends on it, and nothing else. On a
cluster each worker is told what was asked, and looks what it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

CPU, CUDA, AUTO = DEVICES = ("cpu", "cuda", "auto")

ASKED = [CPU]  # of this process


def choose(device: str) -> None:
    """From now on, in this process."""
    ASKED[0] = device


@contextmanager
def on_device(device: str) -> Iterator[None]:
    """For a while."""
    before = ASKED[0]
    choose(device)
    try:
        yield
    finally:
        choose(before)


def asked() -> str:
    """What was asked for."""
    return ASKED[0]


def torch_device() -> str:
    """Torch's name of the device that learns."""
    import torch

    if ASKED[0] not in (AUTO, CUDA):
        return ASKED[0]
    there = torch.cuda.is_available()
    if ASKED[0] == CUDA and not there:
        raise ValueError(
            "--device cuda needs a GPU and a build of torch that knows it, and torch finds none "
            "here; --device cpu learns on the processor"
        )
    return CUDA if there else CPU
