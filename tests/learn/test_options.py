"""Every field of every method's Config has an effect, or a reason: each is changed and looked at.

A field is changed in a context in which it should matter. What matters only beside another setting
stands in the tables `NEEDS`; it is refused where it would do nothing, and does nothing there.
"""

import dataclasses
from functools import cache

import pytest

import ludus
from ludus.cli import main
from ludus.learn import algorithm
from ludus.learn.networks import int8
from ludus.learn.networks.effects import check_effects
from ludus.learn.networks.network import NETWORKS, network
from ludus.learn.networks.places import places_of
from ludus.learn.networks.precision import has_bfloat16
from ludus.learn.runs.run import Run
from ludus.learn.selfplay.settings import can_be_quantised
from ludus.learn.settings.needs import NEVER, missing_need, needs_of
from tests.learn.contexts import (
    CONTEXTS,
    IN_VAIN,
    OF_METHOD,
    OF_RUNS,
    REFUSED,
    ROUNDED,
    SAME,
    STIRRING,
    STORED,
    VALUES,
)
from tests.learn.small import METHODS, SMALL, everything, small


def fields(name):
    return [one.name for one in dataclasses.fields(algorithm(name).Config)]


def another(name, field, held):
    """A value unlike the one that is held."""
    if field in VALUES:
        return VALUES[field]
    if isinstance(held, bool):
        return not held
    if isinstance(held, int):
        return held + 1 if held else 3
    return held / 2 if held else 0.5


def settings(name, context):
    """A small config in a context, and the game."""
    known = {key: value for key, value in context.items() if key in fields(name)}
    return ludus.game(context.get("game", "tictactoe")), small(name, **known)


def untimed(metrics):
    return {
        k: v for k, v in metrics.items() if "seconds" not in k and not k.endswith("_per_second")
    }


def learned(name, on, config):
    """All that a training came to."""
    course = []
    for step in algorithm(name).train(on, config, seed=1):
        course.append(untimed(step.metrics))
    arrays, plain = everything(step.snapshot())
    return course, {key: array.tobytes() for key, array in arrays.items()}, repr(plain)


@cache
def unchanged(name, context):
    return learned(name, *settings(name, dict(context)))


def both(name, field, context):
    """What a training comes to as it is, and with the field changed."""
    on, config = settings(name, context)
    value = another(name, field, getattr(config, field))
    assert value != getattr(config, field)
    changed = dataclasses.replace(config, **{field: value})
    return unchanged(name, tuple(sorted(context.items()))), learned(name, on, changed)


LEARNED = [
    pytest.param(name, field, id=f"{name}-{field}")
    for name in METHODS
    for field in fields(name)
    if field not in OF_RUNS
    and field not in STORED
    and needs_of(algorithm(name).Config).get(field) != NEVER
]


@pytest.mark.parametrize(("name", "field"), LEARNED)
def test_every_option_of_a_training_changes_it_or_has_a_reason(name, field):
    if field == "precision" and not has_bfloat16():
        pytest.skip("torch has no bfloat16 on this machine")
    context = {**CONTEXTS.get(field, {}), **OF_METHOD.get((name, field), {})}
    one, other = both(name, field, context)
    if field in SAME and (field not in ROUNDED or name == "alphazero"):
        assert one == other, SAME[field]
    elif field in ROUNDED:
        close(one[0][0], other[0][0])
    else:
        assert one != other, f"{field} of {name} changes nothing"


def close(one, other):
    """The first step of both: later ones go their own ways once an action differs."""
    assert one.keys() == other.keys()
    for key in one:
        assert one[key] == pytest.approx(other[key], rel=0.05, abs=0.05), key


NEEDED = [
    pytest.param(name, field, id=f"{name}-{field}")
    for name in METHODS
    for field in needs_of(algorithm(name).Config)
    if (name, field) not in REFUSED
]


@pytest.mark.parametrize(("name", "field"), NEEDED)
def test_an_option_in_vain_is_refused_and_would_change_nothing(name, field):
    context = IN_VAIN.get(field, {})
    on, config = settings(name, context)
    value = {
        **dict.fromkeys(STORED, "r"),
        "freeze_encoder": False,
        "gumbel_noise_plies": 3,
        "int8": "on",
    }.get(field)
    value = {"eval_opponents": "greedy", "eval_openings": "random:2"}.get(field, value)
    value = another(name, field, getattr(config, field)) if value is None else value
    changed = dataclasses.replace(config, **{field: value})
    assert missing_need(changed, field)
    with pytest.raises(ValueError, match=f"^{field} has no effect (with|in this method)") as told:
        check_effects(on, changed, [field])
    assert "\n" not in str(told.value)
    check_effects(on, config, [field])  # as it is by default
    if field not in STORED and field not in STIRRING:
        assert weights(learned(name, on, config)) == weights(learned(name, on, changed))


