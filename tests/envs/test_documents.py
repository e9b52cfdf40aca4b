"""What the documents show of the adapters runs, block after block."""

import re
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def blocks(document):
    """The Python of a document that goes through an adapter, in order."""
    code = re.findall(r"^```python\n(.*?)^```$", (ROOT / document).read_text(), re.M | re.S)
    return [block for block in code if ">>>" not in block and "env" in block]


@pytest.mark.parametrize(
    ("document", "least"), [("docs/envs.md", 5), ("docs/howto/environments.md", 3)]
)
def test_the_code_of_the_document_runs(document, least, monkeypatch):
    for library in ("pettingzoo", "gymnasium"):
        pytest.importorskip(library, reason=f"the documents show {library}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # TorchRL warns of its own past when it is imported
        pytest.importorskip("torchrl", reason="the documents show TorchRL")
        monkeypatch.chdir(ROOT)
        shown, names = blocks(document), {}
        for block in shown:
            exec(compile(block, document, "exec"), names)  # noqa: S102
    assert len(shown) >= least


def test_every_id_is_in_the_document():
    gymnasium = pytest.importorskip("gymnasium", reason="the ids are Gymnasium's")
    import ludus.envs.gymnasium  # noqa: F401

    text = (ROOT / "docs/envs.md").read_text()
    ids = {name for name in gymnasium.registry if name.startswith("ludus/")}
    assert set(re.findall(r"ludus/\w+-v0", text)) == ids
