/** A game at the table: its line, whose turn it is, and the agents that move in it. */
import { api, pause } from "../api.js";
import { settings } from "../settings.js";
import { store } from "../store.js";
import { choiceOf } from "./choice.js";
import { atEnd, history, lineAt, nameOf, playedOn } from "./history.js";
import { isAgent, wishOf } from "./seats.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("./history.js").History} History */
/** @typedef {import("./seats.js").Seat} Seat */

/**
 * @typedef {object} Table
 * @property {History} history
 * @property {Scene | null} scene  what is looked at
 * @property {Scene | null} end  the last state of the line
 * @property {[Seat, Seat]} seats
 * @property {boolean} thinking  an agent at the table does
 * @property {boolean} paused  agents wait
 * @property {number | null} resigned  who has given up
 * @property {string} trouble  a sentence to show
 */

const KEPT = 400; // scenes

export class Session {
  /** @type {Map<string, Scene>} */
  #scenes = new Map();
  #work = new AbortController();

  /**
   * @param {import("../socket.js").Thoughts} thoughts
   * @param {import("../types.js").GameOffer} offer
   * @param {History} line
   * @param {[Seat, Seat]} seats
   */
  constructor(thoughts, offer, line, seats) {
    this.thoughts = thoughts;
    this.offer = offer;
    this.table = store(/** @type {Table} */ ({
      history: line,
      scene: null,
      end: null,
      seats,
      thinking: false,
      paused: false,
      resigned: null,
      trouble: "",
    }));
  }

  /** Whether a person may move in the state that is looked at. */
  get mayPlay() {
    const { scene, seats, resigned } = this.table.value;
    return scene !== null && !scene.over && resigned === null && !isAgent(seats[scene.player]);
  }

  /** Two agents play and a person watches. */
  get watched() {
    return this.table.value.seats.every(isAgent);
  }

  /** Read the line and look at its place; a line that the rules do not allow is refused. */
  async open() {
    const signal = this.#anew();
    const { history: given } = this.table.value;
    const end = await this.#scene(given, given.tokens.length, signal);
    const line = { ...given, game: end.line.game, start: end.line.start }; // as the server spells it
    const scene = atEnd(line) ? end : await this.#scene(line, line.at, signal);
    this.table.set({ history: line, scene, end, trouble: "" });
    this.#wake();
  }

  /** Leave the table: nobody thinks any more. */
  close() {
    this.#work.abort();
  }

  /** @param {number} action */
  async play(action) {
    const signal = this.#anew();
    const { history: line } = this.table.value;
    await this.#guarded(async () => {
      const { token, scene } = await api.play(lineAt(line), action, signal);
      this.#keep(scene);
      this.table.set({ history: playedOn(line, token), scene, end: scene, resigned: null, trouble: "" });
      this.#wake();
    });
  }

  /** @param {number} at */
  async go(at) {
    const signal = this.#anew();
    const line = { ...this.table.value.history };
    const place = history(line.game, line.start, line.tokens, at);
    await this.#guarded(async () => {
      const scene = await this.#scene(place, place.at, signal);
      this.table.set({ history: place, scene, trouble: "" });
      this.#wake();
    });
  }

  /** Back to where a person moved last. */
  undo() {
    const { history: line, end, seats, resigned } = this.table.value;
    if (resigned !== null) this.table.set({ resigned: null });
    const moves = end?.moves ?? [];
    let at = line.at - 1;
    while (at > 0 && !this.watched && moves[at] && isAgent(seats[moves[at].player])) at -= 1;
    if (at >= 0) void this.go(at);
  }

  redo() {
    const { history: line, end, seats } = this.table.value;
    const moves = end?.moves ?? [];
    let at = line.at + 1;
    while (at < line.tokens.length && !this.watched && moves[at] && isAgent(seats[moves[at].player])) at += 1;
    if (at <= line.tokens.length) void this.go(at);
  }

  /** Forget what came after this place, so that the game goes on from here. */
  cut() {
    const { history: line, scene } = this.table.value;
    this.table.set({ history: history(line.game, line.start, line.tokens.slice(0, line.at)), end: scene, resigned: null });
    this.resume();
  }

  resign() {
    const { scene, end, seats } = this.table.value;
    if (!scene || end?.over) return;
    this.#anew();
    const person = seats.findIndex((seat) => !isAgent(seat));
    const both = seats.every((seat) => !isAgent(seat));
    this.table.set({ resigned: both || person < 0 ? scene.player : person, thinking: false });
  }

  pause() {
    this.#anew();
    this.table.set({ paused: true });
  }

  resume() {
    this.table.set({ paused: false });
    if (!atEnd(this.table.value.history)) return this.cut();
    this.#anew();
    this.#wake();
  }

  /** One move of the agent whose turn it is, or the next one of the line. */
  step() {
    const { history: line, scene } = this.table.value;
    this.table.set({ paused: true });
    if (!atEnd(line)) return void this.go(line.at + 1);
    if (scene && !scene.over && isAgent(scene && this.table.value.seats[scene.player])) {
      void this.#let(scene, this.#anew());
    }
  }

  /** @param {[Seat, Seat]} seats */
  seat(seats) {
    this.table.set({ seats });
    this.#anew();
    this.#wake();
  }

  #wake() {
    const { scene, history: line, seats, paused, resigned } = this.table.value;
    if (!scene || scene.over || paused || resigned !== null || !atEnd(line)) return;
    if (isAgent(seats[scene.player])) void this.#let(scene, this.#work.signal);
  }

  /**
   * Let the agent whose turn it is think and move.
   *
   * @param {Scene} scene
   * @param {AbortSignal} signal
   */
  async #let(scene, signal) {
    const { seats, history: line } = this.table.value;
    const seat = seats[scene.player];
    if (!isAgent(seat)) return;
    this.table.set({ thinking: true });
    await this.#guarded(async () => {
      const wish = wishOf(seat, this.offer);
      const [thought] = await Promise.all([
        this.thoughts.think({ line: lineAt(line), ...wish, seed: Math.floor(Math.random() * 2 ** 31), every: 200 }, () => {}, signal),
        pause(settings.value.pace * (this.watched ? 2 : 1), signal),
      ]);
      await this.play(choiceOf(thought, wish.agent));
    });
  }

  /**
   * @param {History} line
   * @param {number} at
   * @param {AbortSignal} signal
   */
  async #scene(line, at, signal) {
    const asked = lineAt(line, at);
    const known = this.#scenes.get(nameOf(asked));
    if (known) return known;
    const scene = await api.position(asked, signal);
    this.#keep(scene, asked);
    return scene;
  }

  /** @param {Scene} scene @param {import("../types.js").Line} [line] */
  #keep(scene, line = scene.line) {
    this.#scenes.set(nameOf(line), scene);
    if (this.#scenes.size > KEPT) this.#scenes.delete([...this.#scenes.keys()][0]);
  }

  /** What was under way stops; what comes next has this signal. */
  #anew() {
    this.#work.abort();
    this.#work = new AbortController();
    if (this.table.value.thinking) this.table.set({ thinking: false });
    return this.#work.signal;
  }

  /** @param {() => Promise<void>} act */
  async #guarded(act) {
    try {
      await act();
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return;
      this.table.set({ thinking: false, trouble: error instanceof Error ? error.message : String(error) });
    }
  }
}
