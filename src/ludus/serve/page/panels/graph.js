/** The evaluation over the game: above the middle the first player is better; dots are mistakes. */
import { el, fill, shape } from "../dom.js";
import { SLIP } from "../play/review.js";
import { sizeOf } from "./moves.js";

const [WIDTH, HEIGHT] = [340, 64];

/** @param {import("../play/review.js").Review} review */
export function graph(review) {
  const { session } = review;
  const drawing = shape("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const run = el("button", { type: "button", class: "quiet", onclick: () => (review.graph.value.busy ? review.stop() : review.run()) });
  const jump = (/** @type {1 | -1} */ way) => {
    const place = review.mistake(way);
    if (place !== null) void session.go(place);
  };
  const before = el("button", { type: "button", class: "quiet", title: "Mistake before (Shift+M)", "aria-label": "Mistake before", onclick: () => jump(-1) }, "‹ Mistake");
  const next = el("button", { type: "button", class: "quiet", title: "Next mistake (M)", "aria-label": "Next mistake", onclick: () => jump(1) }, "Mistake ›");

  const draw = () => {
    const { marks, busy } = review.graph.value;
    const { history, end } = session.table.value;
    const last = Math.max(1, marks.length - 1);
    const x = (/** @type {number} */ at) => 8 + (at / last) * (WIDTH - 16);
    const y = (/** @type {number} */ value) => HEIGHT / 2 - value * (HEIGHT / 2 - 8);
    const known = marks.map(({ value }, at) => ({ value, at })).filter(({ value }) => value !== null);
    const points = known.map(({ value, at }) => `${x(at)},${y(value ?? 0)}`);
    const slips = marks.map((mark, at) => ({ ...mark, at })).filter(({ loss }) => loss >= SLIP);
    const area = points.length > 1 ? `${x(known[0].at)},${HEIGHT / 2} ${points.join(" ")} ${x(known[known.length - 1].at)},${HEIGHT / 2}` : "";
    fill(drawing,
      shape("title", {}, `Value over the game for the first player, ${slips.length} mistakes`),
      shape("line", { x1: 8, x2: WIDTH - 8, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "zero" }),
      shape("line", { x1: x(history.at), x2: x(history.at), y1: 2, y2: HEIGHT - 2, class: "now" }),
      area && shape("polygon", { points: area, class: "area" }),
      shape("polyline", { points: points.join(" "), class: "curve" }),
      ...known.filter(({ at }) => !slips.some((slip) => slip.at === at)).map(({ value, at }) =>
        shape("circle", { cx: x(at), cy: y(value ?? 0), r: 1.6, class: "known" })),
      ...slips.map(({ value, loss, at }) => dot(x(at), y(value ?? 0), loss, end?.moves[at]?.player ?? 0)));
    run.textContent = busy ? "Stop the review" : "Review";
    run.disabled = !history.tokens.length;
    next.disabled = before.disabled = !slips.length;
  };
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDTH - 8;
    void session.go(Math.round((share / (WIDTH - 16)) * session.table.value.history.tokens.length));
  });
  review.graph.watch(draw);
  session.table.watch(draw);
  return el("div", { class: "reviewed" }, drawing, el("div", { class: "trio" }, run, before, next));
}

/** Round for the first player, a diamond for the second; the more was lost, the larger. @param {number} x @param {number} y @param {number} loss @param {number} player */
function dot(x, y, loss, player) {
  const r = 2 + 1.7 * sizeOf(loss);
  if (player === 0) return shape("circle", { cx: x, cy: y, r, class: "slip side0" });
  return shape("path", { d: `M${x} ${y - r * 1.25}L${x + r * 1.25} ${y}L${x} ${y + r * 1.25}L${x - r * 1.25} ${y}z`, class: "slip side1" });
}
