"""The trainer takes an answer only where the oracle agrees."""

from __future__ import annotations


def test_only_what_keeps_the_value_is_right(visit):
    table = visit("#/puzzle/connect4?seed=5")
    table.page.wait_for_selector(".status.turn")
    look = table.page.get_by_role("link", name="Analyse it").get_attribute("href")
    line = {"game": "connect4", "start": None, "tokens": []}
    path = look.partition("?")[0].split("/")
    line["tokens"] = [int(word) for word in path[3].split(".")] if len(path) > 3 else []
    if "start=" in look:
        from urllib.parse import parse_qs

        line["start"] = parse_qs(look.partition("?")[2])["start"][0]
    scene = table.ask("api/position", {"line": line})
    truth = table.ask("api/truth", {"line": line})
    keeping = [
        one
        for one in scene["legal"]
        if truth["moves"][str(one["action"])]["value"] == truth["value"]
    ]
    assert len(keeping) == 1, "one move alone keeps the value"
    others = [one for one in scene["legal"] if one not in keeping]
    table.click(others[0]["points"][0])
    table.page.wait_for_selector(".status.wrong")
    assert table.page.locator(".board.able").count() == 1, "one may try again"
    table.click(keeping[0]["points"][0])
    table.page.wait_for_selector(".status.right")
    assert keeping[0]["move"] in table.status()
    assert "0 of 1" in table.page.inner_text(".tally"), "the first attempt counts"
    assert table.page.locator(".chip").count() == len(scene["legal"])


def test_the_answer_can_be_shown_and_another_asked_for(visit):
    table = visit("#/puzzle/tictactoe?seed=3")
    table.page.wait_for_selector(".status.turn")
    first = table.page.get_by_role("link", name="Analyse it").get_attribute("href")
    table.page.get_by_role("button", name="Show the answer").click()
    table.page.wait_for_selector(".status.back")
    assert "was the move" in table.status()
    table.page.get_by_role("button", name="Next position").click()
    table.page.wait_for_selector(".status.turn")
    assert table.page.get_by_role("link", name="Analyse it").get_attribute("href") != first


def test_rules_are_read_with_their_pictures(visit):
    table = visit("#/learn/kingcourtesan")
    assert table.page.locator("article svg").count() > 0
    assert table.page.locator("article").inner_text().startswith("King and Courtesan")
    assert table.page.locator("article script").count() == 0
    table.page.get_by_role("link", name="Connect Four", exact=True).click()
    table.page.wait_for_selector("article h1:has-text('Connect Four')")
