/** Cathedral: buildings from a tray, turned by R, the wheel or a button. */
import { build } from "../board/build.js";

/** @type {import("../board/board.js").Face} */
export const face = {
  touch: (hand) => build(hand),
  entrance: "build",
  frame: "square",
  turns: true,
  sample: [2815, 2188, 2182, 2489, 2518, 1979, 2107, 2442, 2469, 1811, 872],
  help: "Take a building from the tray; arrow keys move it, R turns it, Enter puts it down.",
};
