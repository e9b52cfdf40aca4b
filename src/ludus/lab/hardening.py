"""Whom `ludus harden` begins with, and the folder that its rounds are kept in."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ludus import reading
from ludus.files import write
from ludus.folders import lock_folder
from ludus.game import Game, game, read_parameters
from ludus.lab.harden import ENDLESS, Harden
from ludus.learn import algorithm
from ludus.learn.runs.run import Run
from ludus.learn.settings.config import make_config
from ludus.learn.store import zoo
from ludus.learn.store.zoo import in_zoo

# What a card of the zoo tells of its training that a network needs to begin with its weights.
CARD = ("network", "width", "blocks", "planes")


def settings_of(name: str, given: str) -> tuple[str, Game, str, Any]:
    """The weights to begin with, their game, and the method and settings they learn on by."""
    if in_zoo(name):
        card = zoo.card(name.removeprefix(zoo.HEAD))
        known = {key: card[key] for key in CARD if key in card}
        method, on = str(card["algorithm"]), game(str(card["game"]))
        config = make_config(algorithm(method).Config, known)
        weights = name
    else:
        run = Run(name.partition("@")[0])
        method, on, config = run.asked.algorithm, run.asked.game, run.asked.config
        weights = name if "@" in name else f"{run.spelled}@last"
    fields = {one.name for one in dataclasses.fields(config)}
    if not fields & {"start_positions", "opponent"}:
        raise ValueError(
            f"{method} has neither games that begin from given positions nor opponents to choose: "
            "nothing that was found could enter its training"
        )
    own = {**dataclasses.asdict(config), "steps": ENDLESS, "total_games": 0, "eval_freq": 0}
    chosen = make_config(type(config), {**own, **read_parameters(given)})
    return weights, on, method, chosen


@contextmanager
def harden_folder(folder: Path, sign: str, asked: Harden) -> Iterator[None]:
    """A folder of its own, which goes on only with what it was begun with."""
    said = {
        "game": asked.game.spelling,
        "agent": asked.agent,
        "options": asked.options,
        "method": asked.method,
        "config": dataclasses.asdict(asked.config),
        "sides": list(asked.sides),
        "aim": asked.aim,
        "games": asked.games,
        "positions": asked.positions,
        "truth": asked.truth,
        "oracle_start": asked.oracle_start,
        "seen": asked.seen,
        "seed": asked.seed,
        "anew": asked.anew,
    }
    with lock_folder(folder, sign, f"{folder} is at work: another process has it"):
        file = folder / sign
        if file.exists():
            found = reading.load(file)
            for name, value in said.items():
                if not isinstance(found, dict) or {"anew": False, **found}.get(name) != value:
                    raise ValueError(
                        f"{folder} was begun with another {name}; give another folder with --into"
                    )
        else:
            write(file, (json.dumps(said, indent=1) + "\n").encode())
        yield
