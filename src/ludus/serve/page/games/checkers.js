/** English draughts: a capture of several jumps is made jump by jump, with the same piece. */
import { carry } from "../board/carry.js";

/** @type {import("../board/board.js").Face} */
export const face = {
  touch: (hand) => carry(hand, { frame: "square" }),
  entrance: "slide",
  frame: "square",
  turns: true,
  discs: true,
  home: "top",
  sample: [86, 168, 70, 194, 124, 179, 93, 185, 79, 131, 47, 162],
  help: "Arrow keys choose a piece, Enter takes it; then choose where it goes. Escape puts it back.",
};
