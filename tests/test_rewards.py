"""Average rewards: what plies pay, counted by hand, per game and per move, pairs as the unit."""

import dataclasses
import json

import numpy as np
import pytest
from scipy.stats import t

import ludus
from ludus.agent import Resigned
from ludus.arena.interval import ratio_over_pairs
from ludus.arena.record import Record, parse, read_replayed
from ludus.arena.reward import AgentReward, GameReward, average, rewards_of
from ludus.cli import main

CATHEDRAL = "cathedral:size=8,rules=seed"


@dataclasses.dataclass
class Script:
    """Plays what is written, each action in its turn."""

    actions: tuple[int, ...]

    def think(self, state):
        policy = np.zeros(state.num_actions)
        policy[self.actions[state.plies // 2]] = 1
        return ludus.Thought(policy)


class Quitter:
    """Gives up as soon as it is asked."""

    def think(self, state):
        raise Resigned


ROW, SCATTERED = Script((0, 1, 2, 3)), Script((16, 26, 64))


@pytest.mark.parametrize(
    ("reward", "winner", "loser"),
    [
        # Four marks in a row. Each of three turns that are answered pays 0.1, the last one 1.
        ("original", 3 * 0.1 + 1, 2 * 0.1 - 1),
        # 0.1 * (0, then 0.2, then 0.2 + 0.2 + 0.5) for one, two and three marks in a row, then 1.
        ("designed", 0.1 * 0.2 + 0.1 * (0.2 + 0.2 + 0.5) + 1, -1),
        ("outcome", 1, -1),
    ],
)
def test_a_reward_is_what_the_paper_pays_counted_by_hand(reward, winner, loser):
    score = ludus.match(
        "supertictactoe:success=1",
        ROW,
        SCATTERED,
        games=1,
        openings="none",
        reward=reward,
    )
    (played,) = score.played
    assert played.winner == 0
    assert played.reward.paid == pytest.approx((winner, loser), abs=1e-6)
    a, b = score.average(True), score.average(False)
    assert (a.per_game.value, b.per_game.value) == pytest.approx((winner, loser), abs=1e-6)
    assert (a.moves, b.moves) == (4, 3)
    assert a.per_move.value == pytest.approx(winner / 4, abs=1e-6)
    assert a.per_game.interval is None  # of one game nothing is known


def by_hand(played, game, reward):
    """All that the plies after the opening pay each player."""
    states, paid = Record(game, 0, played).states, np.zeros(2)
    for ply, move in enumerate(played.moves):
        if ply < played.opening:
            continue
        before, after = states[ply], states[ply + 1]
        paid += before.shaping(game.action(before, move), after, reward)
    return paid


@pytest.mark.parametrize(
    ("spelling", "reward"),
    [(CATHEDRAL, "dense"), ("supertictactoe", "designed"), ("checkers", "material")],
)
def test_averages_are_those_of_the_games_played_again(spelling, reward):
    game = ludus.game(spelling)
    score = ludus.match(game, "greedy", "random", games=5, seed=3, reward=reward)
    totals, moves = np.zeros(2), np.zeros(2)
    for played in score.played:
        paid = by_hand(played, game, reward)
        assert played.reward.paid == pytest.approx(paid, abs=1e-5)
        own = [played.players[played.opening :].count(player) for player in (0, 1)]
        totals += paid[[played.a, 1 - played.a]]
        moves += np.array(own)[[played.a, 1 - played.a]]
    for of_a, total, count in zip((True, False), totals, moves, strict=True):
        found = score.average(of_a)
        assert found.per_game.value == pytest.approx(total / 5, abs=1e-5)
        assert found.per_move.value == pytest.approx(total / count, abs=1e-5)
        assert found.moves == count
        low, high = found.per_game.interval
        assert low < found.per_game.value < high


def test_the_outcome_is_a_reward_that_every_game_has(game):
    assert rewards_of(game)[0] == "outcome"
    score = ludus.match(game, "random", "random", games=4, seed=1, reward="outcome")
    assert score.average(True).per_game.value == pytest.approx(2 * score.points - 1)
    assert score.average(False).per_game.value == pytest.approx(1 - 2 * score.points)


def test_a_reward_changes_no_game_and_no_worker_changes_a_reward():
    options = {"games": 6, "seed": 5}
    plain = ludus.match(CATHEDRAL, "random", "greedy", **options)
    paid = ludus.match(CATHEDRAL, "random", "greedy", reward="dense", **options)
    shared = ludus.match(CATHEDRAL, "random", "greedy", reward="dense", workers=2, **options)
    assert [one.moves for one in plain.played] == [one.moves for one in paid.played]
    assert [one.reward for one in paid.played] == [one.reward for one in shared.played]
    assert {one.reward for one in plain.played} == {None}
    assert "reward" not in plain.as_dict()


def test_the_unit_of_an_interval_is_the_pair():
    rng = np.random.default_rng(1)
    rewards = rng.normal(3, 2, 40)
    twice = [AgentReward(pair, reward, 5) for pair, reward in enumerate(rewards) for _ in range(2)]
    reach = t.ppf(0.975, 39) * rewards.std(ddof=1) / 40**0.5
    found = average(twice)
    assert found.games == 80
    assert found.per_game.interval == pytest.approx(
        (rewards.mean() - reach, rewards.mean() + reach)
    )
    low, high = found.per_move.interval
    assert (5 * low, 5 * high) == pytest.approx(found.per_game.interval)


def test_the_interval_of_a_ratio_covers():
    rng, held = np.random.default_rng(2), 0
    for _ in range(400):
        moves = rng.integers(5, 30, 30)
        rewards = rng.normal(0.4 * moves, 3)
        low, high = ratio_over_pairs(list(rewards), list(moves))
        held += low <= 0.4 <= high
    assert 0.92 < held / 400 < 0.98


def test_pairs_that_are_all_alike_give_no_interval():
    assert ratio_over_pairs([2.0, 2.0, 2.0], [2, 2, 2]) is None
    assert ratio_over_pairs([2.0], [2]) is None
    assert ratio_over_pairs([], []) is None
    assert average([]) is None


def test_a_game_that_was_resigned_has_no_reward(capsys):
    score = ludus.match("checkers", Quitter(), "random", games=2, reward="material")
    assert [played.reward for played in score.played] == [None, None]
    assert score.average(True) is None
    assert score.as_dict()["reward"] == {"name": "material", "a": None, "b": None}


def test_records_keep_rewards_and_replay_checks_them():
    game = ludus.game(CATHEDRAL)
    score = ludus.match(game, "random", "random", games=2, seed=1, reward="dense")
    record = Record(game, 1, score.played[0])
    back = parse(record.line())
    assert back.played.reward == record.played.reward
    assert back.states
    unpaid = dataclasses.replace(record, played=dataclasses.replace(record.played, reward=None))
    assert '"reward"' not in unpaid.line()
    assert parse(unpaid.line()).with_reward("dense").reward.paid == pytest.approx(
        record.played.reward.paid
    )
    one, two = record.played.reward.paid
    forged = dataclasses.replace(record.played, reward=GameReward("dense", (one + 1, two)))
    with pytest.raises(ValueError, match=r"player 0 was paid .* here, not"):
        parse(Record(game, 1, forged).line()).states  # noqa: B018


@pytest.mark.parametrize(
    "reward",
    [
        None,
        1,
        "dense",
        [],
        {},
        {"name": "dense"},
        {"name": "dense", "paid": [1]},
        {"name": "dense", "paid": [1, "2"]},
        {"name": "dense", "paid": [1, True]},
        {"name": "dense", "paid": [1e300, 0]},
        {"name": "dense", "paid": [1, 2], "more": 3},
        {"name": 3, "paid": [1, 2]},
        {"name": "nonsense", "paid": [1, 2]},
    ],
)
def test_a_reward_in_a_record_that_is_none_is_one_sentence(reward):
    game = ludus.game(CATHEDRAL)
    played = ludus.match(game, "random", "random", games=1, seed=1).played[0]
    fields = json.loads(Record(game, 1, played).line())
    fields.pop("checksum", None)
    with pytest.raises(ValueError, match="reward") as told:
        parse(json.dumps({**fields, "reward": reward}))
    assert "\n" not in str(told.value)


def test_a_match_says_rewards_in_words_in_json_and_in_records(tmp_path, capsys):
    file = tmp_path / "games.jsonl"
    command = ["match", CATHEDRAL, "greedy", "random", "--games", "4", "--reward", "dense"]
    assert main([*command, "--record", str(file)]) == 0
    out = capsys.readouterr().out
    assert "reward     dense; 95 % intervals over pairs of games\nA gets     " in out
    assert " a move, over 4 games and " in " ".join(out.split())
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["reward"]
    assert found["name"] == "dense"
    paid = [record.played for record in read_replayed(file)]
    total = sum(played.reward.paid[played.a] for played in paid)
    assert found["a"]["per_game"]["value"] == pytest.approx(total / 4)
    assert found["a"]["per_move"]["value"] == pytest.approx(total / found["a"]["moves"])
    assert len(found["b"]["per_game"]["interval"]) == 2


def test_a_tournament_averages_over_all_games_of_an_agent_also_resumed(tmp_path, capsys):
    agents, options = ["random", "greedy", "random:epsilon=0.5"], {"games": 4, "seed": 2}
    run = tmp_path / "t"
    ludus.tournament(CATHEDRAL, agents, run=run, **{**options, "games": 2})
    resumed = ludus.tournament(CATHEDRAL, agents, run=run, resume=True, reward="dense", **options)
    whole = ludus.tournament(CATHEDRAL, agents, reward="dense", **options)
    for i in range(3):
        assert resumed.average(i) == whole.average(i)
    own = [
        (game.reward.paid[game.a if pair[0] == 1 else 1 - game.a])
        for pair, games in whole.played.items()
        if 1 in pair
        for game in games
    ]
    assert whole.average(1).games == len(own) == 8
    assert whole.average(1).per_game.value == pytest.approx(sum(own) / 8)
    row = next(row for row in whole.as_dict()["ratings"] if row["agent"] == "greedy")
    assert row["reward"]["per_game"]["value"] == pytest.approx(sum(own) / 8)
    assert main(["tournament", CATHEDRAL, *agents, "--games", "2", "--reward", "dense"]) == 0
    assert "reward dense; 95 % intervals over pairs of games\n" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["match", "tournament"])
@pytest.mark.parametrize(
    ("spelling", "reward", "said"),
    [
        ("cathedral", "nonsense", "no reward 'nonsense' here; there are outcome, dense"),
        ("supertictactoe", "", "no reward '' here; there are outcome, designed, original"),
        (
            "connect4",
            "dense",
            "no reward 'dense' here; there is only outcome, as connect4 has no shaping",
        ),
    ],
)
def test_a_reward_that_is_none_is_one_sentence(command, spelling, reward, said, tmp_path, capsys):
    kept = ["--record" if command == "match" else "--run", str(tmp_path / "kept")]
    assert main([command, spelling, "random", "greedy", "--reward", reward, *kept]) == 2
    assert capsys.readouterr().err == f"ludus: {said}\n"
    assert not (tmp_path / "kept").exists()
