/** The first page: a picture of every game; one click and it is played. */
import { api } from "../api.js";
import { el, fill, picture } from "../dom.js";
import { faceOf } from "../games/faces.js";
import { addressOf } from "../play/address.js";
import { history } from "../play/history.js";
import { person, usualOpponent } from "../play/seats.js";

/** @typedef {import("../types.js").GameOffer} GameOffer */

const FIRST = "connect4"; // what a visitor meets first

/**
 * @param {import("../main.js").House} house
 * @returns {import("../router.js").View}
 */
export function homeView({ catalogue, main }) {
  return () => {
    const offers = [...catalogue.games].sort((one, other) => Number(other.name === FIRST) - Number(one.name === FIRST));
    fill(main, el("section", { class: "home" },
      el("h1", {}, "Play, and see what is true"),
      goOn(),
      el("ul", { class: "games" }, ...offers.map((offer) => card(offer, catalogue.puzzles))),
      el("p", { class: "foot" }, `ludus ${catalogue.version}`)));
  };
}

/** @param {GameOffer} offer @param {string[]} puzzles */
function card(offer, puzzles) {
  const trained = puzzles.find((spelling) => spelling.split(":")[0] === offer.name);
  const board = el("span", { class: "small", "aria-hidden": "true" });
  void sample(offer).then((drawn) => drawn && board.append(drawn));
  const play = addressOf(history(offer.name), [person, usualOpponent(offer)]);
  return el("li", { class: "card" },
    el("a", { class: "play", href: play }, board, el("span", { class: "title" }, offer.title)),
    el("span", { class: "also" },
      el("a", { href: `#/learn/${offer.name}`, "aria-label": `Rules of ${offer.title}` }, "Rules"),
      trained && el("a", { href: `#/puzzle/${trained}`, "aria-label": `Find the move in ${offer.title}` }, "Find the move")));
}

/** @param {GameOffer} offer */
async function sample(offer) {
  const face = await faceOf(offer.name);
  const draw = async (/** @type {import("../types.js").Token[]} */ tokens) => (await api.position({ game: offer.name, start: null, tokens })).svg;
  try {
    const drawn = picture(await draw(face.sample).catch(() => draw([])));
    drawn.querySelector("g.last")?.remove();
    return drawn;
  } catch {
    return null; // the card stands without a picture
  }
}

/** The game that was left. */
function goOn() {
  try {
    const { hash, title } = JSON.parse(localStorage.getItem("ludus last game") ?? "null") ?? {};
    if (typeof hash !== "string" || !hash.startsWith("#/play/") || !/\/play\/[^/]+\/\d/.test(hash)) return null;
    return el("p", {}, el("a", { class: "goon", href: hash }, `Go on with the game of ${String(title)}`));
  } catch {
    return null;
  }
}
