"""Pages of matches and tournaments, and the tables that a terminal shows of them."""

import json
import math
import re
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import ludus
from ludus.agent import spelling_of
from ludus.arena.elo import elo_difference, elo_text
from ludus.arena.match import prepare_match
from ludus.arena.tournament import Tournament
from ludus.cli import main
from ludus.cli.match import score_text
from ludus.cli.tournament import table_text
from ludus.report.contest import match_page, tournament_page

GAME = ludus.game("tictactoe")
LONG = "uct:simulations=3,rave=300,judge=,plain=false,epsilon=0.25"
NAUGHTY = {"</script><script>alert(1)</script>": "random", "<b onload=x>'\"&": "greedy"}


class Page(HTMLParser):
    """Which elements stand where."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self.inside = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside = tag

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts.append(data)

    def handle_endtag(self, tag):
        self.inside = None


@pytest.fixture(scope="module")
def table():
    return ludus.tournament(GAME, ["random", "greedy", "random:epsilon=0.5"], games=6, seed=1)


def test_a_match_has_a_page(tmp_path, capsys):
    file = tmp_path / "match.html"
    words = ["match", "tictactoe", "random", "greedy", "--games", "8", "--report", str(file)]
    assert main(words) == 0
    assert f"wrote {file}" in capsys.readouterr().err
    page = file.read_text()
    score = ludus.match(GAME, "random", "greedy", games=8)
    for part in (elo_text(score.elo), "random against greedy", "as second", "milliseconds a move"):
        assert part in page
    assert "prefers-color-scheme:dark" in page
    assert page.count("class='card stepper'") >= 2


def test_a_tournament_has_a_page(tmp_path, table):
    page = tournament_page(GAME, table)
    for name in table.agents:
        assert name in page
    ratings = [f"{one.low:.0f} to {one.high:.0f}" for one in table.ratings.ratings]
    assert all(said in page for said in ratings)
    assert page.count("background:rgba(var(--") == 6
    file = tmp_path / "all.html"
    words = ["tournament", "tictactoe", "random", "greedy", "--games", "4", "--report", str(file)]
    assert main(words) == 0
    assert "Time a move" in file.read_text()


def test_the_frames_of_a_game_are_its_boards():
    score = ludus.match(GAME, "random", "greedy", games=2)
    page = Page(match_page(GAME, score))
    told = json.loads(page.scripts[0])
    played = score.played[0]
    assert len(told["frames"]) == len(played.moves) + 1 == len(told["said"])
    state, last = GAME.start(), None
    for ply, frame in enumerate(told["frames"]):
        drawn = GAME.draw(state, last=last, theme="page").svg
        ours = "".join(told["shapes"][shape] for shape in frame)
        assert ours == drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")].replace("\n", "")
        ElementTree.fromstring(f"<svg>{ours}</svg>")
        if ply < len(played.moves):
            last = GAME.action(state, played.moves[ply])
            state = state.play(last)


def test_names_are_only_text_in_a_page():
    found = ludus.tournament(GAME, NAUGHTY, games=4)
    plain = ludus.tournament(GAME, ["random", "greedy"], games=4)
    known = {tag for tag, _ in Page(tournament_page(GAME, plain)).tags}
    known |= {tag for tag, _ in Page(match_page(GAME, plain.scores[0, 1])).tags}
    for page in (tournament_page(GAME, found), match_page(GAME, found.scores[0, 1])):
        tags = Page(page).tags
        assert {tag for tag, _ in tags} <= known
        assert not any(name.startswith("on") for _, attributes in tags for name in attributes)
        assert "alert(1)</script>" not in page


def test_nothing_is_fetched(table):
    for page in (tournament_page(GAME, table), match_page(GAME, table.scores[0, 1])):
        inside = page.replace("http://www.w3.org/2000/svg", "")
        for outside in ("http:", "https:", "src=", "href=", "url(", "@import", "//"):
            assert outside not in inside


@pytest.mark.parametrize("points", [0.2, 0.5, 0.64, 0.999])
def test_elo_is_what_the_rating_formula_says(points):
    found = elo_difference(points, (points / 2, 1.0))
    assert 1 / (1 + 10 ** (-found.value / 400)) == pytest.approx(points)
    assert 1 / (1 + 10 ** (-found.low / 400)) == pytest.approx(points / 2)
    assert found.high == math.inf
    assert elo_text(found).endswith("to +inf)")


def test_every_score_tells_the_elo_difference(capsys):
    score = ludus.match(GAME, "greedy", "random", games=10)
    assert f"Elo {elo_text(score.elo)}" in str(score)
    assert f"A is {elo_text(score.elo)} above B" in score_text(score)
    assert main(["match", "tictactoe", "greedy", "random", "--games", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["elo"]
    assert told.keys() == {"value", "low", "high"}


def test_tables_fit_80_columns():
    score = ludus.match(GAME, "random", "greedy", games=400)
    assert max(map(len, score_text(score).splitlines())) <= 80
    names = [LONG, "random", "greedy", *(f"random:epsilon=0.{n}" for n in range(1, 8))]
    found = ludus.tournament(GAME, names, games=2)
    text = table_text(found)
    long = [line for line in text.splitlines() if len(line) > 80]
    assert all(re.search(r"\S{60}", line) for line in long), long  # a name that cannot be broken
    assert all(text.count(f"{place:>2}. ") >= 2 for place in range(1, 11))
    spelled = spelling_of(ludus.agent(LONG))
    assert len(spelled) > 36
    assert f". is {spelled}\n" in text


def calls(work):
    """How many functions are called."""
    count = [0]

    def notice(_frame, event, _argument):
        if event in ("call", "c_call"):
            count[0] += 1

    sys.setprofile(notice)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count[0]


def test_the_cost_of_a_match_is_linear_in_its_games():
    """Four times the games, four times the calls: playing, counting and printing."""

    def play(games):
        score = prepare_match(GAME, "random", "random", games=games, seed=1).play()
        score.as_dict()
        score_text(score)

    play(50)
    few, many = calls(lambda: play(250)), calls(lambda: play(1000))
    assert many < 4.4 * few


def test_the_cost_of_a_tournament_is_linear_in_its_games():
    def play(games):
        found = Tournament(
            GAME, ["random", "random:epsilon=0.5"], games=games, seed=1, openings="random:2"
        )
        table_text(found.play())

    play(50)
    few, many = calls(lambda: play(250)), calls(lambda: play(1000))
    assert many < 4.4 * few
