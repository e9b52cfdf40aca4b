"""Games written in Python run wherever a native game does."""

import os
import random
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import _core
from ludus.laws import LAWS, check
from ludus.laws.line import random_game

EXAMPLE = Path(__file__).parents[1] / "examples" / "breakthrough.py"


class Nim:
    """Take one to three stones; whoever takes the last one wins. With luck one more falls."""

    max_plies = 40

    def __init__(self, stones, player=0):
        self.stones, self.player = stones, player

    @classmethod
    def start(cls, stones=10):
        return cls(stones)

    @classmethod
    def parse(cls, text, stones=10):
        left, _, player = text.partition(" ")
        state = cls(int(left), int(player or 9))
        if str(state) != text or not 0 <= state.stones <= stones or state.player not in (0, 1):
            raise ValueError("a position is stones left, then the player")
        return state

    num_actions = 3
    shape = (1, 1, 1)

    @property
    def outcome(self):
        return -1 if self.stones == 0 else None

    def legal(self):
        return [a for a in range(3) if a < self.stones]

    def chances(self, action):
        left = self.stones - action - 1
        return [(0, 0.75), (1, 0.25)] if left else [(0, 1.0)]

    def play(self, action, result):
        return Nim(self.stones - action - 1 - result, 1 - self.player)

    def features(self):
        return [[[self.stones]]]

    def __str__(self):
        return f"{self.stones} {self.player}"

    def __eq__(self, other):
        return isinstance(other, Nim) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("size", [4, 6])
def test_the_example_keeps_every_law(law, size):
    game = ludus.game(str(EXAMPLE), size=size)
    for seed in range(10):
        rng = random.Random(seed)
        LAWS[law](game, random_game(game, rng), rng)


def test_a_game_of_chance_keeps_every_law():
    assert [(name, broken) for name, _, broken in check(ludus.game(Nim), 1, 20) if broken] == []


def test_native_templates_run_python_games():
    game = ludus.game(str(EXAMPLE), size=8)
    counts = ludus.perft(game, 3)
    assert counts == [22, 484, 11132]  # the known counts of the game on its usual board
    game = ludus.game(str(EXAMPLE), size=5)
    counts = ludus.perft(game, 3)
    state = game.start()
    assert counts[2] == sum(
        len(state.play(a).play(b).legal()) for a in state.legal() for b in state.play(a).legal()
    )
    result = ludus.playouts(game, 30, seed=2)
    assert sum(result.wins) == 30
    assert ludus.playouts(game, 30, seed=2).plies == result.plies
    assert ludus.playouts(ludus.game(Nim), 30, seed=2).games == 30


def test_it_is_shown_drawn_and_spelled():
    game = ludus.game(str(EXAMPLE), size=5)
    assert game.spelling == f"{EXAMPLE}:size=5"
    assert ludus.game(game.spelling).start() == game.start()
    assert "first player to move" in game.text(game.start(), colour=False)
    assert game.draw(game.start()).svg.startswith("<svg")
    assert str(game.replay("a2-a3 b4-b3")).endswith("x")


def test_the_ply_cap_is_a_draw():
    game = ludus.game(Nim, stones=1000)
    state = game.start()
    for _ in range(40):
        assert state.outcome is None
        state = state.play(0, chance=0)
    assert (state.outcome, state.legal(), state.winner) == (0, [], None)


def test_laws_notice_what_is_wrong():
    class Sticky(Nim):
        """A game in which the last mover stays to move."""

        def play(self, action, result):
            return Sticky(self.stones - action - 1 - result, self.player)

        @classmethod
        def start(cls, stones=10):
            return cls(stones)

    broken = {name for name, _, how in check(ludus.game(Sticky), 1, 5) if how}
    assert "ends" in broken


def test_a_class_without_the_nouns_is_refused():
    class Empty:
        pass

    with pytest.raises(ValueError, match="class method start; Empty lacks it"):
        ludus.game(Empty)
    with pytest.raises(ValueError, match="a batch needs a native game"):
        ludus.batch(ludus.game(Nim), 3)
    with pytest.raises(ValueError, match="no parameter 'colour'; there are stones"):
        ludus.game(Nim, colour=3)


def test_a_file_that_does_not_run_is_one_sentence(tmp_path):
    file = tmp_path / "bad.py"
    file.write_text("1/0\n")
    with pytest.raises(ValueError, match=r"bad\.py does not run: ZeroDivisionError"):
        ludus.game(str(file))


