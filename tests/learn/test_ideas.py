"""Ideas that are off by default: policy surprise weighting, and learning the opponent's policy."""

import copy

import numpy as np
import pytest
import torch

import ludus
from ludus.learn import alphazero
from ludus.learn.collecting.window import Batch, Window, reply_distances
from ludus.learn.networks.effects import check_effects
from ludus.learn.networks.masked import softmax
from ludus.learn.networks.network import network
from ludus.learn.networks.symmetries import Symmetries
from ludus.learn.store.components import Saved
from ludus.learn.training.auxiliary import opponent_policy, opponent_policy_loss
from ludus.learn.training.student import Student
from tests.learn.small import everything, same, small
from tests.test_selfplay import hashed, played, pool_of

BOTH = {"policy_surprise_weight": 0.5, "opponent_policy_coef": 0.5}


def record(players, full, games):
    """Plies without features, as self-play hands them over."""
    return {
        "players": np.array(players, np.int8),
        "full": np.array(full, np.uint8),
        "games": np.array(games, np.uint32),
    }


def test_replies_by_hand():
    """Two games: of players 0, 1, 0, 0, 1, where 0 moves twice in a turn, and of 1, 0."""
    players, games = [0, 1, 0, 0, 1, 1, 0], [5, 2]
    assert reply_distances(record(players, [1] * 7, games)).tolist() == [1, 1, 2, 1, 0, 1, 0]
    # Without the fifth ply, whose search was a fast one, nothing replies to the two before it.
    full = [1, 1, 1, 1, 0, 1, 1]
    assert reply_distances(record(players, full, games)).tolist() == [1, 1, 0, 0, 1, 0]
    with pytest.raises(ValueError, match="does not fit together"):
        reply_distances(record(players, full, [5, 1]))


def followed(spelling, replace=1.0):
    """A window of one position and the reply to it, the policies drawn by lot, and both states."""
    game, rng = ludus.game(spelling), np.random.default_rng(3)
    state = game.start()
    for _ in range(6):
        state = state.play(int(rng.choice(state.legal())))
    after = next(one for a in state.legal() if (one := state.play(a)).player != state.player)
    policies = [rng.dirichlet(np.ones(len(one.legal()))) for one in (state, after)]
    window = Window(Symmetries(game, "full"), game.num_actions, 8)
    both = (state, after)
    window.add(
        {
            **record([one.player for one in both], [1, 1], [2]),
            "features": np.array([one.features().ravel() for one in both]),
            "counts": np.array([len(one.legal()) for one in both], np.uint32),
            "actions": np.array([one.seen(a) for one in both for a in one.legal()], np.uint16),
            "weights": np.concatenate(policies).astype(np.float32),
            "values": np.zeros(2, np.float32),
            "outcomes": np.zeros(2, np.float32),
            "surprises": np.zeros(2, np.float32),
        },
        rng,
        replace,
    )
    return window, state, after, policies


@pytest.mark.parametrize("spelling", ["connect4", "checkers", "kingcourtesan", "cathedral"])
def test_a_reply_is_seen_by_the_mover_and_turned_with_the_position(spelling):
    window, state, after, (_, policy) = followed(spelling)
    batch = window.draw(64, np.random.default_rng(1), 1.0, replies=True)
    images = {}
    for symmetry in range(state.num_symmetries):
        image = state.transformed(symmetry)
        expected = np.zeros(state.num_actions)
        for action, share in zip(after.legal(), policy, strict=True):
            expected[image.seen(after.transformed_action(symmetry, action))] = share
        images[image.features().tobytes()] = expected
    last = {after.transformed(s).features().tobytes() for s in range(state.num_symmetries)}
    found = 0
    for features, reply in zip(batch.features, batch.replies, strict=True):
        if features.tobytes() in last:
            assert not reply.any()  # nothing came after
        else:
            found += 1
            np.testing.assert_allclose(reply, images[features.tobytes()], atol=1e-6)
    assert 0 < found < 64


