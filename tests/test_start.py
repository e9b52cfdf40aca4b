"""The command line from its first moment on: whatever happens is a sentence."""

import os
import subprocess
import sys

import pytest

from ludus import cli

# A child that gets Ctrl-C when the module that is named is about to be imported.
INTERRUPTED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
class Hook:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Hook())
sys.argv = ["ludus", "games"]
from ludus_start import main
sys.exit(main())
"""


def child(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize(
    "name",
    ["ludus", "ludus._core", "ludus.arena.match", "ludus.cli", "ludus.cli.games", "argparse"],
)
def test_ctrl_c_during_imports_is_a_sentence(name):
    done = child(INTERRUPTED.format(name=name))
    assert done.returncode == 130, done.stderr
    assert done.stderr == "ludus: stopped\n"


# The same in a callback, where Python prints an exception and forgets it.
IN_A_CALLBACK = INTERRUPTED.replace(
    "            os.kill(os.getpid(), signal.SIGINT)",
    """            import weakref
            thing = type("Thing", (), {{}})()
            def gone(_):
                os.kill(os.getpid(), signal.SIGINT)
                sum(range(99))
            kept = weakref.ref(thing, gone)
            del thing""",
)


@pytest.mark.parametrize("name", ["ludus", "ludus.arena.match", "ludus.cli.games"])
def test_ctrl_c_in_a_callback_of_an_import_is_not_lost(name):
    done = child(IN_A_CALLBACK.format(name=name))
    assert (done.returncode, done.stderr) == (130, "ludus: stopped\n")


def test_the_module_is_the_command_line_too():
    done = subprocess.run(
        [sys.executable, "-m", "ludus", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip()


class Broken:
    """A command that fails in a way nobody has thought of."""

    def __init__(self, error):
        self.error = error

    def __call__(self, arguments):
        raise self.error


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (KeyError("x"), 3, "ludus: KeyError: 'x' (a defect of ludus; LUDUS_DEBUG=1 shows where)"),
        (RecursionError("too deep"), 3, "ludus: RecursionError: too deep (a defect"),
        (MemoryError(), 2, "ludus: memory ran out: ask for less"),
        (ValueError("two\nlines"), 2, "ludus: two lines"),
        (OSError(28, "No space left on device", "games.jsonl"), 2, "games.jsonl: No space left"),
        (OSError("a sentence"), 2, "ludus: a sentence"),
        (KeyboardInterrupt(), 130, "ludus: stopped"),
    ],
)
def test_whatever_is_raised_becomes_one_sentence(error, code, sentence, monkeypatch, capsys):
    monkeypatch.setattr(cli, "run", Broken(error))
    assert cli.main([]) == code
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_the_traceback_is_kept_for_those_who_ask(monkeypatch, capsys):
    monkeypatch.setattr(cli, "run", Broken(KeyError("x")))
    monkeypatch.setenv("LUDUS_DEBUG", "1")
    assert cli.main([]) == 3
    assert "Traceback" in capsys.readouterr().err
