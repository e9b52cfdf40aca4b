/** Games in which a building covers cells: take one from the tray, turn it, put it down. */
import { el, fill, icon, shape } from "../dom.js";
import { centred, cross, indexIn, setShape, sorted, stamp } from "./buildings.js";
import { setName } from "./geometry.js";
import { tiles } from "./marks.js";

/** @typedef {import("./board.js").Hand} Hand */
/** @typedef {import("../types.js").Legal} Legal */
/** @typedef {import("../types.js").Point} Point */
/** @typedef {import("../types.js").TrayPiece} TrayPiece */

/** @type {Record<string, Point>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @param {Hand} hand
 * @returns {import("./board.js").Touch}
 */
export function build(hand) {
  /** @type {string | number | null} */
  let piece = null;
  let turn = 0;
  let owner = 0;
  /** @type {Point | null} */
  let at = null; // the cell under the pointer, as its middle
  let shown = false; // a first tap has shown where it would stand
  /** @type {Map<string, Legal>} */
  let legal = new Map();
  const tray = el("div", { class: "tray", role: "group", "aria-label": "Buildings left to place" });
  const place = el("button", { type: "button", class: "place", onclick: () => act() }, "Place it here");
  const rotate = el("button", { type: "button", class: "rotate", title: "Turn the building (R)", onclick: () => spin(1) }, icon("turn"), "Turn");
  const aside = el("section", { class: "building", "aria-label": "Buildings" }, tray, el("div", { class: "pair" }, rotate, place));

  const mine = () => (hand.scene.tray ?? []).filter(({ player }) => player === hand.scene.player);
  const taken = () => mine().find((one) => one.piece === piece && one.count > 0) ?? null;
  const usable = (/** @type {TrayPiece} */ one) => [...legal.values()].some((move) => move.piece === one.piece);
  const rotation = () => {
    const all = taken()?.rotations ?? [];
    return all.length ? all[turn % all.length] : null;
  };

  /** The cells that the building would cover. @returns {Point[]} */
  const covered = () => {
    const chosen = rotation();
    if (!chosen || !at) return [];
    const { cell } = hand.scene;
    const [x, y] = at;
    return centred(chosen.cells).map(([dx, dy]) => [x + dx * cell, y + dy * cell]);
  };
  const fits = () => {
    const cells = covered();
    return cells.length ? (legal.get(setName(cells)) ?? null) : null;
  };

  /** The middle of the cell under a point: cells are where legal moves and buildings are. @param {Point} point @returns {Point | null} */
  const snapped = ([x, y]) => {
    const grid = anchor();
    if (!grid) return null;
    const { cell } = hand.scene;
    return [grid[0] + Math.round((x - grid[0]) / cell) * cell, grid[1] + Math.round((y - grid[1]) / cell) * cell];
  };
  const anchor = () => hand.scene.legal[0]?.points[0] ?? null;

  const act = () => {
    const move = fits();
    if (move) {
      at = null;
      hand.choose(move.action);
    } else hand.say("It cannot stand there.");
  };

  /** @param {number} way */
  const spin = (way) => {
    const all = taken()?.rotations ?? [];
    if (!all.length) return false;
    turn = (turn + way + all.length) % all.length;
    refresh();
    hand.redraw();
    return true;
  };

  /** @param {string | number} chosen */
  const take = (chosen) => {
    piece = chosen;
    turn = 0;
    refresh();
    hand.redraw();
  };

  const refresh = () => {
    if (hand.able) owner = hand.scene.player; // while the other side moves, one's own stay in view
    const buttons = (hand.scene.tray ?? []).filter(({ player }) => player === owner).map((one) => {
      const active = hand.able;
      const chosen = active && one.piece === piece;
      const cells = (chosen && rotation() ? rotation() : one.rotations[0])?.cells ?? [];
      return el("button", {
        type: "button",
        class: `${one.neutral ? "neutral" : `side${one.player}`}${chosen ? " taken" : ""}`,
        "aria-pressed": chosen ? "true" : "false",
        "aria-label": `${one.name}, ${one.count} left`,
        title: one.name,
        disabled: !active || one.count === 0 || !usable(one),
        onclick: () => take(one.piece),
      }, stamp(cells), one.count > 1 && el("span", { class: "count" }, `×${one.count}`));
    });
    fill(tray, ...buttons);
    rotate.disabled = !hand.able || (taken()?.rotations.length ?? 0) < 2;
    place.disabled = !hand.able || !fits();
  };

  return {
    aside,
    hover: (point, kind) => {
      if (kind !== "touch") at = snapped(point);
      place.disabled = !fits();
    },
    press: (point) => {
      const before = at;
      at = snapped(point);
      shown = Boolean(before && at && String(before) === String(at));
    },
    release: (point, kind) => {
      at = snapped(point);
      if (kind === "touch" && !shown) place.disabled = !fits();
      else act();
    },
    leave: () => {
      if (!hand.keyed && matchMedia("(hover: hover)").matches) at = null;
    },
    key: (key) => {
      const way = WAYS[key];
      const { cell } = hand.scene;
      if (way) {
        const sign = hand.turned ? -1 : 1;
        const start = at ?? snapped([hand.scene.width / 2, hand.scene.height / 2]);
        at = start && [start[0] + way[0] * cell * sign, start[1] + way[1] * cell * sign];
        hand.say(fits()?.move ?? "not here");
      } else if (key === "r" || key === "R") return spin(key === "R" ? -1 : 1);
      else if (key === "Enter" || key === " ") act();
      else return false;
      place.disabled = !fits();
      return true;
    },
    wheel: (turns) => taken() !== null && spin(turns),
    arrive: () => {
      legal = new Map(hand.scene.legal.map((move) => [setName(move.points), move]));
      // Two kinds of a building never cover the same cells, but the one that is taken comes first.
      for (const move of hand.scene.legal) if (move.piece === piece) legal.set(setName(move.points), move);
      const able = mine().filter((one) => one.count > 0 && usable(one));
      if (!able.some((one) => one.piece === piece)) {
        piece = able.length ? able[able.length - 1].piece : null;
        turn = 0;
      }
      refresh();
    },
    draw: () => {
      const { cell, player } = hand.scene;
      const chosen = rotation();
      const drawn = [];
      if (chosen) {
        const first = centred(chosen.cells).findIndex(([x, y]) => x === 0 && y === 0);
        const shape0 = setShape(chosen.cells);
        for (const move of hand.scene.legal) {
          if (move.piece !== piece || setShape(move.points.map(([x, y]) => [x / cell, y / cell])) !== shape0) continue;
          const spots = sorted(move.points);
          const [x, y] = spots[indexIn(chosen.cells, first)];
          drawn.push(shape("circle", { cx: x, cy: y, r: cell * 0.07, class: "room" }));
        }
      }
      const cells = covered();
      if (cells.length) drawn.push(tiles(cells, cell, `ghost block ${taken()?.neutral ? "neutral" : `side${player}`} ${fits() ? "fits" : "clashes"}`));
      if (cells.length && !fits()) drawn.push(...cells.map((at) => cross(at, cell)));
      return drawn;
    },
  };
}
