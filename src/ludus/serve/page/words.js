/** Numbers and results as people read them. */

/** @typedef {import("./types.js").Exact} Exact */

/** A value in [-1, 1] with its sign. @param {number | null | undefined} value */
export function signed(value) {
  if (value === null || value === undefined) return "";
  const rounded = Math.abs(value) < 0.005 ? "0.00" : Math.abs(value).toFixed(2);
  return value <= -0.005 ? `−${rounded}` : value >= 0.005 ? `+${rounded}` : rounded;
}

/** @param {number | null | undefined} share */
export function percent(share) {
  if (share === null || share === undefined) return "";
  if (share > 0 && share < 0.005) return "<1 %";
  return `${Math.round(100 * share)} %`;
}

/** A count, short: 1,234 or 12 k. @param {number | null | undefined} count */
export function short(count) {
  if (count === null || count === undefined) return "";
  if (count < 10000) return count.toLocaleString("en");
  return count < 1e6 ? `${Math.round(count / 1000)} k` : `${(count / 1e6).toFixed(1)} M`;
}

/** Win, draw or loss for who moves; exact values of games of chance lie between. @param {Exact | {value: number | null}} exact */
export function tone({ value }) {
  if (value === null) return "plain";
  return value > 0.999 ? "win" : value < -0.999 ? "loss" : Math.abs(value) < 1e-9 ? "draw" : "plain";
}

/** `win 9`: in nine plies. @param {Exact} exact */
export function exactly(exact) {
  if (exact.value === null || exact.value === undefined) return "";
  const kind = tone(exact);
  if (kind === "plain") return signed(exact.value);
  return exact.distance && kind !== "draw" ? `${kind} ${exact.distance}` : kind;
}

/** The same for a chip on the board. @param {Exact} exact */
export function exactShort(exact) {
  const kind = tone(exact);
  if (kind === "plain") return signed(exact.value);
  const letter = { win: "W", loss: "L", draw: "D" }[kind] ?? "";
  return exact.distance && kind !== "draw" ? `${letter}${exact.distance}` : letter;
}

/** With a capital letter. @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `red`, or `Light` for who is called so. @param {string[]} names @param {number} player */
export function playerName(names, player) {
  return names[player] ?? ["first", "second"][player];
}
