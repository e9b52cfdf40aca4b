/** The face of a game by its name; games without one of their own are played by their moves. */
import { carry } from "../board/carry.js";
import { put } from "../board/put.js";
import { ghost } from "./tictactoe.js";

/** @typedef {import("../board/board.js").Face} Face */

const OWN = ["cathedral", "checkers", "chinesecheckers", "connect4", "kingcourtesan", "supertictactoe", "tictactoe"];

/** A game that somebody wrote: put or carried, as its legal actions have one point or two. @type {Face} */
const plain = {
  touch: (hand) => {
    const [one, two] = [put(hand, { ghost }), carry(hand, { frame: "square" })];
    const fit = () => (hand.scene.legal.some(({ points }) => points.length > 1) ? two : one);
    return {
      hover: (...given) => fit().hover(...given),
      press: (...given) => fit().press(...given),
      release: (...given) => fit().release(...given),
      leave: () => fit().leave(),
      key: (key) => fit().key(key),
      arrive: () => fit().arrive(),
      draw: () => fit().draw(),
    };
  },
  entrance: "appear",
  frame: "square",
  turns: true,
  sample: [],
  help: "Arrow keys choose, Enter plays.",
};

/**
 * @param {string} spelling
 * @returns {Promise<Face>}
 */
export async function faceOf(spelling) {
  const [name] = spelling.split(":");
  return OWN.includes(name) ? (await import(`./${name}.js`)).face : plain;
}
