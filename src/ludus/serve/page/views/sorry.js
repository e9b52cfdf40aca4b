/** What could not be shown, and where to go instead. */
import { el, fill } from "../dom.js";

/**
 * @param {HTMLElement} main
 * @param {string} why
 */
export function sorry(main, why) {
  fill(main, el("section", { class: "sorry" }, el("h1", {}, "This cannot be shown"), el("p", { role: "alert" }, why),
    el("p", {}, el("a", { href: "#/" }, "To the games"))));
}
