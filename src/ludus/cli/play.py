"""Play a game in the terminal: against an agent, against a person, or watch two agents."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ludus.agent import Agent, Thought, agent, move, spelling_of, unwrap
from ludus.agents.human import HumanAgent, Left, ask
from ludus.arena.match import check_playable
from ludus.arena.opening import Openings, play_with_chance
from ludus.arena.seeds import generator, numbers
from ludus.checks import check_whole
from ludus.cli._common import add_game, draw, say
from ludus.draw import stones
from ludus.game import Game, State, game

if TYPE_CHECKING:
    import numpy as np

YOU = "you"
USUAL = "uct"  # who plays, and advises, where nobody is named
BEST = 3  # moves of a hint
INTERRUPTED = 130
WORDS = ("undo", "hint", "resign", "quit")


def options(parser: argparse.ArgumentParser) -> None:
    """Who plays whom, and who begins."""
    add_game(parser)
    parser.add_argument("--vs", default=USUAL, metavar="AGENT", help=f"the opponent ({USUAL})")
    parser.add_argument(
        "--me", default="human", metavar="AGENT", help="let an agent play in your place (human)"
    )
    parser.add_argument(
        "--first", default="me", choices=("me", "them", "random"), help="who begins (me)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of agents, chance and coins (0)")


@dataclass
class Sitting:
    """A game between two, each a person or an agent."""

    game: Game
    agents: tuple[Agent, Agent]  # player 0, player 1
    names: tuple[str, str]
    rng: np.random.Generator
    states: list[State]
    actions: list[int] = field(default_factory=list)

    @property
    def state(self) -> State:
        return self.states[-1]

    def person(self, player: int) -> bool:
        return isinstance(unwrap(self.agents[player]), HumanAgent)

    def label(self, player: int) -> str:
        """A name, and what the stones of that player look like."""
        known = stones(self.game, self.state)
        name = self.names[player]
        if not known:
            return name
        head, bracket, _ = name.rpartition(")")
        return f"{head}, {known[player]})" if bracket else f"{name} ({known[player]})"

    def board(self) -> str:
        last = self.actions[-1] if self.actions else None
        return "\n" + self.game.text(self.state, last=last)

    def play(self, action: int) -> None:
        """Play, and say what was played and what the board did."""
        before = self.state
        name = self.names[before.player]
        after, result = play_with_chance(before, action, self.rng)
        say(f"{name} {'play' if name == YOU else 'plays'} {self.game.move(before, action)}")
        if result is not None and len(before.chances(action)) > 1:  # else nothing could happen
            say(self.game.kind.chance(before, action, result))
        self.states.append(after)
        self.actions.append(action)

    def undo(self) -> bool:
        """Back to the last time that a person was to move, if there was one."""
        if not any(self.person(state.player) for state in self.states[:-1]):
            say("there is nothing to take back")
            return False
        while True:
            self.states.pop()
            self.actions.pop()
            if self.person(self.state.player):
                return True

    def hint(self) -> None:
        """What an agent would do here: the opponent, or a second opinion between people."""
        other = self.agents[1 - self.state.player]
        adviser = agent(USUAL) if isinstance(unwrap(other), HumanAgent) else other
        try:
            thought = valuing_all(adviser).think(self.state)
        except (ValueError, MemoryError) as failed:
            say(f"there is no hint: {failed}")
            return
        say(f"{spelling_of(adviser)} would play")
        for action in likeliest_actions(thought, BEST):
            share = f"{100 * thought.policy[action]:3.0f} %"
            say(f"  {self.game.move(self.state, action):12} {share}{worth(thought, action)}")


def valuing_all(adviser: Agent) -> Agent:
    """The same agent, which values every move if it can: alpha-beta else values the best alone."""
    one: Any = unwrap(adviser)
    return replace(one, multi=True) if hasattr(one, "multi") else adviser


def likeliest_actions(thought: Thought, most: int) -> list[int]:
    """The likeliest actions, the best one first; then what was valued, then what was expected."""
    values = thought.values or {}
    found = [int(action) for action in thought.policy.nonzero()[0]]
    found.sort(key=lambda action: (-thought.policy[action], -values.get(action, -1)))
    found += sorted(values.keys() - set(found), key=lambda action: (-values[action], action))
    if (prior := thought.prior) is not None:
        expected = {int(action) for action in prior.nonzero()[0]} - set(found)
        found += sorted(expected, key=lambda action: (-prior[action], action))
    return found[:most]


def worth(thought: Thought, action: int) -> str:
    """What an action is worth, if that was searched or is exact; a guess is not told."""
    value = (thought.values or {}).get(action)
    looked_ahead = len(thought.line) > 1 or thought.proven
    searched = looked_ahead if thought.visits is None else thought.visits[action] > 0
    if value is not None and (searched or thought.proven):
        return f"  worth {value:+.2f}" + (" (exact)" if thought.proven else "")
    if thought.value is None or not thought.line or action != thought.line[0]:
        return ""
    return f"  worth {thought.value:+.2f}" if looked_ahead else ""


def run(args: argparse.Namespace) -> int:
    """Play one game to its end, or until the person leaves."""
    table = prepare(args)
    try:
        return conclude(table)
    except Left as left:
        say("goodbye; the game is not finished")
        return INTERRUPTED if left.interrupted else 0


def prepare(args: argparse.Namespace) -> Sitting:
    """The two at the table, and the first state."""
    chosen = game(args.game)
    seed = check_whole("seed", args.seed, 0, 2**64 - 1)
    rng = generator(seed, 0)
    seeds = numbers(2, seed, 1)
    me, them = (agent(text, seed=s) for text, s in zip((args.me, args.vs), seeds, strict=True))
    check_playable(chosen, (me, them), Openings("none"))
    start = chosen.start(rng)
    mine = {"me": True, "them": False, "random": rng.random() < 0.5}[args.first]
    in_order = (me, them) if mine == (start.player == 0) else (them, me)
    both = spelling_of(me) == spelling_of(them)
    names = tuple(
        f"{spelling_of(one)} ({'first' if player == start.player else 'second'})"
        if both
        else YOU
        if isinstance(unwrap(one), HumanAgent)
        else spelling_of(one)
        for player, one in enumerate(in_order)
    )
    return Sitting(chosen, in_order, (names[0], names[1]), rng, [start])


def conclude(table: Sitting) -> int:
    """Turn by turn to the end."""
    say(f"{table.label(0)} against {table.label(1)}")
    while table.state.outcome is None:
        player = table.state.player
        if table.person(player):
            draw(table.board())
            say(f"{table.label(player)} to move")
            if not ask_person(table):
                say(f"{table.names[player]} resigned; {table.names[1 - player]} won")
                return 0
            continue
        if not table.person(1 - player):
            draw(table.board())
        table.play(move(table.agents[player], table.state, table.rng)[0])
    draw(table.board())
    winner = table.state.winner
    say("a draw" if winner is None else f"{table.names[winner]} won")
    return 0


def ask_person(table: Sitting) -> bool:
    """Do what the person to move says, until the state changes; False if it is to give up."""
    while True:
        said = ask(table.game, table.state, WORDS)
        if isinstance(said, int):
            table.play(said)
            return True
        if said == "quit":
            raise Left
        if said == "resign":
            return False
        if said == "hint":
            table.hint()
        elif table.undo():
            return True
