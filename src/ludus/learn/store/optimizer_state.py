"""What an optimizer remembers: the form that it has to have, and how it is put back.

How a step is computed (`fused`, `foreach`) is no part of it: what was stored by another way of
computing goes on in today's.
"""

from __future__ import annotations

from typing import Any

from ludus.learn.settings.config import GREATEST
from ludus.learn.store.forms import Array, Flag, Number, Perhaps

COMPUTING = ("fused", "foreach")


def optimizer_form(optimizer: Any) -> dict[str, Any]:
    """Its settings as they are, but for rate and computing, and what it keeps of each weight."""
    groups = optimizer.state_dict()["param_groups"]
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    adam = "betas" in groups[0]
    moments = {
        str(number): Perhaps((adam_form if adam else momentum_form)(tuple(weight.shape)))
        for number, weight in enumerate(weights)
    }
    free = {"lr": Number(0, GREATEST), **dict.fromkeys(COMPUTING, Flag())}
    return {"state": moments, "param_groups": [as_lists({**group, **free}) for group in groups]}


def adam_form(shape: tuple[int, ...]) -> dict[str, Any]:
    """Of Adam: two moments."""
    return {
        "step": Array("float32", (), least=0),
        "exp_avg": Array("float32", shape),
        "exp_avg_sq": Array("float32", shape, least=0),
    }


def momentum_form(shape: tuple[int, ...]) -> dict[str, Any]:
    """Of gradient descent with momentum: where it was going."""
    return {"momentum_buffer": Array("float32", shape)}


def as_lists(form: Any) -> Any:
    """The same with lists for tuples, as JSON has them."""
    if isinstance(form, dict):
        return {key: as_lists(value) for key, value in form.items()}
    return [as_lists(value) for value in form] if isinstance(form, tuple | list) else form


def load_optimizer(optimizer: Any, state: dict[str, Any]) -> None:
    """Put it back as it was stored, and let it compute as it does now."""
    groups = [
        {**stored, **{name: own[name] for name in COMPUTING}}
        for stored, own in zip(state["param_groups"], optimizer.param_groups, strict=True)
    ]
    numbered = {int(number): kept for number, kept in state["state"].items()}
    optimizer.load_state_dict({"state": numbered, "param_groups": groups})
    for weight, kept in optimizer.state.items():
        for name, moment in kept.items():
            if moment.shape == weight.shape:
                kept[name] = lay_out_as(moment, weight)


def lay_out_as(moment: Any, weight: Any) -> Any:
    """The same numbers in the order in which the weight's lie in memory.

    Fused kernels walk through memory side by side and look at no axes: where weights have their
    planes last and moments, as they are stored, first, each weight would meet another's moment.
    """
    import torch

    return torch.empty_like(weight, requires_grad=False).copy_(moment)
