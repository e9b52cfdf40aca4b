/** What an agent thinks of the state that is looked at, beside what is so; streamed, stopped at once. */
import { settings } from "../settings.js";
import { store } from "../store.js";
import { lineAt } from "./history.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Thought} Thought */
/** @typedef {import("../types.js").Truth} Truth */

/**
 * @typedef {object} Insight
 * @property {boolean} on
 * @property {string} agent  its spelling
 * @property {Scene | null} about  the state that thought and truth are of
 * @property {Thought | null} thought
 * @property {Truth | null} truth
 * @property {boolean} busy
 * @property {string} trouble
 */

const SECONDS = 30;

/**
 * Who thinks best here and says most of it: a trained network, else tree search.
 *
 * @param {import("../types.js").AgentOffer[]} agents
 */
export function bestAnalyst(agents) {
  const named = (/** @type {string} */ name) => agents.find(({ spelling }) => spelling.split(/[:/]/)[0] === name);
  return named("zoo") ?? named("uct") ?? agents.find(({ budgets }) => budgets.length > 0) ?? agents[0];
}

export class Analysis {
  #work = new AbortController();

  /** @param {import("./session.js").Session} session @param {number} [most]  seconds a thought may take */
  constructor(session, most = SECONDS) {
    this.session = session;
    this.seconds = Math.min(most, SECONDS);
    const { name, agents } = session.offer;
    const wished = settings.value.analyst[name];
    const agent = agents.find(({ spelling }) => spelling === wished) ?? bestAnalyst(agents);
    this.insight = store(/** @type {Insight} */ ({
      on: false,
      agent: agent?.spelling ?? "",
      about: null,
      thought: null,
      truth: null,
      busy: false,
      trouble: "",
    }));
    session.table.watch((value, before) => {
      if (value.scene !== before.scene && this.insight.value.on) this.#begin();
    });
  }

  toggle() {
    const on = !this.insight.value.on;
    this.insight.set({ on });
    if (on) this.#begin();
    else this.stop();
  }

  /** Stop thinking, and keep what is known. */
  stop() {
    this.#work.abort();
    this.insight.set({ busy: false });
  }

  /** @param {string} agent */
  ask(agent) {
    const { name } = this.session.offer;
    settings.set({ analyst: { ...settings.value.analyst, [name]: agent } });
    this.insight.set({ agent });
    if (this.insight.value.on) this.#begin();
  }

  #begin() {
    this.#work.abort();
    this.#work = new AbortController();
    const { scene } = this.session.table.value;
    this.insight.set({ about: scene, thought: null, truth: null, trouble: "", busy: false });
    if (!scene || scene.over) return;
    this.insight.set({ busy: true });
    void this.#think(scene, this.#work.signal);
    void this.#truth(scene, this.#work.signal); // where nothing is known, the server says why
  }

  /** @param {Scene} scene @param {AbortSignal} signal */
  async #think(scene, signal) {
    const { agent } = this.insight.value;
    const offer = this.session.offer.agents.find(({ spelling }) => spelling === agent);
    const budget = offer?.budgets.includes("seconds") ? { seconds: this.seconds } : {};
    const wish = { line: lineAt(this.session.table.value.history), agent, ...budget, every: 150 };
    try {
      const hear = (/** @type {Thought} */ thought) => !signal.aborted && this.insight.set({ thought });
      await this.session.thoughts.think(wish, hear, signal);
    } catch (error) {
      if (!signal.aborted) this.insight.set({ trouble: /** @type {Error} */ (error).message });
    }
    if (!signal.aborted) this.insight.set({ busy: false });
  }

  /** @param {Scene} scene @param {AbortSignal} signal */
  async #truth(scene, signal) {
    const { history } = this.session.table.value;
    try {
      const truth = await this.session.thoughts.truth(lineAt(history), signal);
      if (!signal.aborted) this.insight.set({ truth });
    } catch (error) {
      if (signal.aborted) return;
      const why = /** @type {Error} */ (error).message;
      this.insight.set({ truth: { known: false, why } });
    }
  }
}
