"""Settings describe themselves: help, checks, documents, reports and schemas say the same."""

import dataclasses
import importlib.util
import json
from pathlib import Path

import pytest

import ludus
from ludus.cli import main
from ludus.cli._options import Options, add_fields, sentence
from ludus.draw.terminal import Ink
from ludus.learn import about, algorithm, algorithms
from ludus.learn.runs.run import Run
from ludus.learn.settings.config import GROUPS, options_by_group, read_config
from ludus.learn.settings.needs import needs_of
from ludus.learn.settings.schema import run_schema
from ludus.options import describe
from ludus.report.training import page
from tests.learn.small import small

METHODS = algorithms()
ROOT = Path(__file__).parents[2]
EVERY = [(name, one) for name in METHODS for one in describe(algorithm(name).Config)]


@pytest.mark.parametrize("name", METHODS)
def test_every_setting_describes_itself(name):
    kind = algorithm(name).Config
    assert [one.name for one in describe(kind)] == [one.name for one in dataclasses.fields(kind)]
    for one in describe(kind):
        assert one.facts.group in GROUPS, one.name
        assert one.accepts(one.default), one.name
        assert len(one.facts.help) >= 12, one.name
        assert not one.facts.help.endswith("."), one.name
        assert one.facts.help[:1].islower() or one.facts.help.split()[0].strip(",") in WORDS


WORDS = {"L2", "Huber", "Gumbel"}  # with which a sentence may begin
SIGNED = {"reward_scale", "illegal_reward"}  # of which every number means something


@pytest.mark.parametrize("name", METHODS)
def test_every_number_has_a_range(name):
    for one in describe(algorithm(name).Config):
        ends = (one.facts.low, one.facts.high, one.facts.above, one.facts.below)
        if {int, float} & set(one.types) and one.name not in SIGNED:
            assert any(end is not None for end in ends), one.name


@pytest.mark.parametrize(("name", "one"), EVERY, ids=lambda one: getattr(one, "name", one))
def test_a_setting_beyond_its_bounds_is_refused(name, one):
    kind, facts = algorithm(name).Config, one.facts
    beyond = [facts.above, facts.below]
    beyond += [end and end * 2 + 1 for end in (facts.high,)]
    beyond += [facts.low - 1] if facts.low is not None else []
    beyond += ["no such word"] if facts.choices else []
    for value in beyond:
        if value is not None:
            with pytest.raises(ValueError, match=f"^{one.name} is ") as told:
                kind(**{one.name: value})
            assert len(str(told.value)) < 160
    if not one.optional:
        with pytest.raises(ValueError, match=f"^{one.name} is "):
            kind(**{one.name: None})


def test_a_class_that_changes_a_default_keeps_the_description():
    changed = {one.name: one for one in describe(algorithm("cem").Config)}
    assert changed["steps"].default == 200
    assert changed["steps"].facts.help.startswith("steps of the training")


def parser(name):
    made = Options(prog=f"ludus train {name}", description=about(name), allow_abbrev=False)
    add_fields(made, algorithm(name).Config)
    return made


@pytest.mark.parametrize("name", METHODS)
def test_help_explains_every_setting_at_80_columns(name, capsys):
    with pytest.raises(SystemExit):
        main(["train", name, "connect4", "--help"])
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= 80
    assert "\x1b" not in told
    words = " ".join(told.split())
    for one in describe(algorithm(name).Config):
        option = "--" + one.name.replace("_", "-")
        assert f"  {option} {one.kind}" in told
        assert " ".join(sentence(one).split()) in words
    groups = [line for line in told.splitlines() if line in GROUPS]
    assert groups == [group for group in GROUPS if group in groups]
    assert "--gae-lambda FLOAT = 0.95, from 0 to 1" in words or name != "ppo"


@pytest.mark.parametrize("name", METHODS)
def test_settings_that_matter_by_default_come_first_in_their_group(name):
    kind = algorithm(name).Config
    usual, needs = kind(), needs_of(kind)
    grouped = options_by_group(kind)
    every = [one for members in grouped.values() for one in members]
    assert {one.name for one in every} == {one.name for one in describe(kind)}
    for members in grouped.values():
        idle = [any(not need.enough(usual) for need in needs.get(one.name, ())) for one in members]
        assert idle == sorted(idle)
    names = [one.name for one in grouped.get("self-play", [])]
    if "opponent_tau" in names:
        assert names[:2] == ["n_envs", "opponent"]


