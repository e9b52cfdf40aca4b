/** A position set up by hand: choose a piece, click cells; the server says whether it can be. */
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { addressOf } from "../play/address.js";
import { history } from "../play/history.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Setup} Setup */

/**
 * @param {import("../play/session.js").Session} session
 * @param {(scene: Scene, paint: ((at: import("../types.js").Point) => void) | null) => void} lend
 *   shows another scene on the board, whose clicks paint; null gives the board back
 */
export function setup(session, lend) {
  const field = el("textarea", { id: "position", rows: 3, spellcheck: "false" });
  const pieces = el("div", { class: "pieces", role: "group", "aria-label": "Pieces" });
  const told = el("p", { class: "told", role: "status" });
  let chosen = 0;
  /** @type {Scene | null} */
  let shown = null;
  let editing = false;

  /** @param {string} text */
  const read = async (text) => {
    const { game } = session.table.value.history;
    try {
      shown = await api.position({ game, start: text, tokens: [] });
      field.value = shown.text;
      told.textContent = shown.over ? "The game would be over." : "";
      draw();
    } catch (error) {
      told.textContent = /** @type {Error} */ (error).message;
    }
  };
  /** @param {import("../types.js").Point} at */
  const paint = (at) => {
    const plan = shown?.setup;
    if (!plan || !shown) return;
    const cell = plan.cells.reduce((best, one) => (away(one, at) < away(best, at) ? one : best));
    if (away(cell, at) > shown.cell * 0.6) return;
    void read(painted(shown.text, cell.index, plan.pieces[chosen].char));
  };
  const draw = () => {
    if (!shown) return;
    begin.textContent = editing ? "Leave the set-up" : "Set up on the board";
    fill(pieces, ...(editing ? shown.setup?.pieces ?? [] : []).map(({ label, player }, index) =>
      el("button", {
        type: "button",
        class: `pick ${player === null ? "none" : `side${player}`}`,
        "aria-pressed": String(index === chosen),
        onclick: () => { chosen = index; draw(); },
      }, el("span", { class: "piece", "aria-hidden": "true" }), label)));
    if (editing) lend(shown, paint);
  };
  const begin = el("button", { type: "button", class: "quiet", onclick: () => {
    editing = !editing;
    shown = session.table.value.scene;
    if (shown) field.value = shown.text;
    if (!editing && shown) lend(shown, null);
    draw();
  } }, "Set up on the board");
  const play = el("button", { type: "button", class: "main", onclick: async () => {
    await read(field.value.trim());
    if (told.textContent && !shown?.over) return;
    const { history: line, seats } = session.table.value;
    if (editing && shown) lend(shown, null);
    editing = false;
    location.hash = addressOf(history(line.game, field.value.trim()), seats);
  } }, "Play from this position");
  session.table.watch(({ scene }) => {
    if (editing || !scene) return;
    shown = scene;
    field.value = scene.text;
    begin.disabled = !scene.setup;
    begin.title = scene.setup ? "" : "positions of this game are set up as text";
  });
  return el("section", { class: "setup" },
    el("label", { for: "position" }, "The position as text"), field,
    el("div", { class: "pair" }, begin, play), pieces, told);
}

/** @param {{x: number, y: number}} cell @param {import("../types.js").Point} at */
const away = ({ x, y }, at) => Math.hypot(x - at[0], y - at[1]);

/**
 * The text of a position with another piece on a cell.
 *
 * @param {string} text
 * @param {number} index
 * @param {string} char
 */
export function painted(text, index, char) {
  return text.slice(0, index) + char + text.slice(index + 1);
}
