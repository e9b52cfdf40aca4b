/** Keys that work wherever the focus is, and the list of them. */
import { el } from "./dom.js";

/** @typedef {{key: string, name: string, act: () => void}} Key */

/**
 * @param {Key[]} keys  written as `u`, `Shift+U`, `ArrowLeft`
 * @returns {() => void} how to stop listening
 */
export function listen(keys) {
  /** @param {KeyboardEvent} event */
  const hear = (event) => {
    const on = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (on.matches("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    const spelled = event.shiftKey && event.key.length === 1 && event.key !== "?" ? `Shift+${event.key.toUpperCase()}` : event.key;
    const found = keys.find(({ key }) => key === spelled);
    if (!found) return;
    event.preventDefault();
    found.act();
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}

/** @type {Record<string, string>} */
const NAMES = { ArrowLeft: "←", ArrowRight: "→" };

/** @param {Key[]} keys @param {string} board */
export function keyHelp(keys, board) {
  const rows = keys.map(({ key, name }) =>
    el("div", {}, el("dt", {}, el("kbd", {}, NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key))), el("dd", {}, name)));
  const dialog = el("dialog", { class: "keys", "aria-label": "Keys" },
    el("form", { method: "dialog" }, el("h2", {}, "Keys"), el("dl", {}, ...rows),
      el("p", {}, `On the board (Tab goes there): ${board}`),
      el("button", { type: "submit", class: "main" }, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
