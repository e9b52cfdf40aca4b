"""What has been learned: agents in run folders, found by their path."""

from __future__ import annotations

from typing import Any


def find_agent(name: str) -> Any:
    """The class of agents whose name is a path, such as `runs/x@best`; None for other names."""
    if "/" not in name and "@" not in name:
        return None
    from ludus.learn.agents._trained import Trained

    return Trained
