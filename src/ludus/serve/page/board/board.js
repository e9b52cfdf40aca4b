/** The board: the server's picture, what is laid over it, and a hand that moves. */
import { el, picture, shape } from "../dom.js";
import { animate } from "./animate.js";
import { lastMove } from "./marks.js";

/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("../types.js").Point} Point */

/**
 * @typedef {object} Touch  how a person moves in one kind of game
 * @property {(at: Point, kind: string) => void} hover
 * @property {(at: Point) => void} press
 * @property {(at: Point, kind: string) => void} release
 * @property {() => void} leave
 * @property {(key: string) => boolean} key  whether it meant something
 * @property {(turns: number) => boolean} [wheel]
 * @property {() => Element[]} draw
 * @property {() => void} arrive  another state is shown
 * @property {HTMLElement} [aside]  what stands beside the board
 *
 * @typedef {object} Hand  what the board offers to a touch
 * @property {Scene} scene
 * @property {boolean} able  whether the person may move
 * @property {boolean} turned
 * @property {boolean} keyed  whether the keyboard was used last
 * @property {(action: number, dragged?: boolean) => void} choose
 * @property {(words: string) => void} say
 * @property {() => void} redraw
 * @property {(from: Point, to: Point | null) => void} lift  show a piece elsewhere while it is carried
 *
 * @typedef {object} Face  what a game says of itself
 * @property {(hand: Hand) => Touch} touch
 * @property {"drop" | "appear" | "slide" | "build"} entrance
 * @property {"round" | "square"} frame
 * @property {boolean} turns  whether the board may be turned round
 * @property {boolean} [discs]  whether the pieces of both players are discs
 * @property {"top" | "bottom"} [home]  where the first player sits, if anywhere
 * @property {(player: number, at: Point, cell: number) => Element} [ghost]
 * @property {import("../types.js").Token[]} sample  a line for the picture of the game
 * @property {string} help  how to move, in a sentence
 */

export class Board {
  /** @type {Hand} */
  hand;
  /** @type {SVGGElement | null} */
  #ground = null;
  #marks = shape("g", { class: "marks" });
  #hand = shape("g", { class: "hand" });
  #last = shape("g", { class: "last" });
  #dragged = false;

  /**
   * @param {Face} face
   * @param {{play: (action: number) => void, say: (words: string) => void}} tell
   */
  constructor(face, tell) {
    this.face = face;
    this.element = el("div", { class: "board", tabindex: 0, role: "application", "aria-roledescription": "board" });
    this.hand = {
      scene: /** @type {any} */ (null),
      able: false,
      turned: false,
      keyed: false,
      choose: (action, dragged = false) => {
        this.#dragged = dragged;
        tell.play(action);
      },
      say: tell.say,
      redraw: () => this.#hand.replaceChildren(...(this.hand.able ? this.touch.draw() : [])),
      lift: (from, to) => this.#lift(from, to),
    };
    this.touch = face.touch(this.hand);
    this.#listen();
  }

