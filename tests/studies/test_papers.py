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


@pytest.mark.parametrize("name", studies())
@pytest.mark.parametrize("scale", SCALES)
def test_what_is_asked_for_is_quoted(name, scale):
    paper = papers()[name]
    for question in study(name).ask(scale):
        asked = [cell.theirs for grid in question.grids for _, row in grid.rows for cell in row]
        asked += [where for figure in question.figures for _, where in figure.levels]
        for one in filter(None, asked):
            assert paper.number(one).value is not None
        for claim in question.claims:
            assert not claim.quote or paper.quote(claim.quote)


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
