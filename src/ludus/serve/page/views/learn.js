/** The rules of a game, illustrated. */
import { Refused, api } from "../api.js";
import { el, fill } from "../dom.js";
import { sorry } from "./sorry.js";

/**
 * @param {import("../main.js").House} house
 * @returns {import("../router.js").View}
 */
export function learnView({ catalogue, main }) {
  return async ({ parts: [name] }) => {
    const links = catalogue.games.map((offer) =>
      el("a", { href: `#/learn/${offer.name}`, "aria-current": offer.name === name ? "page" : null }, offer.title));
    const nav = el("nav", { class: "chapters", "aria-label": "Games" }, ...links);
    const offer = catalogue.games.find((one) => one.name === name);
    if (!name) {
      return fill(main, el("section", { class: "learn" }, nav, el("article", {}, el("h1", {}, "Learn a game"),
        el("p", {}, "Each game has a short page of its rules. Where the truth of a game is known there are also positions in which one move alone keeps the result."))));
    }
    if (!offer) return sorry(main, `There is no game ${name.slice(0, 60)}.`);
    const trained = catalogue.puzzles.find((spelling) => spelling.split(":")[0] === name);
    const article = el("article", { class: "rules" });
    try {
      const { title, html } = await api.rules(name);
      // Written and drawn by us and sent by our own server; read into a document that runs nothing.
      const read = new DOMParser().parseFromString(html, "text/html").body;
      read.querySelectorAll("script, style, iframe, object, embed, form").forEach((found) => found.remove());
      fill(article, read.querySelector("h1") ? null : el("h1", {}, title), ...read.childNodes);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      fill(article, el("h1", {}, offer.title), el("p", {}, offer.about));
    }
    article.append(el("p", { class: "truth" }, `What is known: ${offer.truth}.`),
      el("p", { class: "pair" }, el("a", { class: "main", href: `#/play/${name}` }, "Play"),
        trained && el("a", { class: "quiet", href: `#/puzzle/${trained}` }, "Find the move")));
    fill(main, el("section", { class: "learn" }, nav, article));
  };
}
