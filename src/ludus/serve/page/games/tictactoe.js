/** Tic-tac-toe: point at a cell; crosses and rings. */
import { put } from "../board/put.js";
import { shape } from "../dom.js";

/** @type {import("../board/board.js").Face} */
export const face = {
  touch: (hand) => put(hand, { ghost }),
  entrance: "appear",
  frame: "square",
  turns: true,
  sample: [4, 0, 2, 6],
  help: "Arrow keys choose a cell, Enter marks it.",
};

/** @param {number} player @param {import("../types.js").Point} at @param {number} cell */
export function ghost(player, [x, y], cell) {
  const width = cell * 0.13;
  if (player === 1) return shape("circle", { cx: x, cy: y, r: cell * 0.28, class: "stroke side1", "stroke-width": width });
  const r = cell * 0.26;
  const d = `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`;
  return shape("path", { d, class: "stroke side0", "stroke-width": width });
}
