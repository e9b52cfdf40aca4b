/** The cells of buildings: turned, compared, as small as a button. */
import { shape } from "../dom.js";
import { setName } from "./geometry.js";

/** @typedef {import("../types.js").Point} Point */

/**
 * Cells around their middle one, so that a building turns under the pointer.
 *
 * @param {Point[]} cells
 * @returns {Point[]}
 */
export function centred(cells) {
  const mean = [0, 1].map((axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length);
  const away = (/** @type {Point} */ cell) => Math.hypot(cell[0] - mean[0], cell[1] - mean[1]);
  const middle = cells.reduce((best, cell) => (away(cell) < away(best) - 1e-6 ? cell : best));
  return cells.map(([x, y]) => [x - middle[0], y - middle[1]]);
}

/** @param {Point[]} cells @returns {Point[]} */
export const sorted = (cells) => [...cells].sort((a, b) => a[1] - b[1] || a[0] - b[0]);

/** Where the cell of this index stands among all in reading order. @param {Point[]} cells @param {number} index */
export const indexIn = (cells, index) => sorted(cells).indexOf(cells[index]);

/** A shape wherever it stands. @param {Point[]} cells */
export function setShape(cells) {
  const left = Math.min(...cells.map(([x]) => x));
  const top = Math.min(...cells.map(([, y]) => y));
  return setName(cells.map(([x, y]) => [x - left, y - top]));
}

/** What does not fit is crossed out, not only coloured. @param {Point} at @param {number} cell */
export function cross([x, y], cell) {
  const r = cell * 0.18;
  return shape("path", { d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`, class: "no" });
}

/** A building as small as a button. @param {Point[]} cells */
export function stamp(cells) {
  const left = Math.min(0, ...cells.map(([x]) => x));
  const top = Math.min(0, ...cells.map(([, y]) => y));
  const wide = Math.max(...cells.map(([x]) => x)) - left + 1;
  const high = Math.max(...cells.map(([, y]) => y)) - top + 1;
  const box = `${(wide - 4) / 2 + left} ${(high - 4) / 2 + top} 4 4`;
  const drawn = shape("svg", { viewBox: box, class: "stamp", "aria-hidden": "true" });
  for (const [x, y] of cells) drawn.append(shape("rect", { x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: 0.12 }));
  return drawn;
}
