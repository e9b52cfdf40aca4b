/** A position set up by hand: choose a piece, click cells; the server says whether it can be. */
import { api } from "../api.js";
import { el, fill, shape } from "../dom.js";
import { addressOf } from "../play/address.js";
import { history } from "../play/history.js";
import { capital, playerName } from "../words.js";

/** @typedef {import("../types.js").Scene} Scene */

/**
 * @param {import("../play/session.js").Session} session
 * @param {(scene: Scene, paint: ((at: import("../types.js").Point) => void) | null, marks?: Element[]) => void} lend
 *   shows another scene on the board, whose clicks paint; null gives the board back
 */
export function setup(session, lend) {
  const field = el("textarea", { id: "position", rows: 3, spellcheck: "false" });
  const pieces = el("div", { class: "pieces", role: "group", "aria-label": "Pieces" });
  const told = el("p", { class: "told", role: "status" });
  let chosen = 0;
  let mover = 0;
  let editing = false;
  let draft = ""; // marks that are no position yet
  /** @type {Scene | null} */
  let shown = null;

  /** Look at the position of this text. @param {string} text @returns {Promise<boolean>} whether it can be */
  const read = async (text) => {
    try {
      shown = await api.position({ game: session.table.value.history.game, start: text, tokens: [] });
      field.value = shown.text;
      told.textContent = shown.over ? "The game is over there." : "";
      draw();
      return true;
    } catch (error) {
      told.textContent = /** @type {Error} */ (error).message;
      return false;
    }
  };
  /**
   * What stands now; positions on the way may be none, so they are drawn here until they are.
   *
   * @param {string} board
   */
  const change = async (board) => {
    const { game } = session.table.value.history;
    draft = board;
    const tries = [mover, 1 - mover].map((player) => api.setup(game, board, player).then(({ text }) => ({ text, player })));
    const [one, other] = await Promise.allSettled(tries);
    if (draft !== board) return; // more was painted meanwhile
    const found = one.status === "fulfilled" ? one : other;
    if (found.status === "fulfilled") {
      mover = found.value.player;
      draft = "";
      await read(found.value.text);
    } else {
      told.textContent = capital(`${/** @type {Error} */ (found.reason).message}.`);
      draw();
    }
  };
  /** @param {import("../types.js").Point} at */
  const paint = (at) => {
    const plan = shown?.setup;
    if (!plan || !shown) return;
    const cell = plan.cells.reduce((best, one) => (away(one, at) < away(best, at) ? one : best));
    if (away(cell, at) > shown.cell * 0.6) return;
    const mark = plan.pieces[chosen]?.char ?? plan.empty;
    const board = draft || plan.board;
    const stands = board[cell.index] === mark;
    void change(board.slice(0, cell.index) + (stands ? plan.empty : mark) + board.slice(cell.index + 1));
  };
  /** @param {string} name @param {number | null} player @param {boolean} pressed @param {() => void} act */
  const pick = (name, player, pressed, act) =>
    el("button", { type: "button", class: `pick ${player === null ? "none" : `side${player}`}`, "aria-pressed": String(pressed), onclick: act },
      el("span", { class: "piece", "aria-hidden": "true" }), name);
  const draw = () => {
    begin.textContent = editing ? "Leave the set-up" : "Set up on the board";
    const plan = editing ? shown?.setup : null;
    if (!plan || !shown) return fill(pieces);
    const all = [...plan.pieces.map(({ label, player }) => ({ label, player })), { label: "nothing", player: null }];
    const turns = plan.mover_counted ? [] : [0, 1].map((player) =>
      pick(`${capital(playerName(session.offer.players, player))} to move`, player, mover === player, () => {
        mover = player;
        void change(draft || plan.board);
      }));
    fill(pieces, ...all.map(({ label, player }, index) => pick(label, player, index === chosen, () => {
      chosen = index;
      draw();
    })), ...turns);
    lend(shown, paint, draft ? drafted(shown, draft) : []);
  };
  const begin = el("button", { type: "button", class: "quiet", onclick: () => {
    editing = !editing;
    draft = "";
    shown = session.table.value.scene;
    mover = shown?.setup?.player ?? 0;
    if (!editing && shown) lend(shown, null);
    draw();
  } }, "Set up on the board");
  const play = el("button", { type: "button", class: "main", onclick: async () => {
    if (draft) return;
    if (!(await read(field.value.trim())) || !shown) return;
    if (editing) lend(shown, null);
    editing = false;
    const { history: line, seats } = session.table.value;
    location.hash = addressOf(history(line.game, shown.text), seats);
  } }, "Play this position");
  session.table.watch(({ scene }) => {
    if (editing || !scene) return;
    shown = scene;
    field.value = scene.text;
    begin.disabled = !scene.setup;
    begin.title = scene.setup ? "" : scene.no_setup ?? "";
  });
  return el("section", { class: "setup" },
    el("label", { for: "position" }, "The position as text"), field,
    el("div", { class: "pair" }, begin, play), pieces, told);
}

/** The cells that differ from the picture: a disc or nothing, with the sign of a king. @param {Scene} scene @param {string} board */
function drafted({ setup: plan, cell }, board) {
  if (!plan) return [];
  return plan.cells.filter(({ index }) => board[index] !== plan.board[index]).flatMap(({ index, x, y }) => {
    const piece = plan.pieces.find(({ char }) => char === board[index]);
    const ground = shape("circle", { cx: x, cy: y, r: cell * 0.42, class: "bare" });
    if (!piece) return [ground];
    const king = /king/.test(piece.label) ? [shape("text", { x, y, "font-size": cell * 0.4, class: "crowned" }, "K")] : [];
    return [ground, shape("circle", { cx: x, cy: y, r: cell * 0.34, class: `disc side${piece.player}` }), ...king];
  });
}

/** @param {{x: number, y: number}} cell @param {import("../types.js").Point} at */
const away = ({ x, y }, at) => Math.hypot(x - at[0], y - at[1]);
