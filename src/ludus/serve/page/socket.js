/** Thoughts as they come: one WebSocket that connects again by itself and repeats what was asked. */
import { Refused, link } from "./api.js";

/** @typedef {import("./types.js").Thought} Thought */
/** @typedef {import("./types.js").Truth} Truth */

/**
 * @typedef {object} Asked
 * @property {object} request
 * @property {(thought: Thought) => void} hear
 * @property {(answer: any) => void} resolve
 * @property {(reason: unknown) => void} reject
 */

export class Thoughts {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<number, Asked>} */
  #asked = new Map();
  #next = 1;
  #wait = 250;

  /**
   * @param {object} wish  line, agent and budget
   * @param {(thought: Thought) => void} hear  is told every thought on the way
   * @param {AbortSignal} signal  stops the search at once
   * @returns {Promise<Thought>}
   */
  think(wish, hear, signal) {
    return this.#ask({ op: "think", ...wish }, hear, signal);
  }

  /**
   * @param {import("./types.js").Line} line
   * @param {AbortSignal} signal
   * @returns {Promise<Truth>}
   */
  truth(line, signal) {
    return this.#ask({ op: "truth", line }, () => {}, signal);
  }

  /**
   * @param {object} wish
   * @param {(thought: Thought) => void} hear
   * @param {AbortSignal} signal
   * @returns {Promise<any>}
   */
  #ask(wish, hear, signal) {
    const id = this.#next++;
    const request = { ...wish, id };
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      this.#asked.set(id, { request, hear, resolve, reject });
      signal.addEventListener("abort", () => {
        if (!this.#asked.delete(id)) return;
        this.#send({ op: "stop", id });
        reject(signal.reason);
      });
      if (!this.#send(request)) this.#connect();
    });
  }

  /** @param {object} message */
  #send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #connect() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = 250;
      link.set({ up: true });
      for (const { request } of this.#asked.values()) this.#send(request);
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = () => {
      if (this.#asked.size === 0) return; // it is opened again when somebody asks
      link.set({ up: false });
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(2 * this.#wait, 3000);
    };
  }

  /** @param {{id: number, thought?: Thought, truth?: Truth, error?: string}} message */
  #hear({ id, thought, truth, error }) {
    const asked = this.#asked.get(id);
    if (!asked) return; // it was stopped meanwhile
    if (thought && !thought.final) return asked.hear(thought);
    this.#asked.delete(id);
    if (error) asked.reject(new Refused(error));
    else {
      if (thought) asked.hear(thought);
      asked.resolve(thought ?? truth);
    }
  }
}
