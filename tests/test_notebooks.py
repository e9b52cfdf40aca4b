"""What is printed and shown in notebooks, and the sentence for each wrong type."""

from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np
import pytest

import ludus
from ludus.draw.picture import Picture

CONNECT4 = ludus.game("connect4")


def test_a_game_and_a_state_say_what_they_are(game):
    assert repr(game) == f"<Game {game.spelling}>"
    start = game.start()
    assert repr(start) == f"<{game.spelling} {start}>"
    assert len(repr(ludus.game("connect4"))) < 30


def test_a_state_is_shown_as_its_board(game):
    shown = game.start()._repr_svg_()
    assert shown == game.draw(game.start()).svg == Picture(shown)._repr_svg_()
    ElementTree.fromstring(shown)


def test_a_state_written_in_python_says_what_it_is():
    start = ludus.game("examples/breakthrough.py").start()
    assert repr(start) == f"<Breakthrough {start}>"
    assert start._repr_svg_().startswith("<svg")


def test_a_thought_is_short_and_has_a_table():
    thought = ludus.agent("uct:simulations=60", seed=1).think(CONNECT4.replay("4"))
    assert len(repr(thought)) < 80
    assert f"action {thought.policy.argmax()}" in repr(thought)
    page = ElementTree.fromstring(thought._repr_html_())
    heads = [cell.text for cell in page.iter("th")]
    assert heads == ["action", "policy", "value", "visits"]
    rows = [[cell.text for cell in row] for row in page.iter("tr")][1:]
    assert int(rows[0][0]) == thought.policy.argmax()
    assert int(rows[0][3]) == thought.visits.max()


def test_a_score_and_a_tournament_are_short_and_have_tables():
    score = ludus.match("tictactoe", "random", "greedy", games=6)
    assert len(repr(score)) < 160
    assert str(score) in repr(score)
    assert "as second" in "".join(ElementTree.fromstring(score._repr_html_()).itertext())
    table = ludus.tournament("tictactoe", ["random", "greedy", "random:epsilon=0.5"], games=4)
    assert repr(table) == "<TournamentTable of tictactoe: 3 agents, 12 games>"
    lines = str(table).splitlines()
    assert 0 < max(map(len, lines)) <= 80
    assert lines[1].startswith(" 1. ")
    told = "".join(ElementTree.fromstring(table._repr_html_()).itertext())
    assert all(name in told for name in table.agents)


def test_names_are_only_text_in_a_notebook():
    agents = {"<script>": "random", "b&w": "greedy"}
    table = ludus.tournament("tictactoe", agents, games=2)
    assert "<script>" not in table._repr_html_()
    assert "&lt;script&gt;" in table._repr_html_()


def test_what_takes_a_game_takes_its_name():
    assert ludus.playouts("connect4", 10).games == 10
    assert ludus.perft("connect4", 2) == [7, 49]
    assert ludus.batch("tictactoe", 3) is not None
    assert ludus.oracle("tictactoe").value(ludus.game("tictactoe").start()) == 0


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: CONNECT4.replay([3, 3]), "moves are written in a line of text, such as '1'"),
        (lambda: CONNECT4.replay(None), "moves are written in a line of text"),
        (lambda: ludus.agent(None), "an agent is given by its spelling, not None"),
        (lambda: CONNECT4.text(None), "this takes a state of connect4, not None"),
        (lambda: CONNECT4.draw(None), "this takes a state of connect4, not None"),
        (lambda: CONNECT4.text(ludus.game("tictactoe").start()), "a state of connect4, not <tic"),
        (lambda: CONNECT4.action(CONNECT4.start(), 3), "a move is written as text, such as '1'"),
        (lambda: CONNECT4.action(None, "3"), "this takes a state of connect4"),
        (lambda: CONNECT4.move(None, 3), "this takes a state of connect4"),
        (lambda: CONNECT4.move(CONNECT4.start(), "3"), "an action is an integer, not '3'"),
        (lambda: ludus.agent("random").think(None), "an agent thinks of a state, such as"),
        (lambda: ludus.agent("greedy").think("..."), "an agent thinks of a state, such as"),
        (lambda: ludus.agent("uct").think(CONNECT4), "an agent thinks of a state, such as"),
        (lambda: ludus.agent("alphabeta").think(3), "an agent thinks of a state, such as"),
        (lambda: ludus.agent("perfect").think(None), "an agent thinks of a state, such as"),
        (lambda: ludus.agent("zoo/connect4").think(None), "an agent thinks of a state, such as"),
        (lambda: ludus.match(CONNECT4, None, "random", games=2), "an agent is its spelling"),
        (lambda: ludus.match(CONNECT4, "random", len, games=2), "an object with think"),
        (lambda: ludus.match(3, "random", "random", games=2), "a game is ludus.game"),
        (lambda: ludus.playouts(None, 3), "this takes a game, its spelling or a state"),
        (lambda: ludus.oracle(3), "a game is ludus.game"),
        (lambda: ludus.tournament(CONNECT4, "random", games=2), "takes a list of agents"),
        (lambda: ludus.tournament(CONNECT4, None, games=2), "takes a list of agents"),
        (lambda: ludus.EpsilonGreedy("random", 0.1), "an object with think"),
        (lambda: ludus.match(CONNECT4, "random", "random", games=2, openings=3), "openings are"),
    ],
)
def test_a_wrong_type_gets_a_sentence(ask, sentence):
    with pytest.raises((TypeError, ValueError)) as caught:
        ask()
    assert sentence in str(caught.value)


@dataclass
class Number:
    """Returns an action, where a thought is wanted."""

    seed: int = 0

    def think(self, state):
        return state.legal()[0]


@dataclass
class Short:
    """Its policy has too few numbers."""

    seed: int = 0

    def think(self, state):
        return ludus.Thought(np.ones(2))


@dataclass
class Listed:
    """Its policy is no array."""

    seed: int = 0

    def think(self, state):
        return ludus.Thought([1 / 7] * 7)


@dataclass
class Unsure:
    """Its policy is no number."""

    seed: int = 0

    def think(self, state):
        return ludus.Thought(np.full(7, np.nan))


@dataclass
class Falls:
    """Raises."""

    seed: int = 0

    def think(self, state):
        return {}["nothing"]


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [
        (Number(), "Number returned 0 from think(state), which returns a ludus.Thought"),
        (Short(), "the policy of Short is an array of 7 numbers, one for each action"),
        (Listed(), "the policy of Listed is an array of 7 numbers, one for each action"),
        (Unsure(), "the policy of Unsure holds what is not finite"),
        (Falls(), "Falls raised KeyError: 'nothing' at ply 0"),
    ],
)
def test_an_agent_of_ones_own_that_errs_is_named(agent, sentence):
    with pytest.raises((TypeError, ValueError)) as caught:
        ludus.match(CONNECT4, agent, "random", games=2, openings="none")
    assert sentence in str(caught.value)
