"""Damage a file of a run or of a tournament: the result is the same, or a sentence tells."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

from ludus.arena import record
from ludus.files import Notice
from ludus.learn.store import checkpoint, selection
from ludus.learn.store.selection import checkpoint_of, player_of
from tests.abuse._small import (
    copy,
    kept,
    learned,
    tournament,
    training,
    unbroken_tournament,
    unbroken_training,
)


def attack(rng: random.Random, folder: Path) -> str:
    """Spoil one file or two, then read them or go on."""
    what = rng.choice(["training", "training", "tournament"])
    path = copy(what, folder / "run")
    names = sorted(kept(what))
    done = [spoil(rng, path / rng.choice(names)) for _ in range(rng.choice([1, 1, 2]))]
    uses = {"training": [resume, resume, look, replay], "tournament": [go_on]}
    use = rng.choice(uses[what])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            said = use(path, told)
        except (ValueError, OSError) as error:
            said = f"refused: {error}"
    assert "\n" not in said, said
    return f"{', '.join(done)}; {use.__name__}: {said}".replace(str(folder), "")


def spoil(rng: random.Random, file: Path) -> str:
    """Flip bits, cut, extend, empty, or delete."""
    data = bytearray(file.read_bytes()) if file.exists() else bytearray()
    how = rng.choice(["flip", "flip", "flip", "cut", "extend", "repeat", "zero", "delete"])
    at = rng.randrange(len(data)) if data else 0
    if how == "delete":
        file.unlink(missing_ok=True)
        return f"deleted {file.name}"
    if how == "flip" and data:
        data[at] ^= 1 << rng.randrange(8)
    elif how == "cut":
        del data[at:]
    elif how == "extend":
        data += rng.randbytes(rng.randint(1, 200))
    elif how == "repeat":
        data += data[at:]
    elif how == "zero":
        data[at : at + 512] = bytes(len(data[at : at + 512]))
    file.write_bytes(data)
    return f"{how} {file.parent.name}/{file.name} at {at}"


Told = list[warnings.WarningMessage]


def notices(told: Told) -> list[str]:
    """What was told as damage; any other warning is one too many."""
    for one in told:
        assert issubclass(one.category, Notice), one.message
    return [str(one.message) for one in told]


def resume(path: Path, told: Told) -> str:
    """A training that goes on comes to the same weights, and its course is whole or told."""
    run = training(path, 6)
    run.train()
    assert learned(run) == unbroken_training(6), "other weights than without damage"
    steps = [line["step"] for line in run.folder.course()]
    damaged = run.notices + notices(told)
    assert steps == [1, 2, 3, 4, 5, 6] or damaged, f"the course has {steps} without a word"
    before = kept("training")[Path("metrics.jsonl")].split(b"\n")[:-1]
    now = run.folder.metrics.read_bytes().split(b"\n")[:4]
    # Steps that were trained again took another time, and say so; who trains again has told.
    assert now == before or damaged, "the course has changed without a word"
    return f"the same, {len(damaged)} notices"


def look(path: Path, told: Told) -> str:
    """An agent is the one that was meant, or the warning says which it is."""
    steps = []
    for which in ("last", "best"):
        with warnings.catch_warnings(record=True) as here:
            warnings.simplefilter("always")
            one = checkpoint_of(f"{path}@{which}")
            player_of(f"{path}@{which}")
        was = kept("training")[Path("checkpoints") / one.path.name / checkpoint.ARRAYS]
        now = (one.path / checkpoint.ARRAYS).read_bytes()
        assert now == was, "other weights than were written"
        assert notices(here) or one.step == meant(which), f"@{which} is {one.step} without a word"
        steps.append(one.step)
    return f"steps {steps}"


def meant(which: str) -> int:
    """The step of a checkpoint by its name, as it was before any damage."""
    if which == "last":
        return 4
    return FOUND.setdefault(which, best_step())


FOUND: dict[str, int] = {}


def best_step() -> int:
    """Of the folder as it was written."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="ludus-abuse-") as folder:
        one = selection.best(copy("training", Path(folder) / "run") / "checkpoints")
        assert one is not None
        return one.step


def replay(path: Path, told: Told) -> str:
    """Recorded games are those that were written."""
    count = 0
    for file in sorted((path / "games").iterdir()):
        wanted = kept("training")[file.relative_to(path)].split(b"\n")[:-1]
        for line, one in zip(wanted, record.read_replayed(file), strict=False):
            assert one == record.parse(line), "another game than was written"
            count += 1
    return f"{count} games"


def go_on(path: Path, told: Told) -> str:
    """A tournament that goes on has the same games."""
    assert tournament(path, resume=True) == unbroken_tournament(), "other games than without damage"
    return f"the same, {len(notices(told))} notices"
