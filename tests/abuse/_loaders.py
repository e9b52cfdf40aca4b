"""Sound files of every kind, and what loads them."""

from __future__ import annotations

import json
import os
import zlib
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import ludus
from ludus.arena.opening import read_openings
from ludus.arena.record import Record, read_replayed
from ludus.cli import main
from ludus.truth import table
from ludus.truth.oracle import NoTruth, parse_spelling
from ludus.truth.solving import save, solve
from tests.abuse._forging import clear

GAMES = ["tictactoe", "connect4", "supertictactoe", "kingcourtesan", "checkers"]
GAMES += ["chinesecheckers", "cathedral"]
SOLVED = ["connect4:rows=4,columns=4,ply=2", "chinesecheckers:size=3,pieces=1"]
SOLVED += ["checkers:pieces=2", "kingcourtesan:size=3"]
EXAMPLE = f"{Path(__file__).parents[2] / 'examples' / 'breakthrough.py'}:size=4"


class Loader:
    """Files in a folder; `load` reads them as a person would have it."""

    def __init__(self, folder, rng):
        self.folder, self.rng = folder, rng

    def make(self):
        clear(self.folder)
        self.write()

    def files(self):
        return sorted(path for path in self.folder.rglob("*") if path.is_file())

    def opened(self, path, data):
        """What stands before the JSON, the JSON, and how to put another one there."""
        try:
            text = data.decode()
            json.loads(text)
        except ValueError:
            return b"", None, None
        return b"", text, lambda head, new: new.encode(errors="surrogatepass") + b"\n"


class Records(Loader):
    """A file of games."""

    def write(self):
        game = ludus.game(self.rng.choice(GAMES[:3]))
        score = ludus.match(game, "random", "random:epsilon=0.5", games=2, seed=1)
        played = self.rng.choice(score.played)
        (self.folder / "games.jsonl").write_text(Record(game, 1, played).line())

    def load(self):
        path = self.folder / "games.jsonl"
        if self.rng.random() < 0.5:
            list(read_replayed(path))
        else:
            more = self.rng.choice([[], ["--json"], ["--game", "1"]])
            assert main(["replay", str(path), *more]) in (0, 2)


class Tournaments(Loader):
    """A tournament that goes on."""

    def write(self):
        self.play(resume=False)
        (self.folder / "cup" / "lock").unlink(missing_ok=True)
        if self.rng.random() < 0.5:  # one line can be forged as JSON
            games = self.folder / "cup" / "games.jsonl"
            games.write_bytes(games.read_bytes().split(b"\n")[0] + b"\n")

    def play(self, resume):
        ludus.tournament(
            "tictactoe",
            ["random", "random:epsilon=0.5"],
            games=4,
            seed=0,
            run=self.folder / "cup",
            resume=resume,
        )

    def load(self):
        self.play(resume=True)


class Tables(Loader):
    """A table of a solver, its header signed anew."""

    def write(self):
        header = {"what": "table", "game": "tictactoe", "rules": 1, "result": {"states": 4}}
        arrays = {"scores": np.arange(64, dtype=np.int8), "more": np.zeros(9, np.int8)}
        table.write(self.folder / "x.table", header, arrays)

    def opened(self, path, data):
        at = len(table.MAGIC) + table.FRONT.size
        length, _ = table.FRONT.unpack_from(data, len(table.MAGIC))
        rest = data[at + length :]

        def signed(head, new):
            text = new.encode(errors="surrogatepass")
            return table.MAGIC + table.FRONT.pack(len(text), zlib.crc32(text)) + text + rest

        return b"", data[at : at + length].decode(), signed

    def load(self):
        path, expected = self.folder / "x.table", {"what": "table", "game": "tictactoe"}
        if self.rng.random() < 0.5:
            table.read(path, expected)
        else:
            into = {"scores": np.zeros(64, np.int8), "more": np.zeros(9, np.int8)}
            table.pour(path, expected, into)


class Shelves(Tables):
    """The tables and checkpoints of solvers, where oracles look for them."""

    def write(self):
        self.spelling = self.rng.choice(SOLVED)
        self.suffix = self.rng.choice([".table", ".part"])
        (self.folder / "tables").mkdir()
        with self.at_home():
            job = self.job()
            solver = job.solver()
            if self.suffix == ".part":
                save(job, solver, job.file.with_suffix(".part"), 0.1)
            else:
                solve(job)
                job.file.with_suffix(".lock").unlink()

    def job(self):
        game, module, chosen = parse_spelling(self.spelling)
        return module.job(game, threads=1, **chosen)

    def load(self):
        with self.at_home():
            assert main(["solve", self.spelling]) in (0, 2)
            game, module, chosen = parse_spelling(self.spelling)
            known = module.oracle(game, **chosen)
            with suppress(NoTruth):
                known.value(game.start())

    @contextmanager
    def at_home(self):
        before = os.environ.get("LUDUS_HOME")
        os.environ["LUDUS_HOME"] = str(self.folder)
        try:
            yield
        finally:
            os.environ.pop("LUDUS_HOME")
            if before is not None:
                os.environ["LUDUS_HOME"] = before


