/** What the analysis lays over the board. */
import { arrow, chip, tiles } from "../board/marks.js";
import { shape } from "../dom.js";
import { exactShort, percent, short, signed, tone } from "../words.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Legal} Legal */
/** @typedef {import("../play/analysis.js").Insight} Insight */
/** @typedef {import("../settings.js").Settings} Settings */

const MOST = 5; // arrows and outlines; more would hide the board
const PLAN = 4; // plies of the variation

/**
 * @param {Scene} scene
 * @param {Insight} insight
 * @param {Settings} show
 * @param {number | null} pointed  a move that is pointed at in the table
 * @returns {Element[]}
 */
export function overlay(scene, insight, show, pointed) {
  const current = insight.on && insight.about === scene;
  const carried = !scene.covers && scene.legal.some(({ points }) => points.length > 1);
  const drawn = [];
  const moving = carried || scene.covers;
  if (current && moving) drawn.push(...strongest(scene, insight, show));
  if (current && show.line && insight.thought) drawn.push(...variation(scene, insight.thought.line));
  if (current) drawn.push(...(moving ? numbers(scene, insight, show) : chips(scene, insight, show)));
  const one = pointed === null ? null : scene.legal.find(({ action }) => action === pointed);
  if (one) drawn.push(...outline(scene, one, "pointed", 1));
  return drawn;
}

/** @param {Insight} insight @param {Settings} show @param {number} action */
function linesOf({ thought, truth }, show, action) {
  const considered = thought?.moves.find((one) => one.action === action);
  const exact = truth?.moves?.[action];
  /** @type {{text: string, tone?: string}[]} */
  const lines = [];
  if (show.exact && exact && exact.value !== null) lines.push({ text: exactShort(exact), tone: tone(exact) });
  if (show.value && typeof considered?.value === "number") lines.push({ text: signed(considered.value) });
  if (show.policy && considered && considered.policy >= 0.005) lines.push({ text: percent(considered.policy) });
  if (show.visits && typeof considered?.visits === "number") lines.push({ text: short(considered.visits) });
  return lines;
}

/** Numbers in the cells, on a disc as strong as the policy. @param {Scene} scene @param {Insight} insight @param {Settings} show @returns {Element[]} */
function chips(scene, insight, show) {
  const shares = sharesOf(insight);
  const crowded = scene.legal.length > 40; // numbers only where there is something to say
  return scene.legal.flatMap((one) => {
    const at = one.points[one.points.length - 1];
    if (!at) return [];
    const share = shares.get(one.action) ?? 0;
    const lines = crowded && share < 0.1 ? [] : linesOf(insight, show, one.action);
    const heat = show.policy && share > 0.02
      ? [shape("circle", { cx: at[0], cy: at[1], r: scene.cell * (0.2 + 0.2 * share), class: "heat", "fill-opacity": 0.15 + 0.5 * share })]
      : [];
    return lines.length ? [...heat, chip(at, lines, scene.cell)] : heat;
  });
}

/** The moves that are thought best, the first the strongest. @param {Scene} scene @param {Insight} insight @param {Settings} show @returns {Element[]} */
function strongest(scene, insight, show) {
  const shares = sharesOf(insight);
  if (shares.size && !show.policy) return [];
  return bestOf(scene, insight).reverse().flatMap((one) => outline(scene, one, "heat", shares.get(one.action) ?? 0.5));
}

/** The first few moves by policy, or by what is so where nobody thinks. @param {Scene} scene @param {Insight} insight */
function bestOf(scene, insight) {
  const shares = sharesOf(insight);
  const exact = insight.truth?.moves ?? {};
  const rank = (/** @type {Legal} */ { action }) => (shares.size ? shares.get(action) ?? 0 : exact[action]?.value ?? -2);
  return [...scene.legal].sort((one, other) => rank(other) - rank(one)).slice(0, scene.covers ? 2 : MOST);
}

/** Their numbers, where they end: on the first that ends there. @param {Scene} scene @param {Insight} insight @param {Settings} show @returns {Element[]} */
function numbers(scene, insight, show) {
  /** @type {Set<string>} */
  const taken = new Set();
  return bestOf(scene, insight).flatMap((one) => {
    const at = one.points[one.points.length - 1];
    const lines = linesOf(insight, show, one.action);
    if (!at || !lines.length || taken.has(String(at))) return [];
    taken.add(String(at));
    return [chip(at, lines, scene.cell)];
  });
}

/** @param {Scene} scene @param {Legal} one @param {string} name @param {number} share @returns {Element[]} */
export function outline(scene, one, name, share) {
  const { cell, covers } = scene;
  if (covers) return [tiles(one.points, cell, `${name} covers`)];
  if (one.points.length < 2) {
    return one.points.map(([cx, cy]) => shape("circle", { cx, cy, r: cell * 0.42, class: `${name} ring` }));
  }
  const mark = arrow(one.points[0], one.points[one.points.length - 1], cell, name, share);
  mark.setAttribute("fill-opacity", String(0.25 + 0.6 * share));
  return [mark];
}

/** The principal variation: arrows, or numbers where things are put. @param {Scene} scene @param {import("../types.js").Step[]} line @returns {Element[]} */
function variation(scene, line) {
  const { cell, covers } = scene;
  return line.slice(0, covers ? 1 : PLAN).flatMap(({ points, player }, index) => {
    const side = `plan step${player}`;
    if (covers) return points.length ? [tiles(points, cell, `${side} covers`)] : [];
    if (points.length > 1) return [arrow(points[0], points[points.length - 1], cell, side, 0.15)];
    return points.map(([x, y]) => {
      const group = shape("g", { class: side });
      const at = { cx: x + cell * 0.33, cy: y - cell * 0.33, r: cell * 0.14 };
      group.append(shape("circle", at), shape("text", { x: at.cx, y: at.cy, "font-size": cell * 0.18 }, String(index + 1)));
      return group;
    });
  });
}

/** How strong each move is beside the strongest. @param {Insight} insight */
function sharesOf({ thought }) {
  const moves = thought?.moves ?? [];
  const most = Math.max(1e-9, ...moves.map(({ policy }) => policy));
  return new Map(moves.map(({ action, policy }) => [action, policy / most]));
}
