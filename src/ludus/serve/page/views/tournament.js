/** A tournament as a cross table, the strongest first, and its games. */
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { gamesOf } from "../panels/games.js";
import { percent } from "../words.js";

/**
 * @typedef {object} Crossed  of a tournament, as `ludus tournament --json` has it
 * @property {string} game
 * @property {number} games
 * @property {{agent: string, value: number | null, low: number | null, high: number | null}[]} ratings
 * @property {{a: string, b: string, points: number}[]} matches  points are of A, a game
 */

/**
 * @param {import("../main.js").House} house
 * @returns {import("../router.js").View}
 */
export function tournamentView({ main }) {
  return async ({ parts: [id] }) => {
    const found = /** @type {Crossed} */ (await api.tournament(id));
    const games = el("ul", { class: "plain games-played" });
    fill(main, el("section", { class: "shelf" }, el("p", {}, el("a", { href: "#/runs" }, "All runs")), el("h1", {}, "Tournament"),
      el("p", {}, `${found.game}, ${found.games} games`), cross(found), el("h2", {}, "Games"), games));
    void gamesOf(id, games);
  };
}

/** @param {Crossed} found */
function cross({ ratings, matches }) {
  const agents = ratings.map(({ agent }) => agent);
  const head = ["Agent", "Elo", "95 %", ...agents.map((_, index) => index + 1)];
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Cross table" }, el("table", { class: "list cross" },
    el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...ratings.map(({ agent, value, low, high }, row) => el("tr", {},
      el("th", { scope: "row" }, `${row + 1}  ${agent}`),
      el("td", { class: "number" }, rounded(value)),
      el("td", { class: "number" }, `${rounded(low)} to ${rounded(high)}`),
      ...agents.map((other, column) => el("td", { class: "number" }, row === column ? "–" : percent(shareOf(matches, agent, other)))))))));
}

/** @param {number | null} elo */
function rounded(elo) {
  return typeof elo === "number" ? Math.round(elo).toString().replace("-", "−") : "?";
}

/** The share of the points that one had against the other. @param {Crossed["matches"]} matches @param {string} one @param {string} other */
function shareOf(matches, one, other) {
  const match = matches.find(({ a, b }) => (a === one && b === other) || (a === other && b === one));
  if (!match) return null;
  return match.a === one ? match.points : 1 - match.points;
}
