"""The sequential test: its ratio is right, its error rates hold, it stops matches."""

import numpy as np
import pytest
from scipy.optimize import minimize

import ludus
from ludus.arena.sprt import VALUES, Sprt, expected_score, fit_distribution, read_sprt
from ludus.arena.workers import play_all
from tests.test_arena import Taker, course

SHAPES = {"draws": (1, 2, 4, 2, 1), "no draws": (5, 0.01, 10, 0.01, 5)}


def test_the_likeliest_distribution_is_the_one_a_general_optimiser_finds():
    counts, mean = np.array([3, 7, 20, 9, 6]), 0.45
    found = minimize(
        lambda p: -counts @ np.log(p),
        np.full(5, 0.2),
        bounds=[(1e-6, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ VALUES - mean},
        ],
        tol=1e-12,
    )
    ours = fit_distribution(counts.tolist(), mean)
    assert ours == pytest.approx(found.x, abs=1e-4)
    assert sum(ours) == pytest.approx(1)
    assert np.dot(ours, VALUES) == pytest.approx(mean)


def test_the_ratio_is_walds_where_pairs_are_won_or_lost():
    """With two kinds of pairs the mean decides the distribution, and the test is the plain one."""
    p0, p1 = expected_score(0), expected_score(60)
    plain = 40 * np.log(p1 / p0) + 25 * np.log((1 - p1) / (1 - p0))
    assert Sprt(0, 60).ratio([25, 0, 0, 0, 40]) == pytest.approx(plain, abs=0.02)


def test_nothing_seen_says_nothing():
    standing = Sprt(0, 10).standing([0] * 5)
    assert standing.ratio == 0
    assert standing.accepted is None


def verdicts(sprt, elo, shape, runs, seed):
    """How often each hypothesis is accepted when the truth is `elo`."""
    rng = np.random.default_rng(seed)
    shares = np.array(fit_distribution(shape, expected_score(elo)))
    accepted = []
    for _ in range(runs):
        counts, verdict = [0] * 5, None
        while verdict is None:
            for drawn in rng.choice(5, 64, p=shares / shares.sum()):
                counts[drawn] += 1
                verdict = sprt.standing(counts).accepted
                if verdict:
                    break
        accepted.append(verdict)
    return accepted


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_error_rates_hold_roughly(shape):
    """Of 100 wrong verdicts are rare: more than 13 happen once in a thousand at a rate of 5 %."""
    sprt = Sprt(0, 150)
    assert verdicts(sprt, 0, shape, 100, 1).count("H1") <= 13
    assert verdicts(sprt, 150, shape, 100, 2).count("H0") <= 13


@pytest.mark.slow
@pytest.mark.parametrize("elos", [(0, 40), (-50, 50)])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_error_rates_hold(shape, elos):
    """At a rate of 5 % more than 75 of 1000 happen once in 5000 times."""
    sprt = Sprt(*elos)
    assert verdicts(sprt, elos[0], shape, 1000, 3).count("H1") <= 75
    assert verdicts(sprt, elos[1], shape, 1000, 4).count("H0") <= 75


def test_a_match_stops_early_at_the_same_game_for_any_number_of_workers():
    scores = [
        ludus.match("connect4", Taker(), "random", games=2000, seed=1, workers=n, sprt=Sprt(0, 100))
        for n in (1, 3)
    ]
    assert course(scores[0]) == course(scores[1])
    assert scores[0].standing.accepted == "H1"
    assert scores[0].games < 200
    assert sum(scores[0].standing.counts) * 2 == scores[0].games
    said = str(scores[0].standing)
    assert "accepted: A is 100 Elo stronger than B rather than 0" in said
    assert "error rates 0.05 of accepting wrongly, 0.05 of rejecting wrongly" in said


def test_games_that_ended_early_do_not_count_beyond_the_verdict(monkeypatch):
    """The first game ends last: what came after the deciding pair is left out all the same."""

    def backwards(jobs, *rest):
        yield from reversed(list(play_all(list(jobs), *rest)))

    def played():
        return ludus.match("connect4", Taker(), "random", games=200, seed=1, sprt=Sprt(0, 100))

    straight = played()
    monkeypatch.setattr("ludus.arena.match.play_all", backwards)
    assert course(played()) == course(straight)
    assert straight.games < 200


def test_a_match_too_short_is_undecided():
    score = ludus.match("connect4", "random", "random", games=5, seed=1, sprt=Sprt(0, 5))
    assert score.standing.accepted is None
    assert "undecided" in str(score.standing)
    assert sum(score.standing.counts) == 2  # whole pairs only
    assert score.games == 5


def test_spelling():
    assert read_sprt("-5,5", 0.1, 0.2) == Sprt(-5, 5, 0.1, 0.2)
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    for text in ("", "1", "a,b", "1,2,3", "5,5", "inf,0", "-9999,0"):
        with pytest.raises(ValueError, match="a sequential test is written ELO0,ELO1"):
            read_sprt(text)
