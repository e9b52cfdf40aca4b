/** Points of a scene: which are the same, which is nearest, which comes next in a direction. */

/** @typedef {import("../types.js").Point} Point */

/** @param {Point} one @param {Point} other */
export function same(one, other) {
  return Math.abs(one[0] - other[0]) < 0.5 && Math.abs(one[1] - other[1]) < 0.5;
}

/** @param {Point} one @param {Point} other */
export function distance(one, other) {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

/**
 * A name for a set of points, whatever their order.
 *
 * @param {Point[]} points
 */
export function setName(points) {
  return points.map(([x, y]) => `${Math.round(x)},${Math.round(y)}`).sort().join(" ");
}

/**
 * @param {Point[]} points
 * @returns {Point[]}
 */
export function distinct(points) {
  return points.filter((point, index) => points.findIndex((other) => same(point, other)) === index);
}

/**
 * The thing nearest to a point, if it is within reach.
 *
 * @template T
 * @param {T[]} things
 * @param {(thing: T) => Point} place
 * @param {Point} at
 * @param {number} reach
 * @returns {T | null}
 */
export function nearest(things, place, at, reach) {
  let best = null;
  let least = reach;
  for (const thing of things) {
    const away = distance(place(thing), at);
    if (away < least) [best, least] = [thing, away];
  }
  return best;
}

/** @type {Record<string, Point>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The next point in the direction of an arrow key; null for other keys and at the border.
 *
 * @param {Point[]} points
 * @param {Point} from
 * @param {string} key
 * @param {boolean} turned  the board is shown upside down
 * @returns {Point | null}
 */
export function beside(points, from, key, turned) {
  const way = WAYS[key];
  if (!way) return null;
  const [wx, wy] = turned ? [-way[0], -way[1]] : way;
  let best = null;
  let least = Infinity;
  for (const point of points) {
    const [dx, dy] = [point[0] - from[0], point[1] - from[1]];
    const along = dx * wx + dy * wy;
    const across = Math.abs(dx * wy) + Math.abs(dy * wx);
    if (along < 1 || across > 2.5 * along) continue;
    if (along + 2 * across < least) [best, least] = [point, along + 2 * across];
  }
  return best;
}

/** @param {Point[]} points */
export function joined(points) {
  return points.map(([x, y]) => `${x},${y}`).join(" ");
}
