/** Sheets of a panel, one of them seen. */
import { el } from "../dom.js";

/**
 * @param {string} label
 * @param {Record<string, HTMLElement>} sheets
 */
export function tabs(label, sheets) {
  const names = Object.keys(sheets);
  const heads = names.map((name, index) =>
    el("button", { type: "button", role: "tab", id: `tab${index}`, "aria-controls": `sheet${index}`, onclick: () => show(index) }, name));
  const bodies = names.map((name, index) =>
    el("div", { role: "tabpanel", id: `sheet${index}`, "aria-labelledby": `tab${index}`, class: "sheet" }, sheets[name]));
  /** @param {number} shown */
  const show = (shown) => {
    heads.forEach((head, index) => {
      head.setAttribute("aria-selected", String(index === shown));
      head.tabIndex = index === shown ? 0 : -1;
      bodies[index].hidden = index !== shown;
    });
  };
  const row = el("div", { role: "tablist", "aria-label": label, class: "tabs" }, ...heads);
  row.addEventListener("keydown", (event) => {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!way) return;
    event.stopPropagation();
    const next = (heads.findIndex((head) => head.tabIndex === 0) + way + heads.length) % heads.length;
    show(next);
    heads[next].focus();
  });
  show(0);
  return { element: el("div", { class: "sheets" }, row, ...bodies), show: (/** @type {string} */ name) => show(names.indexOf(name)) };
}
