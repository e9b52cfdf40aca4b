"""Tournaments: planted strengths are found, odd tables are told apart, runs are resumed."""

import json
import re
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pytest

import ludus
from ludus.arena.match import read_seed
from ludus.arena.ratings import Meeting, Model, fit_ratings
from ludus.arena.record import read_replayed
from ludus.arena.running import PlayedGame
from ludus.arena.table import TournamentTable, circles
from ludus.arena.tournament import Tournament, in_folder
from ludus.cli import main
from ludus.cli.tournament import table_text
from tests.test_arena import Lowest, Taker

PLANTED = np.array([-120.0, -20.0, 40.0, 100.0])


def simulated(strengths, first, draws, pairs, rng):
    """Meetings of agents with known strengths, from the formula at the head of ratings.py."""
    meetings = []
    for i in range(len(strengths)):
        for j in range(i + 1, len(strengths)):
            rows = np.zeros((pairs, 6))
            for half, (a, b) in enumerate(((i, j), (j, i))):
                win = 10 ** ((strengths[a] + first) / 400)
                loss = 10 ** (strengths[b] / 400)
                shares = np.array([win, draws * (win * loss) ** 0.5, loss])
                ended = rng.choice(3, pairs, p=shares / shares.sum())
                rows[np.arange(pairs), ended if half == 0 else 5 - ended] += 1
            meetings.append(Meeting(i, j, rows))
    return meetings


def test_planted_strengths_are_recovered():
    meetings = simulated(PLANTED, 35, 0.5, 20_000, np.random.default_rng(1))
    found = fit_ratings(4, meetings, resamples=20)
    assert [rating.value for rating in found.ratings] == pytest.approx(PLANTED, abs=5)
    assert found.first.value == pytest.approx(35, abs=5)
    assert found.draws == pytest.approx(0.5 / 2.5, abs=0.01)
    assert sum(rating.value for rating in found.ratings) == pytest.approx(0, abs=1e-3)


def covered(pairs, repetitions, resamples):
    """How often the intervals of the ratings and of being first hold the truth."""
    held = np.zeros(5)
    for seed in range(repetitions):
        meetings = simulated(PLANTED, 35, 0.5, pairs, np.random.default_rng((seed, pairs)))
        found = fit_ratings(4, meetings, seed=seed, resamples=resamples)
        truths = zip([*found.ratings, found.first], [*PLANTED, 35], strict=True)
        held += [estimate.low <= truth <= estimate.high for estimate, truth in truths]
    return held / repetitions


def test_intervals_cover_roughly():
    assert 0.88 <= covered(50, 40, 200)[:4].mean() <= 0.995


@pytest.mark.slow
def test_intervals_cover():
    shares = covered(50, 1000, 500)
    assert 0.93 <= shares[:4].mean() <= 0.97
    assert (shares > 0.92).all()


def test_both_ways_to_fit_find_the_same():
    rng = np.random.default_rng(3)
    model = Model(3, [0, 1, 0, 2, 1, 2], [1, 0, 2, 0, 2, 1])
    tables = rng.integers(0, 30, size=(20, 6, 3)).astype(float)
    tables[0] = [30, 0, 0]  # only whoever is first wins
    tables[1] = [0, 30, 0]
    many = model.fit_many(tables, np.zeros(5))
    for table, terms in zip(tables, many, strict=True):
        assert terms == pytest.approx(model.fit(table), abs=1e-5)
        assert model.slope(terms[None], table[None]) == pytest.approx(0, abs=1e-5)


def test_slope_and_curvature_are_those_of_the_loss():
    rng = np.random.default_rng(4)
    model = Model(3, [0, 1, 2], [1, 2, 0])
    table = rng.integers(1, 30, size=(1, 3, 3)).astype(float)
    terms, tiny = rng.normal(size=5), 1e-5
    for k in range(5):
        up, down = terms.copy(), terms.copy()
        up[k] += tiny
        down[k] -= tiny
        slope = (model.loss(up[None], table) - model.loss(down[None], table)) / (2 * tiny)
        assert slope[0] == pytest.approx(model.slope(terms[None], table)[0, k], rel=1e-4)
        bend = (model.slope(up[None], table) - model.slope(down[None], table)) / (2 * tiny)
        assert bend[0] == pytest.approx(
            model.curvature(terms[None], table)[0, k], rel=1e-4, abs=1e-6
        )


