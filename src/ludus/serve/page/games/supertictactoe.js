/** Super tic-tac-toe: as tic-tac-toe, on a cross; where a mark strays to is shown as it happens. */
import { put } from "../board/put.js";
import { ghost } from "./tictactoe.js";

/** @type {import("../board/board.js").Face} */
export const face = {
  touch: (hand) => put(hand, { ghost }),
  entrance: "appear",
  frame: "square",
  turns: true,
  sample: ["60~80", "77~72", "7~80", "22~22", "4~1", "26~26", "44~45", "50~50", "31~80", "63~58", "43~56", "44~44", "24~24"],
  help: "Arrow keys choose a cell, Enter marks it; chance may send the mark elsewhere.",
};
