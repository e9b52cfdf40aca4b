/** The server over HTTP. What fails for want of a connection waits and asks again. */
import { store } from "./store.js";

/** @typedef {import("./types.js").Line} Line */

const PATIENCE = 3; // times that a busy server is asked again

/** Whether the server answers. */
export const link = store({ up: true });

/** What the server would not do, in its own sentence. */
export class Refused extends Error {}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/**
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function ask(path, body, signal) {
  const request = body
    ? { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }
    : {};
  let refusals = 0;
  for (let wait = 250; ; wait = Math.min(2 * wait, 3000)) {
    signal?.throwIfAborted();
    let response;
    try {
      response = await fetch(path, { ...request, signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      link.set({ up: false });
      await pause(wait, signal);
      continue;
    }
    link.set({ up: true });
    if ((response.status === 429 || response.status === 503) && refusals++ < PATIENCE) {
      await pause(2 * wait, signal); // busy: its turn comes
      continue;
    }
    const answer = await response.json().catch(() => null);
    if (response.ok && answer !== null) return answer;
    throw new Refused(answer?.error ?? `the server answered ${response.status}`);
  }
}

export const api = {
  /** @returns {Promise<import("./types.js").Catalogue>} */
  games: () => ask("/api/games"),
  /** @param {string} game @returns {Promise<import("./types.js").GameOffer>} */
  game: (game) => ask("/api/game", { game }),
  /** @param {string} game @returns {Promise<import("./types.js").Scene>} */
  anew: (game) => ask("/api/new", { game }),
  /** @param {Line} line @param {AbortSignal} [signal] @returns {Promise<import("./types.js").Scene>} */
  position: (line, signal) => ask("/api/position", { line }, signal),
  /**
   * @param {Line} line
   * @param {number} action
   * @param {AbortSignal} [signal]
   * @returns {Promise<{token: import("./types.js").Token, scene: import("./types.js").Scene}>}
   */
  play: (line, action, signal) => ask("/api/play", { line, action }, signal),
  /** @param {object} given @returns {Promise<{line: Line}>} */
  parse: (given) => ask("/api/parse", given),
  /**
   * @param {Line} line
   * @param {string[]} players
   * @param {number | null} resigned
   * @returns {Promise<{record: string | null, text: string, why: string}>}
   */
  record: (line, players, resigned) => ask("/api/record", { line, players, ...(resigned !== null && { resigned }) }),
  /** @param {string} game @param {string} board @param {number} player @returns {Promise<{text: string}>} */
  setup: (game, board, player) => ask("/api/setup", { game, board, player }),
  /** @param {Line} line @param {AbortSignal} [signal] @returns {Promise<import("./types.js").Truth>} */
  truth: (line, signal) => ask("/api/truth", { line }, signal),
  /**
   * @param {object} wish
   * @param {AbortSignal} [signal]
   * @returns {Promise<import("./types.js").Puzzle>}
   */
  puzzle: (wish, signal) => ask("/api/puzzle", wish, signal),
  /** @param {Line} line @param {number} action @returns {Promise<import("./types.js").PuzzleAnswer>} */
  answer: (line, action) => ask("/api/puzzle/answer", { line, action }),
  /** @param {string} game @returns {Promise<{title: string, html: string}>} */
  rules: (game) => ask(`/api/rules/${encodeURIComponent(game)}`),
  /** @returns {Promise<import("./types.js").Shelf>} */
  runs: () => ask("/api/runs"),
  /**
   * @param {string} id
   * @param {number} after
   * @param {AbortSignal} [signal]
   * @returns {Promise<{rows: Record<string, unknown>[], more: boolean}>}
   */
  metrics: (id, after, signal) => ask(`/api/runs/${encodeURIComponent(id)}/metrics?after=${after}`, undefined, signal),
  /** @param {string} id @returns {Promise<{games: import("./types.js").RunGame[]}>} */
  runGames: (id) => ask(`/api/runs/${encodeURIComponent(id)}/games`),
  /** @param {string} id @returns {Promise<any>} */
  tournament: (id) => ask(`/api/tournaments/${encodeURIComponent(id)}`),
};
