"""Game records: one JSON line a game, strictly read, replayable."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from ludus import lines, reading
from ludus.arena.opening import who_began
from ludus.arena.reward import GameReward, RewardSum, check_reward
from ludus.arena.running import REASONS, RESIGNED, PlayedGame, why_over
from ludus.extras import version
from ludus.game import Game, State, game_names, is_registered, kind, make_game

FORMAT = 1


@dataclass(frozen=True)
class Record:
    """A game as it is written down."""

    game: Game
    seed: int  # of its match
    played: PlayedGame
    sealed: bool = field(default=False, compare=False)  # was read with a checksum that fits

    def line(self) -> str:
        """As it stands in a file, with its end of line."""
        played = asdict(self.played)
        played["players"] = "".join(map(str, self.played.players))
        played["seconds"] = [round(seconds, 6) for seconds in self.played.seconds]
        if self.played.reward is None:
            del played["reward"]
        record = {
            "format": FORMAT,
            "ludus": version(),
            "game": self.game.name,
            "parameters": dict(self.game.parameters),
            "rules": self.game.kind.rules,
            "seed": self.seed,
            **played,
        }
        line = lines.dump(record)
        if len(line) > reading.MOST_LINE:
            raise ValueError(f"this game takes {len(line):,} bytes, too many for a record")
        return line

    @cached_property
    def states(self) -> list[State]:
        """Every state of the game, replayed; what the rules do not allow is refused."""
        played, game = self.played, self.game
        state = game.start() if played.position is None else game.state(played.position)
        # A game of somebody's own may toss a coin of which its positions say nothing.
        told = played.position is None or is_registered(game.kind)
        if told and played.first != (began := who_began(game, state)):
            raise ValueError(f"player {began} began this game, not {played.first}")
        states, chances = [state], iter(played.chances)
        purse = RewardSum(played.reward.name) if played.reward else None
        for ply, (move, player) in enumerate(zip(played.moves, played.players, strict=True), 1):
            if state.player != player:
                raise ValueError(f"ply {ply} is said to be of player {player}, who is not to move")
            try:
                action = game.action(state, move)
                after = state.play(action, chance=next(chances) if state.chancy else None)
            except StopIteration:
                raise ValueError(f"chance at ply {ply} is missing") from None
            except ValueError as error:
                raise ValueError(f"at ply {ply}, {error}") from None
            if purse and ply > played.opening:
                purse.add(state, action, after)
            state = after
            states.append(state)
        if next(chances, None) is not None:
            raise ValueError("there are more results of chance than plies that had any")
        self.check_end(state)
        if purse:
            self.check_reward(purse.total())
        return states

    def check_end(self, state: State) -> None:
        """The outcome and its reason are those of the last state."""
        played = self.played
        if played.reason == RESIGNED:
            if state.outcome is not None or played.winner is None:
                raise ValueError("who resigns loses a game that goes on, unlike here")
            return
        if state.outcome is None:
            raise ValueError(f"the game is not over after its {len(played.moves)} moves")
        if state.winner != played.winner:
            raise ValueError(f"the winner is {state.winner}, not {played.winner}")
        if played.reason != why_over(self.game, state):
            raise ValueError(f"the game did not end by {played.reason}")

    def check_reward(self, earned: GameReward) -> None:
        """Both players were paid what the plies pay."""
        assert self.played.reward is not None
        for player, said in enumerate(self.played.reward.paid):
            if not math.isclose(said, earned.paid[player], rel_tol=1e-6, abs_tol=1e-6):
                raise ValueError(
                    f"player {player} was paid {earned.paid[player]:g} here, not {said:g}"
                )

    def with_reward(self, reward: str | None) -> PlayedGame:
        """The same game with its reward by this name, played again if that is not known."""
        known, resigned = self.played.reward, self.played.reason == RESIGNED
        if reward is None or resigned or (known is not None and known.name == reward):
            return self.played
        purse, states, opening = RewardSum(reward), self.states, self.played.opening
        for ply, (before, after) in enumerate(pairwise(states)):
            if ply >= opening:
                purse.add(before, self.game.action(before, self.played.moves[ply]), after)
        return replace(self.played, reward=purse.total())


def whole_number(value: object) -> bool:
    """An integer, and not a boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


