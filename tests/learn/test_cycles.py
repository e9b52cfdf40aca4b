"""AlphaZero as papers do it: whole cycles, a buffer that is filled, a gate that discards."""

import numpy as np
import pytest
import torch

import ludus
from ludus.learn import alphazero
from ludus.learn.networks.build import Heads, build
from ludus.learn.selfplay import gate
from ludus.learn.store import checkpoint, selection
from tests.learn.small import everything, same, small

GAME = ludus.game("tictactoe")


def steps(game=GAME, **changes):
    config = small("alphazero", **{"network": "zero", "n_pools": 1, "steps": 3, **changes})
    return alphazero.train(game, config, seed=1)


def alike(one, other):
    one, other = one.state_dict(), other.state_dict()
    return all(torch.equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("games", [1, 4])
@pytest.mark.parametrize("replace", [1.0, 0.5])
def test_no_self_play_is_lost_before_it_had_its_turn(games, replace):
    """Each position of an ended game is offered to the window, and enough of them come in."""
    config = {
        "n_envs": games,
        "positions_per_step": 40,
        "window": 100,
        "replace_prob": replace,
        "steps": 8,
    }
    before = 0
    for step in steps(**config):
        window, pools = step.parts["window"], step.parts["pools"]
        running = sum(
            len(pool.native.row(r)[3]["counts"]) for pool in pools.pools for r in range(games)
        )
        assert window.written + running == sum(p.native.counts["plies"] for p in pools.pools)
        entered = step.metrics["positions"] - before
        before = step.metrics["positions"]
        assert entered >= 40
    if replace == 1:
        assert before == window.written
    else:
        assert 0.4 < (before - 100) / (window.written - 100) < 0.65


def test_a_window_smaller_than_a_step_is_refused():
    with pytest.raises(ValueError, match="a window of 30 forgets most of the 40 positions"):
        next(steps(positions_per_step=40, window=30))
    with pytest.raises(ValueError, match=r"replace_prob is 0.01 or more, not 0.0"):
        next(steps(replace_prob=0.0))


@pytest.mark.parametrize("emptied", [False, True])
def test_in_turn_it_learns_from_the_games_of_the_same_step(emptied):
    first = next(steps(overlap=False, games_per_step=6, clear_window=emptied, batch_size=4))
    assert np.isfinite(first.metrics["policy_loss"])
    assert first.metrics["games"] == 6
    late = next(steps(games_per_step=6, clear_window=emptied, batch_size=4))
    assert "policy_loss" not in late.metrics


def test_an_emptied_window_holds_the_games_of_one_step():
    for step in steps(overlap=False, games_per_step=6, clear_window=True, random_opening_plies=0):
        assert 6 * 5 <= len(step.parts["window"]) <= 6 * 9


def test_so_many_samples_are_learned_from_in_a_step(monkeypatch):
    learned = []
    one = alphazero.Student.update

    def counted(self, lesson):
        learned.append(len(lesson.values))
        return one(self, lesson)

    monkeypatch.setattr(alphazero.Student, "update", counted)
    list(steps(overlap=False, games_per_step=4, samples_per_step=40, batch_size=16, steps=4))
    assert sum(learned) == 4 * 40
    assert set(learned) == {16}


@pytest.mark.parametrize("discards", [False, True])
def test_who_fails_at_the_gate_is_forgotten(discards):
    how = {"gate": "1.0", "gate_games": 4, "gate_discards": discards, "ema_decay": 0.0}
    for step in steps(overlap=False, **how):
        assert step.metrics["passed"] == 0
        assert alike(step.parts["network"], step.parts["gate"].player) == discards
        assert bool(step.parts["optimizer"].state) != discards


def test_who_passes_the_gate_stays():
    how = {"gate": "0.001", "gate_games": 4, "gate_discards": True, "ema_decay": 0.0}
    for step in steps(overlap=False, **how):
        if step.metrics["passed"]:
            assert alike(step.parts["network"], step.parts["gate"].player)
            assert step.parts["optimizer"].state


def gate_thoughts(monkeypatch, **changes):
    """What both agents of a gate's games think of the start, and where there is a win at hand."""
    config = small("alphazero", network="zero", gate="0.5", simulations=24, **changes)
    network = build(GAME, config, GAME.start().shape("full"), 9, 3, Heads())
    random = torch.Generator().manual_seed(3)
    with torch.no_grad():  # an opinion of each position, which a new network does not have
        for weights in network.parameters():
            weights.add_(0.3 * torch.randn(weights.shape, generator=random))
    agents = []

    def met(_, *both, **__):
        agents.extend(both)
        raise StopIteration

    monkeypatch.setattr(gate, "match", met)
    with pytest.raises(StopIteration):
        gate.Gate(GAME, config, network).try_network(network, (1, 1))
    states = (GAME.start(), GAME.replay("a1 a2 b1 b2"))
    return [[agent.think(state).policy for state in states] for agent in agents]


SEARCHED = {
    "plain": {"plain": True},
    "fpu_strategy": {"fpu_strategy": "zero"},
    "fpu_reduction": {"fpu_reduction": 1.5},
}


@pytest.mark.parametrize("name", SEARCHED)
@pytest.mark.parametrize("search", ["puct", "gumbel"])
def test_a_gate_searches_as_self_play_is_set(search, name, monkeypatch):
    usual = gate_thoughts(monkeypatch, search=search)
    changed = gate_thoughts(monkeypatch, search=search, **SEARCHED[name])
    for before, after in zip(usual, changed, strict=True):
        assert any((one != two).any() for one, two in zip(before, after, strict=True))


CHANGES = {
    "plain": {"plain": True, "simulations": 12},
    "fpu_strategy": {"fpu_strategy": "zero", "simulations": 12},
    "optimizer": {"optimizer": "sgd"},
    "adam": {"optimizer": "adam", "weight_decay": 0.1},
    "momentum": {"momentum": 0.5},
    "sgd's momentum": {"optimizer": "sgd", "momentum": 0.5},
    "augmentation": {"augmentation": False},
    "overlap": {"overlap": False},
    "games_per_step": {"games_per_step": 5},
    "samples_per_step": {"samples_per_step": 64},
    "gate_discards": {"gate": "1.0", "gate_games": 2, "gate_discards": True},
}
WITHOUT = {
    "plain": {"simulations": 12},
    "fpu_strategy": {"simulations": 12},
    "adam": {"weight_decay": 0.1},
    "sgd's momentum": {"optimizer": "sgd"},
    "gate_discards": {"gate": "1.0", "gate_games": 2},
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_option_changes_what_is_learned(name):
    base = {"search": "puct", "steps": 3}
    *_, one = steps(**base, **WITHOUT.get(name, {}))
    *_, other = steps(**base, **CHANGES[name])
    assert not alike(one.parts["network"], other.parts["network"])


@pytest.mark.parametrize("name", CHANGES)
def test_each_option_goes_on_exactly(name, tmp_path):
    base = {"search": "puct", "steps": 4, **CHANGES[name]}
    *_, unbroken = steps(**base)
    for early in steps(**base):
        if early.number == 2:
            break
    checkpoint.write(tmp_path, early.snapshot(), strength=None)
    config = small("alphazero", network="zero", n_pools=1, **base)
    stored = selection.newest(tmp_path)[0].load()
    *_, last = alphazero.train(GAME, config, seed=1, saved=stored)
    same(everything(unbroken.snapshot()), everything(last.snapshot()))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"optimizer": "adagrad"}, "optimizer is one of adamw, adam, sgd, not 'adagrad'"),
        ({"momentum": 1.0}, "momentum is a number of at least 0 and below 1, not 1.0"),
        ({"fpu_strategy": "half"}, "fpu_strategy is one of reduction, zero, not 'half'"),
        ({"games_per_step": -1}, "games_per_step is a whole number of at least 0, not -1"),
        ({"samples_per_step": -1}, "samples_per_step is a whole number of at least 0, not -1"),
    ],
)
def test_mistakes_are_one_sentence(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        alphazero.Config(**changes)


@pytest.mark.parametrize("name", ["games_per_step", "samples_per_step"])
def test_a_step_that_nobody_sees_the_end_of_is_refused(name):
    with pytest.raises(ValueError, match=f"{name} 100000000000.* positions in a step"):
        next(steps(**{name: 10**11}))
