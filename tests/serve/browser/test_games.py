"""A full game of each game by mouse, one by keyboard alone, one by touch."""

from __future__ import annotations

import random

import pytest

from tests.serve.browser.conftest import PHONE
from tests.serve.browser.table import Json, Table

GAMES = {
    "tictactoe": "tictactoe",
    "supertictactoe": "supertictactoe",
    "connect4": "connect4",
    "checkers": "checkers",
    "chinesecheckers": "chinesecheckers:max_plies=40",
    "kingcourtesan": "kingcourtesan",
    "cathedral": "cathedral",
}
SEATS = "?first=you&second=random"


def move_by_mouse(table: Table, scene: Json, legal: Json) -> None:
    """What a hand does with this action."""
    if "piece" in legal:
        build_by_mouse(table, scene, legal)
    elif len(legal["points"]) == 1:
        table.click(legal["points"][0])
    else:
        only = len({tuple(one["points"][0]) for one in scene["legal"]}) == 1
        for point in legal["points"][only:]:
            table.click(point)


def build_by_mouse(table: Table, scene: Json, legal: Json) -> None:
    """Take the building, turn it until its shadow is right, put it down."""
    name = next(one["name"] for one in scene["tray"] if one["piece"] == legal["piece"])
    button = table.page.locator(f'.tray button:enabled[title="{name}"]')
    if button.get_attribute("aria-pressed") != "true":
        button.click()
    wanted = sorted(map(tuple, legal["points"]))
    for turn in range(4):
        for point in legal["points"]:
            table.page.mouse.move(*table.on_screen(point))
            if table.shadow() == wanted:
                table.page.mouse.click(*table.on_screen(point))
                return
        before = table.page.inner_html(".hand")
        if turn % 2:
            table.page.mouse.wheel(0, 1)
        else:
            table.page.keyboard.press("r")
        table.until("document.querySelector('.hand').innerHTML !== arg", before)
    raise AssertionError(f"no turn of {name} covers {wanted}")


@pytest.mark.parametrize("spelling", GAMES.values(), ids=GAMES)
def test_a_full_game_by_mouse(visit, spelling):
    table = visit(f"#/play/{spelling}{SEATS}")
    rng = random.Random(7)
    table.settle(0)
    for _ in range(300):
        scene = table.scene
        if scene["over"]:
            break
        before = len(table.line["tokens"])
        move_by_mouse(table, scene, rng.choice(scene["legal"]))
        table.settle(before + 1)
    assert scene["over"]
    assert scene["result"].lower() in table.status().lower()
    assert table.page.locator(".moves .move").count() == scene["plies"]


def test_a_full_game_by_keyboard(visit):
    table = visit(f"#/play/connect4{SEATS}")
    table.page.focus(".board")
    table.settle(0)
    for _ in range(30):
        scene = table.scene
        if scene["over"]:
            break
        before = len(table.line["tokens"])
        table.page.keyboard.press("ArrowRight")
        table.page.keyboard.press("Enter")
        table.settle(before + 1)
    assert scene["over"]
    assert "4" in [move["move"] for move in scene["moves"]]


def test_a_full_game_by_touch(visit):
    table = visit(f"#/play/kingcourtesan:size=4{SEATS}", **PHONE)
    rng = random.Random(3)
    table.settle(0)
    for _ in range(100):
        scene = table.scene
        if scene["over"]:
            break
        before = len(table.line["tokens"])
        for point in rng.choice(scene["legal"])["points"]:
            table.tap(point)
        table.settle(before + 1)
    assert scene["over"]
    width = table.page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "nothing is wider than a phone"
