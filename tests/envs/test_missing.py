"""An adapter without its library says what to install."""

import subprocess
import sys

import pytest

from ludus.envs.pixels import pixels
from ludus.extras import install

BLOCKED = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None
try:
    import ludus.envs.{adapter}
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("adapter", "blocked", "library"),
    [
        ("pettingzoo", ["pettingzoo"], "PettingZoo"),
        ("gymnasium", ["gymnasium"], "Gymnasium"),
        ("torchrl", ["torchrl", "torch", "tensordict"], "TorchRL"),
    ],
)
def test_an_adapter_without_its_library_says_what_to_install(adapter, blocked, library):
    code = BLOCKED.format(adapter=adapter, blocked=blocked)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == f"ludus.envs.{adapter} needs {library}: {install(adapter)}\n"


def test_pixels_without_pillow_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ModuleNotFoundError, match="rgb_array needs Pillow: pip install pillow"):
        pixels('<svg width="1" height="1"/>')


def test_no_door_is_opened_unasked():
    code = "import sys, ludus; print({'gymnasium', 'pettingzoo', 'torch'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"