def test_without_an_order_nothing_is_a_reply():
    window, *_ = followed("connect4", replace=0.999)
    assert not window.replies.any()
    config = alphazero.Config(replace_prob=0.5, opponent_policy_coef=0.1)
    told = r"no effect with replace_prob 0\.5; choose --replace-prob 1"
    with pytest.raises(ValueError, match=told):
        check_effects(ludus.game("connect4"), config, ["opponent_policy_coef"])


def test_the_last_positions_are_drawn_by_what_surprised_the_search():
    """Surprises of 0, 3 and 1, the latest first: half evenly, half in proportion."""
    window = Window(Symmetries(ludus.game("connect4"), "full"), 7, 5)
    window.written = 8  # a ring that has gone round: the latest lies in place 2
    window.surprises[:] = [1.0, 3.0, 0.0, 9.0, 9.0]
    shares = np.array([0.5 + 0.0, 0.5 + 0.5 * 9 / 4, 0.5 + 0.5 * 3 / 4])
    np.testing.assert_allclose(window.chances(3, 0.5), np.cumsum(shares))
    np.testing.assert_allclose(window.chances(3, 0.0), [1, 2, 3])
    window.values[:] = np.arange(5)
    window.counts[:] = 1
    rng, count = np.random.default_rng(1), 40_000
    batch = window.draw(count, rng, 1.0, chances=window.chances(3, 0.5))
    found = np.array([(batch.values == place).mean() for place in (2, 1, 0)])
    np.testing.assert_allclose(found, shares / 3, atol=0.01)
    window.surprises[:] = 0
    np.testing.assert_allclose(window.chances(0, 0.9), np.arange(1, 6))


@pytest.mark.parametrize("spelling", ["connect4", "checkers", "kingcourtesan:size=5"])
@pytest.mark.parametrize("gumbel", [False, True])
def test_surprise_is_the_divergence_of_the_search_from_the_network(spelling, gumbel):
    """Held against the network's own answers, which are flattened as the search flattens them."""
    heat = 1.3
    options = {"dirichlet_fraction": 0.25, "cache_size": 0, "symmetric_cache": False}
    pool = pool_of(spelling, games=2, gumbel=gumbel, prior_temperature=heat, **options)
    found = played(pool, 40)
    assert found["games"].sum() == len(found["counts"]) == len(found["surprises"])
    begin = np.cumsum(found["counts"], dtype=np.int64) - found["counts"]
    compared = 0
    for ply, (start, count) in enumerate(zip(begin, found["counts"], strict=True)):
        actions = found["actions"][start : start + count]
        weights = found["weights"][start : start + count].astype(np.float64)
        features = found["features"][ply].reshape(1, *pool.shape)
        logits, _ = hashed(features, pool.num_actions)
        mask = np.zeros((1, pool.num_actions), np.bool_)
        mask[0, actions] = True
        prior = softmax(logits / heat, mask)[0, actions]
        some = weights > 0
        expected = (weights[some] * np.log(weights[some] / prior[some])).sum()
        assert found["surprises"][ply] == pytest.approx(expected, abs=2e-3)
        compared += found["surprises"][ply] > 0.01
    assert compared > 20


@pytest.mark.parametrize("spelling", ["tictactoe", "checkers"])
def test_games_of_a_record_are_the_games_that_ended(spelling):
    pool = pool_of(spelling, games=3)
    found = played(pool, 100)
    assert len(found["games"]) == pool.counts["games"]
    first = np.cumsum(found["games"]) - found["games"]
    for game, begin in zip(found["games"], first, strict=True):  # no game has two results
        part = slice(int(begin), int(begin + game))
        results = np.where(found["players"][part] == 0, 1, -1) * found["outcomes"][part]
        assert len(set(results.tolist())) == 1


def test_the_auxiliary_loss_by_hand():
    logits = torch.tensor([[0.0, 0.0], [float(np.log(3)), 0.0], [5.0, 1.0]])
    replies = torch.tensor([[0.5, 0.5], [1.0, 0.0], [0.0, 0.0]])  # of the last nothing is known
    expected = (np.log(2) - np.log(0.75)) / 2
    assert opponent_policy_loss(logits, replies).item() == pytest.approx(expected, rel=1e-6)
    assert opponent_policy_loss(logits, torch.zeros(3, 2)).item() == 0


