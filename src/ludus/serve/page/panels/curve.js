/** A curve by uPlot, which is fetched when the first one is drawn. */
import { el } from "../dom.js";

/** @typedef {{setData: (data: number[][]) => void, destroy: () => void}} Curve */

/** @type {Promise<any> | null} */
let library = null;

/** @returns {Promise<new (options: object, data: number[][], where: HTMLElement) => Curve & {setSize: (size: object) => void}>} */
function uplot() {
  library ??= new Promise((resolve, reject) => {
    const script = el("script", { src: "vendor/uplot.min.js" });
    script.onload = () => resolve(/** @type {any} */ (globalThis).uPlot);
    script.onerror = () => reject(new Error("the curves cannot be drawn: uplot.min.js is missing"));
    document.head.append(el("link", { rel: "stylesheet", href: "vendor/uplot.min.css" }), script);
  });
  return library;
}

/**
 * @param {HTMLElement} where
 * @param {string} name
 * @param {number[][]} data  steps and values
 * @returns {Promise<Curve>}
 */
export async function curve(where, name, data) {
  const Plot = await uplot();
  const figure = el("figure", {}, el("figcaption", {}, name.replace(/_/g, " ")));
  where.append(figure);
  const colour = (/** @type {string} */ variable) => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
  const axis = { stroke: () => colour("--faint"), grid: { stroke: () => colour("--rule"), width: 1 }, ticks: { show: false }, font: "12px system-ui" };
  const size = () => ({ width: Math.max(220, figure.clientWidth - 2), height: 170 });
  const plot = new Plot({
    ...size(),
    scales: { x: { time: false } },
    legend: { show: false },
    cursor: { y: false },
    axes: [axis, { ...axis, size: 56 }],
    series: [{}, { stroke: () => colour("--text"), width: 1.5, points: { show: data[0].length < 40, size: 4 } }],
  }, data, figure);
  const watch = new ResizeObserver(() => plot.setSize(size()));
  watch.observe(figure);
  return { setData: (fresh) => plot.setData(fresh), destroy: () => { watch.disconnect(); plot.destroy(); } };
}
