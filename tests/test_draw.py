"""Every game draws every position it can reach, as well-formed SVG and as text."""

import random
import re
import xml.etree.ElementTree as ElementTree

import pytest

import ludus

SVG = "{http://www.w3.org/2000/svg}"


def reached(game, plies, seed=1):
    """A state after some random plies, and the last action."""
    rng = random.Random(seed)
    state, last = game.start(rng), None
    while state.outcome is None and state.plies < plies:
        last = rng.choice(state.legal())
        state = state.play(last, rng)
    return state, last


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("plies", [0, 7, 10**6])
def test_pictures_are_well_formed_and_fit_their_frame(game, theme, plies):
    state, last = reached(game, plies)
    picture = game.draw(state, last=last, theme=theme)
    root = ElementTree.fromstring(picture.svg)
    assert root.tag == f"{SVG}svg"
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for circle in root.iter(f"{SVG}circle"):
        x, y, r = (float(circle.attrib[name]) for name in ("cx", "cy", "r"))
        assert -r <= x <= width + r
        assert -r <= y <= height + r
    assert len(root) > 9


@pytest.mark.parametrize("style", ["heat", "arrows", "values"])
def test_marks_show_on_the_board(game, style):
    state, last = reached(game, 4)
    plain = ElementTree.fromstring(game.draw(state).svg)
    few = random.Random(2).sample(state.legal(), min(5, len(state.legal())))
    marks = {action: (rank + 1) / 5 for rank, action in enumerate(few)}
    marked = ElementTree.fromstring(game.draw(state, last=last, marks=marks, style=style).svg)
    assert len(marked) > len(plain)


def test_every_legal_action_has_a_place_on_the_board(game):
    from ludus.draw.picture import board_of
    from ludus.draw.svg import THEMES

    state, _ = reached(game, 5)
    board = board_of(game, state, THEMES["light"])
    for action in state.legal()[:400]:
        points = board.place(action)
        assert points
        assert all(
            0 <= x <= board.canvas.width and 0 <= y <= board.canvas.height for x, y in points
        )


@pytest.mark.parametrize("plies", [0, 9, 10**6])
def test_colour_changes_nothing_but_colour(game, plies):
    state, last = reached(game, plies)
    plain = game.text(state, colour=False, last=last)
    assert "\x1b" not in plain
    painted = game.text(state, colour=True, last=last)
    assert "\x1b" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


def test_different_positions_look_different(game):
    shown = {}
    for plies in range(6):
        state, _ = reached(game, plies)
        shown.setdefault(str(state), set()).add(game.text(state, colour=False))
    assert all(len(texts) == 1 for texts in shown.values())
    boards = [text for texts in shown.values() for text in texts]
    assert len(set(boards)) == len(boards)


def picture_pieces(svg):
    return [g for g in ElementTree.fromstring(svg).iter(f"{SVG}g") if g.get("class") == "piece"]


@pytest.mark.parametrize("plies", [0, 7, 10**6])
def test_every_piece_is_a_group_that_says_whose_and_where(game, plies):
    state, _ = reached(game, plies)
    picture = game.draw(state)
    board = str(state).split(" ")[0]
    if game.name == "checkers":
        standing = len(re.findall(r"\d+", board))
    elif game.name == "cathedral":
        standing = len(set(board) - set("./-="))
    else:
        standing = sum(mark not in "./" for mark in board)
    pieces = picture_pieces(picture.svg)
    assert len(pieces) == standing
    assert {"data-x", "data-y", "data-kind"} <= set.intersection(
        {"data-x", "data-y", "data-kind"}, *(set(piece.attrib) for piece in pieces)
    )
    for piece in pieces:
        owned = piece.get("data-player") in ("0", "1")
        assert owned or piece.get("data-kind") == "cathedral"
    places = {(piece.get("data-x"), piece.get("data-y")) for piece in pieces}
    assert len(places) == len(pieces)


def test_a_game_without_a_drawing_has_pieces_too():
    game = ludus.game("examples/breakthrough.py")
    kinds = [piece.get("data-kind") for piece in picture_pieces(game.draw(game.start()).svg)]
    assert kinds.count("o") == 12
    assert kinds.count("x") == 12 + 1  # and who moves


def test_the_page_theme_is_the_light_one_in_variables(game):
    state, last = reached(game, 9)
    page = game.draw(state, last=last, theme="page").svg
    assert "var(--first, #d84343)" in page
    assert (
        re.sub(r"var\(--[a-z-]+, (#[0-9a-f]{6})\)", r"\1", page) == game.draw(state, last=last).svg
    )


def test_wrong_themes_styles_and_actions_are_refused():
    game = ludus.game("connect4")
    with pytest.raises(ValueError, match="no theme 'neon'; there are light, dark"):
        game.draw(game.start(), theme="neon")
    with pytest.raises(ValueError, match="no style 'glow'"):
        game.draw(game.start(), style="glow")
    with pytest.raises(ValueError, match="action 9 is not below 7"):
        game.draw(game.start(), last=9)


def test_a_picture_is_saved_and_shown_in_notebooks(tmp_path):
    game = ludus.game("connect4")
    picture = game.draw(game.replay("44"), last=3)
    picture.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text() == str(picture) == picture._repr_svg_()
