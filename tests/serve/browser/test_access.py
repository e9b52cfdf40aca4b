"""The page is for everybody: faults that axe-core finds, keyboard, themes, little to load."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.serve.browser.conftest import PHONE

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
PLACES = {
    "first page": "",
    "table": "#/play/connect4/3.3.4?first=you&second=you",
    "buildings": "#/play/cathedral?first=you&second=you",
    "rules": "#/learn/checkers",
    "trainer": "#/puzzle/tictactoe",
    "runs": "#/runs",
}
RUN = """async () => {
  const found = await axe.run(document, { resultTypes: ['violations'] });
  return found.violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_no_serious_fault(visit, place, theme):
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci")
    table = visit(place, color_scheme=theme)
    table.page.wait_for_timeout(300)
    table.page.evaluate(AXE.read_text())
    assert table.page.evaluate(RUN) == []


def test_all_of_the_table_is_reached_by_the_tab_key(visit):
    table = visit("#/play/connect4/3.3?first=you&second=you")
    seen = set()
    for _ in range(40):
        table.page.keyboard.press("Tab")
        seen.add(
            table.page.evaluate(
                "() => { const on = document.activeElement;"
                " return on.getAttribute('aria-label') || on.textContent || on.id || '' }"
            )
        )
    assert {"Back", "Take back", "Hint", "Resign", "New game", "Sound"} <= seen
    assert any(name.startswith("The board") for name in seen)


def test_moves_are_said_aloud(visit):
    table = visit("#/play/connect4?first=you&second=you")
    table.settle(0)
    table.click(table.scene["legal"][3]["points"][0])
    table.settle(1)
    assert table.page.inner_text("#said") == "4. Blue to move."
    assert table.page.get_attribute("#said", "aria-live") == "polite"


def test_the_theme_follows_the_system_and_can_be_chosen(visit):
    table = visit("", color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = table.page.evaluate(paper)
    table.page.get_by_role("button", name="Dark colours").click()
    light = table.page.evaluate(paper)
    assert dark != light == "rgb(255, 255, 255)"
    table.page.reload()
    assert table.page.evaluate(paper) == light, "a choice is kept"


def test_pieces_move_unless_the_system_asks_for_stillness(visit):
    started = "document.getAnimations().length"
    for motion, moves in (("no-preference", True), ("reduce", False)):
        table = visit("#/play/connect4?first=you&second=you", reduced_motion=motion)
        table.settle(0)
        table.page.evaluate(
            "() => { window.begun = 0; const own = Element.prototype.animate;"
            " Element.prototype.animate = function (...given) {"
            " window.begun += 1; return own.apply(this, given) } }"
        )
        table.click(table.scene["legal"][3]["points"][0])
        table.settle(1)
        assert (table.page.evaluate("window.begun") > 0) == moves, started


def test_it_is_little_to_load_and_all_from_here(browser, server):
    context = browser.new_context()
    page = context.new_page()
    asked, size = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("response", lambda answer: size.append(len(answer.body())))
    page.goto(server.address + "#/play/connect4")
    page.wait_for_selector(".status.turn")
    page.wait_for_load_state("networkidle")
    context.close()
    assert all(url.startswith(server.address) for url in asked)
    assert sum(size) < 300_000


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_nothing_is_wider_than_a_phone(visit, place):
    table = visit(place, **PHONE)
    table.page.wait_for_timeout(200)
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_board_fills_the_height_beside_its_panel(visit):
    table = visit("#/play/checkers?first=you&second=you", viewport={"width": 1440, "height": 900})
    board = table.page.locator(".board > svg").bounding_box()
    panel = table.page.locator(".panel").bounding_box()
    assert board["height"] > 0.85 * 900
    assert panel["x"] >= board["x"] + board["width"]
    assert table.page.evaluate("document.documentElement.scrollHeight") <= 900
