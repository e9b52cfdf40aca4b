"""What learning computes, against slow and plain computations of the same."""

import copy
import dataclasses

import numpy as np
import pytest
import torch

import ludus
from ludus.learn import cem, dqn, ppo, reinforce, saes, vae
from ludus.learn.collecting.batched_opponents import pick
from ludus.learn.collecting.fitness import flatten_weights, load_flat, unflatten_weights
from ludus.learn.collecting.rollout import before_end, before_illegal_end, collect_episodes
from ludus.learn.collecting.targets import window
from ludus.learn.settings.playing import CREDITS
from tests.learn.small import small

GAMES = ["checkers", "tictactoe:success=0.5", "cathedral:size=8,rules=seed"]


def watched(learner):
    """Keep every ply that the learner remembers."""
    history, remember = [], learner.remember

    def keep(ply):
        history.append(copy.deepcopy(ply))
        remember(ply)

    learner.remember = keep
    return history


def slow_target(learner, history, time, row, credit):
    """One target, ply by ply."""
    steps, gamma = learner.config.n_step, learner.config.gamma
    actor, total, turns, ply = history[time].players[row], 0.0, 0, time
    while True:
        at = history[ply]
        mine = at.players[row] == actor
        pays = float(at.rewards[row, 0])
        if credit == "own" and not mine:
            pays = float(at.rewards[row, 1])
        if credit == "adversarial" and not mine:
            pays = -pays
        total += gamma**turns * pays
        if at.dones[row]:
            return total
        ply += 1
        again = history[ply].players[row] == actor
        turns += 1 if credit != "own" else int(again)
        waited = ply - time == window(credit, steps)
        if (turns == steps and (credit != "own" or again)) or waited:
            break
    seen = torch.from_numpy(history[ply].features[row][None])
    legal = np.flatnonzero(history[ply].masks[row])
    with torch.no_grad():
        values, online = learner.target(seen)[0][0], learner.network(seen)[0][0]
    if learner.config.double_q:
        value = float(values[max(legal, key=lambda action: float(online[action]))])
    else:
        value = max(float(values[action]) for action in legal)
    if credit == "own" and not again:
        return np.nan  # the other's value says nothing of this player's
    sign = 1 if again or credit == "max" else -1
    return total + sign * gamma ** max(turns, 1) * value


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("credit", CREDITS)
@pytest.mark.parametrize("double", [False, True])
def test_targets_of_real_games(name, credit, double):
    """Draughts has turns of several plies, noisy tic-tac-toe has chance, Cathedral has shaping."""
    shaping = "dense" if name.startswith("cathedral") else ""
    config = small(
        "dqn", credit=credit, double_q=double, n_envs=8, buffer_size=4000, shaping=shaping
    )
    learner = dqn.Learner(ludus.game(name), config, seed=2)
    history = watched(learner)
    for _ in range(12):
        learner.collect()
    for parameter in learner.target.parameters():
        parameter.mul_(1.7)
    drawn = learner.replay.sample(150, np.random.default_rng(1), 1.0)
    found, known = (part.numpy() for part in learner.targets(drawn))
    times, rows = np.divmod(drawn.slots, learner.replay.rows)
    expected = [
        slow_target(learner, history, int(time), int(row), credit)
        for time, row in zip(times, rows, strict=True)
    ]
    known_there = np.isfinite(expected)
    assert (known == known_there).all()
    assert found[known] == pytest.approx(np.array(expected)[known], abs=1e-4)


@pytest.mark.parametrize("double", [False, True])
def test_a_target_does_not_depend_on_what_else_was_drawn(double):
    """Nor on how often targets were asked for, where a network is batch-normalised."""
    config = small("dqn", network="draughts", n_step=1, double_q=double, n_envs=8)
    learner = dqn.Learner(ludus.game("checkers"), config, seed=2)
    for _ in range(8):
        learner.collect()
    drawn = learner.replay.sample(32, np.random.default_rng(1), 1.0)
    together, _ = learner.targets(drawn)
    arrays = (getattr(drawn, field.name)[:4] for field in dataclasses.fields(drawn))
    few, _ = learner.targets(type(drawn)(*arrays))
    assert few.numpy() == pytest.approx(together[:4].numpy(), abs=1e-5)
    again, _ = learner.targets(drawn)
    assert torch.equal(again, together)


def test_exploration_falls_as_the_papers_say():
    learner = dqn.Learner(
        ludus.game("tictactoe"), small("dqn", exploration_decay_games=500.0), seed=1
    )
    learner.collector.games.games = 1000
    assert learner.exploration == pytest.approx(0.05 + 0.95 * np.exp(-2))


def test_an_illegal_choice_pays_minus_two_and_spoils_what_came_before():
    learner = dqn.Learner(ludus.game("tictactoe"), small("dqn", opponent="legality"), seed=1)
    history = watched(learner)
    for _ in range(8):
        learner.collect()
    illegal = np.array([ply.illegal for ply in history])
    ended = np.array([ply.dones for ply in history])
    assert illegal.sum() > 10
    assert ended[illegal].all()
    paid = np.array([ply.rewards for ply in history])
    assert (paid[illegal] == [-2, 0]).all()
    useful = learner.replay.useful[: len(history)]
    last = len(history) - 1 - ended[::-1].argmax(0)
    for row in range(useful.shape[1]):
        over = last[row] + 1
        bad = before_illegal_end(ended[:over, row : row + 1], illegal[:over, row : row + 1])
        assert np.array_equal(useful[:over, row], ~bad[:, 0])


