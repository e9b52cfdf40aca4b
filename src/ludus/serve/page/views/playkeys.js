/** The keys of the table. */
import { say } from "../say.js";

/**
 * @param {import("../play/session.js").Session} session
 * @param {import("../play/analysis.js").Analysis} analysis
 * @param {import("../play/review.js").Review} review
 * @param {import("../panels/controls.js").Acts} acts
 * @param {() => void} showAnalysis
 * @returns {import("../keys.js").Key[]}
 */
export function keysOf(session, analysis, review, acts, showAnalysis) {
  const { table } = session;
  const at = () => table.value.history.at;
  const jump = (/** @type {1 | -1} */ way) => {
    const place = review.mistake(way);
    if (place !== null) void session.go(place);
    else say("No more mistakes.");
  };
  const analyse = () => {
    analysis.toggle();
    if (analysis.insight.value.on) showAnalysis();
  };
  return [
    { key: "ArrowLeft", name: "one ply back", act: () => at() > 0 && session.go(at() - 1) },
    { key: "ArrowRight", name: "one ply forward", act: () => at() < table.value.history.tokens.length && session.go(at() + 1) },
    { key: "Home", name: "to the start", act: () => session.go(0) },
    { key: "End", name: "to the end", act: () => session.go(table.value.history.tokens.length) },
    { key: "u", name: "take back", act: () => session.undo() },
    { key: "Shift+U", name: "play again what was taken back", act: () => session.redo() },
    { key: "h", name: "hint", act: acts.hint },
    { key: "a", name: "analyse", act: analyse },
    { key: "m", name: "next mistake", act: () => jump(1) },
    { key: "Shift+M", name: "mistake before", act: () => jump(-1) },
    { key: "f", name: "turn the board round", act: acts.flip },
    { key: "p", name: "pause or go on, when two agents play", act: () => (table.value.paused ? session.resume() : session.watched && session.pause()) },
    { key: "s", name: "one move, when two agents play", act: () => session.watched && session.step() },
    ...(acts.turn ? [{ key: "r", name: "turn the building", act: acts.turn }] : []),
    { key: "n", name: "new game", act: acts.anew },
    { key: "q", name: "resign", act: () => table.value.history.tokens.length && !session.watched && session.resign() },
    { key: "?", name: "this list", act: acts.help },
  ];
}
