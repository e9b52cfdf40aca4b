"""What the analysis shows is what the server says, and it shows it in its place."""

from __future__ import annotations

import pytest

from tests.serve.browser.table import Json, Table

PLACE = "#/play/connect4/3.3.4.4.2.2?first=you&second=you"
BOXES = """() => [...document.querySelectorAll('.panel > *, .insight > *, .board > svg')]
  .map(one => { const b = one.getBoundingClientRect(); return [b.x, b.y, b.width, b.height] })"""


def analyse(table: Table, agent: str) -> None:
    """Switch the analysis on, by this agent, and wait for all it says."""
    table.page.get_by_role("tab", name="Analysis").click()
    table.page.get_by_label("Agent that analyses").select_option(agent)
    table.page.get_by_role("switch").check()
    table.page.wait_for_selector(".thoughts .exact.win, .thoughts .exact.loss")
    table.until("/ s$/.test(document.querySelector('.cost').textContent)")


def rows(table: Table) -> dict[str, list[str]]:
    """The table of moves: policy, visits, value, exact."""
    found = table.page.evaluate(
        "[...document.querySelectorAll('.thoughts tbody tr:not([aria-hidden])')]"
        ".map(row => [...row.children].map(one => one.textContent))"
    )
    return {move: cells for move, *cells in found}


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def words(exact: Json) -> str:
    value = exact["value"]
    kind = "win" if value > 0 else "loss" if value < 0 else "draw"
    return kind if kind == "draw" else f"{kind} {exact['distance']}"


def test_the_table_says_what_the_server_says(visit):
    table = visit(PLACE)
    analyse(table, "perfect")
    truth = table.ask("api/truth", {"line": table.line})
    thought = table.ask("api/think", {"line": table.line, "agent": "perfect"})
    seen = rows(table)
    assert len(seen) == 7
    for move in thought["moves"]:
        policy, _, value, exact = seen[move["move"]]
        assert policy == f"{round(100 * move['policy'])} %"
        assert exact == words(truth["moves"][str(move["action"])])
        if move["value"] is not None:
            assert number(value) == pytest.approx(move["value"], abs=0.006)
    assert words(truth) in table.page.inner_text(".insight .truth")


def test_switches_show_and_hide_numbers_on_the_board(visit):
    table = visit(PLACE)
    analyse(table, "perfect")
    truth = table.ask("api/truth", {"line": table.line})

    def chips() -> list[str]:
        return table.page.evaluate(
            "[...document.querySelectorAll('.chip')].map(one => one.textContent)"
        )

    letters = {1: "W", 0: "D", -1: "L"}
    expected = {
        letters[round(one["value"])] + (str(one["distance"]) if one["value"] else "")
        for one in truth["moves"].values()
    }
    for name in ("Policy", "Value"):
        table.page.get_by_label(name, exact=True).uncheck()
    assert set(chips()) == expected
    assert table.page.locator(".heat").count() == 0
    table.page.get_by_label("Exact", exact=True).uncheck()
    assert chips() == []
    table.page.get_by_label("Policy", exact=True).check()
    assert all(text.endswith("%") for text in chips())
    assert table.page.locator(".heat").count() > 0


def test_thoughts_stream_and_stop_at_once(visit):
    table = visit("#/play/kingcourtesan?first=you&second=you")
    table.page.get_by_role("tab", name="Analysis").click()
    table.page.get_by_label("Agent that analyses").select_option("uct")
    table.page.get_by_role("switch").check()
    cost = "document.querySelector('.cost').textContent"
    table.until(f"/ · /.test({cost})")
    first = table.page.evaluate(cost)
    table.until(f"{cost} !== arg && /thinking/.test({cost})", arg=first)
    table.page.get_by_role("button", name="Stop", exact=True).click()
    assert "thinking" not in table.page.evaluate(cost)
    stopped = table.page.evaluate(cost)
    table.page.wait_for_timeout(700)
    assert table.page.evaluate(cost) == stopped
    assert rows(table), "what was thought stays"


def test_nothing_moves_when_thoughts_arrive(visit):
    table = visit(PLACE)
    table.page.get_by_role("tab", name="Analysis").click()
    before = table.page.evaluate(BOXES)
    analyse(table, "uct")
    assert table.page.evaluate(BOXES) == before


def test_the_bar_is_the_value_for_the_first_player(visit):
    table = visit(PLACE)
    analyse(table, "perfect")
    truth = table.ask("api/truth", {"line": table.line})
    value = truth["value"] if table.scene["player"] == 0 else -truth["value"]
    assert number(table.page.inner_text(".bar .figure")) == pytest.approx(value, abs=0.006)


def test_mistakes_are_marked_by_what_they_lost(visit):
    table = visit("#/play/tictactoe/0.4.8.2?first=you&second=you")
    line = table.line
    losses = []
    for ply, action in enumerate(line["tokens"]):
        truth = table.ask("api/truth", {"line": line | {"tokens": line["tokens"][:ply]}})
        losses.append(truth["value"] - truth["moves"][str(action)]["value"])
    mistakes = [ply for ply, loss in enumerate(losses) if loss > 0.15]
    assert mistakes, "a game without mistakes shows nothing"
    table.page.get_by_role("tab", name="Analysis").click()
    table.page.get_by_role("button", name="Review", exact=True).click()
    table.until("document.querySelectorAll('.graph .slip').length === arg", arg=len(mistakes))
    table.page.keyboard.press("Home")
    table.until("location.hash.includes('at=0')")
    table.page.keyboard.press("m")
    table.until(f"location.hash.includes('at={mistakes[0]}')")


def test_without_an_oracle_it_says_so(visit):
    table = visit("#/play/supertictactoe?first=you&second=you")
    table.page.get_by_role("tab", name="Analysis").click()
    assert table.page.get_by_label("Exact", exact=True).is_disabled()
    table.page.get_by_role("switch").check()
    table.until("/ · /.test(document.querySelector('.cost').textContent)")
    assert "Nobody knows" in table.page.inner_text(".insight .truth")
