/** King and Courtesan: captures and the exchange of the king end on a piece. */
import { carry } from "../board/carry.js";

/** @type {import("../board/board.js").Face} */
export const face = {
  touch: (hand) => carry(hand, { frame: "square", taken: ({ how }) => how === "capture" || how === "exchange" }),
  entrance: "slide",
  frame: "square",
  turns: true,
  discs: true,
  home: "bottom",
  sample: [339, 771, 303, 992, 81, 1251, 488, 400, 229],
  help: "Arrow keys choose a piece, Enter takes it; then choose where it goes. Escape puts it back.",
};
