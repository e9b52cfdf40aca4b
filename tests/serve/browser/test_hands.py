"""How hands move: dragging, ways of hops, strays, buildings by touch and by keys."""

from __future__ import annotations

from tests.serve.browser.conftest import PHONE

BOTH = "?first=you&second=you"
# A dot where the building that is taken could stand.
ROOM = """() => {
  const dot = document.querySelectorAll('.room')[5];
  return [Number(dot.getAttribute('cx')), Number(dot.getAttribute('cy'))];
}"""


def drag(table, start, end):
    """Press, carry, let go."""
    mouse = table.page.mouse
    mouse.move(*table.on_screen(start))
    mouse.down()
    mouse.move(*table.on_screen([(a + b) / 2 for a, b in zip(start, end, strict=True)]))
    mouse.move(*table.on_screen(end))
    mouse.up()


def test_a_piece_is_dragged_where_it_may_go_and_back_where_it_may_not(visit):
    table = visit(f"#/play/checkers{BOTH}")
    table.settle(0)
    wanted = table.scene["legal"][0]
    start, end = wanted["points"]
    drag(table, start, [start[0], start[1] + 300])
    table.page.wait_for_timeout(200)
    assert table.line["tokens"] == []
    assert table.page.locator(".lifted").count() == 0, "it is back in its place"
    drag(table, start, end)
    table.settle(1)
    assert table.line["tokens"] == [wanted["action"]]


def test_legal_targets_are_shown_for_the_piece_that_is_chosen(visit):
    table = visit(f"#/play/kingcourtesan{BOTH}")
    table.settle(0)
    legal = table.scene["legal"]
    start = legal[0]["points"][0]
    mine = [one for one in legal if one["points"][0] == start]
    assert table.page.locator(".target").count() == 0
    table.click(start)
    assert table.page.locator(".target").count() == len(mine)
    table.click(start)
    assert table.page.locator(".target").count() == 0, "a second click puts it back"


def test_the_way_of_a_chain_of_hops_is_drawn_before_it_is_played(visit):
    table = visit(f"#/play/chinesecheckers/31.565.108.597.137.523.313.570{BOTH}")
    table.settle(8)
    chain = next(one for one in table.scene["legal"] if one.get("via"))
    table.click(chain["points"][0])
    table.page.mouse.move(*table.on_screen(chain["points"][1]))
    way = table.page.get_attribute(".way", "points")
    assert len(way.split()) == 2 + len(chain["via"])
    table.click(chain["points"][1])
    table.settle(9)
    assert len(table.page.get_attribute(".trail", "points").split()) == 2 + len(chain["via"])


def test_the_king_changes_places_with_a_courtesan(visit):
    table = visit(f"#/play/kingcourtesan{BOTH}")
    table.settle(0)
    exchange = next(one for one in table.scene["legal"] if one["how"] == "exchange")
    for point in exchange["points"]:
        table.click(point)
    table.settle(1)
    assert table.line["tokens"] == [exchange["action"]]


def test_a_stray_is_shown_where_it_landed_and_said(visit):
    # The first mark was meant for 60 and was lost; the third was meant for 44 and came to 45.
    table = visit(f"#/play/supertictactoe/60~80{BOTH}")
    table.settle(1)
    assert table.page.locator(".was.lost").count() == 1
    assert "lost" in table.status()
    table = visit(f"#/play/supertictactoe/44~45{BOTH}")
    table.settle(1)
    assert table.page.locator(".stray").count() == 1
    assert table.page.locator(".was.lost").count() == 1
    assert "strays to" in table.status()


def test_a_building_is_placed_by_keys_alone(visit):
    table = visit(f"#/play/cathedral{BOTH}")
    table.settle(0)
    table.page.focus(".board")
    table.page.keyboard.press("ArrowUp")
    table.page.keyboard.press("r")
    for key in ("ArrowLeft", "ArrowLeft", "Enter"):
        table.page.keyboard.press(key)
    table.settle(1)
    move = table.scene["moves"][0]["move"]
    assert move.startswith("Cathedral@")
    assert not move.endswith("+0"), "it was turned"


def test_a_building_is_shown_by_one_tap_and_placed_by_the_next(visit):
    table = visit(f"#/play/cathedral:size=8{BOTH}", **PHONE)
    table.settle(0)
    middle = table.page.evaluate(ROOM)
    table.tap(middle)
    assert table.page.locator(".hand .ghost").count() == 1
    assert table.line["tokens"] == [], "a tap may still be taken elsewhere"
    table.tap(middle)
    table.settle(1)
    assert table.scene["moves"][0]["move"].startswith("Cathedral@")


def test_where_a_building_cannot_stand_it_is_crossed_out(visit):
    table = visit(f"#/play/cathedral{BOTH}")
    table.settle(0)
    cell = table.scene["cell"]
    table.page.mouse.move(*table.on_screen([cell, cell * 1.2]))
    assert table.page.locator(".hand .clashes").count() == 1
    assert table.page.locator(".hand .no").count() > 0
    table.page.mouse.down()
    table.page.mouse.up()
    table.page.wait_for_timeout(200)
    assert table.line["tokens"] == []
