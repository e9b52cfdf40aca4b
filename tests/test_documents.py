"""Every snippet of every document: Python runs, commands are understood by who would run them."""

import ast
import doctest
import importlib
import json
import re
import tomllib
import warnings

import pytest

import ludus
from ludus.agent import agent_names
from ludus.cli import parser
from ludus.cli._options import typed_settings
from ludus.cli.train import own_options
from ludus.game import game_names
from ludus.learn import algorithm, algorithms
from ludus.learn.settings import config
from ludus.learn.settings.preset import find
from tests.snippets import DOCUMENTS, ROOT, blocks, commands, name

PLACEHOLDERS = {"METHOD": "ppo", "GAME": "connect4", "A": "random", "B": "uct", "C": "greedy"}
# What a shell has anyway, or a person has installed; none of these is ours.
FOREIGN = {".", "cd", "curl", "docker", "git", "ray", "sh"}
# Python that needs a cluster, a finished run or hours: its names are looked up, and it is not run.
NOT_RUN = {
    "docs/scale.md": "needs a cluster",
    "docs/lab.md": "needs a run with a record of its states",
    "docs/howto/cluster.md": "needs a cluster",
}
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def showing(language):
    return [one for one in DOCUMENTS if blocks(one, language)]


@pytest.mark.parametrize("document", showing("python"), ids=name)
def test_what_is_typed_at_a_prompt_gives_what_is_shown(document, tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(document), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
    prompts = sum(block.count(">>> ") for block in blocks(document, "python"))
    assert result.attempted == prompts
    assert not re.search("doctest: ?.?SKIP", document.read_text())


def programs(document):
    """Blocks without a prompt, which are run as they stand."""
    return [block for block in blocks(document, "python") if ">>> " not in block]


def shown_names(block):
    """Every `from x import y` of a block, and every `import x`."""
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module, one.name) for one in node.names)
        elif isinstance(node, ast.Import):
            yield from ((one.name, None) for one in node.names)


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if programs(one)], ids=name)
def test_programs_run_block_after_block(document, tmp_path, monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # TorchRL warns of its own past when it is imported
        for block in programs(document):
            for module, attribute in shown_names(block):
                found = pytest.importorskip(module, reason=f"{name(document)} shows {module}")
                if attribute is not None and not hasattr(found, attribute):
                    importlib.import_module(f"{module}.{attribute}")
        if name(document) in NOT_RUN:
            return
        monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
        monkeypatch.chdir(ROOT)
        names = {"__name__": "shown"}
        for block in programs(document):
            exec(compile(block, name(document), "exec"), names)  # noqa: S102


def test_what_is_not_run_is_there():
    assert all(programs(ROOT / document) for document in NOT_RUN)


@pytest.mark.parametrize("document", showing("json"), ids=name)
def test_json_is_json(document):
    assert all(json.loads(block) is not None for block in blocks(document, "json"))


@pytest.mark.parametrize("document", showing("sh"), ids=name)
def test_commands_are_understood(document, capsys):
    shown = list(commands(document))
    assert shown
    for words in shown:
        try:
            understand([PLACEHOLDERS.get(word, word) for word in words if word != "..."])
        except SystemExit as left:
            if left.code:  # without one it was --help
                pytest.fail(f"{' '.join(words)}: {capsys.readouterr().err}")


def understand(words):
    """Raise unless whoever is called takes these words."""
    program, *rest = words
    if program.endswith("ludus"):
        check_ludus(rest)
    elif program == "make":
        check_make(rest)
    elif program.endswith("pip"):
        check_pip(rest)
    elif program.endswith("python"):
        check_python(rest)
    else:
        assert program in FOREIGN, f"{program} is no command that documents show"


def check_ludus(words):
    """The command line takes them, and what is spelled in them is there."""
    args = parser().parse_args(words)
    if args.command == "train" and args.algorithm is not None:
        module = algorithm(args.algorithm)
        own = own_options(args.algorithm, module).parse_intermixed_args(args.words)
        preset = None if own.preset is None else find(own.preset, module.PRESETS)
        config.read_config(module.Config, typed_settings(own, module.Config), preset)
        words = [own.game] if own.game else []
    for word in words:
        head = word.partition(":")[0]
        if head in game_names():
            ludus.game(word)
        elif head in agent_names() and not {";", "/"} & {*word}:
            ludus.agent(word)


def check_make(words):
    """Each target stands in the Makefile."""
    assert {word for word in words if "=" not in word} <= targets_of_make()


def targets_of_make():
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))


def test_what_the_makefile_lists_it_can_make():
    listed = re.search(r"^\.PHONY:((?:.*\\\n)*.*)", (ROOT / "Makefile").read_text(), re.M)
    assert {"demo", "docs", "package", "tag"} <= {*listed[1].split()} - {"\\"} <= targets_of_make()


def check_pip(words):
    """Extras of ours are those of pyproject.toml."""
    for word in words:
        for extras in re.findall(r"(?:^\.|ludus-lab|\.whl)\[(.*?)\]", word):
            assert set(extras.split(",")) <= EXTRAS.keys()


def check_python(words):
    """A script or module of the clone that is run is there."""
    if words[:1] == ["-m"]:
        path = words[1].replace(".", "/")
        assert (
            words[1] in ("venv", "ludus")
            or (ROOT / f"{path}.py").exists()
            or (ROOT / path).is_dir()
        )
    elif words and not words[0].startswith("-"):
        assert (ROOT / words[0]).is_file()


@pytest.mark.parametrize(
    "words",
    [
        ["ludus", "trian"],
        ["ludus", "match", "connect4", "random", "uct", "--gams", "3"],
        ["ludus", "train", "ppo", "connect4", "--clip", "0.1"],
        ["ludus", "match", "connect4:rows=99", "random", "uct"],
        ["ludus", "match", "connect4", "random", "uct:simulation=5"],
        ["make", "dmo"],
        ["pip", "install", ".[lern]"],
        ["python", "scripts/nothing.py"],
        ["rm", "-r", "runs"],
    ],
    ids=" ".join,
)
def test_a_wrong_command_would_be_noticed(words):
    with pytest.raises((SystemExit, AssertionError, ValueError)):
        understand(words)


def test_every_method_and_every_command_has_its_place():
    pages = {name(one) for one in DOCUMENTS}
    methods = set(algorithms()) - {"alphazero"}
    assert {f"docs/how/{method}.md" for method in methods} | {"docs/alphazero.md"} <= pages
    assert {f"docs/games/{game}.md" for game in game_names()} <= pages
