"""All that a training remembers, as arrays and plain values, so that it goes on exactly.

A part is a torch module or optimizer, a numpy generator, or anything with `state()` and
`restore(state)`, where a state is nested dicts and lists with arrays and plain values in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

ARRAY = "array "  # in the plain part: stands for the array of that name


@dataclass(frozen=True)
class Saved:
    """A training at rest."""

    step: int
    arrays: dict[str, NDArray[Any]]
    plain: Any
    origin: str = "the checkpoint"  # where it was read, to be named if it is damaged


def saved(step: int, parts: Mapping[str, Any]) -> Saved:
    """Everything, by name; arrays may share memory with what goes on living."""
    arrays: dict[str, NDArray[Any]] = {}
    plain = {name: parted(state_of(part), name, arrays) for name, part in parts.items()}
    return Saved(step, arrays, plain)


def restore(parts: Mapping[str, Any], from_: Saved) -> None:
    """Give every part its state back."""
    if parts.keys() != from_.plain.keys():
        raise ValueError(f"the checkpoint is of {sorted(from_.plain)}, not of {sorted(parts)}")
    for name, part in parts.items():
        give(part, joined(from_.plain[name], from_.arrays))


def state_of(part: Any) -> Any:
    """The state of a part, whichever kind it is."""
    if hasattr(part, "state_dict"):
        return part.state_dict()
    if hasattr(part, "bit_generator"):
        return part.bit_generator.state
    return part.state()


def give(part: Any, state: Any) -> None:
    """Put a state back."""
    if hasattr(part, "load_state_dict"):
        state = tensors(state)
        if "param_groups" in state:  # an optimizer counts its parameters
            state["state"] = {int(number): kept for number, kept in state["state"].items()}
        part.load_state_dict(state)
    elif hasattr(part, "bit_generator"):
        part.bit_generator.state = state
    else:
        part.restore(state)


def parted(state: Any, path: str, arrays: dict[str, NDArray[Any]]) -> Any:
    """Take the arrays out, and leave their names."""
    if isinstance(state, dict):
        return {str(key): parted(value, f"{path}/{key}", arrays) for key, value in state.items()}
    if isinstance(state, list | tuple):
        return [parted(value, f"{path}/{place}", arrays) for place, value in enumerate(state)]
    if hasattr(state, "detach"):
        state = state.detach().cpu().numpy()
    if hasattr(state, "dtype") and hasattr(state, "shape"):
        # In the order of its axes: what is written to a file is memory as it lies.
        arrays[path] = state if state.flags.c_contiguous else state.copy(order="C")
        return ARRAY + path
    return state


def joined(plain: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    """Put the arrays back in."""
    if isinstance(plain, dict):
        return {key: joined(value, arrays) for key, value in plain.items()}
    if isinstance(plain, list):
        return [joined(value, arrays) for value in plain]
    if isinstance(plain, str) and plain.startswith(ARRAY):
        return arrays[plain.removeprefix(ARRAY)]
    return plain


def tensors(state: Any) -> Any:
    """The same with torch's tensors for arrays, each with memory of its own."""
    import torch

    if isinstance(state, dict):
        return {key: tensors(value) for key, value in state.items()}
    if isinstance(state, list):
        return [tensors(value) for value in state]
    return torch.tensor(state) if hasattr(state, "dtype") else state