def finite(found):
    numbers = [n for e in [*found.ratings, found.first] for n in (e.low, e.value, e.high)]
    assert np.isfinite([*numbers, found.draws]).all()
    assert all(e.low <= e.value <= e.high for e in [*found.ratings, found.first])


def alike(one, two, row, pairs=10):
    return Meeting(one, two, np.tile(np.array(row, float), (pairs, 1)))


WON, DRAWN = [1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 0]


def test_a_table_of_wins_alone():
    found = fit_ratings(3, [alike(0, 1, WON), alike(1, 2, WON), alike(0, 2, WON)])
    finite(found)
    assert found.unbounded == [0, 1, 2]
    assert found.ratings[0].value > found.ratings[1].value > found.ratings[2].value
    assert found.ratings[0].low < found.ratings[0].value - 50


def test_one_that_never_lost_among_others_that_did():
    rng = np.random.default_rng(1)
    met = [m for m in simulated(PLANTED, 0, 0.5, 20, rng) if m.one != 0]
    found = fit_ratings(4, [*met, *(alike(0, j, WON) for j in (1, 2, 3))])
    finite(found)
    assert found.unbounded == [0]
    assert found.apart == []


def test_a_table_of_draws_alone():
    found = fit_ratings(2, [alike(0, 1, DRAWN)])
    finite(found)
    assert found.unbounded == []
    assert found.ratings[0].value == pytest.approx(0, abs=1e-3)
    assert found.draws > 0.9


def test_pairs_that_were_all_split_leave_an_interval():
    """By whichever side: a rating of exactly 0 is not known from three pairs."""
    split = np.array([[1, 0, 0, 0, 0, 1], [0, 0, 1, 1, 0, 0], DRAWN], float)
    found = fit_ratings(2, [Meeting(0, 1, split)])
    assert found.ratings[0].value == pytest.approx(0, abs=1e-3)
    assert found.ratings[0].low < -20
    assert found.ratings[0].high > 20
    more = fit_ratings(2, [Meeting(0, 1, np.tile(split, (20, 1)))]).ratings[0]
    assert found.ratings[0].low < more.low < 0 < more.high < found.ratings[0].high


def test_groups_that_never_met():
    rng = np.random.default_rng(1)
    one, *_ = simulated([0, 50], 0, 0.5, 20, rng)
    other = Meeting(2, 3, one.pairs)
    found = fit_ratings(5, [one, other])
    finite(found)
    assert found.apart == [[0, 1], [2, 3], [4]]
    assert found.ratings[4].high > 1000
    finite(fit_ratings(2, []))
    finite(fit_ratings(2, [alike(0, 1, [1, 0, 0, 0, 0, 0], 1)]))


def games(points):
    """Games in which A got these points, in pairs."""
    return [
        PlayedGame(
            index=index,
            agents=("a", "b"),
            first=0,
            position=None,
            opening=0,
            moves=(str(index),),
            players=(0,),
            chances=(),
            winner=None if got == 0.5 else (index % 2 if got else 1 - index % 2),
            reason="rules",
            seconds=(0.0,),
        )
        for index, got in enumerate(points)
    ]


def table(scores, agents="ABC"):
    return TournamentTable(
        "connect4", list(agents), 0, "none", {k: games(v) for k, v in scores.items()}, 40
    )


def test_cycles_are_named():
    clear, close = [1] * 30 + [0] * 10, [1] * 22 + [0] * 18
    lost = [1 - got for got in clear]
    certain = table({(0, 1): clear, (1, 2): clear, (0, 2): lost})
    assert [(c.agents, c.certain) for c in certain.cycles] == [((0, 1, 2), True)]
    assert "\ncycle: A beats B beats C beats A" in table_text(certain)
    possible = table({(0, 1): clear, (1, 2): close, (0, 2): lost})
    assert "\npossible cycle: A beats B beats C beats A" in table_text(possible)
    assert table({(0, 1): clear, (1, 2): clear, (0, 2): clear}).cycles == []
    even = [1, 0] * 20
    assert table({(0, 1): even, (1, 2): even, (0, 2): even}).cycles == []


