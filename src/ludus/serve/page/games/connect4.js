/** Connect Four: point anywhere in a column, or press its number. */
import { put } from "../board/put.js";
import { shape } from "../dom.js";

/** @type {import("../board/board.js").Face} */
export const face = {
  touch: (hand) => put(hand, { ghost, columns: true, frame: "round" }),
  entrance: "drop",
  frame: "round",
  turns: false,
  discs: true,
  sample: [3, 3, 4, 3, 2, 5, 3, 1, 4, 4],
  help: "Left and right choose a column, Enter drops a stone; or press the number of a column.",
};

/** @param {number} player @param {import("../types.js").Point} at @param {number} cell */
function ghost(player, [x, y], cell) {
  return shape("circle", { cx: x, cy: y, r: cell * 0.4, class: `disc side${player}` });
}