def weights(outcome):
    """The network of a training that is over."""
    return {key: array for key, array in outcome[1].items() if key.startswith("network/")}


def test_an_option_that_asks_for_nothing_is_never_refused():
    for name in METHODS:
        config = small(name, eval_freq=0, eval_truth_states=0, eval_opponents="")
        check_effects(
            ludus.game("tictactoe"), config, ["eval_freq", "eval_truth_states", "eval_opponents"]
        )


@pytest.mark.parametrize("name", [name for name in METHODS if name != "vae"])
@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"network": "c4net", "blocks": 3}, "blocks has no effect with network c4net"),
        ({"network": "kingcourtesan-dqn", "width": 64}, "width has no effect with network king"),
        ({"encoder": "runs/v", "width": 64}, "width has no effect with encoder runs/v"),
        ({"encoder": "runs/v", "network": "conv"}, "network has no effect with encoder runs/v"),
        ({"encoder": "runs/v", "blocks": 3}, "blocks has no effect with encoder runs/v"),
    ],
)
def test_sizes_that_a_network_does_not_have_are_refused(name, asked, sentence):
    config = algorithm(name).Config(**asked)
    with pytest.raises(ValueError, match=sentence):
        check_effects(ludus.game("connect4"), config, [next(reversed(asked))])


def test_an_activation_that_no_layer_has_is_refused():
    on = ludus.game("connect4")
    check_effects(on, algorithm("ppo").Config(network="zero", activation="relu"))
    with pytest.raises(ValueError, match="activation has no effect with network zero"):
        check_effects(on, algorithm("dqn").Config(network="zero", activation="relu"))


@pytest.mark.parametrize("name", ["symmetric_cache", "augmentation"])
def test_images_of_positions_are_refused_where_a_game_has_none(name):
    config = algorithm("alphazero").Config(**{name: False})
    check_effects(ludus.game("connect4"), config, [name])
    with pytest.raises(ValueError, match=f"{name} has no effect in checkers, which has no symm"):
        check_effects(ludus.game("checkers"), config, [name])


def test_sizes_that_are_the_networks_own_are_no_mistake():
    on = ludus.game("connect4")
    for own in ({"network": "mlp", "width": 128}, {"network": "residual", "blocks": 3}):
        check_effects(on, algorithm("ppo").Config(**own))


def test_whole_numbers_are_refused_where_a_network_has_none():
    on, config = ludus.game("connect4"), algorithm("alphazero").Config
    for name in NETWORKS:
        built = network(name, on.start().shape(), on.num_actions, seed=0, places=places_of(on))
        assert int8.can_quantise(built) == can_be_quantised(config(network=name, int8="on")), name
    with pytest.raises(ValueError, match="int8 has no effect with network mlp; choose --network z"):
        check_effects(on, config(network="mlp", int8="on"), ["int8"])
    check_effects(on, config(network="mlp", int8="off"), ["int8"])


@pytest.mark.parametrize(("name", "field"), sorted(REFUSED))
def test_a_field_that_a_method_cannot_follow_is_refused(name, field):
    with pytest.raises(ValueError, match=field):
        small(name, **{field: 3})


