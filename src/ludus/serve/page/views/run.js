/** One training: its curves while it runs, and its games. */
import { api, pause } from "../api.js";
import { el, fill } from "../dom.js";
import { curve } from "../panels/curve.js";
import { gamesOf } from "../panels/games.js";

const EVERY = 2000; // milliseconds between two looks

/**
 * @param {import("../main.js").House} house
 * @returns {import("../router.js").View}
 */
export function runView({ main }) {
  return async ({ parts: [id] }) => {
    const work = new AbortController();
    const curves = el("div", { class: "curves" });
    const games = el("ul", { class: "plain games-played" });
    const state = el("p", { class: "status", role: "status" });
    fill(main, el("section", { class: "shelf" }, el("p", {}, el("a", { href: "#/runs" }, "All runs")),
      el("h1", {}, await nameOf(id)), state, curves, el("h2", {}, "Games"), games));
    void follow(id, curves, state, work.signal);
    void gamesOf(id, games);
    return () => work.abort();
  };
}

/**
 * @param {string} id
 * @param {HTMLElement} where
 * @param {HTMLElement} state
 * @param {AbortSignal} signal
 */
async function follow(id, where, state, signal) {
  /** @type {Record<string, unknown>[]} */
  const rows = [];
  /** @type {Map<string, Awaited<ReturnType<typeof curve>>>} */
  const drawn = new Map();
  try {
    while (!signal.aborted) {
      const after = rows.length ? Number(rows[rows.length - 1].step) : -1;
      const { rows: fresh, more } = await api.metrics(id, after, signal);
      rows.push(...fresh);
      state.textContent = rows.length ? `${rows.length.toLocaleString("en")} steps written down` : "Nothing is written down yet";
      if (fresh.length) {
        for (const name of numbersIn(rows)) {
          const points = rows.filter((row) => typeof row[name] === "number");
          const data = [points.map(({ step }) => Number(step)), points.map((row) => Number(row[name]))];
          const known = drawn.get(name);
          if (known) known.setData(data);
          else drawn.set(name, await curve(where, name, data));
        }
      }
      if (!more) await pause(EVERY, signal);
    }
  } catch (error) {
    if (!signal.aborted) state.textContent = /** @type {Error} */ (error).message;
  } finally {
    drawn.forEach((one) => one.destroy());
  }
}

/** The metrics that are numbers and change, those of strength first. @param {Record<string, unknown>[]} rows */
function numbersIn(rows) {
  const names = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => typeof row[name] === "number")));
  const weight = (/** @type {string} */ name) => (/^(score|elo|optimal|value_acc)/.test(name) ? 0 : /loss|entropy|kl/.test(name) ? 1 : 2);
  return [...names].filter((name) => !/^(step|time|checksum)$|_low$|_high$| low$| high$/.test(name)).sort((one, other) => weight(one) - weight(other)).slice(0, 24);
}

/** What the run is called. @param {string} id */
async function nameOf(id) {
  const { runs } = await api.runs();
  return runs.find((run) => run.id === id)?.name ?? id;
}
