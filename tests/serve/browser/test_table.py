"""What a person does at the table beside moving: walk, take back, set up, share, watch."""

from __future__ import annotations

import re
from urllib.parse import quote

from tests.serve.browser.conftest import reachable
from tests.serve.browser.table import Table

BOTH = "?first=you&second=you"


def shown(table: Table) -> str:
    """The picture that is on the board."""
    return str(table.page.inner_html(".board > svg > g"))


def button(table: Table, name: str):
    return table.page.get_by_role("button", name=name, exact=True)


def test_one_click_from_the_first_page_to_a_game_of_connect_four(visit):
    table = visit()
    table.page.get_by_role("link", name="Connect Four", exact=True).click()
    table.page.wait_for_selector(".status.turn")
    assert table.line["game"] == "connect4"
    assert not table.scene["over"]


def test_taking_back_and_playing_again(visit):
    table = visit("#/play/tictactoe?first=you&second=random")
    table.settle(0)
    table.click(table.scene["legal"][0]["points"][0])
    table.settle(2)
    whole = table.line["tokens"]
    table.page.keyboard.press("u")
    table.until("location.hash.includes('at=0')")
    assert table.scene["plies"] == 0
    table.page.keyboard.press("Shift+U")
    table.until("!location.hash.includes('at=')")
    assert table.line["tokens"] == whole
    table.page.keyboard.press("ArrowLeft")
    table.until("location.hash.includes('at=1')")
    assert "Looking back" in table.status()
    button(table, "Back").click()
    table.until("location.hash.includes('at=0')")
    table.click(table.scene["legal"][8]["points"][0])
    table.settle(2)
    assert table.line["tokens"][0] == 8, "another move replaces what was taken back"


def test_the_address_holds_the_whole_game(visit):
    table = visit(f"#/play/kingcourtesan:size=4{BOTH}")
    for _ in range(3):
        before = len(table.line["tokens"])
        for point in table.scene["legal"][2]["points"]:
            table.click(point)
        table.settle(before + 1)
    table.page.mouse.move(5, 5)
    again = visit(table.page.evaluate("location.hash"))
    again.page.wait_for_selector(".status.turn")
    assert again.line == table.line
    assert again.page.inner_text(".moves") == table.page.inner_text(".moves")
    assert shown(again) == shown(table)


def test_an_address_that_cannot_be_is_refused_in_a_sentence(visit):
    for place in ("#/play/connect4/99", "#/play/chess", "#/play/connect4/x"):
        table = visit(place)
        assert table.page.locator(".sorry [role=alert]").inner_text()
        table.forgive()


def test_script_in_an_address_stays_text(visit):
    table = visit("#/play/connect4:%3Cimg%20src=x%20onerror=alert(1)%3E")
    assert table.page.locator("main img").count() == 0
    table.forgive()


def test_resigning_ends_the_game(visit):
    table = visit("#/play/connect4?first=you&second=random")
    table.settle(0)
    table.click(table.scene["legal"][3]["points"][0])
    table.settle(2)
    button(table, "Resign").click()
    assert table.status().startswith("Red resigns")
    assert table.page.locator(".board.able").count() == 0


def test_a_new_game_with_other_parameters(visit):
    table = visit(f"#/play/tictactoe{BOTH}")
    table.page.keyboard.press("n")
    table.page.get_by_label("Game", exact=True).select_option("connect4")
    table.page.get_by_label("Two people").check()
    table.page.get_by_text("Size and rules").click()
    table.page.get_by_label("rows", exact=True).fill("4")
    table.page.get_by_role("button", name="Start").click()
    table.until("location.hash.includes('connect4:rows=4')")
    table.settle(0)
    assert len(table.scene["text"].split("/")) == 4
    assert "to move" in table.status()


def test_turning_the_board_round_keeps_clicks_where_they_belong(visit):
    table = visit(f"#/play/checkers{BOTH}")
    upright = table.on_screen(table.scene["legal"][0]["points"][0])
    table.page.keyboard.press("f")
    table.matrix = None
    turned = table.on_screen(table.scene["legal"][0]["points"][0])
    assert abs(upright[1] - turned[1]) > 50
    wanted = table.scene["legal"][3]
    for point in wanted["points"]:
        table.click(point)
    table.settle(1)
    assert table.line["tokens"] == [wanted["action"]]


def test_a_hint_is_a_best_move(visit):
    table = visit(f"#/play/connect4/3.3.4.4.2{BOTH}")
    table.settle(5)
    truth = table.ask("api/truth", {"line": table.line})
    best = max(truth["moves"].values(), key=lambda one: one["value"])["value"]
    table.page.keyboard.press("h")
    table.page.wait_for_selector(".hint")
    said = re.match(r"Hint: (\w+),", table.page.inner_text("#said"))
    action = next(one["action"] for one in table.scene["legal"] if one["move"] == said[1])
    assert truth["moves"][str(action)]["value"] == best


def test_a_move_can_be_typed(visit):
    table = visit(f"#/play/checkers{BOTH}")
    field = table.page.get_by_label("Type a move")
    field.fill("nonsense")
    field.press("Enter")
    assert "no move nonsense" in table.page.inner_text(".typed [role=alert]")
    field.fill("11-15")
    field.press("Enter")
    table.settle(1)
    assert [move["move"] for move in table.scene["moves"]] == ["11-15"]