def test_help_has_colour_on_a_terminal_only(monkeypatch):
    plain, painted = ("\n".join(parser("ppo").lines(Ink(colour))) for colour in (False, True))
    assert "\x1b" not in plain
    for code in ("[1m", "[31m", "[2m", "[0m"):
        assert f"\x1b{code}" in painted
        painted = painted.replace(f"\x1b{code}", "")
    assert painted.replace("\x1b[1;34m", "") == plain
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" in parser("ppo").format_help()
    monkeypatch.setenv("NO_COLOR", "1")
    assert parser("ppo").format_help() == plain + "\n"


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_without_a_method_they_are_listed(words, capsys):
    assert main(["train", *words]) == 2
    told = capsys.readouterr().out
    if words:
        assert json.loads(told)["methods"] == {name: about(name) for name in METHODS}
    for name in METHODS:
        assert name in told
        assert " ".join(about(name).split()) in " ".join(told.split())
        assert about(name).endswith(".")


def test_the_reference_of_options_is_up_to_date():
    file = ROOT / "scripts" / "options_reference.py"
    spec = importlib.util.spec_from_file_location("options_reference", file)
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    assert reference.FILE.read_text() == reference.page(), "python scripts/options_reference.py"


KINDS = {"integer": int, "number": (int, float), "boolean": bool, "string": str, "object": dict}


def flaws(schema, value, at="config.json"):
    """What a value has against a schema, as far as ours use the language."""
    if "const" in schema:
        return [] if value == schema["const"] else [f"{at} is {value!r}"]
    kind = schema["type"]
    if isinstance(kind, list):
        kind = kind[0]
        if value is None and "null" in schema["type"]:
            return []
    if not isinstance(value, KINDS[kind]) or (kind != "boolean" and value is True):
        return [f"{at} is no {kind}"]
    found = [f"{at} is not chosen" for _ in [0] if value not in schema.get("enum", [value])]
    bounds = {
        "minimum": lambda end: value >= end,
        "maximum": lambda end: value <= end,
        "exclusiveMinimum": lambda end: value > end,
        "exclusiveMaximum": lambda end: value < end,
    }
    for key, fits in bounds.items():
        if key in schema and not fits(schema[key]):
            found.append(f"{at} is against its {key}")
    if kind == "object" and "properties" in schema:
        found += [f"{at} lacks {name}" for name in schema.get("required", ()) if name not in value]
        for name, one in value.items():
            if name not in schema["properties"]:
                found.append(f"{at} has {name}")
            else:
                found += flaws(schema["properties"][name], one, name)
    return found


@pytest.mark.parametrize("name", METHODS)
def test_real_configs_fit_the_schema(name, tmp_path, capsys):
    assert main(["train", name, "--schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema == json.loads(json.dumps(run_schema(name, algorithm(name).Config)))
    game = ludus.game("tictactoe")
    Run(tmp_path / "x", game, name, small(name, steps=1), seed=1, command="x").train()
    record = json.loads((tmp_path / "x" / "config.json").read_text())
    assert flaws(schema, record) == []
    for preset in algorithm(name).PRESETS.values():
        config = dataclasses.asdict(read_config(algorithm(name).Config, {}, preset))
        assert flaws(schema["properties"]["config"], config) == []


def test_the_schema_refuses_what_a_config_refuses():
    schema = run_schema("ppo", algorithm("ppo").Config)["properties"]["config"]
    assert flaws(schema, {"gae_lambda": 1.5}) == ["gae_lambda is against its maximum"]
    assert flaws(schema, {"learning_rate": 0}) == ["learning_rate is against its exclusiveMinimum"]
    assert flaws(schema, {"credit": "mine"}) == ["credit is not chosen"]
    assert flaws(schema, {"trace": 0.9}) == ["config.json has trace"]
    assert flaws(schema, {"steps": True}) == ["steps is no integer"]


def test_the_report_says_what_settings_mean(tmp_path):
    run = Run(tmp_path / "x", "tictactoe", "ppo", small("ppo", steps=1), seed=1).train()
    told = page(run)
    assert "<summary><b>targets</b>" in told
    assert "<div>gae_lambda (lambda)</div><div><code>0.95</code></div>" in told
    assert "lambda of generalised advantage estimation" in told
    assert "a number from 0 to 1; default 0.95; Schulman 2016" in told
    for one in describe(type(run.asked.config)):
        assert f">{one.name}" in told
