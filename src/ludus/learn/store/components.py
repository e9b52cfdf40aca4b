"""All that a training remembers, as arrays and plain values, so that it goes on exactly.

A part is a torch module or optimizer, a numpy generator, or anything with `state()`, `form()` and
`restore(state)`, where a state is nested dicts and lists with arrays and plain values in them, and
its form says what they have to be: a stranger may have written what is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludus.learn.store.forms import Array, check, describe_value
from ludus.learn.store.optimizer_state import load_optimizer, optimizer_form

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


def save_parts(step: int, parts: Mapping[str, Any]) -> Saved:
    """Everything, by name; arrays may share memory with what goes on living."""
    arrays: dict[str, NDArray[Any]] = {}
    plain = {name: flatten_state(state_of(part), name, arrays) for name, part in parts.items()}
    return Saved(step, arrays, plain)


def restore_parts(parts: Mapping[str, Any], from_: Saved) -> None:
    """Give every part its state back, once all of them are found to be what they should."""
    try:
        parts = known_to(parts, from_)
        if parts.keys() != from_.plain.keys():
            raise ValueError(f"it is of {sorted(from_.plain)}, not of {sorted(parts)}")
        unread = set(from_.arrays)
        states = {name: unflatten_state(from_.plain[name], from_.arrays, unread) for name in parts}
        if unread:
            raise ValueError(f"the array {min(unread)} belongs to nothing")
        for name, part in parts.items():
            check_part(part, states[name], name)
        for name, part in parts.items():
            load_part(part, states[name])
    except RecursionError:
        raise ValueError(f"{from_.origin} is damaged: it is nested too deeply") from None
    except ValueError as wrong:
        raise ValueError(f"{from_.origin} is damaged: {wrong}") from None


def known_to(parts: Mapping[str, Any], from_: Saved) -> dict[str, Any]:
    """The parts without those that were not there yet when it was stored: they begin anew."""
    return {
        name: part
        for name, part in parts.items()
        if name in from_.plain or not getattr(part, "younger", False)
    }


def state_of(part: Any) -> Any:
    """The state of a part, whichever kind it is."""
    if hasattr(part, "state_dict"):
        return part.state_dict()
    if hasattr(part, "bit_generator"):
        return part.bit_generator.state
    return part.state()


def check_part(part: Any, state: Any, name: str) -> None:
    """Refuse a state that this part cannot have had."""
    if hasattr(part, "bit_generator"):
        check_generator(part, state, name)
    else:
        check(form_of(part), state, name)


def form_of(part: Any) -> Any:
    """The form of a part's states, whichever kind it is."""
    if hasattr(part, "param_groups"):
        return optimizer_form(part)
    return module_form(part) if hasattr(part, "state_dict") else part.form()


def module_form(module: Any) -> dict[str, Any]:
    """Of a torch module: what it has now, with any weights."""
    tensors = module.state_dict()
    return {
        name: Array(str(one.dtype).removeprefix("torch."), tuple(one.shape))
        for name, one in tensors.items()
    }


def check_generator(part: Any, state: Any, name: str) -> None:
    """Refuse what another generator of this kind cannot be put to."""
    try:
        type(part.bit_generator)().state = state
    except (ValueError, TypeError, KeyError, OverflowError):
        raise ValueError(f"{name} is no state of a generator") from None


def load_part(part: Any, state: Any) -> None:
    """Put a state back."""
    if hasattr(part, "param_groups"):
        load_optimizer(part, tensors(state))
    elif hasattr(part, "load_state_dict"):
        part.load_state_dict(tensors(state))
    elif hasattr(part, "bit_generator"):
        part.bit_generator.state = state
    else:
        part.restore(state)


def flatten_state(state: Any, path: str, arrays: dict[str, NDArray[Any]]) -> Any:
    """Take the arrays out, and leave their names."""
    if isinstance(state, dict):
        return {
            str(key): flatten_state(value, f"{path}/{key}", arrays) for key, value in state.items()
        }
    if isinstance(state, list | tuple):
        return [
            flatten_state(value, f"{path}/{place}", arrays) for place, value in enumerate(state)
        ]
    if hasattr(state, "detach"):
        state = state.detach().cpu().numpy()
    if hasattr(state, "dtype") and hasattr(state, "shape"):
        # In the order of its axes: what is written to a file is memory as it lies.
        arrays[path] = state if state.flags.c_contiguous else state.copy(order="C")
        return ARRAY + path
    return state


def unflatten_state(plain: Any, arrays: Mapping[str, NDArray[Any]], unread: set[str]) -> Any:
    """Put the arrays back in; each is one value's own."""
    if isinstance(plain, dict):
        return {key: unflatten_state(value, arrays, unread) for key, value in plain.items()}
    if isinstance(plain, list):
        return [unflatten_state(value, arrays, unread) for value in plain]
    if isinstance(plain, str) and plain.startswith(ARRAY):
        name = plain.removeprefix(ARRAY)
        if name not in unread:
            raise ValueError(f"there is no array {describe_value(name)}")
        unread.remove(name)
        return arrays[name]
    return plain


def tensors(state: Any) -> Any:
    """The same with torch's tensors for arrays, each with memory of its own."""
    import torch

    if isinstance(state, dict):
        return {key: tensors(value) for key, value in state.items()}
    if isinstance(state, list):
        return [tensors(value) for value in state]
    return torch.tensor(state) if hasattr(state, "dtype") else state
