"""Runs and the zoo play where torch cannot be imported; whoever wants to train is told why not."""

import json
import subprocess
import sys
from itertools import islice

import pytest

from ludus.learn.networks.architectures import NETWORKS
from ludus.learn.runs.run import Run
from ludus.learn.store import zoo
from tests.learn.small import METHODS, small

GAME = "connect4:rows=4,columns=5"
MISSING = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
"""
CHILD = f"""{MISSING}
import json
import ludus
for spelling, game in json.load(sys.stdin):
    state = ludus.game(game).start()
    for options in ("", ":simulations=8", ":symmetric=true"):
        policy = ludus.agent(spelling + options).think(state).policy
        assert abs(policy.sum() - 1) < 1e-6, spelling
    print(spelling)
"""
COMMAND = f"""{MISSING}
import shlex
from ludus.cli import main
for command in sys.argv[1:]:
    if code := main(shlex.split(command)):
        sys.exit(code)
"""


def child(script, *args, given=""):
    """What a Python without torch prints, and how it ends."""
    done = subprocess.run(
        [sys.executable, "-c", script, *args],
        input=given,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def play(agents):
    code, out, errors = child(CHILD, given=json.dumps(agents))
    assert code == 0, errors
    assert out.split() == [spelling for spelling, _ in agents]


def begun(path, game, method, config):
    """A run after one step."""
    training = Run(path, game, method, config).steps()
    for _ in islice(training, 1):
        pass
    training.close()
    return f"{path}@last"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


def test_every_method_plays(home):
    makers = [name for name in METHODS if name != "vae"]
    play([(begun(home / name, GAME, name, small(name)), GAME) for name in makers])


@pytest.mark.parametrize(
    "names",
    [
        ("conv", "residual", "attention", "c4net"),
        pytest.param(tuple(NETWORKS), marks=pytest.mark.slow),
    ],
    ids=["few", "all"],
)
def test_every_network_plays(home, names):
    runs = [
        begun(home / f"{len(names)}-{name}", GAME, "reinforce", small("reinforce", network=name))
        for name in names
    ]
    play([(run, GAME) for run in runs])


def test_networks_on_an_encoder_with_a_critic_behind_a_gate_and_weighted_play(home):
    begun(home / "seer", GAME, "vae", small("vae"))
    seen = {"encoder": str(home / "seer")}
    kinds = {
        "encoded": (GAME, "ppo", small("ppo", **seen)),
        "freeze_encoder": (GAME, "dqn", small("dqn", freeze_encoder=True, **seen)),
        "critic": (GAME, "ppo", small("ppo", separate_networks=True)),
        "encoded-critic": (GAME, "ppo", small("ppo", separate_networks=True, **seen)),
        "gated": (GAME, "alphazero", small("alphazero", gate="0.5", gate_games=2)),
        "batch": (GAME, "alphazero", small("alphazero", network="c4net")),
        "weighted": (
            "supertictactoe",
            "reinforce",
            small("reinforce", weighting=True, planes="paper"),
        ),
    }
    play([(begun(home / name, *of), of[0]) for name, of in kinds.items()])


def test_the_zoo_plays():
    play([(f"zoo/{name}", zoo.card(name)["game"]) for name in zoo.names()])


def test_a_match_is_played_and_runs_and_the_zoo_are_listed(home):
    spelled = begun(home / "listed", GAME, "ppo", small("ppo"))
    commands = [
        "match connect4 zoo/connect4 random --games=2",
        f"match {GAME} {spelled} random --games=2",
        f"runs {home}",
        "zoo",
    ]
    code, out, errors = child(COMMAND, *commands)
    assert code == 0, errors
    assert "zoo/connect4" in out
    assert f"{home}/listed" in out


def test_training_without_torch_names_the_extra_that_has_it():
    code, _, errors = child(COMMAND, f"train ppo {GAME}")
    assert code != 0
    assert "pip install '.[learn]'" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("missing", ["onnx", "onnxruntime"])
def test_playing_without_its_packages_names_the_extra_that_has_them(missing):
    script = COMMAND.replace('"torch"', f'"{missing}"')
    code, _, errors = child(script, "match connect4 zoo/connect4 random --games=2")
    assert code != 0
    assert "pip install '.[play]'" in errors
    assert "Traceback" not in errors
