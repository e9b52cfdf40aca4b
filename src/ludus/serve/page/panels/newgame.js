/** A new game: which, with which parameters, and who plays. */
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { addressOf } from "../play/address.js";
import { history } from "../play/history.js";
import { person, readSeat, spellSeat, usualOpponent } from "../play/seats.js";
import { capital, playerName } from "../words.js";

/** @typedef {import("../types.js").GameOffer} GameOffer */
/** @typedef {import("../play/seats.js").Seat} Seat */

const SIDES = /** @type {const} */ (["first", "second", "random", "two people", "two agents"]);

/**
 * @param {GameOffer[]} offers
 * @param {string} name  the game that is chosen at first
 * @returns {HTMLDialogElement}
 */
export function newGame(offers, name) {
  const body = el("div", { class: "fields" });
  const game = el("select", { id: "game", onchange: () => ask() },
    ...offers.map((offer) => el("option", { value: offer.name }, offer.title)));
  game.value = name;
  const start = el("button", { type: "submit", class: "main", value: "start" }, "Start");
  const form = el("form", { method: "dialog" },
    el("h2", {}, "New game"), labelled("Game", game), body,
    el("div", { class: "pair" }, el("button", { type: "submit", class: "quiet", value: "" , formnovalidate: true }, "Cancel"), start));
  const dialog = el("dialog", { class: "newgame", "aria-label": "New game" }, form);
  /** @type {() => {spelling: string, seats: [Seat, Seat]}} */
  let read;
  const ask = () => {
    const offer = offers.find((one) => one.name === game.value) ?? offers[0];
    const asked = fields(offer);
    fill(body, ...asked.elements);
    read = asked.read;
  };
  ask();
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "start") void begin(read());
    dialog.remove();
  });
  return dialog;
}

/** Where the rules ask for a coin, the server tosses it. @param {{spelling: string, seats: [Seat, Seat]}} chosen */
async function begin({ spelling, seats }) {
  const start = await api.anew(spelling).then(({ line }) => line.start, () => null); // the table says what is wrong
  location.hash = addressOf(history(spelling, start), seats);
}

/** @param {GameOffer} offer @returns {{elements: HTMLElement[], read: () => {spelling: string, seats: [Seat, Seat]}}} */
function fields(offer) {
  const names = [0, 1].map((player) => capital(playerName(offer.players, player)));
  const titles = [`${names[0]}, first`, `${names[1]}, second`, "Random side", "Two people", "Watch two agents"];
  const sides = el("div", { class: "sides", role: "radiogroup", "aria-label": "You play" },
    ...SIDES.map((side, index) => el("label", {}, el("input", { type: "radio", name: "side", value: side, checked: index === 0, onchange: () => seen() }), el("span", {}, titles[index]))));
  const [one, other] = [opponent(offer, "opponent"), opponent(offer, "second")];
  const rows = [labelled("Opponent", one.element), labelled(names[1], other.element)];
  const parameters = Object.entries(offer.parameters).map(([name, { value, meaning }]) => {
    const field = el("input", { id: `of-${name}`, type: "text", value: value ?? "none", spellcheck: "false", autocomplete: "off", pattern: "[\\w.\\/\\-]{1,40}" });
    return { name, usual: String(value ?? "none"), field, row: labelled(name.replace(/_/g, " "), field, meaning) };
  });
  const side = () => /** @type {HTMLInputElement} */ (sides.querySelector(":checked")).value;
  const seen = () => {
    rows[0].hidden = side() === "two people";
    rows[1].hidden = side() !== "two agents";
    /** @type {HTMLElement} */ (rows[0].firstChild).textContent = side() === "two agents" ? names[0] : "Opponent";
  };
  seen();
  const read = () => {
    const changed = parameters.filter(({ usual, field }) => field.value.trim() && field.value.trim().toLowerCase() !== usual.toLowerCase());
    const spelled = changed.map(({ name, field }) => `${name}=${field.value.trim()}`).join(",");
    return { spelling: offer.name + (spelled ? `:${spelled}` : ""), seats: seats(side(), one.read(), other.read()) };
  };
  const more = el("details", {}, el("summary", {}, "Size and rules"), ...parameters.map(({ row }) => row));
  return { elements: [sides, ...rows, more], read };
}

/**
 * @param {string} side
 * @param {Seat} agent
 * @param {Seat} second
 * @returns {[Seat, Seat]}
 */
function seats(side, agent, second) {
  if (side === "two people") return [person, person];
  if (side === "two agents") return [agent, second];
  const first = side === "first" || (side === "random" && Math.random() < 0.5);
  return first ? [person, agent] : [agent, person];
}

/**
 * Levels with what was measured of them, then all agents with a budget where they take one.
 *
 * @param {GameOffer} offer
 * @param {string} id
 */
function opponent(offer, id) {
  const levels = offer.levels.map((level) =>
    el("option", { value: `level${level.level}` }, `${level.level} · ${level.name}${level.elo === null ? "" : ` · Elo ${Math.round(level.elo)}`}`));
  const agents = offer.agents.map(({ spelling, title }) => el("option", { value: spelling }, title));
  const budget = el("select", { "aria-label": "Budget" },
    el("option", { value: "" }, "usual budget"),
    ...[["|n100", "100 simulations"], ["|n1000", "1,000 simulations"], ["|n10000", "10,000 simulations"],
      ["|s0.5", "0.5 s a move"], ["|s2", "2 s a move"], ["|s10", "10 s a move"]].map(([value, title]) => el("option", { value }, title)));
  const select = el("select", { id, onchange: () => limit() },
    levels.length > 0 && el("optgroup", { label: "Levels" }, ...levels), el("optgroup", { label: "Agents" }, ...agents));
  select.value = spellSeat(usualOpponent(offer));
  const limit = () => {
    const budgets = offer.agents.find(({ spelling }) => spelling === select.value)?.budgets ?? [];
    for (const option of budget.options) {
      const unit = option.value.charAt(1) === "n" ? "simulations" : "seconds";
      option.hidden = option.disabled = Boolean(option.value) && !budgets.includes(unit);
    }
    budget.value = "";
    budget.hidden = budgets.length === 0;
  };
  limit();
  return {
    element: el("div", { class: "opponent" }, select, budget),
    read: () => readSeat(select.value + budget.value) ?? person,
  };
}

/**
 * @param {string} name
 * @param {HTMLElement} field
 * @param {string} [about]
 */
export function labelled(name, field, about) {
  const target = field.id ? field : field.querySelector("[id]");
  return el("div", { class: "field" }, el("label", { for: target?.id }, name), field, about && el("p", { class: "about" }, about));
}
