/** A line of play and the place in it that is looked at; nothing here is changed, all is made anew. */

/** @typedef {import("../types.js").Line} Line */
/** @typedef {import("../types.js").Token} Token */
/** @typedef {Line & {at: number}} History  `at` tokens of the line have been played on the board */

/**
 * @param {string} game
 * @param {string | null} [start]
 * @param {Token[]} [tokens]
 * @param {number} [at]
 * @returns {History}
 */
export function history(game, start = null, tokens = [], at = tokens.length) {
  return { game, start, tokens, at: Math.max(0, Math.min(at, tokens.length)) };
}

/**
 * What the server is asked about a place in the history.
 *
 * @param {History} one
 * @param {number} [at]
 * @returns {Line}
 */
export function lineAt({ game, start, tokens, at: here }, at = here) {
  return { game, start, tokens: tokens.slice(0, at) };
}

/**
 * @param {History} one
 * @param {Token} token
 * @returns {History}
 */
export function playedOn({ game, start, tokens, at }, token) {
  return history(game, start, [...tokens.slice(0, at), token]);
}

/** @param {History} one */
export function atEnd({ tokens, at }) {
  return at === tokens.length;
}

/**
 * A name for a place in a line: equal names, equal states.
 *
 * @param {Line} line
 */
export function nameOf({ game, start, tokens }) {
  return `${game}|${start ?? ""}|${tokens.join(".")}`;
}

/**
 * The action of a token.
 *
 * @param {Token} token
 */
export function actionOf(token) {
  return typeof token === "number" ? token : Number(token.split("~")[0]);
}
