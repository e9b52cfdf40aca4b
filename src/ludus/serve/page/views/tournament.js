/** A tournament as a cross table. */
import { api } from "../api.js";
import { el, fill } from "../dom.js";

/**
 * @param {import("../main.js").House} house
 * @returns {import("../router.js").View}
 */
export function tournamentView({ main }) {
  return async ({ parts: [id] }) => {
    const found = await api.tournament(id);
    fill(main, el("section", { class: "shelf" }, el("p", {}, el("a", { href: "#/runs" }, "All runs")), el("h1", {}, id),
      el("p", {}, `${found.game ?? ""}${found.games ? `, ${found.games} games a pair` : ""}`), cross(found)));
  };
}

/** @param {any} found */
function cross(found) {
  /** @type {string[]} */
  const agents = found.agents ?? [];
  /** @type {any[][]} */
  const cells = found.table ?? found.cells ?? [];
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Cross table" }, el("table", { class: "list cross" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Agent"), el("th", { scope: "col" }, "Rating"),
      ...agents.map((_, index) => el("th", { scope: "col" }, index + 1)))),
    el("tbody", {}, ...agents.map((agent, row) => el("tr", {},
      el("th", { scope: "row" }, `${row + 1}  ${agent}`),
      el("td", { class: "number" }, ratingOf(found, agent, row)),
      ...agents.map((_, column) => el("td", { class: "number" }, row === column ? "" : cellOf(cells[row]?.[column]))))))));
}

/** @param {any} found @param {string} agent @param {number} row */
function ratingOf({ ratings }, agent, row) {
  const rating = Array.isArray(ratings) ? ratings[row] : ratings?.[agent];
  const elo = typeof rating === "object" && rating ? rating.elo : rating;
  return typeof elo === "number" ? Math.round(elo) : "";
}

/** Points as a share. @param {any} cell */
function cellOf(cell) {
  if (cell === null || cell === undefined) return "";
  const share = typeof cell === "object" ? cell.share ?? cell.points : cell;
  return typeof share === "number" ? `${(100 * share).toFixed(1)} %` : String(share);
}
