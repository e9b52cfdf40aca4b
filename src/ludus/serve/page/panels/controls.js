/** Buttons under the moves: walking through the game, and what can be done with it. */
import { el, icon, tool } from "../dom.js";
import { atEnd } from "../play/history.js";
import { isAgent } from "../play/seats.js";

/**
 * @typedef {object} Acts
 * @property {() => void} flip
 * @property {() => void} hint
 * @property {() => void} anew
 * @property {() => void} help
 * @property {() => void} [turn]  a building, where there are any
 */

/**
 * @param {import("../play/session.js").Session} session
 * @param {Acts} acts
 * @param {boolean} turns  whether the board can be turned round
 */
export function controls(session, acts, turns) {
  const { table } = session;
  const at = () => table.value.history.at;
  const first = tool("first", "First state", () => session.go(0), "Home");
  const back = tool("back", "Back", () => session.go(at() - 1), "←");
  const on = tool("on", "Forward", () => session.go(at() + 1), "→");
  const last = tool("last", "Last state", () => session.go(table.value.history.tokens.length), "End");
  const play = tool("play", "Let them play", () => session.resume(), "P");
  const hold = tool("pause", "Pause", () => session.pause(), "P");
  const step = tool("step", "One move", () => session.step(), "S");
  const undo = tool("undo", "Take back", () => session.undo(), "U");
  const redo = tool("redo", "Play again what was taken back", () => session.redo(), "Shift+U");
  const hint = tool("hint", "Hint", acts.hint, "H");
  const flip = tool("flip", "Turn the board round", acts.flip, "F");
  const resign = tool("resign", "Resign", () => session.resign(), "Q");
  const help = tool("keys", "Keys", acts.help, "?");
  const here = el("button", { type: "button", class: "quiet", onclick: () => session.cut() }, "Play from here");
  const anew = el("button", { type: "button", class: "main", onclick: acts.anew }, icon("new"), "New game");
  flip.disabled = !turns;
  table.watch(({ history, scene, end, seats, paused, resigned, thinking }) => {
    const over = Boolean(end?.over) || resigned !== null;
    first.disabled = back.disabled = history.at === 0;
    last.disabled = on.disabled = redo.disabled = atEnd(history);
    undo.disabled = history.at === 0;
    const watching = seats.every(isAgent);
    play.hidden = !watching || (!paused && !over);
    hold.hidden = !watching || paused || over;
    step.hidden = !watching;
    play.disabled = over && atEnd(history);
    step.disabled = Boolean(scene?.over) && atEnd(history);
    resign.hidden = watching;
    resign.disabled = over || history.tokens.length === 0;
    hint.disabled = !scene || scene.over || thinking;
    here.disabled = atEnd(history);
  });
  return el("section", { class: "controls", "aria-label": "Controls" },
    el("div", { class: "tools" }, first, back, on, last, play, hold, step),
    el("div", { class: "tools" }, undo, redo, hint, flip, resign, help),
    el("div", { class: "pair" }, here, anew));
}