def test_the_text_of_a_file_runs_and_not_what_was_compiled_from_another(tmp_path):
    import py_compile

    file, mark = tmp_path / "mine.py", tmp_path / "mark"
    text = EXAMPLE.read_text()
    poison = f"open({str(mark)!r}, 'w').close()\n"
    file.write_text(poison + "#" * (len(text) - len(poison)))
    os.utime(file, (1, 1))
    py_compile.compile(str(file))
    file.write_text(text)
    os.utime(file, (1, 1))
    assert ludus.game(str(file)).start().legal()
    assert not mark.exists()


class Crowded(Nim):
    """Nim without luck, all of whose positions have one hash."""

    def chances(self, action):
        return [(0, 1.0)]

    def play(self, action, result=0):
        return Crowded(self.stones - action - 1, 1 - self.player)

    def features(self):
        return np.full((1, 1, 1), self.stones, np.float32)

    def __hash__(self):
        return 7


def test_self_play_tells_positions_of_one_hash_apart():
    start = ludus.game(Crowded).start()
    pool = _core.selfplay(start, 6, seed=1, simulations=4, random_opening_plies=4)
    stones = {pool.row(row)[0].inner.stones for row in range(6)}
    features = np.zeros((6, 1, 1, 1), np.float32)
    asked = pool.gather(features)
    assert len(stones) > 1
    assert set(features[:asked].ravel()) == stones


def test_check_game_names_file_line_and_moves_once_where_a_game_raises(tmp_path, capsys):
    from ludus.cli import main

    play = "    def play(self, action: int) -> Breakthrough:\n"
    source = EXAMPLE.read_text()
    assert play in source
    file = tmp_path / "raises.py"
    broken = play + "        if self.player and action % 2:\n            raise KeyError('lost')\n"
    file.write_text(source.replace(play, broken, 1))
    line = file.read_text().split("raise KeyError")[0].count("\n") + 1
    assert main(["check-game", str(file)]) == 1
    said = capsys.readouterr().out
    assert said.count("KeyError") == 1
    told = next(row for row in said.splitlines() if "KeyError" in row)
    assert f"KeyError: 'lost' at raises.py:{line} after " in told
    moves = told.partition(" after ")[2].split()
    game = ludus.game(str(file))
    state = game.start()
    for move in moves[:-1]:
        state = state.play(game.action(state, move))
    with pytest.raises(KeyError):
        state.play(game.action(state, moves[-1]))


def test_what_a_law_alone_raises_is_told_with_the_moves_to_its_state(tmp_path):
    file = tmp_path / "raises.py"
    source = EXAMPLE.read_text()
    head = "    def features(self)"
    at = source.index("\n", source.index(head)) + 1
    raising = "        if self.player:\n            return 1 / 0\n"
    file.write_text(source[:at] + raising + source[at:])
    game = ludus.game(str(file))
    told = {name: how for name, _, how in check(game, 0, 5) if how}
    assert set(told) == {"features", "symmetry"}
    assert told["symmetry"] == "the same as in features"
    assert "ZeroDivisionError: division by zero at raises.py:" in told["features"]
    moves = told["features"].partition(" after ")[2].split()
    assert game.replay(" ".join(moves)).player == 1


def test_who_wins_random_games_is_shown_and_a_turned_sign_seen(tmp_path, capsys):
    from ludus.cli import main

    assert main(["check-game", str(EXAMPLE)]) == 0
    said = capsys.readouterr().out
    assert "of 20 random games: first player " in said
    assert "the last move wins 20 of 20" in said
    assert "never wins" not in said
    source = EXAMPLE.read_text()
    assert source.count("return -1 if lost") == 1
    (tmp_path / "turned.py").write_text(source.replace("return -1 if lost", "return 1 if lost"))
    assert main(["check-game", str(tmp_path / "turned.py")]) == 0
    said = capsys.readouterr().out
    assert "the last move wins 0 of 20" in said
    assert "whoever makes the last move never wins" in said


def test_winners_are_those_that_a_plain_count_finds():
    from ludus.laws import random_games
    from ludus.laws.winners import winners

    lines = [line for line, _ in random_games(ludus.game("tictactoe"), 3, 60)]
    won = winners(lines)
    last = [line.states[-1] for line in lines]
    returns = [state.returns[0] for state in last]
    assert (won.first, won.second, won.draws) == tuple(map(returns.count, (1, -1, 0)))
    assert won.last_mover == won.first + won.second
    assert min(won.first, won.second, won.draws) > 0
    assert not won.suspicious
