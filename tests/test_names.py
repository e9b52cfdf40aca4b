"""Names come from the lists of what there is; whatever else is given is answered in a sentence."""

import pytest

import ludus
from ludus.cli import main
from ludus.learn import algorithm

NAMES = {
    "package": "__init__",
    "private": "_small",
    "kept": "kept",
    "cache": "__pycache__",
    "empty": "",
    "space": " ",
    "padded": " random",
    "dots": "random.random",
    "parent": "..agents.random",
    "end": "random.",
    "dot": ".",
    "line": "random\n",
    "nul": "ran\0dom",
    "nul path": "runs/\0@best",
    "fullwidth": "ｒａｎｄｏｍ",
    "greek": "τυχαίο",
    "surrogate": "\udc80",
    "escape": "\x1b[2J",
    "long": "a" * 5000,
    "long path": "a" * 5000 + "/b",
    "long file": "a" * 5000 + ".py",
    "nul file": "\0.py",
    "folder file": "src/.py",
    "at": "@",
    "slash": "/",
    "zoo": "zoo/",
    "zoo up": "zoo/../zoo/connect4",
    "zoo nul": "zoo/\0",
    "star": "*",
}


@pytest.fixture(params=NAMES.values(), ids=NAMES)
def name(request):
    return request.param


def test_agents(name):
    with pytest.raises((ValueError, OSError), match=r"no agent|no run|no file|zoo|too long"):
        ludus.agent(name)


def test_games(name):
    with pytest.raises((ValueError, OSError), match=r"no game|no file|too long"):
        ludus.game(name)


def test_oracles(name):
    with pytest.raises((ValueError, OSError), match=r"no game|no file|too long"):
        ludus.oracle(name)


def test_algorithms(name):
    with pytest.raises(ValueError, match="no algorithm"):
        algorithm(name)


@pytest.mark.parametrize(
    "words",
    [
        ["match", "connect4", "NAME", "random"],
        ["match", "NAME", "random", "random"],
        ["play", "connect4", "--vs", "NAME"],
        ["solve", "NAME"],
        ["show", "NAME"],
        ["games", "NAME ", "--json"],
        ["check-game", "NAME"],
        ["perft", "NAME", "2"],
        ["train", "NAME", "connect4"],
        ["train", "ppo", "NAME"],
        ["train", "ppo", "connect4", "--preset", "NAME?"],
        ["train", "ppo", "connect4", "--eval-opponents", "NAME?", "--run", "/nowhere/x"],
        ["train", "ppo", "connect4", "--network", "NAME?", "--run", "/nowhere/x"],
        ["resume", "NAME"],
        ["replay", "NAME"],
        ["zoo", "NAME?"],
    ],
    ids=" ".join,
)
def test_commands(words, name, capsys):
    try:
        code = main([word.replace("NAME", name) for word in words])
    except SystemExit as left:  # argparse takes a name that begins with a dash for an option
        code = left.code
    said = capsys.readouterr().err
    assert code == 2
    assert said.count("\n") == 1 or said.startswith("usage")
    assert said.rstrip("\n").isprintable() or said.startswith("usage")
    assert len(said) < 2100


@pytest.mark.parametrize("given", [5, None, b"random", ["random"], ludus.game("connect4")])
def test_an_agent_is_given_by_its_spelling(given):
    with pytest.raises(ValueError, match="an agent is given by its spelling"):
        ludus.agent(given)


def test_a_command_is_one_of_those_there_are(name, capsys):
    if name in ("", " ", "-"):
        return
    with pytest.raises(SystemExit) as left:
        main([name])
    assert left.value.code == 2
    assert all(line.isprintable() for line in capsys.readouterr().err.split("\n"))


def test_a_class_has_neither_the_truth_nor_the_drawing_of_a_game_of_the_same_name():
    example = type(ludus.game("examples/breakthrough.py").start().inner)
    namesake = ludus.game(type("Connect4", (example,), {}), size=4)
    assert namesake.name == "connect4"
    assert ludus.game("connect4").text(ludus.game("connect4").start())
    assert namesake.text(namesake.start())
    with pytest.raises(ludus.NoTruth):
        ludus.oracle(namesake)
