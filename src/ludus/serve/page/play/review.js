/** The whole game judged: a value for every state of the line, and what each move gave away. */
import { api } from "../api.js";
import { store } from "../store.js";
import { actionOf, lineAt, nameOf } from "./history.js";

/** @typedef {import("../types.js").Truth} Truth */
/** @typedef {import("../types.js").Thought} Thought */

/**
 * @typedef {object} Judged  of a state
 * @property {number} value  for the first player
 * @property {boolean} exact
 * @property {number} player  who is to move
 * @property {Record<string, number>} moves  what actions are worth to who is to move
 * @property {number} best  what the best of them is worth
 */

/** @typedef {{value: number | null, exact: boolean, loss: number}} Mark  loss is of the move made here */

export const SLIP = 0.15; // the least loss that is shown as a mistake
const GLANCE = 0.3; // seconds for a state

export class Review {
  /** @type {Map<string, Judged>} */
  #known = new Map();
  #work = new AbortController();

  /** @param {import("./analysis.js").Analysis} analysis */
  constructor(analysis) {
    this.analysis = analysis;
    this.session = analysis.session;
    this.graph = store({ marks: /** @type {Mark[]} */ ([]), busy: false, trouble: "" });
    analysis.insight.watch(({ about, thought, truth }) => {
      if (about && (truth?.known || thought)) this.#judge(nameOf(about.line), about, truth, thought);
    });
    analysis.insight.watch(({ on }, before) => {
      if (on && !before.on) void this.run();
    });
    this.session.table.watch((value, before) => {
      if (value.history !== before.history || value.end !== before.end) this.#draw();
    });
  }

  stop() {
    this.#work.abort();
    this.graph.set({ busy: false });
  }

  /** Ask for every state that is not known yet, the oracle first. */
  async run() {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    const { history } = this.session.table.value;
    this.graph.set({ busy: true, trouble: "" });
    try {
      for (let at = 0; at <= history.tokens.length; at += 1) {
        const line = lineAt(history, at);
        const name = nameOf(line);
        if (this.#known.get(name)?.exact) continue;
        const player = this.#playerAt(at);
        if (player === null) continue;
        const truth = this.session.offer.oracle ? await api.truth(line, signal) : null;
        const thought = truth?.known || this.#known.has(name) ? null : await this.#glance(line, signal);
        this.#judge(name, { player }, truth, thought);
      }
    } catch (error) {
      if (!signal.aborted) this.graph.set({ trouble: /** @type {Error} */ (error).message });
    }
    if (!signal.aborted) this.graph.set({ busy: false });
  }

  /**
   * The place of the next move that gave something away, or of the one before.
   *
   * @param {1 | -1} way
   * @returns {number | null}
   */
  mistake(way) {
    const { marks } = this.graph.value;
    const { at } = this.session.table.value.history;
    for (let place = at + way; place >= 0 && place < marks.length; place += way) {
      if (marks[place].loss >= SLIP) return place;
    }
    return null;
  }

  /** @param {import("../types.js").Line} line @param {AbortSignal} signal */
  #glance(line, signal) {
    const { agent } = this.analysis.insight.value;
    const offer = this.session.offer.agents.find(({ spelling }) => spelling === agent);
    const budget = offer?.budgets.includes("seconds") ? { seconds: GLANCE } : {};
    return this.session.thoughts.think({ line, agent, ...budget }, () => {}, signal);
  }

  /** @param {number} at */
  #playerAt(at) {
    const { end } = this.session.table.value;
    if (!end) return null;
    if (at < end.moves.length) return end.moves[at].player;
    return end.over ? null : end.player;
  }

  /**
   * @param {string} name
   * @param {{player: number}} at
   * @param {Truth | null} truth
   * @param {Thought | null} thought
   */
  #judge(name, { player }, truth, thought) {
    const exact = Boolean(truth?.known);
    const value = exact ? truth?.value : thought?.value;
    if (value === null || value === undefined) return;
    const known = this.#known.get(name);
    if (known?.exact && (!exact || known.value === (player === 0 ? value : -value))) return;
    /** @type {Record<string, number>} */
    const moves = {};
    const told = exact ? Object.entries(truth?.moves ?? {}) : (thought?.moves ?? []).map((one) => /** @type {const} */ ([one.action, one]));
    for (const [action, one] of told) {
      if (typeof one.value === "number") moves[action] = one.value;
    }
    // A search is judged by the move it prefers: what it has hardly looked at may seem better by chance.
    const best = exact ? Math.max(...Object.values(moves)) : moves[thought?.moves[0]?.action ?? -1] ?? value;
    this.#known.set(name, { value: player === 0 ? value : -value, exact, player, moves, best });
    this.#draw();
  }

  #draw() {
    const { history, end } = this.session.table.value;
    const states = [...history.tokens, null].map((_, at) => this.#known.get(nameOf(lineAt(history, at))));
    if (end?.over) {
      const value = end.winner === null ? 0 : end.winner === 0 ? 1 : -1;
      states[states.length - 1] = { value, exact: true, player: end.player, moves: {}, best: value };
    }
    const marks = states.map((state, at) => ({
      value: state?.value ?? null,
      exact: Boolean(state?.exact),
      loss: state && at < history.tokens.length ? lossOf(state, states[at + 1], actionOf(history.tokens[at])) : 0,
    }));
    this.graph.set({ marks });
  }
}

/**
 * What a move gave away: by what it was worth where that is known, which leaves luck out of it;
 * else by the two states around it.
 *
 * @param {Judged} state
 * @param {Judged | undefined} after
 * @param {number} action
 */
function lossOf(state, after, action) {
  const sign = state.player === 0 ? 1 : -1;
  const worth = state.moves[action];
  if (worth !== undefined) return Math.max(0, state.best - worth);
  return after ? Math.max(0, sign * (state.value - after.value)) : 0;
}
