/** Pieces go to their places: they slide, hop, drop, appear; taken ones fade. */
import { still } from "../settings.js";
import { same } from "./geometry.js";
import { wayOf } from "./marks.js";

/** @typedef {import("../types.js").Point} Point */

/** @param {SVGGElement} piece @returns {Point} */
const place = ({ dataset }) => [Number(dataset.x), Number(dataset.y)];

/** @param {Element} ground @returns {SVGGElement[]} */
const pieces = (ground) => [...ground.querySelectorAll("g.piece")].map((one) => /** @type {any} */ (one));

/**
 * @param {SVGGElement} ground  as it is now
 * @param {Element} before
 * @param {import("../types.js").Scene} scene
 * @param {"drop" | "appear" | "slide" | "build"} entrance
 */
export function animate(ground, before, scene, entrance) {
  const { last, cell } = scene;
  if (still() || !last || !last.points.length || !ground.animate) return;
  const now = pieces(ground);
  const was = pieces(before);
  const there = (/** @type {Point} */ at) => now.find((piece) => same(place(piece), at));
  if (entrance === "slide") {
    const path = wayOf(last);
    walk(there(path[path.length - 1]), path);
    const [from, to] = [last.points[0], last.points[last.points.length - 1]];
    const changed = there(from);
    if (changed && !same(from, to)) walk(changed, [to, from]); // king and courtesan change places
    vanish(ground, was.filter((old) => !there(place(old)) && !same(place(old), from)));
    return;
  }
  const fresh = now.filter((piece) => !was.some((old) => same(place(old), place(piece))));
  for (const piece of fresh) {
    if (entrance === "drop") drop(piece, cell);
    else appear(piece);
  }
  if (entrance === "build") vanish(ground, was.filter((old) => !there(place(old))));
}

/**
 * @param {SVGGElement | undefined} piece
 * @param {Point[]} path  ends where the piece is
 */
function walk(piece, path) {
  const end = path[path.length - 1];
  const frames = path.map(([x, y]) => ({
    transform: `translate(${x - end[0]}px, ${y - end[1]}px)`,
    easing: "ease-in-out",
  }));
  piece?.parentNode?.append(piece); // over the others, on its way
  const layers = piece?.parentNode?.querySelectorAll(":scope > g.last, :scope > g.marks, :scope > g.hand") ?? [];
  piece?.parentNode?.append(...layers);
  piece?.animate(frames, { duration: 130 + 110 * (path.length - 1) });
}

/** @param {SVGGElement} piece @param {number} cell */
function drop(piece, cell) {
  const height = Number(piece.dataset.y);
  const frames = [
    { transform: `translate(0, ${-height}px)`, easing: "cubic-bezier(0.5, 0, 1, 0.6)" },
    { transform: "none", offset: 0.8 },
    { transform: `translate(0, ${-cell * 0.06}px)`, offset: 0.9 },
    { transform: "none" },
  ];
  piece.animate(frames, { duration: 160 + 0.6 * height });
}

/** @param {SVGGElement} piece */
function appear(piece) {
  piece.classList.add("grows");
  const frames = [{ transform: "scale(0.4)", opacity: 0 }, { transform: "none", opacity: 1 }];
  piece.animate(frames, { duration: 160, easing: "ease-out" });
}

/** @param {SVGGElement} ground @param {SVGGElement[]} gone */
function vanish(ground, gone) {
  for (const piece of gone) {
    ground.append(piece);
    const fading = piece.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 320, easing: "ease-in" });
    fading.onfinish = () => piece.remove();
  }
}
