/** Games in which a piece goes from one cell to another: click both, drag, or use the arrow keys. */
import { shape } from "../dom.js";
import { framed, path, wayOf } from "./marks.js";
import { beside, distance, distinct, nearest, same } from "./geometry.js";

/** @typedef {import("./board.js").Hand} Hand */
/** @typedef {import("../types.js").Legal} Legal */
/** @typedef {import("../types.js").Point} Point */

/** @param {Legal} one */
const end = ({ points }) => points[points.length - 1];

/**
 * @param {Hand} hand
 * @param {{frame: string, taken?: (one: Legal) => boolean}} how  `taken`: the move ends on a piece
 * @returns {import("./board.js").Touch}
 */
export function carry(hand, { frame, taken = () => false }) {
  /** @type {Point | null} */
  let from = null;
  /** @type {Legal | null} */
  let over = null; // the move that would be made
  /** @type {Point | null} */
  let cursor = null;
  /** @type {Point | null} */
  let dragging = null; // where the pointer went down
  let carried = false;
  /** @type {Point | null} */
  let under = null; // the piece under the pointer
  let again = false; // the selected piece was pressed once more

  const moves = () => hand.scene.legal.filter(({ points }) => points.length > 1);
  const sources = () => distinct(moves().map(({ points }) => points[0]));
  const targets = () => moves().filter(({ points }) => from !== null && same(points[0], from));
  /** @param {Point} at */
  const target = (at) => nearest(targets(), end, at, hand.scene.cell * 0.55);
  /** @param {Point} at */
  const source = (at) => nearest(sources(), (point) => point, at, hand.scene.cell * 0.55);

  const forced = () => moves().every(({ how }) => how === "jump");

  const put = () => {
    if (from && carried) hand.lift(from, null);
    carried = false;
    dragging = null;
  };

  /** @param {Legal} chosen @param {boolean} dragged */
  const make = (chosen, dragged) => {
    from = null;
    over = null;
    hand.choose(chosen.action, dragged);
  };

  /** Enter: take the piece under the cursor, or go there with the one that is taken. */
  const act = () => {
    if (!cursor) return false;
    const chosen = from && target(cursor);
    if (chosen) make(chosen, false);
    else {
      from = source(cursor);
      if (from) hand.say(`${targets().length} moves: ${targets().map(({ move }) => move).join(", ")}`);
    }
    return true;
  };

  /** @param {string} key */
  const walk = (key) => {
    const goals = targets().map(end);
    const points = from && goals.length ? distinct([from, ...goals]) : sources();
    const start = cursor ?? from;
    const middle = /** @type {Point} */ ([hand.scene.width / 2, hand.scene.height / 2]);
    cursor = (start ? beside(points, start, key, hand.turned) : nearest(points, (at) => at, middle, Infinity)) ?? start;
    over = cursor && from ? target(cursor) : null;
    const named = over ?? (cursor && moves().find(({ points: [first] }) => cursor && same(first, cursor)));
    if (named) hand.say(over ? named.move : named.move.split(/[-x/]/)[0]);
  };

  return {
    hover: (at) => {
      if (dragging && from && (carried || distance(at, dragging) > hand.scene.cell * 0.2)) {
        carried = true;
        hand.lift(from, at);
      }
      over = from ? target(at) : null;
      under = source(at);
    },
    press: (at) => {
      const chosen = from && target(at);
      if (chosen) return void (over = chosen);
      const taken = source(at);
      again = Boolean(taken && from && same(taken, from));
      from = taken;
      dragging = taken && at;
    },
    release: (at, kind) => {
      const chosen = from && target(at);
      const wasCarried = carried;
      const only = sources().length === 1;
      if (chosen && (wasCarried || !dragging)) {
        const held = from;
        carried = false;
        dragging = null;
        if (wasCarried && held) hand.lift(held, end(chosen));
        return make(chosen, wasCarried);
      }
      put();
      if (again && !wasCarried && !only) from = null;
      if (kind === "touch") over = null;
    },
    leave: () => {
      put();
      over = under = cursor = null;
    },
    key: (key) => {
      if (key.startsWith("Arrow")) walk(key);
      else if (key === "Enter" || key === " ") return act();
      else if (key === "Escape" && from) from = null;
      else return false;
      return true;
    },
    arrive: () => {
      const all = sources();
      const lone = all.length === 1 && hand.able ? all[0] : null; // a capture that goes on
      if (!from || !all.some((one) => from && same(one, from))) from = lone;
      over = null;
      dragging = null;
      carried = false;
    },
    draw: () => {
      const { cell } = hand.scene;
      const shown = [];
      if (from) shown.push(framed(from, cell, frame, "chosen"));
      else if (forced()) shown.push(...sources().map((at) => framed(at, cell, frame, "movable")));
      else if (under) shown.push(framed(under, cell, frame, "movable"));
      for (const one of targets()) {
        const [x, y] = end(one);
        const name = one === over ? "target over" : "target";
        if (taken(one)) shown.push(framed([x, y], cell, "round", name));
        else shown.push(shape("circle", { cx: x, cy: y, r: cell * 0.13, class: `${name} free` }));
      }
      if (over) shown.push(path(wayOf(over), "way", cell));
      if (cursor && hand.keyed) shown.push(framed(cursor, cell, frame, "cursor"));
      return shown;
    },
  };
}
