"""Kill a training or a tournament at any moment, several times: it comes to the same in the end."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

from ludus.files import Notice
from tests.abuse._small import (
    learned,
    tournament,
    training,
    unbroken_tournament,
    unbroken_training,
)

STEPS = 40
ROOT = Path(__file__).parents[2]
BEGUN = "begun"
CHILD = f"""
import sys
from pathlib import Path
from tests.abuse import _small
what, path = sys.argv[1], Path(sys.argv[2])
print({BEGUN!r}, flush=True)
if what == "training":
    _small.training(path, {STEPS}, evaluate_every=10).train()
else:
    resume = (path / "tournament.json").exists()
    _small.tournament(path, resume, workers=int(sys.argv[3]))
"""


def attack(rng: random.Random, folder: Path) -> str:
    """Begin, kill, perhaps go on and kill again, and go on to the end."""
    what = rng.choice(["training", "tournament"])
    path = folder / "run"
    workers = rng.choice([1, 2])
    moments = [rng.uniform(0, 0.5) for _ in range(rng.choice([1, 1, 2]))]
    ended = [killed(what, path, workers, moment) for moment in moments]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Notice)  # a line that was cut off is told, and may be
        if what == "training":
            run = training(path, STEPS, eval_freq=10).train()
            assert learned(run) == unbroken_training(STEPS), "other weights than without a kill"
            steps = [line["step"] for line in run.folder.course()]
            assert steps == list(range(1, STEPS + 1)), f"the course is {steps}"
        else:
            games = tournament(path, resume=(path / "tournament.json").exists())
            assert games == unbroken_tournament(), "other games than without a kill"
    left = [file.name for file in path.rglob(".*")]
    assert not left, f"{left} were left behind"
    return f"{what}, {', '.join(ended)}: the same"


def killed(what: str, path: Path, workers: int, moment: float) -> str:
    """Let it work in another process, and end that without a warning."""
    words = [sys.executable, "-c", CHILD, what, str(path), str(workers)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, cwd=ROOT) as child:
        assert child.stdout is not None
        assert child.stdout.readline().decode().strip() == BEGUN
        time.sleep(moment)
        child.kill()
    assert child.returncode in (0, -signal.SIGKILL), f"it ended with {child.returncode}"
    return f"killed after {moment:.2f} s" if child.returncode else "done before the kill"