def test_a_capture_of_several_jumps_is_made_with_one_piece(visit):
    start = "B:W6,14,30:B2"
    table = visit(f"#/play/checkers?start={start}&first=you&second=you")
    table.settle(0)
    jump = table.scene["legal"][0]
    assert jump["move"] == "2x9"
    table.click(jump["points"][0])
    table.click(jump["points"][1])
    table.settle(1)
    (on,) = table.scene["legal"]
    table.click(on["points"][1])
    table.settle(2)
    assert [move["turn"] for move in table.scene["moves"]] == [1, 1]
    assert table.page.locator(".moves li").count() == 1, "one turn stands on one line"


def test_two_agents_are_watched_paused_and_stepped(visit):
    table = visit("#/play/tictactoe?first=random&second=random")
    table.page.wait_for_selector(".status.over")
    assert table.scene["over"]
    table = visit("#/play/connect4?first=random&second=random", settings='{"pace": 100}')
    table.until("/connect4\\/\\d/.test(location.hash)")
    button(table, "Pause").click()
    assert table.status() == "Paused"
    made = len(table.line["tokens"])
    table.page.wait_for_timeout(500)
    assert len(table.line["tokens"]) == made, "nothing moves while it is paused"
    button(table, "One move").click()
    table.until("location.hash.split('?')[0].split('/')[3].split('.').length > arg", arg=made)
    assert len(table.line["tokens"]) == made + 1
    button(table, "Let them play").click()
    table.page.wait_for_selector(".status.over")


def test_the_game_goes_on_after_the_server_was_killed(visit, server):
    table = visit("#/play/connect4?first=you&second=random")
    table.settle(0)
    table.click(table.scene["legal"][3]["points"][0])
    table.settle(2)
    server.kill()
    point = table.on_screen([60.0, 360.0])
    table.page.mouse.click(*point)
    table.page.wait_for_selector("#lost:not([hidden])")
    server.start()
    assert reachable(server.address)
    table.settle(4)
    table.page.wait_for_selector("#lost", state="hidden")
    assert table.line["tokens"][0] == 3
    assert table.line["tokens"][2] == 0
    table.forgive()


def test_a_finished_game_goes_out_as_a_record_and_comes_back(visit):
    table = visit(f"#/play/connect4/0.1.0.1.0.1.0{BOTH}")
    table.page.get_by_role("tab", name="Position").click()
    table.page.get_by_role("button", name="Show the record").click()
    field = table.page.get_by_label("Moves, a record or a position")
    table.until("document.querySelector('#exchange').value.startsWith('{')")
    record = field.input_value()
    other = visit(f"#/play/tictactoe{BOTH}")
    other.page.get_by_role("tab", name="Position").click()
    other.page.get_by_label("Moves, a record or a position").fill(record)
    other.page.get_by_role("button", name="Read it").click()
    other.until("location.hash.includes('connect4')")
    other.page.wait_for_selector(".status.over")
    assert other.line == table.line


def test_moves_and_positions_are_read_from_text(visit):
    table = visit(f"#/play/connect4{BOTH}")
    table.settle(0)  # a tab that is clicked while the page is still being built may be lost
    for text, plies in (("4453", 4), ("......./......./......./......./...o.../...xx..", 0)):
        table.page.get_by_role("tab", name="Position").click()
        table.page.get_by_label("Moves, a record or a position").fill(text)
        table.page.get_by_role("button", name="Read it").click()
        table.until(
            "decodeURIComponent(location.hash).includes(arg)", arg="3.3.4.2" if plies else text
        )
        table.settle(plies)
        assert len(table.line["tokens"]) == plies


def test_moves_go_on_from_the_position_where_the_game_began(visit):
    start = "xo./.../... x"
    table = visit(f"#/play/tictactoe{BOTH}&start={quote(start)}")
    table.page.get_by_role("tab", name="Position").click()
    table.page.get_by_label("Moves, a record or a position").fill("b2")
    table.page.get_by_role("button", name="Read it").click()
    table.settle(1)
    assert table.line["start"] == start
    assert len(table.line["tokens"]) == 1


def test_a_position_is_set_up_on_the_board(visit):
    table = visit(f"#/play/tictactoe{BOTH}")
    table.settle(0)
    cells = table.scene["setup"]["cells"]
    table.page.get_by_role("tab", name="Position").click()
    table.page.get_by_role("button", name="Set up on the board").click()
    for piece, cell in (("cross", 0), ("ring", 4), ("cross", 8)):
        table.page.get_by_role("button", name=piece, exact=True).click()
        table.click([cells[cell]["x"], cells[cell]["y"]])
        table.until(
            "document.querySelector('#position').value.replaceAll('/', '')[arg[0]] === arg[1]",
            arg=[cell, "x" if piece == "cross" else "o"],
        )
    table.page.get_by_role("button", name="Play this position").click()
    table.until("location.hash.includes('start=')")
    table.settle(0)
    assert table.scene["text"].startswith("x../.o./..x")
    assert table.page.locator(".board.able").count() == 1
    table.forgive()  # marks on the way that were no position
