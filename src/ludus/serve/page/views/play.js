/** The table: the board, who plays, the moves, the analysis. */
import { Board } from "../board/board.js";
import { api } from "../api.js";
import { el, fill } from "../dom.js";
import { faceOf } from "../games/faces.js";
import { keyHelp, listen } from "../keys.js";
import { bar } from "../panels/bar.js";
import { controls } from "../panels/controls.js";
import { insight } from "../panels/insight.js";
import { moves } from "../panels/moves.js";
import { newGame } from "../panels/newgame.js";
import { outline, overlay } from "../panels/overlay.js";
import { players, sayStatus } from "../panels/players.js";
import { setup } from "../panels/setup.js";
import { share } from "../panels/share.js";
import { tabs } from "../panels/tabs.js";
import { Analysis } from "../play/analysis.js";
import { addressOf, readAddress } from "../play/address.js";
import { hintFor } from "../play/hint.js";
import { Review } from "../play/review.js";
import { isAgent, person, usualOpponent } from "../play/seats.js";
import { Session } from "../play/session.js";
import { settle } from "../router.js";
import { say } from "../say.js";
import { settings } from "../settings.js";
import { click } from "../sound.js";
import { keysOf } from "./playkeys.js";

/** @typedef {import("../types.js").Scene} Scene */

/**
 * @param {import("../main.js").House} house
 * @returns {import("../router.js").View}
 */
export function playView({ catalogue, thoughts, main }) {
  return async ({ parts, query }) => {
    const { line, seats } = readAddress(parts, query);
    const offer = await offerOf(catalogue.games, line.game);
    const face = await faceOf(line.game);
    const session = new Session(thoughts, offer, line, [seats[0] ?? person, seats[1] ?? usualOpponent(offer)]);
    const analysis = new Analysis(session, catalogue.limits.think_seconds);
    const review = new Review(analysis);
    await session.open();
    return table({ session, analysis, review, face, main, offers: catalogue.games });
  };
}

/** What there is for a game with these parameters. @param {import("../types.js").GameOffer[]} offers @param {string} spelling */
async function offerOf(offers, spelling) {
  return offers.find((offer) => offer.spelling === spelling) ?? api.game(spelling);
}

/**
 * @param {object} room
 * @param {Session} room.session
 * @param {Analysis} room.analysis
 * @param {Review} room.review
 * @param {import("../board/board.js").Face} room.face
 * @param {HTMLElement} room.main
 * @param {import("../types.js").GameOffer[]} room.offers
 */
function table({ session, analysis, review, face, main, offers }) {
  let turned = facing(face, session.table.value.seats);
  /** @type {number | null} */
  let pointed = null;
  /** @type {number | null} */
  let hinted = null;
  /** @type {((at: import("../types.js").Point) => void) | null} */
  let painting = null;
  const board = new Board(face, { play: (action) => session.play(action), say });

  const mark = () => {
    const { scene } = session.table.value;
    if (painting) return;
    if (!scene) return board.mark([]);
    const hint = scene.legal.find(({ action }) => action === hinted);
    board.mark([
      ...overlay(scene, analysis.insight.value, settings.value, pointed),
      ...(hint ? outline(scene, hint, "hint", 1) : []),
    ]);
  };
  const show = () => {
    const { scene } = session.table.value;
    if (scene && !painting) board.show(scene, { able: session.mayPlay, turned });
    mark();
  };
  const hint = async () => {
    const { scene } = session.table.value;
    const found = scene && (await hintFor(session));
    if (!found || scene !== session.table.value.scene) return;
    hinted = found.action;
    say(`Hint: ${found.move}, ${found.why}`);
    mark();
  };
  const acts = {
    flip: () => {
      turned = face.turns && !turned;
      show();
    },
    hint: () => void hint(),
    anew: () => {
      const dialog = newGame(offers, session.offer.name);
      document.body.append(dialog);
      dialog.showModal();
    },
    help: () => keyHelp(keys, face.help),
    turn: board.touch.aside && (() => void (board.touch.key("r"), board.hand.redraw())),
  };
  const edit = setup(session, (scene, paint, marks = []) => {
    painting = paint;
    board.element.classList.toggle("painting", paint !== null);
    board.show(scene, { able: false, turned });
    board.mark(marks);
    if (!paint) show();
  });
  board.element.addEventListener("pointerup", (event) => {
    const at = board.point(event);
    if (painting && at) painting(at);
  });
  const sheets = tabs("What is shown", {
    Moves: moves(session, review),
    Analysis: insight(analysis, review, (action) => {
      pointed = action;
      mark();
    }),
    Position: el("div", {}, edit, share(session)),
  });
  const keys = keysOf(session, analysis, review, acts, () => sheets.show("Analysis"));
  const panel = el("aside", { class: "panel", "aria-label": "The game" },
    players(session), board.touch.aside ?? null, sheets.element, controls(session, acts, face.turns));
  fill(main, el("div", { class: "table" }, el("h1", { class: "unseen" }, session.offer.title),
    el("div", { class: "ground" }, bar(review), board.element), panel));

  const stops = [
    listen(keys),
    session.table.watch((value, before) => {
      if (value.scene !== before.scene) hinted = pointed = null;
      show();
      settle(addressOf(value.history, value.seats));
      remember(location.hash, session.offer.title);
      announce(session, value, before);
    }),
    analysis.insight.watch(mark),
    settings.watch(mark),
  ];
  return () => {
    stops.forEach((stop) => stop());
    session.close();
    analysis.stop();
    review.stop();
  };
}

/** A person who plays against an agent sits below. @param {import("../board/board.js").Face} face @param {import("../play/seats.js").Seat[]} seats */
function facing({ home }, [first, second]) {
  if (!home || isAgent(first) === isAgent(second)) return false;
  return isAgent(first) === (home === "bottom");
}

/** @param {string} hash @param {string} title */
function remember(hash, title) {
  try {
    localStorage.setItem("ludus last game", JSON.stringify({ hash, title }));
  } catch {
    // then it cannot be gone on with from the first page
  }
}

/**
 * @param {Session} session
 * @param {import("../play/session.js").Table} value
 * @param {import("../play/session.js").Table} before
 */
function announce(session, value, before) {
  if (value.scene === before.scene || !value.scene) return;
  const move = value.scene.moves[value.scene.moves.length - 1];
  if (move && value.history.tokens.length !== before.history.tokens.length) click(isAgent(value.seats[move.player]));
  const { words } = sayStatus(session, value);
  say(move ? `${move.move}. ${words}.` : words);
}