@pytest.mark.parametrize("name", METHODS)
def test_planes_that_a_game_does_not_have_are_refused(name):
    training = algorithm(name).train(ludus.game("tictactoe"), small(name, planes="signed"))
    with pytest.raises(ValueError, match="no planes 'signed' in tictactoe; there are full, paper"):
        next(training)
    with pytest.raises(ValueError, match="no planes 'signed' in tictactoe"):
        ludus.batch(ludus.game("tictactoe"), 2, planes="signed")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--planes signed", "no planes 'signed' in tictactoe; there are full, paper"),
        ("--network mlp --encoder runs/v", "network has no effect with encoder runs/v"),
        ("--width 8 --encoder runs/v", "width has no effect with encoder runs/v"),
        ("--pool-size 3", "pool_size has no effect with opponent self; choose --opponent pool"),
        (
            "--freeze-encoder false",
            "freeze_encoder has no effect with encoder ''; choose --encoder RUN",
        ),
        ("--anneal-ent-coef true", "anneal_ent_coef has no effect with lr_decay_steps 0; choose"),
    ],
)
def test_the_command_line_refuses_what_is_asked_in_vain(words, sentence, tmp_path, capsys):
    where = ["--run", str(tmp_path / "r"), "--steps", "1", "--n-envs", "2"]
    assert main(["train", "ppo", "tictactoe", *words.split(), *where]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
    assert not (tmp_path / "r").exists()


def test_what_a_preset_or_a_stored_run_carries_is_not_refused(tmp_path):
    idle = {"pool_size": 3, "freeze_encoder": False, "opponent_soft_interval": 4}
    config = dataclasses.replace(small("ppo", steps=1), **idle)
    run = Run(tmp_path / "r", "tictactoe", "ppo", config, seed=1, command="by a preset").train()
    Run(run.path).with_config(steps=2).train()
    with pytest.raises(ValueError, match="has no effect"):
        Run(tmp_path / "s", "tictactoe", "ppo", config, seed=1)
    assert not (tmp_path / "s").exists()


def kept(path, name, config):
    """What a run leaves behind: its course, its games, the names of its checkpoints."""
    run = Run(path, "tictactoe", name, config, seed=1, command="a test")
    run.train()
    course = [untimed(one) for one in run.folder.course()]
    games = {file.name: file.read_bytes() for file in sorted(run.folder.games.glob("*"))}
    return course, games, sorted(one.name for one in run.folder.checkpoints.iterdir())


RUN_VALUES = {
    "eval_opponents": "greedy",
    "total_games": 2,
    "eval_freq": 1,
    "eval_freq_games": 1,
    "n_eval_games": 4,
    "eval_openings": "random:2",
    "eval_truth_states": 40,
    "checkpoint_seconds": 0.0,
    "keep_every": 1,
    "eval_simulations": 3,
}
RUNS = [
    pytest.param(
        name,
        field,
        id=f"{name}-{field}",
        marks=() if name in ("ppo", "alphazero", "vae") else pytest.mark.slow,
    )
    for name in METHODS
    for field in fields(name)
    if field in OF_RUNS
    and (name, field) not in REFUSED
    and needs_of(algorithm(name).Config).get(field) != NEVER
]


@pytest.mark.parametrize(("name", "field"), RUNS)
def test_every_option_of_a_run_changes_what_it_leaves_behind(name, field, tmp_path):
    config = small(name, steps=3, eval_freq=3)
    if field == "tensorboard":
        pytest.importorskip("tensorboard")
        kept(tmp_path / "t", name, dataclasses.replace(config, tensorboard=True))
        assert [*(tmp_path / "t" / "tensorboard").iterdir()]
        return
    changed = dataclasses.replace(config, **{field: RUN_VALUES[field]})
    one = kept(tmp_path / "one", name, config)
    assert one != kept(tmp_path / "other", name, changed), f"{field} of {name} changes nothing"


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Runs to begin with, and to build on."""
    home = tmp_path_factory.mktemp("stored")
    for name in ("ppo", "vae"):
        Run(home / name, "tictactoe", name, small(name, steps=2), seed=5).train()
    return home


@pytest.mark.parametrize("name", [name for name in METHODS if name != "vae"])
def test_weights_and_encoders_of_other_runs_have_an_effect(name, stored):
    on, config = ludus.game("tictactoe"), small(name)
    begun = dataclasses.replace(config, init=f"{stored}/ppo@last")
    assert learned(name, on, begun) != learned(name, on, config)
    default = algorithm(name).Config()
    own = {key: getattr(default, key) for key in ("network", "width", "blocks")}
    on_top = dataclasses.replace(config, **own, encoder=f"{stored}/vae@last")
    frozen = learned(name, on, on_top)
    assert frozen != learned(name, on, dataclasses.replace(config, **own))
    assert frozen != learned(name, on, dataclasses.replace(on_top, freeze_encoder=False))
    trunk = {key: one for key, one in weights(frozen).items() if key.startswith("network/trunk.")}
    before = weights(learned(name, on, dataclasses.replace(on_top, steps=1)))
    assert trunk == {key: before[key] for key in trunk}, "a frozen encoder learns"


def test_an_agent_whose_name_holds_the_word_pool_is_no_pool(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lagged").mkdir()
    Run("lagged/pool1", "tictactoe", "ppo", small("ppo", steps=1), seed=1).train()
    on, config = ludus.game("tictactoe"), algorithm("ppo").Config
    for name in ("pool_size", "opponent_soft_interval"):
        asked = config(opponent="3*lagged/pool1@last;self", **{name: 4})
        with pytest.raises(ValueError, match=f"{name} has no effect with opponent 3.lagged/pool1"):
            check_effects(on, asked, [name])
    check_effects(on, config(opponent="3*random;pool", pool_size=4), ["pool_size"])


def test_the_smallest_configs_ask_for_nothing_in_vain():
    for name in METHODS:
        check_effects(ludus.game("connect4"), small(name))
    assert SMALL
