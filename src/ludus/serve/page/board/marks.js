/** What is laid over a board: the last move, arrows, and numbers on moves. */
import { shape } from "../dom.js";
import { distance, joined, same } from "./geometry.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Point} Point */

/**
 * @param {Point} at
 * @param {number} cell
 * @param {string} frame
 * @param {string} name
 */
export function framed([x, y], cell, frame, name) {
  if (frame === "round") return shape("circle", { cx: x, cy: y, r: cell * 0.44, class: name });
  const half = cell * 0.46;
  return shape("rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: cell * 0.08, class: name });
}

/**
 * The cells of a building: tiles, and an outline around them all.
 *
 * @param {Point[]} cells
 * @param {number} cell
 * @param {string} name
 */
export function tiles(cells, cell, name) {
  const half = cell / 2;
  const among = (/** @type {number} */ x, /** @type {number} */ y) => cells.some((other) => same(other, [x, y]));
  const area = cells.map(([x, y]) => `M${x - half} ${y - half}h${cell}v${cell}h${-cell}z`);
  const edges = cells.flatMap(([x, y]) => [
    among(x, y - cell) ? "" : `M${x - half} ${y - half}h${cell}`,
    among(x, y + cell) ? "" : `M${x - half} ${y + half}h${cell}`,
    among(x - cell, y) ? "" : `M${x - half} ${y - half}v${cell}`,
    among(x + cell, y) ? "" : `M${x + half} ${y - half}v${cell}`,
  ]);
  return shape("g", { class: `tiles ${name}` },
    shape("path", { d: area.join(""), class: "area" }), shape("path", { d: edges.join(""), class: "edge" }));
}

/**
 * Where an action goes: from its first point to its last, by where it touches the board.
 *
 * @param {{points: Point[], via?: Point[]}} one
 * @returns {Point[]}
 */
export function wayOf({ points, via = [] }) {
  return [...points.slice(0, 1), ...via, ...points.slice(1)];
}

/** @param {Scene} scene @param {string} frame @returns {Element[]} */
export function lastMove({ last, cell, covers }, frame) {
  if (!last) return [];
  if (covers) return [tiles(last.points, cell, "was")];
  const ends = wayOf(last);
  const marks = ends.slice(0, -1).map((at) => framed(at, cell, frame, "was from"));
  if (ends.length) marks.push(framed(ends[ends.length - 1], cell, frame, last.chance && last.landed === null ? "was lost" : "was"));
  if (ends.length > 1) marks.unshift(/** @type {any} */ (path(ends, "trail", cell)));
  const strayed = last.landed && ends.length && distance(last.landed, ends[ends.length - 1]) > 1;
  if (strayed && last.landed) {
    marks[marks.length - 1].classList.add("lost");
    marks.push(/** @type {any} */ (arrow(ends[ends.length - 1], last.landed, cell, "stray")));
    marks.push(framed(last.landed, cell, frame, "was"));
  }
  return marks;
}

/** @param {Point[]} points @param {string} name @param {number} cell */
export function path(points, name, cell) {
  return shape("polyline", { points: joined(points), class: name, "stroke-width": cell * 0.07 });
}

/**
 * @param {Point} from
 * @param {Point} to
 * @param {number} cell
 * @param {string} name
 * @param {number} [share]  how much of it there is, in [0, 1]
 */
export function arrow(from, to, cell, name, share = 0.4) {
  const length = distance(from, to) || 1;
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const half = cell * (0.03 + 0.06 * share);
  const head = Math.min(cell * (0.2 + 0.16 * share), length * 0.6);
  /** @param {number} along @param {number} across @returns {Point} */
  const at = (along, across) => [from[0] + ux * along - uy * across, from[1] + uy * along + ux * across];
  const start = Math.min(cell * 0.2, length * 0.2);
  const end = length - Math.min(cell * 0.12, length * 0.1);
  const outline = [
    at(start, half), at(end - head, half), at(end - head, half + head * 0.45), at(end, 0),
    at(end - head, -half - head * 0.45), at(end - head, -half), at(start, -half),
  ];
  return shape("polygon", { points: joined(outline), class: name });
}

/**
 * Words on a chip; `tone` is win, draw, loss or none, told by shape as well as colour.
 *
 * @param {Point} at
 * @param {{text: string, tone?: string}[]} lines
 * @param {number} cell
 */
export function chip([x, y], lines, cell) {
  const size = cell * (lines.length > 2 ? 0.2 : lines.length > 1 ? 0.23 : 0.27);
  const height = size * 1.18;
  const longest = Math.max(...lines.map(({ text }) => text.length));
  const width = Math.max(cell * 0.5, longest * size * 0.62 + size * 0.6);
  const top = y - (height * lines.length) / 2;
  const tone = lines.find((line) => line.tone)?.tone ?? "plain";
  const box = { x: x - width / 2, y: top - size * 0.1, width, height: height * lines.length + size * 0.2 };
  const group = shape("g", { class: `chip ${tone}` });
  group.append(shape("rect", { ...box, rx: tone === "loss" ? 0 : size * 0.45 }));
  lines.forEach(({ text }, index) => {
    const middle = top + height * (index + 0.5);
    group.append(shape("text", { x, y: middle, "font-size": size }, text));
  });
  return group;
}
