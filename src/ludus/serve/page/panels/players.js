/** Who plays, whose turn it is, and how it stands: read at a glance, always in the same place. */
import { el, fill } from "../dom.js";
import { atEnd } from "../play/history.js";
import { isAgent, nameSeat } from "../play/seats.js";
import { capital, playerName } from "../words.js";

/** @typedef {import("../play/session.js").Session} Session */
/** @typedef {import("../play/session.js").Table} Table */

/**
 * @param {Session} session
 * @returns {HTMLElement}
 */
export function players(session) {
  const { offer } = session;
  const rows = [0, 1].map((player) => {
    const state = el("span", { class: "state" });
    const who = el("span", { class: "who" });
    const names = el("span", { class: "names" }, el("strong", {}, capital(playerName(offer.players, player))), who);
    const row = el("li", { class: `player side${player}` }, el("span", { class: "piece", "aria-hidden": "true" }), names, state);
    return { row, who, state };
  });
  const status = el("p", { class: "status" });
  session.table.watch((table) => {
    rows.forEach(({ row, who, state }, player) => {
      const { scene, end, resigned } = table;
      who.textContent = nameSeat(table.seats[player], offer);
      const won = resigned !== null ? resigned !== player : end?.over && end.winner === player;
      const turn = !over(table) && scene?.player === player;
      row.classList.toggle("turn", Boolean(turn));
      row.classList.toggle("won", Boolean(won));
      const thinks = turn && isAgent(table.seats[player]) && !table.paused && atEnd(table.history);
      row.classList.toggle("thinking", Boolean(thinks));
      state.textContent = won ? "won" : thinks ? "thinks" : turn ? "to move" : "";
    });
    const { words, kind } = sayStatus(session, table);
    status.className = `status ${kind}`;
    fill(status, el("span", { class: "sign", "aria-hidden": "true" }), words);
  });
  return el("section", { class: "players", "aria-label": "Players" }, el("ul", {}, ...rows.map(({ row }) => row)), status);
}

/** @param {Table} table */
function over({ scene, resigned }) {
  return Boolean(scene?.over) || resigned !== null;
}

/**
 * One sentence on how it stands.
 *
 * @param {Session} session
 * @param {Table} table
 * @returns {{words: string, kind: string}}
 */
export function sayStatus(session, table) {
  const { scene, history, seats, resigned, paused, trouble } = table;
  const name = (/** @type {number} */ player) => capital(playerName(session.offer.players, player));
  if (trouble) return { words: trouble, kind: "trouble" };
  if (!scene) return { words: "Setting up the board", kind: "thinking" };
  if (resigned !== null) return { words: `${name(resigned)} resigns, ${name(1 - resigned)} wins`, kind: "over" };
  if (scene.over) return { words: capital(scene.result ?? "over"), kind: "over" };
  if (!atEnd(history)) {
    return { words: `Looking back: after ${history.at} of ${history.tokens.length} plies`, kind: "back" };
  }
  const chance = scene.last?.chance && /stray|lost/.test(scene.last.chance) ? `${capital(scene.last.chance)}. ` : "";
  if (isAgent(seats[scene.player])) {
    return paused ? { words: "Paused", kind: "back" } : { words: `${chance}${name(scene.player)} thinks`, kind: "thinking" };
  }
  const both = seats.every((seat) => !isAgent(seat));
  return { words: chance + (both ? `${name(scene.player)} to move` : "Your turn"), kind: "turn" };
}
