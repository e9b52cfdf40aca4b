"""How much of the source one step of a training walks through: what a reader has to know of it."""

import subprocess
import sys
import threading
from pathlib import Path

import ludus
from ludus.learn import ppo
from ludus.learn.runs.run import Run

SOURCE = str(Path(ludus.__file__).parent)
MOST_FILES = 17


def walked(work):
    """The files of ludus, below its folder, whose functions run meanwhile."""
    files = set()

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(SOURCE):
            files.add(frame.f_code.co_filename.removeprefix(SOURCE + "/"))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return files


def test_a_step_of_ppo_walks_through_few_files(tmp_path):
    """A step that is neither the first nor the last, in which no strength is measured."""
    config = ppo.Config(steps=9, eval_freq=0, checkpoint_seconds=1e9)
    steps = Run(tmp_path / "run", "connect4", ppo, config, seed=1).steps()
    next(steps)
    files = walked(lambda: next(steps))
    steps.close()
    assert {"learn/ppo.py", "learn/runs/run.py", "learn/collecting/rollout.py"} <= files
    assert len(files) <= MOST_FILES, sorted(files)


def test_what_is_imported_at_once_needs_no_network():
    """The command line has to answer quickly, and games are played without torch."""
    code = "import sys, ludus, ludus.cli.train; print({'torch', 'numpy'} & sys.modules.keys())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "set()\n"
