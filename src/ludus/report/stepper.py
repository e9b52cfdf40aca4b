"""A game to step through: its boards as shapes that many of them share, and a small script."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import islice

from ludus.arena.record import Record
from ludus.report.page import escape

MOST_PLIES = 400  # of a game that is shown; its end is not shown if it is longer
BODY = re.compile(r"<svg[^>]*>\n(.*)\n</svg>", re.DOTALL)
SCRIPT = """<script>
for (const card of document.querySelectorAll('.stepper')) {
  const told = JSON.parse(card.querySelector('script').textContent);
  const svg = card.querySelector('svg'), range = card.querySelector('input');
  const said = card.querySelector('.said'), steps = card.querySelector('.steps');
  const show = at => {
    at = Math.max(0, Math.min(told.frames.length - 1, at));
    svg.innerHTML = told.frames[at].map(shape => told.shapes[shape]).join('');
    said.textContent = told.said[at];
    range.value = at;
  };
  range.max = told.frames.length - 1;
  range.oninput = () => show(+range.value);
  const [first, back, on, last] = steps.querySelectorAll('button');
  first.onclick = () => show(0);
  back.onclick = () => show(+range.value - 1);
  on.onclick = () => show(+range.value + 1);
  last.onclick = () => show(told.frames.length - 1);
  steps.hidden = false;
  show(told.frames.length - 1);
}
</script>"""


def stepper(record: Record) -> str:
    """One game on a card: without a script its last board and its moves."""
    played, game = record.played, record.game
    states = list(islice(record.states, MOST_PLIES + 1))
    shapes: dict[str, int] = {}
    frames, said, size = [], ["the start"], ""
    for ply, state in enumerate(states):
        last = None
        if ply:
            before, move = states[ply - 1], played.moves[ply - 1]
            last = game.action(before, move)
            opening = ", opening" if ply <= played.opening else ""
            said.append(f"{ply}. {move} ({who(record, played.players[ply - 1])}{opening})")
        picture = game.draw(state, last=last, theme="page").svg
        size = picture[: picture.index(">") + 1]
        frames.append([shapes.setdefault(shape, len(shapes)) for shape in svg_shapes(picture)])
    if len(states) == len(played.moves) + 1:
        said[-1] += f": {how_it_ended(record)}"
    drawn = list(shapes)
    told = {"shapes": drawn, "frames": frames, "said": said}
    final = "".join(drawn[shape] for shape in frames[-1])
    return (
        f"<div class='card stepper'><h3>{players(record)}</h3><div class=board>{size}{final}</svg>"
        f"</div><div class=said>{escape(said[-1])}</div>"
        "<div class=steps hidden><button aria-label='to the start'>|◀</button>"
        "<button aria-label='a ply back'>◀</button><input type=range min=0 value=0 "
        "aria-label=ply><button aria-label='a ply on'>▶</button>"
        "<button aria-label='to the end'>▶|</button></div>"
        f"<div class='moves dim'>{escape(moves_text(record))}</div>"
        f"<script type='application/json'>{script_data(told)}</script></div>"
    )


def svg_shapes(picture: str) -> list[str]:
    """The shapes of an SVG, groups whole."""
    found = BODY.search(picture)
    assert found is not None
    whole, depth, group = [], 0, ""
    for line in found[1].split("\n"):
        depth += line.count("<g ") + line.count("<g>") - line.count("</g>")
        group += line
        if depth <= 0:
            whole.append(group)
            group, depth = "", 0
    return [*whole, group] if group else whole


def script_data(told: object) -> str:
    """JSON that cannot end the element it stands in."""
    written = json.dumps(told, separators=(",", ":"))
    return written.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def players(record: Record) -> str:
    """Both players beside their colours."""
    return " ".join(
        f"<span><i class=dot style='background:var(--{side})'></i>{escape(name)}</span>"
        for side, name in zip(("first", "second"), record.played.agents, strict=True)
    )


def who(record: Record, player: int) -> str:
    """Who a player was."""
    return record.played.agents[player]


def how_it_ended(record: Record) -> str:
    """Who won, and by what."""
    played = record.played
    if played.winner is None:
        return "a draw" + (" by limit" if played.reason == "limit" else "")
    how = ", the other resigned" if played.reason == "resigned" else ""
    return f"{who(record, played.winner)} won{how}"


def moves_text(record: Record) -> str:
    """All moves, numbered in pairs."""
    moves = record.played.moves
    numbered = (
        f"{ply // 2 + 1}. {move}" if ply % 2 == 0 else move for ply, move in enumerate(moves)
    )
    return " ".join(numbered)


def steppers(records: Sequence[Record]) -> str:
    """Several games, and the script that they share."""
    if not records:
        return ""
    return f"<div class=grid>{''.join(map(stepper, records))}</div>{SCRIPT}"