class Openings(Loader):
    """Lines of moves, or positions."""

    def write(self):
        self.on = ludus.game(self.rng.choice(GAMES))
        line = str(self.on.start())
        (self.folder / "openings").write_text(f"{line}\n\n{line}\n")

    def load(self):
        read_openings(str(self.folder / "openings"), self.on)


class Snapshots(Loader):
    """A state as bytes, native or written in Python."""

    def write(self):
        self.on = ludus.game(self.rng.choice([*GAMES, EXAMPLE, EXAMPLE, EXAMPLE]))
        state = self.on.start()
        for _ in range(3):
            state = state.play(state.legal()[0], self.rng)
        (self.folder / "state").write_bytes(bytes(state))

    def opened(self, path, data):
        if not data.startswith(b"ludus-written"):
            return b"", None, None
        head, _, text = data.partition(b"\n")
        sign = lambda head, new: head + b"\n" + new.encode(errors="surrogatepass")  # noqa: E731
        return head, text.decode(), lambda _, new: sign(head, new)

    def load(self):
        path = self.folder / "state"
        if path.is_file() and path.stat().st_size < 1 << 25:  # bytes come from a person's hand
            state = self.on.state(path.read_bytes())
            assert self.on.state(bytes(state)) == state
            state.legal()


class Environments(Loader):
    """A running game of PettingZoo's."""

    def write(self):
        from ludus.envs.pettingzoo import env

        self.env = env(self.rng.choice(GAMES[:4]))
        self.env.reset(seed=1)
        for _ in range(3):
            self.env.step(int(self.env.infos[self.env.agent_selection]["action_mask"].argmax()))
        (self.folder / "env").write_bytes(self.env.snapshot())

    opened = Snapshots.opened

    def load(self):
        path = self.folder / "env"
        if path.is_file() and path.stat().st_size < 1 << 25:
            self.env.restore(path.read_bytes())
            self.env.last()


class Cards(Loader):
    """A card of the zoo."""

    def write(self):
        from ludus.learn.store import zoo

        data = (zoo.FOLDER / "tictactoe.json").read_bytes()
        (self.folder / "x.json").write_bytes(data)

    def load(self):
        from ludus.learn.store import zoo
        from ludus.learn.store.zoo import network_of

        before, zoo.FOLDER = zoo.FOLDER, self.folder
        try:
            network_of("zoo/x")
            assert main(["zoo", *self.rng.choice([[], ["--json"], ["x"]])]) in (0, 2)
        finally:
            zoo.FOLDER = before


class Runs(Loader):
    """The settings and the course of a run that has no checkpoint yet."""

    def write(self):
        from ludus.learn import algorithm

        path = self.folder / "run"
        path.mkdir()
        config = {"steps": 5, "ladder": "random;uct", "opponent": "self", "teacher": "perfect"}
        method = self.rng.choice(["ppo", "dqn", "supervised", "vae"])
        known = {"ppo": 3, "dqn": 3, "vae": 2, "supervised": 4}[method]
        config = dict(list(config.items())[:known])
        if method == "supervised":
            del config["opponent"]
        if find_spec("torch"):
            algorithm(method)  # what is imported now is not loaded later
        record = {"format": 1, "ludus": "0", "rules": 1, "algorithm": method, "game": "tictactoe"}
        record |= {"seed": 1, "config": config, "command": "ludus train"}
        (path / "config.json").write_text(json.dumps(record))
        (path / "metrics.jsonl").write_text(json.dumps({"step": 1, "loss": 0.5}) + "\n")

    def load(self):
        from ludus.learn.runs.run import Run

        path = self.folder / "run"
        more = self.rng.choice([[], ["--json"]])
        assert main(["runs", str(self.folder), *more]) in (0, 2)
        if find_spec("torch"):
            run = Run(path)
            run.folder.course()
            run.with_config(steps=7)


LOADERS = {
    "records": Records,
    "tournaments": Tournaments,
    "tables": Tables,
    "shelves": Shelves,
    "openings": Openings,
    "snapshots": Snapshots,
    "cards": Cards,
    "runs": Runs,
}
if find_spec("pettingzoo"):
    LOADERS["environments"] = Environments
