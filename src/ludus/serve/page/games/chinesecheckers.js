/** Chinese Checkers: the whole chain of hops is drawn before it is played. */
import { carry } from "../board/carry.js";

/** @type {import("../board/board.js").Face} */
export const face = {
  touch: (hand) => carry(hand, { frame: "round" }),
  entrance: "slide",
  frame: "round",
  turns: true,
  discs: true,
  home: "top",
  sample: [31, 565, 108, 597, 137, 523, 313, 570],
  help: "Arrow keys choose a piece, Enter takes it; then choose where it goes. Escape puts it back.",
};
