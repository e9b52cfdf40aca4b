/** Find the move: one action alone keeps the exact value; the oracle judges. */
import { Board } from "../board/board.js";
import { api } from "../api.js";
import { chip } from "../board/marks.js";
import { el, fill } from "../dom.js";
import { faceOf } from "../games/faces.js";
import { outline } from "../panels/overlay.js";
import { addressOf } from "../play/address.js";
import { person } from "../play/seats.js";
import { say } from "../say.js";
import { capital, exactShort, exactly, playerName, tone } from "../words.js";
import { sorry } from "./sorry.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Puzzle} Puzzle */

const GRADES = [1, 2, 3, 4, 5];

/**
 * @param {import("../main.js").House} house
 * @returns {import("../router.js").View}
 */
export function puzzleView({ catalogue, main }) {
  return async ({ parts: [spelling], query }) => {
    const { puzzles, games } = catalogue;
    const asked = spelling ?? puzzles[0];
    const offer = games.find(({ name }) => name === asked?.split(":")[0]);
    if (!offer || !puzzles.includes(asked)) return sorry(main, "There are no positions of this game: nobody here could judge an answer.");
    const titles = puzzles.map((one) => ({ spelling: one, title: titleOf(one, games) }));
    return trainer({ offer, titles, spelling: asked, main, seed: Number(query.get("seed")) || 0, face: await faceOf(offer.name) });
  };
}

/** Connect Four, or King and Courtesan, size 4. @param {string} spelling @param {import("../types.js").GameOffer[]} games */
function titleOf(spelling, games) {
  const [name, parameters] = spelling.split(":");
  const title = games.find((one) => one.name === name)?.title ?? name;
  return parameters ? `${title}, ${parameters.replace(/=/g, " ").replace(/,/g, ", ")}` : title;
}

/**
 * @param {object} room
 * @param {import("../types.js").GameOffer} room.offer
 * @param {{spelling: string, title: string}[]} room.titles  what there are positions of
 * @param {string} room.spelling
 * @param {HTMLElement} room.main
 * @param {number} room.seed  0 for any
 * @param {import("../board/board.js").Face} room.face
 */
function trainer({ offer, titles, spelling, main, seed, face }) {
  /** @type {Puzzle | null} */
  let puzzle = null;
  /** @type {Scene | null} */
  let scene = null;
  let solved = { right: 0, asked: 0 };
  let tried = false;
  let work = new AbortController();
  const board = new Board(face, { play: (action) => void answer(action), say });
  const task = el("p", { class: "task" });
  const told = el("p", { class: "status", role: "status" });
  const tally = el("p", { class: "tally" });
  const grade = el("select", { id: "grade", onchange: () => next() }, ...GRADES.map((one) => el("option", { value: one }, `Grade ${one}`)));
  const game = el("select", { id: "trained", onchange: () => { location.hash = `#/puzzle/${game.value}`; } },
    ...titles.map((one) => el("option", { value: one.spelling }, one.title)));
  game.value = spelling;
  const give = el("button", { type: "button", class: "quiet", onclick: () => void reveal() }, "Show the answer");
  const another = el("button", { type: "button", class: "main", onclick: () => next() }, "Next position");
  const look = el("a", { class: "quiet" }, "Analyse it");

  /** @param {string} words @param {string} kind */
  const tell = (words, kind) => {
    told.className = `status ${kind}`;
    fill(told, el("span", { class: "sign", "aria-hidden": "true" }), words);
  };
  const next = async () => {
    work.abort();
    work = new AbortController();
    const { signal } = work;
    tell("Looking for a position", "thinking");
    board.mark([]);
    give.disabled = true;
    try {
      puzzle = await api.puzzle({ game: spelling, seed: seed || 1 + Math.floor(Math.random() * 2 ** 30), grade: Number(grade.value) }, signal);
      scene = await api.position(puzzle.line, signal);
    } catch (error) {
      if (!signal.aborted) tell(/** @type {Error} */ (error).message, "trouble");
      return;
    }
    seed = 0;
    tried = false;
    give.disabled = false;
    const turned = face.home !== undefined && (scene.player === 1) === (face.home === "bottom");
    board.show(scene, { able: true, turned });
    task.textContent = `${capital(playerName(offer.players, scene.player))} to move: one move alone keeps the ${puzzle.to_keep}.`;
    look.href = addressOf({ ...puzzle.line, at: puzzle.line.tokens.length }, [person, person]);
    tell("Your turn", "turn");
  };
  /** @param {number} action */
  const judge = async (action) => {
    try {
      return puzzle && (await api.answer(puzzle.line, action));
    } catch (error) {
      tell(/** @type {Error} */ (error).message, "trouble");
      return null;
    }
  };
  /** @param {number} action */
  const answer = async (action) => {
    if (!puzzle || !scene) return;
    const asked = scene;
    const judged = await judge(action);
    if (!judged || asked !== scene) return;
    if (!tried) solved = { right: solved.right + Number(judged.right), asked: solved.asked + 1 };
    tried = true;
    const move = asked.legal.find((one) => one.action === action)?.move ?? "";
    tally.textContent = `${solved.right} of ${solved.asked} at the first attempt`;
    if (!judged.right) {
      const exact = judged.moves[action];
      tell(`${move} does not: ${exact ? exactly(exact) : "it gives the result away"}. Try again`, "wrong");
      return say(`${move} is not it.`);
    }
    board.show(asked, { able: false, turned: board.hand.turned });
    explain(judged);
    tell(`${move} is right`, "right");
  };
  const reveal = async () => {
    if (!puzzle || !scene) return;
    if (!tried) solved = { ...solved, asked: solved.asked + 1 };
    tried = true;
    const judged = await judge(scene.legal[0].action);
    if (!judged) return;
    board.show(scene, { able: false, turned: board.hand.turned });
    explain(judged);
    const best = scene.legal.find(({ action }) => action === judged.best[0]);
    tell(`${best?.move ?? ""} was the move`, "back");
    tally.textContent = `${solved.right} of ${solved.asked} at the first attempt`;
  };
  /** @param {import("../types.js").PuzzleAnswer} judged */
  const explain = ({ best, moves }) => {
    if (!scene) return;
    const { legal, cell } = scene;
    const one = legal.find(({ action }) => action === best[0]);
    const single = legal.every(({ points }) => points.length === 1);
    const shown = single ? legal : one ? [one] : [];
    board.mark([
      ...(one ? outline(scene, one, "hint", 1) : []),
      ...shown.flatMap(({ action, points }) => (moves[action] ? [chip(points[points.length - 1], [{ text: exactShort(moves[action]), tone: tone(moves[action]) }], cell)] : [])),
    ]);
    give.disabled = true;
  };
  fill(main, el("div", { class: "table" }, el("h1", { class: "unseen" }, `Find the move: ${offer.title}`),
    el("div", { class: "ground" }, board.element),
    el("aside", { class: "panel", "aria-label": "Find the move" },
      el("h2", {}, "Find the move"),
      el("div", { class: "asked" }, el("label", { for: "trained", class: "unseen" }, "Game"), game, el("label", { for: "grade", class: "unseen" }, "Grade"), grade),
      task, told, board.touch.aside ?? null, el("div", { class: "pair" }, give, another), el("p", {}, look), tally)));
  void next();
  return () => work.abort();
}

