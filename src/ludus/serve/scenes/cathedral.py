"""Cathedral: the tray of buildings, how each turns, and the ground that is claimed."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import Any

from ludus.draw.cathedral import City, kind_of
from ludus.game import Game, State
from ludus.games.cathedral import BUILDINGS, light_player, move, runs

Cells = list[tuple[int, int]]


def players(state: Any) -> list[str]:
    """The two sides, the one that the first player has first."""
    return ["Dark", "Light"] if light_player(state) else ["Light", "Dark"]


def facts(game: Game, state: State, board: Any) -> dict[str, Any]:
    """What is left to build with, and whose ground is whose."""
    city = City(state)  # type: ignore[arg-type]
    marks = "".join(city.rows)
    ground = [
        {
            "player": player,
            "cells": [board.cells[cell] for cell, mark in enumerate(marks) if mark == sign],
        }
        for sign, player in zip("-=", city.players, strict=True)
    ]
    return {"tray": tray(game, city), "territory": ground}


def tray(game: Game, city: City) -> list[dict[str, Any]]:
    """Each kind of building of each side: how many are left, and the cells of each turn."""
    standing = [(kind_of(mark), city.side(mark)) for mark in city.buildings()]
    begun = bool(standing)
    shelf = []
    for side, player in enumerate(city.players):
        for name, copies, *_ in BUILDINGS:
            neutral = name == "Cathedral"
            if neutral and side:
                continue
            used = int(begun) if neutral else standing.count((name.lower(), side))
            turns = shapes(game.parameters["size"], game.parameters["rules"], side)[name]
            shelf.append(
                {
                    "piece": name.lower(),
                    "name": name,
                    "player": player,
                    "neutral": neutral,
                    "count": copies - used,
                    "size": len(turns[0]),
                    "rotations": [{"turn": turn, "cells": turns[turn]} for turn in sorted(turns)],
                }
            )
    return shelf


@cache
def shapes(size: int, rules: str, side: int) -> dict[str, dict[int, Cells]]:
    """By name and quarter turns: steps right and down from the cell that notation names."""
    from ludus.game import game

    state: Any = game("cathedral", size=size, rules=rules).start()
    if side:
        state = state.play(state.legal()[0])
    ends, buildings = runs(size)
    found: dict[str, dict[int, Cells]] = {}
    for first, end, (name, _, turns) in zip([0, *ends], ends, buildings, strict=False):
        known = found.setdefault(name, {})
        for action in range(first, end):
            if len(known) == turns:
                break
            named, *others = state.footprint(action)
            turn = int(move(state, action).rpartition("+")[2]) // 90
            known[turn] = [
                (cell % size - named % size, cell // size - named // size)
                for cell in (named, *others)
            ]
    return found


def action_facts(game: Game, state: State, board: Any, action: int, move: str) -> dict[str, Any]:
    """Which building, turned by how many quarters; the same move with an equal building."""
    name, _, turn = move.replace("@", "+").split("+")
    found: dict[str, Any] = {"piece": name.removesuffix("2").lower(), "turn": int(turn) // 90}
    if name.endswith("2"):
        ends, _ = runs(game.parameters["size"])
        copy = bisect_right(ends, action)
        found["group"] = action - (ends[copy] - ends[copy - 1])
    return found