def test_plies_before_an_illegal_end_are_spoiled():
    ended = np.array([[0, 0, 1, 0, 1, 0]], np.bool_).T
    illegal = np.array([[0, 0, 1, 0, 0, 0]], np.bool_).T
    assert before_illegal_end(ended, illegal)[:, 0].tolist() == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    assert before_end(ended)[:, 0].tolist() == [True] * 5 + [False]


def test_the_clipped_objective_by_hand():
    old = torch.log(torch.tensor([0.5, 0.5, 0.5, 0.5]))
    new = torch.log(torch.tensor([0.8, 0.8, 0.2, 0.5])).requires_grad_()
    better = torch.tensor([1.0, -1.0, 2.0, 3.0])
    found = ppo.objective(new, old, better, 0.2)
    # ratios 1.6, 1.6, 0.4, 1: min(1.6, 1.2), min(-1.6, -1.2), min(0.8, 1.6), 3
    assert found["policy_loss"].item() == pytest.approx(-(1.2 - 1.6 + 0.8 + 3) / 4)
    assert found["clip_fraction"].item() == 0.75
    assert found["ratio"].item() == pytest.approx((1.6 + 1.6 + 0.4 + 1) / 4)
    torch.autograd.backward(found["policy_loss"])
    assert new.grad[0].item() == 0  # nothing is gained by going further
    assert new.grad[1].item() == pytest.approx(1.6 / 4)


def plain_ppo_loss(net, config, features, masks, actions, logs, better, returns):
    """The whole loss, row by row, over legal actions only."""
    total = 0.0
    for i in range(len(features)):
        logits, value = net(features[i : i + 1])
        legal = masks[i].nonzero()[:, 0]
        policy = torch.softmax(logits[0, legal], 0)
        chance = policy[(legal == actions[i]).nonzero()[0, 0]]
        ratio = chance / logs[i].exp()
        bounded = ratio.clamp(1 - config.clip_range, 1 + config.clip_range)
        gain = torch.minimum(ratio * better[i], bounded * better[i])
        spread = -(policy * policy.log()).sum()
        total += -gain + config.vf_coef * (value[0] - returns[i]) ** 2
        total -= config.ent_coef * spread
    return total / len(features)


def test_the_whole_loss_of_ppo():
    config = small("ppo", max_grad_norm=1e9, normalize_advantage=False)
    learner = ppo.Learner(ludus.game("connect4"), config, seed=1)
    rng = torch.Generator().manual_seed(1)
    masks = torch.rand(9, 7, generator=rng) < 0.6
    masks[:, 3] = True
    actions = masks.float().argmax(1)
    data = (
        torch.rand(9, 2, 6, 7, generator=rng),
        masks,
        actions,
        torch.full((9,), -1.5),
        torch.randn(9, generator=rng),
        torch.randn(9, generator=rng),
    )
    loss = plain_ppo_loss(learner.online, config, *data)
    torch.autograd.backward(loss)
    expected = [p.grad.clone() for p in learner.online.parameters()]
    learner.optimizer.step = lambda: None
    learner.update_batch(*data)
    for parameter, grad in zip(learner.online.parameters(), expected, strict=True):
        assert torch.allclose(parameter.grad, grad, atol=1e-5)


def test_returns_of_reinforce_are_each_players_own():
    learner = reinforce.Learner(ludus.game("tictactoe"), small("reinforce", gamma=0.5), seed=3)
    played = collect_episodes(learner.collector, learner.collector.evaluator(64), 64)
    returns = learner.returns(played)
    checked = 0
    for time, row in zip(*np.nonzero(played.useful), strict=True):
        end = next(t for t in range(time, len(returns)) if played.dones[t, row])
        actor = played.players[time, row]
        own = sum(played.players[t, row] == actor for t in range(time + 1, end + 1))
        pays = played.rewards[end, row, 0 if played.players[end, row] == actor else 1]
        assert returns[time, row] == pytest.approx(pays * 0.5**own)
        checked += 1
    assert checked >= 30


def test_weights_in_rows():
    learner = saes.Learner(ludus.game("tictactoe"), small("saes"), seed=1)
    weights = flatten_weights(learner.network)
    named = unflatten_weights(learner.network, torch.stack([weights, 2 * weights]))
    for name, parameter in learner.network.named_parameters():
        assert torch.equal(named[name][0], parameter)
        assert torch.equal(named[name][1], 2 * parameter)
    load_flat(learner.network, 3 * weights)
    assert torch.equal(flatten_weights(learner.network), 3 * weights)