def test_the_head_teaches_the_trunk_and_is_no_part_of_the_network():
    made = network("mlp", (2, 3, 3), 9, seed=1, width=8, blocks=1)
    names, config = set(made.state_dict()), alphazero.Config(vf_coef=0.5, max_grad_norm=1e9)
    rng = np.random.default_rng(3)
    features = rng.random((6, 2, 3, 3)).astype(np.float32)
    masks = np.ones((6, 9), np.bool_)
    policies, replies = (rng.dirichlet(np.ones(9), 6).astype(np.float32) for _ in range(2))
    replies[2] = 0
    values = rng.uniform(-1, 1, 6).astype(np.float32)
    head = opponent_policy(made, 0.25, seed=2)
    seen = torch.from_numpy(features)
    logits, judged = made(seen)
    logs = torch.log_softmax(logits, 1)
    theirs = torch.log_softmax(head.head(made.trunk(seen)), 1)
    loss = -(torch.from_numpy(policies) * logs).sum() / 6
    loss = loss + 0.5 * (judged - torch.from_numpy(values)).square().mean()
    loss = loss - 0.25 * (torch.from_numpy(replies) * theirs).sum() / 5
    weights = [*made.parameters(), *head.head.parameters()]
    expected = torch.autograd.grad(loss, weights)
    student = Student(made, config, auxiliary=head)
    found = student.update(Batch(features, masks, policies, values, replies))
    for parameter, gradient in zip(weights, expected, strict=True):
        torch.testing.assert_close(parameter.grad, gradient, atol=1e-6, rtol=1e-4)
    total = found["policy_loss"] + 0.5 * found["value_loss"] + 0.25 * found["opponent_policy_loss"]
    assert total == pytest.approx(float(loss.detach()), rel=1e-5)
    assert set(made.state_dict()) == names


@pytest.mark.parametrize("network", ["zero", "zero-conv"])
def test_with_both_ideas_a_resumed_training_goes_on_exactly(network):
    config = small("alphazero", network=network, positions_per_step=60, steps=4, **BOTH)
    game = ludus.game("tictactoe")
    steps = alphazero.train(game, config, seed=1)
    kept = copy.deepcopy([next(steps).snapshot() for _ in range(2)][-1])
    *_, whole = steps
    *_, again = alphazero.train(game, config, seed=1, saved=kept)
    same(everything(whole.snapshot()), everything(again.snapshot()))
    assert whole.metrics["opponent_policy_loss"] > 0
    plain = alphazero.Learner(game, small("alphazero", network=network), seed=1)
    assert set(whole.network.state_dict()) == set(plain.network.state_dict())


def without(saved, window, pools):
    """A training as it was stored before these were kept."""
    gone = {f"window/{name}" for name in window}
    gone |= {f"pools/{place}/{name}" for place in range(2) for name in pools}
    plain = copy.deepcopy(saved.plain)
    for name in window:
        del plain["window"][name]
    for pool in plain["pools"]:
        for name in pools:
            del pool[name]
    del plain["export"]
    arrays = {k: v for k, v in saved.arrays.items() if k not in gone and k != "export/ranges"}
    return Saved(saved.step, arrays, plain)


def test_a_training_that_is_older_goes_on():
    config, game = small("alphazero", network="zero", steps=3, n_pools=2), ludus.game("tictactoe")
    saved = next(alphazero.train(game, config, seed=1)).snapshot()
    old = without(saved, ("surprises", "replies"), ("surprises",))
    *_, last = alphazero.train(game, config, seed=1, saved=old)
    assert last.number == 3


def test_replies_that_are_not_there_are_refused():
    window, *_ = followed("connect4")
    state = copy.deepcopy(window.state())
    state["replies"][-1] = 1
    with pytest.raises(ValueError, match="replies are of positions that are not there"):
        window.restore(state)


def test_a_record_without_surprises_is_refused():
    pool = pool_of("tictactoe", games=1)
    state, random, flags, row = pool.row(0)
    del row["surprises"]
    with pytest.raises(ValueError, match="the record's surprises are no array"):
        pool.put(0, state, random, flags, row)