def texts(value: object) -> bool:
    """A list of text."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


# What each field of a record must be, in words and as a check.
FIELDS: dict[str, tuple[str, Any]] = {
    "format": ("a whole number", whole_number),
    "ludus": ("text", lambda v: isinstance(v, str)),
    "game": ("text", lambda v: isinstance(v, str)),
    "parameters": ("an object", lambda v: isinstance(v, dict)),
    "rules": ("a whole number", whole_number),
    "seed": ("a whole number from 0", lambda v: whole_number(v) and v >= 0),
    "index": ("a whole number from 0", lambda v: whole_number(v) and v >= 0),
    "agents": ("two spellings", lambda v: texts(v) and len(v) == 2),
    "first": ("0 or 1", lambda v: whole_number(v) and v in (0, 1)),
    "position": ("text or null", lambda v: v is None or isinstance(v, str)),
    "opening": ("a whole number from 0", lambda v: whole_number(v) and v >= 0),
    "moves": ("a list of moves", texts),
    "players": ("a row of 0 and 1", lambda v: isinstance(v, str) and set(v) <= {"0", "1"}),
    "chances": (
        "a list of whole numbers",
        lambda v: isinstance(v, list) and all(map(whole_number, v)),
    ),
    "winner": ("0, 1 or null", lambda v: v is None or (whole_number(v) and v in (0, 1))),
    "reason": (f"one of {', '.join(REASONS)}", lambda v: isinstance(v, str) and v in REASONS),
    "seconds": (
        "a list of numbers from 0",
        lambda v: (
            isinstance(v, list)
            and all((whole_number(s) or isinstance(s, float)) and 0 <= s < 1e9 for s in v)
        ),
    ),
}


REWARD = (
    "a name and what it paid two players",
    lambda v: (
        isinstance(v, dict)
        and v.keys() == {"name", "paid"}
        and isinstance(v["name"], str)
        and isinstance(v["paid"], list)
        and len(v["paid"]) == 2
        and all((whole_number(p) or isinstance(p, float)) and abs(p) < 1e9 for p in v["paid"])
    ),
)
OPTIONAL: dict[str, tuple[str, Any]] = {"reward": REWARD}  # not every record has these


def parse(line: str | bytes, source: Game | None = None) -> Record:
    """Read one line; `source` is the game where it is written in Python, as no record runs code."""
    fields, seal = lines.load(line)
    if fields.get("format") != FORMAT:
        raise ValueError(f"a record here has format {FORMAT}, not {fields.get('format')!r}")
    for name, (wanted, fits) in (FIELDS | OPTIONAL).items():
        if name not in fields:
            if name in OPTIONAL:
                continue
            raise ValueError(f"the record has no {name}")
        if not fits(fields[name]):
            raise ValueError(f"{name} is {wanted}, not {json.dumps(fields[name])[:60]}")
    if unknown := fields.keys() - FIELDS.keys() - OPTIONAL.keys():
        raise ValueError(f"a record has no field {min(unknown)!r}")
    if len(fields["moves"]) != len(fields["players"]):
        raise ValueError("there is one player for each move")
    if fields["opening"] + len(fields["seconds"]) != len(fields["moves"]):
        raise ValueError("there is a thinking time for each move after the opening")
    on = read_game(fields, source)
    if "reward" in fields:
        check_reward(on, fields["reward"]["name"])
        if fields["reason"] == RESIGNED:
            raise ValueError("a game that was resigned has no reward")
    lines.check(fields, seal)
    return Record(on, fields["seed"], played_game(fields), seal is not None)


def read_game(fields: dict[str, Any], source: Game | None) -> Game:
    """The game of a record: a registered one, or the one at hand if it has that name."""
    name = fields["game"]
    if source is not None and source.name == name:
        chosen = source.kind
    elif name in game_names():
        chosen = kind(name)
    else:
        there = ", ".join([*game_names(), *([source.name] if source else [])])
        raise ValueError(f"no game {name!r}; there are {there}, or give its file as the source")
    if fields["rules"] != chosen.rules:
        raise ValueError(
            f"the record is of version {fields['rules']} of the rules of {name}, "
            f"and these are version {chosen.rules}"
        )
    try:
        return make_game(chosen, **fields["parameters"])
    except TypeError as error:
        raise ValueError(str(error).split("\n")[0]) from None


def played_game(fields: dict[str, Any]) -> PlayedGame:
    """The fields as they were played."""
    own = {name: fields[name] for name in PlayedGame.__dataclass_fields__ if name in fields}
    for name in ("agents", "moves", "chances", "seconds"):
        own[name] = tuple(own[name])
    own["players"] = tuple(int(player) for player in own["players"])
    if "reward" in own:
        one, two = own["reward"]["paid"]
        own["reward"] = GameReward(own["reward"]["name"], (float(one), float(two)))
    return PlayedGame(**own)


def read(path: str | Path, source: Game | None = None) -> Iterator[Record]:
    """The records of a file, each one's form checked; `states` checks its play."""
    number = 0
    for number, line in enumerate(reading.lines(path), 1):
        try:
            if not line.endswith(b"\n"):
                raise ValueError("the line is cut off")
            record = parse(line, source)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        yield record
    if not number:
        raise ValueError(f"{path} is empty: it has no games")


def read_replayed(path: str | Path, source: Game | None = None) -> Iterator[Record]:
    """The same, every game played again by the rules."""
    for number, record in enumerate(read(path, source), 1):
        try:
            record.states  # noqa: B018  (asking is checking)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        yield record