  /**
   * Show a state; if it follows the one before, its pieces move there.
   *
   * @param {Scene} scene
   * @param {{able: boolean, turned: boolean}} how
   */
  show(scene, { able, turned }) {
    const before = this.hand.scene;
    const sameWay = this.hand.turned === turned && before === scene;
    Object.assign(this.hand, { scene, able, turned });
    this.element.classList.toggle("able", able);
    if (!sameWay) {
      const drawn = picture(scene.svg);
      const old = this.#ground;
      this.#adopt(drawn, turned);
      this.#last.replaceChildren(...lastMove(scene, this.face.frame));
      this.element.replaceChildren(drawn);
      this.element.style.aspectRatio = `${scene.width} / ${scene.height}`;
      if (before && old && this.#ground && follows(before, scene) && !this.#dragged) {
        animate(this.#ground, old, scene, this.face.entrance);
      }
      this.#dragged = false;
    }
    const over = scene.over ? scene.result ?? "" : able ? "your turn" : "";
    this.element.setAttribute("aria-label", `The board, ${scene.plies} plies played. ${over} ${this.face.help}`);
    this.touch.arrive();
    this.hand.redraw();
  }

  /** @param {Element[]} marks */
  mark(marks) {
    this.#marks.replaceChildren(...marks);
  }

  /** @param {SVGSVGElement} drawn @param {boolean} turned */
  #adopt(drawn, turned) {
    const { scene } = this.hand;
    drawn.removeAttribute("width");
    drawn.removeAttribute("height");
    drawn.setAttribute("aria-hidden", "true"); // its label and the list of moves say the same
    const middle = `${scene.width / 2} ${scene.height / 2}`;
    this.#ground = shape("g", turned ? { transform: `rotate(180 ${middle})` } : {});
    drawn.querySelector("g.last")?.remove(); // ours shows more: ways, strays
    this.#ground.append(...drawn.childNodes, this.#last, this.#hand, this.#marks);
    drawn.append(this.#ground);
    if (turned) upright(this.#ground);
    if (this.face.discs) ring(this.#ground, scene.cell);
  }

  /** @param {Point} from @param {Point | null} to */
  #lift(from, to) {
    const piece = this.#ground && pieceAt(this.#ground, from);
    if (!piece) return;
    piece.classList.toggle("lifted", to !== null);
    if (to) piece.setAttribute("transform", `translate(${to[0] - from[0]} ${to[1] - from[1]})`);
    else piece.removeAttribute("transform");
  }

  /** Where on the scene the pointer is. @param {MouseEvent} event @returns {Point | null} */
  point(event) {
    const matrix = this.#ground?.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [x, y];
  }

  #listen() {
    /** @param {string} name @param {(at: Point, kind: string, event: PointerEvent) => void} act */
    const on = (name, act) =>
      this.element.addEventListener(name, (event) => {
        const pointer = /** @type {PointerEvent} */ (event);
        const at = this.point(pointer);
        this.hand.keyed = false;
        if (at && this.hand.able && pointer.isPrimary) act(at, pointer.pointerType, pointer);
        this.hand.redraw();
      });
    on("pointermove", (at, kind) => this.touch.hover(at, kind));
    on("pointerdown", (at, _, event) => {
      if (event.button !== 0) return;
      this.element.setPointerCapture(event.pointerId);
      this.touch.press(at);
    });
    on("pointerup", (at, kind, event) => event.button === 0 && this.touch.release(at, kind));
    on("pointerleave", () => this.touch.leave());
    on("pointercancel", () => this.touch.leave());
    // A click leaves the focus where it is, so that arrow keys keep walking through the game.
    this.element.addEventListener("mousedown", (event) => event.preventDefault());
    this.element.addEventListener("keydown", (event) => {
      if (!this.hand.able || event.ctrlKey || event.metaKey || event.altKey) return;
      this.hand.keyed = true;
      if (this.touch.key(event.key)) {
        event.preventDefault();
        event.stopPropagation();
      }
      this.hand.redraw();
    });
    this.element.addEventListener("blur", () => {
      this.touch.leave();
      this.hand.redraw();
    });
    this.element.addEventListener("wheel", (event) => {
      if (!this.hand.able || !this.touch.wheel?.(Math.sign(event.deltaY))) return;
      event.preventDefault();
      this.hand.redraw();
    }, { passive: false });
  }
}

/** @param {Scene} before @param {Scene} scene */
function follows(before, scene) {
  const [one, other] = [before.line, scene.line];
  return other.tokens.length === one.tokens.length + 1 && other.game === one.game;
}

/**
 * @param {Element} ground
 * @param {Point} at
 * @returns {SVGGElement | null}
 */
export function pieceAt(ground, [x, y]) {
  const pieces = /** @type {NodeListOf<SVGGElement>} */ (ground.querySelectorAll("g.piece"));
  const near = (/** @type {SVGGElement} */ { dataset }) =>
    Math.abs(Number(dataset.x) - x) < 1 && Math.abs(Number(dataset.y) - y) < 1;
  return [...pieces].find(near) ?? null;
}

/** The second player's discs wear a ring, so that they differ by more than their colour. @param {Element} ground @param {number} cell */
function ring(ground, cell) {
  for (const piece of /** @type {NodeListOf<SVGGElement>} */ (ground.querySelectorAll('g.piece[data-player="1"]'))) {
    const { x, y } = piece.dataset;
    piece.querySelector("circle:last-of-type")?.after(shape("circle", { cx: x, cy: y, r: cell * 0.22, class: "ringed", "stroke-width": cell * 0.05 }));
  }
}

/** Letters and crowns stay upright on a board that is turned round. @param {Element} ground */
function upright(ground) {
  for (const text of ground.querySelectorAll("text")) {
    const at = `${text.getAttribute("x")} ${text.getAttribute("y")}`;
    text.setAttribute("transform", `rotate(180 ${at})`);
  }
  for (const piece of /** @type {NodeListOf<SVGGElement>} */ (ground.querySelectorAll("g.piece"))) {
    for (const crown of piece.querySelectorAll("polygon")) {
      crown.setAttribute("transform", `rotate(180 ${piece.dataset.x} ${piece.dataset.y})`);
    }
  }
}