def test_longer_cycles_are_found_where_there_is_no_shorter():
    assert circles({0: {1}, 1: {2}, 2: {3}, 3: {0}}) == [(0, 1, 2, 3)]
    assert circles({0: {1}, 1: {2}, 2: {0, 3}, 3: {1}}) == [(0, 1, 2), (1, 2, 3)]
    assert circles({0: {1, 2}, 1: {2}, 2: set()}) == []


def test_a_first_player_term_takes_what_the_side_gives():
    """Each wins whenever first: equals, and being first is worth much."""
    found = fit_ratings(2, [alike(0, 1, [1, 0, 0, 0, 0, 1], 30)])
    assert found.ratings[0].value == pytest.approx(0, abs=1)
    assert found.first.value > 300


@dataclass
class Sloppy:
    """Takes a win only with this probability: strengths in a known order."""

    care: float
    seed: int = 0
    native = True

    def think(self, state):
        careful = np.random.default_rng([self.seed, state.plies]).random() < self.care
        return Taker(self.seed).think(state) if careful else ludus.agent("random").think(state)


def test_a_tournament_finds_the_order():
    agents = {"careful": Sloppy(1.0), "random": "random", "half": Sloppy(0.4)}
    found = ludus.tournament("connect4", agents, games=80, seed=2)
    assert [found.agents[i] for i in found.order] == ["careful", "half", "random"]
    assert found.games == 240
    assert found.points(0, 1)[0] == 1 - found.points(1, 0)[0]
    assert all(score.as_first.games == 40 for score in found.scores.values())


def course(found):
    record = json.loads(json.dumps(found.as_dict()))
    for match in record["matches"]:
        del match["seconds"]
    return record


AGENTS = ["random", "random:epsilon=0.5", "random:temperature=2"]


def test_a_tournament_is_the_same_for_any_number_of_workers():
    one, two = (ludus.tournament("tictactoe", AGENTS, games=7, seed=2, workers=n) for n in (1, 3))
    assert course(one) == course(two)


def test_a_tournament_resumed_is_the_tournament_unbroken(tmp_path, monkeypatch):
    unbroken = ludus.tournament("tictactoe", AGENTS, games=12, seed=2)

    def tired(self, record, append=ludus.arena.folder.TournamentFolder.append):
        append(self, record)
        nonlocal appended
        appended += 1
        if appended == 10:
            raise KeyboardInterrupt

    appended = 0
    monkeypatch.setattr("ludus.arena.folder.TournamentFolder.append", tired)
    with pytest.raises(KeyboardInterrupt):
        ludus.tournament("tictactoe", AGENTS, games=12, seed=2, run=tmp_path)
    assert (tmp_path / "games.jsonl").read_text().count("\n") == 10
    resumed = ludus.tournament("tictactoe", AGENTS, games=12, seed=2, run=tmp_path, resume=True)
    assert course(resumed) == course(unbroken)
    assert (tmp_path / "games.jsonl").read_text().count("\n") == 36
    assert appended == 36
    longer = ludus.tournament("tictactoe", AGENTS, games=14, seed=2, run=tmp_path, resume=True)
    assert course(longer) == course(ludus.tournament("tictactoe", AGENTS, games=14, seed=2))


