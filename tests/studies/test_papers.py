"""Every number that a study quotes stands in its paper, at the words that are quoted."""

import re
from pathlib import Path

import pytest

from ludus.studies import studies, study
from ludus.studies.engine.quotes import papers
from ludus.studies.engine.study import SCALES

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def seed_text(name):
    """The paper's text, where it lies beside this checkout or beside the folder it is in."""
    file = papers()[name].file
    for folder in Path(__file__).parents:
        if (path := folder / "shared" / "seeds" / file).exists():
            return squeezed(path.read_text())
    pytest.skip("the texts of the papers are not beside this checkout")


def squeezed(text):
    """Without line ends, words put together again that were broken there."""
    return " ".join(re.sub(r"([a-z])-\n(?=[a-z])", r"\1", text).replace("**", "").split())


def numbers(quote):
    """All that is printed as a number there, 94,3 as the French print it."""
    quote = re.sub(r"(\d),(\d)(?!\d\d)", r"\1.\2", quote)
    return [float(one.replace(",", "")) for one in NUMBER.findall(quote.replace("-", " "))]


@pytest.mark.parametrize("name", studies())
def test_quotes_stand_in_the_paper(name):
    text = seed_text(name)
    for key, quote in papers()[name].quotes.items():
        assert squeezed(quote.quote) in text, key
    for one in papers()[name].misprints:
        assert squeezed(one["quote"]) in text, one


@pytest.mark.parametrize("name", studies())
def test_numbers_stand_in_their_quotes_in_order(name):
    for key, quote in papers()[name].quotes.items():
        printed = iter(numbers(quote.quote))
        for own, value in quote.values.items():
            assert abs(value) in printed, (key, own)  # goes on behind the one before


def asked_of(question):
    """The names of all numbers of the paper that a question holds beside ours."""
    cells = [cell.theirs for grid in question.grids for _, row in grid.rows for cell in row]
    levels = [where for figure in question.figures for _, where in figure.levels]
    return [one for one in [*cells, *levels] if one]


@pytest.mark.parametrize("name", studies())
@pytest.mark.parametrize("scale", SCALES)
def test_what_is_asked_for_is_quoted(name, scale):
    paper = papers()[name]
    for question in study(name).ask(scale):
        for one in asked_of(question):
            assert paper.number(one).value is not None
        for claim in question.claims:
            assert not claim.quote or paper.quote(claim.quote)
        for grid in question.grids:
            for row, cells in grid.rows:
                assert len(cells) == len(grid.columns), (question.name, grid.title, row)


# Words that a claim or a sentence rests on, and which hold no number to compare.
IN_WORDS = {
    "cathedral": {"settled", "alphazero", "every step"},
    "kingcourtesan": {"times"},
    "supertictactoe": {"untested"},
    "connect4-checkers": {"time"},
    "chinesecheckers": {"exploits"},
}


@pytest.mark.parametrize("name", studies())
def test_what_is_quoted_is_asked_or_left_out_with_a_reason(name):
    asked = study(name).ask("paper")
    numbers_asked = {one for question in asked for one in asked_of(question)}
    words = {claim.quote for question in asked for claim in question.claims if claim.quote}
    out = {one.quote for one in study(name).left_out if one.quote}
    assert out <= papers()[name].quotes.keys()
    assert all(one.what and one.why for one in study(name).left_out)
    assert papers()[name].quotes.keys() >= IN_WORDS[name]
    for key, quote in papers()[name].quotes.items():
        if key in out | words | IN_WORDS[name]:
            continue
        assert quote.values, key
        for own in quote.values:
            assert f"{key}.{own}" in numbers_asked, (key, own)


# Tables and figures with results; the others show boards, networks and algorithms.
ROMAN = ("I", "II", "III", "IV")
SHOWN = {
    "cathedral": ([*ROMAN], [str(n) for n in range(3, 14)]),
    "kingcourtesan": (["I"], ["1", "2"]),
    "supertictactoe": (["1"], ["1", "2"]),
    "connect4-checkers": ([*"12345"], [*"2345"]),
    "chinesecheckers": (
        [f"4.{n}" for n in range(1, 14)],
        [*(f"4.{n}" for n in range(1, 18)), *(f"A.{n}" for n in range(1, 7))],
    ),
}
LISTED = re.compile(r"(table|figure)s? ([\dA-Z.]+(?:(?:,| and| to) [\dIVA][\d.IV]*)*)")


def named(title):
    """The tables and figures that a title names: `figures 4.1 and 4.2`, `tables 4.1 to 4.4`."""
    for kind, said in LISTED.findall(title):
        for part in re.split(r", | and ", said):
            first, _, last = part.partition(" to ")
            head, _, low = first.rpartition(".")
            high = last.rpartition(".")[2] or low
            if low in ROMAN:
                yield kind, low
                continue
            for number in range(int(low), int(high) + 1):
                yield kind, f"{head}.{number}" if head else str(number)


def test_titles_are_read_as_they_are_meant():
    title = "x (table IV, figures 4.3 to 4.5 and 4.12, figures A.5 and A.6)"
    wanted = {("table", "IV"), *(("figure", n) for n in ("4.3", "4.4", "4.5", "4.12"))}
    assert {*named(title)} == wanted | {("figure", "A.5"), ("figure", "A.6")}


@pytest.mark.parametrize("name", studies())
def test_every_table_and_figure_with_results_has_a_question(name):
    found = {one for question in study(name).ask("smoke") for one in named(question.title)}
    wanted = {
        (kind, number)
        for kind, numbers_of in zip(("table", "figure"), SHOWN[name], strict=True)
        for number in numbers_of
    }
    assert found == wanted


@pytest.mark.parametrize("name", studies())
def test_words_between_quotation_marks_are_the_papers(name):
    text = seed_text(name)
    for question in study(name).ask("smoke"):
        for said in re.findall(r"(?<!\w)'(\w[^']{12,})'(?!\w)", question.asks):
            assert said in text, (question.name, said)


def test_a_wrong_number_would_be_noticed():
    assert numbers("wins 0.963 of 10,000, 94,3% and -2.5") == [0.963, 10000, 94.3, 2.5]
    printed = iter(numbers("Boltzmann 2.851 0.963"))
    assert 0.963 in printed
    assert 2.851 not in printed


SHARE = re.compile(r"(?:(\d[\d.]*) (?:to|and) )?(\d[\d.]*) ?%")


@pytest.mark.parametrize("name", studies())
def test_shares_in_sentences_are_quoted_too(name):
    quotes = papers()[name].quotes.values()
    known = {
        round(value * (1 if quote.percent else 100), 6)
        for quote in quotes
        for value in quote.values.values()
    }
    known |= {value for quote in quotes if quote.percent for value in quote.values.values()}
    for question in study(name).ask("paper"):
        said = [question.asks, *question.notes, *(claim.says for claim in question.claims)]
        for found in SHARE.findall(" ".join(said)):
            assert {float(one) for one in found if one} <= known, (question.name, found)
