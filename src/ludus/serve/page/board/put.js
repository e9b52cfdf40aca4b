/** Games in which something is put on a cell: point at it, or walk there with the arrow keys. */
import { framed } from "./marks.js";
import { beside, nearest } from "./geometry.js";

/** @typedef {import("./board.js").Hand} Hand */
/** @typedef {import("../types.js").Legal} Legal */
/** @typedef {import("../types.js").Point} Point */

/** @param {Legal} one */
const spot = ({ points }) => points[points.length - 1];

/**
 * @param {Hand} hand
 * @param {object} how
 * @param {(player: number, at: Point, cell: number) => Element} how.ghost
 * @param {boolean} [how.columns]  anywhere in a column will do
 * @param {string} [how.frame]
 * @returns {import("./board.js").Touch}
 */
export function put(hand, { ghost, columns = false, frame = "square" }) {
  /** @type {Legal | null} */
  let over = null;
  /** @type {Legal | null} */
  let pressed = null;

  /** @param {Point} at @returns {Legal | null} */
  const under = ([x, y]) => {
    const { legal, cell, height } = hand.scene;
    const inside = y > 0 && y < height;
    if (columns) return (inside && legal.find((one) => Math.abs(spot(one)[0] - x) <= cell / 2)) || null;
    return nearest(legal, spot, [x, y], cell * 0.6);
  };
  const legal = () => hand.scene.legal.filter(({ points }) => points.length > 0);

  /** @param {string} key */
  const walk = (key) => {
    const all = legal();
    const level = columns ? (/** @type {Legal} */ one) => /** @type {Point} */ ([spot(one)[0], 0]) : spot;
    const { width, height } = hand.scene;
    const next = over && all.includes(over)
      ? beside(all.map(level), level(over), key, hand.turned)
      : level(nearest(all, spot, [width / 2, height / 2], Infinity) ?? all[0]);
    over = (next && all.find((one) => level(one) === next || String(level(one)) === String(next))) ?? over;
    if (over) hand.say(over.move);
  };

  return {
    hover: (at) => { over = under(at); },
    press: (at) => { pressed = under(at); },
    release: (at) => {
      const chosen = under(at);
      if (chosen && chosen === pressed) hand.choose(chosen.action);
      pressed = null;
    },
    leave: () => { over = null; },
    key: (key) => {
      if (key.startsWith("Arrow") && legal().length) walk(key);
      else if ((key === "Enter" || key === " ") && over) hand.choose(over.action);
      else if (columns && /^[1-9a-w]$/.test(key)) {
        const named = legal().find(({ move }) => move === key);
        if (named) hand.choose(named.action);
        return Boolean(named);
      } else return false;
      return true;
    },
    arrive: () => {
      over = over && (hand.scene.legal.find(({ action }) => action === over?.action) ?? null);
      pressed = null;
    },
    draw: () => {
      if (!over || !legal().includes(over)) return [];
      const at = spot(over);
      const shown = ghost(hand.scene.player, at, hand.scene.cell);
      shown.classList.add("ghost");
      return hand.keyed ? [shown, framed(at, hand.scene.cell, frame, "cursor")] : [shown];
    },
  };
}
