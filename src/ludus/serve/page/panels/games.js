/** The games of a run or a tournament; each is replayed on the board. */
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { addressOf } from "../play/address.js";
import { person } from "../play/seats.js";

/** @typedef {import("../types.js").RunGame} RunGame */

const SHOWN = 200;

/**
 * @param {string} id
 * @param {HTMLElement} where
 */
export async function gamesOf(id, where) {
  try {
    const { games } = await api.runGames(id);
    fill(where, ...games.slice(0, SHOWN).map(row));
    if (!games.length) fill(where, el("li", { class: "empty" }, "No games are kept yet."));
  } catch (error) {
    fill(where, el("li", { class: "empty" }, /** @type {Error} */ (error).message));
  }
}

/** @param {RunGame} game */
function row({ step, agents, winner, reason, plies, record }) {
  const told = el("span", { role: "status" });
  const watch = async () => {
    try {
      const { line } = await api.parse({ record });
      location.hash = addressOf({ ...line, at: 0 }, [person, person]);
    } catch (error) {
      told.textContent = ` ${/** @type {Error} */ (error).message}`;
    }
  };
  const when = step === null ? "" : `Step ${step.toLocaleString("en")}: `;
  const end = winner === null ? "a draw" : `${agents[winner]} wins`;
  return el("li", {}, el("button", { type: "button", class: "link", onclick: () => void watch() }, `${when}${agents.join(" – ")}`),
    ` ${end}, ${plies} plies, ${reason}`, told);
}
