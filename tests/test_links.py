"""Every link between documents leads to a file."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files(document):
    links = re.findall(r"\]\(([^)#\s]+)", document.read_text())
    missing = [
        link for link in links if "://" not in link and not (document.parent / link).exists()
    ]
    assert not missing, f"{document.name} links to {', '.join(missing)}"


def test_there_are_links_to_look_at():
    assert sum("](" in document.read_text() for document in DOCUMENTS) > 5
