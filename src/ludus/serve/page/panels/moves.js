/** The moves in their notation, a row for two turns; a click goes there. Below, a field to type one. */
import { el, fill } from "../dom.js";

/** @typedef {import("../types.js").MoveMade} MoveMade */

const OFFERED = 120; // suggestions while a move is typed

/**
 * @param {import("../play/session.js").Session} session
 * @param {import("../play/review.js").Review} review
 */
export function moves(session, review) {
  const list = el("ol", { class: "moves", "aria-label": "Moves" });
  let drawn = "";
  const draw = () => {
    const { end, history } = session.table.value;
    const made = end?.moves ?? [];
    const { marks } = review.graph.value;
    const name = `${made.map(({ move }) => move).join(" ")}|${history.at}|${marks.map(({ loss }) => sizeOf(loss)).join("")}`;
    if (name === drawn) return;
    drawn = name;
    list.classList.toggle("long", Boolean(end?.covers)); // names of buildings take their place
    fill(list, ...turnsOf(made).map((turn) => row(turn, history.at, marks)));
    const now = list.querySelector("[aria-current]");
    if (now) list.scrollTop = Math.max(0, /** @type {HTMLElement} */ (now).offsetTop - list.clientHeight / 2);
    if (!made.length) fill(list, el("li", { class: "empty" }, "No moves yet."));
  };

  /** @param {MoveMade[]} turn @param {number} at @param {import("../play/review.js").Mark[]} marks */
  const row = (turn, at, marks) =>
    el("li", { class: `side${turn[0].player}` },
      el("span", { class: "number" }, turn[0].turn),
      el("span", { class: "piece", "aria-hidden": "true" }),
      ...turn.map(({ move, ply }) => {
        const size = sizeOf(marks[ply - 1]?.loss ?? 0);
        return el("button", {
          type: "button",
          class: size ? `move slip${size}` : "move",
          title: size ? `gave away ${marks[ply - 1].loss.toFixed(2)}` : null,
          "aria-current": ply === at ? "step" : null,
          onclick: () => session.go(ply),
        }, move);
      }));

  session.table.watch(draw);
  review.graph.watch(draw);
  return el("section", { class: "record" }, list, typed(session));
}

/** How large a dot a loss gets. @param {number} loss */
export function sizeOf(loss) {
  return loss >= 1 ? 3 : loss >= 0.5 ? 2 : loss >= 0.15 ? 1 : 0;
}

/**
 * Plies of one turn stand together.
 *
 * @param {MoveMade[]} made
 */
function turnsOf(made) {
  /** @type {MoveMade[][]} */
  const turns = [];
  for (const move of made) {
    const before = turns[turns.length - 1];
    if (before && before[0].turn === move.turn && before[0].player === move.player) before.push(move);
    else turns.push([move]);
  }
  return turns;
}

/** @param {import("../play/session.js").Session} session */
function typed(session) {
  const field = el("input", { type: "text", id: "typed", list: "offered", autocomplete: "off", spellcheck: "false", placeholder: "Type a move" });
  const offered = el("datalist", { id: "offered" });
  const wrong = el("span", { class: "wrong", role: "alert" });
  const form = el("form", { class: "typed" }, el("label", { for: "typed", class: "unseen" }, "Type a move"), field, offered,
    el("button", { type: "submit", class: "quiet" }, "Play"), wrong);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = field.value.trim();
    const legal = session.table.value.scene?.legal ?? [];
    const found = legal.find(({ move }) => move === text) ?? legal.find(({ move }) => move.toLowerCase() === text.toLowerCase());
    wrong.textContent = found || !text ? "" : `no move ${text.slice(0, 20)} here`;
    if (!found) return;
    field.value = "";
    void session.play(found.action);
  });
  session.table.watch(({ scene }) => {
    form.inert = !session.mayPlay;
    form.classList.toggle("off", !session.mayPlay);
    wrong.textContent = "";
    fill(offered, ...(scene?.legal ?? []).slice(0, OFFERED).map(({ move }) => el("option", { value: move })));
  });
  return form;
}
