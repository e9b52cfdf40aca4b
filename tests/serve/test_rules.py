"""Every game has a short page of rules, illustrated by legal positions; nothing in it can run."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

import ludus
from ludus.serve.rules import FOLDER, pages, rules
from ludus.serve.rules.diagram import diagram
from ludus.serve.rules.render import fields, html

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"div", "p", "h3", "ul", "li", "strong", "code", "figure", "figcaption"}
SHAPES = {"svg", "g", "rect", "circle", "line", "polygon", "text"}


def test_every_game_has_a_page():
    assert pages() == ludus.game_names()


@pytest.mark.parametrize("name", ludus.game_names())
def test_pages_are_well_formed_and_short(name):
    page = rules(name)
    assert page["title"] == ludus.game(name).kind.title
    root = ElementTree.fromstring(f"<div>{page['html']}</div>")
    for element in root.iter():
        inside = element.tag.removeprefix(SVG)
        assert inside in (SHAPES if element.tag.startswith(SVG) else TAGS)
        assert not [key for key in element.attrib if key.startswith("on") or "href" in key]
    figures = list(root.iter("figure"))
    assert 2 <= len(figures) <= 4
    for figure in figures:
        box, caption = figure
        assert box.get("role") == "img"
        assert box.get("aria-label") == "".join(caption.itertext())
        assert box[0].tag == f"{SVG}svg"
    drawn = {text for figure in figures for text in figure.itertext()}
    words = " ".join(text for text in root.itertext() if text not in drawn).split()
    assert 130 <= len(words) <= 300


@pytest.mark.parametrize("name", ludus.game_names())
def test_positions_of_the_diagrams_are_legal(name):
    """Also by the text alone: each is read, and each move in it found among the legal ones."""
    blocks = re.findall(r"^\{.*\}$", (FOLDER / f"{name}.md").read_text(), re.M)
    assert blocks
    for block in blocks:
        wanted = fields(block)
        game = ludus.game(wanted.get("game", name))
        assert game.name == name
        state = game.start() if wanted["board"] == "start" else game.state(wanted["board"])
        assert wanted["board"] in ("start", str(state))
        for move in game.kind.split(wanted.get("after", "")):
            meant, _, came = move.partition("~")
            chance = game.action(state, came) if came else None
            state = state.play(game.action(state, meant), chance=chance)
        moves = [game.move(state, action) for action in state.legal()]
        assert set(game.kind.split(wanted.get("show", ""))) <= set(moves)


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        ("connect4", "wins"),
        ("tictactoe", "wins"),
        ("kingcourtesan", "Red wins"),
        ("chinesecheckers", "Red wins"),
        ("chinesecheckers", "fills Red's goal"),
        ("supertictactoe", "X wins"),
    ],
)
def test_what_a_caption_calls_a_win_is_one(name, claim):
    blocks = re.findall(r"^\{.*\}$", (FOLDER / f"{name}.md").read_text(), re.M)
    checked = 0
    for wanted in map(fields, blocks):
        if claim not in wanted["caption"] or "perfect" in wanted["caption"]:
            continue
        game = ludus.game(wanted.get("game", name))
        state = game.start() if wanted["board"] == "start" else game.state(wanted["board"])
        state = game.replay(wanted.get("after", ""), state)
        for move in game.kind.split(wanted["show"]):
            assert state.play(game.action(state, move)).winner == state.player
            checked += 1
    assert checked


def test_all_text_is_escaped():
    nasty = '<script>alert("1")</script> & **<b>** `<i>`\n- <img src=x onerror=y>\n\n## <u>'
    page = html("tictactoe", nasty + "\n\n{board: start | caption: \"><script>'}")
    root = ElementTree.fromstring(f"<div>{page}</div>")
    assert not {"script", "b", "i", "img", "u"} & {element.tag for element in root.iter()}
    assert page.count("<script") == 0


def test_wrong_diagrams_and_pages_are_refused():
    with pytest.raises(ValueError, match=r"no rules of '[./]+etc'; there are of cathedral, "):
        rules("../etc")
    with pytest.raises(ValueError, match="no move 'z9'"):
        diagram("tictactoe", {"board": "start", "show": "z9"})
    with pytest.raises(ValueError, match="a diagram has no 'bord'"):
        diagram("tictactoe", {"board": "start", "bord": "x"})
