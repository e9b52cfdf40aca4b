/** What a person has chosen, kept in this browser. */
import { store } from "./store.js";

const KEY = "ludus";

/**
 * @typedef {object} Settings
 * @property {"system" | "light" | "dark"} theme
 * @property {boolean} sound
 * @property {boolean} policy
 * @property {boolean} visits
 * @property {boolean} value
 * @property {boolean} exact
 * @property {boolean} line  the principal variation as arrows
 * @property {number} pace  milliseconds that a move of an agent takes at least
 * @property {Record<string, string>} analyst  the agent that analyses, by game
 */

/** @type {Settings} */
const usual = {
  theme: "system",
  sound: false,
  policy: true,
  visits: false,
  value: true,
  exact: true,
  line: true,
  pace: 450,
  analyst: {},
};

/** @returns {Partial<Settings>} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {}; // a browser may forbid it, and what is kept may be damaged
  }
}

export const settings = store({ ...usual, ...read() });

settings.watch((value, before) => {
  const root = document.documentElement;
  if (value.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = value.theme;
  if (value === before) return;
  try {
    localStorage.setItem(KEY, JSON.stringify(value));
  } catch {
    // it is remembered until the page is left
  }
});

/** Whether the system asks for pictures that do not move. */
export function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The theme that is seen now. */
export function seenTheme() {
  const { theme } = settings.value;
  if (theme !== "system") return theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