def test_a_last_line_cut_off_is_dropped_with_a_notice(tmp_path, capsys):
    arguments = ["tournament", "tictactoe", *AGENTS, "--games", "4", "--run", str(tmp_path)]
    assert main(arguments) == 0
    whole = capsys.readouterr().out
    file = tmp_path / "games.jsonl"
    data = file.read_bytes()
    file.write_bytes(data[:-20])
    with pytest.warns(UserWarning, match="line 12 was cut off, and is dropped"):
        ludus.tournament("tictactoe", AGENTS, games=4, run=tmp_path, resume=True)
    file.write_bytes(file.read_bytes()[:-20])
    assert main([*arguments, "--resume"]) == 0
    captured = capsys.readouterr()
    assert captured.out == whole
    assert "line 12 was cut off" in captured.err
    assert len(list(read_replayed(file))) == 12


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ("tictactoe random random:epsilon=0.5 --games 4 --resume", "has agents random, .*, not"),
        ("tictactoe {} --games 4 --resume --seed 3", "has seed 0, not 3"),
        ("connect4 {} --games 4 --resume", "has game tictactoe, not connect4"),
        ("tictactoe {} --games 4 --resume --openings none", "has openings random:2, not none"),
        ("tictactoe {} --games 2 --resume", "has 4 games a pair; it can have more, not 2"),
        ("tictactoe {} --games 4", "holds a tournament; --resume goes on with it"),
    ],
)
def test_another_tournament_is_refused(tmp_path, capsys, changed, sentence):
    ludus.tournament("tictactoe", AGENTS, games=4, run=tmp_path)
    before = (tmp_path / "games.jsonl").read_bytes()
    arguments = changed.format(" ".join(AGENTS)).split()
    assert main(["tournament", *arguments, "--run", str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert re.search(sentence, captured.err)
    assert (tmp_path / "games.jsonl").read_bytes() == before


def test_a_second_process_is_refused(tmp_path):
    prepared = Tournament("tictactoe", AGENTS, games=4, seed=0, openings="random:2")
    with (
        in_folder(prepared, tmp_path, False),
        pytest.raises(ValueError, match="another process plays the tournament"),
    ):
        ludus.tournament("tictactoe", AGENTS, games=4, run=tmp_path)
    ludus.tournament("tictactoe", AGENTS, games=4, run=tmp_path)


def unsealed(line):
    """Without its checksum."""
    return json.dumps({key: value for key, value in json.loads(line).items() if key != "crc32"})


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda line: line.replace("tictactoe", "chess"), "line 2: no game 'chess'"),
        (lambda line: "{}", "line 2: a record here has format 1"),
        (lambda line: line.replace('"random"', '"stranger"'), "line 2: .* checksum is wrong"),
        (lambda line: unsealed(line.replace('"random"', '"stranger"')), "stranger .* not of this"),
    ],
)
def test_a_damaged_line_in_the_middle_is_refused(tmp_path, spoil, sentence):
    ludus.tournament("tictactoe", AGENTS, games=4, run=tmp_path)
    file = tmp_path / "games.jsonl"
    lines = file.read_text().splitlines()
    lines[1] = spoil(lines[1])
    file.write_text("\n".join(lines) + "\n")
    with pytest.raises(ValueError, match=sentence):
        ludus.tournament("tictactoe", AGENTS, games=4, run=tmp_path, resume=True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("tictactoe random", "a tournament has at least two agents, not 1"),
        ("tictactoe random random", "random is there twice"),
        ("tictactoe random nobody", "no agent 'nobody'"),
        ("tictactoe random random:epsilon=0.5 --games 0", "games is a whole number from 1"),
        ("tictactoe random random:epsilon=0.5 --seed -4", "seed is a whole number from 0"),
        ("tictactoe random random:epsilon=0.5 --resume", "give --run DIR"),
        ("tictactoe random random:epsilon=0.5 --run {} --resume", "no tournament to resume"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, tmp_path, arguments, sentence):
    assert main(["tournament", *arguments.format(tmp_path / "new").split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err
    assert captured.err.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_the_report_warns_of_games_that_repeat():
    agents = {"one": Lowest(), "two": Lowest()}
    found = ludus.tournament("connect4", agents, games=10, openings="none")
    assert "warning: one and two played only 1 different games of 10" in table_text(found)


def test_a_seed_or_a_generator():
    assert read_seed(None, None) == 0
    with pytest.raises(ValueError, match="not both"):
        read_seed(1, ludus.rng(1))


def test_a_part_of_a_tournament_is_a_fair_part():
    jobs = Tournament("tictactoe", AGENTS, games=6, seed=0, openings="none").jobs()
    assert [(plan.key, index) for plan, index in islice(jobs, 6)] == [
        (key, index) for key in ((0, 1), (0, 2), (1, 2)) for index in (0, 1)
    ]
