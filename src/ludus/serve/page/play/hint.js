/** A move to consider: the oracle's if it knows, else what a search finds in a moment. */
import { api } from "../api.js";
import { exactly, signed } from "../words.js";
import { bestAnalyst } from "./analysis.js";
import { likeliest } from "./choice.js";
import { lineAt } from "./history.js";

const SECONDS = 1;

/**
 * @param {import("./session.js").Session} session
 * @returns {Promise<{action: number, move: string, why: string} | null>}
 */
export async function hintFor({ offer, table, thoughts }) {
  const { scene, history } = table.value;
  if (!scene || scene.over) return null;
  const line = lineAt(history);
  const named = (/** @type {number} */ action) => scene.legal.find((one) => one.action === action)?.move ?? "";
  const truth = offer.oracle ? await api.truth(line).catch(() => null) : null;
  if (truth?.known && truth.moves) {
    const [action, exact] = Object.entries(truth.moves).reduce((best, one) => (rank(one[1]) > rank(best[1]) ? one : best));
    return { action: Number(action), move: named(Number(action)), why: exactly(exact) };
  }
  const agent = bestAnalyst(offer.agents);
  if (!agent) return null;
  const budget = agent.budgets.includes("seconds") ? { seconds: SECONDS } : {};
  const ask = new AbortController();
  const thought = await thoughts.think({ line, agent: agent.spelling, ...budget }, () => {}, ask.signal);
  const action = likeliest(thought);
  return { action, move: named(action), why: `worth ${signed(thought.value)} to ${agent.title}` };
}

/** A quick win before a slow one, a slow loss before a quick one. @param {import("../types.js").Exact} exact */
function rank({ value, distance }) {
  return (value ?? 0) * (1000 - Math.min(distance ?? 0, 999));
}
