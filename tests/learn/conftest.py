"""Learning needs torch; one thread repeats bit by bit."""

import pytest

torch = pytest.importorskip("torch")
torch.set_num_threads(1)
