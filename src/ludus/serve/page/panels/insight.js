/** The analysis: which agent thinks, what it thinks of the moves, and what is so. */
import { el, fill } from "../dom.js";
import { settings } from "../settings.js";
import { capital, exactly, percent, short, signed, tone } from "../words.js";
import { graph } from "./graph.js";

/** @typedef {import("../play/analysis.js").Analysis} Analysis */
/** @typedef {import("../play/analysis.js").Insight} Insight */

const ROWS = 7; // always as many, so that nothing jumps
/** @type {["policy" | "visits" | "value" | "exact" | "line", string][]} */
const SHOWN = [["policy", "Policy"], ["visits", "Visits"], ["value", "Value"], ["exact", "Exact"], ["line", "Line"]];

/**
 * @param {Analysis} analysis
 * @param {import("../play/review.js").Review} review
 * @param {(action: number | null) => void} point  shows one move on the board
 */
export function insight(analysis, review, point) {
  const { offer } = analysis.session;
  const on = el("input", { type: "checkbox", role: "switch", id: "analyse", onchange: () => analysis.toggle() });
  const agent = el("select", { id: "analyst", onchange: () => analysis.ask(agent.value) },
    ...offer.agents.map(({ spelling, title }) => el("option", { value: spelling }, title)));
  const stop = el("button", { type: "button", class: "quiet", onclick: () => analysis.stop() }, "Stop");
  const toggles = SHOWN.map(([name, title]) => {
    const box = el("input", { type: "checkbox", onchange: () => settings.set({ [name]: box.checked }) });
    box.checked = settings.value[name];
    if (name === "exact" && !offer.oracle) box.disabled = true;
    return el("label", { class: "toggle" }, box, title);
  });
  const cost = el("p", { class: "cost" });
  const truth = el("p", { class: "truth" });
  const line = el("p", { class: "variation" });
  const body = el("tbody");
  const table = el("table", { class: "thoughts" },
    el("caption", { class: "unseen" }, "What the agent thinks of the moves, and what is so"),
    el("thead", {}, el("tr", {}, ...["Move", "Policy", "Visits", "Value", "Exact"].map((name) =>
      el("th", { scope: "col", class: name.toLowerCase() }, name)))),
    body);

  analysis.insight.watch((now) => {
    on.checked = now.on;
    agent.value = now.agent;
    stop.disabled = !now.busy;
    table.classList.toggle("long", Boolean(now.about?.covers));
    fill(body, ...rows(now, point));
    cost.textContent = now.trouble || costOf(now);
    truth.textContent = truthOf(now);
    truth.classList.toggle("why", now.truth?.known === false); // a whole sentence, which is read to its end
    fill(line, now.on && now.thought?.line.length ? now.thought.line.slice(0, 12).map(({ move }) => move).join("  ") : "\u00a0");
  });
  return el("section", { class: "insight" },
    el("div", { class: "row" }, el("label", { class: "switch" }, on, el("span", {}, "Analyse")),
      el("label", { for: "analyst", class: "unseen" }, "Agent that analyses"), agent, stop),
    el("fieldset", { class: "toggles" }, el("legend", { class: "unseen" }, "Shown on the board"), ...toggles),
    table, line, cost, truth, graph(review));
}

/**
 * @param {Insight} now
 * @param {(action: number | null) => void} point
 */
function rows({ on, about, thought, truth }, point) {
  const exact = truth?.moves ?? {};
  const legal = about?.legal ?? [];
  const thoughts = new Map(thought?.moves.map((one) => [one.action, one]));
  const rank = (/** @type {number} */ action) =>
    (thoughts.get(action)?.policy ?? -1) + (thought ? 0 : exact[action]?.value ?? 0);
  const best = on ? [...legal].sort((one, other) => rank(other.action) - rank(one.action)).slice(0, ROWS) : [];
  const drawn = best.map(({ action, move }) => {
    const one = thoughts.get(action);
    const so = exact[action];
    return el("tr", { onpointerenter: () => point(action), onpointerleave: () => point(null) },
      el("th", { scope: "row", title: move }, move),
      el("td", { title: typeof one?.prior === "number" ? `prior ${percent(one.prior)}` : null }, percent(one?.policy)),
      el("td", {}, short(one?.visits)),
      el("td", {}, signed(one?.value)),
      el("td", { class: so ? `exact ${tone(so)}` : "exact" }, so ? exactly(so) : ""));
  });
  while (drawn.length < ROWS) drawn.push(el("tr", { "aria-hidden": "true" }, ...Array.from({ length: 5 }, () => el("td", {}, "\u00a0"))));
  return drawn;
}

/** @param {Insight} now */
function costOf({ on, about, thought, busy }) {
  if (!on) return "Switch it on to see what an agent thinks of each move.";
  if (about?.over) return "The game is over: there is nothing to think about.";
  if (!thought) return busy ? "Thinking" : "\u00a0";
  const proven = thought.proven ? ", proven" : "";
  const [count, unit] = thought.simulations ? [thought.simulations, "simulations"] : [thought.nodes, "nodes"];
  return `Value ${signed(thought.value)}${proven} · ${short(count)} ${unit} · ${thought.seconds.toFixed(1)} s${busy ? " · thinking" : ""}`;
}

/** @param {Insight} now */
function truthOf({ on, about, truth }) {
  if (!on || about?.over) return "\u00a0";
  if (!truth) return "Asking what is so";
  if (!truth.known) return capital(truth.why ?? "not known here");
  return `Exactly: ${exactly({ value: truth.value ?? null, distance: truth.distance ?? null, score: null })} for the player to move`;
}
