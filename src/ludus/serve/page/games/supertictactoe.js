/** Super tic-tac-toe: as tic-tac-toe, on a cross; where a mark strays to is shown as it happens. */
import { put } from "../board/put.js";
import { ghost } from "./tictactoe.js";

/** @type {import("../board/board.js").Face} */
export const face = {
  touch: (hand) => put(hand, { ghost }),
  entrance: "appear",
  frame: "square",
  turns: true,
  sample: [],
  help: "Arrow keys choose a cell, Enter marks it; chance may send the mark elsewhere.",
};