@pytest.mark.parametrize("opponent", ["self", "random", "greedy"])
@pytest.mark.parametrize("name", ["connect4", "tictactoe:success=0.5"])
def test_the_same_networks_are_equally_fit(opponent, name):
    """Common random numbers: only the network makes a difference."""
    config = small("cem", population_size=3, fitness_games=6, opponent=opponent, max_plies=60)
    learner = cem.Learner(ludus.game(name), config, seed=1)
    rows = torch.stack([flatten_weights(learner.network)] * 3)
    one = learner.games.fitness(learner.network, rows, 5)
    assert one.tolist() == [one[0]] * 3
    assert learner.games.fitness(learner.network, rows, 5).tolist() == one.tolist()
    if opponent == "self" and name == "connect4":
        assert one[0] == 0.5  # against itself, from the same openings, the sides exchanged


@pytest.mark.parametrize("matches", [1, 2, 3])
def test_who_is_judged_plays_both_sides_however_few_the_games(matches, monkeypatch):
    config = small("cem", population_size=2, fitness_games=matches, random_opening_plies=0)
    learner = cem.Learner(ludus.game("tictactoe"), config, seed=1)
    rows, sides = torch.stack([flatten_weights(learner.network)] * 2), []

    def theirs(network, draws, mine, rng):
        if not learner.games.table.plies.any():
            sides.append(mine.reshape(2, matches))
        return np.argmax(learner.games.table.masks, 1)

    monkeypatch.setattr(learner.games, "opponent_actions", theirs)
    for seed in range(40):
        learner.games.fitness(learner.network, rows, seed)
    firsts = np.array(sides)
    assert (firsts[:, 0] == firsts[:, 1]).all()  # the same games for all
    assert 0.3 < firsts.mean() < 0.7


def test_draws_by_given_numbers():
    weights = np.array([[1.0, 0.0, 3.0]] * 4)
    assert pick(weights, np.array([0.0, 0.2, 0.26, 0.999999])).tolist() == [0, 0, 2, 2]


def test_the_cross_entropy_method_finds_an_optimum(monkeypatch):
    config = small("cem", population_size=60, elite_frac=0.2, sigma=1.0, min_variance=1e-4)
    learner = cem.Learner(ludus.game("tictactoe"), config, seed=1)
    goal = torch.linspace(-1, 1, len(learner.mean))
    monkeypatch.setattr(
        learner.games, "fitness", lambda _, rows, seed: -((rows - goal) ** 2).sum(1).numpy()
    )
    before = float(((learner.mean - goal) ** 2).mean())
    for number in range(1, 60):
        learner.step(number)
    assert float(((learner.mean - goal) ** 2).mean()) < before / 2
    assert learner.variance.min() >= 1e-4


@pytest.mark.parametrize("mutation", ["new", "old"])
def test_a_mutant_takes_its_own_step_or_its_parents(mutation, monkeypatch):
    config = small("saes", mutation=mutation, sigma=0.3)
    learner = saes.Learner(ludus.game("tictactoe"), config, seed=1)
    twin = saes.Learner(ludus.game("tictactoe"), config, seed=1)
    monkeypatch.setattr(learner.games, "fitness", lambda *_: np.array([0.0, 1.0]))
    learner.step(1)
    sigma = 0.3 * np.exp(twin.rng.standard_normal() / np.sqrt(2 * len(twin.parent)))
    noise = torch.from_numpy(twin.rng.standard_normal(len(twin.parent), np.float32))
    reach = sigma if mutation == "new" else 0.3
    assert torch.allclose(learner.parent, twin.parent + reach * noise)
    assert learner.sigma == pytest.approx(sigma)
    monkeypatch.setattr(learner.games, "fitness", lambda *_: np.array([0.5, 0.5]))
    kept = learner.parent.clone()
    learner.step(2)
    assert torch.equal(learner.parent, kept)


def test_the_autoencoder_reads_signed_planes_and_refuses_wider_ones():
    learner = vae.Learner(ludus.game("tictactoe"), small("vae"), seed=1)
    assert learner.signed.any()
    assert not learner.signed.all()
    seen = learner.contents(torch.from_numpy(learner.source.take(learner.rng)))
    assert seen.min() == 0
    assert seen.max() == 1
    assert [plane.tolist() for plane in learner.known] == [[0, 1]] * 3
    one = vae.Learner(ludus.game("supertictactoe"), small("vae", planes="signed"), seed=1)
    assert [plane.tolist() for plane in one.known] == [[0, 0.5, 1]]
    with pytest.raises(ValueError, match="planes 'paper' of checkers go beyond 1"):
        vae.Learner(ludus.game("checkers"), small("vae", planes="paper"), seed=1)


def test_the_autoencoder_learns_to_read_positions_back():
    config = small(
        "vae", positions_per_step=512, latent_dim=16, width=8, batch_size=64, learning_rate=0.003
    )
    learner = vae.Learner(ludus.game("tictactoe"), config, seed=1)
    first = learner.step(1)
    for number in range(2, 12):
        last = learner.step(number)
    assert last["reconstruction_loss"] < 0.6 * first["reconstruction_loss"]
    assert last["cell_accuracy"] > first["cell_accuracy"]
