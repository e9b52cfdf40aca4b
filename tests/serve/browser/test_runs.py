"""Trainings while they run, games on the board, tournaments as cross tables."""

from __future__ import annotations

from ludus import lines
from tests.serve.test_runs import run_folder


def test_curves_grow_while_a_training_runs(visit, shelf):
    run = run_folder(shelf / "growing", steps=4)
    table = visit("#/runs")
    table.page.get_by_role("link", name="growing").click()
    table.until("document.querySelector('.status')?.textContent.startsWith('4 steps')")
    table.page.wait_for_selector(".curves canvas")
    names = table.page.locator(".curves figcaption").all_inner_texts()
    assert "loss" in names
    with (run / "metrics.jsonl").open("a") as file:
        file.write(lines.dump({"step": 5, "loss": 0.1, "games": 25}))
    table.until("document.querySelector('.status').textContent.startsWith('5 steps')")
    assert table.page.locator(".curves canvas").count() == len(names), "no curve is drawn twice"


def test_a_tournament_is_a_cross_table_and_its_games_are_replayed(visit):
    table = visit("#/runs")
    table.page.get_by_role("link", name="cup").click()
    table.page.wait_for_selector(".cross")
    listed = table.ask("api/runs")["tournaments"][0]
    told = table.ask(f"api/tournaments/{listed['id']}")
    heads = table.page.locator(".cross tbody th").all_inner_texts()
    assert [head.partition(" ")[2] for head in heads] == [one["agent"] for one in told["ratings"]]
    (match,) = told["matches"]
    first = told["ratings"][0]["agent"]
    points = match["points"] if match["a"] == first else 1 - match["points"]
    cells = table.page.locator(".cross tbody tr").first.locator("td").all_inner_texts()
    assert f"{round(100 * points)} %" in cells
    table.page.locator(".games-played button").first.click()
    table.until("location.hash.startsWith('#/play/tictactoe/')")
    table.page.wait_for_selector(".status.back")
    table.page.keyboard.press("End")
    table.page.wait_for_selector(".status.over")
    assert table.scene["over"]


def test_what_comes_late_is_not_shown_over_what_is_wanted_now(visit):
    table = visit("#/runs")
    held = []
    table.page.route("**/api/tournaments/*", lambda route: held.append(route))
    table.page.get_by_role("link", name="cup").click()
    table.until("document.querySelector('main').ariaBusy === 'true'")
    table.page.evaluate("location.hash = '#/learn/tictactoe'")
    table.page.wait_for_selector(".rules")
    with table.page.expect_response("**/api/tournaments/*"):
        held[0].continue_()
    table.page.wait_for_timeout(300)
    table.page.wait_for_selector(".rules")
    assert table.page.locator(".cross").count() == 0


def test_names_from_files_stay_text(visit, shelf):
    run_folder(shelf / "<img src=x onerror=alert(1)>")
    table = visit("#/runs")
    table.page.wait_for_selector(".list")
    assert table.page.locator("main img").count() == 0
    assert "<img" in table.page.inner_text(".list")
